"""What the command line knows of one command."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from intermem.results import Result
    from intermem.workflow.workspace import Workspace

    AnyResult = TypeVar("AnyResult", bound=Result)


class Verb(NamedTuple):
    """A command: its name, its line in ``--help``, its arguments, what runs it and what shows its result to people.

    ``renderer`` is "module:function" below ``intermem.reporters.text``, imported when there is a result. ``reads_only``
    is true for commands that change nothing unless given an option of ``writes_with``; the others change nothing if
    given one of ``reads_with``. ``--quiet`` keeps the output of what only reads. ``alone`` runs what works without a
    project, instead of ``run``. What ``is_plumbing`` is for programs: ``--help`` does not list it, nor a
    spelling of 0.1 that something else has ``replaced_by``.
    A tuple: importing dataclasses would slow down every start.
    """

    name: str
    summary: str
    arguments: Callable[[argparse.ArgumentParser], None]
    renderer: str
    run: Callable[[Workspace, argparse.Namespace], Result] | None = None
    alone: Callable[[argparse.Namespace], Result] | None = None
    reads_only: bool = False
    writes_with: tuple[str, ...] = ()
    reads_with: tuple[str, ...] = ()
    is_plumbing: bool = False
    replaced_by: str = ""


def renamed(result: AnyResult, old: str, new: str) -> AnyResult:
    """Return ``result`` with a note that ``old`` is a spelling of 0.1, and what replaced it."""
    from dataclasses import replace

    return replace(result, notices=(*result.notices, f"intermem {old} is now intermem {new}; 0.3 drops the old one"))
