"""Operations are read as they were written or not at all; closing one applies what holds and says what does not."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from intermem.core.lifecycle.effects import Effect, after_effect
from intermem.entities import Record, Status
from intermem.errors import StateError
from intermem.storage import undo_log
from intermem.storage.connection import open_for_writing
from intermem.storage.journal import close_damaged, close_operation, closed_operations, pending_operations, recorded
from intermem.storage.metadata import Metadata
from intermem.storage.operations import FileWrite, JournaledOperation, checksum, effects_as_json
from intermem.storage.record_writes import add_aliases, save_records, set_last_sweep

NOW = datetime(2026, 3, 1, tzinfo=UTC)
LATER = NOW + timedelta(days=1)
A, B, C = "a" * 16, "b" * 16, "c" * 16
ODD = Path(os.fsdecode(b"/root/%20 \xff"))

# No field has its default, and no two have the same value.
EFFECT = Effect(
    kind="supersede",
    entry_id=A,
    document="A.md",
    reason="über",
    original_confidence=1,
    new_id=B,
    new_text="text",
    heir=C,
    grace_until="2026-01-01T00:00:00Z",
)
INTENT = FileWrite(
    root=ODD,
    checkout="worktrees/x",
    path=ODD / "A.md",
    document="A.md",
    digest_before="12",
    digest_after="34",
    temp_name=".A.md.intermem-1",
    before=b"before",
    after=b"after",
)
RECORD = Record(id=A, text="text", preview="text", section="", source_file="", first_seen=NOW, last_seen=NOW)
PROMOTED = replace(
    RECORD,
    document="A.md",
    promoted_at=NOW,
    demoted_at=NOW,
    rejected_at=NOW,
    pinned=True,
    missing_from="B.md",
    superseded_by=C,
    stale_streak=2,
    grace_until=NOW,
    read_by=7,
)


@pytest.fixture
def metadata(tmp_path: Path) -> Iterator[Metadata]:
    with open_for_writing(tmp_path / "metadata.db") as opened:
        save_records(opened, [(None, replace(RECORD, id=key)) for key in (A, B, C)])
        yield opened


def begun(
    metadata: Metadata, *effects: Effect, intents: tuple[FileWrite, ...] = (), undoes: tuple[int, ...] = ()
) -> int:
    with recorded(metadata, "sweep", NOW, 50) as recording:
        recording.intends(effects, intents, undoes)
    return recording.id


def closed(metadata: Metadata, *effects: Effect, undoes: tuple[int, ...] = (), holds: list[bool] | None = None) -> None:
    begun(metadata, *effects, undoes=undoes)
    (operation,) = pending_operations(metadata)
    with metadata.transaction():
        close_operation(metadata, operation, holds, "why")


def said(metadata: Metadata) -> list[tuple[str | None, str, str]]:
    return [(row.entry_id, row.event, row.detail) for row in reversed(metadata.history())]


def effect(kind: str, entry: str = A) -> Effect:
    return Effect(kind=kind, entry_id=entry, document="A.md", reason="because")


# Written and read


def test_an_operation_is_read_as_it_was_written(metadata: Metadata) -> None:
    number = begun(metadata, EFFECT, effect("demote", B), intents=(INTENT, replace(INTENT, before=None)), undoes=(7, 3))
    assert pending_operations(metadata) == [
        JournaledOperation(
            id=number,
            verb="sweep",
            at=NOW,
            effects=(EFFECT, effect("demote", B)),
            intents=(INTENT, replace(INTENT, before=None)),
            undoes=(7, 3),
        )
    ]


@pytest.mark.parametrize("what", [{"effects": (EFFECT,)}, {"intents": (INTENT,)}, {"undoes": (1,)}])
def test_an_operation_with_anything_left_to_do_is_pending(metadata: Metadata, what: dict[str, tuple[object]]) -> None:
    with recorded(metadata, "sweep", NOW, 50) as recording:
        recording.intends(**what)  # type: ignore[arg-type]
    assert pending_operations(metadata) == [recording.pending]


def test_operations_are_recovered_in_the_order_they_were_begun(metadata: Metadata) -> None:
    numbers = [begun(metadata, EFFECT), begun(metadata, EFFECT)]
    assert [one.id for one in pending_operations(metadata)] == sorted(numbers)


DAMAGE = [
    "UPDATE operations SET effects = replace(effects, 'A.md', 'B.md')",
    "UPDATE operations SET effects = '[{}]'",
    "UPDATE operations SET effects = '{'",
    "UPDATE operations SET undoes = '[1, 2]'",
    "UPDATE operations SET undoes = '[]'",
    "UPDATE intents SET root = '/'",
    "UPDATE intents SET path = '/'",
    "UPDATE intents SET document = 'B.md'",
    "UPDATE intents SET digest_before = NULL",
    "UPDATE intents SET digest_after = NULL",
    "UPDATE intents SET temp_name = 'other'",
    "UPDATE intents SET content_before = NULL",
    "UPDATE intents SET content_after = x'00'",
    "DELETE FROM intents",
]


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_operation_is_refused_and_closed_without_effect(metadata: Metadata, damage: str) -> None:
    number = begun(metadata, EFFECT, intents=(INTENT,), undoes=(1,))
    metadata.execute(damage)
    with pytest.raises(StateError, match=f"operation {number} in metadata.db is damaged; no document was touched"):
        pending_operations(metadata)
    assert close_damaged(metadata, LATER) == [number]
    assert pending_operations(metadata) == []
    (row,) = metadata.history()
    assert (row.at, row.event, row.entry_id, row.operation) == (LATER, "settled", None, number)
    assert row.detail == "its journal entry was damaged"
    (past,) = closed_operations(metadata) if "effects" not in damage else [None]
    assert past is None or (past.state, past.kept) == ("settled", False)


def test_without_the_key_of_this_state_no_operation_is_taken_for_ours(metadata: Metadata) -> None:
    begun(metadata, EFFECT)
    for key in (b"", b"another"):
        metadata.key = key
        with pytest.raises(StateError, match=r"operation 1 in metadata\.db is damaged"):
            pending_operations(metadata)


def test_a_checksum_that_was_made_without_a_key_is_none(metadata: Metadata) -> None:
    number = begun(metadata, EFFECT)
    (operation,) = pending_operations(metadata)
    metadata.key = b""
    planted = checksum(b"", operation, effects_as_json(operation.effects))
    metadata.execute("UPDATE operations SET checksum = ? WHERE id = ?", (planted, number))
    with pytest.raises(StateError, match="is damaged"):
        pending_operations(metadata)


def test_closing_what_is_damaged_leaves_the_others_pending(metadata: Metadata) -> None:
    first, second = begun(metadata, EFFECT), begun(metadata, effect("demote"))
    metadata.execute("UPDATE operations SET checksum = '' WHERE id = ?", (first,))
    assert close_damaged(metadata, LATER) == [first]
    assert [one.id for one in pending_operations(metadata)] == [second]


# Recorded


def test_a_run_that_changes_nothing_leaves_no_operation_and_one_that_does_is_done(metadata: Metadata) -> None:
    begun(metadata)
    assert metadata.fetch("SELECT * FROM operations") == []
    with recorded(metadata, "scan", NOW, 50) as recording:
        save_records(metadata, [(RECORD, replace(RECORD, reason="x"))])
    assert recording.pending is None
    (past,) = closed_operations(metadata)
    assert (past.operation.verb, past.operation.at, past.state, past.records) == ("scan", NOW, "done", 1)
    assert (past.undone_by, past.kept) == (None, True)


def test_the_operation_under_way_and_pending_ones_are_not_closed(metadata: Metadata) -> None:
    begun(metadata, EFFECT)
    with recorded(metadata, "scan", NOW, 50):
        save_records(metadata, [(RECORD, replace(RECORD, reason="x"))])
        assert closed_operations(metadata) == []


@pytest.mark.parametrize(
    "change",
    [
        "INSERT INTO meta VALUES ('other', '1')",
        "UPDATE memory_entries SET access_count = 3, last_accessed = '2026-01-01T00:00:00Z'",
        "INSERT INTO history (at, event, detail) VALUES ('2026-01-01T00:00:00Z', 'seen', '')",
        "UPDATE memory_entries SET reason = reason",
    ],
)
def test_access_and_history_leave_no_before_image(metadata: Metadata, change: str) -> None:
    with recorded(metadata, "scan", NOW, 50):
        metadata.execute(change)
    assert metadata.fetch("SELECT relation FROM images WHERE before IS NOT '{}'") == []


def test_an_update_that_changes_nothing_does_not_prevent_undo(metadata: Metadata) -> None:
    with recorded(metadata, "scan", NOW, 50) as recording:
        metadata.execute("UPDATE memory_entries SET reason = reason")
        save_records(metadata, [(RECORD, replace(RECORD, reason="x"))])
    with metadata.transaction():
        undo_log.revert(metadata, [recording.id])
    assert metadata.record(A) == RECORD


def test_an_image_of_no_table_that_has_images_is_refused(metadata: Metadata) -> None:
    closed(metadata, effect("demote"))
    metadata.execute("UPDATE images SET relation = 'sqlite_schema'")
    with pytest.raises(StateError, match="undo data"), metadata.transaction():
        undo_log.revert(metadata, [1])


def test_the_time_of_the_last_sweep_is_undone(metadata: Metadata) -> None:
    for time in (NOW, LATER):
        with recorded(metadata, "sweep", NOW, 50) as recording:
            set_last_sweep(metadata, time)
    with metadata.transaction():
        undo_log.revert(metadata, [recording.id])
    assert metadata.last_sweep() == NOW


def test_what_changes_outside_an_operation_belongs_to_none(metadata: Metadata) -> None:
    closed(metadata, effect("demote"))
    before = metadata.fetch("SELECT count(*) FROM images")[0][0]
    with metadata.transaction():
        save_records(metadata, [(RECORD, replace(RECORD, reason="x"))])
    assert metadata.fetch("SELECT count(*) FROM images")[0][0] == before


@pytest.mark.parametrize(("keep", "kept"), [(1, 1), (2, 2), (3, 3), (9, 3), (0, 0)])
def test_only_the_newest_operations_are_kept(metadata: Metadata, keep: int, kept: int) -> None:
    for number in range(3):
        closed(metadata, effect("demote", (A, B, C)[number]))
    with metadata.transaction():
        undo_log.prune_undo_log(metadata, keep)
    assert [past.kept for past in closed_operations(metadata)] == [True] * kept + [False] * (3 - kept)
    assert metadata.fetch("SELECT count(DISTINCT operation_id) FROM images")[0][0] == kept


@pytest.mark.parametrize(("most", "kept"), [(0, 0), (1, 1), (2, 2), (3, 3)])
def test_older_operations_are_dropped_beyond_the_row_limit(
    metadata: Metadata, monkeypatch: pytest.MonkeyPatch, most: int, kept: int
) -> None:
    for number in range(3):
        closed(metadata, effect("demote", (A, B, C)[number]))
    assert metadata.fetch("SELECT count(*) FROM images")[0][0] == 3
    monkeypatch.setattr(undo_log, "MAX_IMAGES", most)
    with metadata.transaction():
        undo_log.prune_undo_log(metadata, 50)
    assert [past.kept for past in closed_operations(metadata)] == [True] * kept + [False] * (3 - kept)


def test_an_operation_without_images_does_not_count_towards_the_limit(
    metadata: Metadata, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(undo_log, "MAX_IMAGES", 0)
    for _ in range(3):
        begun(metadata, EFFECT)
    assert metadata.fetch("SELECT count(*) FROM operations WHERE kept")[0][0] == 3


# Closed


@pytest.mark.parametrize(
    ("kind", "event", "way"),
    [
        ("promote", "promoted", "into"),
        ("restore", "restored", "into"),
        ("demote", "demoted", "out of"),
        ("reject", "rejected", "out of"),
        ("supersede", "superseded", "out of"),
    ],
)
def test_history_says_what_holds_and_what_did_not_happen(metadata: Metadata, kind: str, event: str, way: str) -> None:
    closed(metadata, effect(kind), effect(kind, B), holds=[True, False])
    assert said(metadata) == [
        (A, event, f"{way} A.md: because"),
        (B, "settled", f"{kind} {way} A.md did not happen: why"),
    ]
    assert metadata.record(B) == replace(RECORD, id=B)
    assert closed_operations(metadata)[0].state == "settled"


def test_an_entry_edited_during_promotion_is_stored_under_what_stands_seen_under_its_note(
    metadata: Metadata,
) -> None:
    new = "d" * 16
    closed(metadata, replace(effect("promote"), new_id=new, new_text="new"))
    assert metadata.record(new).text == "new"
    assert metadata.aliases() == {A: new}
    assert (metadata.record(new).entry_id, metadata.record(new).note_text) == (A, RECORD.text)
    assert said(metadata)[0][0] == A  # the id that people see stays the note's


def test_the_heir_of_an_entry_has_its_identity_until_it_stands_again(metadata: Metadata) -> None:
    closed(metadata, replace(effect("supersede"), heir=B))
    assert metadata.aliases() == {A: B}
    closed(metadata, effect("demote"))
    assert metadata.aliases() == {A: B}
    closed(metadata, effect("restore"))
    assert metadata.aliases() == {}


def test_an_undo_reverts_the_newest_first_and_history_says_what(metadata: Metadata) -> None:
    add_aliases(metadata, {"e" * 16: A})
    before = metadata.fetch("SELECT * FROM memory_entries")
    closed(metadata, effect("promote"))
    closed(metadata, effect("demote"))
    closed(metadata, effect("demote"), undoes=(1, 2))
    assert [tuple(row) for row in metadata.fetch("SELECT * FROM memory_entries")] == [tuple(row) for row in before]
    assert [(past.operation.id, past.undone_by) for past in closed_operations(metadata)] == [(3, None), (2, 3), (1, 3)]
    assert said(metadata)[2:] == [
        (None, "undone", "operation 2, sweep of 2026-03-01T00:00:00Z"),
        (A, "undone", "operation 2, sweep of 2026-03-01T00:00:00Z: demote, A.md"),
        (None, "undone", "operation 1, sweep of 2026-03-01T00:00:00Z"),
        (A, "undone", "operation 1, sweep of 2026-03-01T00:00:00Z: promote, A.md"),
    ]


@pytest.mark.parametrize(("undoes", "which"), [((1,), "operation 1"), ((2, 1), "operations 1, 2")])
def test_an_undo_that_is_settled_reverts_nothing_and_says_so(
    metadata: Metadata, undoes: tuple[int, ...], which: str
) -> None:
    closed(metadata, effect("promote"))
    closed(metadata, effect("promote", B))
    closed(metadata, effect("demote"), undoes=undoes, holds=[False])
    assert metadata.record(A).document == "A.md"
    assert [past.undone_by for past in closed_operations(metadata)] == [None] * 3
    assert said(metadata)[2:] == [
        (A, "settled", "demote out of A.md did not happen: why"),
        (None, "settled", f"{which} was not undone: why"),
    ]


# Effects


@pytest.mark.parametrize("kind", ["promote", "restore"])
def test_a_promoted_entry_is_active_and_its_counters_are_reset(kind: str) -> None:
    given = replace(effect(kind), original_confidence=5, grace_until="2026-03-09T00:00:00Z")
    old = replace(PROMOTED, status=Status.DEMOTED)
    assert after_effect(old, given, LATER) == replace(
        old,
        status=Status.ACTIVE,
        promoted_at=LATER,
        demoted_at=None,
        rejected_at=None,
        missing_from=None,
        superseded_by=None,
        stale_streak=0,
        grace_until=datetime(2026, 3, 9, tzinfo=UTC),
        original_confidence=5,
        reason="because",
    )


def test_an_entry_with_a_new_text_is_read_by_no_version_yet() -> None:
    found = after_effect(PROMOTED, replace(effect("promote"), new_id=B, new_text="new"), LATER)
    assert (found.id, found.text, found.preview, found.read_by) == (B, "new", "new", 0)


def test_an_entry_of_which_only_the_preview_is_known_keeps_it() -> None:
    found = after_effect(replace(PROMOTED, text=None, preview="beginning"), effect("promote"), LATER)
    assert (found.text, found.preview) == (None, "beginning")


def test_a_rejected_entry_is_not_pinned_any_more() -> None:
    assert after_effect(PROMOTED, effect("reject"), LATER) == replace(
        PROMOTED, document=None, missing_from=None, reason="because", rejected_at=LATER, pinned=False
    )


@pytest.mark.parametrize(("heir", "successor"), [(None, C), (B, B)])
def test_a_demoted_entry_keeps_its_successor_unless_another_takes_its_place(heir: str | None, successor: str) -> None:
    assert after_effect(PROMOTED, replace(effect("demote"), heir=heir), LATER) == replace(
        PROMOTED,
        document=None,
        missing_from=None,
        reason="because",
        status=Status.DEMOTED,
        demoted_at=LATER,
        superseded_by=successor,
    )
