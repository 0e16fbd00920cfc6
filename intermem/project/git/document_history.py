"""Read the history of documents and ledger, on this branch and beside it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from intermem.project.files import read_regular
from intermem.project.git.answers import MAX_COUNTED_BYTES, fields_of
from intermem.project.git.objects import Objects
from intermem.project.git.process import Git

if TYPE_CHECKING:
    from intermem.core.reconcile.lineage import Lineage


@dataclass(frozen=True)
class DocumentHistory:
    """The commits in which documents or the ledger changed."""

    git: Git
    objects: Objects

    def lineage(self, documents: Sequence[str], ledger: str) -> Lineage:
        """Return the commits behind HEAD that changed ``documents`` or ``ledger``, and all merges, with texts.

        Paths are from the top. Five processes, once for the same arguments. Empty where there is no
        commit yet, and in a partial clone, whose missing texts would look like removals.
        """
        asked = (*documents, ledger)
        if asked not in self._lineages:
            self._lineages[asked] = self._read(documents, ledger)
        return self._lineages[asked]

    @cached_property
    def _lineages(self) -> dict[tuple[str, ...], Lineage]:
        return {}

    def _read(self, documents: Sequence[str], ledger: str) -> Lineage:
        from intermem.core.reconcile.lineage import Commit, Lineage, lineage_of

        if self.git.head is None or self.git.is_partial:
            return Lineage()
        paths = [*documents, ledger]
        # Full history: git would otherwise drop the parent that never had an entry, and with it the reason why it
        # is gone.
        out = self.git.run(
            ["log", "-z", "--full-history", "--parents", "--topo-order", "--format=%H %cs %P", self.git.head, "--"]
            + [f":(top,literal){path}" for path in paths]
        )
        heads = [field.split() for field in fields_of(out)]
        checked_out, tips = self._other_branches(ledger)
        names = [f"{head[0]}:{path}" for head in heads for path in paths]
        texts = iter(self.objects.texts([*names, *(f"{tip}:{ledger}" for tip in tips)]))
        commits: list[Commit] = []
        for key, day, *parents in heads:
            *found, line = (next(texts) for _ in paths)
            commits.append(Commit(key, day, tuple(parents), dict(zip(documents, found, strict=True)), line))
        elsewhere = dict.fromkeys(text for text in [*checked_out, *texts] if text is not None)
        return lineage_of(tuple(commits), tuple(elsewhere))

    def _other_branches(self, ledger: str) -> tuple[list[str], list[str]]:
        """Return the ledgers checked out in other worktrees, and the tips of all branches and worktrees."""
        branches = fields_of(self.git.run(["for-each-ref", "--format=%(objectname)%00", "refs/heads", "refs/remotes"]))
        tips = dict.fromkeys(name.strip() for name in branches if name.strip())
        checked_out: list[str] = []
        # Without -z, which git before 2.36 lacks here; a path with a line break is skipped.
        listed = self.git.run(["worktree", "list", "--porcelain"]).decode("utf-8", "surrogateescape")
        for line in listed.split("\n"):
            name, _, value = line.partition(" ")
            if name == "HEAD":
                tips[value] = None
            elif name == "worktree" and Path(os.path.realpath(value)) != self.git.cwd:
                path = Path(os.path.realpath(Path(value) / ledger))
                is_inside = path.is_relative_to(os.path.realpath(value))
                content = read_regular(path, MAX_COUNTED_BYTES) if is_inside else None
                if content is not None:
                    checked_out.append(content.decode("utf-8", "surrogateescape"))
        return checked_out, list(tips)
