"""Characters that a reader does not see: which are in a text, leaving out those that its script or emoji needs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

from intermem.lazy_dataclass import dataclass

HIDDEN_TEXT = "IM070"
ZERO_WIDTH = "IM071"
BIDI = "IM072"
CONTROL = "IM073"

# Tab, line feed and carriage return are white space. U+2028 and U+2029 end a line for some readers only.
_CONTROLS = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufdd0-\ufdef\ufffe\uffff\ud800-\udfff" + "".join(
    chr(plane << 16 | last) for plane in range(1, 17) for last in (0xFFFE, 0xFFFF)
)
_WHITE_SPACE = {9: " ", 10: " ", 13: " "}
_FORM_FEED = "\x0c"
_BRAILLE_BLANK = "\u2800"
_MARKS = "\u061c\u200e\u200f"
_EMBEDDINGS = "\u202a-\u202e\u2066-\u2069"
_SELECTORS = "\ufe00-\ufe0f"
# All default-ignorable characters of Unicode that are in none of the other groups, and those that show as nothing.
_WIDTHLESS = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2060-\u2065\u206a-\u206f\u3164\ufeff\uffa0"
    "\u2800\ufff0-\ufffc\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
)
_HIDDEN = "\U000e0000-\U000e0fff"  # tags, and selectors that can spell any text

_Ranges = tuple[tuple[str, str], ...]

# Scripts whose letters join or stack, and so need joiners and non-joiners.
_JOINING: _Ranges = (
    ("\u0600", "\u074f"),
    ("\u0750", "\u077f"),
    ("\u07c0", "\u07ff"),
    ("\u0840", "\u0dff"),
    ("\u0f00", "\u109f"),
    ("\u1780", "\u18af"),
    ("\u1a20", "\u1aaf"),
    ("\u1b00", "\u1c4f"),
    ("\ua800", "\ua82f"),
    ("\ua840", "\ua8ff"),
    ("\ua930", "\ua9df"),
    ("\uabc0", "\uabff"),
    ("\ufb50", "\ufdcf"),
    ("\ufdf0", "\ufdff"),
    ("\ufe70", "\ufefc"),
    ("\U00010a00", "\U00010aff"),
    ("\U00010d00", "\U00010d3f"),
    ("\U00010f30", "\U00010f6f"),
    ("\U00011000", "\U00011fff"),
    ("\U0001e900", "\U0001e95f"),
)
# Scripts without spaces between words, where U+200B says where a line may end.
_UNSPACED: _Ranges = (
    ("\u0e00", "\u109f"),
    ("\u1780", "\u17ff"),
    ("\u1950", "\u19df"),
    ("\u1a20", "\u1aaf"),
    ("\ua9e0", "\ua9ff"),
    ("\uaa60", "\uaadf"),
)
_MONGOLIAN: _Ranges = (("\u1820", "\u18af"),)
_IDEOGRAPHS: _Ranges = (("\u3400", "\u9fff"), ("\uf900", "\ufaff"), ("\U00020000", "\U0003ffff"))
_SKINS: _Ranges = (("\U0001f3fb", "\U0001f3ff"),)


# The patterns are compiled on demand: check starts without them, and most texts are ASCII.
@cache
def _suspect() -> re.Pattern[str]:
    return re.compile(f"[{_CONTROLS}{_MARKS}{_EMBEDDINGS}{_SELECTORS}{_WIDTHLESS}{_HIDDEN}]")


@cache
def _control() -> re.Pattern[str]:
    return re.compile(f"[{_CONTROLS}]")


@cache
def _right_to_left() -> re.Pattern[str]:
    return re.compile(
        "[\u0590-\u061b\u061d-\u08ff\ufb1d-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
    )


@cache
def _braille() -> re.Pattern[str]:
    return re.compile("[\u2801-\u28ff]")


@cache
def _flag() -> re.Pattern[str]:
    """The flags of England, Scotland and Wales, the only sequences of tags that Unicode recommends.

    Source: emoji-sequences.txt of Unicode 16.
    """
    return re.compile(
        "\U0001f3f4\U000e0067\U000e0062(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074"
        "|\U000e0077\U000e006c\U000e0073)\U000e007f"
    )


@dataclass(frozen=True, slots=True)
class Invisible:
    """An invisible character at the offset ``at``; ``code`` is that of its rule."""

    code: str
    at: int
    character: str


def invisible_in(text: str, *, in_note: bool = False) -> Iterator[Invisible]:
    """Yield the invisible characters of ``text`` that nothing around them needs, in order.

    Not among them: joiners in emoji and in scripts that join, selectors after a character that takes one,
    direction marks on a line with right-to-left letters; and, unless ``in_note``, a form feed alone on its line,
    which parts the pages of a document.
    """
    if has_no_controls(text):
        return
    whole = _flag().sub(lambda match: "\U0001f3f4" + "x" * (len(match[0]) - 1), text) if "\U000e007f" in text else text
    context = _Context(whole)
    for match in _suspect().finditer(whole):
        if not context.needs(match.start()) or (in_note and match[0] == _FORM_FEED):
            yield Invisible(_code_of(match[0]), match.start(), match[0])


@cache
def unseen() -> re.Pattern[str]:
    """Return a pattern for characters that show as nothing, needed or not; no controls."""
    return re.compile(f"[{_MARKS}{_EMBEDDINGS}{_SELECTORS}{_WIDTHLESS}{_HIDDEN}]+")


def has_no_controls(text: str) -> bool:
    """Return True for ASCII text without control characters but white space; False says nothing."""
    return text.isascii() and text.translate(_WHITE_SPACE).isprintable()


def _code_of(character: str) -> str:
    if _control().match(character):
        return CONTROL
    if character in _MARKS or "\u202a" <= character <= "\u202e" or "\u2066" <= character <= "\u2069":
        return BIDI
    return HIDDEN_TEXT if character >= "\U000e0000" else ZERO_WIDTH


class _Context:
    """A text, and whether what is around a character needs it."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._line = range(0)
        self._has: dict[str, bool] = {}

    def needs(self, at: int) -> bool:
        """Return whether the invisible character at the offset ``at`` belongs there."""
        text = self._text
        character, before, after = text[at], text[at - 1 : at] if at else "", text[at + 1 : at + 2]
        if "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef":
            # Of a heading that begins with an emoji, the anchor begins with its selector: "](#\ufe0f-rules)".
            is_anchor = character == "\ufe0f" and text[max(0, at - 3) : at] == "](#"
            return is_anchor or _takes_selector(before, character, after)
        if character in _MARKS:
            return before not in tuple(_MARKS) and self._line_has(_right_to_left(), at)
        if character == _BRAILLE_BLANK:
            return self._line_has(_braille(), at)
        if character == _FORM_FEED:
            return before in ("", "\n", "\r") and after in ("", "\n", "\r")
        if _suspect().match(before) and before != "\ufe0f":
            return False  # one invisible character after another has no letter to act on
        if character == "\u200d" and self._joins_emoji(at):
            return True
        if character in "\u200c\u200d":
            return not _is_joiner(after) and _either(_JOINING, before, after)
        if character == "\u200b":
            return after != "\u200b" and _either(_UNSPACED, before, after)
        return _is_part_of_syllable(before, character, after)

    def _joins_emoji(self, at: int) -> bool:
        base = at - 1
        while base > at - 3 and base >= 0 and (self._text[base] == "\ufe0f" or _is_in(_SKINS, self._text[base])):
            base -= 1
        return base >= 0 and _is_symbol(self._text[base]) and _is_symbol(self._text[at + 1 : at + 2])

    def _line_has(self, letters: re.Pattern[str], at: int) -> bool:
        if at not in self._line:
            start = self._text.rfind("\n", 0, at) + 1
            stop = self._text.find("\n", at)
            self._line = range(start, len(self._text) if stop < 0 else stop)
            self._has.clear()
        if letters.pattern not in self._has:
            found = letters.search(self._text, self._line.start, self._line.stop)
            self._has[letters.pattern] = found is not None
        return self._has[letters.pattern]


