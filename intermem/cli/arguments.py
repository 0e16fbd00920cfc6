"""Argument types and options that several commands share."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from intermem.errors import ConfigurationError, UnreadableTime, UsageError

if TYPE_CHECKING:
    from intermem.core.lifecycle.retention import Cutoff
    from intermem.workflow.run_mode import RunMode


class Once(argparse.Action):
    """Store a value, and refuse a second one: argparse would keep the last without a word."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        if getattr(namespace, self.dest, None) is not None:
            raise argparse.ArgumentError(self, "may be given only once")
        setattr(namespace, self.dest, values)


def option(args: argparse.Namespace, name: str) -> str | None:
    """Return the value of a global option, None if it was not given."""
    value = getattr(args, name, None)
    return None if value in (None, False) else str(value)


def count(text: str) -> int:
    """Return a non-negative integer. Raises ArgumentTypeError."""
    if not (text.isascii() and text.isdigit()) or len(text) > 9:
        raise argparse.ArgumentTypeError(f"{text!r} is not an integer from 0 to 999999999")
    return int(text)


def positive(text: str) -> int:
    """Return a positive integer. Raises ArgumentTypeError."""
    number = count(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def dry_run_options(parser: argparse.ArgumentParser) -> None:
    """Add --dry-run and --diff."""
    parser.add_argument("--dry-run", action="store_true", help="show what would be done; write nothing")
    parser.add_argument("--diff", action="store_true", help="show the changes to documents as a diff; write nothing")


def force_option(parser: argparse.ArgumentParser) -> None:
    """Add --force."""
    parser.add_argument("--force", action="store_true", help="run even during a merge, rebase or bisect")


def run_mode(args: argparse.Namespace) -> RunMode:
    """Return how to run a command that writes, by those of --dry-run, --diff and --force that it has."""
    from intermem.workflow.run_mode import RunMode

    return RunMode(
        dry_run=getattr(args, "dry_run", False),
        show_diff=getattr(args, "diff", False),
        force=getattr(args, "force", False),
    )


def no_arguments(_parser: argparse.ArgumentParser) -> None:
    """Add nothing: the command takes only the global options."""


def fraction(text: str) -> int:
    """Return a number from 0 to 1 in thousandths. Raises ArgumentTypeError."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 to 1")
    return round(number * 1000)


def cutoff(text: str, flag: str) -> Cutoff:
    """Return the cutoff that ``text`` names: days (``90``), a duration (``12w``), or a date. Raises UsageError."""
    from intermem.core.lifecycle.retention import Cutoff
    from intermem.core.times import parse_age, parse_time

    try:
        age = parse_age(text, whose=flag)
        return Cutoff(age=age) if age is not None else Cutoff(before=parse_time(text.strip(), whose=flag))
    except (ConfigurationError, UnreadableTime) as error:
        raise UsageError(error.message, hint="give days (90), a duration (12w, 36h, 30min) or a date") from None
