"""Detect what a name was renamed to, from the lines before and after a commit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import islice

from intermem.core.code.line_shapes import MAX_LINE, rank, shape_of
from intermem.core.code.name_search import MAX_IN_FILE
from intermem.facts import Shape
from intermem.patterns import regex


@lru_cache(maxsize=4096)
def _slotted(line: str, name: str) -> re.Pattern[str]:
    parts = re.split(rf"(?<![\w-]){re.escape(name)}(?![\w-])", line.strip())
    escaped = [re.escape(part) for part in parts]
    return re.compile(r"\s*" + escaped[0] + r"(?P<new>[\w.-]+)" + r"(?P=new)".join(escaped[1:]) + r"\s*")


@lru_cache(maxsize=8)
def lines_added(old: tuple[str, ...], new: tuple[str, ...]) -> tuple[tuple[int, str], ...]:
    """Return the lines of ``new`` that are not in ``old``, with their numbers; overlong ones are left out."""
    known = set(old)
    added = ((number, line) for number, line in enumerate(new) if line not in known and len(line) <= MAX_LINE)
    return tuple(islice(added, _MAX_LINES))


def renamed(name: str, old: tuple[str, ...], new: tuple[str, ...]) -> str | None:
    """Return the name that replaced ``name`` in ``new``, the lines of a file (or a sibling) after a commit, or None.

    It was renamed if an added line of ``new`` equals an old one except for the name, and either the names are
    similar, or the next line is equal too, or a definition or field stands alone between the same two lines as before.
    It also was if a name differs only in case and underscores.
    """
    added = lines_added(old, new)
    best: tuple[float, str] | None = None
    placed: set[str] = set()  # names that are taken for their place alone
    for number, line in _lines_to_rename(name, old):
        pattern = _slotted(line, name)
        for at, candidate in added:
            match = pattern.fullmatch(candidate)
            if match is None or match["new"] == name or not _is_of_a_kind(name, match["new"]):
                continue
            alike = identifier_similarity(name, match["new"]) + ratio(name, match["new"]) / 100
            follows = _below(old, number)
            same = len(follows) > _TELLING and _below(new, at).replace(match["new"], name) == follows
            minimum = _MIN_SAME if same and rank(shape_of(line, name)) <= rank(Shape.FIELD) else _MIN_SIMILARITY
            if _is_in_place(name, match["new"], (old, number), (new, at)):
                placed |= {match["new"]} if not _share_words(name, match["new"]) else set()
                minimum = 0.0
            elif not _share_words(name, match["new"]):
                minimum = max(minimum, _MIN_OTHER_SAME if same else _MIN_OTHER)
            if alike >= minimum and (best is None or alike + same > best[0]):
                best = (alike + same, match["new"])
    if best is not None and not (best[1] in placed and len(placed) > 1):  # of two in its place it may be either
        return best[1]
    folded = name.replace("_", "").lower()
    if folded not in _folded(added):
        return None
    words = (word for _, line in added for word in _IDENTIFIER.findall(line))
    folds = (word for word in words if word != name and word.replace("_", "").lower() == folded)
    return next((word for word in folds if not _stood(word, old)), None)


@lru_cache(maxsize=8)
def _folded(added: tuple[tuple[int, str], ...]) -> str:
    return "\n".join(line for _, line in added).replace("_", "").lower()


def _stood(word: str, lines: Iterable[str]) -> bool:
    """Return whether a name was there before: then it is no new one of another."""
    return any(word in _IDENTIFIER.findall(line) for line in lines if word in line)


def is_much_of(old: tuple[str, ...], new: tuple[str, ...]) -> bool:
    """Return whether ``new`` has so many lines of ``old`` that it is the same file, changed or under another name."""
    before = {line for line in old if len(line.strip()) > _TELLING}
    return bool(before) and len(before.intersection(new)) >= _MUCH * len(before)


def renamed_with_file(
    name: str, path: str, old: tuple[str, ...], added: Mapping[str, tuple[str, ...]]
) -> tuple[str | None, str]:
    """Return what a class was renamed to that the file ``path`` was named after, and the new file; None if nothing.

    That is what one of the ``added`` files is named after and defines, with so much of the ``old`` lines that it is the
    same file under another name.
    """
    found: list[tuple[str, str]] = []
    for place, lines in added.items() if stem_of(path) == name else ():
        other = stem_of(place)
        defines = any(other in line and shape_of(line, other) is Shape.DEFINITION for line in lines)
        if defines and is_much_of(tuple(line.replace(name, other) for line in old), lines):
            found.append((other, place))
    return found[0] if len(found) == 1 else (None, "")


def is_doubtful(
    name: str, renamed_to: str, before: tuple[str, tuple[str, ...]], after: tuple[str, Mapping[str, tuple[str, ...]]]
) -> bool:
    """Return whether ``name`` may as well have become another than ``renamed_to``, or nothing.

    ``before`` are its file and the lines of that; ``after``, the file with the new name, and the lines of all that were
    looked at.
    """
    (path, old), (target, files) = before, after
    same = [files[target]] if is_much_of(old, files[target]) else list(files.values())
    if has_rival(name, renamed_to, old, same):
        return True
    return target != path and not keeps_its_file(name, renamed_to, path, old, files[target])


def keeps_its_file(name: str, renamed_to: str, path: str, old: tuple[str, ...], new: tuple[str, ...]) -> bool:
    """Return whether ``renamed_to``, in another file, may be what became of ``name`` and of its file ``path``.

    What a file was named after, as a class often is, became another only if so did the file: a line ``class A(Tool)``
    is like many others.
    """
    if stem_of(path) != name or renamed_to.lower() == name.lower():
        return True
    return is_much_of(tuple(line.replace(name, renamed_to) for line in old), new)


def stem_of(path: str) -> str:
    """Return the name of a file up to its first dot: what a file of one class is often called after."""
    return path.rpartition("/")[2].partition(".")[0]


def has_rival(name: str, renamed_to: str, old: tuple[str, ...], after: Sequence[tuple[str, ...]]) -> bool:
    """Return whether ``after`` also defines another new name that ``name`` may have become: nobody knows which.

    One that is more alike, or that has all of its words as well, as where ``QUEUE`` became two queues.
    """
    own, taken, alike = _words_of(name), _words_of(renamed_to), identifier_similarity(name, renamed_to)
    if own == taken:
        return False
    seen = {word for line in old for word in _IDENTIFIER.findall(line)} | {name, renamed_to}
    for new in after:
        for _, line in lines_added(old, new):
            for rival in _IDENTIFIER.findall(line):
                words = frozenset() if rival in seen or not _is_of_a_kind(name, rival) else _words_of(rival)
                if own.isdisjoint(words) or shape_of(line, rival) is not Shape.DEFINITION:
                    continue
                seen.add(rival)
                if (own <= taken and own <= words) or identifier_similarity(name, rival) > alike:
                    return True
    return False


def _share_words(one: str, other: str) -> bool:
    """Return whether at least half of the words of two names are the same."""
    first, second = (_words_of(name) for name in (one, other))
    return 2 * len(first & second) * 2 >= len(first) + len(second)


@lru_cache(maxsize=16_384)
def _words_of(name: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _WORD.findall(name.rpartition(".")[2]))


def _is_of_a_kind(old: str, new: str) -> bool:
    """Return whether both names start in upper case, or neither does: a type does not become a function."""
    return new.rpartition(".")[2][:1].isupper() == old.rpartition(".")[2][:1].isupper()


def _lines_to_rename(name: str, old: Sequence[str]) -> list[tuple[int, str]]:
    """Return the lines that contain ``name``, best shape first, without those that contain little else."""
    found = [
        (number, line)
        for number, line in enumerate(old)
        if name in line and len(name) + 4 <= len(line.strip()) and len(line) <= MAX_LINE
    ]
    return sorted(found[:MAX_IN_FILE], key=lambda one: rank(shape_of(one[1], name)))[:_MAX_BEFORE]


def _is_in_place(
    name: str, renamed_to: str, before: tuple[Sequence[str], int], after: tuple[Sequence[str], int]
) -> bool:
    """Return whether a line that defines ``name``, and one that is new, stand between lines that are the same."""
    (old, number), (new, at) = before, after
    around = (_above(old, number), _below(old, number))
    is_defined = rank(shape_of(old[number], name)) <= rank(Shape.FIELD) or is_parameter(name, old[number])
    if not all(around) or len("".join(around)) <= _TELLING or not is_defined:
        return False
    if any(re.search(rf"(?<![\w-]){re.escape(renamed_to)}(?![\w-])", line) for line in old if renamed_to in line):
        return False  # it was there already: another thing
    return tuple(line.replace(renamed_to, name) for line in (_above(new, at), _below(new, at))) == around


def is_parameter(name: str, line: str) -> bool:
    """Return whether ``line`` is the head of a function, and ``name`` one of its parameters."""
    before, found, _ = line.partition(name)
    return bool(found) and _HEAD.search(before) is not None


def _above(lines: Sequence[str], number: int) -> str:
    return lines[number - 1].strip() if number else ""


def _below(lines: Sequence[str], number: int) -> str:
    return lines[number + 1].strip() if number + 1 < len(lines) else ""


_IDENTIFIER = regex(r"[^\W\d]\w*")
_HEAD = regex(r"\b(?:def|fn|func|function|fun)\b(?:\s*\([^()]*\))?[\w\s.<>:]*\([^()]*$")
_TELLING = 8  # characters that the next line must have to count as evidence
_MAX_LINES = 5000  # added lines of one file that are compared
_MAX_BEFORE = 8  # lines with the old name that are compared
_MUCH = 0.4  # of the lines of a file, if another is what has become of it
_MIN_SAME = 0.3  # similarity of names if the next lines are equal
_MIN_SIMILARITY = 0.5  # similarity of names otherwise
# Of names that share fewer than half of their words: letters are alike by chance.
_MIN_OTHER_SAME = 0.6
_MIN_OTHER = 0.75
_WORD = regex(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\W\d_a-zA-Z]+")


def identifier_similarity(one: str, other: str) -> float:
    """Return the similarity of two names, 0.0 to 1.0, without case, underscores and owners."""
    first, second = (name.rpartition(".")[2].replace("_", "").lower() for name in (one, other))
    return ratio(first, second)


def ratio(one: str, other: str) -> float:
    """Return the similarity of two texts, 0.0 to 1.0.

    rapidfuzz would be faster, but it scores many pairs higher and so finds renames that are none.
    """
    from difflib import SequenceMatcher

    return SequenceMatcher(None, one, other, autojunk=False).ratio()
