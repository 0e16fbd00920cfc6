"""A person's editor: a text goes out, and comes back as it was left."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path


def edited_by_hand(text: str) -> tuple[str, str]:
    """Return ``text`` as the editor leaves it, or an empty text and why there is none.

    The editor is ``$VISUAL``, else ``$EDITOR``, else vi.
    """
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    try:
        command = shlex.split(editor)
    except ValueError:
        return "", f"{editor} is no command; the text is as it was"
    with tempfile.TemporaryDirectory(prefix="intermem-") as folder:
        path = Path(folder) / "entry.md"
        path.write_bytes(text.encode("utf-8") + b"\n")
        code = _run_attached([*command, str(path)])
        if code != 0:
            return "", f"{editor} ended with {code}; the text is as it was"
        try:
            left = path.read_bytes().decode("utf-8").strip("\n").rstrip()
        except (OSError, UnicodeDecodeError):
            return "", "what the editor left is not UTF-8; the text is as it was"
    return left, "" if left else "the text is empty; it is not promoted"


def _run_attached(command: Sequence[str]) -> int:
    """Run ``command`` on this terminal and return its exit code, 127 where it is missing."""
    try:
        return subprocess.run(command, check=False).returncode
    except OSError:
        return 127
