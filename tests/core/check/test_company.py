"""What stands beside a finding: names and paths that the repository never had make it doubtful."""

from __future__ import annotations

import pytest

from intermem.core.check.blocks import DOUBTFUL, RULE_OF
from intermem.core.check.company import is_in_company, is_strange, without_strangers
from intermem.core.check.findings import Finding, Location
from intermem.core.citations.kinds.name_evidence import NOT_IN_CODE
from intermem.core.citations.kinds.never_there import NEVER_HERE, NEVER_MADE
from intermem.entities import Citation, Evidence, Judged, Verdict, VerdictStatus

BROKEN, VALID, UNKNOWN = VerdictStatus.BROKEN, VerdictStatus.VALID, VerdictStatus.UNVERIFIABLE


def judged(kind: str, text: str, status: VerdictStatus, reason: str = "", evidence: Evidence | None = None) -> Judged:
    verdict = Verdict(status=status, reason=reason, evidence=evidence)
    return Judged(citation=Citation(kind=kind, text=text, name=text), verdict=verdict)


def finding(one: Judged) -> Finding:
    place = Location(file="AGENTS.md", first_line=1, first_column=1, last_line=1, last_column=9)
    return Finding(rule=RULE_OF[BROKEN], place=place, message="gone", judged=one, block="a")


FOLDER = judged("dir", "ovens/", BROKEN, evidence=Evidence.FILES)
NAME = judged("symbol", "heatKiln", BROKEN, evidence=Evidence.DEFINITION)
PATHS = [judged("path", f"src/{name}.py", VALID) for name in "abcdef"]
NEVER = [judged("dir", "pots/", UNKNOWN, NEVER_MADE), judged("path", "pots/a.py", UNKNOWN, NEVER_HERE)]
DRAWN = judged("dir", "glazes/", BROKEN, evidence=Evidence.DRAWN)
STRANGE = [judged("symbol", name, UNKNOWN, NOT_IN_CODE) for name in ("coolSlowly", "coolAtOnce")]


@pytest.mark.parametrize(
    ("one", "beside", "is_doubtful"),
    [
        (FOLDER, [*NEVER, *PATHS[:4]], True),
        (FOLDER, [*NEVER, *PATHS[:5]], False),
        (FOLDER, [NEVER[0], DRAWN, *PATHS[:4]], True),
        (FOLDER, [NEVER[0], *PATHS[:1]], False),
        (FOLDER, [*STRANGE, *PATHS[:1]], False),
        (NAME, [*STRANGE, *PATHS], True),
        (NAME, [*NEVER], False),
    ],
    ids=["a third", "fewer", "one of them drawn", "one alone", "names", "names of names", "paths"],
)
def test_what_left_among_strangers_is_doubtful(one: Judged, beside: list[Judged], is_doubtful: bool) -> None:
    assert is_in_company(finding(one))
    (told,) = without_strangers([finding(one)], lambda _: [one, *beside])
    assert (told.rule is DOUBTFUL) is is_doubtful


def test_what_was_deleted_by_its_very_path_is_not_asked_about_its_company() -> None:
    one = judged("path", "src/oven.py", BROKEN, evidence=Evidence.DELETED)
    assert not is_in_company(finding(one))
    assert without_strangers([finding(one)], lambda _: [one, *NEVER]) == [finding(one)]
    assert [is_strange(other) for other in (*NEVER, DRAWN, *STRANGE, NAME)] == [True] * 5 + [False]
