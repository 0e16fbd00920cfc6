"""The acceptance criteria of seeds/S4, each a test that is named after it.

They run the command line on a real repository; ages are set with ``--now``.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from intermem.errors import StateError
from intermem.storage.metadata import Metadata
from tests.conftest import Once, Sandbox

UNCITED = "Prefer short functions."
CITED = "The entry point is `src/app.py`."
START = "2026-01-03T00:00:00Z"  # when the notes of `promoted` were seen last


def two_promoted(box: Sandbox) -> None:
    box.note(f"# Memory\n\n## Style\n\n- {UNCITED}\n\n## Layout\n\n- {CITED}\n")
    box.scans("2026-01-01", "2026-01-02", "2026-01-03")
    box.run("promote", "--yes", now=START)
    box.note("# Memory\n")
    box.commit("promote")


@pytest.fixture
def promoted(sandbox: Sandbox, once: Once) -> Sandbox:
    """Two notes, seen three times and promoted; the agent has let go of them since."""
    once(sandbox, two_promoted)
    return sandbox


def at(day: str, time: str = "00:00:00") -> str:
    return f"2026-{day}T{time}Z"


# F1: time-based confidence decay


@pytest.mark.parametrize(
    ("age", "now", "uncited", "cited"),
    [
        ("14 d", at("01-17"), 0.5, 0.8),
        ("14 d + 1 s", at("01-17", "00:00:01"), 0.4, 0.7),
        ("28 d", at("01-31"), 0.3, 0.6),
        ("28 d + 1 s", at("01-31", "00:00:01"), 0.3, 0.6),
        ("42 d", at("02-14"), 0.2, 0.5),
    ],
)
def test_f1_penalty_is_a_tenth_per_14_days_past_14_days(
    promoted: Sandbox, age: str, now: str, uncited: float, cited: float
) -> None:
    promoted.run("sweep", now=now)
    entries = promoted.entries()
    assert (entries[UNCITED]["confidence"], entries[CITED]["confidence"]) == (uncited, cited), age
    assert (entries[UNCITED]["base_confidence"], entries[CITED]["base_confidence"]) == (0.5, 0.8)


def test_f1_penalty_resets_when_the_entry_reappears_in_a_snapshot(promoted: Sandbox) -> None:
    promoted.run("sweep", now=at("02-14"))
    promoted.note(f"## Style\n\n- {UNCITED}\n")
    promoted.run("scan", now=at("02-14", "02:00:00"))
    entry = promoted.entries()[UNCITED]
    assert (entry["confidence"], entry["last_seen"]) == (0.5, at("02-14", "02:00:00"))


def test_f1_sweep_revalidates_and_decays_every_entry(promoted: Sandbox) -> None:
    promoted.git("rm", "-q", "src/app.py")
    commit = promoted.commit("drop app")
    promoted.run("sweep", now=at("01-31"))
    entries = promoted.entries()
    assert entries[UNCITED]["confidence"] == 0.3
    assert entries[CITED]["confidence"] == 0.0
    (citation,) = entries[CITED]["citations"]
    assert (citation["status"], citation["evidence"]["commit"]) == ("broken", commit)


def test_f1_sweep_is_a_single_transaction(promoted: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sweep that dies before its commit leaves every row as it was."""
    before = promoted.entries()
    written: list[str] = []

    def fails(metadata: Metadata, statement: str, rows: Iterable[Sequence[object]]) -> None:
        written.append(statement.split()[0])
        if "INTO history" in statement:
            raise StateError("the disk is gone", hint="")
        many(metadata, statement, rows)

    many = Metadata.executemany
    with monkeypatch.context() as patched:
        patched.setattr(Metadata, "executemany", fails)
        outcome = promoted.run("sweep", now=at("02-14"), code=2)
    assert "the disk is gone" in outcome.err
    assert len(written) > 1, "rows were written before"
    assert promoted.entries() == before


def test_f1_uncited_and_unseen_for_more_than_28_days_hits_the_threshold(promoted: Sandbox) -> None:
    promoted.run("sweep", now=at("01-30", "23:59:59"))
    assert promoted.entries()[UNCITED]["status"] == "active"
    promoted.run("sweep", now=at("01-31", "00:00:01"))
    assert promoted.entries()[UNCITED]["status"] == "stale"


def test_f1_undecayed_0_3_is_not_stale(sandbox: Sandbox) -> None:
    """0.5 + 0.2 for five snapshots − 0.4 for a broken citation and a moved one: 0.3, without decay."""
    sandbox.write("src/other.py", "print('the other, which will move')\n")
    sandbox.commit("two files")
    text = f"{CITED} It imports `src/other.py`."
    sandbox.note(f"- {text}\n")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03", "2026-01-04", "2026-01-05")
    sandbox.git("rm", "-q", "src/app.py")
    sandbox.git("mv", "src/other.py", "src/moved.py")
    sandbox.commit("drop app, move the other")
    sandbox.run("sweep", now=at("01-05"))
    entry = sandbox.entries()[text]
    assert (entry["confidence"], entry["status"]) == (0.3, "active")


