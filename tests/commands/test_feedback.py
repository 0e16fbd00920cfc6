"""``feedback``: it takes effect at once, and is recorded with its reason."""

from __future__ import annotations

import shutil
from typing import Any

import pytest

from intermem.core.entries.identity import identity
from intermem.errors import EditRefused
from intermem.workflow import changeset
from tests.conftest import Once, Sandbox
from tests.old_ledger import ledger_in

SHORT, LONG = "Prefer short functions.", "Releases are cut on Tuesdays."
KEY, OTHER = identity(SHORT), identity(LONG)


def two_notes(box: Sandbox) -> None:
    box.note(f"## Notes\n\n- {SHORT}\n- {LONG}\n")
    box.scans("2026-01-01", "2026-01-02", "2026-01-03")


def two_promoted(box: Sandbox) -> None:
    box.run("promote", "--yes")


@pytest.fixture
def scanned(sandbox: Sandbox, once: Once) -> Sandbox:
    """Two notes, seen three times; nothing is promoted."""
    once(sandbox, two_notes)
    sandbox.now = "2026-01-03T01:00:00Z"
    return sandbox


@pytest.fixture
def promoted(scanned: Sandbox, once: Once) -> Sandbox:
    once(scanned, two_promoted)
    return scanned


def record(box: Sandbox, text: str = SHORT) -> dict[str, Any]:
    return box.entries()[text]


@pytest.mark.parametrize(
    ("said", "amount", "left"),
    [
        (["confirm"], 0.1, 0.6),
        (["incorrect"], -0.3, 0.2),
        (["outdated"], 0, 0.5),
        (["failure"], -0.05, 0.45),
        (["failure", "--severity", "low"], -0.05, 0.45),
        (["failure", "--severity", "medium"], -0.1, 0.4),
        (["failure", "--severity", "HIGH"], -0.15, 0.35),
        (["failure", "--severity", "catastrophic"], -0.05, 0.45),
    ],
)
def test_feedback_moves_the_confidence_at_once(scanned: Sandbox, said: list[str], amount: float, left: float) -> None:
    told = scanned.run("feedback", KEY[:6], *said, "--json").json
    assert (told["kind"], told["amount"], told["refused"]) == (said[0], amount, [])
    for found in (told["entry"], record(scanned)):
        assert (found["id"], found["confidence"], found["base_confidence"]) == (KEY, left, left)
        assert found["feedback"] == amount
    assert record(scanned, LONG)["confidence"] == 0.5


def test_feedback_adds_up_and_a_sweep_keeps_what_it_comes_to(scanned: Sandbox) -> None:
    for said in (["incorrect"], ["incorrect"], ["confirm"], ["failure", "--severity", "high"]):
        scanned.run("feedback", KEY, *said)
    assert (record(scanned)["feedback"], record(scanned)["confidence"]) == (-0.65, 0.0)
    scanned.run("feedback", KEY, "confirm")
    scanned.run("feedback", KEY, "confirm")
    assert record(scanned)["confidence"] == 0.05, "the sum is clamped, not each step"
    scanned.run("sweep")
    assert record(scanned)["confidence"] == 0.05


@pytest.mark.parametrize("first", ["candidate", "promoted"])
def test_the_sum_has_no_bounds_in_the_ledger_either(scanned: Sandbox, first: str) -> None:
    if first == "promoted":
        scanned.run("promote", "--yes")
    for _ in range(12):
        scanned.run("feedback", KEY, "confirm")
    if first == "candidate":
        scanned.run("promote", "--yes")
        told = scanned.run("why", KEY, "--json").json["history"]
        assert sum(one["event"] == "feedback" for one in told) == 12, "the sum is no feedback of its own"
    assert record(scanned)["feedback"] == 1.2
    for _ in range(6):
        said = scanned.run("feedback", KEY, "incorrect", "--json").json["entry"]
    assert (said["feedback"], said["confidence"]) == (-0.6, 0.0)
    said = scanned.run("feedback", KEY, "confirm", "--json").json["entry"]
    assert (said["feedback"], said["confidence"]) == (-0.5, 0.0)
    scanned.commit("all of it")
    shutil.rmtree(scanned.root / ".git" / "intermem")
    assert record(scanned)["feedback"] == -0.5, "nor where only the ledger tells it"


