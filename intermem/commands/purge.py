"""``purge``: the one verb that destroys. What it deletes is in no file of ours any more; it looks for it."""

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
from intermem.results import FINDINGS, OK, FileDiff, Result, exit_code_for
from intermem.storage import FILE_NAME
from intermem.storage.metadata import Metadata
from intermem.storage.search import search
from intermem.storage.secure_delete import clean_file, holders_of, purge_records
from intermem.workflow.branch_state import BranchState, find_entry, load_branch_state, save_reconciliation
from intermem.workflow.changeset import ChangeSet, planned, save_changeset, take_out
from intermem.workflow.memory import read_project_memory
from intermem.workflow.operation import Operation, operation
from intermem.workflow.run_mode import RunMode
from intermem.workflow.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class PurgeOptions:
    """The filters of the command line, as far as they need the project to be understood."""

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
        """The filters that were given, without what they look for: that may be the secret itself."""
        found = [f"--{name}" for name in ("type", "section", "source", "session") if getattr(self, name) is not None]
        found += ["--id"] if self.ids else []
        found += ["--before"] if self.before is not None else []
        found += ["--older-than"] if self.older_than is not None else []
        return sorted(found + (["--search"] if self.words else []))


@dataclass(frozen=True, slots=True)
class _Found:
    """Who goes, who else holds a line of theirs, and where the documents and the memory hold it."""

    here: BranchState
    records: tuple[Record, ...]
    pinned: int
    documents: tuple[str, ...]
    memory: tuple[str, ...]

    @property
    def unsearched(self) -> int:
        """How many have no line that is long enough to be told from others."""
        return sum(1 for one in self.records if not needles_of(one))


def purge(
    workspace: Workspace, wanted: PurgeOptions, *, confirm: bool, from_documents: bool = False, force: bool = False
) -> Result:
    """Delete the records that every filter names, and every trace of them in our files; a preview unless ``confirm``.

    ``from_documents`` takes them out of the regions of documents first. Exit code 1 where a file of
    ours, or a region, still holds a line of them. Raises UsageError without a filter, NoSuchEntry.
    """
    if not wanted.named:
        raise UsageError("purge needs to know what to destroy", hint="intermem purge --search WORDS previews it")
    changes: tuple[FileDiff, ...] = ()
    mode = RunMode(dry_run=not confirm, force=force)
    with operation(
        workspace, "purge", mode, lambda state: _found(workspace, state, wanted), documents=from_documents
    ) as op:
        if not confirm:
            return _preview(op.plan, op.notices, from_documents=from_documents)
        if not op.plan.records:
            return _result(op.plan, op.notices, (), (), ())
        found = op.begin()
        if from_documents:
            changes = _taken_out(workspace, op, found)
            op.begin()
            found = replace(found, here=load_branch_state(workspace, op.metadata))
        op.commit(lambda state: save_reconciliation(workspace, state, found.here))
        needles = _needles(found.records)
        ids = [record.id for record in found.records]
        purge_records(op.metadata, ids, needles, workspace.now, _detail(found, wanted))
        clean_file(op.metadata)
        held = holders_of(op.metadata, needles)
    found = replace(found, documents=tuple(_documents_holding(found.here, found.records)))
    forms = [form for needle in needles if needle not in held for form in forms_of(needle)]
    with _searching():
        gone = _copies_removed(workspace, forms)
        remains = _remains(workspace, forms)
    remains += [f"entry {key[:8]}" for key in sorted({key for keys in held.values() for key in keys})]
    return _result(found, op.notices, changes, gone, remains)


def _found(workspace: Workspace, metadata: Metadata, wanted: PurgeOptions) -> _Found:
    here = load_branch_state(workspace, metadata)
    hits: frozenset[str] | None = None
    if wanted.words:
        span = workspace.config.span("query.half_life")
        rows = search(metadata, wanted.words, rank="recency", limit=0, now=workspace.now, half_life=span)
        hits = frozenset(row.id for row in rows)
    filters = Filters(
        ids=frozenset(find_entry(here, prefix) for prefix in wanted.ids) if wanted.ids else None,
        found=hits,
        before=wanted.before,
        older_than=wanted.older_than,
        type=wanted.type,
        section=wanted.section,
        source=wanted.source,
        session=wanted.session,
    )
    records = tuple(meant(here.records.values(), filters, metadata.sessions(), workspace.now))
    return _Found(
        here,
        records,
        sum(1 for one in records if one.is_pinned(workspace.now)),
        tuple(_documents_holding(here, records)),
        tuple(_memory_holding(workspace, here, records)),
    )


def _documents_holding(here: BranchState, records: Iterable[Record]) -> list[str]:
    """The documents in whose text a line of the records stands, in our region or outside it."""
    wanted = {record.id for record in records}
    needles = [" ".join(needle.split()) for needle in _needles(records)]  # a document may be wrapped anew
    found: list[str] = []
    for document in here.documents.found:
        ids = document.region.ids if document.region is not None else ()
        text = " ".join(document.text.split())
        if wanted & set(ids) or any(needle in text for needle in needles):
            found.append(document.name)
    return found


