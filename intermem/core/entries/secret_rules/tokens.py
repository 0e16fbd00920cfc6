"""Find tokens by their own form: what services issue, signed tokens, private keys, addresses that are secret."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from intermem.core.entries.secret_rules.catalogue import PATTERNS, PREFIXES
from intermem.core.entries.secret_rules.values import (
    Suspicion,
    counts_up,
    entropy,
    is_code,
    is_drawn,
    is_placeholder,
    is_random,
)
from intermem.patterns import regex

# Forms that the catalogue does not have, or has only with the name of the service beside them.
_FORMS: tuple[tuple[str, str, str], ...] = (
    ("AWS Access Key", "A", r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b"),
    ("Anthropic API key", "sk-ant-", r"\bsk-ant-[\w-]{20,}"),
    ("OpenAI key", "sk-", r"\bsk-(?:proj|svcacct|admin|None)-[\w-]{20,}|\bsk-[A-Za-z0-9]{32,}"),
    ("Google API key", "AIza", r"\bAIza[\w-]{30,}"),
    ("Slack token", "xox", r"\bxox[a-z]-[\w-]{20,}"),
    ("Asana token", "/1", r"(?<![\w/])[12]/1\d{10,20}:[0-9a-f]{32}\b"),
    ("NuGet key", "oy2", r"\boy2[a-z0-9]{43}\b"),
    ("Google OAuth secret", "GOCSPX-", r"\bGOCSPX-[\w-]{20,}"),
    ("Google OAuth token", "ya29.", r"\bya29\.[\w-]{20,}"),
    ("Hugging Face token", "hf_", r"\bhf_[A-Za-z0-9]{30,}"),
    ("JSON Web Token", "eyJ", r"\beyJ[\w-]{8,}\.[\w-]{10,}(?:\.[\w-]*){0,3}"),
    ("Vault token", "hvs.", r"\bhv[sbr]\.[\w-]{16,}"),
    ("Terraform Cloud token", ".atlasv1.", r"\b[A-Za-z0-9]{10,20}\.atlasv1\.[\w=-]{30,}"),
    ("Azure client secret", "8Q~", r"(?<![\w~.])[\w~.]{3}\dQ~[\w~.-]{30,36}"),
    ("Telegram bot token", ":A", r"(?<!\d)\d{8,10}:A[\w-]{32,36}(?![\w-])"),
    ("Discord bot token", ".", r"(?<![\w.])[MNO][A-Za-z\d_-]{23,27}\.[\w-]{6,7}\.[\w-]{27,45}(?![\w.])"),
    ("SendGrid key", "SG.", r"\bSG\.[\w-]{16,32}\.[\w-]{16,64}"),
    ("Mailgun key", "key-", r"\bkey-[0-9a-z]{32}\b"),
    ("Mailchimp key", "-us", r"\b[0-9a-f]{32}-us\d{1,2}\b"),
    ("Twilio key", "SK", r"\bSK[0-9a-f]{32}\b"),
    ("Square token", "sq0", r"\bsq0[a-z]{3}-[\w-]{22,60}"),
    ("Doppler token", "dp.", r"\bdp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{20,}"),
    ("age secret key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[A-Z0-9]{20,}"),
    (
        "password hash",
        "$",
        r"(?<![\w$])\$(?:2[abxy]\$\d\d|[156y]|apr1|argon2(?:id?|d)\$v=\d+\$[mtp=,\d]+)\$[\w./$+=-]{20,}",
    ),
    ("Ansible vault", "$ANSIBLE_VAULT;", r"\$ANSIBLE_VAULT;[\d.]+;AES256"),
    ("Slack webhook", "hooks.slack.com/", r"hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/[\w/+-]{20,}"),
    ("Discord webhook", "/api/webhooks/", r"discord(?:app)?\.com/api/(?:v\d+/)?webhooks/\d{10,}/[\w-]{20,}"),
    ("Teams webhook", ".webhook.office.com/", r"\.webhook\.office\.com/webhookb2/[\w@/-]{20,}"),
    ("webhook", "/hooks/catch/", r"hooks\.zapier\.com/hooks/catch/\d+/\w{5,}"),
    ("Telegram bot address", "api.telegram.org/bot", r"api\.telegram\.org/bot\d+:[\w-]{20,}"),
    ("Sentry DSN", "@", r"https?://[0-9a-f]{32}(?::[0-9a-f]{32})?@[\w.-]+/\d+"),
    ("one-time password secret", "otpauth://", r"otpauth://[ht]otp/\S{0,200}?secret=[A-Z2-7]{10,}"),
)
_PRIVATE_KEY = regex(r"-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----|\bPuTTY-User-Key-File-\d")
_SECRET_ADDRESS = regex(
    r"https?://[^\s/]{3,200}(?:/[^\s/]{0,200}){0,8}?(?:hooks?|webhooks?|incoming)[^\s/]{0,40}/([^\s<>\"'`)]{16,300})",
    re.I,
)
# A beginning as services choose them, and a body with nothing but letters and digits.
_UNKNOWN = regex(r"(?<![\w./@#=-])((?:[A-Za-z][A-Za-z0-9]{1,11}[-_.]){1,4})([A-Za-z0-9]{20,200})(?![\w./-]*\.\w)")
_BARE = regex(r"(?<![\w./@#=+-])[A-Za-z0-9+/_-]{24,200}={0,2}(?![\w./=+-])")
_LONG_WORD = regex(r"[\w.+~-]{16,}")
# Longer beginnings first: the most telling name wins. Those with other signs are looked for one by one.
_BEGINNINGS = dict(sorted(((one, name) for name, ones in PREFIXES for one in ones), key=lambda pair: -len(pair[0])))
_WITH_SIGNS = tuple(one for one in _BEGINNINGS if re.fullmatch(r"[\w.+~-]+", one) is None)
_WORDS = tuple(one for one in _BEGINNINGS if one not in _WITH_SIGNS)
_CHECKSUM = regex(r"sha\d{1,3}|md5")
_RUNS = regex(r"[A-Za-z0-9]{16,}")
_DIGEST = regex(r"sha|md5|hash|rev|git|commit|blob|etag|dig|crc|img|id|ver|build|trace|span|req|run", re.IGNORECASE)
_PREFIXED_HEX = regex(r"(?<![\w./@#=-])((?:[a-z]{2,8}[_-]){1,3})([0-9a-f]{32,128})(?![\w./-]*\w)")
_PREFIXED_GUID = regex(
    r"(?<![\w-])(?:pat|sdk|mob|key|api|tok|token|sk|secret)-(?:[a-z0-9]{2,5}-)?"
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\w-])"
)
_IN_WORDS = regex(r"[A-Z]+(?:[_-][A-Z]+)+|[a-z]+(?:[_-][a-z]+)+")
_LEAST_BODY = 12
# What is public by its form, though drawn by lot: digests, SSH and X.509 public keys (the beginnings of their DER), and
# what is called a public key or a fingerprint.
_PUBLIC = regex(
    r"\b(?:sha(?:1|224|256|384|512)|md5|h1)[-:][\w+/-]{16,200}={0,2}"
    r"|\b(?:ssh-[a-z0-9]{3,10}|ecdsa-sha2-nistp\d{3}|sk-[\w-]{5,40}@openssh\.com)\s+AAAA[\w+/]{20,2000}={0,2}"
    r"|(?<![\w+/])(?:MCowBQYDK2V|MFkwEwYHKoZIzj0|MHYwEAYHKoZIzj0|MII[BC]IjANBgkqhkiG9w0)[\w+/]{20,2000}={0,2}"
    r"|(?:public[ _-]?key|fingerprint)\W{1,5}(?:is\W{1,3}|=\W{0,2})?[\w+/]{16,200}={0,2}",
    re.IGNORECASE,
)
_PAGE = regex(r"(?<=\w/)(?:[A-Z][A-Za-z0-9]{0,30}-){2,12}[0-9a-f]{32}(?![\w./-])")  # its title and its number


def tokens_in(line: str) -> Iterator[Suspicion]:
    """Yield the tokens in a folded line."""
    yield from _known(line)
    yield from _issued(_PAGE.sub("", line))
    if _PRIVATE_KEY.search(line) is not None:
        yield Suspicion("Private Key", line, sure=True)
    for match in _SECRET_ADDRESS.finditer(line):
        if is_random(match[1].split("/")[-1], 16):
            yield Suspicion("webhook", match[1], sure=False)
    yield from _unknown(without_public(line))


def without_public(line: str) -> str:
    """Return ``line`` with blanks in place of what is public by its form, though drawn by lot."""
    return _PUBLIC.sub(lambda match: " " * len(match[0]), line)


def _known(line: str) -> Iterator[Suspicion]:
    for name, part, pattern in _FORMS:
        if part in line:
            for match in _compiled(pattern).finditer(line):
                if part.startswith("$") or not (is_placeholder(match[0]) or _is_told(match[0].removeprefix(part))):
                    yield Suspicion(name, match[0], sure=True, is_token=True)


def _is_told(body: str) -> bool:
    """Whether words say what is to stand behind a beginning: ``YOUR_DEV_TOKEN``, with no digit and in one case.

    Or somebody counted: ``1234567890abcdef``.
    """
    return counts_up(body) or (_IN_WORDS.fullmatch(body) is not None and is_placeholder(body))


def _issued(line: str) -> Iterator[Suspicion]:
    for match in _LONG_WORD.finditer(line):
        word = match[0].lstrip("-.")
        if word.startswith(_WORDS):
            name, beginning = next((name, one) for one, name in _BEGINNINGS.items() if word.startswith(one))
            body = word.removeprefix(beginning).rstrip(".-_")
            if _is_issued(body) or _is_issued(body.partition(".")[0]):  # a path may end so: ``….py``
                yield Suspicion(name, word, sure=True, is_token=True)
        elif any(map(is_drawn, _RUNS.findall(word))):
            for match in _inside().finditer(word):
                if is_drawn(match[2]):
                    yield Suspicion(_BEGINNINGS[match[1]], match[0], sure=True, is_token=True)
    for beginning in _WITH_SIGNS:
        if beginning in line:
            for match in _compiled(rf"{re.escape(beginning)}([\w./+=-]{{{_LEAST_BODY},}})").finditer(line):
                if _is_issued(match[1].rstrip(".-_/=")):
                    yield Suspicion(_BEGINNINGS[beginning], match[0], sure=True, is_token=True)
    for name, beginnings, pattern in PATTERNS:
        if any(beginning in line for beginning in beginnings):
            for match in _compiled(pattern).finditer(line):
                if _is_issued(match[0]):
                    yield Suspicion(name, match[0], sure=True, is_token=True)


def _is_issued(body: str) -> bool:
    """Whether what follows a beginning was drawn by lot: digits, or both cases, and no words with separators."""
    if len(body) < _LEAST_BODY or is_placeholder(body) or counts_up(body):
        return False
    digits = sum(char.isdigit() for char in body)
    return (digits >= 2 and not is_code(body)) or _both_cases(body)


def _both_cases(body: str) -> bool:
    """Whether capitals stand inside words, as chance puts them."""
    changes = sum(a.islower() != b.islower() for a, b in pairwise(body) if a.isalpha() and b.isalpha())
    return changes * 3 >= len(body)


def _unknown(line: str) -> Iterator[Suspicion]:
    """Yield words drawn by lot that no service is known for; digests and identifiers in hexadecimal are none."""
    for match in _UNKNOWN.finditer(line):
        if is_drawn(match[2]):
            yield Suspicion("token", match[0], sure=False)
    for match in _PREFIXED_HEX.finditer(line):
        if is_random(match[2], 32) and _DIGEST.search(match[1]) is None:
            yield Suspicion("token", match[0], sure=False)
    for match in _PREFIXED_GUID.finditer(line):
        yield Suspicion("token", match[0], sure=False)
    for match in _BARE.finditer(line):
        word, start = match[0], match.start()
        is_checksum = _CHECKSUM.search(line, max(start - 10, 0), start + 7) is not None
        if not is_checksum and entropy(word) >= 3.8 and any(is_drawn(run) for run in _RUNS.findall(word)):
            yield Suspicion("High Entropy String", word, sure=False)


@cache
def _inside() -> re.Pattern[str]:
    """A token in a longer name, such as that of a file: its beginning and its body."""
    beginnings = "|".join(re.escape(one) for one in _WORDS if len(one) >= 4 and one.endswith(("_", "-")))
    return re.compile(rf"(?<=[.+~_-])({beginnings})([A-Za-z0-9]{{20,}})")


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
