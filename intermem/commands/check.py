"""``check``: agent docs reviewed against the repository, for the pre-commit hook and CI. It changes nothing unasked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from intermem.commands.fixing import fix, write_whole
from intermem.commands.linting import Linted, judged_units, linted, on_line
from intermem.commands.project import Project
from intermem.commands.standing import Here, standing_here
from intermem.core.baseline import baseline_text
from intermem.core.checking import units_of
from intermem.core.findings import RULES, Finding, Rule
from intermem.core.fixing import moved_along
from intermem.core.ignore_comments import without_ignores
from intermem.core.ignoring import hidden
from intermem.core.ledger import LEDGER, Standing
from intermem.core.lifecycle import assess, has_grace, stale_reason
from intermem.entities import VerdictStatus
from intermem.errors import RepositoryError, UsageError
from intermem.project.agentdocs import AgentDocs, find_agent_docs
from intermem.project.baselines import read_baseline
from intermem.project.trees import tree_without_git
from intermem.project.worktree import Worktree
from intermem.results import FINDINGS, OK, Change, Result, exit_code_for

# What only a working tree as a whole can tell: its ledger, its regions, its age.
_ABOUT_ENTRIES = frozenset({"IM011", "IM012", "IM013", "IM020", "IM030", "IM040"})
_HELD = (VerdictStatus.VALID, VerdictStatus.AMBIGUOUS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What the command line asks for: ``base`` and ``head`` are the two sides of ``--diff``."""

    files: tuple[str, ...] = ()
    rev: str | None = None
    base: str | None = None
    everything: bool = False
    fail_on: tuple[str, ...] = ()
    exit_zero: bool = False
    fix: bool = False
    unsafe: bool = False
    dry_run: bool = False
    force: bool = False
    write_baseline: bool = False


def check(project: Project, wanted: Wanted) -> Result:
    """Return what is wrong with the documents; exit code 1 where something is.

    Raises UsageError for a file that is not there, RepositoryError for a revision that is not.
    """
    _refuse_unknown(wanted.fail_on)
    worktree = _side(project, wanted.rev)
    docs = _documents(project, worktree, wanted.files)
    found = linted(project.root, worktree, docs.texts)
    findings = list(found.findings)
    if wanted.base is None and wanted.rev is None:
        findings += _about_entries(project, found)
    findings = _asked_for(findings, wanted)
    if wanted.write_baseline:
        return _baseline_written(project, wanted, docs, findings)
    kept, ignored = _kept(project, docs, findings, wanted)
    if wanted.base is not None and not _is_first_commit(worktree, wanted.base):
        kept = _caused(project, worktree, found, kept, wanted.base)
    shown = sorted(kept, key=lambda one: (one.place, one.rule.code, one.message))
    changes: tuple[Change, ...] = ()
    fixed: list[Finding] = []
    if wanted.fix:
        shown, fixed, changes = _fixed(project, docs, shown, wanted)
    failing = [one for one in shown if not wanted.fail_on or _is_named(one, wanted.fail_on)]
    code = FINDINGS if failing and not wanted.exit_zero else OK
    return Result(
        verb="check",
        data={
            "findings": shown,
            "checked": sorted(docs.texts),
            "ignored": ignored,
            "fixed": fixed,
            "unverifiable": _unverifiable(found) if wanted.everything else [],
            "dry_run": wanted.dry_run or not wanted.fix,
        },
        exit_code=exit_code_for(docs.problems, code),
        problems=tuple(docs.problems),
        notices=found.notices,
        changes=changes,
        show_diff=wanted.fix and wanted.dry_run,
    )


def _kept(project: Project, docs: AgentDocs, findings: Sequence[Finding], wanted: Wanted) -> tuple[list[Finding], int]:
    """What configuration, comments and baseline leave to be shown, and how much they hide."""
    config = project.config
    name, largest = config.text("check.baseline"), config.count("scan.max_bytes")
    baseline = read_baseline(project.root, name, largest)
    partly = wanted.base is not None or wanted.rev is not None
    judged = [rule for rule in RULES if rule.on or wanted.everything or _is_named(rule, wanted.fail_on)]
    codes = {rule.code for rule in judged if not (partly and rule.code in _ABOUT_ENTRIES)}
    shown, ignored = hidden(findings, docs.texts, config.check_settings(), baseline, project.now, codes)
    return list(shown), ignored


