"""Directory citations: ``src/``, ``libs/core/``."""

from __future__ import annotations

import posixpath
from collections import Counter
from dataclasses import replace

from intermem.core.kinds.paths import deletion, follow, looks_like_path, never_existed
from intermem.core.kinds.resolving import Setting, by_suffix, resolve
from intermem.core.kinds.token import Token
from intermem.entities import Citation, Event, Facts, Questions, Tree, Verdict, VerdictStatus


def read(token: Token) -> Citation | None:
    """Return the directory citation that ``token`` is: a path that ends in a slash."""
    if token.form in ("wiki", "import", "url", "line") or token.is_spaced:
        return None
    if not token.text.endswith("/") or not looks_like_path(token.text, token):
        return None
    path = token.text.rstrip("/")
    if not path or path in (".", ".."):
        return None
    return Citation(
        kind="dir",
        text=token.text,
        name=path,
        stance=token.stance,
        weak=token.form in ("prose", "word", "fence"),
        link=token.form == "link",
    )


def questions(citation: Citation, setting: Setting, tree: Tree) -> Questions:
    """Return what must be known to judge ``citation``."""
    resolution = resolve(citation.name, setting, tree)
    if resolution.escapes or resolve_dir(citation.name, setting, tree):
        return Questions()
    return Questions(ignored=frozenset(f"{place}/" for place in resolution.places), history=True)


def judge(citation: Citation, setting: Setting, facts: Facts) -> Verdict:
    """Return the verdict on a directory: as for paths, with the files below it as its history."""
    tree = facts.tree
    resolution = resolve(citation.name, setting, tree)
    if resolution.escapes:
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason="outside the repository")
    found = resolve_dir(citation.name, setting, tree)
    if len(found) == 1:
        return Verdict(status=VerdictStatus.VALID, target=found[0])
    if found:
        reason = f"{len(found)} folders match"
        return Verdict(status=VerdictStatus.AMBIGUOUS, reason=reason, candidates=found[:5])
    if not tree.is_git:
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason="not a git repository")
    if any(f"{place}/" in facts.ignored for place in resolution.places):
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason="ignored by git")
    for place in resolution.places:
        once = _once(place, facts)
        if once is not None:
            return once
    if not facts.history.complete:
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason="a shallow clone hides the history")
    if any(path.startswith(f"{place}/") for place in resolution.places for path in facts.history.elsewhere):
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason="on another branch")
    return never_existed(citation, resolution.places, facts)


def resolve_dir(path: str, setting: Setting, tree: Tree) -> tuple[str, ...]:
    """Return the folders that ``path`` can mean: as written, else by suffix, decided by hints."""
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


def _once(place: str, facts: Facts) -> Verdict | None:
    """*Moved* where the files once below ``place`` went to one folder, *broken* where they are gone."""
    events: list[Event] = []
    destinations: Counter[str] = Counter()
    renames: dict[str, Event] = {}
    tree, history = facts.tree, facts.history
    prefix = place + "/"
    for path in sorted(history.events):
        if not path.startswith(prefix) or path in facts.ignored:
            continue
        event = history.events[path]
        events.append(event)
        moved = follow(path, tree, history)
        tail = path[len(place) :]
        if moved is not None and moved.target is not None and moved.target.endswith(tail):
            new = moved.target[: -len(tail)]
            destinations[new] += 1
            renames.setdefault(new, event)
    if not events:
        return None
    if len(destinations) == 1:
        new = next(iter(destinations))
        return Verdict(status=VerdictStatus.MOVED, target=new, commit=renames[new].commit, date=renames[new].date)
    newest = max(events, key=lambda event: (event.commit is None, event.date or "", event.commit or ""))
    gone = Verdict(status=VerdictStatus.BROKEN, reason=deletion(newest), commit=newest.commit, date=newest.date)
    if destinations:
        return replace(gone, reason="its files went to several folders")
    return gone
