"""What the head of a column says about the names in it: that nobody is to use them, that they are gone, or made."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache

from intermem.core.citations.leads import NAMING
from intermem.core.code.file_types import is_source
from intermem.core.markdown.inline import code_spans
from intermem.entities import Stance
from intermem.patterns import regex

_BAR = regex(r"(?<!\\)\|")
# What may stand around the words of a head: emphasis, a mark, a remark in brackets.
_EDGE = r"[\s*_~`|:.!]*"
_REMARK = r"(?:\s?[(（][^()（）]{0,60}[)）])?"
_AGAINST = regex(
    rf"{_EDGE}(?:(?:❌|✗|✘|🚫|⛔).{{0,60}}|(?:not|never|avoid|wrong|bad|incorrect|anti-?patterns?|forbidden|prohibited|banned|disallowed"
    r"|(?:do\snot|don['’]?t)(?:\s(?:use|do|write|say|call))?|instead\sof|rather\sthan|nicht|nie|niemals|falsch|verboten|vermeiden"
    r"|pas|jamais|à\séviter|mauvais|interdite?s?|nunca|evitar|incorrecto|prohibido|n[ãa]o|errado|proibido|evitare|sbagliato|vietato"
    r"|нельзя|никогда|неправильно|запрещено|nigdy|źle|zabronione|niet|fout|不要|禁止|避免|错误|錯誤|別用|别用|ng|悪い例|使わない|금지"
    rf"|나쁜\s?예){_REMARK}){_EDGE}",
    re.IGNORECASE,
)
_PAST = regex(
    rf"{_EDGE}(?:(?:old|former|previous|removed|deleted)(?:\s(?:names?|paths?|files?|places?|locations?|terms?|apis?|modules?))?"
    r"|(?:deps?|dependencies|packages?|files?|modules?|libraries)\s(?:removed|deleted|dropped)"
    r"|entfernte\s(?:pakete|dateien)|(?:dépendances|paquets)\ssupprimée?s|(?:paquetes|dependencias)\seliminad[oa]s"
    r"|(?:pacotes|dependências)\sremovid[oa]s|(?:移除|删除)的?(?:依赖|包)|削除(?:した|する)依存(?:関係)?"
    r"|before|was|were|formerly|previously|replaces|vorher|früher|alt|gelöscht|entfernt|avant|ancien(?:\snom)?|supprimé|antes"
    r"|anterior|eliminado|removido|prima|vecchio|rimosso|раньше|было|удалено|wcześniej|stare|usunięte|voorheen|oud|verwijderd"
    rf"|旧|旧名称?|旧路径|之前|以前|已删除|已移除|旧称|削除済み?|이전|이전\s?이름|삭제됨{_REMARK}){_EDGE}",
    re.IGNORECASE,
)
# What a step writes: "Writes to", "Output". Source code is in git, whoever writes it.
_WRITTEN = regex(
    rf"{_EDGE}(?:(?:writes?|outputs?|saves?|generates?)(?:\s(?:to|into|in|files?|folders?))?"
    r"|(?:written|generated|saved)(?:\s(?:to|in|files?))?|ausgaben?|schreibt(?:\snach)?|sorties?|écrit\sdans|salidas?|escribe\sen|saídas?"
    rf"|escreve\sem|uscite?|scrive\sin|выход|wyjście|uitvoer|çıktı|输出|产出|产物|生成|写入|出力|成果物|출력|산출물){_REMARK}{_EDGE}",
    re.IGNORECASE,
)
# What is in it shows how things are called: "Naming", "File naming", "Naming convention", "Name pattern".
_NAMING = regex(
    rf"{_EDGE}(?:(?:\w+\s)?(?:{NAMING})(?:\s?(?:conventions?|patterns?|rules?|style|scheme|规则|规范|方式|規則|규칙))?"
    rf"|(?:file\s?)?name\s(?:patterns?|format|conventions?)){_REMARK}{_EDGE}",
    re.IGNORECASE,
)


def is_on_naming(head: str) -> bool:
    """Return whether the ``head`` of a column says that it shows how things are named."""
    return _NAMING.fullmatch(head) is not None


def stance_of(head: str, name: str = "") -> Stance:
    """Return what the ``head`` of a column says of each thing in it, ``name`` for one; plain if nothing."""
    if _PAST.fullmatch(head):
        return Stance.GONE
    is_made = _WRITTEN.fullmatch(head) is not None and not is_source(name)
    return Stance.OTHERWISE if is_made or _AGAINST.fullmatch(head) else Stance.PLAIN


def column_at(row: str, place: int) -> int:
    """Return in which column of a ``row`` of a table the character at ``place`` is, from 0."""
    return bisect_left(_borders(row), place)


@lru_cache(maxsize=16)  # a row is asked for each of its citations
def _borders(row: str) -> tuple[int, ...]:
    """Return where the columns of ``row`` end: at bars outside of code, but for the one that it begins with."""
    start = len(row) - len(row.lstrip())
    first = start + 1 if row.startswith("|", start) else start
    spans = iter(code_spans(row))
    span = next(spans, None)
    found: list[int] = []
    for match in _BAR.finditer(row, first):
        while span is not None and span.stop <= match.start():
            span = next(spans, None)
        if span is None or match.start() < span.start:
            found.append(match.start())
    return tuple(found)


def heads_of(header: str) -> list[str]:
    """Return the cells of the first row of a table."""
    return [cell.strip() for cell in header.strip().removeprefix("|").removesuffix("|").split("|")]
