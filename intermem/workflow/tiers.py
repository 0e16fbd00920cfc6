"""Fill the second tier: topic files, and the lines of the first document that name them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace

from intermem.core.entries.secrets import secret_rule
from intermem.core.lifecycle.gates import Limits, Refusal
from intermem.core.lifecycle.promotion import Candidate, Draft, draft_of, known_texts, refusal_in
from intermem.core.region.parse import Item, Region, find_region
from intermem.core.region.place import new_page
from intermem.core.region.pointers import labels_of, titles_of, with_pointers
from intermem.core.region.topic_files import is_topic_file
from intermem.core.region.topic_home import home_of
from intermem.core.worth.standing import is_rule
from intermem.core.worth.topics import topic_of
from intermem.entities import TIER_FOLDER, Record
from intermem.errors import DocumentRefused, IntermemError, UsageError
from intermem.lazy_dataclass import dataclass
from intermem.project.documents import Document, Documents, new_topic_file
from intermem.workflow.branch_state import BranchState, load_lineage
from intermem.workflow.edits import Edit, document_edit
from intermem.workflow.lost_regions import is_deleted_topic, is_ignored_topic
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
    state: BranchState,
    target: Document,
    text: str,
    passed: Sequence[Candidate],
    limits: Limits,
    tier: int | None,
) -> Filling:
    """Plan what goes into ``target``, which has ``text`` by now, and what into the topic file of its section.

    That is everything with ``tier`` 2, nothing with 1. Without, if ``tiers`` is set, the facts that find no room in the
    region, and those of a section that has a topic file: rules stay in the first tier, get its room before facts, and
    are refused where it has none. The facts of one section all go the same way. Raises UsageError for a second tier
    that is switched off.
    """
    if tier == 2:
        require_second_tier(workspace)
    has_tiers = workspace.config.flag("tiers") and target.tier == 1
    order = _Order(passed, tier, moves=has_tiers and tier != 1)
    while True:
        first = draft_of(text, target.name, limits, [])
        run = _Run(workspace, state.documents, target, limits, first, topic_regions(state.documents))
        refused = _filled(run, order)
        if not order.is_improved_by(run, refused):
            break
    if has_tiers and target is state.documents.target and (movable(workspace, state) or run.movable):
        refused = [(one, why if _is_fact(one) else _with_way(why)) for one, why in refused]
    texts = {name: (document, draft.text) for name, (document, draft) in run.grown.items()}
    if run.first.promoted:
        texts[target.name] = target, run.first.text
    edits = [document_edit(*pair) for _, pair in sorted(with_topic_lines(workspace, state, texts).items())]
    changed = tuple(edit for edit in edits if edit.after != edit.before)
    return Filling(changed, tuple(run.first.promoted), tuple((one.record, why) for one, why in refused), run.places)


@dataclass(slots=True)
class _Order:
    """In which order candidates get the room of the first document, best first, and which of them want none.

    Ids of records: ``ahead`` are rules that get it before all facts, ``apart`` facts that go into their topic file.
    """

    passed: Sequence[Candidate]
    tier: int | None
    moves: bool
    ahead: set[str] = field(default_factory=set)
    apart: set[str] = field(default_factory=set)

    def __iter__(self) -> Iterator[Candidate]:
        return iter(sorted(self.passed, key=lambda one: one.record.id not in self.ahead))

    def is_improved_by(self, run: _Run, refused: Sequence[tuple[Candidate, Refusal]]) -> bool:
        """Learn from a run in which facts took the room of rules, or a section was split over both tiers."""
        facts = [one for one in run.in_first if _is_fact(one)]
        if not (self.moves and facts):
            return False
        without = [one for one, why in refused if why.gate == "budget"]
        ahead = {one.record.id for one in (*without, *run.in_first) if not _is_fact(one)} if without else set()
        filled = set(run.places.values())
        apart = {one.record.id for one in facts if one.section and run.home_of(one) in filled}
        if ahead <= self.ahead and apart <= self.apart:
            return False
        self.ahead |= ahead
        self.apart |= apart
        return True


def _filled(run: _Run, order: _Order) -> list[tuple[Candidate, Refusal]]:
    """Add the candidates to the drafts of a run, and return those that are refused."""
    refused: list[tuple[Candidate, Refusal]] = []
    for one in order:
        is_apart = one.record.id in order.apart or _has_area(run, one, order.moves)
        is_second = order.tier == 2 or (order.tier != 1 and is_apart)
        why = None if is_second else run.refusal_in_first(one)
        if is_second or (why is not None and why.gate == "budget" and order.moves and _is_fact(one)):
            why = run.refusal_in_topic(one)
        if why is not None:
            refused.append((one, why))
    return refused


def require_second_tier(workspace: Workspace) -> None:
    """Raise UsageError where the second tier is off: no new entries go into topic files."""
    if not workspace.config.flag("tiers"):
        raise UsageError("the second tier is off", hint="tiers = true in intermem.toml switches it on")


def _entries_beside(documents: Documents, one: Document) -> dict[str, Sequence[str]]:
    """Return what the other documents say: all that every session loads, and the entries of topic files."""
    others = [other for other in documents.found if other is not one]
    loaded: dict[str, Sequence[str]] = {other.name: known_texts(other.text) for other in others if other.tier == 1}
    apart = [other for other in others if other.tier > 1 and other.region is not None]
    return loaded | {other.name: [item.text for item in other.region.items] for other in apart if other.region}


def _is_fact(one: Candidate) -> bool:
    return not is_rule(one.text) and one.replaces is None


def _has_area(run: _Run, one: Candidate, moves: bool) -> bool:
    """Return whether a note goes with others of its area: its former wording is there, or it is a fact that may."""
    if one.replaces is not None:
        return is_topic_file(one.replaces.document or "")
    return moves and bool(one.section) and _is_fact(one) and run.home_of(one) in run.regions


def movable(workspace: Workspace, state: BranchState) -> list[Item]:
    """Return what ``migrate`` moves: the facts on record below a heading of the first document, but for pinned ones."""
    target = state.documents.target
    found: list[Item] = []
    for item in target.region.items if target is not None and target.region is not None else ():
        record = state.records.get(item.id)
        is_here = record is not None and target is not None and record.document == target.name
        if item.section and not is_rule(item.text) and is_here and record and not record.is_pinned(workspace.now):
            found.append(item)
    return found


def topic_regions(documents: Documents) -> dict[str, Region]:
    """Return the regions of the topic files, by name."""
    return {one.name: one.region for one in documents.found if one.tier > 1 and one.region is not None}


def topic_home(documents: Documents, section: str, regions: Mapping[str, Region]) -> str:
    """Return the topic file that facts of a section go into, the ``regions`` of topic files being what they are now.

    A heading that is no topic, such as a long one, names no new file: its facts go where those without a section are.
    """
    target = documents.target
    labels = labels_of(target.region) if target is not None and target.region is not None else {}
    home = home_of(section, regions, labels)
    return home if home in regions or topic_of((section,)) else home_of("", regions, labels)


def with_topic_lines(
    workspace: Workspace, state: BranchState, texts: Mapping[str, tuple[Document, str]]
) -> Mapping[str, tuple[Document, str]]:
    """Return the new ``texts`` of documents, and that of the first with the lines of topic files that it should have.

    A file that got entries has one, as does one that a person gave another name; one that was left empty, in this run
    or by hand, or that a person deleted, has none. Raises EditRefused if the line of a file that got entries cannot be
    written.
    """
    first = _with_region(state.documents.target, texts)
    if first is None:
        return texts
    target, text, region = first
    topics = {name: text for name, (_, text) in texts.items() if is_topic_file(name)}
    filled = titles_of(topics)
    before = {one.name: one for one in state.documents.found if one.tier > target.tier}
    over = (topics.keys() - filled.keys()) | emptied_by_hand(workspace, state, region) - topics.keys()
    named = region.topic_files
    grown = {name: title for name, title in filled.items() if _has_grown(topics[name], name, before.get(name))}
    wanted = dict(grown)
    if any(name not in before for name in over):
        wanted |= titles_of(
            {name: one.text for name, one in before.items() if name not in named and name not in topics}
        )
    if not (over or wanted):
        return texts
    try:
        after = with_pointers(text, target.name, wanted, over)
    except IntermemError:
        if grown:
            raise
        return texts  # a line stays, and leads to an empty file
    return {**texts, target.name: (target, after)} if after != target.text else texts


def _with_region(
    target: Document | None, texts: Mapping[str, tuple[Document, str]]
) -> tuple[Document, str, Region] | None:
    """Return the document that names the topic files, with its new text: the target, or one that got its region now."""
    known = [(target, target.text)] if target is not None and target.name not in texts else []
    others = (pair for pair in texts.values() if pair[0].tier == 1)
    for document, text in (*known, *sorted(others, key=lambda pair: pair[0] is not target)):
        region = find_region(text, document.name)
        if region is not None:
            return document, text, region
    return None


def _has_grown(text: str, name: str, before: Document | None) -> bool:
    """Return whether a topic file has an entry that it did not have."""
    region = find_region(text, name)
    had = before.region.ids if before is not None and before.region is not None else ()
    return region is not None and not set(region.ids) <= set(had)


def _has_items(document: Document | None) -> bool:
    return document is not None and document.region is not None and bool(document.region.items)


def emptied_by_hand(workspace: Workspace, state: BranchState, region: Region) -> set[str]:
    """Return the topic files that the region names, that had entries, and that have none now: a person's doing.

    The ledger says which had some, or the history of what it does not know.
    """
    awaited = {document for _, document in state.reconciliation.missing} | state.branch.unread
    found = {one.name: one for one in state.documents.found}
    empty = {
        name
        for name in region.topic_files - awaited
        if (name in found and not _has_items(found[name])) or is_deleted_topic(workspace, name)
    }
    had = {line.document for line in state.ledger.lines.values()} if state.ledger is not None else set()
    if empty <= had or workspace.worktree is None:
        return empty & had
    lineage, prefix = load_lineage(workspace, state), workspace.worktree.prefix
    return {name for name in empty if name in had or lineage.had_entries(prefix + name)}


def topic_document(workspace: Workspace, documents: Documents, name: str) -> Document:
    """Return the topic file ``name``, as it is or new.

    Raises DocumentRefused where it is somebody's own page, or ignored by git: no colleague would have its entries.
    """
    if is_ignored_topic(workspace, name):
        hint = f"topic files are committed with the documents, so git must not ignore {TIER_FOLDER}/"
        raise DocumentRefused(f"{name} is ignored by git", hint=hint)
    known = documents.named(name)
    return known if known is not None else new_topic_file(workspace.root, name)


def with_unnamed_topics(documents: Documents, target: Document, text: str, over: Collection[str] = ()) -> str:
    """Return the ``text`` of the target with a line for each topic file that has none, without those of ``over``."""
    names = set(documents.unnamed_topics)
    titles = titles_of({one.name: one.text for one in documents.found if one.name in names})
    return with_pointers(text, target.name, titles, over) if titles or over else text


@dataclass(slots=True)
class _Run:
    """A run of promotions: the drafts of its documents, which share one limit, and where what is not in the first."""

    workspace: Workspace
    documents: Documents
    target: Document
    limits: Limits
    first: Draft
    regions: dict[str, Region]
    topics: dict[str, tuple[Document, Draft] | Refusal] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)

    @property
    def grown(self) -> dict[str, tuple[Document, Draft]]:
        """The topic files that something goes into, by name."""
        filled = set(self.places.values())
        return {
            name: found for name, found in sorted(self.topics.items()) if name in filled and isinstance(found, tuple)
        }

    @property
    def in_first(self) -> list[Candidate]:
        """What goes into the first document."""
        return [one for one in self.first.promoted if one.record.id not in self.places]

    @property
    def movable(self) -> bool:
        """True if ``migrate`` would move something that goes into the first document."""
        return any(one.section and _is_fact(one) for one in self.in_first)

    def home_of(self, one: Candidate) -> str:
        """Return the topic file that a note goes into."""
        former = one.replaces.document if one.replaces is not None else None
        is_there = former is not None and is_topic_file(former)
        return former if former and is_there else topic_home(self.documents, one.section, self.regions)

    def refusal_in_first(self, one: Candidate) -> Refusal | None:
        """Add a candidate to the first document and return None, or return why not."""
        beside = _entries_beside(self.documents, self.target)
        beside |= {name: draft.known for name, (_, draft) in self.grown.items()}
        return refusal_in(self.first, one, secret_rule, beside)

    def refusal_in_topic(self, one: Candidate) -> Refusal | None:
        """Add a candidate to its topic file and return None, or return why not."""
        name = self.home_of(one)
        if name not in self.topics:
            self.topics[name] = self._topic(name)
        found = self.topics[name]
        if isinstance(found, Refusal):
            return found
        document, draft = found
        beside = {**_entries_beside(self.documents, document), self.first.name: self.first.known}
        beside |= {other: grown.known for other, (_, grown) in self.grown.items() if other != name}
        why = refusal_in(draft, one, secret_rule, beside)
        region = find_region(draft.text, name) if why is None else None
        if region is not None:
            self.places[one.record.id], self.regions[name] = name, region
        return why

    def _topic(self, name: str) -> tuple[Document, Draft] | Refusal:
        try:
            document = topic_document(self.workspace, self.documents, name)
            text = new_page() if document.is_new else document.text
            return document, draft_of(text, name, self.limits, self.first.promoted)
        except IntermemError as error:
            return Refusal(gate="blocked", reason=error.message)


def _with_way(why: Refusal) -> Refusal:
    """The refusal of a rule, with the way to make room if that is what it lacks."""
    if why.gate != "budget":
        return why
    return replace(why, reason=f"{why.reason}; intermem migrate makes room for rules")
