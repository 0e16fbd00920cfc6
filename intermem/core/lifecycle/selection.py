"""Select records by what they are, the same way for every command that takes selectors."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping
from dataclasses import fields
from datetime import datetime

from intermem.core.entries.prefixes import MIN_PREFIX
from intermem.core.entries.secrets import hidden
from intermem.core.lifecycle.decay import last_seen_by_anybody
from intermem.core.lifecycle.retention import Cutoff, is_older
from intermem.core.region.topic_files import is_topic_file
from intermem.entities import Origins, Record
from intermem.errors import UsageError
from intermem.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Selectors:
    """Selectors of records; one has to match all that are given.

    ``older_than`` is about when anybody last saw an entry; each of ``words`` is a part of its text, its note or a
    heading above it; ``type``, ``section`` and ``source`` (a path in the memory) are whole ones, all whatever the case.
    ``session`` is a unique prefix, as long as that of an id, ``status`` a record's ``state``; ``tier`` is that of the
    document an entry is in.
    """

    type: str | None = None
    section: str | None = None
    source: str | None = None
    session: str | None = None
    older_than: Cutoff | None = None
    words: tuple[str, ...] = ()
    status: str | None = None
    tier: int | None = None

    def __bool__(self) -> bool:
        return bool(self.named)

    @property
    def named(self) -> list[str]:
        """The options that are given, sorted, without their values, which may be the secret itself."""
        given = [one.name for one in fields(self) if getattr(self, one.name) not in (None, ())]
        return sorted(_OPTIONS.get(name, f"--{name}") for name in given)

    @property
    def criteria(self) -> list[str]:
        """What is given, in words. Words to search for are only counted: they may be the secret itself."""
        exact = {"--section": self.section, "--session": self.session, "--source": self.source}
        named = {**exact, "--status": self.status, "--type": self.type}
        found = [f"--older-than {self.older_than.words}"] if self.older_than is not None else []
        if self.words:
            found.append(f"--search ({len(self.words)} {'word' if len(self.words) == 1 else 'words'})")
        return found + [f"{option} {hidden(value)}" for option, value in named.items() if value is not None]


_OPTIONS = {"older_than": "--older-than", "words": "--search"}


ANY = Selectors()


def selected(
    records: Iterable[Record],
    wanted: Selectors,
    origins: Origins,
    now: datetime,
    stood: Mapping[str, str] | None = None,
) -> list[Record]:
    """Return the records that match every selector, in their order (seeds/S0: ANDed, in every combination).

    ``stood`` are the documents that count as those of entries that are in none. Raises UsageError for a session that is
    not the only one, or too short.
    """
    session = _session(wanted.session, origins.sessions) if wanted.session is not None else ""
    words = [word.casefold() for word in wanted.words]
    return [
        one
        for one in records
        if _is_same(wanted.type, one.type)
        and (_is_same(wanted.section, one.section) or _is_same(wanted.section, one.topic))
        and any(_is_same(_path(wanted.source), file) for file in (one.source_file, *origins.files.get(one.id, ())))
        and _has_status(one, wanted.status)
        and (wanted.session is None or session in origins.sessions.get(one.id, frozenset()))
        and (wanted.older_than is None or is_older(last_seen_by_anybody(one), wanted.older_than, now))
        and (wanted.tier is None or wanted.tier == _tier_of(one.document or (stood or {}).get(one.id)))
        and contains(one, words, origins.said.get(one.id, ""))
    ]


def _is_same(wanted: str | None, value: str) -> bool:
    return wanted is None or wanted.casefold() == value.casefold()


def _path(given: str | None) -> str | None:
    return posixpath.normpath(given) if given else given


def _session(prefix: str, sessions: Mapping[str, frozenset[str]]) -> str:
    """The session that ``prefix`` names; itself where there is none."""
    known = frozenset[str]().union(*sessions.values())
    named = [one for one in known if prefix and one.startswith(prefix)]
    if prefix in known or not named:
        return prefix
    if len(prefix) < MIN_PREFIX:
        raise UsageError(f"--session {prefix} is too short", hint=f"give {MIN_PREFIX} characters of it or more")
    if len(named) > 1:
        raise UsageError(f"--session {prefix}: {len(named)} sessions start with it", hint="give more of it")
    return named[0]


def _tier_of(document: str | None) -> int | None:
    return None if document is None else 2 if is_topic_file(document) else 1


def _has_status(record: Record, status: str | None) -> bool:
    """Whether lists show an entry with ``status``; what is promoted may be stale as well."""
    return status in (None, record.state) or (status == "promoted" and record.document is not None)


def contains(record: Record, words: Iterable[str], said: str = "") -> bool:
    """Return whether each of ``words``, case-folded, is in the text of a record, its note or a heading above it.

    Or in what was ``said`` of it.
    """
    text = "\n".join((record.shown_text, record.noted_text, record.section, *record.trail, said)).casefold()
    return all(word in text for word in words)
