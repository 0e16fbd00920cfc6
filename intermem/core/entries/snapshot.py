"""A snapshot of the memory, matched with what is known: the order in which notes are recognised."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime, timedelta

from intermem.core.entries.observation import Known, Observed, observe, revised, still_said
from intermem.core.entries.wordings import said_again, written_already
from intermem.entities import Entry
from intermem.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a snapshot holds: the ``observed`` entries, and the vanished ones that they supersede (old id to new).

    ``reworded`` are the new notes that only reword the note of an entry whose wording stays, with its id.
    """

    observed: Sequence[Observed] = ()
    superseded: Mapping[str, str] = field(default_factory=dict)
    reworded: Mapping[str, str] = field(default_factory=dict)

    @property
    def held(self) -> frozenset[str]:
        """The ids of the known entries whose notes it holds, in whatever wording."""
        return frozenset(one.takes_over or one.record.id for one in self.observed) | self.superseded.keys()


def snapshot_of(
    entries: Mapping[str, Sequence[Entry]],
    known: Known,
    kept: Container[str],
    *,
    now: datetime,
    min_interval: timedelta,
    floor: float,
    rank: Callable[[Entry], int],
    written: Callable[[Entry], str | None],
) -> Snapshot:
    """Return the snapshot in which the memory holds ``entries`` (by identity).

    Those ``kept`` are in files that could not be read; a note of the same place is a revision of one that vanished if
    it is at least ``floor`` similar to it. ``rank`` says which wording of new notes that say the same is the best, and
    ``written`` what would be put into a document of one.
    """
    reworded = {
        **written_already(entries, known, written),
        **said_again(entries, known, rank),
        **still_said(entries, known, floor),
    }
    known = replace(known, aliases={**known.aliases, **reworded})
    observed, superseded = revised(observe(entries, known, now, min_interval), known, kept, min_interval, now, floor)
    return Snapshot(observed, superseded, reworded)
