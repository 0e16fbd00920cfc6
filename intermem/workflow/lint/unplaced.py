"""Names whose document does not say where they were: another thing of that name may be meant."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import takewhile

from intermem.core.check.blocks import DOUBTFUL, RULE_OF
from intermem.core.check.findings import Finding
from intermem.core.code.file_types import is_telling
from intermem.entities import DEFINITION_REMOVED, Evidence
from intermem.patterns import regex
from intermem.project.doc_links import NAMES, is_rule

_LEFT = regex(rf"{DEFINITION_REMOVED}(?P<file>.+)|(?P<path>.+) was deleted")
_BY_NAME = ((Evidence.DEFINITION, "symbol"), (Evidence.NAMESAKE, "path"))
_USUAL = ("index", "main", "mod", "lib", "__init__")  # files that are called by their folder
_ALARMS = frozenset(RULE_OF.values())


def without_unplaced(findings: Sequence[Finding], texts: Mapping[str, str]) -> list[Finding]:
    """Return ``findings``, as doubtful those on a name that its document does not tie to the place it left.

    A document in a folder speaks of what is below it, and of a name of code that left another place only where it
    names the file. One at the top, or a rule, speaks of everything, with whatever names are at hand: there a file
    that was deleted in another place than the cited one is meant where the document names its folder, and a name of
    code where it names the file that had it; either as well where the name tells which it is. In rules, which are
    full of samples, that alone is not enough, and a name of code must be both. Of what is left out half was right,
    of the rest nine in ten (docs/verdicts.md).
    """
    return [replace(one, rule=DOUBTFUL) if _is_unplaced(one, texts) else one for one in findings]


def _is_unplaced(one: Finding, texts: Mapping[str, str]) -> bool:
    if one.rule not in _ALARMS or one.judged is None or one.judged.citation.link:
        return False
    cited, verdict, file = one.judged.citation, one.judged.verdict, one.place.file
    left = _LEFT.fullmatch(verdict.reason)
    if left is None or (verdict.evidence, cited.kind) not in _BY_NAME:
        return False
    was, own = left["file"] or left["path"], _folder_of(file)
    above = own or ("" if is_rule(file) else posixpath.dirname(file))
    if above and was.startswith(f"{above}/"):
        return False
    if verdict.evidence is Evidence.NAMESAKE:
        folder, name = posixpath.split(was)
        tells = is_telling(name) and not is_rule(file)
        return not (tells or (folder and _has_word(f"{posixpath.basename(folder)}/", texts[file])))
    if own:
        return not _has_word(posixpath.basename(was), texts[file])
    is_named = _names(was, cited.name, texts[file])
    if is_rule(file):
        return not (is_named and _has_three_words(cited.name))
    return not (is_named or (_has_three_words(cited.name) and not cited.name.isupper()))


def _folder_of(file: str) -> str:
    """Return the folder whose things a document speaks of; empty for one that speaks of all.

    So do rules, and pages that a document imports; one in a hidden folder speaks of what that is in.
    """
    if is_rule(file) or posixpath.basename(file) not in NAMES:
        return ""
    parts = posixpath.dirname(file).split("/")
    return "/".join(takewhile(lambda part: not part.startswith("."), parts))


def _has_three_words(name: str) -> bool:
    """Return whether hardly another thing is called as the last part of a name of code is."""
    from intermem.core.citations.kinds.name_evidence import is_short  # heavy: the kinds of citations

    return not is_short(name.removesuffix("()").rpartition(".")[2])


def _names(file: str, name: str, text: str) -> bool:
    """Return whether ``text`` names a file that had ``name``, otherwise than by that."""
    folder, last = posixpath.split(file)
    stem = last.partition(".")[0]
    stem = posixpath.basename(folder) if stem in _USUAL else stem
    return _has_word(last, text) or (stem not in name and _has_word(stem, text))


def _has_word(word: str, text: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(word)}" + ("" if word.endswith("/") else r"(?![\w-])"), text) is not None
