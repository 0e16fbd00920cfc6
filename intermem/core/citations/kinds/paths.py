"""Path citations, with or without lines: ``src/a.py``, ``a.py``, ``a.py:12-20``, ``a.py#L12``."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from intermem.core.citations.drawn import ELSEWHERE
from intermem.core.citations.kinds.extensions import EXTENSIONS
from intermem.core.citations.kinds.fates import deleted, fate_of, follow, is_set_aside, moved_verdict
from intermem.core.citations.kinds.may_be_made import as_texts, is_output
from intermem.core.citations.kinds.named_files import called_by_slash, slashed
from intermem.core.citations.kinds.never_there import is_rooted
from intermem.core.citations.kinds.path_drift import (
    absent,
    drawn_verdict,
    once_at_root,
    run_elsewhere,
)
from intermem.core.citations.kinds.resolution import (
    Resolution,
    Setting,
    by_suffix,
    is_below_document,
    may_be_made_at,
    placed_at,
    resolve,
)
from intermem.core.citations.kinds.token import Token, may_stand_for_any
from intermem.core.code.file_types import is_news, is_source
from intermem.entities import Citation, Evidence, Verdict, VerdictStatus
from intermem.facts import Facts, Questions, Tree
from intermem.patterns import regex

_LINES = regex(
    r"^(?P<path>.+?)(?::(?P<colon>L?\d{1,7}(?:[-–,]\s?L?\d{1,7}){0,20})(?::\d{1,5})?|#(?P<hash>L\d{1,7}(?:-L?\d{1,7})?))$"
)
_NUMBER = regex(r"\d+")
IGNORED = "ignored by git"
_ANCHOR = regex(r"[#?].*$")
_NAME = regex(r"[\w@+~.\-\[\]() ]+", re.UNICODE)
_DOTFILES = frozenset(
    """
    .gitignore .gitattributes .dockerignore .npmrc .nvmrc .editorconfig .env .env.example .env.local .eslintrc
    .prettierrc
    """.split()  # noqa: SIM905 - a list reads worse
)
_NAMED = frozenset(  # files without an extension
    "Dockerfile Containerfile Makefile Justfile Jenkinsfile Procfile Gemfile Rakefile Vagrantfile Brewfile".split()  # noqa: SIM905
)
_ALIAS = "@/"  # in front of a module of the project, as many bundlers have it
_SOURCES = ("src/", "app/", "")  # what that stands for
_OTHERS = 2  # other files of a name, at least, for a bare one to mean any
_FEW = 3  # files of a name that are worth showing
_MAX_COUNTED = 20  # candidates to decide between by a line number
_WINDOWS = regex(r"(?:\.{1,2}\\)?(?:[\w.-]{2,}\\)+[\w.-]+\.\w{1,8}|\.\\[\w.-]+\.\w{1,8}")
_HOST = regex(r"^(?:[\w-]+\.)+(?:(?:com|org|net|io|dev|ai|app|edu|gov|co)(?:/|$)|sh/)", re.IGNORECASE)
_SAMPLE = regex(r"123\d*|[1-9]0+|(\d)\1+|42|1")  # numbers of lines that stand for any
_POSITION = regex(r":\d+:\d+$")  # as errors give it, of which the end of a file is one
_VERSIONISH = regex(r"^v?\d+(?:\.\d+)*[a-z]?$", re.IGNORECASE)


def read(token: Token) -> Citation | None:
    """Return the path citation in ``token``, or None."""
    is_name = token.form == "link" or token.is_marked or token.is_titled
    if token.form in ("wiki", "url", "line") or (token.is_spaced and not is_name):
        return None
    text, first, last = _with_lines(token.text)
    path = _ANCHOR.sub("", text) if token.form == "link" else text
    is_alias = token.form == "span" and path.startswith(_ALIAS)
    path = f"{_SOURCES[0]}{path.removeprefix(_ALIAS)}" if is_alias else path
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
    is_told = (
        is_alias
        or (dot and stem)
        or _is_pathly(path)
        or _is_deep(path, token)
        or (name in _NAMED and path.partition("/")[0] not in _NAMED)
    )
    if "/" in path and token.form not in ("span", "link", "import") and not is_told:
        return None
    if not known and (_VERSIONISH.match(name) or (token.is_marked and token.is_spaced)):
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
    """Return whether ``path`` is one even without an extension: ``./bin/run``, ``my-pkg/api``; not ``and/or``."""
    return path.startswith(("./", "../")) or re.search(r"\w[-_]\w", path.partition("/")[0]) is not None


def _is_deep(path: str, token: Token) -> bool:
    """Return whether ``path`` is one in a command, of three parts or more: ``kubectl apply -k k8s/overlays/aws``."""
    return token.form in ("fence", "word") and path.count("/") > 1


def _is_dotfile(name: str) -> bool:
    """Return whether ``.name`` is a file, as ``.env``; ``.md``, ``.json`` and ``.test.ts`` are kinds of files."""
    if name == "env" or name.startswith("env."):
        return True
    return re.fullmatch(r"[a-z][a-z_-]{2,}(?:\.[a-z]+)?", name) is not None and not any(
        part in EXTENSIONS for part in name.partition(".")[::2]
    )


def looks_like_path(path: str, token: Token) -> bool:
    """Return whether ``path`` may be one: it is not a placeholder, URL, scope or option."""
    if not path or not token.may_be_name or path.startswith(("-", "@", "#", "mailto:", "data:")):
        return False
    if any(path.count(one) != path.count(other) for one, other in ("[]", "()")):
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


def _under_its_alias(citation: Citation, setting: Setting, tree: Tree) -> Citation:
    """Return ``@/kiln/rack`` as the path below one of the folders that the alias stands for, where something is.

    Of several packages that have it, it is of the innermost around the document.
    """
    if not citation.text.startswith(_ALIAS) or not citation.name.startswith(_SOURCES[0]):
        return citation
    rest = citation.name.removeprefix(_SOURCES[0])
    for name in (f"{folder}{rest}" for folder in _SOURCES):
        found = resolve(name, setting, tree).candidates
        above = [one for one in found if f"{setting.folder or ''}/".startswith(one[: one.rfind(name)])]
        if found:
            own = max(above, key=lambda one: one.rfind(name), default=name)
            return replace(citation, name=own if len(found) > 1 else name)
    return citation


def questions(citation: Citation, setting: Setting, tree: Tree) -> Questions:
    """Return the facts needed to judge ``citation``."""
    citation = _under_its_alias(citation, setting, tree)
    if setting.drawn == ELSEWHERE:
        return Questions()
    found = resolve(citation.name, setting, tree)
    if found.escapes:
        names = frozenset({citation.name.lstrip("/")} if found.places else ())
        command = slashed(citation.name)
        names |= {citation.name} if command is not None else set()
        history = bool(found.places) or (command is not None and "-" in command)
        return Questions(ignored=frozenset(found.places), history=history, names=names)
    if setting.drawn and setting.drawn not in tree.paths:
        return Questions(ignored=frozenset({setting.drawn, *found.places}), history=True)
    history = not found.exact
    if 0 < len(found.candidates) <= _MAX_COUNTED and citation.last_line is not None:
        return Questions(line_counts=frozenset(found.candidates), history=history)
    if found.candidates:
        here = found.places if history and citation.name.startswith("./") else ()
        return Questions(ignored=frozenset(here), history=history)
    made = may_be_made_at(citation, found, setting, tree)
    return Questions(ignored=frozenset(_as_ignored(made)), history=True, names=_names_of_made(citation, setting, tree))


def _as_ignored(places: Iterable[str]) -> Iterator[str]:
    """Yield ``places``, also as folders where they have no extension: nothing is there that would tell."""
    for place in places:
        yield place
        if "." not in posixpath.basename(place).lstrip("."):
            yield f"{place}/"


def _names_of_made(citation: Citation, setting: Setting, tree: Tree) -> frozenset[str]:
    """Return the names that code would mention if it creates the file: its path, or for output its own name."""
    path = posixpath.normpath(citation.name)
    is_named = path.startswith(".") or ("/" in path and "." not in posixpath.basename(path))  # or a key in data
    names = [path] if is_named or (not citation.weak and is_rooted(path, setting, tree)) else []
    names += as_texts(citation.name) if citation.name == f"./{path}" and "." not in path else ()
    return frozenset([*names, posixpath.basename(path)] if is_output(path) else names)


def judge(citation: Citation, setting: Setting, facts: Facts) -> Verdict:
    """Return the verdict on a path citation.

    In this order (DESIGN.md §6): valid if it exists, moved if history renamed it, ambiguous if several files
    match, broken if history or the tree proves it gone, else unverifiable. The few files that have the name of what was
    deleted are its candidates.
    """
    verdict = _judged(citation, setting, facts)
    is_alarm = verdict.status in (VerdictStatus.BROKEN, VerdictStatus.MOVED)
    is_unsure = may_stand_for_any(citation.name) or (" " in citation.name and not citation.link)
    if is_alarm and is_news(citation.name):
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason="a release takes such files away")
    if is_alarm and is_unsure and verdict.evidence not in (Evidence.DELETED, Evidence.RENAMED):
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason="a part of it may stand for another name")
    if verdict.status is VerdictStatus.BROKEN and verdict.evidence in (Evidence.DELETED, Evidence.NAMESAKE):
        alike = facts.tree.by_name.get(posixpath.basename(posixpath.normpath(citation.name)), ())
        return replace(verdict, candidates=alike if len(alike) <= _FEW else ())
    return verdict


def _judged(cited: Citation, setting: Setting, facts: Facts) -> Verdict:
    tree = facts.tree
    citation = _under_its_alias(cited, setting, tree)
    drawn = drawn_verdict(citation, setting, facts)
    if drawn is not None:
        return drawn
    found = resolve(citation.name, setting, tree)
    if found.exact:
        return _at_line(citation, found.candidates[0], facts)
    memory_file = _memory_file(citation, setting, facts)
    if memory_file is not None:
        return Verdict(status=VerdictStatus.VALID, target=memory_file, reason="a file of the memory")
    if found.escapes:
        command = called_by_slash(citation.name, setting, facts)
        if command is not None:
            return command
        gone = once_at_root(citation, found.places, setting, facts)
        if gone is not None and is_below_document(citation.name, gone.target, setting):
            return Verdict(status=VerdictStatus.VALID, target=gone.target)
        return gone or Verdict(status=VerdictStatus.UNVERIFIABLE, reason="outside the repository")
    made = may_be_made_at(citation, found, setting, tree) if not found.candidates else ()
    if is_set_aside(made, facts) and not _was_source(citation, facts):
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason=IGNORED)
    placed = placed_at(citation.name, found.candidates, setting, tree)
    if placed is not None:
        return _at_line(citation, placed, facts)
    moved = moved_verdict(found.places, facts)
    if moved is not None and "/" in citation.name and is_below_document(citation.name, moved.target, setting):
        return _at_line(citation, moved.target or "", facts)  # a folder was put around both
    if moved is not None and not _is_called_by_name(citation, found, moved, setting):
        if "/" in citation.name and len(found.candidates) > 1 and moved.target in found.candidates:
            return _one_of(found.candidates)  # it is below the package that somebody has in mind
        if not citation.link and len(set(tree.by_name.get(citation.name, ())) - {moved.target}) >= _OTHERS:
            moved = replace(moved, evidence=Evidence.ONE_OF_MANY)  # each package has one, say
        return run_elsewhere(citation, moved)
    candidates = _long_enough(citation, found.candidates, facts)
    if len(candidates) == 1:
        return _left_here(citation, found, facts) or _at_line(citation, candidates[0], facts)
    if found.candidates:
        return _one_of(found.candidates)
    return absent(citation, found, setting, facts)


def _was_source(citation: Citation, facts: Facts) -> bool:
    """Return whether it is the name of source code that was here, and of which git saw where it went."""
    former = by_suffix(posixpath.normpath(citation.name), facts.history.by_name)
    moves = [follow(one, facts.tree, facts.history) for one in former if is_source(one)]
    return any(moved is not None and not moved.reason for moved in moves)


def left_its_place(citation: Citation, verdict: Verdict, setting: Setting, facts: Facts) -> Verdict | None:
    """Return what became of the path of source code that was right there, if ``verdict`` is on others: it was deleted.

    They end like it, and may be what a line means that was written later, or below the heading of their folder. Of a
    bare name it is the file beside the document that was deleted, or moved, if others that have it are elsewhere.
    """
    tree, name = facts.tree, posixpath.normpath(citation.name)
    if verdict.status not in (VerdictStatus.VALID, VerdictStatus.AMBIGUOUS) or not is_source(name) or setting.drawn:
        return None
    if "/" not in name:
        return _left_its_folder(name, citation, setting, facts)
    place = f"{tree.prefix}{name}"
    found = resolve(citation.name, setting, tree) if place in facts.history.events else None
    if found is None or found.exact or any(is_below_document(name, one, setting) for one in found.candidates):
        return None
    if placed_at(citation.name, found.candidates, setting, tree) is not None:
        return None
    fate = fate_of(place, tree, facts.history)
    return fate if fate.status is VerdictStatus.BROKEN else None


def _left_its_folder(name: str, citation: Citation, setting: Setting, facts: Facts) -> Verdict | None:
    """Return what became of the file ``name`` beside the document, if no other is where the text may mean it."""
    place = f"{setting.folder}/{name}"
    if not setting.folder or place not in facts.history.events or place in facts.tree.paths:
        return None
    others = resolve(citation.name, setting, facts.tree).candidates
    is_named = any(f"/{hint.strip('/')}/" in f"/{one}" for hint in setting.hints for one in others)
    if is_named or placed_at(citation.name, others, setting, facts.tree) is not None:
        return None
    fate = fate_of(place, facts.tree, facts.history)
    near = [*others, *([fate.target] if fate.target else [])]
    return None if any(one.startswith(f"{setting.folder}/") for one in near) else fate


def _left_here(citation: Citation, found: Resolution, facts: Facts) -> Verdict | None:
    """Return *moved* to the one file of that name for what is said to be here (``./run.sh``), and was deleted."""
    event = next((facts.history.events[place] for place in found.places if place in facts.history.events), None)
    if event is None or not citation.name.startswith("./") or is_set_aside(found.places, facts):
        return None
    gone = deleted(event, Evidence.DELETED)
    return run_elsewhere(citation, replace(gone, status=VerdictStatus.MOVED, target=found.candidates[0], reason=""))


def _one_of(candidates: tuple[str, ...]) -> Verdict:
    reason = f"{len(candidates)} files match"
    return Verdict(status=VerdictStatus.AMBIGUOUS, reason=reason, candidates=candidates[:5])


def _is_called_by_name(citation: Citation, found: Resolution, moved: Verdict, setting: Setting) -> bool:
    """Return whether a document names a moved file by a bare name that still fits no other file: it is not stale.

    In a note a name in code means the path that it was.
    """
    named = citation.weak or not setting.in_memory
    return named and "/" not in citation.name and found.candidates == (moved.target,)


def _long_enough(citation: Citation, candidates: tuple[str, ...], facts: Facts) -> tuple[str, ...]:
    """Return the candidates that have the cited line; all of them if none has, or no line is cited."""
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
    if count is not None and line > count + (_POSITION.search(citation.text) is not None):
        if "/" not in citation.name and len(facts.tree.by_name.get(citation.name, ())) > 1:
            return Verdict(status=VerdictStatus.UNVERIFIABLE, reason="another file of that name may be meant")
        # As in a command that shows how one test is run: "mix test test/kiln_test.exs:1234".
        if citation.weak and _SAMPLE.fullmatch(str(line)):
            return Verdict(status=VerdictStatus.UNVERIFIABLE, reason="the number of the line may be a sample")
        return Verdict(
            status=VerdictStatus.BROKEN,
            target=target,
            reason=f"the file has {count} line{'' if count == 1 else 's'}",
            evidence=Evidence.LINES,
        )
    return Verdict(status=VerdictStatus.VALID, target=f"{target}:{citation.first_line}")


def _memory_file(citation: Citation, setting: Setting, facts: Facts) -> str | None:
    beside = posixpath.normpath(posixpath.join(setting.memory_folder, citation.name))
    tail = posixpath.normpath(citation.name)
    for candidate in (beside, tail, tail.removeprefix("memory/")):
        if candidate in facts.memory_files:
            return f"memory/{candidate}"
    return None
