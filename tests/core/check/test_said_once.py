"""The same thing, gone in several places of a document, is one finding with its places."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Sandbox


def prepared(box: Sandbox, document: str, *files: str) -> None:
    for name in files:
        box.write(name, f"# {name}\n")
    box.write("AGENTS.md", document)
    box.commit("start")
    box.git("rm", "-q", *files)
    box.commit("gone")


def messages(box: Sandbox) -> list[tuple[int, str]]:
    """Line and message of each finding that people are told."""
    lines = box.run("check", code=1).out.split("\n")
    told = [line.split(":", 3) for line in lines if " error: " in line]
    return [(int(line), rest.partition(" error: ")[2]) for _, line, _, rest in told]


def test_a_path_that_is_cited_again_and_again(sandbox: Sandbox) -> None:
    text = "- See `src/kiln.py`.\n- Read `src/kiln.py` again.\n\nAnd [src/kiln.py](src/kiln.py) as well.\n"
    prepared(sandbox, text, "src/kiln.py")
    ((line, message),) = messages(sandbox)
    assert line == 1
    assert message.startswith("src/kiln.py not found: deleted in ")
    assert message.endswith("(also on lines 2, 4)")


def test_a_command_and_the_file_in_it(sandbox: Sandbox) -> None:
    prepared(sandbox, "- Run `python src/kiln.py --fast`.\n", "src/kiln.py")
    ((_, message),) = messages(sandbox)
    assert message.startswith("python src/kiln.py --fast not found")


def test_a_command_that_runs_what_has_moved_is_told_with_its_fix(sandbox: Sandbox) -> None:
    sandbox.write("src/kiln.py", "print(1)\n")
    sandbox.write("AGENTS.md", "- Run `python src/kiln.py --fast`, then `python src/kiln.py --slow`.\n")
    sandbox.commit("start")
    sandbox.git("mv", "src/kiln.py", "src/oven.py")
    sandbox.commit("moved")
    lines = sandbox.run("check", code=1).out.split("\n")
    told = [line.partition(" warning: ")[2].partition(" in ")[0] for line in lines if " warning: " in line]
    assert told == ["src/kiln.py has moved to src/oven.py"], "once a line"


def test_the_files_of_one_deleted_folder(sandbox: Sandbox) -> None:
    files = [f"old/deep/f{number}.py" for number in range(4)]
    prepared(sandbox, "".join(f"- `{name}` does it.\n" for name in files), *files)
    ((line, message),) = messages(sandbox)
    assert line == 1
    assert message.startswith("old/deep/f0.py not found: deleted in ")
    assert message.endswith("(and 3 more of old/deep/: lines 2, 3, 4)")


def test_names_of_code_whose_definitions_one_commit_removed(sandbox: Sandbox) -> None:
    names = [f"fire_{part}_kiln" for part in ("first", "second", "third")]
    sandbox.write("src/kiln.py", "".join(f"def {name}():\n    return 1\n" for name in names))
    sandbox.write("src/oven.py", "def heat_the_oven():\n    return 1\n")
    calls = [f"- Call `{name}`.\n" for name in [*names, names[0], "heat_the_oven"]]
    sandbox.write("AGENTS.md", "".join([*calls, "\nSee kiln.py and oven.py.\n"]))
    sandbox.commit("start")
    sandbox.write("src/kiln.py", "x = 1\n")
    sandbox.commit("no kiln")
    ((line, message),) = messages(sandbox)
    assert line == 1
    assert message.startswith("fire_first_kiln not found: its definition was removed from src/kiln.py in ")
    assert message.endswith("(also fire_second_kiln, fire_third_kiln: lines 2, 3, 4)")
    sandbox.write("src/oven.py", "x = 1\n")
    sandbox.commit("no oven")
    assert [line for line, _ in messages(sandbox)] == [1, 5]
    sandbox.write("AGENTS.md", sandbox.read().replace(names[2], names[1]))
    assert [line for line, _ in messages(sandbox)] == [1, 2, 5], "two names are two findings"


def test_two_files_of_a_folder_are_two_findings_and_so_are_two_documents(sandbox: Sandbox) -> None:
    files = ["old/a.py", "old/b.py"]
    sandbox.write("web/CLAUDE.md", "- `old/a.py` does it.\n")
    prepared(sandbox, "".join(f"- `{name}` does it.\n" for name in files), *files)
    assert len(messages(sandbox)) == 3


def test_an_ignored_place_hides_no_other(sandbox: Sandbox) -> None:
    comment = '<!-- intermem:ignore IM001 reason="it is in the image" -->'
    text = f"{comment}\nSee `src/kiln.py`.\n\nRead `src/kiln.py` again.\n"
    prepared(sandbox, text, "src/kiln.py")
    ((line, message),) = messages(sandbox)
    assert line == 4
    assert "also" not in message


def test_commands_that_run_the_same_deleted_file(sandbox: Sandbox) -> None:
    prepared(sandbox, "- Run `python src/kiln.py --fast`.\n- Or `python src/kiln.py --slow`.\n", "src/kiln.py")
    ((_, message),) = messages(sandbox)
    assert message.startswith("python src/kiln.py --fast not found: deleted in ")
    assert message.endswith("(also on line 2)")


def test_text_summary_and_baseline_count_findings_and_their_places_alike(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [f"old/f{number}.py" for number in range(3)]
    prepared(sandbox, "".join(f"- `{name}` does it.\n" for name in [*files, "x.py"]), *files, "x.py")
    assert "\n2 findings in 4 places (2 errors), 1 document checked.\n" in sandbox.run("check", code=1).out
    assert len(sandbox.run("check", "--json", code=1).json["findings"]) == 4
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    sandbox.run("check", "--format", "github", code=1)
    heading = (tmp_path / "summary.md").read_text(encoding="utf-8").split("\n", 1)[0]
    assert heading == "### intermem check: 2 findings in 4 places (2 errors)"
    said = sandbox.run("check", "--write-baseline").err
    assert ".intermem/baseline.json: 2 findings in 4 places recorded; commit it" in said
    assert sandbox.run("check").out == "No findings, 1 document checked; 4 places ignored.\n"


def test_a_baseline_that_git_ignores_is_not_to_be_committed(sandbox: Sandbox) -> None:
    prepared(sandbox, "- `old/f.py` does it.\n", "old/f.py")
    sandbox.write(".gitignore", ".intermem/\n")
    said = sandbox.run("check", "--write-baseline").err
    assert "1 finding recorded; git ignores it, so only this clone has it" in said


def test_a_path_of_other_capitals_is_told_as_it_is_spelt(sandbox: Sandbox) -> None:
    sandbox.write("docs/Kilns/Big.md", "# Kiln\n")
    sandbox.write("AGENTS.md", "Read `docs/kilns/` first, or `docs/kilns/big.md`.\n")
    sandbox.commit("start")
    out = sandbox.run("check", code=1).out
    assert "warning: docs/kilns/ is spelt docs/Kilns here\n" in out
    assert "warning: docs/kilns/big.md is spelt docs/Kilns/Big.md here\n" in out


def test_a_link_whose_text_is_its_target_is_told_once_and_mended_in_both_places(sandbox: Sandbox) -> None:
    sandbox.write("docs/kiln.md", "".join(f"Line {number} of the kiln.\n" for number in range(9)))
    sandbox.write("AGENTS.md", "- **Kiln**: [docs/kiln.md](docs/kiln.md)\n- See also `docs/kiln.md`.\n")
    sandbox.commit("start")
    (sandbox.root / "docs/old").mkdir()
    sandbox.git("mv", "docs/kiln.md", "docs/old/kiln.md")
    sandbox.commit("moved")
    out = sandbox.run("check", code=1).out
    assert out.count("has moved to docs/old/kiln.md") == 2 and "2 findings in 3 places" in out
    sandbox.run("check", "--fix", "--unsafe-fixes", code=None)
    assert sandbox.read().count("docs/old/kiln.md") == 3
