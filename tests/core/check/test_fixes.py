"""What is written in the place of a citation that moved, and that nothing else changes."""

from __future__ import annotations

import posixpath
import re
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from intermem.core.check.blocks import citation_findings, units_of
from intermem.core.check.findings import Finding, Suggestion
from intermem.core.check.fixes import apart, proposed, rewritten, spliced
from intermem.core.citations.extract import citations_of, spans_of
from intermem.core.markdown.blocks import BOM
from intermem.entities import Judged, Verdict, VerdictStatus
from intermem.errors import UnreadableFile
from tests.core.check.test_blocks import citing
from tests.fuzz.strategies import documents
from tests.reporters.made import cited

NEW = "lib/new.py"


def moved(text: str, target: str = NEW, file: str = "AGENTS.md", below: str = "", reason: str = "") -> list[Finding]:
    """Every citation of a document, as if it had moved to ``target`` from its place seen from the folder ``below``."""
    found: list[Finding] = []
    for unit in units_of(text, file):
        judged = [
            Judged(
                citation=one,
                verdict=Verdict(
                    status=VerdictStatus.MOVED,
                    target=target,
                    reason=reason,
                    origin=posixpath.normpath(posixpath.join(below, one.name.lstrip("/"))),
                ),
            )
            for one in citations_of(unit.text)
        ]
        found += citation_findings(unit, judged, spans_of)
    return found


def suggesting(findings: list[Finding], text: str = NEW) -> list[Finding]:
    return [replace(one, suggestion=Suggestion(text=text, safe=True)) for one in findings]


def proposal(
    text: str, target: str = NEW, file: str = "AGENTS.md", below: str = "", reason: str = ""
) -> tuple[str, bool] | None:
    """What is proposed for the first citation of ``text``."""
    suggestion = proposed(moved(text, target, file, below, reason)[0])
    return (suggestion.text, suggestion.safe) if suggestion is not None else None


@settings(deadline=None)
@given(text=st.one_of(documents(), citing()))
def test_a_fix_changes_the_places_alone(text: str) -> None:
    try:
        findings = apart(suggesting(moved(text)))
    except UnreadableFile:
        return
    after = rewritten(text, findings)
    at = done = 0
    whole = re.split(r"(\r\n|\r|\n)", text)  # lines and their ends, in turn
    for number, part in enumerate(whole):
        mine = [one for one in findings if (one.place.first_line - 1) * 2 <= number <= (one.place.last_line - 1) * 2]
        if not mine:
            assert after[at : at + len(part)] == part
            at += len(part)
        else:
            begun = [one for one in mine if (one.place.first_line - 1) * 2 == number]
            done += len(begun)
            at = _after_line(after, at, part, mine, number, first=number == 0 and text.startswith(BOM))
    assert at == len(after)
    assert done == len(findings)


def _after_line(after: str, at: int, part: str, mine: list[Finding], number: int, *, first: bool) -> int:
    """Where the line ``part`` ends in the new text: what is no place is compared, what is one is skipped."""
    column = 0
    for one in mine:
        begins = (one.place.first_line - 1) * 2 == number
        ends = (one.place.last_line - 1) * 2 == number
        start = one.place.first_column - 1 + first if begins else 0
        assert after[at : at + max(0, start - column)] == part[column:start]
        at += max(0, start - column)
        if begins:
            assert after[at : at + len(NEW)] == NEW
            at += len(NEW)
        column = one.place.last_column - 1 + first if ends else len(part)
    assert after[at : at + len(part) - column] == part[column:]
    return at + len(part) - column


@settings(deadline=None)
@given(text=citing())
def test_what_was_fixed_is_not_found_again(text: str) -> None:
    findings = [one for one in moved(text) if proposed(one) is not None]
    after = rewritten(text, apart(suggesting(findings)))
    old = {cited(one) for one in findings}
    left = {cited(one) for one in moved(after) if one.judged is not None and one.judged.citation.kind == "path"}
    assert not {one for one in old & left if one in {cited(two) for two in apart(findings)}} - {NEW}
    assert rewritten(after, []) == after


