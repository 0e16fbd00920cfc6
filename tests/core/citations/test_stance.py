"""What a text itself says of what it cites, in the words of many languages."""

from __future__ import annotations

import pytest

from intermem.core.citations.extract import citations_of
from intermem.core.citations.leads import (
    bans_names,
    forbids,
    is_listed_outside,
    is_of_samples,
    keeps_out_of_git,
    run_away,
    run_in_new_folders,
    stance_below,
    stance_in,
    tells_what_is_gone,
)
from intermem.core.citations.stance import is_forbidden, may_last
from intermem.entities import Stance


def stance_of(text: str, cited: str) -> Stance:
    return {one.text: one.stance for one in citations_of(text)}[cited]


@pytest.mark.parametrize(
    "text",
    [
        "`lib/kiln.rb` 已下线",
        "未发现 `lib/kiln.rb`",
        "旧仓库 `lib/kiln.rb` 不作为事实来源",
        "the old repository's `lib/kiln.rb` is no source",
        "原 `lib/kiln.rb` 的逻辑已删",
        "自 `lib/kiln.rb` 迁入",
        "read `lib/kiln.rb` (if it exists)",
        "`lib/kiln.rb` (falls vorhanden)",
        "`lib/kiln.rb` 改名为 `lib/oven.rb`",
        "`lib/kiln.rb` 已重构成 `lib/oven.rb`",
        "`lib/kiln.rb` ist in `lib/oven.rb` aufgegangen, aufgegangen in zwei Teilen",
        "`lib/kiln.rb` は撤去された",
        "không còn `lib/kiln.rb`",
        "đã chuyển từ `lib/kiln.rb`",
        "файл `lib/kiln.rb` удалён",
        "`lib/kiln.rb` wurde umbenannt",
        "`lib/kiln.rb` n'existe plus",
        "`lib/kiln.rb` foi renomeado",
        "`lib/kiln.rb` zostało usunięte",
        "`lib/kiln.rb` (legacy)",
        "`lib/kiln.rb` is `lib/oven.rb` now, and hot",
        "`lib/kiln.rb` and its racks were one thing and are `lib/a.rb` and `lib/b.rb` now",
        "theo `lib/kiln.rb` cũ",
        "como en `lib/kiln.rb` antiguo",
        "Name kilns descriptively: `lib/kiln.rb`, `lib/oven.rb`",
        "no stubs at old locations (`lib/oven.rb`, flat `lib/kiln.rb`)",
        "files are numbered in order (`lib/kiln.rb`)",
        "迁移按序号命名（`lib/kiln.rb`）",
        "Class names: `lib/kiln.rb`",
        "Do not wrap it in a rack or use a `lib/kiln.rb` of yours",
        "kilns have the `lib` prefix: `lib/kiln.rb`",
        "`lib/kiln.rb`（旧）",
        "`lib/kiln.rb`: how it is fired (some packages)",
        "`lib/kiln.rb`, if the package has one",
        "`tidy.py` flags `lib/oven.rb` and `lib/kiln.rb`",
        "relocated from `lib/kiln.rb`",
        "pre-v3 projects have `lib/kiln.rb`",
        "camelCase names, as `lib/kiln.rb`",
        "Name a test after what it proves: `lib/kiln.rb`",
        "Examples: `lib/kiln.rb`",
        "`lib/kiln.rb` is reserved: no such file exists yet",
        "each oven has its own `lib/kiln.rb`",
        "не используй `lib/kiln.rb` в новых ручках",
        "`lib/kiln.rb` сгенерирован при сборке",
        "`lib/kiln.rb` wird generiert",
        "`lib/kiln.rb`: nothing is there yet",
        "each package needs a `lib/kiln.rb`",
        "the rename of `lib/kiln.rb` to `lib/oven.rb`",
        "commit 1a2b3c4 renames `lib/kiln.rb`",
        "a package's `lib/kiln.rb` has its types",
        "as in each oven’s `lib/kiln.rb`",
        "never introduce a `lib/kiln.rb`",
        "never re-enable `lib/kiln.rb`",
        "`lib/oven.rb`, never a `lib/kiln.rb`",
        "nunca reativar `lib/kiln.rb`",
        "no reactivar `lib/kiln.rb`",
        "ne jamais réactiver `lib/kiln.rb`",
        "non riattivare `lib/kiln.rb`",
        "`lib/kiln.rb` is no longer generated",
        "`lib/kiln.rb` holds the glazes (historical); the file is no longer created",
        "`lib/kiln.rb` was collapsed into `lib/oven.rb`",
        "on the glaze branch, `lib/kiln.rb`",
        "branch `lib/kiln.rb`",
        "our release branches keep `lib/kiln.rb`",
        "`lib/kiln.rb` (gh-pages branch only)",
        "`lib/kiln.rb` is kept out of version control",
        "`lib/kiln.rb`, ignored by git",
        "Add `lib/kiln.rb` to `.gitignore`",
        "`lib/kiln.rb` 已由 `.gitignore` 忽略",
        "`lib/kiln.rb` and `x.bak` are temporary",
        "`lib/kiln.rb` 属于临时文件",
        "временные файлы: `lib/kiln.rb`",
        "`lib/kiln.rb` はコミットしない",
        "Never set `HEAT` in `oven.rb` (it is read too late) or `lib/kiln.rb`",
        "there is no rack, so don't go hunting for `lib/kiln.rb`",
        "do not search for a `lib/kiln.rb`",
        "Runtime data lives in `lib/kiln.rb`",
        "run-time files are kept below `lib/kiln.rb`",
        "once you've added the racks to `lib/kiln.rb`, they are seen",
        "once you create `lib/kiln.rb`, it is read",
        "it will work as soon as `lib/kiln.rb` exists",
        "it runs once `lib/kiln.rb` has a rack",
        "`lib/kiln.rb` (when it becomes available)",
        "`lib/kiln.rb`를 다시 만들고 나서",
        "`lib/kiln.rb` を再作成する",
        "重新创建 `lib/kiln.rb`",
        "`lib/kiln.rb`, коли буде доступно",
        "sobald verfügbar, `lib/kiln.rb`",
        "```sh\nruby lib/kiln.rb  # once M2 adds the racks\n```",
        "```sh\nlib/kiln.rb  # wrong: nobody finds it\n```",
        "```\n# lib/kiln.rb (BAD - written by hand)\nfire()\n```",
        "```sh\nruby lib/kiln.rb  # once it exists\n```",
    ],
)
def test_what_is_gone_or_an_example_says_so(text: str) -> None:
    assert stance_of(text, "lib/kiln.rb") is not Stance.PLAIN


