"""What a text says of ports, in the languages of notes, and what only mentions one."""

from __future__ import annotations

import pytest

from intermem.core.citations.extract import citations_of, spans_of
from intermem.core.citations.port_statements import ports_said


def said(text: str) -> list[tuple[int, str]]:
    return [(one.port, " ".join(one.words)) for one in ports_said(text)]


@pytest.mark.parametrize(
    ("text", "port", "words"),
    [
        ("The dev server runs on port 3000.", 3000, "the dev server runs on"),
        ("API listens on :8081", 8081, "api"),
        ("The gateway is listening on `:8081` now.", 8081, "the gateway"),
        ("Postgres is on 5433.", 5433, "postgres"),
        ("- **Frontend**: http://localhost:5173", 5173, "frontend"),
        ("- http://localhost:5173/docs (documentation)", 5173, "documentation"),
        ("- `localhost:9091` – metrics", 9091, "metrics"),
        ("Port 5433 is Postgres.", 5433, "postgres"),
        ("| Mail | http://127.0.0.1:8026 |", 8026, "mail"),
        ("- Worker (port 7101)", 7101, "worker"),
        ("[http://localhost:4010](http://localhost:4010)", 4010, ""),
        ("Der Worker läuft auf Port 7101.", 7101, "der worker läuft auf"),
        ("Le serveur écoute sur le port 7101", 7101, "le serveur écoute sur"),
        ("El servidor escucha en el puerto 7101.", 7101, "el servidor escucha en"),
        ("O servidor roda na porta 7101.", 7101, "o servidor roda na"),
        ("Il server ascolta sulla porta 7101", 7101, "il server ascolta sulla"),
        ("Serwer działa na porcie 7101.", 7101, "serwer działa na"),
        ("Сервер слушает на порту 7101.", 7101, "сервер слушает на"),
        ("Redis 使用 7101 端口", 7101, "redis 使用"),
        ("后端端口：7101", 7101, "后端"),
        ("サーバーは 7101 番ポートで動く", 7101, "サーバーは"),
        ("서버 포트는 7101", 7101, "서버"),
        ("Máy chủ chạy ở cổng 7101", 7101, "máy chủ chạy ở"),
        ("Sunucu 7101 portunda çalışır.", 7101, "sunucu"),
    ],
)
def test_a_statement_is_found(text: str, port: int, words: str) -> None:
    assert said(text) == [(port, words)]
    (citation,) = [one for one in citations_of(text) if one.kind == "tooling"]
    assert citation.name == f"port {port} {words}".strip()
    ((start, stop, _),) = spans_of(text)["tooling", citation.text]
    assert text[start:stop] == citation.text


@pytest.mark.parametrize(
    "text",
    [
        "Port 3000 or 3001.",
        "Not on port 3000.",
        "If port 3000 is taken, another is used.",
        "Port 3000 was the old one.",
        "Check that port 3000 is free.",
        "The app used to run on port 3000.",
        "It will listen on :3000.",
        "e.g. http://localhost:3000",
        "Port 3000 is already in use.",
        "Nicht auf Port 3000.",
        "Falls Port 3000 belegt ist.",
        "端口 3000 被占用",
        "The web server proxies it to http://localhost:3000.",
        "开发时 API 代理到 http://localhost:3000",
        "不要使用 3000 端口",
        "Run `curl http://localhost:3000/api`.",
        "Run `next dev -p 3001`.",
        "It runs on 2024 hardware.",
        "It is on port 80.",
        "It is on port 70000.",
        "Version 3000 of the port.",
        "Ports 3000/3001",
        "Report 3000 lines.",
        "A timeout of 3000 ms.",
        "See http://db.example.com:5433 for it.",
        "",
    ],
)
def test_what_only_mentions_a_port_states_nothing(text: str) -> None:
    assert said(text) == []


def test_each_of_two_ports_has_the_words_before_it() -> None:
    text = "The web runs on port 4010 and the api on port 4020."
    assert said(text) == [(4010, "the web runs on"), (4020, "the api on")]


def test_only_the_last_words_before_a_port_are_of_it() -> None:
    text = f"{'all the words ' * 12}of one long clause on port 4010"
    assert said(text) == [(4010, "all the words of one long clause on")]
    assert said(f"{'x' * 90} port 4010") == [(4010, "")]


def test_a_sentence_begins_anew_and_a_title_belongs_to_it() -> None:
    assert said("Cache first. The store is on :4010.") == [(4010, "the store")]
    assert said("Cache first. Port 4010.") == [(4010, "cache first")]
    assert said("- Cache\n- Port 4010.\n") == said("- Cache.\n- Port 4010.\n") == [(4010, "")]
    (citation,) = [one for one in citations_of("- `apps/web` (port 4010)") if one.kind == "tooling"]
    assert citation.name == "port 4010 apps web"


def test_one_number_is_said_once() -> None:
    assert said("Redis 端口 4010 端口") == [(4010, "redis")]


def test_a_fence_states_nothing() -> None:
    assert not [one for one in citations_of("Run:\n\n```\nhttp://localhost:4010\n```\n") if one.kind == "tooling"]


@pytest.mark.parametrize(
    "text", ["port " * 20000, "port" + " " * 50000 + "x", "on " * 30000, "a " * 40000, "`" * 50000]
)
def test_long_texts_take_linear_time(text: str) -> None:
    assert said(f"3000 {text}") == []
