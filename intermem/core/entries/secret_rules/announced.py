"""Find secrets that a word announces: in assignments, table cells, and sentences of several languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from intermem.core.entries.secret_rules.described import DESCRIBED
from intermem.core.entries.secret_rules.values import (
    Suspicion,
    is_drawn,
    is_guid,
    is_mixed,
    is_password,
    is_phrase,
    is_placeholder,
    is_random,
    is_strong,
    is_word,
    is_worded,
    trimmed,
)
from intermem.patterns import regex

# All patterns of words are for text in lower case. What a person chooses can be any word …
_CHOSEN = (
    r"pass(?:words?|wd|phrases?|codes?|wort|keys?)?|pwd|pw|psk|kennwort|contrase[ñn]a|mot de passe|senha|has[łl]o"
    r"|wachtwoord|l[öo]senord|şifre|parola|парол[ья]"
    r"|密[码碼]|口令|パスワード|비밀번호|패스워드|암호|mật khẩu"
)
# … what a program makes is drawn by lot.
_MADE = (
    r"secrets?|tokens?|bearer|credentials?|creds?|authorization|_?auth|cookie|sess(?:ion)?[ _-]?id|dsn"
    r"|令牌|密[钥鑰]|秘钥|トークン|キー|토큰|키|clave|schlüssel|keys?(?:[_-]data)?"
)
_WORD = regex(rf"(?P<chosen>{_CHOSEN})|(?:{_MADE})")
# Words that are parts of others: they must stand alone, or in a name (``DB_PASS``, ``apiKey``).
_SHORT = frozenset("pass pw psk keys key auth dsn haslo senha clave creds cred 키 キー".split())  # noqa: SIM905 - a list
_PARTICLES = "는은이가를을의로에와과도はがをのにでと"
# To the next blank, or the end of a code span that signs of another script follow: "`Pwd=a;b;c`、base64url".
_BARE = r"(?P<bare>[^\s\"'`:=](?:[^\s`]|`(?![^\x00-\x7f])){2,250})"
_QUOTED = r"(?P<quote>[\"'`])(?P<quoted>[^\"'`\n]{1,300})(?P=quote)"
# ``_HASH=``, ``": "``, ``** (staging): ``, `` | ``, ``</x>``: what may stand between the word and its value.
_ASSIGNMENT = regex(
    r"(?P<rest>[\w.-]{0,40})[\"'`*\])]{0,5}(?: ?\([^()\n]{1,60}\))?[*`]{0,3}\s{0,4}"
    rf"(?P<sep>:=|=>|->|→|==?|:|\|(?= )|>(?=[^<>\n]{{4,200}}</)|[\"'] value=)[ \t*]{{0,6}}(?:{_QUOTED}|{_BARE})"
)
_IS = (
    r"(?:is|was|are|remains|=|:|to|becomes|ist|lautet|war|est|es|era|é|è|jest|это|—|là|->|→)(?!\w)|[是为為はが은는이가]"
)
_FILLER = r"(?:(?:now|still|currently|just|set|changed|to|always|simply|temporarily|actually|jetzt|noch|ahora) ){0,3}"
_SENTENCE = regex(
    rf"(?P<between>[^\n.;:=|`\"']{{0,60}}?)[ *]{{0,3}}(?:{_IS})[ *]{{0,3}}{_FILLER}(?:{_QUOTED}|{_BARE})", re.IGNORECASE
)
_BESIDE = regex(rf"[\"'`*]{{0,3}} {{1,3}}(?:of )?[\"'`*]{{0,3}}{_BARE}")
# "use hunter2 as the password", "… (API key)"
_BEFORE = regex(
    r"(?P<bare>\S{4,200}) (?:\(|(?:is|as|being|for|=|was|on) )(?:the |our |its |my |a |your )?(?:[\w-]{1,20} ){0,3}$",
    re.IGNORECASE,
)
_ONE_WORD = regex(r"[\w~+/-]+={0,2}")
_BEFORE_LENGTH = 120
# A name that ends so tells something about the secret: where it is, what kind, for how long.
_ABOUT = regex(
    r".*(?:ids?|names?|file|path|dir|ur[li]|types?|length|len|size|count|limit|ttl|expiry|expires?|age|arn|ref|field|policy"
    r"|format|prefix|suffix|version|hint|label|enabled|required|budget|usage|cost|provider|manager|stor(?:e|age)|endpoint"
    r"|host|port|table|column)",
    re.IGNORECASE,
)
_NO_SECRET = regex(
    r"(?:public(?:[ _-]?key)?|pub|primary|foreign|cache|partition|sort|hot|short|group|composite|idempotency"
    r"|design)[ _-]?$|sessionid$"
)
_USER = regex(r"user|login|account|log in|sign in")
_NAME = regex(r"[\w-]*$")
# Endings of adjectives, participles and other words that tell of a password and are none.
_WORDY = regex(
    r".*(?:ed|ing|[ai]ble|ive|[eai]nt|ful|less|al|ic|ly|ous|[oa]ry|[ts]ion|ment|ness|ity|er|or|en|es|ss|ts|ns)|.*[A-Z].*",
    re.DOTALL,
)
_BLANK = regex(r"\s")
_MAX_WORDS = 12  # without a space between them; a line of a megabyte may be nothing else
_LEAST_PLAIN, _LEAST_CHANCE = 7, 20


def announced_in(line: str, lowered: str) -> Iterator[Suspicion]:
    """Yield what a word in a folded line announces; ``lowered`` is the line in lower case, position by position."""
    run_stop = words = 0
    for match in _WORD.finditer(lowered):
        start, stop = match.span()
        words = words + 1 if start < run_stop else 0
        if start >= run_stop:
            blank = _BLANK.search(line, stop)
            run_stop = blank.start() if blank is not None else len(line)
        elif words > _MAX_WORDS:
            continue
        if match[0] in _SHORT and not _stands_alone(line, start, stop):
            continue
        chosen = match["chosen"] is not None
        assigned = _ASSIGNMENT.match(line, stop)
        if assigned is not None:
            yield from _assigned(assigned, lowered[max(start - 24, 0) : start], match[0], chosen=chosen)
        if match[0] != "pass":
            said = _SENTENCE.match(line, stop)
            if said is not None and not _NO_SECRET.search(lowered, max(start - 24, 0), start):
                yield from _said(said, chosen=chosen)
        yield from _near(line, lowered, match, chosen=chosen)


def _stands_alone(line: str, start: int, stop: int) -> bool:
    """Whether the word is one by itself: in camel case it begins with a capital, and no small letter follows."""
    before, after = line[start - 1 : start], line[stop : stop + 1]
    if not line[start].isascii() and _is_syllable(before) and _is_syllable(after) and after not in _PARTICLES:
        return False  # "패키지" is a package
    return not (before.isalpha() and before.isascii() and line[start].islower()) and not (
        after.isalpha() and after.islower() and after.isascii()
    )


def _is_syllable(character: str) -> bool:
    return character.isalpha() and not character.isascii()


def _assigned(match: re.Match[str], before: str, word: str, *, chosen: bool) -> Iterator[Suspicion]:
    rest, quoted = match["rest"], match["quoted"]
    value = trimmed(match["bare"]) if quoted is None else quoted.strip()
    if chosen and is_phrase(value):
        yield Suspicion("passphrase", value, sure=False)
    if _is_described(rest, value) or _NO_SECRET.search(before) or (word.startswith("sess") and is_guid(value)):
        return
    if chosen or rest.lower().endswith(("_pass", "password", "passwd", "pwd")):
        ends = quoted is not None or _ends_clause(match)
        if is_password(value) or (ends and match["sep"] != "|" and is_word(value)):
            yield Suspicion("Secret Keyword", value, sure=is_mixed(value))
    elif is_mixed(value) and (is_password(value) or is_random(value, 8)):
        yield Suspicion("Secret Keyword", value, sure=True)
    elif _is_chance(value) or (is_guid(value) and match["sep"] in ("=", ":")):
        yield Suspicion("Secret Keyword", value, sure=False)


def _is_described(rest: str, value: str) -> bool:
    if " " in value or is_placeholder(value) or value.lower() in DESCRIBED:
        return True
    return bool(rest and _ABOUT.fullmatch(rest))


def _is_chance(value: str) -> bool:
    """Whether a long word changes its case as only chance does; it may have no digit at all."""
    if is_drawn(value):
        return True
    if len(value) < _LEAST_CHANCE or not value.isascii() or is_guid(value) or is_worded(value):
        return False
    changes = sum(a.islower() != b.islower() for a, b in pairwise(value) if a.isalpha() and b.isalpha())
    return changes * 3 >= len(value)


def _ends_clause(match: re.Match[str]) -> bool:
    rest = match.string[match.end() : match.end() + 4].strip()
    return not rest or (match["bare"] or "")[-1:] in (*".,;)",) or rest[:1] in "(|,;#" or rest.startswith(("//", "<!-"))


def _said(match: re.Match[str], *, chosen: bool) -> Iterator[Suspicion]:
    quoted = match["quoted"]
    value = quoted.strip() if quoted is not None else trimmed(match["bare"])
    if chosen and is_phrase(value):
        yield Suspicion("passphrase", value, sure=False)
    if _is_described("", value):
        return
    if chosen:
        if is_password(value) or _is_plain(value, match, quoted=quoted is not None):
            yield Suspicion("password in a sentence", value, sure=is_mixed(value))
    elif is_random(value, 12) or _is_chance(value) or is_strong(value):
        yield Suspicion("secret in a sentence", value, sure=False)


def _is_plain(value: str, match: re.Match[str], *, quoted: bool) -> bool:
    """Whether a plain word can be the password itself: quoted, or the last of its clause and no adjective."""
    if quoted:
        return is_word(value)
    return is_word(value) and len(value) >= _LEAST_PLAIN and _ends_clause(match) and _WORDY.fullmatch(value) is None


def _near(line: str, lowered: str, word: re.Match[str], *, chosen: bool) -> Iterator[Suspicion]:
    """Yield a value right after the word (``pw hunter2``), or before it (``use hunter2 as the password``)."""
    start, stop = word.span()
    if _NO_SECRET.search(lowered, max(start - 24, 0), start):
        return
    beside = _BESIDE.match(line, stop)
    if beside is not None:
        value = trimmed(beside["bare"])
        if word[0] == "pass" and not is_drawn(value) and not _USER.search(lowered, max(start - 60, 0), start):
            return
        is_labelled_guid = is_guid(value) and word[0].startswith(("token", "key", "secret", "_auth"))
        if chosen and is_password(value):
            yield Suspicion("password in a sentence", value, sure=is_mixed(value))
        elif not chosen and (is_labelled_guid or (is_random(value, 12) and not value.isupper()) or is_drawn(value)):
            yield Suspicion("secret in a sentence", value, sure=False)
    before = None if word[0] == "pass" else _BEFORE.search(line[max(start - _BEFORE_LENGTH, 0) : start])
    if before is not None:
        value = trimmed(before["bare"])
        if is_password(value) if chosen else (_ONE_WORD.fullmatch(value) and is_random(value, 24)):
            yield Suspicion("password in a sentence", value, sure=False)
