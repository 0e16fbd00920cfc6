"""Results of commands, from which every reporter works, and answers to a prompt."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import ClassVar

from intermem.core.worth.points import Point
from intermem.entities import Judged, Problem, Record
from intermem.lazy_dataclass import dataclass

OK, FINDINGS, FAILED = 0, 1, 2


@dataclass(frozen=True, slots=True)
class FileDiff:
    """A file that was or would be changed: its name, and its text before and after (None: no such file)."""

    document: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The outcome of a command. Each command has a subclass, whose own fields are the keys of its JSON.

    ``notices`` are sentences for people; ``problems`` were refused by name while the rest went on. What ``has_table``
    is laid out for the width of the terminal; other results are lines of text. ``renderer`` ("module:function") is what
    prints it in place of the command's, also with --quiet.
    """

    has_table: ClassVar[bool] = True
    renderer: ClassVar[str] = ""

    verb: str
    exit_code: int = OK
    problems: tuple[Problem, ...] = ()
    notices: tuple[str, ...] = ()
    changes: tuple[FileDiff, ...] = ()
    show_diff: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WritingResult(Result):
    """The outcome of a command that can write; with ``dry_run`` it wrote nothing."""

    dry_run: bool


def exit_code_for(problems: Iterable[Problem], otherwise: int = OK) -> int:
    """Return 2 if any of ``problems`` is fatal, else ``otherwise``."""
    return FAILED if any(problem.fatal for problem in problems) else otherwise


@dataclass(frozen=True, slots=True)
class RefusedEntry:
    """An entry that a command left alone: by which gate, and why."""

    entry: Record
    gate: str
    reason: str


@dataclass(frozen=True, slots=True)
class Miss(RefusedEntry):
    """An entry that ``promote`` refused: also its worth (0..1000; None: a gate came before), and the next snapshot.

    ``counts_after`` is the moment from which the next snapshot counts, None if snapshots are not what is missing.
    """

    worth: int | None
    counts_after: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """A problem that ``doctor`` found: code, place, message, fix. ``repaired`` if --repair fixes it."""

    code: str
    where: str
    message: str
    hint: str
    repaired: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A person's answer on one candidate: take it (as ``text`` if edited), never offer it again, or not now.

    ``asked`` is false if the person quit before it was shown.
    """

    asked: bool = True
    take: bool = False
    never: bool = False
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """What ``worth`` says of an entry that it was given.

    ``promote``: it would be written if it were stable; ``kind`` is what it reads like; ``score`` is its worth
    (0..1000), the sum of ``reasons``; ``text`` is what would be written, None if nothing fits.
    """

    id: str
    promote: bool
    kind: str
    score: int
    text: str | None
    reasons: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Verified:
    """An entry given to ``verify``: its id, and its citations with their verdicts, in order."""

    id: str
    citations: tuple[Judged, ...]
