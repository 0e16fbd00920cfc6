"""Which citations of unchanged lines a change can have touched."""

from __future__ import annotations

from pathlib import Path

import pytest

from intermem.core.check.blocks import units_of
from intermem.core.citations.extract import citations_of
from intermem.core.citations.judge import Cited, questions_for
from intermem.core.citations.kinds.resolution import Setting
from intermem.core.citations.touched import Touched, citable_words
from intermem.facts import Change, Tree

TREE = Tree(
    paths=frozenset({"src/app/main.py", "src/app/util.py", "package.json"}),
    dirs=frozenset({"src", "src/app"}),
    by_name={"main.py": ("src/app/main.py",), "util.py": ("src/app/util.py",)},
)
BEFORE = b"def save_all(rows):\n    return rows\n\nLIMIT = 3\n"


def touched(text: str, change: Change) -> bool:
    tells, setting = Touched(change), Setting(folder="")
    found = any(tells(one, questions_for([Cited(one, setting)], TREE)) for one in citations_of(text))
    assert tells.may_be_in(text) or not found
    return found


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("Call `save_all()`.", Change(files={"a.py": (BEFORE, b"LIMIT = 3\n")})),
        ("Call `store.save_all()`.", Change(files={"a.py": (BEFORE, None)})),
        ("Call `save_all()`.", Change(files={"a.py": (BEFORE, b"# save_all is gone\n")})),
        ("Call `save_all()`.", Change(files={"a.py": (BEFORE, None), "b.py": (b"", b"save_all_rows()\n")})),
        ("Call `Main.go()`.", Change(deleted=frozenset({"lib/Main.kt"}))),
        ("See `app/gone.py`.", Change(deleted=frozenset({"src/app/gone.py"}))),
        ("See `src/app/main.py`.", Change(added=frozenset({"other/main.py"}))),
        ("See `src/app/`.", Change(dirs=frozenset({"lib/app"}))),
        ("See `src/app/main.py:40`.", Change(modified=frozenset({"src/app/main.py"}))),
        ("See `src/**/*.py`.", Change(deleted=frozenset({"docs/a.md"}))),
        ("See `build/out.js`.", Change(modified=frozenset({"src/.gitignore"}))),
        ("Run `npm run build`.", Change(modified=frozenset({"web/package.json"}))),
        ("Requires Python 3.11.", Change(modified=frozenset({".github/workflows/test.yml"}))),
        ("Requires Python 3.11.", Change(modified=frozenset({"api/Dockerfile"}))),
        ("Tests run with pytest.", Change(deleted=frozenset({"api/pytest.ini"}))),
        ("- Django 4.2", Change(modified=frozenset({"requirements.txt"}))),
        ("The API is on port 4010.", Change(modified=frozenset({"deploy/compose.prod.yaml"}))),
        ("The API is on port 4010.", Change(files={"a.go": (b'Listen(":4010")\n', b'Listen(":4011")\n')})),
        ("See [it](docs/my%20notes.txt).", Change(deleted=frozenset({"docs/my notes.txt"}))),
        ("See `src/(shop)/`.", Change(dirs=frozenset({"src/(shop)"}))),
        ("Run `python tools/make.py`.", Change(deleted=frozenset({"tools/make.py"}))),
    ],
)
def test_what_a_change_can_have_touched(text: str, change: Change) -> None:
    assert touched(text, change)


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("Call `save_all()`.", Change(files={"a.py": (BEFORE, b"save_all(kept)\n")})),
        ("Call `save_all()`.", Change(files={"a.py": (BEFORE, None), "b.py": (b"", b"x = save_all(rows)\n")})),
        ("Call `save_all()`.", Change(files={"a.py": (BEFORE, BEFORE.replace(b"LIMIT", b"MOST"))})),
        ("Call `save_all()`.", Change(files={"a.py": (None, BEFORE)}, added=frozenset({"a.py"}))),
        ("See `src/app/main.py`.", Change(deleted=frozenset({"src/app/other.py"}))),
        ("See `src/app/main.py`.", Change(modified=frozenset({"src/app/main.py"}))),
        ("See `src/app/`.", Change(added=frozenset({"src/app/new.py"}))),
        ("See `src/**/*.py`.", Change(modified=frozenset({"src/app/main.py"}))),
        ("See `src/**/*.py`.", Change(added=frozenset({"src/app/new.py"}))),
        ("Call `save_all()`.", Change(files={"a.py": (b"# save_all\nLIMIT = 3\n", b"LIMIT = 3\n")})),
        ("See https://example.org/main.py.", Change(deleted=frozenset({"main.py"}))),
        ("Run `npm run build`.", Change(modified=frozenset({"src/app/main.py"}))),
        ("The API is on port 4010.", Change(modified=frozenset({"src/app/main.py"}))),
    ],
)
def test_what_it_cannot(text: str, change: Change) -> None:
    assert not touched(text, change)


