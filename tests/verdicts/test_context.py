"""What stands around a citation says which folder it is relative to, and what may make it."""

from __future__ import annotations

import pytest

from tests.conftest import Sandbox
from tests.verdicts.test_verify import said, verify


def found(box: Sandbox, document: str) -> list[tuple[str, str]]:
    """Code and cited text of each finding."""
    box.write("AGENTS.md", document)
    return [(code, text) for _, _, code, text in alarms(box)]


def alarms(sandbox: Sandbox) -> list[tuple[str, int, str, str]]:
    """File, line, rule and text of each finding, and of each note on a definition or a folder that was gone before."""
    told = [one for one in sandbox.run("check", "--all", "--json", code=None).json["findings"] if one["citation"]]
    classes = ("definition removed", "files deleted", "matches deleted")
    removed = [one for one in told if (one["citation"]["evidence"] or {}).get("class") in classes]
    found = [one for one in told if one in removed or one["code"] in ("IM001", "IM002")]
    codes = {"IM090": "IM001"}
    return [(one["file"], one["line"], codes.get(one["code"], one["code"]), one["citation"]["text"]) for one in found]


def test_a_command_may_make_what_the_folder_it_runs_in_ignores(sandbox: Sandbox) -> None:
    sandbox.write("web/.gitignore", "kiln.cfg\nout/\n")
    sandbox.write("web/run.sh", "x\n")
    for name in ("kiln.cfg", "web/x.html", "out/a.html"):
        sandbox.write(name, f"# {name}\n")
    sandbox.write("AGENTS.md", "- Open `kiln.cfg`.\n")
    sandbox.commit()
    sandbox.git("rm", "-q", "kiln.cfg", "out/a.html")
    sandbox.commit()
    assert found(sandbox, "- Run `cd web && ./run.sh`, then open `kiln.cfg`.\n") == []
    assert found(sandbox, "- Everything is below `web/`: `out/` has the pages.\n") == []
    assert found(sandbox, "- Open `kiln.cfg`.\n") == [("IM001", "kiln.cfg")]


def test_the_folder_that_leads_a_line_is_where_its_names_are(sandbox: Sandbox) -> None:
    for number in range(5):
        sandbox.write(f"rates/r{number}.json", f'{{"{number}": 1, "of": "{number}"}}\n')
    sandbox.write("launch/a.plist", "<plist>one, and more of it</plist>\n")
    sandbox.write("signals/s.json", "{}\n")
    start = "- It starts with `launch/a.plist`.\n"
    sandbox.write("AGENTS.md", start)
    sandbox.commit()
    sandbox.git("mv", "rates", "signals/rates")
    sandbox.git("mv", "launch", "signals/launch")
    sandbox.commit("into one folder")
    assert found(sandbox, "- `signals/` - figures of each day, `rates/` and `launch/a.plist`\n") == []
    assert found(sandbox, "- The figures are in `rates/`.\n") == [("IM002", "rates/")]
    assert found(sandbox, start) == [("IM002", "launch/a.plist")]


def test_what_is_copied_from_a_model_is_made_by_people(sandbox: Sandbox) -> None:
    for name in ("kiln.ini", "web/site.toml", "plain.ini"):
        sandbox.write(name, f"# {name}\n")
    for name in ("kiln.ini.example", "web/site.sample.toml"):
        sandbox.write(name, f"# a model, {name}, of another length\n")
    text = "- Fill in `kiln.ini`, `web/site.toml` and `plain.ini`.\n"
    sandbox.write("AGENTS.md", text)
    sandbox.commit()
    sandbox.git("rm", "-q", "kiln.ini", "web/site.toml", "plain.ini")
    sandbox.commit("nobody commits these")
    assert found(sandbox, text) == [("IM001", "plain.ini")]


def test_a_folder_of_source_code_that_went_file_by_file_is_gone(sandbox: Sandbox) -> None:
    for number in range(6):
        sandbox.write(f"src/remover/r{number}.py", f"def remove_{number}():\n    return {number}\n" * 3)
    text = "| folder | does |\n| - | - |\n| `src/remover/` | removal logic, removes what expired |\n"
    sandbox.write("AGENTS.md", text)
    sandbox.commit()
    for number in range(6):
        sandbox.git("rm", "-q", f"src/remover/r{number}.py")
        sandbox.commit(f"without {number}")
    assert found(sandbox, text) == [("IM001", "src/remover/")]


def test_a_folder_whose_files_come_and_go_may_be_empty(sandbox: Sandbox) -> None:
    for number in range(6):
        sandbox.write(
            f"plans/active/p{number}.md", f"# Plan {number}\n\nDo it, step by step, until {number} is done.\n"
        )
        sandbox.write(f"old/deep/p{number}.md", f"# Old {number}\n\nThis was long ago, in another {number} times.\n")
    sandbox.commit()
    (sandbox.root / "plans/done").mkdir()
    for number in range(6):
        sandbox.git("mv", f"plans/active/p{number}.md", f"plans/done/p{number}.md")
        sandbox.commit(f"done {number}")
    sandbox.git("mv", "old/deep", "old/flat")
    sandbox.commit("all at once")
    assert found(sandbox, "- Plans are in `plans/active/` and `old/deep/`.\n") == [("IM002", "old/deep/")]


def test_what_never_was_is_a_note_and_a_link_to_it_a_finding(sandbox: Sandbox) -> None:
    sandbox.write("src/kiln.py", "x = 1\n")
    sandbox.commit()
    text = "- See `src/oven.py` and [the oven](src/stove.py).\n"
    assert found(sandbox, text) == [("IM001", "src/stove.py")]
    (citations,) = verify(sandbox, {"entry_text": text, "file": "AGENTS.md"})
    assert {one["text"]: one["status"] for one in citations} == {"src/oven.py": "broken", "src/stove.py": "broken"}
    noted = sandbox.run("check", "--all", "--json", code=1).json["findings"]
    assert ("IM090", "src/oven.py") in [(one["code"], one["citation"]["text"]) for one in noted if one["citation"]]


def test_what_a_change_breaks_is_a_finding_whatever_proves_it(sandbox: Sandbox) -> None:
    sandbox.write("src/kiln.py", "KILN_MAX_HEAT = int(os.environ['KILN_MAX_HEAT'])\n")
    sandbox.write("AGENTS.md", "- Set `KILN_MAX_HEAT` (kiln.py) first.\n")
    sandbox.commit()
    sandbox.write("src/kiln.py", "x = 1\n")
    sandbox.commit()
    found = sandbox.run("check", "--diff", "HEAD~1", "--json", code=1).json["findings"]
    assert [(one["code"], one["citation"]["text"]) for one in found] == [("IM001", "KILN_MAX_HEAT")]


def test_a_plain_word_whose_definition_left_may_be_a_label(sandbox: Sandbox) -> None:
    text = "- Labels: `oven` and `glaze`.\n- Call `heat_kiln_up` first.\n- Call `glaze()` first.\n"
    sandbox.write("AGENTS.md", text)
    sandbox.write("src/kiln.py", "def glaze(pot):\n    return pot\n\n\ndef heat_kiln_up(pot):\n    return pot\n")
    sandbox.commit()
    sandbox.write("src/kiln.py", "x = 1\n")
    sandbox.commit()
    assert found(sandbox, text) == [("IM001", "heat_kiln_up"), ("IM001", "glaze()")]
    noted = sandbox.run("check", "--all", "--json", code=1).json["findings"]
    names = [(one["code"], one["citation"]["text"]) for one in noted if one["citation"]]
    assert "glaze" not in [text for _, text in names]  # as it may be anybody's


def test_what_a_tool_defined_left_with_it(sandbox: Sandbox) -> None:
    sandbox.write(".agents/pack/heat.ts", "export function heatKiln() {\n}\n")
    for file in ("AGENTS.md", ".agents/AGENTS.md"):
        sandbox.write(file, "# Pack\n")
    sandbox.commit()
    sandbox.git("rm", "-q", ".agents/pack/heat.ts")
    sandbox.commit()
    text = "- Call `heatKiln` first.\n"
    asked = ({"entry_text": text, "file": file} for file in ("AGENTS.md", ".agents/AGENTS.md"))
    assert [one["status"] for (one,) in verify(sandbox, *asked)] == ["unverifiable", "broken"]


def test_names_in_a_page_of_a_skill_are_samples(sandbox: Sandbox) -> None:
    code = "def {}(pot):\n    return pot\n"
    sandbox.write("src/kiln.py", code.format("heat_the_kiln"))
    sandbox.write("src/oven.py", "y = 1\n")
    sandbox.write("skills/heating/SKILL.md", "# Heating\n")
    text = "- Call `heat_the_kiln()` first, as `src/oven.py` does.\n"
    for name in ("AGENTS.md", "skills/heating/AGENTS.md"):
        sandbox.write(name, text)
    sandbox.commit()
    sandbox.write("src/kiln.py", code.format("warm_the_kiln"))
    (sandbox.root / "src/oven.py").unlink()
    sandbox.commit()
    assert found(sandbox, text) == [("IM002", "heat_the_kiln()"), ("IM001", "src/oven.py"), ("IM001", "src/oven.py")]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_the_code_that_a_rule_shows_is_a_sample(sandbox: Sandbox, end: str) -> None:
    code = "def {}(pot):\n    return pot\n"
    sandbox.write("src/kiln.py", code.format("heat_the_kiln"))
    sandbox.write("src/heat.sh", "make heat\n")
    sample = "from ours import heat_the_kiln\nheat_the_kiln(pot)\n"
    call = "- `heat_the_kiln()` of `src/kiln.py` heats."
    text = f"# Heating\n\n```python\n{sample}```\n\n{call}\n\n```bash\n./src/heat.sh\n```\n"
    for name in ("AGENTS.md", ".claude/rules/heat.md"):
        sandbox.write(name, text.replace("\n", end))
    sandbox.commit()
    sandbox.write("src/kiln.py", code.format("warm"))
    sandbox.git("rm", "-q", "src/heat.sh")
    sandbox.commit()
    told = [(one["file"], one["line"]) for one in sandbox.run("check", "--json", code=1).json["findings"]]
    assert told == [
        (".claude/rules/heat.md", 8),
        (".claude/rules/heat.md", 11),
        *(("AGENTS.md", at) for at in (4, 5, 8, 11)),
    ]


def test_nobody_mends_the_documents_of_others(sandbox: Sandbox) -> None:
    sandbox.write("src/oven.py", "y = 1\n")
    sandbox.write("web/vendor/kiln/AGENTS.md", "- It is in `src/oven.py`.\n")
    sandbox.write("web/vendors/AGENTS.md", "- It is in `src/oven.py`.\n")
    sandbox.commit()
    (sandbox.root / "src/oven.py").unlink()
    sandbox.commit()
    told = [one["file"] for one in sandbox.run("check", "--json", code=1).json["findings"]]
    assert told == ["web/vendors/AGENTS.md"]


