"""``check --fix``: suggestions written in their places, through the journal as every other edit."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from intermem.commands.project import Project
from intermem.commands.recovery import finish, intent_for
from intermem.core.findings import Finding
from intermem.core.fixing import rewritten
from intermem.results import Change


def fix(
    project: Project, texts: Mapping[str, str], findings: Sequence[Finding], *, dry: bool, force: bool
) -> tuple[Change, ...]:
    """Write the suggestions of ``findings`` into the documents ``texts`` unless ``dry``; return what changes.

    A document outside the project's root is left alone. Raises DocumentChanged where one is not what was read.
    """
    changes: list[Change] = []
    paths: dict[str, Path] = {}
    for name in sorted({one.place.file for one in findings}):
        path = Path(os.path.realpath(project.top / name))
        after = rewritten(texts[name], [one for one in findings if one.place.file == name])
        if after != texts[name] and path.is_relative_to(project.root):
            paths[name] = path
            changes.append(Change(name, texts[name], after))
    if changes and not dry:
        with project.writing(force=force) as (metadata, _):
            with project.recorded(metadata, "check") as recording:
                intents = [
                    intent_for(
                        project.checkout, paths[one.document], one.document, one.before, one.after or "", project.now
                    )
                    for one in changes
                ]
                recording.intends((), intents)
            finish(metadata, recording.pending)
    return tuple(changes)
