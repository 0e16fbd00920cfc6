"""What was purged stays away, and a stranger's tombstone destroys nothing."""

from __future__ import annotations

import errno
import json
import os
import signal
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from intermem.core.entries.identity import identity
from intermem.core.reconcile.events import LedgerEvent, What, event_text, path_of
from intermem.entities import LEDGER, OLD_LEDGER
from tests.conftest import Once, Sandbox, git
from tests.old_ledger import as_old_ledger, events_in, ledger_in

SECRET = "The staging door opens with zxqvjk plumage forty."
PUBLIC = "Prefer short functions."
CANDIDATE = "The vault answers to wqzxkj lanterns only."
LATER = "2026-01-06T00:00:00Z"
PURGE = ("purge", "--id", identity(SECRET), "--from-documents", "--confirm")


def files_with(folder: Path, text: str) -> list[str]:
    """Every file below ``folder`` that holds ``text``, git's own objects apart."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_file() and "objects" not in path.parts)
    return [path.relative_to(folder).as_posix() for path in found if text.encode() in path.read_bytes()]


@pytest.fixture
def promoted(sandbox: Sandbox, once: Once) -> Sandbox:
    """Two notes in AGENTS.md, committed on main; a third is only a candidate."""
    once(sandbox, _promoted)
    return sandbox


def _promoted(sandbox: Sandbox) -> None:
    sandbox.note(f"- {SECRET}\n- {PUBLIC}\n")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    sandbox.run("promote", "--yes", now="2026-01-03T00:00:00Z")
    sandbox.note(f"- {SECRET}\n- {PUBLIC}\n- {CANDIDATE}\n")
    sandbox.run("scan", now="2026-01-04T00:00:00Z")
    sandbox.commit("promoted")
    sandbox.git("branch", "-M", "main")


def ledger(sandbox: Sandbox) -> dict[str, dict[str, object]]:
    return {line["id"]: line for line in map(json.loads, ledger_in(sandbox.root).splitlines())}


def plant(sandbox: Sandbox, *texts: str) -> None:
    """Let the ledger say that ``texts`` were purged."""
    for text in texts:
        event = LedgerEvent(id=identity(text), at=datetime(2026, 1, 5, tzinfo=UTC), what=What.PURGED)
        sandbox.write(path_of(event), event_text(event))


# The clone that purges.


def test_the_ledger_keeps_an_id_and_a_day_and_nothing_else(promoted: Sandbox) -> None:
    promoted.run(*PURGE, now="2026-01-05T00:00:00Z")
    assert ledger(promoted)[identity(SECRET)] == {
        "id": identity(SECRET),
        "status": "purged",
        "since": "2026-01-05",
    }
    assert ledger(promoted)[identity(PUBLIC)]["status"] == "promoted"


def test_what_nobody_else_has_heard_of_gets_no_tombstone(promoted: Sandbox) -> None:
    before = events_in(promoted.root)
    promoted.run("purge", "--id", identity(CANDIDATE), "--confirm", now="2026-01-05T00:00:00Z")
    assert events_in(promoted.root) == before


@pytest.mark.parametrize(
    "verb",
    [
        ("restore",),
        ("reject",),
        ("demote",),
        ("pin",),
        ("unpin",),
        ("promote", "--yes"),
        ("purge", "--confirm", "--id"),
        ("why",),
    ],
    ids=" ".join,
)
def test_a_purged_id_is_refused_in_one_line(promoted: Sandbox, verb: tuple[str, ...]) -> None:
    promoted.run(*PURGE, now="2026-01-05T00:00:00Z")
    promoted.commit("purged")
    before = promoted.tree_hash()
    outcome = promoted.run(*verb, identity(SECRET), now=LATER, code=2)
    assert (
        outcome.err.splitlines()[0]
        == f"error: {identity(SECRET)[:8]} was purged on 2026-01-05: no record of it is left"
    )
    assert promoted.tree_hash() == before


def test_several_notes_that_were_purged_are_told_in_the_plural(sandbox: Sandbox) -> None:
    sandbox.note(f"- {SECRET}\n- Prefer short functions.\n")
    sandbox.run("scan")
    sandbox.run("purge", "--older-than", "0", "--confirm")
    said = sandbox.run("scan", now=LATER).err
    assert "2 notes in the memory were purged, and not learnt again: delete them there, or intermem scan" in said


def test_feedback_on_a_purged_id_is_refused(promoted: Sandbox) -> None:
    promoted.run(*PURGE, now="2026-01-05T00:00:00Z")
    assert "was purged on" in promoted.run("feedback", identity(SECRET), "confirm", now=LATER, code=2).err


@pytest.mark.parametrize("verb", [("scan",), ("sweep",), ("promote", "--yes")], ids=" ".join)
def test_a_purged_note_is_not_learnt_again(promoted: Sandbox, verb: tuple[str, ...]) -> None:
    """The note is still in the memory, and the region of another branch still holds it."""
    promoted.run(*PURGE, now="2026-01-05T00:00:00Z")
    outcome = promoted.run(*verb, now=LATER)
    assert SECRET not in promoted.entries()
    if verb != ("promote", "--yes"):
        assert "1 note in the memory was purged, and not learnt again" in outcome.err
    assert files_with(promoted.root, "zxqvjk") == []


def test_it_is_not_learnt_where_there_is_no_ledger(sandbox: Sandbox) -> None:
    sandbox.note(f"- {CANDIDATE}\n- {PUBLIC}\n")
    sandbox.run("scan")
    sandbox.run("purge", "--id", identity(CANDIDATE), "--confirm")
    assert sandbox.run("scan", "--json", now=LATER).json["purged"] == 1
    assert set(sandbox.entries()) == {PUBLIC}


def test_a_former_wording_counts_as_purged_too(promoted: Sandbox) -> None:
    reworded = SECRET.replace("forty", "fifty")
    promoted.write("AGENTS.md", promoted.read().replace(SECRET, reworded))
    promoted.run("sweep", now="2026-01-05T00:00:00Z")
    promoted.run("purge", "--id", identity(reworded), "--from-documents", "--confirm", now="2026-01-05T00:00:00Z")
    promoted.run("scan", now=LATER)  # the memory holds the first wording
    assert set(promoted.entries()) == {PUBLIC, CANDIDATE}
    both = {identity(SECRET), identity(reworded)}
    assert {key for key, line in ledger(promoted).items() if line["status"] == "purged"} == both
    with closing(sqlite3.connect(promoted.root / ".git/intermem/root/metadata.db")) as connection:
        assert {row[0] for row in connection.execute("SELECT entry_hash FROM purged")} == both


def test_relearn_learns_what_that_scan_finds_and_no_more(promoted: Sandbox) -> None:
    for text in (CANDIDATE, SECRET):
        promoted.run("purge", "--id", identity(text), "--from-documents", "--confirm", now="2026-01-05T00:00:00Z")
    promoted.note(f"- {CANDIDATE}\n")
    promoted.run("scan", "--relearn", now=LATER)
    promoted.note(f"- {CANDIDATE}\n- {SECRET}\n")
    outcome = promoted.run("scan", now="2026-01-07T00:00:00Z")
    assert "1 note in the memory was purged" in outcome.err
    assert set(promoted.entries()) == {PUBLIC, CANDIDATE}


def test_what_was_learnt_again_is_not_forgotten_again(promoted: Sandbox) -> None:
    promoted.run("purge", "--id", identity(CANDIDATE), "--confirm", now="2026-01-05T00:00:00Z")
    promoted.commit("purged")
    promoted.run("scan", "--relearn", now=LATER)
    promoted.run("scan", now="2026-01-08T00:00:00Z")
    assert CANDIDATE in promoted.entries()
    said = promoted.run("promote", identity(CANDIDATE), "--yes", "--min-snapshots", "1", now="2026-01-09T00:00:00Z")
    assert CANDIDATE in promoted.read() and "purged" not in said.err


@pytest.mark.parametrize("branch", ["main", "old"])
def test_what_a_ledger_calls_purged_is_not_learnt_again_and_it_says_so(promoted: Sandbox, branch: str) -> None:
    promoted.git("branch", "old")
    said = promoted.run(*PURGE, now="2026-01-05T00:00:00Z").err
    assert "no scan learns it again\n" in said
    promoted.commit("purged")
    promoted.git("checkout", "-q", branch)
    told = promoted.run("scan", "--relearn", now=LATER).err
    assert "1 note in the memory was purged, and not learnt again: delete it there; the ledger keeps it out" in told
    assert SECRET not in promoted.entries() and "set aside" not in promoted.run("status", now=LATER).err
    refusal = promoted.run("promote", identity(SECRET), now=LATER, code=2).err
    assert "was purged on 2026-01-05: no record of it is left" in refusal
    assert files_with(promoted.root / ".git/intermem/root", "zxqvjk") == []


def test_why_says_that_it_was_purged_where_it_is_set_aside(reviewed: Sandbox) -> None:
    told = reviewed.run("why", identity(SECRET), now=LATER).out
    assert "against it purged on 2026-01-05, according to the ledger of this branch" in told
    assert "ledger     purged since 2026-01-05" in told


def test_what_was_learnt_and_promoted_again_is_not_forgotten_by_the_old_tombstone(promoted: Sandbox) -> None:
    promoted.run(*PURGE, now="2026-01-05T00:00:00Z")
    (tombstone,) = (promoted.root / LEDGER).glob("*-purged-*")
    tombstone.unlink()  # a person wants it back
    promoted.run("scan", "--relearn", now=LATER)
    promoted.run("promote", "--yes", "--min-snapshots", "1", now="2026-01-07T00:00:00Z")
    plant(promoted, SECRET)
    promoted.commit("merged with somebody's tombstone")
    promoted.run("sweep", now="2026-01-08T00:00:00Z")
    assert SECRET in promoted.entries()


def test_an_undo_does_not_bring_it_back(promoted: Sandbox) -> None:
    promoted.run(*PURGE, now="2026-01-05T00:00:00Z")
    assert "(purge) cannot be undone" in promoted.run("undo", now=LATER, code=2).err
    assert files_with(promoted.root, "zxqvjk") == []


def test_a_line_that_stands_after_a_purge_is_told_and_left_alone(promoted: Sandbox) -> None:
    promoted.run("purge", "--id", identity(SECRET), "--confirm", now="2026-01-05T00:00:00Z", code=1)
    before = promoted.read()
    promoted.run("sweep", now=LATER)
    assert promoted.read() == before
    assert SECRET not in promoted.entries()
    assert f"AGENTS.md still contains {identity(SECRET)[:8]}, which was purged" in promoted.run("status", now=LATER).err
    assert "was purged on 2026-01-05, but it is in AGENTS.md" in promoted.run("check", now=LATER, code=1).out
    promoted.run(*PURGE, now=LATER)
    assert files_with(promoted.root, "zxqvjk") == []


def test_another_branch_whose_ledger_still_lists_it_does_not_bring_it_back(promoted: Sandbox) -> None:
    promoted.git("branch", "old")
    promoted.run(*PURGE, now="2026-01-05T00:00:00Z")
    promoted.commit("purged")
    promoted.git("checkout", "-q", "old")
    promoted.run("sweep", now=LATER)
    assert SECRET not in promoted.entries()
    assert "which was purged" in promoted.run("status", now=LATER).err
    promoted.git("checkout", "-q", "-f", "main")
    promoted.git("merge", "-q", "--no-edit", "old")
    assert ledger(promoted)[identity(SECRET)]["status"] == "purged"


# Tombstones of others.


@pytest.fixture
def reviewed(promoted: Sandbox) -> Sandbox:
    """A stranger's branch, checked out for review: every entry is a tombstone, and its line is gone."""
    promoted.git("checkout", "-q", "-b", "stranger")
    plant(promoted, SECRET, PUBLIC, CANDIDATE)
    text = promoted.read()
    promoted.write("AGENTS.md", text.replace(f"- {SECRET}\n", "").replace(f"- {PUBLIC}\n", ""))
    promoted.commit("harmless")
    return promoted


