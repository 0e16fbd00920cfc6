"""Judge citations: which facts are needed, and the verdicts that follow from them."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence
from dataclasses import replace

from intermem.core.citations.bases import FOLDER_WORD, bases_below
from intermem.core.citations.dated import ALARMS, as_of, day_of_record
from intermem.core.citations.kinds import BY_NAME
from intermem.core.citations.kinds.name_evidence import is_short, is_silent
from intermem.core.citations.kinds.paths import left_its_place
from intermem.core.citations.kinds.resolution import Setting
from intermem.core.citations.kinds.symbols import parts_of
from intermem.core.citations.rendered import made_from
from intermem.core.code.file_types import is_source, may_be_written
from intermem.core.markdown.inline import code_spans
from intermem.entities import Citation, Evidence, Judged, Stance, Verdict, VerdictStatus
from intermem.facts import ALONE, Facts, Questions, Trace, Tree
from intermem.lazy_dataclass import dataclass

_MAX_HINTS = 40


@dataclass(frozen=True, slots=True)
class Cited:
    """A citation in its setting."""

    citation: Citation
    setting: Setting


def setting_of(
    trail: Sequence[str],
    citations: Sequence[Citation],
    folder: str | None,
    memory_folder: str = "",
    *,
    earlier: Sequence[Citation] = (),
    in_memory: bool = False,
    text: str | None = None,
    lead: str = "",
    entered: Sequence[str] = (),
    openings: Sequence[str] = (),
    stated: Sequence[str] = (),
    sampled: frozenset[str] = frozenset(),
) -> Setting:
    """Return the setting of an entry: its hints come from its citations, its headings and the ``earlier`` lines.

    ``text`` is the entry's text in an agent doc, where logs are about their date; a memory's notes should hold today.
    ``lead`` is the line above its list.
    ``entered`` are the folders that its commands, and those before it, go to (``cd web``); ``openings`` the first
    sentences below the headings of ``trail``; ``stated`` the folders that the document says its paths are relative to.
    """
    hints: list[str] = []
    for citation in citations:
        hints += _folders_and_file(citation)
    for heading in reversed(trail):
        words = [span.text for span in code_spans(heading)] + heading.replace("`", " ").split()
        hints += [word for word in words if FOLDER_WORD.fullmatch(word)]
    hints += entered
    for citation in reversed(earlier):
        hints += _folders_and_file(citation)
    headed = next(filter(None, map(bases_below, reversed(trail), reversed(openings or [""] * len(trail)))), ())
    kept = dict.fromkeys(hint.removeprefix("./").strip("/") for hint in hints)
    return Setting(
        folder=folder,
        hints=tuple(hint for hint in kept if len(hint) > 1)[:_MAX_HINTS],
        bases=tuple(dict.fromkeys((*headed, *stated))),
        memory_folder=memory_folder,
        in_memory=in_memory,
        recorded=day_of_record(trail, text, lead) if text is not None else None,
        sampled=sampled,
    )


def last_name(citation: Citation) -> str:
    """Return the last part of the name that a symbol citation has; empty for another kind."""
    return parts_of(citation.name)[-1] if citation.kind == "symbol" else ""


def sample_name(citation: Citation) -> str:
    """Return what sample code would define or make: the last part of a symbol's name, a path; empty for other kinds."""
    if citation.kind == "symbol":
        return last_name(citation)
    if citation.kind == "command":
        return posixpath.normpath(citation.name.split(" ", 1)[0]) if citation.name.startswith("./") else ""
    return posixpath.normpath(citation.name) if citation.kind in ("path", "dir") and not citation.link else ""


def _folders_and_file(citation: Citation) -> list[str]:
    if citation.kind == "dir":
        return [citation.name]
    is_route = citation.name.startswith("/") and "." not in posixpath.basename(citation.name)
    if citation.kind == "path" and not is_route:
        return [citation.name, citation.name.rpartition("/")[0]]
    return []


def questions_for(cited: Iterable[Cited], tree: Tree) -> Questions:
    """Return the facts needed to judge ``cited``, combined."""
    ignored: set[str] = set()
    counted: set[str] = set()
    names: set[str] = set()
    commits: set[str] = set()
    texts: set[str] = set()
    history = issues = branch = False
    for citing in cited:
        if citing.citation.kind not in BY_NAME:
            continue
        one = BY_NAME[citing.citation.kind].questions(citing.citation, citing.setting, tree)
        ignored |= one.ignored
        counted |= one.line_counts
        names |= one.names
        commits |= one.commits
        history |= one.history
        issues |= one.issues
        texts |= one.texts
        branch |= one.branch
    return Questions(
        ignored=frozenset(ignored),
        line_counts=frozenset(counted),
        history=history,
        names=frozenset(names),
        commits=frozenset(commits),
        issues=issues,
        texts=frozenset(texts),
        branch=branch,
    )


def traces_for(cited: Iterable[Cited], facts: Facts) -> frozenset[Trace]:
    """Return the names to search for in history, given ``facts``."""
    found: set[Trace] = set()
    for citing in cited:
        if citing.citation.kind in BY_NAME:
            found |= BY_NAME[citing.citation.kind].traces(citing.citation, citing.setting, facts)
    return frozenset(found)


