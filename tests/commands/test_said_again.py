"""Two notes of the same words are one entry with two sources, and it stands as long as one of them does."""

from __future__ import annotations

import io

import pytest

from intermem.core.entries.identity import identity
from tests.conftest import Sandbox
from tests.old_ledger import events_in

NOTE = "Never call `load_all()` twice: it leaks the handle, because the cache is global."
OTHER = "never call `load_all()` twice; it leaks  the handle, because the cache is global"
TYPED = ("Don't restart it: the worker's queue is lost.", "Don’t restart it: the worker’s queue is lost.")


def sources(sandbox: Sandbox, entry: str) -> list[str]:
    return [one["file"] for one in sandbox.run("why", entry, "--json").json["sources"]]


@pytest.mark.parametrize("together", [True, False], ids=["in one snapshot", "later"])
def test_two_notes_of_the_same_words_are_one_entry(sandbox: Sandbox, together: bool) -> None:
    sandbox.note(f"- {NOTE}\n", "a.md")
    if not together:
        sandbox.run("scan")
    sandbox.note(f"- {OTHER}\n", "b.md")
    sandbox.run("scan", now="2026-01-02T00:00:00Z")
    ((text, entry),) = sandbox.entries().items()
    assert (text, sources(sandbox, entry["id"])) == (NOTE, ["a.md", "b.md"])


def test_an_apostrophe_is_one_however_it_is_typed(sandbox: Sandbox) -> None:
    for name, text in zip(("a.md", "b.md"), TYPED, strict=True):
        sandbox.note(f"- {text}\n", name)
    sandbox.run("scan")
    ((text, entry),) = sandbox.entries().items()
    assert (text, sources(sandbox, entry["id"])) == (TYPED[0], ["a.md", "b.md"])


def test_a_note_that_was_gone_for_a_while_is_the_same_entry(sandbox: Sandbox) -> None:
    sandbox.note(f"- {NOTE}\n", "a.md")
    sandbox.run("scan")
    sandbox.note("- Something else.\n", "a.md")
    sandbox.run("scan", now="2026-01-02T00:00:00Z")
    sandbox.note(f"- {OTHER}\n", "b.md")
    assert "1 seen again" in sandbox.run("scan", now="2026-01-03T00:00:00Z").out
    sandbox.note(f"- {NOTE}\n", "a.md")
    sandbox.run("scan", now="2026-01-04T00:00:00Z")
    entry = sandbox.entries()[NOTE]
    assert (len(sandbox.entries()), sources(sandbox, entry["id"])) == (2, ["a.md", "b.md"])


def test_it_stands_while_one_of_them_does(sandbox: Sandbox) -> None:
    sandbox.note(f"- {NOTE}\n", "a.md")
    sandbox.note(f"- {OTHER}\n", "b.md")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    sandbox.run("promote", "--yes", now="2026-01-03T00:00:00Z")
    (sandbox.memory / "a.md").unlink()
    for day in ("2026-03-01", "2026-03-02", "2026-03-03"):
        sandbox.run("sweep", now=f"{day}T00:00:00Z")
    assert f"- {NOTE}\n" in sandbox.read()
    ((text, entry),) = sandbox.entries().items()
    assert (text, entry["document"], sources(sandbox, entry["id"])) == (NOTE, "AGENTS.md", ["b.md"])
    (sandbox.memory / "b.md").unlink()
    sandbox.note("- Something else.\n", "c.md")
    for day in ("2026-05-01", "2026-05-02"):
        sandbox.run("sweep", now=f"{day}T00:00:00Z")
    assert NOTE not in sandbox.read()


def test_a_rejection_is_not_gone_around(sandbox: Sandbox) -> None:
    sandbox.note(f"- {NOTE}\n", "a.md")
    sandbox.run("scan")
    (entry,) = sandbox.entries().values()
    sandbox.run("reject", entry["id"])
    sandbox.note(f"- {OTHER}\n", "b.md")
    sandbox.run("scan", now="2026-01-02T00:00:00Z")
    assert [one["id"] for one in sandbox.entries().values()] == [entry["id"]]


