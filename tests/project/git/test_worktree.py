from __future__ import annotations

import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from intermem.errors import RepositoryError
from intermem.facts import Questions, Trace
from intermem.project.git.process import Git
from intermem.project.git.worktree import Worktree, open_worktree
from tests.conftest import Sandbox, git


@pytest.fixture
def repo(sandbox: Sandbox) -> Sandbox:
    sandbox.write(".gitignore", "*.log\nout/\n")
    sandbox.write("src/util.py", "a\nb\nc\nd\n" * 20)
    sandbox.write("src/gone.py", "to be deleted\n" * 3)
    sandbox.commit("files")
    return sandbox


def opened(box: Sandbox, rev: str | None = None) -> Worktree:
    worktree = open_worktree(box.root, rev=rev)
    assert worktree is not None
    return worktree


def asked(box: Sandbox, rev: str | None = None, **questions: object):  # type: ignore[no-untyped-def]
    return opened(box, rev).answer(Questions(**questions))  # type: ignore[arg-type]


def test_the_tree_holds_tracked_and_untracked_files(repo: Sandbox) -> None:
    repo.write("new.py", "")
    repo.write("out/made.py", "")
    (repo.root / "src/gone.py").unlink()
    tree = opened(repo).tree
    assert tree.paths == {".gitignore", "AGENTS.md", "new.py", "src/app.py", "src/util.py"}
    assert tree.dirs == {"src"}
    assert tree.by_name["app.py"] == ("src/app.py",)
    assert tree.dirs_by_name == {"src": ("src",)}


def test_a_revision_is_read_without_the_working_tree(repo: Sandbox) -> None:
    repo.git("rm", "-q", "src/gone.py")
    repo.commit("drop")
    repo.write("new.py", "")
    assert "src/gone.py" in opened(repo, "HEAD~1").tree.paths
    assert "new.py" not in opened(repo, "HEAD").tree.paths
    with pytest.raises(RepositoryError, match="unknown revision 'nope'"):
        _ = opened(repo, "nope").tree


def test_history_tells_moved_from_deleted(repo: Sandbox) -> None:
    repo.git("mv", "src/util.py", "src/tools.py")
    moved = repo.commit("move")
    repo.git("rm", "-q", "src/gone.py")
    gone = repo.commit("drop")
    events = asked(repo, history=True).history.events
    assert (events["src/util.py"].renamed_to, events["src/util.py"].commit) == ("src/tools.py", moved)
    assert (events["src/gone.py"].renamed_to, events["src/gone.py"].commit) == (None, gone)
    assert "src/app.py" not in events


def test_uncommitted_changes_are_part_of_history(repo: Sandbox) -> None:
    repo.git("mv", "src/util.py", "src/tools.py")
    (repo.root / "src/gone.py").unlink()
    events = asked(repo, history=True).history.events
    assert (events["src/util.py"].renamed_to, events["src/util.py"].commit) == ("src/tools.py", None)
    assert events["src/gone.py"].commit is None
    assert not asked(repo, "HEAD", history=True).history.events


def test_a_path_that_was_restored_has_no_event(repo: Sandbox) -> None:
    repo.git("rm", "-q", "src/gone.py")
    repo.commit("drop")
    repo.write("src/gone.py", "again\n")
    repo.commit("again")
    assert "src/gone.py" not in asked(repo, history=True).history.events


def test_a_path_behind_a_link_does_not_stop_the_ignore_check(repo: Sandbox) -> None:
    (repo.root / "link").symlink_to("src")
    paths = frozenset(["src/x.log", "out/a", "src/app.py", "link/y.log", "*.log"])
    assert asked(repo, ignored=paths).ignored == {"src/x.log", "out/a", "*.log"}


@pytest.mark.parametrize("rev", [None, "HEAD"])
def test_lines_are_counted(repo: Sandbox, rev: str | None) -> None:
    repo.write("src/no_end.py", "a\nb")
    repo.write("src/empty.py", "")
    repo.write("src/mac.txt", "a\rb\r\nc\r")
    repo.write("data.bin", "version https://git-lfs.github.com/spec/v1\noid sha256:0\n")
    repo.commit("more")
    names = ["src/util.py", "src/no_end.py", "src/empty.py", "src/nope.py", "src", "data.bin", "src/mac.txt"]
    wanted = frozenset(names)
    counts = {"src/util.py": 80, "src/no_end.py": 2, "src/empty.py": 1, "src/mac.txt": 3}
    assert asked(repo, rev, line_counts=wanted).line_counts == counts


