"""Feedback on wordings of one note: what a candidate takes along, and what the ledger adds up."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from intermem.core.reconcile.events import LedgerEvent, What, event_text, file_name, parse_event
from intermem.core.reconcile.fold import folded
from intermem.core.reconcile.lineage import Lineage
from intermem.core.reconcile.model import Branch, ReconcilePolicy
from intermem.core.reconcile.reconcile import reconcile
from intermem.entities import Feedback, Record
from tests.core.reconcile.test_ledger_update import NOW, A, B, day, event, record

C = "c" * 16
SAID = "Never call `load_all()` twice: it leaks the handle."
AGAIN = "Never call `load_all()` twice, as it leaks the handle."
OTHERWISE = SAID.replace("load_all", "load_some")


def heir_of(was: str, same: tuple[str, ...], at: float = 1, key: str = B) -> LedgerEvent:
    return replace(event(What.PROMOTED, at), id=key, written=key, was=(was,), same=same)


def felt(amount: int, at: float, key: str = A, **changes: object) -> LedgerEvent:
    return replace(event(What.FEEDBACK, at), id=key, amount=amount, **changes)  # type: ignore[arg-type]


def test_an_event_keeps_what_says_the_same() -> None:
    one = heir_of(A, (A,))
    assert parse_event(event_text(one), file_name(one)) == one
    assert '"same"' not in event_text(replace(one, same=()))


@pytest.mark.parametrize("at", [0.5, 3], ids=["before it was reworded", "by somebody who did not know"])
def test_feedback_on_a_former_wording_is_on_the_one_that_says_the_same(at: float) -> None:
    events = [event(What.PROMOTED), felt(-300, at), heir_of(A, (A,)), felt(100, 2, B)]
    assert folded(events).lines[B].feedback == -200
    assert folded([*events[:2], heir_of(A, ()), events[3]]).lines[B].feedback == 100, "it was corrected"


def test_it_adds_up_along_all_wordings_and_back() -> None:
    chain = [event(What.PROMOTED), felt(-300, 0.5), heir_of(A, (A,)), heir_of(B, (A, B), 2, C), felt(100, 3, B)]
    assert folded(chain).lines[C].feedback == -200
    back = replace(event(What.PROMOTED, 4), was=(B,), same=(B,))
    assert folded([*chain[:3], felt(100, 3, B), back]).lines[A].feedback == -200


def test_a_flag_on_one_wording_is_on_the_one_that_stands_until_somebody_promotes_or_confirms() -> None:
    flag = felt(0, 3, kind="outdated")
    events = [event(What.PROMOTED), heir_of(A, (A,)), flag]
    assert folded(events).reviews == {A: (day(3), True), B: (day(3), True)}
    assert folded([*events, felt(100, 4, B, kind="confirm")]).reviews[B][1] is False
    assert folded([events[0], replace(events[1], at=day(5)), flag]).reviews[A][1] is False, "who did has looked at it"
    assert B not in folded([events[0], heir_of(A, ()), flag]).reviews


def candidate(text: str = AGAIN, **changes: object) -> Record:
    made = record(B, text=text, promoted_at=None, document=None)
    return replace(made, **changes)  # type: ignore[arg-type]


def said(amount: int) -> Feedback:
    return Feedback(at=day(3), kind="confirm", amount=amount)


def carried(former: Record, one: Record, given: dict[str, int] | None = None) -> int:
    records = {each.id: each for each in (former, one)}
    branch = Branch({}, frozenset(), None, given={key: [said(amount)] for key, amount in (given or {}).items()})
    found = reconcile(branch, records, {}, Lineage(), ReconcilePolicy(now=NOW, similarity=0.8, grace=timedelta(14)))
    change = found.changes.get(one.id)
    return change.record.feedback if change is not None else one.feedback


def test_a_candidate_has_the_feedback_on_the_wording_that_stands_and_its_own() -> None:
    former = record(A, text=SAID, document="AGENTS.md", feedback=-300, superseded_by=B)
    assert carried(former, candidate()) == -300
    assert carried(former, candidate(feedback=-300)) == -300
    assert carried(former, candidate(), {B: 100}) == -200
    assert carried(replace(former, feedback=-1000), candidate(), {B: -100}) == -1100
    assert carried(former, candidate(OTHERWISE, feedback=-50)) == -50, "what was corrected is judged anew"
    for out in ({"rejected_at": NOW}, {"promoted_at": NOW}):
        assert carried(former, candidate(**out)) == 0
    never = replace(former, promoted_at=None, document=None)
    assert carried(never, candidate(feedback=-100), {A: -300, B: 100}) == -200
    alone = replace(never, superseded_by=None)
    assert carried(alone, candidate(feedback=-100)) == -100


def test_what_goes_back_to_words_that_stood_takes_along_what_was_fed_back_since() -> None:
    heir = record(A, text=SAID, document="AGENTS.md", promoted_at=day(2), feedback=-600, superseded_by=B)
    back = candidate(promoted_at=day(1))
    assert carried(heir, back) == -600
    assert carried(heir, back, {B: 100}) == -500, "since the other one took its place"
    assert carried(replace(heir, promoted_at=day(4)), back, {B: 100}) == -600, "that one has it"
    assert carried(replace(heir, promoted_at=day(1)), replace(back, promoted_at=day(2))) == 0, "it stood later itself"
