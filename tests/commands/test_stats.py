from __future__ import annotations

import io
import sqlite3
from contextlib import closing
from typing import Any

import pytest
from rich.console import Console

from intermem.cli.verbs import VERBS
from intermem.core.entries.identity import identity
from intermem.reporters.text.render import render
from intermem.results import Result
from tests.conftest import Once, Sandbox

ALPHA, BRAVO, CHARLIE = "Alpha stands in `src/app.py`.", "Bravo is about tests.", "Charlie wants short names."
LIKING = "Likes short answers."
NOW = "2026-02-10T12:00:00Z"


def listed(*notes: str) -> str:
    return "".join(f"- {note}\n" for note in notes)


def january(box: Sandbox) -> None:
    """Three notes, promoted at midnight of 3 January; Bravo is not seen again. A private one is not promoted."""
    box.note(listed(ALPHA, BRAVO, CHARLIE))
    box.note(f"---\nname: who\ndescription: who\ntype: user\n---\n\n{LIKING}\n", "who.md")
    box.scans("2026-01-01", "2026-01-02", "2026-01-03")
    box.run("promote", "--yes", now="2026-01-03T00:00:00Z")
    box.note(listed(ALPHA, CHARLIE))
    box.scans("2026-01-31")


@pytest.fixture
def life(sandbox: Sandbox, once: Once) -> Sandbox:
    once(sandbox, january)
    return sandbox


def figures(box: Sandbox, now: str = NOW) -> dict[str, Any]:
    return box.run("status", "--figures", "--json", now=now).json


def removed(box: Sandbox, now: str = NOW) -> dict[str, dict[str, int]]:
    """What was removed in the month of ``now``, without zeros."""
    found = figures(box, now)["removed_this_month"]
    rows = {
        cause: {event: number for event, number in row.items() if number} for cause, row in found["by_cause"].items()
    }
    assert found["total"] == sum(sum(row.values()) for row in rows.values())
    return {cause: row for cause, row in rows.items() if row}


def add_history(box: Sandbox, *rows: tuple[str, str, str, str]) -> None:
    """Write rows of history: time, event, detail, cause."""
    with closing(sqlite3.connect(box.root / ".git/intermem/root/metadata.db")) as connection, connection:
        connection.executemany("INSERT INTO history (at, event, detail, cause) VALUES (?, ?, ?, ?)", rows)


def test_counts_and_averages_by_type(life: Sandbox) -> None:
    data = figures(life)
    # Alpha 0.5 + 0.3, Charlie 0.5 and Liking 0.5, all seen on 31 January; Bravo 0.5 − 0.2 after 38 days: stale.
    assert data["entries"] == {
        "all": 4,
        "active": 3,
        "stale": 1,
        "demoted": 0,
        "promoted": 3,
        "pinned": 0,
        "rejected": 0,
        "review": 0,
        "average_confidence": 0.525,  # 2.1 / 4
        "stale_percent": 25.0,
    }
    assert {kind: (one["all"], one["average_confidence"]) for kind, one in data["types"].items()} == {
        "untyped": (3, 0.533),  # 1.6 / 3
        "user": (1, 0.5),
    }
    assert [one["entries"] for one in data["confidences"]] == [0, 0, 0, 1, 0, 2, 0, 0, 1, 0]
    assert data["confidences"][3] == {"from": 0.3, "to": 0.4, "entries": 1}
    assert (data["schema"], data["at"]) == ("intermem/status/1", NOW)
    assert (data["last_snapshot"], data["last_sweep"]) == ("2026-01-31T00:00:00Z", None)


def test_figures_are_as_of_now_and_the_same_again(life: Sandbox) -> None:
    assert figures(life, "2026-01-30T00:00:00Z")["entries"]["stale"] == 0
    assert figures(life, "2026-01-31T00:00:00Z")["entries"]["stale"] == 1
    assert life.run("status", "--figures", now=NOW) == life.run("status", "--figures", now=NOW)


