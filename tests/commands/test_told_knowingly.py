"""What a document says of a thing that was gone by then, in the change that took it away, or below "removed:", is no
alarm."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Sandbox, git


def said(sandbox: Sandbox, *more: str) -> list[tuple[str, int, str, str]]:
    found = sandbox.run("check", *more, "--json", code=None).json["findings"]
    return [(one["file"], one["line"], one["code"], one["citation"]["text"]) for one in found]


def renames(box: Sandbox, name: str) -> None:
    """Give what a module defines another name."""
    box.write(f"src/{name}.py", f"def make_{name}_step():\n    return 1\n" * 3)


@pytest.fixture
def project(sandbox: Sandbox) -> Sandbox:
    """Two modules, and a document that cites the first."""
    for name in ("first", "second"):
        sandbox.write(f"src/{name}.py", f"def take_{name}_step():\n    return 1\n" * 3)
    sandbox.write("AGENTS.md", "# Rules\n\n- Start in `src/first.py`.\n")
    sandbox.commit()
    sandbox.git("branch", "base")
    return sandbox


def test_a_line_that_names_the_removing_commit_tells_of_it(project: Sandbox) -> None:
    project.git("rm", "-q", "src/first.py", "src/second.py")
    commit = project.commit()
    project.write(
        "AGENTS.md", f"- `src/first.py` is in history before {commit[:9]}.\n- Start in `src/second.py` (1234567).\n"
    )
    project.commit()
    assert said(project) == [("AGENTS.md", 2, "IM001", "src/second.py")]


def test_a_line_that_the_removing_commit_wrote_is_doubtful(project: Sandbox) -> None:
    project.git("rm", "-q", "src/second.py")
    project.write("AGENTS.md", project.read() + "- Both steps are one now: what `src/second.py` did, the first does.\n")
    project.commit()
    assert said(project) == said(project, "--diff", "base") == []
    assert said(project, "--all") == [("AGENTS.md", 4, "IM090", "src/second.py")]


@pytest.mark.parametrize("folder", ["web/src", "web/Shop.src"])
def test_a_path_written_after_a_folder_was_put_around_it_is_read_from_there(project: Sandbox, folder: str) -> None:
    (project.root / "web").mkdir()
    project.git("mv", "src", folder)
    project.commit("a folder around it")
    assert said(project) == [("AGENTS.md", 3, "IM002", "src/first.py")]
    project.write("AGENTS.md", project.read() + "- End in `src/second.py`.\n")
    project.commit("a guide for web")
    assert said(project) == [("AGENTS.md", 3, "IM002", "src/first.py")]
    assert ("AGENTS.md", 4, "IM090", "src/second.py") in said(project, "--all")


def test_a_name_that_was_gone_when_it_was_written_may_be_another(project: Sandbox) -> None:
    project.write("AGENTS.md", project.read() + "- Call `take_first_step()` there.\n")
    project.commit()
    renames(project, "first")
    renames(project, "second")
    project.commit()
    assert ("AGENTS.md", 4, "IM002", "take_first_step()") in said(project)
    project.write("AGENTS.md", project.read() + "- The library has `take_second_step()`.\n")
    project.commit()
    assert "take_second_step()" not in [one[3] for one in said(project)]
    assert ("AGENTS.md", 5, "IM090", "take_second_step()") in said(project, "--diff", "base", "--all")


@pytest.mark.parametrize("cited", ["`take_second()`", "`tools/`"])
def test_a_definition_or_a_folder_is_missed_on_lines_that_stood_there_before_it_left(
    project: Sandbox, cited: str
) -> None:
    line = f"- Nobody needs {cited} as much as we do.\n"
    project.write("tools/saw.py", "x = 1\n")
    project.write("src/first.py", "def take_second():\n    return 1\n")
    project.write("AGENTS.md", project.read() + line)
    project.commit()
    project.write("src/first.py", "y = 2\n")
    project.git("rm", "-q", "-r", "tools")
    project.commit()
    assert [one[1:3] for one in said(project)] == [(4, "IM001")]
    assert [one[1:3] for one in said(project, "--diff", "HEAD~1")] == [(4, "IM001")]
    project.write("AGENTS.md", project.read().replace("as much", "as often"))
    project.commit()
    assert said(project) == [], "who wrote the line anew may mean another"
    assert [one[1:3] for one in said(project, "--all")] == [(4, "IM090")]


def test_the_very_path_of_what_was_gone_is_an_alarm_whenever_it_was_written(project: Sandbox) -> None:
    project.git("rm", "-q", "src/first.py")
    project.git("mv", "src/second.py", "src/last.py")
    project.commit()
    project.write("AGENTS.md", "- From `src/first.py` to `src/second.py`, which is `second.py` for short.\n")
    project.commit()
    alarms = [("AGENTS.md", 1, "IM001", "src/first.py"), ("AGENTS.md", 1, "IM002", "src/second.py")]
    assert said(project) == alarms
    assert said(project, "--all") == [*alarms, ("AGENTS.md", 1, "IM090", "second.py")]


def test_an_example_that_was_gone_when_it_was_written_is_another_one(project: Sandbox) -> None:
    project.write("AGENTS.md", project.read() + "- Any step, e.g. `src/second.py`, may fail.\n")
    project.commit()
    project.git("rm", "-q", "src/first.py", "src/second.py")
    project.commit()
    project.write("AGENTS.md", project.read() + "- Any start, e.g. `./src/first.py`, may fail.\n")
    project.commit()
    assert ("AGENTS.md", 4, "IM001", "src/second.py") in said(project)
    assert "./src/first.py" not in [cited for *_, cited in said(project)]


def test_a_new_line_with_the_name_of_what_has_moved_may_mean_another_of_that_name(project: Sandbox) -> None:
    project.write("NOTES.md", "# Notes\n\nWhat was decided, and why, in the order in which it was.\n")
    project.write("AGENTS.md", "# Rules\n\n- Read `NOTES.md` before all else.\n")
    project.commit()
    for app in ("shop", "depot"):
        (project.root / app).mkdir()
    project.git("mv", "NOTES.md", "shop/NOTES.md")
    project.write("depot/NOTES.md", "# Notes of the depot\n")
    project.commit("a page of notes for each application")
    assert said(project) == [("AGENTS.md", 3, "IM002", "NOTES.md")]
    project.write("AGENTS.md", "# Rules\n\n- Before you change an application, read its `NOTES.md`.\n")
    project.commit("rules for each application")
    assert said(project) == []
    assert said(project, "--all") == [("AGENTS.md", 3, "IM090", "NOTES.md")]


def test_the_name_alone_of_a_file_that_was_gone_by_then_may_be_any_of_that_name(project: Sandbox) -> None:
    project.write("settings.lock", "a = 1\n")
    project.write("AGENTS.md", "- Read `settings.lock`.\n")
    project.commit()
    project.git("rm", "-q", "settings.lock")
    project.commit()
    assert said(project) == [("AGENTS.md", 1, "IM001", "settings.lock")]
    project.write("AGENTS.md", "# Rules\n")
    project.commit()
    project.write("AGENTS.md", "- Tools that lean on `settings.lock` are not for this project.\n")
    project.commit()
    assert said(project) == [("AGENTS.md", 1, "IM001", "settings.lock")], "the text had it by then"
    project.write("NOTES/AGENTS.md", "- Tools that lean on `settings.lock` are not for this project.\n")
    project.commit()
    assert [one[0] for one in said(project)] == ["AGENTS.md"]


@pytest.mark.parametrize(
    ("line", "is_told"),
    [
        ("| `src/first.py` | `src/fire.py` | the first step |", False),
        ("| `first.py` | **fire.py** |", False),
        ("| `src/first.py` | `src/fire.py` (`./fire`) |", False),
        ("| `src/first.py` | `ire.py` |", True),
        ("| `src/first.py` | as `src/fire.py` | the first step |", True),
        ("- `src/first.py` first, then `src/fire.py`.", True),
    ],
)
def test_a_row_that_has_the_new_name_as_well_tells_what_became_of_the_old_one(
    project: Sandbox, line: str, is_told: bool
) -> None:
    head = "| step | file |  |\n|---|---|---|\n" if line.startswith("|") else ""
    project.write("AGENTS.md", f"# Rules\n\n{head}{line}\n")
    project.git("mv", "src/first.py", "src/fire.py")
    project.commit()
    project.write("AGENTS.md", f"# Rules\n\nThe rules.\n\n{head}{line}\n")
    project.commit("after that")
    moved = [one for one in said(project) if one[2] == "IM002"]
    assert bool(moved) == is_told


@pytest.mark.parametrize(
    ("line", "is_told"),
    [
        ("- `@acme/heat-core` (from `api/heat/second.py`)", False),
        ("- `packages/heat-core/` (from `api/heat/second.py`)", False),
        ("- `packages/heat-core/` must import `api/heat/second.py`.", True),
        ("- `@acme/heat-core` reads `api/heat/second.py`.", True),
        ("- `@acme/heat` (from `api/heat/second.py`)", True),
        ("- `@acme/rack-core` (from `api/heat/second.py`)", True),
        ("- `packages/rack-core/` (from `api/heat/second.py`)", True),
    ],
)
def test_a_line_that_names_the_package_to_which_a_file_went_tells_of_that(
    project: Sandbox, line: str, is_told: bool
) -> None:
    for name in ("second", "third"):
        project.write(f"api/heat/{name}.py", f"def heat_{name}():\n    return 1\n" * 3)
    project.write("packages/rack-core/AGENTS.md", "# Racks\n")
    project.write("AGENTS.md", f"# Rules\n\n{line}\n")
    project.commit()
    project.write("packages/heat-core/AGENTS.md", "# Heat\n")
    project.git("mv", "api/heat/second.py", "packages/heat-core/second.py")
    project.commit()
    assert [one[2:] for one in said(project) if "second" in one[3]] == (
        [("IM002", "api/heat/second.py")] if is_told else []
    )


def test_a_link_that_leads_nowhere_is_an_alarm_whenever_it_was_written(project: Sandbox) -> None:
    project.write("old/guide.md", "# Guide\n\nHow it is done, from the beginning to the end.\n")
    project.commit()
    project.git("mv", "old", "docs")
    project.write("AGENTS.md", project.read() + "- The guide was in `old/guide.md`.\n")
    project.commit()
    project.write("AGENTS.md", project.read() + "- Read `old`, or [the guide](old/guide.md).\n")
    project.commit()
    assert [one[1:] for one in said(project)] == [(5, "IM002", "old/guide.md")]


def test_a_line_that_came_after_a_name_was_changed_may_tell_of_it(project: Sandbox) -> None:
    project.write("AGENTS.md", "- Call `take_first_step()` first.\n")
    project.commit()
    project.write("src/first.py", "def take_first_move():\n    return 1\n" * 3)
    project.commit("another name")
    assert said(project) == [("AGENTS.md", 1, "IM002", "take_first_step()")]
    project.write("AGENTS.md", "- What colleagues know as `take_first_step()` is called first.\n")
    project.commit()
    assert said(project) == []


def gets_the_name_of_another(project: Sandbox) -> None:
    """A document that cites what a commit renamed is called as another was, later."""
    project.write("CLAUDE.md", "- Call `take_first_step()` first.\n")
    project.commit()
    renames(project, "first")
    project.commit()
    project.git("rm", "-q", "AGENTS.md")
    project.git("mv", "CLAUDE.md", "AGENTS.md")
    project.commit()


def test_a_document_that_had_another_name_by_then_is_not_new(project: Sandbox) -> None:
    gets_the_name_of_another(project)
    assert said(project) == [("AGENTS.md", 1, "IM002", "take_first_step()")]


def test_a_document_that_lay_elsewhere_by_then_is_not_new(project: Sandbox) -> None:
    lines = "".join(f"- Rule {number} of the house.\n" for number in range(9))
    project.write("AGENTS.md", project.read() + "- Call `take_first_step()` there.\n" + lines)
    project.commit()
    renames(project, "first")
    project.commit()
    for old, new in (("AGENTS.md", "docs/AGENTS.md"), ("docs/AGENTS.md", "guide/AGENTS.md")):
        (project.root / new).parent.mkdir(exist_ok=True)
        project.git("mv", old, new)
        project.commit("moved")
    project.write("AGENTS.md", "# Other rules\n\n- None.\n")
    project.commit("another in its place")
    assert said(project) == [("guide/AGENTS.md", 4, "IM002", "take_first_step()")]


def test_where_contents_are_missing_a_document_has_no_former_name(project: Sandbox, tmp_path: Path) -> None:
    project.git("rm", "-q", "src/first.py")
    project.commit()
    (project.root / "docs").mkdir()
    project.git("mv", "AGENTS.md", "docs/AGENTS.md")
    project.write("docs/AGENTS.md", project.read("docs/AGENTS.md") + "- Another rule.\n")
    project.commit()
    project.git("config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--filter=blob:none", project.root.as_uri(), "clone")
    git(tmp_path / "clone", "remote", "set-url", "origin", "file:///nowhere")
    clone = Sandbox(tmp_path / "clone", project.memory, project.capture)
    assert said(clone) == said(project) == [("docs/AGENTS.md", 3, "IM001", "src/first.py")]


def test_a_line_that_it_left_alone_is_an_alarm(project: Sandbox) -> None:
    project.git("rm", "-q", "src/first.py")
    project.write("AGENTS.md", project.read() + "- There is one module less.\n")
    project.commit()
    alarm = [("AGENTS.md", 3, "IM001", "src/first.py")]
    assert said(project) == said(project, "--diff", "base") == alarm


def test_a_line_that_came_after_a_change_of_document_and_file_at_once_is_doubtful(project: Sandbox) -> None:
    project.git("rm", "-q", "src/second.py")
    project.write("AGENTS.md", project.read() + "- There is one module less.\n\n| file | does |\n| - | - |\n")
    project.commit()
    project.write("AGENTS.md", project.read() + "| `src/second.py` | the second step |\n")
    project.commit()
    assert said(project) == []
    assert [one[1:] for one in said(project, "--all")] == [(8, "IM090", "src/second.py")]


def test_a_table_that_was_drawn_anew_has_no_new_lines(project: Sandbox) -> None:
    table = "\n| file | does |\n| - | - |\n| `src/second.py` | the second step |\n"
    project.write("AGENTS.md", project.read() + table)
    project.commit()
    project.git("rm", "-q", "src/second.py")
    project.write("AGENTS.md", project.read() + "\nThere is one module less.\n")
    project.commit()
    assert [one[1:] for one in said(project)] == [(7, "IM001", "src/second.py")]
    project.write("AGENTS.md", project.read().replace("| file |", "|    file    |").replace("| the", "|   the"))
    project.commit()
    assert [one[1:] for one in said(project)] == [(7, "IM001", "src/second.py")]


def test_a_document_that_the_commit_made_is_no_exception(project: Sandbox) -> None:
    project.git("rm", "-q", "src/second.py")
    project.write("docs/AGENTS.md", "- Then `src/second.py`.\n")
    project.commit()
    assert said(project) == [("docs/AGENTS.md", 1, "IM001", "src/second.py")]


def test_a_file_that_it_renamed_is_an_alarm_with_a_fix(project: Sandbox) -> None:
    project.git("mv", "src/first.py", "src/begin.py")
    project.write("AGENTS.md", project.read().replace("Start in", "Always start in"))
    project.commit()
    assert said(project) == [("AGENTS.md", 3, "IM002", "src/first.py")]


def test_a_comment_that_hides_what_has_become_doubtful_is_not_unused(project: Sandbox) -> None:
    project.git("rm", "-q", "src/second.py")
    project.write(
        "AGENTS.md", project.read() + "\n<!-- intermem:ignore IM001 -->\nOnce in `src/second.py`, in short.\n"
    )
    project.commit()
    result = project.run("check", "--json").json
    assert (result["findings"], result["ignored"]) == ([], 0)


def test_a_lead_that_says_gone_speaks_of_the_whole_list(project: Sandbox) -> None:
    listed = "\n\n**Removed files (there is one step):**\n\n- `src/second.py`, the rest\n- `src/second.py` again\n"
    project.write("AGENTS.md", project.read() + listed)
    project.commit()
    project.git("rm", "-q", "src/second.py")
    project.commit()
    assert said(project) == []
    project.write("AGENTS.md", project.read().replace("Removed files", "All files"))
    assert [one[1] for one in said(project)] == [8, 9]


def test_a_lead_that_bans_names_speaks_of_all_names_in_the_list_but_not_of_files(project: Sandbox) -> None:
    project.write("src/third.py", "x = 1\n")
    project.write("AGENTS.md", project.read() + "\n{}:\n\n- `take_second_step()`\n- what `src/third.py` has\n")
    project.commit()
    renames(project, "second")
    project.git("rm", "-q", "src/third.py")
    project.commit()
    for lead, left in (("Names to know", [7, 8]), ("Never use these names", [8])):
        project.write("AGENTS.md", project.read().replace("{}", lead).replace("Names to know", lead))
        assert [one[1] for one in said(project)] == left


def test_what_leaves_with_the_settings_of_a_tool_is_in_use_all_the_same(project: Sandbox) -> None:
    project.write("AGENTS.md", project.read() + "- Set `STEP_SECRET_KEY`; `step-kit` has the parts.\n")
    kept = project.write(".helper/settings.json", '{"allow": ["run step-kit"], "env": ["STEP_SECRET_KEY"]}\n')
    project.commit()
    project.git("branch", "-f", "base")
    kept.write_text('{"allow": []}\n')
    project.commit()
    assert said(project) == said(project, "--diff", "base") == []
    project.write("deploy/env.sh", "export STEP_SECRET_KEY=1\n")
    project.commit()
    project.git("branch", "-f", "base")
    project.write("deploy/env.sh", "export OTHER=1\n")
    project.commit()
    assert [one[2:] for one in said(project, "--diff", "base")] == [("IM001", "STEP_SECRET_KEY")]


def test_what_the_document_places_in_another_repository_is_meant_there_on_every_line(project: Sandbox) -> None:
    project.write("import_all.py", "def import_all():\n    return 1\n" * 3)
    text = "# Rules\n\nThe data come from {}'s\n`import_all.py`.\n\n- Columns are named as in `import_all.py`.\n"
    project.write("AGENTS.md", text.format("the sibling repo"))
    project.commit()
    project.git("rm", "-q", "import_all.py")
    project.commit()
    assert said(project) == []
    assert [one[1:] for one in said(project, "--all")] == [(6, "IM090", "import_all.py")]
    project.write("AGENTS.md", text.format("the repo"))
    assert [one[1:] for one in said(project)] == [(4, "IM001", "import_all.py"), (6, "IM001", "import_all.py")]


def test_a_path_is_one_of_this_repository_whatever_others_have(project: Sandbox) -> None:
    project.write("AGENTS.md", "# Rules\n\n- Another repo has `second.py` as well.\n- Start in `src/second.py`.\n")
    project.commit()
    project.git("rm", "-q", "src/second.py")
    project.commit()
    assert [one[1] for one in said(project)] == [4]


def test_what_belongs_to_a_part_that_is_not_here_is_in_another_repository(project: Sandbox) -> None:
    project.write("AGENTS.md", "# Rules\n\n- The backend's `src/second.py` decides.\n- Our `src/second.py` decides.\n")
    project.commit()
    project.git("rm", "-q", "src/second.py")
    project.commit()
    assert [one[1] for one in said(project)] == [4]
    project.write("backend/app.py", "x = 1\n")
    project.commit("with a backend")
    assert [one[1] for one in said(project)] == [3, 4]


@pytest.mark.parametrize(
    ("heading", "file", "lines"),
    [("MCP tools", "", [5, 10]), ("MCP tools", ".vscode/mcp.json", [10]), ("The tools", ".vscode/mcp.json", [5, 10])],
)
def test_tools_of_a_server_that_is_set_up_are_no_code_of_this_repository(
    project: Sandbox, heading: str, file: str, lines: list[int]
) -> None:
    project.write("mcp_server/tools.py", "def flash_the_board():\n    return 1\n")
    project.write("src/MCP23017.py", "PINS = 16\n")
    if file:
        project.write(file, '{"mcpServers": {"board": {"command": "uvx"}}}\n')
    text = f"# Rules\n\n## {heading}\n\n- First `flash_the_board`.\n- Then `take_second_step()`.\n"
    project.write("AGENTS.md", f"{text}\n## Other\n\n- Later `flash_the_board`.\n")
    project.commit()
    project.git("rm", "-q", "-r", "mcp_server")
    project.commit()
    assert [one[1:] for one in said(project, "--diff", "HEAD~1")] == [(n, "IM001", "flash_the_board") for n in lines]


def test_a_change_is_not_blamed_for_what_was_gone_and_had_a_copy_in_an_archive(project: Sandbox) -> None:
    project.write("docs/guide.md", "# Guide\n\nHow it is done, from the beginning to the end.\n")
    project.write("AGENTS.md", "# Rules\n\n- Read `docs/guide.md`.\n- Start in `src/first.py`.\n")
    project.commit()
    (project.root / "archive/docs").mkdir(parents=True)
    project.git("mv", "docs/guide.md", "archive/docs/guide.md")
    project.commit("archived")
    project.git("branch", "-f", "base")
    project.git("rm", "-q", "-r", "archive", "src/first.py")
    project.commit("no archive, and no first step")
    assert said(project, "--diff", "base") == [("AGENTS.md", 4, "IM001", "src/first.py")]


def test_what_a_command_of_the_document_makes_is_not_missing(project: Sandbox) -> None:
    project.write("AGENTS.md", "# Build\n\n```sh\ncc kiln.c -o firing\n./firing --hot\n./cooling\n```\n")
    for name in ("firing", "cooling"):
        project.write(name, "binary\n")
    project.commit()
    project.git("rm", "-q", "firing", "cooling")
    project.commit("binaries are not for git")
    assert [one[3] for one in said(project)] == ["./cooling"]


@pytest.mark.parametrize(
    "heading", ["### Naming conventions", "## Namenskonventionen", "## 命名规范", "### Anti-patterns", "## 反模式"]
)
def test_bare_names_below_a_heading_about_naming_are_samples(project: Sandbox, heading: str) -> None:
    lines = "- Steps end so: `take_first_step()`, in `src/second.py`.\n"
    project.write("AGENTS.md", f"# Rules\n\n{heading}\n\n{lines}\n## Use\n\n{lines}")
    project.commit()
    renames(project, "first")
    project.git("rm", "-q", "src/second.py")
    project.commit()
    found = [(line, text) for _, line, _, text in said(project)]
    assert (9, "take_first_step()") in found and (5, "take_first_step()") not in found
    assert {line for line, text in found if text == "src/second.py"} == {5, 9}


@pytest.mark.parametrize("kept", [True, False])
def test_a_folder_of_work_may_be_empty_for_now_unless_what_it_was_in_is_gone_too(project: Sandbox, kept: bool) -> None:
    tasks = [f"plans/tasks/{number}.md" for number in range(9)]
    for name in (*tasks, *(["plans/README.md"] if kept else [])):
        project.write(name, f"# {name}\n")
    project.write("AGENTS.md", "# Rules\n\n- Take a task from `plans/tasks/`.\n")
    project.commit()
    for name in tasks:
        project.git("rm", "-q", name)
        project.commit("done")
    assert said(project) == ([] if kept else [("AGENTS.md", 3, "IM001", "plans/tasks/")])


@pytest.mark.parametrize(
    ("row", "is_told"),
    [
        ("| Steps | `docs/all-steps.md` | `vendor/kiln/all-steps.md` |", False),
        ("| Steps | `docs/no-steps.md` | `vendor/kiln/all-steps.md` |", True),
        ("- Steps: `docs/all-steps.md`, `vendor/kiln/all-steps.md`", True),
    ],
)
def test_a_row_that_has_a_file_here_may_have_it_elsewhere_too(project: Sandbox, row: str, is_told: bool) -> None:
    head = "| what | here | in a project |\n|---|---|---|\n" if row.startswith("|") else ""
    project.write("AGENTS.md", f"# Rules\n\n{head}{row}\n")
    project.write("copy-of-ann/vendor/kiln/all-steps.md", "# Steps\n")
    project.commit()
    project.git("rm", "-q", "-r", "copy-of-ann")
    project.write("docs/all-steps.md", "# Steps, all of them\n")
    project.write("docs/no-steps.md", "# No steps\n")
    project.commit()
    assert ("vendor/kiln/all-steps.md" in [one[3] for one in said(project)]) == is_told


@pytest.mark.parametrize(
    ("line", "is_told"),
    [
        ("The table is generated in the first step (`src/second.py`).", True),
        ("| Generate | `src/second.py` | what the first takes |", True),
        ("Put each new step beside it, as in `src/second.py`.", True),
        ("The second step, `src/second.py`, is retired.", False),
        ("Do not create `src/second.py` again by default.", False),
        ("The build generates `src/second.py`.", False),
        ("`src/second.py` is generated by the first.", False),
        ("Create `src/second.py` yourself if you need it.", False),
        ("How it was planned is in `notes/second.txt`, generated each night.", False),
    ],
)
def test_what_was_there_while_a_text_called_it_made_is_missed_like_any_other(
    project: Sandbox, line: str, is_told: bool
) -> None:
    project.write("notes/second.txt", "planned\n" * 9)
    project.write("AGENTS.md", f"{project.read()}\n{line}\n")
    project.commit()
    assert said(project) == []
    project.git("rm", "-q", "src/second.py", "notes/second.txt")
    project.commit()
    told = [one[2] for one in said(project)]
    assert told == (["IM001"] if is_told else [])
    if is_told:
        assert said(project, "--diff", "HEAD~1") == said(project)


def test_a_folder_that_moved_is_missed_where_a_text_called_it_made(project: Sandbox) -> None:
    for number in range(4):
        project.write(f"src/heat/part{number}.py", f"def heat_{number}():\n    return {number}\n" * 3)
    project.write("AGENTS.md", f"{project.read()}\n| Generate | `src/heat/` | what is to be fired |\n")
    project.commit()
    project.git("mv", "src/heat", "src/warmth")
    project.commit()
    assert [one[2:] for one in said(project)] == [("IM002", "src/heat/")]


@pytest.mark.parametrize("name", ["take_second_step", "TAKE_SECOND_STEP", "Taker.take_second"])
def test_a_definition_is_not_missed_by_a_document_that_was_written_later(project: Sandbox, name: str) -> None:
    last = name.rpartition(".")[2]
    project.write("src/taker.py", f"class Taker:\n    def {last}(self):\n        return 1\n")
    project.write("src/second.py", f"{last} = 1\n" if last.isupper() else f"def {last}():\n    return 1\n")
    project.commit()
    project.git("rm", "-q", "src/second.py")
    project.write("src/taker.py", "class Taker:\n    pass\n")
    project.commit()
    project.write("AGENTS.md", f"# Steps\n\nThe second is `{name}`, of second.py or taker.py.\n")
    project.commit()
    assert said(project) == []
    assert [one[2:] for one in said(project, "--all")] == [("IM090", name)]


def test_a_definition_is_not_missed_by_a_line_that_came_when_the_document_was_in_hand(project: Sandbox) -> None:
    project.write("src/second.py", "x = 1\n")
    project.write("AGENTS.md", project.read() + "- One step is enough.\n")
    project.commit()
    project.write("AGENTS.md", project.read() + "- The second is `take_second_step()`.\n")
    project.commit()
    assert said(project) == []
    assert [one[2:] for one in said(project, "--all")] == [("IM090", "take_second_step()")]


@pytest.mark.parametrize(
    ("line", "is_told"),
    [
        ("### second.py", True),
        ("- **`second.py`** - takes the second step", True),
        ("| `second.py` | takes the second step |", True),
        ("The second step is that of `second.py`.", False),
        ("- The second step is that of `second.py`.", False),
        ("- `second.py` is no step of ours", False),
        ("- `second.py` (in `lib/`) takes the second step", False),
    ],
)
@pytest.mark.parametrize("is_moved", [True, False])
def test_what_a_document_lists_beside_it_is_missed_where_it_left_the_folder(
    project: Sandbox, line: str, is_told: bool, is_moved: bool
) -> None:
    project.write("src/AGENTS.md", f"# Steps\n\n{line}\n")
    project.write("lib/last/second.py", "def take_no_step():\n    return 2\n" * 3)
    project.commit()
    assert said(project) == []
    if is_moved:
        project.git("mv", "-f", "src/second.py", "lib/last/second.py")
    else:
        project.git("rm", "-q", "src/second.py")
    project.commit()
    told = [("src/AGENTS.md", 3, "IM002" if is_moved else "IM001", "second.py")] if is_told else []
    assert said(project) == told


@pytest.mark.parametrize("cited", ["racks/kiln/second.py", "racks/kiln/", "/racks/kiln/second.py"])
@pytest.mark.parametrize(("folder", "is_told"), [("web", False), ("web/docs", False), ("docs", True), ("", True)])
def test_in_a_folder_that_was_put_around_it_a_path_is_read_from_there(
    project: Sandbox, cited: str, folder: str, is_told: bool
) -> None:
    for name in ("first", "second", "third", "fourth"):
        project.write(f"racks/kiln/{name}.py", f"def part_{name}():\n    return 1\n" * 3)
    document = f"{folder}/CLAUDE.md".lstrip("/")
    project.write(document, f"# Steps\n\nThe second is in `{cited}`.\n")
    project.commit()
    (project.root / "web").mkdir(exist_ok=True)
    project.git("mv", "racks", "web/racks")
    project.commit()
    told = [one for one in said(project) if one[0] == document]
    assert [one[2:] for one in told] == ([("IM002", cited)] if is_told else [])


def test_what_was_deleted_at_the_top_is_not_missed_where_the_document_has_its_like_beside(project: Sandbox) -> None:
    project.write("web/src/second.py", "def take_no_step():\n    return 2\n" * 3)
    for folder in ("web/docs", "docs"):
        project.write(f"{folder}/CLAUDE.md", "# Steps\n\nThe second is in `src/second.py`.\n")
    project.commit()
    project.git("rm", "-q", "src/second.py")
    project.commit()
    assert [one[0] for one in said(project)] == ["docs/CLAUDE.md"]


def test_what_moved_below_the_folder_of_a_document_is_found_by_its_name(project: Sandbox) -> None:
    project.write("src/AGENTS.md", "# Steps\n\n### second.py\n")
    project.commit()
    (project.root / "src" / "last").mkdir()
    project.git("mv", "src/second.py", "src/last/second.py")
    project.commit()
    assert said(project) == []


def test_who_gives_a_name_to_a_thing_and_writes_its_old_one_tells_of_the_past(project: Sandbox) -> None:
    line = "- A mistake, since `take_second_step()` answers only the newest.\n"
    project.write("AGENTS.md", project.read() + line.replace("newest", "first"))
    project.commit()
    project.write("src/second.py", "def take_last_of_steps():\n    return 1\n" * 3)
    project.commit()
    assert [one[2:] for one in said(project)] == [("IM002", "take_second_step()")]
    project.git("reset", "-q", "--hard", "HEAD~1")
    project.write("src/second.py", "def take_last_of_steps():\n    return 1\n" * 3)
    project.write("AGENTS.md", project.read() + line)
    project.commit()
    assert ("AGENTS.md", 5, "IM090", "take_second_step()") in said(project, "--all")


def test_what_a_text_calls_planned_after_it_left_is_planned(project: Sandbox) -> None:
    project.git("rm", "-q", "src/second.py")
    project.commit()
    project.write("AGENTS.md", project.read() + "- A file `src/second.py` will be added once the first is done.\n")
    project.commit()
    assert said(project, "--all") == []
    told = project.run("check", "--all", "--json").json["unverifiable"]
    assert [one["citation"]["text"] for one in told] == ["src/second.py"]


def test_who_deletes_a_file_and_writes_a_document_at_once_has_seen_what_is_left(project: Sandbox) -> None:
    project.write("web/src/rack/heat_plan.py", "def plan():\n    return 1\n")
    project.commit()
    project.git("rm", "-q", "-r", "web")
    project.write("docs/AGENTS.md", "# Guide\n\n- Racks: `rack/heat_plan.py`.\n- All: `web/src/rack/heat_plan.py`.\n")
    project.commit("a guide, and no scaffold")
    told = [one for one in said(project, "--all") if one[0] == "docs/AGENTS.md"]
    assert [(line, code) for _, line, code, _ in told] == [(3, "IM090"), (4, "IM001")], "the very path is missed"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("Hooks go in `src/hooks/`.", "IM090"),
        ("Add new tests to `src/hooks/`.", "IM090"),
        ("Os hooks vão em `src/hooks/`.", "IM090"),
        ("钩子放在 `src/hooks/`。", "IM090"),
        ("Hooks live in `src/hooks/`.", "IM001"),
        ("We keep all hooks in `src/hooks/`.", "IM001"),
        ("**src/hooks/** holds all of them.", "IM001"),
        ("`src/hooks/` is put together by hand.", "IM001"),
    ],
)
def test_where_things_are_to_be_put_need_not_be_there_yet(project: Sandbox, line: str, code: str) -> None:
    project.write("src/hooks/use_rack.py", "def use_rack():\n    return 1\n")
    project.write("src/hooks/use_heat.py", "def use_heat():\n    return 1\n")
    project.write("AGENTS.md", f"# Rules\n\n- {line}\n")
    project.commit()
    project.git("branch", "-f", "base")
    project.git("rm", "-q", "src/hooks/use_rack.py")
    project.commit()
    project.git("rm", "-q", "-r", "src/hooks")
    project.commit()
    for more in ((), ("--diff", "base")):
        found = [one for one in said(project, "--all", *more) if one[3] == "src/hooks/"]
        assert [one[2] for one in found] == [code], more


def test_bare_files_that_belong_elsewhere_are_not_missed_here(project: Sandbox) -> None:
    project.write("notes/heat-audit.md", "# Audit\n")
    project.write("AGENTS.md", "# Rules\n\nFiles that belong in the wiki (NOT here):\n\n- Audits (`heat-audit.md`)\n")
    project.commit()
    project.git("rm", "-q", "-r", "notes")
    project.commit()
    assert said(project) == []
    project.write(
        "AGENTS.md", project.read().replace("Files that belong in the wiki (NOT here)", "These are read first")
    )
    project.commit()
    assert [one[3] for one in said(project, "--all")] == ["heat-audit.md"]


@pytest.mark.parametrize(
    ("document", "code"),
    [
        ("kit/templates/CLAUDE.md", "IM090"),
        ("web-template/CLAUDE.md", "IM090"),
        ("kit/{{name}}/CLAUDE.md", "IM090"),
        ("kit/templating/CLAUDE.md", "IM001"),
    ],
)
def test_what_a_template_cites_is_of_the_project_that_it_is_copied_into(
    project: Sandbox, document: str, code: str
) -> None:
    project.write(document, "# Rules\n\n- Rules are in `src/second.py`.\n- See [them](/src/second.py).\n")
    project.commit()
    project.git("branch", "-f", "base")
    project.git("rm", "-q", "src/second.py")
    project.commit()
    for more in ((), ("--diff", "base")):
        assert {one[2] for one in said(project, "--all", *more) if one[0] == document} == {code}


@pytest.mark.parametrize(("end", "code"), [("<오븐>/", "IM090"), ("a/", "IM001")])
def test_a_folder_of_what_is_to_be_named_need_not_be_there_yet(project: Sandbox, end: str, code: str) -> None:
    project.write("src/hooks/a/use_rack.py", "def use_rack():\n    return 1\n")
    project.write("AGENTS.md", f"# Rules\n\n```\nsrc/hooks/{end}\n```\n")
    project.commit()
    project.git("rm", "-q", "-r", "src/hooks")
    project.commit()
    assert [one[2] for one in said(project, "--all") if one[3].startswith("src/hooks/")] == [code]


@pytest.mark.parametrize("is_ignored", [True, False])
def test_a_skill_that_was_only_taken_out_of_git_is_there(project: Sandbox, is_ignored: bool) -> None:
    project.write(".agents/skills/heat-racks/SKILL.md", "---\nname: heat-racks\n---\n\n# Heat\n")
    project.write("AGENTS.md", "# Rules\n\n- Run the skill `heat-racks` first.\n")
    project.commit()
    project.git("rm", "-q", "-r", "--cached", ".agents")
    project.write(".gitignore", ".agents/\n" if is_ignored else "*.log\n")
    project.git("add", ".gitignore")
    project.git("commit", "-q", "-m", "untrack")
    (project.root / ".agents/skills/heat-racks/SKILL.md").unlink()
    assert [one[3] for one in said(project)] == ([] if is_ignored else ["heat-racks"])


@pytest.mark.parametrize(("source", "is_told"), [("", False), ("export const port = 1\n", True)])
def test_a_folder_without_code_is_to_have_some(project: Sandbox, source: str, is_told: bool) -> None:
    project.write("api/services/.gitkeep", "")
    project.write("api/package.json", "{}\n")
    if source:
        project.write("api/services/port.ts", source)
    project.write("AGENTS.md", "# Rules\n\n- Heat is changed in [client](api/services/client.ts).\n")
    project.commit()
    assert bool(said(project)) is is_told


def test_a_document_that_was_renamed_by_the_commit_is_not_new(project: Sandbox) -> None:
    project.write("web/src/rack/heat_plan.py", "def plan():\n    return 1\n")
    project.write("guides/AGENTS.md", "# Guide\n\n- Racks: `rack/heat_plan.py`.\n")
    project.commit()
    project.git("rm", "-q", "-r", "web")
    project.git("mv", "guides", "docs")
    project.commit()
    assert ("docs/AGENTS.md", 3, "IM001", "rack/heat_plan.py") in said(project)


def test_a_template_with_code_beside_it_speaks_of_this_code(project: Sandbox) -> None:
    project.write("email-templates/render.py", "def render():\n    return 1\n")
    project.write("email-templates/old_frame.py", "def frame():\n    return 1\n")
    project.write("email-templates/AGENTS.md", "# Mails\n\n- Frames: `email-templates/old_frame.py`.\n")
    project.commit()
    project.git("rm", "-q", "email-templates/old_frame.py")
    project.commit()
    assert [one[2] for one in said(project) if one[0] == "email-templates/AGENTS.md"] == ["IM001"]


@pytest.mark.parametrize("diff", [(), ("--diff", "base")])
def test_what_a_template_cites_that_is_not_copied_with_it_is_of_the_new_project(
    project: Sandbox, diff: tuple[str, ...]
) -> None:
    for name in ("docs/heating.md", "kit/templates/small/src/heat_rack.py", "kit/templates/small/src/main.py"):
        project.write(name, f"# {name}\nRACKS = 1\n")
    lines = "- Read `docs/heating.md`.\n- Heat is in `src/heat_rack.py`.\n"
    project.write("kit/templates/small/CLAUDE.md", f"# {{{{name}}}}\n\n{lines}")
    project.write("AGENTS.md", f"# Rules\n\n{lines}")
    project.commit()
    project.git("branch", "-f", "base")
    project.write("guides/a.md", "")
    project.git("mv", "docs/heating.md", "guides/heating.md")
    project.git("rm", "-q", "kit/templates/small/src/heat_rack.py")
    project.commit()
    found = [(file, text) for file, _, code, text in said(project, *diff) if code in ("IM001", "IM002")]
    assert ("kit/templates/small/CLAUDE.md", "docs/heating.md") not in found
    assert {("AGENTS.md", "docs/heating.md"), ("kit/templates/small/CLAUDE.md", "src/heat_rack.py")} <= set(found)


@pytest.mark.parametrize(("head", "is_told"), [("File naming", False), ("命名规则", False), ("File", True)])
def test_a_column_on_naming_has_samples(project: Sandbox, head: str, is_told: bool) -> None:
    project.write("web/RackCard.tsx", "export const RackCard = 1\n")
    project.write("AGENTS.md", f"| What | Rule | {head} |\n|---|---|---|\n| Parts | One a file | `RackCard.tsx` |\n")
    project.commit()
    project.git("rm", "-q", "web/RackCard.tsx")
    project.commit()
    assert bool(said(project)) is is_told


@pytest.mark.parametrize(
    ("heading", "is_told"),
    [
        ("Hub architecture (planned)", False),
        ("Aufbau (geplant)", False),
        ("目录结构（计划）", False),
        ("Proposed layout", False),
        ("Folders (when implemented)", False),
        ("Ordner (sobald umgesetzt)", False),
        ("目录结构（实现后）", False),
        ("Folders (when done)", True),
        ("Folders (when built: dist)", True),
        ("Layout (as planned in May)", True),
        ("Target groups", True),
    ],
)
def test_what_a_heading_calls_planned_need_not_be_there(project: Sandbox, heading: str, is_told: bool) -> None:
    for name in ("kiln-core/heat.py", "racks/rack.py"):
        project.write(name, "RACKS = 1\n")
    project.write("AGENTS.md", f"# Rules\n\n## {heading}\n\n```\nracks/\n├── rack.py\n└── kiln-core/\n```\n")
    project.commit()
    project.git("branch", "-f", "base")
    project.git("rm", "-q", "-r", "kiln-core")
    project.commit()
    assert bool(said(project)) is is_told


@pytest.mark.parametrize(
    ("command", "is_told"), [("git mv a_tmp.py src/second.py", False), ("cat src/second.py", True)]
)
def test_what_a_shown_command_moves_need_not_be_there(project: Sandbox, command: str, is_told: bool) -> None:
    project.write("AGENTS.md", f"# Cases\n\nIn two steps:\n\n```sh\n{command}\n```\n")
    project.commit()
    project.git("branch", "-f", "base")
    project.git("rm", "-q", "src/second.py")
    project.commit()
    assert bool(said(project)) is is_told
    assert bool(said(project, "--diff", "base")) is is_told


@pytest.mark.parametrize("file", ["shop/templates/AGENTS.md", "chart/templates/AGENTS.md"])
def test_live_code_in_a_folder_of_templates_speaks_of_this_repository(project: Sandbox, file: str) -> None:
    for name in ("shop/views.py", "shop/templates/tags.py", "chart/templates/helpers.py"):
        project.write(name, f"# {name}\nRACKS = 1\n")
    project.write(file, "# Rules\n\n- Cards are rendered by `shop/views.py`.\n")
    project.commit()
    project.git("mv", "shop/views.py", "shop/card_views.py")
    project.commit()
    assert [one[2] for one in said(project) if one[0] == file] == ["IM002"]


def test_source_code_of_backups_is_meant(project: Sandbox) -> None:
    project.write("src/backup/dump_scheduler.py", "def dump():\n    return 1\n")
    project.write("AGENTS.md", "# Rules\n\n- The dump is started by `dump_scheduler.py`.\n")
    project.commit()
    project.git("branch", "-f", "base")
    project.git("rm", "-q", "src/backup/dump_scheduler.py")
    project.commit()
    assert said(project) and said(project, "--diff", "base")


@pytest.mark.parametrize(
    "text",
    [
        "# Guide (planned)\n\n## Where things are\n\n- Start in `src/second.py`.\n",
        "# Guide\n\n## Caching (planned)\n\nToday everything is in `src/second.py`.\n",
        "# Guide\n\n## Where things are (draft)\n\n- Start in `src/second.py`.\n",
        "# Guide\n\n## Repo map — 2026-05-29\n\n- `src/second.py` has the entry point.\n",
        "# Guide\n\n- After a move (git mv a b) run `src/second.py` again.\n",
        "# Guide\n\n```sh\ngit mv a.py b.py && python src/second.py\n```\n",
    ],
)
def test_what_is_said_of_today_is_missed(project: Sandbox, text: str) -> None:
    project.write("AGENTS.md", text)
    project.commit()
    project.git("rm", "-q", "src/second.py")
    project.commit()
    assert any("src/second.py" in one[3] for one in said(project))


def test_a_command_that_moves_goes_on_in_the_next_line(project: Sandbox) -> None:
    project.write("AGENTS.md", "# Cases\n\n```sh\ngit mv \\\n  a_tmp.py \\\n  src/second.py\n```\n")
    project.commit()
    project.git("rm", "-q", "src/second.py")
    project.commit()
    assert said(project) == []


@pytest.mark.parametrize(("folder", "is_told"), [("conf_backup", False), ("conf.bak", False), ("conf", True)])
def test_a_copy_that_was_kept_is_not_what_a_bare_name_means(project: Sandbox, folder: str, is_told: bool) -> None:
    project.write(f"{folder}/rack.plan.toml", "heat = 1\n")
    project.write("AGENTS.md", f"# Rules\n\n- In {folder}/, heat is read from `rack.plan.toml`.\n")
    project.commit()
    project.git("branch", "-f", "base")
    project.git("rm", "-q", f"{folder}/rack.plan.toml")
    project.commit()
    for more in ((), ("--diff", "base")):
        assert ("rack.plan.toml" in [one[3] for one in said(project, *more)]) is is_told


@pytest.mark.parametrize(("setting", "is_told"), [("strict: true", False), ("heatRacks: true", True)])
def test_a_setting_of_one_word_is_of_many_a_tool(project: Sandbox, setting: str, is_told: bool) -> None:
    project.write("plan/config.yaml", f"{setting}\n")
    project.write("AGENTS.md", f"# Rules\n\n- All code passes with `{setting}`.\n")
    project.commit()
    project.git("branch", "-f", "base")
    project.git("rm", "-q", "plan/config.yaml")
    project.commit()
    assert bool(said(project, "--diff", "base")) is is_told


@pytest.mark.parametrize(
    ("line", "is_told"),
    [
        ("Produce a plan as a short file (`HeatPlan.md` in the root)", False),
        ("Erzeuge den Plan als kurze Datei (`HeatPlan.md`)", False),
        ("Genera el plan en un archivo `HeatPlan.md`", False),
        ("Produce a plan, and follow `HeatPlan.md`", True),
        ("Follow `HeatPlan.md`", True),
    ],
)
def test_what_a_step_produces_need_not_be_there(project: Sandbox, line: str, is_told: bool) -> None:
    project.write("HeatPlan.md", "# Plan\n")
    project.write("AGENTS.md", f"# Rules\n\n- {line}.\n")
    project.commit()
    project.git("rm", "-q", "HeatPlan.md")
    project.commit()
    assert bool(said(project)) is is_told


@pytest.mark.parametrize(
    ("line", "code"), [("// src/second.py", "IM090"), ("/* src/second.py */", "IM090"), ("run src/second.py", "IM001")]
)
def test_what_sample_code_calls_its_own_file_may_be_any(project: Sandbox, line: str, code: str) -> None:
    project.write("AGENTS.md", f"# Rules\n\n```js\n{line}\nheat()\n```\n")
    project.commit()
    project.git("rm", "-q", "src/second.py")
    project.commit()
    assert [one[2] for one in said(project, "--all") if one[3] == "src/second.py"] == [code]


def test_what_sample_code_of_a_skill_has_is_of_any_project(project: Sandbox) -> None:
    text = '# Racks\n\nSee `src/second.py`.\n\n```json\n{"main": "src/second.py"}\n```\n'
    project.write(".claude/skills/racks/SKILL.md", "---\nname: racks\n---\n")
    project.write(".claude/skills/racks/AGENTS.md", text)
    project.commit()
    project.git("rm", "-q", "src/second.py")
    project.commit()
    found = [one[1:3] for one in said(project, "--all") if one[0].startswith(".claude")]
    assert found == [(3, "IM001"), (6, "IM090")]
    project.write(".claude/skills/racks/AGENTS.md", text.replace("See `src/second.py`.", "See this:"))
    project.commit()
    assert [one[1:3] for one in said(project, "--all") if one[0].startswith(".claude")] == [(6, "IM090")]


def test_a_title_may_be_the_name_that_the_document_had(project: Sandbox) -> None:
    text = "".join(f"- Rule {number} of the kiln, in full.\n" for number in range(30))
    project.write("CLAUDE.md", "Read AGENTS.md.\n")
    project.commit()
    project.git("rm", "-q", "AGENTS.md")
    project.write("CLAUDE.md", f"# AGENTS.md\n\n{text}\nThe rest is in `AGENTS.md`.\n")
    project.commit()
    assert said(project) == [("CLAUDE.md", 34, "IM001", "AGENTS.md")]


@pytest.mark.parametrize(
    ("had", "kept", "code"), [(30, 2, "IM001"), (30, 20, "IM090"), (6, 6, "IM090")], ids=["anew", "partly", "longer"]
)
def test_a_document_that_the_removing_commit_wrote_anew_says_everything_for_the_first_time(
    project: Sandbox, had: int, kept: int, code: str
) -> None:
    old = "".join(f"- Rule {number} of the old kiln, in full.\n" for number in range(had))
    project.write("AGENTS.md", old)
    project.commit()
    project.git("rm", "-q", "src/second.py")
    new = "".join(f"- Rule {number} of the new kiln, in full.\n" for number in range(20))
    project.write("AGENTS.md", f"{new}- End in `src/second.py`.\n" + "".join(old.splitlines(keepends=True)[:kept]))
    project.commit()
    assert said(project, "--all") == [("AGENTS.md", 21, code, "src/second.py")]


# What alone is in doubt: a comment tells of the name still, it has one of two words by now, a library's import left.
EARNED = {
    "told of": (
        "src/second.py",
        "def heat_the_rack():\n    return 1\n",
        "# heat_the_rack() did it\n",
        "heat_the_rack()",
    ),
    "short": ("src/second.py", "def heat_rack(hot):\n", "def warm_rack(hot):\n", "heat_rack()"),
    "import": ("src/second.js", "import clay from 'clay-press';\n", "x = 1;\n", "clay-press"),
}


@pytest.mark.parametrize("case", EARNED)
def test_what_is_in_doubt_by_its_evidence_is_missed_by_a_line_that_is_older_than_the_commit(
    project: Sandbox, case: str
) -> None:
    file, before, after, name = EARNED[case]
    project.write(file, before)
    project.write("AGENTS.md", project.read() + f"- First comes `{name}`.\n")
    project.commit()
    project.write(file, after)
    project.commit("the module alone")
    assert [one[1] for one in said(project) if one[3] == name] == [4]
    assert [one[1] for one in said(project, "--diff", "HEAD~1") if one[3] == name] == [4]
    project.write("AGENTS.md", project.read().replace("First comes", "In front of all comes"))
    project.commit("another wording")
    assert said(project) == []
    assert (4, "IM090", name) in [one[1:] for one in said(project, "--all")]


@pytest.mark.parametrize("case", EARNED)
def test_what_is_in_doubt_by_its_evidence_stays_so_where_the_commit_had_the_document_in_hand(
    project: Sandbox, case: str
) -> None:
    file, before, after, name = EARNED[case]
    project.write(file, before)
    project.write("AGENTS.md", project.read() + f"- First comes `{name}`.\n")
    project.commit()
    project.write(file, after)
    project.write("AGENTS.md", project.read() + "- There is another way.\n")
    project.commit("module and document")
    assert said(project) == []
    assert (4, "IM090", name) in [one[1:] for one in said(project, "--all")]


@pytest.mark.parametrize(
    ("cited", "code"),
    [
        ("npm run heat:rack", "IM001"),
        ("HEAT_RACK_URL", "IM001"),
        ("tools/saws/", "IM090"),
        ("rack_heater.py", "IM001"),
        ("heater.py", "IM001"),
        ("constants.py", "IM090"),
        ("glaze_plan.py", "IM090"),
        ("glaze-plan.yml", "IM090"),
        ("HEAT_API_KEY", "IM090"),
        ("glaze.py", "IM090"),
        ("deep/glaze_plan.py", "IM090"),
        ("heat_rack()", "IM090"),
    ],
)
def test_what_a_later_text_can_mean_nothing_else_by_is_missed(project: Sandbox, cited: str, code: str) -> None:
    """Not a library's: a script, a variable, a file whose name hardly another has."""
    project.write(
        "package.json", '{\n  "scripts": {\n    "heat:rack": "node heat.js",\n    "test": "node t.js"\n  }\n}\n'
    )
    project.write(".env.example", "HEAT_RACK_URL=http://localhost\nOTHER_URL=http://localhost\n")
    for name in (
        "tools/saws/one.py",
        "tools/saws/two.py",
        "web/deep/glaze_plan.py",
        "web/deep/glaze.py",
        "web/deep/glaze-plan.yml",
    ):
        project.write(name, f"print('{name}')\n")
    for name in ("rack_heater.py", "heater.py", "constants.py"):
        project.write(name, f"'''{name}'''\n")
    project.write(
        "src/second.py", "import os\n\nKEY = os.environ['HEAT_API_KEY']\n\n\ndef heat_rack():\n    return 1\n"
    )
    project.commit()
    project.write("package.json", '{\n  "scripts": {\n    "test": "node t.js"\n  }\n}\n')
    project.write(".env.example", "OTHER_URL=http://localhost\n")
    project.write("src/second.py", "x = 1\n")
    project.git("rm", "-q", "-r", "tools", "web", "rack_heater.py", "heater.py", "constants.py")
    project.commit("all of it went")
    project.write("docs/AGENTS.md", f"# Guide\n\nThis is what `{cited}` is for.\n")
    project.commit("a guide, later")
    assert [one[2] for one in said(project, "--all") if one[3] == cited] == [code]


