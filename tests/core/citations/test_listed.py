"""Names listed behind a folder, in text alone: which are in it."""

from __future__ import annotations

import pytest

from intermem.core.citations.extract import citations_of, spans_of
from intermem.core.citations.listed import begins_with, listed_paths
from tests.core.citations.test_judge import tree_of

TREE = tree_of("src/app.py", "src/io/pipe.py", "web/src/page.ts")
PIPES = {"io/": "src/io", "pipe.py": "src/io/pipe.py", "tap.py": "src/io/tap.py"}


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
        ("src/: app.py (the first) | trays/ | io/", {"app.py": "src/app.py", "trays/": "src/trays", "io/": "src/io"}),
        ("src/: app.py (see `io/`) | trays/", {"app.py": "src/app.py"}),
        ("- `src/`: all\n  - `io/`: what flows\n    - `pipe.py`, `tap.py`: both", PIPES),
        ("* **`src/`**\n    * `io/`\n        1. `pipe.py` / `tap.py`", PIPES),
        ("- `web/`: all\n  - `src/page`: the shop (port 4000)", {"src/page": "web/src/page"}),
        ("- `src/` needs\n  - `web/`\n  - `src/app.py`\n  - `lib/`", {"lib/": "src/lib"}),
        ("- `src/`: all\n- `trays/`: none", {}),
        ("- `src/`: all\n  - what flows: `io/`\n    - `pipe.py`", {}),
        ("- `lib/`: all\n  - `io/`: what flows", {}),
        ("- `src/`: all\n  - the rest\n    - `web/src`\n  - `web/old`", {"web/old": "src/web/old"}),
    ],
)
def test_what_is_listed_behind_a_folder(text: str, found: dict[str, str]) -> None:
    assert listed_paths(text, citations_of(text), spans_of(text), TREE) == found


def test_a_folder_is_from_the_top_or_from_that_of_the_text() -> None:
    text = "`src/` (`page.ts`, `old/`)"
    cited, spans = citations_of(text), spans_of(text)
    assert listed_paths(text, cited, spans, tree_of("web/src/page.ts"), "web") == {
        "page.ts": "web/src/page.ts",
        "old/": "web/src/old",
    }
    assert listed_paths(text, cited, spans, TREE, "web")["old/"] == "src/old"


@pytest.mark.parametrize(
    ("text", "is_listed"),
    [
        ("### oven.py", True),
        ("- **`oven.py`** heats", True),
        ("| `oven.py` | heats |", True),
        ("- It is `oven.py` that heats", False),
        ("oven.py heats", False),
        ("- oven.pyc heats", False),
    ],
)
def test_what_a_heading_an_item_or_a_row_begins_with_is_listed(text: str, is_listed: bool) -> None:
    assert begins_with(f"# Kiln\n\n{text}\n", "oven.py") is is_listed
