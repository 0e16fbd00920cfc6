from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from intermem.cli import prompt
from intermem.core.entries.identity import identity
from intermem.workflow import candidacy
from tests.conftest import Sandbox

NOW = "2026-01-03T00:00:00Z"
REAL_ASK = prompt.ask
DAYS = ("2026-01-01", "2026-01-02", "2026-01-03")

LOADED = "Never push to main by hand, because the deploy starts at once."


def gates(box: Sandbox, *arguments: str) -> dict[str, str]:
    result = box.run("promote", "--json", *arguments, now=NOW, code=None).json
    return {row["entry"]["text"].split("\n")[0]: row["gate"] for row in result["refused"]}


def test_what_is_refused_has_its_gate(sandbox: Sandbox) -> None:
    sandbox.write(
        "AGENTS.md", "# P\n\n- Said already, in other words or not.\n\nRules:\n- One rule of two.\n- Another.\n"
    )
    sandbox.note(
        "- Said already, in other words or not\n- One rule of two.\n- Fine.\n- password = 'hunter2secret'\n"
        f"- Long {'word ' * 90}end.\n"
    )
    sandbox.note("---\ntype: user\n---\nprivate\n", "user.md")
    sandbox.note("---\ntype: concept\n---\nodd type\n", "concept.md")
    sandbox.scans(*DAYS)
    sandbox.note("- Too new.\n", "new.md")
    sandbox.run("scan", now=NOW)
    assert gates(sandbox) == {
        "Said already, in other words or not": "duplicate",
        "One rule of two.": "duplicate",
        "(not shown)": "secret",
        f"Long {'word ' * 90}end.": "length",
        "private": "type",
        "odd type": "type",
        "Too new.": "snapshots",
    }


@pytest.mark.parametrize(
    ("types", "heading"),
    [
        (("user",), "Private (1): only notes of a type in promote.types are promoted"),
        (("decision", "user"), "Of a type that is not promoted (2): promote.types does not name decision"),
        (tuple("abcd"), "Of a type that is not promoted (4): promote.types does not name a, b, c, …"),
    ],
)
def test_notes_of_other_types_are_not_called_private(sandbox: Sandbox, types: tuple[str, ...], heading: str) -> None:
    for number, kind in enumerate(types):
        sandbox.note(f"---\ntype: {kind}\n---\nNever call service {number} directly.\n", f"{kind}.md")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    assert f"  {heading}\n" in sandbox.run("promote", now="2026-01-03T00:00:00Z").out


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        ("The timeout of the client is 30 seconds here.", "The timeout of the client is 60 seconds here.", False),
        ("Always commit the lock file with the change.", "Never commit the lock file with the change.", False),
        ("Use `make all` to build the whole project.", "Use `make any` to build the whole project.", False),
        ("Run the whole test suite before a commit.", "Run the whole test suite before a commit!", True),
        ("Keep the functions in this module short.", "Keep the function in this module short.", True),
    ],
)
def test_near_duplicates_of_one_run_differ_in_number_negation_or_code(
    sandbox: Sandbox, one: str, two: str, same: bool
) -> None:
    sandbox.note(f"- {one}\n- {two}\n")
    sandbox.scans(*DAYS)
    assert len(sandbox.run("promote", "--yes", "--json", now=NOW).json["promoted"]) == (1 if same else 2)


def test_a_secret_is_never_echoed(sandbox: Sandbox) -> None:
    sandbox.note("- deploy with token ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8\n")
    sandbox.scans(DAYS[0])
    assert "ghp_" not in sandbox.run("promote", "--json", now=NOW).out
    sandbox.scans(*DAYS[1:])
    for call in (("promote",), ("promote", "--json"), ("promote", "--yes", "--verbose")):
        outcome = sandbox.run(*call, now=NOW)
        assert "ghp_" not in outcome.out + outcome.err
        assert "github pat" in outcome.out


def test_the_best_come_first_within_the_limit(sandbox: Sandbox) -> None:
    sandbox.note("- Uncited, first.\n- Cited in `src/app.py`.\n- Uncited, second.\n")
    sandbox.scans(*DAYS)
    result = sandbox.run("promote", "--yes", "--limit", "1", "--json", now=NOW).json
    assert [entry["text"] for entry in result["promoted"]] == ["Cited in `src/app.py`."]
    assert {row["gate"] for row in result["refused"]} == {"limit"}


