"""Where names stand: front matter that says where a document applies, parameters of routes, folders in prose."""

from __future__ import annotations

import pytest

from intermem.core.citations.extract import citations_of, spans_of
from intermem.core.citations.judge import Cited, judge, questions_for
from intermem.core.citations.kinds.resolution import Setting
from intermem.entities import Verdict, VerdictStatus
from intermem.facts import Event, Facts, History
from intermem.project.git.answers import tree_of

VALID, MOVED, BROKEN, UNVERIFIABLE = (
    VerdictStatus.VALID,
    VerdictStatus.MOVED,
    VerdictStatus.BROKEN,
    VerdictStatus.UNVERIFIABLE,
)


def cited(text: str) -> list[tuple[str, str]]:
    return [(one.kind, one.text) for one in citations_of(text)]


def verdicts(text: str, files: list[str], gone: dict[str, str | None] | None = None) -> dict[str, Verdict]:
    """The verdicts by cited text; ``gone`` maps deleted files to what they were renamed to."""
    found = [Cited(one, Setting(folder="")) for one in citations_of(text)]
    tree = tree_of(files, "", ())
    assert questions_for(found, tree)
    events = {path: Event(commit="c" * 40, date="2026-01-01", renamed_to=to) for path, to in (gone or {}).items()}
    by_name: dict[str, tuple[str, ...]] = {}
    for path in sorted(events):
        name = path.rpartition("/")[2]
        by_name[name] = (*by_name.get(name, ()), path)
    history = History(events=events, by_name=by_name, ordered=sorted(events))
    facts = Facts(tree=tree, history=history)
    return {one.citation.text: judge(one, facts).verdict for one in found}


@pytest.mark.parametrize(
    ("matter", "found"),
    [
        ('paths:\n  - "src/**/*.ts"\n  - lib/a.py', [("glob", "src/**/*.ts"), ("path", "lib/a.py")]),
        ("globs: src/*.ts,tests/*.ts", [("glob", "src/*.ts"), ("glob", "tests/*.ts")]),
        ("globs: src/**/*.{ts,tsx}, web/x.css", [("glob", "src/**/*.{ts,tsx}"), ("path", "web/x.css")]),
        ("applyTo: 'app/**/*.rb'", [("glob", "app/**/*.rb")]),
        ("paths: [src/a.py, 'src/b.py']", [("path", "src/a.py"), ("path", "src/b.py")]),
        ("description: see src/a.py\nname: lib/x.py", []),
        ("globs:\nalwaysApply: true", []),
    ],
)
def test_front_matter_says_where_a_document_applies(matter: str, found: list[tuple[str, str]]) -> None:
    text = f"---\n{matter}\n---"
    assert cited(text) == found
    for (_, name), spans in spans_of(text).items():
        assert all(text[start:stop] == name for start, stop, _ in spans)


def test_a_glob_of_front_matter_that_matches_nothing_any_more_is_broken() -> None:
    found = verdicts("---\nglobs: old/*.ts, new/*.ts, never/*.ts\n---", ["new/a.ts"], {"old/a.ts": None})
    assert [one.status for one in found.values()] == [BROKEN, VALID, UNVERIFIABLE]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("app/[id]/page.tsx", VALID),
        ("app/[...slug]/page.tsx", VALID),
        ("app/[[...all]].tsx", VALID),
        ("app/[gone]/page.tsx", BROKEN),
        ("app/[was]/page.tsx", MOVED),
        ("app/[name]/page.tsx", UNVERIFIABLE),
        ("docs/[feature]/notes.md", UNVERIFIABLE),
    ],
)
def test_a_parameter_of_a_route_is_a_name_where_there_is_or_was_such_a_file(path: str, status: str) -> None:
    files = ["app/[id]/page.tsx", "app/[...slug]/page.tsx", "app/[[...all]].tsx", "app/[now]/page.tsx", "docs/notes.md"]
    gone = {"app/[gone]/page.tsx": None, "app/[was]/page.tsx": "app/[now]/page.tsx"}
    (found,) = verdicts(f"See `{path}`.", files, gone).values()
    assert found.status is status


@pytest.mark.parametrize("quote", ["`{}`", "{}", "[x](<{}>)"], ids=["code", "prose", "link"])
@pytest.mark.parametrize(
    "path", ["do/plan-[COMPLETED]-x.md", "do/[fertig]-plan.md", "do/[已完成]_plan.md", "do/plan.[wip].md"]
)
def test_a_mark_in_a_name_is_part_of_it_where_there_is_or_was_such_a_file(path: str, quote: str) -> None:
    text = f"Read {quote.format(path)} first."
    for here, gone, status in (([path], {}, VALID), (["a.py"], {path: None}, BROKEN), (["do/x.md"], {}, UNVERIFIABLE)):
        assert verdicts(text, here, gone)[path].status is status


@pytest.mark.parametrize("path", ["do/plan (old).md", "do/[DONE] plan.md", "do/plan(v1).md", "app/(shop)/page.tsx"])
def test_a_mark_with_spaces_is_part_of_a_name_too(path: str) -> None:
    assert verdicts(f"Read `{path}`.", ["a.py"], {path: None})[path].status is BROKEN
    assert verdicts(f"Read `{path}`.", [path])[path].status is VALID
    assert verdicts(f"Read [it]({path.replace(' ', '%20')}).", [path])[path].status is VALID
    assert BROKEN not in [one.status for one in verdicts("`do/a [x].md`, `do/b (y).md`", ["do/x.md"]).values()]


@pytest.mark.parametrize("text", ["`cat do/x.md`", "`a[b]/x.md`", "`do/some plan.md`", "`run do/x (fast)`"])
def test_other_words_with_spaces_are_no_paths(text: str) -> None:
    assert text.strip("`") not in [name for _, name in cited(text)]


@pytest.mark.parametrize("path", ["app/<id>/page.tsx", "app/[id]-{x}/page.tsx", "[id]/page.tsx", "app/[a b]/page.tsx"])
def test_other_placeholders_are_no_paths(path: str) -> None:
    assert cited(f"See `{path}`.") == []


def test_a_folder_in_prose_is_cited_where_it_is_called_one() -> None:
    text = "Handlers live in the src/old/handlers folder, tests in the tests/unit directory; and/or is not one."
    assert [one for one in cited(text) if one[0] == "dir"] == [("dir", "src/old/handlers"), ("dir", "tests/unit")]
    found = verdicts(text, ["tests/unit/a.py", "src/b.py"], {"src/old/handlers/x.py": None})
    assert (found["src/old/handlers"].status, found["tests/unit"].status) == (BROKEN, VALID)
    for (_, name), spans in spans_of(text).items():
        assert all(text[start:stop] == name for start, stop, _ in spans)
    assert verdicts("It writes to the out/reports folder.", ["a.py"])["out/reports"].status is UNVERIFIABLE


def test_the_name_of_a_script_is_no_host() -> None:
    found = verdicts(
        "Run `setup.sh`, then deploy.sh; see bun.sh/docs.", ["a.py"], {"setup.sh": None, "ci/deploy.sh": None}
    )
    assert {name: one.status for name, one in found.items()}["setup.sh"] is BROKEN
    assert "deploy.sh" in found and not [name for name in found if "bun.sh" in name and found[name].status is BROKEN]
