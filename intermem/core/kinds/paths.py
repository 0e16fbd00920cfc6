"""Path citations, with or without lines: ``src/a.py``, ``a.py``, ``a.py:12-20``, ``a.py#L12``."""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from intermem.core.code import MADE, is_manifest, is_source, is_written
from intermem.core.kinds.extensions import EXTENSIONS
from intermem.core.kinds.naming import at, is_unmistakable
from intermem.core.kinds.resolving import Resolution, Setting, by_stem_suffix, by_suffix, deeper, resolve
from intermem.core.kinds.token import Token
from intermem.entities import Citation, Event, Facts, History, Questions, Shape, Tree, Verdict, VerdictStatus

_LINES = re.compile(
    r"^(?P<path>.+?)(?::(?P<colon>L?\d{1,7}(?:[-–,]\s?L?\d{1,7}){0,20})(?::\d{1,5})?|#(?P<hash>L\d{1,7}(?:-L?\d{1,7})?))$"
)
_NUMBER = re.compile(r"\d+")
_ANCHOR = re.compile(r"[#?].*$")
_NAME = re.compile(r"[\w@+~.\-\[\]() ]+", re.UNICODE)
_DATA = frozenset("csv db jsonl log pid sqlite sqlite3 tmp tsv json".split())  # noqa: SIM905
_RUNNING = frozenset("db log pid sqlite sqlite3 tmp".split())  # noqa: SIM905 - of a program that runs
# What programs write: a committed one that left is no drift while code has its name.
_OUTPUT = frozenset(
    "json csv tsv html txt log xml pdf png jpg jpeg gif svg mp4 wav npz pkl parquet db sqlite".split()  # noqa: SIM905
)
NEVER_HERE = "not in the repository or its history"
MAY_BE_MADE = "committed once, but"
_COMPILED = {"js": ("ts", "tsx"), "jsx": ("tsx",), "mjs": ("mts",), "cjs": ("cts",), "ts": ("d.ts",)}
_DOTFILES = frozenset(
    """
    .gitignore .gitattributes .dockerignore .npmrc .nvmrc .editorconfig .env .env.example .env.local .eslintrc
    .prettierrc
    """.split()  # noqa: SIM905 - a list reads worse
)
_MOST_COUNTED = 20  # candidates among which a line number may decide
_WINDOWS = re.compile(r"(?:\.{1,2}\\)?(?:[\w.-]{2,}\\)+[\w.-]+\.\w{1,8}")
_HOST = re.compile(r"^(?:[\w-]+\.)+(?:com|org|net|io|dev|ai|app|edu|gov|co|sh)(?:/|$)", re.IGNORECASE)
_VERSIONISH = re.compile(r"^v?\d+(?:\.\d+)*[a-z]?$", re.IGNORECASE)


def read(token: Token) -> Citation | None:
    """Return the path citation that ``token`` is, None where it is something else."""
    if token.form in ("wiki", "url", "line") or (token.is_spaced and token.form != "link"):
        return None
    text, first, last = _with_lines(token.text)
    path = _ANCHOR.sub("", text) if token.form == "link" else text
    if _WINDOWS.fullmatch(path) and token.form != "prose":
        path = path.replace("\\", "/")
    if path.endswith("/") or not looks_like_path(path, token):
        return None
    name = posixpath.basename(path)
    stem, dot, extension = name.rpartition(".")
    known = bool(dot) and extension.lower() in EXTENSIONS and (bool(stem) or "/" in path)
    dotfile = name.startswith(".") and (token.form == "span" or name in _DOTFILES) and _is_dotfile(name[1:])
    if "/" not in path and not known and not dotfile:
        return None
    if "/" in path and token.form not in ("span", "link", "import") and not ((dot and stem) or _is_pathly(path)):
        return None
    if not known and _VERSIONISH.match(name):
        return None
    return Citation(
        kind="path",
        text=token.text,
        name=path,
        first_line=first,
        last_line=last,
        weak=token.form in ("prose", "word", "fence") or not known,
        link=token.form in ("link", "import"),
    )


def _is_pathly(path: str) -> bool:
    """True for what prose would not write otherwise, ending or none: ``./bin/run``, ``my-pkg/api``; not ``and/or``."""
    return path.startswith(("./", "../")) or re.search(r"\w[-_]\w", path.partition("/")[0]) is not None


