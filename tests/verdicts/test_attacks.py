"""What attacks on ``verify`` have found: each of these once raised, hung, alarmed falsely or ran somebody's code."""

from __future__ import annotations

import json
import os
import random
import shutil
from typing import Any

import pytest

from intermem.core.citations.extract import citations_of
from intermem.entities import Stance
from tests.conftest import EVERYTHING, LATER, Sandbox, git
from tests.verdicts.test_context import alarms
from tests.verdicts.test_verify import said, verify


@pytest.mark.parametrize("file", ["/abs/m.md", "//m.md", "../m.md", "a/../../m.md", "no/such.md", ""])
def test_a_file_that_is_not_in_the_repository_is_no_context(sandbox: Sandbox, file: str) -> None:
    sandbox.write("a.py", "x = 1\n")
    sandbox.commit()
    assert said(sandbox, "see `a.py`", file=file, lines=[1])["a.py"] == ("valid", "a.py")


def test_strange_texts_and_names_raise_nothing(sandbox: Sandbox) -> None:
    sandbox.write("lib/a.py", "x = 1\n")
    sandbox.write("tool", "x\n")
    sandbox.commit()
    (sandbox.root / "tool").unlink()
    (sandbox.root / "tool").mkdir()
    sandbox.write("tool/x.py", "x = 1\n")
    text = f"`lib/{'a' * 300}/x.py` `foo_bar` `\ud800x_y` \ud800 `a\0b` [x](\ud800.md)"
    assert verify(sandbox, {"entry_text": text, "file": "tool", "lines": [1]})
    path = sandbox.root.parent / "asked.jsonl"
    path.write_text('{"id": "1", "entry_text": "x", "file": "\\ud800/a.md"}', "utf-8")
    assert "file is not a path" in sandbox.run("verify", "--entries", str(path), code=2).err
    sandbox.run("verify", "--repo", "a" * 300, "--entries", str(path), code=2)


@pytest.mark.parametrize("rule", ["[z-a]", "!", "\\", "a\\", "[", "/"])
def test_a_rule_that_git_takes_stops_nothing(sandbox: Sandbox, rule: str) -> None:
    sandbox.write(".gitignore", f"{rule}\n*.log\n")
    sandbox.write("src/a.py", "x = 1\n")
    sandbox.commit()
    (citations,) = verify(sandbox, {"entry_text": "`src/x.log`"}, more=("--rev", "HEAD"))
    assert citations[0]["evidence"]["reason"] == "ignored by git"


def test_no_filter_runs_and_no_submodule_is_entered(sandbox: Sandbox) -> None:
    mark = sandbox.root.parent / "ran"
    sandbox.write(".gitattributes", "*.py filter=x\n")
    sandbox.write("a.py", "".join(f"{n}\n" for n in range(100)))
    sandbox.write("b.py", "".join(f"{n}\n" for n in range(100, 200)))
    sandbox.commit()
    sandbox.git("config", "filter.x.clean", f"sh -c 'touch {mark}; cat'")
    (sandbox.root / "a.py").unlink()
    sandbox.write("b.py", "".join(f"{n}\n" for n in range(100)))
    found = said(sandbox, "`a.py` and `src/foo.py`")
    assert found["a.py"][0] == "broken"
    assert not mark.exists()


@pytest.mark.parametrize("key", ["clean", "process"])
@pytest.mark.parametrize("name", ["x", "a.b c", "A=b"])
def test_no_filter_runs_where_the_index_cannot_tell_what_was_changed(sandbox: Sandbox, key: str, name: str) -> None:
    mark = sandbox.root.parent / "ran"
    sandbox.write(".gitattributes", "*.py filter=x\n" if name == "x" else f"*.py filter={name.partition(' ')[0]}\n")
    os.utime(sandbox.write("a.py", "def foo_bar(): pass\n"), (LATER, LATER))  # later than the index itself
    sandbox.commit()
    sandbox.git("config", f"filter.{name}.{key}", f"sh -c 'touch {mark}; cat'")
    sandbox.git("config", f"filter.{name}.required", "true")
    assert said(sandbox, "`a.py` has `foo_bar`")["foo_bar"][0] == "valid"
    assert not mark.exists()


