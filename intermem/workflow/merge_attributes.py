"""What makes git merge documents with ``merge-driver``: a line of .gitattributes each, and a driver in the clone.

The lines are committed; the driver is a command, which git takes from no file of a repository, so every clone sets it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from shutil import which

from intermem.core.markdown.lines import ends_in_line_end, fitting_line_end, split_lines
from intermem.core.region.topic_files import is_topic_file
from intermem.entities import TIER_FOLDER
from intermem.errors import IntermemError
from intermem.project.boundary import place_in
from intermem.project.files import read_text_file
from intermem.workflow.edits import Edit
from intermem.workflow.workspace import Workspace

FILE = ".gitattributes"
HOW = "intermem init --merge-driver"
_ATTRIBUTE = "merge=intermem"
_NAME = "intermem: entries of regions by identity"
# Where the shell cannot run intermem, git's own merge must not be left out: ours alone would stay, without a sign. An
# exit code above 128 would end the merge, one below is a conflict.
_DRIVER = (
    "intermem merge-driver --marker-size %L %O %A %B %P; code=$?; case $code in [01]) exit $code;;"
    " 12[67]) git merge-file --marker-size=%L -L ours -L base -L theirs %A %O %B || exit 1;; *) exit 1;; esac"
)


def attribute_line(name: str) -> str:
    """Return the line of .gitattributes for the document ``name``; topic files have one for all that come."""
    if is_topic_file(name):
        return f"{TIER_FOLDER}/*.md {_ATTRIBUTE}"
    pattern = re.sub(r"[\\*?\[]", r"\\\g<0>", name)
    if re.search(r'[\s"]|^[#!]', name):
        pattern = '"' + pattern.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return f"{pattern} {_ATTRIBUTE}"


def with_attributes(workspace: Workspace, names: Iterable[str]) -> Edit | None:
    """Return the edit that adds the lines for these documents; None if all are there."""
    before = _attributes(workspace)
    text = before or ""
    lines = split_lines(text)
    for line in map(attribute_line, names):
        if line not in lines:
            end = fitting_line_end(text, len(text))
            text += ("" if ends_in_line_end(text) else end) + line + end
            lines.append(line)
    if text == (before or ""):
        return None
    return Edit(place_in(workspace.root, workspace.root / FILE, FILE), FILE, before, text)


def without_attributes(workspace: Workspace, name: str) -> Edit | None:
    """Return the edit that takes out the line for a document; None if there is none, or if it is for others too.

    A file that has nothing else goes with it.
    """
    before = _attributes(workspace)
    if before is None or is_topic_file(name) or attribute_line(name) not in split_lines(before):
        return None
    after = re.sub(rf"(?m)^{re.escape(attribute_line(name))}(?:\r\n|\n|\r|\Z)", "", before)
    return Edit(place_in(workspace.root, workspace.root / FILE, FILE), FILE, before, after or None)


def set_driver(workspace: Workspace, *, dry: bool) -> str:
    """Set the driver in the configuration of this clone; return a notice. ``dry`` only says what would be done."""
    if workspace.worktree is not None and not dry:
        workspace.worktree.set_variable("merge.intermem.name", _NAME)
        workspace.worktree.set_variable("merge.intermem.driver", _DRIVER)
    is_set = "would be set" if dry else "is set"
    told = f"merge.intermem.driver {is_set} in the git configuration of this clone; every other clone needs {HOW}"
    found = which("intermem", path=workspace.options.environment.get("PATH", ""))
    return told if found else f"{told}; git merges line by line until intermem is on its PATH"


def driver_notices(workspace: Workspace) -> list[str]:
    """Return a notice if .gitattributes names a driver that this clone lacks: git then merges line by line."""
    if workspace.worktree is None:
        return []
    try:
        text = _attributes(workspace) or ""
    except IntermemError:
        return []
    named = any(_ATTRIBUTE in line.split()[1:] for line in split_lines(text) if not line.startswith("#"))
    if not named or workspace.worktree.variable("merge.intermem.driver") is not None:
        return []
    return [f"{FILE} names {_ATTRIBUTE}, but this clone has no such driver: {HOW} sets it"]


def _attributes(workspace: Workspace) -> str | None:
    path = place_in(workspace.root, workspace.root / FILE, FILE)
    return read_text_file(path, FILE, workspace.config.count("scan.max_bytes")) if path.exists() else None
