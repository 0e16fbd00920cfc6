"""Work is bounded by the size of what is read: no pattern hangs, and twice the ledger costs about twice as much."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from types import FrameType
from typing import Any

import pytest

from intermem.core.region.parse import find_region
from tests.conftest import Sandbox

GUARD = 120  # seconds; only a hang takes as long
HOSTILE = ["*a*a*a*a*a*ab", "*a" * 200 + "b", "**/a*a*" * 60 + "/b", "a?*" * 150 + "b", "**/" * 300 + "b"]


@pytest.mark.parametrize("pattern", HOSTILE, ids=lambda one: one[:16])
@pytest.mark.parametrize("side", [[], ["--rev", "HEAD"]], ids=["disk", "rev"])
def test_a_pattern_in_gitignore_does_not_hang_check(sandbox: Sandbox, pattern: str, side: list[str]) -> None:
    sandbox.write(".gitignore", pattern + "\n")
    sandbox.write("AGENTS.md", f"See `{'a' * 100}.md`, `src/{'a' * 100}` and `{'a/' * 50}a.md`.\n")
    sandbox.commit()
    assert sandbox.spawn("check", *side, timeout=GUARD).returncode in (0, 1)


@pytest.mark.parametrize("name", [".gitignore", ".gitattributes"])
@pytest.mark.parametrize("side", [[], ["--rev", "HEAD"]], ids=["disk", "rev"])
def test_a_pattern_that_hangs_git_itself_does_not_hang_check(sandbox: Sandbox, name: str, side: list[str]) -> None:
    """git matches ignore patterns for what it lists, and attributes for every file that it compares."""
    long = "a" * 100
    sandbox.write(f"{long}/kept.txt", "".join(f"{number}\n" for number in range(200)))
    sandbox.write("AGENTS.md", f"See `{long}/kept.txt` and `gone_{long}()`.\n")
    sandbox.commit()
    sandbox.git("mv", f"{long}/kept.txt", f"{long}/moved.txt")
    sandbox.write(f"{long}/moved.txt", "".join(f"{number}\n" for number in range(201)))
    sandbox.commit()
    hostile = "/" + "*a" * 12 + "b" + ("" if name == ".gitignore" else " text") + "\n"
    entry = f"100644 {_blob(sandbox, hostile)}\t{name}\n"
    tree = sandbox.git("ls-tree", "HEAD") + entry  # "git add" would hang
    made = subprocess.run(
        ["git", "-C", str(sandbox.root), "mktree"],
        input=tree,
        text=True,
        capture_output=True,
        check=True,
    ).stdout.strip()
    commit = sandbox.git("commit-tree", "-p", "HEAD", "-m", "planted", made).strip()
    sandbox.git("update-ref", "HEAD", commit)
    sandbox.git("read-tree", "HEAD")
    sandbox.write(name, hostile)
    said = sandbox.spawn("check", "--json", *side, timeout=GUARD)
    assert said.returncode == 1
    assert "moved.txt" in said.stdout


@pytest.mark.parametrize("name", [".gitignore", "src/.gitignore"])
def test_a_fifo_for_gitignore_does_not_hang_check(sandbox: Sandbox, name: str) -> None:
    sandbox.write(name, "build\n")
    sandbox.write("AGENTS.md", "See [it](src/gone.py).\n")
    sandbox.commit()
    (sandbox.root / name).unlink()
    os.mkfifo(sandbox.root / name)
    assert sandbox.spawn("check", timeout=GUARD).returncode == 1
    if "/" not in name:
        sandbox.git("rm", "-q", "--cached", name)
        assert sandbox.spawn("check", timeout=GUARD).returncode == 1


def _blob(box: Sandbox, text: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(box.root), "hash-object", "-w", "--stdin", "--no-filters"],
        input=text,
        text=True,
        capture_output=True,
        check=True,
    )
    return f"blob {done.stdout.strip()}"


@pytest.mark.parametrize("pattern", HOSTILE, ids=lambda one: one[:16])
def test_a_glob_in_the_configuration_does_not_hang_check(sandbox: Sandbox, pattern: str) -> None:
    sandbox.write("intermem.toml", f"[check]\nexclude = [{json.dumps(pattern)}]\n")
    sandbox.write(f"{'a' * 100}/{'a' * 100}/AGENTS.md", "See [it](src/gone.py).\n")
    sandbox.commit()
    assert sandbox.spawn("check", timeout=GUARD).returncode in (0, 1)


def test_a_cited_glob_does_not_hang_check(sandbox: Sandbox) -> None:
    sandbox.write("a" * 200 + ".py", "")
    sandbox.write("AGENTS.md", "See `*a*a*a*a*a*a*a*a*a*ab.py` and `**/{a,b}*{a,b}*{a,b}*c.py`.\n")
    sandbox.commit()
    assert sandbox.spawn("check", timeout=GUARD).returncode in (0, 1)


def with_ledger(box: Sandbox, number: int, *, standing: bool) -> None:
    """Write a ledger of ``number`` promoted entries, which stand in the document or in none."""
    rules = [f"- Rule {place} says that step{place} comes before step{place + 1}." for place in range(number)]
    region = "<!-- intermem:begin -->\n{}<!-- intermem:end -->\n"
    whole = "# Project\n\n" + region.format("".join(f"{rule}\n" for rule in rules))
    box.write("AGENTS.md", whole if standing else "# Project\n\n" + region.format("- One.\n"))
    found = find_region(whole, "AGENTS.md")
    assert found is not None
    same = {"status": "promoted", "doc": "AGENTS.md", "section": "", "snapshots": 5, "pinned": False, "feedback": 0}
    days = dict.fromkeys(("since", "first_seen", "last_seen"), "2025-12-31")
    lines = [json.dumps({"id": item.id, **same, **days}) for item in found.items]
    box.write(".intermem/ledger.jsonl", "".join(f"{line}\n" for line in sorted(lines)))
    box.commit()


def steps(box: Sandbox, *arguments: str) -> int:
    """How many lines of our own code a command runs."""
    count = 0

    def line(_frame: FrameType, event: str, _what: Any) -> Any:
        nonlocal count
        count += event == "line"
        return line

    def call(frame: FrameType, _event: str, _what: Any) -> Any:
        return line if f"{os.sep}intermem{os.sep}" in frame.f_code.co_filename else None

    before = sys.gettrace()
    sys.settrace(call)
    try:
        box.run(*arguments, code=None)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("standing", [True, False], ids=["standing", "missing"])
@pytest.mark.parametrize(
    "arguments", [["check"], ["sweep", "--dry-run"], ["status"], ["doctor"]], ids=lambda one: one[0]
)
def test_four_times_the_ledger_costs_about_four_times_as_much(
    sandbox: Sandbox, arguments: list[str], standing: bool
) -> None:
    with_ledger(sandbox, 50, standing=standing)
    steps(sandbox, *arguments)  # what is imported and cached once
    few = steps(sandbox, *arguments)
    with_ledger(sandbox, 200, standing=standing)
    steps(sandbox, *arguments)
    assert steps(sandbox, *arguments) < 5 * few


def test_a_chain_of_rewordings_is_refused_before_it_is_long(sandbox: Sandbox) -> None:
    days = dict.fromkeys(("since", "first_seen", "last_seen"), "2025-12-31")
    same = {"status": "promoted", "doc": "AGENTS.md", "section": "", **days}
    chain = [{"id": f"{number:016x}", "was": [f"{number + 1:016x}"], **same} for number in range(3000)]
    sandbox.write(".intermem/ledger.jsonl", "".join(f"{json.dumps(line)}\n" for line in chain))
    done = sandbox.spawn("sweep", timeout=GUARD)
    assert done.returncode == 2
    assert "name each other as former wordings" in done.stderr


def test_the_lines_of_a_file_are_split_once_for_all_findings(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    from intermem.workflow.lint import run

    with_ledger(sandbox, 60, standing=False)
    split: list[str] = []
    really = run.split_lines
    monkeypatch.setattr(run, "split_lines", lambda text: [*map(split.append, [text]), *really(text)][1:])
    run._lines_of.cache_clear()
    assert len(sandbox.run("check", "--json", code=1).json["findings"]) >= 60
    assert len(split) < 10
