"""Read and judge documents for ``check``: documents in, findings out, nothing suppressed yet."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from intermem.core.check.blocks import Unit, citation_findings, units_of
from intermem.core.check.company import is_in_company, without_strangers
from intermem.core.check.elsewhere import without_elsewhere
from intermem.core.check.findings import Finding, Location, Suggestion
from intermem.core.check.fixes import proposed, spliced
from intermem.core.check.hazards import unseen_findings
from intermem.core.check.rules import BY_CODE, HAZARDS
from intermem.core.entries.secrets import (
    BY_WORD,
    hidden,
    may_hold_secret,
    secret_rule,
    sure_secret_rule,
    token_rule,
    without_values,
)
from intermem.core.markdown.blocks import BOM
from intermem.core.markdown.ignore_comments import SIGN, without_ignores
from intermem.core.markdown.lines import split_lines
from intermem.core.markdown.markers import may_have_marker
from intermem.entities import Citation, Judged, VerdictStatus
from intermem.errors import DocumentRefused, UnreadableFile
from intermem.lazy_dataclass import dataclass
from intermem.patterns import regex
from intermem.project.doc_discovery import AgentDocs, find_agent_docs
from intermem.project.git.readings import Readings
from intermem.project.git.worktree import Worktree
from intermem.project.repository import readings_of, repository_tree
from intermem.workflow.lint.for_any_project import without_samples
from intermem.workflow.lint.told_knowingly import with_what_was_there, without_known
from intermem.workflow.lint.unplaced import without_unplaced
from intermem.workflow.since import Since
from intermem.workflow.workspace import Workspace

if TYPE_CHECKING:
    from intermem.core.region.parse import Region

_LINE = regex(r":(\d+): ")


@dataclass(frozen=True, slots=True)
class Linted:
    """Documents as judged: their texts, blocks, regions, the verdicts on each block, and findings.

    ``secret_lines``, by file and line number from 1, may hold a secret and must not be shown.
    """

    texts: Mapping[str, str]
    units: tuple[Unit, ...]
    verdicts: tuple[tuple[Judged, ...], ...]
    regions: Mapping[str, Region]
    findings: tuple[Finding, ...] = ()
    secret_lines: frozenset[tuple[str, int]] = frozenset()
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Changed:
    """A change, and which blocks are older than it: ``old`` are the identities of those of each document at its base.

    At the base itself (``old`` is None) all are. In ``untouched`` documents it can have touched nothing.
    """

    since: Since
    old: Mapping[str, Collection[str]] | None = None
    untouched: Collection[str] = ()

    def has_old(self, unit: Unit) -> bool:
        """Return whether a block stood in its document before."""
        return self.old is None or unit.id in self.old.get(unit.file, ())


@dataclass(slots=True)
class _Reading:
    units: list[Unit] = field(default_factory=list)
    regions: dict[str, Region] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)


def linted(
    root: Path, worktree: Worktree | None, docs: AgentDocs, changed: Changed | None = None, *, is_compared: bool = False
) -> Linted:
    """Return every block of the documents with its verdicts, and all findings; of old blocks what ``changed`` can
    have touched, and of untouched documents nothing but their texts.

    Who compares them with those of a base (``is_compared``) sees there what was there while a text said so.
    """
    texts = docs.texts
    asked = {name: text for name, text in texts.items() if changed is None or name not in changed.untouched}
    readings = readings_of(worktree)
    read = blocks_in(replace(docs, texts=asked), readings)
    verdicts, notices = judged_units(root, worktree, read.units, texts, changed=changed)
    if worktree is not None and not is_compared:
        verdicts = with_what_was_there(worktree.file_history, read.units, verdicts, readings.spans)
    told = [  # nothing is said of a block that the change cannot have touched
        unit
        for unit, judged in zip(read.units, verdicts, strict=True)
        if judged or changed is None or not changed.has_old(unit)
    ]
    suspects = [(unit, *one) for unit in told if not readings.is_harmless(unit.text) for one in _suspects(unit)]
    secret_lines = frozenset((place.file, place.first_line) for _, place, _, _ in suspects)
    unread = _unread_tokens(asked, read.units)
    secret_lines |= {(one.place.file, one.place.first_line) for one in unread}
    found = [*read.findings, *(one for suspect in suspects for one in _secret(*suspect)), *unread]
    for unit, judged in zip(read.units, verdicts, strict=True):
        found += citation_findings(unit, judged, readings.spans)
    readings.keep()
    if worktree is not None:
        found = without_samples(without_known(worktree.file_history, found, worktree.tree), texts, worktree.tree)
        found = without_elsewhere(texts, without_unplaced(found, texts), worktree.tree)
    if changed is None:
        files = {one.place.file for one in found if is_in_company(one)}
        beside = {  # by its lines: the identities of all blocks would take a twentieth of a run
            (unit.file, line): judged
            for unit, judged in zip(read.units, verdicts, strict=True)
            if unit.file in files
            for line in unit.lines
        }
        found = without_strangers(found, lambda one: beside[one.place.file, one.place.first_line])
    offered = suggested(root, worktree, texts, read.units, found)
    return replace(
        read,
        texts=texts,
        verdicts=verdicts,
        findings=tuple(offered),
        secret_lines=secret_lines,
        notices=tuple(notices if read.units else ()),  # nothing was judged, so nothing is missing
    )


def blocks_in(docs: AgentDocs, readings: Readings) -> Linted:
    """Return every block of the documents, unjudged, and findings on the documents as such."""
    read = _Reading()
    for name, text in sorted(docs.texts.items()):
        _read(name, text, read, readings)
    for name, error in sorted(docs.unreadable.items()):
        read.findings.append(_unreadable(name, "", error))
    for name, what in sorted(docs.dangling.items()):
        read.findings.append(on_line("IM042", name, "", 1, what))
    return Linted(docs.texts, tuple(read.units), (), read.regions, tuple(read.findings))


def judged_units(
    root: Path,
    worktree: Worktree | None,
    units: Sequence[Unit],
    texts: Mapping[str, str],
    only: Sequence[Collection[str]] | None = None,
    changed: Changed | None = None,
) -> tuple[tuple[tuple[Judged, ...], ...], list[str]]:
    """Return the verdicts on the citations of each block, in order, and notices about all of them.

    ``only`` limits the verdicts of each block to the citations with these texts, ``changed`` those of old blocks to
    what the change can have touched.
    """
    if not units:
        return (), []
    from intermem.workflow.verification import VerifyRequest, verified_entries  # heavy: the kinds of citations

    wanted = [None] * len(units) if only is None else [frozenset(texts) for texts in only]
    requests = [
        VerifyRequest(
            str(number), unit.text, unit.file, unit.first_line, chosen, changed is not None and changed.has_old(unit)
        )
        for number, (unit, chosen) in enumerate(zip(units, wanted, strict=True))
    ]
    verified, notices = verified_entries(
        root, worktree, requests, texts, changed.since if changed is not None else None
    )
    return tuple(one.citations for one in verified), notices


def _read(name: str, text: str, read: _Reading, readings: Readings) -> None:
    read.findings += unseen_findings(text, name)
    try:
        entries = _entries_in(name, text, read) if may_have_marker(text) else []
        read.units += units_of(without_ignores(text), name, entries, readings.blocks)
    except UnreadableFile as error:
        read.findings.append(_unreadable(name, text, error))


def _unreadable(name: str, text: str, error: UnreadableFile) -> Finding:
    return replace(on_line("IM041", name, text, 1, error.message.removeprefix(f"{name}: ")), hint=error.hint)


def _entries_in(name: str, text: str, read: _Reading) -> list[tuple[int, str]]:
    """The entries of the document's region: first line and id of each."""
    from intermem.core.region.parse import LEFT_ALONE, find_region

    try:
        region = find_region(text, name)
    except DocumentRefused as error:
        line, what = _place_in(error.message)
        read.findings.append(on_line("IM010", name, text, line, what.removesuffix(LEFT_ALONE)))
        return []
    if region is None:
        return []
    read.regions[name] = region
    return [(item.line, item.id) for item in region.items]


