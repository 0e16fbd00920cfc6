"""Names listed behind a folder, in text alone: which are in it."""

from __future__ import annotations

import pytest

from intermem.core.citations.extract import citations_of, spans_of
from intermem.core.citations.listed import listed_paths
from tests.core.citations.test_judge import tree_of

TREE = tree_of("src/app.py", "src/io/pipe.py", "web/src/page.ts")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("`src/` (`app.py`, `trays/`)", {"app.py": "src/app.py", "trays/": "src/trays"}),
        ("src/: app.py, trays/ and io/", {"app.py": "src/app.py", "trays/": "src/trays", "io/": "src/io"}),
        ("`src/` - `app.py`; then `web/src/` (`page.ts`)", {"app.py": "src/app.py", "page.ts": "web/src/page.ts"}),
        ("`src/` (`app.py` reads `trays/`)", {"app.py": "src/app.py"}),
        ("`src/` has `app.py`", {}),
        ("`lib/` (`app.py`)", {}),
        ("`src/` (`io/pipe.py`)", {}),
        ("`src/` (`app.py`), `app.py`", {}),
    ],
)
def test_what_is_listed_behind_a_folder(text: str, found: dict[str, str]) -> None:
    assert listed_paths(text, citations_of(text), spans_of(text), TREE) == found
