"""``demote`` and ``reject``: a person takes single entries out."""

from __future__ import annotations

from collections.abc import Sequence

from intermem.core.lifecycle.effects import Effect
from intermem.core.lifecycle.feedback import FeedbackKind
from intermem.core.lifecycle.selection import ANY, Selectors
from intermem.core.times import format_date
from intermem.entities import Record, Status
from intermem.results.decide import DecisionResult
from intermem.workflow.branch_state import (
    find_line,
)
from intermem.workflow.changeset import (
    ChangeSet,
    archive,
    remove_from_documents,
    require_ledger,
    run_changeset,
)
from intermem.workflow.decision import decision_on
from intermem.workflow.feedback import FeedbackInput, forget
from intermem.workflow.run_mode import RunMode
from intermem.workflow.unread import unread_notices
from intermem.workflow.unscanned import gone_stale_notices
from intermem.workflow.workspace import Workspace

_DONE = {"reject": "rejected", "demote": "demoted"}


def take_out(
    workspace: Workspace,
    verb: str,
    prefixes: Sequence[str],
    *,
    wanted: Selectors = ANY,
    for_review: bool = False,
    reason: str = "",
    mode: RunMode,
) -> DecisionResult:
    """Carry out ``verb`` (reject or demote) on the entries named by ``prefixes``.

    ``demote`` also takes those that ``wanted`` selects, and can flag them ``for_review``. Exit code 1 if one was
    refused (the others are done), or none is selected. Raises NoSuchEntry, with nothing written, if a prefix matches no
    entry.
    """

    told: list[str] = []

    def collect(changeset: ChangeSet) -> None:
        nonlocal told
        keys = list(dict.fromkeys(changeset.find(prefix) for prefix in prefixes))
        meant, told = _meant(changeset, wanted, workspace)
        keys += [one.id for one in meant]
        if for_review:
            for key in keys:
                _for_review(workspace, changeset, key, reason)
        else:
            remove_from_documents(
                changeset,
                [one for key in keys if (one := _removal(workspace, changeset, key, verb, reason)) is not None],
            )

    plan, notices = run_changeset(workspace, verb, collect, mode)
    return decision_on(plan, mode, verb, _DONE[verb], documents=plan.destinations, notices=(*notices, *told))


def _removal(workspace: Workspace, changeset: ChangeSet, key: str, verb: str, reason: str) -> Effect | None:
    """The effect that removes an entry; None if it is set aside, being in no document, or that was refused."""
    state = changeset.state
    record, line = state.records[key], find_line(state, key)
    if verb == "reject" and record.rejected_at is not None and record.document is None:
        changeset.refuse(record, "rejected", f"already rejected on {format_date(record.rejected_at)}")
        return None
    if changeset.refuse_pinned(record, workspace.now):
        return None
    if verb == "demote" and record.document is None:
        require_ledger(state, record)
        is_untold = record.kept_out and record.rejected_at is None and line is None  # pruned, in this clone alone
        if not (changeset.refuse_missing(record) or (not is_untold and changeset.refuse_withdrawn(record))):
            archive(workspace, changeset, record, reason or "by hand", "hand", tells=True)
        return None
    name = record.document or record.missing_from or ""
    return Effect(kind=verb, entry_id=key, document=name, reason=reason or "by hand", cause="hand")


def _meant(changeset: ChangeSet, wanted: Selectors, workspace: Workspace) -> tuple[list[Record], list[str]]:
    """The entries that are selected, but for what is demoted or rejected already; none without a selector.

    And notices of those that are not old as they stand in the memory, or stand in what cannot be read of it.
    """
    if not wanted:
        return [], []

    def is_meant(one: Record) -> bool:
        return one.document is not None or (one.status is not Status.DEMOTED and one.rejected_at is None)

    found, told = changeset.selected_now(wanted, workspace.now, is_meant=is_meant)
    stale = gone_stale_notices(workspace, wanted, changeset.known(wanted), changeset.seen)
    told = told if wanted.older_than is not None else unread_notices(found, changeset.state.unread)
    is_out = not found and changeset.selected_now(wanted, workspace.now, is_meant=lambda _: True)[0]
    return found, [*told, *stale, *(["what is demoted or rejected already is not considered"] if is_out else [])]


def _for_review(workspace: Workspace, changeset: ChangeSet, key: str, reason: str) -> None:
    """Demote an entry and flag it for review, if nothing speaks against it."""
    record = changeset.state.records[key]
    require_ledger(changeset.state, record)
    forget(workspace, changeset, record, FeedbackInput(kind=FeedbackKind.FORGET, note=reason))