@pytest.mark.parametrize(
    "text",
    [
        "`lib/kiln.rb`（主模块）",
        "`old.rb` 已删除。`lib/kiln.rb` 是入口。",
        "`lib/kiln.rb` (main module)",
        "`lib/kiln.rb` (some pots)",
        "`tidy.py` flags what `lib/kiln.rb` left",
        "run pre-commit on `lib/kiln.rb`",
        "the examples live in `lib/kiln.rb`",
        "never edit anything but `x.rb`. `lib/kiln.rb` is ours.",
        "checked-out branches are found by `lib/kiln.rb`",
        "`lib/kiln.rb` deletes branches",
        "`lib/kiln.rb` logs a line; it is now in color",
        "Start with `lib/kiln.rb`, it loads the rest",
        "Keep `.gitignore` and `lib/kiln.rb` in step",
        "`lib/kiln.rb` writes a temporary file",
        "Never set `HEAT`; `lib/kiln.rb` does",
        "don't look at the log for errors of `lib/kiln.rb`",
        "`lib/kiln.rb` holds the runtime state",
        "`lib/kiln.rb` cools once the oven has finished",
        "`lib/kiln.rb` waits as soon as it has a rack",
        "```sh\nruby lib/kiln.rb  # repairs wrong totals\n```",
        "`lib/kiln.rb` is run. There is no `oven.rb`.",
        "Once you add a test, run `lib/kiln.rb`",
        "As soon as you make a change, run `lib/kiln.rb`",
        "Once `KilnJob` has a result, `lib/kiln.rb` writes the summary",
        "`lib/kiln.rb` takes the jobs when they are ready",
        "`lib/kiln.rb` hands one out as soon as it becomes available",
        "Runtime data is stored in Redis by `lib/kiln.rb`",
        "`lib/kiln.rb` does not search for `racks/` on its own",
        "Redis 不可用时由 `lib/kiln.rb` 处理",
        "Quand Redis n'est pas disponible, `lib/kiln.rb` prend le relais",
        "`lib/kiln.rb` recrée l'index",
        "DBは `lib/kiln.rb` で再作成する",
        "用 `lib/kiln.rb` 重新创建数据库",
        "새로 만들 때는 `lib/kiln.rb`를 복사한다",
        "Racks lassen sich mit `lib/kiln.rb` neu anlegen",
        "```sh\nruby lib/kiln.rb  # called once user has logged in\n```",
        "```sh\nruby lib/kiln.rb  # runs once server is created\n```",
        "```sh\nruby lib/kiln.rb  # wrong-password and other errors\n```",
        "```sh\nruby lib/kiln.rb  # bad-words filter\n```",
        "Every request goes through `lib/kiln.rb`",
        "flush the queue in `lib/kiln.rb` before a rename",
        "call `lib/kiln.rb` first, or the rename fails",
        "the package's `lib/kiln.rb` has its types",
        "what a kiln's heat is, `lib/kiln.rb` tells",
        "Each step is checked by `lib/kiln.rb`, and needs time",
        "jeder Schritt geht durch `lib/kiln.rb`",
    ],
)
def test_what_stands_beside_such_words_is_none(text: str) -> None:
    assert stance_of(text, "lib/kiln.rb") is Stance.PLAIN


def test_what_is_obsolete_is_what_is_called_so() -> None:
    assert stance_of("- Sweep (`lib/kiln.rb`) - removal of obsolete racks", "lib/kiln.rb") is Stance.PLAIN
    assert stance_of("obsolete file `lib/kiln.rb`", "lib/kiln.rb") is Stance.GONE
    assert stance_of("`lib/kiln.rb` is obsolete", "lib/kiln.rb") is Stance.GONE


def test_an_arrow_from_a_file_to_a_name_tells_what_is_in_it() -> None:
    assert stance_of("- `lib/kiln.rb` → `KILN_HEAT`", "lib/kiln.rb") is Stance.PLAIN
    assert stance_of("- `lib/kiln.rb` → `lib/oven.rb`", "lib/kiln.rb") is Stance.OTHERWISE


def test_examples_of_a_convention_are_no_claims() -> None:
    text = "- Functions are `camelCase` (`fireKiln`, `coolDown`), classes `PascalCase`."
    assert stance_of(text, "fireKiln") is Stance.SAMPLE
    assert stance_of("| Classes | PascalCase | `KilnRack.py` |", "KilnRack.py") is Stance.SAMPLE
    assert stance_of("- 폴더: 케밥케이스 (`kiln-rack/`)", "kiln-rack/") is Stance.SAMPLE
    assert stance_of("- ファイルはパスカルケース：`KilnRack.tsx`", "KilnRack.tsx") is Stance.SAMPLE
    assert stance_of("- 目录：短横线命名（`kiln-rack/`）", "kiln-rack/") is Stance.SAMPLE
    assert stance_of("Components are PascalCase and live in `kilns/`.", "kilns/") is not Stance.SAMPLE
    assert stance_of("| Classes | PascalCase |\n| Entry | `KilnRack.py` |", "KilnRack.py") is Stance.OTHERWISE
    for text, in_full in (
        ("Examples: `note_*.md`, `kilns.md`", Stance.EXAMPLE),
        ("Name files after what they do: `kilns.md`", Stance.OTHERWISE),
    ):
        assert stance_of(text, "kilns.md") is Stance.SAMPLE
        assert stance_of(text.replace("kilns.md", "docs/kilns.md"), "docs/kilns.md") is in_full
    assert stance_of("- `fireKiln` starts it.", "fireKiln") is Stance.PLAIN
    assert stance_of("- Constants: `UPPER_SNAKE_CASE` (ex. `KILN_HEAT`)", "KILN_HEAT") is Stance.SAMPLE


@pytest.mark.parametrize(
    "text",
    [
        "`lib/kiln.rb` is the entry now",
        "the racks are `lib/kiln.rb` now",
        "its name: `lib/kiln.rb`",
        "now `lib/kiln.rb`",
    ],
)
def test_what_is_so_now_is_there(text: str) -> None:
    assert stance_of(text, "lib/kiln.rb") is Stance.PLAIN


@pytest.mark.parametrize("arrow", ["→", "->", "=>", "⇒"])
@pytest.mark.parametrize("quote", ["`{}`", "{}", "**{}**"])
def test_one_arrow_leads_to_a_new_name_and_several_are_a_way(arrow: str, quote: str) -> None:
    names = ["fireKiln", "coolKiln", "emptyKiln"]
    one = f" {arrow} ".join(quote.format(name) for name in names[:2])
    assert [stance_of(one, name) for name in names[:2]] == [Stance.OTHERWISE, Stance.PLAIN]
    assert stance_of(f"{one}, {quote.format(names[2])} {arrow} `x`", names[2]) is Stance.OTHERWISE
    several = f"It runs {f' {arrow} '.join(quote.format(name) for name in names)}."
    assert [stance_of(several, name) for name in names] == [Stance.PLAIN] * 3


