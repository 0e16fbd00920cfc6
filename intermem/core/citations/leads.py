"""What the line above a list says about its items: that they are gone, forbidden, or names that nobody is to use."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterator, Sequence

from intermem.core.citations.stance import Claims, any_of, lowered
from intermem.core.markdown.inline import fence_spans
from intermem.entities import Stance
from intermem.patterns import regex

# A line above a list of names that nobody is to use.
_BANNED = (
    r"(?:do\snot|don['’]t|never|must\snot|should\snot|no\slonger|avoid|stop) \s (?:\w+ \s){0,3}"
    r"(?:use|using|say|saying|call|calling)",
    r"(?:banned|forbidden|prohibited|disallowed|outdated|obsolete|deprecated|old|former|legacy) \s (?:[\w-]+ \s){0,2}"
    r"(?:words?|names?|terms?|terminology|wording|spellings?|labels?|phrases?|identifiers?|apis?|helpers?|functions?)",
)
_BANNED_ELSEWHERE = (
    r"(?:避免|不要|禁止|请勿|切勿|不得|不再|别)[^，。；：\n]{0,24}(?:使用|用|出现)|禁用|旧(?:称|说法|名|词|术语)|旧稱|使わない|使用しない|使用禁止",
    r"사용하지\s?(?:마|않)|사용\s?금지|쓰지\s?(?:마|않)",
    r"(?:nicht|nie|niemals|keinesfalls)\s(?:mehr\s)?(?:verwenden|benutzen|nutzen)|verbotene?n?|veraltete?n?\s(?:namen|begriffe)",
    r"ne\s(?:pas|jamais|plus)\s(?:utiliser|employer)|à\séviter|interdite?s?|(?:no|nunca|jamais|não)\s(?:usar|use|uses|utilizar|utilice)",
    r"(?:non|mai)\s(?:usare|utilizzare)|vietat[oaie]|prohibid[oa]s?|proibid[oa]s?|не\s(?:использ|употребл|примен)\w*|запрещ\w*",
    r"không\s(?:được\s)?(?:dùng|sử\sdụng)|nie\s(?:używaj|stosuj)\w*|zakazan\w|kullanma\w*",
)


_BANS = any_of(_BANNED, _BANNED_ELSEWHERE)
# "Things that must **never** be added here:", "## What does not belong here".
_BELONGS = any_of(
    (
        r"(?:must|should|may|can|do(?:es)?) \s (?:never|not) \s (?:go|belong|live|stay | be \s"
        r" (?:added|put|placed|stored|kept|defined|here))",
        r"not \s here (?= [)] | [.:]?$)",
    ),
    (
        r"(?:gehör(?:t|en)|dürfen|darf|soll(?:en)?)\s(?:\w+\s)?nicht\s(?:hier)?(?:her|hin|rein)\w*|\bnicht\shierher\b",
        r"n['’](?:a|ont)\spas\s(?:sa|leur)\splace\sici|no\s(?:va|pertenece|debe\s(?:ir|estar))\w*\saquí|n[ãa]o\s(?:pertence|vai|deve)\w*\saqui"
        r"|non\s(?:va|deve|appartien)\w*\s(?:messo\s)?qui\b|не\s(?:место|должн\w+\sбыть)\sздесь",
        r"不(?:属于|应放|要放|该放|放)在?(?:这里|此处|此)|ここに(?:置かない|入れない|追加しない)|여기에\s?(?:두지|넣지|추가하지)",
    ),
)
# A heading or a lead that forbids whatever its items say: "### Never", "**Do not:**".
_FORBIDS = regex(
    r"[\W\d_]*(?:never(?:\sdo)?|(?:do\snot|don['’]?ts?|(?:things\s|what\s)?not\sto\sdo)|avoid|forbidden|prohibited"
    r"|not\sallowed|nie(?:mals)?|verboten|jamais|interdits?|nunca|jamás|prohibido|proibido|mai|vietato|никогда|запрещено|nigdy|verboden|nooit|niet\sdoen|aldrig|förbjudet|forbudt|nikdy|zakázáno|zakazane|ніколи|заборонено|asla|yasak|dilarang|jangan"
    r"|禁止(?:事项|事項)?|不要|切勿|绝不|やってはいけない(?:こと)?|しないこと|금지(?:\s?사항)?|하지\s?말\s?것)[\W_]*",
    re.IGNORECASE,
)


# A heading above what is gone: its own words are about all of it.
_GONE_THINGS = any_of(
    (r"deleted | removed | retired | obsolete | abandoned | discontinued | no \s longer \s exist(?:s|ing)?",),
    (
        r"(?:削除|廃止|撤去)(?:完了|済|した|された)|已(?:经)?(?:删除|移除|废弃|下线|弃用)|(?:删掉|删去|去掉|移除|废弃|砍掉)[的了]|(?:삭제|제거|폐기)(?:된|됨|한)",
        r"\b(?:gelöscht|entfernt|abgeschafft)\w*|\b(?:supprim|retir|abandonn)ée?s?\b|\b(?:rimoss|eliminat)[oaie]\b",
        r"\b(?:eliminad|removid|retirad|borrad|excluíd|suprimid|apagad)[oa]s?\b|\bудал[её]нн\w+|\busunięt\w+"
        r"|\bverwijderde?\b|\bkaldırılan|đã\sxóa",
    ),
)
_GONE = regex(
    rf"(?:{_GONE_THINGS.pattern} | superseded | historical | ersetzt | überholt | obsol[eè]te? | remplacée?s?"
    r" | obsolet[oa]s? | reemplazad[oa]s? | substituíd[oa]s? | sostituit[oaie] | superat[oaie] | устарел\w{0,3}"
    r" | удал[её]н[аоы]? | заменен\w{0,2} | (?:已?被?取代|历史|歷史|旧版) | 置き換え済み | 旧仕様 | 대체됨)"
    r"(?:\s (?:by|in|since|durch|seit|par|dans|por|en|em|da|в) \s .{1,60} | \s [\dv][\w.-]{0,12})?",
    re.VERBOSE,
)
_FEW = 4  # words
_SHORT = 40  # characters
_LONG_HEADING = 120  # characters
NAMING = (
    r"(?:naming|nomenclature|namenskonvention(?:en)?|namensgebung|benennung(?:en)?|nommage|nomenclaturas?|nombrado|nomeação"
    r"|denominazion[ei]|именовани[ея])\b|命名|이름\s?(?:규칙|짓기)|네이밍|명명"
)
# A heading above rules on how things are named, or of what nobody is to do: the bare names below it are samples.
_OF_SAMPLES = regex(
    rf"\b(?:{NAMING})|\b(?:nomes|nombres)\b|\banti-?patterns?\b|\bbad\s(?:examples?|practices?)|\bcode\ssmells?|\bcommon\smistakes\b"
    r"|\bantipatr(?:ones|ón)\b|\bantipadr(?:ões|ão)\b|\bmauvais\sexemples?|\bschlechte\sbeispiele?|反模式|反面教材|アンチパターン"
    r"|悪い例|안티\s?패턴|나쁜\s?예",
    re.IGNORECASE,
)


def is_of_samples(heading: str) -> bool:
    """Return whether a heading is about how things are named, or not done: ``### Naming``, ``### Anti-patterns``."""
    return _OF_SAMPLES.search(heading) is not None


