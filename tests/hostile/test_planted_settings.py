"""Settings that came with the tree: they move thresholds, and lead nowhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from intermem.cli.main import main
from tests.conftest import Sandbox


@pytest.fixture
def private(tmp_path: Path) -> Path:
    """The memory of another project."""
    made = tmp_path / "private"
    made.mkdir()
    (made / "MEMORY.md").write_bytes(b"# Memory\n\n- A private fact of another project.\n")
    return made


def run(box: Sandbox, *verb: str) -> str:
    """Run a command with the memory that the settings name; return everything that it prints."""
    box.capture.readouterr()
    main([*verb, "--project-root", str(box.root), "--now", box.now])
    out, err = box.capture.readouterr()
    return out + err


@pytest.mark.parametrize("how", ["absolute", "upwards", "link", "pyproject"])
@pytest.mark.parametrize("verb", [("scan",), ("sweep",), ("promote", "--yes"), ("status",)], ids=" ".join)
def test_no_setting_of_the_tree_leads_to_the_memory_of_another_project(
    sandbox: Sandbox, private: Path, how: str, verb: tuple[str, ...]
) -> None:
    place = {"upwards": "../private", "link": "notes"}.get(how, str(private))
    if how == "link":
        (sandbox.root / "notes").symlink_to(private)
    name, table = ("pyproject.toml", "[tool.intermem]\n") if how == "pyproject" else ("intermem.toml", "")
    sandbox.write(name, f'{table}memory_dir = "{place}"\n')
    sandbox.commit("planted")
    said = run(sandbox, *verb)
    assert f"to {private}, outside the project; it was left alone" in said
    assert "private fact" not in said + sandbox.read()


def test_a_setting_of_a_person_does(sandbox: Sandbox, private: Path) -> None:
    sandbox.git("config", "intermem.memoryDir", str(private))
    assert "1 entry in 1 file" in run(sandbox, "scan")


def test_a_file_that_git_does_not_track_is_a_persons(sandbox: Sandbox, private: Path) -> None:
    sandbox.write("intermem.toml", f'memory_dir = "{private}"\n')
    assert "1 entry in 1 file" in run(sandbox, "scan")


def test_a_tracked_link_to_a_file_that_git_does_not_track_is_no_persons(sandbox: Sandbox, private: Path) -> None:
    (sandbox.root / "intermem.toml").symlink_to("own.toml")
    sandbox.write(".gitignore", "own.toml\n")
    sandbox.write("own.toml", f'memory_dir = "{private}"\n')
    sandbox.commit("planted")
    assert "outside the project; it was left alone" in run(sandbox, "scan")


def test_the_settings_of_an_agent_that_a_submodule_brings_choose_no_memory(
    sandbox: Sandbox, private: Path, tmp_path: Path
) -> None:
    inner = Sandbox(tmp_path / "inner", sandbox.memory, sandbox.capture)
    inner.root.mkdir()
    inner.git("init", "-q", "-b", "main")
    inner.write("settings.local.json", json.dumps({"autoMemoryDirectory": str(private)}))
    inner.commit("planted")
    sandbox.git("-c", "protocol.file.allow=always", "submodule", "-q", "add", str(inner.root), ".claude")
    sandbox.commit("a submodule")
    assert str(private) not in run(sandbox, "status")


def test_a_setting_of_the_tree_may_name_a_folder_of_the_tree(sandbox: Sandbox) -> None:
    sandbox.write("notes/MEMORY.md", "# Memory\n\n- A fact.\n")
    sandbox.write("intermem.toml", 'memory_dir = "notes"\n')
    assert "1 entry in 1 file" in run(sandbox, "scan")


@pytest.mark.parametrize("target", ["src/app.py", ".intermem/ledger.jsonl", "intermem.toml", "Makefile", "new.py"])
@pytest.mark.parametrize("verb", [("init",), ("promote", "--yes"), ("sweep",)], ids=" ".join)
def test_a_target_that_is_no_document_is_refused_by_name(sandbox: Sandbox, target: str, verb: tuple[str, ...]) -> None:
    sandbox.write(".intermem/ledger.jsonl", "")
    sandbox.write("Makefile", "all:\n")
    sandbox.write("intermem.toml", f'targets = ["{target}"]\n')
    sandbox.note("# M\n\n- A fact.\n")
    sandbox.commit("planted")
    before = sandbox.git("status", "--porcelain")
    said = sandbox.run(*verb, code=None)
    assert said.code == 2 or target == "new.py"
    assert "is not the name of a document" in said.err or target == "new.py"
    assert sandbox.git("status", "--porcelain") == before
    assert not (sandbox.root / "new.py").exists()


@pytest.mark.parametrize("name", ["AGENTS.md", "src/app.py", ".github/workflows/ci.yml", "intermem.toml", "new.yml"])
def test_a_baseline_overwrites_no_other_file(sandbox: Sandbox, name: str) -> None:
    sandbox.write(".github/workflows/ci.yml", "on: push\n")
    sandbox.write("intermem.toml", f'[check]\nbaseline = "{name}"\n')
    sandbox.commit("planted")
    before = sandbox.git("status", "--porcelain")
    sandbox.run("check", "--write-baseline", code=2)
    assert sandbox.git("status", "--porcelain") == before


def test_a_json_file_that_is_no_baseline_is_not_overwritten(sandbox: Sandbox) -> None:
    sandbox.write("package.json", '{"name": "x"}\n')
    sandbox.write("intermem.toml", '[check]\nbaseline = "package.json"\n')
    sandbox.run("check", "--write-baseline", code=2)
    assert sandbox.read("package.json") == '{"name": "x"}\n'


@pytest.mark.parametrize("glob", ["AGENTS.md", "**", "*.md"])
@pytest.mark.parametrize("side", [[], ["--rev", "HEAD"], ["--diff", "HEAD~1"]], ids=" ".join)
def test_an_excluded_document_hides_nothing_that_nobody_sees(sandbox: Sandbox, glob: str, side: list[str]) -> None:
    sandbox.write("AGENTS.md", "# P\n\nUse\u200b `src/gone.py`.\n")
    sandbox.write("intermem.toml", f'[check]\nexclude = ["{glob}"]\n')
    sandbox.commit("planted")
    outcome = sandbox.run("check", *side, code=1)
    assert "IM071" in outcome.out
    assert "IM001" not in outcome.out
    assert "1 excluded" in outcome.out
    assert sandbox.run("check", *side, "--json", code=1).json["excluded"] == ["AGENTS.md"]


def test_what_is_excluded_is_not_said_to_be_missing(sandbox: Sandbox) -> None:
    sandbox.write("intermem.toml", '[check]\nexclude = ["**"]\n')
    assert sandbox.run("check").out == "No findings, 0 documents checked; 1 excluded.\n"
