"""The files that an operation writes, as edits: documents and the ledger."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from intermem.core.lifecycle.effects import Effect
from intermem.core.markdown.lines import split_lines
from intermem.core.reconcile.ledger import ATTRIBUTES, UNION_MERGE, Ledger, ledger_text, with_tombstones
from intermem.core.reconcile.ledger_update import Policy, updated_lines
from intermem.entities import LEDGER, Record
from intermem.project.documents import Document
from intermem.storage.operations import FileWrite
from intermem.workflow.branch_state import BranchState
from intermem.workflow.workspace import Workspace
from intermem.workflow.writeback import file_write_for


@dataclass(frozen=True, slots=True)
class Edit:
    """A file to write: its resolved path, its name, its text before (None: no file) and after."""

    path: Path
    name: str
    before: str | None
    after: str


def document_edit(document: Document, text: str) -> Edit:
    """Return the edit that replaces the text of ``document``."""
    return Edit(document.path, document.name, document.text, text)


def ledger_edits(
    workspace: Workspace,
    state: BranchState,
    after: Iterable[Record],
    *,
    sections: Mapping[str, str] | None = None,
    newly_rejected: Iterable[str] = (),
    lifted: Iterable[str] = (),
    purged: Iterable[str] = (),
    effects: Sequence[Effect] = (),
    create: bool = False,
    anew: bool = False,
) -> list[Edit]:
    """Return the edits that make the ledger agree with the records ``after``.

    A branch without a ledger gets one only with ``create`` and a line to write, together with its
    ``.gitattributes``. ``effects`` are those already applied in ``after``; the lines of ``lifted``
    entries are dropped, those of ``purged`` ones become tombstones. ``anew`` writes also lines that only differ from
    the file in how they count.
    """
    if state.file is None or (state.ledger is None and not create):
        return []
    policy = Policy(
        granularity_days=workspace.config.count("ledger.granularity_days"),
        demoted_days=workspace.config.count("ledger.demoted_days"),
    )
    newly = state.reconciliation.rejected.union(newly_rejected)
    records = [record for record in after if record.document not in state.branch.unread]
    aliases = dict(state.reconciliation.former)
    for effect in effects:
        if effect.heir is not None:
            aliases[effect.entry_id] = effect.heir
        elif effect.new_id is not None:
            aliases[effect.entry_id] = effect.new_id
        elif effect.stands:
            aliases.pop(effect.entry_id, None)
    former = _by_owner(aliases)
    headings = {**state.sections, **(sections or {})}
    lines = updated_lines(state.ledger, records, former, headings, newly, workspace.now.date(), policy)
    for key in lifted:
        lines.pop(key, None)
    restored = {effect.standing_id for effect in effects if effect.stands}
    for key, line in lines.items():
        if restored & set(line.was):  # an entry in its own right again
            lines[key] = replace(line, was=tuple(name for name in line.was if name not in restored))
    lines = with_tombstones(lines, dict.fromkeys(purged, workspace.now.date()))
    if state.ledger is not None and lines == state.ledger.lines and not (anew or _needs_folding(state.ledger)):
        return []
    if state.ledger is None and not lines:
        return []
    edits = [Edit(state.file.path, LEDGER, state.file.text, ledger_text(lines))]
    if state.file.attributes is not None and state.ledger is None:
        edits.insert(
            0, Edit(state.file.attributes, ATTRIBUTES, None, UNION_MERGE)
        )  # created only together with the ledger
    return edits


def file_writes_for(workspace: Workspace, edits: Iterable[Edit]) -> list[FileWrite]:
    """Return the file writes that carry out ``edits``, in order."""
    return [
        file_write_for(workspace.checkout, one.path, one.name, one.before, one.after, workspace.now) for one in edits
    ]


def _by_owner(aliases: Mapping[str, str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for alias, key in sorted(aliases.items()):
        found.setdefault(key, []).append(alias)
    return found


def _needs_folding(ledger: Ledger) -> bool:
    return sum(1 for line in split_lines(ledger.text) if line.strip()) != len(ledger.lines)
