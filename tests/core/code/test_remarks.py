from __future__ import annotations

import pytest

from intermem.core.code.name_search import Search
from intermem.core.code.remarks import Remarks
from intermem.facts import Shape

NAME = "save_all"


def holds(path: str, text: str) -> bool:
    content = text.encode()
    return Remarks(path, content).hold(content.index(b"save_all"), b"save_all")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", "x = 1  # then save_all\n"),
        ("a.py", '"""Docs.\n\nmodel: save_all\n"""\n'),
        ("a.py", "'''it calls\nsave_all'''"),
        ("a.py", "raise E('call save_all first')\n"),
        ("a.py", 'raise E(f"call save_all {first}")\n'),
        ("a.py", "s = 'it''s'\nx = 'do save_all now'\n"),
        ("a.js", "/* model:\n save_all: true\n*/"),
        ("a.js", "go(); // save_all is next\n"),
        ("a.ts", "throw `no save_all here`;"),
        ("a.rs", "fn f<'a>(x: &'a str) {} // save_all\n"),
        ("a.c", "char q = '\"'; /* save_all */\n"),
        ("a.vue", "<!-- save_all\n-->"),
        ("a.lua", "--[[ a\nsave_all ]]"),
        ("a.hs", "{- a\nsave_all -}"),
        ("a.ps1", "<# a\nsave_all #>"),
        ("a.sql", "select 1; -- save_all\n"),
        ("a.py", "# SELECT x FROM save_all\n"),
        ("a.py", 'raise E("UPDATE the table, then save_all")\n'),
        ("a.ts", "throw `SELECT what you want, and save_all`;"),
        ("a.yml", 'model: "opus"  # save_all\n'),
        ("Makefile", "all: x # save_all\n"),
    ],
)
def test_comments_and_the_words_of_strings_are_remarks(path: str, text: str) -> None:
    assert holds(path, text)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", "save_all()  # so\n"),
        ("a.py", 'get("save_all")\n'),
        ("a.py", 'get("--save_all ")\n'),
        ("a.py", 'say(f"to {save_all} it")\n'),
        ("a.py", 's = "a # b"; save_all()\n'),
        ("a.py", "# don't\nsave_all()\n"),
        ("a.sh", 'echo "is $save_all set"\n'),
        ("a.sh", "n=$#; save_all\n"),
        ("a.rb", 'puts "is #{save_all} set"\n'),
        ("a.py", 'run("""\n    SELECT a, b\n    FROM save_all s""")\n'),
        ("a.go", "db.Query(`WITH x AS (\n SELECT 1) SELECT * FROM save_all`)\n"),
        ("a.php", "q('UPDATE save_all SET a = 1');\n"),
        ("a.java", 'q("INSERT INTO save_all VALUES (1)");\n'),
        ("a.rb", 'q("DELETE FROM save_all WHERE id = 1")\n'),
        ("a.js", "db.exec('CREATE TABLE save_all (id int)')\n"),
        ("a.swift", 'print("is \\(save_all) set")\n'),
        ("a.js", "const u = 'http://x'; save_all()\n"),
        ("a.js", "f('/*'); save_all(); f('*/')\n"),
        ("a.jsx", "<p>Don't</p>; save_all(); '\n"),
        ("a.js", "css`a ${b} save_all`"),
        ("a.js", "x = a /* open\nsave_all()"),
        ("a.js", "x = `open\nsave_all()"),
        ("a.py", 'x = """open\nsave_all()'),
        ("a.py", 'x = "open\nsave_all()'),
        ("a.rs", "fn f<'a>(x: &'a str) { save_all('b') }"),
        ("a.json", '{"a": "then save_all it"}'),
        ("package.json", '{"a": "run save_all it"}'),
        ("a.yml", 'a: "run save_all it"\n'),
        ("a.unknown", "# save_all\n"),
        ("a.py", "save_all"),
    ],
)
def test_code_data_and_what_has_no_end_are_none(path: str, text: str) -> None:
    assert not holds(path, text)


@pytest.mark.parametrize(
    ("name", "files", "place"),
    [
        ("save_all()", {"a.py": '"""Then\nsave_all: now\n"""\n'}, ("a.py", 2, Shape.FIELD, True)),
        ("save_all()", {"a.py": '"""Then\nsave_all now\n"""\nx.save_all()\n'}, ("a.py", 4, Shape.USE, False)),
        ("save_all()", {"a.js": "say('do save_all now');\nx(save_all);\n"}, ("a.js", 2, Shape.USE, False)),
        ("save_all()", {"a.js": "/*\n save_all\n (save_all)\n*/\n"}, ("a.js", 2, Shape.FIELD, True)),
        ("model", {"a.yml": 'x: 1  # model: "opus"\n'}, ("a.yml", 1, Shape.USE, True)),
        ("model", {"a.yml": 'x: 1  # model: "opus"\nmodel: haiku\n'}, ("a.yml", 2, Shape.USE, False)),
        ("model", {"a.py": "# model\n", "b.py": "x.model\n"}, ("b.py", 1, Shape.USE, False)),
        ("model", {"a.erl": "% model\n"}, ("a.erl", 1, Shape.USE, True)),
    ],
)
def test_a_place_in_code_is_preferred_to_a_mention(
    name: str, files: dict[str, str], place: tuple[str, int, Shape, bool]
) -> None:
    found = Search([name]).all_places((path, text.encode()) for path, text in files.items())
    best = found[name.removesuffix("()")][0]
    assert (best.path, best.line, best.shape, best.mention) == place
