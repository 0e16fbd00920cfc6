"""How a command runs: for real, or only to say what it would do."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class RunMode:
    """The options that every verb shares that writes documents.

    ``dry_run`` and ``show_diff`` write nothing; ``force`` works in the middle of a merge, rebase or bisect too.
    """

    dry_run: bool = False
    show_diff: bool = False
    force: bool = False

    @property
    def dry(self) -> bool:
        """True where nothing is to be written."""
        return self.dry_run or self.show_diff

    def dry_if(self, dry: bool) -> RunMode:
        """Return this mode, dry also where ``dry``."""
        return replace(self, dry_run=True) if dry else self
