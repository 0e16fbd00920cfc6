"""Property tests that run shortly and always the same, or with fresh seeds until a time is over.

INTERMEM_FUZZ_SECONDS=N (``make fuzz``) shares N seconds out among the tests and prints figures.
"""

from __future__ import annotations

import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy

from tests.faults.tally import count

SECONDS = float(os.environ.get("INTERMEM_FUZZ_SECONDS", "0"))
ROUND = 400  # examples of one seed, where a time is given

FIGURES: dict[str, Counter[str]] = {}

_Check = Callable[..., str]


def fuzzed(examples: int, **strategies: SearchStrategy[Any]) -> Callable[[_Check], Callable[[], None]]:
    """Make a test of a check that returns what became of its example, to be counted.

    ``examples`` are tried, the same each time; with INTERMEM_FUZZ_SECONDS as many as the time allows. Then
    a failure does not end the test before its time: what else fails is counted too, and the first is raised.
    """

    def made(check: _Check) -> Callable[[], None]:
        counted = FIGURES.setdefault(check.__name__, Counter())

        def example(**drawn: Any) -> None:
            counted[check(**drawn)] += 1

        def test() -> None:
            before = counted.total()
            if SECONDS:
                _until(time.monotonic() + SECONDS / len(FIGURES), lambda: _round(example, strategies, ROUND), counted)
            else:
                _round(example, strategies, examples, is_fixed=True)
            count("fuzzed documents, regions and memories", counted.total() - before)

        test.__name__, test.__doc__ = check.__name__, check.__doc__
        return test

    return made


def _round(
    example: Callable[..., None], strategies: dict[str, SearchStrategy[Any]], examples: int, *, is_fixed: bool = False
) -> None:
    quiet = settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=is_fixed,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )

    def tried(**drawn: Any) -> None:
        example(**drawn)

    run = quiet(given(**strategies)(tried))
    (run if is_fixed else seed(random.SystemRandom().getrandbits(64))(run))()


def _until(end: float, round_: Callable[[], None], counted: Counter[str]) -> None:
    first: Exception | None = None
    while time.monotonic() < end:
        try:
            round_()
        except Exception as error:  # noqa: BLE001 – counted, shown, and the first of them raised in the end
            counted["FAILED"] += 1
            first = first or error
            notes = "\n".join(getattr(error, "__notes__", []))
            sys.stderr.write(f"{type(error).__name__}: {error}\n{notes}\n")
    if first is not None:
        raise first


def figures() -> list[str]:
    """Return a table of what became of the examples, test by test."""
    lines: list[str] = []
    for name, counted in FIGURES.items():
        failed = counted["FAILED"]
        lines.append(f"{name}: {counted.total() - failed} examples, {failed} failures")
        lines += [f"  {count:9}  {what}" for what, count in counted.most_common() if what != "FAILED"]
    return lines
