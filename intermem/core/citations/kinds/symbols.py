"""Symbol citations: ``Foo.bar()``, ``pkg/mod::name``, ``mod:fun/2``, ``save_all``, ``PLAYER_EYE_HEIGHT``."""

from __future__ import annotations

import re
from dataclasses import replace

from intermem.core.citations.kinds import composed_names
from intermem.core.citations.kinds.extensions import EXTENSIONS
from intermem.core.citations.kinds.members import (
    folders_and_stem,
    homes_lacking,
    is_beside_its_owner,
    left_its_class,
    never_a_member,
)
from intermem.core.citations.kinds.name_evidence import (
    COMMON,
    UNDEFINED,
    absent,
    as_told,
    at,
    best_place,
    drift,
    found_at,
    in_manifest,
    is_coined,
    is_in_cited_file,
    is_lowercase_word,
    is_short,
    is_single_word,
    is_unmistakable,
    is_upper,
    stems,
    trace_of,
    unverifiable,
)
from intermem.core.citations.kinds.named_files import may_be_module, may_be_project, module_gone, page_of, project_of
from intermem.core.citations.kinds.resolution import Setting
from intermem.core.citations.kinds.sample_names import is_own
from intermem.core.citations.kinds.token import Token
from intermem.core.code.file_types import is_code, is_compiled, is_data, is_test
from intermem.core.code.rename_detection import stem_of
from intermem.core.code.words import humps_of
from intermem.entities import Citation, Evidence, Stance, Verdict, VerdictStatus
from intermem.facts import Facts, Questions, Shape, SymbolRemoval, Trace, Traced, Tree
from intermem.patterns import regex

_IDENTIFIER = r"[^\W\d]\w*"
_JOINED = regex(
    rf"[@$&#:.]?(?P<name>(?:[\w-]+/)*{_IDENTIFIER}(?:(?:\.|::|:|\#|->|\?\.){_IDENTIFIER}){{0,8}})[?!]?"
    r"(?P<generic><[^()]{0,80}>)?(?P<arity>/\d{1,2})?(?P<index>\[[^\[\]\n]{1,60}\])?(?P<call>\s?\(.{0,300}\))?[;:]?",
    re.DOTALL,
)
_CMDLET = regex(r"[A-Z][a-z]+-[A-Z]\w+")  # a PowerShell function
_JOINT = regex(r"\?\.|::|->|[.:#/]")
# What many classes of a project are called beside what they are about.
_ROLES = frozenset(
    """
    service manager controller store repo repository handler helper helpers util utils client provider factory view
    model base api impl component widget module
    """.split()  # noqa: SIM905 - a list reads worse
)
_MIN_LENGTH = 3  # letters; shorter names say nothing
_LITERALS = frozenset({"True", "False", "None", "TRUE", "FALSE", "NULL", "Null", "Nil", "NaN", "Infinity"})
_CONTROL = frozenset({"if", "elif", "for", "while", "switch", "catch", "return", "match", "when", "unless", "until"})


def read(token: Token) -> Citation | None:
    """Return the symbol citation in ``token``, or None."""
    if token.form in ("link", "wiki", "import", "url", "line"):
        return None
    text = token.text.strip()
    if token.form == "span" and _CMDLET.fullmatch(text):
        return Citation(kind="symbol", text=token.text, name=text)
    match = _JOINED.fullmatch(text)
    if match is None or (text.startswith(("--", "@")) and "/" in text):
        return None
    if text.startswith(".") and match["call"] is None and not is_unmistakable(text):
        return None
    parts = parts_of(match["name"])
    called = match["call"] is not None
    numbered = match["arity"] is not None
    pathly = "/" in match["name"] and "::" not in match["name"] and not called
    if not parts or (pathly and not numbered):
        return None
    if len(parts[-1]) < _MIN_LENGTH and not numbered and not called and not any(map(is_unmistakable, parts)):
        return None
    if token.is_spaced and not called:
        return None
    if not _is_name(parts, token, called=called or numbered):
        return None
    if token.form == "fence" and not (token.language and is_own(parts[-1], token.language)):
        return None
    return Citation(
        kind="symbol",
        text=token.text,
        name=".".join(parts) + ("()" if called else ""),
        weak=token.form in ("prose", "fence"),
    )


