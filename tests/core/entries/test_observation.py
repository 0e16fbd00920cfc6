from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from intermem.core.entries.identity import identity, phase_one_identity
from intermem.core.entries.observation import (
    MOST_PROVEN,
    Known,
    Observed,
    ascending,
    counted_before,
    observe,
    preview_of,
    revised,
    still_said,
    unchanged,
    without_record,
)
from intermem.core.entries.wordings import said_again
from intermem.entities import Entry, Record, Source

NOW = datetime(2026, 3, 1, tzinfo=UTC)
HOUR = timedelta(hours=1)
SECOND = timedelta(seconds=1)
TEXT = "Prefer short functions."
KEY = identity(TEXT)


def entry(text: str = TEXT, session: str | None = None, file: str = "MEMORY.md") -> Entry:
    source = Source(file=file, first_line=1, last_line=1)
    return Entry(id=identity(text), text=text, section="Style", source=source, session=session)


def alike(_: Entry) -> int:
    """A rank that puts no note above another."""
    return 0


def record(**changes: object) -> Record:
    made = Record(
        id=KEY,
        text=TEXT,
        preview=TEXT,
        section="Style",
        source_file="MEMORY.md",
        first_seen=NOW - 10 * HOUR,
        last_seen=NOW - HOUR,
        counted_at=NOW - HOUR,
        snapshot_count=2,
        in_memory=True,
        read_by=1,
    )
    return replace(made, **changes)


def seen(
    known: Record | None, *entries: Entry, sessions: Sequence[str] = (), aliases: dict[str, str] | None = None
) -> Observed:
    by_id: dict[str, list[Entry]] = {}
    for one in entries or (entry(),):
        by_id.setdefault(one.id, []).append(one)
    records = {known.id: known} if known is not None else {}
    (found,) = observe(by_id, Known(records, aliases or {}, {KEY: frozenset(sessions)}), NOW, HOUR)
    return found


def test_a_new_entry_counts_once() -> None:
    found = seen(None)
    assert (found.record.snapshot_count, found.record.first_seen, found.event) == (1, NOW, "first seen")
    assert found.record.in_memory


@pytest.mark.parametrize(
    ("counted_at", "count"),
    [(NOW - HOUR, 3), (NOW - HOUR + SECOND, 2), (NOW, 2), (NOW + HOUR, 3), (None, 3)],
)
def test_an_observation_counts_an_hour_after_the_last_counted_one(counted_at: datetime | None, count: int) -> None:
    found = seen(record(counted_at=counted_at)).record
    assert found.snapshot_count == count
    assert found.counted_at == (NOW if count == 3 else counted_at)
    assert found.last_seen == NOW


@pytest.mark.parametrize(("session", "count"), [("new", 3), ("old", 2), (None, 2)])
def test_a_new_session_behind_the_entry_counts_at_once(session: str | None, count: int) -> None:
    assert seen(record(counted_at=NOW), entry(session=session), sessions=["old"]).record.snapshot_count == count


def test_last_seen_never_moves_back() -> None:
    assert seen(record(last_seen=NOW + HOUR)).record.last_seen == NOW + HOUR


def test_an_entry_that_was_gone_is_seen_again() -> None:
    assert seen(record(in_memory=False)).event == "seen again"
    assert seen(record()).event == ""


def test_an_echo_is_seen_and_not_counted() -> None:
    echo = seen(record(in_memory=False, document="AGENTS.md"), entry(session="new")).record
    assert (echo.snapshot_count, echo.last_seen) == (2, NOW)
    assert seen(record(document="AGENTS.md")).record.snapshot_count == 3
    assert seen(record(in_memory=False)).record.snapshot_count == 3


def long_gone(**changes: object) -> Record:
    """An entry that stands, and whose note left the memory a month ago."""
    return record(in_memory=False, document="AGENTS.md", last_seen=NOW - timedelta(days=30), **changes)


def test_what_the_agent_may_have_copied_from_the_document_is_an_echo() -> None:
    assert seen(long_gone()).record.echoed
    assert seen(long_gone(), entry(session="new"), sessions=["old"]).record.echoed
    assert seen(long_gone(), entry(file="topic.md", session="old"), sessions=["old"]).record.echoed
    assert seen(long_gone(note_id="f" * 16, note_text="Prefer short functions, says Ann.")).record.echoed
    never_here = record(in_memory=False, document="AGENTS.md", counted_at=None)
    assert seen(never_here).record.echoed


def test_a_note_that_comes_back_as_it_was_is_no_echo_and_still_not_counted() -> None:
    own_words = long_gone(id="e" * 16, text="Short functions.", note_id=KEY, note_text=TEXT)
    by_alias = seen(own_words, aliases={KEY: "e" * 16}).record
    by_session = seen(long_gone(), entry(session="old"), sessions=["old"]).record
    soon = seen(record(in_memory=False, document="AGENTS.md", last_seen=NOW - timedelta(days=1))).record
    for one in (by_alias, by_session, soon):
        assert (one.echoed, one.snapshot_count, one.in_memory) == (False, 2, True)


