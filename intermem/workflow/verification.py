"""Judge the citations of given texts against a repository."""

from __future__ import annotations

import posixpath
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from intermem.core.citations.branches import branch_prefixes
from intermem.core.citations.columns import column_at, heads_of, is_on_naming, stance_of
from intermem.core.citations.context import Context, Contexts
from intermem.core.citations.dated import is_backup, is_kept
from intermem.core.citations.drawn import ANY, ELSEWHERE, PROJECT, drawn_paths
from intermem.core.citations.judge import Cited, questions_for, sample_name, setting_of
from intermem.core.citations.kinds.resolution import Setting
from intermem.core.citations.leads import (
    is_outside,
    keeps_out_of_git,
    moves_shown,
    run_away,
    run_in_new_folders,
    tells_of_before,
)
from intermem.core.citations.listed import listed_paths
from intermem.entities import INDEX_NAME, Citation, CitedAt, Stance
from intermem.facts import Facts, Tree
from intermem.lazy_dataclass import dataclass
from intermem.patterns import regex
from intermem.project.git.readings import Readings
from intermem.project.git.worktree import Worktree
from intermem.project.repository import readings_of, repository_tree
from intermem.results import Verified
from intermem.workflow.fact_gathering import Judge, gather_facts
from intermem.workflow.since import Since

_BULLET = regex(r"\s*(?:[-*+]|\d+[.)])\s+")
_ENTERED = regex(r"(?:^|[\s`(;&|])(?:cd|pushd)\s+([\w@./-]{1,200})")
_REMARK = regex(r"\s(?:#|//|←|<-|[—–(])")  # on a line of a drawn tree
_FENCES = ("```", "~~~")
_PART = " "  # the place of a part of a name
_LISTED = 2  # a folder, and a name in it
Placed = Mapping[tuple[str, str], Sequence[CitedAt]]  # where a text cites things, by their kind and text
_MEMORIES = ("memory", "memories", "agent-memory")


@dataclass(frozen=True, slots=True)
class VerifyRequest:
    """An entry to verify: its text, and its file and line if it is in the repository.

    ``only`` limits the verdicts to the citations with these texts; ``is_old``, to those that a change can have touched.
    """

    id: str
    text: str
    file: str | None = None
    first_line: int | None = None
    only: frozenset[str] | None = None
    is_old: bool = False


def verified_entries(
    root: Path,
    worktree: Worktree | None,
    requests: Sequence[VerifyRequest],
    known: Mapping[str, str] | None = None,
    since: Since | None = None,
) -> tuple[list[Verified], list[str]]:
    """Return the verdicts for every request, and notices about all of them.

    ``known`` holds the texts of files that were already read; like those of the requests, they are no evidence. With
    ``since``, what is old is judged by that change alone.
    """
    tree = repository_tree(root, worktree)
    readings = readings_of(worktree)
    files = sorted({one.file for one in requests if one.file is not None})
    texts = {**_texts_of(worktree, [file for file in files if file not in (known or {})]), **(known or {})}
    contexts = {file: Contexts(texts[file], readings.blocks, readings.defines) for file in files if file in texts}
    drawn = {file: drawn_paths(texts[file], tree, posixpath.dirname(file)) for file in contexts}
    cited = [
        _cited_in(one, readings, contexts.get(one.file or ""), drawn.get(one.file or ""), tree, since)
        for one in requests
    ]
    readings.keep()
    has_wiki_links = any(one.citation.kind == "wiki" for found in cited for one in found)
    names = _names_in_memories(worktree, files, tree, texts) if has_wiki_links else {}
    every = [one for found in cited for one in found]
    facts = gather_facts(root, worktree, every, tree, memory_names=names, citing_files=texts.keys(), since=since)
    judge = Judge(facts)
    verified = [
        Verified(one.id, tuple(judge.judged(citing) for citing in found))
        for one, found in zip(requests, cited, strict=True)
    ]
    return verified, list(history_notices(worktree, facts))


