"""What stands in the memory though no scan has read it lately: no age and no decay takes it out."""

from __future__ import annotations

import pytest

from intermem.core.entries.identity import identity
from tests.conftest import Once, Sandbox

CANDIDATE, STANDING, GONE = (
    "Prefer short functions.",
    "Deploys go through the old box.",
    "Ask for a token every morning.",
)
LATER = "2026-03-10T00:00:00Z"
LEFT_OUT = "left out 2 entries that stand in the memory: intermem scan reads it"
KEPT = "kept 2 entries that stand in the memory: intermem scan reads it"


def not_scanned_since(box: Sandbox) -> None:
    """A candidate, a line whose note has other words, and a line whose note has left the memory since the last scan."""
    box.note(f"- {CANDIDATE}\n- {STANDING}\n- {GONE}\n")
    box.scans("2026-01-02", "2026-01-03", "2026-01-04")
    box.run("promote", identity(STANDING), "--text", f"Always: {STANDING}", "--yes", now="2026-01-05T00:00:00Z")
    box.run("promote", identity(GONE), "--yes", now="2026-01-05T00:00:00Z")
    box.commit("promoted")
    box.note(f"- {CANDIDATE}\n- {STANDING}\n")


@pytest.fixture
def unscanned(sandbox: Sandbox, once: Once) -> Sandbox:
    once(sandbox, not_scanned_since)
    return sandbox


@pytest.mark.parametrize(
    "criterion",
    [
        ("prune", "--older-than", "30d"),
        ("prune", "--older-than", "30d", "--delete", "--confirm"),
        ("prune", "--min-score", "0.3"),
        ("prune", "--min-left", "0.7"),
        ("demote", "--older-than", "30d"),
    ],
)
def test_only_what_has_left_the_memory_is_old(unscanned: Sandbox, criterion: tuple[str, ...]) -> None:
    assert (LEFT_OUT if criterion[0] == "demote" else KEPT) in unscanned.run(*criterion, now=LATER).err
    assert STANDING in unscanned.read() and GONE not in unscanned.read()
    assert unscanned.entries()[CANDIDATE]["status"] == "active"


@pytest.mark.parametrize(
    "criterion",
    [
        ("prune", "--older-than", "30d"),
        ("prune", "--older-than", "30d", "--delete", "--confirm"),
        ("prune", "--min-score", "0.3"),
        ("demote", "--older-than", "30d"),
    ],
)
@pytest.mark.parametrize(
    ("notes", "where"),
    [
        ("- Prefer short functions!\n- Deploys go through the older box.\n", "MEMORY.md"),
        ("- Prefer shorter functions.\n- deploys go through the old box\n", "MEMORY.md"),
        ("- prefer short functions\n- Deploys go through the old box!\n", "moved.md"),
    ],
)
def test_a_note_in_other_words_is_the_entry_that_a_scan_makes_of_it(
    unscanned: Sandbox, criterion: tuple[str, ...], notes: str, where: str
) -> None:
    unscanned.note("")
    unscanned.note(notes, where)
    assert (LEFT_OUT if criterion[0] == "demote" else KEPT) in unscanned.run(*criterion, now=LATER).err
    assert STANDING in unscanned.read() and GONE not in unscanned.read()
    unscanned.run("scan", now=LATER)
    unscanned.run("sweep", now=LATER)
    assert STANDING in unscanned.read()
    assert "active" in {one["status"] for text, one in unscanned.entries().items() if "functions" in text}


def test_where_nothing_is_left_to_take_the_notice_says_why(unscanned: Sandbox) -> None:
    refused = unscanned.run("demote", "--older-than", "30d", "--search", "functions", now=LATER, code=1)
    assert "left out 1 entry that stands in the memory" in refused.err


def test_retention_keeps_it_as_well(unscanned: Sandbox) -> None:
    unscanned.write("intermem.toml", "[retention]\nenabled = true\n[retention.days]\nuntyped = 30\n")
    kept = unscanned.run("prune", "--expired", "--json", now=LATER).json
    assert kept["pruned"] == 0 and "kept 1 entry that stands in the memory" in kept["warnings"][0]
    unscanned.note("")
    assert unscanned.run("prune", "--expired", "--json", now=LATER).json["pruned"] == 1


def test_what_is_wrong_by_itself_goes_although_the_memory_has_it(unscanned: Sandbox) -> None:
    unscanned.run("feedback", identity(CANDIDATE), "incorrect", now="2026-01-05T00:00:00Z")
    pruned = unscanned.run("prune", "--min-score", "0.3", "--json", now=LATER).json
    assert {one["text"]: one["reason"] for one in pruned["demoted"]}[CANDIDATE] == "pruned: confidence 0.2"


def test_an_age_of_zero_takes_what_the_memory_has_too(unscanned: Sandbox) -> None:
    taken = unscanned.run("prune", "--older-than", "0", "--json", now=LATER).json
    assert (taken["pruned"], taken["warnings"]) == (3, [])


@pytest.mark.parametrize("verb", ["query", "pin"])
def test_an_age_as_selector_is_that_of_the_memory_now(unscanned: Sandbox, verb: str) -> None:
    chosen = unscanned.run(verb, "--older-than", "30d", "--json", now=LATER).json
    assert LEFT_OUT in chosen["warnings"]
    assert [one["text"] for one in chosen["entries" if verb == "query" else "pinned"]] == [GONE]
    unscanned.run("scan", now=LATER)
    assert LEFT_OUT not in unscanned.run(verb, "--older-than", "30d", now=LATER, code=None).err


def test_topics_are_of_what_is_that_old(unscanned: Sandbox) -> None:
    told = unscanned.run("query", "--topics", "--older-than", "30d", "--json", now=LATER).json
    assert [one["entries"] for one in told["topics"]] == [1] and told["warnings"] == [LEFT_OUT]


def test_purge_destroys_what_nobody_has_seen_for_so_long(unscanned: Sandbox) -> None:
    listed = unscanned.run("purge", "--older-than", "30d", "--json", now=LATER).json
    assert [one["text"] for one in listed["entries"]] == [GONE] and LEFT_OUT in listed["warnings"]
    purged = unscanned.run("purge", "--older-than", "30d", "--confirm", "--from-documents", now=LATER)
    assert LEFT_OUT in purged.err and len(unscanned.entries()) == 2 and GONE not in unscanned.entries()


def test_a_selector_other_than_an_age_needs_no_word_about_it(unscanned: Sandbox) -> None:
    assert "left out" not in unscanned.run("query", "--search", "deploys", now=LATER).err


@pytest.mark.parametrize("verb", ["demote", "reject"])
def test_who_takes_out_what_never_was_in_a_document_makes_it_no_younger(unscanned: Sandbox, verb: str) -> None:
    unscanned.note("")
    unscanned.run("scan", now="2026-02-10T00:00:00Z")
    before = unscanned.run("why", identity(CANDIDATE), "--json", now=LATER).json["entry"]["confidence"]
    unscanned.run(verb, identity(CANDIDATE), now=LATER)
    assert unscanned.run("why", identity(CANDIDATE), "--json", now=LATER).json["entry"]["confidence"] == before
    old = unscanned.run("query", "--all", "--older-than", "30d", "--json", now=LATER).json["entries"]
    assert CANDIDATE in [one["text"] for one in old]
