"""Every command by name, in the order of ``--help``. What they run is imported when they run."""

from __future__ import annotations

from intermem.cli import check, completions, curate, decide, inspect
from intermem.cli.verb import Verb

_ROWS = (*curate.VERBS, *check.VERBS, *decide.VERBS, *inspect.VERBS, *completions.VERBS)
VERBS: dict[str, Verb] = {verb.name: verb for verb in _ROWS}
LISTED = tuple(name for name, verb in VERBS.items() if not (verb.is_plumbing or verb.replaced_by))
