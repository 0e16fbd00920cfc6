"""What history proves though something of that name is left: in another class, in comments, in the name of a file."""

from __future__ import annotations

from dataclasses import replace

import pytest

from intermem.core.citations.drawn import ELSEWHERE as DRAWN_ELSEWHERE
from intermem.core.citations.extract import citations_of
from intermem.core.citations.judge import Cited, judge, questions_for, traces_for
from intermem.core.citations.kinds.resolution import Setting
from intermem.entities import Evidence
from intermem.facts import Event, Facts, History, Occurrence, SeenBy, Shape, SymbolRemoval, Trace, Traced
from tests.core.citations.test_judge import COMMIT, TREE, tree_of, verdict

HOME = Occurrence(path="src/kiln_rack.py", line=3, shape=Shape.DEFINITION)
ELSEWHERE = Occurrence(path="src/oven.py", line=9, shape=Shape.DEFINITION)
MEMBER = "`KilnRack.load_tray()`"


def left(path: str, shape: Shape = Shape.DEFINITION) -> Traced:
    return Traced(removals=(SymbolRemoval(commit=COMMIT, date="2026-02-01", path=path, shape=shape),))


def gone(*paths: str) -> History:
    event = Event(commit=COMMIT, date="2026-02-01")
    names = {path.rpartition("/")[2]: (path,) for path in paths}
    return History(events=dict.fromkeys(paths, event), by_name=names, ordered=sorted(paths))


def asked(text: str, **facts: object) -> set[str]:
    (citation,) = citations_of(text)
    given = Facts(tree=TREE, **facts)  # type: ignore[arg-type]
    return {one.name for one in traces_for([Cited(citation, Setting())], given)}


@pytest.mark.parametrize(
    ("text", "evidence"),
    [("`HOT_RACKS.find(it)`", Evidence.SHORT_REWRITTEN), ("`HOT_OVEN_RACKS.find(it)`", Evidence.REWRITTEN)],
)
def test_what_is_called_with_a_name_does_not_make_it_longer(text: str, evidence: Evidence) -> None:
    owner = text.strip("`").partition(".")[0]
    now = SymbolRemoval(
        commit=COMMIT,
        date="2026-02-01",
        path=HOME.path,
        shape=Shape.DEFINITION,
        target="src/kiln_rack.py:9",
        renamed_to="warm_racks_all",
    )
    found = verdict(text, places={"find": (ELSEWHERE,)}, traced={Trace(name=owner): Traced(removals=(now,))})
    assert (found.status, found.evidence) == ("moved", evidence)


@pytest.mark.parametrize(("there", "status"), [("HotRack", "valid"), ("OldRack", "broken")])
def test_a_key_of_data_stands_for_the_field_that_has_it_with_a_capital(there: str, status: str) -> None:
    places = {there: (HOME,), "load_tray": (ELSEWHERE,)}
    assert (
        verdict("`hotRack.load_tray`", places=places, traced={Trace(name="hotRack"): left("src/x.py")}).status == status
    )


def test_a_member_that_left_its_class_is_gone_whatever_else_has_one_of_its_name() -> None:
    places = {"KilnRack": (HOME,), "load_tray": (ELSEWHERE,)}
    traced = {Trace(name="load_tray"): left("src/kiln_rack.py")}
    assert asked(MEMBER, places=places) == {"load_tray"}
    found = verdict(MEMBER, places=places, traced=traced)
    assert (found.status, found.reason) == ("broken", "its definition was removed from src/kiln_rack.py")


