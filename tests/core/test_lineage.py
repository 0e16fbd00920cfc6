"""What history says about an entry, on small graphs made by hand."""

from __future__ import annotations

from datetime import date

import pytest

from intermem.core.identity import identity
from intermem.core.ledger import Line, Standing, ledger_text
from intermem.core.lineage import Commit, Lineage, Removal, lineage_of

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
    day = date.fromisoformat(since)
    line = Line(id=key, status=status, document="A", section="", since=day, first_seen=day, last_seen=day, was=was)
    return ledger_text({key: line})


def commit(key: str, *parents: str, text: str | None = BARE, said: str | None = None) -> Commit:
    return Commit(key, f"day of {key}", parents, {"A": text}, said)


def history(*commits: Commit) -> Lineage:
    return lineage_of(commits)


@pytest.mark.parametrize(
    ("commits", "expected"),
    [
        ([], None),
        ([commit("c", text=HELD)], Removal()),
        ([commit("c")], None),
        ([commit("c", text=None)], None),
        ([commit("c", "b"), commit("b", text=HELD)], Removal("c", "day of c")),
        ([commit("d", "c"), commit("c", "b"), commit("b", text=HELD)], Removal("c", "day of c")),
        ([commit("c", "b", said=ledger(Standing.DEMOTED)), commit("b", text=HELD)], None),
        ([commit("c", "b", said=ledger(Standing.REJECTED)), commit("b", text=HELD)], Removal("c", "day of c")),
        ([commit("c", "b", said="nonsense with " + KEY), commit("b", text=HELD)], Removal("c", "day of c")),
        # a merge that keeps the side which never had it decides nothing
        ([commit("m", "a", "b"), commit("a", "0"), commit("b", "0", text=HELD), commit("0")], None),
        # one that drops what both sides had does
        (
            [commit("m", "a", "b"), commit("a", "0", text=HELD), commit("b", "0", text=HELD), commit("0", text=HELD)],
            Removal("m", "day of m"),
        ),
        # taken out on one side, and merged
        (
            [commit("m", "a", "b"), commit("a", "0"), commit("b", "0", text=HELD), commit("0", text=HELD)],
            Removal("a", "day of a"),
        ),
        ([commit("c", "b"), commit("b", text=DAMAGED)], None),
        ([commit("c", "elsewhere")], None),
        # it went on under another identity
        ([commit("c", "b", said=ledger(Standing.PROMOTED, was=(KEY,), key=OTHER)), commit("b", text=HELD)], None),
    ],
)
def test_a_removal_is_a_commit_that_had_it_in_every_parent(commits: list[Commit], expected: Removal | None) -> None:
    assert history(*commits).removal_of(KEY) == expected


def test_a_removal_is_told_in_words() -> None:
    assert Removal("0123456789abcdef", "2026-02-01").words == "in 0123456789 on 2026-02-01"
    assert Removal().words == "by hand, not committed yet"


def test_what_left_was_committed_with_its_ledger() -> None:
    gone = history(commit("c", "b", text=HELD), commit("b", "a", said=ledger(Standing.DEMOTED)), commit("a", text=HELD))
    assert gone.left_by(KEY, date(2026, 2, 1))
    assert not gone.left_by(KEY, date(2026, 2, 2)), "that was an earlier demotion"
    assert not history(commit("c", text=HELD, said=ledger(Standing.DEMOTED))).left_by(KEY, date(2026, 2, 1))
    assert not history(commit("c", said=ledger(Standing.PROMOTED))).left_by(KEY, date(2026, 2, 1))


def test_what_was_ever_promoted_is_known() -> None:
    found = history(commit("b", "a"), commit("a", said=ledger(Standing.PROMOTED)))
    assert found.was_promoted(KEY) and not found.was_promoted(OTHER)
    assert not history(commit("a", said=ledger(Standing.REJECTED))).was_promoted(KEY)
    assert found.line(KEY) is None and Lineage().line(KEY) is None


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
