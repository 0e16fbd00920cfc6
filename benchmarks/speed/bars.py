"""The bars: what each measures, and against what."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import count
from pathlib import Path

from benchmarks.check_mutations import WORDS, git, made
from benchmarks.check_speed import fill
from benchmarks.speed.lifecycle_bars import sweep_after_commit, write_large_document
from benchmarks.speed.measuring import IDLE, INTERMEM, Job, Row, Table, medians, seconds
from benchmarks.speed.repositories import cloned, committed_change, long_history, notes_about, without_cache
from benchmarks.speed.store import BARE, SEED, filled

NOW = ("--now", "2026-03-01T00:00:00Z")
_ALL_OBJECTS = ("git", "cat-file", "--batch-all-objects", "--unordered", "--buffer", "--batch")

Measured = Callable[[Table, Path, Sequence[Path], int], None]


def check_cold(table: Table, folder: Path, _clones: Sequence[Path], _big: int) -> None:
    """P1: check of ten documents in 5,500 files."""
    root = folder / "repository"
    chance = random.Random(1)
    made(root, chance, files=5500, documents=10, lines=1)
    fill(root, chance, [])
    took = table.turns(
        {
            "idle": Job(IDLE, root),
            "check": Job((*INTERMEM, "check"), root, lambda: without_cache(root)),
            "warm": Job((*INTERMEM, "check"), root),
        }
    )
    table.compare("P1", "`check`, 10 documents, 5,500 files, nothing cached", took["check"], "idle", took["idle"], 10)
    table.compare("P1", "the same again", took["warm"], "idle", took["idle"], 0)
    table.memory("P13", "peak of that `check`", took["check"], 128)


def start_up(table: Table, folder: Path, _clones: Sequence[Path], big: int) -> None:
    """P2: the commands that only print, and a query."""
    root = folder / "repository"
    root.mkdir()
    git(root, "init", "-q")
    filled(root, folder / "state", big)
    state = ("--state-dir", str(folder / "state"))
    took = table.turns(
        {
            "idle": Job(IDLE, root),
            "--version": Job((*INTERMEM, "--version"), root),
            "--help": Job((*INTERMEM, "--help"), root),
            "query": Job((*INTERMEM, "query", "--all", "--json", "--no-touch", *state, *NOW), root),
        }
    )
    for name, most in (("--version", 3), ("--help", 5), ("query", 7)):
        table.compare("P2", f"`{name}`, {big:,} entries", took[name], "idle", took["idle"], most)


def sweep_big(table: Table, folder: Path, _clones: Sequence[Path], big: int) -> None:
    """P5, P6, P7, P13, P18: sweeps of many entries."""
    times: dict[int, float] = {}
    for number in (big // 10, big):
        root, kept, state = folder / f"repository{number}", folder / f"kept{number}", folder / f"state{number}"
        root.mkdir()
        git(root, "init", "-q", "-b", "main")
        filled(root, kept, number)
        (root / "AGENTS.md").write_text("# Notes\n", "utf-8")
        git(root, "add", "-A")
        git(root, "commit", "-q", "-m", "targets")

        def afresh(kept: Path = kept, state: Path = state) -> None:
            shutil.rmtree(state, ignore_errors=True)
            shutil.copytree(kept, state)

        sweep = (*INTERMEM, "sweep", "--no-scan", "--state-dir", str(state), *NOW)
        database = str(kept / "metadata.db")
        few = Table(min(3, table.runs)) if number == big else table
        took = few.turns(
            {
                "bare": Job((INTERMEM[0], "-c", BARE, database), root),
                "seed": Job((INTERMEM[0], "-c", SEED, database), root),
                "sweep": Job(sweep, root, afresh),
                "again": Job(sweep, root),
            }
        )
        times[number] = took["sweep"].wall
        what = f"`sweep --no-scan`, {number:,} entries"
        table.compare("P18", what, took["sweep"], "the seed's shape", took["seed"], 1)
        table.memory("P18", f"{what}: peak", took["sweep"], 160)
        table.compare("P5", what, took["sweep"], "bare UPDATE", took["bare"], 0)
        table.compare("P7", f"{what}: again at the same time", took["again"], "the first", took["sweep"], 0.5)
    table.add(
        Row(
            "P6", "ten times as many", seconds(times[big]), seconds(times[big // 10]), times[big] / times[big // 10], 11
        )
    )


def big_tree(table: Table, folder: Path, _clones: Sequence[Path], big: int) -> None:
    """P3, P4, P13: many citations, and 37 documents, among many files."""
    root = folder / "repository"
    chance = random.Random(1)
    made(root, chance, files=big, documents=37, lines=40)
    git(root, "add", "-A")
    paths = [path for path in git(root, "ls-files", "-z").split("\0") if path]
    asked = chance.sample(paths, min(10_000, len(paths) // 2))
    note = folder / "entries.jsonl"
    rows = ({"id": str(at), "entry_text": f"`{path}`"} for at, path in enumerate(asked))
    note.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    few = Table(min(3, table.runs))
    took = few.turns(
        {
            "idle": Job(IDLE, root),
            "ls-files": Job(("git", "ls-files", "-z"), root),
            "verify": Job((*INTERMEM, "verify", "--entries", str(note)), root),
            "check": Job((*INTERMEM, "check"), root, lambda: without_cache(root)),
            "again": Job((*INTERMEM, "check"), root),
        }
    )
    what = f"{len(asked):,} path citations, {big:,} files"
    table.compare("P3", what, took["verify"], "`git ls-files -z`", took["ls-files"], 12)
    table.compare("P4", f"`check`, 37 documents, {big:,} files", took["check"], "idle", took["idle"], 0)
    table.compare("P4", "the same again", took["again"], "idle", took["idle"], 0)
    table.memory("P13", f"peak of `check` in {big:,} files", took["check"], 128)


def names_in_code(table: Table, folder: Path, _clones: Sequence[Path], big: int) -> None:
    """P8: names in 100 MB of code."""
    from intermem.core.code.name_search import Search

    chance = random.Random(5)
    words = [f"{chance.choice('abcdefgh')}_name_of_{number}" for number in range(20_000)]
    files: dict[str, bytes] = {}
    for number in range(max(10, big // 11)):
        text = "".join(
            f"    {chance.choice(words)} = call({number})\n" if at % 9 == 0 else "    return [x for x in y]\n"
            for at in range(400)
        )
        files[f"f{number}.py"] = text.encode()
        (folder / f"f{number}.py").write_bytes(files[f"f{number}.py"])
    few = {1_000: words[:1_000], 10_000: words[:10_000]}
    times: dict[str, list[float]] = {"grep": [], **{str(number): [] for number in few}}
    for number, names in few.items():
        (folder / f"names{number}").write_text("\n".join(names), "utf-8")
    for _ in range(min(3, table.runs)):
        began = time.perf_counter()
        subprocess.run(
            ["grep", "-rFwoh", "-f", str(folder / "names10000"), "--include=*.py", str(folder)],
            stdout=subprocess.DEVNULL,
            check=False,
            env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"},
        )
        times["grep"].append(time.perf_counter() - began)
        for number, names in few.items():
            began = time.perf_counter()
            Search(names).all_places(files.items())
            times[str(number)].append(time.perf_counter() - began)
    took = medians(times)
    size = sum(map(len, files.values())) // 1_000_000
    table.add(
        Row(
            "P8",
            f"10,000 names in {size} MB, with their shapes",
            seconds(took["10000"]),
            f"`grep -rFwoh -f`: {seconds(took['grep'])}",
            took["10000"] / took["grep"],
            1.5,
        )
    )
    table.add(
        Row(
            "P8",
            "the same",
            seconds(took["10000"]),
            f"1,000 names: {seconds(took['1000'])}",
            took["10000"] / took["1000"],
            1.4,
        )
    )


def scans(table: Table, folder: Path, _clones: Sequence[Path], big: int) -> None:
    """P10: a scan of many notes, of which half are known, against all pairs."""
    from rapidfuzz import fuzz, process

    root, memory = folder / "repository", folder / "memory"
    root.mkdir()
    memory.mkdir()
    git(root, "init", "-q")
    chance = random.Random(9)
    words = WORDS
    number = big // 10
    notes = [f"{' '.join(chance.choices(words, k=12)).capitalize()} {at}." for at in range(2 * number)]
    state = ("--state-dir", str(folder / "state"), "--memory-dir", str(memory))

    def before() -> None:
        shutil.rmtree(folder / "state", ignore_errors=True)
        (memory / "MEMORY.md").write_text("".join(f"- {one}\n" for one in notes[:number]), "utf-8")
        subprocess.run(
            [*INTERMEM, "scan", *state, "--now", "2026-03-01T00:00:00Z"], cwd=root, check=True, capture_output=True
        )
        (memory / "MEMORY.md").write_text(
            "".join(f"- {one}\n" for one in notes[number // 2 : number + number // 2]), "utf-8"
        )

    few = Table(min(3, table.runs))
    took = few.turns({"scan": Job((*INTERMEM, "scan", *state, "--now", "2026-03-02T00:00:00Z"), root, before)})
    began = time.perf_counter()
    for one in notes[:number]:
        process.extract(one, notes[:number], scorer=fuzz.ratio, score_cutoff=85, limit=2)
    pairs = time.perf_counter() - began
    table.add(
        Row(
            "P10",
            f"`scan`, {number:,} notes, half of them known",
            seconds(took["scan"].wall),
            f"rapidfuzz, all pairs: {seconds(pairs)}",
            took["scan"].wall / pairs,
            0.1,
        )
    )


def hostile(table: Table, folder: Path, _clones: Sequence[Path], big: int) -> None:
    """P12: documents that are hard to read, and twice as long."""
    size = min(1_000_000, 10 * big)
    patterns = {
        "links": "](a",
        "backticks": "`a",
        "brackets": "[",
        "stars": "*a",
        "quotes": "> ",
        "tags": "<!-- ",
        "one word": "a",
    }
    for name, pattern in patterns.items():
        times: dict[int, float] = {}
        for length in (size, 2 * size):
            root = folder / f"{name}{length}".replace("`", "").replace("(", "").replace("]", "")
            root.mkdir()
            git(root, "init", "-q")
            (root / "AGENTS.md").write_text((pattern * length)[:length] + "\n", "utf-8")
            times[length] = Table(1).turns({"check": Job((*INTERMEM, "check", "--exit-zero"), root)})["check"].wall
        table.add(
            Row(
                "P12",
                f"{name}, {size // 1000} kB; twice that",
                seconds(times[size]),
                seconds(times[2 * size]),
                times[2 * size] / times[size],
                2.3,
            )
        )


def repositories(clones: Sequence[Path], folder: Path) -> list[Path]:
    """Return a clone of each given repository; without any, a generated one."""
    return [cloned(path, folder) for path in clones] or [long_history(folder)]


def hooks(table: Table, folder: Path, clones: Sequence[Path], _big: int) -> None:
    """P14, P15, P16: check as a hook, again, and for the first time."""
    for root in repositories(clones, folder):
        took = table.turns(
            {
                "idle": Job(IDLE, root),
                "objects": Job(_ALL_OBJECTS, root),
                "cold": Job((*INTERMEM, "check"), root, partial(without_cache, root)),
                "warm": Job((*INTERMEM, "check"), root),
                "hook": Job((*INTERMEM, "check", "--diff", "HEAD~1"), root, partial(without_cache, root)),
            }
        )
        table.compare("P14", f"`check --diff HEAD~1`, {root.name}", took["hook"], "idle", took["idle"], 20)
        table.compare("P15", f"`check` again, {root.name}", took["warm"], "idle", took["idle"], 30)
        half = 0.5 * took["objects"].wall / took["idle"].wall
        what = f"`check` for the first time, {root.name}"
        note = f"{took['cold'].wall / took['objects'].wall:.1f} of reading every object"
        ratio = took["cold"].wall / took["idle"].wall
        table.add(
            Row(
                "P16",
                what,
                seconds(took["cold"].wall),
                f"idle: {seconds(took['idle'].wall)}",
                ratio,
                round(max(60, half)),
                note,
            )
        )


def sweeps(table: Table, folder: Path, clones: Sequence[Path], _big: int) -> None:
    """P17: a sweep of 200 notes, again, and after a commit."""
    for root in repositories(clones, folder):
        memory = notes_about(root, folder)
        sweep = (*INTERMEM, "sweep", "--memory-dir", str(memory), *NOW)
        subprocess.run([*sweep], cwd=root, check=False, capture_output=True)
        numbers = count()
        took = table.turns(
            {
                "idle": Job(IDLE, root),
                "again": Job(sweep, root),
                "after": Job(sweep, root, partial(committed_change, root, numbers)),
            }
        )
        table.compare("P17", f"`sweep` of 200 notes again, {root.name}", took["again"], "idle", took["idle"], 40)
        table.compare("P17", f"after a commit, {root.name}", took["after"], "idle", took["idle"], 60)


BARS: Mapping[str, Measured] = {
    "P1": check_cold,
    "P2": start_up,
    "P3": big_tree,
    "P5": sweep_big,
    "P8": names_in_code,
    "P9": sweep_after_commit,
    "P10": scans,
    "P11": write_large_document,
    "P12": hostile,
    "P14": hooks,
    "P17": sweeps,
}
