"""The second tier: topic files that an agent opens when it needs them, and the lines of the first tier that name them.

A topic file is ``docs/intermem/<slug>.md`` and has a region of its own (seeds/S4, phase 2B). For each the region of the
first document has a line such as ``- Deploying: docs/intermem/deploying.md``, which is no entry.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from intermem.core.markdown.lines import fitting_line_end
from intermem.core.region.parse import Item, find_region, outside, parse_document, pointed_to
from intermem.entities import TIER_FOLDER
from intermem.errors import EditRefused

_LONGEST = 60
_RESERVED = frozenset(
    {"con", "prn", "aux", "nul", *(f"{name}{digit}" for name in ("com", "lpt") for digit in "123456789")}
)


def slug_of(section: str) -> str:
    """Return the name of the file for a section: its words in lower case, joined by dashes; ``general`` without any."""
    slug = re.sub(r"[\W_]+", "-", section.casefold()).strip("-")[:_LONGEST].strip("-")
    return f"{slug}-notes" if slug in _RESERVED else slug or "general"


def topic_file(section: str) -> str:
    """Return the topic file for a section, from the project root."""
    return f"{TIER_FOLDER}/{slug_of(section)}.md"


def is_topic_file(name: str) -> bool:
    """Return whether a document is of the second tier."""
    folder, _, file = name.rpartition("/")
    return folder == TIER_FOLDER and file.endswith(".md")


def with_pointers(text: str, name: str, wanted: Mapping[str, str], emptied: Collection[str] = ()) -> str:
    """Return the document with a line at the head of its region for each topic file, ``wanted`` having their titles.

    Those that stand keep their wording; only the lines of topic files that were ``emptied`` are removed. Raises
    EditRefused if anything else would change, DocumentRefused if the region is missing or damaged.
    """
    before = parse_document(text, name)
    region = before.region
    assert region is not None
    known: dict[str, Item] = {}
    for one in region.pointers:
        known.setdefault(pointed_to(one.text) or "", one)
    kept = [one for path, one in known.items() if path not in emptied]
    missing = [f"- {_title(title)}: {path}" for path, title in sorted(wanted.items()) if path not in known]
    if not missing and len(kept) == len(region.pointers):
        return text
    end = fitting_line_end(text, region.start)
    lines = [*(text[one.start : one.stop].rstrip("\r\n") for one in kept), *missing]
    body = text[region.start : region.stop]
    for one in reversed(region.pointers):
        body = body[: one.start - region.start] + body[one.stop - region.start :]
    body = body.lstrip("\r\n") if region.pointers else body
    head = "".join(f"{line}{end}" for line in lines)
    gap = end if head and body and not body.startswith(("\r", "\n", "- ", "* ", "+ ")) else ""
    after = text[: region.start] + head + gap + body + text[region.stop :]
    return _proved(
        text, after, name, [path for path in known if path not in emptied] + sorted(wanted.keys() - known.keys())
    )


def _title(section: str) -> str:
    return " ".join(section.split()) or "General"


def _proved(before: str, after: str, name: str, paths: list[str]) -> str:
    """Return ``after`` if only pointers differ. Raises EditRefused."""
    old, new = parse_document(before, name), parse_document(after, name)
    assert old.region is not None
    if new.region is not None:
        spans = [range(one.region.first_line - 1, one.region.last_line) for one in (old, new) if one.region is not None]
        shift = len(spans[1]) - len(spans[0])
        same = outside(old, spans[0]) == outside(new, spans[1], shift)
        sections = [
            [(one.title, [item.text for item in one.items], one.others) for one in region.sections]
            for region in (old.region, new.region)
        ]
        if same and sections[0] == sections[1] and [pointed_to(one.text) for one in new.region.pointers] == paths:
            return after
    raise EditRefused(
        f"{name}: the lines of the topic files cannot be written safely; nothing was written", hint="intermem doctor"
    )


def titles_of(texts: Mapping[str, str]) -> dict[str, str]:
    """Return the title of each topic file that has entries: the first heading of its region."""
    found: dict[str, str] = {}
    for name, text in texts.items():
        region = find_region(text, name)
        if region is not None and region.items:
            found[name] = next((one.title for one in region.sections if one.title and one.items), "")
    return found
