from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from intermem.core.entries.prefixes import checked_prefix, only_one
from intermem.entities import Citation, HistoryRow, Judged, Record, Source, Stance, Status, Verdict, VerdictStatus
from intermem.errors import NoSuchEntry, StateError, UnreadableTime
from intermem.storage.connection import open_for_touching, open_for_writing
from intermem.storage.metadata import Metadata, translated
from intermem.storage.record_writes import (
    absorb_record,
    add_aliases,
    add_history,
    drop_alias,
    rename_record,
    save_citations,
    save_records,
    save_snapshot,
    set_last_sweep,
    touch,
)

NOW = datetime(2026, 3, 1, tzinfo=UTC)
DAY = timedelta(days=1)
A, B, C = "a" * 16, "b" * 16, "c" * 16

# No field has its default, and no two have the same value.
FULL = Record(
    id=A,
    text="text",
    preview="preview",
    section="Section",
    trail=("Überschrift", "Section"),
    type="feedback",
    source_file="M.md",
    status=Status.DEMOTED,
    confidence=1,
    base_confidence=2,
    original_confidence=3,
    confidence_updated_at=NOW + 1 * DAY,
    stale_streak=4,
    snapshot_count=5,
    counted_at=NOW + 2 * DAY,
    first_seen=NOW + 3 * DAY,
    last_seen=NOW + 4 * DAY,
    promoted_at=NOW + 5 * DAY,
    demoted_at=NOW + 6 * DAY,
    rejected_at=NOW + 7 * DAY,
    reason="reason",
    document="A.md",
    pinned=True,
    missing_from="B.md",
    grace_until=NOW + 8 * DAY,
    superseded_by=B,
    feedback=-6,
    pinned_until=NOW + 9 * DAY,
    review_at=NOW + 10 * DAY,
    in_memory=False,
    read_by=7,
)
BARE = Record(id=A, text=None, preview="", section="", source_file="", first_seen=NOW, last_seen=NOW)
STORED = [field.name for field in fields(Record) if field.name not in ("id", "in_memory", "citations")]

