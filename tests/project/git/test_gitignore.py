"""``.gitignore`` files at a revision ignore what git ignores on disk."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from intermem.project.git.gitignore import IgnoreRules

PIECES = st.sampled_from(
    [
        "a",
        "b",
        "c",
        "*",
        "**",
        "?",
        "/",
        "/**/",
        "**/",
        "/**",
        "[ab]",
        "[!a]",
        "[a-c]",
        "[]a]",
        "[[:alpha:]]",
        "\\a",
        "-",
    ]
)
LINES = st.lists(PIECES, min_size=1, max_size=6).map("".join)
NAMES = st.text(alphabet="abc-]", min_size=1, max_size=3)
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("ignoring")
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    return folder


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    lines=st.lists(LINES, min_size=1, max_size=4),
    negated=st.sets(st.integers(0, 3)),
    folders=st.sets(st.integers(0, 3)),
    paths=st.lists(PATHS, min_size=1, max_size=12, unique=True),
)
def test_the_same_is_ignored_as_by_git(
    repository: Path, lines: list[str], negated: set[int], folders: set[int], paths: list[str]
) -> None:
    written = [
        ("!" if number in negated else "") + line + ("/" if number in folders else "")
        for number, line in enumerate(lines)
    ]
    assume(not any("//" in line or not line.strip("!/") for line in written))
    text = "".join(f"{line}\n" for line in written)
    (repository / ".gitignore").write_text(text, "utf-8")
    asked = [path for path in paths if not path.startswith("-")] + [f"{path}/" for path in paths[:4] if path[0] != "-"]
    assume(asked)
    command = ["git", "-C", str(repository), "check-ignore", "-z", "--stdin", "--no-index"]
    out = subprocess.run(command, input="\0".join(asked).encode(), capture_output=True, check=False).stdout
    assert IgnoreRules({".gitignore": text}.get).ignored(asked) == {path for path in out.decode().split("\0") if path}


@pytest.mark.parametrize(
    ("text", "path", "fits"),
    [
        ("a\\ \n", "a ", True),
        ("a \n", "a", True),
        ("\\#a\n", "#a", True),
        ("#a\n", "#a", False),
        ("\\!a\n", "!a", True),
        ("a\r\n", "a", True),
        ("\ufeffa\n", "a", True),
        ("[a\nb\n", "b", True),
        ("[a\nb\n", "[a", False),
        ("*\n!a\n", "a", False),
        ("d/\n!d/a\n", "d/a", True),
    ],
)
def test_lines_are_read_as_git_reads_them(text: str, path: str, fits: bool) -> None:
    assert bool(IgnoreRules({".gitignore": text}.get).ignored([path])) is fits
