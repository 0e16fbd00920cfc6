"""``check --diff``: only findings introduced since BASE."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace
from functools import cache

from intermem.core.check.blocks import Unit, citation_findings, with_verdict, without_doubt
from intermem.core.check.company import is_of_a_name, is_strange, without_strangers
from intermem.core.check.elsewhere import without_elsewhere
from intermem.core.check.findings import Finding
from intermem.core.check.rules import HAZARDS
from intermem.core.citations.context import Contexts
from intermem.core.citations.dated import archives_of, day_of_record, is_backup, is_kept
from intermem.core.citations.judge import STATED
from intermem.core.citations.kinds.fates import fate_of, moved_verdict, once_a_folder
from intermem.core.citations.kinds.may_be_made import MAY_BE_MADE
from intermem.core.citations.kinds.name_evidence import is_single_word
from intermem.core.citations.kinds.never_there import NEVER_HERE
from intermem.core.citations.kinds.paths import IGNORED
from intermem.core.citations.kinds.resolution import by_suffix
from intermem.core.citations.stance import is_forbidden, is_worded_otherwise, may_last, tells_of_loss
from intermem.core.code.file_types import is_backed_up, is_made, is_source, is_temporary, may_be_written
from intermem.entities import MENTIONED, Citation, Evidence, Judged, Stance, Verdict, VerdictStatus
from intermem.facts import Change, Event, Facts, Questions, Tree
from intermem.project.git.worktree import Worktree
from intermem.project.repository import readings_of
from intermem.workflow.lint.base import HELD, LISTED, Base, Before, is_written_since, key_of
from intermem.workflow.lint.for_any_project import without_samples
from intermem.workflow.lint.run import Changed, Linted, judged_units, suggested
from intermem.workflow.lint.told_knowingly import without_known
from intermem.workflow.lint.unplaced import without_unplaced
from intermem.workflow.since import Since
from intermem.workflow.workspace import Workspace

_SHOWS = r"(?:^|[|;&`$>]|\n)[ \t]*(?:cat|jq|less|more|head|tail|bat|open|wc|watch)[ \t]"
_NEVER = (Evidence.DRAWN, Evidence.NEVER)  # what was found at the base was another
_MAX_PAGES = 20  # that were removed, and may have become a document
_LOST = (VerdictStatus.BROKEN, VerdictStatus.MOVED)


def introduced_findings(
    workspace: Workspace, worktree: Worktree, found: Linted, before: Before | None
) -> list[Finding]:
    """Return the findings introduced since the base: citations that held there but no longer do, and new ones.

    A block that existed at the base is judged there as it was, in its own document. A new block
    is blamed for the citations it adds, not for those that were already broken in its old wording.
    """
    if before is None:
        return list(found.findings)
    found = replace(found, findings=tuple(one for one in found.findings if one.rule.code not in HAZARDS))
    undecided = _undecided(found, _deleted_since(before, worktree))
    if not found.findings and not undecided:
        return []
    damaged = {_about(one) for one in before.old.findings}
    at_base = Base(workspace, worktree, before, frozenset(unit.id for unit in found.units))
    introduced = [one for one in found.findings if not one.block and _about(one) not in damaged]
    may_be_empty = _emptied(worktree)
    is_of_the_change = _of_the_change(before, worktree)
    candidates = [one for one in found.findings if one.block]
    then = at_base.verdicts(candidates)
    for one in candidates:
        is_new = one.block not in at_base.known
        was = then.get(key_of(one)) if one.judged is not None else None
        if was is None:
            introduced += [one] if is_new and is_of_the_change(one) else []
        elif was.status in HELD and (
            (is_new and is_written_since(one, before.old.texts.get(one.place.file, "")))
            or not _was_stale(one, was, worktree, before.base)
        ):
            if one.judged is not None and may_be_empty(one.judged.verdict, was.target):
                continue
            stood = one if was.reason == MENTIONED else without_doubt(one)
            introduced.append(_with_commit(stood, was, worktree, at_base.changes))
    removed = _removed_targets(at_base, worktree, found.texts, undecided)
    found_now = without_known(worktree.file_history, [*introduced, *removed], worktree.tree)
    found_now = without_samples(found_now, found.texts, worktree.tree)
    found_now = without_elsewhere(found.texts, without_unplaced(found_now, found.texts), worktree.tree)
    return _without_strangers(workspace, worktree, found, before, found_now)


def _of_the_change(before: Before, worktree: Worktree) -> Callable[[Finding], bool]:
    """Return what tells whether a line is new: it stood in no document of the base, nor in a page that was removed.

    A document may be another's new name, or a copy of it; at the base it was a link to it, or spelt in other capitals.
    """
    old = before.worktree

    @cache
    def pages() -> tuple[str, ...]:
        removed = sorted(path for path in _deleted_since(before, worktree) if path.endswith(".md"))
        return (*before.old.texts.values(), *old.texts_of(removed[:_MAX_PAGES]).values())

    def is_new(one: Finding) -> bool:
        if one.place.file in before.old.texts:
            return True
        if not all(is_written_since(one, text) for text in pages()):
            return False
        file = f"{old.prefix}{one.place.file}"
        former = next((path for path in sorted(old.tree.paths) if path.lower() == file.lower() != path), None)
        text = old.text_at(f"{old.rev}:{former}") if former is not None else None
        return text is None or is_written_since(one, text)

    return is_new


def _without_strangers(
    workspace: Workspace, worktree: Worktree, found: Linted, before: Before, findings: list[Finding]
) -> list[Finding]:
    """Return ``findings``, as doubtful those on names among others that neither tree has; no history is searched."""
    asked = {(one.place.file, one.block) for one in findings if is_of_a_name(one)}
    units = [unit for unit in found.units if (unit.file, unit.id) in asked]
    alone = Changed(Since(before.base, Change(), at_base=True))
    now, then = (
        judged_units(workspace.root, tree, units, texts, changed=alone)[0]
        for tree, texts in ((worktree, found.texts), (before.worktree, before.old.texts))
    )
    by_block = {
        (unit.file, unit.id): [past if is_strange(one) else one for one, past in zip(here, there, strict=False)]
        for unit, here, there in zip(units, now, then, strict=True)
    }
    return without_strangers(findings, lambda one: by_block.get((one.place.file, one.block), ()), is_of_a_name)


def _deleted_since(before: Before, worktree: Worktree) -> Set[str]:
    if before.since is not None:
        return before.since.change.deleted
    return before.worktree.tree.paths - worktree.tree.paths


def _was_stale(one: Finding, was: Verdict, worktree: Worktree, base: str) -> bool:
    """Whether a citation of an old block held at the ``base`` for a namesake alone, as for a copy in an archive."""
    assert one.judged is not None
    cited, commit = one.judged.citation.text, one.judged.verdict.commit
    target = (was.target or "").partition(":")[0]
    if one.judged.citation.kind == "path" and archives_of(posixpath.dirname(target)) - archives_of(cited):
        return True
    if one.judged.verdict.evidence in _NEVER or (is_temporary(target) and not is_temporary(cited)):
        return True
    return commit is not None and worktree.file_history.is_behind(commit, base)


def _undecided(found: Linted, removed: Set[str]) -> dict[Unit, list[Citation]]:
    """The citations of each block that one tree cannot decide, but a comparison of two may.

    These are bare names in drawings, paths with a folder that code may create, paths that the text says may be absent,
    the very paths of what was ``removed``, whatever else ends so, and all packages and configuration keys; but not what
    the text itself calls gone. A bare name that code still has is that of a file which a program writes.
    """
    undecided: dict[Unit, list[Citation]] = {}
    for unit, judged in zip(found.units, found.verdicts, strict=True):
        is_fence = unit.text.lstrip().startswith(("```", "~~~"))
        lost = [one for one in judged if one.verdict.status is VerdictStatus.UNVERIFIABLE]
        may = (
            one
            for one in lost
            if _may_have_existed(one.citation, one.verdict.reason, is_fence=is_fence) and not _is_unwanted(one, unit)
        )
        cited = [one.citation for one in may if not _is_read_by_a_command(one.citation, unit.text)]
        cited += [one.citation for one in judged if _is_of_another(one, unit, removed)]
        cited += [one.citation for one in lost if _was_source(one, unit.file, removed)]
        if cited:
            undecided[unit] = cited
    return undecided


def _is_of_another(judged: Judged, unit: Unit, removed: Set[str]) -> bool:
    """Whether a path is that of a ``removed`` file, from the top or from the document, and resolves to any like it.

    What stands at the one of these places is meant, though a file at the other was removed; so is what went along with
    the document into another folder, and those that are like it, by a text that speaks of each of many.
    """
    cited, verdict = judged.citation, judged.verdict
    if cited.kind != "path" or "/" not in cited.name or cited.stance is not Stance.PLAIN:
        return False
    places = _places_of(cited.name, unit.file)
    target = (verdict.target or "").partition(":")[0]
    above = target.removesuffix(posixpath.normpath(cited.name))
    went_along = above != target and unit.file.startswith(above) and unit.file.removeprefix(above) in removed
    is_elsewhere = target not in places and not went_along
    is_there = verdict.status in (VerdictStatus.VALID, VerdictStatus.AMBIGUOUS)
    is_lost = is_there and is_elsewhere and not removed.isdisjoint(places)
    return is_lost and not may_last(unit.text, cited.text)


def _was_source(judged: Judged, file: str, removed: Set[str]) -> bool:
    """Whether a path that git ignores is that of source code which was in git all the same, and was ``removed``."""
    cited = judged.citation
    is_code = cited.kind == "path" and is_source(cited.name) and not is_made(cited.name)
    is_ignored = is_code and judged.verdict.reason == IGNORED and cited.stance is Stance.PLAIN
    return is_ignored and not removed.isdisjoint(_places_of(cited.name, file))


def _places_of(path: str, file: str) -> tuple[str, str]:
    """Where ``path``, cited in the document ``file``, is: from the top, or from the document."""
    return path, posixpath.normpath(posixpath.join(posixpath.dirname(file), path))


def _may_have_existed(citation: Citation, reason: str, *, is_fence: bool) -> bool:
    if citation.stance in (Stance.GONE, Stance.SAMPLE):
        return False
    if citation.kind in LISTED:
        return citation.stance is Stance.PLAIN
    if reason in STATED:
        return citation.kind in ("path", "dir")
    drawn = is_fence and reason == NEVER_HERE
    is_made = reason.startswith(MAY_BE_MADE) and "/" in citation.name.removeprefix("./")
    return citation.kind == "path" and (drawn or is_made)


def _is_unwanted(judged: Judged, unit: Unit) -> bool:
    """Whether the words around a citation forbid it, or tell of a loss; or a heading, lead or column does."""
    if judged.verdict.reason not in STATED:
        return False
    cited, is_otherwise = judged.citation.text, judged.citation.stance is Stance.OTHERWISE
    if tells_of_loss(unit.text, cited) or is_forbidden(unit.text, cited):
        return True
    return is_otherwise and not is_worded_otherwise(unit.text, cited)


def _is_read_by_a_command(citation: Citation, text: str) -> bool:
    """Return whether a command shows a file of data, as what a program wrote before: ``jq . out/heat.json``."""
    if not may_be_written(citation.name):
        return False
    return re.search(rf"{_SHOWS}[^|;&\n]{{0,200}}?{re.escape(citation.text)}", text) is not None


def _removed_targets(
    at_base: Base, worktree: Worktree, texts: Mapping[str, str], undecided: Mapping[Unit, Sequence[Citation]]
) -> list[Finding]:
    """The findings on undecided citations whose target existed at the base and is gone now."""
    contexts = cache(lambda file: Contexts(texts[file], readings_of(worktree).blocks))
    known = {unit: cited for unit, cited in undecided.items() if unit.id in at_base.known}
    existed = at_base.targets(
        {unit: cited for unit, cited in known.items() if not _may_be_written(unit, contexts, worktree.tree)}
    )
    tree = worktree.tree
    gone = {target for targets in existed.values() for target in targets.values()} - tree.paths - tree.dirs
    ignored = frozenset(f"{target}/" if target in at_base.before.worktree.tree.dirs else target for target in gone)
    since = at_base.before.base if at_base.before.since is not None else None
    facts = worktree.answer(Questions(history=bool(gone), ignored=ignored), since=since) if existed else Facts()
    left_alone = {path.rstrip("/") for path in facts.ignored}  # untracked, perhaps, and still there
    if left_alone and not _changes_ignores(at_base.before, worktree):  # what was in git in spite of them was deleted
        left_alone = {path for path in left_alone if not is_source(path) or is_made(path)}
    gone -= left_alone
    may_be_empty = _emptied(worktree)
    findings: list[Finding] = []
    for unit, targets in existed.items():
        judged: list[Judged] = []
        for one in undecided[unit]:
            target = targets.get((one.text, one.drawn))
            if target is not None and one.kind in LISTED:
                if target in left_alone:
                    continue
                verdict = _unlisted(target, at_base.changes(target))
                if _may_be_of_another_tool(one, unit, target):
                    verdict = replace(verdict, evidence=Evidence.WORD)
                judged.append(Judged(citation=one, verdict=verdict))
            elif target in gone and not (
                _has_namesake(one, unit, target, tree)
                or _may_be_to_come(one, unit, target)
                or ("/" not in one.name and is_backed_up(target))
            ):
                assert target is not None
                fate = _fate_of(target, facts)
                if not may_be_empty(fate, target):
                    judged.append(Judged(citation=one, verdict=fate))
        findings += citation_findings(unit, judged, readings_of(worktree).spans)
    return suggested(at_base.workspace.root, worktree, texts, list(existed), findings)


def _changes_ignores(before: Before, worktree: Worktree) -> bool:
    """Whether a ``.gitignore`` came, went or was changed since the base."""
    old, new = (one.texts_of(one.tree.by_name.get(".gitignore", ())) for one in (before.worktree, worktree))
    return old != new


def _may_be_written(unit: Unit, contexts: Callable[[str], Contexts], tree: Tree) -> bool:
    """Whether a block tells of a day or the past, and not of today."""
    context = contexts(unit.file).at(unit.first_line)
    day = day_of_record(context.trail, unit.text, context.lead)
    return context.is_past or day is not None or is_kept(unit.file) or is_backup(unit.file, tree.paths)


def _fate_of(target: str, facts: Facts) -> Verdict:
    fate = once_a_folder(target, facts) or moved_verdict((target,), facts)
    return fate or fate_of(target, facts.tree, facts.history)


def _with_commit(one: Finding, was: Verdict, worktree: Worktree, changes: Callable[[str], Event]) -> Finding:
    """The finding with the commit that broke it; if its verdict names none, that of the file that confirmed it."""
    assert one.judged is not None
    verdict, file = one.judged.verdict, (was.target or "").partition(":")[0]
    if verdict.status not in _LOST or verdict.commit is not None or not file:
        return one
    change = changes(file)
    return with_verdict(one, replace(verdict, commit=change.commit, date=change.date))


def _has_namesake(citation: Citation, unit: Unit, target: str | None, tree: Tree) -> bool:
    """Whether another file ends in what is cited, a bare name or not the very place of ``target``: it may be meant."""
    name = posixpath.normpath(citation.name)
    is_short = "/" not in name or target not in _places_of(name, unit.file)
    return is_short and bool(by_suffix(name, tree.by_name))


def _may_be_to_come(citation: Citation, unit: Unit, target: str | None) -> bool:
    """Whether a text that speaks of what is to be made has no more than the name of a file that was somewhere else."""
    is_bare = "/" not in citation.name.rstrip("/")
    folder = posixpath.dirname(target or "")
    return is_bare and citation.stance is not Stance.PLAIN and folder not in ("", posixpath.dirname(unit.file))


def _may_be_of_another_tool(citation: Citation, unit: Unit, target: str) -> bool:
    """Whether a setting is one word (``strict: true``), and the text does not name the file that had it."""
    is_word = citation.kind == "config" and is_single_word(citation.name)
    return is_word and posixpath.basename(target) not in unit.text


def _emptied(worktree: Worktree) -> Callable[[Verdict, str | None], bool]:
    """Return what tells whether a folder whose files a change took may be empty for now: history is read for it."""
    facts = cache(lambda: worktree.answer(Questions(history=True)))

    def may_be_empty(verdict: Verdict, place: str | None) -> bool:
        if verdict.evidence is not Evidence.FILES or not place:
            return False
        fate = once_a_folder(place, facts())
        return fate is not None and fate.status is VerdictStatus.UNVERIFIABLE

    return may_be_empty


def _unlisted(file: str, change: Event) -> Verdict:
    """The verdict on a name that ``file`` listed at the base and no longer lists."""
    return Verdict(
        status=VerdictStatus.BROKEN,
        reason=f"removed from {file}",
        commit=change.commit,
        date=change.date,
        evidence=Evidence.UNLISTED,
    )


def _about(one: Finding) -> tuple[str, str, str | None]:
    """What a finding on a document as such is about."""
    return one.rule.code, one.place.file, one.entry
