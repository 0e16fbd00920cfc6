"""A time in the future makes no entry immortal, in metadata.db or in the ledger."""

from __future__ import annotations

import json
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from intermem.core.lifecycle.future_times import set_back, times_ahead
from intermem.core.reconcile.events import LedgerEvent, What, event_text, path_of
from intermem.entities import Record
from tests.conftest import Once, Sandbox
from tests.old_ledger import as_old_ledger, events_in

NOTE = "- Run the migrations before the server starts.\n"
TEXT = "Run the migrations before the server starts."
NOW = datetime(2026, 3, 1, tzinfo=UTC)
LAST = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
GRACE = timedelta(days=14)


def let_go(box: Sandbox) -> None:
    """An entry that was promoted in January and is in no memory since."""
    box.note(NOTE)
    box.scans("2026-01-01", "2026-01-02", "2026-01-03")
    box.run("promote", "--yes", now="2026-01-03T01:00:00Z")
    box.commit("promoted")
    box.note("# Nothing\n")
    box.run("scan", now="2026-01-04T00:00:00Z")
    assert TEXT in box.read()


@pytest.fixture
def promoted(sandbox: Sandbox, once: Once) -> Sandbox:
    once(sandbox, let_go)
    return sandbox


def database(box: Sandbox) -> Path:
    return box.root / ".git/intermem/root/metadata.db"


def planted(box: Sandbox, column: str, value: str) -> None:
    with sqlite3.connect(database(box)) as connection:
        connection.execute(f"UPDATE memory_entries SET {column} = ?", (value,))
    connection.close()


def in_ledger(box: Sandbox, **values: str) -> None:
    lines = [json.loads(line) for line in as_old_ledger(box.root).splitlines()]
    path = box.root / ".intermem/ledger.jsonl"
    path.write_text("".join(json.dumps(line | values) + "\n" for line in lines), "utf-8")
    box.commit("dates")


def swept(box: Sandbox, *days: str) -> str:
    """The document after a sweep at midnight of each of ``days``."""
    for day in days:
        box.run("sweep", "--no-scan", now=f"{day}T00:00:00Z")
    return box.read()


def test_an_entry_decays_where_no_time_is_in_the_future(promoted: Sandbox) -> None:
    assert TEXT not in swept(promoted, "2026-08-10", "2026-08-11")


def test_an_access_in_the_future_is_repaired_too(promoted: Sandbox) -> None:
    promoted.run("query", "--all", now="2026-06-01T00:00:00Z")
    assert "last accessed" in promoted.run("doctor", now="2026-03-01T00:00:00Z", code=1).out
    promoted.run("doctor", "--repair", now="2026-03-01T00:00:00Z")
    assert "in the future" not in promoted.run("doctor", now="2026-03-01T00:00:00Z", code=None).out


def test_a_time_in_the_future_is_said_and_repaired(promoted: Sandbox) -> None:
    planted(promoted, "last_seen", "9999-12-31T00:00:00Z")
    assert "recorded with a time in the future" in promoted.run("status", now="2026-03-01T00:00:00Z").err
    found = promoted.run("doctor", "--json", now="2026-03-01T00:00:00Z", code=1).json["findings"]
    entry = promoted.entries()[TEXT]
    assert [(one["code"], entry["id"][:8] in one["message"]) for one in found] == [("future-time", True)]
    promoted.run("doctor", "--repair", now="2026-03-01T00:00:00Z")
    assert promoted.entries()[TEXT]["last_seen"] == "2026-03-01T00:00:00Z"
    promoted.run("doctor", now="2026-03-01T00:00:00Z")
    assert TEXT in swept(promoted, "2026-07-02", "2026-07-03")
    assert TEXT not in swept(promoted, "2026-08-10", "2026-08-11")


@pytest.mark.parametrize("dates", [("last_seen",), ("since", "last_seen"), ("first_seen", "since", "last_seen")])
def test_a_date_in_the_ledger_keeps_no_entry_for_ever(promoted: Sandbox, dates: tuple[str, ...]) -> None:
    in_ledger(promoted, **dict.fromkeys(dates, "9999-12-31"))
    assert "dates in the future" in promoted.run("status", now="2026-03-01T00:00:00Z").err
    assert TEXT not in swept(promoted, "2026-08-10", "2026-08-11")


@pytest.mark.parametrize("dates", [("last_seen",), ("first_seen", "since", "last_seen")])
def test_nor_in_a_clone_that_knows_nothing_else(promoted: Sandbox, dates: tuple[str, ...]) -> None:
    in_ledger(promoted, **dict.fromkeys(dates, "9999-12-31"))
    for path in database(promoted).parent.iterdir():
        path.unlink()
    assert TEXT not in swept(promoted, "2026-08-10", "2026-08-11")
    assert "1970" not in "".join(path.read_text("utf-8") for path in promoted.root.glob(".intermem/ledger/*"))