@pytest.mark.parametrize(
    "verb", [("scan",), ("sweep",), ("promote", "--yes"), ("doctor", "--repair"), ("init",)], ids=" ".join
)
def test_a_strangers_tombstones_destroy_nothing(reviewed: Sandbox, verb: tuple[str, ...]) -> None:
    known = set(reviewed.entries())
    reviewed.run(*verb, now=LATER, code=None)
    there = reviewed.entries()
    assert set(there) == known == {SECRET, PUBLIC, CANDIDATE}
    assert {one["status"] for one in there.values()} == {"active"}, "set aside, and neither demoted nor rejected"
    reviewed.git("checkout", "-q", "-f", "main")
    reviewed.run("sweep", now="2026-01-07T00:00:00Z")
    after = reviewed.entries()
    assert {text for text, one in after.items() if one["document"]} == {SECRET, PUBLIC}, "as before on main"
    assert after[SECRET]["first_seen"] == "2026-01-01T00:00:00Z"
    assert len(reviewed.run("log", "--limit", "0", "--json").json["history"]) > 3


@pytest.mark.parametrize(
    "verb", [("check",), ("status",), ("sweep", "--check"), ("sweep", "--dry-run"), ("scan", "--dry-run")], ids=" ".join
)
def test_a_reading_verb_on_it_writes_nothing(reviewed: Sandbox, verb: tuple[str, ...]) -> None:
    before = reviewed.tree_hash()
    reviewed.run(*verb, now=LATER, code=None)
    assert reviewed.tree_hash() == before


