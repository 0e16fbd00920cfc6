from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from intermem.core.entries.identity import identity
from intermem.core.entries.similarity import DUPLICATE, duplicate_of, likeness
from intermem.core.lifecycle.confidence import Weights
from intermem.core.lifecycle.decay import Decay
from intermem.core.lifecycle.gates import Limits, stability_gate
from intermem.core.lifecycle.promotion import (
    Candidate,
    candidates_of,
    known_texts,
    plan_demotions,
    plan_promotions,
    sorted_candidates,
    superseded_in_documents,
    worth_of_record,
)
from intermem.core.lifecycle.staleness import Assessment, Rules
from intermem.core.markdown.markers import END
from intermem.core.region.budget import Budget
from intermem.core.region.edit import Addition, edited
from intermem.core.region.parse import find_region
from intermem.entities import Record
from intermem.errors import DocumentRefused, EditRefused

NOW = datetime(2026, 3, 1, tzinfo=UTC)
RULES = Rules(weights=Weights(), decay=Decay())
FIGURES = Assessment(base=500, confidence=500, stale=False)
EMPTY = "# P\n\n<!-- intermem:begin -->\n<!-- intermem:end -->\n"


def record(text: str = "Use uv.", **changes: object) -> Record:
    made = Record(
        id=identity(text),
        text=text,
        preview=text,
        section="S",
        trail=("S",),
        source_file="MEMORY.md",
        first_seen=NOW,
        last_seen=NOW,
        snapshot_count=3,
        in_memory=True,
    )
    return replace(made, **changes)


def candidate(text: str, confidence: int = 500) -> Candidate:
    made = record(text)
    figures = Assessment(base=confidence, confidence=confidence, stale=False)
    return Candidate(made, figures, (), text, worth_of_record(made, 400))


def no_secret(_text: str) -> None:
    return None


def test_candidates_are_sorted_best_first() -> None:
    one = record("one", snapshot_count=4)
    two = record("two")
    three = record("three", first_seen=datetime(2026, 1, 1, tzinfo=UTC))
    strong = record("strong")
    figures = Assessment(base=500, confidence=500, stale=False)
    best = Assessment(base=800, confidence=800, stale=False)
    promoted = record("promoted", document="AGENTS.md")
    unstable = record("unstable", snapshot_count=1)
    found = [(each, best if each is strong else figures, ()) for each in (two, one, three, strong, promoted, unstable)]
    passed, refused = candidates_of(found, NOW, RULES, Limits(worth=0))
    assert [each.text for each in passed] == ["strong", "one", "three", "two", "unstable"]
    assert [[one.gate for one in each.held] for each in passed] == [[], [], [], [], ["snapshots"]]
    assert refused == []


def test_imported_snapshots_do_not_make_an_entry_stable() -> None:
    one = record("planted", snapshot_count=99, imported_count=98)
    refusal = stability_gate(one, RULES)
    assert refusal is not None
    assert refusal.reason == "seen in 1 of 3 snapshots (not counting 98 from elsewhere)"
    assert stability_gate(replace(one, imported_count=96), RULES) is None


def test_a_plan_holds_the_text_and_the_reasons() -> None:
    wanted = [candidate("Alpha."), candidate("Alfa"), candidate("Alpha"), candidate("Bravo."), candidate("Charlie.")]
    plan = plan_promotions(wanted, EMPTY, "A.md", Limits(entries=3), no_secret)
    assert [one.text for one in plan.promoted] == ["Alpha.", "Alfa", "Bravo."]
    assert [(one.text, why.gate) for one, why in plan.refused] == [("Alpha", "duplicate"), ("Charlie.", "limit")]
    assert "- Alpha.\n" in plan.text
    assert plan_demotions(plan.text, "A.md", [one.record.id for one in plan.promoted]) == (EMPTY, {})


def test_nothing_is_planned_for_a_secret_or_an_unsafe_text() -> None:
    plan = plan_promotions([candidate("x")], EMPTY, "A.md", Limits(), lambda _text: "Rule")
    assert [(why.gate, why.reason) for _, why in plan.refused] == [("secret", "it seems to hold a secret (Rule)")]
    plan = plan_promotions([candidate("---")], EMPTY, "A.md", Limits(), no_secret)
    assert [why.gate for _, why in plan.refused] == ["unsafe"]
    assert plan.text == EMPTY


def test_limits_of_zero_are_none() -> None:
    words = [
        "Alpha",
        "Bravo",
        "Charlie",
        "Delta",
        "Echo",
        "Foxtrot",
        "Golf",
        "Hotel",
        "India",
        "Juliett",
        "Kilo",
        "Lima",
    ]
    plan = plan_promotions(
        [candidate(w) for w in words], EMPTY, "A.md", Limits(entries=0, budget=Budget(entries=0, tokens=0)), no_secret
    )
    assert len(plan.promoted) == 12


