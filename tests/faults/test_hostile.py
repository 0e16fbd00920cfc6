"""The hostile texts of DESIGN.md §12, noted, scanned and promoted for real: contained, or refused with a reason."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from intermem.cli.main import main
from intermem.core.entries.identity import identity
from intermem.core.lifecycle.gates import MAX_CHARACTERS
from intermem.core.markdown.markers import BEGIN, END
from tests.conftest import Sandbox, git
from tests.faults.tally import count
from tests.fuzz.invariants import items_of, markers_and_blocks, outside_of, region_of

NOW = "2026-01-03T00:00:00Z"
DAYS = ("2026-01-01", "2026-01-02", "2026-01-03")

# Bodies of topic files, a note each; § is a sentence that keeps them apart.
HOSTILE = {
    "begin marker": f"§\n\n{BEGIN}\n\nmore",
    "end marker": f"§\n\n{END}\n\nmore",
    "both markers": f"§\n\n{END}\n{BEGIN}\n\nmore",
    "marker inline": f"§ {END} and {BEGIN} more",
    "marker first": f"{END}\n\n§",
    "narrow marker": "§\n\n<!--intermem:end-->\nmore",
    "tabbed marker": "§\n\n<!--\tintermem:end\t-->\nmore",
    "indented marker": f"§\n\n   {END}\n\nmore",
    "marker lazy": f"§\n{END}\nmore",
    "marker in a fence": f"§\n\n```\n{END}\n```",
    "marker in an item": f"§:\n- a\n\n  {END}\n- b",
    "old-style marker": "§ <!-- intermem -->",
    "old-style id": "§ <!-- intermem:1a2b3c4d -->",
    "broken marker": "§ <!-- intermem:end",
    "escaped marker": "§ &lt;!-- intermem:end --&gt;",
    "front matter": "§\n\n---\nname: x\ntype: user\n---",
    "front matter first": "---\ntype: user\n---",
    "heading": "§\n\n# Project\n\n## Project memory",
    "setext": "§\n===\n\nm\n---",
    "rule": "§\n\n***\n\nm",
    "open fence": "§\n\n```\nopen",
    "open fence first": "```§\nopen",
    "open tilde fence": "§\n\n~~~~\n~~~\nopen",
    "open fence in an item": "§:\n- a\n  ```\n  open",
    "open comment": "§\n\n<!-- open\n\nmore",
    "open comment inline": "§ <!-- open",
    "open pre": "§\n\n<pre>\nopen",
    "open script": "§\n\n<script>\nopen",
    "open declaration": "§\n\n<!DOCTYPE",
    "open instruction": "§\n\n<?php",
    "open cdata": "§\n\n<![CDATA[",
    "closing div": "§\n\n</div>",
    "closing div first": "</div>\n\n§",
    "open div": "§\n\n<div>\n<div>",
    "closing comment": "§ -->\n\n-->",
    "details": "§\n\n</details>\n</summary>",
    "link definition": "§\n\n[Hello]: https://example.invalid 'x'",
    "nested quotes": ">" * 10_000 + " §",
    "nested lists": "- " * 1_000 + "§",
    "nested brackets": "§ " + "[" * 500 + "](" * 500,
    "emphasis": "§ " + "*a_" * 500,
    "back-ticks": "§ " + " ".join("`" * length for length in range(1, 120)),
    "table": "§:\n\n| a |\n|---|\n| \\| `|` |" + "|" * 500,
    "terminal escapes": "§ \x1b[31mred\x1b[0m \x1b]0;title\x07 \x1b]8;;http://x\x1b\\link \x9b2J \x08\x7f",
    "rich markup": "§ [red]markup[/red] [link=x]y[/link] list[int] [/] [bold",
    "emoji codes": "§ :smile: \u2764",
    "sql": "§'; DROP TABLE memory_entries; --",
    "fts": '§ NEAR("a" "b", 2) OR col:* - ^ AND (',
    "format": "§ %s %(x)s {0} {x!r} ${HOME} $(touch x) `touch y`",
    "bidi": "§ \u202eright to left\u202c \u2066isolate\u2069 \u200f",
    "zero width": "§ \u200b\u200d\ufeff\u2060",
    "nul": "§ \x00 nul",
    "lone cr": "§\r\rmore\r- a\r- b",
    "mixed ends": "§\r\n\rmore\n\r\n- a",
    "separators": "§ \u2028 \u2029 \x85 \x0c \x0b \x1c \x1d \x1e more",
    "form feed line": "§\n\x0c\nmore",
    "unicode blank": "§\n\xa0\n\u3000\nmore",
    "conflict": "§\n\n<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs",
    "conflict lazy": "§\n<<<<<<< ours\n=======\n>>>>>>> theirs",
    "escapes": "§ \\` \\[ \\< \\\\ &#0; &#x110000; &unknown;",
    "surrogate reference": "§ &#xD800; &#55296;",
    "jinja": "§ {{x}} {% y %} <%= z %>",
    "import": "§ @AGENTS.md @../../etc/passwd",
    "path": "§ `../../../../etc/passwd` `/dev/stdin` `~/.ssh/id_rsa` file:///etc/passwd",
    "code": "    § code\n    more",
    "tabs": "§\n\n\tcode\n \tmore",
    "empty item": "-\n-\n- §",
    "numbers": "999999999. §\n1000000000. m",
    "only a rule and a dot": "***\n\n.",
}

TAIL = "\n## After\n\n- one\n- two\n\n```\n<!-- intermem:end -->\n```\n\nlast line"
EMPTY = f"{BEGIN}\n{END}\n"
DOCUMENTS = {
    "plain": "# Project\n\nHello.\n",
    "windows": "\ufeff# Project\r\n\r\nHello.",
    "lone cr": "---\rname: x\r---\r\rHello.\r",
    "in the middle": f"# Project\n\n{EMPTY}{TAIL}",
    "text right behind": f"# Project\n{EMPTY}Hello, see [Hello].\n===\n",
    "after a list": f"- a\n\n  b\n{EMPTY}  c\n- d\n",
    "in html": f"<div>\n\n{EMPTY}\n</div>\n\n<!-- comment\n\n-->\n",
    "sixth level": f"###### Deep\n\n{BEGIN}\n**Kept**\n\n* kept\n\n* kept too\n{END}\n\n> quote\n",
    "kept text": f"# P\n\n{BEGIN}\n### Notes\n\n- kept\n\nBy hand.\n{END}\n\n    code\n",
    "mixed ends": f"# P\r\n\n{BEGIN}\r\n{END}\n\r\nx\ry\x0c\u2028\n",
}


# A note below a heading that is none of the document's.
SECTIONS = (END, "```", "Project memory", "\x1b[31mred", "[red]", "#", "- list", "| cell |")


@pytest.fixture(scope="module")
def scanned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose memory of hostile notes was scanned on three days, to be copied."""
    base = tmp_path_factory.mktemp("hostile")
    memory = base / "memory"
    memory.mkdir()
    (base / "project").mkdir()
    git(base / "project", "init", "-q")
    limits = "[promote]\nlimit = 0\nbudget_tokens = 0\nbudget_entries = 0\nmax_chars = 100000\n"
    (base / "project/intermem.toml").write_bytes(limits.encode("utf-8"))
    for number, (name, text) in enumerate(HOSTILE.items()):
        note = text.replace("§", f"Trap {number}, {name}, is set")
        file = memory / f"{number:02}-{name.replace(' ', '-')}.md"
        file.write_bytes(f"---\ntype: project\n---\n\n{note}\n".encode())
    sections = "".join(f"# {title}\n\n- Section {number} has a name.\n\n" for number, title in enumerate(SECTIONS))
    (memory / "MEMORY.md").write_bytes(sections.encode("utf-8"))
    with pytest.MonkeyPatch.context() as patched:  # what cleans the environment of a test comes after this
        for name in [one for one in os.environ if one.startswith("INTERMEM_")]:
            patched.delenv(name)
        for day in DAYS:
            given = ["--project-root", str(base / "project"), "--memory-dir", str(memory), "--now", f"{day}T00:00:00Z"]
            assert main(["scan", "--quiet", *given]) == 0
    return base