def test_why_shows_every_word_of_the_ledger(scanned: Sandbox) -> None:
    scanned.run("feedback", KEY, "failure", "--severity", "high", "--context", "release", "--note", "took an hour")
    scanned.run("feedback", KEY, "confirm", now="2026-01-03T02:00:00Z")
    scanned.run("feedback", OTHER, "outdated")
    told = scanned.run("why", KEY, "--json").json
    assert told["failures"] == 1
    assert [(one["kind"], one["severity"], one["amount"]) for one in told["feedback"]] == [
        ("failure", "high", -0.15),
        ("confirm", None, 0.1),
    ]
    assert (told["feedback"][0]["context"], told["feedback"][0]["note"]) == ("release", "took an hour")
    assert {"label": "feedback", "amount": -0.05} in told["signals"]
    shown = scanned.run("why", KEY).out
    assert "feedback −0.15: failure (high): release; took an hour" in " ".join(shown.split())


def test_what_was_called_outdated_is_on_the_review_list_until_it_is_confirmed(promoted: Sandbox) -> None:
    assert promoted.run("query", "--review", code=1)
    promoted.run("feedback", KEY, "outdated", "--note", "since the move")
    assert [one["id"] for one in promoted.run("query", "--review", "--json").json["entries"]] == [KEY]
    assert "flagged for review" in promoted.run("feedback", KEY, "incorrect").out
    assert SHORT in promoted.read(), "a flag takes nothing out"
    promoted.run("feedback", KEY, "confirm")
    assert promoted.run("query", "--review", code=1)


@pytest.mark.parametrize("place", ["promoted", "scanned"])
def test_restore_says_that_it_clears_the_flag(request: pytest.FixtureRequest, place: str) -> None:
    box: Sandbox = request.getfixturevalue(place)
    said = f"{KEY[:8]} is no longer flagged for review"
    box.run("feedback", KEY, "outdated")
    box.run("demote", KEY)
    assert said in box.run("restore", KEY, "--dry-run").err
    assert said in box.run("restore", KEY).err
    assert box.run("query", "--review", code=1)
    box.run("demote", KEY)
    assert "flagged" not in box.run("restore", KEY).err


def test_what_was_called_outdated_is_promoted_by_nobody(scanned: Sandbox) -> None:
    scanned.run("feedback", KEY, "outdated")
    told = scanned.run("promote", "--yes", "--json").json
    assert [one["id"] for one in told["promoted"]] == [OTHER]
    assert [(one["entry"]["id"], one["gate"]) for one in told["refused"]] == [(KEY, "review")]
    scanned.run("feedback", KEY, "confirm")
    assert [one["id"] for one in scanned.run("promote", "--yes", "--json").json["promoted"]] == [KEY]


def test_what_is_to_be_forgotten_leaves_its_document_now_and_stays_away(promoted: Sandbox) -> None:
    told = promoted.run("feedback", KEY, "forget", "--context", "review", "--note", "no use", "--json").json
    assert told["documents"] == {KEY: "AGENTS.md"}
    assert SHORT not in promoted.read() and LONG in promoted.read()
    found = record(promoted)
    assert (found["status"], found["document"], found["demoted_at"]) == ("demoted", None, promoted.now)
    assert found["reason"] == "demoted for review; review; no use"
    assert f'"id": "{KEY}", "status": "demoted"' in ledger_in(promoted.root)
    for day in ("2026-01-04", "2026-01-05"):
        promoted.run("sweep", now=f"{day}T00:00:00Z")
    assert promoted.run("promote", KEY, "--yes", code=1, now="2026-01-06T00:00:00Z")
    assert SHORT not in promoted.read(), "the note is still in the memory, and seeing it is no news"
    promoted.run("restore", KEY)
    assert SHORT in promoted.read() and record(promoted)["review_at"] is None


def test_a_note_that_never_stood_is_forgotten_too(scanned: Sandbox) -> None:
    before = scanned.read()
    scanned.run("feedback", KEY, "forget")
    found = record(scanned)
    assert (found["status"], found["document"], found["promoted_at"]) == ("demoted", None, None)
    assert scanned.read() == before
    assert ", and flagged for review on " in scanned.run("feedback", KEY, "forget", code=1).out
    scanned.run("restore", KEY)
    assert record(scanned)["status"] == "active" and SHORT not in scanned.read()


def test_feedback_travels_in_the_ledger(promoted: Sandbox) -> None:
    promoted.run("feedback", KEY, "incorrect")
    assert f'"id": "{KEY}"' in ledger_in(promoted.root)
    assert '"feedback": -0.3' in ledger_in(promoted.root)
    promoted.run("sweep", "--check")


