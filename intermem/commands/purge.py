"""``purge``: destroy entries for good, and search our files for any trace that is left."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from intermem.core.entries.secrets import without_secret
from intermem.core.lifecycle.effects import Effect
from intermem.core.lifecycle.purge_filters import Filters, forms_of, meant, needles_of
from intermem.core.lifecycle.retention import Cutoff
from intermem.entities import Record
from intermem.errors import StateError, UsageError
from intermem.project.atomic_write import TEMPORARY
from intermem.project.byte_search import files_holding
from intermem.project.locations import LEGACY_STATE
from intermem.results import FINDINGS, OK, FileDiff, exit_code_for
from intermem.results.decide import PurgeResult
from intermem.storage import FILE_NAME
from intermem.storage.metadata import Metadata
from intermem.storage.search import search
from intermem.storage.secure_delete import clean_file, holders_of, purge_records
from intermem.workflow.branch_state import BranchState, find_entry, load_branch_state, save_reconciliation
from intermem.workflow.changeset import ChangeSet, planned, remove_from_documents, save_changeset
from intermem.workflow.memory import read_project_memory
from intermem.workflow.operation import Operation, operation
from intermem.workflow.run_mode import RunMode
from intermem.workflow.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class PurgeOptions:
    """The filters of the command line."""

    ids: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    before: Cutoff | None = None
    older_than: Cutoff | None = None
    type: str | None = None
    section: str | None = None
    source: str | None = None
    session: str | None = None

    @property
    def named(self) -> list[str]:
        """The names of the given filters, without their values, which may be the secret itself."""
        found = [f"--{name}" for name in ("type", "section", "source", "session") if getattr(self, name) is not None]
        found += ["--id"] if self.ids else []
        found += ["--before"] if self.before is not None else []
        found += ["--older-than"] if self.older_than is not None else []
        return sorted(found + (["--search"] if self.words else []))


@dataclass(frozen=True, slots=True)
class _Selection:
    """The selected records, and the documents and memory files that contain a line of them."""

    state: BranchState
    records: tuple[Record, ...]
    pinned: int
    documents: tuple[str, ...]
    memory: tuple[str, ...]

    @property
    def unsearched(self) -> int:
        """How many records have no line long enough to search for."""
        return sum(1 for one in self.records if not needles_of(one))


def purge(
    workspace: Workspace, wanted: PurgeOptions, *, confirm: bool, from_documents: bool = False, force: bool = False
) -> PurgeResult:
    """Delete the records that match all filters, and every trace of them in our files; a preview unless ``confirm``.

    ``from_documents`` first removes them from the regions of documents. Exit code 1 if a file of
    ours, or a document, still contains a line of them. Raises UsageError without a filter, NoSuchEntry.
    """
    if not wanted.named:
        raise UsageError("purge needs a filter", hint="intermem purge --search WORDS previews it")
    changes: tuple[FileDiff, ...] = ()
    mode = RunMode(dry_run=not confirm, force=force)
    with operation(
        workspace, "purge", mode, lambda metadata: _selected(workspace, metadata, wanted), documents=from_documents
    ) as op:
        if not confirm:
            return _preview(op.plan, op.notices, from_documents=from_documents)
        if not op.plan.records:
            return _purged(op.plan, op.notices, (), (), ())
        found = op.begin()
        if from_documents:
            changes = _removed(workspace, op, found)
            op.begin()
            found = replace(found, state=load_branch_state(workspace, op.metadata))
        op.commit(lambda metadata: save_reconciliation(workspace, metadata, found.state))
        needles = _needles(found.records)
        ids = [record.id for record in found.records]
        purge_records(op.metadata, ids, needles, workspace.now, _detail(found, wanted))
        clean_file(op.metadata)
        held = holders_of(op.metadata, needles)
    found = replace(found, documents=tuple(_documents_holding(found.state, found.records)))
    forms = [form for needle in needles if needle not in held for form in forms_of(needle)]
    with _searching():
        gone = _copies_removed(workspace, forms)
        remains = _remains(workspace, forms)
    remains += [f"entry {key[:8]}" for key in sorted({key for keys in held.values() for key in keys})]
    return _purged(found, op.notices, changes, gone, remains)


def _selected(workspace: Workspace, metadata: Metadata, wanted: PurgeOptions) -> _Selection:
    state = load_branch_state(workspace, metadata)
    hits: frozenset[str] | None = None
    if wanted.words:
        span = workspace.config.span("query.half_life")
        rows = search(metadata, wanted.words, rank="recency", limit=0, now=workspace.now, half_life=span)
        hits = frozenset(row.id for row in rows)
    filters = Filters(
        ids=frozenset(find_entry(state, prefix) for prefix in wanted.ids) if wanted.ids else None,
        found=hits,
        before=wanted.before,
        older_than=wanted.older_than,
        type=wanted.type,
        section=wanted.section,
        source=wanted.source,
        session=wanted.session,
    )
    records = tuple(meant(state.records.values(), filters, metadata.sessions(), workspace.now))
    return _Selection(
        state,
        records,
        sum(1 for one in records if one.is_pinned(workspace.now)),
        tuple(_documents_holding(state, records)),
        tuple(_memory_holding(workspace, state, records)),
    )


def _documents_holding(state: BranchState, records: Iterable[Record]) -> list[str]:
    """The documents that contain a line of the records, inside our region or outside it."""
    wanted = {record.id for record in records}
    needles = [" ".join(needle.split()) for needle in _needles(records)]  # a document may be wrapped differently
    found: list[str] = []
    for document in state.documents.found:
        ids = document.region.ids if document.region is not None else ()
        text = " ".join(document.text.split())
        if wanted & set(ids) or any(needle in text for needle in needles):
            found.append(document.name)
    return found


def _memory_holding(workspace: Workspace, state: BranchState, records: Iterable[Record]) -> list[str]:
    """The memory files, with line numbers, that contain a note of the records: the next scan would add it again."""
    memory = read_project_memory(workspace)
    if memory is None:
        return []
    wanted = {record.id for record in records}
    return sorted(
        f"{entry.source.file}:{entry.source.first_line}"
        for identity, entries in memory.entries.items()
        if identity in wanted or state.aliases.get(identity) in wanted
        for entry in entries
    )


def _removed(workspace: Workspace, op: Operation[_Selection], found: _Selection) -> tuple[FileDiff, ...]:
    """Remove the records from the regions in a separate operation; its undo data is purged with the rest."""
    changeset = ChangeSet(found.state)
    effects = [
        Effect(kind="demote", entry_id=one.id, document=one.document, reason="purged", cause="purge")
        for one in found.records
        if one.document is not None
    ]
    remove_from_documents(changeset, effects)
    plan = planned(workspace, changeset, create=False)

    def save(metadata: Metadata) -> None:
        save_reconciliation(workspace, metadata, found.state)
        save_changeset(metadata, changeset)

    op.commit(save, effects=changeset.effects, edits=plan.edits)
    return plan.changes


def _needles(records: Iterable[Record]) -> list[str]:
    return sorted({needle for record in records for needle in needles_of(record)})


def _detail(found: _Selection, wanted: PurgeOptions) -> str:
    count = len(found.records)
    return f"{count} {'entry' if count == 1 else 'entries'}: by {', '.join(wanted.named)}"


@contextlib.contextmanager
def _searching() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StateError(
            f"the records are purged, but {error.filename} could not be searched: {error.strerror}",
            hint="search it by hand",
        ) from None


def _copies_removed(workspace: Workspace, forms: Sequence[bytes]) -> list[str]:
    """Remove backups of migrations that contain what was purged; metadata.db has everything else in them."""
    removed: list[str] = []
    for path in files_holding([workspace.state_dir], forms, prefix=f"{FILE_NAME}."):
        if path.name.removeprefix(f"{FILE_NAME}.").startswith(("v", "new")):
            path.unlink()
            removed.append(path.name)
    return removed


def _remains(workspace: Workspace, forms: Sequence[bytes]) -> list[str]:
    """Our own files that still contain a line of what was purged: state, ledger folder, temporary files."""
    held = files_holding(dict.fromkeys([workspace.state_dir, workspace.root / LEGACY_STATE]), forms)
    beside = {document.path.parent for document in workspace.documents().found}
    held += [path for path in files_holding(sorted(beside), forms, prefix=".") if TEMPORARY in path.name]
    return [str(path) for path in held]


def _preview(found: _Selection, notices: Sequence[str], *, from_documents: bool) -> PurgeResult:
    entries = [without_secret(one) for one in found.records]
    warnings = _warnings(found, done=False, from_documents=from_documents)
    return _result(found, entries, [*notices, *warnings], dry_run=True)


def _purged(
    found: _Selection,
    notices: Sequence[str],
    changes: tuple[FileDiff, ...],
    removed: Sequence[str],
    remains: Sequence[str],
) -> PurgeResult:
    entries = [replace(one, text="(purged)", preview="(purged)", citations=(), trail=()) for one in found.records]
    warnings = _warnings(found, done=True) if found.records else ()
    result = _result(found, entries, [*notices, *warnings], dry_run=False)
    code = exit_code_for(result.problems, FINDINGS if remains or found.documents else OK)
    return replace(result, removed=removed, remains=remains, changes=changes, exit_code=code)


def _result(found: _Selection, entries: Sequence[Record], notices: Sequence[str], *, dry_run: bool) -> PurgeResult:
    return PurgeResult(
        entries=entries,
        count=len(found.records),
        pinned=found.pinned,
        documents=found.documents,
        memory=found.memory,
        unsearched=found.unsearched,
        dry_run=dry_run,
        exit_code=exit_code_for(found.state.problems),
        problems=found.state.problems,
        notices=tuple(notices),
    )


def _warnings(found: _Selection, *, done: bool, from_documents: bool = False) -> Iterable[str]:
    if not found.records:
        return
    if found.pinned:
        yield f"{found.pinned} of them {'was' if found.pinned == 1 else 'were'} pinned: purge deletes them too"
    for name in found.documents:
        if done:
            yield f"{name} still contains a line of it: remove that, or the next run may record it again"
        else:
            how = "--from-documents removes it from a region"
            yield f"{name} contains a line of it: {'only the region is edited' if from_documents else how}"
    if done and found.unsearched:
        are = "is" if found.unsearched == 1 else "are"
        yield f"{found.unsearched} of them {are} too short to search for: only the rows are known to be gone"
    if found.memory:
        where = ", ".join(found.memory[:5]) + (", …" if len(found.memory) > 5 else "")
        yield f"the memory contains it ({where}): delete it there, or the next scan records it again"
    if any(one.promoted_at is not None for one in found.records):
        yield "what was committed stays in the git history, which purge cannot reach"
    if not done:
        yield "nothing was destroyed: add --confirm; earlier operations can then no longer be undone"
