"""What the configuration of ``check`` may say, and what is wrong with the rest."""

from __future__ import annotations

import pytest

from intermem.core.check.globs import problem_with_glob
from intermem.core.check.settings import codes_of, problem_with_rules, rule_like, rules_named


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["IM001", "im002", "broken-citation", "ledger"], ""),
        ([], ""),
        (["IM001", 3], "expected a list of rules"),
        (["brokn"], "unknown rule brokn, did you mean broken?"),
        (["IM0O1"], "unknown rule IM0O1, did you mean IM001?"),
        (["quite another thing"], "unknown rule quite another thing"),
    ],
)
def test_rules_are_named_by_code_name_or_topic(words: list[object], problem: str) -> None:
    assert problem_with_rules(words) == problem


def test_a_topic_names_all_its_rules() -> None:
    assert codes_of(["ignore", "IM001"]) == {"IM001", "IM060", "IM061", "IM062"}
    assert rules_named("worth") == {"IM030", "IM031"}
    assert rules_named("budget") == {"IM030"}
    assert rules_named("nothing") == frozenset()
    assert rule_like("xyzzy") is None


@pytest.mark.parametrize(
    ("glob", "problem"),
    [
        ("docs/**", ""),
        ("!web", ""),
        (3, "expected a glob"),
        ("!/", "expected a glob"),
        ("  ", "expected a glob"),
        ("{1..99999999}", "invalid glob {1..99999999}: more than 500 alternatives"),
    ],
)
def test_a_glob_is_read_before_it_is_used(glob: object, problem: str) -> None:
    assert problem_with_glob(glob) == problem
