"""Names whose letters are alike by chance are no rename; those that share their words are."""

from __future__ import annotations

import pytest

from intermem.core.code.rename_detection import renamed


@pytest.mark.parametrize(
    ("old", "new", "is_renamed"),
    [
        ("OvenRetrieval", "OverRetired", False),
        ("FiringOperations", "GlazingOperationsPort", False),
        ("OvenShell", "KilnShell", True),
        ("readStashedFiring", "readFiring", True),
        ("glaze_color", "glaze_colour", True),
    ],
)
def test_a_name_in_the_same_line_is_the_new_one_if_it_shares_the_words(old: str, new: str, is_renamed: bool) -> None:
    before = ("import { a } from './a'", f"export class {old} {{", "  run() {}", "}")
    after = ("import { b } from './b'", "const x = 1", f"export class {new} {{", "  walk() {}", "}")
    assert (renamed(old, before, after) == new) is is_renamed
