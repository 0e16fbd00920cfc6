"""Which of the functions that a text cites are no longer what they were when the text was last confirmed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from intermem.core.citations.judge import last_name
from intermem.core.code.function_bodies import function_named
from intermem.core.lifecycle.promotion import Candidate
from intermem.core.times import format_date
from intermem.entities import Judged, Record, VerdictStatus
from intermem.lazy_dataclass import dataclass
from intermem.project.git.file_history import FileHistory, FileVersion
from intermem.project.git.worktree import Worktree


@dataclass(frozen=True, slots=True)
class Confirmed:
    """A valid citation whose text was last confirmed with the ``commit``, on a ``day`` (``2026-01-31`` or empty)."""

    citation: Judged
    commit: str
    day: str


def confirmed_at(record: Record, said: datetime | None) -> datetime:
    """Return when a note was last confirmed: first seen, promoted, or confirmed by feedback, which was at ``said``."""
    return max(one for one in (record.first_seen, record.promoted_at, said) if one is not None)


def of_notes(
    worktree: Worktree | None, notes: Sequence[tuple[Record, Sequence[Judged]]], said: Mapping[str, datetime]
) -> list[tuple[Judged, ...]]:
    """Return the citations of ``notes``, those whose functions have changed since with the commit and its date.

    ``said`` is when feedback last confirmed each, by the id of the record.
    """
    cited = [tuple(judged) for _, judged in notes]
    if worktree is None or not any(names_function(one) for judged in cited for one in judged):
        return cited
    history = worktree.file_history
    moments = [confirmed_at(record, said.get(record.id)) for record, _ in notes]
    commits = history.commits_before(set(moments))
    asked = [
        Confirmed(one, commits[moment], format_date(moment))
        for moment, judged in zip(moments, cited, strict=True)
        for one in judged
        if moment in commits
    ]
    changed = changed_since(history, asked)
    return [
        tuple(changed.get((one, commits.get(moment, "")), one) for one in judged)
        for moment, judged in zip(moments, cited, strict=True)
    ]


def shown_with_changes(
    worktree: Worktree | None, candidates: Sequence[Candidate], said: Mapping[str, datetime]
) -> list[Candidate]:
    """Return candidates as they are to be judged by a reader: with what has changed in the functions that they cite."""
    judged = of_notes(worktree, [(one.record, one.judged) for one in candidates], said)
    return [replace(one, judged=own) for one, own in zip(candidates, judged, strict=True)]


def changed_since(history: FileHistory, asked: Sequence[Confirmed]) -> dict[tuple[Judged, str], Judged]:
    """Return the citations whose function is another one than at the commit of their confirmation, by both.

    Their verdict stays *valid*, and has the newest commit that changed the function. Only what is committed counts.
    """
    head = history.git.head
    named = [(one, *place) for one in asked if (place := _named(one.citation)) is not None]
    if head is None or not named:
        return {}
    texts = history.texts({(commit, path) for one, path, _ in named for commit in (one.commit, head)})
    found: dict[tuple[Judged, str], Judged] = {}
    read: dict[tuple[str, str], Sequence[FileVersion]] = {}
    for one, path, name in named:
        before = function_named(texts.get((one.commit, path), ""), name)
        if before in (None, function_named(texts.get((head, path), ""), name)):
            continue
        place = (path, one.commit)
        if place not in read:
            read[place] = history.versions(*place)
        changed = _newest_change(read[place], name)
        if changed is not None:
            commit, date = changed
            reason = f"its body has changed since {one.day or one.commit[:10]}"
            verdict = replace(one.citation.verdict, reason=reason, commit=commit, date=date)
            found[one.citation, one.commit] = replace(one.citation, verdict=verdict)
    return found


def _newest_change(versions: Sequence[FileVersion], name: str) -> tuple[str, str] | None:
    """The commit of the newest version that changed the function, and its date; None if it has left the file."""
    bodies = [function_named(one.text or "", name) for one in versions]
    if not bodies or bodies[0] is None:
        return None
    pairs = zip(versions, bodies, bodies[1:], strict=False)
    return next(((one.commit, one.date) for one, after, before in pairs if after != before), None)


def _named(one: Judged) -> tuple[str, str] | None:
    """The file and the name of what a citation may name as a function; None if it names none."""
    target = one.verdict.target
    if one.citation.kind != "symbol" or one.verdict.status is not VerdictStatus.VALID or target is None:
        return None
    path, _, line = target.rpartition(":")
    return (path, last_name(one.citation)) if path and line.isdigit() else None


def names_function(one: Judged) -> bool:
    """Return whether a citation is valid, and may name a function."""
    return _named(one) is not None
