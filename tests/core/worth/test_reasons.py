"""Every reason, in every language that it knows: what makes it hold, and what does not."""

from __future__ import annotations

import pytest

from intermem.core.worth.passage import Note, Passage
from intermem.core.worth.reasons import CIRCUMSTANCES, REASONS
from intermem.core.worth.weights import CIRCUMSTANCE_WEIGHTS, WEIGHTS
from intermem.core.worth.words import WORDS, Words, word_list

BY_NAME = {one.name: one for one in REASONS}
ABOUT = {one.name: one for one in CIRCUMSTANCES}

HOLDS = [
    ("prohibition", "Never push to the branch.", "Push to the branch."),
    ("prohibition", "Nunca suba isso.", "Suba isso."),
    ("prohibition", "Niemals direkt ändern.", "Direkt ändern."),
    ("prohibition", "Никогда не менять.", "Менять."),
    ("prohibition", "不要直接修改。", "直接修改。"),
    ("prohibition", "直接変更は禁止。", "直接変更。"),
    ("prohibition", "직접 수정 금지", "직접 수정"),
    ("prohibition", "Không được sửa.", "Sửa."),
    ("prohibition", "Jangan diubah.", "Diubah."),
    ("demand", "It must be locked.", "It is locked."),
    ("demand", "Debe cerrarse.", "Se cierra."),
    ("demand", "Il faut le fermer.", "Il est fermé."),
    ("demand", "Es muss zu sein.", "Es ist zu."),
    ("demand", "必须先锁定。", "锁定了。"),
    ("demand", "반드시 잠근다.", "잠근다."),
    ("emphatic", "It is NOT shared.", "It is not shared."),
    ("imperative", "Run the linter.", "The linter runs."),
    ("imperative", "When it fails, restart the server.", "The server restarts."),
    ("imperative", "使用客户端", "客户端"),
    ("contrast", "Use this instead of that.", "Use this."),
    ("reason", "It waits, because the queue is slow.", "It waits."),
    ("trap", "It fails silently.", "It fails."),
    ("breaks", "The build crashes.", "The build."),
    ("only", "Only the owner can.", "The owner can."),
    ("every", "Every handler does.", "A handler does."),
    ("condition", "When it is full, it waits.", "It waits."),
    ("prefers", "The naming convention is plain.", "The name is plain."),
    ("rule-label", "**Gotcha:** the cache is shared.", "**Cache:** it is shared."),
    ("names-code", "Call `run` here.", "Call it here."),
    ("names-much-code", "`a`, `b`, `c` and `d`.", "`a`, `b` and `c`."),
    ("sentence", "It is done.", "done and then"),
    ("strong", "It is **very** slow.", "**It** is slow."),
    ("quoted", 'It says "no such file or directory".', 'It says "no".'),
    ("parenthesis", "It waits (for the queue to drain).", "It waits (long)."),
    ("table", "| a | b |\n|---|---|\n| 1 | 2 |", "a b"),
    ("fence", "Do:\n```sh\nmake\n```", "Do: make"),
    ("date", "Since 2026-03-01 it waits.", "It waits."),
    ("date", "2026年3月1日から", "から"),
    ("told", "We fixed the upload.", "The upload."),
    ("told-first", "Fixed the upload.", "The upload was fixed."),
    ("done", "The wave is completed.", "The wave."),
    ("done-mark", "✅ uploads", "uploads"),
    ("doing", "Next step is the cache.", "The cache."),
    ("moment", "Currently it waits.", "It waits."),
    ("person", "The user wants it.", "It is wanted."),
    ("commit", "Since 3f2a91c it waits.", "It waits."),
    ("commit", "See #412.", "See it."),
    ("count", "All 33 tests pass.", "All tests pass."),
    ("version", "From v1.2.3 on.", "From now on."),
    ("state-label", "**Status:** green", "**Cache:** green"),
    ("why-label", "**Why:** it was slow.", "**Cache:** it was slow."),
    ("label", "**Cache:** it is slow.", "It is slow."),
    ("machine", "It is in /home/ann/x.", "It is in src/x."),
    ("link", "As [[clients]] says.", "As it says."),
    ("link", "As [x](clients.md) says.", "As [x](src/a.py) says."),
    ("pointer", "See the other file.", "The other file."),
    ("points", "It is documented in the guide.", "It is a guide."),
    ("defines-code", "`run` — starts it.", "Start it with `run`."),
    ("code-first", "`run` starts it.", "Start `run`."),
    ("much-code", "`a_long_name_of_code(x)` it", "Call `a` for the whole of it."),
    ("describes", "The folder contains tests.", "The folder."),
    ("path", "It is in src/app.py.", "It is in the app."),
    ("perhaps", "Maybe it waits.", "It waits."),
    ("placeholder", "(it will be filled in)", "(it is filled in)"),
    ("placeholder", "[Name of it]", "[[deploys]]"),
    ("arrow", "a → b", "a b"),
    ("list", "a, b, c, d, e", "a, b"),
    ("items", "x\n- one\n- two", "x one two"),
    ("figure", "It has 3.", "It has `3`."),
    ("figures", "1234 5678 9012", "1234"),
    ("assigns", "x = 3", "x is 3"),
    ("middle", "and then it waits", "Then it waits"),
    ("lower-case", "it waits", "It waits"),
    ("open", "It does:", "It does."),
    ("few-words", "Short.", "This is a line that is quite a bit longer."),
    ("short", "This is a line of about fifty letters in all here.", "Short."),
    ("a-line-or-two", "x" * 100, "x" * 79),
    ("long", "x" * 340, "x" * 339),
    ("no-without", "No release without a tag.", "A release with a tag."),
    ("memory", "Keep MEMORY.md short.", "Keep README.md short."),
    ("memory", "更新记忆文件。", "更新文件。"),
    ("memory", "Each memory has a name.", "Each memory leak has a name."),
    ("agent", "Claude starts the server.", "The job starts the server."),
    ("agent", "Ask the user before a release.", "Ask ops before a release."),
    ("agent", "The agent reads it.", "AGENTS.md has it."),
    ("planned", "It comes with phase 3.", "It comes with the release."),
    ("planned", "See plans/014-water.md.", "See water.md."),
    ("general", "Always test the edge cases.", "Always test `parse`."),
    ("general", "Close every session.", "Close every HttpSession."),
    ("negated", "It is not shared.", "It is shared."),
    ("negated", "Das geht nicht.", "Das geht."),
    ("negated", "服务器没有缓存。", "服务器有缓存。"),
    ("negated", "It is never shared.", "There is no cache."),
    ("lacking", "There is no cache.", "It is no longer cached."),
    ("lacking", "Ohne Cache.", "Mit Cache."),
    ("lacking", "没有缓存。", "有缓存。"),
    ("refers", "They share the queue.", "Workers share the queue."),
    ("refers", "Como se ve arriba.", "Como se ve."),
    ("refers", "这些任务会等待。", "任务会等待。"),
    ("relates", "Test and live keys are separate.", "There are test keys and live keys."),
    ("relates", "Jeder hat eine eigene Datei.", "Jeder hat eine Datei."),
    ("relates", "두 서버는 분리되어 있다.", "서버가 두 대 있다."),
    ("self", "I like short names.", "Short names."),
    ("self", "Je préfère cela.", "Cela."),
    ("self", "我喜欢短的名字。", "短的名字。"),
    ("for-now", "The upload is still slow.", "The upload is slow."),
    ("for-now", "Noch offen.", "Offen."),
    ("for-now", "上传还很慢。", "上传很慢。"),
    ("solved", "Fix: restart the worker.", "Restart the worker."),
    ("plain-rule", "Never call `push` by hand.", "`push` is called by hand."),
    ("plain-rule", "Run `make docs` before a release.", "Ran `make docs` before a release on 2026-03-01."),
    ("plain-fact", "`push` fails without a tag.", "`push` wants a tag."),
    ("plain-fact", "`push` fails without a tag.", "On 2026-03-01 `push` failed, and fails without a tag."),
    ("inventory", "`src/api` contains the routes.", "`src/api` contains the routes, never their tests."),
    ("plain-log", "We fixed the upload.", "Never upload by hand: we fixed that."),
    ("short-order", "Never edit `a.py` by hand.", "Never edit by hand."),
    ("short-order", "`a.py` must stay in order.", "`a.py` must stay in order since 2026-03-01."),
    ("short-order", "Never edit `a.py` by hand.", "Never edit `a.py` by hand." + " It is long." * 20),
    ("rule-with-why", "Never edit `a.py`, because it is generated.", "Never edit `a.py`."),
    ("rule-with-why", "Run `make`, otherwise CI fails.", "We ran `make`, otherwise CI fails."),
    ("says-nothing", "The list has `a.py`.", "The list never has `a.py`."),
    ("says-nothing", "The list is long.", "Only the list is long."),
    ("two-against", "2026-03-01: the upload was fixed.", "The upload is slow."),
    ("three-against", "2026-03-01: we fixed it in commit a1b2c3d.", "2026-03-01: the upload."),
    ("four-against", "2026-03-01: fixed in commit a1b2c3d, the next step is open:", "2026-03-01: fixed."),
]


