"""Notes that say the same in other words, lines that people reword, double and remove: no run is refused for it.

INTERMEM_SOAK=N tries N games (``make soak``); without it a handful.
"""

from __future__ import annotations

import os
import random

import pytest

from intermem.core.entries.identity import identity
from tests.conftest import Sandbox

GAMES = int(os.environ.get("INTERMEM_SOAK", "2"))
STEPS = 40
SAID = (
    (
        "Never stop the kiln while a rack cools: the glaze cracks.",
        "Never stop the kiln while rack cools; the glaze cracks.",
        "Please do not stop the kiln while a rack cools; the glaze cracks.",
    ),
    (
        "Do not open the main door by hand, always ask the crew.",
        "Don't open main door by hand, always ask the crew.",
        "Please do not open the main door by hand, always ask crew.",
    ),
    (
        "Always weigh the clay when a rack is added, or it bends.",
        "Please always weigh clay when a rack is added or it bends.",
    ),
)
VERBS = ("scan", "sweep", "sweep", "curate --yes", "promote --yes", "undo", "check", "doctor", "status")
ABOUT = ("demote", "reject", "restore", "pin", "feedback", "why")


def _edited(text: str, chance: random.Random) -> str:
    """The document once a person has reworded, doubled, removed or added a line of the region."""
    rows = text.split("\n")
    items = [number for number, row in enumerate(rows) if row.startswith("- ")]
    if not items:
        return text
    at = chance.choice(items)
    wordings = next((group for group in SAID if rows[at][2:] in group), SAID[0])
    how = chance.choice(("reword", "reword", "double", "remove"))
    if how == "remove":
        del rows[at]
    else:
        rows[at : at + (how == "reword")] = [f"- {chance.choice(wordings)}"]
    return "\n".join(rows)


@pytest.mark.parametrize("game", range(GAMES))
def test_whatever_of_them_stands_where_no_run_is_refused(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, game: int
) -> None:
    monkeypatch.setenv("INTERMEM_PROMOTE_MIN_WORTH", "0")
    monkeypatch.setenv("INTERMEM_PROMOTE_MIN_SNAPSHOTS", "1")
    chance = random.Random(game)
    noted = {(name, chance.choice(group)) for group in SAID for name in ("a.md", "b.md")}
    for hour in range(STEPS):
        now = f"2026-01-{1 + hour // 8:02}T{hour % 8 * 3:02}:00:00Z"
        for name in ("a.md", "b.md"):
            sandbox.note("".join(f"- {text}\n" for where, text in sorted(noted) if where == name), name)
        move = chance.choice(("note", "hand", "hand", "commit", "verb", "verb", "about"))
        if move == "note":
            noted ^= {(chance.choice(("a.md", "b.md")), chance.choice(chance.choice(SAID)))}
        elif move == "hand":
            sandbox.write("AGENTS.md", _edited(sandbox.read(), chance))
        elif move == "commit":
            sandbox.commit()
        elif move == "verb":
            _runs(sandbox, chance.choice(VERBS), now)
        else:
            verb, key = chance.choice(ABOUT), identity(chance.choice(chance.choice(SAID)))
            _runs(sandbox, f"{verb} {key}{' confirm' if verb == 'feedback' else ''}", now)


def _runs(sandbox: Sandbox, command: str, now: str) -> None:
    said = sandbox.run(*command.split(), now=now, code=None)
    assert "damaged" not in said.err and "constraint" not in said.err, (command, said.err)
    assert "entries start with" not in said.err, (command, said.err)
