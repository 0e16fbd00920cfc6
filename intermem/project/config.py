"""The configuration: every number of the design is a key, with its type, default and origin."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from intermem.core.check_settings import CheckSettings, codes_of, problem_with_glob, problem_with_rules
from intermem.core.times import parse_duration
from intermem.entities import FULL
from intermem.errors import ConfigurationError, UnreadableFile
from intermem.project.files import read_text_file

if TYPE_CHECKING:  # who asks for them imports them: check needs no decay where there is no entry
    from intermem.core.decay import Decay, DecayPolicy
    from intermem.core.lifecycle import Rules
    from intermem.core.promoter import Limits

OWN_FILE = "intermem.toml"
SHARED_FILE = "pyproject.toml"
ENVIRONMENT = "INTERMEM_"
_NOT_KEYS = frozenset({"INTERMEM_NOW"})

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
_BY_NAME = {key.name: key for key in KEYS}
_TABLES = {key.name.partition(".")[0] for key in KEYS if "." in key.name}
_OWN_TABLES = {key.name for key in KEYS if isinstance(key.default, dict)}  # whose names are the user's
_LARGEST = 4 * 1024 * 1024  # bytes of a configuration file


@dataclass(frozen=True, slots=True)
class Config:
    """Every key's value and where it comes from (``default``, the ``file``, an environment variable)."""

    values: Mapping[str, Value]
    origins: Mapping[str, str]
    file: Path | None = None

    def text(self, name: str) -> str:
        """Return a text value."""
        return str(self.values[name])

    def count(self, name: str) -> int:
        """Return a whole number."""
        value = self.values[name]
        assert isinstance(value, int)
        return value

    def flag(self, name: str) -> bool:
        """Return whether a key is on."""
        return self.values[name] is True

    def span(self, name: str) -> timedelta:
        """Return a length of time."""
        return parse_duration(str(self.values[name]), whose=name)

    def thousandths(self, name: str) -> int:
        """Return a fraction as an integer 0..1000."""
        value = self.values[name]
        assert isinstance(value, int | float)
        return round(value * FULL)

    def texts(self, name: str) -> list[str]:
        """Return a list of texts; a single one is a list of one."""
        value = self.values[name]
        return list(value) if isinstance(value, list) else [str(value)]

    def table(self, name: str) -> Mapping[str, str | int]:
        """Return a table of values by name."""
        value = self.values[name]
        assert isinstance(value, dict)
        return {key: one for key, one in value.items() if isinstance(one, str | int)}

    def check_settings(self) -> CheckSettings:
        """Return which findings check leaves out, and which documents."""
        per_file = self.values["check.per-file-ignores"]
        assert isinstance(per_file, dict)
        return CheckSettings(
            ignore=codes_of(self.texts("check.ignore")),
            per_file=tuple((glob, codes_of(words)) for glob, words in per_file.items() if isinstance(words, list)),
            exclude=tuple(self.texts("check.exclude")),
        )

    def rules(self) -> Rules:
        """Return the numbers of the lifecycle."""
        from intermem.core.confidence import Weights
        from intermem.core.lifecycle import Rules

        return Rules(
            weights=Weights(
                base=self.thousandths("confidence.base"),
                valid=self.thousandths("confidence.valid"),
                broken=self.thousandths("confidence.broken"),
                stable=self.thousandths("confidence.stable"),
                stable_snapshots=self.count("confidence.stable_snapshots"),
            ),
            decay=self.decay(),
            stale_below=self.thousandths("confidence.stale_below"),
            demote_streak=self.count("sweep.demote_streak"),
            sweep_interval=self.span("sweep.min_interval"),
            grace=self.span("sweep.grace"),
            min_snapshots=self.count("promote.min_snapshots"),
            max_lines=self.count("promote.max_lines"),
            types=frozenset(self.texts("promote.types")) - {"user"},
        )

    def decay(self) -> Decay:
        """Return how entries fade."""
        from intermem.core.decay import Basis, Decay, GraceExponentialDecay, HalfLifeDecay, LinearDecay, NoDecay

        rate = self.values["decay.rate"]
        assert isinstance(rate, int | float)
        policies: dict[str, DecayPolicy] = {
            "linear": LinearDecay(
                grace=self.span("decay.grace"), period=self.span("decay.period"), step=self.thousandths("decay.step")
            ),
            "grace-exponential": GraceExponentialDecay(
                start=self.span("decay.start"), rate=float(rate), floor=self.thousandths("decay.floor")
            ),
            "half-life": HalfLifeDecay(half_life=self.span("decay.half_life")),
            "none": NoDecay(),
        }
        return Decay(
            policy=policies[self.text("decay.policy")],
            by_type={kind: policies[str(name)] for kind, name in self.table("decay.types").items()},
            basis=Basis(self.text("decay.basis")),
        )

    def limits(self) -> Limits:
        """Return what a run and a region may hold."""
        from intermem.core.promoter import Limits

        return Limits(
            entries=self.count("promote.limit"),
            lines=self.count("promote.budget_lines"),
            similarity=self.thousandths("promote.similarity") / FULL,
        )


