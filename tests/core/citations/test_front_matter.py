"""Where the front matter of a document says that it applies."""

from __future__ import annotations

import pytest

from intermem.core.citations.context import Contexts
from intermem.core.citations.front_matter import folders_applied_to, front_matter


@pytest.mark.parametrize(
    ("block", "folders"),
    [
        ('paths:\n  - "apps/kiln/src/**/*.ts"\n', ["apps/kiln/src", "apps/kiln"]),
        ("globs: apps/kiln/*.ts, ./web/rack.py\n", ["apps/kiln", "web"]),
        ("applyTo: 'web/{heat,glaze}/**'\n", ["web"]),
        ("paths: ['**/*.ts', '*.py', '!web/gen/**']\n", []),
        ("paths: [web/kiln, web/rack.py]\n", ["web/kiln", "web"]),
        ("description: apps/kiln/src\n", []),
    ],
)
def test_the_folders_whose_files_a_document_is_for(block: str, folders: list[str]) -> None:
    text = f"---\n{block}---\n# Rules\n\npaths: other/place/**\n"
    assert folders_applied_to(text) == folders
    assert Contexts(text).bases == tuple(folders)


def test_front_matter_is_at_the_top() -> None:
    assert front_matter("---\npaths: a/**\n---\n# Rules\n") == "---\npaths: a/**\n---"
    assert front_matter("# Rules\n\n---\npaths: a/**\n---\n") == ""
    assert front_matter("---\n\nThe path: src/kiln/rack.py, in short.\n") == ""