@pytest.mark.parametrize("moved", [{"source_file": "other.md"}, {"section": "Tests"}, {"last_seen": NOW + HOUR}])
def test_a_note_that_comes_back_within_a_day_in_another_place_is_an_echo(moved: dict[str, object]) -> None:
    back = {"in_memory": False, "document": "AGENTS.md", "last_seen": NOW - HOUR}
    assert seen(record(**{**back, **moved})).record.echoed


def test_a_note_that_comes_back_with_its_file_is_no_echo() -> None:
    other = "Name tests after what they prove."
    left = record(id=identity(other), text=other, in_memory=False)
    notes = {one.id: [one] for one in (entry(), entry(other))}
    for candidate, expected in ((left, False), (replace(left, in_memory=True), True), (None, True)):
        records = {one.id: one for one in (long_gone(), candidate) if one is not None}
        found = observe(notes, Known(records, {}, {}), NOW, HOUR)
        assert {one.record.id: one.record.echoed for one in found}[KEY] is expected


def test_two_files_with_one_text_are_one_entry_with_two_sources() -> None:
    found = seen(None, entry(), entry(file="topic.md"))
    assert [source.file for source in found.sources] == ["MEMORY.md", "topic.md"]


def test_an_alias_is_an_observation_and_keeps_the_reviewed_text() -> None:
    reviewed = record(id="r" * 16, text="Reviewed.")
    found = seen(reviewed, aliases={KEY: "r" * 16})
    assert (found.record.id, found.record.text, found.record.snapshot_count) == ("r" * 16, "Reviewed.", 3)
    assert found.record.read_by == 1


def test_new_formatting_of_the_same_text_is_kept_and_read_again() -> None:
    found = seen(record(), entry("Prefer  short functions"))
    assert (found.record.text, found.record.read_by) == ("Prefer  short functions", 0)


@pytest.mark.parametrize("hashed", [TEXT, f"- {TEXT}", f"* {TEXT}\n"])
def test_a_row_of_phase_one_is_taken_over(hashed: str) -> None:
    old = record(id=phase_one_identity(hashed), text=None, preview="Prefer")
    found = seen(old)
    assert (found.takes_over, found.record.id, found.record.text) == (old.id, KEY, TEXT)
    assert found.record.first_seen == old.first_seen


def test_a_row_with_a_text_is_not_taken_over() -> None:
    other = record(id=phase_one_identity(TEXT))
    assert seen(other).takes_over is None


def test_a_preview_is_eighty_characters_on_one_line() -> None:
    assert preview_of("a\n b  " + "x" * 100) == "a b " + "x" * 76


OLD = "The local server listens on port 8080, and the proxy in front of it on 443."
NEWER = "The local server listens on port 9090, and the proxy in front of it on 443."
SAME = "The local server listens on port 8080, and the proxy before it on 443."


def revision(
    old: Record, text: str, *, kept: tuple[str, ...] = (), floor: float = 0.75
) -> tuple[Record, dict[str, str]]:
    known = Known({old.id: old}, {}, {})
    found = observe({identity(text): [entry(text)]}, known, NOW, HOUR)
    (after,), superseded = revised(found, known, kept, HOUR, NOW, floor)
    return after.record, superseded


def old_note(**changes: object) -> Record:
    return record(id=identity(OLD), text=OLD, preview=OLD, snapshot_count=4, **changes)


def test_a_note_that_vanished_where_one_much_like_it_appeared_was_revised() -> None:
    found, superseded = revision(old_note(), NEWER)
    assert superseded == {identity(OLD): identity(NEWER)}
    assert (found.first_seen, found.snapshot_count) == (NOW - 10 * HOUR, 5)


def test_a_revision_inherits_how_many_of_the_snapshots_were_imported() -> None:
    found, _ = revision(old_note(imported_count=3), NEWER)
    assert (found.snapshot_count, found.observed_count) == (5, 2)


def test_a_revision_within_the_hour_counts_no_more_than_its_note() -> None:
    found, _ = revision(old_note(counted_at=NOW - SECOND), NEWER)
    assert (found.snapshot_count, found.counted_at) == (4, NOW)


@pytest.mark.parametrize(
    "changes", [{"in_memory": False}, {"section": "Elsewhere"}, {"source_file": "other.md"}, {"text": None}]
)
def test_what_had_gone_before_or_stood_elsewhere_was_not_revised(changes: dict[str, object]) -> None:
    found, superseded = revision(replace(old_note(), **changes), NEWER)
    assert (superseded, found.snapshot_count) == ({}, 1)


