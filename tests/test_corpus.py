"""Real memories and real documents, read in place; skipped where they are not beside the project."""

from __future__ import annotations

import os
import shutil
from functools import cache
from pathlib import Path

import pytest

from intermem.core.entries.scanner import scan_memory
from intermem.core.markdown.lines import split_lines
from intermem.core.region.legacy_markers import adopted
from intermem.core.region.parse import find_region
from intermem.errors import IntermemError
from tests.conftest import CORPUS, EVERYTHING, Sandbox, corpus_files, needs_corpus
from tests.core.entries.structure import structure_of
from tests.faults.tally import count
from tests.fuzz.invariants import items_of, markers_and_blocks, outside_of, region_of

pytestmark = needs_corpus


def memory_sets() -> list[Path]:
    base = CORPUS / "memories"
    return sorted(path for path in base.iterdir() if path.is_dir()) if base.is_dir() else []


@pytest.mark.parametrize("folder", memory_sets(), ids=lambda path: path.name)
def test_every_line_of_a_real_memory_belongs_to_exactly_one_entry_or_piece_of_structure(folder: Path) -> None:
    files = {path.relative_to(folder).as_posix(): path.read_bytes().decode("utf-8") for path in folder.rglob("*.md")}
    scanned = scan_memory(files)
    assert [problem for problem in scanned.problems if problem.fatal] == []
    for name, text in files.items():
        found = structure_of(scanned, name, text)
        assert [(kind, number) for kind, number in found if kind in ("lost", "doubled")] == [], name


def test_the_corpus_is_whole() -> None:
    """68 documents: 66 files, and 2 symbolic links that the index names."""
    rows = [line.split("\t") for line in split_lines((CORPUS / "docs/index.tsv").read_text("utf-8"))[1:]]
    files = [row for row in rows if row[3] != "120000"]
    assert (len(memory_sets()), len(corpus_files("memories")), len(rows)) == (22, 302, 68)
    assert len(corpus_files("docs")) >= len(files)


@pytest.mark.parametrize("folder", memory_sets(), ids=lambda path: path.name)
def test_a_real_memory_is_scanned_and_promoted_from(folder: Path, sandbox: Sandbox) -> None:
    sandbox.memory = folder
    entries = {entry.id for entry in scan_memory(_texts(folder)).entries}
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    if not entries:
        return
    assert {entry["id"] for entry in sandbox.entries().values()} <= entries
    before = sandbox.read()
    result = sandbox.run("promote", "--yes", "--json", now="2026-01-03T00:00:00Z").json
    assert len(result["promoted"]) + len(result["refused"]) >= 1
    after = sandbox.read()
    assert after.startswith(before)
    for entry in result["promoted"]:
        assert entry["document"] == "AGENTS.md"
    sandbox.run("sweep", "--check", now="2026-01-03T00:00:00Z", code=0)


def _texts(folder: Path) -> dict[str, str]:
    """What intermem reads of a memory: hidden folders inside it are passed over."""
    found: dict[str, str] = {}
    for parent, names, files in os.walk(folder):
        names[:] = [name for name in names if not name.startswith(".")]
        for name in files:
            if name.endswith(".md") and not name.startswith("."):
                path = Path(parent) / name
                found[path.relative_to(folder).as_posix()] = path.read_bytes().decode("utf-8")
    return found


NOTES = (
    "Prefer `ruff` to flake8; the configuration is in one place.",
    "Release notes:\n\n  ```sh\n  make notes\n  ```",
    "Three things matter:\n  - speed\n  - size\n  - taste",
)


