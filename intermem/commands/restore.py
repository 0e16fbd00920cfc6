"""``restore``: put entries back that are out, and lift what keeps them out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from intermem.core.entries.hazards import entry_hazards, in_words
from intermem.core.entries.identity import identity
from intermem.core.entries.observation import preview_of
from intermem.core.entries.prefixes import checked_prefix, only_one
from intermem.core.entries.similarity import says_the_same
from intermem.core.lifecycle.effects import Effect
from intermem.core.lifecycle.gates import Refusal, flag_of, withdrawal_of
from intermem.core.lifecycle.promotion import worth_of_record
from intermem.core.lifecycle.staleness import Assessment, assess
from intermem.core.lifecycle.taken_out import TakenOut
from intermem.core.reconcile.ledger import Line, Standing
from intermem.core.reconcile.lineage import Lineage
from intermem.core.region.edit import Addition, edited
from intermem.core.region.place import new_page, place_region
from intermem.core.region.topic_files import is_topic_file
from intermem.core.times import format_date, format_time
from intermem.core.worth.standing import is_rule
from intermem.entities import HistoryRow, Record, Status
from intermem.errors import DocumentRefused, EditRefused, NoSuchEntry
from intermem.project.documents import Document
from intermem.results.decide import DecisionResult
from intermem.workflow.branch_state import (
    BranchState,
    find_line,
    load_lineage,
)
from intermem.workflow.changeset import (
    ChangeSet,
    Plan,
    run_changeset,
    section_of,
)
from intermem.workflow.decision import decision_on
from intermem.workflow.put_back import places_of, put_back_beside
from intermem.workflow.run_mode import RunMode
from intermem.workflow.targets import find_target, text_refusal
from intermem.workflow.tiers import topic_document
from intermem.workflow.workspace import Workspace


def restore(workspace: Workspace, prefixes: Sequence[str], *, reason: str = "", mode: RunMode) -> DecisionResult:
    """Put back the entries named by ``prefixes``, each in the wording that its prefix names.

    Exit code 1 if one was refused (the others are done). Raises NoSuchEntry, with nothing written, if a prefix matches
    no entry.
    """

    def collect(changeset: ChangeSet) -> None:
        named: dict[str, str | None] = {}
        for prefix in prefixes:
            named.setdefault(*_named(workspace, changeset, prefix))
        for key, former in named.items():
            _restore(workspace, changeset, key, former, reason)

    plan, notices = run_changeset(workspace, "restore", collect, mode)
    told = (*notices, *_named_hazards(workspace, plan), *_textless(plan), *_looked_at(plan))
    return decision_on(plan, mode, "restore", "restored", documents=plan.destinations, notices=told)


def _named_hazards(workspace: Workspace, plan: Plan) -> list[str]:
    """What a person who named these entries has decided about."""
    allowed = workspace.config.allowed_hazards()
    written = [(one, entry_hazards(one.text or "", one.section, allowed)) for one in plan.after if one.document]
    return [f"{one.entry_id[:8]} was named: {in_words(hazards)}" for one, hazards in written if hazards]


def _textless(plan: Plan) -> list[str]:
    """What is lifted, while no text is back: nothing here has it."""
    lifted = [one for one in plan.after if one.text is None]
    back = "nothing keeps it out any more, but its text is not known here: it is a candidate once a scan sees its note"
    return [f"{one.entry_id[:8]}: {back}" for one in lifted]


def _looked_at(plan: Plan) -> list[str]:
    """What was flagged for review, and is no longer: who restores an entry has looked at it."""
    known = plan.changeset.state.records
    flagged = {key for key, one in known.items() if one.review_at is not None}
    cleared = [one for one in plan.after if one.id in flagged and one.review_at is None]
    return [f"{one.entry_id[:8]} is no longer flagged for review" for one in cleared]


def _named(workspace: Workspace, changeset: ChangeSet, prefix: str) -> tuple[str, str | None]:
    """The id of the matching entry, or of what only a document's history has, and the former wording that is named."""
    state = changeset.state
    try:
        key = changeset.find(prefix)
    except NoSuchEntry:
        stood = load_lineage(workspace, state).ids_like(checked_prefix(prefix))
        if not stood:
            raise
        return only_one(prefix, stood), None
    start = checked_prefix(prefix)
    if any(one.startswith(start) for one in (key, state.records[key].entry_id)):
        return key, None
    former = [alias for alias, owner in state.aliases.items() if owner == key and alias.startswith(start)]
    return key, former[0] if len(former) == 1 else None


def _is_reworded(state: BranchState, record: Record, heir: Record) -> bool:
    """Return whether ``heir`` is another wording of the entry, and not what somebody put in its place."""
    line = find_line(state, heir.id)
    known = line is not None and record.id in line.names
    return known or says_the_same(record.noted_text, heir.noted_text)


