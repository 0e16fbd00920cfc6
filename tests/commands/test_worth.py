"""What is worth a line: the gate of ``promote``, and ``worth`` as a program uses it."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from intermem.core.entries.identity import identity
from tests.conftest import Once, Sandbox, git
from tests.old_ledger import ledger_in

NOW = "2026-01-03T00:00:00Z"
DAYS = ("2026-01-01", "2026-01-02", "2026-01-03")
RULE = (
    "Never start the server with `make run` in CI: always use `make serve`, which waits for the queue and fails if not."
)
LOG = "2026-02-24: fixed the flaky upload test and merged PR #412, all 33 tests pass now."


@pytest.fixture(autouse=True)
def _with_the_gate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("INTERMEM_PROMOTE_MIN_WORTH")


def judged(box: Sandbox, *entries: dict[str, Any]) -> list[dict[str, Any]]:
    path = box.root.parent / "asked.jsonl"
    path.write_text("\n".join(json.dumps({"id": str(n)} | entry) for n, entry in enumerate(entries)), "utf-8")
    return [json.loads(line) for line in box.run("worth", "--entries", str(path)).out.splitlines()]


def test_a_rule_is_promoted_and_a_log_is_not(sandbox: Sandbox) -> None:
    sandbox.note(f"## Pitfalls\n\n- {RULE}\n- {LOG}\n")
    sandbox.scans(*DAYS)
    result = sandbox.run("promote", "--yes", "--json", now=NOW).json
    assert [entry["text"] for entry in result["promoted"]] == [RULE]
    (refused,) = result["refused"]
    assert refused["gate"] == "worth" and refused["entry"]["text"] == LOG
    assert refused["reason"].startswith("worth 0") and " of 0.6: " in refused["reason"]
    assert f"### Pitfalls\n\n- {RULE}\n" in sandbox.read()


def test_a_file_of_the_tree_can_only_raise_the_gate(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox.note(f"- {LOG}\n")
    sandbox.scans(*DAYS)
    sandbox.write("intermem.toml", "[promote]\nmin_worth = 0\n")
    outcome = sandbox.run("promote", "--json", now=NOW)
    assert [row["gate"] for row in outcome.json["refused"]] == ["worth"]
    assert "promote.min_worth is ignored in a file" in outcome.err + outcome.out
    sandbox.write("intermem.toml", "[promote]\nmin_worth = 1.0\n")
    sandbox.note(f"- {RULE}\n", "api.md")
    sandbox.scans("2026-01-04", "2026-01-05", "2026-01-06")
    refused = sandbox.run("promote", "--json", now="2026-01-06T00:00:00Z").json["refused"]
    assert [row["gate"] for row in refused] == ["worth", "worth"]
    monkeypatch.setenv("INTERMEM_PROMOTE_MIN_WORTH", "0")
    assert len(sandbox.run("promote", "--json", now="2026-01-06T00:00:00Z").json["promoted"]) == 2


def test_of_a_divided_note_the_rule_is_written_and_the_note_stays_known(sandbox: Sandbox) -> None:
    why = "**Why:** on 3 March the release went out without its migrations.\n\n**How to apply:** every release."
    sandbox.note(
        f"---\nname: releases\ntype: feedback\n---\n{RULE} (see [[deploys]])\n\n{why}\n", "feedback_release.md"
    )
    sandbox.note("---\ntype: project\n---\nDone on 2 March.\n", "deploys.md")
    sandbox.scans(*DAYS)
    sandbox.run("promote", "--yes", now=NOW)
    text = sandbox.read()
    assert f"- {RULE}\n" in text and "Why" not in text and "deploys" not in text and "### feedback" not in text
    assert sandbox.run("promote", "--json", now=NOW).json["promoted"] == []
    sandbox.scans("2026-01-04")
    assert sandbox.run("promote", "--json", now="2026-01-04T00:00:00Z").json["promoted"] == []
    assert text == sandbox.read()


def test_why_judges_what_would_be_written_and_not_the_rest_of_the_note(sandbox: Sandbox) -> None:
    key = noted(sandbox, more=f"{WHY}\n\nThe token was ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8 then.")
    sandbox.scans(*DAYS)
    assert sandbox.run("why", key, "--json", now=NOW).json["not_promoted_because"] is None
    assert [one["id"] for one in sandbox.run("promote", "--yes", "--json", now=NOW).json["promoted"]] == [key]
    said = sandbox.run("why", key, now=NOW)
    assert "ghp_" not in said.out + said.err and "ghp_" not in sandbox.read()


def promoted_while_it_might_be_long(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> str:
    """Promote an entry that is longer than promote.max_chars, and return its text."""
    long = f"{RULE} " * 5 + "The end."
    monkeypatch.setenv("INTERMEM_PROMOTE_MAX_CHARS", "2000")
    sandbox.note(f"## Pitfalls\n\n- {long}\n")
    sandbox.scans(*DAYS)
    sandbox.run("promote", "--yes", now=NOW)
    monkeypatch.delenv("INTERMEM_PROMOTE_MAX_CHARS")
    return long


def test_what_stood_once_is_written_again_as_it_stood(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    long = promoted_while_it_might_be_long(sandbox, monkeypatch)
    sandbox.run("sweep", now="2026-01-04T00:00:00Z")
    assert f"- {long}\n" in sandbox.read()
    sandbox.run("demote", identity(long), now="2026-01-04T00:00:00Z")
    sandbox.run("restore", identity(long), now="2026-01-05T00:00:00Z")
    assert f"- {long}\n" in sandbox.read()


def test_what_stood_once_may_be_as_long_as_it_was_at_the_prompt_too(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = promoted_while_it_might_be_long(sandbox, monkeypatch)
    sandbox.note("Nothing.\n")
    for day in ("2026-03-10", "2026-03-11"):
        sandbox.run("sweep", now=f"{day}T00:00:00Z")
    assert "The end." not in sandbox.read()
    sandbox.note(f"## Pitfalls\n\n- {long}\n")
    sandbox.scans("2026-03-12")
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    sandbox.run("promote", now="2026-03-12T00:00:00Z", code=None)
    assert f"- {long}\n" in sandbox.read()


def test_a_wording_that_is_given_is_written_whatever_the_note_is_worth(sandbox: Sandbox) -> None:
    sandbox.note(f"- {LOG}\n")
    sandbox.scans(*DAYS)
    key = identity(LOG)
    assert sandbox.run("promote", key, "--yes", now=NOW, code=1) and "- 2026" not in sandbox.read()
    result = sandbox.run("promote", key, "--text", "Upload tests need the fake clock.", "--yes", "--json", now=NOW).json
    assert [entry["text"] for entry in result["promoted"]] == ["Upload tests need the fake clock."]
    assert "- Upload tests need the fake clock.\n" in sandbox.read()


def test_a_wording_does_not_make_a_note_stable(sandbox: Sandbox) -> None:
    sandbox.note(f"- {LOG}\n")
    sandbox.scans(DAYS[0])
    found = sandbox.run("promote", identity(LOG), "--text", "Short.", "--yes", "--json", now=NOW, code=1).json
    assert [(row["gate"], row["reason"]) for row in found["refused"]] == [("snapshots", "seen in 1 of 3 snapshots")]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--text", "x"), "--text is the wording of one entry, and needs its id"),
        (("aaaa", "bbbb", "--text", "x"), "--text is the wording of one entry, and needs its id"),
        (("aaaa", "--text", "  "), "--text is empty"),
        (("aaaa", "--text", "x" * 401), "--text has 401 characters, 400 are allowed (promote.max_chars)"),
    ],
)
def test_a_wording_that_cannot_be_written_is_a_mistake(sandbox: Sandbox, given: tuple[str, ...], said: str) -> None:
    sandbox.note(f"- {LOG}\n")
    sandbox.scans(*DAYS)
    before = sandbox.tree_hash()
    assert said in sandbox.run("promote", *given, "--yes", now=NOW, code=2).err
    assert sandbox.tree_hash() == before


def test_a_wording_with_a_secret_or_of_another_entry_is_refused(sandbox: Sandbox) -> None:
    sandbox.note(f"- {LOG}\n- {RULE}\n")
    sandbox.scans(*DAYS)
    for text, gate in (("token ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8", "secret"), (RULE, "duplicate")):
        found = sandbox.run("promote", identity(LOG), "--text", text, "--yes", "--json", now=NOW, code=1).json
        assert [row["gate"] for row in found["refused"]] == [gate]


def test_texts_are_judged_as_promote_would(sandbox: Sandbox) -> None:
    before = sandbox.tree_hash()
    rule, log, private = judged(
        sandbox,
        {"entry_text": RULE, "section": "Pitfalls"},
        {"entry_text": LOG, "section": "Status", "source_file": "progress.md", "type": "project"},
        {"entry_text": RULE, "section": "Pitfalls", "type": "user"},
    )
    assert (rule["id"], rule["promote"], rule["class"], rule["text"]) == ("0", True, "rule", RULE)
    assert (log["promote"], private["promote"]) == (False, False)
    assert 500 <= rule["score"] <= 1000 and 0 <= log["score"] < 300
    assert {"prohibition", "demand"} <= {one["reason"] for one in rule["reasons"]}
    points = [abs(one["points"]) for one in rule["reasons"]]
    assert points == sorted(points, reverse=True)
    assert sandbox.tree_hash() == before


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "line 1: not JSON"),
        ('{"id": "a"}', "line 1: entry_text is missing"),
        ('{"id": "a", "entry_text": "x", "section": 3}', "line 1: section is not a string"),
    ],
)
def test_a_line_that_is_no_entry_is_named(sandbox: Sandbox, line: str, said: str) -> None:
    path = sandbox.root.parent / "asked.jsonl"
    path.write_text(line, "utf-8")
    assert said in sandbox.run("worth", "--entries", str(path), code=2).err


WHY = "**Why:** on 3 March the release went out without its migrations.\n\n**How to apply:** at every release."


def noted(box: Sandbox, rule: str = RULE, more: str = WHY) -> str:
    """A memory with one divided note, seen often enough; return the note's id."""
    text = f"{rule}\n\n{more}"
    box.note(f"---\nname: releases\ntype: feedback\n---\n{text}\n", "feedback_release.md")
    return identity(text)


