"""Directory citations: ``src/``, ``libs/core/``."""

from __future__ import annotations

import posixpath

from intermem.core.citations.drawn import ELSEWHERE
from intermem.core.citations.kinds.fates import below, once_a_folder, only_former_folder, spelt_otherwise
from intermem.core.citations.kinds.may_be_made import as_texts, line_with_text, made_by
from intermem.core.citations.kinds.name_evidence import is_unmistakable
from intermem.core.citations.kinds.never_there import NEVER_MADE, drawn_and_never_there
from intermem.core.citations.kinds.path_drift import drawn_verdict
from intermem.core.citations.kinds.paths import looks_like_path
from intermem.core.citations.kinds.resolution import (
    Setting,
    by_suffix,
    folder_at_root,
    is_below_document,
    may_be_made_at,
    placed_at,
    resolve,
)
from intermem.core.citations.kinds.token import Token
from intermem.core.code.file_types import is_source
from intermem.entities import Citation, Verdict, VerdictStatus
from intermem.facts import Facts, Questions, Tree

_OF_PEOPLE = (".md", ".mdx", ".rst", ".adoc", ".html", ".htm", ".tf")  # beside source code, what no program writes


def read(token: Token) -> Citation | None:
    """Return the directory citation in ``token``: a path that ends in a slash, or that prose calls a folder."""
    if token.form in ("wiki", "import", "url", "line") or token.is_spaced:
        return None
    if not token.text.endswith("/") or not looks_like_path(token.text, token):
        return None
    path = token.text.rstrip("/")
    if not path or path in (".", ".."):
        return None
    return Citation(
        kind="dir",
        text=path if token.form == "folder" else token.text,
        name=path,
        weak=token.form in ("prose", "folder", "word", "fence"),
        link=token.form == "link",
    )


def questions(citation: Citation, setting: Setting, tree: Tree) -> Questions:
    """Return the facts needed to judge ``citation``."""
    if setting.drawn == ELSEWHERE:
        return Questions()
    resolution = resolve(citation.name, setting, tree)
    if setting.drawn and setting.drawn not in tree.dirs:
        places = {setting.drawn, *resolution.places}
        return Questions(ignored=frozenset(f"{place}/" for place in places), history=True)
    if resolution.escapes:
        place = folder_at_root(citation.name, tree)
        return Questions(history=True, names=frozenset({citation.name.strip("/")})) if place else Questions()
    if resolution.exact:
        return Questions()
    made = may_be_made_at(citation, resolution, setting, tree)
    texts = as_texts(citation.name) if "/" in citation.name else ()
    names = frozenset({citation.name} if _is_hidden(citation) else texts)
    return Questions(ignored=frozenset(f"{place}/" for place in made), history=True, names=names)


def _maker(citation: Citation, places: tuple[str, ...], facts: Facts) -> str | None:
    """Return the line of code that mentions a folder which may be there without being in git, or None.

    Hidden ones are, and those whose path is a text of the code, if they only had data for a program to read or write.
    """
    if _is_hidden(citation):
        return made_by(citation.name, facts)
    files = [path for place in places for path in below(f"{place}/", facts.history.ordered)]
    if not files or any(is_source(path) or path.endswith(_OF_PEOPLE) for path in files):
        return None
    return line_with_text(citation.name, facts) if "/" in citation.name else None


def _is_hidden(citation: Citation) -> bool:
    """Return whether the folder is hidden, as those are that programs keep things in."""
    return posixpath.basename(citation.name).startswith(".")


