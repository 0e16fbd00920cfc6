"""A name among names that the repository never had is mostly a library's, whatever it once defined itself."""

from __future__ import annotations

import pytest

from tests.commands.test_check import cited
from tests.conftest import Sandbox

ALONE = "Call `heat_all()` first."
AMONG = "Call `heat_all()`, then `coolSlowly()`, or `coolAtOnce()`."
KNOWN = "Call `heat_all()`, then `stack_all()`, or `glaze_all()`, or `coolAtOnce()`."
FEW = f"{AMONG} So do `a_one()`, `a_two()`, `a_three()`, `a_four()`, `a_five()`, `a_six()`, `a_seven()`."
USED_ONCE = "Call `heat_all()`, with `cone-nine`, or `cone-four`."
ALL_GONE = "Call `heat_all()`, then `thaw_all()`, or `fire_all()`."

HERE = "".join(f"def {name}():\n    pass\n\n\n" for name in FEW.replace("`", " ").split() if name.startswith("a_"))
HERE = HERE.replace("()():", "():") + "def stack_all():\n    pass\n\n\ndef glaze_all():\n    pass\n"
LEAVING = "".join(
    f"def {name}_all():\n    return bend('cone-nine', 'cone-four')\n\n\n" for name in ("heat", "thaw", "fire")
)


@pytest.mark.parametrize(
    ("line", "told"),
    [(ALONE, 1), (AMONG, 0), (KNOWN, 1), (FEW, 1), (ALL_GONE, 3), (USED_ONCE, 1)],
    ids=["alone", "among strangers", "one stranger", "among many that are here", "all of them left", "used once"],
)
@pytest.mark.parametrize("how", [(), ("--diff", "HEAD~1"), ("--diff", "HEAD~1", "--exhaustive")])
def test_a_name_that_left_among_names_that_never_were_is_doubtful(
    sandbox: Sandbox, line: str, told: int, how: tuple[str, ...]
) -> None:
    sandbox.write("AGENTS.md", f"# Project\n\nOf kiln.py:\n\n- {line}\n")
    sandbox.write("src/kiln.py", LEAVING)
    sandbox.write("src/rack.py", HERE)
    sandbox.commit("all of it")
    sandbox.write("src/kiln.py", "x = 1\n")
    sandbox.commit("take it away")
    assert len(cited(sandbox, *how)) == told
    assert len(cited(sandbox, *how, "--all")) == max(told, 1)


SKETCH = "- A part has `src/{}`, `src/{}` and `src/ovens/`.\n"


@pytest.mark.parametrize(
    ("others", "told"),
    [(("pots/", "glazes/"), 0), (("rack.py", "pots/"), 1), (("rack.py", "kiln.py"), 1)],
    ids=["a sketch", "one stranger", "all of it was here"],
)
def test_a_folder_that_left_among_what_never_was_is_doubtful(
    sandbox: Sandbox, others: tuple[str, str], told: int
) -> None:
    sandbox.write("AGENTS.md", SKETCH.format(*others))
    for name in ("src/rack.py", "src/kiln.py", "src/ovens/a.py"):
        sandbox.write(name, f"# {name}\n" * 3)
    sandbox.commit("all of it")
    sandbox.git("rm", "-q", "-r", "src/ovens")
    sandbox.commit("take it away")
    assert len(cited(sandbox)) == told
    assert len(cited(sandbox, "--all")) == 1
    assert len(cited(sandbox, "--diff", "HEAD~1")) == 1, "it was here a commit ago, whatever the rest is"


def test_a_folder_that_left_after_those_beside_it_is_told_of_with_and_without_history(sandbox: Sandbox) -> None:
    sandbox.write("AGENTS.md", SKETCH.format("pots/", "glazes/"))
    for name in ("rack.py", "pots/a.py", "glazes/a.py", "ovens/a.py"):
        sandbox.write(f"src/{name}", f"# {name}\n" * 3)
    sandbox.commit("all of it")
    sandbox.git("rm", "-q", "-r", "src/pots", "src/glazes")
    sandbox.commit("take two away")
    sandbox.git("rm", "-q", "-r", "src/ovens")
    sandbox.commit("and the third")
    assert len(cited(sandbox)) == 3
    for how in (("--diff", "HEAD~1"), ("--diff", "HEAD~1", "--exhaustive")):
        assert len(cited(sandbox, *how)) == 1
