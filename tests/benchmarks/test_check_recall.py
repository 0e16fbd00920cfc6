"""Which names and paths are asked for, and how many of the stale ones are found."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import check_recall
from tests.conftest import Sandbox

TEXT = """\
# Kiln

`src/heat.py` and `rack.py` heat, `fire_rack()` of src/a.py fires, `Glaze.cool` cools, `src/oven.py` is to come.

`here()` is here, `never_was()` never was, and `src/` is a folder.

```
`tools/lost.py`
```
"""


@pytest.fixture
def clone(sandbox: Sandbox) -> Path:
    """A repository whose document cites what left, what is there, and what never was."""
    for name in ("src/heat.py", "lib/rack.py", "tools/lost.py"):
        sandbox.write(name, f"# {name}\n")
    sandbox.write("src/a.py", "def here():\n    pass\n\n\ndef fire_rack():\n    pass\n\n\ndef cool():\n    pass\n")
    sandbox.write("AGENTS.md", TEXT)
    sandbox.commit()
    sandbox.git("rm", "-q", "src/heat.py", "lib/rack.py", "tools/lost.py")
    sandbox.write("src/a.py", "def here():\n    pass\n")
    sandbox.write("docs/guide.md", "cool, fire_rack\n")
    sandbox.commit()
    return sandbox.root


def test_what_the_tree_lacks_and_history_had_is_asked_for(clone: Path) -> None:
    found = [(one.line, one.kind, one.cited) for one in check_recall.candidates(clone)]
    assert found == [
        (3, "name", "Glaze.cool"),
        (3, "name", "fire_rack()"),
        (3, "path", "rack.py"),
        (3, "path", "src/heat.py"),
    ]


def test_the_share_of_the_stale_ones_that_is_found(
    clone: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check_recall.main([str(clone)]) == 0
    rows = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert {row[4]: row[5] for row in rows}["src/heat.py"] == "IM001"
    labels = tmp_path / "labels.tsv"
    said = {"fire_rack()": "stale", "src/heat.py": "stale", "rack.py": "ok", "Glaze.cool": "ok"}
    labels.write_text("".join("\t".join((*row[:5], said[row[4]])) + "\n" for row in rows), encoding="utf-8")
    assert check_recall.main([str(clone), "--labels", str(labels)]) == 0
    assert capsys.readouterr().out == "name: 1 of 1 found (1.00)\npath: 1 of 1 found (1.00)\n"
