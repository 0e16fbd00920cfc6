"""Parse command lines: the script, target, module, file or subcommand of the repository that one runs."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from intermem.core.citations.kinds.extensions import EXTENSIONS
from intermem.core.citations.kinds.name_evidence import COMMON
from intermem.patterns import regex

_PROMPT = regex(r"^\s*(?:\$|>|%)\s+")
_PARTS = regex(r"\s*(?:&&|\|\||;|\|)\s*")
_VARIABLE = regex(r"[A-Z_][A-Z0-9_]*=.*")
_WORD = regex(r"[A-Za-z][\w:.-]*")
_SMALL = regex(r"[a-z][a-z0-9-]*")
_TARGET = regex(r"[\w./-]+")
_MODULE = regex(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
# Arguments of the repository's own programs; anything else is a sentence or code.
_ARGUMENT = regex(r"[a-z][\w-]*|-{1,2}[\w=.-]+|<[^<>]*>|\[[^\[\]]*\]|\.{3}|\d+|[A-Z_]+")
_WORKFLOW = regex(r"[\w.-]+\.ya?ml")
_OF_WORKFLOWS = frozenset({"run", "view", "enable", "disable"})
_BEFORE = frozenset({"sudo", "time", "env", "nohup", "exec", "command"})
_WRAPPERS = frozenset({"uv", "poetry", "pipenv", "pdm", "hatch", "rye"})
_WITH_VALUE = frozenset(
    {
        "-C",
        "--prefix",
        "--dir",
        "--filter",
        "-F",
        "-w",
        "--workspace",
        "-f",
        "--with",
        "--project",
        "--extra",
        "--group",
    }
)
_CARGO_TARGETS = frozenset({"--bin", "--example", "--test", "--bench", "-p", "--package", "--features"})
_INTERPRETERS = frozenset({"bash", "sh", "zsh", "node", "ruby", "perl", "php", "deno", "tsx", "pwsh", "py"})
_PACKAGE_MANAGERS = frozenset(
    """
    install ci add remove i update publish init link pack audit exec create login version view why require show
    dump-autoload workspaces
    """.split()  # noqa: SIM905 - a list reads worse
)


def run_by(line: str) -> str | None:
    """Return what ``line`` runs in the repository, or None if unknown.

    It is the program's family, a space, and what it runs: ``npm-run test:ci``, ``make all``, ``python
    pkg.mod``, ``file scripts/x.sh``, ``own kiln fire``. The first of several commands that runs something counts.
    """
    found = (_run_by(_arguments(part)) for part in _PARTS.split(_PROMPT.sub("", line)))
    return next((one for one in found if one is not None), None)


def _arguments(part: str) -> list[str]:
    """Return the words of a command without prefixes such as ``sudo``, ``A=1``, ``uv run``."""
    try:
        words = shlex.split(part, comments=True)
    except ValueError:
        words = part.split()
    while words and (words[0] in _BEFORE or words[0] == "-u" or _VARIABLE.fullmatch(words[0])):
        words = words[2 if words[0] == "-u" else 1 :]  # env -u NAME
    if len(words) > 1 and words[0] in _WRAPPERS and words[1] == "run":
        return _without_options(words[2:])
    return words


def _without_options(words: Sequence[str]) -> list[str]:
    rest = list(words)
    while rest and rest[0].startswith("-") and rest[0] != "-m":
        rest = rest[2 if rest[0] in _WITH_VALUE else 1 :]
    return rest


def _run_by(words: Sequence[str]) -> str | None:
    rest = _without_options(words[1:])
    if not rest:
        return None
    program = words[0].rpartition("/")[2]
    family = _FAMILIES.get("python" if program.startswith("python") else program)
    if family is not None:
        return family([program, *words[1:]], rest) or _file(program, rest)
    return _file(program, rest) or _own(program, words, rest)


def _npm(words: Sequence[str], rest: Sequence[str]) -> str | None:
    closed = words[0] in ("npm", "pnpm") and "--if-present" not in words  # the others also run files and binaries
    if rest[0] in ("run", "run-script"):
        after = _without_options(rest[1:])
        if not after or not _WORD.fullmatch(after[0]) or after[0] == "env":
            return None
        return f"{'npm-run' if closed else 'npm'} {after[0]}"
    if rest[0] in ("test", "t", "start", "stop"):
        return "npm " + {"t": "test"}.get(rest[0], rest[0])
    if words[0] in ("npm", "bun"):  # these run no script by its bare name
        return None
    return _task(words, rest, family="npm")


def _make(_words: Sequence[str], rest: Sequence[str]) -> str | None:
    target = next((word for word in rest if "=" not in word and not word.startswith("-")), "")
    return f"make {target}" if _TARGET.fullmatch(target) else None


def _task(words: Sequence[str], rest: Sequence[str], family: str = "") -> str | None:
    known = rest[0] in _PACKAGE_MANAGERS or not _WORD.fullmatch(rest[0])
    return None if known else f"{family or words[0]} {rest[0]}"


def _gradle(_words: Sequence[str], rest: Sequence[str]) -> str | None:
    task = rest[0].rpartition(":")[2]
    return f"gradle {task}" if _WORD.fullmatch(task) else None


def _cargo(words: Sequence[str], _rest: Sequence[str]) -> str | None:
    target = next((value for option, value in pairwise(words[1:]) if option in _CARGO_TARGETS), "")
    return f"cargo {target}" if _TARGET.fullmatch(target) else None


def _python(words: Sequence[str], _rest: Sequence[str]) -> str | None:
    module = next((value for option, value in pairwise(words) if option == "-m"), "")
    return f"python {module}" if _MODULE.fullmatch(module) else None


def _zig(_words: Sequence[str], rest: Sequence[str]) -> str | None:
    step = rest[1] if rest[0] == "build" and len(rest) > 1 else ""
    return f"zig {step}" if _WORD.fullmatch(step) else None


def _tox(words: Sequence[str], _rest: Sequence[str]) -> str | None:
    session = next((value for option, value in pairwise(words) if option in ("-e", "-s")), "")
    return f"tox {session}" if _WORD.fullmatch(session) else None


def _workflow(_words: Sequence[str], rest: Sequence[str]) -> str | None:
    """Return the file of a workflow that ``gh workflow run NAME.yml`` names."""
    named = rest[2] if rest[0] == "workflow" and len(rest) > 2 and rest[1] in _OF_WORKFLOWS else ""
    return f"file .github/workflows/{named}" if _WORKFLOW.fullmatch(named) else None


_FAMILIES: Mapping[str, Callable[[Sequence[str], Sequence[str]], str | None]] = {
    **dict.fromkeys(("npm", "pnpm", "yarn", "bun"), _npm),
    **dict.fromkeys(("make", "gmake"), _make),
    **dict.fromkeys(("just", "task", "composer", "rake"), _task),
    **dict.fromkeys(("gradle", "gradlew", "gradlew.bat"), _gradle),
    **dict.fromkeys(("python", "py"), _python),
    **dict.fromkeys(("tox", "nox"), _tox),
    "cargo": _cargo,
    "gh": _workflow,
    "zig": _zig,
}


def _file(program: str, rest: Sequence[str]) -> str | None:
    """Return the file that an interpreter runs, if it is given with a folder."""
    if program not in _INTERPRETERS and not program.startswith("python"):
        return None
    path = rest[0].removeprefix("./")
    known = path.rpartition(".")[2].lower() in EXTENSIONS
    return f"file {path}" if "/" in path and known and _TARGET.fullmatch(path) else None


def _own(program: str, words: Sequence[str], rest: Sequence[str]) -> str | None:
    """Return a program that may be the repository's own, with its subcommand: ``own kiln fire``."""
    if program in COMMON or not _SMALL.fullmatch(program) or not _SMALL.fullmatch(rest[0]):
        return None
    files = any("/" in word or word.rpartition(".")[2].lower() in EXTENSIONS for word in words[1:])
    if files or not all(_ARGUMENT.fullmatch(word) for word in words[1:]):
        return None  # the file is a citation of its own
    second = rest[1] if len(rest) > 1 and _SMALL.fullmatch(rest[1]) else ""
    return f"own {program} {rest[0]} {second}".strip()
