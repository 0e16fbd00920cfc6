"""Notes that differ in nothing that counts are one entry: the best wording, the sources of all, one record."""

from __future__ import annotations

import io

import pytest

from intermem.core.entries.identity import identity
from tests.conftest import Sandbox

GOOD = "Never call `load_all()` twice: it leaks the handle, because the cache is global."
PLAIN = "Please don't call `load_all()` twice; it leaks handle, because the cache is global"
MAIN = "Never push to main by hand: the nightly job of the release team overwrites what is there."
DEV = MAIN.replace("main", "dev")


def sources(sandbox: Sandbox, entry: str) -> list[str]:
    return [one["file"] for one in sandbox.run("why", entry, "--json").json["sources"]]


@pytest.fixture
def noted(sandbox: Sandbox) -> Sandbox:
    sandbox.note(f"- {PLAIN}\n- {MAIN}\n", "a.md")
    sandbox.note(f"- {GOOD}\n- {DEV}\n", "b.md")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    return sandbox


def test_they_are_one_entry_in_the_best_wording_everywhere(noted: Sandbox) -> None:
    assert set(noted.entries()) == {GOOD, MAIN, DEV}
    assert sources(noted, identity(GOOD)) == ["a.md", "b.md"]
    assert "entries    3: 3 active" in noted.run("status").out
    assert noted.run("show", identity(PLAIN), "--json").json["entry"]["id"] == identity(GOOD)
    assert "3 entries in" in noted.run("scan", now="2026-01-04T00:00:00Z").out
    found = noted.run("promote", "--yes", "--json").json
    told = [*found["promoted"], *(one["entry"] for one in found["refused"])]
    assert sorted(one["text"] for one in told) == sorted([GOOD, MAIN, DEV])
    assert noted.read().count("load_all") == 1


def test_a_later_note_is_seen_as_the_entry_that_is_known(sandbox: Sandbox) -> None:
    sandbox.note(f"- {PLAIN}\n", "a.md")
    sandbox.scans("2026-01-01", "2026-01-02")
    sandbox.note(f"- {GOOD}\n", "b.md")
    sandbox.scans("2026-01-03")
    (entry,) = sandbox.entries().values()
    assert (entry["text"], entry["snapshot_count"]) == (PLAIN, 3)
    (sandbox.memory / "a.md").unlink()
    sandbox.scans("2026-01-04")
    assert (sources(sandbox, entry["id"]), sandbox.entries()[PLAIN]["snapshot_count"]) == (["b.md"], 4)


def test_the_line_stands_while_one_of_them_does_in_any_clone(noted: Sandbox) -> None:
    noted.run("promote", identity(GOOD), "--text", GOOD, "--yes")
    (noted.memory / "b.md").unlink()
    for day in ("2026-03-01", "2026-03-02", "2026-03-03"):
        noted.run("sweep", now=f"{day}T00:00:00Z")
    assert f"- {GOOD}\n" in noted.read()


@pytest.mark.parametrize("verb", ["reject", "demote"])
def test_what_a_person_took_out_is_not_gone_around(noted: Sandbox, verb: str) -> None:
    noted.run("promote", identity(GOOD), "--text", GOOD, "--yes")
    noted.run(verb, identity(GOOD))
    noted.note("- Something else.\n", "b.md")
    again = GOOD.replace("the handle", "handle")
    noted.note(f"- {again}\n", "c.md")
    noted.scans("2026-01-05", "2026-01-06", "2026-01-07")
    noted.run("promote", "--yes", code=None)
    assert "load_all" not in noted.read()
    assert len([text for text in noted.entries() if "load_all" in text]) == 1


def test_they_part_where_one_comes_to_say_something_else(noted: Sandbox) -> None:
    other = PLAIN.replace("load_all", "load_some")
    noted.note(f"- {other}\n- {MAIN}\n", "a.md")
    noted.run("scan", now="2026-01-04T00:00:00Z")
    assert sources(noted, identity(GOOD)) == ["b.md"]
    assert sources(noted, noted.entries()[other]["id"]) == ["a.md"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Deploy with the profile a for production.", "Deploy with the profile for production."),
        ("The build server is on at night.", "The build server is off at night."),
        ("It must be restarted after a release.", "It may be restarted after a release."),
        ("Nicht auf main pushen, bevor der Test lief.", "Auf main pushen, bevor der Test lief."),
        ("生产环境要先备份数据库。", "测试环境要先备份数据库。"),
        ("Start redis before nginx.", "Start nginx before redis."),
        ("Run the seeder with --seed.", "Run the seeder with --seed --slow."),
    ],
)
def test_what_differs_in_a_word_that_counts_is_two_and_a_person_may_write_both(
    sandbox: Sandbox, one: str, other: str
) -> None:
    sandbox.note(f"- {one}\n- {other}\n")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    ids = {text: entry["id"] for text, entry in sandbox.entries().items()}
    assert set(ids) == {one, other}
    for text, key in ids.items():
        sandbox.run("promote", key, "--text", text, "--yes", now="2026-01-03T00:00:00Z")
    assert f"- {one}\n" in sandbox.read() and f"- {other}\n" in sandbox.read()