def cut_and_committed(box: Sandbox) -> None:
    """A note of which only an excerpt stands in the document, committed."""
    noted(box)
    box.scans(*DAYS)
    box.run("promote", "--yes", now=NOW)
    box.commit("promote")


@pytest.fixture
def cut(sandbox: Sandbox, once: Once) -> Sandbox:
    once(sandbox, cut_and_committed)
    return sandbox


def only(box: Sandbox) -> dict[str, Any]:
    (entry,) = box.run("query", "--all", "--json", "--no-touch", code=None).json["entries"]
    return dict(entry)


def ledger(box: Sandbox) -> dict[str, Any]:
    (line,) = [json.loads(one) for one in ledger_in(box.root).splitlines()]
    return dict(line)


def test_the_id_stays_the_notes_and_the_record_keeps_the_note(cut: Sandbox) -> None:
    key = noted(cut)
    entry = only(cut)
    assert (entry["id"], entry["text"], entry["note_text"]) == (key, RULE, f"{RULE}\n\n{WHY}")
    assert (ledger(cut)["id"], ledger(cut)["note"]) == (identity(RULE), key)
    said = cut.run("why", key[:6], now=NOW).out
    assert said.startswith(key) and "went out without its migrations" in said
    assert cut.run("why", identity(RULE)[:6], now=NOW).out.startswith(key)
    assert {row["id"] for row in cut.run("log", "--json", now=NOW).json["history"]} == {key}


