"""The lines of a memory file that no entry holds, each with the reason why it holds no fact."""

from __future__ import annotations

from collections import Counter

from intermem.core.entries.identity import normalised
from intermem.core.entries.scanner import Scanned
from intermem.core.markdown.blocks import BOM, Block, blocks_of
from intermem.core.markdown.inline import code_spans, links, wiki_links
from intermem.core.markdown.items import item_text
from intermem.core.markdown.lines import is_blank, split_lines

_OF_TYPE = {"front_matter": "front matter", "rule": "rule", "heading": "heading"}


def owners(scanned: Scanned, name: str) -> Counter[int]:
    """Return how many entries hold each line (from 1) of the file ``name``."""
    found: Counter[int] = Counter()
    for entry in scanned.entries:
        if entry.source.file == name:
            found.update(range(entry.source.first_line, entry.source.last_line + 1))
    return found


def structure_of(scanned: Scanned, name: str, text: str) -> list[tuple[str, int]]:
    """Return the kind and the number of each line of ``text`` that holds text but is part of no entry.

    Kinds: front matter, heading, rule, comment, link definition, index, context, empty item; ``lost`` is none of them,
    and ``doubled`` a line of several entries.
    """
    lines = split_lines(text.removeprefix(BOM))
    blocks = blocks_of(text)
    held = owners(scanned, name)
    found: list[tuple[str, int]] = []
    for number, line in enumerate(lines, 1):
        if held[number] > 1:
            found.append(("doubled", number))
        elif not held[number] and not is_blank(line):
            at = next((n for n, block in enumerate(blocks) if block.first < number <= block.stop), None)
            found.append(("link definition" if at is None else _kind(blocks, at, lines, number), number))
    return found


def _kind(blocks: list[Block], at: int, lines: list[str], number: int) -> str:
    block = blocks[at]
    source = lines[block.first : block.stop]
    if block.type in _OF_TYPE:
        return _OF_TYPE[block.type]
    if block.type == "html" and block.content.lstrip().startswith("<!--"):
        return "comment"
    if block.type == "item" and not normalised(item_text(source)):
        return "empty item"
    if not normalised("\n".join(source)):
        return "rule"
    if block.type == "paragraph" and source[-1].rstrip("*_ \t").endswith((":", "：")):
        return "context" if at + 1 < len(blocks) and blocks[at + 1].type == "item" else "lost"
    if block.type == "table" and number <= block.first + 2:
        return "context"
    row = lines[number - 1] if block.type == "table" else "\n".join(source)
    is_listed = block.type in ("item", "table") and (links(row) or code_spans(row) or wiki_links(row))
    return "index" if is_listed else "lost"
