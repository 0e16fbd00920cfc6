"""Drawn trees: which path a line of the picture stands for."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from intermem.core.citations.drawn import ANY, ELSEWHERE, PROJECT, drawn_paths
from intermem.facts import Tree

BRANCHES = """Layout:

```
shop/
├── server/            # everything behind the API
│   ├── main.rs
│   └── routes/
│       ├── cart.rs    ← gone since
│       └── user.rs
│
└── Makefile
```
"""


def tree(*paths: str, prefix: str = "") -> Tree:
    dirs = {path.rpartition("/")[0] for path in paths} - {""}
    dirs |= {"/".join(one.split("/")[:n]) for one in dirs for n in range(1, one.count("/") + 1)}
    by_name = {one.rpartition("/")[2]: (one,) for one in dirs}
    return Tree(paths=frozenset(paths), dirs=frozenset(dirs), dirs_by_name=by_name, prefix=prefix)


HERE = tree("server/main.rs", "server/routes/user.rs", "Makefile")


def drawn(text: str, where: Tree = HERE, folder: str | None = None) -> list[str]:
    return list(drawn_paths(text, where, folder).values())


def test_a_line_stands_for_the_folders_above_it_without_the_name_of_the_project() -> None:
    found = drawn_paths(BRANCHES, HERE)
    names = ["server", "server/main.rs", "server/routes", "server/routes/cart.rs", "server/routes/user.rs", "Makefile"]
    assert sorted(found.values()) == sorted([*names, PROJECT])
    lines = BRANCHES.split("\n")
    assert all(path == PROJECT or path.rpartition("/")[2] in lines[number] for number, path in found.items())


@pytest.mark.parametrize("old, new", [("├──", "|--"), ("├──", "+---"), ("│", "|"), ("shop/", "."), ("shop/", "./")])
def test_it_may_be_drawn_with_other_signs(old: str, new: str) -> None:
    assert "server/routes/cart.rs" in drawn(BRANCHES.replace(old, new))


def test_what_is_below_a_folder_that_is_gone_does_not_make_it_another_project() -> None:
    gone = "".join(f"│   ├── step{number}.rs\n" for number in range(9))
    text = f"```\n├── server/\n│   ├── main.rs\n│   └── steps/\n{gone.replace('│   ', '│       ')}└── Makefile\n```\n"
    assert "server/steps" in drawn(text) and "server/steps/step3.rs" in drawn(text)
    assert drawn(text.replace("server/", "client/").replace("main.rs", "kiln.rs")) == []


def test_folders_of_the_project_may_be_drawn_with_a_slash_in_front() -> None:
    text = BRANCHES.replace("── server/", "── /server").replace("└── routes/", "└── /routes")
    assert "server/routes/cart.rs" in drawn(text)


def test_the_first_line_may_be_a_folder() -> None:
    text = "```\nserver/\n├── main.rs\n└── routes/\n    ├── cart.rs\n    └── user.rs\n```\n"
    assert drawn(text)[-2:] == ["server/routes/cart.rs", "server/routes/user.rs"]


def test_it_may_be_that_of_the_folder_of_the_document_or_of_the_project() -> None:
    text = "```\n├── main.rs\n├── cart.rs\n└── routes/\n    └── user.rs\n```\n"
    assert drawn(text) == []
    assert drawn(text, folder="server")[1] == "server/cart.rs"
    assert drawn(text, tree(*HERE.paths, prefix="server/"))[1] == "server/cart.rs"


def test_indentation_alone_draws_one_where_nothing_else_stands() -> None:
    text = "~~~text\nserver/\n  main.rs    starts it\n  routes/\n    cart.rs\n    user.rs\n~~~\n"
    assert drawn(text)[-2] == "server/routes/cart.rs"
    assert drawn(text.replace("~~~text", "~~~yaml")) == []
    assert drawn(text.replace("  routes/", "  then the routes:")) == []


@pytest.mark.parametrize("name", ["{oven}/", "<oven>/", "‹oven›/", "rack-{n}.d/"])
def test_what_is_below_a_name_that_stands_for_others_is_no_file_of_its_own(name: str) -> None:
    lines = [
        "server/",
        "├── main.rs",
        f"├── {name}",
        "│   ├── heat.rs",
        "│   └── deep/",
        "│       └── cool.rs",
        "└── routes/",
    ]
    found = drawn_paths("\n".join(["```", *lines, "    └── user.rs", "```", ""]), HERE)
    assert [found[number] for number in (4, 5, 6)] == [ANY] * 3
    assert [found[number] for number in (2, 7, 8)] == ["server/main.rs", "server/routes", "server/routes/user.rs"]


def test_the_first_line_is_the_project_whatever_stands_for_its_name() -> None:
    text = (
        "```\n<shop>/\n├── server/\n│   ├── main.rs\n│   └── cart.rs\n├── {api,web}/\n│   └── a.rs\n└── Makefile\n```\n"
    )
    assert ANY not in drawn(text)


def test_folders_of_a_letter_that_are_not_there_make_a_picture_of_another_place_a_sample() -> None:
    text = "```\nracks/\n├── old.rs\n├── part-a/\n│   └── a.rs\n└── part-b/\n    └── b.rs\n```\n"
    assert set(drawn(text)) == {ELSEWHERE}
    assert drawn(text.replace("part-b", "part-c")) == [], "one letter says nothing"
    here = tree("racks/main.rs", "racks/user.rs", "racks/heat.rs", "racks/cool.rs")
    mixed = text.replace("├── old.rs", "├── main.rs\n├── user.rs\n├── heat.rs\n├── cool.rs\n├── old.rs")
    assert "racks/old.rs" in drawn(mixed, here) and ELSEWHERE not in drawn(mixed, here), "it shows what is here"


@pytest.mark.parametrize(
    "text",
    [
        BRANCHES.replace("main.rs", "app.rs").replace("user.rs", "item.rs"),
        "```\nPlan\n├── Define the scope\n├── Report what was found\n```\n",
        "```\n```\n",
        "```\n├\n└\n│\n",
    ],
    ids=["another project", "no files", "empty", "no names"],
)
def test_other_pictures_say_nothing(text: str) -> None:
    assert drawn(text) == []


def test_it_needs_no_fence_where_one_was_not_closed() -> None:
    found = drawn(BRANCHES.replace("```", ""))
    assert found == drawn(BRANCHES)
    assert "server/routes/cart.rs" in found
    twice = BRANCHES.removesuffix("```\n") + "\n## Then\n" + BRANCHES
    assert drawn(twice).count("server/routes/cart.rs") == 2


def test_one_that_begins_with_a_folder_of_the_repository_may_show_much_that_left() -> None:
    lines = ["server/", "├── main.rs", "├── routes/", "│   └── user.rs", *(f"├── old{n}.rs" for n in range(9))]
    text = "```\n" + "\n".join(lines) + "\n```\n"
    assert "server/old3.rs" in drawn(text)
    assert drawn(text.replace("server/", "client/")) == []
    assert drawn(text.replace("user.rs", "item.rs").replace("routes/", "pages/")) == []
    usual = tree(*(path.replace("server/", "src/") for path in HERE.paths))
    assert drawn(text.replace("server/", "src/"), usual) == [], "as each project has it"
    deep = tree(*(f"web/{path.replace('server/', 'src/')}" for path in HERE.paths))
    assert "web/src/old3.rs" in drawn(text.replace("server/", "web/src/"), deep)


def test_the_first_line_may_name_the_project_and_a_folder_of_it() -> None:
    text = "```\nshop/server/\n├── main.rs\n├── old.rs\n└── routes/\n    └── user.rs\n```\n"
    assert "server/old.rs" in drawn(text)


def test_the_first_line_may_be_where_somebody_has_the_project() -> None:
    assert "server/routes/cart.rs" in drawn(BRANCHES.replace("shop/", "/home/me/work/shop/"))


def test_what_is_below_no_name_has_no_path() -> None:
    text = BRANCHES.replace("routes/", "<routes of {version}>/")
    assert "server/main.rs" in drawn(text, tree("server/main.rs", "Makefile"))
    assert not any(path.endswith(("cart.rs", "user.rs")) for path in drawn(text, tree("server/main.rs", "Makefile")))


def test_a_picture_of_a_megabyte_is_read() -> None:
    lines: Iterable[str] = ("│   " * (n % 40) + f"├── a{n}.rs" for n in range(20_000))
    assert drawn("```\n" + "\n".join(lines) + "\n```\n") == []


def test_a_name_of_several_words_is_one_name_where_it_ends_like_a_file() -> None:
    text = "```\n/\n├── Kiln Notes.md  # what it is\n├── main.rs starts what cart.rs has\n└── Makefile\n```\n"
    where = tree("Kiln Notes.md", "main.rs", "Makefile")
    assert drawn(text, where) == ["Kiln Notes.md", "Makefile", PROJECT]


def test_remarks_that_go_on_below_are_no_lines_of_a_tree() -> None:
    lines = (
        "server/",
        "  main.rs   starts the server,",
        "            cart.rs and",
        "            the rest",
        "  routes/user.rs  routes",
    )
    text = "\n".join(("```", *lines, "```", ""))
    assert drawn(text) == ["server", "server/main.rs", "server/routes/user.rs"]
    assert drawn(text.replace("            the", "  the")) == []


def test_folders_in_folders_tell_of_what_a_picture_is() -> None:
    text = (
        "```\nshop/\n├── kiln/\n│   ├── rack/\n│   │   └── tray/\n│   └── glaze/\n│       └── tin/\n└── notes.md\n```\n"
    )
    here = tree("kiln/rack/tray/a.rs", "kiln/glaze/tin/b.rs", "kiln/rack/c.rs")
    assert "notes.md" in drawn(text, here)
    assert drawn(text, tree("kiln/rack/a.rs")) == []
