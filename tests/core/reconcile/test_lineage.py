"""What history says about an entry, on small graphs made by hand."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime

import pytest

from intermem.core.entries.identity import identity
from intermem.core.reconcile.ledger import Line, Standing, midnight
from intermem.core.reconcile.ledger_history import LedgerVersion
from intermem.core.reconcile.lineage import Commit, EntryRemoval, Lineage, lineage_of
from tests.old_ledger import ledger_text

FACT = "Dates in the export are local time."
KEY = identity(FACT)
OTHER = identity("Another fact.")


def document(*texts: str) -> str:
    return "# P\n\n<!-- intermem:begin -->\n" + "".join(f"- {text}\n" for text in texts) + "<!-- intermem:end -->\n"


HELD, BARE, DAMAGED = (
    document(FACT),
    document(),
    "<!-- intermem:begin -->\n<<<<<<< a\n- x\n>>>>>>> b\n<!-- intermem:end -->\n",
)


def ledger(status: Standing, since: str = "2026-02-01", was: tuple[str, ...] = (), key: str = KEY) -> str:
    day = midnight(date.fromisoformat(since))
    line = Line(id=key, status=status, document="A", section="", since=day, first_seen=day, last_seen=day, was=was)
    return ledger_text({key: line})


def commit(key: str, *parents: str, text: str | None = BARE, said: str | None = None) -> Commit:
    return Commit(key, f"day of {key}", parents, {"A": text}, LedgerVersion(old=said))


def history(*commits: Commit) -> Lineage:
    return lineage_of(commits)


@pytest.mark.parametrize(
    ("commits", "expected"),
    [
        ([], None),
        ([commit("c", text=HELD)], EntryRemoval()),
        ([commit("c")], None),
        ([commit("c", text=None)], None),
        ([commit("c", "b"), commit("b", text=HELD)], EntryRemoval("c", "day of c")),
        ([commit("d", "c"), commit("c", "b"), commit("b", text=HELD)], EntryRemoval("c", "day of c")),
        ([commit("c", "b", said=ledger(Standing.DEMOTED)), commit("b", text=HELD)], None),
        ([commit("c", "b", said=ledger(Standing.REJECTED)), commit("b", text=HELD)], EntryRemoval("c", "day of c")),
        ([commit("c", "b", said="nonsense with " + KEY), commit("b", text=HELD)], EntryRemoval("c", "day of c")),
        # a merge that keeps the side which never had it decides nothing
        ([commit("m", "a", "b"), commit("a", "0"), commit("b", "0", text=HELD), commit("0")], None),
        # one that drops what both sides had does
        (
            [commit("m", "a", "b"), commit("a", "0", text=HELD), commit("b", "0", text=HELD), commit("0", text=HELD)],
            EntryRemoval("m", "day of m"),
        ),
        # taken out on one side, and merged
        (
            [commit("m", "a", "b"), commit("a", "0"), commit("b", "0", text=HELD), commit("0", text=HELD)],
            EntryRemoval("a", "day of a"),
        ),
        ([commit("c", "b"), commit("b", text=DAMAGED)], None),
        ([commit("c", "elsewhere")], None),
        # it went on under another identity
        ([commit("c", "b", said=ledger(Standing.PROMOTED, was=(KEY,), key=OTHER)), commit("b", text=HELD)], None),
    ],
)
def test_a_removal_is_a_commit_that_had_it_in_every_parent(
    commits: list[Commit], expected: EntryRemoval | None
) -> None:
    assert history(*commits).removal_of(KEY) == expected


def test_a_removal_is_told_in_words() -> None:
    assert EntryRemoval("0123456789abcdef", "2026-02-01").words == "in 0123456789 on 2026-02-01"
    assert EntryRemoval().words == "by hand, not committed yet"


GONE = ledger(Standing.DEMOTED)


@pytest.mark.parametrize(
    ("commits", "expected"),
    [
        ([], False),
        ([commit("c", "b", text=HELD), commit("b", "a", said=GONE), commit("a", text=HELD)], True),
        ([commit("d", "c", text=HELD), commit("c", "b", text=HELD), commit("b", said=GONE)], True),
        # not committed yet
        ([commit("b", said=GONE)], True),
        ([commit("b", said=ledger(Standing.PROMOTED))], False),
        # the ledger alone
        ([commit("b", "a", text=HELD, said=GONE), commit("a", text=HELD)], False),
        # an earlier demotion
        ([commit("c", "b", text=HELD), commit("b", "a", said=ledger(Standing.DEMOTED, "2026-01-31"))], False),
        # demoted on a branch that was merged, while it stood on this one
        (
            [
                commit("m", "a", "b", text=HELD, said=GONE),
                commit("a", "0", text=HELD),
                commit("b", "0", said=GONE),
                commit("0"),
            ],
            False,
        ),
    ],
)
def test_what_came_back_is_followed_where_it_stands(commits: list[Commit], expected: bool) -> None:
    assert history(*commits).came_back(KEY, midnight(date(2026, 2, 1))) is expected


def test_what_was_put_in_again_had_been_there_before() -> None:
    there = commit("a", "0", text=HELD)
    assert history(commit("c", "b", text=HELD), commit("b", "a"), there, commit("0")).was_put_in_again(KEY)
    assert not history(commit("b", "a", text=HELD), there, commit("0")).was_put_in_again(KEY)


def test_what_was_promoted_again_was_put_in_by_nobody() -> None:
    again = [commit("c", "b", text=HELD), commit("b", "a", said=GONE), commit("a", text=HELD)]
    assert not history(*again).was_put_in_again(KEY)


def test_a_rejection_is_known_from_any_branch() -> None:
    assert lineage_of((), (LedgerVersion(), LedgerVersion(old=ledger(Standing.REJECTED)))).is_rejected_on_a_branch(KEY)
    assert not lineage_of(
        (), (LedgerVersion(old=GONE), LedgerVersion(old="nonsense with " + KEY))
    ).is_rejected_on_a_branch(KEY)


def test_a_demotion_whose_ledger_was_committed_later_is_nobodys_removal() -> None:
    found = history(commit("c", "b", said=GONE), commit("b", "a"), commit("a", text=HELD))
    assert found.removal_of(KEY) is None


@pytest.mark.parametrize("order", ["mrdh0", "mhrd0"])
def test_a_demotion_on_the_other_side_of_a_merge_explains_no_removal(order: str) -> None:
    """One side demoted it and put it back, the other took it out: whichever side git lists first."""
    graph = {
        "m": commit("m", *sorted("rh", key=order.index), said=ledger(Standing.PROMOTED)),
        "r": commit("r", "d", text=HELD, said=ledger(Standing.PROMOTED)),
        "d": commit("d", "0", said=ledger(Standing.DEMOTED)),
        "h": commit("h", "0", said=ledger(Standing.PROMOTED)),
        "0": commit("0", text=HELD, said=ledger(Standing.PROMOTED)),
    }
    assert history(*(graph[key] for key in order)).removal_of(KEY) == EntryRemoval("h", "day of h")


def test_reworded_there_and_back_and_then_taken_out_is_a_removal() -> None:
    renamed = ledger(Standing.PROMOTED, was=(KEY,), key=OTHER)
    found = history(
        commit("d", "c"),
        commit("c", "b", text=HELD, said=ledger(Standing.PROMOTED)),
        commit("b", "a", text=document("Another fact."), said=renamed),
        commit("a", text=HELD, said=ledger(Standing.PROMOTED)),
    )
    assert found.removal_of(KEY) == found.removal_of_promoted(KEY) == EntryRemoval("d", "day of d")


def test_only_what_was_promoted_or_reworded_counts_as_taken_out() -> None:
    held = commit("a", text=HELD)
    assert history(commit("b", "a"), held).removal_of_promoted(KEY) is None
    said = replace(held, ledger=LedgerVersion(old=ledger(Standing.PROMOTED)))
    assert history(commit("b", "a"), said).removal_of_promoted(KEY) == EntryRemoval("b", "day of b")
    later = commit("a", text=document("Another fact."), said=ledger(Standing.PROMOTED, was=(KEY,), key=OTHER))
    assert history(commit("b", "a"), later).removal_of_promoted(KEY) == EntryRemoval("b", "day of b")
    assert Lineage().line(KEY) is None


def test_the_documents_that_ledgers_name_are_known() -> None:
    assert history(commit("a", said=GONE), commit("b", said="nonsense")).documents == {"A"}


def test_the_text_is_in_the_newest_commit_that_has_it() -> None:
    found = history(commit("c", "b", text=None), commit("b", "a", text=DAMAGED), commit("a", text=HELD))
    item = found.item(KEY)
    assert item is not None and item.text == FACT
    assert found.item(OTHER) is None
    assert found.ids_like(KEY[:4]) == {KEY} and found.ids_like("0000") <= {KEY}


def test_the_committed_version_at_head_is_the_newest() -> None:
    assert history(commit("b", "a", text=HELD), commit("a")).holds_now(KEY)
    assert not history(commit("b", "a"), commit("a", text=HELD)).holds_now(KEY)
    assert not Lineage().holds_now(KEY)


def test_a_heading_with_a_line_separator_is_one_line_of_the_ledger() -> None:
    said = ledger(Standing.PROMOTED).replace('"section": ""', '"section": "a\u2028b"')
    found = history(commit("b", "a"), commit("a", text=HELD, said=said))
    assert found.removal_of_promoted(KEY) == EntryRemoval("b", "day of b")


def at(number: int) -> datetime:
    return midnight(date(2026, 3, number))


def back(*, knew: bool = False, apart: bool = False) -> Lineage:
    """A line that one side took out on the third and the other moved; a merge has it. ``knew``: it was put in again."""
    moved = HELD.replace("# P", "# Another title")
    commits = [
        Commit("m", "day of m", ("a", "b"), {"A": moved}, at=at(5)),
        Commit("a", "day of a", ("b",) if knew else ("0",), {"A": moved}, at=at(4)),
        Commit("b", "day of b", ("0",), {"A": HELD if apart else BARE}, at=at(3)),
        Commit("0", "day of 0", (), {"A": HELD}, at=at(1)),
    ]
    return lineage_of(tuple(commits))


def test_what_one_side_took_out_and_a_merge_has_is_found_with_both_commits() -> None:
    found = back().brought_back(KEY, at(2))
    assert found is not None
    removal, merge = found
    assert (removal.commit, removal.at, merge.id) == ("b", at(3), "m")


def test_it_is_no_question_where_it_was_promoted_later_or_put_in_knowingly_or_never_left() -> None:
    assert back().brought_back(KEY, at(3)) is None
    assert back(knew=True).brought_back(KEY, at(2)) is None
    assert back(apart=True).brought_back(KEY, at(2)) is None
    assert back().brought_back(OTHER, at(2)) is None and Lineage().brought_back(KEY, at(2)) is None


def test_the_merge_that_has_what_a_parents_ledger_calls_gone_is_found() -> None:
    commits = [commit("m", "a", "b", text=HELD), commit("a", "0", text=HELD), commit("b", "0", said=GONE)]
    merge = history(*commits, commit("0", text=HELD)).merge_without(KEY)
    assert merge is not None and merge.id == "m"
    assert history(commit("a", text=HELD)).merge_without(KEY) is None


def test_what_was_taken_out_in_its_former_words_is_asked_about_in_its_new_ones() -> None:
    new = identity("Dates in the import are local time.")
    reworded = document("Dates in the import are local time.")
    recorded = LedgerVersion(old=ledger(Standing.PROMOTED, was=(KEY,), key=new))
    commits = (
        Commit("m", "day of m", ("a", "b"), {"A": reworded}, recorded, at=at(5)),
        Commit("a", "day of a", ("0",), {"A": reworded}, recorded, at=at(4)),
        Commit("b", "day of b", ("0",), {"A": BARE}, at=at(3)),
        Commit("0", "day of 0", (), {"A": HELD}, at=at(1)),
    )
    found = lineage_of(commits).brought_back(new, at(2), (KEY,))
    assert found is not None and (found[0].commit, found[1].id) == ("b", "m")
    assert lineage_of(commits).brought_back(new, at(2)) is None, "nobody says that the two are one"