def test_what_stood_in_a_file_that_could_not_be_read_has_not_vanished() -> None:
    assert revision(old_note(), NEWER, kept=(identity(OLD),))[1] == {}


def test_a_revision_inherits_a_rejection_if_it_says_the_same() -> None:
    found, _ = revision(old_note(rejected_at=NOW - HOUR), SAME)
    assert found.rejected_at == NOW - HOUR
    found, _ = revision(old_note(rejected_at=NOW - HOUR), NEWER)
    assert (found.rejected_at, found.snapshot_count) == (None, 1)


def test_what_left_and_is_seen_again_is_superseded_no_more() -> None:
    assert seen(record(superseded_by="f" * 16, in_memory=False)).record.superseded_by is None


def test_what_never_left_the_memory_stays_superseded() -> None:
    assert seen(record(superseded_by="f" * 16, in_memory=True)).record.superseded_by == "f" * 16


def test_a_former_wording_with_a_row_of_its_own_is_seen_as_itself() -> None:
    assert seen(record(), aliases={KEY: "f" * 16}).record.id == KEY


# Day one


def ago(*hours: float) -> list[datetime]:
    return [NOW - number * HOUR for number in hours]


@pytest.mark.parametrize(
    ("times", "counted"),
    [
        ([], []),
        (ago(1), ago(1)),
        (ago(0.9), []),
        (ago(-1, 0, 2), ago(2)),
        (ago(2, 2.5, 3), ago(3, 2)),
        (ago(3, 3, 3), ago(3)),
    ],
)
def test_times_before_the_first_snapshot_count_an_interval_apart(
    times: list[datetime], counted: list[datetime]
) -> None:
    assert counted_before(times, NOW, HOUR) == tuple(counted)


def test_without_an_interval_one_time_still_counts_once() -> None:
    assert counted_before(ago(0, 2, 2, 1), NOW, timedelta(0)) == (NOW - 2 * HOUR,)


@pytest.mark.parametrize(
    ("dates", "found"),
    [
        (ago(1, 2, 3), ago(1, 2, 3)),
        (ago(9, 2, 3), ago(2, 2, 3)),
        (ago(1, -9, 3), ago(1, 3, 3)),
        (ago(1, 2, -9), [*ago(1, 2), None]),
        ([], []),
    ],
)
def test_a_commit_is_no_older_than_what_it_is_built_on_and_none_is_to_come(
    dates: list[datetime], found: list[datetime | None]
) -> None:
    assert ascending(dates, NOW) == found


@pytest.mark.parametrize(
    ("age", "times"),
    [(-1, []), (23.9, []), (24, ago(24)), (167.9, ago(167.9)), (168, ago(84, 168)), (400, ago(200, 400))],
)
def test_a_file_unchanged_for_a_day_stands_for_one_observation_for_a_week_for_two(
    age: float, times: list[datetime]
) -> None:
    assert unchanged(*ago(age), NOW) == tuple(times)


@pytest.mark.parametrize("count", [0, 1, 4, 40])
def test_a_new_entry_has_been_seen_before_if_the_memory_proves_it(count: int) -> None:
    times = ago(*range(count, 0, -1))
    known = Known({}, {}, {}, {KEY: times, "f" * 16: ago(99)})
    (found,) = observe({KEY: [entry()]}, known, NOW, HOUR)
    assert found.record.snapshot_count == found.record.observed_count == 1 + min(count, MOST_PROVEN)
    assert found.record.first_seen == min(times, default=NOW)
    assert (found.record.last_seen, found.record.counted_at) == (NOW, NOW)


def test_proof_adds_nothing_to_what_has_a_record() -> None:
    known = Known({KEY: record(counted_at=NOW)}, {}, {}, {KEY: ago(9, 8, 7)})
    (found,) = observe({KEY: [entry()]}, known, NOW, HOUR)
    assert (found.record.snapshot_count, found.record.first_seen) == (2, NOW - 10 * HOUR)


def test_what_has_a_record_needs_no_proof() -> None:
    other = entry("Another.")
    entries = {KEY: [entry()], other.id: [other]}
    assert without_record(entries, Known({}, {}, {})) == entries
    assert without_record(entries, Known({KEY: record()}, {}, {})) == {other.id: [other]}
    assert without_record(entries, Known({"r" * 16: record()}, {KEY: "r" * 16}, {})) == {other.id: [other]}


