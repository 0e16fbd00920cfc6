#!/usr/bin/env python3
"""Compare the verdicts of `check` and `verify` on labelled entries of real repositories, citation by citation.

usage: check_agrees.py CLONES GOLD.jsonl

CLONES and GOLD are as for ``verdicts.py``. `verify` is given each entry on its own, `check` the whole file that
contains it, at the same commit. For each entry the citations on its lines are compared: kind, text, verdict and
target. They may differ if an entry is part of a block (an item below another), because `check` reads the whole
block. Prints every difference; exit code 1 if an alarm differs.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.verdicts import clone_of
from intermem.core.citations.extract import spans_of
from intermem.entities import Judged
from intermem.project.doc_discovery import AgentDocs
from intermem.project.git.worktree import open_worktree
from intermem.workflow.lint.run import Linted, linted
from intermem.workflow.verification import VerifyRequest, verified_entries

ALARMS = ("broken", "moved", "ambiguous")

Said = tuple[str, str, str, str | None]  # kind, text, verdict, target


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", type=Path)
    parser.add_argument("gold", type=Path)
    args = parser.parse_args()
    by_commit: dict[tuple[str, str], list[Mapping[str, Any]]] = defaultdict(list)
    for line in args.gold.read_text("utf-8").split("\n"):
        if line.strip():
            entry = json.loads(line)
            by_commit[entry["repo"], entry["commit"]].append(entry)
    counts: Counter[str] = Counter()
    for (name, commit), entries in sorted(by_commit.items()):
        for entry, verified, checked in both(clone_of(args.clones, name), commit, entries):
            counts["entries"] += 1
            counts["citations"] += len(verified)
            for what in sorted(verified ^ checked, key=str):
                who = "verify" if what in verified else "check"
                kind = "alarms" if what[2] in ALARMS else "others"
                counts[f"{kind} of {who} alone"] += 1
                print(f"{name} {entry['file']}:{entry['lines'][0]}: {who} only: {what}")
            counts["alarms of both"] += sum(one[2] in ALARMS for one in verified & checked)
    print(", ".join(f"{name}: {number}" for name, number in counts.items()))
    return 1 if any(name.startswith("alarms of") and name != "alarms of both" for name in counts) else 0


def both(
    clone: Path, commit: str, entries: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[Mapping[str, Any], set[Said], set[Said]]]:
    """Yield each entry with the verdicts of `verify` on it, and those of `check` on its lines."""
    worktree = open_worktree(clone, rev=commit)
    assert worktree is not None
    asked = [VerifyRequest(one["id"], one["entry_text"], one["file"], one["lines"][0]) for one in entries]
    verified, _ = verified_entries(clone, worktree, asked)
    texts = worktree.texts_of(sorted({one["file"] for one in entries}))
    found = linted(clone, worktree, AgentDocs(texts))
    for entry, one in zip(entries, verified, strict=True):
        first, last = entry["lines"][0], entry["lines"][-1]
        yield entry, {said(item) for item in one.citations}, set(on_lines(found, entry["file"], first, last))


def on_lines(found: Linted, file: str, first: int, last: int) -> Iterator[Said]:
    """Yield the verdicts of `check` on the citations on these lines."""
    for unit, judged in zip(found.units, found.verdicts, strict=True):
        if unit.file != file or unit.lines.start > last or unit.lines.stop <= first:
            continue
        spans = spans_of(unit.text)
        for item in judged:
            places = [unit.place(start, stop) for start, stop, _ in spans[item.citation.kind, item.citation.text]]
            if any(first <= place.first_line and place.last_line <= last for place in places):
                yield said(item)


def said(item: Judged) -> Said:
    verdict = item.verdict
    return item.citation.kind, item.citation.text, str(verdict.status), verdict.target


if __name__ == "__main__":
    sys.exit(main())
