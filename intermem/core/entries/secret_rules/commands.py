"""Find secrets as programs are given them: options and arguments of a command line, statements of a database."""

from __future__ import annotations

import re
from collections.abc import Iterator

from intermem.core.entries.secret_rules.values import (
    Suspicion,
    is_mixed,
    is_password,
    is_placeholder,
    is_random,
    trimmed,
)
from intermem.patterns import regex

_VALUE = r"(?:\"(?P<double>[^\"\n]{1,200})\"|'(?P<single>[^'\n]{1,200})'|(?P<bare>[^\s\"'`|<>]{1,400}))"
# ``--password=…``: the option says what follows.
_LONG = regex(
    r"(?<![\w-])--?(?:[a-z][a-z0-9-]{0,30}-)?(?:(?P<chosen>pass(?:word|wd|phrase)?|pwd|pw|storepass|keypass)|token|secret"
    r"|api-?key|access-?key|secret-?key|client-?secret|auth|authtoken)(?:=|[ \t]{1,3})" + _VALUE,
    re.IGNORECASE,
)
# A short option means a password only with its program.
_PROGRAMS: tuple[tuple[str, str], ...] = (
    ("sshpass", r"-p\s{0,2}"),
    ("mysql mysqldump mysqladmin mysqlimport mysqlsh mariadb mariadb-dump mycli 7z 7za 7zz rar unrar", r"-p(?=\S)"),
    ("mongo mongosh mongodump mongorestore psexec cqlsh influx cypher-shell clickhouse-client", r"-p\s{1,2}"),
    ("docker podman nerdctl helm skopeo az oc argocd", r"login\b.{0,120}?-p\s{1,2}"),
    ("sqlcmd bcp zip unzip ipmitool mosquitto_pub mosquitto_sub", r"-P\s{0,2}"),
    ("redis-cli redis-benchmark keydb-cli valkey-cli", r"-a\s{1,2}"),
    ("ldapsearch ldapadd ldapmodify ldapwhoami ldapdelete ldappasswd", r"-w\s{1,2}"),
    ("snmpwalk snmpget snmpset", r"-[AX]\s{1,2}"),
    ("openssl", r"-(?:(?:pass|passin|passout)\s{1,2}pass:|k\s{1,2})"),
    ("vault", r"login\s{1,2}"),
    ("net", r"use\b.{0,80}?/user:\S{1,80}\s{1,2}"),
    ("xfreerdp wlfreerdp mstsc rdesktop cmdkey runas wmic msbuild winrs", r"/p(?:ass(?:word)?)?:"),
    ("ngrok", r"(?:add-)?authtoken\s{1,2}"),
    ("curl wget http https xh lftp ab hey smbclient rpcclient smbmap etcdctl elasticdump", ""),
    ("sqlplus sqlldr expdp impdp rman", ""),
    ("htpasswd", ""),
    ("echo printf", ""),
)
# Programs that take user and password in one word, or from a pipe.
_USER_AND = {
    "curl": r"(?:-u|--user|--proxy-user|-U|-a|--auth)(?:=|\s{0,3})[\"'`]?[^\s:%,\"'`<$]{0,100}[:%,]"
    r"(?P<bare>[^\s\"'`]{1,200})",
    "sqlplus": r"\w{1,60}/(?P<bare>[^\s@/\"'`]{3,100})@",
    "htpasswd": r"-[a-zA-Z]{0,5}b[a-zA-Z]{0,5}\s{1,2}\S{1,100}\s{1,2}\S{1,60}\s{1,2}(?P<bare>\S{3,100})",
    "echo": r"[\"']?(?:[\w-]{1,40}:)?(?P<bare>[^\s\"'`|]{4,200})[\"']?\s{0,3}\|.{0,60}?"
    r"(?:sudo\s{1,2}-\w{0,3}S|--password-stdin|passwd\b|cryptsetup|gpg\b|vault\b)",
}
_GAP = r"[ \t](?:[^\n|;&`]{0,200}?[ \t])?"


def _compiled(names: str, option: str) -> re.Pattern[str]:
    return re.compile(f"{_GAP}(?:{option}{_VALUE})" if option else _GAP + _USER_AND[names.split()[0]])


