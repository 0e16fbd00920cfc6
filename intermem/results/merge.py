"""The result of ``merge-driver``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from intermem.lazy_dataclass import dataclass
from intermem.results import Result


@dataclass(frozen=True, slots=True)
class ClashingEntry:
    """What both sides changed: the wording of each, None where it removed the entry."""

    ours: str | None
    theirs: str | None


@dataclass(frozen=True, slots=True)
class LeftOutEntry:
    """An entry that one side removed and the other left alone."""

    id: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeDriverResult(Result):
    """A merged document. ``clean``: nothing is left to resolve; ``conflicts`` are those inside its region."""

    has_table: ClassVar[bool] = False

    verb: str = "merge-driver"
    document: str
    clean: bool
    conflicts: Sequence[ClashingEntry]
    left_out: Sequence[LeftOutEntry]
