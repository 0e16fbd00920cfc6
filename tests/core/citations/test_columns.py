"""What the head of a column says about the names in it."""

from __future__ import annotations

import pytest

from intermem.core.citations.columns import column_at, heads_of, is_on_naming, stance_of
from intermem.entities import Stance
from tests.conftest import Sandbox


@pytest.mark.parametrize(
    ("head", "stance"),
    [
        ("NOT", Stance.OTHERWISE),
        ("**Don't use**", Stance.OTHERWISE),
        ("❌ Wrong way", Stance.OTHERWISE),
        ("Avoid (why)", Stance.OTHERWISE),
        ("禁止", Stance.OTHERWISE),
        ("Nie", Stance.OTHERWISE),
        ("Old path", Stance.GONE),
        ("Before", Stance.GONE),
        ("Früher", Stance.GONE),
        ("旧路径", Stance.GONE),
        ("Deps removed", Stance.GONE),
        ("Dependencias eliminadas", Stance.GONE),
        ("移除的依赖", Stance.GONE),
        ("Dependencies", Stance.PLAIN),
        ("Writes to", Stance.OTHERWISE),
        ("Output (per run)", Stance.OTHERWISE),
        ("Generated files", Stance.OTHERWISE),
        ("产物", Stance.OTHERWISE),
        ("Salidas", Stance.OTHERWISE),
        ("Reads from", Stance.PLAIN),
        ("Output format", Stance.PLAIN),
        ("No", Stance.PLAIN),
        ("Notes", Stance.PLAIN),
        ("Not null", Stance.PLAIN),
        ("Before the build", Stance.PLAIN),
        ("", Stance.PLAIN),
    ],
)
def test_heads(head: str, stance: Stance) -> None:
    assert stance_of(head) is stance


def test_a_head_on_naming() -> None:
    assert all(
        map(
            is_on_naming,
            ("Naming", "**File naming**", "Naming convention", "File name pattern", "命名规则", "Namenskonvention"),
        )
    )
    assert not any(map(is_on_naming, ("Name", "File", "File name", "Names", "Renaming of files", "")))


def test_columns_are_counted_as_a_table_is_drawn() -> None:
    row = r"| `a|b` | c \| d | e |"
    assert [column_at(row, row.index(char)) for char in "abcde"] == [0, 0, 1, 1, 2]
    assert column_at("a | b", 4) == 1 and heads_of(" | A | B |") == heads_of("A | B") == ["A", "B"]


def test_names_of_a_column_of_what_is_not_to_be_used_are_no_findings(sandbox: Sandbox) -> None:
    rows = "| Racks | `rackKiln` | `heatKilnUp` |\n| Heat | `heatKilnUp` | 7 |\n"
    sandbox.write("AGENTS.md", f"| What | Use | NOT |\n|---|---|---|\n{rows}")
    sandbox.write("src/kiln.ts", "export function heatKilnUp() {}\nexport function rackKiln() {}\n")
    sandbox.commit()
    sandbox.write("src/kiln.ts", "export function rackKiln() {}\n")
    sandbox.commit()
    found = sandbox.run("check", "--json", code=1).json["findings"]
    assert [one["line"] for one in found] == [4], "only where the table says to use it"
