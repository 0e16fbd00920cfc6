"""Plan promotions and demotions: which entries to add and remove, and the resulting text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime

from intermem.core.entries.hazards import Hazard, entry_hazards
from intermem.core.entries.identity import identity
from intermem.core.entries.scanner import facts_of
from intermem.core.entries.similarity import duplicate_of, is_the_same
from intermem.core.entries.wordings import newest_wording
from intermem.core.lifecycle.gates import Limits, Refusal, gate, hazard_gate, held_back
from intermem.core.lifecycle.staleness import Assessment, Rules
from intermem.core.lifecycle.taken_out import TakenOut
from intermem.core.markdown.blocks import BOM, blocks_of
from intermem.core.markdown.items import item_text
from intermem.core.markdown.lines import split_lines
from intermem.core.region.edit import Addition, edited
from intermem.core.region.legacy_markers import unmarked
from intermem.core.region.parse import find_region
from intermem.core.times import format_date
from intermem.core.worth.passage import Note
from intermem.core.worth.standing import is_rule
from intermem.core.worth.topics import topic_of
from intermem.core.worth.worth import Worth, worth_of
from intermem.entities import Judged, Record
from intermem.errors import EditRefused
from intermem.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Candidate:
    """A record that may be promoted, with its assessment and its worth; ``text`` is what would be written.

    ``held`` are the gates that it does not pass, and that a person's word is above. ``replaces`` is its former wording,
    if that is in a document. ``decided`` is the text that a person has decided on, if any; ``reworded``: somebody gave
    its wording, perhaps an agent; ``named``: its id. ``allowed`` are the codes of the hazards that are switched off.
    """

    record: Record
    assessment: Assessment
    judged: tuple[Judged, ...]
    text: str
    worth: Worth
    held: tuple[Refusal, ...] = ()
    replaces: Record | None = None
    decided: str | None = None
    reworded: bool = False
    named: bool = False
    allowed: frozenset[str] = frozenset()

    @property
    def hazards(self) -> tuple[Hazard, ...]:
        """The hazards of the text and of its heading that are not switched off."""
        return entry_hazards(self.text, self.section, self.allowed)

    @property
    def refusal(self) -> Refusal | None:
        """The first gate that holds it back; None for what a person has decided on."""
        if self.decided == self.text:
            return None
        lifted = ("worth", "length") if self.reworded else ()
        return next((one for one in self.held if one.gate not in lifted), None)

    @property
    def standing_id(self) -> str:
        """The identity of what would be written."""
        return self.record.id if self.text == self.record.text else identity(self.text)

    @property
    def section(self) -> str:
        """The heading that it would stand below: its former wording's, or that of its topic."""
        return self.replaces.section if self.replaces is not None else topic_of(self.record.trail)


@dataclass(frozen=True, slots=True)
class Promotions:
    """A plan: the resulting text of the document, the promoted candidates, and the refused ones with reasons."""

    text: str
    promoted: tuple[Candidate, ...] = ()
    refused: tuple[tuple[Record, Refusal], ...] = ()


@dataclass(slots=True)
class Draft:
    """A document during one run, as entries are added to it: see ``draft_of`` and ``refusal_in``.

    ``standing`` are the ids of the entries that it had, ``known`` the texts that it has. ``promoted`` is what the run
    has taken, which the drafts of all its documents share.
    """

    text: str
    name: str
    limits: Limits
    standing: frozenset[str]
    known: list[str]
    promoted: list[Candidate]


