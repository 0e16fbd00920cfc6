"""``check``: lint agent docs against the repository, for pre-commit and CI; writes only with --fix or a baseline."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING

from intermem.core.check.baseline import Baseline, baseline_text
from intermem.core.check.blocks import (
    DOUBTFUL,
    RULE_OF,
    SpansIn,
    Unit,
    first_places,
    unverifiable_places,
    without_doubt,
)
from intermem.core.check.findings import Finding, Location
from intermem.core.check.fixes import apart
from intermem.core.check.hazards import unseen_findings
from intermem.core.check.rules import ABOUT_ENTRIES, BY_CODE, HAZARDS, READS_LIKE_A_LOG, RULES
from intermem.core.check.said_once import counted
from intermem.core.check.settings import ALWAYS_SHOWN, codes_of, rule_like, rules_named
from intermem.core.check.suppress import sifted
from intermem.entities import LEDGER, OLD_LEDGER, Judged
from intermem.errors import ConfigurationError, RepositoryError, UsageError
from intermem.lazy_dataclass import dataclass
from intermem.project.boundary import is_document_name
from intermem.project.committed_files import read_baseline
from intermem.project.doc_discovery import AgentDocs
from intermem.project.git.worktree import Worktree
from intermem.project.repository import readings_of
from intermem.results import FINDINGS, OK, FileDiff, exit_code_for
from intermem.results.check import CheckResult, Noted, RulesResult
from intermem.workflow.lint.run import Linted, discreet, documents_of, excluded_documents, linted
from intermem.workflow.workspace import Workspace

if TYPE_CHECKING:
    from intermem.workflow.lint.base import Before

BY_LINE = ALWAYS_SHOWN | {READS_LIKE_A_LOG}  # of these --diff shows what is on lines written since


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOptions:
    """The options of the command line; ``base`` and ``rev`` are the two sides of ``--diff``, which ``exhaustive``
    compares in full.

    ``select`` are the only rules to apply, beside those of ``fail_on``; empty: those that are on.
    """

    files: tuple[str, ...] = ()
    rev: str | None = None
    base: str | None = None
    exhaustive: bool = False
    everything: bool = False
    select: tuple[str, ...] = ()
    fail_on: tuple[str, ...] = ()
    exit_zero: bool = False
    fix: bool = False
    unsafe: bool = False
    dry_run: bool = False
    force: bool = False
    write_baseline: bool = False

    @property
    def codes(self) -> frozenset[str]:
        """The codes of the rules to apply."""
        if self.select:
            return codes_of((*self.select, *self.fail_on))
        named = codes_of(self.fail_on)
        return frozenset(rule.code for rule in RULES if rule.on or self.everything or rule.code in named)

    @property
    def narrowing(self) -> tuple[str, ...]:
        """The arguments that choose findings, as ``check --fix`` takes them."""
        base = ("--diff", self.base) if self.base is not None else ()
        select = ("--select", ",".join(self.select)) if self.select else ()
        return (*base, *select, *self.files)


def check(workspace: Workspace, wanted: CheckOptions) -> CheckResult:
    """Return the findings on the documents; exit code 1 if there are any.

    Raises UsageError for a missing file, RepositoryError for an unknown revision.
    """
    _refuse_unknown("--select", wanted.select)
    _refuse_unknown("--fail-on", wanted.fail_on)
    worktree = _side(workspace, wanted.rev)
    docs = documents_of(workspace, worktree, wanted.files)
    if wanted.write_baseline:
        return _baseline_written(workspace, worktree, wanted, docs)
    excluded = excluded_documents(workspace, worktree) if not wanted.files else {}
    found, shown, ignored = _judged(workspace, worktree, docs, excluded, wanted)
    changes: tuple[FileDiff, ...] = ()
    fixed: list[Finding] = []
    outside: list[str] = []
    if wanted.fix:
        from intermem.workflow.lint.fix import fix

        fixed = apart(one for one in shown if one.suggestion is not None and (one.suggestion.safe or wanted.unsafe))
        changes = fix(workspace, docs.texts, fixed, dry=wanted.dry_run, force=wanted.force)
        written = {change.document: change.after or "" for change in changes}
        outside = sorted({one.place.file for one in fixed} - written.keys())
        fixed = [one for one in fixed if one.place.file in written]
        shown = [one for one in shown if not any(one.place.holds(other.place) for other in fixed)]
    if changes and not wanted.dry_run:
        docs = replace(docs, texts=docs.texts | written)
        found, shown, ignored = _judged(workspace, worktree, docs, excluded, wanted)
    deciding = codes_of(wanted.fail_on)
    failing = [one for one in shown if not wanted.fail_on or one.rule.code in deciding]
    code = FINDINGS if failing and not wanted.exit_zero else OK
    return CheckResult(
        findings=[discreet(one, found.secret_lines) for one in shown],
        checked=sorted(docs.texts),
        excluded=sorted(excluded),
        ignored=ignored,
        fixed=[discreet(one, found.secret_lines) for one in fixed],
        unverifiable=_noted(worktree, found, unverifiable_places) if wanted.everything else [],
        changed=_changed(worktree, found) if wanted.everything and wanted.base is None else [],
        dry_run=wanted.dry_run or not wanted.fix,
        revision=wanted.rev or ("HEAD" if worktree is not None and worktree.bare else None),
        exit_code=exit_code_for(docs.problems, code),
        problems=tuple(docs.problems),
        notices=(
            *found.notices,
            *_disregarded(workspace),
            *(f"{name} is {_why_left(name)} and was left alone" for name in outside),
        ),
        changes=changes,
        unread=sorted({*docs.dangling, *docs.unreadable}),
        show_diff=wanted.fix and wanted.dry_run,
        narrowed=wanted.narrowing,
    )


def _why_left(name: str) -> str:
    return "outside the project" if is_document_name(PurePath(name)) else "not a document"


def _judged(
    workspace: Workspace,
    worktree: Worktree | None,
    docs: AgentDocs,
    excluded: Mapping[str, str],
    wanted: CheckOptions,
) -> tuple[Linted, list[Finding], int]:
    """The judged documents, the selected findings in order, and how many are suppressed.

    Of the ``excluded`` documents there are only findings about what nobody sees: a tree must not switch those off.
    """
    before = None
    if wanted.base is not None:
        from intermem.workflow.lint.base import read_before

        before = read_before(workspace, worktree, wanted.base, docs, exhaustive=wanted.exhaustive)
    changed = before.changed if before is not None else None
    found = linted(workspace.root, worktree, docs, changed, is_compared=before is not None)
    if found.regions and _is_partial(worktree, wanted):
        from intermem.workflow.lint.tiers import with_tier_findings

        found = with_tier_findings(workspace, worktree, found)
    unseen = [one for name, text in sorted(excluded.items()) for one in unseen_findings(text, name)]
    findings = [*_all_findings(workspace, found, wanted), *unseen]
    if wanted.base is not None:
        introduced = dict.fromkeys(_introduced(workspace, worktree, found, before))
        known = {(one.place, one.rule.code) for one in introduced}  # these name the commit that broke them
        findings = [*(one for one in findings if (one.place, one.rule.code) not in known), *introduced]
    shown, ignored = _kept(workspace, worktree, docs.texts, findings, wanted)
    if wanted.base is not None:
        from intermem.workflow.lint.base import written_since

        written = written_since(worktree, wanted.base, [one for one in shown if one.rule.code in BY_LINE])
        shown = [one for one in shown if one in introduced or one in written]
    return found, sorted(shown, key=lambda one: (one.place, one.rule.code, one.message)), ignored


def _introduced(workspace: Workspace, worktree: Worktree | None, found: Linted, before: Before | None) -> list[Finding]:
    if not found.units and not found.findings:  # nothing that a change can have touched
        return []
    from intermem.workflow.lint.diff import introduced_findings

    assert worktree is not None
    return introduced_findings(workspace, worktree, found, before)


def _all_findings(workspace: Workspace, found: Linted, wanted: CheckOptions) -> list[Finding]:
    findings = list(found.findings)
    if any(not BY_CODE[code].on for code in wanted.codes & HAZARDS):
        from intermem.core.check.hazards import risk_findings

        findings += risk_findings(found.units)
    if READS_LIKE_A_LOG in wanted.codes and found.regions:
        from intermem.workflow.lint.worth import log_findings

        findings += log_findings(found)
    whole = wanted.base is None and wanted.rev is None
    if not whole or not (found.regions or _may_have_ledger(workspace)):
        return findings
    from intermem.workflow.lint.region import entry_findings

    return [*findings, *entry_findings(workspace, found)]


def _is_partial(worktree: Worktree | None, wanted: CheckOptions) -> bool:
    """True where there are no records to go by: of a change, and of a revision."""
    return wanted.base is not None or wanted.rev is not None or (worktree is not None and worktree.bare)


def _may_have_ledger(workspace: Workspace) -> bool:
    """True if there is a ledger, or should be, or something in its place."""
    if os.path.lexists((workspace.root / LEDGER).parent):
        return True
    if workspace.worktree is None:
        return False
    prefix, tree = workspace.worktree.prefix, workspace.worktree.tree
    return f"{prefix}{LEDGER}" in tree.dirs or f"{prefix}{OLD_LEDGER}" in tree.paths


def _kept(
    workspace: Workspace,
    worktree: Worktree | None,
    texts: Mapping[str, str],
    findings: Sequence[Finding],
    wanted: CheckOptions,
) -> tuple[list[Finding], int]:
    """The findings that configuration, comments and baseline let through, and how many they suppress.

    With incomplete history, an ignored citation may be unverifiable; its ignore is then not unused. The baseline
    belongs to the working tree and applies to no other revision.
    """
    config = workspace.config
    name, max_bytes = config.text("check.baseline"), config.count("scan.max_bytes")
    baseline = read_baseline(workspace.root, name, max_bytes)
    if worktree is not None and baseline is not None and not wanted.files:
        lost = (entry.file for entry in baseline.entries if entry.file not in worktree.tree.paths)
        texts = {**dict.fromkeys(lost, ""), **texts}  # a removed document has no findings
    shown, ignored = _sifted(workspace, worktree, texts, findings, baseline, wanted)
    return [one for one in shown if wanted.rev is None or one.place.file != name], ignored


def _sifted(
    workspace: Workspace,
    worktree: Worktree | None,
    texts: Mapping[str, str],
    findings: Sequence[Finding],
    baseline: Baseline | None,
    wanted: CheckOptions,
) -> tuple[list[Finding], int]:
    """The findings that configuration, comments and ``baseline`` let through, and how many they suppress.

    What hides a finding that has become doubtful is not unused: nobody is to tidy it away and back.
    """
    partly = wanted.base is not None or wanted.rev is not None
    asked = wanted.codes
    codes = asked - ABOUT_ENTRIES if partly else asked
    if worktree is None or not worktree.is_complete:
        codes -= {rule.code for rule in (*RULE_OF.values(), DOUBTFUL)}
    unasked = [one for one in findings if one.rule is DOUBTFUL and DOUBTFUL.code not in asked]
    doubted = {without_doubt(one) for one in unasked} - set(findings)
    findings = [*(one for one in findings if one.rule.code in asked), *doubted]
    shown, ignored = sifted(findings, texts, workspace.config.check_settings(), baseline, workspace.now, codes)
    ignored -= len(doubted.difference(shown))
    return [one for one in shown if one.rule.code in asked and one not in doubted], ignored  # of ignores only here


def _disregarded(workspace: Workspace) -> list[str]:
    """A sentence about the hazards that the configuration of ``check`` ignores in vain."""
    codes = sorted(workspace.config.check_settings().disregarded)
    instead = f"git config intermem.hazards.allow {','.join(codes)}"
    return [f"check.ignore cannot switch off {', '.join(codes)}; use {instead}"] if codes else []


def _baseline_written(
    workspace: Workspace, worktree: Worktree | None, wanted: CheckOptions, docs: AgentDocs
) -> CheckResult:
    """Write the current findings to the baseline, so that only new ones are shown from now on."""
    from intermem.workflow.lint.fix import write_file

    name = workspace.config.text("check.baseline")
    if not name.endswith(".json"):
        raise ConfigurationError(
            f"check.baseline = {name!r}: not the name of a .json file; nothing was written",
            hint="as in .intermem/baseline.json",
        )
    read_baseline(workspace.root, name, workspace.config.count("scan.max_bytes"))  # another file is not overwritten
    found = linted(workspace.root, worktree, docs)
    findings = _all_findings(workspace, found, wanted)
    shown, ignored = _sifted(workspace, worktree, docs.texts, findings, None, wanted)
    left = [one for one in shown if one.rule.code in ALWAYS_SHOWN]
    known = [one for one in shown if one.rule.code not in ALWAYS_SHOWN]
    change = write_file(workspace, name, baseline_text(shown), force=wanted.force)
    return CheckResult(
        findings=[discreet(one, found.secret_lines) for one in left],
        checked=sorted(docs.texts),
        ignored=ignored + len(known),
        fixed=[],
        unverifiable=[],
        dry_run=False,
        revision=None,
        exit_code=exit_code_for(docs.problems),
        problems=tuple(docs.problems),
        notices=(
            f"{name}: {counted(known)} recorded; {_to_be_kept(worktree, name)}" if change else f"{name} is unchanged",
            *_unrecorded(left),
        ),
        changes=change,
    )


def _to_be_kept(worktree: Worktree | None, name: str) -> str:
    if worktree is not None and worktree.is_ignored(worktree.prefix + name):
        return "git ignores it, so only this clone has it"
    return "commit it"


def _unrecorded(left: Sequence[Finding]) -> list[str]:
    """A sentence about findings that no baseline hides."""
    codes = ", ".join(sorted({one.rule.code for one in left}))
    what = "1 finding is" if len(left) == 1 else f"{len(left)} findings are"
    return [f"{what} still reported, which no baseline hides: {codes}"] if left else []


def rules() -> RulesResult:
    """Return every rule of ``check``."""
    return RulesResult(rules=RULES)


def explained(names: Sequence[str]) -> RulesResult:
    """Return the rules that codes, names or topics stand for. Raises UsageError if one stands for none."""
    if not names:
        raise UsageError("--explain names no rule", hint="intermem check --rules lists them")
    _refuse_unknown("--explain", names)
    codes = codes_of(names)
    return RulesResult(rules=[rule for rule in RULES if rule.code in codes])


def _refuse_unknown(option: str, names: Sequence[str]) -> None:
    for name in names:
        if not rules_named(name):
            close = rule_like(name)
            hint = f"did you mean {close}?" if close else "intermem check --rules lists them"
            raise UsageError(f"{option} {name}: no such rule", hint=hint)


def _side(workspace: Workspace, rev: str | None) -> Worktree | None:
    if rev is None:
        return workspace.worktree
    if workspace.worktree is None:
        raise RepositoryError("a revision needs a git repository, and this is not one", hint="leave it out")
    if not rev or rev.startswith(("-", "^")) or ".." in rev:
        raise UsageError(f"--rev {rev!r} does not name a single commit", hint="name a branch, a tag or a commit id")
    return replace(workspace.worktree, rev=rev)


def _noted(
    worktree: Worktree | None,
    found: Linted,
    places: Callable[[Unit, Sequence[Judged], SpansIn], Iterable[tuple[Judged, Location]]],
) -> list[Noted]:
    """The citations of blocks that are no findings, as ``places`` picks them, sorted by place; none of a secret."""
    spans_in = readings_of(worktree).spans
    picked = [
        (place, item)
        for unit, judged in zip(found.units, found.verdicts, strict=True)
        if not any((unit.file, line) in found.secret_lines for line in unit.lines)
        for item, place in places(unit, judged, spans_in)
    ]
    return [
        Noted(file=place.file, line=place.first_line, column=place.first_column, citation=item)
        for place, item in sorted(picked, key=lambda one: one[0])
    ]


def _changed(worktree: Worktree | None, found: Linted) -> list[Noted]:
    """The citations of functions that have changed since the block that cites them was written."""
    if worktree is None:
        return []
    from intermem.workflow.lint.changed import changed_in

    changed = changed_in(worktree.file_history, found)
    return _noted(worktree, found, lambda unit, _, spans_in: first_places(unit, changed.get(unit, ()), spans_in))
