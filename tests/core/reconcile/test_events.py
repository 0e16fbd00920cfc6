"""Events as text and back."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intermem.core.reconcile.events import (
    MAX_CAUSE,
    LedgerEvent,
    What,
    event_text,
    file_name,
    is_event_name,
    is_purge_name,
    parse_event,
    path_of,
)
from intermem.errors import LedgerRefused

A, B = "a" * 16, "b" * 16
NOW = datetime(2026, 3, 1, 9, 30, 15, tzinfo=UTC)

times = st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1), timezones=st.just(UTC)).map(
    lambda moment: moment.replace(microsecond=0)
)
ids = st.sampled_from([A, B])
words = st.text(st.characters(codec="utf-8", exclude_categories=("Zs", "Zl", "Zp", "Cc")), max_size=9)
observers = st.sampled_from(["00c0ffee", "0b5e0b5e"])
events = st.builds(
    LedgerEvent,
    id=ids,
    at=times,
    what=st.sampled_from([what for what in What if what not in (What.ALIVE, What.PURGED)]),
    by=st.sampled_from(["", "person", "sweep"]),
    cause=words,
    document=st.sampled_from(["", "AGENTS.md", "docs/ä.md"]),
    section=words,
    written=st.none() | ids,
    was=st.lists(ids, max_size=2).map(tuple),
    first_seen=st.none() | times,
    snapshots=st.none() | st.integers(1, 99),
    confidence=st.sampled_from([None, 0, 500, 1000]),
    until=st.none() | times,
    amount=st.integers(-900, 900),
    observer=st.none() | observers,
)


@given(events)
def test_what_was_written_reads_back_under_its_name(event: LedgerEvent) -> None:
    text = event_text(event)
    assert parse_event(text, file_name(event)) == event
    assert text.count("\n") == 1 and text.endswith("\n")
    assert is_event_name(file_name(event)) and not is_purge_name(file_name(event))


def test_an_event_is_one_line_of_json_with_sorted_keys_named_by_its_content() -> None:
    event = LedgerEvent(
        id=A, at=NOW, what=What.DEMOTED, by="sweep", cause="cites `x.py`: broken in 3f2a", document="AGENTS.md"
    )
    assert event_text(event) == (
        '{"at": "2026-03-01T09:30:15Z", "by": "sweep", "cause": "cites `x.py`: broken in 3f2a", "doc": "AGENTS.md",'
        f' "id": "{A}", "what": "demoted"}}\n'
    )
    assert path_of(event).startswith(f".intermem/ledger/{A}-20260301T093015Z-demoted-")
    assert file_name(replace(event, cause="")) != file_name(event) == file_name(replace(event))


def test_what_a_later_version_adds_is_kept() -> None:
    text = f'{{"at": "2026-03-01T00:00:00Z", "id": "{A}", "new": [1, {{"b": 2}}], "what": "noticed"}}\n'
    assert event_text(parse_event(text, "x")) == text


def test_a_tombstone_keeps_an_id_and_a_time_alone() -> None:
    text = event_text(LedgerEvent(id=A, at=NOW, what=What.PURGED)).replace(
        "}", ', "cause": "the secret", "doc": "A.md"}'
    )
    found = parse_event(text, "x")
    assert event_text(found) == f'{{"at": "2026-03-01T09:30:15Z", "id": "{A}", "what": "purged"}}\n'
    assert is_purge_name(file_name(found))


def test_a_cause_is_one_line_of_bounded_length() -> None:
    text = json.dumps({"id": A, "at": "2026-03-01", "what": "demoted", "cause": "one\ntwo " + "x" * 999})
    cause = parse_event(text, "x").cause
    assert cause.startswith("one two x") and len(cause) == MAX_CAUSE


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"id": "A" * 16}, "is not an id"),
        ({"id": None}, "is not an id"),
        ({"at": "soon"}, "is not a time"),
        ({"at": 3}, "at is not a time"),
        ({"what": 3}, "what is 3"),
        ({"what": "alive"}, "is not an observer"),
        ({"observer": "me"}, "is not an observer"),
        ({"written": "x"}, "is not an id"),
        ({"was": "x"}, "was is 'x'"),
        ({"was": ["x"]}, "is not an id"),
        ({"snapshots": True}, "snapshots is True"),
        ({"snapshots": -1}, "snapshots is -1"),
        ({"snapshots": 10**25}, "snapshots is"),
        ({"amount": "much"}, "amount is 'much'"),
        ({"amount": 1e300}, "amount is"),
        ({"amount": float("nan")}, "amount is nan"),
        ({"doc": "../x"}, "not a document"),
        ({"doc": "/etc/passwd"}, "not a document"),
        ({"doc": ".git/config"}, "not a document"),
        ({"doc": "\ud800"}, "not valid text"),
        ({"cause": "\ud800"}, "not valid text"),
        ({"until": 3}, "until is not a time"),
    ],
)
def test_what_is_no_event_is_refused_by_name(change: dict[str, object], says: str) -> None:
    loaded = {"id": A, "at": "2026-03-01T00:00:00Z", "what": "promoted"} | change
    with pytest.raises(LedgerRefused) as refused:
        parse_event(json.dumps(loaded), "name.json")
    assert says in refused.value.message and ".intermem/ledger/name.json" in refused.value.message


@pytest.mark.parametrize("text", ["", "nonsense", "[]", "{}", "[" * 100_000, "<<<<<<< ours\n"])
def test_what_is_not_json_is_refused(text: str) -> None:
    with pytest.raises(LedgerRefused):
        parse_event(text, "x")


@pytest.mark.parametrize("name", ["README.md", "x.json", f"{A}-2026-promoted-0.json", f".{A}-20260301T093015Z-lost-0"])
def test_other_files_are_no_events(name: str) -> None:
    assert not is_event_name(name)
