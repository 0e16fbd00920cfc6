#!/usr/bin/env python3
"""Write intermem/core/entries/secret_rules/catalogue.py: how the tokens of known services begin.

usage: token_catalogue.py [--check]

Needs ruff, and ``pip install kingfisher-secret-scanner``, which is no dependency of the project: its wheel has the
rules of Betterleaks. Nothing is scanned or sent. A rule is taken if the token itself begins with a telling text. Left
out are rules for what is no secret by itself (public keys, ids, hosts), and for values that only the name of a service
beside them tells. ``--check`` writes nothing and fails if the file is not what the installed wheel gives.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from re import _constants as kinds  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

DISTRIBUTION = "kingfisher-secret-scanner"
TARGET = Path(__file__).resolve().parents[1] / "intermem/core/entries/secret_rules/catalogue.py"
NO_SECRET = re.compile(
    r"pub(?:lic)?-|client-id|app-id|-url|-host|-name|private-key$|connection-string|^posthog-project"
)
# A prefix that is enough: a separator at its end, and long enough to be no word or number.
TELLING = re.compile(
    r"(?=.{4,})(?!(?:key|live|test|ext|scauth|apk|cog|api|apikey)[_-]$).*[A-Za-z].*[_.:=~+-]|[A-Za-z0-9_./+-]{8,}"
)
MAX_BRANCHES, MIN_LETTERS, MAX_PATTERN = 24, 3, 80
ENDS = [
    r"""(?:\\?['"\x60]|[\s;]|\\[nr]|$)""",
    r"(?:[^A-Za-z0-9_-]|$)",
    r"(?:$|[^A-Za-z0-9_-])",
    r"""(?:[\x60'"\s;]|\\[nr]|$|\b)""",
]
HEAD = '''"""How the tokens of known services begin. Written by benchmarks/token_catalogue.py: do not edit.

The facts are from the rules of Betterleaks, as in {distribution} {version}, under this licence:

MIT License

Copyright (c) 2026 Zachary Rice

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
"""

from __future__ import annotations

# What it is, and the beginnings, any of which is enough for a long word.
PREFIXES: tuple[tuple[str, tuple[str, ...]], ...] = (
{prefixes}
)
# What it is, how it begins, and the whole token: the beginning alone could be anything.
PATTERNS: tuple[tuple[str, tuple[str, ...], str], ...] = (
{patterns}
)
'''


def main() -> int:
    parsed = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parsed.add_argument("--check", action="store_true")
    args = parsed.parse_args()
    page = formatted(catalogue(rules_of_wheel()))
    if args.check:
        return int(TARGET.read_text("utf-8") != page)
    TARGET.write_text(page, "utf-8")
    return 0


def formatted(source: str) -> str:
    command = ["ruff", "format", "--stdin-filename", str(TARGET), "-"]
    return subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout


def rules_of_wheel() -> list[dict[str, Any]]:
    """Return the rules that come from Betterleaks, by name."""
    import kingfisher_sdk  # type: ignore[import-not-found]

    rules = kingfisher_sdk.Rules(confidence="low", cache=False)
    names = [one["id"] for one in rules.metadata() if one["id"].startswith("betterleaks.")]
    return [rules.detail(name) for name in sorted(names)]


def catalogue(rules: Iterable[dict[str, Any]]) -> str:
    """Return the module: prefixes that are enough, and patterns for the others."""
    prefixes: dict[str, set[str]] = {}
    patterns: dict[tuple[str, str], set[str]] = {}
    for rule in rules:
        name = re.sub(r"\.\d+$", "", rule["id"].removeprefix("betterleaks."))
        if not rule["visible"] or rule["path"] or NO_SECRET.search(name):
            continue
        pattern = as_python(without_end(rule["detection_regex"]))
        beginnings = beginnings_of(pattern, int(rule["betterleaks_secret_group"]))
        if not beginnings or min(map(len, beginnings)) < MIN_LETTERS:
            continue
        shown = name.replace("-", " ").replace("personnal", "personal")
        telling = {one for one in beginnings if TELLING.fullmatch(one)}
        prefixes.setdefault(shown, set()).update(telling)
        if telling != beginnings and len(pattern) <= MAX_PATTERN:
            patterns.setdefault((shown, pattern), set()).update(beginnings)
    told = [f"    ({quoted(name)}, {tuple_of(found)})," for name, found in prefixes.items() if found]
    whole = [f"    ({quoted(name)}, {tuple_of(found)}, r{quoted(one)})," for (name, one), found in patterns.items()]
    version = importlib.metadata.version(DISTRIBUTION)
    return HEAD.format(distribution=DISTRIBUTION, version=version, prefixes="\n".join(told), patterns="\n".join(whole))


def quoted(text: str) -> str:
    assert '"' not in text, text
    return f'"{text}"'


def tuple_of(texts: Iterable[str]) -> str:
    found = [quoted(one) for one in sorted(texts)]
    return f"({', '.join(found)}{',' if len(found) == 1 else ''})"


def without_end(pattern: str) -> str:
    """Return ``pattern`` without what must follow in code: in prose a full stop or a bracket may."""
    for end in ENDS:
        pattern = pattern.removesuffix(end)
    return pattern.removesuffix(r"\b")


def as_python(pattern: str) -> str:
    """Return a pattern of Rust as one of Python: flags in the middle hold to the end of their group."""
    pattern = pattern.replace(r"\z", r"\Z").replace("[:alnum:]", "A-Za-z0-9").replace("[[A-Za-z0-9]]", "[A-Za-z0-9]")
    written, opened, at, in_set = "", [0], 0, False
    while at < len(pattern):
        flags = re.match(r"\(\?([imsx]+)\)", pattern[at:])
        piece = pattern[at : at + 2] if pattern[at] == "\\" else pattern[at]
        if in_set or piece == "[":
            in_set = piece != "]"
        elif flags is not None and at > 0:
            opened[-1] += 1
            at += len(flags[0])
            written += f"(?{flags[1]}:"
            continue
        elif piece == "(":
            opened.append(0)
        elif piece == ")":
            written += ")" * opened.pop()
        written += piece
        at += len(piece)
    return written + ")" * opened.pop()


def beginnings_of(pattern: str, group: int) -> set[str]:
    """Return the texts with which the secret of ``pattern`` can begin; empty if they cannot be told."""
    try:
        parsed = parser.parse(pattern)
    except re.error as error:
        print(f"left out ({error}): {pattern[:60]}", file=sys.stderr)
        return set()
    wanted = group or (1 if parsed.state.groups > 1 else 0)
    body = next(groups_of(parsed, wanted), None) if wanted else parsed
    return {text for text, _ in leading(body)} if body is not None else set()


def groups_of(items: Any, number: int) -> Iterator[Any]:
    for kind, value in items:
        if kind is kinds.SUBPATTERN:
            if value[0] == number:
                yield value[3]
            yield from groups_of(value[3], number)
        elif kind is kinds.BRANCH:
            for branch in value[1]:
                yield from groups_of(branch, number)
        elif kind in (kinds.MAX_REPEAT, kinds.MIN_REPEAT):
            yield from groups_of(value[2], number)


def leading(items: Any) -> list[tuple[str, bool]]:
    """Return the texts with which ``items`` begin, each with whether it is the whole of them."""
    found = [("", True)]
    for kind, value in items:
        if kind in (kinds.AT, kinds.ASSERT, kinds.ASSERT_NOT):
            continue
        if not any(whole for _, whole in found):
            break
        found = [
            (text + more, still) if whole else (text, False)
            for text, whole in found
            for more, still in (step(kind, value) if whole else [("", False)])
        ]
        if len(found) > MAX_BRANCHES:
            return [("", False)]
    return found


def step(kind: Any, value: Any) -> list[tuple[str, bool]]:
    if kind is kinds.LITERAL:
        return [(chr(value), True)]
    if kind is kinds.SUBPATTERN:
        return leading(value[3])
    if kind is kinds.BRANCH:
        return [one for branch in value[1] for one in leading(branch)]
    return [("", False)]


if __name__ == "__main__":
    sys.exit(main())
