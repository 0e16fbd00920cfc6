"""What a text tells of the past: which thing it says was moved, renamed or replaced, and which took its place.

Read in words whose code and paths are runs of NUL. ``‹`` stands for what is gone, ``›`` for what is not: the place it
went to, or what the verb changed and did not take away ("removed the cache from ``a.py``").
"""

from __future__ import annotations

import re
from functools import cache
from itertools import count

from intermem.patterns import regex

_THING = "\uf8ff"  # stands for a thing, or several in a row
_ROW = regex(r"\0++(?:[\s*]{0,4}[,、&]?[\s*]{0,4}(?:(?:and|und|y|e|et|и|i|và|と|和|及|및)[\s*]{1,4})?\0++){0,6}")
_SPACE = regex(r"(?<!\[)\\s(\?)?")
_MARK = regex("[‹›]")
_GROUPS = {"‹": "gone", "›": "kept"}
_SOME = r"(?:[\w'’-]++ \s){0,3}"
_THINGS = r"(?:(?:[\w'’-]++|\uf8ff) \s){1,5}?"

_MOVED = r"(?:moved|renamed|migrated|folded|merged|split|converted|turned|ported|relocated|inlined)"
_CHANGED = (
    r"(?:removed|deleted|dropped|stripped|purged|eliminated|cut|pulled|retired|abandoned|renamed"
    r"|replaced|swapped|killed)"
)
_ENGLISH = (
    rf"\b{_MOVED} \s ‹ \s (?:to|into|onto|as|under) \s {_SOME}›",
    rf"\b(?:{_MOVED}|replaced) \s ‹ \s? (?:→|->|=>|➜) \s? ›",
    rf"\b(?:{_MOVED}|switched|upgraded|transitioned|extracted) \s {_SOME}(?:from|of) \s ‹ \s (?:to|into"
    rf"|onto) \s {_SOME}›",
    rf"\b(?:{_MOVED}|extracted|refactored|restructured|reworked|rolled) \s (?:{_THINGS})?(?:to|into|in|onto)"
    rf" \s {_SOME}›",
    r"‹ \s (?:was|were|is|are|has \s been|have \s been|got) \s (?:\w+ly \s | now \s | since \s)?"
    r"(?:refactored|restructured|reworked|reorgani[sz]ed) \s (?:in)?to \s ›",
    rf"\b{_CHANGED} \s {_THINGS}(?:in|inside|within|from) \s ›",
    r"\b(?:removed|deleted|dropped|stripped|purged|eliminated|missing|absent|gone) \s (?:from|in) \s ›",
    rf"› \s (?:has \s | have \s | since \s | then \s | now \s){{0,2}}(?:replaced|replaces|superseded"
    rf"|supersedes) \s {_SOME}‹",
    rf"› \s (?:has \s | have \s)?(?:{_CHANGED}|replaces|supersedes|moved) \s (?:the|an?|our|all|its|their"
    rf"|support|most|some)\b",
    r"› \s (?:was \s | is \s | were \s | are \s | got \s)?(?:split|extracted|moved|renamed|ported|copied"
    r"|migrated|converted|carved)"
    r" \s (?:out \s of|from|off)",
    r"› \s became \s (?!\uf8ff|an?\b|the\b|part\b|our\b)",
    r"› \s used \s to \s be \s (?!\uf8ff|an?\b|the\b|here\b|there\b|at\b|in\b|called\b|named\b|our\b)",
    rf"\breplaced \s ‹ \s (?:with|by) \s {_SOME}›",
    rf"\b(?:in \s favou?r \s of | (?:replaced|superseded) \s (?:\w+ \s){{0,2}}(?:with|by) "
    rf"| swapped \s for) \s {_SOME}›",
    r"\b(?:took|takes|taken) \s over \s from \s ‹ | \b(?:grew|came|broken|carved) \s out \s of \s ‹",
    r"\b(?:originated|started \s out|started|began) \s as \s ‹ | \boriginally \s (?:in \s | at \s)?‹ (?!\s \w+ed\b)"
    r" | \bonce \s ‹ ,? \s now \s ›",
    r"\b(?:logic|code|contents?|parts?|rest|most) \s of \s ‹ \s (?:went|moved) \s (?:in)?to \s ›",
)
_LATIN = (
    # German
    r"\b(?:haben|hat|habe|wurden?) \s ‹ \s (?:nach|in|zu|auf) \s › \s"
    r" (?:verschoben|umbenannt|überführt|integriert|aufgeteilt|zusammengeführt|migriert|umgezogen)",
    r"‹ \s (?:wurden?|ist|sind) \s (?:\w+ \s){0,2}(?:(?:nach|in|zu|durch|mit) \s › \s)?"
    r"(?:verschoben|umbenannt|ersetzt|abgelöst|aufgeteilt|aufgelöst|zusammengeführt|überführt|migriert|umgezogen)",
    r"› \s (?:hat|haben) \s ‹ \s (?:ersetzt|abgelöst) | › \s (?:ersetzt|löst) \s ‹",
    r"\b(?:früher|ehemals|vormals|ursprünglich) \s (?:in \s)?‹ | [(] (?:zuvor|einst|vorher) \s (?:in \s)?‹",
    r"\b(?:aus|von) \s ‹ \s (?:(?:nach|in) \s › \s)?"
    r"(?:ausgelagert|herausgelöst|extrahiert|abgespalten|hervorgegangen|verschoben|umbenannt)",
    r"\bin \s › \s (?:haben|hat|wurden?|habe)\b | \b(?:nach|in) \s › \s (?:verschoben|ausgelagert|überführt"
    r"|migriert)",
    # French
    r"\b(?:a|ont|avons|avez|ai) \s (?:déplacé|renommé|migré|fusionné|scindé|transformé|remplacé|converti) \s ‹"
    r" \s (?:vers|en|dans|par|avec) \s ›",
    r"‹ \s (?:a|ont) \s été \s (?:déplacé|renommé|remplacé|fusionné|scindé|migré|intégré|converti)e?s?\b"
    r" (?:\s (?:par|vers|en|dans|avec) \s ›)?",
    r"› \s (?:remplace(?:nt)? | (?:a|ont) \s remplacé) \s ‹",
    r"\b(?:anciennement|autrefois|jadis|à \s l['’]origine) \s ‹ | [(] (?:auparavant|précédemment|avant) \s ‹",
    r"\b(?:extrait|issu|tiré|séparé|sorti)e?s? \s de \s ‹",
    r"\bdéplacé \s (?:[\w'’]+ \s){1,4}(?:dans|vers|en) \s ›",
    # Spanish and Portuguese
    r"\b(?:movimos|renombramos|migramos|fusionamos|dividimos|convertimos|reemplazamos|movemos|renomeamos|substituímos"
    r"|movió|renombró|(?:hemos|se \s ha) \s (?:movido|renombrado|migrado|reemplazado)) \s (?:a \s | o \s)?‹ \s"
    r" (?:a|en|hacia|por|con|para|em|no|na) \s ›",
    r"‹ \s (?:fue|fueron|ha \s sido|han \s sido|foi|foram) \s"
    r" (?:movid|renombrad|reemplazad|sustituid|fusionad|dividid|migrad|renomead|substituíd|mesclad)[oa]s?\b"
    r" (?:\s (?:por|a|en|con|para|em) \s ›)?",
    r"› \s (?:reemplaza|sustituye|substitui)n? \s (?:al? \s | o \s)?‹ | › \s (?:reemplazó|sustituyó"
    r"|substituiu) \s (?:al? \s | o \s)?‹",
    r"\b(?:antiguamente|antigamente|originalmente|outrora) \s (?:en \s | em \s)?‹"
    r" | (?:[(] (?:antes|anteriormente|previamente) | \b(?:antes|anteriormente|previamente) \s era) \s ‹",
    r"\b(?:extraíd|separad|sacad|dividid)[oa]s? \s d[eo] \s ‹ | ‹ \s pas(?:ó|ou) \s a \s ser \s ›",
    r"\b(?:movimos|movemos|movido|extrajimos|extraímos) \s (?:\w+ \s){1,4}(?:a|en|hacia|para|em) \s ›",
    # Italian
    r"\babbiamo \s (?:spostato|rinominato|sostituito|unito|diviso) \s ‹ \s (?:in|a|con) \s ›",
    r"‹ \s (?:è|sono) \s stat[oaie] \s (?:spostat|rinominat|sostituit|unit|divis)[oaie]\b (?:\s (?:in|a|con"
    r"|da) \s ›)?",
    r"› \s (?:ha \s sostituito|hanno \s sostituito|sostituisce) \s ‹",
    r"\b(?:prima \s era|in \s passato|un \s tempo) \s ‹ | [(] (?:prima|precedentemente|in \s precedenza|ex) \s ‹",
    # Polish
    r"\b(?:przenieśliśmy|przemianowaliśmy|podzieliliśmy|połączyliśmy|zastąpiliśmy) \s ‹ \s (?:do|na|w|z|przez) \s ›",
    r"‹ \s został[aoy]? \s (?:przeniesion|przemianowan|zastąpion|podzielon|połączon|scalon)\w+ (?:\s (?:do|na|w"
    r"|z|przez) \s ›)?",
    r"› \s (?:zastąpił[aoy]?|zastępuje) \s ‹ | (?:\bdawniej|\bpierwotnie|[(] (?:wcześniej|poprzednio)) \s ‹",
    r"\b(?:wydzielon|wyodrębnion|wyciągnięt)\w+ \s z \s ‹",
    # Vietnamese, Turkish
    r"\b(?:chuyển|đổi \s tên|gộp|tách) \s ‹ \s (?:sang|thành|vào|ra) \s ›",
    r"‹ \s đã \s (?:được \s)?(?:chuyển|đổi \s tên|gộp|tách|thay) (?:\s (?:thế \s bằng|bằng|sang|thành|vào) \s ›)?",
    r"› \s (?:đã \s)?thay \s thế \s (?:cho \s)?‹ | \b(?:trước \s đây|trước \s kia|ban \s đầu) \s (?:là|ở) \s ‹",
    r"\btách \s (?:ra \s)?từ \s ‹ | \bchuyển \s (?:\w+ \s){1,4}sang \s › | (?:\beskiden|[(] (?:önceden"
    r"|daha \s önce|eski)) \s ‹",
)
_OTHER = (
    # Russian
    r"\b(?:перенесли|переименовали|переместили|разбили|разделили|объединили|слили|заменили) \s ‹ \s (?:во?|на) \s ›",
    r"‹ \s (?:был[аои]? \s)?(?:переименован|перенес[её]н|перемещ[её]н|замен[её]н|разбит|раздел[её]н"
    r"|объедин[её]н)\w{0,2}\b"
    r" (?:\s (?:во?|на) \s ›)?",
    r"› \s заменил[аио]? \s ‹ | (?:\b(?:бывш\w{2,3}|изначально|прежн\w{2}) | [(] (?:раньше|ранее)) \s (?:в \s)?‹",
    r"\b(?:вынес|выдел)\w+ \s из \s ‹ | \b(?:перенес|вынес)ли \s (?:\w+ \s){1,4}в \s ›",
    # Chinese
    r"(?:由|从|自) \s? ‹ \s? (?:改名|更名|重命名|迁移|迁|移|演变|改)[为成至到入来而]{1,3} (?:\s? ›)?",
    r"(?:将|把) \s? ‹ \s? (?:改名|更名|重命名|迁移|迁|移|合并|并|拆分|拆)[为成至到入]{1,2} \s? ›",
    r"‹ \s? (?:已经?|被|后来)? \s? (?:改名|更名|重命名|合并|并|拆分|迁移|迁|移)[为成至到入]{1,2} (?:\s? ›)?",
    r"‹ \s? (?:已经?)? \s? 被 \s? › \s? (?:取代|替代|替换|代替) | (?:取代|替代|代替|替换) [了掉] \s? ‹"
    r" | [用以] \s? › \s? (?:取代|替代|代替|替换) \s? ‹",
    r"(?<![还復复仍依照新]) (?:原先?|原来的?|原来是|以前[是叫在]|之前[是叫在]|曾经?[是叫在]|旧版?的?|早期的) \s? ‹",
    r"(?:移|迁|迁移|合并|并|拆分)[至到入进] \s? ›",
    # Japanese
    r"‹ \s? (?:を|から|は) \s? (?:› \s? [にへと] \s?)?(?:移行|移動|改名|統合|分割|リネーム|置き換え"
    r"|置換)(?:した|しました|され)",
    r"› \s? が \s? ‹ \s? を \s? (?:置き換|置換) | › \s? [にへ] \s? (?:移行|移動|統合|分割|集約)",
    r"(?<![新仍依照]) (?:以前は|旧|元は|元々は?|もともとは?|かつての|かつては|以前の) \s? ‹",
    # Korean
    r"‹ \s? (?:를|을|에서|은|는|이|가) \s? (?:› \s? (?:로|으로|에|와) \s?)?(?:옮[겨겼]|이동[됨됐했]|변경[됨됐]"
    r"|통합[됨됐]|병합[됨됐]|대체[됨됐])",
    r"› \s? (?:이|가) \s? ‹ \s? (?:을|를) \s? 대체 | › \s? (?:로|으로|에) \s? (?:옮|이동|통합|병합)",
    r"(?:이전에는|예전에는|원래는?|과거에는|(?<!\w)구) \s? ‹",
)


