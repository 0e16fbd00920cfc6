"""``demote OLD --by NEW``: a person says that one entry replaces another."""

from __future__ import annotations

from typing import Any

import pytest

from intermem.core.entries.identity import identity
from tests.conftest import Once, Sandbox
from tests.old_ledger import ledger_in

OLD, NEW, THIRD = "Deploys go through the old box.", "Releases are cut on Tuesdays.", "Prefer short functions."
OLD_KEY, NEW_KEY, THIRD_KEY = identity(OLD), identity(NEW), identity(THIRD)
NOTES = f"## Notes\n\n- {OLD}\n- {NEW}\n- {THIRD}\n"


def three_notes(box: Sandbox) -> None:
    box.note(NOTES)
    box.scans("2026-01-01", "2026-01-02", "2026-01-03")


def three_promoted(box: Sandbox) -> None:
    box.run("promote", "--yes")


@pytest.fixture
def scanned(sandbox: Sandbox, once: Once) -> Sandbox:
    """Three notes, seen three times; nothing is promoted."""
    once(sandbox, three_notes)
    sandbox.now = "2026-01-03T01:00:00Z"
    return sandbox


@pytest.fixture
def promoted(scanned: Sandbox, once: Once) -> Sandbox:
    once(scanned, three_promoted)
    return scanned


def record(box: Sandbox, text: str = OLD) -> dict[str, Any]:
    return box.entries()[text]


def test_what_was_superseded_leaves_its_document_with_the_reason(promoted: Sandbox) -> None:
    told = promoted.run("demote", OLD_KEY[:6], "--by", NEW_KEY[:6], "--reason", "the box is gone", "--json").json
    assert told["documents"] == {OLD_KEY: "AGENTS.md"}
    assert OLD not in promoted.read() and NEW in promoted.read()
    found = record(promoted)
    assert (found["status"], found["document"], found["superseded_by"]) == ("demoted", None, NEW_KEY)
    assert found["reason"] == f"superseded by {NEW_KEY[:8]}: the box is gone"
    assert f'"id": "{OLD_KEY}", "status": "demoted"' in ledger_in(promoted.root)
    (row,) = [one for one in promoted.run("log", OLD_KEY, "--json").json["history"] if one["event"] == "demoted"]
    assert row["cause"] == "superseded"
    assert (record(promoted, NEW)["superseded_by"], record(promoted, NEW)["document"]) == (None, "AGENTS.md")


def test_it_stays_away_also_where_its_note_left_the_memory_and_came_back(promoted: Sandbox) -> None:
    promoted.run("demote", OLD_KEY, "--by", NEW_KEY)
    for day in ("2026-01-04", "2026-01-05"):
        promoted.run("sweep", now=f"{day}T00:00:00Z")
    told = promoted.run("promote", OLD_KEY, "--yes", "--json", code=1, now="2026-01-05T01:00:00Z").json
    assert [one["gate"] for one in told["refused"]] == ["superseded"]
    promoted.note(NOTES.replace(f"- {OLD}\n", ""))
    promoted.run("sweep", now="2026-01-06T00:00:00Z")
    promoted.note(NOTES)
    promoted.run("sweep", now="2026-01-07T00:00:00Z")
    assert record(promoted)["superseded_by"] == NEW_KEY
    promoted.run("promote", OLD_KEY, "--yes", code=1, now="2026-01-07T01:00:00Z")
    assert OLD not in promoted.read()


def test_a_note_that_never_stood_is_superseded_too(scanned: Sandbox) -> None:
    before = scanned.read()
    scanned.run("demote", OLD_KEY, "--by", NEW_KEY)
    found = record(scanned)
    assert (found["status"], found["superseded_by"]) == ("demoted", NEW_KEY)
    assert scanned.read() == before
    assert len(list((scanned.root / ".intermem/ledger").glob("*-demoted-*.json"))) == 1
    scanned.run("restore", OLD_KEY)
    found = record(scanned)
    assert (found["status"], found["superseded_by"]) == ("active", None)