# A heading of what is to come: "Hub architecture (planned)", "Proposed layout".
_TO_COME = (
    r"planned|proposed|future|geplant\w{0,2}|künftig\w{0,2}|prévue?s?|proposée?s?|planead[oa]s?|planificad[oa]s?"
    r"|propuest[oa]s?|futur[oa]s?|planejad[oa]s?|propost[oa]s?|pianificat[oaei]|previst[oaei]"
)
_TO_COME_AT_THE_END = (
    r"proposal|coming\ssoon|to-be|not\syet\s(?:built|implemented)|à\svenir|планируется|план|в\sбудущем"
    r"|计划中?|规划中?|拟议|未来|待实现|予定|計画中?|将来|예정|계획(?:\s중)?"
)
_PLANNED = regex(
    rf".*[(（\[]\s?(?:{_TO_COME}|{_TO_COME_AT_THE_END})\b[^()（）\[\]\n]{{0,30}}[)）\]]\W*$"
    r"|.*[(（\[]\s?(?:(?:when|once)\s(?:implemented|built)|(?:wenn|sobald)\s(?:umgesetzt|implementiert|gebaut)"
    r"|une\sfois\simplémentée?s?|cuando\sse\simplementen?|quando\simplementad[oa]s?|после\sреализации"
    r"|(?:实现|實現|実装)之?[后後]|구현\s?후)\s?[)）\]]\W*$"
    rf"|\W*(?:{_TO_COME})\s(?:\w+\s){{0,2}}(?:structure|layout|architecture|tree|folders?|director(?:y|ies)|files?|modules?|packages?)\W*$",
    re.IGNORECASE,
)


