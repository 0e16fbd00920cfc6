#!/usr/bin/env python3
"""List what `check` finds in real documents, each at its own commit, and how readers judged it.

usage: check_documents.py CLONES INDEX.tsv [--read SAMPLES.md]

CLONES is as for ``verdicts.py``; INDEX has one document per line: repository, commit, path. Prints a table row for
each broken or moved citation. With ``--read`` each row gets the last column of the table in SAMPLES.md, followed
by the sums: how many findings have which label, and how many have not been read.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from benchmarks.verdicts import clone_of
from intermem.core.check.findings import Finding
from intermem.project.doc_discovery import AgentDocs
from intermem.project.git.worktree import open_worktree
from intermem.workflow.lint.run import linted

CODES = ("IM001", "IM002")

Row = tuple[str, str, str]  # repository with commit, place, finding


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", type=Path)
    parser.add_argument("index", type=Path)
    parser.add_argument("--read", type=Path)
    args = parser.parse_args()
    paths: dict[tuple[str, str], set[str]] = defaultdict(set)
    for line in args.index.read_text("utf-8").split("\n")[1:]:
        if line:
            repository, commit, path, *_ = line.split("\t")
            paths[repository, commit].add(path)
    known = labels_in(args.read.read_text("utf-8")) if args.read is not None else {}
    sums: Counter[str] = Counter()
    for (repository, commit), names in sorted(paths.items()):
        for one in findings_of(clone_of(args.clones, repository), commit, names):
            row = row_of(repository, commit, one)
            label = known.get(row, "not read")
            sums[label.partition(":")[0]] += 1
            print(f"| {' | '.join(row)} | {label} |" if args.read else f"| {' | '.join(row)} |")
    print(f"{sum(sums.values())} findings in {sum(map(len, paths.values()))} documents", dict(sums) if known else "")
    return 0


def findings_of(clone: Path, commit: str, names: set[str]) -> Iterator[Finding]:
    """Yield the broken and moved citations of the documents ``names`` at ``commit``, in order."""
    worktree = open_worktree(clone, rev=commit)
    assert worktree is not None, f"{clone} is no repository"
    found = linted(clone, worktree, AgentDocs(worktree.texts_of(sorted(names))))
    yield from sorted((one for one in found.findings if one.rule.code in CODES), key=lambda one: one.place)


def row_of(repository: str, commit: str, one: Finding) -> Row:
    assert one.judged is not None
    place = f"{one.place.file}:{one.place.first_line}:{one.place.first_column}"
    return f"{repository} {commit[:8]}", place, f"{one.rule.code} `{one.judged.citation.text}`"


def labels_in(page: str) -> dict[Row, str]:
    """Return the label of each row of the table."""
    found: dict[Row, str] = {}
    for line in page.split("\n"):
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if len(cells) == 4 and cells[2].startswith(CODES):
            found[cells[0], cells[1], cells[2]] = cells[3].removesuffix("|").strip()
    return found


if __name__ == "__main__":
    sys.exit(main())