# All with INTERMEM_FAULTS=all, every second in CI.
@pytest.mark.parametrize(
    "path", corpus_files("docs")[:: 1 if EVERYTHING else 2], ids=lambda path: str(path.relative_to(CORPUS / "docs"))
)
def test_a_real_document_keeps_every_byte_outside_the_region(path: Path, sandbox: Sandbox) -> None:
    target = sandbox.root / "AGENTS.md"
    shutil.copyfile(path, target)
    original = target.read_bytes()
    sandbox.note("## Notes\n\n" + "".join(f"- {note}\n" for note in NOTES))
    sandbox.run("init")
    empty = target.read_bytes()
    assert empty.startswith(original)
    sandbox.scans("2026-01-03")
    told = sandbox.run("promote", "--yes", "--json", "--min-snapshots", "1", now="2026-01-03T00:00:00Z").json
    assert len(told["promoted"]) == 3
    full = target.read_bytes()
    head, _, tail = empty.partition(b"<!-- intermem:begin -->")
    assert full.startswith(head + b"<!-- intermem:begin -->")
    assert full.endswith(tail.rpartition(b"<!-- intermem:end -->")[1] + tail.rpartition(b"<!-- intermem:end -->")[2])
    sandbox.note("")
    sandbox.run("sweep", now="2026-01-03T01:00:00Z")
    assert target.read_bytes() == full
    sandbox.run("sweep", now="2026-02-10T00:00:00Z")
    sandbox.run("sweep", now="2026-02-11T00:00:00Z")
    assert target.read_bytes() == empty
    sandbox.run("sweep", "--check", now="2026-02-11T00:00:00Z", code=0)
    sandbox.run("init", "--remove")
    assert target.read_bytes() == original


@cache
def real_memories() -> list[Path]:
    """The folders that hold a MEMORY.md and enough entries, not too many: what an agent would be pointed at."""
    folders = [path.parent for path in corpus_files("memories") if path.name == "MEMORY.md"]
    return [folder for folder in folders if 15 <= len(scan_memory(_texts(folder)).entries) <= 150]


# All with INTERMEM_FAULTS=all, every sixteenth in CI.
@pytest.mark.parametrize("number", range(0, len(corpus_files("docs")), 1 if EVERYTHING else 16))
def test_real_notes_go_into_a_real_document_and_out_again(number: int, sandbox: Sandbox) -> None:
    """Document N gets the notes of memory N: they are taken out one, three, all at a time."""
    target = sandbox.root / "AGENTS.md"
    shutil.copyfile(corpus_files("docs")[number], target)
    original = sandbox.read()
    sandbox.memory = real_memories()[number % len(real_memories())]
    sandbox.run("init")
    empty = sandbox.read()
    sandbox.run("scan")
    told = sandbox.run("promote", "--yes", "--json", "--min-snapshots", "1").json
    ids = [entry["id"] for entry in told["promoted"]]
    assert len(ids) >= 4
    steps = [sandbox.read()]
    for gone in (ids[:1], ids[1:4], ids[4:]):
        if gone:
            sandbox.run("demote", *gone)
            steps.append(sandbox.read())
            assert sorted(region_of(steps[-1]).ids) == sorted(
                key for key in region_of(steps[-2]).ids if key not in gone
            )
            assert items_of(steps[-1], region_of(steps[-1])) <= items_of(steps[-2], region_of(steps[-2]))
    for text in steps:
        assert outside_of(text, region_of(text)) == outside_of(empty, region_of(empty))
        assert markers_and_blocks(text)[1] == markers_and_blocks(empty)[1]
    assert sorted(region_of(steps[0]).ids) == sorted(ids)
    assert steps[-1] == empty
    sandbox.run("init", "--remove")
    assert sandbox.read() == original
    count("documents of the corpus, real notes in and out", 1)


def test_marks_put_into_real_documents_give_back_all_other_lines() -> None:
    tried = 0
    for path in corpus_files("docs")[:: 1 if EVERYTHING else 3]:
        try:
            text = path.read_bytes().decode("utf-8")
        except UnicodeDecodeError:
            continue
        lines = split_lines(text)
        marked = [
            f"{line} <!-- intermem -->" if line.startswith("- ") and number % 3 == 0 else line
            for number, line in enumerate(lines)
        ]
        try:
            result = adopted("\n".join(marked), path.name)
        except IntermemError:
            continue
        if not result.entries:
            continue
        tried += 1
        region = find_region(result.text, path.name)
        assert region is not None and {one.id for one in result.entries} <= set(region.ids)
        left = iter(marked)
        kept = split_lines(result.text[: region.begin])
        assert all(any(line == other for other in left) for line in kept if line and line != "## Project memory")
    assert tried > (20 if EVERYTHING else 7)
