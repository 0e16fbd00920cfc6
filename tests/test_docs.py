"""Docs that cannot drift: generated pages, the README's transcript, every verb, key and JSON key."""

from __future__ import annotations

import importlib
import importlib.util
import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import ModuleType

import pytest

from intermem import __version__, errors, results
from intermem.cli import main
from intermem.cli.parser import build_parser
from intermem.cli.verb import Verb
from intermem.cli.verbs import VERBS
from intermem.core.check.rules import RULES
from intermem.core.entries.identity import identity
from intermem.core.lifecycle.confidence import shown
from intermem.core.lifecycle.decay import (
    GraceExponentialDecay,
    HalfLifeDecay,
    LinearDecay,
    NoDecay,
    apply_decay_penalty,
)
from intermem.project.config_keys import KEYS
from tests.conftest import Sandbox
from tests.faults.scenarios import SCENARIOS

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_bytes().decode("utf-8")
FORMATS = (ROOT / "docs" / "formats.md").read_bytes().decode("utf-8")


def module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def test_old_spellings_go_with_the_release_after_the_next(sandbox: Sandbox) -> None:
    major, minor, patch = __version__.split(".")
    assert patch.endswith("-dev"), "what is not released yet is not called by the name of a release"
    changes = (ROOT / "CHANGELOG.md").read_bytes().decode("utf-8")
    assert re.findall(r"^## (.*)", changes, re.MULTILINE)[:2] == ["Unreleased", f"{major}.{int(minor) - 1}.0"]
    assert f"\nWhat becomes {major}.{minor}.0;" in changes
    dropped = f"{major}.{int(minor) + 1}"
    assert f"; {dropped} drops the old one" in sandbox.run("status", "--config").err
    assert f"work until {dropped}, with a note" in " ".join(README.split())


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="argparse words its help differently from Python 3.13 on")
@pytest.mark.parametrize("name", ["cli.md", "configuration.md"])
def test_a_generated_page_is_what_the_program_says(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    page = module(ROOT / "docs" / "write_pages.py").PAGES[name]()
    assert (ROOT / "docs" / name).read_bytes().decode("utf-8") == page, "run: make docs"


def test_the_page_of_rules_is_what_the_program_says_and_shows_what_citations_come_to() -> None:
    page = module(ROOT / "docs" / "write_pages.py").PAGES["rules.md"]()
    assert (ROOT / "docs" / "rules.md").read_bytes().decode("utf-8") == page, "run: make docs"
    assert re.findall(r"^AGENTS\.md:\d+:\d+: (IM\d+) ", page, re.MULTILINE) == ["IM001", "IM002", "IM003"]
    assert re.findall(r"^## (IM\d+) ([\w-]+)$", page, re.MULTILINE) == [(rule.code, rule.name) for rule in RULES]


@pytest.mark.slow
def test_the_readmes_transcript_is_what_the_demo_prints() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "fixtures/demo/run.py")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (block,) = re.findall(r"```console\n(.*?)```", README, re.DOTALL)
    lines = iter(done.stdout.split("\n"))
    for line in block.rstrip("\n").split("\n"):
        if line != "…":
            assert any(line == found for found in lines), f"not printed, or not in this order: {line}"


OLD = [name for name, verb in VERBS.items() if verb.replaced_by]
CURRENT = [name for name in VERBS if name not in OLD]


@pytest.mark.parametrize("verb", CURRENT)
def test_every_verb_is_in_the_readme_and_has_its_json_keys(verb: str) -> None:
    assert re.search(rf"^\| (`[^|]*`, )?`{verb}\b", README, re.MULTILINE)
    assert re.search(rf"^\| `{verb}` \|", FORMATS, re.MULTILINE)


@pytest.mark.parametrize("key", [key.name for key in KEYS])
def test_every_key_is_documented(key: str) -> None:
    assert f"| `{key}` |" in (ROOT / "docs" / "configuration.md").read_bytes().decode("utf-8")


