"""Apply the [retention] table: which records expire, and what happens to them."""

from __future__ import annotations

from intermem.core.lifecycle.retention import Expiry, Leaving, Retention
from intermem.entities import HistoryRow
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
