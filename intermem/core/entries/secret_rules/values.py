"""Tell the value of a secret from a placeholder, from code, and from words that only describe it."""

from __future__ import annotations

import math
import re
import string
from collections import Counter
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from intermem.core.entries.secret_rules.described import DESCRIBED
from intermem.patterns import regex


class Suspicion(NamedTuple):
    """A possible secret: the rule that found it, its value, and whether it can be nothing else.

    ``is_token``: it was issued by a service, so even an example is taken for one.
    """

    rule: str
    value: str
    sure: bool
    is_token: bool = False


# What stands for a value, or says whether there is one.
_PLACEHOLDER = regex(
    r"[<\[{$%*(].*|x+[-_x]*|(?:sk|pk|ghp|gho|key)[-_]x{3,}.*|\.+|…+"
    r"|\*+|_+|-+|#+|\?+|true|false|yes|no|on|off|none|null|nil|undefined|\d{1,3}"
    r"|your(?:[-_. ].*)?|my[-_].*|changeme.*|change[-_].*|placeholder.*|dummy.*|fake.*|example.*|redacted.*|masked"
    r"|.*[-_]here|(?:insert|replace|put|set|add|enter|some|any|todo|fixme)(?:[-_].*)?|.*(?:\.{3}|…|xxxx|XXXX|\*\*\*).*"
    r"|.*<[a-z].*|.*\$\{.*|.*\{\{.*|.*EXAMPLE.*|.*(?:abc123|123abc|xyz789|abcdef123).*",  # nobody draws these
    re.IGNORECASE | re.DOTALL,
)
# A name of several words (each with at most one digit after it), a call, a type, a reference to the environment.
_CODE = regex(
    r"[A-Za-z]+\d?(?:[._-](?:[A-Za-z]+\d?|\d{1,3}))+"  # a name
    r"|.*[(\[].*"  # a call
    r"|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*|[a-z]+(?:_[a-z0-9]+)+|[a-z]+(?:[A-Z][a-z]+)+\d?|[A-Z][a-z]+(?:[A-Z][a-z]+)+\d?"
    r"|(?:process|os|import\.meta|settings|config|self|this|env|secrets|vault|ctx|req|request|data|args|user)\.\w.*"
    r"|\^[a-z_]\w*"  # a variable that a pattern pins
    r"|[^&=\s]*&\w+=.*"  # parameters of an address
    r"|#[A-Za-z_-]+|[\w.:-]{1,40}=[^=].*|.*(?:→|->|=>).*|0x[0-9A-Fa-f]{1,16}"
    r"|[\w.-]*::[\w:]*|&?[\w>-]*->.*|@.*|--?[a-z][a-z-]*"
    # an algorithm: HMAC-SHA256, AES-256-GCM, RS256
    r"|(?i:(?:hmac|sha|aes|rsa|[rhep]s|ecdsa|eddsa|ed|ecdh|gcm|cbc|ctr|pbkdf|blake|md|secp|pkcs|oaep|3?des|chacha|poly|argon"
    r"|scrypt|bcrypt)(?:[-_]?\d{1,4}[a-z]?\d?)?(?:[-_/](?=\w))?){1,5}",
)
_PATH = regex(
    r"~?/.*|\.{1,2}/.*|[\w.@-]+(?:/[\w.@*-]+)+/?|.*\.(?:md|py|js|ts|tsx|json|ya?ml|toml|env|txt"
    r"|key|pem|go|rs|java|kt|sh|sql|html?|cfg|ini|log|lock|rb|php|cs|swift|cpp|h|com|org|net|io|dev)",
    re.IGNORECASE,
)
_URL = regex(r"[a-z][a-z0-9+.-]*://.*", re.IGNORECASE)
_GUID = regex(r"\{?[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\}?")
_DATE = regex(r"\d{4}-\d\d(?:-\d\d)?(?:[T ].*)?|v?\d+(?:\.\d+)+(?:[-+.]\w+)?|\d+(?:\.\d+)?\s?(?:[a-z]{1,5}|%)|[\d.,]+")
_CUT = regex(r"[\w-]{1,20}[-_](?:\.{3}|…)(?!\w)")
_ENDS = ".,;:!?)]}'\"`*>"
_STARTS = "'\"`*(["
_MARK = regex(r"(?:[A-Za-z]{2,10}[-_]){1,3}")  # of the service that issues a token
_COUNTED, _MOSTLY = 12, 0.8  # steps from one sign to the next: how many at least, and what share of all
_ALPHABETS = ("0123456789", string.ascii_lowercase, string.ascii_uppercase)
_NEXT = str.maketrans({one: all_of[(at + 1) % len(all_of)] for all_of in _ALPHABETS for at, one in enumerate(all_of)})
_EXAMPLE = regex(r"(?<![a-z])(?:test|example|sample|fake|dummy|mock|demo|placeholder)", re.IGNORECASE)
_HEX = regex(r"(?:0[xX])?[0-9a-f]+|[0-9A-F]+")
_NAME_WORD = regex(r"[A-Z]?[a-z]{3,}")
_PLAIN_WORD = regex(r"[a-z]{3,10}")
_TURN = regex(r"[A-Za-z](?=\d)|\d(?=[A-Za-z])")


