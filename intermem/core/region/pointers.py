"""The lines of the first tier that name the topic files of the second.

For each, the region of the first document has a line such as ``- Deploying: docs/intermem/deploying.md``, which is no
entry. A person may say it in other words; then the line is theirs, and is never removed.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from intermem.core.markdown.lines import fitting_line_end
from intermem.core.region.parse import Region, find_region, kept_lines, outside, parse_document
from intermem.core.region.topic_files import is_named, topic_file
from intermem.entities import TIER_FOLDER
from intermem.errors import DocumentRefused, EditRefused
from intermem.patterns import regex

_LABELLED = regex(rf"(.+): ({TIER_FOLDER}/[^\s/]+\.md)")
_BLANK_LINE = regex(r"[ \t]*(?:\r\n|\n|\r)")
_NEEDS_NO_GAP = ("\r", "\n", "- ", "* ", "+ ")  # a blank line, an item


def with_pointers(text: str, name: str, wanted: Mapping[str, str], emptied: Collection[str] = ()) -> str:
    """Return the document with a line in its region for each topic file that is ``wanted``, by path with its title.

    A line that stands stays as and where it is, whatever it names, and a file that the document names elsewhere, in
    whatever words, needs none; only those of topic files that were ``emptied`` are
    removed, and of these only what is a title and the path. New ones go where their path has its place among these, or
    to the head of the region.
    Raises EditRefused if anything else would change, DocumentRefused if the region is missing or damaged.
    """
    after = _added(_cut(text, name, emptied), name, wanted)
    return text if after == text else _proved(text, after, name)


def _cut(text: str, name: str, emptied: Collection[str]) -> str:
    """Return the document without the lines that name files of ``emptied``; the last one takes its blank line along."""
    pointers = _region_of(text, name).pointers
    gone = [one for one in pointers if _named_alone(one.text) in emptied]
    for number, one in reversed(list(enumerate(gone, 1))):
        gap = _BLANK_LINE.match(text, one.stop) if number == len(pointers) else None
        text = text[: one.start] + text[gap.end() if gap is not None else one.stop :]
    return text


def _added(text: str, name: str, wanted: Mapping[str, str]) -> str:
    """Return the document with a line for each of ``wanted`` that has none."""
    region = _region_of(text, name)
    end = fitting_line_end(text, region.start)
    new = [(_place(region, path), path) for path in sorted(wanted) if not is_named(text, path)]
    rest = text[region.start : region.stop]
    if new and not region.pointers and rest and not rest.startswith(_NEEDS_NO_GAP):
        text = text[: region.start] + end + text[region.start :]
    for at, path in reversed(new):
        text = f"{text[:at]}- {title_of(wanted[path])}: {path}{end}{text[at:]}"
    return text


def _place(region: Region, path: str) -> int:
    """Return where the line of a topic file goes: after the last of ours whose path sorts before it."""
    ours = [(named, one) for one in region.pointers if (named := _named_alone(one.text)) is not None]
    before = [one.stop for other, one in ours if other < path]
    if before:
        return before[-1]
    if ours and ours[0][1] is region.pointers[0]:
        return region.pointers[0].start
    return region.pointers[-1].stop if region.pointers else region.start


def _named_alone(text: str) -> str | None:
    """Return the path in a line that is a title and a topic file, as ours are; None for a person's sentence.

    A title has a colon of its own only where the file is called by that title.
    """
    found = _LABELLED.fullmatch(text)
    if found is None or "\n" in text:
        return None
    own = found[2].startswith(topic_file(found[1]).removesuffix(".md"))
    return found[2] if own or ":" not in found[1] else None


def _region_of(text: str, name: str) -> Region:
    region = find_region(text, name)
    if region is None:
        raise DocumentRefused(f"{name} has no region", hint="intermem init places one")
    return region


def title_of(section: str) -> str:
    """Return what the line of a topic file calls the section."""
    return " ".join(section.split()) or "General"


def _proved(before: str, after: str, name: str) -> str:
    """Return ``after`` if only lines that name topic files differ. Raises EditRefused."""
    old, new = parse_document(before, name), parse_document(after, name)
    assert old.region is not None
    if new.region is not None:
        regions = (old.region, new.region)
        spans = [range(one.first_line - 1, one.last_line) for one in regions]
        shift = len(spans[1]) - len(spans[0])
        texts = [
            [(one.title, [item.text for item in one.items], one.others) for one in region.sections]
            for region in regions
        ]
        kept = kept_lines(before, old.region) == kept_lines(after, new.region)
        if kept and texts[0] == texts[1] and outside(old, spans[0]) == outside(new, spans[1], shift):
            return after
    refusal = f"{name}: the lines of the topic files cannot be written safely; nothing was written"
    raise EditRefused(refusal, hint="intermem doctor")


def named_in(text: str, name: str) -> frozenset[str] | None:
    """Return the topic files that the region of a document has lines of; None where a damaged one does not tell."""
    try:
        region = find_region(text, name) if TIER_FOLDER in text else None
    except DocumentRefused:
        return None
    return region.topic_files if region is not None else frozenset()


def labels_of(region: Region) -> dict[str, str]:
    """Return what the lines of a region call the topic files that they name, by path."""
    return {found[2]: found[1] for one in region.pointers if (found := _LABELLED.fullmatch(one.text))}


def titles_of(texts: Mapping[str, str]) -> dict[str, str]:
    """Return the title of each topic file that has entries: the first heading of its region.

    That of what has no section is empty, whatever else is in that file.
    """
    found: dict[str, str] = {}
    for name, text in texts.items():
        region = find_region(text, name)
        if region is not None and region.items:
            titles = [one.title for one in region.sections if one.title and one.items]
            found[name] = titles[0] if titles and name != topic_file("") else ""
    return found
