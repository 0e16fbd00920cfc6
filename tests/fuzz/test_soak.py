from __future__ import annotations

import re

import pytest

from benchmarks import soak_documents
from benchmarks.soak_documents import Soak, document, injected


def soaked(documents: int, injections: int) -> Soak:
    soak = Soak(seed=7)
    for _ in range(documents):
        text = document(soak.chance)
        for number in range(injections):
            soak.inject(text, number)
    return soak


def test_a_short_soak_finds_every_outcome_and_no_violation() -> None:
    soak = soaked(documents=40, injections=20)
    assert soak.violations.total() == 0, soak.repros
    assert sum(counted.total() for counted in soak.parsed.values()) == 40 * 20
    outcomes = {what for counted in soak.parsed.values() for what in counted}
    assert {"ordinary text", "refused", "a region"} <= outcomes
    assert {"add and remove", "remove and add", "take away"} == set(soak.edited)


def test_a_violation_is_counted_and_shown(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(soak_documents, "judged", lambda text: str(1 // (len(text) - len(text))))
    soak = soaked(documents=2, injections=5)
    soak.report()
    assert soak.violations == {"ZeroDivisionError: integer division or modulo by zero": 10}
    assert "violations 10" in capsys.readouterr().out


def test_an_injection_only_adds() -> None:
    chance = Soak(seed=1).chance
    for _ in range(200):
        text = document(chance)
        result = injected(text, "MARK", chance)
        assert result.count("MARK") == 1
        assert re.sub(r"[\r\n]", "", result.replace("MARK", "")) == re.sub(r"[\r\n]", "", text)