def test_links_lead_where_they_lead_at_a_revision_too(sandbox: Sandbox) -> None:
    sandbox.write("a/b/n.py", "x\n" * 100)
    (sandbox.root / "a/link").symlink_to("b")
    (sandbox.root / "alias.py").symlink_to("a/b/n.py")
    (sandbox.root / "out.txt").symlink_to("/etc/hostname")
    sandbox.commit()
    text = "`a/link/n.py` `alias.py:50` `out.txt`"
    here = said(sandbox, text)
    (there,) = verify(sandbox, {"entry_text": text}, more=("--rev", "HEAD"))
    assert {one["text"]: one["status"] for one in there} == {name: status for name, (status, _) in here.items()}
    assert [status for status, _ in here.values()] == ["valid", "valid", "unverifiable"]


def test_a_bare_partial_clone_is_judged_by_what_it_has(sandbox: Sandbox) -> None:
    sandbox.write(".gitignore", "*.log\n")
    sandbox.write("src/a.py", "def foo_baz(): ...\n")
    sandbox.commit()
    sandbox.git("config", "uploadpack.allowFilter", "true")
    git(sandbox.root.parent, "clone", "-q", "--bare", "--filter=blob:none", f"file://{sandbox.root}", "p.git")
    bare = ("--repo", str(sandbox.root.parent / "p.git"))
    (citations,) = verify(sandbox, {"entry_text": "`src/a.py` `foo_baz()` `foo_gone()`"}, more=bare)
    assert [one["status"] for one in citations] == ["valid", "unverifiable", "unverifiable"]


def test_what_a_shallow_clone_hid_is_not_kept(sandbox: Sandbox) -> None:
    sandbox.write("src/a.py", "def of_old():\n    return 1\n")
    sandbox.commit()
    sandbox.git("mv", "src/a.py", "src/b.py")
    sandbox.commit()
    sandbox.write("c.py", "x = 1\n")
    sandbox.commit()
    origin, folder = sandbox.root, sandbox.root.parent / "shallow"
    git(sandbox.root.parent, "clone", "-q", "--depth", "1", f"file://{origin}", "shallow")
    sandbox.root = folder
    sandbox.note("- see `src/a.py` now\n")
    sandbox.run("sweep")
    git(folder, "fetch", "-q", "--unshallow")
    sandbox.run("sweep")
    (entry,) = sandbox.entries().values()
    assert (entry["citations"][0]["status"], entry["citations"][0]["target"]) == ("moved", "src/b.py")


def test_a_file_that_came_back_as_another_is_not_where_things_moved(sandbox: Sandbox) -> None:
    sandbox.write("src/a.py", "".join(f"{n}\n" for n in range(20)))
    sandbox.write("keep.py", "1\n")
    sandbox.commit()
    sandbox.git("mv", "src/a.py", "src/b.py")
    sandbox.commit()
    (sandbox.root / "src/b.py").unlink()
    gone = sandbox.commit()
    sandbox.write("src/b.py", "".join(f"{n}\n" for n in range(900, 950)))
    sandbox.commit()
    (citations,) = verify(sandbox, {"entry_text": "`src/a.py`"})
    assert (citations[0]["status"], citations[0]["evidence"]["commit"]) == ("broken", gone)


def test_an_empty_file_is_not_followed(sandbox: Sandbox) -> None:
    sandbox.write("pkg/old/__init__.py", "")
    sandbox.write("pkg/old/x.py", "1\n")
    sandbox.write("keep.py", "1\n")
    sandbox.commit()
    sandbox.git("rm", "-rq", "pkg/old")
    sandbox.write("tools/new/__init__.py", "")
    sandbox.write("tools/new/y.py", "2222\n")
    sandbox.commit()
    assert {status for status, _ in said(sandbox, "`pkg/old/__init__.py` and `pkg/old/`").values()} == {"broken"}


