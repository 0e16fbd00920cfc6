from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from intermem.core.lifecycle.confidence import Weights
from intermem.core.lifecycle.decay import (
    Basis,
    Decay,
    DecayPolicy,
    GraceExponentialDecay,
    HalfLifeDecay,
    LinearDecay,
    NoDecay,
)
from intermem.core.lifecycle.gates import flag_of, gate, is_back_once_confirmed, stability_gate
from intermem.core.lifecycle.staleness import (
    Assessment,
    Rules,
    aged,
    assess,
    counts_as_sweep,
    explained,
    goes_stale_at,
    is_contradicted,
    is_demotable,
    is_stale,
    next_streak,
    restated,
    stale_cause,
    stale_reason,
    status_after,
)
from intermem.entities import Citation, Evidence, Judged, Record, Status, Verdict, VerdictStatus

NOW = datetime(2026, 3, 1, tzinfo=UTC)
DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)
RULES = Rules(weights=Weights(), decay=Decay())


def record(**changes: object) -> Record:
    made = Record(
        id="a" * 16,
        text="Use uv.",
        preview="Use uv.",
        section="Build",
        source_file="MEMORY.md",
        first_seen=NOW,
        last_seen=NOW,
        snapshot_count=3,
        in_memory=True,
    )
    return replace(made, **changes)


BROKEN = Judged(
    citation=Citation(kind="path", text="a.py", name="a.py"),
    verdict=Verdict(status=VerdictStatus.BROKEN, reason="deleted", commit="1234567890abcdef", date="2026-02-01"),
)


@pytest.mark.parametrize(
    ("base", "confidence", "stale"),
    [(500, 300, True), (300, 300, False), (299, 299, True), (301, 301, False), (500, 301, False), (0, 0, True)],
)
def test_stale_is_below_the_threshold_or_decayed_to_it(base: int, confidence: int, stale: bool) -> None:
    assert is_stale(base, confidence, 300) is stale


@pytest.mark.parametrize(
    ("age", "confidence", "stale"),
    [
        (14 * DAY, 500, False),
        (14 * DAY + SECOND, 400, False),
        (28 * DAY - SECOND, 400, False),
        (28 * DAY, 300, True),
        (28 * DAY + SECOND, 300, True),
        (42 * DAY, 200, True),
    ],
)
def test_an_uncited_entry_goes_stale_at_28_days(age: timedelta, confidence: int, stale: bool) -> None:
    found = assess(record(last_seen=NOW - age), (), NOW, RULES)
    assert (found.base, found.confidence, found.stale, found.decayed) == (500, confidence, stale, confidence < 500)


def test_a_pinned_entry_neither_decays_nor_goes_stale() -> None:
    found = assess(record(pinned=True, last_seen=NOW - 400 * DAY), (BROKEN,), NOW, RULES)
    assert (found.confidence, found.stale) == (100, False)
    assert goes_stale_at(record(pinned=True), 500, NOW, RULES) is None


def test_a_streak_grows_while_stale_and_resets_otherwise() -> None:
    assert [next_streak(0, True), next_streak(1, True), next_streak(7, False)] == [1, 2, 0]


def test_sweeps_too_close_together_count_once() -> None:
    rules = replace(RULES, sweep_interval=DAY)
    assert counts_as_sweep(None, NOW, rules)
    assert not counts_as_sweep(NOW - DAY + SECOND, NOW, rules)
    assert counts_as_sweep(NOW - DAY, NOW, rules)
    assert counts_as_sweep(NOW, NOW, RULES)


@pytest.mark.parametrize(
    ("document", "stale", "streak", "demotable"),
    [
        ("AGENTS.md", True, 2, True),
        ("AGENTS.md", True, 1, False),
        ("AGENTS.md", False, 2, False),
        (None, True, 2, False),
    ],
)
def test_only_a_promoted_entry_with_a_streak_of_two_is_demotable(
    document: str | None, stale: bool, streak: int, demotable: bool
) -> None:
    assert is_demotable(record(document=document), stale, streak, RULES) is demotable