def _fixed(
    project: Project, docs: AgentDocs, shown: Sequence[Finding], wanted: Wanted
) -> tuple[list[Finding], list[Finding], tuple[Change, ...]]:
    """Write what can be written; return what is left, what was fixed, and the changes."""
    chosen = [one for one in shown if one.suggestion is not None and (one.suggestion.safe or wanted.unsafe)]
    changes = fix(project, docs.texts, chosen, dry=wanted.dry_run, force=wanted.force)
    written = {change.document: change.after or "" for change in changes}
    fixed = [one for one in chosen if one.place.file in written]
    left = [moved_along(one, fixed, written.get(one.place.file)) for one in shown if one not in fixed]
    return left, fixed, changes


def _baseline_written(project: Project, wanted: Wanted, docs: AgentDocs, findings: Sequence[Finding]) -> Result:
    """Write down what is found now, so that from here on only what is new is shown."""
    name = project.config.text("check.baseline")
    settings = project.config.check_settings()
    shown, _ = hidden(findings, docs.texts, settings, None, project.now, ())
    number = f"{len(shown)} finding{'' if len(shown) == 1 else 's'}"
    change = write_whole(project, name, baseline_text(shown), force=wanted.force)
    return Result(
        verb="check",
        data={
            "findings": [],
            "checked": sorted(docs.texts),
            "ignored": len(shown),
            "fixed": [],
            "unverifiable": [],
            "dry_run": False,
        },
        exit_code=exit_code_for(docs.problems),
        problems=tuple(docs.problems),
        notices=(f"{name} holds {number}: commit it" if change else f"{name} is as it was",),
        changes=change,
    )


def rules() -> Result:
    """Return every rule of ``check``."""
    return Result(verb="check", data={"rules": list(RULES)})


def _refuse_unknown(names: Sequence[str]) -> None:
    known = {word for rule in RULES for word in (rule.code, rule.name, rule.topic)}
    for name in names:
        if name not in known:
            import difflib  # heavy, and hardly ever needed

            close = difflib.get_close_matches(name, sorted(known), 1)
            hint = f"did you mean {close[0]}?" if close else "intermem check --rules lists them"
            raise UsageError(f"--fail-on {name}: there is no such rule", hint=hint)


def _side(project: Project, rev: str | None) -> Worktree | None:
    if rev is None:
        return project.worktree
    if project.worktree is None:
        raise RepositoryError("a revision needs a git repository, and there is none here", hint="leave it out")
    if not rev or rev.startswith(("-", "^")) or ".." in rev:
        raise UsageError(f"--rev {rev!r} names no single commit", hint="name a branch, a tag or a commit id")
    return replace(project.worktree, rev=rev)


def _documents(project: Project, worktree: Worktree | None, files: Sequence[str]) -> AgentDocs:
    tree = worktree.tree if worktree is not None else tree_without_git(project.root)
    largest = project.config.count("scan.max_bytes")
    is_excluded = project.config.check_settings().is_excluded
    return find_agent_docs(worktree, project.root, tree, largest, files, is_excluded)


def _asked_for(findings: Iterable[Finding], wanted: Wanted) -> list[Finding]:
    return [one for one in findings if one.rule.on or wanted.everything or _is_named(one, wanted.fail_on)]


def _is_named(one: Finding | Rule, names: Sequence[str]) -> bool:
    rule = one.rule if isinstance(one, Finding) else one
    return bool({rule.code, rule.name, rule.topic} & set(names))


def _caused(
    project: Project, worktree: Worktree | None, found: Linted, findings: Iterable[Finding], base: str
) -> list[Finding]:
    """The findings that the change since ``base`` caused: what held there and does not now, and what it wrote."""
    if worktree is None:
        raise RepositoryError("--diff needs a git repository, and there is none here", hint="leave it out")
    before = replace(worktree, rev=worktree.merge_base(base, worktree.rev or "HEAD"))
    old = _documents(project, before, ())
    known = linted_blocks(old.texts)
    candidates = [one for one in findings if one.block or one.rule.code in ("IM010", "IM041")]
    mine = [one for one in candidates if one.block not in known or not one.block]
    standing = [one for one in candidates if one.block in known and one.judged is not None]
    held = _held(project, before, found, standing)
    return mine + [one for one in standing if _key(one) in held]