@pytest.mark.parametrize(
    ("places", "path"),
    [
        ({"KilnRack": (HOME,), "load_tray": (ELSEWHERE,)}, "src/oven.py"),
        ({"KilnRack": (HOME,), "load_tray": (ELSEWHERE, replace(HOME, shape=Shape.USE))}, HOME.path),
        ({"KilnRack": (HOME, replace(ELSEWHERE, shape=Shape.USE)), "load_tray": (ELSEWHERE,)}, HOME.path),
        ({"KilnRack": (HOME,), "load_tray": tuple(replace(ELSEWHERE, line=n) for n in range(24))}, HOME.path),
        ({"KilnRack": (replace(HOME, path="tests/test_x.py"),), "load_tray": (ELSEWHERE,)}, "tests/test_x.py"),
    ],
    ids=["another file's", "still in its file", "an extension of the class", "too many to know", "a class of tests"],
)
def test_a_member_that_may_be_there_still_is_valid(places: dict[str, tuple[Occurrence, ...]], path: str) -> None:
    traced = {Trace(name="load_tray"): left(path)}
    assert verdict(MEMBER, places=places, traced=traced).status == "valid"


def test_the_file_that_is_named_like_the_class_is_its_home() -> None:
    other = Occurrence(path="src/app.py", line=1, shape=Shape.DEFINITION)  # ``kiln_rack = KilnRack()`` reads like one
    places = {"KilnRack": (replace(other, path="src/KilnRack.swift"), other), "load_tray": (ELSEWHERE,)}
    places["load_tray"] += (replace(other, shape=Shape.USE),)
    traced = {Trace(name="load_tray"): left("src/KilnRack.swift")}
    assert verdict(MEMBER, places=places, traced=traced).status == "broken"


def test_a_class_of_which_only_its_file_is_left_is_gone() -> None:
    tree = replace(tree_of("src/KilnView.swift"), by_stem={"KilnView": ("src/KilnView.swift",)})
    told = replace(HOME, path="src/app.py", shape=Shape.COMMENT)
    traced = {Trace(name="KilnView"): left("src/KilnView.swift")}
    assert verdict("`KilnView`", tree, traced=traced, places={"KilnView": (told,)}).status == "broken"
    assert verdict("`KilnView`", tree, traced={Trace(name="KilnView"): left("src/app.py")}).status == "valid"
    assert verdict("`KilnView`", tree).status == "valid", "nothing is known of its past"
    used = replace(told, shape=Shape.USE)
    assert verdict("`KilnView`", tree, traced=traced, places={"KilnView": (used,)}).status == "valid"


def test_a_definition_that_only_comments_speak_of_is_gone() -> None:
    mention = Occurrence(path="src/app.py", line=4, shape=Shape.USE, mention=True)
    traced = {Trace(name="merge_trays"): left("src/oven.py")}
    assert verdict("`merge_trays`", places={"merge_trays": (mention,)}, traced=traced).status == "broken"
    used = replace(mention, mention=False)
    assert verdict("`merge_trays`", places={"merge_trays": (mention, used)}, traced=traced).status == "valid"


def test_an_owner_that_only_data_speak_of_is_gone() -> None:
    page = Occurrence(path="docs/manual.html", line=4, shape=Shape.USE)
    traced = {Trace(name="KilnRack"): left("src/kiln_rack.py")}
    places = {"KilnRack": (page,), "load_tray": (replace(ELSEWHERE, path="src/kiln_store.py"),)}
    assert asked(MEMBER, places=places) == {"KilnRack"}
    assert verdict(MEMBER, places=places, traced=traced).status == "moved"


def test_the_last_use_of_a_name_in_capitals_counts_in_prose_too() -> None:
    traced = {Trace(name="KILN_READ_USER"): left("src/app.py", Shape.USE)}
    assert verdict("Set KILN_READ_USER first", traced=traced).status == "broken"


def test_what_a_page_only_told_of_is_not_gone_with_it() -> None:
    for path, status in (("plan/kiln.html", "unverifiable"), ("plan/KILN.HTM", "unverifiable"), ("src/a.js", "broken")):
        traced = {Trace(name="KILN_READ_USER"): left(path, Shape.USE)}
        assert verdict("Set KILN_READ_USER first", traced=traced).status == status


