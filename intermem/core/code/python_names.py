"""What Python's own parser says of names in a file: lines that look like a definition may be inside a string."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from intermem.core.code.line_shapes import rank
from intermem.facts import Occurrence, Shape
from intermem.patterns import regex

if TYPE_CHECKING:
    from ast import AST

    from intermem.core.code.remarks import Remarks

_LINE_END = regex(rb"\n")


def as_python_has_it(places: dict[str, Occurrence], content: bytes, remarks: Remarks) -> dict[str, Occurrence]:
    """Return ``places``, with definitions that may be inside a string checked by Python's parser.

    ``remarks`` are those of ``content``: what they contain may be, and only then is the parser asked, which is slow.
    """
    quotes = _lines_of_quotes(content)
    odd = [name for name, place in places.items() if place.shape is Shape.DEFINITION and _odd(place.line, quotes)]
    starts = [0, *(match.end() for match in _LINE_END.finditer(content))] if odd else []
    doubtful = [
        name
        for name in odd
        if remarks.contain(content.find(name.encode("utf-8", "surrogateescape"), starts[places[name].line - 1]))
    ]
    defined = _defined_in_python(content) if doubtful else None
    if defined is None:
        return places
    checked = dict(places)
    for name in doubtful:
        if name in defined:
            line, shape = defined[name]
            checked[name] = Occurrence(path=places[name].path, line=line, shape=shape)
        else:
            checked[name] = replace(places[name], shape=Shape.USE)
    return checked


def _lines_of_quotes(content: bytes) -> tuple[list[int], ...]:
    """Return the lines of triple quotes, for each of the two kinds, once per occurrence."""
    if b'"""' not in content and b"'''" not in content:
        return ([], [])
    return (_lines_of(b'"""', content), _lines_of(b"'''", content))


def _lines_of(quote: bytes, content: bytes) -> list[int]:
    found: list[int] = []
    line, counted, at = 1, 0, content.find(quote)
    while at >= 0:
        line += content.count(b"\n", counted, at)
        found.append(line)
        counted, at = at, content.find(quote, at + len(quote))
    return found


def _odd(line: int, quotes: tuple[list[int], ...]) -> bool:
    """Return whether an odd number of triple quotes precedes ``line``: it may be inside a string."""
    return any(bisect_right(lines, line) % 2 == 1 for lines in quotes)


def is_quoted(above: bytes) -> bool:
    """Return whether what follows ``above`` is inside a string between triple quotes, as far as counting tells."""
    return above.count(b'"""') % 2 == 1 or above.count(b"'''") % 2 == 1


def _defined_in_python(content: bytes) -> dict[str, tuple[int, Shape]] | None:
    """Return the names that a Python file defines, with line and shape; None if it cannot be parsed."""
    import ast
    import warnings

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(content)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    found: dict[str, tuple[int, Shape]] = {}
    for node in ast.walk(tree) if b"lambda" in content else _statements(tree):
        for name, line, shape in _names_defined(node):
            known = found.get(name)
            if known is None or (rank(shape), line) < (rank(known[1]), known[0]):
                found[name] = (line, shape)
    return found


def _statements(node: AST) -> Iterator[AST]:
    """Yield the statements below a node and the parameters of functions: all that defines a name without a lambda."""
    import ast

    waiting = [node]
    while waiting:
        one = waiting.pop()
        yield one
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef):
            given = one.args
            yield from (*given.posonlyargs, *given.args, *given.kwonlyargs)
            yield from (each for each in (given.vararg, given.kwarg) if each is not None)
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            waiting += getattr(one, part, ())


def _names_defined(node: object) -> Iterable[tuple[str, int, Shape]]:
    import ast

    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name, node.lineno, Shape.DEFINITION
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            if isinstance(target, ast.Name):
                yield target.id, target.lineno, Shape.FIELD
            elif isinstance(target, ast.Attribute):
                yield target.attr, target.lineno, Shape.FIELD
    elif isinstance(node, ast.arg):
        yield node.arg, node.lineno, Shape.FIELD
