"""Glob citations: ``src/**/*.py``, ``test_*.zig``."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from intermem.core.citations.kinds.extensions import EXTENSIONS
from intermem.core.citations.kinds.fates import follow
from intermem.core.citations.kinds.resolution import Setting
from intermem.core.citations.kinds.token import Token
from intermem.core.code.file_types import is_source, is_written
from intermem.core.globs import InvalidGlob, compiled_glob
from intermem.entities import Citation, Evidence, Verdict, VerdictStatus
from intermem.facts import Facts, Questions, Tree
from intermem.patterns import regex

_ENDING = regex(r"(?<=[*\w.-])\.\w+$")
_HEAD = regex(r"[\w@+~.\-/]*")
_NOTHING = regex("(?!)")
_GLOB = regex(r"[\w@+~.\-/*?\[\]{},!]{2,300}")


def read(token: Token) -> Citation | None:
    """Return the glob citation in ``token``: path characters with a ``*``, and a folder or an extension."""
    text = token.text
    if "*" not in text or token.form not in ("span", "word", "fence") or not _GLOB.fullmatch(text):
        return None
    if text.startswith(("-", "@", "/", "~", "!")) or "//" in text or _is_costly(text):
        return None
    name = posixpath.basename(text)
    extension = name.rpartition(".")[2].lower().rstrip("}").rpartition(",")[2]
    plain = name.strip("*.")
    if "/" not in text and (extension not in EXTENSIONS or not plain):
        return None
    return Citation(kind="glob", text=text, name=text.removeprefix("./"), weak=True)


def questions(citation: Citation, setting: Setting, tree: Tree) -> Questions:
    """Return the facts needed to judge ``citation``: history, if nothing matches now, and whether code has the glob."""
    if _first_match(citation, setting, tree.paths, tree.prefix):
        return Questions()
    return Questions(history=True, names=frozenset({citation.name}))


def judge(citation: Citation, setting: Setting, facts: Facts) -> Verdict:
    """Return the verdict on a glob: valid if a file matches, broken if one used to."""
    tree = facts.tree
    if posixpath.normpath(citation.name).startswith(".."):
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason="outside the repository")
    match = _first_match(citation, setting, tree.paths, tree.prefix)
    if match:
        return Verdict(status=VerdictStatus.VALID, target=match)
    gone = frozenset(facts.history.events) - facts.ignored
    former = sorted(_matches_of(citation.name, setting.folder or "", gone, tree.prefix))
    if not former:
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason="no file matches, and none ever did")
    once = former[0]
    if is_written(once) and not is_source(once):
        return Verdict(
            status=VerdictStatus.UNVERIFIABLE, reason=f"{once} was committed once, but looks like program output"
        )
    if facts.places.get(citation.name):
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason="no file matches any more, but code has this glob")
    moved = _moved_with(former, citation.name, facts)
    if moved is not None:
        return moved
    deeper = _deeper(citation.name)
    if deeper and (below := _matches_of(deeper, setting.folder or "", tree.paths, tree.prefix)):
        reason = f"only a deeper folder has such files now, as {min(below)}"
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason=reason)
    event = facts.history.events[once]
    return Verdict(
        status=VerdictStatus.BROKEN,
        reason=f"no file matches any more; {once} did",
        commit=event.commit,
        date=event.date,
        evidence=Evidence.MATCHES,
    )


def _deeper(glob: str) -> str | None:
    """Return the glob with any folders in front of the last name; None if it has none of its own there."""
    folder, _, last = glob.rpartition("/")
    return f"{folder}/**/{last}" if folder and last and "**" not in folder else None


def _moved_with(former: Sequence[str], glob: str, facts: Facts) -> Verdict | None:
    """Return *moved* to the one folder that the files which matched went to, the first under its name; else None."""
    folder, _, last = glob.rpartition("/")
    if not folder or "*" in folder:
        return None
    moves = [follow(one, facts.tree, facts.history) for one in former]
    moved = moves[0]
    if moved is None or moved.target is None:
        return None
    homes = {posixpath.dirname(one.target) for one in moves if one is not None and one.target is not None}
    home = homes.pop() if len(homes) == 1 else ""
    if not home or posixpath.basename(moved.target) != posixpath.basename(former[0]):
        return None
    return replace(moved, target=f"{home}/{last}", reason=f"{former[0]} did", evidence=Evidence.FOLDER)


def _first_match(citation: Citation, setting: Setting, paths: frozenset[str], prefix: str) -> str | None:
    return min(_matches_of(citation.name, setting.folder or "", paths, prefix), default=None)


@lru_cache(maxsize=1024)  # asked once for the questions, and once for the verdict
def _matches_of(name: str, folder: str, paths: frozenset[str], prefix: str) -> tuple[str, ...]:
    pattern = _compiled(name)
    ending, head = _ENDING.search(name), _HEAD.match(name)
    # The start and the end of the glob rule out most paths cheaply.
    tail, start = ending[0] if ending is not None else "", head[0] if head is not None else ""
    matches = [path for path in _with_both(paths, tail, start) if pattern.fullmatch(path)]
    near = [path for path in matches if folder and path.startswith(folder + "/")]
    inside = [path for path in matches if prefix and path.startswith(prefix)]
    return tuple(near or inside or matches)


def _with_both(paths: frozenset[str], tail: str, start: str) -> Iterator[str]:
    """Yield the paths with the extension ``tail``, if that is not empty, that have ``start`` in them."""
    if not start:
        yield from _by_ending(paths).get(tail, ()) if tail else paths
        return
    joined = _joined(paths, tail)
    at = joined.find(start)
    while at >= 0:
        stop = joined.index("\0", at)
        yield joined[joined.rfind("\0", 0, at) + 1 : stop]
        at = joined.find(start, stop)


@lru_cache(maxsize=32)
def _joined(paths: frozenset[str], tail: str) -> str:
    """Return the paths with an extension as one text: searching that is much faster than asking each of 100,000."""
    return "".join(f"{path}\0" for path in (_by_ending(paths).get(tail, ()) if tail else paths))


@lru_cache(maxsize=4)  # tree and history, each at both ends of a change
def _by_ending(paths: frozenset[str]) -> dict[str, list[str]]:
    """Return the paths by extension, with the dot."""
    found: dict[str, list[str]] = {}
    for path in paths:
        _, dot, ending = path.rpartition(".")
        if dot:
            found.setdefault(f".{ending}", []).append(path)
    return found


def _is_costly(text: str) -> bool:
    """Return whether braces or stars would blow up: over 500 alternatives, over 12 stars."""
    return (
        ".." in text.removeprefix("../")
        or text.count("{") > 3
        or text.count(",") > 20
        or text.count("*") > 12
        or text.count("**") > 2
    )


def _compiled(glob: str) -> re.Pattern[str]:
    """Return the glob as an expression for whole paths; it matches in any folder."""
    glob = glob.replace("**.", "**/*.")  # as people mean it
    try:
        return compiled_glob(f"**/{glob}**" if glob.endswith("/") else f"**/{glob}")
    except InvalidGlob:
        return _NOTHING
