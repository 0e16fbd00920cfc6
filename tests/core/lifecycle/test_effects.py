"""Effects: what holds of a record once something has happened to it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from intermem.core.lifecycle.effects import Effect, after_effect, with_confidence, without_heir
from intermem.entities import Status
from tests.core.lifecycle.test_retention import A, B, demoted, entry

AT = datetime(2026, 2, 1, tzinfo=UTC)


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


def effect(kind: str, **changes: object) -> Effect:
    return Effect(kind=kind, entry_id=A, document="AGENTS.md", reason="because", **changes)  # type: ignore[arg-type]


def test_what_is_promoted_in_other_words_stands_under_them() -> None:
    told = effect("promote", new_id=B, new_text="Other words.", original_confidence=800)
    after = after_effect(demoted(A), told, AT)
    assert (told.stands, told.standing_id, told.logged) == (True, B, "because")
    assert (after.id, after.text, after.document, after.demoted_at) == (B, "Other words.", "AGENTS.md", None)
    assert (after.promoted_at, after.original_confidence, after.status) == (AT, 800, Status.ACTIVE)


def test_what_is_restored_is_spared_and_may_be_stale() -> None:
    after = after_effect(demoted(A), effect("restore", grace_until="2026-02-15T00:00:00Z", stale=True), AT)
    assert (after.status, after.document, after.stale_streak) == (Status.STALE, "AGENTS.md", 0)
    assert after.grace_until == datetime(2026, 2, 15, tzinfo=UTC)


@pytest.mark.parametrize(
    ("cause", "kept_out"), [("hand", True), ("prune", True), ("sweep", False), ("superseded", False)]
)
def test_what_leaves_by_a_person_is_kept_out(cause: str, kept_out: bool) -> None:
    told = effect("demote", cause=cause, confidence=300)
    after = after_effect(entry(A, document="AGENTS.md"), told, AT)
    assert (after.status, after.document, after.demoted_at, after.kept_out) == (Status.DEMOTED, None, AT, kept_out)
    assert told.logged == "because; confidence 0.3"
    assert with_confidence("confidence 0.2 is low", 200) == "confidence 0.2 is low"


def test_what_is_rejected_is_pinned_no_more() -> None:
    after = after_effect(entry(A, document="AGENTS.md", pinned=True, pinned_until=AT), effect("reject"), AT)
    assert (after.rejected_at, after.pinned, after.pinned_until, after.document) == (AT, False, None, None)


def test_what_gave_way_has_an_heir() -> None:
    assert after_effect(entry(A, document="AGENTS.md"), effect("supersede", heir=B), AT).superseded_by == B