def sorted_candidates(
    assessed: Sequence[tuple[Record, Assessment]],
    wanted: Collection[str],
    owners: Mapping[str, str],
    purged: Mapping[str, date],
    now: datetime,
    rules: Rules,
    limits: Limits,
    allowed: frozenset[str],
    wording: str | None = None,
    told: Iterable[Record] = (),
) -> tuple[list[Candidate], list[tuple[Record, Refusal]]]:
    """Return ``candidates_of`` the entries ``wanted`` (ids; empty: of all), and the refused ones.

    Refused as well is what was ``purged`` according to the ledger of this branch, though this clone still has the
    record; what would be written with the text of another entry (``owners``: the entry of each identity, former ones
    too); and what is in a document, if it is wanted. ``allowed`` are the codes of the hazards that are switched off,
    ``wording`` the text that somebody gave for the one entry that is wanted. ``told`` are the entries that only the
    ledger knows, with the words in which they stood: what a person took out of them is not written in other words.
    """
    chosen = [pair for pair in assessed if not wanted or pair[0].id in wanted]
    triples = [(record, assessment, record.citations) for record, assessment in chosen]
    replaced = superseded_in_documents(record for record, _ in assessed)
    standing = {one.entry_id: one for one, _ in assessed if one.document is not None}
    by_id = {one.id: one for one in (*told, *(one for one, _ in assessed))}
    taken_out = TakenOut(by_id.values(), limits.similarity, rules.grace)
    found, refused = candidates_of(triples, now, rules, limits, replaced)
    # Nothing that a person could lift stands against what is gone for good.
    refused = [(record, purged_refusal(record, record.id, purged) or why) for record, why in refused]
    for record, _ in chosen:
        if wanted and record.document is not None:
            since = f" since {format_date(record.promoted_at)}" if record.promoted_at else ""
            refused.append((record, Refusal(gate="promoted", reason=f"already in {record.document}{since}")))
    passed: list[Candidate] = []
    for one in found:
        if wording is not None:
            one = replace(one, text=wording, reworded=True)
        written = one.standing_id
        gone = purged_refusal(one.record, written, purged)
        twin = (
            twin_refusal(one.record, written, owners, by_id)
            or _former_refusal(one.record, standing)
            or taken_out.in_former_words(one.record)
        )
        if gone is not None:
            refused.append((one.record, gone))
        elif twin is not None:
            refused.append((one.record, twin))
        else:
            likeness = taken_out.in_other_words(one.record, one.text)
            held = (*one.held, likeness) if likeness is not None else one.held
            passed.append(replace(one, held=held, named=bool(wanted), allowed=allowed))
    passed.sort(key=lambda one: len(one.held))
    return passed, refused


def purged_refusal(record: Record, written: str, purged: Mapping[str, date]) -> Refusal | None:
    """Return why an entry that is ``purged`` on this branch, or would be ``written`` as such, is not promoted."""
    day = purged.get(record.id) or purged.get(written)
    if day is None:
        return None
    return Refusal(gate="purged", reason=f"purged on {day}, according to the ledger of this branch")


def twin_refusal(
    record: Record, written: str, owners: Mapping[str, str], records: Mapping[str, Record]
) -> Refusal | None:
    """Return why an entry may not be ``written`` with that identity: another has it, and two never share a wording.

    ``owners`` are the entries by their identities, former ones too, ``records`` those that are known.
    """
    owner = owners.get(written, record.id)
    if owner == record.id:
        return None
    other = records.get(owner)
    name = (other.entry_id if other is not None else owner)[:8]
    is_away = other is not None and other.document is None and not other.in_memory
    way = f"; intermem restore {name} brings that back" if is_away else ""
    return Refusal(gate="duplicate", reason=f"{name} has the same words{way}", twin=written)


def _former_refusal(record: Record, standing: Mapping[str, Record]) -> Refusal | None:
    """Return why a wording may not be written of an entry that stands in another one, which a person chose."""
    other = standing.get(record.entry_id)
    if other is None or other.id == record.id:
        return None
    return Refusal(gate="duplicate", reason=f"it is in {other.document} in another wording")


