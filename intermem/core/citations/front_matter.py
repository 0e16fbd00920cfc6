"""Where the front matter of a document says that it applies: ``paths: ["web/src/**/*.ts"]``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from intermem.patterns import regex

_OPENING = regex(r"---[ \t]*\n")
_BLOCK = regex(r"---[ \t]*\n.*?\n---(?=\s|\Z)", re.DOTALL)
_WHERE = regex(
    r"^(?:paths?|globs?|applyTo|fileMatch(?:Pattern)?)[ \t]*:(?P<value>.*(?:\n(?:[ \t]+|- ).*)*)", re.MULTILINE
)
_PATTERN = regex(r"(?:\{[^{}\n]{0,200}\}|[^\s\"',\[\]{}|;]){2,400}")
_SOURCES = ("src", "source", "sources", "lib", "app")  # of what is above them
_WILD = regex(r"[*?\[{]")


def is_front_matter(block: str) -> bool:
    """Return whether a block of a document is its front matter."""
    return _OPENING.match(block) is not None


def front_matter(text: str) -> str:
    """Return the front matter of the document ``text``; empty if it has none."""
    found = _BLOCK.match(text)
    return found[0] if found is not None else ""


def patterns_in(block: str) -> Iterator[re.Match[str]]:
    """Yield the globs and paths under those keys of front matter that say where the document applies."""
    for key in _WHERE.finditer(block):
        yield from _PATTERN.finditer(block, key.start("value"), key.end("value"))


def folders_applied_to(text: str) -> list[str]:
    """Return the folders whose files the document ``text`` is for; of ``web/src`` the one above it as well."""
    found: list[str] = []
    for match in patterns_in(front_matter(text)):
        pattern = match[0].removeprefix("./")
        wild = _WILD.search(pattern)
        folder = pattern[: wild.start() if wild is not None else None]
        is_whole = wild is None and "." not in folder.rpartition("/")[2]
        folder = folder.strip("/") if is_whole else folder.rpartition("/")[0].strip("/")
        if folder and not pattern.startswith("!"):
            above, _, last = folder.rpartition("/")
            found += [folder, above] if above and last in _SOURCES else [folder]
    return list(dict.fromkeys(found))
