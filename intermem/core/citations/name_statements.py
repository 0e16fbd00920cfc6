"""Find statements about names: of the package, of workflows, of the jobs of CI.

``The package is named acme-core``, ``the workflow is called Release``, ``CI runs the `lint` and `test` jobs``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from intermem.core.citations.statements import ToolStatement, is_denied
from intermem.patterns import regex

_HINT = regex(
    r"\b(?:package|published|workflow|jobs?|paket|paquet|paquete|pacote|pacchetto|pakiet)|пакет|包名|パッケージ名|패키지|tên\sgói",
    re.IGNORECASE,
)
# These are in VERBOSE: white space does not count.
_MARK = r"[*_]{0,2}"
_NAME = r"(?P<package>@?[a-zA-Z][\w-]{1,60}(?:[./][\w-]{1,60}){0,6})"
_WORKFLOW = r"""[`"“](?P<workflow>[A-Za-z][^`"”\n/]{1,40}[\w)])[`"”]"""
_STATEMENTS = (
    rf"""(?:\bpackage[ ](?:is[ ])?(?:named|called)|\bpackage[ ]name{_MARK}(?:[ ]is|[ ]?[:=])
        |\bpublished(?:[ ](?:on|to|at)[ ]\w+)?[ ](?:as|under[ ]the[ ]name)|\bpaket[ ]heißt|\bpaquet[ ]s['’]appelle
        |\bpaquete[ ]se[ ]llama|\bpacote[ ]se[ ]chama|\bpacchetto[ ]si[ ]chiama|\bpakiet[ ]nazywa[ ]się
        |пакет[ ]называется
        |包名(?:为|是|叫)?[ ]?[:：]?|パッケージ名は|패키지[ ]?이름은|tên[ ]gói[ ]là|\bpaketin[ ]adı)
        [ ]?{_MARK}[`"“]{_NAME}[`"”]""",
    rf"""(?:\bpackage[ ](?:is[ ])?(?:named|called)|\bpaket[ ]heißt|\bpaquet[ ]s['’]appelle|\bpaquete[ ]se[ ]llama)[ ]
        {_NAME}(?=[.,;)]?(?:\s|$))""",
    rf"""\bworkflow[ ]is[ ](?:named|called)[ ]
        (?:{_WORKFLOW}|(?P<titled>(?-i:[A-Z])[\w-]{{1,40}})(?=[.,;)]?(?:\s|$)))""",
    rf"\bthe[ ]{_WORKFLOW}[ ](?:GitHub[ ])?(?:Actions?[ ])?workflow\b",
)
_JOBS = regex(
    r"""(?P<names>[`"][\w -]{2,40}[`"](?:(?:,|,?[ ](?:and|und|et|y|e|i|и|&))[ ][`"][\w -]{2,40}[`"]){0,8})
    [ ](?:CI[ ])?[Jj]obs?\b""",
    re.VERBOSE,
)
_OF_CI = regex(r"\b(?:CI|workflows?|pipeline|GitHub Actions|GitLab)\b")
_JOB = regex(r"[`\"](?P<job>[\w -]{2,40})[`\"]")
_ABOUT = {"titled": "workflow"}


def names_said(text: str) -> Iterator[ToolStatement]:
    """Yield the statements about names in ``text``: what is named, and its name as written."""
    if _HINT.search(text) is None:
        return
    yield from _named(text)
    for match in _JOBS.finditer(text):
        line = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
        if _OF_CI.search(line) is not None and not is_denied(text, match.start()):
            for job in _JOB.finditer(text, match.start("names"), match.end("names")):
                yield ToolStatement("job", job["job"], job.start(), job.end())


def name_said_in(clause: str) -> ToolStatement | None:
    """Return the statement that ``clause``, which ``names_said`` found, makes."""
    said = next(_named(clause), None)
    job = _JOB.fullmatch(clause) if said is None else None
    return ToolStatement("job", job["job"], 0, len(clause)) if job is not None else said


def _named(text: str) -> Iterator[ToolStatement]:
    for pattern in _STATEMENTS:
        for match in _compiled(pattern).finditer(text):
            about, name = next((about, name) for about, name in match.groupdict().items() if name)
            if not is_denied(text, match.start()):
                yield ToolStatement(_ABOUT.get(about, about), name, match.start(), match.end())


@cache  # few texts speak of names
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.MULTILINE | re.VERBOSE)
