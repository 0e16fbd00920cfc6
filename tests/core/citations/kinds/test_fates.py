"""What became of a path that is gone, by a history that is a value."""

from __future__ import annotations

import pytest

from intermem.core.citations.kinds.fates import moved_verdict, once_a_folder
from intermem.entities import Verdict
from intermem.facts import Event, Facts, History, SeenBy, Tree

COMMIT = "c" * 40


def facts(events: dict[str, Event], *there: str) -> Facts:
    dirs = {"/".join(path.split("/")[:n]) for path in there for n in range(1, path.count("/") + 1)}
    return Facts(
        tree=Tree(paths=frozenset(there), dirs=frozenset(dirs), prefix=""),
        history=History(events=events, ordered=tuple(sorted(events))),
    )


def event(renamed_to: str | None = None, *, day: int = 1, commit: str = COMMIT, seen_by: SeenBy = SeenBy.GIT) -> Event:
    return Event(commit=commit, date=f"2026-01-{day:02}", renamed_to=renamed_to, seen_by=seen_by)


def moved(place: str, to: str, *there: str) -> Verdict:
    found = moved_verdict((place,), facts({place: event(to)}, to, *there))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("place", "to", "there", "said"),
    [
        ("src/kiln.py", "src/kiln/heat.py", ("src/kiln/__init__.py", "src/kiln/cool.py"), "src/kiln/__init__.py"),
        ("src/kiln.py", "src/kiln/heat.py", ("src/kiln/cool.py",), "src/kiln/heat.py"),
        ("src/kiln.py", "lib/kiln/heat.py", ("lib/kiln/__init__.py", "lib/kiln/cool.py"), "lib/kiln/heat.py"),
        ("src/kiln.py", "src/kiln/kiln.py", ("src/kiln/__init__.py",), "src/kiln/kiln.py"),
        ("rules/steps/fire.md", ".kit/steps-model/fire.md", (".kit/steps/fire.md",), ".kit/steps/fire.md"),
        ("rules/steps/fire.md", ".kit/steps/fire.md", (".kit/steps-model/fire.md",), ".kit/steps/fire.md"),
        ("docs/kiln.md", "docs/archive/kiln.md", (), "docs/archive/kiln.md"),
    ],
)
def test_a_file_is_where_its_reader_looks_for_it(place: str, to: str, there: tuple[str, ...], said: str) -> None:
    assert moved(place, to, *there).target == said


@pytest.mark.parametrize(
    ("place", "to", "there", "reason"),
    [
        ("src/kiln.py", "archive/kiln.py", (), "archived as archive/kiln.py"),
        ("src/kiln.py", "src/kiln.py.disabled", (), "switched off as src/kiln.py.disabled"),
        ("src/kiln.rs", "src/kiln_a.rs", ("src/kiln_b.rs", "src/kiln_c.rs"), "divided into src/kiln_*.rs"),
    ],
)
def test_nobody_is_sent_where_it_is_no_more(place: str, to: str, there: tuple[str, ...], reason: str) -> None:
    found = moved(place, to, *there)
    assert (found.status, found.target, found.reason) == ("broken", None, reason)


def test_what_was_there_before_is_no_place_where_a_folder_went() -> None:
    copies = {f"kiln/{name}.py": event(f"copies/{name}.py", seen_by=SeenBy.CONTENTS) for name in "ab"}
    found = once_a_folder("kiln", facts(copies, "copies/a.py", "copies/b.py"))
    assert found is not None and (found.status, found.reason) == ("broken", "deleted")
    went = {path: event(one.renamed_to) for path, one in copies.items()}
    found = once_a_folder("kiln", facts(went, "copies/a.py", "copies/b.py"))
    assert found is not None and (found.status, found.target) == ("moved", "copies")
    assert once_a_folder("rack", facts(went)) is None


def test_a_folder_of_code_in_an_archive_is_gone() -> None:
    went = {f"kiln/{name}.py": event(f"archive/kiln/{name}.py") for name in "ab"}
    found = once_a_folder("kiln", facts(went, "archive/kiln/a.py", "archive/kiln/b.py"))
    assert found is not None and (found.status, found.reason) == ("broken", "archived as archive/kiln")
    pages = {f"plans/{name}.md": event(f"archive/plans/{name}.md") for name in "ab"}
    found = once_a_folder("plans", facts(pages, "archive/plans/a.md", "archive/plans/b.md"))
    assert found is not None and (found.status, found.target) == ("moved", "archive/plans"), "pages are read there"


@pytest.mark.parametrize(
    ("events", "status"),
    [
        ({"work/a.md": event(day=1, commit="a"), "work/b.md": event(day=2, commit="b")}, "broken"),
        ({f"work/{n}.md": event(day=n, commit=str(n)) for n in range(1, 6)}, "unverifiable"),
        ({"work/2026-01-02-rack.md": event()}, "unverifiable"),
        ({"work/rack-one.lock": event()}, "unverifiable"),
        ({"work/2026-01-02-rack.md": event(), "work/2026-01-03-rack.md": event()}, "broken"),
        ({"work/dist.lock": event()}, "broken"),
    ],
)
def test_a_folder_that_work_fills_and_empties_may_be_empty(events: dict[str, Event], status: str) -> None:
    found = once_a_folder("work", facts(events, "README.md"))
    assert found is not None and found.status == status


def test_a_folder_that_builds_fill_may_be_made_again() -> None:
    found = once_a_folder("dist", facts({"dist/a.css": event(), "dist/b.css": event()}))
    assert found is not None and (found.status, found.reason) == (
        "unverifiable",
        "its files were deleted, and it may be made again",
    )
