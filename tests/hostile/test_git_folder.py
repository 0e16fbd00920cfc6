"""A git directory is outside of the project: nothing in it is read, printed or rewritten, whatever leads there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Sandbox, git

TOKEN = "x-access-token:s3cr3t-of-the-runner"
READING = (
    ["check"],
    ["check", "--all"],
    ["check", "--rev", "HEAD"],
    ["status"],
    ["sweep", "--dry-run", "--diff"],
    ["promote", "--dry-run", "--diff"],
    ["curate", "--dry-run"],
    ["doctor"],
    ["init", "--dry-run"],
)


@pytest.fixture
def runner(sandbox: Sandbox) -> Sandbox:
    """A project as a runner checks it out: its configuration of git holds a token."""
    sandbox.git("config", "url.https://" + TOKEN + "@forge.invalid/.insteadOf", "https://forge.invalid/")
    sandbox.note("- Run `make` before each commit.\n")
    return sandbox


def linked(box: Sandbox, name: str, target: str) -> None:
    path = box.root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    path.symlink_to(target)
    box.commit("a link")


def run_without_memory(box: Sandbox, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command that is not told where the memory is."""
    command = [sys.executable, "-m", "intermem", *arguments, "--project-root", str(box.root), "--now", box.now]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def verdict_of(box: Sandbox, citation: str, tmp_path: Path) -> str:
    request = {"id": "1", "file": "AGENTS.md", "entry_text": f"See `{citation}` first."}
    asked = tmp_path / "asked.jsonl"
    asked.write_text(json.dumps(request) + "\n", "utf-8")
    answer = json.loads(box.run("verify", "--entries", str(asked), code=None).out.splitlines()[0])
    assert answer["citations"], f"{citation} is not read as a citation"
    return answer["citations"][0]["status"]


@pytest.mark.parametrize("arguments", READING, ids=" ".join)
@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("AGENTS.md", ".git/config"),
        ("CLAUDE.md", ".git/config"),
        (".claude/rules/a.md", "../../.git/config"),
        ("docs/AGENTS.md", "../.git/config"),
    ],
)
def test_a_document_that_links_into_the_git_directory_is_never_shown(
    runner: Sandbox, name: str, target: str, arguments: list[str]
) -> None:
    linked(runner, name, target)
    done = runner.run(*arguments, code=None)
    assert "s3cr3t" not in done.out + done.err
    assert "insteadOf" not in done.out + done.err


def test_a_link_through_a_link_does_not_lead_into_the_git_directory(runner: Sandbox) -> None:
    (runner.root / "docs").symlink_to(".git")
    linked(runner, "AGENTS.md", "docs/config")
    done = runner.run("check", code=None)
    assert "s3cr3t" not in done.out + done.err


def test_check_names_the_document_that_it_leaves_alone(runner: Sandbox) -> None:
    linked(runner, "CLAUDE.md", ".git/config")
    said = "CLAUDE.md:1:1: IM042 error: it links out of the repository, or into a git directory; it was not read"
    assert said in runner.run("check", code=1).out
    assert said in runner.run("check", "--rev", "HEAD", code=1).out


def test_a_sweep_refuses_by_name_the_document_that_links_into_the_git_directory(runner: Sandbox) -> None:
    linked(runner, "AGENTS.md", ".git/config")
    assert "error: AGENTS.md: links to .git/config, in a git directory" in runner.run("sweep", code=2).err


def test_a_fix_rewrites_nothing_in_the_git_directory(runner: Sandbox) -> None:
    runner.write("docs/guide.md", "# Guide\n")
    runner.commit("guide")
    runner.git("mv", "docs/guide.md", "docs/handbook.md")
    runner.commit("handbook")
    message = runner.root / ".git/COMMIT_EDITMSG"
    runner.git("commit", "--allow-empty", "-q", "-m", "Read `docs/guide.md` first.")
    linked(runner, "CLAUDE.md", ".git/COMMIT_EDITMSG")
    message.write_text("Read `docs/guide.md` first.\n", "utf-8")
    runner.run("check", "--fix", "--unsafe-fixes", code=None)
    runner.run("check", "--fix", "CLAUDE.md", code=2)
    assert message.read_text("utf-8") == "Read `docs/guide.md` first.\n"


@pytest.mark.parametrize("target", [".git/x.md", ".GIT/x.md", "sub/.git/x.md", ".git"])
@pytest.mark.parametrize("exists", [False, True])
def test_a_target_in_a_git_directory_is_refused_and_never_made(runner: Sandbox, target: str, exists: bool) -> None:
    if exists and target != ".git":
        runner.write(target, "# Notes\n")
    runner.write("intermem.toml", f'targets = ["{target}"]\n')
    before = sorted((runner.root / ".git").rglob("*.md"))
    for verb in (["sweep"], ["init"], ["promote", "--yes"]):
        done = runner.run(*verb, code=2)
        assert f"{target}: leads to {target}, in a git directory" in done.err
        assert "Traceback" not in done.err
    assert sorted((runner.root / ".git").rglob("*.md")) == before


def test_an_import_from_the_git_directory_is_not_read(runner: Sandbox) -> None:
    runner.write("AGENTS.md", "# Project\n\n@.git/config\n\n@../elsewhere.md\n")
    runner.commit("imports")
    done = runner.run("check", "--json", code=None)
    assert "s3cr3t" not in done.out + done.err
    assert done.json["checked"] == ["AGENTS.md"]


