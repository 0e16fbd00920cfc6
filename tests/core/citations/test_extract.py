from __future__ import annotations

import pytest

from intermem.core.citations.extract import citations_of, spans_of
from intermem.core.citations.stance import Claims
from intermem.core.markdown.inline import code_spans, fence_spans, links, wiki_links
from intermem.entities import Stance


def cited(text: str) -> list[tuple[str, str]]:
    return [(citation.kind, citation.text) for citation in citations_of(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see `src/app.py`", [("path", "src/app.py")]),
        ("see src/app.py.", [("path", "src/app.py")]),
        ("in `app.py` and app.py", [("path", "app.py")]),
        ("`src/` and docs/", [("dir", "src/"), ("dir", "docs/")]),
        ("`src/**/*.py`", [("glob", "src/**/*.py")]),
        ("`test_*.zig`", [("glob", "test_*.zig")]),
        ("[text](docs/a%20b.md#part)", [("path", "docs/a b.md#part")]),
        ("`a.py:12-20` `b.py#L3` `c.py:1,5,9`", [("path", "a.py:12-20"), ("path", "b.py#L3"), ("path", "c.py:1,5,9")]),
        ("run `make -C tools/x.mk all`", [("command", "make -C tools/x.mk all"), ("path", "tools/x.mk")]),
        (
            "```\npython scripts/run.py\n```",
            [("command", "python scripts/run.py"), ("path", "scripts/run.py")],
        ),
        ("`.gitignore` `.env`", [("path", ".gitignore"), ("path", ".env")]),
        ("`src/core`", [("path", "src/core")]),
        ("at `DEBUG` or `TRACE`, not `WARNING`", []),
        ("set `DEBUG` in `src/app.py`", [("env", "DEBUG"), ("path", "src/app.py")]),
        ("the `VERBOSE` flag", [("env", "VERBOSE")]),
        ("`DEBUG=1`, `$TRACE`, `Level.ERROR`", [("env", "DEBUG=1"), ("env", "$TRACE"), ("symbol", "Level.ERROR")]),
        ("libs/한국어/파일.md", [("path", "libs/한국어/파일.md")]),
        ("(`src/a.py`), **src/b.py**; src/c.py:", [("path", "src/a.py"), ("path", "src/b.py"), ("path", "src/c.py")]),
    ],
)
def test_citations_are_read(text: str, expected: list[tuple[str, str]]) -> None:
    assert cited(text) == expected


def test_the_file_in_front_of_a_member_is_cited_as_well() -> None:
    assert cited("`src/kiln.rs::heat_up` and `tests/test_a.py::TestA::test_b[x]`") == [
        ("symbol", "src/kiln.rs::heat_up"),
        ("path", "src/kiln.rs"),
        ("symbol", "tests/test_a.py::TestA::test_b[x]"),
        ("path", "tests/test_a.py"),
    ]
    assert [one for one in cited("`std/io::Read`, `crate::kiln::heat`, `a/b.rs::`") if one[0] == "path"] == []
    for member in ("test_function_name", "TestClass::test_method", "test_name"):  # which stand for any
        assert [one for one in cited(f"`tests/test_a.py::{member}`") if one[0] == "path"] == []
    assert ("path", "tests/test_a.py") in cited("`tests/test_a.py::test_named`")
    text = "in `src/kiln.rs::heat_up`"
    (place,) = spans_of(text)["path", "src/kiln.rs"]
    assert text[place.start : place.stop] == "src/kiln.rs"


@pytest.mark.parametrize("branch", ["├── ", "|-- ", "  "])
@pytest.mark.parametrize("mark", ["# ", "— ", "  "])
def test_names_in_what_a_drawn_tree_says_of_a_line_are_cited(branch: str, mark: str) -> None:
    picture = f"src/\n{branch}kiln.py {mark}`heat_up()` of KilnDriver\n{branch}oven.py\n"
    assert {("symbol", "heat_up()"), ("symbol", "KilnDriver")} <= set(cited(f"```\n{picture}```\n"))


