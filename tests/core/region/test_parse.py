from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from intermem.core.entries.identity import identity, normalised
from intermem.core.markdown.items import rendered_item
from intermem.core.markdown.lines import split_lines
from intermem.core.markdown.markers import BEGIN, END
from intermem.core.region import edit, place
from intermem.core.region.edit import Addition, edited
from intermem.core.region.parse import find_region, outside, parse_document
from intermem.core.region.place import place_region, remove_region
from intermem.errors import DocumentRefused, EditRefused

BODY = f"# P\n\n{BEGIN}\n### Build\n\n- one\n- two\n\n### Style\n\n- three\n{END}\n\ntail\n"


def ids(*texts: str) -> tuple[str, ...]:
    return tuple(identity(text) for text in texts)


def test_a_region_is_read_with_its_sections_and_items() -> None:
    region = find_region(BODY, "X")
    assert region is not None
    assert [(s.title, [i.text for i in s.items]) for s in region.sections] == [
        ("", []),
        ("Build", ["one", "two"]),
        ("Style", ["three"]),
    ]
    assert (region.first_line, region.last_line, region.lines, region.level) == (3, 12, 8, 2)
    assert BODY[region.begin : region.end].startswith(BEGIN)
    assert BODY[region.start : region.stop].startswith("### Build")


def test_an_item_ends_with_its_last_line_that_is_not_blank() -> None:
    text = f"# P\n\n{BEGIN}\n- one\n \t\n* two\n\n  more\n\n\n{END}\n"
    region = find_region(text, "X")
    assert region is not None
    assert [text[item.start : item.stop] for item in region.items] == ["- one\n", "* two\n\n  more\n"]
    assert [(item.line, item.marker) for item in region.items] == [(4, "-"), (6, "*")]


@pytest.mark.parametrize(
    ("body", "others"),
    [("- a\n", 0), ("one\ntwo\n\nthree\n\n- a\n", 2), ("- a\n\n[x]: y\n", 1), ("> q\n\n[x]: y\n", 1)],
)
def test_what_is_no_item_is_counted_by_blocks(body: str, others: int) -> None:
    region = find_region(f"{BEGIN}\n{body}{END}\n", "X")
    assert region is not None
    assert [section.others for section in region.sections] == [others]


def test_the_rest_of_a_document_is_told_by_kind_lines_and_words() -> None:
    parsed = parse_document("# A\n\ntext\nmore\n \t\n\n- x\n", "X")
    heading = [("heading_open", "h1", 0, (0, 1), ""), ("inline", "", 1, (0, 1), "A")]
    text = [("paragraph_open", "p", 0, (2, 4), ""), ("inline", "", 1, (2, 4), "text\nmore")]
    items = [
        ("bullet_list_open", "ul", 0, (6, 7), ""),
        ("list_item_open", "li", 1, (6, 7), ""),
        ("paragraph_open", "p", 2, (6, 7), ""),
        ("inline", "", 3, (6, 7), "x"),
    ]
    assert outside(parsed, range(0)) == heading + text + items
    assert outside(parsed, range(2, 4)) == heading + items
    moved = [(kind, tag, level, (3, 4), words) for kind, tag, level, _, words in items]
    assert outside(parsed, range(2, 6), 3) == heading + moved


@pytest.mark.parametrize(
    ("above", "level"),
    [("", 2), ("text\n\n", 2), ("# A\n\n### B\n\n", 4), ("### A\n\n# B\n\n", 2), ("## A\n\ntext\n\n- x\n", 3)],
)
def test_a_section_is_one_level_below_the_nearest_heading_above(above: str, level: int) -> None:
    region = find_region(f"{above}{BEGIN}\n##### inside\n{END}\n\n#### C\n", "X")
    assert region is not None
    assert region.level == level


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no markers",
        f"```\n{BEGIN}\n{END}\n```\n",
        f"~~~~\n{BEGIN}\n~~~\n{END}\n",
        f"    {BEGIN}\n    {END}\n",
        f"- item\n\n  {BEGIN}\n  {END}\n",
        f"> {BEGIN}\n> {END}\n",
        f"text {BEGIN} text {END}\n",
        f"{BEGIN} and more\n",
        "<!-- intermem -->\n<!-- intermem:1a2b3c4d -->\n",
        f"---\nx: |\n  {BEGIN}\n---\n",
    ],
)
def test_what_only_looks_like_a_marker_is_none(text: str) -> None:
    assert find_region(text, "X") is None


