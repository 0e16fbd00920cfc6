#!/usr/bin/env python3
"""What `check` misses at first sight: names and paths in documents that the tree lacks and that history had.

usage: check_recall.py CLONE... [--labels FILE]

Candidates are found with a few expressions and git alone, so that nothing which intermem reads or skips decides what is
asked: every code span of an AGENTS.md, CLAUDE.md or rule that is a path or an identifier, whose path no tracked file or
folder ends with, or whose last word no file but prose has, and which a file had in a version that is no more. Prints a
line for each: clone, document, line, ``path`` or ``name``, what is cited, the finding on it (``-``: none, or in doubt
only). Most candidates are well: what is planned, an example, a library's. People look each up without the last column,
and write ``stale`` or ``ok`` in its place; ``--labels FILE`` takes such lines and prints which share of what is stale
`check` finds. Clones are only read.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from intermem.commands.check import CheckOptions, check
from intermem.workflow.workspace import Options, open_workspace

NOW = datetime(2026, 1, 1, tzinfo=UTC)
DOCUMENT = re.compile(r"(?:^|/)(?:AGENTS|CLAUDE)\.md$|(?:^|/)\.claude/rules/.*\.md$")
PROSE = re.compile(
    r"\.(?:md|mdx|mdc|txt|rst|lock|csv|svg|png|jpg|gif|woff2?|ttf|pdf)$|(?:package-lock|pnpm-lock)\.\w+$"
)
SPAN = re.compile(r"`([^`\n]+)`")
FENCE = re.compile(r"\s*(?:```|~~~)")
NAME = re.compile(r"[A-Za-z_$][\w$]*(?:[.:#]{1,2}[A-Za-z_$][\w$]*)*(?:\([^`]*\))?")
PATH = re.compile(
    r"[\w.@()\[\]-]*(?:/[\w.@()\[\]-]+)+/?(?::\d+)?"
    r"|[\w-]+(?:\.[\w-]+)*\.(?:py|tsx?|jsx?|mjs|go|rs|md|json|toml|ya?ml|sh|sql|s?css|html|java|kt|swift|rb|php|cs?|h|cpp|vue)"
)
WORD = re.compile(rb"[A-Za-z_$][\w$]*")
LEAST = 4  # letters of a name
LARGEST = 1 << 20  # bytes of a file that is read


class Candidate(NamedTuple):
    """What a document cites, by its first line there."""

    document: str
    line: int
    kind: str
    cited: str

    @property
    def last(self) -> str:
        """The last identifier of a name."""
        return re.split(r"[.:#]+", self.cited.partition("(")[0])[-1]


def git(clone: Path, *arguments: str, fed: str | None = None) -> bytes:
    """Return what git prints."""
    return subprocess.run(
        ["git", "-C", str(clone), *arguments],
        input=None if fed is None else fed.encode(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=False,
    ).stdout


def cited_in(document: str, text: str) -> Iterator[Candidate]:
    """Yield the paths and names in the code spans of a document, not those in its sample code."""
    is_code = False
    for number, line in enumerate(text.split("\n"), 1):
        if FENCE.match(line):
            is_code = not is_code
        for span in SPAN.findall("" if is_code else line):
            cited = span.strip()
            if PATH.fullmatch(cited):
                yield Candidate(document, number, "path", cited)
            elif NAME.fullmatch(cited) and len(cited) >= LEAST:
                yield Candidate(document, number, "name", cited)


def words_in(clone: Path, blobs: Iterable[str], wanted: set[bytes]) -> set[bytes]:
    """Return which of the ``wanted`` words the texts of ``blobs`` have; those that the clone lacks have none."""
    found: set[bytes] = set()
    listing = git(clone, "cat-file", "--batch", "--buffer", fed="".join(f"{one}\n" for one in blobs))
    at = 0
    while at < len(listing):
        head, _, _ = listing[at : at + 200].partition(b"\n")
        at += len(head) + 1
        fields = head.split()
        if len(fields) == 3 and fields[2].isdigit():
            content = listing[at : at + int(fields[2])]
            at += int(fields[2]) + 1
            if len(content) < LARGEST and b"\0" not in content:
                found |= wanted.intersection(WORD.findall(content))
    return found


def ends_of(paths: Iterable[str]) -> set[str]:
    """Return every path and folder, and all that these end with."""
    ends: set[str] = set()
    for path in paths:
        parts = path.split("/")
        ends.update("/".join(parts[first:last]) for last in range(1, len(parts) + 1) for first in range(last))
    return ends


def candidates(clone: Path) -> list[Candidate]:
    """Return what the documents of a clone cite, the tree at HEAD lacks, and history had."""
    listed = [
        one.partition("\t") for one in git(clone, "ls-tree", "-r", "-z", "HEAD").decode("utf-8", "replace").split("\0")
    ]
    tree = {path: head.split()[2] for head, _, path in listed if " blob " in head}
    found: dict[tuple[str, str], Candidate] = {}
    for document in filter(DOCUMENT.search, tree):
        for one in cited_in(document, git(clone, "show", f"HEAD:{document}").decode("utf-8", "replace")):
            found.setdefault((one.kind, one.cited), one)
    names = [one for one in found.values() if one.kind == "name"]
    wanted = {one.last.encode() for one in names}
    stems = {path.rpartition("/")[2].partition(".")[0] for path in tree}
    gone = wanted - words_in(clone, {blob for path, blob in tree.items() if not PROSE.search(path)}, wanted)
    gone -= {stem.encode() for stem in stems}
    ever = [
        one.partition(" ")
        for one in git(clone, "rev-list", "--objects", "--missing=allow-any", "HEAD")
        .decode("utf-8", "replace")
        .split("\n")
    ]
    past = {blob for blob, _, path in ever if path and not PROSE.search(path)} - set(tree.values())
    known = words_in(clone, past, gone) if gone else set()
    here, there = ends_of(tree), ends_of(path for _, _, path in ever if path)
    return sorted(one for one in found.values() if _left(one, known, here, there))


def _left(one: Candidate, known: set[bytes], here: set[str], there: set[str]) -> bool:
    if one.kind == "name":
        return one.last.encode() in known
    path = re.sub(r"^(?:\.{1,2}/|[@~]/)+|:\d+$", "", one.cited).strip("/")
    return bool(path) and path not in here and path in there


def told(clone: Path, found: Iterable[Candidate]) -> dict[Candidate, str]:
    """Return the code of the finding on each candidate, ``-`` where there is none."""
    where = Options(now=NOW, working_directory=clone, environment={}, project_root=clone)
    result = check(open_workspace(where), CheckOptions(rev="HEAD"))
    codes: dict[tuple[str, str], str] = {}
    for finding in result.findings:
        if finding.judged is not None:
            codes.setdefault((finding.place.file, finding.judged.citation.text), finding.rule.code)
    return {one: codes.get((one.document, one.cited), "-") for one in found}


def main(arguments: list[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", nargs="+", type=Path, metavar="CLONE")
    parser.add_argument("--labels", type=Path, metavar="FILE", help="such lines, with stale or ok at their ends")
    options = parser.parse_args(arguments)
    labels: dict[tuple[str, ...], str] = {}
    for line in options.labels.read_text(encoding="utf-8").split("\n") if options.labels is not None else ():
        *row, label = line.split("\t")
        labels[tuple(row[:5])] = label
    sums: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
    for clone in options.clones:
        found = candidates(clone)
        for one, code in told(clone, found).items():
            row = (
                clone.name if clone.name != "repo" else clone.parent.name,
                one.document,
                str(one.line),
                one.kind,
                one.cited,
            )
            if options.labels is None:
                print("\t".join((*row, code)))
            elif labels.get(row) == "stale":
                sums[one.kind][0] += code != "-"
                sums[one.kind][1] += 1
    for kind, (right, all_of_them) in sorted(sums.items()):
        print(f"{kind}: {right} of {all_of_them} found ({right / all_of_them:.2f})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
