"""Phrases in a note that a person must decide about: what they have an agent run, read, ignore or import.

A pattern is here only if the notes and documents of real repositories hardly ever match it by accident; each one
is a question to a person, not a verdict.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping

from intermem.core.entries.folding import folded
from intermem.core.entries.hazards import (
    CREDENTIAL_PATH,
    DOCUMENT_IMPORT,
    IGNORE_COMMENT,
    INSTRUCTION_OVERRIDE,
    LINK_DEFINITION,
    PERMISSION_BYPASS,
    PIPE_TO_SHELL,
)
from intermem.core.markdown.blocks import link_definitions, tokens_of
from intermem.core.markdown.ignore_comments import SIGN, written_ignores
from intermem.core.markdown.inline import code_spans
from intermem.core.markdown.lines import line_starts
from intermem.errors import UnreadableFile
from intermem.lazy_dataclass import dataclass
from intermem.patterns import regex

# What runs its standard input, after a pipe; and what may be at the beginning of that pipe.
_RUNS = regex(
    r"\\?\|&?\s*(?:sudo\s+(?:-\S+\s+){0,3})?(?:env\s+)?(?:\w+=\S*\s+){0,3}(?:/(?:usr/)?(?:local/)?bin/)?"
    r"(?:(?:(?:ba|z|da|k|fi|a)?sh|pwsh|powershell)(?![\w-]|\.\w|\s+-c\b)"
    r"|(?:python[\d.]*|perl|ruby|node|php|deno|bun)(?:(?:\s+-)?(?=\s*(?:$|[`'\")\n;&|]))|\s+-\s(?!\s*<<))|(?:iex|invoke-expression)\b)",
    re.IGNORECASE,
)
_FETCHES = regex(
    r"\b(?:curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod)(?:\.exe)?\s.*?(?:://|\s--?[A-Za-z]|\$|[\w-]\.[A-Za-z]{2,})"
    r"|\bbase64\s+(?:-d|--decode)\b",  # with what is fetched: names of programs in a table are no command
    re.IGNORECASE | re.DOTALL,
)
_COMMAND = regex(r"(?<!\\)\n|`")  # where the command before a pipe begins, at the latest
_PIPE_WIDTH = 400
_SUBSTITUTED = regex(
    r"(?:\b(?:ba|z|da|k)?sh\s+(?:-\S+\s+){0,3}|\bsource\s+|(?<!\S)\.\s+)<\(\s*(?:curl|wget)\b[^\n`]{0,200}"
    r"|\b(?:eval|(?:ba|z|da|k)?sh\s+-\w*c)\s+[\"']?(?:\$\(|`)\s*(?:curl|wget)\b[^\n`]{0,200}"
    r"|\b(?:iex|invoke-expression)\b[^\n]{0,80}?\b(?:iwr|irm|invoke-webrequest|invoke-restmethod|downloadstring)\b"
    r"|\bdownloadstring\([^\n]{0,300}?\|\s*(?:iex|invoke-expression)\b",
    re.IGNORECASE,
)
# A file that is saved, and one that is run: the same name is one risk, however far apart.
_SAVED = regex(
    r"\b(?:curl|wget)(?=\s)(?:[^\n`]|\\\n){0,300}?"
    r"(?:\s(?:-\w*o|-O|--output|--output-document)[ =]|[ \t]?(?<![<>0-9&-])>{1,2}[ \t]?)(?:\./)?([^\s;&|`\"'<>]{1,200})"
)
_STARTED = regex(
    r"(?:\b(?:ba|z|da|k)?sh\s+(?:-\w+\s+){0,3}(?:\./)?|(?:^|[;&|`\n])[ \t]*(?:sudo[ \t]+)?\./)([^\s;&|`\"']{1,200})"
)
_NOUNS = r"(?:instructions?|prompts?|directives?|guidelines?|guardrails?)"
_FORMER = (
    r"(?:previous|prior|above|preceding|earlier|foregoing|former|existing|original|initial|system|developer|safety)"
)
_ALL = r"(?:(?:all|any|every|each|the|of|these|those|my|your|other|and)\s+){0,4}"
_ORDER = r"(?:^|[.!?:;,(\n–—-]\s{0,3}|\b(?:please|must|should|now|then|and|you|always|immediately)\s+)"
_USER = r"(?:the\s+|your\s+)(?:user|human|operator|developer|maintainer|reviewer)\b"
# In the languages in which the notes of real memories are written, and those that are most spoken beside them.
_OVERRIDES = tuple(
    regex(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:ignore|disregard|forget|discard)\s+{_ALL}(?:{_FORMER}\s+){{1,3}}(?:\w+\s+){{0,2}}?"
        r"(?:instructions?|directions|directives?|guidelines?|guardrails?)\b",
        rf"\b(?:override|bypass)\s+{_ALL}(?:{_FORMER}\s+){{1,3}}(?:\w+\s+)?(?:instructions?|directives?|guardrails?)\b",
        rf"{_ORDER}(?:ignore|disregard|forget)\s+{_ALL}(?:{_FORMER}\s+){{0,3}}{_NOUNS}\b(?!-)",
        rf"{_ORDER}override\s+your\s+(?:(?:system|developer|original|initial|previous)\s+)?(?:prompts?|instructions)\b",
        r"\bnew\s+(?:instructions|directives|rules)\s+(?:override|supersede|replace)\s+(?:all\s+|any\s+|the\s+|your\s+|of\s+){0,3}"
        r"(?:old|previous|prior|earlier|former)\s+(?:ones?|instructions?|directives?|prompts?|rules?)\b",
        r"\b(?:ignore|disregard|forget)\s+(?:all|any|every)\s+(?:of\s+)?(?:the\s+|your\s+)?(?:other|previous|prior|earlier)"
        r"\s+rules\b",
        r"\b(?:ignore|disregard|forget)\s+(?:everything|anything|all)\s+(?:(?:that\s+)?(?:you\s+(?:were|have\s+been)"
        r"\s+told|(?:came|was\s+said)\s+(?:above|before))|above\b)",
        r"\byou\s+are\s+now\s+(?:in\s+)?(?:DAN|developer\s+mode|god\s+mode|jailbroken|an?\s+unrestricted)\b",
        rf"\b(?:do\s+not|don.?t|never|without)\s+(?:ever\s+)?(?:tell|inform)(?:ing)?\s+{_USER}(?!\s+to\b)",
        rf"\b(?:do\s+not|don.?t|never)\s+(?:ever\s+)?(?:mention|reveal|disclose|report)\s+(?:this|it|that)\s+to\s+{_USER}",
        rf"\b(?:hide|conceal)\s+(?:this|it|that)\s+from\s+{_USER}",
        # German
        r"\b(?:ignorier(?:e|en\s+sie|t)?|vergiss|vergessen\s+sie|missachte)\s+(?:bitte\s+)?(?:alle\s+|sämtliche\s+|die\s+"
        r"|deine\s+){0,2}(?:vorherigen|vorigen|bisherigen|obigen|früheren|vorangegangenen)\s+"
        r"(?:anweisungen|instruktionen|vorgaben|befehle|regeln|prompts)\b",
        r"\b(?:sag|sage|erzähl|erzähle|verrate)\s+(?:es\s+|das\s+)?(?:dem|der)\s+(?:nutzer|benutzer|anwender)(?:in)?\s+"
        r"(?:nichts|nicht)\b",
        # French
        r"\b(?:ignore[zr]?|oublie[zr]?)\s+(?:toutes\s+)?(?:les|tes|vos)\s+(?:instructions|consignes|directives)\s+"
        r"(?:précédentes|antérieures|ci-dessus)",
        r"\bne\s+(?:le\s+|la\s+)?(?:dis|dites)\s+(?:pas|rien)\s+à\s+l.utilisat(?:eur|rice)\b",
        # Spanish, Portuguese, Italian
        r"\b(?:ignor[ae]r?|olvid[ae]|desc[oa]nsider[ae]|esqueç[ao]|esquec[ae])\s+(?:todas?\s+)?(?:as?\s+|las?\s+|tus\s+|suas\s+)?"
        r"(?:instrucciones|instruções)\s+(?:anteriores|previas|prévias|acima|de\s+arriba)\b",
        r"\b(?:no\s+(?:le\s+|se\s+lo\s+)?(?:digas|diga|informes)|não\s+(?:conte|diga|informe))\s+(?:al|ao)\s+usu[aá]rio\b",
        r"\b(?:ignora|ignorate|dimentica)\s+(?:tutte\s+)?le\s+istruzioni\s+(?:precedenti|sopra)\b",
        # Russian
        r"\b(?:про)?(?:игнорируй|забудь)(?:те)?\s+(?:вс[её]\s+|все\s+)?(?:предыдущие|прежние|прошлые|вышеуказанные)\s+"
        r"(?:инструкции|указания|команды|правила)",
        r"\bне\s+(?:говори|сообщай|рассказывай)(?:те)?\s+(?:об\s+этом\s+)?пользователю",
        # Chinese, Japanese, Korean
        r"(?:忽略|无视|無視|忘记|忘記)(?:掉)?(?:所有|全部|一切)?(?:的)?(?:以上|之前|先前|前面|上述|此前)[^。\n]{0,8}?(?:指令|指示|提示|規則|规则)",
        r"(?:不要|别|別|切勿)(?:告诉|告訴|告知|通知)(?:用户|用戶|使用者)",
        r"(?:以前|これまで|上記|前)の[^。\n]{0,8}?(?:指示|命令|プロンプト)を?[^。\n]{0,6}?(?:無視|忘れ)",
        r"ユーザーに(?:は|も)?(?:言わない|伝えない|知らせない|教えない)",
        r"(?:이전|위의|앞의|앞선|지금까지의)\s*[^.\n]{0,8}?(?:지시|명령|프롬프트|지침)[^.\n]{0,8}?(?:무시|잊)",
        r"사용자에게\s*(?:알리지|말하지|알려\s*주지)\s*(?:마|말)",
    )
)
# Emphasis, quotes and code marks, which do not change what a sentence says; not the underscores of a name.
_MARKUP = regex(r"[*>`~\"“”]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")

_HOME = r"(?:~|\$\{?HOME\}?|%USERPROFILE%|\$env:USERPROFILE|/root|/home/[\w.-]{1,64}|/Users/[\w.-]{1,64})[/\\]"
_CREDENTIALS = regex(
    r"\.ssh[/\\](?:id_(?:rsa|dsa|ecdsa|ed25519)(?!\w*\.pub)\w*|[\w?]{0,20}\*(?!\S{0,40}\.pub))"
    r"|\.aws[/\\]credentials\b|(?<![\w/.])(?:\.netrc|_netrc|\.git-credentials|\.pgpass)\b"
    rf"|{_HOME}(?:\.netrc|_netrc|\.npmrc|\.pypirc|\.git-credentials|\.pgpass|\.vault-token|\.gnupg|\.password-store"
    r"|\.docker/config\.json|\.kube/config|\.config/gh/hosts\.yml|\.claude/\.credentials\.json|\.codex/auth\.json"
    r"|\.config/gcloud/(?:application_default_credentials|credentials|access_tokens)[\w.]*|\.cargo/credentials(?:\.toml)?"
    r"|\.terraform\.d/credentials\.tfrc\.json|\.(?:ba|z)sh_history|\.azure/(?:accessTokens|msal_token_cache)[\w.]*|Library/Keychains)(?![\w-])"
    r"|\blogin\.keychain(?:-db)?\b|\bsecurity\s+(?:find-(?:generic|internet)-password|dump-keychain)\b"
    r"|(?<![\w.])/etc/(?:g?shadow|sudoers)\b|/proc/(?:self|\d{1,9})/environ\b|:_authToken\b",
)
_PERMISSIONS = regex(
    r"(?<![\w-])--dangerously-(?:skip|bypass|allow-all|disable)[\w-]*|(?<![\w-])--allow-dangerously-[\w-]+"
    r"|(?<![\w-])--(?:yolo|trust-all-tools|allow-all-tools|yes-always|full-auto|approval-mode[ =]yolo)\b(?!-)"
    r"|\bbypassPermissions\b|\bdanger-full-access\b"
    r"|\bdangerously(?:SkipPermissions|DisableSandbox|AllowAll)\b|\bskipDangerousModePermissionPrompt\b"
    r"|(?<![\w-])--ask-for-approval[ =]never\b|\bapproval_policy\s*=\s*[\"']never[\"']"
    r"|\bchat\.tools\.(?:global\.)?autoApprove[\"'`]{0,2}\s{0,3}[:=]?\s{0,3}[\"'`]?true\b"
)
_DECIDED_BY_WORDS: Mapping[str, tuple[re.Pattern[str], ...]] = {
    PIPE_TO_SHELL: (_SUBSTITUTED,),
    CREDENTIAL_PATH: (_CREDENTIALS,),
    PERMISSION_BYPASS: (_PERMISSIONS,),
}
# A file that Claude Code would read into every session; not an address, a handle, a decorator, a package's scope or
# an alias such as @/lib/utils. A name without a folder needs an ending that no method of a decorator has.
_NAME = r"(?:[\w.+~-]|\\ )"
_DOCUMENTS = r"md|mdc|mdx|markdown|txt|rst|adoc|json|jsonc|json5|jsonl|ya?ml|toml"
_SOURCES = r"ini|cfg|csv|tsv|pdf|xml|html?|py|pyi|ipynb|sh|bash|zsh|ps1|bat|tsx?|jsx|java|cpp|hpp|tf|proto|pem"
_IN_FOLDERS = (
    r"env|conf|lock|log|key|crt|sql|rb|go|rs|c|h|cc|cs|kt|php|lua|pl|swift|scala|[cm]?js|vue|svelte|properties|gradle"
)
_KNOWN = (
    r"README|LICEN[CS]E|COPYING|CHANGELOG|CONTRIBUTING|AUTHORS|CODEOWNERS|MAINTAINERS|(?:GNU)?Makefile|Dockerfile"
    r"|Containerfile|Jenkinsfile|Procfile|Gemfile|Rakefile|Vagrantfile|[Jj]ustfile"
)
_IMPORT = regex(
    r"(?<![\w`@./\\-])@(?:"
    r"(?:~/|\.{1,2}/)[^\s`)\]]{1,200}"
    r"|/(?:etc|home|root|Users|var|proc|tmp|opt|usr|private)/[^\s`)\]]{1,200}"
    r"|\.[A-Za-z][\w-]{0,80}(?:[/.][^\s`)\]]{0,200})?(?<![.,;:!?])"
    rf"|(?:{_NAME}{{1,80}}/){{0,12}}(?:{_NAME}{{1,80}}\.(?:{_DOCUMENTS}|{_SOURCES})|{_KNOWN})(?![\w(-]|\.\w)"
    rf"|(?:{_NAME}{{1,80}}/){{1,12}}{_NAME}{{1,80}}\.(?:{_IN_FOLDERS})(?![\w(-]|\.\w)"
    rf"|(?:{_NAME}{{1,80}}/){{0,12}}(?:[\w-]{{1,80}}\.d|\.[A-Za-z][\w-]{{0,80}})/[^\s`)\]]{{1,200}}"
    r")"
)


@dataclass(frozen=True, slots=True)
class Risk:
    """A phrase of a text from offset ``start`` to ``stop``; ``code`` is that of its rule."""

    code: str
    start: int
    stop: int


def risks_in(text: str) -> Iterator[Risk]:
    """Yield the phrases of the Markdown ``text`` that a person must decide about, rule by rule.

    What it says once markup, entities and other letter forms are read counts as what is written.
    """
    written = list(_in_words(text))
    yield from written
    read = folded(text)
    if read.text != text:
        for one in _in_words(read.text):
            start, stop = read.span(one.start, one.stop)
            if not any(each.code == one.code and each.start < stop and start < each.stop for each in written):
                yield Risk(one.code, start, stop)
    try:
        yield from _imports(text)
        yield from _definitions(text)
        yield from _ignores(text)
    except UnreadableFile:  # no document with it can be written
        return


def _in_words(text: str) -> Iterator[Risk]:
    for code, patterns in _DECIDED_BY_WORDS.items():
        for pattern in patterns:
            for match in pattern.finditer(text):
                yield Risk(code, *match.span())
    yield from _pipes(text)
    yield from _downloads_that_are_run(text)
    plain = _MARKUP.sub(" ", text)
    for pattern in _OVERRIDES:
        for match in pattern.finditer(plain):
            start = match.start() + len(match[0]) - len(match[0].lstrip(" \t\r\n.!?:;,(–—-"))
            yield Risk(INSTRUCTION_OVERRIDE, start, match.end())


def _pipes(text: str) -> Iterator[Risk]:
    for match in _RUNS.finditer(text):
        begin = max(0, match.start() - _PIPE_WIDTH)
        for end in _COMMAND.finditer(text, begin, match.start()):
            begin = end.end()
        fetch = _FETCHES.search(text, begin, match.start())
        if fetch is not None:
            yield Risk(PIPE_TO_SHELL, fetch.start(), match.end())


def _downloads_that_are_run(text: str) -> Iterator[Risk]:
    saved = {match[1]: match.start() for match in reversed(list(_SAVED.finditer(text)))}
    for match in _STARTED.finditer(text) if saved else ():
        begin = saved.get(match[1])
        if begin is not None and begin < match.start():
            yield Risk(PIPE_TO_SHELL, begin, match.end())


def _imports(text: str) -> Iterator[Risk]:
    """Yield the imports outside code. A parser must tell: a backtick in one paragraph opens nothing in the next."""
    if _IMPORT.search(text) is None:
        return
    starts = line_starts(text)
    for token in tokens_of(text):
        if token.type not in ("inline", "html_block") or token.map is None:
            continue
        code = code_spans(token.content) if token.type == "inline" else []
        begins = [span.start for span in code]
        first, stop = starts[token.map[0]], starts[min(token.map[1], len(starts) - 1)]
        for match in _IMPORT.finditer(token.content):
            above = bisect_right(begins, match.start()) - 1
            if above < 0 or code[above].stop <= match.start():
                first = max(text.find(match[0], first, stop), first)
                yield Risk(DOCUMENT_IMPORT, first, first + len(match[0]))


def _definitions(text: str) -> Iterator[Risk]:
    starts = line_starts(text)
    for first, stop in link_definitions(text):
        begin, end = starts[first], starts[min(stop, len(starts) - 1)]
        line = text[begin:end]
        yield Risk(LINK_DEFINITION, begin + len(line) - len(line.lstrip()), begin + len(line.rstrip()))


def _ignores(text: str) -> Iterator[Risk]:
    starts = line_starts(text)
    for one in written_ignores(text):
        sign = text.find(SIGN, starts[one.first])
        close = text.find("-->", sign)
        yield Risk(IGNORE_COMMENT, text.rfind("<!--", 0, sign), len(text) if close < 0 else close + 3)
