"""Handmade findings, tame and hostile, for the tests of every format."""

from __future__ import annotations

from typing import Any

from intermem.core.check.findings import Finding, Location, Suggestion
from intermem.core.check.rules import BY_CODE
from intermem.entities import Citation, Judged, Verdict, VerdictStatus
from intermem.results.check import CheckResult


def finding(
    code: str = "IM001",
    source: str = "",
    cited: str = "",
    *,
    file: str = "AGENTS.md",
    line: int = 1,
    message: str = "",
    **more: Any,
) -> Finding:
    """Return a finding of rule ``code`` where ``source``, which starts on ``line``, contains ``cited``."""
    start = source.index(cited)
    stop = start + len(cited)
    place = Location(
        file=file,
        first_line=line + source.count("\n", 0, start),
        first_column=start - source.rfind("\n", 0, start),
        last_line=line + source.count("\n", 0, stop),
        last_column=stop - source.rfind("\n", 0, stop),
    )
    return Finding(rule=BY_CODE[code], place=place, message=message or f"{cited} is gone", source=source, **more)


def cited(finding: Finding) -> str:
    """Return the text that the lines and columns of ``finding`` select."""
    lines = finding.source.split("\n")
    lines[-1] = lines[-1][: finding.place.last_column - 1]
    lines[0] = lines[0][finding.place.first_column - 1 :]
    return "\n".join(lines)


def result(*findings: Finding, **more: Any) -> CheckResult:
    """Return a result of ``check``."""
    shown: dict[str, Any] = {"checked": ["AGENTS.md"], "ignored": 0, "fixed": [], "unverifiable": []}
    shown |= {"dry_run": False, "revision": None, "exit_code": 1 if findings else 0}
    return CheckResult(findings=findings, **shown | more)


BROKEN = Judged(
    citation=Citation(kind="path", text="`src/old.py`", name="src/old.py"),
    verdict=Verdict(
        status=VerdictStatus.BROKEN, reason="src/old.py was deleted", commit="c0ffee0000" * 4, date="2026-01-10"
    ),
)
MOVED = Judged(
    citation=Citation(kind="path", text="src/a.py", name="src/a.py"),
    verdict=Verdict(status=VerdictStatus.MOVED, target="src/b.py", commit="0ddba11000" * 4, date="2026-01-11"),
)
TAME = (
    finding(
        "IM001",
        "Start with `src/old.py`, then run the tests.",
        "`src/old.py`",
        line=12,
        message="src/old.py was deleted in c0ffee0000 on 2026-01-10",
        judged=BROKEN,
        block="b1",
    ),
    finding(
        "IM002",
        "- The entry point is src/a.py.",
        "src/a.py",
        line=20,
        message="src/a.py moved to src/b.py",
        judged=MOVED,
        entry="0123456789abcdef",
        suggestion=Suggestion(text="src/b.py", safe=True),
    ),
    finding(
        "IM003",
        "See `conf.py`.",
        "conf.py",
        file="docs/AGENTS.md",
        message="conf.py is one of two: api/conf.py, web/conf.py",
        suggestion=Suggestion(text="api/conf.py", safe=False),
    ),
    finding("IM030", file="docs/AGENTS.md", message="52 lines of 50"),
)
LONG = "x" * 5000 + "`src/old.py`" + "y" * 5000
NASTY = (
    finding("IM001", "先看 `源/旧.py`，再跑测试", "`源/旧.py`"),
    finding("IM001", "🚀🚀 then `a.py` 👍", "`a.py`", message="[bold]a.py[/bold] :rocket: {0} {x} [a](b)"),
    finding("IM001", "\t-\tsee\ta.py\there", "a.py"),
    finding("IM001", LONG, "`src/old.py`", message="m" * 10_000),
    finding("IM001", "a \x1b[31mred\x07.py\x9b\u202e b", "\x1b[31mred\x07.py\x9b\u202e"),
    finding("IM001", "one `two\nthree` four", "`two\nthree`", message="two\n::error::three%0A"),
    finding("IM001", "a.py", "a.py", message="a|b <script>alert(1)</script> ![x](http://y) `c` &amp; $d$ ~e~"),
    finding("IM001", "a.py", "a.py", file="docs/my notes/100%,a:b#é文🚀|<i>.md"),
    finding("IM001", "a.py", "a.py", file="bad\udcff\x1b]0;x\x07\n::error::.md"),
    finding("IM002", "go to `é.py` now", "é.py", suggestion=Suggestion(text="a\nb`|<b>文\x1b", safe=True)),
    finding(
        "IM060",
        "<!-- intermem:ignore IM001 -->",
        "<!-- intermem:ignore IM001 -->",
        suggestion=Suggestion(text="", safe=True),
    ),
    finding("IM001", "", ""),
)
