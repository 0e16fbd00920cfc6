"""Load the configuration: defaults, then a file, then git config, then the environment."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import field
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from intermem.core.check.settings import CheckSettings, codes_of
from intermem.core.times import parse_duration
from intermem.entities import FULL
from intermem.errors import ConfigurationError, DocumentRefused, UnreadableFile
from intermem.lazy_dataclass import dataclass
from intermem.project.boundary import place_in
from intermem.project.config_keys import BY_NAME, CHECKS, KEYS, OWN_TABLES, RETIRED, TABLES, Value
from intermem.project.files import read_text_file

if TYPE_CHECKING:  # imported where needed: check without entries needs no decay
    from intermem.core.lifecycle.decay import Decay, DecayPolicy
    from intermem.core.lifecycle.gates import Limits
    from intermem.core.lifecycle.staleness import Rules
    from intermem.core.region.budget import Budget

OWN_FILE = "intermem.toml"
SHARED_FILE = "pyproject.toml"
ENVIRONMENT = "INTERMEM_"
GIT_CONFIG = "git config"
OF_A_RUN = frozenset({"INTERMEM_NOW", "INTERMEM_OBSERVER"})

_MAX_DEPTH = 8  # of tables; ours have two
_SHOWN = 200  # characters of a wrong key or value
_MAX_BYTES = 4 * 1024 * 1024  # bytes of a configuration file
_LIST = "intermem config lists the keys"
_LISTS = ("texts", "rules", "hazards", "globs", "targets")
_FLAGS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


@dataclass(frozen=True, slots=True)
class Config:
    """Every key's value and where it comes from: ``default``, the ``file``, ``git config``, an environment variable.

    ``disregarded`` are the values that the file has for personal keys, ``retired`` the keys that only 0.1 had, as they
    are written.
    """

    values: Mapping[str, Value]
    origins: Mapping[str, str]
    file: Path | None = None
    disregarded: Mapping[str, Value] = field(default_factory=dict)
    retired: tuple[str, ...] = ()

    @property
    def notices(self) -> list[str]:
        """A sentence about each value that is ignored."""
        return [f"{name} has no effect any more; remove it" for name in self.retired] + [
            f"{self.file}: {name} is ignored in a file; set it with git config intermem.{_git_name(name)}, or"
            f" {ENVIRONMENT}{_variable_part(name)}"
            for name in sorted(self.disregarded)
        ]

    def text(self, name: str) -> str:
        """Return a string."""
        return str(self.values[name])

    def count(self, name: str) -> int:
        """Return a whole number."""
        value = self.values[name]
        assert isinstance(value, int)
        return value

    def flag(self, name: str) -> bool:
        """Return a boolean."""
        return self.values[name] is True

    def span(self, name: str) -> timedelta:
        """Return a duration."""
        return parse_duration(str(self.values[name]), whose=name)

    def thousandths(self, name: str) -> int:
        """Return a fraction as an integer 0..1000."""
        value = self.values[name]
        assert isinstance(value, int | float)
        return round(value * FULL)

    def texts(self, name: str) -> list[str]:
        """Return a list of strings; a single one becomes a list of one."""
        value = self.values[name]
        return list(value) if isinstance(value, list) else [str(value)]

    def table(self, name: str) -> Mapping[str, str | int]:
        """Return a table by types of notes, which are in lower case."""
        value = self.values[name]
        assert isinstance(value, dict)
        return {key.lower(): one for key, one in value.items() if isinstance(one, str | int)}

    def check_settings(self) -> CheckSettings:
        """Return which findings and documents check skips."""
        per_file = self.values["check.per-file-ignores"]
        assert isinstance(per_file, dict)
        return CheckSettings(
            ignore=codes_of(self.texts("check.ignore")),
            per_file=tuple((glob, codes_of(words)) for glob, words in per_file.items() if isinstance(words, list)),
            exclude=tuple(self.texts("check.exclude")),
            allowed=self.allowed_hazards(),
        )

    def allowed_hazards(self) -> frozenset[str]:
        """Return the codes of the hazards that are switched off."""
        return codes_of(self.texts("hazards.allow"))

    def rules(self) -> Rules:
        """Return the thresholds of the lifecycle."""
        from intermem.core.lifecycle.confidence import Weights
        from intermem.core.lifecycle.staleness import Rules

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
            types=frozenset(self.texts("promote.types")) - {"user"},
        )

    def decay(self) -> Decay:
        """Return how entries decay."""
        from intermem.core.lifecycle.decay import (
            Basis,
            Decay,
            GraceExponentialDecay,
            HalfLifeDecay,
            LinearDecay,
            NoDecay,
        )

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

    def budget(self) -> Budget:
        """Return how large promotions may make a region."""
        from intermem.core.region.budget import Budget

        return Budget(entries=self.count("promote.budget_entries"), tokens=self.count("promote.budget_tokens"))

    def limits(self) -> Limits:
        """Return the limits of a promotion."""
        from intermem.core.lifecycle.gates import Limits

        return Limits(
            entries=self.count("promote.limit"),
            budget=self.budget(),
            characters=self.count("promote.max_chars"),
            worth=self.thousandths("promote.min_worth"),
            similarity=self.thousandths("promote.similarity") / FULL,
        )


def load_config(
    root: Path,
    top: Path,
    given: Path | None,
    environment: Mapping[str, str],
    git_config: Iterable[tuple[str, str]] = (),
) -> Config:
    """Return the configuration of the project at ``root``.

    ``given`` (``--config``) or the nearest file upward from ``root`` to ``top``, then ``git_config`` (names
    without ``intermem.``, and values), then ``INTERMEM_*``. Raises ConfigurationError with the file, the key and a
    suggestion.
    """
    values: dict[str, Value] = {key.name: key.default for key in KEYS}
    origins = {key.name: "default" for key in KEYS}
    disregarded: dict[str, Value] = {}
    retired: list[str] = []
    found = _given(given) if given is not None else _nearest(root, top)
    if found is not None:
        path, table = found
        for name, value in _flat(table).items():
            if name in RETIRED:
                retired.append(f"{path}: {name}")
                continue
            checked = _checked(name, value, str(path))
            if BY_NAME[name].is_personal(checked):
                disregarded[name] = checked
                continue
            values[name] = checked
            origins[name] = str(path)
    for given_name, text in _joined(git_config):
        name = _known_to_git(given_name)
        values[name] = _from_text(name, text, f"{GIT_CONFIG} intermem.{given_name}")
        origins[name] = GIT_CONFIG
    for variable, text in sorted(environment.items()):
        if variable.startswith(ENVIRONMENT) and variable not in OF_A_RUN:
            name = _named_by(variable)
            if name in RETIRED:
                retired.append(variable)
                continue
            values[name] = _from_text(name, text, variable)
            origins[name] = variable
    return Config(values, origins, found[0] if found is not None else None, disregarded, tuple(retired))


def _given(path: Path) -> tuple[Path, Mapping[str, object]]:
    table = _read(path)
    own = table if path.name != SHARED_FILE else _own_table(table, path)
    return path, own or {}


def _nearest(root: Path, top: Path) -> tuple[Path, Mapping[str, object]] | None:
    for folder in (root, *root.parents):
        own = folder / OWN_FILE
        if os.path.lexists(own):
            return own, _read(_inside(top, own))
        shared = folder / SHARED_FILE
        if os.path.lexists(shared):
            table = _own_table(_read(_inside(top, shared)), shared)
            if table is not None:
                return shared, table
        if folder == top:
            break
    return None


def _inside(top: Path, found: Path) -> Path:
    """Return the path of a configuration file. Raises ConfigurationError where it is a link out of the repository."""
    try:
        place_in(top, found, str(found))
    except DocumentRefused as refused:
        raise ConfigurationError(refused.message, hint="put a file in its place, or name it with --config") from None
    return found


def _read(path: Path) -> Mapping[str, object]:
    import tomllib

    try:
        return tomllib.loads(read_text_file(path, str(path), _MAX_BYTES))
    except UnreadableFile as error:
        raise ConfigurationError(error.message, hint=error.hint) from None
    except RecursionError:
        raise ConfigurationError(f"{path}: nested too deeply", hint="correct the file") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(f"{path}: not valid TOML: {error}", hint="correct the file") from None
    except ValueError:  # what Python says of a number with thousands of digits
        raise ConfigurationError(f"{path}: a number has too many digits", hint="correct the file") from None


def _own_table(table: Mapping[str, object], path: Path) -> Mapping[str, object] | None:
    tool = table.get("tool")
    own = tool.get("intermem") if isinstance(tool, dict) else None
    if own is not None and not isinstance(own, dict):
        raise ConfigurationError(f"{path}: tool.intermem = {own!r}: expected a table", hint="[tool.intermem]")
    return own


def _flat(table: Mapping[str, object], prefix: str = "") -> dict[str, object]:
    found: dict[str, object] = {}
    for name, value in table.items():
        if isinstance(value, dict) and value and prefix + name not in OWN_TABLES and prefix.count(".") < _MAX_DEPTH:
            found |= _flat(value, f"{prefix}{name}.")
        elif isinstance(value, dict) and name in TABLES and not prefix:
            continue
        else:
            found[prefix + name] = value
    return found


def _checked(name: str, value: object, where: str) -> Value:
    key = BY_NAME.get(name)
    if key is None and name in TABLES:
        raise ConfigurationError(f"{where}: {name} is a table of keys, not a value", hint=f"[{name}]")
    if key is None:
        raise ConfigurationError(f"{where}: unknown key {_short(name)}", hint=_suggestion(name[:_SHOWN]))
    problem = "it holds a NUL" if _holds_nul(value) else CHECKS[key.kind](value)
    if problem:
        raise ConfigurationError(
            f"{where}: {name} = {_short(repr(value))}: {problem}",
            hint=f"{key.meaning} (default: {json.dumps(key.default)})",
        )
    assert isinstance(value, str | int | float | list | dict)
    return {**key.default, **value} if isinstance(key.default, dict) and isinstance(value, dict) else value


def _holds_nul(value: object) -> bool:
    if isinstance(value, dict):
        return any(map(_holds_nul, [*value, *value.values()]))
    return any(map(_holds_nul, value)) if isinstance(value, list) else isinstance(value, str) and "\0" in value


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


def _from_text(name: str, text: str, where: str) -> Value:
    kind = BY_NAME[name].kind
    value: object = text
    if kind in ("count", "positive"):
        value = int(text) if re.fullmatch(r"-?[0-9]{1,18}", text.strip()) else text
    elif kind == "flag":
        value = _FLAGS.get(text.strip().lower(), text)
    elif kind == "fraction":
        try:
            value = float(text)
        except ValueError:
            value = text
    elif kind in ("policies", "days"):
        value = _table_from_text(text)
    elif kind == "per-file":
        value = {name: str(words).split() for name, words in _table_from_text(text).items()}
    elif kind in _LISTS and not (kind == "targets" and text == "auto"):
        value = [part.strip() for part in text.split(",") if part.strip()]
    return _checked(name, value, where)


def _table_from_text(text: str) -> dict[str, object]:
    pairs = (part.partition("=") for part in text.split(",") if part.strip())
    return {name.strip(): _number_or_text(value.strip()) for name, _, value in pairs}


def _number_or_text(text: str) -> int | str:
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else text


def _joined(git_config: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return each name once: the values of a list are joined, of anything else the last one counts, as in git."""
    found: dict[str, str] = {}
    for name, value in git_config:
        is_list = name in found and BY_NAME[_known_to_git(name)].kind in _LISTS
        found[name] = f"{found[name]},{value}" if is_list else value
    return list(found.items())


