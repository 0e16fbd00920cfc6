#!/usr/bin/env python3
"""Fit the weights of worth on labelled notes, and score them on memories that they were not fitted on.

usage: worth.py NOTES.jsonl [--clones DIR] [--labels LABELS.jsonl] [--score SCORE.py] [--write] [--folds N]

NOTES holds labelled notes with their texts. LABELS (default: worth_labels.jsonl beside this file) holds labels
without texts: repository, commit, memory, file and identity of each note, looked up in the bare clones below DIR
(``owner+name``, with or without ``/repo`` below it); nothing is fetched. Notes of part "fresh" are never fitted on.

Prints the figures of SCORE.py: cross-validated over memories, and fitted on all but the fresh part and scored on it.
``--write`` writes intermem/core/worth/weights.py.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.verdicts import clone_of
from intermem.core.entries.scanner import merged, scan_memory
from intermem.core.worth.excerpt import Excerpt, excerpt_of
from intermem.core.worth.passage import Note
from intermem.core.worth.reasons import CIRCUMSTANCES, REASONS

HERE = Path(__file__).resolve().parent
WEIGHTS = HERE.parent / "intermem" / "core" / "worth" / "weights.py"
MAX_CHARS = 400
STRENGTH = 15.0  # of the pull towards 0 (the inverse of what scikit-learn calls C)
ROUNDS = 60
NOT_THE_CORE = 0.45  # weight of a note that is worth a line, of which another part would be written
POINTS = 125  # for one unit of log odds
EVEN = 527  # points at even odds that a note is worth a line as written: of those from 500 on, two in three are
FEATURES = 2 * len(REASONS) + len(CIRCUMSTANCES)
LEAST_POINTS = 2  # less than that says nothing


@dataclass(frozen=True)
class Labelled:
    """A note with its label; ``present`` are the numbers of the features that hold."""

    row: Mapping[str, object]
    excerpt: Excerpt | None
    present: frozenset[int]
    is_right: bool
    weight: float


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notes", type=Path)
    parser.add_argument("--clones", type=Path)
    parser.add_argument("--labels", type=Path, default=HERE / "worth_labels.jsonl")
    parser.add_argument("--score", type=Path)
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--strength", type=float, default=STRENGTH)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    given = [labelled(row) for row in read_rows(args.notes)]
    ours = [labelled(row) for row in our_rows(args.labels, args.clones)] if args.clones else []
    fresh = [one for one in ours if one.row.get("part") == "fresh"]
    fitted = given + [one for one in ours if one.row.get("part") != "fresh"]
    predicted = cross_validated(fitted, args.folds, args.strength)
    weights = fit(fitted, args.strength)
    for name, notes, scores in (
        ("given, cross-validated", given, predicted),
        ("ours, cross-validated", [one for one in fitted if one not in given], predicted),
        ("fresh", fresh, {id(one): score_of(one, weights) for one in fresh}),
    ):
        if notes:
            print(f"{name} ({len(notes)} notes, {len({str(one.row['set']) for one in notes})} memories)")
            show(notes, scores, args.score)
    if args.write:
        WEIGHTS.write_text(module_of(weights, fitted), "utf-8")
    return 0


def read_rows(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line.strip()]


def our_rows(labels: Path, clones: Path) -> list[dict[str, object]]:
    """Return the rows of ``labels`` with texts from the clones; say which could not be found."""
    by_memory: dict[tuple[str, str, str], list[dict[str, object]]] = defaultdict(list)
    for row in read_rows(labels):
        by_memory[str(row["repo"]), str(row["commit"]), str(row["memory"])].append(row)
    found: list[dict[str, object]] = []
    for (repo, commit, memory), rows in sorted(by_memory.items()):
        entries = merged(scan_memory(memory_texts(clone_of(clones, repo), commit, memory)).entries)
        for row in rows:
            entry = next(iter(entries.get(str(row["entry"]), ())), None)
            if entry is None:
                print(f"not found: {repo} {row['source_file']} {row['entry']}", file=sys.stderr)
                continue
            more = {"set": repo, "id": row["entry"], "entry_text": entry.text, "section": entry.section}
            found.append({**row, **more, "type": entry.type})
    return found


def memory_texts(clone: Path, commit: str, memory: str) -> dict[str, str]:
    """Return the Markdown files of a memory at a commit, by their names in it."""
    listed = _git(clone, "ls-tree", "-r", "-z", "--name-only", commit, f"{memory}/").decode().split("\0")
    texts: dict[str, str] = {}
    for path in listed:
        if path.endswith(".md"):
            try:
                texts[path.removeprefix(f"{memory}/")] = _git(clone, "show", f"{commit}:{path}").decode()
            except UnicodeDecodeError:
                continue
    return texts


def _git(clone: Path, *arguments: str) -> bytes:
    return subprocess.run(["git", "-C", str(clone), *arguments], capture_output=True, check=True).stdout


def labelled(row: Mapping[str, object]) -> Labelled:
    note = Note(
        str(row.get("entry_text") or ""),
        str(row.get("section") or ""),
        str(row.get("type") or ""),
        str(row.get("source_file") or ""),
    )
    excerpt = excerpt_of(note, MAX_CHARS)
    present: set[int] = set()
    for number, reason in enumerate(REASONS if excerpt is not None else ()):
        assert excerpt is not None
        if reason.holds(excerpt.passage):
            present |= {2 * number, 2 * number + 1}
        elif any(reason.holds(one) for one in excerpt.passages):
            present.add(2 * number + 1)
    present |= {2 * len(REASONS) + number for number, one in enumerate(CIRCUMSTANCES) if one.holds(note)}
    is_right = row["worth"] == "yes" or (row["worth"] == "edit" and covers(row, excerpt))
    weight = NOT_THE_CORE if row["worth"] == "edit" and not is_right else 0.0 if row["worth"] == "unsure" else 1.0
    return Labelled(row, excerpt, frozenset(present), is_right, weight if excerpt is not None else 0.0)


def covers(row: Mapping[str, object], excerpt: Excerpt | None) -> bool:
    """Return whether the excerpt covers half of a core, intersection over union of characters."""
    if excerpt is None:
        return False
    start, stop = excerpt.passage.start, excerpt.passage.stop
    cores = row.get("cores") or []
    assert isinstance(cores, list)
    return any(max(0, min(stop, b) - max(start, a)) >= 0.5 * (max(stop, b) - min(start, a)) for a, b in cores)


def fit(notes: Sequence[Labelled], strength: float) -> list[float]:
    """Return the base and the weight of each feature, in log odds: logistic regression, by coordinate descent."""
    rows = [one for one in notes if one.weight]
    features = FEATURES
    holders: list[list[int]] = [[] for _ in range(features)]
    for number, one in enumerate(rows):
        for feature in one.present:
            holders[feature].append(number)
    weights = [0.0] * (features + 1)
    scores = [0.0] * len(rows)
    for _ in range(ROUNDS):
        for feature in range(features + 1):
            who: Iterable[int] = holders[feature - 1] if feature else range(len(rows))
            slope = curve = 0.0
            for number in who:
                chance = 1 / (1 + math.exp(-scores[number]))
                slope += rows[number].weight * (rows[number].is_right - chance)
                curve += rows[number].weight * chance * (1 - chance)
            pull = strength if feature else 0.0
            step = (slope - pull * weights[feature]) / (curve + pull + 1e-9)
            step = max(-1.0, min(1.0, step))
            weights[feature] += step
            for number in who:
                scores[number] += step
    return weights


def score_of(one: Labelled, weights: Sequence[float]) -> float:
    """Return the worth of a note by ``weights``, in points."""
    if one.excerpt is None:
        return 0.0
    points = [round(POINTS * weight) for weight in weights]
    return (
        EVEN
        + points[0]
        + sum(points[feature + 1] for feature in one.present if abs(points[feature + 1]) >= LEAST_POINTS)
    )


def cross_validated(notes: Sequence[Labelled], folds: int, strength: float) -> dict[int, float]:
    """Return the worth of each note by weights that were fitted without its repository."""
    repositories = sorted({repository(one) for one in notes})
    found: dict[int, float] = {}
    for number in range(folds):
        held = set(repositories[number::folds])
        weights = fit([one for one in notes if repository(one) not in held], strength)
        found |= {id(one): score_of(one, weights) for one in notes if repository(one) in held}
    return found


def repository(one: Labelled) -> str:
    return str(one.row["set"]).removeprefix("memories/").split("/.")[0].split("/docs")[0].split("/@")[0]


def show(notes: Sequence[Labelled], scores: Mapping[int, float], score: Path | None) -> None:
    """Print the figures at several thresholds."""
    if score is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        gold, said = Path(folder, "gold.jsonl"), Path(folder, "said.jsonl")
        numbered = [{**one.row, "id": str(number)} for number, one in enumerate(notes)]
        gold.write_text("".join(json.dumps(row) + "\n" for row in numbered), "utf-8")
        for least in (450, 500, 550, 600, 650, 700):
            rows = [
                {
                    "id": str(number),
                    "promote": one.excerpt is not None and scores[id(one)] >= least,
                    "score": scores[id(one)],
                    "text": one.excerpt.text if one.excerpt is not None else None,
                }
                for number, one in enumerate(notes)
            ]
            said.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
            done = subprocess.run([sys.executable, str(score), str(gold), str(said)], capture_output=True, text=True)
            print(f"  {least}: {done.stdout.strip()}{done.stderr.strip()}")


def module_of(weights: Sequence[float], notes: Sequence[Labelled]) -> str:
    """Return the text of weights.py."""
    points = [round(POINTS * weight) for weight in weights]
    points = [points[0], *(one if abs(one) >= LEAST_POINTS else 0 for one in points[1:])]
    lines = [
        '"""The weights of the reasons, in points: of the excerpt itself, and of any part of its note.',
        "",
        f"Fitted on {sum(1 for one in notes if one.weight)} labelled notes by ``python -m benchmarks.worth``."
        " The figures are in docs/worth.md.",
        '"""',
        "",
        "from __future__ import annotations",
        "",
        f"BASE = {EVEN + points[0]}",
        "WEIGHTS: dict[str, tuple[int, int]] = {",
    ]
    for number, reason in enumerate(REASONS):
        here, anywhere = points[1 + 2 * number], points[2 + 2 * number]
        if here or anywhere:
            lines.append(f'    "{reason.name}": ({here}, {anywhere}),')
    lines += ["}", "CIRCUMSTANCE_WEIGHTS: dict[str, int] = {"]
    for number, one in enumerate(CIRCUMSTANCES):
        weight = points[1 + 2 * len(REASONS) + number]
        if weight:
            lines.append(f'    "{one.name}": {weight},')
    return "\n".join((*lines, "}", ""))


if __name__ == "__main__":
    sys.exit(main())
