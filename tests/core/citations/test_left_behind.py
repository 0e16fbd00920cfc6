"""What history proves though something of that name is left: in another class, in comments, in the name of a file."""

from __future__ import annotations

from dataclasses import replace

import pytest

from intermem.core.citations.extract import citations_of
from intermem.core.citations.judge import Cited, traces_for
from intermem.core.citations.kinds.resolution import Setting
from intermem.facts import Event, Facts, History, Occurrence, Shape, SymbolRemoval, Trace, Traced
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


def test_a_member_that_left_its_class_is_where_it_is_defined_now() -> None:
    places = {"KilnRack": (HOME,), "load_tray": (ELSEWHERE,)}
    traced = {Trace(name="load_tray"): left("src/kiln_rack.py")}
    assert asked(MEMBER, places=places) == {"load_tray"}
    found = verdict(MEMBER, places=places, traced=traced)
    assert (found.status, found.target, found.reason) == ("moved", "src/oven.py:9", "no longer in src/kiln_rack.py")
    two = {**places, "load_tray": (ELSEWHERE, replace(ELSEWHERE, path="src/cooker.py"))}
    assert verdict(MEMBER, places=two, traced=traced).status == "broken", "either may be meant"


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
    assert verdict(MEMBER, places=places, traced=traced).status == "moved"


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