def _is_name(parts: list[str], token: Token, *, called: bool) -> bool:
    last = parts[-1]
    if len(parts) == 1 and (last in _LITERALS or (called and last in _CONTROL)):
        return False
    if (
        len(parts) == 1
        and ((last if token.form == "span" else last.lower()) in COMMON)
        and not (called and token.form == "span")
    ):
        return False
    if len(parts) == 2 and last.lower() in EXTENSIONS and not called and parts[0].lower() == parts[0]:
        return False  # a file name, or a method named like an extension
    if token.form == "span":
        return True
    if called and token.form == "prose":
        return last.lower() not in COMMON
    fits = is_coined if token.form == "prose" else is_unmistakable
    return all(len(part) > 1 for part in parts) and any(map(fits, parts))


def parts_of(name: str) -> list[str]:
    """Return the identifiers of a dotted name, outermost first, without receivers such as ``self``."""
    parts = [part for part in _JOINT.split(name.removesuffix("()")) if part]
    while len(parts) > 1 and parts[0] in ("self", "this", "cls", "super", "crate", "Self"):
        parts = parts[1:]
    return parts


def questions(citation: Citation, _setting: Setting, _tree: Tree) -> Questions:
    """Return the facts needed to judge ``citation``: where each part of the name occurs."""
    *owners, last = parts_of(citation.name)
    told = [owner for owner in owners if _is_type(owner) or owner == owners[-1]]
    call = "()" if citation.name.endswith("()") or owners else ""
    also = [*([_as_key(last)] if citation.weak else []), *composed_names.names_asked(last)]
    also += [last.lstrip("_")] if _may_be_public(last) else []
    also += [_as_type(owner) for owner in owners if _as_type(owner) != owner]
    names = frozenset([last + call, *also, *(owner for owner in told if owner not in COMMON)])
    is_file = not owners and not citation.weak and may_be_module(last)
    return Questions(names=names, history=is_file or may_be_project(citation.name))


def _as_key(name: str) -> str:
    """Return ``name`` with a small first letter, as the key of a setting is written: ``statusLine``."""
    return name[0].lower() + name[1:]


def _may_be_public(name: str) -> bool:
    return name.startswith("_") and is_unmistakable(name.strip("_"))


def _made_public(name: str, gone: Verdict, facts: Facts) -> Verdict | None:
    """Return *moved* to the one definition of ``name`` without its underscore in front, which made it private."""
    public = name.lstrip("_")
    places = facts.places.get(public, ()) if _may_be_public(name) and gone.status is VerdictStatus.BROKEN else ()
    defined = [one for one in places if one.shape is Shape.DEFINITION and not is_test(one.path)]
    if len(defined) != 1:
        return None
    place = at(defined[0])
    return replace(gone, status=VerdictStatus.MOVED, target=place, reason=f"now {public}", evidence=Evidence.REWRITTEN)


def _as_type(name: str) -> str:
    """Return a name in camel case with a capital, as the field of a structure may be that a key of data stands for."""
    return name[0].upper() + name[1:] if name[0].islower() and is_unmistakable(name) and "_" not in name else name


def traces(citation: Citation, setting: Setting, facts: Facts) -> frozenset[Trace]:
    """Return the names to search for in history: the parts that are in no code now."""
    parts = parts_of(citation.name)
    missing = [part for part in parts if not _stands(part, setting, facts)]
    if not missing:
        missing = [part for part in parts if _is_only_used(part, facts)]
    if not missing and (homes_lacking(parts, facts) or _is_only_a_file(parts[-1], facts)):
        missing = [parts[-1]]
    if not missing or citation.stance not in (Stance.PLAIN, Stance.EXAMPLE):
        return frozenset()
    return frozenset(trace_of(part, citation) for part in missing if _can_be_missed(part))


def _can_be_missed(part: str) -> bool:
    return part.lower() not in COMMON and len(part) >= _MIN_LENGTH


def _own(traced: Traced | None, parts: list[str], citation: Citation, facts: Facts) -> Traced | None:
    """Return ``traced`` without removals of namesakes: if the owner still exists, only its files count."""
    if traced is None or len(parts) < 2:
        return traced
    owner = parts[-2]
    files = {place.path for place in facts.places.get(owner, ())}
    if not files:
        left = facts.traced.get(trace_of(owner, citation))
        known = owner in facts.tree.by_stem or owner in facts.tree.dirs_by_name or owner in facts.history.by_stem
        return traced if known or (left is not None and left.removals) else replace(traced, removals=())
    owners = set(parts[:-1])
    own = tuple(one for one in traced.removals if one.path in files or owners & folders_and_stem(one.path))
    return replace(traced, removals=own)


def _words_of(name: str) -> set[str]:
    return {word.lower() for word in humps_of(name)}


def _stands(part: str, setting: Setting, facts: Facts) -> bool:
    return best_place(facts.places.get(part, ()), setting) is not None or stems(part, facts.tree, setting) is not None