@pytest.mark.parametrize(
    "said",
    [
        "e. g.", "E.g.", "eg.", "ex.:", "z. B.", "Z.B.", "bspw.", "p. ex.", "p. ej.", "p.ej.", "t.ex.", "f.eks.", "np.",
        "напр.", "bijv.", "ad es.", "chẳng hạn", "misalnya", "contoh:", "예컨대",
    ],
)  # fmt: skip
def test_an_example_is_one_in_any_spelling(said: str) -> None:
    text = f"One word says enough, {said} `fireKiln`."
    assert stance_of(text, "fireKiln") is Stance.EXAMPLE
    assert stance_of(f"Open `src/rack.ts`. {text}", "src/rack.ts") is Stance.PLAIN
    assert stance_of("Like `fireKiln`, call helpers like `coolKiln`.", "coolKiln") is Stance.PLAIN


def test_a_path_on_a_line_about_casing_is_no_sample() -> None:
    text = "Components are PascalCase: `src/KilnRack.tsx`, `KilnShelf.tsx`"
    assert stance_of(text, "src/KilnRack.tsx") is Stance.OTHERWISE
    assert stance_of(text, "KilnShelf.tsx") is Stance.SAMPLE


def test_the_end_of_a_sentence_within_code_or_an_abbreviation_is_none() -> None:
    assert stance_of("Hidden by the old `?? fireKiln(x)` until May.", "fireKiln") is Stance.GONE
    assert stance_of("Busca notas sueltas (p. ej. `PLAN-*.md` en la raíz).", "PLAN-*.md") is Stance.EXAMPLE
    assert stance_of("`old.rb` is gone. `fireKiln` starts it.", "fireKiln") is Stance.PLAIN


@pytest.mark.parametrize(
    "text", ["Rotte in `app/`. Niente `App.jsx`.", "Es gibt kein `App.jsx`.", "its index is gone, and so is `App.jsx`"]
)
def test_without_in_other_languages(text: str) -> None:
    assert stance_of(text, "App.jsx") is Stance.GONE
    assert stance_of("Siehe `App.jsx`: keine Logik darin.", "App.jsx") is Stance.PLAIN


def test_a_kind_of_files_is_none_of_them() -> None:
    assert stance_of("all `index.md` pages have a title", "index.md") is Stance.OTHERWISE
    assert stance_of("`docs/index.md` pages through them", "docs/index.md") is Stance.PLAIN
    assert stance_of("`index.md` lists them", "index.md") is Stance.PLAIN


@pytest.mark.parametrize("words", ["is not currently on disk", "is currently not present", "is not on disk yet"])
def test_what_is_not_on_disk_is_not_missing(words: str) -> None:
    assert stance_of(f"`src/kiln/` is named by convention, and {words}.", "src/kiln/") is not Stance.PLAIN
    assert stance_of("`src/kiln/` is on disk", "src/kiln/") is Stance.PLAIN


def test_optional_is_what_it_stands_before() -> None:
    assert stance_of("`src/app.py` checks the token, with optional scope enforcement", "src/app.py") is Stance.PLAIN
    assert stance_of("`src/app.py` is optional", "src/app.py") is Stance.OTHERWISE
    assert stance_of("the optional settings file `src/app.py`", "src/app.py") is Stance.OTHERWISE
    assert stance_of("`src/app.py` (optional): the token", "src/app.py") is Stance.OTHERWISE


@pytest.mark.parametrize(
    ("lead", "stance"),
    [
        ("**Removed files (there is one step now):**", Stance.GONE),
        ("Deleted in v2:", Stance.GONE),
        ("已删除：", Stance.GONE),
        ("**All files:**", Stance.PLAIN),
        ("The parser has these modules:", Stance.PLAIN),
        ("", Stance.PLAIN),
    ],
)
def test_a_lead_speaks_of_what_is_below_it(lead: str, stance: Stance) -> None:
    assert stance_below(lead) is stance


@pytest.mark.parametrize("verb", ["edit", "read", "run", "call"])
def test_a_prohibition_presupposes_what_it_protects(verb: str) -> None:
    assert stance_of(f"Never {verb} `src/app.py` twice: it loses the handle.", "src/app.py") is Stance.PLAIN
    assert stance_of("Do not call `parse_all()` twice.", "parse_all()") is Stance.PLAIN


@pytest.mark.parametrize("verb", ["create", "use", "add", "commit", "write", "import"])
def test_one_against_making_or_using_does_not(verb: str) -> None:
    assert stance_of(f"Never {verb} `src/app.py`.", "src/app.py") is Stance.OTHERWISE


@pytest.mark.parametrize(
    "lead",
    [
        "Never use these words in the interface:",
        "**Do not call** any of:",
        "Old names, for whoever searches:",
        "界面中不再使用以下说法：",
        "旧术语：",
        "以下の名前は使わない:",
        "다음 이름은 사용하지 마세요:",
        "Diese Namen nicht mehr verwenden:",
        "Termes à éviter :",
        "Nombres prohibidos:",
        "Da non usare:",
        "Не использовать:",
        "Không được dùng:",
    ],
)
def test_a_line_above_a_list_may_ban_the_names_in_it(lead: str) -> None:
    assert bans_names(lead)


@pytest.mark.parametrize(
    "lead", ["Use these:", "Read them before use:", "新しい用語:", "Die wichtigsten Namen:", "Helpers:"]
)
def test_a_line_that_offers_names_bans_none(lead: str) -> None:
    assert not bans_names(lead)


@pytest.mark.parametrize(
    ("lead", "is_kept_out"),
    [
        ("❌ **DO NOT commit:**", True),
        ("Never check in any of these:", True),
        ("Must not be committed:", True),
        ("Nicht committen:", True),
        ("不要提交：", True),
        ("**DO commit:**", False),
        ("Do not commit before these pass:", False),
        ("", False),
    ],
)
def test_a_line_above_a_list_may_keep_it_out_of_git(lead: str, is_kept_out: bool) -> None:
    assert keeps_out_of_git(lead) is is_kept_out


