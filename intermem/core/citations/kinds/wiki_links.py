"""Wiki links: ``[[name]]`` is another file of the memory, by the name in its front matter or its file name."""

from __future__ import annotations

from intermem.core.citations.kinds.resolution import Setting
from intermem.core.citations.kinds.token import Token
from intermem.core.markdown.inline import link_key
from intermem.entities import Citation, Evidence, Verdict, VerdictStatus
from intermem.facts import Facts, Questions, Tree
from intermem.patterns import regex

# What agents put before the name of a file: the type of the note, its day.
_PREFIX = regex(r"(?:(?:feedback|project|reference|user)_+|\d{4}_\d{2}_\d{2}_+|\d{8}_+)+(?=[^\W_])")


def read(token: Token) -> Citation | None:
    """Return the wiki link in ``token``."""
    if token.form != "wiki" or token.has_placeholder:
        return None
    return Citation(kind="wiki", text=f"[[{token.text}]]", name=token.text, link=True)


def questions(_citation: Citation, _setting: Setting, _tree: Tree) -> Questions:
    """Return no questions: the files of the memory are already known."""
    return Questions()


def judge(citation: Citation, setting: Setting, facts: Facts) -> Verdict:
    """Return the verdict on a wiki link: valid for a file of the memory, else *broken*.

    A name that differs in its prefix only (``auth-rules``, ``feedback_auth_rules``) is that of the file, if no file
    has the name itself; *ambiguous* if several differ so.
    """
    wanted = link_key(citation.name.partition("#")[0])
    known = facts.memory_names.get(wanted)
    if known is not None:
        return Verdict(status=VerdictStatus.VALID, target=known)
    for path in sorted(facts.memory_files):
        if link_key(path) == wanted:
            return Verdict(status=VerdictStatus.VALID, target=f"memory/{path}")
    alike = _alike(wanted, facts)
    if len(alike) > 1:
        return Verdict(status=VerdictStatus.AMBIGUOUS, candidates=alike)
    if alike:
        return Verdict(status=VerdictStatus.VALID, target=alike[0])
    if setting.in_memory and (facts.memory_files or facts.memory_names):
        return Verdict(status=VerdictStatus.BROKEN, reason="no such file in the memory", evidence=Evidence.MEMORY)
    return Verdict(status=VerdictStatus.UNVERIFIABLE, reason="the memory was not read")


def _alike(wanted: str, facts: Facts) -> tuple[str, ...]:
    """Return the files of the memory whose names differ from ``wanted`` in their prefix only."""
    bare = _bare(wanted)
    named = {path for key, path in facts.memory_names.items() if _bare(key) == bare}
    stored = {f"memory/{path}" for path in facts.memory_files if _bare(link_key(path)) == bare}
    return tuple(sorted(named or stored))


def _bare(key: str) -> str:
    """Return a ``link_key`` without the type and the day before the name; as it is, if nothing else is left."""
    prefix = _PREFIX.match(key)
    return key[prefix.end() :] if prefix else key
