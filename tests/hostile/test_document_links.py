"""Documents that are links, or behind links to folders: each is checked, or named by a finding; none is passed over."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Sandbox

SIDES = pytest.mark.parametrize("side", [(), ("--rev", "HEAD")], ids=["disk", "rev"])
OUT = "it links out of the repository, or into a git directory; it was not read"


@pytest.fixture
def project(sandbox: Sandbox, tmp_path: Path) -> Sandbox:
    (tmp_path / "out/rules").mkdir(parents=True)
    (tmp_path / "out/secret.md").write_text("See `src/secret.py`.\n", "utf-8")
    (tmp_path / "out/rules/a.md").write_text("See `src/secret.py`.\n", "utf-8")
    return sandbox


def link(box: Sandbox, name: str, target: str, *, commit: bool = True) -> None:
    path = box.root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    path.symlink_to(target)
    if commit:
        box.commit()


def findings(box: Sandbox, *arguments: str, code: int = 1) -> list[tuple[str, str, str]]:
    said = box.run("check", "--json", *arguments, code=code)
    assert "secret.py" not in said.out + said.err
    return [(one["file"], one["code"], one["message"]) for one in said.json["findings"]]


def cited(box: Sandbox, *arguments: str) -> list[tuple[str, str]]:
    """The files with a broken citation, and what they cite."""
    found: list[dict[str, Any]] = box.run("check", "--json", *arguments, code=None).json["findings"]
    return [(one["file"], one["citation"]["text"]) for one in found if one["code"] == "IM001"]


# A document that leads away


@SIDES
@pytest.mark.parametrize("target", ["../out/secret.md", ".git/config", "/etc/passwd"])
def test_a_document_that_leads_away_is_a_finding(project: Sandbox, target: str, side: tuple[str, ...]) -> None:
    link(project, "AGENTS.md", target)
    assert findings(project, *side) == [("AGENTS.md", "IM042", OUT)]
    for form in ("github", "sarif", "rdjson"):
        said = project.run("check", "--format", form, *side, code=1).out
        assert "AGENTS.md" in said
        assert "IM042" in said
    said = project.run("check", *side, code=1).out
    assert "1 finding (1 error), 0 documents checked." in said
    assert "Nothing to check" not in said


def test_a_document_that_leads_away_since_the_base_is_a_finding_of_the_diff(project: Sandbox) -> None:
    project.git("checkout", "-q", "-b", "change")
    link(project, "AGENTS.md", "../out/secret.md")
    for diff in ("main", "main...HEAD"):
        assert findings(project, "--diff", diff) == [("AGENTS.md", "IM042", OUT)]
    project.git("branch", "-f", "main")
    said = project.run("check", "--diff", "main").out
    assert said == "No findings, 0 documents checked, 1 not read.\n"


def test_a_document_that_was_a_file_in_the_index_and_leads_away_on_disk(project: Sandbox) -> None:
    link(project, "AGENTS.md", "../out/secret.md", commit=False)
    assert findings(project) == [("AGENTS.md", "IM042", OUT)]


def test_an_ignored_finding_is_not_said_to_be_no_document(project: Sandbox) -> None:
    project.write("intermem.toml", '[check]\nignore = ["IM042"]\n')
    link(project, "AGENTS.md", "../out/secret.md")
    assert "No findings, 0 documents checked, 1 not read" in project.run("check").out


# A document that is a folder, or something else


@SIDES
def test_a_link_to_a_folder_names_the_document_and_the_truth(project: Sandbox, side: tuple[str, ...]) -> None:
    link(project, "AGENTS.md", "src")
    link(project, "docs/AGENTS.md", "..")
    top = "it links to the top of the repository, which is a folder"
    expected = [("AGENTS.md", "IM042", "it links to src, which is a folder"), ("docs/AGENTS.md", "IM042", top)]
    assert findings(project, *side) == expected


def test_a_document_that_was_a_link_to_a_folder_at_the_base(project: Sandbox) -> None:
    link(project, "AGENTS.md", "src")
    project.git("checkout", "-q", "-b", "change")
    (project.root / "AGENTS.md").unlink()
    project.write("AGENTS.md", "See [it](src/gone.py).\n")
    project.commit()
    assert findings(project, "--diff", "main")[0][:2] == ("AGENTS.md", "IM001")


def test_a_link_to_a_fifo_is_a_finding(project: Sandbox) -> None:
    os.mkfifo(project.root / "pipe")
    link(project, "AGENTS.md", "pipe", commit=False)
    assert findings(project) == [("AGENTS.md", "IM042", "it links to pipe, which is not a regular file")]


# Rules behind a link to a folder


@SIDES
@pytest.mark.parametrize(
    ("links", "real"),
    [
        ({".claude/rules": "../hidden/rules"}, "hidden/rules/a.md"),
        ({".claude": "hidden"}, "hidden/rules/a.md"),
        ({".claude": "one", "one": "hidden"}, "hidden/rules/a.md"),
        ({".claude": "hidden", "hidden/rules": "../deep"}, "deep/a.md"),
        ({".claude/rules/more": "../../hidden"}, "hidden/a.md"),
        ({".claude/rules": "../hidden", "hidden/again": "."}, "hidden/a.md"),
    ],
    ids=str,
)
def test_rules_behind_a_link_to_a_folder_are_read_once(
    project: Sandbox, links: dict[str, str], real: str, side: tuple[str, ...]
) -> None:
    project.write(real, "See [it](src/gone.py).\n")
    for name, target in links.items():
        link(project, name, target)
    assert cited(project, *side) == [(real, "src/gone.py")]
    assert project.run("check", "--json", *side, code=1).json["checked"] == ["AGENTS.md", real]
    for excluded in (real, f"{next(iter(links))}/**"):
        project.write("intermem.toml", f'[check]\nexclude = ["{excluded}"]\n')
        assert cited(project, *side) == []


@SIDES
@pytest.mark.parametrize(
    ("links", "named"),
    [
        ({".claude/rules": "../../out/rules"}, ".claude/rules"),
        ({".claude": "../out"}, ".claude"),
        ({".claude": ".git"}, ".claude"),
        ({".claude/rules/more": "../../../out/rules"}, ".claude/rules/more"),
        ({".claude": "hidden", "hidden/rules": "../../out/rules"}, "hidden/rules"),
        ({".claude": "one", "one": "../out"}, ".claude"),
        ({"pkg/.claude/rules": "/etc"}, "pkg/.claude/rules"),
    ],
    ids=str,
)
def test_a_link_that_leads_out_with_the_rules_is_named(
    project: Sandbox, links: dict[str, str], named: str, side: tuple[str, ...]
) -> None:
    for name, target in links.items():
        link(project, name, target)
    assert findings(project, *side) == [(named, "IM042", OUT)]


@SIDES
def test_other_links_are_no_finding(project: Sandbox, side: tuple[str, ...]) -> None:
    project.write(".claude/commands/a.md", "See `src/app.py`.\n")
    project.write("shared/.claude/rules/a.md", "See `src/app.py`.\n")
    for name, target in {"out": "../out", "docs": "src", ".claude/agents": "../../out", "pkg": "shared"}.items():
        link(project, name, target)
    assert findings(project, *side, code=0) == []


@SIDES
def test_the_top_is_named_and_a_circle_leads_nowhere(project: Sandbox, side: tuple[str, ...]) -> None:
    link(project, "pkg/.claude/rules", "rules")
    assert findings(project, *side, code=0) == []
    link(project, ".claude", ".")
    top = "it links to the top of the repository, which is a folder"
    assert findings(project, *side) == [(".claude", "IM042", top)]


def test_rules_beside_a_project_in_a_folder_are_found(project: Sandbox) -> None:
    project.write("hidden/rules/a.md", "See [it](src/gone.py).\n")
    link(project, "pkg/.claude", "../hidden")
    link(project, ".claude/rules", "../hidden/rules")
    pkg = Sandbox(project.root / "pkg", project.memory, project.capture)
    for side in ((), ("--rev", "HEAD")):
        assert cited(pkg, *side) == [("hidden/rules/a.md", "src/gone.py")]


# Names with a line break


@pytest.mark.parametrize("side", [(), ("--rev", "HEAD"), ("--diff", "main"), ("--diff", "main...HEAD")], ids=str)
def test_a_document_whose_name_has_a_line_break_is_read(project: Sandbox, side: tuple[str, ...]) -> None:
    name = ".claude/rules/a\nb.md"
    project.write(name, "Hello.\n")
    project.write("src/gone\n.py", "x = 1\n")
    project.commit()
    project.git("checkout", "-q", "-b", "change")
    project.write(name, "Hello.\n\nSee [it](src/gone.py).\n")
    project.commit()
    assert cited(project, *side) == [(name, "src/gone.py")]
