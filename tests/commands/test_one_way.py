"""One way to do each thing: selectors that mean the same everywhere, and old spellings that say what replaced them."""

from __future__ import annotations

import pytest

from intermem.core.entries.identity import identity
from tests.conftest import Once, Sandbox

BOX, TUESDAY, SHORT = "Deploys go through the old box.", "Releases are cut on Tuesdays.", "Prefer short functions."
KEYS = {text: identity(text) for text in (BOX, TUESDAY, SHORT)}


def three_promoted(box: Sandbox) -> None:
    box.note(f"## Releasing\n\n- {BOX}\n- {TUESDAY}\n\n## Style\n\n- {SHORT}\n")
    box.scans("2026-01-01", "2026-01-02", "2026-01-03")
    box.run("promote", "--yes", now="2026-01-03T01:00:00Z")


@pytest.fixture
def promoted(sandbox: Sandbox, once: Once) -> Sandbox:
    once(sandbox, three_promoted)
    sandbox.now = "2026-01-03T02:00:00Z"
    return sandbox


SELECTORS = [
    (("--section", "Releasing"), {BOX, TUESDAY}),
    (("--search", "RELEASES"), {TUESDAY}),
    (("--search", "releasing", "old"), {BOX}),  # words of the section count too
    (("--source", "MEMORY.md", "--type", "untyped"), {BOX, TUESDAY, SHORT}),
    (("--status", "active", "--section", "Style"), {SHORT}),
    (("--older-than", "0", "--search", "functions"), {SHORT}),
    (("--older-than", "30d"), set()),
    (("--status", "stale"), set()),
    (("--session", "s-1"), set()),
]


@pytest.mark.parametrize(("selectors", "texts"), SELECTORS, ids=lambda value: " ".join(sorted(value)))
@pytest.mark.parametrize("verb", ["query", "demote", "pin", "prune", "purge"])
def test_selectors_mean_the_same_everywhere(
    promoted: Sandbox, verb: str, selectors: tuple[str, ...], texts: set[str]
) -> None:
    preview = () if verb == "query" else ("--dry-run",)
    told = promoted.run(verb, *selectors, *preview, "--json", code=0 if texts else 1).json
    rows = told["entries"] if verb in ("query", "purge") else told[{"pin": "pinned"}.get(verb, "demoted")]
    assert {row["entry"]["text"] if "entry" in row else row["text"] for row in rows} == texts


@pytest.mark.parametrize("verb", ["demote", "pin"])
def test_entries_are_named_or_selected(promoted: Sandbox, verb: str) -> None:
    assert f"{verb} needs an ID or a selector" in promoted.run(verb, code=2).err
    said = promoted.run(verb, KEYS[BOX], "--section", "Style", code=2).err
    assert "ids cannot be combined with --section" in said
    assert promoted.run(verb, "--section", "None such", code=1).out == "No entries match.\n"


def test_a_list_can_be_narrowed(promoted: Sandbox) -> None:
    promoted.run("demote", "--section", "Releasing")
    told = promoted.run("query", "--demoted", "--search", "tuesdays", "--json").json
    assert [row["text"] for row in told["entries"]] == [TUESDAY]
    told = promoted.run("query", "--topics", "--status", "demoted", "--json").json
    assert [(row["section"], row["entries"]) for row in told["topics"]] == [("Releasing", 2)]
    assert [
        row["text"]
        for row in promoted.run("query", "--all", "--limit", "1", "--search", "go", "--json").json["entries"]
    ] == [BOX]


def test_what_was_demoted_for_review_comes_back_once_it_is_confirmed(promoted: Sandbox) -> None:
    promoted.run("demote", KEYS[BOX], "--for-review", "--reason", "the box was replaced")
    (row,) = promoted.run("query", "--review", "--json").json["entries"]
    assert row["text"] == BOX and "the box was replaced" in row["reason"]
    promoted.scans("2026-01-04")
    assert "flagged for review" in promoted.run("promote", "--yes", now="2026-01-04T01:00:00Z").out
    promoted.run("feedback", KEYS[BOX], "confirm", now="2026-01-04T02:00:00Z")
    promoted.run("promote", "--yes", now="2026-01-04T03:00:00Z")
    assert BOX in promoted.read()


