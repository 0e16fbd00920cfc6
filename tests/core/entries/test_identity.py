from __future__ import annotations

import pytest

from intermem.core.entries.identity import identity, normalised, phase_one_identity

SAME = [
    ("Use `uv run`.", "Use `uv run`"),
    ("a  b\n   c", "a b c"),
    ("*a* and __b__", "_a_ and **b**"),
    (r"a \* b \_ c", "a * b _ c"),
    ("text:\n- one\n- two", "text:\n\n* one\n* two"),
    ("text\n1. one\n2. two", "text\n1) one\n1) two"),
    ("| a | b |\n|---|:-:|\n| 1 | 2 |", "|a|b|\n| :-- | --- |\n|  1  |2|"),
    ("a | b\n--|--\n1 | 2", "| a | b |\n| --- | --- |\n| 1 | 2 |"),
    ("e\u0301", "\u00e9"),
    ("done … ", "done"),
    ("line\\\nbreak", "line  \nbreak"),
    ("終わり。", "終わり"),
    ("a\r\nb\rc", "a\nb\nc"),
]
SAME += [
    ("a\n\n---\n\nb", "a\n\n***\n\nb"),
    ("a\n\n---\n\nb", "a\n\n" + "_" * 70 + "\n\nb"),
    ("memory\n>80000 K", "memory\n> 80000 K"),
    ("``a`` and `b`", "`a` and ``b``"),
    ("` a `", "`a`"),
    ("_`a`_ and _see `b`_", "*`a`* and *see `b`*"),
    ("~~~py\nx\n~~~", "```py\nx\n```"),
    ("````\nx\n````", "```\nx\n```"),
    ("``` py\nx\n```", "```py\nx\n```"),
    ("```\nopen", "```\nopen\n```"),
    ("````\n```\n````", "`````\n```\n`````"),
    ("|h|\n|-|\n|`a` b `c`|", "| h |\n| --- |\n| `a` b `c` |"),
    ("|a|b|\n|-|-|\n|1|", "| a | b |\n| --- | --- |\n| 1 |  |"),
    ("a | b\n--|--\n1 | 2\n\nor `c | d`\n| e", "|a|b|\n|-|-|\n|1|2|\n\nor `c | d` | e"),
    ("run `a` | `b`", "run `a`\n| `b`"),
    ("> a b\n> c", "> a\n> b c"),
    ("> a\nb", "> a\n> b"),
    ("> # a\n> b", "> # a\n>\n> b"),
    ("> > a\n> b", "> > a\n> > b"),
    ("> * a", "> - a"),
    ("x\n- > a\n  > b", "x\n\n- > a b"),
    ("a `` b", "a \\`\\` b"),
    ("`a` and ` b", "`a` and \\` b"),
    ("a &amp; b &lt;c&gt; &#35;", "a & b \\<c> #"),
    ("a\u00a0b", "a&nbsp;b"),
]
DIFFERENT = [
    ("C#", "C"),
    ("a-b", "a b"),
    ("snake_case", "snake*case"),
    ("`a.`", "`a`"),
    ("`a_b_`", "`a*b*`"),
    (r"`a\_b`", "`a_b`"),
    ("what?", "what"),
    ("Use it", "use it"),
    ("```\n- a\n```", "```\na\n```"),
    ("```\na.\n```", "```\na\n```"),
    ("|`x | y`|", "|`x|y`|"),
    ("port 80", "port 8080"),
    ("The year was\n2024. Then x", "The year was\n2025. Then x"),
    ("a | b", "a b"),
    ("|a|b|", "|a b|"),
    ("|a|b|\n|-|-|\n|1||2|", "|a|b|\n|-|-|\n|1|2|"),
    ("|a|\n|-|\n|b\\||", "|a|\n|-|\n|b|"),
    ("|a|b|\n|-|-|\n|-|-|", "|a|b|\n|-|-|"),
    ("a || b", "a | b"),
    ("> a", "a"),
    ("> a\n\nb", "> a\n\n> b"),
    ("> a\n> > b", "> a\n> b"),
    ("`&amp;`", "`&`"),
    ("a&ampb", "a&b"),
    (r"\&amp;", "&"),
    (r"`a\` b `c`", "`a` b `c`"),
]


@pytest.mark.parametrize(("one", "two"), SAME)
def test_what_formatters_change_keeps_an_identity(one: str, two: str) -> None:
    assert normalised(one) == normalised(two)
    assert identity(one) == identity(two)


@pytest.mark.parametrize(("one", "two"), DIFFERENT)
def test_what_carries_meaning_tells_apart(one: str, two: str) -> None:
    assert identity(one) != identity(two)


def test_an_identity_is_16_hex_digits_of_the_hash_of_the_normal_form() -> None:
    assert identity(" Use  uv. ") == identity("Use uv")
    assert len(identity("x")) == 16
    assert int(identity("x"), 16) >= 0


def test_phase_one_hashed_the_stripped_text() -> None:
    assert phase_one_identity(" a. ") == phase_one_identity("a.") != phase_one_identity("a")


@pytest.mark.parametrize(
    "text",
    ["```\n" + "\n" * 200_000 + "x", "a" + "." * 500_000 + "x", "|-" + " " * 500_000 + "x", ". " * 250_000 + "x"],
    ids=["line ends", "dots", "blanks", "dots and blanks"],
)
def test_no_run_takes_forever(text: str) -> None:
    assert "x" in normalised(text)


@pytest.mark.large
@pytest.mark.parametrize("pattern", ["`", "_", "\\", "|", "- ", "](", "|-", "*", "``` \n", ". ", "_ a_", "a`b``"])
def test_a_megabyte_of_one_pattern_is_normalised(pattern: str) -> None:
    assert isinstance(normalised(pattern * (1_000_000 // len(pattern))), str)
