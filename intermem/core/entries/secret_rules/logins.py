"""Find secrets in places that have a form of their own: headers, queries, logins, phrases and codes to recover."""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator

from intermem.core.entries.secret_rules.values import (
    Suspicion,
    is_code,
    is_mixed,
    is_password,
    is_placeholder,
    is_random,
    trimmed,
)
from intermem.patterns import regex

_SCHEME = regex(r"\b(?P<scheme>bearer|token|apikey|basic|digest)[ :=]{1,3}[\"'`]?(?=[\w.~+/=-]{8})", re.IGNORECASE)
_CREDENTIALS = regex(r"[\w.~+/=-]{8,2000}")
_QUERY = regex(
    r"[?&;][\w.-]{0,30}?(?:(?P<chosen>pass(?:word|wd|phrase)?|pwd)|token|key|secret|sig|appid|signature|auth|code|credential)"
    r"[\w-]{0,10}=(?P<bare>[^\s&;\"'`<>)]{4,400})",
    re.IGNORECASE,
)
# "log in as admin / hunter2", "creds: admin:hunter2"
_LOGIN = regex(
    r"(?:creds?|credentials?|log(?:ged)? ?ins?|sign(?:ed)?[ -]in|zugangsdaten|connexion|acceso)(?![\w-])[^\n/:=]{0,40}?"
    r"[ :]{1,3}[`'\"]?(?P<user>[\w.@+-]{2,60})[`'\"]? ?[/:] ?[`'\"]?(?P<bare>[^\s\"'`/]{6,100})(?![/\w])",
    re.IGNORECASE,
)
_USER = regex(
    r"(?:accounts?|users?(?:name)?|ssh|rdp|ftp|auth|wi-?fi|wlan|ssid|vpn)(?![\w-])[ :]{1,3}[`'\"]?"
    r"(?P<user>[\w.@+-]{2,60})"
    r"[`'\"]? [/:] ?[`'\"]?"
    r"(?P<bare>[^\s\"'`/]{6,100})(?![/\w])",
    re.IGNORECASE,
)
_NAMED = regex(
    r"(?<![\w./@:-])(?:root|admin(?:istrator)?|pi|sa|postgres|guest|test|demo|user|ubuntu|deploy|operator|oracle|git|bot|ci"
    r"|svc[\w-]{0,20}|[\w.+-]{1,40}@[\w.-]{2,60})[`'\"]? ?[/:] ?[`'\"]?(?P<bare>[^\s\"'`/]{6,100})(?![/\w])",
    re.IGNORECASE,
)
_NETRC = regex(r"\blogin\s{1,5}\S{1,100}\s{1,5}password\s{1,5}(\S{3,200})")
_PGPASS = regex(r"(?:^|[\s`])[\w.*-]{1,100}:(?:\d{2,5}|\*):[\w*-]{1,60}:[\w.-]{1,60}:([^\s:`]{4,100})`?\s*$")
_ENV = regex(
    r"\b(?:ENV|ARG|set|setx|setenv|export) \w{0,40}(?i:pass(?:word|wd)?|pwd|secret|token|key)\w{0,20} [\"']?(\S{6,200})"
)
_SEED = regex(
    r"(?:seed|mnemonic|recovery|wallet|backup)[ -]?(?:phrase|words?)?[^:=\n]{0,40}[:=]?\s{0,3}[\"'`]?"
    r"((?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})(?!\w)",
    re.IGNORECASE,
)
_PIN = regex(
    r"(?:\bPIN(?: code)?|\b(?:door|alarm|gate|unlock|safe|access|entry) code|passcode)\b[^.\n]{0,30}?(?:is|:|=)\s{0,3}"
    r"[\"'`]?(\d{4,8})(?!\w)"
)
_CODES = regex(
    r"(?:backup|recovery|2fa|mfa|totp|otp|scratch)[ _-]?(?:codes?|seed|secret|key)\b"
    r"[^\n:=]{0,30}?(?:[:=]|is|are)\s{0,3}"
    r"[\"'`]?([A-Za-z0-9]{4,40}(?:[- ][A-Za-z0-9]{4,10}){0,5})",
    re.IGNORECASE,
)
_PROSE = frozenset("the and for with that are not you your our use was has had this from".split())  # noqa: SIM905 - a list
_LEAST_CODE = 16


