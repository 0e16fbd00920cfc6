"""Names that stand for a file called so: a project of .NET, and the page of a skill, an agent or a command."""

from __future__ import annotations

from dataclasses import replace

from intermem.core.citations.kinds.fates import fate_of, is_set_aside
from intermem.entities import Evidence, Verdict, VerdictStatus
from intermem.facts import Facts
from intermem.patterns import regex

_PROJECT = regex(r"[A-Z]\w*(?:\.[A-Z]\w*)+")
_PROJECT_FILES = ("csproj", "fsproj", "vbproj")
_OF_PAGES = frozenset({"agents", "commands", "skills"})  # folders whose pages are called by their names


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


def page_gone(name: str, facts: Facts) -> Verdict | None:
    """Return what became of the one page that told agents of ``name``, or None."""
    skills = [path for path in facts.history.by_name.get("SKILL.md", ()) if path.endswith(f"/{name}/SKILL.md")]
    pages = [path for path in facts.history.by_name.get(f"{name}.md", ()) if _OF_PAGES & set(path.split("/")[-2:-1])]
    return _gone([*skills, *pages], facts)


def _gone(former: list[str], facts: Facts) -> Verdict | None:
    if len(former) != 1:
        return None
    if is_set_aside(former, facts):  # taken out of git, and still there
        return Verdict(status=VerdictStatus.UNVERIFIABLE, reason=f"git ignores {former[0]}")
    gone = fate_of(former[0], facts.tree, facts.history)
    reason = f"{former[0]} was {gone.reason if gone.target is None else f'renamed to {gone.target}'}"
    return replace(gone, status=VerdictStatus.BROKEN, target=None, reason=reason, evidence=Evidence.NAMESAKE)
