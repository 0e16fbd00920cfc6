"""Command citations: ``npm run build``, ``make test``, ``cargo run --bin x``, ``python -m pkg.mod``."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from intermem.core.citations.kinds import paths
from intermem.core.citations.kinds.command_lines import run_by
from intermem.core.citations.kinds.fates import follow
from intermem.core.citations.kinds.manifest_places import is_above
from intermem.core.citations.kinds.name_evidence import drift, found_at, is_short, trace_of, unverifiable
from intermem.core.citations.kinds.resolution import Setting, by_suffix, resolve
from intermem.core.citations.kinds.token import Token
from intermem.core.code.file_types import is_manifest
from intermem.entities import Citation, Evidence, Stance, Verdict, VerdictStatus
from intermem.facts import Facts, Occurrence, Questions, Shape, Trace, Tree
from intermem.lazy_dataclass import dataclass
from intermem.patterns import regex

_MAX_LENGTH = 300  # characters of a command line
_SETS = (Shape.DEFINITION, Shape.FIELD)
_REMARK = regex(r"\s+#\s.*$")
_SCRIPT = regex(r"(\./(?!gradlew\b)[\w./-]+)\s")


@dataclass(frozen=True, slots=True)
class Runner:
    """A program that runs what a manifest defines: ``files`` are the names of its manifests.

    ``defined``: a mere mention in a manifest is not enough. ``closed``: what no manifest defines cannot
    run, so it is *broken*.
    """

    files: str
    defined: bool = False
    closed: bool = False


_RUNNERS = {
    "npm-run": Runner(r"package\.json", defined=True, closed=True),
    "npm": Runner(r"package\.json"),
    "make": Runner(r"(?:GNU)?[Mm]akefile|.*\.mk"),
    "just": Runner(r"\.?[Jj]ustfile|.*\.just"),
    "task": Runner(r"[Tt]askfile\.ya?ml", defined=True),
    "gradle": Runner(r".*\.gradle(?:\.kts)?"),
    "cargo": Runner(r"Cargo\.toml|config\.toml"),
    "composer": Runner(r"composer\.json"),
    "rake": Runner(r"Rakefile|.*\.rake"),
    "zig": Runner(r"build\.zig"),
    "tox": Runner(r"pyproject\.toml|setup\.(?:py|cfg)|tox\.ini|noxfile\.py"),
}
_OWN = Runner(
    r"pyproject\.toml|setup\.(?:py|cfg)|package\.json|Cargo\.toml|go\.mod|.*\.gemspec|composer\.json|Makefile"
)


def read(token: Token) -> Citation | None:
    """Return the command citation in ``token``, or None if it runs nothing of the repository."""
    if token.form not in ("span", "line") or not token.is_spaced or len(token.text) > _MAX_LENGTH:
        return None
    name = run_by(token.text)
    if name is None:
        return None
    return Citation(kind="command", text=_REMARK.sub("", token.text), name=name, weak=token.form != "span")


def _as_path(citation: Citation) -> Citation:
    return replace(citation, kind="path", name=citation.name.removeprefix("file "))


def questions(citation: Citation, setting: Setting, tree: Tree) -> Questions:
    """Return the facts needed to judge ``citation``: where the name of what it runs occurs."""
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
    """Return the names to search for in history: a target that nothing defines now."""
    program, _, what = citation.name.partition(" ")
    if citation.stance is not Stance.PLAIN or program not in _RUNNERS or _defined(program, what, facts) is not None:
        return frozenset()
    return frozenset({trace_of(what, citation)}) if not facts.places.get(what) else frozenset()


def judge(citation: Citation, setting: Setting, facts: Facts) -> Verdict:
    """Return the verdict on a command: valid if the repository defines what it runs."""
    program, _, what = citation.name.partition(" ")
    if program == "file":
        return paths.judge(_as_path(citation), setting, facts)
    if program == "python":
        return _module(what, facts)
    if program == "own":
        return _own(what.split(), setting, facts)
    place = _defined(program, what, facts)
    if place is not None:
        return found_at(place, (), setting)
    if program in ("make", "just", "task") and what in facts.tree.paths:
        return Verdict(status=VerdictStatus.VALID, target=what)
    if program == "cargo":
        found = facts.tree.by_name.get(f"{what}.rs") or facts.tree.dirs_by_name.get(what)
        if found:
            return Verdict(status=VerdictStatus.VALID, target=found[0])
    traced = facts.traced.get(trace_of(what, citation))
    runner = _RUNNERS[program]
    manifests = _manifests_of(runner, facts.tree.paths)
    gone = None
    if traced is not None and manifests:
        own = tuple(one for one in traced.removals if _is_manifest_of(runner, one.path))
        ours = own or tuple(one for one in traced.removals if is_manifest(one.path))
        # What a manifest had that speaks for the document is what it ran; elsewhere a word on a line may be any.
        is_weak = citation.weak
        ran = tuple(one for one in own if is_weak and one.shape in _SETS and is_above(one.path, setting, facts))
        gone = drift(what, replace(traced, removals=ran or ours), setting, weak=is_weak and not ran)
        if gone is not None and not (gone.evidence is Evidence.REWRITTEN and is_short(what)):
            return gone
    root = any("/" not in path.removeprefix(facts.tree.prefix) for path in manifests)
    if runner.closed and root and not citation.weak and facts.tree.is_git:
        nearest = _nearest(manifests, setting)
        return Verdict(status=VerdictStatus.BROKEN, reason=f"{nearest} defines no {what}", evidence=Evidence.UNLISTED)
    script = _SCRIPT.match(citation.text) if gone is None and not manifests else None
    beside = resolve(script[1], setting, facts.tree) if script is not None else None
    if beside is not None and beside.exact and beside.candidates[0] in facts.tree.paths:  # ./task is no runner here
        return Verdict(status=VerdictStatus.VALID, target=beside.candidates[0])
    return gone or unverifiable(traced, "no manifest defines it")


@lru_cache(maxsize=64)
def _manifests_of(runner: Runner, paths: frozenset[str]) -> tuple[str, ...]:
    is_manifest_of = re.compile(runner.files).fullmatch
    return tuple(sorted(path for path in paths if is_manifest_of(path.rpartition("/")[2])))


def _nearest(manifests: Sequence[str], setting: Setting) -> str:
    """Return the manifest in the folder of the document or next above it, else the first."""
    above = [path for path in manifests if f"{setting.folder or ''}/".startswith(f"{posixpath.dirname(path)}/")]
    above += [path for path in manifests if "/" not in path]
    return max(above, key=lambda path: path.count("/"), default=manifests[0])


def _is_manifest_of(runner: Runner, path: str) -> bool:
    return re.fullmatch(runner.files, path.rpartition("/")[2]) is not None


def _defined(program: str, what: str, facts: Facts) -> Occurrence | None:
    """Return where a manifest of ``program`` defines ``what``; a mere mention is enough for a build tool."""
    runner = _RUNNERS[program]
    places = [place for place in facts.places.get(what, ()) if _is_manifest_of(runner, place.path)]
    defined = [place for place in places if place.shape in (Shape.DEFINITION, Shape.FIELD)]
    return next(iter(defined or ([] if runner.defined else places)), None)


def _module(module: str, facts: Facts) -> Verdict:
    """Return the verdict on ``python -m module``: valid for a module, or a package that can be run."""
    path = module.replace(".", "/")
    for tail in (f"{path}.py", f"{path}/__main__.py", f"{path}/__init__.py"):
        found = by_suffix(tail, facts.tree.by_name)
        if found:
            return Verdict(status=VerdictStatus.VALID, target=found[0])
    for tail in (f"{path}.py", f"{path}/__main__.py"):
        for place in (facts.tree.prefix + tail, f"{facts.tree.prefix}src/{tail}", tail):
            if place not in facts.history.events:
                continue
            moved = follow(place, facts.tree, facts.history)
            if moved is not None:
                return moved
            event = facts.history.events[place]
            return Verdict(
                status=VerdictStatus.BROKEN,
                reason=f"{place} was deleted",
                commit=event.commit,
                date=event.date,
                evidence=Evidence.DELETED,
            )
    return unverifiable(None, "not a module of this repository")


def _own(words: Sequence[str], setting: Setting, facts: Facts) -> Verdict:
    """Return the verdict on the repository's own program: valid if it exists and code has the subcommand."""
    for program, rest in ((words[0], words[1:]), ("-".join(words[:2]), words[2:])):
        owner = next(
            (place for place in facts.places.get(program, ()) if _is_manifest_of(_OWN, place.path)),
            None,
        )
        if owner is None or not _is_program(program, owner, facts) or not rest:
            continue
        places = [one for one in facts.places.get(rest[0], ()) if one.shape is not Shape.COMMENT]
        if places:
            return found_at(places[0], places, setting)
    return unverifiable(None, "not a program of this repository")


def _is_program(program: str, owner: Occurrence, facts: Facts) -> bool:
    if owner.shape in (Shape.DEFINITION, Shape.FIELD):
        return True
    return program in facts.tree.dirs_by_name or program in facts.tree.by_stem or owner.path.endswith("go.mod")
