"""Detect what the line of a name, or the comment above it, says of the thing: absent, wrong, packed, one of many.

In code and in drawings a remark stands beside a name; sentences are read by ``stance``.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from intermem.core.citations import stance_elsewhere as elsewhere
from intermem.core.citations import stance_english as english
from intermem.core.citations.stance import any_of
from intermem.core.markdown.inline import code_spans
from intermem.patterns import regex

# After a line of code or of a diagram: the start of a remark, and what it may say.
_REMARK = regex(r"\s\#|//|<!--|<-|←|—|\s--\s|\(")
_REMARKED = regex(
    r"\b(?:deleted|removed|deprecated|gone|moved|renamed|obsolete|retired|optional|if\s(?:any|applicable|present|needed)"
    r"|when\s(?:implemented|ready|done|available|needed)|si\saplica|examples?|placeholders?"
    r"|once\s(?:(?:[\w-]+\s){1,2}(?:adds|lands|ships)|it\s(?:exists|is\s(?:there|added|created)))"
    r"|forbidden|prohibited|banned|not\sallowed|verboten|interdit|prohibid[oa]|proibid[oa]|vietat[oa]|запрещено|禁止|금지"
    r"|planned|todo(?!\s(?:apps?|ui|views?|pages?|screens?|models?|components?)\b)|future|coming\ssoon|not\syet|(?:auto-?)?generated|git-?ignor(?:ed?|iert\w{0,2}|ée?s?|ad[oa]s?)|not\scommitted|at\sruntime)\b",
    re.IGNORECASE,
)
_MAX_REMARK = 300
# In front of a name in a remark: what was there before.
_CAME_FROM = regex(
    r"(?:(?:^|\s)\#|//|<!--|<-|←|—|\s--\s|\() [^\n]*? \b"
    r" (?:(?:renamed|moved|migrated|extracted|split|ported|copied|merged|relocated)"
    r" \s (?:here\s)? (?:out\sof|from|away\sfrom) | formerly | previously"
    r" | (?:replac|supersed)(?:es|ed|ing) (?:\s(?:the|our|an?))?"
    r" | (?:legacy|former|old) (?:\s(?!(?:with|by|via|in|from|to|of|on|for|and|or|using)\s)[\w-]+)?) \s [`\"']? $"
    r"| (?:[(\#—,;]|//) \s? (?:was|were|war|era|eran|était|étaient) \s [`\"']? $",
    re.IGNORECASE | re.VERBOSE,
)


# Between the word and a name in the same comment: what follows is the right way.
_INSTEAD = regex(r"[.;。；]\s|\b(?:see|instead|except|but|is\sin|are\sin)\b", re.IGNORECASE)
_ABOVE = 600  # characters before a name in which something may be said of it
# A comment in code or in a picture which says that what stands below is how not to do it.
_COMMENT = regex(r"[ \t]*(?:\#+|//+|--+|;+|/\*+|<!--)[ \t]*(?P<words>[^\n]*)")
_WRONG = regex(
    r"(?:❌|✗|✘|🚫|⛔)|(?:wrong|bad|incorrect|anti-?patterns?|falsch|schlecht|faux|mauvais|incorrecto|errado|sbagliato|неправильно"
    r"|плохо|źle|fout|fel|错误|錯誤|反例|悪い例|ng|잘못"
    r"|forbidden|prohibited|not\sallowed|verboten|interdit|prohibid[oa]|proibid[oa]|vietato|запрещено|禁止|금지)"
    r"(?=\s*(?:$|[:：—–(（.,!]|way|examples?|practice|patterns?|code|usage)|\s+-\s)"
    r"|(?:don['’]?t|do\snot|never|avoid)(?=\s*(?:$|[:：—–(]|do\s(?:this|it|so)\b|(?:this|use|like)\b))",
    re.IGNORECASE,
)
# The same, in the remark behind a name: "(WRONG - written by hand)", and not "# wrong-password and other errors".
_IS_WRONG = regex(
    r"\s?(?:❌|✗|✘|🚫|⛔|(?:wrong|bad|incorrect|anti-?pattern|falsch|incorrecto|errado|sbagliato|неправильно|错误|錯誤)"
    r"(?=\s?(?:$|[:：)）!])|\s[—–-]\s))",
    re.IGNORECASE,
)


def is_remarked(text: str, stop: int) -> bool:
    """Return whether a remark after ``stop``, on the same line, says that a thing may be absent."""
    end = text.find("\n", stop, stop + _MAX_REMARK)
    rest = text[stop : end if end != -1 else stop + _MAX_REMARK]
    begun = _REMARK.search(rest)
    if begun is None:
        return False
    return _REMARKED.search(rest, begun.end()) is not None or _IS_WRONG.match(rest, begun.end()) is not None


def is_shown_as_wrong(text: str, start: int) -> bool:
    """Return whether the comment above ``start``, with no blank line between, says that this is how not to do it.

    So may the comment that ``start`` is in, by its first words. Not many lines above: a text may be one block of a
    megabyte.
    """
    here = text.rfind("\n", 0, start)
    own = _COMMENT.match(text, here + 1, min(len(text), start + _ABOVE)) if start - here <= _ABOVE else None
    said = _WRONG.match(own["words"]) if own is not None else None
    if own is not None and said is not None:
        stop = own.start("words") + said.end()
        if stop <= start and _INSTEAD.search(text, stop, start) is None:
            return True
    for line in reversed(text[max(here - _ABOVE, 0) : max(here, 0)].split("\n")):
        if not line.strip():
            return False
        comment = _COMMENT.match(line)
        if comment is not None:
            return _WRONG.match(comment["words"]) is not None
    return False


_RIGHT = regex(
    r"(?:✅|✓|✔)|(?:right|good|correct|preferred|better)(?=\s*(?:$|[:：—–(]))|do(?:\s(?:this|it))?(?=\s*(?:$|[:：]))",
    re.IGNORECASE,
)


def is_about_style(code: str) -> bool:
    """Return whether comments in ``code`` tell the right from the wrong: it shows how to write, by any names."""
    comments = (_COMMENT.match(line) for line in code.split("\n"))
    said = [one["words"] for one in comments if one is not None]
    return any(_WRONG.match(words) for words in said) or any(_RIGHT.match(words) for words in said)


# How grave a message of a log is, near a word that says so or another of them: no name of this code.
_LEVEL = r"TRACE|DEBUG|VERBOSE|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL"
_IS_LEVEL = regex(_LEVEL)
_OF_A_LOG = regex(rf"(?i:\blog(?:s|ged|ging|gers?)?\b|\blevels?\b)|日志|ログ|로그|\bлог|\b(?:{_LEVEL})\b")
_BESIDE_IT = 40  # characters


def is_log_level(text: str, start: int, stop: int) -> bool:
    """Return whether a text speaks of the level of messages at ``start`` to ``stop``: "at `DEBUG` level"."""
    if _IS_LEVEL.fullmatch(text[start:stop].strip("` ")) is None:
        return False
    before, after = text[max(0, start - _BESIDE_IT) : start], text[stop : stop + _BESIDE_IT]
    return any(_OF_A_LOG.search(side) is not None for side in (before, after))


# What sample code imports from beside its own file, wherever that is: "import { heat } from './rack.js'".
_IMPORTS = regex(r"(?:\bfrom|\bimport|\b(?:require|import)\s?\()\s{0,4}[\"']\Z")
_BESIDE = ("./", "../")


def is_imported(text: str, start: int) -> bool:
    """Return whether ``start`` begins a path that sample code imports relative to its own file."""
    return text.startswith(_BESIDE, start) and _IMPORTS.search(text, max(0, start - 20), start) is not None


# A link to an archive, on the line: what is named behind it is in that.
_PACKED = regex(r"\]\([^()\s]{1,300}\.(?:zip|7z|rar|tgz|jar|whl|tar(?:\.\w{2,4})?)\)[^\n]*\Z", re.IGNORECASE)


def is_in_archive(text: str, start: int) -> bool:
    """Return whether the line leads to an archive not far before ``start``: the contents of that are told."""
    return _PACKED.search(text, max(text.rfind("\n", 0, start) + 1, start - _ABOVE), start) is not None


@cache
def _of_each() -> re.Pattern[str]:
    words = any_of(english.OF_EACH, elsewhere.OF_EACH).pattern
    listed = r"(?:[:：]\s*(?:`[^`\n]{1,60}`(?:,|\s(?:and|und|et|y|e|и))?\s{1,2}){0,20})?"
    return regex(rf"(?:{words})[^.;:。；：\n]{{0,30}}{listed}\Z", re.VERBOSE)


# The folder of each of many, in front of what it has: "`src/ovens/<oven>/` (its `schema.ts`, `hooks/`)".
_OF_FOLDERS = regex(r"`[^`\n]{0,80}(?:<[\w -]{1,30}>|\{[\w -]{1,30}\})/`(?:[^.;。；\n]|\.(?!\s)){0,120}\Z")


def is_of_each(text: str, start: int) -> bool:
    """Return whether the words before ``start`` say that each of many has what is named there: no single file."""
    begin = max(text.rfind("\n", 0, start) + 1, start - _MAX_REMARK)
    before = text[begin:start]
    return _of_each().search(before.lower()) is not None or _OF_FOLDERS.search(before) is not None


_STANDS_FOR = regex(r"\{[^{}`\n]{1,40}\}|<[^<>`\n]{1,40}>")
_LONGEST_ROW = 2000  # characters
_AROUND = 2  # parts of a pattern with one placeholder


def is_of_pattern(text: str, start: int, name: str) -> bool:
    """Return whether the row of a table has a pattern that ``name`` shows: ``kiln.page.ts`` for ``{x}.page.ts``."""
    first = text.rfind("\n", max(0, start - _LONGEST_ROW), start) + 1
    stop = text.find("\n", start, start + _LONGEST_ROW)
    if (not first and start > _LONGEST_ROW) or (stop < 0 and len(text) - start > _LONGEST_ROW):
        return False
    return any(
        name.startswith(before) and name.endswith(after) and len(name) > len(before) + len(after)
        for before, after in _patterns_of(text[first : stop if stop >= 0 else len(text)])
    )


@lru_cache(maxsize=64)
def _patterns_of(row: str) -> tuple[tuple[str, str], ...]:
    """Return what stands before and behind the one placeholder of each pattern that says more than an ending."""
    if not row.lstrip().startswith("|") or _STANDS_FOR.search(row) is None:
        return ()
    parts = [tuple(_STANDS_FOR.split(span.text)) for span in code_spans(row)]
    return tuple((one[0], one[1]) for one in parts if len(one) == _AROUND and (one[0] or one[1].count(".") > 1))


def came_from(text: str, start: int) -> bool:
    """Return whether a remark on the line of ``start`` says that something came from what begins there."""
    begin = max(text.rfind("\n", 0, start) + 1, start - _MAX_REMARK)
    return _CAME_FROM.search(text[begin:start]) is not None
