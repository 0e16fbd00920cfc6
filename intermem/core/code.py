"""Where names stand in code: whole words in the text of tracked files, and what each line does with them.

No language is parsed but Python, whose definitions ``ast`` knows better than a line shows. Of the
others a line tells enough: a definition, an import, a use, or a comment that only speaks of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from intermem.entities import Place, Shape

LARGEST_SEARCHED = 4 * 1024 * 1024  # bytes; a larger file is data or generated
_MOST_PLACES = 40  # of one name in the whole tree that are kept
_MOST_IN_FILE = 40  # occurrences of one name in one file that are looked at
_LONGEST_LINE = 2000  # characters; a longer one is generated, and shows no shape

# Every byte that cannot be part of a name becomes a space; all bytes of UTF-8 sequences can.
_TABLE = bytes(byte if chr(byte).isalnum() or byte == 0x5F or byte >= 0x80 else 0x20 for byte in range(256))

_PROSE = frozenset("md mdx mdc markdown mkd rst adoc txt log csv tsv svg lock sum map snap pdf ipynb po pot".split())  # noqa: SIM905
_LOCKS = frozenset(
    """
    package-lock.json npm-shrinkwrap.json pnpm-lock.yaml packages.lock.json gopkg.lock flake.lock podfile.lock
    deno.lock bun.lockb project.assets.json license licence copying changelog readme
    """.split()  # noqa: SIM905 - a list reads worse
)
_WORDY_TEXT = frozenset({"requirements.txt", "cmakelists.txt"})  # text by its ending, code by its use
_OPAQUE = frozenset(
    """
    png jpg jpeg gif webp ico icns bmp tif tiff woff woff2 ttf otf eot mp3 mp4 wav ogg webm mov avi zip gz tgz
    bz2 xz 7z jar war class dll exe so dylib a o obj lib pyc whl db sqlite sqlite3 bin dat wasm gds npy npz mat
    parquet
    """.split()  # noqa: SIM905 - a list reads worse
)


def is_code(path: str) -> bool:
    """True where the text of ``path`` shows what a repository defines: neither prose, lock file nor binary."""
    name = path.rpartition("/")[2].lower()
    stem, dot, extension = name.rpartition(".")
    if name in _WORDY_TEXT:
        return True
    if name in _LOCKS or extension in _OPAQUE:
        return False
    if name.endswith((".min.js", ".min.css")):
        return False
    return not (dot and stem and extension in _PROSE)


_DATA = frozenset(
    """
    json json5 jsonc jsonl yaml yml toml ini cfg conf xml html htm css scss less env properties plist
    """.split()  # noqa: SIM905 - a list reads worse
)
_MANIFESTS = re.compile(
    r"(?:^|/)(?:package\.json|pyproject\.toml|setup\.(?:py|cfg)|requirements[\w.-]*\.(?:txt|in)|pipfile|environment\.ya?ml"
    r"|cargo\.toml|go\.(?:mod|work)|gnumakefile|makefile|[\w.-]+\.mk|\.?justfile|taskfile\.ya?ml|rakefile|gemfile"
    r"|[\w.-]+\.gemspec|composer\.json|pubspec\.yaml|[\w.-]+\.(?:cs|fs|vb)proj|directory\.\w+\.props|packages\.config"
    r"|[\w.-]+\.gradle(?:\.kts)?|libs\.versions\.toml|pom\.xml|mix\.exs|rebar\.config|deno\.jsonc?|package\.swift"
    r"|build\.zig(?:\.zon)?|project\.toml|cmakelists\.txt|[\w.-]+\.cabal|stack\.yaml|dune-project|[\w.-]+\.podspec|podfile"
    r"|tox\.ini|noxfile\.py|tasks\.py|turbo\.json|lerna\.json|pnpm-workspace\.yaml)$",
    re.IGNORECASE,
)


def is_manifest(path: str) -> bool:
    """True where ``path`` is a file that names dependencies, scripts or targets."""
    return _MANIFESTS.search(path) is not None


def is_text(content: bytes) -> bool:
    """True where ``content`` looks like text to git: no NUL near its start."""
    return b"\0" not in content[:8000]


def words_in(content: bytes) -> set[bytes]:
    """Return the words of ``content``: letters, digits, ``_`` and whatever is not ASCII."""
    return set(content.translate(_TABLE).split())


def words_of(name: str) -> list[bytes]:
    """Return the words that a text must have if ``name`` stands in it."""
    return name.encode("utf-8", "surrogateescape").translate(_TABLE).split()


class Search:
    """Finds many names in many texts, one pass over each."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = {name: words_of(name) for name in names}
        self._by_word: dict[bytes, list[str]] = {}
        for name, words in self._names.items():
            if words:
                self._by_word.setdefault(max(words, key=len), []).append(name)
        self._wanted = frozenset(self._by_word)

    def places(self, path: str, content: bytes) -> dict[str, Place]:
        """Return, for each name that stands in ``content``, where: at a definition, else its best line."""
        found = words_in(content) & self._wanted
        if not found or not is_text(content):
            return {}
        defined = _defined_in_python(content) if path.endswith((".py", ".pyi")) else None
        places: dict[str, Place] = {}
        for word in sorted(found):
            for name in self._by_word[word]:
                place = _best_place(name, path, content, defined)
                if place is not None:
                    places[name] = place
        return places

    def all_places(self, files: Iterable[tuple[str, bytes]]) -> dict[str, tuple[Place, ...]]:
        """Return the places of each name in ``files``, definitions first, then by path."""
        found: dict[str, list[Place]] = {}
        for path, content in files:
            for name, place in self.places(path, content).items():
                found.setdefault(name, []).append(place)
        return {name: tuple(sorted(places, key=_by_worth)[:_MOST_PLACES]) for name, places in found.items()}