@pytest.mark.parametrize(
    ("text", "is_outside"),
    [
        ("The originals\nare under `~/work/kiln/rules/`: GLAZE.md, RACK.md,\nand |HEAT.md.", True),
        ("They are in /etc/kiln: `glaze.toml` and |`rack.toml`.", True),
        ("The ~/kiln/ folder: see |rack.toml", False),
        ("`~/.kiln/`: glaze.toml. Then heat.toml, |rack.toml", False),
        ("`lib/`: glaze.toml, |rack.toml", False),
    ],
)
def test_what_is_listed_as_in_a_folder_of_a_machine(text: str, is_outside: bool) -> None:
    assert is_listed_outside(text.replace("|", ""), text.index("|")) is is_outside


@pytest.mark.parametrize(
    ("earlier", "is_away"),
    [
        ("```\ncd /tmp && mkdir kiln && cd kiln\n```", True),
        ('cd "$(mktemp -d)"', True),
        ('pushd "$TMPDIR/kiln"', True),
        ("cd ~/kiln", False),
        ("cd tmp/kiln", False),
        ("cd /tmp/kiln\ncd -", False),
        ("", False),
    ],
)
def test_commands_may_run_in_a_temporary_folder(earlier: str, is_away: bool) -> None:
    text = "Copy `lib/a.rb`:\n\n```sh\ncp out/kiln.rb lib/\n```\n"
    parts = [text[start:stop] for start, stop in run_away(earlier, text)]
    assert parts == (["```sh\ncp out/kiln.rb lib/\n```"] if is_away else [])


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("mkdir -p apps/oven\ncd apps/oven/\ncp a.rb b.rb", ["\ncp a.rb b.rb\n```"]),
        ("mkdir oven && cd oven && make\ncd ..\ncp a.rb b.rb", [" && make"]),
        ("(mkdir oven; cd oven; make)\ncp a.rb b.rb", ["; make"]),
        ("cd oven\nmkdir oven\ncp a.rb b.rb", []),
        ("mkdir oven\ncd kiln\ncp a.rb b.rb", []),
        ("mkdir -p src\ncd src\ncp a.rb b.rb", []),
    ],
)
def test_commands_may_run_in_a_folder_that_was_just_made(code: str, found: list[str]) -> None:
    text = f"```sh\n{code}\n```\n\n```sh\ncp out/a.rb .\n```\n"
    assert [text[start:stop] for start, stop in run_in_new_folders(text, {"src"})] == found


def test_of_many_folders_and_blocks_each_is_looked_at_once() -> None:
    text = "```sh\ncd /tmp/kiln\ncp a.rb .\ncd -\n```\n" * 20_000
    parts = run_away("", text)
    assert len(parts) == 20_000 and {text[start:stop] for start, stop in parts} == {"\ncp a.rb ."}


def test_commands_come_back_from_a_temporary_folder() -> None:
    text = "```sh\ncd /tmp/kiln\ncp out/a.rb .\ncd ~/work\ncp out/b.rb .\n```\n"
    assert [text[start:stop] for start, stop in run_away("", text)] == ["\ncp out/a.rb ."]


@pytest.mark.parametrize("never", ["mai", "niemals", "jamais", "nunca", "никогда не", "never", "non aggiungere", "❌"])
def test_what_is_never_to_be_there_is_no_citation_of_what_is(never: str) -> None:
    text = f"`freshState()`, {never} `oldState()`."
    assert stance_of(text, "oldState()") is Stance.OTHERWISE
    assert stance_of(text, "freshState()") is Stance.PLAIN


@pytest.mark.parametrize("label", ["**Removed.**", "**Deleted files**:", "**Removidos.**", "**已删除：**", "__Gone:__"])
def test_a_bold_label_speaks_of_the_whole_item_and_of_no_other(label: str) -> None:
    text = f"- {label} `a_page.py`: nobody came. `b_page.py` and `c_page.py`: one page now.\n- `d_page.py` is read.\n"
    stances = [stance_of(text, f"{name}_page.py") for name in "abcd"]
    assert stances == [Stance.GONE, Stance.GONE, Stance.GONE, Stance.PLAIN]


@pytest.mark.parametrize("label", ["**Pages.**", "**How pages were once removed by hand:**", "Removed `x_page.py`."])
def test_other_words_at_the_start_of_an_item_speak_of_their_clause(label: str) -> None:
    assert stance_of(f"- {label} Read it. `b_page.py` is the page to read.", "b_page.py") is Stance.PLAIN


@pytest.mark.parametrize(
    "text",
    [
        "Listed page by page (until 0.51.0 by `show_pages`).",
        "Seitenweise (bis 0.51.0 über `show_pages`).",
        "Jusqu'à la version 2.4, `show_pages`.",
        "1. Skapa `show_pages`, sedan resten.",
        "3. 创建 `show_pages`，然后测试。",
        "Each package exports a `show_pages`.",
        "`show_pages` は使わない。",
        "Hier `show_pages` nicht hinzufügen.",
    ],
)
def test_what_was_once_is_planned_or_stands_for_many_is_no_citation_of_what_is(text: str) -> None:
    assert stance_of(text, "show_pages") is not Stance.PLAIN


@pytest.mark.parametrize(
    "text", ["Since 0.51.0 by `show_pages`.", "Skapat av `show_pages`.", "The package exports `show_pages`."]
)
def test_what_is_since_then_or_in_one_place_is(text: str) -> None:
    assert stance_of(text, "show_pages") is Stance.PLAIN


@pytest.mark.parametrize(
    "text",
    [
        "文件名只是历史残留，运行时已不是 `show_pages`",
        "只有一条路径。**没有** `hide_pages` / `show_pages` 等选项。",
        "The list is no longer `show_pages`.",
        "The list is no longer a `show_pages`, whatever its file is called.",
        "Die Liste ist nicht mehr `show_pages`.",
        "La lista ya no es `show_pages`.",
        "La liste n'est plus `show_pages`.",
        "A lista não é mais `show_pages`.",
        "La lista non è più `show_pages`.",
        "`hide_pages` と `show_pages` のような重複が発生する",
        "`hide_pages`나 `show_pages` 같은 중복이 생긴다",
        "Lines pass through a `show_pages` equivalent first.",
        "Lines pass through our equivalent of `show_pages` first.",
        "| pages by role | `show_pages` | ❌ 禁止 |",
        "| pages by role | `show_pages` | ❌ never |",
        "The library **does not support the `show_pages` option**, and needs none.",
        "Lists don't accept `show_pages`.",
        "Name it after the list, with a `show_pages` suffix.",
        "Write a `show_pages`-style helper for it.",
        "部署没有独立的流程，無獨立 `show_pages`。",
        "A `show_pages`-like list may do.",
        "Die Funktion hieß bis 08/2026 `show_pages`.",
        "La función se llamaba `show_pages`.",
        "Раньше она называлась `show_pages`.",
        "La funzione `show_pages` è deprecata.",
        "Ya no hay `show_pages`.",
        "Não há mais `show_pages`.",
        "Il n'y a plus de `show_pages`.",
    ],
)
def test_what_it_is_not_or_is_like_is_no_citation_of_what_is(text: str) -> None:
    assert stance_of(text, "show_pages") is not Stance.PLAIN


