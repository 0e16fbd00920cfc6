"""Dataclasses whose methods are made when the class is first used: a run uses about half of those that it loads."""

from __future__ import annotations

import dataclasses
import inspect
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls: type | None = None, /, **options: Any) -> Any:
        """Return ``cls`` as ``dataclasses.dataclass`` does; its methods are made at the first instance.

        To make them takes half a millisecond a class, and with two hundred classes a quarter of a short run.
        """
        return _lazy(cls) if cls is not None else lambda one: _lazy(one, **options)


# What dataclasses gives a class that is not slotted, which the slotted one takes over.
_MADE = (
    *("__init__", "__repr__", "__eq__", "__hash__", "__lt__", "__le__", "__gt__", "__ge__"),
    *("__match_args__", "__dataclass_fields__", "__dataclass_params__"),
)


class _Fields:
    """``__dataclass_fields__`` of a class that is not complete yet: asking for them completes it."""

    def __init__(self, complete: Any) -> None:
        self._complete = complete

    def __get__(self, _one: object, cls: Any) -> Any:
        self._complete()
        return cls.__dataclass_fields__


def _lazy(cls: Any, *, slots: bool = False, frozen: bool = False, **options: Any) -> Any:
    if not cls.__dict__.keys().isdisjoint(_MADE):  # it has such a method of its own
        return dataclasses.dataclass(slots=slots, frozen=frozen, **options)(cls)
    made = _slotted(cls) if slots else cls

    def complete() -> None:
        del made.__init__, made.__dataclass_fields__
        dataclasses.dataclass(frozen=frozen, **options)(cls)
        for name in _MADE if made is not cls else ():
            if name in cls.__dict__:
                setattr(made, name, cls.__dict__[name])

    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        complete()
        self.__init__(*args, **kwargs)

    made.__init__ = init
    made.__dataclass_fields__ = _Fields(complete)
    if made is not cls and frozen:
        made.__setattr__, made.__delattr__ = _refuse, _refuse
        made.__getstate__, made.__setstate__ = _state, _set_state
    return made


def _slotted(cls: Any) -> Any:
    """Return a class like ``cls`` with a slot for each field, and without their defaults, which slots exclude."""
    names = [name for name, kind in inspect.get_annotations(cls).items() if not kind.startswith("ClassVar")]
    inherited = {slot for base in cls.__mro__[1:-1] for slot in base.__dict__.get("__slots__", ())}
    left_out = {"__dict__", "__weakref__", *names}
    body = {name: value for name, value in cls.__dict__.items() if name not in left_out}
    body["__slots__"] = tuple(name for name in names if name not in inherited)
    made = type(cls)(cls.__name__, cls.__bases__, body)
    made.__qualname__ = cls.__qualname__
    return made


def _refuse(_one: object, name: str, _value: object = None) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot change field {name!r}")


def _state(one: Any) -> list[object]:
    return [getattr(one, field.name) for field in dataclasses.fields(one)]


def _set_state(one: Any, state: list[object]) -> None:
    for field, value in zip(dataclasses.fields(one), state, strict=True):
        object.__setattr__(one, field.name, value)
