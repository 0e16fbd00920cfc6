"""A memory full of secrets: none is promoted, printed, or kept from purge, however it is written."""

from __future__ import annotations

import re

import pytest

from benchmarks.secret_shapes import ZERO_WIDTH, shapes
from tests.conftest import Sandbox

DAYS = ("2026-01-01", "2026-01-02", "2026-01-03")
NOW = "2026-01-03T00:00:00Z"
TOKEN = "ghp" + "_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
SPLIT = TOKEN[:12] + ZERO_WIDTH + TOKEN[12:]
FAMILIES = sorted({shape.family for shape in shapes()})


@pytest.mark.parametrize("family", FAMILIES)
def test_no_secret_of_a_memory_reaches_a_document_or_a_terminal(sandbox: Sandbox, family: str) -> None:
    sandbox.write("AGENTS.md", "# P\n")
    texts = [shape.text for shape in shapes(5) if shape.family == family and "\n" not in shape.text]
    texts = [text.removeprefix("- ") for text in texts if not text.startswith("|")]
    sandbox.note(
        "".join(f"- Note {number}: {text}\n" for number, text in enumerate(texts)) + "- Builds use make all.\n"
    )
    sandbox.scans(*DAYS)
    values = {
        word for text in texts for word in re.findall(r"[\w$!%&*#/+=.~-]{12,}", text) if re.search(r"\d.*\d", word)
    }
    planned = sandbox.run("promote", "--yes", "--diff", now=NOW, code=None)
    done = sandbox.run("promote", "--yes", now=NOW, code=None)
    assert "Builds use make all." in sandbox.read()
    for said in (planned.out, planned.err, done.out, done.err, sandbox.read()):
        assert [value for value in values if value in said] == []


def test_a_token_split_by_a_character_that_nobody_sees_is_refused_and_hidden(sandbox: Sandbox) -> None:
    sandbox.write("AGENTS.md", "# P\n")
    sandbox.note(f"- Deploys use {SPLIT} until May.\n")
    sandbox.scans(*DAYS)
    refused = sandbox.run("promote", "--json", now=NOW, code=None).json["refused"]
    assert [(row["gate"], row["entry"]["text"]) for row in refused] == [("secret", "(not shown)")]
    assert "github pat" in refused[0]["reason"]
    for command in (["why", refused[0]["entry"]["id"]], ["promote"], ["sweep", "--dry-run"]):
        done = sandbox.run(*command, now=NOW, code=None)
        assert TOKEN[12:] not in done.out + done.err


def test_check_finds_the_split_token_and_does_not_show_it(sandbox: Sandbox) -> None:
    sandbox.write("AGENTS.md", f"# P\n\n- Deploys use {SPLIT}, see `src/gone.py`.\n")
    sandbox.commit()
    for form in ("text", "json", "sarif", "github", "rdjson"):
        done = sandbox.run("check", "--format", form, code=None)
        assert done.code == 1 and TOKEN[12:] not in done.out + done.err
    found = sandbox.run("check", "--format", "json", code=1).json["findings"]
    assert "IM050" in {one["code"] for one in found}


def test_purge_removes_a_split_token_for_good(sandbox: Sandbox) -> None:
    sandbox.write("AGENTS.md", "# P\n")
    note = sandbox.note(f"- Deploys use {SPLIT} until May.\n")
    sandbox.scans(*DAYS)
    note.unlink()
    sandbox.note("- Builds use make all.\n")
    sandbox.run("scan", now="2026-01-04T00:00:00Z")
    preview = sandbox.run("purge", "--search", "Deploys", now=NOW, code=None)
    assert TOKEN[12:] not in preview.out + preview.err
    sandbox.run("purge", "--search", "Deploys", "--confirm", now=NOW)
    left = [path for path in sandbox.root.rglob("*") if path.is_file() and TOKEN[12:].encode() in path.read_bytes()]
    assert left == []
