from __future__ import annotations

from collections.abc import Mapping

import pytest

from intermem.core.entries.scanner import facts_of, merged, scan_memory
from intermem.core.markdown.lines import split_lines
from tests.core.entries.structure import owners, structure_of


def texts(files: Mapping[str, str] | str) -> list[str]:
    given = {"MEMORY.md": files} if isinstance(files, str) else files
    return [entry.text for entry in scan_memory(given).entries]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("- one\n- two\n", ["one", "two"]),
        ("* one\n+ two\n1. three\n2) four\n", ["one", "two", "three", "four"]),
        ("- one\n  - nested\n\n  more\n- two", ["one\n- nested\n\nmore", "two"]),
        ("-   wide marker\n    more", ["wide marker\nmore"]),
        ("10. ten\n    more", ["ten\nmore"]),
        ("- lazy\ncontinuation", ["lazy\ncontinuation"]),
        ("- \ttabbed\n\tmore", ["tabbed\nmore"]),
        ("para one\nstill one\n\npara two", ["para one\nstill one", "para two"]),
        ("> quoted\n> more\n\ntext", ["> quoted\n> more", "text"]),
        ("| a | b |\n|---|---|\n| 1 | 2 |", ["| a | b |\n|---|---|\n| 1 | 2 |"]),
        ("```sh\nmake\n```", ["```sh\nmake\n```"]),
        ("text\n\n```sh\nmake\n```", ["text\n\n```sh\nmake\n```"]),
        ("text\n\n<div>\nx\n</div>", ["text\n\n<div>\nx\n</div>"]),
        ("Run:\n\n| a |\n|---|\n| 1 |", ["Run:\n\n| a |\n|---|\n| 1 |"]),
        ("Run\n\n| a |\n|---|\n| 1 |", ["Run", "| a |\n|---|\n| 1 |"]),
        ("Never:\n- a\n- b", ["Never:\n- a\n- b"]),
        ("**Never:**\n\n- a\n- b", ["**Never:**\n\n- a\n- b"]),
        ("規則：\n\n- a", ["規則：\n\n- a"]),
        ("---\n\n# Head\n\n[x]: y\n<!-- note -->\n", []),
        ("- \n- x", ["x"]),
        ("\ufeff- bom", ["bom"]),
        ("- one\r\n  more\r\n- two\r", ["one\nmore", "two"]),
        ("- form\x0cfeed\u2028line\x85next", ["form\x0cfeed\u2028line\x85next"]),
        ("- [ ] task", ["[ ] task"]),
        ("   three spaces", ["three spaces"]),
        ("    indented code", ["    indented code"]),
        ("<!-- open comment\n\n- hidden", []),
        ("", []),
    ],
)
def test_a_text_is_cut_into_entries(source: str, expected: list[str]) -> None:
    assert texts(source) == expected


def test_a_long_list_gives_its_lead_in_to_each_item() -> None:
    source = "Never do\nthis:\n\n" + "\n".join(f"- item {n}" for n in range(12)) + "\n"
    assert texts(source)[:2] == ["Never do this: item 0", "Never do this: item 1"]
    assert structure_of(scan_memory({"MEMORY.md": source}), "MEMORY.md", source) == [("context", 1), ("context", 2)]


def test_a_lead_in_and_its_list_are_one_entry_up_to_twelve_lines() -> None:
    eleven = "Never:\n" + "\n".join(f"- {n}" for n in range(11))
    assert len(texts(eleven)) == 1
    assert len(texts(eleven + "\n- 11")) == 12


def test_a_fence_in_an_item_keeps_its_lead_in_apart() -> None:
    source = "Steps:\n\n" + "\n".join(f"- {n}" for n in range(12)) + "\n- ```sh\n  make\n  ```\n"
    assert texts(source)[-1] == "Steps:\n\n```sh\nmake\n```"


def test_sections_are_the_nearest_heading_and_the_trail_is_kept() -> None:
    scanned = scan_memory({"MEMORY.md": "# A\n\nx\n\n## B  `b`\n\n- y\n\nSetext\n------\n\nz\n\n# C\n\nw\n"})
    assert [(e.text, e.section, e.trail) for e in scanned.entries] == [
        ("x", "A", ("A",)),
        ("y", "B `b`", ("A", "B `b`")),
        ("z", "Setext", ("A", "Setext")),
        ("w", "C", ("C",)),
    ]


G1 = "---\nname: Testing\ndescription: how\ntype: feedback\n---\n\nRun it twice.\n\n- once\n- again\n"
G2 = "---\nname: rel\nmetadata:\n  node_type: memory\n  type: project\n  originSessionId: s-1\n---\nTag first.\n"