def test_notes_of_the_same_words_are_one_entry() -> None:
    again, other, further = "please prefer short functions", "Prefer short functions 2", "prefer short functions"
    notes = {
        identity(text): [entry(text, file=file)] for text, file in zip((again, other, further), "cba", strict=True)
    }
    assert said_again(notes, Known({KEY: record()}, {}, {}), alike) == {identity(again): KEY, identity(further): KEY}
    assert said_again(notes, Known({}, {}, {}), alike) == {identity(again): identity(further)}
    gone = Known({KEY: record(in_memory=False), "f" * 16: record(id="f" * 16)}, {}, {})
    assert set(said_again(notes, gone, alike).values()) == {"f" * 16}, "what stands in the memory owns the words"
    gone = Known({KEY: record(in_memory=False)}, {}, {})
    assert said_again(notes, gone, alike) == {identity(again): KEY, identity(further): KEY}
    (found,) = observe({KEY: notes[identity(again)] + [entry()]}, Known({KEY: record()}, {}, {}), NOW, HOUR)
    assert found.record.text == TEXT, "its own wording comes first"


def test_of_new_notes_that_say_the_same_the_best_wording_is_the_entry() -> None:
    plain, better = "Do not skip tests; they find it.", "Never skip the tests: they find it."
    notes = {identity(text): [entry(text, file=file)] for text, file in ((plain, "a.md"), (better, "b.md"))}
    found = said_again(notes, Known({}, {}, {}), lambda one: len(one.text))
    assert found == {identity(plain): identity(better)}
    known = Known({identity(plain): record(id=identity(plain), text=plain)}, {}, {})
    new = {identity(better): notes[identity(better)]}
    assert said_again(new, known, lambda one: len(one.text)) == {identity(better): identity(plain)}, (
        "what is known stays"
    )


def test_of_notes_that_say_the_same_the_one_that_phase_one_knew_is_the_entry() -> None:
    plain, better = "Do not skip tests; they find it.", "Never skip the tests: they find it."
    notes = {identity(text): [entry(text, file=file)] for text, file in ((plain, "b.md"), (better, "a.md"))}
    row = record(id=phase_one_identity(plain), text=None, preview=plain)
    found = said_again(notes, Known({row.id: row}, {}, {}), lambda one: len(one.text))
    assert found == {identity(better): identity(plain)}
    other = record(id=phase_one_identity(better), text=None, preview=better)
    both = Known({one.id: one for one in (row, other)}, {}, {})
    assert said_again(notes, both, lambda one: len(one.text)) == {}, "each completes a record of its own"


def test_notes_of_which_nothing_is_left_are_not_the_same() -> None:
    notes = {identity(text): [entry(text)] for text in ("!!!", "...")}
    assert said_again(notes, Known({}, {}, {}), alike) == {}


def test_a_note_that_a_person_worded_may_be_said_otherwise_and_the_wording_stays() -> None:
    note = "Prefer short functions over long ones, always."
    again = "Prefer short functions over long ones, always and everywhere."
    worded = record(note_text=note, text="Keep functions short.")
    known = Known({KEY: worded}, {}, {})
    new = {identity(again): [entry(again)]}
    assert still_said(new, known, 0.75) == {identity(again): KEY}
    assert still_said(new, Known({KEY: replace(worded, note_text=None)}, {}, {}), 0.75) == {}
    elsewhere = {identity(again): [entry(again, file="b.md")]}
    assert still_said(elsewhere, known, 0.75) == {}, "another file is another note"
    here = {KEY: [entry()], **new}
    assert still_said(here, known, 0.75) == {}, "its own words are there"
    other = "Never prefer short functions over long ones, always."
    assert still_said({identity(other): [entry(other)]}, known, 0.75) == {}, "it says something else now"


def test_a_note_of_an_entry_in_other_words_that_says_something_else_by_now_is_no_longer_that_entry() -> None:
    line, note = "Do not run the kiln without the log; it fails.", "Don't run the kiln without the log; it fails."
    now = "Always run the kiln without the log; it passes."
    known = Known({KEY: record(text=line, note_text=note)}, {}, {})
    assert still_said({identity(now): [entry(now)]}, known, 0.6) == {}
    again = "Don't run the kiln without the log: it fails at night."
    assert still_said({identity(again): [entry(again)]}, known, 0.6) == {}, "no person chose the wording"


def test_a_line_whose_note_left_is_held_by_a_note_of_another_file_unless_that_says_something_else() -> None:
    line = "Never deploy on a Friday evening, unless the build server of the team is off."
    stands = record(id=identity(line), text=line, document="AGENTS.md", in_memory=True)
    known = Known({stands.id: stands}, {}, {})
    for other, is_held in ((line.replace("is off", "is on"), False), (line.replace("Friday", "Monday"), False)):
        observed = observe({identity(other): [entry(other, file="b.md")]}, known, NOW, HOUR)
        assert bool(revised(observed, known, (), HOUR, NOW, 0.75)[1]) is is_held
    other = line.replace("unless", "always unless")
    observed = observe({identity(other): [entry(other, file="b.md")]}, known, NOW, HOUR)
    assert revised(observed, known, (), HOUR, NOW, 0.75)[1] == {stands.id: identity(other)}
