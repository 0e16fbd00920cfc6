"""What is cut out of a note, and how."""

from __future__ import annotations

import pytest

from intermem.core.worth.excerpt import excerpt_of
from intermem.core.worth.passage import Note, passages

RULE = "Never call the service directly: use the client, which retries."
WHY = "**Why:** two releases were lost."


def cut(text: str, most: int = 400) -> str | None:
    found = excerpt_of(Note(text), most)
    return found.text if found is not None else None


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (RULE, RULE),
        (f"{RULE}\n\n{WHY}", RULE),
        (f"{RULE}\n\n{WHY}\n\n**How to apply:** in every handler.", RULE),
        (f"{RULE} {WHY} **How to apply:** in every handler.", RULE),
        ("同步页面上的说明。**Why:** 上次忘了。", "同步页面上的说明。"),
        ("**How to apply**:\n- Run `make sync` first.\n- Then deploy.", "Run `make sync` first."),
        ("Rules:\n- one rule here\n- another rule there", "Rules:\n- one rule here\n- another rule there"),
        ("A table:\n\n```sh\nmake all\n```", "A table:\n\n```sh\nmake all\n```"),
        ("  \n" + RULE + "\n\n", RULE),
    ],
)
def test_a_note_that_fits_is_written_whole_and_a_divided_one_without_its_parts(text: str, written: str) -> None:
    assert cut(text) == written


def test_of_a_long_paragraph_as_many_sentences_are_written_as_fit() -> None:
    long = "First sentence of it. Second one, e.g. this one here. Third that is too much for the line."
    assert cut(long, 60) == "First sentence of it. Second one, e.g. this one here."
    assert cut(long, 40) == "First sentence of it."
    assert cut(long, 20) is None
    assert cut("第一句话在这里。第二句话太长了写不下。", 10) == "第一句话在这里。"


def test_of_a_long_note_the_first_paragraph_is_written() -> None:
    note = f"{RULE}\nIt has a second line.\n\n" + "More of it follows here. " * 30
    found = excerpt_of(Note(note), 400)
    assert found is not None
    assert found.text == f"{RULE}\nIt has a second line."
    assert not found.passage.is_whole and found.passage.number == 0
    assert len(found.passages) > 1


def test_how_to_apply_is_written_where_it_is_much_more_of_a_rule() -> None:
    note = (
        "On 2026-03-03 the upload was fixed and merged in PR #12 after we found 3 errors.\n\n"
        f"{WHY}\n\n**How to apply:**\n"
        "- Never upload by hand: always use `make upload` before a release, not the page.\n"
    )
    assert cut(note) == "Never upload by hand: always use `make upload` before a release, not the page."
    assert cut(f"{RULE}\n\n{WHY}\n\n**How to apply:** see the client.") == RULE


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (f"**Lesson**: {RULE}", RULE),
        (f"Rule: {RULE}", RULE),
        ("**教训：**不要直接调用服务。", "不要直接调用服务。"),
        (f"**Gotcha:** {RULE}", None),
        (f"2026-08-12: {RULE}", None),
        (f"{RULE} It bit us on 2026-08-12. Superseded by the queue.", None),
        ("**Fix:** Removed line 12 of the worker.", None),
        ("**Decision:** no", None),
        ("**Rule:**\n- one rule here\n- another rule there", None),
    ],
)
def test_a_plain_label_in_front_of_an_order_is_not_written(text: str, written: str | None) -> None:
    assert cut(text) == (text if written is None else written)


def test_a_last_sentence_that_leads_to_what_does_not_fit_is_left_out() -> None:
    code = "```py\n" + "heat(rack)\n" * 60 + "```"
    assert cut(f"{RULE} It is used like this:\n\n{code}") == RULE
    assert cut(f"Call the client like this:\n\n{code}") == "Call the client like this:"
    assert cut(f"{RULE} It is used like this:\n\n```py\nheat(rack)\n```") == (
        f"{RULE} It is used like this:\n\n```py\nheat(rack)\n```"
    )


def test_a_label_without_words_gives_its_items() -> None:
    texts = [one.text for one in passages(Note("Head.\n\n**How to apply:** \n- first\n- second" + " x" * 200), 60)]
    assert "first" in texts and "" not in texts


def test_a_lead_in_takes_the_items_that_fit() -> None:
    note = "Do this:\n- one thing\n- another thing\n- " + "a very long thing " * 30
    assert next(one.text for one in passages(Note(note), 60)) == "Do this:\n- one thing\n- another thing"
    after = "Do this:\n\nthis paragraph ends it\n\n- " + "a very long thing " * 30
    assert next(one.text for one in passages(Note(after), 60)) == "Do this:\n\nthis paragraph ends it"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (f"{RULE} (see [[clients]])", RULE),
        (f"{RULE} See also [[clients]]", RULE),
        (f"{RULE} （参见 [[clients]]）", RULE),
        ("Use [[clients]] for it, as [the page](clients.md#top) says.", "Use clients for it, as the page says."),
        (
            "Read [the guide](https://example.invalid/x.md) first.",
            "Read [the guide](https://example.invalid/x.md) first.",
        ),
        ("See [the code](src/app.py) first.", "See [the code](src/app.py) first."),
    ],
)
def test_links_into_the_memory_are_taken_out(text: str, written: str) -> None:
    assert cut(text) == written


@pytest.mark.parametrize("text", ["", "   ", "\n\n"])
def test_of_nothing_nothing_is_written(text: str) -> None:
    assert cut(text) is None


def test_a_long_note_takes_linear_time_and_its_end_is_not_looked_at() -> None:
    found = excerpt_of(Note("\n".join(f"- item {number} of many" for number in range(5000))), 400)
    assert found is not None
    assert len(found.passages) <= 101
