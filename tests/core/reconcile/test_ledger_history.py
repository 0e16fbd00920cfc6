"""What the ledgers of many commits said of one entry."""

from __future__ import annotations

import pytest

from intermem.core.reconcile.events import LedgerEvent, What, event_text, file_name
from intermem.core.reconcile.ledger import Standing
from intermem.core.reconcile.ledger_history import LedgerHistory, LedgerVersion, ledger_of, purged_in
from intermem.errors import LedgerRefused
from tests.core.reconcile.test_fold import ME, A, B, C, D, day, event, old
from tests.old_ledger import ledger_text

LIFE = [
    event(What.PROMOTED, 1),
    event(What.REWORDED, 2, written=B, was=(A,), document="CLAUDE.md"),
    event(What.DEMOTED, 3),
    event(What.PROMOTED, 2, key=C),
]
TEXTS = {file_name(one): event_text(one) for one in LIFE}


def version(*events: LedgerEvent, lines: str | None = None) -> LedgerVersion:
    return LedgerVersion(frozenset(file_name(one) for one in events), lines)


def test_a_version_says_of_an_entry_what_its_own_events_say() -> None:
    first, last = version(*LIFE[:2], LIFE[3]), version(*LIFE)
    history = LedgerHistory(TEXTS, (first, last))
    for name in (A, B):
        line = history.line(first, name) or history.about(first, name).lines[B]
        assert (line.id, line.status) == (B, Standing.PROMOTED)
    assert history.about(last, B).lines[B].status is Standing.DEMOTED
    assert list(history.about(last, C).lines) == [C], "nothing of entries that have nothing to do with it"
    assert history.line(last, D) is None


def test_what_any_version_says() -> None:
    history = LedgerHistory(TEXTS, (version(*LIFE), version(lines=ledger_text({D: old(D, was=(C,))}))))
    assert history.documents == {"AGENTS.md", "CLAUDE.md"}
    assert history.promoted == {A, B, C, D}
    assert history.wordings == {A: {B}, C: {D}}


def test_a_ledger_of_0_1_is_read_beside_the_events() -> None:
    lines = ledger_text({A: old()})
    history = LedgerHistory(TEXTS, (version(LIFE[2], lines=lines),))
    found = history.line(history.versions[0], A)
    assert found is not None and found.status is Standing.DEMOTED
    assert ledger_of({}, lines).lines == {A: old()}


def test_files_that_are_no_events_say_nothing_of_the_past_and_stop_the_present() -> None:
    name = next(iter(TEXTS))
    assert LedgerHistory({name: "no event"}, ()).promoted == frozenset()
    with pytest.raises(LedgerRefused):
        ledger_of({name: "no event"}, None)


def test_tombstones_are_found_in_events_and_in_lines() -> None:
    gone = event_text(LedgerEvent(id=A, at=day(1), what=What.PURGED))
    assert purged_in([gone, "nonsense", event_text(LIFE[0])], None) == {A}


def test_a_ledger_knows_the_event_that_says_where_an_entry_stands() -> None:
    found = ledger_of(TEXTS, None)
    assert found.standing_events[A] == LIFE[2] and found.said == {A: day(3), C: day(2)}
    rivals = [event(What.REWORDED, 2, written=B, was=(A,)), event(What.REWORDED, 3, written=D, was=(A,))]
    texts = {file_name(one): event_text(one) for one in [LIFE[0], *rivals]}
    assert ledger_of(texts, None).rivals == {B}
    assert ledger_of({file_name(one): event_text(one) for one in [event(What.HELD, 1, observer=ME)]}, None).said == {}
