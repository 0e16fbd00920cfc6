from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from intermem.core.lifecycle.gates import Refusal
from intermem.core.lifecycle.misses import GROUPS, nearest_first
from intermem.entities import Record

PACKAGE = Path(__file__).resolve().parents[3] / "intermem"
SOURCES = ("core/lifecycle/gates.py", "core/lifecycle/promotion.py", "commands/promote.py", "workflow/tiers.py")
NOW = datetime(2026, 3, 1, tzinfo=UTC)
RECORD = Record(id="a", text="Prefer.", preview="", section="", source_file="MEMORY.md", first_seen=NOW, last_seen=NOW)


def order(*refused: tuple[str, str], worths: dict[str, int] | None = None, **records: Record) -> str:
    found = [(records.get(key, replace(RECORD, id=key)), Refusal(gate=gate, reason="")) for key, gate in refused]
    return "".join(record.id for record, _ in nearest_first(found, worths or {}))


def test_every_gate_of_promote_has_one_group() -> None:
    source = "".join((PACKAGE / name).read_text("utf-8") for name in SOURCES)
    gates = [gate for group in GROUPS.values() for gate in group]
    assert set(re.findall(r'(?:Refusal\(gate=|Withdrawal\()"(\w+)"', source)) == set(gates)
    assert len(gates) == len(set(gates))


def test_what_time_lifts_is_nearer_than_what_words_lift_and_that_than_what_a_person_lifts() -> None:
    gates = ("gone", "type", "rejected", "limit", "duplicate", "length", "worth", "snapshots")
    assert order(*zip("abcdefgh", gates, strict=True)) == "hgfedcba"


def test_the_fewest_snapshots_are_missing_then_the_worth_decides() -> None:
    seen_twice = {key: replace(RECORD, id=key, snapshot_count=2) for key in "cd"}
    refused = [(key, "snapshots") for key in "abcd"]
    assert order(*refused, worths={"a": 600, "b": 800, "c": 500, "d": 700}, **seen_twice) == "dcba"


def test_an_imported_snapshot_makes_nothing_nearer() -> None:
    imported = replace(RECORD, id="a", snapshot_count=9, imported_count=9)
    assert order(("a", "snapshots"), ("b", "snapshots"), a=imported) == "ba"


def test_the_highest_worth_and_the_shortest_note_are_the_nearest() -> None:
    assert order(("a", "worth"), ("b", "worth"), worths={"a": 300, "b": 499}) == "ba"
    long = replace(RECORD, id="a", text="x" * 900)
    assert order(("a", "length"), ("b", "length"), a=long) == "ba"


def test_else_the_order_stays() -> None:
    assert order(("b", "type"), ("a", "type")) == "ba"
