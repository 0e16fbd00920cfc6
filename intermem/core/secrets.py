"""Secrets in a text: the rule that found one, never the value."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any

from intermem.core.lines import split_lines
from intermem.entities import Record

# Version numbers look like addresses: on 302 real memory files every hit of this rule was one, or
# a private address. A public address is no secret.
_LEFT_OUT = frozenset({"IPPublicDetector"})

# Rules keyed on unquoted ``KEY=value`` only run for configuration files; notes quote such lines.
_READ_AS = "note.yaml"

# Tokens that agents meet daily and detect-secrets 1.5 does not know.
_TOKENS = {
    "Anthropic API key": re.compile(r"\bsk-ant-[A-Za-z0-9_-]{20,}"),
    "OpenAI project key": re.compile(r"\bsk-(?:proj|svcacct)-[A-Za-z0-9_-]{20,}"),
    "GitHub fine-grained token": re.compile(r"\bgithub_pat_[A-Za-z0-9_]{30,}"),
    "Google API key": re.compile(r"\bAIza[A-Za-z0-9_-]{35}\b"),
    "Hugging Face token": re.compile(r"\bhf_[A-Za-z0-9]{30,}\b"),
}


@lru_cache(maxsize=65_536)
def secret_rule(text: str) -> str | None:
    """Return the name of the first rule that finds a secret in ``text``, None where none does."""
    for number, line in enumerate(split_lines(text), 1):
        for name, pattern in _TOKENS.items():
            if pattern.search(line):
                return name
        for plugin in _plugins():
            if any(_is_value(hit.secret_value) for hit in _hits(plugin, line, number)):
                return str(plugin.secret_type)
    return None


def _hits(plugin: Any, line: str, number: int) -> Any:
    return plugin.analyze_line(filename=_READ_AS, line=line, line_number=number)


def _is_value(value: str | None) -> bool:
    """False for what only holds a secret's place: ``<token>``, ``${TOKEN}``, ``{{ token }}``."""
    return bool(value) and not re.fullmatch(r"[<\[{$%*].*|x+|\.+|\*+", value or "", re.IGNORECASE)


@cache
def _plugins() -> tuple[Any, ...]:
    from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class

    classes: Any = get_mapping_from_secret_type_to_class().values()
    return tuple(cls() for cls in sorted(classes, key=lambda cls: cls.__name__) if cls.__name__ not in _LEFT_OUT)


def without_secret(record: Record) -> Record:
    """Return ``record`` fit to be shown: a text that holds a secret is not echoed, a report may end up in a log."""
    return replace(record, text="(not shown)", citations=()) if secret_rule(record.shown_text) else record
