"""Faults at every step of every writing verb: SIGKILL, once and again in the recovery, errors, signals.

A forked child runs the command and meets the fault before its n-th step, n = 1, 2, … until it no
longer does. States that are equal byte for byte are judged once. INTERMEM_FAULTS=all does every
kill and a large sample of the rest; else all is a small sample, the same each time.
"""

from __future__ import annotations

import hashlib
import os
import random
import shutil
import signal
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import pytest

from tests.conftest import EVERYTHING, Outcome
from tests.faults import steps
from tests.faults.conftest import Built
from tests.faults.grounds import Ground
from tests.faults.judging import Expected, complaints, unclear, untrue
from tests.faults.scenarios import SCENARIOS, Scenario
from tests.faults.tally import count

_MOST = 5_000  # steps; a run that makes more never ends
KILLS, FAILURES, SIGNALS = (_MOST, 40, 40) if EVERYTHING else (1, 1, 1)  # of each scenario, each error, each signal
KINDS = len(steps.ERRORS) if EVERYTHING else 1  # of errors, in each scenario
FIRSTS, SECONDS = (8, 40) if EVERYTHING else (1, 1)  # states after a kill, and kills in the recovery of each

# Python 3.12 and later warn of a fork beside threads; the child here runs one thread and dies.
pytestmark = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")


@dataclass
class Case:
    """A scenario built in its place, its outcome without a fault, and the states that were already judged."""

    ground: Ground
    expected: Expected
    judged: dict[str, list[str]] = field(default_factory=dict)

    @property
    def scenario(self) -> Scenario:
        return self.expected.scenario

    def fault(self, number: int, fault: steps.Fault) -> Outcome:
        """Put the project back and run the command with a fault before its ``number``-th step."""
        self.ground.reset()
        return self.run(number, fault)

    def run(self, number: int, fault: steps.Fault) -> Outcome:
        return self.ground.run(*self.scenario.verb, now=self.scenario.now, arm=steps.at_step(number, fault))

    @cached_property
    def steps(self) -> int:
        """How many steps a run makes: killed before the last of them, and before no other."""
        self.ground.reset()
        read, write = os.pipe()
        try:
            arm = steps.at_step(_MOST, steps.killing(), count=write)
            assert self.ground.run(*self.scenario.verb, now=self.scenario.now, arm=arm).code == 0
            made = int(os.read(read, 20))
        finally:
            os.close(read)
            os.close(write)
        assert self.fault(made, steps.killing()).code == -signal.SIGKILL
        assert self.fault(made + 1, steps.killing()).code == 0
        return made

    def judge(self, *, settled: bool = False) -> list[str]:
        """What is wrong with the project as it is now."""
        state = f"{settled} {state_of(self.ground.root)}"
        if state not in self.judged:
            self.judged[state] = complaints(self.expected, self.ground, settled=settled)
        return self.judged[state]


def state_of(root: Path) -> str:
    """A digest of every file below ``root``; -shm is only SQLite's index of the -wal."""
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*")):
        digest.update(f"{path.relative_to(root)}\0".encode())
        if path.is_file() and not path.name.endswith("-shm"):
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


@pytest.fixture(scope="module", params=SCENARIOS, ids=lambda one: one.name)
def case(request: pytest.FixtureRequest, built: Built) -> Case:
    return Case(*built(request.param))


def sampled(name: str, everything: list[int], most: int) -> list[int]:
    if len(everything) <= most:
        return everything
    return sorted(random.Random(name).sample(everything, most))


def test_a_kill_before_any_step_loses_nothing(case: Case) -> None:
    total = case.steps
    assert total > 20
    chosen = sampled(f"{case.scenario.name} kills", list(range(1, total + 1)), KILLS)
    for number in chosen:
        assert case.fault(number, steps.killing()).code == -signal.SIGKILL
        assert case.judge() == [], f"killed before step {number}"
    count("kills by fork", len(chosen), states=len(case.judged))


def test_a_kill_in_the_recovery_from_a_kill_loses_nothing(case: Case) -> None:
    total = case.steps
    firsts: dict[str, int] = {}
    for number in range(1, total + 1) if EVERYTHING else sampled(f"{case.scenario.name} 1", list(range(1, total)), 3):
        assert case.fault(number, steps.killing()).code == -signal.SIGKILL
        firsts.setdefault(state_of(case.ground.root), number)
    kept = case.ground.folder / "first"
    tried = 0
    chosen = sampled(f"{case.scenario.name} first", sorted(firsts.values()), FIRSTS)
    for number in chosen:
        case.fault(number, steps.killing())
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(case.ground.root, kept, symlinks=True)
        seconds = sampled(f"{case.scenario.name} {number}", list(range(1, total + 1)), SECONDS)
        for again in sorted({3, *seconds}):  # any run makes three steps
            case.ground.clear()
            shutil.copytree(kept, case.ground.root, symlinks=True)
            died = case.run(again, steps.killing()).code == -signal.SIGKILL
            assert case.judge() == [], f"killed before step {number}, then before step {again}"
            if not died:
                break
            tried += 1
    assert tried
    count("kills in the recovery", tried, states=len(case.judged))


@pytest.mark.parametrize("kind", range(KINDS))
def test_an_error_at_any_step_is_told_and_changes_all_or_nothing(case: Case, kind: int) -> None:
    names = sorted(steps.ERRORS)
    random.Random(case.scenario.name).shuffle(names)
    name, total = names[kind], case.steps
    tried = 0
    for number in sampled(f"{case.scenario.name} {name}", list(range(1, total + 1)), FAILURES):
        outcome = case.fault(number, steps.failing(name))
        wrong = unclear(outcome) + untrue(case.expected, case.ground)
        wrong += case.judge(settled=outcome.code != 0)
        assert wrong == [], f"{name} at step {number}: {outcome}"
        tried += 1
    count(f"errors: {name}", tried)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda one: one.name)
def test_a_signal_at_any_step_loses_nothing(case: Case, number: signal.Signals) -> None:
    total = case.steps
    codes = {130} if number is signal.SIGINT else {-signal.SIGTERM}
    tried = 0
    for step in sampled(f"{case.scenario.name} {number.name}", list(range(1, total + 1)), SIGNALS):
        outcome = case.fault(step, steps.signalling(number))
        assert outcome.code in codes, (step, outcome)
        assert "Traceback" not in outcome.err, (step, outcome)
        assert case.judge() == [], f"{number.name} at step {step}"
        tried += 1
    count(f"signals: {number.name}", tried)
