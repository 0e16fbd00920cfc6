"""How a command runs: for real or as a dry run."""

from __future__ import annotations

from dataclasses import replace

from intermem.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class RunMode:
    """The options shared by the commands that write documents.

    ``dry_run`` and ``show_diff`` write nothing; ``force`` writes even during a merge, rebase or bisect.
    """

    dry_run: bool = False
    show_diff: bool = False
    force: bool = False

    @property
    def dry(self) -> bool:
        """True if nothing is to be written."""
        return self.dry_run or self.show_diff

    def dry_if(self, dry: bool) -> RunMode:
        """Return this mode, as a dry run if ``dry``."""
        return replace(self, dry_run=True) if dry else self
