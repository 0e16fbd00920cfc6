"""Regular expressions that are compiled when they are first used: most runs need few of those in our modules."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, AnyStr, cast

_USED = ("search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split", "flags")


class _Lazy:
    def __init__(self, expression: str | bytes, flags: int) -> None:
        self.pattern, self._flags = expression, flags

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Compile, and from now on have what the compiled expression has."""
            if name not in _USED:
                raise AttributeError(name)
            compiled = re.compile(self.pattern, self._flags)
            self.__dict__.update({used: getattr(compiled, used) for used in _USED})
            return self.__dict__[name]


def regex(expression: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return ``expression`` as a compiled one that is compiled when a method of it is first asked for.

    For those of a module: compiling all of them is a quarter of what a short run takes. ``re.error`` comes at the first
    use, so a test compiles every one.
    """
    return cast("re.Pattern[AnyStr]", _Lazy(expression, flags))
