"""``check --diff``: only findings introduced since BASE."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import PurePath

from intermem.core.check.blocks import Unit, citation_findings, with_verdict, without_doubt
from intermem.core.check.elsewhere import without_elsewhere
from intermem.core.check.findings import Finding
from intermem.core.check.rules import HAZARDS
from intermem.core.citations.dated import archives_of
from intermem.core.citations.judge import STATED
from intermem.core.citations.kinds.fates import fate_of, once_a_folder
from intermem.core.citations.kinds.path_drift import MAY_BE_MADE, NEVER_HERE
from intermem.core.code.file_types import is_listing, is_of_a_tool
from intermem.core.markdown.blocks import BOM
from intermem.core.markdown.ignore_comments import SIGN, without_ignores
from intermem.core.markdown.lines import split_lines
from intermem.entities import MENTIONED, Citation, Evidence, Judged, Stance, Verdict, VerdictStatus
from intermem.errors import RepositoryError
from intermem.facts import Change, Event, Facts, Questions, Tree
from intermem.project.boundary import is_document_name
from intermem.project.config import OWN_FILE
from intermem.project.doc_discovery import AgentDocs
from intermem.project.git.worktree import Worktree
from intermem.workflow.fact_gathering import Since
from intermem.workflow.lint.run import Changed, Linted, blocks_in, documents_of, judged_units, suggested
from intermem.workflow.lint.told_knowingly import without_known
from intermem.workflow.verification import readings_of
from intermem.workflow.workspace import Workspace

_Key = tuple[str, str, str, str]  # file, block, kind and text of a citation

_LISTED = ("package", "config")  # what manifests and configuration list

_HELD = (VerdictStatus.VALID, VerdictStatus.AMBIGUOUS)
_LOST = (VerdictStatus.BROKEN, VerdictStatus.MOVED)


@dataclass(frozen=True, slots=True)
class Before:
    """The tree at the base of a diff, the blocks of its documents, and what changed since.

    Documents to ``reread`` are judged in full: what they ignore changed, and an ignore must have something to ignore.
    """

    worktree: Worktree
    old: Linted
    change: Change | None
    reread: frozenset[str] = frozenset()

    @property
    def base(self) -> str:
        """The commit."""
        assert self.worktree.rev is not None
        return self.worktree.rev

    @property
    def changed(self) -> Changed | None:
        """How to judge today's blocks by the change alone; None if it changed too much."""
        if self.change is None:
            return None
        old: dict[str, set[str]] = {}
        for unit in self.old.units:
            if unit.file not in self.reread:
                old.setdefault(unit.file, set()).add(unit.id)
        return Changed(Since(self.base, self.change), old)

    @property
    def unchanged(self) -> Changed | None:
        """How to judge the blocks of the base itself: nothing that led to it is searched."""
        return Changed(Since(self.base, self.change, at_base=True)) if self.change is not None else None


def read_before(
    workspace: Workspace, worktree: Worktree | None, base: str, docs: AgentDocs, *, exhaustive: bool = False
) -> Before | None:
    """Return what stood at ``base``; None before the first commit. ``docs`` are the documents of today.

    With ``exhaustive`` no change is computed, and both trees are judged in full. Raises RepositoryError outside git,
    and for an unknown base.
    """
    if worktree is None:
        raise RepositoryError("--diff needs a git repository, and this is not one", hint="leave it out")
    if _is_first(worktree, base):
        return None
    before = _before(worktree, base)
    change = worktree.change_since(before) if not exhaustive else None
    if change is not None and _settings_of(workspace) & (change.added | change.deleted | change.modified):
        change = None
    if change is not None:
        before = before.beside(worktree, change)
    then = documents_of(workspace, before, ())
    others = [name for name in docs.texts if name not in then.texts and is_document_name(PurePath(name))]
    names = [name for name in others if name in before.tree.paths]
    then.texts.update(
        documents_of(workspace, before, [f"{workspace.top}/{name}" for name in names]).texts if names else {}
    )
    ignores = {name: _ignores_in(text) for name, text in then.texts.items()}
    reread = (name for name, text in docs.texts.items() if _ignores_in(text) != ignores.get(name, []))
    old = blocks_in(then)
    if old.regions:
        from intermem.workflow.lint.tiers import with_tier_findings

        old = with_tier_findings(workspace, before, old)
    return Before(before, old, change, frozenset(reread))


