"""``--json``: one object, sorted keys, stable order (docs/formats.md)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, fields, is_dataclass
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Any

from intermem.core.check.findings import Finding
from intermem.core.check.rules import Rule
from intermem.core.entries.invisible import invisible_in
from intermem.core.lifecycle.confidence import Signal
from intermem.core.lifecycle.statistics import Census
from intermem.core.reconcile.ledger import Line
from intermem.core.times import format_time
from intermem.entities import FULL, Feedback, HistoryRow, Judged, Problem, Record
from intermem.errors import IntermemError
from intermem.reporters.escaping import CONTROLS
from intermem.results import Judgement, Miss, Result, Verified
from intermem.results.decide import DecisionResult
from intermem.storage.operations import ClosedOperation
from intermem.storage.search import Topic

_SHARED = frozenset(one.name for one in fields(Result))  # what every result has; JSON shows it in its own way

# What text alone needs, by command: the findings of check say it, and how the refusals of promote are said.
_FOR_PEOPLE = {"check": ("unread", "narrowed"), "promote": ("at", "asked", "known", "lists_all")}


def render(result: Result) -> str:
    """Return the JSON text of ``result``."""
    own = {name: value for name, value in _fields(result).items() if name not in _SHARED}
    for name in _FOR_PEOPLE.get(result.verb, ()):
        own.pop(name, None)
    if isinstance(result, DecisionResult):
        del own["done"]
        own[result.done] = own.pop("entries")
        if result.documents is None:
            del own["documents"]
    shown = {"schema": f"intermem/{result.verb}/1", **own}
    shown["warnings"] = [
        *result.notices,
        *(problem.message for problem in result.problems if not problem.fatal),
    ]
    shown["problems"] = [problem for problem in result.problems if problem.fatal]
    if result.show_diff:
        from intermem.reporters.diff import unified_diff

        shown["diff"] = "".join(unified_diff(change) for change in result.changes)
    return as_text(shown)


def _fields(value: object) -> dict[str, object]:
    """The fields of a dataclass by their JSON keys: ``from_`` is ``from``, which Python reserves."""
    assert is_dataclass(value)
    return {one.name.removesuffix("_"): getattr(value, one.name) for one in fields(value)}


def render_lines(entries: Sequence[Verified | Judgement]) -> str:
    """Return JSON lines, one for each entry: its id, and what was found out about it."""
    lines = [json.dumps(one, default=_plain, ensure_ascii=False, sort_keys=True) for one in entries]
    return _escaped("".join(f"{line}\n" for line in lines))


def _verified(one: Verified) -> dict[str, object]:
    return {"id": one.id, "citations": list(one.citations)}


def _judgement(one: Judgement) -> dict[str, object]:
    found = _fields(one)
    return {**found, "class": found.pop("kind")}


def render_error(error: IntermemError) -> str:
    """Return the JSON text of an error: its code, message and hint."""
    return as_text({"error": {"code": error.code, "message": error.message, "hint": error.hint}})


def entry(record: Record) -> dict[str, object]:
    """Return the JSON object of a record (DESIGN.md §10)."""
    return {
        "id": record.entry_id,
        "text": record.shown_text,
        "note_text": record.note_text,
        "section": record.section,
        "type": record.type,
        "source_file": record.source_file,
        "status": record.status,
        "state": record.state,
        "confidence": record.confidence / FULL,
        "base_confidence": record.base_confidence / FULL,
        "original_confidence": None if record.original_confidence is None else record.original_confidence / FULL,
        "stale_streak": record.stale_streak,
        "snapshot_count": record.snapshot_count,
        "first_seen": record.first_seen,
        "last_seen": record.last_seen,
        "promoted_at": record.promoted_at,
        "demoted_at": record.demoted_at,
        "reason": record.reason,
        "document": record.document,
        "pinned": record.pinned,
        "pinned_until": record.pinned_until,
        "review_at": record.review_at,
        "feedback": record.feedback / FULL,
        "rejected_at": record.rejected_at,
        "missing_from": record.missing_from,
        "superseded_by": record.superseded_by,
        "citations": list(record.citations),
    }


def _citation(item: Judged) -> dict[str, object]:
    verdict = item.verdict
    evidence = {
        "reason": verdict.reason or None,
        "commit": verdict.commit,
        "date": verdict.date,
        "candidates": list(verdict.candidates) or None,
        "claim": verdict.claim,
        "class": verdict.evidence,
    }
    return {
        "text": item.citation.text,
        "kind": item.citation.kind,
        "status": verdict.status,
        "target": verdict.target,
        "evidence": {name: value for name, value in evidence.items() if value is not None},
    }


def _history(row: HistoryRow) -> dict[str, object]:
    return {
        "at": row.at,
        "event": row.event,
        "id": row.entry_id,
        "detail": row.detail,
        "cause": row.cause or None,
        "operation": row.operation,
    }


def _feedback(one: Feedback) -> dict[str, object]:
    return {
        "at": one.at,
        "kind": one.kind,
        "amount": one.amount / FULL,
        "severity": one.severity or None,
        "context": one.context,
        "note": one.note,
    }


def _problem(problem: Problem) -> dict[str, object]:
    return {"code": problem.code, "where": problem.where, "message": problem.message, "hint": problem.hint}


def _signal(signal: Signal) -> dict[str, object]:
    return {"label": signal.label, "amount": signal.amount / FULL}


def _topic(topic: Topic) -> dict[str, object]:
    return {
        "section": topic.section,
        "entries": topic.entries,
        "average_confidence": topic.average_confidence / FULL,
    }


def _census(found: Census) -> dict[str, object]:
    average = found.average_confidence
    return {
        **asdict(found),
        "average_confidence": None if average is None else average / FULL,
        "stale_percent": found.stale_percent,
    }


def _miss(miss: Miss) -> dict[str, object]:
    return {**_fields(miss), "worth": None if miss.worth is None else miss.worth / FULL}


def _line(line: Line) -> dict[str, object]:
    return {
        "status": line.status,
        "document": line.document,
        "since": line.since,
        "first_seen": line.first_seen,
        "last_seen": line.last_seen if line.is_dated else None,
        "pinned": line.pinned,
        "pinned_until": line.pinned_until,
        "by": line.by,
        "cause": line.cause,
        "was": list(line.was),
    }


def _operation(past: ClosedOperation) -> dict[str, object]:
    operation = past.operation
    is_known = past.kept or bool(operation.intents or operation.undoes or past.records)
    return {
        "operation": operation.id,
        "verb": operation.verb,
        "at": operation.at,
        "state": past.state,
        "documents": [intent.document for intent in operation.intents] if is_known else None,
        "entries": sorted({effect.standing_id for effect in operation.effects}) if is_known else None,
        "records": past.records if is_known else None,
        "undoes": list(operation.undoes),
        "undone_by": past.undone_by,
        "purged": past.purged,
        "can_be_undone": past.kept and past.undone_by is None and not past.damaged,
    }


def _finding(finding: Finding) -> dict[str, object]:
    rule, place, suggestion = finding.rule, finding.place, finding.suggestion
    return {
        "code": rule.code,
        "name": rule.name,
        "severity": rule.severity,
        "help": finding.remediation,
        "file": place.file,
        "line": place.first_line,
        "column": place.first_column,
        "end_line": place.last_line,
        "end_column": place.last_column,
        "message": finding.message,
        "entry": finding.entry,
        "fingerprint": finding.fingerprint,
        "citation": finding.judged,
        "suggestion": None if suggestion is None else {"text": suggestion.text, "safe": suggestion.safe},
    }


def _rule(rule: Rule) -> dict[str, object]:
    return {
        "code": rule.code,
        "name": rule.name,
        "topic": rule.topic,
        "severity": rule.severity,
        "meaning": rule.meaning,
        "help": rule.remediation,
    }


# What JSON shows of values that it does not show field by field.
_SHAPES: Mapping[type, Callable[[Any], dict[str, object]]] = {
    Finding: _finding,
    Rule: _rule,
    ClosedOperation: _operation,
    Verified: _verified,
    Judgement: _judgement,
    Line: _line,
    Miss: _miss,
    Record: entry,
    Judged: _citation,
    HistoryRow: _history,
    Feedback: _feedback,
    Problem: _problem,
    Signal: _signal,
    Topic: _topic,
    Census: _census,
}


def _plain(value: object) -> object:
    shape = _SHAPES.get(type(value))
    if shape is not None:
        return shape(value)
    if isinstance(value, datetime):
        return format_time(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, Result):  # one that is part of another
        left_out = _SHARED.union(_FOR_PEOPLE.get(value.verb, ()))
        return {name: own for name, own in _fields(value).items() if name not in left_out}
    if is_dataclass(value):
        return _fields(value)
    raise TypeError(f"cannot write as JSON: {type(value).__name__}")


def as_text(shown: dict[str, object]) -> str:
    """Return ``shown`` as JSON: sorted keys, indented by two spaces."""
    return _escaped(json.dumps(shown, default=_plain, ensure_ascii=False, indent=2, sort_keys=True) + "\n")


def _escaped(text: str) -> str:
    """Escape control and invisible characters, and lone surrogates, which no encoding has."""
    hidden = [] if text.isascii() else [one.at for one in invisible_in(text)]
    if hidden:
        shown = list(text)
        for at in hidden:
            shown[at] = json.dumps(text[at])[1:-1] if text[at] not in "\n\x7f" else text[at]
        text = "".join(shown)
    return CONTROLS.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