def _is_dotfile(name: str) -> bool:
    """``.env`` and ``.gitignore`` are files; ``.md``, ``.json`` and ``.test.ts`` speak of a kind of file."""
    if name == "env" or name.startswith("env."):
        return True
    return re.fullmatch(r"[a-z][a-z_-]{2,}(?:\.[a-z]+)?", name) is not None and not any(
        part in EXTENSIONS for part in name.partition(".")[::2]
    )


def looks_like_path(path: str, token: Token) -> bool:
    """True where nothing speaks against ``path`` being one: no placeholder, URL, scope or option."""
    if not path or token.has_placeholder or path.startswith(("-", "@", "#", "mailto:", "data:")):
        return False
    if _HOST.match(path) or "://" in path or any(char in path for char in '*?|"<>`,;'):
        return False
    parts = path.removeprefix("./").strip("/").split("/")
    return all(part and _NAME.fullmatch(part) for part in parts) and not all(_VERSIONISH.match(part) for part in parts)


def _with_lines(text: str) -> tuple[str, int | None, int | None]:
    match = _LINES.match(text)
    if match is None:
        return text, None, None
    numbers = [int(number) for number in _NUMBER.findall(match["colon"] or match["hash"])]
    return match["path"], numbers[0], max(numbers)


def questions(citation: Citation, setting: Setting, tree: Tree) -> Questions:
    """Return what must be known to judge ``citation``."""
    found = resolve(citation.name, setting, tree)
    if found.escapes:
        return Questions()
    history = not found.exact
    if 0 < len(found.candidates) <= _MOST_COUNTED and citation.last_line is not None:
        return Questions(line_counts=frozenset(found.candidates), history=history)
    if found.candidates:
        return Questions(history=history)
    return Questions(ignored=frozenset(found.places), history=True, names=_names_of_made(citation, tree))


def _names_of_made(citation: Citation, tree: Tree) -> frozenset[str]:
    """The names by which code tells that it makes the file: its path where it never was, its own where it is output."""
    path = posixpath.normpath(citation.name)
    is_named = "/" in path and "." not in posixpath.basename(path)  # a key of data rather than a file
    names = [path] if is_named or (not citation.weak and is_rooted(path, tree)) else []
    return frozenset([*names, posixpath.basename(path)] if _is_output(path) else names)


def _is_output(path: str) -> bool:
    return path.rpartition(".")[2].lower() in _OUTPUT and not is_manifest(path)


def _made_by(name: str, facts: Facts) -> str | None:
    """The line of code that has the name of a file and so may make it."""
    named = (place for place in facts.places.get(name, ()) if place.shape is not Shape.COMMENT)
    return next((at(place) for place in named), None)


def judge(citation: Citation, setting: Setting, facts: Facts) -> Verdict:
    """Return the verdict on a path citation.

    Order (DESIGN.md §6): what stands is valid; else what history moved; else several candidates;
    else what history or the tree proves gone; else nothing can be said.
    """
    tree = facts.tree
    found = resolve(citation.name, setting, tree)
    if found.exact:
        return _at_line(citation, found.candidates[0], facts)
    memory_file = _memory_file(citation, setting, facts)
    if memory_file is not None:
        return Verdict(status=VerdictStatus.VALID, target=memory_file, reason="a file of the memory")
    if found.escapes:
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason="outside the repository")
    if not found.candidates and any(place in facts.ignored for place in found.places):
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason="ignored by git")
    moved = None if _is_placed(citation, found, setting) else _moved(found.places, facts)
    if moved is not None and not _is_called_by_name(citation, found, moved, setting):
        return _elsewhere_run(citation, moved)
    candidates = _long_enough(citation, found.candidates, facts)
    if len(candidates) == 1:
        return _at_line(citation, candidates[0], facts)
    if found.candidates:
        shown = found.candidates[:5]
        reason = f"{len(found.candidates)} files match"
        return Verdict(status=VerdictStatus.AMBIGUOUS, reason=reason, candidates=shown)
    return _absent(citation, found, setting, facts)


def _is_called_by_name(citation: Citation, found: Resolution, moved: Verdict, setting: Setting) -> bool:
    """True where a document calls a file by its name alone, which only the one has that moved: it says what it did.

    In a note a name in code is the path that it was.
    """
    named = citation.weak or not setting.in_memory
    return named and "/" not in citation.name and found.candidates == (moved.target,)