def test_what_is_contradicted_is_stale_at_0_3_too(sandbox: Sandbox) -> None:
    """DESIGN.md §15.12: else five snapshots would keep a note whose only file is gone for as long as the agent does."""
    sandbox.note(f"- {CITED}\n")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03", "2026-01-04", "2026-01-05")
    sandbox.git("rm", "-q", "src/app.py")
    sandbox.commit("drop app")
    sandbox.run("sweep", now=at("01-05"))
    entry = sandbox.entries()[CITED]
    assert (entry["confidence"], entry["status"]) == (0.3, "stale")
    assert "stale      now" in sandbox.run("why", entry["id"], now=at("01-05")).out


def test_f1_0_3_reached_by_decay_is_stale(promoted: Sandbox) -> None:
    promoted.run("sweep", now=at("01-31"))
    entry = promoted.entries()[UNCITED]
    assert (entry["confidence"], entry["status"], entry["stale_streak"]) == (0.3, "stale", 1)


@pytest.mark.parametrize(("days", "base"), [(4, 0.5), (5, 0.7), (6, 0.7)])
def test_f1_existing_signals_go_on_working(sandbox: Sandbox, days: int, base: float) -> None:
    sandbox.note(f"- {UNCITED}\n- {CITED}\n")
    sandbox.scans(*(f"2026-01-{day:02}" for day in range(1, days + 1)))
    entries = sandbox.entries()
    assert entries[UNCITED]["confidence"] == base
    assert entries[CITED]["confidence"] == min(1.0, round(base + 0.3, 3))


# F2: demotion of stale promoted entries


def test_f2_a_streak_of_two_removes_the_entry_from_its_document(promoted: Sandbox) -> None:
    text = promoted.read()
    promoted.run("sweep", now=at("01-31"))
    assert promoted.read() == text
    assert promoted.entries()[UNCITED]["stale_streak"] == 1
    promoted.run("sweep", now=at("02-01"))
    assert promoted.read() == text.replace(f"\n### Style\n\n- {UNCITED}\n", "")
    assert promoted.entries()[UNCITED]["stale_streak"] == 2


def test_f2_the_streak_resets_when_the_entry_is_no_longer_stale(promoted: Sandbox) -> None:
    promoted.run("sweep", now=at("01-31"))
    promoted.note(f"- {UNCITED}\n")
    promoted.run("sweep", now=at("02-01"))
    assert promoted.entries()[UNCITED]["stale_streak"] == 0
    promoted.note("")
    promoted.run("sweep", now=at("03-02"))
    assert UNCITED in promoted.read()
    assert promoted.entries()[UNCITED]["stale_streak"] == 1


def test_f2_demotion_is_journaled_with_entry_document_and_time(promoted: Sandbox) -> None:
    promoted.run("sweep", now=at("01-31"))
    promoted.run("sweep", now=at("02-01"))
    with sqlite3.connect(promoted.root / ".git/intermem/root/metadata.db") as connection:
        verb, when, state, effects = connection.execute(
            "SELECT verb, at, state, effects FROM operations ORDER BY id DESC LIMIT 1"
        ).fetchone()
        intents = connection.execute("SELECT document, content_before IS NOT NULL FROM intents").fetchall()
    connection.close()
    (effect,) = json.loads(effects)
    assert (verb, when, state) == ("sweep", at("02-01"), "done")
    assert (effect["kind"], effect["document"]) == ("demote", "AGENTS.md")
    assert effect["entry_id"] == promoted.entries()[UNCITED]["id"]
    (document, was), (event, new) = intents[-2:]
    assert (document, was, new) == ("AGENTS.md", 1, 0)
    assert event.startswith(f".intermem/ledger/{effect['entry_id']}-20260201T000000Z-demoted-")


def test_f2_the_schema_has_stale_streak_and_demoted_at(promoted: Sandbox) -> None:
    with sqlite3.connect(promoted.root / ".git/intermem/root/metadata.db") as connection:
        columns = {row[1]: row[2] for row in connection.execute("PRAGMA table_info(memory_entries)")}
    connection.close()
    assert (columns["stale_streak"], columns["demoted_at"]) == ("INTEGER", "TEXT")


def test_f2_query_demoted_lists_reason_original_confidence_and_time(promoted: Sandbox) -> None:
    promoted.run("sweep", now=at("01-31"))
    promoted.run("sweep", now=at("02-01"))
    (entry,) = promoted.run("query", "--demoted", "--json").json["entries"]
    assert entry["original_confidence"] == 0.5
    assert entry["demoted_at"] == at("02-01")
    assert entry["reason"] == (
        "stale in 2 sweeps in a row: confidence 0.3; not seen for 29 days (since 2026-01-03), down from 0.5"
    )
    table = promoted.run("query", "--demoted").out
    assert "0.5" in table
    assert at("02-01") in table
    assert "stale in 2 sweeps" in table


