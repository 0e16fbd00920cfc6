"""``check --fix``: apply suggestions through the journal, like every other edit."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath

from intermem.core.check.findings import Finding
from intermem.core.check.fixes import rewritten
from intermem.errors import UsageError
from intermem.project.boundary import is_document_name, is_in_git_dir
from intermem.project.files import read_text_file
from intermem.results import FileDiff
from intermem.workflow.edits import Edit
from intermem.workflow.operation import operation
from intermem.workflow.run_mode import RunMode
from intermem.workflow.workspace import Workspace


def fix(
    workspace: Workspace, texts: Mapping[str, str], findings: Sequence[Finding], *, dry: bool, force: bool
) -> tuple[FileDiff, ...]:
    """Apply the suggestions of ``findings`` to the documents ``texts`` unless ``dry``; return the changes.

    What is outside the project root, or no document, is left alone. Raises DocumentChanged if one is not as it was
    read.
    """
    changes: list[FileDiff] = []
    paths: dict[str, Path] = {}
    for name in sorted({one.place.file for one in findings}):
        path = Path(os.path.realpath(workspace.top / name))
        after = rewritten(texts[name], [one for one in findings if one.place.file == name])
        if after != texts[name] and path.is_relative_to(workspace.root) and is_document_name(PurePath(name)):
            paths[name] = path
            changes.append(FileDiff(name, texts[name], after))
    if not dry:
        _write(workspace, changes, paths, force=force)
    return tuple(changes)


def write_file(workspace: Workspace, name: str, text: str, *, force: bool) -> tuple[FileDiff, ...]:
    """Write ``text`` as the file ``name`` inside the project; return the change, if there is one.

    Raises UsageError if the file is outside the project, UnreadableFile if the path is not a readable file.
    """
    path = Path(os.path.realpath(workspace.root / name))
    if not name or not path.is_relative_to(workspace.root) or path == workspace.root or is_in_git_dir(path):
        raise UsageError(
            f"check.baseline = {name!r} is not a file inside the project", hint="as in .intermem/baseline.json"
        )
    max_bytes = workspace.config.count("scan.max_bytes")
    before = read_text_file(path, name, max_bytes) if os.path.lexists(path) else None
    if before == text:
        return ()
    change = FileDiff(name, before, text)
    _write(workspace, [change], {name: path}, force=force)
    return (change,)


def _write(workspace: Workspace, changes: Sequence[FileDiff], paths: Mapping[str, Path], *, force: bool) -> None:
    if not changes:
        return
    edits = [Edit(paths[one.document], one.document, one.before, one.after or "") for one in changes]
    with operation(workspace, "check", RunMode(force=force), lambda _metadata: edits) as op:
        op.begin()
        op.commit(edits=edits)
