"""A commit message for what of the ledger is not committed yet: what happened to which entry, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from intermem.core.entries.observation import preview_of
from intermem.core.entries.secrets import secret_rule
from intermem.core.reconcile.events import OF_OBSERVERS, RANK, STANDING, LedgerEvent, What, event_text, parse_event
from intermem.core.region.parse import find_region
from intermem.entities import LEDGER
from intermem.errors import DocumentRefused, RepositoryError
from intermem.project.git.worktree import Worktree
from intermem.results import FileDiff
from intermem.results.curate import CommitMessage, MessageLine
from intermem.workflow.branch_state import BranchState, load_branch_state
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
_RECORD = "record"
_ORDER = [*_VERBS.values(), _RECORD]
_REPLACES = {"standing": STANDING, "pin": {What.PINNED, What.UNPINNED}}  # of these only the last of an entry counts
_OBSERVED = {What.HELD: "held", What.LOST: "lost", What.ALIVE: "alive"}


def require_working_tree(workspace: Workspace) -> Worktree:
    """Return the working tree that a message is for. Raises RepositoryError where there is none."""
    worktree = workspace.worktree
    if worktree is None or worktree.bare:
        raise RepositoryError("--message needs a git working tree, and there is none here", hint="leave it out")
    return worktree


def commit_message(workspace: Workspace, planned: Sequence[FileDiff] = ()) -> CommitMessage | None:
    """Return a message for the events that HEAD does not have, or on a branch without a ledger for what came into the
    documents and left them; None if there is nothing of that.

    ``planned`` is what a dry run would change. Raises RepositoryError where there is no working tree, and what reading
    the ledger raises.
    """
    worktree = require_working_tree(workspace)
    with workspace.viewing() as metadata:
        state = load_branch_state(workspace, metadata)
        texts = {record.entry_id: record.shown_text for record in state.records.values()}
    if state.files is None or state.ledger is None:
        return _message_without_ledger(worktree, state, planned)
    committed = worktree.documents.ledger_at("HEAD")[0] if worktree.head is not None else {}
    added = {
        one.document.removeprefix(f"{LEDGER}/"): one.after for one in planned if one.document.startswith(f"{LEDGER}/")
    }
    found = {**state.files.texts, **added}
    new = [parse_event(text, name) for name, text in found.items() if text is not None and name not in committed]
    return message_of(new, texts, _kept(worktree, state, planned))


def message_of(
    events: Iterable[LedgerEvent], texts: Mapping[str, str], kept: Collection[str] = ()
) -> CommitMessage | None:
    """Return a message for ``events``; None if there are none.

    ``texts`` are those of entries, by id. ``kept`` are the entries that a document has in HEAD as well as now: whatever
    the ledger says of where they stood in between is only recorded.
    """
    events = list(events)
    lines = [_line(event, texts, kept) for event in _last(events) if event.what in _VERBS]
    observed = Counter(_OBSERVED[What(event.what)] for event in events if event.what in OF_OBSERVERS)
    return _message(lines, observed)


def _message_without_ledger(
    worktree: Worktree, state: BranchState, planned: Sequence[FileDiff]
) -> CommitMessage | None:
    lines: list[MessageLine] = []
    committed, now = _standing(worktree, state, planned)
    for key in sorted(committed ^ now):
        record = state.records.get(key)
        if key in now:
            what, cause = What.PROMOTED, ""
        else:
            what = What.REJECTED if record is not None and record.rejected_at is not None else What.DEMOTED
            cause = record.reason if record is not None else ""
        text = record.shown_text if record is not None else ""
        lines.append(_told(str(what), _VERBS[what], record.entry_id if record is not None else key, text, cause))
    return _message(lines, Counter())


def _message(lines: list[MessageLine], observed: Counter[str]) -> CommitMessage | None:
    lines.sort(key=lambda line: _ORDER.index(line.verb))
    counts = Counter(verb for verb, _ in {(line.verb, line.id) for line in lines})
    said = {verb: str(count) if len(counts) > 1 else _entries(count) for verb, count in counts.items()}
    parts = [f"{verb} {said[verb]}" for verb in _ORDER if verb in said]
    if not parts and not observed:
        return None
    subject = ", ".join(parts) if parts else "what this memory holds"
    seen = ", ".join(f"{count} {what}" for what, count in sorted(observed.items()))
    return CommitMessage(subject=f"intermem: {subject}", lines=tuple(lines), observed=seen)


def _last(events: Iterable[LedgerEvent]) -> list[LedgerEvent]:
    """Return the events in their order; of those on where an entry stands, and of those on its pin, the last."""
    found: dict[tuple[str, str], LedgerEvent] = {}
    for event in sorted(events, key=lambda one: (one.at, RANK.get(one.what, -1), one.id)):
        kind = next((kind for kind, whats in _REPLACES.items() if event.what in whats), event_text(event))
        found[event.id, kind] = event
    return sorted(found.values(), key=lambda one: (one.at, one.id))


def _kept(worktree: Worktree, state: BranchState, planned: Sequence[FileDiff]) -> set[str]:
    """Return the entries that a document has in HEAD and in the working tree, as ``planned`` leaves it."""
    lines = state.ledger.lines.values() if state.ledger is not None else ()
    owners = {name: line.entry_id for line in lines for name in line.names}
    committed, now = _standing(worktree, state, planned)
    return {owners.get(key, key) for key in committed} & {owners.get(key, key) for key in now}


def _standing(worktree: Worktree, state: BranchState, planned: Sequence[FileDiff]) -> tuple[set[str], set[str]]:
    """Return the lines that documents have in HEAD, and those in the working tree, as ``planned`` leaves it."""
    names = [document.name for document in state.documents.found] if worktree.head is not None else []
    committed = {key for name in names for key in _ids(worktree.text_at(f"HEAD:{worktree.prefix}{name}"), name)}
    now = set(state.branch.items)
    for one in planned:
        before, after = (_ids(text, one.document) for text in (one.before, one.after))
        now = (now | after) - (before - after)
    return committed, now


def _ids(text: str | None, name: str) -> set[str]:
    try:
        region = find_region(text, name) if text is not None else None
    except DocumentRefused:
        return set()
    return set(region.ids) if region is not None else set()


def _line(event: LedgerEvent, texts: Mapping[str, str], kept: Collection[str]) -> MessageLine:
    text = "" if event.what == What.PURGED else texts.get(event.id, texts.get(event.written or "", ""))
    what, verb = event.what, _VERBS[What(event.what)]
    if event.id in kept and event.what in STANDING - {What.PURGED}:
        what, verb = "recorded", _RECORD
    return _told(what, verb, event.id, text, event.cause)


def _told(what: str, verb: str, entry_id: str, text: str, cause: str) -> MessageLine:
    """One line; of a text that seems to hold a secret, or part of one, nothing is said."""
    shown = preview_of(text)
    return MessageLine(what=what, verb=verb, id=entry_id, text="" if secret_rule(shown) else shown, cause=cause)


def _entries(number: int) -> str:
    return "1 entry" if number == 1 else f"{number} entries"
