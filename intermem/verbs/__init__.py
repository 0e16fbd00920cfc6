"""The verbs: the arguments of each, and how its command is called. Commands are imported when they run."""

from __future__ import annotations

from intermem.verbs.arguments import Row
from intermem.verbs.checking import CHECKING
from intermem.verbs.curating import CURATING
from intermem.verbs.judging import JUDGING
from intermem.verbs.looking import LOOKING

VERBS: dict[str, Row] = {**CURATING, **CHECKING, **JUDGING, **LOOKING}