def passage(text: str, number: int = 0, applies: bool = False) -> Passage:
    return Passage(Note(text), 0, len(text), number, applies)


@pytest.mark.parametrize(("name", "yes", "no"), HOLDS)
def test_a_reason_holds_where_the_text_gives_it(name: str, yes: str, no: str) -> None:
    reason = BY_NAME[name]
    if (name, yes[:4]) == ("middle", "and "):
        no = "The then"
    assert reason.holds(passage(yes)), (name, yes)
    assert not reason.holds(passage(no)), (name, no)


def test_every_reason_is_tried_here() -> None:
    assert {name for name, _, _ in HOLDS} | {"applies", "deep"} == set(BY_NAME)
    assert BY_NAME["applies"].holds(passage("x", applies=True)) and not BY_NAME["applies"].holds(passage("x"))
    assert BY_NAME["deep"].holds(passage("x", number=6)) and not BY_NAME["deep"].holds(passage("x", number=5))


@pytest.mark.parametrize(
    ("name", "yes", "no"),
    [
        ("under-rules", Note("x", section="Common Pitfalls"), Note("x", section="Build")),
        ("under-rules", Note("x", section="注意事项"), Note("x", section="构建")),
        ("under-status", Note("x", section="Status"), Note("x", section="Build")),
        ("in-rules-file", Note("x", source_file="feedback_tests.md"), Note("x", source_file="api.md")),
        ("in-status-file", Note("x", source_file="progress.md"), Note("x", source_file="api.md")),
        ("in-traps-file", Note("x", source_file="gotchas.md"), Note("x", source_file="feedback.md")),
        ("in-decisions-file", Note("x", source_file="decisions/014.md"), Note("x", source_file="api.md")),
        ("in-reviews-file", Note("x", source_file="code-reviewer/MEMORY.md"), Note("x", source_file="MEMORY.md")),
        ("under-named-rules", Note("x", section="Hard rules"), Note("x", section="Style")),
        ("under-named-rules", Note("x", section="硬性规则"), Note("x", section="风格")),
        ("under-work", Note("x", section="Session of Tuesday"), Note("x", section="Build")),
        ("under-work", Note("x", section="Corrección del pago"), Note("x", section="Pago")),
        ("under-parts", Note("x", section="Key files"), Note("x", section="Filed claims")),
        ("under-parts", Note("x", section="Gestión de sesiones"), Note("x", section="Pago")),
        ("in-index", Note("x", source_file="a/MEMORY.md"), Note("x", source_file="memory.txt")),
        ("dated", Note("on 2026-03-01"), Note("on a day")),
        ("divided", Note("x\n\n**Why:** y"), Note("x y")),
        ("of-one-part", Note("x y"), Note("x\n\ny")),
        ("of-many-parts", Note("\n\n".join("abcdef")), Note("\n\n".join("abcde"))),
        ("of-long-note", Note("x" * 601), Note("x" * 600)),
        ("of-longer-note", Note("x" * 2501), Note("x" * 2500)),
        ("feedback", Note("x", type="feedback"), Note("x")),
        ("project", Note("x", type="project"), Note("x")),
        ("user", Note("x", type="user"), Note("x")),
    ],
)
def test_a_circumstance_lies_in_the_note(name: str, yes: Note, no: Note) -> None:
    assert ABOUT[name].holds(yes) and not ABOUT[name].holds(no)


