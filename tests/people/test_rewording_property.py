"""Two people whose notes say now this and now that, in any order: no run is refused for what another wrote.

INTERMEM_SOAK=N tries N games (``make soak``); without it a handful.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from intermem.core.entries.identity import identity
from tests.people.conftest import FACTS
from tests.people.test_feedback_property import KEYS, Game
from tests.people.test_property import Clone

GAMES = int(os.environ.get("INTERMEM_SOAK", "2"))
STEPS = 30
OTHERWISE = {
    name: FACTS[name].replace(old, new)
    for name, old, new in (
        ("cache", "every change", "2 changes"),
        ("dates", "never UTC", "not `UTC`"),
        ("locks", "the migration lock", "the migration lock 3 times"),
    )
}


class Rewordings(Game):
    """A game in which notes are reworded to say something else, and back, and in which both words may stand."""

    def _made(self, root: Path) -> Clone:
        return Sound(super()._made(root))

    def moves(self) -> None:
        if self.chance.random() < 0.6:
            return super().moves()
        clone, name = self.clones[self.chance.choice(["ann", "ben"])], self.chance.choice(list(KEYS))
        both = {name, f"{name}, otherwise"}
        clone.notes = (clone.notes - both) | set(self.chance.choice([[name], [f"{name}, otherwise"], sorted(both)]))
        clone.remember()
        if self.chance.random() < 0.5:
            for _ in range(3):
                self.day += 1
                clone.run(self.day, "curate", "--yes")
        if self.chance.random() < 0.5:
            clone.run(self.day, "feedback", identity(FACTS[self.chance.choice(sorted(both))]), "incorrect")
        return None


class Sound(Clone):
    """A clone in which nothing is ever called damaged."""

    def __init__(self, known: Clone) -> None:
        self.__dict__.update(known.__dict__)

    def run(self, day: int, *arguments: str) -> tuple[int, str, str]:
        code, out, err = super().run(day, *arguments)
        assert "damaged" not in err and "constraint" not in err, (self.root.name, arguments, err)
        return code, out, err


@pytest.mark.parametrize("game", range(GAMES))
def test_what_others_reworded_and_fed_back_is_no_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: int
) -> None:
    monkeypatch.setenv("INTERMEM_PROMOTE_MIN_WORTH", "0")
    for name, text in OTHERWISE.items():
        monkeypatch.setitem(FACTS, f"{name}, otherwise", text)
    assert OTHERWISE.keys() == KEYS.keys()
    played = Rewordings(tmp_path, random.Random(game))
    for _ in range(STEPS):
        played.moves()
    for clone in played.clones.values():
        clone.commit("told")
    cora = played.cloned("cora")
    cora.notes = set(KEYS)
    cora.remember()
    for name, clone in {**played.clones, "cora": cora}.items():
        for verb in ("scan", "sweep", "status", "query --all", "doctor"):
            code, _, err = clone.run(played.day, *verb.split())
            assert code in (0, 1), (name, verb, err)