def _known_to_git(given: str) -> str:
    """Return the key that git config calls ``given``: names have no underscores there, and their case is ignored."""
    names = {_git_name(key.name).lower(): key.name for key in KEYS}
    folded = re.sub(r"[_-]", "", given.lower())
    if folded not in names:
        close = _close(folded, names, 0.6)
        hint = f"did you mean intermem.{_git_name(names[close[0]])}?" if close else _LIST
        raise ConfigurationError(f"{GIT_CONFIG} intermem.{given}: unknown key", hint=hint)
    return names[folded]


def _git_name(name: str) -> str:
    """Return a key as git config spells it: ``state_dir`` is ``stateDir``."""
    return re.sub(r"[_-](.)", lambda match: match[1].upper(), name)


def _variable_part(name: str) -> str:
    return re.sub(r"[.-]", "_", name.upper())


def _named_by(variable: str) -> str:
    names = {ENVIRONMENT + _variable_part(name): name for name in (*BY_NAME, *sorted(RETIRED))}
    if variable not in names:
        close = _close(variable, names, 0.75)
        hint = f"did you mean {close[0]}?" if close else _LIST
        raise ConfigurationError(f"unknown setting {variable}", hint=hint)
    return names[variable]


def _close(word: str, known: Iterable[str], cutoff: float) -> list[str]:
    import difflib  # slow to import, and rarely needed

    return difflib.get_close_matches(word, list(known), 1, cutoff)


def _suggestion(name: str) -> str:
    close = _close(name, BY_NAME, 0.5)
    return f"did you mean {close[0]}?" if close else _LIST
