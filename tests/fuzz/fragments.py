"""What documents and notes are made of: fragments of our own, and the corpus' lines where it is here."""

from __future__ import annotations

from functools import cache

from intermem.core.markdown.lines import split_lines
from intermem.core.markdown.markers import BEGIN, END
from tests.conftest import corpus_files

LONG_LIST = "**Rules**, a dozen:\n\n" + "\n".join(f"- rule {number}" for number in range(12))

# Runs of whole lines; the line ends are chosen by who joins them.
FENCES = (
    "```\ncode\n```",
    "```sh\nmake test\n```",
    "~~~~ python\n~~~\n~~~~",
    "```",
    "~~~",
    "````md\n```\n````",
    "   ```\n   indented\n   ```",
    "```not `a` fence```",
    "    ```",
)
HTML = (
    "<div>",
    "</div>",
    "<div>\n\ntext\n\n</div>",
    "<details><summary>s</summary>",
    "<!-- comment -->",
    "<!-- open comment",
    "-->",
    "<pre>",
    "</pre>",
    "<script>\nlet a = 1\n</script>",
    "<?php echo ?>",
    "<!DOCTYPE html>",
    "<![CDATA[ x",
    "]]>",
    "<custom-tag a='b'>",
    "text <b>inline</b>",
)
LISTS = (
    "- item",
    "* star\n* star again",
    "+ plus",
    "1. one\n2. two",
    "7) seven",
    "- item\n  - nested\n\n    deep",
    "- item\n\n  ```sh\n  fenced\n  ```",
    "- item\n  ```\n  open fence",
    "-",
    "- ",
    "-\ttabbed\n\tmore",
    "-     code in an item",
    "- lazy\ncontinuation",
    "- [ ] task",
    "999999999. large",
    "- - - x",
    "  more",
    "\tmore",
)
BLOCKS = (
    "text",
    "# Heading",
    "## Project memory",
    "### Build",
    "###### Sixth",
    "#",
    "####### seven",
    "# closed #",
    "Setext\n======",
    "Setext\n---",
    "===",
    "---",
    "***",
    "_ _ _",
    "> quote",
    "> > > nested\n> lazy",
    ">" * 60 + " deep",
    "> - quoted item\n>\n>   more",
    "> ```\n> fenced in a quote",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "| a |\n|:-:|",
    "a | b\n--|--\n\\| | `|`",
    "[ref]: https://example.invalid/path 'title'",
    "[ref]:\n/url\n'two\nlines'",
    "[open]: <",
    "[^1]: footnote",
    "    indented code",
    "\tindented by a tab",
    "**Bold**",
    "__Bold__",
    "two\nlines",
    "Lead-in:",
    "Lead-in:\n\n- a\n- b",
    "規則：\n- 项目",
    LONG_LIST,
    "**Why:** it __must__ be `so`.",
    "hard break\\\nnext  \nlast",
    "See `src/app.py` and [topic](topic.md).",
    "- [Topic](topic.md) – listed",
    "| [Topic](topic.md) | row |",
    "---\nname: x\ntype: project\n---",
    "---\nname: [broken\n---",
    "---\n...",
    "<<<<<<< ours\n=======\n>>>>>>> theirs",
    "",
    "\n",
)
CHARACTERS = (
    "nul \x00 inside",
    "\x00",
    "form\x0cfeed",
    "\x0c",
    "line\u2028separator",
    "\u2028",
    "next\x85line",
    "\x85",
    "\xa0",
    "\u3000",
    "\x1c\x1d\x1e\x1f",
    "\x0b",
    " \t ",
    "\ufeff",
    "bom \ufeff inside",
    "\x1b[31mred\x1b[0m \x1b]8;;http://x\x07link\x07",
    "[red]markup[/red] [link=x]y[/link] list[int]",
    "emoji 👩‍👩‍👧 and é é",
    "\u202eright to left\u202c",
    "zero\u200bwidth",
    "'; DROP TABLE memory_entries; --",
    'NEAR("a" "b") OR * - ^',
    "tab\tinside\t",
    "back\\slash \\` \\< &lt;!-- &#0; &amp;",
    "`open span",
    "``a ` b``",
    "*" * 30,
    "[" * 30,
    "...",
    "ends in a dot.",
)
FRAGMENTS = (*BLOCKS, *LISTS, *FENCES, *HTML, *CHARACTERS)

BEGINNINGS = (BEGIN, f"   {BEGIN}", f"{BEGIN} \t", "<!--intermem:begin-->", "<!-- \tintermem:begin  -->")
ENDINGS = (END, f" {END}\t ", f"   {END}", "<!--intermem:end-->", "<!--\tintermem:end -->")
MARKERS = (*BEGINNINGS, *ENDINGS)
OLD_STYLE = (
    "<!-- intermem -->",
    "<!-- intermem:1a2b3c4d -->",
    "- an old entry <!-- intermem -->",
    "- an old entry <!-- intermem:1a2b3c4d -->",
)
BROKEN = (
    "<!-- intermem:begin",
    "intermem:end -->",
    "<!- intermem:begin -->",
    "<!-- intermem:begin -- >",
    "<!-- intermem:begin --> and more",
    f"and {END}",
    f"{BEGIN}{END}",
    f"{BEGIN} {END}",
    "<!-- INTERMEM:BEGIN -->",
    "<!-- intermem: begin -->",
    "<!-- intermem:begins -->",
    "<!--\nintermem:begin\n-->",
    "<!-- intermem:end -->\x0c",
    "<!-- intermem:begin\xa0-->",
    "<!--- intermem:begin --->",
    "&lt;!-- intermem:begin --&gt;",
    f"    {BEGIN}",
    f"\t{END}",
    f"> {BEGIN}",
    f"> {END}",
    f"- {BEGIN}",
    f"  {END}",
    f"`{BEGIN}`",
    f"\\{BEGIN}",
    f"\ufeff{BEGIN}",
    f"\u200b{END}",
    f"| {BEGIN} |",
    f"# {BEGIN}",
)
INJECTIONS = (*MARKERS, *OLD_STYLE, *BROKEN)
REGION = f"{BEGIN}\n{END}"
FILLED = f"{BEGIN}\n### Build\n\n- one\n- two\n\n### Style\n\n- three\n{END}"
SECTIONS = (
    "",
    "Build",
    "A",
    "Style",
    "C #",
    "Häuser",
    "wide   gap",
    END,
    "# x",
    "```",
    "- y",
    "---",
    "*",
    "\x0c",
    "<b>",
)
LINE_ENDS = ("\n", "\r\n", "\r")


@cache
def corpus_lines(folder: str) -> tuple[tuple[str, ...], ...]:
    """The lines of each file in a folder of the corpus, empty where it is not here."""
    texts = (path.read_bytes().decode("utf-8") for path in corpus_files(folder))
    return tuple(lines for text in texts if (lines := tuple(split_lines(text.removeprefix("\ufeff")))))