@pytest.mark.parametrize(
    ("budget", "said"),
    [
        ("budget_entries = 3", "the region would have 4 entries, more than 3 (promote.budget_entries)"),
        ("budget_tokens = 10", "the region would have 12 tokens, more than 10 (promote.budget_tokens)"),
    ],
)
def test_the_budget_of_a_region_is_kept(sandbox: Sandbox, budget: str, said: str) -> None:
    sandbox.write("intermem.toml", f"[promote]\n{budget}\n")
    sandbox.note("## S\n\n" + "".join(f"- {word}.\n" for word in ("Alpha", "Bravo", "Charlie", "Delta", "Echo")))
    sandbox.scans(*DAYS)
    result = sandbox.run("promote", "--yes", "--json", now=NOW).json
    assert (len(result["promoted"]), {row["gate"] for row in result["refused"]}) == (3, {"budget"})
    assert said == result["refused"][0]["reason"]


def test_ids_name_entries_and_a_refusal_is_a_finding(sandbox: Sandbox) -> None:
    sandbox.note("- One fact.\n- Two facts.\n")
    sandbox.scans(*DAYS)
    one = identity("One fact.")
    result = sandbox.run("promote", one[:6], "--yes", "--json", now=NOW).json
    assert [entry["id"] for entry in result["promoted"]] == [one]
    again = sandbox.run("promote", one[:6], "--yes", "--json", now=NOW, code=1).json
    assert [(row["gate"], row["reason"]) for row in again["refused"]] == [
        ("promoted", "already in AGENTS.md since 2026-01-03")
    ]


def test_the_json_shows_what_is_stored(sandbox: Sandbox) -> None:
    sandbox.note("- One fact.\n")
    sandbox.scans(*DAYS)
    (said,) = sandbox.run("promote", "--yes", "--json", now=NOW).json["promoted"]
    assert said == sandbox.entries()["One fact."]
    sandbox.note("")
    sandbox.run("sweep", now="2026-02-10T00:00:00Z")
    (said,) = sandbox.run("sweep", "--json", now="2026-02-11T00:00:00Z").json["demoted"]
    assert said == sandbox.entries()["One fact."]


def test_without_a_terminal_nothing_is_written_unless_yes(sandbox: Sandbox) -> None:
    sandbox.note("- One fact.\n")
    sandbox.scans(*DAYS)
    before = sandbox.tree_hash()
    outcome = sandbox.run("promote", now=NOW)
    assert "nothing was written: add --yes" in outcome.err
    assert sandbox.tree_hash() == before


def test_any_spelling_of_a_document_is_a_target(sandbox: Sandbox) -> None:
    sandbox.note("- One fact.\n")
    sandbox.scans(*DAYS)
    (sandbox.root / "CLAUDE.md").symlink_to("AGENTS.md")
    for name in ("AGENTS.md", "./AGENTS.md", "CLAUDE.md", str(sandbox.root / "AGENTS.md")):
        assert sandbox.run("promote", "--dry-run", "--target", name, "--json", now=NOW).json["document"] == "AGENTS.md"


def test_a_links_target_is_replaced_and_the_link_stays(sandbox: Sandbox) -> None:
    (sandbox.root / "AGENTS.md").rename(sandbox.root / "GUIDE.md")
    (sandbox.root / "AGENTS.md").symlink_to("GUIDE.md")
    (sandbox.root / "GUIDE.md").chmod(0o640)
    sandbox.note("- One fact.\n")
    sandbox.scans(*DAYS)
    sandbox.run("promote", "--yes", now=NOW)
    assert (sandbox.root / "AGENTS.md").is_symlink()
    assert "- One fact." in sandbox.read("GUIDE.md")
    assert (sandbox.root / "GUIDE.md").stat().st_mode & 0o777 == 0o640


# a person decides


def asked(
    box: Sandbox,
    monkeypatch: pytest.MonkeyPatch,
    answers: str,
    *arguments: str,
    meanwhile: Callable[[], object] = lambda: None,
) -> str:
    out = io.StringIO()

    def ask(found: Any, name: str, _source: Any, _err: Any) -> Any:
        meanwhile()
        return REAL_ASK(found, name, io.StringIO(answers), out)

    monkeypatch.setattr("sys.stdin", io.StringIO(answers))
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setattr(prompt, "ask", ask)
    box.run("promote", *arguments, now=NOW, code=None)
    return out.getvalue()


@pytest.fixture
def three(sandbox: Sandbox) -> Sandbox:
    sandbox.note("- Alpha fact.\n- Beta fact.\n- Gamma fact.\n")
    sandbox.scans(*DAYS)
    return sandbox


