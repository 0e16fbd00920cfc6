from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intermem.core.lifecycle.decay import (
    Basis,
    Decay,
    DecayPolicy,
    GraceExponentialDecay,
    HalfLifeDecay,
    LinearDecay,
    NoDecay,
    apply_decay_penalty,
    half_life_factor,
    linear_penalty,
)
from intermem.core.lifecycle.staleness import is_stale
from intermem.entities import Record

NOW = datetime(2026, 3, 1, tzinfo=UTC)
DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)


@pytest.mark.parametrize(
    ("age", "lost"),
    [
        (timedelta(0), 0),
        (-5 * DAY, 0),
        (13 * DAY, 0),
        (14 * DAY, 0),
        (14 * DAY + SECOND, 100),
        (28 * DAY - SECOND, 100),
        (28 * DAY, 200),
        (28 * DAY + SECOND, 200),
        (42 * DAY, 300),
        (3650 * DAY, 26_000),
    ],
)
def test_the_penalty_is_one_step_per_full_period_once_past_the_grace(age: timedelta, lost: int) -> None:
    assert linear_penalty(age, LinearDecay()) == lost


def test_decay_never_goes_below_zero() -> None:
    assert apply_decay_penalty(500, NOW - 3650 * DAY, NOW, LinearDecay()) == 0


def test_without_decay_nothing_is_lost() -> None:
    assert apply_decay_penalty(500, NOW - 3650 * DAY, NOW, NoDecay()) == 500


# The seeds' own numbers.


@pytest.mark.parametrize(
    ("days", "left"),
    [
        (0, 1000),
        (30, 1000),  # "no decay for first 30 days"
        (30.99, 1000),  # S2 counts whole days
        (31, 995),
        (60, 860),  # 0.995 ** 30 = 0.8604
        (150, 548),  # 0.995 ** 120 = 0.5480
        (3650, 100),  # the floor: decay alone does not reach zero
        (-3, 1000),
    ],
)
def test_the_curve_of_s2(days: float, left: int) -> None:
    assert apply_decay_penalty(1000, NOW - days * DAY, NOW, GraceExponentialDecay()) == left


def test_the_floor_of_s2_lifts_nobody() -> None:
    """S2's ``max(0.1, …)`` would raise what is below already: an original's mistake."""
    assert apply_decay_penalty(40, NOW - 3650 * DAY, NOW, GraceExponentialDecay()) == 40


@pytest.mark.parametrize(("days", "factor"), [(-10, 1.0), (0, 1.0), (15, 0.5**0.5), (30, 0.5), (60, 0.25)])
def test_the_curve_of_s3(days: int, factor: float) -> None:
    assert half_life_factor(days * DAY, 30 * DAY) == pytest.approx(factor)
    assert apply_decay_penalty(1000, NOW - days * DAY, NOW, HalfLifeDecay()) == round(1000 * factor)


def test_the_curve_of_s3_goes_to_zero() -> None:
    assert 0 < half_life_factor(3000 * DAY, 30 * DAY) < 1e-20
    assert apply_decay_penalty(1000, NOW - 3000 * DAY, NOW, HalfLifeDecay()) == 0


@pytest.mark.parametrize("half_life", [timedelta(0), -DAY])
def test_a_half_life_of_nothing_is_refused(half_life: timedelta) -> None:
    with pytest.raises(ValueError, match="longer than zero"):
        half_life_factor(DAY, half_life)


POLICIES = (LinearDecay(), GraceExponentialDecay(), HalfLifeDecay(), NoDecay())


@given(st.sampled_from(POLICIES), st.integers(0, 1000), st.integers(-400, 4000), st.integers(0, 400))
def test_decay_only_ever_takes_and_age_never_gives_back(policy: DecayPolicy, base: int, days: int, more: int) -> None:
    younger = apply_decay_penalty(base, NOW - days * DAY, NOW, policy)
    older = apply_decay_penalty(base, NOW - (days + more) * DAY, NOW, policy)
    assert 0 <= older <= younger <= base


def entry(**changes: object) -> Record:
    made = Record(
        id="a" * 16,
        text="One.",
        preview="One.",
        section="",
        source_file="MEMORY.md",
        first_seen=NOW - 90 * DAY,
        last_seen=NOW - 20 * DAY,
    )
    return replace(made, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("basis", "accessed", "days"),
    [
        ("seen", 5, 20),
        ("created", 5, 90),
        ("accessed", 5, 5),
        ("accessed", None, 90),  # never asked for: since it was first seen
        ("latest", 5, 5),
        ("latest", 50, 20),
        ("latest", None, 20),
    ],
)
def test_age_is_counted_from_the_basis(basis: str, accessed: int | None, days: int) -> None:
    record = entry(last_accessed=None if accessed is None else NOW - accessed * DAY)
    assert Decay(basis=Basis(basis)).since(record) == NOW - days * DAY


def test_a_type_may_have_a_policy_of_its_own() -> None:
    decay = Decay(policy=HalfLifeDecay(), by_type={"reference": NoDecay()})
    old = entry(last_seen=NOW - 30 * DAY)
    assert decay.left(old, 800, NOW) == 400
    assert decay.left(replace(old, type="reference"), 800, NOW) == 800


@pytest.mark.parametrize(("half_life", "uncited", "cited"), [(15, 11, 21), (30, 22, 42), (60, 44, 84), (90, 66, 127)])
def test_the_half_lives_that_the_page_advises(half_life: int, uncited: int, cited: int) -> None:
    page = (Path(__file__).parents[3] / "docs/forgetting.md").read_text("utf-8")
    assert f"| {half_life} | {uncited} | {cited} |" in page
    policy = HalfLifeDecay(half_life=timedelta(days=half_life))
    for base, days in ((500, uncited), (800, cited)):
        left = [apply_decay_penalty(base, NOW - age * DAY, NOW, policy) for age in (days, days + 1)]
        assert [is_stale(base, one, 300) for one in left] == [False, True]