PLAIN = Judged(
    citation=Citation(kind="path", text="a.py", name="a.py"), verdict=Verdict(status=VerdictStatus.UNVERIFIABLE)
)
RICH = Judged(
    citation=Citation(
        kind="symbol",
        text="`a.b:1-2`",
        name="a.b",
        first_line=1,
        last_line=2,
        stance=Stance.GONE,
        weak=True,
        link=True,
        anchor="0123",
    ),
    verdict=Verdict(
        status=VerdictStatus.MOVED,
        target="c.py",
        reason="über",
        commit="4567",
        date="2026-01-01",
        candidates=("c.py", "d.py"),
        claim="gone",
    ),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "metadata.db"


@pytest.fixture
def metadata(path: Path) -> Iterator[Metadata]:
    with open_for_writing(path) as opened:
        yield opened


@pytest.fixture
def three(metadata: Metadata) -> Metadata:
    """Entries a…, b… and c…, of which nothing else is known."""
    save_records(metadata, [(None, replace(BARE, id=key)) for key in (C, A, B)])
    return metadata


# Records


@pytest.mark.parametrize("record", [FULL, BARE])
def test_a_record_is_read_as_it_was_written(metadata: Metadata, record: Record) -> None:
    save_records(metadata, [(None, record)])
    assert metadata.record(record.id) == record
    assert metadata.records() == {record.id: record}


@pytest.mark.parametrize("name", STORED)
def test_a_change_of_any_field_is_stored(metadata: Metadata, name: str) -> None:
    changed = replace(BARE, **{name: getattr(FULL, name)})
    save_records(metadata, [(None, BARE)])
    save_records(metadata, [(BARE, changed)])
    assert metadata.record(A) == changed


def test_only_the_record_that_changes_is_written(three: Metadata) -> None:
    before = metadata_changes(three)
    save_records(three, [(replace(BARE, id=key), replace(BARE, id=key)) for key in (A, B)])
    assert metadata_changes(three) == before
    save_records(three, [(BARE, replace(BARE, reason="x"))])
    assert [record.reason for record in three.records().values()] == ["x", "", ""]


def metadata_changes(metadata: Metadata) -> int:
    """How many rows were ever changed over this connection."""
    return metadata._connection.total_changes


def test_records_come_in_the_order_of_their_ids(three: Metadata) -> None:
    assert list(three.records()) == [A, B, C]


def test_a_record_is_in_memory_where_the_last_snapshot_held_it(three: Metadata) -> None:
    save_snapshot(three, NOW, ["M.md"], {B: [Source(file="M.md", first_line=1, last_line=1)]}, {})
    assert [record.in_memory for record in three.records().values()] == [False, True, False]
    assert three.record(B).in_memory


def test_an_unreadable_time_is_an_error_with_the_entry_and_the_column(three: Metadata) -> None:
    for column in ("first_seen", "last_seen", "grace_until"):
        three.execute(f"UPDATE memory_entries SET {column} = 'then' WHERE entry_hash = ?", (B,))
        with pytest.raises(UnreadableTime, match=f"entry {B}, {column}: 'then' is not a time"):
            three.records()
        three.execute(f"UPDATE memory_entries SET {column} = '2026-01-01' WHERE entry_hash = ?", (B,))


def test_a_damaged_trail_is_an_error_with_the_entrys_id(three: Metadata) -> None:
    three.execute("UPDATE memory_entries SET trail = '[' WHERE entry_hash = ?", (B,))
    with pytest.raises(StateError, match=f"entry {B} in metadata.db is damaged"):
        three.records()


def test_words_of_any_language_are_stored_as_they_are(metadata: Metadata) -> None:
    save_records(metadata, [(None, FULL)])
    save_citations(metadata, [(A, (), [RICH])], NOW)
    assert "Ü" in metadata.fetch("SELECT trail FROM memory_entries")[0][0]
    assert "ü" in metadata.fetch("SELECT evidence FROM citations")[0][0]


# Finding one by its id


@pytest.mark.parametrize("prefix", ["aaaa", A, " AAAA\n"])
def test_a_record_is_found_by_four_digits_of_its_id(three: Metadata, prefix: str) -> None:
    assert three.record(prefix).id == A


@pytest.mark.parametrize("prefix", ["aaa", "", "aaag", "%%%%", "a%aa"])
def test_what_is_not_the_start_of_an_id_is_refused(three: Metadata, prefix: str) -> None:
    with pytest.raises(NoSuchEntry, match="is not an id: ids are at least 4 hex digits"):
        three.record(prefix)


def test_a_prefix_is_read_as_ids_are_written() -> None:
    assert checked_prefix(" 09AF\n") == "09af"


def test_no_match_and_several_matches_are_different_errors(three: Metadata) -> None:
    save_records(three, [(None, replace(BARE, id=f"aaaa{number}" + "0" * 11)) for number in range(6)])
    with pytest.raises(NoSuchEntry) as raised:
        three.record("dddd")
    assert (raised.value.message, raised.value.hint) == (
        "no entry starts with dddd",
        "intermem query --all lists ids",
    )
    with pytest.raises(NoSuchEntry) as raised:
        three.record("aaaa")
    some = "aaaa0000, aaaa1000, aaaa2000, aaaa3000, aaaa4000"
    assert (raised.value.message, raised.value.hint) == (f"7 entries start with aaaa ({some})", "give more digits")


def test_the_only_match_is_returned() -> None:
    assert only_one("aaaa", [A]) == A


def test_a_record_is_found_by_a_former_id_if_no_current_one_matches(three: Metadata) -> None:
    add_aliases(three, {"d" * 16: A, "dddd" + "e" * 12: A, "bbbb" + "e" * 12: C})
    assert three.record("dddd").id == A
    assert three.record("bbbb").id == B


def test_the_record_that_is_found_has_its_own_citations(three: Metadata) -> None:
    save_citations(three, [(A, (), [PLAIN])], NOW)
    save_citations(three, [(B, (), [RICH])], NOW)
    assert three.record(B).citations == (RICH,)
    assert three.record(C).citations == ()


# Citations


@pytest.mark.parametrize("judged", [PLAIN, RICH])
def test_a_citation_is_read_as_it_was_written(three: Metadata, judged: Judged) -> None:
    save_citations(three, [(A, (), [judged])], NOW)
    assert three.records()[A].citations == (judged,)


@pytest.mark.parametrize("name", ["weak", "link"])
def test_each_flag_of_a_citation_stands_for_itself(three: Metadata, name: str) -> None:
    judged = replace(PLAIN, citation=replace(PLAIN.citation, **{name: True}))
    save_citations(three, [(A, (), [judged])], NOW)
    assert three.record(A).citations == (judged,)


def test_citations_keep_their_order(three: Metadata) -> None:
    for order in ([PLAIN, RICH], [RICH, PLAIN]):
        save_citations(three, [(A, three.record(A).citations, order)], NOW)
        assert three.record(A).citations == tuple(order)


def test_what_many_entries_cite_is_in_memory_once(three: Metadata) -> None:
    save_citations(three, [(A, (), [PLAIN]), (B, (), [PLAIN, RICH, PLAIN]), (C, (), [PLAIN])], NOW)
    records = three.records()
    assert [records[key].citations for key in (A, B, C)] == [(PLAIN,), (PLAIN, RICH, PLAIN), (PLAIN,)]
    assert records[A].citations is records[C].citations
    assert records[B].citations[0] is records[B].citations[2] is records[A].citations[0]


def test_the_citations_of_many_entries_are_all_written(metadata: Metadata, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("intermem.storage.record_writes._AT_ONCE", 2)
    keys = [f"{number:016}" for number in range(5)]
    save_records(metadata, [(None, replace(BARE, id=key)) for key in keys])
    save_citations(metadata, [(key, (), [PLAIN]) for key in keys], NOW)
    save_citations(metadata, ((key, [PLAIN], [RICH]) for key in keys), NOW)
    assert [one.citations for one in metadata.records().values()] == [(RICH,)] * 5


def test_a_verdict_of_a_later_version_is_unverifiable(three: Metadata) -> None:
    save_citations(three, [(A, (), [RICH])], NOW)
    three.execute("UPDATE citations SET status = 'from the future'")
    assert three.record(A).citations[0].verdict.status is VerdictStatus.UNVERIFIABLE


def test_a_stance_of_a_later_version_is_plain(three: Metadata) -> None:
    save_citations(three, [(A, (), [RICH])], NOW)
    three.execute("UPDATE citations SET flags = 'new weak'")
    citation = three.record(A).citations[0].citation
    assert (citation.stance, citation.weak, citation.link) == (Stance.PLAIN, True, False)


def test_damaged_evidence_is_an_error_with_the_entrys_id(three: Metadata) -> None:
    save_citations(three, [(B, (), [RICH])], NOW)
    three.execute("UPDATE citations SET evidence = '{'")
    with pytest.raises(StateError, match=f"entry {B} in metadata.db is damaged"):
        three.records()


def test_records_get_the_citations_that_are_theirs(three: Metadata) -> None:
    save_citations(three, [(A, (), [PLAIN])], NOW)
    save_citations(three, [(B, (), [RICH, PLAIN])], NOW)
    bare = [replace(BARE, id=C), replace(BARE, id=B, citations=(PLAIN,))]
    assert [one.citations for one in three.with_citations(iter(bare))] == [(), (RICH, PLAIN)]
    assert three.with_citations([]) == []


def test_citations_that_have_not_changed_are_not_written(three: Metadata) -> None:
    save_citations(three, [(A, (), [PLAIN, RICH])], NOW)
    before = metadata_changes(three)
    save_citations(three, [(A, [PLAIN, RICH], (PLAIN, RICH))], NOW + DAY)
    assert metadata_changes(three) == before


def test_a_new_verdict_comes_with_its_time_and_leaves_no_log(three: Metadata) -> None:
    save_citations(three, [(A, (), [PLAIN, RICH])], NOW)
    valid = replace(PLAIN, verdict=Verdict(status=VerdictStatus.VALID, claim="gone"))
    save_citations(three, [(A, [PLAIN, RICH], [valid, RICH])], NOW + 2 * DAY)
    validated = three.fetch("SELECT DISTINCT last_validated FROM citations")
    assert [row[0] for row in validated] == ["2026-03-03T00:00:00Z"]
    assert three.fetch("SELECT * FROM citation_checks") == []


def test_citations_of_other_entries_stay(three: Metadata) -> None:
    save_citations(three, [(A, (), [PLAIN])], NOW)
    save_citations(three, [(B, (), [RICH])], NOW)
    save_citations(three, [(B, [RICH], [])], NOW)
    assert [one.citations for one in three.records().values()] == [(PLAIN,), (), ()]


# Snapshots


def source(file: str, first: int, last: int | None = None) -> Source:
    return Source(file=file, first_line=first, last_line=last or first)


def test_a_snapshot_says_where_entries_stand_now(three: Metadata) -> None:
    save_snapshot(three, NOW, ["M.md"], {A: [source("M.md", 1)], B: [source("M.md", 3)]}, {})
    save_snapshot(three, NOW, ["M.md"], {A: [source("N.md", 9), source("M.md", 7), source("M.md", 2, 5)]}, {})
    assert three.sources(A) == (source("M.md", 2, 5), source("M.md", 7), source("N.md", 9))
    assert three.sources(B) == ()


def test_a_source_or_session_listed_twice_counts_once(three: Metadata) -> None:
    found = {A: [source("M.md", 1), source("M.md", 1)]}
    for _ in range(2):
        save_snapshot(three, NOW, [], found, {A: ["s", "s"], B: ["t"]})
    assert three.sources(A) == (source("M.md", 1),)
    assert three.sessions() == {A: frozenset("s"), B: frozenset("t")}


def test_sessions_are_never_forgotten(three: Metadata) -> None:
    save_snapshot(three, NOW, [], {}, {A: ["one"]})
    save_snapshot(three, NOW, [], {}, {A: ["two"]})
    assert three.sessions() == {A: frozenset({"one", "two"})}


def test_sources_are_found_by_file_and_by_folder(three: Metadata) -> None:
    where = {
        A: [source("docs/a.md", 1), source("docs/a.md", 5)],
        B: [source("docs2/b.md", 2)],
        C: [source("docs", 3, 4)],
    }
    save_snapshot(three, NOW, [], where, {})
    assert three.sources_by_file(["docs"]) == {A: where[A], C: where[C]}
    assert three.sources_by_file(["docs2/b.md", "docs/a.md"]) == {A: where[A], B: where[B]}
    assert three.sources_by_file(["doc", "a.md", "\udcff.md"]) == {}


def test_the_last_snapshot_is_the_latest_taken_whatever_its_time(metadata: Metadata) -> None:
    assert (metadata.last_snapshot(), metadata.memory_files()) == (None, frozenset())
    save_snapshot(metadata, NOW + DAY, ["b.md", "a.md"], {}, {})
    save_snapshot(metadata, NOW, iter(["c.md", "b.md"]), {}, {})
    assert metadata.last_snapshot() == NOW, "a clock may be set back"
    assert metadata.memory_files() == {"b.md", "c.md"}


def test_a_snapshot_is_kept_with_its_time_files_and_entries(three: Metadata) -> None:
    save_snapshot(three, NOW, ["b.md", "a.md"], {A: [source("a.md", 1), source("a.md", 2)], B: []}, {})
    (row,) = three.fetch("SELECT taken_at, files, entries FROM snapshots")
    assert tuple(row) == ("2026-03-01T00:00:00Z", '["a.md", "b.md"]', 2)


def test_an_unreadable_last_snapshot_is_named_in_the_error(metadata: Metadata) -> None:
    save_snapshot(metadata, NOW, [], {}, {})
    metadata.execute("UPDATE snapshots SET taken_at = 'then', files = '['")
    with pytest.raises(UnreadableTime, match="the last snapshot: 'then' is not a time"):
        metadata.last_snapshot()
    with pytest.raises(StateError, match="the last snapshot in metadata"):
        metadata.memory_files()


def test_the_last_sweep_is_the_one_that_was_set_last(metadata: Metadata) -> None:
    assert metadata.last_sweep() is None
    set_last_sweep(metadata, NOW + DAY)
    set_last_sweep(metadata, NOW)
    assert metadata.last_sweep() == NOW
    metadata.execute("UPDATE meta SET value = 'then'")
    with pytest.raises(UnreadableTime, match="last_sweep: 'then' is not a time"):
        metadata.last_sweep()


# Identities


def test_an_alias_leads_to_the_current_identity(three: Metadata) -> None:
    add_aliases(three, {"d" * 16: A, "e" * 16: B})
    add_aliases(three, {"d" * 16: B})
    assert three.aliases() == {"d" * 16: B, "e" * 16: B}
    drop_alias(three, "d" * 16)
    assert three.aliases() == {"e" * 16: B}


@pytest.fixture
def furnished(three: Metadata) -> Metadata:
    """``three``, with all that can belong to a record belonging to a…, and something to b…."""
    save_citations(three, [(A, (), [PLAIN])], NOW)
    save_snapshot(three, NOW, [], {A: [source("M.md", 1)], B: [source("M.md", 2)]}, {A: ["s"], B: ["t"]})
    add_aliases(three, {"d" * 16: A, "e" * 16: B})
    add_history(three, [row_of(A, "first seen"), row_of(B, "first seen"), row_of(None, "swept")])
    return three


def row_of(entry: str | None, event: str, at: datetime = NOW) -> HistoryRow:
    return HistoryRow(at=at, event=event, entry_id=entry, detail="", operation=None)


def owners(metadata: Metadata) -> dict[str, set[str]]:
    tables = ("memory_entries", "citations", "sources", "sessions", "history")
    found = {
        name: {row[0] for row in metadata.fetch(f"SELECT entry_hash FROM {name} WHERE entry_hash IS NOT NULL")}
        for name in tables
    }
    return {**found, **{key: {value} for key, value in metadata.aliases().items()}}


def test_renaming_a_record_takes_its_other_rows_along(furnished: Metadata) -> None:
    new = "f" * 16
    add_aliases(furnished, {new: B})
    rename_record(furnished, A, new)
    assert [row.event for row in furnished.history(new)] == ["first seen"]
    assert owners(furnished) == {
        "memory_entries": {new, B, C},
        "citations": {new},
        "sources": {new, B},
        "sessions": {new, B},
        "history": {new, B},
        A: {new},
        "d" * 16: {new},
        "e" * 16: {B},
    }


def test_absorbing_a_record_takes_its_other_rows_along(furnished: Metadata) -> None:
    absorb_record(furnished, A, B)
    assert [row.event for row in furnished.history(B)] == ["first seen", "first seen"]
    assert owners(furnished) == {
        "memory_entries": {B, C},
        "citations": set(),
        "sources": {B},
        "sessions": {B},
        "history": {B},
        A: {B},
        "d" * 16: {B},
        "e" * 16: {B},
    }
    assert furnished.sources(B) == (source("M.md", 1), source("M.md", 2))
    assert furnished.sessions() == {B: frozenset({"s", "t"})}


def test_rows_that_both_records_have_are_kept_once(furnished: Metadata) -> None:
    save_snapshot(furnished, NOW, [], {A: [source("M.md", 1)], B: [source("M.md", 1)]}, {A: ["s"], B: ["s"]})
    absorb_record(furnished, A, B)
    assert furnished.sources(B) == (source("M.md", 1),)
    assert furnished.sessions() == {B: frozenset({"s", "t"})}


# History


def test_history_is_read_newest_first_and_the_later_row_first_at_the_same_time(three: Metadata) -> None:
    rows = [row_of(A, "one", NOW + DAY), row_of(B, "two"), row_of(None, "three"), row_of(A, "four", NOW - DAY)]
    add_history(three, rows)
    assert [row.event for row in three.history()] == ["one", "three", "two", "four"]
    assert [row.event for row in three.history(limit=1)] == ["one"]
    assert [row.event for row in three.history(A)] == ["one", "four"]
    assert [row.event for row in three.history(A, limit=1)] == ["one"]


def test_a_history_row_is_read_as_it_was_written(metadata: Metadata) -> None:
    row = HistoryRow(at=NOW, event="promoted", entry_id=A, detail="into A.md", operation=1)
    metadata.execute(
        "INSERT INTO operations (verb, at, state, effects, checksum) VALUES ('promote', '2026-01-01', 'done', '[]', '')"
    )
    add_history(metadata, [row])
    assert metadata.history() == [row]
    metadata.execute("UPDATE history SET at = 'then'")
    with pytest.raises(UnreadableTime, match="history row 1: 'then' is not a time"):
        metadata.history()


# Accesses


def accesses(metadata: Metadata) -> list[tuple[int, str | None]]:
    query = "SELECT access_count, last_accessed FROM memory_entries ORDER BY entry_hash"
    return [(row[0], row[1]) for row in metadata.fetch(query)]


def test_an_access_counts_for_what_was_read_and_its_time_never_goes_back(three: Metadata) -> None:
    assert touch(three, (A, B), NOW)
    assert touch(three, (A,), NOW - DAY)
    assert accesses(three) == [(2, "2026-03-01T00:00:00Z"), (1, "2026-03-01T00:00:00Z"), (0, None)]


def test_an_access_does_not_wait_for_a_writer(three: Metadata, path: Path) -> None:
    with open_for_touching(path) as other:
        with three.transaction():
            assert not touch(other, [A], NOW)
        assert touch(other, [A], NOW)
    assert accesses(three)[0][0] == 1


@pytest.mark.parametrize("shift", [-1, 1])
def test_a_database_of_another_version_is_not_touched(three: Metadata, shift: int) -> None:
    version = three.fetch("PRAGMA user_version")[0][0]
    three.execute(f"PRAGMA user_version = {version + shift}")
    assert not touch(three, [A], NOW)
    assert accesses(three)[0] == (0, None)


# Transactions and errors


def test_a_transaction_is_committed_as_a_whole(three: Metadata, path: Path) -> None:
    with three.transaction():
        add_aliases(three, {"d" * 16: A})
    with open_for_writing(path) as other:
        assert other.aliases() == {"d" * 16: A}


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_a_transaction_that_fails_is_rolled_back_and_the_next_one_works(
    three: Metadata, error: type[BaseException]
) -> None:
    with pytest.raises(error), three.transaction():
        add_aliases(three, {"d" * 16: A})
        raise error
    assert three.aliases() == {}
    with three.transaction():
        add_aliases(three, {"e" * 16: A})
    assert three.aliases() == {"e" * 16: A}


def test_an_error_is_not_hidden_by_a_failing_rollback(three: Metadata) -> None:
    with pytest.raises(ValueError, match="the real one"), three.transaction():
        three.execute("COMMIT")
        raise ValueError("the real one")


def test_a_transaction_takes_the_write_lock_at_once(three: Metadata, path: Path) -> None:
    with open_for_touching(path) as other, three.transaction(), pytest.raises(StateError) as raised:
        other.execute("BEGIN IMMEDIATE")
    assert raised.value.message == f"{path} is locked by another process"
    assert raised.value.unsettled, "the operation knows what was changed"
    assert raised.value.hint == "try again when it is done"


def test_metadata_is_closed_at_the_end_of_its_block(path: Path) -> None:
    with open_for_writing(path) as metadata:
        pass
    metadata.close()
    with pytest.raises(StateError, match="closed database"):
        metadata.records()


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (OSError(28, "No space left on device"), "X cannot be used (No space left on device)"),
        (sqlite3.OperationalError("disk I/O error"), "X cannot be used (disk I/O error)"),
        (sqlite3.OperationalError("database is locked"), "X is locked by another process"),
        (sqlite3.OperationalError("busy"), "X is locked by another process"),
        (sqlite3.OperationalError("no such table: x"), "X is damaged or not a database (no such table: x)"),
        (sqlite3.DatabaseError("malformed"), "X is damaged or not a database (malformed)"),
    ],
)
def test_an_error_of_the_database_gets_a_message_and_a_hint(error: Exception, message: str) -> None:
    with pytest.raises(StateError) as raised, translated("X"):
        raise error
    assert raised.value.message == message
    assert raised.value.unsettled
    assert raised.value.hint


