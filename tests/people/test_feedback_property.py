"""Two people give feedback, promote, take out and merge in any order: each word counts once, in every clone.

INTERMEM_SOAK=N tries N games (``make soak``); without it a handful.
"""

from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path

import pytest

from intermem.core.entries.identity import identity
from tests.old_ledger import events_in
from tests.people.conftest import FACTS
from tests.people.test_property import NAMES, Clone

GAMES = int(os.environ.get("INTERMEM_SOAK", "3"))
STEPS = 22
AMOUNTS = {"confirm": 100, "incorrect": -300, "high": -150, "medium": -100, "low": -50}
SEVERITIES = ("high", "medium", "low")
OUT = {"promoted", "demoted", "rejected", "restored"}
KEYS = {name: identity(FACTS[name]) for name in NAMES[:3]}


class Game:
    """A repository of two people, and what they fed back on which entry."""

    def __init__(self, folder: Path, chance: random.Random) -> None:
        self.chance, self.folder, self.day = chance, folder, 1
        self.given: list[tuple[str, str]] = []
        ann = self._made(folder / "ann")
        ann.git("init", "-q", "-b", "main")
        (ann.root / "AGENTS.md").write_text("# Project\n\nHello.\n", "utf-8")
        ann.done(0, "init")
        ann.commit("start")
        self.clones = {"ann": ann, "ben": self.cloned("ben")}
        for clone in self.clones.values():
            clone.notes = {name for name in KEYS if chance.random() < 0.8}
            clone.remember()

    def _made(self, root: Path) -> Clone:
        root.mkdir(exist_ok=True)
        return Clone(root)

    def cloned(self, name: str) -> Clone:
        subprocess.run(["git", "clone", "-q", str(self.folder / "ann"), str(self.folder / name)], check=True)
        return self._made(self.folder / name)

    def merges(self, clone: Clone, other: Clone) -> bool:
        clone.commit("before")
        other.commit("before")
        clone.git("fetch", "-q", str(other.root), "+main:refs/heads/theirs")
        merged = clone.git("merge", "-q", "--no-edit", "theirs").returncode == 0
        if not merged:
            clone.git("merge", "--abort")
        return merged

    def moves(self) -> None:
        """Let one of them do something; what makes no sense is refused."""
        self.day += self.chance.choice([0, 1, 1, 2])
        who, name = self.chance.choice(["ann", "ben"]), self.chance.choice(list(KEYS))
        clone, key = self.clones[who], KEYS[name]
        what = self.chance.choice(
            ["scan", "sweep", "promote", "demote", "reject", "restore", "outdated", "commit", "drop"]
            + ["merge"] * 2
            + ["feedback"] * 5
        )
        if what == "feedback":
            kind = self.chance.choice(list(AMOUNTS))
            said = ["failure", "--severity", kind] if kind in SEVERITIES else [kind]
            if clone.run(self.day, "feedback", key, *said)[0] == 0:
                self.given.append((key, kind))
        elif what == "merge":
            self.merges(clone, self.clones["ben" if who == "ann" else "ann"])
        elif what == "commit":
            clone.commit("work")
        elif what == "drop":
            clone.notes ^= {name}
            clone.remember()
        else:
            words = {"outdated": ["feedback", key, what], "promote": [what, "--yes"], "scan": [what], "sweep": [what]}
            clone.run(self.day, *words.get(what, [what, key]))

    def agrees(self) -> bool:
        """Let both tell what they know; False if what they wrote cannot be merged without a person."""
        ann, ben = self.clones["ann"], self.clones["ben"]
        for _ in range(3):
            self.day += 1
            for clone in (ann, ben):
                clone.notes = set(KEYS)
                clone.remember()
                clone.run(self.day, "sweep")
                clone.commit("told")
            if not self.merges(ann, ben) or not self.merges(ben, ann):
                return False
        return True


@pytest.mark.parametrize("game", range(GAMES))
def test_each_feedback_counts_once_in_every_clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: int) -> None:
    monkeypatch.setenv("INTERMEM_PROMOTE_MIN_WORTH", "0")
    played = Game(tmp_path, random.Random(game))
    for _ in range(STEPS):
        played.moves()
    if not played.agrees():
        pytest.skip("what they wrote conflicts: a person would have to merge it")
    told: dict[str, set[str]] = {}
    for event in events_in(played.clones["ann"].root):
        told.setdefault(event["id"], set()).add(event["what"])
    clones = {**played.clones, "cora": played.cloned("cora")}
    for key in (one for one in KEYS.values() if told.get(one, set()) & OUT):
        given = [kind for what, kind in played.given if what == key]
        for name, clone in clones.items():
            found = clone.done(played.day, "why", key)
            rows = [row for row in found["history"] if row["event"] == "feedback" and row["detail"][0] in "+−"]
            counted = (round(found["entry"]["feedback"] * 1000), found["failures"], len(rows))
            wanted = (sum(AMOUNTS[kind] for kind in given), sum(kind in SEVERITIES for kind in given), len(given))
            assert counted == wanted, (name, key, given, rows)
