"""Memory, documents and a clock under any actions in any order, kills included: nothing is lost or duplicated.

INTERMEM_SOAK=N tries N examples (``make soak``); without it a handful.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import sqlite3
import tempfile
from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from intermem.core.entries.identity import identity
from intermem.core.region.parse import find_region
from tests.conftest import EVERYTHING, Outcome
from tests.faults import steps
from tests.faults.grounds import Ground, new_ground

EXAMPLES = int(os.environ.get("INTERMEM_SOAK", "3"))
STEPS, DAYS = (30, 56) if "INTERMEM_SOAK" in os.environ else (18, 28)
START = datetime.fromisoformat("2026-01-01T00:00:00+00:00")
FACTS = (
    "Prefer short functions.",
    "The entry point is `src/app.py`.",
    "Settings are read from `src/settings.py` once, at the start.",
    "Two lines:\n\n```sh\nmake\n```",
    "Releases are cut on Tuesdays.",
)
FILES = ("src/app.py", "src/settings.py")

# Python 3.12 and later warn of a fork beside threads; the children run one thread each.
pytestmark = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")

facts = st.sampled_from(FACTS)
verbs = st.sampled_from([("sweep",), ("scan",), ("promote", "--yes"), ("undo",), ("init",), ("doctor", "--repair")])


class Curation(RuleBasedStateMachine):
    """One project; it knows what a person wrote outside the region, and what was ever in it."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.ground: Ground = new_ground(self.folder / "ground")
        self.hours = 0
        self.notes: list[str] = []
        self.ever: set[str] = set()
        self.lines = ["# Project", "", "Hello.", "", "The end."]

    def teardown(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    @initialize()
    def begin(self) -> None:
        self.ground.write("AGENTS.md", "".join(f"{line}\n" for line in self.lines))
        self.ground.keep_state_in("state")
        for name in FILES:
            self.ground.write(name, "x = 1\n")
        self._write_memory(list(FACTS[:3]))
        for _ in range(3):
            self.hours += 24
            self._run("scan")

    def _write_memory(self, notes: list[str]) -> None:
        self.notes = notes
        indented = [note.replace("\n", "\n  ") for note in notes]
        self.ground.write("../memory/MEMORY.md", "## Notes\n\n" + "".join(f"- {note}\n" for note in indented))

    @property
    def now(self) -> str:
        return (START + timedelta(hours=self.hours)).strftime("%Y-%m-%dT%H:%M:%SZ")

    def _run(self, *verb: str, codes: tuple[int, ...] = (0, 1)) -> Outcome:
        outcome = self.ground.run(*verb, now=self.now)
        assert outcome.code in codes, (verb, outcome)
        return outcome

    def _entries(self) -> list[dict[str, Any]]:
        asked = self._run("query", "--all", "--limit", "0", "--json", "--no-touch")
        return list(json.loads(asked.out)["entries"])

    @rule(hours=st.sampled_from([1, 12, 24, 24 * 8, 24 * 15, 24 * 40]))
    def time_goes_by(self, hours: int) -> None:
        self.hours += hours

    @rule(fact=facts)
    def the_agent_notes(self, fact: str) -> None:
        self._write_memory([*(note for note in self.notes if note != fact), fact])

    @rule(fact=facts)
    def the_agent_forgets(self, fact: str) -> None:
        self._write_memory([note for note in self.notes if note != fact])

    @rule(name=st.sampled_from(FILES))
    def a_file_comes_or_goes(self, name: str) -> None:
        path = self.ground.root / name
        if path.exists():
            path.unlink()
        else:
            path.write_text("x = 1\n")

    @rule(number=st.integers(0, 4))
    def a_person_writes_outside_the_region(self, number: int) -> None:
        text = self._text()
        old, new = self.lines[-1], f"The end, {len(self.lines)} {number}."
        self.ground.write("AGENTS.md", text.replace(f"{old}\n", f"{old}\n\n{new}\n", 1))
        self.lines += ["", new]

    @rule(verb=verbs)
    def a_command_runs(self, verb: tuple[str, ...]) -> None:
        self._run(*verb, codes=(0, 1, 2) if verb == ("undo",) else (0, 1))

    @rule(fact=facts, verb=st.sampled_from(["demote", "restore", "reject"]))
    def a_person_decides(self, fact: str, verb: str) -> None:
        self._run(verb, identity(fact), codes=(0, 1, 2))

    @rule(verb=verbs, step=st.integers(1, 160))
    def a_command_is_killed(self, verb: tuple[str, ...], step: int) -> None:
        armed = steps.at_step(step, steps.killing())
        outcome = self.ground.run(*verb, now=self.now, arm=armed)
        assert outcome.code in (0, 1, 2, -signal.SIGKILL), outcome

    @rule()
    def two_sweeps_at_one_time(self) -> None:
        """The second sweep moves streaks and demotes at a streak of two; it changes no confidence."""
        self._run("sweep")
        first = {entry["id"]: entry for entry in self._entries()}
        self._run("sweep")
        for entry in self._entries():
            before = first[entry["id"]]
            if entry["stale_streak"] == 2 and before["stale_streak"] == 1:
                continue
            assert {**entry, "stale_streak": 0} == {**before, "stale_streak": 0}

    @invariant()
    def what_a_person_wrote_is_as_it_was(self) -> None:
        outside = [line for line in self._outside().split("\n") if line and line != "## Project memory"]
        assert outside == [line for line in self.lines if line]

    @invariant()
    def every_fact_is_kept_and_stands_once(self) -> None:
        region = find_region(self._text(), "AGENTS.md")
        standing = Counter(region.ids if region is not None else ())
        assert max(standing.values(), default=1) == 1
        self.ever |= {fact for fact in FACTS if identity(fact) in standing}
        gone = [fact for fact in self.ever if identity(fact) not in standing]
        if not gone:
            return
        held = {entry["id"]: entry for entry in self._entries()}
        for fact in gone:
            entry = held.get(identity(fact))
            # A fact that only the undone scans had seen is where it came from.
            assert fact in self.notes if entry is None else entry["text"] == fact, fact

    @invariant()
    def the_database_is_sound(self) -> None:
        path = self.ground.root / "state" / "metadata.db"
        if path.exists():
            with contextlib.closing(sqlite3.connect(path)) as connection:
                assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
                assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
                assert connection.execute("SELECT count(*) FROM recording").fetchone() == (0,)

    def _text(self) -> str:
        return (self.ground.root / "AGENTS.md").read_bytes().decode("utf-8")

    def _outside(self) -> str:
        text = self._text()
        region = find_region(text, "AGENTS.md")
        return text if region is None else text[: region.begin] + text[region.end :]


Curation.TestCase.settings = settings(
    max_examples=EXAMPLES,
    stateful_step_count=STEPS,
    deadline=None,
    derandomize="INTERMEM_SOAK" not in os.environ,
    suppress_health_check=list(HealthCheck),
)
TestCuration = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")(Curation.TestCase)


@pytest.mark.parametrize("sweeps", [1, 2, 3] if EVERYTHING else [2])
def test_a_citation_that_breaks_and_heals_all_the_time_does_not_flap(tmp_path: Path, sweeps: int) -> None:
    """A sweep and a promotion a day; the cited file is there for ``sweeps`` of them, then gone for as many."""
    ground = new_ground(tmp_path / "ground")
    ground.write("AGENTS.md", "# Project\n")
    ground.write("../memory/MEMORY.md", f"## Notes\n\n- {FACTS[1]}\n")
    file = ground.root / "src" / "app.py"
    events: list[str] = []
    for day in range(DAYS):
        broken = day // sweeps % 2 == 1
        if broken and file.exists():
            file.unlink()
        elif not broken:
            ground.write("src/app.py", "x = 1\n")
        now = (START + timedelta(days=day)).strftime("%Y-%m-%dT%H:%M:%SZ")
        for verb in (("sweep",), ("promote", "--yes")):
            assert ground.run(*verb, now=now).code == 0
    said = ground.run("log", identity(FACTS[1]), "--limit", "0", "--json", now=now).json["history"]
    events = [row["event"] for row in said if row["event"] in ("promoted", "demoted")]
    assert "promoted" in events
    assert len(events) <= 2 if sweeps == 1 else len(events) <= 3