def test_another_number_sign_or_name_is_another_entry(sandbox: Sandbox) -> None:
    notes = ["Use port 8080.", "Use port 8081.", "Keep `a.b` as is.", "Keep `ab` as is.", "Go to 1.5", "Go to 15"]
    notes += ["Retry if x < 3.", "Retry if x > 3.", "Set it to -1", "Set it to 1", "Keep .env", "Keep env"]
    notes += ["Pass --force", "Pass force", "Extend PATH", "Extend path"]
    sandbox.note("".join(f"- {one}\n" for one in notes))
    sandbox.run("scan")
    assert sorted(sandbox.entries()) == sorted(notes)


ALIKE = "Never call `load_all()` twice: it leaks handles, because the cache is global."


@pytest.mark.parametrize("later", [True, False], ids=["after the promotion", "before it"])
def test_a_line_stands_while_a_note_of_another_file_says_the_same(sandbox: Sandbox, later: bool) -> None:
    sandbox.note(f"- {NOTE}\n", "a.md")
    if not later:
        sandbox.note(f"- {ALIKE}\n", "b.md")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    sandbox.run("promote", sandbox.entries()[NOTE]["id"], "--yes", now="2026-01-03T00:00:00Z")
    sandbox.note(f"- {ALIKE}\n", "b.md")
    sandbox.run("scan", now="2026-01-04")
    (sandbox.memory / "a.md").unlink()
    for day in ("2026-01-05", "2026-03-01", "2026-03-02", "2026-03-03"):
        sandbox.run("sweep", now=f"{day}T00:00:00Z")
    assert f"- {NOTE}\n" in sandbox.read()
    (sandbox.memory / "b.md").unlink()
    sandbox.note("- Something else.\n", "c.md")
    for day in ("2026-03-04", "2026-05-01", "2026-05-02"):
        sandbox.run("sweep", now=f"{day}T00:00:00Z")
    assert NOTE not in sandbox.read()


def test_notes_that_say_nearly_the_same_are_one_line_with_the_sources_of_both(sandbox: Sandbox) -> None:
    sandbox.note(f"- {NOTE}\n", "a.md")
    sandbox.note(f"- {ALIKE}\n", "b.md")
    sandbox.note("- Never call `load_some()` twice: it leaks the handle, because the cache is global.\n", "c.md")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    line, other = (sandbox.entries()[text]["id"] for text in (NOTE, ALIKE))
    sandbox.run("promote", line, "--yes", now="2026-01-03T00:00:00Z")
    place = {"file": "b.md", "first_line": 1, "last_line": 1}
    alike = {"id": other, "text": ALIKE, "sources": [place], "but_a_word": False}
    assert sandbox.run("why", line, "--json").json["also"] == [alike]
    said = f"also by    {other[:8]} in b.md:1, a note in nearly the same words: {ALIKE}\n"
    assert said in sandbox.run("show", line).out
    sandbox.run("demote", line, "--by", other, now="2026-01-04T00:00:00Z")
    sandbox.run("promote", "--yes", now="2026-01-04T00:00:00Z")
    assert (ALIKE in sandbox.read(), NOTE in sandbox.read()) == (True, False)
    (found,) = sandbox.run("show", other, "--json").json["also"]
    assert (found["id"], [one["file"] for one in found["sources"]]) == (line, ["a.md"])


@pytest.mark.parametrize(
    ("place", "note", "said"),
    [
        ("b.md", f"## Build\n\n- {ALIKE}\n", "a note in b.md that says the same"),
        ("a.md", f"## Test\n\n- {ALIKE}\n", "a note in another section of a.md that says the same"),
        ("a.md", f"## Build\n\n- {ALIKE}\n", "a rewording in the same place"),
    ],
)
def test_the_history_says_where_the_note_stands_that_took_over(
    sandbox: Sandbox, place: str, note: str, said: str
) -> None:
    sandbox.note(f"## Build\n\n- {NOTE}\n", "a.md")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    line = sandbox.entries()[NOTE]["id"]
    sandbox.run("promote", line, "--yes", now="2026-01-03T00:00:00Z")
    (sandbox.memory / "a.md").unlink()
    sandbox.note(note, place)
    sandbox.run("scan", now="2026-01-04T00:00:00Z")
    (told,) = [one for one in sandbox.run("why", line, "--json").json["history"] if one["event"] == "superseded"]
    assert told["detail"] == f"by {identity(ALIKE)[:8]}, {said}"