_OPTIONS = {name: (names, option) for names, option in _PROGRAMS for name in names.split()}
_PROGRAM = regex(rf"(?<![\w/.-])(?:{'|'.join(sorted(map(re.escape, _OPTIONS), reverse=True))})(?=[ \t])")
_PATTERNS: dict[str, re.Pattern[str]] = {}
# What stands in the line for the statement to be looked for, and the statement.
_QUOTED = r"['\"](?P<bare>[^'\"`\n]{3,100})"
_STATEMENTS = (
    ("identified", rf"identified\s{{1,3}}(?:with\s{{1,3}}\S{{1,40}}\s{{1,3}})?by\s{{1,3}}{_QUOTED}"),
    ("password", rf"\b(?:with|encrypted|set)\s{{1,3}}password\s{{1,3}}(?:=\s{{0,3}})?(?:password\()?{_QUOTED}"),
    ("jdbc:oracle", r"jdbc:oracle:\w{1,10}:\w{1,60}/(?P<bare>[^\s@/\"'`]{3,100})@"),
    ("requirepass", r"\brequirepass\s{1,3}(?P<bare>[^\s\"'`]{6,200})"),
    ("masterauth", r"\bmasterauth\s{1,3}(?P<bare>[^\s\"'`]{6,200})"),
)
_ADDRESS = regex(
    r"(?P<user>[^\s:/@\"'`<>]{0,200}):(?P<word>[^\s/\"'`<>]{1,300}?)@(?P<host>[\w.\[\]:*-]{1,255})"
    r"|(?P<token>[\w.~-]{16,200})@"
)
# What comes with an installation; nobody is harmed.
_COMMON = frozenset("password passwd pass secret postgres mysql root admin user guest".split())  # noqa: SIM905 - a list
_OWN_HOST = regex(r"127\.|0\.0\.0\.0|host\.docker\.internal|(?:[\w-]+\.)+localhost\b")  # of the machine itself
_NO_WORD = frozenset("pass password pw pwd secret passwd".split())  # noqa: SIM905 - a list


def commands_in(line: str, lowered: str) -> Iterator[Suspicion]:
    """Yield the secrets in a folded line that a command would pass on; ``lowered`` is the line in lower case."""
    rule = "password on a command line"
    if " -" in line or "`-" in line or line.startswith("-"):
        for match in _LONG.finditer(line):
            value = _value_of(match)
            if is_password(value) if match["chosen"] is not None else is_random(value, 10):
                yield Suspicion(rule, value, sure=is_mixed(value))
    for program in _PROGRAM.finditer(line):
        names, option = _OPTIONS[program[0]]
        pattern = _PATTERNS.get(names) or _PATTERNS.setdefault(names, _compiled(names, option))
        given = pattern.match(line, program.end())
        if given is not None and _is_given(_value_of(given)):
            yield Suspicion(rule, _value_of(given), sure=is_mixed(_value_of(given)))
    for word, statement in _STATEMENTS:
        if word in lowered:
            for match in re.finditer(statement, line, re.IGNORECASE):
                if _is_given(match["bare"]):
                    yield Suspicion(rule, match["bare"], sure=is_mixed(match["bare"]))
    yield from _addresses(line)


def _value_of(match: re.Match[str]) -> str:
    parts = match.groupdict()
    return parts.get("double") or parts.get("single") or trimmed(parts["bare"] or "")


def _is_given(value: str) -> bool:
    """Whether a value that can only be a password is one, and no variable: six characters or more."""
    if is_password(value):
        return True
    if len(value) < 6 or is_placeholder(value) or value.upper() == value or value.lower() in _COMMON:
        return False
    return value.isalnum()


def _addresses(line: str) -> Iterator[Suspicion]:
    """Yield the passwords of addresses: ``redis://:…@cache``, ``https://…@github.com``."""
    at = line.find("://")
    while at >= 0:
        match = _ADDRESS.match(line, at + 3)
        if match is not None and match["token"] is not None:
            if is_random(match["token"], 16):
                yield Suspicion("Basic Auth Credentials", match["token"], sure=False)
        elif match is not None:
            user, word, host = match["user"], match["word"], match["host"]
            if not (is_placeholder(word) or word.isupper() or word.lower() in _NO_WORD):
                sure = user != word and word.lower() not in _COMMON and "." in host and not _OWN_HOST.match(host)
                yield Suspicion("Basic Auth Credentials", word, sure)
        at = line.find("://", at + 3)