def test_a_reworded_line_of_an_excerpt_stays_the_note(cut: Sandbox) -> None:
    key = noted(cut)
    cut.write("AGENTS.md", cut.read().replace("always use `make serve`", "always run `make serve`"))
    cut.run("sweep", now="2026-01-04T00:00:00Z")
    entry = only(cut)
    assert entry["id"] == key and "always run `make serve`" in entry["text"] and entry["document"] == "AGENTS.md"
    assert entry["note_text"] == f"{RULE}\n\n{WHY}"
    cut.commit("reword")
    cut.scans("2026-01-05", "2026-01-06")
    assert cut.run("promote", "--json", now="2026-01-06T00:00:00Z").json["promoted"] == []
    assert only(cut)["snapshot_count"] > 3 and cut.run("sweep", "--check", now="2026-01-06T00:00:00Z").code == 0


def test_a_clone_without_state_judges_an_edit_by_what_was_written(cut: Sandbox, tmp_path: Path) -> None:
    key = noted(cut)
    git(tmp_path, "clone", "-q", str(cut.root), "clone")
    (tmp_path / "nothing").mkdir()
    clone = Sandbox(tmp_path / "clone", tmp_path / "nothing", cut.capture, now=NOW)
    clone.write("AGENTS.md", clone.read().replace("always use `make serve`", "always run `make serve`"))
    clone.run("sweep", now="2026-01-04T00:00:00Z")
    entry = only(clone)
    assert (entry["id"], entry["pinned"], entry["document"]) == (key, False, "AGENTS.md")
    assert ledger(clone)["note"] == key
    assert clone.run("sweep", "--check", now="2026-01-04T00:00:00Z").code == 0


