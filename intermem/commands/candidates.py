"""``promote --candidates``: what could be promoted, with all that a judgement needs.

An agent may read it. So an entry with a secret, or with a hazard that only a person may decide about, is left out
wherever in its note that is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from intermem.core.entries.hazards import entry_hazards
from intermem.core.entries.identity import identity
from intermem.core.entries.secrets import entry_secret_rule, secret_rule
from intermem.core.entries.similarity import duplicate_of, most_alike
from intermem.core.lifecycle.gates import Limits, Refusal, hazard_gate
from intermem.core.lifecycle.misses import group_of
from intermem.core.lifecycle.promotion import Candidate, known_texts, plan_promotions, said_already
from intermem.core.region.budget import Budget, estimated_tokens, region_tokens
from intermem.core.region.place import place_region
from intermem.entities import Record
from intermem.lazy_dataclass import dataclass
from intermem.project.documents import Document
from intermem.results import FINDINGS, OK, exit_code_for
from intermem.results.curate import Allowance, CandidateEntry, CandidatesResult, SimilarText
from intermem.workflow.candidacy import read_candidates
from intermem.workflow.changed_since import shown_with_changes
from intermem.workflow.workspace import Workspace, pending_notice

_RESEMBLES = 0.6  # unrelated sentences of one language reach 0.5
_SIMILAR_SHOWN = 3
_OPEN = frozenset({"worth", "length", "snapshots"})  # gates that an agent may answer: the others are a person's


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidatesOptions:
    """The options of the command line. ``limit`` None is promote.limit, or no limit if there are ``ids``."""

    ids: tuple[str, ...] = ()
    min_snapshots: int | None = None
    limit: int | None = None
    target: str | None = None


def candidates(workspace: Workspace, options: CandidatesOptions) -> CandidatesResult:
    """Return what ``promote`` would write, then what only worth or stability holds back; write nothing.

    Exit code 1 if there is nothing to list, or if ids were given and one of them is no candidate. Raises
    NoDocument, NoSuchEntry, and MemoryNotFound if there are no records either.
    """
    with workspace.viewing() as metadata:
        found = read_candidates(
            workspace, metadata, options.ids, min_snapshots=options.min_snapshots, target=options.target
        )
        pending = pending_notice(metadata)
    document = found.document
    shown, others, left_out = _listed(found.passed, document, _limits(workspace, options))
    away = (*found.refused, *left_out) if options.ids else ()
    unlisted = [f"{record.entry_id[:8]} is no candidate: {why.reason}" for record, why in away]
    waiting = 0 if options.ids else sum(group_of(why.gate) == "unread" for _, why in found.refused)
    return CandidatesResult(
        document=document.name,
        budget=_budget(document, workspace.config.budget()),
        candidates=_entries(
            shown_with_changes(workspace.worktree, shown, found.confirmed), [*shown, *others], document
        ),
        more=len(others),
        exit_code=exit_code_for(found.problems, FINDINGS if unlisted or not shown else OK),
        problems=found.problems,
        notices=(*pending, *unlisted, *_waiting_notice(waiting), *found.notices),
    )


def _waiting_notice(count: int) -> list[str]:
    """A notice if as many known notes stand in the memory, and count again once a scan has seen them."""
    if not count:
        return []
    wait = "1 note waits" if count == 1 else f"{count} notes wait"
    return [f"{wait} for a scan: intermem scan reads the memory"]


def _limits(workspace: Workspace, options: CandidatesOptions) -> Limits:
    """The limits of a list: a full region holds nothing back, as a line of it may be the worse one."""
    limits = replace(workspace.config.limits(), budget=Budget(entries=0, tokens=0))
    if options.limit is not None or options.ids:
        return replace(limits, entries=options.limit or 0)
    return limits


def _listed(
    passed: Sequence[Candidate], document: Document, limits: Limits
) -> tuple[list[Candidate], list[Candidate], list[tuple[Record, Refusal]]]:
    """The candidates to show, those beyond the limit, and those that a gate refuses whatever a person says."""
    withheld = [(one, why) for one in passed if (why := _withheld(one)) is not None]
    hidden = {one.record.id for one, _ in withheld}
    # Who reads the list names what to promote: of two that are alike both are for it to judge.
    free = [replace(one, held=(), named=True) for one in passed if one.record.id not in hidden]
    text = document.text if document.region is not None else place_region(document.text, document.name)
    plan = plan_promotions(free, text, document.name, limits, secret_rule)
    said = known_texts(document.text)
    entries = document.region.ids if document.region is not None else ()
    by_id = {one.record.id: _with_twin(one, said, document.name, entries, limits.similarity) for one in passed}
    shown = [by_id[one.record.id] for one in plan.promoted]
    others = [by_id[record.id] for record, why in plan.refused if why.gate == "limit"]
    refused = [(record, why) for record, why in plan.refused if why.gate != "limit"]
    return shown, others, [*((one.record, why) for one, why in withheld), *refused]


def _with_twin(one: Candidate, said: Iterable[str], document: str, entries: Collection[str], floor: float) -> Candidate:
    """The candidate, held back by a line of the document that is alike, of which a person may want both."""
    replaced = one.replaces.id if one.replaces is not None else ""
    twin = duplicate_of(one.text, (text for text in said if identity(text) != replaced), floor)
    return one if twin is None else replace(one, held=(*one.held, said_already(document, twin, entries)))


def _withheld(one: Candidate) -> Refusal | None:
    """Why the whole note is not for an agent to read or to decide about; None if it is."""
    decided = next((why for why in one.held if why.gate not in _OPEN), None)
    if decided is not None:
        return decided
    text = one.record.noted_text
    rule = entry_secret_rule(text, one.section)
    if rule is not None:
        return Refusal(gate="secret", reason=f"it seems to hold a secret ({rule})")
    return hazard_gate(one.record.id, entry_hazards(text, one.section, one.allowed), decided=False)


def _entries(shown: Iterable[Candidate], known: Iterable[Candidate], document: Document) -> list[CandidateEntry]:
    lines = [("", text) for text in known_texts(document.text)]
    texts = [(one.record.entry_id, one.text) for one in known]
    return [_entry(one, [*lines, *(pair for pair in texts if pair[0] != one.record.entry_id)]) for one in shown]


def _entry(one: Candidate, others: Iterable[tuple[str, str]]) -> CandidateEntry:
    excerpt = one.worth.text
    return CandidateEntry(
        id=one.record.entry_id,
        text=one.record.noted_text,
        excerpt=excerpt,
        section=one.section,
        worth=one.worth.score,
        reasons=one.worth.points,
        held=one.held,
        citations=one.judged,
        similar=_similar(one.text, others),
        tokens=None if excerpt is None else estimated_tokens(excerpt),
    )


def _similar(text: str, others: Iterable[tuple[str, str]]) -> list[SimilarText]:
    harmless = (pair for pair in others if pair[0] or secret_rule(pair[1]) is None)
    alike = most_alike(text, harmless, _RESEMBLES, _SIMILAR_SHOWN)
    return [SimilarText(other, score, key or None) for score, key, other in alike]


def _budget(document: Document, budget: Budget) -> Mapping[str, Allowance]:
    region = document.region
    tokens = region_tokens(region, document.text) if region is not None else 0
    entries = len(region.items) if region is not None else 0
    return {"tokens": Allowance(tokens, budget.tokens), "entries": Allowance(entries, budget.entries)}
