"""``check --fix``: suggestions written in their places, through the journal as every other edit."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from intermem.commands.project import Project
from intermem.commands.recovery import finish, intent_for
from intermem.core.findings import Finding
from intermem.core.fixing import rewritten
from intermem.errors import UsageError
from intermem.project.files import read_text_file
from intermem.results import Change
from intermem.storage.operations import Intent


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
    if not dry:
        _write(project, changes, paths, force=force)
    return tuple(changes)


def write_whole(project: Project, name: str, text: str, *, force: bool) -> tuple[Change, ...]:
    """Write ``text`` as the file ``name`` below the project's root; return the change, if it is one.

    Raises UsageError where that lies outside, UnreadableFile where something else stands there.
    """
    path = Path(os.path.realpath(project.root / name))
    if not name or not path.is_relative_to(project.root) or path == project.root:
        raise UsageError(
            f"check.baseline = {name!r} is no file below the project", hint="as in .intermem/baseline.json"
        )
    largest = project.config.count("scan.max_bytes")
    before = read_text_file(path, name, largest) if os.path.lexists(path) else None
    if before == text:
        return ()
    change = Change(name, before, text)
    _write(project, [change], {name: path}, force=force)
    return (change,)


def _write(project: Project, changes: Sequence[Change], paths: Mapping[str, Path], *, force: bool) -> None:
    if not changes:
        return
    with project.writing(force=force) as (metadata, _):
        with project.recorded(metadata, "check") as recording:
            recording.intends((), [_intent(project, one, paths[one.document]) for one in changes])
        finish(metadata, recording.pending)


def _intent(project: Project, change: Change, path: Path) -> Intent:
    return intent_for(project.checkout, path, change.document, change.before, change.after or "", project.now)
