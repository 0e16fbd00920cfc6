#!/usr/bin/env python3
"""Mutation testing: run the tests of a module against small changes of its code, one mutant at a time, in a copy.

usage: mutants.py [--sample N] [--seed S] [MODULE[:LINE] ...]

MODULE is a key of TESTS or of GROUPS (default: all groups); LINE selects the mutants of one line.
``--sample`` takes N mutants of each module, the same ones for the same seed. Nothing is written to
this tree: package and tests are copied to a temporary folder, and only the copy is mutated.
Survivors are printed as they are found. Those in equivalent_mutants.txt, each with its reason, are
not run. Exit code 1 if any other mutant survives.

Error messages, docstrings, annotations, decorators and assertions are not mutated. For each mutant a
child is forked from a process that has imported pytest but not intermem; hypothesis is derandomized,
so results are reproducible.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib
import importlib.util
import multiprocessing
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EQUIVALENT = Path(__file__).with_name("equivalent_mutants.txt")
COPIED = ("intermem", "tests", "fixtures", "pyproject.toml")
PRELOADED = ("hypothesis", "markdown_it", "mdit_py_plugins.front_matter", "pytest", "rapidfuzz", "rich.console", "yaml")

_MERGES = ["tests/core/region/test_merge.py", "tests/core/region/test_merge_properties.py"]
_REGIONS = ["tests/core/region/test_place.py", "tests/core/region/test_edit.py", "tests/core/region/test_parse.py"]
_STORE = ["tests/storage", "tests/commands/test_status.py", "tests/test_acceptance_s4.py"]
_FILES = ["tests/project/test_files.py", "tests/workflow/test_writeback.py", "tests/project/test_documents.py"]
_UNDO = ["tests/commands/test_undo.py"]
_KILLS = ["tests/faults/test_kill.py", "-k", "not worktree"]

# The tests of a module, fast ones first: the run ends at the first failure.
TESTS = {
    "core/lifecycle/decay.py": ["tests/core/lifecycle/test_decay.py", "tests/core/lifecycle/test_staleness.py"],
    "core/region/parse.py": [*_REGIONS, "tests/core/region/test_merge.py", "tests/workflow/test_conflicts.py"],
    "core/region/merge.py": _MERGES,
    "core/region/merge_fates.py": _MERGES,
    "core/region/merge_order.py": _MERGES,
    "core/region/merge_sides.py": _MERGES,
    "core/region/edit.py": _REGIONS,
    "core/region/place.py": _REGIONS,
    "core/region/legacy_markers.py": ["tests/core/region/test_legacy_markers.py"],
    "core/region/repair.py": ["tests/core/region/test_repair.py"],
    "project/files.py": [*_FILES, *_KILLS],
    "project/atomic_write.py": [*_FILES, *_KILLS],
    "project/exchange.py": ["tests/project/test_exchange.py", *_FILES],
    "workflow/writeback.py": [*_FILES, *_KILLS],
    "storage/journal.py": ["tests/storage", *_FILES, *_UNDO, *_KILLS],
    "storage/operations.py": ["tests/storage", *_FILES, *_UNDO, *_KILLS],
    "storage/undo_log.py": ["tests/storage/test_journal.py", *_UNDO],
    "storage/metadata.py": _STORE,
    "storage/record_writes.py": _STORE,
    "storage/connection.py": _STORE,
}
GROUPS = {
    "decay": ["core/lifecycle/decay.py"],
    "regions": [
        "core/region/parse.py",
        "core/region/edit.py",
        "core/region/merge.py",
        "core/region/merge_fates.py",
        "core/region/merge_order.py",
        "core/region/merge_sides.py",
        "core/region/place.py",
        "core/region/legacy_markers.py",
        "core/region/repair.py",
    ],
    "journal": [
        "storage/journal.py",
        "storage/operations.py",
        "storage/undo_log.py",
        "workflow/writeback.py",
        "project/files.py",
        "project/atomic_write.py",
        "project/exchange.py",
    ],
    "store": ["storage/metadata.py", "storage/record_writes.py", "storage/connection.py"],
}

_IMPORTED = "ignore:Module already imported:pytest.PytestAssertRewriteWarning"
_SWAPPED = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_CLEANING = {"strip", "lstrip", "rstrip", "lower", "casefold", "removeprefix", "removesuffix"}
_CHOOSING = {"min", "max", "sorted", "reversed", "set", "abs"}
_UNSEEN = {"annotation", "returns", "decorator_list", "format_spec", "type_comment"}


@dataclass(frozen=True)
class Mutant:
    """A module's source with one change, described as ``function: before -> after``."""

    line: int
    words: str
    source: str