@pytest.mark.parametrize(
    ("answers", "promoted"),
    [
        ("y\nn\ny\n", 2),
        ("yes\nq\n", 1),
        ("a\n", 3),
        ("n\na\n", 2),
        ("", 0),
        ("\n?\nmaybe\ny\nno\nquit\n", 1),
        ("never\nn\nn\n", 0),
    ],
)
def test_each_answer_is_heard(three: Sandbox, monkeypatch: pytest.MonkeyPatch, answers: str, promoted: int) -> None:
    said = asked(three, monkeypatch, answers)
    assert "(1/3) into AGENTS.md [y,n,never,e,a,q,?]" in said
    assert three.read().count(" fact.") == promoted


@pytest.mark.parametrize("edited_meanwhile", [False, True])
def test_the_plan_is_made_anew_only_where_something_changed_at_the_prompt(
    three: Sandbox, monkeypatch: pytest.MonkeyPatch, edited_meanwhile: bool
) -> None:
    assessments = []
    honest = candidacy.assess_project

    def counting(*given: Any, **named: Any) -> Any:
        assessments.append(given)
        return honest(*given, **named)

    monkeypatch.setattr(candidacy, "assess_project", counting)
    asked(three, monkeypatch, "y\nn\nn\n", meanwhile=lambda: edited_meanwhile and _edit_by_hand(three))
    assert len(assessments) == (2 if edited_meanwhile else 1)
    assert three.read().count(" fact.") == 1
    assert ("By hand." in three.read()) == edited_meanwhile


def _edit_by_hand(box: Sandbox) -> None:
    box.write("AGENTS.md", box.read() + "\nBy hand.\n")


