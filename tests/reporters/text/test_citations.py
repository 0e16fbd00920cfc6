"""Text of an entry's citations: the important ones first, and only a few."""

from __future__ import annotations

from intermem.core.lifecycle.confidence import Signal
from intermem.entities import Citation, Judged, Verdict, VerdictStatus
from intermem.reporters.text.citations import cited, summed


def judged(name: str, status: VerdictStatus, **more: str) -> Judged:
    return Judged(
        citation=Citation(kind="path", text=name, name=name),
        verdict=Verdict(status=status, **more),  # type: ignore[arg-type]
    )


VALID = [judged(f"v{number}.py", VerdictStatus.VALID, target=f"src/v{number}.py") for number in range(12)]
LOST = [judged(f"b{number}.py", VerdictStatus.BROKEN, reason="deleted") for number in range(10)]


def test_broken_citations_come_first_and_are_all_shown() -> None:
    lines = cited([*VALID, judged("u.py", VerdictStatus.UNVERIFIABLE), *LOST], verbose=False)
    assert lines[:10] == [f"b{number}.py: broken (deleted)" for number in range(10)]
    assert lines[10:] == ["and 12 more valid, 1 more unverifiable"]


def test_a_few_citations_are_shown_and_the_rest_counted() -> None:
    lines = cited(VALID, verbose=False)
    assert lines[0] == "v0.py → src/v0.py: valid"
    assert (len(lines), lines[-1]) == (9, "and 4 more valid")
    assert len(cited(VALID, verbose=True)) == 12
    assert cited(VALID[:8], verbose=False)[-1] == "v7.py → src/v7.py: valid"
    assert cited([], verbose=False) == []


def test_a_long_sum_is_shortened_and_adds_up() -> None:
    start = Signal("every entry starts with", 500)
    plus = [Signal(f"valid path {number}", 300) for number in range(7)]
    minus = Signal("broken path x", -400)
    assert summed([start, *plus[:2], minus]) == (
        "0.5 every entry starts with + 0.3 valid path 0 + 0.3 valid path 1 − 0.4 broken path x"
    )
    assert summed([start, *plus[:5]]).count("+ 0.3 valid path") == 5
    assert summed([start, *plus, minus]).endswith("+ 0.3 valid path 3 + 0.3 for each of 3 more − 0.4 broken path x")
