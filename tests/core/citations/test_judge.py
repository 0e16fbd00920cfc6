"""Verdicts over trees and histories made by hand; the real git is asked in tests/project."""

from __future__ import annotations

from dataclasses import replace

import pytest

from intermem.core.citations.extract import citations_of
from intermem.core.citations.judge import Cited, judge, questions_for, setting_of
from intermem.core.citations.kinds.fates import fate_of
from intermem.core.citations.kinds.resolution import Setting
from intermem.core.markdown.inline import link_key
from intermem.entities import Citation, Verdict
from intermem.facts import Event, Facts, History, Occurrence, SeenBy, Shape, SymbolRemoval, Trace, Traced, Tree

COMMIT = "c" * 40


def tree_of(*paths: str, prefix: str = "", outside: tuple[str, ...] = (), is_git: bool = True) -> Tree:
    dirs: set[str] = set()
    by_name: dict[str, tuple[str, ...]] = {}
    for path in sorted(paths):
        parent = path.rpartition("/")[0]
        by_name[path.rpartition("/")[2]] = (*by_name.get(path.rpartition("/")[2], ()), path)
        while parent:
            dirs.add(parent)
            parent = parent.rpartition("/")[0]
    names: dict[str, tuple[str, ...]] = {}
    for path in sorted(dirs):
        names[path.rpartition("/")[2]] = (*names.get(path.rpartition("/")[2], ()), path)
    return Tree(
        paths=frozenset(paths),
        dirs=frozenset(dirs),
        by_name=by_name,
        dirs_by_name=names,
        prefix=prefix,
        outside=frozenset(outside),
        is_git=is_git,
    )


def history_of(complete: bool = True, **events: str | None) -> History:
    made = {
        path.replace("__", "/").replace("_py", ".py"): Event(commit=COMMIT, date="2026-02-01", renamed_to=to)
        for path, to in events.items()
    }
    by_name: dict[str, tuple[str, ...]] = {}
    for path in sorted(made):
        by_name[path.rpartition("/")[2]] = (*by_name.get(path.rpartition("/")[2], ()), path)
    return History(events=made, by_name=by_name, ordered=sorted(made), complete=complete)


TREE = tree_of("src/app.py", "src/util/io.py", "lib/io.py", "docs/guide.md", "pkg/a/mod.py", "pkg/b/mod.py", "top.py")
NO_HISTORY = History()


def verdict(text: str, tree: Tree = TREE, history: History = NO_HISTORY, **more: object) -> Verdict:
    setting = more.pop("setting", Setting())
    (citation,) = citations_of(text)
    facts = Facts(tree=tree, history=history, **more)  # type: ignore[arg-type]
    assert isinstance(setting, Setting)
    return judge(Cited(citation, setting), facts).verdict


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "Never edit `src/gone.py`: it is generated.",
            "the text itself calls it made, planned, former, elsewhere or an example",
        ),
        ("Put it in `src/gone.py`", "the text itself calls it made, planned, former, elsewhere or an example"),
        ("`src/gone.py` was deleted.", "the text itself says that it does not exist"),
        ("Examples: `gone_too.py`", "the text shows by it how things are named"),
    ],
)
def test_the_reason_is_what_the_text_says(text: str, reason: str) -> None:
    found = verdict(text, history=history_of(src__gone_py=None, **{"gone_too.py": None}))
    assert (found.status, found.reason) == ("unverifiable", reason)


@pytest.mark.parametrize(
    ("text", "status", "target"),
    [
        ("`heat/low/glaze.ts`", "unverifiable", None),
        ("`kilns/racks/glaze.ts`", "broken", None),
        ("`.oven/commands/fire.md`", "moved", ".kiln/commands/fire.md"),
        ("`.oven/fire.md`", "unverifiable", None),
        ("`.venv/commands/fire.md`", "unverifiable", None),
        ("`.oven/racks/fire.md`", "unverifiable", None),
        ("`oven/commands/fire.md`", "unverifiable", None),
        ("`.kiln/rules/fire.md`", "broken", None),  # its folder is here
        ("`@/heat`", "valid", "src/heat"),
        ("`@/heat/rack`", "valid", "src/heat/rack.ts"),
        ("`@/heat/cooled`", "broken", None),
        ("`@/nothing/here`", "unverifiable", None),
        ("`src/heat/rack`", "valid", "src/heat/rack.ts"),
        ("see rack.css", "broken", None),
        ("see rack.json", "unverifiable", None),
        ("`data/Heat of may.csv`", "valid", "data/Heat of may.csv"),
    ],
)
def test_what_is_cited_by_another_name_is_found(text: str, status: str, target: str | None) -> None:
    tree = tree_of(
        ".kiln/commands/fire.md",
        "src/heat/rack.ts",
        "src/heat/rack.test.ts",
        "apps/kilns/racks/one.ts",
        "data/Heat of may.csv",
        "top.py",
    )
    tree = replace(tree, by_stem={"rack": ("src/heat/rack.test.ts", "src/heat/rack.ts"), "top": ("top.py",)})
    history = history_of(**{"web/rack.css": None, "web/rack.json": None, "src/heat/cooled.ts": None})
    found = verdict(text, tree, replace(history, by_stem={"cooled": ("src/heat/cooled.ts",)}))
    assert (found.status, found.target) == (status, target)


@pytest.mark.parametrize(
    ("folder", "target"),
    [("src/racks", "src/heat/glaze.ts"), ("site/src/pages", "site/src/heat/glaze.ts"), (None, "src/heat/glaze.ts")],
)
def test_an_alias_is_of_the_package_around_the_document(folder: str | None, target: str) -> None:
    paths = ("src/heat/glaze.ts", "site/src/heat/glaze.ts")
    tree = replace(tree_of(*paths), by_stem={"glaze": paths})
    assert verdict("`@/heat/glaze`", tree, setting=Setting(folder=folder)).target == target


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("The shop is at `C:\\kilns\\shop` (read-only): `src/rack.md`", "unverifiable"),
        ("The shop is at `/home/me/shop` — read `docs/glaze.md`, `src/rack.md`", "unverifiable"),
        ("The shop is at `/home/me/shop`. Read `src/rack.md`", "broken"),
        ("Log in `~/.kiln/log.txt`: see `src/rack.md`", "broken"),
        ("It is set in `/home/me/kiln.toml` — `src/rack.md` reads it", "broken"),
        ("What is in `/tmp/kiln`: `src/rack.md`", "broken"),
        ("Read `src/rack.md`, and `/home/me/shop`", "broken"),
    ],
)
def test_what_is_listed_behind_another_checkout_is_in_that(text: str, status: str) -> None:
    cited = next(one for one in citations_of(text) if one.name == "src/rack.md")
    assert judge(Cited(cited, Setting()), Facts(tree=TREE, history=NO_HISTORY)).verdict.status == status


