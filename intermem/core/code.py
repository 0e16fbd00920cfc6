"""Where names stand in code: whole words in the text of tracked files, and what each line does with them.

No language is parsed but Python, whose definitions ``ast`` knows better than a line shows. Of the
others a line tells enough: a definition, an import, a use, or a comment that only speaks of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import islice

from intermem.entities import Place, Shape

LARGEST_SEARCHED = 4 * 1024 * 1024  # bytes; a larger file is data or generated
_MOST_PLACES = 24  # of one name in the whole tree that are kept
_MOST_IN_FILE = 40  # occurrences of one name in one file that are looked at
_LONGEST_LINE = 2000  # characters; a longer one is generated, and shows no shape

# Every byte that cannot be part of a name becomes a space; all bytes of UTF-8 sequences can.
_TABLE = bytes(byte if chr(byte).isalnum() or byte == 0x5F or byte >= 0x80 else 0x20 for byte in range(256))

_PROSE = frozenset(
    """
    md mdx mdc markdown mkd rst adoc txt log csv tsv svg lock sum map snap pdf ipynb po pot bak orig rej
    """.split()  # noqa: SIM905 - a list reads worse
)
_LOCKS = frozenset(
    """
    package-lock.json npm-shrinkwrap.json pnpm-lock.yaml packages.lock.json gopkg.lock flake.lock podfile.lock
    deno.lock bun.lockb project.assets.json license licence copying changelog readme
    """.split()  # noqa: SIM905 - a list reads worse
)
# Prose for agents and people, whatever it is called.
_RULES = frozenset({".cursorrules", ".windsurfrules", ".clinerules", ".memory", "memory", "agents", "todo"})
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
    if name in _LOCKS or extension in _OPAQUE or name in _RULES:
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
    """Finds many names in many texts, one pass over each.

    A word of small letters alone, which may be English as well, is looked for where it is defined
    or imported by a keyword; with ``()`` behind it, and any other name, wherever it stands.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._by_word: dict[bytes, list[str]] = {}
        self._thorough: set[str] = set()
        for name in sorted({name.removesuffix("()") for name in names}):
            words = words_of(name)
            if words:
                self._by_word.setdefault(max(words, key=len), []).append(name)
        self._thorough = {name.removesuffix("()") for name in names if not (name.isalpha() and name.islower())}
        self._wanted = frozenset(self._by_word)

    def places(self, path: str, content: bytes) -> dict[str, Place]:
        """Return, for each name that stands in ``content``, where: at a definition, else its best line."""
        found = words_in(content) & self._wanted
        if not found or not is_text(content):
            return {}
        strict = is_manifest(path)
        places: dict[str, Place] = {}
        plain: list[str] = []
        for name in (name for word in sorted(found) for name in self._by_word[word]):
            if not strict and name not in self._thorough:
                plain.append(name)
                continue
            place = _best_place(name, path, content, strict=strict)
            if place is not None:
                places[name] = place
        places |= _plain_places(plain, path, content)
        return _as_python_has_it(places, content) if path.endswith((".py", ".pyi")) else places

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


def _as_python_has_it(places: dict[str, Place], content: bytes) -> dict[str, Place]:
    """``places`` with definitions that may stand in a string checked by Python's own grammar."""
    doubtful = [name for name, place in places.items() if _may_be_quoted(place, content)]
    defined = _defined_in_python(content) if doubtful else None
    if defined is None:
        return places
    checked = dict(places)
    for name in doubtful:
        line, shape = defined.get(name, (places[name].line, Shape.USE))
        checked[name] = Place(path=places[name].path, line=line, shape=shape)
    return checked


def _may_be_quoted(place: Place, content: bytes) -> bool:
    """True for a definition behind an odd number of triple quotes."""
    if place.shape is not Shape.DEFINITION:
        return False
    above = b"\n".join(content.split(b"\n", place.line)[: place.line])
    return above.count(b'"""') % 2 == 1 or above.count(b"'''") % 2 == 1


_PLAIN_DEFINED = re.compile(
    rb"(?<!\w)(?:def|class|classdef|function|func|fn|fun|sub|struct|enum|interface|trait|const|let|var|val|type|mod|module)"
    rb"[ \t]+(?:\([^()\n]{0,80}\)[ \t]*|mut[ \t]+)?([a-z]+)(?![\w-])"
)
_PLAIN_IMPORTED = re.compile(
    rb"^[ \t]*(?:import|from|use|using|require|const|let|var|#include|extern)\b[^\n]{0,300}", re.MULTILINE
)


