"""``migrate``: move the facts of the first tier into topic files; rules stay where every session reads them."""

from __future__ import annotations

from dataclasses import replace

from intermem.core.lifecycle.promotion import plan_demotions
from intermem.core.region.edit import Addition, edited
from intermem.core.region.parse import Item, find_region
from intermem.core.region.place import new_page
from intermem.core.region.topic_files import is_topic_file
from intermem.core.worth.standing import is_rule
from intermem.entities import HistoryRow
from intermem.errors import IntermemError, NoDocument
from intermem.project.documents import Document
from intermem.results.decide import DecisionResult
from intermem.workflow.changeset import ChangeSet, run_changeset
from intermem.workflow.decision import decision_on
from intermem.workflow.run_mode import RunMode
from intermem.workflow.tiers import movable, require_second_tier, topic_document, topic_home, topic_regions
from intermem.workflow.workspace import Workspace


def migrate(workspace: Workspace, mode: RunMode, *, yes: bool) -> DecisionResult:
    """Move each fact below a heading of the first document's region into the topic file of that heading.

    A preview unless ``yes``. What is no entry on record stays, as does what is pinned. Exit code 1 if nothing moves, or
    if one cannot. Raises UsageError where the second tier is off, NoDocument without a region.
    """
    require_second_tier(workspace)
    waits = not yes and not mode.dry
    mode = mode.dry_if(waits)
    places: dict[str, str] = {}

    def collect(changeset: ChangeSet) -> None:
        target = changeset.state.documents.target
        if target is None or target.region is None:
            raise NoDocument("no document has a region; nothing was written", hint="intermem init adds one")
        for item in movable(workspace, changeset.state):
            _move(workspace, changeset, target, item, places)

    plan, notices = run_changeset(workspace, "migrate", collect, mode)
    told = ["nothing was written: add --yes to move them"] if waits and places else []
    return decision_on(plan, mode, "migrate", "moved", documents=places, notices=(*notices, *told))


def _move(workspace: Workspace, changeset: ChangeSet, target: Document, item: Item, places: dict[str, str]) -> None:
    key, record = item.id, changeset.state.records[item.id]
    try:
        documents, texts = changeset.state.documents, changeset.texts
        moved = {name: find_region(text, name) for name, text in texts.items() if is_topic_file(name)}
        regions = topic_regions(documents) | {name: region for name, region in moved.items() if region is not None}
        topic = topic_document(workspace, documents, topic_home(documents, item.section, regions))
        if topic.name not in changeset.texts:
            whole = new_page() if topic.is_new else topic.text
            changeset.documents[topic.name] = topic
        else:
            whole = changeset.texts[topic.name]
        filled = edited(whole, topic.name, add=[Addition(item.text, item.section)], leads=is_rule)
        left, stuck = plan_demotions(changeset.text_of(target), target.name, [key])
        if stuck:
            raise stuck[key]
    except IntermemError as error:
        changeset.refuse(record, "unsafe", error.message)
        return
    changeset.texts[topic.name], changeset.texts[target.name] = filled, left
    changeset.changed[key] = replace(record, document=topic.name)
    detail = f"from {target.name} into {topic.name}"
    changeset.rows.append(HistoryRow(at=workspace.now, event="moved", entry_id=key, detail=detail))
    places[key] = topic.name
