"""Statements about ports, compared with what declares ports and with code: ``the API listens on :8081``.

A statement is broken only where the number is nowhere in the repository, and what is declared for the same subject, in
the folder of the text or above, is another one. A port that tools use by default need not be declared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from intermem.core.citations.kinds.manifest_places import agrees, depth, differs, is_above, manifests, silent
from intermem.core.citations.kinds.resolution import Setting
from intermem.core.code.file_types import is_test
from intermem.core.code.port_declarations import DeclaredPort, may_declare_ports, ports_of
from intermem.entities import Verdict
from intermem.facts import Facts, Occurrence, Questions, Tree

# How code says that a number is a port.
_SPELLED = (
    *(f"{word}{sign}" for word in ("port", "PORT") for sign in ("=", " = ", ": ", '": ', "', ", '", ')),
    *("listen(", "|| ", "?? ", ":", "--port ", "--port=", "-p "),
)
# Ports of servers and tools where nothing says another.
_DEFAULTS = frozenset(
    int(port)
    for port in """
    1025 1313 1433 1521 1883 2181 2375 3000 3001 3306 3333 4000 4173 4200 4222 4317 4318 4321 4444 4567 5000 5001 5005
    5173 5174 5432 5500 5555 5601 5672 6006 6333 6379 6443 7000 7071 7474 7687 7860 8000 8001 8025 8080 8081 8086 8123
    8125 8200 8233 8265 8288 8443 8500 8501 8545 8787 8788 8888 8983 9000 9001 9090 9092 9093 9100 9200 9222 9229 9323
    9411 11211 11434 15672 16686 19000 19006 19132 24678 25565 27017 50051 51204 54321 54322 54323 54324
    """.split()  # noqa: SIM905 - a list reads worse
)
_DEVELOPMENT = frozenset({"dev", "development"})
_PLAIN = frozenset(  # words that say what serves of no service in particular
    """
    a an the this it its our app apps application server service project program process site website runs run running
    listens listening listen serves served serve starts start started available exposed bound reachable is are at on by
    to as in of with default defaults port number local locally localhost development dev now open visit browse access
    then url address via under der die das läuft lauscht auf le la serveur tourne écoute sur el servidor corre escucha
    en il ascolta su gira o roda na em serwer działa nasłuchuje сервер слушает работает на порту порт
    """.split()  # noqa: SIM905 - a list reads worse
)


def questions(name: str, tree: Tree) -> Questions:
    """Return the facts needed: the texts of what declares ports, and where code has the number."""
    number = name.partition(" ")[0]
    spelled = (f"{before}{number}" for before in _SPELLED)
    return Questions(texts=frozenset(manifests(tree, (), may_declare_ports)), names=frozenset({number, *spelled}))


def judge(name: str, setting: Setting, facts: Facts) -> Verdict:
    """Return the verdict on what is said of a port: its number, and the words around it."""
    number, *said = name.split(" ")
    port, words = int(number), frozenset(said)
    declared = list(_declared(facts))
    same = [(place, one) for place, one in declared if one.port == port]
    if same:
        return agrees("", min(same, key=lambda pair: (words.isdisjoint(pair[1].words), depth(pair[0])))[0])
    found = min(_spelled(number, facts), key=lambda one: depth(one.path), default=None)
    if found is not None:
        return agrees("", f"{found.path}:{found.line}")
    if facts.places.get(number):
        return silent("nothing says that the number, which the code has, is a port")
    above = [pair for pair in declared if not pair[1].only_agrees and is_above(pair[0], setting, facts)]
    others = list(_of_the_same(port, words, above))
    if not others:
        return silent("nothing declares a port of it")
    place, other = min(others, key=lambda pair: depth(pair[0]))
    return differs(f"{place} says {other.written}, and nothing here has {number}")


def _of_the_same(
    port: int, words: frozenset[str], above: Iterable[tuple[str, DeclaredPort]]
) -> Iterator[tuple[str, DeclaredPort]]:
    """Yield the declarations that speak of what ``words`` do, or the only one there is if they name nothing."""
    known = list(above)
    if port in _DEFAULTS:  # only who tells the same development server another port contradicts it
        known = [pair for pair in known if pair[1].is_served]
    named = words - _PLAIN
    served = named | (words & _DEVELOPMENT)
    matching = [pair for pair in known if not pair[1].words.isdisjoint(served if pair[1].is_served else named)]
    if matching:
        yield from matching
    elif not named and port not in _DEFAULTS and len({one.port for _, one in known}) == 1:
        yield from known


def _declared(facts: Facts) -> Iterator[tuple[str, DeclaredPort]]:
    for path, text in sorted(facts.texts.items()):
        if may_declare_ports(path.rpartition("/")[2]):
            for one in _ports(path, text):
                yield f"{path}:{one.line}", one


def _spelled(number: str, facts: Facts) -> Iterator[Occurrence]:
    for before in _SPELLED:
        for one in facts.places.get(f"{before}{number}", ()):
            if not one.mention and not is_test(one.path):
                yield one


_ports = lru_cache(maxsize=512)(ports_of)  # many statements are compared with one file
