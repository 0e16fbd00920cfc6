"""What is known of names in files equals what a search of all of them says, whatever was asked before."""

from __future__ import annotations

import json
import random
from hashlib import sha1

import pytest

from intermem.core.code.known_places import KnownPlaces
from intermem.core.code.name_search import Search

NAMES = ["of_old", "makeIt()", "makeIt", "light", "light()", "kit", "x_y", "--dry-run", "@scope/kit", "LIMIT"]
LINES = [
    "def of_old(x_y):\n    return LIMIT\n",
    "# of_old makeIt light x_y\n",
    "export function makeIt() { return light(x_y) }\n",
    'say("call makeIt and light the kit --dry-run")\n',
    "import kit from '@scope/kit'\nmakeIt(kit)\n",
    "const LIMIT = 3\n",
    '"""\ndef of_old():\n    pass\n"""\n',
]
PATHS = ["a.py", "b.js", "c.ts", "tests/test_a.py", "package.json", "pyproject.toml", "d/e.rs", "z.sh"]


def id_of(content: bytes) -> str:
    return sha1(content).hexdigest()


class Files:
    """Contents by path, and what was read of them."""

    def __init__(self) -> None:
        self.contents: dict[str, bytes] = {}
        self.was_read: list[str] = []

    def ask(self, known: KnownPlaces, names: list[str], dirty: frozenset[str] = frozenset()) -> object:
        versions = {path: "" if path in dirty else id_of(content) for path, content in self.contents.items()}

        def read(paths: object) -> object:
            for path in paths:  # type: ignore[attr-defined]
                self.was_read.append(path)
                yield path, self.contents[path]

        return known.all_places(names, versions, read, id_of)  # type: ignore[arg-type]


def test_any_run_of_changes_and_questions_gives_what_a_search_gives() -> None:
    for seed in range(60):
        chance = random.Random(seed)
        files, known = Files(), KnownPlaces()
        for _ in range(8):
            for path in chance.sample(PATHS, 3):
                files.contents[path] = "".join(chance.choices(LINES, k=3)).encode()
            if len(files.contents) > 5:
                del files.contents[chance.choice(sorted(files.contents))]
            names = chance.sample(NAMES, 5)
            dirty = frozenset(chance.sample(sorted(files.contents), 1))
            expected = Search(names).all_places(sorted(files.contents.items()))
            assert files.ask(known, names, dirty) == expected
            known = KnownPlaces.from_json(json.loads(json.dumps(known.to_json())))


def test_what_is_known_is_not_read_again() -> None:
    files, known = Files(), KnownPlaces()
    files.contents = {"a.py": b"def of_old(): pass\n", "b.py": b"of_old()\n", "c.py": b"x = 1\n"}
    first = files.ask(known, ["of_old", "x_y"])
    files.was_read.clear()
    assert files.ask(known, ["x_y", "of_old"]) == first
    assert files.was_read == []
    files.contents["b.py"] = b"# of_old\n"
    files.ask(known, ["of_old"])
    assert files.was_read == ["b.py"]
    files.was_read.clear()
    files.ask(known, ["LIMIT"])
    assert files.was_read == ["a.py", "b.py", "c.py"]


def test_a_content_that_is_not_of_its_version_does_not_stand_for_it() -> None:
    known = KnownPlaces()
    versions = {"a.py": "0" * 40}
    for content in (b"of_old()\n", b"\n\nof_old()\n", b"of_old()\n"):
        found = known.all_places(["of_old"], versions, lambda _, text=content: [("a.py", text)], id_of)
        assert found["of_old"][0].line == content.count(b"\n")
        assert not known.is_told


def test_what_only_reading_tells_to_be_the_same_is_read_and_not_searched() -> None:
    files, known = Files(), KnownPlaces()
    files.contents = {"a.py": b"def of_old(): pass\n", "b.py": b"of_old()\n"}
    everything = frozenset(files.contents)
    first = files.ask(known, ["of_old"], everything)
    known.has_learnt = False
    files.was_read.clear()
    assert files.ask(known, ["of_old"], everything) == first
    assert files.was_read == ["a.py", "b.py"]
    assert not known.has_learnt
    files.was_read.clear()
    assert files.ask(known, ["of_old"]) == first  # git has looked at them since
    assert files.was_read == []
    files.contents["b.py"] = b"# of_old\n"
    files.ask(known, ["of_old"], everything)
    assert known.has_learnt


@pytest.mark.parametrize("numbers", [[0, -1], [-9, 0], [0, 9]])
def test_a_row_of_a_set_that_is_not_there_is_damage(numbers: list[int]) -> None:
    files, known = Files(), KnownPlaces()
    files.contents = {"a.py": b"x = 1\n", "b.py": b"y = 2\n"}
    files.ask(known, ["of_old"])
    kept = json.loads(json.dumps(known.to_json()))
    assert KnownPlaces.from_json(kept).to_json() == known.to_json()
    kept["without"][3] = numbers
    with pytest.raises(ValueError):
        KnownPlaces.from_json(kept)


def test_no_name_is_kept_in_clear() -> None:
    files, known = Files(), KnownPlaces()
    files.contents = {"a.py": b"x = 1\n"}
    files.ask(known, ["sk_live_4242", "of_old"])
    assert "sk_live" not in json.dumps(known.to_json())
    assert "of_old" not in json.dumps(known.to_json())
