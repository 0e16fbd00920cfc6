"""One batched view of a repository: its files, what it ignores, how long files are, what became of paths.

The only module that starts processes. git is asked a handful of questions a run, never one a
citation; inherited ``GIT_*`` variables are dropped (a hook sets them for another purpose),
nothing is fetched, no lock is taken, no pager, hook or file system monitor is started.
"""

from __future__ import annotations

import contextlib
import os
import posixpath
import re
import subprocess
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import IO, TYPE_CHECKING

from intermem.core.code.file_types import LARGEST_SEARCHED, is_code
from intermem.core.code.name_search import Search
from intermem.errors import RepositoryError
from intermem.facts import Event, Facts, History, Occurrence, PathHistory, Questions, Trace, Traced, Tree
from intermem.project.files import read_regular
from intermem.project.git.answers import (
    COMMIT_MARK,
    LARGEST_COUNTED,
    events_of,
    fields_of,
    folders_above,
    history_of,
    known_counts,
    lines_in,
    tree_of,
)

if TYPE_CHECKING:
    from intermem.core.reconcile.lineage import Lineage

_MISSING = 127  # as a shell says it
_LINKS_FOLLOWED = 40  # as Linux does

_UNFINISHED = {
    "MERGE_HEAD": "merge",
    "rebase-merge": "rebase",
    "rebase-apply": "rebase",
    "CHERRY_PICK_HEAD": "cherry-pick",
    "REVERT_HEAD": "revert",
    "BISECT_LOG": "bisect",
}

_OPTIONS = (
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "protocol.allow=never",
    "-c",
    "core.quotepath=off",
    "-c",
    "log.showSignature=false",
    "-c",
    "i18n.logOutputEncoding=UTF-8",
    "-c",
    "diff.orderFile=/dev/null",
    "--no-pager",
)

_LISTING = ["ls-files", "-z", "-t", "--stage", "--cached", "--deleted", "--others", "--exclude-standard"]
_PARTIAL = ["config", "--get-regexp", r"^(extensions\.partialclone|remote\..*\.(promisor|partialclonefilter))$"]
_WHOLE_LOG = ["log", "--topo-order", "--name-status", "--diff-filter=DRA", f"--format={COMMIT_MARK}%H %cs", "-z"]
_OTHER_BRANCHES = ["log", "--no-renames", "--diff-filter=A", "--name-only", "--format=", "-z"]
# Against the index: a look at the files themselves would run filters, and git in submodules.
_STAGED = ["diff", "--cached", "--ignore-submodules=all", "--name-status", "--diff-filter=DR", "-z"]


