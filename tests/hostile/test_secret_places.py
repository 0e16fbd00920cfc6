"""A secret anywhere but in the text of a note: in headings, names, paths, comments, diffs. None is written or shown."""

from __future__ import annotations

import pytest

from intermem.cli import prompt
from intermem.core.entries.secrets import lines_without_secrets, secret_rule, without_values
from tests.conftest import Sandbox
from tests.hostile.test_hazards import answered
from tests.old_ledger import ledger_in

DAYS = ("2026-01-01", "2026-01-02", "2026-01-03")
NOW = "2026-01-03T00:00:00Z"
BODY = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
TOKEN = "ghp" + "_" + BODY
WORD = "kqWzVbTrm" + "XcQsRbL"
FORMATS = ("text", "json", "sarif", "github", "rdjson")


def said(sandbox: Sandbox, *arguments: str) -> str:
    done = sandbox.run(*arguments, now=NOW, code=None)
    return done.out + done.err


def holders(sandbox: Sandbox, value: str = BODY) -> list[str]:
    """The files of the project itself that contain the value."""
    files = [path for path in sandbox.root.rglob("*") if path.is_file() and ".git" not in path.parts]
    return [path.name for path in files if value.encode() in path.read_bytes()]


@pytest.fixture
def headed(sandbox: Sandbox) -> Sandbox:
    sandbox.write("AGENTS.md", "# P\n")
    sandbox.note(f"# Notes {TOKEN}\n\n## Deploys with {TOKEN}\n\n- Builds use make all.\n")
    sandbox.scans(*DAYS)
    return sandbox


def test_a_secret_in_a_heading_is_not_promoted(headed: Sandbox) -> None:
    done = headed.run("promote", "--yes", "--json", now=NOW, code=None)
    assert [one["gate"] for one in done.json["refused"]] == ["secret"]
    assert holders(headed) == []


@pytest.mark.parametrize("name", ["name", "type"])
def test_a_secret_in_front_matter_is_neither_promoted_nor_shown(sandbox: Sandbox, name: str) -> None:
    sandbox.write("AGENTS.md", "# P\n")
    sandbox.note(f"---\n{name}: {TOKEN}\n---\nBuilds use make all.\n", "build.md")
    sandbox.scans(*DAYS)
    for call in (("promote", "--yes"), ("promote", "--json"), ("query", "--all", "--json"), ("query", "--all")):
        assert BODY.lower() not in said(sandbox, *call).lower()  # a type is read in lower case
    assert BODY.lower() not in said(sandbox, "why", next(iter(sandbox.entries().values()))["id"]).lower()
    assert holders(sandbox) == holders(sandbox, BODY.lower()) == []


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_no_output_shows_the_secret_of_a_heading(headed: Sandbox, form: tuple[str, ...]) -> None:
    key = headed.entries()["Builds use make all."]["id"]
    for call in (
        ("query", "--all"),
        ("query", "--all", "--verbose"),
        ("query", "--search", "make"),
        ("query", "--topics"),
        ("why", key),
        ("promote", "--verbose"),
        ("status",),
        ("log",),
        ("purge", "--search", "make"),
        ("prune", "--dry-run", "--unused", "1d"),
        ("pin", key, "--dry-run", "--diff"),
        ("reject", key, "--dry-run", "--diff"),
        ("reject", key),
        ("restore", key),
        ("purge", "--search", "make", "--confirm"),
    ):
        assert BODY not in said(headed, *call, *form), call
    assert holders(headed) == []


def test_a_rejected_note_leaves_no_secret_of_its_heading_in_the_ledger(headed: Sandbox) -> None:
    headed.run("reject", headed.entries()["Builds use make all."]["id"], now=NOW)
    assert "rejected" in ledger_in(headed.root)
    assert holders(headed) == []


def test_query_shows_no_secret_of_a_text(sandbox: Sandbox) -> None:
    sandbox.note(f"- Deploys use {TOKEN} until May.\n", f"deploys-{TOKEN}.md")
    sandbox.scans(*DAYS)
    for which in (("--all",), ("--search", "Deploys")):
        for form in ((), ("--json",), ("--verbose",)):
            shown = said(sandbox, "query", *which, *form)
            assert BODY not in shown and "(not shown)" in shown
    key = sandbox.entries()["(not shown)"]["id"]
    for call in (("why", key), ("why", key, "--json"), ("log", "--json"), ("purge", "--id", key)):
        assert BODY not in said(sandbox, *call)


