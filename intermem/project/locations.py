"""Find the project root, the state directory and the memory."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from pathlib import Path

from intermem.errors import DocumentRefused, IntermemError, MemoryAmbiguous, RepositoryError, UsageError
from intermem.lazy_dataclass import dataclass
from intermem.project.boundary import place_in
from intermem.project.git.worktree import Worktree, open_worktree
from intermem.project.provenance import may_be_committed

COMMITTED_MEMORIES = (".claude/memory", "memory", "docs/memory")
LEGACY_STATE = ".intermem"

_SLUG_UNITS = 200  # Claude Code cuts a longer slug here and appends a hash that we cannot compute
_MAX_TRANSCRIPT_LINES = 40
_MAX_TRANSCRIPTS = 20


@dataclass(frozen=True, slots=True)
class MemoryPlace:
    """The memory directory (None: not found), how it was found, and every path that was tried."""

    path: Path | None
    how: str = ""
    tried: tuple[str, ...] = ()
    problem: IntermemError | None = field(default=None)


def find_root(given: Path | None, working_directory: Path, worktree: Worktree | None) -> Path:
    """Return the project root: ``--project-root``, else the git top level, else the working directory."""
    if given is None:
        if worktree is None or worktree.bare:
            return Path(os.path.realpath(working_directory))
        return worktree.top
    _require_folder("--project-root", given)
    return Path(os.path.realpath(given))


def _require_folder(option: str, given: Path) -> None:
    if not _is_folder(given):
        what = "not a directory" if os.path.lexists(given) else "no such directory"
        raise UsageError(f"{option} {given}: {what}", hint="check the path")


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # for example a name that is too long
        return False


def find_state_dir(root: Path, worktree: Worktree | None, configured: str) -> Path:
    """Return the directory of metadata.db and the lock.

    In a repository it is in the common git directory: worktrees share it, and neither ``git clean``
    nor switching branches touches it. Elsewhere it is ``.intermem`` below the root.
    """
    if configured:
        return expanded(root, configured, "state_dir")
    if worktree is None:
        return root / LEGACY_STATE
    place = worktree.prefix.strip("/")
    if not place:
        return worktree.common_dir / "intermem" / "root"
    first, slash, rest = place.partition("/")
    if re.fullmatch(r"(?:root|cache)_*", first):  # "root" itself stands for the top, and the cache has its own folder
        first += "_"
    return worktree.common_dir / "intermem" / (first + slash + rest)


def slug_of(path: str) -> str:
    """Return Claude Code's name for a project: each UTF-16 code unit outside [A-Za-z0-9] is a dash."""
    units = path.encode("utf-16-le", "surrogatepass")
    codes = (int.from_bytes(units[at : at + 2], "little") for at in range(0, len(units), 2))
    return "".join(chr(code) if chr(code).isascii() and chr(code).isalnum() else "-" for code in codes)


def main_checkout(root: Path, worktree: Worktree | None) -> Path:
    """Return the checkout whose path names the memory: worktrees and subfolders share the main one's."""
    if worktree is None:
        return root
    is_linked = worktree.git_dir != worktree.common_dir
    if worktree.common_dir.name == ".git" or (is_linked and "modules" not in worktree.common_dir.parts):
        return worktree.common_dir.parent
    return worktree.top


def find_memory(
    root: Path,
    worktree: Worktree | None,
    *,
    option: Path | None,
    configured: str,
    environment: Mapping[str, str],
    committed: bool = False,
) -> MemoryPlace:
    """Return the memory directory, in the order of DESIGN.md §4; an ambiguous one is a problem, never a guess.

    ``committed`` is true if ``configured`` is from a file that git tracks: then it may name no folder outside the
    project, where the memory of another one may be.
    """
    if option is not None:
        _require_folder("--memory-dir", option)
        return MemoryPlace(option, "--memory-dir")
    if configured:
        path = expanded(root, configured, "memory_dir")
        if committed:
            try:
                place_in(root, path, "memory_dir")
            except DocumentRefused as refused:
                hint = f"if it is yours: git config intermem.memoryDir {os.path.realpath(path)}, or --memory-dir"
                return MemoryPlace(None, "", (str(path),), DocumentRefused(refused.message, hint=hint))
        return MemoryPlace(path if path.is_dir() else None, "memory_dir", (str(path),))
    tried: list[str] = []
    place = _agent_memory(root, worktree, environment, tried)
    if place is not None:
        return place
    for name in COMMITTED_MEMORIES:
        tried.append(str(root / name))
        if (root / name / "MEMORY.md").is_file():
            return _in_project(root, name, worktree, tried)
    return MemoryPlace(None, "", tuple(tried))


def _in_project(root: Path, name: str, worktree: Worktree | None, tried: Sequence[str]) -> MemoryPlace:
    """Return the memory in a folder of the project; a link in its place may lead nowhere else."""
    try:
        place_in(root, root / name, name)
    except DocumentRefused as refused:
        return MemoryPlace(None, "", tuple(tried), refused)
    how = "in the project"
    if worktree is not None and not worktree.bare:
        index = f"{worktree.prefix}{name}/MEMORY.md"
        untracked = f"{how}, {'ignored' if worktree.is_ignored(index) else 'not tracked'} by git"
        how = "committed" if worktree.is_tracked(index) else untracked
    return MemoryPlace(root / name, how, tuple(tried))


