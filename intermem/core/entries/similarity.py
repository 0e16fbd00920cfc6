"""Find texts that say the same thing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from intermem.core.entries.identity import normalised
from intermem.core.markdown.imports import COMMENT
from intermem.core.markdown.inline import Span, code_spans
from intermem.patterns import regex

DUPLICATE = 0.85  # at least this similar (DESIGN.md §7)
_NOTHING = 0.15  # what words and marks that change nothing may take away of a likeness
COMPARED = 5_000  # characters at each end

_ENDINGS = ("s", "es", "d", "ed", "ing", "ly", "n", "en")  # ``retry``, ``retrying``
_TURNED = (("y", "ies"), ("y", "ied"), ("e", "ing"))  # ``retry``, ``retries``
_LONG = 7  # letters of words that may be misspelt

_NUMBER = regex(r"(?:(?<![^\s(\[{=<>:,\"'])[-−])?\d+(?:[.,:]\d+)*")  # with its sign
_NEGATION = regex(
    r"\b(?:not|no|never|none|nothing|without|cannot|neither|nor|avoid|except|unless)\b|n['’]t\b",
    re.IGNORECASE,
)


_JOINING = regex(
    r"an?|the|th[ei]se?|that|those|which|who|and|as|because|since|so|for|its?|they|is|are|be|has|have|do|does|will"
    r"|would|should|must|also|just|then|too|well|each|every|of|in|on|at|by"
)
# No name, value or word of a language without spaces; and what turns the sense of the words beside it.
_PLAIN = regex(r"(?:(?![\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])[^\W\d_])+(?:['’-][^\W\d_]+)*")
_TURNING = regex(
    r"off|out|or|till|until|unless|except|only|rarely|seldom|almost|hardly|sometimes|even|against|no|not|never|none|without|was|were"
    r"|may|might|can|could"
    r"|before|after|old|nicht|kein\w*|ohne|nie|niemals|pas|sans|jamais|ne|non|senza|mai|sin|sem|nunca|não|nao|jamás|ni"
    r"|nie|bez|nigdy|niet|geen|zonder|nooit|inte|ej|utan|aldrig|ikke|uden|aldri|ei|älä|не|нет|без|никогда|ні|değil|asla"
    r"|không|đừng|jangan|tidak|tanpa"
)
_SPOKEN = regex(r"`[^`]*`|[^\s`]+")
# What is quoted is as it is; an apostrophe quotes nothing: the owners' own.
_TOLD = regex(
    r"`[^`]*`|(?<![\w\"])\"[^\"`]{1,200}\"(?!\w)|(?<![\w'])'(?![\s'])(?:[^'`]|(?<=\w)'(?=\w)){1,200}(?<!\s)'(?!\w)|[^\s`]+"
)
_OPERAND = regex(
    r"[(\[{\"']?(?:[A-HJ-Z]|[\d.,:]*\d[\d.,:]*[\w%°]{0,3})[)\]}\"'.,;:!?]*"
)  # beside a dash that is a sign
_EMPHASIS = regex(r"(?<![\w*])(\*{1,3})(?=[\w\"'(\[]|`)([^*\n]+)(?<=[^\s*])\1(?!\w)")
_DUNDER = regex(r"(?<![\w`])__[a-z][a-z0-9_]*__(?![\w`])")  # a name, as __init__, which Markdown takes for bold
_QUOTES, _PAUSES, _DASHES = "\"'“”„‟‘’‚‛«»‹›「」『』", ".,;:!…", ("", "-", "–", "—")
_OPENING, _CLOSING, _PAUSES_ALONE = "([{", ")]}", (".", ",", ";", ":")
_THE, _PLEASE, _CONJUNCTIONS, _ENDS = "the", "please", ("and", "or", "so"), (".", "!", "?")
_COMMA, _PAUSE = ",", ";"
_DASH = "-"
_ABBREVIATIONS = frozenset("e.g i.e etc vs cf approx incl resp z.b d.h usw bzw ca p.ej p.ex".split())  # noqa: SIM905
_IN_FULL = {"can't": ["can", "not"], "cannot": ["can", "not"], "won't": ["will", "not"]}
_CONTRACTED = regex(r"(?<=[a-z])n't$")
_CONTRACTED_ANYWHERE = regex(r"n['’‘‚‛]t\b|(?<=\bcan)not\b")
_ROUGH = regex(r"[^\W_]+")
_OF_NO_WEIGHT = frozenset({"the", "please", "do", "not", "never", "can", "ca", "will", "wo"})
_CURLY = "“”„‟«»‹›「」『』"
_TYPED_SINGLE = str.maketrans(dict.fromkeys("‘’‚‛", "'"))
_TYPED = {**str.maketrans(dict.fromkeys(_CURLY, '"')), **_TYPED_SINGLE}
_PAUSED = regex(r"(?<=[\w\"')\]}])[.,;:]$")
_MARKS = "`*_~"  # of code and emphasis

# A document is compared with many candidates, so each of its blocks is normalised once.
_normalised = lru_cache(maxsize=8192)(normalised)


def duplicate_of(text: str, others: Iterable[str], floor: float = DUPLICATE) -> str | None:
    """Return the first of ``others`` that says the same as ``text``, or None.

    It says the same if it is identical after normalisation, whatever is marked as code, of one ``gist``, or at least
    ``floor`` similar with the same numbers, negations and code spans; what is code in one may be plain text in the
    other. Comments say nothing.
    """
    wanted = _said(text)
    for other in others:
        candidate = _said(other)
        if candidate == wanted or _is_marked_only(candidate, wanted) or _is_of_one_gist(other, text):
            return other
        if _is_alike(wanted, candidate, floor) and _of_one_substance(wanted, candidate):
            return other
    return None


def _is_alike(one: str, other: str, floor: float) -> bool:
    """Whether two texts are ``floor`` similar, as they are or without what changes nothing of what they say."""
    close = likeness(one, other, floor - _NOTHING)
    return close >= floor or (close > 0 and likeness(gist(one), gist(other), floor) >= floor)


@lru_cache(maxsize=8192)
def _said(text: str) -> str:
    """Return ``text``, normalised, without the comments outside of its code; all of it where nothing else is there."""
    return _normalised(_uncommented(text))


def _uncommented(text: str) -> str:
    if "<!--" not in text:
        return text
    inside = [range(span.start, span.stop) for span in code_spans(text)]
    kept = COMMENT.sub(lambda found: found[0] if any(found.start() in span for span in inside) else " ", text)
    return kept if kept.strip() else text


def says_the_same(text: str, revised: str) -> bool:
    """Return whether a revision has the same numbers, negations and code spans: else it is a different statement."""
    return _of_one_substance(_normalised(text), _normalised(revised))


def swaps_a_word(text: str, other: str) -> bool:
    """Return whether one of two texts that are alike has a word that may count: ``main`` for ``dev``, or ``off``.

    That is a word in place of quite another, a name or a word that turns the sense where the other has none, and one
    that has another place. What is spelt, inflected or marked otherwise, or only joins others, is not, nor what is
    said besides.
    """
    from difflib import SequenceMatcher

    words, others = (_words_of(one) for one in (text, other))
    found = SequenceMatcher(None, words, others, autojunk=False).get_opcodes()
    changes = [(words[a:b], others[c:d]) for kind, a, b, c, d in found if kind != "equal"]
    gone, new = ([word for pair in changes for word in pair[side]] for side in (0, 1))
    if not set(gone).isdisjoint(new):
        return True
    beside = (word for one, two in changes for word in (*one[len(two) :], *two[len(one) :]))
    swapped = (pair for one, two in changes for pair in zip(one, two, strict=False))
    return any(_counts(word) for word in beside) or any(_are_apart(one, two) for one, two in swapped)


def is_the_same(text: str, other: str) -> bool:
    """Return whether two texts are the same but for marks, and for what changes nothing that is said (``gist``)."""
    one, two = _said(text), _said(other)
    if rough(one) != rough(two):
        return False  # as nearly all are, of the many that a text is compared with
    return one == two or _is_marked_only(one, two) or _is_of_one_gist(text, other)


def _is_of_one_gist(one: str, two: str) -> bool:
    said = gist(_uncommented(one))
    return said == gist(_uncommented(two)) != ""


def _counts(word: str) -> bool:
    return _PLAIN.fullmatch(word) is None or _TURNING.fullmatch(word) is not None


def _words_of(text: str) -> list[str]:
    """The words of a text without what marks them, neither code nor emphasis, and without those that join others."""
    parts = (_bare_word(part) for part in _read_aloud(_said(text)).split())
    words = (word for part in parts for word in _in_full(part))
    return [word for word in words if word and _JOINING.fullmatch(word) is None]


def _bare_word(part: str) -> str:
    """A word without marks around it; marks in code are what is said."""
    is_code_of_marks = part[:1] == part[-1:] == "`" and _ROUGH.search(part) is None
    return part if is_code_of_marks else _word(part.strip(_MARKS)).strip(_MARKS).casefold()


def _are_apart(word: str, other: str) -> bool:
    """Whether two words are no forms of one: they have other endings, or letters, if not in another order."""
    if _counts(word) or _counts(other):
        return word != other
    short, long = sorted((word, other), key=len)
    if short == long or (long.startswith(short) and long[len(short) :] in _ENDINGS):
        return False
    if any(short.endswith(old) and long == short[:-1] + new for old, new in _TURNED):
        return False
    is_typed = len(short) >= _LONG and word[0] == other[0] and word[-1] == other[-1]
    return not (is_typed and sorted(word) == sorted(other))


def spoken(text: str) -> str:
    """Return ``text`` as it is read aloud: without spacing, quotes, pauses behind words, and their first capitals.

    All else counts, so that ``-1`` is not ``1``, nor ``.env`` ``env``, nor ``PATH`` ``path``. Code spans stay as they
    are. Empty if nothing is left.
    """
    words = (part if part[0] == "`" else _word(part) for part in _SPOKEN.findall(_normalised(text)))
    return " ".join(word for word in words if word not in _DASHES)


@lru_cache(maxsize=16_384)  # as each is compared with many
def gist(text: str) -> str:
    """Return what ``text`` says, without what changes nothing of it: texts of one gist are one entry.

    That is white space, typographic quotes, emphasis, whether a pause is ``;`` or ``:``, which dash it is, a comma in
    front of *and*, *or* and *so*, the first capital of a sentence, and in English ``the``, ``please``, contracted
    negations (``don't``), and ``never`` for ``do not`` where a sentence begins. All else counts: signs, capitals, in
    which order it comes, where a pause is, and which quotes and dashes where a text has two kinds, and so names them.
    """
    kept: list[str] = []
    before, pause, opened = ".", "", ""
    said = _without_emphasis(_typed(_normalised(_DUNDER.sub(r"`\g<0>`", text))))
    names_dashes = len(set(_DASHES).intersection(said.split())) > 1
    told = list(_TOLD.finditer(said))
    for number, found in enumerate(told):
        part = found[0]
        if part in _DASHES and (names_dashes or _is_sign(told, number)):
            word, behind = part, ""
        elif part in _PAUSES_ALONE and said[: found.start()].endswith(("`", '"', "'")):
            word, behind = "", part
        elif part[0] in "`\"'" and part[-1] == part[0] and len(part) > 1:
            word, behind = part, ""
        else:
            word, behind = _without_pause(part)
        if before in _ENDS and word[1:] == word[1:].lower():
            word = word.casefold()
        bare = word.lstrip(_OPENING)
        if bare == _THE or (bare == _PLEASE and (pause or before in _ENDS)):
            opened += word.removesuffix(bare)  # "(the old one)"
            behind = "" if behind == _COMMA else behind  # "Please, run"
            word = ""
        if word:
            word, opened = opened + word, ""
            words = ["do", "not"] if before in _ENDS and word == "never" else _in_full(word)
            if pause and not (pause == _COMMA and words[0] in _CONJUNCTIONS):
                kept.append(pause if pause in (*_ENDS, _COMMA, _DASH) else _PAUSE)
            kept += words
            before, pause = word[-1:] if word[-1:] in ("!", "?") else "", ""
        pause = behind or pause
        before = "" if behind == "." and word in _ABBREVIATIONS else behind or before
    return " ".join(kept)


def _is_sign(told: Sequence[re.Match[str]], number: int) -> bool:
    """Whether a dash stands beside a number or a name of one letter: ``- 5``, ``A - C``."""
    beside = (*told[max(number - 1, 0) : number], *told[number + 1 : number + 2])
    return any(_OPERAND.fullmatch(one[0]) is not None for one in beside)


def _in_full(word: str) -> list[str]:
    """The words that a contracted negation has in full: ``don't``."""
    return _IN_FULL.get(word) or _CONTRACTED.sub(" not", word).split(" ")


def says_only(text: str, note: str, written: Callable[[], str | None]) -> bool:
    """Return whether nothing but what ``text`` says would be ``written`` of ``note``, whatever else that says."""
    return rough(text) in rough(note) and gist(written() or "") == gist(text) != ""


@lru_cache(maxsize=16_384)
def rough(text: str) -> str:
    """Return what all texts of one ``gist`` have in common, and few others: found far more quickly."""
    said = _CONTRACTED_ANYWHERE.sub(" not", text.casefold())
    return " ".join(word for word in _ROUGH.findall(said) if word not in _OF_NO_WEIGHT)


def _typed(text: str) -> str:
    """``text`` with quotes as they are typed, but for those that it names: in code, and where it has both kinds."""
    if text.isascii():
        return text
    plain = _with_spans(text, lambda _: "`")
    names_them = '"' in plain and any(one in plain for one in _CURLY)
    typed = text.translate(_TYPED_SINGLE if names_them else _TYPED)
    return _with_spans(typed, lambda span: text[span.start : span.stop])


def _without_emphasis(text: str) -> str:
    """``text`` without marks of emphasis outside of its code: ``**Tests**: run`` is ``Tests: run``."""
    if "*" not in text:
        return text
    inside = [range(span.start, span.stop) for span in code_spans(text)]
    return _EMPHASIS.sub(lambda found: found[0] if any(found.start() in one for one in inside) else found[2], text)


def _without_pause(part: str) -> tuple[str, str]:
    """A word with what else is around it, and the pause behind it; a dash is one of its own, as it may be a minus."""
    if part in _DASHES:
        return "", _DASH
    behind = _PAUSED.search(part)
    return (part[: behind.start()], behind[0]) if behind is not None else (part, "")


def _word(part: str) -> str:
    rest = part.replace("’", "'").lstrip(_QUOTES + _OPENING)
    word = rest.rstrip(_QUOTES + _PAUSES + _CLOSING)
    opening = "".join(sign for sign in part[: len(part) - len(rest)] if sign in _OPENING)
    closing = "".join(sign for sign in rest[len(word) :] if sign in _CLOSING)
    return opening + (word.casefold() if word[1:] == word[1:].lower() else word) + closing


def most_alike(text: str, others: Iterable[tuple[str, str]], floor: float, number: int) -> list[tuple[int, str, str]]:
    """Return the ``number`` of ``others`` (keys and texts) that resemble ``text`` most: likeness, key and text.

    The most similar come first; the likeness (0..1000) is at least ``floor`` (0 to 1). Texts that are the same
    once normalised count once, for the first key.
    """
    wanted = _normalised(text)
    found: dict[str, tuple[int, str, str]] = {}
    for key, other in others:
        candidate = _normalised(other)
        score = likeness(wanted, candidate, floor)
        if score >= floor:
            found.setdefault(candidate, (round(score * 1000), key, other))
    return sorted(found.values(), key=lambda one: (-one[0], one[1], one[2]))[:number]


def likeness(one: str, other: str, floor: float) -> float:
    """Return the similarity of two texts, 0 to 1 (``fuzz.ratio``); a value below ``floor`` may be returned as 0.

    The time grows with the product of the lengths, so of texts over 10,000 characters only the first and the
    last 5,000 are compared.
    """
    from rapidfuzz import fuzz

    if 2 * min(len(one), len(other)) < floor * (len(one) + len(other)):
        return 0.0
    if max(len(one), len(other)) > 2 * COMPARED:
        one, other = (text[:COMPARED] + text[-COMPARED:] for text in (one, other))
    return fuzz.ratio(one, other, score_cutoff=floor * 100) / 100


def _of_one_substance(one: str, other: str) -> bool:
    if _is_marked_only(one, other):
        return True
    (numbers, negations, spans), (others, other_negations, other_spans) = _substance(one), _substance(other)
    if numbers != others or negations != other_negations:
        return False
    return spans == other_spans or (
        _has_in_plain(other, spans - other_spans) and _has_in_plain(one, other_spans - spans)
    )


def _is_marked_only(one: str, other: str) -> bool:
    """Return whether two texts are the same when read aloud, whatever is marked as code; none is another in both."""
    if not ("`" in one or "`" in other) or _read_aloud(one) != _read_aloud(other):
        return False
    spans, others = _substance(one)[2], _substance(other)[2]
    return _has_in_plain(other, spans - others, capital=True) and _has_in_plain(one, others - spans, capital=True)


@lru_cache(maxsize=8192)  # as each is compared with many
def _read_aloud(text: str) -> str:
    """Return a text as it is read aloud without the back-ticks around code; those of back-ticks and of marks stay."""

    def read(span: Span) -> str:
        is_word = span.text == span.text.strip() and _ROUGH.search(span.text) is not None
        return span.text if is_word else f"`{span.text}`"

    return spoken(_with_spans(text, read))


@lru_cache(maxsize=8192)
def _substance(text: str) -> tuple[list[str], int, Counter[str]]:
    spans = Counter(span.text for span in code_spans(text))
    return sorted(_NUMBER.findall(text)), len(_NEGATION.findall(text)), spans


def _has_in_plain(text: str, names: Counter[str], *, capital: bool = False) -> bool:
    """Whether ``text`` has each of ``names`` as often outside its code spans, anywhere also with a ``capital``."""
    plain = _with_spans(text, lambda _: "`")
    return all(len(_name_in_plain(name, capital).findall(plain)) >= number for name, number in names.items())


def _with_spans(text: str, written: Callable[[Span], str]) -> str:
    for span in reversed(code_spans(text)):
        text = f"{text[: span.start]}{written(span)}{text[span.stop :]}"
    return text


@lru_cache(maxsize=8192)
def _name_in_plain(name: str, capital: bool) -> re.Pattern[str]:
    """The name outside of code, where a mark of emphasis has one form, options may be joined (``--fix/--quiet``), and a
    sentence begins with a capital; with ``capital``, any word may."""
    spellings = "|".join(re.escape(one) for one in dict.fromkeys((name, normalised(name))) if one)
    if name[1:] == name[1:].lower() != "":
        begins = "" if capital else rf"(?:^|(?<=[.!?:]\s))[{re.escape(_QUOTES + _OPENING)}]*"
        spellings += rf"|{begins}{re.escape(name[0].upper() + name[1:])}"
    before = r"(?<![\w.-])" if name.startswith("-") else r"(?<![\w./-])"
    return re.compile(rf"{before}(?:{spellings})(?![\w-]|/(?!-)|\.\w)")
