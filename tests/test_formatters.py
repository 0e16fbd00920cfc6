"""Real formatters over real documents with a region: what intermem reads back stays the same, and no run stirs.

INTERMEM_FORMATTED=all takes every document of the corpus, not a sample (``make formatters``).
Skipped where mdformat with mdformat-gfm is not installed, and where there is no prettier: on the
PATH, or the executable that INTERMEM_PRETTIER names.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from intermem.core.entries.scanner import scan_memory
from intermem.core.region.edit import Addition, edited
from intermem.core.region.parse import find_region
from intermem.core.region.place import place_region
from tests.conftest import CORPUS, Sandbox, corpus_files, needs_corpus

pytestmark = needs_corpus

NOTES = 12  # in each document
QUOTE_OR_TABLE = re.compile(r"^[ \t]*[>|]", re.MULTILINE)
ALL = os.environ.get("INTERMEM_FORMATTED") == "all"
DOCUMENTS = corpus_files("docs") if ALL else corpus_files("docs")[::3][:20]
WHOLE_RUNS = range(len(DOCUMENTS)) if ALL else range(0, len(DOCUMENTS), 4)
PRETTIER = os.environ.get("INTERMEM_PRETTIER") or shutil.which("prettier")


@cache
def additions() -> tuple[Addition, ...]:
    """Every note of the corpus that could be promoted, those with a quote or table first, else well mixed.

    Cells with a pipe that no back-slash guards are left out: Markdown reads them as two, and mdformat deletes
    what is too many.
    """
    found: dict[str, Addition] = {}
    base = CORPUS / "memories"
    for folder in sorted(path for path in base.iterdir() if path.is_dir()):
        files = {
            path.relative_to(folder).as_posix(): path.read_bytes().decode("utf-8") for path in folder.rglob("*.md")
        }
        for entry in scan_memory(files).entries:
            if entry.text.count("\n") < 12 and not (entry.text.count("\n|") and "||" in entry.text):
                found.setdefault(entry.id, Addition(entry.text, entry.section))
    notes = list(found.values())
    spread = [notes[at] for start in range(97) for at in range(start, len(notes), 97)]
    return tuple(sorted(spread, key=lambda note: not QUOTE_OR_TABLE.search(note.text)))


@cache
def document(number: int) -> str:
    """A document of the corpus with a region of ``NOTES`` notes, none of which another document has."""
    name = str(DOCUMENTS[number])
    text = place_region(DOCUMENTS[number].read_bytes().decode("utf-8"), name)
    return edited(text, name, add=additions()[number * NOTES : (number + 1) * NOTES])


def identities(text: str) -> Counter[str]:
    region = find_region(text, "AGENTS.md")
    assert region is not None
    return Counter(region.ids)


def prettify(*arguments: str) -> None:
    if PRETTIER is None:
        pytest.skip("there is no prettier on the PATH, and INTERMEM_PRETTIER names none")
    done = subprocess.run([PRETTIER, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("formatter", ["mdformat", "prettier"])
@pytest.mark.parametrize("number", WHOLE_RUNS)
def test_a_formatter_between_two_runs_goes_unnoticed(sandbox: Sandbox, number: int, formatter: str) -> None:
    sandbox.write("AGENTS.md", DOCUMENTS[number].read_bytes().decode("utf-8"))
    notes = [note.text for note in additions()[number * NOTES : (number + 1) * NOTES]]
    for at, text in enumerate(notes):
        sandbox.note(f"---\nname: note {at}\ntype: project\n---\n\n{text}\n", f"note-{at}.md")
    sandbox.run("scan")
    sandbox.run("promote", "--yes", "--min-snapshots", "1", "--limit", "0", code=None)
    promoted = sandbox.run("status", "--json").json["promoted"]
    assert promoted > NOTES // 3
    sandbox.commit("promote")
    before = sandbox.read()
    if formatter == "mdformat":
        mdformat = pytest.importorskip("mdformat", reason="mdformat is not installed")
        pytest.importorskip("mdformat_gfm", reason="mdformat-gfm is not installed")
        sandbox.write("AGENTS.md", mdformat.text(before, options={"wrap": 80}, extensions={"gfm"}))
    else:
        prettify("--no-config", "--embedded-language-formatting", "off", "--write", str(sandbox.root / "AGENTS.md"))
    found = sandbox.run("sweep", "--check", "--json", code=0).json
    assert (found["reconciled"], found["demoted"]) == ([], [])
    found = sandbox.run("status", "--json").json
    assert (found["promoted"], found["reconciled"], found["missing"]) == (promoted, [], [])


@pytest.mark.parametrize("wrap", ["keep", 80, "no"])
@pytest.mark.parametrize("number", range(len(DOCUMENTS)))
def test_mdformat_changes_no_identity(number: int, wrap: str | int) -> None:
    mdformat = pytest.importorskip("mdformat", reason="mdformat is not installed")
    pytest.importorskip("mdformat_gfm", reason="mdformat-gfm is not installed")
    before = document(number)
    after = mdformat.text(before, options={"wrap": wrap}, extensions={"gfm"})
    assert after != before
    assert identities(after) == identities(before)
    assert len(identities(after)) == NOTES


@pytest.mark.parametrize("wrap", ["preserve", "always", "never"])
def test_prettier_changes_no_identity(wrap: str, tmp_path: Path) -> None:
    """Code inside fences is left alone: prettier rewrites it (quotes, semicolons), which makes it other code."""
    paths = [tmp_path / f"{number}.md" for number in range(len(DOCUMENTS))]
    for number, path in enumerate(paths):
        path.write_bytes(document(number).encode("utf-8"))
    options = ["--no-config", "--no-editorconfig", "--parser", "markdown", "--embedded-language-formatting", "off"]
    prettify(*options, "--prose-wrap", wrap, "--write", str(tmp_path))
    texts = [path.read_bytes().decode("utf-8") for path in paths]
    assert all(text != document(number) for number, text in enumerate(texts))
    for number, text in enumerate(texts):
        assert identities(text) == identities(document(number)), DOCUMENTS[number]
