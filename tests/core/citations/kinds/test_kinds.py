"""Every kind of citation: what is read as one, what is left alone, and what facts made by hand prove."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from intermem.core.citations.extract import citations_of
from intermem.core.citations.judge import Cited, anchored, judge, questions_for, traces_for
from intermem.core.citations.kinds.resolution import Setting
from intermem.core.code.name_search import Search
from intermem.entities import MENTIONED, Evidence, Stance, Verdict
from intermem.facts import Event, Facts, History, Occurrence, Shape, SymbolRemoval, Trace, Traced
from tests.core.citations.test_judge import history_of, tree_of

COMMIT = "c" * 40


def read(text: str) -> list[tuple[str, str, str]]:
    """Kind, text and name of each citation but paths."""
    return [(one.kind, one.text, one.name) for one in citations_of(text) if one.kind not in ("path", "dir", "glob")]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("`Foo.bar()`", [("symbol", "Foo.bar()", "Foo.bar()")]),
        ("`pkg/mod::name`", [("symbol", "pkg/mod::name", "pkg.mod.name")]),
        ("`mod:fun/2`", [("symbol", "mod:fun/2", "mod.fun")]),
        ("`addLine(x, y, ...)`", [("symbol", "addLine(x, y, ...)", "addLine()")]),
        ("`self.run_all`", [("symbol", "self.run_all", "run_all")]),
        ("`Event<T>`", [("symbol", "Event<T>", "Event")]),
        ("`Get-Reminders`", [("symbol", "Get-Reminders", "Get-Reminders")]),
        ("`cn()`", [("symbol", "cn()", "cn()")]),
        ("`Space.xs`", []),
        ("`DeepSpace.xs`", [("symbol", "DeepSpace.xs", "DeepSpace.xs")]),
        ("call render() and noOpFactory and run_all", [
            ("symbol", "render()", "render()"),
            ("symbol", "noOpFactory", "noOpFactory"),
            ("symbol", "run_all", "run_all"),
        ]),
        ("GitHub, ESLint, macOS, DLLs, iPhone and PostgreSQL", [("symbol", "GitHub", "GitHub")]),
        ("`true` `x` `--flag` `@scope/pkg`", [("package", "@scope/pkg", "@scope/pkg")]),
        ("`from old_app.x import y`", [("symbol", "old_app", "old_app")]),
        ("`npm run test:ci`", [("command", "npm run test:ci", "npm-run test:ci")]),
        ("`npm test`", [("command", "npm test", "npm test")]),
        ("`pnpm --filter web run build`", [("command", "pnpm --filter web run build", "npm-run build")]),
        ("`pnpm workspaces`", []),
        ("`yarn lint`", [("command", "yarn lint", "npm lint")]),
        ("`npm install`", []),
        ("`FOO=1 make -j4 all`", [("command", "FOO=1 make -j4 all", "make all")]),
        ("`cd x && make check`", [("command", "cd x && make check", "make check")]),
        ("`cargo run --bin forge`", [("command", "cargo run --bin forge", "cargo forge")]),
        ("`cargo build`", []),
        ("`uv run python -m kiln.fire`", [("command", "uv run python -m kiln.fire", "python kiln.fire")]),
        ("`./gradlew :app:buildAll`", [
            ("command", "./gradlew :app:buildAll", "gradle buildAll"),
            ("symbol", "buildAll", "buildAll"),
        ]),
        ("`just deploy`", [("command", "just deploy", "just deploy")]),
        ("`zig build test`", [("command", "zig build test", "zig test")]),
        ("`tox -e lint`", [("command", "tox -e lint", "tox lint")]),
        ("`bash scripts/up.sh --now`", [("command", "bash scripts/up.sh --now", "file scripts/up.sh")]),
        ("`kiln fire --hot`", [("command", "kiln fire --hot", "own kiln fire")]),
        ("`if not <name>` `git commit -m x` `grep foo bar`", []),
        ("```\n$ make all\n```", [("command", "$ make all", "make all")]),
        ("`a1b2c3d4` and deadbee1", [("commit", "a1b2c3d4", "a1b2c3d4"), ("commit", "deadbee1", "deadbee1")]),
        ("`a1b2c3d..d4c3b2a`", [("commit", "a1b2c3d", "a1b2c3d"), ("commit", "d4c3b2a", "d4c3b2a")]),
        ("deadbeef and 12345678 and #ff00aa", []),
        ("`<KilnRack>`", [("symbol", "KilnRack", "KilnRack")]),
        ("`<OvenRack heat={3} />`", [("symbol", "OvenRack", "OvenRack")]),
        ("`<kiln>`, `<Kiln>`, `<TKiln>`, `<YourKiln>`, `<KilnName>`", []),
        ("fireKiln/coolKiln", [("symbol", "fireKiln", "fireKiln"), ("symbol", "coolKiln", "coolKiln")]),
        ("`get_heat/set_heat`", [("symbol", "get_heat", "get_heat"), ("symbol", "set_heat", "set_heat")]),
        ("src/kilnRack/ovenRack", []),
        ("`Tji = [[R | xyz], [0|1]]`", []),
        ("`LOG_MODE: a|b`", [("config", "LOG_MODE: a|b", "LOG_MODE"), ("symbol", "LOG_MODE", "LOG_MODE")]),
        ("#12 and PR #7", [("issue", "#12", "12"), ("issue", "#7", "7")]),
        ("see https://a.example/x.", [("url", "https://a.example/x", "https://a.example/x")]),
        ("`LOG_LEVEL=debug` `$HOME_DIR`", [("env", "LOG_LEVEL=debug", "LOG_LEVEL"), ("env", "$HOME_DIR", "HOME_DIR")]),
        ("`A_KEY` and `LIMIT_OF`", [("env", "A_KEY", "A_KEY"), ("symbol", "LIMIT_OF", "LIMIT_OF")]),
        ("`'fast-plot'` `max-lines`", [("config", "'fast-plot'", "fast-plot"), ("config", "max-lines", "max-lines")]),
        ("`maxWorkers: 4`", [
            ("config", "maxWorkers: 4", "maxWorkers"),
            ("symbol", "maxWorkers", "maxWorkers"),
        ]),
        ("`left-pad@1.0.0`", [("package", "left-pad@1.0.0", "left-pad")]),
        ("`Accept: application/json` `Content-Type: text/html; charset=utf-8`", []),
        ("`Content-Security-Policy: self` `X-Kiln: on`", [("config", "X-Kiln: on", "X-Kiln")]),
        ("`Accept: always`", [("config", "Accept: always", "Accept")]),
        ("`uvicorn[standard] >= 0.24`", [("package", "uvicorn[standard] >= 0.24", "uvicorn")]),
        ("`g.h:bedrock:1.0`", [("package", "g.h:bedrock:1.0", "bedrock")]),
        ("`github.com/a/b/v2`", [("package", "github.com/a/b/v2", "github.com/a/b/v2")]),
        ("[[a name]] [[b|label]]", [("wiki", "[[a name]]", "a name"), ("wiki", "[[b]]", "b")]),
        ("NOT a TODO, HTTP", []),
        ("`make 'x` `sudo make all`", [("command", "sudo make all", "make all")]),
        ("`composer install` `composer lint` `npm run` `make -j` `task x`", [
            ("command", "composer lint", "composer lint"),
            ("command", "task x", "task x"),
        ]),
        ("`console.log` `.openSession` `.md`", [("symbol", ".openSession", "openSession")]),
    ],
)  # fmt: skip
def test_what_is_read(text: str, found: list[tuple[str, str, str]]) -> None:
    assert read(text) == found


@pytest.mark.parametrize(
    ("text", "cited", "stance"),
    [
        ("`a.py` was deleted, `b.py` is used", "b.py", Stance.PLAIN),
        ("`a.py` was deleted, `b.py` is used", "a.py", Stance.GONE),
        ("`a.py` no longer exists", "a.py", Stance.GONE),
        ("`a.py` no longer imports the world", "a.py", Stance.PLAIN),
        ("`Aaa.bbb` doesn't exist - use `Aaa.ccc`", "Aaa.bbb", Stance.GONE),
        ("`Aaa.bbb` doesn't exist - use `Aaa.ccc`", "Aaa.ccc", Stance.PLAIN),
        ("`old.py` is a stale name for `new.py`", "old.py", Stance.GONE),
        ("`old.py` is a stale name for `new.py`", "new.py", Stance.PLAIN),
        ("`new.py` (was `old.py`)", "old.py", Stance.GONE),
        ("`new.py` (was `old.py`)", "new.py", Stance.PLAIN),
        ("merged here from `old.md`", "old.md", Stance.GONE),
        ("use `b.py` instead of `a.py`", "a.py", Stance.OTHERWISE),
        ("use `b.py` instead of `a.py`", "b.py", Stance.PLAIN),
        ("it has no extra: use `b.py`", "b.py", Stance.PLAIN),
        ("removed wholesale: `a.py` (x), `b.py`", "b.py", Stance.GONE),
        ("lives here, not in `a/b/`", "a/b/", Stance.OTHERWISE),
        ("Orca's own `a.py`", "a.py", Stance.OTHERWISE),
        ("`a.py` -> [guide](g.md)", "a.py", Stance.PLAIN),
        ("`a.py` -> `b.py`", "a.py", Stance.OTHERWISE),
        ("예: `a.py`", "a.py", Stance.EXAMPLE),
        ("`a.py` is a todo", "a.py", Stance.OTHERWISE),
        ("`a.py` has all of the todo app", "a.py", Stance.PLAIN),
    ],
)
def test_a_statement_has_a_direction(text: str, cited: str, stance: Stance) -> None:
    assert {one.text: one.stance for one in citations_of(text)}[cited] is stance


FILES = {
    "src/app.py": b"import requests\n\n\nclass Runner:\n    def run_all(self):\n        return os.getcwd()\n",
    "src/gitutil/clone.go": b"package gitutil\n\nfunc CloneOne() {\n}\n",
    "package.json": b'{\n  "scripts": {\n    "test:ci": "jest"\n  },\n  '
    b'"dependencies": {"left-pad": "^1",\n    "right-pad": "^1"}\n}\n',
    "Makefile": b"include x.mk\nall:\n\ttrue\n",
    "notes.py": b"# speak_of_it was here\n",
    "web/ui.js": b"dead_call(1);\n",
    "tests/ui.js": b"tested_call(1);\n",
    "setup.cfg": b"[options.entry_points]\nconsole_scripts =\n    kiln = kiln:main\n",
    "kiln/fire.py": b"def light(): ...\n",
    "app/release.yml": b"release: 1\nGitHub.x\n",
    "app/jobs.json": b'{\n  "useful-key": 1\n}\n',
}


def facts_of(
    text: str, traced: Mapping[str, tuple[SymbolRemoval, ...]] | None = None, *, whole: bool = True, **more: object
) -> tuple[Cited, Facts]:
    citation = next(one for one in citations_of(text) if one.kind not in ("path", "dir", "glob"))
    tree = tree_of(*FILES)
    by_stem: dict[str, tuple[str, ...]] = {}
    for path in FILES:
        stem = path.rpartition("/")[2].partition(".")[0]
        by_stem[stem] = (*by_stem.get(stem, ()), path)
    tree = replace(tree, by_stem=by_stem)
    cited = Cited(citation, Setting())
    asked = questions_for([cited], tree)
    facts = Facts(tree=tree, places=Search(asked.names).all_places(FILES.items()), **more)  # type: ignore[arg-type]
    wanted = traces_for([cited], facts)
    found = {one: Traced(removals=(traced or {}).get(one.name, ()), whole=whole) for one in wanted}
    return cited, replace(facts, traced=found)


def verdict(text: str, traced: Mapping[str, tuple[SymbolRemoval, ...]] | None = None, **more: object) -> Verdict:
    cited, facts = facts_of(text, traced, **more)  # type: ignore[arg-type]
    return judge(cited, facts).verdict


def gone(shape: Shape = Shape.DEFINITION, path: str = "src/old.py", **more: str) -> tuple[SymbolRemoval, ...]:
    return (SymbolRemoval(commit=COMMIT, date="2026-01-02", path=path, shape=shape, **more),)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "status", "target"),
    [
        ("`Runner.run_all()`", "valid", "src/app.py:5"),
        ("`gitutil.CloneOne`", "valid", "src/gitutil/clone.go:3"),
        ("`gitutil.CloneTwo`", "broken", "src/gitutil"),
        ("`Runner.neverThere`", "unverifiable", None),
        ("`json.neverThere`", "unverifiable", None),
        ("`app`", "valid", "src/app.py"),
        ("`speak_of_it`", "unverifiable", None),
        ("`dead_call`", "valid", "web/ui.js:1"),
        ("`requests`", "valid", "src/app.py:1"),
        ("`never_heard_of`", "unverifiable", None),
        ("`npm run test:ci`", "valid", "package.json:3"),
        ("`npm run no-such`", "broken", None),
        ("`yarn no-such`", "unverifiable", None),
        ("`npm run right-pad`", "broken", None),  # a dependency is no script
        ("`make all`", "valid", "Makefile:2"),
        ("`make no-such`", "unverifiable", None),
        ("`make web/ui.js`", "valid", "web/ui.js"),
        ("`cargo run --bin fire`", "unverifiable", None),
        ("`cargo test -p kiln`", "valid", "kiln"),
        ("`bash web/ui.js x`", "valid", "web/ui.js"),
        ("`bash web/no.sh x`", "broken", None),
        ("`release.neverThere`", "unverifiable", None),
        ("`jobs.light`", "unverifiable", None),  # each is in another file
        ("`kiln.light`", "valid", "kiln/fire.py:1"),
        ("GitHub", "unverifiable", None),
        ("`just all`", "unverifiable", None),
        ("`python -m kiln.fire`", "valid", "kiln/fire.py"),
        ("`python -m pytest`", "unverifiable", None),
        ("`kiln light`", "valid", "kiln/fire.py:1"),
        ("`kiln no-such`", "unverifiable", None),
        ("`smith light`", "unverifiable", None),
        ("`left-pad@1`", "valid", "package.json:5"),
        ("`no-pad@1`", "unverifiable", None),
        ("`useful-key`", "valid", "app/jobs.json:2"),
        ("`useless-key`", "unverifiable", None),
        ("`'9.8.7.1'`", "unverifiable", None),  # a 1 somewhere is no trace of it
        ("`NO_SUCH_KEY`", "unverifiable", None),
        ("https://a.example/", "unverifiable", None),
        ("[[nothing]]", "unverifiable", None),
    ],
)
def test_what_stands_now_decides(text: str, status: str, target: str | None) -> None:
    found = verdict(text)
    assert (found.status, found.target) == (status, target)


@pytest.mark.parametrize(
    ("text", "removals", "status"),
    [
        ("`gone_it_is`", gone(), "broken"),
        ("`gone_it_is`", gone(Shape.FIELD), "broken"),
        ("`gone_it_is`", gone(Shape.IMPORT), "broken"),
        ("`gone_it_is`", gone(Shape.USE), "unverifiable"),
        ("gone_it_is", gone(), "broken"),
        ("`gone_it_is`", gone(path="make/model.dart.tpl"), "unverifiable"),
        ("gone_it_is", gone(Shape.FIELD), "broken"),
        ("gone_it_is", gone(Shape.IMPORT), "unverifiable"),
        ("gone_it_is", gone(Shape.USE, renamed_to="here_it_is", target="a.py:1"), "unverifiable"),
        ("`gone_it_is`", gone(renamed_to="here_it_is", target="a.py:1"), "moved"),
        # another call in its place: what was called may never have been ours
        ("`gone_it_is`", gone(Shape.USE, renamed_to="here_it_is", target="a.py:1"), "unverifiable"),
        ("`GONE_API_KEY`", gone(Shape.USE, renamed_to="HERE_API_KEY", target="a.py:1"), "moved"),
        ("`GONE_API_KEY`", gone(Shape.USE), "broken"),
        ("`gone-key`", gone(Shape.FIELD), "broken"),
        ("`gone@1.0`", gone(Shape.IMPORT), "broken"),
        ("`Runner.gone_it_is`", gone(path="elsewhere/x.py"), "unverifiable"),
        ("`Runner.gone_it_is`", gone(path="src/app.py"), "broken"),
        ("`pathlib.Path.gone_it_is`", gone(), "unverifiable"),
        ("`_light_it_all`", gone(), "broken"),
        ("`make gone`", gone(path="old.mk"), "broken"),
        ("`npm run test:all:gone`", gone(path="package.json", renamed_to="test:ci", target="package.json:3"), "moved"),
        ("`make gone`", gone(path="old.py"), "unverifiable"),
        ("`dead_call`", gone(), "valid"),  # what has it may define it in words that no rule knows
        ("`tested_call`", gone(), "broken"),
        ("`tested_call`", gone(Shape.USE), "valid"),
        ("`tested_call`", gone(path="tests/x.py"), "valid"),
        ("tested_call", gone(), "valid"),
        ("tested_call", gone(path="src/tested_call.py"), "broken"),
        ("`GoneClass.run_all`", gone(), "broken"),
        ("`GoneClass.gone_it_too`", gone(), "broken"),
        ("`dead_call`", gone(path="web/ui.js"), "valid"),
        ("As GoneClass does", gone(), "broken"),
        ("As GoneClass does", gone(path="src/Kiln.stories.tsx"), "unverifiable"),
        ("As `GoneClass` does", gone(path="src/Kiln.stories.tsx"), "broken"),
    ],
)
def test_what_history_took_out_is_drift(text: str, removals: tuple[SymbolRemoval, ...], status: str) -> None:
    names = (
        "_light_it_all",
        "gone_it_is",
        "GONE_API_KEY",
        "gone-key",
        "gone",
        "dead_call",
        "tested_call",
        "GoneClass",
        "test:all:gone",
    )
    found = verdict(text, dict.fromkeys(names, removals))
    if status in ("broken", "moved"):
        assert (found.commit, found.date) == (COMMIT, "2026-01-02")
    assert found.status == status


@pytest.mark.parametrize(
    ("text", "name", "shape", "evidence"),
    [
        ("`thaw()`", "thaw", Shape.FIELD, None),
        ("`KILN_THAW_URL`", "KILN_THAW_URL", Shape.READ, Evidence.READ),
        ("`KILN_THAW_URL`", "KILN_THAW_URL", Shape.USE, Evidence.USE),
        ("`Thaw`", "Thaw", Shape.FIELD, None),
        ("`'thaw'`", "thaw", Shape.FIELD, Evidence.WORD),
        ("`thaw()`", "thaw", Shape.DEFINITION, Evidence.DEFINITION),
        ("`thaw: 3`", "thaw", Shape.FIELD, Evidence.DEFINITION),
        ("`thawAll()`", "thawAll", Shape.FIELD, Evidence.DEFINITION),
    ],
)
def test_a_word_that_was_in_a_list_was_not_defined_there(
    text: str, name: str, shape: Shape, evidence: Evidence | None
) -> None:
    found = verdict(text, {name: gone(shape)})
    assert found.evidence is evidence
    assert found.status == ("broken" if evidence is not None else "unverifiable")


@pytest.mark.parametrize(
    ("text", "status", "target"),
    [
        ("`./task light`", "valid", "task"),
        ("`task light`", "unverifiable", None),
        ("`./gradlew light`", "unverifiable", None),
        ("`./kiln light`", "valid", "kiln/fire.py:1"),  # a folder, and the program of that name
    ],
)
def test_a_script_that_is_called_like_a_runner_is_none(text: str, status: str, target: str | None) -> None:
    cited, facts = facts_of(text)
    found = judge(cited, replace(facts, tree=tree_of(*FILES, "task", "gradlew"))).verdict
    assert (found.status, found.target) == (status, target)


@pytest.mark.parametrize(("text", "manifest"), [("`./task light`", "Taskfile.yml"), ("`./make light`", "old.mk")])
def test_what_a_runner_lost_is_gone_whatever_script_is_beside_it(text: str, manifest: str) -> None:
    cited, facts = facts_of(text, {"light": gone(path=manifest)})
    tree = tree_of(*FILES, "task", "make", "Taskfile.yml")
    asked = replace(facts, tree=tree, places={})
    wanted = {one: Traced(removals=gone(path=manifest), whole=True) for one in traces_for([cited], asked)}
    assert judge(cited, replace(asked, traced=wanted)).verdict.status == "broken"


def test_a_script_beside_a_manifest_of_its_runner_tells_nothing() -> None:
    cited, facts = facts_of("`./task nothing`")
    with_manifest = replace(facts, tree=tree_of(*FILES, "task", "Taskfile.yml"))
    assert judge(cited, with_manifest).verdict.status == "unverifiable"


@pytest.mark.parametrize("text", ["`heat_it_all`", "`heat_it_all()`"])
def test_a_page_that_is_called_like_a_function_does_not_hide_that_it_left(text: str) -> None:
    cited, facts = facts_of(text, {"heat_it_all": gone()})
    with_page = replace(facts, tree=tree_of(*FILES, ".kiln/memory/heat_it_all.md"))
    assert judge(cited, with_page).verdict.status == "broken"
    never = replace(with_page, traced={one: Traced(removals=(), whole=True) for one in facts.traced})
    assert judge(cited, never).verdict.status == ("unverifiable" if "()" in text else "valid")


def test_a_private_name_that_became_public_is_the_same() -> None:
    found = verdict("`_run_all`", {"_run_all": gone(path="src/old.py")})
    assert (found.status, found.target, found.reason) == ("moved", "src/app.py:5", "now run_all")


@pytest.mark.parametrize(("path", "status"), [("db/thaw.sql", "broken"), ("migrations/thaw.sql", "unverifiable")])
def test_what_a_migration_defined_is_in_the_database(path: str, status: str) -> None:
    assert verdict("`gone_it_is`", {"gone_it_is": gone(path=path)}).status == status


@pytest.mark.parametrize(
    ("name", "path", "status"),
    [
        ("KILN_THAW_URL", "src/old.py", "broken"),
        ("KILN_THAW_URL", "tests/test_old.py", "unverifiable"),
        ("KILN_TEST_URL", "tests/test_old.py", "broken"),
    ],
)
def test_what_tests_alone_look_for_may_be_made_of_parts(name: str, path: str, status: str) -> None:
    for shape in (Shape.USE, Shape.READ):
        assert verdict(f"`{name}`", {name: gone(shape, path=path)}).status == status


def test_what_left_a_manifest_was_not_defined_there() -> None:
    assert verdict("`gone-key`", {"gone-key": gone(Shape.FIELD)}).reason == "its definition was removed from src/old.py"
    told = verdict("`gone-key`", {"gone-key": gone(Shape.FIELD, path="web/package.json")}).reason
    assert told == "it was removed from web/package.json"


def test_history_that_is_not_whole_proves_nothing() -> None:
    assert "history is incomplete" in verdict("`gitutil.CloneTwo`", whole=False).reason
    assert verdict("`gone_it_is`", {"gone_it_is": gone()}, whole=False).status == "broken"


def test_a_text_that_says_so_is_not_asked_about() -> None:
    cited, facts = facts_of("`gone_it_is` was deleted", {"gone_it_is": gone()})
    assert facts.traced == {}
    assert judge(cited, facts).verdict.status == "unverifiable"


def test_commits_issues_and_memories() -> None:
    assert verdict("`a1b2c3d`", commits={"a1b2c3d": COMMIT}).target == COMMIT
    assert verdict("`a1b2c3d`").status == "unverifiable"
    assert verdict("#7", issues=frozenset({7})).status == "valid"
    assert verdict("#8", issues=frozenset({7})).status == "unverifiable"
    assert verdict("[[My Note]]", memory_names={"my_note": "x.md"}).target == "x.md"
    assert verdict("[[my-note]]", memory_files=frozenset({"sub/my_note.md"})).target == "memory/sub/my_note.md"


def test_a_module_that_left_is_followed() -> None:
    history = History(
        events={
            "old/mod.py": Event(commit=COMMIT, date="2026-01-02", renamed_to="src/app.py"),
            "x/dead.py": Event(commit=COMMIT, date="2026-01-02"),
        },
        by_name={"mod.py": ("old/mod.py",), "dead.py": ("x/dead.py",)},
    )  # fmt: skip
    assert verdict("`python -m old.mod`", history=history).target == "src/app.py"
    assert verdict("`python -m x.dead`", history=history).commit == COMMIT


def test_a_name_that_left_with_the_file_called_so_is_told_by_that() -> None:
    events = {
        "src/gone_it_is.py": Event(commit=COMMIT, date="2026-01-02"),
        "tests/gone_it_is.py": Event(commit=COMMIT, date="2026-01-02"),
    }
    history = History(events=events, by_stem={"gone_it_is": tuple(events)})
    found = {"gone_it_is": gone(path="tests/conf.py")}
    assert verdict("`gone_it_is`", found, history=history).reason == "src/gone_it_is.py was deleted"
    for changed in ({"commit": "d" * 40}, {"renamed_to": "src/app.py"}):
        other = replace(events["src/gone_it_is.py"], **changed)  # type: ignore[arg-type]
        told = replace(history, events={**events, "src/gone_it_is.py": other})
        assert "its definition was removed" in verdict("`gone_it_is`", found, history=told).reason


def test_the_nearest_manifest_is_the_one_that_lacks_a_script() -> None:
    paths = ("apps/api/package.json", "apps/web/package.json", "package.json")
    (citation,) = citations_of("`npm run no-such`")
    facts = Facts(tree=replace(tree_of(*paths), is_git=True), traced={})
    for folder, manifest in (("apps/web", paths[1]), ("apps/web/src", paths[1]), ("apps", paths[2]), (None, paths[2])):
        said = judge(Cited(citation, Setting(folder=folder)), facts).verdict.reason
        assert said == f"{manifest} defines no no-such"


def test_a_folder_that_moved_beside_the_documents_own_is_found_there() -> None:
    event = Event(commit=COMMIT, date="2026-01-02", renamed_to=".kit/rules/heat.md")
    history = History(events={".kit/notes/rules/heat.md": event}, ordered=(".kit/notes/rules/heat.md",))
    (citation,) = citations_of("Keep `rules/` short.")
    facts = Facts(tree=tree_of(".kit/rules/heat.md", ".kit/notes/AGENTS.md"), history=history)
    beside = judge(Cited(citation, Setting(folder=".kit/notes")), facts).verdict
    assert (beside.status, beside.target) == ("valid", ".kit/rules")
    (in_full,) = citations_of("Keep `.kit/notes/rules/` short.")
    assert judge(Cited(in_full, Setting(folder=".kit/notes")), facts).verdict.status == "moved"


def test_a_module_that_was_split_and_moved_since_is_found_as_a_package() -> None:
    step = Event(commit=COMMIT, date="2026-01-02", renamed_to="src/heat/light.py")
    history = History(events={"src/heat.py": step, "src/heat/light.py": replace(step, renamed_to="lib/heat/light.py")})
    (citation,) = citations_of("See `src/heat.py`.")

    def moved_to(*files: str) -> str | None:
        return judge(Cited(citation, Setting()), Facts(tree=tree_of(*files), history=history)).verdict.target

    assert moved_to("lib/heat/__init__.py", "lib/heat/light.py", "lib/heat/cool.py") == "lib/heat/__init__.py"
    assert moved_to("lib/heat/light.py", "lib/heat/cool.py") == "lib/heat/light.py", "nothing opens the package"
    assert moved_to("lib/heat/light.py") == "lib/heat/light.py", "one file is no package"


def test_a_module_that_went_into_a_folder_of_its_name_as_it_is_moved_there() -> None:
    files = ("lib/kiln/kiln.py", "lib/kiln/__init__.py", "lib/kiln/rack.py")
    assert moved("`lib/kiln.py`", history_of(**{"lib/kiln.py": "lib/kiln/kiln.py"}), *files).target == files[0]
    assert moved("`lib/kiln.py`", history_of(**{"lib/kiln.py": "lib/kiln/rack.py"}), *files).target == files[1]


def moved(cited: str, history: History, *files: str) -> Verdict:
    (citation,) = citations_of(f"See `{cited}`.")
    ordered = replace(history, ordered=sorted(history.events))
    return judge(Cited(citation, Setting()), Facts(tree=tree_of(*files), history=ordered)).verdict


def test_what_was_deleted_and_is_there_with_a_kindred_ending() -> None:
    history = History(events={"src/heat.ts": Event(commit=COMMIT, date="2026-01-02")})
    assert moved("src/heat.ts", history, "src/heat.tsx").target == "src/heat.tsx"
    for files in (["src/heat.py"], ["src/cold.tsx"], ["lib/heat.tsx"], ["src/heat.js", "src/heat.tsx"]):
        assert moved("src/heat.ts", history, *files).status == "broken"


def test_a_folder_whose_files_went_below_one_of_its_name_moved_there() -> None:
    step = Event(commit=COMMIT, date="2026-01-02", renamed_to="apps/cli/go.mod")
    history = History(
        events={"tools/cli/go.mod": step, "tools/cli/main.go": replace(step, renamed_to="apps/cli/src/main.go")}
    )
    found = moved("tools/cli/", history, "apps/cli/go.mod", "apps/cli/src/main.go")
    assert (found.status, found.target, found.commit) == ("moved", "apps/cli", COMMIT)
    elsewhere = replace(
        history, events={**history.events, "tools/cli/main.go": replace(step, renamed_to="lib/main.go")}
    )
    assert moved("tools/cli/", elsewhere, "apps/cli/go.mod", "lib/main.go").status == "broken"


@pytest.mark.parametrize(
    ("link", "status"),
    [
        ("./kiln.md", "broken"),
        ("../kiln.ts", "broken"),
        ("../guide/kiln.md", "broken"),  # nobody builds a page
        ("../made/kiln.ts", "unverifiable"),  # its folder may be made
        ("kiln.md", "unverifiable"),
        ("./kiln.json", "unverifiable"),  # a program may write it
        ("../../../kiln.md", "unverifiable"),  # outside
        ("./oven.md", "valid"),
    ],
)
def test_a_link_that_says_where_it_leads_must_lead_there(link: str, status: str) -> None:
    facts = Facts(tree=tree_of("docs/rules/oven.md", "docs/a.md"))
    citation = next(one for one in citations_of(f"See [it]({link}).") if one.link)
    assert judge(Cited(citation, Setting(folder="docs/rules")), facts).verdict.status == status


def test_outside_git_nothing_is_proved_gone() -> None:
    for text in ("`gone_it_is`", "`gone-key`", "`gone@1`"):
        cited, facts = facts_of(text, {"gone_it_is": gone(), "gone-key": gone(), "gone": gone()})
        facts = replace(facts, tree=replace(facts.tree, is_git=False))
        assert judge(cited, facts).verdict.reason == "not a git repository"


@pytest.mark.parametrize(
    ("text", "traced", "before", "after"),
    [
        ("`gone_it_is`", {}, None, "head"),
        ("`gone_it_is`", {}, "older", "head"),
        ("`gone_it_is`", {"gone_it_is": gone()}, "older", f"{COMMIT}^!"),
        ("`gone_it_is`", {"gone_it_is": gone(Shape.USE)}, "older", "head"),
        ("`gone_it_is`", {"gone_it_is": gone(Shape.USE, renamed_to="not_here")}, "older", "older"),
        ("gone_it_is", {"gone_it_is": gone(Shape.FIELD)}, "older", f"{COMMIT}^!"),
        ("gone_it_is", {"gone_it_is": gone(Shape.IMPORT)}, "older", "older"),
        ("`dead_call`", {}, None, "head"),
        ("`requests`", {}, "c^!", None),
        ("`requests`", {}, "older", "older"),
        ("`Runner.gone_it_is`", {"gone_it_is": gone(path="src/app.py")}, None, None),
    ],
)
def test_an_anchor_says_how_far_history_was_searched(
    text: str, traced: dict[str, tuple[SymbolRemoval, ...]], before: str | None, after: str | None
) -> None:
    cited, facts = facts_of(text, traced)
    facts = replace(facts, traced={replace(one, since=before): found for one, found in facts.traced.items()})
    cited = replace(cited, citation=replace(cited.citation, anchor=before))
    found = judge(cited, facts).verdict
    assert anchored(cited, found, facts, "head").anchor == after
    assert anchored(cited, found, facts, None).anchor == before
    unsearched = replace(facts, traced={one: replace(known, whole=False) for one, known in facts.traced.items()})
    assert anchored(cited, found, unsearched, "head").anchor in (before, after if after != "head" else before)


def test_the_trace_of_an_anchored_citation_begins_there() -> None:
    cited, facts = facts_of("`gone_it_is`")
    assert set(facts.traced) == {Trace(name="gone_it_is")}
    later = replace(cited, citation=replace(cited.citation, anchor="abc"))
    assert traces_for([later], facts) == {Trace(name="gone_it_is", since="abc")}


def test_places_near_what_the_entry_cites_come_first() -> None:
    cited, facts = facts_of("`dead_call`")
    places = tuple(Occurrence(path=f"{name}/x.js", line=1, shape=Shape.DEFINITION) for name in ("a", "b", "c"))
    facts = replace(facts, places={"dead_call": places})
    assert judge(cited, facts).verdict.target == "a/x.js:1"
    assert judge(replace(cited, setting=Setting(hints=("b",))), facts).verdict.target == "b/x.js:1"


@pytest.mark.parametrize(
    ("text", "target"), [("`src/app.Runner`", "src/app.py"), ("`src/app.RUNNER`", None), ("`src/none.Runner`", None)]
)
def test_a_name_behind_a_module_is_in_that_file(text: str, target: str | None) -> None:
    tree = replace(tree_of("src/app.py", "lib/app.py"), by_stem={"app": ("lib/app.py", "src/app.py")})
    facts = Facts(tree=tree, history=History())
    (citation,) = [one for one in citations_of(text) if one.kind == "path"]
    found = judge(Cited(citation, Setting()), facts).verdict
    assert (found.target if found.status == "valid" else None) == target


def test_what_stands_left_of_an_arrow_in_code_is_otherwise() -> None:
    (left, *_) = citations_of("`OldRunner : Base` -> `NewRunner`")
    assert (left.name, str(left.stance)) == ("OldRunner", "otherwise")


@pytest.mark.parametrize(
    ("text", "files", "target", "reason"),
    [
        ("`save()`", {"a.py": b'"""Head\n\nHow to save things\n"""\n'}, "a.py:3", MENTIONED),
        ('`model: "opus"`', {"a.yml": b"x: 1  # the model\n"}, "a.yml:1", MENTIONED),
        ('`model: "opus"`', {"a.yml": b"x: 1  # the model\n", "b.yml": b"model: opus\n"}, "b.yml:1", ""),
        ("`SAVE_URL`", {"a.py": b'say("Set SAVE_URL first")\n'}, "a.py:1", MENTIONED),
        ("`SAVE_URL`", {"a.py": b'os.environ["SAVE_URL"]\n'}, "a.py:1", ""),
        ("`save_it`", {"a.js": b"/*\nsave_it: now\n*/\n", "b.js": b"f(save_it)\n"}, "b.js:1", ""),
        ("`@acme/save`", {"a.js": b'say("use @acme/save now")\n'}, "a.js:1", MENTIONED),
        ("`make save`", {"Makefile": b"all: x # save\n"}, "Makefile:1", MENTIONED),
        ("`make save`", {"A.sh": b"save\n", "Makefile": b"all: x # save\n"}, "Makefile:1", MENTIONED),
        ("`make save`", {"Makefile": b"all: x # save\nsave:\n"}, "Makefile:2", ""),
    ],
)
def test_a_valid_verdict_says_if_the_name_is_only_mentioned(
    text: str, files: dict[str, bytes], target: str, reason: str
) -> None:
    (citation,) = citations_of(text)
    cited, tree = Cited(citation, Setting()), tree_of(*files)
    facts = Facts(tree=tree, places=Search(questions_for([cited], tree).names).all_places(files.items()))
    found = judge(cited, facts).verdict
    assert (found.status, found.target, found.reason) == ("valid", target, reason)
