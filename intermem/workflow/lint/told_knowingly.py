"""What a document says of a thing that was gone already when the line was written: its author may mean another."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from intermem.core.check.blocks import DOUBTFUL, RULE_OF
from intermem.core.check.findings import Finding
from intermem.core.markdown.lines import split_lines
from intermem.entities import Evidence, Judged, VerdictStatus
from intermem.facts import Tree
from intermem.project.doc_links import NAMES
from intermem.project.git.file_history import FileHistory

_MOVES = (Evidence.RENAMED, Evidence.FOLDER, Evidence.PACKAGE)
_BROKEN, _MOVED = RULE_OF[VerdictStatus.BROKEN], RULE_OF[VerdictStatus.MOVED]


def without_known(history: FileHistory, findings: Sequence[Finding], tree: Tree) -> list[Finding]:
    """Return ``findings``, as doubtful those on lines that are as new as the commit which took away what they cite.

    Of a line that this very commit wrote: it says what was done, what is planned anew, or what not to look for; but
    a document that is new says everything for the first time. Of a line that came after a commit which changed its
    document as well: who took the thing away had the document in hand. Of a text that came later: most mean another
    thing by now (a library, a sample, a path below another folder), unless it is the very path, with its folder, of
    what was deleted or moved. So does a line that is new, if it has no more than the name of a file that moved where
    another has the same, or a name of code that has another by now. A link leads nowhere, whatever its author knew.
    """
    asked = {place for one in findings for place in _places_of(one)}
    texts = history.texts(asked) if asked else {}
    return [replace(one, rule=DOUBTFUL) if _is_known(one, texts, tree) else one for one in findings]


def _places_of(one: Finding) -> list[tuple[str, str]]:
    """The document after and before the commit that took away what is cited, and what may have been its name then."""
    commit = _commit_of(one)
    if commit is None:
        return []
    file = one.place.file
    names = [posixpath.join(posixpath.dirname(file), name) for name in NAMES]
    return [(f"{commit}^", file), *((commit, name) for name in dict.fromkeys([file, *names]))]


def _commit_of(one: Finding) -> str | None:
    return one.judged.verdict.commit if one.judged is not None and one.rule in (_BROKEN, _MOVED) else None


def _is_known(one: Finding, texts: Mapping[tuple[str, str], str], tree: Tree) -> bool:
    commit = _commit_of(one)
    if commit is None or one.judged is None or one.judged.citation.link:
        return False
    (_, before), *after = ((place, texts.get(place)) for place in _places_of(one))
    then = [text for _, text in after if text is not None]
    is_new = not any(_spaced(line) in _spaced(text) for text in then for line in one.source.split("\n"))
    was_in_hand = before is not None and after[0][1] is not None and before != after[0][1]
    if is_new and was_in_hand:
        return True
    if not any(one.judged.citation.text in text for text in then):
        return not _is_very_path(one.judged) or _is_wrapped(one.judged)
    if is_new and (_is_name_of_others(one.judged, tree) or one.judged.verdict.evidence is Evidence.REWRITTEN):
        return True
    if one.rule is _MOVED or before is None or after[0][1] is None:
        return False
    old, new = frozenset(split_lines(before)), frozenset(split_lines(after[0][1]))
    return all(line in new and line not in old for line in one.source.split("\n"))


@lru_cache(maxsize=16)
def _spaced(text: str) -> str:
    """Return ``text`` with one blank between words: a table whose columns were drawn anew is no new text."""
    return " ".join(text.split())


def _is_very_path(judged: Judged) -> bool:
    """Whether it is the path of a file or folder that a commit deleted or moved, and not its name alone."""
    cited, evidence = judged.citation, judged.verdict.evidence
    is_whole = cited.text.rstrip().endswith("/") or "." in posixpath.basename(cited.name)
    return "/" in cited.text and (evidence is Evidence.DELETED or (evidence in _MOVES and is_whole))


def _is_name_of_others(judged: Judged, tree: Tree) -> bool:
    """Whether it is the name alone of a file that moved, and others have that name: a new line may mean one of them."""
    cited = judged.citation
    others = set(tree.by_name.get(cited.name, ())) - {judged.verdict.target}
    return cited.kind == "path" and bool(others) and judged.verdict.evidence in _MOVES


def _is_wrapped(judged: Judged) -> bool:
    """Whether a folder was put around what is cited: ``src/a.py`` is ``web/src/a.py`` now."""
    name = judged.citation.name
    return "/" in name and (judged.verdict.target or "").endswith(f"/{name}")