@dataclass(frozen=True)
class Place:
    """The position of a node in its tree."""

    owner: ast.AST
    field: str
    index: int | None
    in_raise: bool
    function: str

    def put(self, node: ast.AST) -> None:
        """Put ``node`` in this position."""
        if self.index is None:
            setattr(self.owner, self.field, node)
        else:
            getattr(self.owner, self.field)[self.index] = node


def mutants_of(source: str) -> list[Mutant]:
    """Return the mutants of a module, in order of appearance."""
    tree = ast.parse(source)
    whole = ast.unparse(tree).split("\n")
    found: dict[str, Mutant] = {}
    alike: Counter[str] = Counter()
    for place, node in list(_places(tree, False, "")):
        for changed in _changes(node, place):
            place.put(changed)
            mutated = ast.unparse(tree)
            place.put(node)
            words = f"{place.function or 'module'}: {_difference(whole, mutated.split(chr(10)))}"
            if mutated not in found:
                alike[words] += 1
                words += f" ({alike[words]})" if alike[words] > 1 else ""
                found[mutated] = Mutant(getattr(node, "lineno", 0), words, mutated)
    return list(found.values())


def _places(node: ast.AST, in_raise: bool, function: str) -> Iterator[tuple[Place, ast.AST]]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        function = f"{function}.{node.name}".lstrip(".")
    in_raise = in_raise or isinstance(node, ast.Raise)
    for field, value in ast.iter_fields(node):
        if field in _UNSEEN:
            continue
        for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if not isinstance(child, ast.AST) or isinstance(child, ast.Assert | ast.Import | ast.ImportFrom):
                continue
            if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant | ast.Yield):
                continue  # a docstring; the yield of a context manager
            yield Place(node, field, index, in_raise, function), child
            yield from _places(child, in_raise, function)


def _changes(node: ast.AST, place: Place) -> Iterator[ast.AST]:
    """Yield the mutations of ``node``."""
    is_condition = (place.field == "test" and isinstance(place.owner, ast.If)) or place.field == "ifs"
    if is_condition:
        yield from (ast.Constant(True), ast.Constant(False))
    if place.field == "test" and isinstance(place.owner, ast.While):
        yield ast.Constant(False)
    match node:
        case ast.Compare():
            for number, operator in enumerate(node.ops):
                if not is_condition or isinstance(operator, ast.Lt | ast.LtE | ast.Gt | ast.GtE):
                    yield _copied(node, "ops", number, _SWAPPED[type(operator)]())
        case ast.BoolOp():
            for number in range(len(node.values)):
                rest = node.values[:number] + node.values[number + 1 :]
                yield ast.BoolOp(node.op, rest) if len(rest) > 1 else rest[0]
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield node.operand
        case ast.BinOp():
            yield node.left
        case ast.IfExp():
            yield from (node.body, node.orelse)
        case ast.Constant() if not isinstance(place.owner, ast.JoinedStr):
            yield from _constants(node.value, place.in_raise)
        case ast.Call():
            yield from _calls(node, place.in_raise)
        case ast.Subscript(slice=ast.Slice()):
            for bound in ("lower", "upper", "step"):
                if getattr(node.slice, bound) is not None:
                    yield ast.Subscript(node.value, _with(node.slice, bound, None), node.ctx)
        case ast.Tuple(ctx=ast.Load()) | ast.List(ctx=ast.Load()):
            for number, element in enumerate(node.elts):
                if isinstance(place.owner, ast.ExceptHandler):
                    yield _with(node, "elts", node.elts[:number] + node.elts[number + 1 :])
                elif not isinstance(element, ast.Constant | ast.Starred):
                    yield _copied(node, "elts", number, ast.Constant(None))
        case ast.Expr() | ast.AugAssign() | ast.Raise() | ast.Break() | ast.Continue():
            yield ast.Pass()
        case ast.Assign(targets=[target]) if _changes_what_was(target, node.value):
            yield ast.Pass()