@pytest.mark.parametrize(
    "text",
    [
        "The list is `show_pages`, no longer a table.",
        "这是 `show_pages`，没有选项。",
        "Equivalent lines pass through `show_pages` first.",
        "Lines and pages (`hide_pages` equivalents): `show_pages`",
        "A `hide_pages`-style list is drawn by `show_pages`.",
        "| pages by role | `show_pages` | ❌ |",
        "| pages by role | `show_pages` | ✅ |",
        "Lists support `show_pages`, and accept no other.",
        "The suffix is what `show_pages` gives it.",
        "Die Funktion heißt `show_pages`.",
    ],
)
def test_what_it_is_beside_such_words_is(text: str) -> None:
    assert stance_of(text, "show_pages") is Stance.PLAIN


@pytest.mark.parametrize(
    "text",
    [
        "`make_pages` generates `all_pages`.",
        "The hook `make_pages` emits `some_pages` and writes `all_pages`.",
        "`all_pages` is generated by `make_pages`.",
    ],
)
def test_what_makes_a_thing_is_there_and_what_is_made_need_not_be(text: str) -> None:
    assert stance_of(text, "make_pages") is Stance.PLAIN
    assert stance_of(text, "all_pages") is Stance.OTHERWISE


def test_what_a_thing_writes_of_itself_says_nothing_of_others() -> None:
    text = "Run `make_pages` first, because the hooks read what it writes."
    assert stance_of(text, "make_pages") is Stance.PLAIN


GONE_ELSEWHERE = {
    "nl": "`show_pages` en `hide_pages` bestaan niet meer.",
    "sv": "`show_pages` finns inte längre, den togs bort.",
    "da": "`show_pages` findes ikke mere.",
    "nb": "`show_pages` er fjernet.",
    "fi": "`show_pages` on poistettu.",
    "pl": "`show_pages` i `hide_pages` już nie istnieją.",
    "cs": "`show_pages` už neexistuje.",
    "sk": "`show_pages` bola odstránená.",
    "hu": "A `show_pages` már nem létezik.",
    "ro": "`show_pages` nu mai există.",
    "uk": "`show_pages` більше не існує.",
    "sr": "`show_pages` je uklonjena.",
    "bg": "`show_pages` вече не съществува.",
    "el": "Η `show_pages` καταργήθηκε.",
    "tr": "`show_pages` artık mevcut değil.",
    "id": "`show_pages` sudah tidak ada.",
    "th": "`show_pages` ถูกลบแล้ว",
    "ar": "`show_pages` لم يعد موجودا",
    "fa": "`show_pages` حذف شد",
    "he": "`show_pages` כבר לא קיים",
    "hi": "`show_pages` हटा दिया गया है",
    "it": "`show_pages` e `hide_pages` non esistono.",
    "es": "`show_pages` y `hide_pages` ya no existen.",
    "pt": "`show_pages` e `hide_pages` não existem mais.",
    "fr": "`show_pages` a disparu.",
    "de": "`show_pages` und `hide_pages` existieren nicht.",
    "ja": "`show_pages` はなくなった。",
    "ko": "`show_pages`는 더 이상 사용되지 않는다.",
    "zh": "`show_pages` 已经没有了。",
}
STANDS_ELSEWHERE = {
    "nl": "`show_pages` toont de bladzijden.",
    "sv": "`show_pages` visar sidorna.",
    "da": "`show_pages` findes i modulet.",
    "fi": "`show_pages` näyttää sivut.",
    "pl": "`show_pages` istnieje i pokazuje strony.",
    "cs": "`show_pages` existuje a ukazuje stránky.",
    "hu": "A `show_pages` létezik.",
    "ro": "`show_pages` există.",
    "uk": "`show_pages` існує.",
    "el": "Η `show_pages` υπάρχει.",
    "tr": "`show_pages` sayfaları gösterir.",
    "id": "`show_pages` ada di modul.",
    "it": "`show_pages` esiste.",
    "es": "`show_pages` existe.",
    "fr": "`show_pages` montre les pages.",
    "ja": "`show_pages` はページを表示する。",
    "zh": "`show_pages` 显示页面。",
}


@pytest.mark.parametrize("language", GONE_ELSEWHERE)
def test_what_is_gone_is_heard_in_many_languages(language: str) -> None:
    assert stance_of(GONE_ELSEWHERE[language], "show_pages") is not Stance.PLAIN


@pytest.mark.parametrize("language", STANDS_ELSEWHERE)
def test_what_is_there_is_heard_in_many_languages(language: str) -> None:
    assert stance_of(STANDS_ELSEWHERE[language], "show_pages") is Stance.PLAIN


def test_a_file_that_one_creates_or_updates_need_not_be_there() -> None:
    assert stance_of("Create or update `show_pages`, but never commit it.", "show_pages") is Stance.OTHERWISE


@pytest.mark.parametrize(
    ("text", "stance"),
    [
        ("`show_pages` had no caller until now.", Stance.GONE),
        ("For as long as it existed nobody called `show_pages`.", Stance.PLAIN),
        ("`show_pages` did nothing for as long as it existed.", Stance.GONE),
        ("Nobody but `show_pages` had callers.", Stance.PLAIN),
        ("Operator overrides in `lib/kiln.rb` win.", Stance.OTHERWISE),
        ("Users' overrides below `lib/kiln.rb` win.", Stance.OTHERWISE),
        ("The class overrides it in `lib/kiln.rb`.", Stance.PLAIN),
    ],
)
def test_what_was_there_in_vain_and_what_users_lay_there(text: str, stance: Stance) -> None:
    assert stance_of(text, "show_pages" if "show_pages" in text else "lib/kiln.rb") is stance


@pytest.mark.parametrize(
    "text",
    [
        "It already existed in `show_pages` then.",
        "Nobody read `show_pages` while it lived.",
        "A parte de `show_pages` saiu daqui na T-9.",
        "Já existia dentro de `show_pages`.",
        "La parte existió en `show_pages`.",
        "Ancienne partie qui existait dans `show_pages`.",
        "As migrações de `show_pages` foram canceladas.",
    ],
)
def test_what_existed_is_gone(text: str) -> None:
    assert stance_of(text, "show_pages") is Stance.GONE


