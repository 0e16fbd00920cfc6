"""Detect secrets in a text: return the rule that matched, never the value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from intermem.core.markdown.lines import split_lines
from intermem.entities import Record
from intermem.patterns import regex

if TYPE_CHECKING:
    from intermem.core.entries.secret_rules.values import Suspicion

# What any secret has: a long mixed word, or a word that announces it. The rules are not imported for other lines.
_LONG_WORD = regex(r"[\w+/=-]{16,}")
_MIXED = regex(r"\d(?=[A-Za-z])|[A-Za-z](?=\d)")  # twice in a token; once in larch249, never in test_2_things
_ANNOUNCED = regex(
    r"(?i:pass|secret|token|key|pwd|\bpw\b|psk|credential|creds|auth|bearer|basic|cookie|log ?(?:ged)? ?in"
    r"|sign(?:ed)?[ -]in|account|user|kennwort|contrase|senha|haslo|wachtwoord|parola|dsn|clave|sess|zugang|connexion"
    r"|code|\bPIN\b|seed|mnemonic|wallet|backup|recovery|otp|[2m]fa\b|identified|jdbc|sqlplus"
    r"|wi-?fi|wlan|ssid|vpn|webhook|hooks?[./])"
    r"|-----BEGIN|://[^/\s:@]*:?[^/\s@]+@|[^\x00-\x7f]|(?<!\w)--?[pPauwUAX]|[$:/]\w+[$:;]\S"
    r"|\||[_-][A-Za-z0-9]{20}|[?&]\w+="
)
# What only the word before a value announces: in documents, nearly all of these are samples.
BY_WORD = frozenset({"Secret Keyword", "password in a sentence"})
NOT_SHOWN = "(not shown)"
LINE_NOT_SHOWN = "(not shown: it may hold a secret)"
_LINES = regex(r"([^\r\n]*)(\r\n|\n|\r|$)")
_WITH_BODY = ("Private Key", "Ansible vault")  # whose first line alone is none: an example is cut there
_KEY_BODY = regex(r"(?<![A-Za-z0-9+/=])[A-Za-z0-9+/=]{40,}")


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
    ``following`` is the next line: a private key has a body, as has a vault. A rule of ``BY_WORD`` is named if no other
    finds one.
    """
    rules = [one.rule for one in _certain(_plain(line), following)]
    return next((rule for rule in rules if rule not in BY_WORD), rules[0] if rules else None)


def token_rule(line: str) -> str | None:
    """Return the name of the first rule that finds a token in ``line`` that a service issued, or None."""
    return next((one.rule for one in _suspected(_plain(line)) if one.is_token), None)


def entry_secret_rule(text: str, section: str) -> str | None:
    """Return the name of the first rule that finds a possible secret in an entry, or in the heading above it."""
    return secret_rule(text) or secret_rule(section)


def may_hold_secret(line: str) -> bool:
    """Return False for a line that holds no secret; True costs a call of ``secret_rule``."""
    words = (match[0] for match in _LONG_WORD.finditer(line))
    return _ANNOUNCED.search(line) is not None or any(len(_MIXED.findall(word)) > 1 for word in words)


def without_secret(record: Record) -> Record:
    """Return ``record`` without what contains a secret, names included: the output may end up in a log."""
    record = replace(
        record,
        section=hidden(record.section),
        trail=tuple(map(hidden, record.trail)),
        type=hidden(record.type),
        source_file=hidden(record.source_file),
        reason=without_values(record.reason),
    )
    if record.note_text is not None and secret_rule(record.note_text):
        record = replace(record, note_text=NOT_SHOWN)
    if secret_rule(record.shown_text):
        return replace(record, text=NOT_SHOWN, preview=NOT_SHOWN, citations=())
    return record


def hidden(text: str) -> str:
    """Return ``text``, or that it is not shown if it may hold a secret."""
    return NOT_SHOWN if secret_rule(text) else text


@lru_cache(maxsize=4096)
def without_values(text: str) -> str:
    """Return ``text``, a sentence or a path, without the values that certainly are secrets."""
    if not may_hold_secret(text):
        return text
    lines = split_lines(text)
    shown = [_without_values(line) for line in lines]
    return text if shown == lines else "\n".join(shown)


def lines_without_secrets(text: str) -> str:
    """Return ``text`` with the lines hidden that may hold a secret, and those of a private key."""
    shown: list[str] = []
    in_key = False
    for line, end in _LINES.findall(text):
        in_key = in_key or ("-----BEGIN " in line and secret_rule(line) is not None)
        shown.append((LINE_NOT_SHOWN if (in_key and line) or secret_rule(line) else line) + end)
        in_key = in_key and "-----END " not in line and line != ""
    return "".join(shown)


def _without_values(line: str) -> str:
    shown = line
    for one in _certain(_plain(line)):
        if one.value not in line:
            return NOT_SHOWN  # a character that nobody sees splits it
        shown = shown.replace(one.value, NOT_SHOWN)
    return shown


def _certain(line: str, following: str = "") -> Iterator[Suspicion]:
    from intermem.core.entries.secret_rules.values import is_example

    has_body = _KEY_BODY.search(f"{line}\n{following}") is not None
    for one in _suspected(line):
        if has_body if one.rule in _WITH_BODY else one.sure and (one.is_token or not is_example(line)):
            yield one


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