def test_a_topic_file_without_sections_is_one_entry() -> None:
    files = {"MEMORY.md": "# M\n\n## How\n\n- [Testing](testing.md) – how\n", "testing.md": G1, "rel.md": G2}
    found = {e.source.file: e for e in scan_memory(files).entries}
    assert found["testing.md"].text == "Run it twice.\n\n- once\n- again"
    assert (found["testing.md"].section, found["testing.md"].type) == ("How", "feedback")
    assert (found["rel.md"].section, found["rel.md"].type, found["rel.md"].session) == ("project", "project", "s-1")
    assert len(found) == 2


def test_a_topic_file_with_sections_is_cut_as_any_other() -> None:
    scanned = scan_memory({"t.md": "---\ntype: project\n---\nintro\n\n## A\n\n- x\n"})
    assert [(e.text, e.section) for e in scanned.entries] == [("intro", "project"), ("x", "A")]


def test_a_title_and_a_banner_of_a_topic_file_are_structure() -> None:
    scanned = scan_memory(
        {"t.md": "---\nname: n\n---\n<!-- banner -->\n\n# Title\n\nfact\n\n### deep\n\nmore\n\n---\n"}
    )
    assert [entry.text for entry in scanned.entries] == ["fact\n\n### deep\n\nmore"]


@pytest.mark.parametrize(
    "banner", ["<!-- kept by a hook -->\n", "<!-- a -->\r\n\r\n<!-- b\nc -->\n", "\n<!-- a -->\n\n"]
)
def test_a_banner_may_stand_above_the_front_matter(banner: str) -> None:
    scanned = scan_memory({"a.md": f"{banner}---\nname: a\ntype: user\n---\n\nLikes tea.\n"})
    lines = len(split_lines(banner))
    assert [(one.text, one.type, one.source.first_line) for one in scanned.entries] == [
        ("Likes tea.", "user", lines + 6)
    ]
    plain = scan_memory({"a.md": f"{banner}Likes tea.\n---\n\nAnd cake.\n"})
    assert [one.type for one in plain.entries] == ["untyped"]


def test_broken_front_matter_is_a_warning_and_a_private_note_stays_private() -> None:
    scanned = scan_memory({"u.md": "---\ndescription: a: b: c\ntype: user\n---\nlikes tea\n"})
    assert [(e.text, e.type) for e in scanned.entries] == [("likes tea", "user")]
    (problem,) = scanned.problems
    assert problem.message.startswith("u.md:1: the front matter is not valid YAML")
    assert not problem.fatal


@pytest.mark.parametrize("matter", ["- a\n- b", "just text", "!!python/object:os.system x", "a: &a [*a]", "[" * 5000])
def test_strange_front_matter_never_stops_a_scan(matter: str) -> None:
    assert texts({"t.md": f"---\n{matter}\n---\nbody\n"}) == ["body"]


def test_front_matter_that_is_empty_or_not_closed() -> None:
    assert texts({"t.md": "---\n---\nbody\n"}) == ["body"]
    assert texts({"t.md": "---\nname: x\n\nbody\n"}) == ["name: x", "body"]


@pytest.mark.parametrize(
    "line",
    [
        "- [Testing](testing.md) – how we test, see `other.md`",
        "- [Testing](./testing.md#part)",
        "- `testing.md`: how we test",
        "- See [[testing]] first",
        "- **[Testing](testing.md)**",
        "- [Sub topic](sub%20dir/other.md)",
    ],
)
def test_an_index_line_is_no_entry(line: str) -> None:
    files = {"MEMORY.md": f"{line}\n- a fact\n", "testing.md": "t", "sub dir/other.md": "o"}
    scanned = scan_memory(files)
    assert [e.text for e in scanned.entries if e.source.file == "MEMORY.md"] == ["a fact"]


@pytest.mark.parametrize("line", ["- [gone](gone.md)", "- `src/app.py` and [Testing](testing.md)", "- plain"])
def test_what_names_no_topic_file_first_is_an_entry(line: str) -> None:
    scanned = scan_memory({"MEMORY.md": line + "\n", "testing.md": "t"})
    assert len([e for e in scanned.entries if e.source.file == "MEMORY.md"]) == 1


def test_index_rows_are_taken_out_of_a_table() -> None:
    table = "| topic | about |\n|---|---|\n| [T](t.md) | x |\n| fact | y |\n"
    assert texts({"MEMORY.md": table, "t.md": ""}) == ["| topic | about |\n|---|---|\n| fact | y |"]
    only_index = "| topic | about |\n|---|---|\n| [T](t.md) | x |\n"
    assert texts({"MEMORY.md": only_index, "t.md": ""}) == []
    assert texts({"MEMORY.md": "| a |\n|---|\n| b |\n"}) == ["| a |\n|---|\n| b |"]