def _elsewhere_run(citation: Citation, moved: Verdict) -> Verdict:
    """The verdict that it moved, but for ``./x`` in a command, which may be run where it moved to."""
    tail = citation.text.removeprefix(".")
    if citation.weak and citation.text.startswith("./") and (moved.target or "").endswith(tail):
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason=f"it may be meant to be run beside {moved.target}")
    return moved


def _is_placed(citation: Citation, found: Resolution, setting: Setting) -> bool:
    """True for a bare name whose one candidate lies in a folder that the words around it name."""
    if "/" in citation.name or len(found.candidates) != 1:
        return False
    folder = posixpath.dirname(found.candidates[0])
    return any(folder == hint or folder.endswith(f"/{hint}") for hint in setting.hints)


def _long_enough(citation: Citation, candidates: tuple[str, ...], facts: Facts) -> tuple[str, ...]:
    """The candidates that have the cited line; all of them where none or no line decides."""
    line = citation.last_line
    if line is None or len(candidates) < 2:
        return candidates
    fitting = tuple(path for path in candidates if facts.line_counts.get(path, 0) >= line)
    return fitting or candidates


def _at_line(citation: Citation, target: str, facts: Facts) -> Verdict:
    line = citation.last_line
    if line is None:
        return Verdict(status=VerdictStatus.VALID, target=target)
    count = facts.line_counts.get(target)
    if count is not None and line > count:
        return Verdict(
            status=VerdictStatus.BROKEN, target=target, reason=f"the file has {count} line{'' if count == 1 else 's'}"
        )
    return Verdict(status=VerdictStatus.VALID, target=f"{target}:{citation.first_line}")


def _memory_file(citation: Citation, setting: Setting, facts: Facts) -> str | None:
    beside = posixpath.normpath(posixpath.join(setting.memory_folder, citation.name))
    tail = posixpath.normpath(citation.name)
    for candidate in (beside, tail, tail.removeprefix("memory/")):
        if candidate in facts.memory_files:
            return f"memory/{candidate}"
    return None


def _moved(places: tuple[str, ...], facts: Facts) -> Verdict | None:
    for place in places:
        moved = None if place in facts.ignored else follow(place, facts.tree, facts.history)
        if moved is not None:
            return moved
    return None


def follow(place: str, tree: Tree, history: History) -> Verdict | None:
    """Return *moved* where the renames that start at ``place`` end at a path of ``tree``."""
    seen: set[str] = set()
    event: Event | None = history.events.get(place)
    first = event
    at = place
    while event is not None and event.renamed_to is not None and at not in seen:
        seen.add(at)
        at = event.renamed_to
        if at in tree.paths:
            assert first is not None
            return Verdict(status=VerdictStatus.MOVED, target=at, commit=first.commit, date=first.date, origin=place)
        event = history.events.get(at)
    return None


def fate_of(place: str, tree: Tree, history: History) -> Verdict:
    """Return the verdict on a path that stood at ``place`` and stands there no more: *moved*, else *broken*."""
    moved = follow(place, tree, history)
    event = history.events.get(place)
    if moved is not None or event is None:
        return moved or Verdict(status=VerdictStatus.BROKEN, reason="gone")
    return Verdict(status=VerdictStatus.BROKEN, reason=deletion(event), commit=event.commit, date=event.date)


def _is_in_memory(citation: Citation, setting: Setting) -> bool:
    """True where a link points below the memory, seen from the file that holds it."""
    beside = posixpath.normpath(posixpath.join(setting.memory_folder, citation.name))
    return not beside.startswith("..")


