"""Names in code: what they look like, and what their occurrences and their history prove.

Symbols, settings, packages and commands are all names that tracked code has, had, or never had.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from intermem.core.citations.kinds.resolution import Setting
from intermem.core.code.file_types import (
    is_copy,
    is_manifest,
    is_migration,
    is_of_a_tool,
    is_showcase,
    is_template,
    is_test,
)
from intermem.core.code.rename_detection import stem_of
from intermem.core.code.words import humps_of
from intermem.entities import DEFINITION_REMOVED, MENTIONED, Citation, Evidence, Verdict, VerdictStatus
from intermem.facts import Occurrence, Shape, SymbolRemoval, Trace, Traced, Tree
from intermem.patterns import regex

_CAMEL = regex(
    r"[a-z]{2,}\d*(?=\w*[A-Z][a-z])(?:[A-Z][a-z0-9]*)+|(?:[A-Z][a-z0-9]{2,}){2,}[A-Z]{0,4}(?:[A-Z][a-z0-9]+)*"
)
_HUMP = regex(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]")

# Keywords and everyday names: in every tree, and specific to none.
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
    unsafe unwrap panic impl dyn mut pub mod crate override virtual inline extern volatile mutable readonly
    sealed partial namespace using include require unless until yield defer match where typedef typeof instanceof
    wget ssh sudo bash sh zsh sed awk grep rg find kill ps tmux vim code jq tar zip unzip head tail sort uniq wc
    """.split()  # noqa: SIM905
)


def is_unmistakable(name: str) -> bool:
    """Return whether prose would not use ``name``: ``camelCase``, ``PascalCase``, ``snake_case``, ``UPPER_CASE``."""
    inner = name.strip("_")
    if len(inner) < 4:
        return False
    return "_" in inner or _HUMP.search(inner) is not None


def is_coined(name: str) -> bool:
    """Return whether ``name`` is an identifier even in prose: not ``GitHub``, ``ESLint``, ``DLLs``.

    A private one is (``_parseAll``), but emphasis is not (``_parseAll_``).
    """
    if "_" in name.strip("_"):
        return True
    return _CAMEL.fullmatch(name.lstrip("_")) is not None


def is_lowercase_word(name: str) -> bool:
    """Return whether ``name`` could be an English word: lowercase letters only."""
    return name.isalpha() and name.islower()


def is_single_word(name: str) -> bool:
    """Return whether ``name`` is one word of letters, with or without a capital in front: ``restore``, ``Accept``."""
    return name.isalpha() and name[1:].islower()


def is_upper(name: str) -> bool:
    """Return whether ``name`` is that of a constant or an environment variable."""
    return len(name) > 3 and name.upper() == name and any(char.isalpha() for char in name)


def best_place(places: Sequence[Occurrence], setting: Setting) -> Occurrence | None:
    """Return the best place near what the entry cites, else the best place; None if there is none."""
    live = [place for place in places if place.shape is not Shape.COMMENT]
    if not live:
        return None
    best = [place for place in live if place.shape is live[0].shape]
    for hint in setting.hints:
        near = [place for place in best if f"/{hint}/" in f"/{place.path}/"]
        if near:
            return near[0]
    return best[0]


def is_in_cited_file(places: Iterable[Occurrence], setting: Setting) -> bool:
    """Return whether the text names a file that uses the name: it may define it in a way that is not recognised."""
    used = {place.path for place in places if place.shape is not Shape.COMMENT and not place.mention}
    return any("." in hint and f"/{path}".endswith(f"/{hint}") for hint in setting.hints for path in used)


def found_at(place: Occurrence, places: Sequence[Occurrence], setting: Setting) -> Verdict:
    """Return *valid* at ``place``, or at the best of ``places`` where code has the name if that is a mention only.

    The reason is ``MENTIONED`` if all are: such a verdict is no evidence.
    """
    if place.mention:
        better = best_place([one for one in places if not one.mention], setting)
        if better is None:
            return Verdict(status=VerdictStatus.VALID, target=at(place), reason=MENTIONED)
        place = better
    return Verdict(status=VerdictStatus.VALID, target=at(place))


_NAME = regex(r"[^\W\d][\w.:>/#-]*")
_SEVERAL = 2  # underscores: a name with so many is that of a field in prose as well


def _is_composed(name: str) -> bool:
    """Return whether ``name`` has several words in capitals, as ``KILN_API_KEY``; system names rarely have."""
    return is_upper(name) and "_" in name and all(len(part) > 1 for part in name.strip("_").split("_"))


