"""The table of configuration keys: default, type, and what each means."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from intermem.core.check.globs import problem_with_glob
from intermem.core.check.settings import problem_with_rules
from intermem.core.times import parse_duration
from intermem.errors import ConfigurationError

Value = str | int | float | bool | list[str] | dict[str, str] | dict[str, int] | dict[str, list[str]]


_POLICIES = ("linear", "grace-exponential", "half-life", "none")


_BASES = ("seen", "created", "accessed", "latest")


@dataclass(frozen=True, slots=True)
class Key:
    """One key: dotted ``name``, ``kind`` (which checks and reads it), ``default`` and meaning."""

    name: str
    kind: str
    default: Value
    meaning: str


KEYS: tuple[Key, ...] = (
    Key("targets", "targets", "auto", 'documents to curate, the first is promoted into; "auto" finds them'),
    Key("memory_dir", "text", "", "the memory directory; empty: found by the agent's own rules"),
    Key("state_dir", "text", "", "where metadata.db is kept; empty: in the git directory"),
    Key("scan.min_interval", "duration", "1h", "snapshots closer together than this count once"),
    Key("scan.max_bytes", "count", 4 * 1024 * 1024, "larger memory files and documents are refused"),
    Key("sweep.min_interval", "duration", "0", "sweeps closer together than this move no stale streak"),
    Key("sweep.grace", "duration", "14d", "no sweep counts against an entry that a person brought back, for this long"),
    Key("sweep.demote_streak", "positive", 2, "stale sweeps in a row before a promoted entry is demoted"),
    Key("confidence.base", "fraction", 0.5, "what every entry starts with"),
    Key("confidence.valid", "fraction", 0.3, "added per valid citation"),
    Key("confidence.broken", "fraction", 0.4, "taken per broken citation"),
    Key("confidence.stable", "fraction", 0.2, "added once for confidence.stable_snapshots"),
    Key("confidence.stable_snapshots", "positive", 5, "counted snapshots that earn confidence.stable"),
    Key("confidence.stale_below", "fraction", 0.3, "below this, or decayed to it, an entry is stale"),
    Key("decay.policy", "policy", "linear", '"linear", "grace-exponential", "half-life" or "none": docs/forgetting.md'),
    Key("decay.types", "policies", {}, 'other policies for some types of entry, as in reference = "none"'),
    Key(
        "decay.basis",
        "basis",
        "seen",
        'age is counted from when an entry was last "seen", "created", last "accessed" (by query), or the "latest"',
    ),
    Key("decay.grace", "duration", "14d", "linear: no decay up to and including this age"),
    Key("decay.period", "period", "14d", "linear: one step per full period of the whole age"),
    Key("decay.step", "fraction", 0.1, "linear: confidence lost per period"),
    Key("decay.start", "duration", "30d", "grace-exponential: no decay up to and including this age"),
    Key("decay.rate", "fraction", 0.005, "grace-exponential: share of the rest lost per day from then on"),
    Key("decay.floor", "fraction", 0.1, "grace-exponential: decay alone takes nothing below this"),
    Key("decay.half_life", "period", "30d", "half-life: age that halves a confidence"),
    Key("feedback.confirm", "fraction", 0.1, "added by feedback confirm"),
    Key("feedback.incorrect", "fraction", 0.3, "taken by feedback incorrect"),
    Key("feedback.failure_high", "fraction", 0.15, "taken by feedback failure --severity high"),
    Key("feedback.failure_medium", "fraction", 0.1, "taken by feedback failure --severity medium"),
    Key("feedback.failure_low", "fraction", 0.05, "taken by feedback failure of low or unknown severity"),
    Key("promote.min_snapshots", "positive", 3, "counted snapshots before an entry is stable"),
    Key(
        "promote.types",
        "texts",
        ["project", "reference", "feedback", "untyped"],
        "types that may be promoted; user never is",
    ),
    Key("promote.max_lines", "positive", 12, "longer entries are refused"),
    Key("promote.budget_lines", "count", 120, "lines that a region may have; 0: no limit"),
    Key("promote.limit", "count", 10, "entries promoted a run; 0: no limit"),
    Key("promote.similarity", "fraction", 0.85, "texts this alike are duplicates"),
    Key("revision.similarity", "fraction", 0.75, "a line or note this much like one that left is that one, reworded"),
    Key("ledger.granularity_days", "count", 7, "last_seen is written anew when it has moved by this many days"),
    Key("ledger.demoted_days", "count", 180, "lines of demoted entries leave the ledger after this many days"),
    Key("undo.operations", "positive", 50, "the newest operations can be undone; older ones keep no before-image"),
    Key("retention.enabled", "flag", False, "prune --expired goes by retention.days"),
    Key(
        "retention.at_sweep",
        "flag",
        False,
        "with retention.enabled: sweep ends with prune --expired, once 100 entries are older than a day",
    ),
    Key(
        "retention.days",
        "days",
        {"feedback": 730, "project": 365, "reference": 365, "user": 730},
        "days that an entry of a type stays after it was last seen; 0 and types not named: for good",
    ),
    Key(
        "retention.archive_days", "count", 180, "prune --expired deletes records that were demoted this long; 0: never"
    ),
    Key("retention.superseded_days", "count", 30, "the same for those that were superseded; 0: never"),
    Key("check.ignore", "rules", [], "rules that check does not apply, by code, name or topic"),
    Key(
        "check.per-file-ignores",
        "per-file",
        {},
        'the same for some documents, as in "docs/**" = ["IM001"]; a glob matches a path, a name or a folder, '
        '"/" before it a path alone, "!" all others',
    ),
    Key("check.exclude", "globs", [], "documents that check does not look at, by globs of the same kind"),
    Key("check.baseline", "text", ".intermem/baseline.json", "findings that check does not show; empty: none"),
    Key("query.limit", "count", 50, "rows shown; 0: all"),
    Key("query.half_life", "period", "30d", "age that halves a rank under --rank blended; counted from decay.basis"),
    Key("query.least_left", "fraction", 0.0, "--rank blended leaves out hits of whose rank age leaves less than this"),
)


BY_NAME = {key.name: key for key in KEYS}


TABLES = {key.name.partition(".")[0] for key in KEYS if "." in key.name}


OWN_TABLES = {key.name for key in KEYS if isinstance(key.default, dict)}  # whose names are the user's


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _duration_problem(value: object, *, positive: bool = False) -> str:
    if not isinstance(value, str):
        return 'a duration is expected, as in "14d"'
    try:
        length = parse_duration(value, whose="it")
    except ConfigurationError:
        return 'a duration is expected, as in "30m", "1h" or "14d"'
    return "it must be longer than 0" if positive and not length else ""


def _whole_problem(value: object, least: int) -> str:
    if not isinstance(value, int) or isinstance(value, bool):
        return "a whole number is expected"
    return "" if least <= value <= 10**9 else f"it must be from {least} to 1000000000"


def _texts_problem(value: object) -> str:
    fine = isinstance(value, list) and bool(value) and all(isinstance(one, str) and one for one in value)
    return "" if fine else "a list of texts is expected"


def _rules_problem(value: object) -> str:
    return problem_with_rules(value) if isinstance(value, list) else "a list of rules is expected"


def _globs_problem(value: object) -> str:
    if not isinstance(value, list):
        return "a list of globs is expected"
    return next((found for glob in value if (found := problem_with_glob(glob))), "")


def _per_file_problem(value: object) -> str:
    return _table_problem(value, _rules_problem) or _globs_problem(list(value) if isinstance(value, dict) else value)


def _choice_problem(value: object, choices: Sequence[str]) -> str:
    *others, last = (f'"{choice}"' for choice in choices)
    return "" if value in choices else f"{', '.join(others)} or {last} is expected"


def _table_problem(value: object, problem: Callable[[object], str]) -> str:
    if not isinstance(value, dict) or not all(isinstance(name, str) and name for name in value):
        return "a table is expected"
    return next((f"{name}: {found}" for name, one in value.items() if (found := problem(one))), "")


CHECKS: Mapping[str, Callable[[object], str]] = {
    "text": lambda value: "" if isinstance(value, str) else "a text is expected",
    "texts": _texts_problem,
    "targets": lambda value: (
        "" if value == "auto" or not _texts_problem(value) else '"auto" or a list of paths is expected'
    ),
    "duration": _duration_problem,
    "period": lambda value: _duration_problem(value, positive=True),
    "count": lambda value: _whole_problem(value, 0),
    "positive": lambda value: _whole_problem(value, 1),
    "flag": lambda value: "" if isinstance(value, bool) else "true or false is expected",
    "fraction": lambda value: (
        "" if _is_number(value) and 0 <= float(str(value)) <= 1 else "a number from 0 to 1 is expected"
    ),
    "policy": lambda value: _choice_problem(value, _POLICIES),
    "policies": lambda value: _table_problem(value, lambda one: _choice_problem(one, _POLICIES)),
    "days": lambda value: _table_problem(value, lambda one: _whole_problem(one, 0)),
    "rules": _rules_problem,
    "globs": _globs_problem,
    "per-file": _per_file_problem,
    "basis": lambda value: _choice_problem(value, _BASES),
}