@pytest.mark.parametrize("verb", [("demote",), ("prune", "--search")])
def test_what_a_person_took_out_stays_out(promoted: Sandbox, verb: tuple[str, ...]) -> None:
    promoted.run(*verb, KEYS[BOX] if verb == ("demote",) else "box")
    promoted.scans("2026-01-04", "2026-01-05", "2026-01-06")
    assert "a person took it out on 2026-01-03" in promoted.run("promote", "--yes", now="2026-01-06T01:00:00Z").out
    assert BOX not in promoted.read()
    promoted.run("restore", KEYS[BOX], now="2026-01-06T02:00:00Z")
    assert BOX in promoted.read()
    promoted.run("sweep", "--check", now="2026-01-06T03:00:00Z")


def test_by_takes_one_entry(promoted: Sandbox) -> None:
    for arguments in ((KEYS[BOX], KEYS[SHORT]), ("--section", "Style"), (KEYS[BOX], "--for-review")):
        assert "--by takes one ID" in promoted.run("demote", *arguments, "--by", KEYS[TUESDAY], code=2).err


OLD = {
    "unpin": (("unpin", KEYS[BOX]), "intermem unpin is now intermem pin --remove"),
    "supersede": (("supersede", KEYS[BOX], KEYS[SHORT]), "intermem supersede is now intermem demote OLD --by NEW"),
    "forget": (("feedback", KEYS[BOX], "forget"), "intermem feedback ID forget is now intermem demote ID --for-review"),
    "stats": (("stats",), "intermem stats is now intermem status --figures"),
    "config": (("status", "--config"), "intermem status --config is now intermem config"),
    "log": (("log", KEYS[BOX]), "intermem log ID is now intermem why ID"),
    "max-age": (("prune", "--max-age-days", "0", "--dry-run"), "is now intermem prune --older-than N --basis used"),
    "before": (("purge", "--before", "2027-01-01"), "is now intermem purge --older-than DATE"),
}


@pytest.mark.parametrize("name", OLD)
def test_an_old_spelling_works_and_says_what_replaced_it(promoted: Sandbox, name: str) -> None:
    arguments, says = OLD[name]
    assert says in promoted.run(*arguments, code=None).err
    assert says not in promoted.run(*arguments, "--quiet", code=None).err


def test_why_tells_of_an_entry_whose_record_was_deleted(sandbox: Sandbox) -> None:
    sandbox.note(f"- {SHORT}\n")
    sandbox.run("scan")
    sandbox.run("prune", "--search", "functions", "--delete", "--confirm")
    told = sandbox.run("why", KEYS[SHORT][:6], "--json").json
    assert (told["id"], told["history"][0]["event"]) == (KEYS[SHORT], "deleted")
    assert f"{KEYS[SHORT]}  deleted" in sandbox.run("why", KEYS[SHORT]).out


def test_of_an_entry_that_the_ledger_knows_it_tells_more(promoted: Sandbox) -> None:
    promoted.run("prune", "--search", "functions", "--delete", "--confirm")
    told = promoted.run("why", KEYS[SHORT], "--json").json
    assert (told["entry"]["status"], told["ledger"]["by"]) == ("demoted", "person")


def test_a_clone_without_state_answers_from_the_ledger(promoted: Sandbox) -> None:
    promoted.run("demote", KEYS[BOX])
    for file in (promoted.root / ".git/intermem").rglob("metadata.db*"):
        file.unlink()
    lists = {
        ("--all",): {BOX, TUESDAY, SHORT},
        ("--search", "tuesdays"): {TUESDAY},
        ("--status", "active"): {TUESDAY, SHORT},
        ("--demoted",): {BOX},
    }
    for arguments, keys in lists.items():
        told = promoted.run("query", *arguments, "--json").json
        assert {row["id"] for row in told["entries"]} == {KEYS[text] for text in keys}, arguments
    assert promoted.run("query", "--topics", "--json").json["topics"][0]["entries"] == 2
    assert promoted.run("query", "--search", "absent", code=1).out
