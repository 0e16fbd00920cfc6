"""``intermem.lazy_dataclass``: its classes are what ``dataclasses`` makes, but later."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import FrozenInstanceError, field, fields, is_dataclass, replace
from typing import Any, ClassVar

import pytest

from intermem.lazy_dataclass import dataclass
from tests.test_docs import ROOT

Decorator = Callable[..., Any]


def tray(decorate: Decorator, **options: object) -> Any:
    @decorate(**options)
    class Tray:
        kind: ClassVar[str] = "tray"
        name: str
        width: int = 3
        shelves: tuple[str, ...] = ()
        notes: list[str] = field(default_factory=list, compare=False)

        @property
        def wide(self) -> bool:
            return self.width > 3

    return Tray


def rack(decorate: Decorator, base: Any, **options: object) -> Any:
    @decorate(**options)
    class Rack(base):
        width: int = 9
        height: int = 1

        def __post_init__(self) -> None:
            if self.height < 0:
                raise ValueError(self.height)

    return Rack


KINDS = [{}, {"slots": True}, {"frozen": True}, {"frozen": True, "slots": True}, {"slots": True, "order": True}]


@pytest.mark.parametrize("options", KINDS, ids=str)
def test_a_class_is_what_dataclasses_makes_of_it(options: dict[str, object]) -> None:
    for one, other in (
        (tray(dataclass, **options), tray(dataclasses.dataclass, **options)),
        (
            rack(dataclass, tray(dataclass, **options), **options),
            rack(dataclasses.dataclass, tray(dataclasses.dataclass, **options), **options),
        ),
    ):
        made, known = one("a", width=4), other("a", width=4)
        assert repr(made) == repr(known)
        assert (made == one("a", width=4), made == one("b", width=4), made == known) == (True, False, False)
        assert [each.name for each in fields(one)] == [each.name for each in fields(other)]
        assert (replace(made, name="b").name, made.wide, made.kind) == ("b", True, "tray")
        assert one.__slots__ == other.__slots__ if "slots" in options else "__dict__" in dir(made)
        assert one.__match_args__ == other.__match_args__
        assert (one.__qualname__, one.__module__, one.__doc__) == (other.__qualname__, __name__, one.__doc__)
        assert made.notes is not one("a").notes
        for wrong in ((), ("a", 1, (), [], 2, 3)):
            with pytest.raises(TypeError):
                one(*wrong)


def test_a_frozen_one_cannot_be_changed_and_can_be_hashed_and_copied() -> None:
    made = tray(dataclass, frozen=True, slots=True)("a", shelves=("x",))
    for change in (
        lambda: setattr(made, "name", "b"),
        lambda: setattr(made, "other", 1),
        lambda: delattr(made, "name"),
    ):
        with pytest.raises(FrozenInstanceError):
            change()
    assert hash(made) == hash(replace(made))
    assert copy.deepcopy(made) == made == copy.copy(made)
    with pytest.raises(TypeError, match="unhashable"):
        hash(tray(dataclass, slots=True)("a"))


def test_what_is_asked_of_the_class_alone_completes_it() -> None:
    one = tray(dataclass, frozen=True, slots=True)
    assert is_dataclass(one) and [each.name for each in fields(one)] == ["name", "width", "shelves", "notes"]
    assert one("a").width == 3, "and again"
    keyword = rack(dataclass, tray(dataclass, frozen=True, kw_only=True), frozen=True, kw_only=True)
    assert keyword(name="a").width == 9
    with pytest.raises(ValueError, match="-1"):
        keyword(name="a", height=-1)


def test_a_method_of_its_own_stays() -> None:
    @dataclass
    class Named:
        name: str

        def __init__(self, name: str) -> None:
            self.name = f"<{name}>"

    assert Named("a").name == "<a>"
    assert Named("a") == Named("a") != Named("b")


def test_one_of_the_package_can_be_pickled() -> None:
    from intermem.entities import Problem

    made = Problem(code="c", where="w", message="m", hint="")
    assert pickle.loads(pickle.dumps(made)) == made


def test_the_package_uses_no_other() -> None:
    taken = re.compile(r"^from dataclasses import .*\bdataclass\b|^import dataclasses|dataclasses\.dataclass", re.M)
    others = [path for path in (ROOT / "intermem").rglob("*.py") if taken.search(path.read_text("utf-8"))]
    assert [path.name for path in others] == ["lazy_dataclass.py"]


def test_a_class_that_is_not_used_is_not_completed() -> None:
    program = (
        "import dataclasses\n"
        "made = []\n"
        "plain = dataclasses.dataclass\n"
        "dataclasses.dataclass = lambda *one, **options: made.append(one or options) or plain(*one, **options)\n"
        "import intermem.entities\n"
        "print(len(made))\n"
    )
    found = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert found.stdout == "0\n"
