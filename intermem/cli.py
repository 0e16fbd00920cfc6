"""The command line: parse, wire, print, exit code. Heavy modules are imported when a verb needs them."""

from __future__ import annotations

import argparse
import contextlib
import difflib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NoReturn

from intermem import __version__
from intermem.errors import IntermemError, UsageError

if TYPE_CHECKING:
    from intermem.commands.project import Options, Project
    from intermem.core.promoter import Candidate
    from intermem.results import Answer, Result

INTERRUPTED = 130
BROKEN_PIPE = 141

Run = Callable[["Project", argparse.Namespace], "Result"]


class _Parser(argparse.ArgumentParser):
    """An argument parser whose errors are ours: one line and a hint."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(_plain(message), hint=f"{self.prog} --help")


def _plain(message: str) -> str:
    """argparse's message; of a verb that does not exist, in our words."""
    if message.startswith("argument VERB: invalid choice: '"):
        verb = message.split("'")[1]
        close = difflib.get_close_matches(verb, VERBS, 1)
        known = f"did you mean {close[0]}?" if close else f"there are {', '.join(VERBS)}"
        return f"there is no verb {verb!r}; {known}"
    return message


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    0 done or clean; 1 nothing found, or findings; 2 error; 130 interrupted; 141 where the reader
    of a pipe has left.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    _usable_streams()
    try:
        try:
            code = _run(arguments)
        except IntermemError as error:
            code = _report(error, as_json="--json" in arguments)
        with _writable_output():
            sys.stdout.flush()
    except _OutputRefused as refused:
        _discard_output()
        sys.stderr.write(f"error: standard output: {refused}\nhint: what the command did is done; see intermem log\n")
        return 2
    except KeyboardInterrupt as interrupt:
        what = interrupt.args[0] if interrupt.args else "no document is torn, the next command finishes what was begun"
        sys.stderr.write(f"\ninterrupted; {what}\n")
        return INTERRUPTED
    except BrokenPipeError:
        _discard_output()
        return BROKEN_PIPE
    return code


class _OutputRefused(Exception):
    """Standard output takes no more: a full disk, say."""


@contextlib.contextmanager
def _writable_output() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _OutputRefused(error.strerror) from None


def _discard_output() -> None:
    """Point stdout at nothing, or the interpreter complains when it exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(arguments: Sequence[str]) -> int:
    parser = build_parser()
    args, unknown = parser.parse_known_args(arguments)
    if unknown:
        verb = f" {args.verb}" if "verb" in args else ""
        raise UsageError(f"unrecognized arguments: {' '.join(unknown)}", hint=f"intermem{verb} --help")
    if "run" not in args:
        raise UsageError(f"a verb is missing; there are {', '.join(VERBS)}", hint="intermem --help")
    from intermem.commands.project import open_project
    from intermem.reporters.progress import ProgressBar

    quiet = bool(_option(args, "quiet"))
    with ProgressBar(sys.stderr, quiet=quiet) as progress:
        project = open_project(_options(args, progress))
        result = args.run(project, args)
    with _writable_output():
        return _print(result, args, quiet=quiet)


def _options(args: argparse.Namespace, progress: Callable[[str, int, int], None]) -> Options:
    from datetime import UTC, datetime
    from pathlib import Path

    from intermem.commands.project import Options
    from intermem.core.times import is_naive, parse_time
    from intermem.project.locations import expanded

    option: str | None = getattr(args, "now", None)
    given = option if option is not None else os.environ.get("INTERMEM_NOW")
    whose = "--now" if option is not None else "INTERMEM_NOW"
    now = parse_time(given, whose=whose) if given is not None else datetime.now(UTC).replace(microsecond=0)
    if given and is_naive(given) and not _option(args, "quiet"):
        sys.stderr.write(f"note: {whose} names no time zone; it is taken as UTC\n")

    def path(name: str) -> Path | None:
        value = getattr(args, name, None)
        if value is None:
            return None
        flag = "--" + name.replace("_", "-")
        if not value:
            raise UsageError(f"{flag} is empty", hint="an unset shell variable?")
        return expanded(Path(), value, flag)

    try:
        here = Path.cwd()
    except FileNotFoundError:
        raise UsageError("the working directory is gone", hint="change to one that exists") from None
    return Options(
        now=now,
        working_directory=here,
        environment=dict(os.environ),
        project_root=path("project_root"),
        memory_dir=path("memory_dir"),
        config=path("config"),
        progress=progress,
    )


def _option(args: argparse.Namespace, name: str) -> str | None:
    value = getattr(args, name, None)
    return None if value in (None, False) else str(value)


def _print(result: Result, args: argparse.Namespace, *, quiet: bool) -> int:
    if _option(args, "json"):
        from intermem.reporters import json

        sys.stdout.write(json.render(result))
    else:
        from intermem.reporters.text import console_for, render

        no_color = bool(_option(args, "no_color"))
        render(result, console_for(sys.stdout, no_color=no_color), verbose=bool(_option(args, "verbose")), quiet=quiet)
        sys.stdout.flush()
    _say(result, quiet=quiet)
    return result.exit_code


def _say(result: Result, *, quiet: bool) -> None:
    from intermem.reporters.visible import one_line

    if not quiet:
        for notice in result.notices:
            sys.stderr.write(f"note: {one_line(notice)}\n")
    for problem in result.problems:
        if problem.fatal or not quiet:
            sys.stderr.write(f"{'error' if problem.fatal else 'warning'}: {one_line(problem.message)}\n")
            if problem.hint:
                sys.stderr.write(f"hint: {one_line(problem.hint)}\n")


def _report(error: IntermemError, *, as_json: bool) -> int:
    if as_json:
        from intermem.reporters import json

        sys.stdout.write(json.render_error(error))
    else:
        from intermem.reporters.visible import one_line

        sys.stderr.write(f"error: {one_line(error.message)}\n")
        if error.hint:
            sys.stderr.write(f"hint: {one_line(error.hint)}\n")
    return error.exit_code


def _usable_streams() -> None:
    """A stream that was closed is replaced; a character that the terminal lacks must not end a run."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]


