"""Find statements about a project's tools: its package manager, versions of languages, test runner, default branch.

``use pnpm, not npm``, ``Python 3.11+``, ``tests run with vitest``, ``the default branch is main``. They cite no name of
the repository, and can be compared with its manifests all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from intermem.lazy_dataclass import dataclass
from intermem.patterns import regex

MANAGERS = ("npm", "pnpm", "yarn", "bun", "poetry", "uv", "pdm", "pipenv")
RUNNERS = (  # of tests, by language
    ("jest", "vitest", "mocha", "jasmine", "ava", "karma"),
    ("pytest", "unittest", "nose", "nose2"),
    ("rspec", "minitest"),
    ("phpunit", "pest"),
)
_ANY_RUNNER = "|".join(name for group in RUNNERS for name in group)
LANGUAGES = {
    "python": "python",
    "node": "node",
    "node.js": "node",
    "nodejs": "node",
    "go": "go",
    "golang": "go",
    "rust": "rust",
    "ruby": "ruby",
    "php": "php",
}

_HINT = regex(
    rf"(?<!\w)(?:{'|'.join((*MANAGERS, _ANY_RUNNER, *map(re.escape, LANGUAGES), 'branch'))})(?!\w)", re.IGNORECASE
)
# These are in VERBOSE: white space does not count.
_MARK = r"[`*_\"']{0,3}"
_MANAGER = rf"{_MARK}(?P<manager>{'|'.join(MANAGERS)}){_MARK}(?![\w/-]|\.\w)"
_RUNNER = rf"{_MARK}(?P<runner>{_ANY_RUNNER}){_MARK}(?![\w/-]|\.\w)"
# What follows a name that is meant as such, and not the first word of a command.
_ALONE = r"""
    (?=[ \t]*(?:$|\n|[.,;:!?()|+—–，。；：！）（]
    |v?\d|\b(?:not|for|with|instead|rather|as|over|everywhere|only|exclusively|throughout|in|here|workspaces?)\b))
"""
_USE = r"""(?:
    \b(?:use[sd]?|(?<=\w\s)using|managed\s(?:by|with)|install(?:ed)?\s(?:with|via|using)|dependencies\s(?:with|via|using)
    |verwende|nutze|benutze|utili[sz]e[rz]?|utilisez|usar?|usamos|utiliza(?:r|mos)?|używaj|usiamo)\b[ \t]+
    |(?:使用|采用|統一使用|统一使用|используй(?:те)?|используем|dùng|sử\sdụng)[ \t]*
)"""
_MANAGER_IS = rf"""
    (?:\bpackage[ -]manager|\bpaketmanager|\bgestionnaire\sde\spaquets|\bgestor\sde\spaquetes
    |\bgerenciador\sde\spacotes|\bgestore\sdi\spacchetti|менеджер\sпакетов|пакетный\sменеджер|包管理(?:器|工具)?
    |套件管理(?:器|工具)?|パッケージ(?:マネージャー?|管理)|패키지\s?(?:매니저|관리자?)|trình\squản\slý\sgói
    |paket\syöneticisi){_MARK}[ \t]*
    (?:\b(?:is|ist|est|es|é|è)\b|[:：|=–—-]|は|는|은|是|为|為|используем)[ \t]*(?:\b(?:always|only)\b[ \t]*)?
"""
_RUN_WITH = rf"""
    \b(?:unit[ -])?test(?:s|ing)?(?:[ -](?:runner|framework))?{_MARK}[ \t]*
    (?:\b(?:are|is|run|runs|use[sd]?|written)\b[ \t]*|[:|=]{_MARK}[ \t]*){{1,2}}
    (?:\b(?:run|written|with|in|on|using|via|by)\b[ \t]*){{0,2}}
"""
_TESTED_WITH = rf"""
    (?:\btests?|\bpruebas|\btestes|\btesty|\bтесты|测试|測試|テスト|테스트|kiểm\sthử|\btestler)
    (?:框架|フレームワーク)?{_MARK}[ \t]?
    (?:(?:laufen|tournent|corren|rodam|girano|działają|идут|chạy)\s)?
    (?:\b(?:mit|avec|con|com|z|на|с|ile|bằng|với)\s|使用|采用|採用|用|は|는|은|：)[ \t]?