def test_a_version_in_a_page_of_a_skill_is_that_of_any_project(sandbox: Sandbox) -> None:
    sandbox.write("package.json", '{"dependencies": {"react": "^19.0.0"}}\n')
    sandbox.write("skills/heating/SKILL.md", "# Heating\n")
    for name in ("AGENTS.md", "skills/heating/AGENTS.md"):
        sandbox.write(name, "- React 17\n")
    sandbox.commit()
    assert [one[:3] for one in alarms(sandbox)] == [("AGENTS.md", 1, "IM001")]


def test_what_a_rule_cites_is_looked_for_in_the_folders_that_it_is_for(sandbox: Sandbox) -> None:
    for name in ("src/api/kiln.py", "web/kiln/src/api/rack.py", "web/kiln/src/api/heat.py"):
        sandbox.write(name, f"# {name}\n")
    rule = '---\npaths:\n  - "web/kiln/src/**/*.py"\n---\n# Racks (`src/api/`)\n\n- `api/heat.py` heats.\n'
    sandbox.write(".claude/rules/racks.md", rule)
    sandbox.commit()
    sandbox.git("mv", "src/api/kiln.py", "kiln.py")
    sandbox.git("rm", "-q", "web/kiln/src/api/heat.py")
    sandbox.commit()
    assert [one[1:] for one in alarms(sandbox)] == [(7, "IM001", "api/heat.py")]


def test_the_comment_that_calls_a_path_forbidden_is_heard(sandbox: Sandbox) -> None:
    code = "# Rules\n\n```ts\n// {} — all of it in src/kiln/rack.ts\nimport {{ heat }} from './rack';\n```\n"
    sandbox.write("src/kiln/rack.ts", "export const heat = 1;\n")
    sandbox.write("AGENTS.md", code.format("FORBIDDEN"))
    sandbox.commit()
    sandbox.git("rm", "-q", "src/kiln/rack.ts")
    sandbox.commit()
    assert alarms(sandbox) == []
    for words in ("Never use", "Don't use", "❌ Never run", "WRONG: never call"):
        sandbox.write("AGENTS.md", code.format(words).replace(" — all of it in", ""))
        assert alarms(sandbox) == [], words
    for words in (
        "RACKS",
        "Never do this by hand; use",
        "Forbidden (except here). Run",
        "wrong-password handling",
        "ng",
    ):
        sandbox.write("AGENTS.md", code.format(words).replace(" — all of it in", ""))
        assert [one[1:] for one in alarms(sandbox)] == [(4, "IM001", "src/kiln/rack.ts")], words


def test_a_script_that_was_rewritten_in_a_kindred_language_has_its_ending(sandbox: Sandbox) -> None:
    sandbox.write("web/api.js", "export const heat = 1;\n")
    sandbox.write("web/AGENTS.md", "Calls go through `api.js`, and `rack.js` is what `rack.ts` is compiled to.\n")
    sandbox.write("web/rack.ts", "export const rack: number = 1;\n")
    sandbox.commit()
    sandbox.git("rm", "-q", "web/api.js")
    sandbox.write("web/api.ts", "export type Heat = { degrees: number };\nexport const all: Heat[] = [];\n")
    sandbox.commit()
    assert alarms(sandbox) == [("web/AGENTS.md", 1, "IM002", "api.js")]


def test_what_the_file_that_a_line_names_has_is_there(sandbox: Sandbox) -> None:
    sandbox.write("src/refs.js", "export const rackRef = (id) => id;\n")
    sandbox.write("src/tests/refs.definitions.js", "registry.define('rackRef', (id) => id);\n")
    sandbox.write("AGENTS.md", "- The code has `rackRef`.\n- `src/tests/refs.definitions.js` has `rackRef`.\n")
    sandbox.commit()
    sandbox.write("src/refs.js", "export const other = 1;\n")
    sandbox.commit()
    assert [one[1:] for one in alarms(sandbox)] == [(1, "IM001", "rackRef")]


@pytest.mark.parametrize(
    ("line", "is_told"),
    [
        ("- `src/ovens/<oven>/` has logic (its `heat_plan.ts`, `hooks/`).", False),
        ("- `src/ovens/{oven}/` — logic. Read `heat_plan.ts` first.", True),
        ("- `src/ovens/` has logic (its `heat_plan.ts`, `hooks/`).", True),
        ("- `src/ovens/kiln/index.ts` files only plan.", False),
        ("- `src/ovens/kiln/heat_plan.ts` files only plan.", True),
        ("- `src/ovens/kiln/heat_plan.ts` plans files.", True),
    ],
)
def test_what_each_of_many_has_is_no_single_file(sandbox: Sandbox, line: str, is_told: bool) -> None:
    for name in ("heat_plan", "index"):
        sandbox.write(f"src/ovens/kiln/{name}.ts", f"export const {name} = 1;\n")
    sandbox.write("src/ovens/rack.ts", "export const rack = 1;\n")
    sandbox.write("AGENTS.md", f"# Rules\n\n{line}\n")
    sandbox.commit()
    sandbox.git("rm", "-q", "-r", "src/ovens/kiln")
    sandbox.commit()
    assert bool(alarms(sandbox)) is is_told


def test_a_link_that_was_tracked_is_ignored_where_a_folder_of_its_name_is(sandbox: Sandbox) -> None:
    sandbox.write(".gitignore", ".kiln/\n")
    (sandbox.root / ".kiln").symlink_to("elsewhere")
    sandbox.git("add", "-f", ".kiln")
    sandbox.commit()
    sandbox.git("rm", "-q", ".kiln")
    sandbox.commit()
    assert found(sandbox, "- `.kiln` is a link to the shared cache.\n") == []


@pytest.mark.parametrize("top", ["kiln/", "", "shop/"])
def test_what_a_link_out_of_the_repository_stands_for_has_not_moved(sandbox: Sandbox, top: str) -> None:
    for number in range(4):
        sandbox.write(f"docker/glaze-ovens/deep/f{number}.py", f"HEAT = {number}\n" * 5)
    sandbox.write("src/a.py", "x = 1\n")
    drawn = (
        f"{top}\n├── src/   # code\n└── docker/\n    └── glaze-ovens/   # containers\n        └── deep/   # of one\n"
    )
    sandbox.write(
        "AGENTS.md", f"```\n{drawn.lstrip()}```\n\n- See `docker/glaze-ovens/deep/f1.py`, in `glaze-ovens/`.\n"
    )
    sandbox.commit()
    sandbox.git("mv", "docker/glaze-ovens", "docker/ovens-source")
    sandbox.commit()
    assert {one[2] for one in alarms(sandbox)} == {"IM002"}
    (sandbox.root / "docker/glaze-ovens").symlink_to("/srv/docker/ovens-source")
    sandbox.commit("a link of one machine")
    assert alarms(sandbox) == []


def test_what_is_cited_in_a_package_has_not_moved_into_another(sandbox: Sandbox) -> None:
    for package in ("oven", "kiln"):
        sandbox.write(f"packages/{package}/package.json", "{}\n")
    sandbox.write("packages/kiln/src/lib/glaze.ts", "export const x = 1\n")
    sandbox.commit()

    def noted() -> list[str]:
        told = sandbox.run("check", "--all", "--json", code=None).json["findings"]
        return [one["message"] for one in told if one["code"] == "IM090"]

    text = "- See `src/glaze.ts`.\n"
    sandbox.write("packages/oven/AGENTS.md", text)
    nowhere = "src/glaze.ts not found: no such file, now or in history"
    assert noted() == [nowhere]
    sandbox.write("packages/kiln/AGENTS.md", text)
    assert set(noted()) == {
        nowhere,
        "src/glaze.ts has moved to packages/kiln/src/lib/glaze.ts (now in a deeper folder)",
    }


def test_the_folder_of_a_table_row_is_where_its_file_is(sandbox: Sandbox) -> None:
    for name in ("begin.md", "oven.md"):
        sandbox.write(f"docs/{name}", f"# {name}\n\nAll about it, in a page of its own: {name}.\n")
    table = "| folder | begin with |\n|---|---|\n| `start/` | `begin.md` |\n| {} | `oven.md` |\n"
    sandbox.write("docs/AGENTS.md", f"{table.format('`heat/`')}\n{table.format('ovens')}")
    sandbox.commit()
    for name, folder in (("begin.md", "start"), ("oven.md", "heat")):
        (sandbox.root / f"docs/{folder}").mkdir()
        sandbox.git("mv", f"docs/{name}", f"docs/{folder}/{name}")
        sandbox.write(f"docs/de/{folder}/{name}", f"# {name}, auf Deutsch\n")
    sandbox.commit("into folders, and translated")
    for row, left in (("`heat/`", []), ("ovens", [("docs/AGENTS.md", "oven.md")])):
        sandbox.write("docs/AGENTS.md", table.format(row))
        said = sandbox.run("check", "--json", code=None).json["findings"]
        assert [(one["file"], one["citation"]["text"]) for one in said] == left


PICTURE = """Layout:

```
shop/
├── src/
│   ├── main.py      # starts it
│   ├── index.ts
│   └── pages/
│       ├── index.ts
│       └── menu.ts
├── docs/
│   └── guide.md
└── Makefile
```
"""


def a_shop(box: Sandbox) -> None:
    for name in ("src/main.py", "src/index.ts", "src/pages/index.ts"):
        box.write(name, f"// {name}\n")
    box.write("src/pages/menu.ts", "".join(f"const menu{n} = {n};\n" for n in range(20)))
    box.write("src/admin/menu.ts", "export const admin = 1;\n")
    box.write("docs/guide.md", "# Guide\n\n" + "".join(f"Line {n} of the guide.\n" for n in range(20)))
    box.write("Makefile", "all:\n")
    box.commit("all there")
    box.git("rm", "-q", "src/pages/menu.ts", "src/pages/index.ts")
    box.git("mv", "docs/guide.md", "docs/manual.md")
    box.commit("less")


def test_a_name_in_a_drawn_tree_is_the_path_that_the_picture_gives_it(sandbox: Sandbox) -> None:
    a_shop(sandbox)
    found = said(sandbox, PICTURE)
    assert found["menu.ts"][0] == "broken", "there is another file of that name"
    assert found["guide.md"] == ("moved", "docs/manual.md")
    assert found["main.py"] == ("valid", "src/main.py") and found["src/"] == ("valid", "src")
    for never in ("rules.md", "plans/"):
        more = PICTURE.replace("index.ts", f"index.ts\n│   ├── {never}", 1)
        assert said(sandbox, more)[never][0] == "broken", "the picture is of this repository"
        assert said(sandbox, PICTURE.replace("menu.ts", f"new/\n│       │   └── {never}"))[never][0] == "unverifiable"
        assert said(sandbox, f"See `{never}`.")[never][0] == "unverifiable"
    line = next(line for line in PICTURE.split("\n") if " menu.ts" in line)
    sandbox.write("AGENTS.md", PICTURE)
    sandbox.commit("a picture")
    number = PICTURE.split("\n").index(line) + 1
    assert said(sandbox, line, file="AGENTS.md", lines=[number, number])["menu.ts"][0] == "broken"
    assert said(sandbox, "Open `menu.ts`.")["menu.ts"] == ("valid", "src/admin/menu.ts")


