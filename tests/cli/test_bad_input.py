"""Bad input, row by row of the table of DESIGN.md §12: one line, a hint, exit code 2, nothing changed."""

from __future__ import annotations

import functools
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from intermem.cli.main import main
from intermem.storage.schema import VERSION
from tests.conftest import Once, Sandbox, git, tree_hash

NOW = "2026-01-03T00:00:00Z"
STATE = ".git/intermem/root"


def refused(sandbox: Sandbox, *arguments: str, says: str, hint: str = "") -> None:
    """Assert that the command fails with one line and a hint, exit code 2, and changes nothing."""
    before = sandbox.tree_hash()
    outcome = sandbox.run(*arguments, code=2)
    lines = outcome.err.splitlines()
    assert lines[0].startswith("error: "), outcome.err
    assert says in lines[0], outcome.err
    assert lines[1].startswith("hint: ")
    assert hint in lines[1]
    assert len(lines) == 2
    assert "Traceback" not in outcome.err
    assert outcome.out == ""
    assert sandbox.tree_hash() == before


def two_notes(box: Sandbox) -> None:
    box.note("- Prefer short functions.\n- The entry point is `src/app.py`.\n")
    box.scans("2026-01-01", "2026-01-02", "2026-01-03")


@pytest.fixture
def scanned(sandbox: Sandbox, once: Once) -> Sandbox:
    once(sandbox, two_notes)
    sandbox.now = NOW
    return sandbox


