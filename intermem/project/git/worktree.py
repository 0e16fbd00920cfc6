"""A repository, read in batches: its files, what it ignores, line counts, history, names in its code.

git runs a handful of times per command, never once per citation.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from intermem.core.code.file_types import LARGEST_SEARCHED
from intermem.errors import RepositoryError
from intermem.facts import Change, Event, Facts, History, Questions, Trace, Traced, Tree
from intermem.lazy_dataclass import dataclass
from intermem.project.files import read_regular
from intermem.project.git.answers import MAX_COUNTED_BYTES, fields_of, known_counts, lines_in
from intermem.project.git.cache import Cache
from intermem.project.git.code import Code, Near
from intermem.project.git.commits import Commits
from intermem.project.git.document_history import DocumentHistory
from intermem.project.git.listing import Listing
from intermem.project.git.objects import Objects
from intermem.project.git.path_history import HistoryReader
from intermem.project.git.process import MISSING, Git, Prefetch, run_git
from intermem.project.git.readings import Readings
from intermem.project.git.sparse import SparseCheckout
from intermem.project.progress import Progress, no_progress

if TYPE_CHECKING:
    from intermem.project.git.default_branch import DefaultBranch, FolderHistory
    from intermem.project.git.file_history import FileHistory
    from intermem.project.git.gitignore import IgnoreRules

_IGNORE_SETTINGS = r"^core\.(excludesfile|ignorecase)$"
_QUESTIONS = (
    "--is-bare-repository",
    "--is-inside-git-dir",
    "--is-shallow-repository",
    "--absolute-git-dir",
    "--git-common-dir",
    "--show-prefix",
)


@dataclass(frozen=True)
class Worktree:
    """A repository: its working tree, or the revision ``rev`` (also of a bare one).

    ``top`` is the directory that git runs in: the top of the working tree, or the git directory
    of a bare repository. ``prefix`` is the project root inside it, ``""`` or ending in ``/``. It ``keeps`` what it has
    derived from objects in the cache, and reports its ``progress``.
    What git answers is read once and cached; ``replace`` starts afresh, but shares what is prefetched, git's
    configuration, and what was read of texts.
    """

    top: Path
    prefix: str
    git_dir: Path
    common_dir: Path
    bare: bool = False
    is_shallow: bool = False
    rev: str | None = None
    keeps: bool = True
    progress: Progress = field(default=no_progress, compare=False, repr=False)
    _prefetched: Prefetch = field(default_factory=Prefetch, compare=False, repr=False)
    _near: Near | None = field(default=None, compare=False, repr=False)
    _read: list[Readings] = field(default_factory=list, compare=False, repr=False)

    @cached_property
    def _git(self) -> Git:
        return Git(self.top, self.git_dir, self.rev, self.bare, self.is_shallow, self._prefetched)

    @cached_property
    def _objects(self) -> Objects:
        return Objects(self._git)

    @property
    def _cache(self) -> Cache:
        return Cache(self.common_dir if self.keeps else None)

    @property
    def readings(self) -> Readings:
        """What texts cite, remembered."""
        if not self._read:
            self._read.append(Readings(self._cache))
        return self._read[0]

    @cached_property
    def _commits(self) -> Commits:
        return Commits(self._git, self._cache)

    @cached_property
    def _listing(self) -> Listing:
        return Listing(self._git, self._objects)

    @cached_property
    def _code(self) -> Code:
        return Code(self._git, self._objects, self._listing, self.tree, self._cache, self.progress, self._near)

    @cached_property
    def documents(self) -> DocumentHistory:
        """The commits that changed the documents or the ledger."""
        return DocumentHistory(self._git, self._objects, self.prefix)

    @cached_property
    def file_history(self) -> FileHistory:
        """What files were, and who wrote their lines."""
        from intermem.project.git.file_history import FileHistory

        return FileHistory.of(self._git, self._cache)

    @cached_property
    def _default_branch(self) -> DefaultBranch:
        from intermem.project.git.default_branch import DefaultBranch

        return DefaultBranch(self._git, self._objects)

    def may_be_tracked(self, path: Path) -> bool:
        """Return False only if git says that it tracks neither this path, however its letters are written, nor a
        submodule that it is in."""
        name = os.path.relpath(path, self.top).casefold()
        code, out = self._git.try_(["ls-files", "-z", "--", f":(top,literal,icase){Path(name).parts[0]}"])
        tracked = (one.casefold() for one in out.decode("utf-8", "surrogateescape").split("\0"))
        return code != 0 or any(one and f"{name}/".startswith(f"{one}/") for one in tracked)

    def tracked_below(self, folder: Path) -> frozenset[str]:
        """Return the paths (from the top, folded to one case) that git tracks in ``folder``, however it is written."""
        name = os.path.relpath(folder, self.top)
        out = self._git.run(["ls-files", "-z", "--", *([] if name == "." else [f":(top,literal,icase){name}"])])
        return frozenset(path.casefold() for path in fields_of(out))

    def settings(self) -> list[tuple[str, str]]:
        """Return what git's configuration says under ``intermem.``, which no file of the repository can set."""
        return self._git.settings

    def variable(self, name: str) -> str | None:
        """Return what git's configuration says for ``name``; None if nothing."""
        code, out = self._git.try_(["config", "--null", "--get", name])
        return out.decode("utf-8", "replace").removesuffix("\0") if code == 0 else None

    def set_variable(self, name: str, value: str) -> None:
        """Set ``name`` in the configuration of this repository."""
        self._git.run(["config", "--local", name, value])

    @contextlib.contextmanager
    def expecting_verdicts(self) -> Iterator[None]:
        """Prefetch what every verdict needs while the caller imports, reads and parses."""
        self._prefetched.is_open = True
        try:
            self._listing.prefetch()
            self._git.prefetch_state()
            yield
        finally:
            self._prefetched.close()

    @cached_property
    def tree(self) -> Tree:
        """The files."""
        return self._listing.tree(self.prefix)

    @property
    def head(self) -> str | None:
        """The commit that is read, None where there is none yet."""
        return self._git.head

    @property
    def head_moved(self) -> bool:
        """True where ``head`` was asked for, and is another commit by now."""
        return self._git.head_moved

    @property
    def is_complete(self) -> bool:
        """True where the clone is neither shallow nor partial."""
        return self._git.is_complete

    def in_progress(self) -> str | None:
        """Return the operation that git is in the middle of: a merge, rebase, cherry-pick, revert or bisect."""
        return self._git.in_progress()

    def is_tracked(self, path: str) -> bool:
        """True where ``path`` (from the top) is in the index."""
        return bool(self._git.run(["ls-files", "-z", "--", f":(literal){path}"]))

    def is_ignored(self, path: str) -> bool:
        """True where git would ignore ``path`` (from the top)."""
        return bool(self._ignored([path]))

    @cached_property
    def sparse(self) -> SparseCheckout:
        """What a sparse checkout leaves out."""
        return SparseCheckout(self._git)

    def ledger_on_default_branch(self) -> tuple[dict[str, str], str | None]:
        """Return the ledger of the default branch, empty if there is no such branch."""
        ref = self._default_branch.ref
        return self.documents.ledger_at(ref) if ref is not None else ({}, None)

    def folder_on_default_branch(self, folder: str, names: Collection[str]) -> FolderHistory:
        """Return what the files ``names`` of ``folder`` (from the top) were along the default branch."""
        return self._default_branch.folder(folder, names)

    def target_of(self, path: str) -> str | None:
        """Return the path that ``path`` resolves to at the revision; None outside, empty for a symlink cycle."""
        return self._listing.target_at_revision(path)

    def text_at(self, name: str) -> str | None:
        """Return the text of the blob ``name`` (``HEAD:path``, ``:1:path``), None where there is none."""
        return self._objects.texts([name])[0]

    def texts_of(self, paths: Sequence[str]) -> dict[str, str]:
        """Return the texts of files in the tree by path; without what cannot be read."""
        wanted = [path for path in dict.fromkeys(paths) if path in self.tree.paths]
        if not self._git.is_on_disk:
            found = zip(wanted, self._objects.texts([self._blob_name(path) for path in wanted]), strict=True)
            return {path: text for path, text in found if text is not None}
        texts: dict[str, str] = {}
        for path in wanted:
            is_inside = self._listing.target_on_disk(path) is not None
            content = read_regular(self.top / path, LARGEST_SEARCHED) if is_inside else None
            if content is not None:
                texts[path] = content.decode("utf-8", "replace")
        return texts

    def _blob_name(self, path: str) -> str:
        """The name of a file of the revision for git: its id, since a path with a line break cannot be asked for."""
        return self._listing.blob_ids.get(path) or f"{self.head}:{path}"

    def merge_base(self, base: str, head: str = "HEAD") -> str:
        """Return the commit where ``head`` branched off ``base``. Raises RepositoryError where there is none."""
        fetch = "git fetch --unshallow (in a workflow: fetch-depth: 0)" if self.is_shallow else ""
        for name in (base, head):
            commit = f"{name}^{{commit}}"
            if not name or name.startswith("-") or self._git.try_(["rev-parse", "--verify", "-q", commit])[0]:
                raise RepositoryError(f"unknown revision {name!r}", hint=fetch or "name a branch")
        code, out = self._git.try_(["merge-base", base, head])
        if code:
            hint = f"this clone is shallow: {fetch}" if fetch else "name the branch that this one started from"
            raise RepositoryError(f"{base} and {head} have no common ancestor", hint=hint)
        return out.decode("ascii").strip()

    def only_change(self, path: str, since: str) -> Event | None:
        """Return the one commit after ``since`` that changed ``path``; None for several, and where it is modified."""
        log = ["log", "-2", "--format=%H %cs", f"{since}..{self.head}", "--", f":(top,literal){path}"]
        found = self._git.run(log).decode("ascii").split()
        is_committed = self.rev is not None or self.text_at(f"{self.head}:{path}") == self.texts_of([path]).get(path)
        return Event(commit=found[0], date=found[1]) if len(found) == 2 and is_committed else None

    def answer(
        self, questions: Questions, memory_files: frozenset[str] = frozenset(), since: str | None = None
    ) -> Facts:
        """Return the facts that answer ``questions``, with a handful of processes however many they are.

        Of the history there is only what came after ``since``, if that is given.
        """
        if questions.history:
            self.progress("reading the history", 0, 0)
        reader = HistoryReader(self._git, self._listing, self._cache, since)
        if questions.history:
            reader.prefetch()
        self._commits.prefetch(ancestry=bool(questions.names) and since is None, issues=questions.issues)
        places = self._code.places(questions.names)
        hides_history = self.is_shallow and self.head is not None
        history = reader.history() if questions.history else History(complete=not hides_history)
        return Facts(
            tree=self.tree,
            memory_files=memory_files,
            ignored=self._ignored(questions.ignored.union(history.events)),
            line_counts=self._line_counts(questions.line_counts),
            history=history,
            places=places,
            commits=self._objects.commits(questions.commits),
            issues=self._commits.issues() if questions.issues else frozenset(),
            texts=self.texts_of(sorted(questions.texts)),
            default_branch=self._default_branch.name if questions.branch else None,
        )

    def trace(self, traces: frozenset[Trace]) -> dict[Trace, Traced]:
        """Return how names that are no longer in the code left it. Five processes at most."""
        if not traces or self.head is None:
            return {}
        from intermem.project.git.pickaxe import Repository, trace

        places, line = self._code.places, self._commits.ancestry
        return trace(Repository(self.head, self._git, line, self._objects, places, self._cache, self.progress), traces)

    def change_since(self, base: Worktree) -> Change | None:
        """Return what differs between the files of ``base`` and these; None if it is too much to keep."""
        return self._code.change_since(base._code)

    def beside(self, after: Worktree, change: Change) -> Worktree:
        """Return this tree, of which only what ``change`` has in its files is read where ``after`` was read."""
        return replace(self, _near=Near(after._code, change))

    def trace_change(self, change: Change, names: frozenset[str]) -> dict[str, Traced]:
        """Return how ``names`` left the code in ``change``, as in a single commit that has no id and no date."""
        if not names:
            return {}
        from intermem.project.git.pickaxe import trace_change

        return trace_change(change, names, self._code.places)

    def _ignored(self, paths: Iterable[str]) -> frozenset[str]:
        """Return the ignored ones among ``paths``; on disk without those behind a link, at which git would stop."""
        is_behind = self._listing.is_behind_link if self._git.is_on_disk else lambda _path: False
        asked = [path for path in sorted(paths) if not is_behind(path)]
        return self._ignore_rules.set_aside(asked) if asked else frozenset()

    @cached_property
    def _ignore_rules(self) -> IgnoreRules:
        from intermem.project.git.gitignore import IgnoreRules, own_text, user_ignore_file

        if not self._git.is_on_disk:
            files = [path for path in self.tree.paths if f"/{path}".endswith("/.gitignore")]
            return IgnoreRules(self.texts_of(files).get)
        settings = self._git.run(["config", "-z", "--type=path", "--get-regexp", _IGNORE_SETTINGS], allowed=(0, 1))
        values = {name: value for name, _, value in (field.partition("\n") for field in fields_of(settings))}
        others = (self.common_dir / "info/exclude", values.get("core.excludesfile") or user_ignore_file())
        return IgnoreRules(
            self._gitignore_on_disk,
            [own_text(Path(path)) for path in others if path],
            ignore_case=values.get("core.ignorecase", "").lower() in ("true", "yes", "on", "1"),
        )

    def _gitignore_on_disk(self, path: str) -> str | None:
        content = read_regular(f"{self.top}/{path}", LARGEST_SEARCHED)
        if content is None and path in self.tree.paths:  # left out by a sparse checkout
            return self._objects.texts([f":{path}"])[0]
        return content.decode("utf-8", "surrogateescape") if content is not None else None

    def _line_counts(self, paths: Iterable[str]) -> dict[str, int]:
        asked = sorted(paths)
        if not asked:
            return {}
        if not self._git.is_on_disk:
            names = {path: self._blob_name(self._listing.file_links.get(path, path)) for path in asked}
            blobs = self._objects.contents(dict.fromkeys(names.values()))
            return known_counts({path: lines_in(blobs[name]) for path, name in names.items() if name in blobs})
        counts: dict[str, int | None] = {}
        for path in asked:
            target = self._listing.target_on_disk(path)
            content = read_regular(self.top / target, MAX_COUNTED_BYTES) if target is not None else None
            counts[path] = lines_in(content) if content is not None else None
        return known_counts(counts)


