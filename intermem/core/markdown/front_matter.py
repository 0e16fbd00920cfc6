"""The front matter of a topic file: flat, nested under ``metadata``, or broken."""

from __future__ import annotations

import re

from intermem.entities import UNTYPED
from intermem.lazy_dataclass import dataclass
from intermem.patterns import regex

_FIELD = regex(r"^[ \t]*(name|type|originSessionId)[ \t]*:[ \t]*(\S.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The fields of a front matter that are used; ``problem`` is the error if the YAML is invalid."""

    name: str = ""
    type: str = UNTYPED
    session: str | None = None
    problem: str = ""


def read_front_matter(source: str) -> FrontMatter:
    """Return the fields of the YAML ``source``.

    If the YAML is invalid, its plain ``key: value`` lines are still read, because a private note must stay
    private; ``problem`` is the error.
    """
    import yaml

    try:
        loaded = yaml.safe_load(source)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        return _from_lines(source, " ".join(str(error).split())[:200])
    if loaded is None:
        return FrontMatter()
    if not isinstance(loaded, dict):
        return _from_lines(source, "not a mapping of keys to values")
    nested = loaded.get("metadata")
    fields = {**(nested if isinstance(nested, dict) else {}), **loaded}
    return _front_matter({key: _encodable(value) for key, value in fields.items() if isinstance(value, str)}, "")


def _encodable(value: str) -> str:
    """Return ``value`` without lone surrogates, which YAML can express and UTF-8 cannot."""
    return value.encode("utf-8", "replace").decode("utf-8")


def _from_lines(source: str, problem: str) -> FrontMatter:
    return _front_matter({match[1]: match[2].strip().strip("'\"") for match in _FIELD.finditer(source)}, problem)


def _front_matter(fields: dict[object, str], problem: str) -> FrontMatter:
    return FrontMatter(
        name=fields.get("name", "").strip(),
        type=fields.get("type", "").strip().lower() or UNTYPED,
        session=fields.get("originSessionId", "").strip() or None,
        problem=problem,
    )
