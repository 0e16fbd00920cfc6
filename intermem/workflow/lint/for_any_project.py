"""Documents for any project: skills, templates, and the samples of rules. What they show is rarely of this one."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from intermem.core.check.blocks import DOUBTFUL, RULE_OF
from intermem.core.check.findings import Finding
from intermem.core.code.continuous_integration import is_of_pipeline
from intermem.core.code.file_types import folders_with_code
from intermem.core.markdown.blocks import BOM
from intermem.core.markdown.inline import fence_spans
from intermem.core.markdown.lines import split_lines
from intermem.entities import Evidence, Judged
from intermem.facts import Tree
from intermem.patterns import regex
from intermem.project.doc_links import is_rule
from intermem.project.git.answers import folders_above

_SKILL = "SKILL.md"
_NAMES = ("symbol", "tooling")  # what libraries have as well, and versions of them
_SHELLS = frozenset({"sh", "bash", "zsh", "fish", "ps1", "bat", "cmd"})
_LEFT_A_LIST = regex(r"(?:it was )?removed from (?P<file>.+)")
_LISTED = ("symbol", "package", "config")
_ALARMS = frozenset(RULE_OF.values())
# Folders whose documents are copied into other projects, where their paths lead somewhere.
_TEMPLATES = regex(
    r"(?:.*[-_.])?(?:templates?|boilerplates?|scaffold(?:s|ing)?|cookiecutters?|archetypes?|vorlagen?|plantillas?|modèles)|\{\{.*\}\}"
)


# Folders with what others wrote, their documents among it.
_VENDORED = frozenset({"vendor", "third_party", "third-party", "node_modules", "bower_components", "pods"})


def without_samples(findings: Sequence[Finding], texts: Mapping[str, str], tree: Tree) -> list[Finding]:
    """Return ``findings``, as doubtful those on what sample code of a rule has, and of a page of a skill also on names.

    A rule shows how code is to be written, with whatever names are at hand. A skill is a folder with a SKILL.md; its
    packages and versions are anybody's as well. And those on anything in a document of others (``vendor/``), or in a
    template of one (``templates/CLAUDE.md``), which has no code beside it: its paths are of the project that it is
    copied into. Where it has, those on what moved out of a folder that the repository has no more, and that was not
    below the one that is copied. So are, in any document, those on what no list has any more because that was deleted.
    """
    return [replace(one, rule=DOUBTFUL) if _is_for_any(one, texts, tree) else one for one in findings]


def _is_for_any(one: Finding, texts: Mapping[str, str], tree: Tree) -> bool:
    if one.rule not in _ALARMS or one.judged is None:
        return False
    cited, file = one.judged.citation, one.place.file
    if _left_with_its_list(one.judged, tree):
        return True
    if _is_of_template(file, one.judged, tree) or not _VENDORED.isdisjoint(file.lower().split("/")[:-1]):
        return True
    if is_rule(file) and any(one.place.first_line in lines for lines in _samples_in(texts[file])):
        return True
    return (cited.kind in _NAMES or cited.weak or one.judged.verdict.evidence is Evidence.IMPORT) and _is_of_skill(
        file, tree
    )


def _left_with_its_list(judged: Judged, tree: Tree) -> bool:
    """Whether a name left with the manifest, or the file of data, that had it: it may be a library's, or a program's.

    A setting that is cited with its value is gone, and so is a job with the file of its pipeline.
    """
    left, cited = _LEFT_A_LIST.fullmatch(judged.verdict.reason), judged.citation
    if left is None or cited.kind not in _LISTED or (cited.kind == "config" and cited.text != cited.name):
        return False
    return left["file"] not in tree.paths and not is_of_pipeline(left["file"])


@lru_cache(maxsize=16)
def _samples_in(text: str) -> tuple[range, ...]:
    """The lines (from 1) of the sample code of a document, not of commands."""
    from intermem.core.citations.extract import language_at  # heavy: the kinds of citations

    whole = "\n".join(split_lines(text.removeprefix(BOM)))
    shown = (one for one in fence_spans(whole) if language_at(whole, one.start) not in ("", *_SHELLS))
    return tuple(range(whole.count("\n", 0, one.start) + 1, whole.count("\n", 0, one.stop) + 2) for one in shown)


def _is_of_template(file: str, judged: Judged, tree: Tree) -> bool:
    """Whether ``file`` is a template, and what it cites is nothing of this repository, nor copied with it."""
    folder = posixpath.dirname(file)
    parts = folder.split("/")
    number = next((at for at, part in enumerate(parts) if _TEMPLATES.fullmatch(part.lower())), None)
    if number is None:
        return False
    if folder not in folders_with_code(tree.paths):
        return True
    was = judged.verdict.origin
    copied = ["/".join(parts[: number + depth]) for depth in (1, 2)]  # web-template, templates/starter
    if was is None or any(was.startswith(f"{one}/") for one in copied):
        return False
    return "/" in was and was.partition("/")[0] not in tree.dirs


def _is_of_skill(file: str, tree: Tree) -> bool:
    return any(posixpath.join(folder, _SKILL) in tree.paths for folder in folders_above(file))