def _absent(citation: Citation, found: Resolution, setting: Setting, facts: Facts) -> Verdict:
    tree, history = facts.tree, facts.history
    if not tree.is_git:
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason="not a git repository")
    compiled = _source_of_import(found.places, tree)
    if compiled is not None:
        return Verdict(status=VerdictStatus.VALID, target=compiled, reason="imported by the name it is compiled to")
    gone = _gone(citation, found.places, facts)
    if gone is not None:
        doubt = _doubt(citation, found.places, facts) if gone.status is VerdictStatus.BROKEN else None
        if doubt is not None:
            return Verdict(status=VerdictStatus.UNVERIFIABLE, reason=f"{MAY_BE_MADE} {doubt}")
        return _elsewhere_run(citation, gone)
    holder = _holder(found.places, tree)
    if holder is not None:
        return Verdict(status=VerdictStatus.VALID, target=holder, reason="a name in that file")
    folder = _once_a_folder(found.places, facts)
    if folder is not None:
        return folder
    moved_down = None if citation.weak else deeper(citation.name, tree)
    if moved_down is not None:
        return Verdict(
            status=VerdictStatus.MOVED,
            target=moved_down,
            reason="it stands in a folder further down",
            origin=_before_folders(citation.name, moved_down),
        )
    in_memory = facts.memory_files or setting.in_memory
    if citation.link and citation.name.endswith(".md") and in_memory and _is_in_memory(citation, setting):
        return Verdict(status=VerdictStatus.BROKEN, reason="no such file in the memory")
    if not history.complete:
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason="a shallow clone hides the history")
    return never_existed(citation, found.places, facts)


def _doubt(citation: Citation, places: tuple[str, ...], facts: Facts) -> str | None:
    """Why a file that was committed once may be there all the same, untracked; None where nothing says so."""
    own = posixpath.basename(citation.name)
    if own == citation.name and own.rpartition(".")[2].lower() in _RUNNING:
        return "it may be made by running it"
    if "." not in own:  # what stood at that very place was a file, else it may be a key of data
        was_file = any(place in facts.history.events for place in places)
        holder = None if was_file else _made_by(posixpath.normpath(citation.name), facts)
        return f"{holder} has the name" if holder is not None else None
    # Where another file of that name stands, code speaks of that one.
    maker = _made_by(own, facts) if _is_output(own) and own not in facts.tree.by_name else None
    return f"{maker} may make it" if maker is not None else None


def _before_folders(name: str, target: str) -> str:
    """Where ``name`` would stand, had nothing come between the folders that it has in common with ``target``."""
    first, *_ = normal = posixpath.normpath(name).split("/")
    parts = target.split("/")
    return "/".join([*parts[: parts.index(first)], *normal])


def never_existed(citation: Citation, places: tuple[str, ...], facts: Facts) -> Verdict:
    """Return *broken* where a path is rooted in a tracked folder and was never seen, on any branch.

    What is vendored or built, what lists alternatives (``a.ts/b.ts``) and what prose or a fence
    merely mentions is no alarm.
    """
    if any(place in facts.history.elsewhere for place in places):
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason="on another branch")
    folders = posixpath.normpath(citation.name).split("/")[:-1]
    strange = any(name.lower() in MADE or is_source(name) for name in folders if name)
    if citation.name.rpartition(".")[2].lower() in _DATA:
        return Verdict(
            status=VerdictStatus.UNVERIFIABLE, reason="never in the repository; it may be made by running it"
        )
    maker = _made_by(posixpath.normpath(citation.name), facts)
    if maker is not None:
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason=f"never in the repository, but {maker} has the name")
    if not citation.weak and not strange and is_rooted(citation.name, facts.tree):
        return Verdict(status=VerdictStatus.BROKEN, reason="never existed in the repository")
    return Verdict(status=VerdictStatus.UNVERIFIABLE, reason=NEVER_HERE)


def _source_of_import(places: tuple[str, ...], tree: Tree) -> str | None:
    """The TypeScript file behind a ``.js`` path: its imports are written with the compiled ending."""
    for place in places:
        stem, dot, ending = place.rpartition(".")
        for source in _COMPILED.get(ending, ()) if dot else ():
            if f"{stem}.{source}" in tree.paths:
                return f"{stem}.{source}"
    return None


def _holder(places: tuple[str, ...], tree: Tree) -> str | None:
    """The code file of a dotted name behind its path: ``pkg/module.Class``."""
    for place in places:
        stem, dot, name = place.rpartition(".")
        if not dot or not name[:1].isupper() or name.isupper():
            continue
        for path in tree.by_stem.get(posixpath.basename(stem), ()):
            if path.rpartition(".")[0] == stem:
                return path
    return None


