"""Several processes in one project at once, and an editor that keeps saving the document.

Each process makes ROUNDS rounds; with INTERMEM_CONCURRENCY_SECONDS, as many as fit.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from intermem.core.entries.identity import identity
from intermem.core.region.parse import find_region
from tests.conftest import EVERYTHING, Outcome
from tests.faults.grounds import Ground, new_ground
from tests.faults.tally import count

ROUNDS = 10
SECONDS = float(os.environ.get("INTERMEM_CONCURRENCY_SECONDS", "0"))
FACTS = [f"Fact {letter}: {word} matters here." for letter, word in zip("ABCDEFGH", "abcdefgh", strict=True)]
START = datetime(2026, 1, 10, tzinfo=UTC)

# What a run may say while an editor is at work: it was refused, nothing was written, try again.
EXPECTED = {"document-changed", "document-refused", "region-lost", "unreadable-file"}

# Python 3.12 and later warn of a fork beside threads; the children run one thread each.
pytestmark = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    made = new_ground(tmp_path / "ground")
    made.keep_state_in("state")
    made.write("AGENTS.md", "# Project\n\nKeystrokes:\n\nThe end.\n")
    made.write("../memory/MEMORY.md", "## Facts\n\n" + "".join(f"- {fact}\n" for fact in FACTS))
    for day in (1, 2, 3):
        assert made.run("scan", now=f"2026-01-0{day}T00:00:00Z").code == 0
    assert made.run("promote", "--yes", now="2026-01-03T01:00:00Z").code == 0
    return made


def verbs(worker: int, number: int) -> tuple[str, ...]:
    """What a worker does in its ``number``-th round: everybody sweeps, and something else between."""
    if number % 2 == 0:
        return ("sweep",)
    key = identity(FACTS[(worker + number // 2) % len(FACTS)])
    others: list[tuple[str, ...]] = [
        ("scan",),
        ("promote", "--yes"),
        ("query", "--all"),
        ("demote", key),
        ("restore", key),
        ("status",),
        ("undo",),
        ("query", "--search", "matters"),
    ]
    return others[(worker + number // 2) % len(others)]


def worked(ground: Ground, worker: int) -> int:
    """Run as a worker; return how many runs failed, each reported on stderr."""
    failed = 0
    until = time.monotonic() + SECONDS
    for number in itertools.count():
        if number >= 2 * ROUNDS and time.monotonic() >= until:
            return failed
        now = (START + timedelta(minutes=90 * number + worker)).strftime("%Y-%m-%dT%H:%M:%SZ")
        verb = verbs(worker, number)
        outcome = ground.run(*verb, "--json", now=now)
        if not is_expected(outcome):
            failed += 1
            os.write(2, f"{verb}: {outcome}\n".encode())
    return failed


def is_expected(outcome: Outcome) -> bool:
    if outcome.code in (0, 1):
        return True
    with contextlib.suppress(ValueError):
        said = json.loads(outcome.out)
        codes = {said["error"]["code"]} if "error" in said else {one["code"] for one in said["problems"]}
        return outcome.code == 2 and bool(codes) and codes <= EXPECTED
    return False


@contextlib.contextmanager
def processes(count: int, work: Callable[[int], int]) -> Iterator[list[int]]:
    children = []
    for number in range(count):
        child = os.fork()
        if child == 0:
            code = 99
            try:
                code = work(number)
            finally:
                os._exit(code)
        children.append(child)
    yield children


def type_away(ground: Ground, stop: Path) -> int:
    """Run as an editor: write a line at a time below the title, by renaming and in place in turn, and say how many."""
    path = ground.root / "AGENTS.md"
    for number in itertools.count():
        if stop.exists():
            stop.with_name("typed").write_text(str(number))
            return 0
        while True:
            seen = path.read_bytes()
            if b"Keystrokes:\n" not in seen:
                continue
            new = seen.replace(b"Keystrokes:\n", f"Keystrokes:\nkey {number}.\n".encode(), 1)
            if path.read_bytes() != seen:  # it changed on disk: as editors do, read it again
                continue
            if number % 2:
                temp = path.with_name("AGENTS.md~")
                temp.write_bytes(new)
                temp.replace(path)
            else:
                with path.open("r+b") as file:
                    file.truncate(len(seen))
                    file.write(new)
            break
        time.sleep(0.003)
    return 0


def ended(children: list[int]) -> list[int]:
    return [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]


def judged(ground: Ground) -> None:
    """Every fact is on record once and in a document at most once; database, documents and ledger agree."""
    ground.run("doctor", "--repair", now="2026-03-01T00:00:00Z")
    found = ground.run("query", "--all", "--limit", "0", "--json", "--no-touch", now="2026-03-01T00:00:00Z").json
    assert Counter(entry["text"] for entry in found["entries"]) == Counter(FACTS)
    region = find_region((ground.root / "AGENTS.md").read_text("utf-8"), "AGENTS.md")
    assert region is not None
    assert max(Counter(region.ids).values(), default=1) == 1
    stands = {entry["id"] for entry in found["entries"] if entry["document"]}
    assert stands == set(region.ids)
    doctor = ground.run("doctor", "--json", now="2026-03-01T00:00:00Z").json["findings"]
    assert {one["code"] for one in doctor} <= {"missing"}, doctor
    assert not [path.name for path in ground.root.rglob("*.intermem-*")]


@pytest.mark.parametrize("workers", [2, 4, 8] if EVERYTHING else [4])
def test_processes_at_work_at_once_never_fail_and_lose_nothing(ground: Ground, workers: int) -> None:
    with processes(workers, lambda number: worked(ground, number)) as children:
        pass
    assert ended(children) == [0] * workers
    judged(ground)
    count(f"concurrent runs, {workers} processes", workers * 2 * ROUNDS)


def test_an_editor_that_saves_all_the_while_loses_no_keystroke(ground: Ground, tmp_path: Path) -> None:
    stop = tmp_path / "stop"
    with (
        processes(1, lambda _: type_away(ground, stop)) as editor,
        processes(2, lambda number: worked(ground, number)) as children,
    ):
        pass
    try:
        assert ended(children) == [0, 0]
    finally:
        stop.touch()
    signal.alarm(0)
    assert ended(editor) == [0]
    typed = int((tmp_path / "typed").read_text())
    text = (ground.root / "AGENTS.md").read_text("utf-8")
    lost = [number for number in range(typed) if f"\nkey {number}.\n" not in text]
    assert typed > 20
    assert lost == []
    judged(ground)
    count("saves of an editor meanwhile", typed)
