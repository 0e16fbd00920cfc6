"""Abbreviated entry ids: any unique prefix, as with commits in git."""

from __future__ import annotations

from collections.abc import Collection

from intermem.errors import NoSuchEntry

MIN_PREFIX = 4


def checked_prefix(prefix: str) -> str:
    """Return ``prefix`` in lower case. Raises NoSuchEntry if no id can start with it."""
    wanted = prefix.strip().lower()
    if len(wanted) < MIN_PREFIX or not all(char in "0123456789abcdef" for char in wanted):
        raise NoSuchEntry(
            f"{prefix!r} is not an id: ids are at least {MIN_PREFIX} hex digits",
            hint="intermem query --all lists ids",
        )
    return wanted


def only_one(prefix: str, found: Collection[str]) -> str:
    """Return the only id in ``found``, which all start with ``prefix``. Raises NoSuchEntry for none or several."""
    if len(found) != 1:
        some = ", ".join(key[:8] for key in sorted(found)[:5])
        what = f"{len(found)} entries start with {prefix} ({some})" if found else f"no entry starts with {prefix}"
        raise NoSuchEntry(what, hint="give more digits" if found else "intermem query --all lists ids")
    return next(iter(found))
