"""Wiki links: ``[[name]]`` is another file of the memory, by the name in its front matter or its file name."""

from __future__ import annotations

from intermem.core.citations.kinds.resolution import Setting
from intermem.core.citations.kinds.token import Token
from intermem.core.markdown.inline import link_key
from intermem.entities import Citation, Verdict, VerdictStatus
from intermem.facts import Facts, Questions, Tree


def read(token: Token) -> Citation | None:
    """Return the wiki link in ``token``."""
    if token.form != "wiki" or token.has_placeholder:
        return None
    return Citation(kind="wiki", text=f"[[{token.text}]]", name=token.text, link=True)


def questions(_citation: Citation, _setting: Setting, _tree: Tree) -> Questions:
    """Return no questions: the files of the memory are already known."""
    return Questions()


def judge(citation: Citation, setting: Setting, facts: Facts) -> Verdict:
    """Return the verdict on a wiki link: valid for a file of the memory, else *broken*."""
    wanted = link_key(citation.name.partition("#")[0])
    known = facts.memory_names.get(wanted)
    if known is not None:
        return Verdict(status=VerdictStatus.VALID, target=known)
    for path in sorted(facts.memory_files):
        if link_key(path) == wanted:
            return Verdict(status=VerdictStatus.VALID, target=f"memory/{path}")
    if setting.in_memory and (facts.memory_files or facts.memory_names):
        return Verdict(status=VerdictStatus.BROKEN, reason="no such file in the memory")
    return Verdict(status=VerdictStatus.UNVERIFIABLE, reason="the memory was not read")
