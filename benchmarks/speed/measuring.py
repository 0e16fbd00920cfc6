"""Measure commands that take turns, and put what they took beside the bars."""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.check_speed import Taken, median, run

INTERMEM = (sys.executable, "-m", "intermem")
IDLE = (sys.executable, "-I", "-c", "pass")


@dataclass(frozen=True)
class Job:
    """A command in a folder; ``before`` is done before each run, and not measured."""

    command: tuple[str, ...]
    where: Path
    before: Callable[[], object] = lambda: None


@dataclass(frozen=True)
class Row:
    """A bar: what was measured, against which yardstick, the ratio, and the most that it may be (0: none)."""

    bar: str
    what: str
    measured: str
    yardstick: str
    ratio: float
    most: float
    note: str = ""

    @property
    def cells(self) -> tuple[str, ...]:
        """The row of the table."""
        verdict = "–" if not self.most else "yes" if self.ratio <= self.most else "**no**"
        most = f"≤ {self.most:g}" if self.most else "–"
        return (self.bar, self.what, self.measured, self.yardstick, f"{self.ratio:.2g}", most, verdict, self.note)


@dataclass
class Table:
    """The rows that were measured."""

    runs: int
    rows: list[Row] = field(default_factory=list)

    def add(self, row: Row) -> None:
        """Add a row, and print it: a long run shows what it has."""
        self.rows.append(row)
        print(" | ".join(row.cells), flush=True)

    def turns(self, jobs: Mapping[str, Job]) -> dict[str, Taken]:
        """Return the median of each job; they take turns, so that a slow minute slows all of them."""
        taken: dict[str, list[Taken]] = {name: [] for name in jobs}
        for _ in range(self.runs):
            for name, job in jobs.items():
                job.before()
                taken[name].append(run([*job.command], job.where))
        return {name: median(times) for name, times in taken.items()}

    def compare(self, bar: str, what: str, one: Taken, yardstick: str, other: Taken, most: float) -> None:
        """Add the ratio of two medians."""
        self.add(Row(bar, what, seconds(one.wall), f"{yardstick}: {seconds(other.wall)}", one.wall / other.wall, most))

    def memory(self, bar: str, what: str, one: Taken, most: float) -> None:
        """Add a peak of memory, in MiB."""
        used = one.memory / 1024
        self.add(Row(bar, what, f"{used:.0f} MiB", "MiB", used, most))

    @property
    def markdown(self) -> str:
        """The rows as a table."""
        head = ("", "what", "median", "yardstick", "ratio", "bar", "met", "")
        lines = [head, tuple("---" for _ in head), *(row.cells for row in self.rows)]
        return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def seconds(wall: float) -> str:
    """Return a time in words."""
    return f"{1000 * wall:.0f} ms" if wall < 1 else f"{wall:.1f} s"


def medians(times: Mapping[str, list[float]]) -> dict[str, float]:
    """Return the median of what functions took, measured in this process."""
    return {name: statistics.median(values) for name, values in times.items()}
