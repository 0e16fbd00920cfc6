"""Command citations: ``npm run build``, ``make test``, ``cargo run --bin x``, ``python -m pkg.mod``."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from intermem.core.code import is_manifest
from intermem.core.kinds import paths
from intermem.core.kinds.extensions import EXTENSIONS
from intermem.core.kinds.naming import COMMON, at, drift, trace_of, unverifiable
from intermem.core.kinds.resolving import Setting, by_suffix
from intermem.core.kinds.token import Token
from intermem.entities import Citation, Facts, Place, Questions, Shape, Stance, Trace, Tree, Verdict, VerdictStatus


@dataclass(frozen=True, slots=True)
class Runner:
    """A program that runs what a manifest defines: ``files`` are the names of its manifests.

    ``strict``: what no manifest defines cannot run, so its absence is *broken*.
    """

    files: str
    strict: bool = False


_SCRIPTS = Runner(r"package\.json")
_STRICT_SCRIPTS = Runner(r"package\.json", strict=True)
_MAKE = Runner(r"(?:GNU)?[Mm]akefile|.*\.mk", strict=True)
_JUST = Runner(r"\.?[Jj]ustfile|.*\.just", strict=True)
_TASK = Runner(r"[Tt]askfile\.ya?ml", strict=True)
_GRADLE = Runner(r".*\.gradle(?:\.kts)?")
_CARGO = Runner(r"Cargo\.toml|config\.toml")
_COMPOSER = Runner(r"composer\.json")
_PYPROJECT = Runner(r"pyproject\.toml|setup\.(?:py|cfg)|tox\.ini|noxfile\.py|tasks\.py")
_OWN = Runner(
    r"pyproject\.toml|setup\.(?:py|cfg)|package\.json|Cargo\.toml|go\.mod|.*\.gemspec|composer\.json|Makefile"
)

_NPM_OWN = frozenset(
    """
    install ci add remove i update publish init link pack audit exec create login version view why
    """.split()  # noqa: SIM905 - a list reads worse
)
_ARGUMENT = re.compile(
    r"[a-z][\w-]*|-{1,2}[\w=.-]+|<[^<>]*>|\[[^\[\]]*\]|\.{3}|\d+|[A-Z_]+"
)  # of a program of one's own
_WORD = re.compile(r"[A-Za-z][\w:.-]*")
_MODULE = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]*=.*")
_PROMPT = re.compile(r"^\s*(?:\$|>|%)\s+")
_BEFORE = frozenset("sudo time env nohup exec command".split())  # noqa: SIM905
_WRAPPERS = (("uv", "run"), ("poetry", "run"), ("pipenv", "run"), ("pdm", "run"), ("hatch", "run"), ("rye", "run"))
_CARGO_TARGETS = frozenset({"--bin", "--example", "--test", "--bench", "-p", "--package", "--features"})


def read(token: Token) -> Citation | None:
    """Return the command citation that ``token`` is, None where nothing of the repository is run.

    ``name`` is the program and what it runs: ``npm test:ci``, ``make all``, ``python -m pkg.mod``.
    """
    if token.form not in ("span", "line") or not token.is_spaced or len(token.text) > 300:
        return None
    for part in re.split(r"\s*(?:&&|\|\||;|\|)\s*", _PROMPT.sub("", token.text)):
        name = _name(_arguments(part))
        if name is not None:
            text = token.text if token.form == "span" else part.strip()
            return Citation(kind="command", text=text, name=name, stance=token.stance, weak=token.form != "span")
    return None


def _arguments(part: str) -> list[str]:
    try:
        words = shlex.split(part, comments=True)
    except ValueError:
        words = part.split()
    while words and (words[0] in _BEFORE or _VARIABLE.fullmatch(words[0])):
        words = words[1:]
    for wrapper in _WRAPPERS:
        if tuple(words[:2]) == wrapper:
            words = _without_options(words[2:])
    return words


def _without_options(words: Sequence[str]) -> list[str]:
    rest = list(words)
    while rest and rest[0].startswith("-") and rest[0] != "-m":
        rest = (
            rest[2:]
            if rest[0]
            in (
                "-C",
                "--prefix",
                "--dir",
                "--filter",
                "-F",
                "-w",
                "--workspace",
                "-f",
                "--with",
                "--project",
                "--extra",
                "--group",
            )
            and "=" not in rest[0]
            else rest[1:]
        )
    return rest


def _name(words: Sequence[str]) -> str | None:
    """What a command line runs of the repository, None where that cannot be told."""
    if len(words) < 2:
        return None
    program, rest = words[0].rpartition("/")[2], _without_options(words[1:])
    if not rest:
        return None
    first = rest[0]
    if program in ("npm", "pnpm", "yarn", "bun"):
        if first in ("run", "run-script") and len(rest) > 1:
            after = _without_options(rest[1:])
            return f"npm-run {after[0]}" if after and _WORD.fullmatch(after[0]) else None
        if first in ("test", "t", "start", "stop"):
            return "npm-run " + {"t": "test"}.get(first, first)
        known = first in _NPM_OWN or program in ("npm", "bun")
        return None if known or not _WORD.fullmatch(first) else f"npm {first}"
    if program in ("make", "gmake"):
        targets = [word for word in rest if "=" not in word and not word.startswith("-")]
        return f"make {targets[0]}" if targets and re.fullmatch(r"[\w./-]+", targets[0]) else None
    if program in ("just", "task", "composer", "rake") and _WORD.fullmatch(first):
        if program == "composer" and first in ("install", "require", "update", "dump-autoload", "remove", "show"):
            return None
        return f"{program} {first}"
    if program in ("gradlew", "gradle", "gradlew.bat"):
        task = first.rpartition(":")[2]
        return f"gradle {task}" if _WORD.fullmatch(task) else None
    if program == "cargo":
        pairs = pairwise(words[1:])
        target = next((value for option, value in pairs if option in _CARGO_TARGETS), None)
        return f"cargo {target}" if target is not None and re.fullmatch(r"[\w-]+", target) else None
    if program.startswith("python") or program == "py":
        at_module = [n for n, word in enumerate(words) if word == "-m"]
        module = words[at_module[0] + 1] if at_module and at_module[0] + 1 < len(words) else ""
        return f"python -m {module}" if _MODULE.fullmatch(module) else None
    if program == "zig" and first == "build" and len(rest) > 1 and _WORD.fullmatch(rest[1]):
        return f"zig {rest[1]}"
    if program in ("tox", "nox") and len(words) > 2 and words[1] in ("-e", "-s"):
        return f"{program} {words[2]}"
    script = _script(program, rest)
    if script is not None:
        return f"file {script}"
    if any("/" in word or word.rpartition(".")[2].lower() in EXTENSIONS for word in words[1:]):
        return None  # what it runs is a file, which is cited by itself
    if program in COMMON or not all(_ARGUMENT.fullmatch(word) for word in words[1:]):
        return None
    if all(re.fullmatch(r"[a-z][a-z0-9-]*", word) for word in (program, first)):
        second = rest[1] if len(rest) > 1 and re.fullmatch(r"[a-z][a-z0-9-]*", rest[1]) else ""
        return f"own {program} {first} {second}".strip()
    return None


def _script(program: str, rest: Sequence[str]) -> str | None:
    """The file of the repository that an interpreter is told to run."""
    if program not in _INTERPRETERS and not program.startswith("python"):
        return None
    first = rest[0].removeprefix("./")
    ending = first.rpartition(".")[2].lower()
    return first if "/" in first and ending in EXTENSIONS and re.fullmatch(r"[\w./-]+", first) else None


_INTERPRETERS = frozenset({"bash", "sh", "zsh", "node", "ruby", "perl", "php", "deno", "tsx", "pwsh"})
_RUNNERS = {
    "npm-run": _STRICT_SCRIPTS,
    "npm": _SCRIPTS,
    "make": _MAKE,
    "just": _JUST,
    "task": _TASK,
    "gradle": _GRADLE,
    "cargo": _CARGO,
    "composer": _COMPOSER,
    "rake": Runner(r"Rakefile|.*\.rake"),
    "zig": Runner(r"build\.zig"),
    "tox": _PYPROJECT,
    "nox": _PYPROJECT,
}


def _as_path(citation: Citation) -> Citation:
    return replace(citation, kind="path", name=citation.name.removeprefix("file "))


def questions(citation: Citation, setting: Setting, tree: Tree) -> Questions:
    """Return what must be known to judge ``citation``: where what it runs is named."""
    program, _, what = citation.name.partition(" ")
    if program == "file":
        return paths.questions(_as_path(citation), setting, tree)
    if program == "python":
        return Questions(history=True)
    if program == "own":
        words = what.split()
        return Questions(names=frozenset({*words, "-".join(words[:2])}))
    return Questions(names=frozenset({what}))


def traces(citation: Citation, setting: Setting, facts: Facts) -> frozenset[Trace]:
    """Return what history must be asked: what became of a target that nothing defines now."""
    program, _, what = citation.name.partition(" ")
    if citation.stance is not Stance.PLAIN or program not in _RUNNERS or _defined(program, what, facts) is not None:
        return frozenset()
    return frozenset({trace_of(what, citation)}) if not facts.places.get(what) else frozenset()


def judge(citation: Citation, setting: Setting, facts: Facts) -> Verdict:
    """Return the verdict on a command: valid where the repository defines what it runs."""
    program, _, what = citation.name.partition(" ")
    if program == "file":
        return paths.judge(_as_path(citation), setting, facts)
    if program == "python":
        return _module(what.removeprefix("-m "), setting, facts)
    if program == "own":
        return _own(what.split(), facts)
    place = _defined(program, what, facts)
    if place is not None:
        return Verdict(status=VerdictStatus.VALID, target=at(place))
    if program in ("make", "just", "task") and what in facts.tree.paths:
        return Verdict(status=VerdictStatus.VALID, target=what)
    if program == "cargo":
        found = facts.tree.by_name.get(f"{what}.rs") or facts.tree.dirs_by_name.get(what)
        if found:
            return Verdict(status=VerdictStatus.VALID, target=found[0])
    traced = facts.traced.get(trace_of(what, citation))
    runner = _RUNNERS[program]
    manifests = [path for path in sorted(facts.tree.paths) if _is_manifest_of(runner, path)]
    gone = drift(what, traced, setting, weak=citation.weak)
    if gone is not None and manifests and is_manifest(gone.reason.rpartition(" ")[2]):
        return gone
    root = any("/" not in path.removeprefix(facts.tree.prefix) for path in manifests)
    if runner.strict and root and not citation.weak and facts.tree.is_git and program in ("npm-run", "just"):
        return Verdict(status=VerdictStatus.BROKEN, reason=f"{manifests[0]} defines no {what}")
    return unverifiable(traced, "nothing here defines it")


def _is_manifest_of(runner: Runner, path: str) -> bool:
    return re.fullmatch(runner.files, path.rpartition("/")[2]) is not None


def _defined(program: str, what: str, facts: Facts) -> Place | None:
    """The place where a manifest of ``program`` defines ``what``; a mere mention is enough for a build tool."""
    runner = _RUNNERS[program]
    places = [place for place in facts.places.get(what, ()) if _is_manifest_of(runner, place.path)]
    defined = [place for place in places if place.shape in (Shape.DEFINITION, Shape.FIELD)]
    return next(iter(defined or ([] if runner.strict and program != "make" else places)), None)


def _module(module: str, setting: Setting, facts: Facts) -> Verdict:
    """The verdict on ``python -m module``: a file of that name, or a package that can be run."""
    path = module.replace(".", "/")
    for tail in (f"{path}.py", f"{path}/__main__.py", f"{path}/__init__.py"):
        found = by_suffix(tail, facts.tree.by_name)
        if found:
            return Verdict(status=VerdictStatus.VALID, target=found[0])
    for tail in (f"{path}.py", f"{path}/__main__.py"):
        for place in by_suffix(tail, facts.history.by_name):
            moved = paths.follow(place, facts.tree, facts.history)
            if moved is not None:
                return moved
            event = facts.history.events[place]
            return Verdict(
                status=VerdictStatus.BROKEN, reason=f"{place} was deleted", commit=event.commit, date=event.date
            )
    return unverifiable(None, "not a module of this repository")


def _own(words: Sequence[str], facts: Facts) -> Verdict:
    """The verdict on a program of the repository's own: valid where it is one, and code has the subcommand."""
    for program, rest in ((words[0], words[1:]), ("-".join(words[:2]), words[2:])):
        owner = next(
            (place for place in facts.places.get(program, ()) if _is_manifest_of(_OWN, place.path)),
            None,
        )
        if owner is None or not _is_program(program, owner, facts) or not rest:
            continue
        place = next((one for one in facts.places.get(rest[0], ()) if one.shape is not Shape.COMMENT), None)
        if place is not None:
            return Verdict(status=VerdictStatus.VALID, target=at(place))
    return unverifiable(None, "not a program of this repository")


def _is_program(program: str, owner: Place, facts: Facts) -> bool:
    if owner.shape in (Shape.DEFINITION, Shape.FIELD):
        return True
    return program in facts.tree.dirs_by_name or program in facts.tree.by_stem or owner.path.endswith("go.mod")