def _changes_what_was(target: ast.expr, value: ast.expr) -> bool:
    """True for ``x[k] = v``, ``x.a = v`` and ``x = f(x)``: without them every name is still defined."""
    names = {node.id for node in ast.walk(value) if isinstance(node, ast.Name)}
    return isinstance(target, ast.Subscript | ast.Attribute) or (isinstance(target, ast.Name) and target.id in names)


def _constants(value: object, in_raise: bool) -> Iterator[ast.AST]:
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int):
        yield ast.Constant(value + 1)
    elif isinstance(value, str) and not in_raise:
        yield ast.Constant("" if value else "x")


def _calls(node: ast.Call, in_raise: bool) -> Iterator[ast.AST]:
    name = getattr(node.func, "id", getattr(node.func, "attr", ""))
    if isinstance(node.func, ast.Attribute) and name in _CLEANING:
        yield node.func.value
    elif name in _CHOOSING:
        yield from (one for one in node.args if not isinstance(one, ast.Starred | ast.GeneratorExp))
    elif name in ("any", "all"):
        yield _with(node, "func", ast.Name("all" if name == "any" else "any", ast.Load()))
    elif name == "suppress":
        yield _with(node, "args", [])
    if not in_raise:
        for number in range(len(node.keywords)):
            yield _with(node, "keywords", node.keywords[:number] + node.keywords[number + 1 :])


def _with(node: ast.AST, field: str, value: object) -> ast.AST:
    changed = copy.copy(node)
    setattr(changed, field, value)
    return changed


def _copied(node: ast.AST, field: str, index: int, value: ast.AST) -> ast.AST:
    items = list(getattr(node, field))
    items[index] = value
    return _with(node, field, items)


def _difference(before: Sequence[str], after: Sequence[str]) -> str:
    """Return the change, with a few characters of context."""
    number = next((n for n, pair in enumerate(zip(before, after, strict=False)) if pair[0] != pair[1]), 0)
    old, new = before[number].strip(), after[number].strip()
    same = _in_common(old, new)
    back = _in_common(old[same:][::-1], new[same:][::-1])
    start = max(0, same - 40)
    shown = [text[start : len(text) - max(0, back - 25)] for text in (old, new)]
    return f"{shown[0]} -> {shown[1]}"


def _in_common(one: str, two: str) -> int:
    """Return the length of the common prefix."""
    return next(
        (n for n, pair in enumerate(zip(one, two, strict=False)) if pair[0] != pair[1]), min(len(one), len(two))
    )


