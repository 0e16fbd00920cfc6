"""``worth``: judge whether given texts are worth a line (plumbing)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from intermem.core.worth.passage import Note
from intermem.core.worth.worth import worth_of
from intermem.errors import UsageError
from intermem.results import Judgement
from intermem.results.inspect import WorthResult
from intermem.workflow.json_lines import hint_on, read_entries
from intermem.workflow.workspace import Workspace

_OPTIONAL = ("section", "type", "source_file")


def worth(workspace: Workspace, entries: str) -> WorthResult:
    """Return the worth of the texts in ``entries``: a file of JSON lines, ``-`` for standard input.

    ``promote`` of an entry is whether it would be written if it were stable and true. Raises UsageError for an
    invalid line.
    """
    limits = workspace.config.limits()
    judged: list[Judgement] = []
    for name, note in _notes(workspace, entries):
        found = worth_of(note, limits.characters)
        passes = found.text is not None and found.score >= limits.worth and note.type in workspace.config.rules().types
        judged.append(Judgement(name, passes, found.kind, found.score, found.text, found.points))
    return WorthResult(min_worth=limits.worth, entries=judged)


def _notes(workspace: Workspace, entries: str) -> Iterator[tuple[str, Note]]:
    for where, given in read_entries(workspace, entries, _OPTIONAL):
        wrong = next((name for name in _OPTIONAL if not isinstance(given.get(name) or "", str)), None)
        if wrong is not None:
            raise UsageError(f"{where}: {wrong} is not a string", hint=hint_on(_OPTIONAL))
        yield given["id"], _note(given)


def _note(given: Mapping[str, Any]) -> Note:
    section, kind, file = (given.get(name) or "" for name in _OPTIONAL)
    return Note(given["entry_text"], section, kind or "untyped", file)