def logins_in(line: str, lowered: str) -> Iterator[Suspicion]:
    """Yield the secrets in a folded line that stand where such things stand; ``lowered`` is it in lower case."""
    if any(word in lowered for word in ("bearer", "token", "apikey", "basic", "digest")):
        yield from _headers(line)
    if "=" in line:
        for match in _QUERY.finditer(line):
            value = trimmed(match["bare"])
            if is_password(value) if match["chosen"] is not None else is_random(value, 10):
                yield Suspicion("secret in a query", value, sure=is_mixed(value, 20))
    if any(
        word in lowered
        for word in (
            "cred",
            "log",
            "sign",
            "zugang",
            "user",
            "account",
            "ssh",
            "auth",
            "connexion",
            "wi",
            "vpn",
            "ssid",
            "access",
        )
    ):
        yield from _pairs(line)
        yield from _named(line, lowered)
    yield from _lines(line, lowered)
    yield from _recovery(line, lowered)


def _headers(line: str) -> Iterator[Suspicion]:
    for scheme in _SCHEME.finditer(line):
        match = _CREDENTIALS.match(line, scheme.end())
        value = match[0].rstrip(".") if match is not None else ""
        if scheme["scheme"].lower() == "basic":
            if _is_login(value):
                yield Suspicion("Authorization header", value, sure=True)
        elif is_random(value, 12) or (is_mixed(value, 10) and is_password(value)):
            yield Suspicion("Authorization header", value, sure=is_mixed(value, 16))


def _is_login(value: str) -> bool:
    """Whether ``value`` is ``user:password`` in base 64."""
    try:
        text = binascii.a2b_base64(value, strict_mode=True).decode("utf-8")
    except ValueError:
        return False
    return ":" in text and text.isprintable()


def _pairs(line: str) -> Iterator[Suspicion]:
    for pattern in (_LOGIN, _USER):
        for match in pattern.finditer(line):
            value = trimmed(match["bare"])
            if is_password(value) and match["user"][0] not in "<${%[":
                yield Suspicion("login", value, sure=False)


def _named(line: str, lowered: str) -> Iterator[Suspicion]:
    """Yield the password beside a usual name, in a line that speaks of logging in: ``admin/hunter2``."""
    if "log" in lowered or "cred" in lowered or "sign in" in lowered or "access" in lowered or "account" in lowered:
        for match in _NAMED.finditer(line):
            if is_password(trimmed(match["bare"])):
                yield Suspicion("login", trimmed(match["bare"]), sure=False)


def _lines(line: str, lowered: str) -> Iterator[Suspicion]:
    """Yield the secrets of lines as files have them: .netrc, .pgpass, a Dockerfile."""
    if "login" in lowered:
        for match in _NETRC.finditer(line):
            if not is_placeholder(match[1]) and not is_code(match[1]):
                yield Suspicion("login", match[1], sure=is_mixed(match[1]))
    if line.count(":") >= 4:
        for match in _PGPASS.finditer(line):
            if not is_placeholder(match[1]) and not is_code(match[1]):
                yield Suspicion("login", match[1], sure=False)
    if "ENV" in line or "ARG" in line or "set" in line or "export" in line:
        for match in _ENV.finditer(line):
            if is_password(trimmed(match[1])):
                yield Suspicion("Secret Keyword", trimmed(match[1]), sure=is_mixed(match[1]))


def _recovery(line: str, lowered: str) -> Iterator[Suspicion]:
    if any(word in lowered for word in ("seed", "mnemonic", "recovery", "wallet", "backup")):
        for match in _SEED.finditer(line):
            if not _PROSE & set(re.split(r"[ ,]+", match[1].lower())):
                yield Suspicion("seed phrase", match[1], sure=False)
    if "code" in lowered or "PIN" in line:
        for match in _PIN.finditer(line):
            yield Suspicion("PIN", match[1], sure=False)
    if any(word in lowered for word in ("backup", "recovery", "2fa", "mfa", "otp", "scratch")):
        for match in _CODES.finditer(line):
            if sum(map(str.isdigit, match[1])) >= 3 or (len(match[1]) >= _LEAST_CODE and match[1].isupper()):
                yield Suspicion("one-time code", match[1], sure=False)
