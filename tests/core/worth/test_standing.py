"""What stands in a document: which texts are rules."""

from __future__ import annotations

import pytest

from intermem.core.worth.standing import is_rule


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
