from __future__ import annotations

import pytest

from tests.conftest import Sandbox

EMPTY_REGION = "## Project memory\n\n<!-- intermem:begin -->\n<!-- intermem:end -->\n"


def test_init_places_a_region_and_can_be_repeated(sandbox: Sandbox) -> None:
    before = sandbox.read()
    outcome = sandbox.run("init")
    assert sandbox.read() == f"{before}\n{EMPTY_REGION}"
    assert "AGENTS.md edited" in outcome.out
    assert "repos:" in outcome.out and "entry: intermem check --fix" in outcome.out
    assert "SessionEnd" in outcome.out
    again = sandbox.run("init")
    assert "already has a region; nothing to do" in again.err
    assert "SessionEnd" not in again.out
    sandbox.run("init", "--remove")
    assert sandbox.read() == before


def test_init_makes_agents_md_where_there_is_no_document_and_says_so(sandbox: Sandbox) -> None:
    sandbox.git("rm", "-q", "AGENTS.md")
    assert "no document yet: AGENTS.md would be created" in sandbox.run("init", "--dry-run").err
    assert not (sandbox.root / "AGENTS.md").exists()
    outcome = sandbox.run("init")
    assert "no document yet: AGENTS.md is created" in outcome.err
    assert sandbox.read() == EMPTY_REGION


def test_init_makes_the_document_that_is_configured(sandbox: Sandbox) -> None:
    sandbox.write("intermem.toml", 'targets = ["docs/GUIDE.md"]\n')
    assert "does not exist" in sandbox.run("init", code=2).err
    (sandbox.root / "docs").mkdir()
    sandbox.run("init")
    assert sandbox.read("docs/GUIDE.md") == EMPTY_REGION


def test_promote_without_a_document_points_to_init(sandbox: Sandbox) -> None:
    sandbox.git("rm", "-q", "AGENTS.md")
    sandbox.note("- x\n")
    sandbox.scans("2026-01-01")
    outcome = sandbox.run("promote", "--yes", code=2)
    assert outcome.err == (
        "error: no document to promote into; nothing was written\nhint: intermem init creates AGENTS.md\n"
    )


def test_the_first_promote_places_the_region_itself(sandbox: Sandbox) -> None:
    sandbox.note("- One fact.\n")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    sandbox.run("promote", "--yes", now="2026-01-03T00:00:00Z")
    assert sandbox.read().endswith(
        "\n## Project memory\n\n<!-- intermem:begin -->\n- One fact.\n<!-- intermem:end -->\n"
    )


@pytest.mark.parametrize("name", ["pyproject.toml", "intermem.toml"])
def test_a_configuration_is_written_on_request(sandbox: Sandbox, name: str) -> None:
    if name == "pyproject.toml":
        sandbox.write(name, '[project]\nname = "x"')
    sandbox.run("init", "--write-config")
    assert 'targets = ["AGENTS.md"]' in sandbox.read(name)
    rows = sandbox.run("status", "--config", "--json").json["configuration"]
    (row,) = [row for row in rows if row["key"] == "targets"]
    assert (row["value"], row["origin"]) == (["AGENTS.md"], str(sandbox.root / name))
    assert "already configures intermem" in sandbox.run("init", "--write-config", code=2).err


def test_a_pyproject_that_cannot_take_a_table_is_left_alone(sandbox: Sandbox) -> None:
    text = "tool = {other = 1}\n"
    sandbox.write("pyproject.toml", text)
    assert "cannot take a [tool.intermem] table" in sandbox.run("init", "--write-config", code=2).err
    assert sandbox.read("pyproject.toml") == text
    assert "intermem:begin" not in sandbox.read()


def test_a_linked_pyproject_stays_a_link(sandbox: Sandbox) -> None:
    sandbox.write("config/real.toml", "")
    (sandbox.root / "pyproject.toml").symlink_to("config/real.toml")
    sandbox.run("init", "--write-config")
    assert (sandbox.root / "pyproject.toml").is_symlink()
    assert "[tool.intermem]" in sandbox.read("config/real.toml")