@pytest.mark.parametrize(
    ("text", "stance"),
    [
        ("If an enum is shown, define a `show_pages` constant.", Stance.OTHERWISE),
        ("We define `show_pages` there.", Stance.PLAIN),
        ("`show_pages` lista os pedidos cancelados.", Stance.PLAIN),
        ("`show_pages` runs when an order is cancelled.", Stance.PLAIN),
        ("`show_pages` answers 409 if the user already existed.", Stance.PLAIN),
        ("`show_pages` responde 409 se o usuário já existia.", Stance.PLAIN),
        ("Requests go through `show_pages` (when caching is enabled).", Stance.PLAIN),
        ("It must exist in `show_pages`.", Stance.PLAIN),
    ],
)
def test_what_is_to_be_defined_and_what_is_there(text: str, stance: Stance) -> None:
    assert stance_of(text, "show_pages") is stance


@pytest.mark.parametrize(
    ("row", "stance"),
    [
        ("| Page | `{oven}.page.ts` | `kiln.page.ts` |", Stance.SAMPLE),
        ("| Page | `<oven>.page.ts` | `kiln.page.ts` |", Stance.SAMPLE),
        ("| Page | `{oven}.spec.ts` | `kiln.page.ts` |", Stance.PLAIN),
        ("| Page | `*.page.ts` | `kiln.page.ts` |", Stance.PLAIN),
        ("| Page | `{oven}` | `kiln.page.ts` |", Stance.PLAIN),
        ("| Page | `{oven}.ts` | `kiln.page.ts` |", Stance.PLAIN),
        ("| Page | `{a}{b}.page.ts` | `kiln.page.ts` |", Stance.PLAIN),
        ("Copy `kiln.page.ts` to `<oven>.page.ts`.", Stance.PLAIN),
        ("| Page | `{oven}.page.ts` |\n| All | `kiln.page.ts` |", Stance.PLAIN),
    ],
)
def test_a_name_that_shows_a_pattern_is_a_sample(row: str, stance: Stance) -> None:
    assert stance_of(row, "kiln.page.ts") is stance


@pytest.mark.parametrize(
    ("remark", "stance"),
    [
        ("# Replaces the lib/kiln.rb", Stance.GONE),
        ("# legacy in-process lib/kiln.rb, now racks", Stance.GONE),
        ("make fire   # for the old lib/kiln.rb", Stance.GONE),
        ("# as told in lib/kiln.rb", Stance.PLAIN),
        ("# imports old data with lib/kiln.rb", Stance.PLAIN),
        ("old lib/kiln.rb", Stance.PLAIN),
    ],
)
def test_a_remark_in_code_may_say_what_was_there_before(remark: str, stance: Stance) -> None:
    assert stance_of(f"```sh\n{remark}\n```\n", "lib/kiln.rb") is stance


def test_the_next_clause_may_say_what_became_of_it() -> None:
    assert stance_of("It was called after `show_pages`; step 6 renamed it.", "show_pages") is Stance.GONE
    assert stance_of("Call `show_pages`. Step 6 renamed `hide_pages`.", "show_pages") is Stance.PLAIN
    assert stance_of("Call `show_pages` and its file. Who removed them?\n\nNobody.", "show_pages") is Stance.GONE
    assert stance_of("Call `show_pages` and `a_page`. Step 6 removed it.", "show_pages") is Stance.PLAIN
    assert stance_of("Call `show_pages`. We moved it to the end.", "show_pages") is Stance.PLAIN
    assert stance_of("Call `show_pages`. If you renamed it, say so.", "show_pages") is Stance.PLAIN


@pytest.mark.parametrize(
    ("text", "stance"),
    [
        ("Parts (`lib/kiln.rb`): reference non-existent files", Stance.PLAIN),
        ("It calls non-existent `lib/kiln.rb`", Stance.GONE),
        ("`lib/kiln.rb` is non-existent.", Stance.GONE),
        ("It never emits `Kiln::Fired`", Stance.PLAIN),
        ("It emits `Kiln::Fired`", Stance.OTHERWISE),
        ("Cookie writes inside reducers (`lib/kiln.rb`)", Stance.PLAIN),
        ("It writes `lib/kiln.rb`", Stance.OTHERWISE),
        ("**Fire only** (no branch) → `Kiln.fire()` → done", Stance.PLAIN),
        ("On the branch: `Kiln.fire()`", Stance.OTHERWISE),
        ("For example `lib/kiln.rb`", Stance.EXAMPLE),
        ("(이전 kiln.rb)", Stance.OTHERWISE),
        ("lib/oven.rb: 화덕 (이전 kiln.rb)", Stance.PLAIN),
        ("Put it in a file, for example `lib/kiln.rb`", Stance.OTHERWISE),
        ("(plurale da ieri, era `lib/kiln.rb`)", Stance.OTHERWISE),
        ("Der neue Ofen (war `lib/kiln.rb`)", Stance.OTHERWISE),
        ("Il problema era `lib/kiln.rb`", Stance.PLAIN),
        ("Nach dem Brand, war `lib/kiln.rb` schuld", Stance.PLAIN),
        ("Fire it twice. Document both in `firing.md`", Stance.OTHERWISE),
        ("The document in `docs/firing.md` says how", Stance.PLAIN),
        ("names like `fireKiln`", Stance.OTHERWISE),
        ("with something like `fireKiln`", Stance.OTHERWISE),
        ("Such as `lib/kiln.rb`, planned for later", Stance.OTHERWISE),
        ("A drop-in for the oven in `lib/kiln.rb`", Stance.PLAIN),
        ("It drops `lib/kiln.rb`", Stance.GONE),
        ("Turn legacy shards into clay with `lib/kiln.rb`", Stance.OTHERWISE),
        ("The legacy `lib/kiln.rb`", Stance.GONE),
        ("Cold shards: removed nightly by `lib/kiln.rb`", Stance.PLAIN),
        ("Shards superseded by the `lib/kiln.rb` task", Stance.PLAIN),
        ("Removed: `lib/kiln.rb`", Stance.GONE),
        ("Do not reintroduce `lib/kiln.rb`.", Stance.GONE),
        ("Do not create `lib/kiln.rb`.", Stance.OTHERWISE),
        ("The work is split by shift: early in `lib/kiln.rb`.", Stance.PLAIN),
        ("The work is split by shift:\n\n- Early: `lib/kiln.rb`.", Stance.PLAIN),
        ("`lib/kiln.rb` was split into two", Stance.GONE),
        ("Guides that mention `lib/kiln.rb` should use `oven` instead.", Stance.GONE),
        ("Guides that mention `lib/kiln.rb` should use it.", Stance.PLAIN),
        ("`lib/kiln.rb` fires each load as a new batch", Stance.PLAIN),
        ("Fire each load as a new `lib/kiln.rb`", Stance.OTHERWISE),
        ("`lib/kiln.rb` reads loads of three naming schemes", Stance.PLAIN),
        ("Follow the `kiln_rack.rb` naming", Stance.OTHERWISE),
        ("Loads need a label under `lib/kiln.rb`", Stance.PLAIN),
        ("Loads need a small `kiln.toml`", Stance.OTHERWISE),
        ("`lib/kiln.rb` - cuts thin branch ends off", Stance.PLAIN),
        ("In the glaze branch there is `lib/kiln.rb`", Stance.OTHERWISE),
        ("The potter's own part (`lib/kiln.rb`) is run", Stance.PLAIN),
        ("The potter's own `lib/kiln.rb` is run", Stance.OTHERWISE),
        ("The write helpers of all racks are in `lib/kiln.rb`", Stance.PLAIN),
        ("On missing labels `lib/kiln.rb` stops", Stance.PLAIN),
        ("`lib/kiln.rb` is missing from the racks", Stance.GONE),
        ("From the clay that it was cut from, `lib/kiln.rb` makes two", Stance.PLAIN),
        ("Nothing writes outside of its rack: `lib/kiln.rb`", Stance.PLAIN),
        ("Stay in the base repo (`lib/kiln.rb`)", Stance.PLAIN),
        ("`lib/kiln.rb` (legacy, cooling down)", Stance.OTHERWISE),
        ("`lib/kiln.rb` (retired, cooled down)", Stance.GONE),
    ],
)
def test_what_words_are_about(text: str, stance: Stance) -> None:
    assert next(iter(one.stance for one in citations_of(text))) is stance


