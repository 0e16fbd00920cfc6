from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from intermem.errors import DocumentChanged, UnreadableFile
from intermem.project import atomic_write, memory_files
from intermem.project.atomic_write import make_folder, prepare_file, put_in_place, remove_temp, sync_folder, tidy_up
from intermem.project.files import current_digest, digest_of, read_regular, read_regular_file, read_text_file
from intermem.project.memory_files import read_memory

BIG = 1 << 20
TEMP = ".A.md.intermem-1"


@pytest.fixture(params=[True, False], ids=["exchange", "rename"], autouse=True)
def _with_and_without_an_exchange(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not every system can exchange two files."""
    if not request.param:
        monkeypatch.setattr(atomic_write, "exchanged", lambda *_: False)
        monkeypatch.setattr(atomic_write, "renamed_if_free", lambda *_: False)


def replace_file(path: Path, content: bytes, *, expected: str | None, temp_name: str) -> None:
    prepare_file(path, content, temp_name=temp_name)
    put_in_place(path, content, expected=expected, temp_name=temp_name)


linux_only = pytest.mark.skipif(sys.platform != "linux", reason="which file a handle is for is told by /proc")


@pytest.fixture
def document(tmp_path: Path) -> Path:
    path = tmp_path / "A.md"
    path.write_bytes(b"old\n")
    return path


def make_strange(path: Path, kind: str) -> None:
    """Put a folder or a FIFO in place of ``path``."""
    path.unlink(missing_ok=True)
    {"folder": os.mkdir, "fifo": os.mkfifo}[kind](path)


def handles() -> int:
    """How many handles this process has open."""
    return len(list(Path("/dev/fd").iterdir()))


def beside(path: Path) -> list[str]:
    """The names of what lies in the same folder."""
    return [one.name for one in path.parent.iterdir() if one != path]


def failing(number: int) -> Callable[..., Any]:
    def fail(*_arguments: Any, **_named: Any) -> Any:
        raise OSError(number, os.strerror(number))

    return fail


class BadDisk:
    """A file object whose content cannot be read."""

    def __init__(self, handle: int, _mode: str) -> None:
        os.close(handle)

    def __enter__(self) -> BadDisk:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    read = failing(5)


def test_a_digest_is_the_sha256_of_the_bytes() -> None:
    assert digest_of(b"x") == hashlib.sha256(b"x").hexdigest()


def test_a_file_of_the_maximum_size_is_read(document: Path) -> None:
    assert read_regular_file(document, "A.md", 4) == b"old\n"
    assert read_regular(document, 4) == b"old\n"


def test_a_file_one_byte_too_large_is_refused_with_both_sizes(document: Path) -> None:
    with pytest.raises(UnreadableFile, match=r"A\.md: 4 bytes, 3 are allowed \(scan\.max_bytes\); it was left alone"):
        read_regular_file(document, "A.md", 3)
    assert read_regular(document, 3) is None


def test_a_file_that_is_not_utf_8_is_refused_with_the_first_bad_byte(document: Path) -> None:
    document.write_bytes(b"ab\xff")
    with pytest.raises(UnreadableFile, match=r"A\.md: not UTF-8 \(byte 2\)"):
        read_text_file(document, "A.md", BIG)


@pytest.mark.parametrize("kind", ["folder", "fifo"])
def test_anything_but_a_regular_file_is_refused_without_blocking(document: Path, kind: str) -> None:
    make_strange(document, kind)
    with pytest.raises(UnreadableFile, match=r"A\.md: not a regular file"):
        read_regular_file(document, "A.md", BIG)
    assert read_regular(document, BIG) is None


@pytest.mark.parametrize("kind", ["folder", "fifo"])
@pytest.mark.parametrize(
    "read", [lambda path: read_regular_file(path, "A.md", BIG), lambda path: read_regular(path, BIG)]
)
def test_a_refused_file_is_closed_again(document: Path, kind: str, read: Callable[[Path], object]) -> None:
    make_strange(document, kind)
    before = handles()
    with contextlib.suppress(UnreadableFile):
        read(document)
    assert handles() == before


def test_a_file_that_is_too_large_is_closed_again(document: Path) -> None:
    before = handles()
    assert read_regular(document, 3) is None
    assert handles() == before


def test_a_read_error_shows_the_message_of_the_system(document: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fdopen", BadDisk)
    with pytest.raises(UnreadableFile, match=r"A\.md: Input/output error; it was left alone"):
        read_regular_file(document, "A.md", BIG)


def test_a_read_error_counts_as_no_file(document: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_handle: int, _size: int) -> bytes:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(os, "read", fails)
    before = handles()
    assert read_regular(document, BIG) is None
    assert handles() == before


def test_short_reads_are_joined(document: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, read = document.read_bytes(), os.read
    monkeypatch.setattr(os, "read", lambda handle, size: read(handle, min(size, 2)))
    assert read_regular(document, BIG) == whole


def test_an_impossible_name_counts_as_no_file() -> None:
    assert read_regular(Path("a\0b"), BIG) is None


def test_read_regular_file_follows_links_and_read_regular_does_not(document: Path) -> None:
    link = document.with_name("L.md")
    link.symlink_to(document)
    assert read_regular_file(link, "L.md", BIG) == b"old\n"
    assert read_regular(link, BIG) is None


def test_there_is_no_digest_where_there_is_no_file(document: Path) -> None:
    dangling = document.with_name("L.md")
    dangling.symlink_to("nowhere")
    assert current_digest(document) == digest_of(b"old\n")
    assert current_digest(document.with_name("B.md")) is None
    assert current_digest(document / "below") is None
    assert current_digest(dangling) is None


def test_a_replaced_file_leaves_no_temporary_file(document: Path) -> None:
    replace_file(document, b"new\n", expected=digest_of(b"old\n"), temp_name=TEMP)
    assert document.read_bytes() == b"new\n"
    assert beside(document) == []


def test_a_new_file_is_created_where_none_is_expected(document: Path) -> None:
    document.unlink()
    old = os.umask(0o020)
    try:
        replace_file(document, b"new\n", expected=None, temp_name=TEMP)
    finally:
        os.umask(old)
    assert document.read_bytes() == b"new\n"
    assert stat.S_IMODE(document.stat().st_mode) == 0o646


@pytest.mark.parametrize("expected", [None, digest_of(b"another\n")])
def test_a_file_with_another_digest_is_not_replaced(document: Path, expected: str | None) -> None:
    with pytest.raises(DocumentChanged, match=r"A\.md changed since intermem read it; it was not written"):
        replace_file(document, b"new\n", expected=expected, temp_name=TEMP)
    assert document.read_bytes() == b"old\n"
    assert beside(document) == []


@pytest.mark.parametrize("mode", [0o600, 0o755, 0o664])
def test_a_replaced_file_keeps_its_mode(document: Path, mode: int) -> None:
    document.chmod(mode)
    replace_file(document, b"new\n", expected=digest_of(b"old\n"), temp_name=TEMP)
    assert stat.S_IMODE(document.stat().st_mode) == mode


@pytest.mark.parametrize("changed", ["uid", "gid"])
def test_a_replaced_file_keeps_its_owner_and_its_group(
    document: Path, monkeypatch: pytest.MonkeyPatch, changed: str
) -> None:
    given: list[tuple[int, int]] = []
    real = os.fstat

    def of_another(handle: int) -> os.stat_result:
        found = list(real(handle))
        found[{"uid": stat.ST_UID, "gid": stat.ST_GID}[changed]] += 1
        return os.stat_result(found)

    have = document.stat()
    monkeypatch.setattr(atomic_write.os, "fchown", lambda _handle, uid, gid: given.append((uid, gid)))
    replace_file(document, b"same\n", expected=digest_of(b"old\n"), temp_name=TEMP)
    assert given == []
    monkeypatch.setattr(atomic_write.os, "fstat", of_another)
    replace_file(document, b"new\n", expected=digest_of(b"same\n"), temp_name=TEMP)
    assert given == [(have.st_uid, have.st_gid)]


def test_a_file_of_another_owner_is_still_replaced(document: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    document.chmod(0o664)
    real = os.fstat
    monkeypatch.setattr(
        atomic_write.os, "fstat", lambda handle: os.stat_result([*real(handle)[:4], -1, *real(handle)[5:]])
    )
    monkeypatch.setattr(atomic_write.os, "fchown", failing(1))
    replace_file(document, b"new\n", expected=digest_of(b"old\n"), temp_name=TEMP)
    assert (document.read_bytes(), stat.S_IMODE(document.stat().st_mode)) == (b"new\n", 0o664)


def test_a_leftover_temporary_file_is_overwritten(document: Path) -> None:
    document.with_name(TEMP).write_bytes(b"much longer than what is new\n")
    replace_file(document, b"new\n", expected=digest_of(b"old\n"), temp_name=TEMP)
    assert document.read_bytes() == b"new\n"


def test_a_link_in_place_of_the_temporary_file_is_not_followed(document: Path) -> None:
    other = document.with_name("other")
    other.write_bytes(b"other\n")
    document.with_name(TEMP).symlink_to(other)
    replace_file(document, b"new\n", expected=digest_of(b"old\n"), temp_name=TEMP)
    assert other.read_bytes() == b"other\n"
    assert not document.is_symlink()


def test_a_temporary_file_created_by_someone_else_is_not_written_into(
    document: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document.with_name(TEMP).write_bytes(b"another's\n")
    monkeypatch.setattr(Path, "unlink", lambda _path: None)
    with pytest.raises(FileExistsError):
        replace_file(document, b"new\n", expected=digest_of(b"old\n"), temp_name=TEMP)
    assert document.with_name(TEMP).read_bytes() == b"another's\n"


@linux_only
@pytest.mark.parametrize("_with_and_without_an_exchange", [False], indirect=True)
def test_content_is_synced_before_the_rename_and_the_folder_after_it(
    document: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    real_sync, real_replace, parent = os.fsync, os.replace, document.parent

    def sync(handle: int) -> None:
        synced = Path(f"/proc/self/fd/{handle}").readlink()
        steps.append(f"sync {synced.name}" + (f" {synced.read_bytes()!r}" if synced.is_file() else ""))
        real_sync(handle)

    def replace(source: Path, target: Path) -> None:
        steps.append("replace")
        real_replace(source, target)

    monkeypatch.setattr(atomic_write.os, "fsync", sync)
    monkeypatch.setattr(atomic_write.os, "replace", replace)
    replace_file(document, b"new\n", expected=digest_of(b"old\n"), temp_name=TEMP)
    assert steps == [f"sync {TEMP} b'new\\n'", "replace", f"sync {parent.name}"]


@linux_only
@pytest.mark.parametrize("_with_and_without_an_exchange", [True], indirect=True)
def test_the_replaced_file_is_checked_before_it_is_removed(document: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[str] = []
    honest, digest = atomic_write.exchanged, atomic_write.current_digest
    monkeypatch.setattr(atomic_write, "exchanged", lambda *given: (steps.append("exchange"), honest(*given))[1])
    monkeypatch.setattr(
        atomic_write, "current_digest", lambda path: (steps.append(f"look at {path.name}"), digest(path))[1]
    )
    replace_file(document, b"new\n", expected=digest_of(b"old\n"), temp_name=TEMP)
    assert steps == [f"look at {document.name}", "exchange", f"look at {TEMP}"]
    assert beside(document) == []


@linux_only
@pytest.mark.parametrize("_with_and_without_an_exchange", [True], indirect=True)
@pytest.mark.parametrize("again", [False, True])
def test_a_text_saved_during_the_replacement_is_not_lost(
    document: Path, monkeypatch: pytest.MonkeyPatch, again: bool
) -> None:
    honest = atomic_write.exchanged
    saves = [b"saved\n", b"saved again\n"]

    def saved_by_an_editor(*given: Path) -> bool:
        if len(saves) > (0 if again else 1):
            document.write_bytes(saves.pop(0))
        return honest(*given)

    monkeypatch.setattr(atomic_write, "exchanged", saved_by_an_editor)
    with pytest.raises(DocumentChanged):
        replace_file(document, b"new\n", expected=digest_of(b"old\n"), temp_name=TEMP)
    assert document.read_bytes() == (b"saved again\n" if again else b"saved\n")
    assert beside(document) == []


@pytest.mark.parametrize(
    ("found", "text"),
    [(b"old\n", b"new\n"), (b"ne", b"new\n"), (b"", b"new\n"), (b"somebody's\n", b"somebody's\n"), (None, b"new\n")],
)
def test_a_replaced_text_is_put_back_after_a_kill(document: Path, found: bytes | None, text: bytes) -> None:
    document.write_bytes(b"new\n")
    if found is not None:
        document.with_name(TEMP).write_bytes(found)
    tidy_up(document, TEMP, ours=b"new\n", expected=digest_of(b"old\n"))
    assert document.read_bytes() == text
    assert beside(document) == []


def test_a_temporary_file_is_removed_if_the_document_was_saved_since(document: Path) -> None:
    document.write_bytes(b"newer\n")
    document.with_name(TEMP).write_bytes(b"somebody's\n")
    tidy_up(document, TEMP, ours=b"new\n", expected=digest_of(b"old\n"))
    assert document.read_bytes() == b"newer\n"
    assert beside(document) == []


@pytest.mark.parametrize("_with_and_without_an_exchange", [False], indirect=True)
def test_a_failed_replacement_leaves_no_temporary_file(document: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(atomic_write.os, "replace", failing(28))
    with pytest.raises(OSError, match="No space left"):
        replace_file(document, b"new\n", expected=digest_of(b"old\n"), temp_name=TEMP)
    assert document.read_bytes() == b"old\n"
    assert beside(document) == []


def test_a_failed_cleanup_does_not_hide_the_real_error(document: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(atomic_write.os, "open", failing(28))
    with pytest.raises(OSError, match="No space left"):
        replace_file(document, b"new\n", expected=digest_of(b"old\n"), temp_name=TEMP)


def test_a_failed_put_back_does_not_hide_the_real_error(document: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(atomic_write, "tidy_up", failing(5))
    with pytest.raises(DocumentChanged):
        replace_file(document, b"new\n", expected=digest_of(b"another\n"), temp_name=TEMP)


def test_removing_a_temporary_file_tolerates_a_missing_one(document: Path) -> None:
    document.with_name(TEMP).write_bytes(b"left")
    remove_temp(document, TEMP)
    remove_temp(document, TEMP)
    assert beside(document) == []


def test_a_new_folder_is_durable_in_its_parent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[Path] = []
    monkeypatch.setattr(atomic_write, "sync_folder", synced.append)
    make_folder(tmp_path / "new/one", tmp_path)
    assert (tmp_path / "new/one").is_dir()
    assert synced == [tmp_path, tmp_path / "new"]
    make_folder(tmp_path / "new/one", tmp_path)
    assert synced == [tmp_path, tmp_path / "new"] * 2, "a run that was killed may have made it and not come to that"


def test_syncing_a_folder_leaves_no_handle_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = handles()
    sync_folder(tmp_path)
    assert handles() == before
    monkeypatch.setattr(atomic_write.os, "fsync", failing(5))
    with pytest.raises(OSError, match="Input/output"):
        sync_folder(tmp_path)
    assert handles() == before


def test_only_a_folder_can_be_synced(document: Path) -> None:
    with pytest.raises(NotADirectoryError):
        sync_folder(document)


def test_memory_files_are_all_markdown_files_but_hidden_ones_and_backups(tmp_path: Path) -> None:
    for name in ("b.md", "a.md", ".a.md", "a.txt", "sub/c.md", ".git/d.md", "old.bak/e.md", "sub/x.bak.md"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(name.encode())
    found = read_memory(tmp_path, BIG)
    assert list(found.texts) == ["a.md", "b.md", "sub/c.md", "sub/x.bak.md"]
    assert found.texts["sub/c.md"] == "sub/c.md"
    assert (found.problems, found.refused) == ((), frozenset())


def test_folders_of_the_memory_are_read_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a/1.md", "b/2.md", "c/3.md", "d/4.md"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_bytes(b"x")
    real = os.walk

    def backwards(top: Path, **named: Any) -> Any:
        for parent, names, found in real(top, **named):
            names.sort(reverse=True)
            yield parent, names, found

    monkeypatch.setattr(memory_files.os, "walk", backwards)
    assert list(read_memory(tmp_path, BIG).texts) == ["a/1.md", "b/2.md", "c/3.md", "d/4.md"]


def test_an_unreadable_file_is_reported_and_the_others_are_read(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"\xff")
    (tmp_path / "b.md").write_bytes(b"b")
    (tmp_path / "c.md").write_bytes(b"too long")
    found = read_memory(tmp_path, 2)
    assert found.texts == {"b.md": "b"}
    assert [(one.code, one.where) for one in found.problems] == [
        ("unreadable-file", "a.md"),
        ("unreadable-file", "c.md"),
    ]
    assert found.problems[0].message == "a.md: not UTF-8 (byte 0); it was left alone"
    assert found.problems[0].hint == "convert it to UTF-8"
    assert found.refused == {"a.md", "c.md"}


def test_a_link_inside_the_memory_is_read_and_one_to_outside_is_refused(tmp_path: Path) -> None:
    memory = tmp_path / "memory"
    memory.mkdir()
    (tmp_path / "out.md").write_bytes(b"out")
    (memory / "a.md").write_bytes(b"a")
    (memory / "b.md").symlink_to("a.md")
    (memory / "c.md").symlink_to(tmp_path / "out.md")
    found = read_memory(memory, BIG)
    assert found.texts == {"a.md": "a", "b.md": "a"}
    assert [one.message for one in found.problems] == ["c.md: links to a file outside the memory; it was left alone"]


def test_a_memory_behind_a_link_is_read_with_its_links(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real/a.md").write_bytes(b"a")
    (tmp_path / "real/b.md").symlink_to("a.md")
    (tmp_path / "memory").symlink_to("real")
    assert read_memory(tmp_path / "memory", BIG).texts == {"a.md": "a", "b.md": "a"}


@linux_only
def test_a_name_that_is_not_utf_8_is_reported(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"\xff.md")).write_bytes(b"a")
    (problem,) = read_memory(tmp_path, BIG).problems
    assert problem.message == "'\\udcff.md': the file name is not UTF-8; it was left alone"


@pytest.mark.parametrize(("where", "names_it"), [(".", True), ("sub", True), (".", False)])
def test_a_folder_that_cannot_be_listed_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str, names_it: bool
) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/a.md").write_bytes(b"a")
    real = os.scandir

    def refuse(top: Any) -> Any:
        if Path(top) == tmp_path / where:
            raise PermissionError(13, "Permission denied", str(top) if names_it else None)
        return real(top)

    monkeypatch.setattr(os, "scandir", refuse)
    (problem,) = read_memory(tmp_path, BIG).problems
    assert (problem.code, problem.where, problem.hint) == ("unreadable-file", where, "check the folder's permissions")
    assert problem.message == f"{where}/: Permission denied; it was left alone"