def test_ages_are_of_first_sight(life: Sandbox) -> None:
    life.note(listed(ALPHA, CHARLIE, "Delta came later."))
    life.run("scan", now="2026-02-08T12:00:00Z")
    oldest = min(identity(text) for text in (ALPHA, BRAVO, CHARLIE, LIKING))
    assert figures(life)["ages"] == {
        "oldest": oldest,
        "first_seen": "2026-01-01T00:00:00Z",
        "oldest_days": 40.5,
        "average_days": 32.8,  # (4 × 40.5 + 2) / 5
    }


def test_the_forecast_counts_weeks_from_now(life: Sandbox) -> None:
    life.run("pin", identity(CHARLIE), now=NOW)
    coming = figures(life)["goes_stale"]
    # Bravo is stale; Alpha, 0.8, stands in the memory, and is at 0.3 70 days after it leaves that.
    assert [week["entries"] for week in coming["weeks"]] == [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0]
    assert [week["from"] for week in coming["weeks"]][10:] == ["2026-04-21T12:00:00Z", "2026-04-28T12:00:00Z"]
    assert (coming["later"], coming["never"], coming["demote_streak"]) == (0, 1, 2)


def test_a_region_has_lines_and_estimated_tokens(sandbox: Sandbox) -> None:
    sandbox.write("AGENTS.md", "# P\n\n<!-- intermem:begin -->\n- 12345678\n\n<!-- intermem:end -->\n")
    sandbox.write("CLAUDE.md", "No region here.\n")
    sandbox.write("intermem.toml", "[promote]\nbudget_tokens = 7\n")
    assert figures(sandbox)["documents"] == [
        {
            "name": "AGENTS.md",
            "region_lines": 2,
            "budget_tokens": 7,
            "region_tokens": 3,  # "- 12345678\n\n" has 12 characters
            "document_tokens": 16,  # 5 + 24 + 12 + 22 = 63
        }
    ]


def test_what_left_is_counted_by_cause(life: Sandbox) -> None:
    life.run("sweep", now="2026-02-01T00:00:00Z")
    life.run("sweep", now="2026-02-02T00:00:00Z")  # Bravo: decay
    life.run("reject", identity(CHARLIE), now="2026-02-03T00:00:00Z")
    life.run("feedback", identity(ALPHA), "forget", now="2026-02-04T00:00:00Z")
    life.run("prune", "--older-than", "30d", "--delete", "--confirm", now="2026-02-05T00:00:00Z")  # Bravo again
    assert removed(life) == {
        "decay": {"demoted": 1},
        "hand": {"rejected": 1},
        "feedback": {"demoted": 1},
        "prune": {"deleted": 1},
    }
    assert removed(life, "2026-03-01T00:00:00Z") == {}


def test_a_month_is_of_the_calendar_and_of_utc(life: Sandbox) -> None:
    add_history(
        life,
        ("2025-02-10T00:00:00Z", "demoted", "", "decay"),
        ("2026-01-31T23:59:59Z", "demoted", "", "decay"),
        ("2026-02-01T00:00:00Z", "demoted", "", "hand"),
        ("2026-02-28T23:59:59Z", "demoted", "", "retention"),
        ("2026-03-01T00:00:00Z", "demoted", "", "decay"),
    )
    expected = {"hand": {"demoted": 1}, "retention": {"demoted": 1}}
    assert removed(life, "2026-02-01T00:00:00Z") == removed(life, "2026-02-28T23:59:59Z") == expected
    assert removed(life, "2026-03-01T00:30:00+01:00") == expected


def test_a_purge_counts_what_it_took_and_an_old_row_has_no_cause(life: Sandbox) -> None:
    add_history(
        life,
        ("2026-02-01T00:00:00Z", "purged", "12 entries: by type", "purge"),
        ("2026-02-02T00:00:00Z", "purged", "1 entry: by id", "purge"),
        ("2026-02-02T00:00:00Z", "purged", "(purged)", "purge"),
        ("2026-02-03T00:00:00Z", "demoted", "5 reasons", ""),
        ("2026-02-03T00:00:00Z", "settled", "demote out of AGENTS.md did not happen", ""),
    )
    assert removed(life) == {"purge": {"purged": 14}, "unknown": {"demoted": 1}}


