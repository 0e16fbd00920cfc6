"""Statements about names against manifests and files of CI: broken only where the name is nowhere."""

from __future__ import annotations

import pytest

from intermem.entities import Evidence, VerdictStatus
from tests.core.citations.kinds.test_ports import verdict_on

VALID, BROKEN, UNVERIFIABLE = VerdictStatus.VALID, VerdictStatus.BROKEN, VerdictStatus.UNVERIFIABLE
CI = ".github/workflows/checks.yml"
WORKFLOW = {CI: "name: Checks and more\njobs:\n  lint:\n    steps: []\n  unit-test:\n    name: Unit\n"}
PACKAGE = {"package.json": '{\n  "name": "@acme/core"\n}'}
PACKAGED = "The package is named `acme-core`."


@pytest.mark.parametrize(
    ("text", "files", "status", "target"),
    [
        (PACKAGED, {"package.json": '{"name": "acme-core"}'}, VALID, "package.json:1"),
        (PACKAGED, {"pyproject.toml": "[project]\nname = 'Acme_Core'\n"}, VALID, "pyproject.toml:2"),
        (PACKAGED, {"x/pyproject.toml": '[tool.poetry]\nname = "acme-core"\n'}, VALID, "x/pyproject.toml:2"),
        (PACKAGED, {"Cargo.toml": '[package]\nname = "acme-core"\n'}, VALID, "Cargo.toml:2"),
        (PACKAGED, {"setup.py": "setup(\n    name='acme-core',\n"}, VALID, "setup.py:2"),
        (
            "The package is named `example.com/core`.",
            {"go.mod": "module example.com/core\n"},
            VALID,
            "go.mod:1",
        ),
        (PACKAGED, PACKAGE, BROKEN, None),
        ("包名：`acme-core`", PACKAGE, BROKEN, None),
        (PACKAGED, {**PACKAGE, "a.py": "import x  # acme-core\n"}, UNVERIFIABLE, None),
        (PACKAGED, {"web/package.json": PACKAGE["package.json"]}, UNVERIFIABLE, None),
        (PACKAGED, {"package.json": '{"private": true}'}, UNVERIFIABLE, None),
        (PACKAGED, {"package.json": '{"name": "' + "a" * (1 << 20) + '"}'}, UNVERIFIABLE, None),
        ("The workflow is called Checks.", WORKFLOW, VALID, f"{CI}:1"),
        ("The workflow is called `checks and more`.", WORKFLOW, VALID, f"{CI}:1"),
        ("The workflow is called Release.", WORKFLOW, BROKEN, None),
        ("The workflow is called Release.", {CI: "on: push\n"}, UNVERIFIABLE, None),
        ("CI runs the `lint` job.", WORKFLOW, VALID, f"{CI}:3"),
        ("CI runs the `unit test` job.", WORKFLOW, VALID, f"{CI}:5"),
        ("CI runs the `deploy` job.", WORKFLOW, BROKEN, None),
        ("CI runs the `deploy` job.", {}, UNVERIFIABLE, None),
    ],
)
def test_a_statement_is_judged_by_what_names_such_things(
    text: str, files: dict[str, str], status: VerdictStatus, target: str | None
) -> None:
    found = verdict_on(text, files)
    assert (found.status, found.target) == (status, target)
    assert found.evidence is (Evidence.CONTRADICTED if status is BROKEN else None)


def test_the_reason_names_the_line_that_disagrees() -> None:
    assert (
        verdict_on(PACKAGED, PACKAGE).reason == "package.json:2 says @acme/core, and nothing here is called acme-core"
    )