@pytest.mark.parametrize(("days", "goes"), [("2026-02-02T00:59:59Z", False), ("2026-02-02T01:00:00Z", True)])
def test_its_record_may_be_pruned_after_thirty_days(promoted: Sandbox, days: str, goes: bool) -> None:
    promoted.note(NOTES.replace(f"- {OLD}\n", ""))
    promoted.run("scan")
    said = promoted.run("demote", OLD_KEY, "--by", NEW_KEY).err
    assert "intermem prune --expired --delete deletes its record after 30 days" in said
    told = promoted.run("prune", "--expired", "--delete", "--confirm", "--json", now=days).json
    assert [one["id"] for one in told["deleted"]] == ([OLD_KEY] if goes else [])
    assert (OLD in promoted.entries()) is not goes
    assert NEW in promoted.read()


def test_its_record_is_not_pruned_while_the_memory_holds_the_note(promoted: Sandbox) -> None:
    promoted.run("demote", OLD_KEY, "--by", NEW_KEY)
    assert (
        promoted.run("prune", "--expired", "--delete", "--confirm", "--json", now="2027-06-01T00:00:00Z").json[
            "deleted"
        ]
        == []
    )
    assert OLD in promoted.entries()


def test_a_revision_that_a_scan_noticed_is_put_away_when_a_person_says_so(sandbox: Sandbox) -> None:
    old = "The local server listens on port 8080, and the proxy in front of it on 443."
    new = old.replace("8080", "9090")
    for text, day in ((old, "2026-01-01"), (new, "2026-01-02")):
        sandbox.note(f"- {text}\n")
        sandbox.scans(day)
    found = record(sandbox, old)
    assert (found["status"], found["superseded_by"]) == ("active", identity(new))
    assert "active, replaced" in sandbox.run("query", "--all").out
    sandbox.run("demote", identity(old), "--by", identity(new), now="2026-01-03T00:00:00Z")
    assert record(sandbox, old)["status"] == "demoted"
    told = sandbox.run("prune", "--expired", "--delete", "--confirm", "--json", now="2026-02-03T00:00:00Z").json
    assert [one["id"] for one in told["deleted"]] == [identity(old)]


def test_twice_is_refused_and_another_heir_is_not(promoted: Sandbox) -> None:
    promoted.run("demote", OLD_KEY, "--by", NEW_KEY)
    assert f"already superseded by {NEW_KEY[:8]}" in promoted.run("demote", OLD_KEY, "--by", NEW_KEY, code=1).out
    promoted.run("demote", OLD_KEY, "--by", THIRD_KEY)
    assert record(promoted)["superseded_by"] == THIRD_KEY


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([OLD_KEY, "ffff"], "no entry starts with ffff"),
        (["ffff", OLD_KEY], "no entry starts with ffff"),
        ([OLD_KEY, OLD_KEY[:5]], f"{OLD_KEY[:8]} cannot be superseded by itself"),
        ([OLD_KEY], "the following arguments are required: NEW"),
    ],
)
def test_a_bad_pair_is_one_line_and_changes_nothing(promoted: Sandbox, arguments: list[str], says: str) -> None:
    before = promoted.tree_hash()
    assert says in promoted.run("supersede", *arguments, code=2).err
    assert promoted.tree_hash() == before


def test_nothing_is_superseded_in_a_ring(promoted: Sandbox) -> None:
    promoted.run("demote", OLD_KEY, "--by", NEW_KEY)
    promoted.run("demote", NEW_KEY, "--by", THIRD_KEY)
    before = promoted.tree_hash()
    said = promoted.run("demote", THIRD_KEY, "--by", OLD_KEY, code=2).err
    assert f"{THIRD_KEY[:8]} cannot be superseded by {OLD_KEY[:8]}, which it superseded" in said
    assert f"hint: intermem demote {THIRD_KEY[:8]}, and then intermem restore {OLD_KEY[:8]}" in said
    assert promoted.tree_hash() == before and THIRD in promoted.read()


@pytest.mark.parametrize("flag", ["--dry-run", "--diff"])
def test_a_dry_run_supersedes_nothing(promoted: Sandbox, flag: str) -> None:
    before = promoted.tree_hash()
    would = promoted.run("demote", OLD_KEY, "--by", NEW_KEY, flag, "--json").json
    assert promoted.tree_hash() == before
    assert promoted.run("demote", OLD_KEY, "--by", NEW_KEY, "--json").json["superseded"] == would["superseded"]


def test_a_person_may_take_it_back_while_the_other_stands(promoted: Sandbox) -> None:
    promoted.run("demote", OLD_KEY, "--by", NEW_KEY)
    promoted.run("restore", OLD_KEY)
    assert OLD in promoted.read() and NEW in promoted.read()


