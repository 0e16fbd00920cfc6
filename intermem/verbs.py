"""The verbs: the arguments of each, and how its command is called. Commands are imported when they run."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from intermem.errors import UsageError

if TYPE_CHECKING:
    from intermem.commands.project import Project
    from intermem.core.promoter import Candidate
    from intermem.results import Answer, Result

Run = Callable[["Project", argparse.Namespace], "Result"]


def option(args: argparse.Namespace, name: str) -> str | None:
    """Return the value of a global option, None where it was not given."""
    value = getattr(args, name, None)
    return None if value in (None, False) else str(value)


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or len(text) > 9:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number below a billion")
    return int(text)


def _positive(text: str) -> int:
    number = _count(text)
    if number < 1:
        raise argparse.ArgumentTypeError("it must be at least 1")
    return number


def _dry_run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--dry-run", action="store_true", help="say what would be done, write nothing")
    parser.add_argument("--diff", action="store_true", help="show the change of documents as a diff, write nothing")


def _force(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--force", action="store_true", help="work in the middle of a merge, rebase or bisect too")


def _init_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--target", metavar="DOC", help="the document to place the region in")
    parser.add_argument("--after", metavar="HEADING", help="place the region at the end of this section")
    parser.add_argument("--write-config", action="store_true", help="also write [tool.intermem] or intermem.toml")
    parser.add_argument("--remove", action="store_true", help="take the region out again")
    parser.add_argument("--adopt", action="store_true", help="move entries with the old trailing markers into a region")
    _dry_run(parser)
    _force(parser)


def _init(project: Project, args: argparse.Namespace) -> Result:
    from intermem.commands.init import init, init_remove

    given: dict[str, Any] = {
        "target": args.target,
        "dry_run": args.dry_run,
        "show_diff": args.diff,
        "force": args.force,
    }
    if args.adopt:
        if args.remove or args.write_config:
            raise UsageError("--adopt goes with neither --remove nor --write-config", hint="intermem init --help")
        from intermem.commands.adopt import init_adopt

        return init_adopt(project, after=args.after, **given)
    if args.remove:
        if args.after is not None or args.write_config:
            raise UsageError("--remove goes with neither --after nor --write-config", hint="intermem init --help")
        return init_remove(project, **given)
    return init(project, after=args.after, write_config=args.write_config, **given)


def _scan_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--dry-run", action="store_true", help="say what would be recorded, write nothing")


def _scan(project: Project, args: argparse.Namespace) -> Result:
    from intermem.commands.scan import scan

    return scan(project, dry_run=args.dry_run)


def _promote_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ids", nargs="*", metavar="ID", help="only these entries (unique prefixes of their ids)")
    parser.add_argument("--yes", action="store_true", help="promote without asking")
    parser.add_argument("--min-snapshots", type=_positive, metavar="N", help="snapshots that make an entry stable")
    parser.add_argument("--limit", type=_count, metavar="N", help="at most N entries (0: no limit)")
    parser.add_argument("--target", metavar="DOC", help="the document to promote into")
    _dry_run(parser)
    _force(parser)


def _promote(project: Project, args: argparse.Namespace) -> Result:
    from intermem.commands.promote import Wishes, promote

    wishes = Wishes(ids=tuple(args.ids), min_snapshots=args.min_snapshots, limit=args.limit, target=args.target)
    ask = None
    on_terminal = sys.stdin.isatty() and sys.stderr.isatty() and not option(args, "json")
    if on_terminal and not args.yes and not args.dry_run and not args.diff:
        from intermem.reporters import asking
        from intermem.reporters.progress import ProgressBar

        def ask_here(candidates: Sequence[Candidate], document: str) -> Sequence[Answer]:
            if isinstance(project.options.progress, ProgressBar):
                project.options.progress.pause()
            try:
                return asking.ask(candidates, document, sys.stdin, sys.stderr)
            except KeyboardInterrupt:
                raise KeyboardInterrupt("nothing was written, and your answers were not kept") from None

        ask = ask_here
    return promote(project, wishes, yes=args.yes, dry_run=args.dry_run, show_diff=args.diff, force=args.force, ask=ask)


def _sweep_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--no-scan", action="store_true", help="record no snapshot of the memory")
    parser.add_argument("--no-demote", action="store_true", help="leave documents as they are")
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit 1 where a document or the ledger would change"
    )
    _dry_run(parser)
    _force(parser)


def _sweep(project: Project, args: argparse.Namespace) -> Result:
    from intermem.commands.sweep import sweep

    return sweep(
        project,
        take_snapshot=not args.no_scan,
        demote=not args.no_demote,
        dry_run=args.dry_run,
        check=args.check,
        show_diff=args.diff,
        force=args.force,
    )


def _judgement_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ids", nargs="+", metavar="ID", help="entries (unique prefixes of their ids)")
    parser.add_argument("--reason", metavar="TEXT", default="", help="why, for the history")
    _dry_run(parser)
    _force(parser)


def _judgement(project: Project, args: argparse.Namespace) -> Result:
    from intermem.commands.judgement import judge_entries

    return judge_entries(
        project,
        args.verb,
        args.ids,
        reason=args.reason,
        dry_run=args.dry_run,
        show_diff=args.diff,
        force=args.force,
    )


def _doctor_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--repair", action="store_true", help="settle what can be settled in one way only")
    parser.add_argument("--diff", action="store_true", help="with --repair: show the change as a diff, write nothing")


def _doctor(project: Project, args: argparse.Namespace) -> Result:
    from intermem.commands.doctor import doctor

    if args.diff and not args.repair:
        raise UsageError("--diff shows what --repair would change", hint="intermem doctor --repair --diff")
    return doctor(project, repair=args.repair, show_diff=args.diff)


def _undo_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "operation", nargs="?", type=_positive, metavar="OP", help="undo this operation and all that came after it"
    )
    parser.add_argument("--list", action="store_true", help="list the operations, newest first, and undo none")
    parser.add_argument("--limit", type=_count, metavar="N", help="with --list: at most N rows (0: all)")
    _dry_run(parser)
    _force(parser)


def _undo(project: Project, args: argparse.Namespace) -> Result:
    from intermem.commands.undo import operations, undo

    if args.list:
        if args.operation is not None or args.dry_run or args.diff or args.force:
            raise UsageError("--list undoes nothing: it goes with --limit only", hint="intermem undo --help")
        return operations(project, args.limit)
    if args.limit is not None:
        raise UsageError("--limit goes with --list", hint="intermem undo --help")
    return undo(project, args.operation, dry_run=args.dry_run, show_diff=args.diff, force=args.force)


def _query_arguments(parser: argparse.ArgumentParser) -> None:
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument(
        "--search", nargs="+", action="extend", metavar="WORD", help="entries with every word in text or section"
    )
    which.add_argument("--topics", action="store_true", help="sections, their entries and average confidence")
    which.add_argument("--demoted", action="store_true", help="demoted entries with reason, original confidence, time")
    which.add_argument("--stale", action="store_true", help="stale entries")
    which.add_argument("--pinned", action="store_true", help="pinned entries")
    which.add_argument("--all", action="store_true", help="every entry")
    parser.add_argument("--limit", type=_count, metavar="N", help="at most N rows (0: all; default: query.limit)")
    parser.add_argument(
        "--rank", choices=("blended", "relevance", "recency"), help="order of --search (default: blended)"
    )
    parser.add_argument("--no-touch", action="store_true", help="do not count this as an access of the rows")


def _query(project: Project, args: argparse.Namespace) -> Result:
    from intermem.commands.query import Query, query

    which = "search" if args.search is not None else _chosen(args, "topics", "demoted", "stale", "pinned", "all")
    if args.rank is not None and which != "search":
        raise UsageError("--rank orders the hits of --search", hint="leave it out")
    wanted = Query(
        which=which,
        words=tuple(args.search or ()),
        rank=args.rank or "blended",
        limit=args.limit,
        touch=not args.no_touch,
    )
    return query(project, wanted)


class _ConfigAction(argparse.Action):
    """``status --config`` asks for the keys; with FILE, for those of that file."""

    def __call__(
        self, parser: argparse.ArgumentParser, args: argparse.Namespace, values: object, option: str | None = None
    ) -> None:
        args.show_config = True
        if values is not None:
            args.config = values


def _chosen(args: argparse.Namespace, *names: str) -> str:
    return next(name for name in names if getattr(args, name))


def _status_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--config",
        nargs="?",
        metavar="FILE",
        action=_ConfigAction,
        help="show every key of the configuration, its value and where it comes from",
    )


def _status(project: Project, args: argparse.Namespace) -> Result:
    from intermem.commands.status import configuration, status

    return configuration(project) if option(args, "show_config") else status(project)


def _why_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="an entry's id, or a unique prefix of 4 digits or more")


def _why(project: Project, args: argparse.Namespace) -> Result:
    from intermem.commands.why import why

    return why(project, args.id)


def _verify_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--entries", metavar="FILE", default="-", help="JSON lines of entries to verify (default: standard input)"
    )
    parser.add_argument("--repo", metavar="GITDIR", help="the repository to judge against (default: the project)")
    parser.add_argument("--rev", metavar="REV", help="judge against this revision, not against the working tree")


def _verify(project: Project, args: argparse.Namespace) -> Result:
    from intermem.commands.verify import verify

    return verify(project, args.entries, repository=args.repo, rev=args.rev)


def _log_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", nargs="?", metavar="ID", help="only this entry")
    parser.add_argument("--limit", type=_count, metavar="N", help="at most N rows (0: all; default: query.limit)")


def _log(project: Project, args: argparse.Namespace) -> Result:
    from intermem.commands.log import log

    return log(project, args.id, args.limit)


VERBS: dict[str, tuple[str, Callable[[argparse.ArgumentParser], None], Run]] = {
    "init": ("find memory and documents, place a region", _init_arguments, _init),
    "scan": ("read the memory and record a snapshot", _scan_arguments, _scan),
    "promote": ("put stable, true entries into a document", _promote_arguments, _promote),
    "sweep": ("re-validate and decay every entry, demote what has gone stale", _sweep_arguments, _sweep),
    "restore": ("put entries back that were demoted, rejected or lost", _judgement_arguments, _judgement),
    "reject": ("take entries out for good, or give up missing ones", _judgement_arguments, _judgement),
    "demote": ("take entries out of their document, until they are seen again", _judgement_arguments, _judgement),
    "undo": ("put documents and records back to before an operation", _undo_arguments, _undo),
    "query": ("look into metadata.db", _query_arguments, _query),
    "status": ("health at a glance", _status_arguments, _status),
    "why": ("one entry's whole story", _why_arguments, _why),
    "doctor": ("where documents, ledger, records and journal disagree", _doctor_arguments, _doctor),
    "verify": ("the verdicts on the citations of given texts, as JSON lines", _verify_arguments, _verify),
    "log": ("what happened, newest first", _log_arguments, _log),
}
