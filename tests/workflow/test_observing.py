"""What the memory of this clone holds of entries whose wording people changed."""

from __future__ import annotations

from typing import cast

import pytest

from intermem.core.reconcile.observers import Silence
from intermem.workflow.observing import observation_of
from intermem.workflow.workspace import Workspace
from tests.core.reconcile.test_fold import ME, A, B
from tests.core.reconcile.test_ledger_update import record, standing


def test_a_note_on_record_beside_a_wording_of_it_that_stands_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("intermem.workflow.observing.silence_of", lambda _: Silence())
    nowhere = cast(Workspace, None)
    reworded = standing(B, note_id=A)
    found = observation_of(nowhere, ME, [reworded, record(A, in_memory=True)])
    assert found is not None and B in found.holds
    lost = observation_of(nowhere, ME, [reworded, record(A)])
    assert lost is not None and B not in lost.holds
    echo = observation_of(nowhere, ME, [reworded, record(A, in_memory=True, echoed=True)])
    assert echo is not None and B not in echo.holds
    assert observation_of(nowhere, None, []) is None
