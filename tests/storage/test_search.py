from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from intermem.errors import StateError
from intermem.storage.connection import open_for_reading
from tests.conftest import Sandbox


@pytest.fixture
def notes(sandbox: Sandbox) -> Sandbox:
    sandbox.note(
        "## Build\n\n- Use make for the build.\n- Cache the wheels.\n\n"
        "## Tests\n\n- Build twice, test once.\n- 日本語のメモ\n"
    )
    sandbox.scans("2026-01-01")
    return sandbox


def texts(box: Sandbox, *arguments: str) -> list[str]:
    return [e["text"] for e in box.run("query", *arguments, "--json", "--no-touch", code=None).json["entries"]]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("make",), {"Use make for the build."}),
        (("MAKE",), {"Use make for the build."}),
        (("uild",), {"Use make for the build.", "Cache the wheels.", "Build twice, test once."}),
        (("build", "test"), {"Build twice, test once."}),
        (("build test",), {"Build twice, test once."}),
        (("in", "ma"), set()),
        (("us", "ma"), {"Use make for the build."}),
        (("語",), {"日本語のメモ"}),
        (("日本語",), {"日本語のメモ"}),
        (("nowhere",), set()),
    ],
)
def test_every_word_is_a_substring_of_text_or_section(notes: Sandbox, words: tuple[str, ...], found: set[str]) -> None:
    assert set(texts(notes, "--search", *words)) == found


def test_repeated_options_add_words(notes: Sandbox) -> None:
    assert texts(notes, "--search", "build", "--search", "test") == ["Build twice, test once."]


def test_the_index_follows_the_notes(notes: Sandbox) -> None:
    notes.note("- Entirely new wording.\n")
    notes.run("scan", now="2026-01-02T00:00:00Z")
    assert texts(notes, "--search", "wording") == ["Entirely new wording."]


def index_after_a_prune(notes: Sandbox, *selected: str) -> bytes:
    notes.note("")
    notes.run("prune", *selected, "--older-than", "0", "--delete", "--confirm", now="2026-01-03T00:00:00Z")
    with closing(sqlite3.connect(notes.root / ".git/intermem/root/metadata.db")) as kept:
        return b"".join(row[0] for row in kept.execute("SELECT block FROM entries_fts_data"))


def test_many_deleted_rows_leave_nothing_in_the_index(notes: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("intermem.storage.record_writes._MANY", 0)
    blocks = index_after_a_prune(notes, "--search", "wheels")
    assert b"whe" not in blocks and "日本語".encode() in blocks


@pytest.mark.parametrize(("more", "keeps"), [((), False), (("Never deploy on a Friday.",), True)])
def test_a_quarter_of_the_rows_that_is_deleted_leaves_nothing_in_the_index(
    notes: Sandbox, more: tuple[str, ...], keeps: bool
) -> None:
    notes.note("".join(f"- {text}\n" for text in more), "more.md")
    notes.run("scan")
    blocks = index_after_a_prune(notes, "--search", "wheels")
    assert (b"whe" in blocks) is keeps and "日本語".encode() in blocks


def test_topics_count_what_is_neither_demoted_nor_rejected(notes: Sandbox) -> None:
    ids = {text: entry["id"] for text, entry in notes.entries().items()}
    notes.run("demote", ids["Use make for the build."])
    assert [(one["section"], one["entries"]) for one in notes.run("query", "--topics", "--json").json["topics"]] == [
        ("Tests", 2),
        ("Build", 1),
    ]
    notes.run("reject", ids["Cache the wheels."])
    assert [one["section"] for one in notes.run("query", "--topics", "--json").json["topics"]] == ["Tests"]
    demoted = notes.run("query", "--topics", "--status", "demoted", "--json").json["topics"]
    assert [(one["section"], one["entries"]) for one in demoted] == [("Build", 1)]


def test_what_is_opened_for_reading_cannot_write(notes: Sandbox) -> None:
    database = notes.root / ".git/intermem/root/metadata.db"
    with open_for_reading(database) as metadata, pytest.raises(StateError, match="readonly"):
        metadata.execute("DELETE FROM memory_entries")
    assert len(notes.entries()) == 4


def test_ranks_and_limits(sandbox: Sandbox) -> None:
    sandbox.note("- alpha alpha alpha alpha\n")
    sandbox.scans("2026-01-01")
    sandbox.note("- alpha and a good many other words that make it less about that one\n")
    sandbox.scans("2026-06-01")
    at = ("--now", "2026-06-01T00:00:00Z")
    old, new = "alpha alpha alpha alpha", "alpha and a good many other words that make it less about that one"
    sandbox.now = at[1]
    assert texts(sandbox, "--search", "alpha", "--rank", "relevance") == [old, new]
    assert texts(sandbox, "--search", "alpha", "--rank", "recency") == [new, old]
    assert texts(sandbox, "--search", "alpha", "--rank", "blended") == [new, old]
    assert texts(sandbox, "--search", "alpha", "--limit", "1") == [new]
    assert len(texts(sandbox, "--all", "--limit", "0")) == 2


def test_stale_and_pinned_are_listed(notes: Sandbox) -> None:
    notes.run("sweep", "--no-scan", now="2026-02-10T00:00:00Z")
    assert len(texts(notes, "--stale")) == 4
    assert texts(notes, "--pinned") == []
