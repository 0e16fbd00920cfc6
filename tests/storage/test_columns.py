"""One table says what a column of memory_entries is; the dataclass, the schema and JSON agree with it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import fields, replace
from datetime import UTC, datetime

import pytest

from intermem.core.times import format_time
from intermem.entities import Record
from intermem.reporters.formats import json as json_report
from intermem.storage import columns, schema

NOW = datetime(2026, 3, 1, tzinfo=UTC)
RECORD = Record(id="a" * 16, text=None, preview="", section="", source_file="", first_seen=NOW, last_seen=NOW)
FIELDS = {field.name for field in fields(Record)}
OF_OTHER_TABLES = {"in_memory", "citations"}
OF_THE_RUN = {"held_at", "held_until", "last_word"}


@pytest.fixture
def fresh() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        schema.create(connection)
        yield connection


def test_every_field_of_a_record_has_one_column() -> None:
    named = [column.field for column in columns.COLUMNS]
    assert len(named) == len(set(named)) == len(columns.BY_NAME)
    assert set(named) == FIELDS - OF_OTHER_TABLES - OF_THE_RUN


def test_the_table_has_these_columns_in_this_order(fresh: sqlite3.Connection) -> None:
    made = [row[1] for row in fresh.execute("PRAGMA table_info(memory_entries)")]
    assert made == ["id", *(column.name for column in columns.COLUMNS)]


def test_sql_and_the_dataclass_have_the_same_defaults(fresh: sqlite3.Connection) -> None:
    fresh.execute(
        "INSERT INTO memory_entries (entry_hash, first_seen, last_seen) VALUES (?, ?, ?)",
        (RECORD.id, format_time(NOW), format_time(NOW)),
    )
    assert columns.record_of(fresh.execute(f"{columns.SELECT} FROM memory_entries").fetchone()) == RECORD


def test_values_are_stored_as_sqlite_types_and_times_in_utc() -> None:
    row = columns.row_of(replace(RECORD, pinned=True, grace_until=NOW))
    assert {type(value) for value in row} == {str, int, type(None)}
    stored = dict(zip((column.name for column in columns.WRITTEN), row, strict=True))
    assert (stored["first_seen"], stored["grace_until"], stored["review_at"]) == (
        "2026-03-01T00:00:00Z",
        "2026-03-01T00:00:00Z",
        None,
    )


def test_every_time_of_a_record_is_stored_as_one() -> None:
    times = {field.name for field in fields(Record) if "datetime" in str(field.type)}
    assert {column.field for column in columns.COLUMNS if column.codec is columns.TIME} == times - OF_THE_RUN


def test_every_key_of_an_entry_in_json_is_a_field() -> None:
    assert json_report.entry(RECORD).keys() <= FIELDS | {"state"}  # which is computed from them
