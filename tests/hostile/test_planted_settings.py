"""Settings that came with the tree: they move thresholds, and lead nowhere."""

from __future__ import annotations

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


def test_a_setting_of_the_tree_may_name_a_folder_of_the_tree(sandbox: Sandbox) -> None:
    sandbox.write("notes/MEMORY.md", "# Memory\n\n- A fact.\n")
    sandbox.write("intermem.toml", 'memory_dir = "notes"\n')
    assert "1 entry in 1 file" in run(sandbox, "scan")