def _by_worth(place: Place) -> tuple[int, bool, str]:
    return _WORTH[place.shape], is_test(place.path), place.path


_WORTH = {shape: worth for worth, shape in enumerate(Shape)}
_TEST = re.compile(r"(?:^|/)(?:tests?|specs?|__tests__|testdata|fixtures)(?:/|$)|(?:^|[/_.-])(?:test|spec)[_.-]", re.I)


def is_test(path: str) -> bool:
    """True where ``path`` is said to be one of tests."""
    return _TEST.search(path) is not None


def _best_place(name: str, path: str, content: bytes, defined: Mapping[str, tuple[int, Shape]] | None) -> Place | None:
    """The first definition of ``name``, else its first line of the best shape; None where no whole word is it."""
    if defined is not None and name in defined:
        line_number, shape = defined[name]
        return Place(path=path, line=line_number, shape=shape)
    best: tuple[int, int, Shape] | None = None
    for at, line in lines_with(name, content, strict=is_manifest(path)):
        shape = shape_of(line, name)
        if best is None or _WORTH[shape] < best[0]:
            best = (_WORTH[shape], at, shape)
        if shape is Shape.DEFINITION:
            break
    return None if best is None else Place(path=path, line=content.count(b"\n", 0, best[1]) + 1, shape=best[2])


def lines_with(name: str, content: bytes, *, strict: bool = False) -> list[tuple[int, str]]:
    """Return the lines of ``content`` in which ``name`` is a whole word: offset of the name, text of the line.

    ``strict``: a hyphen is part of a name, as it is in manifests (``hive`` is not ``hive-ce``).
    """
    wanted = name.encode("utf-8", "surrogateescape")
    found: list[tuple[int, str]] = []
    at = content.find(wanted)
    while at >= 0 and len(found) < _MOST_IN_FILE:
        stop = at + len(wanted)
        if (
            _is_edge(content, at - 1, wanted[:1])
            and _is_edge(content, stop, wanted[-1:])
            and not (strict and _is_part(content, at, stop))
        ):
            first = content.rfind(b"\n", 0, at) + 1
            last = content.find(b"\n", stop)
            last = len(content) if last < 0 else last
            line = content[max(first, at - _LONGEST_LINE) : min(last, stop + _LONGEST_LINE)]
            found.append((at, line.decode("utf-8", "replace")))
            stop = last
        at = content.find(wanted, stop)
    return found


def _is_edge(content: bytes, at: int, beside: bytes) -> bool:
    """True where no name goes on at ``at``; beside a sign (``@x``, ``--x``) anything may stand."""
    if not 0 <= at < len(content) or beside.translate(_TABLE) == b" ":
        return True
    return content[at : at + 1].translate(_TABLE) == b" "


def _is_part(content: bytes, at: int, stop: int) -> bool:
    """True where what stands there is only a part of a longer name with hyphens."""
    before, after = content[max(0, at - 2) : at], content[stop : stop + 2]
    return (before[1:] == b"-" and before[:1].isalnum()) or (after[:1] == b"-" and after[1:].isalnum())


