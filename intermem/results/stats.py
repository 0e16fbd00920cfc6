"""The result of ``stats``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from intermem.lazy_dataclass import dataclass
from intermem.results import Result

if TYPE_CHECKING:
    from intermem.core.lifecycle.statistics import Ages, Census


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfidenceBin:
    """How many entries have a confidence of at least ``from_`` and below ``to`` (the last bin includes 1)."""

    from_: float
    to: float
    entries: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Removals:
    """How many entries left in a ``month`` (as in 2026-01), in all and by cause and event."""

    month: str
    by_cause: Mapping[str, Mapping[str, int]]
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StaleWeek:
    """How many promoted entries go stale in the week from ``from_`` on."""

    from_: datetime
    entries: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StaleForecast:
    """When promoted entries go stale unless they are seen again; so many sweeps in a row then demote them."""

    weeks: Sequence[StaleWeek]
    later: int
    never: int
    demote_streak: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentSize:
    """How large a document and its region are; tokens are an estimate. ``budget_tokens`` is 0 if there is no budget."""

    name: str
    region_lines: int
    budget_tokens: int
    region_tokens: int
    document_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StatsResult(Result):
    """Figures as of ``at``. Ages and bins are of the entries that are not demoted, ``ages`` None if there are none."""

    verb: str = "status"
    at: datetime
    entries: Census
    types: Mapping[str, Census]
    ages: Ages | None
    confidences: Sequence[ConfidenceBin]
    removed_this_month: Removals
    goes_stale: StaleForecast
    documents: Sequence[DocumentSize]
    last_sweep: datetime | None
    last_snapshot: datetime | None
