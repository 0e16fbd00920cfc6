"""Detect text that itself says a thing is gone, renamed, planned or a counter-example.

Citations in such text are not reported, because the author knows. Each clause is judged by itself, so that
one remark does not excuse a whole entry.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import islice
from posixpath import basename

from intermem.core.citations import stance_elsewhere as elsewhere
from intermem.core.citations import stance_english as english
from intermem.core.citations.past import told_past
from intermem.core.code.file_types import is_source, is_telling
from intermem.core.markdown.inline import code_spans
from intermem.entities import Stance
from intermem.lazy_dataclass import dataclass
from intermem.patterns import regex

# Not after "e.g." and the like, nor after the number of a list item.
_CLAUSE_END = regex(
    r"(?<=[.!?。;；])(?<!\b[a-zEPTZ]\.)(?<![zZ]\.B\.)(?<![zZ]\.\sB\.)(?<!\b(?:[cC]f|vs|[eE][gjxs]|np)\.)(?<!\beks\.)"
    r"(?<!\b(?:bspw|bijv|напр)\.)(?<!\n\d\.)(?<!\n\d\d\.)\s"
    r"|(?<=[。；！？])(?=[^\s」』）)])"  # where no space follows
    r"|\n\s*\n|\n(?=\s*(?:[-*+]|\d+[.)])\s)"
)
_PART_END = regex(r"\n\s*\n|\n(?=\s*(?:[-*+]|\d+[.)])\s)")
# Bold words that begin an item or a paragraph, three at most, and end like a heading: "**Removed files.**".
_LABEL = regex(
    r"(?:^|\n)[ \t]*(?:(?:[-*+]|\d+[.)])[ \t]+)?(?:\*\*|__)(?P<label>[^\s*_`]{2,24}(?: [^\s*_`]{1,24}){0,2}?)"
    r"(?:[.:：。](?:\*\*|__)|(?:\*\*|__)[ ]?[:：—–])"
)
_CHUNK = regex(r"(?<![^\s`])[^\s`/]*+/[^\s`]*+")  # a word with a slash
_STRUCK = regex(r"~~[^~\n]{1,400}~~")

_OF_IT = regex(
    r"(?![^\0.\n]{0,40}\b(?:if|when|unless|once|until|not|never)\b)[^\0.\n]{0,40}?"
    r"\b(?:renamed|removed|deleted|dropped|replaced|retired|moved|superseded)\s(?:it|them)\b(?!\s(?:from|to|into|in|out)\b)"
    r"|(?:it|(?:the|this|that)\s(?:file|folder|directory|script|module|class|function))\s(?:is|was|has\sbeen)\s(?:now\s|since\s)?"
    r"(?:no\slonger\s(?:created|generated|there|present|used)|gone|removed|deleted|dropped|retired)\b"
)
_SPACE = regex(r"(?<!\[)\\s(\?)?")


def any_of(parts: tuple[str, ...], foreign: tuple[str, ...] = ()) -> re.Pattern[str]:
    """Return the expression for any of ``parts``, whole words, or of ``foreign`` ones, as they are; in lower case."""
    # Emphasis may separate two words: "**do not** create".
    spaced = _SPACE.sub(lambda match: r"[\s*]{0,4}" if match[1] else r"[\s*]{1,4}", " | ".join(parts))
    return regex("|".join((rf"\b(?:{spaced})(?!\w)", *foreign)), re.VERBOSE)  # the text is lowercase


@cache
def _statements() -> tuple[tuple[re.Pattern[str], Stance, str], ...]:
    """Return the words, what they say of the thing, and their scope; compiled where they are needed."""
    return (
        (any_of(english.GONE_BEFORE, elsewhere.GONE_BEFORE), Stance.GONE, "before"),
        (any_of(english.GONE_AFTER, elsewhere.WITHOUT), Stance.GONE, "after"),
        (any_of(english.GONE, elsewhere.GONE), Stance.GONE, "clause"),
        (any_of(english.OTHERWISE, elsewhere.OTHERWISE), Stance.OTHERWISE, "clause"),
        (any_of(english.OTHERWISE_BEFORE), Stance.OTHERWISE, "before"),
        (any_of(english.OTHERWISE_NEXT), Stance.OTHERWISE, "after"),
        (any_of(english.OTHERWISE_AFTER, elsewhere.NOT), Stance.OTHERWISE, "following"),
        (any_of(english.EXAMPLE, elsewhere.EXAMPLE), Stance.EXAMPLE, "clause"),
        (any_of(english.EXAMPLE_AFTER, elsewhere.EXAMPLE_AFTER), Stance.EXAMPLE, "following"),
    )


@cache
def _spares() -> re.Pattern[str]:
    """Return the words that forbid to delete or rename a thing, or deny that anybody did."""
    return any_of(english.SPARED, elsewhere.SPARED)


@cache
def _lasting() -> re.Pattern[str]:
    """Return the words by which a line stays true once the thing is gone."""
    return any_of(english.LASTING, elsewhere.LASTING)


@cache
def _forbidding() -> re.Pattern[str]:
    return any_of(english.FORBIDDING, elsewhere.FORBIDDING)


_BOUNDARY = regex(r"[,:;()（）、，：；—–]|\s-\s|\b(?:but|so|use|uses|and \s+use)\b", re.IGNORECASE)
_ARROW = regex(r"[`*_)\"' ]{0,9}\s{0,9}(?:→|->|={1,2}>|⇒|➜)(?!\s?\[)")
_STEP = regex(rf"\s{{0,9}}(?:`[^`\n]{{1,200}}`|[^\s`]{{1,200}}){_ARROW.pattern}")  # the next thing, and on to another
_BARE_NAME = regex(r"[\s*_(\"']{0,9}`[A-Za-z_]\w*(?:\(\))?`")  # what is in a file, and no new path of it
_ARRIVING = regex(r"(?:→|->|={1,2}>|⇒|➜)[\s`*_(\"']{0,9}$")
# "it must survive the `kiln.py` deletion", but not "the `Kiln` deletion job", nor "`Kiln` deletion is in …".
_ITS_LOSS = regex(r"[`*_]{0,3}\s(?:deletion|removal|retirement)(?=[.,;)]|\s\(|\s[—–-]\s|\s?$)", re.MULTILINE)
# Right behind a citation: (old), （旧）.
_TAGGED = regex(
    r"[`*_]{0,3}\s?[(（\[]\s?(?:(?:(?!only\b)\w{2,12}ly|now|since)\s)?(?:(?P<there>legacy|deprecated|obsolete|unused|已废弃|устарел|obsoleto"
    r"|(?:if|when|where)\s(?:(?:it|they|one)\s)?(?:exists?|present|available|there|any)\b"
    r"|(?:if|when|once)\s(?:[\w-]+\s){1,5}(?:added|installed|set\sup)\b|(?:若|如果?|当)[^()（）\n]{0,16}(?:添加|安装)|(?:falls|wenn|sofern)\svorhanden"
    r"|s['’]ils?\sexiste(?:nt)?|si\sexisten?\b|se\s(?:existir(?:em)?|esistono?|esiste)\b|если\s(?:есть|существует)|jeśli\sistnieje"
    r"|如有|如果?存在|若存在|如果有|あれば|存在する場合|있으면|있는\s경우)|old|former(?:ly)?"
    r"|previous(?:ly)?|removed|deleted|retired|gone"
    r"|旧|舊|廃止|已删|已移除|구|gelöscht|entfernt|alt|supprimé|ancien|удал[её]н|eliminado|removido)"
    r"[\w\s,.:;/-]{0,40}[)）\]]",
    re.IGNORECASE,
)
# Between the words and what did it: "deleted by `tidy.py`", "migrated nightly by the `move` task".
_DONE_BY = regex(r"(?:\s\w{1,12})?\s(?:by|durch|von|par|por|da)\s(?:the\s)?[`*_(\"'\0]{0,4}")
# A kind of files, rather than one: `index.md` pages; or what is like another project's.
_KIND_OF = regex(
    r"[`*_]{0,4}\s(?:files|pages|modules|components|folders|directories|documents|scripts|tests|classes|manifests"
    r"|equivalents?|counterparts?|analogues?|suffix(?:es)?|prefix(?:es)?)\b"
    r"|[`*_]{0,4}-(?:style|like|esque)\b"
)
_FILES_LIKE = regex(r"[`*_]{0,4}\sfiles\b")  # of a path: `src/app/page.tsx` files
# In code as much as in prose these name a convention, and what stands beside them is an example of it.
_CASES = r"(?:lower|upper|screaming|train|title|dot)?[_-]?(?:camel|pascal|snake|kebab|upper|lower)[_-]?case"
_CASING = regex(rf"{_CASES}|{elsewhere.CASINGS}", re.IGNORECASE)
# What is in .gitignore, or excluded by it, is ignored.
_NAMED_IN = regex(
    r"(?:\b(?:in|by|via|per|to|into|from|par|dans|von|durch|por|en|no|в|через)\s(?:the\s|our\s)?|[被由在])\s?\Z",
    re.IGNORECASE,
)
_NAMED = 20  # characters before it
_SAMPLES = regex(r"\bexamples?\s?[:：]|\bnam(?:e|ed|ing)\s(?:\w+\s){0,3}after\b")  # before bare names
_LISTED = regex(r"\0,\s(?:(?:and|or)\s)?\0")
_LISTING = regex(r"\s?\w{0,12}\s?[:：](?:\s|\0)")
_ITEM = regex(r"\s*(?:[-*+]|\d+[.)])\s")
_MAX_ITEMS = 60  # below a lead-in
_NEAR = 60  # characters between the words and a citation that they certainly apply to
_AWAY = 25  # characters between words and brackets that they do not speak of
_APPOSED = regex(r"[\0`*_]{0,4}\s?(?:,|\(|[—–])\s?(?=(?:now|since)\s)")  # `kiln.py`, now deleted
_NAMES_ALONE = regex(r"(?:\0|[,;/+&`*_]|\s|\b(?:and|or|und|et|y|e|и)\b)+")
_MAX_STATEMENTS = 12  # in one clause


@dataclass(frozen=True, slots=True)
class Statement:
    """Words at ``start`` to ``stop`` that apply to what is between ``first`` and ``last``."""

    start: int
    stop: int
    first: int
    last: int
    says: Stance


class Claims:
    """The statements in the clauses of one text; each clause is parsed once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._code = [(span.start, span.stop) for span in code_spans(text)]
        words = list(lowered(text))
        for start, stop in self._code:
            code = text[start:stop].strip("` ")
            if code == ".gitignore" and _NAMED_IN.search(text, max(0, start - _NAMED), start) is not None:
                words[start:stop] = " gitignore ".center(stop - start)
            elif _CASING.fullmatch(code) is None:
                words[start:stop] = "\0" * (stop - start)
        for chunk in _CHUNK.finditer(text) if "/" in text else ():
            if _is_path_like(chunk[0]):
                words[chunk.start() : chunk.end()] = "\0" * len(chunk[0])
        # Code and paths state nothing, nor does what forbids to take a thing away: that is to stay.
        self._words = _spares().sub(lambda match: " " * len(match[0]), "".join(words))
        self._starts = [0, *(match.end() for match in _CLAUSE_END.finditer(text) if not self._is_code(match.start()))]
        self._stated: dict[int, list[Statement]] = {}
        self._forbidden: dict[int, int] = {}  # by clause, where the first word that forbids something is
        self._struck = [match.span() for match in _STRUCK.finditer(text)]
        self._told = told_past(self._words)
        self._labelled = list(self._labelled_gone()) if "**" in text or "__" in text else []

    def stance(self, start: int, stop: int) -> Stance:
        """Return what the clause around ``start`` to ``stop`` says about the thing cited there.

        Struck through means gone; the left side of an arrow (``old → new``) means otherwise. Words of the
        citation itself do not count, and what a verb of the past did not take away is not gone.
        """
        number = self._clause(start)
        found = self._of_lead(number)
        told = next((gone for first, last, gone in self._told if first <= start and stop <= last), None)
        if found is Stance.GONE or told is True:
            return Stance.GONE
        for one in self._of_clause(number):
            if (one.start < stop and start < one.stop) or self._is_done_by(one, start):
                continue
            if one.says is Stance.OTHERWISE and self._is_where_it_is_done(one, start, stop):
                continue
            if one.first <= start and stop <= one.last:
                if one.says is Stance.GONE and told is None and self._is_close(one, start, stop):
                    return Stance.GONE
                if not (one.says is Stance.GONE and told is False) and found is not Stance.OTHERWISE:
                    found = Stance.EXAMPLE if one.says is Stance.EXAMPLE else Stance.OTHERWISE
        if any(first <= start and stop <= last for first, last in self._labelled):
            return Stance.GONE
        struck = bisect_right(self._struck, (start, stop)) - 1
        if struck >= 0 and self._struck[struck][0] <= start < self._struck[struck][1]:
            return Stance.GONE
        tagged = _TAGGED.match(self._text, self._end_of_code(start, stop))
        if tagged is not None and not tagged["there"]:
            return Stance.GONE
        if _ITS_LOSS.match(self._text, self._end_of_code(start, stop)) is not None:
            return Stance.GONE
        if self._is_told_of_next(number, self._end_of_code(start, stop)):
            return Stance.GONE
        cited = self._text[start:stop].strip("`")
        if "/" not in cited and _KIND_OF.match(self._text, stop) is not None:
            return Stance.OTHERWISE
        if _FILES_LIKE.match(self._text, stop) is not None and is_source(cited) and not is_telling(basename(cited)):
            return Stance.SAMPLE
        if tagged is not None and found is Stance.PLAIN:
            found = Stance.OTHERWISE  # it may be there for now
        if found in (Stance.OTHERWISE, Stance.EXAMPLE) and self._is_sample(start, stop):
            return Stance.SAMPLE
        if found in (Stance.PLAIN, Stance.EXAMPLE) and self._is_left_of_arrow(start, stop):
            return Stance.OTHERWISE
        return found

    def tell_of_loss(self, start: int) -> bool:
        """Return whether the clause around ``start`` says that anything is gone, near it or not."""
        return any(one.says is Stance.GONE for one in self._of_clause(self._clause(start)))

    def may_last(self, start: int, stop: int) -> bool:
        """Return whether the clause around ``start`` to ``stop`` may stay true once the thing cited there is gone."""
        number = self._clause(start)
        first, last = self._starts[number], self._end(number)
        return "generated" in self._words[stop:last] or _lasting().search(self._words, first, last) is not None

    def forbids(self, start: int) -> bool:
        """Return whether a word that forbids something stands before ``start``, in the same clause."""
        number = self._clause(start)
        if number not in self._forbidden:
            found = _forbidding().search(self._words, self._starts[number], self._end(number))
            self._forbidden[number] = found.start() if found is not None else len(self._words)
        return self._forbidden[number] < start

    def _clause(self, start: int) -> int:
        return bisect_right(self._starts, start) - 1

    def _end(self, number: int) -> int:
        return self._starts[number + 1] if number + 1 < len(self._starts) else len(self._text)

    def _is_told_of_next(self, number: int, stop: int) -> bool:
        """Return whether the next clause says what became of the last thing in this: ``…; a later one renamed it``."""
        if number + 1 >= len(self._starts):
            return False
        following = self._starts[number + 1]
        return "\0" not in self._words[stop:following] and _OF_IT.match(self._words, following) is not None

    def _labelled_gone(self) -> Iterator[tuple[int, int]]:
        """Yield what is labelled as gone, up to the next item or paragraph: ``- **Removed.** `a.py`: …``."""
        gone = next(pattern for pattern, says, scope in _statements() if says is Stance.GONE and scope == "clause")
        for match in _LABEL.finditer(self._text):
            if gone.search(lowered(match["label"])) is not None:
                end = _PART_END.search(self._text, match.end())
                yield match.start(), end.start() if end is not None else len(self._text)

    def _is_left_of_arrow(self, start: int, stop: int) -> bool:
        """Return whether an arrow leads from the thing to another (``old → new``), and not on to a third: a way."""
        arrow = _ARROW.match(self._text, self._end_of_code(start, stop))
        if arrow is None:
            return False
        before = self._text[max(start - 12, 0) : start]
        is_of_file = "/" in self._text[start:stop] and _BARE_NAME.match(self._text, arrow.end())
        return not is_of_file and _STEP.match(self._text, arrow.end()) is None and _ARRIVING.search(before) is None

    def _is_code(self, at: int) -> bool:
        """Return whether the character is within a code span, and does not begin it."""
        around = bisect_right(self._code, (at, 0)) - 1
        return around >= 0 and at < self._code[around][1]

    def _is_sample(self, start: int, stop: int) -> bool:
        """Return whether the line is about names, and the citation a sample: PascalCase (``Kiln.py``), examples: …."""
        first, last = self._text.rfind("\n", 0, start) + 1, self._text.find("\n", stop)
        if "/" in self._text[start:stop]:  # a name in full, of one file; but not in "kebab-case (`x/`)"
            last = max(first, *(self._text.rfind(mark, first, start) for mark in "(（"))
            is_folder = "/" not in self._text[start:stop].strip("`/")
            return is_folder and _CASING.search(self._words, first, last) is not None
        if _SAMPLES.search(self._words, first, start) is not None:
            return True
        return _CASING.search(self._words, first, last if last != -1 else len(self._text)) is not None

    def _end_of_code(self, start: int, stop: int) -> int:
        """Return the end of the code span around ``start`` to ``stop``, or ``stop`` if there is none."""
        around = bisect_right(self._code, (start, len(self._text))) - 1
        return max(stop, self._code[around][1]) if around >= 0 and start < self._code[around][1] else stop

    def _of_lead(self, number: int) -> Stance:
        """Return what a lead-in (``Removed in v2:``, ``**Deleted**``) says about the items of the list below it."""
        above = number
        while above > 0 and _ITEM.match(self._text, self._starts[above]) is not None and number - above < _MAX_ITEMS:
            above -= 1
        if above == number:
            return Stance.PLAIN
        last = self._starts[above + 1]
        if not self._text[self._starts[above] : last].rstrip().endswith((":", "：", "**", "__")):
            return Stance.PLAIN
        whole = [one for one in self._of_clause(above) if one.last == last or one.first == self._starts[above]]
        if not whole:
            return Stance.PLAIN
        return Stance.GONE if any(one.says is Stance.GONE for one in whole) else Stance.OTHERWISE

    def _is_done_by(self, one: Statement, start: int) -> bool:
        """Return whether the thing at ``start`` is what took another away, or makes it (if needed by `kiln()`)."""
        is_done = one.says is not Stance.EXAMPLE and self._words[one.stop - 2 : one.stop] == "ed"
        return is_done and one.stop <= start and _DONE_BY.fullmatch(self._words, one.stop, start) is not None

    def _is_where_it_is_done(self, one: Statement, start: int, stop: int) -> bool:
        """Return whether brackets of their own name source files behind what these do: ``writes … (`kiln.py`)``."""
        if not is_source(self._text[start:stop].strip("`")):
            return False
        opening = self._words.rfind("(", one.stop, start)
        closing = self._words.find(")", stop)
        if opening < one.stop + _AWAY or closing == -1:
            return False
        return _NAMES_ALONE.fullmatch(self._words, opening + 1, closing) is not None

    def _is_close(self, one: Statement, start: int, stop: int) -> bool:
        """Return whether no comma, dash or bracket separates the words from the citation."""
        first, last = (one.stop, start) if one.stop <= start else (stop, one.start)
        if one.stop <= start and (listing := _LISTING.match(self._words, one.stop)) and listing.end() <= start:
            return True  # "removed: `a`, `b` and `c`"
        if stop <= one.start and (apposed := _APPOSED.match(self._words, stop)) and apposed.end() == one.start:
            return True
        return last - first <= _NEAR and _BOUNDARY.search(self._words, first, last) is None

    def _of_clause(self, number: int) -> list[Statement]:
        """Return the first statements of a clause."""
        if number not in self._stated:
            first, last = self._starts[number], self._end(number)
            found: list[Statement] = []
            for pattern, says, scope in _statements():
                for match in islice(pattern.finditer(self._words, first, last), _MAX_STATEMENTS):
                    found.append(self._statement(match.start(), match.end(), first, last, scope, says))
            scoped = [one for one in found if (one.first, one.last) != (first, last)]
            # "is removed" has a narrower scope than "removed": of the same words the narrower match wins.
            self._stated[number] = [
                one
                for one in found
                if one in scoped or not any(other.start <= one.start and one.stop <= other.stop for other in scoped)
            ]
        return self._stated[number]

    def _boundary(self, at: int, last: int) -> int:
        """Return where the scope that begins at ``at`` ends; commas in a list of names do not end it."""
        for match in _BOUNDARY.finditer(self._words, at, last):
            if match[0] != "," or _LISTED.match(self._words, match.start() - 1) is None:
                return match.start()
        return last

    def _statement(self, start: int, stop: int, first: int, last: int, scope: str, says: Stance) -> Statement:
        if scope == "before":
            return Statement(start, stop, first, start, says)
        if scope == "after":
            return Statement(start, stop, stop, self._boundary(stop, last), says)
        if scope == "following":
            return Statement(start, stop, stop, last, says)
        return Statement(start, stop, first, last, says)


