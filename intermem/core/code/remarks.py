"""The comments and strings of a file: text in which a name is only mentioned.

No language is parsed: one regular expression for each family of languages finds where comments and strings begin and
end. A file of an unknown language has none.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from intermem.core.code.file_types import is_data, is_manifest
from intermem.patterns import regex

# An empty group marks what is no remark after all: without an end, or code of another language. It is consumed
# nevertheless, as looking for the end again at every beginning would take quadratic time.
_SLASHES = rb"(?<![:\\])//[^\n]*|(?<![\\*])/\*(?:[^*]++|\*(?!/))*+(?:\*/|())"
_MARKUP = rb"<!--(?:[^-]++|-(?!->))*+(?:-->|())"
_HASH = rb"(?<![^\s;(\[{,])#[^\n]*"
_DASHES = rb"--[^\n]*"
_TRIPLE = rb"\"\"\"(?:[^\\\"]++|\\.|\"(?!\"\"))*+(?:\"\"\"|())|'''(?:[^\\']++|\\.|'(?!''))*+(?:'''|())"
_DOUBLE = rb"\"(?:[^\"\\\n]++|\\.)*+(?:\"|())"
_SINGLE = rb"(?:(?<!\w)|(?<=\b[bfru])|(?<=\b[bfru][bfru]))'(?:[^'\\\n]++|\\.)*+(?:'|())"  # no apostrophe
_CHARACTER = rb"'(?:\\[^\n][^'\n]{0,8}|[^'\\\n])'"
_TEMPLATE = rb"(?<=\w)`(?:[^`\\]++|\\.)*+`?()|`(?:[^`\\]++|\\.)*+(?:`|())"  # after a tag: another language

_FAMILIES = {
    "js mjs cjs jsx ts mts cts tsx php dart go": (_SLASHES, _TEMPLATE, _DOUBLE, _SINGLE),
    "vue svelte astro": (_SLASHES, _MARKUP, _TEMPLATE, _DOUBLE, _SINGLE),
    "c h cc cpp cxx hpp hh m mm rs java kt kts scala swift cs zig groovy gradle proto v sol glsl hlsl": (
        _SLASHES,
        _TRIPLE,
        _DOUBLE,
        _CHARACTER,
    ),
    "css scss less json5 jsonc": (_SLASHES, _DOUBLE, _SINGLE),
    "py pyi rb sh bash zsh fish pl pm r jl ex exs cr nim gd tcl yaml yml toml ini cfg conf env properties mk": (
        _HASH,
        _TRIPLE,
        _DOUBLE,
        _SINGLE,
    ),
    "ps1 psm1 psd1": (rb"<#.*?(?:#>|\Z())", _HASH, _DOUBLE, _SINGLE),
    "tf hcl": (_SLASHES, _HASH, _DOUBLE),
    "lua": (rb"--\[\[.*?(?:\]\]|\Z())", _DASHES, _DOUBLE, _SINGLE),
    "sql": (_DASHES, _SLASHES, _DOUBLE, _SINGLE),
    "hs elm": (rb"\{-.*?(?:-\}|\Z())", _DASHES, _DOUBLE, _CHARACTER),
    "html htm xml csproj props": (_MARKUP,),
}
_PATTERNS = {ending: b"|".join(parts) for endings, parts in _FAMILIES.items() for ending in endings.split()}
_NAMED = {
    "makefile": "mk",
    "gnumakefile": "mk",
    "dockerfile": "sh",
    "justfile": "sh",
    "rakefile": "rb",
    "gemfile": "rb",
}

_SPACE = regex(rb"\S\s+\S")
_AROUND = b"\"'`-$%{}@#:=.*/&? "
# $name, ${name, #{name, {name, \(name: a string is filled with it
_FILLED = regex(rb"(?:\$|\{[^{}]*|\\\([^()]*)\Z")
_LOOKED_BACK = 200  # bytes
# A statement of SQL is code, also in a string: what it names is used.
_STATEMENT = regex(
    rb"\W{0,80}(?:SELECT\b[^;]{1,2000}?\bFROM\b|INSERT\s+INTO\b|UPDATE\b[^;]{1,200}?\bSET\b|DELETE\s+FROM\b"
    rb"|WITH\s+\w+\s+AS\s*\(|(?:CREATE|ALTER|DROP)\s+(?:TABLE|VIEW|INDEX)\b)"
)


class Remarks:
    """The comments of a text, and the strings in it that are made of words."""

    def __init__(self, path: str, content: bytes) -> None:
        name = path.rpartition("/")[2].lower()
        pattern = _PATTERNS.get(_NAMED.get(name, name.rpartition(".")[2]))
        self._content = content
        self._matches: Iterator[re.Match[bytes]] = (
            re.compile(pattern, re.DOTALL).finditer(content) if pattern is not None else iter(())
        )
        self._read_to = 0
        self._firsts: list[int] = []
        self._stops: list[int] = []
        self._values = is_data(path) or is_manifest(path)

    def hold(self, at: int, name: bytes) -> bool:
        """Return whether ``name`` at the offset ``at`` is in a comment, or among the words of a string.

        Not so in a string that is the name or has no spaces (``"max-lines"``), where it is filled in (``"${name}"``),
        in a statement of SQL, nor in any string of data or of a manifest: that is how such a thing is used.
        """
        span = self._span(at)
        if span is None:
            return False
        first, stop = span
        if self._content[first : first + 1] not in (b'"', b"'", b"`"):
            return True
        if self._values or _SPACE.search(self._content, first, stop) is None:
            return False
        if stop - first < len(name) + 20 and self._content[first:stop].strip(_AROUND) == name:
            return False
        if _STATEMENT.match(self._content, first, stop) is not None:
            return False
        return _FILLED.search(self._content[max(first, at - _LOOKED_BACK) : at]) is None

    def contain(self, at: int) -> bool:
        """Return whether the offset ``at`` is in a comment or a string, whatever that is."""
        return self._span(at) is not None

    def _span(self, at: int) -> tuple[int, int] | None:
        firsts, stops = self._until(at)
        index = bisect_right(firsts, at) - 1
        return (firsts[index], stops[index]) if index >= 0 and at < stops[index] else None

    def _until(self, at: int) -> tuple[list[int], list[int]]:
        """The offsets at which comments and strings begin, and those at which they end: all up to ``at`` at least.

        Most names are asked about near the beginning of a file, and what is behind them need not be read.
        """
        while self._read_to <= at:
            match = next(self._matches, None)
            if match is None:
                self._read_to = len(self._content) + 1
                break
            self._read_to = match.end()
            if match.lastindex is None:
                self._firsts.append(match.start())
                self._stops.append(match.end())
        return self._firsts, self._stops
