"""The real program, killed at its system calls, or given errors by them; then the next command.

INTERMEM_FAULTS=all does it at every call that writes below the project; else a fixed sample does.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from intermem.project.atomic_write import put_in_place
from tests.conftest import EVERYTHING, Outcome
from tests.faults.conftest import Built
from tests.faults.grounds import Ground
from tests.faults.judging import Expected, complaints, unclear, untrue
from tests.faults.scenarios import SCENARIOS, Scenario
from tests.faults.tally import count
from tests.faults.tracing import Call, traced, traced_fork, why_not

KILLS, FAILURES = 2, 2  # of each scenario, where it is not everything
Point = tuple[Call, str]  # and what is to happen there, as strace says it

MUTANTS = Path(__file__).with_name("mutants")

# Which errors a call may come back with, by POSIX and by what Linux does.
_FULL, _BROKEN, _FORBIDDEN, _READ_ONLY, _INTERRUPTED = "ENOSPC", "EIO", "EACCES", "EROFS", "EINTR"
ERRORS = {
    "openat": (_FULL, _BROKEN, _FORBIDDEN, _READ_ONLY, _INTERRUPTED),
    "write": (_FULL, _BROKEN, _INTERRUPTED),
    "pwrite64": (_FULL, _BROKEN, _INTERRUPTED),
    "rename": (_FULL, _BROKEN, _FORBIDDEN, _READ_ONLY),
    "renameat2": (_FULL, _BROKEN, _FORBIDDEN, _READ_ONLY, "EINVAL"),  # EINVAL: the file system cannot exchange
    "unlink": (_BROKEN, _FORBIDDEN, _READ_ONLY),
    "fsync": (_FULL, _BROKEN, _READ_ONLY, _INTERRUPTED),
    "fdatasync": (_FULL, _BROKEN, _READ_ONLY, _INTERRUPTED),
    "ftruncate": (_BROKEN, _READ_ONLY, _INTERRUPTED),
    "fchmod": (_BROKEN, _FORBIDDEN, _READ_ONLY, _INTERRUPTED),
    "mkdir": (_FULL, _BROKEN, _FORBIDDEN, _READ_ONLY),
}

pytestmark = [
    pytest.mark.skipif(bool(why_not()), reason=why_not() or "-"),
    # Python 3.12 and later warn of a fork beside threads; the child here runs one thread and exits.
    pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning"),
]


@dataclass(frozen=True, slots=True)
class Case:
    """A scenario built in its place, and its outcome without a fault."""

    ground: Ground
    expected: Expected

    @property
    def scenario(self) -> Scenario:
        return self.expected.scenario

    def calls(self, *, started: bool = False, inject: str = "", **extra: str) -> tuple[list[Call], Outcome]:
        """Put the project back and run the command under strace: ``started`` as the real program, else in a fork."""
        self.ground.reset()
        if started:
            return traced(self.ground, self.scenario.verb, self.scenario.now, inject=inject, **extra)
        return traced_fork(self.ground, self.scenario.verb, self.scenario.now, inject=inject)

    def points(self, *, started: bool = False, **extra: str) -> list[Call]:
        """The calls that write, in a run without a fault."""
        calls, outcome = self.calls(started=started, **extra)
        assert outcome.code == 0, outcome
        return [one for one in calls if one.writes]


@pytest.fixture(scope="module", params=SCENARIOS if EVERYTHING else SCENARIOS[::4], ids=lambda one: one.name)
def case(request: pytest.FixtureRequest, built: Built) -> Case:
    return Case(*built(request.param))


def mutated(how: str) -> dict[str, str]:
    """Return the environment that makes the program wrong in a known way."""
    path = os.pathsep.join([str(MUTANTS), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {"PYTHONPATH": path, "FAULTS_MUTANT": how}


def sampled(points: list[Point], seed: str, most: int) -> list[Point]:
    """All of them, or a few that are always the same; calls about documents are as likely as those of SQLite."""
    if EVERYTHING or len(points) <= most:
        return points
    chance = random.Random(seed)
    rare = [one for one in points if "metadata.db" not in one[0].path]
    common = [one for one in points if "metadata.db" in one[0].path]
    some = chance.sample(rare, min(len(rare), (most + 1) // 2))
    return some + chance.sample(common, min(len(common), most - len(some)))


def worth_killing(points: list[Call]) -> list[Point]:
    """Every call, but those about SQLite's shared memory: no process reads it after a kill."""
    return [(one, "signal=KILL") for one in points if not one.path.endswith("-shm")]


