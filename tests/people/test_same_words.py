"""Notes of which the same words would be written, whatever else they say: a rule with another *Why* is that rule."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from intermem.core.entries.identity import identity
from intermem.core.entries.observation import Known
from intermem.core.entries.wordings import written_already
from intermem.entities import Entry, Source
from tests.conftest import Sandbox
from tests.core.entries.test_observation import record
from tests.people.conftest import Person

RULE = "Always run `git status` before a release, never trust the walrus script."
SHORT = "Somebody forgot in May."
LONG = (
    "In May somebody forgot it, and the script said that all was well while three files had not been added; two"
    " customers called on the same evening, so we lost a day."
)
DAYS = ("2026-01-02", "2026-01-03", "2026-01-04")


@pytest.fixture
def ruled(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> Sandbox:
    """The rule stands in AGENTS.md, its note is in ``rule.md``."""
    monkeypatch.setenv("INTERMEM_PROMOTE_MIN_WORTH", "0")
    writes(sandbox, "rule.md", SHORT)
    sandbox.scans(*DAYS)
    sandbox.run("promote", "--yes", now="2026-01-04T00:00:00Z")
    assert f"- {RULE}\n" in sandbox.read()
    return sandbox


def writes(sandbox: Sandbox, file: str, why: str) -> None:
    text = f"{RULE}\n\n**Why:** {why}\n" if why else f"- {RULE}\n"
    sandbox.note(f"---\ntype: feedback\n---\n\n{text}" if why else text, file)


def stays(sandbox: Sandbox) -> None:
    for day in ("2026-01-05", "2026-02-20", "2026-03-01", "2026-04-20", "2026-05-01"):
        sandbox.run("sweep", now=f"{day}T00:00:00Z")
    assert f"- {RULE}\n" in sandbox.read()
    (entry,) = sandbox.run("query", "--all", "--json", now="2026-05-01T00:00:00Z").json["entries"]
    assert entry["document"] == "AGENTS.md"


def test_its_reasons_are_written_anew(ruled: Sandbox) -> None:
    writes(ruled, "rule.md", LONG)
    stays(ruled)


def test_its_reasons_are_written_anew_and_the_rule_in_words_that_count_the_same(ruled: Sandbox) -> None:
    text = f"Please always run `git status` before a release, never trust walrus script.\n\n**Why:** {LONG}\n"
    ruled.note(f"---\ntype: feedback\n---\n\n{text}", "rule.md")
    stays(ruled)


def test_it_is_moved_into_a_file_with_its_reasons(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTERMEM_PROMOTE_MIN_WORTH", "0")
    writes(sandbox, "MEMORY.md", "")
    sandbox.scans(*DAYS)
    sandbox.run("promote", "--yes", now="2026-01-04T00:00:00Z")
    writes(sandbox, "rule.md", LONG)
    sandbox.note("# Memory\n\n- [rule](rule.md)\n")
    stays(sandbox)


def test_another_file_has_it_with_other_reasons_when_its_own_goes(ruled: Sandbox) -> None:
    writes(ruled, "other.md", LONG)
    ruled.run("scan", now="2026-01-05T00:00:00Z")
    shown = ruled.run("show", identity(RULE), "--json").json
    assert [one["sources"][0]["file"] for one in shown["also"]] == ["other.md"]
    (ruled.memory / "rule.md").unlink()
    stays(ruled)


def test_it_comes_back_with_other_reasons(ruled: Sandbox) -> None:
    ruled.note("- Something else.\n", "rule.md")
    for day in ("2026-03-01", "2026-03-02"):
        ruled.run("sweep", now=f"{day}T00:00:00Z")
    assert RULE not in ruled.read()
    writes(ruled, "rule.md", LONG)
    ruled.scans("2026-03-05", "2026-03-06", "2026-03-07")
    ruled.run("promote", "--yes", now="2026-03-07T00:00:00Z")
    assert f"- {RULE}\n" in ruled.read()


def test_a_colleague_noted_it_with_other_reasons(person: Person, colleague: Callable[..., Person]) -> None:
    ben = colleague()
    writes(ben, "rule.md", LONG)
    for day in (0, 1, 2):
        ben.at(day).run("scan")
    person.promotes(RULE)
    person.commit("promote")
    ben.git("pull", "-q", str(person.root), "main")
    (entry,) = ben.at(3).entries().values()
    assert (entry["document"], entry["source_file"]) == ("AGENTS.md", "rule.md")


def test_nothing_replaces_what_would_be_written_again(ruled: Sandbox) -> None:
    writes(ruled, "other.md", LONG)
    ruled.run("scan", now="2026-01-05T00:00:00Z")
    (old,) = (one["id"] for one in ruled.entries().values() if one["document"])
    (new,) = (one["id"] for one in ruled.entries().values() if not one["document"])
    refused = ruled.run("demote", old, "--by", new, now="2026-01-05T00:00:00Z", code=1).out
    assert "the very same words would be written: there is nothing to replace" in refused
    assert f"- {RULE}\n" in ruled.read()


def test_only_of_a_line_whose_note_is_gone_and_only_where_nothing_else_would_be_written() -> None:
    text = f"{RULE}\n\n**Why:** {LONG}"
    new = {
        identity(text): [
            Entry(id=identity(text), text=text, section="", source=Source(file="a.md", first_line=1, last_line=3))
        ]
    }
    line = record(id=identity(RULE), text=RULE, promoted_at=record().first_seen)
    known = Known({line.id: line}, {}, {})
    assert written_already(new, known, lambda _: RULE) == {identity(text): line.id}
    assert written_already(new, known, lambda _: text) == {}
    assert written_already(new, Known({line.id: record(id=line.id, text=RULE)}, {}, {}), lambda _: RULE) == {}
    here = {
        **new,
        line.id: [Entry(id=line.id, text=RULE, section="", source=Source(file="b.md", first_line=1, last_line=1))],
    }
    assert written_already(here, known, lambda _: RULE) == {}