def anchored(cited: Cited, verdict: Verdict, facts: Facts, head: str | None) -> Citation:
    """Return the citation with an anchor, so that the next run need not search the same history again.

    The anchor is ``head`` if all of history was searched without evidence, and ``commit^!`` if that commit
    removed the name. Only citations of a single name have one, and a search from it finds what a search of
    all history would.
    """
    citation = cited.citation
    kind = BY_NAME.get(citation.kind)
    if head is None or kind is None or not kind.is_traced or "." in citation.name:
        return citation
    traced = {one: facts.traced[one] for one in kind.traces(citation, cited.setting, facts) if one in facts.traced}
    anchor = citation.anchor
    if verdict.commit is not None and traced:
        anchor = f"{verdict.commit}{ALONE}"
    elif traced and all(is_silent(found, one.name) for one, found in traced.items()):
        anchor = head
    elif not traced and anchor is not None and anchor.endswith(ALONE):
        anchor = None  # it exists again
    return citation if anchor == citation.anchor else replace(citation, anchor=anchor)


_STATED = {
    Stance.GONE: "the text itself says that it does not exist",
    Stance.SAMPLE: "the text shows by it how things are named",
    Stance.EXAMPLE: "the text itself calls it an example",
    Stance.OTHERWISE: "the text itself calls it made, planned, former, elsewhere or an example",
}
STATED = frozenset(_STATED.values())


def judge(cited: Cited, facts: Facts) -> Judged:
    """Return the citation with its verdict.

    A text that itself says something is absent is not reported: moved, ambiguous and broken become
    unverifiable, and what exists nevertheless is valid with the ``claim`` ``absent``.
    """
    citation = cited.citation
    if citation.kind not in BY_NAME:  # imported from phase 1, and its note was not seen since
        return Judged(
            citation=citation, verdict=Verdict(status=VerdictStatus.UNVERIFIABLE, reason="unknown kind of citation")
        )
    setting = cited.setting
    is_kept = setting.is_kept or not setting.in_memory
    verdict = as_of(BY_NAME[citation.kind].judge(citation, setting, facts), setting.recorded, is_kept=is_kept)
    # What a note shows of code is mostly this code.
    is_shown = setting.in_memory and verdict.evidence is Evidence.DEFINITION
    if verdict.status in ALARMS and sample_name(citation) in setting.sampled and not is_shown:
        verdict = Verdict(status=VerdictStatus.UNVERIFIABLE, reason="sample code in the document defines or makes it")
    if verdict.status in ALARMS and citation.kind == "path":
        source = made_from(citation.name, facts.tree.paths)
        made = Verdict(status=VerdictStatus.UNVERIFIABLE, reason=f"{source} is made into it")
        verdict = verdict if source is None else made
    if verdict.status is VerdictStatus.BROKEN and verdict.commit in facts.history.splits:
        verdict = Verdict(status=VerdictStatus.UNVERIFIABLE, reason=f"stayed behind as {_SPLIT}")
    unheeded = None
    if (
        citation.stance is Stance.PLAIN
        and citation.kind == "path"
        and not setting.in_memory
        and setting.recorded is None
    ):
        unheeded = left_its_place(citation, verdict, setting, facts)
    elif citation.stance is not Stance.PLAIN:
        is_written = citation.kind == "path" and may_be_written(citation.name)
        if citation.stance is Stance.OTHERWISE and not setting.in_memory and _was_there(citation, verdict):
            unheeded = verdict
        verdict = _as_stated(verdict, citation.stance, is_real=not is_written and verdict.evidence in _REAL)
    name = citation.name.partition(" ")[2] if citation.kind == "command" else citation.name
    if verdict.evidence is Evidence.REWRITTEN and is_short(name):
        verdict = replace(verdict, evidence=Evidence.SHORT_REWRITTEN)
    return Judged(citation=citation, verdict=verdict, unheeded=unheeded)


# What was there is no invented example.
_REAL = (Evidence.RENAMED, Evidence.FOLDER, Evidence.DELETED, Evidence.DEFINITION, Evidence.REWRITTEN)
_SPLIT = "most of the repository did, where this one was split off"


def _was_there(citation: Citation, verdict: Verdict) -> bool:
    """Return whether a commit took away what is cited by its path: source code, or a folder that moved."""
    if citation.kind == "dir":
        return verdict.evidence is Evidence.FOLDER and "/" in citation.name.strip("/")
    is_at_its_place = verdict.evidence in (Evidence.RENAMED, Evidence.DELETED) and "/" in citation.name
    return citation.kind == "path" and is_source(citation.name) and is_at_its_place


def _as_stated(verdict: Verdict, stance: Stance, *, is_real: bool) -> Verdict:
    if verdict.status is VerdictStatus.VALID:
        return replace(verdict, claim="absent") if stance is Stance.GONE else verdict
    if verdict.status is VerdictStatus.UNVERIFIABLE or (stance is Stance.EXAMPLE and is_real):
        return verdict
    return Verdict(status=VerdictStatus.UNVERIFIABLE, reason=_STATED[stance])
