"""A change touches the names whose shapes it changes, whatever else stands in the file."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from intermem.core.code.name_search import best_shape
from intermem.core.code.touched_names import ShapeChanges, TouchedNames
from intermem.facts import Shape

NAMES = ["fire", "kiln_rack", "Glaze", "cool", "dry", "load", "--dry-run", "a.b"]
LINES = [
    b"def fire():",
    b"def kiln_rack(Glaze):",
    b"    fire(kiln_rack)",
    b"    return fire(dry)",
    b"class Glaze:",
    b"# cool, dry and load",
    b"cool = dry",
    b"load(--dry-run, a.b)",
    b"import load",
    b"",
    b"x = 1",
    b"fire",
    b"fire_all()",
    b'"""',
    b"//# sourceMappingURL=kiln.js.map",
]
PATHS = ["kiln.rb", "kiln.py", "kiln.js"]
contents = st.lists(st.sampled_from(LINES), max_size=14).map(b"\n".join)


def shapes_of(content: bytes, path: str) -> dict[str, Shape]:
    shapes = {name: best_shape(name, path, content) for name in NAMES}
    return {name: shape for name, shape in shapes.items() if shape is not None and shape is not Shape.COMMENT}


@given(contents, contents, contents, contents, st.sampled_from(PATHS))
def test_the_touched_names_are_those_whose_shapes_differ(
    start: bytes, old: bytes, new: bytes, end: bytes, path: str
) -> None:
    before, after = (b"\n".join([start, side, end]) for side in (old, new))
    was, now = shapes_of(before, path), shapes_of(after, path)
    differing = {name for name in NAMES if was.get(name) is not now.get(name)}
    assert TouchedNames(NAMES).between(path, before, after) == ShapeChanges(
        before={name: was[name] for name in differing if name in was},
        after={name: now[name] for name in differing if name in now},
    )


def test_of_a_file_that_is_new_or_gone_all_names_are_touched() -> None:
    content = b"def fire():\n    cool(dry, load, kiln_rack, Glaze)\n"
    search = TouchedNames(NAMES)
    assert search.between("a.py", b"", content) == ShapeChanges({}, shapes_of(content, "a.py"))
    assert search.between("a.py", content, b"") == ShapeChanges(shapes_of(content, "a.py"), {})


def test_what_is_no_text_has_no_names() -> None:
    content = b"def fire():\n"
    assert TouchedNames(NAMES).between("a.py", content, b"\0" + content) == ShapeChanges(shapes_of(content, "a.py"), {})


def test_lines_that_the_same_beginning_or_end_cuts_are_read_whole() -> None:
    many = b"cool(dry, load, kiln_rack, Glaze)\n"
    search = TouchedNames(NAMES)
    longer = search.between("a.rb", many + b"fire\n" + many, many + b"fire_all\n" + many)
    assert longer == ShapeChanges(before={"fire": Shape.FIELD}, after={})
    ended = search.between("a.rb", many + b"fire\n" + many, many + b"bonfire\n" + many)
    assert ended == ShapeChanges(before={"fire": Shape.FIELD}, after={})


def test_what_quotes_or_a_bundler_make_of_the_same_lines_is_another_thing() -> None:
    code = b"".join(b"def %s():\n    pass\n" % name for name in (b"fire", b"cool", b"dry", b"load", b"kiln_rack"))
    quoted = b'OLD = """\n' + code + b'"""\n'
    assert set(TouchedNames(NAMES).between("a.py", code, quoted).before) == {"fire", "cool", "dry", "load", "kiln_rack"}
    bundled = code + b"//# sourceMappingURL=kiln.js.map\n"
    assert set(TouchedNames(NAMES).between("a.js", code, bundled).after) == {"fire", "cool", "dry", "load", "kiln_rack"}