def _memory_holding(workspace: Workspace, here: BranchState, records: Iterable[Record]) -> list[str]:
    """The files of the memory, with lines, in which a note of the records stands: the next scan would learn it anew."""
    memory = read_project_memory(workspace)
    if memory is None:
        return []
    wanted = {record.id for record in records}
    return sorted(
        f"{entry.source.file}:{entry.source.first_line}"
        for identity, entries in memory.entries.items()
        if identity in wanted or here.aliases.get(identity) in wanted
        for entry in entries
    )


def _taken_out(workspace: Workspace, op: Operation[_Found], found: _Found) -> tuple[FileDiff, ...]:
    """Take the records out of the regions, as an operation of its own; what it keeps is purged with the rest."""
    changeset = ChangeSet(found.here)
    effects = [
        Effect(kind="demote", entry_id=one.id, document=one.document, reason="purged", cause="purge")
        for one in found.records
        if one.document is not None
    ]
    take_out(changeset, effects)
    plan = planned(workspace, changeset, create=False)

    def save(metadata: Metadata) -> None:
        save_reconciliation(workspace, metadata, found.here)
        save_changeset(metadata, changeset)

    op.commit(save, effects=changeset.effects, edits=plan.edits)
    return plan.changes


def _needles(records: Iterable[Record]) -> list[str]:
    return sorted({needle for record in records for needle in needles_of(record)})


def _detail(found: _Found, wanted: PurgeOptions) -> str:
    count = len(found.records)
    return f"{count} {'entry' if count == 1 else 'entries'}: by {', '.join(wanted.named)}"


@contextlib.contextmanager
def _searching() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StateError(
            f"the records are purged, but {error.filename} could not be searched: {error.strerror}",
            hint="look into it by hand",
        ) from None


def _copies_removed(workspace: Workspace, forms: Sequence[bytes]) -> list[str]:
    """Remove the copies that migrations kept, where they hold what was purged; all else in them is in metadata.db."""
    removed: list[str] = []
    for path in files_holding([workspace.state_dir], forms, prefix=f"{FILE_NAME}."):
        if path.name.removeprefix(f"{FILE_NAME}.").startswith(("v", "new")):
            path.unlink()
            removed.append(path.name)
    return removed


def _remains(workspace: Workspace, forms: Sequence[bytes]) -> list[str]:
    """Our own files that hold a line of what was purged: the state, the ledger's folder, temporary files."""
    held = files_holding(dict.fromkeys([workspace.state_dir, workspace.root / LEGACY_STATE]), forms)
    beside = {document.path.parent for document in workspace.documents().found}
    held += [path for path in files_holding(sorted(beside), forms, prefix=".") if TEMPORARY in path.name]
    return [str(path) for path in held]


def _preview(found: _Found, said: Sequence[str], *, from_documents: bool) -> Result:
    return _answer(
        found,
        {"entries": [without_secret(one) for one in found.records], "dry_run": True, "removed": [], "remains": []},
        [*said, *_warnings(found, done=False, from_documents=from_documents)],
    )


def _result(
    found: _Found, said: Sequence[str], changes: tuple[FileDiff, ...], gone: Sequence[str], remains: Sequence[str]
) -> Result:
    shown = [replace(one, text="(purged)", preview="(purged)", citations=(), trail=()) for one in found.records]
    data = {"entries": shown, "dry_run": False, "removed": list(gone), "remains": list(remains)}
    answer = _answer(found, data, [*said, *(_warnings(found, done=True) if found.records else ())])
    left = bool(remains) or bool(found.documents)
    return replace(answer, changes=changes, exit_code=exit_code_for(answer.problems, FINDINGS if left else OK))


def _answer(found: _Found, data: dict[str, object], notices: Sequence[str]) -> Result:
    problems = found.here.problems
    return Result(
        verb="purge",
        data={
            **data,
            "count": len(found.records),
            "pinned": found.pinned,
            "documents": list(found.documents),
            "memory": list(found.memory),
            "unsearched": found.unsearched,
        },
        exit_code=exit_code_for(problems),
        problems=problems,
        notices=tuple(notices),
    )


def _warnings(found: _Found, *, done: bool, from_documents: bool = False) -> Iterable[str]:
    if not found.records:
        return
    if found.pinned:
        yield f"{found.pinned} of them {'was' if found.pinned == 1 else 'were'} pinned: purge takes pinned ones too"
    for name in found.documents:
        if done:
            yield f"{name} still holds a line of it: take that out, or the next run may learn it anew"
        else:
            way = "--from-documents takes it out of a region"
            yield f"{name} holds a line of it: {'the region is edited, the rest is yours' if from_documents else way}"
    if done and found.unsearched:
        are = "is" if found.unsearched == 1 else "are"
        yield f"{found.unsearched} of them {are} too short to be looked for: only the rows are known to be gone"
    if found.memory:
        where = ", ".join(found.memory[:5]) + (", …" if len(found.memory) > 5 else "")
        yield f"the memory holds it ({where}): delete it there, or the next scan learns it anew"
    if any(one.promoted_at is not None for one in found.records):
        yield "what was committed stays in the history of git: that is out of reach"
    if not done:
        yield "nothing was destroyed: add --confirm; no earlier operation can be undone then"