def _settings_of(workspace: Workspace) -> frozenset[str]:
    """The files, from the top, that say what is ignored in all documents."""
    prefix = workspace.worktree.prefix if workspace.worktree is not None else ""
    return frozenset(prefix + name for name in (workspace.config.text("check.baseline"), OWN_FILE))


def _ignores_in(text: str) -> list[str]:
    return [line for line in split_lines(text) if SIGN in line]


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
    undecided = _undecided(found)
    if not found.findings and not undecided:
        return []
    damaged = {_about(one) for one in before.old.findings}
    at_base = _Base(workspace, worktree, before, {unit.id for unit in found.units})
    introduced = [one for one in found.findings if not one.block and _about(one) not in damaged]
    candidates = [one for one in found.findings if one.block]
    then = at_base.verdicts(candidates)
    for one in candidates:
        is_new = one.block not in at_base.known
        was = then.get(_key(one)) if one.judged is not None else None
        if was is None:
            introduced += [one] if is_new else []
        elif was.status in _HELD and (is_new or not _was_stale(one, was, worktree, before.base)):
            stood = one if was.reason == MENTIONED else without_doubt(one)
            introduced.append(_with_commit(stood, was, worktree, at_base.changes))
    removed = _removed_targets(at_base, worktree, found.texts, undecided)
    found_now = without_known(worktree.file_history, [*introduced, *removed], worktree.tree)
    return without_elsewhere(found.texts, found_now, worktree.tree)


def _was_stale(one: Finding, was: Verdict, worktree: Worktree, base: str) -> bool:
    """Whether a citation of an old block held at the ``base`` for a namesake alone, as for a copy in an archive."""
    assert one.judged is not None
    cited, commit = one.judged.citation.text, one.judged.verdict.commit
    target = (was.target or "").partition(":")[0]
    if one.judged.citation.kind == "path" and archives_of(posixpath.dirname(target)) - archives_of(cited):
        return True
    return commit is not None and worktree.file_history.is_behind(commit, base)


def written_since(worktree: Worktree | None, base: str, findings: Sequence[Finding]) -> list[Finding]:
    """Return those ``findings`` (on single lines) of which a line was written since ``base``."""
    if worktree is None or not findings:
        return []
    names = {one.place.file for one in findings}
    texts = {} if _is_first(worktree, base) else _before(worktree, base).texts_of(sorted(names))
    lines = {
        name: frozenset(line for one in (text, without_ignores(text)) for line in split_lines(one.removeprefix(BOM)))
        for name, text in texts.items()
    }
    return [one for one in findings if not lines.get(one.place.file, frozenset()).issuperset(one.source.split("\n"))]


def _is_first(worktree: Worktree, base: str) -> bool:
    """True before the first commit, when everything is new."""
    return base == "HEAD" and worktree.rev is None and worktree.head is None


def _before(worktree: Worktree, base: str) -> Worktree:
    return replace(worktree, rev=worktree.merge_base(base, worktree.rev or "HEAD"))


def _undecided(found: Linted) -> dict[Unit, list[Citation]]:
    """The citations of each block that one tree cannot decide, but a comparison of two may.

    These are bare names in drawings, paths that code may create, paths that the text says may be absent, and all
    packages and configuration keys; but not what the text itself calls gone.
    """
    undecided: dict[Unit, list[Citation]] = {}
    for unit, judged in zip(found.units, found.verdicts, strict=True):
        is_fence = unit.text.lstrip().startswith(("```", "~~~"))
        lost = [one for one in judged if one.verdict.status is VerdictStatus.UNVERIFIABLE]
        cited = [one.citation for one in lost if _may_have_existed(one.citation, one.verdict.reason, is_fence=is_fence)]
        if cited:
            undecided[unit] = cited
    return undecided


