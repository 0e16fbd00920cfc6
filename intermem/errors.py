"""Errors that are shown to the user.

Each has a message of one line that says what happened and what was changed, a hint with the next
step, and a stable ``code`` for ``--json``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date


class IntermemError(Exception):
    """The base class of all errors shown to the user; the run exits with code 2.

    An ``unsettled`` error can occur before, while and after something is written, so its message says nothing of
    that; whoever knows how far the run got completes it with ``settle``. ``notices`` are what the run had to say
    until then.
    """

    code = "error"
    exit_code = 2

    def __init__(self, message: str, *, hint: str = "", unsettled: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.unsettled = unsettled
        self.notices: tuple[str, ...] = ()

    def settle(self, outcome: str) -> None:
        """Add to the message what the run left behind, if it does not say so yet."""
        if self.unsettled:
            self.message = f"{self.message}; {outcome}"
            self.unsettled = False


class UsageError(IntermemError):
    """The command line is invalid."""

    code = "usage"


class ConfigurationError(IntermemError):
    """The configuration has an unknown key, or a value that is not valid."""

    code = "configuration"


class MemoryNotFound(IntermemError):
    """No memory directory was found."""

    code = "no-memory"


class MemoryAmbiguous(IntermemError):
    """More than one memory directory could belong to this project."""

    code = "memory-ambiguous"


class UnreadableFile(IntermemError):
    """A file cannot be read: it is not UTF-8, too large, or not a regular file."""

    code = "unreadable-file"


class UnreadableText(UnreadableFile):
    """A file can be opened, but is not UTF-8 text, or is too large."""


class DocumentRefused(IntermemError):
    """A document's markers or bytes do not allow a safe edit."""

    code = "document-refused"


class LedgerRefused(IntermemError):
    """The ledger cannot be read, so the state of this branch is unknown and nothing is decided."""

    code = "ledger-refused"

    def __init__(self, where: str, what: str) -> None:
        super().__init__(
            f"{where}: {what}; it was left alone, and so are the documents",
            hint="git checkout HEAD -- .intermem restores the committed ledger",
        )


class DocumentChanged(IntermemError):
    """A document changed after the edit was planned."""

    code = "document-changed"


class UndoRefused(IntermemError):
    """An operation cannot be undone: unknown, already undone, too old, or followed by another."""

    code = "undo-refused"


class DocumentNotWritten(IntermemError):
    """Writing a document failed; the message names those that could not be put back."""

    code = "document-not-written"


class NoDocument(IntermemError):
    """There is no document to curate."""

    code = "no-document"


class EditRefused(IntermemError):
    """An edit would have changed more than its region, and was not made."""

    code = "edit-refused"


class StateError(IntermemError):
    """metadata.db cannot be used: damaged, newer than this version, locked, or not writable."""

    code = "state"


class UnreadableTime(StateError):
    """A stored or given time is not ISO 8601."""

    code = "unreadable-time"


class NoSuchEntry(IntermemError):
    """No entry has this id, or more than one has this prefix."""

    code = "no-such-entry"


class SystemFault(IntermemError):
    """The system refused what a command needs: a file, a folder, memory, depth of recursion."""

    code = "system"


class EntryPurged(IntermemError):
    """An entry was purged: no record of it is left, or, where only this branch says so, the record is set aside."""

    code = "purged"

    def __init__(self, key: str, day: date, *, is_kept: bool = False, is_told: bool = False) -> None:
        left = "its record here is set aside" if is_kept else "no record of it is left"
        for_good = "the ledger keeps it out for good: a note in other words is another entry"
        hint = for_good if is_told else "intermem scan --relearn learns it again, if the memory has it"
        super().__init__(f"{key[:8]} was purged on {day}: {left}", hint=hint)


class RepositoryError(IntermemError):
    """A git command failed."""

    code = "repository"
