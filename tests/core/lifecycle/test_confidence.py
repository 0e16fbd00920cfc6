from __future__ import annotations

from dataclasses import replace

import pytest

from intermem.core.lifecycle.confidence import Weights, clamped, compute_confidence, shown, signals
from intermem.entities import MENTIONED, Citation, Judged, Verdict, VerdictStatus


def cited(status: str, text: str = "a.py", target: str | None = None, kind: str = "path") -> Judged:
    verdict = Verdict(status=VerdictStatus(status), target=target)
    return Judged(citation=Citation(kind=kind, text=text, name=text), verdict=verdict)


@pytest.mark.parametrize(
    ("judged", "snapshots", "base"),
    [
        ([], 1, 500),
        ([], 4, 500),
        ([], 5, 700),
        ([cited("valid", target="a.py")], 1, 800),
        ([cited("valid", target="a.py"), cited("valid", "./a.py", target="a.py")], 1, 800),
        ([cited("valid", target="a.py"), cited("valid", "b.py", target="b.py")], 1, 1000),
        ([cited("broken")], 1, 100),
        ([cited("broken"), cited("broken", "b.py")], 1, 0),
        ([cited("valid", target="a.py"), cited("broken", "b.py")], 1, 400),
        ([cited("valid", "a.py", target="a.py"), cited("broken", "a.py:999", target="a.py")], 1, 400),
        ([cited("broken", "a.py:999", target="a.py"), cited("valid", "a.py", target="a.py")], 1, 400),
        ([cited("broken", "./a.py"), cited("broken", "a.py")], 1, 100),
        ([cited("moved", target="c.py"), cited("ambiguous"), cited("unverifiable")], 5, 700),
        ([cited("valid", "src", target="src", kind="dir"), cited("valid", "src", target="src")], 1, 1000),
    ],
)
def test_a_base_is_the_clamped_sum_of_its_signals(judged: list[Judged], snapshots: int, base: int) -> None:
    assert compute_confidence(judged, snapshots, Weights()) == base


def names(*kinds: str, status: str = "valid") -> list[Judged]:
    return [cited(status, f"name_{at}", target=f"a.py:{at}", kind=kind) for at, kind in enumerate(kinds)]


@pytest.mark.parametrize(
    ("judged", "base"),
    [
        (names("symbol"), 800),
        (names("symbol", "symbol", "config", "env"), 800),
        ([*names("symbol", "symbol"), cited("valid", target="a.py"), cited("broken", "b.py")], 700),
        ([cited("broken", "b.py"), cited("broken", "c.py"), *names("config", "env")], 0),
        (names("symbol", "symbol", status="broken"), 0),
        (names("package", "package"), 1000),
    ],
)
def test_symbols_and_words_together_add_what_one_path_adds(judged: list[Judged], base: int) -> None:
    assert compute_confidence(judged, 1, Weights()) == base


def test_a_hit_in_a_comment_or_string_adds_nothing() -> None:
    (name,) = names("symbol")
    mentioned = replace(name, verdict=replace(name.verdict, reason=MENTIONED))
    assert compute_confidence([mentioned], 1, Weights()) == 500
    assert compute_confidence([mentioned, name], 1, Weights()) == 800


def test_the_signal_of_the_names_counts_the_others() -> None:
    found = signals([*names("symbol", "env", "symbol", "symbol"), cited("valid")], 1, Weights())
    assert [(one.label, one.amount) for one in found[1:]] == [
        ("valid symbol name_0 and 3 more names", 300),
        ("valid path a.py", 300),
    ]
    (_, two) = signals(names("symbol", "env"), 1, Weights())
    assert two.label == "valid symbol name_0 and 1 more name"


def test_many_names_are_one_signal_at_once() -> None:
    many = [cited("valid", f"n{number}", f"t{number}", "symbol") for number in range(50_000)]
    assert [one.amount for one in signals(many, 1, Weights())] == [500, 300]


def test_the_signals_say_what_they_are() -> None:
    found = signals([cited("valid", target="a.py")], 5, Weights())
    assert [(one.label, one.amount) for one in found] == [
        ("every entry starts with", 500),
        ("valid path a.py", 300),
        ("seen in 5 snapshots", 200),
    ]


@pytest.mark.parametrize(("amount", "kept"), [(-1, 0), (0, 0), (1000, 1000), (1001, 1000)])
def test_a_confidence_stays_between_0_and_1000(amount: int, kept: int) -> None:
    assert clamped(amount) == kept


@pytest.mark.parametrize(("amount", "text"), [(0, "0.0"), (300, "0.3"), (750, "0.75"), (1000, "1.0"), (995, "0.995")])
def test_a_confidence_is_shown_with_up_to_three_decimals(amount: int, text: str) -> None:
    assert shown(amount) == text
