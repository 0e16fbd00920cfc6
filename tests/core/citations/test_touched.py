"""Which citations of unchanged lines a change can have touched."""

from __future__ import annotations

import pytest

from intermem.core.citations.extract import citations_of
from intermem.core.citations.judge import Cited, questions_for
from intermem.core.citations.kinds.resolution import Setting
from intermem.core.citations.touched import Touched
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
        ("See https://example.org/main.py.", Change(deleted=frozenset({"main.py"}))),
        ("Run `npm run build`.", Change(modified=frozenset({"src/app/main.py"}))),
        ("The API is on port 4010.", Change(modified=frozenset({"src/app/main.py"}))),
    ],
)
def test_what_it_cannot(text: str, change: Change) -> None:
    assert not touched(text, change)


def test_a_text_without_a_word_of_the_change_need_not_be_read() -> None:
    gone = Touched(Change(deleted=frozenset({"src/app/gone.py"}), files={"a.py": (BEFORE, b"")}))
    assert not gone.may_be_in("Call `load_all()` before `src/app/main.ts`.".replace("main", "other"))
    assert gone.may_be_in("See `gone`.") and gone.may_be_in("Call `save_all()`.") and gone.may_be_in("See `docs/*.md`.")
