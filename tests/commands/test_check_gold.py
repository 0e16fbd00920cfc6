"""``check`` and ``verify`` agree on entries with known labels, and on a document made of them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.conftest import Once, Sandbox
from tests.verdicts.test_generated import Made, delete, made, move, move_folder

FORMS = (
    "- See `{0}` first.",
    "- `{0}` was deleted long ago.",
    "- We will add `{0}` one day.",
    "- Read [this]({0}) and `{0}`.",
    "- Plain {0} in prose.",
    "- Lead-in:\n\n  ```sh\n  cat {0}\n  ```",
)


def labelled(box: Sandbox) -> None:
    """Two hundred things that entries cite; some were deleted, moved, renamed with their folder."""
    repository: Made = made(box, 5)
    paths = [path for path in repository.bodies if repository.bodies[path]]
    for number, path in enumerate(paths):
        if number % 5 == 0:
            delete(repository, path)
        elif number % 5 == 1:
            folder, _, name = path.rpartition("/")
            move(repository, path, f"{folder}/deep/{name}")
    lone = sorted(path for path in repository.bodies if path.startswith("docs/"))
    move_folder(repository, lone[0].rpartition("/")[0], "docs/elsewhere")
    keys = sorted(repository.truths)
    entries = [FORMS[number % len(FORMS)].format(key) for number, key in enumerate(keys)]
    box.write("AGENTS.md", "# Entries\n\n" + "\n".join(entries) + "\n")
    truths = {key: truth.status for key, truth in repository.truths.items()}
    (box.memory / "truths.json").write_text(json.dumps([keys, entries, truths]))
    box.commit("document")


Judged = set[tuple[str, str, str, str | None]]  # kind, text, status, target


def by_verify(box: Sandbox, entries: list[str]) -> list[Judged]:
    lines, at = [], 3
    for number, entry in enumerate(entries):
        count = entry.count("\n") + 1
        asked = {"id": str(number), "entry_text": entry, "file": "AGENTS.md", "lines": [at, at + count - 1]}
        lines.append(json.dumps(asked))
        at += count
    path = box.root.parent / "asked.jsonl"
    path.write_text("\n".join(lines), "utf-8")
    said = [json.loads(line) for line in box.run("verify", "--entries", str(path)).out.splitlines()]
    return [{(one["kind"], one["text"], one["status"], one["target"]) for one in line["citations"]} for line in said]


def by_check(box: Sandbox, entries: list[str], *more: str) -> list[Judged]:
    data = box.run("check", "--all", "--json", *more, code=1).json
    starts = [3 + sum(entry.count("\n") + 1 for entry in entries[:number]) for number in range(len(entries))]
    found: list[Judged] = [set() for _ in entries]
    for one in [*data["findings"], *data["unverifiable"]]:
        cited: dict[str, Any] = one["citation"]
        number = max(number for number, start in enumerate(starts) if start <= one["line"])
        found[number].add((cited["kind"], cited["text"], cited["status"], cited["target"]))
    return found


@pytest.mark.parametrize("side", [(), ("--rev", "HEAD")], ids=["working tree", "revision"])
def test_check_and_verify_agree(sandbox: Sandbox, once: Once, side: tuple[str, ...]) -> None:
    once(sandbox, labelled)
    keys, entries, truths = json.loads((sandbox.memory / "truths.json").read_text())
    verified = by_verify(sandbox, entries)
    checked = by_check(sandbox, entries, *side)
    for entry, one, other in zip(entries, verified, checked, strict=True):
        assert other == {judged for judged in one if judged[2] != "valid"}, entry
    plain = [(key, found) for number, (key, found) in enumerate(zip(keys, checked, strict=True)) if number % 6 == 0]
    assert {truths[key] for key, _ in plain} == {"valid", "broken", "moved"}
    for key, found in plain:
        assert {status for _, text, status, _ in found if text == key} == {truths[key]} - {"valid"}, key
