"""What stood at the base of ``check --diff``: the tree, the blocks of its documents, and their verdicts."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property, lru_cache
from pathlib import PurePath

from intermem.core.check.blocks import Unit
from intermem.core.check.findings import Finding
from intermem.core.code.file_types import is_listing, is_of_a_tool
from intermem.core.markdown.blocks import BOM
from intermem.core.markdown.ignore_comments import SIGN, without_ignores
from intermem.core.markdown.lines import split_lines
from intermem.core.markdown.markers import may_have_marker
from intermem.entities import MENTIONED, Citation, Judged, Verdict, VerdictStatus
from intermem.errors import RepositoryError
from intermem.facts import Event
from intermem.lazy_dataclass import dataclass
from intermem.project.boundary import is_document_name
from intermem.project.config import OWN_FILE
from intermem.project.doc_discovery import AgentDocs
from intermem.project.git.worktree import Worktree
from intermem.project.repository import readings_of
from intermem.workflow.lint.run import Changed, Linted, blocks_in, documents_of, judged_units
from intermem.workflow.since import Since
from intermem.workflow.workspace import Workspace

Key = tuple[str, str, str, str, str]  # file and block of a citation, its kind and text, and where a tree draws it

LISTED = ("package", "config")  # what manifests and configuration list
HELD = (VerdictStatus.VALID, VerdictStatus.AMBIGUOUS)


@dataclass(frozen=True)
class Before:
    """The tree at the base of a diff, the blocks of its documents, and what changed since.

    Documents to ``reread`` are judged in full: what they ignore changed, and an ignore must have something to ignore.
    Those ``aside`` are as they were, and the change can have touched nothing in them: ``old`` has none of their blocks.
    """

    worktree: Worktree
    old: Linted
    since: Since | None
    reread: frozenset[str] = frozenset()
    aside: frozenset[str] = frozenset()

    @property
    def base(self) -> str:
        """The commit."""
        assert self.worktree.rev is not None
        return self.worktree.rev

    @property
    def changed(self) -> Changed | None:
        """How to judge today's blocks by the change alone; None if it changed too much."""
        if self.since is None:
            return None
        old: dict[str, set[str]] = {}
        for unit in self.old.units:
            if unit.file not in self.reread:
                old.setdefault(unit.file, set()).add(unit.id)
        return Changed(self.since, old, self.aside)

    @property
    def unchanged(self) -> Changed | None:
        """How to judge the blocks of the base itself: nothing that led to it is searched."""
        return Changed(replace(self.since, at_base=True)) if self.since is not None else None

    @cached_property
    def units_aside(self) -> tuple[Unit, ...]:
        """The blocks of the documents that are aside, read when somebody asks."""
        aside = AgentDocs({name: self.old.texts[name] for name in self.aside})
        return blocks_in(aside, readings_of(self.worktree)).units


def read_before(
    workspace: Workspace, worktree: Worktree | None, base: str, docs: AgentDocs, *, exhaustive: bool = False
) -> Before | None:
    """Return what stood at ``base``; None before the first commit. ``docs`` are the documents of today.

    With ``exhaustive`` no change is computed, and both trees are judged in full. Raises RepositoryError outside git,
    and for an unknown base.
    """
    if worktree is None:
        raise RepositoryError("--diff needs a git repository, and this is not one", hint="leave it out")
    if is_first(worktree, base):
        return None
    before = side_of(worktree, base)
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
    since = Since(before.rev or "", change) if change is not None else None
    aside = _untouched(since, then.texts, docs.texts)
    asked = {name: text for name, text in then.texts.items() if name not in aside}
    old = blocks_in(replace(then, texts=asked), readings_of(before))
    if old.regions:
        from intermem.workflow.lint.tiers import with_tier_findings

        old = with_tier_findings(workspace, before, old)
    return Before(before, replace(old, texts=then.texts), since, frozenset(reread), aside)


def _untouched(since: Since | None, then: Mapping[str, str], now: Mapping[str, str]) -> frozenset[str]:
    """The documents that are as they were, without a region, in which the change can have touched nothing."""
    if since is None:
        return frozenset()
    same = ((name, text) for name, text in now.items() if then.get(name) == text and not may_have_marker(text))
    return frozenset(name for name, text in same if not since.touched.may_be_in(text))


def _settings_of(workspace: Workspace) -> frozenset[str]:
    """The files, from the top, that say what is ignored in all documents."""
    prefix = workspace.worktree.prefix if workspace.worktree is not None else ""
    return frozenset(prefix + name for name in (workspace.config.text("check.baseline"), OWN_FILE))


