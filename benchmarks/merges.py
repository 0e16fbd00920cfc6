"""How often two branches that each promote three entries conflict, and what is left of them afterwards.

usage: python -m benchmarks.merges [TRIES]

For a region of 0, 10 and 80 entries and each seed: two branches promote three entries of random
sections each and are merged by plain git. Counts conflicts of the ledger (there must be none) and
of the document, and what ``doctor --repair`` makes of the latter: the union, and nothing outside
the region touched. Prints a table; exit code 1 where something was lost or touched.
"""

from __future__ import annotations

import contextlib
import io
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from intermem.cli.main import main
from intermem.core.reconcile.ledger_history import ledger_of
from intermem.core.region.parse import find_region
from intermem.entities import LEDGER

SIZES = (0, 10, 80)
SECTIONS = ("Build", "Deploy", "Gotchas", "Style", "Testing", "Database")
WORDS = Path(__file__).read_text("utf-8").replace('"', " ").replace("`", " ").split()[:400]

BEFORE = "# Project\n\nHello.\n"
AFTER = "\n## Further reading\n\nThe manual.\n"


@dataclass(frozen=True)
class Outcome:
    """What became of one merge."""

    ledger_conflict: bool
    document_conflict: bool
    is_union: bool
    is_untouched: bool
    is_settled: bool


@dataclass(frozen=True)
class Project:
    """A repository and a memory."""

    root: Path
    memory: Path

    def run(self, *arguments: str) -> int:
        """Run intermem at a fixed moment, silently; return the exit code."""
        place = ["--project-root", str(self.root), "--memory-dir", str(self.memory), "--now", "2026-01-05T00:00:00Z"]
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            return main([*arguments, *place])

    def git(self, *arguments: str) -> str:
        """Run git and return what it prints, conflicts included."""
        named = ["-c", "user.name=Bench", "-c", "user.email=bench@example.invalid"]
        environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
        environment |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        command = ["git", "-C", str(self.root), *named, *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False, env=environment).stdout

    def promotes(self, notes: Iterable[tuple[str, str]]) -> None:
        """Promote ``notes`` (section and text) and commit."""
        text = "".join(f"## {section}\n\n- {note}\n\n" for section, note in notes)
        (self.memory / "MEMORY.md").write_text(text, "utf-8")
        self.run("scan")
        self.run("promote", "--yes", "--min-snapshots", "1", "--limit", "0")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "promote")

    def texts(self) -> Counter[str]:
        """The entries that stand."""
        region = find_region(self.document(), "AGENTS.md")
        return Counter(item.text for item in region.items) if region is not None else Counter()

    def document(self) -> str:
        """The document's text."""
        return (self.root / "AGENTS.md").read_bytes().decode("utf-8")


def made(where: Path, size: int) -> Project:
    """Return a project whose region holds ``size`` entries."""
    project = Project(where / "repo", where / "memory")
    project.root.mkdir(parents=True)
    project.memory.mkdir()
    project.git("init", "-q", "-b", "main")
    project.git("config", "intermem.promote.minWorth", "0")  # the notes are random words
    (project.root / "intermem.toml").write_text("[promote]\nbudget_tokens = 0\nbudget_entries = 0\n", "utf-8")
    (project.root / "AGENTS.md").write_text(BEFORE, "utf-8")
    project.run("init")
    with (project.root / "AGENTS.md").open("a", encoding="utf-8") as document:
        document.write(AFTER)
    project.git("add", "-A")
    project.git("commit", "-q", "-m", "start")
    if size:
        project.promotes(notes(random.Random(size), size))
    return project


def notes(chance: random.Random, count: int) -> list[tuple[str, str]]:
    """Return ``count`` random notes with their sections."""
    return [(chance.choice(SECTIONS), " ".join(chance.sample(WORDS, 9))) for _ in range(count)]


def merged(base: Project, where: Path, seed: int) -> Outcome:
    """Let two branches of a copy of ``base`` promote three entries each, and merge them."""
    shutil.copytree(base.root.parent, where, symlinks=True)
    project = Project(where / "repo", where / "memory")
    chance = random.Random(f"try {seed}")
    before = project.texts()
    ours, theirs = notes(chance, 3), notes(chance, 3)
    project.git("branch", "feature")
    project.promotes(ours)
    one = project.texts()
    project.git("checkout", "-q", "feature")
    project.promotes(theirs)
    other = project.texts()
    project.git("checkout", "-q", "main")
    merge = project.git("merge", "-q", "--no-edit", "feature")
    said = "\n".join(line for line in merge.split("\n") if line.startswith("CONFLICT"))
    conflict = "AGENTS.md" in said
    if conflict:
        project.run("doctor", "--repair")
        project.git("add", "AGENTS.md")
        project.git("commit", "-q", "--no-edit")
    text = project.document()
    region = find_region(text, "AGENTS.md")
    head = text[: region.begin] if region is not None else ""
    tail = text[region.end :] if region is not None else ""
    events = {path.name: path.read_text("utf-8") for path in (project.root / LEDGER).iterdir()}
    lines = ledger_of(events, None).lines
    return Outcome(
        ledger_conflict=".intermem" in said,
        document_conflict=conflict,
        is_union=project.texts() == one | other and len(one) == len(other) == len(before) + 3 == len(lines) - 3,
        is_untouched=head == BEFORE + "\n## Project memory\n\n" and tail == AFTER,
        is_settled=project.run("sweep", "--no-scan") == 0 and project.run("sweep", "--no-scan", "--check") == 0,
    )


def measured(size: int, tries: int) -> list[Outcome]:
    """Return the outcomes of ``tries`` seeded merges in a region of ``size`` entries."""
    with tempfile.TemporaryDirectory() as folder:
        base = made(Path(folder) / "base", size)
        return [merged(base, Path(folder) / f"try-{seed}", seed) for seed in range(tries)]


def report(tries: int) -> int:
    """Print the table; return 1 where a merge came out wrong."""
    print(f"{tries} merges each: two branches promote 3 entries each into a region of N entries")
    print("   N  ledger conflicts  document conflicts  not the union  outside touched  not settled")
    wrong = 0
    for size in SIZES:
        found = measured(size, tries)
        bad = [
            sum(one.ledger_conflict for one in found),
            sum(not one.is_union for one in found),
            sum(not one.is_untouched for one in found),
            sum(not one.is_settled for one in found),
        ]
        conflicts = sum(one.document_conflict for one in found)
        print(f"{size:4}  {bad[0]:16}  {conflicts:18}  {bad[1]:13}  {bad[2]:15}  {bad[3]:11}", flush=True)
        wrong += sum(bad)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(report(int(sys.argv[1]) if len(sys.argv) > 1 else 100))