def judge(citation: Citation, setting: Setting, facts: Facts) -> Verdict:
    """Return the verdict on a symbol: its last part decides, then what it belongs to."""
    called = citation.name.endswith("()")
    project = project_of(citation.name, facts)
    if project is not None:
        return project
    parts = parts_of(citation.name)
    last = parts[-1]
    place = best_place(facts.places.get(last, ()), _near(parts, setting))
    if place is not None:
        owner = _owner_gone(parts[:-1], citation, setting, facts)
        if owner is not None:
            return _taken_over(owner, parts, facts)
        undefined = _definition_gone(last, citation, setting, facts) or left_its_class(parts, citation, setting, facts)
        if undefined is not None:
            return undefined
        if not _is_told(parts, place.shape, citation, facts, called=called):
            file = next(iter(facts.tree.by_stem.get(last, ())), None) if len(parts) == 1 else None
            return Verdict(status=VerdictStatus.VALID, target=file) if file else unverifiable(None, UNDEFINED)
        return found_at(place, facts.places[last], _near(parts, setting))
    made = composed_names.place_of(last, facts)
    if made is not None:
        return Verdict(status=VerdictStatus.VALID, target=at(made), reason=composed_names.MADE)
    module = stems(last, facts.tree, setting)
    if module is None and is_upper(last):  # as pages are called: KILN_GUIDE.md
        module = next(iter(facts.tree.by_name.get(f"{last}.md", ())), None)
    if module is not None:
        left = _left_its_file(last, module, citation, setting, facts)
        return left or Verdict(status=VerdictStatus.VALID, target=module)
    if not facts.tree.is_git:
        return unverifiable(None, "not a git repository")
    key = best_place(facts.places.get(_as_key(last), ()), setting) if citation.weak else None
    if key is not None and is_data(key.path):
        return unverifiable(None, f"{at(key)} has a key of that name")
    traced = _own(facts.traced.get(trace_of(last, citation)), parts, citation, facts)
    plain = is_lowercase_word(last) and len(parts) == 1 and not called
    single = is_single_word(last) and len(parts) == 1
    gone = drift(last, traced, setting, weak=citation.weak, plain=plain, single=single)
    gone = as_told(gone, facts.places.get(last, ()))
    if gone is not None and _can_be_missed(last):
        public = _made_public(last, gone, facts)
        if public is not None:
            return public
        is_word = gone.evidence is Evidence.WORD  # as a label or a column may be
        doubt = replace(gone, status=VerdictStatus.UNVERIFIABLE, evidence=None) if is_word else gone
        return _gone_with_its_module(last, gone, facts) or doubt
    owner = _owner_gone(parts[:-1], citation, setting, facts)
    if owner is not None:
        return owner
    page = page_of(last, facts.tree) if len(parts) == 1 and not citation.weak and not called else None
    if page is not None:
        return Verdict(status=VerdictStatus.VALID, target=page)
    if facts.places.get(last):
        return unverifiable(traced, "only comments mention it")
    lost = module_gone(last, facts) if len(parts) == 1 and not citation.weak and may_be_module(last) else None
    if lost is not None:
        return lost
    member = never_a_member(parts, setting, facts)
    if member is not None and (traced is None or traced.whole):
        return member
    return absent(traced)


def _near(parts: list[str], setting: Setting) -> Setting:
    """Return the setting with the owner as its first hint: ``repo.Filter`` is in ``repo/``."""
    if len(parts) < 2:
        return setting
    return replace(setting, hints=(parts[-2], *setting.hints))


def _is_told(parts: list[str], shape: Shape, citation: Citation, facts: Facts, *, called: bool) -> bool:
    """Return whether an occurrence proves something: a name in prose must be defined, or not be a word."""
    last = parts[-1]
    if len(parts) > 1 and all(map(is_lowercase_word, parts)) and not is_beside_its_owner(parts, facts):
        return False
    if not citation.weak or len(parts) > 1 or called or is_upper(last) or "_" in last:
        return True
    return shape in (Shape.DEFINITION, Shape.FIELD) or in_manifest(facts.places.get(last, ())) is not None


def _owner_gone(owners: list[str], citation: Citation, setting: Setting, facts: Facts) -> Verdict | None:
    """Return what happened to the class or module that a name belongs to, if it left the code."""
    for number, owner in reversed(list(enumerate(owners, 1))):
        if not is_unmistakable(owner) or (_as_type(owner) != owner and _stands(_as_type(owner), setting, facts)):
            continue
        if _stands(owner, setting, facts):
            gone = _definition_gone(owner, citation, setting, facts)
        else:
            gone = drift(owner, facts.traced.get(trace_of(owner, citation)), setting, weak=citation.weak)
            gone = as_told(gone, facts.places.get(owner, ()))
        if gone is not None:
            is_vague = gone.evidence is Evidence.REWRITTEN and is_short(".".join(owners[:number]))
            return replace(gone, evidence=Evidence.SHORT_REWRITTEN) if is_vague else gone
    return None


