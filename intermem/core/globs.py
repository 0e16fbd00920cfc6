"""Globs as regular expressions that cannot run away: a hostile pattern costs its length times that of the path.

Between two stars stands a text of fixed length, and between two ``**`` a fixed number of names. The first place at
which it fits is as good as any later one, so each is an atomic group, into which no failure further on goes back.
"""

from __future__ import annotations

import re
from functools import lru_cache

MAX_LENGTH = 1000  # characters of a glob; a longer one is refused
MAX_ALTERNATIVES = 500  # that its braces may stand for
_NAME = "[^/]"
_NOTHING = "(?!)"
_CLASSES = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": " \\t",
    "cntrl": "\\x00-\\x1f\\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": "!-/:-@\\[-`{-~",
    "space": " \\t-\\r",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}


class InvalidGlob(ValueError):
    """A glob that matches nothing: a bracket without end, a backslash at the end, or one that is too long."""


@lru_cache(maxsize=1024)
def compiled_glob(glob: str) -> re.Pattern[str]:
    """Return the expression for the paths that ``glob`` matches; ``{a,b}`` stands for either. Raises InvalidGlob."""
    if len(glob) > MAX_LENGTH:
        raise InvalidGlob(f"longer than {MAX_LENGTH} characters")
    return re.compile("|".join(f"(?:{expression_of(one)})" for one in _alternatives(glob)), re.DOTALL)


def _alternatives(glob: str) -> list[str]:
    """Return the globs without braces that ``glob`` stands for. Raises InvalidGlob."""
    if "{" not in glob:
        return [glob]
    import bracex  # only where there are braces

    try:
        return bracex.expand(glob, keep_escapes=True, limit=MAX_ALTERNATIVES)
    except bracex.ExpansionLimitException:
        raise InvalidGlob(f"more than {MAX_ALTERNATIVES} alternatives") from None
    except RecursionError:
        raise InvalidGlob("its braces are nested too deeply") from None


def expression_of(glob: str) -> str:
    """Return the regular expression for the whole paths that ``glob`` matches, without braces, as git reads it.

    ``*`` and ``?`` do not cross folders, ``**`` as a whole name stands for any number of them, and at the end for
    everything below. Raises InvalidGlob.
    """
    if len(glob) > MAX_LENGTH:
        raise InvalidGlob(f"longer than {MAX_LENGTH} characters")
    runs: list[list[str]] = [[]]
    for name in _names(glob):
        if len(name) > 1 and not name.strip("*"):
            runs.append([])
        else:
            runs[-1].append(_name_expression(name))
    first, *others = ["/".join(run) for run in runs]
    if not others:
        return first
    *between, last = others
    start = f"{first}/" if first else ""
    middle = "".join(f"(?>(?:{_NAME}+/)*?{run}/)" for run in between if run)
    # Only one place is the right distance from the end, so this one need not be atomic.
    return start + middle + (f"(?:{_NAME}+/)*?{last}" if last else ".*")


def _names(glob: str) -> list[str]:
    """Split a glob at its slashes, but for those in brackets."""
    names, start, at = [], 0, 0
    while at < len(glob):
        if glob[at] == "[":
            at = _bracket_end(glob, at)
        elif glob[at] == "\\":
            at += 2
        else:
            if glob[at] == "/":
                names.append(glob[start:at])
                start = at + 1
            at += 1
    return [*names, glob[start:]]


def _name_expression(name: str) -> str:
    if not name.strip("*"):
        return f"{_NAME}+" if name else _NOTHING
    chunks: list[list[str]] = [[]]
    at = 0
    while at < len(name):
        letter = name[at]
        if letter == "[":
            end = _bracket_end(name, at)
            chunks[-1].append(_bracket_expression(name[at + 1 : end - 1]))
            at = end
            continue
        if letter == "\\":
            at += 1
            if at == len(name):
                raise InvalidGlob("a backslash at the end")
            chunks[-1].append(re.escape(name[at]))
        elif letter == "*":
            chunks.append([])
        else:
            chunks[-1].append(_NAME if letter == "?" else re.escape(letter))
        at += 1
    first, *others = ["".join(chunk) for chunk in chunks]
    if not others:
        return first
    *between, last = others
    middle = "".join(f"(?>{_NAME}*?{chunk})" for chunk in between if chunk)
    return f"(?>{first}{middle}{_NAME}*{last}(?!{_NAME}))"


def _bracket_end(glob: str, start: int) -> int:
    """Return where the bracket that begins at ``start`` has ended. Raises InvalidGlob if it never does."""
    at = start + 1
    if glob[at : at + 1] in ("!", "^"):
        at += 1
    first = at
    while at < len(glob):
        if glob[at] == "]" and at > first:
            return at + 1
        if glob[at] == "\\":
            at += 1
        elif glob.startswith("[:", at):
            end = glob.find(":]", at + 2)
            at = end + 1 if end >= 0 and glob[at + 2 : end].isalpha() else at
        at += 1
    raise InvalidGlob("a bracket without end")


def _bracket_expression(body: str) -> str:
    negated = body[:1] in ("!", "^")
    rest = body[1:] if negated else body
    members: list[str] = []
    at = 0
    while at < len(rest):
        if rest.startswith("[:", at):
            name, end, _ = rest[at + 2 :].partition(":]")
            if end and name.isalpha():
                if name not in _CLASSES:
                    raise InvalidGlob(f"no such class as [:{name}:]")
                members.append(_CLASSES[name])
                at += len(name) + 4
                continue
        low, at = _letter(rest, at)
        if rest[at : at + 1] == "-" and at + 1 < len(rest):
            high, at = _letter(rest, at + 1)
            members += [f"{re.escape(low)}-{re.escape(high)}"] if low < high else []
        members.append(re.escape(low))
    if not members:
        return _NAME if negated else _NOTHING
    return f"(?!/)[{'^' if negated else ''}{''.join(members)}]"


def _letter(text: str, at: int) -> tuple[str, int]:
    if text[at] == "\\" and at + 1 < len(text):
        at += 1
    return text[at], at + 1
