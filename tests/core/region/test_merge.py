"""Regions merged by the identity of their entries: what each side did happens, once, and nothing is lost."""

from __future__ import annotations

import pytest

from intermem.core.entries.identity import identity
from intermem.core.region.merge import Conflict, Signs, merged_region, with_body
from intermem.core.region.parse import find_region
from intermem.errors import DocumentRefused

BASE = """\
### Build

- Run the queue worker before the tests.
- Clear the build cache after a change of flags.

### Style

- Tabs count as one column in the parser.
- Dates in the export are local time.
"""
QUEUE, CACHE, TABS, DATES = (line + "\n" for line in BASE.split("\n") if line.startswith("- "))
START = QUEUE.replace("Run", "Start")
MIND = QUEUE.replace("Run", "Mind")


def document(body: str) -> str:
    return f"# P\n\nHello.\n\n<!-- intermem:begin -->\n{body}<!-- intermem:end -->\n\nMore.\n"


def merged(ours: str, theirs: str, base: str | None = BASE, **more: object) -> str:
    """Return the merged body; conflicts are between signs."""
    was = document(base) if base is not None else None
    return merged_region(was, document(ours), document(theirs), "X", **more).body(Signs())  # type: ignore[arg-type]


def swapped(text: str, one: str, other: str) -> str:
    return text.replace(one, "\0").replace(other, one).replace("\0", other)


def without(text: str, *lines: str) -> str:
    for line in lines:
        assert line in text
        text = text.replace(line, "")
    return text


