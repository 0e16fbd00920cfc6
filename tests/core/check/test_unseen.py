"""Characters that nobody sees, beside those that they are for, and elsewhere."""

from __future__ import annotations

import pytest

from intermem.core.check.hazards import unseen_findings


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("A \u2600\ufe0f day", []),
        ("A \u2600\ufe0e day", []),
        ("Press 1\ufe0f\u20e3", []),
        ("\u845b\U000e0100", []),
        ("A\U000e0100", ["IM070"]),
        ("\u1100\u115f\u1161", []),
        ("e\u0301\u034f\u0302", []),
        ("[\u26a0\ufe0f Rules](#\ufe0f-rules)", []),
    ],
)
def test_what_takes_a_character_that_nobody_sees(text: str, codes: list[str]) -> None:
    assert [one.rule.code for one in unseen_findings(text + "\n", "AGENTS.md")] == codes
