from __future__ import annotations

import io

import pytest

from intermem.cli.progress import ProgressBar
from tests.conftest import Sandbox


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")


def test_the_bar_appears_after_a_while_with_the_last_step() -> None:
    stream = Terminal()
    with ProgressBar(stream, quiet=False) as bar:
        bar("judging", 5, 10)
        assert stream.getvalue() == ""
        bar._begin()  # what the timer does after a second
        assert "judging" in stream.getvalue()
        assert "50%" in stream.getvalue()
        bar("reading the history", 0, 0)
    assert "reading the history" in stream.getvalue()


def test_quick_work_shows_no_bar() -> None:
    stream = Terminal()
    with ProgressBar(stream, quiet=False) as bar:
        bar("judging", 5, 10)
    bar._begin()  # a timer that fires too late
    assert stream.getvalue() == ""


@pytest.mark.parametrize(("stream", "quiet"), [(io.StringIO(), False), (Terminal(), True)])
def test_there_is_no_bar_in_a_pipe_or_when_quiet(stream: io.StringIO, quiet: bool) -> None:
    with ProgressBar(stream, quiet=quiet) as bar:
        bar._begin()
        bar("judging", 5, 10)
    assert stream.getvalue() == ""


def test_checks_say_what_they_read_and_how_far_they_are(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[tuple[str, int, int]] = []
    monkeypatch.setattr(ProgressBar, "__call__", lambda _self, *step: said.append(step))
    for number in range(150):
        sandbox.write(f"src/f{number}.py", f"def the_name_of_{number}():\n    pass\n")
    sandbox.write("AGENTS.md", "- Call `the_name_of_7()` and `gone_it()`, see `src/gone.py`.\n")
    sandbox.commit()
    for number in range(150):
        (sandbox.root / f"src/f{number}.py").unlink()
    sandbox.commit()
    sandbox.write("src/f.py", "x = 1\n")
    sandbox.run("check", "--all", code=1)
    assert said == [
        ("reading the history", 0, 0),
        ("searching the code", 0, 2),
        ("searching the history", 0, 150),
        ("searching the history", 100, 150),
        ("searching the history", 0, 1),
    ]
    said.clear()
    sandbox.run("check", "--all", code=1)
    assert said == [("reading the history", 0, 0)]
