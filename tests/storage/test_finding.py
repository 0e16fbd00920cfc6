"""Finding and ranking (seeds/S3): a word is data, age ranks before the cut, only what is returned counts as read."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from intermem.core.lifecycle.decay import Basis, Decay
from intermem.core.times import parse_time
from intermem.entities import Record
from intermem.storage.connection import open_for_writing
from intermem.storage.metadata import Metadata
from intermem.storage.record_writes import save_records
from intermem.storage.search import search
from tests.conftest import Sandbox

NOW = parse_time("2026-06-01", whose="now")
MONTH = NOW - parse_time("2026-05-02", whose="a month ago")


def record(number: int, text: str, seen: str = "2026-06-01", section: str = "") -> Record:
    moment = parse_time(seen, whose="seen")
    return Record(
        id=f"{number:016x}",
        text=text,
        preview=text[:80],
        section=section,
        source_file="MEMORY.md",
        first_seen=moment,
        last_seen=moment,
    )


def stored(folder: Path, *records: Record) -> Metadata:
    path = folder / "metadata.db"
    path.unlink(missing_ok=True)
    metadata = open_for_writing(path)
    with metadata.transaction():
        save_records(metadata, ((None, one) for one in records))
    return metadata


def found(metadata: Metadata, *words: str, rank: str = "relevance", limit: int = 0, **more: object) -> list[int]:
    options: dict[str, Any] = {"decay": Decay(), **more}
    hits = search(metadata, words, rank=rank, limit=limit, now=NOW, half_life=MONTH, **options)
    return [int(one.id, 16) for one in hits]


STRANGE = st.text(st.sampled_from("ab%_\"'*?()[]^-+:;NEAROTD {}\\日本語é🙂"), min_size=1, max_size=12)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(texts=st.lists(STRANGE, min_size=1, max_size=6, unique=True), word=STRANGE)
def test_whatever_the_characters_every_word_is_a_substring(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], word: str
) -> None:
    words = word.split()
    if not words:
        return
    with stored(
        tmp_path_factory.mktemp("db"), *(record(number, text) for number, text in enumerate(texts))
    ) as metadata:
        expected = {
            number for number, text in enumerate(texts) if all(one.casefold() in text.casefold() for one in words)
        }
        assert set(found(metadata, *words)) == expected


@pytest.mark.parametrize(
    "word",
    ["%", "_", '"', "'", "*", "a*", "NEAR", "NEAR(a b)", "a OR b", "^a", "-a", "日", "日本語", "x", "{a}", "col:a"],
)
def test_query_syntax_is_searched_for_literally(tmp_path: Path, word: str) -> None:
    with stored(tmp_path, record(1, f"here: {word} it is"), record(2, "nothing of that kind b")) as metadata:
        assert found(metadata, *word.split()) == [1]


def test_outer_headings_and_the_whole_note_are_searched_as_for_every_selector(tmp_path: Path) -> None:
    below = replace(record(1, "fires at night", section="Kiln"), trail=('Dépôt \\ "quoted"', "Kiln"))
    cut = replace(record(2, "fires by day"), note_text="fires by day, as the neighbours said")
    with stored(tmp_path, below, cut, record(3, "fires in the dépôt")) as metadata:
        assert found(metadata, "DÉPÔT") == [3, 1], "the index knows no outer heading: it comes last"
        assert found(metadata, "fires", '\\ "quoted') == [1]
        assert found(metadata, "neighbours") == [2]
        assert found(metadata, "dépôt", "neighbours") == []


def test_age_counts_before_the_cut_and_the_rest_is_sorted_by_it(tmp_path: Path) -> None:
    """The original cut to the best K first, and decayed what was left: the old best stayed, unsorted."""
    notes = [record(number, "kiln kiln kiln", "2025-01-01") for number in range(5)]
    notes += [record(10, "kiln and quite a few other words besides", "2026-06-01")]
    with stored(tmp_path, *notes) as metadata:
        assert found(metadata, "kiln", rank="relevance", limit=1) == [0]
        assert found(metadata, "kiln", rank="blended", limit=1) == [10]
        assert found(metadata, "kiln", rank="blended", limit=3) == [10, 0, 1]


def test_ties_are_sorted_the_same_however_they_were_stored(tmp_path: Path) -> None:
    notes = [
        record(number, "the same words", day)
        for number, day in ((3, "2026-05-01"), (1, "2026-05-01"), (2, "2026-05-09"))
    ]
    for rank in ("relevance", "recency", "blended"):
        for order in (notes, notes[::-1]):
            with stored(tmp_path, *order) as metadata:
                assert found(metadata, "same", rank=rank) == [2, 1, 3]


def test_a_half_life_halves_a_rank(tmp_path: Path) -> None:
    """Twice as relevant and a half-life older is as good as new: then the younger goes first."""
    with stored(tmp_path, record(1, "kiln", "2026-05-02"), record(2, "kiln", "2026-06-01")) as metadata:
        assert found(metadata, "ki", rank="blended") == [2, 1]
        assert found(metadata, "ki", rank="blended", min_weight=0.5) == [2, 1]
        assert found(metadata, "ki", rank="blended", min_weight=0.51) == [2], "seeds/S3: below a least weight it goes"
        assert found(metadata, "ki", rank="recency", min_weight=0.51) == [2, 1]


def test_ranks_go_by_the_configured_basis(tmp_path: Path) -> None:
    with stored(tmp_path, record(1, "kiln", "2026-01-01"), record(2, "kiln", "2026-05-01")) as metadata:
        metadata.execute("UPDATE memory_entries SET last_accessed = '2026-05-31T00:00:00Z' WHERE id = 1")
        assert found(metadata, "kiln", rank="recency") == [2, 1]
        assert found(metadata, "kiln", rank="recency", decay=Decay(basis=Basis.ACCESSED)) == [1, 2]


# Access reinforcement.


def accesses(sandbox: Sandbox) -> dict[str, int]:
    with closing(sqlite3.connect(sandbox.root / ".git/intermem/root/metadata.db")) as connection:
        return dict(connection.execute("SELECT content, access_count FROM memory_entries"))


@pytest.fixture
def three(sandbox: Sandbox) -> Sandbox:
    sandbox.note("- kiln one\n- kiln two\n- other\n")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    return sandbox


def test_only_the_rows_that_a_query_returns_count_as_read(three: Sandbox) -> None:
    three.run("query", "--search", "kiln", "--limit", "1", now="2026-01-04T00:00:00Z")
    assert sorted(accesses(three).values()) == [0, 0, 1]
    three.run("query", "--search", "kiln", "--no-touch", now="2026-01-04T00:00:00Z")
    assert sorted(accesses(three).values()) == [0, 0, 1]


def test_no_other_verb_counts_as_reading(three: Sandbox) -> None:
    key = next(iter(three.entries().values()))["id"]
    for verb in (
        ("sweep",),
        ("sweep", "--dry-run"),
        ("promote", "--dry-run"),
        ("why", key),
        ("prune", "--older-than", "0", "--dry-run"),
        ("prune", "--keep-newest", "100"),
        ("purge", "--older-than", "0"),
        ("log",),
        ("status",),
        ("query", "--topics"),
        ("query", "--all", "--no-touch"),
        ("doctor",),
    ):
        three.run(*verb, code=None)
    assert set(accesses(three).values()) == {0}


def test_a_query_ranks_by_the_age_from_before_it_was_asked(three: Sandbox) -> None:
    """A read that refreshes the age it then measures: an original's mistake."""
    three.write("intermem.toml", '[decay]\nbasis = "accessed"\n')
    first = three.run("query", "--search", "kiln", "--rank", "recency", "--json", now="2026-02-01T00:00:00Z").json
    again = three.run("query", "--search", "kiln", "--rank", "recency", "--json", now="2026-02-01T00:00:00Z").json
    assert first["entries"] == again["entries"]
    figure = three.run("sweep", "--dry-run", "--json", now="2026-02-01T00:00:00Z").json
    assert figure["decayed"] == 1, "of three the two that were asked for are fresh"