def _may_have_existed(citation: Citation, reason: str, *, is_fence: bool) -> bool:
    if citation.stance in (Stance.GONE, Stance.SAMPLE):
        return False
    if citation.kind in _LISTED:
        return citation.stance is Stance.PLAIN
    if reason in STATED:
        return citation.kind in ("path", "dir")
    drawn = is_fence and reason == NEVER_HERE
    return citation.kind == "path" and (drawn or reason.startswith(MAY_BE_MADE))


def _removed_targets(
    at_base: _Base, worktree: Worktree, texts: Mapping[str, str], undecided: Mapping[Unit, Sequence[Citation]]
) -> list[Finding]:
    """The findings on undecided citations whose target existed at the base and is gone now."""
    existed = at_base.targets({unit: cited for unit, cited in undecided.items() if unit.id in at_base.known})
    tree = worktree.tree
    gone = {target for targets in existed.values() for target in targets.values()} - tree.paths - tree.dirs
    ignored = frozenset(f"{target}/" if target in at_base.before.worktree.tree.dirs else target for target in gone)
    since = at_base.before.base if at_base.before.change is not None else None
    facts = worktree.answer(Questions(history=bool(gone), ignored=ignored), since=since) if existed else Facts()
    left_alone = {path.rstrip("/") for path in facts.ignored}  # untracked, perhaps, and still there
    gone -= left_alone
    findings: list[Finding] = []
    for unit, targets in existed.items():
        judged: list[Judged] = []
        for one in undecided[unit]:
            target = targets.get(one.text)
            if target is not None and one.kind in _LISTED:
                if target in left_alone:
                    continue
                judged.append(Judged(citation=one, verdict=_unlisted(target, at_base.changes(target))))
            elif target in gone and not _has_namesake(one, tree):
                assert target is not None
                judged.append(
                    Judged(citation=one, verdict=once_a_folder(target, facts) or fate_of(target, tree, facts.history))
                )
        findings += citation_findings(unit, judged, readings_of(worktree).spans)
    return suggested(at_base.workspace.root, worktree, texts, list(existed), findings)


def _with_commit(one: Finding, was: Verdict, worktree: Worktree, changes: Callable[[str], Event]) -> Finding:
    """The finding with the commit that broke it; if its verdict names none, that of the file that confirmed it."""
    assert one.judged is not None
    verdict, file = one.judged.verdict, (was.target or "").partition(":")[0]
    if verdict.status not in _LOST or verdict.commit is not None or not file:
        return one
    change = changes(file)
    return with_verdict(one, replace(verdict, commit=change.commit, date=change.date))


def _has_namesake(citation: Citation, tree: Tree) -> bool:
    """Whether another file has the bare name: the text may speak of that one."""
    return "/" not in citation.name.rstrip("/") and bool(tree.by_name.get(citation.name))


def _unlisted(file: str, change: Event) -> Verdict:
    """The verdict on a name that ``file`` listed at the base and no longer lists."""
    reason = f"{file} listed it before this change"
    return Verdict(
        status=VerdictStatus.BROKEN,
        reason=reason,
        commit=change.commit,
        date=change.date,
        evidence=Evidence.UNLISTED,
    )


def _is_told(one: Judged) -> bool:
    """Whether a valid verdict says that something was there: not where only words or the settings of a tool have it.

    A page or a test that uses a name lists nothing: packages and keys are in manifests and files of data.
    """
    target = (one.verdict.target or "").partition(":")[0]
    if not target or one.verdict.reason == MENTIONED:
        return False
    return one.citation.kind not in _LISTED or (is_listing(target) and not is_of_a_tool(target))