def test_demotion_ends_only_by_promotion() -> None:
    assert status_after(record(status=Status.DEMOTED), stale=False) is Status.DEMOTED
    assert status_after(record(), stale=True) is Status.STALE
    assert status_after(record(status=Status.STALE), stale=False) is Status.ACTIVE


def test_a_reason_is_in_numbers_and_names_the_commit() -> None:
    old = record(last_seen=NOW - 29 * DAY)
    said = stale_reason(old, assess(old, (BROKEN,), NOW, RULES), (BROKEN,), NOW, RULES.decay)
    assert said == (
        "confidence 0.0; not seen for 29 days (since 2026-01-31), down from 0.1;"
        " cites a.py: broken (deleted) in 1234567890 on 2026-02-01"
    )


def test_a_reason_names_what_people_said_against_it() -> None:
    doubted = record(feedback=-300)
    assert stale_reason(doubted, assess(doubted, (), NOW, RULES), (), NOW, RULES.decay) == (
        "confidence 0.2; feedback −0.3"
    )
    confirmed = record(feedback=100)
    assert "feedback" not in stale_reason(confirmed, assess(confirmed, (), NOW, RULES), (), NOW, RULES.decay)


def test_a_move_says_where_to() -> None:
    moved = Verdict(status=VerdictStatus.MOVED, target="b.py", commit="1234567890abcdef", date="2026-02-01")
    assert explained(replace(BROKEN, verdict=moved)) == "moved to b.py in 1234567890 on 2026-02-01"


@pytest.mark.parametrize(
    ("base", "days"),
    [(500, 28), (800, 70), (400, 14), (1000, 98), (301, 14)],
)
def test_the_day_of_going_stale_is_foretold(base: int, days: int) -> None:
    foretold = goes_stale_at(record(), base, NOW, RULES)
    assert foretold is not None
    just_past_grace = SECOND if days == 14 else timedelta(0)
    assert foretold == NOW + days * DAY + just_past_grace


@pytest.mark.parametrize("base", [350, 500, 620, 800, 1000])
@pytest.mark.parametrize("policy", [LinearDecay(), GraceExponentialDecay(), HalfLifeDecay()])
def test_the_foretold_moment_is_the_first_stale_one(base: int, policy: DecayPolicy) -> None:
    rules = replace(RULES, weights=Weights(base=base), decay=Decay(policy=policy))
    moment = goes_stale_at(record(), base, NOW, rules)
    assert moment is not None
    assert assess(record(), (), moment, rules).stale
    assert not assess(record(), (), moment - SECOND, rules).stale


def test_a_pin_that_ends_is_foretold() -> None:
    forgotten = record(pinned=True, pinned_until=NOW + 400 * DAY)
    assert goes_stale_at(forgotten, 500, NOW, RULES) == NOW + 400 * DAY
    assert not assess(forgotten, (), NOW + 400 * DAY - SECOND, RULES).stale
    assert assess(forgotten, (), NOW + 400 * DAY, RULES).stale
    soon = record(pinned=True, pinned_until=NOW + DAY)
    assert goes_stale_at(soon, 500, NOW, RULES) == goes_stale_at(record(), 500, NOW, RULES)


def test_what_is_stale_already_is_foretold_for_now() -> None:
    assert goes_stale_at(record(), 100, NOW, RULES) == NOW


def test_without_decay_nothing_goes_stale_by_itself() -> None:
    assert goes_stale_at(record(), 500, NOW, replace(RULES, decay=Decay(policy=NoDecay()))) is None
    assert goes_stale_at(record(), 500, NOW, replace(RULES, decay=Decay(policy=LinearDecay(step=0)))) is None


FRESH = Assessment(base=500, confidence=500, stale=False)


