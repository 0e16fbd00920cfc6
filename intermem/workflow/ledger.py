"""Read the ledger of this branch, and how old it makes an entry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from intermem.core.entries.wordings import newest_wording
from intermem.core.reconcile.events import is_purge_name
from intermem.core.reconcile.fold import folded
from intermem.core.reconcile.future_dates import has_future_dates, without_future_dates
from intermem.core.reconcile.ledger import Ledger, Line
from intermem.core.reconcile.ledger_history import ledger_of, purged_in
from intermem.core.reconcile.observers import Silence, Voice, counted_events, was_held_here, youngest_voice
from intermem.core.reconcile.old_ledger import parse_old_ledger
from intermem.core.times import is_ahead
from intermem.entities import LEDGER, OLD_LEDGER, Record, Status
from intermem.errors import DocumentRefused, IntermemError
from intermem.lazy_dataclass import dataclass
from intermem.project.committed_files import LedgerFiles, read_ledger_files
from intermem.workflow.workspace import Workspace

_CENTURY = timedelta(days=36_525)
_LAST = datetime.max.replace(tzinfo=UTC)


def ledger_files(workspace: Workspace) -> LedgerFiles:
    """Return the files of the ledger as they are on disk. Raises UnreadableFile, DocumentRefused, LedgerRefused.

    A ledger that is tracked but not checked out must not look like a missing one.
    """
    files = read_ledger_files(workspace.root, workspace.config.count("scan.max_bytes"))
    worktree = workspace.worktree
    if worktree is not None and not worktree.bare and not files.exists:
        left_out = worktree.sparse.left_out(worktree.prefix + name for name in (LEDGER, OLD_LEDGER))
        if left_out:
            name = OLD_LEDGER if left_out == [worktree.prefix + OLD_LEDGER] else LEDGER
            raise DocumentRefused(
                f"{name} is tracked, but excluded by this sparse checkout; nothing was written",
                hint="git sparse-checkout add .intermem",
            )
    return files


def ledger_tombstones(workspace: Workspace) -> frozenset[str]:
    """Return the ids that were purged according to the ledger of this branch; none if it cannot be read."""
    try:
        files = ledger_files(workspace)
    except IntermemError:
        return frozenset()
    return purged_in((text for name, text in files.texts.items() if is_purge_name(name)), files.old)


def tombstones_on_default_branch(workspace: Workspace) -> frozenset[str]:
    """Return the ids that were purged according to the ledger of the default branch; none outside git."""
    if workspace.worktree is None:
        return frozenset()
    texts, old = workspace.worktree.ledger_on_default_branch()
    return purged_in(texts.values(), old)


def silence_of(workspace: Workspace) -> Silence:
    """Return how long a silent observer is believed, and how often one says that it is alive."""
    count = workspace.config.count
    return Silence(
        patience=timedelta(days=count("ledger.observer_days")), heartbeat=timedelta(days=count("ledger.heartbeat_days"))
    )


@dataclass(frozen=True, slots=True)
class ReadLedger:
    """The ledger of this branch, None if there is none, and the files that it is in.

    ``future_lines`` are those of which a date is in the future; ``clock_behind`` is when HEAD was made where it is the
    clock that is wrong.
    """

    files: LedgerFiles
    ledger: Ledger | None
    future_lines: tuple[str, ...] = ()
    clock_behind: datetime | None = None


def read_ledger(workspace: Workspace) -> ReadLedger:
    """Return the ledger of this branch without what is said of the future. Raises IntermemError if it is unreadable."""
    files = ledger_files(workspace)
    ledger = ledger_of(files.texts, files.old)
    if ledger is None or not (ledger.lines or ledger.events):
        return ReadLedger(files, None)  # an empty file counts as none
    behind = _is_clock_behind(workspace, ledger)
    counted = counted_ledger(ledger, workspace.now)
    ledger, future = without_future_dates(counted, workspace.now if behind is None else behind)
    return ReadLedger(files, ledger, future, behind)


def _is_clock_behind(workspace: Workspace, ledger: Ledger) -> datetime | None:
    """Return when HEAD was made if the clock says that this has yet to come, and the ledger agrees; else None.

    What the ledger says of a time before that commit is then no lie: it is the clock that is wrong.
    """
    if workspace.worktree is None or not has_future_dates(ledger, workspace.now):
        return None
    made = workspace.worktree.documents.head_date
    return made if made is not None and is_ahead(made, workspace.now) else None


def counted_ledger(ledger: Ledger, now: datetime) -> Ledger:
    """Return the ledger without what observers say of the future."""
    events = counted_events(ledger.events, now)
    if tuple(events) == ledger.events:
        return ledger
    return folded(events, parse_old_ledger(ledger.old_text) if ledger.old_text is not None else None, ledger.old_text)


def aged(
    workspace: Workspace,
    ledger: Ledger | None,
    records: Mapping[str, Record],
    observer: str | None,
    *,
    own: bool,
    committed: Mapping[str, datetime] | None = None,
) -> dict[str, Record]:
    """Return ``records`` with the ages of those that stand, or stood until a sweep, as the team knows them.

    With ``own``, the snapshots of this clone are one more voice, and the only one of the ``observer`` that it is;
    without, the ages are those that a clean clone sees. Of a committed memory, ``committed`` says when it held a note
    last, by the entry's id: what no observer holds is as old as that.
    """
    if ledger is None:
        return dict(records)
    found = dict(records)
    for key, record in records.items():
        is_told = record.document is not None or record.status is Status.DEMOTED
        line = ledger.line_of(record) if is_told else None
        if line is None or not line.document:  # of what never was in a document nobody tells how old it is
            continue
        if committed is not None and not line.holders:
            left = line.last_seen if record.counted_at is None else record.last_seen
            moment = until = word = max(left, committed.get(line.entry_id, left))
        else:
            newest = newest_wording(record, records)
            wordings = [record, newest, *(records[name] for name in line.names if name in records)]
            seen = max(one.last_seen for one in wordings)
            seen = workspace.now if is_held_by_heir(record, records) else seen
            # Of a record that was deleted here and restored the ledger tells that it was held here.
            has_seen = observer in line.holders or any(was_held_here(one, line) for one in wordings)
            sight = Sight(seen, has_seen and workspace.config.flag("observe"))
            voices = (ledger, line, observer, sight if own and (has_seen or not line.holders) else None)
            moment, word = _held_at(workspace, *voices, now=workspace.now)
            until, _ = _held_at(workspace, *voices, now=_when_all_are_silent(workspace))
        if record.document is None and record.demoted_at is not None:  # nobody has told of it since
            moment = until = max(record.last_seen, min(moment, record.demoted_at))
        is_on_record = moment in (word, workspace.now, record.last_seen, record.demoted_at)
        found[key] = replace(record, held_at=moment, held_until=until, last_word=None if is_on_record else word)
    return found


class Sight(NamedTuple):
    """When this clone knows a note to have been there last, and whether its own memory ever had it."""

    at: datetime
    is_own: bool


def _held_at(
    workspace: Workspace, ledger: Ledger, line: Line, observer: str | None, seen: Sight | None, *, now: datetime
) -> Voice:
    """Return until when an entry was held as of ``now``, and by whose word.

    ``seen`` by this clone, the ``observer``, None: not counted. Where nobody else is named it alone counts.
    """
    if seen is None:
        return youngest_voice(ledger, line, now, silence_of(workspace))
    own = Voice(seen.at, seen.at)
    if (line.holders or seen.is_own) and not line.holders.keys() - {observer}:
        return own
    return max(own, youngest_voice(ledger, line, now, silence_of(workspace), without=observer))


def _when_all_are_silent(workspace: Workspace) -> datetime:
    """Return a time at which nobody who speaks now is believed any more, at most a century ahead."""
    patience = silence_of(workspace).patience
    return workspace.now + min(patience + timedelta(seconds=1), _CENTURY, _LAST - workspace.now)


def is_held_by_heir(record: Record, known: Mapping[str, Record]) -> bool:
    """Return whether the memory holds a newer wording of the note."""
    heir = newest_wording(record, known)
    return heir is not record and heir.in_memory
