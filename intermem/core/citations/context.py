"""The context of an entry in its file: the headings above it, and the lines before it in its section."""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise

from intermem.core.citations.bases import bases_of
from intermem.core.citations.front_matter import folders_applied_to
from intermem.core.code.file_types import is_source
from intermem.core.code.line_shapes import defines
from intermem.core.markdown.blocks import Block, blocks_of
from intermem.core.markdown.inline import fence_spans
from intermem.core.markdown.lines import split_lines
from intermem.lazy_dataclass import dataclass
from intermem.patterns import regex

_WORD = regex(r"\w+")
_MAKING = regex(r"(?:^|\s)(?:-o|--out(?:put|file)?|mkdir(?:[ ]-p)?|touch|>{1,2})[ =]\s{0,4}[\"']?([\w./@-]{1,200})")
# What whoever reads the file is to write: "write the plan to `tasks/todo.md`".
_WRITING = regex(
    r"\b(?:write|save|draft|dump|output|log)\s(?:[\w'’-]{1,20}\s){0,3}"
    r"(?:plans?|drafts?|reports?|summar(?:y|ies)|results?|findings|notes|output|progress|checklist|to-?dos?)\s"
    r"(?:[\w'’-]{1,20}\s){0,3}?(?:in)?to\s`([\w./@-]{1,200}\.(?:md|txt|log|jsonl?|csv|html))`",
    re.IGNORECASE,
)
# What a step is said to write: "# Output: dist/kiln.yaml". Source code is in git, whoever writes it.
_WRITTEN = regex(
    r"(?:^|[\s#/*(>-])(?:outputs?|generates?|generated|writes?|written|saved?)(?:\s(?:to|in|into|files?|folder))?\s?[:：]"
    r"\s{0,4}[`\"']?([\w./@-]{1,200}(?:\.\w{1,8}|/))[`\"']?\s*$",
    re.IGNORECASE,
)
# The head of a function in sample code: "def heat(", or "loadRack(file?: string): Rack" without a keyword.
_HEAD = regex(
    r"(?:^|\s)(?:function|def|fn|func|fun)\s[^()\n]{0,80}\(|^\s*[\w\s]{1,80}\([^()\n]*\)\s?(?::\s?[A-Za-z]|->)"
)
_PARAMETERS = regex(
    r"[(,]\s*(?:(?:readonly|private|public|protected|mut|final|val|var)\s+)*(?P<name>\w+)\??\s?(?=[:=,)])"
)
_MAX_LINE = 400  # characters of sample code
_LEADS = (":", "：", "**", "__")
# The first words of a document, behind its title, that is no longer in force: "> **Superseded by …".
_OVER = regex(
    r"[^\w\n]{0,12}(?:(?:status|статус|estado|statut|stato|状态)[^\w\n]{1,6})?"
    r"(?:superseded|deprecated|archived|obsolete|retired|legacy|outdated|non-?authoritative|no\slonger\s(?:maintained|authoritative)"
    r"|historical\s(?:reference|record|document)|veraltet|obsol[eè]te|obsolet[oa]|устарел\w{0,3}|已?废弃|已?过时|廃止|폐기)"
    r"(?=[^\w\s]|\s?$|\s(?:by|on|since|as\sof|in\sfavou?r)\b)",
    re.IGNORECASE,
)
# A status in its head by which what it tells of is to come: "**Status:** Planned — not yet built".
_TO_COME = regex(
    r"[^\w\n]{0,12}status[^\w\n]{1,6}(?:planned|proposed)\b[^\w\n]{1,8}(?:(?:nothing|not)\s(?:is\s|yet\s|been\s){0,2}"
    r"(?:built|implemented|started|written)|no\scode)",
    re.IGNORECASE,
)
_HEAD_BLOCKS = 3  # that may say what the document is
_OUTSIDE = ("heading", "front_matter", "html", "rule")  # what may stand before the first words
_MOST_FOLDERS = 6
_MAX_EARLIER = 60  # lines before an entry that are considered
_MAX_OPENING = 400  # characters below a heading


@dataclass(frozen=True, slots=True)
class Context:
    """``trail`` holds the headings above an entry, outermost first; ``earlier`` the text before it in its section.

    ``lead`` is the line above the list or table that the entry is an item or row of, if it leads that in: ``Removed in
    v2:``.
    ``is_past`` is true below a notice that the whole document was superseded. ``openings`` are the first paragraphs
    below the headings of ``trail``, empty where another block follows. ``header`` is the first row of the table that
    the entry is a row of.
    """

    trail: tuple[str, ...] = ()
    earlier: str = ""
    lead: str = ""
    is_past: bool = False
    openings: tuple[str, ...] = ()
    header: str = ""


