"""Which references an entry makes. Pure text work: nothing is known of the repository here."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote

from intermem.core.claims import Claims
from intermem.core.inline import code_spans, fence_spans, links
from intermem.core.kinds import KINDS
from intermem.core.kinds.token import Token
from intermem.entities import Citation

RULES_VERSION = 1  # of reading; records read by an older one are read again

_URL = re.compile(r"\b[a-z][a-z0-9+.-]{1,20}://[^\s<>`\"')\]]{0,2000}", re.IGNORECASE)
_WORD = re.compile(r"[^\s`\"'()\[\]{}<>|,;，、。；：（）「」『』“”‘’→⇒=&]{2,400}")
_IN_CODE = re.compile(r"[^\s\"'()<>|,;→⇒=&]{2,400}")
_EDGES = "*.:!?~·•"
_LONGEST = 400


def citations_of(text: str) -> tuple[Citation, ...]:
    """Return the citations of an entry's ``text``, in order, each (kind, text) once.

    Where one is said to be absent in one place and plainly cited in another, the plain one stands.
    """
    found: dict[tuple[str, str], Citation] = {}
    claims = Claims(text)
    for token in _tokens(text, claims):
        citation = _read(token)
        if citation is None:
            continue
        key = (citation.kind, citation.text)
        known = found.get(key)
        if known is None or _strength(citation) > _strength(known):
            found[key] = citation
    return tuple(found.values())


def _strength(citation: Citation) -> tuple[bool, bool]:
    return not citation.absent, not citation.weak


def _read(token: Token) -> Citation | None:
    for kind in KINDS:
        citation = kind.read(token)
        if citation is not None:
            return citation
    return None


def _tokens(text: str, claims: Claims) -> Iterator[Token]:
    masked = _URL.sub(lambda match: " " * len(match[0]), text)
    taken: list[tuple[int, int]] = []
    fences = fence_spans(masked)
    for fence in fences:
        yield from _words(claims, masked, fence.start, fence.stop, _IN_CODE, "word")
        taken.append((fence.start, fence.stop))
    outside = _blanked(masked, taken)
    for span in code_spans(outside):
        inside = span.text.strip()
        if inside and not any(char.isspace() for char in inside) and len(inside) <= _LONGEST:
            yield _token(claims, span.start, span.stop, inside, "span")
        else:
            yield from _words(claims, outside, span.start, span.stop, _IN_CODE, "word")
        taken.append((span.start, span.stop))
    outside = _blanked(masked, taken)
    for link in links(outside):
        target = unquote(link.text)
        if len(target) <= _LONGEST and not target.startswith("#"):
            yield _token(claims, link.start, link.stop, target, "link")
        taken.append((link.start, link.stop))
    yield from _words(claims, _blanked(masked, taken), 0, len(text), _WORD, "prose")


def _words(claims: Claims, source: str, first: int, last: int, pattern: re.Pattern[str], form: str) -> Iterator[Token]:
    for match in pattern.finditer(source, first, last):
        word = match[0].strip("`").rstrip(_EDGES).lstrip("*~!?:")
        if "/" in word or "." in word[1:]:
            start = match.start() + match[0].find(word)
            yield _token(claims, start, start + len(word), word, form)


def _token(claims: Claims, start: int, stop: int, content: str, form: str) -> Token:
    return Token(content, start, stop, form, absent=claims.states_absence(start, stop))


def _blanked(text: str, spans: list[tuple[int, int]]) -> str:
    parts: list[str] = []
    at = 0
    for start, stop in sorted(spans):
        parts += [text[at:start], " " * (stop - max(at, start))]
        at = max(at, stop)
    parts.append(text[at:])
    return "".join(parts)
