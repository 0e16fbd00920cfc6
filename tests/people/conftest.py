"""People working on one repository: each with a clone, a memory and a metadata.db of their own."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Once, Sandbox
from tests.old_ledger import ledger_in

START = datetime.fromisoformat("2026-01-01T00:00:00+00:00")

FACTS = {
    "queue": "Run the queue worker before the tests, or they hang without a word.",
    "tabs": "The parser counts tabs as one column, whatever the editor shows.",
    "tokens": "Tokens of the staging system expire after an hour; ask for new ones at the start.",
    "cache": "Clear the build cache after every change of the compiler flags.",
    "dates": "Dates in the export are local time, never UTC.",
    "locks": "Take the migration lock before you touch the schema.",
}


@dataclass
class Person(Sandbox):
    """Somebody with a clone. ``day`` is the time on their clock, in days after the start.

    Commits are made at that time if they are ``dated``, else later than all that happens.
    """

    day: float = 0
    dated: bool = False

    def at(self, day: float) -> Person:
        """Set the clock."""
        self.day = day
        self.now = (START + timedelta(days=day)).strftime("%Y-%m-%dT%H:%M:%SZ")
        return self

    def remembers(self, *names: str) -> None:
        """Let the memory hold these facts, under one heading, and nothing else."""
        self.note("## Notes\n\n" + "".join(f"- {FACTS.get(name, name)}\n" for name in names))

    def promotes(self, *names: str, day: float = 2) -> None:
        """See facts on three days up to ``day``, and promote them."""
        self.remembers(*names)

        def make() -> None:
            for earlier in (day - 2, day - 1, day):
                self.at(earlier).run("scan")
            self.run("promote", "--yes", "--limit", "0")

        self.unless_kept(f"promotes on {day}", make)
        self.at(day)

    def commit(self, message: str = "change") -> str:
        self.git("add", "-A")
        with pytest.MonkeyPatch.context() as patched:
            if self.dated:
                patched.setenv("GIT_COMMITTER_DATE", self.now)
            self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD").strip()

    def sweeps(self, *days: float) -> None:
        """Sweep on each of these days; the memory is not read."""

        def make() -> None:
            for day in days:
                self.at(day).run("sweep", "--no-scan")

        self.unless_kept(f"sweeps {days}", make)
        self.at(days[-1] if days else self.day)

    def goes_stale(self, first: float = 40) -> None:
        """Two sweeps without any notes: what is promoted and not pinned is demoted."""
        self.remembers("something else entirely, which nobody promotes")

        def make() -> None:
            self.at(first).run("sweep")
            self.at(first + 1).run("sweep")

        self.unless_kept(f"goes stale on {first}", make)
        self.at(first + 1)

    def holds(self, name: str) -> bool:
        """True where AGENTS.md says so."""
        return FACTS.get(name, name) in self.read()

    def edit(self, old: str, new: str, document: str = "AGENTS.md") -> None:
        """Change the document by hand."""
        text = self.read(document)
        assert old in text, text
        self.write(document, text.replace(old, new))

    def take_out(self, name: str) -> None:
        """Delete a line by hand."""
        self.edit(f"- {FACTS.get(name, name)}\n", "")

    def record(self, name: str) -> dict[str, Any]:
        """The record of a fact, as stored."""
        return self.entries()[FACTS.get(name, name)]

    def ledger(self) -> dict[str, dict[str, Any]]:
        """The lines of the ledger by id."""
        lines = [json.loads(line) for line in ledger_in(self.root).splitlines()]
        return {line["id"]: line for line in lines}

    def line(self, name: str) -> dict[str, Any] | None:
        """The ledger's line of a fact."""
        from intermem.core.entries.identity import identity

        return self.ledger().get(identity(FACTS.get(name, name)))

    def standing(self, name: str) -> str | None:
        """What the ledger says of a fact."""
        line = self.line(name)
        return None if line is None else str(line["status"])

    def is_settled(self) -> None:
        """A sweep now would change neither document nor ledger."""
        self.run("sweep", "--no-scan", "--check")


@pytest.fixture
def person(tmp_path: Path, capsys: pytest.CaptureFixture[str], once: Once) -> Person:
    """Somebody with a repository that has an AGENTS.md and one commit."""
    made = Person(tmp_path / "ann", tmp_path / "ann-memory", capsys)
    made.root.mkdir()
    made.memory.mkdir()
    once(made, _start)
    return made


def _start(made: Person) -> None:
    made.git("init", "-q", "-b", "main")
    made.git("config", "user.name", "Ann")
    made.git("config", "user.email", "ann@example.invalid")
    made.write("AGENTS.md", "# Project\n\nHello.\n")
    made.write("src/app.py", "print('app')\n")
    made.run("init")
    made.commit("start")


@pytest.fixture
def colleague(person: Person, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Person]:
    """Make a colleague: a clone of the repository as it is committed now, no state, an empty memory."""

    def make(name: str = "ben") -> Person:
        made = Person(tmp_path / name, tmp_path / f"{name}-memory", capsys)
        named = ["-c", f"user.name={name}", "-c", f"user.email={name}@example.invalid"]
        subprocess.run(["git", "clone", "-q", *named, str(person.root), str(made.root)], check=True)
        made.memory.mkdir()
        made.kept = person.kept
        return made.at(person.day)

    return make
