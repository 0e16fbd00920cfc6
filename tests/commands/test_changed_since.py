"""A cited function that changed after its note was confirmed: valid, with the commit, and no alarm anywhere."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conftest import Sandbox

NOTE = "Never call `load_all()` twice: it leaks the handle."
CODE = "def load_all(path):\n    return read(path)\n\n\ndef other(path):\n    return path\n"
CHANGED = CODE.replace("read(path)", "read(path).strip()")


def committed(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, day: str, files: dict[str, str]) -> str:
    """Write and commit files on a day, and return the commit."""
    monkeypatch.setenv("GIT_AUTHOR_DATE", f"{day}T00:00:00Z")
    monkeypatch.setenv("GIT_COMMITTER_DATE", f"{day}T00:00:00Z")
    for name, text in files.items():
        sandbox.write(name, text)
    return sandbox.commit()


def changed(sandbox: Sandbox, *more: str) -> list[dict[str, Any]]:
    return sandbox.run("check", "--all", *more, "--json").json["changed"]


@pytest.fixture
def history(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A line about a function, and three commits: another function, the cited one, and a comment in it."""
    document = f"# Rules\n\n- {NOTE}\n"
    return [
        committed(sandbox, monkeypatch, "2026-01-01", {"app.py": CODE, "AGENTS.md": document}),
        committed(sandbox, monkeypatch, "2026-01-10", {"app.py": CODE.replace("return path", "return None")}),
        committed(sandbox, monkeypatch, "2026-01-20", {"app.py": CHANGED}),
        committed(sandbox, monkeypatch, "2026-01-30", {"app.py": f"# of ours\n{CHANGED}"}),
    ]


def test_check_all_names_the_commit_that_changed_a_cited_function(sandbox: Sandbox, history: list[str]) -> None:
    (one,) = changed(sandbox)
    assert (one["file"], one["line"], one["citation"]["status"]) == ("AGENTS.md", 3, "valid")
    assert one["citation"]["evidence"] == {
        "commit": history[2],
        "date": "2026-01-20",
        "reason": "its body has changed since 2026-01-01",
    }
    told = sandbox.run("check", "--all").out
    assert "1 cited function changed after the citing line was written:" in told
    assert f"AGENTS.md:3:15: load_all() (app.py:2, {history[2][:10]} on 2026-01-20)" in told


def test_it_is_no_finding(sandbox: Sandbox, history: list[str]) -> None:
    assert sandbox.run("check", "--json").json["changed"] == []
    assert sandbox.run("check", "--all", "--json").json["findings"] == []
    assert changed(sandbox, "--rev", history[1]) == []
    assert len(changed(sandbox, "--rev", history[2])) == 1


def test_whoever_rewrites_the_line_has_confirmed_it(
    sandbox: Sandbox, history: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    committed(sandbox, monkeypatch, "2026-02-01", {"AGENTS.md": f"# Rules\n\nNew.\n\n- {NOTE}\n"})
    assert [one["line"] for one in changed(sandbox)] == [5]
    committed(sandbox, monkeypatch, "2026-02-02", {"AGENTS.md": f"# Rules\n\n- {NOTE} Really.\n"})
    assert changed(sandbox) == []
    sandbox.write("AGENTS.md", f"# Rules\n\n- Uncommitted: {NOTE}\n")
    assert changed(sandbox) == []


def test_what_was_changed_back_has_not_changed(
    sandbox: Sandbox, history: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    committed(sandbox, monkeypatch, "2026-02-01", {"app.py": CODE})
    assert changed(sandbox) == []


def test_why_names_the_commit_until_somebody_confirms(sandbox: Sandbox, history: list[str]) -> None:
    sandbox.note(f"- {NOTE}\n")
    sandbox.run("scan", now="2026-01-05T00:00:00Z")
    (entry,) = sandbox.entries().values()
    lines = sandbox.run("why", entry["id"], now="2026-02-01T00:00:00Z").out.split("\n")
    (cites,) = (line for line in lines if line.strip().startswith("cites"))
    assert "valid (its body has changed since 2026-01-05)" in cites
    assert f"in {history[2][:10]} on 2026-01-20" in cites
    sandbox.run("feedback", entry["id"], "confirm", now="2026-01-25T00:00:00Z")
    assert "has changed" not in sandbox.run("why", entry["id"], now="2026-02-01T00:00:00Z").out


def test_the_review_shows_it_to_an_agent_too(sandbox: Sandbox, history: list[str]) -> None:
    sandbox.write("AGENTS.md", "# Rules\n")
    sandbox.note(f"- {NOTE}\n")
    sandbox.run("scan", now="2026-01-05T00:00:00Z")
    listed = sandbox.run(
        "promote", "--candidates", "--min-snapshots", "1", "--json", now="2026-02-01T00:00:00Z", code=None
    )
    (one,) = listed.json["candidates"]
    assert one["citations"][0]["evidence"]["commit"] == history[2]


def test_a_function_that_moved_to_another_file_is_not_said_to_have_changed(
    sandbox: Sandbox, history: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    committed(sandbox, monkeypatch, "2026-02-01", {"app.py": "x = 1\n", "new.py": CHANGED})
    assert changed(sandbox) == []


def test_a_folder_without_git_has_no_past(sandbox: Sandbox) -> None:
    sandbox.write("app.py", CODE)
    sandbox.write("AGENTS.md", f"- {NOTE}\n")
    assert changed(sandbox) == []


def test_a_day_that_no_calendar_has_is_told_by_its_commit(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_COMMITTER_DATE", "@999999999999999 +0000")
    sandbox.write("app.py", CODE)
    sandbox.write("AGENTS.md", f"- {NOTE}\n")
    first = sandbox.commit()
    sandbox.write("app.py", CHANGED)
    second = sandbox.commit()
    (one,) = changed(sandbox)
    assert one["citation"]["evidence"]["commit"] == second
    assert one["citation"]["evidence"]["reason"] == f"its body has changed since {first[:10]}"
