"""``init``: find memory and documents, insert a region, write a configuration on request."""

from __future__ import annotations

import json
import tomllib
from dataclasses import replace
from pathlib import PurePath

from intermem.core.lifecycle.effects import Effect, after_effect
from intermem.core.markdown.lines import ends_in_line_end, line_end_of
from intermem.core.reconcile.ledger import Standing
from intermem.core.region.place import place_region, remove_region
from intermem.core.region.topic_files import topic_file
from intermem.errors import ConfigurationError, DocumentRefused, NoDocument, RepositoryError, UsageError
from intermem.project.boundary import place_in, require_document_name
from intermem.project.config import OWN_FILE, SHARED_FILE
from intermem.project.documents import NEW_DOCUMENT, Document, Documents
from intermem.project.files import read_text_file
from intermem.results.curate import InitResult
from intermem.storage.metadata import Metadata
from intermem.workflow.branch_state import BranchState, load_branch_state
from intermem.workflow.edits import Edit, document_edit, ledger_edits
from intermem.workflow.init_plan import InitPlan, run_init
from intermem.workflow.lost_regions import lost_region
from intermem.workflow.merge_attributes import set_driver, with_attributes, without_attributes
from intermem.workflow.run_mode import RunMode
from intermem.workflow.targets import find_target
from intermem.workflow.tiers import with_topic_lines, with_unnamed_topics
from intermem.workflow.workspace import Workspace, exposed_state_notices


def init(
    workspace: Workspace,
    *,
    after: str | None = None,
    target: str | None = None,
    write_config: bool = False,
    merge_driver: bool = False,
    mode: RunMode,
) -> InitResult:
    """Insert a region into the target document or a new AGENTS.md; with ``merge_driver`` let git merge by entries.

    Safe to repeat: an existing region stays where it is. Raises DocumentRefused if no place is
    safe, ConfigurationError if ``write_config`` finds an existing configuration, RepositoryError if ``merge_driver``
    finds no repository.
    """
    if merge_driver and workspace.worktree is None:
        raise RepositoryError("--merge-driver needs a git repository, and this is not one", hint="leave it out")

    def planned(metadata: Metadata) -> InitPlan:
        state = load_branch_state(workspace, metadata)
        documents = state.documents
        edit = _placement(workspace, documents, target, after)
        edit = _with_topics(documents, edit)
        edits = [edit] if edit.before != edit.after else []
        if write_config:
            edits.append(_configuration(workspace, edit.name))
        if merge_driver:
            names = [one.name for one in documents.found if one.region is not None]
            names += [topic_file("")] if workspace.config.flag("tiers") else []
            attributes = with_attributes(workspace, dict.fromkeys([edit.name, *names]))
            edits += [attributes] if attributes is not None else []
        notices = exposed_state_notices(workspace)
        if edit.before is None:
            notices.append(f"no document yet: {edit.name} {'would be' if mode.dry else 'is'} created")
        if not edits:
            notices.append(f"{edit.name} already has a region; nothing to do")
        return InitPlan(edit.name, tuple(edits), (), tuple(notices), state, offers_snippets=True)

    result = run_init(workspace, planned, mode)
    if merge_driver:
        result = replace(result, notices=(*result.notices, set_driver(workspace, dry=mode.dry)))
    return result


def init_remove(
    workspace: Workspace,
    *,
    target: str | None = None,
    mode: RunMode,
) -> InitResult:
    """Remove the region with its entries; their records stay, marked as demoted.

    Where the region itself is lost, its entries are given up. Raises DocumentRefused if the region contains anything
    but recorded entries: nothing may be removed that cannot be restored.
    """

    def planned(metadata: Metadata) -> InitPlan:
        state = load_branch_state(workspace, metadata)
        lost = lost_region(state.documents, target)
        if lost is not None:
            return _given_up(workspace, state, lost)
        document = find_target(workspace, state.documents, target)
        if document.region is None:
            raise NoDocument(f"{document.name} has no region; nothing was written", hint="intermem status")
        effects = _removals(state, document)
        texts = {document.name: (document, remove_region(document.text, document.name))}
        edits = [document_edit(*pair) for _, pair in sorted(with_topic_lines(workspace, state, texts).items())]
        count = "1 entry is" if len(effects) == 1 else f"{len(effects)} entries are"
        notices = (f"{count} removed from {document.name}; metadata.db keeps the text",) if effects else ()
        if not texts[document.name][1]:
            notices = (*notices, f"{document.name} is now empty")
        topics = [one.name for one in state.documents.found if one.tier > document.tier]
        if topics and document.name == (state.documents.target or document).name:
            notices = (*notices, f"topic files stay: {', '.join(topics)} (init --remove --target FILE removes one)")
        after = dict(state.records)
        after |= {one.entry_id: after_effect(after[one.entry_id], one, workspace.now) for one in effects}
        attributes = without_attributes(workspace, document.name)
        if attributes is not None:
            edits.append(attributes)
            notices = (*notices, "the merge driver stays set in this clone: git config --remove-section merge.intermem")
        edits += ledger_edits(workspace, state, after.values())
        return InitPlan(document.name, tuple(edits), effects, notices, state, offers_snippets=False)

    return run_init(workspace, planned, mode)