def test_a_name_is_followed_through_every_rename(sandbox: Sandbox) -> None:
    for name in ("load_rows", "load_records", "load_items"):
        sandbox.write("a.py", f"def {name}(a):\n    return a * 2\n")
        sandbox.commit()
    assert said(sandbox, "`load_rows()`")["load_rows()"] == ("moved", "a.py:1")


@pytest.mark.parametrize(("mock", "verdict"), [("tests/test_a.py", ("broken", None)), ("b.py", ("moved", "b.py:1"))])
def test_nobody_is_sent_to_a_test_for_what_was_renamed(
    sandbox: Sandbox, mock: str, verdict: tuple[str, str | None]
) -> None:
    sandbox.write("a.py", "def load_rows(a):\n    return a * 2\n")
    sandbox.commit()
    sandbox.write("a.py", "def load_records(a):\n    return a * 2\n")
    sandbox.commit()
    sandbox.write("a.py", "x = 1\n")
    sandbox.write(mock, "load_records = 3\n")
    sandbox.commit()
    assert said(sandbox, "`load_rows()`")["load_rows()"] == verdict


@pytest.mark.parametrize(
    ("before", "after", "cited"),
    [
        ("from functools import lru_cache\n@lru_cache\ndef fetch_all():\n    pass\n", "x = 1\n", "`lru_cache`"),
        ("def read_text():\n    pass\n", "x = 1\n", "`pathlib.Path.read_text`"),
        ("os.kill(1, signal.SIGTERM); open(p, O_CREAT); log('ERROR')\n", "x = 1\n", "`SIGTERM` `O_CREAT` `ERROR`"),
        ('"""Converts\nthe models to TypeScript\npushes to GitHub\n"""\n', "x = 1\n", "`TypeScript` on `GitHub`"),
        ("import { useState } from 'react'\n", "x = 1\n", "`useState`"),
        ("def load_rows(a):\n    return None\n", "def send_mail(a):\n    return None\n", "`send_mail`"),
        ("conn = psql_connect(dsn)\nc.execute_all(x)\n", "conn = kafka_open(d)\nc.execute_all(x)\n", "`psql_connect`"),
    ],
)  # fmt: skip
def test_what_was_only_borrowed_is_no_drift(sandbox: Sandbox, before: str, after: str, cited: str) -> None:
    sandbox.write("a.py", before)
    sandbox.commit()
    sandbox.write("a.py", after)
    sandbox.commit()
    assert not {status for status, _ in said(sandbox, cited).values()} & {"broken", "moved"}


def test_members_that_may_be_inherited_or_of_a_library_are_no_drift(sandbox: Sandbox) -> None:
    sandbox.write("src/app.py", "class UserProfile(models.Model):\n    n = 1\n")
    sandbox.write("redis/client.py", "import redis\n")
    sandbox.write("src/stripe.py", "import stripe\nstripe.x()\n")
    sandbox.commit()
    text = "`UserProfile.full_clean()` `UserProfile.DoesNotExist` `redis.StrictRedis` `stripe.PaymentIntent`"
    assert {status for status, _ in said(sandbox, text).values()} == {"unverifiable"}


def test_scripts_are_found_wherever_they_stand(sandbox: Sandbox) -> None:
    sandbox.write("package.json", '{ "name": "x", "scripts": { "build": "tsc", "dev": "x" } }\n')
    for number in range(30):
        sandbox.write(f"src/m{number}.py", "def build():\n    pass\n")
    sandbox.commit()
    text = "`npm run build` `bun test` `npm start` `yarn run eslint .` `npm run env` `npm run x --if-present`"
    assert "broken" not in {status for status, _ in said(sandbox, text).values()}
    assert said(sandbox, "`npm run build`")["npm run build"] == ("valid", "package.json:1")
    assert said(sandbox, "`npm run biuld`")["npm run biuld"][0] == "broken"


