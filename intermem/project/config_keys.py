"""The table of configuration keys: type, default and meaning."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from intermem.core.check.globs import problem_with_glob
from intermem.core.check.rules import HAZARDS
from intermem.core.check.settings import problem_with_rules, rules_named
from intermem.core.times import parse_duration
from intermem.errors import ConfigurationError
from intermem.lazy_dataclass import dataclass

Value = str | int | float | bool | list[str] | dict[str, str] | dict[str, int] | dict[str, list[str]]

_POLICIES = ("linear", "grace-exponential", "half-life", "none")
_BASES = ("seen", "created", "accessed", "latest")


@dataclass(frozen=True, slots=True)
class Key:
    """A key: dotted ``name``, ``kind`` (how a value is checked and parsed), default and meaning.

    A ``personal`` key counts only from a flag, the environment or ``git config``: a file in the tree may be a
    stranger's. Of one with ``no_lower`` that holds for what is below the default, which would open a gate.
    """

    name: str
    kind: str
    default: Value
    meaning: str
    personal: bool = False
    no_lower: bool = False

    def is_personal(self, value: Value) -> bool:
        """Return whether ``value`` does not count where a file says it."""
        lowers = self.no_lower and isinstance(value, int | float) and isinstance(self.default, int | float)
        return self.personal or (lowers and float(str(value)) < float(str(self.default)))


KEYS: tuple[Key, ...] = (
    Key(
        "targets",
        "targets",
        "auto",
        'documents to curate; entries go into the first with a region, else the first; "auto" finds them',
    ),
    Key("tiers", "flag", False, "promote what finds no room in the region into topic files, docs/intermem/<topic>.md"),
    Key("memory_dir", "text", "", "the memory directory; empty: found by the agent's own rules"),
    Key("state_dir", "text", "", "where metadata.db is kept; empty: in the git directory", personal=True),
    Key("cache", "flag", True, "keep in the git directory what was read of code, history and texts, for the next run"),
    Key("scan.min_interval", "duration", "1h", "snapshots closer together than this count once"),
    Key("scan.max_bytes", "count", 4 * 1024 * 1024, "larger memory files and documents are refused"),
    Key("sweep.min_interval", "duration", "0", "sweeps closer together than this do not extend a stale streak"),
    Key("sweep.grace", "duration", "14d", "how long sweeps spare an entry that a person brought back"),
    Key(
        "sweep.history_interval",
        "duration",
        "7d",
        "an entry that is stale now and was stale so long ago, by the history, has a stale streak of 2",
    ),
    Key("sweep.demote_streak", "positive", 2, "stale sweeps in a row before a promoted entry is demoted"),
    Key("confidence.base", "fraction", 0.5, "base confidence of every entry"),
    Key("confidence.valid", "fraction", 0.3, "added per valid citation; by symbols, env and config once, all together"),
    Key("confidence.broken", "fraction", 0.4, "subtracted per broken citation"),
    Key("confidence.stable", "fraction", 0.2, "added once an entry has confidence.stable_snapshots"),
    Key("confidence.stable_snapshots", "positive", 5, "counted snapshots that earn confidence.stable"),
    Key(
        "confidence.stale_below",
        "fraction",
        0.3,
        "an entry below this, or decayed to it, is stale; so is one of which a commit removed all that it cites",
    ),
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
    Key("decay.rate", "fraction", 0.005, "grace-exponential: share lost per day after that"),
    Key("decay.floor", "fraction", 0.1, "grace-exponential: decay alone goes no lower"),
    Key("decay.half_life", "period", "30d", "half-life: age at which confidence is halved"),
    Key("feedback.confirm", "fraction", 0.1, "added by feedback confirm"),
    Key("feedback.incorrect", "fraction", 0.3, "subtracted by feedback incorrect"),
    Key("feedback.failure_high", "fraction", 0.15, "subtracted by feedback failure --severity high"),
    Key("feedback.failure_medium", "fraction", 0.1, "subtracted by feedback failure --severity medium"),
    Key("feedback.failure_low", "fraction", 0.05, "subtracted by feedback failure of low or unknown severity"),
    Key("promote.min_snapshots", "positive", 3, "counted snapshots before an entry is stable"),
    Key(
        "promote.types",
        "texts",
        ["project", "reference", "feedback", "untyped"],
        "types that may be promoted; user never is",
    ),
    Key(
        "promote.min_worth",
        "fraction",
        0.6,
        "the least worth of a text that is promoted without a person; 0: any. A file can only raise it",
        no_lower=True,
    ),
    Key("promote.max_chars", "positive", 400, "maximum length of what is written of one note, in characters"),
    Key("promote.budget_tokens", "count", 2000, "maximum size of a region in estimated tokens; 0: no limit"),
    Key("promote.budget_entries", "count", 50, "maximum entries in a region; 0: no limit"),
    Key("promote.limit", "count", 10, "maximum entries promoted per run; 0: no limit"),
    Key("promote.similarity", "fraction", 0.85, "texts at least this similar are duplicates"),
    Key(
        "revision.similarity",
        "fraction",
        0.75,
        "a line or note at least this similar to a removed one is that one, reworded",
    ),
    Key(
        "ledger.observer_days",
        "count",
        180,
        "a clone that has written nothing for longer no longer holds the notes that it held",
    ),
    Key("ledger.heartbeat_days", "positive", 84, "a clone that holds notes says that it is alive once in so many days"),
    Key(
        "observe",
        "flag",
        True,
        "whether this clone writes into the ledger what its memory holds and has lost",
        personal=True,
    ),
    Key("undo.operations", "positive", 50, "how many of the newest operations can be undone"),
    Key("retention.enabled", "flag", False, "prune --expired applies retention.days"),
    Key(
        "retention.at_sweep",
        "flag",
        False,
        "with retention.enabled: a sweep deletes records that were demoted long ago, and demotes what has expired"
        " once 100 entries are older than a day",
    ),
    Key(
        "retention.days",
        "days",
        {"feedback": 730, "project": 365, "reference": 365, "user": 730},
        "days to keep an entry of a type after it was last seen; 0, or a type without a default: forever",
    ),
    Key(
        "retention.archive_days",
        "count",
        180,
        "prune --expired --delete deletes records demoted this many days ago; 0: never",
    ),
    Key("retention.superseded_days", "count", 30, "the same for superseded records; 0: never"),
    Key("check.ignore", "rules", [], "rules that check does not apply, by code, name or topic"),
    Key(
        "check.per-file-ignores",
        "per-file",
        {},
        'the same for some documents, as in "docs/**" = ["IM001"]; a glob matches a path, a name or a folder, '
        '"/" before it a path alone, "!" all others',
    ),
    Key("check.exclude", "globs", [], "documents that check skips, by globs of the same kind"),
    Key(
        "check.baseline",
        "text",
        ".intermem/baseline.json",
        "file of known findings that check does not show; empty: none",
    ),
    Key(
        "hazards.allow",
        "hazards",
        [],
        "rules for hazards (IM070 to IM086) that neither promote nor check applies, by code, name or topic",
        personal=True,
    ),
    Key("query.limit", "count", 50, "rows shown; 0: all"),
    Key("query.why_counts", "flag", False, "why and show count as an access to the entry, as query does"),
    Key("query.half_life", "period", "30d", "age at which --rank blended halves a rank; counted from decay.basis"),
    Key(
        "query.least_left",
        "fraction",
        0.0,
        "--rank blended omits hits whose age leaves less than this share of their rank",
    ),
)


BY_NAME = {key.name: key for key in KEYS}
TABLES = {key.name.partition(".")[0] for key in KEYS if "." in key.name}
OWN_TABLES = {key.name for key in KEYS if isinstance(key.default, dict)}  # with names of the user's choice


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _duration_problem(value: object, *, positive: bool = False) -> str:
    try:
        length = parse_duration(str(value), whose="it")
    except ConfigurationError as error:
        return error.hint
    return "must be longer than 0" if positive and not length else ""


def _integer_problem(value: object, least: int) -> str:
    if not isinstance(value, int) or isinstance(value, bool):
        return "expected a whole number"
    return "" if least <= value <= 10**9 else f"must be from {least} to 1000000000"


def _texts_problem(value: object) -> str:
    fine = isinstance(value, list) and bool(value) and all(isinstance(one, str) and one for one in value)
    return "" if fine else "expected a list of strings"


def _rules_problem(value: object) -> str:
    return problem_with_rules(value) if isinstance(value, list) else "expected a list of rules"


def _hazards_problem(value: object) -> str:
    problem = _rules_problem(value)
    if problem or not isinstance(value, list):
        return problem
    other = next((word for word in value if not rules_named(word) <= HAZARDS), None)
    return f"{other} is no rule for hazards: use check.ignore" if other else ""


def _globs_problem(value: object) -> str:
    if not isinstance(value, list):
        return "expected a list of globs"
    return next((found for glob in value if (found := problem_with_glob(glob))), "")


def _per_file_problem(value: object) -> str:
    return _table_problem(value, _rules_problem) or _globs_problem(list(value) if isinstance(value, dict) else value)


def _choice_problem(value: object, choices: Sequence[str]) -> str:
    *others, last = (f'"{choice}"' for choice in choices)
    return "" if value in choices else f"expected {', '.join(others)} or {last}"


def _table_problem(value: object, problem: Callable[[object], str]) -> str:
    if not isinstance(value, dict) or not all(isinstance(name, str) and name for name in value):
        return "expected a table"
    return next((f"{name}: {found}" for name, one in value.items() if (found := problem(one))), "")


RETIRED = frozenset({"ledger.granularity_days", "ledger.demoted_days"})  # keys of 0.1 that would have no effect

CHECKS: Mapping[str, Callable[[object], str]] = {
    "text": lambda value: "" if isinstance(value, str) else "expected a string",
    "texts": _texts_problem,
    "targets": lambda value: (
        "" if value == "auto" or not _texts_problem(value) else 'expected "auto" or a list of paths'
    ),
    "duration": _duration_problem,
    "period": lambda value: _duration_problem(value, positive=True),
    "count": lambda value: _integer_problem(value, 0),
    "positive": lambda value: _integer_problem(value, 1),
    "flag": lambda value: "" if isinstance(value, bool) else "expected true or false",
    "fraction": lambda value: (
        "" if _is_number(value) and 0 <= float(str(value)) <= 1 else "expected a number from 0 to 1"
    ),
    "policy": lambda value: _choice_problem(value, _POLICIES),
    "policies": lambda value: _table_problem(value, lambda one: _choice_problem(one, _POLICIES)),
    "days": lambda value: _table_problem(value, lambda one: _integer_problem(one, 0)),
    "rules": _rules_problem,
    "hazards": _hazards_problem,
    "globs": _globs_problem,
    "per-file": _per_file_problem,
    "basis": lambda value: _choice_problem(value, _BASES),
}
