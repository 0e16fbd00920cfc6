"""Functions by name: where they end, in languages that indent and in those that close, and what counts as a change."""

from __future__ import annotations

import pytest

from intermem.core.code.function_bodies import function_named

PYTHON = """\
import load

@cached
def load(path,
         mode="r",
):
    # open it
    with open(path, mode) as source:

        return source.read()

def loader():
    return load("x")
"""

C = """\
static int load(const char *path)
{
#ifdef FAST
    return fast(path);
#endif
    return slow(path); // for now
}

int other(void)
{
    return load("x");
}
"""

SCRIPT = """\
export const load = async (path) => {
  return read(path);
};
function unload() { return load('x'); }
"""

RUBY = """\
class Store
  def load(path)
    read(path)
  end

  def other
    load("x")
  end
end
"""


@pytest.mark.parametrize(
    ("text", "body"),
    [
        (PYTHON, 'defload(path,mode="r"):withopen(path,mode)assource:returnsource.read()'),
        (C, "staticintload(constchar*path){#ifdefFASTreturnfast(path);returnslow(path);}"),
        (SCRIPT, "exportconstload=async(path)=>{returnread(path);};"),
        (RUBY, "defload(path)read(path)end"),
        ("fn load<T>(x: T) -> T { x }\n", "fnload<T>(x:T)->T{x}"),
        ("load() {\n  cat $1\n}\nload x\n", "load(){cat$1}"),
        ("void load() {\n  a();\n}\n#define OTHER 1\n", "voidload(){a();}"),
        ("load(Path) ->\n    read(Path).\n\nother() ->\n    load(x).\n", "load(Path)->read(Path)."),
        (
            "func (s *Store) load(path string) error {\n\treturn nil\n}\n",
            "func(s*Store)load(pathstring)error{returnnil}",
        ),
        ("def load(\n    {\n        a,\n    }\n):\n    b\n", "defload({a}):b"),
    ],
)
def test_a_function_is_all_of_it_and_nothing_of_the_next(text: str, body: str) -> None:
    assert function_named(text, "load") == body


@pytest.mark.parametrize(
    "text", ["", "class load(Base):\n    x = 1\n", "x = load(1)\n", "struct load {\n}\n", "preload()\n", "# load(\n"]
)
def test_what_is_no_function_has_no_body(text: str) -> None:
    assert function_named(text, "load") is None


def test_layout_and_comments_are_no_change() -> None:
    laid_out = "def load(a, b):  # both\n    return f('x', a, b)\n"
    again = 'def load(\n    a,\n    b,\n):\n    # why\n    return f(\n        "x",\n        a,\n        b,\n    )\n'
    assert function_named(laid_out, "load") == function_named(again, "load")
    assert function_named(laid_out, "load") != function_named(again.replace("a,\n        b", "b,\n        a"), "load")


def test_functions_of_one_name_count_together() -> None:
    one = "class A:\n    def load(self):\n        return 1\n"
    two = "class B:\n    def load(self):\n        return 2\n"
    assert function_named(one + two, "load") == "defload(self):return1\ndefload(self):return2"


def test_a_line_that_somebody_generated_is_not_read() -> None:
    assert function_named(f"function load() {{ {'x' * 3000} }}\n", "load") is None