@settings(deadline=None)
@given(
    text=st.text(max_size=40),
    cuts=st.lists(st.integers(0, 40), max_size=8),
    new=st.text(max_size=3),
)
def test_parts_of_a_text_are_replaced_whatever_their_order(text: str, cuts: list[int], new: str) -> None:
    bounds = [min(cut, len(text)) for cut in sorted(cuts)]
    spans = list(pairwise(bounds))[::2]
    after = spliced(text, [(start, stop, new) for start, stop in reversed(spans)])
    back = 0
    for start, stop in spans:
        assert after[back + start : back + start + len(new)] == new
        back += len(new) - (stop - start)
    assert len(after) == len(text) + back


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("`a/b.py` and `a/b.py`, a/b.py.", f"`{NEW}` and `{NEW}`, {NEW}."),
        (f"{BOM}`a/b.py`\r\nx `a/b.py`\r`a/b.py`", f"{BOM}`{NEW}`\r\nx `{NEW}`\r`{NEW}`"),
        ("| `a/b.py` | x |\n|--|--|\n| 先`a/b.py` | `a/b.py` |", f"| `{NEW}` | x |\n|--|--|\n| 先`{NEW}` | `{NEW}` |"),
        ("```sh\n\tcat a/b.py\n```", f"```sh\n\tcat {NEW}\n```"),
        ("[`a/b.py`](a/b.py 'a/b')", f"[`{NEW}`]({NEW} 'a/b')"),
        ("[x](<a/b.py>)", f"[x](<{NEW}>)"),
        ("[x](a%2Fb.py)", f"[x]({NEW})"),
        ("- a\n  - `a/b.py`\t\n\n", f"- a\n  - `{NEW}`\t\n\n"),
        ("[g]: a/b.py\n", f"[g]: {NEW}\n"),
    ],
)
def test_every_place_is_written_and_nothing_beside_it(text: str, after: str) -> None:
    findings = [replace(one, suggestion=proposed(one)) for one in moved(text)]
    assert rewritten(text, apart(findings)) == after


@pytest.mark.parametrize(
    ("text", "target", "file", "said"),
    [
        ("`src/a.py`", "lib/a.py", "AGENTS.md", ("lib/a.py", True)),
        ("`src/`", "lib", "AGENTS.md", ("lib/", False)),
        ("`src/web/`", "lib/web", "AGENTS.md", ("lib/web/", True)),
        ("`a.py`", "lib/a.py", "AGENTS.md", ("lib/a.py", False)),
        ("`src/a.py:3`", "lib/a.py:3", "AGENTS.md", None),
        ("`src/a.py#L3`", "lib/a.py", "AGENTS.md", None),
        ("`src/*.py`", "lib", "AGENTS.md", None),
        ("`@/src/a`", "lib/a.ts", "AGENTS.md", None),
        ("[x](b.md)", "docs/c.md", "docs/AGENTS.md", ("c.md", True)),
        ("[x](b.md#the-end)", "docs/c.md", "docs/AGENTS.md", ("c.md#the-end", True)),
        ("[x](b.md?raw=1)", "c.md", "docs/AGENTS.md", ("../c.md?raw=1", True)),
        ("[x](./b.md)", "docs/c.md", "docs/AGENTS.md", ("./c.md", True)),
        ("[x](my%20b.md#a)", "docs/my c (1).md", "docs/AGENTS.md", ("my%20c%20%281%29.md#a", True)),
        ("[x](b.md)", "docs/日本.md", "docs/AGENTS.md", ("日本.md", True)),
        ("[x](b.md)", "docs/100%.md", "docs/AGENTS.md", ("100%25.md", True)),
        ("[x](../b/)", "lib", "docs/AGENTS.md", ("../lib/", True)),
        ("`lib/a.py`", "lib/b.py", "pkg/AGENTS.md", ("lib/b.py", True)),
        ("`lib/a.py`", "src/b.py", "pkg/AGENTS.md", ("src/b.py", True)),
        ("`pkg/src/a.py`", "site/src/a.py", "site/AGENTS.md", ("site/src/a.py", True)),
        ("`pkg/src/`", "site/src", "site/AGENTS.md", ("site/src/", True)),
        ("`./bin/a.sh`", "tools/a.sh", "pkg/AGENTS.md", ("./tools/a.sh", True)),
        ('<a href="b.md#x">b</a>', "lib/b.md", "docs/AGENTS.md", ("../lib/b.md#x", True)),
        ("<img src='b.png'>", "docs/img/b.png", "docs/AGENTS.md", ("img/b.png", True)),
        ("[b]: b.md#x", "lib/b.md", "docs/AGENTS.md", ("../lib/b.md#x", True)),
        ("> [b]: <b.md> 'title'", "lib/b.md", "docs/AGENTS.md", ("../lib/b.md", True)),
        ("`pkg/a.py`", "pkg/b.py", "pkg/AGENTS.md", ("pkg/b.py", True)),
        ("`/pkg/a.py`", "pkg/b.py", "pkg/AGENTS.md", ("/pkg/b.py", False)),
        ("@style/a.md", "docs/rules/b.md", "docs/CLAUDE.md", ("rules/b.md", True)),
    ],
)
def test_what_is_proposed(text: str, target: str, file: str, said: tuple[str, bool] | None) -> None:
    assert proposal(text, target, file) == said