@lru_cache(maxsize=512)
def _taken(line: str) -> frozenset[str]:
    """Return the parameters of the function whose head a line of sample code is."""
    head = _HEAD.search(line) if len(line) <= _MAX_LINE else None
    if head is None:
        return frozenset()
    opening = line.index("(", head.start())
    closing = line.find(")", opening)
    return frozenset(
        match["name"] for match in _PARAMETERS.finditer(line[opening : closing + 1] if closing > 0 else line)
    )


class Contexts:
    """The contexts of one file, which is parsed once."""

    def __init__(
        self,
        text: str,
        parse: Callable[[str], Sequence[Block]] = blocks_of,
        defines: Callable[[str, str], bool] = defines,
    ) -> None:
        self._defines = defines
        self._lines = split_lines(text)
        blocks = parse(text)
        self._headings: list[Block] = [block for block in blocks if block.type == "heading"]
        self._openings = {
            one.first: "\n".join(self._lines[after.first : after.stop])[:_MAX_OPENING]
            for one, after in pairwise(blocks)
            if one.type == "heading" and after.type == "paragraph"
        }
        self._led = {block.first: block.list_first for block in blocks if block.type == "item"}
        self._led |= {block.first: block.first for block in blocks if block.type == "fence"}
        self._headers = {
            line: block.first
            for block in blocks
            if block.type == "table"
            for line in range(block.first + 1, block.stop)
        }
        opening = next((block for block in blocks if block.type not in _OUTSIDE), None)
        self._past_from = len(self._lines)
        for block in blocks[: blocks.index(opening) + _HEAD_BLOCKS] if opening is not None else ():
            line = self._lines[block.first]
            is_over = (block is opening and _OVER.match(line)) or _TO_COME.match(line)
            if is_over and sum(one.first < block.first for one in self._headings) < 2:
                self._past_from = block.stop
                break
        self._firsts = [block.first for block in self._headings]
        self._samples = [line for span in fence_spans(text) for line in span.text.split("\n")]

    @cached_property
    def bases(self) -> tuple[str, ...]:
        """The folders that the file says its paths are relative to, or whose files it says it is for."""
        text = "\n".join(self._lines)
        return (*bases_of(text), *folders_applied_to(text)[:_MOST_FOLDERS])

    def has_sample_of(self, name: str) -> bool:
        """Return whether sample code in the file defines ``name``, or makes the file: it then means its own example.

        So does what takes a parameter of that name.
        """
        lines = self._samples_by_word.get(name, ())
        return name in self._made or any(self._defines(line, name) or name in _taken(line) for line in lines)

    @cached_property
    def _made(self) -> frozenset[str]:
        """The paths that commands of the file make (``go build -o kiln``, ``mkdir -p out``), or readers write."""
        made = [match[1] for line in self._samples for match in _MAKING.finditer(line)]
        made += [match[1] for line in self._lines for match in _WRITING.finditer(line)]
        written = (match[1] for line in self._samples for match in _WRITTEN.finditer(line))
        made += [path for path in written if not is_source(path)]
        return frozenset(posixpath.normpath(path) for path in made)

    @cached_property
    def _samples_by_word(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for line in self._samples:
            for word in set(_WORD.findall(line)):
                found.setdefault(word, []).append(line)
        return found

    def at(self, line: int) -> Context:
        """Return the context of the entry that begins at ``line`` (from 1)."""
        number = bisect_left(self._firsts, line - 1)
        trail: list[Block] = []
        for heading in self._headings[:number]:
            while trail and trail[-1].level >= heading.level:
                trail.pop()
            trail.append(heading)
        own = self._headings[number] if number < len(self._headings) else None
        if own is not None and own.first == line - 1:  # a heading is not below those beside it
            trail = [heading for heading in trail if heading.level < own.level]
        start = self._headings[number - 1].stop if number else 0
        earlier = self._lines[max(start, line - 1 - _MAX_EARLIER) : line - 1]
        above = tuple(block.content for block in trail)
        openings = tuple(self._openings.get(block.first, "") for block in trail)
        is_past = self._past_from < line <= len(self._lines)
        first = self._headers.get(line - 1)
        header = self._lines[first] if first is not None else ""
        return Context(above, "\n".join(earlier), self._lead(line - 1), is_past, openings, header)

    def _lead(self, first: int) -> str:
        """The line that leads in the list, table or code at ``first`` (from 0), with at most one blank line below."""
        top = self._led.get(first, self._headers.get(first, 0))
        above = [line.strip() for line in self._lines[max(top - 2, 0) : top]]
        found = next((line for line in reversed(above) if line), "")
        return found if found.endswith(_LEADS) else ""
