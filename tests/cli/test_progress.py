from __future__ import annotations

import io

import pytest

from intermem.cli.progress import ProgressBar


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