def _restore(workspace: Workspace, changeset: ChangeSet, key: str, former: str | None, reason: str) -> None:
    state = changeset.state
    record = state.records.get(key)
    line = find_line(state, key)
    lineage = Lineage()
    if record is None or record.text is None:
        lineage = load_lineage(workspace, state)
        record = _from_history(workspace, key, lineage, record)
        if key not in state.records:
            changeset.created[key] = record
    if record.document is not None and key in {one.id for one in state.reconciliation.contested}:
        kept = Effect(kind="restore", entry_id=key, document=record.document, reason=reason or "kept, by hand")
        changeset.effects.append(kept)
        return None
    if record.document is not None and state.documents.named(record.document) is None:
        return changeset.refuse(record, "document-refused", f"{record.document}, where it belongs, was refused")
    words = _words_of(workspace, state, former)
    if record.document is not None and words not in (None, record.text):
        old, new = (former or "")[:8], record.entry_id[:8]
        ways = f"to have that wording instead: intermem demote {new}, then restore {old}"
        return changeset.refuse(record, "superseded", f"the newer wording of {old}, in {record.document}; {ways}")
    if record.document is not None:
        flag = flag_of(record)
        but = f", {flag.said}; {flag.lifted_by} lifts that" if flag is not None else ""
        return changeset.refuse(record, "stands", f"already in {record.document}{but}")
    had_place = line is not None and bool(line.document)  # in another clone, if not in this one
    if not had_place and (key in state.told or key not in state.records):
        had_place = bool(next(iter(places_of(workspace, state, key)), ""))  # before there was a ledger to say so
    never_listed = not had_place or (line is not None and line.status is Standing.REJECTED)
    if record.promoted_at is None and record.demoted_at is not None and never_listed and record.text is not None:
        return _restore_note(workspace, changeset, record, reason)
    never_written = record.promoted_at is None and not had_place
    if never_written or (record.text is None and line is not None and line.status is Standing.REJECTED):
        return _lift_rejection(changeset, workspace, record)
    heir = state.records.get(record.superseded_by or "")
    own = line is not None and line.id == key  # a reworded entry has none: its newer wording took the line over
    if heir is not None and heir.document is not None and not own and _is_reworded(state, record, heir):
        old, new = record.entry_id[:8], heir.entry_id[:8]
        instead = f"to have this one: intermem demote {new}, then restore {old}"
        return changeset.refuse(record, "superseded", f"its newer wording {new} is in {heir.document}; {instead}")
    if record.text is None:
        return changeset.refuse(record, "text", _without_text(workspace, state, key))
    if line is not None and line.document in state.branch.unread:
        return changeset.refuse(record, "refused", f"{line.document} was refused: intermem doctor says why")
    try:
        document = _home_of(workspace, state, key, line)
    except DocumentRefused as error:
        why = f"{error.message}: {error.hint}" if error.hint else error.message
        return changeset.refuse(record, "blocked", why)
    text = changeset.text_of(document) or (new_page() if document.tier > 1 else "")
    text = place_region(text, document.name)
    section = section_of(state, record)
    of_one_note = (one for one in state.records.values() if record.superseded_by == one.id or one.superseded_by == key)
    wordings = frozenset(one.text for one in of_one_note if one.text is not None)
    written = record if words is None else replace(record, text=words)
    refusal = text_refusal(workspace, written, section, document.name, text, decided=True, wordings=wordings)
    if refusal is not None:
        return changeset.refuse(record, refusal.gate, refusal.reason + _instead(state, record, refusal, document.name))
    try:
        addition = Addition(written.text or "", section)
        changeset.texts[document.name] = edited(text, document.name, add=[addition], leads=is_rule)
    except EditRefused as error:
        return changeset.refuse(record, "unsafe", error.message)
    put_back_beside(workspace, changeset, written, document.name, section)
    was = "missing" if record.missing_from else "rejected" if record.rejected_at else "demoted"
    until = workspace.now + workspace.config.span("sweep.grace")
    found = _assessed(workspace, changeset, record)
    if key in state.records:
        changeset.changed[key] = replace(record, confidence=found.confidence, base_confidence=found.base)
    changeset.effects.append(
        Effect(
            kind="restore",
            entry_id=key,
            document=document.name,
            reason=reason or f"by hand; it was {was}. No sweep counts against it until {format_date(until)}",
            original_confidence=found.base,
            new_id=former if words is not None else None,
            new_text=words,
            grace_until=format_time(until),
            stale=found.stale,
        )
    )
    return None


def _words_of(workspace: Workspace, state: BranchState, former: str | None) -> str | None:
    """The words of a ``former`` wording as a document had them last; None if none does, or none is meant."""
    item = load_lineage(workspace, state).item(former) if former is not None else None
    return item.text if item is not None else None


def _home_of(workspace: Workspace, state: BranchState, key: str, line: Line | None) -> Document:
    """The document that an entry goes back into; a topic file that was deleted is made again.

    The ledger names it, or the history where no ledger does, as of what left before there was one.
    """
    name = (line.document if line is not None else "") or next(iter(places_of(workspace, state, key)), "")
    known = state.documents.named(name) if name else None
    if known is None and is_topic_file(name):
        return topic_document(workspace, state.documents, name)
    return known or find_target(workspace, state.documents, None)


