"""What lines of code do with a name, and where names stand; languages as people write them."""

from __future__ import annotations

import pytest

from intermem.core.code import python_names
from intermem.core.code.file_types import (
    is_code,
    is_copy,
    is_listing,
    is_made,
    is_manifest,
    is_migration,
    is_news,
    is_of_a_tool,
    is_telling,
    is_telling_page,
)
from intermem.core.code.line_shapes import reads_environment, shape_of
from intermem.core.code.name_search import Search, best_shape
from intermem.core.code.rename_detection import (
    has_rival,
    identifier_similarity,
    is_much_of,
    keeps_its_file,
    renamed,
    renamed_with_file,
)
from intermem.facts import Shape

DEFINITIONS = """
def load_all(path):
async def load_all(path):
class load_all(Base):
export function load_all(a, b) {
export const load_all = async () => {
const load_all = 3;
func load_all(r io.Reader) error {
func (s *Store) load_all() {
pub fn load_all(allocator: Allocator) !void {
pub(crate) async fn load_all() -> Result<()> {
macro_rules! load_all {
public static void load_all(String name) throws IOException {
    private readonly int load_all;
int load_all(int argc, char **argv)
function [a, b] = load_all(obj, x)
classdef load_all < handle
load_all(Config) ->
load_all(Config) when is_list(Config) ->
-module(load_all).
-record(load_all, {a, b}).
  defp load_all(conn, _params) do
    fun load_all(name: String): Int = 3
#define load_all(x) (x)
create table if not exists load_all (
    parser.add_argument("load_all", help="x")
  server.tool("load_all", schema, run)
registerTool('load_all', run)
@register_task("load_all")
private fun <T : Comparable<T>> load_all(
static final Factory load_all = new Factory();
  "export class load_all {",
struct load_all: View {
/** @deprecated */ export type load_all = LoadAll;
"""

FIELDS = """
    load_all: int = 3
    this.load_all = x;
    self.load_all = None
  "load_all": true,
load_all:
    public string load_all { get; set; }
    load_all,
    load_all;
    load_all = [];  % what it is for
    load_all  % what it is for
    load_all
	load_all int64 `json:"load_all,omitempty"`
"""

USES = """
    model: load_all(),
  default: load_all(x)
return load_all(x)
    await load_all(x);
x = load_all(3) + load_all(4);
if load_all(x):
new load_all(x)
throw load_all(x);
call(load_all, x)
load_all(x)
load_all(x);
x.load_all(y).z
assert load_all == 3
from x import load_all
const { load_all } = require("x");
import { load_all } from "x";
@load_all
    some words and load_all
  load_all :backtrace_cleaner, default: nil
extension load_all: View {
extension load_all {
private extension load_all where Self: View {
let it: load_all = start()
    internal weak var it : load_all!
func fire(_ it: load_all<Int>) {
    { name: "load_all", run },
  it('finds the class load_all in a page', () => {
  test("every function load_all is told", async () => {
name="load_all",
undertaking("load_all")
print(f"{load_all}")
"""

COMMENTS = """
// load_all was here
# load_all does it
 * load_all of the day
% load_all
-- load_all
<!-- load_all -->
x = 3  # load_all
x = 3; // load_all
/** load_all was its name */ export type Loaded = All;
/* load_all */
"""

IMPORTS = """
import load_all
from load_all import x
using load_all;
use crate::load_all;
#include "load_all"
import x from "load_all";
const x = require("load_all");
    "load_all": "^1.2.3",
"""


@pytest.mark.parametrize(
    ("line", "shape"),
    [
        (line, shape)
        for shape, lines in (
            (Shape.DEFINITION, DEFINITIONS),
            (Shape.FIELD, FIELDS),
            (Shape.USE, USES),
            (Shape.COMMENT, COMMENTS),
            (Shape.IMPORT, IMPORTS),
        )
        for line in lines.strip("\n").split("\n")
    ],
)
def test_a_line_tells_what_it_does_with_a_name(line: str, shape: Shape) -> None:
    assert shape_of(line, "load_all") is shape