def test_a_heading_says_what_stands_below_it() -> None:
    assert is_of_samples("### Naming conventions") and is_of_samples("## 命名") and not is_of_samples("## Name")
    assert forbids("### Never") and forbids("**禁止事项**") and not forbids("### Never mind the kiln")
    assert tells_what_is_gone("Removed folders") and not tells_what_is_gone("How removed folders are brought back")
    superseded = (
        "Kiln card — SUPERSEDED (historical)",
        "Kiln (removed in v2)",
        "Old kilns: retired",
        "Ofen und Karte (entfernt)",
    )
    for heading in (
        *superseded,
        "La carte du four — supprimée",
        "窑卡片与全部部件的说明（已删除）",
        "Карточка и печь — удалена",
    ):
        assert tells_what_is_gone(heading)
    for heading in ("Kiln card — deprecated", "Superseded kilns in use today", "Kilns: removed parts are kept here"):
        assert not tells_what_is_gone(heading)
    assert stance_in("The folder `old/`: deprecated", "old/") is Stance.OTHERWISE
    assert stance_in("The folder `old/`", "old/") is Stance.PLAIN


@pytest.mark.parametrize(
    ("above", "stance"),
    [
        ("# WRONG: nobody finds it", Stance.OTHERWISE),
        ("// ❌ not like this", Stance.OTHERWISE),
        ("-- Falsch", Stance.OTHERWISE),
        ("# 错误：", Stance.OTHERWISE),
        ("# Don't do this", Stance.OTHERWISE),
        ("# Don't forget to glaze first", Stance.PLAIN),
        ("# Bad requests are refused by it", Stance.PLAIN),
        ("# GOOD", Stance.PLAIN),
        ("# WRONG\nlib/oven.rb\n# RIGHT", Stance.PLAIN),
        ("# WRONG\nlib/oven.rb\n", Stance.PLAIN),
        ("# WRONG\r\nload lib/oven.rb\r\n\r", Stance.PLAIN),
        ("# WRONG\nload lib/oven.rb", Stance.OTHERWISE),
        ("# WRONG\n" + "load lib/oven.rb\n" * 50 + "x = 1", Stance.PLAIN),
    ],
)
def test_what_a_comment_in_code_shows_as_wrong(above: str, stance: Stance) -> None:
    assert stance_of(f"```\n{above}\nload lib/kiln.rb\n```\n", "lib/kiln.rb") is stance


@pytest.mark.parametrize(
    ("text", "stance"),
    [
        ("Run `show_pages` (if a linter has been added).", Stance.OTHERWISE),
        ("Run `show_pages` (once the linter is set up).", Stance.OTHERWISE),
        ("提交前执行 `show_pages`（若添加了检查）。", Stance.OTHERWISE),
        ("Run `show_pages` (a linter has been added).", Stance.PLAIN),
    ],
)
def test_what_there_is_once_something_is_set_up(text: str, stance: Stance) -> None:
    assert stance_of(text, "show_pages") is stance


@pytest.mark.parametrize("remark", ["← forbidden", "# 禁止", "// not allowed", "<- prohibido"])
def test_what_a_picture_forbids(remark: str) -> None:
    assert stance_of(f"```\nlib/\n└── kiln.rb   {remark}\n```\n", "kiln.rb") is Stance.OTHERWISE


@pytest.mark.parametrize(
    ("text", "stance"),
    [
        ("- [Glazes](https://kiln.example/all.zip): kiln.css, oven.css", Stance.OTHERWISE),
        ("- [Glazes](https://kiln.example/all.tar.gz) has `kiln.css`", Stance.OTHERWISE),
        ("- [Glazes](https://kiln.example/all.html): kiln.css, oven.css", Stance.PLAIN),
        ("- `kiln.css`: see [Glazes](https://kiln.example/all.zip)", Stance.PLAIN),
    ],
)
def test_what_a_linked_archive_has_in_it(text: str, stance: Stance) -> None:
    assert stance_of(text, "kiln.css") is stance


@pytest.mark.parametrize(
    "text",
    [
        "Never delete `lib/kiln.rb`: the release needs it.",
        "Do **not** remove, rename or move `lib/kiln.rb`.",
        "`lib/kiln.rb` must not be deleted.",
        "`lib/kiln.rb` was not removed yet.",
        "Don't ever drop `lib/kiln.rb`.",
        "`lib/kiln.rb` is deprecated but still read by the oven.",
        "`lib/kiln.rb` was replaced, yet it stays for the tests.",
        "Half of `lib/kiln.rb` was rewritten, and none of it is retired.",
        "Nothing was dropped from `lib/kiln.rb`.",
        "请勿删除 `lib/kiln.rb`",
        "`lib/kiln.rb` は削除しないでください",
        "Nicht löschen: `lib/kiln.rb`",
        "Ne jamais supprimer `lib/kiln.rb`",
        "No borres `lib/kiln.rb`",
        "Не удаляйте `lib/kiln.rb`",
    ],
)
def test_what_is_not_to_be_taken_away_is_to_be_there(text: str) -> None:
    assert stance_of(text, "lib/kiln.rb") is Stance.PLAIN


