"""``query``: search and list the entries in metadata.db."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass

from intermem.entities import Record
from intermem.errors import StateError, UsageError
from intermem.results import FINDINGS, OK
from intermem.results.inspect import QueryResult, TopicsResult
from intermem.storage.connection import open_for_touching
from intermem.storage.record_writes import touch
from intermem.storage.search import listed, search, topics
from intermem.workflow.branch_state import load_branch_state
from intermem.workflow.ledger_story import told_demoted
from intermem.workflow.workspace import Workspace, pending_notice


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """Which rows to return: ``which`` is search, topics, demoted, stale, pinned, review or all."""

    which: str
    words: tuple[str, ...] = ()
    rank: str = "blended"
    limit: int | None = None
    touch: bool = True


def query(workspace: Workspace, wanted: Query) -> QueryResult | TopicsResult:
    """Return the rows that ``wanted`` selects; exit code 1 if there are none.

    The returned rows count as accessed, unless ``touch`` is off or another process is writing.
    """
    limit = workspace.config.count("query.limit") if wanted.limit is None else wanted.limit
    words = tuple(part for word in wanted.words for part in word.split())
    if not all(_is_text(word) for word in words):
        raise UsageError("--search takes UTF-8 without NUL", hint="check the terminal's encoding")
    if wanted.which == "search" and not words:
        raise UsageError("--search requires a word", hint="intermem query --all lists everything")
    with workspace.viewing() as metadata:
        pending = pending_notice(metadata)
        if wanted.which == "topics":
            found = topics(metadata, limit)
            return TopicsResult(topics=found, exit_code=OK if found else FINDINGS, notices=tuple(pending))
        if wanted.which == "search":
            half_life = workspace.config.span("query.half_life")
            least = workspace.config.values["query.least_left"]
            assert isinstance(least, int | float)
            entries = search(
                metadata,
                words,
                rank=wanted.rank,
                limit=limit,
                now=workspace.now,
                half_life=half_life,
                basis=workspace.config.decay().basis,
                min_weight=float(least),
            )
        else:
            entries = listed(metadata, wanted.which, limit, workspace.now)
            if wanted.which == "demoted" and (not limit or len(entries) < limit):
                told = told_demoted(workspace, load_branch_state(workspace, metadata))
                entries += told[: limit - len(entries)] if limit else told
    if wanted.touch and entries:
        _touch(workspace, entries)
    return QueryResult(
        entries=entries,
        which=wanted.which,
        exit_code=OK if entries else FINDINGS,
        notices=tuple(pending),
    )


def _is_text(word: str) -> bool:
    return "\0" not in word and word.encode("utf-8", "replace").decode("utf-8") == word


def _touch(workspace: Workspace, entries: list[Record]) -> None:
    if workspace.database.is_file():  # a phase 1 database is never written
        # Even opening can collide with another process that is just closing it.
        with contextlib.suppress(StateError), open_for_touching(workspace.database) as metadata:
            touch(metadata, [entry.id for entry in entries], workspace.now)