def test_the_name_of_the_project_above_a_picture_is_no_folder(sandbox: Sandbox) -> None:
    sandbox.write("shop/cart.py", "a folder of that name once\n")
    sandbox.commit("before")
    sandbox.git("rm", "-q", "shop/cart.py")
    a_shop(sandbox)
    assert said(sandbox, "Handlers are in `shop/`.")["shop/"][0] == "broken"
    assert said(sandbox, PICTURE)["shop/"][0] == "unverifiable"


def test_a_name_in_the_picture_of_another_project_is_a_name_like_any_other(sandbox: Sandbox) -> None:
    a_shop(sandbox)
    other = PICTURE.replace("main.py", "app.py").replace("src/", "lib/").replace("docs/", "doc/")
    assert said(sandbox, other)["menu.ts"] == ("valid", "src/admin/menu.ts")
    assert said(sandbox, other.replace("app.py", "oven.py"))["oven.py"][0] == "unverifiable"


def test_in_a_picture_the_name_of_the_document_is_the_document(sandbox: Sandbox) -> None:
    a_shop(sandbox)
    text = PICTURE.replace("menu.ts", "rules.md")
    for path in ("src/pages/rules.md", "team/rules.md"):
        sandbox.write(path, "old\n")
    sandbox.commit("rules")
    sandbox.git("rm", "-q", "src/pages/rules.md")
    sandbox.write("team/rules.md", text)
    sandbox.commit("a picture of another place")
    number = text[: text.index("rules.md")].count("\n") + 1
    line = text.split("\n")[number - 1]
    assert said(sandbox, line, file="team/rules.md", lines=[number, number])["rules.md"][0] != "broken"
    assert said(sandbox, text)["rules.md"][0] == "broken"


def test_a_name_that_stands_twice_in_a_picture_is_on_each_line_another_file(sandbox: Sandbox) -> None:
    sandbox.write("AGENTS.md", PICTURE)
    a_shop(sandbox)
    lines = [number for number, line in enumerate(PICTURE.split("\n"), start=1) if "index.ts" in line]
    found = sandbox.run("check", "--json", code=1).json["findings"]
    twice = [one for one in found if one["citation"]["text"] == "index.ts"]
    assert len(lines) == 2 and [(one["code"], one["line"]) for one in twice] == [("IM001", lines[1])]
    since = sandbox.run("check", "--diff", "HEAD~1", "--json", code=1).json["findings"]
    assert [one["line"] for one in since if one["citation"]["text"] == "index.ts"] == lines[1:]
    sandbox.write("AGENTS.md", PICTURE.replace("index.ts", "kiln index.ts", 1))
    sandbox.write("src/kiln index.ts", "// two words\n")
    sandbox.commit("a longer name")
    found = sandbox.run("check", "--json", code=1).json["findings"]
    said_now = [(one["line"], one["message"]) for one in found if one["citation"]["text"] == "index.ts"]
    assert [line for line, _ in said_now] == lines[1:], "the other is part of a longer name"
    assert said_now[0][1].startswith("index.ts not found: src/pages/index.ts deleted in")


def test_the_fix_of_a_name_in_a_picture_is_a_name(sandbox: Sandbox) -> None:
    sandbox.write("AGENTS.md", PICTURE)
    a_shop(sandbox)
    sandbox.run("check", "--fix", "--unsafe-fixes", code=None)
    assert sandbox.read() == PICTURE.replace("guide.md", "manual.md")


@pytest.mark.parametrize(
    ("text", "is_listed"),
    [
        ("- Source: `src/` (`app.py`, `trays/`, `io/`)", True),
        ("- Source: src/ (app.py, trays/ and io/)", True),
        ("- `src/` — `app.py`、`trays/`", True),
        ("- `src/`: `app.py` / `trays/`", True),
        ("- `src/` has `app.py`, `trays/`", False),
        ("- `src/` (`app.py` reads `trays/`)", False),
        ("- `src/` (`app.py`, `trays/`); `trays/` is large", False),
        ("- `other/` (`app.py`, `trays/`)", False),
    ],
)
def test_names_listed_behind_a_folder_are_in_it(sandbox: Sandbox, text: str, is_listed: bool) -> None:
    for path in ("src/app.py", "src/io/pipe.py", "src/trays/rack.py", "lib/more/trays/oven.py"):
        sandbox.write(path, f"# {path}\nNAME = {path!r}\n")
    sandbox.commit("all there")
    sandbox.git("mv", "src/trays", "racks")
    sandbox.commit("racks")
    found = said(sandbox, text)["trays/"]
    assert found == (("moved", "racks") if is_listed else ("valid", "lib/more/trays"))


def test_a_slash_in_front_of_a_folder_at_the_top_stands_for_the_top(sandbox: Sandbox) -> None:
    for path in ("src/ui/button/mod.rs", "tools/run.py"):
        sandbox.write(path, f"// {path}\n" * 5)
    sandbox.commit("there")
    sandbox.git("mv", "src/ui/button", "src/ui/knob")
    sandbox.git("mv", "tools/run.py", "src/run.py")
    sandbox.commit("moved")
    found = said(sandbox, "`/src/ui/button/mod.rs` `/lib/ui/button/mod.rs` `/tools/run.py`")
    assert found == {
        "/src/ui/button/mod.rs": ("moved", "src/ui/knob/mod.rs"),
        "/lib/ui/button/mod.rs": ("unverifiable", None),
        "/tools/run.py": ("moved", "src/run.py"),
    }


def test_only_the_case_of_a_path_differs(sandbox: Sandbox) -> None:
    for path in ("tests/Kiln.Api/Rack.cs", "readme.md", "tests/kiln.api2/x.cs"):
        sandbox.write(path, "text\n")
    sandbox.commit("all there")
    found = said(sandbox, "`tests/Kiln.API/` `tests/Kiln.Api/rack.cs` `tests/kiln.API` `README.md` `tests/Kiln.API3/`")
    assert found == {
        "tests/Kiln.API/": ("moved", "tests/Kiln.Api"),
        "tests/Kiln.Api/rack.cs": ("moved", "tests/Kiln.Api/Rack.cs"),
        "tests/kiln.API": ("moved", "tests/Kiln.Api"),
        "README.md": ("unverifiable", None),
        "tests/Kiln.API3/": ("unverifiable", None),
    }
    sandbox.write("docs/CLAUDE.md", "See `Readme.md` and `claude.MD`.\n")
    sandbox.commit("docs")
    found = said(sandbox, "See `README.md` and `claude.MD`.", file="docs/CLAUDE.md", lines=[1, 1])
    assert {status for status, _ in found.values()} == {"unverifiable"}


@pytest.mark.parametrize("stay", [2, 4])
def test_a_folder_moved_with_what_it_still_had_whatever_had_left_before(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, stay: int
) -> None:
    names = [f"part{number}" for number in range(9)]
    for name in names:
        sandbox.write(f"kilns/{name}.py", f"NAME = {name!r}\n" * 5)
    sandbox.commit("all there")
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-02-01T00:00:00Z")
    sandbox.git("rm", "-q", *(f"kilns/{name}.py" for name in names[stay:]))
    sandbox.commit("fewer")
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-03-01T00:00:00Z")
    (sandbox.root / "ovens").mkdir()
    sandbox.git("mv", *(f"kilns/{name}.py" for name in names[:stay]), "ovens")
    sandbox.commit("the rest")
    found = said(sandbox, "Parts are in `kilns/`.")["kilns/"]
    assert found == (("moved", "ovens") if stay > 2 else ("broken", None))


def test_a_script_that_is_run_here_is_not_the_one_of_that_name_elsewhere(sandbox: Sandbox) -> None:
    sandbox.write("start.sh", "echo here\n")
    sandbox.commit("here")
    sandbox.write("scripts/dev/start.sh", "echo there\n")
    sandbox.commit("there as well")
    assert said(sandbox, "`./start.sh`")["./start.sh"] == ("valid", "start.sh")
    sandbox.git("rm", "-q", "start.sh")
    sandbox.commit("only there")
    found = said(sandbox, "`./start.sh`, or `start.sh`")
    assert found == {"./start.sh": ("moved", "scripts/dev/start.sh"), "start.sh": ("valid", "scripts/dev/start.sh")}


def test_a_package_that_the_manifest_lost_is_gone_in_whatever_words(sandbox: Sandbox) -> None:
    sandbox.write("requirements.txt", "glaze-client>=1\nrequests\n")
    sandbox.write("Makefile", "all:\n\techo fire-kiln\n")
    sandbox.commit("both")
    sandbox.write("requirements.txt", "requests\n")
    sandbox.write("Makefile", "all:\n")
    sandbox.commit("no glaze")
    found = said(sandbox, "`glaze-client` calls it, `pip install glaze-client` first; `never-there`")
    assert found["glaze-client"][0] == "broken" and found["never-there"][0] == "unverifiable"


def test_an_example_that_was_a_file_of_this_repository_is_gone_or_elsewhere(sandbox: Sandbox) -> None:
    for path in ("src/app.py", "src/rack.py", "src/tray.py"):
        sandbox.write(path, f"NAME = {path!r}\nMORE = {path!r}\n")
    sandbox.commit("all there")
    sandbox.git("mv", "src/rack.py", "src/racks.py")
    sandbox.git("rm", "-q", "src/tray.py")
    sandbox.commit("renamed, removed")
    found = said(sandbox, "Name it as others, e.g. `src/rack.py`. Example: `src/tray.py`. Such as `src/never.py`.")
    assert [found[f"src/{name}.py"][0] for name in ("rack", "tray", "never")] == ["moved", "broken", "unverifiable"]
    assert said(sandbox, "Add a new file, e.g. `src/rack.py`.")["src/rack.py"][0] == "unverifiable"


def test_a_constant_of_a_class_in_a_class_is_that_of_the_outer_ones_file(sandbox: Sandbox) -> None:
    sandbox.write("KilnLimits.cs", "class KilnLimits {\n  class Heat {\n    public const int TOP_HEAT = 9;\n  }\n}\n")
    sandbox.write("Heat.cs", "class Heat { }\n")
    sandbox.write("Uses.cs", "class Uses {\n  object limits = KilnLimits.Other;\n}\n")
    sandbox.commit("all")
    sandbox.git("rm", "-q", "KilnLimits.cs")
    sandbox.commit("no limits")
    assert said(sandbox, "`KilnLimits.Heat.TOP_HEAT`")["KilnLimits.Heat.TOP_HEAT"][0] == "broken"


