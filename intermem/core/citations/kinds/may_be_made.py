"""What was committed once and may still be there, untracked: people copy it from a model, or programs write it."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from intermem.core.citations.kinds.name_evidence import at
from intermem.core.code.file_types import is_manifest, is_source
from intermem.entities import Citation
from intermem.facts import Facts, Shape

_MODELS = ("example", "sample", "template", "dist", "default", "tmpl")
_RUNNING = frozenset("db log pid sqlite sqlite3 tmp".split())  # noqa: SIM905 - of a running program

# Program output: a deleted file of this kind is not drift while code still mentions its name.
_OUTPUT = frozenset(
    "json csv tsv html txt log conf ini xml pdf png jpg jpeg gif svg mp4 wav npz pkl parquet db sqlite".split()  # noqa: SIM905
)

MAY_BE_MADE = "committed once, but"


def is_output(path: str) -> bool:
    """Return whether ``path`` is that of a file as programs write them, and no manifest."""
    return path.rpartition(".")[2].lower() in _OUTPUT and not is_manifest(path)


def made_by(name: str, facts: Facts) -> str | None:
    """Return the line of code that mentions the name of a file, and so may create it."""
    named = (place for place in facts.places.get(name, ()) if place.shape is not Shape.COMMENT)
    return next((at(place) for place in named), None)


def as_texts(name: str) -> tuple[str, str]:
    """Return ``name`` as source code has it as a text: what to search for, for ``line_with_text``."""
    return f'"{name}"', f"'{name}'"


def line_with_text(name: str, facts: Facts) -> str | None:
    """Return the line of source code that has ``name`` as a text, and so may create the file or folder, or None."""
    known = (place for text in as_texts(name) for place in facts.places.get(text, ()))
    return next((at(one) for one in known if one.shape is not Shape.COMMENT and is_source(one.path)), None)


def why_it_may_be_there(citation: Citation, places: tuple[str, ...], facts: Facts) -> str | None:
    """Return why a file that was committed once may still exist, untracked; None if nothing suggests it."""
    model = next((one for place in places for one in _models_of(place) if one in facts.tree.paths), None)
    if model is not None:
        return f"{model} is what it is made from"
    own = posixpath.basename(citation.name)
    if own == citation.name and own.rpartition(".")[2].lower() in _RUNNING:
        return "a program may write it"
    if "." not in own:  # only a former file at that very place; else it may be a key in data
        was_file = any(place in facts.history.events for place in places)
        holder = None if was_file else made_by(posixpath.normpath(citation.name), facts)
        return f"{holder} mentions it" if holder is not None else None
    # If another file of that name exists, code refers to that one.
    maker = made_by(own, facts) if is_output(own) and own not in facts.tree.by_name else None
    return f"{maker} may create it" if maker is not None else None


def _models_of(path: str) -> Iterator[str]:
    """Yield the names of files that people copy to ``path``: ``config.ini.example``, ``config.example.ini``."""
    folder, slash, name = path.rpartition("/")
    stem, dot, ending = name.rpartition(".")
    for word in _MODELS:
        yield f"{path}.{word}"
        yield f"{folder}{slash}{word}.{name.lstrip('.')}"
        if dot and stem:
            yield f"{folder}{slash}{stem}.{word}.{ending}"
