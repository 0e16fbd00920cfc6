"""Apply the [retention] table: which records expire, and what happens to them."""

from __future__ import annotations

from collections.abc import Iterable

from intermem.core.lifecycle.retention import Expiry, Leaving, Retention
from intermem.core.reconcile.gone import heir_of
from intermem.core.reconcile.ledger import Standing
from intermem.entities import HistoryRow, Record
from intermem.project.config_keys import KEYS
from intermem.workflow.branch_state import BranchState
from intermem.workflow.changeset import ChangeSet, archive
from intermem.workflow.workspace import Workspace


def retention_of(workspace: Workspace) -> Retention:
    """Return the [retention] table of the configuration."""
    config = workspace.config
    return Retention(
        enabled=config.flag("retention.enabled"),
        days={kind: int(days) for kind, days in config.table("retention.days").items()},
        archive_days=config.count("retention.archive_days"),
        superseded_days=config.count("retention.superseded_days"),
    )


def unused_types(workspace: Workspace, table: str, records: Iterable[Record]) -> list[str]:
    """A notice if a table of the configuration by types names one that no agent and no entry has, perhaps misspelt."""
    usual = next(key.default for key in KEYS if key.name == "retention.days")
    assert isinstance(usual, dict)
    unused = sorted(workspace.config.table(table).keys() - usual.keys() - {record.type for record in records})
    return [f"{table} names {', '.join(unused)}, but no entry is of that type"] if unused else []


def told_in_ledger(state: BranchState) -> frozenset[str]:
    """Return the ids of the entries that the ledger tells of, by whatever id it has of them."""
    lines = state.ledger.lines.values() if state.ledger is not None else ()
    names = {name for line in lines for name in (line.entry_id, *line.names)}
    return frozenset(names.union(owner for alias, owner in state.aliases.items() if alias in names))


def heirs_in_ledger(state: BranchState) -> frozenset[str]:
    """Return the ids of the entries that a person put in the place of others, as the ledger tells."""
    lines = state.ledger.lines.values() if state.ledger is not None else ()
    records = tuple(state.records.values())
    found = (heir_of(line, records) for line in lines if line.status is Standing.DEMOTED)
    return frozenset(one for one in found if one is not None)


def collect_expiry(workspace: Workspace, changeset: ChangeSet, expiry: Expiry, *, delete: bool = False) -> None:
    """Add the entries that expire to the change set; none of them is in a document."""
    for one in expiry.demoted:
        if delete:
            collect_deletion(workspace, changeset, one, "retention")
        else:
            archive(workspace, changeset, one.record, one.reason, "retention")
    for one in expiry.deleted:
        collect_deletion(
            workspace, changeset, one, "superseded" if one.record.superseded_by is not None else "retention"
        )


def collect_deletion(workspace: Workspace, changeset: ChangeSet, one: Leaving, cause: str) -> None:
    changeset.deleted.add(one.record.id)
    row = HistoryRow(at=workspace.now, event="deleted", entry_id=one.record.id, detail=one.reason, cause=cause)
    changeset.leaving.append(row)
