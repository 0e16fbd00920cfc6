"""Step 2 of a run: documents and ledger read, the records reconciled with what they say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from intermem.core.entries.prefixes import checked_prefix, only_one
from intermem.core.reconcile.ledger import Ledger, Line, Standing, parse_ledger
from intermem.core.reconcile.lineage import Lineage
from intermem.core.reconcile.model import Branch, ReconcilePolicy, Reconciliation, standing_items
from intermem.core.reconcile.reconcile import needs_lineage, reconcile
from intermem.entities import LEDGER, HistoryRow, Problem, Record
from intermem.errors import DocumentRefused, IntermemError
from intermem.project.committed_files import LedgerFile, read_ledger_file
from intermem.project.documents import AUTO_TARGETS, Documents
from intermem.storage.metadata import Metadata
from intermem.storage.record_writes import absorb_record, add_aliases, add_history, rename_record, save_records
from intermem.workflow.workspace import Workspace


@dataclass(frozen=True, slots=True)
class BranchState:
    """What this branch says, and what that makes of the records.

    ``documents`` are those that may be written; ``problems`` name the others. ``file`` and
    ``ledger`` are None where there is no ledger, or where it was refused. ``records`` and
    ``aliases`` are as they stand on this branch.
    """

    documents: Documents
    branch: Branch
    file: LedgerFile | None
    reconciliation: Reconciliation
    records: Mapping[str, Record]
    aliases: Mapping[str, str]
    problems: tuple[Problem, ...] = ()

    @property
    def ledger(self) -> Ledger | None:
        """The ledger of this branch, None where there is none or it was refused."""
        return self.branch.ledger

    @property
    def sections(self) -> dict[str, str]:
        """The heading that each standing entry stands under."""
        return {key: item.section for key, (_, item) in self.branch.items.items()}


def load_branch_state(workspace: Workspace, metadata: Metadata, *, thorough: bool = False) -> BranchState:
    """Return how every entry stands on this branch; nothing is written.

    ``thorough`` also asks the history about entries that may be promoted: what a person took out
    in a commit does not come back by itself, whoever asks.
    """
    documents = workspace.documents()
    stored, aliases = metadata.records(), metadata.aliases()
    try:
        file = ledger_file(workspace)
        ledger = parse_ledger(file.text) if file.text is not None else None
        if ledger is not None and not ledger.lines:
            ledger = None  # an empty file says nothing
    except IntermemError as error:
        problem = Problem(code=error.code, where=LEDGER, message=error.message, hint=error.hint)
        names = frozenset(one.name for one in documents.found)
        documents = replace(documents, found=(), problems=(problem, *documents.problems), is_first_refused=True)
        return BranchState(
            documents, Branch({}, names, None), None, Reconciliation(), stored, aliases, documents.problems
        )
    if workspace.worktree is not None and workspace.worktree.bare:
        return BranchState(
            documents, Branch({}, frozenset(), None), file, Reconciliation(), stored, aliases, documents.problems
        )
    documents = _without_lost_regions(documents, ledger)
    unread = frozenset(one.where for one in documents.problems)
    items = standing_items([(one.name, one.region.items) for one in documents.found if one.region is not None])
    branch = Branch(items, unread, ledger)
    lineage = Lineage()
    if thorough or needs_lineage(branch, stored, aliases):
        lineage = _lineage(workspace, documents, ledger)
    reconciliation = reconcile(branch, stored, aliases, lineage, _terms(workspace))
    records = _reconciled(stored, reconciliation)
    known = {alias: key for alias, key in {**aliases, **reconciliation.aliases}.items() if alias not in records}
    for key, change in reconciliation.changes.items():
        known |= {alias: key for alias, owner in known.items() if owner in change.formerly}
    return BranchState(documents, branch, file, reconciliation, records, known, documents.problems)


def ledger_file(workspace: Workspace) -> LedgerFile:
    """Return the ledger as it lies there. Raises UnreadableFile, DocumentRefused.

    One that is tracked but not checked out must not look as if there were none.
    """
    file = read_ledger_file(workspace.root, workspace.config.count("scan.max_bytes"))
    worktree = workspace.worktree if file.text is None else None
    if worktree is not None and not worktree.bare and worktree.is_left_out(worktree.prefix + LEDGER):
        raise DocumentRefused(
            f"{LEDGER} is tracked, but this sparse checkout leaves it out; nothing was written",
            hint="git sparse-checkout add .intermem",
        )
    return file


def save_reconciliation(workspace: Workspace, metadata: Metadata, here: BranchState) -> None:
    """Write what reconciling found, inside the caller's transaction."""
    changes = sorted(here.reconciliation.changes.items())
    stored = metadata.records() if changes else {}
    rows = reconciled_rows(workspace, here)
    for key, change in changes:
        before = stored.get(change.formerly[0]) if change.formerly else None
        if before is not None:
            for gone in change.formerly[1:]:
                rows.append(
                    _row(workspace, key, "joined", f"it was also on record as {gone[:8]}: {stored[gone].shown_text}")
                )
                absorb_record(metadata, gone, before.id)
            if before.id != key:
                rename_record(metadata, before.id, key)
        save_records(metadata, [(before, change.record)])
    add_aliases(metadata, here.reconciliation.aliases)
    add_history(metadata, rows)


def reconciled_rows(workspace: Workspace, here: BranchState) -> list[HistoryRow]:
    """Return what people did to the documents since the last run, as history tells it."""
    changes = sorted(here.reconciliation.changes.items())
    return [_row(workspace, key, change.event, change.detail) for key, change in changes if change.event]