def is_planned(heading: str) -> bool:
    """Return whether a heading says that what a picture below it shows is to come: ``## Hub (planned)``."""
    return _PLANNED.match(heading) is not None


def bans_names(lead: str) -> bool:
    """Return whether the line above a list says that nobody is to use what its items name: ``Never use these:``."""
    return _BANS.search(lowered(lead)) is not None or names_what_is_elsewhere(lead)


def names_what_is_elsewhere(line: str) -> bool:
    """Return whether a heading, or the line above a list, says that what stands below it does not belong here."""
    return _BELONGS.search(lowered(line)) is not None


# What a list is in that is on a machine: "`~/.kiln/` holds:", "Under /etc/kiln:".
_OUTSIDE = regex(
    r"(?<![\w./~-])(?:~|\$\{?HOME\}?|%(?:USERPROFILE|APPDATA|LOCALAPPDATA)%|/(?:etc|home|mnt|opt|root|run|srv|tmp|usr|var|Users"
    r"|Library|Applications)|[A-Z]:)[/\\](?=[\w.$<{])"
)
_INSIDE = regex(r"`(?![~$%/`])[^`\s]*[/.][^`\s]*`")  # something of the repository beside it


def is_outside(lead: str) -> bool:
    """Return whether the line above a list names a folder of a machine, and none of the repository."""
    return _OUTSIDE.search(lead) is not None and _INSIDE.search(lead) is None


# From such a folder to what is listed as in it: "`~/.kiln/`: glaze.toml, `rack.toml` and ".
_LISTED_OUTSIDE = regex(
    rf"{_OUTSIDE.pattern}[\w./<>${{}}-]{{0,200}}[`*)\"]{{0,3}}\s?[:：]\s{{1,4}}"
    r"(?:[`*]{0,3}[\w.-]{1,80}[`*]{0,3}(?:,\s{1,4}(?:(?:and|und|et|y|e|и)\s{1,4})?|\s(?:and|und|et|y|e|и|&)\s{1,4})){0,30}[`*]{0,3}\Z"
)
# Paths of another checkout: "The shop is at `C:\kilns\shop` (read-only): `docs/rack.md`, `docs/glaze.md`".
_CHECKED_OUT = regex(
    r"`(?:(?:~|\$\{?HOME\}?|/(?:home|Users|srv|opt)|[A-Z]:)[/\\](?:[\w@+-][\w.@+-]{0,60}[/\\]){0,12}[\w@+-]{1,60}[/\\]?)`"
    r"[^`.;\n]{0,100}(?:[:：]|\s[—–-])\s(?:[^\W\d_]{1,20}\s){0,3}"
    r"(?:`[^`\n]{1,120}`(?:,\s{1,4}(?:(?:and|und|et|y|e|и)\s{1,4})?|\s(?:and|und|et|y|e|и|&|\+)\s{1,4})){0,30}`?\Z"
)
_ABOVE = 600  # characters before a name in which such a list begins


