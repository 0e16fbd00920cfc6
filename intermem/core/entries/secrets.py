"""Detect secrets in a text: return the rule that matched, never the value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any

from intermem.core.markdown.lines import split_lines
from intermem.entities import Record

# Version numbers look like addresses: in 302 real memory files every match of this rule was one, or a private
# address. A public address is not a secret.
_LEFT_OUT = frozenset({"IPPublicDetector"})

# Rules for unquoted ``KEY=value`` only run for configuration files; notes contain such lines.
_READ_AS = "note.yaml"

# Common tokens that detect-secrets 1.5 does not know.
_TOKENS = {
    "Anthropic API key": re.compile(r"\bsk-ant-[A-Za-z0-9_-]{20,}"),
    "OpenAI project key": re.compile(r"\bsk-(?:proj|svcacct)-[A-Za-z0-9_-]{20,}"),
    "GitHub fine-grained token": re.compile(r"\bgithub_pat_[A-Za-z0-9_]{30,}"),
    "Google API key": re.compile(r"\bAIza[A-Za-z0-9_-]{35}\b"),
    "Hugging Face token": re.compile(r"\bhf_[A-Za-z0-9]{30,}\b"),
}


# First words of values that are placeholders, or say whether there is a secret.
_PLACEHOLDER = re.compile(
    r"[<\[{$%*].*|x+|\.+|\*+|true|false|yes|no|on|off|none|null|nil|\d{1,6}|your(?:[-_.].*)?|changeme|change[-_]me.*"
    r"|placeholder|dummy|example(?:[-_].*)?|redacted|.*[-_]here|(?:insert|replace|put)[-_].*",
    re.IGNORECASE,
)
_FIRST_WORD = re.compile(r"[^\s`\"']+")


@lru_cache(maxsize=65_536)
def secret_rule(text: str) -> str | None:
    """Return the name of the first rule that finds a possible secret in ``text``, or None."""
    found = (rule for number, line in enumerate(split_lines(text), 1) for rule, _ in _suspected(line, number))
    return next(found, None)


def sure_secret_rule(line: str, following: str = "") -> str | None:
    """Return the name of the first rule that certainly finds a secret in ``line``, or None.

    Examples, code that only handles a secret, and the login of a local database are not reported.
    ``following`` is the next line: a private key has a body.
    """
    is_example = _EXAMPLE.search(line) is not None
    has_login = any(user != word and word not in _COMMON and "." in host for user, word, host in _LOGIN.findall(line))
    has_body = _KEY_BODY.search(f"{line}\n{following}") is not None
    for rule, value in _suspected(line, 1):
        if rule == "Private Key":
            sure = has_body
        elif rule not in _GUESSES:
            sure = True
        elif rule == "Basic Auth Credentials":
            sure = has_login and not is_example
        else:
            sure = not is_example and (rule != "Secret Keyword" or _is_random(value))
        if sure:
            return rule
    return None


def _suspected(line: str, number: int) -> Iterator[tuple[str, str]]:
    """Yield possible secrets in ``line``: the rule that matches, and the value."""
    for name, pattern in _TOKENS.items():
        for match in pattern.finditer(line):
            yield name, match[0]
    for plugin in _plugins():
        for hit in _hits(plugin, line, number):
            if _is_value(hit.secret_value):
                yield str(plugin.secret_type), hit.secret_value


_GUESSES = ("Secret Keyword", "Basic Auth Credentials", "Base64 High Entropy String", "Hex High Entropy String")
_EXAMPLE = re.compile(r"(?<![a-z])(?:test|example|sample|fake|dummy|mock|demo|placeholder)", re.IGNORECASE)
_LOGIN = re.compile(r"://([^\s:/@]+):([^\s/@]+)@([\w.-]+)")
_COMMON = frozenset("password passwd pass secret postgres mysql root admin user guest".split())  # noqa: SIM905 - a list
# A name of several words (each with at most one digit after it), a call, a type.
_CODE = re.compile(r"[A-Za-z]+\d?(?:[._-](?:[A-Za-z]+\d?|\d{1,3}))+|.*[(\[].*")
_GUID = re.compile(r"\{?[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\}?")
_KEY_BODY = re.compile(r"(?<![A-Za-z0-9+/=])[A-Za-z0-9+/=]{40,}")


def _is_random(value: str) -> bool:
    """Return whether ``value`` is a word of letters and digits that is not code."""
    match = _FIRST_WORD.search(value)
    word = match[0].rstrip(".,;:!)") if match is not None else ""
    if _GUID.fullmatch(word):
        return False  # an identifier
    mixed = any(char.isdigit() for char in word) and any(char.isalpha() for char in word)
    return mixed and len(word) > 7 and not _CODE.fullmatch(word)


def _hits(plugin: Any, line: str, number: int) -> Any:
    return plugin.analyze_line(filename=_READ_AS, line=line, line_number=number)


def _is_value(value: str | None) -> bool:
    """Return False for a placeholder (``<token>``, ``your-key``), and for ``true`` and the like."""
    word = _FIRST_WORD.search(value or "")
    return word is not None and not _PLACEHOLDER.fullmatch(word[0].rstrip(".,;:!)"))


@cache
def _plugins() -> tuple[Any, ...]:
    from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class

    classes: Any = get_mapping_from_secret_type_to_class().values()
    return tuple(cls() for cls in sorted(classes, key=lambda cls: cls.__name__) if cls.__name__ not in _LEFT_OUT)


def without_secret(record: Record) -> Record:
    """Return ``record`` without its text if that contains a secret: the output may end up in a log."""
    return replace(record, text="(not shown)", citations=()) if secret_rule(record.shown_text) else record
