"""``python -m intermem``, and the command ``intermem``."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
from typing import NoReturn

from intermem.cli.main import main

# How GitHub Actions (also Gitea and Forgejo), Azure Pipelines and TeamCity make themselves known.
RUNNERS = ("GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION")


def run() -> NoReturn:
    """Run the command line and end the process at once.

    The interpreter would first take every object apart, which costs a hook a twentieth of its time and helps nobody;
    mypy ends in the same way. All that is written has been flushed and closed by then. Nor are cycles looked for on the
    way, among records and verdicts that all live to the end: that took a fifth of a sweep of 100,000 entries, and its
    peak of memory is 2 % higher without (Mercurial does so while it makes many objects).
    """
    gc.disable()
    if any(os.environ.get(name) for name in RUNNERS):
        from intermem.cli.runner import guard_streams

        guard_streams()
    code = main()
    with contextlib.suppress(OSError, ValueError):  # nobody reads it any more
        sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    run()
