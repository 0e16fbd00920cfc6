"""``check --fix``: writes the new target of a moved citation in its place, and nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.commands.test_check import SECRET, cited, codes, curated, found
from tests.conftest import Once, Sandbox

BOM = "\ufeff"


def moved(box: Sandbox) -> None:
    for name in ("a", "b"):
        box.write(f"src/{name}.py", "".join(f"def {name}_{n}_run():\n    return '{name}{n}'\n\n\n" for n in range(9)))
    for name in ("guide", "web/sub/page"):
        box.write(f"docs/{name}.md", f"# {name}\n\n" + "".join(f"Line {n} of {name}.\n" for n in range(9)))
    for name in ("none", "no"):
        box.write(f"src/{name}.py", f"{name} = 0\n")
    box.write("AGENTS.md", "see `a.py`\n")
    box.commit("start")
    box.git("rm", "-q", "src/none.py", "src/no.py")
    box.git("mv", "src/a.py", "src/z.py")
    box.git("mv", "docs/guide.md", "docs/my guide.md")
    box.git("mv", "docs/web/sub", "docs/web/other")
    box.commit("move")


@pytest.fixture
def project(sandbox: Sandbox, once: Once) -> Sandbox:
    """src/a.py is src/z.py now, docs/guide.md has a space in its name, docs/web/sub is docs/web/other."""
    once(sandbox, moved)
    return sandbox


def fixed(box: Sandbox, before: str, *arguments: str, name: str = "AGENTS.md", code: int | None = None) -> str:
    """The document after it was fixed."""
    box.write(name, before)
    box.run("check", "--fix", *arguments, code=code)
    return box.read(name)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("`src/a.py`", "`src/z.py`"),
        (f"{BOM}`src/a.py`\r\n\r\n- x `src/a.py`\r- y", f"{BOM}`src/z.py`\r\n\r\n- x `src/z.py`\r- y"),
        ("`src/a.py` 先`src/a.py`, src/a.py.\n", "`src/z.py` 先`src/z.py`, src/z.py.\n"),
        ("| a | `src/a.py` |\n|---|:--|\n| src/a.py | \\| |\n", "| a | `src/z.py` |\n|---|:--|\n| src/z.py | \\| |\n"),
        ("```sh\n\tpython src/a.py  \n```\n", "```sh\n\tpython src/z.py  \n```\n"),
        ("- [`src/a.py`](src/a.py 'src/a')\n", "- [`src/z.py`](src/z.py 'src/a')\n"),
        ("[g](docs/guide.md#sec)\n\n<!-- src/a.py -->", "[g](docs/my%20guide.md#sec)\n\n<!-- src/a.py -->"),
        ("[g](<docs/guide.md>)\x0c\u2028x  \n\n\n", "[g](<docs/my%20guide.md>)\x0c\u2028x  \n\n\n"),
        ("[g](docs%2Fguide.md)", "[g](docs/my%20guide.md)"),
        ("[r]: src/a.py 'title'\n", "[r]: src/z.py 'title'\n"),
        ("- [x](./docs/web/sub/page.md)", "- [x](./docs/web/other/page.md)"),
        ("in `docs/web/sub/` there", "in `docs/web/other/` there"),
        ("- `src/a.py`\n  - **src/a.py**\n\n    > `src/a.py`", "- `src/z.py`\n  - **src/z.py**\n\n    > `src/z.py`"),
        ("src/a.py\n===\n\n## src/a.py ##", "src/z.py\n===\n\n## src/z.py ##"),
    ],
)  # fmt: skip
def test_the_span_alone_is_written(project: Sandbox, before: str, after: str) -> None:
    project.git("config", "intermem.hazards.allow", "IM073")  # U+2028 is one
    assert fixed(project, before, code=0) == after
    assert found(project, code=0) == []
    project.run("undo")
    assert project.read() == before


def test_a_document_in_a_folder_keeps_its_way_of_naming(project: Sandbox) -> None:
    (project.root / "AGENTS.md").unlink()
    before = "[`sub/page.md`](sub/page.md) `docs/web/sub/page.md` `src/a.py` [m](../../src/a.py)\n"
    after = "[`other/page.md`](other/page.md) `docs/web/other/page.md` `src/z.py` [m](../../src/z.py)\n"
    assert fixed(project, before, name="docs/web/AGENTS.md", code=0) == after
    assert fixed(project, "@sub/page.md\n", name="docs/web/CLAUDE.md", code=0) == "@other/page.md\n"


def test_what_cannot_be_written_there_is_left(project: Sandbox) -> None:
    text = "@docs/guide.md and `docs/guide.md` and `src/none.py`\n"
    assert (
        fixed(project, text, code=1) == text.replace("`docs/guide.md`", "`docs/my guide.md`") or project.read() == text
    )
    assert "src/none.py" in cited(project)


def test_what_may_mean_something_else_needs_a_word(project: Sandbox) -> None:
    assert fixed(project, "see `a.py` and `src/a.py`\n", code=1) == "see `a.py` and `src/z.py`\n"
    assert found(project) == [("AGENTS.md", 1, "IM002", "a.py")]
    project.run("check", "--fix", "--unsafe-fixes", code=0)
    assert project.read() == "see `z.py` and `src/z.py`\n"


@pytest.mark.parametrize("text", ["see `{}::heat_up`\n", "run `pytest -x {}::heat_up` now\n", "as {}::heat_up says\n"])
def test_a_member_need_not_have_gone_with_its_file(project: Sandbox, text: str) -> None:
    assert fixed(project, text.format("src/a.py"), code=1) == text.format("src/a.py")
    assert "src/a.py" in {one[3] for one in found(project)}
    project.run("check", "--fix", "--unsafe-fixes", code=0)
    assert project.read() == text.format("src/z.py")


def test_a_dry_run_shows_the_change_and_writes_nothing(project: Sandbox) -> None:
    project.write("AGENTS.md", "x `src/a.py` `src/none.py`\n")
    before = project.tree_hash()
    out = project.run("check", "--fix", "--dry-run", code=1).out
    assert "-x `src/a.py` `src/none.py`\n+x `src/z.py` `src/none.py`\n" in out
    assert "AGENTS.md:1:15: IM001 error: src/none.py not found" in out, "and what no fix mends"
    assert "Would fix 1 finding:" in out
    data = project.run("check", "--fix", "--dry-run", "--json", code=1).json
    assert [(one["column"], one["citation"]["text"]) for one in data["findings"]] == [(15, "src/none.py")]
    assert [one["citation"]["text"] for one in data["fixed"]] == ["src/a.py"]
    assert project.tree_hash() == before


def test_a_dry_run_shows_no_secret(project: Sandbox) -> None:
    project.write("AGENTS.md", f"- `src/a.py`\n- `src/a.py` with KILN_TOKEN={SECRET}\n- KILN_TOKEN={SECRET}\n")
    for form in ("text", "json"):
        said = project.run("check", "--fix", "--dry-run", "--format", form, code=1).out
        assert "+- `src/z.py`" in said
        assert SECRET not in said
    project.run("check", "--fix", code=1)
    assert project.read() == f"- `src/z.py`\n- `src/z.py` with KILN_TOKEN={SECRET}\n- KILN_TOKEN={SECRET}\n"


def test_what_is_left_is_reported_where_it_stands_now(project: Sandbox) -> None:
    project.write("AGENTS.md", "`docs/web/sub/page.md` `src/none.py`\n`src/no.py` `src/a.py`\n")
    data = project.run("check", "--fix", "--json", code=1).json
    lines = project.read().split("\n")
    for one in data["findings"]:
        assert lines[one["line"] - 1][one["column"] - 1 : one["end_column"] - 1] == one["citation"]["text"]
    assert [one["citation"]["text"] for one in data["findings"]] == ["src/none.py", "src/no.py"]


def test_nothing_to_fix_writes_nothing(project: Sandbox) -> None:
    project.write("AGENTS.md", "`src/z.py` `src/none.py`\n")
    before = project.tree_hash()
    project.run("check", "--fix", code=1)
    assert project.tree_hash() == before


def test_a_link_is_written_through_and_stays_a_link(project: Sandbox) -> None:
    project.write("AGENTS.md", "`src/a.py`\n")
    (project.root / "AGENTS.md").chmod(0o640)
    (project.root / "CLAUDE.md").symlink_to("AGENTS.md")
    project.run("check", "--fix", "CLAUDE.md", code=0)
    assert (project.root / "CLAUDE.md").is_symlink()
    assert project.read() == "`src/z.py`\n"
    assert (project.root / "AGENTS.md").stat().st_mode & 0o777 == 0o640


def test_only_what_was_asked_for_is_fixed(project: Sandbox) -> None:
    project.write("CLAUDE.md", "`src/a.py`\n")
    project.write("AGENTS.md", "`src/a.py`\n")
    project.commit()
    project.run("check", "--fix", "CLAUDE.md", code=0)
    assert (project.read("CLAUDE.md"), project.read()) == ("`src/z.py`\n", "`src/a.py`\n")
    project.git("mv", "src/z.py", "src/y.py")
    project.write("CLAUDE.md", "`src/z.py`\n")
    project.run("check", "--fix", "--diff", "HEAD", code=0)
    assert (project.read("CLAUDE.md"), project.read()) == ("`src/y.py`\n", "`src/a.py`\n")


def test_a_document_outside_the_project_is_left_alone(project: Sandbox) -> None:
    project.write("docs/CLAUDE.md", "@../AGENTS.md\n")
    project.write("AGENTS.md", "`src/a.py`\n")
    project.commit()
    docs = Sandbox(project.root / "docs", project.memory, project.capture)
    assert "note: AGENTS.md is outside the project and was left alone" in docs.run("check", "--fix", code=1).err
    assert project.read() == "`src/a.py`\n"


def test_in_the_middle_of_a_merge_only_by_force(project: Sandbox) -> None:
    project.write("AGENTS.md", "`src/a.py`\n")
    (project.root / ".git/MERGE_HEAD").write_text(project.git("rev-parse", "HEAD"))
    assert "unfinished merge" in project.run("check", "--fix", code=2).err
    assert project.read() == "`src/a.py`\n"
    project.run("check", "--fix", "--dry-run", code=None)
    project.run("check", "--fix", "--force", code=0)
    assert project.read() == "`src/z.py`\n"


def test_a_folder_that_cannot_be_written(project: Sandbox) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    project.write("AGENTS.md", "`src/a.py`\n")
    project.root.chmod(0o555)
    try:
        assert project.run("check", "--fix", code=2).err.startswith("error: ")
    finally:
        project.root.chmod(0o755)
    assert project.read() == "`src/a.py`\n"


def promoted_and_moved(box: Sandbox) -> None:
    curated(box)
    box.git("mv", "src/a.py", "src/z.py")
    box.commit("move")


def test_an_entry_of_the_region_stays_the_same_entry(sandbox: Sandbox, once: Once) -> None:
    once(sandbox, promoted_and_moved)
    sandbox.now = "2026-01-05T00:00:00Z"
    sandbox.run("check", "--fix", code=None)
    assert "Prefer short functions in `src/z.py`" in sandbox.read()
    assert codes(sandbox) == [], "the ledger and the document still agree"
    sandbox.run("sweep", code=None)
    assert "Prefer short functions in `src/z.py`" in sandbox.read()
    texts = {text: one["status"] for text, one in sandbox.entries().items()}
    assert len([text for text in texts if "short functions" in text]) == 1


def test_every_move_of_a_folder_is_followed(project: Sandbox, tmp_path: Path) -> None:
    project.write("AGENTS.md", "".join(f"- `src/a.py` and `src/m{n}.py`\n" for n in range(9)))
    for n in range(9):
        project.write(f"src/m{n}.py", f"VALUE_{n} = {n}\nNAME_{n} = 'm{n}'\n" * 5)
    project.commit()
    project.git("mv", "src", "lib")
    project.commit()
    assert len(cited(project)) == 18
    project.run("check", "--fix", code=0)
    assert project.read() == "".join(f"- `lib/z.py` and `lib/m{n}.py`\n" for n in range(9))


def test_what_would_lead_to_another_file_is_not_written(project: Sandbox) -> None:
    project.write("docs/web/lib/a.py", "A_ONE = 1\nA_TWO = 2\nA_THREE = 3\n")
    project.write("lib/b.py", "quite = 'another'\nfile = True\n")
    project.commit()
    project.git("mv", "docs/web/lib/a.py", "docs/web/lib/b.py")
    project.commit()
    assert fixed(project, "`lib/a.py`\n", name="docs/web/AGENTS.md") in ("`lib/a.py`\n", "`docs/web/lib/b.py`\n")


@pytest.mark.parametrize("name", ["src/log.py", "settings.toml", "docs", "link.md"])
def test_a_named_file_that_is_no_document_is_refused(project: Sandbox, name: str) -> None:
    code = 'HINT = "see src/a.py"  # `src/a.py`\n'
    project.write("src/log.py", code)
    project.write("settings.toml", code)
    (project.root / "link.md").symlink_to("src/log.py")
    for arguments in (["--fix"], [], ["--diff", "HEAD"]):
        done = project.run("check", name, *arguments, code=2)
        assert done.err == f"error: {name} is not a document\nhint: name a Markdown file of the repository\n", arguments
    assert project.read("src/log.py") == project.read("settings.toml") == code


def test_a_link_of_an_agent_to_what_is_no_document_is_not_written_through(project: Sandbox) -> None:
    project.write("notes.rst", "See `src/a.py`.\n")
    (project.root / "AGENTS.md").unlink()
    (project.root / "AGENTS.md").symlink_to("notes.rst")
    project.commit()
    done = project.run("check", "--fix", code=1)
    assert "note: notes.rst is not a document and was left alone" in done.err
    assert project.read("notes.rst") == "See `src/a.py`.\n"


def test_what_only_its_name_tells_to_have_moved_is_no_safe_fix(sandbox: Sandbox) -> None:
    sandbox.write("old/run-kiln-tests.sh", "".join(f"old line {number}\n" for number in range(30)))
    sandbox.write("AGENTS.md", "# A\n\nRun `old/run-kiln-tests.sh` first.\n")
    sandbox.commit()
    (sandbox.root / "old/run-kiln-tests.sh").unlink()
    sandbox.write("new/run-kiln-tests.sh", "another text\n")
    sandbox.commit()
    said = sandbox.run("check", "--fix", code=None).out
    assert "its contents changed as well" in said and "old/run-kiln-tests.sh" in sandbox.read()
    sandbox.run("check", "--fix", "--unsafe-fixes", code=None)
    assert "`new/run-kiln-tests.sh`" in sandbox.read()
