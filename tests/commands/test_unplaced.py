"""A name is missed where its document says where it was, or is of the folder that had it: another may be meant."""

from __future__ import annotations

import pytest

from tests.conftest import Sandbox

RACK = "web/rack.ts"
DIFF = [(), ("--diff", "HEAD~1")]


def told(sandbox: Sandbox, cited: str, *more: str) -> list[tuple[str, str]]:
    found = sandbox.run("check", "--all", "--json", *more, code=None).json["findings"]
    return [(one["file"], one["code"]) for one in found if one["citation"] and one["citation"]["text"] == cited]


@pytest.mark.parametrize("more", DIFF, ids=["at first sight", "between two commits"])
@pytest.mark.parametrize(
    ("file", "text", "code"),
    [
        ("web/AGENTS.md", "Each call has `heatRack`.", "IM001"),
        ("web/deep/AGENTS.md", "Each call has `heatRack`.", "IM090"),
        ("api/AGENTS.md", "Each call has `heatRack`.", "IM090"),
        ("api/AGENTS.md", "Each call has `heatRack`, of the rack.", "IM090"),
        ("api/AGENTS.md", "Each call has `heatRack`, of rack.ts.", "IM001"),
        ("web/.claude/AGENTS.md", "Each call has `heatRack`.", "IM001"),
        ("AGENTS.md", "Each call has `heatRack`.", "IM090"),
        ("AGENTS.md", "Each call has `heatRack`, of rack.ts.", "IM001"),
        ("AGENTS.md", "Each call has `heatRack`, of web/rack.", "IM001"),
        (".github/AGENTS.md", "Each call has `heatRack`, of rack.ts.", "IM001"),
        ("AGENTS.md", "Each call has `heatRackOnce`.", "IM001"),
        ("AGENTS.md", "Each call has `HEAT_RACK_ONCE`.", "IM090"),
        (".claude/rules/heat.md", "Each call has `heatRackOnce`.", "IM090"),
        (".claude/rules/heat.md", "Each call has `heatRack`, of rack.ts.", "IM090"),
        (".claude/rules/heat.md", "Each call has `heatRackOnce`, of rack.ts.", "IM001"),
        (".claude/rules/heat.md", "Each call has `HEAT_RACK_ONCE`, of rack.ts.", "IM001"),
        ("web/.claude/rules/heat.md", "Each call has `heatRack`.", "IM090"),
    ],
)
def test_a_definition(sandbox: Sandbox, file: str, text: str, code: str, more: tuple[str, ...]) -> None:
    name = text.split("`")[1]
    sandbox.write(RACK, f"export const {name} = () => {{\n  return 1\n}}\n")
    sandbox.write("web/deep/a.ts", "export {}\n")
    sandbox.write(file, f"# Rules\n\n- {text}\n")
    sandbox.commit()
    sandbox.write(RACK, "export const racks = 3\n")
    sandbox.commit()
    assert told(sandbox, name, *more) == [(file, code)]


@pytest.mark.parametrize("stem", ["index", "main"])
def test_a_file_that_is_called_by_its_folder(sandbox: Sandbox, stem: str) -> None:
    sandbox.write(f"src/cooling/{stem}.py", "def cool_the_kiln():\n    return 1\n")
    for file in ("AGENTS.md", ".claude/rules/heat.md"):
        sandbox.write(file, "- Call `cool_the_kiln()` of the cooling.\n")
    sandbox.commit()
    sandbox.write(f"src/cooling/{stem}.py", "x = 1\n")
    sandbox.commit()
    assert told(sandbox, "cool_the_kiln()") == [(".claude/rules/heat.md", "IM001"), ("AGENTS.md", "IM001")]


@pytest.mark.parametrize("more", DIFF, ids=["at first sight", "between two commits"])
@pytest.mark.parametrize(
    ("file", "text", "code"),
    [
        ("src/AGENTS.md", "`deep.conf.toml` decides.", "IM001"),
        ("AGENTS.md", "`deep.conf.toml` decides.", "IM090"),
        ("AGENTS.md", "`deep.conf.toml` (`kilns/`) decides.", "IM001"),
        ("web/AGENTS.md", "`deep.conf.toml` (`kilns/`) decides.", "IM001"),
        ("AGENTS.md", "`heat_filling.py` decides.", "IM001"),
        (".claude/rules/heat.md", "`heat_filling.py` decides.", "IM090"),
        (".claude/rules/heat.md", "`heat_filling.py` (`kilns/`) decides.", "IM001"),
    ],
)
def test_a_file_of_another_place(sandbox: Sandbox, file: str, text: str, code: str, more: tuple[str, ...]) -> None:
    name = text.split("`")[1]
    sandbox.write(f"src/kilns/{name}", "x = 1\n" * 5)
    sandbox.write("web/a.py", "y = 1\n")
    sandbox.write(file, f"# Rules\n\n- {text}\n")
    sandbox.commit()
    sandbox.git("rm", "-q", f"src/kilns/{name}")
    sandbox.commit()
    assert told(sandbox, name, *more) == [(file, code)]


@pytest.mark.parametrize("more", DIFF, ids=["at first sight", "between two commits"])
@pytest.mark.parametrize("cited", ["`heatRack`", "`src/ovens/`", "`fill_the_rack.py`"])
def test_what_left_while_the_document_was_in_hand_may_be_another(
    sandbox: Sandbox, cited: str, more: tuple[str, ...]
) -> None:
    sandbox.write("src/rack.ts", "export const heatRack = 1\n")
    sandbox.write("src/ovens/a.ts", "export const oven = 1\n" * 5)
    sandbox.write("lib/fill_the_rack.py", "x = 1\n" * 5)
    sandbox.write("AGENTS.md", f"# Rules\n\n- See {cited}, in rack.ts, lib/ or src/.\n")
    sandbox.commit()
    sandbox.write("src/rack.ts", "export const racks = 1\n")
    sandbox.git("rm", "-q", "-r", "src/ovens", "lib")
    sandbox.write("AGENTS.md", sandbox.read() + "- Another line.\n")
    sandbox.commit()
    assert told(sandbox, cited.strip("`"), *more) == [("AGENTS.md", "IM090")]


def test_a_copy_of_a_document_that_was_in_hand_is_no_older(sandbox: Sandbox) -> None:
    sandbox.write("src/rack.ts", "export const heatRack = 1\n")
    sandbox.write("AGENTS.md", "# Rules\n")
    sandbox.commit()
    sandbox.write("src/rack.ts", "export const racks = 1\n")
    sandbox.write("AGENTS.md", "# Rules\n\n- See `heatRack`, in rack.ts.\n")
    sandbox.commit()
    sandbox.write("CLAUDE.md", sandbox.read())
    sandbox.commit()
    assert sorted(told(sandbox, "heatRack")) == [("AGENTS.md", "IM090"), ("CLAUDE.md", "IM090")]


def test_a_line_that_came_to_this_document_from_the_one_beside_it_is_old(sandbox: Sandbox) -> None:
    text = "# Rules\n\n- See `heatRack`, in rack.ts.\n"
    sandbox.write("src/rack.ts", "export const heatRack = 1\n")
    sandbox.write("CLAUDE.md", text)
    sandbox.write("AGENTS.md", "# Agents\n")
    sandbox.commit()
    sandbox.write("src/rack.ts", "export const racks = 1\n")
    sandbox.commit()
    sandbox.git("rm", "-q", "CLAUDE.md")
    sandbox.write("AGENTS.md", text)
    sandbox.commit()
    assert told(sandbox, "heatRack") == [("AGENTS.md", "IM001")]