def find_entry(here: BranchState, prefix: str) -> str:
    """Return the id, on this branch, of the entry whose id or former id starts with ``prefix``.

    Raises NoSuchEntry where none or several are meant.
    """
    wanted = checked_prefix(prefix)
    found = {key for key in here.records if key.startswith(wanted)}
    return only_one(prefix, found or {key for alias, key in here.aliases.items() if alias.startswith(wanted)})


def formerly(here: BranchState, key: str) -> str:
    """Return the id under which the entry ``key`` of this branch is stored."""
    change = here.reconciliation.changes.get(key)
    return change.formerly[0] if change is not None and change.formerly else key


def find_line(here: BranchState, key: str) -> Line | None:
    """Return what the ledger says of an entry, under whatever identity it knows it."""
    if here.ledger is None:
        return None
    names = [key, *(alias for alias, owner in here.aliases.items() if owner == key)]
    return next((here.ledger.lines[name] for name in names if name in here.ledger.lines), None)


def lineage_here(workspace: Workspace, here: BranchState) -> Lineage:
    """Return the history of the documents and the ledger of this branch."""
    return _lineage(workspace, here.documents, here.ledger)


def missing_notices(here: BranchState) -> list[str]:
    """Return a sentence about each document that lacks what the ledger promises, and on lines that stand twice."""
    by_document: dict[str, list[str]] = {}
    for key, document in here.reconciliation.missing:
        by_document.setdefault(document, []).append(key[:8])
    said = []
    for document, keys in sorted(by_document.items()):
        entries = "1 entry" if len(keys) == 1 else f"{len(keys)} entries"
        which = ", ".join(keys[:5]) + (", …" if len(keys) > 5 else "")
        said.append(
            f"{document} lacks {entries} that the ledger promises ({which}): intermem restore brings back,"
            " intermem reject gives up"
        )
    for one in here.documents.found:
        counts = Counter(one.region.ids) if one.region is not None else Counter[str]()
        twice = [key[:8] for key, count in counts.items() if count > 1]
        if twice:
            said.append(f"{one.name} holds {', '.join(twice)} more than once: intermem doctor --repair keeps one")
    for key, newer in here.reconciliation.twins:
        said.append(f"{key[:8]} stands beside its newer wording {newer[:8]}: take one of them out by hand")
    for key, other in here.reconciliation.siblings:
        said.append(f"{key[:8]} and {other[:8]} are two wordings of one line: intermem reject takes one out")
    return said


def _terms(workspace: Workspace) -> ReconcilePolicy:
    return ReconcilePolicy(
        now=workspace.now,
        grace=workspace.config.span("sweep.grace"),
        similarity=workspace.config.thousandths("revision.similarity") / 1000,
    )


def _reconciled(stored: Mapping[str, Record], reconciliation: Reconciliation) -> dict[str, Record]:
    gone = {name for change in reconciliation.changes.values() for name in change.formerly}
    records = {key: record for key, record in stored.items() if key not in gone}
    records |= {key: change.record for key, change in reconciliation.changes.items()}
    return dict(sorted(records.items()))


def _without_lost_regions(documents: Documents, ledger: Ledger | None) -> Documents:
    """Refuse what has lost its region, or is gone, while the ledger promises that entries stand in it."""
    standing = {key for one in documents.found if one.region is not None for key in one.region.ids}
    promised: dict[str, int] = {}
    for line in ledger.lines.values() if ledger is not None else ():
        if line.status is Standing.PROMOTED and line.id not in standing:
            promised[line.document] = promised.get(line.document, 0) + 1
    problems: list[Problem] = []
    lost: set[str] = set()
    refused = {problem.where for problem in documents.problems}
    for name in sorted(promised):
        document = documents.named(name)
        if name in refused or (document is not None and document.region is not None):
            continue
        lost.add(document.name if document is not None else name)
        entries = "1 entry" if promised[name] == 1 else f"{promised[name]} entries"
        what = "has lost its region" if document is not None else "is gone, or no longer among the targets"
        problems.append(
            Problem(
                code="region-lost",
                where=name,
                message=f"{name} {what}, but {LEDGER} promises {entries} in it; nothing is concluded from that",
                hint=f"git checkout HEAD -- {name} brings the whole file back (init --remove is the way to give up)",
            )
        )
    found = tuple(one for one in documents.found if one.name not in lost)
    first_refused = documents.is_first_refused or (bool(lost) and (not found or documents.found[0].name in lost))
    return replace(documents, found=found, problems=(*documents.problems, *problems), is_first_refused=first_refused)


def _lineage(workspace: Workspace, documents: Documents, ledger: Ledger | None) -> Lineage:
    if workspace.worktree is None:
        return Lineage()
    names = {*AUTO_TARGETS, *(document.name for document in documents.found)}
    if ledger is not None:
        names |= {line.document for line in ledger.lines.values() if line.document}
    prefix = workspace.worktree.prefix

    def asked(names: Iterable[str]) -> Lineage:
        assert workspace.worktree is not None
        return workspace.worktree.lineage([prefix + name for name in sorted(names)], prefix + LEDGER)

    lineage = asked(names)
    others = lineage.documents - names  # documents that were called otherwise once
    return asked(names | others) if others else lineage


def _row(workspace: Workspace, key: str, event: str, detail: str) -> HistoryRow:
    cause = "ledger" if event == "demoted" else "hand" if event == "rejected" else ""
    return HistoryRow(at=workspace.now, event=event, entry_id=key, detail=detail, cause=cause)
