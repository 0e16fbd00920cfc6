from __future__ import annotations

import pytest

from intermem.core.region.budget import Budget, estimated_tokens
from intermem.core.region.parse import find_region

DOCUMENT = "# P\n\n<!-- intermem:begin -->\n- Alpha.\n- Bravo.\n<!-- intermem:end -->\n"


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("ü" * 8, 4), ("字" * 4, 3)]
)
def test_a_token_is_about_four_bytes(text: str, tokens: int) -> None:
    assert estimated_tokens(text) == tokens


@pytest.mark.parametrize(
    ("budget", "said"),
    [
        (Budget(entries=2, tokens=5), ""),
        (Budget(entries=1, tokens=5), "2 entries, more than 1 (promote.budget_entries)"),
        (Budget(entries=2, tokens=4), "5 tokens, more than 4 (promote.budget_tokens)"),
        (Budget(entries=0, tokens=0), ""),
    ],
)
def test_what_exceeds_a_budget_is_said_in_figures(budget: Budget, said: str) -> None:
    region = find_region(DOCUMENT, "A.md")
    assert region is not None
    assert budget.excess(region, DOCUMENT) == said
