"""The folders that a document says its paths are in: by a heading, below one, or once for all of it."""

from __future__ import annotations

import re
from functools import lru_cache

from intermem.core.markdown.inline import code_spans
from intermem.patterns import regex

_MOST = 4
FOLDER_WORD = regex(r"/?[\w.@-]+(?:/[\w.@-]+)*/?")
# What the first sentence of a section says of where all of it is: "Served from `apps/shop`", "Lives in `web/`".
_PLACED = regex(
    r"(?:\b(?:from|in|inside|under|below|within|rooted\sat|relative\sto|aus|unter|dans|depuis|sous|en|desde|bajo|em|sob|da|sotto)"
    r"\s(?:the\s)?|\b(?:в|из)\s|(?:位于|在)\s?)`(?P<folder>[\w.@-]+(?:/[\w@-]+)+/?|[\w.@-]+/)`",
    re.IGNORECASE,
)
_SENTENCE_END = regex(r"[.!?。！？]\s|\n\s*\n")
# Once for all: "Paths are relative to `apps/shop/`".
_RELATIVE = regex(
    r"(?:\bpaths?\s(?:[\w,]+\s){0,5}?(?:is|are)\s(?:\w+\s)?relative\sto|\bpfade?\s(?:\w+\s){0,4}?relativ\szu[mr]?"
    r"|\bchemins?\s(?:\w+\s){0,4}?relatifs?\sà|\brutas?\s(?:\w+\s){0,4}?relativas?\sa|\bcaminhos?\s(?:\w+\s){0,4}?relativos?\sa"
    r"|\bpercorsi\s(?:\w+\s){0,4}?relativi\sa|\bпути\s(?:\w+\s){0,4}?относительно|路[径徑](?:均|都)?(?:是)?相[对對][于於]|パスは)\s?(?:the\s)?"
    r"`(?P<folder>[\w.@-]+(?:/[\w.@-]+)*/?)`",
    re.IGNORECASE,
)
_TELLING = regex(r"[Rr]elati[vf]|относительно|相[对對][于於]|パスは")  # one of these is in each, and few texts have one
_AROUND = 120  # characters before and after it
# By a sample: "`lib/rack` resolves to `apps/shop/lib/rack`".
_RESOLVES = regex(
    r"`(?P<short>[\w@-][\w.@-]*(?:/[\w.@-]+)*/?)`\s(?:then\s|here\s|always\s)?"
    r"(?:resolves?\sto|refers?\sto|means|stands\sfor|is(?:\sshort\sfor)?|=|→|->|meint|steht\sfür|désigne|significa|означает|指(?:的是)?)"
    r"\s(?:the\s(?:folder|directory|file)\s)?`(?P<full>[\w.@-]+(?:/[\w.@-]+)+/?)`",
    re.IGNORECASE,
)


@lru_cache(maxsize=512)
def bases_below(heading: str, opening: str) -> tuple[str, ...]:
    """Return the folders that a heading names: ``### Storage (`src/storage/`)``; else the one of its ``opening``.

    That is where all of the section is: ``Served from `apps/shop`.``
    """
    spans = [span.text.strip() for span in code_spans(heading)]
    words = [word.strip("()[],:") for word in heading.replace("`", " ").split()]
    named = [word for word in (*spans, *(one for one in words if "/" in one)) if FOLDER_WORD.fullmatch(word)]
    if not named:
        first = opening[: end.start() if (end := _SENTENCE_END.search(opening)) is not None else None]
        placed = {match["folder"] for match in _PLACED.finditer(first)}
        named = list(placed) if len(placed) == 1 else []
    return tuple(dict.fromkeys(word.removeprefix("./").strip("/") for word in named))[:_MOST]


def bases_of(text: str) -> tuple[str, ...]:
    """Return the folders that a document says, in a sentence or by a sample, all of its paths are relative to."""
    around = ((max(0, match.start() - _AROUND), match.end() + _AROUND) for match in _TELLING.finditer(text))
    told = filter(None, (_RELATIVE.search(text, *window) for window in around))
    found = [match["folder"].removeprefix("./").strip("/") for match in told]
    for match in _RESOLVES.finditer(text):
        short, full = match["short"].strip("/"), match["full"].removeprefix("./").strip("/")
        if full.endswith(f"/{short}"):
            found.append(full.removesuffix(f"/{short}"))
    return tuple(dict.fromkeys(one for one in found if one))[:_MOST]
