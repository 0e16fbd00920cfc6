"""Files whose names a template engine completes: ``{% if docs %}docs.yml{% endif %}`` is made into ``docs.yml``."""

from __future__ import annotations

import posixpath
from functools import lru_cache

from intermem.patterns import regex

_TAG = regex(r"\{%[^{}]*%\}|\{\{[^{}]*\}\}")


def made_from(cited: str, paths: frozenset[str]) -> str | None:
    """Return the one of ``paths`` that is made into what is ``cited``, a path or a name, once its tags are gone."""
    wanted = posixpath.normpath(cited)
    made = _made(paths)
    return next((path for name, path in made if name == wanted or name.endswith(f"/{wanted}")), None)


@lru_cache(maxsize=4)
def _made(paths: frozenset[str]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((_TAG.sub("", path), path) for path in paths if "{" in path and _TAG.search(path) is not None))