def judge(citation: Citation, setting: Setting, facts: Facts) -> Verdict:
    """Return the verdict on a directory, as for paths; its history is that of the files in it."""
    tree = facts.tree
    drawn = drawn_verdict(citation, setting, facts)
    if drawn is not None:
        return drawn
    resolution = resolve(citation.name, setting, tree)
    if resolution.escapes:
        gone = _once_at_root(citation, facts)
        return gone or Verdict(status=VerdictStatus.UNVERIFIABLE, reason="outside the repository")
    full = None if resolution.exact else _named_in_full(citation, setting, tree)
    if full is not None:
        return Verdict(status=VerdictStatus.VALID, target=full)
    places = _meant(citation, setting, resolution.places, tree)
    once = None if resolution.exact or not tree.is_git else _once(places, facts)
    found = resolve_dir(citation.name, setting, tree)
    # ``private/``, or ``src/lib/`` where several packages have one, is any of these, not the former one alone, even if
    # the context says which.
    alike = by_suffix(posixpath.normpath(citation.name), tree.dirs_by_name)
    generic = len(alike) > 1 and ("/" not in citation.name or (once is not None and once.target in alike))
    called = citation.weak and "/" not in citation.name and once is not None and found == (once.target,)
    placed = placed_at(citation.name, found, setting, tree)
    if placed is not None:
        return Verdict(status=VerdictStatus.VALID, target=placed)
    if (
        once is not None
        and once.status is VerdictStatus.MOVED
        and is_below_document(citation.name, once.target, setting)
    ):
        return Verdict(status=VerdictStatus.VALID, target=once.target)
    if once is not None and once.status is VerdictStatus.MOVED and not (generic or called):
        return once
    if len(found) == 1:
        return Verdict(status=VerdictStatus.VALID, target=found[0])
    if found:
        reason = f"{len(found)} folders match"
        return Verdict(status=VerdictStatus.AMBIGUOUS, reason=reason, candidates=found[:5])
    if not tree.is_git:
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason="not a git repository")
    if any(f"{place}/" in facts.ignored for place in may_be_made_at(citation, resolution, setting, tree)):
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason="ignored by git")
    if once is None and _tells_which(citation, setting):
        former = only_former_folder(posixpath.normpath(citation.name), facts.history)
        once = _once((former,), facts) if former is not None else None
    once = once or spelt_otherwise(citation.name, resolution.places, tree.dirs)
    if once is not None:
        maker = _maker(citation, places, facts) if once.status is VerdictStatus.BROKEN else None
        if maker is not None:
            reason = f"its files were deleted, but {maker} mentions it"
            return Verdict(status=VerdictStatus.UNVERIFIABLE, reason=reason)
        return once
    if not facts.history.complete:
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason="the history is incomplete (shallow clone)")
    if any(path.startswith(f"{place}/") for place in resolution.places for path in facts.history.elsewhere):
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason="only on another branch")
    never = Verdict(status=VerdictStatus.UNVERIFIABLE, reason=NEVER_MADE)
    return drawn_and_never_there(citation, setting, facts) or never


def _tells_which(citation: Citation, setting: Setting) -> bool:
    """Return whether the name of a folder tells which one it is, wherever that was.

    A bare name that a drawn tree shows deeper than at its top is the one there, and no other.
    """
    if "/" in citation.name:
        return True
    is_placed = setting.is_picture and "/" in setting.drawn
    return not is_placed and ("-" in citation.name or is_unmistakable(citation.name))


def _named_in_full(citation: Citation, setting: Setting, tree: Tree) -> str | None:
    """Return the folder that a bare name is short for: the text around it has its whole path, below its heading's."""
    if "/" in citation.name or setting.in_memory:
        return None
    top = f"{setting.folder}/" if setting.folder else ""
    named = {place for hint in setting.hints if "/" in hint for place in (hint, f"{tree.prefix}{hint}", f"{top}{hint}")}
    meant = [one for one in by_suffix(citation.name, tree.dirs_by_name) if one in named]
    is_headed = not setting.bases or any(f"/{base}/" in f"/{one}/" for base in setting.bases for one in meant)
    return meant[0] if len(meant) == 1 and is_headed else None


def _once_at_root(citation: Citation, facts: Facts) -> Verdict | None:
    """Return what became of a folder cited with a slash in front; None if code names it as well, as a route."""
    place = folder_at_root(citation.name, facts.tree)
    if place is None or posixpath.dirname(place) not in facts.tree.dirs:
        return None
    return None if made_by(citation.name.strip("/"), facts) is not None else _once((place,), facts)


def _meant(citation: Citation, setting: Setting, places: tuple[str, ...], tree: Tree) -> tuple[str, ...]:
    """Return where a folder may have been; for a bare name in a nested document only places next to it.

    ``interfaces/`` there means any folder of that name rather than the one that the root once had. So it does below a
    heading that names a folder.
    """
    if "/" in citation.name.strip("/") or setting.in_memory:
        return places
    bases = tuple(one for one in setting.bases if f"{tree.prefix}{one}" in tree.dirs)
    if not setting.folder and not bases:
        return places
    below = (setting.folder, *setting.bases) if setting.folder else bases
    return tuple(place for place in places if any(place.startswith(f"{one}/") or f"/{one}/" in place for one in below))


def resolve_dir(path: str, setting: Setting, tree: Tree) -> tuple[str, ...]:
    """Return the folders that ``path`` can mean: as written, else by suffix, narrowed down by hints."""
    resolution = resolve(path, setting, tree)
    if resolution.exact:
        return resolution.candidates
    tail = posixpath.normpath(path)
    if tail.startswith(".."):
        return ()
    found = by_suffix(tail, tree.dirs_by_name)
    if len(found) < 2:
        return found
    for hint in setting.hints:
        near = tuple(one for one in found if f"/{hint.strip('/')}/" in f"/{one}/")
        if len(near) == 1:
            return near
    return found


def _once(places: tuple[str, ...], facts: Facts) -> Verdict | None:
    """Return what happened to the folder at the first of ``places`` that is in history."""
    tried = (once_a_folder(place, facts) for place in places if f"{place}/" not in facts.ignored)
    return next((once for once in tried if once is not None), None)
