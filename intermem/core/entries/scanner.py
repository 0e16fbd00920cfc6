"""Split memory files into entries. Nothing is re-rendered: an entry's text is cut from its source.

Every line that is not blank is part of exactly one entry or of structure, such as a heading.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import islice, takewhile
from urllib.parse import unquote

from intermem.core.entries.identity import identity, joint_type, normalised
from intermem.core.markdown.blocks import BOM, Block, banner_of, blocks_of, is_comment
from intermem.core.markdown.front_matter import FrontMatter, read_front_matter
from intermem.core.markdown.inline import code_spans, folded, link_key, links, wiki_links
from intermem.core.markdown.items import item_text, joined_lines
from intermem.core.markdown.lines import split_lines, text_stop
from intermem.entities import INDEX_NAME, UNTYPED, Entry, Problem, Source
from intermem.errors import UnreadableFile
from intermem.lazy_dataclass import dataclass
from intermem.patterns import regex

LEAD_IN_LINES = 12  # a lead-in and its list up to this length are one entry (DESIGN.md §5)

_CLOSED_QUOTES = "*_ \t"


@dataclass(frozen=True, slots=True)
class Scanned:
    """The entries of a memory by file and line, and the files that could not be read."""

    entries: tuple[Entry, ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Fact:
    """A text that is a fact by itself: lines from 0, half-open; ``trail`` as in ``Entry``."""

    text: str
    first: int
    stop: int
    trail: tuple[str, ...]


def scan_memory(files: Mapping[str, str], unread: Iterable[str] = ()) -> Scanned:
    """Return the entries in ``files``, a mapping of names (relative, with ``/``) to texts.

    Index files (MEMORY.md) are read first: they give topic files their section. ``unread`` are files that
    exist but could not be read; index lines may still refer to them.
    """
    names = sorted(files, key=lambda name: (posixpath.basename(name) != INDEX_NAME, name))
    matters, problems = _front_matters(files)
    topics = _Topics([*files, *unread], {name: matter.name for name, matter in matters.items()})
    sections: dict[str, str] = {}
    entries: list[Entry] = []
    for name in names:
        try:
            reader = _Reader(files[name], name, topics)
        except UnreadableFile as error:
            problems.append(Problem(code=error.code, where=name, message=f"{name}: {error.message}", hint=error.hint))
            continue
        matter = matters.get(name)
        is_topic = matter is not None and not reader.is_index
        facts = reader.whole() if is_topic and not reader.has_sections else reader.facts()
        listed = sections.get(name, "")
        entries += [_entry(fact, name, matter or FrontMatter(), listed) for fact in facts]
        for topic, section in reader.listed:
            sections.setdefault(topic, section)
    return Scanned(tuple(entries), tuple(problems))


def facts_of(text: str) -> list[Fact]:
    """Return the facts in a Markdown text that is not a memory file, such as a document."""
    return _Reader(text, "", _Topics({}, {})).facts()


def merged(entries: Iterable[Entry]) -> dict[str, tuple[Entry, ...]]:
    """Return the entries by identity, in reading order.

    A fact that is also in a private file is private: its type is ``user`` everywhere.
    """
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(entry.id, []).append(entry)
    result: dict[str, tuple[Entry, ...]] = {}
    for key, group in groups.items():
        chosen = joint_type(entry.type for entry in group)
        result[key] = tuple(replace(entry, type=chosen) for entry in group)
    return result


class _Topics:
    """The topic files that an index line can refer to."""

    def __init__(self, files: Iterable[str], titles: Mapping[str, str]) -> None:
        self.files = {name for name in files if posixpath.basename(name) != INDEX_NAME}
        self._by_name: dict[str, str] = {}
        for name in sorted(self.files):
            self._by_name.setdefault(folded(posixpath.basename(name).removesuffix(".md")), name)
        for name, title in sorted(titles.items()):
            if title and name in self.files:
                self._by_name[folded(title)] = name

    def named(self, text: str, index: str) -> str | None:
        """Return the topic file that the first link or code span of ``text`` refers to, or None."""
        spans = [(span.start, span.text, False) for span in (*links(text), *code_spans(text))]
        spans += [(span.start, span.text, True) for span in wiki_links(text)]
        if not spans:
            return None
        _, target, is_wiki = min(spans)
        if is_wiki:
            return self._by_name.get(folded(target.removesuffix(".md")))
        path = posixpath.join(posixpath.dirname(index), unquote(target.split("#")[0]).strip())
        path = posixpath.normpath(path)
        return path if path in self.files else None


class _Reader:
    """Reads one file: its blocks in order, with the headings above each."""

    def __init__(self, text: str, name: str, topics: _Topics) -> None:
        text = text.removeprefix(BOM)
        self.lines = split_lines(text)
        below = text[len(banner_of(text)) :]
        lines = len(self.lines) - len(split_lines(below))
        self.blocks = [block.moved(lines) for block in blocks_of(below)] if lines else blocks_of(text)
        self.name = name
        self.topics = topics
        self.is_index = posixpath.basename(name) == INDEX_NAME
        self.has_sections = any(block.type == "heading" and block.level == 2 for block in self.blocks)
        self.listed: list[tuple[str, str]] = []
        self._trail: list[tuple[int, str]] = []

    def whole(self) -> list[Fact]:
        """Return the one fact of a topic file without sections: all but leading and trailing structure."""
        pieces = list(self.blocks)
        while pieces and (_is_structure(pieces[0]) or pieces[0].type == "heading"):
            pieces.pop(0)
        while pieces and _is_structure(pieces[-1]):
            pieces.pop()
        found: list[Fact] = []
        if pieces:
            first, stop = pieces[0].first, pieces[-1].stop
            self._add(found, self._source(first, stop), first, stop)
        return found

    def facts(self) -> list[Fact]:
        found: list[Fact] = []
        blocks = self.blocks
        at = 0
        while at < len(blocks):
            block = blocks[at]
            if block.type == "heading":
                self._enter(block)
            elif block.type == "paragraph":
                at = self._paragraph(at, found)
                continue
            elif block.type == "item":
                self._item(block, found)
            elif block.type == "table" and self.is_index:
                self._index_table(block, found)
            elif not _is_structure(block):
                self._add(found, self._source(block.first, block.stop), block.first, block.stop)
            at += 1
        return found

    def _paragraph(self, at: int, found: list[Fact]) -> int:
        """Read the paragraph at ``at`` with the blocks that belong to it; return the index of the next block."""
        first = self.blocks[at]
        lead_in = self._source(first.first, first.stop)
        following = self.blocks[at + 1] if at + 1 < len(self.blocks) else None
        leads = lead_in.rstrip(_CLOSED_QUOTES).endswith((":", "："))
        if leads and following is not None and following.type == "item":
            return self._lead_in(at, lead_in, found)
        stop, at = first.stop, at + 1
        if leads and following is not None and following.type == "table":
            stop, at = following.stop, at + 1
        while at < len(self.blocks) and self._joins(self.blocks[at]):
            stop, at = self.blocks[at].stop, at + 1
        self._add(found, self._source(first.first, stop), first.first, stop)
        return at

    @staticmethod
    def _joins(block: Block) -> bool:
        return block.type == "fence" or (block.type == "html" and not _is_structure(block))

    def _lead_in(self, at: int, lead_in: str, found: list[Fact]) -> int:
        first = self.blocks[at]
        of_list = self.blocks[at + 1].list_first
        items = list(takewhile(lambda block: block.list_first == of_list, islice(self.blocks, at + 1, None)))
        whole = self._source(first.first, items[-1].stop)
        indexed = any(self._topic(self._item_text(item)) for item in items)
        if not indexed and whole.count("\n") < LEAD_IN_LINES:
            self._add(found, whole, first.first, items[-1].stop)
        else:
            for item in items:
                self._item(item, found, lead_in=" ".join(lead_in.split()))
        return at + 1 + len(items)

    def _item(self, block: Block, found: list[Fact], lead_in: str = "") -> None:
        text = self._item_text(block)
        topic = self._topic(text)
        if topic:
            self.listed.append((topic, self._section()))
        elif normalised(text):
            joint = "\n\n" if re.match(r"(```|~~~|>|\||<|#)", text) else " "
            self._add(found, f"{lead_in}{joint}{text}" if lead_in else text, block.first, block.stop)

    def _index_table(self, block: Block, found: list[Fact]) -> None:
        """Read a table of an index: rows that refer to a topic file are index lines, each other row is an entry."""
        stop = text_stop(self.lines, block.first, block.stop)
        rows = range(block.first + 2, stop)
        indexed = {row for row in rows if self._topic(self.lines[row])}
        for row in sorted(indexed):
            self.listed.append((self._topic(self.lines[row]) or "", self._section()))
        if not indexed:
            self._add(found, self._source(block.first, stop), block.first, stop)
            return
        head = self.lines[block.first : block.first + 2]
        for row in rows:
            if row not in indexed:  # its own lines are the row's alone, though the text repeats the table's head
                self._add(found, joined_lines([*head, self.lines[row]]), row, row + 1)

    def _add(self, found: list[Fact], text: str, first: int, stop: int) -> None:
        if normalised(text):
            trail = tuple(title for _, title in self._trail)
            found.append(Fact(text, first, text_stop(self.lines, first, stop), trail))

    def _enter(self, block: Block) -> None:
        while self._trail and self._trail[-1][0] >= block.level:
            self._trail.pop()
        self._trail.append((block.level, " ".join(block.content.split())))

    def _section(self) -> str:
        return self._trail[-1][1] if self._trail else ""

    def _topic(self, text: str) -> str | None:
        return self.topics.named(text, self.name) if self.is_index else None

    def _item_text(self, block: Block) -> str:
        return item_text(self.lines[block.first : text_stop(self.lines, block.first, block.stop)])

    def _source(self, first: int, stop: int) -> str:
        text = joined_lines(self.lines[first : text_stop(self.lines, first, stop)])
        return text if text.startswith(("    ", "\t")) else text.lstrip(" ")


_CLOSING = regex(r"^---[^\n]*(?:\n|\Z)", re.MULTILINE)


def memory_names(files: Mapping[str, str]) -> dict[str, str]:
    """Return the files of a memory by the names that links use: a file's own, or its front matter's."""
    names = {link_key(name): name for name in sorted(files)}
    matters, _ = _front_matters(files)
    return names | {link_key(matter.name): name for name, matter in matters.items() if matter.name}


def _front_matters(files: Mapping[str, str]) -> tuple[dict[str, FrontMatter], list[Problem]]:
    found: dict[str, FrontMatter] = {}
    problems: list[Problem] = []
    for name in sorted(files):
        text = files[name].removeprefix(BOM)
        text = text[len(banner_of(text)) :]
        if not text.startswith("---"):
            continue
        try:
            first = _first_block(text)
        except UnreadableFile:
            continue  # reported when the file is read
        if first is None or first.type != "front_matter":
            continue
        found[name] = read_front_matter(first.content)
        if found[name].problem:
            message = f"{name}:1: the front matter is not valid YAML ({found[name].problem}); the body was read"
            problems.append(Problem(code="front-matter", where=name, message=message, fatal=False))
    return found, problems


def _first_block(text: str) -> Block | None:
    """Return the first block of ``text``; a front matter is parsed without the rest, which may be long."""
    closing = _CLOSING.search(text, 3)
    first = next(iter(blocks_of(text[: closing.end()])), None) if closing is not None else None
    return first if first is not None and first.type == "front_matter" else next(iter(blocks_of(text)), None)


def _entry(fact: Fact, name: str, matter: FrontMatter, listed: str) -> Entry:
    fallback = listed or (matter.type if matter.type != UNTYPED else "")
    return Entry(
        id=identity(fact.text),
        text=fact.text,
        section=fact.trail[-1] if fact.trail else fallback,
        trail=fact.trail,
        type=matter.type,
        source=Source(file=name, first_line=fact.first + 1, last_line=fact.stop),
        session=matter.session,
    )


def _is_structure(block: Block) -> bool:
    return block.type in ("front_matter", "rule") or is_comment(block) or _is_open_comment(block)


def _is_open_comment(block: Block) -> bool:
    return block.type == "html" and block.content.lstrip().startswith("<!--") and "-->" not in block.content