@pytest.mark.parametrize(
    ("changes", "name", "reason"),
    [
        ({"text": None}, "text", "its text is not known here until a scan sees the note"),
        ({"rejected_at": NOW}, "rejected", "rejected on 2026-03-01; intermem restore aaaaaaaa lifts that"),
        (
            {"review_at": NOW},
            "review",
            "flagged for review on 2026-03-01; intermem feedback aaaaaaaa confirm lifts that",
        ),
        (
            {"superseded_by": "b" * 16, "in_memory": True},
            "superseded",
            "superseded by bbbbbbbb; intermem restore aaaaaaaa lifts that",
        ),
        ({"missing_from": "A.md"}, "missing", "missing from A.md: intermem restore aaaaaaaa puts it back"),
        ({"type": "user"}, "type", "private: notes of type user are never promoted"),
        ({"type": "concept"}, "type", "type concept is not in promote.types"),
        ({"in_memory": False}, "gone", "no longer in the memory (last seen 2026-03-01)"),
        (
            {"kept_out": True, "demoted_at": NOW},
            "withdrawn",
            "a person took it out on 2026-03-01; intermem restore aaaaaaaa lifts that",
        ),
        (
            {"kept_out": True, "in_memory": False},
            "withdrawn",
            "a person took it out; intermem restore aaaaaaaa lifts that",
        ),
        ({"demoted_at": NOW}, "demoted", "demoted on 2026-03-01: a later scan must see it"),
        (
            {"demoted_at": NOW + timedelta(days=1)},
            "demoted",
            "demoted on 2026-03-02 and not seen since: intermem scan reads the memory",
        ),
    ],
)
def test_a_gate_refuses_with_its_reason(changes: dict[str, object], name: str, reason: str) -> None:
    refusal = gate(record(**changes), FRESH, (), NOW, RULES)
    assert refusal is not None
    assert (refusal.gate, refusal.reason) == (name, reason)


def test_a_stale_entry_is_refused_with_its_figures() -> None:
    refusal = gate(record(), Assessment(base=100, confidence=100, stale=True), (BROKEN,), NOW, RULES)
    assert refusal is not None
    assert refusal.reason.startswith("stale: confidence 0.1; cites a.py: broken")


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({}, "unread"),
        ({"in_memory": False}, "gone"),
        ({"feedback": -300}, "stale"),  # a scan would not help
        ({"held_at": NOW - 60 * DAY}, "unread"),
    ],
)
def test_a_note_that_only_a_scan_would_freshen_is_not_called_stale(changes: dict[str, object], name: str) -> None:
    old = record(last_seen=NOW - 65 * DAY, **changes)
    refusal = gate(old, assess(old, (), NOW, RULES), (), NOW, RULES)
    assert refusal is not None
    assert refusal.gate == name
    if name == "unread":
        assert refusal.reason == "no scan has read it since 2025-12-26: intermem scan reads the memory"


def test_nothing_is_against_a_stable_entry() -> None:
    assert gate(record(), FRESH, (), NOW, RULES) is None
    assert gate(record(demoted_at=NOW - SECOND), FRESH, (), NOW, RULES) is None
    assert gate(record(text="\n".join("x" * 12)), FRESH, (), NOW, RULES) is None


def test_beyond_the_calendar_nothing_goes_stale() -> None:
    slow = replace(RULES, decay=Decay(policy=LinearDecay(period=timedelta(days=36_500), step=1)))
    assert goes_stale_at(record(), 500, NOW, slow) is None


def test_a_last_sweep_in_the_future_holds_nothing_up() -> None:
    assert counts_as_sweep(NOW + DAY, NOW, replace(RULES, sweep_interval=DAY))


@pytest.mark.parametrize(
    ("changes", "judged", "cause"),
    [
        ({"last_seen": NOW - 40 * DAY}, (), "decay"),
        ({}, (BROKEN,), "citations"),
        ({"feedback": -300}, (), "feedback"),
        ({"feedback": -300}, (BROKEN,), "citations"),
    ],
)
def test_what_made_an_entry_stale_has_one_word(
    changes: dict[str, object], judged: tuple[Judged, ...], cause: str
) -> None:
    entry = record(citations=judged, **changes)
    assert stale_cause(entry, assess(entry, judged, NOW, RULES), RULES) == cause