@pytest.mark.parametrize(
    "text",
    [
        f"para\n{BEGIN}\n- x\n{END}\npara",
        f"- item\n{BEGIN}\n- x\n{END}\n",
        f"{BEGIN}\r\n- x\r\n{END}",
        f"\ufeff{BEGIN}\n\n- x\n\n{END}\n",
        f"   {BEGIN}   \n- x\n\n {END}\t\n",
        "<!--intermem:begin-->\n- x\n<!--\tintermem:end -->\n",
        f"```\n{BEGIN}\n```\n{BEGIN}\n- x\n{END}\n",
    ],
)
def test_a_marker_alone_on_its_line_is_one_wherever_it_stands(text: str) -> None:
    region = find_region(text, "X")
    assert region is not None
    assert region.ids == ids("x")


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        (f"a\n{BEGIN}\n", 2, "the begin marker has no end marker"),
        (f"a\n\n{END}\n", 3, "the end marker has no begin marker"),
        (f"{END}\n{BEGIN}\n", 1, "the end marker comes before the begin marker"),
        (f"{BEGIN}\n{END}\n{BEGIN}\n{END}\n", 1, "there is more than one region"),
        (f"{BEGIN}\n{BEGIN}\n{END}\n{END}\n", 1, "there is more than one region"),
        (f"<div>\n{BEGIN}\n{END}\n</div>\n", 2, "the marker is part of the HTML above it"),
        (f"<!--\n{BEGIN}\n-->\n", 2, "the marker is part of the HTML above it"),
        (f"{BEGIN}\n<<<<<<< ours\n- a\n=======\n- b\n>>>>>>> theirs\n{END}\n", 1, "merge conflict inside the region"),
        (f"\n{BEGIN}\n<<<<<<< ours\n- a\n>>>>>>> theirs\n{END}\n", 2, "merge conflict inside the region"),
    ],
)
def test_damaged_markers_are_refused_with_line_and_way_out(text: str, line: int, what: str) -> None:
    with pytest.raises(DocumentRefused) as raised:
        find_region(text, "A.md")
    assert raised.value.message.startswith(f"A.md:{line}: {what}")
    assert raised.value.message.endswith("; the document was left alone")
    assert raised.value.hint


def test_every_marker_is_named_with_its_line() -> None:
    with pytest.raises(DocumentRefused, match=r"\(end on line 1, begin on line 4\)"):
        find_region(f"{END}\n\n\n{BEGIN}\n", "A.md")


def test_an_html_block_above_names_the_missing_blank_line() -> None:
    with pytest.raises(DocumentRefused) as raised:
        find_region(f"<div>\n{BEGIN}\n{END}\n</div>\n", "A.md")
    assert raised.value.hint == "a blank line is missing above line 2"


DOCUMENTS = [
    "",
    "\ufeff",
    "abc",
    "abc\n",
    "abc\r\ndef\r\n",
    "abc\rdef",
    "\ufeff# T\n\ntext",
    "# A\ntext\n\n## B\nmore\n",
    "- x\n",
    "- x\n\n\n\n",
    "abc\n\n\n",
    "a\x0cb\u2028c\n",
    "| a |\n|---|\n| b |",
    "# A\n\n```\nclosed\n```",
    "<!-- comment -->",
    "---\nname: x\n---\n",
    "```\n<!-- intermem:begin -->\n```\n",
]


