"""Two branches that each promote three entries, merged by plain git (benchmarks/merges.py has the figures)."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from tests.conftest import git
from tests.old_ledger import as_old_ledger, ledger_in
from tests.people.conftest import FACTS, Person

MERGES = Path(__file__).resolve().parents[2] / "benchmarks" / "merges.py"


def merges() -> ModuleType:
    spec = importlib.util.spec_from_file_location("merges", MERGES)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    import sys

    sys.modules["merges"] = module  # its frozen records ask for their module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("size", [0, 10])
def test_the_ledger_never_conflicts_and_doctor_gives_the_union(size: int) -> None:
    for outcome in merges().measured(size, 2):
        assert not outcome.ledger_conflict
        assert outcome.is_union and outcome.is_untouched and outcome.is_settled


def conflict(person: Person, *, style: str = "merge") -> None:
    person.git("config", "merge.conflictStyle", style)
    person.promotes("locks")
    person.commit("promote")
    person.git("checkout", "-q", "-b", "feature")
    person.promotes("locks", "queue", "tokens", day=6)
    person.commit("promote on feature")
    person.git("checkout", "-q", "main")
    person.promotes("locks", "tabs", "cache", day=10)
    person.commit("promote on main")
    with pytest.raises(AssertionError):
        person.git("merge", "-q", "feature")


@pytest.mark.parametrize("style", ["merge", "diff3", "zdiff3"])
def test_a_conflict_in_the_region_is_repaired_in_the_middle_of_the_merge(person: Person, style: str) -> None:
    conflict(person, style=style)
    found = person.run("doctor", code=1)
    assert "a merge conflict inside the region" in found.out and "doctor --repair" in found.out
    shown = person.run("doctor", "--repair", "--diff", code=1)
    assert "+++ b/AGENTS.md" in shown.out and "<<<<" in person.read()
    person.run("doctor", "--repair")
    assert all(person.holds(name) for name in ("locks", "queue", "tokens", "tabs", "cache"))
    assert "<<<<" not in person.read()
    person.git("add", "-A")
    git(person.root, "commit", "-q", "--no-edit")
    person.sweeps(11)
    assert person.run("doctor").out == "No problems found.\n"
    for name in ("locks", "queue", "tokens", "tabs", "cache"):
        record = person.record(name)
        assert (record["pinned"], record["rejected_at"], record["document"]) == (False, None, "AGENTS.md")
    person.is_settled()


def test_what_one_side_demoted_does_not_come_back_with_a_repair(person: Person) -> None:
    conflict(person)
    person.git("merge", "--abort")
    person.run("demote", person.record("locks")["id"])
    person.commit("demote")
    with pytest.raises(AssertionError):
        person.git("merge", "-q", "feature")
    person.run("doctor", "--repair")
    assert not person.holds("locks") and person.holds("queue") and person.holds("tabs")
    person.git("add", "-A")
    git(person.root, "commit", "-q", "--no-edit")
    person.sweeps(11)
    assert not person.record("locks")["pinned"]


def test_a_conflict_outside_the_region_is_none_of_ours(person: Person) -> None:
    conflict(person)
    text = person.read().replace("Hello.\n", "<<<<<<< HEAD\nHello.\n=======\nHi.\n>>>>>>> feature\n")
    person.write("AGENTS.md", text)
    person.run("doctor", "--repair")
    after = person.read()
    assert "<<<<<<< HEAD\nHello.\n=======\nHi.\n>>>>>>> feature\n" in after
    assert after.count("<<<<<<<") == 1
    assert after[: after.index("<!-- intermem:begin")] == text[: text.index("<!-- intermem:begin")]


def test_both_sides_of_a_conflict_in_a_ledger_of_0_1_count_and_repair_takes_the_marks_out(person: Person) -> None:
    person.promotes("queue")
    ours = as_old_ledger(person.root)
    theirs = ours.replace('"last_seen": "2026-01-03"', '"last_seen": "2026-01-09"')
    person.write(".intermem/ledger.jsonl", f"<<<<<<< HEAD\n{ours}=======\n{theirs}>>>>>>> feature\n")
    assert ledger_in(person.root) == theirs
    assert "a merge conflict" in person.run("doctor", now="2026-01-09T00:00:00Z", code=1).out
    person.run("doctor", "--repair", now="2026-01-09T00:00:00Z")
    assert (person.root / ".intermem/ledger.jsonl").read_text("utf-8") == ours + theirs


def test_an_entry_that_stands_twice_stands_once_after_a_repair(person: Person) -> None:
    person.promotes("queue", "tabs")
    person.edit("<!-- intermem:end -->", f"\n### Other\n\n- {FACTS['queue']}\n<!-- intermem:end -->")
    assert "appears 2 times" in person.run("doctor", code=1).out
    person.run("doctor", "--repair")
    assert person.read().count(FACTS["queue"]) == 1 and person.read().count(FACTS["tabs"]) == 1
    person.is_settled()


def test_doctor_names_what_is_missing_and_how_to_settle_it(person: Person) -> None:
    person.promotes("tabs")
    person.commit("promote")
    person.promotes("tabs", "queue", day=6)
    person.git("checkout", "--", "AGENTS.md")
    key = person.record("queue")["id"][:8]
    said = person.run("doctor", code=1).out
    assert f"intermem restore {key} brings it back, intermem reject {key} gives it up" in said
    person.run("doctor", "--repair", code=1)
    assert not person.holds("queue"), "it is for a person to say"
    person.run("reject", key)
    assert person.run("doctor").out == "No problems found.\n"


def test_diff_goes_with_repair(person: Person) -> None:
    assert "--repair --diff" in person.run("doctor", "--diff", code=2).err


def test_a_repair_makes_no_ledger_where_a_sparse_checkout_leaves_it_out(person: Person) -> None:
    person.promotes("queue")
    person.commit("promote")
    person.git("sparse-checkout", "set", "src")
    assert "sparse-checkout add" in person.run("doctor", "--repair", code=1).out
    assert not (person.root / ".intermem").exists() and person.git("status", "--porcelain") == ""


def test_a_repair_writes_nothing_outside_the_project(person: Person) -> None:
    conflict(person)
    outside = person.root.parent / "outside.md"
    outside.write_bytes((person.root / "AGENTS.md").read_bytes())
    (person.root / "AGENTS.md").unlink()
    (person.root / "AGENTS.md").symlink_to(outside)
    before = outside.read_bytes()
    assert b"<<<<<<<" in before
    assert "outside the project" in person.run("doctor", "--repair", code=1).out
    assert outside.read_bytes() == before


def merge(person: Person, ours: str, theirs: str) -> None:
    """Let main and a branch write these documents, and merge them into a conflict."""
    person.git("checkout", "-q", "-b", "feature")
    person.write("AGENTS.md", theirs)
    person.sweeps(5)
    person.commit("theirs")
    person.git("checkout", "-q", "main")
    person.write("AGENTS.md", ours)
    person.sweeps(6)
    person.commit("ours")
    with pytest.raises(AssertionError):
        person.git("merge", "-q", "feature")


NAMES = ("queue", "tabs", "tokens", "dates")


def test_a_repair_loses_and_doubles_nothing_where_one_side_moved_a_section(person: Person) -> None:
    person.promotes(*NAMES)
    person.commit("promote")
    base = person.read()
    moved = base.replace(f"- {FACTS['dates']}\n", "").replace(
        "### Notes\n", f"### Ahead\n\n- {FACTS['dates']}\n\n### Notes\n"
    )
    merge(person, moved.replace("### Notes", "### Facts"), base.replace("- Run", "- Build first.\n- Run"))
    person.run("doctor", "--repair")
    after = person.read()
    assert [after.count(FACTS[name]) for name in NAMES] == [1, 1, 1, 1] and "- Build first.\n" in after
    assert "### Facts" in after and "### Notes" not in after and "<<<<<<<" not in after
    person.git("add", "-A")
    git(person.root, "commit", "-q", "--no-edit")
    person.sweeps(11)
    assert person.run("doctor").out == "No problems found.\n"


def test_a_repair_keeps_out_what_one_side_took_out_and_the_other_moved(person: Person) -> None:
    person.promotes(*NAMES)
    person.commit("promote")
    base = person.read()
    line = f"- {FACTS['queue']}\n"
    elsewhere = base.replace(line, "").replace("<!-- intermem:end", f"{line}<!-- intermem:end")
    merge(person, base.replace(line, "- Ours.\n"), elsewhere.replace("### Notes\n\n", "### Notes\n\n- Theirs.\n"))
    said = person.run("doctor", "--repair", code=None).out
    assert "except what one side or the ledger removed" in said and FACTS["queue"][:48] in said
    assert not person.holds("queue") and person.holds("Ours.") and person.holds("Theirs.")


def test_a_cherry_pick_in_conflict_is_repaired_too(person: Person) -> None:
    person.promotes(*NAMES)
    person.commit("promote")
    person.git("checkout", "-q", "-b", "feature")
    person.promotes(*NAMES, "locks", day=6)
    person.commit("promote on feature")
    person.git("checkout", "-q", "main")
    person.promotes(*NAMES, "cache", day=10)
    person.edit(f"- {FACTS['queue']}\n", "")
    person.edit("<!-- intermem:end", f"- {FACTS['queue']}\n<!-- intermem:end")
    person.commit("promote on main, and move")
    with pytest.raises(AssertionError):
        person.git("cherry-pick", "feature")
    person.run("doctor", "--repair", code=None)
    assert all(person.read().count(FACTS[name]) == 1 for name in (*NAMES, "locks", "cache"))


def test_what_was_resolved_by_hand_already_stays_as_it_is(person: Person) -> None:
    conflict(person)
    lines = [line for line in person.read().splitlines(keepends=True) if line[:7] not in ("<" * 7, "=" * 7, ">" * 7)]
    by_hand = "".join(
        line for number, line in enumerate(lines) if not line.startswith("-") or line not in lines[:number]
    )
    person.write("AGENTS.md", by_hand.replace("Hello.\n", "<<<<<<< HEAD\nHello.\n=======\nHi.\n>>>>>>> feature\n"))
    before = person.read()
    person.run("doctor", "--repair", code=None)
    assert person.read() == before


@pytest.mark.parametrize("pair", ["moves / adds", "rewords / rewords", "removes / moves"])
def test_edits_of_two_people_come_out_right_by_driver_and_by_repair(pair: str) -> None:
    from benchmarks import merge_edits

    (plain, repaired, driven), must = merge_edits.measured(pair, 2)
    assert driven.conflicts == must and repaired.conflicts == 0
    assert plain.touched == repaired.touched == driven.touched == 0
    assert repaired.wrong == driven.wrong == 0
