from __future__ import annotations

import json
from pathlib import Path

import pytest

from intermem.project.git.worktree import open_worktree
from intermem.project.locations import find_memory, find_state_dir, slug_of
from tests.conftest import git


@pytest.mark.parametrize(
    ("path", "slug"),
    [
        ("/home/ada/my-app", "-home-ada-my-app"),
        ("/home/ada/my_app.v2", "-home-ada-my-app-v2"),
        ("/a//b", "-a--b"),
        ("/é/ü", "----"),
        ("/😀", "---"),
        ("/日本", "---"),
        ("/ABC123", "-ABC123"),
        ("/a b\tc", "-a-b-c"),
        ("/x\udc80", "-x-"),
    ],
)
def test_a_slug_is_the_path_with_a_dash_for_each_utf_16_unit_outside_ascii_alphanumerics(path: str, slug: str) -> None:
    assert slug_of(path) == slug


@pytest.fixture
def home(tmp_path: Path) -> Path:
    made = tmp_path / "home"
    made.mkdir()
    return made


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    made = tmp_path / "repo"
    made.mkdir()
    git(made, "init", "-q")
    git(made, "commit", "-q", "--allow-empty", "-m", "start")
    return made


def memory_of(checkout: Path, config: Path, *, text: str = "- x\n") -> Path:
    folder = config / "projects" / slug_of(str(checkout)) / "memory"
    folder.mkdir(parents=True)
    (folder / "MEMORY.md").write_bytes(text.encode())
    return folder


def found(root: Path, **environment: str):  # type: ignore[no-untyped-def]
    return find_memory(root, open_worktree(root), option=None, configured="", environment=environment)


def test_the_memory_is_found_by_the_checkouts_slug(repo: Path, home: Path) -> None:
    memory = memory_of(repo, home / ".claude")
    assert found(repo, HOME=str(home)).path == memory


def test_the_agents_configuration_folder_wins_over_home(repo: Path, home: Path) -> None:
    memory_of(repo, home / ".claude")
    memory = memory_of(repo, home / "elsewhere")
    assert found(repo, HOME=str(home), CLAUDE_CONFIG_DIR=str(home / "elsewhere")).path == memory


def test_worktrees_and_subfolders_share_the_main_checkouts_memory(repo: Path, home: Path, tmp_path: Path) -> None:
    memory = memory_of(repo, home / ".claude")
    git(repo, "worktree", "add", "-q", str(tmp_path / "second"))
    (repo / "sub").mkdir()
    assert found(tmp_path / "second", HOME=str(home)).path == memory
    assert found(repo / "sub", HOME=str(home)).path == memory


def test_a_long_slug_is_found_by_its_prefix_and_two_matches_are_a_problem(tmp_path: Path, home: Path) -> None:
    root = tmp_path.joinpath(*["deep-folder-name"] * 14)
    root.mkdir(parents=True)
    slug = slug_of(str(root))
    assert len(slug) > 200
    projects = home / ".claude" / "projects"
    one = projects / f"{slug[:200]}-1a2b3c" / "memory"
    one.mkdir(parents=True)
    (projects / slug[:200] / "memory").mkdir(parents=True)  # cut, but without a hash: another's
    assert found(root, HOME=str(home)).path == one
    (projects / f"{slug[:200]}-4d5e6f" / "memory").mkdir(parents=True)
    place = found(root, HOME=str(home))
    assert place.path is None
    assert place.problem is not None
    assert "2 memories match this project" in place.problem.message


def transcript(memory: Path, cwd: str) -> None:
    lines = ["not json", json.dumps({"type": "summary"}), json.dumps({"cwd": cwd})]
    (memory.parent / "session.jsonl").write_bytes("\n".join(lines).encode())


def test_a_memory_whose_sessions_ran_elsewhere_is_not_read(repo: Path, home: Path) -> None:
    memory = memory_of(repo, home / ".claude")
    transcript(memory, str(repo.parent / "repo_"))
    place = found(repo, HOME=str(home))
    assert place.path is None
    assert place.problem is not None
    assert "its sessions ran there" in place.problem.message
    assert place.problem.hint


def test_sessions_in_a_subfolder_or_a_worktree_belong_to_the_checkout(repo: Path, home: Path, tmp_path: Path) -> None:
    memory = memory_of(repo, home / ".claude")
    git(repo, "worktree", "add", "-q", str(tmp_path / "second"))
    for cwd in (repo, repo / "sub", tmp_path / "second"):
        transcript(memory, str(cwd))
        assert found(repo, HOME=str(home)).path == memory


def test_auto_memory_directory_wins_and_a_committed_setting_does_not(repo: Path, home: Path) -> None:
    memory_of(repo, home / ".claude")
    chosen = home / "notes"
    chosen.mkdir()
    (home / ".claude" / "settings.json").write_bytes(b'{"autoMemoryDirectory": "~/notes"}')
    assert found(repo, HOME=str(home)).path == chosen
    (repo / ".claude").mkdir()
    (repo / ".claude" / "settings.json").write_bytes(b'{"autoMemoryDirectory": "/etc"}')
    assert found(repo, HOME=str(home)).path == chosen
    (repo / ".claude" / "settings.local.json").write_bytes(json.dumps({"autoMemoryDirectory": str(repo)}).encode())
    assert found(repo, HOME=str(home)).path == repo


@pytest.mark.parametrize("name", [".claude/memory", "memory", "docs/memory"])
def test_a_committed_memory_is_used_if_there_is_no_other(repo: Path, name: str) -> None:
    (repo / name).mkdir(parents=True)
    assert found(repo).path is None
    (repo / name / "MEMORY.md").write_bytes(b"")
    git(repo, "add", name)
    place = found(repo)
    assert (place.path, place.how) == (repo / name, "committed")


@pytest.mark.parametrize(("rule", "what"), [("", "not tracked"), ("memory/", "ignored")])
def test_a_memory_in_the_project_that_git_does_not_track_is_not_called_committed(
    repo: Path, rule: str, what: str
) -> None:
    (repo / "memory").mkdir()
    (repo / "memory" / "MEMORY.md").write_bytes(b"")
    (repo / ".gitignore").write_text(rule)
    assert found(repo).how == f"in the project, {what} by git"


def test_every_path_that_was_tried_is_named(repo: Path, home: Path) -> None:
    tried = found(repo, HOME=str(home)).tried
    assert len(tried) == 4
    assert tried[0] == str(home / ".claude/projects" / slug_of(str(repo)) / "memory")
    assert found(repo).tried == tried[1:]


@pytest.mark.parametrize(
    ("folder", "state"), [("", "root"), ("packages/a", "packages/a"), ("root", "root_"), ("root_/x", "root__/x")]
)
def test_the_state_is_in_the_common_git_directory(repo: Path, folder: str, state: str) -> None:
    (repo / folder).mkdir(parents=True, exist_ok=True)
    assert find_state_dir(repo / folder, open_worktree(repo / folder), "") == repo / ".git/intermem" / state


def test_the_state_is_in_the_project_without_git_and_where_configured(tmp_path: Path) -> None:
    assert find_state_dir(tmp_path, None, "") == tmp_path / ".intermem"
    assert find_state_dir(tmp_path, None, "state") == tmp_path / "state"
