"""How much was tried: a line for each test that counts, in the file that INTERMEM_TALLY names.

``make faults`` makes docs/reliability.md of them.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

_TALLY = os.environ.get("INTERMEM_TALLY")  # now: the tests themselves run without any of our variables


def count(what: str, tried: int, **more: int) -> None:
    """Record that ``tried`` faults of a kind were injected; the caller has asserted that none did harm."""
    if _TALLY:
        with Path(_TALLY).open("a", encoding="utf-8") as file:
            file.write(json.dumps({"what": what, "tried": tried, **more}) + "\n")
