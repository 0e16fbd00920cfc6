"""Two people, two branches, anything in any order: nothing is lost, nobody's work is overridden, nothing oscillates.

INTERMEM_SOAK=N tries N examples (``make soak``); without it a handful.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import tempfile
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from intermem.cli.main import main
from intermem.core.entries.identity import identity
from intermem.core.region.parse import find_region
from tests.people.conftest import FACTS

EXAMPLES = int(os.environ.get("INTERMEM_SOAK", "4"))
STEPS = 25 if "INTERMEM_SOAK" in os.environ else 14
START = datetime.fromisoformat("2026-01-01T00:00:00+00:00")
NAMES = sorted(FACTS)

people = st.sampled_from(["ann", "ben"])
facts = st.sampled_from(NAMES)


class Clone:
    """A person's clone, memory and state."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.memory = root.parent / f"{root.name}-memory"
        self.memory.mkdir()
        self.notes: set[str] = set()

    def git(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
        environment |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        named = [
            "-c",
            f"user.name={self.root.name}",
            "-c",
            "user.email=x@example.invalid",
            "-c",
            "maintenance.auto=false",
        ]
        command = ["git", "-C", str(self.root), *named, *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)

    def run(self, day: int, *arguments: str) -> tuple[int, str, str]:
        now = (START + timedelta(days=day)).strftime("%Y-%m-%dT%H:%M:%SZ")
        place = ["--project-root", str(self.root), "--memory-dir", str(self.memory), "--now", now]
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main([*arguments, *place])
        return code, out.getvalue(), err.getvalue()

    def done(self, day: int, *arguments: str, codes: tuple[int, ...] = (0,)) -> dict[str, Any]:
        code, out, err = self.run(day, *arguments, "--json")
        assert code in codes, (arguments, code, out, err)
        loaded: dict[str, Any] = json.loads(out)
        return loaded

    def remember(self) -> None:
        lines = "".join(f"- {FACTS[name]}\n" for name in sorted(self.notes))
        (self.memory / "MEMORY.md").write_text(f"## Notes\n\n{lines}", "utf-8")

    def document(self) -> str:
        return (self.root / "AGENTS.md").read_bytes().decode("utf-8")

    def standing(self) -> list[str]:
        region = find_region(self.document(), "AGENTS.md")
        assert region is not None
        return [item.text for item in region.items]

    def edit(self, old: str, new: str) -> None:
        text = self.document()
        assert old in text
        (self.root / "AGENTS.md").write_bytes(text.replace(old, new).encode("utf-8"))

    def commit(self, message: str) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)

    def head(self) -> str:
        return self.git("rev-parse", "HEAD").stdout.strip()