def test_a_package_that_a_manifest_lost_is_gone() -> None:
    for path, status in (("app/build.gradle", "broken"), ("src/app.py", "unverifiable")):
        traced = {Trace(name="kiln-rx"): left(path, Shape.USE)}
        assert verdict("`kiln-rx:1.1.3`", traced=traced).status == status


def test_a_folder_is_found_by_the_end_of_its_path_in_history() -> None:
    past = gone("web/app/kilns/a.ts", "web/app/kilns/b.ts")
    assert verdict("`app/kilns/`", history=past).status == "broken"
    assert verdict("`kilns/`", history=past).status == "unverifiable", "any folder has such a name"
    assert verdict("`kiln-racks/`", history=gone("web/kiln-racks/a.ts")).status == "broken"
    twice = gone("web/app/kilns/a.ts", "api/app/kilns/a.ts")
    assert verdict("`app/kilns/`", history=twice).status == "unverifiable", "either may be meant"


def test_a_bare_file_of_code_in_prose_is_the_one_that_history_had() -> None:
    assert verdict("See trays.ts there", history=gone("src/trays.ts")).status == "broken"
    for name in ("trays.js", "trays.py", "trays.cpp", "trays.md", "trays.json"):
        assert verdict(f"See {name} there", history=gone(f"src/{name}")).status == "unverifiable", name


def test_what_never_was_beside_a_document_is_broken() -> None:
    tree = tree_of("samples/AGENTS.md", "samples/login/login.go")
    beside = Setting(folder="samples")
    assert verdict("`login/main.go`", tree, setting=beside).status == "broken"
    assert verdict("`login/main.go`", tree, setting=replace(beside, in_memory=True)).status == "unverifiable"
    assert verdict("`login/main.go`", tree, setting=Setting(folder="docs")).status == "unverifiable"


def test_a_folder_is_no_name_as_well() -> None:
    assert [one.kind for one in citations_of("MILE_STONES_ONE/ is here")] == ["dir"]
    assert [one.text for one in citations_of("KilnRack/OvenRack are here")] == ["KilnRack"]


@pytest.mark.parametrize(
    ("told", "status"),
    [
        ("We moved `src/a.py` to `src/kiln_gone.py` in May.", "broken"),
        ("Renamed `src/a.py` → `src/kiln_gone.py`.", "broken"),
        ("Removed the cache from `src/kiln_gone.py`.", "broken"),
        ("We moved `src/kiln_gone.py` to `src/a.py` in May.", "unverifiable"),
        ("Removed `src/kiln_gone.py` in May.", "unverifiable"),
    ],
)
def test_where_a_story_says_that_things_went_they_are_held_against_the_tree(told: str, status: str) -> None:
    found = next(one for one in citations_of(told) if one.text == "src/kiln_gone.py")
    facts = Facts(tree=TREE, history=gone("src/kiln_gone.py"))
    assert judge(Cited(found, Setting()), facts).verdict.status == status


@pytest.mark.parametrize(
    ("text", "lines", "status"),
    [
        ("Trays are counted in src/kiln_rack.py:30859 - twice", 40, "broken"),
        ("Trays are counted in src/kiln_rack.py:39 - twice", 40, "valid"),
        ("Run one with `kiln test src/kiln_rack.py:1234`", 40, "unverifiable"),
        ("Run one with `kiln test src/kiln_rack.py:100`", 40, "unverifiable"),
        ("Run one with `kiln test src/kiln_rack.py:777`", 40, "unverifiable"),
        ("Run one with `kiln test src/kiln_rack.py:187`", 40, "broken"),
    ],
)
def test_a_line_number_that_is_no_sample_is_meant_in_prose_as_well(text: str, lines: int, status: str) -> None:
    tree = tree_of("src/kiln_rack.py")
    found = next(one for one in citations_of(text) if one.kind == "path")
    facts = Facts(tree=tree, line_counts={"src/kiln_rack.py": lines})
    assert judge(Cited(found, Setting()), facts).verdict.status == status


