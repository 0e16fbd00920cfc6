"""Mistakes made by tools that forget, one test each: intermem must not make them."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest

from intermem.core.entries.identity import identity
from intermem.project.config_keys import KEYS
from tests.conftest import Once, Sandbox

SHORT, LONG = "Prefer short functions.", "Deploys go through the old box."
KEY, OTHER = identity(SHORT), identity(LONG)
LATER = "2026-03-02T00:00:00Z"  # 58 days after both were last seen


def two_promoted(box: Sandbox) -> None:
    box.note(f"## Notes\n\n- {SHORT}\n- {LONG}\n")
    box.scans("2026-01-01", "2026-01-02", "2026-01-03")
    box.run("promote", "--yes", now="2026-01-03T01:00:00Z")
    box.note("")


@pytest.fixture
def promoted(sandbox: Sandbox, once: Once) -> Sandbox:
    """Two entries in AGENTS.md that are gone from the memory."""
    once(sandbox, two_promoted)
    sandbox.now = "2026-01-03T01:00:00Z"
    return sandbox


def figures(box: Sandbox) -> dict[str, tuple[Any, ...]]:
    return {text: (one["confidence"], one["base_confidence"]) for text, one in box.entries().items()}


@pytest.mark.parametrize(
    ("policy", "left"), [("linear", 0.1), ("grace-exponential", 0.435), ("half-life", 0.131), ("none", 0.5)]
)
def test_decay_does_not_compound_from_run_to_run(promoted: Sandbox, policy: str, left: float) -> None:
    promoted.write("intermem.toml", f'[decay]\npolicy = "{policy}"\n')
    for _ in range(4):
        promoted.run("sweep", "--no-demote", now=LATER)
        assert figures(promoted) == {SHORT: (left, 0.5), LONG: (left, 0.5)}


def test_decay_does_not_compound_from_day_to_day(promoted: Sandbox) -> None:
    promoted.write("intermem.toml", '[decay]\npolicy = "half-life"\n')
    for day in range(4, 29):
        promoted.run("sweep", "--no-demote", now=f"2026-02-{day:02}T00:00:00Z")
    promoted.run("sweep", "--no-demote", now=LATER)
    assert figures(promoted)[SHORT] == (0.131, 0.5), "as one sweep at that time would have it"


def test_feedback_and_pins_between_sweeps_do_not_bake_decay_in(promoted: Sandbox) -> None:
    promoted.run("sweep", "--no-demote", now=LATER)
    promoted.run("feedback", KEY, "confirm", now=LATER)
    promoted.run("pin", KEY, now=LATER)
    promoted.run("pin", KEY, "--remove", now=LATER)
    assert figures(promoted)[SHORT] == (0.2, 0.6)
    promoted.run("sweep", "--no-demote", now=LATER)
    assert figures(promoted)[SHORT] == (0.2, 0.6)


@pytest.mark.parametrize(
    ("settings", "environment"),
    [
        ('[decay]\npolicy = "none"\n', {}),
        ('[decay]\npolicy = "half-life"\n', {"INTERMEM_DECAY_POLICY": "none"}),
        ('[decay.types]\nuntyped = "none"\n', {}),
        ("", {"INTERMEM_DECAY_TYPES": "untyped=none"}),
    ],
)
def test_decay_can_be_switched_off_and_gives_everything_back(
    promoted: Sandbox, settings: str, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    promoted.run("sweep", "--no-demote", now=LATER)
    assert figures(promoted)[SHORT] == (0.1, 0.5)
    promoted.write("intermem.toml", settings)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    promoted.run("sweep", now=LATER)
    promoted.run("sweep", now=LATER)
    assert figures(promoted) == {SHORT: (0.5, 0.5), LONG: (0.5, 0.5)}
    assert SHORT in promoted.read() and LONG in promoted.read()


@pytest.mark.parametrize("value", ['"0"', '"0d"', '"-1d"', "0", "true", '""'])
def test_a_half_life_of_nothing_is_one_clear_line(promoted: Sandbox, value: str) -> None:
    promoted.write("intermem.toml", f'[decay]\npolicy = "half-life"\nhalf_life = {value}\n')
    before = promoted.tree_hash()
    outcome = promoted.run("sweep", code=2)
    errors = [line for line in outcome.err.splitlines() if line.startswith("error: ")]
    assert len(errors) == 1 and "decay.half_life" in errors[0] and outcome.out == ""
    assert promoted.tree_hash() == before


@pytest.mark.parametrize(
    "arguments",
    [
        ["sweep", "--dry-run"],
        ["sweep", "--check"],
        ["sweep"],
        ["why", KEY],
        ["status"],
        ["feedback", KEY, "forget", "--dry-run"],
        ["pin", KEY, "--dry-run"],
        ["supersede", KEY, OTHER, "--dry-run"],
        ["prune", "--keep-newest", "0", "--dry-run"],
        ["prune", "--keep-newest", "1", "--delete"],
        ["prune", "--expired", "--dry-run"],
        ["query", "--all", "--no-touch"],
    ],
)
def test_looking_is_no_access(promoted: Sandbox, arguments: list[str]) -> None:
    promoted.run("query", "--all", now="2026-01-04T00:00:00Z")
    promoted.run(*arguments, now=LATER)
    with closing(sqlite3.connect(promoted.root / ".git/intermem/root/metadata.db")) as connection:
        rows = connection.execute("SELECT access_count, last_accessed FROM memory_entries").fetchall()
    assert rows == [(1, "2026-01-04T00:00:00Z")] * 2


@pytest.mark.parametrize("first", [SHORT, LONG])
@pytest.mark.parametrize("criterion", ["--keep-newest", "--keep-highest"])
def test_a_tie_is_settled_by_the_id_whatever_came_first(sandbox: Sandbox, first: str, criterion: str) -> None:
    sandbox.note(f"- {first}\n")
    sandbox.scans("2026-01-01")
    second = LONG if first == SHORT else SHORT
    sandbox.note(f"- {second}\n\n## Other\n\n- {first}\n")
    sandbox.scans("2026-01-02")
    told = sandbox.run("prune", criterion, "1", "--json", now="2026-01-03T00:00:00Z").json
    assert [one["id"] for one in told["demoted"]] == [max(KEY, OTHER)]


@pytest.mark.parametrize("criterion", ["--keep-newest", "--keep-highest", "--max-age-days", "--older-than"])
def test_keeping_none_destroys_nothing_unasked(promoted: Sandbox, criterion: str) -> None:
    before = promoted.tree_hash()
    promoted.run("prune", criterion, "0", "--delete")
    assert promoted.tree_hash() == before, "without --confirm it only lists them"
    text = promoted.read()
    promoted.run("prune", criterion, "0")
    promoted.run("undo")
    assert promoted.read() == text


def demoted_by_sweeps(box: Sandbox) -> None:
    box.run("sweep", now="2027-06-01T00:00:00Z")
    box.run("sweep", now="2027-06-02T00:00:00Z")
    assert SHORT not in box.read()


AWAY: dict[str, Callable[[Sandbox], object]] = {
    "sweep": demoted_by_sweeps,
    "demote": lambda box: box.run("demote", KEY),
    "reject": lambda box: box.run("reject", KEY),
    "forget": lambda box: box.run("feedback", KEY, "forget"),
    "prune": lambda box: box.run("prune", "--older-than", "0", now="2027-06-02T00:00:00Z"),
}


def tries_everything(box: Sandbox) -> None:
    """Three sweeps and every prune, the day after a restore in June 2027."""
    box.write("intermem.toml", "[retention]\nenabled = true\n[retention.days]\nuntyped = 1\n")
    for hour in ("01", "02", "03"):
        box.run("sweep", "--no-scan", now=f"2027-06-04T{hour}:00:00Z")
    for criteria in (["--keep-newest", "0", "--confirm"], ["--min-score", "1"], ["--older-than", "1d"], ["--expired"]):
        box.run("prune", *criteria, now="2027-06-04T04:00:00Z", code=None)


@pytest.mark.parametrize("way", AWAY)
def test_what_a_person_brought_back_does_not_leave_again_at_once(promoted: Sandbox, way: str) -> None:
    AWAY[way](promoted)
    promoted.run("restore", KEY, now="2027-06-03T00:00:00Z")
    tries_everything(promoted)
    assert SHORT in promoted.read()
    assert promoted.entries()[SHORT]["document"] == "AGENTS.md"


@pytest.mark.parametrize("way", ["reject", "forget", "prune", "prune, then reject"])
def test_nor_does_a_note_that_stood_nowhere(sandbox: Sandbox, way: str) -> None:
    sandbox.note(f"- {SHORT}\n")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    sandbox.note("")
    for one in way.split(", then "):
        AWAY[one](sandbox)
    sandbox.run("restore", KEY, now="2027-06-03T00:00:00Z")
    tries_everything(sandbox)
    found = sandbox.entries()[SHORT]
    assert (found["status"], found["demoted_at"], found["rejected_at"]) == ("stale", None, None)


@pytest.mark.parametrize("way", [*AWAY, "prune, then reject"])
def test_a_private_note_that_is_restored_is_still_private(sandbox: Sandbox, way: str) -> None:
    sandbox.note(f"---\nname: me\ntype: user\n---\n{SHORT}\n", "me.md")
    sandbox.note(f"- {LONG}\n")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    sandbox.run("promote", "--yes", now="2026-01-03T01:00:00Z")
    for one in way.split(", then "):
        if one not in ("sweep", "demote"):
            AWAY[one](sandbox)
    sandbox.run("restore", KEY, code=None, now="2027-06-03T00:00:00Z")
    sandbox.run("promote", "--yes", now="2027-06-03T00:00:00Z")
    assert SHORT not in sandbox.read() and sandbox.entries()[SHORT]["document"] is None


@pytest.mark.parametrize(
    ("written", "given", "on"),
    [
        ("true", None, True),
        ("false", None, False),
        ("true", "false", False),
        ("true", "False", False),
        ("true", "0", False),
        ("false", "true", True),
        ("false", "1", True),
    ],
)
def test_false_is_a_value(
    promoted: Sandbox, written: str, given: str | None, on: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    promoted.note(f"- {SHORT}\n- {LONG}\n- Never stood.\n")
    promoted.run("scan")
    promoted.note("")
    promoted.write("intermem.toml", f"[retention]\nenabled = {written}\n[retention.days]\nuntyped = 1\n")
    if given is not None:
        monkeypatch.setenv("INTERMEM_RETENTION_ENABLED", given)
    told = promoted.run("prune", "--expired", "--json", now=LATER).json
    assert [one["text"] for one in told["demoted"]] == (["Never stood."] if on else [])


@pytest.mark.parametrize("given", ["", "nope", "2"])
def test_what_is_neither_true_nor_false_is_refused(
    promoted: Sandbox, given: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INTERMEM_RETENTION_ENABLED", given)
    said = promoted.run("prune", "--expired", code=2).err
    assert "INTERMEM_RETENTION_ENABLED: retention.enabled" in said and "expected true or false" in said


RETENTION = {  # each key: what it is set to, and what goes then (of: Never stood, put away, superseded, at a sweep)
    "retention.enabled": ("false", {"put away", "superseded"}),
    "retention.at_sweep": ("true", {"never stood", "put away", "superseded", "at a sweep"}),
    "retention.days": ("untyped=0", {"put away", "superseded"}),
    "retention.archive_days": ("9999", {"never stood", "superseded"}),
    "retention.superseded_days": ("9999", {"never stood", "put away"}),
}


@pytest.mark.parametrize("key", [key.name for key in KEYS if key.name.startswith("retention.")])
def test_every_key_of_the_retention_table_does_something(
    sandbox: Sandbox, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {"put away": "Put away.", "superseded": "Superseded.", "never stood": "Never stood."}
    crowd = "".join(f"- {chr(0x4E00 + number) * 9}\n" for number in range(100))
    notes = "".join(f"- {text}\n" for text in (*texts.values(), "Heir."))
    sandbox.note(f"{notes}\n## Crowd\n\n{crowd}")
    sandbox.scans("2026-01-01")
    sandbox.now = "2026-01-02T00:00:00Z"
    sandbox.run("feedback", identity(texts["put away"]), "forget")
    sandbox.run("supersede", identity(texts["superseded"]), identity("Heir."))
    sandbox.note("")
    sandbox.run("scan")
    standard = "[retention]\nenabled = true\n[retention.days]\nuntyped = 30\n"
    sandbox.write("intermem.toml", standard)

    def leaving() -> set[str]:
        swept = sandbox.run("sweep", "--dry-run", "--json", now="2026-09-01T00:00:00Z").json
        told = sandbox.run("prune", "--expired", "--delete", "--dry-run", "--json", now="2026-09-01T00:00:00Z").json
        gone = {one["text"] for one in (*told["demoted"], *told["deleted"])}
        return {name for name, text in texts.items() if text in gone} | ({"at a sweep"} if swept["expired"] else set())

    usual = leaving()
    assert usual == set(texts)
    value, expected = RETENTION[key]
    monkeypatch.setenv(f"INTERMEM_{key.upper().replace('.', '_')}", value)
    assert leaving() == expected != usual


def test_without_decay_a_search_ranks_by_its_words_alone(sandbox: Sandbox) -> None:
    sandbox.note("- The okapi, the okapi and again the okapi is fed at noon by the keeper.\n")
    sandbox.run("scan", now="2026-01-01T00:00:00Z")
    sandbox.note("- Of many other things that the keeper does at noon, one is the okapi.\n")
    sandbox.run("scan", now="2026-06-01T00:00:00Z")

    def found(*more: str) -> list[str]:
        rows = sandbox.run("query", "--search", "okapi", "--no-touch", "--json", *more, now="2026-06-01T00:00:00Z")
        return [str(one["text"])[:9] for one in rows.json["entries"]]

    assert found() == found("--rank", "blended") == ["Of many o", "The okapi"]
    assert found("--rank", "relevance") == ["The okapi", "Of many o"]
    sandbox.write("intermem.toml", '[decay]\npolicy = "none"\n[query]\nleast_left = 0.5\n')
    assert found() == ["The okapi", "Of many o"]
    assert found("--rank", "blended") == ["Of many o"]
    some = sandbox.run("query", "--search", "okapi", "--rank", "blended", "--no-touch", now="2026-06-01T00:00:00Z")
    assert "1 entry is left out by query.least_left" in some.err
    later = {"now": "2027-06-01T00:00:00Z", "code": 1}
    said = sandbox.run("query", "--search", "okapi", "--rank", "blended", "--no-touch", **later)
    assert "2 entries are left out by query.least_left: --rank relevance lists what is old" in said.err
    assert "left out" not in sandbox.run("query", "--search", "gnu", "--rank", "blended", "--no-touch", **later).err
    sandbox.write("intermem.toml", '[decay.types]\nuntyped = "none"\n')
    assert found() == ["The okapi", "Of many o"], "nor does what does not decay by its type"
    assert found("--rank", "blended") == ["Of many o", "The okapi"]
