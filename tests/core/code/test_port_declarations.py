"""Ports that files declare, and of what; other numbers are none."""

from __future__ import annotations

import pytest

from intermem.core.code.port_declarations import may_declare_ports, ports_of

COMPOSE = """\
version: "3"
services:
  # of the project
  db:
    image: registry.example.com/postgres:16
    ports:
      # no comment
      - "127.0.0.1:5433:5432"  # the host's
  web-ui:
    expose: ["4010"]
    ports:
      - 127.0.0.1:${WEB_PORT:-4011}:80/tcp
      - target: 9000
        published: "4012"
      - nothing
    environment:
      - X=1
volumes:
  data:
    size: 10
"""


def test_a_compose_file_declares_the_ports_of_its_services() -> None:
    found = [(one.port, one.line, one.words, one.only_agrees) for one in ports_of("compose.yaml", COMPOSE)]
    db, web = frozenset({"db", "postgres"}), frozenset({"web", "ui"})
    assert found == [
        (5433, 8, db, False),
        (5432, 8, db, True),
        (4010, 10, web, True),
        (4011, 12, web, False),
        (80, 12, web, True),
        (9000, 13, web, True),
        (4012, 14, web, False),
    ]


@pytest.mark.parametrize(
    ("path", "text", "port", "words"),
    [
        ("Dockerfile", "FROM x\nEXPOSE 4010/tcp\n", 4010, set()),
        ("api/Dockerfile", "EXPOSE 4010\n", 4010, {"api"}),
        (".env.example", "PORT=4010\n", 4010, set()),
        (".env", 'API_PORT="4010"\n', 4010, {"api"}),
        (".env.sample", "export DB_PORT=${DB_PORT:-4010}\n", 4010, {"db"}),
        ("package.json", '{\n"scripts": {\n "dev": "next dev -p 4010"\n}}', 4010, {"dev"}),
        ("package.json", '{\n"scripts": {\n "start:web": "PORT=4010 node ."\n}}', 4010, {"start", "web"}),
        ("package.json", '{"scripts": {"dev": "vite --port 4010"}}', 4010, set()),
        ("web/vite.config.ts", "server: {\n  port: 4010,\n}\n", 4010, {"web", "vite", "dev"}),
        ("nuxt.config.ts", "port: Number(process.env.PORT || 4010),\n", 4010, {"nuxt", "dev"}),
        ("angular.json", '{"options": {\n"port": 4010}}', 4010, {"angular", "dev"}),
        ("Procfile", "web: gunicorn app --bind 0.0.0.0:4010\n", 4010, set()),
        ("Makefile", "run:\n\tuvicorn app:x --port=4010\n", 4010, set()),
        ("Properties/launchSettings.json", '"applicationUrl": "http://localhost:4010"\n', 4010, {"properties"}),
        (".devcontainer/devcontainer.json", '{\n"forwardPorts": [\n 4010]}', 4010, {"devcontainer"}),
        ("k8s/api-deployment.yaml", "ports:\n- containerPort: 4010\n", 4010, set()),
        ("application.properties", "server.port=4010\n", 4010, {"server"}),
        ("config.toml", "webPort = 4010\n", 4010, {"web"}),
    ],
)
def test_a_file_declares_a_port(path: str, text: str, port: int, words: set[str]) -> None:
    assert may_declare_ports(path.rpartition("/")[2])
    assert port in {one.port for one in ports_of(path, text)}
    first = next(one for one in ports_of(path, text) if one.port == port)
    assert words <= first.words and "4010" in text.split("\n")[first.line - 1]


@pytest.mark.parametrize(
    "text", ["# PORT=4010", "// port: 4010", "PORT=", "timeout: 4010", "report=4010", "x" * (1 << 19)]
)
def test_what_is_no_declaration(text: str) -> None:
    assert ports_of("vite.config.ts", text) == []
    assert ports_of("compose.yaml", text) == []


def test_only_some_files_declare_ports() -> None:
    assert not any(may_declare_ports(name) for name in ("README.md", "main.py", "compose.md", "environment.yml"))


@pytest.mark.parametrize(
    "text", ["services:\n " + " " * 100_000, "PORT" + "(" * 100_000, "a" * 200_000, "a:" * 100_000]
)
def test_long_lines_take_linear_time(text: str) -> None:
    for name in ("compose.yaml", ".env", "package.json", "Dockerfile", "devcontainer.json"):
        assert ports_of(name, text) == []
