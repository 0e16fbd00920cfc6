"""Statements about tools against manifests: what agrees anywhere is valid, what all above contradict is broken."""

from __future__ import annotations

import pytest

from intermem.core.citations.extract import citations_of
from intermem.core.citations.judge import Cited, judge, questions_for
from intermem.core.citations.kinds.resolution import Setting
from intermem.entities import Evidence, Verdict, VerdictStatus
from intermem.facts import Event, Facts, History
from intermem.project.git.answers import tree_of

VALID, BROKEN, UNVERIFIABLE = VerdictStatus.VALID, VerdictStatus.BROKEN, VerdictStatus.UNVERIFIABLE


def verdict_on(
    text: str, files: dict[str, str], folder: str | None = "", branch: str | None = None, history: History | None = None
) -> Verdict:
    """The verdict on the one statement of ``text`` in a repository of ``files``."""
    (citation,) = [one for one in citations_of(text) if one.kind == "tooling"]
    tree = tree_of(files, "", ())
    cited = Cited(citation, Setting(folder=folder))
    asked = questions_for([cited], tree)
    facts = Facts(
        tree=tree,
        texts={path: files[path] for path in asked.texts},
        default_branch=branch if asked.branch else None,
        history=history or History(),
    )
    return judge(cited, facts).verdict


NPM = {"package.json": '{"packageManager": "npm@10.2.0"}', "package-lock.json": "{}"}
COMPOSED = "composer.json:1"
DEPENDED = "pyproject.toml:2"
CI = ".github/workflows/ci.yml:1"
PYTHON = {"pyproject.toml": '[project]\nname = "x"\nrequires-python = ">=3.11"\n'}


