"""The result of a command that decides on single entries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from intermem.results import FINDINGS, exit_code_for
from intermem.results.decide import DecisionResult
from intermem.workflow.changeset import Plan
from intermem.workflow.run_mode import RunMode


def decision_on(
    plan: Plan,
    mode: RunMode,
    verb: str,
    done: str,
    *,
    documents: Mapping[str, str] | None,
    notices: Iterable[str],
) -> DecisionResult:
    """Return what ``verb`` did to the entries of ``plan``: ``done`` says so in one word.

    ``documents`` are those that entries left or went into, by id. Exit code 1 if one was refused, or none is meant.
    """
    state, refused = plan.changeset.state, plan.changeset.refused
    return DecisionResult(
        verb=verb,
        done=done,
        entries=plan.entries,
        refused=plan.refused,
        documents=documents,
        dry_run=mode.dry,
        exit_code=exit_code_for(state.problems, FINDINGS if refused or not plan.entries else 0),
        problems=state.problems,
        notices=tuple(notices),
        changes=plan.changes,
        show_diff=mode.show_diff,
    )
