"""Names in code: what they look like, and what their places and their past prove.

Symbols, settings, packages and commands all come down to names that tracked code has, had, or
never had.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from intermem.core.citations.kinds.resolution import Setting
from intermem.core.code.file_types import is_manifest
from intermem.entities import Citation, Verdict, VerdictStatus
from intermem.facts import Occurrence, Shape, SymbolRemoval, Trace, Traced, Tree

_CAMEL = re.compile(
    r"[a-z]{2,}\d*(?=\w*[A-Z][a-z])(?:[A-Z][a-z0-9]*)+|(?:[A-Z][a-z0-9]{2,}){2,}[A-Z]{0,4}(?:[A-Z][a-z0-9]+)*"
)
_HUMP = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]")

# Words of languages and everyday types: in every tree, and about nothing in particular.
COMMON = frozenset(
    """
    true false null none nil undefined self this super void int str string bool boolean float double char byte long
    short object array list dict map set tuple any never unknown number const let var def fn func function class
    struct enum trait type interface import export from return async await yield if else for while do switch case
    break continue try catch except finally throw raise new delete public private protected static final abstract
    main test tests name value values key keys data item items id ids index count size length text title label path
    file files dir line lines error errors result results response request status state config options args kwargs
    params props event events message messages user users todo note notes x y z i j k n a b c e f g s t v
    get post put patch head ok err some and or not in is as with pass print echo cd ls cat rm cp mv git gh npm npx
    yarn pnpm bun node python python3 pip uv cargo rustc go make cmake gcc clang java javac mvn gradle docker curl
    wget ssh sudo bash sh zsh sed awk grep rg find kill ps tmux vim code jq tar zip unzip head tail sort uniq wc
    """.split()  # noqa: SIM905
)


def is_unmistakable(name: str) -> bool:
    """True for what no prose would say: ``camelCase``, ``PascalCase`` of two humps, ``snake_case``, ``UPPER_CASE``."""
    inner = name.strip("_")
    if len(inner) < 4:
        return False
    return "_" in inner or _HUMP.search(inner) is not None


def is_coined(name: str) -> bool:
    """True for an identifier that prose is not likely to mean otherwise: not ``GitHub``, ``ESLint``, ``DLLs``."""
    if "_" in name.strip("_"):
        return True
    return _CAMEL.fullmatch(name) is not None


def is_lowercase_word(name: str) -> bool:
    """True for a word that could as well be English: all small letters, nothing else."""
    return name.isalpha() and name.islower()


def is_upper(name: str) -> bool:
    """True for the name of a constant or of an environment variable."""
    return len(name) > 3 and name.upper() == name and any(char.isalpha() for char in name)


def best_place(places: Sequence[Occurrence], setting: Setting) -> Occurrence | None:
    """Return the place that an entry means: the best one near what it cites, else the best one."""
    live = [place for place in places if place.shape is not Shape.COMMENT]
    if not live:
        return None
    best = [place for place in live if place.shape is live[0].shape]
    for hint in setting.hints:
        near = [place for place in best if f"/{hint}/" in f"/{place.path}/"]
        if near:
            return near[0]
    return best[0]


def _is_composed(name: str) -> bool:
    """True for capitals in several words, ``KILN_API_KEY``: no signal, method, level or flag of a system."""
    return is_upper(name) and "_" in name and all(len(part) > 1 for part in name.strip("_").split("_"))


def at(place: Occurrence) -> str:
    """Return a place as a target."""
    return f"{place.path}:{place.line}"


def stems(name: str, tree: Tree, setting: Setting) -> str | None:
    """Return the code file or folder that is called ``name``: a module, where no line need define it."""
    found = [*tree.by_stem.get(name, ()), *tree.dirs_by_name.get(name, ())]
    for hint in setting.hints:
        near = [path for path in found if f"/{hint}/" in f"/{path}/"]
        if near:
            return near[0]
    return found[0] if found else None


def trace_of(name: str, citation: Citation) -> Trace:
    """Return the question to history of ``name``, of which ``citation`` speaks."""
    return Trace(name=name, since=citation.anchor)


def drift(name: str, traced: Traced | None, setting: Setting, *, weak: bool, plain: bool = False) -> Verdict | None:
    """Return *moved* or *broken* where history proves that ``name`` left the code, else None.

    A definition or an import that was taken out proves it; a mere use only of a name of several words in
    capitals (a constant, an environment variable): a call that was changed is no end of what it called.
    ``weak`` asks for a definition in any case, a ``plain`` word for a definition or an import.
    """
    if traced is None:
        return None
    telling = {Shape.DEFINITION} if weak else {Shape.DEFINITION, Shape.FIELD, Shape.IMPORT}
    grounds = {Shape.DEFINITION} if weak else {Shape.DEFINITION, Shape.IMPORT} if plain else set(telling)
    if not weak and _is_composed(name):
        telling |= {Shape.USE}
        grounds |= set() if plain else {Shape.USE}
    proofs = [
        one for one in traced.removals if one.shape in (grounds if one.target is not None else telling)
    ]  # newest first: the last commit that took it out decides
    for removal in _nearest_first((one for one in proofs if one.commit == proofs[0].commit), setting):
        if removal.target is not None:
            return Verdict(
                status=VerdictStatus.MOVED,
                target=removal.target,
                reason=f"now {removal.renamed_to}",
                commit=removal.commit,
                date=removal.date,
            )
        what = "its definition" if removal.shape in (Shape.DEFINITION, Shape.FIELD) else "its last use"
        return Verdict(
            status=VerdictStatus.BROKEN,
            reason=f"{what} was removed from {removal.path}",
            commit=removal.commit,
            date=removal.date,
        )
    return None


def is_silent(traced: Traced, name: str) -> bool:
    """True where nothing in ``traced`` can ever prove that ``name`` left, whatever the tree has later."""
    uses = all(one.shape is Shape.USE and one.renamed_to is None for one in traced.removals)
    return traced.whole and uses and not (traced.removals and _is_composed(name))


def _nearest_first(removals: Iterable[SymbolRemoval], setting: Setting) -> list[SymbolRemoval]:
    def distance(removal: SymbolRemoval) -> tuple[bool, int, int]:
        near = next((n for n, hint in enumerate(setting.hints) if f"/{hint}/" in f"/{removal.path}/"), 99)
        return (removal.target is None, list(Shape).index(removal.shape), near)

    return sorted(removals, key=distance)


def in_manifest(places: Iterable[Occurrence]) -> Occurrence | None:
    """Return the first place that is in a manifest: a file that names dependencies, scripts or targets."""
    return next((place for place in places if is_manifest(place.path)), None)


def unverifiable(traced: Traced | None, reason: str) -> Verdict:
    """Return the verdict where nothing is proved; ``reason`` stands unless history was cut off."""
    if traced is not None and not traced.whole:
        reason = "its history is incomplete"
    return Verdict(status=VerdictStatus.UNVERIFIABLE, reason=reason)