def test_a_line_that_is_deleted_rejects_the_note(cut: Sandbox) -> None:
    key = noted(cut)
    cut.write("AGENTS.md", cut.read().replace(f"- {RULE}\n", ""))
    cut.commit("not wanted")
    cut.scans("2026-01-05", "2026-01-06", "2026-01-07")
    (refused,) = cut.run("promote", "--json", now="2026-01-07T00:00:00Z").json["refused"]
    assert (refused["gate"], refused["entry"]["id"]) == ("rejected", key)
    cut.run("restore", key, now="2026-01-08T00:00:00Z")
    assert f"- {RULE}\n" in cut.read() and only(cut)["id"] == key


def test_a_demoted_excerpt_comes_back_as_it_stood(cut: Sandbox) -> None:
    key = noted(cut)
    cut.note("Nothing else.\n", "feedback_release.md")
    for day in ("2026-03-10", "2026-03-11"):
        cut.run("sweep", now=f"{day}T00:00:00Z")
    assert RULE not in cut.read()
    assert [one["id"] for one in cut.run("query", "--demoted", "--json", now=NOW).json["entries"]] == [key]
    noted(cut)
    cut.scans("2026-03-12")
    result = cut.run("promote", "--yes", "--json", now="2026-03-12T00:00:00Z").json
    assert [(one["id"], one["text"]) for one in result["promoted"]] == [(key, RULE)]


@pytest.mark.parametrize(
    ("rule", "more", "stays"),
    [
        (RULE, WHY.replace("3 March", "4 March"), True),
        (RULE.replace("waits for the queue", "waits for the broker"), WHY, False),
    ],
)
def test_what_is_written_stays_as_long_as_the_note_says_it(cut: Sandbox, rule: str, more: str, stays: bool) -> None:
    key = noted(cut)
    assert noted(cut, rule, more) != key
    cut.scans("2026-01-04", "2026-01-05", "2026-01-06")
    result = cut.run("promote", "--yes", "--json", now="2026-01-06T00:00:00Z").json
    assert [one["text"] for one in result["promoted"]] == ([] if stays else [rule])
    assert (f"- {RULE}\n" in cut.read()) == stays
    if stays:
        assert (only(cut)["id"], only(cut)["note_text"]) == (key, f"{rule}\n\n{more}")


def test_a_wording_that_a_person_chose_is_kept_when_the_note_changes_a_little(sandbox: Sandbox) -> None:
    key = noted(sandbox)
    sandbox.scans(*DAYS)
    sandbox.run("promote", key, "--text", "Releases need their migrations.", "--yes", now=NOW)
    noted(sandbox, RULE.replace("waits for the queue", "waits for the broker"))
    sandbox.scans("2026-01-04", "2026-01-05", "2026-01-06")
    assert sandbox.run("promote", "--yes", "--json", now="2026-01-06T00:00:00Z").json["promoted"] == []
    entry = only(sandbox)
    assert (entry["id"], entry["text"], entry["snapshot_count"]) == (key, "Releases need their migrations.", 6)