def test_a_note_that_stood_beside_it_before_is_no_rewording(sandbox: Sandbox) -> None:
    sandbox.note(f"- {NOTE}\n- {ALIKE}\n", "a.md")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    line = sandbox.entries()[NOTE]["id"]
    sandbox.run("promote", line, "--yes", now="2026-01-03T00:00:00Z")
    sandbox.note(f"- {ALIKE}\n", "a.md")
    sandbox.run("scan", now="2026-01-04T00:00:00Z")
    assert f"by {identity(ALIKE)[:8]}, a note beside it that says the same" in sandbox.run("why", line).out


def test_the_age_of_a_line_counts_from_when_the_note_in_other_words_was_seen_last(sandbox: Sandbox) -> None:
    sandbox.note(f"- {NOTE}\n", "a.md")
    sandbox.note(f"- {ALIKE}\n", "b.md")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    line, other = (sandbox.entries()[text]["id"] for text in (NOTE, ALIKE))
    sandbox.run("promote", line, "--yes", now="2026-01-03T00:00:00Z")
    (sandbox.memory / "a.md").unlink()
    sandbox.run("sweep", now="2026-05-10T00:00:00Z")
    assert f"held by    {other[:8]}" in sandbox.run("why", line, now="2026-05-10T00:00:00Z").out
    (sandbox.memory / "b.md").unlink()
    sandbox.note("- Something else.\n", "c.md")
    for moment in ("2026-05-10T02:00:00Z", "2026-05-10T04:00:00Z"):
        sandbox.run("sweep", now=moment)
    assert f"- {NOTE}\n" in sandbox.read()
    assert [one["at"] for one in events_in(sandbox.root) if one["what"] == "lost"] == ["2026-05-10T00:00:00Z"]
    told = sandbox.run("why", line, "--json", now="2026-05-10T04:00:00Z").json
    assert (told["held_by"], told["stale_on"]) == (None, "2026-06-07T00:00:00Z")
    for day in ("2026-06-07", "2026-06-08"):
        sandbox.run("sweep", now=f"{day}T00:00:00Z")
    assert NOTE not in sandbox.read()


def test_a_note_that_says_another_number_keeps_no_line(sandbox: Sandbox) -> None:
    sandbox.note("- Never open port 8080 to the world, because the proxy listens there.\n", "a.md")
    sandbox.note("- Never open port 8081 to the world, because the proxy listens there.\n", "b.md")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    (first,) = [one["id"] for text, one in sandbox.entries().items() if "8080" in text]
    sandbox.run("promote", first, "--yes", now="2026-01-03T00:00:00Z")
    (sandbox.memory / "a.md").unlink()
    for day in ("2026-01-05", "2026-03-01", "2026-03-02"):
        sandbox.run("sweep", now=f"{day}T00:00:00Z")
    assert "8080" not in sandbox.read()


def test_a_rewording_stays_below_the_heading_that_its_line_has(sandbox: Sandbox) -> None:
    """The note of a line may have moved to a file whose only heading is its type, which is none."""
    sandbox.note(f"## Build\n\n- {NOTE}\n")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    sandbox.run("promote", "--yes", now="2026-01-03T00:00:00Z")
    reworded = NOTE.replace("leaks the handle", "leaks a handle")
    for day, text in enumerate((NOTE, reworded, reworded, reworded), 4):
        sandbox.note("- Something else.\n")
        sandbox.note(f"---\nname: loading\ntype: project\n---\n{text}\n", "loading.md")
        sandbox.run("scan", now=f"2026-01-0{day}T00:00:00Z")
    sandbox.run("promote", "--yes", now="2026-01-07T00:00:00Z")
    assert f"### Build\n\n- {reworded}\n" in sandbox.read() and "project" not in sandbox.read()


def test_a_note_that_says_the_same_adds_to_the_confidence_of_the_entry(sandbox: Sandbox) -> None:
    sandbox.note("- Prefer short functions.\n", "one.md")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03", "2026-01-04")
    assert [one["confidence"] for one in sandbox.entries().values()] == [0.5]
    sandbox.note("", "one.md")
    sandbox.note("- Prefer short functions.\n", "two.md")
    sandbox.scans("2026-01-05")
    (entry,) = sandbox.entries().values()
    assert (entry["confidence"], entry["last_seen"]) == (0.7, "2026-01-05T00:00:00Z")


