"""Names listed behind a folder, or below it, which are in it: ``src/core/`` of ``- `src/core/` (`app.py`, `io/`)``."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence

from intermem.entities import Citation, CitedAt
from intermem.facts import Tree
from intermem.patterns import regex

_OPENING = regex(r"`?\s?(?:\(|[:—–]|-(?=\s))\s?`?")  # from the folder to the first name
# From one name to the next, with a remark: "`rules/` (read at once) | `heat/`".
_BETWEEN = regex(r"`?(?:\s?\([^()\n`]{0,60}\))?\s?(?:[,、;/+&|]|,?\s(?:and|und|et|y|e|и))\s?`?")
_ITEM = regex(r"^(?P<indent>[ \t]*)(?:[-*+]|\d{1,3}[.)])[ \t]+[`*_\[]{0,4}")
_BEGINNING = r"(?m)^[ \t]*(?:#{1,6}|[-*+]|\d{1,3}[.)]|\|)[ \t]+[`*_\[]{0,4}"
_NAMED = ("path", "dir")

_Placed = tuple[int, int, Citation]  # a citation at these offsets


def listed_paths(
    text: str,
    citations: Sequence[Citation],
    spans: Mapping[tuple[str, str], Sequence[CitedAt]],
    tree: Tree,
    folder: str = "",
) -> dict[str, str]:
    """Return the paths, from the top of the repository, of the names that ``text`` lists behind a folder or below it.

    By the text of their citation; ``spans`` are the places of ``citations`` in ``text``, by kind and text. A name that
    is cited in several places has none. The folder is from the top of the project, or from the ``folder`` of the text.
    """
    tops = tuple(dict.fromkeys((tree.prefix, folder)))
    placed = sorted(
        ((span.start, span.stop, one) for one in citations for span in spans.get((one.kind, one.text), ())),
        key=lambda triple: triple[:2],
    )
    found = {**dict(_behind(text, placed, tops, tree)), **dict(_below(text, placed, tops, tree))}
    return {one.text: found[one.text] for one in citations if one.text in found and len(spans[one.kind, one.text]) == 1}


def _behind(text: str, placed: Sequence[_Placed], tops: Sequence[str], tree: Tree) -> Iterator[tuple[str, str]]:
    """Yield the names on the line of a folder, with their paths: ``- `src/core/` (`app.py`, `io/`)``."""
    folder, last = "", 0
    for start, stop, one in placed:
        name = one.name.strip("/")
        if one.kind == "dir" and (own := _folder_of([one], tops, tree)):
            folder, last, gap = own, stop, _OPENING
            continue
        is_listed = folder and one.kind in _NAMED and "/" not in name and gap.fullmatch(text, last, start)
        if not is_listed:
            folder = ""
        else:
            yield one.text, posixpath.join(folder, name)
        last, gap = stop, _BETWEEN


def _below(text: str, placed: Sequence[_Placed], tops: Sequence[str], tree: Tree) -> Iterator[tuple[str, str]]:
    """Yield the names that items of a list begin with, with their paths below the folder that the item above has.

    What is there from the top, or from the folder of the text, is meant as it is written.
    """
    placed = [one for one in placed if one[2].kind in _NAMED]
    by_start = {start: number for number, (start, _, _) in enumerate(placed)}
    above: list[tuple[int, str]] = []  # indentation and folder, empty for an item that begins with none
    at = 0
    for line in text.split("\n"):
        item = _ITEM.match(line)
        if item is not None:
            indent = len(item["indent"].expandtabs(4))
            while above and above[-1][0] >= indent:
                above.pop()
            base = above[-1][1] if above else ""
            names = _names_from(text, placed, by_start.get(at + item.end()))
            for one in names if base else ():
                if not any(_is_there(posixpath.join(top, one.name.strip("/")), tree) for top in tops):
                    yield one.text, posixpath.join(base, one.name.strip("/"))
            above.append((indent, _folder_of(names, (base,) if base else tops, tree)))
        at += len(line) + 1


def begins_with(text: str, cited: str) -> bool:
    """Return whether a heading, an item or a row of ``text`` begins with ``cited``: it lists what is here."""
    return re.search(_BEGINNING + re.escape(cited) + r"(?![\w/])", text) is not None


def _names_from(text: str, placed: Sequence[_Placed], number: int | None) -> list[Citation]:
    """Return what is cited from ``number`` on without another word between."""
    names: list[Citation] = []
    last = 0
    while number is not None and number < len(placed):
        start, stop, one = placed[number]
        if names and _BETWEEN.fullmatch(text, last, start) is None:
            break
        names.append(one)
        last, number = stop, number + 1
    return names


def _is_there(path: str, tree: Tree) -> bool:
    return path in tree.paths or path in tree.dirs


def _folder_of(names: Sequence[Citation], bases: Sequence[str], tree: Tree) -> str:
    """Return the path of the one folder that ``names`` are, below the first of ``bases`` that has it; else empty."""
    tried = [posixpath.join(base, names[0].name.strip("/")) for base in bases] if len(names) == 1 else []
    return next((path for path in tried if path in tree.dirs), "")