@pytest.mark.parametrize("text", DOCUMENTS)
def test_placing_and_removing_gives_back_every_byte(text: str) -> None:
    placed = place_region(text, "X")
    assert placed != text
    region = find_region(placed, "X")
    assert region is not None
    assert region.lines == 0
    assert placed.startswith(text)
    assert "## Project memory" in placed
    assert remove_region(placed, "X") == text
    assert place_region(placed, "X") == placed
    assert (placed[-1] in "\r\n") == (text.strip("\ufeff") == "" or text[-1] in "\r\n")


@pytest.mark.parametrize(
    ("text", "after", "expected"),
    [
        ("# A\ntext\n\n## B\nmore\n", "A", f"# A\ntext\n\n{BEGIN}\n{END}\n\n## B\nmore\n"),
        ("# A\ntext\n\n## B\nmore\n", "## B", f"# A\ntext\n\n## B\nmore\n\n{BEGIN}\n{END}\n"),
        ("# A\n\n## B\n", "A", f"# A\n{BEGIN}\n{END}\n\n## B\n"),
        ("# A\ntext", "A", f"# A\ntext\n\n{BEGIN}\n{END}"),
    ],
)
def test_a_region_is_placed_in_the_section_that_is_named(text: str, after: str, expected: str) -> None:
    placed = place_region(text, "X", after=after)
    assert placed == expected
    assert remove_region(placed, "X") == text


@pytest.mark.parametrize("text", ["```\nopen\n", "a\n\n<!-- open\n", "<pre>\nopen\n"])
def test_no_region_is_placed_into_something_open(text: str) -> None:
    with pytest.raises(DocumentRefused, match="no region can be placed there safely"):
        place_region(text, "X")


def test_a_heading_that_is_not_there_is_refused() -> None:
    with pytest.raises(DocumentRefused, match="no heading 'Z'"):
        place_region("# A\n", "X", after="Z")


def test_a_heading_of_a_person_stays_when_the_region_goes() -> None:
    text = "## Project memory\n"
    assert remove_region(place_region(text, "X", after="Project memory"), "X") == text


def test_removing_from_a_document_without_region_changes_nothing() -> None:
    assert remove_region("# A\n", "X") == "# A\n"


def test_headings_are_one_level_below_and_bold_below_the_sixth() -> None:
    for level, heading in ((1, "## S"), (3, "#### S"), (5, "###### S"), (6, "**S**")):
        document = f"{'#' * level} H\n\n{BEGIN}\n{END}\n"
        grown = edited(document, "X", add=[Addition("x", "S")])
        assert f"{BEGIN}\n{heading}\n\n- x\n{END}" in grown
        again = edited(grown, "X", add=[Addition("y", "S")])
        assert again.count(heading) == 1
        assert edited(again, "X", remove=ids("x", "y")) == document


@pytest.mark.parametrize(
    ("heading", "block", "titles"),
    [
        ("######", "**S**", ["", "S"]),
        ("######", "** S **", ["", "S"]),
        ("######", "__S__", ["", "S"]),
        ("######", "**S**\nmore", [""]),
        ("######", "**S** more", [""]),
        ("######", "    **S**", [""]),
        ("#####", "**S**", [""]),
    ],
)
def test_bold_text_is_a_title_only_alone_and_below_the_sixth(heading: str, block: str, titles: list[str]) -> None:
    region = find_region(f"{heading} H\n\n{BEGIN}\n{block}\n\n- a\n{END}\n", "X")
    assert region is not None
    assert [section.title for section in region.sections] == titles
    assert region.ids == ids("a")


def test_items_go_in_by_section_then_by_text() -> None:
    document = f"{BEGIN}\n{END}\n"
    texts = [("zeta", "Build"), ("alpha", "Build"), ("mid", "Aaa"), ("bare", ""), ("Beta", "Build"), ("last", "Zed")]
    expected = f"{BEGIN}\n- bare\n\n## Aaa\n\n- mid\n\n## Build\n\n- alpha\n- Beta\n- zeta\n\n## Zed\n\n- last\n{END}\n"
    for order in itertools.permutations(texts):
        grown = edited(document, "X", add=[Addition(text, section) for text, section in order])
        assert grown == expected