def test_names_in_comments_of_other_code_are_not() -> None:
    assert not [one for one in cited("```python\nkiln.heat()  # as KilnDriver does\n```\n") if one[1] == "KilnDriver"]


def test_a_private_name_is_one_in_prose_and_emphasis_is_none() -> None:
    assert cited("Call _parseAll first, _ParseTable then, never _this_ or _Table_.") == [
        ("symbol", "_parseAll"),
        ("symbol", "_ParseTable"),
    ]


@pytest.mark.parametrize("text", ["`True` or `None`", "`NULL`", "`if (ready)`", "`while (x)`", "`switch(kind)`"])
def test_a_literal_or_a_statement_of_the_language_is_no_name(text: str) -> None:
    assert not [one for one in cited(text) if one[0] == "symbol"]


@pytest.mark.parametrize(
    "text",
    [
        "and/or, his/her, I/O",
        "e.g. this, i.e. that",
        "Version 3.11 and v1.2.3 or 1.2/3.4",
        "`--flag=a/b.py`",
        "`<name>/x.py` `src/{x}.py` `$HOME/a.py` `src/YYYY.md` `a/.../b.py`",
        "`.md` `.json` files",
        "user@example.com",
        "3/4",
        "`*.*`",
        "`**bold**`",
        "`data:image/png;base64,xx`",
        "[x](#anchor) [y](mailto:a@b.c)",
        "`{1..500}/{1..500}.py*`",
        "プロジェクト/モジュール",
    ],
)
def test_what_is_no_path_is_left_alone(text: str) -> None:
    assert cited(text) == []


def test_lines_are_read() -> None:
    (one, two, three) = citations_of("`a.py:12-20` `b.py#L3-L5` `c.py:9,1`")
    assert (one.name, one.first_line, one.last_line) == ("a.py", 12, 20)
    assert (two.name, two.first_line, two.last_line) == ("b.py", 3, 5)
    assert (three.name, three.first_line, three.last_line) == ("c.py", 9, 9)


def test_prose_and_fences_are_weak_and_spans_are_not() -> None:
    weak = {c.text: c.weak for c in citations_of("src/a.py `src/b.py` [l](src/c.py) `run src/d.py`")}
    assert weak == {"src/a.py": True, "src/b.py": False, "src/c.py": False, "src/d.py": True}


def test_what_is_called_gone_in_one_place_is_spoken_of_as_it_was_in_others() -> None:
    (citation,) = citations_of("The old `a/b.py` broke the tie. Replaced with a rule; `a/b.py` took the first.")
    assert citation.stance is Stance.OTHERWISE
    for text in ("An example is `a/b.py`. Start with `a/b.py`.", "Start with `a/b.py`. An example is `a/b.py`."):
        (citation,) = citations_of(text)
        assert citation.stance is Stance.PLAIN
        (places,) = spans_of(text).values()
        assert [text[: one.start].endswith("Start with `") for one in places] == [True]
    (citation,) = citations_of("src/a.py or `src/a.py`")
    assert not citation.weak


@pytest.mark.parametrize(
    "text",
    [
        "`a.py` was deleted",
        "`a.py` no longer exists",
        "renamed `a.py`",
        "`a.py` → `b.py`",
        "will add `a.py`",
        "never create `a.py`",
        "~~`a.py`~~",
        "there is no `a.py`",
        "such as `a.py`",
        "use `b.py` instead of `a.py`",
        "First. Then `a.py` is planned. Last.",
        "Removed in v2:\n- `b.py`\n- `a.py`",
        "**Generated**\n\n1. `a.py`",
        "no member ships an `a.py`",
        "handlers are no longer registered in `a.py`",
        "it is commented out: do not re-add `a.py`",
        "(`b.py`, never `a.py`)",
        "Old structure: `b.py`, `a.py`",
        "`a.py` is copied from GOROOT at build time",
        "it lives in the docs repo as `a.py`",
        "see the website repository's `a.py`",
        "**DO NOT** create `a.py`",
        "it is no longer tracked with a per-intent `a.py`",
        "no longer carry `a.py`",
        "it no longer includes `b.py`, `c.py`, or `a.py`",
        "It used to cut at `a.py`",
        "`a.py` was the workaround",
        "`a.py` is deliberately NOT in `b.py`",
        "`a.py` - post-MVP",
        "Excludes: `a.py`",
    ],
)
def test_a_text_that_states_absence_is_heard(text: str) -> None:
    start = text.index("`a.py`")
    assert Claims(text).stance(start, start + 6) is not Stance.PLAIN