def _cited_in(
    one: VerifyRequest,
    readings: Readings,
    contexts: Contexts | None,
    drawn: Mapping[int, str] | None,
    tree: Tree,
    since: Since | None,
) -> tuple[Cited, ...]:
    """Return what an entry cites; of an old one what the change can have touched, to be judged by the change alone."""
    if since is None or not one.is_old:
        return _cited(one, readings, contexts, drawn, tree)
    if not since.at_base and not since.touched.may_be_in(one.text):
        return ()
    cited = _cited(one, readings, contexts, drawn, tree)
    return tuple(
        replace(one, citation=replace(one.citation, anchor=since.base))
        for one in cited
        if since.at_base or since.touched(one.citation, questions_for([one], tree))
    )


def history_notices(worktree: Worktree | None, facts: Facts) -> Iterable[str]:
    """Yield a notice if there is no history, or if it is incomplete."""
    if worktree is None:
        yield "not a git repository: verdicts that need history are unverifiable"
    elif not facts.history.complete or not all(traced.whole for traced in facts.traced.values()):
        yield "history is incomplete (a shallow or partial clone): some verdicts are unverifiable"


def _texts_of(worktree: Worktree | None, files: Sequence[str]) -> Mapping[str, str]:
    return worktree.texts_of(files) if worktree is not None and files else {}


def _names_in_memories(
    worktree: Worktree | None, files: Sequence[str], tree: Tree, known: Mapping[str, str]
) -> Mapping[str, str]:
    """The possible targets of wiki links: the files of the memories that ``files`` belong to, by name."""
    folders = {folder for folder in (_memory_of(file, tree) for file in files) if folder is not None}
    if not folders:
        return {}
    from intermem.core.entries.scanner import memory_names

    notes = sorted(path for path in tree.paths if path.endswith(".md") and _memory_of(path, tree) in folders)
    texts = {**_texts_of(worktree, [path for path in notes if path not in known]), **known}
    return memory_names({path: texts.get(path, "") for path in notes})


def _cited(
    one: VerifyRequest, readings: Readings, contexts: Contexts | None, drawn: Mapping[int, str] | None, tree: Tree
) -> tuple[Cited, ...]:
    citations = readings.citations(one.text)
    if not citations:
        return ()
    context = contexts.at(one.first_line) if contexts is not None and one.first_line is not None else Context()
    if any(readings.forbids(line) for line in (context.lead, *context.trail[-1:]) if line):
        citations = _forbidden_in(one.text, readings)
    led_in = readings.stance_below(context.lead) if context.lead else Stance.PLAIN
    if led_in is Stance.GONE or keeps_out_of_git(context.lead) or any(map(readings.tells_what_is_gone, context.trail)):
        citations = tuple(replace(one, stance=Stance.GONE) for one in citations)
    elif (context.lead and readings.bans_names(context.lead)) or any(
        map(readings.names_what_is_elsewhere, context.trail[-1:])
    ):
        citations = tuple(
            replace(one, stance=Stance.OTHERWISE) if _is_bare_name(one) and one.stance is Stance.PLAIN else one
            for one in citations
        )
    elif (context.lead and (is_outside(context.lead) or tells_of_before(context.lead))) or (
        one.text.lstrip().startswith(_FENCES) and any(map(readings.is_planned, context.trail[-1:]))
    ):
        citations = tuple(
            replace(one, stance=Stance.OTHERWISE) if one.stance is Stance.PLAIN and not one.link else one
            for one in citations
        )
    elif led_in in (Stance.OTHERWISE, Stance.EXAMPLE) and not one.text.lstrip().startswith(_FENCES):
        # "Files to create:"; what was there and left is missed
        citations = tuple(
            replace(one, stance=Stance.EXAMPLE) if one.stance is Stance.PLAIN and one.kind in ("path", "dir") else one
            for one in citations
        )
    citations = tuple(
        _as_headed(one, context.trail, readings) if one.stance is Stance.PLAIN else one for one in citations
    )
    heads = heads_of(context.header) if context.header else []
    if any(stance_of(head) is not Stance.PLAIN or is_on_naming(head) for head in heads):
        placed = readings.spans(one.text)
        citations = tuple(_as_in_column(citation, one.text, heads, placed) for citation in citations)
    if branches := branch_prefixes("\n".join((one.text, context.lead, *context.trail[-1:])), citations):
        citations = tuple(_as_sample(one) if one.name.strip("/") in branches else one for one in citations)
    if context.trail and readings.is_of_samples(context.trail[-1]):
        citations = tuple(_as_sample(one) for one in citations)
    away = run_away(context.earlier, one.text) or run_in_new_folders(one.text, tree.dirs)
    for parts in (away, moves_shown(one.text)):
        if parts:
            placed = readings.spans(one.text)
            citations = tuple(_as_run_in(parts, citation, placed) for citation in citations)
    memory = _memory_of(one.file, tree) if one.file is not None else None
    folder = posixpath.dirname(one.file) if one.file is not None else None
    names = {sample_name(citation) for citation in citations} - {""}
    setting = setting_of(
        context.trail,
        citations,
        folder,
        posixpath.relpath(folder, memory) if memory and folder else "",
        earlier=[one for line in context.earlier.split("\n") for one in _paths(line, readings)],
        in_memory=memory is not None,
        entered=[*_entered(one.text), *reversed(_entered(context.earlier))],
        sampled=frozenset(name for name in names if contexts is not None and contexts.has_sample_of(name)),
        lead=context.lead,
        openings=context.openings,
        stated=contexts.bases if contexts is not None else (),
        text=one.text if memory is None and one.file is not None else None,
    )
    is_past = is_kept(one.file or "") or is_backup(one.file or "", tree.paths)
    if (context.is_past or is_past) and memory is None:
        setting = replace(setting, recorded=setting.recorded or "", is_kept=is_past)
    pictured = _drawn_at(one, drawn, tree, readings)
    listed = _listed_in(one.text, citations, tree, readings, folder or "")
    asked = [citation for citation in citations if one.only is None or citation.text in one.only]
    return tuple(
        Cited(here, _drawn_in(setting, place, listed.get(here.text, "")))
        for citation in asked
        for here, place in _in_picture(citation, pictured.get(citation.text))
    )


