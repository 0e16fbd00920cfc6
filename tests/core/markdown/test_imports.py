"""What a document imports."""

from __future__ import annotations

import pytest

from intermem.core.markdown.imports import imports_of


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("@docs/one.md and @two.txt, @three.mdc.", ["docs/one.md", "two.txt", "three.mdc"]),
        ("- @docs/one.md\n  - @../two.md", ["docs/one.md", "../two.md"]),
        ("`@one.md` ``@two.md``", []),
        ("```\n@one.md\n```\n@two.md", ["two.md"]),
        ("<!-- @one.md\n@two.md --> @three.md", ["three.md"]),
        ("me@one.md @org/team @one.mdash", []),
        ("no import", []),
    ],
)
def test_imports_stand_outside_code_and_comments(text: str, found: list[str]) -> None:
    assert imports_of(text) == found