@pytest.mark.parametrize(
    ("text", "status", "target"),
    [
        ("`src/app.py`", "valid", "src/app.py"),
        ("`./src/app.py`", "valid", "src/app.py"),
        ("`app.py`", "valid", "src/app.py"),
        ("`util/io.py`", "valid", "src/util/io.py"),
        ("`src`/x `src/util`", "valid", "src/util"),
        ("`src/util/`", "valid", "src/util"),
        ("`util/`", "valid", "src/util"),
        ("`src/*.py`", "valid", "src/app.py"),
        ("`*/util/*.py`", "valid", "src/util/io.py"),
        ("`io.py`", "ambiguous", None),
        ("`mod.py`", "ambiguous", None),
        ("`src/gone.py`", "broken", None),
        ("src/gone.py", "unverifiable", None),
        ("`elsewhere/gone.py`", "unverifiable", None),
        ("`gone.py`", "unverifiable", None),
        ("`src/gone/`", "unverifiable", None),
        ("`out/*.py`", "unverifiable", None),
        ("`../../etc/passwd.txt`", "unverifiable", None),
        ("`/etc/passwd.txt`", "unverifiable", None),
        ("`~/x/a.py`", "unverifiable", None),
        ("`../x/`", "unverifiable", None),
        ("`../x/*.py`", "unverifiable", None),
    ],
)
def test_what_the_tree_says(text: str, status: str, target: str | None) -> None:
    found = verdict(text.replace("`src`/x ", ""))
    assert (found.status, found.target) == (status, target), found


def test_candidates_are_kept_as_evidence() -> None:
    assert verdict("`mod.py`").candidates == ("pkg/a/mod.py", "pkg/b/mod.py")


@pytest.mark.parametrize("hints", [("pkg/a",), ("a",), ("nowhere", "pkg/a")])
def test_words_around_decide_between_candidates(hints: tuple[str, ...]) -> None:
    assert verdict("`mod.py`", setting=Setting(hints=hints)).target == "pkg/a/mod.py"


def test_headings_and_earlier_paths_are_hints() -> None:
    setting = setting_of(("Top", "### `pkg/b/` things"), citations_of("`src/util/io.py` and `docs/`"), "docs")
    hints = ("src/util/io.py", "src/util", "docs", "pkg/b", "things", "Top")
    assert setting == Setting(folder="docs", hints=hints, bases=("pkg/b",))


def test_a_route_is_no_hint_to_a_folder() -> None:
    text = "`/b/account` and `mod.py`"
    assert setting_of((), citations_of(text), None).hints == ("mod.py",)
    assert verdict("`mod.py`", setting=setting_of((), citations_of(text), None)).status == "ambiguous"


@pytest.mark.parametrize(
    ("opening", "is_base"),
    [
        ("Served at `/kiln` (from `apps/kiln`; the glaze is elsewhere). Built by `tools/glaze/`.", True),
        ("It lives in `apps/kiln/`.", True),
        ("Relative to `apps/kiln`.", True),
        ("Der Ofen liegt unter `apps/kiln/`.", True),
        ("Le four vit dans `apps/kiln`.", True),
        ("El horno vive en `apps/kiln/`.", True),
        ("Код печи лежит в `apps/kiln/`.", True),
        ("窑位于 `apps/kiln/`。`tools/glaze/` 另说。", True),
        ("It differs from `apps/kiln` and comes from `apps/oven`.", False),
        ("Hot.  It lives in `apps/kiln/`.", False),
        ("It fires `apps/kiln` twice.", False),
    ],
)
def test_the_first_sentence_of_a_section_says_where_it_is(opening: str, is_base: bool) -> None:
    tree = tree_of("apps/kiln/lib/heat.ts", "apps/oven/lib/cool.ts")
    history = history_of(**{"lib/heat.ts": "apps/kiln/lib/heat.ts", "lib/cool.ts": "apps/oven/lib/cool.ts"})
    here = setting_of(("Parts", "Kiln", "Heat"), (), None, openings=("", opening, "Hot."))
    assert verdict("`lib/heat.ts`", tree, history, setting=here).status == ("valid" if is_base else "moved")
    headed = setting_of(("Kiln", "Heat (`apps/oven/`)"), (), None, openings=(opening, ""))
    assert verdict("`lib/heat.ts`", tree, history, setting=headed).status == "moved", "the nearest heading names it"


def test_a_path_may_be_relative_to_the_citing_folder() -> None:
    assert verdict("`guide.md`", setting=Setting(folder="docs")).target == "docs/guide.md"
    assert verdict("[x](../src/app.py)", setting=Setting(folder="docs")).target == "src/app.py"


def test_a_project_below_the_top_looks_there_first() -> None:
    tree = tree_of("a/x.py", "x.py", "a/sub/y.py", "b/sub/y.py", prefix="a/")
    assert verdict("`x.py`", tree).target == "a/x.py"
    assert verdict("`y.py`", tree).target == "a/sub/y.py"
    assert verdict("`b/sub/y.py`", tree).target == "b/sub/y.py"


@pytest.mark.parametrize(
    ("text", "events", "status", "target"),
    [
        ("`src/old.py`", {"src__old_py": "src/app.py"}, "moved", "src/app.py"),
        ("`src/old.py`", {"src__old_py": "src/mid.py", "src__mid_py": "src/app.py"}, "moved", "src/app.py"),
        ("`old.py`", {"src__old_py": "src/app.py"}, "moved", "src/app.py"),
        ("`src/old.py`", {"src__old_py": None}, "broken", None),
        ("`old.py`", {"src__old_py": None}, "broken", None),
        ("src/old.py", {"src__old_py": None}, "broken", None),
        ("`src/old.py`", {"src__old_py": "src/mid.py", "src__mid_py": None}, "broken", None),
        ("`src/old.py`", {"src__old_py": "src/mid.py", "src__mid_py": "src/old.py"}, "broken", None),
        ("`old.py`", {"src__old_py": None, "lib__old_py": "lib/io.py"}, "unverifiable", None),
        ("`old.py`", {"src__old_py": None, "lib__old_py": None}, "broken", None),
        ("`src/util/io.py`", {"src__util__io_py": None}, "valid", "src/util/io.py"),
        ("`util/io.py`", {"util__io_py": "lib/io.py"}, "moved", "lib/io.py"),
        ("`src/old/`", {"src__old__app_py": "src/app.py"}, "moved", "src"),
        ("`src/old/`", {"src__old__app_py": None}, "broken", None),
        ("`src/old/`", {"src__old__app_py": "src/app.py", "src__old__io_py": "lib/io.py"}, "broken", None),
        ("`src/old/*.py`", {"src__old__app_py": None}, "broken", None),
        ("`src/old/*.py`", {"src__old__io_py": "lib/io.py"}, "moved", "lib/*.py"),
        ("`src/old/*.py`", {"src__old__mid_py": "lib/io.py"}, "broken", None),
        ("`src/o*/*.py`", {"src__old__io_py": "lib/io.py"}, "broken", None),
    ],
)
def test_what_history_says(text: str, events: dict[str, str | None], status: str, target: str | None) -> None:
    found = verdict(text, history=history_of(**events))
    assert (found.status, found.target) == (status, target), found
    if status in ("moved", "broken"):
        assert (found.commit, found.date) == (COMMIT, "2026-02-01")