def _given_up(workspace: Workspace, state: BranchState, name: str) -> InitPlan:
    """The plan that demotes what the ledger lists in a document that has lost its region."""
    lines = state.ledger.lines.values() if state.ledger is not None else ()
    keys = [line.id for line in lines if line.status is Standing.PROMOTED and line.document == name]
    effects = tuple(
        Effect(kind="demote", entry_id=key, document=name, reason="given up with its region", cause="hand")
        for key in keys
        if key in state.records
    )
    after = dict(state.records)
    after |= {one.entry_id: after_effect(after[one.entry_id], one, workspace.now) for one in effects}
    count = "1 entry is" if len(effects) == 1 else f"{len(effects)} entries are"
    notices = (f"{count} given up: intermem restore ID puts one back",)
    edits = tuple(ledger_edits(workspace, state, after.values()))
    return InitPlan(name, edits, effects, notices, state, offers_snippets=False)


def _placement(workspace: Workspace, documents: Documents, target: str | None, after: str | None) -> Edit:
    configured = workspace.config.texts("targets")
    new = NEW_DOCUMENT if configured == ["auto"] else configured[0]
    missing = all(problem.code == "no-document" for problem in documents.problems)
    if documents.target is None and missing and target in (None, new):
        return _new_document(workspace, new, after)
    document = find_target(workspace, documents, target)
    if document.region is not None and after is not None:
        first, last = document.region.first_line, document.region.last_line
        raise UsageError(
            f"{document.name} already has a region, on lines {first} to {last}",
            hint="move it by hand: it stays where you put it",
        )
    return document_edit(document, place_region(document.text, document.name, after=after))


def _with_topics(documents: Documents, edit: Edit) -> Edit:
    """The edit, with the lines of topic files that stand and that nothing names, where the region is new."""
    document = documents.named(edit.name)
    if document is None or document.tier > 1 or document.region is not None or edit.after is None:
        return edit
    return replace(edit, after=with_unnamed_topics(documents, document, edit.after))


def _new_document(workspace: Workspace, name: str, after: str | None) -> Edit:
    if after is not None:
        raise UsageError("--after names a heading, but there is no document yet", hint="leave it out")
    path = workspace.root / name
    require_document_name(PurePath(name), name)
    if workspace.worktree is not None and workspace.worktree.sparse.left_out(
        [path.relative_to(workspace.top).as_posix()]
    ):
        raise NoDocument(
            f"{name} is tracked, but excluded by this sparse checkout; nothing was written",
            hint=f"git sparse-checkout add /{name}",
        )
    if not path.parent.is_dir():
        raise NoDocument(f"{path.parent} does not exist; nothing was written", hint="create the folder first")
    return Edit(path, name, None, place_region("", name))


def _removals(state: BranchState, document: Document) -> tuple[Effect, ...]:
    records = state.records
    region = document.region
    assert region is not None
    strangers = [item for item in region.items if item.id not in records or records[item.id].text is None]
    own = sum(section.others for section in region.sections)
    if strangers or own:
        lines = ", ".join(str(item.line) for item in strangers[:5])
        where = f" (line{'s' if len(strangers) > 1 else ''} {lines})" if strangers else ""
        raise DocumentRefused(
            f"{document.name}: {len(strangers) + own} blocks in the region are not on record{where};"
            " nothing was removed",
            hint="move them out of the region first",
        )
    reason = "region removed by init --remove"
    others = [one.region.ids for one in state.documents.found if one is not document and one.region is not None]
    return tuple(
        Effect(kind="demote", entry_id=item.id, document=document.name, reason=reason, cause="hand")
        for item in region.items
        if not any(item.id in ids for ids in others)
    )


def _configuration(workspace: Workspace, name: str) -> Edit:
    """The edit that writes a configuration naming the document: into pyproject.toml if there is one."""
    shared, own = workspace.root / SHARED_FILE, workspace.root / OWN_FILE
    if workspace.config.file is not None:
        raise ConfigurationError(
            f"{workspace.config.file} already configures intermem; nothing was written", hint="edit it by hand"
        )
    body = f"targets = [{json.dumps(name, ensure_ascii=False)}]"
    if not shared.exists():
        return Edit(own, OWN_FILE, None, body + "\n")
    path = place_in(workspace.root, shared, SHARED_FILE)
    before = read_text_file(path, SHARED_FILE, workspace.config.count("scan.max_bytes"))
    end = line_end_of(before)
    gap = end if ends_in_line_end(before) else end * 2
    after = f"{before}{gap}[tool.intermem]{end}{body}{end}"
    try:
        tomllib.loads(after)
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(
            f"{shared} cannot take a [tool.intermem] table ({error}); nothing was written", hint="edit it by hand"
        ) from None
    return Edit(path, SHARED_FILE, before, after)
