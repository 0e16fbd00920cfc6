"""Day one: what the memory itself proves counts as observation (DESIGN.md §5)."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.conftest import Outcome, Sandbox, git

NOTE = "Prefer short functions."
OTHER = "Tests never use the network."
NOW = datetime(2026, 1, 1, tzinfo=UTC)
DAY, HOUR = timedelta(days=1), timedelta(hours=1)


def aged(path: Path, age: timedelta) -> None:
    """Let the file at ``path`` be unchanged for ``age``."""
    moment = (NOW - age).timestamp()
    os.utime(path, (moment, moment))


def seen(box: Sandbox, text: str = NOTE) -> tuple[int, str]:
    entry = box.entries()[text]
    return entry["snapshot_count"], entry["first_seen"]


# A memory outside the repository: how long its files are unchanged


@pytest.mark.parametrize(
    ("age", "count", "first"),
    [
        (DAY - timedelta(seconds=1), 1, "2026-01-01T00:00:00Z"),
        (DAY, 2, "2025-12-31T00:00:00Z"),
        (7 * DAY - timedelta(seconds=1), 2, "2025-12-25T00:00:01Z"),
        (7 * DAY, 3, "2025-12-25T00:00:00Z"),
        (70 * DAY, 3, "2025-10-23T00:00:00Z"),
        (-70 * DAY, 1, "2026-01-01T00:00:00Z"),
    ],
)
def test_a_file_unchanged_for_a_day_counts_once_more_and_for_a_week_twice(
    sandbox: Sandbox, age: timedelta, count: int, first: str
) -> None:
    aged(sandbox.note(f"- {NOTE}\n"), age)
    sandbox.run("scan")
    assert seen(sandbox) == (count, first)


def test_the_first_scan_of_a_memory_that_is_a_week_old_offers_candidates(sandbox: Sandbox) -> None:
    aged(sandbox.note(f"- {NOTE}\n- {OTHER}\n"), 8 * DAY)
    assert "2 entries are stable: intermem promote\n" in sandbox.run("scan").out
    assert len(sandbox.run("promote", "--yes", "--json").json["promoted"]) == 2


def test_a_memory_outside_git_is_as_old_as_its_files(sandbox: Sandbox) -> None:
    shutil.rmtree(sandbox.root / ".git")
    aged(sandbox.note(f"- {NOTE}\n"), 8 * DAY)
    sandbox.run("scan")
    assert seen(sandbox)[0] == 3


def test_a_note_in_two_files_is_as_old_as_the_older_one(sandbox: Sandbox) -> None:
    aged(sandbox.note(f"- {NOTE}\n"), 2 * DAY)
    aged(sandbox.note(f"- {NOTE}\n", "topic.md"), 8 * DAY)
    sandbox.run("scan")
    assert seen(sandbox) == (3, "2025-12-24T00:00:00Z")


def test_observations_are_scan_min_interval_apart(sandbox: Sandbox) -> None:
    sandbox.write("intermem.toml", '[scan]\nmin_interval = "5d"\n')
    aged(sandbox.note(f"- {NOTE}\n"), 8 * DAY)
    sandbox.run("scan")
    assert seen(sandbox) == (2, "2025-12-24T00:00:00Z")


def test_what_has_a_record_is_counted_by_snapshots_alone(sandbox: Sandbox) -> None:
    path = sandbox.note(f"- {NOTE}\n")
    sandbox.run("scan")
    aged(path, 30 * DAY)
    sandbox.run("scan", now="2026-01-01T00:30:00Z")
    assert seen(sandbox) == (1, "2026-01-01T00:00:00Z")
    sandbox.run("scan", now="2026-01-01T01:00:00Z")
    assert seen(sandbox)[0] == 2


def test_history_says_what_was_counted(sandbox: Sandbox) -> None:
    aged(sandbox.note(f"- {NOTE}\n"), 8 * DAY)
    sandbox.run("scan")
    assert "in MEMORY.md, where it has been since 2025-12-24; that counts as 3 snapshots" in sandbox.run("log").out


# A committed memory: the first-parent line of the default branch


@pytest.fixture
def committed(sandbox: Sandbox) -> Sandbox:
    """A project with the memory inside, not committed yet; its files are as old as can be."""
    sandbox.memory = sandbox.root / "docs" / "memory"
    aged(sandbox.note(f"# Memory\n\n- {NOTE}\n"), 90 * DAY)
    return sandbox


def commit_at(box: Sandbox, monkeypatch: pytest.MonkeyPatch, *ages: timedelta) -> None:
    """Commit everything, at each of ``ages`` before now."""
    for age in ages:
        monkeypatch.setenv("GIT_COMMITTER_DATE", (NOW - age).isoformat())
        box.commit()


def test_commits_that_kept_the_note_count(committed: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    commit_at(committed, monkeypatch, 5 * HOUR, 4 * HOUR)
    outcome = committed.run("scan")
    assert seen(committed) == (3, "2025-12-31T19:00:00Z")
    assert "1 entry is stable: intermem promote" in outcome.out


@pytest.mark.parametrize(
    ("ages", "count"),
    [
        ([5 * HOUR], 2),
        ([HOUR], 2),
        ([HOUR - timedelta(seconds=1)], 1),
        ([5 * HOUR, 5 * HOUR, 5 * HOUR], 2),
        ([5 * HOUR, 4.5 * HOUR, 4 * HOUR], 3),
        ([-5 * HOUR, -4 * HOUR, -3 * HOUR], 1),
        ([3 * HOUR, 5 * HOUR, 9 * HOUR], 2),
        ([5 * HOUR, -9 * HOUR, 9 * HOUR], 2),
        ([number * HOUR for number in range(20, 0, -1)], 6),
    ],
)
def test_commits_count_at_their_dates(
    committed: Sandbox, monkeypatch: pytest.MonkeyPatch, ages: Sequence[timedelta], count: int
) -> None:
    """An hour apart, none twice, and none that goes back in time or is still to come."""
    commit_at(committed, monkeypatch, *ages)
    committed.run("scan")
    assert seen(committed)[0] == count


def test_a_commit_without_the_note_does_not_count(committed: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    commit_at(committed, monkeypatch, 9 * HOUR, 8 * HOUR, 7 * HOUR)
    committed.note(f"# Memory\n\n- {NOTE}\n- {OTHER}\n")
    commit_at(committed, monkeypatch, 6 * HOUR)
    committed.run("scan")
    assert (seen(committed)[0], seen(committed, OTHER)[0]) == (5, 2)


def test_what_is_not_committed_yet_is_young_even_in_an_old_file(
    committed: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit_at(committed, monkeypatch, 9 * HOUR, 8 * HOUR)
    aged(committed.note(f"# Memory\n\n- {NOTE}\n- {OTHER}\n"), 90 * DAY)
    committed.run("scan")
    assert (seen(committed)[0], seen(committed, OTHER)[0]) == (3, 1)


def test_a_file_that_git_does_not_track_is_as_old_as_its_last_change(
    committed: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    committed.write(".gitignore", "own.md\n")
    commit_at(committed, monkeypatch, 2 * HOUR)
    aged(committed.note(f"- {OTHER}\n", "own.md"), 8 * DAY)
    committed.run("scan")
    assert (seen(committed)[0], seen(committed, OTHER)[0]) == (2, 3)


def test_a_branch_proves_nothing_before_it_is_merged(committed: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    committed.git("switch", "-q", "-c", "feature")
    commit_at(committed, monkeypatch, 90 * DAY, 60 * DAY, 30 * DAY)
    outcome = committed.run("scan", "--dry-run", "--json").json
    assert (outcome["stable"], outcome["next_counted"]["number"]) == (0, 2)
    committed.git("switch", "-q", "main")
    monkeypatch.setenv("GIT_COMMITTER_DATE", (NOW - 3 * HOUR).isoformat())
    committed.git("merge", "-q", "--no-ff", "--no-edit", "feature")
    committed.run("scan")
    assert seen(committed) == (2, "2025-12-31T21:00:00Z")


def test_dates_before_what_a_branch_started_from_are_not_believed(
    committed: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where main was fast-forwarded to it."""
    kept = committed.memory / "MEMORY.md"
    text = kept.read_bytes()
    kept.unlink()
    commit_at(committed, monkeypatch, 5 * HOUR)
    kept.write_bytes(text)
    commit_at(committed, monkeypatch, 90 * DAY, 60 * DAY, 30 * DAY)
    committed.run("scan")
    assert seen(committed) == (2, "2025-12-31T19:00:00Z")