def _is_first_commit(worktree: Worktree | None, base: str) -> bool:
    """True before there is any commit: everything is what the change wrote."""
    return worktree is not None and base == "HEAD" and worktree.rev is None and worktree.head is None


def linted_blocks(texts: Mapping[str, str]) -> set[str]:
    """Return the identities of all blocks of some documents."""
    return {unit.id for name, text in texts.items() for unit in units_of(without_ignores(text), name)}


def _held(project: Project, before: Worktree, found: Linted, findings: Sequence[Finding]) -> set[tuple[str, str, str]]:
    """Which citations of unchanged blocks held at the other revision, by file, block, kind and text."""
    blocks = {(one.place.file, one.block) for one in findings}
    units = [unit for unit in found.units if (unit.file, unit.id) in blocks]
    if not units:
        return set()
    verdicts, _ = judged_units(project.root, before, units, found.texts)
    return {
        (unit.file, unit.id, f"{item.citation.kind} {item.citation.text}")
        for unit, judged in zip(units, verdicts, strict=True)
        for item in judged
        if item.verdict.status in _HELD
    }


def _key(one: Finding) -> tuple[str, str, str]:
    assert one.judged is not None
    return one.place.file, one.block, f"{one.judged.citation.kind} {one.judged.citation.text}"


def _about_entries(project: Project, found: Linted) -> list[Finding]:
    """What ledger and regions say of the entries: missing, not in agreement, stale; and regions beyond their budget."""
    made: list[Finding] = []
    budget = project.config.count("promote.budget_lines")
    for name, region in found.regions.items():
        if budget and region.lines > budget:
            message = f"the region has {region.lines} lines, promote.budget_lines is {budget}"
            made.append(on_line("IM030", name, found.texts[name], region.first_line, message))
    with project.viewing() as metadata:
        here = standing_here(project, metadata)
    return [*made, *_unloaded(project, here, found), *_ledger_findings(here), *_stale(project, here, found)]


def _unloaded(project: Project, here: Here, found: Linted) -> Iterable[Finding]:
    for document in here.documents.found:
        name = _top_name(project, document.name)
        if document.region is not None and document.region.ids and name in found.texts:
            for warning in here.documents.warnings:
                yield on_line("IM040", name, found.texts[name], 1, warning)


def _ledger_findings(here: Here) -> Iterable[Finding]:
    for problem in here.problems:
        if problem.where == LEDGER:
            yield on_line("IM013", LEDGER, "", 1, problem.message)
    if here.ledger is None:
        return
    numbers = {key: number for number, key in enumerate(here.ledger.lines, 1)}
    lines = here.ledger.text
    for key, document in here.reconciliation.missing:
        message = f"the ledger promises {key[:8]} in {document}, which lacks it"
        yield on_line("IM011", LEDGER, lines, numbers.get(key, 1), message, key)
    for key, line in here.ledger.lines.items():
        if line.status is not Standing.PROMOTED and key in here.branch.items:
            document = here.branch.items[key][0]
            message = f"the ledger says that {key[:8]} is {line.status} since {line.since}, but it stands in {document}"
            yield on_line("IM012", LEDGER, lines, numbers[key], message, key)


def _stale(project: Project, here: Here, found: Linted) -> Iterable[Finding]:
    """Entries of the regions that are stale now, by the ages of ledger and records, and by today's verdicts."""
    rules = project.config.rules()
    verdicts = {unit.entry: (unit, judged) for unit, judged in zip(found.units, found.verdicts, strict=True)}
    for key, record in here.records.items():
        if record.document is None or key not in verdicts:
            continue
        unit, judged = verdicts[key]
        assessment = assess(record, judged, project.now, rules)
        if assessment.stale and not has_grace(record, project.now):
            reason = stale_reason(record, assessment, judged, project.now, rules.decay)
            one = on_line("IM020", unit.file, found.texts[unit.file], unit.first_line, f"stale: {reason}", key)
            yield replace(one, block=unit.id)


def _top_name(project: Project, name: str) -> str:
    prefix = project.worktree.prefix if project.worktree is not None else ""
    return prefix + name


def _unverifiable(found: Linted) -> list[dict[str, object]]:
    """What could not be verified, which is never a finding: where, what, why."""
    return [
        {"file": unit.file, "line": unit.first_line, "citation": item}
        for unit, judged in zip(found.units, found.verdicts, strict=True)
        for item in judged
        if item.verdict.status is VerdictStatus.UNVERIFIABLE
    ]
