"""Which notes resemble which: the most similar first, each once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intermem.core.entries import similarity
from intermem.core.entries.similarity import (
    duplicate_of,
    gist,
    is_the_same,
    most_alike,
    rough,
    swaps_a_word,
)

RULE = "Run the queue worker before the tests."


def test_the_most_alike_come_first_and_the_same_words_count_once() -> None:
    others = [
        ("d", "The parser counts tabs as one column."),
        ("c", "Run the queue worker before any of the tests."),
        ("b", RULE),
        ("a", f"{RULE}  "),
    ]
    found = most_alike(RULE, others, 0.75, 5)
    assert found[0] == (1000, "b", RULE)
    assert [key for _, key, _ in found] == ["b", "c"]
    assert [key for _, key, _ in most_alike(RULE, others, 0.75, 1)] == ["b"]


def test_what_is_code_in_both_is_the_same_only_to_the_letter() -> None:
    for one, other in (("`&amp;`", "`&`"), (r"`a\_b`", "`a_b`"), ("`make test` `all`", "`make` `test all`")):
        assert (
            duplicate_of(
                f"Write {one} in what is sent to the kiln, and nothing else.",
                [f"Write {other} in what is sent to the kiln, and nothing else."],
            )
            is None
        )
    plain = "Write make test all in what is sent to the kiln, and nothing else."
    assert duplicate_of(plain.replace("make test", "`make test`"), [plain]) == plain


@pytest.mark.parametrize(
    ("one", "other", "is_apart"),
    [
        ("Never push to main by hand.", "Never push to dev by hand.", True),
        ("Run it on `a` and on staging, always.", "Run it on `a` and on production, always.", True),
        ("Never push to main by hand.", "Never push to main by a hand.", False),
        ("Retry it as the pool is full.", "Retries it because the pool is full.", False),
        ("Recieve the file, then move it.", "Receive the file, then move it.", False),
        ("Always disable the cache.", "Always enable the cache.", True),
        ("Don't skip it; it cannot fail.", "Do not skip it: it can't fail!", False),
        ("Never go to staging without a review.", "Never go to production without any review.", True),
        ("The port is 80, and the proxy expects it.", "The port is 80, which the proxy expects.", False),
        ("It waits for the lock, or it fails.", "It waits for the lock of the pool, or it fails.", False),
        ("The queue of `app.py` is shared.", "The queue of app.py is shared.", False),
        ("They fail at random, each time.", "They fail randomly, every time.", False),
        ("The queue in the pool fails.", "The queue of a pool fails, too.", False),
        ("The queue of `app.py` is shared.", 'The queue of "app.py" is shared.', False),
        ("The **queue** of `make serve` is shared.", "The queue of make serve is _shared_.", False),
        ("The queue of `app.py` is shared.", "The queue of `web.js` is shared.", True),
        ("Start redis before nginx.", "Start nginx before redis.", True),
        ("It is on at night.", "It is off at night.", True),
        ("Keep the main branch green.", "Keep the maintenance branch green.", True),
        ("Write it in Java, as ever.", "Write it in JavaScript, as ever.", True),
        ("Run it with --seed.", "Run it with --seed --slow.", True),
        ("Auf main pushen.", "Nicht auf main pushen.", True),
        ("生产环境要先备份数据库。", "测试环境要先备份数据库。", True),
        ("It waits for the lock.", "It always waits for the lock.", False),
        ("It must be restarted.", "It may be restarted.", True),
        ("The cache is global.", "The cache was global.", True),
        ("You should restart it.", "You could restart it.", True),
        ("Stop if it is cold.", "Stop even if it is cold.", True),
        ("Ask Jan about it.", "Ask Jana about it.", True),
        ("Keep the log there.", "Keep the logs there.", False),
        ("Wait thirteen minutes.", "Wait thirty minutes.", True),
        ("Set the internal timer.", "Set the interval timer.", True),
        ("Retry it, then stop it.", "It is retried, then stopped.", True),
        ("Retry it on each error.", "Retries it on each error.", False),
        ("It writes caches.", "It writes the cache.", False),
    ],
)
def test_one_word_in_place_of_another_may_be_what_counts(one: str, other: str, is_apart: bool) -> None:
    assert swaps_a_word(one, other) == swaps_a_word(other, one) == is_apart


@pytest.mark.parametrize(
    ("other", "is_same"),
    [
        ("Fire the kiln twice. <!-- agreed in the meeting of the whole team, and to be kept here for good -->", True),
        ('Fire the kiln twice.\n<!-- intermem:ignore IM001 reason="made in the image" until=2027-01-31 -->', True),
        (
            "Fire the kiln twice. `<!-- agreed in the meeting of the whole team, and to be kept here for good -->`",
            False,
        ),
        ("<!-- Fire the kiln twice. -->", False),
    ],
)
def test_comments_say_nothing(other: str, is_same: bool) -> None:
    assert (duplicate_of("Fire the kiln twice.", [other]) == other) is is_same
    assert duplicate_of(other, [other]) == other


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        (
            "Never call `a()` twice: it leaks the handle, because it is global.",
            "Never call the `a()` twice: it leaks handle, because it is global",
            True,
        ),
        ("Don't push to main.", "Never push to main, please.", True),
        ("The window is Monday - Friday.", "The window is Monday: Friday.", False),
        ("The default of it is - 5, in seconds.", "The default of it is: 5, in seconds.", False),
        ("Wait for it - then go on.", "Wait for it – then go on.", True),
        ("Compute it as price - discount.", "Compute it as price: discount.", False),
        ("Never say please in mails.", "Never say in mails.", False),
        ("Only __init__ is read.", "Only init is read.", False),
        ("Read *.py and *.pyc first.", "Read .py and .pyc first.", False),
        ("It *is* read, **always** so.", "It is read, always so.", True),
        ("It builds. Never skip a test.", "It builds. Do not skip a test", True),
        ("You cannot undo it: because the log is gone.", "You can't undo it; because the log is gone.", True),
        ("Use the profile a for it.", "Use the profile for it.", False),
        ("Use profile a always.", "Use a profile always.", False),
        ("It should never be run.", "It should do not be run.", False),
        ("Run it as root.", "Run it because root.", False),
        ("Use it since 3.2.", "Use it as 3.2.", False),
        ("Run it in staging.", "Run it on staging.", False),
        ("It must be off.", "It may be off.", False),
        ("Start redis before nginx.", "Start nginx before redis.", False),
        ("Run the tests.", "Always run the tests.", False),
        ("Keep `the` marker.", "Keep `` marker.", False),
        ("Leaks the log.", "Leaks the logs.", False),
        ("Nicht auf main pushen.", "Auf main pushen.", False),
        ("The switch is on.", "The switch is off.", False),
        ("Please never edit it.", "Don't edit it", True),
        ("Wait for it: then go on; it is cold", "Wait for it; then go on: it is cold.", True),
        ("It is off Monday - Friday.", "It is off Monday, Friday.", False),
        ("Wait for it: then go on.", "Wait for it, then go on.", False),
        ("Never delete `a.lock`, or it breaks.", "Never delete `a.lock` or it breaks.", True),
        ("Never delete `a.lock`, it breaks.", "Never delete `a.lock` it breaks.", False),
        ("Please, run it.", "Run it", True),
        ("**Tests**: run it.", "Tests: run it.", True),
        ("**Never** run it.", "**Do not** run it.", True),
        ("**Racks**: do `**x**`.", "Racks: do `x`.", False),
        ("Its base - 5 seconds.", "Its base: 5 seconds.", False),
        ("Ranges A - C.", "Ranges A; C.", False),
        ('Look for "error: disk".', 'Look for "error - disk".', False),
        ('It says "it isn\'t hot".', 'It says "it is not hot".', False),
        ('Say "hot", and go.', 'Say "hot" and go.', True),
        ("Use it (the old one).", "Use it (old one).", True),
        ("Use it (the old one).", "Use it old one.", False),
        ("Keep it in e.g. Apple.", "Keep it in e.g. apple.", False),
        ("It isn't hot.", "It is not hot.", True),
        ("Nenne es „Ton“, sonst nichts.", 'Nenne es "Ton", sonst nichts', True),
        ("Use not the server. In CI run another.", "Use not the server in CI. Run another.", False),
        ("Stop it! Never push it.", "Stop it! Do not push it.", True),
        ("Do not log, send or store it.", "Do not log. Send or store it.", False),
        ("For builds: never skip it.", "For builds; never skip it.", True),
        ("Behalten, nicht löschen.", "Behalten nicht, löschen.", False),
        ("No, tiene que correr.", "No tiene que correr.", False),
        ("Import Path from it, not path.", "Import path from it, not Path.", False),
        ('Answer "yes", not yes.', 'Answer yes, not "yes".', False),
        ("Prefix it with '-'.", "Prefix it with ''.", False),
        ('Never write "please" there.', "Never write there.", False),
        ("Between 3 - 5 racks.", "Between 3 5 racks.", False),
        ("Between 3 - 5 racks.", "Between 3, 5 racks.", False),
        ("Join them with : there.", "Join them with . there.", False),
        ("Use save!, not save.", "Use save, not save!", False),
        ("Vet with ./..., not with ./", "Vet with ./, not with ./...", False),
        ("Say 'it', not that.", 'Say "it", not that.', False),
        ("Do not delete it. And restart it.", "Do not delete it and restart it.", False),
        ("Do not delete it, and restart it.", "Do not delete it and restart it.", True),
        ("Delete those which are old.", "Delete those, which are old.", False),
        ("Do not ship because it passes.", "Do not ship, because it passes.", False),
        ("The branch is named: Trunk", "The branch is named: trunk", False),
        ("It is stable, since v2.", "It is stable, as v2.", False),
    ],
)
def test_what_changes_nothing_that_is_said_may_differ(one: str, other: str, is_same: bool) -> None:
    assert (gist(one) == gist(other)) is is_same
    assert rough(one) == rough(other) or not is_same


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("Run `make lint` first.", "Run make lint first.", True),
        ("Run the linter first.", "Please run linter first", True),
        ("Run the linter first.", "Run a linter first.", False),
        ("!!!", "...", False),
        ("Always run it.", "Run it.", False),
        ('Quote with `“`, never with `"`.', 'Quote with `"`, never with `“`.', False),
        ("Ranges have a – in prose, a - in code.", "Ranges have a - in prose, a – in code.", False),
        ('A “ opens here, a " there.', 'A " opens here, a “ there.', False),
        ("Call it 'fix the bug' there.", "Call it 'fix bug' there.", False),
        ("Write 'a; b', don't guess.", "Write 'a: b', don't guess.", False),
        ("Say 'I don't know' aloud.", "Say 'I do not know' aloud.", False),
        ("Set A - C in the table.", "Set A – C in the table.", False),
        ("The offset is - 5 here.", "The offset is – 5 here.", False),
        ("It's the owners' box; don't use it.", "It's owners' box: do not use it.", True),
        ("The job – a nightly one – says “done”.", 'The job - a nightly one - says "done".', True),
    ],
)
def test_what_is_the_same_but_for_marks_and_what_changes_nothing(one: str, other: str, is_same: bool) -> None:
    assert is_the_same(one, other) is is_the_same(other, one) is is_same


def test_words_that_change_nothing_take_no_likeness_away() -> None:
    line = "do not push straight to main - the deploy job picks it up at once and customers see it"
    note = "Never push straight to main, because the deploy job picks it up at once and all of the customers see it."
    assert duplicate_of(note, [line]) == line
    assert duplicate_of(note.replace("Never", "Always"), [line]) is None


def test_a_sign_in_front_of_a_number_is_of_the_number() -> None:
    said = "Set the offset of the kiln to {} before you fire it."
    assert duplicate_of(said.format("-5"), [said.format("5")]) is None
    assert duplicate_of(said.format("5") + " Always.", [said.format("5")]) is not None
    assert duplicate_of("Keep racks 3-5 of the kiln closed.", ["Keep the racks 3-5 of the kiln closed"]) is not None


WORDS = st.sampled_from(
    [
        "the", "Never", "do not", "don't", "run", "`run`", "*run*", "**Run**", "make test", "`make test`", "-1", "1",
        "é", "e\u0301", ".env", "env", "—", "--", ";", ":", ",", ".", "and", "please", "“it”", '"it"', "'it'",
        "<!-- a -->", "KILN", "kiln",
    ]
)  # fmt: skip


@given(st.lists(WORDS, min_size=1, max_size=5), st.lists(WORDS, min_size=1, max_size=5), st.booleans())
def test_what_is_told_apart_at_once_is_not_the_same(one: list[str], other: list[str], alike: bool) -> None:
    text, second = " ".join(one), " ".join([*one[:-1], *other[:1]] if alike else other)
    found = is_the_same(text, second)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(similarity, "rough", lambda _text: "")  # each is compared in full
        assert found is is_the_same(text, second)
