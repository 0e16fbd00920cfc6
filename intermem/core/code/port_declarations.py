"""Which ports files declare: of services, of development servers, of containers.

Files are a stranger's, and read line by line: what has another shape says nothing.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from functools import lru_cache

from intermem.lazy_dataclass import dataclass
from intermem.patterns import regex

_NAMES = regex(
    r"(?:docker-)?compose[\w.-]*\.ya?ml|(?:Docker|Container)file[\w.-]*|[\w.-]+\.Dockerfile|\.env(?:\.[\w-]+)*"
    r"|[\w-]+\.env|package\.json|angular\.json|[\w-]+\.config\.[cm]?[jt]s|Procfile[\w.-]*|(?:GNU)?[Mm]akefile"
    r"|[\w-]+\.mk|\.?[Jj]ustfile|Taskfile\.ya?ml|launchSettings\.json|appsettings[\w.]*\.json|devcontainer\.json"
    r"|application[\w-]*\.(?:properties|ya?ml)|(?:[\w-]*-)?(?:deployment|service|pod|statefulset|values)[\w.-]*\.ya?ml"
    r"|[\w-]+\.service|fly\.toml|config\.toml"
)
_COMPOSE = regex(r"(?:docker-)?compose[\w.-]*\.ya?ml")
_DOCKER = regex(r"(?:Docker|Container)file[\w.-]*|[\w.-]+\.Dockerfile")
_CONFIG = regex(r"[\w-]+\.config\.[cm]?[jt]s|angular\.json")
_LARGEST = 256 * 1024  # characters
_MAX_LINE = 400
_DEFAULT = r"(?:\$\{\w+:?-)?"
# A mapping of compose: an address, the port of the host, that of the container.
_MAPPED = regex(
    rf"""["']?(?:(?:\d+(?:\.\d+){{3}}|\[[\da-f:]+\]|localhost):)?{_DEFAULT}(?P<host>\d{{2,5}})\}}?(?::{_DEFAULT}(?P<inside>\d{{2,5}})\}}?)?(?:/\w+)?["']?"""
)
_PORT = regex(rf"""["']?{_DEFAULT}(?P<port>\d{{2,5}})\}}?["']?""")
_LINE = regex(r"(?P<indent>[ \t]*)(?P<dash>-[ \t]+)?(?:(?P<key>[\w.-]+):(?=\s|\Z))?[ \t]*(?P<value>(?!#).*)")
# Elsewhere: what is called a port, an option, a local address.
_SPOKEN = regex(
    r"""(?P<name>[A-Za-z][A-Za-z0-9_.-]{0,60})?(?<![A-Za-z])
    (?:(?:container|target|host|node)?[Pp]orts?|PORT)["']?[ \t]*(?:[:=]|\?=|:=|=>)[ \t]*
    (?:["'({\[ \t]|Number|parseInt|\+|process\.env\.\w+|os\.environ\w*|\|\||\?\?|\$\{\w+:?-?){0,12}
    (?P<set>\d{4,5})\b
    |(?P<camel>[a-z][A-Za-z0-9]{0,40})Port["']?[ \t]*[:=][ \t]*["']?(?P<cased>\d{4,5})\b
    |(?<![\w-])(?:--?(?:[a-z]+-)?port|-p|-P|--listen|--bind|-b|-l)[ =]["']?(?:[\w.*]*:)?(?P<option>\d{4,5})\b
    |(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::\]|[+*]):(?P<local>\d{4,5})\b
    |(?:runserver|http\.server|listen)[ \t(]+(?:[\w.]+:)?(?P<served>\d{4,5})\b
    """,
    re.VERBOSE,
)
_EXPOSE = regex(r"^[ \t]*EXPOSE[ \t]+(?P<ports>[^\n#]+)", re.MULTILINE)
_FORWARDED = regex(r'"forwardPorts"[ \t]*:[ \t]*\[(?P<ports>[^\]]*)\]')
_SCRIPT = regex(r'^[ \t]*"(?P<name>[\w:.-]+)"[ \t]*:[ \t]*"')
_PART = regex(r"[a-z]+|[A-Z]+(?![a-z])|[A-Z][a-z]*")
_FIVE_DIGITS = regex(r"(?<!\d)\d{2,5}(?!\d)")


@dataclass(frozen=True, slots=True)
class DeclaredPort:
    """A port that a line declares; ``words`` say of what.

    One that ``only_agrees`` contradicts nothing: a container's own, or an address, which may be another program's.
    ``is_served`` is one that a development server is told to use: by a script, or by its configuration.
    """

    port: int
    line: int
    words: frozenset[str]
    written: str
    only_agrees: bool = False
    is_served: bool = False