@pytest.fixture
def box(scanned: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Sandbox:
    shutil.copytree(scanned, tmp_path / "copy")
    return Sandbox(tmp_path / "copy/project", tmp_path / "copy/memory", capsys, now=NOW)


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_no_hostile_note_leaves_its_region(kind: str, box: Sandbox) -> None:
    box.git("config", "intermem.hazards.allow", "invisible,hazard")  # the edit holds without the gate, too
    box.write("AGENTS.md", DOCUMENTS[kind])
    box.run("init")
    before = box.read()
    noted = sorted({entry["id"] for entry in box.entries().values()} - {*region_of(before).ids})
    # An edit parses the whole region: all notes at once would be ten times slower.
    share = noted[list(DOCUMENTS).index(kind) % 3 :: 3]
    told = box.run("promote", *share, "--yes", "--json", code=None)
    after = box.read()
    promoted = [entry["id"] for entry in told.json["promoted"]]
    assert len(promoted) >= len(share) - 1 >= 20
    assert {entry["gate"] for entry in told.json["refused"]} <= {"unsafe"}
    assert all(entry["reason"] for entry in told.json["refused"])
    assert sorted([*promoted, *(row["entry"]["id"] for row in told.json["refused"])]) == share
    assert outside_of(after, region_of(after)) == outside_of(before, region_of(before))
    assert markers_and_blocks(after)[1:] == (markers_and_blocks(before)[1], True)
    read_back = items_of(after, region_of(after)) - items_of(before, region_of(before))
    assert sorted(key for key, _ in read_back.elements()) == sorted(promoted)
    assert {item.id for item in region_of(after).items} == {identity(item.text) for item in region_of(after).items}
    box.run("sweep", "--no-scan", "--check")
    box.run("demote", *promoted)
    assert box.read() == before
    count("hostile notes into documents and out again", len(share))


def test_no_verb_prints_what_a_terminal_obeys(box: Sandbox) -> None:
    box.write("AGENTS.md", DOCUMENTS["plain"])
    box.run("init")
    for call in (("promote", "--verbose"), ("promote", "--yes"), ("query", "--all"), ("log",), ("status",)):
        outcome = box.run(*call)
        assert re.findall(r"[^\n -~\xa0-\uffff]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]", outcome.out) == []
        assert "Traceback" not in outcome.err


def test_a_line_as_long_as_any_rule_reads_is_promoted_and_read_back(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INTERMEM_PROMOTE_MAX_CHARS", "30000")
    monkeypatch.setenv("INTERMEM_PROMOTE_BUDGET_TOKENS", "0")
    line = "Before " + "word " * ((MAX_CHARACTERS - 12) // 5) + "after"
    sandbox.note(f"- {line}\n- A calm note.\n")
    sandbox.scans(DAYS[0])
    before = sandbox.read()
    sandbox.run("promote", "--yes", "--min-snapshots", "1", now=NOW)
    after = sandbox.read()
    assert after.startswith(before)
    assert [item.text for item in region_of(after).items] == ["A calm note.", line]


def test_a_line_of_a_megabyte_is_refused_by_name_and_the_rest_goes_on(sandbox: Sandbox) -> None:
    sandbox.note("- Before " + "word " * 200_000 + "after\n- A calm note.\n")
    sandbox.scans(DAYS[0])
    said = sandbox.run("promote", "--yes", "--min-snapshots", "1", "--json", now=NOW).json
    assert [item.text for item in region_of(sandbox.read()).items] == ["A calm note."]
    (refused,) = said["refused"]
    assert refused["gate"] == "length"
    assert "1000012 characters long" in refused["reason"]