def test_what_has_left_itself_takes_nobodys_place(promoted: Sandbox) -> None:
    promoted.run("demote", NEW_KEY)
    outcome = promoted.run("demote", OLD_KEY, "--by", NEW_KEY, code=1)
    assert "was itself demoted or rejected" in outcome.out
    assert OLD in promoted.read()


def test_the_older_wording_comes_back_in_place_of_the_newer(sandbox: Sandbox) -> None:
    old, new = (
        "Install packages with pnpm in this repository.",
        "Install all packages with pnpm in this repository.",
    )
    sandbox.note(f"- {old}\n- {new}\n")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    ids = {text: entry["id"] for text, entry in sandbox.entries().items()}
    sandbox.run("promote", ids[old], "--yes", now="2026-01-03T00:00:00Z")
    sandbox.run("demote", ids[old], "--by", ids[new])
    sandbox.run("promote", ids[new], "--yes", now="2026-01-03T00:00:00Z")
    refused = sandbox.run("restore", ids[old], code=1).out
    assert f"intermem demote {ids[new][:8]}, then restore {ids[old][:8]}" in refused
    sandbox.run("demote", ids[new])
    sandbox.run("restore", ids[old])
    assert (f"- {old}\n" in sandbox.read(), f"- {new}\n" in sandbox.read()) == (True, False)


def test_it_is_said_that_nothing_replaces_it_while_its_heir_is_in_no_document(promoted: Sandbox) -> None:
    fourth = "Never ship on a Friday."
    promoted.note(NOTES + f"- {fourth}\n")
    promoted.run("scan")
    key = identity(fourth)
    said = f"nothing replaces it in AGENTS.md until {key[:8]} is in a document: intermem promote {key[:8]}"
    assert said in promoted.run("demote", OLD_KEY, "--by", key).err
    assert "nothing replaces it" not in promoted.run("demote", NEW_KEY, "--by", THIRD_KEY).err


def test_it_stays_out_when_what_replaced_it_is_purged_until_a_person_restores_it(promoted: Sandbox) -> None:
    promoted.run("demote", OLD_KEY, "--by", NEW_KEY)
    promoted.run("purge", "--id", NEW_KEY, "--from-documents", "--confirm")
    promoted.run("scan", now="2026-01-06T00:00:00Z")
    promoted.run("promote", OLD_KEY, "--yes", code=1, now="2026-01-06T00:00:00Z")
    assert OLD not in promoted.read()
    said = promoted.run("why", OLD_KEY, now="2026-01-06T00:00:00Z").out
    assert f"a person took it out on 2026-01-03; intermem restore {OLD_KEY[:8]} lifts that" in said
    promoted.run("restore", OLD_KEY, now="2026-01-06T00:00:00Z")
    assert OLD in promoted.read()


def test_a_restore_says_what_stands_instead_and_the_way_it_names_works(sandbox: Sandbox) -> None:
    one, other = (f"Never run the deploy from a branch: it pushes the tag {word}." for word in ("too", "as well"))
    sandbox.note(f"- {one}\n", "a.md")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    sandbox.run("promote", "--yes", now="2026-01-03T01:00:00Z")
    first = sandbox.entries()[one]["id"]
    sandbox.run("demote", first, now="2026-01-03T02:00:00Z")
    sandbox.note(f"- {other}\n", "b.md")
    sandbox.scans("2026-01-04", "2026-01-05", "2026-01-06")
    second = sandbox.entries()[other]["id"]
    sandbox.run("restore", second, now="2026-01-06T01:00:00Z")
    sandbox.run("promote", second, "--yes", now="2026-01-06T02:00:00Z")
    said = sandbox.run("restore", first, now="2026-01-07T00:00:00Z", code=1)
    assert f"intermem demote {second[:8]}, then restore {first[:8]}" in said.out + said.err
    sandbox.run("demote", second, now="2026-01-07T00:00:01Z")
    sandbox.run("restore", first, now="2026-01-07T00:00:02Z")
    assert one in sandbox.read() and other not in sandbox.read()


def test_what_stood_nowhere_is_rejected_out_of_nothing(promoted: Sandbox) -> None:
    promoted.run("demote", OLD_KEY)
    promoted.run("reject", OLD_KEY)
    said = promoted.run("why", OLD_KEY).out
    assert said.count(" out of AGENTS.md:") == 1, said