_TELLING = 3  # words
_PAGES = (".html", ".htm")


def is_short(name: str) -> bool:
    """Return whether a name has fewer than three words, so that what others define may have it as well.

    Of the new names that were read for ``kiln_rack`` or ``KilnRack``, hardly half were right, of those for names of
    three words ten of twelve (docs/verdicts.md). What a name belongs to counts, what it is called with does not.
    """
    bare = _NAME.match(name)
    return sum(1 for word in humps_of(bare[0] if bare else name) if len(word) > 1) < _TELLING


def at(place: Occurrence) -> str:
    """Return a place as the target of a verdict."""
    return f"{place.path}:{place.line}"


def stems(name: str, tree: Tree, setting: Setting) -> str | None:
    """Return the code file or folder named ``name``: a module, which no line has to define."""
    found = [*tree.by_stem.get(name, ()), *tree.dirs_by_name.get(name, ())]
    for hint in setting.hints:
        near = [path for path in found if f"/{hint}/" in f"/{path}/"]
        if near:
            return near[0]
    return found[0] if found else None


def trace_of(name: str, citation: Citation) -> Trace:
    """Return the search in history for ``name``, which ``citation`` names."""
    return Trace(name=name, since=citation.anchor)


def drift(
    name: str, traced: Traced | None, setting: Setting, *, weak: bool, plain: bool = False, single: bool = False
) -> Verdict | None:
    """Return *moved* or *broken* if history proves that ``name`` left the code, else None.

    A removed definition or import proves it. A removed use proves it only for a name of several words in capitals (a
    constant, an environment variable), and not in what belongs to a tool: changing a call does not end what it called.
    A line that now has an everyday name, as ``items``, is another line. ``weak`` requires a definition (of a name of
    three words a field will do), a ``plain`` word a definition or an import. A ``single`` word may stand in any list,
    or alone on a line, and be no definition. What left with a tool's own folder is the tool's, what a template had is
    in what is made of it, what a migration made is in the database, and the keys of data in a test are anybody's, as is
    what a test defines for a name in prose or sample code, and a variable that only tests read, unless it is named for
    them: what they look for may be made of parts. What a page only tells of, nothing defined. A new name with a
    receiver in front (``api.racks``) is an expression.
    """
    if traced is None:
        return None
    weak = weak and not _is_composed(name)  # no word of prose
    own = {Shape.DEFINITION, Shape.FIELD} if name.strip("_").count("_") >= _SEVERAL else {Shape.DEFINITION}
    telling = own if weak else {Shape.DEFINITION, Shape.FIELD, Shape.IMPORT}
    grounds = own if weak else {Shape.DEFINITION, Shape.IMPORT} if plain else set(telling)
    if not weak and _is_composed(name):
        telling |= {Shape.USE, Shape.READ}
        grounds |= set() if plain else {Shape.USE, Shape.READ}
    proofs = [
        one
        for one in traced.removals
        if one.shape in (grounds if one.target is not None else telling)
        and not (is_of_a_tool(one.path) and (one.shape in _USES or not _is_beside(one.path, setting)))
        and not (is_copy(one.path) or is_template(one.path) or is_migration(one.path))
        and not (weak and (is_showcase(one.path) or is_test(one.path)))
        and not (one.shape is Shape.FIELD and is_test(one.path))
        and not (one.shape in _USES and is_test(one.path) and "TEST" not in name)
        and not (one.shape is Shape.USE and one.path.lower().endswith(_PAGES))
    ]  # newest first: the last commit that removed it decides
    latest = [one for one in proofs if one.commit == proofs[0].commit]
    if any(one.shape is Shape.DEFINITION and one.target is None and stem_of(one.path) == name for one in latest):
        # Its own file went, and became no other: what callers name in its place is another thing.
        latest = [replace(one, target=None, renamed_to=None) for one in latest]
    is_wide = len({one.path for one in latest}) > 1
    for removal in _nearest_first(latest, setting):
        renamed_to = removal.renamed_to or ""
        is_name = not _is_any(renamed_to, name, is_wide=is_wide) and ("." in name or "." not in renamed_to)
        if removal.target is not None and is_name:
            return Verdict(
                status=VerdictStatus.MOVED,
                target=removal.target,
                reason=f"now {removal.renamed_to}",
                evidence=Evidence.REWRITTEN,
                commit=removal.commit or None,
                date=removal.date or None,
            )
        is_defined = removal.shape in (Shape.DEFINITION, Shape.FIELD)
        is_word = (plain and removal.shape is not Shape.IMPORT) or (single and removal.shape is Shape.FIELD)
        is_listed = is_manifest(removal.path)
        what = (
            "it was removed from "
            if is_listed
            else DEFINITION_REMOVED
            if is_defined
            else "its last use was removed from "
        )
        return Verdict(
            status=VerdictStatus.BROKEN,
            reason=f"{what}{removal.path}",
            evidence=Evidence.WORD if is_word else _EVIDENCE[removal.shape],
            commit=removal.commit or None,
            date=removal.date or None,
        )
    return None


