"""``why``: one entry's whole story."""

from __future__ import annotations

from dataclasses import replace

from intermem.commands.assessing import assess_project
from intermem.commands.project import Project, pending_notice
from intermem.commands.reading import read_project_memory
from intermem.core.confidence import signals
from intermem.core.lifecycle import gate, goes_stale_at
from intermem.results import Result


def why(project: Project, prefix: str) -> Result:
    """Return what is known of the entry whose id starts with ``prefix``, judged at this moment.

    Raises NoSuchEntry. Writes nothing.
    """
    rules = project.config.rules()
    with project.viewing() as metadata:
        wanted = metadata.record(prefix)
        memory = read_project_memory(project)
        situation = assess_project(project, metadata, memory, rules, snapshot=False, only=wanted.id)
        found = situation.assessed[0]
        history = metadata.history(wanted.id)
        sources = metadata.sources(wanted.id)
        said = pending_notice(metadata)
    record, assessment = found.record, found.assessment
    refusal = gate(record, assessment, record.citations, project.now, rules)
    promoted = record.document is not None
    made_of = signals(record.citations, record.snapshot_count, rules.weights)
    return Result(
        verb="why",
        data={
            "entry": replace(record, confidence=assessment.confidence, base_confidence=assessment.base),
            "sources": [
                {"file": source.file, "first_line": source.first_line, "last_line": source.last_line}
                for source in sources
            ],
            "signals": [{"label": one.label, "amount": one.amount / 1000} for one in made_of],
            "stale": assessment.stale,
            "stale_on": goes_stale_at(record, assessment.base, project.now, rules),
            "not_promoted_because": None if promoted or refusal is None else refusal.reason,
            "history": history,
        },
        notices=tuple(said),
    )