def test_it_is_told_what_is_set_aside(reviewed: Sandbox) -> None:
    said = reviewed.run("status", now=LATER).err
    assert "according to the ledger of this branch" in said
    assert identity(SECRET)[:8] in said
    assert "was purged on 2026-01-05" in reviewed.run("restore", identity(SECRET), now=LATER, code=2).err
    assert "zxqvjk" not in reviewed.read()


def test_a_tombstone_that_was_merged_is_obeyed_and_told(reviewed: Sandbox) -> None:
    reviewed.git("checkout", "-q", "-f", "main")
    reviewed.git("merge", "-q", "stranger")
    outcome = reviewed.run("sweep", now=LATER)
    assert "2 entries purged in another clone" in outcome.err
    assert "interrupted" not in outcome.err
    assert files_with(reviewed.root, "zxqvjk") == []
    assert set(reviewed.entries()) == {CANDIDATE}, "what never was in a document is nobody else's business"
    assert "purged in another clone" not in reviewed.run("sweep", now="2026-01-07T00:00:00Z").err


def test_the_default_branch_is_that_of_the_remote(promoted: Sandbox, tmp_path: Path) -> None:
    """A branch that a stranger calls main is still a branch of a stranger."""
    git(tmp_path, "clone", "-q", "--bare", str(promoted.root), "hub")
    promoted.git("remote", "add", "origin", str(tmp_path / "hub"))
    promoted.git("fetch", "-q", "origin")
    plant(promoted, SECRET, PUBLIC)
    promoted.commit("on the local main only")
    promoted.run("sweep", now=LATER)
    assert SECRET in promoted.entries()
    promoted.git("push", "-q", "origin", "main")
    assert "2 entries purged in another clone" in promoted.run("sweep", now="2026-01-07T00:00:00Z").err