def test_a_purge_leaves_nothing_but_its_number(life: Sandbox) -> None:
    life.run("demote", identity(BRAVO), now="2026-02-03T00:00:00Z")
    life.run("demote", identity(ALPHA), now="2026-02-04T00:00:00Z")
    ids = [option for text in (BRAVO, LIKING) for option in ("--id", identity(text))]
    life.run("purge", *ids, "--confirm", now="2026-02-05T00:00:00Z", code=None)
    assert removed(life) == {"hand": {"demoted": 1}, "purge": {"purged": 2}}


def test_what_was_undone_does_not_count_until_the_undo_is_undone(life: Sandbox) -> None:
    life.run("demote", identity(CHARLIE), now="2026-02-03T00:00:00Z")
    life.run("demote", identity(ALPHA), now="2026-02-04T00:00:00Z")
    life.run("undo", now="2026-02-05T00:00:00Z")
    assert removed(life) == {"hand": {"demoted": 1}}
    (undo,) = (
        one["operation"] for one in life.run("undo", "--list", "--json").json["operations"] if one["verb"] == "undo"
    )
    life.run("undo", str(undo), now="2026-02-06T00:00:00Z")
    assert removed(life) == {"hand": {"demoted": 2}}


def test_what_a_person_took_out_counts_before_a_run_has_written_it_down(life: Sandbox) -> None:
    life.commit("promoted")
    life.write("AGENTS.md", life.read().replace(f"- {CHARLIE}\n", ""))
    life.commit("not Charlie")
    counts = figures(life)["entries"]
    assert counts["rejected"] == 1
    assert counts["active"] + counts["stale"] + counts["demoted"] + 1 == counts["all"]
    assert removed(life) == {"hand": {"rejected": 1}}
    life.run("sweep", "--no-demote", now=NOW)
    assert removed(life) == {"hand": {"rejected": 1}}


@pytest.mark.parametrize("verb", ["demote", "reject"])
def test_what_happened_in_one_moment_is_counted_once(life: Sandbox, verb: str) -> None:
    life.commit("promoted")
    key = life.entries()[CHARLIE]["id"]
    for _ in range(4):
        life.run("feedback", key, "confirm", now=NOW)
    life.run(verb, key, now=NOW)
    assert removed(life) == {"hand": {"demoted" if verb == "demote" else "rejected": 1}}
    events = [one["event"] for one in life.run("why", key, "--json").json["history"]]
    assert (events.count("feedback"), len(events) - len(set(events))) == (4, 3)


def test_an_empty_project_has_zeros_and_nulls(sandbox: Sandbox) -> None:
    data = figures(sandbox)
    assert set(data["entries"].values()) == {0, None}
    assert (data["types"], data["documents"], data["ages"], data["last_sweep"]) == ({}, [], None, None)
    assert sum(one["entries"] for one in data["confidences"]) == data["removed_this_month"]["total"] == 0
    assert sandbox.run("status", "--figures", now=NOW).out == (
        "No entries at 2026-02-10T12:00:00Z\n  last scan  never\n  last sweep never\n\nRemoved in 2026-02: none\n"
    )


def test_with_all_entries_demoted_nothing_is_divided(life: Sandbox) -> None:
    life.run("prune", "--older-than", "0", "--confirm", now=NOW)
    data = figures(life)
    assert (data["entries"]["demoted"], data["entries"]["average_confidence"], data["ages"]) == (4, None, None)
    assert "Confidence of" not in life.run("status", "--figures", now=NOW).out