@pytest.mark.parametrize(("file", "status"), [(".claude/memory/kiln.md", "broken"), ("docs/AGENTS.md", "unverifiable")])
def test_what_a_note_shows_of_code_is_mostly_this_code(sandbox: Sandbox, file: str, status: str) -> None:
    note = "- `KilnDriver` heats.\n\n```python\nclass KilnDriver:\n    pass\n```\n"
    sandbox.write(file, note)
    sandbox.write("src/driver.py", "class KilnDriver:\n    def heat(self):\n        return 1\n")
    sandbox.commit("both")
    sandbox.git("rm", "-q", "src/driver.py")
    sandbox.commit("no driver")
    found = said(sandbox, note.split("\n")[0], file=file, lines=[1, 1])
    assert found["KilnDriver"][0] == status


def test_a_glob_that_code_has_too_is_a_setting(sandbox: Sandbox) -> None:
    text = "- Exempt: `kilns/**`, `ovens/**`.\n"
    sandbox.write("AGENTS.md", text)
    sandbox.write("lint.py", "EXEMPT = ['kilns/**', 'kilns/*']\n")
    for name in ("kilns/a.py", "ovens/a.py"):
        sandbox.write(name, f"# {name}\n")
    sandbox.commit()
    sandbox.git("rm", "-q", "kilns/a.py", "ovens/a.py")
    sandbox.commit()
    assert found(sandbox, text) == [("IM001", "ovens/**")]


def test_the_folder_in_a_heading_may_begin_at_the_top(sandbox: Sandbox) -> None:
    text = "## Backend (`/backend/`)\n\n- `main.py` serves.\n\n## Front (`/front/`)\n\n- `main.py` draws.\n"
    sandbox.write("AGENTS.md", text)
    sandbox.write("main.py", "print('a command line of its own, longer than the others')\n" * 3)
    sandbox.write("backend/main.py", "serve()\n")
    sandbox.commit()
    (sandbox.root / "tools").mkdir()
    sandbox.git("mv", "main.py", "tools/main.py")
    sandbox.commit()
    lines = [one["line"] for one in sandbox.run("check", "--json", code=None).json["findings"]]
    assert lines == [7]


@pytest.mark.parametrize(
    ("parts", "target"),
    [
        (("__init__", "glaze", "_fire"), "src/kiln/__init__.py"),
        (("glaze", "_fire"), "src/kiln/glaze.py"),
        (("glaze",), "src/kiln/glaze.py"),
    ],
)
def test_a_module_that_was_split_has_moved_to_its_package_if_that_has_a_front(
    sandbox: Sandbox, parts: tuple[str, ...], target: str
) -> None:
    sandbox.write("src/kiln.py", "".join(f"def glaze_{number}():\n    return {number}\n" for number in range(20)))
    sandbox.write("AGENTS.md", "- Read `src/kiln.py`.\n")
    sandbox.commit()
    (sandbox.root / "src/kiln").mkdir()
    sandbox.git("mv", "src/kiln.py", "src/kiln/glaze.py")
    for part in parts:
        if part != "glaze":
            sandbox.write(f"src/kiln/{part}.py", f"from .glaze import {part}\n")
    sandbox.commit()
    (finding,) = sandbox.run("check", "--json", code=1).json["findings"]
    assert finding["citation"]["target"].rstrip("/") == target


def test_a_line_beyond_the_end_of_one_of_several_files_of_a_name_may_be_of_another(sandbox: Sandbox) -> None:
    sandbox.write("src/oven.py", "x = 1\n")
    assert found(sandbox, "- See `oven.py:54`.\n") == [("IM001", "oven.py:54")]
    sandbox.write("lib/oven.py", "y = 1\n" * 3)
    assert found(sandbox, "- See `oven.py:54`.\n") == []
    assert found(sandbox, "- See `lib/oven.py:54`.\n") == [("IM001", "lib/oven.py:54")]


def test_settings_that_code_names_may_be_made_where_it_runs(sandbox: Sandbox) -> None:
    sandbox.write("oven.conf", "heat = 200\n")
    sandbox.write("kiln.conf", "heat = 900\n")
    sandbox.write("src/image.py", "def image():\n    return write('oven.conf')\n")
    text = "- The image has `oven.conf` and `kiln.conf`.\n"
    sandbox.write("AGENTS.md", text)
    sandbox.commit()
    sandbox.git("rm", "-q", "oven.conf", "kiln.conf")
    sandbox.commit()
    assert found(sandbox, text) == [("IM001", "kiln.conf")]


def test_a_keyword_of_a_language_is_no_name(sandbox: Sandbox) -> None:
    sandbox.write("AGENTS.md", "- Both `unsafe` and `kiln_rack_count` are read.\n")
    sandbox.write("src/report.py", "unsafe = 1\nkiln_rack_count = 2\n")
    sandbox.commit()
    sandbox.write("src/report.py", "other = 1\n")
    sandbox.commit()
    assert found(sandbox, "- Both `unsafe` and `kiln_rack_count` are read.\n") == [("IM001", "kiln_rack_count")]


@pytest.mark.parametrize("folder", ["handoff_2026-05-04", "20260504", "archive"])
def test_a_document_that_is_kept_as_it_was_is_not_to_be_mended(sandbox: Sandbox, folder: str) -> None:
    text = "- Read `docs/state.md`, then `docs/rules.md`.\n"
    sandbox.write("docs/state.md", "# State\n\nHow it is, and how it came to be so.\n")
    sandbox.write("docs/rules.md", "# Rules\n\nWhat is to be done, and what is not.\n")
    sandbox.write(f"docs/{folder}/AGENTS.md", text)
    sandbox.write("docs/area-51/AGENTS.md", text)
    sandbox.commit()
    sandbox.git("mv", "docs/state.md", "docs/today.md")
    sandbox.git("rm", "-q", "docs/rules.md")
    sandbox.commit()
    assert alarms(sandbox) == [
        ("docs/area-51/AGENTS.md", 1, "IM002", "docs/state.md"),
        ("docs/area-51/AGENTS.md", 1, "IM001", "docs/rules.md"),
    ]


def test_a_title_may_be_the_former_name_of_its_document(sandbox: Sandbox) -> None:
    sandbox.write("Agents.md", "# Agents.md\n\nHow we work here, and why we do it so.\n\nKeep `Agents.md` short.\n")
    sandbox.commit()
    sandbox.git("mv", "Agents.md", "CLAUDE.md")
    sandbox.commit()
    assert [one[:3] for one in alarms(sandbox)] == [("CLAUDE.md", 5, "IM002")]


def test_a_title_that_gives_the_folder_as_well_says_where_its_document_is(sandbox: Sandbox) -> None:
    sandbox.write("web/kilns/AGENTS.md", "# web/kilns/AGENTS.md\n\nHow we fire here, and why we do it so.\n")
    sandbox.commit()
    sandbox.git("mv", "web", "apps")
    sandbox.commit()
    assert alarms(sandbox) == [("apps/kilns/AGENTS.md", 1, "IM002", "web/kilns/AGENTS.md")]


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("CHANGELOG.md", 0),
        ("docs/release-notes.md", 0),
        ("docs/releases.md", 1),
        ("docs/error-log.md", 1),
    ],
)
def test_a_list_of_changes_is_kept_as_it_was(sandbox: Sandbox, name: str, number: int) -> None:
    sandbox.write("docs/rules.md", "# Rules\n\nWhat is to be done, and what is not.\n")
    sandbox.write(name, "- Added `docs/rules.md`.\n")
    sandbox.write("CLAUDE.md", f"See @{name} first.\n")
    sandbox.commit()
    sandbox.git("rm", "-q", "docs/rules.md")
    sandbox.commit()
    assert [one[0] for one in alarms(sandbox)] == [name] * number


@pytest.mark.parametrize(
    ("title", "number"),
    [
        ("Investigation log — heat", 0),
        ("Session log", 0),
        ("Worklog", 0),
        ("Journal", 0),
        ("Error log", 1),
        ("Session log format", 1),
    ],
)
def test_below_a_title_that_says_log_of_work_all_is_of_the_past(sandbox: Sandbox, title: str, number: int) -> None:
    sandbox.write("src/heat.py", "heat = 1\n")
    sandbox.write("AGENTS.md", f"# {title}\n\n## Racks\n\n- `src/heat.py` was fast enough.\n")
    sandbox.commit()
    sandbox.git("rm", "-q", "src/heat.py")
    sandbox.commit()
    assert len(alarms(sandbox)) == number


@pytest.mark.parametrize(
    "lead",
    ["### Never", "### What not to do", "**Never:**", "**Do not:**", "### 禁止事项", "### Nunca", "### Verboten"],
)
def test_below_never_stands_what_is_not_to_be_there(sandbox: Sandbox, lead: str) -> None:
    text = "# Rules\n\n{}\n\n- Commit `tools/a.lock`, or other lock files\n- Edit `tools/b.lock` by hand\n"
    for name in ("tools/a.lock", "tools/b.lock"):
        sandbox.write(name, f"# {name}\n")
    sandbox.write("AGENTS.md", text.format(lead))
    sandbox.commit()
    sandbox.git("rm", "-q", "-r", "tools")
    sandbox.commit()
    assert [one[1] for one in alarms(sandbox)] == [6], "what is not to be edited is there"
    sandbox.write("AGENTS.md", text.format("### Always"))
    assert [one[1] for one in alarms(sandbox)] == [5, 6]


@pytest.mark.parametrize(
    ("lead", "is_told"),
    [
        ("**Before (one page each):**", False),
        ("Old layout:", False),
        ("Vorher:", False),
        ("改造前：", False),
        ("**After (one page for all):**", True),
        ("Before committing:", True),
        ("Layout:", True),
    ],
)
def test_what_a_lead_shows_as_it_was_before_is_not_missed(sandbox: Sandbox, lead: str, is_told: bool) -> None:
    picture = "```\nsrc/\n├── ovens/\n│   ├── kiln.py\n│   └── rack.py\n└── main.py\n```\n"
    for name in ("ovens/kiln.py", "ovens/rack.py", "main.py"):
        sandbox.write(f"src/{name}", f"# {name}\n")
    sandbox.write("AGENTS.md", f"# Pages\n\n{lead}\n\n{picture}")
    sandbox.commit()
    sandbox.git("branch", "base")
    sandbox.git("rm", "-q", "src/ovens/kiln.py")
    sandbox.commit()
    assert bool(alarms(sandbox)) is is_told
    assert bool(sandbox.run("check", "--diff", "base", "--json", code=None).json["findings"]) is is_told


