"""A search that was made is not made again, and one that differs in anything is."""

from __future__ import annotations

import json

import pytest

from intermem.core.code.known_searches import KnownSearches, key_of
from intermem.facts import Occurrence, Shape

FILES = [("a.py", "11", 5), ("b.py", "22", None)]
FOUND = {
    "light": (
        Occurrence(path="a.py", line=3, shape=Shape.DEFINITION),
        Occurrence(path="b.py", line=1, shape=Shape.USE, mention=True),
    )
}


def test_what_a_search_found_is_found_again() -> None:
    known = KnownSearches()
    known.put(key_of(["light()", "dark"], FILES), FOUND)
    again = KnownSearches.from_json(json.loads(json.dumps(known.to_json())))
    assert again.get(key_of(["dark", "light()"], FILES), ["light()", "dark"]) == FOUND
    assert "light" not in json.dumps(known.to_json())


@pytest.mark.parametrize(
    ("names", "files"),
    [
        (["light()"], FILES),
        (["light", "dark"], FILES),
        (["light()", "dark"], FILES[:1]),
        (["light()", "dark"], [("a.py", "11", 6), FILES[1]]),
        (["light()", "dark"], [("a.py", "12", 5), FILES[1]]),
        (["light()", "dark"], [("c.py", "11", 5), FILES[1]]),
    ],
)
def test_another_search_is_not_known(names: list[str], files: list[tuple[str, str, int | None]]) -> None:
    known = KnownSearches()
    known.put(key_of(["light()", "dark"], FILES), FOUND)
    assert known.get(key_of(names, files), names) is None


def test_the_last_ones_are_kept() -> None:
    known = KnownSearches()
    for number in range(9):
        known.put(str(number), FOUND)
    assert [known.get(str(number), ["light"]) is not None for number in range(9)] == [False] * 3 + [True] * 6


def test_a_search_has_another_name_as_well() -> None:
    known = KnownSearches()
    known.put("long", FOUND)
    known.name("long", "short")
    known.name("gone", "other")
    again = KnownSearches.from_json(json.loads(json.dumps(known.to_json())))
    assert again.get("short", ["light"]) == again.get("long", ["light"]) == FOUND
    assert again.get("other", ["light"]) is None
    for number in range(6):
        again.name("long", str(number))
    assert again.get("short", ["light"]) is None and again.get("5", ["light"]) == FOUND
