"""Branch state: documents, ledger, reconciled records (step 2 of a sweep)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from datetime import date, datetime
from functools import partial

from intermem.core.entries.prefixes import checked_prefix, only_one
from intermem.core.lifecycle.future_times import times_ahead
from intermem.core.reconcile.events import What
from intermem.core.reconcile.fold import with_tombstones
from intermem.core.reconcile.ledger import Ledger, Line
from intermem.core.reconcile.lineage import Lineage
from intermem.core.reconcile.model import Branch, ReconcilePolicy, Reconciliation, standing_items
from intermem.core.reconcile.reconcile import needs_lineage, reconcile
from intermem.core.times import format_date
from intermem.entities import LEDGER, Problem, Record
from intermem.errors import EntryPurged, IntermemError, NoSuchEntry, StateError
from intermem.lazy_dataclass import dataclass
from intermem.project.committed_files import LedgerFiles
from intermem.project.documents import AUTO_TARGETS, Documents
from intermem.storage.journal import pending_operations
from intermem.storage.metadata import Metadata
from intermem.storage.secure_delete import purged_days
from intermem.workflow.ledger import aged, read_ledger
from intermem.workflow.lost_regions import without_lost_regions
from intermem.workflow.notes import written_of
from intermem.workflow.unread import held_now, unread_entries
from intermem.workflow.workspace import Workspace


@dataclass(frozen=True, slots=True)
class BranchState:
    """The documents and the ledger of this branch, and the records reconciled with them.

    ``documents`` are those that may be written; ``problems`` name the others. ``files`` are those of the ledger, None
    if they were refused; ``ledger`` is None then too, and where there is none. ``records`` and ``aliases`` are those of
    this branch. ``purged`` are the identities that were purged here or according to the ledger, and when.
    ``told`` are the records that stand for entries which only the ledger knows (``ledger_story.with_told``),
    ``deleted`` are those of them whose own record this clone has deleted.
    ``future_lines`` and ``future_records`` are the entries with a time in the future, in the ledger and in
    metadata.db; ``clock_behind`` is when HEAD was made, if the run's ``now`` is so early that it cannot be.
    ``unread`` are the entries whose notes stand in files of the memory that cannot be read now.
    """

    documents: Documents
    branch: Branch
    files: LedgerFiles | None
    reconciliation: Reconciliation
    records: Mapping[str, Record]
    aliases: Mapping[str, str]
    problems: tuple[Problem, ...] = ()
    purged: Mapping[str, date] = field(default_factory=dict)
    told: frozenset[str] = frozenset()
    deleted: frozenset[str] = frozenset()
    future_lines: tuple[str, ...] = ()
    future_records: tuple[str, ...] = ()
    clock_behind: datetime | None = None
    unread: frozenset[str] = frozenset()

    @property
    def ledger(self) -> Ledger | None:
        """The ledger of this branch; None if there is none or it was refused."""
        return self.branch.ledger

    @property
    def owners(self) -> dict[str, str]:
        """The entry that each identity belongs to, former ones too."""
        return {**self.aliases, **{key: key for key in self.records}}

    def shown(self, key: str) -> str:
        """Return how the entry with the identity ``key`` is named to people: by its note, whatever is written of it."""
        record = self.records.get(key)
        return (record.entry_id if record is not None else key)[:8]

    @property
    def sections(self) -> dict[str, str]:
        """The heading of each entry that is in a document."""
        return {key: item.section for key, (_, item) in self.branch.items.items()}


def load_branch_state(
    workspace: Workspace, metadata: Metadata, *, thorough: bool = False, clean: bool = False
) -> BranchState:
    """Return the state of this branch; write nothing.

    ``thorough`` also searches the history for entries that could be promoted: what a person
    removed in a commit does not come back on its own. ``clean`` gives entries the ages that a clean clone sees.
    """
    state = _loaded(workspace, metadata, thorough=thorough, clean=clean)
    unread = unread_entries(workspace, metadata, state.records, state.reconciliation)
    held = held_now(state.records.values(), unread, workspace.now)
    state = replace(state, records={one.id: one for one in held}, unread=unread) if unread else state
    if any(change.left is not None for change in state.reconciliation.changes.values()):
        from intermem.workflow.taken_out_by_hand import with_final_confidence  # heavy, and hardly ever needed

        state = with_final_confidence(workspace, metadata, state)
    return state


def _loaded(workspace: Workspace, metadata: Metadata, *, thorough: bool, clean: bool) -> BranchState:
    documents = workspace.documents()
    stored, aliases, purged = metadata.records(), metadata.aliases(), purged_days(metadata)
    try:
        read = read_ledger(workspace)
        files, ledger = read.files, read.ledger
        if ledger is not None:
            ledger = replace(ledger, lines=with_tombstones(ledger.lines, purged)) if purged else ledger
            purged |= ledger.purged
    except IntermemError as error:
        problem = Problem(code=error.code, where=LEDGER, message=error.message, hint=error.hint)
        names = frozenset(one.name for one in documents.found)
        documents = replace(documents, found=(), problems=(problem, *documents.problems), is_first_refused=True)
        return BranchState(
            documents, Branch({}, names, None), None, Reconciliation(), stored, aliases, documents.problems, purged
        )
    if workspace.worktree is not None and workspace.worktree.bare:
        return BranchState(
            documents,
            Branch({}, frozenset(), None),
            files,
            Reconciliation(),
            stored,
            aliases,
            documents.problems,
            purged,
        )
    documents = without_lost_regions(workspace, documents, ledger)
    half_done = _half_done(metadata)  # whatever they lack or have too much of is no person's word
    unread = frozenset(one.where for one in documents.problems) | half_done
    whole = [one for one in documents.found if one.name not in half_done]
    regions = [(one.name, one.region.items) for one in whole if one.region is not None]
    items = standing_items(regions, ledger)
    observer = metadata.observer() if workspace.config.flag("observe") else None
    branch = Branch(items, unread, ledger, frozenset(purged), metadata.fed_back(), observer)
    lineage = Lineage()
    if thorough or needs_lineage(branch, stored, aliases) or _may_be_back(workspace, branch):
        lineage = read_lineage(workspace, documents, ledger)
    reconciliation = reconcile(branch, stored, aliases, lineage, _policy(workspace))
    records = _reconciled(stored, reconciliation)
    records = _aged(workspace, ledger, records, metadata.observer(), clean=clean)
    from intermem.workflow.unjudged import with_feedback  # which takes a state of this module

    reconciliation, records = with_feedback(workspace, stored, reconciliation, records)
    known = {alias: key for alias, key in {**aliases, **reconciliation.aliases}.items() if alias not in records}
    for key, change in reconciliation.changes.items():
        known |= {alias: key for alias, owner in known.items() if owner in change.formerly}
    grace = workspace.config.span("sweep.grace")
    ahead = tuple(key for key, record in records.items() if times_ahead(record, workspace.now, grace))
    return BranchState(
        documents,
        branch,
        files,
        reconciliation,
        records,
        known,
        documents.problems,
        purged=purged,
        future_lines=read.future_lines,
        future_records=ahead,
        clock_behind=read.clock_behind,
    )


def _aged(
    workspace: Workspace, ledger: Ledger | None, records: Mapping[str, Record], observer: str | None, *, clean: bool
) -> dict[str, Record]:
    """Return ``records`` with their ages; of a memory that is committed, and that this clone has read, as it saw them.

    ``clean``: as a clean clone sees them.
    """
    committed: Mapping[str, datetime] | None = None
    own = not clean and _finds_memory(workspace)  # without a memory nothing is known to be lost
    if own and observer is None and any(one.document and one.counted_at for one in records.values()):
        from intermem.workflow.memory import is_committed, read_project_memory  # heavy, and hardly ever needed

        memory = read_project_memory(workspace)
        committed = {} if memory is not None and is_committed(workspace, memory) else None
    return aged(workspace, ledger, records, observer, own=own, committed=committed)


def _finds_memory(workspace: Workspace) -> bool:
    try:
        return workspace.memory_place.path is not None
    except IntermemError:  # those commands that need it say so
        return False


def _half_done(metadata: Metadata) -> frozenset[str]:
    """Return the files of operations that were interrupted, and that no run has completed yet."""
    try:
        return frozenset(one.document for pending in pending_operations(metadata) for one in pending.intents)
    except StateError:  # a damaged journal, which doctor reports
        return frozenset()


def _may_be_back(workspace: Workspace, branch: Branch) -> bool:
    """Return whether a line may be back that a person took out.

    So it may where two sides changed a document and were merged, or where an entry was promoted twice: the commit of
    one promotion may have been rebased onto the removal of the other.
    """
    worktree = workspace.worktree
    if worktree is None or branch.ledger is None or not branch.items:
        return False
    promoted = Counter(event.id for event in branch.ledger.events if event.what == What.PROMOTED)
    if any(count > 1 for count in promoted.values()):
        return True
    return worktree.documents.was_merged(sorted({worktree.prefix + name for name, _ in branch.items.values()}))


def find_entry(state: BranchState, prefix: str) -> str:
    """Return the id, on this branch, of the entry whose id or former id starts with ``prefix``.

    Raises NoSuchEntry if none or several match, EntryPurged if it was purged.
    """
    start = checked_prefix(prefix)
    found = {key for key, record in state.records.items() if key.startswith(start) or record.entry_id.startswith(start)}
    found = found or {key for alias, key in state.aliases.items() if alias.startswith(start)}
    if not found:
        refuse_purged(state, start)
    return only_one(prefix, found)


def refuse_purged(state: BranchState, start: str) -> None:
    """Raise EntryPurged if an identity that starts with ``start`` was purged."""
    ledger = state.branch.ledger
    told = ledger.purged if ledger is not None else {}
    for key, day in state.purged.items():
        if key.startswith(start):
            raise EntryPurged(key, day, is_kept=key in state.records, is_told=key in told)


def refuse_deleted(deleted: Iterable[str], prefix: str) -> None:
    """Raise NoSuchEntry, saying so, if one of the entries whose record was ``deleted`` has an id that starts so."""
    start = checked_prefix(prefix)
    if any(key.startswith(start) for key in deleted):
        hint = (
            "intermem undo --list says whether undo can bring it back, and a scan learns its note anew, if it is there"
        )
        raise NoSuchEntry(f"the record of {prefix} was deleted", hint=hint)


def find_judged(state: BranchState, prefix: str) -> str:
    """Return the id of the entry that a person's judgement is about: as ``find_entry``, on this branch not purged.

    Raises EntryPurged also where this clone still has the record.
    """
    key = find_entry(state, prefix)
    refuse_purged(state, key)
    return key


def formerly(state: BranchState, key: str) -> str:
    """Return the id under which the entry ``key`` of this branch is stored."""
    change = state.reconciliation.changes.get(key)
    return change.formerly[0] if change is not None and change.formerly else key


def has_row(state: BranchState, key: str) -> bool:
    """Return whether the entry ``key`` of this branch has a row in metadata.db under that id."""
    change = state.reconciliation.changes.get(key)
    return key not in state.told and (change is None or key in change.formerly)


def find_line(state: BranchState, key: str) -> Line | None:
    """Return the ledger line of an entry, found by any of its ids; None if there is none."""
    if state.ledger is None:
        return None
    names = [key, *(alias for alias, owner in state.aliases.items() if owner == key)]
    return next((state.ledger.lines[name] for name in names if name in state.ledger.lines), None)


def load_lineage(workspace: Workspace, state: BranchState) -> Lineage:
    """Return the history of the documents and the ledger of this branch."""
    return read_lineage(workspace, state.documents, state.ledger)


def missing_notices(state: BranchState, now: datetime) -> list[str]:
    """Return notices about entries missing from documents or out though pinned, duplicates, competing wordings, and
    times in the future.
    """
    by_document: dict[str, list[str]] = {}
    for key, document in state.reconciliation.missing:
        by_document.setdefault(document, []).append(state.shown(key))
    notices = []
    for document, keys in sorted(by_document.items()):
        entries = "1 entry" if len(keys) == 1 else f"{len(keys)} entries"
        which = ", ".join(keys[:5]) + (", …" if len(keys) > 5 else "")
        notices.append(
            f"{document} lacks {entries} that the ledger lists ({which}): intermem restore brings back,"
            " intermem reject gives up"
        )
    pinned = [one.entry_id[:8] for one in state.records.values() if one.is_pinned(now) and one.state == "demoted"]
    if pinned:
        are = "is" if len(pinned) == 1 else "are"
        notices.append(
            f"{', '.join(pinned)} {are} pinned, and demoted all the same: intermem restore"
            f" {pinned[0]} brings it back, intermem pin --remove {pinned[0]} lets it go"
        )
    above = {key for one in state.documents.found if one.tier == 1 and one.region for key in one.region.ids}
    for one in state.documents.found:
        counts = Counter(one.region.ids) if one.region is not None else Counter[str]()
        twice = [state.shown(key) for key, count in counts.items() if count > 1]
        if twice:
            notices.append(f"{one.name} contains {', '.join(twice)} more than once: intermem doctor --repair keeps one")
    for one in state.documents.found:
        both = [item.id[:8] for item in one.region.items if item.id in above] if one.tier > 1 and one.region else []
        if both:
            notices.append(f"{one.name} contains {', '.join(both)}, as does a document above it: remove one by hand")
    for name, keys in sorted(standing_after_purge(state).items()):
        which = ", ".join(key[:8] for key in keys)
        notices.append(
            f"{name} still contains {which}, which {'was' if len(keys) == 1 else 'were'} purged: remove"
            f" {'it' if len(keys) == 1 else 'them'} by hand, or with intermem purge"
            f" {' '.join(f'--id {key[:8]}' for key in keys)} --from-documents --confirm"
        )
    if held := set_aside(state):
        were = "was" if len(held) == 1 else "were"
        notices.append(
            f"according to the ledger of this branch, {_listed(held)} {were} purged: set aside here; what stood in a"
            " document is forgotten once the default branch says so too, what was in none by intermem purge --id"
        )
    for key, newer in state.reconciliation.twins:
        where, new = state.branch.items[key][0], state.shown(newer)
        notices.append(f"{where} has {new} in its former wording, too: remove one of the two lines by hand")
    for back in state.reconciliation.contested:
        key = state.records[back.id].entry_id[:8]
        notices.append(f"{key}, {back.words}: intermem reject {key} takes it out, intermem restore {key} keeps it")
    for key, other in state.reconciliation.siblings:
        leaves = f"intermem demote {key[:8]} --by {other[:8]} leaves one"
        notices.append(f"{key[:8]} and {other[:8]} are two wordings of the same line: {leaves}")
    if state.clock_behind is not None:
        made = format_date(state.clock_behind)
        notices.append(f"the clock is behind: HEAD is of {made}; what the ledger dates up to then has the age 0")
    if state.future_lines:
        notices.append(f"{LEDGER} has dates in the future, which do not count: {_listed(state.future_lines)}")
    if state.future_records:
        which = _listed(sorted(map(state.shown, state.future_records)))
        notices.append(f"recorded with a time in the future: {which}: intermem doctor --repair sets it back")
    return notices


def _listed(keys: Sequence[str]) -> str:
    return ", ".join(key[:8] for key in keys[:5]) + (", …" if len(keys) > 5 else "")


def standing_after_purge(state: BranchState) -> dict[str, list[str]]:
    """Return the purged entries that a region still contains, by document."""
    found: dict[str, list[str]] = {}
    for key, (name, _) in sorted(state.branch.items.items()):
        if key in state.purged:
            found.setdefault(name, []).append(key)
    return found


def set_aside(state: BranchState) -> list[str]:
    """Return the ids of records that this clone has, though the ledger of this branch says that they were purged."""
    return sorted(state.records.keys() & state.purged.keys())


def _policy(workspace: Workspace) -> ReconcilePolicy:
    return ReconcilePolicy(
        now=workspace.now,
        grace=workspace.config.span("sweep.grace"),
        similarity=workspace.config.thousandths("revision.similarity") / 1000,
        written=partial(written_of, workspace),
    )


def _reconciled(stored: Mapping[str, Record], reconciliation: Reconciliation) -> dict[str, Record]:
    gone = {name for change in reconciliation.changes.values() for name in change.formerly}
    records = {key: record for key, record in stored.items() if key not in gone}
    records |= {key: change.record for key, change in reconciliation.changes.items()}
    return dict(sorted(records.items()))


def read_lineage(workspace: Workspace, documents: Documents, ledger: Ledger | None) -> Lineage:
    """Return the history of ``documents`` and the ledger behind HEAD; empty outside git."""
    if workspace.worktree is None:
        return Lineage()
    names = {*AUTO_TARGETS, *(document.name for document in documents.found)}
    if ledger is not None:
        names |= {line.document for line in ledger.lines.values() if line.document}
    prefix = workspace.worktree.prefix

    def read(names: Iterable[str]) -> Lineage:
        assert workspace.worktree is not None
        return workspace.worktree.documents.lineage([prefix + name for name in sorted(names)])

    lineage = read(names)
    others = (lineage.documents | lineage.topic_files) - names  # former names of the documents
    return read(names | others) if others else lineage