def _taken_over(owner: Verdict, parts: list[str], facts: Facts) -> Verdict:
    """Return *moved* to the one place that defines a member whose ``owner`` is gone, else the verdict on the owner.

    Only in a file that is named much as the owner was: ``GlazeStore.load()`` in ``glaze_db.py``.
    """
    defined = [one for one in facts.places[parts[-1]] if one.shape is Shape.DEFINITION and not is_test(one.path)]
    if owner.status is not VerdictStatus.BROKEN or len(defined) != 1:
        return owner
    stem = stem_of(defined[0].path)
    if not (_words_of(stem) & _words_of(parts[-2])) - _ROLES:
        return owner
    return replace(owner, status=VerdictStatus.MOVED, target=at(defined[0]), reason="what it belonged to is gone")


def _is_type(name: str) -> bool:
    return is_unmistakable(name) or (name[0].isupper() and len(name) > _MIN_LENGTH)


def _is_only_used(name: str, facts: Facts) -> bool:
    """Return whether code uses the name, but neither defines nor imports it, and no file has that name."""
    shapes = {place.shape for place in facts.places.get(name, ())}
    if not shapes or shapes & {Shape.DEFINITION, Shape.FIELD, Shape.IMPORT} or not is_unmistakable(name):
        return False
    # FooBarGenerator.cs may generate FooBar.
    return name not in facts.tree.dirs_by_name and f"\n{name}" not in "\n" + "\n".join(facts.tree.by_stem)


def _definition_gone(name: str, citation: Citation, setting: Setting, facts: Facts) -> Verdict | None:
    """Return *broken* or *moved* if only dead calls are left of a name whose definition was removed."""
    traced = facts.traced.get(trace_of(name, citation))
    if traced is None or not _is_only_used(name, facts) or is_in_cited_file(facts.places.get(name, ()), setting):
        return None
    defined = tuple(one for one in traced.removals if _was_its_place(one, name, facts, weak=citation.weak))
    gone = drift(name, replace(traced, removals=defined), setting, weak=True)
    return as_told(gone, facts.places.get(name, ()))


def _was_its_place(removal: SymbolRemoval, name: str, facts: Facts, *, weak: bool) -> bool:
    """Return whether ``removal`` removed what ``name`` meant: for a name in prose, the file of that name."""
    if removal.shape is not Shape.DEFINITION or is_test(removal.path) or is_upper(name):
        return False
    # Remaining code may define it in a way that is not recognised; tests, data and comments hardly do. But what a
    # compiler reads, a test included, names nothing that is not there: it comes from a library.
    for place in facts.places.get(name, ()):
        is_read = not place.mention and not is_data(place.path)
        if is_read and (is_compiled(place.path) or not is_test(place.path)):
            return False
    return not weak or (stem_of(removal.path) == name and removal.path not in facts.tree.paths)


def _gone_with_its_module(name: str, gone: Verdict, facts: Facts) -> Verdict | None:
    """Return that the one code file named ``name`` was deleted, if the commit by which the name left did that too."""
    former = [path for path in facts.history.by_stem.get(name, ()) if is_code(path) and not is_test(path)]
    events = {path: facts.history.events[path] for path in former}
    files = [path for path, event in events.items() if event.commit == gone.commit and event.renamed_to is None]
    if len(files) != 1 or gone.status is VerdictStatus.MOVED:
        return None
    return replace(gone, reason=f"{files[0]} was deleted", evidence=Evidence.DELETED)


def _is_only_a_file(name: str, facts: Facts) -> bool:
    """Return whether a file is named like the class ``name``, and no code has it."""
    is_class = name[0].isupper() and is_unmistakable(name) and not is_upper(name)
    live = any(one.shape is not Shape.COMMENT for one in facts.places.get(name, ()))
    return is_class and not live and name in facts.tree.by_stem


def _left_its_file(name: str, file: str, citation: Citation, setting: Setting, facts: Facts) -> Verdict | None:
    """Return *moved* or *broken* if the ``file`` that is named like a class once defined it, and no code has it."""
    traced = facts.traced.get(trace_of(name, citation)) if _is_only_a_file(name, facts) else None
    if traced is None:
        return None
    lost = tuple(one for one in traced.removals if one.path == file and one.shape is Shape.DEFINITION)
    return drift(name, replace(traced, removals=lost), setting, weak=True)
