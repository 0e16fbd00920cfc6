"""Edit a text in the user's editor."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path


def edited_by_hand(text: str) -> tuple[str, str]:
    """Return the edited text and "", or "" and the reason why there is none.

    The editor is ``$VISUAL``, else ``$EDITOR``, else vi.
    """
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    try:
        command = shlex.split(editor)
    except ValueError:
        return "", f"{editor} is not a valid command; the text is unchanged"
    with tempfile.TemporaryDirectory(prefix="intermem-") as folder:
        path = Path(folder) / "entry.md"
        path.write_bytes(text.encode("utf-8") + b"\n")
        code = _run_attached([*command, str(path)])
        if code != 0:
            return "", f"{editor} exited with {code}; the text is unchanged"
        try:
            left = path.read_bytes().decode("utf-8").strip("\n").rstrip()
        except (OSError, UnicodeDecodeError):
            return "", "the edited text is not UTF-8; the text is unchanged"
    return left, "" if left else "the edited text is empty; it is not promoted"


def _run_attached(command: Sequence[str]) -> int:
    """Run ``command`` on this terminal; return its exit code, 127 if it cannot be run."""
    try:
        return subprocess.run(command, check=False).returncode
    except OSError:
        return 127
