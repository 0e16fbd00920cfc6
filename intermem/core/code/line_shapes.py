"""Classify what a line of code does with a name, from the line alone.

It is a definition, a field, an import, a use, or a comment. No language is parsed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache

from intermem.facts import Shape
from intermem.patterns import regex

MAX_LINE = 2000  # characters; a longer one is generated, and not classified

_WORTH = {shape: worth for worth, shape in enumerate(Shape)}


def rank(shape: Shape) -> int:
    """Return how weak the evidence of ``shape`` is: 0 for a definition, the strongest."""
    return _WORTH[shape]


_COMMENT = regex(r"^\s*(?://|/\*|\*|#(?!define|\[|include|import|if)|%|--|;|<!--|\"\"\"|''')")
_IMPORT = regex(
    r"^\s*(?:(?:import|from|using|use|require|include|open|extern\s+crate)\b|export\s.*\bfrom\b|#include\b|#import\b|@import\b"
    r"|(?:const|let|var)\s.*=\s*(?:await\s+)?(?:require|import)\s*\()|^\s*\"?[\w@./-]+\"?\s*:\s*\"[\^~>=<*\d]"
)
# Keywords that make what follows a definition in some language; those that are also English words count only at
# the start of a line.
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
_NO_TYPE = regex(
    r"\b(?:return|new|await|throw|else|case|yield|in|not|and|or|assert|delete|goto|import|from|raise"
    r"|extends|implements|if|elif|while|until|unless|when|for|with|match|switch|print|echo|do|is|typeof|sizeof"
    r"|export\s+default|FROM|JOIN|SELECT|WHERE|AND|OR|NOT|IN|ON|BY|CALL|EXEC(?:UTE)?|VALUES|RETURNING|USING|LATERAL)\s*$"
)


@cache
def _patterns() -> tuple[tuple[Shape, re.Pattern[str] | None, re.Pattern[str]], ...]:
    """Return the patterns of definitions and fields, with a placeholder for the name: compiled once for all names.

    The second of each must match before the name, else the third, which is slower, is not tried.
    """
    word = _SLOT
    # def name, pub const fn name, func (r *T) name(, function [a, b] = name(, create table name
    # const [name, setName] = …, but not the type behind a colon: var name: Type
    between = r"(?:<[^()=;]{0,80}>\s+)?(?:\([^()]*\)\s*|[\w.<>\[\],?*&:]+(?<![^:]:)\s+){0,3}(?:[\w.]+[.:]{1,2})?[\"'`]?"
    keyword = re.compile(
        rf"(?:^|[\s(\[{{;,@-])(?:(?:{_KEYWORD})\b|macro_rules!)[\s(]*"
        rf"(?:(?:async|static|final|const|mut|inline|unsafe|pub|abstract|override)\s+)*{between}{word}"
        rf"|(?:^|\s)function\s+(?:\[[^\[\]]*\]|[\w.]+)\s*=\s*(?:[\w.]+\.)?{word}"
        rf"|^\s*(?:export\s+)?(?:const|let|var)\s*\[\s*{word}\s*,\s*set[A-Z]\w*\s*\]\s*="
    )
    first = re.compile(rf"^\s*(?:(?:{_MODIFIER})\s+)*(?:{_KEYWORD_FIRST})\s+{between}{word}", re.IGNORECASE)
    # name(…) {, name() ->, name(…) when …, but name((x) => {, name("…", () => { and name(Type { are calls;
    # after a type, the bracket may end the line: int name(…), but not after a key: model: name(…),
    # or the whole body stands on it: int name(…) => …;, void name(…) { … }
    function = re.compile(
        rf"^\s*(?:[*&]?{word}\s*(?:<[^<>]*>\s*)?\((?!\s*[(\"'`])[^;]*\)[^;()]*(?:\{{|->|=>)\s*(?:when\b.*)?$"
        rf"|{word}\s*\([^;]*\)\s*(?:when\b[^;]*)?->"
        rf"|(?:[\w<>\[\],.*&?@:~]+\s+){{0,5}}[\w<>\[\],.*&?@:~]+(?<![^:]:)\s+(?:\w+::)?[*&]?{word}\s*(?:<[^<>]*>\s*)?\((?:[^;]*"
        rf"(?:\{{|->|=>|:|\)|,)\s*(?:const|throws\b.*|when\b.*)?"
        rf"|[^;{{}}=]*\)\s*(?:async\*?\s*|const\s*)?(?:=>\s.*;|\{{\s.*\}})\s*)$)"
    )
    declared = re.compile(rf"^\s*-(?:module|define|record|type|spec|callback)\s*\(?\s*{word}")
    # command("name", registerTool('name'
    registered = re.compile(
        rf"(?:^|[\s@.])(?:\w+\.)?(?:add_argument|add_parser|add_command|add_tool|register\w*|tool|command|task|subparser"
        rf"|option)\s*\(\s*[\"']{word}(?:[\"']|\s)"
    )
    # but not name={…}, which is an attribute of an element
    # name = …, name: …, self.name = …, "name": …, type name;, name,   (alone on its line it may have no delimiter)
    owner = r"(?:this\.|self\.|@|\$|exports\.|module\.exports\.|\w+\.prototype\.)?"
    typed = r"(?:[-+]\s+)?(?:[\w<>\[\],.*&?@|]+\s+){0,5}"
    field = re.compile(
        rf"^\s*{typed}{owner}[\"']{word}[\"']\s*(?::(?!:)|=(?![=>~]))"
        rf"|^\s*{typed}{owner}{word}(?:\??:(?!:)|\s+\??:(?![:\w])|\s*(?:=(?![=>~{{])|\{{|[;,]\s*(?:(?://|%|\#|--).*)?$))"
        rf"|^\s*[\"']{word}[\"'],?\s*$"  # an item of a list, an argument
        rf"|^\s*(?:this\.|self\.)?{word}\s*(?:(?://|%|\#|--).*)?$"
        rf"|^\s*{word}\s+[\w.*\[\]]+\s+`\w+:"  # with a tag, in Go
    )
    return (
        (Shape.DEFINITION, re.compile(rf"(?:{_KEYWORD}|macro_rules)"), keyword),
        (Shape.DEFINITION, re.compile(rf"^\s*(?:(?:{_MODIFIER})\s+)*(?:{_KEYWORD_FIRST})\b", re.IGNORECASE), first),
        (Shape.DEFINITION, None, function),
        (Shape.DEFINITION, re.compile(r"^\s*-"), declared),
        (Shape.DEFINITION, re.compile(r"add_|command|option|subparser|register|tool|task"), registered),
        (Shape.FIELD, None, field),
    )


# Words of a sentence in quotes, and no code in them: it('the class kiln-rack is named').
_SAID = regex(
    rf"(?:^|[\s(,=:\[{{])([\"'`])(?:(?!\1)[^\n])*?(?<![\w-])(?!(?:{_MODIFIER}|{_KEYWORD}|{_KEYWORD_FIRST})\b)[A-Za-z]{{2,}}"
    rf"\s+(?:{_KEYWORD})\s(?:(?!\1)[^\n;{{}}=])*\uf8ff",
)
_EXTERNAL = regex(
    r"\bextern\b(?!\s*\"[^\"]*\"\s*(?:fn\b|\{))|\bDllImport\b|^\s*declare\s+(?:module|global)\b"
)  # declared here, defined elsewhere
_EXTENDED = regex(r"^\s*(?:\w+\s+)?extension\s+\uf8ff\s*(?:[:{]|where\b|$)")  # of what is defined elsewhere: Swift
# Of a variable or what a function returns: private final Kiln kiln; static Kiln of(…) {; const Kiln& kiln = …;
_TYPING = regex(
    r"\b(?:final|static|readonly)\s(?:[^=(){};]*[\s<,])?\uf8ff(?:<[^<>]*>)?[>\]&*?]*\s+[&*]*[A-Za-z_$]\w*\s*(?:[;=,)({]|$)"
    r"|\bconst\s(?:[^=(){};]*[\s<,])?\uf8ff(?:<[^<>]*>)?[>\]&*]*\s+[&*]*[A-Za-z_]\w*\s*[;=,)(].*[;,){]\s*$"
)
# Of a type, what its instance holds: Swift, Kotlin. With arguments that are named, or refer to the caller's own.
_BUILT = regex(r"^\s*\uf8ff\s*(?:\((?:\.|\$|[a-z]\w*\s?(?::\s|=\s))[^;]*\)\s*)?\{")
# What is made of a class, not the constructor of one: Dart's const KilnScope(child: …), but not const Kiln({…});
_MADE_CONST = regex(
    r"^\s*const\s+\uf8ff(?:\.\w+)?\s*\((?!\s*(?:[{\[]|this\.|super\.|\)\s*[;:]))|\S\s+const\s+\uf8ff(?:\.\w+)?\s*\("
)
# A part of a namespace is no name of its own: namespace Pottery.Kilns;
_SPACED = regex(
    r"^\s*(?:namespace|package)\s+(?:[\w.\\]+[.\\]\uf8ff(?:[.\\][\w.\\]*)?|\uf8ff[.\\][\w.\\]*)\s*[;{]?\s*$"
)
# The whole value of a constant: const KILN_KEY = "kiln_rack_heat";
_VALUE = regex(
    r"^\s*(?:(?:export|pub|private|public|internal|protected|static|final|readonly|const|constexpr|let|val|var)\s+)*"
    r"(?:[A-Z][A-Z0-9_]+|(?<=\s)k[A-Z]\w+)(?:\s*:\s*[\w<>&'| ]+)?\s*:?=\s*([\"'`])\uf8ff\1\s*[;,]?\s*$"
)
# On the line that opens an element: <Oven knob="…", but not a generic function: <T>(heat = …
_OPENED = regex(r"^[\s?:(&|]*(?:return[\s(]+)?<[A-Za-z][\w.-]*\s[^<>]*(?<=\s)$")
_JOINT = regex(r"(?<=[a-z0-9])[_.:-](?=[a-z0-9])", re.IGNORECASE)
_FROM = regex(r"^\s*from\s+\S+\s+import\s")
_QUOTED = regex(r"\"[^\"]*\"|'[^']*'")
_SLOT = "\uf8ff"  # private use area: not in code


@lru_cache(maxsize=16_384)
def _whole(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")


_REMARKED = regex(r"\s*/\*(?:[^*\n]|\*(?!/)){0,200}\*/\s*(?=[A-Za-z_@$])")  # /** @deprecated */ export type …


def is_comment(line: str) -> bool:
    """Return whether ``line`` begins as a comment does in some language, and no code follows it."""
    return _COMMENT.match(line) is not None and _REMARKED.match(line) is None


def _without_remark(line: str) -> str:
    return _REMARKED.sub("", line, count=1) if "/*" in line else line


def is_import(line: str) -> bool:
    """Return whether ``line`` is an import."""
    return _IMPORT.match(line) is not None


def _is_imported_module(line: str, name: str) -> bool:
    """Return whether ``name`` is the imported module, not a name imported from it, which may be third-party."""
    marked = _whole(name).sub(_SLOT, line)
    if _FROM.match(line):
        return _SLOT in marked.partition(" import ")[0]
    quoted = _QUOTED.findall(marked)
    return not quoted or any(_SLOT in one for one in quoted)


@lru_cache(maxsize=16_384)  # imports and calls are the same in many files
def shape_of(line: str, name: str) -> Shape:
    """Return what ``line`` does with ``name``, which it contains."""
    line = _without_remark(line)
    if is_comment(line) or name not in line:
        return Shape.COMMENT
    if len(line) > MAX_LINE:
        return Shape.USE
    if is_import(line):
        return Shape.IMPORT if _is_imported_module(line, name) else Shape.USE
    marked = _whole(name).sub(_SLOT, line)
    if _VALUE.match(marked) and len(_JOINT.findall(name)) > 1:
        return Shape.DEFINITION
    before, found, _ = marked.partition(_SLOT)
    if _EXTERNAL.search(before) or _EXTENDED.match(marked) or _SPACED.match(marked) or _OPENED.match(before):
        return Shape.USE
    if "const " in before and _MADE_CONST.search(marked):
        return Shape.USE
    if found and not _NO_TYPE.search(before.rstrip()):
        for shape, sign, pattern in _patterns():
            if (sign is None or sign.search(before)) and pattern.search(marked):
                is_type = _TYPING.search(marked) or (name[:1].isupper() and _BUILT.match(marked))
                return Shape.USE if is_type or _SAID.search(marked) else shape
    if any(mark in before for mark in ("//", " # ", " % ", "/*")):
        return Shape.COMMENT
    return Shape.USE


# In front of the name of a variable that code takes from its environment.
_ENVIRONMENT = regex(
    r"(?:\bprocess\.env|\bimport\.meta\.env|\b(?:Deno|Bun)\.env(?:\.get)?|\bos\.environ(?:\.get)?|\b(?:os\.)?getenv"
    r"|\bos\.LookupEnv|\bGetEnvironmentVariable|\benv::var(?:_os)?|\benv!|\bENV(?:\.fetch)?|\$_ENV|\$env)\W{1,3}$",
    re.IGNORECASE,
)


def reads_environment(line: str, name: str) -> bool:
    """Return whether ``line`` takes the variable ``name`` from the environment: ``process.env.KILN_HEAT``."""
    at = line.find(name)
    return at != -1 and _ENVIRONMENT.search(line[max(0, at - 60) : at]) is not None and not is_comment(line)


# What hands on all that another module has: export * from "kiln"; from kiln import *; pub use kiln::*;
_HANDED_ON = regex(
    r"\s*(?:export\s+\*\s+from\s|from\s+\S+\s+import\s+\*|pub(?:\([\w:]+\))?\s+use\s+[\w:]+::\*|@_exported\s+import\s"
    r"|export\s+['\"]package:|public\s+import\s)"
)


def hands_on(lines: Iterable[str]) -> bool:
    """Return whether one of ``lines`` hands on all names of another module: none of them is defined here."""
    return any(_HANDED_ON.match(line) is not None for line in lines)


def defines(line: str, name: str) -> bool:
    """Return whether ``line`` defines ``name``."""
    return shape_of(line, name) is Shape.DEFINITION