@dataclass(frozen=True)
class Worktree:
    """A repository as it stands on disk, or at ``rev`` (then also a bare one).

    ``top`` is the directory that git runs in: the top of the working tree, or the git directory
    of a bare repository. ``prefix`` is the project root inside it, ``""`` or ending in ``/``. In a shallow one
    part of the history is not there.
    """

    top: Path
    prefix: str
    git_dir: Path
    common_dir: Path
    bare: bool = False
    is_shallow: bool = False
    rev: str | None = None
    _ahead: _Ahead = field(default_factory=lambda: _Ahead(), compare=False, repr=False)

    @contextlib.contextmanager
    def expecting_verdicts(self) -> Iterator[None]:
        """Have git answer what every verdict needs while the caller imports, reads, and does other work of Python's."""
        self._ahead.open = True
        try:
            if self.rev is None and not self.bare:
                self._begin(_LISTING)
            self._begin(self._head_asked)
            self._begin(_PARTIAL)
            yield
        finally:
            self._ahead.close()

    @cached_property
    def tree(self) -> Tree:
        """The files, read once."""
        if self.rev is not None or self.bare:
            paths, outside = self._paths_of_revision(self.rev or "HEAD")
            links = self._links_of_revision
            lost = [path for path, target in links.items() if target is None]
            inside = {path: target for path, target in links.items() if target is not None and target not in paths}
            return tree_of(paths.difference(lost), self.prefix, [*outside, *lost], inside)
        return self._tree_on_disk()

    @cached_property
    def head(self) -> str | None:
        """The commit that is looked at, None where there is none yet."""
        out = self._run(self._head_asked, allowed=(0, 1, 128))
        return out.decode("ascii", "replace").strip() or None

    @property
    def _head_asked(self) -> list[str]:
        return ["rev-parse", "--verify", "--quiet", f"{self.rev or 'HEAD'}^{{commit}}"]

    def is_tracked(self, path: str) -> bool:
        """True where ``path`` (from the top) is in the index."""
        return bool(self._run(["ls-files", "-z", "--", f":(literal){path}"]))

    def is_ignored(self, path: str) -> bool:
        """True where git would ignore ``path`` (from the top)."""
        return bool(self._ignored([path]))

    def is_left_out(self, path: str) -> bool:
        """True where ``path`` (from the top) is tracked, but a sparse checkout leaves it out."""
        out = self._run(["ls-files", "-z", "-t", "--", f":(literal){path}"])
        return any(field.startswith("S ") for field in fields_of(out))

    def lineage(self, documents: Sequence[str], ledger: str) -> Lineage:
        """Return the commits behind HEAD in which ``documents`` or ``ledger`` changed, and all merges, with texts.

        Paths are from the top. Six processes. Empty where there is no commit yet, and in a
        partial clone, whose absent texts would look like removals. Merges are not simplified: git
        would drop the parent that never had an entry, and with it the reason why it is gone.
        """
        from intermem.core.reconcile.lineage import Commit, Lineage, lineage_of

        if self.head is None or self._is_partial:
            return Lineage()
        paths = [*documents, ledger]
        out = self._run(
            ["log", "-z", "--full-history", "--parents", "--topo-order", "--format=%H %cs %P", self.head, "--"]
            + [f":(top,literal){path}" for path in paths]
        )
        heads = [field.split() for field in fields_of(out)]
        standing, tips = self._other_worktrees(ledger)
        names = [f"{head[0]}:{path}" for head in heads for path in paths]
        texts = iter(self._texts([*names, *(f"{tip}:{ledger}" for tip in tips)]))
        commits: list[Commit] = []
        for key, day, *parents in heads:
            *found, line = (next(texts) for _ in paths)
            commits.append(Commit(key, day, tuple(parents), dict(zip(documents, found, strict=True)), line))
        elsewhere = dict.fromkeys(text for text in [*standing, *texts] if text is not None)
        return lineage_of(tuple(commits), tuple(elsewhere))

    def _other_worktrees(self, ledger: str) -> tuple[list[str], list[str]]:
        """The ledgers that stand in other worktrees, and the tips of all branches and worktrees."""
        branches = fields_of(self._run(["for-each-ref", "--format=%(objectname)%00", "refs/heads", "refs/remotes"]))
        tips = dict.fromkeys(name.strip() for name in branches if name.strip())
        standing: list[str] = []
        # Without -z, which git before 2.36 does not know here; a path with a line break is passed over.
        listed = self._run(["worktree", "list", "--porcelain"]).decode("utf-8", "surrogateescape")
        for line in listed.split("\n"):
            name, _, value = line.partition(" ")
            if name == "HEAD":
                tips[value] = None
            elif name == "worktree" and Path(os.path.realpath(value)) != self.top:
                path = Path(value) / ledger
                if path.is_file() and path.stat().st_size <= LARGEST_COUNTED:
                    standing.append(path.read_bytes().decode("utf-8", "surrogateescape"))
        return standing, list(tips)

    @cached_property
    def _is_partial(self) -> bool:
        return bool(self._run(_PARTIAL, allowed=(0, 1)).strip())

    def texts_of(self, paths: Sequence[str]) -> dict[str, str]:
        """Return the texts of tracked files by path, on disk or at the revision; what cannot be read is left out."""
        wanted = [path for path in dict.fromkeys(paths) if path in self.tree.paths]
        if self.rev is not None or self.bare:
            found = zip(wanted, self._texts([f"{self.head}:{path}" for path in wanted]), strict=True)
            return {path: text for path, text in found if text is not None}
        texts: dict[str, str] = {}
        for path in wanted:
            content = read_regular(self.top / path, LARGEST_SEARCHED) if self._link_target(path) is not None else None
            if content is not None:
                texts[path] = content.decode("utf-8", "replace")
        return texts

    def merge_base(self, base: str, head: str = "HEAD") -> str:
        """Return the commit at which ``head`` left ``base``. Raises RepositoryError where there is none to be found."""
        for name in (base, head):
            if not name or name.startswith("-") or self._try(["rev-parse", "--verify", "-q", f"{name}^{{commit}}"])[0]:
                hint = "git fetch --unshallow (in a workflow: fetch-depth: 0)" if self.is_shallow else "name a branch"
                raise RepositoryError(f"{name!r} names no commit here", hint=hint)
        code, out = self._try(["merge-base", base, head])
        if code:
            shallow = "this clone is shallow: git fetch --unshallow (in a workflow: fetch-depth: 0)"
            hint = shallow if self.is_shallow else "name a branch that this one began from"
            raise RepositoryError(f"{base} and {head} have no common commit here", hint=hint)
        return out.decode("ascii").strip()

    def only_change(self, path: str, since: str) -> Event | None:
        """Return the commit after ``since`` that changed ``path``; None for several, and for what is not committed."""
        asked = ["log", "-2", "--format=%H %cs", f"{since}..{self.head}", "--", f":(top,literal){path}"]
        found = self._run(asked).decode("ascii").split()
        is_committed = self.rev is not None or self.text_at(f"{self.head}:{path}") == self.texts_of([path]).get(path)
        return Event(commit=found[0], date=found[1]) if len(found) == 2 and is_committed else None

    def behind(self, path: str) -> str | None:
        """Return the file behind ``path`` at the revision; None where a link leads out, empty for a ring of links."""
        links = self._links_of_revision
        for _ in range(_LINKS_FOLLOWED):
            link = next((place for place in (*folders_above(path), path) if place in links), None)
            if link is None:
                return path
            target = links[link]
            if target is None:
                return None
            path = target + path[len(link) :]
        return ""

    def text_at(self, name: str) -> str | None:
        """Return the text of the blob ``name`` (``HEAD:path``, ``:1:path``), None where there is none."""
        return self._texts([name])[0]

    def _texts(self, names: Sequence[str]) -> list[str | None]:
        """The texts of ``names`` (``revision:path``), each different one read once; None for what is no file."""
        asked = "".join((name if "\n" not in name else "") + "\n" for name in names).encode("utf-8", "surrogateescape")
        _, out = self._try(["cat-file", "--batch-check=%(objecttype) %(objectname)"], asked)
        found = out.split(b"\n")  # in a partial clone git ends at the first object that is not here
        keys = [line[5:].decode("ascii") if line.startswith(b"blob ") else "" for line in found]
        keys += [""] * (len(names) - len(keys))
        blobs = self._blobs(list(dict.fromkeys(key for key in keys if key)))
        texts = {key: blob.decode("utf-8", "surrogateescape") for key, blob in blobs.items()}
        return [texts.get(key) for key in keys[: len(names)]]

    def _blobs(self, names: Sequence[str]) -> dict[str, bytes]:
        """The contents of ``names`` (``revision:path``), those that are no files left out. One process."""
        return dict(self.blobs(names, largest=None))

    def blobs(self, names: Iterable[str], largest: int | None = LARGEST_SEARCHED) -> Iterator[tuple[str, bytes]]:
        """Yield the contents of ``names`` (ids, ``revision:path``) one by one; not what is absent, larger or no file.

        One process, which ends when the caller stops.
        """
        wanted = [name for name in names if "\n" not in name]
        if not wanted:
            return
        asked = "".join(f"{name}\n" for name in wanted).encode("utf-8", "surrogateescape")
        with _streaming(["-C", str(self.top), "cat-file", "--batch", "--buffer"], asked) as out:
            for name in wanted:
                header = out.readline().split(b" ")
                if len(header) < 3 or header[-1].strip() in (b"missing", b"ambiguous"):
                    continue
                size = int(header[-1])
                if header[-2] == b"blob" and (largest is None or size <= largest):
                    content = out.read(size)
                    out.read(1)
                    yield name, content
                else:
                    _skip(out, size + 1)

    def unfinished(self) -> str | None:
        """What git is in the middle of here: a merge, rebase, cherry-pick, revert or bisect."""
        return next((what for name, what in _UNFINISHED.items() if (self.git_dir / name).exists()), None)

    def answer(
        self, questions: Questions, memory_files: frozenset[str] = frozenset(), known: PathHistory | None = None
    ) -> Facts:
        """Return the facts that answer ``questions``, with a handful of processes however many they are.

        ``known`` is the past as an earlier run found it: read on, where HEAD has moved on.
        """
        if questions.history:
            self._expect_history(known)
        places = self._places(questions.names)
        history = self._history(known) if questions.history else History(complete=not self._hides_history)
        return Facts(
            tree=self.tree,
            memory_files=memory_files,
            ignored=self._ignored(questions.ignored.union(history.events)),
            line_counts=self._line_counts(questions.line_counts),
            history=history,
            places=places,
            commits=self._commits(questions.commits),
            issues=self._issues() if questions.subjects else frozenset(),
        )

    def trace(self, traces: frozenset[Trace]) -> dict[Trace, Traced]:
        """Return what history says of names that no code has now. Five processes at most."""
        if not traces or self.head is None:
            return {}
        from intermem.project.git.pickaxe import Repository, trace

        repository = Repository(self.head, self._ask, self.blobs, self._places, not self.is_whole)
        return trace(repository, traces)

    def _ask(self, arguments: Sequence[str], stdin: bytes) -> bytes:
        return self._run(arguments, stdin=stdin)

    @property
    def is_whole(self) -> bool:
        """True where all that git knows is here: neither a shallow clone nor a partial one."""
        return not self.is_shallow and not self._is_partial

    @cached_property
    def _hides_history(self) -> bool:
        return self.head is not None and self.is_shallow

    def _places(self, names: frozenset[str]) -> dict[str, tuple[Occurrence, ...]]:
        return Search(names).all_places(self._code()) if names else {}

    def _code(self) -> Iterator[tuple[str, bytes]]:
        """Every file that shows what the repository defines, with its content, in the order of paths."""
        paths = [path for path in sorted(self.tree.paths) if is_code(path) and path not in self.tree.outside]
        if self.rev is not None or self.bare:
            by_blob: dict[str, list[str]] = {}
            for path in paths:
                if path in self._blob_ids:
                    by_blob.setdefault(self._blob_ids[path], []).append(path)
            for blob, content in self.blobs(by_blob):
                for path in by_blob[blob]:
                    yield path, content
            return
        top = str(self.top)  # names, not paths: there are thousands of files
        for path in paths:
            found = None if self._is_behind_link(path) else read_regular(f"{top}/{path}", LARGEST_SEARCHED)
            if found is not None:
                yield path, found

    def _commits(self, prefixes: frozenset[str]) -> dict[str, str]:
        """The full ids of ``prefixes``, those left out that name no commit, or more than one."""
        asked = sorted(prefixes)
        if not asked:
            return {}
        stdin = "".join(f"{prefix}^{{commit}}\n" for prefix in asked).encode("ascii", "replace")
        out = self._run(["cat-file", "--batch-check=%(objectname) %(objecttype)"], stdin=stdin).split(b"\n")
        pairs = zip(asked, (line.decode("ascii", "replace").split(" ") for line in out), strict=False)
        return {prefix: words[0] for prefix, words in pairs if words[-1] == "commit" and words[0].startswith(prefix)}

    def _issues(self) -> frozenset[int]:
        """The numbers that the subjects of commits name."""
        if self.head is None:
            return frozenset()
        out = self._run(["log", "--format=%s", self.head]).decode("utf-8", "replace")
        return frozenset(int(number) for number in re.findall(r"(?<!\w)#(\d{1,6})\b", out))

    def _tree_on_disk(self) -> Tree:
        """What stands: tracked and untracked files, ignored ones and those deleted since left out."""
        listing = self._listing
        standing = listing.files
        outside = set(listing.inner)
        links: dict[str, str] = {}
        for path in listing.links:
            if (self.top / path).is_symlink():
                target = self._link_target(path)
                if target is None:  # it leads out: never opened, never judged
                    outside.add(path)
                    standing.discard(path)
                elif (self.top / target).is_dir():
                    links[path] = target
        return tree_of(standing - listing.deleted, self.prefix, outside, links)

    @cached_property
    def _listing(self) -> _Listing:
        found = _Listing()
        for line in fields_of(self._run(_LISTING)):
            tag, rest = line[0], line[2:]
            meta, _, path = rest.partition("\t") if tag != "?" else ("", "", rest)
            if tag == "R":
                found.deleted.add(path)
            elif path.endswith("/") or meta.startswith("160000"):
                found.inner.add(path.rstrip("/"))
                found.files.add(path.rstrip("/"))
            else:
                found.files.add(path)
                if tag == "?" or meta.startswith("120000"):
                    found.links.append(path)
        return found

    def _link_target(self, path: str) -> str | None:
        """Where a symbolic link leads inside the repository, None where it leads out."""
        top, target = Path(os.path.realpath(self.top)), Path(os.path.realpath(self.top / path))
        return target.relative_to(top).as_posix() if target.is_relative_to(top) and target != top else None

    def _paths_of_revision(self, rev: str) -> tuple[set[str], list[str]]:
        paths: set[str] = set()
        outside: list[str] = []
        if self.head is None:
            if self.rev is None:
                return paths, outside
            raise RepositoryError(f"{rev} names no commit in {self.top}", hint="name a branch, a tag or a commit id")
        for meta, path in self._listed:
            paths.add(path)
            if meta.startswith("160000 "):
                outside.append(path)
        return paths, outside

    @cached_property
    def _links_of_revision(self) -> dict[str, str | None]:
        """Where each symbolic link of the revision leads; None where it leads out."""
        links = {path: meta.rpartition(" ")[2] for meta, path in self._listed if meta.startswith("120000 ")}
        contents = dict(self.blobs(dict.fromkeys(links.values()), largest=4096))
        found: dict[str, str | None] = {}
        for path, blob in links.items():
            text = contents.get(blob, b"/").decode("utf-8", "surrogateescape")
            target = posixpath.normpath(posixpath.join(posixpath.dirname(path), text))
            found[path] = None if target.startswith(("..", "/")) else target
        return found

    @cached_property
    def _file_links(self) -> dict[str, str]:
        paths = {path for _, path in self._listed}
        return {path: target for path, target in self._links_of_revision.items() if target in paths}

    @cached_property
    def _listed(self) -> list[tuple[str, str]]:
        """Mode, type and id of each path of the revision, as one text."""
        if self.head is None:
            return []
        fields = fields_of(self._run(["ls-tree", "-r", "-z", "--full-tree", self.head]))
        return [(meta, path) for meta, _, path in (field.partition("\t") for field in fields)]

    @cached_property
    def _blob_ids(self) -> dict[str, str]:
        """The blob behind each regular file of the revision."""
        return {path: meta.rpartition(" ")[2] for meta, path in self._listed if meta.startswith("100")}

    def _ignored(self, paths: Iterable[str]) -> frozenset[str]:
        """Which of ``paths`` git would ignore. What lies behind a link is never asked: git would stop there."""
        if self.rev is not None or self.bare:
            return self._ignored_at_revision(paths)
        asked = [path for path in sorted(paths) if not self._is_behind_link(path)]
        if not asked:
            return frozenset()
        out = self._run(
            ["check-ignore", "-z", "--stdin", "--no-index"],
            stdin="\0".join(asked).encode("utf-8", "surrogateescape"),
            allowed=(0, 1),
        )
        return frozenset(fields_of(out))

    def _ignored_at_revision(self, paths: Iterable[str]) -> frozenset[str]:
        """The same by the ``.gitignore`` files of the revision, which git itself reads only on disk."""
        asked = sorted(paths)
        if not asked:
            return frozenset()
        from intermem.project.git.gitignore import ignored

        files = [path for path in self.tree.paths if path.rpartition("/")[2] == ".gitignore"]
        return ignored(asked, self.texts_of(files))

    @cached_property
    def _linked(self) -> dict[str, bool]:
        return {"": False}

    def _is_behind_link(self, path: str) -> bool:
        return _is_linked(str(self.top), path.rstrip("/").rpartition("/")[0], self._linked)

    def _line_counts(self, paths: Iterable[str]) -> dict[str, int]:
        asked = sorted(paths)
        if not asked:
            return {}
        if self.rev is not None or self.bare:
            return self._line_counts_of_revision(asked)
        counts: dict[str, int | None] = {}
        for path in asked:
            target = self._link_target(path)
            content = read_regular(self.top / target, LARGEST_COUNTED) if target is not None else None
            counts[path] = lines_in(content) if content is not None else None
        return known_counts(counts)

    def _line_counts_of_revision(self, paths: Sequence[str]) -> dict[str, int]:
        names = {path: f"{self.head}:{self._file_links.get(path, path)}" for path in paths}
        blobs = self._blobs(list(dict.fromkeys(names.values())))
        return known_counts({path: lines_in(blobs[name]) for path, name in names.items() if name in blobs})

    def _history(self, known: PathHistory | None) -> History:
        """What became of paths: the commits' own account, then what is not committed yet."""
        if self.head is None:
            return History()
        past = self._past(self.head, known)
        if past is None:
            return History(complete=False)
        events = dict(past.events)
        elsewhere: frozenset[str] = frozenset()
        if self.rev is None and not self.bare:
            elsewhere = self._paths_of_other_branches(self.head)
            changed = self._with_renames(_STAGED, ["HEAD", "--"])
            events |= events_of(fields_of(changed or b""))[0]
            events |= {path: Event(commit=None, date=None) for path in self._listing.deleted if path not in events}
        # What a shallow clone hides, it may have tomorrow: its account is not for keeping.
        kept = past if self.is_whole else None
        return history_of(events, elsewhere, kept, complete=not self.is_shallow)

    def _expect_history(self, known: PathHistory | None) -> None:
        """Begin what ``_history`` will ask: it takes as long as the reading of the code."""
        if self.head is None:
            return
        if known is None:
            self._begin(_renaming(_WHOLE_LOG, ["--end-of-options", self.head, "--"]))
        if self.rev is None and not self.bare:
            self._begin(_of_other_branches(self.head))
            self._begin(_renaming(_STAGED, ["HEAD", "--"]))

    def _past(self, head: str, known: PathHistory | None) -> PathHistory | None:
        """The account of the commits behind ``head``: read anew, or from ``known`` on where that is possible."""
        if known is not None and known.head == head:
            return known
        extends = known is not None and self._descends_wholly(head, known.head)
        range_ = f"{known.head}..{head}" if known is not None and extends else head
        out = self._with_renames(_WHOLE_LOG, ["--end-of-options", range_, "--"])
        if out is None:
            return None
        events, met = events_of(fields_of(out))
        if known is not None and extends:
            events = {path: event for path, event in known.events.items() if path not in met} | events
        return PathHistory(head=head, events=events)

    def _descends_wholly(self, head: str, known: str) -> bool:
        """True where every commit since ``known`` descends from it: then what it knew is all that came before."""
        counts: list[bytes] = []
        for option in ([], ["--ancestry-path"]):
            code, out = self._try(["rev-list", "--count", *option, f"{known}..{head}"])
            if code != 0:
                return False
            counts.append(out.strip())
        return counts[0] == counts[1] != b"0"

    def _paths_of_other_branches(self, head: str) -> frozenset[str]:
        """What was added on branches that this one does not have: a note may well speak of it."""
        code, out = self._try(_of_other_branches(head))
        return frozenset(field.lstrip("\n") for field in fields_of(out)) if code == 0 else frozenset()

    def _with_renames(self, arguments: Sequence[str], ending: Sequence[str]) -> bytes | None:
        """The answer with renames; exact ones alone where blobs are absent (a partial clone)."""
        for similarity in ("-M", "-M100%"):
            code, out = self._try(_renaming(arguments, ending, similarity))
            if code == 0:
                return out
        return None

    def _run(self, arguments: Sequence[str], *, stdin: bytes = b"", allowed: tuple[int, ...] = (0,)) -> bytes:
        code, out = self._try(arguments, stdin)
        if code not in allowed:
            raise RepositoryError(
                f"git {arguments[0]} failed in {self.top} (exit {code}); nothing was changed",
                hint=f"run it by hand to see why: git {' '.join(arguments)}",
            )
        return out

    def _begin(self, arguments: Sequence[str]) -> None:
        self._ahead.begin(["-C", str(self.top), *arguments])

    def _try(self, arguments: Sequence[str], stdin: bytes = b"") -> tuple[int, bytes]:
        answered = self._ahead.answer(["-C", str(self.top), *arguments])
        if answered is not None:
            return answered
        return _git(["-C", str(self.top), *arguments], stdin)