def test_what_feedback_made_stale_says_so_and_is_demoted_by_the_second_sweep(promoted: Sandbox) -> None:
    promoted.run("feedback", KEY, "incorrect")
    found = record(promoted)
    assert (found["status"], found["reason"]) == ("stale", "confidence 0.2; feedback −0.3")
    promoted.run("sweep", "--no-scan", now="2026-01-04T00:00:00Z")
    told = promoted.run("sweep", "--no-scan", "--json", now="2026-01-05T00:00:00Z").json
    assert [one["id"] for one in told["demoted"]] == [KEY]
    assert record(promoted)["reason"] == "stale in 2 sweeps in a row: confidence 0.2; feedback −0.3"
    history = promoted.run("log", KEY, "--json").json["history"]
    assert [one["cause"] for one in history if one["event"] == "demoted"] == ["feedback"]


def test_what_was_stale_and_is_confirmed_is_active_with_no_reason_left_over(promoted: Sandbox) -> None:
    promoted.run("feedback", KEY, "incorrect")
    promoted.run("sweep", now="2026-01-04T00:00:00Z")
    assert record(promoted)["stale_streak"] == 1
    promoted.run("feedback", KEY, "confirm")
    found = record(promoted)
    assert (found["status"], found["stale_streak"], found["reason"]) == ("active", 0, "")


@pytest.mark.parametrize("flag", ["--dry-run", "--diff"])
@pytest.mark.parametrize("kind", ["confirm", "forget"])
def test_a_dry_run_says_the_same_and_writes_nothing(promoted: Sandbox, flag: str, kind: str) -> None:
    before = promoted.tree_hash()
    would = promoted.run("feedback", KEY, kind, flag, "--json").json
    assert promoted.tree_hash() == before
    did = promoted.run("feedback", KEY, kind, "--json").json
    assert (would["entry"], would["documents"]) == (did["entry"], did["documents"])
    assert would["dry_run"] and not did["dry_run"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["ffff", "confirm"], "no entry starts with ffff"),
        ([KEY, "praise"], "invalid choice"),
        ([KEY, "confirm", "--severity", "high"], "--severity only applies to failure"),
        ([KEY], "the following arguments are required: KIND"),
    ],
)
def test_bad_feedback_is_one_line_and_changes_nothing(promoted: Sandbox, arguments: list[str], says: str) -> None:
    before = promoted.tree_hash()
    assert says in promoted.run("feedback", *arguments, code=2).err
    assert promoted.tree_hash() == before


def test_what_people_write_is_data(scanned: Sandbox) -> None:
    note = "'; DROP TABLE feedback; -- [bold]x[/] \x1b[31m"
    scanned.run("feedback", KEY, "outdated", "--note", note)
    assert scanned.run("why", KEY, "--json").json["feedback"][0]["note"] == note
    assert "\x1b" not in scanned.run("why", KEY).out


def test_what_feedback_is_worth_is_a_setting(scanned: Sandbox) -> None:
    scanned.write("intermem.toml", "[feedback]\nconfirm = 0.25\nincorrect = 0.0\nfailure_low = 0.01\n")
    for said, left in (("confirm", 0.75), ("incorrect", 0.75), ("failure", 0.74)):
        scanned.run("feedback", KEY, said)
        assert record(scanned)["confidence"] == left


def test_feedback_where_the_ledger_was_refused_is_refused_too(promoted: Sandbox) -> None:
    promoted.write(".intermem/ledger.jsonl", "no ledger\n")
    before = promoted.tree_hash()
    assert "ledger.jsonl" in promoted.run("feedback", KEY, "confirm", code=2).err
    assert promoted.tree_hash() == before