@pytest.mark.parametrize(
    ("line", "is_read"),
    [
        ("const url = process.env.KILN_URL ?? '';", True),
        ("const url = process.env['KILN_URL'];", True),
        ("const url = import.meta.env.KILN_URL", True),
        ('url = os.environ["KILN_URL"]', True),
        ('url = os.environ.get("KILN_URL", "")', True),
        ('url := os.Getenv("KILN_URL")', True),
        ('let url = env::var("KILN_URL")?;', True),
        ('url = ENV.fetch("KILN_URL")', True),
        ('$url = getenv("KILN_URL");', True),
        ("// const url = process.env.KILN_URL", False),
        ("const url = config.KILN_URL;", False),
        ("send(KILN_URL, process.env.PORT)", False),
    ],
)
def test_what_code_takes_from_its_environment(line: str, is_read: bool) -> None:
    assert reads_environment(line, "KILN_URL") is is_read


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (b"hive", 1),
        (b"hive_ce", None),
        (b"archive", None),
        (b"hive2", None),
        (b"x.hive()", 1),
        (b"hive-ce", 1),
        (b"the archive\nand hive", 2),
        ("ähive\nhive".encode(), 2),
    ],
)
def test_a_name_is_a_whole_word(content: bytes, lines: int | None) -> None:
    found = Search(["hive()"]).all_places([("a.js", content)]).get("hive")
    assert (found[0].line if found else None) == lines


def test_in_a_manifest_a_hyphen_is_part_of_a_name() -> None:
    for content in (b'"hive-ce": "1"', b'"my-hive": "1"'):
        assert Search(["hive"]).all_places([("package.json", content)]) == {}
    assert Search(["hive"]).all_places([("package.json", b'"hive": "1"')])["hive"][0].shape is Shape.IMPORT
    places = Search(["hive"]).all_places([("pubspec.yaml", b"  hive_ce: 1\n  hive-x: 2\n"), ("a.dart", b"hive-x")])
    assert [place.path for place in places["hive"]] == ["a.dart"]


def test_python_is_read_by_its_own_grammar() -> None:
    source = b'"""\ndef fake():\ndef other():\n"""\n\nclass Real:\n    def other(self, fake=1): ...\n'
    places = Search(["fake", "other", "Real"]).all_places([("a.py", source)])
    assert {name: (found[0].line, found[0].shape) for name, found in places.items()} == {
        "Real": (6, Shape.DEFINITION),
        "other": (7, Shape.DEFINITION),
        "fake": (7, Shape.FIELD),
    }
    inside = b'x_z = 1\n"""\ndef x_z():\n"""\nself.x_w = 4\n"""\nclass x_w:\nclass x_v:\n"""\nx_u = x_v\n'
    places = Search(["x_z", "x_w", "x_v"]).all_places([("b.py", inside)])
    assert {name: (found[0].line, found[0].shape) for name, found in places.items()} == {
        "x_z": (1, Shape.FIELD),
        "x_w": (5, Shape.FIELD),
        "x_v": (8, Shape.USE),
    }
    broken = Search(["other"]).all_places([("a.py", b"def other(:\n")])
    assert broken["other"][0].shape is Shape.DEFINITION  # what Python cannot read, lines still tell


@pytest.mark.parametrize(
    ("path", "is_one"), [("a.js", True), ("a.min.js", False), ("web/a.Min.js", False), ("a.JS", True)]
)
def test_what_is_minified_is_no_code_whatever_its_case(path: str, is_one: bool) -> None:
    assert is_code(path) is is_one


def test_plain_words_are_found_by_keyword_and_import() -> None:
    source = b"# light\nimport light from 'x'\nfire.light()\nfunction fire(light) {\n  const smoke = light;\n}\nheat\n"
    places = Search(["light", "fire", "smoke", "heat", "ash"]).all_places([("a.js", source)])
    assert {name: (found[0].line, found[0].shape) for name, found in places.items()} == {
        "light": (2, Shape.IMPORT),
        "fire": (4, Shape.DEFINITION),
        "smoke": (5, Shape.DEFINITION),
        "heat": (7, Shape.USE),
    }
    called = Search(["light()"]).all_places([("a.js", b"  light(a) {\n"), ("b.js", b"light"), ("c.min.js", b"")])
    assert [(one.path, one.shape) for one in called["light"]] == [("a.js", Shape.DEFINITION), ("b.js", Shape.FIELD)]


