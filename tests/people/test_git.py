"""What people do with git around a run: nothing is lost, pinned or rejected that nobody touched."""

from __future__ import annotations

import shutil
from collections.abc import Callable

from intermem.core.entries.identity import identity
from tests.conftest import Sandbox, git
from tests.old_ledger import events_in
from tests.people.conftest import FACTS, Person

Colleague = Callable[..., Person]


def untouched(person: Person, *names: str) -> None:
    """Nothing is recorded as done by a person to these entries."""
    for name in names:
        record = person.record(name)
        assert (record["pinned"], record["rejected_at"], record["missing_from"]) == (False, None, None), record


def test_a_switch_to_an_older_branch_and_back_needs_no_force(person: Person) -> None:
    person.git("branch", "older")
    person.promotes("queue", "tabs")
    person.commit("promote")
    for day, branch in ((5, "older"), (6, "main"), (7, "older"), (8, "main")):
        person.git("checkout", "-q", branch)
        person.sweeps(day)
        assert person.git("status", "--porcelain") == ""
        assert person.holds("queue") == (branch == "main")
        untouched(person, "queue", "tabs")
    assert person.record("queue")["document"] == "AGENTS.md"
    events = [row["event"] for row in person.run("log", person.record("queue")["id"], "--json").json["history"]]
    assert events.count("promoted") == 1 and not {"adopted", "restored", "missing"} & set(events)


def test_a_promotion_that_was_reverted_on_another_branch_stays_here(person: Person) -> None:
    person.promotes("queue", "tabs")
    person.commit("promote")
    person.git("checkout", "-q", "-b", "other")
    person.git("revert", "--no-edit", "HEAD")
    person.at(5).run("sweep")
    assert person.record("queue")["rejected_at"] is not None
    for day in (6, 7):
        person.at(day).run("scan")
    person.run("promote", "--yes", code=None)
    assert not person.holds("queue"), "what a person took out in a commit does not come back by itself"
    person.commit("whatever changed")
    person.git("checkout", "-q", "main")
    person.sweeps(8, 9)
    assert person.holds("queue") and person.record("queue")["document"] == "AGENTS.md"
    assert not person.record("queue")["pinned"]
    assert person.git("status", "--porcelain") == ""


def test_a_reverted_promotion_does_not_come_back_in_the_clone_of_somebody_who_never_promoted_it(
    person: Person, colleague: Colleague
) -> None:
    person.promotes("queue")
    person.commit("promote")
    person.git("revert", "--no-edit", "HEAD")
    ben = colleague()
    ben.remembers("queue")
    for day in (3, 4, 5):
        ben.at(day).run("scan")
    out = ben.run("promote", "--yes").out
    assert not ben.holds("queue") and "rejected" in out


def test_a_promotion_discarded_in_the_document_alone_is_missing_and_not_rejected(person: Person) -> None:
    person.promotes("tabs")
    person.commit("promote")
    person.promotes("tabs", "queue", day=6)
    person.git("checkout", "--", "AGENTS.md")
    person.sweeps(7, 8)
    assert person.record("queue")["missing_from"] == "AGENTS.md"
    assert person.record("queue")["rejected_at"] is None
    person.commit("the ledger alone")
    person.sweeps(9, 10)
    assert person.record("queue")["rejected_at"] is None and person.standing("queue") == "promoted"
    untouched(person, "tabs")


def test_a_promotion_discarded_as_a_whole_may_be_made_again(person: Person) -> None:
    person.promotes("tabs")
    person.commit("promote")
    person.promotes("tabs", "queue", day=6)
    person.git("checkout", "--", ".")
    person.git("clean", "-fdq", ".intermem")
    person.sweeps(7)
    untouched(person, "queue", "tabs")
    person.run("promote", "--yes")
    assert person.holds("queue")