@pytest.mark.parametrize("day", ["2026-01-01", "2026-01-03"])
def test_two_notes_that_say_the_same_are_one_line(sandbox: Sandbox, day: str) -> None:
    key = noted(sandbox)
    for one in DAYS:
        if one == day:
            sandbox.note(f"## Pitfalls\n\n- {RULE}\n")
        sandbox.run("scan", now=f"{one}T00:00:00Z")
    stable = day == DAYS[0]
    result = sandbox.run("promote", "--yes", "--json", now=NOW).json
    assert [one["id"] for one in result["promoted"]] == ([identity(RULE)] if stable else [])
    assert (key, "duplicate") in [(row["entry"]["id"], row["gate"]) for row in result["refused"]]
    given = sandbox.run("promote", key, "--text", "Serve with make serve.", "--yes", "--json", now=NOW).json
    assert [(one["id"], one["text"]) for one in given["promoted"]] == [(key, "Serve with make serve.")]
    sandbox.scans("2026-01-04", "2026-01-05", "2026-01-06")
    sandbox.run("promote", "--yes", now="2026-01-06T00:00:00Z")
    assert sandbox.read().count(RULE) == 1 and sandbox.run("doctor", now="2026-01-06T00:00:00Z").code == 0


def test_an_excerpt_that_was_purged_is_not_written_by_another_note(sandbox: Sandbox) -> None:
    sandbox.note(f"- {RULE}\n")
    sandbox.run("scan", now=NOW)
    sandbox.run("purge", "--id", identity(RULE), "--confirm", now=NOW)
    sandbox.note("Nothing.\n")
    noted(sandbox)
    sandbox.scans("2026-01-04", "2026-01-05", "2026-01-06")
    result = sandbox.run("promote", "--yes", "--json", now="2026-01-06T00:00:00Z").json
    assert result["promoted"] == [] and "purged" in {row["gate"] for row in result["refused"]}
    assert RULE not in sandbox.read()


def test_a_purge_by_the_notes_id_leaves_neither_text(cut: Sandbox) -> None:
    key = noted(cut)
    cut.note("Nothing else.\n", "feedback_release.md")
    cut.run("purge", "--id", key, "--from-documents", "--confirm", now="2026-01-04T00:00:00Z")
    assert RULE not in cut.read()
    state = cut.root / ".git" / "intermem"
    kept = b"".join(path.read_bytes() for path in state.rglob("*") if path.is_file())
    assert b"went out without its migrations" not in kept and b"waits for the queue" not in kept


def swept(box: Sandbox, day: str) -> dict[str, Any]:
    box.run("sweep", now=f"{day}T00:00:00Z")
    return next(one for one in box.run("query", "--all", "--json", "--no-touch", code=None).json["entries"])


def test_a_branch_without_the_promotion_does_not_have_it_and_the_other_does(cut: Sandbox) -> None:
    key = noted(cut)
    cut.git("checkout", "-q", "-b", "older", "HEAD~1")
    entry = swept(cut, "2026-01-04")
    assert (entry["id"], entry["document"], entry["rejected_at"]) == (key, None, None)
    cut.git("checkout", "-q", "main")
    entry = swept(cut, "2026-01-05")
    assert (entry["id"], entry["document"], entry["pinned"], entry["text"]) == (key, "AGENTS.md", False, RULE)


def test_a_demotion_that_is_reverted_restores_and_pins_the_excerpt(cut: Sandbox) -> None:
    key = noted(cut)
    cut.run("demote", key, now="2026-01-04T00:00:00Z")
    cut.commit("demote")
    cut.git("revert", "--no-edit", "HEAD")
    entry = swept(cut, "2026-01-05")
    assert (entry["id"], entry["document"], entry["pinned"], entry["text"]) == (key, "AGENTS.md", True, RULE)


