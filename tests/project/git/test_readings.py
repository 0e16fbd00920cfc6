"""What was read of texts is the same the next time, and what is kept of them is not their words."""

from __future__ import annotations

import json
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import intermem
from intermem.core.citations.extract import citations_of, spans_of
from intermem.core.entries.secrets import secret_rule
from intermem.core.markdown.blocks import blocks_of
from intermem.entities import Stance
from intermem.project.git import readings as module
from intermem.project.git.cache import SOURCES, Cache
from intermem.project.git.readings import Readings
from tests.conftest import Sandbox

TEXTS = [
    "",
    "Run `npm run test:unit -- --watch`, never `yarn test`; see src/a.py:12-20 and [the guide](docs/guide.md#top).",
    "The API is on :8081, React 18, Python 3.9, we use pnpm. `copy_to_staging(config, dirs)` #123 a1b2c3d4e5 [[note]]",
    "`old/thing.py` was removed in #12; planned: `new/thing.py`. 已退役 `src/迁入.py` — „größe.py“ 😀 `src/ünï.py`",
    "```bash\ncd web && npm run build  # see scripts/x.sh\n./gradlew assemble\n```\n",
    "---\npaths: ['src/**/*.ts', \"app/[id]/page.tsx\"]\n---\n",
    "lone \udc80 surrogate `src/\udc80.py` and a\x00null",
]
MARKS = st.sampled_from(
    ["`", "``", "```\n", "[x](", ")", "/", ".py", " ", "\n", "src/", "a_b()", "npm run x", ":8080", "é"]
)


def cache_in(folder: Path) -> Cache:
    return Cache(folder)


def kept_in(folder: Path) -> object:
    content = (folder / "intermem/cache/readings").read_bytes()
    return json.loads(zlib.decompress(content[32:]))


