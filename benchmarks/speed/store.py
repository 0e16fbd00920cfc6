"""A state of many entries, and what a sweep of it is measured against."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from intermem.core.citations.extract import RULES_VERSION
from intermem.core.entries.identity import identity
from intermem.storage import schema

BARE = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
connection.execute(
    "UPDATE memory_entries SET confidence = max(0, confidence - 100 * ((unixepoch('2026-03-01') - unixepoch(last_seen))"
    " / 1209600)), stale_streak = stale_streak + 1"
)
connection.execute("ROLLBACK")
"""
# The shape of the seed: entry after entry, its row read, its citations read, each file looked for, its row written.
SEED = """
import sqlite3, sys, os
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
for (key,) in connection.execute("SELECT entry_hash FROM memory_entries").fetchall():
    connection.execute("SELECT * FROM memory_entries WHERE entry_hash = ?", (key,)).fetchone()
    found = connection.execute("SELECT * FROM citations WHERE entry_hash = ?", (key,)).fetchall()
    for row in found:
        valid = os.path.exists(row[3])
        connection.execute("UPDATE citations SET status = ? WHERE id = ?", ("valid" if valid else "broken", row[0]))
    connection.execute("UPDATE memory_entries SET confidence = confidence - 1 WHERE entry_hash = ?", (key,))
    connection.execute("UPDATE memory_entries SET stale_streak = stale_streak + 1 WHERE entry_hash = ?", (key,))
connection.execute("ROLLBACK")
"""


def filled(root: Path, state: Path, entries: int) -> Path:
    """Return the database of a state with ``entries`` records, which cite a tenth as many files of ``root``."""
    state.mkdir(parents=True)
    path = state / "metadata.db"
    targets = max(1, entries // 10)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        schema.create(connection)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("BEGIN")
        texts = [f"Entry {number} is about `src/target{number % targets}.py`." for number in range(entries)]
        connection.executemany(
            "INSERT INTO memory_entries (entry_hash, content, content_preview, section, source_file, first_seen,"
            " last_seen, snapshot_count, read_by)"
            " VALUES (?, ?, ?, 'S', 'MEMORY.md', '2026-01-01T00:00:00Z', ?, 5, ?)",
            [
                (identity(text), text, text, f"2026-01-{1 + number % 28:02}T00:00:00Z", RULES_VERSION)
                for number, text in enumerate(texts)
            ],
        )
        connection.executemany(
            "INSERT INTO citations (entry_hash, citation_type, citation_value, name) VALUES (?, 'path', ?, ?)",
            [(identity(text), *[f"src/target{at % targets}.py"] * 2) for at, text in enumerate(texts)],
        )
        connection.execute("COMMIT")
    (root / "src").mkdir(exist_ok=True)
    for number in range(targets):
        (root / f"src/target{number}.py").write_text("x = 1\n", "utf-8")
    return path