def test_what_cannot_be_taken_out_is_not_half_forgotten(promoted: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    stuck = EditRefused("AGENTS.md: the edit would reach outside the region; it was not made")
    monkeypatch.setattr(changeset, "plan_demotions", lambda text, _name, ids: (text, dict.fromkeys(ids, stuck)))
    before = promoted.tree_hash()
    assert "the edit would reach outside" in promoted.run("feedback", KEY, "forget", code=1).out
    assert "the edit would reach outside" in promoted.run("supersede", KEY, OTHER, code=1).out
    assert promoted.tree_hash() == before


def test_feedback_in_the_middle_of_a_merge_waits(promoted: Sandbox) -> None:
    (promoted.root / ".git/MERGE_HEAD").write_text(promoted.git("rev-parse", "HEAD"))
    assert "an unfinished merge" in promoted.run("feedback", KEY, "confirm", code=2).err
    promoted.run("feedback", KEY, "confirm", "--force")


def test_what_is_pinned_is_not_forgotten(promoted: Sandbox) -> None:
    key = next(one["id"] for one in promoted.entries().values() if one["document"])
    promoted.run("pin", key)
    before = promoted.read()
    assert (
        f"it is pinned: intermem pin {key[:8]} --remove unpins it"
        in promoted.run("feedback", key, "forget", code=1).out
    )
    assert promoted.read() == before
    promoted.run("pin", key, "--remove")
    promoted.run("feedback", key, "forget")
    assert promoted.read() != before


def test_what_is_demoted_already_can_be_forgotten_and_stays_away(promoted: Sandbox) -> None:
    key = next(one["id"] for one in promoted.entries().values() if one["document"])
    promoted.run("demote", key)
    promoted.run("feedback", key, "forget")
    assert next(one for one in promoted.entries().values() if one["id"] == key)["review_at"] is not None
    assert ", and flagged for review on " in promoted.run("feedback", key, "forget", code=1).out
    promoted.scans("2026-02-01", "2026-02-02", "2026-02-03")
    said = promoted.run("promote", "--yes", now="2026-02-03T01:00:00Z", code=None)
    assert "a person took it out" in said.out


def test_what_feedback_made_stale_is_called_so_at_once(sandbox: Sandbox) -> None:
    sandbox.note("- Prefer short functions.\n")
    sandbox.run("scan")
    sandbox.run("promote", "--yes", "--min-snapshots", "1")
    (entry,) = sandbox.entries().values()
    told = sandbox.run("feedback", entry["id"], "incorrect").out
    assert "confidence 0.2, promoted, stale" in told
    assert [one["status"] for one in sandbox.entries().values()] == ["stale"]


def test_what_feedback_has_judged_is_what_everything_else_counts(sandbox: Sandbox) -> None:
    sandbox.note("- Start with `src/app.py`.\n")
    sandbox.scans("2026-01-01")
    sandbox.git("rm", "-q", "src/app.py")
    sandbox.commit("remove the application")
    assert sandbox.run("status", "--json").json["entries"]["stale"] == 0  # by the verdicts of the scan
    (key,) = [one["id"] for one in sandbox.entries().values()]
    told = sandbox.run("feedback", key, "confirm", "--json").json["entry"]
    assert (told["confidence"], told["status"]) == (0.2, "stale")
    assert sandbox.run("status", "--json").json["entries"]["stale"] == 1
    (entry,) = sandbox.entries().values()
    assert (entry["confidence"], [one["status"] for one in entry["citations"]]) == (0.2, ["broken"])
    sandbox.run("undo")
    (entry,) = sandbox.entries().values()
    assert (entry["confidence"], [one["status"] for one in entry["citations"]]) == (0.8, ["valid"])


def test_feedback_adds_up_beyond_what_a_confidence_can_show(sandbox: Sandbox) -> None:
    sandbox.note("- Start with `src/app.py`.\n")
    sandbox.scans("2026-01-01")
    (key,) = [one["id"] for one in sandbox.entries().values()]
    for _ in range(6):
        sandbox.run("feedback", key, "confirm")
    for left in (1.0, 0.8):
        assert sandbox.run("feedback", key, "incorrect", "--json").json["entry"]["confidence"] == left


def test_a_note_of_two_lines_is_told_on_one(scanned: Sandbox) -> None:
    scanned.run("feedback", KEY, "confirm", "--note", "the first line\nthe second one")
    for verb in (["why", KEY], ["log"]):
        assert "the first line the second one" in scanned.run(*verb).out


def test_what_is_forgotten_in_the_old_spelling_is_told_to_other_clones_too(sandbox: Sandbox) -> None:
    sandbox.note("- Take the lock before the schema is touched.\n")
    sandbox.run("scan")
    (key,) = (one["id"] for one in sandbox.entries().values())
    sandbox.run("feedback", key, "forget")
    (event,) = (sandbox.root / ".intermem/ledger").glob("*.json")
    assert '"what": "demoted"' in event.read_text() and "for review" in event.read_text()


def test_what_is_flagged_is_not_flagged_again_without_a_word(sandbox: Sandbox) -> None:
    sandbox.note("- Never deploy on Fridays, because nobody is on call then.\n")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    (key,) = (str(one["id"]) for one in sandbox.entries().values())
    sandbox.run("feedback", key, "outdated", now="2026-01-04T00:00:00Z")
    again = sandbox.run("feedback", key, "outdated", now="2026-01-05T00:00:00Z", code=1).out
    assert f"flagged for review already since 2026-01-04; intermem feedback {key[:8]} confirm lifts that" in again
    sandbox.run("feedback", key, "outdated", "--note", "a pager exists", now="2026-01-05T00:00:00Z")


def test_the_reason_of_a_stale_entry_is_that_of_its_confidence(sandbox: Sandbox) -> None:
    sandbox.note("- Never deploy on Fridays, because nobody is on call then.\n")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    (key,) = (str(one["id"]) for one in sandbox.entries().values())
    for _ in range(2):
        sandbox.run("feedback", key, "incorrect", now="2026-01-04T00:00:00Z")
    (entry,) = sandbox.run("query", "--stale", "--json", now="2026-01-04T00:00:00Z").json["entries"]
    assert entry["confidence"] == 0
    assert entry["reason"] == "confidence 0.0; feedback −0.6"


@pytest.mark.parametrize("verb", [("demote",), ("demote", "--for-review"), ("reject",)])
def test_feedback_on_a_candidate_counts_once_a_person_has_taken_it_out(sandbox: Sandbox, verb: tuple[str, ...]) -> None:
    sandbox.note("- Never deploy on Fridays, because nobody is on call then.\n")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    (key,) = (str(one["id"]) for one in sandbox.entries().values())
    for kind in ("incorrect", "confirm"):
        sandbox.run("feedback", key, kind, now="2026-01-03T01:00:00Z")
    sandbox.run(verb[0], key, *verb[1:], now="2026-01-03T02:00:00Z")
    assert sandbox.run("why", key, "--json", now="2026-01-03T03:00:00Z").json["entry"]["confidence"] == 0.3
    sandbox.run("restore", key, now="2026-01-03T04:00:00Z")
    told = sandbox.run("why", key, "--json", now="2026-01-03T05:00:00Z").json
    assert (told["entry"]["confidence"], told["entry"]["feedback"]) == (0.3, -0.2)
    amounts = [row["detail"][:4] for row in told["history"] if row["event"] == "feedback"]
    assert [one for one in amounts if one[0] in "+−"] == ["+0.1", "−0.3"]


def test_a_confirm_that_lifts_a_flag_of_a_candidate_is_listed_once(sandbox: Sandbox) -> None:
    sandbox.note("- Never deploy on Fridays, because nobody is on call then.\n")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    (key,) = (str(one["id"]) for one in sandbox.entries().values())
    for kind, day in (("incorrect", "04"), ("outdated", "05"), ("confirm", "06")):
        sandbox.run("feedback", key, kind, now=f"2026-01-{day}T00:00:00Z")

    def listed() -> list[str]:
        rows = sandbox.run("why", key, "--json", now="2026-01-08").json["history"]
        return [row["detail"] for row in rows if row["event"] == "feedback"]

    assert listed() == ["+0.1: confirm", "outdated", "−0.3: incorrect"]
    sandbox.run("reject", key, now="2026-01-07T00:00:00Z")
    assert listed() == ["+0.1: confirm", "outdated", "−0.3: incorrect"]


@pytest.mark.parametrize("given", [("confirm",), ("confirm", "outdated")])
def test_praise_of_a_candidate_lifts_no_flag_that_came_after_it(sandbox: Sandbox, given: tuple[str, ...]) -> None:
    sandbox.note("- Never deploy on Fridays, because nobody is on call then.\n")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    (key,) = (str(one["id"]) for one in sandbox.entries().values())
    for hour, kind in enumerate(given, 1):
        sandbox.run("feedback", key, kind, now=f"2026-01-03T0{hour}:00:00Z")
    sandbox.run("demote", key, "--for-review", now="2026-01-03T05:00:00Z")
    assert key[:8] in sandbox.run("query", "--review", now="2026-01-03T06:00:00Z").out
    sandbox.run("scan", now="2026-01-04T00:00:00Z")
    sandbox.run("promote", "--yes", now="2026-01-04T01:00:00Z")
    assert "Fridays" not in sandbox.read()


def test_what_is_rejected_is_on_no_list_of_the_stale(sandbox: Sandbox) -> None:
    sandbox.note("- Never deploy on Fridays, because nobody is on call then.\n")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    (key,) = (str(one["id"]) for one in sandbox.entries().values())
    sandbox.run("reject", key, now="2026-01-04T00:00:00Z")
    sandbox.note("- Something else.\n")
    sandbox.run("sweep", now="2026-04-10T00:00:00Z")
    for listed in (("--stale",), ("--status", "stale")):
        assert "No entries" in sandbox.run("query", *listed, code=1, now="2026-04-10T00:00:00Z").out
