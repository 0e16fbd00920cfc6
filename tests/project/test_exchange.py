"""Two files change places, or one is renamed to a free name; where the system cannot, nothing is done."""

from __future__ import annotations

import ctypes
import errno
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from intermem.project import exchange
from intermem.project.exchange import exchanged, renamed_if_free

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="renameat2 is Linux'")
BOTH = pytest.mark.parametrize("rename", [exchanged, renamed_if_free])


@pytest.fixture
def one(tmp_path: Path) -> Path:
    path = tmp_path / "one"
    path.write_bytes(b"1")
    return path


@pytest.fixture
def other(tmp_path: Path) -> Path:
    path = tmp_path / "other"
    path.write_bytes(b"2")
    return path


@pytest.fixture
def _asked_anew() -> Iterator[None]:
    """What the system can is asked once; here it is asked for each test."""
    exchange._renameat2.cache_clear()
    yield
    exchange._renameat2.cache_clear()


@linux_only
def test_two_files_are_exchanged(one: Path, other: Path) -> None:
    assert exchanged(one, other)
    assert (one.read_bytes(), other.read_bytes()) == (b"2", b"1")


@linux_only
def test_relative_names_are_below_the_working_directory(
    one: Path, other: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(one.parent)
    assert exchanged(Path("one"), Path("other"))
    assert (one.read_bytes(), other.read_bytes()) == (b"2", b"1")


@linux_only
def test_a_file_is_renamed_to_a_free_name(one: Path, tmp_path: Path) -> None:
    assert renamed_if_free(one, tmp_path / "new")
    assert ([path.name for path in tmp_path.iterdir()], (tmp_path / "new").read_bytes()) == (["new"], b"1")


@linux_only
def test_a_taken_name_raises_file_exists(one: Path, other: Path) -> None:
    with pytest.raises(FileExistsError) as raised:
        renamed_if_free(one, other)
    assert (raised.value.filename, raised.value.strerror) == (str(other), "File exists")
    assert (one.read_bytes(), other.read_bytes()) == (b"1", b"2")


@linux_only
def test_a_missing_file_cannot_be_exchanged(one: Path, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        exchanged(one, tmp_path / "none")
    assert one.read_bytes() == b"1"


@BOTH
@pytest.mark.parametrize("number", [errno.ENOSYS, errno.EINVAL, errno.EPERM, errno.EOPNOTSUPP])
def test_false_where_the_file_system_does_not_support_it(
    one: Path, other: Path, monkeypatch: pytest.MonkeyPatch, rename: Callable[[Path, Path], bool], number: int
) -> None:
    monkeypatch.setattr(exchange, "_renameat2", lambda: lambda *_: number)
    assert rename(one, other) is False


@BOTH
def test_any_other_error_is_raised(
    one: Path, other: Path, monkeypatch: pytest.MonkeyPatch, rename: Callable[[Path, Path], bool]
) -> None:
    monkeypatch.setattr(exchange, "_renameat2", lambda: lambda *_: errno.EIO)
    with pytest.raises(OSError, match="Input/output error"):
        rename(one, other)


def no_library(*_arguments: object, **_named: object) -> object:
    raise OSError(errno.ENOENT, "no library")


@BOTH
@pytest.mark.usefixtures("_asked_anew")
@pytest.mark.parametrize("library", [lambda *_, **_named: SimpleNamespace(), no_library])
def test_false_where_the_platform_has_no_such_call(
    one: Path,
    other: Path,
    monkeypatch: pytest.MonkeyPatch,
    rename: Callable[[Path, Path], bool],
    library: Callable[..., object],
) -> None:
    monkeypatch.setattr(ctypes, "CDLL", library)
    assert rename(one, other) is False
    assert (one.read_bytes(), other.read_bytes()) == (b"1", b"2")