def test_a_deletion_that_is_not_committed_says_so() -> None:
    history = History(events={"src/old.py": Event(commit=None, date=None)}, by_name={"old.py": ("src/old.py",)})
    assert verdict("`src/old.py`", history=history).reason == "deleted in the working tree, not committed yet"


@pytest.mark.parametrize("text", ["`src/gone.py`", "`src/gone/`"])
def test_a_shallow_clone_hides_what_it_cannot_show(text: str) -> None:
    found = verdict(text, history=history_of(complete=False))
    assert (found.status, found.reason) == ("unverifiable", "the history is incomplete (shallow clone)")


@pytest.mark.parametrize(("text", "ignored"), [("`src/out.py`", "src/out.py"), ("`src/out/`", "src/out/")])
def test_ignored_is_never_broken(text: str, ignored: str) -> None:
    found = verdict(text, ignored=frozenset([ignored]))
    assert (found.status, found.reason) == ("unverifiable", "ignored by git")


@pytest.mark.parametrize(
    ("text", "status"), [("`src/old.py`", "broken"), ("`src/`", "broken"), ("[how](src/old.py)", "unverifiable")]
)
def test_only_a_link_of_a_note_means_a_file_in_the_ignored_folder_of_the_memory(text: str, status: str) -> None:
    tree, history = tree_of("top.py"), history_of(src__old_py=None)
    ignored = frozenset(["notes/src/old.py", "notes/src/"])
    setting = Setting(folder="notes", in_memory=True)
    assert verdict(text, tree, history, ignored=ignored, setting=setting).status == status
    in_document = Setting(folder="notes")
    assert verdict(text, tree, history, ignored=ignored, setting=in_document).status == "unverifiable"


@pytest.mark.parametrize("text", ["`src/gone.py`", "`src/gone/`"])
def test_without_git_nothing_is_broken(text: str) -> None:
    found = verdict(text, tree_of("src/app.py", is_git=False))
    assert (found.status, found.reason) == ("unverifiable", "not a git repository")


@pytest.mark.parametrize("text", ["`src/old.py`", "`old.py`", "`src/old*.py`", "src/old.py"])
def test_no_drift_is_said_of_what_git_ignores_now(text: str) -> None:
    history = history_of(src__old_py=None)
    assert verdict(text, history=history, ignored=frozenset(["src/old.py"])).status == "unverifiable"


@pytest.mark.parametrize(
    ("name", "seen_by", "status"),
    [
        ("old.py", SeenBy.GIT, "moved"),
        ("old.py", SeenBy.NAME, "unverifiable"),
        ("old.toml", SeenBy.GIT, "unverifiable"),
    ],
)
def test_source_code_that_git_saw_move_is_not_there_though_its_folder_is_ignored(
    name: str, seen_by: SeenBy, status: str
) -> None:
    event = Event(commit=COMMIT, date="2026-02-01", renamed_to="src/app.py", seen_by=seen_by)
    history = History(events={f"src/{name}": event}, by_name={name: (f"src/{name}",)}, ordered=[f"src/{name}"])
    for text in (f"`src/{name}`", f"`/src/{name}`"):
        assert verdict(text, history=history, ignored=frozenset([f"src/{name}"])).status == status


@pytest.mark.parametrize(("to", "status"), [("src/app.py", "moved"), (None, "unverifiable")])
def test_a_bare_name_of_source_code_that_moved_is_not_in_an_ignored_folder_that_the_text_names(
    to: str | None, status: str
) -> None:
    setting = Setting(hints=("docs",))
    found = verdict(
        "`kiln_rack.py`",
        history=history_of(lib__kiln_rack_py=to),
        ignored=frozenset(["docs/kiln_rack.py"]),
        setting=setting,
    )
    assert found.status == status


def test_a_folder_that_a_command_names_in_full_is_cited() -> None:
    history = history_of(ops__racks__north__kiln_py="src/app.py", ops__racks__north__oven_py=None)
    tree = tree_of("ops/racks/south/kiln.py", "src/app.py")
    for text in ("```sh\nfire -k ops/racks/north\n```", "Run `fire -k ops/racks/north` first"):
        assert verdict(text, tree, history).status == "broken", text
        assert verdict(text.replace("north", "west"), tree, history).status == "unverifiable", text
    assert citations_of("We fire ops/racks/north first") == ()


def test_a_folder_of_ignored_files_is_no_drift() -> None:
    history = history_of(src__out__old_py="src/app.py")
    found = verdict("src/out/", history=history, ignored=frozenset(["src/out/old.py"]))
    assert found.status == "unverifiable"


def test_a_bare_name_in_prose_proves_nothing() -> None:
    once = Event(commit=COMMIT, date="2026-02-01")
    history = History(events={"vendor/three.js": once}, by_name={"three.js": ("vendor/three.js",)})
    assert verdict("We draw with three.js here", history=history).status == "unverifiable"
    assert verdict("We draw with `three.js` here", history=history).status == "broken"


@pytest.mark.parametrize("text", ["`src/feature.py`", "`src/feature/`"])
def test_what_another_branch_has_is_not_broken(text: str) -> None:
    history = History(elsewhere=frozenset(["src/feature.py", "src/feature/a.py"]))
    assert verdict(text, history=history).reason == "only on another branch"


@pytest.mark.parametrize(
    "text",
    ["`src/node_modules/x/index.js`", "`src/dist/out.js`", "`src/app.py/io.py`", "`lib/python3.11/site-packages/x.py`"],
)
def test_what_tools_make_and_alternatives_are_not_broken(text: str) -> None:
    assert verdict(text).status == "unverifiable"


