"""The ledger of 0.1: one JSON object per line, in one file. It is read, and written no more.

Its dates mean 00:00 UTC. Its lines are folded as 0.1 folded them, and count as older than every event.
"""

from __future__ import annotations

import json
from datetime import date, datetime
from functools import lru_cache
from typing import Any

from intermem.core.markdown.lines import split_lines
from intermem.core.reconcile.events import document_path, identity_of, plain
from intermem.core.reconcile.fold import fold_lines
from intermem.core.reconcile.ledger import Line, Standing, midnight, tombstone
from intermem.entities import OLD_LEDGER
from intermem.errors import LedgerRefused
from intermem.patterns import regex

_CONFLICT = regex(r"<{7}|\|{7}|={7}|>{7}")


def parse_old_ledger(text: str) -> dict[str, Line]:
    """Return the lines of a ledger of 0.1 by id, folded. Those on both sides of a merge conflict count.

    Raises LedgerRefused, with the line, if one is invalid.
    """
    found: list[Line] = []
    for number, written in enumerate(split_lines(text.removeprefix("\ufeff")), start=1):
        if written.strip() and not _CONFLICT.match(written):
            found.append(_line(written, number))
    return fold_lines(found)


def has_conflict(text: str) -> bool:
    """Return whether a ledger of 0.1 contains conflict markers."""
    return any(_CONFLICT.match(line) for line in split_lines(text))


def without_lines(text: str, ids: frozenset[str]) -> str:
    """Return ``text`` without conflict markers and without the lines of the entries ``ids``, or that name them."""
    kept = []
    for number, written in enumerate(split_lines(text.removeprefix("\ufeff")), start=1):
        if _CONFLICT.match(written):
            continue
        if written.strip() and ids and ids.intersection(_line(written, number).names):
            continue
        kept.append(written + "\n")
    return "".join(kept)


def line_numbers(text: str) -> dict[str, int]:
    """Return the line number (from 1) of each id in a valid ledger; the last one if there are several."""
    written = enumerate(split_lines(text.removeprefix("\ufeff")), start=1)
    return {_line(line, number).id: number for number, line in written if line.strip() and not _CONFLICT.match(line)}


def _line(written: str, number: int) -> Line:
    try:
        return _read_line(written)
    except KeyError as error:
        raise LedgerRefused(f"{OLD_LEDGER}:{number}", f"{error.args[0]} is missing") from None
    except (ValueError, TypeError, OverflowError) as error:
        raise LedgerRefused(f"{OLD_LEDGER}:{number}", str(error)) from None


@lru_cache(maxsize=65536)  # the versions of a ledger differ in few lines
def _read_line(written: str) -> Line:
    try:
        loaded = json.loads(written)
    except (ValueError, RecursionError):
        raise ValueError("not JSON") from None
    if not isinstance(loaded, dict):
        raise ValueError("not a JSON object")
    return _from_json(loaded)


def _from_json(loaded: dict[str, Any]) -> Line:
    rest = dict(loaded)

    def take(name: str, kind: type | tuple[type, ...], default: Any = ...) -> Any:
        value = rest.pop(name) if default is ... else rest.pop(name, default)
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise ValueError(f"{name} is {value!r}"[:80])
        return value

    def day(name: str) -> datetime:
        value = take(name, str)
        try:
            return midnight(date.fromisoformat(value))
        except ValueError:
            raise ValueError(f"{name} is not a date: {value!r}"[:80]) from None

    if rest.get("status") == Standing.PURGED:  # whatever else the line says, it is not kept
        return tombstone(identity_of(rest["id"]), day("since"))
    feedback = take("feedback", (int, float), 0)
    if not -1000 <= feedback <= 1000:
        raise ValueError(f"feedback is {feedback!r}"[:80])
    snapshots = take("snapshots", int, 1)
    if not 0 <= snapshots < 10**9:
        raise ValueError(f"snapshots is {snapshots!r}"[:80])
    made = Line(
        id=identity_of(rest.pop("id")),
        status=Standing(take("status", str)),
        document=document_path(str(take("doc", str))),
        section=plain(take("section", str, "")),
        since=day("since"),
        first_seen=day("first_seen"),
        last_seen=day("last_seen"),
        snapshots=snapshots,
        pinned=take("pinned", bool, False),
        pinned_until=day("pinned_until") if "pinned_until" in rest else None,
        feedback=round(feedback * 1000),
        was=tuple(identity_of(alias) for alias in take("was", list, [])),
        note_id=identity_of(rest.pop("note")) if "note" in rest else None,
    )
    if made.status is Standing.PROMOTED and not made.document:
        raise ValueError("doc is empty")
    return made