def test_links_are_followed_inside_the_repository_only(repo: Sandbox, tmp_path: Path) -> None:
    (repo.root / "inside").symlink_to("src")
    (repo.root / "outside").symlink_to(tmp_path)
    (repo.root / "app.py").symlink_to("src/app.py")
    repo.commit("links")
    tree = opened(repo).tree
    assert tree.links == {"inside": "src"}
    assert tree.outside == {"outside"}
    assert "app.py" in tree.paths
    assert "outside" not in tree.paths


def test_file_names_may_hold_any_bytes(repo: Sandbox) -> None:
    for name in (b"tab\there.py", "日本.py".encode(), b"\xff.py", b"line\nbreak.py"):
        (repo.root / os.fsdecode(name)).write_bytes(b"x\n")
    repo.commit("names")
    assert {"tab\there.py", "日本.py", "\udcff.py", "line\nbreak.py"} <= opened(repo).tree.paths
    assert asked(repo, "HEAD", line_counts=frozenset(["日本.py"])).line_counts == {"日本.py": 1}


def test_git_variables_of_a_hook_are_dropped(repo: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "nowhere"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "index"))
    assert "src/app.py" in opened(repo).tree.paths


def test_no_program_configured_in_the_repository_is_started(repo: Sandbox, tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    trap.write_bytes(f"#!/bin/sh\ntouch {tmp_path}/sprung\n".encode())
    trap.chmod(0o755)
    repo.git("config", "core.fsmonitor", str(trap))
    repo.git("config", "core.pager", str(trap))
    repo.git("config", "diff.external", str(trap))
    (repo.root / "src/app.py").write_bytes(b"changed\n")
    asked(repo, history=True, ignored=frozenset(["x.log"]))
    assert not (tmp_path / "sprung").exists()


def test_a_path_with_a_line_break_is_refused(tmp_path: Path) -> None:
    root = tmp_path / "line\nbreak"
    root.mkdir()
    box = Sandbox(root, root, None)  # type: ignore[arg-type]
    box.git("init", "-q")
    with pytest.raises(RepositoryError, match="line break"):
        open_worktree(root)


def test_a_git_directory_is_refused_as_a_project(repo: Sandbox) -> None:
    with pytest.raises(RepositoryError, match="inside a git directory"):
        open_worktree(repo.root / ".git")


def test_there_is_no_worktree_outside_a_repository(tmp_path: Path) -> None:
    assert open_worktree(tmp_path) is None


def test_paths_of_other_branches_are_elsewhere(repo: Sandbox) -> None:
    repo.git("switch", "-q", "-c", "feature")
    repo.write("src/feature.py", "x\n")
    repo.commit("feature")
    repo.git("switch", "-q", "main")
    assert asked(repo, history=True).history.elsewhere == {"src/feature.py"}


def test_a_removed_path_that_is_ignored_now_is_reported_as_both(repo: Sandbox) -> None:
    repo.write("src/.env", "x\n")
    repo.commit("env")
    repo.git("mv", "src/.env", "src/env.example")
    repo.write(".gitignore", ".env\n")
    repo.commit("ignore it")
    facts = asked(repo, history=True)
    assert facts.history.events["src/.env"].renamed_to == "src/env.example"
    assert facts.ignored == {"src/.env"}


@pytest.mark.parametrize("rev", [None, "HEAD"])
def test_prefetching_does_not_change_the_answers(repo: Sandbox, rev: str | None) -> None:
    repo.git("mv", "src/gone.py", "src/moved.py")
    repo.git("commit", "-qm", "moved")
    questions = Questions(history=True, names=frozenset({"value"}), ignored=frozenset({"out/x"}))
    plainly = opened(repo, rev).answer(questions)
    ahead = opened(repo, rev)
    with ahead.expecting_verdicts():
        assert ahead.answer(questions) == plainly
    assert plainly.history.events["src/gone.py"].renamed_to == "src/moved.py"


def test_prefetched_commands_nobody_needs_are_killed(repo: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[subprocess.Popen[bytes]] = []

    class Noted(subprocess.Popen):  # type: ignore[type-arg]
        def __init__(self, *args: object, **named: object) -> None:
            super().__init__(*args, **named)  # type: ignore[call-overload]
            begun.append(self)

    worktree = opened(repo)
    monkeypatch.setattr(subprocess, "Popen", Noted)
    with pytest.raises(KeyboardInterrupt), worktree.expecting_verdicts():
        raise KeyboardInterrupt
    assert len(begun) == 5
    assert all(process.returncode is not None and process.stdout.closed for process in begun)
    begun.clear()
    worktree.answer(Questions(history=True))
    assert all(process.returncode is not None for process in begun), "nothing is prefetched outside the block"


def test_deleting_vendored_code_is_no_removal(repo: Sandbox) -> None:
    made = ["web/node_modules/kit", "web/.next/dev", "build", "vendor/kit", "packages/web-kit-0.6.0/src"]
    own = ["src", "src/target", "pkg/vendor"]
    for number, folder in enumerate([*made, *own]):
        repo.write(f"{folder}/kit.js", f"export function handleOf{number}() {{}}\n")
    repo.commit("kit")
    repo.git("rm", "-rq", *(f"{folder}/kit.js" for folder in [*made, *own]))
    repo.commit("ignore what is fetched")
    traced = opened(repo).trace(frozenset(Trace(name=f"handleOf{number}") for number in range(len([*made, *own]))))
    found = {removal.path for one in traced.values() for removal in one.removals}
    assert found == {f"{folder}/kit.js" for folder in own}


def test_a_class_that_was_renamed_with_its_file_is_there_however_much_came_with_it(repo: Sandbox) -> None:
    body = "".join(f"    int tray{number} = {number};\n" for number in range(12))
    repo.write("src/owners/KilnOwner.java", f"public record KilnOwner(int id) {{\n{body}}}\n")
    repo.commit("owner")
    repo.git("rm", "-q", "src/owners/KilnOwner.java")
    repo.write("src/owners/RackOwner.java", f"public record RackOwner(int id, boolean all) {{\n{body}}}\n")
    for number in range(20):
        repo.write(f"src/a/Tray{number}.java", f"public record Tray{number}() {{}}\n")
    repo.commit("racks")
    (found,) = opened(repo).trace(frozenset({Trace(name="KilnOwner")})).values()
    assert [(one.renamed_to, one.target) for one in found.removals] == [("RackOwner", "src/owners/RackOwner.java:1")]


def test_what_went_to_a_new_file_in_one_commit_left_when_that_file_did(repo: Sandbox) -> None:
    code = "export function fireKilnRack() {}\n"
    repo.write("src/kiln.js", f"{code}export const heat = 1\n")
    repo.commit("kiln")
    repo.write("src/kiln.js", "export const heat = 1\n")
    repo.write("src/racks.js", code)
    repo.commit("racks")
    repo.git("rm", "-q", "src/racks.js")
    repo.commit("no racks")
    (found,) = opened(repo).trace(frozenset({Trace(name="fireKilnRack")})).values()
    assert [removal.path for removal in found.removals] == ["src/racks.js"]


def test_what_left_of_late_is_known_though_older_contents_are_absent(repo: Sandbox, tmp_path: Path) -> None:
    for name in ("a", "z"):
        repo.write(f"src/{name}.js", f"export function {name}KilnRack() {{}}\n")
    repo.commit("two")
    repo.write("src/a.js", "export function aKilnRack() { return 1 }\n")
    repo.commit("one of them otherwise")
    repo.write("src/a.js", "export function aKilnRack() { return 2 }\n")
    repo.git("rm", "-q", "src/z.js")
    repo.commit("the other went")
    repo.git("config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "partial"
    git(tmp_path, "clone", "-q", "--filter=blob:none", repo.root.as_uri(), str(clone))
    git(clone, "log", "-p", "-1", "--format=")  # fetches what the newest commit took and wrote
    worktree = open_worktree(clone)
    assert worktree is not None
    found = worktree.trace(frozenset({Trace(name="aKilnRack"), Trace(name="zKilnRack")}))
    assert [one.path for one in found[Trace(name="zKilnRack")].removals] == ["src/z.js"]


def test_deleting_a_key_of_data_is_only_the_end_of_a_use(repo: Sandbox) -> None:
    repo.write("release.json", '{\n  "release-as": "1.2.0"\n}\n')
    repo.commit("as")
    repo.write("release.json", "{}\n")
    repo.commit("not as")
    (found,) = opened(repo).trace(frozenset({Trace(name="release-as")})).values()
    assert [removal.shape for removal in found.removals] == ["use"]


def test_another_revision_is_read_afresh(repo: Sandbox) -> None:
    repo.git("rm", "-q", "src/gone.py")
    repo.commit("drop")
    now = opened(repo)
    assert "src/gone.py" not in now.tree.paths
    before = replace(now, rev="HEAD~1")
    assert "src/gone.py" in before.tree.paths
    assert before.head != now.head


def test_a_lineage_is_read_once(repo: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    worktree = opened(repo)
    first = worktree.documents.lineage(["AGENTS.md"])
    assert first.commits
    other = replace(worktree, rev="HEAD~1").documents.lineage(["AGENTS.md"])
    assert other.commits
    monkeypatch.setattr(Git, "try_", None)
    assert worktree.documents.lineage(["AGENTS.md"]) == first


def test_every_file_that_git_asks_says_what_is_ignored(
    repo: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.write(".cache/.gitignore", "*\n")  # ignored by itself, so that git lists it nowhere
    (repo.root / ".git/info").mkdir(exist_ok=True)
    (repo.root / ".git/info/exclude").write_text("*.mine\n", "utf-8")
    (tmp_path / "theirs").write_text("*.theirs\n*.kept\n", "utf-8")
    repo.git("config", "core.excludesFile", str(tmp_path / "theirs"))
    repo.write("docs/.gitignore", "!*.kept\n*.LOUD\n")
    paths = {".cache/x", "a.mine", "docs/a.theirs", "a.kept", "docs/a.kept", "docs/a.loud", ".cache/"}
    out = repo.git("check-ignore", "--no-index", *sorted(paths))
    assert asked(repo, ignored=frozenset(paths)).ignored == set(out.split())
    assert set(out.split()) == {".cache/x", "a.mine", "docs/a.theirs", "a.kept", ".cache/"}
    repo.git("config", "core.ignoreCase", "true")
    assert "docs/a.loud" in asked(repo, ignored=frozenset(paths)).ignored
    repo.git("config", "--unset", "core.excludesFile")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "config/git").mkdir(parents=True)
    (tmp_path / "config/git/ignore").write_text("*.users\n", "utf-8")
    assert asked(repo, ignored=frozenset({"a.users", "a.theirs"})).ignored == {"a.users"}


def test_what_a_sparse_checkout_leaves_out_is_asked_again_once_the_index_was_written(
    repo: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    worktree = opened(repo)
    assert worktree.sparse.left_out(["src/util.py", "docs"]) == []
    repo.git("update-index", "--skip-worktree", "src/util.py")
    assert worktree.sparse.left_out(["src/util.py", "docs"]) == ["src/util.py"]
    monkeypatch.setenv("PATH", "/nowhere")
    assert worktree.sparse.left_out(["src/util.py", "docs"]) == ["src/util.py"]
    with pytest.raises(RepositoryError):
        worktree.sparse.left_out(["src"])


def test_the_configuration_is_read_once_for_all_revisions(repo: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.git("config", "intermem.cache", "false")
    worktree = opened(repo)
    assert worktree.settings() == [("cache", "false")]
    monkeypatch.setenv("PATH", "/nowhere")
    assert replace(worktree, rev="HEAD").settings() == [("cache", "false")]


def test_issues_are_those_that_the_messages_of_commits_name(repo: Sandbox) -> None:
    repo.git("commit", "-q", "--allow-empty", "-m", "Fire at once (#12)\n\nAs GH#7 asks; refs #34, and \x23abc.")
    assert asked(repo, issues=True).issues == {12, 34}
    assert asked(repo).issues == frozenset()