def as_told(gone: Verdict | None, places: Iterable[Occurrence]) -> Verdict | None:
    """Return the verdict on a name that left, as in doubt where code outside of tests still tells of it.

    ``places`` are those of the name, comments among them. Code that says in a comment what a function did before is
    there for whoever reads the document, which as often says the same (docs/verdicts.md).
    """
    if gone is None or gone.evidence not in (Evidence.DEFINITION, Evidence.READ, Evidence.USE):
        return gone
    told = [one for one in places if (one.mention or one.shape is Shape.COMMENT) and not is_test(one.path)]
    if not told:
        return gone
    is_written = any(one.mention and one.shape is not Shape.COMMENT for one in told)
    return replace(gone, evidence=Evidence.WRITTEN if is_written else Evidence.TOLD)


def _is_any(renamed_to: str, name: str, *, is_wide: bool) -> bool:
    """Return whether many lines have a new name: an everyday one, or a plain word for several, in several files."""
    is_plain = is_lowercase_word(renamed_to) and not is_lowercase_word(name)
    return renamed_to.lower() in COMMON or (is_plain and is_wide)


def left_manifests(name: str, traced: Traced | None, setting: Setting) -> Verdict | None:
    """Return *broken* or *moved* if a manifest named ``name`` once: in whatever words, that was a dependency."""
    if traced is None:
        return None
    lost = tuple(replace(one, shape=Shape.IMPORT) for one in traced.removals if is_manifest(one.path))
    gone = drift(name, replace(traced, removals=lost), setting, weak=False)
    if gone is None or gone.status is VerdictStatus.MOVED:
        return gone
    return replace(gone, reason=f"removed from {lost[0].path}")


_USES = frozenset({Shape.USE, Shape.READ})
_EVIDENCE = {
    Shape.DEFINITION: Evidence.DEFINITION,
    Shape.FIELD: Evidence.DEFINITION,
    Shape.IMPORT: Evidence.IMPORT,
    Shape.READ: Evidence.READ,
    Shape.USE: Evidence.USE,
}


def _is_beside(path: str, setting: Setting) -> bool:
    """Return whether ``path`` is below the same folder at the top as what cites."""
    return path.partition("/")[0] == (setting.folder or "").partition("/")[0]


def is_silent(traced: Traced, name: str) -> bool:
    """Return whether nothing in ``traced`` can ever prove that ``name`` left, whatever happens to the tree."""
    uses = all(one.shape in _USES and one.renamed_to is None for one in traced.removals)
    return traced.whole and uses and not (traced.removals and _is_composed(name))


def _nearest_first(removals: Iterable[SymbolRemoval], setting: Setting) -> list[SymbolRemoval]:
    def distance(removal: SymbolRemoval) -> tuple[bool, int, bool, int, int]:
        near = next((n for n, hint in enumerate(setting.hints) if f"/{hint}/" in f"/{removal.path}/"), 99)
        depth = removal.path.count("/") if is_manifest(removal.path) else 0  # of many the one at the top
        return (removal.target is None, list(Shape).index(removal.shape), is_test(removal.path), near, depth)

    return sorted(removals, key=distance)


def in_manifest(places: Iterable[Occurrence]) -> Occurrence | None:
    """Return the first place in a manifest: a file that lists dependencies, scripts or targets."""
    return next((place for place in places if is_manifest(place.path)), None)


NOT_IN_CODE = "not in the code"
UNDEFINED = "no code defines it"
_NOT_ANY_MORE = "not in the code any more, and nothing shows that it was defined here"


def absent(traced: Traced | None) -> Verdict:
    """Return the verdict on a name that is in no code, where what history has of it proves nothing."""
    return unverifiable(traced, _NOT_ANY_MORE if traced is not None and traced.removals else NOT_IN_CODE)


def unverifiable(traced: Traced | None, reason: str) -> Verdict:
    """Return the verdict if nothing is proved: ``reason``, unless history is incomplete."""
    if traced is not None and not traced.whole:
        reason = "its history is incomplete"
    return Verdict(status=VerdictStatus.UNVERIFIABLE, reason=reason)
