"""Records of a day: what a log, a changelog or a list of what is done says was so then, and need not be so now."""

from __future__ import annotations

import re
from collections.abc import Sequence

from intermem.entities import Verdict, VerdictStatus

_DAY = re.compile(r"[^\w\n]{0,12}((?:19|20)\d\d-[01]\d-[0-3]\d)(?!\d)")
# Headings of logs; "History of the parser" and "Definition of done" are none.
_LOG = re.compile(
    r"(?:[^\w\n]|\d){0,9}(?:(?:\w+\s){0,2}(?:change[ -]?log|log\sof\sdecisions|decisions?\slog|release\snotes)"
    r"(?:\sfor\s.{1,30})?\W{0,3}$"
    r"|(?:(?:project|version|revision|release|change)\s)?history\W{0,3}$|(?:recently\s)?completed(?:\s(?:tasks|work|items|features|phases))?\W{0,3}$|已完成|更新日志|变更记录|决策记录)",
    re.IGNORECASE,
)
ALARMS = (VerdictStatus.BROKEN, VerdictStatus.MOVED, VerdictStatus.AMBIGUOUS)


def day_of_record(trail: Sequence[str], text: str) -> str | None:
    """Return the day (ISO) of which ``text`` below the headings ``trail`` is a record, None where it is none.

    Empty where it is one of no day. A day counts where a text or a heading begins with it.
    """
    for written in (text, *reversed(trail)):
        match = _DAY.match(written)
        if match is not None:
            return match[1]
    return "" if any(_LOG.match(heading) for heading in trail) else None


def as_of(verdict: Verdict, day: str | None) -> Verdict:
    """Return the verdict on what a record of ``day`` cites: what broke since then is no alarm, it was so then."""
    if day is None or verdict.status not in ALARMS or (day and verdict.date is not None and verdict.date < day):
        return verdict
    return Verdict(status=VerdictStatus.UNVERIFIABLE, reason=f"a record{' of ' if day else ''}{day}: it was so then")
