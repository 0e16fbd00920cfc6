"""A small repository, 200 citations of what it has, then commits that delete, rename, move and split.

What each verdict must be is known from the making; precision and recall are 1.0, and every broken
or moved verdict names the commit that did it and the place where the thing is now.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import dataclass, field

import pytest

from tests.conftest import Sandbox, git

_WORDS = "amber birch cedar delta ember flint grove haven islet jetty knoll larch maple nadir ocean pearl quartz river"
WORDS = _WORDS.split()


@dataclass
class Truth:
    """What must be said of one citation: its status, the commit behind it, where it is now."""

    text: str
    status: str = "valid"
    commit: str | None = None
    target: str | None = None


@dataclass
class Made:
    """A repository in the making: the body of each file, and what was cited of it."""

    box: Sandbox
    chance: random.Random
    bodies: dict[str, list[str]] = field(default_factory=dict)
    truths: dict[str, Truth] = field(default_factory=dict)
    start: str = ""

    def save(self, message: str) -> str:
        return self.box.commit(message)

    def text(self, path: str) -> str:
        """A file of functions, each with lines of its own, so that git sees a rename and no other."""
        names = self.bodies[path]
        if path.endswith(".js"):
            parts = [f"export function {name}(a, b) {{\n  return a.{name}Of(b) + {len(name)};\n}}\n" for name in names]
        else:
            parts = [f"def {name}(a, b):\n    return a.{name}_of(b) + {len(name)}\n" for name in names]
        return "\n\n".join(parts)

    def write(self, path: str) -> None:
        self.box.write(path, self.text(path))

    def paths_of(self, name: str) -> list[str]:
        return [path for path, names in self.bodies.items() if name in names]

    def cite(self, key: str) -> None:
        self.truths[key] = Truth(key)

    def lose(self, name: str, commit: str) -> None:
        if name in self.truths:
            self.truths[name] = Truth(name, "broken", commit)


def made(box: Sandbox, seed: int) -> Made:
    """Twenty modules in five packages, a hundred functions; all of them are cited, and every file and folder."""
    chance = random.Random(seed)
    repository = Made(box, chance)
    names = [f"{first}_{second}" for first in WORDS for second in WORDS if first != second]
    chance.shuffle(names)
    for package in range(5):
        for module in range(4):
            ending = "js" if package % 2 else "py"
            path = f"src/{WORDS[package]}pkg/{WORDS[module + 5]}{package}.{ending}"
            repository.bodies[path] = [names.pop() for _ in range(8)]
            repository.write(path)
            repository.cite(path)
            for name in repository.bodies[path]:
                repository.cite(name)
        for lone in range(5):
            path = f"docs/{WORDS[package]}/{WORDS[lone + 9]}_{package}.txt"
            box.write(path, f"{path}\n" + "".join(f"line {chance.random()}\n" for _ in range(20)))
            repository.bodies[path] = []
            repository.cite(path)
    repository.start = repository.save("the beginning")
    return repository


def delete(repository: Made, path: str) -> None:
    (repository.box.root / path).unlink()
    names = repository.bodies.pop(path)
    commit = repository.save(f"delete {path}")
    repository.truths[path] = Truth(path, "broken", commit)
    for name in names:
        repository.lose(name, commit)


def move(repository: Made, path: str, new: str) -> None:
    (repository.box.root / new).parent.mkdir(parents=True, exist_ok=True)
    repository.box.git("mv", path, new)
    repository.bodies[new] = repository.bodies.pop(path)
    commit = repository.save(f"move {path}")
    repository.truths[path] = Truth(path, "moved", commit, new)


def move_folder(repository: Made, folder: str, new: str) -> None:
    (repository.box.root / new).parent.mkdir(parents=True, exist_ok=True)
    repository.box.git("mv", folder, new)
    inside = [path for path in repository.bodies if path.startswith(folder + "/")]
    for path in inside:
        repository.bodies[new + path[len(folder) :]] = repository.bodies.pop(path)
    commit = repository.save(f"move {folder}")
    for path in inside:
        repository.truths[path] = Truth(path, "moved", commit, new + path[len(folder) :])
    repository.truths[folder + "/"] = Truth(folder + "/", "moved", commit, new)


def split(repository: Made, path: str) -> None:
    """A module becomes a package of as many files as it had functions; no file is like the old one."""
    stem, _, ending = path.rpartition(".")
    (repository.box.root / path).unlink()
    names = repository.bodies.pop(path)
    front = "__init__" if ending == "py" else "index"
    imports = [f"from .{name} import {name}\n" for name in names]
    repository.box.write(
        f"{stem}/{front}.{ending}",
        "".join(imports if ending == "py" else [f'export * from "./{name}";\n' for name in names]),
    )
    for name in names:
        repository.bodies[f"{stem}/{name}.{ending}"] = [name]
        repository.write(f"{stem}/{name}.{ending}")
    commit = repository.save(f"split {path}")
    repository.truths[path] = Truth(path, "moved", commit, f"{stem}/{front}.{ending}")


def take_out(repository: Made, name: str) -> None:
    (path,) = repository.paths_of(name)
    repository.bodies[path].remove(name)
    repository.write(path)
    repository.lose(name, repository.save(f"take out {name}"))


def rename(repository: Made, name: str) -> None:
    (path,) = repository.paths_of(name)
    new = f"{name}_all"
    repository.bodies[path] = [new if one == name else one for one in repository.bodies[path]]
    repository.write(path)
    commit = repository.save(f"rename {name}")
    repository.truths[name] = Truth(name, "moved", commit, path)


def change_everything(repository: Made) -> None:
    """Every kind of change, in an order of chance, with commits that change nothing cited in between."""
    chance = repository.chance
    code = [path for path in repository.bodies if path.startswith("src/")]
    plain = [path for path in repository.bodies if path.startswith("docs/")]
    chance.shuffle(code)
    chance.shuffle(plain)
    steps = [lambda path=path: delete(repository, path) for path in [*code[:2], *plain[:4]]]
    steps += [lambda path=path: move(repository, path, f"elsewhere/{path}") for path in [*code[2:4], *plain[4:6]]]
    steps += [lambda path=path: split(repository, path) for path in code[4:6]]
    names = [name for path in code[6:14] for name in repository.bodies[path]]
    chance.shuffle(names)
    steps += [lambda name=name: take_out(repository, name) for name in names[:8]]
    steps += [lambda name=name: rename(repository, name) for name in names[8:14]]
    chance.shuffle(steps)
    for number, step in enumerate(steps):
        step()
        repository.box.write("notes.txt", f"{number}\n")
        repository.save("nothing much")


def verdicts(box: Sandbox, texts: list[str], *more: str) -> dict[str, dict[str, object]]:
    lines = [json.dumps({"id": text, "entry_text": f"`{text}`"}) for text in texts]
    asked = box.root.parent / "entries.jsonl"
    asked.write_text("\n".join(lines), "utf-8")
    found = (json.loads(line) for line in box.run("verify", "--entries", str(asked), *more).out.splitlines())
    return {one["id"]: one["citations"][0] for one in found}


@pytest.mark.parametrize("seed", range(4))
def test_every_verdict_is_right_and_names_commit_and_target(sandbox: Sandbox, seed: int) -> None:
    repository = made(sandbox, seed)
    texts = list(repository.truths)
    assert len(texts) >= 200
    before = verdicts(sandbox, texts)
    assert {text for text, one in before.items() if one["status"] != "valid"} == set()
    change_everything(repository)
    held = Counter(path.rpartition("/")[0] for path in repository.bodies if path.startswith("docs/"))
    move_folder(repository, max(held, key=lambda folder: held[folder]), "manual/start")
    wrong = []
    said = verdicts(sandbox, list(repository.truths))
    for text, truth in repository.truths.items():
        one = said[text]
        evidence = one["evidence"]
        assert isinstance(evidence, dict)
        target = str(one["target"]).partition(":")[0] if truth.target is not None else None
        if (one["status"], evidence.get("commit"), target) != (truth.status, truth.commit, truth.target):
            wrong.append((truth, one))
    assert wrong == []


def test_the_working_tree_a_revision_and_a_bare_clone_say_the_same(sandbox: Sandbox) -> None:
    repository = made(sandbox, 7)
    change_everything(repository)
    texts = list(repository.truths)
    here = verdicts(sandbox, texts)
    assert verdicts(sandbox, texts, "--rev", "HEAD") == here
    git(sandbox.root.parent, "clone", "-q", "--bare", str(sandbox.root), "bare.git")
    assert verdicts(sandbox, texts, "--repo", str(sandbox.root.parent / "bare.git")) == here
    past = verdicts(sandbox, texts, "--rev", repository.start)
    assert {one["status"] for one in past.values()} == {"valid"}
