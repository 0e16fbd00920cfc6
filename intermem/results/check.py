"""Results of ``check``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from intermem.lazy_dataclass import dataclass
from intermem.results import Result, WritingResult

if TYPE_CHECKING:
    from intermem.core.check.findings import Finding
    from intermem.core.check.rules import Rule
    from intermem.entities import Judged


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """A citation that is no finding, but worth knowing of, and where it is (line and column from 1)."""

    file: str
    line: int
    column: int
    citation: Judged


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult(WritingResult):
    """The findings in the documents ``checked``, and how many more were ``ignored``.

    Of the documents ``excluded`` by the configuration there are only findings about what nobody sees.
    ``fixed`` were, or with ``dry_run`` would be, fixed. ``revision`` is what was checked, None for the working tree.
    Neither ``unverifiable`` citations nor valid ones of functions that have ``changed`` since the line was written are
    findings. ``unread`` are documents that were found, but are no text that can be read. ``narrowed`` are the arguments
    of the command line that chose these findings among all.
    """

    has_table: ClassVar[bool] = False

    verb: str = "check"
    findings: Sequence[Finding]
    checked: Sequence[str]
    ignored: int
    excluded: Sequence[str] = ()
    fixed: Sequence[Finding]
    unverifiable: Sequence[Noted]
    changed: Sequence[Noted] = ()
    revision: str | None
    unread: Sequence[str] = ()
    narrowed: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesResult(Result):
    """Every rule (``check --rules``)."""

    has_table: ClassVar[bool] = False

    verb: str = "check"
    rules: Sequence[Rule]
