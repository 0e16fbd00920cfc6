"""The model of a disk: what persists, and what a power cut may lose."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.disks import CERTAIN, Disk, Tree, put_on_disk, tree_of
from tests.faults.tracing import Call


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    put_on_disk({"A.md": b"old", "state": None}, root)
    return root


def trees(disk: Disk) -> list[Tree]:
    """Kept whole; nothing that was not synced; names lost; content lost."""
    return [disk.after(loss) for loss in CERTAIN]


def call(root: Path, name: str, path: str, to: str = "", **rest: object) -> Call:
    return Call(name=name, ordinal=1, path=str(root / path), to=str(root / to) if to else "", **rest)  # type: ignore[arg-type]


def replaced(root: Path, disk: Disk) -> None:
    disk.apply(call(root, "openat", "A.new", flags=frozenset({"O_WRONLY", "O_CREAT"})))
    disk.apply(call(root, "write", "A.new", data=b"new"))
    disk.apply(call(root, "rename", "A.new", "A.md"))


def test_a_rename_without_any_sync_may_leave_the_old_file_or_an_empty_one(root: Path) -> None:
    disk = Disk(root)
    replaced(root, disk)
    old, new, empty = ({"A.md": content, "state": None} for content in (b"old", b"new", b""))
    assert trees(disk) == [new, old, old, empty]


def test_what_was_synced_stays(root: Path) -> None:
    disk = Disk(root)
    replaced(root, disk)
    disk.apply(call(root, "fsync", "A.new"))
    assert [tree["A.md"] for tree in trees(disk)] == [b"new", b"old", b"old", b"new"]
    disk.apply(call(root, "openat", "."))
    disk.apply(call(root, "fsync", "."))
    assert [tree["A.md"] for tree in trees(disk)] == [b"new"] * 4


def test_a_file_in_a_folder_that_was_not_synced_is_gone_with_it(root: Path) -> None:
    disk = Disk(root)
    disk.apply(call(root, "mkdir", "deep"))
    disk.apply(call(root, "openat", "deep/file", flags=frozenset({"O_CREAT"})))
    disk.apply(call(root, "openat", "deep"))
    disk.apply(call(root, "fsync", "deep"))
    assert ["deep/file" in tree for tree in trees(disk)] == [True, False, False, True]


def test_a_file_that_was_unlinked_may_come_back(root: Path) -> None:
    disk = Disk(root)
    disk.apply(call(root, "unlink", "A.md"))
    assert ["A.md" in tree for tree in trees(disk)] == [False, True, True, False]


def test_a_call_that_failed_does_nothing(root: Path) -> None:
    disk = Disk(root)
    disk.apply(call(root, "unlink", "A.md", result=-1))
    disk.apply(call(root, "unlink", "A.md", result=None))
    assert trees(disk) == [tree_of(root)] * 4


def test_a_file_is_cut_and_filled_up(root: Path) -> None:
    disk = Disk(root)
    disk.apply(call(root, "openat", "A.md"))
    disk.apply(call(root, "ftruncate", "A.md", offset=1))
    disk.apply(call(root, "pwrite64", "A.md", data=b"x", offset=3))
    assert disk.after(CERTAIN[0])["A.md"] == b"o\0\0x"