def is_listed_outside(text: str, start: int) -> bool:
    """Return whether what begins at ``start`` is listed as in a folder of a machine: ``~/.kiln/: a.toml, b.toml``."""
    return _LISTED_OUTSIDE.search(text, max(0, start - _ABOVE), start) is not None


def is_of_another_checkout(text: str, start: int) -> bool:
    """Return whether the path at ``start`` is listed behind the folder of a machine that another repository is in."""
    return _CHECKED_OUT.search(text, max(0, start - _ABOVE), start) is not None


# "❌ **DO NOT commit:**", "Never check in any of these:".
_UNCOMMITTED = regex(
    r"(?:\b(?:do\snot|don['’]t|never|not|no)\s(?:be\s|to\sbe\s)?(?:commit(?:ted)?|check(?:ed)?\sin|track(?:ed)?)"
    r"|\b(?:nicht|nie(?:mals)?)\s(?:committen|einchecken|versionieren)|\bne\s(?:pas|jamais)\scommit\w*"
    r"|\b(?:no|nunca|n[ãa]o|non|mai)\s(?:commit\w*|subir|versionar\w*|versionare)|\bне\sкоммит\w*"
    r"|(?:不要|请勿|切勿|禁止|不得)(?:提交|入库)|コミット(?:しない|禁止|対象外)|커밋(?:하지\s?(?:마|않)|\s?금지))"
    r"(?:\s(?:any\sof\s)?(?:these|this|the\sfollowing|those)(?:\s\w+)?)?[\W_]*\Z",
    re.IGNORECASE,
)


def keeps_out_of_git(lead: str) -> bool:
    """Return whether the line above a list says that nobody is to commit what its items name: it is not to be here."""
    return _UNCOMMITTED.search(lead) is not None


# Going to a folder for what is thrown away, where commands make what they like; and back from there.
_GOES = regex(r"(?:^|[\s`(;&|])(?:cd|pushd)[ \t]+(?P<to>[^\s;&|`)]{1,200})", re.MULTILINE)
_AWAY = regex(r"[\"']?(?:/(?:tmp|var/tmp)|\$\{?(?:TMP|TEMP|TMPDIR)\}?|\$\(mktemp)(?:[/\"'}]|$)")
_TEMPORARY = ("/tmp", "TMP", "TEMP", "mktemp")  # one of these is in what _AWAY matches
_BACK = regex(r"[\"']?(?:-$|[$/~]|\.\.)")
_MAKES = regex(r"(?:^|[\s`(;&|])mkdir[ \t]+(?:-\w+[ \t]+)?(?P<folder>[^\s;&|`)]{1,200})", re.MULTILINE)


def run_away(earlier: str, text: str) -> list[tuple[int, int]]:
    """Return the parts of the code of ``text`` whose commands run in a temporary folder: after ``cd /tmp/kiln``.

    Those in the text before may go there, and not back.
    """
    before = f"{earlier}\n"
    whole = before + text
    if not any(sign in whole for sign in _TEMPORARY):
        return []
    parts: list[tuple[int, int]] = []
    away: int | None = None
    for match in _GOES.finditer(whole):
        is_away = _AWAY.match(match["to"]) is not None
        if is_away and away is None:
            away = match.end()
        elif away is not None and not is_away and _BACK.match(match["to"]) is not None:
            parts.append((away - len(before), match.start() - len(before)))
            away = None
    if away is not None:
        parts.append((away - len(before), len(text)))
    fences = [(fence.start, fence.stop) for fence in fence_spans(text)] if parts else []
    return list(_in_both(parts, fences))


# In a block of code, up to where its command ends; a line may go on in the next.
_MOVES = regex(r"\bgit\s(?:-C\s\S{1,80}\s)?mv\s(?:\\\n|[^\n;&|#]){1,300}")


def moves_shown(text: str) -> list[tuple[int, int]]:
    """Return the commands in blocks of code that move a file in git: an example, whose files need not be there."""
    fences = fence_spans(text) if " mv " in text else ()
    return [match.span() for fence in fences for match in _MOVES.finditer(text, fence.start, fence.stop)]


