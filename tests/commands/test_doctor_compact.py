"""``doctor --compact``: a ledger of years becomes small, and says the same."""

from __future__ import annotations

import pytest

from tests.commands.test_doctor import two_promoted
from tests.conftest import Once, Sandbox
from tests.old_ledger import events_in, ledger_in

LATER = "2028-01-01T00:00:00Z"


@pytest.fixture
def promoted(sandbox: Sandbox, once: Once) -> Sandbox:
    once(sandbox, two_promoted)
    sandbox.now = "2026-01-05T00:00:00Z"
    return sandbox


def judged(box: Sandbox) -> None:
    """Say many things of an entry, in 2026."""
    key = next(iter(box.entries().values()))["id"]
    for month in range(2, 8):
        for verb in (
            ("pin", key),
            ("pin", key, "--remove"),
            ("feedback", key, "confirm"),
            ("feedback", key, "failure"),
        ):
            box.run(*verb, now=f"2026-{month:02}-01T00:00:00Z")


def test_a_ledger_of_years_becomes_small_and_says_the_same(promoted: Sandbox) -> None:
    judged(promoted)
    before, number = ledger_in(promoted.root), len(events_in(promoted.root))
    told = promoted.run("doctor", "--compact", now=LATER).out
    assert "events older than a year become" in told and "the state of every entry stays the same" in told
    assert ledger_in(promoted.root) == before and len(events_in(promoted.root)) < number - 14
    assert promoted.run("doctor", "--compact", now=LATER).out == "No problems found.\n"
    promoted.run("undo", now=LATER)
    assert len(events_in(promoted.root)) == number


def test_a_diff_of_it_writes_nothing(promoted: Sandbox) -> None:
    judged(promoted)
    before = promoted.tree_hash()
    assert "+++ /dev/null" in promoted.run("doctor", "--compact", "--diff", now=LATER, code=None).out
    assert promoted.tree_hash() == before


def test_what_is_younger_than_a_year_is_left_alone(promoted: Sandbox) -> None:
    judged(promoted)
    number = len(events_in(promoted.root))
    promoted.run("doctor", "--compact", now="2026-12-01T00:00:00Z")
    assert len(events_in(promoted.root)) == number


def test_it_is_not_combined_with_a_repair(promoted: Sandbox) -> None:
    assert "--compact cannot be combined" in promoted.run("doctor", "--compact", "--repair", code=2).err