def _plain_places(names: Sequence[str], path: str, content: bytes) -> dict[str, Place]:
    """Where plain words are defined or imported by a keyword; else the first place of each, as a use."""
    wanted = {name.encode("ascii"): name for name in names if name.isascii()}
    if not wanted:
        return {}
    found = {match[1]: (match.start(1), Shape.DEFINITION) for match in _PLAIN_DEFINED.finditer(content)}
    for match in _PLAIN_IMPORTED.finditer(content):
        if _IMPORT.match(match[0].decode("utf-8", "replace")):
            for word in words_in(match[0]) & wanted.keys():
                found.setdefault(word, (match.start(), Shape.IMPORT))
    places: dict[str, Place] = {}
    for word, name in wanted.items():
        at, shape = found.get(word) or (next(_occurrences(word, content), content.find(word)), Shape.USE)
        places[name] = Place(path=path, line=content.count(b"\n", 0, at) + 1, shape=shape)
    return places


def _best_place(name: str, path: str, content: bytes, *, strict: bool) -> Place | None:
    """The first definition of ``name``, else its first line of the best shape; None where no whole word is it."""
    found = _best_line(name, content, strict=strict)
    return None if found is None else Place(path=path, line=content.count(b"\n", 0, found[0]) + 1, shape=found[1])


def _best_line(name: str, content: bytes, *, strict: bool = False) -> tuple[int, Shape] | None:
    best: tuple[int, int, Shape] | None = None
    looked_at = 0
    for at in _occurrences(name.encode("utf-8", "surrogateescape"), content, strict=strict):
        if best is not None and best[0] <= _WORTH[Shape.USE] and _is_plainly_used(content, at):
            continue
        shape = shape_of(_line_at(content, at), name)
        if best is None or _WORTH[shape] < best[0]:
            best = (_WORTH[shape], at, shape)
        looked_at += 1
        if shape is Shape.DEFINITION or looked_at == _MOST_IN_FILE:
            break
    return None if best is None else (best[1], best[2])


def _occurrences(wanted: bytes, content: bytes, *, strict: bool = False) -> Iterator[int]:
    """Yield the offsets at which ``wanted`` stands as a whole word, the first of each line."""
    at = content.find(wanted)
    while at >= 0:
        stop = at + len(wanted)
        if (
            _is_edge(content, at - 1, wanted[:1])
            and _is_edge(content, stop, wanted[-1:])
            and not (strict and _is_part(content, at, stop))
        ):
            yield at
            stop = content.find(b"\n", stop)
            if stop < 0:
                return
        at = content.find(wanted, stop)


def _is_plainly_used(content: bytes, at: int) -> bool:
    """True where the sign before a name shows that it is used and not defined: ``x.name``, ``[name``, ``!name``."""
    before = content[at - 1 : at]
    if before == b".":
        return not content[max(0, at - 10) : at - 1].endswith((b"this", b"self", b"exports", b"prototype"))
    return before in _USING


_USING = frozenset(bytes([sign]) for sign in b"([{=!+</>|~^%?&;")


def _line_at(content: bytes, at: int) -> str:
    first = content.rfind(b"\n", max(0, at - _LONGEST_LINE), at) + 1 or max(0, at - _LONGEST_LINE)
    last = content.find(b"\n", at, at + _LONGEST_LINE)
    return content[first : last if last >= 0 else at + _LONGEST_LINE].decode("utf-8", "replace")


