"""Which functions that documents cite have changed since the lines that cite them were written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

from intermem.core.check.blocks import Unit
from intermem.core.times import format_date
from intermem.entities import Judged
from intermem.project.git.file_history import FileHistory
from intermem.workflow.changed_since import Confirmed, changed_since, names_function
from intermem.workflow.lint.run import Linted


def changed_in(history: FileHistory, found: Linted) -> Mapping[Unit, list[Judged]]:
    """Return the valid citations of changed functions, by block; of what is not committed there are none.

    A block was confirmed when its newest line was written: whoever changes a line has read it.
    """
    citing = {
        unit: [one for one in judged if names_function(one)]
        for unit, judged in zip(found.units, found.verdicts, strict=True)
        if any(map(names_function, judged))
    }
    asked = {
        unit: [Confirmed(one, commit, day) for one in citing[unit]]
        for unit, commit, day in _written_in(history, list(citing))
    }
    changed = changed_since(history, [one for wanted in asked.values() for one in wanted])
    return {
        unit: [changed[one.citation, one.commit] for one in wanted if (one.citation, one.commit) in changed]
        for unit, wanted in asked.items()
    }


def _written_in(history: FileHistory, units: list[Unit]) -> Iterator[tuple[Unit, str, str]]:
    """Yield blocks that are committed with the commit that wrote their newest line, and its day."""
    head = history.git.head
    if head is None:
        return
    files = sorted({unit.file for unit in units})
    texts = history.texts((head, file) for file in files)
    writers = {file: history.writers(file) for file in files}
    for unit in units:
        text = texts.get((head, unit.file), "").replace("\r\n", "\n")
        at = text.find(unit.text)
        first = text.count("\n", 0, at)
        lines = writers[unit.file][first : first + unit.text.count("\n") + 1] if at >= 0 else ()
        if lines:
            seconds, commit = max(lines)
            yield unit, commit, _day(seconds)


def _day(seconds: int) -> str:
    """The day of a moment; empty for one that no calendar has, as a stranger's commit may."""
    try:
        return format_date(datetime.fromtimestamp(seconds, UTC))
    except (ValueError, OverflowError, OSError):
        return ""