def test_forgetting_that_was_killed_is_finished(reviewed: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    reviewed.git("checkout", "-q", "-f", "main")
    reviewed.git("merge", "-q", "stranger")
    child = os.fork()
    if child == 0:
        name = "intermem.workflow.purging.delete_purged"
        monkeypatch.setattr(name, lambda *_: os.kill(os.getpid(), signal.SIGKILL))
        reviewed.run("sweep", now=LATER, code=None)
        os._exit(1)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == -signal.SIGKILL
    assert "an interrupted purge was completed" in reviewed.run("scan", now=LATER).err
    assert files_with(reviewed.root, "zxqvjk") == []


@pytest.mark.parametrize(
    "line",
    [
        '{"id": "%s", "status": "purged"}',
        '{"id": "x", "status": "purged", "since": "2026-01-05"}',
        '{"id": "%s", "status": "purged", "since": 7}',
    ],
)
def test_a_tombstone_that_is_none_is_refused_with_its_line(promoted: Sandbox, line: str) -> None:
    promoted.write(OLD_LEDGER, line.replace("%s", identity(SECRET)) + "\n")
    assert f"{OLD_LEDGER}:1: " in promoted.run("sweep", now=LATER, code=2).err
    assert SECRET in promoted.entries()


def test_what_else_a_tombstone_says_does_not_count(promoted: Sandbox) -> None:
    event = LedgerEvent(id=identity(SECRET), at=datetime(2026, 1, 5, tzinfo=UTC), what=What.PURGED)
    said = json.loads(event_text(event)) | {"cause": SECRET, "doc": "../../x"}
    promoted.write(path_of(event), json.dumps(said))
    promoted.run("reject", identity(PUBLIC), now=LATER)
    assert "zxqvjk" not in ledger_in(promoted.root)
    assert ledger(promoted)[identity(SECRET)]["status"] == "purged"


def test_a_purge_leaves_no_event_and_no_line_of_the_entry_but_its_tombstone(promoted: Sandbox) -> None:
    as_old_ledger(promoted.root)
    promoted.run("pin", identity(SECRET), now="2026-01-05T00:00:00Z")
    promoted.run(*PURGE, now=LATER)
    assert [event["what"] for event in events_in(promoted.root) if event["id"] == identity(SECRET)] == ["purged"]
    assert identity(SECRET) not in promoted.read(OLD_LEDGER) and identity(PUBLIC) in promoted.read(OLD_LEDGER)


# What an error says is true.


def no_space(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_disk_that_is_full_after_the_documents_were_written_is_told_as_it_is(
    promoted: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    from intermem.errors import StateError

    def full(*_: object) -> None:
        raise StateError("metadata.db cannot be used (database or disk is full)", unsettled=True)

    with monkeypatch.context() as patched:
        patched.setattr("intermem.workflow.writeback.close_operation", full)
        said = promoted.run("reject", identity(SECRET), now=LATER, code=2).err
    assert SECRET not in promoted.read()
    assert "nothing was changed" not in said
    assert "AGENTS.md" in said and "are written; the record of it is pending" in said
    assert "an interrupted reject was completed" in promoted.run("scan", now=LATER).err


def test_a_disk_that_is_full_before_any_document_changed_is_told_as_it_is(
    promoted: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = promoted.read()
    with monkeypatch.context() as patched:
        patched.setattr("intermem.workflow.writeback.prepare_file", no_space)
        said = promoted.run("reject", identity(SECRET), now=LATER, code=2).err
    assert "No space left on device; no document was changed" in said
    assert promoted.read() == before


def test_a_purge_whose_documents_cannot_be_written_destroys_nothing(
    promoted: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr("intermem.workflow.writeback.prepare_file", no_space)
        assert "no document was changed" in promoted.run(*PURGE, now=LATER, code=2).err
    assert "pending" not in promoted.run("status", now=LATER).err
    promoted.run("scan", now=LATER)
    assert SECRET in promoted.entries()


def test_a_purge_that_fails_halfway_says_that_it_is_pending(promoted: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr("intermem.workflow.purging.files_holding", no_space)
        said = promoted.run(*PURGE, now=LATER, code=2).err
    assert "the purge is pending; the next command that writes completes it" in said
    assert "an interrupted purge was completed" in promoted.run("scan", now=LATER).err
    assert files_with(promoted.root, "zxqvjk") == []


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("ledger.ledger_of", "nothing was changed"),
        ("writeback.prepare_file", "no document was changed; the reject is pending"),
        ("writeback.close_operation", "are written; the record of it is pending"),
    ],
)
def test_an_interruption_says_what_it_left(
    promoted: Sandbox, monkeypatch: pytest.MonkeyPatch, where: str, said: str
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(f"intermem.workflow.{where}", interrupted)
        outcome = promoted.run("reject", identity(SECRET), now=LATER, code=130)
    assert outcome.err.startswith("\ninterrupted; ")
    assert said in outcome.err


def test_no_way_out_is_named_of_what_was_purged_after_a_person_had_taken_it_out(reviewed: Sandbox) -> None:
    """The record here is from before; restore and feedback refuse it."""
    with closing(sqlite3.connect(reviewed.root / ".git/intermem/root/metadata.db")) as connection, connection:
        connection.execute(
            "UPDATE memory_entries SET rejected_at = '2026-01-03T00:00:00Z', status = 'demoted' WHERE content = ?",
            (CANDIDATE,),
        )
    refused = reviewed.run("promote", "--json", now=LATER, code=None).json["refused"]
    reasons = [one["reason"] for one in refused if one["entry"]["text"] == CANDIDATE]
    assert len(reasons) == 1 and reasons[0].startswith("purged on 2026-01-05") and "lifts that" not in reasons[0]