@pytest.mark.parametrize(("start", "is_told"), [("cd /tmp/kiln", False), ("cd src", True)])
def test_a_new_folder_in_a_temporary_one_ends_before_that_does(sandbox: Sandbox, start: str, is_told: bool) -> None:
    code = f"{start}\n(mkdir oven; cd oven; make)\npython tools/heat.py\n"
    sandbox.write("tools/heat.py", "# heat\n")
    sandbox.write("AGENTS.md", f"# Ovens\n\n```sh\n{code}```\n")
    sandbox.commit()
    sandbox.git("rm", "-q", "-r", "tools")
    sandbox.commit()
    assert ("tools/heat.py" in [text for *_, text in alarms(sandbox)]) is is_told


@pytest.mark.parametrize("indent", ["", "  "])
def test_sample_code_below_never_is_forbidden_as_a_whole(sandbox: Sandbox, indent: str) -> None:
    code = "```ts\nconst LOCKED_BY_US = ['tools/', 'tools/a.lock', 'tools/b.lock'];\n```\n".splitlines(keepends=True)
    text = "# Rules\n\n### {}\n\n" + indent.replace("  ", "- ") + indent.join(code)
    sandbox.write("tools/a.lock", "# a\n")
    sandbox.write("AGENTS.md", text.format("Never"))
    sandbox.commit()
    sandbox.git("rm", "-q", "-r", "tools")
    sandbox.commit()
    assert alarms(sandbox) == []
    sandbox.write("AGENTS.md", text.format("Always"))
    assert [one[1] for one in alarms(sandbox)] == [6, 6]


def test_a_heading_that_calls_a_folder_gone_speaks_for_its_section(sandbox: Sandbox) -> None:
    text = "# Rules\n\n## `docs/old-notes/` — deprecated\n\nUse `docs/old-notes/` as you find it.\n\n"
    text += "## Other\n\nSee `docs/old-notes/`.\n"
    sandbox.write("docs/old-notes/a.md", "# A\n")
    sandbox.write("AGENTS.md", text)
    sandbox.commit()
    sandbox.git("rm", "-q", "-r", "docs")
    sandbox.commit()
    assert [one[1] for one in alarms(sandbox)] == [9]


def test_a_key_of_data_in_a_test_is_no_definition_of_this_repository(sandbox: Sandbox) -> None:
    for name, key in (("tests/test_kiln.py", "kiln_heat_limit"), ("src/kiln.py", "oven_heat_limit")):
        sandbox.write(name, f'STATE = {{\n    "{key}": None,\n    "other": 1,\n}}\n')
    sandbox.write("AGENTS.md", "- Set `kiln_heat_limit` and `oven_heat_limit`.\n")
    sandbox.commit()
    sandbox.git("rm", "-q", "-r", "tests", "src")
    sandbox.commit()
    assert [one[3] for one in alarms(sandbox)] == ["oven_heat_limit"]


def test_a_name_with_an_index_is_that_name(sandbox: Sandbox) -> None:
    sandbox.write("src/kiln.py", "pending_oven_answers = {}\n")
    text = "- Wait for `pending_oven_answers[session_id]`, never for `List[int]` or `a[0]`.\n"
    sandbox.write("AGENTS.md", text)
    sandbox.commit()
    sandbox.write("src/kiln.py", "x = 1\n")
    sandbox.commit()
    assert found(sandbox, text) == [("IM001", "pending_oven_answers[session_id]")]


@pytest.mark.parametrize(
    ("heading", "is_told"),
    [
        ("Removed folders", True),
        ("削除完了ディレクトリ", True),
        ("Gelöschte Dateien", True),
        ("삭제된 파일", True),
        ("已删除的文件", True),
        ("删掉的", True),
        ("Folders", False),
        ("How users are removed by the nightly job", False),
        ("删除用户流程", False),
    ],
)
def test_below_a_heading_that_says_so_all_is_gone(sandbox: Sandbox, heading: str, is_told: bool) -> None:
    sandbox.write("docs/plan/a.md", "a\n")
    sandbox.write("src/kiln.py", "x = 1\n")
    sandbox.write("docs/b.md", "b\n")
    text = f"# A\n\n## {heading}\n\n### 1. `docs/plan/`\n\n- see `src/kiln.py`\n\n### 2. `src/kiln.py`\n"
    sandbox.write("AGENTS.md", text)
    sandbox.commit()
    for name in ("docs/plan/a.md", "src/kiln.py"):
        (sandbox.root / name).unlink()
    sandbox.commit()
    found = sandbox.run("check", "--json", code=None).json["findings"]
    assert sorted({one["line"] for one in found}) == ([] if is_told else [5, 7, 9])


def test_a_package_of_a_folder_of_requirements_is_there(sandbox: Sandbox) -> None:
    sandbox.write("requirements.txt", "kiln-driver==1.2\n")
    sandbox.commit()
    (sandbox.root / "requirements.txt").unlink()
    sandbox.write("requirements/base.txt", "kiln-driver==1.2\n")
    sandbox.write("AGENTS.md", "The oven is driven by `kiln-driver`.\n")
    sandbox.commit()
    assert alarms(sandbox) == []


def test_what_callers_name_in_place_of_a_class_that_went_with_its_file_is_another(sandbox: Sandbox) -> None:
    tool = "<?php\nuse Base\\Tool;\n\nclass {0} implements Tool\n{{\n    function run() {{ return {1}; }}\n}}\n"
    sandbox.write("src/FireKilnPlan.php", tool.format("FireKilnPlan", 1) + "".join(f"// fire {n}\n" for n in range(20)))
    sandbox.write("src/LoadOvenPlan.php", tool.format("LoadOvenPlan", 2) + "".join(f"// load {n}\n" for n in range(20)))
    sandbox.write("src/Agent.php", "<?php\nuse Base\\FireKilnPlan;\nuse Base\\LoadOvenPlan;\n")
    sandbox.write("AGENTS.md", "The agent has `FireKilnPlan` and `LoadOvenPlan`.\n")
    sandbox.commit()
    for name in ("FireKilnPlan", "LoadOvenPlan"):
        (sandbox.root / f"src/{name}.php").unlink()
    sandbox.write("src/LoadPlan.php", tool.format("LoadPlan", 2) + "".join(f"// load {n}\n" for n in range(20)))
    sandbox.write("src/Agent.php", "<?php\nuse Base\\LoadPlan;\n")
    sandbox.commit()
    text = "The agent has `FireKilnPlan` and `LoadOvenPlan`.\n"
    assert found(sandbox, text) == [("IM001", "FireKilnPlan"), ("IM002", "LoadOvenPlan")]


def test_the_new_name_of_what_was_renamed_is_where_it_is_defined(sandbox: Sandbox) -> None:
    sandbox.write("pkg/a_test.go", "package a\n\nfunc fireKilnIO() int { return 1 }\n\nvar x = fireKilnIO()\n")
    sandbox.write("AGENTS.md", "Tests use `fireKilnIO`.\n")
    sandbox.commit()
    sandbox.write("pkg/a_test.go", "package a\n\nvar x = helper.FireKilnIO()\n")
    sandbox.write("zz/helper.go", "package helper\n\nfunc FireKilnIO() int { return 1 }\n")
    sandbox.commit()
    assert [
        one["message"].rpartition(" in ")[0] for one in sandbox.run("check", "--json", code=None).json["findings"]
    ] == ["fireKilnIO is gone: FireKilnIO stands in its place (zz/helper.go:3)"]


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("- Routes live in `mobile/src/oven/`.\n- Put `+missing.tsx` at the `oven/` root.\n", False),
        ("- Put `+missing.tsx` at the `oven/` root.\n", True),
        ("### API (`api/src/`)\n\n- Layout: `oven/` and more.\n", False),
        ("### API (`gone/src/`)\n\n- Layout: `oven/` and more.\n", True),
    ],
)
def test_a_bare_folder_is_that_which_the_text_around_it_names(sandbox: Sandbox, text: str, is_told: bool) -> None:
    for number in range(3):
        sandbox.write(f"oven/page{number}.ts", f"export const page = {number};\n")
    sandbox.write("api/src/main.ts", "export const api = 1;\n")
    sandbox.write("AGENTS.md", text)
    sandbox.commit()
    sandbox.git("mv", "oven", "mobile")
    sandbox.write("mobile/src/oven/index.tsx", "export default 1;\n")
    sandbox.commit()
    told = [one["message"] for one in sandbox.run("check", "--json", code=None).json["findings"]]
    assert [one.startswith("oven/ has moved to mobile") for one in told] == ([True] if is_told else [])


@pytest.mark.parametrize(
    ("lead", "is_told"),
    [
        ("Things that must **never** be added here:", False),
        ("What does not belong here:", False),
        ("## What does NOT belong here", False),
        ("Was nicht hierher gehört:", False),
        ("不应放在这里：", False),
        ("## Legacy helpers", True),
        ("Things that must be added here:", True),
    ],
)
def test_below_what_is_never_to_be_added_here_stand_names_of_others(sandbox: Sandbox, lead: str, is_told: bool) -> None:
    sandbox.write("src/kiln.cs", "class KilnRackFixture { }\n")
    text = "- **Composition** (`KilnRackFixture`). It lives in the suite that owns it: see `KilnRackFixture`.\n"
    sandbox.write("AGENTS.md", f"{lead}\n\n{text}")
    sandbox.commit()
    sandbox.write("src/kiln.cs", "class Oven { }\n")
    sandbox.commit()
    told = sandbox.run("check", "--diff", "HEAD~1", "--json", code=None).json["findings"]
    assert bool(told) is is_told


@pytest.mark.parametrize(("ending", "is_told"), [("cs", False), ("py", True)])
def test_what_a_compiler_reads_in_a_test_comes_from_a_library(sandbox: Sandbox, ending: str, is_told: bool) -> None:
    sandbox.write(f"src/bus.{ending}", "class KilnRackTransport:\n    pass\n")
    sandbox.write(f"tests/mock.{ending}", "class MockTransport(Base, KilnRackTransport):\n    pass\n")
    text = "- `MockTransport` is a `KilnRackTransport` that does nothing.\n"
    sandbox.write("AGENTS.md", text)
    sandbox.commit()
    (sandbox.root / f"src/bus.{ending}").unlink()
    sandbox.commit()
    assert [name for _, name in found(sandbox, text)] == (["KilnRackTransport"] if is_told else [])


@pytest.mark.parametrize(
    "text",
    [
        "```\noven/\n└── tests/    # checks (moved from tests/slow/)\n```\n",
        "```\noven/\n└── tests/    # formerly tests/slow/\n```\n",
        "```\noven/\n└── tests/    # checks (was tests/slow/)\n```\n",
        "```\noven/\n└── tests/    # était tests/slow/\n```\n",
        "Despite older docs referencing `tests/slow/`, there is one folder.\n",
        "The outdated README still points to `tests/slow/`.\n",
        "Ältere Doku erwähnt `tests/slow/`, heute ist alles in einem Ordner.\n",
        "旧文档提到 `tests/slow/`。\n",
    ],
)
def test_what_something_came_from_is_not_missed(sandbox: Sandbox, text: str) -> None:
    sandbox.write("tests/slow/test_a.py", "def test_a(): pass\n")
    sandbox.write("oven/tests/test_b.py", "def test_b(): pass\n")
    sandbox.write("AGENTS.md", text)
    sandbox.commit()
    sandbox.git("rm", "-q", "-r", "tests")
    sandbox.commit()
    assert alarms(sandbox) == []
    sandbox.write("AGENTS.md", "Slow tests are in `tests/slow/`.\n")
    sandbox.commit()
    assert len(alarms(sandbox)) == 1


