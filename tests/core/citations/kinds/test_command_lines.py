"""What a command line runs: whatever the folder of its program, it is a kind of command that can be judged."""

from __future__ import annotations

import pytest

from intermem.core.citations.kinds.command_lines import _FAMILIES, run_by
from intermem.core.citations.kinds.commands import judge, read
from intermem.core.citations.kinds.resolution import Setting
from intermem.core.citations.kinds.token import Token
from intermem.facts import Facts

ENDINGS = ("lint", "run lint", "build lint", "test", "-m kiln.fire", "-e lint", "--bin lint", "x/kiln.py", ":kiln:lint")


@pytest.mark.parametrize("program", sorted(_FAMILIES))
@pytest.mark.parametrize("folder", ["bin/", "./", "../tools/", "vendor/bin/"])
def test_a_program_is_the_same_in_any_folder_and_can_be_judged(program: str, folder: str) -> None:
    for ending in ENDINGS:
        bare, placed = f"{program} {ending}", f"{folder}{program} {ending}"
        assert run_by(placed) == run_by(bare)
        citation = read(Token(text=placed, form="span", start=0, stop=len(placed)))
        assert citation is None or judge(citation, Setting(), Facts()).status