def test_f2_an_entry_that_reappears_goes_through_promotion_again(promoted: Sandbox) -> None:
    promoted.run("sweep", now=at("01-31"))
    promoted.run("sweep", now=at("02-01"))
    refused = promoted.run("promote", "--yes", "--json", now=at("02-02")).json["refused"]
    assert [row["reason"] for row in refused] == ["no longer in the memory (last seen 2026-01-03)"]
    promoted.note(f"## Style\n\n- {UNCITED}\n")
    promoted.run("scan", now=at("02-03"))
    (again,) = promoted.run("promote", "--yes", "--json", now=at("02-03")).json["promoted"]
    assert again["reason"].endswith("seen again since it was demoted on 2026-02-01")
    entry = promoted.entries()[UNCITED]
    assert (entry["status"], entry["document"], entry["stale_streak"]) == ("active", "AGENTS.md", 0)
    assert (entry["first_seen"], entry["snapshot_count"]) == (at("01-01"), 4)
    assert UNCITED in promoted.read()


def test_f2_a_reappearing_entry_that_is_stale_stays_out(promoted: Sandbox) -> None:
    promoted.git("rm", "-q", "src/app.py")
    promoted.commit("drop app")
    promoted.run("sweep", now=at("01-04"))
    promoted.run("sweep", now=at("01-05"))
    promoted.note(f"- {CITED}\n")
    promoted.run("scan", now=at("01-06"))
    (refused,) = promoted.run("promote", "--yes", "--json", now=at("01-06")).json["refused"]
    assert refused["gate"] == "stale"
    assert CITED not in promoted.read()


# F3: the query command line


def test_f3_search_returns_confidence_section_and_source(promoted: Sandbox) -> None:
    (entry,) = promoted.run("query", "--search", "short", "style", "--json").json["entries"]
    assert (entry["confidence"], entry["section"], entry["source_file"]) == (0.5, "Style", "MEMORY.md")


def test_f3_topics_are_sections_with_counts_and_average_confidence(promoted: Sandbox) -> None:
    assert promoted.run("query", "--topics", "--json").json["topics"] == [
        {"average_confidence": 0.8, "entries": 1, "section": "Layout"},
        {"average_confidence": 0.5, "entries": 1, "section": "Style"},
    ]


def test_f3_queries_respect_the_project_root(promoted: Sandbox, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    assert promoted.run("query", "--all", "--json").json["entries"]
    elsewhere = Sandbox(other, promoted.memory, promoted.capture)
    assert elsewhere.run("query", "--all", "--json", code=1).json["entries"] == []


def test_f3_output_is_a_table_unless_json_is_asked_for(promoted: Sandbox) -> None:
    lines = promoted.run("query", "--topics").out.splitlines()
    assert [line.split() for line in lines] == [
        ["SECTION", "ENTRIES", "CONFIDENCE"],
        ["Layout", "1", "0.8"],
        ["Style", "1", "0.5"],
    ]


def test_f3_exit_codes_are_0_1_and_2(promoted: Sandbox) -> None:
    promoted.run("query", "--all", code=0)
    promoted.run("query", "--search", "nowhere-to-be-found", code=1)
    promoted.run("query", "--demoted", code=1)
    promoted.run("query", code=2)
    promoted.run("query", "--all", "--topics", code=2)


# Success criteria


def test_success_1_every_known_stale_entry_is_caught(sandbox: Sandbox) -> None:
    notes = [f"Fact number {number} of many." for number in range(40)]
    sandbox.note("".join(f"- {note}\n" for note in notes))
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    sandbox.run("promote", "--yes", "--limit", "0", now=START)
    sandbox.note("")
    swept = sandbox.run("sweep", "--json", now=at("02-01")).json
    assert (swept["swept"], swept["stale"]) == (40, 40)
    would = sandbox.run("sweep", "--dry-run", "--json", now=at("02-02")).json
    assert sorted(entry["text"] for entry in would["demoted"]) == sorted(notes)


def test_success_2_and_3_the_whole_life_of_an_entry(promoted: Sandbox) -> None:
    text = promoted.read()
    promoted.run("sweep", now=at("02-14"))
    promoted.run("sweep", now=at("02-15"))
    assert UNCITED not in promoted.read()
    promoted.note(f"## Style\n\n- {UNCITED}\n")
    promoted.run("scan", now=at("02-16"))
    promoted.run("promote", "--yes", now=at("02-16"))
    assert promoted.read() == text
    events = [row["event"] for row in promoted.run("log", promoted.entries()[UNCITED]["id"], "--json").json["history"]]
    assert events == ["promoted", "seen again", "demoted", "stale", "gone from the memory", "promoted", "first seen"]


def test_success_5_without_decay_figures_are_those_of_phase_one(promoted: Sandbox) -> None:
    promoted.run("sweep", now=at("02-14"))
    decayed = promoted.entries()
    promoted.write("intermem.toml", '[decay]\npolicy = "none"\n')
    promoted.run("sweep", now=at("02-15"))
    entries = promoted.entries()
    assert decayed[UNCITED]["confidence"] == 0.2
    assert {entry["confidence"] for entry in entries.values()} == {0.5, 0.8}
    assert {entry["status"] for entry in entries.values()} == {"active"}
    (promoted.root / "intermem.toml").unlink()
    promoted.run("sweep", now=at("02-14"))
    assert promoted.entries()[UNCITED]["confidence"] == decayed[UNCITED]["confidence"]