@pytest.mark.parametrize(
    ("text", "files", "status", "target"),
    [
        ("Use npm.", NPM, VALID, "package-lock.json"),
        ("Use pnpm.", NPM, BROKEN, None),
        ("Use pnpm.", {**NPM, "web/pnpm-lock.yaml": ""}, VALID, "web/pnpm-lock.yaml"),
        ("Use pnpm.", {"web/package-lock.json": ""}, UNVERIFIABLE, None),
        ("Use pnpm.", {"examples/x/pnpm-lock.yaml": "", "yarn.lock": ""}, BROKEN, None),
        ("Use pnpm.", {"package.json": "{"}, UNVERIFIABLE, None),
        ("Use pnpm.", {**NPM, ".github/workflows/ci.yml": "run: pnpm install --frozen-lockfile"}, VALID, CI),
        ("Use pnpm.", {**NPM, "web/Dockerfile": "RUN npm ci && pnpm install"}, VALID, "web/Dockerfile:1"),
        ("Use pnpm.", {**NPM, ".github/workflows/ci.yml": "run: npm install --global pnpm"}, BROKEN, None),
        ("Use pnpm.", {**NPM, ".github/workflows/ci.yml": "run: pnpm install -g ruff"}, BROKEN, None),
        ("Use pnpm.", {**NPM, ".github/workflows/ci.yml": "# - run: pnpm install"}, BROKEN, None),
        ("Use yarn.", {".github/workflows/ci.yml": "run: npm ci"}, UNVERIFIABLE, None),
        ("Use yarn.", {"package.json": '{"packageManager": "yarn@4.1.0"}'}, VALID, "package.json:1"),
        ("Use poetry.", {**PYTHON, "uv.lock": ""}, BROKEN, None),
        ("Use poetry.", {"pyproject.toml": '[tool.poetry]\nname = "x"\n'}, VALID, "pyproject.toml:1"),
        ("Use poetry.", NPM, UNVERIFIABLE, None),
        ("Requires Python 3.9.", PYTHON, BROKEN, None),
        ("Requires Python 3.9+.", PYTHON, BROKEN, None),
        ("Requires Python 3.11+.", PYTHON, VALID, "pyproject.toml:3"),
        ("Requires Python 3.13.", PYTHON, VALID, "pyproject.toml:3"),
        (
            "Requires Python 3.9.",
            {**PYTHON, "old/setup.cfg": "[options]\npython_requires = >=3.8\n"},
            VALID,
            "old/setup.cfg:2",
        ),
        ("Requires Python 3.9.", {"tools/pyproject.toml": PYTHON["pyproject.toml"]}, UNVERIFIABLE, None),
        ("Requires Python 3.9.", {"pyproject.toml": "[project"}, UNVERIFIABLE, None),
        ("Requires Node 16.", {"package.json": '{"engines": {"node": "^18.17 || >=20"}}'}, BROKEN, None),
        ("Requires Node 18.", {"package.json": '{"engines": {"node": "^18.17 || >=20"}}'}, VALID, "package.json:1"),
        ("Requires Node 16.", {"package.json": '{"engines": {"node": "<23"}}'}, UNVERIFIABLE, None),
        ("Requires Node 18.", {".nvmrc": "v20.11.1\n"}, BROKEN, None),
        ("Requires Node 18+.", {".nvmrc": "v20.11.1\n"}, VALID, ".nvmrc:1"),
        ("Requires Node 20.", {".tool-versions": "nodejs 20.11.1\n"}, VALID, ".tool-versions:1"),
        ("Requires Node 18.", {".nvmrc": "lts/*\n"}, UNVERIFIABLE, None),
        ("Language: Go 1.20", {"go.mod": "module x\n\ngo 1.22\n"}, BROKEN, None),
        ("Language: Go 1.22", {"go.mod": "module x\n\ngo 1.22\n"}, VALID, "go.mod:3"),
        ("Requires Rust 1.70.", {"Cargo.toml": '[package]\nrust-version = "1.75"\n'}, BROKEN, None),
        (
            "Requires Rust 1.75.",
            {"rust-toolchain.toml": '[toolchain]\nchannel = "1.75.0"\n'},
            VALID,
            "rust-toolchain.toml:2",
        ),
        ("Requires PHP 7.4.", {"composer.json": '{"require": {"php": "^8.1"}}'}, BROKEN, None),
        ("Requires Ruby 3.2.", {"Gemfile": 'ruby "~> 3.2"\n'}, VALID, "Gemfile:1"),
        ("Requires Python 3.9.", {**PYTHON, "api/Dockerfile": "FROM python:3.9\n"}, VALID, "api/Dockerfile:1"),
        ("Requires Python 3.9.", {"Dockerfile": "FROM python:3.12\n"}, BROKEN, None),
        ("Requires Python 3.9.", {".github/workflows/ci.yml": "python-version: ['3.8', '3.9']\n"}, VALID, CI),
        ("Requires Python 3.7.", {".github/workflows/ci.yml": "python-version: ['3.8', '3.9']\n"}, BROKEN, None),
        ("Requires Node 16+.", {"package.json": '{"engines": {"node": ">=18"}}', ".nvmrc": "20"}, BROKEN, None),
        ("- React 18", {"package.json": '{"dependencies": {"react": "^18.2.0"}}'}, VALID, "package.json:1"),
        ("- React 18", {"package.json": '{"dependencies": {"react": "^17.0.2"}}'}, BROKEN, None),
        ("- React 18+", {"package.json": '{"dependencies": {"react": "^17.0.2"}}'}, BROKEN, None),
        ("- React 18", {"web/package.json": '{"dependencies": {"react": "^17.0.2"}}'}, UNVERIFIABLE, None),
        ("- React 18", {"package.json": '{"dependencies": {"react": "latest"}}'}, UNVERIFIABLE, None),
        ("- React 18", {"package.json": '{"dependencies": {"react": ">=x", "preact": "1"}}'}, UNVERIFIABLE, None),
        ("- Next.js 14", {"package.json": '{"dependencies": {"next": "14.1.0"}}'}, VALID, "package.json:1"),
        ("- Angular 17", {"package.json": '{"dependencies": {"@angular/core": "~16.0"}}'}, BROKEN, None),
        ("- Django 4.2", {"requirements.txt": "django>=5\n"}, BROKEN, None),
        (
            "- Sanic 2.16",
            {"requirements.txt": "sanic>=3\n", "compose.yaml": "image: ghcr.io/a/sanic:v2.16.2\n"},
            VALID,
            "compose.yaml:1",
        ),
        ("- Sanic 2.16", {"requirements.txt": "sanic>=3\n", "Dockerfile": "FROM sanic:3.1\n"}, BROKEN, None),
        ("- Sanic 2.16", {"requirements.txt": "sanic>=3\n", "notes.yaml": "image: sanic:2.16\n"}, BROKEN, None),
        (
            "- Django 4.2",
            {"pyproject.toml": '[project]\ndependencies = ["Django>=4.2,<5"]\n'},
            VALID,
            "pyproject.toml:2",
        ),
        ("Unit tests run with jest.", {"package.json": '{"devDependencies": {"vitest": "1"}}'}, BROKEN, None),
        (
            "Unit tests run with jest.",
            {"package.json": '{"devDependencies": {"ts-jest": "1", "vitest": "1"}}'},
            VALID,
            "package.json:1",
        ),
        (
            "Unit tests run with jest.",
            {"package.json": '{"devDependencies": {"vitest": "1"}}', "jest.config.js": ""},
            VALID,
            None,
        ),
        ("Unit tests run with jest.", {"package.json": "[]"}, UNVERIFIABLE, None),
        ("Tests run with pytest.", {"requirements-dev.txt": "pytest-cov\n"}, VALID, "requirements-dev.txt:1"),
        ("Tests run with pytest.", {"pytest.ini": ""}, VALID, None),
        ("Tests run with nose.", {"requirements.txt": "pytest==8.2\n"}, BROKEN, None),
        ("Tests run with nose.", {"web/requirements.txt": "pytest==8.2\n"}, UNVERIFIABLE, None),
        ("Tests run with minitest.", {"Gemfile": 'gem "rspec"\n'}, BROKEN, None),
        ("Tests run with rspec.", {"Gemfile": 'gem "rspec-rails"\n'}, VALID, "Gemfile:1"),
        ("Tests run with pytest.", {"package.json": '{"devDependencies": {"jest": "1"}}'}, UNVERIFIABLE, None),
        ("Tests run with phpunit.", {"composer.json": '{"require-dev": {"phpunit/phpunit": "^10"}}'}, VALID, COMPOSED),
    ],
)
def test_a_statement_is_judged_by_manifests(text: str, files: dict[str, str], status: str, target: str | None) -> None:
    found = verdict_on(text, files)
    assert (found.status, found.target) == (status, target)
    assert (found.evidence in (Evidence.CONTRADICTED, Evidence.VERSION)) is (status is BROKEN)
    assert found.reason or found.target