def test_a_path_below_a_package_is_one_of_several_though_the_root_had_it_once() -> None:
    moved = History(
        events={"src/rack.rs": Event(commit=COMMIT, date="2026-02-01", renamed_to="crates/kiln/src/rack.rs")},
        by_name={"rack.rs": ("src/rack.rs",)},
        ordered=["src/rack.rs"],
    )
    one = tree_of("crates/kiln/src/rack.rs")
    assert verdict("`src/rack.rs`", one, moved).status == "moved"
    assert verdict("`src/rack.rs`", tree_of("crates/kiln/src/rack.rs", "crates/oven/src/rack.rs"), moved).status == (
        "ambiguous"
    )


def test_what_never_was_there_is_where_the_one_file_of_that_name_is() -> None:
    tree = tree_of("src/app.py", "jobs/fire/CoolingPlan.cs", "jobs/fire/plan.cs")
    found = verdict("`src/fire/CoolingPlan.cs`", tree)
    assert (found.status, found.target, found.evidence) == ("moved", "jobs/fire/CoolingPlan.cs", "elsewhere")
    assert found.evidence is not None and found.evidence.is_doubtful, "a note, and no finding"
    assert verdict("`src/fire/plan.cs`", tree).status == "broken", "a name that many files have"
    two = tree_of("src/app.py", "jobs/fire/CoolingPlan.cs", "old/CoolingPlan.cs")
    assert verdict("`src/fire/CoolingPlan.cs`", two).status == "broken"


def test_the_folder_of_the_checkout_may_stand_in_front() -> None:
    tree = tree_of("kiln/rack/tray.py")
    found = verdict("`kiln/kiln/rack/tray.py`", tree)
    assert (found.status, found.target) == ("valid", "kiln/rack/tray.py")
    assert verdict("`kiln/rack/rack/tray.py`", tree).status == "broken"
    tree = tree_of("kiln/rack/tray.py", "oven/rack.py")
    assert verdict("`oven/kiln/rack/tray.py`", tree).status == "broken", "another folder"


def test_a_folder_with_a_slash_in_front_is_that_of_the_root_if_history_had_it() -> None:
    tree = tree_of("docs/guide.md", "src/app.py")
    history = gone("docs/plan/a.md", "docs/plan/b.md")
    found = verdict("Plans are in `/docs/plan/`.", tree, history)
    assert (found.status, found.commit) == ("broken", COMMIT)
    route = Occurrence(path="src/app.py", line=3, shape=Shape.USE)
    named = verdict("Plans are in `/docs/plan/`.", tree, history, places={"docs/plan": (route,)})
    assert named.status == "unverifiable"
    assert verdict("Plans are in `/docs/other/`.", tree, history).status == "unverifiable"
    tops = tree_of("srv/x.py", "docs/guide.md")
    for other in ("/srv/plan/", "/plan/", "/api/plan/"):  # of a machine, at its root, and a route
        left = gone(f"{other.strip('/')}/a.md")
        assert verdict(f"Plans are in `{other}`.", tops, left).status == "unverifiable", other


def test_a_numbered_document_is_known_by_its_number_under_another_title() -> None:
    tree = tree_of("docs/adr/0012-kiln-cooling.md", "docs/adr/0013-trays.md", "docs/notes/2026-03-plan.md")
    found = verdict("`docs/adr/0012-cooling-of-kilns.md`", tree)
    assert (found.status, found.target, found.evidence) == ("moved", "docs/adr/0012-kiln-cooling.md", "elsewhere")
    assert verdict("`docs/adr/0014-other.md`", tree).target is None
    assert verdict("`docs/0012-other.md`", tree).target is None, "another folder, another series"
    assert verdict("`docs/notes/2026-04-plan.md`", tree).target is None, "a year is no number"


