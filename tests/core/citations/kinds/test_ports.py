"""Statements about ports against what declares ports: broken only where the number is nowhere."""

from __future__ import annotations

import pytest

from intermem.core.citations.extract import citations_of
from intermem.core.citations.judge import Cited, judge, questions_for
from intermem.core.citations.kinds.resolution import Setting
from intermem.core.code.name_search import Search
from intermem.entities import Evidence, Verdict, VerdictStatus
from intermem.facts import Facts
from intermem.project.git.answers import tree_of

VALID, BROKEN, UNVERIFIABLE = VerdictStatus.VALID, VerdictStatus.BROKEN, VerdictStatus.UNVERIFIABLE

COMPOSE = 'services:\n  db:\n    image: postgres:16\n    ports: ["5433:5432"]\n  mail:\n    ports: ["8026:8025"]\n'
DEV = '{\n "scripts": {\n  "dev": "next dev -p 4010"\n }\n}\n'


def verdict_on(text: str, files: dict[str, str], folder: str = "") -> Verdict:
    (citation,) = [one for one in citations_of(text) if one.kind == "tooling"]
    tree = tree_of(files, "", ())
    cited = Cited(citation, Setting(folder=folder))
    asked = questions_for([cited], tree)
    places = Search(asked.names).all_places((path, text.encode()) for path, text in files.items())
    return judge(cited, Facts(tree=tree, texts={path: files[path] for path in asked.texts}, places=places)).verdict


@pytest.mark.parametrize(
    ("text", "files", "status", "target"),
    [
        ("Postgres is on 5433.", {"compose.yaml": COMPOSE}, VALID, "compose.yaml:4"),
        ("Postgres is on 5432.", {"compose.yaml": COMPOSE}, VALID, "compose.yaml:4"),
        ("Postgres is on 5439.", {"compose.yaml": COMPOSE}, BROKEN, None),
        ("The db (port 5439)", {"compose.yaml": COMPOSE}, BROKEN, None),
        ("Port 5439 is Postgres.", {"compose.yaml": COMPOSE}, BROKEN, None),
        ("Postgres 使用 5439 端口", {"compose.yaml": COMPOSE}, BROKEN, None),
        ("Redis is on 5439.", {"compose.yaml": COMPOSE}, UNVERIFIABLE, None),
        ("The server runs on port 5439.", {"compose.yaml": COMPOSE}, UNVERIFIABLE, None),
        ("Postgres is on 5439.", {"compose.yaml": COMPOSE, "x.py": "WAIT = 5439\n"}, UNVERIFIABLE, None),
        ("Postgres is on 5439.", {"compose.yaml": COMPOSE, "x.py": "connect(port=5439)\n"}, VALID, "x.py:1"),
        ("Postgres is on 5439.", {"compose.yaml": COMPOSE, "tests/x.py": "f(port=5439)\n"}, UNVERIFIABLE, None),
        ("Postgres is on 5439.", {"compose.yaml": COMPOSE, "x.py": "# port=5439\n"}, UNVERIFIABLE, None),
        ("The server runs on port 4011.", {".env.example": "PORT=4010\n"}, BROKEN, None),
        ("Le serveur écoute sur le port 4011", {".env.example": "PORT=4010\n"}, BROKEN, None),
        ("The ingress runs on port 4011.", {".env.example": "PORT=4010\n"}, UNVERIFIABLE, None),
        ("The server runs on port 4010.", {"main.go": 'Listen(":4010")\n'}, VALID, "main.go:1"),
        ("The server runs on port 4010.", {"main.js": "app.listen(4010)\n"}, VALID, "main.js:1"),
        ("The server runs on port 4011.", {"api/.env": "PORT=4010\n"}, UNVERIFIABLE, None),
        ("The server runs on port 3000.", {".env.example": "PORT=4010\n"}, UNVERIFIABLE, None),
        ("The dev server runs on port 3000.", {"package.json": DEV}, BROKEN, None),
        ("The dev server runs on port 4010.", {"package.json": DEV}, VALID, "package.json:3"),
        ("The Next.js dev server runs on port 4011.", {"package.json": DEV}, BROKEN, None),
        ("The dev database runs on port 4011.", {".env": "DEV_PORT=4010\n"}, UNVERIFIABLE, None),
        ("Storybook runs on port 6006.", {"package.json": DEV}, UNVERIFIABLE, None),
        ("The API runs on port 4011.", {".env": "CLIENT=http://localhost:4010\n"}, UNVERIFIABLE, None),
        ("The server runs on port 4011.", {}, UNVERIFIABLE, None),
        ("The server runs on port 4011.", {"examples/.env": "PORT=4010\n"}, UNVERIFIABLE, None),
    ],
)
def test_a_statement_is_judged_by_what_declares_ports(
    text: str, files: dict[str, str], status: VerdictStatus, target: str | None
) -> None:
    found = verdict_on(text, files)
    assert (found.status, found.target) == (status, target)
    assert found.evidence is (Evidence.CONTRADICTED if status is BROKEN else None)


def test_a_file_speaks_for_its_folder_and_those_below() -> None:
    text = "The server runs on port 4011."
    assert verdict_on(text, {"api/.env.example": "PORT=4010\n"}, folder="api/docs").status is BROKEN
    forwarded = {".devcontainer/compose.yaml": COMPOSE}
    assert verdict_on("Postgres is on 5439.", forwarded).status is BROKEN, "it speaks for the folder above"
    assert verdict_on("Postgres is on 5439.", {f"api/{next(iter(forwarded))}": COMPOSE}, "web").status is UNVERIFIABLE


def test_manifests_of_other_statements_declare_no_port() -> None:
    cited = Cited(next(iter(citations_of("The server runs on port 4010."))), Setting(folder=""))
    facts = Facts(tree=tree_of(["pyproject.toml"], "", ()), texts={"pyproject.toml": "port = 4010\n"})
    assert judge(cited, facts).verdict.status is UNVERIFIABLE


def test_what_speaks_of_the_subject_is_the_target() -> None:
    files = {".env": "CACHE_PORT=4010\n", "web/.env": "WEB_PORT=4010\n"}
    assert verdict_on("The web app runs on port 4010.", files).target == "web/.env:1"


def test_the_reason_names_the_line_that_disagrees() -> None:
    assert verdict_on("The dev server runs on port 3000.", {"package.json": DEV}).reason == (
        "package.json:3 says -p 4010, and nothing here has 3000"
    )