def test_a_lead_in_to_index_lines_is_context() -> None:
    source = "Topics:\n- [T](t.md)\n- fact\n"
    scanned = scan_memory({"MEMORY.md": source, "t.md": ""})
    assert [entry.text for entry in scanned.entries] == ["Topics: fact"]
    assert structure_of(scanned, "MEMORY.md", source) == [("context", 1), ("index", 2)]


def test_the_same_text_in_two_files_is_one_entry_and_private_in_one_is_private() -> None:
    files = {"a.md": "---\ntype: project\n---\nsame\n", "b.md": "---\ntype: user\n---\n*same*.\n", "c.md": "same?\n"}
    groups = merged(scan_memory({**files, "b.md": files["b.md"].replace("*same*.", "same.")}).entries)
    (group,) = [group for group in groups.values() if len(group) > 1]
    assert [entry.source.file for entry in group] == ["a.md", "b.md"]
    assert {entry.type for entry in group} == {"user"}
    assert merged(scan_memory({"a.md": files["a.md"], "z.md": "same\n"}).entries).popitem()[1][1].type == "project"


@pytest.mark.parametrize(
    "source",
    [
        "# H\n\nlead:\n\n- a\n  - b\n\n---\n\n[x]: y\n\n<!-- c -->\n\n| a |\n|---|\n| b |\n\n> q\n\n```\nf\n",
        "---\nname: x\n---\n\n<!-- b -->\n\n# T\n\ntext\n\n---\n\nmore\n\n[l]: m\n\n---\n",
        "a\n\n    code\n\n<details>\n\nb\n\n</details>\n",
    ],
)
def test_every_line_has_exactly_one_owner(source: str) -> None:
    for name in ("MEMORY.md", "topic.md"):
        scanned = scan_memory({name: source})
        pieces = structure_of(scanned, name, source)
        assert [(kind, number) for kind, number in pieces if kind in ("lost", "doubled")] == []


def test_facts_of_a_document_have_their_lines() -> None:
    facts = facts_of("# A\n\n- one\n\ntwo\n")
    assert [(fact.text, fact.first, fact.stop) for fact in facts] == [("one", 2, 3), ("two", 4, 5)]


@pytest.mark.large
@pytest.mark.parametrize(
    "source",
    ["- x\n" * 20_000, "> " * 10_000 + "x", "x" * 1_000_000, "a:\n- b\n\n" * 5_000, "| a " * 50_000, "[" * 100_000],
    ids=["bullets", "quotes", "one line", "lead-ins", "pipes", "brackets"],
)
def test_hostile_shapes_are_read(source: str) -> None:
    assert scan_memory({"MEMORY.md": source}).problems == ()


def test_a_text_that_the_parser_cannot_read_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    from intermem.core.markdown import blocks

    class Failing:
        def parse(self, *_given: object) -> None:
            raise IndexError

    blocks.tokens_of.cache_clear()
    monkeypatch.setattr(blocks, "_parser", Failing)
    scanned = scan_memory({"a.md": "---\nname: x\n---\nbody unlike any other\n", "b.md": "- neither\n"})
    assert [(problem.where, problem.fatal) for problem in scanned.problems] == [("a.md", True), ("b.md", True)]
    assert scanned.entries == ()


@pytest.mark.parametrize("text", ["> - <pre>\n> ", "> - <!--\n> ", "> * <pre>\n> "])
def test_an_html_block_that_ends_with_its_quote_is_read(text: str) -> None:
    assert len(texts(text)) == 1


def test_an_index_line_may_name_a_file_that_could_not_be_read() -> None:
    assert scan_memory({"MEMORY.md": "- [T](t.md)\n"}, unread=["t.md"]).entries == ()


def test_a_memory_index_with_front_matter_is_no_topic() -> None:
    assert texts({"MEMORY.md": "---\nname: x\n---\n- one\n- two\n"}) == ["one", "two"]


def test_rows_between_index_rows_have_lines_of_their_own() -> None:
    table = "| a | b |\n|---|---|\n| fact | x |\n| [T](t.md) | y |\n| more | z |\n"
    scanned = scan_memory({"MEMORY.md": table, "t.md": ""})
    assert [e.text.split("\n")[-1] for e in scanned.entries] == ["| fact | x |", "| more | z |"]
    assert owners(scanned, "MEMORY.md") == {3: 1, 5: 1}
    assert structure_of(scanned, "MEMORY.md", table) == [("context", 1), ("context", 2), ("index", 4)]


def test_a_front_matter_with_lone_surrogates_is_read() -> None:
    scanned = scan_memory({"t.md": '---\nname: "\\uD800"\ntype: "\\uD800"\n---\nbody\n'})
    assert [entry.text for entry in scanned.entries] == ["body"]
    scanned.entries[0].type.encode("utf-8")