class TwoPeople(RuleBasedStateMachine):
    """What two people do, and what must hold whatever they do."""

    @initialize()
    def start(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        where = Path(self.folder.name)
        (where / "ann").mkdir()
        ann = Clone(where / "ann")
        ann.git("init", "-q", "-b", "main")
        (ann.root / "AGENTS.md").write_text("# Project\n\nHello.\n", "utf-8")
        ann.done(0, "init")
        ann.commit("start")
        ann.git("branch", "feature")
        subprocess.run(["git", "clone", "-q", str(ann.root), str(where / "ben")], check=True)
        ben = Clone(where / "ben")
        ben.git("branch", "feature", "origin/feature")
        self.clones = {"ann": ann, "ben": ben}
        self.day = 1
        self.touched: set[str] = set()  # texts that a person had a hand in
        self.taken: list[tuple[str, str]] = []  # a commit, and a text that a person took out in it
        self.ever: set[str] = set()  # texts that ever stood in a document

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            try:
                self.nothing_is_lost()
            finally:
                self.folder.cleanup()

    # What people do.

    @rule(who=people, name=facts)
    def takes_a_note(self, who: str, name: str) -> None:
        self.clones[who].notes.add(name)
        self.clones[who].remember()

    @rule(who=people, name=facts)
    def drops_a_note(self, who: str, name: str) -> None:
        self.clones[who].notes.discard(name)
        self.clones[who].remember()

    @rule(days=st.sampled_from([1, 9, 20, 40]))
    def time_passes(self, days: int) -> None:
        self.day += days

    @rule(who=people, name=facts)
    def takes_a_line_out(self, who: str, name: str) -> None:
        clone = self.clones[who]
        texts = [text for text in clone.standing() if text.startswith(FACTS[name][:20])]
        if texts:
            clone.commit("before")
            clone.edit(f"- {texts[0]}\n", "")
            clone.commit(f"take out {name}")
            self.taken.append((clone.head(), texts[0]))
            self.touched.add(name)

    @rule(who=people, name=facts, word=st.sampled_from(["Indeed", "Always", "Mind"]))
    def rewords_a_line(self, who: str, name: str, word: str) -> None:
        clone = self.clones[who]
        if FACTS[name] in clone.standing():
            clone.edit(f"- {FACTS[name]}\n", f"- {FACTS[name]} {word}!\n")
            clone.commit(f"reword {name}")
            self.touched.add(name)

    @rule(who=people)
    def reverts(self, who: str) -> None:
        clone = self.clones[who]
        clone.commit("before")
        before = set(clone.standing())
        commits = clone.git("log", "--no-merges", "--format=%H", "-5", "--", "AGENTS.md").stdout.split()
        if len(commits) < 2:
            return
        if clone.git("revert", "--no-edit", commits[0]).returncode:
            clone.git("revert", "--abort")
            return
        after = set(clone.standing())
        self.touched |= {name for name in NAMES for text in before ^ after if text.startswith(FACTS[name][:20])}
        self.taken += [(clone.head(), text) for text in before - after]
        self.put_back(after - before)

    @rule(who=people)
    def commits(self, who: str) -> None:
        self.clones[who].commit("work")

    @rule(who=people)
    def switches(self, who: str) -> None:
        clone = self.clones[who]
        clone.commit("before a switch")
        branch = clone.git("branch", "--show-current").stdout.strip()
        assert clone.git("checkout", "-q", "feature" if branch == "main" else "main").returncode == 0

    @rule(who=people, other=st.sampled_from(["own", "main", "feature"]))
    def merges(self, who: str, other: str) -> None:
        clone = self.clones[who]
        clone.commit("before a merge")
        colleague = self.clones["ben" if who == "ann" else "ann"]
        colleague.commit("before a merge")
        if other == "own":
            branch = clone.git("branch", "--show-current").stdout.strip()
            wanted = "feature" if branch == "main" else "main"
        else:
            clone.git("fetch", "-q", str(colleague.root), f"+{other}:refs/heads/theirs")
            wanted = "theirs"
        before = set(clone.standing())
        merge = clone.git("merge", "-q", "--no-edit", wanted)
        assert "CONFLICT" not in merge.stdout or "ledger" not in merge.stdout, "the ledger never conflicts"
        if merge.returncode:
            clone.run(self.day, "doctor", "--repair")
            if "<<<<<<<" in clone.document():
                clone.git("merge", "--abort")
                return
            clone.git("add", "-A")
            assert clone.git("commit", "-q", "--no-edit").returncode == 0
        self.put_back(set(clone.standing()) - before)

    # What the tool does.

    @rule(who=people)
    def promotes(self, who: str) -> None:
        clone = self.clones[who]
        clone.remember()
        before = set(clone.standing())
        clone.done(self.day, "scan")
        clone.done(self.day, "promote", "--yes", "--min-snapshots", "1", "--limit", "0")
        self.settled(clone, before)
        found = clone.done(self.day, "promote", "--min-snapshots", "1", "--limit", "0", "--dry-run")
        assert (found["promoted"], found["reconciled"]) == ([], [])

    @rule(who=people)
    def sweeps(self, who: str) -> None:
        clone = self.clones[who]
        clone.remember()
        before = set(clone.standing())
        clone.done(self.day, "sweep")
        clone.done(self.day, "sweep")
        self.settled(clone, before)
        found = clone.done(self.day, "sweep", "--check")
        assert (found["demoted"], found["reconciled"]) == ([], [])

    @rule(who=people, name=facts)
    def restores(self, who: str, name: str) -> None:
        clone = self.clones[who]
        key = identity(FACTS[name])
        if clone.run(self.day, "why", key)[0] == 0:
            before = set(clone.standing())
            clone.done(self.day, "restore", key, codes=(0, 1))
            self.put_back(set(clone.standing()) - before)
            self.touched.add(name)

    # What must hold.

    def settled(self, clone: Clone, before: set[str]) -> None:
        """After a run: nothing that a person removed in a commit came back."""
        for text in set(clone.standing()) - before:
            for commit, taken in self.taken:
                if taken == text:
                    ancestor = clone.git("merge-base", "--is-ancestor", commit, "HEAD").returncode == 0
                    assert not ancestor, f"{text} was taken out in {commit} and is back"

    def put_back(self, texts: set[str]) -> None:
        """A person, not the tool, brought these texts back (by a revert, a merge, restore)."""
        self.taken = [(commit, text) for commit, text in self.taken if text not in texts]

    @invariant()
    def nothing_is_doubled(self) -> None:
        for clone in getattr(self, "clones", {}).values():
            standing = clone.standing()
            assert len(standing) == len(set(standing)), standing
            self.ever |= set(standing)

    @invariant()
    def nobody_is_put_upon(self) -> None:
        for clone in getattr(self, "clones", {}).values():
            found = clone.done(self.day, "query", "--all", "--limit", "0", "--no-touch", codes=(0, 1))
            for entry in found["entries"]:
                touched = any(entry["text"].startswith(FACTS[name][:20]) for name in self.touched)
                if not touched:
                    assert not entry["pinned"] and entry["rejected_at"] is None, entry

    @invariant()
    def the_rest_of_the_document_is_untouched(self) -> None:
        for clone in getattr(self, "clones", {}).values():
            assert clone.document().startswith("# Project\n\nHello.\n\n## Project memory\n\n<!-- intermem:begin -->\n")
            assert clone.document().endswith("<!-- intermem:end -->\n")

    def nothing_is_lost(self) -> None:
        """Every text that was ever in a document is still in one, or can be restored by somebody."""
        for clone in self.clones.values():
            clone.commit("at the end")
        for text in sorted(self.ever):
            if not any(self.is_at_hand(clone, text) for clone in self.clones.values()):
                raise AssertionError(f"lost: {text}")

    def is_at_hand(self, clone: Clone, text: str) -> bool:
        for branch in ("main", "feature"):
            shown = clone.git("show", f"{branch}:AGENTS.md").stdout
            if f"- {text}\n" in shown:
                return True
        code, out, _ = clone.run(self.day, "restore", identity(text), "--dry-run", "--json")
        if code == 2:
            return False
        found = json.loads(out)
        return bool(found["restored"]) or all(row["gate"] in ("stands", "superseded") for row in found["refused"])


TwoPeople.TestCase.settings = settings(
    max_examples=EXAMPLES,
    stateful_step_count=STEPS,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize="INTERMEM_SOAK" not in os.environ,
    print_blob=True,
)
TestTwoPeople = TwoPeople.TestCase
