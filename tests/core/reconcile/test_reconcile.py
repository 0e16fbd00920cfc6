"""The table of "People win" as values; tests/people/ has it in real repositories."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from intermem.core.entries.identity import identity
from intermem.core.reconcile.events import LedgerEvent, What
from intermem.core.reconcile.fold import fold_lines, folded
from intermem.core.reconcile.ledger import Ledger, Line, Standing, midnight, tombstone
from intermem.core.reconcile.ledger_history import LedgerVersion
from intermem.core.reconcile.lineage import Commit, Lineage, lineage_of
from intermem.core.reconcile.model import Branch, ReconcilePolicy, Reconciliation, standing_items
from intermem.core.reconcile.reconcile import needs_lineage, reconcile
from intermem.core.region.parse import find_region
from intermem.entities import Feedback, Record, Status
from tests.old_ledger import ledger_text

NOW = datetime(2026, 3, 1, tzinfo=UTC)
DAY = midnight(date(2026, 2, 1))
POLICY = ReconcilePolicy(now=NOW, similarity=0.75)
FACT = "Run the queue worker before the tests, or they hang without a word."
EDITED = "Start the queue worker before the tests, or they hang without a word."
OTHER = "The parser counts tabs as one column, whatever the editor shows."
KEY, NEW, FAR = identity(FACT), identity(EDITED), identity(OTHER)


def document(*texts: str) -> str:
    return "<!-- intermem:begin -->\n" + "".join(f"- {text}\n" for text in texts) + "<!-- intermem:end -->\n"


def branch(*texts: str, ledger: Ledger | None = None, unread: tuple[str, ...] = ()) -> Branch:
    region = find_region(document(*texts), "AGENTS.md")
    assert region is not None
    return Branch(standing_items([("AGENTS.md", region.items)]), frozenset(unread), ledger)


def line(key: str = KEY, status: Standing = Standing.PROMOTED, since: datetime = DAY, **changes: object) -> Line:
    made = Line(
        id=key, status=status, document="AGENTS.md", section="", since=since, first_seen=DAY, last_seen=DAY, snapshots=5
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def ledger(*lines: Line) -> Ledger:
    return Ledger(fold_lines(lines))


def version(lines: dict[str, Line]) -> LedgerVersion:
    return LedgerVersion(old=ledger_text(lines))


def record(text: str = FACT, **changes: object) -> Record:
    seen = DAY
    made = Record(
        id=identity(text),
        text=text,
        preview=text,
        section="",
        source_file="MEMORY.md",
        first_seen=seen,
        last_seen=seen,
        snapshot_count=3,
        promoted_at=seen,
        document="AGENTS.md",
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def reconciled(
    here: Branch, *records: Record, aliases: dict[str, str] | None = None, lineage: Lineage | None = None
) -> Reconciliation:
    known = {one.id: one for one in records}
    found = reconcile(here, known, aliases or {}, lineage or Lineage(), POLICY)
    stored = {key: one for key, one in known.items() if not any(key in c.formerly for c in found.changes.values())}
    stored |= {key: change.record for key, change in found.changes.items()}
    again = reconcile(here, stored, {**(aliases or {}), **found.aliases}, lineage or Lineage(), POLICY)
    assert not [change for change in again.changes.values() if change.event], "told once"
    return found


def held_and_gone() -> Lineage:
    return lineage_of(
        (Commit("b", "2026-02-20", ("a",), {"A": document()}), Commit("a", "", (), {"A": document(FACT)}))
    )


def test_what_agrees_changes_nothing() -> None:
    here = branch(FACT, ledger=ledger(line(snapshots=3)))
    assert reconciled(here, record()) == Reconciliation()
    assert not needs_lineage(here, {KEY: record()}, {})


def test_a_stranger_is_learnt_from_the_ledger() -> None:
    change = reconciled(branch(FACT, ledger=ledger(line(pinned=True, feedback=-50)))).changes[KEY]
    found = change.record
    assert (change.event, change.formerly, found.document, found.text) == ("learnt", (), "AGENTS.md", FACT)
    assert (found.snapshot_count, found.pinned, found.feedback, found.promoted_at) == (5, True, -50, DAY)
    assert found.observed_count == 0, "what a ledger claims was not observed here"


def test_a_larger_count_in_the_ledger_adds_nothing_to_what_was_observed() -> None:
    change = reconciled(branch(FACT, ledger=ledger(line(snapshots=99))), record(snapshot_count=3)).changes[KEY]
    assert (change.record.snapshot_count, change.record.observed_count) == (99, 3)


def test_a_line_moved_to_another_document_is_the_same_entry() -> None:
    here = branch(FACT, ledger=ledger(line(document="CLAUDE.md", snapshots=3)))
    change = reconciled(here, record(document="CLAUDE.md")).changes[KEY]
    assert (change.record.document, change.event, change.record.pinned) == ("AGENTS.md", "moved", False)


def test_an_edit_takes_the_record_along_and_the_record_that_the_agent_made_of_it() -> None:
    own = record(EDITED, document=None, promoted_at=None, snapshot_count=9, in_memory=True, source_file="new.md")
    found = reconciled(branch(EDITED, ledger=ledger(line())), record(), own)
    change = found.changes[NEW]
    assert (change.event, change.formerly) == ("edited", (KEY, NEW))
    assert (change.record.id, change.record.text, change.record.snapshot_count) == (NEW, EDITED, 9)
    assert (change.record.in_memory, change.record.source_file) == (True, "new.md")
    assert found.aliases == {KEY: NEW} and FACT in change.detail


def test_an_edit_takes_the_record_along_that_another_branch_reworded() -> None:
    third = "Mind the queue worker before the tests, or they hang without a word."
    lineage = lineage_of((Commit("a", "", (), {"A": document(FACT)}),))
    other = record(third, document=None)
    found = reconciled(branch(EDITED, ledger=ledger(line())), other, aliases={KEY: other.id}, lineage=lineage)
    assert found.changes[NEW].formerly == (other.id,) and found.changes[NEW].event == "edited"


def test_an_edit_is_found_without_a_record_too() -> None:
    lineage = lineage_of((Commit("a", "", (), {"A": document(FACT)}),))
    found = reconciled(branch(EDITED, ledger=ledger(line())), lineage=lineage)
    assert found.changes[NEW].event == "edited" and not found.rejected and not found.missing


def test_what_is_too_different_is_no_edit() -> None:
    found = reconciled(branch(OTHER, ledger=ledger(line())), record())
    assert found.changes[FAR].event == "adopted" and found.changes[FAR].record.pinned
    assert found.missing == ((KEY, "AGENTS.md"),)


def test_a_wording_that_lost_is_a_former_one_of_the_other() -> None:
    third = identity("Mind the queue worker before the tests, or they hang without a word.")
    lines = ledger(line(NEW, was=(KEY,)), line(third, was=(KEY,)))
    found = reconciled(branch(EDITED, ledger=lines), record(EDITED))
    assert not found.missing and not found.rejected
    assert found.aliases == {KEY: NEW, third: NEW}


def test_an_older_wording_beside_the_newer_one_is_a_twin() -> None:
    found = reconciled(branch(FACT, EDITED, ledger=ledger(line(NEW, was=(KEY,)))), record(EDITED))
    assert found.twins == ((KEY, NEW),) and KEY not in found.changes


def test_an_older_branch_has_the_older_identity() -> None:
    found = reconciled(branch(FACT, ledger=ledger(line())), record(EDITED), aliases={KEY: NEW})
    change = found.changes[KEY]
    assert (change.formerly, change.event, change.record.text) == ((NEW,), "", FACT)


def test_two_items_never_share_a_record() -> None:
    third = identity("third")
    here = branch(FACT, "third", ledger=ledger(line(), line(third)))
    found = reconciled(here, record(EDITED), aliases={KEY: NEW, third: NEW})
    assert [found.changes[key].formerly for key in (KEY, third)] == [(NEW,), ()]


@pytest.mark.parametrize("status", [Standing.DEMOTED, Standing.REJECTED])
def test_what_the_ledger_calls_gone_and_stands_is_pinned(status: Standing) -> None:
    change = reconciled(branch(FACT, ledger=ledger(line(status=status)))).changes[KEY]
    assert (change.event, change.record.pinned, change.record.promoted_at) == ("restored", True, NOW)


def test_a_removal_that_was_undone_before_it_was_committed_is_no_pin() -> None:
    lineage = lineage_of((Commit("a", "", (), {"A": document(FACT)}),))
    stored = record(document=None, rejected_at=NOW - timedelta(days=1))
    change = reconciled(branch(FACT, ledger=ledger(line(status=Standing.REJECTED))), stored, lineage=lineage).changes[
        KEY
    ]
    assert (change.event, change.record.pinned, change.record.rejected_at) == ("restored", False, None)


def test_demoted_elsewhere_it_is_spared_once() -> None:
    here = branch(FACT, ledger=ledger(line()))
    left = record(document=None, status=Status.DEMOTED, demoted_at=DAY + timedelta(days=20))
    change = reconciled(here, left).changes[KEY]
    assert change.record.grace_until == NOW + timedelta(days=14)
    again = replace(left, grace_until=NOW + timedelta(days=14))
    assert reconciled(here, again).changes[KEY].event == ""


def test_promoted_again_by_somebody_else() -> None:
    left = record(document=None, status=Status.DEMOTED, demoted_at=DAY - timedelta(days=2))
    change = reconciled(branch(FACT, ledger=ledger(line())), left).changes[KEY]
    assert (change.event, change.record.status, change.record.pinned) == ("learnt", Status.ACTIVE, False)
    rejected = record(document=None, rejected_at=DAY - timedelta(days=2))
    assert reconciled(branch(FACT, ledger=ledger(line())), rejected).changes[KEY].record.rejected_at is None


def test_rejected_on_another_branch_it_stands_on_this_one() -> None:
    left = record(document=None, rejected_at=DAY + timedelta(days=2))
    other = lineage_of((), (version({KEY: line(status=Standing.REJECTED)}),))
    change = reconciled(branch(FACT, ledger=ledger(line())), left, lineage=other).changes[KEY]
    assert (change.event, change.record.document) == ("", "AGENTS.md")
    assert change.record.rejected_at is not None, "it is not offered on a third branch"
    change = reconciled(branch(FACT, ledger=ledger(line())), left).changes[KEY]
    assert (change.event, change.record.rejected_at) == ("restored", None)


def test_gone_and_promised_is_missing_until_history_says_who() -> None:
    here = branch(ledger=ledger(line()))
    assert needs_lineage(here, {KEY: record()}, {})
    missing = reconciled(here, record())
    assert missing.changes[KEY].record.missing_from == "AGENTS.md" and not missing.rejected
    taken = reconciled(here, record(), lineage=held_and_gone())
    assert taken.rejected == {KEY} and taken.changes[KEY].record.rejected_at == NOW
    stranger = reconciled(here, lineage=held_and_gone())
    assert stranger.changes[KEY].record.text == FACT


def test_our_own_demotion_whose_ledger_line_was_lost() -> None:
    here = branch(ledger=ledger(line()))
    left = record(document=None, status=Status.DEMOTED, demoted_at=DAY + timedelta(days=20))
    assert not reconciled(here, left).missing
    early = replace(left, demoted_at=DAY + timedelta(days=10))
    found = reconciled(here, early, lineage=held_and_gone())
    assert found.missing == ((KEY, "AGENTS.md"),) and "intermem may have demoted it" in found.changes[KEY].detail
    assert reconciled(here, left, lineage=held_and_gone()).rejected == {KEY}, "a person was first"


@pytest.mark.parametrize("former", [False, True])
def test_gone_and_demoted_or_rejected_is_what_the_ledger_says(former: bool) -> None:
    own = line(NEW, Standing.DEMOTED, was=(KEY,)) if former else line(status=Standing.DEMOTED)
    change = reconciled(branch(ledger=ledger(own)), record()).changes[KEY]
    assert (change.record.status, change.record.demoted_at, change.event) == (Status.DEMOTED, DAY, "demoted")
    own = replace(own, status=Standing.REJECTED)
    change = reconciled(branch(ledger=ledger(own)), record()).changes[KEY]
    assert (change.record.rejected_at, change.record.document, change.event) == (DAY, None, "rejected")


def test_without_a_line_it_is_not_promoted_here() -> None:
    change = reconciled(branch(ledger=ledger(line(FAR))), record(), record(OTHER)).changes[KEY]
    assert (change.record.document, change.event) == (None, "")


def test_without_a_ledger_history_alone_tells() -> None:
    here = branch()
    assert needs_lineage(here, {KEY: record()}, {})
    assert reconciled(here, record(), lineage=held_and_gone()).rejected == {KEY}
    assert not reconciled(here, record()).rejected


def test_nothing_is_concluded_from_a_document_that_could_not_be_read() -> None:
    here = branch(ledger=ledger(line()), unread=("AGENTS.md",))
    assert reconciled(here, record(), lineage=held_and_gone()) == Reconciliation()
    assert reconciled(branch(unread=("AGENTS.md",)), record(), lineage=held_and_gone()) == Reconciliation()


def test_a_rejection_that_the_ledger_does_not_know_yet_is_kept() -> None:
    left = record(document=None, rejected_at=DAY + timedelta(days=2))
    assert reconciled(branch(ledger=ledger(line())), left, lineage=held_and_gone()) == Reconciliation()


def test_an_uncommitted_change_of_both_decides_nothing() -> None:
    lineage = lineage_of((Commit("a", "", (), {"A": document(FACT)}, version({KEY: line()})),))
    here = branch(OTHER, ledger=ledger(line(FAR, snapshots=3)))
    found = reconciled(here, record(in_memory=True), record(OTHER), lineage=lineage)
    assert not found.rejected and found.changes[KEY].record.document is None


def test_a_promotion_that_was_reverted_is_rejected_before_it_is_promoted_again() -> None:
    said = version({KEY: line()})
    lineage = lineage_of(
        (Commit("b", "2026-02-20", ("a",), {"A": document()}), Commit("a", "", (), {"A": document(FACT)}, said))
    )
    here = branch(OTHER, ledger=ledger(line(FAR, snapshots=3)))
    candidate = record(document=None, promoted_at=None, in_memory=True)
    found = reconciled(here, candidate, record(OTHER), lineage=lineage)
    assert found.rejected == {KEY} and "in b on 2026-02-20" in found.changes[KEY].detail
    assert needs_lineage(here, {KEY: replace(candidate, promoted_at=NOW)}, {})
    assert not reconciled(here, replace(candidate, in_memory=False), record(OTHER), lineage=lineage).rejected


def test_what_stands_again_after_it_was_missing_is_told() -> None:
    stored = record(document=None, missing_from="AGENTS.md", snapshot_count=5)
    change = reconciled(branch(FACT, ledger=ledger(line())), stored).changes[KEY]
    assert (change.event, change.record.document, change.record.missing_from) == ("back", "AGENTS.md", None)


@pytest.mark.parametrize("status", [Standing.DEMOTED, Standing.REJECTED])
def test_what_stands_though_the_ledger_took_it_out_is_asked_about_and_not_pinned(status: Standing) -> None:
    gone, held = version({KEY: line(status=status)}), version({KEY: line()})
    lineage = lineage_of(
        (
            Commit("m", "2026-02-20", ("a", "b"), {"A": document(FACT)}, gone),
            Commit("a", "", ("0",), {"A": document(FACT)}, held),
            Commit("b", "", ("0",), {"A": document()}, gone),
            Commit("0", "", (), {"A": document(FACT)}, held),
        )
    )
    found = reconciled(branch(FACT, ledger=ledger(line(status=status))), record(pinned=True), lineage=lineage)
    assert not found.changes[KEY].record.pinned and found.changes[KEY].record.document == "AGENTS.md"
    (back,) = found.contested
    assert back.words == f"{status} on 2026-02-01, back since merge m on 2026-02-20"


def test_what_was_reverted_is_pinned() -> None:
    gone = version({KEY: line(status=Standing.DEMOTED, since=DAY + timedelta(days=20))})
    lineage = lineage_of(
        (
            Commit("c", "", ("b",), {"A": document(FACT)}, version({KEY: line()})),
            Commit("b", "", ("a",), {"A": document()}, gone),
            Commit("a", "", (), {"A": document(FACT)}, version({KEY: line()})),
        )
    )
    left = record(document=None, status=Status.DEMOTED, demoted_at=DAY + timedelta(days=20))
    change = reconciled(branch(FACT, ledger=ledger(line())), left, lineage=lineage).changes[KEY]
    assert (change.event, change.record.pinned, change.record.demoted_at) == ("restored", True, None)


def test_two_lines_of_two_people_are_two_entries_that_share_their_past() -> None:
    third = "Mind the queue worker before the tests, or they hang without a word."
    lines = ledger(line(NEW, was=(KEY,)), line(identity(third), was=(KEY,)))
    found = reconciled(branch(EDITED, third, ledger=lines), record(EDITED), record(third))
    assert not found.twins and not found.missing and not found.rejected
    assert all(change.event == "" for change in found.changes.values())


@pytest.mark.parametrize(("promoted_on", "pinned"), [(3, False), (0, True)])
def test_a_ledger_that_lags_behind_our_own_restore_pins_nothing(promoted_on: int, pinned: bool) -> None:
    here = branch(FACT, ledger=ledger(line(status=Standing.DEMOTED)))
    ours = record(promoted_at=DAY + timedelta(days=promoted_on))
    changes = reconciled(here, ours).changes
    assert (KEY in changes and changes[KEY].record.pinned) is pinned


def test_what_a_merge_brought_back_against_a_removal_is_asked_about() -> None:
    lineage = lineage_of(
        (
            Commit("m", "2026-02-20", ("a", "b"), {"A": document(FACT)}, at=DAY + timedelta(days=9)),
            Commit("a", "", ("0",), {"A": "# T\n" + document(FACT)}, at=DAY + timedelta(days=8)),
            Commit("b", "2026-02-08", ("0",), {"A": document()}, at=DAY + timedelta(days=7)),
            Commit("0", "", (), {"A": document(FACT)}, at=DAY),
        )
    )
    (back,) = reconciled(branch(FACT, ledger=ledger(line(snapshots=3))), record(), lineage=lineage).contested
    assert back.words == "taken out of AGENTS.md in b on 2026-02-08, back since merge m on 2026-02-20"


def test_a_demotion_that_was_discarded_before_it_was_committed_is_undecided() -> None:
    lineage = lineage_of((Commit("a", "", (), {"A": document(FACT)}, version({KEY: line()})),))
    gone = ledger(line(status=Standing.DEMOTED, since=DAY + timedelta(days=9)))
    left = record(document=None, status=Status.DEMOTED, demoted_at=DAY + timedelta(days=9))
    found = reconciled(branch(FACT, ledger=gone), left, lineage=lineage)
    assert found.undecided == {KEY} and found.changes[KEY].event == "promoted here"


def told(what: What, kind: str = "", **changes: object) -> LedgerEvent:
    made = LedgerEvent(id=KEY, at=DAY + timedelta(days=9), what=what, by="person", kind=kind)
    return replace(made, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "withdrawn",
    [{"rejected_at": DAY}, {"status": Status.DEMOTED, "demoted_at": DAY, "kept_out": True}],
    ids=["rejected", "demoted"],
)
def test_what_kept_a_candidate_out_is_lifted_by_an_event_of_another_clone(withdrawn: dict[str, object]) -> None:
    kept_out = record(document=None, promoted_at=None, **withdrawn)
    found = reconciled(branch(ledger=Ledger({}, events=(told(What.RESTORED),))), kept_out)
    after = found.changes[KEY]
    assert (after.event, after.record.rejected_at, after.record.demoted_at) == ("restored", None, None)
    assert (after.record.kept_out, after.record.status) == (False, Status.ACTIVE)
    early = told(What.RESTORED, at=DAY - timedelta(days=1))
    assert KEY not in reconciled(branch(ledger=Ledger({}, events=(early,))), kept_out).changes


def test_a_flag_for_review_comes_and_goes_with_the_ledger() -> None:
    flag = told(What.FEEDBACK, "outdated")
    found = reconciled(branch(ledger=Ledger({}, events=(flag,))), record(document=None, promoted_at=None))
    assert found.changes[KEY].record.review_at == flag.at
    confirmed = told(What.FEEDBACK, "confirm", at=flag.at + timedelta(days=1))
    here = branch(ledger=Ledger({}, events=(flag, confirmed)))
    after = reconciled(here, record(document=None, promoted_at=None, review_at=flag.at))
    assert after.changes[KEY].record.review_at is None


def test_the_ledger_names_what_took_the_place_of_an_entry() -> None:
    heir = record(OTHER, document=None, promoted_at=None)
    gone = line(status=Standing.DEMOTED, by="person", cause=f"superseded by {FAR[:8]}", since=NOW)
    found = reconciled(branch(ledger=ledger(gone)), record(), heir)
    assert (found.changes[KEY].record.superseded_by, found.changes[KEY].record.kept_out) == (FAR, False)
    alone = reconciled(branch(ledger=ledger(gone)), record())
    assert (alone.changes[KEY].record.superseded_by, alone.changes[KEY].record.kept_out) == (None, True)
    purged = reconciled(branch(ledger=ledger(gone, tombstone(FAR, NOW))), record())
    assert (purged.changes[KEY].record.superseded_by, purged.changes[KEY].record.kept_out) == (None, True)


def test_feedback_and_pins_from_before_somebody_else_promoted_it_count() -> None:
    here = branch(FACT, ledger=ledger(line(feedback=-50, pinned=True, pinned_until=NOW)))
    here = replace(here, given={KEY: [Feedback(at=NOW, kind="confirm", amount=100)]})
    mine = record(document=None, promoted_at=None, feedback=100)
    joined = reconciled(here, mine).changes[KEY].record
    assert (joined.pinned, joined.pinned_until, joined.feedback) == (True, NOW, 50), "nobody else knows of ours"
    later = NOW + timedelta(days=30)
    nothing = replace(here, given={})
    both = reconciled(nothing, replace(mine, pinned=True, pinned_until=later, feedback=-50)).changes[KEY].record
    assert (both.pinned_until, both.feedback) == (later, -50), "what was taken along from other words is in the line"
    for_ever = reconciled(here, replace(mine, pinned=True)).changes[KEY].record
    assert (for_ever.pinned, for_ever.pinned_until) == (True, None)


def test_nothing_takes_the_place_of_what_stands_again() -> None:
    out = record(
        document=None, status=Status.DEMOTED, demoted_at=DAY - timedelta(days=3), superseded_by=identity(OTHER)
    )
    back = reconciled(branch(FACT, ledger=ledger(line())), out, record(OTHER, document=None)).changes[KEY].record
    assert (back.document, back.status, back.superseded_by) == ("AGENTS.md", Status.ACTIVE, None)


def test_former_words_with_a_record_of_their_own_left_when_their_rewording_took_their_place() -> None:
    events = (
        LedgerEvent(id=KEY, at=DAY, what=What.PROMOTED, by="person", document="AGENTS.md", written=KEY),
        LedgerEvent(
            id=KEY, at=DAY + timedelta(days=2), what=What.DEMOTED, by="person", cause="reworded", confidence=800
        ),
        LedgerEvent(
            id=NEW,
            at=DAY + timedelta(days=2),
            what=What.PROMOTED,
            by="person",
            document="AGENTS.md",
            written=NEW,
            was=(KEY,),
        ),
    )
    known = folded(events, None, None)
    old, new = record(superseded_by=NEW), record(EDITED, document=None, promoted_at=None)
    change = reconciled(branch(EDITED, ledger=known), old, new).changes[KEY]
    assert (change.event, change.record.status, change.record.document) == ("demoted", Status.DEMOTED, None)
    assert (change.record.demoted_at, change.record.original_confidence) == (DAY + timedelta(days=2), 800)
    assert "reworded" in change.detail


SAID_SAME = "Please run queue worker before tests, or they hang without a word"


def note(text: str = SAID_SAME, **changes: object) -> Record:
    """A candidate of which nothing is known but that the memory has it."""
    return record(text, **{"document": None, "promoted_at": None, "in_memory": True, "counted_at": DAY, **changes})


@pytest.mark.parametrize("is_on_record", [False, True])
def test_a_note_that_says_the_same_is_the_entry_that_nobody_noted_here(is_on_record: bool) -> None:
    here = branch(FACT, OTHER, ledger=ledger(line(snapshots=1), line(FAR)))
    known = [record(counted_at=None)] if is_on_record else []
    found = reconciled(here, note(), note("It is something else.", id="e" * 16), *known)
    change = found.changes[KEY]
    assert set(change.formerly) == {identity(SAID_SAME), *(one.id for one in known)}
    assert found.aliases == {identity(SAID_SAME): KEY}
    assert (change.record.text, change.record.in_memory, change.record.counted_at) == (FACT, True, DAY)
    assert change.record.observed_count == 3


@pytest.mark.parametrize(
    "known",
    [
        {"pinned": True},
        {"rejected_at": DAY},
        {"feedback": -50},
        {"review_at": DAY},
        {"superseded_by": FAR},
        {"promoted_at": DAY},
        {"kept_out": True, "demoted_at": DAY, "status": Status.DEMOTED},
        {"in_memory": False},
        {"text": FACT.replace("before", "after"), "id": "d" * 16},
    ],
)
def test_what_is_more_than_a_note_that_says_the_same_stays_a_record_of_its_own(known: dict[str, object]) -> None:
    found = reconciled(branch(FACT, ledger=ledger(line())), note(**known))
    assert found.changes[KEY].formerly == () and found.aliases == {}


def test_an_entry_that_was_noted_here_takes_no_other_note() -> None:
    found = reconciled(branch(FACT, ledger=ledger(line(snapshots=3))), record(in_memory=True, counted_at=DAY), note())
    assert found.aliases == {}