def worth_failing(points: list[Call]) -> list[Point]:
    """Each call with each error that it may return; of the same calls in a row on one file the first and the last.

    SQLite's own calls all meet a full and a broken disk; the other errors the first of a name on a file.
    """
    found: list[Point] = []
    met: set[tuple[str, str]] = set()
    for at, one in enumerate(points):
        around = [points[near] for near in (at - 1, at + 1) if 0 <= near < len(points)]
        if len(around) == 2 and all((near.name, near.path) == (one.name, one.path) for near in around):
            continue
        rare = "metadata.db" not in one.path or (one.name, one.path) not in met
        met.add((one.name, one.path))
        found += [(one, f"error={error}") for error in ERRORS[one.name] if rare or error in (_FULL, _BROKEN)]
    return found


def killed(case: Case, points: list[Point], *, started: bool) -> list[str]:
    """Kill the command at each of ``points``; return the complaints. A kill elsewhere is one."""
    wrong: list[str] = []
    for point, how in points:
        calls, outcome = case.calls(started=started, inject=f"{point.name}:{how}:when={point.ordinal}")
        if outcome.code != -signal.SIGKILL or (calls[-1].name, calls[-1].path) != (point.name, point.path):
            wrong.append(f"{point}: killed at {calls[-1]} instead, {outcome}")
        wrong += [f"{point}: {one}" for one in complaints(case.expected, case.ground)]
    if not wrong:
        count("kills of the program at system calls" if started else "kills of a fork at system calls", len(points))
    return wrong


def test_the_program_killed_at_a_system_call_leaves_the_old_state_or_the_new(case: Case) -> None:
    """A fork, which is quick, makes the same calls: so what is found there holds for the program."""
    points = case.points(started=True)
    assert [(one.name, one.path) for one in points] == [(one.name, one.path) for one in case.points()]
    worth = worth_killing(points)
    if EVERYTHING:
        chosen = worth[:: len(worth) // 8]
    else:
        chosen = sampled(worth, case.scenario.name, 1)
    assert killed(case, chosen, started=True) == []


def test_a_kill_at_any_system_call_leaves_the_old_state_or_the_new(case: Case) -> None:
    points = sampled(worth_killing(case.points()), case.scenario.name, KILLS)
    assert killed(case, points, started=False) == []


def test_an_error_at_any_system_call_is_told_and_leaves_the_old_state_or_the_new(case: Case) -> None:
    wrong: list[str] = []
    points = sampled(worth_failing(case.points()), case.scenario.name, FAILURES)
    for point, how in points:
        calls, outcome = case.calls(inject=f"{point.name}:{how}:when={point.ordinal}")
        if not any(one.injected and (one.name, one.path) == (point.name, point.path) for one in calls):
            wrong.append(f"{point} {how}: was not injected there")
        found = [*unclear(outcome), *untrue(case.expected, case.ground)]
        found += complaints(case.expected, case.ground, finished=outcome.code == 0, settled=outcome.code != 0)
        wrong += [f"{point} {how}, exit {outcome.code}: {one}" for one in found]
    assert wrong == []
    count("errors injected into system calls", len(points))


def test_a_write_in_place_is_caught(built: Built) -> None:
    """The judge's own test: a program that does not replace but overwrites."""
    case = Case(*built(SCENARIOS[0]))
    wrong: list[str] = []  # of the last try
    for point in (one for one in case.points(started=True, **mutated("overwrite")) if one.name == "write"):
        case.calls(started=True, inject=f"write:signal=KILL:when={point.ordinal}", **mutated("overwrite"))
        wrong = complaints(case.expected, case.ground)
        if any("after the fault, AGENTS.md: 0 bytes" in one for one in wrong):
            return
    raise AssertionError(wrong)


def test_a_recovery_that_does_nothing_is_caught(built: Built, monkeypatch: pytest.MonkeyPatch) -> None:
    case = Case(*built(SCENARIOS[0]))
    point = [one for one in case.points() if one.name.startswith("rename") and "/ledger/" in one.to][-1]
    monkeypatch.setattr("intermem.workflow.operation.recover", lambda *_: [])
    wrong = killed(case, [(point, "signal=KILL")], started=False)
    assert any("operations are pending" in one for one in wrong)


def test_an_error_that_is_not_told_is_caught(built: Built, monkeypatch: pytest.MonkeyPatch) -> None:
    """The judge's own test: a program that assumes a document is written because it tried."""
    case = Case(*built(SCENARIOS[0]))
    (point,) = [one for one in case.points() if one.name.startswith("rename") and one.to.endswith("AGENTS.md")]

    def hopeful(*given: Any, **named: Any) -> None:
        with contextlib.suppress(OSError):
            put_in_place(*given, **named)

    monkeypatch.setattr("intermem.workflow.writeback.put_in_place", hopeful)
    _, outcome = case.calls(inject=f"{point.name}:error=EIO:when={point.ordinal}")
    assert outcome.code == 0
    assert any("AGENTS.md" in one for one in complaints(case.expected, case.ground, finished=True))