def test_an_import_by_its_compiled_name_is_valid() -> None:
    tree = tree_of("src/foo.ts", "src/types.d.ts")
    assert verdict("`src/foo.js`", tree).target == "src/foo.ts"
    assert verdict("`src/types.ts`", tree).target == "src/types.d.ts"
    assert verdict("`src/bar.js`", tree).status == "broken"


@pytest.mark.parametrize(
    "text",
    [
        "`src/gone.py` 삭제됨",
        "`src/gone.py` 已删除",
        "`src/gone.py` は削除された",
        "`src/gone.py` wurde gelöscht",
        "`src/gone.py` was inlined into `src/app.py`",
        "the upstream repo has `src/gone.py`",
        "`src/gone.py` is on the release branch",
        "统一放在 `src/app.py`，不要再写回 `src/gone.py`。",
        "Its package is still named `src/gone.py` there",
        "store copies under `src/gone.py`",
        "- [ ] Create `src/gone.py` with the checks",
        "`src/gone.py` is **not** read any longer than a day",
        "不支援 `src/gone.py`",
    ],
)
def test_absence_is_heard_in_other_words_and_languages(text: str) -> None:
    citation = next(one for one in citations_of(text) if one.name == "src/gone.py")
    assert judge(Cited(citation, Setting()), Facts(tree=TREE)).verdict.status == "unverifiable"


def test_folders_are_decided_by_hints_and_found_by_suffix() -> None:
    tree = tree_of("a/core/x.py", "b/core/y.py")
    assert verdict("`core/`", tree).status == "ambiguous"
    assert verdict("`core/`", tree, setting=Setting(hints=("nowhere", "b"))).target == "b/core"
    assert verdict("`../core/`", tree, setting=Setting(folder="a/sub")).target == "a/core"


def test_a_path_through_a_link_to_a_folder_is_followed() -> None:
    from dataclasses import replace

    tree = replace(tree_of("other/a.md", "pkg/link"), links={"pkg/link": "other", "loop": "loop"})
    assert verdict("`pkg/link/a.md`", tree).target == "other/a.md"
    assert verdict("`loop/a.md`", tree).status == "unverifiable"


def test_a_link_beside_a_memory_file_in_a_folder() -> None:
    files = frozenset(["topics/a.md", "topics/b.md"])
    here = Setting(memory_folder="topics")
    assert verdict("[b](b.md)", memory_files=files, setting=here).target == "memory/topics/b.md"
    assert verdict("[c](c.md)", memory_files=files, setting=here).status == "broken"
    assert verdict("[c](../../c.md)", memory_files=files, setting=here).status == "unverifiable"


@pytest.mark.parametrize("text", ["`..`", "`./`", "`../`", "`1.2/3.4`", "`{a,b,c}{d,e}{f,g}{h,i}/*.py`", "`@x/*.py`"])
def test_what_is_nothing_is_not_read(text: str) -> None:
    assert citations_of(text) == ()


@pytest.mark.parametrize("text", ["`sub/a.py`", "`link.md`", "`sub/x/`"])
def test_submodules_and_links_out_are_not_judged(text: str) -> None:
    tree = tree_of("src/app.py", "sub", outside=("sub", "link.md"))
    assert verdict(text, tree).reason == "outside the repository"
    assert verdict("`sub/`", tree).status == "valid"


def test_a_link_between_memory_files() -> None:
    files = frozenset(["other.md", "deep/x.md"])
    assert verdict("[o](other.md)", memory_files=files).target == "memory/other.md"
    assert verdict("`memory/deep/x.md`", memory_files=files).target == "memory/deep/x.md"
    broken = verdict("[o](missing.md)", memory_files=files)
    assert (broken.status, broken.reason) == ("broken", "no such file in the memory")
    assert verdict("`missing.md`", memory_files=files).status == "unverifiable"


@pytest.mark.parametrize(
    ("text", "status", "target"),
    [
        ("`src/app.py:3`", "valid", "src/app.py:3"),
        ("`app.py:2-3`", "valid", "src/app.py:2"),
        ("`src/app.py:4`", "broken", "src/app.py"),
        ("`src/app.py:4:1`", "valid", "src/app.py:4"),
        ("`src/app.py:5:1`", "broken", "src/app.py"),
        ("`src/app.py#L2-L9`", "broken", "src/app.py"),
        ("`lib/io.py:900`", "valid", "lib/io.py:900"),
        ("```\nkiln test src/app.py:1234\n```", "unverifiable", None),
        ("`kiln test src/app.py:1234`", "unverifiable", None),
    ],
)
def test_a_line_beyond_the_end_is_broken(text: str, status: str, target: str | None) -> None:
    found = verdict(text, line_counts={"src/app.py": 3})
    assert (found.status, found.target) == (status, target)


@pytest.mark.parametrize(
    ("text", "status", "claim"),
    [
        ("`src/gone.py` was deleted", "unverifiable", None),
        ("`src/app.py` was deleted", "valid", "absent"),
        ("`mod.py` was deleted", "unverifiable", None),
        ("never create `/etc/x.conf`", "unverifiable", None),
    ],
)
def test_a_stated_absence_is_no_alarm(text: str, status: str, claim: str | None) -> None:
    found = verdict(text)
    assert (found.status, found.claim) == (status, claim)


def test_questions_are_gathered_into_one() -> None:
    texts = ["`src/app.py`", "`src/app.py:9`", "`src/gone.py`", "`src/out/`", "`no/*.py`", "`/etc/x.py`", "`mod.py`"]
    cited = [Cited(citation, Setting()) for text in texts for citation in citations_of(text)]
    asked = questions_for(cited, TREE)
    assert asked.ignored == {"src/gone.py", "src/out/"}  # and nothing of a machine
    assert asked.line_counts == {"src/app.py"}
    assert asked.history
    assert not questions_for(cited[:1], TREE).history


def test_a_kind_of_another_version_is_unverifiable() -> None:
    citation = Citation(kind="function", text="main()", name="main()")
    found = judge(Cited(citation, Setting()), Facts()).verdict
    assert found.status == "unverifiable"
    assert not questions_for([Cited(citation, Setting())], TREE).history


@pytest.mark.parametrize(
    ("text", "status", "target"),
    [
        ("`/src/app.py`", "valid", "src/app.py"),
        ("`src\\app.py`", "valid", "src/app.py"),
        ("`src/io.py`", "moved", "src/util/io.py"),
        ("`docs/guide`", "unverifiable", None),
        ("`old/thing/`", "broken", None),
        ("`old/thing`", "broken", None),
        ("`src/util2.py`", "moved", "src/util2"),
    ],
)
def test_a_path_is_followed_to_where_it_stands(text: str, status: str, target: str | None) -> None:
    tree = tree_of("src/app.py", "src/util/io.py", "docs/guide.md", "src/util2/x.py", "src/util2/y.py")
    events = {"old/thing/a.py": None, "old/thing/b.py": None, "src/util2.py": None}
    found = verdict(text, tree, history_of(**events))
    assert (found.status, found.target) == (status, target)


