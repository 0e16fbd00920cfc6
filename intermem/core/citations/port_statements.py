"""Find statements about ports: ``the API listens on :8081``, ``Web: http://localhost:5173``, ``Postgres 在 5433 端口``.

What is said of a port is its subject: the words of the clause around it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from intermem.lazy_dataclass import dataclass
from intermem.patterns import regex

_HINT = regex(r"(?<![\d.,-])\d{4,5}(?!\d|\.\d)")
# These are in VERBOSE: white space does not count.
_MARK = r"[`*_\"']{0,3}"
_GAP = r"[ \t]{0,3}"
_NUMBER = rf"{_MARK}:?(?P<port>\d{{4,5}})(?![\w-]|[.,:/]\w)"
_PORT = r"""(?:(?<![^\W_])(?:port|porta|puerto|porcie|portu)(?![^\W_])|порт(?:у|е|а|ом)?|cổng|端口号?|連接埠
    |ポート(?:番号)?|포트(?:\s?번호)?)"""
_MENTIONS = (
    r"""(?:https?://)?(?<![\w.-])(?:localhost|127\.0\.0\.1|0\.0\.0\.0):(?P<port>\d{4,5})(?![\w-])
        (?:/[^\s`<>()\[\]"'|]*)?""",
    rf"""{_PORT}{_MARK}{_GAP}(?:(?:is|number|ist|est|es|é|è)\b{_GAP}){{0,2}}(?:[=:：|是为為は는은]|=>)?{_GAP}
        {_NUMBER}""",
    rf"""(?<![\w.:/-])(?P<port>\d{{4,5}}){_MARK}{_GAP}
        (?:番?{_GAP}ポート|号?端口|번?{_GAP}포트|(?:numaralı[ \t])?port(?:u|unda|undan)\b)""",
    rf"""\b(?:listen(?:s|ing)?|runs?|running|serve[sd]?|serving|available|starts?|exposed|bound|reachable|is|lauscht|läuft
        |écoute|tourne|escucha|corre|ascolta|gira|escuta|roda|nasłuchuje|działa|слушает|работает)[ \t]{{1,3}}
        (?:\w{{1,20}}[ \t]{{1,3}})?(?:on|at|auf|sur|en|su|na|em|в|на)[ \t]{{1,3}}
        (?:{_MARK}:|(?!19\d\d|20[0-4]\d){_MARK}){_NUMBER}""",
)
_BOUNDARY = regex(
    r"[.;!?](?=\s|\Z)|[。；！？;，、,→•]|\n(?:[ \t]*\n|[ \t]*(?:[-*+#>|]|\d+[.)])[ \t])"
    r"|(?<![^\W_])(?:and|und|et|y|e|oraz|и)(?![^\W_])"
)
_BEHIND = regex(r"[ \t`*_]*(?:[(（:：=–—-]|is\b|for\b|\|)[ \t`*_]*(?P<said>[^\n.;,，。()（）|]{2,40})")
_DENIED = regex(
    r"(?<![^\W_])(?:not|never|no|longer|without|was|were|used|formerly|previously|old|if|when|unless|case|either|or|than"
    r"|e\.g|eg|example|instead|free|kill|conflicts?|taken|another|other|different|custom|change[sd]?|changing|set|setting"
    r"|override|will|would|should|could|might|may|planned|future|todo|avoid|check|tunnel|forward(?:ed|ing)?|prox(?:y|ies)|remote"
    r"|occupied|busy|until|before|from|vs|versus|moved|migrate[sd]?|nicht|kein\w*|wenn|falls|war|oder|pas|jamais|si|était|ou"
    r"|nunca|era|não|se|ou|non|se|nie|jeśli|był|lub|не|если|был|или|không|nếu|hoặc|değil|eğer|veya)(?![^\W_])"
    r"|n['’]t\b|代理|プロキシ|프록시|прокси|不|别|勿|如果|若|曾|占用|或|ない|もし|使用中|または|아니|만약|또는",
    re.IGNORECASE,
)
_DENIED_BEHIND = regex(
    r"[`*_\"')\]]{0,4}[ \t]*(?:(?:is|was|already|are|must|has|to|be|gets?)\b[ \t]*){0,4}"
    r"(?:(?:or|if|when|unless|in[ \t]use|used[ \t]by|taken|free|busy|occupied|blocked|instead|oder|ou|o|lub|или|hoặc"
    r"|veya|not|no[ \t]longer|was|were|war|era|était|available|open|conflicts?)(?![^\W_])|被|が使用|或|占用|または"
    r"|[/–-][ \t]?\d)",
    re.IGNORECASE,
)
_WORD = regex(r"[^\W\d_](?:[^\W_]|[-](?=\w))*")
_REACH = 80  # characters before a port that can be its subject
_MAX_WORDS = 8
_LARGEST = 65535


@dataclass(frozen=True, slots=True)
class PortStatement:
    """What is said of ``port`` at ``start`` to ``stop`` of a text; ``words`` are those around it, in lower case."""

    port: int
    words: tuple[str, ...]
    start: int
    stop: int


def ports_said(text: str) -> Iterator[PortStatement]:
    """Yield the statements about ports in ``text``, each with the clause that says it."""
    if _HINT.search(text) is None:
        return
    for said, start, stop in _clauses(text):
        is_denied = _DENIED_BEHIND.match(text, stop) is not None or _is_denied(text, said)
        if not is_denied and not _is_in_command(text, start):
            yield said


def port_said_in(clause: str) -> PortStatement | None:
    """Return the statement that ``clause``, which ``ports_said`` found, makes."""
    return next((said for said, _, _ in _clauses(clause)), None)


def _clauses(text: str) -> Iterator[tuple[PortStatement, int, int]]:
    """Yield what the clauses with a port would state, and where the port is written."""
    reached = 0
    for start, stop, port in sorted(_mentions(text)):
        if start < reached:
            continue
        first, behind = _clause(text, reached, start), _BEHIND.match(text, stop)
        reached = stop
        words = _words(text[first:start])
        if not words and behind is not None:
            reached = behind.end("said")
            words = _words(behind["said"])
        yield PortStatement(port, words, first, reached), start, stop


def _mentions(text: str) -> Iterator[tuple[int, int, int]]:
    """Yield where a port is written, and its number; the target of a link repeats what the link says."""
    for pattern in _MENTIONS:
        for match in _compiled(pattern).finditer(text):
            port = int(match["port"])
            if 1024 <= port <= _LARGEST and text[max(0, match.start() - 2) : match.start()] != "](":
                yield match.start(), match.end(), port


def _clause(text: str, first: int, start: int) -> int:
    """Return where the clause that ends at ``start`` begins: a word, or ``start``."""
    low = max(first, start - _REACH)
    if low > first:
        low = next((at for at in range(low, start) if text[at].isspace()), start)
    for match in _BOUNDARY.finditer(text, low, start):
        if match[0][0] == "\n" or _WORD.search(text, match.end(), start) is not None:
            low = match.end()
    word = _WORD.search(text, low, start)
    return word.start() if word is not None else start


def _words(clause: str) -> tuple[str, ...]:
    found = (word.lower() for word in _WORD.findall(clause))
    return tuple(dict.fromkeys(word for word in found if word not in ("http", "https")))[-_MAX_WORDS:]


def _is_denied(text: str, said: PortStatement) -> bool:
    line = max(text.rfind("\n", 0, said.start) + 1, said.start - 40)
    return _DENIED.search(text[line : said.stop].lower()) is not None


def _is_in_command(text: str, at: int) -> bool:
    """Whether a port is inside a longer code span: a command or an excerpt, and no statement."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    inside = line.rpartition("`")[2]
    return line.count("`") % 2 == 1 and inside.strip(" :*\"'") != ""


@cache  # few texts speak of ports
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.VERBOSE)