def test_a_document_without_region_is_refused() -> None:
    with pytest.raises(DocumentRefused):
        plan_promotions([candidate("x")], "# P\n", "A.md", Limits(), no_secret)


def test_a_document_says_its_items_and_paragraphs_also_one_by_one() -> None:
    said = known_texts("\ufeffRules:\n- one\n- two\n\nwith code\n\n```\nx\n```\n")
    assert set(said) == {"Rules:\n- one\n- two", "Rules:", "one", "two", "with code\n\n```\nx\n```", "with code"}


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        ("same", "same.", True),
        ("The quick brown fox jumps over the lazy dog", "The quick brown fox jumped over the lazy dog", True),
        ("The quick brown fox jumps over 12 lazy dogs", "The quick brown fox jumps over 13 lazy dogs", False),
        ("You can run the suite twice in a row", "You can't run the suite twice in a row", False),
        ("Call `render` and then write the page", "Call `rinder` and then write the page", False),
        ("short", "completely other words", False),
    ],
)
def test_duplicates(one: str, two: str, same: bool) -> None:
    assert (duplicate_of(one, ["nothing alike", two]) == two) is same


def test_the_newest_wording_knows_the_one_that_stands() -> None:
    first = record("first", document="AGENTS.md", superseded_by=identity("second"))
    second = record("second", superseded_by=identity("third"))
    third = record("third")
    assert superseded_in_documents([first, second, third]) == {third.id: first}
    loop = replace(third, superseded_by=first.id)
    assert superseded_in_documents([first, second, loop]) == {third.id: first}
    assert superseded_in_documents([replace(first, document=None), second, third]) == {}


OLD = "The local server listens on port 8080, and the proxy before it on 443."
NEW = "The local server listens on port 9090, and the proxy before it on 443."


def test_a_revision_replaces_its_former_wording() -> None:
    text = edited(EMPTY, "AGENTS.md", add=[Addition(OLD, "S"), Addition("Something else.", "S")])
    old = record(OLD, document="AGENTS.md", superseded_by=identity(NEW))
    (found,), _ = candidates_of([(record(NEW), FIGURES, ())], NOW, RULES, Limits(worth=0), {identity(NEW): old})
    plan = plan_promotions([found], text, "AGENTS.md", Limits(), no_secret)
    assert (plan.refused, plan.text) == ((), text.replace("8080", "9090"))


def test_rules_go_above_the_facts_of_their_section() -> None:
    facts = ["Builds take a minute.", "The cache holds wheels."]
    rules = ["Never build on the host.", "Run `make lock` after a change."]
    standing = EMPTY.replace(END, f"## S\n\n- {facts[1]}\n{END}")
    plan = plan_promotions(
        [candidate(text) for text in (rules[1], facts[0], rules[0])], standing, "AGENTS.md", Limits(), no_secret
    )
    region = find_region(plan.text, "AGENTS.md")
    assert region is not None and [item.text for item in region.items] == [*rules, *facts]


@pytest.mark.parametrize(
    ("changes", "gate"), [({"pinned": True}, "pinned"), ({"document": "CLAUDE.md"}, "elsewhere"), ({}, "elsewhere")]
)
def test_a_revision_is_refused_where_its_former_wording_must_stay(changes: dict[str, object], gate: str) -> None:
    old = replace(record(OLD, document="AGENTS.md"), **changes)  # type: ignore[arg-type]
    found = replace(candidate(NEW), replaces=old)
    plan = plan_promotions([found], EMPTY, "AGENTS.md", Limits(), no_secret)
    assert [why.gate for _, why in plan.refused] == [gate] and plan.text == EMPTY


def test_texts_of_any_length_are_compared_in_a_bounded_way() -> None:
    long = "A long text. " * 100_000
    assert likeness(long, long + " One more.", DUPLICATE) > 0.99
    assert likeness(long, "short", DUPLICATE) == 0.0
    assert likeness(long, "b" * len(long), DUPLICATE) == 0.0


def test_one_that_cannot_be_taken_out_holds_up_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    def careful(text: str, name: str, *, remove: Iterable[str]) -> str:
        keys = list(remove)
        if "b" in keys:
            raise EditRefused(f"{name}: b reaches outside")
        return text.replace("".join(keys), "")

    monkeypatch.setattr("intermem.core.lifecycle.promotion.edited", careful)
    text, stuck = plan_demotions("abc", "A.md", ["a", "b", "c"])
    assert (text, set(stuck)) == ("b", {"b"})


def refusals(*records: Record) -> dict[str, str]:
    pairs = [(one, FIGURES) for one in records]
    owners = {one.id: one.id for one in records}
    _, refused = sorted_candidates(pairs, (), owners, {}, NOW, RULES, Limits(worth=0), frozenset())
    return {one.id: refusal.reason for one, refusal in refused}


