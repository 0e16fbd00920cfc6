"""What a document says of where its paths are: in a folder of the repository, on a machine, or made when needed."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.conftest import Sandbox
from tests.verdicts.test_context import alarms
from tests.verdicts.test_verify import said

KILN = "".join(f"def fire_{line}():\n    return {line}\n" for line in range(12))


def stale(box: Sandbox, document: str, gone: Sequence[str], there: Sequence[str] = ()) -> list[tuple[str, str]]:
    """Return the findings, code and cited text, once the ``gone`` files that ``document`` was written with left."""
    for path in (*gone, *there):
        box.write(path, f"# {path}\n{KILN}")
    box.write("AGENTS.md", document)
    box.commit()
    box.git("rm", "-q", *gone)
    box.commit()
    return [(code, text) for _, _, code, text in alarms(box)]


@pytest.mark.parametrize(
    ("sentence", "is_told"),
    [
        ("The shop.", True),
        ("`lib/rack.py` is not `apps/shop/lib/oven.py`.", True),
        ("`oven` means `apps/shop/lib/rack.py`.", True),
        ("Paths here are relative to `apps/shop/`.", False),
        ("Unless it says more, each path in this file is relative to `apps/shop`.", False),
        ("Alle Pfade sind relativ zu `apps/shop/`.", False),
        ("本文路径均相对于 `apps/shop/`。", False),
        ("`lib/oven.py` means `apps/shop/lib/oven.py`, and so on.", False),
    ],
)
def test_a_document_says_once_what_its_paths_are_relative_to(sandbox: Sandbox, sentence: str, is_told: bool) -> None:
    sandbox.write("lib/rack.py", KILN)
    sandbox.write("apps/shop/lib/rack.py", "rack = 1\n")
    sandbox.write("AGENTS.md", f"# Shop\n\n{sentence}\n\n## Racks\n\nThey are in `lib/rack.py`.\n")
    sandbox.commit()
    (sandbox.root / "core").mkdir()
    sandbox.git("mv", "lib/rack.py", "core/trays.py")
    sandbox.commit()
    assert ("lib/rack.py" in [text for *_, text in alarms(sandbox)]) == is_told


@pytest.mark.parametrize(
    ("folder", "ending", "is_told"),
    [("web/dist", "css", False), ("web/build", "html", False), ("web/kilns", "css", True), ("web/build", "py", True)],
)
def test_a_folder_of_what_is_built_may_be_made_again(sandbox: Sandbox, folder: str, ending: str, is_told: bool) -> None:
    gone = [f"{folder}/{name}.{ending}" for name in "ab"]
    found = stale(sandbox, f"- The pages are in `{folder}/`.\n", gone, ["web/index.md"])
    assert found == ([("IM001", f"{folder}/")] if is_told else [])


@pytest.mark.parametrize(
    ("first", "is_told"),
    [("kiln/", True), ("/opt/kiln/", False), ("~/.kiln/", False), ("~/kiln/", False), ("/home/ann/kiln/", False)],
)
def test_a_tree_that_is_drawn_of_a_machine_is_not_the_repository(sandbox: Sandbox, first: str, is_told: bool) -> None:
    drawn = f"```\n{first}\n├── src/\n│   ├── a.py\n│   └── b.py\n├── heat.py\n└── cool.py\n```\n"
    found = stale(sandbox, drawn, ["heat.py", "cool.py"], ["src/a.py", "src/b.py"])
    assert [text for _, text in found] == (["heat.py", "cool.py"] if is_told else [])


@pytest.mark.parametrize("home", ["~/code/kiln/", "/Users/ann/kiln/"])
def test_a_checkout_that_is_drawn_in_somebodys_home_is_the_repository(sandbox: Sandbox, home: str) -> None:
    drawn = f"```\n{home}\n├── src/\n│   ├── a.py\n│   ├── b.py\n│   └── c.py\n└── heat.py\n```\n"
    assert stale(sandbox, drawn, ["heat.py"], ["src/a.py", "src/b.py", "src/c.py"]) == [("IM001", "heat.py")]


def test_a_glob_that_only_deeper_folders_match_is_in_doubt(sandbox: Sandbox) -> None:
    found = stale(sandbox, "- Tests are `src/*.test.ts`.\n", ["src/rack.test.ts"])
    assert found == [("IM001", "src/*.test.ts")]
    sandbox.write("src/parts/oven.test.ts", "test()\n")
    sandbox.commit()
    assert alarms(sandbox) == []
    sandbox.write("AGENTS.md", "- Tests are `src/*_check.ts`.\n")
    sandbox.write("src/heat_check.ts", KILN)
    sandbox.commit()
    sandbox.git("mv", "src/heat_check.ts", "src/parts/heat_check.ts")
    sandbox.commit()
    assert alarms(sandbox) == [("AGENTS.md", 1, "IM002", "src/*_check.ts")], "but git saw where those of a name went"


@pytest.mark.parametrize(("other", "code"), [("lib/cool", "IM002"), ("core", "IM001")])
def test_a_glob_has_moved_where_all_went_to_one_folder(sandbox: Sandbox, other: str, code: str) -> None:
    for name in ("heat", "cool"):
        sandbox.write(f"src/kiln/{name}.py", f"# {name}\n{KILN}")
    sandbox.write("AGENTS.md", "- The steps are `src/kiln/*`.\n")
    sandbox.commit()
    (sandbox.root / "lib/cool").mkdir(parents=True)
    (sandbox.root / "core").mkdir()
    sandbox.git("mv", "src/kiln/heat.py", "lib/cool/heat.py")
    sandbox.git("mv", "src/kiln/cool.py", f"{other}/cool.py")
    sandbox.commit()
    assert alarms(sandbox) == [("AGENTS.md", 1, code, "src/kiln/*")]


def test_a_picture_of_the_folder_that_a_document_is_in(sandbox: Sandbox) -> None:
    drawn = "```\nkiln/\n├── src/\n│   ├── a.py\n│   └── b.py\n├── .ovens.json\n└── heat.py\n```\n"
    for path in ("src/a.py", "src/b.py", ".ovens.json", "heat.py", "tools/.ovens.json"):
        sandbox.write(path, f"# {path}\n{KILN}")
    sandbox.write("tools/AGENTS.md", drawn)
    sandbox.commit()
    sandbox.git("rm", "-q", "heat.py", ".ovens.json")
    sandbox.commit()
    assert [text for *_, text in alarms(sandbox)] == ["heat.py"]


def test_a_hidden_folder_that_code_names_is_made_by_it(sandbox: Sandbox) -> None:
    found = stale(sandbox, "- Trays are in `.racks/`.\n", [".racks/a.md", ".racks/b.md"])
    assert found == [("IM001", ".racks/")]
    sandbox.write("src/rack.py", 'import os\nos.makedirs(".racks", exist_ok=True)\n')
    sandbox.commit()
    assert alarms(sandbox) == []


@pytest.mark.parametrize(
    ("lead", "is_told"),
    [
        ("The installed program keeps in `~/.kiln/`:", False),
        ("Under /etc/kiln there are:", False),
        ("Copy from `config/` to `~/.kiln/`:", True),
        ("The program has:", True),
    ],
)
def test_a_list_below_a_folder_of_a_machine_is_in_that(sandbox: Sandbox, lead: str, is_told: bool) -> None:
    document = f"{lead}\n\n- `config/heat.py`: how hot\n- `config/cool.py`\n"
    assert bool(stale(sandbox, document, ["config/heat.py"], ["config/cool.py"])) == is_told


@pytest.mark.parametrize(
    ("said", "is_told"),
    [
        ("Never give a module a vague name such as `heat.py`.", False),
        ("Do not put it into one big file, like `heat.py`.", False),
        ("Avoid names e.g. `heat.py`.", False),
        ("Vergib nie einen vagen Namen wie `heat.py`.", False),
        ("Ne donne jamais un nom vague comme `heat.py`.", False),
        ("Nunca pongas un nombre vago, como `heat.py`.", False),
        ("Non usare nomi vaghi come `heat.py`.", False),
        ("Не давай расплывчатых имён вроде `heat.py`.", False),
        ("不要使用含糊的名字，例如 `heat.py`。", False),
        ("Modules such as `heat.py` are small.", True),
        ("Kleine Module wie `heat.py` gibt es nur hier.", True),
    ],
)
def test_what_is_never_to_be_done_like_that_is_a_counter_example(sandbox: Sandbox, said: str, is_told: bool) -> None:
    assert bool(stale(sandbox, f"- {said}\n", ["heat.py"], ["cool.py"])) == is_told


def test_a_name_with_a_receiver_in_front_is_no_new_name(sandbox: Sandbox) -> None:
    uses = "".join(f"const rack{n} = useKilnRack({n}, 'of the top row')\n" for n in range(3))
    sandbox.write("src/a.ts", f"export function useKilnRack(n, row) {{\n  return n\n}}\n{uses}")
    sandbox.write("AGENTS.md", "Racks come from `useKilnRack()`.\n")
    sandbox.commit()
    sandbox.write("src/a.ts", uses.replace("useKilnRack", "api.hooks.useKilnRacks"))
    sandbox.write("src/api.ts", "export const api = { hooks: { useKilnRacks: (n, row) => n } }\n")
    sandbox.commit()
    (one,) = [one for one in sandbox.run("check", "--all", "--json", code=None).json["findings"] if one["citation"]]
    assert one["citation"]["target"] is None and "api.hooks" not in one["message"]


@pytest.mark.parametrize(
    ("heading", "is_told"), [("##### 2026-03-04: what we did", False), ("##### What is left", True)]
)
def test_a_record_in_a_page_that_is_imported_is_one(sandbox: Sandbox, heading: str, is_told: bool) -> None:
    sandbox.write(".claude/log.md", f"# Log\n\n{heading}\n\n**Next:** look at `src/heat.py`.\n")
    found = stale(sandbox, "@.claude/log.md\n", ["src/heat.py"], ["src/cool.py"])
    assert found == ([("IM001", "src/heat.py")] if is_told else [])


@pytest.mark.parametrize("name", ["docs/How it heats.md", "docs/Kiln 语法规范.md"])
def test_a_page_whose_name_has_blanks_is_one(sandbox: Sandbox, name: str) -> None:
    sandbox.write("docs/other.md", "# Other\n")
    document = f"- `{name}` says how.\n- `scripts/build out.md` and `docs/never was.md` are other things.\n"
    assert stale(sandbox, document, [name]) == [("IM001", name)]


@pytest.mark.parametrize(("name", "is_told"), [(".kiln", False), (".oven", True)])
def test_a_hidden_folder_that_code_names_is_looked_for_elsewhere(sandbox: Sandbox, name: str, is_told: bool) -> None:
    sandbox.write("src/load.ts", "const places = ['.kiln/racks.json', '.other/racks.json']\n")
    found = stale(sandbox, f"- Racks are loaded from `{name}`, if it is there.\n", [f"{name}/a.ts", f"{name}/b.ts"])
    assert bool(found) == is_told


@pytest.mark.parametrize(("prefix", "is_told"), [("KILN_", False), ("OVEN_", True)])
def test_a_variable_that_is_made_of_a_prefix_and_a_field_is_there(sandbox: Sandbox, prefix: str, is_told: bool) -> None:
    sandbox.write("src/settings.py", f'class Settings(Base):\n    prefix = "{prefix}"\n    rack_count: int = 3\n')
    sandbox.write("src/racks.sh", "export KILN_RACK_COUNT=3\n")
    sandbox.write("AGENTS.md", "Set `KILN_RACK_COUNT` before it is heated.\n")
    sandbox.commit()
    sandbox.git("rm", "-q", "src/racks.sh")
    sandbox.commit()
    assert ("KILN_RACK_COUNT" in [text for *_, text in alarms(sandbox)]) == is_told


@pytest.mark.parametrize(
    ("code", "is_told"),
    [
        ('key = f"KILN_RACK_TOKEN_{stage}"', False),
        ('key = "KILN_RACK_TOKEN_" + stage', False),
        ('key = "KILN_RACK_TOKEN"', True),
        ('# KILN_RACK_TOKEN_ was in front\nkey = "KILN_RACK_"', True),
    ],
)
def test_a_variable_that_code_makes_of_a_telling_prefix_is_there(sandbox: Sandbox, code: str, is_told: bool) -> None:
    sandbox.write("src/token.py", f"{code}\n")
    sandbox.write("src/racks.sh", "export KILN_RACK_TOKEN_TEST=3\n")
    sandbox.write("AGENTS.md", "Set `KILN_RACK_TOKEN_TEST` before it is heated.\n")
    sandbox.commit()
    sandbox.git("rm", "-q", "src/racks.sh")
    sandbox.commit()
    assert ("KILN_RACK_TOKEN_TEST" in [text for *_, text in alarms(sandbox)]) == is_told


@pytest.mark.parametrize(("flag", "is_told"), [("-DKILN_IS_HOT", False), ("-UKILN_IS_HOT", True)])
def test_a_macro_that_the_compiler_is_given_is_there(sandbox: Sandbox, flag: str, is_told: bool) -> None:
    sandbox.write("board/Makefile", f"CFLAGS += -O2 {flag}\n")
    sandbox.write("src/heat.c", "#define KILN_IS_HOT\n#ifdef KILN_IS_HOT\nint hot;\n#endif\n")
    sandbox.write("AGENTS.md", "The board is built with `KILN_IS_HOT`.\n")
    sandbox.commit()
    sandbox.write("src/heat.c", "int hot;\n")
    sandbox.commit()
    assert ("KILN_IS_HOT" in [text for *_, text in alarms(sandbox)]) == is_told


def test_a_page_is_what_a_name_with_a_hyphen_stands_for_and_no_other_key(sandbox: Sandbox) -> None:
    sandbox.write("docs/rackHeaters.md", "# How it is heated\n")
    sandbox.write("docs/rack-heater.md", "# What heats\n")
    sandbox.commit()
    found = said(sandbox, "Set `rackHeaters: 3` for the `rack-heater`.")
    assert found["rack-heater"] == ("valid", "docs/rack-heater.md")
    assert found["rackHeaters: 3"] == ("unverifiable", None)


@pytest.mark.parametrize("name", ["prompts/heat.md", "app/templates/heat.md", "skills/kiln-heater.md"])
def test_what_a_prompt_names_or_a_page_is_called_is_there(sandbox: Sandbox, name: str) -> None:
    sandbox.write("src/kiln.py", 'def run():\n    kiln_heater = 1\n    return {"kiln-heater": kiln_heater}\n')
    sandbox.write("AGENTS.md", "- The `kiln-heater` heats.\n- It has a `kiln_heater`.\n")
    sandbox.commit()
    sandbox.write("src/kiln.py", "def run():\n    return 1\n")
    sandbox.write(name, "Give the `kiln_heater` and the kiln-heater.\n")
    sandbox.commit()
    told = [text for *_, text in alarms(sandbox)]
    assert "kiln-heater" not in told and ("kiln_heater" in told) == (name == "skills/kiln-heater.md")


@pytest.mark.parametrize(("folder", "is_told"), [("tmp-of-ann", False), ("c-temp-kiln", False), ("template", True)])
def test_what_was_there_for_a_while_is_not_what_is_cited(sandbox: Sandbox, folder: str, is_told: bool) -> None:
    document = "- How it is fired: `.kiln/steps/heat-rules.py`.\n"
    found = stale(sandbox, document, [f"{folder}/.kiln/steps/heat-rules.py"], ["core/a.py"])
    assert bool(found) == is_told


@pytest.mark.parametrize(
    ("place", "cited", "is_told"),
    [
        ("examples/shop/kiln-shop.toml", "kiln-shop.toml", False),
        ("tests/fixtures/kiln-shop.toml", "kiln-shop.toml", False),
        ("core/kiln-shop.toml", "kiln-shop.toml", True),
        ("examples/shop/kiln-shop.toml", "examples/shop/kiln-shop.toml", True),
        ("examples/shop/kiln_shop.py", "kiln_shop.py", True),
        ("app/templates/kiln-shop.html", "kiln-shop.html", True),
    ],
)
def test_settings_that_only_a_sample_had_are_those_of_a_user(
    sandbox: Sandbox, place: str, cited: str, is_told: bool
) -> None:
    assert bool(stale(sandbox, f"What it does is in `{cited}`.\n", [place], ["core/a.py"])) == is_told


def test_what_a_picture_shows_in_a_folder_where_it_never_was_is_no_loss_of_another(sandbox: Sandbox) -> None:
    drawn = "```\nkiln/\n├── app/\n│   ├── HeatPlan/\n│   ├── a.py\n│   └── b.py\n└── c.py\n```\n"
    for path in ("app/a.py", "app/b.py", "c.py", "parts/HeatPlan/plan.py"):
        sandbox.write(path, f"# {path}\n{KILN}")
    sandbox.write("AGENTS.md", drawn)
    sandbox.commit()
    sandbox.git("branch", "base")
    sandbox.git("rm", "-q", "parts/HeatPlan/plan.py")
    sandbox.commit()
    assert alarms(sandbox) == [] and sandbox.run("check", "--diff", "base", "--json").json["findings"] == []
    sandbox.write("AGENTS.md", "The plan is in `HeatPlan/`.\n")
    assert [text for *_, text in alarms(sandbox)] == ["HeatPlan/"]


@pytest.mark.parametrize(("name", "is_told"), [("index.tsx", False), ("heatPlan.tsx", True)])
def test_a_usual_name_in_a_picture_is_not_that_of_a_file_elsewhere(sandbox: Sandbox, name: str, is_told: bool) -> None:
    drawn = f"```\nsrc/\n├── a.ts\n├── b.ts   # two\n└── heat/\n    ├── {name}   # the way in\n    └── c.ts\n```\n"
    for path in ("src/a.ts", "src/b.ts", "src/heat/c.ts"):
        sandbox.write(f"packages/kiln/{path}", "export const x = 1\n")
    sandbox.write(f"templates/web/{name}", "export const page = 1\n" * 9)
    sandbox.write("packages/kiln/AGENTS.md", drawn)
    sandbox.commit()
    sandbox.git("rm", "-q", f"templates/web/{name}")
    sandbox.commit()
    caused = sandbox.run("check", "--diff", "HEAD~1", "--json", code=None).json["findings"]
    assert bool(caused) == is_told


@pytest.mark.parametrize(("folder", "is_told"), [("packages/web/", False), ("", True)])
def test_a_file_that_each_package_may_have_is_not_that_of_another(sandbox: Sandbox, folder: str, is_told: bool) -> None:
    sandbox.write("AGENTS.md", "Always maintain `.heat.example` with all knobs.\n")
    sandbox.write("packages/web/a.ts", "export const x = 1\n")
    sandbox.write(f"{folder}.heat.example", "KNOB=1\n")
    sandbox.commit()
    sandbox.git("rm", "-q", f"{folder}.heat.example")
    sandbox.commit()
    assert bool(sandbox.run("check", "--json", code=None).json["findings"]) == is_told


def test_what_is_in_a_submodule_by_now_is_no_loss(sandbox: Sandbox) -> None:
    document = "- The racks are tried in `heat_racks_check.py`.\n"
    assert stale(sandbox, document, ["checks/heat_racks_check.py"], ["core/a.py"])
    there = sandbox.git("rev-parse", "HEAD").strip()
    sandbox.git("update-index", "--add", "--cacheinfo", f"160000,{there},checks")
    sandbox.git("commit", "-q", "-m", "a repository of their own")
    assert alarms(sandbox) == []


def test_a_file_that_is_ignored_by_now_has_not_moved_to_the_copy_for_tests(sandbox: Sandbox) -> None:
    sandbox.write("out/heat.jsonl", '{"heat": 3}\n')
    sandbox.write("test/fixtures/out/heat.jsonl", '{"heat": 3}\n')
    sandbox.write("AGENTS.md", "- Heats: [log](./out/heat.jsonl)\n")
    sandbox.commit()
    sandbox.git("rm", "-q", "--cached", "out/heat.jsonl")
    (sandbox.root / "out/heat.jsonl").unlink()
    sandbox.write(".gitignore", "out/*.jsonl\n")
    sandbox.commit()
    assert alarms(sandbox) == []


@pytest.mark.parametrize(
    ("line", "is_told"), [('{"source": "lib/rack.py:245"}', False), ("open lib/rack.py:245", True)]
)
def test_a_line_in_a_sample_of_data_is_a_sample(sandbox: Sandbox, line: str, is_told: bool) -> None:
    sandbox.write("lib/rack.py", KILN)
    sandbox.write("AGENTS.md", f"```\n{line}\n```\n")
    sandbox.commit()
    assert bool(alarms(sandbox)) is is_told


@pytest.mark.parametrize(("name", "is_told"), [(".gitkeep", False), ("rack.rb", True)])
def test_a_folder_with_nothing_but_a_placeholder_is_to_be_filled(sandbox: Sandbox, name: str, is_told: bool) -> None:
    found = stale(sandbox, "- Ovens are in `ovens/`.\n", [f"ovens/{name}"], ["lib/a.rb"])
    assert found == ([("IM001", "ovens/")] if is_told else [])


@pytest.mark.parametrize(("lead", "is_told"), [("**DO NOT commit:**", False), ("**DO commit:**", True)])
def test_what_nobody_is_to_commit_is_not_missing(sandbox: Sandbox, lead: str, is_told: bool) -> None:
    found = stale(sandbox, f"{lead}\n\n- `racks/drafts/`: the drafts\n", [f"racks/drafts/{one}.rb" for one in "ab"])
    assert found == ([("IM001", "racks/drafts/")] if is_told else [])


@pytest.mark.parametrize(("place", "is_told"), [("/tmp/kiln", False), ("web", True)])
def test_what_a_command_takes_from_a_temporary_folder_is_there(sandbox: Sandbox, place: str, is_told: bool) -> None:
    document = f"1. Make it:\n\n   ```sh\n   cd {place}\n   ./make\n   ```\n\n"
    document += "2. Copy it:\n\n   ```sh\n   cp racks/a.rb lib/\n   ```\n"
    found = stale(sandbox, document, ["racks/a.rb"], ["lib/b.rb", "web/make"])
    assert found == ([("IM001", "racks/a.rb")] if is_told else [])


@pytest.mark.parametrize("to", ["ovens", ""])
@pytest.mark.parametrize(
    ("page", "cited"),
    [
        (".kiln/skills/rack-heater/SKILL.md", "rack-heater"),
        (".kiln/agents/rack-heater.md", "rack-heater"),
        ("src/Kiln.Rack/Kiln.Rack.csproj", "Kiln.Rack"),
        ("docs/rack-heater.md", ""),
    ],
)
def test_a_name_is_that_of_the_page_or_project_that_left(sandbox: Sandbox, page: str, cited: str, to: str) -> None:
    sandbox.write(page, f"# Heat\n{KILN}")
    sandbox.write("core/a.py", KILN)
    sandbox.write("AGENTS.md", "- Ask `rack-heater` about `Kiln.Rack`.\n")
    sandbox.commit()
    if to:
        (sandbox.root / to).mkdir()
        sandbox.git("mv", page, f"{to}/warmth.md")
    else:
        sandbox.git("rm", "-q", page)
    sandbox.commit()
    assert [(code, text) for _, _, code, text in alarms(sandbox)] == ([("IM001", cited)] if cited else [])


def test_a_name_in_capitals_is_that_of_a_page(sandbox: Sandbox) -> None:
    sandbox.write("docs/KILN_GUIDE.md", "# How it is heated\n")
    sandbox.write("racks.xml", "<page>KILN_GUIDE</page>\n")
    sandbox.write("AGENTS.md", "- Read `KILN_GUIDE` and `RACK_GUIDE`.\n")
    sandbox.commit()
    sandbox.git("rm", "-q", "racks.xml")
    sandbox.commit()
    assert said(sandbox, "See `KILN_GUIDE`.")["KILN_GUIDE"] == ("valid", "docs/KILN_GUIDE.md")
    assert alarms(sandbox) == []


def test_a_project_that_is_there_is_what_its_name_stands_for(sandbox: Sandbox) -> None:
    sandbox.write("src/Kiln.Rack/Kiln.Rack.csproj", "<Project/>\n")
    sandbox.commit()
    assert said(sandbox, "See `Kiln.Rack`.")["Kiln.Rack"] == ("valid", "src/Kiln.Rack/Kiln.Rack.csproj")


def test_a_workflow_that_a_command_runs_is_a_file(sandbox: Sandbox) -> None:
    document = "```sh\nenv -u TOKEN gh workflow run fire.yml --ref main -f heat=3\n```\n"
    found = stale(sandbox, document, [".github/workflows/fire.yml"], [".github/workflows/cool.yml"])
    assert [code for code, _ in found] == ["IM001"]


def test_a_copy_of_a_page_is_no_code(sandbox: Sandbox) -> None:
    sandbox.write("src/kiln.py", "class KilnLogger:\n    pass\n")
    sandbox.write("AGENTS.md.backup", "- Log by `KilnLogger`.\n")
    sandbox.write("AGENTS.md", "- Log by `KilnLogger`.\n")
    sandbox.commit()
    sandbox.write("src/kiln.py", "def run():\n    return 1\n")
    sandbox.commit()
    assert [(code, text) for _, _, code, text in alarms(sandbox)] == [("IM001", "KilnLogger")]


SAMPLE = "```py\nfrom kiln import *\n\nrack = make_kiln_rack(9)\nrack.{name}(heat)\n```\n"


@pytest.mark.parametrize(
    ("name", "place", "is_told"),
    [
        ("fire_whole_rack", "src/kiln.py", True),
        ("fireWholeRack", "src/kiln.ts", True),
        ("fire_rack", "src/kiln.py", False),  # a library may have it
        ("FIRE_WHOLE_RACK", "src/kiln.py", False),
        ("fire_whole_rack", "tests/test_kiln.py", False),
    ],
)
def test_a_name_of_three_words_in_sample_code_is_missed_if_code_defined_it(
    sandbox: Sandbox, name: str, place: str, is_told: bool
) -> None:
    made = f"def {name}(heat):\n" if place.endswith(".py") else f"export function {name}(heat: number) {{\n"
    sandbox.write("src/rack.py", "def make_kiln_rack(trays):\n    return trays\n")
    sandbox.write(place, made + "  return heat\n")
    sandbox.write("AGENTS.md", SAMPLE.format(name=name))
    sandbox.commit()
    assert alarms(sandbox) == []
    sandbox.git("rm", "-q", place)
    sandbox.commit()
    assert [text.rpartition(".")[2] for *_, text in alarms(sandbox)] == ([name] if is_told else [])


@pytest.mark.parametrize("info", ["", "diff", "text", "console"])
def test_what_is_no_sample_of_code_names_nothing(sandbox: Sandbox, info: str) -> None:
    sandbox.write("src/kiln.py", "def fire_whole_rack(heat):\n    return heat\n")
    sandbox.write("AGENTS.md", f"```{info}\nfeat: add fire_whole_rack\n```\n")
    sandbox.commit()
    sandbox.git("rm", "-q", "src/kiln.py")
    sandbox.commit()
    assert alarms(sandbox) == []


def test_what_sample_code_defines_itself_is_its_own(sandbox: Sandbox) -> None:
    sandbox.write("src/kiln.py", "def fire_whole_rack(heat):\n    return heat\n")
    sandbox.write("AGENTS.md", "```py\ndef fire_whole_rack(heat):\n    return 2 * heat\n```\n")
    sandbox.commit()
    sandbox.git("rm", "-q", "src/kiln.py")
    sandbox.commit()
    assert alarms(sandbox) == []


def test_a_usual_name_that_a_picture_places_is_not_that_of_a_file_in_another_folder(sandbox: Sandbox) -> None:
    drawn = "```\nweb/\n├── a.ts\n├── b.ts   # two\n├── logo.png\n└── heat/\n    └── page.tsx\n```\n"
    there = ["web/a.ts", "web/b.ts", "web/heat/c.ts"]
    assert stale(sandbox, drawn, ["logo.png", "cool/page.tsx"], there) == []


def test_below_a_folder_that_is_here_it_may_be_drawn_too_high(sandbox: Sandbox) -> None:
    drawn = "```\nweb/\n├── a.ts\n├── b.ts   # two\n└── heat/\n    └── racks.tsx\n```\n"
    there = ["web/a.ts", "web/b.ts", "web/heat/c.ts"]
    assert stale(sandbox, drawn, ["web/heat/old/racks.tsx"], there) == [("IM001", "racks.tsx")]


def test_what_a_picture_shows_too_deep_has_moved_where_its_file_did(sandbox: Sandbox) -> None:
    drawn = "```\nweb/\n├── a.ts\n├── b.ts   # two\n└── heat/\n    └── config.ts\n```\n"
    for path in ("web/a.ts", "web/b.ts", "web/heat/c.ts", "web/config.ts"):
        sandbox.write(path, f"// {path}\n{KILN}")
    sandbox.write("AGENTS.md", drawn)
    sandbox.commit()
    (sandbox.root / "other").mkdir()
    sandbox.git("mv", "web/config.ts", "other/settings.ts")
    sandbox.commit()
    assert [(code, text) for _, _, code, text in alarms(sandbox)] == [("IM002", "config.ts")]


@pytest.mark.parametrize(
    ("code", "is_told"),
    [
        ('SAVES = "var/saves"\n', False),
        ("SAVES = 'var/saves'\n", False),
        ('SAVES = "saves"\nROOT = "var"\n', True),
        ('# "var/saves"\n', True),
    ],
)
def test_a_folder_of_data_whose_path_code_has_is_made_when_it_runs(sandbox: Sandbox, code: str, is_told: bool) -> None:
    sandbox.write("game.py", code)
    found = stale(sandbox, "Ships are read from `var/saves/`.\n", ["var/saves/ship1", "var/saves/ship2"], ["b.py"])
    assert bool(found) == is_told


@pytest.mark.parametrize("path", ["var/saves/heat.py", "var/saves/README.md", "var/saves/a.html"])
def test_a_folder_of_code_or_pages_is_missed_though_code_names_it(sandbox: Sandbox, path: str) -> None:
    sandbox.write("game.py", 'SAVES = "var/saves"\n')
    assert stale(sandbox, "Ships are read from `var/saves/`.\n", [path], ["b.py"]) == [("IM001", "var/saves/")]


def test_a_folder_that_only_data_name_is_missed(sandbox: Sandbox) -> None:
    sandbox.write("map.json", '{"folders": ["var/saves"]}\n')
    found = stale(sandbox, "Ships are read from `var/saves/`.\n", ["var/saves/ship1"], ["b.py"])
    assert found == [("IM001", "var/saves/")]


def test_one_word_of_code_makes_no_folder(sandbox: Sandbox) -> None:
    sandbox.write("cli.py", 'parser.add_parser("deploy")\n')
    found = stale(sandbox, "The settings are in `deploy/`.\n", ["deploy/prod.yaml", "deploy/stage.yaml"], ["b.py"])
    assert found == [("IM001", "deploy/")]


def test_the_lines_of_a_document_that_was_renamed_or_a_link_are_not_new(sandbox: Sandbox) -> None:
    text = "# Kiln\n\n- Heat is in `lib/heat.py`.\n- Racks are in `lib/racks.py`.\n"
    for name in ("heat", "racks"):
        sandbox.write(f"lib/{name}.py", f"def {name}():\n    return 1\n\n\ndef un{name}():\n    return 2\n")
    sandbox.write("AGENTS.md", text)
    (sandbox.root / "CLAUDE.md").symlink_to("AGENTS.md")
    sandbox.commit()
    sandbox.git("rm", "-q", "lib/heat.py")
    sandbox.commit()
    (sandbox.root / "CLAUDE.md").unlink()
    sandbox.git("mv", "AGENTS.md", "CLAUDE.md")
    sandbox.commit()
    assert sandbox.run("check", "--diff", "HEAD~1", "--json").json["findings"] == []
    sandbox.git("mv", "CLAUDE.md", "AGENTS.md")
    sandbox.write("AGENTS.md", text + "- Cold is in `lib/heat.py` as well.\n")
    sandbox.git("rm", "-q", "lib/racks.py")
    sandbox.commit()
    told = sandbox.run("check", "--diff", "HEAD~1", "--json", code=1).json["findings"]
    assert [(one["citation"]["text"], one["line"]) for one in told] == [("lib/racks.py", 4), ("lib/heat.py", 5)]


def test_a_page_that_became_a_document_has_no_new_lines_but_its_own(sandbox: Sandbox) -> None:
    text = "# Kiln\n\n- See [heat](docs/heat.md).\n"
    sandbox.write(".kiln/GUIDE.md", text)
    sandbox.write("docs/kilns.md", "# Kilns\n")
    (sandbox.root / "CLAUDE.md").symlink_to(".kiln/GUID.md")
    sandbox.commit()
    (sandbox.root / "CLAUDE.md").unlink()
    sandbox.git("rm", "-q", ".kiln/GUIDE.md")
    sandbox.write("CLAUDE.md", f"{text}- See [cold](docs/cold.md).\n")
    sandbox.commit()
    told = sandbox.run("check", "--diff", "HEAD~1", "--json", code=1).json["findings"]
    assert [(one["citation"]["text"], one["line"]) for one in told] == [("docs/cold.md", 4)]


def test_a_folder_at_the_top_that_code_writes_into_is_made_whatever_was_in_git(sandbox: Sandbox) -> None:
    sandbox.write("main.go", 'package main\n\nvar out = flag.String("out", "./export", "folder")\n')
    sandbox.write("export/data.json", "{}\n")
    sandbox.write("AGENTS.md", "Run it with `-out ./export`.\n\n- Results are in `./export`.\n")
    sandbox.commit()
    sandbox.git("rm", "-q", "export/data.json")
    sandbox.commit()
    assert sandbox.run("check", "--diff", "HEAD~1", "--json").json["findings"] == []


def test_a_name_that_left_with_what_listed_it_may_be_a_librarys(sandbox: Sandbox) -> None:
    sandbox.write("demo/pubspec.yaml", "dependencies:\n  kiln_bloc: ^1.0.0\n")
    sandbox.write("demo/package.json", '{"scripts": {"heat-kiln": "x"}, "dependencies": {"@kiln/heat": "1"}}\n')
    sandbox.write("package.json", '{"dependencies": {"@kiln/cool": "1"}}\n')
    sandbox.write(".github/workflows/ci.yml", "on: push\njobs:\n  glaze-kilns:\n    runs-on: x\n")
    text = "- `kiln_bloc`, `@kiln/heat`, `@kiln/cool`.\n- CI runs `glaze-kilns`.\n- `npm run heat-kiln`\n"
    sandbox.write("AGENTS.md", text)
    sandbox.commit()
    sandbox.git("rm", "-q", "-r", "demo", ".github")
    sandbox.write("package.json", "{}\n")
    sandbox.commit()
    told = sandbox.run("check", "--diff", "HEAD~1", "--json", code=1).json["findings"]
    assert [one["citation"]["text"] for one in told] == ["@kiln/cool", "glaze-kilns", "npm run heat-kiln"]
