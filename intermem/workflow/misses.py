"""What ``promote`` refused, as its result reports it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from intermem.core.entries.secrets import without_secret
from intermem.core.lifecycle.gates import Refusal
from intermem.core.lifecycle.misses import nearest_first
from intermem.core.lifecycle.stability import counts_after
from intermem.entities import Record
from intermem.results import Miss
from intermem.workflow.workspace import Workspace


def misses(
    workspace: Workspace, refused: Iterable[tuple[Record, Refusal]], worths: Mapping[str, int]
) -> tuple[Miss, ...]:
    """Return refusals, the nearest misses first, with the worth (``worths``, by id) and the snapshot to wait for."""
    now, interval = workspace.now, workspace.config.span("scan.min_interval")
    return tuple(
        Miss(
            without_secret(record),
            refusal.gate,
            refusal.reason,
            worths.get(record.id),
            counts_after(record, now, interval) if refusal.gate == "snapshots" else None,
        )
        for record, refusal in nearest_first(refused, worths)
    )