_claims_of = lru_cache(maxsize=4)(Claims)  # of a block, asked for each of its citations


def tells_of_loss(text: str, cited: str) -> bool:
    """Return whether a clause that has ``cited`` says that anything is gone, near it or not."""
    return any(_claims_of(text).tell_of_loss(start) for start, _ in _places(text, cited))


def may_last(text: str, cited: str) -> bool:
    """Return whether a clause that has ``cited`` may stay true once that is gone: it forbids it, or asks for it."""
    return any(_claims_of(text).may_last(*place) for place in _places(text, cited))


def is_forbidden(text: str, cited: str) -> bool:
    """Return whether a word that forbids something stands before ``cited`` in its clause: "do not add …"."""
    return any(_claims_of(text).forbids(start) for start, _ in _places(text, cited))


def is_worded_otherwise(text: str, cited: str) -> bool:
    """Return whether it is the words around ``cited`` that call it made, planned or elsewhere."""
    return any(_claims_of(text).stance(*place) is Stance.OTHERWISE for place in _places(text, cited))


def _places(text: str, cited: str) -> Iterator[tuple[int, int]]:
    return (match.span() for match in re.finditer(re.escape(cited), text))


def lowered(text: str) -> str:
    """Return ``text`` in lower case with all offsets kept: case-insensitive expressions take twice as long."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(small if len(small := char.lower()) == 1 else char for char in text)


def _is_path_like(chunk: str) -> bool:
    return "/" in chunk and (chunk.count("/") > 1 or chunk.endswith("/") or any(sign in chunk for sign in "._-"))