def test_the_reason_names_the_line_that_disagrees() -> None:
    assert verdict_on("Requires Python 3.9.", PYTHON).reason == "pyproject.toml:3 says >=3.11"
    assert verdict_on("Use pnpm.", NPM).reason == "package-lock.json is of npm, and nothing here is of pnpm"
    only = {"package.json": '{\n  "packageManager": "npm@10"\n}'}
    assert verdict_on("Use pnpm.", only).reason == "package.json:2 says npm@10, and nothing here is of pnpm"


def test_the_commit_that_removed_the_lock_file_is_named() -> None:
    gone = Event(commit="a" * 40, date="2026-01-02")
    found = verdict_on("Use pnpm.", NPM, history=History(events={"pnpm-lock.yaml": gone}))
    assert (found.commit, found.date) == ("a" * 40, "2026-01-02")


def test_a_manifest_speaks_for_its_folder_and_those_below() -> None:
    files = {"api/pyproject.toml": PYTHON["pyproject.toml"]}
    assert verdict_on("Requires Python 3.9.", files, folder="api/docs").status is BROKEN
    assert verdict_on("Requires Python 3.9.", files, folder="apiary").status is UNVERIFIABLE
    assert verdict_on("Requires Python 3.9.", PYTHON, folder=None).status is BROKEN, "a note of the memory"


def test_the_default_branch_is_the_remote_s() -> None:
    text = "The default branch is `master`."
    assert verdict_on(text, {}).status is UNVERIFIABLE
    assert verdict_on(text, {}, branch="master").status is VALID
    assert verdict_on(text, {}, branch="main").reason == "the default branch is main"


def test_what_the_text_denies_itself_is_no_alarm() -> None:
    assert verdict_on("~~Use pnpm.~~ That is over.", NPM).status is UNVERIFIABLE


def test_no_two_statements_of_one_text_are_mixed_up() -> None:
    names = [one.name for one in citations_of("Use pnpm. Requires Python 3.11.") if one.kind == "tooling"]
    assert names == ["manager pnpm", "version python 3.11"]
