"""The power goes out: every state that a disk may be in while the real program runs; then the next command.

The program's own system calls, SQLite's among them, are replayed on a model of a disk (``disks``).
INTERMEM_FAULTS=all judges every state; else a fixed sample of them.
"""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import pytest

from tests.conftest import EVERYTHING
from tests.faults.conftest import Built
from tests.faults.disks import CERTAIN, KEPT, Disk, Tree, by_chance, put_on_disk, tree_of
from tests.faults.grounds import Ground
from tests.faults.judging import Expected, complaints
from tests.faults.scenarios import FIRST, SCENARIOS
from tests.faults.tally import count
from tests.faults.test_strace import mutated
from tests.faults.tracing import Call, traced, traced_fork, why_not

CHANGES_OF_NAMES = ("rename", "renameat2", "unlink", "mkdir", "rmdir")
SAMPLE = 2  # of each scenario, where it is not everything
CHANCES = 1  # random losses before each call

pytestmark = [
    pytest.mark.skipif(bool(why_not()), reason=why_not() or "-"),
    # Python 3.12 and later warn of a fork beside threads; the child here runs one thread and exits.
    pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning"),
]


@dataclass(frozen=True, slots=True)
class Blackout:
    """What the disk holds after a power cut: ``tree``, and how it came about. ``finished``: the command had ended."""

    when: str
    tree: Tree
    finished: bool


@dataclass(slots=True)
class Blackouts:
    """The different states of a disk while calls happen to it."""

    disk: Disk
    chance: random.Random
    history: str = ""
    chances: int = 1
    seen: set[tuple[object, ...]] = field(default_factory=set)

    def during(self, calls: Sequence[Call]) -> Iterator[Blackout]:
        """Yield the states before each call, and after the last: there the command has ended."""
        for number in range(len(calls) + 1):
            finished = number == len(calls)
            when = self.history + (f"before {calls[number]}" if number < len(calls) else "at the end")
            for loss in (*CERTAIN, *(by_chance(self.chance) for _ in range(self.chances))):
                tree = self.disk.after(loss)
                key = (finished, *((name, hash(content)) for name, content in tree.items()))
                if key not in self.seen:
                    self.seen.add(key)
                    yield Blackout(f"{when}, {loss.what}", tree, finished)
            if number < len(calls):
                self.disk.apply(calls[number])


@pytest.fixture(scope="module", params=SCENARIOS if EVERYTHING else SCENARIOS[::4], ids=lambda one: one.name)
def whole(request: pytest.FixtureRequest, built: Built) -> tuple[Ground, Expected]:
    return built(request.param)


def judged(expected: Expected, ground: Ground, states: Iterable[Blackout]) -> Iterator[str]:
    """Put each state on the disk and yield the complaints."""
    for state in states:
        put_on_disk(state.tree, ground.root)
        for one in complaints(expected, ground, finished=state.finished):
            yield f"{state.when}: {one}"


def some_of(states: Iterable[Blackout], seed: str) -> list[Blackout]:
    """All of them, or a sample that is always the same and includes the last ones, after the command has ended."""
    found = list(states)
    if EVERYTHING:
        return found
    ended = [one for one in found if one.finished]
    during = [one for one in found if not one.finished]
    return random.Random(seed).sample(during, min(len(during), SAMPLE)) + ended[:2]


def test_a_power_cut_at_any_moment_leaves_the_old_state_or_the_new(whole: tuple[Ground, Expected]) -> None:
    ground, expected = whole
    scenario = expected.scenario
    ground.reset()
    disk = Disk(ground.root)
    calls, _ = traced(ground, scenario.verb, scenario.now)
    ended = tree_of(ground.root)
    states = some_of(Blackouts(disk, random.Random(scenario.name), chances=CHANCES).during(calls), scenario.name)
    assert disk.after(KEPT) == ended, "the model and the real disk disagree"
    assert list(judged(expected, ground, states)) == []
    count("power cuts", len(states))


def test_a_power_cut_in_the_recovery_from_a_kill_is_no_worse(whole: tuple[Ground, Expected]) -> None:
    """A kill between a change of names and the sync of that folder, a run that recovers, then the power goes out."""
    ground, expected = whole
    scenario = expected.scenario
    ground.reset()
    first, _ = traced_fork(ground, scenario.verb, scenario.now)
    kills = [number for number, call in enumerate(first, 1) if call.name in CHANGES_OF_NAMES and call.result == 0]
    chance = random.Random(scenario.name)
    states: list[Blackout] = []
    for number in kills if EVERYTHING else chance.sample(kills, 1):
        ground.reset()
        disk = Disk(ground.root)
        for call in first[:number]:
            disk.apply(call)
        put_on_disk(disk.after(KEPT), ground.root)
        again, _ = traced_fork(ground, scenario.verb, scenario.now)
        states += Blackouts(disk, chance, f"killed after {first[number - 1]}, ").during(again)
        assert disk.after(KEPT) == tree_of(ground.root), "the model and the real disk disagree"
    states = some_of(states, scenario.name)
    assert list(judged(expected, ground, states)) == []
    count("power cuts in the recovery from a kill", len(states))


def in_the_end(disk: Disk, calls: Sequence[Call]) -> list[Blackout]:
    return [one for one in Blackouts(disk, random.Random(0)).during(calls) if one.finished]


@pytest.mark.parametrize(("mutant", "says"), [("no file sync", "0 bytes"), ("no folder sync", "18 bytes")])
def test_a_missing_sync_is_caught(mutant: str, says: str, built: Built) -> None:
    """The judge's own test: each of the two syncs of a replacement is needed."""
    scenario = SCENARIOS[0]
    ground, expected = built(scenario)
    ground.reset()
    disk = Disk(ground.root)
    calls, _ = traced(ground, scenario.verb, scenario.now, **mutated(mutant))
    assert any(f"after the fault, {FIRST}: {says}" in one for one in judged(expected, ground, in_the_end(disk, calls)))


def test_a_database_that_is_not_synced_is_caught(built: Built, monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = SCENARIOS[0]
    ground, expected = built(scenario)
    ground.reset()

    def careless(path: str, patience: float = 1.0) -> sqlite3.Connection:
        connection = sqlite3.connect(path, timeout=patience, isolation_level=None)
        connection.execute("PRAGMA synchronous = OFF")
        return connection

    disk = Disk(ground.root)
    with monkeypatch.context() as patched:
        patched.setattr("intermem.storage.connection._connect", careless)
        calls, outcome = traced_fork(ground, scenario.verb, scenario.now)
    assert outcome.code == 0
    assert any("after the fault, memory_entries" in one for one in judged(expected, ground, in_the_end(disk, calls)))
