"""``check`` in real repositories: what it reads, what it finds, what it leaves alone."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from intermem.core.entries.identity import identity
from intermem.core.reconcile.events import LedgerEvent, What, event_text, path_of
from tests.conftest import EVERYTHING, Once, Sandbox, git
from tests.old_ledger import as_old_ledger, events_in


def found(box: Sandbox, *arguments: str, code: int | None = None) -> list[tuple[str, int, str, str]]:
    """File, line, rule and cited text of each finding."""
    data = box.run("check", "--json", *arguments, code=code).json
    return [
        (one["file"], one["line"], one["code"], (one["citation"] or {"text": ""})["text"]) for one in data["findings"]
    ]


def cited(box: Sandbox, *arguments: str) -> list[str]:
    """The texts that were found."""
    return [text for _, _, _, text in found(box, *arguments)]


def checked(box: Sandbox, *arguments: str) -> list[str]:
    """The documents that were checked."""
    names: list[str] = box.run("check", "--json", *arguments, code=None).json["checked"]
    return names


# There was such a file once.
LEFT = [
    *(
        f"src/{name}.py"
        for name in ("zero", "two", "deep", "none", "never", "there", "new", "missing", "last", *"hinpqrt")
    ),
    *("lib/none.py", "old/last.py", "pkg/lib/none.py", "docs/gone.md"),
]


def start(box: Sandbox) -> None:
    for name in LEFT:
        box.write(name, f"# {name}\n")
    box.commit("what is gone")
    box.git("rm", "-q", *LEFT)
    box.commit("gone")
    for name in ("a", "b", "c", "d"):
        box.write(f"src/{name}.py", "".join(f"def {name}_{n}_run():\n    return '{name}{n}'\n\n\n" for n in range(9)))
    box.write("docs/guide.md", "# Guide\n\n" + "".join(f"Line {n} of the guide.\n" for n in range(9)))
    box.write(
        "AGENTS.md",
        "# Project\n\n- See `src/a.py` and [guide](docs/guide.md).\n- Call `b_3_run()`.\n- Then `src/zero.py`.\n",
    )
    box.commit("start")


@pytest.fixture
def project(sandbox: Sandbox, once: Once) -> Sandbox:
    """Documents that cite four modules and a guide; one citation was broken from the start."""
    once(sandbox, start)
    return sandbox


ZERO = ("AGENTS.md", 5, "IM001", "src/zero.py")


# What is looked at


def test_without_home_memory_or_state(project: Sandbox) -> None:
    before = project.tree_hash()
    bare = {"PATH": os.environ["PATH"], "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(
        [sys.executable, "-m", "intermem", "check"],
        cwd=project.root,
        env=bare,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, "")
    assert "AGENTS.md:5:9: IM001 error: src/zero.py not found" in done.stdout
    assert project.tree_hash() == before


def test_every_document_is_found_once(project: Sandbox) -> None:
    for name in ("web/CLAUDE.md", ".claude/CLAUDE.md", ".claude/rules/deep/er.md", "web/.claude/rules/x.md"):
        project.write(name, "x\n")
    for name in (".claude/rules/x.txt", "web/README.md", "web/agents.md", "docs/AGENTS.md.bak"):
        project.write(name, "`src/zero.py`\n")
    (project.root / "CLAUDE.md").symlink_to("AGENTS.md")
    (project.root / "docs/AGENTS.md").symlink_to("../web/CLAUDE.md")
    project.write("untracked/AGENTS.md", "x\n")
    here = [".claude/CLAUDE.md", ".claude/rules/deep/er.md", "AGENTS.md"]
    names = [*here, "untracked/AGENTS.md", "web/.claude/rules/x.md", "web/CLAUDE.md"]
    assert checked(project) == names
    project.commit()
    assert checked(project, "--rev", "HEAD") == checked(project) == names
    assert checked(project, "CLAUDE.md", "AGENTS.md") == ["AGENTS.md"]


def test_what_git_ignores_is_looked_at_only_when_named(project: Sandbox) -> None:
    project.write(".gitignore", "build/\nlocal.md\n")
    project.write("build/AGENTS.md", "`src/one.py`\n")
    project.write("local.md", "`src/two.py`\n")
    project.write("CLAUDE.md", "@local.md\n")
    assert checked(project) == ["AGENTS.md", "CLAUDE.md"]
    assert checked(project, "build/AGENTS.md") == ["build/AGENTS.md"]
    assert found(project, "local.md") == [("local.md", 1, "IM001", "src/two.py")]


def test_imports_are_followed_and_never_out_of_the_repository(project: Sandbox) -> None:
    (project.root.parent / "secret.md").write_text("`src/out.py`\n")
    project.write("CLAUDE.md", "@docs/one.md @../secret.md @~/x.md `@docs/code.md`\n\n<!-- @docs/comment.md -->\n")
    project.write("docs/one.md", "@two.md\n")
    project.write("docs/two.md", "@one.md @../CLAUDE.md @two.md @three.txt `src/deep.py`\n")
    project.write("docs/three.txt", "plain\n")
    for name in ("code", "comment"):
        project.write(f"docs/{name}.md", "x\n")
    project.commit()
    for side in ((), ("--rev", "HEAD")):
        assert checked(project, *side) == [*("AGENTS.md", "CLAUDE.md", "docs/one.md", "docs/three.txt", "docs/two.md")]
        assert ("docs/two.md", 1, "IM001", "src/deep.py") in found(project, *side)


def test_links_that_lead_out_or_nowhere(project: Sandbox) -> None:
    (project.root.parent / "secret.md").write_text("`src/out.py`\n")
    (project.root / "CLAUDE.md").symlink_to("../secret.md")
    (project.root / "docs/AGENTS.md").symlink_to("nothing.md")
    (project.root / "docs/CLAUDE.md").symlink_to("nothing.md")
    (project.root / "src/AGENTS.md").symlink_to("AGENTS.md")
    (project.root / "linked").symlink_to("src")
    for name, target in (("one", "two"), ("two", "one"), ("three", "linked/none")):
        (project.root / name).mkdir()
        (project.root / name / "AGENTS.md").symlink_to(f"../{target}/AGENTS.md")
    project.commit()
    nowhere = dict.fromkeys(("docs/AGENTS.md", "docs/CLAUDE.md"), "it links to docs/nothing.md, which does not exist")
    ring = dict.fromkeys(("one/AGENTS.md", "two/AGENTS.md", "src/AGENTS.md"), "it is a symlink cycle")
    out = {"CLAUDE.md": "it links out of the repository, or into a git directory; it was not read"}
    behind = {"three/AGENTS.md": "it links to src/none/AGENTS.md, which does not exist"}
    for side in ((), ("--rev", "HEAD")):
        said = project.run("check", "--json", *side, code=1)
        assert "src/out.py" not in said.out
        assert "warning" not in said.err
        assert said.json["checked"] == ["AGENTS.md"]
        found = {one["file"]: one["message"] for one in said.json["findings"] if one["code"] == "IM042"}
        assert found == nowhere | ring | behind | out
    assert "docs/AGENTS.md:1:1: IM042" in project.run("check", "docs/AGENTS.md", code=1).out
    assert "is outside the repository" in project.run("check", "CLAUDE.md", code=2).err
    assert "src/none.md: No such file" in project.run("check", "linked/none.md", code=2).err


def test_what_a_submodule_holds_is_its_own_affair(project: Sandbox) -> None:
    other = project.root.parent / "other"
    other.mkdir()
    git(other, "init", "-q")
    (other / "AGENTS.md").write_text("`src/none.py`\n")
    git(other, "add", "-A")
    git(other, "commit", "-q", "-m", "x")
    project.git("-c", "protocol.file.allow=always", "submodule", "-q", "add", str(other), "sub")
    project.write("AGENTS.md", "`sub/gone.py` and `sub/`\n")
    project.commit()
    for side in ((), ("--rev", "HEAD")):
        assert checked(project, *side) == ["AGENTS.md"]
        assert found(project, *side, code=0) == []


def test_a_project_in_a_subfolder(project: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    project.write("pkg/AGENTS.md", "`lib/none.py` `lib/x.py`\n")
    project.write("pkg/lib/x.py", "x = 1\n")
    project.commit()
    pkg = Sandbox(project.root / "pkg", project.memory, project.capture)
    assert found(pkg) == [("pkg/AGENTS.md", 1, "IM001", "lib/none.py")]
    monkeypatch.chdir(project.root / "pkg")
    assert found(pkg, "AGENTS.md") == [("pkg/AGENTS.md", 1, "IM001", "lib/none.py")]
    assert found(pkg, "../AGENTS.md") == [ZERO]
    assert found(pkg, str(project.root / "AGENTS.md")) == [ZERO]
    assert found(pkg, "--rev", "HEAD", "./AGENTS.md") == [("pkg/AGENTS.md", 1, "IM001", "lib/none.py")]
    assert checked(project, "AGENTS.md") == ["pkg/AGENTS.md"]
    assert checked(project) == ["AGENTS.md", "pkg/AGENTS.md"]


@pytest.mark.parametrize("name", ["nothing.md", "src", "../secret.md", "/etc/hostname", ""])
def test_a_file_that_cannot_be_checked_is_a_usage_error(project: Sandbox, name: str) -> None:
    (project.root.parent / "secret.md").write_text("x\n")
    failed = project.run("check", name, code=2)
    assert failed.err.startswith("error: ")
    assert failed.out == ""
    error = json.loads(project.run("check", name, "--format", "json", code=2).out)["error"]
    assert set(error) >= {"code", "message", "hint"}


def test_a_folder_without_git(tmp_path: Path, sandbox: Sandbox) -> None:
    plain = Sandbox(tmp_path / "plain", sandbox.memory, sandbox.capture)
    plain.root.mkdir()
    plain.write("src/a.py", "x = 1\n")
    plain.write("AGENTS.md", "`src/a.py` `src/gone.py` `src/a.py:99`\n")
    plain.write("web/CLAUDE.md", "x\n")
    before = plain.tree_hash()
    assert checked(plain) == ["AGENTS.md", "web/CLAUDE.md"]
    assert cited(plain) == ["src/a.py:99"]
    assert "not a git repository" in plain.run("check", code=1).err
    for more in (("--diff", "main"), ("--rev", "main")):
        assert "needs a git repository" in plain.run("check", *more, code=2).err
    assert plain.tree_hash() == before


def test_before_the_first_commit(tmp_path: Path, sandbox: Sandbox) -> None:
    young = Sandbox(tmp_path / "young", sandbox.memory, sandbox.capture)
    young.root.mkdir()
    young.git("init", "-q")
    young.write("AGENTS.md", "`src/a.py:9`\n")
    young.write("src/a.py", "x = 1\n")
    assert cited(young) == ["src/a.py:9"]
    assert "src/a.py:9 not found" in young.run("check", "--diff", "HEAD", code=1).out, "all of it is new"
    assert "unknown revision" in young.run("check", "--rev", "HEAD", code=2).err


def test_a_bare_repository(project: Sandbox, tmp_path: Path) -> None:
    project.git("mv", "src/a.py", "src/z.py")
    project.commit("move it")
    git(tmp_path, "clone", "-q", "--bare", str(project.root), "bare.git")
    bare = Sandbox(tmp_path / "bare.git", project.memory, project.capture)
    before = bare.tree_hash()
    assert cited(bare) == cited(bare, "--rev", "HEAD") == ["src/a.py", "src/zero.py"]
    assert cited(bare, "--rev", "HEAD~1", "AGENTS.md") == ["src/zero.py"]
    assert cited(bare, "--diff", "HEAD~1") == cited(bare, "--diff", "HEAD~1...HEAD") == ["src/a.py"]
    assert "bare repository" in bare.run("check", "--fix", code=2).err
    assert "can be fixed" in project.run("check", code=1).out
    for box, side in ((bare, ()), (project, ("--rev", "HEAD")), (project, ("--diff", "HEAD~1...HEAD"))):
        assert "can be fixed" not in box.run("check", *side, code=1).out, "nothing to write into"
    assert bare.tree_hash() == before


def test_the_way_out_of_a_row_of_a_table_hides_that_row_alone(project: Sandbox) -> None:
    table = ["| what | where |", "|---|---|", "| `src/zero.py` | x |", "| `src/two.py` | y |"]
    project.write("AGENTS.md", "\n".join(table) + "\n")
    out = project.run("check", code=1).out
    way, comment = out.rstrip("\n").rsplit(", ", 1)[1].split(" <!--")
    assert way == "or at the end of the last cell of its row"
    table[2] = f"| `src/zero.py` | x <!--{comment.replace('…', 'gone')} |"
    project.write("AGENTS.md", "\n".join(table) + "\n")
    assert found(project) == [("AGENTS.md", 4, "IM001", "src/two.py")]


def test_the_way_to_fix_has_the_arguments_that_narrow_the_findings(project: Sandbox) -> None:
    project.write("my notes.md", "See `src/a.py`.\n")
    project.commit()
    project.git("mv", "src/a.py", "src/z.py")
    project.commit("move it")
    for arguments in (["my notes.md"], ["--diff", "HEAD~1", "--select", "moved,broken", "my notes.md"]):
        command = project.run("check", *arguments, code=1).out.partition("1 can be fixed: ")[2].partition("\n")[0]
        assert shlex.split(command) == ["intermem", "check", "--fix", *arguments]
    project.run(*shlex.split(command)[1:])
    assert project.read("my notes.md") == "See `src/z.py`.\n"
    assert project.git("status", "--porcelain") == ' M "my notes.md"\n'


def test_a_shallow_clone_accuses_nobody(project: Sandbox, tmp_path: Path) -> None:
    project.git("mv", "src/a.py", "src/z.py")
    project.commit("move it")
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{project.root}", "shallow")
    shallow = Sandbox(tmp_path / "shallow", project.memory, project.capture)
    assert cited(shallow) == []
    assert "history is incomplete" in shallow.run("check", code=0).err
    assert "--unshallow" in shallow.run("check", "--diff", "HEAD~1", code=2).err


def test_what_a_document_says_of_tools_is_compared_with_manifests(project: Sandbox) -> None:
    project.write("pyproject.toml", '[project]\nname = "x"\nrequires-python = ">=3.11"\n')
    project.write("uv.lock", "")
    project.write("AGENTS.md", "- Use poetry.\n- Requires Python 3.9+.\n- The package manager is uv.\n")
    project.commit("tools")
    findings = project.run("check", "--all", "--json", code=1).json["findings"]
    assert [(one["code"], one["line"], one["citation"]["evidence"]["class"]) for one in findings] == [
        ("IM090", 1, "manifest disagrees"),
        ("IM001", 2, "manifest has another version"),
    ]
    assert "uv.lock is of uv" in findings[0]["message"] and "pyproject.toml:3 says >=3.11" in findings[1]["message"]


def test_the_way_out_is_that_of_the_first_finding_that_a_comment_hides(sandbox: Sandbox) -> None:
    line = "- Start the job runner with `src/app.py`."
    sandbox.note(f"{line}\n")
    sandbox.scans("2026-01-02", "2026-01-03", "2026-01-04")
    sandbox.run("promote", "--yes", now="2026-01-04T00:00:00Z")
    sandbox.commit("promote")
    sandbox.git("rm", "-q", "src/app.py")
    sandbox.commit("no app")
    told = sandbox.run("check", now="2026-02-20T00:00:00Z", code=1).out
    first, second = re.findall(r": (IM\d+) ", told)
    assert (first, second) == ("IM020", "IM001")
    (comment,) = re.findall(r"known, and to stay: .* (<!-- .* -->)", told)
    assert comment == '<!-- intermem:ignore IM020 reason="…" -->' and f"check --explain {first}" in told
    sandbox.write("AGENTS.md", sandbox.read().replace(line, f"{comment}\n{line}"))
    told = sandbox.run("check", now="2026-02-20T00:00:00Z", code=1).out
    assert re.findall(r": (IM\d+) ", told) == [second]


def test_the_baseline_says_what_it_cannot_hide(project: Sandbox) -> None:
    project.write("AGENTS.md", "<!-- intermem:ignore IM001 -->\nnothing\n")
    said = project.run("check", "--write-baseline", code=0).err
    assert "0 findings recorded" in said and "1 finding is still reported, which no baseline hides: IM060" in said
    said = project.run("check", code=1).out
    assert "what IM060 means: intermem check --explain IM060" in said and "known, and to stay" not in said


@pytest.mark.parametrize("end", [" |", "", " | "])
def test_an_ignore_behind_the_last_cell_of_a_row_counts(project: Sandbox, end: str) -> None:
    project.git("rm", "-q", "src/b.py")
    comment = "<!-- intermem:ignore IM001 -->"
    project.write("AGENTS.md", f"| file | what |\n|---|---|\n| `src/b.py` | jobs | {comment}{end}\n")
    project.commit("gone")
    assert found(project, code=0) == []
    project.write("AGENTS.md", f"| file | what |\n|---|---|\n| `src/a.py` | jobs | {comment}{end}\n")
    assert [one[2] for one in found(project, code=1)] == ["IM060"]


def test_an_ignore_is_not_unused_where_nobody_can_judge(project: Sandbox, tmp_path: Path) -> None:
    project.git("mv", "src/a.py", "src/z.py")
    project.git("rm", "-q", "src/b.py")
    project.write("docs/AGENTS.md", "<!-- intermem:ignore IM001 -->\n`src/b.py`\n")
    project.commit("move it")
    hidden = project.run("check", "--write-baseline", "--json", code=0).json["ignored"]
    project.commit("baseline")
    assert project.run("check", "--json", code=0).json["ignored"] == hidden == 4, "comments hide as much as before"
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{project.root}", "shallow")
    shallow = Sandbox(tmp_path / "shallow", project.memory, project.capture)
    assert found(shallow, code=0) == []
    shutil.copytree(shallow.root, tmp_path / "plain", ignore=shutil.ignore_patterns(".git"))
    assert found(Sandbox(tmp_path / "plain", project.memory, project.capture), code=0) == []
    assert [code for _, _, code, _ in found(project, "--rev", "HEAD~2", code=None)].count("IM060") == 0
    project.write("docs/AGENTS.md", "<!-- intermem:ignore IM001 -->\nplain\n")
    assert found(project) == [("docs/AGENTS.md", 1, "IM060", "")]


def test_a_sparse_checkout_misses_nothing(project: Sandbox, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--no-checkout", str(project.root), "sparse")
    sparse = Sandbox(tmp_path / "sparse", project.memory, project.capture)
    sparse.git("sparse-checkout", "set", "--no-cone", "/AGENTS.md")
    sparse.git("checkout", "-q", "main")
    assert cited(sparse) == ["src/zero.py"]


# What cannot be read


def test_what_cannot_be_read_is_named_and_the_rest_goes_on(project: Sandbox) -> None:
    (project.root / "web").mkdir()
    (project.root / "web/AGENTS.md").write_bytes(b"caf\xe9 `src/zero.py`\n")
    project.write("CLAUDE.md", "x\n")
    project.write("intermem.toml", "[scan]\nmax_bytes = 4000\n")
    project.write("big/AGENTS.md", "x" * 4001)
    project.commit()
    (project.root / "CLAUDE.md").unlink()
    os.mkfifo(project.root / "CLAUDE.md")
    done = project.run("check", code=2)
    assert "error: CLAUDE.md: not a regular file" in done.err
    assert "AGENTS.md:5:9: IM001" in done.out
    assert "1 document checked" in done.out
    unreadable = [("big/AGENTS.md", 1, "IM041", ""), ("web/AGENTS.md", 1, "IM041", "")]
    assert found(project, "--exit-zero", code=2) == [ZERO, *unreadable]
    there = project.run("check", "--rev", "HEAD", code=1)
    assert "web/AGENTS.md:1:1: IM041 error: not UTF-8; it was left alone" in there.out
    assert "big/AGENTS.md:1:1: IM041 error: 4001 bytes, 4000 are allowed (scan.max_bytes)" in there.out
    helps = {one["file"]: one["help"] for one in project.run("check", "--json", code=2).json["findings"]}
    assert helps["big/AGENTS.md"] == "split it, or raise scan.max_bytes"
    assert helps["web/AGENTS.md"] == "convert it to UTF-8"
    assert "(scan.max_bytes); it was left alone\n  help: split it, or raise scan.max_bytes\n" in there.out
    assert found(project, "web/AGENTS.md", code=1) == unreadable[1:]
    project.write("intermem.toml", '[scan]\nmax_bytes = 4000\n[check.per-file-ignores]\n"web/*" = ["IM041"]\n')
    assert unreadable[1] not in found(project, code=2)


def test_markdown_that_cannot_be_parsed_has_a_help_of_its_own(
    project: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise IndexError

    project.write("AGENTS.md", "A text that no test has parsed before.\n")
    monkeypatch.setattr("markdown_it.MarkdownIt.parse", fail)
    (one,) = project.run("check", "--json", code=1).json["findings"]
    assert (one["code"], one["message"]) == ("IM041", "its Markdown cannot be parsed (IndexError)")
    assert one["help"] == "look for unusual nesting near its end"


@pytest.mark.large
@pytest.mark.parametrize("piece", ["a", "pass", "`src/zero.py` ", "[x](docs/gone.md) ", "key = ", "a1-", "`src/a", "@"])
def test_a_line_of_100_kilobytes_hides_nothing_after_it(project: Sandbox, piece: str) -> None:
    """A quarter of it, where it is not everything."""
    size = 100_000 if EVERYTHING else 25_000
    project.write("AGENTS.md", piece * (size // len(piece)) + "\n\nSee `old/last.py`.\n")
    ran = project.spawn("check", "--format", "github", timeout=60)
    assert (ran.returncode, ran.stderr) == (1, "")
    assert "file=AGENTS.md,line=3," in ran.stdout.splitlines()[-1]
    assert "old/last.py not found" in ran.stdout.splitlines()[-1]


# What is found


def test_every_block_is_judged_and_every_place_is_exact(project: Sandbox) -> None:
    lines = (
        *("\ufeff# Title `src/h.py`", "", "Lead `src/p.py`:", "", "- 先`src/i.py`", "  - nested\t[x](src/n.py)", ""),
        *("> `src/q.py`", "", "| a | `src/t.py` |", "|---|---|", "| `src/r.py` | b |", ""),
        *("```sh", "python src/a.py", "```", "", "[ref]: src/d.py"),
    )
    project.write("AGENTS.md", "\r\n".join(lines))
    data = project.run("check", "--json", code=1).json["findings"]
    places = {one["citation"]["text"]: (one["line"], one["column"], one["end_line"], one["end_column"]) for one in data}
    for number, line in enumerate(lines, 1):
        shown = line.removeprefix("\ufeff")
        for text, (first, column, last, end) in places.items():
            if first == number:
                assert (shown[column - 1 : end - 1], last) == (text, number)
    assert {text[4] for text in places} == set("hpinqtr")


def test_what_could_not_be_verified_is_no_finding(project: Sandbox) -> None:
    project.write(
        "AGENTS.md", "`../../etc/passwd` /etc/passwd https://x.y/z `node_modules/a/b.js` `~/x.py` `thing.py` #99\n"
    )
    assert found(project, code=0) == []
    data = project.run("check", "--all", "--json", code=0).json
    assert data["findings"] == []
    assert len(data["unverifiable"]) >= 4
    project.write("AGENTS.md", "- Settings are\n  in `~/.kiln.toml`.\n")
    said = project.run("check", "--all", code=0).out
    assert "1 citation could not be verified:\n  AGENTS.md:2:7: ~/.kiln.toml (outside the repository)\n" in said


def test_an_ambiguous_name_is_a_finding_only_when_asked_for(project: Sandbox) -> None:
    project.write("lib/a.py", "x = 1\n")
    project.write("AGENTS.md", "see `a.py`\n")
    assert found(project, code=0) == []
    assert found(project, "--all", code=1) == [("AGENTS.md", 1, "IM003", "a.py")]
    assert found(project, "--fail-on", "ambiguous", code=1) == [("AGENTS.md", 1, "IM003", "a.py")]


def test_exit_codes(project: Sandbox) -> None:
    project.run("check", code=1)
    project.run("check", "--exit-zero", code=0)
    for rule in ("broken", "IM001", "im001", "broken-citation", "moved,broken"):
        project.run("check", "--fail-on", rule, code=1)
    assert found(project, "--fail-on", "moved", code=0) == [ZERO]
    assert found(project, "--fail-on", "moved", "--fail-on", "broken", "AGENTS.md", code=1) == [ZERO]
    project.write("AGENTS.md", "fine\n")
    project.run("check", code=0)


def test_what_is_excluded_is_so_behind_a_link_too_but_not_when_it_is_named(project: Sandbox) -> None:
    (project.root / "CLAUDE.md").symlink_to("AGENTS.md")
    project.write("docs/AGENTS.md", "plain\n")
    project.write("intermem.toml", '[check]\nexclude = ["/AGENTS.md"]\n')
    assert checked(project) == ["docs/AGENTS.md"]
    assert checked(project, "AGENTS.md") == ["AGENTS.md"]


def test_what_only_tests_read_is_checked_when_it_is_named(project: Sandbox) -> None:
    for name in ("tests/fixtures/a/AGENTS.md", "pkg/testdata/CLAUDE.md", "fixtures.d/AGENTS.md"):
        project.write(name, "Read `src/zero.py`.\n")
    assert checked(project) == ["AGENTS.md", "fixtures.d/AGENTS.md"]
    assert checked(project, "pkg/testdata/CLAUDE.md") == ["pkg/testdata/CLAUDE.md"]
    assert checked(Sandbox(project.root / "tests/fixtures/a", project.memory, project.capture)) == [
        "tests/fixtures/a/AGENTS.md"
    ]


def test_the_baseline_of_a_document_that_is_gone_is_unused(project: Sandbox) -> None:
    (project.root / ".git/MERGE_HEAD").write_text(project.git("rev-parse", "HEAD"))
    assert "or use --force" in project.run("check", "--write-baseline", code=2).err
    project.run("check", "--write-baseline", "--force", code=0)
    (project.root / ".git/MERGE_HEAD").unlink()
    project.write("docs/AGENTS.md", "plain\n")
    project.git("rm", "-q", "AGENTS.md")
    assert [(file, code) for file, _, code, _ in found(project, code=1)] == [(".intermem/baseline.json", "IM060")]
    assert found(project, "docs/AGENTS.md", code=0) == []


def test_a_summary_that_cannot_be_written(project: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "/nowhere/at/all")
    done = project.run("check", "--format", "github", code=2)
    assert "error: GITHUB_STEP_SUMMARY: No such file" in done.err
    assert "::error file=AGENTS.md" in done.out


def test_the_rules_as_json(project: Sandbox) -> None:
    assert project.run("check", "--rules", "--format", "json").json == project.run("check", "--rules", "--json").json


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--fail-on", "broke"), "did you mean broken?"),
        (("--fail-on", ""), ""),
        (("--select", "wort"), "--select wort: no such rule"),
        (("--select", "wort"), "did you mean worth?"),
        (("--select", "worth", "--write-baseline"), "cannot be combined with --select"),
        (("--diff", "HEAD", "--rev", "HEAD"), "not allowed with"),
        (("--dry-run",), "--dry-run requires --fix"),
        (("--unsafe-fixes",), "--unsafe-fixes requires --fix"),
        (("--fix", "--rev", "HEAD"), "--fix changes the working tree"),
        (("--fix", "--diff", "HEAD...HEAD"), "--fix changes the working tree"),
        (("--diff", ""), "is not BASE or BASE...HEAD"),
        (("--diff", "a..b"), "is not BASE or BASE...HEAD"),
        (("--diff", "...HEAD"), "is not BASE or BASE...HEAD"),
        (("--diff", "main..."), "is not BASE or BASE...HEAD"),
        (("--diff", "a...b...c"), "is not BASE or BASE...HEAD"),
        (("--diff", "nothing"), "unknown revision"),
        (("--diff", "HEAD...nothing"), "unknown revision"),
        (("--rev", "a..b"), "does not name a single commit"),
        (("--rev", ""), "does not name a single commit"),
        (("--rules", "AGENTS.md"), "--rules only lists the rules"),
        (("--rules", "--fix"), "--rules only lists the rules"),
        (("--rules", "--format", "sarif"), "--rules only lists the rules"),
        (("--explain", "IM001", "--rules"), "--explain only explains a rule"),
        (("--explain", "IM001", "AGENTS.md"), "--explain only explains a rule"),
        (("--explain", "IM01"), "no such rule"),
        (("--explain", "IM001,broke"), "--explain broke: no such rule"),
        (("--explain", ","), "--explain names no rule"),
        (("--rev", "-x"), ""),
        (("--rev", "HEAD:AGENTS.md"), "unknown revision"),
        (("--format", "xml"), "invalid choice"),
        (("--format", "sarif", "--json"), "--json cannot be combined with --format"),
    ],
)
def test_what_is_refused(project: Sandbox, arguments: tuple[str, ...], said: str) -> None:
    before = project.tree_hash()
    done = project.run("check", *arguments, code=2 if said or arguments[0] == "--rev" else None)
    assert said in done.err + done.out
    assert "Traceback" not in done.err
    assert project.tree_hash() == before


def test_the_same_bytes_twice_and_no_trace(project: Sandbox) -> None:
    project.git("mv", "src/a.py", "src/z.py")
    for form in ("text", "json", "sarif", "github", "rdjson"):
        for more in ((), ("--all",), ("--diff", "HEAD"), ("--rev", "HEAD"), ("--fix", "--dry-run")):
            before = project.tree_hash()
            first = project.run("check", "--format", form, *more, code=None)
            assert project.run("check", "--format", form, *more, code=None) == first
            assert project.tree_hash() == before


SECRET = "ghp_aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789"


def test_a_secret_is_found_and_never_shown(project: Sandbox) -> None:
    project.write("app.py", "import os\n\nos.environ['KILN_TOKEN']\n")
    project.write("AGENTS.md", f"- `KILN_TOKEN={SECRET}` then `src/a.py`\n\n```\nexport KILN_TOKEN={SECRET}\n```\n")
    project.commit()
    project.git("rm", "-q", "app.py", "src/a.py")
    project.commit()
    assert [line for _, line, code, _ in found(project) if code == "IM050"] == [1, 4]
    for form in ("text", "json", "sarif", "github", "rdjson"):
        for more in ((), ("--all", "--verbose"), ("--diff", "HEAD~1", "--verbose")):
            done = project.run("check", "--format", form, *more, code=1)
            assert SECRET not in done.out + done.err
            assert "src/a.py" in done.out
    assert [code for _, _, code, _ in found(project, "--diff", "HEAD~1")].count("IM050") == 0
    assert set(cited(project, "--diff", "HEAD~1")) == {"KILN_TOKEN", "src/a.py"}


def test_what_a_word_alone_announces_as_a_secret_is_a_note(project: Sandbox) -> None:
    project.write("AGENTS.md", "- The password=hunter22x opens it.\n- `postgresql://app:s3cr3tpw9@db.internal.net/x`\n")
    project.commit()
    assert [(line, code) for _, line, code, _ in found(project)] == [(2, "IM050")]
    assert [(line, code) for _, line, code, _ in found(project, "--all")] == [(1, "IM091"), (2, "IM050")]
    assert "hunter22x" not in project.run("check", "--all", "--verbose", code=1).out


# Regions and the ledger


def curated(box: Sandbox) -> None:
    start(box)
    box.note("- Prefer short functions in `src/a.py`.\n- Never call `src/b.py` directly.\n")
    box.scans("2026-01-01", "2026-01-02", "2026-01-03")
    box.run("promote", "--yes", now="2026-01-03T00:00:00Z")
    box.commit("promote")
    box.now = "2026-01-04T00:00:00Z"


@pytest.fixture
def promoted(sandbox: Sandbox, once: Once) -> Sandbox:
    """A region with two entries and a committed ledger."""
    once(sandbox, curated)
    sandbox.now = "2026-01-04T00:00:00Z"
    return sandbox


def codes(box: Sandbox, *arguments: str, now: str | None = None) -> list[str]:
    data = box.run("check", "--json", *arguments, now=now, code=None).json
    return [one["code"] for one in data["findings"] if one["citation"] is None]


BEGIN, END = "<!-- intermem:begin -->\n", "<!-- intermem:end -->\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [(END, ""), (BEGIN, BEGIN + BEGIN), (END, f"<<<<<<< a\n- a\n=======\n>>>>>>> b\n{END}")],
    ids=["no end", "twice", "conflict"],
)
def test_a_damaged_region(promoted: Sandbox, old: str, new: str) -> None:
    promoted.write("AGENTS.md", promoted.read().replace(old, new))
    assert ("AGENTS.md", "IM010") in {(file, code) for file, _, code, _ in found(promoted, code=1)}
    assert "src/zero.py" in cited(promoted), "the rest is judged all the same"
    assert ("IM010") in codes(promoted, "--diff", "HEAD")
    promoted.commit("damage it")
    assert codes(promoted, "--diff", "HEAD") == []


def test_a_damaged_region_is_told_without_a_word_of_writing(promoted: Sandbox) -> None:
    promoted.write("AGENTS.md", promoted.read().replace("<!-- intermem:end -->\n", ""))
    line = promoted.read().split("<!-- intermem:begin -->")[0].count("\n") + 1
    what = f"the begin marker has no end marker (begin on line {line})"
    assert f"AGENTS.md:{line}:1: IM010 error: {what}\n" in promoted.run("check", code=1).out
    said = promoted.run("sweep", code=2).err
    assert f"error: AGENTS.md:{line}: {what}; the document was left alone\n" in said
    assert promoted.run("undo", "--list", "--json").json["operations"][0]["verb"] == "sweep"


LOG = "2026-01-04: fixed the flaky test, all 33 tests pass"


@pytest.fixture
def logged(promoted: Sandbox) -> Sandbox:
    """A region with a line of a log, above its budget of one entry."""
    promoted.write("AGENTS.md", promoted.read().replace(END, f"- {LOG}\n{END}"))
    promoted.write("intermem.toml", "[promote]\nbudget_entries = 1\n")
    promoted.commit("a log")
    return promoted


def test_a_line_of_a_log_is_found_only_when_asked_for(logged: Sandbox) -> None:
    assert codes(logged) == ["IM030"]
    assert codes(logged, "--select", "worth") == ["IM030", "IM031"]
    assert codes(logged, "--select", "im031") == codes(logged, "--select", "reads-like-a-log") == ["IM031"]
    assert codes(logged, "--fail-on", "worth") == codes(logged, "--all") == ["IM030", "IM031"]
    said = logged.run("check", "--select", "worth", code=1).out
    key = identity(LOG)[:8]
    assert f"IM031 warning: {key} reads like a log: it has a date, tells what happened\n  - {LOG}\n" in said
    assert "help: reword it as what holds from now on, or run intermem demote ID\n" in said
    assert codes(logged, "--select", "worth", "--rev", "HEAD") == ["IM031"]


def test_of_a_comparison_only_new_lines_of_a_log_are_shown(logged: Sandbox) -> None:
    assert codes(logged, "--select", "worth", "--diff", "HEAD") == []
    assert codes(logged, "--select", "worth", "--diff", "HEAD~1") == ["IM031"]
    assert codes(logged, "--diff", "HEAD~1") == []


def test_a_line_of_a_log_can_be_ignored(logged: Sandbox) -> None:
    comment = '<!-- intermem:ignore IM031 reason="a date to keep" -->'
    logged.write("AGENTS.md", logged.read().replace(f"- {LOG}", f"{comment}\n- {LOG}"))
    assert codes(logged, "--select", "worth") == ["IM030"]
    assert codes(logged) == ["IM030"]
    logged.write("AGENTS.md", logged.read().replace(LOG, "The render test needs `DISPLAY`."))
    assert "IM060" in codes(logged, "--all")
    assert "IM060" not in codes(logged), "the rule was not applied"


def test_what_is_selected_is_applied_and_nothing_else(logged: Sandbox) -> None:
    logged.write("AGENTS.md", f"{logged.read()}\n<!-- intermem:ignore IM002 -->\nSee `src/one.py`.\n")
    assert {"IM001", "IM030", "IM060"} <= {code for _, _, code, _ in found(logged, code=1)}
    for word, expected in (("broken", {"IM001"}), ("moved", set()), ("worth,IM001", {"IM001", "IM030", "IM031"})):
        assert {code for _, _, code, _ in found(logged, "--select", word)} == expected
    both = ("--select", "broken", "--select", "budget")
    assert {code for _, _, code, _ in found(logged, *both, code=1)} == {"IM001", "IM030"}
    beside = ("--select", "broken", "--fail-on", "worth")
    assert {code for _, _, code, _ in found(logged, *beside, code=1)} == {"IM001", "IM030", "IM031"}
    assert {code for _, _, code, _ in found(logged, "--select", "moved", "--all", code=0)} == set()
    logged.run("check", "--select", "broken", "--fail-on", "moved", code=0)


def test_worth_is_not_even_imported_unless_it_is_asked_for(logged: Sandbox) -> None:
    for more, expected in (([], False), (["--select", "worth"], True)):
        code = f"import sys; from intermem.cli.main import main; main(['check', *{more}])\n"
        code += "sys.stderr.write(str('intermem.core.worth.reasons' in sys.modules))"
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=logged.root, capture_output=True, text=True, check=False
        )
        assert done.stderr == str(expected), done.stdout


def test_a_ledger_that_is_missing_damaged_or_disagrees(promoted: Sandbox) -> None:
    whole = as_old_ledger(promoted.root)
    ledger = promoted.root / ".intermem/ledger.jsonl"
    assert codes(promoted) == []
    ledger.write_text("\n" + whole.replace('"promoted"', '"demoted"', 1))
    assert [one[:3] for one in found(promoted) if one[0] != "AGENTS.md"] == [(".intermem/ledger.jsonl", 2, "IM012")]
    ledger.write_text("no ledger\n")
    assert codes(promoted) == ["IM013"]
    ledger.unlink()
    assert "IM013" not in codes(promoted)
    ledger.write_text(whole)
    text = promoted.read()
    kept = "".join(line for line in text.splitlines(keepends=True) if "Never call" not in line)
    promoted.write("AGENTS.md", kept)
    assert set(codes(promoted)) <= {"IM011", "IM012"}


def test_what_disagrees_is_found_at_the_event_that_says_so(promoted: Sandbox) -> None:
    known = events_in(promoted.root)[0]
    event = LedgerEvent(id=known["id"], at=datetime(2026, 1, 4, tzinfo=UTC), what=What.DEMOTED)
    promoted.write(path_of(event), event_text(event))
    promoted.commit("the ledger alone")
    assert [one[:3] for one in found(promoted) if one[0] != "AGENTS.md"] == [(path_of(event), 1, "IM012")]
    promoted.write(path_of(event), "no event")
    assert codes(promoted) == ["IM013"]


def test_no_comment_is_offered_for_a_finding_in_no_document(promoted: Sandbox) -> None:
    known = events_in(promoted.root)[0]
    event = LedgerEvent(id=known["id"], at=datetime(2026, 1, 4, tzinfo=UTC), what=What.DEMOTED)
    promoted.write(path_of(event), event_text(event))
    promoted.commit("the ledger alone")
    said = promoted.run("check", code=1).out
    assert said.index("IM012") < said.index("IM001") < said.index("<!-- intermem:ignore IM001 "), (
        "the first that takes one"
    )
    promoted.write("intermem.toml", '[check]\nignore = ["IM001"]\n')
    said = promoted.run("check", code=1).out
    assert "what IM012 means" in said and "known, and to stay: intermem check --write-baseline\n" in said


def test_a_fresh_clone_knows_what_is_stale_by_the_ledger_alone(promoted: Sandbox, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", str(promoted.root), "clone")
    clone = Sandbox(tmp_path / "clone", tmp_path / "no-memory", promoted.capture, now="2026-01-04T00:00:00Z")
    before = clone.tree_hash()
    assert codes(clone) == []
    assert codes(clone, now="2027-01-01T00:00:00Z") == ["IM020", "IM020"]
    assert clone.tree_hash() == before


def test_a_region_beyond_its_budget(promoted: Sandbox) -> None:
    promoted.write("intermem.toml", "[promote]\nbudget_tokens = 1\n")
    assert codes(promoted) == ["IM030"]


def test_a_ledger_of_a_project_in_a_subfolder_is_named_from_the_top(promoted: Sandbox, tmp_path: Path) -> None:
    (promoted.root / "pkg").mkdir()
    for name in ("AGENTS.md", ".intermem"):
        promoted.git("mv", name, f"pkg/{name}")
    whole = as_old_ledger(promoted.root / "pkg")
    (promoted.root / "pkg/.intermem/ledger.jsonl").write_text(whole.replace('"promoted"', '"demoted"', 1))
    promoted.commit()
    pkg = Sandbox(promoted.root / "pkg", promoted.memory, promoted.capture, now=promoted.now)
    assert [file for file, _, code, _ in found(pkg) if code == "IM012"] == ["pkg/.intermem/ledger.jsonl"]


def test_an_empty_folder_has_nothing_to_check(tmp_path: Path, sandbox: Sandbox) -> None:
    empty = Sandbox(tmp_path / "empty", sandbox.memory, sandbox.capture)
    empty.root.mkdir()
    outcome = empty.run("check")
    assert outcome.out == "Nothing to check: no AGENTS.md or CLAUDE.md found.\n"
    assert outcome.err == ""


def test_a_name_that_is_too_long_is_a_usage_error(project: Sandbox) -> None:
    assert "hint:" in project.run("check", "a" * 300 + ".md", code=2).err


def test_a_rule_is_explained_by_its_code_its_name_or_its_topic(project: Sandbox) -> None:
    for word, codes in (
        ("IM090", ["IM090"]),
        ("doubtful-citation", ["IM090"]),
        ("ledger", ["IM011", "IM012", "IM013"]),
    ):
        rules = project.run("check", "--explain", word, "--json").json["rules"]
        assert [one["code"] for one in rules] == codes
    assert "on evidence that is not right often enough" in project.run("check", "--explain", "IM090").out
    both = project.run("check", "--explain", "moved, IM001", "--json").json["rules"]
    assert [one["code"] for one in both] == ["IM001", "IM002"]