def test_what_is_only_used_is_seen_by_the_sign_before_it() -> None:
    source = b"x.go_on(1)\nif (go_on) {}\nself.go_on = 3\n" + b"y.go_on()\n" * 50 + b"def go_on(): ...\n"
    places = Search(["go_on"]).all_places([("a.rb", source)])
    assert [(one.line, one.shape) for one in places["go_on"]] == [(54, Shape.DEFINITION)]
    assert shape_of('[DllImport("x")] public static extern bool go_on(int a);', "go_on") is Shape.USE


def test_an_item_of_a_list_or_an_argument_on_its_own_line_is_a_field() -> None:
    for line in ('  "load_all",', "'load_all'", '\t"load_all"'):
        assert shape_of(line, "load_all") is Shape.FIELD, line
    for line in ('say("load_all")', '"load_all now",', 'x + "load_all",'):
        assert shape_of(line, "load_all") is Shape.USE, line


def test_pythons_parser_is_asked_only_of_what_stands_in_a_string(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bytes] = []
    monkeypatch.setattr(python_names, "_defined_in_python", lambda content: asked.append(content))
    outside = b"# it's ''' here\ndef load_all(): ...\n"  # as many quotes before it as there are in a string
    assert Search(["load_all"]).all_places([("a.py", outside)])["load_all"][0].shape is Shape.DEFINITION
    assert asked == []
    inside = b'x = """\ndef load_all(): ...\n"""\n'
    Search(["load_all"]).all_places([("a.py", inside)])
    assert asked == [inside]


def test_definitions_come_first_and_tests_last() -> None:
    files = [("a.js", b"go_on(1)\n"), ("tests/b.js", b"function go_on() {\n"), ("z.js", b"function go_on() {\n")]
    assert [place.path for place in Search(["go_on"]).all_places(files)["go_on"]] == ["z.js", "tests/b.js", "a.js"]


def test_binaries_prose_and_locks_are_no_code() -> None:
    assert not any(
        is_code(path)
        for path in (
            *("README.md", "a/b.MDX", "yarn.lock", "package-lock.json", "x.png", "LICENSE"),
            *(".intermem/baseline.json", "sub/.intermem/baseline.json"),
            *("docs/coverage-report/Cobertura.xml", "web/playwright-report/index.html"),
            *(".tasks/items.jsonl", "logs/run.ndjson", "src/tags", "docs/context/dump.xml", "doc/api/index.html"),
        )
    )
    assert all(
        is_code(path)
        for path in (
            "a.py",
            "Makefile",
            "requirements.txt",
            ".github/x.yml",
            "bin/run",
            "CMakeLists.txt",
            "api/requirements/base.txt",
            "requirements-dev.txt",
        )
    )
    assert all(
        map(is_code, ("res/layout/main.xml", "docs/conf.py", "docs/openapi.json", "web/index.html", "src/tags.py"))
    )
    made = ("web/node_modules/x.js", ".next/x.js", "vendor/x.go", "libs/socket-io-0.6.0/x.js", "libs/kit@v1.2/x.js")
    assert all(map(is_made, made))
    assert not any(map(is_made, ("src/vendor/x.go", "src/app.js", "docs/v1/x.js", "x.js")))
    assert Search(["x_y"]).all_places([("a.c", b"\0x_y")]) == {}
    assert is_manifest("requirements/base.in") and not is_manifest("requirements/notes.md")
    assert is_manifest("a/package.json") and is_manifest("x.csproj") and not is_manifest("a/notes.json")


