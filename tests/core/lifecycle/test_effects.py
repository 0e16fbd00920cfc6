"""Effects: what holds of a record once something has happened to it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from intermem.core.lifecycle.effects import without_heir
from intermem.entities import Status
from tests.core.lifecycle.test_retention import A, B, demoted, entry


@pytest.mark.parametrize(
    "reason",
    [
        f"superseded by {B[:8]}",
        f"superseded by {B[:8]}: it is shorter",
        f"demoted on 2026-01-05, according to the ledger: superseded by {B[:8]}",
    ],
)
def test_what_a_person_superseded_stays_out_without_its_heir(reason: str) -> None:
    after = without_heir(demoted(A, superseded_by=B, reason=reason), [B])
    assert (after.superseded_by, after.kept_out) == (None, True)


def test_what_a_scan_or_promote_superseded_comes_back_without_its_heir() -> None:
    reworded = f"its note was reworded: replaced by {B[:8]}"
    for record in (demoted(A, superseded_by=B, reason=reworded), entry(A, superseded_by=B)):
        after = without_heir(record, [B])
        assert (after.superseded_by, after.kept_out, after.status) == (None, False, record.status)
    withdrawn = replace(demoted(A, superseded_by=B), kept_out=True)
    assert without_heir(withdrawn, [B]).kept_out and withdrawn.status is Status.DEMOTED
