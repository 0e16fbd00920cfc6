"""Fill the second tier: topic files, and the lines of the first document that name them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from intermem.core.entries.secrets import secret_rule
from intermem.core.lifecycle.gates import Limits, Refusal
from intermem.core.lifecycle.promotion import Candidate, Promotions, plan_promotions
from intermem.core.region.place import place_region
from intermem.core.region.pointers import titles_of, with_pointers
from intermem.core.region.topic_files import is_topic_file, topic_file
from intermem.core.worth.standing import is_rule
from intermem.entities import Record
from intermem.errors import IntermemError, UsageError
from intermem.project.documents import Document, Documents, new_topic_file
from intermem.workflow.edits import Edit, document_edit
from intermem.workflow.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Filling:
    """What goes into the documents of both tiers: the edits, what is promoted, and where what is not in the first."""

    edits: tuple[Edit, ...]
    promoted: tuple[Candidate, ...]
    refused: tuple[tuple[Record, Refusal], ...]
    places: Mapping[str, str]


def fill_tiers(
    workspace: Workspace,
    documents: Documents,
    target: Document,
    text: str,
    passed: Sequence[Candidate],
    limits: Limits,
    tier: int | None,
) -> Filling:
    """Plan what goes into ``target``, which has ``text`` by now, and what into the topic file of its section.

    That is everything with ``tier`` 2, nothing with 1. Without, if ``tiers`` is set, the facts that find no room in the
    region: rules stay in the first tier, and are refused where it has no room. Raises UsageError for a second tier that
    is switched off.
    """
    has_tiers = workspace.config.flag("tiers") and target.tier == 1
    if tier == 2 and not has_tiers:
        raise UsageError("the second tier is off", hint="tiers = true in intermem.toml switches it on")
    first = Promotions(text) if tier == 2 else plan_promotions(passed, text, target.name, limits, secret_rule)
    by_id = {one.record.id: one for one in passed}
    over = [by_id[record.id] for record, why in first.refused if why.gate == "budget"]
    going = list(passed) if tier == 2 else [one for one in over if not is_rule(one.text) and one.replaces is None]
    if tier == 1 or not has_tiers:
        going = []
    left = limits.entries - len(first.promoted) if limits.entries else 0
    if limits.entries and left <= 0:
        going = []
    second = _into_topics(workspace, documents, going, replace(limits, entries=left))
    texts = {name: text for name, (_, text) in second.texts.items()}
    promoted = (*first.promoted, *second.promoted)
    moved = {one.record.id for one in going}
    refused = [(record, _with_way(why, has_tiers)) for record, why in first.refused if record.id not in moved]
    edits = [document_edit(document, text) for document, text in second.texts.values()]
    if promoted:
        after = with_topics(target, first.text, texts) if texts else first.text
        if after != target.text:
            edits.insert(0, document_edit(target, after))
    return Filling(tuple(edits), promoted, (*refused, *second.refused), second.places)


def with_topics(target: Document, text: str, written: Mapping[str, str]) -> str:
    """Return the ``text`` of the target with a line for each ``written`` topic file, and none for those left empty."""
    titles = titles_of(written)
    return with_pointers(text, target.name, titles, written.keys() - titles.keys())


def without_lost_topics(
    documents: Documents, texts: Mapping[str, tuple[Document, str]]
) -> Mapping[str, tuple[Document, str]]:
    """Return the new ``texts`` of documents, and that of the target without the lines of topic files left empty."""
    topics = {name: text for name, (_, text) in texts.items() if is_topic_file(name)}
    emptied = topics.keys() - titles_of(topics).keys()
    target = documents.target
    if not emptied or target is None or target.region is None:
        return texts
    document, text = texts.get(target.name, (target, target.text))
    try:
        after = with_pointers(text, target.name, {}, emptied)
    except IntermemError:
        return texts  # its line stays, and leads to an empty file
    return {**texts, target.name: (document, after)} if after != target.text else texts


def topic_document(workspace: Workspace, documents: Documents, section: str) -> Document:
    """Return the topic file for a section, as it is or new. Raises DocumentRefused where it is somebody's own page."""
    name = topic_file(section)
    known = documents.named(name)
    return known if known is not None else new_topic_file(workspace.root, name)


@dataclass(slots=True)
class _Topics:
    texts: dict[str, tuple[Document, str]]
    promoted: list[Candidate]
    refused: list[tuple[Record, Refusal]]
    places: dict[str, str]


def _into_topics(workspace: Workspace, documents: Documents, going: Sequence[Candidate], limits: Limits) -> _Topics:
    found = _Topics({}, [], [], {})
    groups: dict[str, list[Candidate]] = {}
    for one in going:
        groups.setdefault(topic_file(one.section), []).append(one)
    for name, group in sorted(groups.items()):
        left = limits.entries - len(found.promoted) if limits.entries else 0
        if limits.entries and left <= 0:
            why = Refusal(gate="limit", reason="this run's limit is reached (promote.limit)")
            found.refused += [(one.record, why) for one in group]
            continue
        try:
            document = topic_document(workspace, documents, group[0].section)
            text = document.text if document.region is not None else place_region(document.text, name)
        except IntermemError as error:
            found.refused += [(one.record, Refusal(gate="unsafe", reason=error.message)) for one in group]
            continue
        plan = plan_promotions(group, text, name, replace(limits, entries=left), secret_rule)
        found.refused += plan.refused
        if plan.promoted:
            found.texts[name] = document, plan.text
            found.promoted += plan.promoted
            found.places |= {one.record.id: name for one in plan.promoted}
    return found


def _with_way(why: Refusal, has_tiers: bool) -> Refusal:
    """The refusal of a rule that found no room, with the way to make some."""
    if why.gate != "budget" or not has_tiers:
        return why
    return replace(why, reason=f"{why.reason}; intermem migrate makes room for rules")
