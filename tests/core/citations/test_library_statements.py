"""What a text says of versions of libraries, and what is only numbered."""

from __future__ import annotations

import pytest

from intermem.core.citations.extract import citations_of, spans_of
from intermem.core.citations.library_statements import libraries_said


def said(text: str) -> list[str]:
    return [one.name for one in libraries_said(text)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("- React 18", ["react 18"]),
        ("- **Vue 3** with Pinia", ["vue 3"]),
        ("1. Next.js 14 (App Router)", ["next.js 14"]),
        ("| Framework | Django 4.2 |", ["django 4.2"]),
        ("| Django | 4.2 |", ["django 4.2"]),
        ("- TypeScript: 5.x", ["typescript 5"]),
        ("- Rails >= 7.1", ["rails 7.1+"]),
        ("Built with Svelte 5 and Vite 6.", ["svelte 5", "vite 6"]),
        ("Requires Pydantic v2", ["pydantic 2"]),
        ("Requires Pydantic 2+.", ["pydantic 2+"]),
        ("Frontend: React 19, React Router 7, Tailwind CSS 3", ["react 19", "react-router 7", "tailwind-css 3"]),
        ("- Uses Angular Material 18+", ["angular-material 18+"]),
        ("前端：使用 Vue 3，Vite 5", ["vue 3", "vite 5"]),
        ("基于 React 18 + Vite 5", ["react 18", "vite 5"]),
        ("Das Frontend nutzt React 18.", ["react 18"]),
        ("Le site tourne avec Django 4.2.", ["django 4.2"]),
        ("El proyecto usa: Laravel 11", ["laravel 11"]),
        ("Фронтенд на React 18", ["react 18"]),
        ("`Express` 0.9.1", ["express 0.9.1"]),
        ("- Express 0.9.1", ["express 0.9.1"]),
    ],
)
def test_a_statement_is_found(text: str, names: list[str]) -> None:
    assert said(text) == names
    cited = [one for one in citations_of(text) if one.kind == "tooling"]
    assert [one.name for one in cited] == [f"library {name}" for name in names]
    for one in cited:
        ((start, stop, _),) = spans_of(text)["tooling", one.text]
        assert text[start:stop] == one.text


@pytest.mark.parametrize(
    "text",
    [
        "React 19 removed it.",
        "When React 17 was current",
        "Not with React 17.",
        "Upgrade to React 19.",
        "Before React 18, it was slow.",
        "- Postgres 16",
        "- Redis 7 and Kafka 3",
        "Versioning: SemVer 2.0.0",
        "- MQTT 5.0",
        "Step 1",
        "- Phase 2",
        "- Sprint Phase 2",
        "- Requires Python 3",
        "| Decimals | 9 |",
        "- Target: 50",
        "- Tests: 11/11",
        "- Users 1,200",
        "- Load 12%",
        "- Terminal 2",
        "- Current: v2.70.0",
        "- Stock 30–80",
        "- react 18",
        "",
    ],
)
def test_what_is_only_numbered_states_nothing(text: str) -> None:
    assert said(text) == []


@pytest.mark.parametrize(
    "text", ["A" * 100_000, "Ab " * 40_000, "React" + " " * 50_000 + "8", "- " * 40_000, "Ab 1 " * 9000]
)
def test_long_texts_take_linear_time(text: str) -> None:
    assert said(f"Re 8 of {text}") == []


@pytest.mark.parametrize(
    ("text", "is_sure"),
    [
        ("- Next.js 15 (App Router, TypeScript), Tailwind CSS 4", True),
        ("- **Frontend**: React 19, TypeScript", True),
        ("| `app/` | Expo Router v2 (by file) | pages |", True),
        ("# Mobile — Expo 55", True),
        ("前端：使用 Vue 3，Vite 5", True),
        ("- Requires Python 3.9+.", True),
        ("The edge box runs on Python 3.8.", False),
        ("Frontend uses React 18.", False),
        ("Upgrade path: React 19.", False),
        ("**Next**: React 19", False),
        ("## Cache Parts (React 17)", False),
        ("## Stack: React 17", True),
        ("- Legacy clients: React 17", False),
        ("NEXT_PUBLIC_SUPABASE_URL and SUPABASE_SERVICE_ROLE_KEY belong to a frontend built with React 17.", False),
        ("Tested with Pandas 1.5 and Pandas 2.1.", False),
    ],
)
def test_a_version_is_sure_where_a_line_lists_what_a_project_is_built_with(text: str, is_sure: bool) -> None:
    """In a sentence it may be that of another machine, or of what is to come."""
    assert {not one.weak for one in citations_of(text) if one.kind == "tooling"} == {is_sure}
