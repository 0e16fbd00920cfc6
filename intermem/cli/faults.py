"""What a command says, instead of a traceback, if the system failed it and no closer place said so."""

from __future__ import annotations

from intermem.errors import SystemFault

_HINT = "check the disk and the permissions, then run it again; intermem doctor says whether anything is pending"


def described(error: Exception) -> SystemFault | None:
    """Return a failure of the system as an error with one line and a hint; None for anything else."""
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return SystemFault(f"{where}{error.strerror or error}"[:400], hint=_HINT)
    if isinstance(error, RecursionError):
        return SystemFault("something is nested too deeply to be read", hint="look for it in what was changed last")
    if isinstance(error, MemoryError):
        return SystemFault("out of memory", hint="free some, then run the command again")
    if type(error).__module__ == "sqlite3":
        return SystemFault(f"metadata.db: {error}", hint=_HINT)
    if isinstance(error, ValueError) and str(error).startswith("embedded null"):
        return SystemFault("a path holds a NUL", hint="look for it in the configuration and in the arguments")
    return None