@pytest.mark.parametrize("text", TEXTS)
def test_what_was_kept_is_what_the_rules_say(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = Readings(cache_in(tmp_path))
    assert first.citations(text) == citations_of(text)
    assert first.spans(text) == (places := spans_of(text))
    harmless = first.is_harmless(text)
    assert harmless is (secret_rule(text) is None)
    first.keep()
    monkeypatch.setattr("intermem.core.citations.extract.citations_of", None)
    monkeypatch.setattr("intermem.core.citations.extract.spans_of", None)
    monkeypatch.setattr("intermem.core.entries.secrets.secret_rule", None)
    again = Readings(cache_in(tmp_path))
    assert again.citations(text) == citations_of(text)
    assert again.spans(text) == places
    assert again.is_harmless(text) is harmless


@pytest.mark.parametrize(
    "text",
    [
        *TEXTS,
        "# A *title*\n\nSetext\nof two\n------\n\n- a\n  - b\n- c\n\n1. x\n\n> q\n\n***\n",
        "---\nglobs: a\n---\n\n<!-- a -->\n<b>x</b>\n\n| a | b |\n| - | - |\n| 1 | `2` |\n\n    indented\n\tcode\n",
        "\ufeff~~~ sh\n  x\n~~~\nend\n\n#\tT\t#\n",
        "end\r\nwith\r\n\r\n```\r\nof\r\nlines\r\n```\r\n",
        "   ```\n   in\n     side\n   ```\n",
    ],
)
def test_the_blocks_of_a_document_are_kept(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = Readings(cache_in(tmp_path))
    blocks = blocks_of(text)
    assert first.blocks(text) == blocks
    first.citations("x")
    first.keep()
    is_slice = all(one.content in text for one in blocks)  # not of an indented fence, nor of one with other line ends
    if is_slice:
        monkeypatch.setattr("intermem.core.markdown.blocks._parsed", None)
        monkeypatch.setattr("intermem.project.git.readings.blocks_of", None)
    assert Readings(cache_in(tmp_path)).blocks(text) == blocks
    kept = json.dumps(kept_in(tmp_path))
    assert not any(len(word) > 3 and word in kept for block in blocks for word in block.content.split())


@pytest.mark.parametrize(
    ("line", "stance", "bans", "forbids"),
    [
        ("Removed in v2:", Stance.GONE, False, False),
        ("Never use these names:", Stance.OTHERWISE, True, False),
        ("Never:", Stance.PLAIN, False, True),
        ("Files:", Stance.PLAIN, False, False),
    ],
)
def test_what_a_line_says_of_what_stands_below_it_is_kept(
    line: str, stance: Stance, bans: bool, forbids: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Readings(cache_in(tmp_path))
    heading = "The folder `old/` was removed"
    said = (first.stance_below(line), first.bans_names(line), first.forbids(line), first.stance_in(heading, "old/"))
    assert said == (stance, bans, forbids, Stance.GONE)
    first.keep()
    monkeypatch.setattr("intermem.project.git.readings._leads", None)
    again = Readings(cache_in(tmp_path))
    assert (again.stance_below(line), again.bans_names(line), again.forbids(line)) == (stance, bans, forbids)
    assert again.stance_in(heading, "old/") is Stance.GONE


@settings(max_examples=150)
@given(st.lists(st.one_of(MARKS, st.text(max_size=6)), max_size=30).map("".join))
def test_places_give_back_every_citation(text: str) -> None:
    for one in citations_of(text):
        assert module._citation(text, *module._kept(text, one)) == one


def test_no_word_of_a_text_is_kept(tmp_path: Path) -> None:
    known = Readings(cache_in(tmp_path))
    text = "Log in with `kiln_password=Tz4hunter91xQ`, then `copy_kiln(config)` in src/kiln.py, `npm run kiln`."
    assert [one.kind for one in known.citations(text)] == ["config", "symbol", "command", "path"]
    assert not known.is_harmless(text)
    known.keep()
    words = json.dumps(kept_in(tmp_path))
    assert not [word for word in ("kiln", "Tz4", "hunter", "src", ".py", "run") if word in words]


def test_of_a_very_long_text_no_places_are_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_kept", None)
    known = Readings(cache_in(tmp_path))
    text = " ".join(f"`src/kiln{number}.py`" for number in range(2_000))
    assert len(known.citations(text)) == 2_000
    known.keep()
    assert not (tmp_path / "intermem").exists()


def test_nothing_is_written_where_nothing_is_new(tmp_path: Path) -> None:
    kept = tmp_path / "intermem/cache/readings"
    written = []
    for _ in range(2):
        known = Readings(cache_in(tmp_path))
        known.citations("see src/a.py")
        known.keep()
        written.append((kept.stat().st_ino, kept.stat().st_mtime_ns))  # the file is replaced where it is written
    assert written[0] == written[1]


def test_what_other_runs_read_stays_until_there_is_too_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MAX_TEXTS", 2)
    sizes = []
    for text in ("see a.py", "see b.py", "see c.py"):
        known = Readings(cache_in(tmp_path))
        known.citations(text)
        known.keep()
        kept = kept_in(tmp_path)
        assert isinstance(kept, dict)
        sizes.append(len(kept))
    assert sizes == [1, 2, 1]


def test_a_second_run_reads_only_what_is_new(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox.write("src/kiln.py", "def bake_kit(): ...\n")
    sandbox.write("AGENTS.md", "- Call `bake_kit()` in `src/kiln.py`.\n- Never call `src/gone.py`.\n")
    sandbox.commit()
    expected = sandbox.run("check", "--all", code=None).out
    read: list[str] = []
    monkeypatch.setattr("intermem.core.citations.extract.citations_of", lambda text: read.append(text) or ())
    assert sandbox.run("check", "--all", code=None).out == expected
    assert read == []
    sandbox.write("AGENTS.md", "- Call `bake_kit()` in `src/kiln.py`.\n- And `src/kiln.py` too.\n")
    sandbox.run("check", "--all", code=None)
    assert {text for text in read if "too" not in text} == set()
    assert read


def test_everything_that_reads_a_text_is_among_the_sources() -> None:
    """What was kept under other rules must not be used."""
    script = (
        "import sys\n"
        "from intermem.core.citations.extract import citations_of\n"
        "from intermem.core.entries.secrets import secret_rule\n"
        f"for text in {TEXTS[:5]!r}:\n"
        "    citations_of(text)\n"
        "    secret_rule(text + ' password: Tz4hunter91xQ --password=x ä ghp_a1B2c3D4')\n"
        "print(*(m.__file__ for n, m in sys.modules.items() if n.startswith('intermem.')), sep='\\n')\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    top = Path(intermem.__file__).parent
    used = {Path(line).relative_to(top) for line in done.stdout.split("\n") if line}
    assert len(used) > 40
    missing = {path for path in used if str(path) not in SOURCES and str(path.parent) not in SOURCES}
    assert missing == set()