def test_what_turns_the_sense_of_a_line_does_not_hold_it(sandbox: Sandbox) -> None:
    line = "Never deploy on a Friday evening unless the build server of the release team is off."
    sandbox.note(f"- {line}\n", "a.md")
    sandbox.note(f"- {line.replace('is off', 'is on')}\n", "b.md")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    sandbox.run("promote", identity(line), "--text", line, "--yes", now="2026-01-03T00:00:00Z")
    (sandbox.memory / "a.md").unlink()
    for day in ("2026-01-05", "2026-03-01", "2026-03-02", "2026-03-03"):
        sandbox.run("sweep", now=f"{day}T00:00:00Z")
    assert line not in sandbox.read()


def test_an_agent_is_shown_both_of_two_rules_that_differ_in_a_word(noted: Sandbox) -> None:
    found = noted.run("promote", "--candidates", "--json").json["candidates"]
    assert {MAIN, DEV, GOOD} <= {one["text"] for one in found}
    (main,) = [one for one in found if one["text"] == MAIN]
    assert DEV in [one["text"] for one in main["similar"]]


def test_a_person_at_the_prompt_may_write_both(noted: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    noted.run("promote", identity(MAIN), "--text", MAIN, "--yes", now="2026-01-03T00:00:00Z")
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    for stream in ("stdin", "stderr"):
        monkeypatch.setattr(f"sys.{stream}.isatty", lambda: True, raising=False)
    noted.run("promote", identity(DEV), now="2026-01-03T00:00:00Z")
    assert f"- {MAIN}\n" in noted.read() and f"- {DEV}\n" in noted.read()


@pytest.mark.parametrize("one", [0, 1])
def test_a_line_that_is_reworded_to_the_other_wording_is_the_same_entry(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, one: int
) -> None:
    monkeypatch.setenv("INTERMEM_PROMOTE_MIN_WORTH", "0")
    words = [GOOD, GOOD.replace("the handle", "handle")]
    sandbox.note(f"- {words[one]}\n", "a.md")
    sandbox.note(f"- {words[1 - one]}\n", "b.md")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    sandbox.run("promote", "--yes")
    sandbox.commit()
    (text,) = [text for text in words if f"- {text}\n" in sandbox.read()]
    (other,) = {*words} - {text}
    sandbox.write("AGENTS.md", sandbox.read().replace(text, other))
    sandbox.commit()
    for _ in range(2):
        (entry,) = sandbox.entries().values()
        assert (entry["text"], entry["document"]) == (other, "AGENTS.md")
        sandbox.run("sweep")
    assert sources(sandbox, entry["id"]) == ["a.md", "b.md"]


def test_who_takes_a_line_out_is_told_of_the_other_wording_that_stands(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INTERMEM_PROMOTE_MIN_WORTH", "0")
    again = GOOD.replace("the handle", "handle")
    sandbox.note(f"- {GOOD}\n", "a.md")
    sandbox.note(f"- {again}\n", "b.md")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    sandbox.run("promote", "--yes")
    (text,) = [text for text in (GOOD, again) if f"- {text}\n" in sandbox.read()]
    (other,) = {GOOD, again} - {text}
    sandbox.write("AGENTS.md", sandbox.read().replace(f"- {text}\n", f"- {text}\n- {other}\n"))
    done = sandbox.run("demote", identity(text))
    assert "in other words, and the next run takes it for put back: remove that line as well" in done.err
    assert f"- {other}\n" in sandbox.read()


def test_what_is_private_in_one_of_the_notes_is_private(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTERMEM_PROMOTE_MIN_WORTH", "0")
    again = GOOD.replace("the handle", "handle")
    for words in ((GOOD, again), (again, GOOD)):
        for text, kind in zip(words, ("user", "project"), strict=True):
            sandbox.note(f"---\ntype: {kind}\n---\n\n- {text}\n", f"{kind}.md")
        sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
        assert sandbox.run("promote", "--yes", "--json", code=None).json["promoted"] == []


def test_an_entry_has_its_type_from_the_note_whose_words_it_has(sandbox: Sandbox) -> None:
    for text, kind in ((PLAIN, "reference"), (GOOD, "feedback")):
        sandbox.note(f"---\ntype: {kind}\n---\n\n- {text}\n", f"{kind}.md")
    sandbox.scans("2026-01-01", "2026-01-02")
    (entry,) = sandbox.run("query", "--type", "feedback", "--json").json["entries"]
    assert (entry["text"].removeprefix("- "), entry["source_file"]) == (GOOD, "feedback.md")


def test_what_is_to_leave_first_is_the_line_that_says_the_same(sandbox: Sandbox) -> None:
    each, other = GOOD.replace("the cache", "each cache"), GOOD.replace("the cache", "every cache")
    wide = other.replace("handle", "thread")
    sandbox.note(f"- {wide}\n- {each}\n- {other}\n")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    for text in (wide, other, each):
        sandbox.run("promote", identity(text), "--yes")
    sandbox.run("demote", identity(other), "--by", identity(each))
    sandbox.run("demote", identity(each))
    sandbox.run("restore", identity(other))
    refused = sandbox.run("restore", identity(each), code=1).out
    assert f"says so already in {identity(other)[:8]}" in refused
    assert f"intermem demote {identity(other)[:8]}, then restore {identity(each)[:8]}" in refused
    assert wide in sandbox.read()


def test_lines_of_two_branches_that_say_the_same_are_told(sandbox: Sandbox) -> None:
    sandbox.note(f"- {GOOD}\n", "a.md")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    sandbox.run("promote", identity(GOOD), "--text", GOOD, "--yes")
    again = GOOD.replace("the handle", "handle")
    sandbox.write("AGENTS.md", sandbox.read().replace(f"- {GOOD}\n", f"- {GOOD}\n- {again}\n"))
    sandbox.run("sweep")
    assert "are two wordings of the same line" in sandbox.run("doctor", code=1).out
    for verb in ("status", "sweep"):
        assert "are two wordings of the same line: intermem demote" in sandbox.run(verb).err


def test_an_agent_is_told_what_holds_a_note_back_and_not_asked_what_a_person_decides(noted: Sandbox) -> None:
    noted.run("promote", identity(MAIN), "--text", MAIN, "--yes", now="2026-01-03T00:00:00Z")
    (dev,) = [one for one in noted.run("promote", "--candidates", "--json").json["candidates"] if one["text"] == DEV]
    assert [one["gate"] for one in dev["held"]][-1] == "duplicate"
    noted.run("reject", identity(MAIN), now="2026-01-03T00:00:00Z")
    assert DEV not in [
        one["text"] for one in noted.run("promote", "--candidates", "--json", code=None).json["candidates"]
    ]


def test_a_line_in_whose_place_two_other_wordings_stand_is_two_entries(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INTERMEM_PROMOTE_MIN_WORTH", "0")
    words = [GOOD, GOOD.replace("the handle", "handle"), GOOD.replace("the cache", "cache")]
    for text, file in zip(words, ("a.md", "b.md", "c.md"), strict=True):
        sandbox.note(f"- {text}\n", file)
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    sandbox.run("promote", "--yes")
    sandbox.commit()
    (text,) = [text for text in words if f"- {text}\n" in sandbox.read()]
    both = "".join(f"- {other}\n" for other in words if other != text)
    sandbox.write("AGENTS.md", sandbox.read().replace(f"- {text}\n", both))
    sandbox.commit()
    for verb in ("sweep", "scan", "sweep", "check", "doctor"):
        assert "damaged" not in sandbox.run(verb, code=None).err
    assert both in sandbox.read()


def test_who_removes_a_double_by_hand_takes_nothing_back(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTERMEM_PROMOTE_MIN_WORTH", "0")
    sandbox.note(f"- {GOOD}\n", "a.md")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    sandbox.run("promote", "--yes", now="2026-01-03T00:00:00Z")
    sandbox.commit()
    double = f"- {GOOD}\n- Please {GOOD[0].lower()}{GOOD[1:]}\n"
    for old, new, day in ((f"- {GOOD}\n", double, "04"), (double, f"- {GOOD}\n", "05")):
        sandbox.write("AGENTS.md", sandbox.read().replace(old, new))
        sandbox.commit()
        sandbox.run("sweep", now=f"2026-01-{day}T00:00:00Z")
    sandbox.note("- Something else entirely.\n", "a.md")
    for day in ("01-06", "04-20", "04-21", "04-22"):
        sandbox.run("sweep", now=f"2026-{day}T00:00:00Z")
    assert GOOD not in sandbox.read()
    sandbox.note(f"- {GOOD}\n", "a.md")
    sandbox.scans("2026-04-23", "2026-04-24", "2026-04-25")
    sandbox.run("promote", "--yes", now="2026-04-25T00:00:00Z")
    assert GOOD in sandbox.read()