def _entered(text: str) -> list[str]:
    """The folders that commands go to."""
    return _ENTERED.findall(text) if "cd" in text or "pushd" in text else []


def _drawn_in(setting: Setting, place: str, listed: str) -> Setting:
    """The setting of a citation that a drawn tree, or else a list, has at a place."""
    return replace(setting, drawn=place or listed, is_picture=bool(place)) if place or listed else setting


def _in_picture(citation: Citation, rows: Mapping[int, str] | None) -> Iterator[tuple[Citation, str]]:
    """Yield the citation with the path that a drawn tree gives it; of several ``rows`` one for each path."""
    if rows is None:
        yield citation, ""
        return
    for place in dict.fromkeys(rows.values()):
        at = tuple(row for row, one in rows.items() if one == place)
        if place != _PART:
            yield (replace(citation, rows=at, drawn=place) if len(rows) > 1 else citation), place


def _forbidden_in(text: str, readings: Readings) -> tuple[Citation, ...]:
    """What ``text`` cites, as the line or heading above it forbids it (``### Never``): with *never* in front.

    Sample code that it begins with is read as it is, and forbidden as a whole.
    """
    bullet = _BULLET.match(text)
    start = bullet.end() if bullet is not None else 0
    if not text.startswith(_FENCES, start):
        return readings.citations(f"{text[:start]}Never {text[start:]}")
    cited = readings.citations(text)
    return tuple(replace(one, stance=Stance.OTHERWISE) if one.stance is Stance.PLAIN else one for one in cited)


def _as_sample(one: Citation) -> Citation:
    """Return the citation, as a sample of how things are named if it is a bare name."""
    is_bare = _is_bare_name(one) or (one.kind == "dir" and "/" not in one.name.strip("/"))
    return replace(one, stance=Stance.SAMPLE) if is_bare and not one.link and one.stance is Stance.PLAIN else one


def _is_bare_name(one: Citation) -> bool:
    return one.kind == "symbol" or (one.kind == "path" and "/" not in one.name)


