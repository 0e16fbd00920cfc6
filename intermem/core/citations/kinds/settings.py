"""Environment variables and settings: ``$HOME_DIR``, ``LOG_LEVEL=debug``, ``max-lines``, ``maxWorkers: 4``."""

from __future__ import annotations

from intermem.core.citations.kinds import composed_names
from intermem.core.citations.kinds.name_evidence import (
    COMMON,
    absent,
    as_told,
    at,
    best_place,
    drift,
    found_at,
    is_lowercase_word,
    is_single_word,
    is_unmistakable,
    left_manifests,
    stems,
    trace_of,
    unverifiable,
)
from intermem.core.citations.kinds.named_files import module_gone, page_gone, stems_of
from intermem.core.citations.kinds.resolution import Setting
from intermem.core.citations.kinds.token import Token
from intermem.entities import Citation, Stance, Verdict, VerdictStatus
from intermem.facts import Facts, Questions, Trace, Tree
from intermem.patterns import regex

_ENV = regex(
    r"(?:export\s+|set\s+|-e\s+|-D)?(?P<sign>\$\{?|%|\$env:|process\.env\.|os\.environ\[['\"]|env\.|ENV\[['\"])?"
    r"(?P<name>[A-Z][A-Z0-9_]{2,80})(?P<end>\}|%|['\"]\])?(?P<value>\s?=.{0,200})?"
)
_QUOTED = regex(r"(?P<quote>['\"])(?P<name>[\w@][\w .:/-]{1,60})(?P=quote)")
_KEBAB = regex(r"[A-Za-z]\w*(?:-\w+)+")
_KEY = regex(r"[\"']?(?P<name>[A-Za-z_][\w.-]{1,80})[\"']?(?::\s|\s?=\s?)(?P<value>(?!\[\[)[^=:\s].{0,200})")
# Of HTTP: what follows is a type of contents, or it has several words, as no key of settings is written.
_HEADER = regex(
    r"[A-Z][A-Za-z-]*:\s(?:application|audio|font|image|multipart|text|video|\*)/[\w.+*-]+(?:[;,\s]|$)"
    r"|(?!X-)[A-Z][A-Za-z]*(?:-[A-Z][A-Za-z]*)+:\s"
)
_SHOUTED = frozenset(
    """
    NOT NEVER ALWAYS MUST SHOULD ONLY TODO FIXME NOTE WARNING IMPORTANT HTTP HTTPS JSON HTML YAML README
    """.split()  # noqa: SIM905 - a list reads worse
)


def read(token: Token) -> Citation | None:
    """Return the env or config citation in ``token``, or None."""
    if token.form in ("link", "wiki", "import", "url", "line", "fence"):
        return None
    text = token.text
    match = _ENV.fullmatch(text)
    if match is not None and (token.form == "span" or "_" in match["name"]) and match["name"] not in _SHOUTED:
        signed = match["sign"] is not None or match["value"] is not None
        if signed or "_" not in match["name"].strip("_"):
            return _citation("env", token, match["name"]) if signed or len(match["name"]) > 4 else None
        return _citation("env", token, match["name"]) if _speaks_of_environment(match["name"]) else None
    if token.form != "span" or token.has_placeholder:
        return None
    match = _QUOTED.fullmatch(text)
    if match is not None and match["name"][0].isupper() and match["name"].isalpha():
        return None  # a value or a title, not a key
    if match is not None:
        return _citation("config", token, match["name"])
    if _KEBAB.fullmatch(text) and not text[0].isupper():
        return _citation("config", token, text)
    match = _KEY.fullmatch(text) if _HEADER.match(text) is None else None
    if match is not None and match["name"].lower() not in COMMON and not match["value"].startswith("//"):
        return _citation("config", token, match["name"])
    return None


def _speaks_of_environment(name: str) -> bool:
    return name.endswith(("_KEY", "_TOKEN", "_SECRET", "_URL", "_HOME", "_PASSWORD", "_ENV", "_HOST", "_PORT", "_DSN"))


def _citation(kind: str, token: Token, name: str) -> Citation:
    return Citation(kind=kind, text=token.text, name=name, weak=token.form != "span")


def questions(citation: Citation, _setting: Setting, _tree: Tree) -> Questions:
    """Return the facts needed to judge ``citation``: where its name occurs."""
    made = composed_names.names_asked(citation.name) if citation.kind == "env" else []
    made += stems_of(citation.name)[1:]
    return Questions(names=frozenset((*_names(citation), *made)), history=_KEBAB.fullmatch(citation.name) is not None)


def _names(citation: Citation) -> list[str]:
    """Return the name, and the last key of a dotted one."""
    last = citation.name.rpartition(".")[2]
    return [citation.name] if last in ("", citation.name) or last[0].isdigit() else [citation.name, last]


def traces(citation: Citation, setting: Setting, facts: Facts) -> frozenset[Trace]:
    """Return the names to search for in history: a name that occurs nowhere now."""
    if citation.stance is not Stance.PLAIN or any(
        best_place(facts.places.get(name, ()), setting) for name in _names(citation)
    ):
        return frozenset()
    return frozenset({trace_of(citation.name, citation)})


def judge(citation: Citation, setting: Setting, facts: Facts) -> Verdict:
    """Return the verdict on a setting: valid if its name occurs, else by how it left."""
    names = _names(citation)
    for name in names:
        place = best_place(facts.places.get(name, ()), setting)
        if place is not None and not (is_lowercase_word(name) and citation.text == name):
            return found_at(place, facts.places[name], setting)
    made = composed_names.place_of(citation.name, facts) if citation.kind == "env" else None
    if made is not None:
        return Verdict(status=VerdictStatus.VALID, target=at(made), reason=composed_names.MADE)
    # An agent, a skill or a command is a page.
    pages = facts.tree.by_name.get(f"{citation.name}.md", ()) if _KEBAB.fullmatch(citation.name) else ()
    stem = stems(citation.name, facts.tree, setting) or next(iter(pages), None)
    if stem is not None:
        return Verdict(status=VerdictStatus.VALID, target=stem)
    if not facts.tree.is_git:
        return unverifiable(None, "not a git repository")
    traced = facts.traced.get(trace_of(citation.name, citation))
    telling = (
        citation.kind == "env" or is_unmistakable(names[-1]) or "-" in citation.name or citation.text != citation.name
    )
    single = is_single_word(citation.name) and _QUOTED.fullmatch(citation.text) is not None
    gone = drift(citation.name, traced, setting, weak=citation.weak or not telling, single=single)
    gone = as_told(gone, facts.places.get(citation.name, ()))
    if gone is None and "-" in citation.name and not citation.weak:  # as packages are called
        named = page_gone(citation.name, facts) or module_gone(citation.name, facts)
        gone = left_manifests(citation.name, traced, setting) or named
    return gone if gone is not None else absent(traced)