@pytest.mark.parametrize(
    "text",
    [
        "see `a.py`",
        "`a.py` holds it. The old file was deleted.",
        "`b.py` was deleted.\n- `a.py` holds it",
        "`deleted` and `a.py`",
        "`b.py` → `a.py`",
        "src/gone.py and src/deleted/x.py and `a.py`",
        "examples in `a.py`",
        "Files:\n- `b.py`\n- `a.py`",
        "Removed one.\n- `a.py` stays",
        "run `a.py` from the repo root",
        "in this repository it is `a.py`",
        "our own repo has `a.py`",
        "a git repo with `a.py`",
        "no longer slow: `a.py`",
        "a tool used to build `a.py`",
        "the filter excludes windows of `a.py`",
        "it no longer includes `b.py`, but `a.py`",
        "`a.py` is not slow",
    ],
)
def test_only_the_clause_of_a_citation_counts(text: str) -> None:
    start = text.index("`a.py`")
    assert Claims(text).stance(start, start + 6) is Stance.PLAIN


def test_a_remark_behind_a_line_of_a_drawing_speaks_of_the_line() -> None:
    drawing = (
        "```\na.py  # DELETED - use b\nb.py  # the rest\nc/d.py (si aplica)\ne.py ← generated\n# removed f.py\n```"
    )
    assert {one.text: one.stance for one in citations_of(drawing)} == {
        "a.py": Stance.OTHERWISE,
        "b.py": Stance.PLAIN,
        "c/d.py": Stance.OTHERWISE,
        "e.py": Stance.OTHERWISE,
        "f.py": Stance.PLAIN,
    }


def test_code_spans_pair_runs_of_one_length() -> None:
    assert [span.text for span in code_spans("`a` ``b ` c`` ```d` e")] == ["a", "b ` c", "d"][:2]
    assert code_spans("`open") == []


def test_what_a_command_chooses_from_the_output_of_another_is_not_cited() -> None:
    assert [
        one.text for one in citations_of("Run `gh run view --json jobs --jq '.jobs[] | {firedAt, heat_up}'`.")
    ] == []
    assert [one.text for one in citations_of("Run `rg 'heat_up' src/`.")] == ["src/", "heat_up"]
    assert [one.text for one in citations_of("Run `vitest run 'src/app/[id]/page.tsx'`.")] == ["src/app/[id]/page.tsx"]


def test_fences_and_links() -> None:
    assert [span.text for span in fence_spans("a\n```sh\nx\n```\nb\n~~~\ny")] == ["x\n```", "y"]
    assert [span.text for span in links('[a](b "t") ![i](<c d>) [x]')] == ["b", "c d"]
    assert [span.text for span in links("[b]: c.md 'd'\n> - [e f]: <g.md>\n[^1]: h.md\nx [i]: j.md")] == [
        "c.md",
        "g.md",
    ]
    assert [span.text for span in links("<a href=\"b.md\"> <img alt='' src='c.png'> data-src=\"d\"")] == [
        "b.md",
        "c.png",
    ]
    assert [span.text for span in wiki_links("[[name]] [[n|label]]")] == ["name", "n"]


