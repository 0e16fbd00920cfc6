"""Comments that hide findings belong to people: no command loses, rejects or claims one."""

from __future__ import annotations

import pytest

from intermem.core.markdown.markers import BEGIN, END
from intermem.core.region.legacy_markers import adopted
from intermem.core.region.parse import find_region
from intermem.core.region.place import place_region, remove_region
from tests.conftest import Sandbox

IGNORE = '<!-- intermem:ignore IM001 reason="it is in the image" -->'


def curated(sandbox: Sandbox) -> str:
    """A document with two entries of the memory, an ignore comment above each and above the region."""
    sandbox.note("- Prefer `src/app.py`.\n- Quote every path.\n")
    sandbox.run("scan")
    sandbox.run("promote", "--yes", "--min-snapshots", "1")
    text = sandbox.read().replace("\n- ", f"\n{IGNORE}\n- ").replace(BEGIN, f"{IGNORE}\n{BEGIN}")
    assert text.count(IGNORE) == 3
    sandbox.write("AGENTS.md", text)
    sandbox.commit()
    return text


def test_no_verb_minds_comments(sandbox: Sandbox) -> None:
    text = curated(sandbox)
    assert sandbox.run("doctor", "--json").json["findings"] == []
    swept = sandbox.run("sweep", "--json").json
    assert (swept["demoted"], swept["reconciled"]) == ([], [])
    sandbox.run("sweep", "--check")
    assert sandbox.read() == text
    assert {entry["document"] for entry in sandbox.entries().values()} == {"AGENTS.md"}


def test_an_entry_goes_and_comes_back_beside_a_comment(sandbox: Sandbox) -> None:
    curated(sandbox)
    ids = {text: entry["id"] for text, entry in sandbox.entries().items()}
    for text in ids:
        sandbox.run("demote", ids[text])
        assert text not in sandbox.read()
        assert sandbox.read().count(IGNORE) == 3
        sandbox.run("restore", ids[text])
        assert text in sandbox.read()
        assert sandbox.read().count(IGNORE) == 3
    assert sandbox.run("doctor", "--json").json["findings"] == []


def test_a_new_entry_leaves_comments_above_what_they_speak_of(sandbox: Sandbox) -> None:
    curated(sandbox)
    sandbox.note("- Prefer `src/app.py`.\n- Quote every path.\n- Pull first.\n")
    sandbox.run("scan")
    sandbox.run("promote", "--yes", "--min-snapshots", "1")
    lines = sandbox.read().split("\n")
    assert [lines[number - 1] == IGNORE for number, line in enumerate(lines) if line.startswith("- ")] == [
        True,
        False,
        True,
    ]


@pytest.mark.parametrize("text", [f"{IGNORE}\n", f"# T\n\n{IGNORE}\ntext", f"# T\r\n{IGNORE}\r\n\r\ntext\r\n"])
def test_a_region_is_placed_and_taken_away_beside_comments(text: str) -> None:
    placed = place_region(text, "X")
    assert find_region(placed, "X") is not None
    assert remove_region(placed, "X") == text


def test_old_markers_are_adopted_beside_comments() -> None:
    text = f"# T\n\n{IGNORE}\n- old <!-- intermem:1a2b3c4d -->\n{IGNORE}\n- other\n"
    adoption = adopted(text, "X")
    assert [one.text for one in adoption.entries] == ["old"]
    assert adoption.text.startswith(f"# T\n\n{IGNORE}\n{IGNORE}\n- other\n")
    assert f"{BEGIN}\n" in adoption.text
    assert adoption.text.endswith(f"- old\n{END}\n")


@pytest.mark.parametrize(
    "comment",
    [
        "<!-- intermem: ignore IM001 -->",
        "<!-- intermem:ignore-file IM001 -->",
        "<!-- intermem:ignores IM001 -->",
        "<!-- Intermem:ignore IM001 -->",
        "<!-- intermem ignore IM001 -->",
    ],
)
def test_a_comment_that_is_nearly_one_is_told_and_hides_nothing(sandbox: Sandbox, comment: str) -> None:
    sandbox.write("src/a.py", "a = 1\n")
    sandbox.write("AGENTS.md", f"# Rules\n\n{comment}\nSee `src/a.py`.\n\nWhat `{comment}` is for.\n")
    sandbox.commit()
    sandbox.git("rm", "-q", "src/a.py")
    sandbox.commit()
    found = sandbox.run("check", "--json", code=1).json["findings"]
    assert [(one["code"], one["line"]) for one in found] == [("IM062", 3), ("IM001", 4)]
    assert "write <!-- intermem:ignore CODE -->" in found[0]["message"]


@pytest.mark.parametrize(
    "comment", ["<!-- intermem: ignore IM001 -->", "<!-- intermem:ingore IM001 -->", "<!--intermem-ignore-->"]
)
@pytest.mark.parametrize(
    "line", ["{}\n- see `src/no.py`", "- see `src/no.py` {}", "| a | b |\n|---|---|\n| x | `src/no.py` | {}"]
)
def test_a_misspelt_one_is_told_wherever_it_stands(sandbox: Sandbox, line: str, comment: str) -> None:
    sandbox.write("AGENTS.md", f"# A\n\n{line.format(comment)}\n")
    found = sandbox.run("check", "--json", code=1).json["findings"]
    assert [one["code"] for one in found if one["code"] == "IM062"] == ["IM062"]
    sandbox.write("AGENTS.md", f"# A\n\n{line.format('`' + comment + '`')}\n")
    found = sandbox.run("check", "--json", code=None).json["findings"]
    assert "IM062" not in [one["code"] for one in found], "in code it is a sample"


@pytest.mark.parametrize(("path", "is_told"), [("src/gone.py", True), ("src/app.py", False)])
def test_a_comment_in_code_is_told_if_there_is_something_to_hide(sandbox: Sandbox, path: str, is_told: bool) -> None:
    for name in ("src/gone.py", "src/app.py"):
        sandbox.write(name, f"# {name}\n")
    sandbox.write("AGENTS.md", f"# Code\n\n```sh\n{IGNORE}\npython {path}\n```\n")
    sandbox.commit()
    sandbox.git("rm", "-q", "src/gone.py")
    sandbox.commit()
    found = sandbox.run("check", "--json", code=1 if is_told else 0).json["findings"]
    told = [(one["line"], one["message"]) for one in found if one["code"] == "IM062"]
    assert told == ([(4, "the comment hides nothing in code: put it above the block")] if is_told else [])
    if is_told:
        sandbox.write("AGENTS.md", f"# Code\n\n{IGNORE}\n```sh\npython {path}\n```\n")
        sandbox.run("check")