def _without_text(workspace: Workspace, state: BranchState, key: str) -> str:
    reason = "its text is neither in metadata.db nor in the history of a document"
    if workspace.worktree is not None and workspace.worktree.is_shallow:
        reason += ", of which a shallow clone lacks a part: git fetch --unshallow"
    way = "; its record was deleted: intermem undo --list says whether undo can bring it back"
    return reason + way if key in state.deleted else reason


def _instead(state: BranchState, record: Record, refusal: Refusal, name: str) -> str:
    """What to do where document ``name`` says the same, or any has what replaced it: one of the two has to go."""
    if refusal.gate != "duplicate" or record.text is None:
        return ""
    standing = {identity(one.text): one for one in state.records.values() if one.document == name and one.text}
    heir = standing.get(refusal.twin) or state.records.get(record.superseded_by or "")
    if heir is None or heir.document is None:
        return ""  # a line of the document itself says so
    old, new = record.entry_id[:8], heir.entry_id[:8]
    return f"; to have this wording instead: intermem demote {new}, then restore {old}"


def _assessed(workspace: Workspace, changeset: ChangeSet, record: Record) -> Assessment:
    """Return what an entry comes to as of now, with its note where the memory has that."""
    (seen,) = changeset.seen([record])
    return assess(seen, record.citations, workspace.now, workspace.config.rules())


def _restore_note(workspace: Workspace, changeset: ChangeSet, record: Record, reason: str) -> None:
    """Make an entry that was demoted before it was ever promoted a candidate again."""
    until = workspace.now + workspace.config.span("sweep.grace")
    found = _assessed(workspace, changeset, record)
    changeset.lifted.add(record.id)
    changeset.changed[record.id] = replace(
        record,
        status=Status.STALE if found.stale else Status.ACTIVE,
        confidence=found.confidence,
        base_confidence=found.base,
        demoted_at=None,
        rejected_at=None,
        superseded_by=None,
        kept_out=False,
        review_at=None,
        stale_streak=0,
        grace_until=until,
        reason=reason or f"by hand; nothing prunes it until {format_date(until)}",
    )
    _restored(workspace, changeset, record.id)


def _lift_rejection(changeset: ChangeSet, workspace: Workspace, record: Record) -> None:
    """Lift what keeps an entry out that was never promoted, and not demoted here: it is a candidate again."""
    line = find_line(changeset.state, record.id)
    is_rejected = record.rejected_at is not None or (line is not None and line.status is Standing.REJECTED)
    is_replaced = record.superseded_by is not None and record.in_memory
    is_out = is_rejected or is_replaced or line is not None
    is_said_again = not is_out and _taken_out_in_other_words(workspace, changeset.state, record)
    if not is_out and not is_said_again:
        word = withdrawal_of(record)
        if word is not None:
            return changeset.refuse(record, word.gate, f"it is not out, but {word.said}; {word.lifted_by} lifts that")
        reason = f"nothing keeps it out: intermem why {record.entry_id[:8]} says what it waits for"
        return changeset.refuse(record, "never-promoted", reason)
    changeset.created.pop(record.id, None)
    what = f"its {'rejection' if is_rejected else 'demotion'} is lifted"
    reason = f"{'what was said in other words is out, it is not' if is_said_again else what}; it can be promoted"
    until = workspace.now + workspace.config.span("sweep.grace")
    changeset.changed[record.id] = replace(
        record, rejected_at=None, superseded_by=None, review_at=None, grace_until=until, reason=reason
    )
    changeset.lifted.add(record.id)
    return _restored(workspace, changeset, record.id)


def _taken_out_in_other_words(workspace: Workspace, state: BranchState, record: Record) -> bool:
    limits, rules = workspace.config.limits(), workspace.config.rules()
    taken_out = TakenOut(state.records.values(), limits.similarity, rules.grace)
    if record.document is not None:
        return False
    text = worth_of_record(record, limits.characters).text or record.shown_text
    return (taken_out.in_former_words(record) or taken_out.in_other_words(record, text)) is not None


def _restored(workspace: Workspace, changeset: ChangeSet, key: str) -> None:
    detail = changeset.changed[key].reason
    changeset.rows.append(HistoryRow(at=workspace.now, event="restored", entry_id=key, detail=detail))


def _from_history(workspace: Workspace, key: str, lineage: Lineage, record: Record | None) -> Record:
    """A record with the text from the history of a document; without text if that lacks it too."""
    item = lineage.item(key)
    text = item.text if item is not None else None
    if record is None:
        record = Record(
            id=key,
            text=text,
            preview="",
            section=item.section if item is not None else "",
            source_file="",
            first_seen=workspace.now,
            last_seen=workspace.now,
            status=Status.DEMOTED,
            promoted_at=workspace.now,
        )
    return record if text is None else replace(record, text=text, preview=preview_of(text), read_by=0)
