"""What is told as gone in a story of the past, and what is not."""

from __future__ import annotations

import pytest

from intermem.core.citations.extract import citations_of
from intermem.core.citations.past import told_past
from intermem.entities import Stance

OLD, NEW = "src/old.py", "src/new.py"
# O is gone; N took its place, and may be there.
STORIES = """
We moved `O` to `N` because tests were slow.
we moved the parser from `O` to `N`
`N` replaced `O` in March.
`N` was split out of `O`
`N` grew out of `O`.
`N` (formerly `O`)
We **renamed** `O` to `N` for clarity.
`O` got renamed to `N`
`O` was folded into the new `N`
`N` took over from `O`
We deleted `O` in favour of `N`.
We switched from `O` to `N`
once `O`, now `N`
the logic of `O` went into `N`
split `O` into `N`
`O` was refactored into `N`
`O` has been reworked into `N`
we replaced `O` with `N`
`N` was originally `O`
Wir haben `O` nach `N` verschoben.
`N` hat `O` ersetzt
`O` wurde durch `N` ersetzt
`N` wurde aus `O` ausgelagert
`N`, ehemals `O`
On a déplacé `O` vers `N`
`N` remplace `O`
`N` est issu de `O`
`O` a été renommé en `N`
Movimos `O` a `N` porque
`N` reemplazó a `O`
`N` (antes `O`)
`O` pasó a ser `N`
Movemos `O` para `N`
`O` foi substituído por `N`
`N` ha sostituito `O`
`O` è stato spostato in `N`
Перенесли `O` в `N`
`O` заменён на `N`
`N` вынесен из `O`
`N` zastąpił `O`
`N`, dawniej `O`
`N`（原 `O`）
由 `O` 改名为 `N`
`N` 取代了 `O`
`O` 被 `N` 取代
将 `O` 移至 `N`
`N`（旧 `O`）
`O` を `N` に移動した
`N` が `O` を置き換えた
`O` は `N` に統合された
`O` 를 `N` 로 옮겼다
`N` 이 `O` 를 대체했다
đã chuyển `O` sang `N`
`N` thay thế `O`
"""
# The verb has another object.
OTHERS = """
`O` replaced the string in the template.
We moved the constants into `O` because of the tests.
We removed the cache from `O`.
The hook was removed from `O`.
`O` dropped support for v1.
`O` was renamed from `src/older.py`.
The parser was extracted into `O`.
We deleted dead code in `O`.
We replaced regexes in `O` with a parser.
We renamed variables in `O`.
`O` became faster.
`O` used to be slow.
once `O` is built, run the tests
In `O` haben wir die Schleife ersetzt
Führe zuvor `O` aus
Ejecuta antes `O`
On a déplacé la logique dans `O`
将逻辑移至 `O`
还原 `O`
可替换 `O`
仍旧 `O`
ロジックを `O` に移動した
로직을 `O` 로 옮겼다
도구 `O`
логику перенесли в `O`
chuyển logic sang `O`
"""


def stances(text: str) -> dict[str, Stance]:
    written = text.replace("`O`", f"`{OLD}`").replace("`N`", f"`{NEW}`")
    return {one.name: one.stance for one in citations_of(written)}


@pytest.mark.parametrize("text", STORIES.strip().split("\n"))
def test_what_was_moved_or_replaced_is_gone_and_what_took_its_place_is_not(text: str) -> None:
    found = stances(text)
    assert found[OLD] is Stance.GONE
    assert found[NEW] is not Stance.GONE


@pytest.mark.parametrize("text", OTHERS.strip().split("\n"))
def test_what_a_verb_changed_and_did_not_take_away_is_not_gone(text: str) -> None:
    assert stances(text)[OLD] is not Stance.GONE


def test_things_in_a_row_are_told_of_together() -> None:
    found = stances("We moved `O`, `src/b.py` and `src/c.py` to `N`.")
    assert [found[name] for name in (OLD, "src/b.py", "src/c.py")] == [Stance.GONE] * 3
    assert found[NEW] is Stance.PLAIN, "it is said to be there"


def test_no_story_hides_a_link() -> None:
    found = stances("This replaced [the old one](src/old.py); we moved [x](<src/b.py>) to `N`.")
    assert Stance.GONE not in found.values()


@pytest.mark.large
@pytest.mark.parametrize("piece", ["\0", "\0 ", "moved \0 to ", "removed a \0 in ", "moved "])
def test_a_story_of_a_megabyte_is_read(piece: str) -> None:
    text = piece * (1_000_000 // len(piece)) + "\nonce \0, now \0"
    assert "\0" in text[told_past(text)[-1][0] :]