@pytest.mark.parametrize("now", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"])
def test_the_ends_of_the_calendar_are_no_error(life: Sandbox, now: str) -> None:
    assert figures(life, now)["entries"]["all"] == 4


def test_a_refused_document_is_named_and_the_rest_is_told(life: Sandbox) -> None:
    life.write("CLAUDE.md", "<!-- intermem:begin -->\n")
    outcome = life.run("status", "--figures", "--json", now=NOW, code=2)
    assert [one["where"] for one in outcome.json["problems"]] == ["CLAUDE.md"]
    assert outcome.json["entries"]["all"] == 4


def test_people_read_it_all(life: Sandbox) -> None:
    life.run("sweep", now="2026-02-01T00:00:00Z")
    life.run("sweep", now="2026-02-02T00:00:00Z")
    oldest = min(identity(text) for text in (ALPHA, CHARLIE, LIKING))[:8]
    assert life.run("status", "--figures", now=NOW).out == EVERYTHING.replace("OLDEST", oldest)


def at_width(box: Sandbox, width: int, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    seen: list[Result] = []
    with monkeypatch.context() as patched:
        patched.setattr("intermem.reporters.text.render.write", lambda result, *_more, **_named: seen.append(result))
        box.run("status", "--figures", now=NOW)
    out = io.StringIO()
    render(seen[0], VERBS["status"].renderer, Console(file=out, width=width, no_color=True, soft_wrap=True))
    return out.getvalue().split("\n")


def test_people_get_averages_of_two_decimals(life: Sandbox) -> None:
    row = next(line for line in life.run("status", "--figures", now=NOW).out.split("\n") if line.startswith("untyped"))
    assert row.split()[-1] == "0.53"


def test_eighty_columns_are_enough(life: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    life.note("---\nname: ref\ndescription: ref\ntype: reference\n---\n\nFigures are in `src/app.py`.\n", "ref.md")
    life.run("scan", now=NOW)
    assert max(len(line) for line in at_width(life, 80, monkeypatch)) <= 80
    assert at_width(life, 80, monkeypatch) == at_width(life, 120, monkeypatch)


def test_a_long_bar_is_scaled_and_says_so(sandbox: Sandbox) -> None:
    sandbox.note("".join(f"- Note {'x' * number} of many.\n" for number in range(1, 82)) + "- In `src/app.py`.\n")
    sandbox.scans("2026-02-10")
    out = sandbox.run("status", "--figures", now=NOW).out
    assert f"  0.5 - 0.6  81  {'█' * 27}\n" in out  # 81 / 3
    assert "  0.8 - 0.9   1  █\n" in out
    assert "  (one block: 3 entries)\n" in out


EVERYTHING = """\
4 entries at 2026-02-10T12:00:00Z
TYPE     ALL  ACTIVE  STALE  DEMOTED  PROMOTED  PINS  REJECTED  REVIEW  CONF
untyped    3       2      -        1         2     -         -       -  0.85
user       1       1      -        -         -     -         -       -   0.7
total      4       3      -        1         2     -         -       -   0.8

  stale      0 % of those that are active or stale
  age        40.5 days on average of those that are active or stale
  oldest     OLDEST, first seen 2026-01-01, 40.5 days ago
  last scan  2026-02-02T00:00:00Z
  last sweep 2026-02-02T00:00:00Z
  citations  as judged last; intermem why judges them now

Removed in 2026-02: 1
  CAUSE  DEMOTED  SUPERSEDED  REJECTED  DELETED  PURGED
  decay        1           -         -        -       -

Documents (tokens are an estimate: bytes / 4)
  DOCUMENT   REGION LINES  REGION TOKENS  ALL TOKENS
  AGENTS.md             2    ~16 of 2000         ~37

Confidence of the 3 entries not demoted
  0.0 - 0.1  -
  0.1 - 0.2  -
  0.2 - 0.3  -
  0.3 - 0.4  -
  0.4 - 0.5  -
  0.5 - 0.6  -
  0.6 - 0.7  -
  0.7 - 0.8  2  ██
  0.8 - 0.9  -
  0.9 - 1.0  1  █

Promoted entries by the week from which sweeps count them as stale
  (then 2 sweeps in a row demote them)
  from 2026-02-10  -
  from 2026-02-17  -
  from 2026-02-24  -
  from 2026-03-03  -
  from 2026-03-10  -
  from 2026-03-17  -
  from 2026-03-24  -
  from 2026-03-31  -
  from 2026-04-07  1  █
  from 2026-04-14  -
  from 2026-04-21  -
  from 2026-04-28  -
  later            1  █
  never            -
"""
