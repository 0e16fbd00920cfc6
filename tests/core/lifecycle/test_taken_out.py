"""What a person took out waits in other words too, until a person has restored these."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from intermem.core.lifecycle.taken_out import TakenOut
from intermem.entities import Record, Status

NOW = datetime(2026, 3, 1, tzinfo=UTC)
GRACE = timedelta(days=14)


def note(key: str, text: str) -> Record:
    return Record(id=key, text=text, preview=text, section="", source_file="MEMORY.md", first_seen=NOW, last_seen=NOW)


OUT = replace(
    note("a" * 16, "Run the tests first, or they hang."), status=Status.DEMOTED, demoted_at=NOW, kept_out=True
)
SAID_AGAIN = note("b" * 16, "Run the tests first or they hang.")


@pytest.mark.parametrize(
    ("until", "is_held"),
    [
        (None, True),
        (NOW + GRACE, False),
        (NOW + GRACE + timedelta(days=1), False),
        (NOW + GRACE - timedelta(seconds=1), True),
        (datetime.min.replace(tzinfo=UTC), True),
    ],
)
def test_only_who_restored_it_since_has_decided(until: datetime | None, is_held: bool) -> None:
    one = replace(SAID_AGAIN, grace_until=until)
    found = TakenOut([OUT, one], 0.85, GRACE).in_other_words(one, one.text or "")
    assert (found is not None) == is_held
