"""Names that stand for a file called so: a project of .NET, and the page of a skill, an agent or a command."""

from __future__ import annotations

from dataclasses import replace

from intermem.core.citations.kinds.fates import fate_of, is_set_aside
from intermem.core.citations.kinds.name_evidence import best_place, found_at, is_unmistakable
from intermem.core.citations.kinds.resolution import OF_MACHINES, Setting
from intermem.core.code.file_types import is_source, is_test
from intermem.core.code.words import humps_of
from intermem.entities import Evidence, Verdict, VerdictStatus
from intermem.facts import Facts, Shape, Tree
from intermem.patterns import regex

_PROJECT = regex(r"[A-Z]\w*(?:\.[A-Z]\w*)+")
_COMMAND = regex(r"/(?P<name>[a-z][\w-]{1,40})")
_PROJECT_FILES = ("csproj", "fsproj", "vbproj")
_TELLING = 3  # words
# Folders whose pages are called by their names.
_OF_COMMANDS = frozenset({"commands", "skills"})
_OF_PAGES = _OF_COMMANDS | {"agents"}
_OF_NOTES = _OF_PAGES | {"memory", "memories"}


def may_be_project(name: str) -> bool:
    """Return whether ``name`` is one as projects of .NET have: ``Kiln.Rack``."""
    return _PROJECT.fullmatch(name) is not None


def project_of(name: str, facts: Facts) -> Verdict | None:
    """Return the verdict on the project called ``name``, there or once there; None if there never was only one."""
    if not may_be_project(name):
        return None
    files = [f"{name}.{ending}" for ending in _PROJECT_FILES]
    there = [path for file in files for path in facts.tree.by_name.get(file, ())]
    if there:
        return Verdict(status=VerdictStatus.VALID, target=there[0])
    return _gone([path for file in files for path in facts.history.by_name.get(file, ())], facts)


def page_of(name: str, tree: Tree, folders: frozenset[str] = _OF_NOTES) -> str | None:
    """Return the page that is called ``name``, in one of ``folders``: a skill, an agent, a command, a note of a memory.

    None without one.
    """
    skills = (path for path in tree.by_name.get("SKILL.md", ()) if path.endswith(f"/{name}/SKILL.md"))
    pages = (path for path in tree.by_name.get(f"{name}.md", ()) if folders & set(path.split("/")[-2:-1]))
    return next(skills, None) or next(pages, None)


def slashed(text: str) -> str | None:
    """Return the name in ``text``, which is as commands of a chat are called, and routes: ``/fire``; else None.

    What is at the root of a machine (``/tmp``) is no command.
    """
    command = _COMMAND.fullmatch(text)
    return command["name"] if command is not None and command["name"] not in OF_MACHINES else None


def called_by_slash(text: str, setting: Setting, facts: Facts) -> Verdict | None:
    """Return the verdict on ``/fire-kiln``, if a page of a command or skill is or was called so, or code has it.

    None otherwise. A page that is gone tells only of a name of several words: one word is as often a route.
    """
    name = slashed(text)
    if name is None:
        return None
    page = page_of(name, facts.tree, _OF_COMMANDS)
    if page is not None:
        return Verdict(status=VerdictStatus.VALID, target=page)
    places = facts.places.get(text, ())
    place = best_place(places, setting)
    if place is not None:
        return found_at(place, places, setting)
    return page_gone(name, facts, _OF_COMMANDS) if "-" in name else None


def page_gone(name: str, facts: Facts, folders: frozenset[str] = _OF_PAGES) -> Verdict | None:
    """Return what became of the one page, in one of ``folders``, that told agents of ``name``, or None."""
    skills = [path for path in facts.history.by_name.get("SKILL.md", ()) if path.endswith(f"/{name}/SKILL.md")]
    pages = [path for path in facts.history.by_name.get(f"{name}.md", ()) if folders & set(path.split("/")[-2:-1])]
    return _gone([*skills, *pages], facts)


def may_be_module(name: str) -> bool:
    """Return whether ``name`` is that of a class, of three words: its file is called so in many languages."""
    return name[0].isupper() and is_unmistakable(name) and len(humps_of(name)) >= _TELLING and not name.isupper()


def module_gone(name: str, facts: Facts) -> Verdict | None:
    """Return *broken* if the one source file called ``name`` was deleted, else None.

    That is ``fire_all_kilns.rs`` for ``fire-all-kilns``: a command, a class or a part of the code; but of a name of two
    words anything may be called so. Not if a file or any code has that name, as one that was moved has.
    """
    stems = stems_of(name)
    places = (place for stem in stems for place in facts.places.get(stem, ()))
    if any(stem in facts.tree.by_stem for stem in stems) or any(one.shape is not Shape.COMMENT for one in places):
        return None
    known = (path for stem in stems for path in facts.history.by_stem.get(stem, ()))
    former = [path for path in known if is_source(path) and not is_test(path)]
    last = [path for path in former if facts.history.events[path].renamed_to not in former]
    return _gone(last, facts) if all(facts.history.events[path].renamed_to is None for path in last) else None


def stems_of(name: str) -> list[str]:
    """Return what the file of a name of three words may be called: ``fire-all-kilns``, ``fire_all_kilns``."""
    is_telling = len([word for part in name.split("-") for word in humps_of(part)]) >= _TELLING
    return list(dict.fromkeys((name, name.replace("-", "_")))) if is_telling else []


def _gone(former: list[str], facts: Facts) -> Verdict | None:
    if len(former) != 1:
        return None
    if is_set_aside(former, facts):  # taken out of git, and still there
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason=f"git ignores {former[0]}")
    gone = fate_of(former[0], facts.tree, facts.history)
    reason = f"{former[0]} was {gone.reason if gone.target is None else f'renamed to {gone.target}'}"
    return replace(gone, status=VerdictStatus.BROKEN, target=None, reason=reason, evidence=Evidence.NAMESAKE)