@pytest.mark.parametrize(
    ("name", "before", "added", "new"),
    [
        ("oldGrid", ["class oldGrid extends Base {"], ["class newGrid extends Base {"], "newGrid"),
        ("noOp", ["final F noOp = x;"], ["static final F NO_OP = y;"], "NO_OP"),
        ("my_app", ["from my_app.x import y"], ["from my_apps.x import y"], "my_apps"),
        ("render", ["def render(a):"], ["def zzzz(a):"], None),
        ("render", ["def render(a):", "  return a + 1"], ["def zzzz(a):", "  return a + 1"], None),
        ("run_all", ["def run_all(a):", "  return a + 1"], ["def run_most(a):", "  return a + 1"], "run_most"),
        ("render", ["def render(a):", "  pass"], ["def zzzz(a):", "  pass"], None),
        ("render", ["def render(a):"], ["x = 3"], None),
        ("lastPos", ["  lastPos = 1;"], ["  state.lastPosition = 1;"], "state.lastPosition"),
        ("swap", ["swap(swap)"], ["swapAll(swapAll)"], "swapAll"),
        ("swap", ["swap(swap)"], ["swapAll(swapped)"], None),
        ("ConfigResponse", ["    x = ConfigResponse(1)"], ["    x = self.config_response_of(1)"], None),
        ("ConfigResponse", ["    x = ConfigResponse(1)"], ["    x = self.ConfigResponses(1)"], "self.ConfigResponses"),
    ],
)
def test_a_rename_is_a_line_that_is_the_same_but_for_the_name(
    name: str, before: list[str], added: list[str], new: str | None
) -> None:
    assert renamed(name, tuple(before), tuple(added)) == new


@pytest.mark.parametrize(
    ("line", "old", "new"),
    [
        ("    {}: int = 30", "timeout_ms", "deadline"),
        ("  {}: 30  # tries", "retry_count", "limit"),
        ('  "{}": 30,', "maxKilns", "depth"),
        ("export const {} = 30;", "MAX_KILNS", "DEPTH"),
        ("  {} = 'cold',", "ColdStart", "Idle"),
        ("def fire(kiln, {}, other=1):", "max_temp", "heat"),
        ("func (k *Kiln) Fire({} int) error {{", "maxTemp", "heat"),
    ],
)
def test_what_stands_in_the_same_place_between_the_same_lines_was_renamed(line: str, old: str, new: str) -> None:
    before, after = (("class Kiln:", line.format(name), "    other: str") for name in (old, new))
    assert renamed(old, before, after) == new
    assert renamed(old, before, ("class Kiln:", "    other: str", line.format(new))) is None, "elsewhere"
    assert renamed(old, (*before, f"    {new}: int"), (*after, f"    {new}: int")) is None, "it was there before"
    assert renamed(old, ("class Kiln:", f"    run({old})", "end"), ("class Kiln:", f"    run({new})", "end")) is None


@pytest.mark.parametrize(
    ("name", "new", "old", "after", "is_told"),
    [
        ("KILNS", "CORE_KILNS", "static KILNS: A = x", ["static CORE_KILNS: A = x", "static OWN_KILNS: B = y"], True),
        ("KILNS", "CORE_KILNS", "static KILNS: A = x", ["static CORE_KILNS: A = x", "use(OWN_KILNS)"], False),
        ("KILNS", "CORE_KILNS", "static KILNS, OWN_KILNS", ["static CORE_KILNS: A", "static OWN_KILNS: B"], False),
        ("FireHost", "FireOptions", "class FireHost", ["class FireOptions", "sealed class FireHosts"], True),
        ("FireHost", "FireOptions", "class FireHost", ["class FireOptions", "def fireHosts():"], False),
        ("noOp", "NO_OP", "final F noOp = x;", ["final F NO_OP = x;", "final F NO_OP_TWO = y;"], False),
    ],
)
def test_of_two_new_names_nobody_knows_which_it_became(
    name: str, new: str, old: str, after: list[str], is_told: bool
) -> None:
    assert has_rival(name, new, (old,), [tuple(after)]) is is_told
    assert has_rival(name, new, (old,), [(line,) for line in after]) is is_told, "in another file"


def test_of_two_names_in_its_place_it_may_have_become_either() -> None:
    def tasks(*names: str) -> tuple[str, ...]:
        return tuple(line for name in names for line in (f'"{name}": {{', f'  "needs": ["^{name}"]', "},"))

    assert renamed("lint", tasks("build", "lint", "dev"), tasks("build", "check", "dev")) == "check"
    assert renamed("lint", tasks("build", "lint", "dev"), tasks("build", "check", "typing", "dev")) is None


