"""The snippets of ``schedule``, run as cron, systemd, Claude Code and GitHub's runner would run them."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from intermem.commands import schedule
from tests.conftest import Sandbox, git
from tests.old_ledger import ledger_in

ODD = 'it\'s 50%d \\%x "q" $HOME `id` é'
KINDS = ("cron", "systemd", "claude-hook", "github-actions", "skill")
NOW = "2026-01-05T00:00:00Z"


@pytest.fixture
def odd(tmp_path: Path, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> Sandbox:
    """A project whose path has every character that is special to a shell, cron or systemd."""
    monkeypatch.delenv("INTERMEM_PROMOTE_MIN_WORTH")  # what is set stands in what is printed
    root = tmp_path / ODD / "project"
    root.parent.mkdir()
    sandbox.root.rename(root)
    memory = root.parent / "memory"
    sandbox.memory.rename(memory)
    made = Sandbox(root, memory, sandbox.capture)
    made.note("- Prefer short functions.\n")
    return made


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """A working directory with modules that shadow those that intermem imports."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    for name in ("yaml", "queue", "intermem"):
        (folder / f"{name}.py").write_text("raise SystemExit('not this one')\n")
    return folder


def snippet(box: Sandbox, kind: str) -> str:
    return box.run("schedule", kind).out