# For each: what is in every text that its patterns match.
_LANGUAGES = (
    (
        rf"\b(?:{_MOVED}|{_CHANGED}|switched|upgraded|transitioned|extracted|refactored|restructured|reworked|reorgani[sz]ed|rolled|missing|absent"
        rf"|gone|replaces"
        r"|supersede[sd]|copied|carved|became|used[\s*]{1,4}to|favou?r|over[\s*]{1,4}from|out[\s*]{1,4}of"
        r"|originat|originally"
        r"|started|began|once|went)",
        _ENGLISH,
    ),
    (
        r"\b(?:verschoben|umbenannt|ersetzt|abgelöst|aufge|zusammen|überführt|integriert|migriert|umgezogen"
        r"|löst|früher|ehemals|vormals|ursprünglich|zuvor|vorher|ausgelagert|heraus|extrahiert|abgespalten"
        r"|hervorgegangen|wurde|déplacé|renommé|migré|fusionné|scindé|transformé|remplac|converti|anciennement"
        r"|autrefois|jadis|l['’]origine|auparavant|précédemment|extrait|issu|tiré|séparé|sorti|movimos|renombr"
        r"|migramos|fusionamos|dividimos|convertimos|reempla|movemos|renomeamos|substitu|movió|sustitu"
        r"|anterior|previamente|antig|originalmente|outrora|extra[íi]|separad|sacad|dividid|pas[óo]u?|movido"
        r"|abbiamo|sostitui|passato|precede|przen|przem|podziel|połącz|zast[ąę]p|został|dawniej|pierwotnie"
        r"|wcześniej|poprzednio|wy(?:dzie|odr|ciąg)|chuyển|đổi|gộp|tách|eskiden|önceden)"
        r"|\b(?:einst|haben?|hat|ont|avons|avez|ai|été|avant|hemos|fue|ha|han|foi|foram|antes|è|sono|hanno"
        r"|prima|tempo|ex|đã|thay|trước|ban|daha|eski)\b",
        _LATIN,
    ),
    (
        r"перенес|перем|переимен|разбит|разбили|раздел|объедин|слили|замен|бывш|изнач|прежн|раньше|ранее|вынес|выдел"
        r"|改|更名|重命名|迁|移|并|拆|取代|替|原|以前|之前|曾|旧|早期|統合|分割|リネーム|置|元|もともと|かつて"
        r"|集約|옮|이동|변경|통합|병합|대체"
        r"|이전|예전|원래|과거|구",
        _OTHER,
    ),
)