def test_the_default_branch_is_that_of_the_remote(
    committed: Sandbox, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Commits on the local main that were never pushed prove nothing."""
    git(tmp_path, "clone", "-q", "--bare", str(committed.root), "origin.git")
    committed.git("remote", "add", "origin", str(tmp_path / "origin.git"))
    committed.git("fetch", "-q", "origin")
    commit_at(committed, monkeypatch, 90 * DAY, 60 * DAY)
    assert committed.run("scan", "--dry-run", "--json").json["stable"] == 0
    committed.git("push", "-q", "origin", "main")
    assert committed.run("scan", "--dry-run", "--json").json["stable"] == 1


def clone(box: Sandbox, *options: str) -> Sandbox:
    where = box.root.parent / "clone"
    git(box.root.parent, "clone", "-q", *options, f"file://{box.root}", str(where))
    memory = where / "docs" / "memory"
    if memory.is_dir():
        aged(memory / "MEMORY.md", 90 * DAY)
    return Sandbox(where, memory, box.capture)


def test_a_clone_counts_as_its_origin_does(committed: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    commit_at(committed, monkeypatch, 3 * HOUR, 2 * HOUR)
    there = clone(committed)
    there.run("scan")
    assert seen(there) == (3, "2025-12-31T21:00:00Z")


def test_a_shallow_clone_counts_what_it_has(committed: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    commit_at(committed, monkeypatch, 4 * HOUR, 3 * HOUR, 2 * HOUR)
    there = clone(committed, "--depth=1")
    there.run("scan")
    assert seen(there) == (2, "2025-12-31T22:00:00Z")


def test_a_partial_clone_counts_what_it_has(committed: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """The old wording is missing there, and nothing is fetched."""
    commit_at(committed, monkeypatch, 9 * HOUR, 8 * HOUR)
    committed.note(f"# Memory\n\n- {NOTE}\n- {OTHER}\n")
    commit_at(committed, monkeypatch, 7 * HOUR)
    committed.git("config", "uploadpack.allowFilter", "true")
    there = clone(committed, "--filter=blob:none")
    there.run("scan")
    assert seen(there) == (2, "2025-12-31T17:00:00Z")


def test_another_repository_inside_proves_nothing(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """A branch could bring it as a submodule, with any history."""
    inner = Sandbox(sandbox.root / "notes", sandbox.root / "notes", sandbox.capture)
    inner.root.mkdir()
    inner.git("init", "-q", "-b", "main")
    aged(inner.note(f"- {NOTE}\n"), 90 * DAY)
    commit_at(inner, monkeypatch, 9 * HOUR, 8 * HOUR)
    sandbox.memory = inner.memory
    sandbox.run("scan")
    assert seen(sandbox)[0] == 1


def test_a_link_to_a_tracked_file_is_as_young_as_that(committed: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    commit_at(committed, monkeypatch, HOUR / 2)
    aged(committed.memory / "MEMORY.md", 90 * DAY)
    (committed.memory / "own.md").symlink_to("MEMORY.md")
    committed.run("scan")
    assert seen(committed)[0] == 1


def test_a_repository_that_git_cannot_tell_about_proves_nothing(sandbox: Sandbox, tmp_path: Path) -> None:
    sandbox.memory = tmp_path / "line\nbreak"
    aged(sandbox.note(f"- {NOTE}\n"), 90 * DAY)
    git(sandbox.memory, "init", "-q")
    sandbox.run("scan")
    assert seen(sandbox)[0] == 1


def test_what_is_not_utf8_at_a_commit_proves_nothing(committed: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    (committed.memory / "MEMORY.md").write_bytes(f"- {NOTE}\n- \xff\n".encode("latin-1"))
    commit_at(committed, monkeypatch, 9 * HOUR, 8 * HOUR)
    committed.note(f"- {NOTE}\n")
    commit_at(committed, monkeypatch, 7 * HOUR)
    committed.run("scan")
    assert seen(committed)[0] == 2


def test_a_repository_without_a_commit_proves_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    box = Sandbox(tmp_path, tmp_path / "memory", capsys)
    box.git("init", "-q", "-b", "main")
    aged(box.note(f"- {NOTE}\n"), 90 * DAY)
    box.git("add", "-A")
    box.run("scan")
    assert seen(box)[0] == 1


# What scan says


def lines(outcome: Outcome) -> list[str]:
    return [line.strip() for line in outcome.out.split("\n")[2:] if line]


def test_a_young_memory_is_told_when_snapshots_count(sandbox: Sandbox) -> None:
    sandbox.note(f"- {NOTE}\n")
    said = []
    for moment in ("00:00", "00:30", "01:00", "02:00", "03:00"):
        said.append(lines(sandbox.run("scan", now=f"2026-01-01T{moment}:00Z")))
    assert said == [
        ["nothing is stable yet: snapshot 2 of 3 counts after 2026-01-01T01:00:00Z"],
        ["nothing is stable yet: snapshot 2 of 3 counts after 2026-01-01T01:00:00Z"],
        ["nothing is stable yet: snapshot 3 of 3 counts after 2026-01-01T02:00:00Z"],
        ["1 entry is stable: intermem promote"],
        [],
    ]


def test_nothing_is_said_of_an_empty_memory(sandbox: Sandbox) -> None:
    assert lines(sandbox.run("scan")) == []


def test_a_private_note_is_no_candidate(sandbox: Sandbox) -> None:
    aged(sandbox.note(f"---\nname: taste\ntype: user\n---\n\n{NOTE}\n", "taste.md"), 8 * DAY)
    outcome = sandbox.run("scan", "--json").json
    assert (outcome["stable"], outcome["next_counted"]) == (0, None)
