"""The functions of a file, by name: what they do, without how it is laid out."""

from __future__ import annotations

import re

from intermem.core.code.line_shapes import MAX_LINE, is_comment, shape_of
from intermem.facts import Shape
from intermem.patterns import regex

_NO_FUNCTION = r"class|classdef|struct|interface|enum|trait|record|type|module|namespace|protocol|object|extension"
_SAYS_SO = r"def|defp|defmacro|fn|fun|func|function|sub|proc|procedure|method|macro_rules!"
# name(, name<T>(, name = (…) =>, name: async function
_TAKES = r"\s*(?:<[^<>]*>)?\s*(?:\(|[:=]\s*(?:async\b\s*)?(?:function\b|\(|\w+\s*=>))"
_CLOSES = regex(r"[)\]}{]|end\b|#")  # at the indentation of the first line, and still part of the function
_ENDS = regex(r"\}(?!\s*\))|end\b")
_LAYOUT = str.maketrans("'", '"', " \t\r\f\v")
_REMARK = regex(r"\s(?:#|//)\s.*")  # behind code
_LAST_COMMA = regex(r",(?=[)\]}])")


def function_named(text: str, name: str) -> str | None:
    """Return the functions called ``name`` in ``text``, one after the other, with their signatures; None if none.

    Comments are left out, and what a formatter changes: white space, line breaks, last commas, the kind of quotes.
    A body ends where a line is not indented more than its first, so no language is parsed.
    """
    if name not in text:
        return None
    lines = text.split("\n")
    found = [_joined(lines, at) for at, line in enumerate(lines) if name in line and _defines(line, name)]
    return "\n".join(found) if found else None


def _defines(line: str, name: str) -> bool:
    """Whether the line is the first of a function, and not of a class or of anything else."""
    if len(line) > MAX_LINE:
        return False
    whole = rf"(?<!\w){re.escape(name)}(?!\w)"
    is_function = re.search(rf"\b(?:{_SAYS_SO})\b[^=]*{whole}|{whole}{_TAKES}", line)
    if is_function is None or re.search(rf"\b(?:{_NO_FUNCTION})\s+{whole}", line):
        return False
    return shape_of(line, name) in (Shape.DEFINITION, Shape.FIELD)


def _joined(lines: list[str], first: int) -> str:
    """The function that begins on the line ``first`` (from 0)."""
    depth = _indentation(lines[first])
    kept = [lines[first]]
    for line in lines[first + 1 :]:
        stripped = line.strip()
        if not stripped or _indentation(line) > depth:
            kept.append(line)
            continue
        if _indentation(line) < depth or not _CLOSES.match(stripped):
            break
        kept.append(line)
        if _ENDS.match(stripped):
            break
    bare = "".join(_REMARK.sub("", line) for line in kept if not is_comment(line)).translate(_LAYOUT)
    return _LAST_COMMA.sub("", bare)


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip())