@pytest.mark.parametrize(
    ("text", "status", "target"),
    [
        ("`/old/thing/a.py`", "broken", None),
        ("[x](/old/thing/a.py)", "broken", None),
        ("`/web/away.py`", "moved", "web/util/io.py"),
        ("`/web/util/`", "valid", "web/util"),
        ("`/old/thing/`", "unverifiable", None),  # as a route may be
        ("`/old/thing`", "unverifiable", None),
        ("`/web/`", "unverifiable", None),
        ("`/deploy.sh`", "unverifiable", None),
        ("`/web/never.py`", "unverifiable", None),
        ("`/old/named.py`", "unverifiable", None),  # code has it: what is served there
        ("`/app/main.py`", "unverifiable", None),  # of a container
        ("`/tmp/thing/a.py`", "unverifiable", None),
        ("`/old/thing/rows.log`", "unverifiable", None),
    ],
)
def test_a_slash_in_front_is_the_root_where_history_had_a_file_there(
    text: str, status: str, target: str | None
) -> None:
    tree = tree_of("web/app.py", "web/util/io.py")
    gone = ["old/thing/a.py", "tmp/thing/a.py", "app/main.py", "deploy.sh", "old/named.py", "old/thing/rows.log"]
    history = history_of(**dict.fromkeys(gone), **{"web/away.py": "web/util/io.py"})
    named = {name: (Occurrence(path="web/app.py", line=3, shape=Shape.USE),) for name in ("old/named.py", "rows.log")}
    found = verdict(text, tree, history, places=named)
    assert (found.status, found.target) == (status, target)
    ignored = frozenset({"old/thing/a.py"})
    assert verdict("`/old/thing/a.py`", tree, history, ignored=ignored).status == "unverifiable"


def test_what_history_had_below_the_folder_that_the_heading_names_is_gone() -> None:
    tree = tree_of("src/store/index.py", "src/web/index.py", "top.py")
    history = history_of(**{"src/store/paging.py": None, "src/store/old/a.py": None, "src/web/kept.py": None})
    here = setting_of(("Layout", "### Storage (`src/store/`)"), (), None)
    assert verdict("`paging.py`", tree, history, setting=here).reason == "deleted"
    assert verdict("`old/`", tree, history, setting=here).status == "broken"
    assert verdict("`index.py`", tree, history, setting=here).target == "src/store/index.py"
    nested = setting_of(("### Storage (`src/store/`)",), (), "docs")
    assert verdict("`old/`", tree, history, setting=nested).status == "broken"
    assert verdict("`old/`", tree, history, setting=setting_of(("### Storage",), (), None)).status == "unverifiable"
    assert verdict("`old/`", tree, history, setting=setting_of(("### `src/gone/`",), (), None)).status == "unverifiable"


@pytest.mark.parametrize("folder", ["web/.claude/rules", "web/.memory"])
def test_a_document_in_a_hidden_folder_is_about_the_one_that_has_it(folder: str) -> None:
    tree = tree_of("web/.claude/rules/a.md", "other/.claude/rules/a.md", "web/src/app.py", "src/app.py")
    history = history_of(**{"web/src/old.py": "web/src/app.py"})
    assert verdict("`src/old.py`", tree, history, setting=Setting(folder=folder)).target == "web/src/app.py"
    assert verdict("`.claude/rules/a.md`", tree, setting=Setting(folder=folder)).target == "web/.claude/rules/a.md"
    assert verdict("`.claude/rules/a.md`", tree, setting=Setting(folder=".x")).status == "ambiguous"


@pytest.mark.parametrize(
    ("gone", "became", "target"),
    [
        ("docs/types.md", "versions/2/types.mdx", "docs/types.mdx"),
        ("docs/types.md", "versions/2/types.md", "versions/2/types.md"),
        ("docs/types.md", "versions/2/other.mdx", "versions/2/other.mdx"),
        ("docs/other.md", "versions/2/other.mdx", "versions/2/other.mdx"),
        ("docs/types.md", None, "docs/types.mdx"),
        ("web/app.js", "versions/2/app.ts", "versions/2/app.ts"),
    ],
)
def test_a_page_that_git_sees_elsewhere_is_the_one_beside_it_with_a_kindred_ending(
    gone: str, became: str | None, target: str | None
) -> None:
    tree = tree_of("docs/types.mdx", "web/app.ts", *([became] if became else []))
    found = verdict(f"[x]({gone})", tree, history_of(**{gone: became}))
    assert (found.status, found.target) == ("moved" if target else "broken", target)


def test_the_name_of_a_kind_of_thing_stands_for_any() -> None:
    for path in ("src/ComponentName/index.py", "src/feature-name/index.py", "src/page_name.py"):
        assert not citations_of(f"`{path}`"), path
    assert [one.text for one in citations_of("`src/user_name/a.py`")] == ["src/user_name/a.py"]


def test_a_bare_name_that_the_words_around_it_place_is_where_they_say() -> None:
    tree = tree_of("libs/core/app.py", "other.py")
    history = history_of(**{"app.py": "libs/core/main.py", "libs/core/main.py": "libs/main.py"})
    tree = tree_of("libs/core/app.py", "libs/main.py")
    assert verdict("`app.py`", tree, history).status == "moved"
    assert verdict("`app.py`", tree, history, setting=Setting(hints=("libs/core",))).status == "valid"


def test_the_line_decides_among_candidates() -> None:
    counts = {"pkg/a/mod.py": 3, "pkg/b/mod.py": 90}
    assert verdict("`mod.py:50`", line_counts=counts).target == "pkg/b/mod.py:50"
    assert verdict("`mod.py:2`", line_counts=counts).status == "ambiguous"
    assert verdict("`mod.py:99`", line_counts=counts).status == "ambiguous"


def test_a_link_of_a_memory_that_leads_nowhere_is_broken() -> None:
    here = Setting(folder="notes", in_memory=True)
    assert verdict("[x](gone.md)", setting=here).reason == "no such file in the memory"
    assert verdict("[[gone]]", setting=here, memory_names={"other": "other.md"}).status == "broken"


