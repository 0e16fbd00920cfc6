"""``init``: find memory and documents, place a region, write a configuration on request."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from intermem.commands.project import Project, pending_notice
from intermem.commands.recovery import finish, intent_for
from intermem.commands.results import Change, Result
from intermem.core.lines import ends_in_line_end, line_end_of
from intermem.core.placing import place_region, remove_region
from intermem.errors import ConfigurationError, DocumentRefused, NoDocument, UsageError
from intermem.project.config import OWN_FILE, SHARED_FILE
from intermem.project.documents import NEW_DOCUMENT, Document, Documents
from intermem.project.files import read_text_file
from intermem.storage.journal import Effect, Intent, open_operation
from intermem.storage.metadata import Metadata

PRE_COMMIT_SNIPPET = """\
# .pre-commit-config.yaml: refuse a commit while entries wait to be demoted
- repo: local
  hooks:
    - id: intermem
      name: intermem sweep --check
      entry: intermem sweep --no-scan --check
      language: system
      pass_filenames: false
      always_run: true
"""

AGENT_SNIPPET = """\
// .claude/settings.local.json: record a snapshot of the memory when a session ends
{"hooks": {"SessionEnd": [{"hooks": [{"type": "command", "command": "intermem scan --quiet"}]}]}}
"""


@dataclass(frozen=True, slots=True)
class _Edit:
    path: Path
    name: str
    before: str | None
    after: str


def init(
    project: Project,
    *,
    after: str | None = None,
    target: str | None = None,
    write_config: bool = False,
    dry_run: bool = False,
    show_diff: bool = False,
) -> Result:
    """Place a region, in the target document or in a new AGENTS.md.

    Safe to repeat: a region that stands stays where it is. Raises DocumentRefused where no place
    is safe, ConfigurationError where ``write_config`` finds a configuration already.
    """
    documents = project.documents()
    edit = _placement(project, documents, target, after)
    edits = [edit] if edit.before != edit.after else []
    if write_config:
        edits.append(_configuration(project, edit.name))
    dry = dry_run or show_diff
    said: list[str] = []
    if edit.before is None:
        said.append(f"there is no document yet: {edit.name} {'would be' if dry else 'is'} created")
    if not edits:
        said.append(f"{edit.name} has a region already; nothing to do")
    return _carried_out(project, edits, (), said, documents, edit.name, dry=dry, show_diff=show_diff)


def init_remove(
    project: Project, *, target: str | None = None, dry_run: bool = False, show_diff: bool = False
) -> Result:
    """Take the region out again, entries and all; their records stay and say so.

    Raises DocumentRefused where the region holds what metadata.db does not know: nothing may leave
    a document that cannot be brought back.
    """
    documents = project.documents()
    document = _named(documents, target) if target else documents.target
    if document is None or document.region is None:
        raise NoDocument("there is no region to remove; nothing was written", hint="intermem status shows documents")
    with project.viewing() as metadata:
        effects = _removals(metadata, document)
    edit = _Edit(document.path, document.name, document.text, remove_region(document.text, document.name))
    dry = dry_run or show_diff
    said = [f"{len(effects)} entries leave {document.name}; metadata.db keeps them"] if effects else []
    return _carried_out(project, [edit], effects, said, documents, document.name, dry=dry, show_diff=show_diff)


def _carried_out(
    project: Project,
    edits: list[_Edit],
    effects: tuple[Effect, ...],
    said: list[str],
    documents: Documents,
    name: str,
    *,
    dry: bool,
    show_diff: bool,
) -> Result:
    if dry:
        with project.viewing() as metadata:
            said += pending_notice(metadata)
    elif edits:
        with project.writing() as (metadata, recovered):
            said += recovered
            with metadata.transaction():
                operation = open_operation(metadata, "init", project.now, effects, _intents(edits, project))
            finish(metadata, operation)
    place = project.memory_place
    return Result(
        verb="init",
        data={
            "document": name,
            "memory": str(place.path) if place.path is not None else None,
            "memory_found_by": place.how or None,
            "state": str(project.state_dir),
            "written": [edit.name for edit in edits] if not dry else [],
            "dry_run": dry,
            "snippets": {"pre-commit": PRE_COMMIT_SNIPPET, "agent-hook": AGENT_SNIPPET},
        },
        notices=(*said, *documents.warnings),
        changes=tuple(Change(edit.name, edit.before, edit.after) for edit in edits),
        show_diff=show_diff,
    )


def _intents(edits: list[_Edit], project: Project) -> list[Intent]:
    return [intent_for(project.root, edit.path, edit.name, edit.before, edit.after, project.now) for edit in edits]


def _placement(project: Project, documents: Documents, target: str | None, after: str | None) -> _Edit:
    document = _named(documents, target) if target else documents.target
    if document is None:
        if documents.problems:
            raise NoDocument(documents.problems[0].message, hint=documents.problems[0].hint)
        if after is not None:
            raise UsageError("--after names a heading, but there is no document yet", hint="leave it out")
        configured = project.config.texts("targets")
        name = NEW_DOCUMENT if configured == ["auto"] else configured[0]
        return _Edit(project.root / name, name, None, place_region("", name))
    if document.region is not None and after is not None:
        first, last = document.region.first_line, document.region.last_line
        raise UsageError(
            f"{document.name} has a region already, on lines {first} to {last}",
            hint="move it by hand: it stays where you put it",
        )
    return _Edit(document.path, document.name, document.text, place_region(document.text, document.name, after=after))


def _named(documents: Documents, name: str) -> Document:
    document = documents.named(name)
    if document is not None:
        return document
    for problem in documents.problems:
        if problem.where == name:
            raise NoDocument(problem.message, hint=problem.hint)
    known = ", ".join(one.name for one in documents.found) or "none"
    raise UsageError(f"--target {name}: it is no document of this project (known: {known})", hint="see targets")


def _removals(metadata: Metadata, document: Document) -> tuple[Effect, ...]:
    records = metadata.records()
    region = document.region
    assert region is not None
    strangers = [item for item in region.items if item.id not in records or records[item.id].text is None]
    others = sum(section.others for section in region.sections)
    if strangers or others:
        lines = ", ".join(str(item.line) for item in strangers[:5])
        where = f" (line{'s' if len(strangers) > 1 else ''} {lines})" if strangers else ""
        raise DocumentRefused(
            f"{document.name}: {len(strangers) + others} blocks in the region are on no record{where};"
            " nothing was removed",
            hint="move them out of the region first",
        )
    reason = "its region was removed by init --remove"
    return tuple(
        Effect(kind="demote", entry_id=item.id, document=document.name, reason=reason) for item in region.items
    )


def _configuration(project: Project, name: str) -> _Edit:
    """The configuration as a file that names the document: a table in pyproject.toml where there is one."""
    shared, own = project.root / SHARED_FILE, project.root / OWN_FILE
    known = next((origin for origin in project.config.origins.values() if Path(origin).is_file()), None)
    if known is not None:
        raise ConfigurationError(f"{known} configures intermem already; nothing was written", hint="edit it by hand")
    body = f'targets = ["{name}"]'
    if not shared.is_file():
        if own.exists():
            raise ConfigurationError(f"{own} exists already; nothing was written", hint="edit it by hand")
        return _Edit(own, OWN_FILE, None, body + "\n")
    before = read_text_file(shared, SHARED_FILE, 4 * 1024 * 1024).text
    end = line_end_of(before)
    gap = end if ends_in_line_end(before) else end * 2
    return _Edit(shared, SHARED_FILE, before, f"{before}{gap}[tool.intermem]{end}{body}{end}")
