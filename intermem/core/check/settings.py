"""Settings of ``check``: names of rules, globs of documents, what is ignored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from intermem.core.check.globs import matches
from intermem.core.check.rules import BY_CODE, HAZARDS, RULES
from intermem.lazy_dataclass import dataclass

OWN_TOPIC = "ignore"  # the rules about ignore comments themselves


def _by_word() -> Mapping[str, frozenset[str]]:
    words: dict[str, set[str]] = {}
    for rule in RULES:
        for word in (rule.code.lower(), rule.name, *rule.topics):
            words.setdefault(word, set()).add(rule.code)
    return {word: frozenset(codes) for word, codes in words.items()}


_BY_WORD = _by_word()
OWN_CODES = _BY_WORD[OWN_TOPIC]
ALWAYS_SHOWN = OWN_CODES | HAZARDS  # by comments and a baseline, which a stranger's branch could bring along


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckSettings:
    """Codes that are ignored everywhere, codes ignored by glob, and globs of excluded documents.

    Of hazards only those ``allowed`` are ignored: the others are what a tree brings along.
    """

    ignore: frozenset[str] = frozenset()
    per_file: tuple[tuple[str, frozenset[str]], ...] = ()
    exclude: tuple[str, ...] = ()
    allowed: frozenset[str] = frozenset()

    @property
    def disregarded(self) -> frozenset[str]:
        """The codes of hazards that the ignores name in vain."""
        named = self.ignore.union(*(codes for _, codes in self.per_file))
        return named & HAZARDS - self.allowed

    def ignores(self, code: str, file: str) -> bool:
        """Return whether findings of the rule ``code`` in ``file`` are ignored."""
        if code in HAZARDS:
            return code in self.allowed
        return code in self.ignore or any(code in codes and matches(glob, file) for glob, codes in self.per_file)

    def is_excluded(self, file: str) -> bool:
        """Return whether the document ``file`` is excluded."""
        return any(matches(glob, file) for glob in self.exclude)


def rules_named(word: str) -> frozenset[str]:
    """Return the codes of the rules that ``word`` (a code, a name or a topic) names; empty if unknown."""
    return _BY_WORD.get(word.lower(), frozenset())


def rule_like(text: str) -> str | None:
    """Return the code, name or topic closest to an unknown ``text``, or None if none is close."""
    from rapidfuzz import fuzz, process

    nearest = process.extractOne(text.lower(), list(_BY_WORD), scorer=fuzz.ratio, score_cutoff=70)
    word = str(nearest[0]) if nearest is not None else None
    return word.upper() if word is not None and word.upper() in BY_CODE else word


def codes_of(words: Iterable[str]) -> frozenset[str]:
    """Return the codes of all rules named by ``words``."""
    return frozenset[str]().union(*(rules_named(word) for word in words))


def problem_with_rules(words: Sequence[object]) -> str:
    """Return what is wrong with a list of rules, with a suggestion, or ``""``."""
    for word in words:
        if not isinstance(word, str):
            return "expected a list of rules"
        if not rules_named(word):
            like = rule_like(word)
            return f"unknown rule {word}" + (f", did you mean {like}?" if like else "")
    return ""
