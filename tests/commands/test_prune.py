"""``prune``: by age, score or number, or by the retention table; and the part that a sweep does if configured."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from intermem.core.entries.identity import identity
from intermem.errors import EditRefused
from intermem.workflow import changeset
from tests.conftest import Once, Sandbox
from tests.old_ledger import ledger_in

DAYS = ("2026-01-01", "2026-02-01", "2026-03-01", "2026-04-01")
FACTS = (
    "Deploys go through the old box.",
    "Prefer short functions.",
    "The export has local times, never UTC.",
    "Ask for a new token every morning.",
)
ONE, TWO, THREE, FOUR = KEYS = tuple(identity(text) for text in FACTS)
NOW = "2026-04-02T00:00:00Z"
EVENING = "2026-01-03T01:00:00Z"


def four_notes(box: Sandbox) -> None:
    for text, day in zip(FACTS, DAYS, strict=True):
        cites = " See `src/app.py`." if text is FACTS[0] else ""
        box.note(f"---\nname: x\ntype: project\n---\n{text}{cites}\n", "note.md")
        box.scans(day)
    box.note("", "note.md")
    box.run("scan", now=NOW)


def four_promoted(box: Sandbox) -> None:
    box.write("intermem.toml", 'targets = ["AGENTS.md", "docs/b.md"]\n')
    box.write("docs/b.md", "# B\r\n\r\n<!-- intermem:begin -->\r\n<!-- intermem:end -->\r\nNo final newline")
    box.note("".join(f"- {text}\n" for text in FACTS))
    box.scans("2026-01-01", "2026-01-02", "2026-01-03")
    box.run("promote", ONE, TWO, "--yes", "--target", "AGENTS.md", now=EVENING)
    box.run("promote", THREE, FOUR, "--yes", "--target", "docs/b.md", now=EVENING)


@pytest.fixture
def noted(sandbox: Sandbox, once: Once) -> Sandbox:
    """Four notes of type project, last seen on different days, all gone from the memory; the oldest cites a file."""
    once(sandbox, four_notes)
    sandbox.now = NOW
    return sandbox


@pytest.fixture
def promoted(sandbox: Sandbox, once: Once) -> Sandbox:
    """Two entries in each of two documents; the memory still contains them."""
    once(sandbox, four_promoted)
    sandbox.now = EVENING
    return sandbox


def ids(box: Sandbox, status: str | None = None) -> set[str]:
    return {one["id"] for one in box.entries().values() if status in (None, one["status"])}


def of(*numbers: int) -> set[str]:
    """The ids of the notes with these numbers; the first one cites a file, which is part of its text."""
    first = identity(f"{FACTS[0]} See `src/app.py`.")
    return {first if number == 1 else KEYS[number - 1] for number in numbers}


def pruned(box: Sandbox, *arguments: str, now: str | None = None) -> dict[str, Any]:
    """Prune, first dry and then for real; both report the same rows and counts, and the dry run writes nothing."""
    before = box.tree_hash()
    would = box.run("prune", *arguments, "--dry-run", "--json", now=now, code=None)
    assert box.tree_hash() == before
    did = box.run("prune", *arguments, "--json", now=now, code=would.code).json
    assert would.code == (1 if "--expired" not in arguments and not (did["pruned"] or did["spared"]) else 0)
    would = would.json
    assert {**would, "dry_run": False, "warnings": []} == {**did, "warnings": []}
    return did


def rows(told: dict[str, Any], key: str = "demoted") -> set[str]:
    return {one.get("entry", one)["id"] for one in told[key]}


@pytest.mark.parametrize(
    ("arguments", "goes"),
    [
        (["--older-than", "60d"], (1, 2)),
        (["--older-than", "60"], (1, 2)),
        (["--older-than", "61d"], (1,)),
        (["--older-than", "2026-02-01"], (1,)),
        (["--older-than", "2026-02-01T00:00:01Z"], (1, 2)),
        (["--older-than", "8w"], (1, 2)),
        (["--max-age-days", "60"], (1,)),
        (["--max-age-days", "59"], (1, 2)),
        (["--max-age-days", "59", "--basis", "seen"], (1, 2)),
        (["--keep-newest", "1"], (1, 2, 3)),
        (["--keep-newest", "4"], ()),
        (["--min-score", "0.2"], (2,)),
        (["--keep-highest", "2"], (1, 2)),
        (["--older-than", "60d", "--keep-highest", "3"], (2,)),
        (["--keep-newest", "0"], (1, 2, 3, 4)),
        (["--keep-highest", "0"], (1, 2, 3, 4)),
        (["--older-than", "0"], (1, 2, 3, 4)),
        (["--max-age-days", "0"], (1, 2, 3, 4)),
        (["--older-than", "60", "--basis", "used"], (1, 2)),
    ],
)
def test_each_criterion_demotes_what_it_speaks_against(
    noted: Sandbox, arguments: list[str], goes: tuple[int, ...]
) -> None:
    told = pruned(noted, *arguments)
    assert (rows(told), told["evaluated"], told["pruned"]) == (of(*goes), 4, len(goes))
    assert (told["deleted"], told["citations_cascaded"]) == ([], 0)
    assert (ids(noted, "demoted"), ids(noted)) == (of(*goes), of(1, 2, 3, 4))


@pytest.mark.parametrize(
    ("arguments", "evaluated", "goes"),
    [
        (["--section", "Other"], 0, ()),
        (["--search", "DEPLOYS"], 1, (1,)),
        (["--search", "deploys", "--keep-newest", "1"], 1, ()),
        (["--older-than", "60d", "--source", "note.md"], 4, (1, 2)),
        (["--status", "demoted"], 0, ()),
        (["--type", "project", "--keep-newest", "3"], 4, (1,)),
    ],
)
def test_selectors_narrow_what_is_evaluated(
    noted: Sandbox, arguments: list[str], evaluated: int, goes: tuple[int, ...]
) -> None:
    told = pruned(noted, *arguments)
    assert (rows(told), told["evaluated"]) == (of(*goes), evaluated)
    assert ids(noted, "demoted") == of(*goes)


@pytest.mark.parametrize(
    ("arguments", "goes", "citations"),
    [
        (["--older-than", "60d"], (1, 2), 1),
        (["--keep-newest", "3"], (1,), 1),
        (["--min-score", "0.2"], (2,), 0),
        (["--keep-newest", "0"], (1, 2, 3, 4), 1),
    ],
)
def test_delete_takes_rows_and_citations_once_it_is_confirmed(
    noted: Sandbox, arguments: list[str], goes: tuple[int, ...], citations: int
) -> None:
    told = pruned(noted, *arguments, "--delete", "--confirm")
    assert (rows(told, "deleted"), told["demoted"]) == (of(*goes), [])
    assert (told["evaluated"], told["pruned"], told["citations_cascaded"]) == (4, len(goes), citations)
    assert ids(noted) == of(1, 2, 3, 4) - of(*goes)
    history = noted.run("log", "--json", "--limit", "0").json["history"]
    assert {one["id"] for one in history if (one["event"], one["cause"]) == ("deleted", "prune")} == of(*goes)
    assert "No problems found." in noted.run("doctor").out


def test_delete_without_confirm_is_a_preview(noted: Sandbox) -> None:
    before = noted.tree_hash()
    outcome = noted.run("prune", "--older-than", "60d", "--delete")
    assert "Would delete 2 entries, with 1 citation (4 entries evaluated; 2 project)" in outcome.out
    assert "nothing was written: add --confirm to delete them" in outcome.err
    assert noted.tree_hash() == before


def test_what_is_put_away_already_is_deleted_and_not_put_away_again(noted: Sandbox) -> None:
    pruned(noted, "--older-than", "60d")
    again = pruned(noted, "--older-than", "60d")
    assert (again["evaluated"], again["pruned"]) == (2, 0)
    assert "2 entries evaluated: nothing to prune" in noted.run("prune", "--older-than", "60d", code=1).out
    assert rows(pruned(noted, "--older-than", "60d", "--delete", "--confirm"), "deleted") == of(1, 2)


def test_access_counts_for_an_age_as_creation_does_for_what_nobody_asked_for(noted: Sandbox) -> None:
    noted.run("query", "--search", "deploys", now="2026-03-30T00:00:00Z")
    assert rows(pruned(noted, "--max-age-days", "30")) == of(2, 3)
    assert rows(pruned(noted, "--max-age-days", "30", "--basis", "created")) == of(1)


def test_what_nobody_asked_for_is_kept_by_age_and_goes_first_by_number(noted: Sandbox) -> None:
    noted.run("query", "--search", "deploys", now="2026-01-05T00:00:00Z")
    assert rows(pruned(noted, "--keep-newest", "1", "--basis", "accessed")) == of(2, 3, 4)
    assert rows(pruned(noted, "--older-than", "30d", "--basis", "accessed")) == of(1)


def test_a_prune_takes_lines_out_of_every_document(promoted: Sandbox) -> None:
    agents, other = promoted.read(), promoted.read("docs/b.md")
    told = pruned(promoted, "--keep-newest", "1", now="2026-01-04T00:00:00Z")
    kept = min(KEYS)
    assert rows(told) == set(KEYS) - {kept}
    for name, before, facts in (("AGENTS.md", agents, FACTS[:2]), ("docs/b.md", other, FACTS[2:])):
        end = "\r\n" if name == "docs/b.md" else "\n"
        gone = [f"- {text}{end}" for text in facts if identity(text) != kept]
        text = promoted.read(name)
        assert not any(line in text for line in gone)
        assert text.split("<!-- intermem:end -->")[1] == before.split("<!-- intermem:end -->")[1]
    assert ids(promoted, "demoted") == set(KEYS) - {kept}
    assert ledger_in(promoted.root).count('"demoted"') == 3
    promoted.run("sweep", "--no-scan", "--check", now="2026-01-04T00:00:00Z")


def test_deleting_what_stands_takes_it_out_first_and_the_ledger_says_that_it_left(promoted: Sandbox) -> None:
    told = pruned(promoted, "--keep-newest", "0", "--delete", "--confirm")
    assert rows(told, "deleted") == set(KEYS)
    assert "the last scan found 4 of them in the memory: while they are, the next adds them as new" in told["warnings"]
    assert not any(text in promoted.read() + promoted.read("docs/b.md") for text in FACTS)
    assert ledger_in(promoted.root).count('"demoted"') == 4
    counted = promoted.run("status", "--json").json["entries"]
    assert (counted["all"], counted["demoted"]) == (4, 4)
    assert ids(promoted) == ids(promoted, "demoted"), "what the ledger tells of them stays"
    promoted.run("scan", now="2026-01-05T00:00:00Z")
    assert {one["snapshot_count"] for one in promoted.entries().values()} == {1}
    assert promoted.run("promote", "--yes", "--json", now="2026-01-05T00:00:00Z").json["promoted"] == []


def test_what_is_missing_keeps_its_record_as_long_as_the_ledger_promises_it(promoted: Sandbox) -> None:
    promoted.write("AGENTS.md", promoted.read().replace(f"- {FACTS[0]}\n", ""))
    promoted.run("sweep", "--no-scan")
    assert "AGENTS.md lacks 1 entry that the ledger lists" in promoted.run("status").err
    told = pruned(promoted, "--keep-newest", "0", "--delete", "--confirm")
    assert (told["evaluated"], rows(told, "deleted")) == (3, of(2, 3, 4) - {ONE})
    promoted.run("restore", ONE)
    assert FACTS[0] in promoted.read()


@pytest.mark.parametrize("more", [[], ["--delete", "--confirm"]])
def test_what_cannot_be_taken_out_holds_up_no_other(
    promoted: Sandbox, monkeypatch: pytest.MonkeyPatch, more: list[str]
) -> None:
    plan = changeset.plan_demotions

    def refusing(text: str, name: str, wanted: Iterable[str]) -> tuple[str, dict[str, EditRefused]]:
        text, _ = plan(text, name, [key for key in wanted if key != ONE])
        return text, {ONE: EditRefused("it would reach outside the region")} if ONE in wanted else {}

    monkeypatch.setattr(changeset, "plan_demotions", refusing)
    told = promoted.run("prune", "--min-score", "1", "--json", *more, code=1).json
    assert [one["entry"]["id"] for one in told["refused"]] == [ONE]
    assert (rows(told, "deleted" if more else "demoted"), told["pruned"]) == ({TWO, THREE, FOUR}, 3)
    assert promoted.entries()[FACTS[0]]["document"] == "AGENTS.md" and FACTS[0] in promoted.read()
    assert not any(text in promoted.read() + promoted.read("docs/b.md") for text in FACTS[1:])


def test_pinned_and_just_restored_entries_are_spared_and_told_of(promoted: Sandbox) -> None:
    promoted.run("pin", ONE)
    promoted.run("demote", TWO)
    promoted.run("restore", TWO)
    told = pruned(promoted, "--keep-newest", "0", "--delete", "--confirm")
    assert rows(told, "deleted") == {THREE, FOUR}
    assert {one["entry"]["id"]: one["reason"] for one in told["spared"]} == {
        ONE: f"it is pinned: intermem pin {ONE[:8]} --remove unpins it",
        TWO: "put back lately, protected until 2026-01-17",
    }
    assert FACTS[0] in promoted.read() and FACTS[1] in promoted.read()
    later = pruned(promoted, "--keep-newest", "0", "--confirm", now="2026-01-18T00:00:00Z")
    assert (rows(later), rows(later, "spared")) == ({TWO}, {ONE})


def test_what_was_rejected_keeps_its_record(promoted: Sandbox) -> None:
    promoted.run("reject", ONE)
    told = pruned(promoted, "--keep-newest", "0", "--delete", "--confirm")
    assert told["evaluated"] == 3 and rows(told, "deleted") == of(2, 3, 4) - {ONE}


@pytest.mark.parametrize("criterion", ["--keep-newest", "--keep-highest", "--older-than"])
def test_zero_means_everything_and_one_undo_brings_it_back(promoted: Sandbox, criterion: str) -> None:
    before = promoted.read()
    assert promoted.run("prune", criterion, "0", "--json").json["pruned"] == 4
    assert ids(promoted, "demoted") == set(KEYS)
    promoted.run("undo")
    assert promoted.read() == before and ids(promoted, "active") == set(KEYS)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "no criteria given"),
        (["--delete", "--confirm"], "no criteria given"),
        (["--basis", "seen"], "no criteria given"),
        (["--expired", "--keep-newest", "3"], "--expired cannot be combined with --keep-newest"),
        (["--expired", "--older-than", "3d"], "--expired cannot be combined with --older-than"),
        (["--expired", "--basis", "seen"], "--expired cannot be combined with --basis"),
        (["--older-than", "soon"], "--older-than: 'soon'"),
        (["--older-than", ""], "--older-than: ''"),
        (["--older-than", "-5"], "--older-than: '-5'"),
        (["--older-than", "1000y"], "--older-than"),
        (["--keep-newest", "-1"], "--keep-newest"),
        (["--keep-newest", "many"], "--keep-newest"),
        (["--min-score", "1.1"], "--min-score"),
        (["--min-score", "nan"], "--min-score"),
        (["--basis", "guessed", "--keep-newest", "1"], "--basis"),
        (["--basis", "used", "--min-score", "0.3"], "--basis needs a criterion that measures an age"),
        (["--basis", "used", "--type", "project"], "--basis needs a criterion that measures an age"),
    ],
)
def test_bad_criteria_are_one_line_and_change_nothing(noted: Sandbox, arguments: list[str], says: str) -> None:
    before = noted.tree_hash()
    said = noted.run("prune", *arguments, code=2).err
    assert says in said and said.count("error: ") == 1
    assert noted.tree_hash() == before


@pytest.mark.parametrize(
    ("other", "instead"),
    [
        (["--older-than", "30d"], "--older-than"),
        (["--min-score", "0.3"], "--min-score"),
        (["--basis", "seen"], "--older-than"),
    ],
)
def test_the_hint_says_what_to_use_expired_for_and_what_the_other(
    noted: Sandbox, other: list[str], instead: str
) -> None:
    said = noted.run("prune", "--expired", *other, code=2).err
    hint = f"use --expired for the ages per type in [retention], or {instead} without --expired for a limit of your own"
    assert f"hint: {hint}\n" in said


def test_huge_numbers_are_only_large(noted: Sandbox) -> None:
    for arguments in (["--max-age-days", "999999999"], ["--keep-newest", "999999999"], ["--older-than", "99999"]):
        assert pruned(noted, *arguments)["pruned"] == 0


def test_prune_in_a_project_without_state_finds_nothing(sandbox: Sandbox) -> None:
    before = sandbox.tree_hash()
    assert "0 entries evaluated: nothing to prune" in sandbox.run("prune", "--older-than", "1d", code=1).out
    assert sandbox.tree_hash() == before


# The retention table

SHORT_TABLE = "[retention]\nenabled = true\n[retention.days]\nproject = 45\n"
OLD_TABLE = "[retention]\nenabled = true\n"


def test_retention_demotes_by_type_and_deletes_what_was_put_away_long_ago_once_confirmed(noted: Sandbox) -> None:
    noted.write("intermem.toml", SHORT_TABLE)
    told = pruned(noted, "--expired")
    assert (rows(told), told["deleted"], told["evaluated"]) == (of(1, 2), [], 4)
    autumn = "2026-09-30T00:00:00Z"
    later = pruned(noted, "--expired", now=autumn)
    assert (rows(later), later["deleted"], ids(noted)) == (of(3, 4), [], of(1, 2, 3, 4))
    told = "2 records were demoted long ago: intermem prune --expired --delete --confirm deletes what has expired"
    assert told in noted.run("prune", "--expired", now=autumn).err
    last = pruned(noted, "--expired", "--delete", "--confirm", now=autumn)
    assert (rows(last, "deleted"), last["citations_cascaded"]) == (of(1, 2), 1)
    assert (ids(noted), ids(noted, "demoted")) == (of(3, 4), of(3, 4))


def test_selectors_narrow_what_expires(noted: Sandbox) -> None:
    noted.write("intermem.toml", SHORT_TABLE)
    told = pruned(noted, "--expired", "--search", FACTS[1].split()[0], "--type", "PROJECT")
    assert (rows(told), told["evaluated"], ids(noted, "demoted")) == (of(2), 1, of(2))
    for nothing in ("--type=user", "--status=rejected"):
        assert "0 entries evaluated: nothing to prune" in noted.run("prune", "--expired", nothing, code=1).out


def test_what_protects_a_record_counts_whatever_the_selectors_are(noted: Sandbox) -> None:
    noted.write("intermem.toml", SHORT_TABLE)
    noted.run("demote", THREE, "--by", TWO)
    for more, others in (((), of(1)), (("--search", FACTS[1].split()[0]), of())):
        told = noted.run("prune", "--expired", *more, "--dry-run", "--json", code=int(not others)).json
        assert rows(told) == others
        assert [(row["entry"]["id"], row["reason"]) for row in told["spared"]] == [(TWO, "it superseded another entry")]


def test_the_table_merges_with_the_defaults(noted: Sandbox) -> None:
    noted.write("intermem.toml", "[retention]\nenabled = true\n[retention.days]\nother = 3\n")
    assert pruned(noted, "--expired")["pruned"] == 0
    assert rows(pruned(noted, "--expired", now="2027-02-02T00:00:00Z")) == of(1, 2), "the default of project is 365"


def test_a_type_that_the_table_does_not_name_is_never_swept(sandbox: Sandbox) -> None:
    sandbox.write("intermem.toml", OLD_TABLE)
    sandbox.note("- Untyped.\n")
    sandbox.note("---\nname: x\ntype: strange\n---\nOf a type of its own.\n", "x.md")
    sandbox.scans("2026-01-01")
    assert pruned(sandbox, "--expired", now="2099-01-01T00:00:00Z")["pruned"] == 0


def test_a_type_that_no_entry_has_is_a_warning(noted: Sandbox) -> None:
    noted.write("intermem.toml", "[retention]\nenabled = true\n[retention.days]\nPROJECT = 1\n")
    said = noted.run("prune", "--expired", "--dry-run", now="2026-03-01T00:00:00Z")
    assert "notes of type project are kept for 1 day\n" in said.out and "no entry is of that type" not in said.err
    noted.write("intermem.toml", "[retention]\nenabled = true\n[retention.days]\nprojekt = 45\n")
    assert "retention.days names projekt, but no entry is of that type" in noted.run("prune", "--expired").err
    noted.write("intermem.toml", SHORT_TABLE)
    assert "no entry is of" not in noted.run("prune", "--expired", "--dry-run").err
    noted.write("intermem.toml", '[decay.types]\nrefrence = "none"\n')
    assert "decay.types names refrence, but no entry is of that type" in noted.run("status").err
    noted.write("intermem.toml", '[decay.types]\nreference = "none"\n')
    assert "no entry is of" not in noted.run("status").err


def test_what_stands_in_a_document_never_expires(promoted: Sandbox) -> None:
    promoted.write(
        "intermem.toml", promoted.read("intermem.toml") + "[retention]\nenabled = true\ndays = {untyped = 1}\n"
    )
    promoted.note("")
    promoted.run("demote", TWO)
    assert (
        rows(pruned(promoted, "--expired", "--delete", "--confirm", now="2026-08-01T00:00:00Z"), "deleted") == set()
    ), "the memory held it"
    promoted.run("scan", now="2026-01-04T00:00:00Z")
    assert rows(pruned(promoted, "--expired", "--delete", "--confirm", now="2026-08-01T00:00:00Z"), "deleted") == {TWO}
    assert FACTS[0] in promoted.read() and FACTS[2] in promoted.read("docs/b.md")


def test_records_that_stay_although_their_time_is_up_are_told_with_the_reason(sandbox: Sandbox) -> None:
    sandbox.note("- Prefer short functions.\n- Never deploy on a Friday.\n")
    sandbox.scans("2026-01-01")
    (first, second) = sorted(one["id"] for one in sandbox.entries().values())
    sandbox.run("demote", first, second, now="2026-01-02T00:00:00Z")
    now = "2026-12-01T00:00:00Z"
    said = sandbox.run("prune", "--expired", "--delete", "--confirm", now=now).out
    assert said.count("a person took it out, and the last scan found it in the memory") == 2
    assert f"Spared {first[:8]}: " in said and "nothing to prune" in said
    assert "Spared" not in sandbox.run("prune", "--expired", now=now).out, "records go with --delete alone"


@pytest.mark.parametrize("criterion", [("--min-score", "0.3"), ("--older-than", "90d"), ("--min-left", "0.2")])
def test_what_stands_in_the_memory_does_not_go_for_want_of_a_scan(
    promoted: Sandbox, criterion: tuple[str, str]
) -> None:
    promoted.note("".join(f"- {text}\n" for text in FACTS[:3]))
    told = promoted.run("prune", *criterion, "--json", now="2026-06-01T00:00:00Z").json
    assert rows(told) == {FOUR}, "the one that the memory has no more"
    assert any("kept 3 entries that stand in the memory: intermem scan reads it" in one for one in told["warnings"])


def test_what_stands_in_the_memory_does_not_expire_for_want_of_a_scan(promoted: Sandbox) -> None:
    promoted.note("---\nname: x\ntype: project\n---\nThe cache is warmed at five.\n", "note.md")
    promoted.run("scan", now="2026-01-04T00:00:00Z")
    retention = "[retention]\nenabled = true\ndays = {project = 60}\n"
    promoted.write("intermem.toml", promoted.read("intermem.toml") + retention)
    told = pruned(promoted, "--expired", now="2026-06-01T00:00:00Z")
    assert told["demoted"] == []
    assert any("kept 1 entry that stands in the memory" in one for one in told["warnings"])


def test_expired_entries_are_deleted_at_once_only_when_confirmed(noted: Sandbox) -> None:
    noted.write("intermem.toml", SHORT_TABLE)
    before = noted.tree_hash()
    assert "add --confirm" in noted.run("prune", "--expired", "--delete").err
    assert noted.tree_hash() == before
    assert rows(pruned(noted, "--expired", "--delete", "--confirm"), "deleted") == of(1, 2)
    assert ids(noted) == of(3, 4)


def swept(box: Sandbox, *arguments: str) -> dict[str, Any]:
    return box.run("sweep", "--json", *arguments, now="2026-09-30T00:00:00Z").json


def a_hundred_notes(box: Sandbox) -> None:
    notes = [f"- {chr(0x4E00 + number) * 9}\n" for number in range(100)]
    box.note(f"---\nname: x\ntype: project\n---\n\n## A\n\n{''.join(notes)}\n## B\n", "x.md")
    box.scans("2026-01-01")
    box.run("demote", "--search", notes[0][2:].strip(), now="2026-01-02T00:00:00Z")
    box.note(f"---\nname: x\ntype: project\n---\n\n## A\n\n{notes[99]}\n## B\n", "x.md")
    box.scans("2026-01-03")


@pytest.fixture
def crowded(sandbox: Sandbox, once: Once) -> Sandbox:
    """A hundred notes, one of them demoted; all but one are gone from the memory."""
    once(sandbox, a_hundred_notes)
    return sandbox


AT_SWEEP = "[retention]\nenabled = true\nat_sweep = true\n[retention.days]\nproject = 45\n"


def test_a_sweep_ends_with_retention_where_it_is_asked_to(crowded: Sandbox) -> None:
    crowded.write("intermem.toml", AT_SWEEP)
    before = crowded.tree_hash()
    would = swept(crowded, "--dry-run")
    crowded.run("sweep", "--no-scan", "--check", now="2026-09-30T00:00:00Z", code=1)
    assert crowded.tree_hash() == before
    last = crowded.run("undo", "--list", "--json").json["operations"][0]["operation"]
    did = swept(crowded)
    assert (len(did["expired"]), len(did["deleted"])) == (98, 1)
    assert (would["expired"], would["deleted"]) == (did["expired"], did["deleted"])
    assert {one["status"] for one in crowded.entries().values()} == {"demoted", "active"}
    again = swept(crowded)
    assert (again["expired"], again["deleted"]) == ([], [])
    crowded.run("sweep", "--no-scan", "--check", now="2026-09-30T00:00:00Z")
    assert [text[0] for text in crowded.entries()].count("(") == 1, "of its record only what the ledger tells is left"
    crowded.run("undo", str(last + 1))
    assert [text[0] for text in crowded.entries()].count("(") == 0


@pytest.mark.parametrize(
    "table",
    [
        "",
        "[retention]\nenabled = true\n[retention.days]\nproject = 45\n",
        AT_SWEEP.replace("at_sweep = true", "at_sweep = false"),
        AT_SWEEP.replace("enabled = true", "enabled = false"),
    ],
)
def test_a_sweep_lets_nothing_go_by_type_or_age_where_it_is_not_asked_to(crowded: Sandbox, table: str) -> None:
    crowded.write("intermem.toml", table)
    told = swept(crowded)
    assert (told["expired"], told["deleted"], len(crowded.entries())) == ([], [], 100)


def test_a_sweep_deletes_what_was_put_away_long_ago_also_of_few_entries(noted: Sandbox) -> None:
    noted.write("intermem.toml", AT_SWEEP)
    keys = [str(one["id"]) for one in noted.entries().values()]
    assert 1 < len(keys) < 100
    noted.run("demote", keys[0], now="2026-02-01T00:00:00Z")
    noted.note("- Something else altogether.\n")
    noted.run("sweep", "--no-demote", now="2026-07-29T00:00:00Z")
    told = noted.run("sweep", "--json", now="2026-07-30T00:00:00Z").json
    assert (told["expired"], told["deleted"]) == ([], []), "179 days"
    told = noted.run("sweep", "--json", now="2026-07-31T00:00:00Z").json
    assert (told["expired"], [one["id"] for one in told["deleted"]]) == ([], keys[:1])


def test_a_sweep_says_that_at_sweep_alone_does_nothing(noted: Sandbox) -> None:
    noted.write("intermem.toml", AT_SWEEP.replace("enabled = true", "enabled = false"))
    note = "retention.at_sweep does nothing while retention.enabled is false"
    assert note in noted.run("sweep", "--dry-run").err
    assert note not in noted.run("sweep", "--dry-run", "--no-demote").err
    noted.write("intermem.toml", AT_SWEEP)
    assert note not in noted.run("sweep", "--dry-run").err


def test_a_sweep_that_demotes_nothing_lets_nothing_go_by_age_either(crowded: Sandbox) -> None:
    crowded.write("intermem.toml", AT_SWEEP)
    told = swept(crowded, "--no-demote")
    assert (told["expired"], told["deleted"], len(crowded.entries())) == ([], [], 100)


def test_what_retention_lets_go_is_counted_by_type_and_listed_on_request(crowded: Sandbox) -> None:
    crowded.write("intermem.toml", AT_SWEEP)
    brief, full = (
        crowded.run("sweep", "--dry-run", *more, now="2026-09-30T00:00:00Z").out for more in ((), ("--verbose",))
    )
    assert "98 entries would be demoted by retention (98 project)" in brief
    assert "1 entry would be deleted by retention (1 " in brief, "undo brings it back"
    assert len(full.splitlines()) > len(brief.splitlines()) + 90
    kept = crowded.run("sweep", "--no-demote", "--dry-run", now="2026-09-30T00:00:00Z").err
    assert "99 entries are past their retention, and --no-demote keeps them" in kept
    for verb in ("sweep", "curate"):  # no commit tells of it
        told = crowded.run(verb, "--dry-run", "--message", now="2026-09-30T00:00:00Z").err
        assert "note: 1 entry would be deleted by retention\n" in told
    swept = crowded.run("sweep", now="2026-09-30T00:00:00Z").out
    assert "intermem undo brings back what was deleted" in swept and "nothing to demote" not in swept
    crowded.run("undo", now="2026-09-30T00:00:00Z")
    assert "note: 1 entry deleted by retention\n" in crowded.run("sweep", "--message", now="2026-09-30T00:00:00Z").err
    archived = crowded.run("query", "--demoted", "--limit", "0", "--json", now="2026-09-30T01:00:00Z").json["entries"]
    assert {row["original_confidence"] for row in archived} - {None} == {0.5}


def test_a_sweep_over_few_entries_lets_nothing_go(noted: Sandbox) -> None:
    noted.write("intermem.toml", AT_SWEEP)
    told = swept(noted)
    assert (told["expired"], told["deleted"]) == ([], [])


def test_a_document_that_was_refused_holds_up_no_other(promoted: Sandbox) -> None:
    promoted.write("docs/b.md", promoted.read("docs/b.md").replace("<!-- intermem:end -->", ""))
    told = promoted.run("prune", "--keep-newest", "0", "--confirm", "--json", code=2).json
    assert (rows(told, "demoted"), {one["entry"]["id"] for one in told["refused"]}) == ({ONE, TWO}, {THREE, FOUR})
    assert FACTS[0] not in promoted.read() and FACTS[2] in promoted.read("docs/b.md")


def test_a_date_that_is_still_to_come_means_everything_too(promoted: Sandbox) -> None:
    assert promoted.run("prune", "--older-than", "2099-01-01", "--dry-run", "--json").json["pruned"] == 4


def test_a_deleted_record_leaves_its_history(promoted: Sandbox) -> None:
    promoted.run("prune", "--keep-newest", "0", "--delete", "--confirm")
    assert "deleted" in promoted.run("log", ONE).out
    assert "no entry starts with" in promoted.run("log", "ffff", code=2).err


def test_what_was_deleted_before_any_commit_had_it_comes_back_by_undo_and_restore_says_so(promoted: Sandbox) -> None:
    said = promoted.run("prune", "--keep-newest", "0", "--delete", "--confirm")
    assert "restore brings it back if a commit has it" in said.err
    refused = promoted.run("restore", ONE, code=1).out
    assert "its record was deleted: intermem undo --list says whether undo can bring it back" in refused
    promoted.run("undo")
    assert FACTS[0] in promoted.read()


def test_a_confirmation_of_nothing_is_told(promoted: Sandbox) -> None:
    assert "--confirm had nothing to confirm" in promoted.run("prune", "--keep-newest", "3", "--confirm").err
    said = promoted.run("prune", "--keep-newest", "2", "--delete", "--confirm").err
    assert "nothing to confirm" not in said


def test_what_is_told_of_a_deleted_record_says_so(promoted: Sandbox) -> None:
    promoted.commit("promoted")
    promoted.run("demote", ONE)
    promoted.run("demote", TWO, "--by", THREE)
    promoted.note("")
    promoted.run("scan", now=EVENING)
    later = "2026-12-01T00:00:00Z"
    before = promoted.run("query", "--demoted", "--json", now=later).json["entries"]
    assert not any("deleted" in one["reason"] for one in before)
    assert "no record" not in promoted.run("show", ONE, now=later).err
    promoted.run("prune", "--expired", "--delete", "--confirm", now=later)
    after = promoted.run("query", "--demoted", "--json", now=later).json["entries"]
    assert {one["id"]: one["reason"] for one in after} == {
        ONE: "record deleted; demoted on 2026-01-03, according to the ledger: by hand",
        TWO: f"record deleted; demoted on 2026-01-03, according to the ledger: superseded by {THREE[:8]}",
    }
    assert "record deleted; " in promoted.run("query", "--demoted", "--format", "md", now=later).out
    assert "no record of it here: record deleted; " in promoted.run("show", ONE, now=later).err
    promoted.run("restore", TWO, now=later)
    assert FACTS[1] in promoted.read() and "no record" not in promoted.run("show", TWO, now=later).err


def test_a_search_tells_of_a_deleted_record_what_ledger_and_history_do(promoted: Sandbox) -> None:
    promoted.commit("promoted")
    promoted.run("prune", "--search", FACTS[1], "--delete", "--confirm")
    promoted.commit("pruned")
    (told,) = promoted.run("query", "--search", FACTS[1], "--json", "--no-touch").json["entries"]
    assert (told["id"], told["status"], told["text"]) == (TWO, "demoted", FACTS[1])
    assert told["reason"].startswith("record deleted; demoted on ")


def test_what_selectors_alone_let_go_has_them_as_its_reason(promoted: Sandbox) -> None:
    promoted.run("prune", "--search", FACTS[0].split()[0], "--type", "untyped")
    (row,) = promoted.run("query", "--demoted", "--json").json["entries"]
    assert row["reason"] == "pruned: --search (1 word); --type untyped"


@pytest.mark.parametrize("more", [(), ("--dry-run",), ("--delete", "--confirm")])
def test_a_prune_that_spares_all_that_it_finds_exits_1_and_says_how_to_unpin(
    promoted: Sandbox, more: tuple[str, ...]
) -> None:
    promoted.run("pin", ONE)
    said = promoted.run("prune", "--search", "box", *more, code=1).out
    assert f"Spared {ONE[:8]}: it is pinned: intermem pin {ONE[:8]} --remove unpins it" in said


@pytest.mark.parametrize("preview", [(), ("--dry-run",)])
@pytest.mark.parametrize("more", [(), ("--delete", "--confirm")])
def test_entries_are_told_as_they_are_afterwards(
    promoted: Sandbox, preview: tuple[str, ...], more: tuple[str, ...]
) -> None:
    (row,) = promoted.run("prune", "--search", "box", *more, *preview, "--json").json["deleted" if more else "demoted"]
    assert (row["status"], row["document"], row["demoted_at"]) == ("demoted", None, EVENING)
    if not more and not preview:
        assert promoted.run("query", "--demoted", "--json", "--no-touch").json["entries"] == [row]


@pytest.mark.parametrize("criterion", [["--min-score", "0.5"], ["--keep-highest", "2"]])
def test_a_confidence_is_that_of_citations_judged_now(sandbox: Sandbox, criterion: list[str]) -> None:
    sandbox.note("- Start with `src/app.py`.\n- Deploys go through the old box.\n- Prefer short functions.\n")
    sandbox.scans("2026-01-01")
    sandbox.git("rm", "-q", "src/app.py")
    sandbox.commit("remove the application")
    told = sandbox.run("prune", *criterion, "--json", now="2026-01-02").json
    (entry,) = told["demoted"]
    assert entry["text"] == "Start with `src/app.py`." and "confidence 0.1" in entry["reason"]


@pytest.mark.parametrize("delete", [False, True])
def test_what_is_pruned_is_counted_by_type(crowded: Sandbox, delete: bool) -> None:
    crowded.write("intermem.toml", AT_SWEEP)
    arguments = ["prune", "--expired", "--dry-run", *(["--delete"] if delete else [])]
    told = crowded.run(*arguments, "--json", now="2026-09-30T00:00:00Z").json
    gone = [*told["demoted"], *told["deleted"]]
    assert told["by_type"] == {kind: sum(one["type"] == kind for one in gone) for kind in {one["type"] for one in gone}}
    assert told["pruned"] == sum(told["by_type"].values()) > 90
    said = crowded.run(*arguments, now="2026-09-30T00:00:00Z").out
    assert f"{told['by_type']['project']} project" in said and "evaluated; " in said


def test_what_is_deleted_is_found_by_no_search(noted: Sandbox) -> None:
    noted.run("query", "--search", "deploys", "--no-touch")
    noted.run("prune", "--older-than", "60d", "--delete", "--confirm")
    noted.run("query", "--search", "deploys", "--no-touch", code=1)
    noted.run("undo")
    noted.run("query", "--search", "deploys", "--no-touch")


@pytest.mark.parametrize("verb", ["prune", "demote"])
def test_a_record_stays_where_nothing_else_says_that_a_person_took_it_out(sandbox: Sandbox, verb: str) -> None:
    sandbox.write("intermem.toml", "[retention]\nenabled = true\n")
    text = "Parking permits are renewed at the front desk weekly."
    sandbox.run("init")
    sandbox.note(f"- {text}\n")
    sandbox.run("scan")
    key = sandbox.entries()[text]["id"]
    taken = ["prune", "--search", "parking", "--older-than", "0"] if verb == "prune" else ["demote", key]
    sandbox.run(*taken, now="2026-01-02T00:00:00Z")
    sandbox.note("- Something else.\n")
    sandbox.run("scan", now="2026-01-03T00:00:00Z")
    out = sandbox.run("prune", "--expired", "--delete", "--confirm", now="2026-08-01T00:00:00Z", code=None).out
    assert ("nothing but its record says so" in out) == (verb == "prune")
    sandbox.note(f"- {text}\n")
    sandbox.scans("2026-08-02", "2026-08-03", "2026-08-04")
    sandbox.run("promote", "--yes", now="2026-08-05T00:00:00Z", code=None)
    assert text not in sandbox.read()


@pytest.mark.parametrize("more", [[], ["--delete", "--confirm"], ["--dry-run"]])
def test_json_names_the_documents_that_lose_a_line(sandbox: Sandbox, more: list[str]) -> None:
    sandbox.note("- Never fire the kiln without its lid.\n")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    sandbox.run("promote", "--yes", now="2026-01-03T01:00:00Z")
    key = next(iter(sandbox.entries().values()))["id"]
    sandbox.note("")
    sandbox.run("scan", now="2026-01-04T00:00:00Z")
    told = sandbox.run("prune", "--older-than", "0", *more, "--json", now="2026-06-01T00:00:00Z").json
    assert told["documents"] == {key: "AGENTS.md"}