@pytest.mark.parametrize(
    ("link", "files", "status", "found"),
    [
        ("auth-rules", ["feedback_auth-rules.md"], "valid", "feedback_auth-rules.md"),
        ("auth-rules", ["project_auth_rules.md"], "valid", "project_auth_rules.md"),
        ("feedback_auth-rules", ["auth_rules.md"], "valid", "auth_rules.md"),
        ("feedback_auth-rules", ["project_auth_rules.md"], "valid", "project_auth_rules.md"),
        ("auth", ["2026-03-01-auth.md"], "valid", "2026-03-01-auth.md"),
        ("auth", ["20260301_auth.md"], "valid", "20260301_auth.md"),
        ("auth", ["project_2026-03-01_auth.md"], "valid", "project_2026-03-01_auth.md"),
        ("auth", ["auth.md", "user_auth.md"], "valid", "auth.md"),
        ("auth", ["project_auth.md", "user_auth.md"], "ambiguous", None),
        ("auth", ["oauth.md", "my_auth.md", "auth_rules.md"], "broken", None),
        ("project", ["project_auth.md", "project_.md"], "broken", None),
        ("user_", ["project_.md"], "broken", None),
        ("2026-03-01", ["2026-03-01-auth.md"], "broken", None),
    ],
)
def test_a_link_between_notes_may_lack_the_type_or_the_day_before_a_name(
    link: str, files: list[str], status: str, found: str | None
) -> None:
    here = Setting(in_memory=True)
    named = verdict(f"[[{link}]]", setting=here, memory_names={link_key(name): name for name in files})
    assert (named.status, named.target) == (status, found)
    stored = verdict(f"[[{link}]]", setting=here, memory_files=frozenset(files))
    assert (stored.status, stored.target) == (status, found and f"memory/{found}")


def test_a_note_with_two_names_is_one_candidate() -> None:
    names = {"project_auth": "a.md", "feedback_auth": "a.md"}
    assert verdict("[[auth]]", setting=Setting(in_memory=True), memory_names=names).target == "a.md"


def test_a_path_that_code_names_may_be_made_by_it() -> None:
    use = Occurrence(path="src/app.py", line=3, shape=Shape.USE)
    text, name = "`src/spool/report.txt`", "src/spool/report.txt"
    (citation,) = citations_of(text)
    assert questions_for([Cited(citation, Setting())], TREE).names == {name, "report.txt"}
    found = verdict(text, places={name: (use,)})
    assert (found.status, found.reason) == ("unverifiable", "never in the repository, but src/app.py:3 mentions it")
    assert verdict(text, places={name: (replace(use, shape=Shape.COMMENT),)}).status == "broken"
    (prose,) = citations_of("elsewhere/spool/report.md")
    assert questions_for([Cited(prose, Setting())], TREE).names == frozenset(), "nothing is asked that decides nothing"


def test_a_path_in_a_command_may_be_meant_where_it_moved_to() -> None:
    moved = history_of(tsconfig_json=None, **{"tsconfig.json": "apps/web/tsconfig.json"})
    tree = tree_of("apps/web/tsconfig.json", "src/app.py")
    command = "`check --tsconfig ./tsconfig.json`"
    (citation,) = [one for one in citations_of(command) if one.kind == "path"]
    said = judge(Cited(citation, Setting()), Facts(tree=tree, history=moved)).verdict
    assert (said.status, said.reason) == ("unverifiable", "the command may run in the folder of apps/web/tsconfig.json")
    assert verdict("`./tsconfig.json`", tree, moved).status == "moved", "by itself it is a path of the repository"


def test_a_record_of_a_day_is_judged_as_of_then() -> None:
    gone = history_of(src__gone_py=None)
    text = "2026-01-31: the loader is `src/gone.py`"
    setting = setting_of(("Log",), citations_of(text), "", text=text)
    assert verdict(text, history=gone, setting=setting).status == "unverifiable"
    later = setting_of(("Log",), citations_of(text), "", text=text.replace("01-31", "02-02"))
    assert verdict(text, history=gone, setting=later).status == "broken"


def test_a_bare_folder_of_a_nested_document_is_not_the_one_of_the_root() -> None:
    gone = history_of(interfaces__a_py=None, pkg__a__interfaces__b_py=None)
    text = "`interfaces/`"
    assert verdict(text, history=gone).status == "broken", "the root's own document means the root's"
    assert verdict(text, history=gone, setting=Setting(folder="pkg/a")).status == "broken", "it stood beside it"
    assert verdict(text, history=gone, setting=Setting(folder="pkg/b")).status == "unverifiable"
    assert verdict(text, history=gone, setting=Setting(folder="pkg/b", in_memory=True)).status == "broken"


def test_what_sample_code_defines_is_the_sample() -> None:
    removal = SymbolRemoval(commit=COMMIT, date="2026-02-01", path="src/app.py", shape=Shape.DEFINITION)
    traced = {Trace(name="getUser"): Traced(removals=(removal,))}
    assert verdict("`getUser()`", traced=traced).status == "broken"
    setting = Setting(sampled=frozenset({"getUser"}))
    assert verdict("`getUser()`", traced=traced, setting=setting).status == "unverifiable"
    assert verdict("`api.getUser()`", traced=traced, setting=setting).status == "unverifiable"


def _left(path: str, shape: Shape = Shape.DEFINITION) -> Traced:
    return Traced(removals=(SymbolRemoval(commit=COMMIT, date="2026-02-01", path=path, shape=shape),))


def test_a_member_of_what_code_writes_otherwise_is_that_of_its_folder() -> None:
    used = {"tide_log": (Occurrence(path="app/main.rs", line=1, shape=Shape.IMPORT),)}
    for path, status in (("crates/tide-log/src/mix.rs", "broken"), ("crates/other/src/mix.rs", "unverifiable")):
        traced = {Trace(name="mix_waves"): _left(path)}
        assert verdict("`tide_log::mix_waves`", places=used, traced=traced).status == status


@pytest.mark.parametrize(
    ("path", "status"),
    [("src/glaze_db.py", "moved"), ("src/rack_store.py", "broken"), ("src/orders.py", "broken")],
)
def test_what_belonged_to_a_class_that_is_gone_moved_to_a_file_named_alike(path: str, status: str) -> None:
    traced = {Trace(name="GlazeStore"): _left("src/glaze_store.py")}
    there = Occurrence(path=path, line=7, shape=Shape.DEFINITION)
    tested = Occurrence(path="tests/test_glaze.py", line=9, shape=Shape.DEFINITION)
    found = verdict("`GlazeStore.load_all()`", places={"load_all": (there, tested)}, traced=traced)
    assert (found.status, found.target) == (status, f"{path}:7" if status == "moved" else None)
    assert found.commit == COMMIT
    for places in ((there, replace(there, path="src/glaze_io.py")), (replace(there, shape=Shape.USE),)):
        assert verdict("`GlazeStore.load_all()`", places={"load_all": places}, traced=traced).status == "broken"