def test_only_evidence_that_is_mostly_right_contradicts_an_entry() -> None:
    def judged(evidence: Evidence | None, commit: str | None = "a" * 40) -> Judged:
        verdict = Verdict(status=VerdictStatus.BROKEN, commit=commit, evidence=evidence)
        return Judged(citation=Citation(kind="path", text="a.py", name="a.py"), verdict=verdict)

    assert is_contradicted([judged(Evidence.DELETED)])
    assert is_contradicted([judged(None)]), "an older record does not say"
    assert not is_contradicted([judged(Evidence.NAMESAKE)])
    assert not is_contradicted([judged(Evidence.USE)])
    assert not is_contradicted([judged(Evidence.VERSION)]), "no commit took anything away"
    assert not is_contradicted([judged(Evidence.DELETED, commit=None)])


def test_an_age_is_told_in_words() -> None:
    one = record()
    assert aged(one, NOW - 28 * DAY, NOW, Basis.SEEN) == "not seen for 28 days (since 2026-02-01)"
    assert aged(one, NOW - 2 * DAY, NOW, Basis.USED) == "not used for 2 days (since 2026-02-27)"
    assert aged(one, NOW, NOW, Basis.SEEN) == aged(one, NOW + SECOND, NOW, Basis.SEEN) == "not seen since 2026-03-01"


def test_an_age_names_the_day_of_the_last_word_and_what_of_it_does_not_count() -> None:
    silent = record(held_at=NOW - 28 * DAY, last_word=NOW - 208 * DAY)
    said = "not seen for 208 days (since 2025-08-05), less the 180 days of ledger.observer_days"
    assert aged(silent, NOW - 28 * DAY, NOW, Basis.SEEN) == said
    assert aged(silent, NOW - 2 * DAY, NOW, Basis.LATEST) == "neither seen nor queried for 2 days (since 2026-02-27)"


def test_what_an_observer_holds_ages_from_when_that_is_no_longer_believed() -> None:
    held = record(held_at=NOW, held_until=NOW + 180 * DAY)
    assert goes_stale_at(held, 500, NOW, RULES) == NOW + 208 * DAY
    assert goes_stale_at(replace(held, held_at=NOW + 100 * DAY), 500, NOW + 100 * DAY, RULES) == NOW + 208 * DAY


def test_a_record_has_the_reason_of_its_status_and_the_time_of_its_confidence() -> None:
    low = Assessment(base=500, confidence=200, stale=True)
    stale = restated(record(confidence=500, base_confidence=500), low, [], NOW + 60 * DAY, RULES)
    assert (stale.status, stale.confidence, stale.confidence_updated_at) == (Status.STALE, 200, NOW + 60 * DAY)
    assert "not seen since " in stale.reason
    again = restated(stale, low, [], NOW + 61 * DAY, RULES)
    assert (again.reason, again.confidence_updated_at) == (stale.reason, NOW + 60 * DAY), "nothing changed"
    well = restated(stale, Assessment(base=500, confidence=500, stale=False), [], NOW + 61 * DAY, RULES)
    assert (well.status, well.reason) == (Status.ACTIVE, "")


def test_what_is_flagged_for_review_waits_for_a_word() -> None:
    flagged = record(review_at=NOW, status=Status.DEMOTED, demoted_at=NOW)
    word = flag_of(flagged)
    assert word is not None and word.lifted_by == "intermem feedback aaaaaaaa confirm" and flag_of(record()) is None
    assert is_back_once_confirmed(flagged) and not is_back_once_confirmed(replace(flagged, superseded_by="b" * 16))
    assert not is_back_once_confirmed(record())


def test_what_others_have_seen_does_not_make_a_note_stable() -> None:
    assert stability_gate(record(), RULES) is None
    refusal = stability_gate(record(snapshot_count=3, imported_count=2), RULES)
    assert refusal is not None and refusal.reason == "seen in 1 of 3 snapshots (not counting 2 from elsewhere)"


def test_what_nobody_has_read_since_it_was_demoted_waits_for_a_scan() -> None:
    left = record(status=Status.DEMOTED, demoted_at=NOW, last_seen=NOW - DAY)
    refusal = gate(left, FRESH, (), NOW, RULES)
    assert refusal is not None and "not seen since: intermem scan reads the memory" in refusal.reason
