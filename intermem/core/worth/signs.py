"""The expressions by which reasons are recognised: what is no list of words. Each takes linear time."""

from __future__ import annotations

import re

from intermem.patterns import regex

CODE = "\x00"  # stands for a code span

EMPHATIC = (
    r"\b(?:NEVER|ALWAYS|MUST|NOT|DO NOT|ONLY|ANY|ALL|BEFORE|CRITICAL|IMPORTANT|REQUIRED|NUNCA|SEMPRE|SIEMPRE"
    r"|JAMAIS|NIE"
    r"|IMMER|НЕ|KHÔNG|LUÔN|JANGAN|SELALU|WAJIB)\b"
)
_CASE = r"(?:(?:when|before|after|for|if) [^,\n]{1,80}, )?(?:please )?"
_VERBS = """
    add|always|apply|ask|assume|audit|avoid|back up|begin|bind|build|bump|call|cap|capture|cast|catch|change
    |check|choose|cite|clear
    |close|commit|configure|confirm|consult|convert|copy|create|debug|declare|default to|define|delete|deploy
    |derive|design|disable
    |do|don't|don’t|document|edit|enable|ensure|escape|exclude|execute|expect|export|extend|fetch|filter|fix
    |follow|format|gate
    |get|give|go|grep|group|guard|handle|hide|ignore|import|include|insert|install|invoke|join|keep|launch|leave
    |let|limit|lint
    |load|lock|log|look|make|mark|match|measure|migrate|mirror|mock|modify|move|name|never|note|omit|open|opt
    |override|parse|pass
    |pick|pin|place|plan|prefer|print|profile|pull|push|put|query|quote|read|rebuild|record|refer|register|rely
    |remember|remove
    |render|replace|report|require|reset|respect|restart|return|reuse|review|run|save|scan|search|seed|select
    |send|set|show|skip
    |sort|split|start|state|stick|stop|store|strip|sync|take|test|throw|touch|track|treat|trim|trust|update|use
    |validate|verify
    |wait|watch|work|wrap|write
"""
_ELSEWHERE = (
    "用|使用|改|检查|不要|禁止|必须|先|新增|修改|添加|优先|保持|避免|统一|需要|务必|usar|use|evitar|não"
    "|siempre|sempre|nunca|no "
    "|utiliser|toujours|jamais|immer|nie|kein|verwende|всегда|не |использ|dùng|luôn|không|phải|gunakan|jangan"
    "|selalu|반드시|절대|항상"
)
IMPERATIVE = rf"{_CASE}(?:{'|'.join(verb.strip() for verb in _VERBS.split('|'))})\b|(?:{_ELSEWHERE})"
NO = (
    r"(?:no|not|none|nothing|never|kein\w{0,2}|nada de|nenhum\w?|ningún|ninguna|aucune?|nessun\w?|нет|без|tanpa)\b"
    r"|不|无|没有|없"
)
RULE_LABEL = (
    r"rule|convention|gotcha|pitfall|trap|lesson|caveat|important|never|always|note|warning|critical|don't"
    r"|do not|must"
    r"|regla|regra|règle|regola|regel|правил|规则|注意|教训|原则|陷阱|ルール|규칙|원칙|주의"
)
WHY_LABEL = (
    r"^(?:why|reason|context|background|evidence|source|example|por qu[eé]|porqué|warum|pourquoi|почему|vì sao"
    r"|mengapa"
    r"|为什么|原因|理由|이유|왜)"
)
STATE_LABEL = (
    r"status|date|commit|pr\b|tests?\b|result|version|progress|phase|milestone|mode|ci\b|file|location|changed"
    r"|action|next"
    r"|priority|timeline|quality|verified|estado|arquivo|状态|文件|位置|상태|파일|위치"
)
SENTENCE = r"(?:[.!。！…]|[다음함됨요]\.?)['\"”’)*_`]{0,4}\s*\Z"
DATE = regex(
    r"(?<!\d)(?:20\d\d[-/.年]\s?\d{1,2}(?:[-/.月]\s?\d{1,2})?|\d{1,2}[./]\d{1,2}[./]20\d\d"
    r"|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.? \d{1,2}(?:,? 20\d\d)?\b)"
)
DONE = (
    r"[✅✔☑🎉🟢🟡🔴🚧⏳❌⚠]|\[[ xX]\]|\b(?:DONE|COMPLETED?|SHIPPED|FIXED|RESOLVED|MERGED|BUILT|LIVE|DEPLOYED"
    r"|PASS(?:ED)?|WIP"
    r"|TODO|PENDING|BLOCKED|READY)\b"
)
COMMIT = r"\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b|(?<!\w)#\d{1,6}\b|\bPR\b|\bMR\b"
COUNT = (
    r"(?<![\w.])~?\d[\d,.]{0,12}\s?(?:\+\s?)?(?:tests?|files?|lines?|commits?|%|kb|mb|gb|ms|items?|rows?"
    r"|entries|words?|agents?"
    r"|tables?|routes?|endpoints?|components?|cases?|pages?|users?|bugs?|issues?|errors?|个|条|行|件|개|건|줄"
    r"|arquivos|testes"
    r"|linhas|archivos|pruebas|líneas|dateien|zeilen|файл|строк|тест)"
)
MACHINE = (
    r"(?<![\w.])(?:/home/|/Users/|/opt/|/mnt/|[A-Z]:[\\/]|~/|127\.0\.0\.1|localhost"
    r"|\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}|ssh "
    r"|@[\w-]{1,60}\.(?:com|org|net)\b)"
)
POINTER = (
    r"(?:see|full|details?|more|refer|read|source|related|ref|link|plan|docs?|spec|journal|veja|ver|véase|siehe"
    r"|voir|см|xem"
    r"|详见|参见|参考|자세한|참고)\b|\[[^\]\n]{1,80}\]\("
)
DEFINITION = (
    rf"{CODE}[*_]{{0,4}}\s?(?:\([^)\n]{{0,60}}\))?\s?"
    r"(?:[-—–:：=|]|→|is |are |has |holds |returns |contains |provides |handles |是|는|은)"
)
PATH = (
    r"[\w.-]{1,80}/[\w./-]{1,160}\.\w{1,5}\b"
    r"|`[\w.-]{1,80}\.(?:py|tsx?|jsx?|rs|go|cs|java|kt|md|json|ya?ml|toml|sh|php|rb|cpp|h|sql|vue|swift)`"
)
PLACEHOLDER = (
    r"\([^()\n]{0,60}(?:will be|to be|none yet|tbd|n/a)[^()\n]{0,60}\)|\bTBD\b|\bunknown\b|<[a-z][a-z _-]{2,30}>"
    r"|(?<!\[)\[(?-i:[A-Z])[\w ]{2,40}\](?![\](])"
)
MIDDLE = regex(
    r"[)\],;.…→+&>=]|(?:and|but|so|also|then|this|that|these|it|they|which|both|same|其|这|该|此|이|그|isto"
    r"|isso|esto|eso|dies|это)\b"
)
# Of headings, in lower case.
RULES = (
    r"rule|convention|pitfall|gotcha|lesson|pattern|principle|caveat|quirk|trap|guideline|best practice|must"
    r"|never|always"
    r"|constraint|invariant|known issue|do not|don't|policy|standard|style|anti-pattern|warning|important"
    r"|critical|regra|regla|règle"
    r"|regel|cuidado|armadilha|lição|lecci|convenç|convenci|leçon|piège|grundsätz|правил|важно|ошибк|quy tắc"
    r"|lưu ý|aturan|规则|规范"
    r"|原则|约定|陷阱|注意|坑|经验|教训|铁律|ルール|規約|원칙|규칙|주의|교훈|함정|금지"
    r"|avoid|preference|strategy|decision|non-obvious|restric|muster|prinzip|préféren|prefer[eê]nc|restriç"
    r"|风格|约束|军规|必须|遵守|偏好|策略|決定|方針|패턴|피해야|따라야|전략|결정"
)
STATUS = (
    r"status|progress|complete|done|history|changelog|next|todo|plan|phase|session|sprint|wave|cycle|milestone"
    r"|recent|current|result"
    r"|verification|deliver|shipped|release|version|roadmap|backlog|pending|commit|timeline|summary|follow-up"
    r"|remaining|journal|✅"
    r"|20\d\d|estado|progreso|progresso|próxim|entregue|stand|fortschritt|état|статус|план|trạng thái|tiến độ"
    r"|进度|状态|历史|计划"
    r"|完成|阶段|记录|版本|履歴|進捗|状況|현황|상태|진행|완료|이력|변경|계획|히스토리"
)
RULES_FILE = (
    r"feedback|pitfall|gotcha|pattern|convention|rule|lesson|guideline|decision|quirk|trap|debug|testing|style|policy"
)
STATUS_FILE = (
    r"project_|status|progress|plan|phase|sprint|session|todo|roadmap|log|history|changelog|journal|handoff"
    r"|cycle|release|state"
    r"|current|milestone|audit|review|migration|rollout|refactor|shipped|bug|fix|incident|20\d\d"
)
TRAPS_FILE = r"gotcha|pitfall|trap|lesson|quirk|debug|troubleshoot"
DECISIONS_FILE = r"decision|design|adr|spec"
REVIEWS_FILE = r"review|audit"
# Of headings: rules by their name, work in hand, and parts of a whole.
NAMED_RULES = (
    r"\brules?\b|constraint|\bdo not\b|\bdon't\b|\bnot\b|never|always|reglas|regras|règles|regeln|правил"
    r"|规则|铁律|必须|禁止|ルール|규칙|원칙"
)
WORK = (
    r"session|feature|complete|\bfix(?:ed|es)?\b|\bopen\b|sessão|sesión|sitzung|funcionalidad|fonctionnalité"
    r"|corre[çc]|corrig|offen|abert|abiert|сесси|会话|功能|修复|未解决|세션|기능|수정|미해결"
)
PARTS = (
    r"files?\b|system|management|archivos|arquivos|fichiers|dateien|sistema|système|gesti[óo]n|gestão|verwaltung"
    r"|файл|систем|文件|系统|管理|파일|시스템|관리"
)
# The memory, its index and its files, which no document needs to speak of.
MEMORY = (
    r"(?i:\bmemor(?:y|ies)\b(?! (?:leak|usage|limit|pressure|footprint|safe|map|budget))|MEMORY\.md|\bmemória"
    r"|\bmemoria\b|记忆|記憶|메모리 (?:파일|인덱스))"
)
# Whoever reads the note, and how it is to behave to its user.
AGENT = (
    r"(?i:\bclaude\b(?!\.md|/)|\b(?:sub-?)?agents?\b(?!s?\.md)|\bassistant\b|\bthis session\b"
    r"|\bfuture (?:sessions?|me)\b"
    r"|\bask (?:the user|first|before)\b|\bthe user\b"
    r"|\buser (?:wants|said|prefers|asked|explicitly|corrected)\b|用户|사용자|ユーザー)"
)
PLANNED = (
    r"(?i:\bplans?/|\bplan \d|\bADR[- ]?\d|\bPhase \d|\bstep \d|\bsprint \d|\bepic\b|\bslice \d|\bv1\b|\bMVP\b"
    r"|\bdeferred\b|\bapproved\b|\bbacklog\b|\broadmap\b|\bTODO\b|阶段|计划)"
)
NAMED = r"[`/_]|\b[a-z]+[A-Z]\w|\b[A-Z]{2,}\b|\b[A-Z][a-z]+[A-Z]\w*|\w\.\w|\d"
NEGATED = (
    r"(?i:\b(?:not|never|cannot|without|isn't|doesn't|don't|won't|aren't|can't|didn't)\b|\bNOT\b|\bnão\b|\bpas\b|\bnicht\b"
    r"|\bkein\w*\b|\bBUKAN\b|\btidak\b|\bNON\b|\bне\b|\bkhông\b|不|没有|无|않|없|말 것|ない)"
)
LACKING = r"(?i:\bno\b(?! longer)|\bsem\b|\bsin\b|\bsans\b|\bohne\b|\bkein\w*|без|tanpa|không có|无|没有|없음)"
CURE = (
    r"(?i:\b(?:fix|solution|workaround|instead|solución|solução|lösung)\b"
    r"|解决|修复|해결|対策|解法)"
)
_PARTS = (
    r"(?:\*\*|__)(?:why|how to apply|por ?qu[eé]|cómo aplicar|como aplicar|warum|anwendung|pourquoi|почему"
    r"|vì sao|mengapa"
    r"|为什么|原因|如何应用|이유|적용 방법|適用)\b"
)
DIVIDED = regex(_PARTS, re.IGNORECASE)
# Where such a part begins inside a paragraph.
PART = rf"(?i:[ \t]*(?={_PARTS}))"