def lines_with(name: str, content: bytes, *, strict: bool = False) -> list[tuple[int, str]]:
    """Return the lines of ``content`` in which ``name`` is a whole word: offset of the name, text of the line.

    ``strict``: a hyphen is part of a name, as it is in manifests (``hive`` is not ``hive-ce``).
    """
    offsets = islice(_occurrences(name.encode("utf-8", "surrogateescape"), content, strict=strict), _MOST_IN_FILE)
    return [(at, _line_at(content, at)) for at in offsets]


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
# A word that makes what follows it a definition, in one language or another; those that are English words as well
# do so only at the start of a line.
_KEYWORD = (
    r"def|class|classdef|function|func|fn|fun|sub|interface|struct|enum|trait|typedef|namespace|protocol|let|var|const"
    r"|val|defmodule|defp?|defmacro|#define|mixin|rpc|typealias|associatedtype|newtype|theorem|lemma|static|final"
    r"|readonly"
)
_KEYWORD_FIRST = (
    r"type|module|mod|package|object|record|extension|union|macro|component|service|message|task|property|procedure"
    r"|event|delegate|actor|alias|data|instance|widget|get|set|(?:create|alter)\s.*(?:table|view|index|trigger|function)"
    r"(?:\s+if\s+not\s+exists)?"
)
_MODIFIER = (
    r"export|default|public|private|protected|internal|pub(?:\([\w\s]*\))?|abstract|sealed|data|declare|async|partial"
    r"|open"
)
_NO_TYPE = re.compile(
    r"\b(?:return|new|await|throw|else|case|yield|in|not|and|or|assert|delete|goto|import|from|raise"
    r"|extends|implements|if|elif|while|until|unless|when|for|with|match|switch|print|echo|do|is|typeof|sizeof)\s*$"
)


@cache
def _patterns() -> tuple[tuple[Shape, re.Pattern[str] | None, re.Pattern[str]], ...]:
    """What makes a line a definition, with a sign in place of the name: compiled once, whatever the name.

    The second of each must be found before the name, or the third, which costs more, is not tried.
    """
    word = _SLOT
    # def name, pub const fn name, func (r *T) name(, function [a, b] = name(, create table name
    between = r"(?:\([^()]*\)\s*|[\w.<>\[\],?*&:]+\s+){0,3}(?:[\w.]+[.:]{1,2})?[\"'`]?"
    keyword = re.compile(
        rf"(?:^|[\s(\[{{;,@-])(?:(?:{_KEYWORD})\b|macro_rules!)[\s(]*"
        rf"(?:(?:async|static|final|const|mut|inline|unsafe|pub|abstract|override)\s+)*{between}{word}"
        rf"|(?:^|\s)function\s+(?:\[[^\[\]]*\]|[\w.]+)\s*=\s*(?:[\w.]+\.)?{word}"
    )
    first = re.compile(rf"^\s*(?:(?:{_MODIFIER})\s+)*(?:{_KEYWORD_FIRST})\s+{between}{word}", re.IGNORECASE)
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
        (Shape.DEFINITION, re.compile(rf"(?:{_KEYWORD}|macro_rules)"), keyword),
        (Shape.DEFINITION, re.compile(rf"^\s*(?:(?:{_MODIFIER})\s+)*(?:{_KEYWORD_FIRST})\b", re.IGNORECASE), first),
        (Shape.DEFINITION, None, function),
        (Shape.DEFINITION, re.compile(r"^\s*-"), declared),
        (Shape.DEFINITION, re.compile(r"add_|command|option|subparser"), option),
        (Shape.FIELD, None, field),
    )


_EXTERNAL = re.compile(
    r"\bextern\b|\bDllImport\b|^\s*declare\s+(?:module|global)\b"
)  # declared here, defined elsewhere
_SLOT = "\uf8ff"  # for private use: in no code


@lru_cache(maxsize=16_384)
def _whole(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")


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
    marked = _whole(name).sub(_SLOT, line)
    before, found, _ = marked.partition(_SLOT)
    if _EXTERNAL.search(before):
        return Shape.USE
    if found and not _NO_TYPE.search(before.rstrip()):
        for shape, sign, pattern in _patterns():
            if (sign is None or sign.search(before)) and pattern.search(marked):
                return shape
    if any(mark in before for mark in ("//", " # ", " % ", "/*")):
        return Shape.COMMENT
    return Shape.USE


def best_shape(name: str, content: bytes) -> Shape | None:
    """Return the most telling shape of ``name`` in ``content``, None where it is no whole word there."""
    found = _best_line(name, content)
    return None if found is None else found[1]


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
            alike = likeness(name, match["new"]) + ratio(name, match["new"]) / 100
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
    first, second = (name.rpartition(".")[2].replace("_", "").lower() for name in (one, other))
    return ratio(first, second)


def ratio(one: str, other: str) -> float:
    """Return how much two texts share, 0.0 to 1.0."""
    from difflib import SequenceMatcher

    return SequenceMatcher(None, one, other, autojunk=False).ratio()