def promotes_both(box: Sandbox, first: str, second: str) -> None:
    """Promote ``first``, note ``second`` in another file, and promote again."""
    box.note(f"- {first}\n", "a.md")
    box.scans("2026-01-01", "2026-01-02", "2026-01-03")
    box.run("promote", "--yes", now="2026-01-03T01:00:00Z")
    box.note(f"- {second}\n", "b.md")
    box.scans("2026-01-04", "2026-01-05", "2026-01-06")
    box.run("promote", "--yes", now="2026-01-06T01:00:00Z")


TICKED = "Never run `make deploy` from a branch, because it pushes the tag as well."


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("other", [TICKED.replace("`", ""), TICKED.replace("`", "").replace(", because", ": ")])
def test_what_is_code_in_one_note_and_plain_text_in_the_other_is_the_same(
    sandbox: Sandbox, other: str, swapped: bool
) -> None:
    pair = (other, TICKED) if swapped else (TICKED, other)
    promotes_both(sandbox, *pair)
    assert pair[0] in sandbox.read()
    assert pair[1] not in sandbox.read()


MARKED = [
    "Call `_reload` after every change of the routing table, or requests go astray.",
    "Keep the exports of `glaze/__init__.py` sorted by hand, since nothing else does.",
    "Name what is slow `*_slow.py`, as the runner leaves these out by default.",
    "The `KILN_*` variables are read once at start, so restart it after a change.",
    "Run the linter with `--fix`/`--quiet` before every commit of generated code.",
]
APART = [
    (
        "Every kiln class defines `__eq__` and `__hash__` together.",
        "every kiln class defines __eq__ and __hash__ together",
    ),
    ("Glaze exports `__all__`, `_old` from each package.", 'Glaze exports "__all__", "_old" from each package.'),
    ("Racks need `__iter__` and __next__ in each reader.", "Racks need __iter__ and `__next__` in each reader."),
    (
        "Stelle „glasur“, „ofen“ und „ton“ vor jedem Brand ein.",
        'Stelle "glasur", "ofen" und "ton" vor jedem Brand ein.',
    ),
    ("The gauge knows ‹hot›, ‹cold›, ‹off›.", 'The gauge knows "hot", "cold", "off".'),
    ("`kilnctl` needs the gauge to be off.", "Kilnctl needs the gauge to be off."),
    ("Wait until it is cold. `kilnctl` and `racks` say so.", "Wait until it is cold. Kilnctl and racks say so."),
    ("`kilnctl` needs the gauge to be on.", "“Kilnctl” needs the gauge to be on."),
    ('Say "all cold." `kilnctl` runs then.', 'Say "all cold." Kilnctl runs then.'),
    ("The gauge fails… `kilnctl` finds it.", "The gauge fails… Kilnctl finds it."),
    ('The gauge needs "`racks` first".', 'The gauge needs "Racks first".'),
    ("(`racks` first.) Then the gauge is read.", "(Racks first.) Then the gauge is read."),
    ("Fire it twice (See the log.) before it cools.", "Fire it twice (see the log) before it cools."),
]


@pytest.mark.parametrize(("first", "second"), APART)
@pytest.mark.parametrize("rejected", [False, True])
def test_marks_capitals_quotes_and_pauses_may_differ_at_once(
    sandbox: Sandbox, first: str, second: str, rejected: bool
) -> None:
    sandbox.note(f"- {first}\n", "a.md")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    sandbox.run("promote", "--yes", now="2026-01-03T01:00:00Z")
    assert first in sandbox.read()
    if rejected:
        sandbox.run("reject", sandbox.entries()[first]["id"], now="2026-01-03T02:00:00Z")
    sandbox.note(f"- {second}\n", "b.md")
    sandbox.scans("2026-01-04", "2026-01-05", "2026-01-06")
    sandbox.run("promote", "--yes", now="2026-01-06T01:00:00Z")
    assert (first in sandbox.read(), second in sandbox.read()) == (not rejected, False)


@pytest.mark.parametrize("reworded", [False, True])
@pytest.mark.parametrize("text", MARKED)
def test_a_name_may_begin_with_what_else_is_emphasis_or_be_joined(sandbox: Sandbox, text: str, reworded: bool) -> None:
    plain = text.replace("`", "")
    plain = plain.replace("every", "each").replace("since", "as").replace("by default", "always") if reworded else plain
    promotes_both(sandbox, text, plain)
    assert text in sandbox.read()
    assert plain not in sandbox.read()