def on_line(code: str, name: str, text: str, line: int, message: str, entry: str | None = None) -> Finding:
    """Return a finding about a whole line of a document."""
    lines = _lines_of(text) or ("",)
    line = min(max(line, 1), len(lines))
    source = lines[line - 1]
    place = Location(file=name, first_line=line, first_column=1, last_line=line, last_column=len(source) + 1)
    return Finding(rule=BY_CODE[code], place=place, message=message, source=source, entry=entry)


@lru_cache(maxsize=16)
def _lines_of(text: str) -> tuple[str, ...]:
    """The lines of a text that many findings may be about."""
    return tuple(split_lines(text))


def _place_in(message: str) -> tuple[int, str]:
    """The line that an error about a document names, and what it says of it."""
    match = _LINE.search(message)
    return (int(match[1]), message[match.end() :]) if match is not None else (1, message)


def _suspects(unit: Unit) -> Iterable[tuple[Location, str, str]]:
    """The lines that may hold a secret and are not shown: place, line, and the line below."""
    at = 0
    lines = unit.text.split("\n")
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if _holds_secret(line):
            yield unit.place(at, at + len(line)), line, following
        at += len(line) + 1


def _secret(unit: Unit, place: Location, line: str, following: str) -> Iterable[Finding]:
    rule = sure_secret_rule(line, following)
    if rule is not None:
        message = f"the line seems to hold a secret ({rule})"
        yield Finding(
            rule=BY_CODE["IM091" if rule in BY_WORD else "IM050"],
            place=place,
            message=message,
            block=unit.id,
            entry=unit.entry,
        )


def _unread_tokens(texts: Mapping[str, str], units: Iterable[Unit]) -> list[Finding]:
    """The tokens on lines that no block is read from: comments and front matter."""
    read = {(unit.file, line) for unit in units for line in unit.lines}
    found: list[Finding] = []
    for name, whole in texts.items():
        text = whole.removeprefix(BOM)
        for number, line in enumerate(_lines_of(text), 1):
            if ((name, number) not in read or SIGN in line) and may_hold_secret(line):
                rule = token_rule(line)
                if rule is not None:
                    message = f"the line seems to hold a secret ({rule})"
                    found.append(replace(on_line("IM050", name, text, number, message), source=""))
    return found


