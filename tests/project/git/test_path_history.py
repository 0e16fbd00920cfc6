"""A cached path history, extended from a known commit, equals one read from scratch."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from intermem.facts import History, Questions, SeenBy
from intermem.project.git.process import Git
from intermem.project.git.worktree import Worktree, open_worktree
from tests.conftest import EVERYTHING, Sandbox

ASKED = Questions(history=True)


def opened(root: Path) -> Worktree:
    worktree = open_worktree(root)
    assert worktree is not None
    return worktree


def history_of(root: Path, *, cached: bool = False) -> History:
    return replace(opened(root), keeps=cached).answer(ASKED).history


def random_step(box: Sandbox, chance: random.Random, number: int) -> None:
    files = sorted(path.name for path in box.root.glob("*.txt"))
    branches = box.git("branch", "--format=%(refname:short)").split()
    what = chance.choice(("write", "write", "delete", "move", "again", "branch", "merge", "switch", "reset"))
    if what == "delete" and files:
        (box.root / chance.choice(files)).unlink()
    elif what == "move" and files:
        box.git("mv", "-f", chance.choice(files), f"moved{number}.txt")
    elif what == "branch":
        box.git("checkout", "-q", "-b", f"side{number}")
    elif what == "switch":
        box.git("checkout", "-q", chance.choice(branches))
    elif what == "merge":
        box.git("merge", "-q", "-s", "ours", "-m", "merge", chance.choice(branches))
    elif what == "reset" and int(box.git("rev-list", "--count", "HEAD")) > 3:
        box.git("reset", "-q", "--hard", "HEAD~1")
    else:
        name = f"{chance.randrange(8)}.txt" if what == "again" else f"{number}.txt"
        box.write(name, "".join(f"{name} {chance.random()}\n" for _ in range(5)))
    box.commit(f"step {number}")


@pytest.mark.parametrize("seed", range(6 if EVERYTHING else 3))
def test_an_extended_history_equals_a_fresh_one(sandbox: Sandbox, seed: int) -> None:
    chance = random.Random(seed)
    for number in range(25):
        random_step(sandbox, chance, number)
        if chance.random() < 0.6:
            assert history_of(sandbox.root, cached=True) == history_of(sandbox.root)
    assert (sandbox.root / ".git/intermem/cache/paths").exists()


def test_merging_an_older_branch_reads_the_history_from_scratch(sandbox: Sandbox) -> None:
    sandbox.write("a.txt", "a\n")
    start = sandbox.commit("a")
    sandbox.git("checkout", "-q", "-b", "side")
    (sandbox.root / "a.txt").unlink()
    sandbox.commit("a is gone")
    sandbox.git("checkout", "-q", "-")
    sandbox.write("b.txt", "b\n")
    sandbox.commit("b")
    assert history_of(sandbox.root, cached=True).events == {}
    sandbox.git("merge", "-q", "--no-edit", "side")
    assert history_of(sandbox.root, cached=True) == history_of(sandbox.root)
    assert list(history_of(sandbox.root, cached=True).events) == ["a.txt"]
    sandbox.git("checkout", "-q", start)
    assert history_of(sandbox.root, cached=True).events == {}


def test_a_sweep_caches_the_history_and_the_next_one_reads_no_log(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox.write("old.py", "def of_old():\n    pass\n")
    sandbox.commit()
    (sandbox.root / "old.py").unlink()
    first = sandbox.commit()
    sandbox.note("- See `old.py` and `of_old()` and `never_there_at_all`.\n")
    sandbox.run("sweep")
    (entry,) = sandbox.entries().values()
    assert {one["text"]: one["evidence"].get("commit") for one in entry["citations"]} == {
        "old.py": first,
        "of_old()": first,
        "never_there_at_all": None,
    }
    asked: list[str] = []
    real = Git.try_

    def spied(self: Git, arguments: list[str], stdin: bytes = b"") -> tuple[int, bytes]:
        asked.append(" ".join(arguments))
        return real(self, arguments, stdin)

    monkeypatch.setattr(Git, "try_", spied)
    sandbox.run("sweep")
    assert not [one for one in asked if "--raw" in one and one.startswith("log")]
    assert not [one for one in asked if one.startswith("diff-tree")]
    sandbox.write("new.py", "def of_old():\n    pass\n")
    sandbox.commit()
    asked.clear()
    sandbox.run("sweep")
    assert [one for one in asked if one.startswith("log") and f"{first}.." in one]
    (entry,) = sandbox.entries().values()
    assert {one["text"]: one["status"] for one in entry["citations"]}["of_old()"] == "valid"
    (sandbox.root / "new.py").unlink()
    last = sandbox.commit()
    sandbox.run("sweep")
    (entry,) = sandbox.entries().values()
    assert {one["text"]: one["evidence"].get("commit") for one in entry["citations"]}["of_old()"] == last


def test_dry_runs_change_nothing_but_the_cache(sandbox: Sandbox) -> None:
    sandbox.note("- See `gone_for_good()`.\n")
    sandbox.run("sweep")
    sandbox.write("x.py", "x = 1\n")
    sandbox.commit()
    before = sandbox.tree_hash()
    sandbox.run("sweep", "--dry-run")
    sandbox.run("promote", "--dry-run", code=None)
    assert sandbox.tree_hash() == before


@pytest.mark.parametrize(
    ("rules", "paths"),
    [
        (
            {".gitignore": "build/\n*.log\n!keep.log\n/top.txt\n"},
            ["build/x", "build/", "a/build/y", "x.log", "keep.log", "top.txt", "a/top.txt"],
        ),
        ({".gitignore": "a/*\n!a/b\n", "a/b/.gitignore": "*.tmp\n"}, ["a/x", "a/b", "a/b/y", "a/b/z.tmp"]),
        (
            {".gitignore": "node_modules\n", "sub/.gitignore": "!node_modules\nlocal\n"},
            ["node_modules/x", "sub/node_modules/x", "sub/local", "local"],
        ),
        ({".gitignore": "**/gen/**\n# note\n\\#odd\n  \n"}, ["gen/a", "x/gen/b/c", "#odd", "gen"]),
        ({"sub/.gitignore": "/only\nboth\n"}, ["sub/only", "sub/x/only", "sub/x/both", "only", "both"]),
    ],
)
def test_gitignore_at_a_revision_agrees_with_git_on_disk(
    sandbox: Sandbox, rules: dict[str, str], paths: list[str]
) -> None:
    for name, text in rules.items():
        sandbox.write(name, text)
    sandbox.git("add", "-A", "-f")
    sandbox.commit()
    asked = Questions(ignored=frozenset(paths))
    here = opened(sandbox.root).answer(asked).ignored
    there = open_worktree(sandbox.root, rev="HEAD")
    assert there is not None
    assert there.answer(asked).ignored == here


def test_a_name_that_changes_its_capitals_on_the_way_is_the_same(sandbox: Sandbox) -> None:
    sandbox.write("a/kilnRack.tsx", "".join(f"old line {number}\n" for number in range(30)))
    sandbox.commit()
    (sandbox.root / "a/kilnRack.tsx").unlink()
    sandbox.write("b/KilnRack.tsx", "another text\n")
    sandbox.commit()
    event = history_of(sandbox.root).events["a/kilnRack.tsx"]
    assert (event.renamed_to, event.seen_by) == ("b/KilnRack.tsx", SeenBy.NAME)


def test_a_name_of_the_same_capitals_comes_first(sandbox: Sandbox) -> None:
    for number, path in enumerate(("x/kilnRackHeater.ts", "y/KilnRackHeater.ts")):
        sandbox.write(path, "".join(f"line {number} {at}\n" for at in range(30)))
    sandbox.commit()
    for path in ("x/kilnRackHeater.ts", "y/KilnRackHeater.ts"):
        (sandbox.root / path).unlink()
    sandbox.write("z/kilnRackHeater.ts", "another text\n")
    sandbox.commit()
    events = history_of(sandbox.root).events
    assert events["x/kilnRackHeater.ts"].renamed_to == "z/kilnRackHeater.ts"
    assert events["y/KilnRackHeater.ts"].renamed_to is None


@pytest.mark.parametrize(
    ("name", "others", "moves"),
    [
        ("run-kiln-tests.sh", (), True),
        ("coolingPlan.ts", (), True),
        ("run.sh", (), False),
        ("kiln.ts", (), True),
        ("kiln.yaml", (), False),
        ("Index.ts", (), False),
        ("kiln-notes.md", (), False),
        ("run-kiln-tests.sh", ("c/run-kiln-tests.sh",), False),
    ],
)
def test_a_telling_name_that_leaves_one_folder_for_one_other_has_moved(
    sandbox: Sandbox, name: str, others: tuple[str, ...], moves: bool
) -> None:
    sandbox.write(f"a/{name}", "".join(f"old line {number}\n" for number in range(30)))
    sandbox.commit()
    (sandbox.root / "a" / name).unlink()
    for place in (f"b/{name}", *others):
        sandbox.write(place, f"another text in {place}\n")
    sandbox.commit()
    event = history_of(sandbox.root).events[f"a/{name}"]
    assert (event.renamed_to, event.seen_by) == ((f"b/{name}", SeenBy.NAME) if moves else (None, SeenBy.GIT))
    sandbox.write(f"d/{name}", "much later\n")
    sandbox.commit()
    assert history_of(sandbox.root).events[f"a/{name}"] == event


@pytest.mark.parametrize(
    ("name", "others", "moves"),
    [
        ("kiln-guide.md", (), True),
        ("coolingPlan.ts", (), True),
        ("README.md", (), False),
        ("index.ts", (), False),
        ("settings.json", (), False),
        ("kiln-guide.md", ("c/guide.md",), False),
    ],
)
def test_what_was_copied_before_it_was_deleted_is_where_its_contents_stand(
    sandbox: Sandbox, name: str, others: tuple[str, ...], moves: bool
) -> None:
    sandbox.write(f"a/{name}", "how to fire a kiln\n")
    sandbox.commit()
    for place in ("b/firing.md", *others):
        sandbox.write(place, "how to fire a kiln\n")
    sandbox.commit()
    (sandbox.root / "a" / name).unlink()
    sandbox.commit()
    for cached in (False, True, True):
        event = history_of(sandbox.root, cached=cached).events[f"a/{name}"]
        expected = ("b/firing.md", SeenBy.CONTENTS) if moves else (None, SeenBy.GIT)
        assert (event.renamed_to, event.seen_by) == expected
    sandbox.write("b/firing.md", "how to fire two kilns\n")
    sandbox.commit()
    for cached in (True, False):
        event = history_of(sandbox.root, cached=cached).events[f"a/{name}"]
        assert event.renamed_to == ("c/guide.md" if others else None)


def test_a_file_that_is_ignored_by_its_path_is_ignored_by_its_name(sandbox: Sandbox) -> None:
    sandbox.write(".gitignore", "/app/keys.plist\napp/*.tmp\n!app/kept.plist\n# app/said.plist\napp/out/\nlone.plist\n")
    names = ["keys.plist", "x.tmp", "kept.plist", "said.plist", "out", "lone.plist", "b/keys.plist"]
    found = opened(sandbox.root).answer(Questions(ignored=frozenset(names))).ignored
    assert found == {"keys.plist", "lone.plist"}
