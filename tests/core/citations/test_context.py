"""What stands around an entry in its file."""

from __future__ import annotations

from intermem.core.citations.context import Context, Contexts

TEXT = "intro `a`\n\n# Top\n\n## `pkg/one/`\n\nfirst\n\n- second\n- third\n\n### Deep\n\nx\n\n## Other\n\ny\n"


def test_headings_above_and_lines_before_in_the_section() -> None:
    contexts = Contexts(TEXT)
    assert contexts.at(1) == Context((), "")
    assert contexts.at(7) == Context(("Top", "`pkg/one/`"), "", openings=("", "first"))
    assert contexts.at(10) == Context(("Top", "`pkg/one/`"), "\nfirst\n\n- second", openings=("", "first"))
    assert contexts.at(14) == Context(("Top", "`pkg/one/`", "Deep"), "", openings=("", "first", "x"))
    assert contexts.at(18) == Context(("Top", "Other"), "", openings=("", "y"))
    assert contexts.at(999).trail == ("Top", "Other")
    assert contexts.at(12).trail == ("Top", "`pkg/one/`"), "a heading is below those above it"
    assert contexts.at(16).trail == ("Top",), "and not below those beside it"


def test_a_fence_has_no_headings() -> None:
    assert Contexts("# Top\n\n```\n# no heading\n```\n\nx\n").at(7).trail == ("Top",)


def test_the_line_above_a_table_leads_in_its_rows() -> None:
    contexts = Contexts(
        "# A\n\n**Removed in v2:**\n\n| Was | Is |\n| --- | --- |\n| a | b |\n\nNo lead.\n\n| x |\n| --- |\n| y |\n"
    )
    assert [contexts.at(line).lead for line in (7, 13)] == ["**Removed in v2:**", ""]


def test_what_a_step_is_said_to_write_is_made_unless_it_is_source_code() -> None:
    told = "# Output: dist/spec.yaml\n# writes to: out/a.json\n# Output: src/kiln.ts\n# Generated: logs/\n"
    told += "# Output: KilnRack(3)\n# Output: docs and src\n# writes: conf/a.yaml is read first\n"
    text = f"```sh\nmake spec\n{told}```\n\nOutput: b.yaml\n"
    names = ("dist/spec.yaml", "out/a.json", "src/kiln.ts", "b.yaml", "logs", "KilnRack", "docs", "conf/a.yaml")
    assert [name for name in names if Contexts(text).has_sample_of(name)] == ["dist/spec.yaml", "out/a.json", "logs"]


def test_what_sample_code_defines() -> None:
    sample = "```ts\nasync function getUser() {\n  return fetchAll()\n}\n```"
    text = f"# A\n\nCall `load()`.\n\n{sample}\n\nfunction other() {{\n"
    contexts = Contexts(text)
    names = ("getUser", "fetchAll", "load", "other", "get")
    assert [name for name in names if contexts.has_sample_of(name)] == ["getUser"]


def test_what_sample_code_takes_as_a_parameter() -> None:
    sample = (
        "```ts\nasync function waitForRack(port: number, maxRackTime = 10): void {\n"
        "  loadRack(rackFilePath?: string, private readonly rackTableName: string): Rack\n"
        "  heat({ kilnRackCount: 3, glazeRackCount: allOfThem }, firstRackName)\n"
        "def fire(rack, max_fire_time=3, own: RackTypeName = FIRST_RACK_NAME):\n    cool(max_cool_time=3)\n"
        "async function start(options: KilnLoadOptions) {\n  client.send(fireKilnBatch: batch)\n"
        "function start() { schedule(fireKilnRack, 3) }\n```"
    )
    names = (
        "maxRackTime rackFilePath rackTableName kilnRackCount glazeRackCount firstRackName max_fire_time max_cool_time "
        "RackTypeName FIRST_RACK_NAME KilnLoadOptions fireKilnBatch fireKilnRack"
    )
    contexts = Contexts(f"# A\n\n{sample}\n")
    taken = [name for name in names.split() if contexts.has_sample_of(name)]
    assert taken == ["maxRackTime", "rackFilePath", "rackTableName", "max_fire_time"]


def test_what_commands_of_sample_code_make() -> None:
    commands = "cc -O2 kiln.c -o bin/kiln\nmkdir -p ./out/logs\n./report --all > report.txt\ncat notes.txt"
    contexts = Contexts(f"# A\n\n```sh\n{commands}\n```\n\nwith -o other/thing\n")
    names = ("bin/kiln", "out/logs", "report.txt", "notes.txt", "other/thing", "kiln.c")
    assert [name for name in names if contexts.has_sample_of(name)] == ["bin/kiln", "out/logs", "report.txt"]


def test_what_the_reader_of_a_file_is_to_write() -> None:
    text = "1. Write your plan to `tasks/plan.md`.\n2. Save the results into `out/run.json`, then see `NOTES.md`.\n"
    contexts = Contexts(text)
    assert [name for name in ("tasks/plan.md", "out/run.json", "NOTES.md") if contexts.has_sample_of(name)] == [
        "tasks/plan.md",
        "out/run.json",
    ]


def test_the_line_above_a_list_leads_in_all_its_items() -> None:
    removed = "**Removed files:**\n\n- one\n- two\n  more\n\n"
    text = f"# A\n\n{removed}Kept:\n* three\n\nNo lead.\n\n- four\n\n**Too far**\n\n\n- five\n"
    contexts = Contexts(text)
    leads = {text.split("\n")[line - 1]: contexts.at(line).lead for line in (5, 6, 9, 10, 14, 19)}
    assert leads == {
        "- one": "**Removed files:**",
        "- two": "**Removed files:**",
        "Kept:": "",
        "* three": "Kept:",
        "- four": "",
        "- five": "",
    }


def test_what_stands_below_the_notice_that_a_document_was_superseded_is_past() -> None:
    def past(text: str) -> list[int]:
        contexts = Contexts(text)
        return [line for line in range(1, len(text.splitlines()) + 1) if contexts.at(line).is_past]

    assert past("# A\n\n> 🪦 **Superseded by `b.md`.**\n> more\n\n## B\n\nbody\n") == [5, 6, 7, 8]
    assert past("Status: deprecated\n\nbody\n") == [2, 3]
    assert past("---\npaths: a\n---\n\n# A\n\n> Статус: legacy/non-authoritative rule.\n\nbody\n") == [8, 9]
    assert past("# A\n\nOutdated: see `b.md`.\n\nbody\n") == [4, 5]
    assert past("# A\n\nFor kilns.\n\n> **Status:** Planned — **not yet built**.\n\nbody\n") == [6, 7]
    assert past("Deprecated calls are refused.\n\nbody\n") == []
    assert past("Legacy kilns are cold.\n\nbody\n") == []
    assert past("# A\n\nStatus: Planned work is in `b.md`.\n\nbody\n") == []
    assert past("# A\n\nx\n\n# B\n\nStatus: planned, not yet built\n\nbody\n") == []
    for text in (
        "# A\n\n> See `b.md`.\n\nbody\n",
        "# A\n\n## B\n\nDeprecated:\n\nbody\n",
        "Superseded, they said.",
        "",
    ):
        assert past(text) == []