def _is_in(ranges: _Ranges, character: str) -> bool:
    return any(first <= character <= last for first, last in ranges)


def _either(script: _Ranges, before: str, after: str) -> bool:
    return _is_in(script, before) or _is_in(script, after)


def _is_joiner(character: str) -> bool:
    return character != "" and character in "\u200c\u200d"


def _is_symbol(character: str) -> bool:
    return character != "" and not character.isascii() and unicodedata.category(character) in ("So", "Sm")


def _takes_selector(before: str, selector: str, after: str) -> bool:
    """Return whether the character ``before`` takes a variation selector."""
    if not before:
        return False
    if selector > "\ufe0f":
        return _is_in(_IDEOGRAPHS, before)
    if before.isascii():
        return before in "0123456789#*" and selector == "\ufe0f" and after == "\u20e3"  # a keycap
    if selector >= "\ufe0e":
        return unicodedata.category(before) in ("So", "Sm", "Po", "Pd") or before == "\u2139"
    return unicodedata.category(before) in ("Lo", "So", "Sm", "Po")


def _is_part_of_syllable(before: str, character: str, after: str) -> bool:
    """Return whether a filler, a grapheme joiner or a Mongolian separator stands between the letters it is for."""
    if character == "\u034f":
        return "Mn" in (unicodedata.category(one) for one in (before, after) if one)
    if character == "\u115f":
        return "\u1161" <= after <= "\u11a7"
    if character == "\u1160":
        return "\u1100" <= before <= "\u115e"
    if character == "\u180e":
        return _is_in(_MONGOLIAN, before) and _is_in(_MONGOLIAN, after)
    return "\u180b" <= character <= "\u180f" and _is_in(_MONGOLIAN, before)


_NAMES = {
    0: "NULL",
    8: "BACKSPACE",
    12: "FORM FEED",
    0x1B: "ESCAPE",
    0x7F: "DELETE",
    0x85: "NEXT LINE",
    0x9B: "CONTROL SEQUENCE",
}


def code_point(character: str) -> str:
    """Return ``character`` as in ``U+200B ZERO WIDTH SPACE``."""
    number = ord(character)
    name = unicodedata.name(character, "") or _NAMES.get(number) or _kind_of(character)
    return f"U+{number:04X} {name}"


def _kind_of(character: str) -> str:
    number = ord(character)
    if unicodedata.category(character) == "Cc":
        return "control character"
    if "\ud800" <= character <= "\udfff":
        return "lone surrogate"
    return "noncharacter" if number & 0xFFFE == 0xFFFE or 0xFDD0 <= number <= 0xFDEF else "unassigned"


def spelled(characters: str) -> str:
    """Return the ASCII text that tag characters spell, without the others."""
    return "".join(chr(ord(one) - 0xE0000) for one in characters if "\U000e0020" <= one <= "\U000e007e")