def test_a_formatted_region_is_edited_in_its_manner() -> None:
    loose = f"# P\n\n{BEGIN}\n\n## S\n\n* a\n\n* c\n\n{END}\n"
    grown = edited(loose, "X", add=[Addition("b", "S"), Addition("d", "S"), Addition("e", "T")])
    assert grown == f"# P\n\n{BEGIN}\n\n## S\n\n* a\n\n* b\n\n* c\n\n* d\n\n## T\n\n- e\n\n{END}\n"
    assert edited(grown, "X", remove=ids("b", "d", "e")) == loose


def test_what_stays_keeps_its_bytes() -> None:
    odd = f"# P\n\n{BEGIN}\n###   Build  ###\n1.  one\\_x\n\n\n2.  two   \n\nhand-written\n{END}\n"
    grown = edited(odd, "X", add=[Addition("zzz", "Build")])
    assert grown.replace("- zzz\n\n", "") == odd
    assert edited(grown, "X", remove=ids("zzz")) == odd


def test_a_region_that_holds_the_right_entries_is_not_rewritten() -> None:
    assert edited(BODY, "X", add=[Addition("one.", "Elsewhere")], remove=ids("unknown")) == BODY


def test_a_section_with_a_hand_written_block_keeps_its_heading() -> None:
    text = f"{BEGIN}\n## S\n\nby hand\n\n- x\n{END}\n"
    assert edited(text, "X", remove=ids("x")) == f"{BEGIN}\n## S\n\nby hand\n{END}\n"


def test_an_item_joins_a_heading_that_has_none() -> None:
    text = f"{BEGIN}\n## S\n\nby hand\n{END}\n"
    grown = edited(text, "X", add=[Addition("x", "S")])
    region = find_region(grown, "X")
    assert region is not None
    assert [(section.title, len(section.items)) for section in region.sections] == [("", 0), ("S", 1)]


def test_our_line_ends_are_the_files_own() -> None:
    grown = edited(place_region("a\r\nb\r\n", "X"), "X", add=[Addition("x\n\n```\ny\n```", "S")])
    assert "\n" not in grown.replace("\r\n", "")


def test_a_document_without_region_cannot_be_edited() -> None:
    with pytest.raises(DocumentRefused, match="has no region"):
        edited("# A\n", "X", add=[Addition("x", "S")])


HOSTILE = [
    "```\nopen fence",
    "~~~",
    END,
    f"text\n{BEGIN}\nmore\n{END}",
    "<div>\nopen",
    "<!-- open comment",
    "# heading\ntext",
    "- a\n- b",
    "1. one",
    "> quote",
    "---",
    "---\nname: x\n---",
    "[x]: /url",
    "a\n===",
    "    code",
    "| a |\n|---|\n| b |",
    "<script>",
    "\x1b[31mred",
    "\u2028\x85\x0c",
    "*" * 50,
    "`" * 51,
    "[" * 50,
    "&lt;!-- intermem:end --&gt;",
    "<details>\n\n</details>",
    "a\n\n\n\nb",
    "+",
    "{{x}} {% y %}",
]


@pytest.mark.parametrize("hostile", HOSTILE)
@pytest.mark.parametrize("section", ["S", "", "<!-- intermem:end -->", "# x", "```", "- y", "---"])
def test_a_hostile_text_is_contained_or_refused(hostile: str, section: str) -> None:
    document = f"# P\n\ntext\n\n{BEGIN}\n## S\n\n- kept\n{END}\n\n<div>\n\ntail\n"
    try:
        grown = edited(document, "X", add=[Addition(hostile, section)])
    except EditRefused:
        return
    region = find_region(grown, "X")
    assert region is not None
    assert set(region.ids) == {identity("kept"), identity(hostile)}
    head, tail = document.split(BEGIN)[0], document.split(END)[1]
    assert grown.startswith(head + BEGIN)
    assert grown.endswith(END + tail)
    assert edited(grown, "X", remove=[identity(hostile)]) == document