_COMMENT = re.compile(r"^\s*(?://|/\*|\*|#(?!define|\[|include|import|if)|%|--|;|<!--|\"\"\"|''')")
_IMPORT = re.compile(
    r"^\s*(?:(?:import|from|using|use|require|include|open|extern\s+crate)\b|export\s.*\bfrom\b|#include\b|#import\b|@import\b"
    r"|(?:const|let|var)\s.*=\s*(?:await\s+)?(?:require|import)\s*\()|^\s*\"?[\w@./-]+\"?\s*:\s*\"[\^~>=<*\d]"
)
# A word that makes what follows it a definition, in one language or another.
_KEYWORD = (
    r"def|class|classdef|function|func|fn|fun|sub|interface|struct|enum|trait|type|typedef|module|mod|namespace"
    r"|package|object|record|protocol|extension|union|macro|let|var|const|val|static|final|readonly"
    r"|defmodule|defp?|defmacro|define|mixin|component|service|message|rpc|task|property|procedure|event|delegate"
    r"|table|view|index|trigger|actor|associatedtype|typealias|alias|data|newtype|instance|theorem|lemma|widget|get|set"
)
_NO_TYPE = re.compile(
    r"\b(?:return|new|await|throw|else|case|yield|in|not|and|or|assert|delete|goto|import|from|raise"
    r"|if|elif|while|until|unless|when|for|with|match|switch|print|echo|do|is|typeof|sizeof)\s*$"
)


@lru_cache(maxsize=4096)
def _patterns(name: str) -> tuple[tuple[Shape, re.Pattern[str]], ...]:
    word = rf"(?<![\w-]){re.escape(name)}(?![\w-])"
    keyword = re.compile(  # def name, pub const fn name, func (r *T) name(, function [a, b] = name(, create table name
        rf"(?:^|[\s(\[{{;,#@-])(?:(?:{_KEYWORD})\b|macro_rules!)[\s(]*"
        rf"(?:(?:if\s+not\s+exists|async|static|final|const|mut|inline|unsafe|pub|abstract|override)\s+)*"
        rf"(?:\([^()]*\)\s*|\[[^\[\]]*\]\s*=\s*|[\w.]+\s*=\s*|[\w.<>\[\],?*&:]+\s+){{0,3}}"
        rf"(?:[\w.]+[.:]{{1,2}})?[\"'`]?{word}",
        re.IGNORECASE,
    )
    # name(…) {, name() ->, name(…) when …; behind a type, the bracket may close the line: int name(…)
    function = re.compile(
        rf"^\s*(?:[*&]?{word}\s*(?:<[^<>]*>)?\s*\([^;]*(?:\{{|->|=>)\s*(?:when\b.*)?$"
        rf"|{word}\s*\([^;]*\)\s*(?:when\b[^;]*)?->"
        rf"|(?:[\w<>\[\],.*&?@:~]+\s+){{1,6}}(?:\w+::)?[*&]?{word}\s*(?:<[^<>]*>)?\s*\([^;]*"
        rf"(?:\{{|->|=>|:|\)|,)\s*(?:const|throws\b.*|when\b.*)?$)"
    )
    declared = re.compile(rf"^\s*-(?:module|define|record|type|spec|callback)\s*\(?\s*{word}")
    option = re.compile(rf"(?:add_argument|add_parser|add_command|command|subparser|option)\s*\(\s*[\"']{word}")
    field = re.compile(  # name = …, name: …, self.name = …, "name": …, type name;, name,
        rf"^\s*(?:[-+]\s+)?(?:[\w<>\[\],.*&?@|]+\s+){{0,5}}(?:this\.|self\.|@|\$|exports\.|module\.exports\.|\w+\.prototype\.)?"
        rf"(?:[\"']{word}[\"']\s*(?::(?!:)|=(?![=>~]))"
        rf"|{word}\s*(?:\??:(?!:)|=(?![=>~])|\{{|[;,]?\s*(?:(?://|%|\#|--).*)?$))"
    )
    return (
        (Shape.DEFINITION, keyword),
        (Shape.DEFINITION, function),
        (Shape.DEFINITION, declared),
        (Shape.DEFINITION, option),
        (Shape.FIELD, field),
    )


def is_data(path: str) -> bool:
    """True where ``path`` holds keys and values or styles: what it names, it does not define as code does."""
    return path.rpartition(".")[2].lower() in _DATA and not is_manifest(path)


