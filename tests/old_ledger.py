"""A ledger as 0.1 wrote it: intermem itself only reads one. And what the ledger of a project amounts to."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from intermem.core.reconcile.ledger import Line
from intermem.core.reconcile.ledger_history import ledger_of
from intermem.entities import LEDGER, OLD_LEDGER


def ledger_text(lines: Mapping[str, Line]) -> str:
    """Return the text of a ledger of 0.1: one line per entry, sorted by id, each ending in ``\\n``."""
    return "".join(_written(lines[key]) + "\n" for key in sorted(lines))


def _written(line: Line) -> str:
    since = line.since.date().isoformat()
    if line.is_tombstone:
        return json.dumps({"id": line.id, "status": str(line.status), "since": since})
    shown: dict[str, object] = {
        "id": line.id,
        "status": str(line.status),
        "doc": line.document,
        "section": line.section,
        "since": since,
        "first_seen": line.first_seen.date().isoformat(),
        "last_seen": line.last_seen.date().isoformat(),
        "snapshots": line.snapshots,
        "pinned": line.pinned,
        **({"pinned_until": line.pinned_until.date().isoformat()} if line.pinned_until is not None else {}),
        "feedback": line.feedback / 1000 if line.feedback else 0,
    }
    if line.note_id:
        shown["note"] = line.note_id
    if line.was:
        shown["was"] = list(line.was)
    text = json.dumps(shown, ensure_ascii=False)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def ledger_in(root: Path) -> str:
    """Return what the ledger of the project at ``root`` amounts to, as 0.1 would have written it; empty if none."""
    folder, old = root / LEDGER, root / OLD_LEDGER
    texts = {path.name: path.read_text("utf-8") for path in sorted(folder.iterdir())} if folder.is_dir() else {}
    return ledger_text(ledger_of(texts, old.read_text("utf-8") if old.exists() else None).lines)


def events_in(root: Path) -> list[dict[str, Any]]:
    """Return the events of the project at ``root``, by the names of their files."""
    folder = root / LEDGER
    return [json.loads(path.read_text("utf-8")) for path in sorted(folder.iterdir())] if folder.is_dir() else []


def as_old_ledger(root: Path) -> str:
    """Replace the ledger of the project at ``root`` by the one that 0.1 would have written; return its text."""
    text = ledger_in(root)
    shutil.rmtree(root / LEDGER, ignore_errors=True)
    (root / OLD_LEDGER).write_text(text, "utf-8")
    return text