def test_a_name_in_prose_may_be_a_key_of_the_settings() -> None:
    traced = {Trace(name="StatusBar"): _left("src/bar.py")}
    key = Occurrence(path=".kiln/settings.json", line=3, shape=Shape.FIELD)
    assert verdict("Set StatusBar there", traced=traced).status == "broken"
    assert verdict("Set StatusBar there", traced=traced, places={"statusBar": (key,)}).status == "unverifiable"
    assert verdict("Set `StatusBar` there", traced=traced, places={"statusBar": (key,)}).status == "broken"
    code = replace(key, path="src/app.py")
    assert verdict("Set StatusBar there", traced=traced, places={"statusBar": (code,)}).status == "broken"
    (citation,) = citations_of("Set StatusBar there")
    assert questions_for([Cited(citation, Setting())], TREE).names == {"StatusBar", "statusBar"}


def test_a_name_with_a_version_is_a_library() -> None:
    found = citations_of("GlazeStore 1.1.7, RackStore v2.0, KilnStore and RoomStore 2")
    assert [one.text for one in found if one.kind == "symbol"] == ["KilnStore", "RoomStore"]


@pytest.mark.parametrize(
    ("text", "path", "reason"),
    [
        ("`summary.json`", "docs/summary.json", "committed once, but src/app.py:3 may create it"),
        (
            "`output/run/plan.md`",
            "output/run/plan.md",
            "output/run/plan.md was committed once, but looks like program output",
        ),
        (
            "`output/*/plan.md`",
            "output/run/plan.md",
            "output/run/plan.md was committed once, but looks like program output",
        ),
    ],
)
def test_an_output_that_was_committed_once_is_no_drift(text: str, path: str, reason: str) -> None:
    history = History(
        events={path: Event(commit=COMMIT, date="2026-02-01")},
        by_name={path.rpartition("/")[2]: (path,)},
        ordered=[path],
    )
    (citation,) = citations_of(text)
    made = {"summary.json": (Occurrence(path="src/app.py", line=3, shape=Shape.USE),)}
    assert questions_for([Cited(citation, Setting())], TREE).names <= {
        "summary.json",
        "docs/summary.json",
        "output/*/plan.md",
    }
    found = verdict(text, history=history, places=made)
    assert (found.status, found.reason) == ("unverifiable", reason)
    if text == "`summary.json`":
        assert verdict(text, history=history).status == "broken", "no code has its name"
        other = tree_of("src/app.py", "web/a/summary.json", "web/b/summary.json")
        cited = "`docs/summary.json`"
        assert verdict(cited, other, history, places=made).status == "broken", "code speaks of one that stands"


@pytest.mark.parametrize(
    "text", ["`src/N_module.py`", "`src/XX-name.py`", "`docs/N.md`", "`src/NNN_x.sql`", "`tests/ExampleTest.php`"]
)
def test_a_letter_for_a_number_is_a_placeholder(text: str) -> None:
    assert [one for one in citations_of(text) if one.kind == "path"] == []


def test_a_name_alone_is_the_file_that_moved_where_no_other_has_it() -> None:
    moved = history_of(**{"ada.py": "backend/ada.py"})
    one, two = tree_of("backend/ada.py"), tree_of("backend/ada.py", "tests/ada.py")
    assert verdict("```\n| ada.py |\n```", one, moved).target == "backend/ada.py"
    assert verdict("```\n| ada.py |\n```", one, moved).status == "valid"
    assert verdict("```\n| ada.py |\n```", two, moved).status == "moved", "two have the name"
    assert verdict("`ada.py`", one, moved).status == "valid", "it is called that, wherever it stands"
    assert verdict("`ada.py`", one, moved, setting=Setting(in_memory=True)).status == "moved", "notes have paths"
    assert verdict("`ada.py`", two, moved).status == "moved"
    assert verdict("`./ada.py`", one, moved).status == "moved", "a path"
    folder = history_of(**{"model/a.md": "docs/model/a.md"})
    drawn = tree_of("docs/model/a.md")
    assert verdict("```\n└── model/\n```", drawn, folder).status == "valid"
    assert verdict("`model/`", drawn, folder).status == "moved"


def test_what_became_of_a_path() -> None:
    moved = history_of(**{"ada.py": "backend/ada.py"})
    found = fate_of("ada.py", tree_of("backend/ada.py"), moved)
    assert (found.status, found.target, found.origin) == ("moved", "backend/ada.py", "ada.py")
    gone = History(events={"ada.py": Event(commit=COMMIT, date="2026-02-01")}, ordered=["ada.py"])
    assert fate_of("ada.py", TREE, gone).reason == "deleted"
    assert fate_of("never.py", TREE, gone).reason == "gone"


def test_a_folder_that_went_two_ways_is_told_as_one_that_did() -> None:
    names = {"lib/one/a.md": "new/one/a.md", "lib/b.md": "new/b.md", "lib/c.md": "other/c.md"}
    found = verdict("`lib/`", tree_of(*names.values()), history_of(**names))
    assert (found.target, found.origin) == ("new", "lib")
    assert found.reason == "most of its files; others went to 1 more folder"


def test_a_path_without_an_ending_may_be_a_folder_or_a_key_of_data() -> None:
    gone = History(
        events={"art/rock/brick.png": Event(commit=COMMIT, date="2026-02-01")},
        by_stem={"brick": ("art/rock/brick.png",)},
        ordered=["art/rock/brick.png"],
    )
    assert verdict("`rock/brick`", history=gone).status == "broken"
    assert verdict("`rock/brick`", tree_of("web/rock/brick/one.sql"), gone).target == "web/rock/brick"
    named = {"rock/brick": (Occurrence(path="web/all.list", line=3, shape=Shape.USE),)}
    assert (
        verdict("`rock/brick`", history=gone, places=named).reason == "committed once, but web/all.list:3 mentions it"
    )


def test_a_dead_call_of_a_script_without_an_ending_does_not_excuse_its_deletion() -> None:
    gone = History(events={"bin/deploy": Event(commit=COMMIT, date="2026-02-01")}, ordered=["bin/deploy"])
    called = {"bin/deploy": (Occurrence(path="Makefile", line=3, shape=Shape.USE),)}
    assert verdict("`bin/deploy`", history=gone, places=called).status == "broken"