def program(folder: Path, name: str, text: str) -> None:
    """Make a shell script."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{text}")
    (folder / name).chmod(0o755)


def bare(tmp_path: Path, **more: str) -> dict[str, str]:
    """The minimal environment of cron and systemd, and a clock."""
    return {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "INTERMEM_NOW": NOW, **more}


def python_in(folder: Path) -> str:
    """The running interpreter by a path in ``folder``."""
    program(folder, "python", f'exec {shlex.quote(sys.executable)} "$@"\n')
    return str(folder / "python")


def has_scanned(box: Sandbox, day: str = NOW) -> bool:
    return box.run("status", "--json").json["last_snapshot"] == day


@pytest.mark.parametrize(("kind", "line"), [("cron", r"\(crontab -l; (.*)\) \| crontab -"), ("systemd", r"(.*) \| sh")])
def test_the_header_has_the_command_that_prints_all_of_it(
    odd: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, line: str
) -> None:
    monkeypatch.setenv("INTERMEM_SCAN_MIN_INTERVAL", "2 h")
    printed = snippet(odd, kind)
    found = re.search(f"^#   {line}$", printed, re.MULTILINE)
    assert found is not None
    done = subprocess.run(["sh", "-c", found[1]], env=bare(tmp_path), cwd=tmp_path, capture_output=True, check=True)
    assert done.stdout.decode() == printed


@pytest.mark.parametrize("kind", KINDS)
def test_a_snippet_is_printed_to_the_letter(odd: Sandbox, kind: str) -> None:
    data = odd.run("schedule", kind, "--json").json
    assert data["kind"] == kind
    assert odd.run("schedule", kind, "--quiet").out == data["snippet"]
    assert data["snippet"].endswith("\n")


def test_every_kind_that_is_offered_is_tried_here(sandbox: Sandbox) -> None:
    said = sandbox.run("schedule", "sometimes", code=2).err
    assert re.findall(r"[a-z-]+", said.partition("choose from ")[2].partition(")")[0]) == list(KINDS)


# cron


def as_cron_reads(command: str) -> str:
    """What cron passes to the shell: ``\\%`` is a percent sign, a bare one ends the command."""
    read, escaped = "", False
    for sign in command:
        if sign == "%" and not escaped:
            break
        if sign == "%":
            read = read[:-1]
        read += sign
        escaped = sign == "\\" and not escaped
    return read


def cron_lines(text: str) -> dict[str, str]:
    """The commands of a crontab by their times."""
    lines = [line.split(" ", 5) for line in text.split("\n") if line and not line.startswith("#")]
    return {" ".join(fields[:5]): fields[5] for fields in lines}


def run_by_cron(command: str, cwd: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["/bin/sh", "-c", as_cron_reads(command)], cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )


def test_the_crontab_sweeps_in_silence(
    odd: Sandbox, tmp_path: Path, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", python_in(tmp_path / ODD))
    lines = cron_lines(snippet(odd, "cron"))
    assert sorted(lines) == ["0 3 * * 1-6", "0 4 * * 0", "0 5 1 * *"]
    done = run_by_cron(lines["0 3 * * 1-6"], elsewhere, bare(tmp_path))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert has_scanned(odd)


def test_cron_mails_what_is_not_well(odd: Sandbox, tmp_path: Path) -> None:
    odd.write("AGENTS.md", "<!-- intermem:begin -->\n")
    done = run_by_cron(cron_lines(snippet(odd, "cron"))["0 3 * * 1-6"], tmp_path, bare(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: ")


def test_the_crontab_prunes_the_same_project(odd: Sandbox) -> None:
    lines = cron_lines(snippet(odd, "cron"))
    times = ("0 3 * * 1-6", "0 4 * * 0", "0 5 1 * *")
    decay, sweep, prune = (shlex.split(as_cron_reads(lines[when])) for when in times)
    assert decay.pop(0) == sweep.pop(0) == "INTERMEM_SWEEP_MIN_INTERVAL=1h"
    assert [word for word in decay if word not in ("--no-demote", "--quiet")] == sweep, "what demotes says so"
    assert prune == [word for old in sweep for word in (["prune", "--expired"] if old == "curate" else [old])]
    assert prune[0] == sys.executable
    assert prune[prune.index("--project-root") + 1] == str(odd.root)


def test_what_intermem_was_told_is_told_to_cron(odd: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "an agent"))
    monkeypatch.setenv("INTERMEM_STATE_DIR", str(tmp_path / "my state"))
    monkeypatch.setenv("INTERMEM_NOW", NOW)
    monkeypatch.chdir(tmp_path)
    odd.write("its.toml", "")
    line = cron_lines(odd.run("schedule", "cron", "--config", f"{ODD}/project/its.toml").out)["0 3 * * 1-6"]
    assert "INTERMEM_NOW" not in line
    assert "CLAUDE_CONFIG_DIR=" in line
    assert str(odd.root / "its.toml") in shlex.split(as_cron_reads(line))
    assert run_by_cron(line, tmp_path, bare(tmp_path)).returncode == 0
    assert (tmp_path / "my state" / "metadata.db").is_file()


@pytest.mark.parametrize("kind", ["cron", "systemd"])
@pytest.mark.parametrize("name", ["two\n* * * * * lines", "not \udce9 UTF-8"])
def test_a_path_that_no_line_can_hold_is_refused(sandbox: Sandbox, kind: str, name: str) -> None:
    shutil.rmtree(sandbox.root / ".git")
    root = sandbox.root.rename(sandbox.root.parent / name)
    outcome = Sandbox(root, sandbox.memory, sandbox.capture).run("schedule", kind, code=2)
    assert outcome.out == ""
    assert "that no schedule can express" in outcome.err


# systemd


@dataclass
class Units:
    """What the script wrote, and what it asked systemctl to do."""

    folder: Path
    asked: list[str]

    def one(self, ending: str) -> Path:
        (path,) = self.folder.glob(f"*{ending}")
        return path

    def value(self, ending: str, key: str) -> str:
        (value,) = re.findall(rf"^{key}=(.*)$", self.one(ending).read_text("utf-8"), re.MULTILINE)
        return str(value)


def installed(box: Sandbox, home: Path) -> Units:
    """Run the script as a pasted one, with a systemctl that only records its calls."""
    program(home / "bin", "systemctl", 'echo "$*" >> "$HOME/asked"\n')
    environment = {"HOME": str(home), "PATH": f"{home / 'bin'}:/usr/bin:/bin"}
    done = subprocess.run(
        ["/bin/sh"], input=snippet(box, "systemd"), env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return Units(home / ".config/systemd/user", (home / "asked").read_text("utf-8").splitlines())


def as_systemd_reads(line: str) -> list[str]:
    """The words of a line of a unit that quotes every one of them."""
    assert re.fullmatch(r'"(?:[^"\\]|\\.)*"(?: "(?:[^"\\]|\\.)*")*', line)
    words = re.findall(r'"((?:[^"\\]|\\.)*)"', line)
    assert not any(re.search(r"%(?!%)", word.replace("%%", "")) for word in words)
    return [re.sub(r"\\(.)", r"\1", word.replace("%%", "%")) for word in words]


@pytest.mark.parametrize("place", ["bin", ODD])
def test_the_units_sweep_and_say_what_they_did(
    odd: Sandbox, tmp_path: Path, elsewhere: Path, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", python_in(tmp_path / place))
    units = installed(odd, tmp_path)
    timers = [units.one(f"-{name}.timer").name for name in ("decay", "sweep", "prune")]
    assert units.asked == ["--user daemon-reload", f"--user enable --now {' '.join(timers)}"]
    assert units.value("-decay.timer", "OnCalendar") == "Mon..Sat *-*-* 03:00:00"
    assert units.value("-sweep.timer", "OnCalendar") == "Sun *-*-* 04:00:00"
    assert units.value("-prune.timer", "OnCalendar") == "*-*-01 05:00:00"
    assert units.value("-sweep.timer", "Persistent") == units.value("-prune.timer", "Persistent") == "true"
    for timer in timers:
        assert (units.folder / timer).with_suffix(".service").is_file()
    sweep, prune = (as_systemd_reads(units.value(f"-{verb}.service", "ExecStart")) for verb in ("sweep", "prune"))
    assert prune == [word for old in sweep for word in (["prune", "--expired"] if old == "curate" else [old])]
    assert sweep[0].startswith(":/")  # the colon: no variable is put in for $HOME
    command = [sweep[0][1:], *sweep[1:]]
    done = subprocess.run(command, cwd=elsewhere, env=bare(tmp_path), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "") and "Swept 1 entry" in done.stdout
    assert has_scanned(odd)


def test_two_projects_of_one_name_have_units_of_their_own(odd: Sandbox, sandbox: Sandbox, tmp_path: Path) -> None:
    other = Sandbox(tmp_path / "project", odd.memory, odd.capture)
    other.root.mkdir()
    assert len({path for box in (odd, other) for path in installed(box, tmp_path).folder.iterdir()}) == 12


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not here")
@pytest.mark.parametrize("place", ["100 %d $HOME é", ODD])
def test_systemd_accepts_the_units(odd: Sandbox, tmp_path: Path, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", python_in(tmp_path / place))  # systemd looks whether it is there
    monkeypatch.setenv("INTERMEM_STATE_DIR", ODD)
    units = installed(odd, tmp_path)
    assert as_systemd_reads(units.value("-prune.service", "Environment")) == [f"INTERMEM_STATE_DIR={ODD}"]
    assert "INTERMEM_SWEEP_MIN_INTERVAL=1h" in snippet(odd, "systemd")
    done = subprocess.run(
        ["systemd-analyze", "verify", "--user", "--man=no", *sorted(map(str, units.folder.iterdir()))],
        env={**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


# Claude Code


def test_the_hook_records_a_snapshot_when_a_session_ends(odd: Sandbox, tmp_path: Path, elsewhere: Path) -> None:
    (event,) = json.loads(snippet(odd, "claude-hook"))["hooks"]["SessionEnd"]
    (hook,) = event["hooks"]
    assert hook["type"] == "command"
    program(tmp_path / "bin", "intermem", f'exec {shlex.quote(sys.executable)} -P -m intermem "$@"\n')
    environment = bare(
        tmp_path,
        PATH=f"{tmp_path / 'bin'}:/usr/bin:/bin",
        CLAUDE_PROJECT_DIR=str(odd.root),
        INTERMEM_MEMORY_DIR=str(odd.memory),
    )
    done = subprocess.run(
        ["/bin/sh", "-c", hook["command"]], cwd=elsewhere, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert has_scanned(odd)


def test_init_prints_the_same_hook(sandbox: Sandbox) -> None:
    printed = sandbox.run("init", "--json").json["snippets"]["agent-hook"]
    assert printed == snippet(sandbox, "claude-hook")
    assert "// " not in printed


# GitHub Actions

FADING = "Run the queue worker before the tests, or they hang without a word."
LATER = "Dates in the export are local time, never UTC."


@dataclass
class Runner:
    """A repository with an origin, and a machine that runs the workflow on clones of it."""

    home: Path
    developer: Sandbox

    def promotes(self, fact: str, *days: str) -> None:
        """Let a developer see a fact on three days and nothing else, promote it, sweep and push."""
        self.developer.note(f"- {fact}\n")
        self.developer.scans(*days)
        self.developer.run("promote", "--yes", now=f"{days[-1]}T00:00:00Z")
        self.sweeps(days[-1])

    def sweeps(self, day: str) -> None:
        """Let the developer sweep and push."""
        self.developer.run("sweep", now=f"{day}T00:00:00Z")
        with pytest.MonkeyPatch.context() as patched:
            patched.setenv("GIT_COMMITTER_DATE", f"{day}T00:00:00Z")
            self.developer.commit("curate")
        self.developer.git("push", "-q", "origin", "main")

    def runs(self, day: str) -> None:
        """Run every step but the installation, in a fresh clone."""
        workflow = self.workflow()
        clone, temporary = (self.home / f"{day}-{what}" for what in ("clone", "temp"))
        temporary.mkdir()
        subprocess.run(["git", "clone", "-q", str(self.home / "origin.git"), str(clone)], check=True)
        (clone / "src/app.py").write_text("what the installation leaves behind\n")
        environment = {
            **os.environ,
            **workflow["env"],
            "PATH": f"{self.home / 'bin'}:{os.environ['PATH']}",
            "HOME": str(self.home),
            "RUNNER_TEMP": str(temporary),
            "GITHUB_REF_NAME": "main",
            "INTERMEM_NOW": f"{day}T04:00:00Z",
        }
        for step in shell_steps(workflow):
            if step["name"] != "Install":
                script = temporary / "step.sh"
                script.write_text(step["run"], "utf-8")
                cwd = clone / workflow["defaults"]["run"]["working-directory"]
                done = subprocess.run(
                    ["bash", "-e", str(script)], cwd=cwd, env=environment, capture_output=True, text=True, check=False
                )
                assert done.returncode == 0, done.stdout + done.stderr

    def workflow(self) -> dict[str, Any]:
        loaded: dict[str, Any] = yaml.safe_load(snippet(self.developer, "github-actions"))
        return loaded

    def proposed(self, name: str = "AGENTS.md") -> str:
        """A file as it is on the proposed branch."""
        return git(self.home / "origin.git", "show", f"intermem-sweep-main:{name}")

    def created(self) -> list[str]:
        """The calls of gh that made a pull request."""
        said = self.home / "gh-said"
        lines = said.read_text("utf-8").splitlines() if said.is_file() else []
        return [line for line in lines if line.startswith("pr create")]

    def merges(self) -> None:
        """Merge the pull request, as somebody who has read it."""
        self.developer.git("pull", "-q", "--no-rebase", "--no-edit", "origin", "intermem-sweep-main")
        self.developer.git("push", "-q", "origin", "main")
        (self.home / "open").unlink()


def shell_steps(workflow: dict[str, Any]) -> list[dict[str, str]]:
    (job,) = workflow["jobs"].values()
    return [step for step in job["steps"] if "run" in step]


@pytest.fixture
def runner(tmp_path: Path, sandbox: Sandbox) -> Runner:
    home = tmp_path / "runner"
    home.mkdir()
    program(home / "bin", "intermem", f'exec {shlex.quote(sys.executable)} -P -m intermem "$@"\n')
    program(
        home / "bin",
        "gh",
        'echo "$*" >> "$HOME/gh-said"\n'
        'case "$1 $2" in\n'
        '"pr list") if [ -e "$HOME/open" ]; then echo 1; fi;;\n'
        '"pr create") touch "$HOME/open"; while [ "$1" != --body-file ]; do shift; done; cat "$2" > "$HOME/body";;\n'
        "esac\n",
    )
    git(tmp_path, "init", "-q", "--bare", "-b", "main", str(home / "origin.git"))
    sandbox.git("remote", "add", "origin", str(home / "origin.git"))
    sandbox.git("config", "user.name", "Test")
    sandbox.git("config", "user.email", "test@example.invalid")
    return Runner(home, sandbox)


def test_the_workflow_has_what_it_needs(runner: Runner) -> None:
    workflow = runner.workflow()
    assert workflow["permissions"] == {"contents": "write", "pull-requests": "write"}
    assert "workflow_dispatch" in workflow[True]  # YAML 1.1 takes "on" for a truth
    assert [entry["cron"] for entry in workflow[True]["schedule"]] == ["0 4 * * 0"]
    (job,) = workflow["jobs"].values()
    uses = {step["uses"].partition("@")[0]: step["with"] for step in job["steps"] if "uses" in step}
    assert uses["actions/checkout"] == {"fetch-depth": 0}
    assert uses["actions/setup-python"] == {"python-version": f"{sys.version_info[0]}.{sys.version_info[1]}"}
    assert uses.keys() == {"actions/checkout", "actions/setup-python"}, "nothing is kept from one run to the next"
    for step in shell_steps(workflow):
        subprocess.run(["bash", "-n", "-c", step["run"]], check=True)
        assert "${{" not in step["run"]


@pytest.mark.parametrize("wanted", [".", "-r dev requirements.txt"])
def test_the_workflow_installs_what_its_one_variable_says(runner: Runner, wanted: str) -> None:
    workflow = runner.workflow()
    assert workflow["env"]["INSTALL"] == "."
    program(runner.home / "bin", "pip", 'printf "%s\\n" "$@"\n')
    (install,) = [step["run"] for step in shell_steps(workflow) if step["name"] == "Install"]
    done = subprocess.run(
        ["bash", "-e", "-c", install],
        env={"PATH": f"{runner.home / 'bin'}:/usr/bin:/bin", "INSTALL": wanted},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == ["install", *wanted.split(" ")]


@pytest.mark.slow
def test_the_workflow_proposes_what_everybody_let_go_of_until_it_is_merged(runner: Runner) -> None:
    runner.promotes(FADING, "2026-01-01", "2026-01-02", "2026-01-03")
    runner.promotes(LATER, "2026-01-28", "2026-01-29", "2026-01-30")
    runner.runs("2026-02-01")
    assert runner.created() == [], "a week ago nobody had lost it"
    runner.runs("2026-02-08")
    (created,) = runner.created()
    assert "--head intermem-sweep-main --base main" in created and "--title intermem: demote 1 entry" in created
    body = (runner.home / "body").read_text("utf-8")
    assert FADING[:20] in body and "stale on 2026-02-01, by the history, and now" in body
    assert FADING not in runner.proposed()
    assert LATER in runner.proposed(), "its developer holds it"
    assert runner.proposed("src/app.py") == "print('app')\n"
    assert FADING in git(runner.home / "origin.git", "show", "main:AGENTS.md")
    runner.developer.note("- Something else.\n")
    runner.sweeps("2026-02-10")
    for day in ("2026-03-01", "2026-03-08"):  # nobody has looked at it, and one more has gone stale
        runner.runs(day)
    assert FADING not in runner.proposed()
    assert LATER not in runner.proposed()
    assert len(runner.created()) == 1
    runner.merges()
    for day in ("2026-03-15", "2026-03-22"):
        runner.runs(day)
    assert len(runner.created()) == 1
    assert set(re.findall(r'"status": "(\w+)"', ledger_in(runner.developer.root))) == {"demoted"}


@pytest.mark.slow
def test_the_workflow_proposes_a_line_of_a_person_for_the_ledger(runner: Runner) -> None:
    runner.promotes(FADING, "2026-01-01", "2026-01-02", "2026-01-03")
    text = runner.developer.read()
    runner.developer.write("AGENTS.md", text.replace(f"- {FADING}", f"- {FADING}\n- By hand."))
    runner.developer.commit("by hand")
    runner.developer.git("push", "-q", "origin", "main")
    runner.runs("2026-01-04")
    (created,) = runner.created()
    assert "--title intermem: pin 1, record 1" in created
    assert "By hand." in runner.proposed()


def test_the_workflow_of_a_folder_works_in_that_folder(sandbox: Sandbox) -> None:
    sandbox.write("parts/a b's/AGENTS.md", "# Part\n")
    part = Sandbox(sandbox.root / "parts/a b's", sandbox.memory, sandbox.capture)
    workflow = yaml.safe_load(snippet(part, "github-actions"))
    assert workflow["defaults"]["run"]["working-directory"] == "parts/a b's"
    assert workflow["name"] == "intermem-parts-a-b-s"


@pytest.mark.parametrize("kind", ["cron", "systemd", "claude-hook", "github-actions"])
def test_what_is_scheduled_counts_sweeps_in_quick_succession_once(sandbox: Sandbox, kind: str) -> None:
    assert re.search(r"INTERMEM_SWEEP_MIN_INTERVAL(?:=|: )1h", snippet(sandbox, kind))
    sandbox.write("intermem.toml", "[sweep]\nmin_interval = '1d'\n")
    assert "MIN_INTERVAL" not in snippet(sandbox, kind), "the project's own is longer"


def test_the_workflow_installs_intermem_from_where_it_was_installed_from(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    @dataclass
    class Installed:
        said: str | None

        def read_text(self, name: str) -> str | None:
            return self.said if name == "direct_url.json" else None

    origin = {"url": "https://example.invalid/intermem.git", "vcs_info": {"vcs": "git", "commit_id": "c0ffee"}}
    for said, wanted in (
        (json.dumps(origin), "git+https://example.invalid/intermem.git@c0ffee"),
        (json.dumps({"url": "file:///somewhere", "dir_info": {}}), "."),
        (None, "."),
    ):
        monkeypatch.setattr(schedule, "distribution", lambda _name, said=said: Installed(said))
        assert yaml.safe_load(snippet(sandbox, "github-actions"))["env"]["INSTALL"] == wanted


def test_outside_git_there_is_no_workflow(tmp_path: Path, sandbox: Sandbox) -> None:
    shutil.rmtree(sandbox.root / ".git")
    outcome = sandbox.run("schedule", "github-actions", code=2)
    assert "nothing to check out" in outcome.err
    assert outcome.out == ""
    sandbox.run("schedule", "cron")


@pytest.mark.parametrize("kind", ["cron", "systemd", "claude-hook"])
def test_a_schedule_keeps_the_places_that_it_was_given(sandbox: Sandbox, kind: str) -> None:
    sandbox.write("own.toml", "")
    places = {"--state-dir": str(sandbox.root / "kept state"), "--config": str(sandbox.root / "own.toml")}
    said = sandbox.run(*(word for place in places.items() for word in place), "schedule", kind).out
    assert all(flag in said and path in said for flag, path in places.items())
    assert f"--memory-dir {sandbox.memory}" in said.replace('"', "")


def test_the_hook_of_a_project_in_a_folder_curates_that_folder(sandbox: Sandbox) -> None:
    sandbox.write("sub/AGENTS.md", "# Sub\n")
    hook = replace(sandbox, root=sandbox.root / "sub").run("schedule", "claude-hook").out
    assert "--project-root sub" in hook and 'cd \\"$CLAUDE_PROJECT_DIR\\" &&' in hook
    assert "--project-root" not in sandbox.run("schedule", "claude-hook").out


@pytest.mark.parametrize("kind", ["cron", "systemd"])
def test_a_schedule_deletes_nothing_and_says_so(sandbox: Sandbox, kind: str) -> None:
    told = snippet(sandbox, kind)
    commands = "\n".join(line for line in told.splitlines() if not line.startswith("#"))
    assert "deletes nothing" in told or "Nothing is deleted" in told
    assert "--delete" not in commands and "--confirm" not in commands


def test_a_relative_place_is_printed_without_detours(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(sandbox.root)
    box = replace(sandbox, memory=Path("..") / sandbox.memory.name)
    said = box.run("schedule", "cron").out
    assert f"--memory-dir {sandbox.memory.resolve()}" in said and ".." not in said
