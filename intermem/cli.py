"""The command line: parse, wire, print, exit code. Heavy modules are imported when a verb needs them."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NoReturn

from intermem import __version__
from intermem.errors import IntermemError, UsageError
from intermem.verbs import VERBS
from intermem.verbs.arguments import option

if TYPE_CHECKING:
    from intermem.commands.project import Options
    from intermem.results import Result

INTERRUPTED = 130
BROKEN_PIPE = 141


class _Parser(argparse.ArgumentParser):
    """An argument parser whose errors are ours: one line and a hint."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(_plain(message), hint=f"{self.prog} --help")


def _plain(message: str) -> str:
    """argparse's message; of a verb that does not exist, in our words."""
    if message.startswith("argument VERB: invalid choice: '"):
        verb = message.split("'")[1]
        import difflib  # heavy, and hardly ever needed

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
            code = _report(error, as_json=_is_json(arguments))
        with _writable_output():
            sys.stdout.flush()
    except _OutputRefused as refused:
        _discard_output()
        sys.stderr.write(f"error: standard output: {refused}\nhint: what the command did is done; see intermem log\n")
        return 2
    except KeyboardInterrupt as interrupt:
        what = interrupt.args[0] if interrupt.args else _left_behind(arguments)
        sys.stderr.write(f"\ninterrupted; {what}\n")
        return INTERRUPTED
    except BrokenPipeError:
        _discard_output()
        return BROKEN_PIPE
    return code


_READING = frozenset({"check", "verify", "status", "why", "log", "stats"})


def _left_behind(arguments: Sequence[str]) -> str:
    """What an interrupted command leaves."""
    verb = next((word for word in arguments if word in VERBS), "")
    if verb in _READING and not {"--fix", "--write-baseline"} & set(arguments):
        return "nothing was changed"
    return "no document is torn, the next command finishes what was begun"


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
    parser = build_parser(arguments)
    args, unknown = parser.parse_known_args(arguments)
    if unknown:
        verb = f" {args.verb}" if "verb" in args else ""
        raise UsageError(f"unrecognized arguments: {' '.join(unknown)}", hint=f"intermem{verb} --help")
    if "run" not in args:
        raise UsageError(f"a verb is missing; there are {', '.join(VERBS)}", hint="intermem --help")
    from intermem.commands.project import open_project
    from intermem.reporters.progress import ProgressBar

    quiet = bool(option(args, "quiet"))
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

    flag: str | None = getattr(args, "now", None)
    given = flag if flag is not None else os.environ.get("INTERMEM_NOW")
    whose = "--now" if flag is not None else "INTERMEM_NOW"
    now = parse_time(given, whose=whose) if given is not None else datetime.now(UTC).replace(microsecond=0)
    if given and is_naive(given) and not option(args, "quiet"):
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


def _print(result: Result, args: argparse.Namespace, *, quiet: bool) -> int:
    written = option(args, "format")
    if written not in (None, "text"):
        from intermem.reporters.formats import FORMATS

        sys.stdout.write(FORMATS[written](result))
        if written == "github":
            _append_summary(result)
    elif option(args, "json"):
        from intermem.reporters import json

        sys.stdout.write(json.render(result))
    else:
        from intermem.reporters.text import write

        verbose, no_color = bool(option(args, "verbose")), bool(option(args, "no_color"))
        write(result, sys.stdout, verbose=verbose, quiet=quiet, no_color=no_color)
        sys.stdout.flush()
    _say(result, quiet=quiet)
    return result.exit_code


def _append_summary(result: Result) -> None:
    """GitHub shows what stands in this file on the page of the run; elsewhere there is none."""
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if path:
        from intermem.reporters.github import summary

        try:
            with open(path, "ab") as file:  # noqa: PTH123 - as everywhere in this module: no pathlib at the start
                file.write(summary(result).encode("utf-8"))
        except OSError as error:
            hint = "the findings stand above; unset it, or let it name a file that can be written"
            raise UsageError(f"GITHUB_STEP_SUMMARY: {error.strerror}", hint=hint) from None


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


def _is_json(arguments: Sequence[str]) -> bool:
    return any(one in ("--json", "--format=json") for one in arguments) or ("--format", "json") in pairwise(arguments)


def _usable_streams() -> None:
    """A stream that was closed is replaced; a character that the terminal lacks must not end a run."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]


def build_parser(arguments: Collection[str] | None = None) -> argparse.ArgumentParser:
    """Return the parser: global options work before and after the verb.

    With ``arguments`` only the verbs that occur in them get their options: building all takes as long as the
    interpreter's start.
    """
    shared, without_config = _shared_options(), _shared_options(with_config=False)
    parser = _Parser(
        prog="intermem",
        description="Curate an AI agent's memory notes into a team's AGENTS.md.",
        epilog="Exit codes: 0 done or clean; 1 nothing found, findings, an id refused, or --check would"
        " change something; 2 error;"
        " 130 interrupted; 141 where the reader of a pipe has left.",
        parents=[shared],
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"intermem {__version__}")
    verbs = parser.add_subparsers(metavar="VERB", title="verbs", parser_class=_Parser)
    for name, (summary, add_arguments, run) in VERBS.items():
        if arguments is not None and name not in arguments:
            verbs.add_parser(name, help=summary, add_help=False)
            continue
        verb = verbs.add_parser(
            name,
            help=summary,
            description=summary[0].upper() + summary[1:] + ".",
            parents=[shared if name != "status" else without_config],  # status has its own --config, bare as well
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
