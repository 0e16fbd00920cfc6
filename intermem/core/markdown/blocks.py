"""The block structure of a Markdown text: markdown-it-py's tokens, without inline parsing."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from intermem.errors import UnreadableFile
from intermem.lazy_dataclass import dataclass
from intermem.patterns import regex

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

BOM = "\ufeff"

_COMMENTS = regex(r"\s*(?:<!--[^-]*(?:-(?!->)[^-]*)*-->\s*)+")

# Of a token: type, tag, level, lines (from 0, half-open) and content.
Shape = tuple[str, str, int, tuple[int, int] | None, str]


@dataclass(frozen=True, slots=True)
class Block:
    """A top-level block, or an item of a top-level list.

    ``first`` and ``stop`` are line numbers from 0, half-open, and include trailing blank lines as
    markdown-it-py reports them. ``content`` is the text of a heading, the YAML of a front matter or the
    source of an HTML block; ``level`` is that of a heading; ``list_first`` the first line of an item's list.
    """

    type: str
    first: int
    stop: int
    content: str = ""
    level: int = 0
    markup: str = ""
    list_first: int = -1

    def moved(self, lines: int) -> Block:
        """Return the block as it is ``lines`` further down."""
        list_first = self.list_first + lines if self.list_first >= 0 else self.list_first
        return replace(self, first=self.first + lines, stop=self.stop + lines, list_first=list_first)


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt
    from mdit_py_plugins.front_matter import front_matter_plugin

    parser = MarkdownIt("commonmark").enable("table").use(front_matter_plugin)
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


@lru_cache(maxsize=512)  # check parses each document for its region, its blocks and its headings
def tokens_of(text: str) -> list[Token]:
    """Return the block tokens of ``text``; line maps count from 0. A byte order mark is ignored.

    Raises UnreadableFile if the parser fails, so that one text does not stop the reading of others.
    """
    return _parsed(text, {})


def is_parsed(text: str) -> bool:
    """Return whether ``text`` can be parsed."""
    try:
        tokens_of(text)
    except UnreadableFile:
        return False
    return True


def _parsed(text: str, environment: dict[str, Any]) -> list[Token]:
    text = text.removeprefix(BOM)
    if text and text[-1] not in "\r\n":
        text += "\n"  # without it markdown-it-py reads past the end of some texts
    try:
        return _parser().parse(text, environment)
    except (IndexError, RecursionError, ValueError) as error:
        raise UnreadableFile(
            f"its Markdown cannot be parsed ({type(error).__name__})", hint="look for unusual nesting near its end"
        ) from None


def link_definitions(text: str) -> list[tuple[int, int]]:
    """Return the lines of each link definition in ``text``, nested ones too: from 0, half-open, in order.

    Raises UnreadableFile as ``tokens_of`` does.
    """
    if "]:" not in text:
        return []
    found: dict[str, Any] = {}
    _parsed(text, found)
    maps = [one["map"] for one in [*found.get("references", {}).values(), *found.get("duplicate_refs", ())]]
    return sorted((first, stop) for first, stop in maps)


def outline(text: str) -> list[Shape]:
    """Return the shape of ``text``: type, tag, level, lines and content of each token, in order."""
    return [
        (
            token.type,
            token.tag,
            token.level,
            (token.map[0], token.map[1]) if token.map else None,
            token.content,
        )
        for token in tokens_of(text)
    ]


def banner_of(text: str) -> str:
    """Return the comments in front of a front matter, with their line ends; empty if there are none."""
    found = _COMMENTS.match(text)
    is_banner = found is not None and found[0].endswith(("\n", "\r")) and text.startswith("---", found.end())
    return found[0] if found is not None and is_banner else ""


def blocks_of(text: str) -> list[Block]:
    """Return the top-level blocks of ``text``; a list becomes one ``item`` block per item.

    Types: heading, paragraph, item, quote, table, fence, html, rule, front_matter.
    """
    found: list[Block] = []
    tokens = tokens_of(text)
    list_first = -1
    for index, token in enumerate(tokens):
        if token.map is None:
            continue
        name = _NAMES.get(token.type)
        if token.level == 0 and token.type in ("bullet_list_open", "ordered_list_open"):
            list_first = token.map[0]
        elif token.type == "list_item_open" and token.level == 1:
            found.append(Block("item", token.map[0], token.map[1], markup=token.markup, list_first=list_first))
        elif name and token.level == 0:
            content, level = token.content, 0
            if name == "heading":
                content, level = tokens[index + 1].content, int(token.tag[1])
            found.append(Block(name, token.map[0], token.map[1], content, level, token.markup))
    return found


def is_comment(block: Block) -> bool:
    """Return whether ``block`` consists of HTML comments only."""
    return block.type == "html" and _COMMENTS.fullmatch(block.content) is not None


_NAMES = {
    "heading_open": "heading",
    "paragraph_open": "paragraph",
    "blockquote_open": "quote",
    "table_open": "table",
    "fence": "fence",
    "code_block": "fence",
    "html_block": "html",
    "hr": "rule",
    "front_matter": "front_matter",
}
