"""Extract citations from text. Pure text work that knows nothing about the repository."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from urllib.parse import unquote

from intermem.core.citations.drawn import said_of_lines
from intermem.core.citations.front_matter import is_front_matter, patterns_in
from intermem.core.citations.kinds import KINDS
from intermem.core.citations.kinds.extensions import EXTENSIONS
from intermem.core.citations.kinds.token import Token
from intermem.core.citations.leads import is_listed_outside, is_of_another_checkout
from intermem.core.citations.library_statements import is_of_a_stack, libraries_said
from intermem.core.citations.name_statements import names_said
from intermem.core.citations.port_statements import ports_said
from intermem.core.citations.remarks import (
    came_from,
    is_about_style,
    is_imported,
    is_in_archive,
    is_log_level,
    is_of_each,
    is_of_pattern,
    is_remarked,
    is_shown_as_wrong,
)
from intermem.core.citations.stance import Claims
from intermem.core.citations.statements import statements_of
from intermem.core.code.file_types import is_source, is_telling
from intermem.core.markdown.inline import code_spans, fence_spans, links, wiki_links
from intermem.entities import Citation, CitedAt, Stance
from intermem.patterns import regex

RULES_VERSION = 47  # of these rules; records parsed by an older version are parsed again

_URL = regex(r"\b[a-z][a-z0-9+.-]{1,20}://[^\s<>`\"')\]]{0,2000}", re.IGNORECASE)
_LETTERS = r"[^\s`\"'()\[\]{}<>|,;，、。；：（）「」『』“”‘’→⇒=&]"
# A part in brackets belongs to a word with a slash: app/[id]/page.tsx, app/(home)/page.tsx, docs/plan-[DONE].md
_GROUP = r"(?<=/)\([\w.-]{1,30}\)(?=/)"
_WORD = regex(rf"{_LETTERS}{{2,400}}(?:(?:(?<=[-_./])\[[\w.-]{{1,30}}\](?=[-_./])|{_GROUP}){_LETTERS}{{1,200}}){{0,4}}")
_CODE_LETTERS = r"[^\s\"'()<>|,;→⇒=&]"
_IN_CODE = regex(rf"{_CODE_LETTERS}{{2,400}}(?:{_GROUP}{_CODE_LETTERS}{{1,200}}){{0,4}}")
_DOTTED = regex(r"\.[a-z]{3,}")
_RANGE = regex(r"[0-9a-f]{7,40}\.{2,3}[0-9a-f]{7,40}")  # of commits
_KEY = regex(r"[0-9a-f]{7,40}")
_MEMBER = regex(r"((?:[\w.@-]{1,60}/){1,12}[\w.-]{1,80})::(?=[^\W\d])")  # src/kiln.py::Kiln
# A member that stands for any: test_example.py::test_function_name, ::TestClass::test_method
_ANY_MEMBER = regex(
    r"(?:Test(?:Class(?:Name)?|Name)|test_(?:function|func|method|case|name|something)(?:_name)?)(?!\w)"
)
_CALLED = regex(r"`+\s?[\w./:#-]{1,200}(?=\()")
_GIVES = regex(r"\s?(?::|->|=>|→)\s?\S")  # behind a call: what it gives back
_BRACKET = regex(r"[()]")
_LINE = regex(r"[^\n]{3,300}")
# In prose: a call, a name that is not a word (camelCase or with an underscore), an issue, a commit; but not a
# parameter of a route: /ovens/{ovenId}, /ovens/:ovenId.
_NAMED = regex(
    r"(?<![\w#/.&@-])(?<!/\{)(?<!/:)(?:"
    r"[^\W\d][\w.:]{1,80}\(\)"
    r"|(?=\w{0,40}(?:_|[a-z0-9][A-Z]|[A-Z]{2}[a-z]))[^\W\d]\w{2,80}(?:(?:\.|::)[^\W\d]\w{1,80}){0,4}"
    r"|(?:PR\s?)?#\d{1,6}"
    r"|(?=[a-f]{0,39}\d)(?=\d{0,39}[a-f])[0-9a-f]{7,40}"
    r")(?!\w|/(?:[\s),.;]|\d|$))"  # not a folder, nor a function with its arity, which are read as such
)
# What a command is given to choose from the output of another: `gh run view --jq '.jobs[] | {startedAt}'`.
_FILTER = regex(r"(?<=\s)'[^'`\n]{0,300}(?:\s\|\s|\.\[|\[\])[^'`\n]{0,300}'")
_IMPORT = regex(r"(?:^|(?<=\s))@((?:\./|\.\./|~/)?[\w./-]{2,200}\.[A-Za-z0-9]{1,8})(?=\s|$|[.,;)])", re.MULTILINE)
_QUOTING = regex(r"[^\n`~]{0,99}(?:`{3,}|~{3,})[ \t]*(?:markdown|md|mdx)\b", re.IGNORECASE)
_INFO = regex(r"[^\n`~]{0,99}(?:`{3,}|~{3,})[ \t]*\{?\.?(?P<language>[A-Za-z+#]+)")
_ENDINGS = {  # of source files, by the names of languages that are no endings
    "python": "py",
    "javascript": "js",
    "typescript": "ts",
    "golang": "go",
    "rust": "rs",
    "ruby": "rb",
    "kotlin": "kt",
    "csharp": "cs",
    "c#": "cs",
    "c++": "cpp",
    "elixir": "ex",
    "haskell": "hs",
    "gdscript": "gd",
    "julia": "jl",
}
# Names of functions with strokes between them: "fireKiln/coolKiln", `get_heat/set_heat`; capitals may be folders.
_ALTERNATIVES = regex(
    r"(?<![\w/.@&-])(?=\w{0,40}(?:[a-z0-9]_[a-z]|[a-z0-9][A-Z]))[a-z_]\w{2,80}"
    r"(?:/(?=\w{0,40}(?:[a-z0-9]_[a-z]|[a-z0-9][A-Z]))[a-z_]\w{2,80}){1,9}(?![\w/.-])"
)
_FOLDER = regex(r"(?<![\w`/.-])([A-Za-z_.][\w.-]{0,60}(?:/[\w.-]{1,60}){1,8})/?(?=[ \t]+(?:folder|directory)\b)")
_VERSION = regex(r"[ \t]v?\d+(?:\.\d+)+")  # behind the name of a library: DataStore 1.1.7
_EDGES = "*.:!?~·•"
# Letters of languages that are written without spaces, or with endings at a word of another script: "app.pyを".
_GLUE = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uff66-\uff9f"
_GLUED = regex(rf"[{_GLUE}]")
_PLAIN = regex(rf"[^{_GLUE}]+")
# An element of a page, of a component of several words: `<KilnRack heat={3} />`; `<Kiln>` may stand for any.
_ELEMENT = regex(
    r"<(?!(?:Your|My|Some|Any|Project|Feature|New)[A-Z])([A-Z][a-z0-9]+[A-Z][A-Za-z0-9]*)(?<!Name)(?<!Here)(?<!Type)(?<!Id)"
    r"(?:\s[^<>]*)?/?>"
)
_NAMES_FOLDER = regex(r"[A-Za-z][A-Za-z]")
_LINE_NUMBER = regex(r":\d[\d,-]*$")
_MAX_LENGTH = 400


@lru_cache(maxsize=8192)  # an item is parsed for itself and as context of the items below
def citations_of(text: str) -> tuple[Citation, ...]:
    """Return the citations in an entry's ``text``, in order, each (kind, text) once.

    If one is called an example or another thing in one place and plainly cited in another, the plain one wins. What is
    called gone in one place is spoken of as it was in the others: neither that it is there nor that it is not.
    """
    found: dict[tuple[str, str], Citation] = {}
    gone: set[tuple[str, str]] = set()
    for citation, _ in _read_all(text):
        key = (citation.kind, citation.text)
        known = found.get(key)
        gone |= {key} if citation.stance is Stance.GONE else set()
        if known is None or _strength(citation) > _strength(known):
            found[key] = citation
    return tuple(
        replace(one, stance=Stance.OTHERWISE) if one.stance is Stance.PLAIN and _is_among(one, gone) else one
        for one in found.values()
    )


def _is_among(one: Citation, gone: set[tuple[str, str]]) -> bool:
    """Return whether ``one`` is called gone elsewhere, be it by the name of its file alone, if that tells which one."""
    if (one.kind, one.text) in gone:
        return True
    folder, _, name = one.text.rpartition("/")
    tells = is_telling(name) or "-" in name.partition(".")[0]
    return one.kind == "path" and bool(folder) and tells and (one.kind, name) in gone


def spans_of(text: str) -> dict[tuple[str, str], list[CitedAt]]:
    """Return the places of each citation in ``text``, by (kind, text), in the order of ``citations_of``.

    If it is plainly cited in one place and called absent in another, only the plain places are returned.
    """
    found: dict[tuple[str, str], list[tuple[CitedAt, Stance]]] = {}
    for citation, token in _read_all(text):
        key = (citation.kind, citation.text)
        start = text.find(citation.text, token.start, token.stop)
        first, stop = (start, start + len(citation.text)) if start != -1 else (token.start, token.stop)
        spans = found.setdefault(key, [])
        if spans and citation.stance is not spans[0][1]:
            if citation.stance is not Stance.PLAIN:
                continue
            spans.clear()
        spans.append((CitedAt(first, stop, citation.link), citation.stance))
    return {key: _apart(span for span, _ in spans) for key, spans in found.items()}


def _apart(spans: Iterable[CitedAt]) -> list[CitedAt]:
    """Return the spans in order, without those that begin inside another."""
    kept: list[CitedAt] = []
    for span in sorted(spans, key=lambda one: one.start):
        if not kept or span.start >= kept[-1].stop:
            kept.append(span)
    return kept


@lru_cache(maxsize=64)  # what is cited is asked for first, then where
def _read_all(text: str) -> tuple[tuple[Citation, Token], ...]:
    return tuple(_read_each(text))


def _read_each(text: str) -> Iterator[tuple[Citation, Token]]:
    claims: Claims | None = None
    for token in _tokens(text):
        citation = _read(token) if not is_imported(text, token.start) else None
        if citation is not None and citation.kind == "tooling":
            citation = replace(citation, weak=not is_of_a_stack(text, token.start))
        if citation is not None and is_log_level(text, token.start, token.stop):
            citation = None
        if citation is not None:
            claims = claims or Claims(text)
            stance = claims.stance(token.start, token.stop)
            if token.form == "link" and stance is Stance.GONE:
                stance = Stance.OTHERWISE  # who calls a thing gone need not link to it
            if token.form == "fence" and stance is Stance.PLAIN:
                is_other = is_remarked(text, token.stop) or is_shown_as_wrong(text, token.start)
                is_value = (
                    citation.first_line is not None
                    and text[max(0, token.start - 1) : token.stop + 1] == f'"{token.text}"'
                )
                stance = Stance.OTHERWISE if is_other or is_value else stance  # of data, which are a sample
            elif token.form != "link" and stance is Stance.PLAIN:
                is_of_many = citation.kind == "path" and "/" not in token.text and is_of_each(text, token.start)
                is_named = citation.kind in ("path", "dir") and "/" not in token.text.rstrip("/")
                is_away = is_in_archive(text, token.start) or (is_named and is_listed_outside(text, token.start))
                is_away |= citation.kind in ("path", "dir") and is_of_another_checkout(text, token.start)
                stance = Stance.OTHERWISE if is_of_many or is_away else stance
                if citation.kind == "path" and is_of_pattern(text, token.start, citation.name):
                    stance = Stance.SAMPLE
            if token.form == "fence" and came_from(text, token.start):
                stance = Stance.GONE
            yield citation if stance is Stance.PLAIN else replace(citation, stance=stance), token


def _strength(citation: Citation) -> tuple[bool, bool]:
    return citation.stance is Stance.PLAIN, not citation.weak


def _read(token: Token) -> Citation | None:
    for kind in KINDS:
        citation = kind.read(token)
        if citation is not None:
            return citation
    return None


def _tokens(text: str) -> Iterator[Token]:
    if is_front_matter(text):
        yield from (Token(match[0], match.start(), match.end(), "word") for match in patterns_in(text))
        return
    urls = _urls(text) if "://" in text else []
    for start, stop in urls:
        yield Token(text[start:stop], start, stop, "url")
    masked = _blanked(text, urls)
    taken: list[tuple[int, int]] = []
    for fence in fence_spans(masked):
        taken.append((fence.start, fence.stop))
        if _QUOTING.match(masked, fence.start) is not None:
            continue  # a quoted document
        yield from _lines(masked, fence.start, fence.stop)
        language = language_at(masked, fence.start)
        if language and is_about_style(masked[fence.start : fence.stop]):
            language = ""
        yield from (
            replace(word, language=language) for word in _words(masked, fence.start, fence.stop, _IN_CODE, "fence")
        )
        for first, stop in said_of_lines(masked[fence.start : fence.stop]):
            for match in _NAMED.finditer(masked, fence.start + first, fence.start + stop):
                yield Token(match[0], match.start(), match.end(), "prose")
    outside = _blanked(masked, taken)
    for said in statements_of(outside):
        yield Token(outside[said.start : said.stop], said.start, said.stop, "statement")
    for library in libraries_said(outside):
        yield Token(outside[library.start : library.stop], library.start, library.stop, "library")
    for named in names_said(outside):
        yield Token(outside[named.start : named.stop], named.start, named.stop, "named")
    addressed = _blanked(text, taken) if urls else outside
    for port in ports_said(addressed):
        yield Token(addressed[port.start : port.stop], port.start, port.stop, "port")
    for span in code_spans(outside):
        inside = span.text.strip()
        whole = Token(inside, span.start, span.stop, "span")
        if inside and len(inside) <= _MAX_LENGTH:
            yield whole
        yield from _with_member(inside, span.start, span.stop, "span")
        if _ALTERNATIVES.fullmatch(inside) is not None:
            yield from _alternatives(inside, span.start + outside[span.start : span.stop].find(inside))
        component = _ELEMENT.fullmatch(inside)
        if component is not None:
            yield Token(component[1], span.start, span.stop, "span")
        if _RANGE.fullmatch(inside):
            for key in _KEY.findall(inside):
                yield Token(key, span.start, span.stop, "word")
        if len(inside) > _MAX_LENGTH or (whole.is_spaced and not whole.is_titled):
            # `a/b.Foo(x, y)` is one name and not also a path; x and y are example names.
            called = _CALLED.match(outside, span.start)
            first = called.end() if called else span.start
            behind = _behind_call(outside, first, span.stop) if called else first
            if called and _GIVES.match(outside, behind) is not None:  # `names(): string[]`
                call = outside[span.start : behind].lstrip("` ")
                yield Token(call, behind - len(call), behind, "span")
            yield from _words(outside, first, behind, _IN_CODE, "word", with_names=False)
            quoted = [match.span() for match in _FILTER.finditer(outside, behind, span.stop)]
            yield from _words(_blanked(outside, quoted), behind, span.stop, _IN_CODE, "word")
        taken.append((span.start, span.stop))
    outside = _blanked(masked, taken)
    for wiki in wiki_links(outside):
        yield Token(wiki.text, wiki.start, wiki.stop, "wiki")
        taken.append((wiki.start, wiki.stop))
    for link in links(outside):
        target = unquote(link.text)
        if len(target) <= _MAX_LENGTH and not target.startswith("#"):
            yield Token(target, link.start, link.stop, "link")
        taken.append((link.start, link.stop))
    outside = _blanked(masked, taken)
    for match in _IMPORT.finditer(outside):
        yield Token(match[1], match.start(1), match.end(1), "import")
    yield from _words(outside, 0, len(text), _WORD, "prose")
    for match in _FOLDER.finditer(outside):
        yield Token(f"{match[1]}/", match.start(1), match.end(1), "folder")
    for match in _ALTERNATIVES.finditer(outside):
        yield from _alternatives(match[0], match.start())
    for match in _NAMED.finditer(outside):
        if _VERSION.match(outside, match.end()) is None:
            yield Token(match[0], match.start(), match.end(), "prose")


def _alternatives(names: str, start: int) -> Iterator[Token]:
    for name in names.split("/"):
        yield Token(name, start, start + len(name), "prose")
        start += len(name) + 1


def language_at(text: str, opening: int) -> str:
    """Return the ending of sources in the language that the fence at ``opening`` names; empty for a log or changes."""
    info = _INFO.match(text, opening)
    ending = _ENDINGS.get(name := info["language"].lower(), name) if info is not None else ""
    return ending if is_source(f"a.{ending}") else ""


def _urls(text: str) -> list[tuple[int, int]]:
    return [(match.start(), match.start() + len(trimmed(match[0]))) for match in _URL.finditer(text)]


def trimmed(url: str) -> str:
    """Return a URL without the punctuation that ends its sentence."""
    return url.rstrip(".,;:!?*_~")


def _lines(text: str, first: int, last: int) -> Iterator[Token]:
    for match in _LINE.finditer(text, first, last):
        yield Token(match[0].strip(), match.start(), match.end(), "line")


def _words(
    source: str, first: int, last: int, pattern: re.Pattern[str], form: str, *, with_names: bool = True
) -> Iterator[Token]:
    glued = form == "prose" and _GLUED.search(source) is not None
    for match in pattern.finditer(source, first, last):
        for begun in _unglued(match[0]) if glued else [match[0]]:
            word = begun.strip("`").rstrip(_EDGES)
            word = word if word.startswith("~/") else word.lstrip("*~!?:")
            if "/" in word or "." in word[1:] or _DOTTED.fullmatch(word):
                start = match.start() + match[0].find(word)
                for part in _listed(word):
                    yield Token(part, start, start + len(part), form)
                    yield from _with_member(part, start, start + len(part), form)
                    start += len(part) + 1
    if form != "prose" and with_names:
        for match in _NAMED.finditer(source, first, last):
            yield Token(match[0], match.start(), match.end(), form)


def _with_member(written: str, start: int, stop: int, form: str) -> Iterator[Token]:
    """Yield the file in front of a member, as in ``src/kiln.py::Kiln``."""
    member = _MEMBER.match(written)
    if member is not None and is_source(member[1]) and _ANY_MEMBER.match(written, member.end()) is None:
        yield Token(member[1], start, stop, form)


def _unglued(word: str) -> list[str]:
    """Return the paths in a word that the letters of another script touch, as in ``app.pyを``; else the word itself.

    A file may have such a name: what they touch must end like a file or a folder, and begin like one.
    """
    found: list[str] = []
    for match in _PLAIN.finditer(word) if _GLUED.search(word) is not None else ():
        part = match[0].rstrip(_EDGES)
        name = _LINE_NUMBER.sub("", part)
        is_file = name.rpartition(".")[2].lower() in EXTENSIONS and "." in name[1:]
        is_folder = name.endswith("/") and match.end() < len(word) and "/" not in word[match.end() :]
        is_begun = _NAMES_FOLDER.match(name) is not None and ("/" in name or is_source(name))
        if (is_file or is_folder) and (is_begun or match.start() == 0):
            found.append(part)
    return found or [word]


def _behind_call(text: str, at: int, last: int) -> int:
    """Return where the bracket that opens at ``at`` is closed, or ``last`` if it is not."""
    depth = 0
    for match in _BRACKET.finditer(text, at, last):
        depth += 1 if match[0] == "(" else -1
        if not depth:
            return match.end()
    return last


def _listed(word: str) -> list[str]:
    """Return the files in a list such as ``a.py/b.py/README``, else the word itself."""
    parts = word.split("/")
    named = [part.rpartition(".")[2].lower() in EXTENSIONS and "." in part[1:] for part in parts]
    return parts if len(parts) > 1 and all(named[:-1]) else [word]


def _blanked(text: str, spans: list[tuple[int, int]]) -> str:
    if not spans:
        return text
    parts: list[str] = []
    at = 0
    for start, stop in sorted(spans):
        parts += [text[at:start], " " * (stop - max(at, start))]
        at = max(at, stop)
    parts.append(text[at:])
    return "".join(parts)