def test_a_calm_text_is_never_refused() -> None:
    for text in ("plain", "with `code`", "two\n\nparagraphs", "list:\n- a\n- b", "fence:\n\n```sh\nmake\n```"):
        assert find_region(edited(BODY, "X", add=[Addition(text, "S")]), "X") is not None


PIECES = st.sampled_from(
    [
        "# H\n",
        "text\n",
        "\n",
        "- item\n",
        "  more\n",
        "```\n",
        "> q\n",
        "| a |\n|---|\n",
        "<div>\n",
        "<!-- c -->\n",
        "1. n\n",
        "***\n",
        "    code\n",
        "\r\n",
        "x\r",
        "[a]: b\n",
        "===\n",
        "\t- t\n",
        "</div>\n",
        f"{BEGIN}\n",
        f"{END}\n",
    ]
)
DOCS = st.lists(PIECES, max_size=12).map("".join)
ENTRIES = st.lists(PIECES, min_size=1, max_size=5).map(lambda parts: "".join(parts).strip("\r\n")).filter(normalised)


@settings(max_examples=1000, deadline=None)
@given(document=DOCS, text=ENTRIES, section=st.sampled_from(["", "A", "S"]), final=st.booleans())
def test_a_spliced_item_reads_back_or_is_refused(document: str, text: str, section: str, final: bool) -> None:
    document = document if final else document.rstrip("\r\n")
    try:
        placed = place_region(document, "X")
        grown = edited(placed, "X", add=[Addition(text, section)])
    except (DocumentRefused, EditRefused):
        return
    before, after = find_region(placed, "X"), find_region(grown, "X")
    assert before is not None
    assert after is not None
    added = [] if identity(text) in before.ids else [identity(text)]
    assert sorted(after.ids) == sorted([*before.ids, *added])
    assert grown[: after.start] == placed[: before.start]
    assert grown[after.stop :] == placed[before.stop :]
    if identity(text) not in before.ids:
        assert edited(grown, "X", remove=[identity(text)]) == placed


def test_an_item_is_indented_below_its_marker() -> None:
    assert rendered_item("a\n\nb\n- c", "1.", "\r\n") == "1. a\r\n\r\n   b\r\n   - c\r\n"


SABOTAGE = {
    "outside": lambda text: text.replace("tail", "TAIL"),
    "a blank outside": lambda text: text.replace("tail ", "tail\t"),
    "a lost item": lambda text: text.replace("- two\n", ""),
    "a lost line of a person's": lambda text: text.replace("by hand\n", ""),
    "another marker": lambda text: text.replace("- three\n", f"- three\n{BEGIN}\n"),
    "an open fence": lambda text: text.replace("- three\n", "- three\n\n```\n"),
    "an item too many": lambda text: text.replace("- three\n", "- three\n- five\n"),
    "another section": lambda text: text.replace("- four\n", "").replace("- two\n", "- four\n- two\n"),
}


