"""The files of the second tier: ``docs/intermem/<slug>.md``, a topic each, with a region of its own (seeds/S4, 2B)."""

from __future__ import annotations

import re

from intermem.core.entries.identity import identity
from intermem.core.markdown.imports import COMMENT
from intermem.entities import TIER_FOLDER

_LONGEST = 60  # characters
_PORTS = frozenset(f"{name}{digit}" for name in ("com", "lpt") for digit in "123456789")
_RESERVED = frozenset({"con", "prn", "aux", "nul"}) | _PORTS  # no names of files on Windows


def slug_of(section: str) -> str:
    """Return the name of the file for a section: its words in lower case, joined by dashes; ``general`` without any."""
    slug = re.sub(r"[\W_]+", "-", section.casefold()).strip("-")[:_LONGEST].strip("-")
    return f"{slug}-notes" if slug in _RESERVED else slug or "general"


def topic_file(section: str, *, apart: bool = False) -> str:
    """Return the topic file for a section, from the project root; ``apart`` from others of the same slug."""
    own = f"-{identity(section.casefold())[:4]}" if apart else ""
    return f"{TIER_FOLDER}/{slug_of(section)}{own}.md"


def is_named(text: str, path: str) -> bool:
    """Return whether a document names a file by its whole path, outside of HTML comments."""
    whole = rf"(?<![\w./-])(?:\.{{1,2}}/)*{re.escape(path)}(?![\w/-]|\.\w)"
    return path in text and re.search(whole, COMMENT.sub(" ", text)) is not None


def is_topic_file(name: str) -> bool:
    """Return whether a document, by its path from the project root, is of the second tier."""
    folder, _, file = name.rpartition("/")
    return folder == TIER_FOLDER and file.endswith(".md")
