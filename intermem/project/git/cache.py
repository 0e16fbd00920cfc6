"""What was derived from objects of the repository and from texts, kept in its git directory for the next run.

Everything in it is a function of these and of our own rules, so it can be deleted at any time, and is thrown away
where it is damaged, or was written under other rules.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import zlib
from collections.abc import Callable
from functools import cache as once
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

import intermem
from intermem.lazy_dataclass import dataclass

_MAX_BYTES = 64 * 1024 * 1024  # of a file; a larger one is not written
_DIGEST_SIZE = 32  # bytes
SOURCES = (  # of this package: what decides what is derived
    "core",
    "core/citations",
    "core/citations/kinds",
    "core/code",
    "core/entries",
    "core/entries/secret_rules",
    "core/markdown",
    "entities.py",
    "facts.py",
    "lazy_dataclass.py",
    "patterns.py",
    "project/git",
)
PARSERS = ("markdown_it", "mdit_py_plugins")
_Known = TypeVar("_Known")


@dataclass(frozen=True, slots=True)
class Cache:
    """The files in ``folder``, below the git directory ``common_dir``; without a folder nothing is kept."""

    common_dir: Path | None = None

    def load(self, name: str, parse: Callable[[Any], _Known]) -> _Known | None:
        """Return what was saved as ``name``, through ``parse``; None if there is nothing that can be used."""
        if self.common_dir is None:
            return None
        try:
            content = (self._folder / name).read_bytes()
        except OSError:
            return None
        if content[:_DIGEST_SIZE] != _digest(content[_DIGEST_SIZE:]):
            return None
        try:
            return parse(json.loads(zlib.decompress(content[_DIGEST_SIZE:])))
        except (ArithmeticError, LookupError, TypeError, ValueError, AttributeError, RecursionError, zlib.error):
            return None

    def save(self, name: str, value: Any) -> None:
        """Keep ``value`` as ``name``, for JSON; where it cannot be written, nothing is kept."""
        if self.common_dir is None:
            return
        content = zlib.compress(json.dumps(value, separators=(",", ":")).encode("ascii"), 1)
        if len(content) > _MAX_BYTES - _DIGEST_SIZE:
            return
        with contextlib.suppress(OSError):
            self._write(name, _digest(content) + content)

    def _write(self, name: str, content: bytes) -> None:
        assert self.common_dir is not None
        for folder in (self._folder.parent, self._folder):
            if folder.is_symlink():  # nothing of ours is one: not written through
                return
            folder.mkdir(mode=0o700, exist_ok=True)
        temporary = self._folder / f".{name}.{os.getpid()}"
        try:
            with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_FOLLOW, 0o600), "wb") as file:
                file.write(content)
            os.replace(temporary, self._folder / name)
        finally:
            temporary.unlink(missing_ok=True)

    @property
    def _folder(self) -> Path:
        assert self.common_dir is not None
        return self.common_dir / "intermem" / "cache"


_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)


def _digest(content: bytes) -> bytes:
    """Return a digest of ``content`` and of all that decides what is derived."""
    return blake2b(content, digest_size=_DIGEST_SIZE, key=_rules()).digest()


@once
def _rules() -> bytes:
    """Return a digest of what tells our sources that read code, history and texts from others, and the parsers that
    help: the version of Python, and those of Markdown."""
    found = [repr(sys.version_info[:2]), intermem.__version__]
    for name in SOURCES:
        place = Path(intermem.__file__).parent / name
        for source in [place] if place.suffix else sorted(place.glob("*.py")):
            status = source.stat()
            found.append(f"{name}/{source.name} {status.st_size} {status.st_mtime_ns}")
    for name in PARSERS:
        spec = find_spec(name)
        with contextlib.suppress(OSError):
            if spec is not None and spec.origin is not None:
                found.append(Path(spec.origin).read_text("utf-8"))  # it names the version
    return blake2b("\n".join(found).encode("utf-8", "surrogateescape"), digest_size=_DIGEST_SIZE).digest()
