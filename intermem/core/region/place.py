"""Create the region of a document, and remove it without a trace."""

from __future__ import annotations

from bisect import bisect_left

from intermem.core.markdown.lines import ends_in_line_end, fitting_line_end, joined, split_lines
from intermem.core.markdown.markers import BEGIN, END
from intermem.core.region.parse import ParsedDocument, key_of, last_line_of, outside, parse_document
from intermem.errors import DocumentRefused

TITLE = "Project memory"


def place_region(text: str, name: str, *, after: str | None = None) -> str:
    """Return ``text`` with an empty region: at the end under its own heading, or in the section ``after``.

    A text that already has a region is returned unchanged. Raises DocumentRefused if no place is safe, or if
    there is no heading ``after``.
    """
    parsed = parse_document(text, name)
    if parsed.region is not None:
        return text
    at, empty = (len(text), False) if after is None else _end_of_section(parsed, after, name)
    end = fitting_line_end(text, at)
    heading = f"## {TITLE}{end}{end}" if after is None else ""
    lead = "" if empty or not text.strip("\ufeff") else end
    insertion = f"{lead}{heading}{BEGIN}{end}{END}"
    ended = ends_in_line_end(text[:at].strip("\ufeff"))
    insertion = insertion + end if ended else end + insertion
    placed = text[:at] + insertion + text[at:]
    return _proved_placement(parsed, placed, at, name)


def new_page() -> str:
    """Return the text of a new topic file: a title, and an empty region."""
    return f"# {TITLE}\n\n{BEGIN}\n{END}\n"


def remove_region(text: str, name: str) -> str:
    """Return ``text`` as it was before ``place_region``, whatever the region contains now.

    A document without a region is returned unchanged.
    """
    parsed = parse_document(text, name)
    region = parsed.region
    if region is None:
        return text
    lines = split_lines(text)
    first = region.first_line - 1
    if first >= 2 and lines[first - 1] == "" and lines[first - 2].lstrip("\ufeff") == f"## {TITLE}":
        first -= 2
    if first >= 1 and lines[first - 1].lstrip("\ufeff") == "":
        first -= 1
    start, stop = parsed.starts[first], region.end
    if text[:start] == "" and text.startswith("\ufeff"):
        start = 1
    if not ends_in_line_end(text) and stop == len(text):
        start -= _line_end_before(text, start)
    return joined(text[:start], text[stop:])


def _line_end_before(text: str, at: int) -> int:
    if text[:at].endswith("\r\n"):
        return 2
    return 1 if text[:at].endswith(("\n", "\r")) else 0


def _end_of_section(parsed: ParsedDocument, title: str, name: str) -> tuple[int, bool]:
    """Return where the section's own text ends, and whether it has none."""
    wanted = key_of(title.lstrip("#").strip())
    lines = split_lines(parsed.text)
    for index, block in enumerate(parsed.blocks):
        if block.type == "heading" and key_of(block.content) == wanted:
            own = [block]
            for following in parsed.blocks[index + 1 :]:
                if following.type == "heading":
                    break
                own.append(following)
            stop = last_line_of(lines, own[-1])
            return parsed.starts[stop], len(own) == 1
    raise DocumentRefused(f"{name} has no heading {title!r}; nothing was written", hint="name a heading of the file")


def _proved_placement(parsed: ParsedDocument, text: str, at: int, name: str) -> str:
    """Return ``text``, with an empty region at ``at``, if nothing else has changed. Raises DocumentRefused."""
    try:
        after = parse_document(text, name)
    except DocumentRefused:
        after = None
    if after is not None and after.region is not None and not after.region.sections[0].others:
        cut = bisect_left(parsed.starts, at) if parsed.text.strip("\ufeff") else 0
        added = len(after.starts) - len(parsed.starts)
        same = outside(parsed, range(cut, cut)) == outside(after, range(cut, after.region.last_line), added)
        if same and remove_region(text, name) == parsed.text:
            return text
    raise DocumentRefused(
        f"{name}: no region can be placed there safely (an open fence or HTML block above?); nothing was written",
        hint="close what is open, or name another place with --after HEADING",
    )
