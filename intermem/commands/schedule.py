"""``schedule``: snippets to run intermem from cron, systemd, Claude Code, GitHub Actions or an agent.

The times are those of seeds/S2, "Cleanup Schedule". Nothing is installed and nothing is written.
"""

from __future__ import annotations

import hashlib
import json
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import PackageNotFoundError, distribution

from intermem.errors import UsageError
from intermem.patterns import regex
from intermem.project.config import ENVIRONMENT, OF_A_RUN
from intermem.results.inspect import ScheduleResult
from intermem.workflow.snippets import agent_skill, given_places, hook_settings, sweep_interval
from intermem.workflow.workspace import Workspace

_DECAY = ("curate", "--no-demote", "--quiet")
_SWEEP = ("curate",)  # what changes documents says so, once a week
_PRUNE = ("prune", "--expired")  # once a month somebody hears what went, and what could be deleted

# Line ends and what cannot be written as UTF-8: no crontab or unit can contain them.
_UNWRITABLE = regex(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def schedule(workspace: Workspace, kind: str) -> ScheduleResult:
    """Return the snippet for ``kind``: cron, systemd, claude-hook, github-actions or skill.

    It works as is. Raises UsageError if it cannot express the project's path, or if there is
    nothing for GitHub to check out.
    """
    return ScheduleResult(kind=kind, snippet=_SNIPPETS[kind](workspace), notices=_NOTICES.get(kind, ()))


def _cron(workspace: Workspace) -> str:
    return f"""\
# intermem for {_writable(str(workspace.root))}: append this to your crontab with
#   (crontab -l; {_again(workspace, "cron")}) | crontab -
# A daily run prints nothing if all is well, the weekly one what it did: cron mails that.
# Daily: citations are checked and confidences decay.
0 3 * * 1-6 {_cron_command(workspace, _DECAY)}
# On Sundays: and what was stale in two sweeps in a row is demoted.
0 4 * * 0 {_cron_command(workspace, _SWEEP)}
# On the 1st of each month: what [retention] expires is demoted. Nothing is deleted; what could be is counted.
0 5 1 * * {_cron_command(workspace, _PRUNE)}
"""


def _again(workspace: Workspace, kind: str) -> str:
    """The command line that prints this snippet, whatever the folder and the environment of the shell."""
    return _shell_line(workspace, ("schedule", kind))


def _shell_line(workspace: Workspace, verb: tuple[str, ...]) -> str:
    settings = [f"{name}={shlex.quote(value)}" for name, value in _environment(workspace, verb).items()]
    return _writable(" ".join([*settings, shlex.join(_command(workspace, verb))]))


def _cron_command(workspace: Workspace, verb: tuple[str, ...]) -> str:
    """A command line for cron, which reads a bare ``%`` as the end of the line.

    cron reads ``\\%`` as ``%`` but ``\\\\%`` as a backslash and a bare one, so after a backslash
    the quotes are closed and opened.
    """
    return _shell_line(workspace, verb).replace("\\%", "\\''%").replace("%", "\\%")


def _systemd(workspace: Workspace) -> str:
    decay, sweep, prune = (f"intermem-{_name(workspace)}-{verb}" for verb in ("decay", "sweep", "prune"))
    units = {
        f"{decay}.service": _service(workspace, _DECAY),
        f"{decay}.timer": _timer("Daily", "Mon..Sat *-*-* 03:00:00"),
        f"{sweep}.service": _service(workspace, _SWEEP),
        f"{sweep}.timer": _timer("Weekly", "Sun *-*-* 04:00:00"),
        f"{prune}.service": _service(workspace, _PRUNE),
        f"{prune}.timer": _timer("Monthly", "*-*-01 05:00:00"),
    }
    written = "".join(f"cat > \"$units/{name}\" <<'END'\n{text}END\n" for name, text in units.items())
    return f"""\
# Writes and starts the timers of one project:
#   {_again(workspace, "systemd")} | sh
# They run only while you are logged in, unless you run: loginctl enable-linger
# The monthly one demotes what [retention] expires, and deletes nothing: that takes --delete --confirm.
(
set -eu
units="${{XDG_CONFIG_HOME:-$HOME/.config}}/systemd/user"
mkdir -p "$units"
{written}systemctl --user daemon-reload
systemctl --user enable --now {decay}.timer {sweep}.timer {prune}.timer
)
"""


def _service(workspace: Workspace, verb: tuple[str, ...]) -> str:
    """A service unit; the colon keeps systemd from expanding ``$NAME``.

    systemd cannot run a program with quotes or backslashes in its path, but passes them as arguments.
    """
    command = _command(workspace, verb)
    first, *others = ["/bin/sh", "-c", 'exec "$@"', "sh", *command] if re.search(r"['\"\\]", command[0]) else command
    settings = [f"{name}={value}" for name, value in _environment(workspace, verb).items()]
    lines = [
        "[Unit]",
        f"Description=intermem {verb[0]} for {str(workspace.root).replace('%', '%%')} ({_name(workspace)})",
        "",
        "[Service]",
        "Type=oneshot",
        *(f"Environment={_unit_word(setting)}" for setting in settings),
        "ExecStart=" + " ".join(_unit_word(word) for word in (f":{first}", *others)),
    ]
    return "".join(f"{_writable(line)}\n" for line in lines)


def _timer(often: str, when: str) -> str:
    return f"""\
[Unit]
Description={often} run of intermem

[Timer]
OnCalendar={when}
Persistent=true

[Install]
WantedBy=timers.target
"""


def _unit_word(text: str) -> str:
    """``text`` quoted as one word of a unit."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"{escaped}"'


def _name(workspace: Workspace) -> str:
    """A unique name for this project, made of letters, digits and dashes."""
    digest = hashlib.sha256(str(workspace.root).encode("utf-8", "surrogateescape")).hexdigest()
    return f"{_slug(workspace.root.name)}-{digest[:8]}"


def _slug(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-")[:40] or "project"


def _command(workspace: Workspace, verb: Iterable[str]) -> list[str]:
    """A command that works from any folder; ``-P`` keeps modules of that folder off the path."""
    places = ["--project-root", str(workspace.root), *given_places(workspace.options)]
    return [sys.executable, "-P", "-m", "intermem", *verb, *places]


def _environment(workspace: Workspace, verb: tuple[str, ...]) -> dict[str, str]:
    """The variables that intermem reads and that neither cron nor systemd would pass on; and the interval of sweeps."""
    own = sweep_interval(workspace) if verb[0] == "curate" else {}
    found = sorted(workspace.options.environment.items())
    settings = {name: value for name, value in found if name.startswith(ENVIRONMENT) and name not in OF_A_RUN}
    return own | settings | {name: value for name, value in found if name == "CLAUDE_CONFIG_DIR" and value}


def _writable(line: str) -> str:
    if _UNWRITABLE.search(line):
        raise UsageError(
            "a path or setting contains a line break or another character that no schedule can express",
            hint="rename the folder",
        )
    return line


def _github_actions(workspace: Workspace) -> str:
    if workspace.worktree is None or workspace.worktree.bare:
        raise UsageError(
            f"{workspace.root} is not a git working tree: GitHub would have nothing to check out",
            hint="intermem schedule cron",
        )
    place = _writable(workspace.root.relative_to(workspace.top).as_posix())
    name = "intermem" if place == "." else f"intermem-{_slug(place)}"
    values = {
        "@name@": name,
        "@install@": json.dumps(_requirement()),
        "  @interval@\n": "".join(
            f"  # Sweeps in quick succession count once, where a runner keeps its state.\n  {key}: {value}\n"
            for key, value in sweep_interval(workspace).items()
        ),
        "@python@": f"{sys.version_info[0]}.{sys.version_info[1]}",
        "@place@": json.dumps(place, ensure_ascii=False),
    }
    text = _WORKFLOW
    for mark, value in values.items():
        text = text.replace(mark, value)
    return text


def _requirement() -> str:
    """The requirement for pip to install intermem: the repository it was installed from, else the project."""
    try:
        recorded = distribution("intermem").read_text("direct_url.json")
    except PackageNotFoundError:
        recorded = None
    origin = json.loads(recorded) if recorded else {}
    vcs = origin.get("vcs_info")
    return f"{vcs['vcs']}+{origin['url']}@{vcs['commit_id']}" if vcs else "."


_WORKFLOW = """\
# .github/workflows/@name@.yml: sweep once a week, and propose what changes as a pull request.
# Settings, Actions, General: "Allow GitHub Actions to create and approve pull requests" has to be on.
name: @name@
on:
  schedule:
    - cron: "0 4 * * 0"
  workflow_dispatch:
permissions:
  contents: write
  pull-requests: write
concurrency: @name@
env:
  # How pip installs intermem: "." if this project depends on it, "-r FILE" if a requirements file lists it, or a
  # repository, "git+https://…".
  INSTALL: @install@
  @interval@
defaults:
  run:
    working-directory: @place@
jobs:
  sweep:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v6
        with:
          fetch-depth: 0 # verdicts need the history
      - uses: actions/setup-python@v6
        with:
          python-version: "@python@"
      - name: Install
        run: pip install $INSTALL
      # No memory and no kept state are needed: ages come from the ledger, stale streaks from the history.
      - name: Sweep
        run: |
          git restore .
          intermem curate --project-root . --message > "$RUNNER_TEMP/message"
          cat "$RUNNER_TEMP/message"
      - name: Propose
        env:
          GH_TOKEN: ${{ github.token }}
        run: |
          if [ ! -s "$RUNNER_TEMP/message" ]; then exit 0; fi
          branch="@name@-sweep-$GITHUB_REF_NAME"
          git switch -q -C "$branch"
          git add --update .
          if [ -d .intermem ]; then git add .intermem; fi
          git -c user.name="github-actions[bot]" \\
            -c user.email="41898282+github-actions[bot]@users.noreply.github.com" \\
            commit -q --file "$RUNNER_TEMP/message"
          git push -q --force origin "HEAD:refs/heads/$branch"
          if [ -z "$(gh pr list --head "$branch" --state open --json number --jq '.[].number')" ]; then
            gh pr create --head "$branch" --base "$GITHUB_REF_NAME" \\
              --title "$(head -n 1 "$RUNNER_TEMP/message")" --body-file "$RUNNER_TEMP/message"
          fi
"""

_SNIPPETS: Mapping[str, Callable[[Workspace], str]] = {
    "cron": _cron,
    "systemd": _systemd,
    "claude-hook": hook_settings,
    "github-actions": _github_actions,
    "skill": lambda _: agent_skill(),
}
_NOTICES: Mapping[str, tuple[str, ...]] = {
    "claude-hook": (
        "this is .claude/settings.local.json (it names this machine's Python);"
        " if the file already exists, add the hook by hand",
    ),
    "skill": ("this is SKILL.md of a folder intermem among your agent's skills: .claude/skills/intermem/, say",),
}