def test_doctor_names_a_date_of_the_ledger_that_does_not_count(promoted: Sandbox) -> None:
    in_ledger(promoted, last_seen="9999-12-31")
    found = promoted.run("doctor", "--repair", "--json", now="2026-01-05T00:00:00Z", code=1).json["findings"]
    assert [(one["code"], one["repaired"]) for one in found] == [("future-time", False)]


@pytest.mark.parametrize("what", [What.HELD, What.ALIVE, What.PROMOTED])
def test_an_event_of_the_future_keeps_no_entry_for_ever(promoted: Sandbox, what: What) -> None:
    (known,) = events_in(promoted.root)
    observer = "0b5e0b5e"
    key, written = (observer, None) if what is What.ALIVE else (known["id"], known["written"])
    at = datetime(9000, 1, 1, tzinfo=UTC)
    event = LedgerEvent(id=key, at=at, what=what, observer=observer, document="AGENTS.md", written=written)
    promoted.write(path_of(event), event_text(event))
    promoted.commit("planted")
    assert TEXT not in swept(promoted, "2026-08-10", "2026-08-11")


@pytest.mark.parametrize("in_clone", [False, True], ids=["a clone that knows it", "a clone that does not"])
def test_a_line_whose_dates_are_all_in_the_future_is_of_no_known_day(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, in_clone: bool
) -> None:
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2025-12-01T00:00:00Z")
    sandbox.commit("of before the clock was set back")
    sandbox.note(NOTE)
    sandbox.scans("2026-01-03", "2026-01-04", "2026-01-05")
    sandbox.run("promote", "--yes", now="2026-01-05T00:00:00Z")
    if in_clone:
        for path in database(sandbox).parent.iterdir():
            path.unlink()
        sandbox.note("# Nothing\n")
    sandbox.run("sweep", now="2026-01-01T00:00:00Z")
    entry = sandbox.entries()[TEXT]
    assert entry["first_seen"] == ("2026-01-01T00:00:00Z" if in_clone else "2026-01-03T00:00:00Z")
    for said in ("why", entry["id"]), ("why", entry["id"], "--json"), ("status", "--figures"), ("query", "--all"):
        for moment in ("2026-01-01T01:00:00Z", "2026-01-06T00:00:00Z"):
            assert "1970" not in sandbox.run(*said, now=moment).out
    with sqlite3.connect(database(sandbox)) as connection:
        assert "1970" not in "".join(connection.iterdump())
    connection.close()


@pytest.mark.parametrize("day", ["1970-01-01", "2025-12-01"])
def test_a_clock_that_was_set_back_demotes_nothing(promoted: Sandbox, tmp_path: Path, day: str) -> None:
    promoted.commit("scanned")
    clone = Sandbox(tmp_path / "clone", promoted.memory, promoted.capture)
    promoted.git("clone", "-q", str(promoted.root), str(clone.root))
    for box in (promoted, clone):
        for hour in ("01", "02"):
            said = box.run("sweep", "--no-scan", now=f"{day}T{hour}:00:00Z")
            assert "the clock is behind: HEAD is of " in said.err
        assert TEXT in box.read() and box.git("status", "--porcelain") == ""


def test_a_day_of_difference_between_two_clocks_is_no_finding(promoted: Sandbox) -> None:
    assert "No problems found" in promoted.run("doctor", now="2026-01-03T01:00:00Z").out


@pytest.mark.parametrize("name", ["first_seen", "last_seen", "counted_at", "promoted_at", "grace_until"])
def test_every_time_of_a_record_is_set_back(name: str) -> None:
    one = Record(id="0" * 16, text="x", preview="x", section="", source_file="x", first_seen=NOW, last_seen=NOW)
    assert times_ahead(one, NOW, GRACE) == []
    ahead = set_back(one, LAST, GRACE)
    assert ahead == one
    planted = Record(**{**{field: getattr(one, field) for field in one.__slots__}, name: LAST})
    assert times_ahead(planted, NOW, GRACE) == [name]
    assert getattr(set_back(planted, NOW, GRACE), name) == (NOW + GRACE if name == "grace_until" else NOW)


def test_a_pin_may_end_when_its_owner_likes() -> None:
    one = Record(
        id="0" * 16, text="x", preview="x", section="", source_file="x", first_seen=NOW, last_seen=NOW, pinned=True,
        pinned_until=LAST,
    )  # fmt: skip
    assert times_ahead(one, NOW, GRACE) == []