"""
# "Use npm only for publishing": another one is used for all else.
_FOR_SOME = r"(?![ \t]*(?:only|just|solely|exclusively)[ \t]+(?:for|to|in|when|where|if|as|on)\b)"
_STATEMENTS = (
    rf"{_USE}{_MANAGER}{_FOR_SOME}{_ALONE}",
    rf"{_MANAGER_IS}{_MANAGER}",
    rf"(?<![\w/-]){_MANAGER},?[ \t]*\(?(?:not|instead\sof|rather\sthan|over)[ \t]+{_MARK}(?:{'|'.join(MANAGERS)})\b",
    rf"(?<![\w/-]){_MANAGER}[ \t]*(?:を使|を利用|을\s사용|를\s사용|verwenden|nutzen|benutzen|kullan)",
    rf"{_RUN_WITH}{_RUNNER}{_ALONE}",
    rf"{_TESTED_WITH}{_RUNNER}(?![ \t]+(?:or|oder|ou|o|lub|или|hoặc|veya)\b|[ \t]*(?:或|または))",
    rf"""(?<![\w/-]){_RUNNER}[ \t]+is[ \t]+(?:(?:the|our|unit|default)[ \t]+){{0,3}}
        test(?:ing)?[ -](?:runner|framework)\b""",
    rf"\b(?:use|uses|using)[ \t]+{_RUNNER}[ \t]+(?:for|as)[ \t]+(?:(?:the|our|all|unit|its)[ \t]+)*test",
    rf"\bdefault\sbranch{_MARK}(?:[ \t]*(?:\bis\b|[:|=→])){{1,2}}[ \t]*{_MARK}(?P<branch>\w[\w./-]{{1,60}})(?<![./-])",
    r"[`*](?P<branch>\w[\w./-]{1,60})[`*]{1,2}[ \t]+is\sthe\sdefault\sbranch\b",
)
_VERSION = rf"""
    (?<![\w./-])(?P<language>Python|Node(?:\.?js)?|Go(?:lang)?|Rust|Ruby|PHP)
    {_MARK}(?:[ \t]+version\b)?{_MARK}(?:[ \t]*[:|][ \t]*|[ \t]+|(?=[>=~^])){_MARK}(?P<sign>>=|≥|==|~=|\^)?[ \t]?v?
    (?P<version>\d{{1,2}}(?:\.\d{{1,3}}){{0,2}})
    (?P<more>(?:\.x)?\+|\.x|[ \t]or[ \t](?:higher|newer|later|above|greater)\b)?
    (?=[`*_"')]{{0,3}}[ \t]*(?:$|\n|[,;:|(–—]|\.(?!\d)
    |\b(?:required|only|or|and|with|is|runtime|minimum|recommended|project|codebase)\b))
    """
_REQUIRES = r"""
    (?:\b(?:requires?|required|requirements?|needs?|targets?|targeting|uses?|using|runs?\s(?:on|with)|minimum|at\sleast
    |written\sin|built\s(?:on|with|in)|language|runtime|stack|prerequisites?|supports?|supported)\b
    (?:[^\w\n]|\n(?!\#)){0,6}(?:\w+(?:[^\w\n]|\n(?!\#)){1,3}){0,2}
    |(?:\A|\n)[ \t]*(?:[-*+]|\d+[.)]|\|)?[ \t]*[*_`]{0,3})\Z
    """
_DENIED = r"""
    (?:\b(?:not|never|without|instead\sof|no\slonger|rather\sthan|avoid|than|from|since|before|until|till|below|under
    |drop(?:s|ped|ping)?|removed?|deprecated?|was|were|had|old|formerly|previously|if|when|unlike|either|or|vs|versus
    |e\.g|kein\w*|nicht|não|nunca|jamais|pas|не|nie|không|đừng|tránh)\b|n['’]t\b|不要|别|勿|禁止|避免)
    [ \t]*(?:[\w-]+[ \t]+){0,3}[`*_"']{0,3}\Z
    """
_MAJORS = {"python": (2, 3), "node": (8, 40), "go": (1, 1), "rust": (1, 1), "ruby": (2, 5), "php": (5, 9)}
_REACH = 60  # characters before a statement that can deny it, or ask for it


@dataclass(frozen=True, slots=True)
class ToolStatement:
    """What is said of a tool at ``start`` to ``stop`` of a text; ``about`` is ``manager``, ``runner`` and so on."""

    about: str
    name: str
    start: int
    stop: int


def statements_of(text: str) -> Iterator[ToolStatement]:
    """Yield the statements about tools in ``text``: the names in lower case, of a version ``python 3.11+``."""
    if _HINT.search(text) is None:
        return
    reached: dict[str, int] = {}
    for one in sorted([*_named(text), *_versions(text)], key=lambda found: (found.start, -found.stop)):
        if one.start >= reached.get(one.about, 0):
            reached[one.about] = one.stop
            yield one


def _named(text: str) -> Iterator[ToolStatement]:
    for pattern in _STATEMENTS:
        for match in _compiled(pattern).finditer(text):
            about, name = next((about, name) for about, name in match.groupdict().items() if name)
            if not is_denied(text, match.start()) and not is_denied(text, match.start(about)):
                yield ToolStatement(about, name if about == "branch" else name.lower(), match.start(), match.end())


def _versions(text: str) -> Iterator[ToolStatement]:
    for match in _compiled(_VERSION).finditer(text):
        language = LANGUAGES[match["language"].lower()]
        before = text[max(0, match.start() - _REACH) : match.start()]
        if not _is_plausible(language, match["version"]) or _compiled(_REQUIRES).search(before) is None:
            continue
        if not is_denied(text, match.start()):
            is_floor = (match["sign"] or "") not in ("", "==") or (match["more"] or "").strip(".x") != ""
            version = f"{language} {match['version']}{'+' if is_floor else ''}"
            yield ToolStatement("version", version, match.start(), match.end())


def _is_plausible(language: str, version: str) -> bool:
    """Whether it is a version of the language, and not a node of a cluster or a chapter."""
    first, last = _MAJORS[language]
    return first <= int(version.partition(".")[0]) <= last and (language == "node" or "." in version)


def is_denied(text: str, at: int) -> bool:
    """Return whether what stands before ``at`` denies it, or tells of the past."""
    line = max(text.rfind("\n", 0, at) + 1, at - _REACH)
    return _compiled(_DENIED).search(text[line:at]) is not None


@cache  # few texts speak of tools
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.MULTILINE | re.VERBOSE)