CASES = {
    "additions of both sides": (
        BASE.replace(QUEUE, "- Ask for a token first.\n" + QUEUE),
        BASE.replace(DATES, DATES + "- Write in capitals.\n"),
        BASE.replace(QUEUE, "- Ask for a token first.\n" + QUEUE).replace(DATES, DATES + "- Write in capitals.\n"),
    ),
    "additions in one place are sorted": (
        BASE.replace(CACHE, CACHE + "- Z of ours.\n"),
        BASE.replace(CACHE, CACHE + "- a of theirs.\n"),
        BASE.replace(CACHE, CACHE + "- a of theirs.\n- Z of ours.\n"),
    ),
    "additions in one place that one side has in its own order: ours first": (
        BASE.replace(CACHE, CACHE + "- z of ours.\n- m of ours.\n"),
        BASE.replace(CACHE, CACHE + "- a of theirs.\n"),
        BASE.replace(CACHE, CACHE + "- z of ours.\n- m of ours.\n- a of theirs.\n"),
    ),
    "new words that the other side adds": (
        BASE.replace(QUEUE, START),
        BASE.replace(DATES, DATES + START),
        BASE.replace(QUEUE, START),
    ),
    "the same addition in two places stands once": (
        BASE.replace(QUEUE, QUEUE + "- New.\n"),
        BASE.replace(DATES, DATES + "- New.\n"),
        BASE.replace(QUEUE, QUEUE + "- New.\n"),
    ),
    "a deletion and an addition": (
        without(BASE, QUEUE),
        BASE.replace(QUEUE, QUEUE + "- New.\n"),
        BASE.replace(QUEUE, "- New.\n"),
    ),
    "a deletion beats a move": (
        without(BASE, QUEUE),
        without(BASE, QUEUE) + QUEUE,
        without(BASE, QUEUE),
    ),
    "a move to another section and an addition": (
        without(BASE, QUEUE) + QUEUE,
        BASE.replace(QUEUE, QUEUE + "- New.\n"),
        BASE.replace(QUEUE, "- New.\n") + QUEUE,
    ),
    "a move and new words": (
        without(BASE, QUEUE) + QUEUE,
        BASE.replace(QUEUE, START),
        without(BASE, QUEUE) + START,
    ),
    "a move of each side: ours wins": (
        without(BASE, QUEUE) + QUEUE,
        without(BASE, QUEUE).replace("### Build\n", "### Ops\n\n" + QUEUE + "\n### Build\n"),
        without(BASE, QUEUE) + QUEUE,
    ),
    "their order where we left it alone": (
        BASE.replace(DATES, START.replace("queue", "date") + DATES),
        swapped(BASE, QUEUE, CACHE),
        swapped(BASE, QUEUE, CACHE).replace(DATES, START.replace("queue", "date") + DATES),
    ),
    "our order where both have another": (
        "- b\n- a\n- c\n" + BASE,
        "- a\n- c\n- b\n- new\n" + BASE,
        "- b\n- new\n- a\n- c\n" + BASE,
        "- a\n- b\n- c\n" + BASE,
    ),
    "both sides write the same words": (
        BASE.replace(QUEUE, START),
        BASE.replace(QUEUE, START).replace(DATES, DATES + "- New.\n"),
        BASE.replace(QUEUE, START).replace(DATES, DATES + "- New.\n"),
    ),
    "a formatter and an addition": (
        BASE.replace("- ", "* "),
        BASE.replace(QUEUE, QUEUE + "- New.\n"),
        BASE.replace("- ", "* ").replace("tests.\n", "tests.\n\n- New.\n\n"),
    ),
    "an addition and a formatter": (
        BASE.replace(QUEUE, QUEUE + "- New.\n"),
        BASE.replace("- Tabs count", "* Tabs  count").replace("- Dates", "* Dates"),
        BASE.replace(QUEUE, QUEUE + "- New.\n").replace("- Tabs count", "* Tabs  count").replace("- Dates", "* Dates"),
    ),
    "a renamed heading and an addition below the old one": (
        BASE.replace("### Build", "### Building"),
        BASE.replace(CACHE, CACHE + "- New.\n"),
        BASE.replace("### Build", "### Building").replace(CACHE, CACHE + "- New.\n"),
    ),
    "a renamed heading that the other side adds": (
        BASE.replace("### Build", "### Zed"),
        BASE + "\n### Zed\n\n- New.\n",
        BASE.replace("### Build", "### Zed").replace(CACHE, CACHE + "- New.\n"),
    ),
    "a heading that the other side renames": (
        BASE + "\n### Zed\n\n- New.\n",
        BASE.replace("### Build", "### Zed"),
        BASE.replace("### Build", "### Zed").replace(CACHE, CACHE + "- New.\n"),
    ),
    "two headings of the same words": (
        BASE.replace("### Style", "### Build").replace(DATES, DATES + "- New.\n"),
        BASE.replace("### Style", "### Build").replace(QUEUE, ""),
        BASE.replace("### Style", "### Build").replace(DATES, DATES + "- New.\n").replace(QUEUE, ""),
        BASE.replace("### Style", "### Build"),
    ),
    "an emptied section keeps its heading for a person's own words": (
        without(BASE, TABS) + "\nWords.\n",
        without(BASE, DATES) + "\nWords.\n",
        "### Build\n\n" + QUEUE + CACHE + "\n### Style\n\nWords.\n",
        BASE + "\nWords.\n",
    ),
    "a section that both sides empty loses its heading": (
        without(BASE, TABS),
        without(BASE, DATES),
        "### Build\n\n" + QUEUE + CACHE,
    ),
    "a heading that one side removed with its last entry stays for an addition": (
        "### Build\n\n" + QUEUE + CACHE,
        BASE.replace(DATES, DATES + "- New.\n"),
        BASE.replace(TABS + DATES, "- New.\n"),
    ),
    "a heading without entries that one side added": (
        BASE + "\n### Later\n",
        BASE.replace(QUEUE, ""),
        BASE.replace(QUEUE, "") + "\n### Later\n",
    ),
    "sections of both sides are sorted": (
        BASE.replace("### Style", "### Ours\n\n- One.\n\n### Style"),
        BASE.replace("### Style", "### Deploy\n\n- Two.\n\n### Style"),
        BASE.replace("### Style", "### Deploy\n\n- Two.\n\n### Ours\n\n- One.\n\n### Style"),
    ),
    "sections in another order, and an addition": (
        "### Style\n\n" + TABS + DATES + "\n### Build\n\n" + QUEUE + CACHE,
        BASE.replace(CACHE, CACHE + "- New.\n"),
        "### Style\n\n" + TABS + DATES + "\n### Build\n\n" + QUEUE + CACHE + "- New.\n",
    ),
    "an entry that one side has twice stands once": (
        BASE + QUEUE,
        BASE.replace(DATES, DATES + "- New.\n"),
        BASE.replace(DATES, DATES + "- New.\n"),
    ),
    "a comment goes with the entry below it": (
        BASE.replace(DATES, "<!-- intermem:ignore IM001 -->\n" + DATES),
        without(BASE, DATES).replace(QUEUE, DATES + QUEUE),
        without(BASE, DATES).replace(QUEUE, "<!-- intermem:ignore IM001 -->\n" + DATES + QUEUE),
    ),
    "blank lines between entries, and a comment above one": (
        BASE.replace(CACHE, "\n" + CACHE),
        BASE.replace(CACHE, "<!-- a -->\n" + CACHE),
        BASE.replace(CACHE, "<!-- a -->\n" + CACHE),
    ),
    "a comment that one side removed": (
        "<!-- a -->\n" + BASE.replace(QUEUE, QUEUE + "- New.\n"),
        BASE,
        BASE.replace(QUEUE, QUEUE + "- New.\n"),
        "<!-- a -->\n" + BASE,
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_what_each_side_did_happens(case: str) -> None:
    ours, theirs, expected, base = (*CASES[case], BASE)[:4]
    assert merged(ours, theirs, base) == expected


def test_what_is_left_out_is_named() -> None:
    merge = merged_region(document(BASE), document(without(BASE, QUEUE)), document(BASE + "- New.\n"), "X")
    assert merge.left_out == ((identity(QUEUE[2:]), QUEUE[2:-1]),)
    untouched = merged_region(document(BASE), document(without(BASE, QUEUE)), document(BASE), "X")
    assert untouched.left_out == merge.left_out


def test_what_is_unwanted_is_out_even_where_one_side_left_the_region_alone() -> None:
    unwanted = {identity(QUEUE[2:])}
    merge = merged_region(document(BASE), document(BASE), document(BASE), "X", unwanted=unwanted)
    assert merge.body() == without(BASE, QUEUE) and [key for key, _ in merge.left_out] == list(unwanted)


CLASHES = {
    "two wordings": (START, MIND, START, MIND),
    "a wording of what the other side removed": ("", MIND, "", MIND),
    "a removal of what the other side reworded": (START, "", START, ""),
}


@pytest.mark.parametrize("case", CLASHES)
def test_two_wordings_are_a_conflict_around_just_these(case: str) -> None:
    ours, theirs, one, other = CLASHES[case]
    was = document(BASE)
    mine = document(BASE.replace(QUEUE, ours).replace(TABS, TABS + "- New of ours.\n"))
    merge = merged_region(was, mine, document(BASE.replace(QUEUE, theirs)), "X")
    rest = BASE.replace(TABS, TABS + "- New of ours.\n")
    plain = f"<<<<<<< ours\n{one}=======\n{other}>>>>>>> theirs\n"
    assert merge.body(Signs()) == rest.replace(QUEUE, plain)
    shown = f"<<<<<<<< HEAD\n{one}|||||||| base\n{QUEUE}========\n{other}>>>>>>>> topic\n"
    assert merge.body(Signs("HEAD", "topic", "base", 8)) == rest.replace(QUEUE, shown)
    assert merge.body() == rest.replace(QUEUE, one + other)
    assert merge.conflicts == (Conflict(one[2:].strip() or None, other[2:].strip() or None),)


def test_two_names_for_a_heading_are_a_conflict() -> None:
    ours, theirs = BASE.replace("### Build", "### One"), BASE.replace("### Build", "### Other")
    assert "<<<<<<< ours\n### One\n=======\n### Other\n>>>>>>> theirs\n" in merged(ours, theirs)
    plain = merged_region(document(BASE), document(ours), document(theirs), "X").body()
    assert plain == BASE.replace("### Build", "### One")


def test_a_wording_that_stands_elsewhere_is_no_conflict() -> None:
    theirs = BASE.replace(QUEUE, MIND).replace(DATES, DATES + START)
    assert merged(BASE.replace(QUEUE, START), theirs) == theirs


def test_without_a_base_everything_is_an_addition() -> None:
    for base in (None, "# P\n\nHello.\n"):
        merge = merged_region(base, document("- one\n- two\n"), document("- three\n- two\n"), "X")
        assert merge.body() == "- one\n- three\n- two\n" and not merge.conflicts


def test_what_leads_stands_above_the_rest_of_both_sides() -> None:
    assert merged("- One\n- four\n", "- Two\n- three\n", "", leads=str.istitle) == "- One\n- Two\n- four\n- three\n"


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_ends_are_those_of_the_document(end: str) -> None:
    base, ours, theirs = BASE, BASE.replace(QUEUE, START), BASE.replace(DATES, DATES + "- New.\n")
    expected = START.join(theirs.split(QUEUE)).replace("\n", end)
    texts = [document(text).replace("\n", end) for text in (base, ours, theirs)]
    assert merged_region(*texts, "X").body() == expected
    only_theirs = [document(base), document(ours), texts[2]]
    assert merged_region(*only_theirs, "X").body() == expected


LINES = {
    "both sides change it": ("My words.\n\n", "Your words.\n\n", "Words.\n\n"),
    "both sides add one": ("My words.\n\n", "Your words.\n\n", ""),
}


@pytest.mark.parametrize("case", LINES)
def test_lines_that_are_no_entries_are_not_merged(case: str) -> None:
    ours, theirs, base = (line + BASE for line in LINES[case])
    with pytest.raises(DocumentRefused, match="lines that are not entries"):
        merged(ours, theirs + "- New.\n", base)


def test_words_above_a_heading_that_goes_are_not_lost() -> None:
    base = BASE.replace("### Style", "Words.\n\n### Style")
    with pytest.raises(DocumentRefused, match="lines that are not entries"):
        merged(without(base, TABS), without(base, DATES), base)


def test_lines_that_one_side_changed_are_those_of_that_side() -> None:
    assert merged("Words.\n\n" + BASE, BASE + "- New.\n") == "Words.\n\n" + BASE + "- New.\n"
    assert merged(BASE, "Words.\n\n" + BASE + "- New.\n", "Words.\n\n" + BASE) == BASE + "- New.\n"
    assert merged(BASE + "\nWords.\n", BASE + "- New.\n") == BASE + "- New.\n\nWords.\n"


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (document(BASE), "# P\n"),
        (document(BASE), document(BASE).replace("<!-- intermem:end -->", "")),
        (document(BASE), document(f"<<<<<<< a\n{START}=======\n{MIND}>>>>>>> b\n")),
        (document(BASE), document(f"<<<<<<<<< a\n{START}\n=========\n{MIND}>>>>>>>>> b\n")),
    ],
)
def test_a_side_without_a_sound_region_is_refused(ours: str, theirs: str) -> None:
    for one, other in ((ours, theirs), (theirs, ours)):
        with pytest.raises(DocumentRefused):
            merged_region(document(BASE), one, other, "X")


def test_entries_that_would_fuse_are_refused() -> None:
    with pytest.raises(DocumentRefused, match="would not stay apart"):
        merged("   - b\n", "- a\n", "")


def test_a_numbered_list_beside_a_plain_one_stays_apart() -> None:
    body = merged("- zero\n- a\n", "- zero\n\n2. b\n", "- zero\n")
    region = find_region(document(body), "X")
    assert region is not None and [item.text for item in region.items] == ["zero", "a", "b"]


def test_a_document_without_a_region_takes_no_body() -> None:
    assert with_body("# P\n", "X", BASE) == "# P\n"
    assert with_body(document(""), "X", BASE) == document(BASE)
