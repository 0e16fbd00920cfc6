"""Lines that mean another thing than the one that is gone, by their words: a place to fill, a sample, another part."""

from __future__ import annotations

import posixpath
import re

from intermem.core.check.findings import Finding
from intermem.core.markdown.inline import code_spans
from intermem.entities import Evidence
from intermem.facts import Tree
from intermem.patterns import regex
from intermem.project.doc_links import NAMES
from intermem.project.git.answers import folders_above

_NEAR = 40  # characters before a path that say what goes there


def means_another(one: Finding, tree: Tree) -> bool:
    """Return whether the line of a finding may be as true without what it cites.

    It says what is to be put into a folder, heads a sample with the path of its file, is of another package, has in a
    row where others have a file that is here, or is no more than the title of a document for agents.
    """
    if _heads_a_sample(one) or _is_to_hold(one) or _is_title(one):
        return True
    return _is_of_another_package(one, tree) or _is_said_of_another(one, tree)


def _is_title(one: Finding) -> bool:
    assert one.judged is not None
    return one.judged.citation.text in NAMES and one.source.lstrip("# ").rstrip() == one.judged.citation.text


# What sample code says that its own file is: "// src/ovens/kiln.ts".
_HEADS_A_SAMPLE = regex(r"(?://|--|/\*+|<!--)\s?`?[\w./@\[\]()-]{1,200}\.\w{1,8}`?(?:\s?(?:\*/|-->))?")


def _heads_a_sample(one: Finding) -> bool:
    assert one.judged is not None
    return one.judged.citation.weak and _HEADS_A_SAMPLE.fullmatch(one.source.strip()) is not None


# What makes a folder a package of its own.
_MANIFESTS = ("package.json", "pyproject.toml", "Cargo.toml", "go.mod", "composer.json", "pubspec.yaml", "Gemfile")
# "Hooks go in `src/hooks/`" is a rule for what is to come, whether there is any or not.
_STANDING_FOR = ("<", "{", "‹", "$")
_PLACED = regex(
    r"(?:\b(?:(?:put|place|add|go(?:es)?|belongs?|store|save|create|write)s?\s(?:[\w-]+\s){0,4}(?:in(?:to)?|under|inside)"
    r"|(?:add|write|save)s?\s(?:[\w-]+\s){0,4}to)(?:\sthe)?"
    r"|\b(?:gehör(?:t|en)|komm(?:t|en)|leg(?:t|en)?)\s(?:\w+\s){0,2}(?:in|nach|unter)|\b(?:va|vont|placer|mettre)\s(?:\w+\s){0,2}dans"
    r"|\b(?:vai|vão|colocar|van?|poner)\s(?:\w+\s){0,2}(?:em|en|na|no)|\b(?:va|vanno|mettere)\s(?:\w+\s){0,2}in"
    r"|\b(?:класть|кладут|кладём|размеща\w+|помеща\w+)\s(?:\w+\s){0,2}в|放(?:在|到|入|进)|存放(?:在|于)|置于)\s?[`*(\"']{0,3}\Z",
    re.IGNORECASE,
)


def _is_to_hold(one: Finding) -> bool:
    """Whether the line says of a folder whose files were deleted what is to be put there."""
    assert one.judged is not None
    if one.judged.verdict.evidence is not Evidence.FILES:
        return False
    cited = one.judged.citation.text
    at = one.source.find(cited)
    if at >= 0 and one.source.startswith(_STANDING_FOR, at + len(cited)):
        return True  # "`src/ovens/<oven>/`"
    return at >= 0 and _PLACED.search(one.source, max(0, at - _NEAR), at) is not None


_WAS = regex(r"(?P<path>.+) was deleted|(?P<folder>.+) deleted")  # the reason of what went elsewhere


def _is_of_another_package(one: Finding, tree: Tree) -> bool:
    """Whether the document of one package has the path of what another lost: each has its own ``src/db``."""
    assert one.judged is not None
    cited, verdict = one.judged.citation, one.judged.verdict
    told = _WAS.fullmatch(verdict.reason)
    was = verdict.origin or (told["path"] or told["folder"] if told is not None else None)
    if cited.kind not in ("path", "dir") or was is None:
        return False
    own, other = _package_of(one.place.file, tree), was.removesuffix(f"/{cited.name.strip('/')}")
    return own != "" and other not in (was, own) and other == _package_of(f"{other}/", tree)


def _package_of(path: str, tree: Tree) -> str:
    """Return the innermost folder around ``path`` that has a manifest; empty where it is the top, or there is none."""
    above = reversed(folders_above(path))
    return next((one for one in above if any(f"{one}/{name}" in tree.paths for name in _MANIFESTS)), "")


def _is_said_of_another(one: Finding, tree: Tree) -> bool:
    """Whether another cell of the row has the file that never was where it is cited: one column is of others."""
    assert one.judged is not None
    cited = one.judged.citation
    if one.judged.verdict.evidence is not Evidence.NAMESAKE or not one.source.lstrip().startswith("|"):
        return False
    last = posixpath.basename(cited.name)
    others = (name for cell in one.source.split("|") if cited.text not in cell for name in names_in(cell))
    return any(posixpath.basename(name) == last and name in tree.paths for name in others)


def names_in(cell: str) -> list[str]:
    """Return the cell of a table as a name, and the code that it begins with."""
    cell = cell.strip()
    return [cell.strip("`*_ "), *(span.text.strip() for span in code_spans(cell) if span.start == 0)]