def open_worktree(where: Path, *, rev: str | None = None) -> Worktree | None:
    """Return the repository that the directory ``where`` is in, None where it is in none.

    ``where`` becomes the project root. A path into a bare repository is that repository. Raises
    RepositoryError where git refuses to read it (a repository of another owner).
    """
    code, out, message = run_git(["-C", str(where), "rev-parse", *_QUESTIONS])
    if code == MISSING:
        _refuse_without_git(where)
        return None
    if code != 0:
        if "dubious ownership" in message:
            raise RepositoryError(
                f"git does not trust the repository at {where}: it belongs to another user",
                hint=f"git config --global --add safe.directory {where}",
            )
        return None
    lines = out.decode("utf-8", "surrogateescape").split("\n")
    if len(lines) > 7:
        raise RepositoryError(
            f"the path of {where} has a line break, which git cannot report", hint="rename the folder"
        )
    is_bare, is_inside_git_dir, is_shallow = (line == "true" for line in lines[:3])
    if not is_bare and is_inside_git_dir:
        raise RepositoryError(f"{where} is inside a git directory", hint="go to the working tree")
    git_dir = Path(lines[3])
    common = Path(os.path.realpath(where / lines[4]))
    if is_bare:
        return Worktree(git_dir, "", git_dir, common, bare=True, is_shallow=is_shallow, rev=rev)
    prefix = lines[5] if len(lines) > 5 else ""
    top = Path(os.path.realpath(where))
    for _ in Path(prefix).parts:
        top = top.parent
    return Worktree(top, prefix, git_dir, common, is_shallow=is_shallow, rev=rev)


def _refuse_without_git(where: Path) -> None:
    """A repository must not be taken for a plain folder: its state lies in its git directory."""
    real = Path(os.path.realpath(where))
    for folder in (real, *real.parents):
        if (folder / ".git").exists():
            raise RepositoryError(
                f"git was not found, and {folder} is a git repository; nothing was changed", hint="add git to the PATH"
            )