def run_in_new_folders(text: str, folders: Collection[str]) -> list[tuple[int, int]]:
    """Return the parts of the code of ``text`` whose commands run in a folder that one before them has made.

    Up to where they leave it, a subshell ends, or the code does. What is among ``folders`` is there already.
    """
    parts: list[tuple[int, int]] = []
    for fence in fence_spans(text) if "mkdir" in text else ():
        made: dict[str, int] = {}
        for match in _MAKES.finditer(text, fence.start, fence.stop):
            made.setdefault(match["folder"].rstrip("/"), match.end())
        new = {folder: at for folder, at in made.items() if posixpath.normpath(folder) not in folders}
        away: int | None = None
        for match in _GOES.finditer(text, fence.start, fence.stop) if new else ():
            is_new = new.get(match["to"].rstrip("/"), fence.stop) <= match.start()
            if away is not None and (is_new or _BACK.match(match["to"]) is not None):
                parts.append((away, match.start()))
                away = None
            if is_new:
                line = text.rfind("\n", 0, match.start()) + 1
                end = text.find("\n", match.end(), fence.stop)
                closing = text.find(")", match.end(), end if end != -1 else fence.stop)
                is_subshell = closing != -1 and "(" in text[line : match.start() + 1]
                away = None if is_subshell else match.end()
                parts += [(match.end(), closing)] if is_subshell else []
        if away is not None:
            parts.append((away, fence.stop))
    return parts


def _in_both(parts: Sequence[tuple[int, int]], others: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield what is in one of ``parts`` and in one of ``others``, both in order; each is looked at once."""
    one = other = 0
    while one < len(parts) and other < len(others):
        start, stop = max(parts[one][0], others[other][0]), min(parts[one][1], others[other][1])
        if start < stop:
            yield start, stop
        if parts[one][1] < others[other][1]:
            one += 1
        else:
            other += 1


def forbids(line: str) -> bool:
    """Return whether a heading, or the line above a list, forbids what stands below it: ``### Never``."""
    return _FORBIDS.fullmatch(line) is not None


# What a heading says behind a dash or in brackets: "Kiln card — superseded (historical)".
_ASIDE = regex(r"[—–:：()（）]|\s-\s")


def tells_what_is_gone(heading: str) -> bool:
    """Return whether a short heading says that what stands below it is gone: ``### Removed folders``.

    Or a longer one in a word behind a dash or in brackets: ``### Kiln card — superseded``. What is deprecated is there.
    """
    said = lowered(heading)
    if len(heading) <= _LONG_HEADING and any(_GONE.fullmatch(part.strip(" *_")) for part in _ASIDE.split(said)[1:]):
        return True
    return len(heading.split()) <= _FEW and len(heading) <= _SHORT and _GONE_THINGS.search(said) is not None


# "**Before (one page each):**", "Old layout:", and what comes after it stands below another.
_BEFORE = regex(
    r"[\W_]*(?:before|previously|formerly|(?:old|previous|former)(?:\s[\w-]+){0,2}|vorher|früher|avant|antes|prima|раньше|было|wcześniej|voorheen"
    r"|(?:之前|以前|改造前|迁移前|旧[^\W\d_]{0,4})|(?:変更|移行|修正)前|(?:변경|이전|수정)\s?전)(?:\s?[(（][^()（）\n]{0,60}[)）])?[\s*_]*[:：][\s*_]*",
    re.IGNORECASE,
)


def tells_of_before(lead: str) -> bool:
    """Return whether the line above a list or a block says that it shows what was: ``**Before (one page each):**``."""
    return _BEFORE.fullmatch(lead) is not None


def stance_below(lead: str) -> Stance:
    """Return what the line above a list says about each of its items: all of them are gone, or something else."""
    text = f"{lead}\n- x"
    return Claims(text).stance(len(text) - 1, len(text))


def stance_in(heading: str, name: str) -> Stance:
    """Return what a heading says of ``name``, which it has: ``## The folder `old/`: deprecated``."""
    at = heading.index(name)
    return Claims(heading).stance(at, at + len(name))