def test_a_stash_around_a_sweep(person: Person) -> None:
    person.promotes("queue", "tabs")
    person.commit("promote")
    person.goes_stale(40)
    assert not person.holds("queue")
    person.git("stash", "-q")
    assert person.holds("queue")
    person.sweeps(42)
    person.write("other.txt", "work\n")
    person.git("add", "other.txt")
    person.git("commit", "-q", "-m", "other work")
    person.sweeps(43, 44)
    assert person.holds("queue")
    untouched(person, "queue", "tabs")
    person.git("stash", "pop", "-q")
    person.sweeps(45)
    assert not person.holds("queue") and person.record("queue")["status"] == "demoted"
    untouched(person, "queue", "tabs")
    person.is_settled()


def test_a_stashed_promotion(person: Person) -> None:
    person.promotes("tabs")
    person.commit("promote")
    person.promotes("tabs", "queue", day=6)
    person.git("stash", "-q")
    person.sweeps(7)
    person.git("stash", "pop", "-q")
    person.sweeps(8)
    assert person.record("queue")["document"] == "AGENTS.md"
    untouched(person, "queue", "tabs")


def conflict(person: Person) -> None:
    """Two branches that promote different entries into one place."""
    person.git("checkout", "-q", "-b", "feature")
    person.promotes("queue", "tokens")
    person.commit("promote on feature")
    person.git("checkout", "-q", "main")
    person.promotes("tabs", "cache", day=6)
    person.commit("promote on main")


def merged(person: Person, branch: str, side: str) -> None:
    """Merge, and resolve a conflict in the document in favour of one side, as people do."""
    with_conflict = "CONFLICT" in person_output(person, "merge", "-q", branch)
    if with_conflict:
        person.git("checkout", side, "--", "AGENTS.md")
    person.commit("merge")


