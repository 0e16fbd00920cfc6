"""Citations of things outside the tree: commits, issues, URLs."""

from __future__ import annotations

from dataclasses import replace

from intermem.core.citations.kinds.resolution import Setting
from intermem.core.citations.kinds.token import Token
from intermem.entities import Citation, Verdict, VerdictStatus
from intermem.facts import Facts, Questions, Tree
from intermem.patterns import regex

_COMMIT = regex(r"[0-9a-f]{7,40}")
_ISSUE = regex(r"(?:PR\s?|GH-?)?(?P<text>#(?P<number>\d{1,6}))|(?:PR|GH)-(?P<other>\d{1,6})")


def read_commit(token: Token) -> Citation | None:
    """Return the commit citation in ``token``: 7 to 40 hex digits, both letters and numbers."""
    if token.form not in ("span", "word", "fence", "prose") or _COMMIT.fullmatch(token.text) is None:
        return None
    if token.text.isdigit() or token.text.isalpha():
        return None
    return _citation("commit", token, token.text)


def commit_questions(citation: Citation, _setting: Setting, _tree: Tree) -> Questions:
    """Return the facts needed: whether there is such a commit."""
    return Questions(commits=frozenset({citation.name}))


def judge_commit(citation: Citation, _setting: Setting, facts: Facts) -> Verdict:
    """Return the verdict on a commit: valid or unverifiable; it may be in another repository, or squashed."""
    found = facts.commits.get(citation.name)
    if found is not None:
        return Verdict(status=VerdictStatus.VALID, target=found)
    return Verdict(
        status=VerdictStatus.UNVERIFIABLE, reason="no such commit here: squashed, or from another repository"
    )


def read_issue(token: Token) -> Citation | None:
    """Return the issue or pull request citation in ``token``: ``#123``."""
    if token.form not in ("span", "word", "fence", "prose"):
        return None
    match = _ISSUE.fullmatch(token.text)
    if match is None or (match["number"] or match["other"]).startswith("0"):
        return None
    return replace(_citation("issue", token, match["number"] or match["other"]), text=match["text"] or token.text)


def issue_questions(_citation: Citation, _setting: Setting, _tree: Tree) -> Questions:
    """Return the facts needed: the issues that commits mention."""
    return Questions(issues=True)


def judge_issue(citation: Citation, _setting: Setting, facts: Facts) -> Verdict:
    """Return the verdict on an issue: valid if the message of a commit mentions it, else unverifiable."""
    if int(citation.name) in facts.issues:
        return Verdict(status=VerdictStatus.VALID, reason="mentioned by a commit")
    return Verdict(status=VerdictStatus.UNVERIFIABLE, reason="no commit mentions it")


def read_url(token: Token) -> Citation | None:
    """Return the URL citation in ``token``."""
    return _citation("url", token, token.text) if token.form == "url" else None


def nothing(_citation: Citation, _setting: Setting, _tree: Tree) -> Questions:
    """Return no questions."""
    return Questions()


def judge_url(_citation: Citation, _setting: Setting, _facts: Facts) -> Verdict:
    """Return the verdict on a URL: always unverifiable, there is no network access."""
    return Verdict(status=VerdictStatus.UNVERIFIABLE, reason="outside the repository")


def _citation(kind: str, token: Token, name: str) -> Citation:
    return Citation(kind=kind, text=token.text, name=name, weak=token.form != "span")
