"""``merge-driver``: git's three-way merge of one document (plumbing; "custom merge driver" in gitattributes(5)).

It needs no project, state or configuration: in the middle of a merge these may be in conflict themselves. Whatever
goes wrong, the document is left as git would have merged it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from intermem.core.region.merge import Signs
from intermem.errors import RepositoryError, UsageError
from intermem.lazy_dataclass import dataclass
from intermem.project.git.merge_file import configured_style, merge_file
from intermem.results import FINDINGS, OK
from intermem.results.merge import ClashingEntry, LeftOutEntry, MergeDriverResult

_LARGEST = 4 << 20  # bytes; a larger document has no region that anything else reads
_LABELS = ("ours", "base", "theirs")


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedFiles:
    """The files that git names: the common ancestor, ours (which takes the result) and theirs."""

    base: Path
    ours: Path
    theirs: Path
    document: str
    marker_size: int = 7


def merge_driver(files: MergedFiles) -> MergeDriverResult:
    """Merge three versions of a document into ``files.ours``. Exit code 1 if conflicts are left.

    Raises UsageError for a file that cannot be read or written, RepositoryError if git cannot merge them either; then
    ours stays as it is.
    """
    contents = [_read(path) for path in (files.base, files.ours, files.theirs)]
    try:
        content, result = _by_identity(files, contents)
    except RepositoryError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever it is, the document is as git would have merged it
        content, result = _by_lines(files, contents, error)
    _write(files.ours, content)
    return result


def _by_lines(files: MergedFiles, contents: Sequence[bytes], error: Exception) -> tuple[bytes, MergeDriverResult]:
    content, is_clean = merge_file(*contents, labels=_LABELS, size=files.marker_size)
    why = "it is not UTF-8" if isinstance(error, UnicodeError) else f"{type(error).__name__}: {error}"
    return content, MergeDriverResult(
        document=files.document,
        clean=is_clean,
        conflicts=(),
        left_out=(),
        exit_code=OK if is_clean else FINDINGS,
        notices=(f"{files.document} was merged line by line: {why}",),
    )


def _by_identity(files: MergedFiles, contents: Sequence[bytes]) -> tuple[bytes, MergeDriverResult]:
    """Return the merged document. Raises whatever goes wrong, UnicodeDecodeError for one that is not UTF-8."""
    from intermem.workflow.document_merge import Versions, merged_document

    if max(map(len, contents)) > _LARGEST:
        raise ValueError(f"it has more than {_LARGEST} bytes")
    style = configured_style()
    signs = Signs(*_LABELS[::2], _LABELS[1] if style != "merge" else None, files.marker_size)
    versions = Versions(*(content.decode("utf-8") for content in contents))
    merged = merged_document(versions, files.document, signs=signs, style=style)
    notices = (f"{merged.trouble}; look at it before you commit",) if merged.trouble and not merged.conflicts else ()
    return merged.text.encode("utf-8"), MergeDriverResult(
        document=files.document,
        clean=merged.is_clean,
        conflicts=[ClashingEntry(one.ours, one.theirs) for one in merged.conflicts],
        left_out=[LeftOutEntry(key, text) for key, text in merged.left_out],
        exit_code=OK if merged.is_clean else FINDINGS,
        notices=notices,
    )


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}; nothing was merged", hint="git names the files itself") from None


def _write(path: Path, content: bytes) -> None:
    """Replace a file, or leave it as it is."""
    temp = path.with_name(f"{path.name}.intermem")
    try:
        temp.write_bytes(content)
        os.replace(temp, path)
    except OSError as error:
        temp.unlink(missing_ok=True)
        raise UsageError(f"{path}: {error.strerror}; it was not merged", hint="check the disk") from None