def candidates_of(
    judged: Iterable[tuple[Record, Assessment, tuple[Judged, ...]]],
    now: datetime,
    rules: Rules,
    limits: Limits,
    replaced: Mapping[str, Record] | None = None,
) -> tuple[list[Candidate], list[tuple[Record, Refusal]]]:
    """Return the entries that pass the gates of a single record, best first, and those that do not.

    Those in the first list may be ``held`` back by gates that a person's word is above: they come last. They are
    ordered by worth, then confidence, snapshots, age and text. Entries that are already in a document are in neither
    list. ``replaced`` are the former wordings in documents, from ``superseded_in_documents``.
    """
    replaced = replaced or {}
    passed: list[Candidate] = []
    refused: list[tuple[Record, Refusal]] = []
    for record, assessment, verdicts in judged:
        if record.document is not None:
            continue
        refusal = gate(record, assessment, verdicts, now, rules)
        if refusal is not None:
            refused.append((record, refusal))
            continue
        worth = worth_of_record(record, limits.characters)
        held = held_back(record, worth, rules, limits)
        former = replaced.get(record.id)
        former = replace(former, pinned=former.is_pinned(now)) if former is not None else None
        text = worth.text if worth.text is not None else record.shown_text
        passed.append(Candidate(record, assessment, verdicts, text, worth, held, former))
    passed.sort(
        key=lambda one: (
            len(one.held),
            -one.worth.score,
            -one.assessment.confidence,
            -one.record.snapshot_count,
            one.record.first_seen,
            one.text,
        )
    )
    refused.sort(key=lambda pair: pair[0].id)
    return passed, refused


def worth_of_record(record: Record, characters: int) -> Worth:
    """Return the worth of an entry; what stood in a document once is written as it stood, and not cut again."""
    note = Note(record.shown_text, record.section, record.type, record.source_file)
    worth = worth_of(note, characters)
    return worth if record.promoted_at is None else worth.uncut(note)


def superseded_in_documents(records: Iterable[Record]) -> dict[str, Record]:
    """Return, by the id of the newest wording, the former wording that is in a document."""
    by_id = {record.id: record for record in records}
    found: dict[str, Record] = {}
    for record in by_id.values():
        newest = newest_wording(record, by_id)
        if record.document is not None and newest is not record:
            found[newest.id] = record
    return found


def plan_promotions(
    candidates: Sequence[Candidate],
    text: str,
    name: str,
    limits: Limits,
    secret_rule: Callable[[str], str | None],
    elsewhere: Mapping[str, Sequence[str]] | None = None,
) -> Promotions:
    """Return the plan that puts ``candidates``, in order, into the region of the document ``text``.

    What an entry ``elsewhere``, in one of the other documents by name, says already is refused as well. Raises
    DocumentRefused if the region of the document is damaged.
    """
    draft = draft_of(text, name, limits, [])
    refused: list[tuple[Record, Refusal]] = []
    for candidate in candidates:
        refusal = refusal_in(draft, candidate, secret_rule, elsewhere or {})
        if refusal is not None:
            refused.append((candidate.record, refusal))
    return Promotions(draft.text, tuple(draft.promoted), tuple(refused))


def draft_of(text: str, name: str, limits: Limits, promoted: list[Candidate]) -> Draft:
    """Return the draft of a document. Raises DocumentRefused if its region is damaged."""
    region = find_region(text, name)
    return Draft(text, name, limits, frozenset(region.ids if region else ()), known_texts(text), promoted)


def known_texts(text: str) -> list[str]:
    """Return the texts in a document: its facts, and each list item and paragraph by itself, without old markers."""
    facts = {unmarked(fact.text): None for fact in facts_of(text)}
    lines = split_lines(text.removeprefix(BOM))
    for block in blocks_of(text):
        if block.type in ("item", "paragraph"):
            source = lines[block.first : block.stop]
            facts.setdefault(unmarked(item_text(source) if block.type == "item" else "\n".join(source).strip()))
    return list(facts)