def test_a_rejection_holds_for_the_note_without_ticks(sandbox: Sandbox) -> None:
    sandbox.note(f"- {MARKED[0]}\n", "a.md")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    sandbox.run("promote", "--yes", now="2026-01-03T01:00:00Z")
    sandbox.run("reject", sandbox.entries()[MARKED[0]]["id"], now="2026-01-03T02:00:00Z")
    plain = MARKED[0].replace("`", "")
    sandbox.note(f"- {plain}\n", "a.md")
    sandbox.scans("2026-01-04", "2026-01-05", "2026-01-06")
    sandbox.run("promote", "--yes", now="2026-01-06T01:00:00Z")
    assert "_reload" not in sandbox.read()


@pytest.mark.parametrize(
    "other",
    [
        TICKED.replace("make deploy", "make release"),
        TICKED.replace("`make deploy`", "make deploy-all"),
        TICKED.replace("`make deploy`", "./make deploy"),
        TICKED.replace("`make deploy`", "``make `deploy` ``"),
    ],
)
def test_another_name_is_another_statement_with_and_without_ticks(sandbox: Sandbox, other: str) -> None:
    promotes_both(sandbox, TICKED, other)
    assert TICKED in sandbox.read()
    assert other in sandbox.read()


def test_what_was_spelt_otherwise_and_then_says_the_opposite_is_another_note(sandbox: Sandbox) -> None:
    said = "Always run the alpha suite before a release, as the build cache breaks otherwise."
    spelt = said.replace("Always", "always").replace(",", "").rstrip(".")
    sandbox.run("init")
    for number, note in enumerate((said, spelt, spelt.replace("always", "never")), 1):
        sandbox.note(f"## Build\n\n- {note}\n")
        sandbox.now = f"2026-01-0{number}T00:00:00Z"
        sandbox.run("scan")
    sandbox.run("promote", "--yes", code=None)
    text = sandbox.read()
    assert "lways run the alpha" not in text and "never run the alpha suite" in text


@pytest.mark.parametrize("number", [0, 1])
def test_the_note_that_a_person_chose_takes_the_place_and_no_third_one(sandbox: Sandbox, number: int) -> None:
    whens = {"a": "before pushing", "b": "before you push", "c": "before a push"}
    words = {name: f"Always run `make lint` {when}: CI refuses otherwise." for name, when in whens.items()}
    for name, text in words.items():
        sandbox.note(f"- {text}\n", f"{name}.md")
    for hour in (1, 3, 5):
        sandbox.run("scan", now=f"2026-01-02T0{hour}:00:00Z")
    (first,) = sandbox.run("promote", "--yes", "--json").json["promoted"]
    stands = first["id"]
    others = sorted({identity(text) for text in words.values()} - {stands})
    chosen, third = others[number], others[1 - number]
    sandbox.run("demote", stands, "--by", chosen)
    waits = f"a person chose {chosen[:8]} to take its place; intermem restore {third[:8]} lifts that"
    assert waits in sandbox.run("why", third).out
    (again,) = sandbox.run("promote", "--yes", "--json").json["promoted"]
    assert again["id"] == chosen


@pytest.mark.parametrize("later", [1, 18])
def test_a_note_that_says_it_in_other_words_keeps_the_line_though_it_came_later(sandbox: Sandbox, later: int) -> None:
    sandbox.note(f"- {NOTE}\n", "a.md")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    sandbox.run("promote", "--yes", now="2026-01-03T00:00:00Z")
    line = sandbox.entries()[NOTE]["id"]
    (sandbox.memory / "a.md").unlink()
    sandbox.run("scan", now="2026-01-04T00:00:00Z")
    sandbox.note(f"- {ALIKE}\n", "b.md")
    sandbox.run("scan", now=f"2026-01-{4 + later:02}T00:00:00Z")
    for day in ("2026-03-01", "2026-03-09"):
        assert sandbox.run("sweep", "--json", now=f"{day}T00:00:00Z").json["demoted"] == []
    assert "the note that took the place of its own" in sandbox.run("why", line, now="2026-03-09T00:00:00Z").out