@pytest.mark.parametrize(
    "citation",
    [".git/config", ".git/config:1", ".GIT/config", "sub/.git/config", "g/config", "g/config:2", "h/config", "cfg.md"],
)
def test_a_citation_into_a_git_directory_is_unverifiable(runner: Sandbox, tmp_path: Path, citation: str) -> None:
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q")
    (runner.root / "sub").mkdir()
    git(runner.root / "sub", "init", "-q")
    (runner.root / "g").symlink_to(".git")
    (runner.root / "h").symlink_to(other / ".git")
    (runner.root / "cfg.md").symlink_to(".git/config")
    runner.git("add", "g", "h", "cfg.md")
    runner.git("commit", "-q", "-m", "links")
    assert verdict_of(runner, citation, tmp_path) == "unverifiable"


def test_a_git_directory_of_another_name_is_one_too(sandbox: Sandbox) -> None:
    sandbox.git("init", "-q", "--separate-git-dir", str(sandbox.root / "store"))
    (sandbox.root / "store/description").write_text("TOKEN\n", "utf-8")
    sandbox.write(".gitignore", "store\n")
    linked(sandbox, "AGENTS.md", "store/description")
    assert "in a git directory" in sandbox.run("sweep", code=2).err
    done = sandbox.run("check", code=None)
    assert "TOKEN" not in done.out + done.err


def test_a_bare_repository_in_the_tree_is_a_git_directory(sandbox: Sandbox) -> None:
    git(sandbox.root, "init", "-q", "--bare", "mirror.git")
    sandbox.write(".gitignore", "mirror.git\n")
    linked(sandbox, "AGENTS.md", "mirror.git/config")
    assert "in a git directory" in sandbox.run("sweep", code=2).err


def test_the_file_in_place_of_a_git_directory_is_no_document(sandbox: Sandbox, tmp_path: Path) -> None:
    sandbox.git("worktree", "add", "-q", str(tmp_path / "beside"))
    box = Sandbox(tmp_path / "beside", sandbox.memory, sandbox.capture)
    linked(box, "AGENTS.md", ".git")
    assert "in a git directory" in box.run("sweep", code=2).err
    assert "gitdir:" not in box.run("check", code=None).out


def test_a_worktree_inside_of_a_bare_repository_is_an_ordinary_one(sandbox: Sandbox, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(sandbox.root), "all.git")
    git(tmp_path / "all.git", "worktree", "add", "-q", "checkout", "main")
    box = Sandbox(tmp_path / "all.git/checkout", sandbox.memory, sandbox.capture)
    assert "No findings, 1 document checked." in box.run("check").out
    assert box.run("sweep").err.count("git directory") == 0


@pytest.mark.parametrize("place", ["memory", ".claude/memory", "docs/memory"])
@pytest.mark.parametrize("inside", [True, False])
def test_a_committed_memory_may_not_be_a_link_to_elsewhere(
    sandbox: Sandbox, tmp_path: Path, place: str, inside: bool
) -> None:
    target = sandbox.root / ".git/notes" if inside else tmp_path / "private"
    target.mkdir()
    (target / "MEMORY.md").write_text("- The private note.\n", "utf-8")
    linked(sandbox, place, os.path.relpath(target, (sandbox.root / place).parent))
    done = run_without_memory(sandbox, "scan")
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: {place}: links to ")
    assert "private note" not in run_without_memory(sandbox, "query", "--all").stdout


def test_a_committed_local_setting_does_not_choose_the_memory(sandbox: Sandbox, tmp_path: Path) -> None:
    private = tmp_path / "private"
    private.mkdir()
    (private / "MEMORY.md").write_text("- The private note.\n", "utf-8")
    sandbox.write(".claude/settings.local.json", json.dumps({"autoMemoryDirectory": str(private)}))
    assert str(private) in run_without_memory(sandbox, "status", "--json").stdout
    sandbox.commit("settings")
    assert str(private) not in run_without_memory(sandbox, "status", "--json").stdout


@pytest.mark.parametrize("exists", [False, True])
def test_a_baseline_in_the_git_directory_is_neither_read_nor_written(sandbox: Sandbox, exists: bool) -> None:
    hook = sandbox.root / ".git/hooks/pre-push"
    if exists:
        hook.parent.mkdir(exist_ok=True)
        hook.write_text("exit 0\n", "utf-8")
    sandbox.write("intermem.toml", '[check]\nbaseline = ".git/hooks/pre-push"\n')
    sandbox.run("check", "--write-baseline", code=2)
    assert hook.exists() is exists
    assert not exists or hook.read_text("utf-8") == "exit 0\n"


@pytest.mark.parametrize("target", [".git/config", "../outside.toml"])
@pytest.mark.parametrize("name", ["intermem.toml", "pyproject.toml"])
def test_a_configuration_is_not_read_through_a_link_out_of_the_project(
    runner: Sandbox, tmp_path: Path, name: str, target: str
) -> None:
    (tmp_path / "outside.toml").write_text("the_password = 1\n", "utf-8")
    linked(runner, name, target)
    done = runner.run("check", code=2)
    assert "links to" in done.err
    assert "password" not in done.err
    assert "s3cr3t" not in done.err


def test_a_ledger_that_links_into_the_git_directory_is_refused(sandbox: Sandbox) -> None:
    linked(sandbox, ".intermem", ".git")
    assert "in a git directory" in sandbox.run("sweep", code=2).err