def _gone(citation: Citation, places: tuple[str, ...], facts: Facts) -> Verdict | None:
    """*Moved* or *broken* by what history says of the one path that this can have been.

    A path that git ignores now is no drift, and a bare name in prose ("three.js") proves nothing.
    """
    path, tree, history = citation.name, facts.tree, facts.history
    known = [place for place in places if place in history.events]
    bare = "/" not in path and not is_unmistakable(path.partition(".")[0])
    if not known and not (citation.weak and bare):
        tail = posixpath.normpath(path)
        known = list(by_suffix(tail, history.by_name) or by_stem_suffix(tail, history.by_stem))
    known = [one for one in known if one not in facts.ignored]
    if not known:
        return None
    if known[0] not in places:
        endings = {(follow(one, tree, history) or Verdict(status=VerdictStatus.BROKEN)).target for one in known}
        if len(endings) > 1:
            return None
        moved = follow(known[0], tree, history)
        if moved is not None:
            return moved
    last = known[0]
    event = history.events[last]
    while event.renamed_to is not None and event.renamed_to in history.events and event.renamed_to != last:
        event = history.events[event.renamed_to]
    package = _package(last, tree)
    if package is not None:
        return Verdict(
            status=VerdictStatus.MOVED,
            target=package,
            reason="it became a package",
            commit=event.commit,
            date=event.date,
            origin=last,
        )
    if is_written(last) and not is_source(last):
        return Verdict(
            status=VerdictStatus.UNVERIFIABLE, reason=f"{last} was committed once, and is made by running it"
        )
    return Verdict(status=VerdictStatus.BROKEN, reason=deletion(event), commit=event.commit, date=event.date)


def _package(place: str, tree: Tree) -> str | None:
    """The folder that stands for a module now: ``a/b`` for ``a/b.py``, or the file in it that is the module."""
    folder, _, name = place.rpartition("/")
    stem, dot, ending = name.rpartition(".")
    package = posixpath.join(folder, stem)
    if not dot or not is_source(name) or package not in tree.dirs:
        return None
    fronts = (f"{package}/{front}.{ending}" for front in ("__init__", "index", "mod", stem))
    return next((front for front in fronts if front in tree.paths), package)


def _once_a_folder(places: tuple[str, ...], facts: Facts) -> Verdict | None:
    """*Moved* or *broken* where the path was a folder, which git knows by its files alone."""
    tried = (once_a_folder(place, facts) for place in places)
    return next((once for once in tried if once is not None), None)


def once_a_folder(place: str, facts: Facts) -> Verdict | None:
    """Return *moved* where most files that left ``place`` went to one folder, *broken* where they are gone."""
    events: list[Event] = []
    destinations: Counter[str] = Counter()
    renames: dict[str, Event] = {}
    tree, history = facts.tree, facts.history
    prefix = place + "/"
    for path in below(prefix, history.ordered):
        if path in facts.ignored:
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
    new, most = max(destinations.items(), key=lambda one: (one[1], one[0]), default=("", 0))
    if 2 * most > len(events):
        others = len(destinations) - 1
        return Verdict(
            status=VerdictStatus.MOVED,
            target=new,
            reason=f"most of its files, others to {others} more folder{'' if others == 1 else 's'}" if others else "",
            commit=renames[new].commit,
            date=renames[new].date,
            origin=place,
        )
    newest = max(events, key=lambda event: (event.commit is None, event.date or "", event.commit or ""))
    gone = Verdict(status=VerdictStatus.BROKEN, reason=deletion(newest), commit=newest.commit, date=newest.date)
    return replace(gone, reason="its files went to several folders") if destinations else gone


def below(prefix: str, ordered: Sequence[str]) -> Iterator[str]:
    """Yield the paths in ``ordered`` that start with ``prefix``."""
    for path in islice(ordered, bisect_left(ordered, prefix), None):
        if not path.startswith(prefix):
            return
        yield path


def deletion(event: Event) -> str:
    """Return how a path that ``event`` took away is said to be gone."""
    return "deleted" if event.commit else "deleted in the working tree, not committed yet"


def is_rooted(path: str, tree: Tree) -> bool:
    """True where the first folder of ``path`` is tracked, at the project root or at the top."""
    first, slash, _ = posixpath.normpath(path).partition("/")
    return bool(slash) and (tree.prefix + first in tree.dirs or first in tree.dirs)
