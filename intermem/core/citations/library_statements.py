"""Find statements about versions of libraries and frameworks: ``Built with React 18``, ``- Django 4.2``.

Whether a name is one of a dependency, manifests say: here only the shape of such a statement is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from intermem.core.citations.statements import LANGUAGES, ToolStatement, is_denied
from intermem.patterns import regex

_HINT = regex(r"[A-Z][\w.]+\W{1,8}v?\d{1,2}(?![\d:%])")
_LIBRARY = regex(
    r"""(?<![\w./@#&$-])(?P<name>[A-Z][A-Za-z]{1,24}(?:\.(?:js|io|NET))?(?:[ ][A-Z][A-Za-z.]{1,16}){0,2})[`*_]{0,3}
    (?P<between>[ \t]{1,2}|:[ \t]?|[ \t]?\|[ \t]?|(?=[>=~^]))[`*_]{0,3}(?P<sign>>=|≥|\^|~)?[ \t]?(?P<mark>v?)
    (?P<version>[1-9]\d?(?:\.\d{1,3}){0,2}|0(?:\.\d{1,3}){1,2})(?P<more>(?:\.x)?\+|\.x)?
    (?=[`*_"')]{0,3}[ \t]*(?:$|\n|[;|(（)）+&·•、，。；]|[,.](?!\d)|/[ \t]|[—-][ \t]
    |\b(?:and|with|und|mit|et|avec|y|con|e|com|i|z|и|с|ve)\b))""",
    re.MULTILINE | re.VERBOSE,
)
# What stands before a statement: the beginning of an item or cell, a word that asks for it, another in a list.
_BEFORE = regex(
    r"""(?:(?:\A|\n)[ \t]*(?:[-*+][ \t]|\d+[.)][ \t]|\|)?[ \t]*(?:[\w/ -]{1,24}[`*_]{0,3}:)?
    |\b(?:requires?|needs?|targets?|uses?|using|on|in|minimum|with|and|stack|framework|frontend|backend|built[ ]with
    |based[ ]on|nutzt|mit|und|avec|et|con|y|com|e|z|i|на|с|и|ile|ve)\b|使用|基于|基於|采用|採用|使って|사용
    |[,+/&·•|:—、，：（(])[ \t]*[`*_]{0,3}\Z""",
    re.IGNORECASE | re.VERBOSE,
)
_ASKS = regex(r"requires?|requiere|needs?|targets?|uses?|using|with|built|for|the|our|latest|mit|avec|con|com")
_COUNTED = frozenset(  # what is numbered, and no library
    """
    step phase part chapter section version level task issue day week month year sprint round stage tier layer figure
    table page line rule option case test point item note port top http https utf es ecma ecmascript sha md ipv tls ssl
    oauth windows macos ios android ubuntu debian java jdk release milestone epic story question priority gpt claude
    opus sonnet haiku gemini llama score rank group type class mode exit code error status max min limit size count
    total session rules soc wcag pep iso din
    terminal all current latest ch alpha beta only each new old
    january february march april may june july august september october november december jan feb mar apr jun jul aug
    sep sept oct nov dec adr rfc pr id no hours minutes seconds wave iteration batch appendix pass pattern principle
    schritt teil étape etape paso fase passo krok etap шаг bước adım about over under top last first next-step ca gen
    """.split()  # noqa: SIM905 - a list reads worse
)
# Programs that run beside this one, formats and protocols: the package of such a name has a version of its own.
_OTHERS = frozenset(
    """
    postgres postgresql mysql mariadb redis valkey mongo mongodb kafka rabbitmq nats elasticsearch opensearch clickhouse
    memcached minio cassandra neo4j etcd consul vault nginx temporal docker kubernetes prometheus
    semver yaml toml json xml csv mqtt amqp openapi swagger protobuf graphql grpc unicode markdown commonmark html css
    """.split()  # noqa: SIM905 - a list reads worse
)
# Before a statement on its line, where that lists what a project is built with: a label, and words in small letters.
_LABEL = regex(r"[\s>#*+|-]*(?:\d+[.)]\s)?[^:：|\n]{1,32}(?:[:|](?=[\s*_])|：)")
_JOINING = frozenset(
    "and with on using und mit et avec y con e com i z и с ve the via by 使用 基于 基於 采用 採用".split()  # noqa: SIM905
)
_TO_COME = regex(
    r"\b(?:next(?!\.?js)|up(?:grade|dat)\w*|road-?map|plan(?:s|ned)?|future|later|migrat\w*|wait\w*|compatible|tested|supports?|until"
    r"|legacy|old|before|from|was|former\w*|prototype|wish\w*|clients?|customers?|examples?)\b"
    r"|geplant|künftig|prévu|futur|próxim|futuro|план|будущ|计划|今後|예정",
    re.IGNORECASE,
)
_CODE = regex(r"`[^`\n]*`")
_WORDS = regex(r"[^\W\d_][\w.]*")
_VERSION = regex(r"[vx](?:\d[\w.]*)?")
_LONGEST = 300  # characters
_REACH = 60  # characters before a name that can ask for it


def libraries_said(text: str) -> Iterator[ToolStatement]:
    """Yield the statements in ``text`` about versions of what may be libraries: ``next.js 14``, ``django 4.2+``."""
    if _HINT.search(text) is None:
        return
    for match in _LIBRARY.finditer(text):
        said = _library_in(text, match)
        before = text[max(0, match.start() - _REACH) : match.start()]
        last = match.start() + max(match["name"].rfind(" "), 0)
        if said is not None and _BEFORE.search(before) is not None and not is_denied(text, last):
            yield said


def library_said_in(clause: str) -> ToolStatement | None:
    """Return the statement that ``clause``, which ``libraries_said`` found, makes."""
    match = _LIBRARY.match(clause)
    return _library_in(clause, match) if match is not None else None


def _library_in(text: str, match: re.Match[str]) -> ToolStatement | None:
    """Return what a match says; None where it counts something."""
    words = match["name"].lower().split()
    while len(words) > 1 and _ASKS.fullmatch(words[0]):
        del words[0]
    is_bare = match["version"].isdigit() and not (match["sign"] or match["mark"] or match["more"])
    is_other = len(words) == 1 and words[0] in _OTHERS
    if is_other or words[-1] in LANGUAGES or not _COUNTED.isdisjoint(words) or (is_bare and match["between"].strip()):
        return None  # a number in a cell may count anything
    is_floor = match["sign"] in (">=", "≥") or "+" in (match["more"] or "")
    said = f"{'-'.join(words)} {match['version']}{'+' if is_floor else ''}"
    return ToolStatement("library", said, match.start(), match.end())


def is_of_a_stack(text: str, start: int) -> bool:
    """Return whether the version told at ``start`` is one of what a project is built with, by the words before it.

    In a sentence it may be that of a customer's machine, of what is planned, or of what is supported besides; in the
    brackets of a heading it is what the section is for.
    """
    first = text.rfind("\n", 0, start) + 1
    if start - first > _LONGEST:
        return False
    before = _CODE.sub("", text[first:start])
    if before.startswith("#") and before.rfind("(") > before.rfind(")"):
        return False
    label = _LABEL.match(before)
    words = _WORDS.findall(before[label.end() if label is not None else 0 :])
    is_listed = all(word[0].isupper() or word in _JOINING or _VERSION.fullmatch(word) for word in words)
    return is_listed and _TO_COME.search(before) is None
