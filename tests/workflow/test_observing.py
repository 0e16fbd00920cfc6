"""What the memory of this clone holds of entries whose wording people changed."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from intermem.core.reconcile.observers import Silence
from intermem.workflow.observing import observation_of
from intermem.workflow.workspace import Workspace
from tests.core.reconcile.test_fold import ME, A, B, C, D
from tests.core.reconcile.test_ledger_update import record, standing


def test_the_memory_holds_notes_by_all_ids_but_no_echoes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("intermem.workflow.observing.silence_of", lambda _: Silence())
    nowhere = cast(Workspace, SimpleNamespace(config=SimpleNamespace(count=lambda _: 5)))
    found = observation_of(nowhere, ME, [standing(B), record(A, in_memory=True), record(C, note_id=D, in_memory=True)])
    assert found is not None and found.holds == {A, C, D}
    echo = observation_of(nowhere, ME, [record(A, in_memory=True, echoed=True)])
    assert echo is not None and echo.holds == frozenset()
    assert observation_of(nowhere, None, []) is None