def _as_run_in(away: Sequence[tuple[int, int]], one: Citation, placed: Placed) -> Citation:
    """Return the citation, as of what is elsewhere if only commands name it that run ``away``, or show a move."""
    spans = placed.get((one.kind, one.text), ())
    number = [bisect_right(away, (span.start, span.stop)) - 1 for span in spans]
    is_away = bool(spans) and all(at >= 0 and span.stop <= away[at][1] for at, span in zip(number, spans, strict=True))
    return replace(one, stance=Stance.OTHERWISE) if is_away and one.stance is Stance.PLAIN else one


def _as_in_column(one: Citation, row: str, heads: Sequence[str], placed: Placed) -> Citation:
    """Return the citation with what the ``heads`` of the columns that it stands in say, if all of them do."""
    spans = placed.get((one.kind, one.text), ())
    columns = [column for span in spans if (column := column_at(row, span.start)) < len(heads)]
    if columns and all(is_on_naming(heads[column]) for column in columns):
        return _as_sample(one)
    found = [stance_of(heads[column], one.name) for column in columns]
    is_plain = one.stance is Stance.PLAIN and not one.link
    return replace(one, stance=found[0]) if is_plain and found and Stance.PLAIN not in found else one


def _as_headed(one: Citation, trail: Sequence[str], readings: Readings) -> Citation:
    """Return the citation with what the nearest heading that has it says of it."""
    heading = next((above for above in reversed(trail) if one.text in above), None)
    return one if heading is None else replace(one, stance=readings.stance_in(heading, one.text))


def _listed_in(
    text: str, citations: Sequence[Citation], tree: Tree, readings: Readings, folder: str
) -> Mapping[str, str]:
    """The paths, by the text of a citation, of names that the text, in ``folder``, lists behind or below a folder."""
    folders = sum(one.kind == "dir" for one in citations)
    if not folders or folders + sum(one.kind == "path" for one in citations) < _LISTED:
        return {}
    return listed_paths(text, citations, readings.spans(text), tree, folder)


def _drawn_at(
    one: VerifyRequest, drawn: Mapping[int, str] | None, tree: Tree, readings: Readings
) -> Mapping[str, Mapping[int, str]]:
    """The paths that trees drawn in the file or in the text itself give to names: by the text of a citation, and row.

    On a row that only mentions a name it has none, nor has the name of the file, which is this one.
    """
    if drawn is not None and one.first_line is not None:
        places, first = drawn, one.first_line - 1
    else:
        places, first = drawn_paths(one.text, tree), 0
    if not any(line in places for line in range(first, first + one.text.count("\n") + 1)):
        return {}
    found: dict[str, dict[int, str]] = {}
    for (kind, cited), spans in readings.spans(one.text).items():
        if kind in ("path", "dir") and cited != posixpath.basename(one.file or ""):
            for row, start in sorted({one.text.count("\n", 0, span.start): span.start for span in spans}.items()):
                place = places.get(first + row, "")
                if place == ANY:
                    line = one.text.rfind("\n", 0, start) + 1
                    place = ELSEWHERE if _REMARK.search(one.text, line, start) is None else ""
                found.setdefault(cited, {})[row] = _place_of(place, cited)
    return {cited: rows for cited, rows in found.items() if any(rows.values())}


def _place_of(place: str, cited: str) -> str:
    """Return ``place`` if the line stands for what is cited; empty if it only mentions it.

    ``_PART`` if the line has a longer name: ``Kiln Notes.md`` for ``Notes.md``.
    """
    if place.endswith(f" {cited}"):
        return _PART
    is_told = place in (PROJECT, ELSEWHERE) or f"/{place}".endswith(f"/{cited.strip('/').removeprefix('./')}")
    return place if is_told else ""


def _paths(line: str, readings: Readings) -> list[Citation]:
    return [citation for citation in readings.citations(line) if citation.kind in ("path", "dir")]


def _memory_of(file: str, tree: Tree) -> str | None:
    """The memory that ``file`` belongs to: the outermost folder above it with an index or such a name."""
    folder = posixpath.dirname(file)
    found = None
    while folder.strip("/"):
        if posixpath.basename(folder).lstrip(".") in _MEMORIES or posixpath.join(folder, INDEX_NAME) in tree.paths:
            found = folder
        folder = posixpath.dirname(folder)
    return found