def test_a_script_of_samples_is_none_of_the_documents(sandbox: Sandbox) -> None:
    sandbox.write("examples/basic/package.json", '{\n  "scripts": {\n    "fire:all": "x"\n  }\n}\n')
    sandbox.write("package.json", '{\n  "name": "x"\n}\n')
    sandbox.write("AGENTS.md", "```sh\nnpx create-kiln my-app\ncd my-app\nnpm run fire:all\n```\n")
    sandbox.commit()
    sandbox.git("rm", "-q", "-r", "examples")
    sandbox.commit()
    assert alarms(sandbox) == []


def test_a_script_that_its_manifest_lost_is_missed_in_sample_commands_too(sandbox: Sandbox) -> None:
    sandbox.write("web/package.json", '{\n  "scripts": {\n    "fire:all": "x",\n    "dev": "x"\n  }\n}\n')
    sandbox.write("web/AGENTS.md", "```sh\nnpm run fire:all   # each rack\nnpm run cool:all\n```\n")
    sandbox.commit()
    assert alarms(sandbox) == []
    sandbox.write("web/package.json", '{\n  "scripts": {\n    "dev": "x"\n  }\n}\n')
    sandbox.commit()
    assert [(code, text) for *_, code, text in alarms(sandbox)] == [("IM001", "npm run fire:all")]


@pytest.mark.parametrize(
    "text",
    [
        "Removed in v2:\n  - `a/b.py`\n  - `c/d.py`",
        "**Deleted files**\n\n- `a/b.py`",
        "We got rid of `a/b.py`",
        "deleting `a/b.py` fixed it",
        "rename `a/b.py` to the other",
        "`a/b.py` is no more",
        "Do not re-create `a/b.py`",
        "something, e.g. `a/b.py`",
        "(e.g. `a/b.py`)",
        "put helpers in `a/b.py`",
        "a new `a/b.py` is needed",
        "If `a/b.py` exists it is loaded",
        "`a/b.py` is generated",
        "`a/b.py` is not in git",
        "Running it writes `a/b.py`",
        "In the backend repo, `a/b.py` has routes",
        "not `a/b.py` but another",
    ],
)
def test_many_ways_to_say_that_it_is_not_there(text: str) -> None:
    assert next(one for one in citations_of(text) if one.text == "a/b.py").stance is not Stance.PLAIN


@pytest.mark.parametrize(
    "text", ["Files:\n- `a/b.py`", "Removed the old one.\n\n- `a/b.py` stays", "- `x` was removed\n- `a/b.py`"]
)
def test_and_what_says_nothing_of_the_kind(text: str) -> None:
    assert next(one for one in citations_of(text) if one.text == "a/b.py").stance is Stance.PLAIN


def test_back_ticks_without_end_are_read_in_linear_time() -> None:
    assert citations_of("`" * 400_000 + "x`") == ()


def random_change(box: Sandbox, chance: random.Random, number: int) -> None:
    names = ("foo_bar", "load_rows", "RowReader", "send_all", "MAX_ROWS")
    what = chance.choice(("define", "define", "use", "clear", "delete", "move", "branch", "switch", "reset"))
    path = f"{chance.choice('abc')}.py"
    if what == "define":
        name = chance.choice(names)
        form = (
            "class {0}:\n    def go_fast(self):\n        return {1}\n"
            if name[0] == "R"
            else "def {0}(a):\n    return a * {1}\n"
        )
        box.write(path, form.format(name, chance.randrange(100, 999)))
    elif what == "use":
        box.write(path, f"print({chance.choice(names)}(1))\n")
    elif what == "delete" and (box.root / path).exists():
        (box.root / path).unlink()
    elif what == "move" and (box.root / path).exists():
        box.git("mv", "-f", path, f"{chance.choice('def')}.py")
    elif what == "branch":
        box.git("checkout", "-q", "-b", f"side{number}")
    elif what == "switch":
        box.git("checkout", "-q", chance.choice(box.git("branch", "--format=%(refname:short)").split()))
    elif what == "reset" and int(box.git("rev-list", "--count", "HEAD")) > 3:
        box.git("reset", "-q", "--hard", "HEAD~1")
    else:
        box.write(path, f"x = {number}\n")
    box.commit(f"{what} {number}")