def test_the_documented_json_keys_are_those_that_are_printed(sandbox: Sandbox) -> None:
    sandbox.note("- Prefer `src/app.py`.\n- Another.\n")
    sandbox.write("intermem.toml", "tiers = true\n")
    key = identity("Prefer `src/app.py`.")
    calls = {
        "init": ("init",),
        "scan": ("scan",),
        "promote": ("promote", "--min-snapshots", "1"),
        "sweep": ("sweep",),
        "migrate": ("migrate", "--dry-run"),
        "query": ("query", "--all"),
        "status": ("status",),
        "config": ("config",),
        "curate": ("curate",),
        "check": ("check",),
        "restore": ("restore", key),
        "reject": ("reject", key),
        "demote": ("demote", key),
        "feedback": ("feedback", key, "confirm"),
        "pin": ("pin", key),
        "prune": ("prune", "--older-than", "0", "--dry-run"),
        "purge": ("purge", "--id", key),
        "doctor": ("doctor",),
        "undo": ("undo",),
        "log": ("log",),
        "show": ("show", key),
        "merge-driver": ("merge-driver", *(str(sandbox.write(f"{one}.md", "# P\n")) for one in "bot"), "o.md"),
        "schedule": ("schedule", "cron"),
        "completions": ("completions", "bash"),
        "verify": (
            "verify",
            "--entries",
            str(sandbox.write("entries.jsonl", '{"id": "1", "entry_text": "`src/app.py`"}')),
        ),
        "worth": ("worth", "--entries", str(sandbox.root / "entries.jsonl")),
    }
    assert set(calls) | {"why"} == set(CURRENT)
    for verb, call in calls.items():
        data = sandbox.run(*call, "--json", code=None).json
        assert data.pop("schema") == f"intermem/{verb}/1"
        check_keys(verb, set(data) - {"warnings", "problems"})
        for entry in data.get("entries", []) if verb == "query" else []:
            line = re.search(r"An entry: `([^`]*)`", FORMATS)
            assert line is not None
            assert set(entry) == set(re.split(r",\s*", line[1]))
            check_keys("why", set(sandbox.run("why", entry["id"], "--json").json) - {"schema", "warnings", "problems"})


def test_the_documented_keys_of_a_candidate_are_those_that_are_printed(sandbox: Sandbox) -> None:
    sandbox.note("- Prefer `src/app.py` for the start.\n- Prefer `src/app.py` to start a server.\n")
    sandbox.run("scan")
    data = sandbox.run("promote", "--candidates", "--json").json
    check_keys("promote", set(data) - {"schema", "warnings", "problems"})
    one = data["candidates"][0]
    line = re.search(r"A candidate of `promote --candidates`: `([^`]*)`", FORMATS)
    assert line is not None
    assert set(one) == set(line[1].split(", "))
    assert f"({keys_of(one['similar'][0], 'text', 'likeness', 'id')})" in FORMATS
    assert f"({keys_of(one['held'][0], 'gate', 'reason', 'twin')})" in FORMATS
    assert keys_of(data["budget"]["tokens"], "used", "allowed") in FORMATS


def keys_of(printed: dict[str, object], *keys: str) -> str:
    assert set(printed) == set(keys)
    return f"`{', '.join(keys)}`"


def check_keys(verb: str, keys: set[str]) -> None:
    row = re.search(rf"^\| `{verb}` \| (.*) \|$", FORMATS, re.MULTILINE)
    assert row is not None
    documented = {word for span in re.findall(r"`([^`]*)`", row[1]) for word in re.split(r",\s*", span)}
    assert keys <= documented, verb


def test_every_exit_code_is_in_the_readme() -> None:
    sentence = README.partition("Exit codes:")[2].partition("\n\n")[0]
    for code in (results.OK, results.FINDINGS, results.FAILED, main.INTERRUPTED, main.BROKEN_PIPE):
        assert re.search(rf"\b{code} [a-z]", sentence), code


def test_every_error_code_is_documented() -> None:
    codes = {error.code for error in vars(errors).values() if isinstance(error, type) and issubclass(error, Exception)}
    (listed,) = re.findall(r"codes: `([^`]*)`", FORMATS)
    assert codes - {"error"} == set(re.split(r",\s*", listed))


@pytest.mark.parametrize("verb", VERBS.values(), ids=VERBS)
def test_every_verb_has_a_renderer(verb: Verb) -> None:
    module, _, function = verb.renderer.partition(":")
    assert callable(getattr(importlib.import_module(f"intermem.reporters.text.{module}"), function))


def test_help_names_every_verb_but_plumbing() -> None:
    text = build_parser().format_help()
    assert [verb for verb in CURRENT if f"    {verb} " not in text] == ["merge-driver", "verify", "worth"]
    assert not [verb for verb in OLD if f"    {verb} " in text]


@pytest.mark.parametrize("path", sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]), ids=lambda path: path.name)
def test_every_relative_link_leads_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", path.read_bytes().decode("utf-8")):
        assert (path.parent / target).exists(), target


