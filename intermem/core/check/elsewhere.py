"""What a document itself places once, in another repository or at its path: every line that names it means that."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from intermem.core.check.blocks import DOUBTFUL, RULE_OF
from intermem.core.check.findings import Finding
from intermem.entities import VerdictStatus
from intermem.facts import Tree
from intermem.patterns import regex

_REACH = 100  # characters before and after a name that say where it is
_MAX_MENTIONS = 50  # of one name
_END = regex(r"\n\s*\n|(?<=[.!?。！？])\s")
_OTHER = regex(
    r"""\b(?:sibling|other|another|companion|sister|separate|parent|that|external|private)[ ](?:git[ ])?
        (?:repo(?:sitory)?|project)(?:['’]s)?\b
    |\b(?:ander(?:e[nmrs]?)|separate[ns]?)[ ](?:repo|repository|projekt)\w*|\bautre[ ](?:dépôt|projet)\b
    |\botr[oa][ ](?:repo|repositorio|proyecto)\b|\boutr[oa][ ](?:repo|repositório|projeto)\b
    |\baltro[ ](?:repo|repository|progetto)\b|\bдруг\w{2,3}[ ](?:репо|проект)\w*|\bin(?:n[ae]|nym)[ ]repo\w*
    |(?:另一个|其他|别的|另外的|兄弟|姊妹)(?:代码)?(?:仓库|項目|项目|工程)
    |別(?:の)?(?:リポジトリ|プロジェクト)|다른[ ]?(?:저장소|레포|프로젝트)
    |\brepo(?:sitory)?[ ]khác\b""",
    re.VERBOSE | re.IGNORECASE,
)
_OWNER = regex(
    r"\b(?P<part>backend|server|frontend|client|api|app|plugin|sdk|service|website|gateway|firmware|host|library)['’]s\s"
    r"(?:own\s)?[`*\"(\[]{0,3}$"
)
_SERVER = regex(r"\bMCP\b")  # the protocol by which agents are given the tools of a server
_SERVERS = (".mcp.json", ".vscode/mcp.json", ".cursor/mcp.json", ".gemini/settings.json")
_OF_A_SERVER = regex(r"(?<![A-Za-z])(?:mcp|MCP)(?![a-z\d])|Mcp(?![a-z\d])")  # not MCP23017, which is a chip
_HEADING = regex(r"#{1,6}\s")
_BROKEN, _MOVED = RULE_OF[VerdictStatus.BROKEN], RULE_OF[VerdictStatus.MOVED]
_ALARMS = (_BROKEN, _MOVED)
_MORE = regex(r"[\w/-]|\.\w")


def without_elsewhere(texts: Mapping[str, str], findings: Sequence[Finding], tree: Tree) -> list[Finding]:
    """Return ``findings``, as doubtful those on bare names that their document places in another repository.

    So is the bare name of a file that moved, if the document has its new path as well.
    A path with a slash is one of this repository, whatever the others have; but not where its line calls it that of a
    part ("the backend's `api/a.yaml`") for which there is no folder in ``tree``. Names of code in a section about MCP
    are tools of a server that the repository is set up for, if it has none of its own.
    """
    return [replace(one, rule=DOUBTFUL) if _is_elsewhere(one, texts, tree) else one for one in findings]


def _is_elsewhere(one: Finding, texts: Mapping[str, str], tree: Tree) -> bool:
    if one.rule not in _ALARMS or one.judged is None:
        return False
    text, name = texts.get(one.place.file, ""), one.judged.citation.text
    if _has_new_path(one, text):
        return True
    at = one.source.find(name)
    owner = _OWNER.search(one.source[max(0, at - _REACH) : at].lower()) if at != -1 else None
    if owner is not None and owner["part"] not in tree.dirs_by_name:
        return True
    if "/" in name:
        return False
    if one.judged.citation.kind == "symbol" and _SERVER.search(_heading(text, one) + one.source) is not None:
        return any(path in tree.paths for path in _SERVERS) and not _has_server(tree)
    return _is_placed_elsewhere(text, name)


def _has_new_path(one: Finding, text: str) -> bool:
    """Return whether the bare name of a file that moved stands in ``text`` with a folder that the file is in now."""
    assert one.judged is not None
    name, target = one.judged.citation.name, one.judged.verdict.target or ""
    folder, _, last = target.rpartition("/")
    if one.rule is not _MOVED or name != last or not folder:
        return False
    place = f"{folder.rpartition('/')[2]}/{name}"
    at = text.find(place)
    while at != -1:
        start = at
        while start and at - start <= len(target) and (text[start - 1].isalnum() or text[start - 1] in "/._-"):
            start -= 1
        is_whole = _MORE.match(text, at + len(place)) is None
        if is_whole and f"/{target}".endswith(f"/{text[start:at].removeprefix('./').lstrip('/')}{place}"):
            return True
        at = text.find(place, at + 1)
    return False


@lru_cache(maxsize=256)  # a name may be cited on every line
def _is_placed_elsewhere(text: str, name: str) -> bool:
    at = text.find(name)
    for _ in range(_MAX_MENTIONS):
        if at == -1:
            return False
        if _OTHER.search(_around(text, at, at + len(name))) is not None:
            return True
        at = text.find(name, at + len(name))
    return False


def _has_server(tree: Tree) -> bool:
    """Return whether a folder or file is named like an MCP server; its settings are not."""
    files = (path for stem, paths in tree.by_stem.items() if _OF_A_SERVER.search(stem) is not None for path in paths)
    return any(map(_OF_A_SERVER.search, tree.dirs_by_name)) or any(path not in _SERVERS for path in files)


def _heading(text: str, one: Finding) -> str:
    """Return the heading above the line of a finding."""
    numbers, headings = _headings(text)
    index = bisect_left(numbers, one.place.first_line) - 1
    return headings[index] if index >= 0 else ""


@lru_cache(maxsize=16)
def _headings(text: str) -> tuple[list[int], list[str]]:
    """Return the numbers of the lines that are headings, and these."""
    found = [(number, line) for number, line in enumerate(text.split("\n"), 1) if _HEADING.match(line) is not None]
    return [number for number, _ in found], [line for _, line in found]


def _around(text: str, start: int, stop: int) -> str:
    """Return the sentence around a name, as far as it is near; line ends are spaces."""
    before, after = text[max(0, start - _REACH) : start], text[stop : stop + _REACH]
    ends = [match.end() for match in _END.finditer(before)]
    end = _END.search(after)
    return " ".join((before[ends[-1] if ends else 0 :] + "\0" + after[: end.start() if end else None]).split())