@cache
def _compiled(patterns: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    """Return the patterns; emphasis may stand between two words, and each mark becomes a group."""
    found: list[re.Pattern[str]] = []
    for pattern in patterns:
        marks = count()
        grouped = _MARK.sub(lambda mark: f"(?P<{_GROUPS[mark[0]]}{next(marks)}>{_THING})", pattern)  # noqa: B023
        spaced = _SPACE.sub(lambda match: r"[\s*]{0,4}" if match[1] else r"[\s*]{1,4}", grouped)
        found.append(re.compile(spaced, re.VERBOSE))
    return tuple(found)


@cache
def _gate(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def told_past(words: str) -> list[tuple[int, int, bool]]:
    """Return the spans of things that a text tells of the past, and whether they are gone; the surest first."""
    spoken = [patterns for gate, patterns in _LANGUAGES if "\0" in words and _gate(gate).search(words)]
    if not spoken:
        return []
    words = words.replace(_THING, " ")
    rows = [match.span() for match in _ROW.finditer(words)]
    words = _ROW.sub(_THING, words)
    row_at = dict(zip((at for at, char in enumerate(words) if char == _THING), rows, strict=True))
    found: list[tuple[int, int, bool]] = []
    for pattern in (pattern for patterns in spoken for pattern in _compiled(patterns)):
        for match in pattern.finditer(words):
            for name, at in match.re.groupindex.items():
                if match[at] is not None:
                    found.append((*row_at[match.start(at)], name.startswith("gone")))
    return found