@pytest.mark.parametrize("own", [True, False], ids=["a package", "a folder"])
def test_what_another_package_lost_is_not_that_of_the_package_of_the_document(project: Sandbox, own: bool) -> None:
    project.write("apps/shop/package.json", "{}\n")
    project.write("apps/shop/src/rack_table.ts", "export const rack = 1;\n")
    if own:
        project.write("apps/depot/package.json", "{}\n")
    project.write("apps/depot/AGENTS.md", "# Depot\n\nRacks are in `src/rack_table.ts`.\n")
    project.commit()
    project.git("rm", "-q", "apps/shop/src/rack_table.ts")
    project.commit()
    for more in ((), ("--diff", "HEAD~1")):
        told = [one[2:] for one in said(project, *more, "--all") if one[0].startswith("apps")]
        assert told == [("IM090" if own else "IM001", "src/rack_table.ts")]


def test_what_sample_code_imports_is_beside_its_own_file(project: Sandbox) -> None:
    sample = "```ts\nimport {{ heat }} from {}'{}src/heat.ts';\n```\n"
    project.write("src/heat.ts", "export const heat = 1;\n")
    project.write("AGENTS.md", sample.format("", "./"))
    project.write("docs/AGENTS.md", sample.format("'@/kiln'; // see ", ""))
    project.commit()
    project.git("rm", "-q", "src/heat.ts")
    project.commit()
    assert [one[0] for one in said(project, "--diff", "HEAD~1")] == ["docs/AGENTS.md"]