def test_names_are_unique_and_every_weight_has_its_reason() -> None:
    names = [one.name for one in (*REASONS, *CIRCUMSTANCES)]
    assert len(names) == len(set(names))
    assert WEIGHTS.keys() <= BY_NAME.keys() and CIRCUMSTANCE_WEIGHTS.keys() <= ABOUT.keys()
    assert all(one.bearing in (-1, 0, 1) and one.says for one in REASONS)


@pytest.mark.parametrize("name", sorted(WORDS))
def test_a_list_has_no_word_twice_and_none_is_longer_than_a_phrase(name: str) -> None:
    words = [" ".join(word.split()) for word in WORDS[name].split("|")]
    assert len(words) == len(set(words)) and all(words)
    assert all(len(word.split()) <= 4 for word in words)
    assert word_list(name).words


def test_a_word_is_whole_a_stem_begins_and_a_phrase_stands_together() -> None:
    assert Words("never").has("forbids") and not Words("nevertheless").has("forbids")
    assert Words("gotchas abound").has("trap")
    assert Words("do not push").has("forbids") and not Words("not do push").has("forbids")
    assert Words("fixed it").begins("told") and not Words("it was fixed").begins("told")
    assert not Words("").begins("told")


def test_what_is_in_code_gives_no_reason_of_words() -> None:
    assert not BY_NAME["prohibition"].holds(passage("Call `never` and:\n```\nmust not\n```"))
    labelled = passage("**`never`:** it waits.")
    assert labelled.label == "`never`" and "it waits" in labelled.body