@lru_cache(maxsize=1 << 16)
def may_declare_ports(name: str) -> bool:
    """Return whether a file of that name can declare ports."""
    return _NAMES.fullmatch(name) is not None


def ports_of(path: str, text: str) -> list[DeclaredPort]:
    """Return the ports that the file ``path`` declares, in order; nothing where it is too large."""
    name = posixpath.basename(path)
    if len(text) > _LARGEST:
        return []
    folder = frozenset(_parts(posixpath.basename(posixpath.dirname(path))))
    if _COMPOSE.fullmatch(name):
        return list(_of_services(text))
    found = _exposed(text) if _DOCKER.fullmatch(name) else _forwarded(text) if name == "devcontainer.json" else iter(())
    return [
        DeclaredPort(one.port, one.line, one.words | folder, one.written, one.only_agrees, one.is_served)
        for one in (*found, *_spoken(name, text))
    ]


def _of_services(text: str) -> Iterator[DeclaredPort]:
    """Yield the ports of a compose file: those of the host, and those of the containers, which only agree."""
    lines = list(_in_services(text))
    images = {service: value.rpartition("/")[2].partition(":")[0] for service, key, value, _ in lines if key == "image"}
    for service, key, value, number in lines:
        words = frozenset((*_parts(service), *_parts(images.get(service, ""))))
        for port, only_agrees in _mapped(key, value):
            yield DeclaredPort(port, number, words, value, only_agrees)


def _in_services(text: str) -> Iterator[tuple[str, str, str, int]]:
    """Yield service, key, value and number of each line of a service; the key of an item is that of its list."""
    top = service = listed = ""
    depth = -1
    for number, line in enumerate(text.split("\n"), 1):
        match = _LINE.match(line)
        if match is None or len(line) > _MAX_LINE:
            continue
        indent, key, value = len(match["indent"]), match["key"], match["value"].partition(" #")[0].strip()
        if indent == 0 and key:
            top, depth = key, -1
        elif top == "services" and key and not match["dash"] and (depth < 0 or indent <= depth):
            service, depth = key, indent
        elif top == "services":
            listed = key if key and not match["dash"] else listed
            yield service, key or listed, value, number


def _mapped(key: str, value: str) -> Iterator[tuple[int, bool]]:
    """Yield the ports of one value, and whether they are those of a container."""
    if key in ("published", "target"):
        match = _PORT.fullmatch(value)
        if match is not None:
            yield int(match["port"]), key == "target"
    elif key in ("ports", "expose"):
        for item in value.strip("[]").split(","):
            match = _MAPPED.fullmatch(item.strip())
            if match is not None:
                yield int(match["host"]), match["inside"] is None
                if match["inside"] is not None:
                    yield int(match["inside"]), True


def _exposed(text: str) -> Iterator[DeclaredPort]:
    for match in _EXPOSE.finditer(text):
        for port in _FIVE_DIGITS.findall(match["ports"]):
            yield DeclaredPort(int(port), text.count("\n", 0, match.start("ports")) + 1, frozenset(), match[0].strip())


def _forwarded(text: str) -> Iterator[DeclaredPort]:
    match = _FORWARDED.search(text)
    if match is not None:
        for port in _FIVE_DIGITS.finditer(match["ports"]):
            line = text.count("\n", 0, match.start("ports") + port.start()) + 1
            yield DeclaredPort(int(port[0]), line, frozenset(), f"forwards {port[0]}", only_agrees=True)


def _spoken(name: str, text: str) -> Iterator[DeclaredPort]:
    """Yield the ports that lines of any file set, pass as options or address."""
    is_package, is_config = name == "package.json", _CONFIG.fullmatch(name) is not None
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith(("#", "//", "*")) or len(line) > 4 * _MAX_LINE:
            continue
        script = _SCRIPT.match(line) if is_package else None
        for match in _SPOKEN.finditer(line):
            group = next(key for key in ("set", "cased", "option", "local", "served") if match[key])
            words = {*_parts(match["name"] or match["camel"] or ""), *_parts(script["name"] if script else "")}
            is_served = (script is not None and group in ("set", "option")) or (is_config and group == "set")
            if is_config:
                words |= {"dev", *_parts(name.partition(".")[0])}
            written = match[0].strip()
            yield DeclaredPort(int(match[group]), number, frozenset(words), written, group == "local", is_served)


def _parts(name: str) -> Iterator[str]:
    """Yield the words of a name in lower case: of ``API_PORT``, ``apiPort`` and ``api-port`` the first is ``api``."""
    for part in _PART.findall(name):
        if len(part) > 1:
            yield part.lower()