def test_what_never_was_a_file_is_the_package_of_that_name() -> None:
    found = verdict("`kiln/rack.py`", tree_of("kiln/rack/__init__.py", "kiln/oven.py"))
    assert (found.status, found.target, found.evidence) == ("moved", "kiln/rack/__init__.py", "elsewhere")


@pytest.mark.parametrize(
    ("name", "shape", "status"),
    [
        ("kiln_cooling_check", Shape.FIELD, "broken"),
        ("kiln_cooling_check", Shape.USE, "unverifiable"),
        ("kiln_check", Shape.FIELD, "unverifiable"),
    ],
)
def test_in_prose_a_name_of_three_words_is_that_of_a_field(name: str, shape: Shape, status: str) -> None:
    traced = {Trace(name=name): left("src/kiln_rack.py", shape)}
    assert verdict(f"The jobs are listed there, {name} as well.", traced=traced).status == status


@pytest.mark.parametrize(
    ("seen_by", "reason"),
    [
        (SeenBy.GIT, ""),
        (SeenBy.NAME, "its contents changed as well"),
        (SeenBy.CONTENTS, "the same contents stand there"),
    ],
)
def test_how_it_is_seen_that_a_file_moved_is_said(seen_by: SeenBy, reason: str) -> None:
    step = Event(commit=COMMIT, date="2026-02-01", renamed_to="mid/app.py")
    last = Event(commit=COMMIT, date="2026-02-01", renamed_to="src/app.py", seen_by=seen_by)
    events = {"old/app.py": step, "mid/app.py": last}
    found = verdict("`old/app.py`", history=History(events=events, ordered=["mid/app.py", "old/app.py"]))
    assert (found.status, found.target, found.reason) == ("moved", "src/app.py", reason)


@pytest.mark.parametrize(
    ("text", "name", "place", "evidence"),
    [
        ("`stoke_kiln()`", "stoke_kiln", Occurrence(path="src/oven.py", line=4, shape=Shape.COMMENT), Evidence.TOLD),
        ("`STOKE_AFTER`", "STOKE_AFTER", Occurrence(path="src/oven.py", line=4, shape=Shape.COMMENT), Evidence.TOLD),
        ("`stoke-kiln`", "stoke-kiln", Occurrence(path="src/oven.py", line=4, shape=Shape.COMMENT), Evidence.TOLD),
        (
            "`stoke_kiln()`",
            "stoke_kiln",
            Occurrence(path="tests/test_oven.py", line=4, shape=Shape.COMMENT),
            Evidence.DEFINITION,
        ),
        (
            "`stoke_kiln()`",
            "stoke_kiln",
            Occurrence(path="src/oven.py", line=4, shape=Shape.USE, mention=True),
            Evidence.WRITTEN,
        ),
        (
            "`KilnFurnace.stoke_kiln`",
            "KilnFurnace",
            Occurrence(path="src/oven.py", line=4, shape=Shape.COMMENT),
            Evidence.TOLD,
        ),
    ],
)
def test_a_name_that_code_still_tells_of_is_gone_but_in_doubt(
    text: str, name: str, place: Occurrence, evidence: Evidence
) -> None:
    traced = {Trace(name=name): left("src/furnace.py")}
    found = verdict(text, places={name: (place,)}, traced=traced)
    assert (found.status, found.evidence) == ("broken", evidence)
    assert found.reason == "its definition was removed from src/furnace.py"


@pytest.mark.parametrize(
    ("folder", "there", "status"),
    [
        ("src", "lib/oven.py", "broken"),
        ("src", "src/racks/oven.py", None),
        ("", "lib/oven.py", None),
        ("racks", "lib/oven.py", None),
    ],
)
def test_a_bare_file_that_was_beside_the_document_is_no_other(folder: str, there: str, status: str | None) -> None:
    (citation,) = citations_of("`oven.py`")
    facts = Facts(tree=tree_of(there, "src/rack.py", "racks/x.py"), history=gone("src/oven.py"))
    found = judge(Cited(citation, Setting(folder=folder)), facts)
    assert found.verdict.status == "valid"
    assert (found.unheeded.status if found.unheeded is not None else None) == status
    assert judge(Cited(citation, Setting(folder=folder, recorded="")), facts).unheeded is None