def test_a_rejected_excerpt_that_a_person_writes_again_is_restored_and_pinned(cut: Sandbox) -> None:
    key, text = noted(cut), cut.read()
    cut.run("reject", key, now="2026-01-04T00:00:00Z")
    cut.commit("reject")
    cut.write("AGENTS.md", text)
    cut.commit("wanted after all")
    entry = swept(cut, "2026-01-05")
    assert (entry["id"], entry["document"], entry["pinned"], entry["rejected_at"]) == (key, "AGENTS.md", True, None)


def test_an_edit_that_is_discarded_makes_the_excerpt_missing_and_not_rejected(cut: Sandbox) -> None:
    key = noted(cut)
    cut.write("AGENTS.md", cut.read().replace(f"- {RULE}\n", ""))
    cut.git("add", "AGENTS.md")
    cut.git("stash", "-q")
    entry = swept(cut, "2026-01-04")
    assert (entry["id"], entry["document"], entry["rejected_at"]) == (key, "AGENTS.md", None)


def test_without_a_ledger_the_record_knows_what_it_wrote_and_a_clone_adopts_it(cut: Sandbox, tmp_path: Path) -> None:
    key = noted(cut)
    cut.git("rm", "-q", "-r", ".intermem")
    cut.commit("no ledger")
    entry = swept(cut, "2026-01-04")
    assert (entry["id"], entry["document"], entry["pinned"]) == (key, "AGENTS.md", False)
    git(tmp_path, "clone", "-q", str(cut.root), "clone")
    (tmp_path / "nothing").mkdir()
    clone = Sandbox(tmp_path / "clone", tmp_path / "nothing", cut.capture, now=NOW)
    entry = swept(clone, "2026-01-04")
    assert (entry["id"], entry["text"], entry["document"], entry["pinned"]) == (
        identity(RULE),
        RULE,
        "AGENTS.md",
        False,
    )


def test_a_line_that_a_person_wrote_first_is_no_second_entry_of_the_note(cut: Sandbox) -> None:
    cut.write("AGENTS.md", cut.read().replace(RULE, "Never deploy on a Friday, because nobody is there."))
    noted(cut, "Never deploy on a Friday, because nobody is there.")
    cut.scans("2026-01-04", "2026-01-05", "2026-01-06")
    cut.run("promote", "--yes", now="2026-01-06T00:00:00Z")
    assert cut.read().count("Never deploy on a Friday") == 1
    assert cut.run("doctor", now="2026-01-06T00:00:00Z", code=None).code in (0, 1)


def test_a_colleague_who_has_the_excerpt_as_a_note_of_its_own_sees_the_same_entry(cut: Sandbox, tmp_path: Path) -> None:
    key = noted(cut)
    git(tmp_path, "clone", "-q", str(cut.root), "clone")
    (tmp_path / "theirs").mkdir()
    clone = Sandbox(tmp_path / "clone", tmp_path / "theirs", cut.capture, now=NOW)
    clone.note(f"- {RULE}\n")
    clone.scans("2026-01-03")  # its own record comes first
    for day in ("2026-01-04", "2026-01-14"):
        entry = swept(clone, day)
        assert (entry["id"], entry["document"], entry["pinned"]) == (key, "AGENTS.md", False)
    assert (ledger(clone)["id"], ledger(clone)["note"]) == (identity(RULE), key)
    assert clone.run("sweep", "--check", now="2026-01-14T00:00:00Z").code == 0


def test_a_demotion_of_a_colleague_reaches_the_note_of_this_clone(cut: Sandbox, tmp_path: Path) -> None:
    key = noted(cut)
    git(tmp_path, "clone", "-q", str(cut.root), "clone")
    (tmp_path / "theirs").mkdir()
    clone = Sandbox(tmp_path / "clone", tmp_path / "theirs", cut.capture, now=NOW)
    noted(clone)
    clone.scans("2026-01-04")
    clone.run("demote", key, now="2026-01-05T00:00:00Z")
    assert (only(clone)["id"], only(clone)["note_text"]) == (key, f"{RULE}\n\n{WHY}")
    clone.commit("demote")
    cut.git("pull", "-q", str(clone.root), "main")
    entry = swept(cut, "2026-01-06")
    assert (entry["id"], entry["status"], entry["document"]) == (key, "demoted", None)
    assert RULE not in cut.read()