@pytest.mark.parametrize(
    "text",
    [
        "The reasons are in `lib/kiln.rb`, now deleted.",
        "The reasons are in `lib/kiln.rb` (since removed).",
        "- `lib/kiln.rb` (entirely retired)",
        "None of it is used: `lib/kiln.rb` was removed.",
    ],
)
def test_what_is_told_beside_a_name_is_told_of_it(text: str) -> None:
    assert stance_of(text, "lib/kiln.rb") is Stance.GONE


def test_what_is_told_of_another_thing_takes_no_file_away() -> None:
    assert stance_of("`lib/kiln.rb`, now with the glaze removed", "lib/kiln.rb") is not Stance.GONE
    assert stance_of("`lib/kiln.rb` (only fired racks)", "lib/kiln.rb") is Stance.PLAIN


@pytest.mark.parametrize(
    "text", ["Delete `lib/kiln.rb`, never `lib/oven.rb`.", "`lib/kiln.rb` is removed and not deleted by hand."]
)
def test_what_is_taken_away_is_gone_or_otherwise(text: str) -> None:
    assert stance_of(text, "lib/kiln.rb") is not Stance.PLAIN


@pytest.mark.parametrize(
    "text",
    [
        "every new package must have {}",
        "Every package requires {}",
        "jedes neue Paket braucht {}",
        "chaque paquet contient {}",
        "cada paquete debe tener {}",
        "每个模块都需要 {}",
        "Files per oven: `rack.yml`, {}",
        "modules of each oven: {}",
    ],
)
def test_a_bare_name_that_each_of_many_has_is_no_single_file(text: str) -> None:
    assert stance_of(text.format("`kiln.yml`"), "kiln.yml") is not Stance.PLAIN
    assert stance_of(text.format("`lib/kiln.yml`"), "lib/kiln.yml") is Stance.PLAIN
    assert stance_of(f"{text.format('care')}. `kiln.yml` is ours.", "kiln.yml") is Stance.PLAIN


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("A shelf is added if needed by `show_pages`.", "show_pages"),
        ("Pages are drawn as planned by `show_pages`.", "show_pages"),
        ("The stage writes each heat into the log of its day (`hide_pages.py`, `log.py`).", "hide_pages.py"),
        (
            "Nobody may move a pot into another project without telling us first (`a_page.py` and `b_page.py`).",
            "b_page.py",
        ),
        ("- `show_pages` - 取出所有页面并移除它们", "show_pages"),
    ],
)
def test_who_does_it_or_where_it_is_done_is_there(text: str, cited: str) -> None:
    assert stance_of(text, cited) is Stance.PLAIN


@pytest.mark.parametrize(
    "text",
    [
        "It generates the client (`show_pages.py`).",
        "Each run writes into the folder that it was given a page (the newest is `show_pages.py`).",
        "- **`show_pages.py`**: Empty. All of it is one page now.",
        "`show_pages.py` is empty; do not add to it.",
        "What is left to do: the remnants of `show_pages.py` (fonts, margins).",
        "移除 `show_pages.py`，并合并页面",
    ],
)
def test_what_is_made_close_by_or_said_to_be_empty_may_not_be_there(text: str) -> None:
    assert stance_of(text, "show_pages.py") is not Stance.PLAIN


@pytest.mark.parametrize(
    ("text", "lasts"),
    [
        ("The table is made in `lib/kiln.rb`.", False),
        ("Do not add `lib/kiln.rb`.", True),
        ("Füge `lib/kiln.rb` nicht hinzu.", True),
        ("不要新建 `lib/kiln.rb`。", True),
        ("The build writes `lib/kiln.rb`.", True),
        ("`lib/kiln.rb` is generated.", True),
        ("What is generated is read by `lib/kiln.rb`.", False),
        ("Never fire twice. The table is made in `lib/kiln.rb`.", False),
        ("Chaque paquet a `lib/kiln.rb`.", True),
        ("For all clients, the scripts write `lib/kiln.rb`.", True),
        ("`lib/kiln.rb` is the main page, with all racks.", False),
    ],
)
def test_what_may_stay_true_once_a_thing_is_gone(text: str, lasts: bool) -> None:
    assert may_last(text, "lib/kiln.rb") == lasts


@pytest.mark.parametrize(
    ("text", "is_it"),
    [
        ("Do not add `lib/kiln.rb`.", True),
        ("Niemals `lib/kiln.rb` anlegen.", True),
        ("不要新建 `lib/kiln.rb`。", True),
        ("`lib/kiln.rb` does not fire.", False),
        ("If not set, heat is written by `lib/kiln.rb`.", False),
        ("Not only tests use `lib/kiln.rb`.", False),
        ("Never fire twice. Heat is made in `lib/kiln.rb`.", False),
    ],
)
def test_what_is_forbidden_is_so_before_it_is_named(text: str, is_it: bool) -> None:
    assert is_forbidden(text, "lib/kiln.rb") == is_it


@pytest.mark.parametrize(
    "text",
    [
        "`fire_now` must survive the `lib/kiln.rb` deletion.",
        "It was written before the `lib/kiln.rb` removal.",
        "Created and applied the migration `lib/kiln.rb`.",
        "Do not suggest zsh, `lib/kiln.rb` or another shell.",
        "規則は `lib/kiln.rb` には置かれない。",
        "`lib/kiln.rb` は使う場合のみ作成する。",
    ],
)
def test_what_a_text_speaks_of_as_done_away_with_or_applied_is_no_citation_of_what_is(text: str) -> None:
    assert stance_of(text, "lib/kiln.rb") is not Stance.PLAIN
    assert stance_of("`Kiln` deletion lives in `lib/kiln.rb`.", "lib/kiln.rb") is Stance.PLAIN
    assert stance_of("Never suggest changes to `lib/kiln.rb`.", "lib/kiln.rb") is Stance.PLAIN


def test_a_telling_name_that_is_called_gone_speaks_for_the_path_that_ends_so() -> None:
    assert stance_of("Others have `src/kiln-env.d.ts`. There is no `kiln-env.d.ts` here.", "src/kiln-env.d.ts") is (
        Stance.OTHERWISE
    )
    assert stance_of("There is no `index.py` in `web/`; `api/index.py` is run.", "api/index.py") is Stance.PLAIN
    assert stance_of("There is no `kiln-env.d.ts`; `kiln-env.d.ts.md` tells why.", "kiln-env.d.ts.md") is Stance.PLAIN