def _agent_memory(
    root: Path, worktree: Worktree | None, environment: Mapping[str, str], tried: list[str]
) -> MemoryPlace | None:
    home = _home(environment)
    base = environment.get("CLAUDE_CONFIG_DIR") or (str(home / ".claude") if home else "")
    settings = [Path(base) / "settings.json"] if base else []
    own = root / ".claude" / "settings.local.json"
    configured = _auto_memory_directory([*settings, *([] if may_be_committed(own, worktree) else [own])], home)
    if configured is not None:
        tried.append(str(configured))
        return MemoryPlace(configured, "autoMemoryDirectory", tuple(tried)) if configured.is_dir() else None
    if not base:
        return None
    checkout = main_checkout(root, worktree)
    return _by_slug(Path(base) / "projects", checkout, worktree, tried)


def _by_slug(projects: Path, checkout: Path, worktree: Worktree | None, tried: list[str]) -> MemoryPlace | None:
    slug = slug_of(str(checkout))
    if len(slug) <= _SLUG_UNITS:
        hits = [projects / slug] if (projects / slug).is_dir() else []
        tried.append(str(projects / slug / "memory"))
    else:
        start = slug[:_SLUG_UNITS] + "-"
        hits = sorted(path for path in _folders(projects) if path.name.startswith(start))
        tried.append(str(projects / f"{start}*" / "memory"))
    hits = [hit for hit in hits if (hit / "memory").is_dir()]
    if not hits:
        return None
    if len(hits) > 1:
        names = ", ".join(hit.name[-12:] for hit in hits)
        problem = MemoryAmbiguous(
            f"{len(hits)} memories match this project (…{names}); none was read",
            hint="name one with --memory-dir, or memory_dir in the configuration",
        )
        return MemoryPlace(None, "", tuple(tried), problem)
    foreign = _foreign_cwd(hits[0], checkout, worktree)
    if foreign is not None:
        problem = MemoryAmbiguous(
            f"{hits[0] / 'memory'} may belong to {foreign}: its sessions ran there; it was not read",
            hint="name the memory with --memory-dir, or memory_dir in the configuration",
        )
        return MemoryPlace(None, "", tuple(tried), problem)
    return MemoryPlace(hits[0] / "memory", "the agent's directory for this checkout", tuple(tried))


def _foreign_cwd(folder: Path, checkout: Path, worktree: Worktree | None) -> str | None:
    """Return the directory of another project that transcripts beside a memory name, None where there is none.

    A worktree of this repository is not another project.
    """
    for transcript in sorted(folder.glob("*.jsonl"))[:_MAX_TRANSCRIPTS]:
        cwd = _first_cwd(transcript)
        if cwd and not _is_own(Path(os.path.realpath(cwd)), checkout, worktree):
            return cwd
    return None


def _is_own(place: Path, checkout: Path, worktree: Worktree | None) -> bool:
    if place.is_relative_to(checkout):
        return True
    if worktree is None or not place.is_dir():
        return False
    try:
        other = open_worktree(place)
    except RepositoryError:
        return False
    return other is not None and other.common_dir == worktree.common_dir


def _first_cwd(transcript: Path) -> str | None:
    if not transcript.is_file():
        return None
    try:
        with transcript.open("rb") as file:
            for line in (file.readline(1 << 20) for _ in range(_MAX_TRANSCRIPT_LINES)):
                if b'"cwd"' in line:
                    loaded = json.loads(line)
                    cwd = loaded.get("cwd") if isinstance(loaded, dict) else None
                    if isinstance(cwd, str):
                        return cwd
    except (OSError, ValueError, RecursionError):
        return None
    return None


def _auto_memory_directory(files: Sequence[Path], home: Path | None) -> Path | None:
    """Return the agent's own setting, from the last of its settings files that has it; none of them is committed."""
    for path in reversed(files):
        value = _setting(path, "autoMemoryDirectory")
        if value is None:
            continue
        if value.startswith("~/") and home is not None:
            return home / value[2:]
        if value.startswith("/"):
            return Path(value)
    return None


def _setting(path: Path, key: str) -> str | None:
    if not path.is_file():
        return None
    try:
        loaded = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    value = loaded.get(key) if isinstance(loaded, dict) else None
    return value if isinstance(value, str) and value else None


def expanded(root: Path, text: str, whose: str) -> Path:
    """Return ``text`` as a path below ``root``, with ``~`` expanded; it need not exist.

    Raises UsageError where the system cannot look there: too long a name, links in a circle, no permission.
    """
    try:
        path = root / Path(text).expanduser()
        os.stat(path)  # noqa: PTH116 - its errors tell what is wrong
    except RuntimeError:
        raise UsageError(f"{whose} {text}: no such home directory", hint="write out the path") from None
    except (FileNotFoundError, NotADirectoryError):
        return path
    except (OSError, ValueError) as error:
        what = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"{whose} {text[:80]}: {what}", hint="name another folder") from None
    return path


def _home(environment: Mapping[str, str]) -> Path | None:
    home = environment.get("HOME", "")
    return Path(home) if home.startswith("/") else None


def _folders(path: Path) -> Iterable[Path]:
    try:
        return [child for child in path.iterdir() if child.is_dir()]
    except OSError:
        return []