def test_never_is_kept_and_said(three: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    asked(three, monkeypatch, "never\nq\n")
    refused = three.run("promote", "--json", now=NOW).json["refused"]
    assert [(row["gate"], row["reason"]) for row in refused] == [
        ("rejected", f"rejected on 2026-01-03; intermem restore {refused[0]['entry']['id'][:8]} lifts that")
    ]
    events = three.run("log", refused[0]["entry"]["id"], "--json").json["history"]
    assert events[0]["event"] == "rejected"


def test_an_edited_text_goes_in_and_the_note_goes_on_being_seen(
    three: Sandbox, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    editor = tmp_path / "editor"
    editor.write_bytes(b"#!/bin/sh\nprintf 'Reviewed wording.\\n' > \"$1\"\n")
    editor.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(editor))
    first = next(iter(three.run("promote", "--json", now=NOW).json["promoted"]))
    asked(three, monkeypatch, "e\nq\n")
    assert "- Reviewed wording.\n" in three.read()
    entry = three.entries()["Reviewed wording."]
    assert (entry["id"], entry["document"]) == (first["id"], "AGENTS.md")
    three.run("scan", now="2026-01-04T00:00:00Z")
    again = three.entries()
    assert set(again) == {"Reviewed wording.", *({"Alpha fact.", "Beta fact.", "Gamma fact."} - {first["text"]})}
    assert again["Reviewed wording."]["snapshot_count"] == 4
    assert three.run("why", first["id"], "--json").json["entry"]["text"] == "Reviewed wording."


@pytest.mark.parametrize("editor", ["false", "a 'b", "/nowhere/editor"])
def test_an_editor_that_fails_asks_again(three: Sandbox, monkeypatch: pytest.MonkeyPatch, editor: str) -> None:
    monkeypatch.setenv("VISUAL", editor)
    said = asked(three, monkeypatch, "e\nq\n")
    assert "the text is unchanged" in said
    assert "fact." not in three.read()


def test_a_long_note_can_be_promoted_with_edit(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    sandbox.note(f"- Long {'part 1 ' * 70}end.\n")
    sandbox.scans(*DAYS)
    key = next(iter(sandbox.entries().values()))["id"]
    assert "! not by itself: no part of it is complete within 400 characters" in asked(sandbox, monkeypatch, "y\n", key)
    assert "part 1" not in sandbox.read()
    editor = tmp_path / "editor"
    editor.write_bytes(b"#!/bin/sh\nprintf 'Short.\\n' > \"$1\"\n")
    editor.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(editor))
    asked(sandbox, monkeypatch, "e\n", key)
    assert "- Short.\n" in sandbox.read()


def test_a_rule_stands_above_the_facts_and_comes_back_there(sandbox: Sandbox) -> None:
    facts, rule = ("Builds take a minute.", "The cache holds wheels."), "Never build on the host."
    sandbox.write("AGENTS.md", "# P\n")
    sandbox.commit("start")
    sandbox.note("".join(f"- {text}\n" for text in (*facts, rule)))
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    sandbox.run("promote", "--yes", now="2026-01-03T01:00:00Z")
    written = sandbox.read()
    assert written.index(rule) < written.index(facts[0]) < written.index(facts[1])
    sandbox.commit("promote")
    for command in ("demote", "restore"):
        sandbox.run(command, identity(rule), now="2026-01-03T02:00:00Z")
    assert sandbox.read() == written


@pytest.mark.parametrize("line", [f"- {LOADED}", f"- {LOADED} <!-- intermem:1a2b3c4d -->", LOADED])
def test_what_a_document_beside_it_says_is_not_said_again(sandbox: Sandbox, line: str) -> None:
    sandbox.write("CLAUDE.md", f"@AGENTS.md\n\n## Rules\n\n{line}\n")
    sandbox.run("init")
    sandbox.note(f"- {LOADED}\n")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    said = sandbox.run("promote", "--yes", now="2026-01-04", code=None).out
    assert "CLAUDE.md says so already" in said and LOADED not in sandbox.read("AGENTS.md")


def test_a_note_that_no_scan_has_read_of_late_is_promoted_after_a_scan(sandbox: Sandbox) -> None:
    later = "2026-03-10T00:00:00Z"
    sandbox.note(f"- {LOADED}\n")
    sandbox.scans(*DAYS)
    why = "no scan has read it since 2026-01-03: intermem scan reads the memory"
    told = sandbox.run("promote", "--yes", now=later).out
    assert "Waiting for a scan (1)" in told and why in told and "correct the note" not in told
    assert why in sandbox.run("why", identity(LOADED), now=later).out
    sandbox.run("scan", now=later)
    assert "Promoted 1 entry" in sandbox.run("promote", "--yes", now=later).out


def test_promote_tells_of_notes_that_no_scan_has_read(sandbox: Sandbox) -> None:
    long = f"{LOADED}\n\n  **Why:** it once did so on a Friday, and nobody was there to stop it."
    sandbox.note(f"- {long}\n- Fine.\n")
    sandbox.scans(*DAYS)
    sandbox.run("promote", "--yes", now=NOW)
    sandbox.note(f"- {long}\n- Fine.\n- fine\n- Gone soon.\n- Fine, but new.\n")
    purged = identity("Gone soon.")
    sandbox.run("scan", now=NOW)
    sandbox.run("purge", "--id", purged, "--confirm", now=NOW)
    assert "not scanned" not in sandbox.run("promote", now=NOW).err
    sandbox.note(f"- {long}\n- Fine.\n- Gone soon.\n- New.\n- Newer.\n")
    assert "2 notes in the memory are not scanned yet: intermem scan" in sandbox.run("promote", now=NOW).err
    sandbox.run("scan", now=NOW)
    assert "not scanned" not in sandbox.run("promote", now=NOW).err


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("- Never run plain pytest.\n- Always run uv.\n", "- Never run plain pytest.\n  - Always run uv.\n"),
        ("1. Never run plain pytest.\n2. Always run uv.\n", "- Never run plain pytest.\n\n  2. Always run uv.\n"),
    ],
)
def test_a_topic_file_that_is_a_list_is_one_item_without_an_empty_one_around_it(
    sandbox: Sandbox, body: str, line: str
) -> None:
    sandbox.note(f"---\nname: x\ntype: feedback\n---\n{body}", "tests.md")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    (candidate,) = sandbox.run("promote", "--candidates", "--json", now="2026-01-03T00:00:00Z").json["candidates"]
    assert candidate["excerpt"].startswith("Never run plain")
    sandbox.run("promote", "--yes", now="2026-01-03T00:00:00Z")
    assert line in sandbox.read()
    (entry,) = sandbox.entries().values()
    sandbox.run("demote", entry["id"], now="2026-01-04T00:00:00Z")
    sandbox.run("restore", entry["id"], now="2026-01-05T00:00:00Z")
    assert line in sandbox.read() and "- - " not in sandbox.read() and "- 1. " not in sandbox.read()


def test_what_was_reworded_is_replaced_and_does_not_wait_to_be_seen_again(sandbox: Sandbox) -> None:
    old = "Never edit the generated code by hand, because the generator overwrites it every night."
    for text, days in ((old, ["2026-01-01"]), (old.replace("night", "evening"), ["2026-01-02", "2026-01-03"])):
        sandbox.note(f"- {text}\n")
        sandbox.scans(*days)
    heir = next(one["id"] for one in sandbox.entries().values() if "evening" in one["text"])
    said = sandbox.run("promote", "--yes", now="2026-01-03T00:00:00Z").out
    assert "Replaced by another note (1): nothing to do" in said and "Not seen any more" not in said
    assert f"no longer in the memory: {heir[:8]} has taken its place" in said
