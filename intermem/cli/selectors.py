"""The options that select entries, the same for every command that takes them."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from intermem.cli.arguments import Once, cutoff
from intermem.errors import UsageError

if TYPE_CHECKING:
    from intermem.core.lifecycle.selection import Selectors


STATES = ("promoted", "active", "stale", "missing", "demoted", "rejected")  # those of ``Record.state``
_ALL = "intermem query --all lists everything"


def add_selectors(parser: argparse.ArgumentParser) -> None:
    """Add --type, --section, --source, --session, --older-than, --search and --status."""
    group = parser.add_argument_group(
        "selectors", "An entry is selected if it matches all that are given. Each is given once, but --search."
    )
    group.add_argument(
        "--type", action=Once, metavar="TYPE", help="of this type (in capitals or not, as --section and --source)"
    )
    group.add_argument("--section", action=Once, metavar="SECTION", help="of this section")
    group.add_argument("--source", action=Once, metavar="FILE", help="from this file of the memory")
    group.add_argument(
        "--session", action=Once, metavar="UUID", help="that came from this agent session (or a unique prefix)"
    )
    group.add_argument(
        "--older-than",
        action=Once,
        metavar="TIME",
        help="last seen, by anybody, before TIME (a date), or at least that long ago:"
        " 90 or 90d, 12w, 36h, 30min, 10s; 0: any",
    )
    group.add_argument(
        "--search",
        nargs="+",
        action="extend",
        metavar="WORD",
        help="whose text or a heading above it has every word",
    )
    group.add_argument(
        "--status", action=Once, choices=STATES, help="of this status; promoted: in a document, stale or not"
    )


def selectors_of(args: argparse.Namespace, *, has_age: bool = True) -> Selectors:
    """Return the selectors that were given; the age only if ``has_age``.

    Raises UsageError for a time that is none, a search without a word, or another value that no entry can have; an
    empty section is that of entries under no heading.
    """
    from intermem.core.lifecycle.selection import Selectors

    age = args.older_than if has_age else None
    words = tuple(part for word in args.search or () for part in word.split())
    if args.search is not None and not words:
        raise UsageError("--search requires a word", hint=_ALL)
    for name in ("type", "source", "session"):
        if (given := getattr(args, name)) is not None and not given.strip():
            raise UsageError(f"--{name} requires a value", hint=_ALL)
    if not all("\0" not in word and word.encode("utf-8", "replace").decode("utf-8") == word for word in words):
        raise UsageError("--search takes UTF-8 without NUL", hint="check the terminal's encoding")
    return Selectors(
        type=args.type,
        section=args.section,
        source=args.source,
        session=args.session,
        older_than=cutoff(age, "--older-than") if age is not None else None,
        words=words,
        status=args.status,
    )


def require_choice(ids: list[str], wanted: Selectors, verb: str) -> None:
    """Raise UsageError unless entries are chosen either by id or by selectors."""
    if not ids and not wanted:
        raise UsageError(f"{verb} needs an ID or a selector", hint=f"intermem {verb} --help")
    if ids and wanted:
        raise UsageError(f"ids cannot be combined with {wanted.named[0]}", hint="give one or the other")
