"""Detect secrets in a text: return the rule that matched, never the value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from intermem.core.markdown.lines import split_lines
from intermem.entities import Record

if TYPE_CHECKING:
    from intermem.core.entries.secret_rules.values import Suspicion

# What any secret has: a long mixed word, or a word that announces it. The rules are not imported for other lines.
_LONG_WORD = re.compile(r"[\w+/=-]{16,}")
_MIXED = re.compile(r"\d(?=[A-Za-z])|[A-Za-z](?=\d)")  # twice in a token; once in larch249, never in test_2_things
_ANNOUNCED = re.compile(
    r"(?i:pass|secret|token|key|pwd|\bpw\b|psk|credential|creds|auth|bearer|basic|cookie|log ?(?:ged)? ?in"
    r"|sign(?:ed)?[ -]in|account|user|kennwort|contrase|senha|haslo|wachtwoord|parola|dsn|clave|sess|zugang|connexion"
    r"|code|\bPIN\b|seed|mnemonic|wallet|backup|recovery|otp|[2m]fa\b|identified|jdbc|sqlplus"
    r"|wi-?fi|wlan|ssid|vpn|webhook|hooks?[./])"
    r"|-----BEGIN|://[^/\s:@]*:?[^/\s@]+@|[^\x00-\x7f]|(?<!\w)--?[pPauwUAX]|[$:/]\w+[$:;]\S"
    r"|\||[_-][A-Za-z0-9]{20}|[?&]\w+="
)
_KEY_BODY = re.compile(r"(?<![A-Za-z0-9+/=])[A-Za-z0-9+/=]{40,}")


@lru_cache(maxsize=65_536)
def secret_rule(text: str) -> str | None:
    """Return the name of the first rule that finds a possible secret in ``text``, or None.

    Characters that cannot be seen are ignored, so they cannot split a secret.
    """
    found = (one.rule for line in split_lines(_plain(text)) for one in _suspected(line))
    return next(found, None)


def sure_secret_rule(line: str, following: str = "") -> str | None:
    """Return the name of the first rule that certainly finds a secret in ``line``, or None.

    Examples, code that only handles a secret, and the login of a local database are not reported.
    ``following`` is the next line: a private key has a body.
    """
    from intermem.core.entries.secret_rules.values import is_example

    line = _plain(line)
    has_body = _KEY_BODY.search(f"{line}\n{following}") is not None
    for one in _suspected(line):
        if one.rule == "Private Key":
            sure = has_body
        else:
            sure = one.sure and (one.is_token or not is_example(line))
        if sure:
            return one.rule
    return None


def may_hold_secret(line: str) -> bool:
    """Return False for a line that holds no secret; True costs a call of ``secret_rule``."""
    words = (match[0] for match in _LONG_WORD.finditer(line))
    return _ANNOUNCED.search(line) is not None or any(len(_MIXED.findall(word)) > 1 for word in words)


def without_secret(record: Record) -> Record:
    """Return ``record`` without its text if that contains a secret: the output may end up in a log."""
    return replace(record, text="(not shown)", citations=()) if secret_rule(record.shown_text) else record


def _plain(text: str) -> str:
    if text.isascii():
        return text
    from intermem.core.entries.secret_rules.folding import folded

    return folded(text)


def _suspected(line: str) -> Iterator[Suspicion]:
    if not may_hold_secret(line):
        return
    from intermem.core.entries.secret_rules.announced import announced_in
    from intermem.core.entries.secret_rules.commands import commands_in
    from intermem.core.entries.secret_rules.logins import logins_in
    from intermem.core.entries.secret_rules.tokens import tokens_in, without_public

    yield from tokens_in(line)
    line = without_public(line)
    lowered = line.lower()
    if len(lowered) != len(line):
        lowered = line  # a letter whose small form is two characters: positions must agree
    yield from commands_in(line, lowered)
    yield from announced_in(line, lowered)
    yield from logins_in(line, lowered)