@pytest.mark.parametrize(("others", "rises", "is_told"), [(120, True, False), (120, False, True), (20, True, True)])
def test_a_commit_that_makes_a_folder_the_repository_splits_it_off(
    sandbox: Sandbox, others: int, rises: bool, is_told: bool
) -> None:
    sandbox.write("src/old.py", "y = 2\n")
    for number in range(others):
        sandbox.write(f"services/s{number}.py", f"def serve_{number}():\n    return {number}\n")
    for number in range(6):
        sandbox.write(f"shared/kit{number}.py", f"x = {number}\n")
    sandbox.write("AGENTS.md", "The first suite is `services/s1.py`, which starts `serve_2()`.\n")
    sandbox.commit()
    sandbox.git("rm", "-q", "-r", "services")
    for number in range(6):
        sandbox.git("mv", f"shared/kit{number}.py", f"kit{number}.py" if rises else f"src/kit{number}.py")
    sandbox.commit()
    assert bool(alarms(sandbox)) is is_told


@pytest.mark.parametrize(
    "text",
    [
        "### Add a route\n\n1. Create the router in `src/ovens.py`\n2. Register it in `src/main.py`\n",
        "Steps:\n\n1. Create source file: `src/ovens.py`\n",
        "1. Erstelle den Router in `src/ovens.py`\n",
        "1. Créer le routeur dans `src/ovens.py`\n",
        "1. Crear el router en `src/ovens.py`\n",
        "1. 创建路由文件：`src/ovens.py`\n",
        "**Fichiers à créer :**\n\n- `src/ovens.py`: the ovens\n",
        "**要创建的文件：**\n\n- `src/ovens.py`\n",
        "**Files to create:**\n\n- `src/ovens.py`: the ovens\n",
        "- Components: `src/MyComponent/index.tsx`\n",
        "- Migrations: `src/xxx_add_field.sql`, then `src/new_feature/main.py`\n",
    ],
)
def test_what_is_to_be_made_was_never_there(sandbox: Sandbox, text: str) -> None:
    sandbox.write("src/main.py", "x = 1\n")
    sandbox.write("AGENTS.md", text)
    sandbox.commit()
    assert sandbox.run("check", "--all", "--json", code=None).json["findings"] == []


def test_what_is_to_be_made_and_was_deleted_is_missed(sandbox: Sandbox) -> None:
    sandbox.write("src/main.py", "x = 1\n")
    sandbox.write("src/ovens.py", "y = 2\n")
    sandbox.write("AGENTS.md", "1. Create the router in `src/ovens.py`\n")
    sandbox.commit()
    (sandbox.root / "src/ovens.py").unlink()
    sandbox.commit()
    assert [one[2:] for one in alarms(sandbox)] == [("IM001", "src/ovens.py")]


def test_what_is_drawn_and_ignored_or_to_come_is_not_missed(sandbox: Sandbox) -> None:
    picture = (
        "```\noven/\n├── src/\n│   ├── main.py\n│   ├── fire.py\n│   ├── load.py\n"
        "│   ├── a_lid.py   # EXAMPLE of a lid\n│   └── glaze.py   # (when implemented)\n└── kilns/   # of all sites\n"
        "    ├── trays/   # of the day\n    └── racks/   # of all days\n```\n"
    )
    for name in ("main", "fire", "load"):
        sandbox.write(f"oven/src/{name}.py", "x = 1\n")
    sandbox.write("oven/kilns/README.md", "# Kilns\n")
    sandbox.write("AGENTS.md", picture)
    sandbox.commit()

    def told() -> list[str]:
        return [one["citation"]["text"] for one in sandbox.run("check", "--all", "--json", code=None).json["findings"]]

    assert told() == ["trays/", "racks/"]
    sandbox.write(".gitignore", "kilns/\n")
    sandbox.commit()
    assert told() == []


def test_a_renamed_script_is_told_where_the_runner_at_the_top_has_it(sandbox: Sandbox) -> None:
    def manifest(*names: str) -> str:
        listed = ",\n".join(f'    "{name}": "turbo run {name}"' for name in names)
        return f'{{\n  "scripts": {{\n{listed}\n  }}\n}}\n'

    def tasks(*names: str) -> str:
        listed = ",\n".join(f'    "{name}": {{\n      "dependsOn": ["^{name}"]\n    }}' for name in names)
        return f'{{\n  "tasks": {{\n{listed}\n  }}\n}}\n'

    places = ("package.json", "apps/a/package.json", "packages/ui/package.json")
    for place in places:
        sandbox.write(place, manifest("build", "check-types-once"))
    sandbox.write("turbo.json", tasks("build", "check-types-once"))
    sandbox.write("AGENTS.md", "- `bun run build`\n- `bun run check-types-once`\n")
    sandbox.commit()
    for place in places:
        sandbox.write(place, manifest("build", "typecheck-once"))
    sandbox.write("turbo.json", tasks("build", "typecheck-once"))
    sandbox.commit()
    told = [one["message"].rpartition(" in ")[0] for one in sandbox.run("check", "--json", code=None).json["findings"]]
    assert told == ["bun run check-types-once is gone: typecheck-once stands in its place (package.json:4)"]


def test_a_renamed_name_of_two_words_is_a_note_and_one_of_three_a_finding(sandbox: Sandbox) -> None:
    code = "def {}(hot):\n    return hot\n\n\ndef {}(cold):\n    return cold\n"
    glaze = "def glaze_all_pots():\n    pass\n"
    sandbox.write("src/kiln.py", code.format("heat_the_kiln", "cool_kiln") + glaze)
    sandbox.write("AGENTS.md", "- `heat_the_kiln()` heats, `cool_kiln()` cools, `glaze_all_pots()` glazes: kiln.py.\n")
    sandbox.commit()
    sandbox.write("src/kiln.py", code.format("warm_the_kiln", "chill_kiln"))
    sandbox.write("AGENTS.md", sandbox.read() + "- Whoever wrote this had the document in hand.\n")
    sandbox.commit()
    told = sandbox.run("check", "--all", "--json", code=1).json["findings"]
    assert {(one["code"], one["citation"]["text"]) for one in told if one["citation"]} == {
        ("IM002", "heat_the_kiln()"),
        ("IM090", "cool_kiln()"),
        ("IM090", "glaze_all_pots()"),
    }


def test_a_short_name_that_a_commit_takes_away_is_a_finding_of_that_commit(sandbox: Sandbox) -> None:
    sandbox.write("src/kiln.py", "class KilnRack:\n    pass\n")
    sandbox.write("AGENTS.md", "- `KilnRack` (kiln.py) holds the pots.\n")
    sandbox.commit()
    sandbox.write("src/kiln.py", "x = 1\n")
    sandbox.commit()
    told = sandbox.run("check", "--diff", "HEAD~1", "--json", code=1).json["findings"]
    assert [one["code"] for one in told] == ["IM001"]


@pytest.mark.parametrize(("named", "told"), [("`web/test/mocks/oven/` has the fake oven. ", 0), ("", 1)])
def test_a_path_that_shortens_a_folder_named_in_full_is_there(sandbox: Sandbox, named: str, told: int) -> None:
    sandbox.write("test/mocks/oven/run.sh", "echo\n" * 9)
    sandbox.write("web/a.py", "x = 1\n")
    sandbox.write("AGENTS.md", f"## Mock\n\n{named}The settings point at `test/mocks/oven/run.sh`.\n")
    sandbox.commit()
    sandbox.git("mv", "test", "web/test")
    sandbox.commit()
    assert len(sandbox.run("check", "--json", code=None).json["findings"]) == told


def test_what_go_imports_from_this_repository_is_a_folder_of_it(sandbox: Sandbox) -> None:
    sandbox.write("go.mod", "module example.org/potters/house\n")
    sandbox.write("kilns/fire.go", "package kilns\n")
    sandbox.write("shop/sell.go", 'package shop\n\nimport "example.org/potters/house/kilns"\n')
    text = "Depends on `example.org/potters/house/kilns`.\n"
    sandbox.write("shop/AGENTS.md", text)
    sandbox.commit()
    sandbox.write("shop/sell.go", 'package shop\n\nimport "example.org/potters/ovens"\n')
    sandbox.commit()
    assert found(sandbox, "") == []
    sandbox.git("mv", "kilns", "ovens")
    sandbox.commit()
    told = sandbox.run("check", "--all", "--json", code=None).json["findings"]
    assert [one["citation"]["text"] for one in told if one["citation"]] == ["example.org/potters/house/kilns"]


@pytest.mark.parametrize(
    "element",
    ["<Knob\n    onTurnEnd={(v) => heat(v)}\n  />", '<Knob onTurnEnd="heat" />', '<ui.Knob big onTurnEnd="heat">'],
)
def test_an_attribute_of_an_element_is_no_definition(sandbox: Sandbox, element: str) -> None:
    sandbox.write("src/oven.tsx", f"export const Oven = () => (\n  {element}\n)\n")
    text = "- Knobs commit on `onTurnEnd`.\n"
    sandbox.write("AGENTS.md", text)
    sandbox.commit()
    sandbox.write("src/oven.tsx", "export const x = 1\n")
    sandbox.commit()
    assert found(sandbox, text) == []


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("The guide elsewhere names `kiln_fire.yml` — no such file exists; run the role.\n", False),
        ("The guide elsewhere names `kiln_fire.yml`; run the role.\n", True),
        ("```\nhouse/\n├── src/\n└── pots/  # pots cuits (git-ignorés)\n```\n", False),
        ("```\nhouse/\n├── src/\n└── pots/  # gebrannt, git-ignoriert\n```\n", False),
        ("```\nhouse/\n├── src/\n└── pots/  # gebrannt\n```\n", True),
    ],
)
def test_what_the_text_says_is_not_there_is_no_news(sandbox: Sandbox, text: str, is_told: bool) -> None:
    sandbox.write("kiln_fire.yml", "a: 1\n")
    sandbox.write("pots/clay.md", "clay\n")
    sandbox.write("src/a.py", "x = 1\n")
    sandbox.write("AGENTS.md", text)
    sandbox.commit()
    sandbox.git("rm", "-q", "-r", "kiln_fire.yml", "pots")
    sandbox.commit()
    assert bool(sandbox.run("check", "--json", code=None).json["findings"]) is is_told


