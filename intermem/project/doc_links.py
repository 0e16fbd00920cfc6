"""Find the agent docs that only a link to a folder leads to, and the links that lead away with an agent's folder."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence

from intermem.entities import TIER_FOLDER
from intermem.facts import Tree

NAMES = ("AGENTS.md", "CLAUDE.md")
_FOLDER = "/.claude/"
_RULES = "/.claude/rules/"
_LONGEST = 1024  # characters of the target of a link, folders and all
TEXT_AS_TARGET = "is a link whose target is a text: git keeps the file with the mode of a link (120000)"


def is_text(target: str) -> bool:
    """Return whether the target of a link is the text of a file: so git has it where a link was made on Windows."""
    return "\n" in target or len(target) > _LONGEST


def is_agent_doc(path: str) -> bool:
    """True for a document that agents load on their own: AGENTS.md, CLAUDE.md, a rule."""
    return path.endswith(".md") and (path.rpartition("/")[2] in NAMES or is_rule(path))


def is_rule(path: str) -> bool:
    """True for a rule, which agents load on their own: a page of ``.claude/rules``."""
    return _RULES in f"/{path}" and path.endswith(".md")


def may_be_topic_file(path: str) -> bool:
    """True for a path that a topic file of a project has; it is one if it has a region."""
    return path.endswith(".md") and f"/{path.rpartition('/')[0]}".endswith(f"/{TIER_FOLDER}")


def behind_links(
    tree: Tree, resolved: Callable[[str], str | None], is_excluded: Callable[[str], bool]
) -> tuple[set[str], set[str]]:
    """Return the documents that agents load behind links to folders, by their own names, and the lost links.

    A lost link is a document or a folder for an agent's rules, and leads to nothing that can be read in its place.
    ``resolved`` returns where a path really is: None outside, empty for a symlink cycle, ``.`` for the top. What
    is excluded by the name that links give it is left out. Each folder is looked at a few times at most, however many
    links lead to it.
    """
    outside = sorted(tree.outside)
    lost = {path for path in outside if path.startswith(tree.prefix) and _is_loaded(path) and resolved(path) != path}
    found: set[str] = set()
    paths, links = (sorted(tree.paths), sorted(tree.links)) if tree.links else ([], [])
    waiting = [(link, link) for link in links if link.startswith(tree.prefix)]
    seen: set[tuple[str, bool, bool, bool]] = set()
    while waiting:
        name, link = waiting.pop()
        real = resolved(link)
        if not real or real == ".":
            lost.update([link] if real != "" and _is_loaded(name) else [])
            continue
        state = (real, _RULES in f"/{name}/", f"/{name}/".endswith(_FOLDER), is_excluded(f"{name}/_.md"))
        if state in seen:
            continue
        seen.add(state)
        for path in _below(real, paths):
            alias = name + path[len(real) :]
            if is_agent_doc(alias) and not is_excluded(alias):
                found.add(path)
        inner = (path for path in _below(real, outside) if _is_loaded(name + path[len(real) :]))
        lost.update(path for path in inner if resolved(path) != path)
        waiting += [(name + path[len(real) :], path) for path in _below(real, links)]
    return found, lost


def _is_loaded(path: str) -> bool:
    """True where an agent loads what a link called ``path`` leads to, be it a file or a folder."""
    return is_agent_doc(path) or f"/{path}/".endswith(_FOLDER) or _RULES in f"/{path}/"


def _below(folder: str, paths: Sequence[str]) -> Sequence[str]:
    """The sorted ``paths`` that are below ``folder``."""
    return paths[bisect_left(paths, f"{folder}/") : bisect_left(paths, f"{folder}0")]  # "0" comes after "/"
