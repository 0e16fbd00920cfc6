"""Select records by what they are, the same way for every command that takes selectors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import datetime

from intermem.core.lifecycle.retention import Cutoff, is_older
from intermem.core.region.topic_files import is_topic_file
from intermem.entities import Record


@dataclass(frozen=True, slots=True, kw_only=True)
class Selectors:
    """Selectors of records; one has to match all that are given.

    ``older_than`` is about when an entry was last seen; each of ``words`` is a part of its text, its note or its
    section, whatever the case; ``type``, ``section``, ``source`` (a file of the memory), ``session`` and ``status`` are
    exact; ``tier`` is that of the document that an entry is in.
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


_OPTIONS = {"older_than": "--older-than", "words": "--search"}


ANY = Selectors()


def selected(
    records: Iterable[Record], wanted: Selectors, sessions: Mapping[str, frozenset[str]], now: datetime
) -> list[Record]:
    """Return the records that match every selector, in their order (seeds/S0: ANDed, in every combination).

    ``sessions`` are those that each entry was seen in, by id.
    """
    words = [word.casefold() for word in wanted.words]
    return [
        one
        for one in records
        if wanted.type in (None, one.type)
        and wanted.section in (None, one.section)
        and wanted.source in (None, one.source_file)
        and wanted.status in (None, str(one.status))
        and (wanted.session is None or wanted.session in sessions.get(one.id, frozenset()))
        and (wanted.older_than is None or is_older(one.last_seen, wanted.older_than, now))
        and (wanted.tier is None or wanted.tier == _tier_of(one))
        and _contains(one, words)
    ]


def _tier_of(record: Record) -> int | None:
    return None if record.document is None else 2 if is_topic_file(record.document) else 1


def _contains(record: Record, words: Iterable[str]) -> bool:
    text = f"{record.shown_text}\n{record.noted_text}\n{record.section}".casefold()
    return all(word in text for word in words)
