"""The keys of ``check``: rules by their words, globs, and what is said of wrong ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from intermem.core.check.baseline import Baseline
from intermem.core.check.settings import CheckSettings
from intermem.core.lifecycle.decay import Basis
from intermem.errors import ConfigurationError, UnreadableFile
from intermem.project.committed_files import read_baseline
from intermem.project.config import Config, load_config
from tests.conftest import Sandbox


def config(folder: Path, text: str = "", **environment: str) -> Config:
    (folder / "intermem.toml").write_bytes(text.encode("utf-8"))
    return load_config(folder, folder, None, environment)


def test_nothing_is_ignored_by_default(tmp_path: Path) -> None:
    assert config(tmp_path).check_settings() == CheckSettings()
    assert config(tmp_path).text("check.baseline") == ".intermem/baseline.json"


def test_rules_are_named_by_code_name_or_topic(tmp_path: Path) -> None:
    found = config(
        tmp_path,
        """
        [check]
        ignore = ["IM003", "budget", "stale-entry", "ledger"]
        exclude = ["vendor", "**/CLAUDE.md"]
        baseline = ""
        [check.per-file-ignores]
        "docs/**" = ["IM001", "moved-citation"]
        "!AGENTS.md" = []
        """,
    )
    assert found.check_settings() == CheckSettings(
        ignore=frozenset({"IM003", "IM030", "IM020", "IM011", "IM012", "IM013"}),
        per_file=(("docs/**", frozenset({"IM001", "IM002"})), ("!AGENTS.md", frozenset())),
        exclude=("vendor", "**/CLAUDE.md"),
    )


def test_the_environment_wins(tmp_path: Path) -> None:
    found = config(
        tmp_path,
        '[check]\nignore = ["IM003"]\nexclude = ["a"]\n',
        INTERMEM_CHECK_IGNORE="IM001, budget",
        INTERMEM_CHECK_EXCLUDE="",
        INTERMEM_CHECK_PER_FILE_IGNORES="docs/** = IM001 stale, web=IM002",
        INTERMEM_CHECK_BASELINE="known.json",
    )
    assert found.check_settings() == CheckSettings(
        ignore=frozenset({"IM001", "IM030"}),
        per_file=(("docs/**", frozenset({"IM001", "IM020"})), ("web", frozenset({"IM002"}))),
    )
    assert found.text("check.baseline") == "known.json"
    assert found.origins["check.per-file-ignores"] == "INTERMEM_CHECK_PER_FILE_IGNORES"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('ignore = "IM001"', "expected a list of rules"),
        ("ignore = [1]", "expected a list of rules"),
        ('ignore = ["IM01"]', "unknown rule IM01, did you mean IM001?"),
        ('ignore = ["legder"]', "unknown rule legder, did you mean ledger?"),
        ('ignore = ["IM999"]', "unknown rule IM999"),
        ('exclude = "docs"', "expected a list of globs"),
        ("exclude = [1]", "expected a glob"),
        ('exclude = ["!"]', "expected a glob"),
        ('exclude = ["{1..99999}"]', "invalid glob {1..99999}"),
        ("baseline = 1", "expected a string"),
        ('per-file-ignores = ["IM001"]', "expected a table"),
        ('per-file-ignores = {"docs/**" = "IM001"}', "docs/**: expected a list of rules"),
        ('per-file-ignores = {"docs/**" = ["IM01"]}', "docs/**: unknown rule IM01, did you mean IM001?"),
        ('per-file-ignores = {"/" = ["IM001"]}', "expected a glob"),
        ("per_file_ignores = 1", "unknown key check.per_file_ignores"),
    ],
)
def test_a_wrong_value_is_named_with_a_suggestion(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        config(tmp_path, f"[check]\n{text}\n")
    assert says in caught.value.message
    assert "intermem.toml: " in caught.value.message


def test_a_similar_key_is_suggested(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError) as caught:
        config(tmp_path, '[check.per_file_ignores]\n"a" = ["IM001"]\n')
    assert caught.value.hint == "did you mean check.per-file-ignores?"


def test_an_unknown_rule_stops_every_command(sandbox: Sandbox) -> None:
    sandbox.write("intermem.toml", '[check]\nignore = ["IM01"]\n')
    assert "did you mean IM001?" in sandbox.run("status", code=2).err


def test_the_configuration_shows_what_is_ignored(sandbox: Sandbox) -> None:
    sandbox.write("intermem.toml", '[check.per-file-ignores]\n"docs/**" = ["IM001"]\n')
    rows = {row["key"]: row["value"] for row in sandbox.run("status", "--config", "--json").json["configuration"]}
    assert rows["check.per-file-ignores"] == {"docs/**": ["IM001"]}
    assert "docs/**" in sandbox.run("status", "--config").out


def test_a_baseline_is_read_where_there_is_one(tmp_path: Path) -> None:
    assert read_baseline(tmp_path, "", 1000) is None
    assert read_baseline(tmp_path, "known.json", 1000) is None
    (tmp_path / "known.json").write_bytes(b'{"schema": "intermem/baseline/1", "findings": []}')
    assert read_baseline(tmp_path, "known.json", 1000) == Baseline()


@pytest.mark.parametrize(
    ("content", "says"), [(b"{", "known.json:1: not valid JSON"), (b"\xff", "not UTF-8"), (b" " * 2000, "2000 bytes")]
)
def test_a_damaged_baseline_is_refused_by_name(tmp_path: Path, content: bytes, says: str) -> None:
    (tmp_path / "known.json").write_bytes(content)
    with pytest.raises(UnreadableFile, match=says):
        read_baseline(tmp_path, "known.json", 1000)


@pytest.mark.parametrize("basis", [one for one in Basis if one is not Basis.USED])
def test_every_basis_of_decay_can_be_configured(sandbox: Sandbox, basis: Basis) -> None:
    sandbox.write("intermem.toml", f'[decay]\nbasis = "{basis}"\n')
    assert load_config(sandbox.root, sandbox.root, None, {}).decay().basis is basis


def test_git_config_overrules_the_file_and_the_environment_both(tmp_path: Path) -> None:
    (tmp_path / "intermem.toml").write_bytes(b"[promote]\nlimit = 1\n")
    said = [("promote.limit", "2"), ("check.perFileIgnores", "a.md=IM001")]
    found = load_config(tmp_path, tmp_path, None, {}, said)
    assert (found.count("promote.limit"), found.origins["promote.limit"]) == (2, "git config")
    assert found.values["check.per-file-ignores"] == {"a.md": ["IM001"]}
    assert load_config(tmp_path, tmp_path, None, {"INTERMEM_PROMOTE_LIMIT": "3"}, said).count("promote.limit") == 3


def test_git_config_may_say_yes_and_give_a_list_line_by_line(tmp_path: Path) -> None:
    said = [("retention.enabled", "yes"), ("promote.types", "project"), ("promote.types", "feedback")]
    found = load_config(tmp_path, tmp_path, None, {}, said)
    assert found.flag("retention.enabled")
    assert found.texts("promote.types") == ["project", "feedback"]
    assert load_config(tmp_path, tmp_path, None, {}, [("targets", "A.md"), ("targets", "auto")]).values["targets"] == [
        "A.md",
        "auto",
    ]


def test_an_unknown_key_of_git_config_is_an_error_with_a_suggestion(sandbox: Sandbox) -> None:
    sandbox.git("config", "intermem.stateDri", "x")
    outcome = sandbox.run("status", code=2)
    assert "git config intermem.statedri: unknown key" in outcome.err
    assert "did you mean intermem.stateDir?" in outcome.err


def test_a_key_that_only_0_1_had_is_named_and_ignored(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox.write("intermem.toml", "[ledger]\ngranularity_days = 7\nheartbeat_days = 7\n")
    monkeypatch.setenv("INTERMEM_LEDGER_DEMOTED_DAYS", "180")
    outcome = sandbox.run("status", code=None)
    assert "intermem.toml: ledger.granularity_days has no effect any more; remove it\n" in outcome.err
    assert "INTERMEM_LEDGER_DEMOTED_DAYS has no effect any more; remove it\n" in outcome.err
    found = load_config(sandbox.root, sandbox.root, None, {})
    assert found.values["ledger.heartbeat_days"] == 7
    assert not any("granularity" in name for name in found.values)


def test_a_file_of_the_tree_cannot_say_where_the_state_is(sandbox: Sandbox) -> None:
    sandbox.write("intermem.toml", 'state_dir = "elsewhere"\n')
    outcome = sandbox.run("scan", code=None)
    assert (
        "intermem.toml: state_dir is ignored in a file; set it with git config intermem.stateDir, or INTERMEM_STATE_DIR"
        in outcome.err
    )
    assert "git config intermem.stateDir" in outcome.err
    assert not (sandbox.root / "elsewhere").exists()
    given = sandbox.run("--config", str(sandbox.root / "intermem.toml"), "status", "--json")
    assert given.json["state"] == str(sandbox.root / ".git/intermem/root")


def test_git_config_a_flag_and_the_environment_say_where_the_state_is(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    sandbox.git("config", "intermem.stateDir", str(tmp_path / "one"))
    assert sandbox.run("status", "--json").json["state"] == str(tmp_path / "one")
    monkeypatch.setenv("INTERMEM_STATE_DIR", str(tmp_path / "two"))
    assert sandbox.run("status", "--json").json["state"] == str(tmp_path / "two")
    assert sandbox.run("status", "--json", "--state-dir", str(tmp_path / "three")).json["state"] == str(
        tmp_path / "three"
    )


@pytest.mark.parametrize("place", ["before", "after"])
def test_status_takes_the_file_that_every_command_takes(sandbox: Sandbox, place: str) -> None:
    sandbox.note("- Never push to main without a tag.\n")
    sandbox.run("scan", now="2026-01-05")
    sandbox.note("- Never tag what main has not seen.\n")
    sandbox.write("other.toml", '[decay]\npolicy = "none"\n')

    def status(file: str, *more: str, code: int = 0) -> str:
        given, own = ("--config", str(sandbox.root / file)), ("status", *more)
        found = sandbox.run(*((*given, *own) if place == "before" else (*own, *given)), now="2026-06-01", code=code)
        return found.out + found.err

    assert "1 stale" in sandbox.run("status", now="2026-06-01").out
    assert "1 active" in status("other.toml")
    assert "0.5 - 0.6 1" in " ".join(status("other.toml", "--figures").split())
    assert "absent.toml" in status("absent.toml", code=2)


@pytest.mark.parametrize("value", ["0", '"0"'])
def test_a_duration_of_nothing_needs_no_unit(tmp_path: Path, value: str) -> None:
    assert not config(tmp_path, f"[sweep]\nmin_interval = {value}\n").span("sweep.min_interval")