@pytest.mark.parametrize("what", SABOTAGE)
def test_an_edit_that_is_not_exactly_the_wanted_one_is_refused(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    document = BODY.replace("### Style\n", "### Style\n\nby hand\n").replace("tail", "tail ")
    honest = edit._with
    monkeypatch.setattr(edit, "_with", lambda *given, **named: SABOTAGE[what](honest(*given, **named)))
    with pytest.raises(EditRefused):
        edited(document, "X", add=[Addition("four", "Style")])


def test_a_text_that_would_not_stay_one_item_is_refused_with_what_to_look_for() -> None:
    with pytest.raises(EditRefused, match="would not stay one item of the region; it was not written") as raised:
        edited(BODY, "X", add=[Addition("---", "Build")])
    assert raised.value.hint == "look for an open fence, a marker or a heading in the note"


def test_a_placement_that_changes_anything_else_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(place, "remove_region", lambda text, _name: text)
    with pytest.raises(DocumentRefused, match="no region can be placed there safely"):
        place_region("# A\n", "X")


def test_an_entry_without_words_is_refused() -> None:
    for text in ("", "...", " \n"):
        with pytest.raises(EditRefused, match="without words"):
            edited(BODY, "X", add=[Addition(text, "S")])


def test_a_link_definition_of_a_person_is_never_lost() -> None:
    text = f"{BEGIN}\n### S\n\n[x]: y\n\n- b, see [x]\n{END}\n"
    assert edited(text, "X", remove=ids("b, see [x]")) == f"{BEGIN}\n### S\n\n[x]: y\n{END}\n"


@pytest.mark.parametrize("section", ["#", "C #", "# #", "a\nb", "  wide   gap "])
def test_every_section_reads_back(section: str) -> None:
    empty = f"# P\n\n{BEGIN}\n{END}\n"
    grown = edited(empty, "X", add=[Addition("x", section), Addition("y", section)])
    region = find_region(grown, "X")
    assert region is not None
    assert [len(found.items) for found in region.sections if found.items] == [2]
    assert edited(grown, "X", remove=ids("x", "y")) == empty


@pytest.mark.parametrize("text", ["a\nb\r", "\n\r", "a\n\n<!-- x -->", "\r", "a\r\r\n", "\n\r\n\r", "<div>\nx\n</div>"])
def test_line_ends_never_fuse(text: str) -> None:
    assert remove_region(place_region(text, "X"), "X") == text


@pytest.mark.parametrize(
    ("body", "text", "section"),
    [
        ("\n### A\n\n- c\n\n", "b", ""),
        ("- a\n- c\n\n- d\n", "b", ""),
        ("### A\n- c\n\n- d\n", "b", "A"),
        ("### A\n- c\n### Z\n- z\n", "b", "M"),
        ("### A\n\n- c\n\n### Z\n\n- z\n", "d", "A"),
        ("- a\n\n\n### Z\n- z\n", "b", ""),
    ],
)
def test_what_went_in_comes_out_without_a_trace(body: str, text: str, section: str) -> None:
    document = f"{BEGIN}\n{body}{END}\n"
    grown = edited(document, "X", add=[Addition(text, section)])
    assert grown != document
    assert edited(grown, "X", remove=ids(text)) == document


@pytest.mark.parametrize("line", ["\x0c", "\xa0", "\u2028", "\x85", "\u3000", "\x1c", "   "])
def test_a_line_that_markdown_does_not_call_empty_outlives_a_region_and_an_item(line: str) -> None:
    region = f"{BEGIN}\n{END}\n"
    assert remove_region(f"a\n{line}\n{region}", "X") == f"a\n{line}\n"
    if line.strip(" "):
        document = f"# P\n\n{BEGIN}\n- one\n\n{line}\n\n- two\n{END}\n"
        assert f"\n{line}\n" in edited(document, "X", remove=[identity("one"), identity("two")])


def test_line_ends_do_not_fuse_where_lines_leave() -> None:
    assert split_lines(remove_region(f"a\r{BEGIN}\n{END}\n\nb\n", "X")) == ["a", "", "b"]
    document = f"{BEGIN}\n- one\r- two\n\n### S\n\n- x\n{END}\n"
    assert split_lines(edited(document, "X", remove=[identity("two")]))[1:4] == ["- one", "", "### S"]


def test_an_item_leaves_though_a_persons_own_lines_stand_right_behind_it() -> None:
    document = f"# P\n\n{BEGIN}\n- one\n- two\n\nBy hand.\n\n- three\n{END}\n"
    assert edited(document, "X", remove=[identity("two")]) == document.replace("- two\n", "")


def test_an_item_that_cannot_stand_in_its_order_stands_last() -> None:
    document = f"{BEGIN}\n  - b\n{END}\n"
    assert edited(document, "X", add=[Addition("a", "")]) == f"{BEGIN}\n  - b\n- a\n{END}\n"