def test_what_a_string_of_code_still_has_is_in_doubt_whatever_the_line(project: Sandbox) -> None:
    project.write("src/second.py", "glaze_mix_queue = Queue()\n")
    project.write("AGENTS.md", project.read() + "- All goes through `glaze_mix_queue`.\n")
    project.commit()
    project.write("src/second.py", "run('insert into glaze_mix_queue values (1)')\n")
    project.commit("a queue elsewhere")
    assert said(project) == said(project, "--diff", "HEAD~1") == []


@pytest.mark.parametrize("lead", ["Use these", "**Forbidden dependencies**"])
def test_what_a_paragraph_forbids_is_not_missed(project: Sandbox, lead: str) -> None:
    project.write("src/second.js", "import clay from 'clay-press';\n")
    project.write("AGENTS.md", project.read() + f"\n{lead} (by a gate; and no others):\n`glaze-kit`,\n`clay-press`.\n")
    project.commit()
    project.write("src/second.js", "x = 1;\n")
    project.commit()
    assert [one[3] for one in said(project)] == (["clay-press"] if lead == "Use these" else [])


@pytest.mark.parametrize(
    ("line", "code"), [("`npm run heat:rack` heats.", "IM001"), ("`npm run heat:rack` is no script.", "IM090")]
)
def test_a_later_line_that_denies_something_may_deny_it_of_the_thing(project: Sandbox, line: str, code: str) -> None:
    scripts = '{{"scripts": {{{}\n    "test": "node t.js"\n  }}\n}}\n'
    project.write("package.json", scripts.format('\n    "heat:rack": "node heat.js",'))
    project.commit()
    project.write("package.json", scripts.format(""))
    project.commit()
    project.write("docs/AGENTS.md", f"# Guide\n\n{line}\n")
    project.commit()
    assert [one[2] for one in said(project, "--all") if one[3] == "npm run heat:rack"] == [code]


def test_a_clone_that_is_deepened_forgets_what_it_could_not_see(project: Sandbox, tmp_path: Path) -> None:
    gets_the_name_of_another(project)
    git(tmp_path, "clone", "-q", "--depth", "1", project.root.as_uri(), "clone")
    clone = Sandbox(tmp_path / "clone", project.memory, project.capture)
    assert said(clone) == []
    clone.git("fetch", "-q", "--unshallow")
    assert said(clone) == said(project) == [("AGENTS.md", 1, "IM002", "take_first_step()")]