def _ignores_in(text: str) -> list[str]:
    return [line for line in split_lines(text) if SIGN in line]


def is_first(worktree: Worktree, base: str) -> bool:
    """Return True before the first commit, when everything is new."""
    return base == "HEAD" and worktree.rev is None and worktree.head is None


def side_of(worktree: Worktree, base: str) -> Worktree:
    """Return the tree of the commit at which what ``worktree`` has left ``base``."""
    return replace(worktree, rev=worktree.merge_base(base, worktree.rev or "HEAD"))


def written_since(worktree: Worktree | None, base: str, findings: Sequence[Finding]) -> list[Finding]:
    """Return those ``findings`` (on single lines) of which a line was written since ``base``."""
    if worktree is None or not findings:
        return []
    names = {one.place.file for one in findings}
    texts = {} if is_first(worktree, base) else side_of(worktree, base).texts_of(sorted(names))
    return [one for one in findings if is_written_since(one, texts.get(one.place.file, ""))]


def is_written_since(one: Finding, then: str) -> bool:
    """Return whether a line of what a finding is about stood nowhere in its document, whose text was ``then``."""
    return not _lines_of(then).issuperset(one.source.split("\n"))


@lru_cache(maxsize=16)
def _lines_of(text: str) -> frozenset[str]:
    return frozenset(line for one in (text, without_ignores(text)) for line in split_lines(one.removeprefix(BOM)))


@dataclass(frozen=True)
class Base:
    """The blocks as they were ``before``; ``now`` are the identities of those of today, without those aside."""

    workspace: Workspace
    worktree: Worktree
    before: Before
    now: frozenset[str]
    _changes: dict[str, Event] = field(default_factory=dict)

    @cached_property
    def known(self) -> set[str]:
        """The identities of all blocks."""
        return {unit.id for unit in self._units}

    def targets(self, cited: Mapping[Unit, Sequence[Citation]]) -> dict[Unit, dict[tuple[str, str], str]]:
        """Return the target that each citation had at the base, by block, text and what a drawn tree gives it.

        Those without one are left out, and those that only a comment, the words of a string or the settings of a tool
        mentioned.
        """
        if not cited:
            return {}
        former = [self._same(unit.id, unit.file)[0] for unit in cited]
        texts = [{one.text for one in files} for files in cited.values()]
        verdicts = self._judged(former, texts)
        found: dict[Unit, dict[tuple[str, str], str]] = {}
        for unit, judged in zip(cited, verdicts, strict=True):
            held = [one for one in judged if one.verdict.status is VerdictStatus.VALID and _is_told(one)]
            found[unit] = {
                (one.citation.text, one.citation.drawn): (one.verdict.target or "").partition(":")[0] for one in held
            }
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

    def verdicts(self, findings: Sequence[Finding]) -> dict[Key, Verdict]:
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
            unit: {_told_as(item.citation): item.verdict for item in judged}
            for unit, judged in zip(requests, verdicts, strict=True)
        }
        found: dict[Key, Verdict] = {}
        for one, unit in pairs:
            assert one.judged is not None
            verdict = by_unit[unit].get(_told_as(one.judged.citation))
            if verdict is not None and (key_of(one) not in found or found[key_of(one)].status not in HELD):
                found[key_of(one)] = verdict
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
        for unit in self._units:
            found.setdefault(unit.id, []).append(unit)
        return found

    @cached_property
    def _units(self) -> tuple[Unit, ...]:
        return (*self.before.old.units, *self.before.units_aside)

    @cached_property
    def _gone(self) -> dict[str, list[Unit]]:
        """Removed blocks by document; those of removed documents under an empty name."""
        found: dict[str, list[Unit]] = {}
        kept = self.now | {unit.id for unit in self.before.units_aside}
        for unit in self.before.old.units:
            if unit.id not in kept:
                found.setdefault(unit.file if unit.file in self.worktree.tree.paths else "", []).append(unit)
        return found


def _is_told(one: Judged) -> bool:
    """Whether a valid verdict says that something was there: not where only words or the settings of a tool have it.

    A page or a test that uses a name lists nothing: packages and keys are in manifests and files of data.
    """
    target = (one.verdict.target or "").partition(":")[0]
    if not target or one.verdict.reason == MENTIONED:
        return False
    return one.citation.kind not in LISTED or (is_listing(target) and not is_of_a_tool(target))


def key_of(one: Finding) -> Key:
    """Return what a finding on a citation is about."""
    assert one.judged is not None
    return (one.place.file, one.block, *_told_as(one.judged.citation))


def _told_as(citation: Citation) -> tuple[str, str, str]:
    return citation.kind, citation.text, citation.drawn