def test_another_casing_of_a_name_is_a_new_name_unless_it_was_there_before() -> None:
    assert renamed("KILN_HOST", ("x = KILN_HOST",), ("x = read(kiln_host)",)) == "kiln_host"
    assert renamed("KILN_HOST", ("kiln_host: env('KILN_HOST')",), ("kiln_host: env('OVEN_ID')",)) is None


def test_a_class_is_renamed_with_the_file_that_is_named_after_it() -> None:
    old = (*(f"  line {number} of the kiln" for number in range(9)), "record KilnOwner(int id) {")
    new = (*old[:7], "record RackOwner(int id, List<Tray> trays) {")
    path = "src/KilnOwner.java"
    assert renamed_with_file("KilnOwner", path, old, {"src/RackOwner.java": new}) == ("RackOwner", "src/RackOwner.java")
    assert renamed_with_file("KilnOwner", "src/Kilns.java", old, {"src/RackOwner.java": new})[0] is None
    assert renamed_with_file("KilnOwner", path, old, {"src/RackOwner.java": new[:7]})[0] is None, "it defines nothing"
    assert renamed_with_file("KilnOwner", path, old, {"src/RackOwner.java": new[7:]})[0] is None, "another file"
    both = {"src/RackOwner.java": new, "src/TrayOwner.java": (*old[:7], "record TrayOwner(int id) {")}
    assert renamed_with_file("KilnOwner", path, old, both)[0] is None, "nobody knows which"


def test_what_a_file_is_named_after_became_another_only_with_its_file() -> None:
    old = (*(f"  line {number} of the kiln" for number in range(9)), "class FireTool implements Tool")
    new = (*(f"  row {number} of the rack" for number in range(9)), "class LoadTool implements Tool")
    assert not keeps_its_file("FireTool", "LoadTool", "src/FireTool.php", old, new), "a line like many others"
    assert keeps_its_file("FireTool", "LoadTool", "src/FireTool.php", old, (*old[:7], new[-1])), "the same file"
    assert keeps_its_file("FireTool", "LoadTool", "src/tools.php", old, new), "not named after it"
    assert keeps_its_file("FireTool", "fireTool", "src/FireTool.php", old, new), "but for its case the same"


def test_a_file_is_another_with_most_of_its_lines() -> None:
    old = ("class FireHost:", "    def start(self):", "        return self.fire", "", "x")
    assert is_much_of(old, ("class Host:", *old[1:]))
    assert not is_much_of(old, (*old[3:], "class Host:", "    def start(self):"))
    assert not is_much_of((), ()), "of an empty one nothing is known"


def test_likeness_leaves_case_owners_and_underscores_aside() -> None:
    assert identifier_similarity("noOpFactory", "X.NO_OP_FACTORY") == 1.0
    assert identifier_similarity("render", "zzzz") == 0.0