def build_parser() -> argparse.ArgumentParser:
    """Return the parser: global options work before and after the verb."""
    parser = _Parser(
        prog="intermem",
        description="Curate an AI agent's memory notes into a team's AGENTS.md.",
        epilog="Exit codes: 0 done or clean; 1 nothing found, findings, an id refused, or --check would"
        " change something; 2 error;"
        " 130 interrupted; 141 where the reader of a pipe has left.",
        parents=[_shared_options()],
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"intermem {__version__}")
    verbs = parser.add_subparsers(metavar="VERB", title="verbs", parser_class=_Parser)
    for name, (summary, add_arguments, run) in VERBS.items():
        verb = verbs.add_parser(
            name,
            help=summary,
            description=summary[0].upper() + summary[1:] + ".",
            parents=[_shared_options(with_config=name != "status")],  # status has its own, bare as well
            allow_abbrev=False,
        )
        add_arguments(verb)
        verb.set_defaults(run=run, verb=name)
    return parser


def _shared_options(*, with_config: bool = True) -> _Parser:
    shared = _Parser(add_help=False, argument_default=argparse.SUPPRESS)
    group = shared.add_argument_group("global options")
    group.add_argument("--project-root", metavar="DIR", help="the project (default: the git top level, else here)")
    group.add_argument("--memory-dir", metavar="DIR", help="the memory (default: where the agent keeps it)")
    if with_config:
        group.add_argument(
            "--config", metavar="FILE", help="the configuration (default: the nearest intermem.toml or pyproject.toml)"
        )
    group.add_argument(
        "--now", metavar="TIME", help="the moment to work at, ISO 8601 (default: INTERMEM_NOW, else the clock)"
    )
    group.add_argument("--json", action="store_true", help="one JSON object on standard output")
    group.add_argument("--quiet", action="store_true", help="errors only, and the data of reading verbs")
    group.add_argument("--verbose", action="store_true", help="full texts, every refusal, places")
    group.add_argument("--no-color", action="store_true", help="no colours (also: NO_COLOR)")
    return shared


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
    _dry_run(parser)
    _force(parser)


def _init(project: Project, args: argparse.Namespace) -> Result:
    from intermem.commands.init import init, init_remove

    if args.remove:
        if args.after is not None or args.write_config:
            raise UsageError("--remove goes with neither --after nor --write-config", hint="intermem init --help")
        return init_remove(project, target=args.target, dry_run=args.dry_run, show_diff=args.diff, force=args.force)
    return init(
        project,
        after=args.after,
        target=args.target,
        write_config=args.write_config,
        dry_run=args.dry_run,
        show_diff=args.diff,
        force=args.force,
    )


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
    on_terminal = sys.stdin.isatty() and sys.stderr.isatty() and not _option(args, "json")
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

    return configuration(project) if _option(args, "show_config") else status(project)


def _why_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="an entry's id, or a unique prefix of 4 digits or more")


def _why(project: Project, args: argparse.Namespace) -> Result:
    from intermem.commands.why import why

    return why(project, args.id)


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
    "query": ("look into metadata.db", _query_arguments, _query),
    "status": ("health at a glance", _status_arguments, _status),
    "why": ("one entry's whole story", _why_arguments, _why),
    "doctor": ("where documents, ledger, records and journal disagree", _doctor_arguments, _doctor),
    "log": ("what happened, newest first", _log_arguments, _log),
}