def open_worktree(where: Path, *, rev: str | None = None) -> Worktree | None:
    """Return the repository that ``where`` (a directory) is in, None where it is in none.

    ``where`` becomes the project root. A path into a bare repository is that repository. Raises
    RepositoryError where git refuses to look (a repository of another owner).
    """
    question = [
        "--is-bare-repository",
        "--is-inside-git-dir",
        "--is-shallow-repository",
        "--absolute-git-dir",
        "--git-common-dir",
        "--show-prefix",
    ]
    code, out, message = _git_verbose(["-C", str(where), "rev-parse", *question])
    if code == _MISSING:
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
            f"the path of {where} has a line break, which git cannot report", hint="give the folder another name"
        )
    if lines[0] != "true" and lines[1] == "true":
        raise RepositoryError(f"{where} lies inside a git directory", hint="go to the working tree")
    is_shallow = lines[2] == "true"
    git_dir = Path(lines[3])
    common = Path(os.path.realpath(where / lines[4]))
    if lines[0] == "true":
        return Worktree(
            top=git_dir, prefix="", git_dir=git_dir, common_dir=common, bare=True, is_shallow=is_shallow, rev=rev
        )
    prefix = lines[5] if len(lines) > 5 else ""
    top = Path(os.path.realpath(where))
    for _ in Path(prefix).parts:
        top = top.parent
    return Worktree(top=top, prefix=prefix, git_dir=git_dir, common_dir=common, is_shallow=is_shallow, rev=rev)


