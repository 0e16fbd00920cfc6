"""Dated records and archives: what a log, a changelog or a list of finished work says need not be true today."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from unicodedata import normalize

from intermem.core.code.file_types import folders_with_code
from intermem.entities import Evidence, Verdict, VerdictStatus
from intermem.patterns import regex

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()  # noqa: SIM905
_NTH = r"(\d{1,2})(?:st|nd|rd|th)?(?:\s?[-–—/&]\s?\d{1,2}(?:st|nd|rd|th)?)?"  # of several days the first
_NAMED = (
    r"(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.?"
)
_ISO = r"((?:19|20)\d\d-[01]\d-[0-3]\d)(?!\d)"
_EDGE = r"[^\w\n]{0,12}"
_NUMBERED = r"(?:\#?[A-Z]{0,3}-?\d{1,5}[\s*]{0,3}\|[\s*_]{0,4})?"  # the cell before it: "| 12 | 2026-03-30 | …"
_DAY = regex(_EDGE + _NUMBERED + _ISO)
_WRITTEN = regex(rf"{_EDGE}(?:{_NAMED}\s{_NTH}|{_NTH}\s{_NAMED}),?\s((?:19|20)\d\d)(?!\w)", re.IGNORECASE)
# A heading that ends in a date or month: "Sign-in (Aug 29) ✅", "Changes (2026-08-29: sign-in)", not "Guide (updated
# 2026-03-30)".
_CLOSING = regex(
    rf"\((?:v?\d[\d.]{{0,12}}\s?[-–—,:]\s?)?(?:{_ISO}(?:[\s,:–—-][^()\n]{{0,200}})?|(?:{_NAMED}\s{_NTH}|{_NTH}\s{_NAMED})(?:,?\s(?:19|20)\d\d)?"
    rf"|{_NAMED}\s(?:19|20)\d\d)\){_EDGE}$",
    re.IGNORECASE,
)
# A heading of work that was done on a day, behind a dash: "Sweep of the racks — 2026-05-29".
_WORKED = regex(
    r"(?:\b(?:sweep|audit|session|clean-?up|report|retro(?:spective)?|post-?mortem|incident|sprint|stand-?up|sitzung|bericht|aufräumaktion"
    r"|séance|rapport|nettoyage|sesión|auditoría|informe|limpieza|sessão|auditoria|relatório|limpeza|sessione|аудит|сессия|отчёт)\b"
    rf"|审计|会话|清理|报告|复盘|監査|報告|감사|세션|보고).{{0,80}}[-–—|·]\s{_ISO}{_EDGE}$",
    re.IGNORECASE,
)
# The bold title before a date: "**Faster sign-in** (Dec 21, 2025 - FIX): …".
_TITLE = regex(r"[^\w*\n]{0,6}\*\*[^*\n]{1,120}\*\*\s?\((?=[^()\n]{6,60}\)\s?[:：–—])")
# Headings of logs, but not "History of the parser" or "Definition of done".
_LOG = regex(
    r"(?:[^\w\n]|\d){0,9}(?:(?:\w+\s){0,2}(?:change[ -]?log|log\sof\sdecisions|decisions?\slog|release\snotes)"
    r"(?:\sfor\s.{1,30})?\W{0,3}$"
    r"|(?:(?:investigation|experiment|research|session|progress)s?[ -]log|(?:work|dev)[ -]?log|journal|diary)"
    r"(?=\W{0,3}$|\s[—–-]\s)"
    r"|(?:\w+\s)?(?:bugs?|issues?|problems?|errors?|pitfalls)(?:\s(?:hit|found|met|seen|encountered))?\s(?:and\s|&\s)?(?:resolved|fixed|solved)"
    r"(?:\s\([^()\n]{1,40}\))?\W{0,3}$|(?:resolved|fixed|solved)\s(?:bugs|issues|problems|errors)\W{0,3}$"
    r"|(?:(?:project|version|revision|release|change)\s)?history\W{0,3}$|(?:recently\s)?completed(?:\s(?:tasks|work|items|features|phases))?\W{0,3}$|已完成|更新日志|变更记录|决策记录)",
    re.IGNORECASE,
)
# A numbered part of a plan that is done: "Phase 3: Trays -- COMPLETE", "Fase 2 completada al 100%", "Sprint 2 ✅",
# "第二阶段（已完成）".
_FINISHED = (
    r"(?:completed?|done|finished|shipped|erledigt|abgeschlossen|fertig|terminée?|achevée?|complet(?:ad|at)[oa]|terminad[oa]"
    r"|concluíd[oa]|завершен[оа]?|завершён|готово|zakończon[ya]|tamamlandı|hoàn\sthành)"
)
_DONE = regex(
    r"[^\w\n]{0,9}(?:(?:phase|milestone|sprint|iteration|stage|meilenstein|étape|jalon|fase|etapa|hito|этап|фаза|etap|aşama"
    r"|giai\sđoạn|フェーズ|マイルストーン|단계|阶段|里程碑)\s?(?:\d[\d.]{0,4}[a-z]?|[ivx]{1,4}|[一二三四五六七八九十]{1,2})(?!\w)"
    rf"|第\s?(?:\d{{1,2}}|[一二三四五六七八九十]{{1,2}})\s?(?:阶段|期|段階|フェーズ)|\d{{1,2}}\s?단계)(?:\s{_FINISHED}"
    rf"|.{{0,120}}?(?:[-–—:：(（\[【|·,*_✅✔☑]\s?{_FINISHED}|✅|✔|☑|(?<!未)(?:完了|완료|完成)))"
    r"(?:\s(?:(?:al|a|at|zu|à)\s)?100\s?%)?[\s)\]）】*_.!✅✔☑🎉\ufe0f]{0,6}$",
    re.IGNORECASE,
)
# Why a rule came to be, told of a ticket: "**Why:** In KILN-78 the worker …".
_WHY = regex(
    r"[^\w\n]{0,9}(?:why(?:\sthis\s(?:matters|exists|rule)|\sit\smatters)?|background|incidents?|post-?mortem|origin|what\shappened)"
    r"[^\w\n]{0,9}(?:$|(?<=[:：*.–—])\W{0,4}|(?<=[:：*.–—]\s)\W{0,4})",
    re.IGNORECASE,
)
_TICKET = regex(
    r"(?<![\w`/-])(?!(?:UTF|SHA|ISO|RFC|AES|HTTP|IPV|ES|PEP|TLS|COVID|GPT|CVE)-)[A-Z][A-Z0-9]{1,9}-\d+\b|\bPR\s?#\d+"
)
# A folder whose documents are kept, and not followed: "_archive", "old-docs", "90 Archiv", "viejo", "旧版".
_ARCHIVE = regex(
    r"[\W\d_]*(?:(?:archive[ds]?|legacy|deprecated|obsolete|attic|graveyard|old|retired|deleted|superseded"
    r"|archiv|archiviert\w*|veraltet\w{0,2}|alte[nrs]?|überholt\w{0,2}|archief|verouderd|oude?|arkiv|gam(?:mal|la|le)"
    r"|(?:viej|antigu|obsolet|archivad|velh|antig|arquivad)[oa]s?|ancien(?:ne)?s?|obsol[eè]tes?|archivée?s?|vieux"
    r"|vecchi[oae]?|archivio|archiviat[oaei]|obsolet[ei]|stare|star[yýaá]|archiwum|archiwalne|przestarzałe"
    r"|стар(?:ый|ая|ое|ые)|архивы?|устаревш\w{1,3}|eski(?:ler)?|ar[sş]iv|arsip|lưu[-_ ]?trữ|luu[-_ ]tru|cũ)(?![^\W\d_])"
    r"|(?:alt|archivo|arquivo)(?:[-_ ]?\d+)?$"  # other words as well
    r"|[\w-]+[-_](?:archived|legacy|deprecated|obsolete|retired|superseded)$"
    r"|旧(?:版|文|资|資|フ|[\W\d_]|$)|(?:已|历史)?(?:归档|歸檔|存档|存檔|废弃|廢棄|作废)|廃止|保管|アーカイブ|보관|구버전|폐기|아카이브)"
)
_COPY = regex(
    r"[-_ ](?:copy|kopie|copie|copia|副本|コピー|사본)[-_ ]?\d[\d_-]*\Z"
    r"|\A(?:copy[-_ ]of|kopie[-_ ]von|copie[-_ ]de|copia[-_ ]de)[-_ ]"
)
_DECISION = regex(
    r"(?:^|/)(?:(?:adrs?|decisions|decision[-_]records)/(?:adr[-_])?\d{2,5}[-_][^/]+$"
    r"|(?:specs?|specifications|plans?|slices|stories|epics|rfcs?|proposals|milestones|sprints)/\d{2,4}[-_][^/]+/)",
    re.IGNORECASE,
)
_BACKUP = regex(
    r"[\W\d_]*(?:back-?ups?|bak|sauvegardes?|respaldos?|sicherung(?:en)?|备份|バックアップ|백업)[\W\d_]*/",
    re.IGNORECASE,
)
_DATED_FOLDER = regex(r"(?<!\d)(?:19|20)\d\d(?P<sign>[-_.]?)(?:0[1-9]|1[0-2])(?P=sign)(?:0[1-9]|[12]\d|3[01])(?!\d)")
_CHANGES = regex(r"change[-_ ]?log|changes|release[-_ ]?notes", re.IGNORECASE)
_LONG = 400  # characters of a report, at least
_END = 260  # characters at the end of a heading in which its day is
_NEAR = 40  # characters before a count that ask for so many
_ASKED = regex(
    r"\b(?:at\sleast|needs?|must|should|requires?|write|add|with|mindestens|au\smoins|al\smenos|pelo\smenos)\b|至少|以上|最低",
    re.IGNORECASE,
)
_OF_A_NAME = (Evidence.DEFINITION, Evidence.REWRITTEN, Evidence.SHORT_REWRITTEN)
ALARMS = (VerdictStatus.BROKEN, VerdictStatus.MOVED, VerdictStatus.AMBIGUOUS)


def day_of_record(trail: Sequence[str], text: str, lead: str = "") -> str | None:
    """Return the date (ISO) of the record that ``text``, below the headings ``trail``, is part of; None if of none.

    ``lead`` is the line above the list that it is in.

    Empty for a record without a date, as the story of a ticket that says why. A date counts only at the start of a
    text or a heading.
    """
    for written in (text, lead, *reversed(trail)):
        day = _day_at(written)
        if day is not None:
            return day
    if any(_WHY.match(written) for written in (text, *trail[-1:])) and _TICKET.search(text):
        return ""
    if is_report(text) or any(map(_is_of_a_log, (lead, *trail))):
        return ""
    worked = (_WORKED.search(heading[-_END:]) for heading in reversed(trail))
    return next((found[1] for found in worked if found is not None), None)


# What was done, with the tests that were written for it: "4 new `kiln` tests (28 total, up from 24)".
_COUNTED = regex(
    r"(?<![\w.])\d{1,4}\s(?:brand-?)?(?:new|neuen?|nouveaux|nuevos|nuevas|novos|nuovi|новы[хе])\s(?:[`\w./-]{1,40}\s){0,3}(?:tests?|testes|tésts?|тест)"
    r"|(?<!\w)tests?(?!\w)[^.\n]{0,40}\bup\sfrom\s\d|新(?:增|加)了?\s?\d{1,4}\s?(?:个|条)?(?:单元|集成)?测试|新規テスト\s?\d|테스트\s?\d{1,4}\s?개\s?추가",
    re.IGNORECASE,
)


def is_report(text: str) -> bool:
    """Return whether a long ``text`` reports what was done on a day: it counts the tests that are new."""
    if len(text) <= _LONG:
        return False
    return any(_ASKED.search(text, max(0, one.start() - _NEAR), one.start()) is None for one in _COUNTED.finditer(text))


@lru_cache(maxsize=1024)  # of the headings above each of many blocks
def _is_of_a_log(heading: str) -> bool:
    return any((_LOG.match(heading), _CLOSING.search(heading[-_END:]), _DONE.match(heading)))


@lru_cache(maxsize=1024)
def _day_at(text: str) -> str | None:
    """Return the date at the start of a text, or behind the title that a text starts with."""
    iso = _DAY.match(text)
    if iso is not None:
        return iso[1]
    match = _WRITTEN.match(text)
    if match is None:
        title = _TITLE.match(text)
        return _day_at(text[title.end() :]) if title is not None else None
    month, day = (match[1] or match[4])[:3].lower(), match[2] or match[3]
    return f"{match[5]}-{_MONTHS.index(month) + 1:02}-{int(day):02}"


def as_of(verdict: Verdict, day: str | None, *, is_kept: bool = False) -> Verdict:
    """Return the verdict on a citation in a record of ``day``: what broke after that date is not reported.

    A name of code that was removed is not reported at all: another thing may have had it by then.

    In a note a file that git says was renamed is: whoever reads it may want to go there, and the new name is certain.
    Not so if the record ``is_kept`` as it was, as in a document that a team reviewed.
    """
    if verdict.evidence is Evidence.RENAMED and not is_kept:
        return verdict
    if day is None or verdict.status not in ALARMS:
        return verdict
    if day and verdict.date is not None and verdict.date < day and verdict.evidence not in _OF_A_NAME:
        return verdict  # a name may have been that of another thing by then
    return Verdict(
        status=VerdictStatus.UNVERIFIABLE, reason=f"a record of {day or 'the past'}, not a claim about today"
    )


@lru_cache(maxsize=64)  # asked of each block
def is_kept(document: str) -> bool:
    """Return whether the document at a path is kept as it was.

    It is in an archive or a folder of a day (``of-2026-05-04``); a list of what was changed (``CHANGELOG.md``), or the
    record of a decision or of work (``adr/0007-kiln.md``, ``specs/007-kiln/``).
    """
    folder, _, name = document.rpartition("/")
    is_list = _CHANGES.fullmatch(name.partition(".")[0]) is not None
    is_record = _DECISION.search(document) is not None
    return is_list or is_record or bool(archives_of(folder)) or _DATED_FOLDER.search(folder) is not None


def is_backup(document: str, paths: frozenset[str]) -> bool:
    """Return whether a document is in a folder of backups at the top that has no code among ``paths``."""
    top = document.partition("/")[0]
    return _BACKUP.match(document) is not None and top not in folders_with_code(paths)


def archives_of(path: str) -> set[str]:
    """Return the parts of a path, in lower case, that are named like archives."""
    parts = ((part, normalize("NFC", part)) for part in path.lower().split("/"))
    return {part for part, name in parts if _ARCHIVE.match(name) or _COPY.search(name)}
