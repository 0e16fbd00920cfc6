"""What a command has to say, for every reporter alike, and what a person answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from intermem.entities import Judged, Problem

OK, FINDINGS, FAILED = 0, 1, 2


@dataclass(frozen=True, slots=True)
class FileDiff:
    """A document that was or would be edited: its name and text, before and after (None: no file)."""

    document: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The outcome of a verb.

    ``data`` is what ``--json`` shows, with records and times as values; ``notices`` are sentences
    for people; ``problems`` were refused by name while the rest went on.
    """

    verb: str
    data: Mapping[str, object]
    exit_code: int = OK
    problems: tuple[Problem, ...] = ()
    notices: tuple[str, ...] = ()
    changes: tuple[FileDiff, ...] = field(default_factory=tuple)
    show_diff: bool = False


def exit_code_for(problems: Iterable[Problem], otherwise: int = OK) -> int:
    """Return 2 where something was refused by name, else ``otherwise``."""
    return FAILED if any(problem.fatal for problem in problems) else otherwise


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """A disagreement: its code, where it is, what it is, the way out. ``repaired`` where --repair settles it."""

    code: str
    where: str
    message: str
    hint: str
    repaired: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A person's word on one candidate: take it (``text`` if edited), never, or leave it for now.

    ``asked`` is false where the person left before it was shown.
    """

    asked: bool = True
    take: bool = False
    never: bool = False
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Verified:
    """The citations of an entry that ``verify`` was given, with their verdicts, in order."""

    id: str
    citations: tuple[Judged, ...]
