"""A commit message for what of the ledger is not committed yet: what happened to which entry, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from intermem.core.entries.observation import preview_of
from intermem.core.entries.secrets import secret_rule
from intermem.core.reconcile.events import OF_OBSERVERS, LedgerEvent, What, parse_event
from intermem.errors import RepositoryError
from intermem.project.git.worktree import Worktree
from intermem.results.curate import CommitMessage, MessageLine
from intermem.workflow.branch_state import load_branch_state
from intermem.workflow.workspace import Workspace

_VERBS = {
    What.PROMOTED: "promote",
    What.RESTORED: "restore",
    What.DEMOTED: "demote",
    What.REJECTED: "reject",
    What.REWORDED: "reword",
    What.PINNED: "pin",
    What.UNPINNED: "unpin",
    What.FEEDBACK: "judge",
    What.PURGED: "purge",
}
_ORDER = list(_VERBS.values())
_OBSERVED = {What.HELD: "held", What.LOST: "lost", What.ALIVE: "alive"}


def require_working_tree(workspace: Workspace) -> Worktree:
    """Return the working tree that a message is for. Raises RepositoryError where there is none."""
    worktree = workspace.worktree
    if worktree is None or worktree.bare:
        raise RepositoryError("--message needs a git working tree, and there is none here", hint="leave it out")
    return worktree


def commit_message(workspace: Workspace) -> CommitMessage | None:
    """Return a message for the events that HEAD does not have; None if there are none.

    Raises RepositoryError where there is no working tree, and what reading the ledger raises.
    """
    worktree = require_working_tree(workspace)
    with workspace.viewing() as metadata:
        state = load_branch_state(workspace, metadata)
        texts = {record.entry_id: record.shown_text for record in state.records.values()}
    if state.files is None:
        return None
    committed = worktree.documents.ledger_at("HEAD")[0] if worktree.head is not None else {}
    new = [parse_event(text, name) for name, text in state.files.texts.items() if name not in committed]
    return message_of(new, texts)


def message_of(events: Iterable[LedgerEvent], texts: Mapping[str, str]) -> CommitMessage | None:
    """Return a message for ``events``; ``texts`` are those of entries, by id. None if there are no events."""
    found = sorted(events, key=lambda one: (_place(one), one.at, one.id))
    lines = [_line(event, texts) for event in found if event.what in _VERBS]
    counts = Counter(line.verb for line in lines)
    said = {verb: str(count) if len(counts) > 1 else _entries(count) for verb, count in counts.items()}
    parts = [f"{verb} {said[verb]}" for verb in _ORDER if verb in said]
    observed = Counter(_OBSERVED[What(event.what)] for event in found if event.what in OF_OBSERVERS)
    if not parts and not observed:
        return None
    subject = ", ".join(parts) if parts else "what this memory holds"
    seen = ", ".join(f"{count} {what}" for what, count in sorted(observed.items()))
    return CommitMessage(subject=f"intermem: {subject}", lines=tuple(lines), observed=seen)


def _line(event: LedgerEvent, texts: Mapping[str, str]) -> MessageLine:
    text = preview_of(texts.get(event.id, texts.get(event.written or "", "")))
    shown = "" if secret_rule(text) or event.what == What.PURGED else text
    return MessageLine(what=event.what, verb=_VERBS[What(event.what)], id=event.id, text=shown, cause=event.cause)


def _place(event: LedgerEvent) -> int:
    return _ORDER.index(_VERBS[What(event.what)]) if event.what in _VERBS else len(_ORDER)


def _entries(number: int) -> str:
    return "1 entry" if number == 1 else f"{number} entries"