@pytest.mark.parametrize(
    "use",
    [
        lambda metadata: metadata.execute("SELECT * FROM nowhere"),
        lambda metadata: metadata.executemany("INSERT INTO nowhere VALUES (?)", [(1,)]),
        lambda metadata: metadata.fetch("SELECT * FROM nowhere"),
    ],
)
def test_no_error_of_sqlite_leaves_it_as_such(
    metadata: Metadata, path: Path, use: Callable[[Metadata], object]
) -> None:
    with pytest.raises(StateError, match=f"{path} is damaged or not a database"):
        use(metadata)


def test_a_large_file_gives_back_its_free_pages_once_they_are_a_quarter(metadata: Metadata) -> None:
    def pages() -> tuple[int, int]:
        return metadata.fetch("PRAGMA page_count")[0][0], metadata.fetch("PRAGMA freelist_count")[0][0]

    metadata.execute("CREATE TABLE filler (x)")
    for _ in range(400):
        metadata.execute("INSERT INTO filler VALUES (zeroblob(3000))")
    full, free = pages()
    metadata.execute("DELETE FROM filler WHERE rowid <= 20")
    metadata.shrink()
    assert pages() == (full, 20), "a few free pages are for what comes next"
    metadata.execute("DELETE FROM filler")
    metadata.shrink()
    left, free = pages()
    assert (left < full - 390, free) == (True, 0)
