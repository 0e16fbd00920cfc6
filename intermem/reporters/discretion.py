"""What every reporter leaves out: the secrets in a result, wherever they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from datetime import datetime
from enum import Enum
from functools import cache
from typing import Any, TypeVar

from intermem.core.check.rules import Rule
from intermem.core.entries.secrets import hidden, lines_without_secrets, without_secret, without_values
from intermem.entities import Record
from intermem.lazy_dataclass import dataclass
from intermem.results import FileDiff, Result

R = TypeVar("R", bound=Result)
_OF_A_NOTE = frozenset(("section", "trail", "source_file"))  # fields with words of a memory

_NO_WORDS = frozenset(("id", "block", "entry", "commit", "anchor"))  # of their strings: hashes


def discreet(result: R, now: datetime | None = None) -> R:
    """Return ``result`` with every record, text and diff as it may be shown: the output may end up in a log.

    A pin that has ended by ``now`` is none.
    """
    show = _Showing(now)
    shown = {
        one.name: show.value(getattr(result, one.name), one.name) for one in fields(result) if one.name != "changes"
    }
    if result.show_diff:  # otherwise only their names are
        shown["changes"] = tuple(map(without_secrets, result.changes))
    return replace(result, **shown)


def without_secrets(change: FileDiff) -> FileDiff:
    """Return the change without lines that may hold a secret."""
    before, after = (None if text is None else lines_without_secrets(text) for text in (change.before, change.after))
    return replace(change, before=before, after=after)


@cache
def _fields_of(kind: type) -> tuple[str, ...] | None:
    """Return the names of the fields that an object of a dataclass is made of; None for another class."""
    return tuple(one.name for one in fields(kind) if one.init) if is_dataclass(kind) else None


@dataclass(frozen=True, slots=True)
class _Showing:
    """How values are shown at ``now``."""

    now: datetime | None

    def record(self, record: Record) -> Record:
        """The record as it may be shown; what ``without_secret`` has looked at is not looked at again."""
        record = without_secret(record)
        if self.now is not None and record.pinned and not record.is_pinned(self.now):
            record = replace(record, pinned=False)
        left = {name: self.value(getattr(record, name)) for name in ("document", "missing_from", "citations")}
        return replace(record, **left) if any(getattr(record, name) is not left[name] for name in left) else record

    def value(self, value: Any, name: str = "") -> Any:
        """The value as it may be shown; ``name`` is that of its field."""
        if value is None or isinstance(value, (Enum, Rule, bool, int)):
            return value
        if isinstance(value, str):
            if name in _NO_WORDS:
                return value
            return hidden(value) if name in _OF_A_NOTE else without_values(value)
        if isinstance(value, Record):
            return self.record(value)
        names = _fields_of(type(value))  # type: ignore[arg-type] # mypy takes no class to be hashable
        if names is not None:
            old = [getattr(value, one) for one in names]
            new = [self.value(item, one) for one, item in zip(names, old, strict=True)]
            changed = {one: after for one, before, after in zip(names, old, new, strict=True) if after is not before}
            return replace(value, **changed) if changed else value
        if isinstance(value, tuple | list):
            shown = [self.value(item, name) for item in value]
            if all(a is b for a, b in zip(shown, value, strict=True)):
                return value
            return shown if isinstance(value, list) else tuple(shown)
        if isinstance(value, Mapping):
            return {
                without_values(key) if isinstance(key, str) else key: self.value(item) for key, item in value.items()
            }
        return value