def _holds_secret(line: str) -> bool:
    return secret_rule(line) is not None


def discreet(finding: Finding, secret_lines: Collection[tuple[str, int]]) -> Finding:
    """Return the finding with the line and the cited text hidden if the line may hold a secret."""
    place, judged, source, message = finding.place, finding.judged, finding.source, finding.message
    if finding.rule.code in HAZARDS and any(map(_holds_secret, source.split("\n"))):
        message = message if finding.rule.topic == "invisible" else message.partition(":")[0]
        return replace(finding, source="", message=message)
    lines = range(place.first_line, place.last_line + 1)
    if judged is not None and any((place.file, line) in secret_lines for line in lines):
        cited = judged.citation
        shown = hidden(cited.name if cited.kind == "env" else cited.text)
        source, message = "", message.replace(cited.text, shown)
        judged = replace(judged, citation=replace(cited, text=shown, name=shown))
    elif without_values(source) != source:
        source = ""
    offer = finding.suggestion
    if offer is not None and without_values(offer.text) != offer.text:
        offer = None
    return replace(finding, source=source, message=without_values(message), judged=judged, suggestion=offer)


def suggested(
    root: Path,
    worktree: Worktree | None,
    texts: Mapping[str, str],
    units: Sequence[Unit],
    findings: Sequence[Finding],
) -> list[Finding]:
    """Return the findings, with a suggestion for what moved if that would be valid in its place."""
    starts = {(unit.file, unit.first_line): unit for unit in units}
    offered: list[Finding] = []
    tried: dict[tuple[Unit, Suggestion, Citation], list[Finding]] = {}
    for one in findings:
        suggestion = proposed(one)
        unit = _unit_at(starts, one.place) if suggestion is not None else None
        if suggestion is None or unit is None or one.judged is None:
            offered.append(one)
        else:
            alike = tried.setdefault((unit, suggestion, one.judged.citation), [])
            alike.append(replace(one, suggestion=suggestion))
    if tried:
        changed = [_with(unit, alike) for (unit, _, _), alike in tried.items()]
        offers = [{suggestion.text, unquote(suggestion.text)} for _, suggestion, _ in tried]
        verdicts, _ = judged_units(root, worktree, changed, texts, offers)
        for alike, judged in zip(tried.values(), verdicts, strict=True):
            target = _target(alike[0])
            good = any(
                item.verdict.status is VerdictStatus.VALID and (item.verdict.target or "").rstrip("/") == target
                for item in judged
            )
            offered += alike if good else (replace(one, suggestion=None) for one in alike)
    return offered


def _target(one: Finding) -> str:
    assert one.judged is not None
    return (one.judged.verdict.target or "").rstrip("/")


def _with(unit: Unit, findings: Iterable[Finding]) -> Unit:
    """The block with the suggestions of ``findings`` applied."""
    edits = [(*unit.span(one.place), one.suggestion.text) for one in findings if one.suggestion is not None]
    return replace(unit, text=spliced(unit.text, edits))


def _unit_at(starts: Mapping[tuple[str, int], Unit], place: Location) -> Unit | None:
    """The block that contains a place: the last one that begins on its line or before."""
    for line in range(place.first_line, 0, -1):
        unit = starts.get((place.file, line))
        if unit is not None:
            return unit
    return None


def excluded_documents(workspace: Workspace, worktree: Worktree | None) -> Mapping[str, str]:
    """Return the texts of the documents that ``check.exclude`` leaves out, by path from the top."""
    settings = workspace.config.check_settings()
    if not settings.exclude:
        return {}
    tree = repository_tree(workspace.root, worktree)
    max_bytes = workspace.config.count("scan.max_bytes")
    docs = find_agent_docs(worktree, workspace.root, tree, max_bytes, [], lambda file: not settings.is_excluded(file))
    return docs.texts


def documents_of(workspace: Workspace, worktree: Worktree | None, files: Iterable[str]) -> AgentDocs:
    """Return the documents ``files``, or all of them, on disk or at the revision. Raises UsageError."""
    tree = repository_tree(workspace.root, worktree)
    max_bytes = workspace.config.count("scan.max_bytes")
    is_excluded = workspace.config.check_settings().is_excluded
    names = [_from_top(workspace, file) for file in files]
    return find_agent_docs(worktree, workspace.root, tree, max_bytes, names, is_excluded)


def _from_top(workspace: Workspace, file: str) -> str:
    """The path of a given file from the top: it is relative to the working directory, else to the project root."""
    top, cwd = os.path.realpath(workspace.top), workspace.options.working_directory.resolve()
    if workspace.worktree is not None and workspace.worktree.bare:
        return posixpath.normpath(file).removeprefix(f"{top}/")
    base = cwd if cwd.is_relative_to(top) else workspace.root
    return Path(os.path.relpath(base / file, top)).as_posix()