def test_one_plain_word_in_place_of_several_is_no_place(sandbox: Sandbox) -> None:
    rack = "class Rack:\n    {} = 1\n    other_field_here = 2\n"
    for name in ("rack", "oven"):
        sandbox.write(f"src/{name}.py", rack.format("glaze_count_total"))
    text = "- Racks have `glaze_count_total`.\n"
    sandbox.write("AGENTS.md", text)
    sandbox.commit()
    sandbox.write("src/rack.py", rack.format("total"))
    sandbox.write("src/oven.py", rack.format("total"))
    sandbox.commit()
    assert found(sandbox, text) == [("IM001", "glaze_count_total")]


def test_what_is_exported_by_default_from_a_call_is_defined_elsewhere(sandbox: Sandbox) -> None:
    sandbox.write("server/a.ts", "export default defineOvenPlugin(async () => {\n  heat()\n})\n")
    text = "- Start with `defineOvenPlugin()`.\n"
    sandbox.write("AGENTS.md", text)
    sandbox.commit()
    sandbox.write("server/a.ts", "export const x = 1\n")
    sandbox.commit()
    assert found(sandbox, text) == []


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("- This is the equivalent of Potter's `heat_the_kiln()`.\n", False),
        ("- It is our answer to Potter's `heat_the_kiln()`.\n", False),
        ("- The potter calls `heat_the_kiln()`.\n", True),
    ],
)
def test_what_is_an_equivalent_of_anothers_is_not_ours(sandbox: Sandbox, text: str, is_told: bool) -> None:
    sandbox.write("src/a.py", "def heat_the_kiln():\n    return 1\n")
    sandbox.write("AGENTS.md", text)
    sandbox.commit()
    sandbox.write("src/a.py", "x = 1\n")
    sandbox.commit()
    assert bool(found(sandbox, text)) is is_told


def test_a_file_that_was_switched_off_has_not_moved(sandbox: Sandbox) -> None:
    sandbox.write(".github/workflows/fire.yml", "on: push\njobs: {}\n" * 5)
    sandbox.write("AGENTS.md", "- `.github/workflows/fire.yml` fires the kiln.\n")
    sandbox.commit()
    sandbox.git("mv", ".github/workflows/fire.yml", ".github/workflows/fire.yml.disabled")
    sandbox.commit()
    (told,) = sandbox.run("check", "--json", code=1).json["findings"]
    assert told["code"] == "IM001" and told["suggestion"] is None
    assert "switched off as .github/workflows/fire.yml.disabled in " in told["message"]


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("- The design of `heat_the_kiln()` is preserved in git tag `old-1` for reference.\n", False),
        ("- It does what the previous `heat_the_kiln()` did.\n", False),
        ("- It does what `heat_the_kiln()` did.\n", True),
    ],
)
def test_what_a_tag_keeps_or_was_before_is_not_meant_to_be_there(sandbox: Sandbox, text: str, is_told: bool) -> None:
    sandbox.write("src/a.py", "def heat_the_kiln():\n    return 1\n")
    sandbox.write("AGENTS.md", text)
    sandbox.commit()
    sandbox.write("src/a.py", "x = 1\n")
    sandbox.commit()
    assert bool(found(sandbox, text)) is is_told


@pytest.mark.parametrize("others", [1, 2])
def test_a_bare_name_that_several_files_have_is_a_note_once_one_of_them_moved(sandbox: Sandbox, others: int) -> None:
    sandbox.write("kiln.config.ini", "".join(f"heat_{number} = {number}\n" for number in range(9)))
    for number in range(others):
        sandbox.write(f"parts/p{number}/kiln.config.ini", f"x = {number}\n")
    sandbox.write("AGENTS.md", "Each part has a `kiln.config.ini` of its own.\n")
    sandbox.commit()
    (sandbox.root / "parts/base").mkdir(parents=True)
    sandbox.git("mv", "kiln.config.ini", "parts/base/kiln.config.ini")
    sandbox.commit()
    told = sandbox.run("check", "--all", "--json", code=None).json["findings"]
    codes = [one["code"] for one in told if one["citation"]]
    assert codes == (["IM090"] if others == 2 else ["IM002"])


@pytest.mark.parametrize("glob", ["src/**/*Glaze.py", "src/glazes/*.py", "src/glazes/**"])
def test_a_glob_that_nothing_matches_any_more_is_a_note(sandbox: Sandbox, glob: str) -> None:
    sandbox.write("src/glazes/BlueGlaze.py", "x = 1\n")
    sandbox.write("src/kiln.py", "y = 1\n")
    sandbox.write("AGENTS.md", f"Glazes are in `{glob}`.\n")
    sandbox.commit()
    sandbox.git("rm", "-q", "-r", "src/glazes")
    sandbox.commit()
    told = sandbox.run("check", "--all", "--json", code=None).json["findings"]
    assert [one["code"] for one in told if one["citation"]] == ["IM090"]


def test_what_is_now_called_as_it_was_cited_is_told_with_its_old_place(sandbox: Sandbox) -> None:
    sandbox.write("cmd/oven/fire.go", "package main\n\nfunc FireAll() {}\n" * 3)
    for name in ("cmd/oven/main.go", "pkg/glaze.go", "pkg/rack.go"):
        sandbox.write(name, f"package main // {name}\n")
    above = "cmd/\n├── oven/\n│   ├── main.go\n│   └── fire.go\n"
    sandbox.write("AGENTS.md", f"```\n{above}pkg/\n├── glaze.go\n└── rack.go\n```\n")
    sandbox.commit()
    sandbox.git("mv", "cmd/oven/fire.go", "fire.go")
    sandbox.commit()
    told = [one["message"] for one in sandbox.run("check", "--json", code=1).json["findings"]]
    assert [one.partition(" in ")[0] for one in told] == ["cmd/oven/fire.go has moved to fire.go"]


@pytest.mark.parametrize("others", [0, 1, 2, 4])
def test_the_few_files_that_have_the_name_of_what_was_deleted_are_told(sandbox: Sandbox, others: int) -> None:
    for number in range(others):
        sandbox.write(f"parts/p{number}/fire.sh", f"echo {number} {'x' * number}\n")
    sandbox.write("kiln/fire.sh", "set -e\ncurl localhost | tee kiln.log\nexit 1\n")
    sandbox.write("AGENTS.md", "Run `kiln/fire.sh` first.\n")
    sandbox.commit()
    sandbox.git("rm", "-q", "kiln/fire.sh")
    sandbox.commit()
    (told,) = sandbox.run("check", "--json", code=1).json["findings"]
    names = {1: " (parts/p0/fire.sh is called so)", 2: " (parts/p0/fire.sh and parts/p1/fire.sh are called so)"}
    assert told["help"] == "correct the line, or delete it" + names.get(others, "")


@pytest.mark.parametrize(
    ("new", "is_moved"),
    [
        ("src/kiln/rack", True),
        ("lib/kiln-rack", True),
        ("lib/kiln_rack", False),
        ("src/kiln", False),
        ("lib/rack", False),
    ],
)
def test_a_folder_whose_files_all_went_below_one_of_its_name_has_moved(
    sandbox: Sandbox, new: str, is_moved: bool
) -> None:
    for number in range(4):
        sandbox.write(f"src/kiln-rack/part{number}.py", f"def fire_{number}():\n    return {number}\n" * 4)
    sandbox.write("AGENTS.md", "Racks are in `src/kiln-rack/`.\n")
    sandbox.commit()
    for number, below in enumerate(("a", "a", "b", "c")):
        (sandbox.root / new / below).mkdir(parents=True, exist_ok=True)
        sandbox.git("mv", f"src/kiln-rack/part{number}.py", f"{new}/{below}/part{number}.py")
    sandbox.commit()
    (told,) = sandbox.run("check", "--json", code=1).json["findings"]
    assert told["code"] == ("IM002" if is_moved else "IM001")
    assert (f"has moved to {new}" in told["message"]) is is_moved


@pytest.mark.parametrize(
    ("line", "cited"),
    [
        ("namespace Pottery.GlazeViews;", "GlazeViews"),
        ("namespace Pottery.GlazeViews.Racks {", "GlazeViews"),
        ("  SELECT * FROM kiln_table_info('racks')", "kiln_table_info"),
    ],
)
def test_a_part_of_a_namespace_and_a_function_of_a_database_are_no_definitions(
    sandbox: Sandbox, line: str, cited: str
) -> None:
    sandbox.write("src/kiln.cs", f"{line}\nclass Kiln {{}}\n")
    sandbox.write("AGENTS.md", f"Keep it out of `{cited}`.\n")
    sandbox.commit()
    sandbox.write("src/kiln.cs", "class Kiln {}\n")
    sandbox.commit()
    told = sandbox.run("check", "--all", "--json", code=None).json["findings"]
    assert [one["code"] for one in told if one["code"] in ("IM001", "IM002")] == []


def test_a_table_that_was_created_unless_it_was_there_is_defined(sandbox: Sandbox) -> None:
    sandbox.write("sql/kiln.sql", "CREATE TABLE IF NOT EXISTS kiln_rack_edges (\n  id INTEGER\n);\n")
    sandbox.write("sql/oven.sql", "SELECT 1;\n")
    sandbox.write("AGENTS.md", "Racks (kiln.sql) meet in `kiln_rack_edges`.\n")
    sandbox.commit()
    sandbox.write("sql/kiln.sql", "SELECT 2;\n")
    sandbox.commit()
    (told,) = sandbox.run("check", "--json", code=1).json["findings"]
    assert "its definition was removed from sql/kiln.sql" in told["message"]


def test_a_function_with_its_arity_is_one_citation(sandbox: Sandbox) -> None:
    sandbox.write("lib/kiln.ex", "defmodule Kiln do\n  def heat_kiln_up(x), do: x\nend\n")
    sandbox.write("AGENTS.md", "- heat_kiln_up/1 and cool_kiln_down/2 of kiln.ex do it\n")
    sandbox.commit()
    sandbox.write("lib/kiln.ex", "defmodule Kiln do\nend\n")
    sandbox.commit()
    found = sandbox.run("check", "--json", code=None).json["findings"]
    assert [one["citation"]["text"] for one in found] == ["heat_kiln_up/1"]


def test_a_folder_of_which_a_part_stayed_near_has_not_moved_far(sandbox: Sandbox) -> None:
    for number in range(6):
        sandbox.write(f"apps/web/parts/p{number}.ts", f"export const fire{number} = () => {{ return {number} }}\n" * 3)
    sandbox.write("apps/web/main.ts", "export {}\n")
    sandbox.write("AGENTS.md", "Parts are in `apps/web/parts/`.\n")
    sandbox.commit()
    for number in range(6):
        new = "apps/web/app/parts" if number < 2 else "packages/ui/parts"
        (sandbox.root / new).mkdir(parents=True, exist_ok=True)
        sandbox.git("mv", f"apps/web/parts/p{number}.ts", f"{new}/p{number}.ts")
    sandbox.commit()
    (told,) = sandbox.run("check", "--json", code=1).json["findings"]
    assert told["code"] == "IM001" and "its files went to several folders" in told["message"]


