"""Wiki links: ``[[name]]`` is another file of the memory, by its front matter's name or by its own."""

from __future__ import annotations

import posixpath

from intermem.core.kinds.resolving import Setting
from intermem.core.kinds.token import Token
from intermem.entities import Citation, Facts, Questions, Tree, Verdict, VerdictStatus


def read(token: Token) -> Citation | None:
    """Return the wiki link that ``token`` is."""
    if token.form != "wiki" or token.has_placeholder:
        return None
    return Citation(kind="wiki", text=f"[[{token.text}]]", name=token.text, link=True)


def questions(_citation: Citation, _setting: Setting, _tree: Tree) -> Questions:
    """Return what must be known: the files of the memory are known already."""
    return Questions()


def folded(name: str) -> str:
    """Return a file's name as links know it: without folder and ending, ``-``, ``_`` and blanks alike."""
    stem = posixpath.basename(name.strip()).removesuffix(".md")
    return stem.lower().replace("-", "_").replace(" ", "_")


def judge(citation: Citation, setting: Setting, facts: Facts) -> Verdict:
    """Return the verdict on a wiki link: a file of the memory, else *broken*."""
    wanted = folded(citation.name.partition("#")[0])
    known = facts.memory_names.get(wanted)
    if known is not None:
        return Verdict(status=VerdictStatus.VALID, target=known)
    for path in sorted(facts.memory_files):
        if folded(path) == wanted:
            return Verdict(status=VerdictStatus.VALID, target=f"memory/{path}")
    if setting.in_memory and (facts.memory_files or facts.memory_names):
        return Verdict(status=VerdictStatus.BROKEN, reason="no such file in the memory")
    return Verdict(status=VerdictStatus.UNVERIFIABLE, reason="the memory is not at hand")
