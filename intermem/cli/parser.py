"""The argument parser, built from the table of verbs."""

from __future__ import annotations

import argparse
from collections.abc import Collection
from typing import NoReturn

from intermem import __version__
from intermem.cli.verbs import VERBS
from intermem.errors import UsageError


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
    for name, row in VERBS.items():
        if arguments is not None and name not in arguments:
            verbs.add_parser(name, help=row.summary, add_help=False)
            continue
        verb = verbs.add_parser(
            name,
            help=row.summary,
            description=row.summary[0].upper() + row.summary[1:] + ".",
            parents=[shared if name != "status" else without_config],  # status has its own --config, bare as well
            allow_abbrev=False,
        )
        row.arguments(verb)
        verb.set_defaults(verb=name)
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
