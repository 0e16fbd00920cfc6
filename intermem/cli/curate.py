"""Commands of the main job: init, scan, promote, sweep, curate; and merge-driver, which git runs."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from intermem.cli.arguments import count, dry_run_options, force_option, option, positive, run_mode
from intermem.cli.verb import Verb
from intermem.errors import UsageError

if TYPE_CHECKING:
    from intermem.core.lifecycle.promotion import Candidate
    from intermem.results import Answer, Result
    from intermem.workflow.run_mode import RunMode
    from intermem.workflow.workspace import Workspace


def _init_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--target", metavar="DOC", help="the document to add the region to")
    parser.add_argument("--after", metavar="HEADING", help="add the region at the end of this section")
    parser.add_argument("--write-config", action="store_true", help="also write [tool.intermem] or intermem.toml")
    parser.add_argument(
        "--merge-driver", action="store_true", help="also let git merge regions entry by entry, in this clone"
    )
    parser.add_argument("--remove", action="store_true", help="remove the region")
    parser.add_argument(
        "--adopt", action="store_true", help="move entries with old-style trailing markers into a region"
    )
    dry_run_options(parser)
    force_option(parser)


def _init(workspace: Workspace, args: argparse.Namespace) -> Result:
    from intermem.commands.init import init, init_remove

    given: dict[str, Any] = {
        "target": args.target,
        "mode": run_mode(args),
    }
    places_only = "--merge-driver" if args.merge_driver else "--write-config" if args.write_config else None
    if args.adopt:
        if args.remove or places_only:
            other = "--remove" if args.remove else places_only
            raise UsageError(f"--adopt cannot be combined with {other}", hint="intermem init --help")
        from intermem.commands.init_adopt import init_adopt

        return init_adopt(workspace, after=args.after, **given)
    if args.remove:
        if args.after is not None or places_only:
            other = "--after" if args.after is not None else places_only
            raise UsageError(f"--remove cannot be combined with {other}", hint="intermem init --help")
        return init_remove(workspace, **given)
    given |= {"write_config": args.write_config, "merge_driver": args.merge_driver}
    return init(workspace, after=args.after, **given)


def _scan_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--relearn", action="store_true", help="also learn again what was purged, unless the ledger knows of it"
    )
    parser.add_argument("--dry-run", action="store_true", help="show what would be recorded; write nothing")


def _scan(workspace: Workspace, args: argparse.Namespace) -> Result:
    from intermem.commands.scan import scan

    return scan(workspace, run_mode(args), relearn=args.relearn)


def _promote_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ids", nargs="*", metavar="ID", help="only these entries (ids, or unique prefixes)")
    parser.add_argument("--yes", action="store_true", help="promote without asking")
    parser.add_argument(
        "--min-snapshots", type=positive, metavar="N", help="number of snapshots that make an entry stable"
    )
    parser.add_argument("--limit", type=count, metavar="N", help="promote at most N entries (0: no limit)")
    parser.add_argument("--target", metavar="DOC", help="the document to promote into")
    parser.add_argument(
        "--tier",
        type=int,
        choices=(1, 2),
        help="1: only into the document; 2: into topic files (default: what finds no room, if tiers is set)",
    )
    parser.add_argument("--text", metavar="WORDING", help="write this wording of the one entry ID")
    parser.add_argument(
        "--candidates",
        action="store_true",
        help="list the candidates, best first, with worth, verdicts and similar lines; write nothing",
    )
    parser.add_argument("--all", action="store_true", help="list every refusal, not only the ten nearest misses")
    _message_option(parser)
    dry_run_options(parser)
    force_option(parser)


def _promote(workspace: Workspace, args: argparse.Namespace) -> Result:
    if args.candidates:
        return _candidates(workspace, args)
    _check_message(workspace, args)
    from intermem.commands.promote import PromoteOptions, promote

    options = PromoteOptions(
        ids=tuple(args.ids),
        min_snapshots=args.min_snapshots,
        limit=args.limit,
        target=args.target,
        text=args.text,
        lists_all=args.all,
        tier=args.tier,
    )
    ask = None
    on_terminal = sys.stdin.isatty() and sys.stderr.isatty() and not option(args, "json")
    if on_terminal and not args.yes and not args.dry_run and not args.diff:
        from intermem.cli import prompt
        from intermem.cli.progress import ProgressBar

        def ask_here(candidates: Sequence[Candidate], documents: Sequence[str]) -> Sequence[Answer]:
            if isinstance(workspace.options.progress, ProgressBar):
                workspace.options.progress.pause()
            try:
                return prompt.ask(candidates, documents, sys.stdin, sys.stderr)
            except KeyboardInterrupt:
                raise KeyboardInterrupt("nothing was written, and your answers were discarded") from None

        ask = ask_here
    result = promote(workspace, options, yes=args.yes, mode=run_mode(args), ask=ask)
    return _or_message(workspace, result, args)


def _migrate_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--yes", action="store_true", help="move them (without it they are only listed)")
    dry_run_options(parser)
    force_option(parser)


def _migrate(workspace: Workspace, args: argparse.Namespace) -> Result:
    from intermem.commands.migrate import migrate

    return migrate(workspace, run_mode(args), yes=args.yes)


def _candidates(workspace: Workspace, args: argparse.Namespace) -> Result:
    if args.yes or args.diff or args.message or args.text is not None:
        raise UsageError(
            "--candidates only lists: it cannot be combined with --yes, --text, --message or --diff",
            hint="intermem promote --candidates --json",
        )
    if args.tier is not None:
        raise UsageError(
            "--candidates lists the same for both tiers: it cannot be combined with --tier",
            hint="intermem promote --tier 2 --dry-run shows what would go where",
        )
    from intermem.commands.candidates import CandidatesOptions, candidates

    return candidates(
        workspace,
        CandidatesOptions(ids=tuple(args.ids), min_snapshots=args.min_snapshots, limit=args.limit, target=args.target),
    )


def _sweep_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--no-scan", action="store_true", help="do not read the memory: decide as a clone without one does"
    )
    parser.add_argument(
        "--no-demote",
        action="store_true",
        help="do not demote anything, nor delete by retention; leave documents unchanged",
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="write nothing; exit 1 if a document would change, or where an entry stands",
    )
    _message_option(parser)
    dry_run_options(parser)
    force_option(parser)


def _sweep(workspace: Workspace, args: argparse.Namespace) -> Result:
    _check_message(workspace, args)
    from intermem.commands.sweep import sweep

    result = sweep(
        workspace,
        take_snapshot=not args.no_scan,
        demote=not args.no_demote,
        check=args.check,
        mode=run_mode(args),
    )
    return _or_message(workspace, result, args)


def _curate_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--no-demote", action="store_true", help="do not demote anything, nor delete by retention")
    parser.add_argument("--yes", action="store_true", help="also promote what is stable, valid and worth a line")
    _message_option(parser)
    dry_run_options(parser)
    force_option(parser)


def _curate(workspace: Workspace, args: argparse.Namespace) -> Result:
    _check_message(workspace, args)
    from intermem.commands.promote import PromoteOptions, promote
    from intermem.commands.sweep import sweep
    from intermem.results.curate import CurateResult

    mode = run_mode(args)
    swept = sweep(workspace, demote=not args.no_demote, mode=mode)
    promoted = None
    if args.yes and workspace.memory_place.path is not None:
        with _as_scanned(workspace, mode) as after:
            promoted = promote(after, PromoteOptions(), yes=True, mode=mode)
    parts = [swept] if promoted is None else [swept, promoted]
    result = CurateResult(
        sweep=swept,
        promote=promoted,
        dry_run=swept.dry_run,
        exit_code=max(one.exit_code for one in parts),
        problems=tuple(dict.fromkeys(problem for one in parts for problem in one.problems)),
        notices=tuple(dict.fromkeys(notice for one in parts for notice in one.notices)),
        changes=tuple(change for one in parts for change in one.changes),
        show_diff=mode.show_diff,
    )
    return _or_message(workspace, result, args)


@contextlib.contextmanager
def _as_scanned(workspace: Workspace, mode: RunMode) -> Iterator[Workspace]:
    """Yield the workspace after the scan of a sweep; of a dry run, which recorded nothing, a copy that was scanned."""
    if not mode.dry:
        yield workspace
        return
    from intermem.commands.scan import scan
    from intermem.workflow.rehearsal import rehearsal
    from intermem.workflow.run_mode import RunMode

    with rehearsal(workspace) as copy:
        if copy is not None:
            scan(copy, RunMode(force=mode.force))
        yield copy or workspace


def _message_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--message", action="store_true", help="print nothing but a commit message for what is not committed yet"
    )


def _check_message(workspace: Workspace, args: argparse.Namespace) -> None:
    """Refuse --message where it cannot be had, before anything is written."""
    if not args.message:
        return
    if args.diff:
        raise UsageError("--message cannot be combined with --diff", hint="--dry-run --message writes nothing either")
    from intermem.workflow.commit_message import require_working_tree

    require_working_tree(workspace)


def _or_message(workspace: Workspace, result: Result, args: argparse.Namespace) -> Result:
    """Return ``result``, or with --message a commit message in its place."""
    if not args.message:
        return result
    from intermem.results import WritingResult
    from intermem.results.curate import CurateResult, MessageResult, SweepResult
    from intermem.workflow.commit_message import commit_message

    planned = result.changes if isinstance(result, WritingResult) and result.dry_run else ()
    message = commit_message(workspace, planned)
    swept = result.sweep if isinstance(result, CurateResult) else result
    notices = result.notices
    if isinstance(swept, SweepResult) and swept.deleted:  # no commit tells of it
        what = "1 entry" if len(swept.deleted) == 1 else f"{len(swept.deleted)} entries"
        notices += (f"{what} {'would be ' if swept.dry_run else ''}deleted by retention",)
    return MessageResult(
        verb=result.verb, exit_code=result.exit_code, problems=result.problems, notices=notices, message=message
    )


def _merge_driver_arguments(parser: argparse.ArgumentParser) -> None:
    for name, word, what in (
        ("base", "BASE", "the common ancestor (%%O)"),
        ("ours", "OURS", "our version, which takes the result (%%A)"),
        ("theirs", "THEIRS", "their version (%%B)"),
        ("document", "PATH", "the path of the document, for messages (%%P)"),
    ):
        parser.add_argument(name, metavar=word, help=what)
    parser.add_argument(
        "--marker-size", type=positive, default=7, metavar="N", help="length of the conflict markers (%%L)"
    )


def _merge_driver(args: argparse.Namespace) -> Result:
    from pathlib import Path

    from intermem.commands.merge_driver import MergedFiles, merge_driver

    base, ours, theirs = (Path(one) for one in (args.base, args.ours, args.theirs))
    files = MergedFiles(base=base, ours=ours, theirs=theirs, document=args.document, marker_size=args.marker_size)
    return merge_driver(files)


VERBS = (
    Verb(
        name="init",
        summary="find the memory and the documents, and add a region",
        arguments=_init_arguments,
        run=_init,
        renderer="curate:print_initialised",
    ),
    Verb(
        name="scan",
        summary="read the memory and record a snapshot",
        arguments=_scan_arguments,
        run=_scan,
        renderer="curate:print_scanned",
    ),
    Verb(
        name="promote",
        summary="add stable, valid entries to a document",
        arguments=_promote_arguments,
        run=_promote,
        renderer="curate:print_promotion",
        reads_with=("--candidates",),
    ),
    Verb(
        name="sweep",
        summary="re-validate and decay all entries; demote stale ones",
        arguments=_sweep_arguments,
        run=_sweep,
        renderer="curate:print_swept",
    ),
    Verb(
        name="curate",
        summary="scan, sweep and, with --yes, promote in one go: for hooks and schedules",
        arguments=_curate_arguments,
        run=_curate,
        renderer="curate:print_curated",
    ),
    Verb(
        name="migrate",
        summary="move facts from the document into topic files, the second tier",
        arguments=_migrate_arguments,
        run=_migrate,
        renderer="decide:print_decision",
    ),
    Verb(
        name="merge-driver",
        summary="plumbing for git: merge a document, its region entry by entry",
        arguments=_merge_driver_arguments,
        alone=_merge_driver,
        renderer="merge:print_merged",
        is_plumbing=True,
    ),
)