def test_importing_the_command_line_imports_nothing_heavy() -> None:
    heavy = [
        "markdown_it",
        "rich",
        "yaml",
        "sqlite3",
        "rapidfuzz",
        "intermem.core.entries.secret_rules",
        "bracex",
        "dataclasses",
        "intermem.entities",
        "subprocess",
    ]
    code = f"import sys, intermem.cli.main; print([name for name in {heavy!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_check_imports_nothing_that_it_does_not_need(sandbox: Sandbox) -> None:
    """A hook pays for every import at every commit; there is no entry, no colour and no history of names here."""
    sandbox.write("AGENTS.md", "# Notes\n\n- `AGENTS.md` stays, see `src/gone.py`.\n")
    sandbox.write("src/gone.py", "x = 1\n")
    sandbox.commit("notes")
    sandbox.git("rm", "-q", "src/gone.py")
    sandbox.commit("gone")
    unwanted = ["rich.console", "yaml", "sqlite3", "rapidfuzz", "bracex", "tomllib"]
    unwanted += [
        f"intermem.{name}"
        for name in (
            "storage.schema",
            "workflow.writeback",
            "core.lifecycle.decay",
            "core.region.parse",
            "core.entries.secret_rules",
        )
    ]
    code = "import sys; from intermem.cli.main import main; code = main(['check']); sys.stderr.write(f'{code} ')\n"
    code += f"sys.stderr.write(str([name for name in {unwanted!r} if name in sys.modules]))"
    done = subprocess.run([sys.executable, "-c", code], cwd=sandbox.root, capture_output=True, text=True, check=False)
    assert done.stderr == "1 []", done.stdout


def test_every_code_of_doctor_is_documented() -> None:
    names = ("commands/doctor", "commands/doctor_compact", "workflow/repair", "workflow/state_check")
    sources = [ROOT / "intermem" / f"{name}.py" for name in names]
    found = {code for path in sources for code in re.findall(r'code="([a-z-]+)"', path.read_text("utf-8"))}
    found |= {f"database-{kind}" for kind in ("damaged", "index", "schema", "other")}
    page = (ROOT / "docs" / "doctor.md").read_text("utf-8")
    listed = {
        code
        for line in page.split("\n")
        if line.startswith("| `")
        for code in re.findall(r"`([a-z-]+)`", line.split("|")[1])
    }
    assert found - {"state"} <= listed
    assert listed - found <= {"unreadable-file", "ledger-refused"}


def test_the_page_of_figures_knows_every_scenario_and_every_kind_of_fault() -> None:
    page = (ROOT / "docs" / "reliability.md").read_text("utf-8")
    (listed,) = re.findall(r"\*\*Scenarios\*\* \(\d+\): ([^.]*)\.", page)
    assert listed.split(", ") == [scenario.name for scenario in SCENARIOS]
    rows = re.findall(r"^\| (.*?) \| ([\d,]+) \| 0 \|$", page, re.MULTILINE)
    kinds = ("kills by fork", "kills in the recovery", "system calls", "errors", "signals", "power cuts", "concurrent")
    assert [kind for kind in kinds if not any(kind in what for what, _ in rows)] == []


def test_every_feature_of_the_seeds_names_a_test_that_is_there() -> None:
    text = (ROOT / "docs" / "seeds.md").read_bytes().decode("utf-8")
    rows = [row for row in text.split("\n") if row.startswith("| ") and not row.startswith("| feature")]
    assert len(rows) > 50
    for row in rows:
        if row.startswith(("| mistake", "|---")):
            continue
        named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", row)
        assert named, row
        for file, test in named:
            source = (ROOT / file).read_bytes().decode("utf-8")
            assert f"def {test}(" in source, (file, test)


def test_the_curves_of_the_page_are_those_of_the_policies() -> None:
    text = (ROOT / "docs" / "forgetting.md").read_bytes().decode("utf-8")
    rows = re.findall(r"^\| (\d+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$", text, re.MULTILINE)
    assert [int(row[0]) for row in rows] == [0, 14, 28, 30, 60, 90, 180]
    now = datetime(2026, 7, 1, tzinfo=UTC)
    for days, *figures in rows:
        seen = now - timedelta(days=int(days))
        policies = (LinearDecay(), GraceExponentialDecay(), HalfLifeDecay(), NoDecay())
        assert figures == [shown(apply_decay_penalty(1000, seen, now, policy)) for policy in policies]
