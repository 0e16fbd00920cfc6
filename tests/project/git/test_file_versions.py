"""The versions of a file are read once where its changes follow each other, and in the order of the changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from intermem.project.git.file_versions import FileChange, contents_of

NONE = "0" * 40


def read(
    changes: list[FileChange], missing: frozenset[str] = frozenset()
) -> tuple[list[tuple[bytes, bytes]], list[str]]:
    """Return what each change found and wrote, and which blobs were asked for."""
    asked: list[str] = []

    def blobs(names: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        asked.extend(names)
        return ((name, name.encode("ascii")) for name in asked if name not in missing)

    return [(old, new) for _, old, new in contents_of(blobs, changes)], asked


def test_a_version_that_one_change_wrote_and_the_next_one_found_is_read_once() -> None:
    changes = [FileChange("a", "v2", "v3"), FileChange("a", "v1", "v2"), FileChange("a", NONE, "v1")]
    contents, asked = read(changes)
    assert contents == [(b"v2", b"v3"), (b"v1", b"v2"), (b"", b"v1")]
    assert asked == ["v3", "v2", "v1"]


def test_what_is_missing_is_empty_and_what_follows_it_is_not() -> None:
    changes = [FileChange("a", "v2", "v3"), FileChange("a", "v1", "v2"), FileChange("b", "w1", NONE)]
    contents, _ = read(changes, missing=frozenset({"v3", "v1"}))
    assert contents == [(b"v2", b""), (b"", b"v2"), (b"w1", b"")]


def test_of_many_versions_a_few_are_held_and_the_others_read_again() -> None:
    changes = [FileChange("a", f"v{number}", f"w{number}") for number in range(20)]
    contents, asked = read([*changes, changes[0], changes[-1]])
    assert contents[-2:] == [(b"v0", b"w0"), (b"v19", b"w19")]
    assert asked[-2:] == ["w0", "v0"]
    assert len(asked) == 42
