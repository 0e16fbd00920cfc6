"""A piece of an entry's text that may be a citation."""

from __future__ import annotations

from intermem.lazy_dataclass import dataclass
from intermem.patterns import regex

_PLACEHOLDER = regex(
    r"<[^<>]*>|\{[^{}]*\}|\$[A-Za-z_{(]|YYYY|NNNN|XXX|(?<=[-_./])(?:N{1,3}|XX?)(?=[-_.]|$)"
    r"|(?<![A-Za-z])Example[A-Z][a-z]\w*\."
    r"|(?<=/)(?:(?:Component|Feature|Module|Class|Page|Screen|Widget|Hook|Service|Plugin|Package|Entity)Name"
    r"|(?:component|feature|module|class|page|screen|widget|hook|service|plugin|package|entity)[-_]name)(?=[/.])"
    # The sample names of instructions: MyComponent, new_feature, xxx_add_field.sql
    r"|(?<=/)(?:My(?:Component|Feature|Module|Class|Page|Screen|Widget|Hook|Service|Plugin|Package|Entity|Model)"
    r"|(?:my|new|your)[-_]?(?:component|feature|module|class|page|screen|widget|hook|service|plugin|package|entity|model))"
    r"(?=[/.]|[-_]test)"
    r"|(?<![A-Za-z0-9])x{3,}(?=[-_])"
    r"|\.\.\.|…|%[A-Za-z]|\[[^\W\d_][\w .-]*\]|//|\\n"
)
_SPACE = regex(r"\s")
_MARK = regex(r" ?[(\[][\w.-]{1,30}[)\]] ?")  # "plan (old).md", "[DONE] plan.md"
# The path of a page or a table whose name has blanks and begins with no small letter: "docs/How it works.md", not
# "do/a plan.md".
_TITLED = regex(
    r"(?!\.{0,2}/)[\w.-]+(?:/[\w.-]+)*/[^\W_a-z][\w-]*(?:[ ][\w&'’–-]+){0,8}[ ][\w-]+"
    r"\.(?:md|mdx|txt|rst|adoc|pdf|docx?|html?|csv|tsv|xlsx?|ods)"
)
# What may be part of the name of a file as well: a parameter of a route (``[id]``, ``[...slug]``, ``[[...all]].tsx``),
# or a mark (``plan-[DONE].md``).
_IN_NAMES = regex(r"(?<=[-_./ ])\[{1,2}(?:\.\.\.)?[^\W\d][\w.-]*\]{1,2}")


def may_stand_for_any(text: str) -> bool:
    """Return whether ``text`` contains a placeholder: ``<name>``, ``$HOME``, ``YYYY``, ``[id]`` …"""
    return _PLACEHOLDER.search(text) is not None


@dataclass(frozen=True, slots=True)
class Token:
    """``text`` as written at ``start`` to ``stop`` of the entry.

    ``form``: ``span`` (a whole code span, white space and all), ``word`` (inside a longer code span),
    ``fence`` (a word of a fence), ``line`` (a line of a fence), ``link`` (the target of a Markdown link), ``wiki``
    (the name in ``[[name]]``), ``import`` (``@file``), ``url``, ``statement`` (about a tool), ``port``, ``library``
    and ``named`` (about these), ``folder`` (a path that prose calls one), ``prose``. ``language``: of a word of a
    fence, the ending of sources in the programming language that the fence names, else empty.
    """

    text: str
    start: int
    stop: int
    form: str
    language: str = ""

    @property
    def has_placeholder(self) -> bool:
        """Whether it contains a placeholder: ``<name>``, ``$HOME``, ``YYYY`` …"""
        return may_stand_for_any(self.text)

    @property
    def may_be_name(self) -> bool:
        """Whether it has no placeholder, or is a path whose placeholders may be part of a name: ``do/it-[DONE].md``."""
        return not self.has_placeholder or ("/" in self.text and not may_stand_for_any(_IN_NAMES.sub("_", self.text)))

    @property
    def is_marked(self) -> bool:
        """Whether it is a path in full, with white space only around a mark: ``docs/plan (old).md``."""
        return self.form == "span" and "/" in self.text and not _SPACE.search(_MARK.sub("_", self.text))

    @property
    def is_titled(self) -> bool:
        """Whether it is the path of a page whose name has blanks: ``docs/How it works.md``."""
        return self.form == "span" and _TITLED.fullmatch(self.text) is not None

    @property
    def is_spaced(self) -> bool:
        """Whether it contains white space."""
        return _SPACE.search(self.text) is not None
