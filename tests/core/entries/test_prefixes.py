"""Abbreviated ids: any unique prefix of four digits or more."""

from __future__ import annotations

import pytest

from intermem.core.entries.prefixes import checked_prefix, only_one
from intermem.errors import NoSuchEntry


def test_a_prefix_is_hexadecimal_and_long_enough() -> None:
    assert checked_prefix(" 1A2b ") == "1a2b"
    for wrong in ("1a2", "1a2g", ""):
        with pytest.raises(NoSuchEntry, match="is not an id"):
            checked_prefix(wrong)


def test_a_prefix_has_to_name_one_entry() -> None:
    assert only_one("1a2b", {"1a2b3c4d5e6f7a8b"}) == "1a2b3c4d5e6f7a8b"
    with pytest.raises(NoSuchEntry, match=r"2 entries start with 1a2b \(1a2b3333, 1a2b4444\)"):
        only_one("1a2b", ["1a2b4444aa", "1a2b3333aa"])
    with pytest.raises(NoSuchEntry, match="no entry starts with 1a2b"):
        only_one("1a2b", ())
