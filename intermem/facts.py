"""What the repository answers: the tree, its history, and where names occur."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """The files of a repository at one moment, and nothing else about it.

    Paths are relative to the top of the repository, with ``/``. ``prefix`` is the project root
    inside it (``""`` or ``"sub/folder/"``). ``outside`` names submodules and links that lead out,
    whose content is not ours to judge; ``links`` maps links to folders inside it to where they
    lead. ``by_name`` and ``dirs_by_name`` map a last component to the sorted paths that end in it; ``by_stem``
    maps the name of a code file without its ending.
    """

    paths: frozenset[str] = frozenset()
    dirs: frozenset[str] = frozenset()
    by_name: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    dirs_by_name: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    by_stem: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    prefix: str = ""
    outside: frozenset[str] = frozenset()
    links: Mapping[str, str] = field(default_factory=dict)
    is_git: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """The newest thing that history did to a path that is not in the tree.

    Without ``commit`` and ``date`` it is a change of the working tree, not committed yet.
    """

    commit: str | None
    date: str | None
    renamed_to: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PathHistory:
    """What the commits behind ``head`` did to paths that are not in its tree; it can be kept and extended."""

    head: str
    events: Mapping[str, Event] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """What became of paths that once were.

    ``by_name`` and ``by_stem`` are as in a tree; ``ordered`` are the paths of ``events``, sorted.
    ``elsewhere`` are paths that only other branches have; ``complete`` is false in a shallow clone.
    ``past`` is what the commits alone say, to be kept for the next run.
    """

    events: Mapping[str, Event] = field(default_factory=dict)
    by_name: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    by_stem: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    ordered: Sequence[str] = ()
    elsewhere: frozenset[str] = frozenset()
    complete: bool = True
    past: PathHistory | None = None


class Shape(StrEnum):
    """What a line of code does with a name, from most to least telling."""

    DEFINITION = "definition"
    FIELD = "field"
    IMPORT = "import"
    USE = "use"
    COMMENT = "comment"


@dataclass(frozen=True, slots=True, kw_only=True)
class Occurrence:
    """A line of a tracked file in which a name stands as a whole word."""

    path: str
    line: int
    shape: Shape


ALONE = "^!"  # behind a commit, as in git: that commit, without its parents


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """A name that no code has now, to be looked for in history.

    ``since`` bounds the search: a commit (what came after it), or ``commit^!`` (what came after it, and
    the commit itself); all of history is searched where it is None, or no commit behind HEAD.
    """

    name: str
    since: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolRemoval:
    """How a name left the code: the ``commit`` that took its line out of ``path``, and what the line did.

    ``renamed_to`` and ``target`` (``path:line``) say where it went, where history shows it.
    """

    commit: str
    date: str
    path: str
    shape: Shape
    renamed_to: str | None = None
    target: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Traced:
    """What history says of a trace: ``removals``, newest first. ``whole`` is false where it could not be searched."""

    removals: tuple[SymbolRemoval, ...] = ()
    whole: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Questions:
    """What the pure code needs to know before it can judge."""

    ignored: frozenset[str] = frozenset()
    line_counts: frozenset[str] = frozenset()
    history: bool = False
    names: frozenset[str] = frozenset()
    commits: frozenset[str] = frozenset()
    subjects: bool = False
    traces: frozenset[Trace] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """The repository's answers. A path missing from ``line_counts`` could not be counted."""

    tree: Tree = field(default_factory=Tree)
    memory_files: frozenset[str] = frozenset()
    ignored: frozenset[str] = frozenset()
    line_counts: Mapping[str, int] = field(default_factory=dict)
    history: History = field(default_factory=History)
    places: Mapping[str, tuple[Occurrence, ...]] = field(default_factory=dict)
    commits: Mapping[str, str] = field(default_factory=dict)
    issues: frozenset[int] = frozenset()
    traced: Mapping[Trace, Traced] = field(default_factory=dict)
    memory_names: Mapping[str, str] = field(default_factory=dict)