@pytest.mark.large
@pytest.mark.parametrize(
    "pattern", ["`", "](a", "[a](", "a/", "a.b ", "*/", "{a,", "~~", "`a/b.py` ", "a:1-", "→", "://", "[[", "not "]
)
def test_a_megabyte_of_one_pattern_is_read(pattern: str) -> None:
    assert isinstance(citations_of(pattern * (200_000 // len(pattern))), tuple)


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("```markdown\nsee `src/a.py` and src/b.py\n```\nthen `src/c.py`", ["src/c.py"]),
        ("- as in\n  ~~~md\n  src/b.py\n  ~~~\n", []),
        ("```\nsrc/b.py\n```", ["src/b.py"]),
        ("```mdsh\nsrc/b.py\n```", ["src/b.py"]),
        ("`reorder({ list, startIndex, finishIndex })`", ["reorder({ list, startIndex, finishIndex })"]),
        (
            "`load_settings(a_path, f(b_path)) -> SettingsBundle`",
            ["load_settings(a_path, f(b_path))", "SettingsBundle"],
        ),
        ("`rackNames(): string[]`", ["rackNames()"]),
        ("`fire(rack) now`", []),
        ("`make startIndex finishIndex`", ["make startIndex finishIndex", "startIndex", "finishIndex"]),
    ],
)
def test_what_is_quoted_or_an_argument_is_no_citation(text: str, cited: list[str]) -> None:
    assert [one.text for one in citations_of(text)] == cited


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("src/kiln.pyを直す", ["src/kiln.py"]),
        ("请修改src/kiln.py文件，再看docs/tray.md。", ["src/kiln.py", "docs/tray.md"]),
        ("src/kiln.py和docs/tray.md一起改", ["src/kiln.py", "docs/tray.md"]),
        ("src/kiln.py를 고치고 TRAYS.md에 적는다", ["src/kiln.py", "TRAYS.md"]),
        ("設定はconfig/kiln.yamlにある", ["config/kiln.yaml"]),
        ("改kiln.py:12行", ["kiln.py:12"]),
        ("먼저src/kiln/아래를 본다", ["src/kiln/"]),
        ("窯/記録.md と 窯の記録.md", ["窯/記録.md", "窯の記録.md"]),
        ("src/窯/kiln.ts", ["src/窯/kiln.ts"]),
        ("docs/ADR_017_窯管理.md", ["docs/ADR_017_窯管理.md"]),
        ("週報2026/kiln.md と 機能A/b.ts", ["週報2026/kiln.md", "機能A/b.ts"]),
        ("窯kiln.md", ["窯kiln.md"]),
    ],
)
def test_letters_of_another_script_that_touch_a_path_are_not_part_of_it(text: str, cited: list[str]) -> None:
    assert [one.text for one in citations_of(text)] == cited
    assert all(text[span.start : span.stop] == one for (_, one), spans in spans_of(text).items() for span in spans)


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("the image is built from .github/Dockerfile", [".github/Dockerfile"]),
        ("run what deploy/Makefile says", ["deploy/Makefile"]),
        ("a Makefile/Justfile of your own", []),
        ("see deploy/Trays", []),
    ],
)
def test_files_that_have_no_extension_are_known_by_their_names(text: str, cited: list[str]) -> None:
    assert [one.text for one in citations_of(text)] == cited


def test_a_parameter_of_a_route_is_no_name_of_code() -> None:
    for route in ("/ovens/{ovenId}/fire", "/ovens/:ovenId/fire", "GET /ovens/{ovenId}"):
        assert "ovenId" not in {one.name for one in citations_of(f"| fire | POST {route} |\n\n`{route}`")}
    assert "ovenId" in {one.name for one in citations_of("Pass {ovenId} on.")}


@pytest.mark.parametrize(
    "text",
    [
        "The first screen is app/(home)/kiln.tsx, as ever.",
        "```\napp/(home)/kiln.tsx   → what is fired\n```",
        "Run `cat app/(home)/kiln.tsx | less`.",
    ],
)
def test_a_group_of_routes_is_part_of_a_path(text: str) -> None:
    assert [one.text for one in citations_of(text)] == ["app/(home)/kiln.tsx"]


def test_what_is_said_in_brackets_is_no_group_of_routes() -> None:
    assert [one.text for one in citations_of("Fire and/(or)/cool it, see src/kiln.py (and more).")] == ["src/kiln.py"]
