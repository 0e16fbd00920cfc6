"""List items and the text of an entry."""

from __future__ import annotations

import pytest

from intermem.core.entries.identity import identity
from intermem.core.markdown.items import rendered_item, without_marker


@pytest.mark.parametrize(
    ("text", "item"),
    [
        ("- One.\n- Two.", "- One.\n  - Two.\n"),
        ("- One.\n\n- Two.", "- One.\n\n  - Two.\n"),
        ("*   One,\n    goes on.\n\n    More.\n*   Two.", "- One,\n  goes on.\n\n  More.\n  *   Two.\n"),
        ("- One.\n  - Below.", "- One.\n  - Below.\n"),
        ("- One.", "- One.\n"),
        ("- One.\n\nA paragraph.", "- One.\n\n  A paragraph.\n"),
        ("1. One.\n2. Two.\n3. Three.", "- One.\n\n  2. Two.\n  3. Three.\n"),
        ("1) One,\n   goes on.\n\n2) Two.", "- One,\n  goes on.\n\n  2) Two.\n"),
        ("1. One.\n   - Below.\n2. Two.", "- One.\n  - Below.\n\n  2. Two.\n"),
        ("1. One.", "- One.\n"),
    ],
)
def test_a_list_as_an_item_has_no_empty_item_around_it(text: str, item: str) -> None:
    assert rendered_item(text) == item
    assert identity(without_marker(text)) == identity(text)


@pytest.mark.parametrize(
    "text", ["2024. Then it moved.", "1.5 seconds", "-5 degrees", "**Bold** words", "-", "", "Words.\n- One."]
)
def test_a_text_that_begins_no_list_stays_as_it_is(text: str) -> None:
    assert without_marker(text) == text