@dataclass(slots=True)
class _Listing:
    """The index and what is untracked; what was deleted since, other repositories inside, what may be a link."""

    files: set[str] = field(default_factory=set)
    deleted: set[str] = field(default_factory=set)
    inner: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)


def _renaming(arguments: Sequence[str], ending: Sequence[str], similarity: str = "-M") -> list[str]:
    return [*arguments, similarity, "--no-rename-empty", *ending]


def _of_other_branches(head: str) -> list[str]:
    return [*_OTHER_BRANCHES, "--branches", "--remotes", "--not", head, "--"]


def _is_linked(top: str, folder: str, known: dict[str, bool]) -> bool:
    """True where a link stands on the way from ``top`` to ``folder``; ``known`` remembers, one look per folder."""
    waiting: list[str] = []
    at = folder
    while at not in known:
        waiting.append(at)
        at = at.rpartition("/")[0]
    linked = known[at]
    for one in reversed(waiting):
        linked = known[one] = linked or os.path.islink(f"{top}/{one}")  # noqa: PTH114 - names, not paths
    return known[folder]


def _refuse_without_git(where: Path) -> None:
    """Without git a repository must not be taken for a plain folder: its state lies in its git directory."""
    real = Path(os.path.realpath(where))
    for folder in (real, *real.parents):
        if (folder / ".git").exists():
            raise RepositoryError(
                f"git was not found, and {folder} is a git repository; nothing was changed", hint="put git on the PATH"
            )