@pytest.mark.parametrize(("hint", "status"), [("lib", None), ("docs", "broken")])
def test_unless_the_text_names_the_folder_of_the_other(hint: str, status: str | None) -> None:
    (citation,) = citations_of("`oven.py`")
    facts = Facts(tree=tree_of("lib/oven.py", "src/rack.py"), history=gone("src/oven.py"))
    found = judge(Cited(citation, Setting(folder="src", hints=(hint,))), facts).unheeded
    assert (found.status if found is not None else None) == status


@pytest.mark.parametrize(
    ("path", "status"), [(".changeset/hot-rack.md", "unverifiable"), ("notes/hot-rack.md", "broken")]
)
def test_a_piece_of_a_change_log_is_not_missed(path: str, status: str) -> None:
    assert verdict(f"`{path}`", history=gone(path)).status == status


@pytest.mark.parametrize(
    ("places", "status"),
    [
        ({"DKILN_IS_HOT": ("board/Makefile",)}, "valid"),
        ({"KILN_": ("src/a.py",), "is_hot": ("src/a.py",)}, "valid"),
        ({"KILN_": ("src/a.py",), "is_hot": ("src/b.py",)}, "unverifiable"),
    ],
)
def test_a_name_in_capitals_may_be_there_in_other_words(places: dict[str, tuple[str, ...]], status: str) -> None:
    found = {
        name: tuple(Occurrence(path=path, line=1, shape=Shape.USE) for path in paths) for name, paths in places.items()
    }
    assert verdict("`KILN_IS_HOT`", places=found).status == status


FOLDERS = tree_of("src/rack.py", "web/a.ts")


@pytest.mark.parametrize(
    ("name", "key", "status"),
    [
        (".racks", ".racks", "unverifiable"),
        (".racks", "", "broken"),
        ("var/saves", '"var/saves"', "unverifiable"),
        ("var/saves", "", "broken"),
    ],
)
def test_a_folder_of_data_that_code_mentions_may_be_made(name: str, key: str, status: str) -> None:
    (citation,) = citations_of(f"Saved in `{name}/`.")
    names = questions_for([Cited(citation, Setting())], FOLDERS).names
    assert not key or key in names
    places = {key: (HOME,)} if key else {}
    found = verdict(f"Saved in `{name}/`.", tree=FOLDERS, history=gone(f"{name}/a.json"), places=places)
    assert found.status == status
    of_code = verdict(f"Saved in `{name}/`.", tree=FOLDERS, history=gone(f"{name}/a.py"), places=places)
    assert of_code.status == (status if name == ".racks" else "broken")


def test_a_folder_in_a_drawn_tree_is_asked_for_where_it_is_drawn() -> None:
    (citation,) = citations_of("`kiln/`")
    asked_for = questions_for([Cited(citation, Setting(drawn="web/kiln"))], FOLDERS)
    assert asked_for.history and asked_for.ignored == {"kiln/", "web/kiln/"}
    assert questions_for([Cited(citation, Setting(drawn=DRAWN_ELSEWHERE))], FOLDERS).ignored == frozenset()


@pytest.mark.parametrize(("path", "evidence"), [("web/.heat.example", "USUAL"), ("web/heat-plan.ts", "NAMESAKE")])
def test_a_dot_file_of_another_folder_is_none_in_particular(path: str, evidence: str) -> None:
    found = verdict(f"See `{path.rpartition('/')[2]}`.", tree=FOLDERS, history=gone(path))
    assert (found.status, found.evidence) == ("broken", Evidence[evidence])