@dataclass(frozen=True)
class _Base:
    """The blocks of the documents as they were ``before``; ``now`` are the identities of today's blocks."""

    workspace: Workspace
    worktree: Worktree
    before: Before
    now: set[str]
    _changes: dict[str, Event] = field(default_factory=dict)

    @cached_property
    def known(self) -> set[str]:
        """The identities of all blocks."""
        return {unit.id for unit in self.before.old.units}

    def targets(self, cited: Mapping[Unit, Sequence[Citation]]) -> dict[Unit, dict[str, str]]:
        """Return the target that each citation had at the base, by block and text.

        Those without one are left out, and those that only a comment, the words of a string or the settings of a tool
        mentioned.
        """
        if not cited:
            return {}
        former = [self._same(unit.id, unit.file)[0] for unit in cited]
        texts = [{one.text for one in files} for files in cited.values()]
        verdicts = self._judged(former, texts)
        found: dict[Unit, dict[str, str]] = {}
        for unit, judged in zip(cited, verdicts, strict=True):
            held = [one for one in judged if one.verdict.status is VerdictStatus.VALID and _is_told(one)]
            found[unit] = {one.citation.text: (one.verdict.target or "").partition(":")[0] for one in held}
        return found

    def changes(self, file: str) -> Event:
        """Return the change of ``file`` since the base; without a commit if there are several or none yet."""
        if file not in self._changes:
            change = self.worktree.only_change(file, self.before.base)
            self._changes[file] = change or Event(commit=None, date=None)
        return self._changes[file]

    def _judged(self, units: Sequence[Unit], only: Sequence[Collection[str]]) -> tuple[tuple[Judged, ...], ...]:
        before = self.before
        return judged_units(self.workspace.root, before.worktree, units, before.old.texts, only, before.unchanged)[0]

    def verdicts(self, findings: Sequence[Finding]) -> dict[_Key, Verdict]:
        """Return the base verdict for each finding whose citation existed there, preferring one that held."""
        pairs = [(one, unit) for one in findings if one.judged is not None for unit in self._former(one)]
        requests: dict[Unit, set[str]] = {}
        for one, unit in pairs:
            assert one.judged is not None
            requests.setdefault(unit, set()).add(one.judged.citation.text)
        if not requests:
            return {}
        verdicts = self._judged(list(requests), list(requests.values()))
        by_unit = {
            unit: {(item.citation.kind, item.citation.text): item.verdict for item in judged}
            for unit, judged in zip(requests, verdicts, strict=True)
        }
        found: dict[_Key, Verdict] = {}
        for one, unit in pairs:
            assert one.judged is not None
            verdict = by_unit[unit].get((one.judged.citation.kind, one.judged.citation.text))
            if verdict is not None and (_key(one) not in found or found[_key(one)].status not in _HELD):
                found[_key(one)] = verdict
        return found

    def _former(self, one: Finding) -> Sequence[Unit]:
        """The base blocks that a finding's block may come from: the same block, else the removed ones."""
        if one.block not in self.known:
            return self._gone.get(one.place.file, []) + self._gone.get("", [])
        return self._same(one.block, one.place.file)

    def _same(self, block: str, file: str) -> Sequence[Unit]:
        """The blocks with that identity: those in the same document, else all."""
        same = self._by_id[block]
        return [unit for unit in same if unit.file == file] or same

    @cached_property
    def _by_id(self) -> dict[str, list[Unit]]:
        found: dict[str, list[Unit]] = {}
        for unit in self.before.old.units:
            found.setdefault(unit.id, []).append(unit)
        return found

    @cached_property
    def _gone(self) -> dict[str, list[Unit]]:
        """Removed blocks by document; those of removed documents under an empty name."""
        found: dict[str, list[Unit]] = {}
        for unit in self.before.old.units:
            if unit.id not in self.now:
                found.setdefault(unit.file if unit.file in self.worktree.tree.paths else "", []).append(unit)
        return found


def _about(one: Finding) -> tuple[str, str, str | None]:
    """What a finding on a document as such is about."""
    return one.rule.code, one.place.file, one.entry


def _key(one: Finding) -> _Key:
    assert one.judged is not None
    return one.place.file, one.block, one.judged.citation.kind, one.judged.citation.text
