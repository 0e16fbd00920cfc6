"""``show``: the full text of one entry, and where it comes from."""

from __future__ import annotations

from intermem.core.entries.secrets import without_secret
from intermem.results.inspect import ShowResult
from intermem.workflow.access import count_access
from intermem.workflow.alike_notes import alike_notes
from intermem.workflow.branch_state import formerly, load_branch_state
from intermem.workflow.ledger_story import find_told
from intermem.workflow.workspace import Workspace, pending_notice


def show(workspace: Workspace, prefix: str) -> ShowResult:
    """Return the entry whose id starts with ``prefix``, demoted ones too, and its sources as of the last snapshot.

    Raises NoSuchEntry. Writes nothing, but the access where ``query.why_counts`` is set.
    """
    with workspace.viewing() as metadata:
        state, key = find_told(workspace, metadata, load_branch_state(workspace, metadata), prefix)
        sources = metadata.sources(formerly(state, key))
        also = alike_notes(workspace, metadata, state, state.records[key])
        notices = pending_notice(metadata)
    record = state.records[key]
    if key in state.told:
        notices.append(f"no record of it here: {record.reason}")
    if workspace.config.flag("query.why_counts"):
        count_access(workspace, [record], state)
    return ShowResult(entry=without_secret(record), sources=sources, also=also, notices=tuple(notices))
