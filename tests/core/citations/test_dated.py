"""Which lines are records of a day, and what is no alarm there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from intermem.core.citations.dated import archives_of, as_of, day_of_record, is_backup, is_kept, is_report
from intermem.core.citations.judge import setting_of
from intermem.entities import Evidence, Verdict, VerdictStatus


@pytest.mark.parametrize(
    ("trail", "text", "day"),
    [
        ((), "| 2026-03-30 | rules moved to `src/a.py` |", "2026-03-30"),
        ((), "- **2026-03-30**: moved `src/a.py`", "2026-03-30"),
        ((), "| 87 | 2026-03-30 | rules moved to `src/a.py` |", "2026-03-30"),
        ((), "| **ADR-12** | 2026-03-30 | rules moved to `src/a.py` |", "2026-03-30"),
        ((), "| `src/a.py` | 2026-03-30 | last read |", None),
        ((), "| 87 racks | 2026-03-30 | read by `src/a.py` |", None),
        (("Notes", "2026-03-30 — Rules aligned"), "see `src/a.py`", "2026-03-30"),
        (("Notes", "2026-03-30", "What changed"), "see `src/a.py`", "2026-03-30"),
        (("10. Key decisions log",), "see `src/a.py`", ""),
        (("Changelog",), "see `src/a.py`", ""),
        (("Release notes for 2.0",), "see `src/a.py`", ""),
        (("History",), "see `src/a.py`", ""),
        (("Bugs Hit and Resolved (session 2)",), "see `src/a.py`", ""),
        (("Fixed issues",), "see `src/a.py`", ""),
        (("How issues are resolved",), "see `src/a.py`", None),
        (("Bugs and how they are resolved",), "see `src/a.py`", None),
        (("Completed",), "see `src/a.py`", ""),
        (("近期优先级", "已完成 ✅"), "`a.ts` 拆子模块", ""),
        ((), "- **Faster sign-in** (Dec 21, 2025 - FIX): kept in `src/a.py`", "2025-12-21"),
        ((), "- **Faster sign-in** (2025-12-21): kept in `src/a.py`", "2025-12-21"),
        ((), "- **Faster sign-in** (since 2025-12-21): kept in `src/a.py`", None),
        ((), "- **Faster sign-in** (2025-12-21) is in `src/a.py`", None),
        ((), "`src/a.py` was last read on 2026-03-30", None),
        (("Guide (updated 2026-03-30)",), "see `src/a.py`", None),
        (("Git history",), "see `src/a.py`", None),
        (("History of the parser",), "see `src/a.py`", None),
        (("Definition of done",), "see `src/a.py`", None),
        (("Incomplete parts",), "see `src/a.py`", None),
        ((), "20260330 `src/a.py`", None),
        (("Feb 7, 2026",), "| 4:06 PM | `src/a.py` |", "2026-02-07"),
        ((), "- **7th February 2026**: moved `src/a.py`", "2026-02-07"),
        (("Sign-in (Aug 29) ✅", "Files"), "- Added `src/a.py`", ""),
        (("- **Types, and what they are for (June 2025)**:",), "  - Changed `src/a.py`", ""),
        (("Types (since June 2025)",), "- Changed `src/a.py`", None),
        (("Sign-in (2026-08-29)",), "- Added `src/a.py`", ""),
        (("Sign-in (29 August 2026)",), "- Added `src/a.py`", ""),
        (("Changes (2026-08-29 Round 2 — sign-in)", "Fixes"), "- Added `src/a.py`", ""),
        (("Changes (since 2026-08-29)",), "- Added `src/a.py`", None),
        (("Sign-in (August)",), "- Added `src/a.py`", None),
        (("Sign-in (see Aug 29)",), "- Added `src/a.py`", None),
        (("Guide", "Sweep of the racks — 2026-05-29", "What was replaced"), "| Rack | `src/a.py` |", "2026-05-29"),
        (("Auditoría de hornos — 2026-05-29",), "| Rack | `src/a.py` |", "2026-05-29"),
        (("清理记录 — 2026-05-29",), "| Rack | `src/a.py` |", "2026-05-29"),
        (("Map of the repository — 2026-05-29",), "| Rack | `src/a.py` |", None),
        (("Guide", "Racks — since 2026-05-29"), "| Rack | `src/a.py` |", None),
        (("Why",), "KILN-78 read `src/a.py`, and the rack was empty.", ""),
        ((), "**Why:** In KILN-78 the worker changed `src/a.py`.", ""),
        ((), "**Why:** merged in PR #12, as `src/a.py` was slow.", ""),
        ((), "**Why:** `src/a.py` reads UTF-8 only.", None),
        (("Why", "How"), "KILN-78 reads `src/a.py`.", None),
        ((), "Whyever KILN-78 reads `src/a.py`.", None),
        ((), "May 10 files be in `src/`?", None),
        ((), "Marching 10 2026", None),
        (("Phases", "Phase 3: Racks that cool -- COMPLETE", "New files"), "- `src/a.py`", ""),
        (("**Sprint 12** ✅",), "- `src/a.py`", ""),
        (("State", "✅ FASE 1 COMPLETADA AL 100%", "2. Archivos movidos"), "- ✅ `src/a.py`", ""),
        (("Phase 2 done",), "- `src/a.py`", ""),
        (("Phase 2 is half done",), "- `src/a.py`", None),
        (("Phase 2 completed by the kiln",), "- `src/a.py`", None),
        (("Milestone II (done)",), "- `src/a.py`", ""),
        (("Meilenstein 2: Öfen – abgeschlossen",), "- `src/a.py`", ""),
        (("第二阶段：窑炉（已完成）",), "- `src/a.py`", ""),
        (("Этап 4 (завершён)",), "- `src/a.py`", ""),
        (("Phase 3: Racks that cool",), "- `src/a.py`", None),
        (("Phase 3: not complete",), "- `src/a.py`", None),
        (("第二阶段：未完成",), "- `src/a.py`", None),
        (("Stage 2: load trays when the kiln is done",), "- `src/a.py`", None),
        (("Racks (complete)",), "- `src/a.py`", None),
    ],
)
def test_which_lines_are_records(trail: tuple[str, ...], text: str, day: str | None) -> None:
    assert day_of_record(trail, text) == day
    assert setting_of(trail, (), "docs", text=text).recorded == day
    assert setting_of(trail, (), "docs").recorded is None, "notes are to hold today"


@pytest.mark.parametrize(
    ("lead", "day"),
    [
        ("**Previous (November 22, 2025):**", ""),
        ("**Previous (v0.16.3 - October 6, 2025):**", ""),
        ("2025-11-22:", "2025-11-22"),
        ("**Files (v2):**", None),
        ("", None),
    ],
)
def test_the_line_above_a_list_may_date_it(lead: str, day: str | None) -> None:
    assert day_of_record(("Project",), "see `src/a.py`", lead) == day
    assert setting_of(("Project",), (), "docs", text="see `src/a.py`", lead=lead).recorded == day
    assert day_of_record(("2025-01-01",), "see `src/a.py`", lead) == ("2025-01-01" if day != "2025-11-22" else day)


@pytest.mark.parametrize(
    ("day", "broke", "status"),
    [
        (None, "2026-04-01", "broken"),
        ("", "2026-04-01", "unverifiable"),
        ("", None, "unverifiable"),
        ("2026-03-30", "2026-04-01", "unverifiable"),
        ("2026-03-30", "2026-03-30", "unverifiable"),
        ("2026-03-30", "2026-03-29", "broken"),
        ("2026-03-30", None, "unverifiable"),
    ],
)
def test_what_broke_after_the_day_is_no_alarm(day: str | None, broke: str | None, status: str) -> None:
    found = as_of(Verdict(status=VerdictStatus.BROKEN, reason="deleted", date=broke), day)
    assert found.status == status
    name = Verdict(status=VerdictStatus.BROKEN, reason="removed", date=broke, evidence=Evidence.DEFINITION)
    assert as_of(name, day).status == ("broken" if day is None else "unverifiable"), "another thing may have had it"
    fine = Verdict(status=VerdictStatus.VALID, target="src/a.py")
    assert as_of(fine, day) is fine


def test_a_file_that_was_renamed_is_an_alarm_in_a_record_too() -> None:
    moved = Verdict(status=VerdictStatus.MOVED, target="b.md", date="2026-04-01", evidence=Evidence.RENAMED)
    assert as_of(moved, "2026-03-30") == as_of(moved, "") == moved
    assert as_of(replace(moved, evidence=Evidence.REWRITTEN), "").status is VerdictStatus.UNVERIFIABLE


def test_a_record_of_a_decision_is_kept_as_it_was() -> None:
    assert is_kept("docs/adr/0007-kiln.md") and is_kept("docs/decisions/12_kiln.md") and is_kept("ADR/ADR-004-kiln.md")
    assert is_kept("specs/011-kiln-racks/CLAUDE.md") and is_kept("web/plans/07_heat/notes/AGENTS.md")
    assert (
        not is_kept("specs/CLAUDE.md")
        and not is_kept("specs/heat/CLAUDE.md")
        and not is_kept("features/01-heat/AGENTS.md")
    )
    assert is_kept("audit/docs-copy-16-09025/AGENTS.md") and is_kept("guides copy 2/AGENTS.md")
    assert not is_kept("src/copy/AGENTS.md") and not is_kept("src/zero-copy/AGENTS.md")
    assert not is_kept("docs/decisions/README.md") and not is_kept("docs/kiln/0007-kiln.md")


@pytest.mark.parametrize(
    ("document", "code", "is_one"),
    [
        ("backup/CLAUDE.md", "src/kiln.py", True),
        ("_backups_2/notes/AGENTS.md", "src/kiln.py", True),
        ("backup/CLAUDE.md", "backup/kiln.py", False),
        ("src/backup/CLAUDE.md", "kiln.py", False),
        ("backup-api/CLAUDE.md", "src/kiln.py", False),
    ],
)
def test_a_folder_of_backups_at_the_top_has_no_code(document: str, code: str, is_one: bool) -> None:
    assert is_backup(document, frozenset({document, code})) is is_one


def test_archives_are_known_by_name() -> None:
    assert archives_of("docs/_archive/AGENTS.md") == {"_archive"}
    assert archives_of("docs-archived/notes_legacy/web-archive/old-times") == {
        "docs-archived",
        "notes_legacy",
        "old-times",
    }
    assert archives_of("docs/archiver/oldest/AGENTS.md") == set()


ARCHIVES = """
archives 90-archive 04_Archive alt _alt alt2 alte-plaene Archiv veraltet veraltete viejo viejos_planes antiguo obsoleto
archivo arquivo arquivados antigos velho ancien anciennes-notes vecchio vecchi archivio stary stare старый Архив
устаревшее 旧 旧版 旧_docs 归档 已归档 归档2024 存档 廃止 廃止済み 保管 보관 보관함 lưu-trữ eski arşiv oud
lu\u031bu-tru\u031b\u0303
"""
NONE = """
alt-text alternatives altair archivos arquivos archiver archivist eskimo starter старт stars oudekerk 旧金山 cursor
ancienty gamma velhonet vecchione oldest 2024 notes-old
"""


@pytest.mark.parametrize("name", ARCHIVES.split())
def test_archives_are_known_by_name_in_other_languages(name: str) -> None:
    assert archives_of(f"docs/{name}/AGENTS.md") == {name.lower()}


@pytest.mark.parametrize("name", NONE.split())
def test_other_folders_are_none(name: str) -> None:
    assert archives_of(f"docs/{name}/AGENTS.md") == set()


@pytest.mark.large
@pytest.mark.parametrize("piece", ["a ", "0", "- ", "re lease "])
def test_a_heading_of_a_megabyte_is_read(piece: str) -> None:
    assert day_of_record((piece * 1_000_000,), piece * 1_000_000) is None


REPORT = "**Racks are heated in turn (task 138)**: " + "the queue gained a limit, which a test caught at once. " * 8


@pytest.mark.parametrize(
    ("end", "is_one"),
    [
        ("4 new `kiln` tests.", True),
        ("All tests are green (28, up from 24).", True),
        ("3 neue Tests.", True),
        ("新增 12 个单元测试。", True),
        ("There are 24 tests.", False),
        ("Each change needs at least 2 new unit tests.", False),
        ("Write new tests for each.", False),
    ],
)
def test_who_counts_the_tests_that_are_new_reports_a_day(end: str, is_one: bool) -> None:
    assert is_report(REPORT + end) is is_one and not is_report(end), "a short line may be a rule"
    assert (day_of_record((), REPORT + end) == "") is is_one