def plan_demotions(text: str, name: str, ids: Iterable[str]) -> tuple[str, dict[str, EditRefused]]:
    """Return the document ``text`` without the entries ``ids``, and an error for each that cannot be removed.

    Entries that are not in it are ignored; one that cannot be removed does not prevent the others.
    """
    wanted = list(ids)
    try:
        return edited(text, name, remove=wanted), {}
    except EditRefused:
        stuck: dict[str, EditRefused] = {}
    for key in wanted:
        try:
            text = edited(text, name, remove=[key])
        except EditRefused as error:
            stuck[key] = error
    return text, stuck


def refusal_in(
    draft: Draft,
    candidate: Candidate,
    secret_rule: Callable[[str], str | None],
    elsewhere: Mapping[str, Sequence[str]],
) -> Refusal | None:
    """Add the candidate to the draft and return None, or return why it is refused.

    ``elsewhere`` are the entries of other documents, by name: what one of them says is refused.
    """
    rule = secret_rule(candidate.text) or secret_rule(candidate.section)
    if rule is not None:
        return Refusal(gate="secret", reason=f"it seems to hold a secret ({rule})")
    if candidate.refusal is not None:
        return candidate.refusal
    hazard = hazard_gate(candidate.record.id, candidate.hazards, decided=candidate.decided == candidate.text)
    if hazard is not None:
        return hazard
    old = candidate.replaces
    if old is not None and old.pinned:
        return Refusal(gate="pinned", reason=f"it would replace {old.entry_id[:8]}, which is pinned")
    if old is not None and old.id not in draft.standing:
        reason = f"its former wording {old.entry_id[:8]} stands in {old.document}: promote it there"
        return Refusal(gate="elsewhere", reason=reason)
    replaced = frozenset({old.id} if old is not None else ())
    known = [text for text in draft.known if not replaced or identity(text) not in replaced]
    twin = _twin_in(draft, candidate, known)
    said_in, entries = draft.name, {*draft.standing, *(one.standing_id for one in draft.promoted)}
    for other, texts in elsewhere.items() if twin is None else ():
        others = [text for text in texts if not replaced or identity(text) not in replaced]
        twin = _twin_in(draft, candidate, others)
        if twin is not None:
            said_in, entries = other, {identity(twin)}
            break
    if twin is not None:
        return said_already(said_in, twin, entries)
    limits = draft.limits
    if limits.entries and len(draft.promoted) >= limits.entries:
        return Refusal(gate="limit", reason=f"this run's limit of {limits.entries} is reached (promote.limit)")
    try:
        addition = Addition(candidate.text, candidate.section)
        grown = edited(draft.text, draft.name, add=[addition], remove=replaced, leads=is_rule)
    except EditRefused as error:
        return Refusal(gate="unsafe", reason=error.message)
    region = find_region(grown, draft.name)
    excess = limits.budget.of(draft.name).excess(region, grown) if region is not None else ""
    if excess:
        return Refusal(gate="budget", reason=f"the region would have {excess}")
    draft.text = grown
    draft.known = [*known, candidate.text]
    draft.promoted.append(candidate)
    return None


def _twin_in(draft: Draft, candidate: Candidate, texts: Iterable[str]) -> str | None:
    """The first of ``texts`` that says the same as the candidate, or None.

    Where a person or an agent has chosen that itself, what is only alike is no such twin: the word in which they differ
    may be the one that counts.
    """
    if candidate.named or candidate.decided == candidate.text:
        return next((one for one in texts if is_the_same(candidate.text, one)), None)
    return duplicate_of(candidate.text, texts, draft.limits.similarity)


def said_already(name: str, twin: str, entries: Collection[str]) -> Refusal:
    """Return the refusal of what the document ``name`` says already, as ``twin``; with the id of that, if an entry."""
    known = identity(twin) if identity(twin) in entries else ""
    where = f" in {known[:8]}" if known else ""
    return Refusal(gate="duplicate", reason=f"{name} says so already{where}: {shortened(twin)}", twin=known)


def shortened(text: str, width: int = 60) -> str:
    """Return ``text`` on one line, with an ellipsis where it is cut."""
    line = " ".join(text.split())
    return line if len(line) <= width else line[: width - 1] + "…"
