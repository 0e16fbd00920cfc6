from __future__ import annotations

from pathlib import Path

import pytest

from intermem.project.documents import Documents, find_documents

BIG = 1 << 20


def found(root: Path, *targets: str, top: Path | None = None) -> Documents:
    return find_documents(root, top or root, targets or ["auto"], BIG)


def write(root: Path, **files: str) -> None:
    for name, text in files.items():
        path = (
            root
            / {"agents": "AGENTS.md", "claude": "CLAUDE.md", "dot": ".claude/CLAUDE.md", "local": "CLAUDE.local.md"}[
                name
            ]
        )
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text.encode())


def names(documents: Documents) -> list[str]:
    return [document.name for document in documents.found]


def test_agents_md_comes_first_then_claude_md(tmp_path: Path) -> None:
    write(tmp_path, claude="c", agents="a", dot="d")
    documents = found(tmp_path)
    assert names(documents) == ["AGENTS.md", "CLAUDE.md", ".claude/CLAUDE.md"]
    assert documents.target is documents.found[0]


def test_the_document_with_a_region_is_the_target(tmp_path: Path) -> None:
    write(tmp_path, agents="a", claude="<!-- intermem:begin -->\n<!-- intermem:end -->\n")
    target = found(tmp_path).target
    assert target is not None
    assert target.name == "CLAUDE.md"


def test_a_link_and_its_target_are_one_document(tmp_path: Path) -> None:
    write(tmp_path, agents="a")
    (tmp_path / "CLAUDE.md").symlink_to("AGENTS.md")
    documents = found(tmp_path)
    assert names(documents) == ["AGENTS.md"]
    assert documents.warnings == ()


def test_a_document_is_found_by_every_alias(tmp_path: Path) -> None:
    write(tmp_path, claude="c")
    (tmp_path / "AGENTS.md").symlink_to("CLAUDE.md")
    documents = found(tmp_path)
    assert names(documents) == ["CLAUDE.md"]
    assert documents.named("AGENTS.md") is documents.named("CLAUDE.md") is not None


def test_a_link_to_another_file_of_the_project_is_that_file(tmp_path: Path) -> None:
    (tmp_path / ".skills").mkdir()
    (tmp_path / ".skills/SKILL.md").write_bytes(b"s")
    (tmp_path / "CLAUDE.md").symlink_to(".skills/SKILL.md")
    (document,) = found(tmp_path).found
    assert (document.name, document.path) == (".skills/SKILL.md", tmp_path / ".skills/SKILL.md")


@pytest.mark.parametrize(
    "text", ["@AGENTS.md", "@./AGENTS.md\n", "<!-- see -->\n\n@AGENTS.md\n", "\ufeff@AGENTS.md\r\n"]
)
def test_a_file_that_only_imports_is_not_a_document(tmp_path: Path, text: str) -> None:
    write(tmp_path, agents="a", claude=text)
    assert names(found(tmp_path)) == ["AGENTS.md"]
    assert found(tmp_path).warnings == ()


@pytest.mark.parametrize("text", ["# Own rules\n\n@AGENTS.md\n", "see @AGENTS.md"])
def test_a_file_that_also_imports_hides_nothing(tmp_path: Path, text: str) -> None:
    write(tmp_path, agents="a", claude=text)
    assert names(found(tmp_path)) == ["AGENTS.md", "CLAUDE.md"]
    assert found(tmp_path).warnings == ()


@pytest.mark.parametrize(
    "text", ["own", "`@AGENTS.md`", "```\n@AGENTS.md\n```", "me@AGENTS.md", "<!-- @AGENTS.md -->x"]
)
def test_a_separate_claude_md_hides_agents_md(tmp_path: Path, text: str) -> None:
    write(tmp_path, agents="a", claude=text)
    (warning,) = found(tmp_path).warnings
    assert warning == "Claude Code will not load AGENTS.md: it reads CLAUDE.md, which does not import it (@AGENTS.md)"


def test_files_above_and_local_ones_hide_it_too(tmp_path: Path) -> None:
    sub = tmp_path / "sub"
    sub.mkdir()
    write(sub, agents="a")
    assert found(sub, top=tmp_path).warnings == ()
    write(tmp_path, claude="own")
    assert "reads ../CLAUDE.md" in found(sub, top=tmp_path).warnings[0]
    write(tmp_path, claude="@sub/AGENTS.md and more")
    assert found(sub, top=tmp_path).warnings == ()
    write(tmp_path, claude="")
    (tmp_path / "CLAUDE.md").unlink()
    write(sub, local="own")
    assert "CLAUDE.local.md" in found(sub, top=tmp_path).warnings[0]


def test_configured_targets_are_read_in_order(tmp_path: Path) -> None:
    write(tmp_path, agents="a", claude="c")
    assert names(found(tmp_path, "CLAUDE.md", "AGENTS.md")) == ["CLAUDE.md", "AGENTS.md"]
    (problem,) = found(tmp_path, "docs/NOPE.md").problems
    assert (problem.code, problem.where) == ("no-document", "docs/NOPE.md")


def test_damaged_markers_are_reported(tmp_path: Path) -> None:
    write(tmp_path, agents="<!-- intermem:begin -->\n", claude="c")
    documents = found(tmp_path)
    assert names(documents) == ["CLAUDE.md"]
    assert documents.problems[0].message.startswith("AGENTS.md:1: the begin marker has no end marker")
