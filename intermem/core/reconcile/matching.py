"""Match the items in documents with lines of the ledger and with records."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import replace
from datetime import datetime
from functools import partial

from intermem.core.entries.pairing import pairs_alike
from intermem.core.entries.similarity import gist, rough, says_only
from intermem.core.reconcile.ledger import Line, Standing
from intermem.core.reconcile.model import Claim, ReconcileState, RecordChange, is_ours
from intermem.entities import Record


def claim_all(draft: ReconcileState) -> None:
    """Find the ledger line and the record of every item."""
    standing = draft.branch.items
    former = draft.branch.ledger.former if draft.branch.ledger is not None else {}
    names_of = _names_by_owner(draft)
    claimed: set[str] = set()
    for key, (document, item) in standing.items():
        if key in draft.branch.purged:
            continue
        line = draft.lines.get(key)
        newer = former.get(key, draft.aliases.get(key, "")) if line is None and key not in draft.records else ""
        if newer in standing and key not in _rivals(draft, newer):
            draft.twins.append((key, newer))
            continue
        names = (draft.aliases.get(key, ""), *names_of.get(key, ()))
        line = line or draft.lines.get(former.get(key, "")) or _line_of_former(draft, names)
        record = _unclaimed_record(draft, (key, *((line.id, *line.was) if line is not None else ())), key, claimed)
        claimed |= {record.id} if record is not None else set()
        draft.claims[key] = Claim(document, item, line, record)
    for key, claim in draft.claims.items():
        if claim.line is not None:
            _note_former(draft, key, (claim.line.id, *claim.line.was))
            rivals = (name for name in claim.line.rivals if name in draft.claims and key == claim.line.id)
            draft.siblings.update((min(key, name), max(key, name)) for name in rivals)


def _rivals(draft: ReconcileState, key: str) -> frozenset[str]:
    line = draft.lines.get(key)
    return line.rivals if line is not None else frozenset()


def find_edits(draft: ReconcileState) -> None:
    """Match unknown items with similar entries that are missing: a person reworded them."""
    strangers = {
        key: claim.item.text for key, claim in draft.claims.items() if claim.line is None and not is_ours(claim)
    }
    if not strangers:
        return
    lost: dict[str, str] = {}
    for name, document in _promised(draft):
        record = draft.records.get(name)
        item = draft.lineage.item(name) if record is None or record.text is None else None
        text = record.text if record is not None and record.text is not None else item.text if item else None
        if text is not None and document not in draft.branch.unread:
            lost[name] = text
    claimed = {claim.record.id for claim in draft.claims.values() if claim.record is not None}
    for old, new in pairs_alike(lost, strangers, draft.terms.similarity):
        claim = draft.claims[new]
        own = _unclaimed_record(draft, (old,), new, claimed)  # perhaps under the wording of another branch
        if own is not None:
            claimed -= {claim.record.id} if claim.record is not None else set()
            claimed.add(own.id)
        draft.claims[new] = replace(claim, line=draft.lines.get(old), record=own or claim.record)
        draft.edited[new] = lost[old]
        line = draft.lines.get(old)
        _note_former(draft, new, (old, *(line.was if line else ())))
        if own is not None and claim.record is not None:
            draft.absorbed.setdefault(new, []).append(claim.record.id)


def find_notes(draft: ReconcileState) -> None:
    """Match lines that nobody noted here with notes that say the same: they are the entry's.

    So are, where their own note left the memory, notes of which nothing but the line would be written, whatever else
    they say. Not with a note of which anything is known besides that it was seen, or that this very line was put in its
    place: it keeps a record of its own.
    """
    _find_notes_in_the_words_of(draft)
    strangers = {
        key: gist(claim.item.text)
        for key, claim in draft.claims.items()
        if claim.record is None or not (claim.record.in_memory or claim.record.counted_at)
    }
    if not strangers:
        return
    near = {rough(draft.claims[key].item.text) for key in strangers}
    notes = {
        gist(record.noted_text): name
        for name, record in sorted(draft.records.items(), reverse=True)
        if record.in_memory and name not in draft.branch.items and rough(record.noted_text) in near
        if _is_untouched(record, draft.terms.now)
    }
    gave_way = {
        record.superseded_by: name
        for name, record in sorted(draft.records.items(), reverse=True)
        if record.in_memory and record.superseded_by in strangers
        if strangers[record.superseded_by] == gist(record.noted_text)
        if not (record.rejected_at or record.is_pinned(draft.terms.now) or record.feedback)
    }
    for key, said in strangers.items():
        name = gave_way.get(key) or notes.get(said)
        is_known = name in draft.former or name in draft.new_aliases
        if name is not None and not is_known and draft.aliases.get(key) != name:
            draft.absorbed.setdefault(key, []).append(name)
            draft.new_aliases[name] = key
            notes.pop(said, None)


def _find_notes_in_the_words_of(draft: ReconcileState) -> None:
    """Match lines without a note in this memory with notes of which just these words would be written (``gist``)."""
    left = [key for key, claim in draft.claims.items() if claim.record is None or not claim.record.in_memory]
    notes = {
        name: (record, rough(record.noted_text))
        for name, record in sorted(draft.records.items() if left else ())
        if record.in_memory and name not in draft.branch.items and _is_untouched(record, draft.terms.now)
    }
    for key in left:
        line = draft.claims[key].item.text
        near = rough(line)
        for name, (record, said) in notes.items():
            if near not in said:  # as says_only finds, for every pair
                continue
            is_known = draft.aliases.get(key) == name or name in draft.former or name in draft.new_aliases
            if not is_known and says_only(line, record.noted_text, partial(draft.terms.written, record)):
                draft.absorbed.setdefault(key, []).append(name)
                draft.new_aliases[name] = key


def _is_untouched(record: Record, now: datetime) -> bool:
    """Whether it was never in a document, nor did anybody say anything of it."""
    said = (record.promoted_at, record.rejected_at, record.review_at, record.superseded_by, record.demoted_at)
    return (
        record.document is None and not any(said) and not (record.is_pinned(now) or record.feedback or record.kept_out)
    )


def find_siblings(draft: ReconcileState) -> None:
    """If two people reworded one line and one wording was kept, record the other as its former identity."""
    heirs = {
        name: key
        for key, claim in draft.claims.items()
        if claim.line is not None
        for name in (claim.line.id, *claim.line.was)
    }
    for name, _ in _promised(draft):
        line = draft.lines.get(name)
        heir = next((heirs[one] for one in (line.was if line else ()) if one in heirs), None)
        if heir is not None:
            _note_former(draft, heir, (name,))


def find_doubles(draft: ReconcileState) -> None:
    """Note the lines that say the same in other words, as after a merge of two branches that each promoted it."""
    alike: dict[str, list[str]] = {}
    for key, (_, item) in sorted(draft.branch.items.items()):
        alike.setdefault(rough(item.text), []).append(key)
    former = {key for key, _ in draft.twins}
    for keys in alike.values():
        first: dict[str, str] = {}
        for key in keys if len(keys) > 1 else ():
            said = gist(draft.branch.items[key][1].text)
            other = first.setdefault(said, key)
            if said and other != key and former.isdisjoint((key, other)):
                draft.siblings.add((other, key))


def tell_apart(draft: ReconcileState) -> None:
    """Leave the note's id to one of several wordings of a note that stand: they are entries of their own.

    It is the one that the ledger names, or the first.
    """
    seen: set[str] = set()
    claims = draft.claims.items()
    for key, _ in sorted(claims, key=lambda one: one[1].line is None or one[1].line.id != one[0]):
        change, stored = draft.changes.get(key), draft.records.get(key)
        record = change.record if change is not None else stored
        if record is not None and record.entry_id in seen:
            formerly = change.formerly if change is not None else (key,)
            apart = replace(record, note_id=None, note_text=None)
            event, detail = (change.event, change.detail) if change is not None else ("", "")
            draft.changes[key] = RecordChange(apart, formerly, event, detail)
        seen |= {record.entry_id} if record is not None else set()


def _promised(draft: ReconcileState) -> list[tuple[str, str]]:
    """Return missing identities with their document, from the ledger, or without one from the records."""
    taken = {claim.line.id for claim in draft.claims.values() if claim.line is not None}
    if draft.branch.ledger is not None:
        return [
            (key, line.document)
            for key, line in draft.lines.items()
            if line.status is Standing.PROMOTED and key not in taken
        ]
    held = {claim.record.id for claim in draft.claims.values() if claim.record is not None}
    return [(key, one.document) for key, one in draft.records.items() if one.document is not None and key not in held]


def _note_former(draft: ReconcileState, key: str, names: Iterable[str]) -> None:
    """Record former identities; rows that other machines or the agent made under them belong to this entry."""
    own = draft.claims[key].record
    former = draft.branch.ledger.former if draft.branch.ledger is not None else {}
    for name in names:
        if name == key or name in draft.branch.items:
            continue
        owner = former.get(name, key)
        if owner != key and owner in draft.claims:
            draft.siblings.add((min(key, owner), max(key, owner)))
            continue  # two people reworded one line, and both wordings are there
        draft.former[name] = key
        if draft.aliases.get(name) != key:
            draft.new_aliases[name] = key
        row = draft.records.get(name)
        if row is None or row == own or name in draft.absorbed.get(key, ()) or _is_claimed(draft, name, key):
            continue
        if row.superseded_by is None and (own is None or own.superseded_by != name):
            draft.absorbed.setdefault(key, []).append(name)


def _is_claimed(draft: ReconcileState, name: str, key: str) -> bool:
    """Whether another item than ``key`` has the record ``name``: of two wordings that stand one alone takes it over."""
    return any(one.record is not None and one.record.id == name for other, one in draft.claims.items() if other != key)


def _unclaimed_record(draft: ReconcileState, names: Iterable[str], key: str, claimed: Set[str]) -> Record | None:
    """Return the first record under one of ``names`` that belongs to no other item (``claimed``)."""
    for name in names:
        for row in (name, draft.aliases.get(name, "")):
            record = draft.records.get(row)
            if record is not None and row not in claimed and (row == key or row not in draft.branch.items):
                return record
    return None


def _names_by_owner(draft: ReconcileState) -> dict[str, list[str]]:
    """Return the former identities of each entry, without those that are in a document themselves."""
    found: dict[str, list[str]] = {}
    for name, owner in draft.aliases.items():
        if name not in draft.branch.items:
            found.setdefault(owner, []).append(name)
    return found


def _line_of_former(draft: ReconcileState, names: Iterable[str]) -> Line | None:
    """Return the line of an entry that was reworded according to our record, but not yet in the ledger."""
    lines = (draft.lines[name] for name in names if name in draft.lines)
    return next((line for line in lines if not line.is_tombstone), None)