@pytest.mark.parametrize(
    ("text", "target", "file", "below", "said"),
    [
        ("`lib/a.py`", "pkg/lib/b.py", "pkg/AGENTS.md", "pkg", ("lib/b.py", True)),
        ("`lib/a.py`", "src/b.py", "pkg/AGENTS.md", "pkg", ("src/b.py", False)),
        ("`./bin/a.sh`", "pkg/tools/a.sh", "pkg/AGENTS.md", "pkg", ("./tools/a.sh", True)),
        ("`../bin/a.sh`", "tools/a.sh", "pkg/AGENTS.md", "pkg", ("../tools/a.sh", True)),
        ("pytest tests/a.py", "back/tests/api/a.py", "AGENTS.md", "back", ("tests/api/a.py", True)),
        ("pytest tests/a.py", "front/tests/a.py", "AGENTS.md", "back", ("front/tests/a.py", False)),
    ],
)
def test_it_is_named_from_the_folder_it_was_named_from(
    text: str, target: str, file: str, below: str, said: tuple[str, bool]
) -> None:
    assert proposal(text, target, file, below) == said


def test_what_only_most_of_a_folder_did_is_not_safe() -> None:
    assert proposal("`src/web/`", "lib/web", reason="most of its files; others went to 1 more folder") == (
        "lib/web/",
        False,
    )


def test_a_link_and_its_words_are_each_written_as_they_are_read() -> None:
    text = "[`sub/a.md`](sub/a.md)"
    findings = [replace(one, suggestion=proposed(one)) for one in moved(text, "web/other/a.md", "web/AGENTS.md", "web")]
    assert rewritten(text, findings) == "[`other/a.md`](other/a.md)"


def test_of_places_that_overlap_the_first_is_taken() -> None:
    one, *_ = suggesting(moved("`src/a.py`"))
    inside = replace(one, place=replace(one.place, first_column=one.place.first_column + 2))
    elsewhere = replace(one, place=replace(one.place, file="CLAUDE.md"))
    behind = replace(one, place=replace(one.place, first_column=10, last_column=11))
    assert apart([behind, elsewhere, inside, one]) == [one, behind, elsewhere]


@pytest.mark.parametrize(
    ("text", "target", "safe"),
    [
        ("`lib/old/x.py`", "lib/new/x.py", True),
        ("`lib/x.py`", "archive/lib/x.py", False),
        ("`docs/x.md`", "docs/_archived/x.md", False),
        ("[x](docs/x.md)", "legacy-2026/docs/x.md", False),
        ("`archive/x.py`", "archive/2026/x.py", True),
        ("`lib/x.py`", "lib/older/x.py", True),
        ("`lib/x.py`", "lib/folder/x.py", True),
    ],
)
def test_what_was_put_into_an_archive_is_not_simply_the_new_place(text: str, target: str, safe: bool) -> None:
    found = proposal(text, target)
    assert found is not None
    assert found[1] is safe


@pytest.mark.parametrize("target", ["lib/n\u200bew.py", "lib/\u202enew.py", "lib/new\U000e0061.py"])
def test_a_name_that_nobody_sees_is_not_proposed(target: str) -> None:
    assert proposal("See `src/old.py`.", "lib/new.py", below="") is not None
    assert proposal("See `src/old.py`.", target, below="") is None