def load_config(root: Path, top: Path, given: Path | None, environment: Mapping[str, str]) -> Config:
    """Return the configuration of the project at ``root``.

    ``given`` (``--config``) or the nearest file upward from ``root`` to ``top``, then
    ``INTERMEM_*``. Raises ConfigurationError with the file, the key and a suggestion.
    """
    values: dict[str, Value] = {key.name: key.default for key in KEYS}
    origins = {key.name: "default" for key in KEYS}
    found = _given(given) if given is not None else _nearest(root, top)
    if found is not None:
        path, table = found
        for name, value in _flat(table).items():
            values[name] = _checked(name, value, str(path))
            origins[name] = str(path)
    for variable, text in sorted(environment.items()):
        if variable.startswith(ENVIRONMENT) and variable not in _NOT_KEYS:
            name = _named_by(variable)
            values[name] = _from_text(name, text, variable)
            origins[name] = variable
    return Config(values, origins, found[0] if found is not None else None)


def _given(path: Path) -> tuple[Path, Mapping[str, object]]:
    table = _read(path)
    own = table if path.name != SHARED_FILE else _own_table(table, path)
    return path, own or {}


def _nearest(root: Path, top: Path) -> tuple[Path, Mapping[str, object]] | None:
    for folder in (root, *root.parents):
        own = folder / OWN_FILE
        if own.exists():
            return own, _read(own)
        shared = folder / SHARED_FILE
        if shared.exists():
            table = _own_table(_read(shared), shared)
            if table is not None:
                return shared, table
        if folder == top:
            break
    return None


def _read(path: Path) -> Mapping[str, object]:
    import tomllib

    try:
        return tomllib.loads(read_text_file(path, str(path), _LARGEST))
    except UnreadableFile as error:
        raise ConfigurationError(error.message, hint=error.hint) from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigurationError(f"{path}: not valid TOML: {error}", hint="correct the file") from None


def _own_table(table: Mapping[str, object], path: Path) -> Mapping[str, object] | None:
    tool = table.get("tool")
    own = tool.get("intermem") if isinstance(tool, dict) else None
    if own is not None and not isinstance(own, dict):
        raise ConfigurationError(f"{path}: tool.intermem = {own!r}: a table is expected", hint="[tool.intermem]")
    return own


def _flat(table: Mapping[str, object], prefix: str = "") -> dict[str, object]:
    found: dict[str, object] = {}
    for name, value in table.items():
        if isinstance(value, dict) and value and prefix + name not in _OWN_TABLES:
            found |= _flat(value, f"{prefix}{name}.")
        elif isinstance(value, dict) and name in _TABLES and not prefix:
            continue
        else:
            found[prefix + name] = value
    return found


def _checked(name: str, value: object, where: str) -> Value:
    key = _BY_NAME.get(name)
    if key is None and name in _TABLES:
        raise ConfigurationError(f"{where}: {name} is a table of keys, not a value", hint=f"[{name}]")
    if key is None:
        raise ConfigurationError(f"{where}: there is no key {name}", hint=_suggestion(name))
    problem = _CHECKS[key.kind](value)
    if problem:
        raise ConfigurationError(
            f"{where}: {name} = {value!r}: {problem}", hint=f"{key.meaning} (default: {key.default!r})"
        )
    assert isinstance(value, str | int | float | list | dict)
    return {**key.default, **value} if isinstance(key.default, dict) and isinstance(value, dict) else value


def _from_text(name: str, text: str, where: str) -> Value:
    kind = _BY_NAME[name].kind
    value: object = text
    if kind in ("count", "positive"):
        value = int(text) if re.fullmatch(r"-?[0-9]{1,18}", text.strip()) else text
    elif kind == "flag":
        value = {"true": True, "1": True, "false": False, "0": False}.get(text.strip().lower(), text)
    elif kind == "fraction":
        try:
            value = float(text)
        except ValueError:
            value = text
    elif kind in ("policies", "days"):
        value = _table_from_text(text)
    elif kind == "per-file":
        value = {name: str(words).split() for name, words in _table_from_text(text).items()}
    elif kind in ("texts", "rules", "globs") or (kind == "targets" and text != "auto"):
        value = [part.strip() for part in text.split(",") if part.strip()]
    return _checked(name, value, where)


def _table_from_text(text: str) -> dict[str, object]:
    pairs = (part.partition("=") for part in text.split(",") if part.strip())
    return {name.strip(): _number_or_text(value.strip()) for name, _, value in pairs}


def _number_or_text(text: str) -> int | str:
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else text


def _named_by(variable: str) -> str:
    names = {ENVIRONMENT + re.sub(r"[.-]", "_", key.name.upper()): key.name for key in KEYS}
    if variable not in names:
        close = _close(variable, names, 0.75)
        hint = f"did you mean {close[0]}?" if close else "intermem status --config lists the keys"
        raise ConfigurationError(f"{variable} is no setting of intermem", hint=hint)
    return names[variable]


def _close(word: str, known: Iterable[str], cutoff: float) -> list[str]:
    import difflib  # heavy, and hardly ever needed

    return difflib.get_close_matches(word, list(known), 1, cutoff)


def _suggestion(name: str) -> str:
    close = _close(name, _BY_NAME, 0.5)
    return f"did you mean {close[0]}?" if close else "intermem status --config lists the keys"


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


_CHECKS: Mapping[str, Callable[[object], str]] = {
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