def shape_of(line: str, name: str) -> Shape:
    """Return what ``line``, which has ``name`` in it, does with it."""
    if _COMMENT.match(line):
        return Shape.COMMENT
    if len(line) > _LONGEST_LINE:
        return Shape.USE
    if _IMPORT.match(line):
        return Shape.IMPORT
    for shape, pattern in _patterns(name):
        match = pattern.search(line)
        if match is not None and not _NO_TYPE.search(line[: line.find(name, match.start())].rstrip() + " "):
            return shape
    before = line[: line.find(name)]
    if any(mark in before for mark in ("//", " # ", " % ", "/*")):
        return Shape.COMMENT
    return Shape.USE


def best_shape(name: str, content: bytes) -> Shape | None:
    """Return the most telling shape of ``name`` in ``content``, None where it is no whole word there."""
    shapes = (shape_of(line, name) for _, line in lines_with(name, content))
    return min(shapes, key=lambda shape: _WORTH[shape], default=None)


def _defined_in_python(content: bytes) -> dict[str, tuple[int, Shape]] | None:
    """The names that a Python file defines, with line and shape; None where it is no Python of ours."""
    import ast
    import warnings

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(content)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    found: dict[str, tuple[int, Shape]] = {}
    for node in ast.walk(tree):
        for name, line, shape in _names_defined(node):
            known = found.get(name)
            if known is None or (_WORTH[shape], line) < (_WORTH[known[1]], known[0]):
                found[name] = (line, shape)
    return found


def _names_defined(node: object) -> Iterable[tuple[str, int, Shape]]:
    import ast

    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name, node.lineno, Shape.DEFINITION
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            if isinstance(target, ast.Name):
                yield target.id, target.lineno, Shape.FIELD
            elif isinstance(target, ast.Attribute):
                yield target.attr, target.lineno, Shape.FIELD
    elif isinstance(node, ast.arg):
        yield node.arg, node.lineno, Shape.FIELD


@lru_cache(maxsize=4096)
def _slotted(line: str, name: str) -> re.Pattern[str]:
    parts = re.split(rf"(?<![\w-]){re.escape(name)}(?![\w-])", line.strip())
    escaped = [re.escape(part) for part in parts]
    return re.compile(r"\s*" + escaped[0] + r"(?P<new>[\w.-]+)" + r"(?P=new)".join(escaped[1:]) + r"\s*")


def renamed(name: str, old: Sequence[str], new: Sequence[str]) -> str | None:
    """Return the name that stands for ``name`` in ``new``, the lines of a file (or of one beside it) after a commit.

    A line of ``new`` that is not in ``old`` is the same but for the name, and either the names
    resemble each other, or the line below is the same too. Or a name differs only in case and
    underscores. None where there is neither.
    """
    known = set(old)
    added = [(number, line) for number, line in enumerate(new) if line not in known]
    best: tuple[float, str] | None = None
    for number, line in _lines_to_rename(name, old):
        pattern = _slotted(line, name)
        for at, candidate in added:
            match = pattern.fullmatch(candidate)
            if match is None or match["new"] == name:
                continue
            alike = likeness(name, match["new"])
            follows = _below(old, number)
            same = len(follows) > _TELLING and _below(new, at).replace(match["new"], name) == follows
            if (same or alike >= _LEAST_LIKENESS) and (best is None or alike + same > best[0]):
                best = (alike + same, match["new"])
    if best is not None:
        return best[1]
    folded = name.replace("_", "").lower()
    words = (word for _, line in added for word in _IDENTIFIER.findall(line))
    return next((word for word in words if word != name and word.replace("_", "").lower() == folded), None)


def _lines_to_rename(name: str, old: Sequence[str]) -> list[tuple[int, str]]:
    """The lines that have ``name``, the most telling first; those that say little else are left out."""
    found = [
        (number, line)
        for number, line in enumerate(old)
        if name in line and len(name) + 4 <= len(line.strip()) and len(line) <= _LONGEST_LINE
    ]
    return sorted(found[:_MOST_IN_FILE], key=lambda one: _WORTH[shape_of(one[1], name)])


def _below(lines: Sequence[str], number: int) -> str:
    return lines[number + 1].strip() if number + 1 < len(lines) else ""


_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_TELLING = 8  # characters that the line below must have to tell anything
_LEAST_LIKENESS = 0.5  # of two names, below which one hardly renames the other


def likeness(one: str, other: str) -> float:
    """Return how alike two names are, 0.0 to 1.0, case, underscores and owners left aside."""
    from difflib import SequenceMatcher

    first, second = (name.rpartition(".")[2].replace("_", "").lower() for name in (one, other))
    return SequenceMatcher(None, first, second, autojunk=False).ratio()