def test_a_file_that_a_dated_record_names_may_be_elsewhere_by_now(sandbox: Sandbox) -> None:
    sandbox.write("src/kiln.py", "def fire():\n    return 1\n" * 3)
    line = "- The heat is set in `src/kiln.py`.\n"
    sandbox.write("AGENTS.md", f"## Where things are\n\n{line}\n## 2026-01-01: a new kiln\n\n{line}")
    sandbox.commit()
    (sandbox.root / "lib").mkdir()
    sandbox.git("mv", "src/kiln.py", "lib/kiln.py")
    sandbox.commit("later")
    assert [one["line"] for one in sandbox.run("check", "--json", code=1).json["findings"]] == [3]
    assert [one["line"] for one in sandbox.run("check", "--diff", "HEAD~1", "--json", code=1).json["findings"]] == [3]


def test_a_command_of_a_folder_that_it_enters_is_not_missed_where_another_one_was_deleted(sandbox: Sandbox) -> None:
    sandbox.write("gradlew", "echo 1\n")
    sandbox.commit()
    sandbox.git("rm", "-q", "gradlew")
    sandbox.commit()
    sandbox.write("backend/gradlew", "exec java\n")
    sandbox.write("infra/AGENTS.md", "- `cd ../backend && ./gradlew build` compiles.\n")
    sandbox.commit()
    assert alarms(sandbox) == []


def test_an_example_that_code_had_is_no_invented_one_but_a_file_of_data_is(sandbox: Sandbox) -> None:
    sandbox.write(
        "src/kiln.py", "def heat_the_rack(hot):\n    return hot\n\n\ndef cool_the_rack(cold):\n    return 1\n"
    )
    sandbox.write("heat_of_may.json", '{"may": 1}\n')
    text = "- Say what it is to do (e.g. `heat_the_rack()`, `cool_the_rack()` or `bake_the_bread()`).\n"
    text += "- Figures are kept by month (e.g. `heat_of_may.json`).\n"
    sandbox.write("AGENTS.md", text)
    sandbox.commit()
    sandbox.write("src/kiln.py", "def cool_the_rack(cold):\n    return 1\n")
    sandbox.git("rm", "-q", "heat_of_may.json")
    sandbox.commit()
    assert found(sandbox, text) == [("IM001", "heat_the_rack()")]


def test_the_value_of_a_constant_is_defined_by_it_if_it_tells_which_it_is(sandbox: Sandbox) -> None:
    sandbox.write("src/keys.ts", 'export const HEAT_KEY = "kiln_rack_heat";\nexport const COLD_KEY = "kiln";\n')
    sandbox.write("src/more.ts", 'heat("kiln_rack_cold");\n')
    text = "- The keys are `kiln_rack_heat`, `kiln_rack_cold` and `kiln`.\n"
    sandbox.write("AGENTS.md", text)
    sandbox.commit()
    sandbox.git("rm", "-q", "src/keys.ts", "src/more.ts")
    sandbox.commit()
    assert found(sandbox, text) == [("IM001", "kiln_rack_heat")]


def test_a_document_is_not_where_the_page_that_it_cites_is(sandbox: Sandbox) -> None:
    sandbox.write("rules/clay/style.md", "# Style\n\nMore than [the common style](../common/style.md).\n")
    sandbox.write("AGENTS.md", "- Read [the style](rules/clay/style.md).\n")
    sandbox.commit()
    (told,) = sandbox.run("check", "rules/clay/style.md", "--json", code=1).json["findings"]
    assert told["code"] == "IM001" and told["message"].startswith("../common/style.md not found")


def test_what_a_template_is_made_into_is_there(sandbox: Sandbox) -> None:
    sandbox.write("kit/flows/heat.yml", "on: push\njobs: {}\n# of the kiln\n")
    sandbox.write("kit/flows/cool.yml", "on: pull_request\njobs: {}\n# of the rack\n")
    text = "- What it makes has `flows/heat.yml` and `flows/cool.yml`.\n"
    sandbox.write("AGENTS.md", text)
    sandbox.commit()
    sandbox.git("mv", "kit/flows/heat.yml", "kit/flows/{% if kiln %}heat.yml{% endif %}")
    sandbox.git("rm", "-q", "kit/flows/cool.yml")
    sandbox.commit()
    assert found(sandbox, text) == [("IM001", "flows/cool.yml")]


def test_what_another_module_hands_on_did_not_leave(sandbox: Sandbox) -> None:
    for name in ("heat", "cool"):
        sandbox.write(f"src/{name}.ts", f"export function {name}TheRack(by: number) {{\n  return by;\n}}\n")
    text = "- `heatTheRack()` and `coolTheRack()` do it.\n"
    sandbox.write("AGENTS.md", text)
    sandbox.commit()
    sandbox.write("src/heat.ts", 'export * from "@kiln/heat";\n')
    sandbox.write("src/cool.ts", "export const off = 1;\n")
    sandbox.commit()
    assert found(sandbox, text) == [("IM001", "coolTheRack()")]


@pytest.mark.parametrize(
    ("files", "is_told"),
    [
        (("work/locks/rack-one.lock",), False),
        (("work/plans/2026-01-02-rack.md",), False),
        (("work/plans/2026-01-02-rack.md", "work/plans/2026-01-03-kiln.md"), True),
        (("work/plans/rack.md",), True),
        (("work/locks/yarn.lock",), True),
    ],
)
def test_a_folder_that_a_piece_of_work_left_may_be_empty_for_now(
    sandbox: Sandbox, files: tuple[str, ...], is_told: bool
) -> None:
    folder = files[0].rpartition("/")[0]
    for file in files:
        sandbox.write(file, f"# {file}\n")
    sandbox.write("AGENTS.md", f"- Look into `{folder}/` first.\n")
    sandbox.commit()
    sandbox.git("rm", "-q", *files)
    sandbox.commit()
    told = sandbox.run("check", "--json", code=None).json["findings"]
    between = sandbox.run("check", "--diff", "HEAD~1", "--json", code=None).json["findings"]
    assert [bool(told), bool(between)] == [is_told, is_told]


def test_a_folder_that_was_emptied_before_may_be_empty_for_now_between_commits_too(sandbox: Sandbox) -> None:
    sandbox.write("AGENTS.md", "- Write what is asked into `work/asked/`.\n")
    sandbox.write("work/done.md", "x\n")
    for number in range(5):
        sandbox.write(f"work/asked/q{number}.md", f"{number}?\n")
        sandbox.commit()
        sandbox.git("rm", "-q", f"work/asked/q{number}.md")
        sandbox.commit()
    sandbox.run("check", "--diff", "HEAD~1")


def test_of_two_copies_the_one_in_a_folder_of_the_same_name_is_the_new_place(sandbox: Sandbox) -> None:
    rules = "".join(f"{number}. Fire rack {number} of the kiln.\n" for number in range(20))
    sandbox.write("rules/steps/fire.md", rules)
    sandbox.write("AGENTS.md", "- Read `rules/steps/fire.md`.\n")
    sandbox.commit()
    sandbox.git("rm", "-q", "rules/steps/fire.md")
    sandbox.write(".kit/steps-model/fire.md", rules)
    sandbox.write(".kit/steps/fire.md", rules.replace("kiln", "oven") + "And more.\n" * 9)
    sandbox.commit()
    (told,) = sandbox.run("check", "--json", code=1).json["findings"]
    assert told["citation"]["target"] == ".kit/steps/fire.md"


def test_where_to_put_a_thing_is_told_once_the_folder_has_another_name(sandbox: Sandbox) -> None:
    for number in range(4):
        sandbox.write(f"docs/choices/c{number}.md", f"# Choice {number}\n\nWhy {number}.\n")
    text = "- Create a page in `docs/choices/`, and `docs/answers/` for its answer.\n"
    sandbox.write("AGENTS.md", text)
    sandbox.commit()
    sandbox.git("mv", "docs/choices", "docs/ADRs")
    sandbox.commit()
    assert found(sandbox, text) == [("IM002", "docs/choices/")]


def test_a_document_may_name_itself_in_other_capitals(sandbox: Sandbox) -> None:
    text = "# Kiln\n\nThis file (agents.md) is short.\n\n- So is `kilns.md`.\n"
    sandbox.write("AGENTS.md", text)
    sandbox.write("kilns.md", "# Kilns\n\nHow they are fired, and how they are not.\n")
    sandbox.commit()
    for old, new in (("AGENTS.md", "agents.tmp"), ("agents.tmp", "agents.md"), ("kilns.md", "ovens.md")):
        sandbox.git("mv", old, new)
        sandbox.commit()
    sandbox.git("mv", "agents.md", "AGENTS.md")
    sandbox.commit()
    assert found(sandbox, text) == [("IM002", "kilns.md")]


def test_files_of_several_modules_in_one_folder_of_their_name_are_no_package(sandbox: Sandbox) -> None:
    for layer in ("routes", "models"):
        body = "".join(f"def {layer}_{number}():\n    return {number}\n" for number in range(20))
        sandbox.write(f"app/{layer}/kiln.py", body)
    text = "- Requests are in `app/routes/kiln.py`, tables in `app/models/kiln.py`.\n"
    sandbox.write("AGENTS.md", text)
    sandbox.commit()
    (sandbox.root / "app/kiln").mkdir()
    for layer in ("routes", "models"):
        sandbox.git("mv", f"app/{layer}/kiln.py", f"app/kiln/{layer}.py")
    sandbox.write("app/kiln/__init__.py", "")
    sandbox.commit()
    told = sandbox.run("check", "--json", code=1).json["findings"]
    assert [one["citation"]["target"] for one in told] == ["app/kiln/routes.py", "app/kiln/models.py"]


def test_nobody_is_sent_to_code_in_an_archive_but_to_a_page_there(sandbox: Sandbox) -> None:
    for name in ("kiln/heat.py", "kiln/cool.py", "kiln/rest.py", "docs/kiln.md"):
        sandbox.write(name, f"# {name} of the kiln, and of nothing else\n")
    text = "- `kiln/heat.py` is described in `docs/kiln.md`.\n"
    sandbox.write("AGENTS.md", text)
    sandbox.commit()
    (sandbox.root / "archive").mkdir()
    (sandbox.root / "docs/archive").mkdir()
    sandbox.git("mv", "kiln", "archive/kiln")
    sandbox.git("mv", "docs/kiln.md", "docs/archive/kiln.md")
    sandbox.commit()
    told = sandbox.run("check", "--json", code=1).json["findings"]
    assert {(one["citation"]["text"], one["code"], one["message"].partition(" in ")[0]) for one in told} == {
        ("kiln/heat.py", "IM001", "kiln/heat.py not found: archived as archive/kiln/heat.py"),
        ("docs/kiln.md", "IM002", "docs/kiln.md has moved to docs/archive/kiln.md"),
    }
