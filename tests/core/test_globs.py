"""Globs: what they match, and that no pattern can make matching run away."""

from __future__ import annotations

import pytest

from intermem.core.globs import MAX_LENGTH, InvalidGlob, compiled_glob, expression_of

MATCHES = [
    ("*.py", "a.py", True),
    ("*.py", "a/b.py", False),
    ("**/*.py", "a.py", True),
    ("**/*.py", "a/b/c.py", True),
    ("a/**/b", "a/b", True),
    ("a/**/b", "a/x/y/b", True),
    ("a/**/b", "a/x/b/c", False),
    ("a/**", "a/b/c", True),
    ("a/**", "a", False),
    ("a**b", "axb", True),
    ("a**b", "a/b", False),
    ("a?c", "abc", True),
    ("a?c", "a/c", False),
    ("a*b*c", "axbxc", True),
    ("a*b*c", "abcbc", True),
    ("a*bc*c", "abcc", True),
    ("*", "", False),
    ("[ab]c", "bc", True),
    ("[!ab]c", "cc", True),
    ("[^ab]c", "ac", False),
    ("[!a]", "/", False),
    ("a[!x]b", "a/b", False),
    ("[]a]", "]", True),
    ("[a-c]", "b", True),
    ("[c-a]", "b", False),
    ("[[:digit:]x]", "7", True),
    ("[a/b]", "a", True),
    ("\\*", "*", True),
    ("\\*", "a", False),
    ("{a,b/c}.md", "b/c.md", True),
    ("{1..3}", "2", True),
    ("a\n*", "a\nb", True),
]


@pytest.mark.parametrize(("glob", "path", "fits"), MATCHES)
def test_a_glob_matches_whole_paths(glob: str, path: str, fits: bool) -> None:
    assert bool(compiled_glob(glob).fullmatch(path)) is fits


@pytest.mark.parametrize(
    "glob", ["[ab", "a\\", "[[:colour:]]", "a" * (MAX_LENGTH + 1), "{a,b}" * 30, "{1..1000000000}", "{" * 900]
)
def test_a_glob_that_cannot_be_used_is_refused(glob: str) -> None:
    with pytest.raises(InvalidGlob):
        compiled_glob(glob)


@pytest.mark.parametrize("glob", ["*a*a*a*ab", "**/a*b/**/*c*d/**/e", "x*[ab]*?*[!c]*y"])
def test_every_star_but_the_last_is_final_where_it_first_fits(glob: str) -> None:
    """A quantifier that is the first thing in an atomic group of its own is never tried again."""
    expression = expression_of(glob)
    final = expression.count("(?>[^/]*?") + expression.count("(?>(?:[^/]+/)*?")
    assert expression.count("*?") - final <= 1, expression
    assert outside_of_groups(expression).count("*") <= 2, expression


def outside_of_groups(expression: str) -> str:
    """The expression without what its outermost atomic groups hold."""
    kept: list[str] = []
    depth: list[bool] = []
    at = 0
    while at < len(expression):
        if expression[at] == "(":
            depth.append(expression.startswith("(?>", at))
        if not any(depth):
            kept.append(expression[at])
        if expression[at] == ")":
            depth.pop()
        at += 1
    return "".join(kept)
