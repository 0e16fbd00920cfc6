"""``purge``: destroy entries for good, and search our files for any trace that is left."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import partial

from intermem.core.entries.prefixes import checked_prefix
from intermem.core.entries.secrets import without_secret
from intermem.core.lifecycle.effects import Effect
from intermem.core.lifecycle.promotion import plan_demotions
from intermem.core.lifecycle.purge_traces import needles_of
from intermem.core.lifecycle.selection import Selectors
from intermem.core.times import format_time
from intermem.entities import LEDGER, Problem, Record
from intermem.errors import EntryPurged, NoDocument, StateError, UsageError
from intermem.lazy_dataclass import dataclass
from intermem.results import FINDINGS, OK, FileDiff, exit_code_for
from intermem.results.decide import PurgeResult
from intermem.storage import FILE_NAME
from intermem.storage.metadata import Metadata
from intermem.storage.secure_delete import PendingPurge, begin_purge, pending_purge
from intermem.storage.undo_log import deleted_records
from intermem.workflow.branch_state import (
    BranchState,
    find_entry,
    formerly,
    load_branch_state,
    load_lineage,
    standing_after_purge,
)
from intermem.workflow.changeset import ChangeSet, remove_from_documents
from intermem.workflow.edits import Edit, document_edit, ledger_edits, purge_edits
from intermem.workflow.ledger_story import with_told
from intermem.workflow.memory import read_project_memory
from intermem.workflow.operation import operation
from intermem.workflow.purging import Destroyed, documents_holding, needles
from intermem.workflow.reconciled import save_reconciliation
from intermem.workflow.run_mode import RunMode
from intermem.workflow.tiers import with_topic_lines
from intermem.workflow.unjudged import with_verdicts
from intermem.workflow.unscanned import gone_stale_notices, seen_in_memory, selected_now
from intermem.workflow.workspace import Workspace


@dataclass(frozen=True, slots=True)
class _Selection:
    """The selected records, and the documents and memory files that contain a line of them.

    ``ids`` are their identities, former ones too, and those of entries that were purged before and still stand, or
    whose record was deleted before (``traces``: only the history tells of these). ``told`` are notices of what was left
    out. A line of what is ``committed`` stays in the git history.
    """

    state: BranchState
    records: tuple[Record, ...]
    ids: frozenset[str]
    told: tuple[str, ...]
    pinned: int
    documents: tuple[str, ...]
    memory: tuple[str, ...]
    traces: frozenset[str] = frozenset()
    committed: bool = False

    @property
    def edited(self) -> tuple[str, ...]:
        """The documents whose region has a line of them, which ``--from-documents`` removes."""
        regions = ((one.name, one.region) for one in self.state.documents.found)
        return tuple(name for name, region in regions if region is not None and self.ids & set(region.ids))

    @property
    def unsearched(self) -> int:
        """How many records have no line long enough to search for."""
        return sum(1 for one in self.records if not needles_of(one))


def purge(
    workspace: Workspace,
    wanted: Selectors,
    ids: Sequence[str] = (),
    *,
    confirm: bool,
    dry_run: bool = False,
    from_documents: bool = False,
    force: bool = False,
) -> PurgeResult:
    """Delete the records that match all selectors (and are among ``ids``, if any), and every trace of them.

    A preview unless ``confirm``, and with ``dry_run`` in any case.

    ``from_documents`` first removes them from the regions of documents. Exit code 1 if a file of
    ours, or a document, still contains a line of them, or if none matches. Raises UsageError without a selector,
    NoSuchEntry.
    """
    if not (ids or wanted):
        raise UsageError("purge needs a selector", hint="intermem purge --search WORDS previews it")
    mode = RunMode(dry_run=dry_run or not confirm, force=force)
    with operation(
        workspace, "purge", mode, lambda metadata: _selected(workspace, metadata, wanted, ids), documents=from_documents
    ) as op:
        if mode.dry:
            missing = [*([] if confirm else ["add --confirm"]), *(["leave out --dry-run"] if dry_run else [])]
            return _preview(op.plan, op.notices, ", and ".join(missing), from_documents=from_documents)
        if not (op.plan.records or op.plan.traces or (op.plan.ids and from_documents)):
            return _purged(op.plan, op.notices, (), Destroyed())
        found = op.begin()
        removal = _removal(workspace, found, force=force, from_documents=from_documents)
        detail = _detail(found, wanted, ids)
        op.commit(
            lambda metadata: _save(workspace, metadata, found, removal, detail),
            effects=removal.changeset.effects,
            edits=removal.edits,
        )
        logged = f"{_event(found)} {detail}, at {format_time(workspace.now)}"
        try:
            destroyed = op.finish_purge()
        except StateError:
            purge = pending_purge(op.metadata)
            op.notices += [logged] if purge is not None and purge.rows_deleted else []
            raise
    found = replace(found, documents=destroyed.documents)
    return _purged(found, (*op.notices, logged), removal.changes, destroyed)


def _selected(workspace: Workspace, metadata: Metadata, wanted: Selectors, prefixes: Sequence[str]) -> _Selection:
    state = with_told(workspace, metadata, load_branch_state(workspace, metadata))
    deleted = {
        key: one
        for key, one in deleted_records(metadata).items()
        if key in state.told or (key not in state.records and state.aliases.get(key) not in state.records)
    }
    everything = {**state.records, **deleted}  # of those the ledger tells no words
    traces = metadata.deleted() - everything.keys()
    known, gone = _named(replace(state, records=everything), prefixes, traces)
    judged = with_verdicts(workspace, metadata, state).records if wanted.status is not None else {}
    among = [judged.get(key, one) for key, one in sorted(everything.items()) if not prefixes or key in known]
    seen = partial(seen_in_memory, workspace, metadata, state)
    now, origins = workspace.now, metadata.origins()
    if wanted.words:  # what is to be destroyed is looked for wherever it is kept
        origins = replace(origins, said=metadata.said())
    records, told = selected_now(among, wanted, origins, now, seen=seen, unread=state.unread)
    told += gone_stale_notices(workspace, wanted, among, seen)
    told += _other_names(prefixes, [everything[key] for key in sorted(known)])
    ids = _identities(state, {one.id for one in records} | gone)
    return _Selection(
        state,
        tuple(records),
        ids,
        tuple(told),
        sum(1 for one in records if one.is_pinned(workspace.now)),
        tuple(documents_holding(state.documents, ids, needles(everything, {one.id for one in records}))),
        tuple(_memory_holding(workspace, state, ids)),
        gone & traces,
        _is_committed(workspace, state, ids),
    )


def _is_committed(workspace: Workspace, state: BranchState, ids: frozenset[str]) -> bool:
    """Whether a commit has a line of one of ``ids``, or may have one that this clone lacks."""
    worktree = workspace.worktree
    if worktree is None:
        return False
    return worktree.is_shallow or not ids.isdisjoint(load_lineage(workspace, state).stood)


def _other_names(prefixes: Iterable[str], named: Sequence[Record]) -> list[str]:
    """A notice for each of ``prefixes`` that is of another wording of what it names."""
    starts = (prefix.strip().lower() for prefix in prefixes)
    others = [
        one for one in starts if not any(name.startswith(one) for each in named for name in (each.id, each.entry_id))
    ]
    return [f"{one} is another wording of what is listed" for one in others] if named else []


def _named(
    state: BranchState, prefixes: Iterable[str], traces: frozenset[str]
) -> tuple[frozenset[str], frozenset[str]]:
    """The records that ``--id`` names, and what else: purged entries whose line still stands in a region, or traces."""
    others = traces.union(*standing_after_purge(state).values())
    known, gone = set[str](), set[str]()
    for prefix in prefixes:
        found = {key for key in others if key.startswith(checked_prefix(prefix))}
        if len(found) == 1:
            gone |= found
            continue
        try:
            known.add(find_entry(state, prefix))
        except EntryPurged as error:
            still = [key[:8] for keys in standing_after_purge(state).values() for key in keys]
            if still:
                are = "lines that were purged stand" if len(still) > 1 else "a line that was purged stands"
                error.hint = f"{are} in other words: purge --id {' '.join(still)} --from-documents --confirm"
            raise
    return frozenset(known), frozenset(gone)


def _identities(state: BranchState, ids: set[str]) -> frozenset[str]:
    """The identities of entries, present and former ones: in the records, on this branch and in the ledger."""
    former = {alias for alias, key in {**state.aliases, **state.reconciliation.former}.items() if key in ids}
    stored = {name for key in ids if key in state.records for name in (formerly(state, key),)}
    lines = state.ledger.lines if state.ledger is not None else {}
    was = {name for key in ids | former if key in lines for name in lines[key].was}
    return frozenset(ids | former | stored | was)


def _memory_holding(workspace: Workspace, state: BranchState, ids: Collection[str]) -> list[str]:
    """The memory files, with line numbers, that contain a note of the entries."""
    memory = read_project_memory(workspace)
    if memory is None:
        return []
    return sorted(
        f"{entry.source.file}:{entry.source.first_line}"
        for identity, entries in memory.entries.items()
        if identity in ids or state.aliases.get(identity) in ids
        for entry in entries
    )


@dataclass(frozen=True, slots=True)
class _Removal:
    """The edits of documents and ledger that go with a purge."""

    changeset: ChangeSet
    edits: tuple[Edit, ...]

    @property
    def changes(self) -> tuple[FileDiff, ...]:
        return tuple(FileDiff(edit.name, edit.before, edit.after) for edit in self.edits)


def _removal(workspace: Workspace, found: _Selection, *, force: bool, from_documents: bool) -> _Removal:
    """Plan what a purge edits: the regions, if asked, and the ledger, where tombstones replace the lines.

    Raises NoDocument or RepositoryError if the ledger, or a document that is to be edited, cannot be.
    """
    changeset = ChangeSet(found.state)
    if from_documents:
        effects = [
            Effect(kind="demote", entry_id=one.id, document=one.document, reason="purged", cause="purge")
            for one in found.records
            if one.document is not None
        ]
        remove_from_documents(changeset, effects)
        for document in found.state.documents.found:
            left = set(document.region.ids) & found.ids if document.region is not None else set()
            if left:
                text, _ = plan_demotions(changeset.text_of(document), document.name, sorted(left))
                changeset.texts[document.name] = text
    texts = {name: (changeset.documents[name], text) for name, text in changeset.texts.items()}
    lined = with_topic_lines(workspace, found.state, texts) if from_documents else texts
    edits = [document_edit(document, text) for _, (document, text) in sorted(lined.items())]
    edits = [edit for edit in edits if edit.before != edit.after]
    if found.state.files is None:
        problem = found.state.problems[0]
        raise NoDocument(f"{problem.message}; nothing was destroyed", hint=problem.hint)
    after = [record for key, record in found.state.records.items() if key not in found.ids]
    written = (*ledger_edits(workspace, found.state, after), *purge_edits(workspace, found.state, frozenset(found.ids)))
    ledger = list({edit.name: edit for edit in written}.values())
    if ledger:
        workspace.require_clean_git_state(force=force)
    return _Removal(changeset, (*edits, *ledger))


def _save(workspace: Workspace, metadata: Metadata, found: _Selection, removal: _Removal, detail: str) -> None:
    """Save the reconciled records, and note the purge; nothing is destroyed yet."""
    save_reconciliation(workspace, metadata, found.state)
    at, ids = format_time(workspace.now), tuple(sorted(found.ids))
    purge = PendingPurge(ids=ids, at=at, detail=detail, event=_event(found))
    begin_purge(metadata, purge, edits_files=bool(removal.edits or removal.changeset.effects))


def _detail(found: _Selection, wanted: Selectors, ids: Sequence[str]) -> str:
    """What the history and standard error say (seeds/S0): how many, and by which criteria."""
    count = len(found.records)
    by = ", ".join([*([f"--id ({len(ids)})"] if ids else []), *wanted.criteria])
    if found.traces and not count:
        entries = "1 entry" if len(found.traces) == 1 else f"{len(found.traces)} entries"
        return f"{entries}, deleted before: by {by}"
    if not count:
        return f"what a purge had left in {', '.join(found.edited)}: by {by}"
    return f"{count} {'entry' if count == 1 else 'entries'}: by {by}"


def _event(found: _Selection) -> str:
    """What the history calls it: where the records are gone already, only lines go."""
    return "purged" if found.records or found.traces else "removed"


def _preview(found: _Selection, notices: Sequence[str], missing: str, *, from_documents: bool) -> PurgeResult:
    entries = [without_secret(one) for one in found.records]
    warnings = [*_warnings(found, done=False, from_documents=from_documents)]
    if found.ids:
        warnings.append(f"nothing was destroyed: {missing}; earlier operations can then no longer be undone")
    result = _result(found, entries, [*notices, *found.told, *warnings], dry_run=True)
    code = result.exit_code if entries or found.traces or from_documents else exit_code_for(result.problems, FINDINGS)
    return replace(result, edited=found.edited if from_documents else (), exit_code=code)


def _purged(
    found: _Selection, notices: Sequence[str], changes: tuple[FileDiff, ...], destroyed: Destroyed
) -> PurgeResult:
    entries = [replace(one, text="(purged)", preview="(purged)", citations=(), trail=()) for one in found.records]
    edited = tuple(one.document for one in changes if not one.document.startswith(f"{LEDGER}/"))
    others = [place.removeprefix("entry ") for place in destroyed.remains if place.startswith("entry ")]
    warnings = _warnings(found, done=True) if found.ids else ()
    result = _result(found, entries, [*notices, *found.told, *warnings], dry_run=False)
    left = destroyed.remains or found.documents
    code = exit_code_for(result.problems, FINDINGS if left or not found.ids else OK)
    return replace(
        result,
        edited=edited,
        removed=destroyed.removed,
        remains=destroyed.remains,
        changes=changes,
        exit_code=code,
        problems=(*result.problems, *_still_in(found, edited, others, destroyed.remains)),
    )


def _result(found: _Selection, entries: Sequence[Record], notices: Sequence[str], *, dry_run: bool) -> PurgeResult:
    return PurgeResult(
        entries=entries,
        count=len(found.records),
        pinned=found.pinned,
        documents=found.documents,
        memory=found.memory,
        unsearched=found.unsearched,
        traces=len(found.traces),
        dry_run=dry_run,
        exit_code=exit_code_for(found.state.problems, OK if found.ids else FINDINGS),
        problems=found.state.problems,
        notices=tuple(notices),
    )


def _line(found: _Selection) -> str:
    return "a line of it" if len(found.records) == 1 else "lines of them"


def _still_in(
    found: _Selection, edited: Collection[str], others: Sequence[str], remains: Iterable[str]
) -> Iterable[Problem]:
    """What still holds a line, also for whom wants errors only, and what removes it from documents.

    The line has its own id there, or that of one of the ``others``.
    """
    for place in remains:
        hint = f"it is of phase 1, and nothing reads it again: delete {place}" if place.endswith(FILE_NAME) else ""
        yield Problem(code="remains", where=place, message=f"{place} still contains {_line(found)}", hint=hint)
    for name in found.documents if found.ids else ():
        ways = ["by hand"]
        if name in found.edited and name not in edited:
            document = found.state.documents.named(name)
            region = document.region if document is not None else None
            ids = [key[:8] for key in (region.ids if region is not None else ()) if key in found.ids]
            ways.append(f"with --from-documents --id {' '.join(dict.fromkeys(ids))} --confirm")
        elif others:
            ways.append(f"with --from-documents --id {others[0]} --confirm")
        message, hint = f"{name} still contains {_line(found)}", f"remove that {', or '.join(ways)}"
        yield Problem(code="remains", where=name, message=message, hint=hint)


def _warnings(found: _Selection, *, done: bool, from_documents: bool = False) -> Iterable[str]:
    if not found.ids:
        return
    if found.pinned:
        which = "it" if len(found.records) == 1 else f"{found.pinned} of them"
        were, them = ("was", "it") if found.pinned == 1 else ("were", "them")
        yield f"{which} {were} pinned: purge deletes {them} too"
    for name in () if done else found.documents:
        how = f"--from-documents removes {'it' if len(found.records) == 1 else 'them'} from a region"
        yield f"{name} contains {_line(found)}: {'only the region is edited' if from_documents else how}"
    if done and found.unsearched:
        are = "is" if found.unsearched == 1 else "are"
        yield f"{found.unsearched} of them {are} too short to search for: only the rows are known to be gone"
    if found.memory:
        where = ", ".join(found.memory[:5]) + (", …" if len(found.memory) > 5 else "")
        ledger = found.state.ledger
        told = found.ids & {*ledger.by_entry, *ledger.lines} if ledger is not None else frozenset()
        is_all = bool(told) and all(one.id in told or one.promoted_at is not None for one in found.records)
        some = "; scan --relearn learns what never was in a document" if told else ", but for scan --relearn"
        but = "" if is_all else some
        what = "it" if len(found.ids) == 1 else "them"
        yield f"the memory contains {what} ({where}): delete {what} there; no scan learns {what} again{but}"
    if found.committed:
        yield "what was committed stays in the git history, which purge cannot reach"