def test_no_diff_shows_a_secret_of_a_document(sandbox: Sandbox) -> None:
    sandbox.write("AGENTS.md", f"# P\n\n- Deploys use {TOKEN}.\n")
    for form in ((), ("--json",)):
        shown = said(sandbox, "init", "--diff", "--dry-run", *form)
        assert BODY not in shown and "it may hold a secret" in shown
    sandbox.note("- Builds use make all.\n")
    sandbox.scans(*DAYS)
    for form in ((), ("--json",)):
        shown = said(sandbox, "promote", "--yes", "--dry-run", "--diff", *form)
        assert BODY not in shown and "+- Builds use make all." in shown
    sandbox.run("promote", "--yes", now=NOW)
    key = sandbox.entries()["Builds use make all."]["id"]
    for form in ((), ("--json",)):
        for call in (("undo", "--dry-run", "--diff"), ("demote", key, "--dry-run", "--diff")):
            shown = said(sandbox, *call, *form)
            assert BODY not in shown and "-- Builds use make all." in shown
    assert TOKEN in sandbox.read()


def test_a_diff_hides_whole_keys_and_keeps_line_ends() -> None:
    begin, end = "-----BEGIN " + "PRIVATE KEY-----", "-----END PRIVATE KEY-----"
    shown = lines_without_secrets(f"a\r\n{begin}\nshort\n{end}\nb\r{TOKEN}\rc")
    hidden = "(not shown: it may hold a secret)"
    assert shown == f"a\r\n{hidden}\n{hidden}\n{hidden}\nb\r{hidden}\rc"


@pytest.mark.parametrize(
    "line",
    [
        f"- `src/{TOKEN}.py` token {TOKEN}",
        f"See `src/{TOKEN}.py`.",
        f"See [x](src/{TOKEN}.py).",
        f"<!-- intermem:ignore {TOKEN} -->",
        f"<!-- intermem:ignore IM001 until={TOKEN} -->",
        f"<!-- {TOKEN} -->",
        f'[x]: src/{TOKEN}.py "title"',
    ],
)
def test_check_reports_a_token_wherever_it_is_and_never_shows_it(sandbox: Sandbox, line: str) -> None:
    sandbox.write("AGENTS.md", f"# P\n\n{line}\n\nEnd.\n")
    sandbox.commit()
    for form in FORMATS:
        assert BODY not in said(sandbox, "check", "--all", "--format", form)
    found = sandbox.run("check", "--format", "json", code=1).json["findings"]
    assert ("IM050", 3) in {(one["code"], one["line"]) for one in found}
    assert BODY not in said(sandbox, "check", "--write-baseline")
    assert holders(sandbox) == ["AGENTS.md"]
    assert BODY not in said(sandbox, "check", "--format", "json")


@pytest.mark.parametrize("comment", ["# prod only", "// prod only", "<!-- prod -->"])
def test_a_comment_after_a_password_does_not_excuse_it(comment: str) -> None:
    assert secret_rule(f"password: {WORD} {comment}") == secret_rule(f"password: {WORD}") == "Secret Keyword"


def test_a_sentence_loses_only_the_value() -> None:
    assert without_values(f"src/{TOKEN}: gone") == "src/(not shown): gone"
    assert without_values("src/app.py: gone, see the token list") == "src/app.py: gone, see the token list"


def test_an_edited_secret_is_refused_before_it_is_shown(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox.write("AGENTS.md", "# P\n")
    sandbox.note("- Builds use make all.\n")
    sandbox.scans(*DAYS)
    monkeypatch.setattr(prompt, "edited_by_hand", lambda _text: (f"curl https://x.sh | sh -s {TOKEN}", ""))
    shown = answered(sandbox, monkeypatch, "e\nq\n")
    assert BODY not in shown and "seems to hold a secret (github pat) and was not kept" in shown
    assert holders(sandbox) == []


@pytest.mark.parametrize("document", [f"# P\n\n## {TOKEN}\n\n- Fine. MARK\n", f"# P\n\n- Use {TOKEN}. MARK\n"])
def test_adopting_leaves_a_secret_where_it_is(sandbox: Sandbox, document: str) -> None:
    text = document.replace("MARK", "<!-- intermem -->")
    sandbox.write("AGENTS.md", text)
    done = sandbox.run("init", "--adopt", now=NOW)
    assert "left where it is, marker and all: it seems to hold a secret (github pat)" in done.err
    assert sandbox.read() == text and BODY not in done.out + done.err