def test_a_note_like_a_line_that_this_memory_never_had_keeps_none(sandbox: Sandbox) -> None:
    sandbox.write("AGENTS.md", f"# Project\n\n<!-- intermem:begin -->\n- {NOTE}\n<!-- intermem:end -->\n")
    sandbox.commit()
    sandbox.run("sweep", now="2026-01-01T00:00:00Z")
    line = sandbox.entries()[NOTE]["id"]
    sandbox.note(f"- {ALIKE}\n", "b.md")
    sandbox.run("scan", now="2026-01-04T00:00:00Z")
    assert sandbox.run("why", line, "--json", now="2026-01-05T00:00:00Z").json["held_by"] is None


def test_a_line_is_not_replaced_by_a_rule_about_something_else(sandbox: Sandbox) -> None:
    rule = "Never push to {} by hand: the nightly job of the release team overwrites what is there."
    sandbox.note(f"- {rule.format('main')}\n", "a.md")
    sandbox.note(f"- {rule.format('dev')}\n", "b.md")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    sandbox.run("promote", "--yes", now="2026-01-03T00:00:00Z")
    stands = "main" if rule.format("main") in sandbox.read() else "dev"
    (sandbox.memory / ("a.md" if stands == "main" else "b.md")).unlink()
    sandbox.run("scan", now="2026-01-04T00:00:00Z")
    sandbox.run("promote", "--yes", now="2026-01-05T00:00:00Z")
    assert rule.format(stands) in sandbox.read()
    assert "held by" not in sandbox.run("why", sandbox.entries()[rule.format(stands)]["id"]).out


@pytest.mark.parametrize("marked", ['"load_all()"', "**`load_all()`**", "load_all()"])
def test_a_line_stands_while_a_note_of_another_file_says_it_with_other_marks(sandbox: Sandbox, marked: str) -> None:
    sandbox.note(f"- {NOTE}\n", "a.md")
    sandbox.note(f"- {NOTE.replace('`load_all()`', marked)}\n", "b.md")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    line, entry = next((text, one) for text, one in sandbox.entries().items() if text == NOTE or "**" in text)
    sandbox.run("promote", entry["id"], "--yes", now="2026-01-03T00:00:00Z")
    (sandbox.memory / ("a.md" if line == NOTE else "b.md")).unlink()
    for day in ("2026-01-05", "2026-03-01", "2026-03-02", "2026-03-03"):
        sandbox.run("sweep", now=f"{day}T00:00:00Z")
    assert f"- {line}\n" in sandbox.read()


@pytest.mark.parametrize("how", ["id", "text", "prompt", "restore"])
def test_who_names_a_rule_about_something_else_gets_it_beside_the_other(
    sandbox: Sandbox, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = "Never push to {} by hand: the nightly job of the release team overwrites what is there."
    main, dev = rule.format("main"), rule.format("dev")
    sandbox.note(f"- {main}\n- {dev}\n")
    sandbox.scans("2026-01-01", "2026-01-02", "2026-01-03")
    ids = {text: entry["id"] for text, entry in sandbox.entries().items()}
    sandbox.run("promote", ids[main], "--yes", now="2026-01-03T00:00:00Z")
    refused = sandbox.run("promote", "--yes", now="2026-01-03T00:00:00Z").out
    assert "AGENTS.md says so already" in refused and "promote ID keeps both if one word differs" in refused
    assert [one["but_a_word"] for one in sandbox.run("why", ids[main], "--json").json["also"]] == [True]
    assert "a note in nearly the same words, but for one that may count: " in sandbox.run("show", ids[main]).out
    if how == "prompt":
        monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
        for stream in ("stdin", "stderr"):
            monkeypatch.setattr(f"sys.{stream}.isatty", lambda: True, raising=False)
        sandbox.run("promote", now="2026-01-03T00:00:00Z")
    elif how == "restore":
        sandbox.run("demote", ids[main], now="2026-01-03T00:00:00Z")
        sandbox.run("restore", ids[dev], now="2026-01-03T00:00:00Z")
        sandbox.run("promote", ids[dev], "--yes", now="2026-01-03T00:00:00Z")
        sandbox.run("restore", ids[main], now="2026-01-03T00:00:00Z")
    else:
        wording = ["--text", f"{dev}"] if how == "text" else []
        sandbox.run("promote", ids[dev], *wording, "--yes", now="2026-01-03T00:00:00Z")
    assert sandbox.read().count(main) == sandbox.read().count(dev) == 1
    again = sandbox.run("promote", ids[dev], "--yes", now="2026-01-03T00:00:00Z", code=1).out
    assert "already in AGENTS.md" in again
