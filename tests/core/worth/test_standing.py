"""What stands in a document: which texts are rules, and which read like a log."""

from __future__ import annotations

import pytest

from intermem.core.worth.passage import Note
from intermem.core.worth.standing import LEAST_WORTH, is_rule, signs_of_log
from intermem.project.config_keys import KEYS


@pytest.mark.parametrize(
    "text",
    [
        "Never edit the lock file by hand.",
        "The lock file must be committed.",
        "**Lock file:** run `make lock` after a change.",
        "Lock files are NOT edited.",
        "Die Sperrdatei darf nicht von Hand bearbeitet werden.",
        "不要手动编辑锁文件。",
    ],
)
def test_what_forbids_demands_stresses_or_instructs_is_a_rule(text: str) -> None:
    assert is_rule(text)


@pytest.mark.parametrize(
    "text",
    [
        "The lock file holds the hashes of all packages.",
        "`make lock` fails on a conflict.",
        "Hashes come from `never.py`.",
        "",
    ],
)
def test_what_only_tells_how_things_are_is_no_rule(text: str) -> None:
    assert not is_rule(text)


@pytest.mark.parametrize(
    ("text", "section", "signs"),
    [
        ("2026-01-04: fixed the flaky test, all 33 tests pass", "", {"date", "told", "count"}),
        ("**Commits**: 2 commits (96c9c07 and 1942edf)", "Done", {"commit", "count"}),
        ("**Current**: v2.70.0 (all migrations through v2.70.0 complete)", "Library", {"moment", "done", "version"}),
        ("**Paquete actual**: 102 KB (de 989 KB, 89 % menos)", "", {"moment", "count"}),
    ],
)
def test_what_says_when_what_and_how_much_reads_like_a_log(text: str, section: str, signs: set[str]) -> None:
    found = {one.reason for one in signs_of_log(Note(text, section))}
    assert found and found <= signs  # a sign without a weight is not told


@pytest.mark.parametrize(
    "text",
    [
        "Never edit `a.py` as on 2026-01-04, when 33 tests failed.",  # a rule
        "Run the 33 tests, recently fixed",
        "The render test needs `DISPLAY`, because `xvfb` opens a window.",
        "Feature is complete and tested on device",  # an item of a checklist
        "[ ] For page iteration: test with >1GB databases",
        "Windows (tested in CI via Chocolatey Octave 9.2.0)",  # no date, but a name with a number
        "Settings with live updates (recently fixed)",  # no figure
        "`CACHE_VERSION` is v2.5 and done",  # not when
        "2026-01-04: `make render` broke since the cache was cleared, as `xvfb` cannot open a second window.",  # a fact
        "**Tests:** currently 33 files, only if all are read → 1, 2, 3, 4, 5 = 6, not the 7 lines",  # half a rule
        "Reports live in `data/reports`, which was rebuilt on 2026-01-04 from 12 files.",  # a description with a date
        "",
        "---",
    ],
)
def test_rules_facts_and_what_is_in_doubt_are_no_logs(text: str) -> None:
    assert signs_of_log(Note(text)) == ()


def test_its_heaviest_sign_comes_first() -> None:
    points = [one.points for one in signs_of_log(Note("2026-01-04: fixed the flaky test, all 33 tests pass"))]
    assert points == sorted(points) and points[0] < 0


def test_a_log_is_worth_less_than_half_of_what_promote_asks() -> None:
    asked = next(key.default for key in KEYS if key.name == "promote.min_worth")
    assert isinstance(asked, float)
    assert 500 // 2 == LEAST_WORTH <= int(asked * 1000) // 2, "500: two in three are worth a line"
