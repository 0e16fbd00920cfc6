"""The command that prints shell completions, from the parser of the command line itself."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from intermem.cli.verb import Verb

if TYPE_CHECKING:
    from collections.abc import Iterator

    from intermem.results import Result

SHELLS = ("bash", "zsh", "fish")
_FILES, _FOLDERS, _RULES = ("FILE", "DOC"), ("DIR", "GITDIR"), "RULES"  # what an argument is called that takes them
_WORDS = {"kind": ("confirm", "incorrect", "failure", "outdated"), "severity": ("high", "medium", "low")}


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", metavar="SHELL", choices=SHELLS, help="bash, zsh or fish")


def _completions(args: argparse.Namespace) -> Result:
    import shtab

    from intermem.cli.parser import build_parser
    from intermem.core.check.rules import RULES
    from intermem.results.inspect import CompletionsResult

    rules = list(dict.fromkeys(word for rule in RULES for word in (rule.code, rule.name, *rule.topics)))
    parser = build_parser()
    for action in _actions(parser):
        if action.metavar in _FILES and action.dest != "source":  # which is a file of the memory
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif action.metavar in _FOLDERS:
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
        elif action.metavar == _RULES:
            action.choices = rules
        elif action.dest in _WORDS and action.choices is None:
            action.choices = _WORDS[action.dest]
    return CompletionsResult(shell=args.shell, script=shtab.complete(parser, args.shell))


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """The arguments of a parser and of those of its commands."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _actions(command)


VERBS = (
    Verb(
        name="completions",
        summary="print a script with which a shell completes commands and options",
        arguments=_arguments,
        alone=_completions,
        renderer="inspect:print_completions",
        reads_only=True,
    ),
)