# without a memory


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("check",), "interrupted; no document was changed"),
        (("status", "--json"), "interrupted; no document was changed"),
        (("check", "--fix"), "interrupted; no file is half-written"),
        (("demote", "3f2a", "--reason", "check"), "interrupted; no file is half-written"),
    ],
)
def test_an_interrupted_command_reports_the_state_it_leaves(
    arguments: tuple[str, ...], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("intermem.cli.main._run", interrupted)
    assert main(arguments) == 130
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("verb", ["scan", "promote"])
def test_scan_and_promote_name_the_folders_searched_for_a_memory(sandbox: Sandbox, verb: str) -> None:
    before = sandbox.tree_hash()
    assert main([verb, "--project-root", str(sandbox.root)]) == 2
    err = sandbox.capture.readouterr().err
    assert "no memory found; tried " in err
    assert "/.claude/projects/" in err
    assert "docs/memory" in err
    assert "hint: specify it with --memory-dir" in err
    assert sandbox.tree_hash() == before


@pytest.mark.parametrize("verb", [("sweep", "--check"), ("status",)])
def test_other_commands_work_without_a_memory(sandbox: Sandbox, verb: tuple[str, ...]) -> None:
    assert main([*verb, "--project-root", str(sandbox.root)]) == 0


def test_promote_works_without_a_memory_if_candidates_are_on_record(scanned: Sandbox) -> None:
    assert main(["promote", "--yes", "--project-root", str(scanned.root), "--now", NOW]) == 0
    captured = scanned.capture.readouterr()
    assert "Promoted 2 entries" in captured.out
    assert "no memory found" in captured.err


# unusual repositories


def test_works_outside_git_with_one_notice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root, memory = tmp_path / "plain", tmp_path / "memory"
    root.mkdir()
    memory.mkdir()
    box = Sandbox(root, memory, capsys)
    box.write("src/app.py", "x\n")
    box.note("- See `src/app.py` and `src/gone.py`.\n- And `src/app.py:9`.\n")
    outcome = box.run("scan")
    assert outcome.err.count("not a git repository") == 1
    assert (root / ".intermem/metadata.db").is_file()
    found = {c["text"]: c["status"] for entry in box.entries().values() for c in entry["citations"]}
    assert found == {"src/app.py": "valid", "src/gone.py": "unverifiable", "src/app.py:9": "broken"}


def test_works_on_an_unborn_branch(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root, memory = tmp_path / "new", tmp_path / "memory"
    memory.mkdir()
    root.mkdir()
    git(root, "init", "-q")
    box = Sandbox(root, memory, capsys)
    box.write("a.py", "x\n")
    box.note("- See `a.py` and `gone/b.py`.\n")
    box.run("scan")
    (entry,) = box.entries().values()
    assert [c["status"] for c in entry["citations"]] == ["valid", "unverifiable"]


def test_a_shallow_clone_leaves_verdicts_unverifiable(scanned: Sandbox, tmp_path: Path) -> None:
    scanned.git("mv", "src/app.py", "src/main.py")
    scanned.commit("rename")
    scanned.commit("later")
    subprocess.run(
        ["git", "clone", "-q", "--depth", "1", f"file://{scanned.root}", str(tmp_path / "shallow")], check=True
    )
    shallow = Sandbox(tmp_path / "shallow", scanned.memory, scanned.capture)
    outcome = shallow.run("scan")
    assert "a shallow or partial clone" in outcome.err
    (citation,) = shallow.entries()["The entry point is `src/app.py`."]["citations"]
    assert citation["status"] == "unverifiable"


def test_worktrees_share_one_state(scanned: Sandbox, tmp_path: Path) -> None:
    scanned.git("worktree", "add", "-q", str(tmp_path / "second"))
    second = Sandbox(tmp_path / "second", scanned.memory, scanned.capture, now=NOW)
    assert set(second.entries()) == set(scanned.entries())
    assert second.run("status", "--json").json["state"] == str(scanned.root / STATE)


def test_a_bare_repository_has_no_documents(scanned: Sandbox, tmp_path: Path) -> None:
    subprocess.run(["git", "clone", "-q", "--bare", str(scanned.root), str(tmp_path / "bare")], check=True)
    bare = Sandbox(tmp_path / "bare", scanned.memory, scanned.capture, now=NOW)
    bare.run("scan")
    (citation,) = bare.entries()["The entry point is `src/app.py`."]["citations"]
    assert citation["status"] == "valid"
    refused(bare, "init", says="is a bare repository")


def test_submodules_are_not_checked(scanned: Sandbox, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q")
    (other / "a.py").write_bytes(b"x\n")
    git(other, "add", "-A")
    git(other, "commit", "-q", "-m", "x")
    scanned.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other), "sub")
    scanned.commit("sub")
    scanned.note("- See `sub/a.py` and `sub/gone.py`.\n")
    scanned.run("scan")
    (entry,) = [e for text, e in scanned.entries().items() if "sub" in text]
    assert {c["status"] for c in entry["citations"]} == {"unverifiable"}


def test_a_tracked_document_outside_a_sparse_checkout_is_not_created(scanned: Sandbox) -> None:
    scanned.git("sparse-checkout", "set", "--no-cone", "/src")
    assert not (scanned.root / "AGENTS.md").exists()
    assert "excluded by this sparse checkout" in scanned.run("status").err
    refused(scanned, "init", says="AGENTS.md is tracked", hint="git sparse-checkout add /AGENTS.md")


def test_a_missing_git_is_an_error(scanned: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    refused(scanned, "scan", says="git was not found", hint="add git to the PATH")


@pytest.mark.parametrize(
    ("name", "what"), [("MERGE_HEAD", "merge"), ("rebase-merge", "rebase"), ("BISECT_LOG", "bisect")]
)
def test_nothing_is_written_during_a_merge(scanned: Sandbox, name: str, what: str) -> None:
    (scanned.root / ".git" / name).write_bytes(b"")
    for verb in (("promote", "--yes"), ("sweep",), ("init",)):
        refused(scanned, *verb, says=f"an unfinished {what}", hint="--force")
    scanned.run("scan")
    scanned.run("sweep", "--check")
    scanned.run("promote", "--yes", "--force")
    assert "- Prefer short functions." in scanned.read()


# documents and memory files that cannot be read


def make_fifo(path: Path) -> None:
    os.mkfifo(path)


def make_folder(path: Path) -> None:
    path.mkdir()


STRANGE: list[tuple[str, Callable[[Path], object], str]] = [
    ("latin-1", lambda path: path.write_bytes(b"caf\xe9\n"), "not UTF-8 (byte 3)"),
    ("large", lambda path: path.write_bytes(b"x" * (4 * 1024 * 1024 + 1)), "4194305 bytes, 4194304 are allowed"),
    ("fifo", make_fifo, "not a regular file"),
    ("folder", make_folder, "not a regular file"),
    ("dangling", lambda path: path.symlink_to("nowhere.md"), "links to nowhere.md, which does not exist"),
    ("outside", lambda path: path.symlink_to("/etc/hostname"), "outside the project"),
]


@pytest.mark.parametrize(("make", "says"), [row[1:] for row in STRANGE], ids=[row[0] for row in STRANGE])
@pytest.mark.parametrize("verb", [("promote", "--yes"), ("init",)])
def test_an_unsupported_document_is_refused_by_name(
    scanned: Sandbox, verb: tuple[str, ...], make: Callable[[Path], object], says: str
) -> None:
    (scanned.root / "AGENTS.md").unlink()
    make(scanned.root / "AGENTS.md")
    outcome = scanned.run(*verb, code=2)
    assert outcome.err.startswith("error: AGENTS.md: ")
    assert says in outcome.err.splitlines()[0]
    assert "hint: " in outcome.err


@pytest.mark.parametrize(("make", "says"), [row[1:] for row in STRANGE], ids=[row[0] for row in STRANGE])
def test_the_other_document_is_processed_and_the_exit_code_is_2(
    scanned: Sandbox, make: Callable[[Path], object], says: str
) -> None:
    make(scanned.root / "CLAUDE.md")
    outcome = scanned.run("promote", "--yes", code=2)
    assert says in outcome.err
    assert "- Prefer short functions." in scanned.read()
    scanned.run("status", code=2)
    scanned.run("sweep", code=2)


def test_a_refused_document_is_not_replaced_by_another_target(scanned: Sandbox) -> None:
    scanned.write("AGENTS.md", "# A\n\n<!-- intermem:begin -->\n")
    scanned.write("CLAUDE.md", "# C\n")
    for verb in (("promote", "--yes"), ("init",)):
        assert "AGENTS.md:3: the begin marker has no end marker" in scanned.run(*verb, code=2).err
    assert scanned.read("CLAUDE.md") == "# C\n"
    scanned.run("promote", "--yes", "--target", "CLAUDE.md", code=2)
    assert "- Prefer short functions." in scanned.read("CLAUDE.md")


def test_status_does_not_describe_a_refused_document(scanned: Sandbox) -> None:
    scanned.run("promote", "--yes")
    scanned.write("AGENTS.md", scanned.read().replace("<!-- intermem:end -->", ""))
    outcome = scanned.run("status", code=2)
    assert "has no end marker" in outcome.err
    assert "lacks" not in outcome.err


def test_links_between_memory_files_are_valid_without_a_snapshot(scanned: Sandbox) -> None:
    scanned.note("- See [the topic](src/deploy.md) first.\n", "other.md")
    scanned.note("- Deploy on Mondays.\n", "src/deploy.md")
    scanned.scans("2026-01-04", "2026-01-05", "2026-01-06")
    scanned.run("promote", "--yes", now="2026-01-06T00:00:00Z")
    text = scanned.read()
    for _ in range(3):
        scanned.run("sweep", "--no-scan", now="2026-01-06T00:00:00Z")
        main(["sweep", "--no-scan", "--project-root", str(scanned.root), "--now", "2026-01-06T00:00:00Z"])
    assert scanned.read() == text
    (entry,) = [e for t, e in scanned.entries().items() if "See" in t]
    assert entry["document"] == "AGENTS.md" and "See the topic first." in text  # nobody else could follow the link


@pytest.mark.parametrize(("make", "says"), [row[1:] for row in STRANGE[:3]], ids=[row[0] for row in STRANGE[:3]])
def test_entries_of_a_refused_memory_file_do_not_count_as_gone(
    scanned: Sandbox, make: Callable[[Path], object], says: str
) -> None:
    scanned.note("- Kept in a topic file.\n", "topic.md")
    scanned.run("scan", now="2026-01-04T00:00:00Z")
    (scanned.memory / "topic.md").unlink()
    make(scanned.memory / "topic.md")
    outcome = scanned.run("scan", now="2026-01-05T00:00:00Z", code=2)
    assert f"error: topic.md: {says}" in outcome.err
    assert "2 counted" in outcome.out
    assert "gone" not in outcome.out
    refusals = scanned.run("promote", "--json", now="2026-01-05T00:00:00Z", code=2).json["refused"]
    assert [row["gate"] for row in refusals] == ["snapshots"]


def test_memory_files_with_bad_names_or_links_are_refused(scanned: Sandbox) -> None:
    (scanned.memory / "out.md").symlink_to("/etc/hostname")
    Path(os.fsdecode(os.fsencode(scanned.memory) + b"/\xff.md")).write_bytes(b"- x\n")
    outcome = scanned.run("scan", code=2)
    assert "out.md: links to a file outside the memory" in outcome.err
    assert "the file name is not UTF-8" in outcome.err


def test_hidden_files_and_backups_in_the_memory_are_skipped(scanned: Sandbox) -> None:
    for name in (".hidden.md", "old.md.bak", ".dir/x.md", "old.bak/x.md", "notes.txt"):
        scanned.note("- Should not be seen.\n", name)
    assert scanned.run("scan", "--json").json["entries"] == 2


# hostile text


HOSTILE = [
    "<!-- intermem:end -->",
    "\x1b[31mred\x1b[0m and \x07",
    "[red]markup[/red] [link=x]y[/link] list[int]",
    "'; DROP TABLE memory_entries; --",
    'NEAR("a" "b") OR * - ^',
    "100% of _all_ \\ things",
    "\u202eright to left",
    "---\ntype: user\n---",
]


def test_hostile_text_is_stored_verbatim_and_shown_escaped(sandbox: Sandbox) -> None:
    sandbox.note("".join(f"- Start {text.splitlines()[0]} end\n" for text in HOSTILE))
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    texts = set(sandbox.entries())
    assert {f"Start {text.splitlines()[0]} end" for text in HOSTILE} == texts
    for call in (("query", "--all"), ("promote", "--verbose"), ("log",)):
        out = sandbox.run(*call, now=NOW).out
        assert "\x1b" not in out
        assert "\x07" not in out
        assert "\u202e" not in out
    out = sandbox.run("query", "--all").out
    assert "\\x1b[31mred" in out
    assert "[red]markup[/red] [link=x]y[/link] list[int]" in out


@pytest.mark.parametrize("word", ["%", "_", "'", '"', "NEAR", "*", "[red]", "\\", "-", "(", "é", "中", "a"])
def test_search_words_are_taken_literally(sandbox: Sandbox, word: str) -> None:
    sandbox.note(
        f"- Before{word}after.\n- Nothing here at NO point.\n".replace("NO point", "all" if word == "a" else "no")
    )
    sandbox.scans("2026-01-01")
    found = sandbox.run("query", f"--search={word}", "--json").json["entries"]
    assert f"Before{word}after." in [entry["text"] for entry in found]


def test_a_citation_that_leaves_the_repository_is_never_opened(sandbox: Sandbox, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "trap.py")  # opening it would hang
    (sandbox.root / "link.py").symlink_to(tmp_path / "trap.py")
    sandbox.note("- See `../trap.py:3`, `link.py:3`, `/etc/passwd.txt:1` and `../../etc/passwd.txt`.\n")
    sandbox.run("scan")
    (entry,) = sandbox.entries().values()
    assert {c["status"] for c in entry["citations"]} == {"unverifiable"}


# metadata.db


@pytest.fixture
def database(scanned: Sandbox) -> Path:
    return scanned.root / STATE / "metadata.db"


@pytest.mark.parametrize(
    "verb", [("scan",), ("status",), ("query", "--all"), ("promote", "--yes"), ("sweep", "--check")]
)
def test_a_damaged_database_is_one_clear_error(scanned: Sandbox, database: Path, verb: tuple[str, ...]) -> None:
    database.write_bytes(b"this is no database, " * 100)
    refused(scanned, *verb, says="is damaged or not a database", hint="sets it aside")


@pytest.mark.parametrize("verb", [("scan",), ("status",)])
def test_a_newer_database_is_refused(scanned: Sandbox, database: Path, verb: tuple[str, ...]) -> None:
    with sqlite3.connect(database) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    refused(scanned, *verb, says=f"has version 99, newer than this intermem knows ({VERSION})", hint="upgrade intermem")


def test_a_foreign_database_is_refused(scanned: Sandbox, database: Path) -> None:
    database.unlink()
    with sqlite3.connect(database) as connection:
        connection.execute("CREATE TABLE bookmarks (url)")
    connection.close()
    refused(scanned, "scan", says="is not an intermem database")


def test_a_folder_in_place_of_the_database_is_refused(scanned: Sandbox, database: Path) -> None:
    database.unlink()
    database.mkdir()
    refused(scanned, "status", says="is not a regular file")


def test_an_empty_file_counts_as_no_database(scanned: Sandbox, database: Path) -> None:
    database.write_bytes(b"")
    scanned.run("status")
    scanned.run("scan")
    assert len(scanned.entries()) == 2


def test_a_damaged_row_names_its_entry(scanned: Sandbox, database: Path) -> None:
    key = next(iter(scanned.entries().values()))["id"]
    for column, says in (("last_seen", "last_seen: 'soon' is not a time"), ("trail", "is damaged")):
        with sqlite3.connect(database) as connection:
            (old,) = connection.execute(f"SELECT {column} FROM memory_entries WHERE entry_hash = ?", (key,)).fetchone()
            connection.execute(f"UPDATE memory_entries SET {column} = 'soon' WHERE entry_hash = ?", (key,))
        connection.close()
        outcome = scanned.run("sweep", code=2)
        assert f"entry {key}" in outcome.err
        assert says in outcome.err
        with sqlite3.connect(database) as connection:
            connection.execute(f"UPDATE memory_entries SET {column} = ? WHERE entry_hash = ?", (old, key))
        connection.close()


def test_a_locked_database_can_be_read_and_writers_wait(
    scanned: Sandbox, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("intermem.storage.connection._BUSY_SECONDS", 0.1)
    holder = sqlite3.connect(database, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    try:
        assert scanned.run("query", "--all", "--json").json["entries"]
        outcome = scanned.run("scan", code=2)
        assert "is locked by another process; nothing was changed" in outcome.err
    finally:
        holder.execute("ROLLBACK")
        holder.close()
    scanned.run("scan")


def test_a_second_process_waits_for_the_lock(scanned: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    from intermem.project import lock

    with lock.locked(scanned.root / STATE):
        monkeypatch.setattr(lock, "locked", functools.partial(lock.locked, patience=0.1))
        outcome = scanned.run("scan", code=2)
    assert "another intermem has held the lock" in outcome.err


def test_a_read_only_state_folder_is_one_clear_error(scanned: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.open

    def refuse(path: object, flags: int, *more: object, **named: object) -> int:
        if str(path).endswith("/lock") and flags & os.O_CREAT:
            raise PermissionError(13, "Permission denied", str(path))
        return real(path, flags, *more, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "open", refuse)
    outcome = scanned.run("scan", code=2)
    assert "Permission denied; nothing was changed" in outcome.err


# times


def test_a_clock_set_back_counts_as_age_zero_with_one_notice(scanned: Sandbox) -> None:
    outcome = scanned.run("sweep", now="2025-06-01T00:00:00Z")
    assert outcome.err.count("their age counts as 0") == 1
    assert {entry["confidence"] for entry in scanned.entries().values()} == {0.5, 0.8}


def test_a_sweep_dated_in_the_future_does_not_block_later_ones(scanned: Sandbox) -> None:
    scanned.run("promote", "--yes")
    scanned.run("sweep", "--no-scan", now="2099-01-01T00:00:00Z")
    scanned.note("")
    first = scanned.run("sweep", "--json", now="2026-03-01T00:00:00Z").json
    assert first["streaks_moved"]


@pytest.mark.parametrize(
    "now", ["0999-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2026-01-03", "2026-01-03T00:00:00+05:30"]
)
def test_extreme_times_are_accepted(scanned: Sandbox, now: str) -> None:
    for verb in (("scan",), ("promote", "--yes", "--min-snapshots", "1"), ("sweep",), ("status",), ("query", "--all")):
        scanned.run(*verb, now=now)
    key = next(iter(scanned.entries().values()))["id"]
    scanned.run("why", key, now=now)
    scanned.run("status", now=NOW)


def test_a_time_without_zone_is_utc_with_a_notice(scanned: Sandbox) -> None:
    assert scanned.run("status", now="2026-01-03T10:00:00").err == "note: --now has no time zone; assuming UTC\n"


@pytest.mark.parametrize("now", ["soon", "", "2026-13-01", "12:00"])
def test_an_invalid_time_is_refused(scanned: Sandbox, now: str) -> None:
    assert main(["status", "--project-root", str(scanned.root), f"--now={now}"]) == 2
    assert f"--now: '{now}' is not a time" in scanned.capture.readouterr().err


# usage errors


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("swep",), "unknown command 'swep'; did you mean sweep?"),
        (("stauts",), "unknown command 'stauts'; did you mean status?"),
        (("verfy",), "unknown command 'verfy'; did you mean verify?"),
        (("frobnicate",), "unknown command 'frobnicate'; commands: init, scan"),
        (("--quiet",), "no command given; commands: init, scan"),
        (("scan", "--bogus"), "unrecognized arguments: --bogus"),
        (("query",), "query needs a list or a selector"),
        (("schedule",), "the following arguments are required: KIND"),
        (("query", "--all", "--limit", "-1"), "--limit"),
        (("query", "--all", "--limit", "²"), "is not an integer from 0 to 999999999"),
        (("query", "--search", " "), "--search requires a word"),
        (("why", "zz"), "'zz' is not an id"),
        (("why", "ffff"), "no entry starts with ffff"),
        (("promote", "--target", "NOPE.md"), "--target NOPE.md: not a document"),
        (("init", "--remove", "--after", "x"), "--remove cannot be combined with"),
        (("init", "--remove"), "AGENTS.md has no region"),
        (("query", "--all", "--rank", "recency"), "--rank requires --search"),
        (("init", "--after", "Nowhere"), "AGENTS.md has no heading 'Nowhere'"),
    ],
)
def test_a_usage_error_is_one_line_and_a_hint(scanned: Sandbox, arguments: tuple[str, ...], says: str) -> None:
    refused(scanned, *arguments, says=says)


def test_a_hint_is_a_whole_command(scanned: Sandbox) -> None:
    refused(
        scanned, "query", says="query needs a list", hint="intermem query --all, or another of: intermem query --help"
    )


def test_a_file_in_the_place_of_a_folder_is_called_none(scanned: Sandbox) -> None:
    file = scanned.write("file", "")
    for option, path in (("--memory-dir", file), ("--project-root", file), ("--memory-dir", scanned.root / "nowhere")):
        assert main(["status", option, str(path)]) == 2
        said = scanned.capture.readouterr().err
        assert f"{option} {path}: {'not a directory' if path is file else 'no such directory'}" in said


@pytest.mark.parametrize(("short", "long"), [("-q", "--quiet"), ("-v", "--verbose")])
def test_the_short_forms_of_global_options_work_before_and_after_the_command(
    scanned: Sandbox, short: str, long: str
) -> None:
    said = {scanned.run(*arguments).out for arguments in ((long, "scan"), (short, "scan"), ("scan", short))}
    assert len(said) == 1 and scanned.run("scan").out not in said


def test_an_error_under_json_is_an_object(scanned: Sandbox) -> None:
    error = scanned.run("why", "ffff", "--json", code=2).json["error"]
    assert (error["code"], error["message"]) == ("no-such-entry", "no entry starts with ffff")
    assert error["hint"]
    assert scanned.run("--json", "swep", code=2).json["error"]["code"] == "usage"


@pytest.mark.parametrize("flag", ["--project-root", "--memory-dir", "--config"])
@pytest.mark.parametrize("value", ["", "/nowhere/at/all", "x" * 5000, "~nosuchuser/x"])
def test_a_path_option_that_does_not_exist_is_refused(sandbox: Sandbox, flag: str, value: str) -> None:
    before = tree_hash(sandbox.root)
    assert (
        main(["scan", f"{flag}={value}", *([] if flag == "--project-root" else ["--project-root", str(sandbox.root)])])
        == 2
    )
    assert sandbox.capture.readouterr().err.startswith("error: ")
    assert tree_hash(sandbox.root) == before


def test_global_options_work_before_and_after_the_command(scanned: Sandbox) -> None:
    one = scanned.run("--json", "query", "--all").out
    assert one == scanned.run("query", "--all", "--json").out


def test_quiet_prints_only_errors_and_requested_data(scanned: Sandbox) -> None:
    for verb in (("scan",), ("sweep",), ("promote", "--yes"), ("init",)):
        outcome = scanned.run(*verb, "--quiet")
        assert (outcome.out, outcome.err) == ("", "")
    assert scanned.run("query", "--all", "--quiet").out


def test_a_broken_pipe_causes_no_traceback(scanned: Sandbox) -> None:
    command = f"{sys.executable} -m intermem query --all --limit 0 --project-root {scanned.root} | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("verb", ["query --all", "status --figures", "sweep", "log"])
def test_where_nobody_reads_it_ends_as_a_program_does_that_a_closed_pipe_ends(scanned: Sandbox, verb: str) -> None:
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "intermem", *verb.split(), "--project-root", str(scanned.root)]
    with os.fdopen(write, "wb") as closed:
        done = subprocess.run(command, stdout=closed, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, "Traceback" in done.stderr) == (141, False)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_and_closed_streams_cause_no_traceback(scanned: Sandbox) -> None:
    for tail in (">/dev/full", ">&-", "2>&-", "<&-"):
        command = f"{sys.executable} -m intermem status --project-root {scanned.root} {tail}"
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
        assert "Traceback" not in done.stderr
        assert done.returncode == (2 if tail == ">/dev/full" else 0)


def test_works_without_a_home_directory(scanned: Sandbox) -> None:
    environment = {"PATH": os.environ["PATH"]}
    done = scanned.spawn("status", env=environment)
    assert done.returncode == 0, done.stderr


# configuration


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[promote]\nlimt = 3\n", "unknown key promote.limt"),
        ('[promote]\nlimit = "3"\n', "expected a whole number"),
        ("[promote]\nlimit = true\n", "expected a whole number"),
        ("[promote]\nlimit = -1\n", "must be from 0"),
        ("[promote]\nmin_snapshots = 0\n", "must be from 1"),
        ("promote = 3\n", "promote is a table of keys"),
        ("[decay]\nstep = 2\n", "expected a number from 0 to 1"),
        ('[decay]\nperiod = "0"\n', "must be longer than 0"),
        ('[decay]\ngrace = "soon"\n', "expected a duration"),
        ('[decay]\nperiod = "999999999w"\n', "expected a duration"),
        ('[decay]\nhalf_life = "90"\n', """decay.half_life = '90': a duration needs a unit: write "90d\""""),
        ("[decay]\nhalf_life = 90\n", 'decay.half_life = 90: a duration needs a unit: write "90d"'),
        ("[sweep]\nmin_interval = 0.5\n", "expected a duration"),
        ("[sweep]\nmin_interval = true\n", "expected a duration"),
        ('[decay]\npolicy = "quadratic"\n', 'expected "linear", "grace-exponential", "half-life" or "none"'),
        ('[decay]\nhalf_life = "0"\n', "must be longer than 0"),
        ('[decay]\nbasis = "read"\n', 'expected "seen", "created", "accessed" or "latest"'),
        ('[decay.types]\nproject = "slow"\n', 'project: expected "linear", "grace-exponential", "half-life" or "none"'),
        ('[decay]\ntypes = "none"\n', "expected a table"),
        ("[retention]\nenabled = 1\n", "expected true or false"),
        ("[retention.days]\nproject = -1\n", "project: must be from 0 to 1000000000"),
        ("[retention]\ndays = 30\n", "expected a table"),
        ("targets = []\n", 'expected "auto" or a list of paths'),
        ("targets = 3\n", 'expected "auto" or a list of paths'),
        ("memory_dir = 3\n", "expected a string"),
        ("[promote]\ntypes = [1]\n", "expected a list of strings"),
        ("[unknown]\n", "unknown key unknown"),
        ("not toml", "not valid TOML"),
        ("[" * 20_000, "not valid TOML"),
    ],
)
def test_a_configuration_error_names_file_key_and_fix(scanned: Sandbox, text: str, says: str) -> None:
    scanned.write("intermem.toml", text)
    refused(scanned, "status", says=says)
    assert "intermem.toml" in scanned.run("status", code=2).err


@pytest.mark.parametrize(
    ("variable", "value", "says"),
    [
        ("INTERMEM_PROMOTE_LIMIT", "many", "expected a whole number"),
        ("INTERMEM_PROMOTE_LIMIT", "²", "expected a whole number"),
        ("INTERMEM_PROMOTE_LIMT", "3", "did you mean INTERMEM_PROMOTE_LIMIT?"),
        ("INTERMEM_DECAY_HALF_LIFE", "90", "INTERMEM_DECAY_HALF_LIFE: decay.half_life = '90': a duration needs a unit"),
        ("INTERMEM_NOW", "soon", "INTERMEM_NOW: 'soon' is not a time"),
    ],
)
def test_an_invalid_environment_variable_is_refused(
    scanned: Sandbox, monkeypatch: pytest.MonkeyPatch, variable: str, value: str, says: str
) -> None:
    monkeypatch.setenv(variable, value)
    assert main(["status", "--project-root", str(scanned.root)]) == 2
    assert says in scanned.capture.readouterr().err
