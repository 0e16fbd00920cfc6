"""``merge-driver`` as git runs it: in merges, rebases and cherry-picks, and where things go wrong."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from intermem.cli.main import main
from intermem.commands import merge_driver
from intermem.core.region.parse import find_region
from intermem.project.git.merge_file import merge_file
from tests.conftest import Sandbox, git

BODY = "### Build\n\n- Run the queue worker first.\n- Clear the cache.\n\n### Style\n\n- Tabs count as one column.\n"
QUEUE, CACHE, TABS = (line + "\n" for line in BODY.split("\n") if line.startswith("- "))
NEW = "- Something else entirely, added there.\n"


def document(body: str, above: str = "Hello.\n", below: str = "More.\n") -> str:
    return f"# P\n\n{above}\n<!-- intermem:begin -->\n{body}<!-- intermem:end -->\n\n{below}"


def moved(body: str) -> str:
    return body.replace(QUEUE, "") + QUEUE


class Files:
    """Three files as git makes them, and the verb run on them."""

    def __init__(self, folder: Path, *contents: str | bytes) -> None:
        self.paths = [folder / name for name in ("base", "ours", "theirs")]
        for path, content in zip(self.paths, contents, strict=True):
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        self.plain, _ = merge_file(
            *(path.read_bytes() for path in self.paths), labels=("ours", "base", "theirs"), size=7, style="merge"
        )

    def merge(self, *options: str) -> int:
        return main(["merge-driver", *map(str, self.paths), "docs/AGENTS.md", *options])

    @property
    def result(self) -> str:
        return self.paths[1].read_bytes().decode()


@pytest.fixture(autouse=True)
def _outside_any_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_the_result_is_in_ours_and_nothing_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = Files(
        tmp_path,
        document(BODY),
        document(moved(BODY), above="Hi.\n"),
        document(BODY.replace(QUEUE, QUEUE + NEW), below="Less.\n"),
    )
    assert files.merge() == 0
    assert files.result == document(moved(BODY).replace(CACHE, NEW + CACHE), "Hi.\n", "Less.\n")
    assert capsys.readouterr() == ("", "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["base", "ours", "theirs"]


def test_two_wordings_are_a_conflict_with_the_size_of_markers_that_git_wants(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ours, theirs = (document(BODY.replace("Run the", f"{word} the")) for word in ("Start", "Mind"))
    files = Files(tmp_path, document(BODY), ours, theirs)
    assert files.merge("--marker-size", "9") == 1
    one, other = (QUEUE.replace("Run", word) for word in ("Start", "Mind"))
    between = f"{'<' * 9} ours\n{one}{'=' * 9}\n{other}{'>' * 9} theirs\n"
    assert files.result == document(BODY.replace(QUEUE, between))
    said = "docs/AGENTS.md: ours: Start the queue worker first.; theirs: Mind the queue worker first.\n"
    assert capsys.readouterr().out == said


def test_a_conflict_outside_is_one_and_the_region_is_merged_all_the_same(tmp_path: Path) -> None:
    files = Files(
        tmp_path, document(BODY), document(moved(BODY), "Hi.\n"), document(BODY.replace(QUEUE, QUEUE + NEW), "Ho.\n")
    )
    assert files.merge() == 1
    body = moved(BODY).replace(CACHE, NEW + CACHE)
    assert files.result == document(body, "<<<<<<< ours\nHi.\n=======\nHo.\n>>>>>>> theirs\n")


def test_the_style_of_conflicts_is_the_configured_one(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    git(tmp_path, "config", "merge.conflictStyle", "diff3")
    ours, theirs = (document(BODY.replace("Run the", f"{word} the"), f"{word}.\n") for word in ("Start", "Mind"))
    files = Files(tmp_path, document(BODY), ours, theirs)
    assert files.merge() == 1
    assert f"||||||| base\n{QUEUE}=======\n" in files.result and "||||||| base\nHello.\n=======\n" in files.result


LINE_BY_LINE = {
    "a side without a region": ("# P\n\nHello.\n", False),
    "a damaged region": (document(BODY).replace("<!-- intermem:end -->\n", ""), True),
    "lines that are no entries": (document("Your words.\n\n" + BODY), True),
    "no UTF-8": (document(BODY).encode() + b"\xff\n", True),
    "more than a document may have": (document(BODY) + "x" * (4 << 20), True),
}


@pytest.mark.parametrize("case", LINE_BY_LINE)
def test_what_cannot_be_merged_by_entries_is_merged_as_git_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], case: str
) -> None:
    theirs, says = LINE_BY_LINE[case]
    files = Files(tmp_path, document(BODY), document("My words.\n\n" + moved(BODY)), theirs)
    plain = files.plain
    assert files.merge() == (1 if b"<<<<<<<" in plain else 0)
    assert files.paths[1].read_bytes() == plain
    assert bool(capsys.readouterr().err) is says


def test_a_mistake_of_ours_leaves_what_git_would_have_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    files = Files(tmp_path, document(BODY), document(moved(BODY)), document(BODY + NEW))
    monkeypatch.setattr("intermem.workflow.document_merge.merged_document", lambda *_, **__: 1 / 0)
    assert files.merge() == (1 if b"<<<<<<<" in files.plain else 0)
    assert files.paths[1].read_bytes() == files.plain
    said = capsys.readouterr().err
    assert said == "note: docs/AGENTS.md was merged line by line: ZeroDivisionError: division by zero\n"


def test_what_git_cannot_merge_stays_ours(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = [tmp_path / name for name in ("base", "ours", "theirs")]
    for number, path in enumerate(paths):
        path.write_bytes(f"a\0{number}\n".encode())
    assert main(["merge-driver", *map(str, paths), "x.md"]) == 2
    assert paths[1].read_bytes() == b"a\x001\n"
    assert "git merge-file failed" in capsys.readouterr().err


def test_a_full_disk_leaves_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = Files(tmp_path, document(BODY), document(moved(BODY)), document(BODY + NEW))

    def refused(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(merge_driver.os, "replace", refused)
    assert files.merge() == 2
    assert files.result == document(moved(BODY)) and len(list(tmp_path.iterdir())) == 3


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["merge-driver", *(str(tmp_path / name) for name in "oab"), "x.md"]) == 2
    assert "nothing was merged" in capsys.readouterr().err


def test_a_region_that_both_sides_moved_needs_a_look(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    region = document(BODY).partition("Hello.\n\n")[2].removesuffix("\nMore.\n")
    parts = [f"## {number}\n\nText {number}.\n\n" for number in range(9)]

    def at(place: int) -> str:
        return "".join([*parts[:place], region, "\n", *parts[place:]])

    files = Files(tmp_path, at(4), at(1), at(7))
    assert files.merge() == 1
    assert "there is more than one region" in capsys.readouterr().err
    assert files.result.count(QUEUE) == 2 and "<<<<<<<" not in files.result


def test_a_fence_that_only_the_merge_leaves_open_needs_a_look(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    far = "".join(f"line {number}\n" for number in range(5))
    one, other = f"{far}```\na\n", f"{far}```\nb\n{far}```\nc\n{far}```\n"
    without_first = document(BODY, (one + other).replace("```\na", "a").replace("```\nb", "b"))
    joined = document(BODY, (one + other).replace("```\nb", "b").replace("```\nc", "c"))
    files = Files(tmp_path, document(BODY, one + other), without_first, joined)
    assert files.merge() == 1 and "<<<<<<<" not in files.result
    assert "look at it before you commit" in capsys.readouterr().err


def test_regions_that_both_sides_placed_are_one(tmp_path: Path) -> None:
    bare = "# P\n\nHello.\n\n"
    ends = "<!-- intermem:begin -->\n{}<!-- intermem:end -->\n"
    for base in (bare, ""):
        files = Files(tmp_path, base, bare + ends.format("- a\n- c\n"), bare + ends.format("- b\n- c\n"))
        assert files.merge() == 0
        assert files.result == bare + ends.format("- a\n- b\n- c\n")


# With git.


@pytest.fixture
def repository(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Sandbox:
    """A project with a region, a driver as ``init --merge-driver`` sets it, and an ``intermem`` on the PATH."""
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "intermem").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m intermem "$@"\n', "utf-8")
    (tools / "intermem").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:{Path('/usr/bin')}:{Path('/bin')}")
    sandbox.write("AGENTS.md", document(BODY))
    sandbox.run("init", "--merge-driver")
    sandbox.commit("region")
    sandbox.git("branch", "topic")
    return sandbox


def both(box: Sandbox, ours: Sequence[str], theirs: Sequence[str]) -> None:
    """Commit versions of the document, one after another, on each branch."""
    for branch, texts in (("topic", theirs), ("main", ours)):
        box.git("checkout", "-q", branch)
        for text in texts:
            box.write("AGENTS.md", text)
            box.commit(branch)


MOVED = document(moved(BODY))
ADDED = document(BODY.replace(QUEUE, QUEUE + NEW))
TOGETHER = document(moved(BODY).replace(CACHE, NEW + CACHE))


@pytest.mark.parametrize("how", [("merge", "--no-edit"), ("rebase",), ("cherry-pick",)])
def test_git_merges_entry_by_entry(repository: Sandbox, how: tuple[str, ...]) -> None:
    both(repository, [MOVED], [ADDED])
    repository.git(*how, "topic")
    assert repository.read() == TOGETHER
    assert repository.git("status", "--porcelain") == ""


def test_an_output_that_nobody_reads_is_a_conflict_and_no_end_of_the_merge(repository: Sandbox, tmp_path: Path) -> None:
    one, other = (document(BODY.replace("Run the", f"{word} the")) for word in ("Start", "Mind"))
    both(repository, [one], [other])
    (tmp_path / "bin" / "intermem").write_text(
        f'#!/bin/sh\n"{sys.executable}" -m intermem "$@" > /dev/full\nexit 141\n', "utf-8"
    )
    with pytest.raises(AssertionError):
        repository.git("merge", "-q", "--no-edit", "topic")
    assert repository.git("ls-files", "-u").count("\n") == 3
    assert repository.read().count("<<<<<<<") == 1 and repository.read().count(">>>>>>>") == 1


def test_git_runs_it_from_wherever_it_is_called(repository: Sandbox) -> None:
    both(repository, [MOVED], [ADDED])
    git(repository.root / "src", "merge", "-q", "--no-edit", "topic")
    assert repository.read() == TOGETHER


def test_a_configuration_in_conflict_is_no_hindrance(repository: Sandbox) -> None:
    both(repository, [MOVED], [ADDED])
    repository.write("intermem.toml", "<<<<<<< this is no TOML\n")
    repository.commit("broken")
    repository.git("merge", "-q", "--no-edit", "topic")
    assert repository.read() == TOGETHER


def test_a_rebase_of_two_commits_applies_each(repository: Sandbox) -> None:
    last = document(moved(BODY).replace(TABS, ""))
    both(repository, [MOVED, last], [ADDED])
    repository.git("rebase", "-q", "topic")
    assert repository.read() == document(moved(BODY).replace(CACHE, NEW + CACHE).replace(TABS, ""))


def test_criss_cross_merges_lose_nothing(repository: Sandbox) -> None:
    both(repository, [MOVED], [ADDED])
    repository.git("branch", "old", "topic")
    repository.git("merge", "-q", "--no-edit", "topic")
    repository.git("checkout", "-q", "topic")
    repository.git("merge", "-q", "--no-edit", "main~1")
    repository.write("AGENTS.md", repository.read().replace(TABS, TABS + "- On the topic.\n"))
    repository.commit("more")
    repository.git("checkout", "-q", "main")
    repository.write("AGENTS.md", repository.read().replace(TABS, TABS + "- On main.\n"))
    repository.commit("more")
    repository.git("merge", "-q", "--no-edit", "topic")
    region = find_region(repository.read(), "X")
    assert region is not None and sorted(item.text for item in region.items) == sorted(
        line[2:].strip() for line in (QUEUE, CACHE, TABS, NEW, "- On main.\n", "- On the topic.\n")
    )


def test_a_conflict_stops_the_merge_and_doctor_leaves_it_to_a_person(repository: Sandbox) -> None:
    one, other = (document(BODY.replace("Run the", f"{word} the")) for word in ("Start", "Mind"))
    both(repository, [one], [other])
    with pytest.raises(AssertionError):
        repository.git("merge", "-q", "--no-edit", "topic")
    assert repository.read().count("<<<<<<<") == 1 and repository.git("ls-files", "-u") != ""
    before = repository.read()
    for _ in range(2):
        said = repository.run("doctor", "--repair", code=1).out
        assert "AGENTS.md: a merge conflict inside the region, 1 line reworded on both sides" in said
        assert "decide between the conflict markers\n" in said
        assert repository.read() == before


def test_where_intermem_cannot_be_run_git_merges_as_without_it(
    repository: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    both(repository, [document(BODY.replace(TABS, ""))], [ADDED])
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    repository.git("merge", "-q", "--no-edit", "topic")
    assert repository.read() == document(BODY.replace(QUEUE, QUEUE + NEW).replace(TABS, ""))
    repository.git("reset", "-q", "--hard", "HEAD~1")
    repository.write("AGENTS.md", document(BODY.replace(QUEUE, QUEUE.replace("Run", "Start"))))
    repository.commit("conflict")
    with pytest.raises(AssertionError):
        repository.git("merge", "-q", "--no-edit", "topic")
    assert NEW in repository.read() and "<<<<<<< ours" in repository.read()


# What ``init`` writes for it.


def test_init_sets_the_driver_and_says_so(sandbox: Sandbox) -> None:
    shown = sandbox.run("init", "--merge-driver", "--dry-run")
    assert ".gitattributes would be created" in shown.out and "would be set" in shown.err
    assert not (sandbox.root / ".gitattributes").exists() and "merge.intermem" not in sandbox.git("config", "-l")
    said = sandbox.run("init", "--merge-driver")
    assert "every other clone needs intermem init --merge-driver" in said.err
    assert "merge=intermem" not in said.out, "what is done is not offered"
    assert sandbox.read(".gitattributes") == "AGENTS.md merge=intermem\n"
    assert sandbox.git("config", "merge.intermem.driver").startswith(
        "intermem merge-driver --marker-size %L %O %A %B %P;"
    )
    assert sandbox.git("config", "merge.intermem.name") == "intermem: entries of regions by identity\n"
    assert "nothing to do" in sandbox.run("init", "--merge-driver").err
    assert sandbox.read(".gitattributes").count("\n") == 1


@pytest.mark.parametrize("there", [True, False])
def test_init_says_where_git_cannot_run_the_driver(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, there: bool
) -> None:
    git = Path(shutil.which("git") or "")
    (tmp_path / "bin").mkdir()
    for name in ("git", *(["intermem"] if there else [])):
        (tmp_path / "bin" / name).symlink_to(git)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert ("until intermem is on its PATH" in sandbox.run("init", "--merge-driver").err) is not there
    assert "git config --remove-section merge.intermem" in sandbox.run("init", "--remove").err
    assert not (sandbox.root / ".gitattributes").exists()


def test_attributes_that_are_there_stay(sandbox: Sandbox) -> None:
    for text in ("*.png binary", "*.png binary\r\n"):
        sandbox.write(".gitattributes", text)
        sandbox.run("init", "--merge-driver")
        end = "\r\n" if "\r" in text else "\n"
        assert sandbox.read(".gitattributes") == f"*.png binary{end}AGENTS.md merge=intermem{end}"
    sandbox.run("init", "--remove")
    assert sandbox.read(".gitattributes") == "*.png binary\r\n"


def test_a_line_that_is_not_exactly_ours_stays_when_the_region_goes(sandbox: Sandbox) -> None:
    sandbox.run("init", "--merge-driver")
    sandbox.write(".gitattributes", "AGENTS.md merge=intermem eol=lf\n")
    sandbox.run("init", "--remove")
    assert sandbox.read(".gitattributes") == "AGENTS.md merge=intermem eol=lf\n"


def test_a_name_with_blanks_is_quoted(sandbox: Sandbox) -> None:
    sandbox.write("our [notes].md", "# N\n")
    sandbox.write("intermem.toml", 'targets = ["our [notes].md"]\n')
    sandbox.run("init", "--merge-driver")
    found = sandbox.git("check-attr", "merge", "--", "our [notes].md")
    assert found.rstrip().endswith("merge: intermem")


def test_init_undoes_the_attributes_too(sandbox: Sandbox) -> None:
    sandbox.run("init", "--merge-driver")
    sandbox.run("undo")
    assert not (sandbox.root / ".gitattributes").exists()


def test_init_offers_the_line(sandbox: Sandbox) -> None:
    assert "\nAGENTS.md merge=intermem\n" in sandbox.run("init").out


def test_it_needs_a_repository(sandbox: Sandbox, tmp_path: Path) -> None:
    plain = Sandbox(tmp_path / "plain", sandbox.memory, sandbox.capture)
    plain.root.mkdir()
    assert "needs a git repository" in plain.run("init", "--merge-driver", code=2).err
    assert "merge=intermem" not in plain.run("init").out


@pytest.mark.parametrize("other", ["--remove", "--adopt"])
def test_it_goes_with_placing_alone(sandbox: Sandbox, other: str) -> None:
    assert "cannot be combined with" in sandbox.run("init", "--merge-driver", other, code=2).err


def test_status_says_where_the_driver_is_missing(sandbox: Sandbox) -> None:
    sandbox.run("init", "--merge-driver")
    assert "merge=intermem" not in sandbox.run("status").err
    sandbox.git("config", "--unset", "merge.intermem.driver")
    assert "this clone has no such driver: intermem init --merge-driver sets it" in sandbox.run("status").err
    sandbox.write(".gitattributes", "# AGENTS.md merge=intermem\n")
    assert "merge=intermem" not in sandbox.run("status").err
