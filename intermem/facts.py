"""Facts about the repository: its tree, its history, and where names occur."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from enum import StrEnum

from intermem.lazy_dataclass import dataclass


def names_git_dir(path: str) -> bool:
    """Return whether ``path`` (with ``/``) has a part ``.git``, in capitals or not: no file of a repository has one."""
    return ".git" in path.casefold().split("/")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """The files of a repository at one moment.

    Paths are relative to the top of the repository, with ``/``. ``prefix`` is the project root
    inside it (``""`` or ``"sub/folder/"``). ``outside`` names submodules and links that lead out of it,
    whose content is not judged; ``links`` maps links to folders inside it to their targets.
    ``by_name`` and ``dirs_by_name`` map a last component to the sorted paths that end in it; ``by_stem``
    maps the name of a code file without its extension.
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


class SeenBy(StrEnum):
    """What tells which file another one has become: git, which compared them; only its name; its very contents."""

    GIT = "git"
    NAME = "name"
    CONTENTS = "contents"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """The newest change in history to a path that is not in the tree.

    Without ``commit`` and ``date`` it is an uncommitted change of the working tree. ``blob`` is the beginning of the
    id of what was deleted.
    """

    commit: str | None
    date: str | None
    renamed_to: str | None = None
    seen_by: SeenBy = SeenBy.GIT
    blob: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PathHistory:
    """The changes in the history of ``head`` to paths that are not in its tree; can be cached and extended."""

    head: str
    events: Mapping[str, Event] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """What happened to paths that used to exist.

    ``by_name`` and ``by_stem`` are as in a tree; ``ordered`` holds the paths of ``events``, sorted.
    ``elsewhere`` holds paths that only other branches have; ``complete`` is false in a shallow clone. ``splits`` are
    the commits that took most of the repository away, as where one folder of it became a repository of its own.
    """

    events: Mapping[str, Event] = field(default_factory=dict)
    by_name: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    by_stem: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    ordered: Sequence[str] = ()
    elsewhere: frozenset[str] = frozenset()
    complete: bool = True
    splits: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What differs between two trees: paths, folders that only one of them has, and contents of code.

    ``files`` maps each code file that differs to its contents before and after, None where it cannot be read or does
    not exist.
    """

    added: frozenset[str] = frozenset()
    deleted: frozenset[str] = frozenset()
    modified: frozenset[str] = frozenset()
    dirs: frozenset[str] = frozenset()
    files: Mapping[str, tuple[bytes | None, bytes | None]] = field(default_factory=dict)


class Shape(StrEnum):
    """What a line of code does with a name, strongest evidence first."""

    DEFINITION = "definition"
    FIELD = "field"
    IMPORT = "import"
    READ = "read"  # of the environment, whose variable it is
    USE = "use"
    COMMENT = "comment"


@dataclass(frozen=True, slots=True, kw_only=True)
class Occurrence:
    """A line of a tracked file that contains a name as a whole word.

    ``shape`` is the strongest that it has in the file. ``mention`` is true if all its lines there are comments or
    the words of strings; else ``line`` is one of the others, or the definition.
    """

    path: str
    line: int
    shape: Shape
    mention: bool = False


ALONE = "^!"  # after a commit, as in git: that commit without its parents


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """A name that is in no code now, to be searched for in history.

    ``since`` limits the search: a commit (what came after it), or ``commit^!`` (that commit and what came
    after it). All of history is searched if it is None, or not an ancestor of HEAD.
    """

    name: str
    since: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolRemoval:
    """How a name left the code: the ``commit`` that removed its line from ``path``, and the line's shape.

    ``renamed_to`` and ``target`` (``path:line``) are what it became, if history shows that. ``commit`` and ``date`` are
    empty where only the whole change is known.
    """

    commit: str
    date: str
    path: str
    shape: Shape
    renamed_to: str | None = None
    target: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Traced:
    """The removals of a name, newest first. ``whole`` is false if history could not be searched completely."""

    removals: tuple[SymbolRemoval, ...] = ()
    whole: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Questions:
    """The facts that are needed to judge a set of citations."""

    ignored: frozenset[str] = frozenset()
    line_counts: frozenset[str] = frozenset()
    history: bool = False
    names: frozenset[str] = frozenset()
    commits: frozenset[str] = frozenset()
    issues: bool = False
    texts: frozenset[str] = frozenset()
    branch: bool = False
    traces: frozenset[Trace] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """The facts that ``Questions`` ask for. A path that is not in ``line_counts`` could not be counted.

    ``texts`` are those of manifests, by path.
    """

    tree: Tree = field(default_factory=Tree)
    memory_files: frozenset[str] = frozenset()
    ignored: frozenset[str] = frozenset()
    line_counts: Mapping[str, int] = field(default_factory=dict)
    history: History = field(default_factory=History)
    places: Mapping[str, tuple[Occurrence, ...]] = field(default_factory=dict)
    commits: Mapping[str, str] = field(default_factory=dict)
    issues: frozenset[int] = frozenset()
    texts: Mapping[str, str] = field(default_factory=dict)
    default_branch: str | None = None
    traced: Mapping[Trace, Traced] = field(default_factory=dict)
    memory_names: Mapping[str, str] = field(default_factory=dict)
