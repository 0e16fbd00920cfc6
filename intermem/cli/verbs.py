"""The verbs: the arguments of each, and how its command is called. Commands are imported when they run."""

from __future__ import annotations

from intermem.cli.arguments import Row
from intermem.cli.check import CHECKING
from intermem.cli.curate import CURATING
from intermem.cli.decide import JUDGING
from intermem.cli.inspect import LOOKING

VERBS: dict[str, Row] = {**CURATING, **CHECKING, **JUDGING, **LOOKING}