class Copy:
    """A copy of package and tests in which one module at a time is mutated."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in COPIED:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy2(source, folder / name)

    def write(self, module: str, source: str) -> None:
        """Replace a module by ``source`` and delete its compiled form."""
        path = self.folder / "intermem" / module
        path.write_text(source, "utf-8")
        # Within the same second, a mutant of the same length would be taken for the previous one.
        Path(importlib.util.cache_from_source(str(path))).unlink(missing_ok=True)

    def verdict(self, tests: Sequence[str], processor: int, wall: float) -> str:
        """Run the tests in a child with these limits in seconds; return ``survived``, ``killed`` or ``timeout``.

        CPU time tells an endless loop from a busy machine; the wall clock catches what waits.
        """
        context = multiprocessing.get_context("fork")
        child = context.Process(target=self._test, args=(tests, processor))
        child.start()
        child.join(wall)
        if child.exitcode is None and child.pid is not None:
            os.killpg(child.pid, signal.SIGKILL)  # with the processes its tests started
            child.join()
            return "timeout"
        return {0: "survived", -signal.SIGXCPU: "timeout"}.get(child.exitcode, "killed")

    def _test(self, tests: Sequence[str], processor: int) -> None:
        import pytest

        os.setpgrp()
        resource.setrlimit(resource.RLIMIT_CPU, (processor, processor + 5))
        os.chdir(self.folder)
        sys.path.insert(0, str(self.folder))
        os.environ["PYTHONPATH"] = str(self.folder)  # for the children of tests
        output = os.open("output", os.O_RDWR | os.O_CREAT | os.O_TRUNC)
        for stream in (0, 1, 2):
            os.dup2(output, stream)
        import intermem

        assert Path(intermem.__file__).is_relative_to(self.folder)
        options = ["-x", "-q", "-p", "no:cacheprovider", "--hypothesis-profile=mutants", f"-W{_IMPORTED}"]
        os._exit(pytest.main([*options, *tests]))


def preload() -> None:
    """Import what every child needs, but nothing that is mutated."""
    for name in PRELOADED:
        importlib.import_module(name)
    from hypothesis import Phase, settings

    phases = (Phase.explicit, Phase.generate)  # no need to shrink a failure
    settings.register_profile("mutants", derandomize=True, database=None, deadline=None, phases=phases)


def report(wanted: Sequence[str], sample: int, seed: int) -> int:
    """Run the mutants of ``wanted``, print survivors and a table; return 1 if one survives."""
    counts: dict[str, Counter[str]] = {}
    with tempfile.TemporaryDirectory(prefix="intermem-mutants-") as folder:
        place = Copy(Path(folder).resolve())
        for name in wanted:
            module, _, line = name.partition(":")
            mutants = mutants_of((ROOT / "intermem" / module).read_text("utf-8"))
            mutants = [one for one in mutants if not line or one.line == int(line)]
            if sample and len(mutants) > sample:
                mutants = sorted(random.Random(f"{seed} {module}").sample(mutants, sample), key=lambda one: one.line)
            counts[name] = counted(place, module, mutants)
            print(f"{name}: {dict(counts[name])}", flush=True)
    return _table(counts)


def counted(place: Copy, module: str, mutants: Sequence[Mutant]) -> Counter[str]:
    """Run the mutants of one module; return the number of each outcome."""
    known = {line.split("  # ")[0] for line in EQUIVALENT.read_text("utf-8").splitlines()}
    began, spent = time.monotonic(), _spent()
    if place.verdict(TESTS[module], 3600, 3600) != "survived":
        sys.exit((place.folder / "output").read_text("utf-8") + f"\n{module}: its tests fail without a mutant")
    processor, wall = int(5 + 3 * (_spent() - spent)), 20 + 5 * (time.monotonic() - began)
    counts: Counter[str] = Counter()
    for mutant in mutants:
        if f"{module} {mutant.words}" in known:
            counts["equivalent"] += 1
            continue
        place.write(module, mutant.source)
        found = place.verdict(TESTS[module], processor, wall)
        counts[found] += 1
        if found != "killed":
            print(f"{found} {module}:{mutant.line} {mutant.words}", flush=True)
    place.write(module, (ROOT / "intermem" / module).read_text("utf-8"))
    return counts


def _spent() -> float:
    """Return the CPU seconds that children have used."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _table(counts: dict[str, Counter[str]]) -> int:
    print(f"{'module':22} mutants  killed  timeouts  equivalent  survived  score")
    for module, count in counts.items():
        noticed, counted = count["killed"] + count["timeout"], count.total() - count["equivalent"]
        score = f"{100 * noticed / counted:5.1f} %" if counted else "    -"
        figures = f"{count.total():7}  {count['killed']:6}  {count['timeout']:8}  {count['equivalent']:10}"
        print(f"{module:22} {figures}  {count['survived']:8}  {score}")
    return 1 if any(count["survived"] for count in counts.values()) else 0


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("module", nargs="*", default=list(GROUPS))
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    wanted = [module for name in given.module for module in GROUPS.get(name, [name])]
    for name in wanted:
        if name.partition(":")[0] not in TESTS:
            parser.error(f"no such module: {name}; known: {', '.join([*GROUPS, *TESTS])}")
    preload()
    return report(wanted, given.sample, given.seed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