@pytest.mark.parametrize(
    "pattern",
    ["a", "a ", "a(", "a.", "def ", "const a = ", '"a": ', "a,", "[a] = ", "a<", "static a ", "(", "? ", "&(", "<a "],
)
def test_a_long_line_is_judged_in_linear_time(pattern: str) -> None:
    shape_of(pattern * (1900 // len(pattern)) + " name", "name")
    shape_of("name " + pattern * (1900 // len(pattern)), "name")
    assert shape_of("x" * 3000 + " name", "name") is Shape.USE


def test_the_best_shape_of_a_name_in_a_file_of_history() -> None:
    assert best_shape("x_y", "a.js", b"function x_y() {\n}\n") is Shape.DEFINITION
    assert best_shape("x_y", "a.py", b'"""\ndef x_y():\n"""\n') is Shape.USE
    assert best_shape("x_y", "a.js", b"x_yz()\n//# sourceMappingURL=a.js.map\n") is None
    for bundle in (
        b"function x_y() {\n}\n//# sourceMappingURL=a.js.map\n",
        b"__webpack_require__(3)\nfunction x_y() {\n}\n",
    ):
        assert (best_shape("x_y", "a.js", bundle), best_shape("x_z", "a.js", bundle)) == (Shape.USE, None)
    assert best_shape("x_y", "a.py", b"nothing") is None
    assert Search(["x_y"]).all_places([("a.json", b'{ "x_y": 1, "y": 2 }')])["x_y"][0].shape is Shape.FIELD


def test_a_hidden_folder_at_the_top_is_of_a_tool_unless_ci_runs_it() -> None:
    assert is_of_a_tool(".helper/settings.json") and is_of_a_tool(".helper/skills/x/evals.json")
    assert not any(map(is_of_a_tool, (".github/workflows/ci.yml", "src/.helper/x", ".env.example", "src/app.py")))


def test_a_call_with_a_function_or_a_text_is_no_definition() -> None:
    for line in ("  Kiln<Rack, int?>((ref) {", "fireKiln(() => {", 'fireKiln("a", () => {', "fireKiln( `a`, (x) => {"):
        assert shape_of(line, "Kiln" if "Kiln<" in line else "fireKiln") is Shape.USE, line
    for line in ("  fireKiln<T>(ref) {", "fireKiln({ a, b }) {", "fireKiln([a, b]) {", "fireKiln() -> int {"):
        assert shape_of(line, "fireKiln") is Shape.DEFINITION, line


def test_the_state_of_a_component_is_defined_where_it_is_taken_apart_and_other_things_are_not() -> None:
    assert shape_of("const [rackHeat, setRackHeat] = useState(0);", "rackHeat") is Shape.DEFINITION
    for line in (
        "const [x, setX] = take(rackHeat)",
        "const [rackHeat, allRacks] = await Promise.all(calls);",
        "const { rackHeat } = kiln;",
        "[rackHeat, setRackHeat] = pair;",
        "const [rackHeat, setRackHeat]: Pair;",
    ):
        assert shape_of(line, "rackHeat") is not Shape.DEFINITION, line


def test_what_lists_names_is_a_manifest_data_or_an_environment() -> None:
    assert all(map(is_listing, ("package.json", "Makefile", "conf/app.yaml", ".env.example", "web/.env")))
    assert not any(map(is_listing, ("src/page.tsx", "tests/page.test.ts", "tsconfig.tsbuildinfo", "README.md")))


@pytest.mark.parametrize(
    ("line", "name", "shape"),
    [
        ("    private final Kiln kiln;", "Kiln", Shape.USE),
        ("    private final Kiln kiln;", "kiln", Shape.DEFINITION),
        ("    static final Map<String, Kiln> kilns = all();", "Kiln", Shape.USE),
        ("    final Rack<Kiln> rack;", "Rack", Shape.USE),
        ("  static Kiln of(int heat) {", "Kiln", Shape.USE),
        ("  static Kiln of(int heat) {", "of", Shape.DEFINITION),
        ("  const Kiln& kiln = rack.first();", "Kiln", Shape.USE),
        ("void fire(const Kiln& kiln) {", "Kiln", Shape.USE),
        ("const Big Kiln = 1", "Big", Shape.DEFINITION),
        ("const Kiln = () => {", "Kiln", Shape.DEFINITION),
        ("  Future<void> heat(Rack r) async { await open(r); }", "heat", Shape.DEFINITION),
        ("  Future<void> heat(Rack r) async { await open(r); }", "open", Shape.USE),
        ("  public int Heat(int rack) => rack + 1;", "Heat", Shape.DEFINITION),
        ("  void main() => runApp(const Kiln());", "runApp", Shape.USE),
        ("  return heat(rack) => 1;", "heat", Shape.USE),
        ("  await heat(rack, () => 1);", "heat", Shape.USE),
        ("  Heater h = heat(rack);", "heat", Shape.USE),
        ("    const KilnScope(", "KilnScope", Shape.USE),
        ("    const Kiln.cold(rack: 2),", "Kiln", Shape.USE),
        ("  final rack = const Kiln();", "Kiln", Shape.USE),
        ("  const Kiln({super.key});", "Kiln", Shape.DEFINITION),
        ("  const Kiln(this.rack);", "Kiln", Shape.DEFINITION),
        ("  const Kiln();", "Kiln", Shape.DEFINITION),
        ("static int hot, cold;", "hot", Shape.DEFINITION),
        ("final class Kiln extends Oven {", "Kiln", Shape.DEFINITION),
        ("  static async fire(kiln) {", "fire", Shape.DEFINITION),
        ("    fire_kiln(Settings {", "fire_kiln", Shape.USE),
        ("    fire_kiln(hot: Settings) -> Kiln {", "fire_kiln", Shape.DEFINITION),
        ("    onTurnEnd={(v) => heat(v)}", "onTurnEnd", Shape.USE),
        ("    onTurnEnd = {", "onTurnEnd", Shape.FIELD),
        ("static const String routeName = '/kiln';", "routeName", Shape.DEFINITION),
    ],
)
def test_the_type_of_a_variable_is_used_and_not_defined(line: str, name: str, shape: Shape) -> None:
    assert shape_of(line, name) is shape


@pytest.mark.parametrize(
    ("line", "shape"),
    [
        ("    KilnView {", Shape.USE),
        ("    KilnView() {", Shape.DEFINITION),
        ("struct KilnView {", Shape.DEFINITION),
        ("    public Kiln KilnView { get; }", Shape.FIELD),
    ],
)
def test_a_type_before_a_block_is_used(line: str, shape: Shape) -> None:
    assert shape_of(line, "KilnView") is shape
    assert shape_of("  kilnView {", "kilnView") is Shape.FIELD


@pytest.mark.parametrize(
    ("name", "tells"),
    [
        ("firing-guide.md", True),
        ("ARCHITECTURE.md", True),
        ("README.md", False),
        ("index.rst", False),
        ("LICENSE", False),
        ("abc.md", False),
        ("kiln.py", False),
    ],
)
def test_a_telling_page_is_none_that_any_folder_has(name: str, tells: bool) -> None:
    assert is_telling_page(name) == tells


@pytest.mark.parametrize("name", [".rules", ".cursorrules", "app/.windsurfrules", ".goosehints"])
def test_rules_for_agents_are_prose(name: str) -> None:
    assert not is_code(name)
    assert is_code("firestore.rules")


def test_copies_are_known_by_name() -> None:
    assert all(map(is_copy, (".env.backup", "a.py.bak", "a.py~", "A.ORIG")))
    assert not any(map(is_copy, ("backup.py", "old/a.py", ".env.example")))


@pytest.mark.parametrize(
    ("name", "tells"),
    [
        ("kiln.rs", True),
        ("coolingPlan.ts", True),
        ("run-kiln.sh", True),
        ("index.ts", False),
        ("Index.ts", False),
        ("kiln.yaml", False),
        ("kiln-notes.md", False),
        ("io.rs", False),
    ],
)
def test_a_telling_name_says_which_file_it_is(name: str, tells: bool) -> None:
    assert is_telling(name) == tells


@pytest.mark.parametrize(
    ("line", "shape"),
    [
        ("  SplitView(isOpen: $open) {", Shape.USE),
        ("SplitView(.constant(1)) {", Shape.USE),
        ("    SplitView(modifier = wide) {", Shape.USE),
        ("SplitView {", Shape.USE),
        ("SplitView(int wide) {", Shape.DEFINITION),
        ("SplitView() {", Shape.DEFINITION),
        ("struct SplitView: View {", Shape.DEFINITION),
    ],
)
def test_what_is_called_with_named_arguments_and_a_block_is_not_defined(line: str, shape: Shape) -> None:
    assert shape_of(line, "SplitView") is shape


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (".changeset/hot-racks.md", True),
        ("web/.changeset/hot-racks.md", True),
        ("changelog.d/12.fix.rst", True),
        ("changelog.d/heat/12.fix.rst", True),
        (".changeset/config.json", False),
        (".changeset/README.md", False),
        ("docs/changelog.d.md", False),
        ("newsfragments/validate.py", False),
        ("changelog.d/template.md", False),
    ],
)
def test_a_piece_of_a_change_log_goes_with_a_release(path: str, expected: bool) -> None:
    assert is_news(path) is expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("migrations/002_racks.sql", True),
        ("db/migrate/2026/racks.sql", True),
        ("app/rack_migrations/racks.sql", True),
        ("migrations/racks.py", False),
        ("db/racks.sql", False),
    ],
)
def test_what_a_migration_made_is_in_the_database(path: str, expected: bool) -> None:
    assert is_migration(path) is expected
