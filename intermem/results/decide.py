"""Results of the commands that decide on single entries, and of undo."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from intermem.lazy_dataclass import dataclass
from intermem.results import RefusedEntry, Result, WritingResult

if TYPE_CHECKING:
    from intermem.entities import Record
    from intermem.storage.operations import ClosedOperation


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionResult(WritingResult):
    """The entries on which a command was carried out, as they are afterwards, and those refused.

    JSON calls the entries by what was ``done``: restored, pinned and so on. ``documents`` names the document of each
    entry that moves, by id; None for commands that move none.
    """

    done: str
    entries: Sequence[Record]
    refused: Sequence[RefusedEntry]
    documents: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedbackResult(WritingResult):
    """The entry afterwards, and what the feedback was worth, from -1 to 1."""

    verb: str = "feedback"
    entry: Record
    kind: str
    amount: float
    refused: Sequence[RefusedEntry]
    documents: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class PruneResult(WritingResult):
    """The entries that were demoted or deleted, each with why as its reason, and those spared or refused.

    ``evaluated`` and ``pruned`` count them, and ``by_type`` those that were pruned by their type. ``documents`` names
    the one that each left, by id.
    """

    verb: str = "prune"
    evaluated: int
    pruned: int
    by_type: Mapping[str, int]
    demoted: Sequence[Record]
    deleted: Sequence[Record]
    documents: Mapping[str, str]
    citations_cascaded: int
    spared: Sequence[RefusedEntry]
    refused: Sequence[RefusedEntry]


@dataclass(frozen=True, slots=True, kw_only=True)
class PurgeResult(WritingResult):
    """The entries to destroy, or destroyed: then without their text.

    ``documents`` and ``memory`` are the places outside metadata.db that hold them, ``edited`` the documents that lose a
    line, ``removed`` the copies of the database that were deleted, ``remains`` what still holds a line.
    ``unsearched`` counts those that are too short to search for, ``traces`` the entries besides whose record was
    deleted before, and of which the history tells.
    """

    verb: str = "purge"
    entries: Sequence[Record]
    count: int
    pinned: int
    documents: Sequence[str]
    memory: Sequence[str]
    unsearched: int
    edited: Sequence[str] = ()
    removed: Sequence[str] = ()
    remains: Sequence[str] = ()
    traces: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoResult(WritingResult):
    """The operations undone, newest first."""

    verb: str = "undo"
    undone: Sequence[ClosedOperation]


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationsResult(Result):
    """The recorded operations, newest first (``undo --list``)."""

    verb: str = "undo"
    operations: Sequence[ClosedOperation]
