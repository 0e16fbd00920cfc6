"""A disk that may lose what was not synced: system calls in, the trees that a power cut may leave out.

As cruel as POSIX allows. Content: what was written to a file since its last sync is kept, lost or torn, write by
write. Names: what was made, renamed or unlinked in a folder since that folder's last sync is kept or undone, one by
one, and syncing a file says nothing about its name. A rename within a folder is whole or not at all; modes, owners
and links are not modelled. ``-shm`` files are shared memory, not content: a reboot leaves none.
"""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.faults.tracing import Call

SECTOR = 512
FOLDER = None  # what a tree holds for a folder

Tree = dict[str, bytes | None]
Change = tuple[int, bytes | None]  # written at; cut to, where there are no bytes


@dataclass(slots=True, eq=False)
class _File:
    synced: bytes = b""
    changes: list[Change] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class _Folder:
    synced: dict[str, _File | _Folder] = field(default_factory=dict)
    changes: list[dict[str, _File | _Folder | None]] = field(default_factory=list)

    def names(self, kept: Callable[[int], bool]) -> dict[str, _File | _Folder]:
        """The names with those changes that ``kept`` keeps, by their number."""
        found = dict(self.synced)
        for number, change in enumerate(self.changes):
            if kept(number):
                for name, what in change.items():
                    if what is None:
                        found.pop(name, None)
                    else:
                        found[name] = what
        return found


@dataclass(frozen=True, slots=True)
class Loss:
    """What a power cut takes: ``names`` and ``content`` tell whether the n-th change of a folder or file is kept.

    ``torn`` cuts the last content that was kept.
    """

    what: str
    names: Callable[[int], bool]
    content: Callable[[int], bool]
    torn: Callable[[int], int] = lambda size: size


def _all(_: int) -> bool:
    return True


def _none(_: int) -> bool:
    return False


KEPT = Loss("nothing is lost", _all, _all)
CERTAIN = (
    KEPT,
    Loss("all that was not synced is lost", _none, _none),
    Loss("names that were not synced are lost", _none, _all),
    Loss("content that was not synced is lost", _all, _none),
)


def by_chance(chance: random.Random) -> Loss:
    """Return a loss in which each change is kept or not, and a last write may be torn."""

    def coin(_: int) -> bool:
        return chance.random() < 0.5

    def torn(size: int) -> int:
        return chance.randrange(0, size + 1, SECTOR) if chance.random() < 0.3 else size

    return Loss("some of what was not synced is lost", coin, coin, torn)


class Disk:
    """The folder ``root``, fully synced at first; ``apply`` takes the calls of a trace, in order."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._top = _loaded(root)
        self._open: dict[str, _File | _Folder] = {}

    def apply(self, call: Call) -> None:
        """Let a call happen that has succeeded."""
        if call.result is None or call.result < 0 or call.path.endswith("-shm"):
            return
        name = call.name
        if name == "openat":
            self._opened(call)
        elif name in ("write", "pwrite64"):
            self._file(call.path).changes.append((call.offset, call.data))
        elif name == "ftruncate":
            self._file(call.path).changes.append((call.offset, None))
        elif name in ("fsync", "fdatasync"):
            _sync(self._open[call.path])
        elif name == "mkdir":
            self._enter(call.path, _Folder())
        elif name in ("unlink", "unlinkat", "rmdir"):
            self._enter(call.path, None)
        elif name.startswith("rename"):
            assert os.path.dirname(call.path) == os.path.dirname(call.to), "only within a folder"  # noqa: PTH120
            moved = self._find(call.path)
            assert moved is not None
            displaced = self._find(call.to) if "RENAME_EXCHANGE" in call.flags else None
            self._folder_of(call.path).changes.append({Path(call.path).name: displaced, Path(call.to).name: moved})
        else:
            assert name == "fchmod", call

    def after(self, loss: Loss) -> Tree:
        """Return the files and folders below the root, by name, once the power is back."""
        return dict(_shown(self._top, "", loss))

    def _opened(self, call: Call) -> None:
        found = self._find(call.path)
        if found is None:
            found = _File()
            self._enter(call.path, found)
        elif "O_TRUNC" in call.flags:
            assert isinstance(found, _File)
            found.changes.append((0, None))
        self._open[call.path] = found

    def _file(self, path: str) -> _File:
        found = self._open[path]  # a name may have gone to another file since
        assert isinstance(found, _File)
        return found

    def _find(self, path: str) -> _File | _Folder | None:
        found: _File | _Folder | None = self._top
        for part in Path(path).relative_to(self._root).parts:
            found = found.names(_all).get(part) if isinstance(found, _Folder) else None
        return found

    def _folder_of(self, path: str) -> _Folder:
        found = self._find(str(Path(path).parent))
        assert isinstance(found, _Folder), path
        return found

    def _enter(self, path: str, what: _File | _Folder | None) -> None:
        self._folder_of(path).changes.append({Path(path).name: what})


def put_on_disk(tree: Tree, root: Path) -> None:
    """Make ``root`` hold exactly ``tree``."""
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir()
    for name, content in tree.items():
        if content is FOLDER:
            (root / name).mkdir()
        else:
            (root / name).write_bytes(content)


def tree_of(root: Path) -> Tree:
    """Return what is below ``root``, shared memory aside."""
    return dict(_shown(_loaded(root), "", KEPT))


def _sync(what: _File | _Folder) -> None:
    if isinstance(what, _File):
        what.synced = _content(what, KEPT)
    else:
        what.synced = what.names(_all)
    what.changes.clear()


def _content(file: _File, loss: Loss) -> bytes:
    kept = [change for number, change in enumerate(file.changes) if loss.content(number)]
    content = bytearray(file.synced)
    for number, (at, data) in enumerate(kept, 1):
        if data is None:
            del content[at:]
            content.extend(bytes(at - len(content)))
            continue
        if number == len(kept):
            data = data[: loss.torn(len(data))]
        content.extend(bytes(max(0, at - len(content))))
        content[at : at + len(data)] = data
    return bytes(content)


def _shown(folder: _Folder, where: str, loss: Loss) -> Iterator[tuple[str, bytes | None]]:
    for name, what in sorted(folder.names(loss.names).items()):
        if isinstance(what, _Folder):
            yield where + name, FOLDER
            yield from _shown(what, f"{where}{name}/", loss)
        else:
            yield where + name, _content(what, loss)


def _loaded(root: Path) -> _Folder:
    found = _Folder()
    for path in sorted(root.iterdir()):
        if path.is_dir():
            found.synced[path.name] = _loaded(path)
        elif not path.name.endswith("-shm"):
            found.synced[path.name] = _File(path.read_bytes())
    return found