def person_output(person: Person, *arguments: str) -> str:
    import subprocess

    command = ["git", "-C", str(person.root), "-c", "user.name=A", "-c", "user.email=a@example.invalid", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def test_a_conflict_settled_with_ours(person: Person) -> None:
    conflict(person)
    merged(person, "feature", "--ours")
    assert ".intermem" not in person.git("diff", "--name-only", "--diff-filter=U"), "the ledger never conflicts"
    assert len(person.ledger()) == 4
    person.sweeps(10, 11)
    for name in ("tabs", "cache"):
        assert person.holds(name)
        untouched(person, name)
    for name in ("queue", "tokens"):
        record = person.record(name)
        assert (record["missing_from"], record["rejected_at"], record["pinned"]) == ("AGENTS.md", None, False)


def test_a_conflict_settled_with_theirs(person: Person) -> None:
    conflict(person)
    merged(person, "feature", "--theirs")
    person.sweeps(10, 11)
    for name in ("queue", "tokens"):
        assert person.holds(name)
        untouched(person, name)
    for name in ("tabs", "cache"):
        record = person.record(name)
        assert (record["missing_from"], record["rejected_at"], record["pinned"]) == ("AGENTS.md", None, False)
    person.run("restore", *(person.record(name)["id"] for name in ("tabs", "cache")))
    assert all(person.holds(name) for name in ("queue", "tokens", "tabs", "cache"))
    person.is_settled()


def test_a_rebase_and_a_squash_merge(person: Person) -> None:
    person.git("checkout", "-q", "-b", "feature")
    person.promotes("queue")
    person.commit("promote")
    person.sweeps(5)
    person.git("checkout", "-q", "main")
    person.write("other.txt", "work\n")
    person.commit("other work")
    person.git("checkout", "-q", "feature")
    person.git("rebase", "-q", "main")
    person.sweeps(6)
    person.git("checkout", "-q", "main")
    person.sweeps(7)
    person.git("merge", "-q", "--squash", "feature")
    person.commit("squashed")
    person.sweeps(8)
    person.git("branch", "-q", "-D", "feature")
    assert person.record("queue")["document"] == "AGENTS.md"
    untouched(person, "queue")
    person.take_out("queue")
    person.commit("take it out")
    person.sweeps(9)
    assert person.standing("queue") == "rejected"


def test_two_worktrees_that_sweep_in_turn(person: Person) -> None:
    person.promotes("queue", "tabs")
    person.commit("promote")
    person.git("worktree", "add", "-q", "-b", "other", str(person.root.parent / "second"))
    second = Person(person.root.parent / "second", person.memory, person.capture)
    person.goes_stale(40)
    person.commit("demote")
    for day in range(42, 50):
        for one in (second, person):
            one.sweeps(day)
    assert second.holds("queue") and not person.holds("queue")
    assert "AGENTS.md" not in second.git("status", "--porcelain") + person.git("status", "--porcelain")
    assert not second.record("queue")["pinned"]
    events = [row["event"] for row in person.run("log", second.record("queue")["id"], "--json").json["history"]]
    assert events.count("promoted here") == events.count("demoted") == 1, "told once, not at every turn"


def test_without_a_memory_status_says_where_ages_come_from(person: Person, colleague: Colleague) -> None:
    from intermem.cli.main import main

    person.promotes("queue", day=10)
    person.commit("promote")
    ben = colleague()
    ben.capture.readouterr()
    assert main(["status", "--project-root", str(ben.root), "--now", ben.now]) == 0
    assert "ages come from the ledger, stale streaks from the history" in ben.capture.readouterr().err
    assert "nothing is on record here yet: ages come from the ledger" in ben.run("status").err


def test_a_clone_without_the_ledger(person: Person, colleague: Colleague) -> None:
    person.promotes("queue")
    person.git("add", "AGENTS.md")
    person.git("commit", "-q", "-m", "the document alone")
    ben = colleague()
    ben.sweeps(5)
    record = ben.record("queue")
    assert (record["document"], record["pinned"], record["last_seen"]) == ("AGENTS.md", False, "2026-01-06T00:00:00Z")
    assert not ben.ledger()
    ben.promotes("tabs", day=8)
    assert {ben.standing("queue"), ben.standing("tabs")} == {"promoted"}


def test_the_document_committed_without_its_ledger(person: Person) -> None:
    person.promotes("tabs")
    person.commit("promote")
    person.promotes("tabs", "queue", day=6)
    person.git("add", "AGENTS.md")
    person.git("commit", "-q", "-m", "the document alone")
    person.git("checkout", "--", ".intermem")
    person.sweeps(7)
    assert person.standing("queue") == "promoted", "our own record knows that it was promoted"
    untouched(person, "queue", "tabs")


def test_a_demotion_of_which_the_ledger_alone_was_committed(person: Person, colleague: Colleague) -> None:
    person.promotes("queue", "tabs")
    person.commit("promote")
    person.goes_stale(40)
    person.git("add", ".intermem")
    person.git("commit", "-q", "-m", "the ledger alone")
    ben = colleague()
    ben.sweeps(43)
    assert ben.holds("queue") and not ben.record("queue")["pinned"], "nobody put it back: it never left"
    assert ben.standing("queue") == "demoted"
    assert ", is back: intermem reject" in ben.run("status").err, "a person decides"
    ben.is_settled()


def test_a_demotion_of_which_the_document_alone_was_committed(person: Person) -> None:
    person.promotes("queue", "tabs")
    person.commit("promote")
    person.goes_stale(40)
    person.git("add", "AGENTS.md")
    person.git("commit", "-q", "-m", "the document alone")
    person.git("checkout", "--", ".intermem")
    person.sweeps(43)
    record = person.record("queue")
    assert not person.holds("queue") and record["rejected_at"] is None and not record["pinned"]


def test_a_demotion_whose_ledger_was_discarded_is_written_down_again(person: Person) -> None:
    person.promotes("queue", "tabs")
    person.commit("promote")
    person.goes_stale(40)
    person.git("checkout", "--", ".intermem")
    person.sweeps(43)
    assert person.standing("queue") == "demoted" and person.record("queue")["status"] == "demoted"
    person.is_settled()


def test_git_clean_takes_nothing_that_matters(person: Person) -> None:
    person.promotes("queue", "tabs")
    person.git("add", "AGENTS.md")
    person.git("commit", "-q", "-m", "the document alone")
    person.git("clean", "-fdxq")
    assert not person.ledger()
    person.sweeps(5)
    assert person.record("queue")["document"] == "AGENTS.md"
    untouched(person, "queue", "tabs")
    person.promotes("queue", "tabs", "cache", day=8)
    assert [person.standing(name) for name in ("queue", "tabs", "cache")] == ["promoted"] * 3


def test_a_deleted_folder_is_written_again_by_the_next_promotion(person: Person) -> None:
    person.promotes("queue")
    person.commit("promote")
    shutil.rmtree(person.root / ".intermem")
    person.sweeps(5)
    assert person.record("queue")["document"] == "AGENTS.md" and not person.ledger()
    untouched(person, "queue")
    person.promotes("queue", "tabs", day=8)
    assert person.standing("queue") == person.standing("tabs") == "promoted"


def test_what_was_taken_out_while_the_ledger_was_gone_does_not_come_back(person: Person) -> None:
    person.promotes("queue", "tabs")
    person.commit("promote")
    shutil.rmtree(person.root / ".intermem")
    person.take_out("queue")
    person.commit("neither")
    for day in (5, 6):
        person.at(day).run("sweep")
    person.run("promote", "--yes")
    assert not person.holds("queue") and person.record("queue")["rejected_at"] is not None


def test_a_deleted_document_is_refused_by_name_and_nothing_is_rejected(person: Person) -> None:
    person.promotes("queue", "tabs")
    person.commit("promote")
    (person.root / "AGENTS.md").unlink()
    for verb in (["sweep"], ["promote", "--yes"], ["sweep", "--check"], ["init"]):
        said = person.at(5).run(*verb, code=2)
        assert "AGENTS.md" in said.err and "git checkout HEAD -- AGENTS.md" in said.err, said.err
    assert not (person.root / "AGENTS.md").exists()
    assert person.record("queue")["rejected_at"] is None and person.standing("queue") == "promoted"
    person.git("checkout", "HEAD", "--", "AGENTS.md")
    person.sweeps(6)
    untouched(person, "queue", "tabs")


def test_a_deleted_region_is_refused_by_name(person: Person) -> None:
    person.promotes("queue", "tabs")
    person.commit("promote")
    text = person.read()
    person.write("AGENTS.md", text[: text.index("## Project memory")])
    said = person.at(5).run("sweep", code=2)
    assert "has lost its region" in said.err
    person.run("init", code=2)
    person.commit("without a region")
    person.at(6).run("sweep", code=2)
    assert person.record("queue")["rejected_at"] is None
    shutil.rmtree(person.root / ".intermem")
    person.sweeps(7)
    assert person.record("queue")["document"] is None


def test_an_unfinished_merge_is_refused_without_force(person: Person) -> None:
    conflict(person)
    said = person_output(person, "merge", "-q", "feature")
    assert "CONFLICT" in said
    for verb in (["sweep"], ["promote", "--yes"], ["init"], ["restore", person.record("queue")["id"]]):
        refused = person.run(*verb, code=2)
        assert "unfinished merge" in refused.err and "--force" in refused.err
    forced = person.run("sweep", "--force", code=2)
    assert "merge conflict inside the region" in forced.err
    assert person.record("queue")["rejected_at"] is None


def test_a_ledger_that_is_no_ledger_is_refused_and_nothing_is_decided(person: Person) -> None:
    person.promotes("queue", "tabs")
    person.commit("promote")
    person.take_out("queue")
    before = person.read()
    person.write(".intermem/ledger.jsonl", "nonsense\n")
    for day in (40, 41, 42):
        said = person.at(day).run("sweep", "--no-scan", code=2)
        assert ".intermem/ledger.jsonl:1: not JSON" in said.err
    assert person.run("promote", "--yes", code=2).err.startswith("error: .intermem/ledger.jsonl:1")
    assert person.read() == before and (person.root / ".intermem/ledger.jsonl").read_text() == "nonsense\n"
    assert person.record("queue")["rejected_at"] is None


def test_outside_git_nothing_is_ever_rejected_by_itself(sandbox: Sandbox) -> None:
    shutil.rmtree(sandbox.root / ".git")
    sandbox.note(f"## Notes\n\n- {FACTS['queue']}\n- {FACTS['tabs']}\n")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    sandbox.run("promote", "--yes")
    sandbox.write("AGENTS.md", sandbox.read().replace(f"- {FACTS['queue']}\n", ""))
    sandbox.run("sweep", now="2026-01-05T00:00:00Z")
    record = sandbox.entries()[FACTS["queue"]]
    assert (record["rejected_at"], record["missing_from"]) == (None, "AGENTS.md")
    sandbox.run("reject", record["id"])
    assert sandbox.entries()[FACTS["queue"]]["rejected_at"] is not None
    sandbox.run("sweep", "--no-scan", "--check", now="2026-01-05T00:00:00Z")


def demoted_on_one_side(person: Person) -> None:
    person.promotes("queue")
    person.commit("promote")
    person.git("checkout", "-q", "-b", "feature")
    person.goes_stale(40)
    person.commit("demote")
    person.git("checkout", "-q", "main")


def test_a_conflict_settled_for_the_side_that_did_not_demote_pins_nothing(person: Person) -> None:
    demoted_on_one_side(person)
    person.promotes("queue", "tabs", day=44)
    person.commit("promote on main")
    merged(person, "feature", "--ours")
    if not person.holds("queue"):
        person.edit("<!-- intermem:begin -->\n", f"<!-- intermem:begin -->\n- {FACTS['queue']}\n")
        person.git("add", "-A")
        person.git("commit", "-q", "--amend", "--no-edit")
    person.sweeps(46)
    record = person.record("queue")
    assert (record["pinned"], record["rejected_at"], record["document"]) == (False, None, "AGENTS.md")
    person.is_settled()


def test_demoted_on_one_branch_and_promoted_on_the_other_it_is_not_pinned(person: Person, colleague: Colleague) -> None:
    ben = colleague()
    person.git("checkout", "-q", "-b", "feature")
    person.promotes("queue")
    person.commit("promote")
    person.goes_stale(40)
    person.commit("demote")
    ben.promotes("queue", day=30)
    ben.commit("promote")
    ben.git("fetch", "-q", "origin")
    ben.git("merge", "-q", "--no-edit", "-X", "ours", "origin/feature")
    ben.sweeps(43)
    assert ben.holds("queue") and not ben.record("queue")["pinned"]
    ben.is_settled()


def test_a_discarded_removal_leaves_no_rejection_behind(person: Person) -> None:
    person.promotes("queue", "tabs")
    person.commit("promote")
    person.take_out("queue")
    person.sweeps(5)
    assert person.standing("queue") == "rejected"
    person.git("checkout", "--", ".")
    person.sweeps(6)
    untouched(person, "queue", "tabs")
    person.goes_stale(40)
    assert person.standing("queue") == person.standing("tabs") == "demoted"


def test_a_rejection_on_a_branch_that_is_gone_is_gone_with_it(person: Person) -> None:
    person.promotes("tabs")
    person.commit("promote")
    person.promotes("tabs", "queue", day=4)
    person.commit("promote more")
    person.git("checkout", "-q", "-b", "other")
    person.git("revert", "--no-edit", "HEAD")
    person.sweeps(5)
    person.commit("rejected")
    person.git("checkout", "-q", "main")
    person.sweeps(6)
    assert person.record("queue")["rejected_at"] is not None, "it is rejected, where it does not stand"
    person.git("branch", "-q", "-D", "other")
    person.sweeps(7)
    untouched(person, "queue")


def test_a_promotion_reverted_after_its_line_was_reworded_there_and_back(person: Person) -> None:
    person.promotes("queue", "tabs")
    promotion = person.commit("promote")
    person.edit(FACTS["queue"], FACTS["queue"].replace("Run", "Start"))
    person.sweeps(5)
    person.commit("reword")
    person.git("revert", "--no-edit", "HEAD")
    person.git("revert", "--no-edit", promotion)
    for day in (6, 7, 8):
        person.at(day).run("scan")
    person.run("promote", "--yes")
    (record,) = [entry for text, entry in person.entries().items() if "queue worker" in text]
    assert "queue worker" not in person.read() and record["rejected_at"] is not None


def test_a_reverted_promotion_does_not_come_back_in_its_former_wording(person: Person, colleague: Colleague) -> None:
    person.promotes("queue")
    person.edit(FACTS["queue"], FACTS["queue"].replace("Run", "Start"))
    person.sweeps(5)
    person.commit("promote and reword")
    person.git("revert", "--no-edit", "HEAD")
    ben = colleague()
    ben.remembers("queue")
    for day in (6, 7, 8):
        ben.at(day).run("scan")
    ben.run("promote", "--yes")
    assert not ben.holds("queue") and ben.record("queue")["rejected_at"] is not None


def test_a_reverted_promotion_is_known_after_the_document_was_renamed(person: Person, colleague: Colleague) -> None:
    person.promotes("queue")
    person.commit("promote")
    person.git("revert", "--no-edit", "HEAD")
    person.git("mv", "AGENTS.md", "CLAUDE.md")
    person.commit("rename")
    ben = colleague()
    ben.remembers("queue")
    for day in (6, 7, 8):
        ben.at(day).run("scan")
    ben.run("promote", "--yes")
    assert FACTS["queue"] not in ben.read("CLAUDE.md")


def test_a_removal_that_was_reverted_before_its_ledger_was_committed_is_pinned(person: Person) -> None:
    person.promotes("queue", "tabs")
    person.commit("promote")
    person.take_out("queue")
    person.commit("take out")
    person.sweeps(5)
    person.git("revert", "--no-edit", "HEAD")
    person.sweeps(6)
    assert person.record("queue")["pinned"] and person.standing("queue") == "promoted"


def test_a_document_and_ledger_put_back_to_an_older_state_by_hand_reject_nothing(person: Person) -> None:
    person.promotes("tabs")
    person.commit("promote")
    person.promotes("tabs", "queue", day=6)
    person.commit("promote more")
    person.git("checkout", "--no-overlay", "HEAD~1", "--", "AGENTS.md", ".intermem")
    person.sweeps(7)
    untouched(person, "queue", "tabs")
    person.git("checkout", "HEAD", "--", "AGENTS.md", ".intermem")
    person.sweeps(8)
    untouched(person, "queue", "tabs")
    assert person.git("status", "--porcelain") == ""


def test_a_line_that_stands_in_two_documents_leaves_both(person: Person) -> None:
    person.write("intermem.toml", 'targets = ["AGENTS.md", "docs/b.md"]\n')
    person.write("docs/b.md", "# B\n\n<!-- intermem:begin -->\n<!-- intermem:end -->\n")
    person.commit("two documents")
    person.promotes("queue", "tabs")
    person.edit("<!-- intermem:end -->", f"- {FACTS['queue']}\n<!-- intermem:end -->", "docs/b.md")
    person.commit("in both")
    person.goes_stale(40)
    assert not person.holds("queue") and FACTS["queue"] not in person.read("docs/b.md")
    person.sweeps(43, 44)
    untouched(person, "queue", "tabs")
    person.is_settled()


def test_an_empty_ledger_is_none(person: Person) -> None:
    person.write(".intermem/ledger.jsonl", "\n")
    person.edit("<!-- intermem:end -->", f"- {FACTS['queue']}\n<!-- intermem:end -->")
    person.sweeps(5)
    assert not person.record("queue")["pinned"] and events_in(person.root) == []
    person.promotes("queue", "tabs", day=8)
    assert person.standing("queue") == person.standing("tabs") == "promoted"


def test_what_stands_twice_is_said(person: Person) -> None:
    person.promotes("queue")
    person.edit("<!-- intermem:end -->", f"\n### Other\n\n- {FACTS['queue']}\n<!-- intermem:end -->")
    assert "doctor --repair keeps one" in person.at(5).run("sweep").err


def test_a_sparse_checkout_that_leaves_the_ledger_out_is_refused(person: Person) -> None:
    person.promotes("queue", "tabs")
    person.run("reject", person.record("queue")["id"])
    person.commit("promote")
    person.git("sparse-checkout", "set", "src")
    assert person.holds("tabs") and not (person.root / ".intermem").exists()
    for verb in (["sweep"], ["promote", "--yes"], ["sweep", "--check"]):
        said = person.at(5).run(*verb, code=2)
        assert "excluded by this sparse checkout" in said.err and "git sparse-checkout add .intermem" in said.err
    assert not (person.root / ".intermem").exists() and not person.holds("queue")
    person.git("sparse-checkout", "add", ".intermem")
    person.sweeps(6)
    assert person.git("status", "--porcelain") == ""


def test_in_a_partial_clone_nothing_is_concluded_from_texts_that_are_not_there(person: Person) -> None:
    person.promotes("queue", "tabs")
    person.commit("promote")
    person.take_out("queue")
    person.commit("take out")
    person.git("config", "uploadpack.allowFilter", "true")
    where = person.root.parent / "partial"
    git(person.root, "clone", "-q", "--filter=blob:none", f"file://{person.root}", str(where))
    shutil.move(str(person.root), str(person.root.parent / "away"))
    memory = person.root.parent / "partial-memory"
    memory.mkdir()
    ben = Person(where, memory, person.capture).at(5)
    ben.run("sweep", "--no-scan")
    assert "lacks 1 entry that the ledger lists" in ben.run("status").err
    assert ben.record("tabs")["document"] == "AGENTS.md" and FACTS["queue"] not in ben.entries()


def test_a_rejection_that_another_worktree_has_not_committed_holds(person: Person) -> None:
    person.promotes("queue", "tabs")
    person.commit("promote")
    person.git("worktree", "add", "-q", "-b", "other", str(person.root.parent / "second"))
    second = Person(person.root.parent / "second", person.memory, person.capture)
    person.take_out("queue")
    person.commit("take out")
    for day in range(5, 10):
        for one in (person, second):
            one.sweeps(day)
    assert second.holds("queue") and person.standing("queue") == "rejected"
    events = [row["event"] for row in person.run("log", person.record("queue")["id"], "--json").json["history"]]
    assert events.count("rejected") == 1 and "restored" not in events


def test_a_second_rewording_that_was_discarded_leaves_no_trace_in_the_ledger(person: Person) -> None:
    person.promotes("queue", "tabs")
    second, third = (FACTS["queue"].replace("Run", word) for word in ("Start", "Mind"))
    person.edit(FACTS["queue"], second)
    person.sweeps(5)
    person.commit("reword")
    person.edit(second, third)
    person.sweeps(6)
    person.git("checkout", "--", ".")
    person.sweeps(7)
    assert person.record(second)["document"] == "AGENTS.md"
    (line,) = [one for one in person.ledger().values() if one.get("was")]
    assert line["id"] == identity(second), "what was said and taken back amounts to nothing"
    person.is_settled()


def test_a_revert_of_the_revert_of_a_promotion_is_pinned(person: Person) -> None:
    person.promotes("tabs")
    person.commit("promote")
    person.promotes("tabs", "queue", day=6)
    person.commit("promote more")
    person.git("revert", "--no-edit", "HEAD")
    person.sweeps(7)
    assert person.record("queue")["rejected_at"] is not None
    person.git("checkout", "--", ".")
    person.git("revert", "--no-edit", "HEAD")
    person.sweeps(8)
    assert person.holds("queue") and person.record("queue")["pinned"]
    assert person.record("queue")["rejected_at"] is None and person.record("queue")["reason"] == ""


def test_status_says_where_the_ledger_cannot_travel(person: Person) -> None:
    person.promotes("queue")
    assert "is not in git yet" in person.run("status").err
    person.write(".gitignore", ".intermem/\n")
    for verb in ("status", "doctor"):
        assert "it cannot be committed with the documents" in person.run(verb).err
    person.git("add", "-f", ".intermem")
    person.commit("promote")
    assert "ledger.jsonl" not in person.run("status").err