def test_what_a_running_program_keeps_is_no_drift_by_its_name_alone() -> None:
    gone = History(
        events={"data/kiln.db": Event(commit=COMMIT, date="2026-02-01")},
        by_name={"kiln.db": ("data/kiln.db",)},
        ordered=["data/kiln.db"],
    )
    assert verdict("`kiln.db`", history=gone).reason == "committed once, but a program may write it"
    assert verdict("`data/kiln.db`", history=gone).status == "broken"


def test_two_stars_before_an_ending_mean_any_depth() -> None:
    assert verdict("`src/**.py`").target == "src/app.py"


def test_source_in_a_folder_called_output_is_no_output() -> None:
    path = "src/output/formatter.py"
    history = History(events={path: Event(commit=COMMIT, date="2026-02-01")}, ordered=[path])
    assert verdict(f"`{path}`", history=history).status == "broken"
    assert verdict("Keep the docs in sync with `src/gone.py`").status == "broken"


@pytest.mark.parametrize(
    ("text", "status", "target"),
    [
        ("`src/App.py`", "moved", "src/app.py"),
        ("`src/Util/`", "moved", "src/util"),
        ("`Top.py`", "unverifiable", None),
        ("`./guide.md`", "moved", "docs/guide.md"),
        ("`guide.md`", "valid", "docs/guide.md"),
        ("`/src/old.py`", "moved", "src/app.py"),
        ("`/lib64/old.py`", "unverifiable", None),
    ],
)
def test_another_spelling_here_and_at_the_top(text: str, status: str, target: str | None) -> None:
    history = history_of(src__old_py="src/app.py", **{"guide.md": None})
    found = verdict(text, history=history)
    assert (found.status, found.target) == (status, target), found


@pytest.mark.parametrize("last", [2, 3])
def test_most_of_what_was_left_of_a_folder_went_elsewhere(last: int) -> None:
    moved = [f"oven/part{number}.py" for number in range(last)]
    left = {path.replace("oven", "kiln"): Event(commit="b" * 40, date="2026-03-01", renamed_to=path) for path in moved}
    before = {f"kiln/old{number}.py": Event(commit="a" * 40, date="2026-02-01") for number in range(5)}
    events = {**left, **before}
    history = History(events=events, ordered=tuple(sorted(events)))
    found = verdict("`kiln/`", tree_of(*moved), history)
    assert (found.status, found.target) == (("moved", "oven") if last > 2 else ("broken", None))


@pytest.mark.parametrize(
    ("drawn", "status", "target"),
    [
        ("src/app.py", "valid", "src/app.py"),
        (".", "unverifiable", None),
        ("src/gone.py", "broken", None),
        ("src/left.py", "moved", "src/app.py"),
        ("never/app.py", "valid", "src/app.py"),
        ("racks/[rack]/app.py", "unverifiable", None),
        ("src/[rack]/app.py", "broken", None),
    ],
)
def test_a_picture_or_a_list_gives_a_name_its_place(drawn: str, status: str, target: str | None) -> None:
    gone = {"src/[rack]/app_py": None}  # a route
    history = history_of(src__gone_py=None, src__left_py="src/app.py", **gone)
    found = verdict("`app.py`", history=history, setting=Setting(drawn=drawn))
    assert (found.status, found.target) == (status, target), found


@pytest.mark.parametrize(("stance", "status"), [("e.g. ", "broken"), ("planned: ", "unverifiable")])
def test_an_example_that_was_there_is_gone(stance: str, status: str) -> None:
    assert verdict(f"{stance}`src/gone.py`", history=history_of(src__gone_py=None)).status == status


@pytest.mark.parametrize(
    ("text", "drawn", "status"),
    [
        ("├── kiln.py", "src/kiln.py", "broken"),
        ("├── kiln/  # what fires", "src/kiln", "broken"),
        ("├── app.py", "lib/app.py", "valid"),
        ("├── kiln.py", "", "unverifiable"),
        ("├── dist/", "dist", "unverifiable"),
        ("├── logs/", "logs", "unverifiable"),
        ("├── kiln.json", "kiln.json", "unverifiable"),
        ("├── Kiln+Rack.swift", "Kiln+Rack.swift", "unverifiable"),
        ("├── kiln.py  # planned", "kiln.py", "unverifiable"),
    ],
)
def test_what_a_picture_shows_and_no_commit_ever_had_is_wrong_there(text: str, drawn: str, status: str) -> None:
    setting = Setting(drawn=drawn, is_picture=bool(drawn))
    found = verdict(text, history=history_of(), setting=setting)
    assert found.status == status, found
    assert verdict(text, history=history_of(complete=False), setting=setting).status != "broken"
    assert verdict(text, setting=Setting(drawn=drawn)).status != "broken", "a list is no picture"


def test_a_submodule_that_was_deleted_was_a_folder() -> None:
    history = History(events={"pots": Event(commit=COMMIT, date="2026-02-01")}, ordered=("pots",))
    found = verdict("`pots/`", history=history)
    assert (found.status, found.commit) == ("broken", COMMIT)
    assert verdict("`pots/`", history=history, ignored=frozenset({"pots"})).status == "unverifiable"


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("`never/cooling_plan.py`", "broken"),
        ("It is in never/cooling_plan.py now.", "broken"),
        ("`cooling/never_plan.py`", "unverifiable"),
        ("`never/index.py`", "unverifiable"),
        ("`never/io.py`", "unverifiable"),
    ],
)
def test_a_path_that_never_was_of_a_file_that_was_deleted_elsewhere(text: str, status: str) -> None:
    history = history_of(src__cooling_plan_py=None, src__index_py=None, src__io_py=None)
    found = verdict(text, history=history)
    assert found.status == status, found
    if status == "broken":
        assert found.reason == "never there; src/cooling_plan.py was deleted" and found.commit == COMMIT
    there = tree_of("src/app.py", "lib/cooling_plan.py")
    assert verdict("`never/cooling_plan.py`", there, history).status == "unverifiable"
    assert verdict(text, history=history, ignored=frozenset({"src/cooling_plan.py"})).status == "unverifiable"


@pytest.mark.parametrize("text", ["It goes to ~/src/gone.py", "```bash\nrun --init  # adds it to ~/src/gone.py\n```"])
def test_what_is_at_home_is_not_here(text: str) -> None:
    found = verdict(text, history=history_of(src__gone_py=None))
    assert (found.status, found.reason) == ("unverifiable", "outside the repository")


def test_what_stayed_behind_where_a_repository_was_split_off_is_not_missed() -> None:
    history = history_of(src__gone_py=None)
    assert verdict("`src/gone.py`", history=history).status == "broken"
    split = verdict("`src/gone.py`", history=replace(history, splits=frozenset({COMMIT})))
    assert (split.status, "split off" in split.reason) == ("unverifiable", True)