def verdicts_of(box: Sandbox) -> dict[tuple[str, str], tuple[Any, ...]]:
    found = {}
    for text, entry in box.entries().items():
        for one in entry["citations"]:
            found[text, one["text"]] = (one["status"], one["target"], one["evidence"].get("commit"))
    return found


@pytest.mark.parametrize("seed", range(5 if EVERYTHING else 3))
def test_what_is_kept_from_run_to_run_changes_no_verdict(sandbox: Sandbox, seed: int) -> None:
    chance = random.Random(seed)
    notes = [
        "`foo_bar()`",
        "load_rows",
        "`RowReader.go_fast()`",
        "`send_all`",
        "`MAX_ROWS`",
        "`a.py`",
        "`c.py` and `RowReader`",
    ]
    sandbox.note("".join(f"- note {number} about {note}\n" for number, note in enumerate(notes)))
    sandbox.commit()
    state = sandbox.root / ".git/intermem"
    for number in range(12):
        random_change(sandbox, chance, number)
        if chance.random() < 0.3:
            continue
        sandbox.run("sweep")
        kept = verdicts_of(sandbox)
        aside = sandbox.root.parent / "kept"
        shutil.move(state, aside)
        sandbox.run("sweep")
        assert verdicts_of(sandbox) == kept, number
        shutil.rmtree(state)
        shutil.move(aside, state)


def test_the_shape_of_what_is_asked(sandbox: Sandbox) -> None:
    path = sandbox.root.parent / "asked.jsonl"
    path.write_text(json.dumps({"id": "1", "entry_text": "`x`"}) + "\n", "utf-8")
    for rev in ("", "^HEAD", "HEAD..HEAD"):
        assert (
            "does not name a single commit" in sandbox.run("verify", "--entries", str(path), f"--rev={rev}", code=2).err
        )
    sandbox.run("verify", "--entries", str(path), "--repo", str(sandbox.root / ".git"))


def test_a_rename_is_known_though_contents_of_another_commit_are_missing(sandbox: Sandbox) -> None:
    """A history of which single blobs are lost: git itself gives up looking for renames in all of it."""
    lines = [f"value_{number} = {number}\n" for number in range(30)]
    for name in ("models", "utils", "routes"):
        sandbox.write(f"src/{name}.py", "".join([*lines, f"{name} = 1\n"]))
        sandbox.commit()
    lost = sandbox.git("rev-parse", "HEAD:src/utils.py").strip()
    for name in ("models", "utils", "routes"):
        (sandbox.root / f"src/{name}.py").unlink()
        sandbox.write(f"lib/{name}.py", "".join([*lines, f"{name} = 2\n"]))
        sandbox.commit()
    (sandbox.root / ".git/objects" / lost[:2] / lost[2:]).unlink()
    text = "- see `src/models.py`, `src/utils.py` and `src/routes.py`\n"
    (citations,) = verify(sandbox, {"entry_text": text})
    assert [(one["status"], one["target"]) for one in citations] == [
        ("moved", "lib/models.py"),
        ("broken", None),
        ("moved", "lib/routes.py"),
    ]


def test_of_two_manifests_that_lost_a_script_the_one_above_the_document_tells(sandbox: Sandbox) -> None:
    scripts = '{\n  "scripts": {\n    "fire:all": "x",\n    "dev": "x"\n  }\n}\n'
    for folder in ("web", "other"):
        sandbox.write(f"{folder}/package.json", scripts)
    sandbox.write("web/AGENTS.md", "```sh\nnpm run fire:all\n```\n")
    sandbox.commit()
    for folder in ("web", "other"):
        sandbox.write(f"{folder}/package.json", scripts.replace('    "fire:all": "x",\n', ""))
        sandbox.commit()
    (told,) = sandbox.run("check", "--json", code=None).json["findings"]
    assert "it was removed from web/package.json" in told["message"]
