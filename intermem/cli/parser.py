"""The argument parser, built from the table of commands."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection
from typing import TYPE_CHECKING, Any, NoReturn, cast

from intermem import __version__
from intermem.cli.verbs import LISTED, VERBS
from intermem.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence


class _Parser(argparse.ArgumentParser):
    """An argument parser that raises UsageError: one line and a hint."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(_plain(message), hint=f"{self.prog} --help")


class _Version(argparse.Action):
    """Prints the version as it is: what argparse has for it loads all that wraps a help."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> NoReturn:
        sys.stdout.write(f"intermem {__version__}\n")
        parser.exit()


def _plain(message: str) -> str:
    """The message of argparse, except for an unknown command."""
    if message.startswith("argument COMMAND: invalid choice: '"):
        verb = message.split("'")[1]
        import difflib  # heavy, and hardly ever needed

        current = [name for name, row in VERBS.items() if not row.replaced_by]
        close = difflib.get_close_matches(verb, current, 1)
        known = f"did you mean {close[0]}?" if close else f"commands: {', '.join(LISTED)}"
        return f"unknown command {verb!r}; {known}"
    return message


def build_parser(arguments: Collection[str] | None = None) -> argparse.ArgumentParser:
    """Return the parser. Global options are accepted before and after the command.

    With ``arguments``, only the commands that occur in them get a parser of their own, with their options: making all
    takes as long as starting the interpreter.
    """
    shared, without_config = _shared_options(), _shared_options(with_config=False)
    parser = _Parser(
        prog="intermem",
        description="Curate an AI agent's memory notes into a team's AGENTS.md.",
        epilog="Exit codes: 0 success or clean; 1 nothing matches, findings, an entry refused, or --check would"
        " change something; 2 error, such as an id that no entry has; 130 interrupted; 141 broken pipe.",
        parents=[shared],
        allow_abbrev=False,
    )
    parser.add_argument(
        "--version",
        action=_Version,
        nargs=0,
        default=argparse.SUPPRESS,
        help="show program's version number and exit",
    )
    unused = _Parser(add_help=False)  # for all commands that are not named

    def made(**options: Any) -> _Parser:
        return _Parser(**options) if "description" in options else unused

    verbs = parser.add_subparsers(
        metavar="COMMAND", title="commands", prog=parser.prog, parser_class=cast("type[_Parser]", made)
    )
    for name, row in VERBS.items():
        listed: dict[str, Any] = {"help": row.summary} if name in LISTED else {}
        if arguments is not None and name not in arguments:
            verbs.add_parser(name, add_help=False, **listed)
            continue
        verb = verbs.add_parser(
            name,
            description=row.summary[0].upper() + row.summary[1:] + ".",
            parents=[
                shared if name != "status" else without_config
            ],  # status has its own --config, whose FILE is optional
            allow_abbrev=False,
            **listed,
        )
        row.arguments(verb)
        verb.set_defaults(verb=name)
    return parser


def _shared_options(*, with_config: bool = True) -> _Parser:
    shared = _Parser(add_help=False, argument_default=argparse.SUPPRESS)
    group = shared.add_argument_group("global options")
    group.add_argument(
        "--project-root",
        metavar="DIR",
        help="the project (default: the top of the git repository, else the working directory)",
    )
    group.add_argument(
        "--memory-dir", metavar="DIR", help="the memory (default: the agent's own directory for the project)"
    )
    if with_config:
        group.add_argument(
            "--config",
            metavar="FILE",
            help="the configuration file (default: the nearest intermem.toml or pyproject.toml)",
        )
    group.add_argument("--state-dir", metavar="DIR", help="where metadata.db is kept (default: in the git directory)")
    group.add_argument(
        "--now", metavar="TIME", help="the time to use instead of the current one, ISO 8601 (default: INTERMEM_NOW)"
    )
    group.add_argument(
        "--no-cache",
        action="store_true",
        help="use nothing that an earlier run has read of code and history, and keep nothing",
    )
    group.add_argument("--json", action="store_true", help="print one JSON object")
    group.add_argument("-q", "--quiet", action="store_true", help="print only errors and requested data")
    group.add_argument("-v", "--verbose", action="store_true", help="print full texts, every refusal, and locations")
    group.add_argument("--no-color", action="store_true", help="do not use colors (also: NO_COLOR)")
    return shared