def test_removing_a_full_region_keeps_the_records(sandbox: Sandbox) -> None:
    before = sandbox.read()
    sandbox.note("- One fact.\n")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    sandbox.run("promote", "--yes", now="2026-01-03T00:00:00Z")
    outcome = sandbox.run("init", "--remove", now="2026-01-04T00:00:00Z")
    assert "1 entry is removed from AGENTS.md; metadata.db keeps the text" in outcome.err
    assert sandbox.read() == before
    (entry,) = sandbox.run("query", "--demoted", "--json").json["entries"]
    assert (entry["text"], entry["reason"]) == ("One fact.", "region removed by init --remove")


@pytest.mark.parametrize("line", ["a paragraph by hand", "[x]: y"])
def test_a_region_with_what_is_on_no_record_is_not_removed(sandbox: Sandbox, line: str) -> None:
    text = f"# P\n\n<!-- intermem:begin -->\n{line}\n<!-- intermem:end -->\n"
    sandbox.write("AGENTS.md", text)
    assert "not on record" in sandbox.run("init", "--remove", code=2).err
    assert sandbox.read() == text


def test_a_line_by_hand_is_on_record_before_it_is_removed(sandbox: Sandbox) -> None:
    sandbox.write("AGENTS.md", "# P\n\n<!-- intermem:begin -->\n- by hand\n<!-- intermem:end -->\n")
    sandbox.run("init", "--remove")
    (entry,) = sandbox.run("query", "--demoted", "--json").json["entries"]
    assert (entry["text"], sandbox.read()) == ("by hand", "# P\n")


def test_blocks_on_no_record_are_left_alone_and_counted(sandbox: Sandbox) -> None:
    sandbox.write("AGENTS.md", "# P\n\n<!-- intermem:begin -->\n- by hand\n\na paragraph\n<!-- intermem:end -->\n")
    sandbox.note("- One fact.\n")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    sandbox.run("promote", "--yes", now="2026-01-03T00:00:00Z")
    sandbox.note("")
    for day in ("10", "11", "12"):
        sandbox.run("sweep", now=f"2026-08-{day}T00:00:00Z")
    assert sandbox.read() == "# P\n\n<!-- intermem:begin -->\na paragraph\n<!-- intermem:end -->\n"
    assert "1 not on record" in sandbox.run("status").out
    comment = '<!-- intermem:ignore IM001 reason="x" -->\n\n'
    sandbox.write("AGENTS.md", sandbox.read().replace("a paragraph", f"{comment}a paragraph"))
    assert "1 not on record" in sandbox.run("status").out, "a comment for check is nobody's fact"


def test_a_region_that_was_discarded_before_it_was_committed_is_restored_or_given_up(sandbox: Sandbox) -> None:
    sandbox.commit()
    sandbox.note("- Never run plain `pytest`, because it picks up the system interpreter and every import fails.\n")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    sandbox.run("init")
    sandbox.run("promote", "--yes", now="2026-01-04")
    (key,) = sandbox.entries()
    sandbox.git("checkout", "-q", ".")
    lost = sandbox.run("status", now="2026-01-05", code=2).err
    assert "intermem doctor --repair restores it with its entries (or give it up: intermem init --remove)" in lost
    assert "already in" not in sandbox.run("restore", sandbox.entries()[key]["id"], now="2026-01-05", code=None).out
    assert "1 entry is given up" in sandbox.run("init", "--remove", now="2026-01-05").err
    assert "lost its region" not in sandbox.run("status", now="2026-01-06").err
    sandbox.run("init", now="2026-01-06")
    sandbox.run("restore", sandbox.entries()[key]["id"], now="2026-01-06")
    assert "Never run plain" in sandbox.read()


def test_a_region_that_is_committed_comes_back_with_git(sandbox: Sandbox) -> None:
    sandbox.note("- Never run plain `pytest`, because it picks up the system interpreter and every import fails.\n")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    sandbox.run("init")
    sandbox.run("promote", "--yes", now="2026-01-04")
    sandbox.commit()
    sandbox.write("AGENTS.md", "# Other\n")
    assert "git checkout HEAD -- AGENTS.md restores the whole file" in sandbox.run("status", code=2).err