def test_a_wording_is_not_written_of_an_entry_that_stands_in_another() -> None:
    chosen = record("Use uv, and never pip.", document="AGENTS.md", note_id=identity("Use uv."))
    note = record("Use uv.")
    assert refusals(chosen, note) == {note.id: "it is in AGENTS.md in another wording"}
    assert refusals(replace(chosen, note_id=None), note) == {}


@pytest.mark.parametrize(("again", "refused"), [("Always use uv for 2 jobs.", True), ("Use uv for 3 jobs.", False)])
def test_a_new_wording_of_what_was_rejected_is_refused_if_it_says_the_same(again: str, refused: bool) -> None:
    new = record(again)
    old = record("Use uv for 2 jobs.", rejected_at=NOW, superseded_by=new.id, in_memory=False)
    found = refusals(old, new)
    assert ("in its former wording" in found.get(new.id, "")) is refused


def test_what_the_document_says_already_is_refused_with_the_id_of_the_entry() -> None:
    by_hand = f"# A\n\n- {OLD}\n\n{EMPTY}"
    ((_, why),) = plan_promotions([candidate(OLD)], by_hand, "AGENTS.md", Limits(), no_secret).refused
    assert why.reason.startswith("AGENTS.md says so already: ")
    both = [candidate(OLD), candidate(f"{OLD} ")]
    ((_, why),) = plan_promotions(both, EMPTY, "AGENTS.md", Limits(), no_secret).refused
    assert why.reason.startswith(f"AGENTS.md says so already in {identity(OLD)[:8]}: ")


def test_what_another_document_says_already_is_refused() -> None:
    elsewhere = {"docs/intermem/s.md": ["Something else.", OLD]}
    plan = plan_promotions([candidate(OLD)], EMPTY, "AGENTS.md", Limits(), no_secret, elsewhere)
    ((_, why),) = plan.refused
    assert (why.gate, why.reason) == (
        "duplicate",
        f"docs/intermem/s.md says so already in {identity(OLD)[:8]}: {OLD[:59]}…",
    )
    former = record(OLD, document="AGENTS.md", superseded_by=identity(NEW))
    text = edited(EMPTY, "AGENTS.md", add=[Addition(OLD, "S")])
    (found,), _ = candidates_of([(record(NEW), FIGURES, ())], NOW, RULES, Limits(worth=0), {identity(NEW): former})
    assert plan_promotions([found], text, "AGENTS.md", Limits(), no_secret, {"x.md": [OLD]}).refused == ()


@pytest.mark.parametrize(
    ("changes", "terms", "gate"),
    [
        ({"document": "AGENTS.md", "promoted_at": NOW}, {}, "promoted"),
        ({}, {"purged": {identity("Use uv."): NOW.date()}}, "purged"),
        ({}, {"owners": {identity("Use uv."): "f" * 16}}, "duplicate"),
    ],
)
def test_what_is_wanted_and_cannot_be_is_refused_with_the_reason(
    changes: dict[str, object], terms: dict[str, dict[str, object]], gate: str
) -> None:
    one = record(**changes)
    owners: dict[str, str] = {}
    purged: dict[str, date] = {}
    owners |= terms.get("owners", {})  # type: ignore[arg-type]
    purged |= terms.get("purged", {})  # type: ignore[arg-type]
    passed, refused = sorted_candidates([(one, FIGURES)], {one.id}, owners, purged, NOW, RULES, Limits(), frozenset())
    assert passed == [] and [why.gate for _, why in refused] == [gate]


def test_a_wording_that_somebody_gave_is_what_would_be_written() -> None:
    one = record()
    (found,), _ = sorted_candidates(
        [(one, FIGURES)], {one.id}, {}, {}, NOW, RULES, Limits(), frozenset(), wording="Prefer uv."
    )
    assert (found.text, found.reworded, found.standing_id) == ("Prefer uv.", True, identity("Prefer uv."))


def test_what_is_named_is_written_beside_what_is_only_alike() -> None:
    one, other = (
        f"Never push to {name} by hand: the nightly job overwrites what is there." for name in ("main", "dev")
    )
    same = one.replace("the nightly job", "nightly job")
    plan = plan_promotions([candidate(text) for text in (one, other)], EMPTY, "A", Limits(), no_secret)
    assert [why.gate for _, why in plan.refused] == ["duplicate"]
    named = [replace(candidate(text), named=True) for text in (one, other, same)]
    plan = plan_promotions(named, EMPTY, "A", Limits(), no_secret)
    assert [found.text for found in plan.promoted] == [one, other]
    assert [(found.text, why.gate) for found, why in plan.refused] == [(same, "duplicate")]
    plan = plan_promotions(named[:2], EMPTY, "A", Limits(), no_secret, {"B": [one]})
    assert [found.text for found in plan.promoted] == [other]
    assert [why.reason.split(" so already")[0] for _, why in plan.refused] == ["B says"]