@pytest.mark.parametrize(
    "text",
    [
        "See `gone`.",
        "See app/gone.py.",
        "The files are in src/gone/ only.",
        "- [it](docs/my%20notes.txt)",
        "- [it](<docs/my notes.txt>)",
        "See [[my notes]].",
        "Call `save_all()` first.",
        "Call save_all first.",
        "Call `save_all\nor load_all` first.",
        "Call store.SaveAll() first.",
        "```\nsave_all\n```",
        "See `docs/*.md`.",
        "---\nglobs: gone\n---\n",
        "It is at `kept.py:12`.",
        "[x](/lib/ke%70t.py#L12)",
        "`lib\\kept.py:12`",
        "See lib\\kept.py:12.",
        "[x](/lib/my%20notes.py#L50)",
        "→save_all←",
        "save\\_all",
    ],
)
def test_a_text_with_a_word_of_the_change_is_read(text: str) -> None:
    before = b"def save_all(rows):\n    return rows\n\ndef SaveAll(): pass\n"
    deleted = frozenset({"src/app/gone.py", "docs/my notes.txt"})
    change = Change(
        deleted=deleted,
        dirs=frozenset({"src/gone"}),
        modified=frozenset({"lib/kept.py", "lib/my notes.py"}),
        files={"a.py": (before, b"")},
    )
    assert Touched(change).may_be_in(text)


@pytest.mark.parametrize(
    "text",
    [
        "Call `load_all()` before `src/app/other.ts`.",
        "**Nothing** is gone for good, and all of it is saved: save it all.",
        "It is at `kept.py`, and at `other.py:12`.",
        "Docs are in `guide.md`.",
    ],
)
def test_a_text_without_one_is_not(text: str) -> None:
    before = b"def save_all(rows):\n    # saved for good: all is well\n    return rows\n"
    change = Change(
        deleted=frozenset({"src/app/gone.py", "docs/old.md"}),
        modified=frozenset({"lib/kept.py"}),
        files={"a.py": (before, b"")},
    )
    assert not Touched(change).may_be_in(text)


def test_prose_has_no_words_that_a_citation_of_code_may_have() -> None:
    assert citable_words("Then **save it** all: `x y`, the end.") == {b"x", b"y"}


def test_whatever_is_touched_is_in_a_text_that_may_be() -> None:
    """Of every citation in our own documents: where its file was deleted, or its name left the code."""
    root = Path(__file__).parents[3]
    cases = 0
    for file in (root / "AGENTS.md", root / "README.md", root / "docs/ci.md"):
        whole = file.read_text("utf-8")
        for unit in units_of(whole, file.name):
            for cited in citations_of(unit.text):
                asked = questions_for([Cited(cited, Setting(folder=""))], TREE)
                last = cited.name.rstrip("/").rpartition("/")[2]
                named = [name.removesuffix("()") for name in asked.names if name.removesuffix("()") in unit.text]
                changes = [Change(files={"x.py": (f"x = {name}()\n".encode(), b"")}) for name in named]
                changes += [Change(deleted=frozenset({f"old/{last}"}))] if last in unit.text.split() else []
                for tells in map(Touched, changes):
                    if tells(cited, asked):
                        cases += 1
                        assert tells.may_be_in(unit.text), (cited, unit.text)
                        assert tells.may_be_in(whole), (cited, file)
    assert cases > 100


@pytest.mark.parametrize(
    "text",
    ["a" * 300_000, "." * 300_000, "`" * 100_000, "`x` " * 40_000, "1:1" * 60_000, "*" * 200_000, "%20" * 60_000],
)
def test_a_text_of_one_long_word_is_looked_at_once(text: str) -> None:
    """Scanning anew from each character would take hours: this ends, or the time limit of the suite ends it."""
    deleted, modified = frozenset({"old/gone.py"}), frozenset({"lib/kept.py"})
    assert not Touched(Change(deleted=deleted, modified=modified)).may_be_in(text)
