"""Two tiers (seeds/S4, phase 2B): what finds no room goes into topic files, and rules stay where all sessions read."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from intermem.core.entries.identity import identity
from tests.conftest import Once, Sandbox, git

PUSH = "Never push to main: run `make release`, or the hooks break."
TAG = "Releases are cut from the tag, because the changelog is generated from `src/app.py` and fails without one."
TESTS = "Always run the tests in `src/app.py` before a commit, else CI fails."
PORT = "The slow tests only pass with a database on port 5433, because 5432 is the developer's own."
KEYS = {text: identity(text) for text in (PUSH, TAG, TESTS, PORT)}
NOTES = f"## Releasing\n\n- {PUSH}\n- {TAG}\n\n## Testing\n\n- {TESTS}\n- {PORT}\n"
RELEASING, TESTING = "docs/intermem/releasing.md", "docs/intermem/testing.md"
TIERS = "tiers = true\n[promote]\nbudget_tokens = 45\n"
LATER = "2026-01-03T02:00:00Z"


def four_notes(box: Sandbox) -> None:
    box.write("src/app.py", "x\n")
    box.note(NOTES)
    box.scans("2026-01-01", "2026-01-02", "2026-01-03")
    subprocess.run(["git", "config", "intermem.promote.minWorth", "0"], cwd=box.root, check=True)


@pytest.fixture
def noted(sandbox: Sandbox, once: Once) -> Sandbox:
    once(sandbox, four_notes)
    sandbox.now = "2026-01-03T01:00:00Z"
    return sandbox


def in_two_tiers(box: Sandbox) -> None:
    """Rules in AGENTS.md, and a fact in each of two topic files."""
    box.write("intermem.toml", TIERS)
    box.run("promote", "--yes")


@pytest.fixture
def tiered(noted: Sandbox, once: Once) -> Sandbox:
    once(noted, in_two_tiers)
    return noted


def test_facts_without_room_go_into_the_file_of_their_topic(tiered: Sandbox) -> None:
    assert f"- Releasing: {RELEASING}\n- Testing: {TESTING}\n\n### Releasing\n\n- {PUSH}\n" in tiered.read()
    assert TAG in tiered.read(RELEASING) and PORT in tiered.read(TESTING)
    assert TESTS in tiered.read() and TAG not in tiered.read()
    tiered.run("sweep", "--check", now=LATER)
    tiered.run("check", now=LATER)
    before = tiered.read(), tiered.read(RELEASING), tiered.read(TESTING)
    assert "Nothing to promote" in tiered.run("promote", "--yes", now=LATER).out
    assert (tiered.read(), tiered.read(RELEASING), tiered.read(TESTING)) == before


def test_what_a_topic_file_says_is_not_said_in_another(tiered: Sandbox) -> None:
    again = TAG.replace("fails without one", "fails without it")
    tiered.note(f"{NOTES}\n- {again}\n")
    tiered.scans("2026-01-04", "2026-01-05", "2026-01-06")
    refused = tiered.run("promote", "--yes", "--json", now="2026-01-06T00:00:00Z", code=None).json["refused"]
    assert [one["gate"] for one in refused if one["entry"]["text"] == again] == ["duplicate"]
    assert again not in tiered.read(RELEASING) + tiered.read(TESTING) + tiered.read()


def test_without_the_second_tier_they_are_refused(noted: Sandbox) -> None:
    noted.write("intermem.toml", TIERS.replace("true", "false"))
    assert "more than 45" in noted.run("promote", "--yes").out
    assert not (noted.root / "docs").exists()
    for arguments in (("promote", "--tier", "2"), ("migrate", "--yes")):
        assert "the second tier is off" in noted.run(*arguments, code=2).err


def test_a_rule_without_room_is_refused(noted: Sandbox) -> None:
    noted.write("intermem.toml", TIERS.replace("45", "25"))
    said = noted.run("promote", "--yes", "--json").json
    rules = [row for row in said["refused"] if row["gate"] == "budget" and row["entry"]["text"] in (PUSH, TESTS)]
    assert rules and all("more than 25 (promote.budget_tokens)" in row["reason"] for row in rules)


def test_a_person_chooses_the_tier(noted: Sandbox) -> None:
    noted.write("intermem.toml", "tiers = true\n")
    noted.run("promote", KEYS[PUSH], "--tier", "2", "--yes")
    assert PUSH in noted.read(RELEASING) and f"Releasing: {RELEASING}" in noted.read()
    noted.write("intermem.toml", TIERS.replace("45", "25"))
    noted.run("promote", KEYS[TAG], "--tier", "1", "--yes", code=1)
    assert TAG not in noted.read() + noted.read(RELEASING)


def test_query_knows_the_tiers(tiered: Sandbox) -> None:
    for tier, texts in ((1, {PUSH, TESTS}), (2, {TAG, PORT})):
        rows = tiered.run("query", "--tier", str(tier), "--json").json["entries"]
        assert {row["text"] for row in rows} == texts
    rows = tiered.run("query", "--all", "--tier", "2", "--section", "Testing", "--json").json["entries"]
    assert [(row["text"], row["document"]) for row in rows] == [(PORT, TESTING)]


def test_query_knows_the_tier_that_demoted_entries_stood_in(tiered: Sandbox, tmp_path: Path) -> None:
    committed(tiered).run("demote", KEYS[PORT], KEYS[PUSH])
    tiered.commit("fewer notes")
    git(tmp_path, "clone", "-q", str(tiered.root), str(tmp_path / "clone"))
    (tmp_path / "nothing").mkdir()
    clone = Sandbox(tmp_path / "clone", tmp_path / "nothing", tiered.capture, now=LATER)
    for box in (tiered, clone):
        for tier, text in (("1", PUSH), ("2", PORT)):
            for which in (("--demoted",), ("--status", "demoted")):
                rows = box.run("query", "--tier", tier, *which, "--json").json["entries"]
                assert [row["text"] for row in rows] == [text]
        assert PORT not in box.run("query", "--tier", "2").out


def test_migrate_moves_facts_and_undo_moves_them_back(noted: Sandbox) -> None:
    noted.run("promote", "--yes")
    assert TAG in noted.read()
    noted.write("intermem.toml", "tiers = true\n")
    before, tree = noted.read(), noted.tree_hash()
    assert "add --yes to move them" in noted.run("migrate").err
    assert noted.tree_hash() == tree
    told = noted.run("migrate", "--yes", "--json", now=LATER).json
    assert told["documents"] == {KEYS[TAG]: RELEASING, KEYS[PORT]: TESTING}
    assert TAG in noted.read(RELEASING) and TAG not in noted.read() and PUSH in noted.read()
    assert f"Testing: {TESTING}" in noted.read()
    noted.run("sweep", "--check", now="2026-01-03T03:00:00Z")
    events = [row["event"] for row in noted.run("log", "--json").json["history"] if row["id"] == KEYS[TAG]]
    assert events[0] == "moved" and "demoted" not in events
    noted.run("undo", now="2026-01-03T04:00:00Z")
    assert noted.read() == before and not (noted.root / RELEASING).exists()
    noted.run("sweep", "--check", now="2026-01-03T05:00:00Z")


def test_there_is_nothing_to_migrate_twice(tiered: Sandbox) -> None:
    assert tiered.run("migrate", "--yes", code=1).out.startswith("Nothing to move")


def test_a_topic_file_is_swept_and_its_line_goes_with_its_last_entry(tiered: Sandbox) -> None:
    tiered.note(NOTES.replace(f"- {PORT}\n", ""))
    for day in ("01", "02"):
        tiered.run("sweep", now=f"2026-03-{day}T00:00:00Z")
    assert PORT not in tiered.read(TESTING) and TESTING not in tiered.read() and RELEASING in tiered.read()
    tiered.run("restore", KEYS[PORT], now="2026-03-03T00:00:00Z")
    assert PORT in tiered.read(TESTING)
    tiered.run("sweep", "--check", now="2026-03-03T01:00:00Z")


def test_a_purge_takes_the_line_of_the_topic_file_that_it_empties(tiered: Sandbox) -> None:
    committed(tiered).run("purge", "--id", KEYS[PORT], "--confirm", "--from-documents", now=LATER)
    assert TESTING not in tiered.read() and RELEASING in tiered.read()
    assert tiered.run("doctor", now=LATER).out == "No problems found.\n"


def test_a_topic_file_that_nothing_names_is_a_finding(tiered: Sandbox) -> None:
    tiered.write("AGENTS.md", tiered.read().replace(f"- Testing: {TESTING}\n", ""))
    (found,) = tiered.run("check", "--json", now=LATER, code=1).json["findings"]
    assert (found["code"], found["file"]) == ("IM014", TESTING)
    assert 'or above it <!-- intermem:ignore IM014 reason="…" -->' in tiered.run("check", now=LATER, code=1).out


def test_a_region_past_its_budget_is_sent_to_the_second_tier(tiered: Sandbox) -> None:
    tiered.write("intermem.toml", TIERS.replace("45", "1"))
    out = tiered.run("check", now=LATER, code=1).out
    assert "help: run intermem migrate" in out
    assert 'or above it <!-- intermem:ignore IM030 reason="…" -->' in out
    tiered.write(
        "AGENTS.md",
        tiered.read().replace("<!-- intermem:begin", '<!-- intermem:ignore IM030 reason="x" -->\n<!-- intermem:begin'),
    )
    assert told(tiered) == []


def told(box: Sandbox, *arguments: str) -> list[tuple[str, str]]:
    """Rule and document of each finding."""
    findings = box.run("check", *arguments, "--json", now=LATER, code=None).json["findings"]
    return [(one["code"], one["file"]) for one in findings]


def test_a_revision_and_a_change_tell_of_a_topic_file_that_nothing_names(tiered: Sandbox, tmp_path: Path) -> None:
    tiered.commit("two tiers")
    named = tiered.read()
    tiered.write("AGENTS.md", named.replace(f"- Testing: {TESTING}\n", ""))
    unlinked = [("IM014", TESTING)]
    assert told(tiered, "--diff", "HEAD") == unlinked
    tiered.commit("no line")
    for arguments in (["--rev", "HEAD"], ["--diff", "HEAD~1"], ["--diff", "HEAD~1...HEAD"], ["--rev", "HEAD", TESTING]):
        assert told(tiered, *arguments) == unlinked, arguments
    for arguments in (["--rev", "HEAD~1"], ["--diff", "HEAD"], ["--rev", "HEAD", RELEASING]):
        assert told(tiered, *arguments) == [], arguments
    git(tmp_path, "clone", "-q", "--bare", str(tiered.root), "bare.git")
    assert told(Sandbox(tmp_path / "bare.git", tiered.memory, tiered.capture)) == unlinked
    tiered.write("AGENTS.md", named)
    tiered.commit("named again")
    assert told(tiered, "--rev", "HEAD") == told(tiered, "--diff", "HEAD~1") == []


def test_a_document_of_targets_names_a_topic_file_at_a_revision_too(tiered: Sandbox) -> None:
    tiered.write("intermem.toml", f"targets = ['AGENTS.md', 'docs/notes.md']\n{TIERS}")
    tiered.write("docs/notes.md", f"See {TESTING}.\n")
    tiered.write("AGENTS.md", tiered.read().replace(f"- Testing: {TESTING}\n", ""))
    tiered.commit("named elsewhere")
    assert told(tiered) == told(tiered, "--rev", "HEAD") == []


def test_a_change_answers_for_the_entry_that_it_doubles_and_for_no_other(tiered: Sandbox) -> None:
    def doubled(text: str) -> str:
        return tiered.read().replace(f"- {TESTS}\n", f"- {TESTS}\n- {text}\n")

    tiered.write("intermem.toml", "tiers = true\n")
    tiered.write("AGENTS.md", doubled(PORT))
    tiered.commit("once")
    tiered.write("AGENTS.md", doubled(TESTS))
    tiered.commit("twice")
    assert told(tiered, "--rev", "HEAD") == [("IM015", "AGENTS.md"), ("IM015", TESTING)]
    assert told(tiered, "--diff", "HEAD~1") == [("IM015", "AGENTS.md")]


def test_an_ignore_of_a_topic_file_that_nothing_names_is_used_at_a_revision(tiered: Sandbox) -> None:
    tiered.write("AGENTS.md", tiered.read().replace(f"- Testing: {TESTING}\n", ""))
    comment = "<!-- intermem:ignore IM014 -->\n<!-- intermem:begin"
    tiered.write(TESTING, tiered.read(TESTING).replace("<!-- intermem:begin", comment))
    tiered.commit("on purpose")
    assert told(tiered) == told(tiered, "--rev", "HEAD") == told(tiered, "--diff", "HEAD~1") == []


def test_check_reads_topic_files_too(tiered: Sandbox) -> None:
    assert tiered.run("check", "--json", now=LATER).json["checked"] == ["AGENTS.md", RELEASING, TESTING]
    tiered.write(TESTING, tiered.read(TESTING).replace("<!-- intermem:end -->\n", ""))
    findings = tiered.run("check", "--json", now=LATER, code=1).json["findings"]
    assert ("IM010", TESTING) in [(one["code"], one["file"]) for one in findings]
    assert TESTING in tiered.run("sweep", now=LATER, code=2).err, "a damaged one is left alone"


def test_somebody_elses_page_is_left_alone(noted: Sandbox) -> None:
    noted.write("intermem.toml", TIERS)
    noted.write(RELEASING, "# Releasing\n\nOurs.\n")
    said = noted.run("promote", "--yes", "--json").json
    (refused,) = [row for row in said["refused"] if row["gate"] == "blocked"]
    assert refused["entry"]["text"] == TAG and f"{RELEASING} exists and has no region" in refused["reason"]
    assert noted.read(RELEASING) == "# Releasing\n\nOurs.\n" and PORT in noted.read(TESTING)


def test_a_fresh_clone_knows_both_tiers(tiered: Sandbox, tmp_path: Path) -> None:
    for command in (["add", "-A"], ["commit", "-qm", "notes"]):
        subprocess.run(["git", "-c", "user.email=a@b.c", "-c", "user.name=a", *command], cwd=tiered.root, check=True)
    clone = Sandbox(tmp_path / "clone", tmp_path / "empty", tiered.capture, now=LATER)
    clone.memory.mkdir()
    subprocess.run(["git", "clone", "-q", str(tiered.root), str(clone.root)], check=True)
    clone.run("sweep", "--check")
    rows = clone.run("query", "--tier", "2", "--json").json["entries"]
    assert {row["text"] for row in rows} == {TAG, PORT}


def test_the_lines_of_topic_files_are_no_entries(tiered: Sandbox) -> None:
    told = json.loads(tiered.run("query", "--all", "--json", now=LATER).out)["entries"]
    assert {row["text"] for row in told} == set(KEYS)
    assert "not on record" not in tiered.run("status", now=LATER).out
    assert tiered.run("doctor", now=LATER).code == 0


def merged(tmp_path: Path, box: Sandbox, *, ours: str, theirs: str) -> tuple[int, str]:
    """The exit code and the text of a merge of two documents, whose base has one entry and no topic files."""
    frame = "# P\n\n<!-- intermem:begin -->\n{}## Rel\n\n- Never push.\n<!-- intermem:end -->\n"
    files = {name: tmp_path / f"{name}.md" for name in ("base", "ours", "theirs")}
    for name, lines in (("base", ""), ("ours", ours), ("theirs", theirs)):
        files[name].write_text(frame.format(f"{lines}\n" if lines else ""), encoding="utf-8")
    done = box.run("merge-driver", *(str(files[name]) for name in ("base", "ours", "theirs")), "AGENTS.md", code=None)
    return done.code, files["ours"].read_text(encoding="utf-8")


def test_the_lines_of_topic_files_merge_by_themselves(sandbox: Sandbox, tmp_path: Path) -> None:
    rel, tests = "- Rel: docs/intermem/rel.md\n", "- Tests: docs/intermem/tests.md\n"
    code, text = merged(tmp_path, sandbox, ours=rel, theirs=tests)
    assert code == 0 and text.count(rel) == text.count(tests) == 1 and "- Never push.\n" in text
    assert merged(tmp_path, sandbox, ours=rel, theirs=rel)[1].count(rel) == 1


@pytest.mark.parametrize("verb", ["demote", "reject"])
def test_its_line_goes_with_its_last_entry_by_hand_too(tiered: Sandbox, verb: str) -> None:
    tiered.run(verb, KEYS[PORT])
    assert PORT not in tiered.read(TESTING) and TESTING not in tiered.read() and RELEASING in tiered.read()
    tiered.run("sweep", "--check", now=LATER)


def test_a_line_for_a_file_that_is_not_read_stays(noted: Sandbox) -> None:
    noted.write("intermem.toml", TIERS)
    noted.run("promote", "--yes", "--limit", "3")
    own = "- Build: docs/intermem/build.md\n"
    noted.write("AGENTS.md", noted.read().replace("<!-- intermem:begin -->\n", f"<!-- intermem:begin -->\n{own}"))
    damaged = noted.read(RELEASING).replace("<!-- intermem:end -->\n", "")
    noted.write(RELEASING, damaged)
    noted.run("promote", "--yes", code=2)
    assert own in noted.read() and RELEASING in noted.read() and noted.read(RELEASING) == damaged


def test_a_check_of_one_topic_file_knows_what_names_it(tiered: Sandbox) -> None:
    tiered.run("check", TESTING, now=LATER)


def test_pages_of_others_are_not_checked(sandbox: Sandbox) -> None:
    for name in (TESTING, "mydocs/intermem/x.md"):
        sandbox.write(name, "See [it](gone.md).\n")
    assert sandbox.run("check", "--json").json["checked"] == ["AGENTS.md"]


def test_a_line_that_a_person_deleted_comes_back_only_with_an_entry_of_that_file(tiered: Sandbox) -> None:
    tiered.write("AGENTS.md", tiered.read().replace(f"- Testing: {TESTING}\n", ""))
    tiered.note(NOTES.replace(f"- {TAG}\n", ""))
    for day in ("01", "02"):
        tiered.run("sweep", now=f"2026-06-{day}T00:00:00Z")
    assert TAG not in tiered.read(RELEASING) and TESTING not in tiered.read() and RELEASING not in tiered.read()


@pytest.mark.parametrize("kind", ["file", "link"])
def test_a_folder_that_is_none_is_left_alone(noted: Sandbox, kind: str) -> None:
    noted.write("intermem.toml", TIERS)
    (noted.root / "docs").mkdir()
    if kind == "file":
        noted.write("docs/intermem", "mine\n")
    else:
        (noted.root / "other").mkdir()
        (noted.root / "docs/intermem").symlink_to("../other")
    said = noted.run("promote", "--yes", "--json").json
    why = {"file": "is not a folder", "link": "is a link"}[kind]
    assert {row["reason"] for row in said["refused"]} == {f"docs/intermem {why}"}
    assert PUSH in noted.read() and not [*noted.root.glob("other/*")]
    noted.run("sweep", "--check", now=LATER)


def committed(box: Sandbox) -> Sandbox:
    box.commit("notes")
    return box


def test_whoever_deletes_a_topic_file_takes_out_its_entries(tiered: Sandbox) -> None:
    committed(tiered).git("rm", "-q", TESTING)
    tiered.commit("no tests page")
    tiered.run("sweep", now=LATER)
    assert TESTING not in tiered.read() and RELEASING in tiered.read()
    (row,) = tiered.run("query", "--search", "5433", "--all", "--json", now=LATER).json["entries"]
    assert row["rejected_at"] is not None
    assert not [*tiered.root.glob(TESTING)]
    tiered.run("promote", "--yes", now="2026-01-05T00:00:00Z")
    assert PORT not in tiered.read() and not [*tiered.root.glob(TESTING)]
    tiered.commit("swept")
    tiered.run("sweep", "--check", now="2026-01-05T01:00:00Z")
    tiered.run("restore", KEYS[PORT], now="2026-01-05T02:00:00Z")


def test_a_topic_file_that_is_only_gone_from_the_checkout_is_refused_by_name(tiered: Sandbox) -> None:
    (committed(tiered).root / TESTING).unlink()
    said = tiered.run("sweep", now=LATER, code=2).err
    assert f"{TESTING} is missing" in said and f"git checkout HEAD -- {TESTING}" in said and f"git rm {TESTING}" in said
    assert TESTING in tiered.read()


@pytest.mark.parametrize("kind", ["link", "folder"])
def test_what_is_no_file_beside_topic_files_is_none_of_ours(tiered: Sandbox, tmp_path: Path, kind: str) -> None:
    strange = tiered.root / "docs/intermem/strange.md"
    if kind == "link":
        strange.symlink_to(tmp_path / "elsewhere.md")
    else:
        strange.mkdir()
    tiered.run("sweep", "--check", now=LATER)
    assert tiered.run("check", "--json", now=LATER).json["checked"] == ["AGENTS.md", RELEASING, TESTING]


def test_a_topic_file_has_a_title_and_no_budget(tiered: Sandbox) -> None:
    assert tiered.read(TESTING) == (
        f"# Project memory\n\n<!-- intermem:begin -->\n## Testing\n\n- {PORT}\n<!-- intermem:end -->\n"
    )
    broker = "Integration tests need 4 GB of memory in `src/app.py`, because each of them starts a broker."
    tiered.note(f"{NOTES}- {broker}\n")
    tiered.scans("2026-01-04", "2026-01-05", "2026-01-06")
    said = tiered.run("promote", "--yes", now="2026-01-06T01:00:00Z").out
    assert f"Promoted 1 entry into {TESTING}:" in said
    assert PORT in tiered.read(TESTING) and broker in tiered.read(TESTING)
    tiered.run("check", now="2026-01-06T02:00:00Z")
    documents = tiered.run("status", "--json", now="2026-01-06T02:00:00Z").json["documents"]
    assert [one["region"]["budget_tokens"] for one in documents] == [45, 0, 0]


def test_a_fact_goes_where_the_facts_of_its_section_are(tiered: Sandbox) -> None:
    tiered.write("intermem.toml", "tiers = true\n")  # there is room for everything
    broker = "Integration tests need 4 GB of memory in `src/app.py`, because each of them starts a broker."
    style = "The names of `src/app.py` are those of the protocol, because the docs are generated from both."
    tiered.note(f"{NOTES}- {broker}\n\n## Style\n\n- {style}\n")
    tiered.scans("2026-01-04", "2026-01-05", "2026-01-06")
    tiered.run("promote", "--yes", now="2026-01-06T01:00:00Z")
    assert broker in tiered.read(TESTING) and broker not in tiered.read() and style in tiered.read()


def test_a_new_wording_of_a_note_goes_where_the_former_one_stands(tiered: Sandbox) -> None:
    newer = PORT.replace("only pass", "pass only")
    tiered.note(NOTES.replace(PORT, newer))
    tiered.scans("2026-01-04", "2026-01-05", "2026-01-06")
    tiered.run("promote", "--yes", now="2026-01-06T01:00:00Z")
    assert newer in tiered.read(TESTING) and PORT not in tiered.read(TESTING)


def test_one_pattern_merges_all_topic_files(tiered: Sandbox) -> None:
    tiered.run("init", "--merge-driver", now=LATER)
    assert tiered.read(".gitattributes") == "AGENTS.md merge=intermem\ndocs/intermem/*.md merge=intermem\n"
    said = tiered.run("init", "--remove", "--target", TESTING, now=LATER)
    assert "docs/intermem/*.md" in tiered.read(".gitattributes") and TESTING not in tiered.read()
    assert "topic files stay" not in said.err
    assert f"topic files stay: {RELEASING}" in tiered.run("init", "--remove", now=LATER).err


def test_a_file_that_has_entries_again_has_its_line_again(tiered: Sandbox) -> None:
    tiered.run("demote", KEYS[PORT], now=LATER)
    assert TESTING not in tiered.read()
    tiered.run("restore", KEYS[PORT], now="2026-01-03T03:00:00Z")
    assert PORT in tiered.read(TESTING) and f"- Testing: {TESTING}\n" in tiered.read()


def test_a_topic_file_may_be_renamed(tiered: Sandbox) -> None:
    committed(tiered).git("mv", TESTING, "docs/intermem/tests.md")
    tiered.commit("mv")
    tiered.run("sweep", now=LATER)
    assert "- Testing: docs/intermem/tests.md\n" in tiered.read() and TESTING not in tiered.read()
    tiered.run("check", now=LATER)


def test_the_line_of_a_file_that_was_emptied_by_hand_goes(tiered: Sandbox) -> None:
    text = tiered.read(TESTING)
    committed(tiered).write(TESTING, text.replace(f"## Testing\n\n- {PORT}\n", ""))
    tiered.commit("nothing left to say")
    tiered.run("sweep", now=LATER)
    assert TESTING not in tiered.read() and RELEASING in tiered.read()


def test_a_topic_file_of_a_project_in_a_folder_has_no_budget_either(sandbox: Sandbox) -> None:
    project = Sandbox(sandbox.root / "pkg", sandbox.memory, sandbox.capture)
    project.root.mkdir()
    entries = "".join(f"- Entry {n} of many, which says what nobody reads.\n" for n in range(60))
    project.write("AGENTS.md", f"- Many: {TESTING}\n")
    project.write(TESTING, f"# Many\n\n<!-- intermem:begin -->\n{entries}<!-- intermem:end -->\n")
    codes = [one["code"] for one in project.run("check", "--json", code=None).json["findings"]]
    assert "IM030" not in codes
    project.write("AGENTS.md", f"<!-- intermem:begin -->\n{entries}<!-- intermem:end -->\n")
    assert "IM030" in [one["code"] for one in project.run("check", "--json", code=None).json["findings"]]


@pytest.mark.parametrize(
    "line",
    [
        f"- [How we test]({TESTING})",
        f"- Read `{TESTING}` before you touch a test.",
        f"- For tests see {TESTING}.",
        f"- Before you touch a test,\n  read {TESTING}",
    ],
)
def test_a_line_may_be_said_in_other_words(tiered: Sandbox, line: str) -> None:
    tiered.write("AGENTS.md", tiered.read().replace(f"- Testing: {TESTING}\n", f"{line}\n"))
    newer = "Tests of the parser need `src/app.py` built first, because they import the extension."
    tiered.note(f"{NOTES}- {newer}\n")
    for day in ("04", "05", "06"):
        tiered.run("scan", now=f"2026-01-{day}T00:00:00Z")
    tiered.run("promote", "--yes", now="2026-01-06T01:00:00Z")
    assert newer in tiered.read(TESTING)
    assert line in tiered.read() and tiered.read().count(TESTING) == 1
    rows = tiered.run("query", "--all", "--json", now="2026-01-06T02:00:00Z").json["entries"]
    assert not [row for row in rows if TESTING in row["text"]]
    tiered.write(TESTING, "# Testing\n\n<!-- intermem:begin -->\n<!-- intermem:end -->\n")
    tiered.run("sweep", now="2026-01-06T03:00:00Z")
    assert line in tiered.read(), "who wrote it may remove it"


def test_a_note_that_names_a_topic_file_is_no_entry(noted: Sandbox) -> None:
    noted.write("intermem.toml", "tiers = true\n")
    text = f"Read {TESTING} before you touch a test, or it fails."
    noted.run("promote", KEYS[PUSH], "--text", text, "--yes", code=1)
    assert f"the line that names {TESTING}" in noted.run("promote", KEYS[PUSH], "--text", text, "--yes", code=1).out
    assert text not in noted.read()


def test_a_line_below_a_heading_outlives_the_entries_there(tiered: Sandbox) -> None:
    line = f"- Testing: {TESTING}\n"
    tiered.write("AGENTS.md", tiered.read().replace(line, "").replace(f"- {TESTS}\n", f"{line}- {TESTS}\n"))
    tiered.run("demote", KEYS[TESTS], now=LATER)
    assert f"### Testing\n\n{line}" in tiered.read() and TESTS not in tiered.read()


def test_restore_makes_a_deleted_topic_file_again(tiered: Sandbox) -> None:
    committed(tiered).git("rm", "-q", TESTING)
    tiered.commit("rm")
    tiered.run("sweep", now=LATER)
    assert TESTING not in tiered.read()
    tiered.run("restore", KEYS[PORT], now="2026-01-03T03:00:00Z")
    assert PORT in tiered.read(TESTING) and PORT not in tiered.read()
    assert tiered.read(TESTING).startswith("# Project memory\n") and f"- Testing: {TESTING}\n" in tiered.read()
    tiered.run("check", now="2026-01-03T04:00:00Z")


def test_a_refused_restore_does_not_say_that_nothing_was_written_where_something_is(tiered: Sandbox) -> None:
    committed(tiered).git("rm", "-q", TESTING)
    tiered.commit("no tests page")
    tiered.write(".gitignore", "docs/intermem/testing*\n")
    said = tiered.run("restore", KEYS[PORT], now=LATER, code=1).out
    assert f"Refused {KEYS[PORT][:8]}: {TESTING} is ignored by git: topic files are" in said
    assert f"AGENTS.md: the line of {TESTING} removed" in said and TESTING not in tiered.read()
    assert "nothing was written" not in said


@pytest.fixture
def unlisted(sandbox: Sandbox) -> Sandbox:
    """A committed AGENTS.md and topic file with the line of one fact, and no ledger."""
    sandbox.write("intermem.toml", "tiers = true\n")
    sandbox.write("AGENTS.md", f"<!-- intermem:begin -->\n- {PUSH}\n\n## Testing\n\n- {PORT}\n<!-- intermem:end -->\n")
    sandbox.commit("by hand")
    sandbox.run("migrate", "--yes")
    sandbox.commit("migrated")
    assert PORT in sandbox.read(TESTING) and not [*sandbox.root.glob(".intermem/ledger")]
    return sandbox


@pytest.mark.parametrize("ledger", [False, True])
@pytest.mark.parametrize("verb", [("sweep",), ("doctor", "--repair")])
def test_the_line_of_a_deleted_topic_file_leaves_and_restore_brings_both_back(
    unlisted: Sandbox, verb: tuple[str, ...], ledger: bool
) -> None:
    if ledger:
        unlisted.run("pin", identity(PUSH))
        unlisted.commit("pinned")
    unlisted.git("rm", "-q", TESTING)
    unlisted.commit("no tests page")
    head = unlisted.git("rev-parse", "HEAD").strip()
    found = unlisted.run("doctor", now=LATER, code=1).out
    assert f"AGENTS.md names {TESTING}, which has no entries any more" in found
    unlisted.run(*verb, now=LATER)
    assert TESTING not in unlisted.read()
    assert head[:10] in unlisted.run("why", identity(PORT), now=LATER).out
    unlisted.commit("swept")
    assert "No problems found." in unlisted.run("doctor", now=LATER).out
    unlisted.run("restore", identity(PORT), now="2026-01-03T03:00:00Z")
    assert PORT in unlisted.read(TESTING) and PORT not in unlisted.read() and TESTING in unlisted.read()


def test_a_restore_into_an_ignored_topic_file_is_refused_each_time_and_the_rest_is_done(unlisted: Sandbox) -> None:
    unlisted.git("rm", "-q", TESTING)
    unlisted.write("AGENTS.md", unlisted.read().replace(f"- {PUSH}\n", ""))
    unlisted.write(".gitignore", "docs/intermem/\n")
    unlisted.commit("no tests page")
    said = unlisted.run("restore", identity(PORT), identity(PUSH), "--json", now=LATER, code=1).json
    assert [one["text"] for one in said["restored"]] == [PUSH]
    (row,) = said["refused"]
    why = f"{TESTING} is ignored by git: topic files are committed with the documents"
    assert row["entry"]["text"] == PORT and row["reason"].startswith(why)
    again = unlisted.run("restore", identity(PORT), "--json", now="2026-01-03T03:00:00Z", code=1).json
    assert [(one["gate"], one["reason"]) for one in again["refused"]] == [(row["gate"], row["reason"])]
    assert f"{TESTING} is ignored by git" in unlisted.run("restore", identity(PORT), now=LATER, code=1).out
    assert PORT not in unlisted.read()


def test_the_line_of_a_topic_file_that_was_emptied_leaves_without_a_ledger(unlisted: Sandbox) -> None:
    unlisted.write(TESTING, unlisted.read(TESTING).replace(f"- {PORT}\n", ""))
    unlisted.commit("emptied")
    unlisted.run("sweep", now=LATER)
    assert TESTING not in unlisted.read()


@pytest.mark.parametrize("verb", [("sweep",), ("doctor", "--repair")])
def test_a_renamed_topic_file_keeps_its_line_without_a_ledger(unlisted: Sandbox, verb: tuple[str, ...]) -> None:
    unlisted.git("mv", TESTING, "docs/intermem/tests.md")
    unlisted.commit("renamed")
    unlisted.run(*verb, now=LATER)
    assert "- Testing: docs/intermem/tests.md\n" in unlisted.read() and TESTING not in unlisted.read()


def test_a_line_of_a_topic_file_that_never_was_stays(unlisted: Sandbox) -> None:
    unlisted.write("AGENTS.md", unlisted.read().replace("- Testing:", "- Later: docs/intermem/later.md\n- Testing:"))
    unlisted.commit("a plan")
    unlisted.run("sweep", now=LATER)
    assert "docs/intermem/later.md" in unlisted.read()
    assert "No problems found." in unlisted.run("doctor", now=LATER).out


@pytest.mark.parametrize("kind", ["link", "folder", "ignored"])
def test_what_is_in_the_way_of_a_topic_file_is_said(tiered: Sandbox, kind: str) -> None:
    committed(tiered).git("rm", "-q", TESTING)
    tiered.commit("rm")
    tiered.run("sweep", now=LATER)
    if kind == "ignored":
        tiered.write(".gitignore", "docs/intermem/testing*\n")
    path = tiered.root / TESTING
    path.parent.mkdir(parents=True, exist_ok=True)
    if kind == "link":
        path.symlink_to("elsewhere.md")
    elif kind == "folder":
        path.mkdir()
    before = tiered.read()
    said = tiered.run("restore", KEYS[PORT], now="2026-01-03T03:00:00Z", code=1).out
    words = {"link": f"{TESTING} is a link", "folder": f"{TESTING} is a folder", "ignored": "is ignored by git"}
    assert words[kind] in " ".join(said.split()) and tiered.read() == before


def test_entries_of_an_ignored_topic_file_are_not_taken_out_where_it_is_missing(tiered: Sandbox) -> None:
    committed(tiered).write(".gitignore", "docs/intermem/\n")
    tiered.git("rm", "-q", "--cached", TESTING)
    tiered.commit("ignored")
    (tiered.root / TESTING).unlink()
    said = tiered.run("sweep", now=LATER, code=2).err
    assert f"{TESTING} is missing" in said and "hint: git ignores it" in said
    assert "0 rejected; 4 promoted" in tiered.run("status", now=LATER, code=2).out


def test_a_topic_file_that_was_deleted_before_git_ignored_it_takes_its_entries_along(tiered: Sandbox) -> None:
    committed(tiered).git("rm", "-q", TESTING)
    tiered.commit("no tests page")
    tiered.write(".gitignore", "docs/intermem/\n")
    tiered.run("status", now=LATER)
    assert "ignores" not in tiered.run("doctor", now=LATER, code=1).out
    tiered.run("sweep", now=LATER)
    (row,) = tiered.run("query", "--search", "5433", "--all", "--json", now=LATER).json["entries"]
    assert row["rejected_at"] is not None and TESTING not in tiered.read()
    assert "is ignored by git" in " ".join(tiered.run("restore", KEYS[PORT], now=LATER, code=1).out.split())


def test_an_emptied_file_has_lost_its_region(tiered: Sandbox) -> None:
    committed(tiered).write(TESTING, "")
    assert f"{TESTING} has lost its region" in tiered.run("sweep", now=LATER, code=2).err
    codes = [(one["code"], one["file"]) for one in tiered.run("check", "--json", now=LATER, code=1).json["findings"]]
    assert ("IM010", TESTING) in codes


def test_the_same_entry_in_both_tiers_is_a_finding(tiered: Sandbox) -> None:
    tiered.write("AGENTS.md", tiered.read().replace(f"- {TESTS}\n", f"- {TESTS}\n- {PORT}\n"))
    tiered.write("intermem.toml", "tiers = true\n")
    findings = tiered.run("check", "--json", now=LATER, code=1).json["findings"]
    assert [(one["code"], one["file"], one["message"]) for one in findings] == [
        ("IM015", TESTING, f"{KEYS[PORT][:8]} stands in AGENTS.md:18 too")
    ]
    assert f"{KEYS[PORT][:8]} stands in AGENTS.md:18 too" in said_of(tiered.run("doctor", now=LATER, code=1).out)
    said = tiered.run("sweep", now=LATER)
    assert "as does a document above it" in said.err and "moved" not in said.out
    tiered.run("init", "--remove", "--target", TESTING, now="2026-01-03T03:00:00Z")
    (row,) = [one for one in tiered.run("query", "--all", "--json").json["entries"] if one["id"] == KEYS[PORT]]
    assert PORT in tiered.read() and row["status"] == "active"


def test_the_same_entry_in_two_documents_is_a_finding_where_one_imports_the_other(tiered: Sandbox) -> None:
    tiered.write("intermem.toml", "targets = ['AGENTS.md', 'CLAUDE.md']\ntiers = true\n")
    tiered.write("CLAUDE.md", tiered.read())
    assert "IM015" not in dict(told(tiered))
    said = next(one for one in tiered.run("status", now=LATER).out.splitlines() if "CLAUDE.md" in one)
    assert ", 2 entries (2 of another document), " in said and "not on record" not in said
    tiered.run("doctor", now=LATER)
    tiered.write("CLAUDE.md", f"@AGENTS.md\n{tiered.read()}")
    findings = tiered.run("check", "--json", now=LATER, code=1).json["findings"]
    line = next(one for one, text in enumerate(tiered.read().splitlines(), start=1) if TESTS in text)
    doubled = [(one["code"], one["file"], one["message"]) for one in findings if one["code"] == "IM015"]
    assert len(doubled) == 2 and doubled[1:] == [
        ("IM015", "CLAUDE.md", f"{KEYS[TESTS][:8]} stands in AGENTS.md:{line} too")
    ]
    assert f"stands in AGENTS.md:{line} too" in said_of(tiered.run("doctor", now=LATER, code=1).out)


def test_a_line_that_a_merge_lost_is_written_again(tiered: Sandbox) -> None:
    text = tiered.read()
    line = f"- Testing: {TESTING}\n"
    tiered.write("AGENTS.md", text.replace(line, ""))
    assert f"no document names {TESTING}" in " ".join(tiered.run("doctor", now=LATER, code=1).out.split())
    assert line not in tiered.read()
    tiered.run("doctor", "--repair", now=LATER)
    assert line in tiered.read()
    tiered.run("check", now=LATER)


def test_a_new_region_names_the_topic_files_that_stayed(tiered: Sandbox) -> None:
    tiered.run("init", "--remove", now=LATER)
    assert TESTING not in tiered.read()
    tiered.run("init", now="2026-01-03T03:00:00Z")
    assert f"- Testing: {TESTING}\n" in tiered.read() and f"- Releasing: {RELEASING}\n" in tiered.read()


def test_what_the_other_tier_says_already_is_not_said_again(tiered: Sandbox) -> None:
    said = "The slow tests only pass with one database on port 5433, as 5432 is the developer's own."
    tiered.write("intermem.toml", "tiers = true\n")
    tiered.note(f"## Other\n\n- {said}\n{NOTES}")
    for day in ("04", "05", "06"):
        tiered.run("scan", now=f"2026-01-{day}T00:00:00Z")
    found = tiered.run("promote", "--yes", "--json", now="2026-01-06T01:00:00Z").json
    (row,) = [one for one in found["refused"] if one["entry"]["text"] == said]
    assert row["gate"] == "duplicate" and row["reason"].startswith(f"{TESTING} says so already")
    assert said not in tiered.read()


def test_a_promotion_says_that_topic_files_belong_in_the_commit(noted: Sandbox) -> None:
    noted.write("intermem.toml", TIERS)
    said = " ".join(noted.run("promote", "--yes").out.split())
    assert "commit .intermem and docs/intermem with the documents" in said
    said = " ".join(noted.run("demote", KEYS[PUSH], now=LATER).out.split())
    assert "commit .intermem with the documents" in said


@pytest.mark.parametrize("verb", ["status", "doctor"])
def test_a_topic_file_that_git_does_not_track_is_named(tiered: Sandbox, verb: str) -> None:
    tiered.git("add", "AGENTS.md", ".intermem", RELEASING)
    tiered.git("commit", "-qm", "all but one")
    said = " ".join(tiered.run(verb, now=LATER).err.split())
    assert f"{TESTING} is not in git yet: commit it together with .intermem" in said
    assert "AGENTS.md is" not in said and f"{RELEASING} is" not in said
    tiered.write(".gitignore", "docs/intermem/testing*\n")
    said = " ".join(tiered.run(verb, now=LATER).err.split())
    assert f"{TESTING} is ignored by git: no other clone has it" in said
    tiered.git("add", "-f", TESTING)
    assert TESTING not in tiered.run(verb, now=LATER).err


def test_the_limit_takes_the_best_whatever_file_they_go_into(noted: Sandbox) -> None:
    noted.write("intermem.toml", "tiers = true\n")
    best = by_worth(noted)
    assert len(best) == 4
    for limit in (1, 2, 3):
        told = noted.run("promote", "--tier", "2", "--limit", str(limit), "--dry-run", "--json").json
        assert {row["text"] for row in told["promoted"]} == set(best[:limit])
        assert {row["gate"] for row in told["refused"]} == {"limit"}


def by_worth(box: Sandbox) -> list[str]:
    """The texts of all that could be promoted, best first."""
    rows = box.run("promote", "--tier", "2", "--dry-run", "--json").json["promoted"]
    worth = {row["text"]: box.run("why", row["id"], "--json").json["worth"] for row in rows}
    assert len(set(worth.values())) == len(worth)
    return sorted(worth, key=lambda text: -worth[text])


BROKER = "Integration tests need 4 GB of memory in `src/app.py`, because each of them starts a broker."


def test_a_fact_goes_into_the_renamed_file_of_its_section(tiered: Sandbox) -> None:
    renamed = "docs/intermem/quality.md"
    committed(tiered).git("mv", TESTING, renamed)
    tiered.commit("mv")
    tiered.run("sweep", now=LATER)
    tiered.note(f"{NOTES}- {BROKER}\n")
    tiered.scans("2026-01-04", "2026-01-05", "2026-01-06")
    tiered.run("promote", "--yes", now="2026-01-06T01:00:00Z")
    assert BROKER in tiered.read(renamed) and not (tiered.root / TESTING).exists()
    assert tiered.read().count("Testing: ") == 1


def test_facts_of_a_section_stay_together_where_their_file_is_empty(tiered: Sandbox) -> None:
    tiered.note(NOTES.replace(f"- {PORT}\n", ""))
    for day in ("01", "02"):
        tiered.run("sweep", now=f"2026-03-{day}T00:00:00Z")
    assert PORT not in tiered.read(TESTING)
    tiered.write("intermem.toml", "tiers = true\n")  # there is room for both
    tiered.note(f"{NOTES}- {BROKER}\n")
    tiered.scans("2026-03-04", "2026-03-05", "2026-03-06")
    tiered.run("promote", "--yes", now="2026-03-06T01:00:00Z")
    assert PORT in tiered.read(TESTING) and BROKER in tiered.read(TESTING)


@pytest.mark.parametrize("verb", ["promote", "migrate"])
def test_sections_whose_names_differ_in_signs_have_files_of_their_own(noted: Sandbox, verb: str) -> None:
    noted.note(f"## C++\n\n- {TAG}\n\n## C#\n\n- {PORT}\n")
    noted.scans("2026-01-04", "2026-01-05", "2026-01-06")
    noted.write("intermem.toml", "tiers = true\n")
    noted.run("promote", "--yes", *(["--tier", "2"] if verb == "promote" else []), now="2026-01-06T01:00:00Z")
    if verb == "migrate":
        noted.run("migrate", "--yes", now="2026-01-06T02:00:00Z")
    lines = [line for line in noted.read().splitlines() if "docs/intermem" in line]
    (plus,) = [line.removeprefix("- C++: ") for line in lines if line.startswith("- C++: ")]
    (sharp,) = [line.removeprefix("- C#: ") for line in lines if line.startswith("- C#: ")]
    assert TAG in noted.read(plus) and PORT in noted.read(sharp) and plus != sharp


def said_of(out: str) -> str:
    """What a run printed, its wrapped lines joined."""
    return " ".join(out.split())


def test_a_promotion_removes_the_line_of_a_deleted_topic_file(tiered: Sandbox) -> None:
    committed(tiered).git("rm", "-q", TESTING)
    tiered.commit("no tests page")
    line = f"AGENTS.md: the line of {TESTING}"
    assert f"{line} would be removed" in said_of(tiered.run("sweep", "--check", now=LATER, code=1).out)
    assert f"{line} would be removed" in said_of(tiered.run("promote", "--dry-run", now=LATER).out)
    assert TESTING in tiered.read()
    assert f"{line} removed" in said_of(tiered.run("promote", "--yes", now=LATER).out)
    assert TESTING not in tiered.read() and RELEASING in tiered.read()
    tiered.run("check", now=LATER)
    tiered.run("sweep", "--check", now=LATER)


def test_what_adds_or_removes_a_line_says_so(noted: Sandbox) -> None:
    noted.write("intermem.toml", TIERS)
    said = said_of(noted.run("promote", "--yes").out)
    assert f"AGENTS.md: the lines of {RELEASING}, {TESTING} added" in said
    line = f"AGENTS.md: the line of {TESTING}"
    assert f"{line} removed" in said_of(noted.run("demote", KEYS[PORT], now=LATER).out)
    assert f"{line} added" in said_of(noted.run("restore", KEYS[PORT], now=LATER).out)
    assert "AGENTS.md: the line" not in said_of(noted.run("demote", KEYS[PUSH], now=LATER).out)


def test_the_lines_are_those_of_the_first_document_whatever_the_target_is(tiered: Sandbox) -> None:
    tiered.write("intermem.toml", f'targets = ["AGENTS.md", "CLAUDE.md"]\n{TIERS}')
    tiered.write("CLAUDE.md", "# Claude\n\n<!-- intermem:begin -->\n<!-- intermem:end -->\n")
    tiered.note(f"{NOTES}- {BROKER}\n")
    tiered.scans("2026-01-04", "2026-01-05", "2026-01-06")
    tiered.run("promote", "--yes", "--target", "CLAUDE.md", now="2026-01-06T01:00:00Z")
    assert BROKER in tiered.read(TESTING)
    assert tiered.read().count(TESTING) == 1 and TESTING not in tiered.read("CLAUDE.md")


@pytest.mark.parametrize("after", [f"Read {TESTING} before you touch a test.", f"@{TESTING}", f"[How](./{TESTING})"])
def test_a_sentence_outside_the_region_names_a_topic_file_too(tiered: Sandbox, after: str) -> None:
    own = (
        tiered.read()
        .replace(f"- Testing: {TESTING}\n", "")
        .replace("<!-- intermem:begin", f"{after}\n\n<!-- intermem:begin")
    )
    tiered.write("AGENTS.md", own)
    tiered.run("check", now=LATER)
    tiered.note(f"{NOTES}- {BROKER}\n")
    tiered.scans("2026-01-04", "2026-01-05", "2026-01-06")
    tiered.run("promote", "--yes", now="2026-01-06T01:00:00Z")
    assert BROKER in tiered.read(TESTING) and tiered.read() == own


@pytest.mark.parametrize("words", ["{}.bak", "my-{}", "x/{}", "<!-- {} -->", "<!--\n{}\n-->"])
def test_what_only_looks_like_its_path_names_no_topic_file(tiered: Sandbox, words: str) -> None:
    instead = words.format(TESTING)
    tiered.write("AGENTS.md", f"{tiered.read().replace(f'- Testing: {TESTING}' + chr(10), '')}\n{instead}\n")
    findings = tiered.run("check", "--json", now=LATER, code=None).json["findings"]
    assert "IM014" in [one["code"] for one in findings]
    tiered.run("doctor", "--repair", now=LATER)
    assert f"- Testing: {TESTING}\n" in tiered.read() and instead in tiered.read()


def without_room(box: Sandbox, *arguments: str) -> dict[str, str]:
    """The reasons of what finds no room, by text."""
    told = box.run("promote", *arguments, "--dry-run", "--json", now=LATER).json
    return {row["entry"]["text"]: row["reason"] for row in told["refused"] if row["gate"] == "budget"}


def test_migrate_is_named_only_to_rules_and_where_it_would_move_something(noted: Sandbox) -> None:
    noted.run("promote", KEYS[PUSH], "--yes")
    noted.write("intermem.toml", "tiers = true\n[promote]\nbudget_entries = 1\n")
    assert set(without_room(noted, "--tier", "1")) == {TAG, TESTS, PORT}
    assert not [why for why in without_room(noted, "--tier", "1").values() if "migrate" in why], "a rule stays"
    noted.run("demote", KEYS[PUSH])
    noted.run("promote", KEYS[TAG], "--tier", "1", "--yes", now="2026-01-03T01:30:00Z")
    reasons = without_room(noted, "--tier", "1")
    assert {text for text, why in reasons.items() if "intermem migrate makes room for rules" in why} == {TESTS}
    assert PORT in reasons
    noted.run("pin", KEYS[TAG])
    assert "migrate" not in without_room(noted)[TESTS]


def test_a_heading_that_is_no_topic_names_no_file(noted: Sandbox) -> None:
    noted.run("promote", "--yes")
    heading = "How the releases of this project are made, and what a maintainer has to know of them"
    noted.write("AGENTS.md", noted.read().replace("### Releasing", f"### {heading}"))
    noted.write("intermem.toml", "tiers = true\n")
    told = noted.run("migrate", "--yes", "--json", now=LATER).json
    assert told["documents"] == {KEYS[TAG]: "docs/intermem/general.md", KEYS[PORT]: TESTING}
    assert f"## {heading}\n\n- {TAG}\n" in noted.read("docs/intermem/general.md")


def test_what_is_pinned_is_not_moved(noted: Sandbox) -> None:
    noted.run("promote", "--yes")
    noted.run("pin", KEYS[TAG])
    noted.write("intermem.toml", "tiers = true\n")
    told = noted.run("migrate", "--yes", "--json", now=LATER).json
    assert told["documents"] == {KEYS[PORT]: TESTING} and TAG in noted.read()


@pytest.mark.parametrize("target", ["AGENTS.md", TESTING])
def test_a_target_and_the_second_tier_exclude_each_other(tiered: Sandbox, target: str) -> None:
    said = tiered.run("promote", "--tier", "2", "--target", target, code=2).err
    assert "--tier 2 writes into the topic file of each section: it cannot be combined with --target\n" in said


def test_candidates_are_not_listed_by_tier(tiered: Sandbox) -> None:
    said = tiered.run("promote", "--candidates", "--tier", "2", code=2).err
    assert "--candidates lists the same for both tiers: it cannot be combined with --tier\n" in said


HEAP = "Use the small heap for the broker."  # a rule, and worth less than the facts


def test_rules_get_the_room_of_the_first_tier_before_facts_that_are_worth_more(noted: Sandbox) -> None:
    noted.note(NOTES + f"- {BROKER}\n- {HEAP}\n")
    noted.scans("2026-01-04", "2026-01-05", "2026-01-06")
    noted.write("intermem.toml", "tiers = true\n[promote]\nbudget_entries = 3\n")
    noted.now = "2026-01-06T01:00:00Z"
    best = by_worth(noted)
    assert best.index(HEAP) > min(best.index(fact) for fact in (TAG, PORT, BROKER))
    said = noted.run("promote", "--yes", "--json").json
    assert not said["refused"]
    assert all(text in noted.read() for text in (PUSH, TESTS, HEAP))
    assert all(text not in noted.read() for text in (TAG, PORT, BROKER))


def test_facts_take_the_room_in_which_no_rule_fits(noted: Sandbox) -> None:
    noted.note(f"## Testing\n\n- {PORT}\n- {TESTS} {TESTS.replace('tests', 'checks')} {'x' * 90}\n")
    noted.scans("2026-01-04", "2026-01-05", "2026-01-06")
    noted.write("intermem.toml", TIERS)
    said = noted.run("promote", "--yes", "--json", now="2026-01-06T01:00:00Z").json
    assert "budget" in [row["gate"] for row in said["refused"]]
    assert PORT in noted.read()


def test_one_run_does_not_split_a_section_over_both_tiers(noted: Sandbox) -> None:
    noted.note(NOTES + f"- {BROKER}\n")
    noted.scans("2026-01-04", "2026-01-05", "2026-01-06")
    noted.now = "2026-01-06T01:00:00Z"
    for room in range(1, 6):
        noted.write("intermem.toml", f"tiers = true\n[promote]\nbudget_entries = {room}\n")
        noted.run("promote", "--yes")
        first = noted.read()
        assert (PORT in first) == (BROKER in first), room
        noted.run("undo")


def test_the_first_refusal_of_a_rule_names_migrate(noted: Sandbox) -> None:
    noted.note(NOTES + f"- {HEAP}\n")
    noted.scans("2026-01-04", "2026-01-05", "2026-01-06")
    noted.write("intermem.toml", "tiers = true\n[promote]\nbudget_entries = 3\n")
    told = noted.run("promote", "--tier", "1", "--dry-run", "--json", now="2026-01-06T01:00:00Z").json
    reasons = {row["entry"]["text"]: row["reason"] for row in told["refused"] if row["gate"] == "budget"}
    assert HEAP in reasons, "facts of the same run stand there"
    assert [text for text, why in reasons.items() if "intermem migrate makes room for rules" in why] == [HEAP]


def in_conflict(box: Sandbox) -> None:
    """Two branches add a rule to the same place of AGENTS.md, and merge."""
    box.commit("notes")
    box.git("branch", "other")
    for branch, rule in (("other", "- Never eat here.\n"), ("main", "- Never sleep here.\n")):
        box.git("checkout", "-q", branch)
        box.write("AGENTS.md", box.read().replace(f"- {PUSH}", f"{rule}- {PUSH}"))
        box.commit(branch)
    named = ("-c", "user.name=Test", "-c", "user.email=test@example.invalid")
    subprocess.run(["git", *named, "merge", "-q", "other"], cwd=box.root, capture_output=True, check=False)


def test_what_names_topic_files_is_not_judged_while_the_document_is_in_conflict(tiered: Sandbox) -> None:
    in_conflict(tiered)
    assert "<<<<<<<" in tiered.read()
    (found,) = tiered.run("doctor", "--json", code=1, now=LATER).json["findings"]
    assert found["code"] == "conflict"
    said = tiered.run("doctor", "--repair", now=LATER).out
    assert "the entries of both sides are kept" in said and "topic" not in said and " added" not in said
    assert tiered.read().count(RELEASING) == 1 and "<<<<<<<" not in tiered.read()


def test_a_line_that_a_person_added_moves_once_it_is_no_longer_pinned(noted: Sandbox) -> None:
    noted.run("promote", KEYS[PUSH], "--yes")
    noted.write("AGENTS.md", noted.read().replace(f"- {PUSH}", f"- {PUSH}\n- {BROKER}"))
    noted.write("intermem.toml", "tiers = true\n")
    noted.run("sweep", now=LATER)
    assert "Nothing to move" in noted.run("migrate", "--yes", code=1, now=LATER).out
    noted.run("pin", identity(BROKER), "--remove", now=LATER)
    noted.run("migrate", "--yes", now=LATER)
    assert BROKER in noted.read(RELEASING) and BROKER not in noted.read()


@pytest.mark.parametrize("how", ["--yes", "--candidates"])
def test_a_topic_file_is_no_target_where_the_second_tier_is_off(tiered: Sandbox, how: str) -> None:
    tiered.write("intermem.toml", "")
    said = tiered.run("promote", "--target", TESTING, how, now=LATER, code=2).err
    assert "the second tier is off" in said and "tiers = true" in said


def test_an_untracked_topic_file_is_committed_with_the_ledger_where_there_is_one(noted: Sandbox) -> None:
    noted.write("AGENTS.md", f"# P\n\n<!-- intermem:begin -->\n## Testing\n\n- {PORT}\n<!-- intermem:end -->\n")
    noted.write("intermem.toml", "tiers = true\n")
    noted.run("sweep")
    noted.run("migrate", "--yes", now=LATER)
    assert PORT in noted.read(TESTING) and not (noted.root / ".intermem").exists()
    for verb in ("status", "doctor"):
        said = " ".join(noted.run(verb, now=LATER).err.split())
        assert (
            f"{TESTING} is not in git yet: commit it, so that other clones have it" in said and ".intermem" not in said
        )
