"""Where the facts of a section go in the second tier."""

from __future__ import annotations

from collections.abc import Mapping

from intermem.core.region.parse import Region, key_of
from intermem.core.region.pointers import title_of
from intermem.core.region.topic_files import slug_of, topic_file


def home_of(section: str, topics: Mapping[str, Region], labels: Mapping[str, str]) -> str:
    """Return the topic file for the facts of a section; none in ``topics`` if there is no such file yet.

    ``topics`` are the regions of the topic files by path, ``labels`` what the first document calls them. It is the file
    that has entries of that section, else the one that is called so, else the one named after it; if that has another
    section of the same name (C++, C#), one with a name of its own.
    """
    key, own = _key(title_of(section)), topic_file(section)
    having = [name for name, region in topics.items() if section and key in _keys(region)]
    called = [name for name, label in labels.items() if name in topics and _key(label) == key]
    for found in (having, called):
        if found:
            return own if own in found else min(found)
    return topic_file(section, apart=True) if own in topics and _is_anothers(topics[own], section) else own


def _key(title: str) -> str:
    return key_of(title)[0].strip(" *_:：")


def _keys(region: Region) -> set[str]:
    return {_key(one.title) for one in region.sections if one.title and one.items}


def _is_anothers(region: Region, section: str) -> bool:
    """Return whether a file has entries of another section with the same slug; what has no words shares one file."""
    slug = slug_of(section)
    return slug != slug_of("") and any(one.items and slug_of(one.title) == slug for one in region.sections)
