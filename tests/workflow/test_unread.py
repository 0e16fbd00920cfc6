"""A file of the memory that cannot be read: what stands in it is not unseen, whatever command asks."""

from __future__ import annotations

import pytest

from tests.conftest import Once, Sandbox

FACT, OTHER = "Deploys go through the old box.", "Prefer short functions."
LATER = "2026-06-01T00:00:00Z"
STANDS = "1 entry stands in a file of the memory that cannot be read: it counts as seen"


def three_files(box: Sandbox) -> None:
    """Three notes, one of them in a document; only the file of the third can be read later, and lacks it."""
    box.write("intermem.toml", "[retention]\nenabled = true\n\n[retention.days]\nproject = 60\n")
    box.note(f"- {FACT}\n")
    box.note(f"---\nname: x\ntype: project\n---\n{OTHER}\n", "other.md")
    box.note("- Ask for a new token every morning.\n", "third.md")
    box.scans("2026-01-01", "2026-01-02", "2026-01-03")
    (promoted,) = [one["id"] for text, one in box.entries().items() if text == FACT]
    box.run("promote", promoted, "--yes", now="2026-01-04T00:00:00Z")
    box.commit()
    for name in ("MEMORY.md", "other.md"):
        (box.memory / name).write_bytes(b"- not UTF-8: \xff\n")
    box.note("", "third.md")


@pytest.fixture
def unread(sandbox: Sandbox, once: Once) -> Sandbox:
    once(sandbox, three_files)
    return sandbox


@pytest.mark.parametrize("criterion", [("--min-score", "0.3"), ("--min-left", "0.3"), ("--older-than", "90d")])
def test_prune_takes_only_what_a_readable_memory_lacks(unread: Sandbox, criterion: tuple[str, str]) -> None:
    pruned = unread.run("prune", *criterion, "--json", now=LATER).json
    assert [one["text"] for one in pruned["demoted"]] == ["Ask for a new token every morning."]
    assert pruned["warnings"][0].startswith("2 entries stand in files of the memory that cannot be read")
    assert FACT in unread.read()


@pytest.mark.parametrize("basis", ["created", "used"])
def test_what_is_said_of_it_is_true_where_no_age_counts_from_when_it_was_seen(unread: Sandbox, basis: str) -> None:
    pruned = unread.run("prune", "--older-than", "90d", "--basis", basis, "--dry-run", "--json", now=LATER).json
    assert FACT in [one["text"] for one in pruned["demoted"]]
    (said,) = pruned["warnings"]
    assert "2 entries stand in files of the memory that cannot be read: they count as seen" in said


@pytest.mark.parametrize(("selector", "count"), [(("--older-than", "90d"), 2), (("--source", "other.md"), 1)])
def test_demote_with_selectors_says_it_as_prune_does(unread: Sandbox, selector: tuple[str, str], count: int) -> None:
    demoted, pruned = (
        unread.run(verb, *selector, "--dry-run", "--json", now=LATER).json for verb in ("demote", "prune")
    )
    said = [one for one in demoted["warnings"] if "cannot be read" in one]
    assert said == [one for one in pruned["warnings"] if "cannot be read" in one]
    assert said[0].startswith(f"{count} entr")


def test_demote_says_it_as_well_where_nothing_else_is_old(unread: Sandbox) -> None:
    refused = unread.run("demote", "--older-than", "90d", "--search", "deploys", now=LATER, code=1)
    assert STANDS in refused.err
    assert "cannot be read" not in unread.run("demote", unread.entries()[OTHER]["id"], now=LATER).err, "named by id"


def test_retention_does_not_expire_it(unread: Sandbox) -> None:
    expired = unread.run("prune", "--expired", "--delete", "--confirm", "--json", now=LATER).json
    assert (expired["evaluated"], expired["pruned"]) == (3, 0)
    unread.note("", "other.md")
    expired = unread.run("prune", "--expired", "--delete", "--confirm", "--json", now=LATER).json
    assert [one["text"] for one in expired["deleted"]] == [OTHER]


def test_status_and_check_do_not_call_it_stale(unread: Sandbox) -> None:
    status = unread.run("status", "--json", now=LATER).json
    assert (status["entries"]["stale"], status["next_stale"]["now"]) == (1, False)
    assert "2 entries stand in files of the memory that cannot be read: they count as seen" in status["warnings"][0]
    assert "IM020" not in unread.run("check", now=LATER).out
    unread.note("", "MEMORY.md")
    assert unread.run("status", "--json", now=LATER).json["entries"]["stale"] == 2
    assert "IM020" in unread.run("check", now=LATER, code=1).out


def test_a_line_that_was_reworded_since_is_the_same_unread_entry(unread: Sandbox) -> None:
    unread.write("AGENTS.md", unread.read().replace(FACT, "Deploys always go through the old box."))
    assert unread.run("status", "--json", now=LATER).json["next_stale"]["now"] is False
    (unread.memory / "other.md").unlink()
    assert STANDS in unread.run("status", now=LATER).err