def _skip(out: IO[bytes], size: int) -> None:
    while size > 0:
        size -= len(out.read(min(size, 1 << 20))) or size


@contextlib.contextmanager
def _streaming(arguments: Sequence[str], stdin: bytes) -> Iterator[IO[bytes]]:
    """Run git and give its output as it comes; ``stdin`` is written meanwhile."""
    process = subprocess.Popen(
        ["git", *_OPTIONS, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=_environment(),
    )
    assert process.stdin is not None
    assert process.stdout is not None
    feeder = threading.Thread(target=_feed, args=(process.stdin, stdin), daemon=True)
    feeder.start()
    try:
        yield process.stdout
    finally:
        process.stdout.close()
        process.kill()
        process.wait()
        feeder.join()


def _feed(pipe: IO[bytes], content: bytes) -> None:
    with contextlib.suppress(OSError):
        pipe.write(content)
    with contextlib.suppress(OSError):
        pipe.close()


class _Ahead:
    """Questions that git answers while Python does something else. None is begun but while it is ``open``."""

    def __init__(self) -> None:
        self.open = False
        self._begun: dict[tuple[str, ...], _Question] = {}

    def begin(self, arguments: Sequence[str]) -> None:
        """Put a question that is sure to be asked."""
        if self.open and tuple(arguments) not in self._begun:
            with contextlib.suppress(OSError):  # without git: whoever wants the answer hears of it
                self._begun[tuple(arguments)] = _Question(arguments)

    def answer(self, arguments: Sequence[str]) -> tuple[int, bytes] | None:
        """Return exit code and output, None where the question has not been begun. It is answered once."""
        question = self._begun.pop(tuple(arguments), None)
        return question.answer() if question is not None else None

    def close(self) -> None:
        """End what nobody has asked for."""
        self.open = False
        while self._begun:
            _, question = self._begun.popitem()
            question.end()


class _Question:
    """A process of git, and a thread that reads what it says: a full pipe would stop it."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self._process = subprocess.Popen(
            ["git", *_OPTIONS, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
        )
        self._out = b""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as out:
            self._out = out.read()

    def answer(self) -> tuple[int, bytes]:
        self._reader.join()
        return self._process.wait(), self._out

    def end(self) -> None:
        self._process.kill()
        self.answer()


def _git(arguments: Sequence[str], stdin: bytes = b"") -> tuple[int, bytes]:
    code, out, _ = _git_verbose(arguments, stdin)
    return code, out


def _git_verbose(arguments: Sequence[str], stdin: bytes = b"") -> tuple[int, bytes, str]:
    try:
        done = subprocess.run(
            ["git", *_OPTIONS, *arguments], input=stdin, capture_output=True, env=_environment(), check=False
        )
    except OSError:
        return _MISSING, b"", "git was not found"
    return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")


def _environment() -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    return kept | {
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "LC_ALL": "C",
    }
