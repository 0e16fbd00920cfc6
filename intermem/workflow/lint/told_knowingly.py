"""What a document says of a thing that was gone already when the line was written: its author may mean another."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from intermem.core.check.blocks import DOUBTFUL, RULE_OF, SpansIn, Unit, citation_findings
from intermem.core.check.findings import Finding
from intermem.core.citations.listed import begins_with
from intermem.core.citations.stance import is_forbidden, is_worded_otherwise, may_last, tells_of_loss
from intermem.core.code.file_types import is_telling, is_telling_page
from intermem.core.markdown.inline import code_spans
from intermem.core.markdown.lines import split_lines
from intermem.entities import Evidence, Judged, Stance, VerdictStatus
from intermem.facts import Tree
from intermem.lazy_dataclass import dataclass
from intermem.patterns import regex
from intermem.project.doc_links import NAMES
from intermem.project.git.file_history import FileHistory
from intermem.workflow.lint.meant_otherwise import means_another, names_in

# What may be another of that name: the line must be older than the commit, and that have left the document alone.
_LEFT_BEHIND = (Evidence.DEFINITION, Evidence.READ, Evidence.FILES, Evidence.NAMESAKE)
_EARNED = (Evidence.TOLD, Evidence.SHORT_REWRITTEN, Evidence.IMPORT)  # by lines that are older than the commit
_LISTED = ("package", "config")  # as manifests and imports have it; a plugin need not be imported
_REWRITTEN = (Evidence.REWRITTEN, Evidence.SHORT_REWRITTEN)
_MOVES = (Evidence.RENAMED, Evidence.FOLDER, Evidence.PACKAGE)
_COMMIT = regex(r"\b[0-9a-f]{7,40}\b")
_NEAR = 40  # characters before a path that say where it is from
_TELLING = 12  # characters of a line that says something
_LEAST = 20  # such lines of a document that may have been written anew
_KEPT = 0.3  # of its lines that stood in it before, at most
_MOST = 20  # citations of a block that its words keep from being missed; with more it is a list of another kind
_BROKEN, _MOVED = RULE_OF[VerdictStatus.BROKEN], RULE_OF[VerdictStatus.MOVED]


def without_known(history: FileHistory, findings: Sequence[Finding], tree: Tree) -> list[Finding]:
    """Return ``findings``, as doubtful those on lines that are as new as the commit which took away what they cite.

    What is in doubt by its evidence alone (``_EARNED``) is not where the line stood there before, and the commit left
    the document as it was.

    Of a line that names this commit, or that the commit itself wrote: it says what was done, what is planned anew,
    or what not to look for; but a document that is new, or written anew, says everything for the first time. Of a
    line that came after a commit which changed its document as well: who took the thing away had the document in
    hand. Of a text that came later: most mean another thing by now (a library, a sample, a path below another
    folder), unless it is the very path, with its folder, of what was deleted or moved, or the telling name of a
    file. So does a line that is new, if it has no more than the name of a file that moved where another has the
    same, or a name of code that has another by now. Of what may be another (``_LEFT_BEHIND``: a definition, a
    folder that was emptied, a file that lay in another place), the line must have stood there before a commit that
    left the document as it was; but for commands and variables of the environment, of which there is hardly
    another. A row of a table that has the new name of a file as well tells what became of it; so does a line that
    says what the folder or the package to which a path went came from. Nor is it sure where a line means another
    thing by its words (``means_another``). A link leads nowhere, whatever its author knew.
    """
    heard = [_heard(one) for one in findings]
    texts = _texts_then(history, heard)
    return [_weighed(one, told, texts, tree) for one, told in zip(findings, heard, strict=True)]


def with_what_was_there(
    history: FileHistory, units: Sequence[Unit], verdicts: Sequence[tuple[Judged, ...]], spans: SpansIn
) -> tuple[tuple[Judged, ...], ...]:
    """Return ``verdicts``, with the unheeded ones on what was there while the text spoke as it does.

    Words that did not mean then that a thing is missing (made, planned, elsewhere, an example) do not mean so now,
    and a path that was that of a file is not that of another which ends like it. But what a line forbids, asks for,
    leaves to a build, or says of each package, it says as truly once the thing is gone.
    """
    heard = {
        (number, at): replace(one, verdict=one.unheeded, unheeded=None)
        for number, judged in enumerate(verdicts)
        if sum(one.unheeded is not None for one in judged) <= _MOST
        for at, one in enumerate(judged)
        if one.unheeded is not None
    }
    findings = {key: citation_findings(units[key[0]], [lost], spans) for key, lost in heard.items()}
    texts = _texts_then(history, (one for found in findings.values() for one in found))
    held = {
        key
        for key, found in findings.items()
        if found and all(_stood_before(one, texts) for one in found) and _is_missed(units[key[0]].text, heard[key])
    }
    return tuple(
        tuple(heard[number, at] if (number, at) in held else one for at, one in enumerate(judged))
        for number, judged in enumerate(verdicts)
    )


@dataclass(frozen=True, slots=True)
class _Then:
    """A document before and after a commit, None where there was none; and what else lay beside it after it.

    ``left_alone`` are those beside it that the commit did not change.
    """

    before: str | None
    after: str | None
    beside: tuple[str, ...]
    left_alone: tuple[str, ...]


def _texts_then(history: FileHistory, findings: Iterable[Finding]) -> dict[tuple[str, str], _Then]:
    """The documents of findings at the commits that took away what they cite, wherever they lay then."""
    asked = {(commit, one.place.file) for one in findings if (commit := _commit_of(one)) is not None}
    here = history.texts((commit, file) for commit, file in asked)
    moved = history.former_names(sorted({file for commit, file in asked - here.keys()}))
    there = history.texts((commit, name) for commit, file in asked - here.keys() for name in moved[file])
    names = {
        (commit, file): next((name for name in moved.get(file, ()) if (commit, name) in there), file)
        for commit, file in asked
    }
    sisters = {key: _sisters(name) for key, name in names.items()}
    rest = history.texts(
        place
        for (commit, file), name in names.items()
        for place in (
            (f"{commit}^", name),
            *((at, sister) for sister in sisters[commit, file] for at in (commit, f"{commit}^")),
        )
    )
    made = [key for key, name in names.items() if (f"{key[0]}^", name) not in rest and key in here]
    formerly = history.former_names(sorted({file for _, file in made}))
    older = {(commit, file): formerly[file] for commit, file in made}
    rest |= history.texts((f"{commit}^", name) for (commit, _), former in older.items() for name in former)
    was = {
        key: next((name for name in former if (f"{key[0]}^", name) in rest), names[key])
        for key, former in older.items()
    }
    return {
        (commit, file): _Then(
            before=rest.get((f"{commit}^", was.get((commit, file), name))),
            after=here.get((commit, file), there.get((commit, name))),
            beside=tuple(rest[commit, one] for one in sisters[commit, file] if (commit, one) in rest),
            left_alone=tuple(
                rest[commit, one]
                for one in sisters[commit, file]
                if (commit, one) in rest and rest[commit, one] == rest.get((f"{commit}^", one))
            ),
        )
        for (commit, file), name in names.items()
    }


def _sisters(file: str) -> list[str]:
    """The documents beside ``file`` that may have had its text."""
    beside = (posixpath.join(posixpath.dirname(file), name) for name in NAMES)
    return [name for name in beside if name != file]


def _heard(one: Finding) -> Finding:
    """Return a finding whose evidence is in doubt unless its line is older than the commit, as if it were not."""
    if one.rule is not DOUBTFUL or one.judged is None or one.judged.verdict.evidence not in _EARNED:
        return one
    if one.judged.verdict.evidence is Evidence.IMPORT and one.judged.citation.kind not in _LISTED:
        return one
    return replace(one, rule=RULE_OF[one.judged.verdict.status])


def _weighed(one: Finding, heard: Finding, texts: Mapping[tuple[str, str], _Then], tree: Tree) -> Finding:
    if one is not heard and not _was_left_alone(heard, texts):
        return one
    return replace(heard, rule=DOUBTFUL) if _is_known(heard, texts, tree) else heard


def _was_left_alone(one: Finding, texts: Mapping[tuple[str, str], _Then]) -> bool:
    """Whether the lines stood in their document before a commit that left it as it was."""
    commit = _commit_of(one)
    if commit is None:
        return False
    document = texts[commit, one.place.file]
    if document.before is None or document.before != document.after or not _holds(document.before, one):
        return False
    assert one.judged is not None
    source = _spaced(one.source)
    paragraphs = (part for part in _paragraphs(document.before) if source in _spaced(part))
    return not any(is_forbidden(_BRACKETS.sub("", part), one.judged.citation.text) for part in paragraphs)


def _commit_of(one: Finding) -> str | None:
    return one.judged.verdict.commit if one.judged is not None and one.rule in (_BROKEN, _MOVED) else None


def _is_known(one: Finding, texts: Mapping[tuple[str, str], _Then], tree: Tree) -> bool:
    commit = _commit_of(one)
    if commit is None or one.judged is None or one.judged.citation.link:
        return False
    if any(commit.startswith(cited[0]) for cited in _COMMIT.finditer(one.source)):
        return True  # "in history before 3f2a9c1"
    if (one.rule is _MOVED and (_says_where(one) or _names_new_place(one))) or means_another(one, tree):
        return True
    document = texts[commit, one.place.file]
    before, after = document.before, document.after
    then = [text for text in (after, *document.beside) if text is not None]
    is_new = not any(_spaced(line) in _spaced(text) for text in then for line in one.source.split("\n"))
    was_in_hand = before is not None and after is not None and before != after
    if is_new and was_in_hand:
        return True
    if one.judged.verdict.evidence in _LEFT_BEHIND:
        stood = any(_holds(text, one) for text in (before, *document.left_alone))
        return was_in_hand or not (stood or _means_no_other(one.judged, one.source))
    if not any(one.judged.citation.text in text for text in then):
        if one.judged.citation.stance is Stance.EXAMPLE:
            return True
        return not (_is_very_path(one.judged) or _is_telling_path(one.judged)) or _is_wrapped(one.judged)
    is_rewritten = one.judged.verdict.evidence in _REWRITTEN
    if is_new and (_is_name_of_others(one.judged, tree) or is_rewritten):
        return True
    if (one.rule is _MOVED and not is_rewritten) or before is None or after is None:
        return False
    old, new = _lines(before), _lines(after)
    if _is_written_anew(old, new):
        return False
    return all(line in new and line not in old for line in one.source.split("\n"))


def _is_written_anew(old: frozenset[str], new: frozenset[str]) -> bool:
    """Whether hardly any line of a document stood in it before, or is left: it says everything for the first time."""
    sides = [[line for line in side if len(line.strip()) > _TELLING] for side in (old, new)]
    kept = sum(line in old for line in sides[1])
    return len(sides[1]) >= _LEAST and all(kept <= _KEPT * len(side) for side in sides)


def _is_missed(text: str, judged: Judged) -> bool:
    """Whether what ``text`` says of a thing is no longer true once that is gone."""
    cited = judged.citation
    if cited.kind == "path" and "/" not in cited.name and not begins_with(text, cited.text):
        return False  # somebody may look for it by its name
    if tells_of_loss(text, cited.text) or may_last(text, cited.text):
        return False
    return cited.stance is Stance.PLAIN or is_worded_otherwise(text, cited.text)


def _stood_before(one: Finding, texts: Mapping[tuple[str, str], _Then]) -> bool:
    commit = _commit_of(one)
    return commit is not None and _holds(texts[commit, one.place.file].before, one)


def _says_where(one: Finding) -> bool:
    """Whether the row of a table has the new name of a file, or its end, in one cell, and the old one in another."""
    assert one.judged is not None
    cited, target = one.judged.citation, one.judged.verdict.target or ""
    if one.judged.verdict.evidence is not Evidence.RENAMED or not one.source.lstrip().startswith("|"):
        return False
    cells = [{name.partition("::")[0] for name in names_in(cell)} for cell in one.source.split("|")]
    other = {name for cell in cells if cited.text not in cell for name in cell}
    return any(cited.text in cell for cell in cells) and any(
        target == name or (target.endswith(f"/{name}") and name != cited.text) for name in other
    )


_ORIGIN = regex(
    r"(?:[(（]\s?(?:from|was|formerly|ex|de|do|da|aus|von|vorher|früher|dal?|antes|из)\s|\b(?:from|was|were|formerly|previously)\s"
    r"|[(（]\s?(?:从|自|原|旧))[`\"']?\Z",
    re.IGNORECASE,
)


def _names_new_place(one: Finding) -> bool:
    """Whether the line says that the folder or package that a path went to came from it: "`kiln` (from `api/a.py`)"."""
    assert one.judged is not None
    cited, target = one.judged.citation, one.judged.verdict.target or ""
    at = one.source.find(cited.text)
    if one.judged.verdict.evidence not in _MOVES or "/" not in cited.name or at < 0:
        return False
    if _ORIGIN.search(one.source, max(0, at - _NEAR), at) is None:
        return False
    former, folders = set(cited.name.split("/")), target.split("/")[:-1]
    for name in _code_of(one.source):
        last = name.rpartition("/")[2]
        folder = name if "." not in last else posixpath.dirname(name)
        is_package = last in folders and last not in former and ("-" in last or "_" in last)
        is_folder = "/" in folder and target.startswith(f"{folder}/") and not cited.name.startswith(f"{folder}/")
        if name != cited.text and (is_package or is_folder):
            return True
    return False


@lru_cache(maxsize=16)
def _code_of(source: str) -> tuple[str, ...]:
    return tuple(span.text.strip().rstrip("/") for span in code_spans(source))


def _holds(text: str | None, one: Finding) -> bool:
    """Whether every line of what is cited stood in ``text``."""
    return text is not None and all(_spaced(line) in _spaced(text) for line in one.source.split("\n"))


@lru_cache(maxsize=16)
def _lines(text: str) -> frozenset[str]:
    return frozenset(split_lines(text))


@lru_cache(maxsize=16)
def _paragraphs(text: str) -> tuple[str, ...]:
    return tuple(text.replace("\r\n", "\n").split("\n\n"))


@lru_cache(maxsize=4096)
def _spaced(text: str) -> str:
    """Return ``text`` with one blank between words: a table whose columns were drawn anew is no new text."""
    return " ".join(text.split())


def _is_very_path(judged: Judged) -> bool:
    """Whether it is the path of a file or folder that a commit deleted or moved, and not its name alone."""
    cited, evidence = judged.citation, judged.verdict.evidence
    is_whole = cited.text.rstrip().endswith("/") or "." in posixpath.basename(cited.name)
    return "/" in cited.text and (evidence is Evidence.DELETED or (evidence in _MOVES and is_whole))


def _is_telling_path(judged: Judged) -> bool:
    """Whether a commit deleted the file that is cited, and hardly another has its name."""
    cited, evidence = judged.citation, judged.verdict.evidence
    name = posixpath.basename(cited.name)
    if cited.kind != "path" or cited.weak:
        return False
    return evidence is Evidence.DELETED and (is_telling(name) or is_telling_page(name))


_BRACKETS = regex(r"\([^()\n]{0,200}\)")  # what these say ends no clause
# What a library reads by itself, whoever does not any more.
_OF_LIBRARIES = regex(r"(?:^|_)(?:KEY(?:_ID)?|TOKEN|SECRET|DATABASE_URL|REGION|PROFILE|ENDPOINT)$")
# A line that says what is not so may say it of the thing.
_DENIES = regex(
    r"\b(?:not|no|never|without|\w+n['’]t|nicht|kein\w*|ohne|pas|sans|non|não|sem|sin|nie|bez|без|не|нет)\b|[不无無没沒非]|ない|없|않",
    re.IGNORECASE,
)


def _means_no_other(judged: Judged, source: str) -> bool:
    """Whether it is a command, or a variable of the environment that no library reads."""
    cited, evidence = judged.citation, judged.verdict.evidence
    if _DENIES.search(source) is not None:
        return False
    if cited.kind == "env" and evidence is Evidence.READ and _OF_LIBRARIES.search(cited.name) is not None:
        return False
    return cited.kind in ("command", "env") and not cited.weak


def _is_name_of_others(judged: Judged, tree: Tree) -> bool:
    """Whether it is the name alone of a file that moved, and others have that name: a new line may mean one of them."""
    cited = judged.citation
    others = set(tree.by_name.get(cited.name, ())) - {judged.verdict.target}
    return cited.kind == "path" and bool(others) and judged.verdict.evidence in _MOVES


def _is_wrapped(judged: Judged) -> bool:
    """Whether a folder was put around what is cited, or in its name: ``src/a.py`` is in ``web/src`` or ``Web.src``."""
    name = judged.citation.name
    return "/" in name and (judged.verdict.target or "").endswith((f"/{name}", f".{name}"))
