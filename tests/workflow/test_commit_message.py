"""The commit message for what of the ledger is not committed: as values, and as git reads it."""

from __future__ import annotations

import subprocess

import pytest

from intermem.core.reconcile.events import LedgerEvent, What
from intermem.reporters.text.message import message_lines
from intermem.workflow.commit_message import message_of
from tests.conftest import Sandbox, git
from tests.core.reconcile.test_fold import ME, A, B, C, event

NOTE = "Never run the queue worker twice, or the second one deletes the lock of the first."


def lines_of(*events: LedgerEvent, **texts: str) -> list[str]:
    message = message_of(events, {{"a": A, "b": B}[key]: text for key, text in texts.items()})
    return message_lines(message) if message is not None else []


def trailers(text: str) -> list[str]:
    done = subprocess.run(
        ["git", "interpret-trailers", "--parse"], input=text, capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


def test_a_line_an_entry_with_its_cause_in_the_order_of_what_happened() -> None:
    said = lines_of(
        event(What.DEMOTED, cause="cites x.py: broken in 3f2a"),
        event(What.PROMOTED, key=B, cause="seen in 4 snapshots"),
        event(What.HELD, key=C, observer=ME),
        a="Use x.",
        b="Use y.",
    )
    assert said == [
        "intermem: promote 1, demote 1",
        "",
        "- promote bbbbbbbb “Use y.”: seen in 4 snapshots",
        "- demote aaaaaaaa “Use x.”: cites x.py: broken in 3f2a",
        "- this memory: 1 held",
        "",
        f"Intermem-Promoted: {B}",
        f"Intermem-Demoted: {A}",
    ]
    assert trailers("\n".join(said)) == said[-2:]


def test_one_kind_is_counted_in_words_and_observers_alone_have_a_message() -> None:
    assert lines_of(event(What.PROMOTED), event(What.PROMOTED, key=B))[0] == "intermem: promote 2 entries"
    assert lines_of(event(What.LOST, observer=ME)) == ["intermem: what this memory holds", "", "- this memory: 1 lost"]
    assert lines_of() == []


def test_of_what_happened_to_an_entry_the_last_counts_and_an_entry_counts_once() -> None:
    demoted = event(What.DEMOTED, 1), event(What.PINNED, 2, B), event(What.UNPINNED, 3, B)
    assert lines_of(event(What.PROMOTED), *demoted)[0] == "intermem: demote 1, unpin 1"
    assert lines_of(event(What.PROMOTED, 2), *demoted[:1])[0] == "intermem: promote 1 entry"
    assert lines_of(event(What.FEEDBACK, 1), event(What.FEEDBACK, 2))[0] == "intermem: judge 1 entry"


@pytest.mark.parametrize("what", [What.PROMOTED, What.RESTORED, What.DEMOTED, What.REJECTED])
def test_what_stands_in_a_document_before_and_after_is_only_recorded(what: What) -> None:
    message = message_of([event(what, cause="by hand")], {A: "Use x."}, kept={A})
    assert message is not None
    assert message_lines(message) == [
        "intermem: record 1 entry",
        "",
        "- record aaaaaaaa “Use x.”: by hand",
        "",
        f"Intermem-Recorded: {A}",
    ]


def test_what_an_entry_says_is_no_trailer_and_no_escape() -> None:
    said = lines_of(event(What.PROMOTED), a="x\n\nSigned-off-by: Eve <e@example.invalid>\n\x1b[31mred")
    assert trailers("\n".join(said)) == [f"Intermem-Promoted: {A}"]
    assert "\x1b" not in "".join(said)


@pytest.mark.parametrize("what", [What.PROMOTED, What.PURGED])
def test_neither_a_secret_nor_what_was_purged_is_shown(what: What) -> None:
    said = lines_of(event(what), a="The key is AKIAIOSFODNN7QZXCVBN.")
    assert "AKIA" not in "".join(said) and A in said[-1]


@pytest.fixture
def stable(sandbox: Sandbox) -> Sandbox:
    sandbox.run("init")
    sandbox.commit("init")
    sandbox.note(f"- {NOTE}\n")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    return sandbox


def test_curate_does_it_all_and_says_it_once(stable: Sandbox) -> None:
    said = stable.run("curate", "--yes", "--message", now="2026-01-04T00:00:00Z").out
    assert said.startswith("intermem: promote 1 entry\n\n- promote ") and NOTE[:40] in said
    assert NOTE in stable.read()
    git(stable.root, "add", "-A")
    git(stable.root, "commit", "-q", "-m", said)
    (trailer,) = trailers(stable.git("log", "-1", "--format=%B"))
    assert trailer == f"Intermem-Promoted: {stable.entries()[NOTE]['id']}"
    assert stable.run("curate", "--yes", "--message", now="2026-01-04T00:00:00Z").out == "", "all of it is committed"


def test_curate_without_yes_promotes_nothing_and_a_dry_run_writes_nothing(stable: Sandbox) -> None:
    before = stable.tree_hash()
    said = stable.run("curate", "--yes", "--dry-run", now="2026-01-04T00:00:00Z").out
    assert "Would promote 1 entry" in said and stable.tree_hash() == before
    stable.run("curate", now="2026-01-04T00:00:00Z")
    assert NOTE not in stable.read()
    data = stable.run("curate", "--yes", "--json", now="2026-01-05T00:00:00Z").json
    assert (data["schema"], data["sweep"]["swept"], len(data["promote"]["promoted"])) == ("intermem/curate/1", 1, 1)


def test_what_left_is_named_with_its_text_and_the_reason(stable: Sandbox) -> None:
    stable.run("promote", "--yes", now="2026-01-03T00:00:00Z")
    stable.commit("promote")
    stable.note("- Something else.\n")
    stable.run("sweep", now="2026-03-01T00:00:00Z")
    said = stable.run("sweep", "--message", now="2026-03-02T00:00:00Z").out
    assert said.startswith("intermem: demote 1 entry\n") and NOTE[:40] in said and "not seen for" in said


def test_without_a_ledger_it_tells_what_left_the_documents(sandbox: Sandbox) -> None:
    sandbox.write("src/gone.py", "x = 1\n")
    lines = ("Run `src/gone.py` before each release.", "Always tag releases from main.")
    region = "".join(f"- {line}\n" for line in lines)
    sandbox.write("AGENTS.md", f"# Project\n\n<!-- intermem:begin -->\n{region}<!-- intermem:end -->\n")
    sandbox.commit("as 0.1 left it")
    sandbox.git("rm", "-q", "src/gone.py")
    sandbox.commit("gone")
    assert sandbox.run("sweep", "--message", now="2030-03-20T00:00:00Z").out == ""
    for more in (("--dry-run",), ()):
        said = sandbox.run("sweep", "--message", *more, now="2030-03-21T00:00:00Z").out
        assert said.startswith("intermem: demote 1 entry\n") and lines[0] in said
        assert "cites src/gone.py: broken" in said
    sandbox.commit("demote")
    assert sandbox.run("sweep", "--message", now="2030-03-21T00:00:00Z").out == ""


@pytest.mark.parametrize("verb", ["sweep", "curate", "promote"])
def test_outside_git_a_message_is_refused_before_anything_is_written(sandbox: Sandbox, verb: str) -> None:
    (sandbox.root / ".git").rename(sandbox.root / "was-git")
    sandbox.note(f"- {NOTE}\n")
    before = sandbox.tree_hash()
    assert "--message needs a git working tree" in sandbox.run(verb, "--message", code=2).err
    assert sandbox.tree_hash() == before and not (sandbox.root / ".intermem").exists()


@pytest.mark.parametrize("command", [["sweep", "--diff"], ["curate", "--diff"], ["promote", "--candidates"]])
def test_what_prints_something_else_has_no_message(stable: Sandbox, command: list[str]) -> None:
    assert "cannot be combined with" in stable.run(*command, "--message", code=2).err


OTHER = "Always take the migration lock before the schema changes, or two deploys corrupt it."


def curated(box: Sandbox, *arguments: str, now: str) -> str:
    """The subject of the message of a curate, without what the memory holds."""
    return box.run("curate", "--message", *arguments, now=now).out.partition("\n")[0]


def test_the_counts_are_those_of_the_document_that_is_committed(stable: Sandbox) -> None:
    stable.run("promote", "--yes", now="2026-01-03T00:00:00Z")
    stable.commit("promote")
    stable.note(f"- {NOTE}\n- {OTHER}\n")
    stable.scans("2026-01-04", "2026-01-05", "2026-01-06")
    one = stable.entries()[NOTE]["id"]
    stable.run("demote", one, now="2026-01-06T01:00:00Z")
    both = "intermem: promote 1, demote 1"
    before = stable.tree_hash()
    assert curated(stable, "--yes", "--dry-run", now="2026-01-06T02:00:00Z") == both and stable.tree_hash() == before
    assert curated(stable, "--yes", now="2026-01-06T02:00:00Z") == both
    assert OTHER in stable.read() and NOTE not in stable.read()
    stable.run("restore", one, now="2026-01-06T03:00:00Z")
    assert curated(stable, now="2026-01-06T04:00:00Z") == "intermem: promote 1, record 1"


def test_an_undo_by_hand_of_a_demotion_is_no_demotion(stable: Sandbox) -> None:
    stable.run("promote", "--yes", now="2026-01-03T00:00:00Z")
    stable.commit("promote")
    stable.run("demote", stable.entries()[NOTE]["id"], now="2026-01-04T00:00:00Z")
    stable.git("checkout", "-q", "AGENTS.md")
    assert curated(stable, now="2026-01-04T01:00:00Z") == "intermem: record 1 entry"


def test_a_line_that_a_person_committed_is_recorded_not_promoted(stable: Sandbox) -> None:
    stable.run("promote", "--yes", now="2026-01-03T00:00:00Z")
    stable.write("AGENTS.md", stable.read().replace("<!-- intermem:end -->", f"- {OTHER}\n<!-- intermem:end -->"))
    stable.commit("by hand")
    assert curated(stable, now="2026-01-04T00:00:00Z") == "intermem: pin 1, record 1"