def is_example(line: str) -> bool:
    """Return whether ``line`` says that it gives an example."""
    return _EXAMPLE.search(line) is not None


@lru_cache(maxsize=1024)
def is_placeholder(value: str) -> bool:
    """Return whether ``value`` stands for a secret (``<token>``, ``***``) or only says whether there is one.

    So does what begins as a token does and then counts (``ghp_1234567890abcdef``); a password may count.
    """
    if not value or len(set(value)) < 3 or _PLACEHOLDER.fullmatch(value) is not None:
        return True
    mark = _MARK.match(value)
    return mark is not None and counts_up(value[mark.end() :])


def counts_up(value: str) -> bool:
    """Return whether most of ``value`` is in the order of the alphabet or of digits: ``1234567890abcdef``."""
    steps = sum(following == one.translate(_NEXT) for one, following in pairwise(value))
    return steps >= _COUNTED and steps >= _MOSTLY * (len(value) - 1)


@lru_cache(maxsize=1024)
def is_code(value: str) -> bool:
    """Return whether ``value`` is a name, a call, a path, an address, a number or a date."""
    return any(form.fullmatch(value) for form in (_CODE, _PATH, _URL, _DATE))


def is_guid(value: str) -> bool:
    return _GUID.fullmatch(value) is not None


def trimmed(value: str) -> str:
    """Return ``value`` without the quotes, emphasis and punctuation around it.

    The dots of a value that was cut after its prefix (``sk-ant-...``) are a part of it.
    """
    value = value.lstrip(_STARTS)
    cut = _CUT.match(value)
    return cut[0] if cut is not None else value.rstrip(_ENDS)


def entropy(value: str) -> float:
    """Return the Shannon entropy of the characters of ``value``, in bits for each."""
    counts = Counter(value).values()
    return -sum(count / len(value) * math.log2(count / len(value)) for count in counts)


@lru_cache(maxsize=1024)
def is_drawn(value: str, least: int = 20) -> bool:
    """Return whether ``value`` is drawn by lot from letters of both cases and digits, as a service makes a token.

    Names made of words are not (``ListPageV2Handler``), nor are digests in hexadecimal.
    """
    if len(value) < least or _HEX.fullmatch(value) is not None or is_guid(value) or is_placeholder(value):
        return False
    digits, upper, lower = (sum(map(test, value)) for test in (str.isdigit, str.isupper, str.islower))
    if min(digits, max(upper, lower)) < 2 or (min(upper, lower) < 2 and (len(value) < 32 or digits < 5)):
        return False
    return not is_worded(value) and len(_TURN.findall(value)) >= 3 and entropy(value) >= 3.0


def is_worded(value: str) -> bool:
    """Return whether at least half of ``value`` are parts of names: three small letters or more in a row."""
    return sum(len(word) for word in _NAME_WORD.findall(value)) * 2 >= len(value)


def is_phrase(value: str) -> bool:
    """Return whether ``value`` is a phrase of words that make no sentence, as people choose for a passphrase."""
    words = value.split(" ")
    return 4 <= len(words) <= 12 and _is_no_sentence(words)


def _is_no_sentence(words: list[str]) -> bool:
    return all(map(_PLAIN_WORD.fullmatch, words)) and sum(word in DESCRIBED for word in words) < 2


def is_strong(value: str) -> bool:
    """Return whether ``value`` has letters, digits and a sign that only passwords have."""
    return (
        len(value) >= 8
        and is_password(value)
        and any(map(str.isdigit, value))
        and any(char in "!@#$%^&*?" for char in value)
    )


def is_mixed(value: str, least: int = 8) -> bool:
    """Return whether ``value`` is a word of letters and digits, at least ``least`` characters long, that is no code."""
    letters = any(char.isalpha() for char in value)
    digits = any(char.isdigit() for char in value)
    return letters and digits and len(value) >= least and not is_guid(value) and (not is_code(value) or is_drawn(value))


def is_password(value: str) -> bool:
    """Return whether ``value`` is a word that nobody writes but as a password: ``hunter2``, ``Tr0ub4dor&3``.

    Six characters at least, with a digit or a sign inside that no name, number, path or sentence has.
    """
    if len(value) < 6 or is_placeholder(value) or is_guid(value) or (is_code(value) and not is_drawn(value)):
        return False
    letters = any(char.isalpha() for char in value)
    digits = any(char.isdigit() for char in value)
    signs = any(char in "!@#$%^&*?~+=" for char in value)
    return letters and (digits or signs)


def is_word(value: str) -> bool:
    """Return whether ``value`` could be a password that is a plain word, and does not describe one."""
    plain = value.lower()
    return len(value) >= 5 and not is_placeholder(value) and not is_code(value) and plain not in DESCRIBED


def is_random(value: str, least: int = 16) -> bool:
    """Return whether ``value``, at least ``least`` long, looks drawn by lot: letters and digits in turns."""
    if len(value) < least or is_guid(value) or is_placeholder(value):
        return False
    turns = len(_TURN.findall(value))
    return turns >= 3 and entropy(value) >= 3.0
