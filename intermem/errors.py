"""What can go wrong, in the user's words.

Every error carries one line that says what happened (and that nothing was lost), a hint that
names the next step, and a stable ``code`` for ``--json``.
"""

from __future__ import annotations


class IntermemError(Exception):
    """The base of every error that a user may see; it ends a run with exit code 2."""

    code = "error"
    exit_code = 2

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(IntermemError):
    """The command line asks for something that cannot be."""

    code = "usage"


class ConfigurationError(IntermemError):
    """A key, type or value in the configuration is not one of ours."""

    code = "configuration"


class MemoryNotFound(IntermemError):
    """No memory directory was found."""

    code = "no-memory"


class MemoryAmbiguous(IntermemError):
    """More than one memory directory could be this project's."""

    code = "memory-ambiguous"


class UnreadableFile(IntermemError):
    """A file cannot be read as what it should be: not UTF-8, too large, not a regular file."""

    code = "unreadable-file"


class UnreadableText(UnreadableFile):
    """A file is there and can be read, but is no UTF-8 text of a usual size."""


class DocumentRefused(IntermemError):
    """A document's markers or bytes do not allow an edit that is certain to be right."""

    code = "document-refused"


class LedgerRefused(IntermemError):
    """The ledger cannot be read; what stands on this branch is not known, so nothing is decided by it."""

    code = "ledger-refused"

    def __init__(self, line: int, what: str, *, hint: str = "") -> None:
        super().__init__(
            f".intermem/ledger.jsonl:{line}: {what}; it was left alone, and so are the documents",
            hint=hint or "git checkout HEAD -- .intermem/ledger.jsonl restores the committed one",
        )


class DocumentChanged(IntermemError):
    """A document is not what it was when the plan was made."""

    code = "document-changed"


class UndoRefused(IntermemError):
    """An operation cannot be taken back: it is unknown, undone, too old, or another came after it."""

    code = "undo-refused"


class DocumentNotWritten(IntermemError):
    """The file system refused a document; it is as it was."""

    code = "document-not-written"


class NoDocument(IntermemError):
    """There is no document to curate."""

    code = "no-document"


class EditRefused(IntermemError):
    """An edit would have changed more than its region; it was not made."""

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


class RepositoryError(IntermemError):
    """git could not answer."""

    code = "repository"
