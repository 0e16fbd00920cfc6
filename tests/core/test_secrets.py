from __future__ import annotations

import pytest

from intermem.core.secrets import secret_rule


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("AKIAIOSFODNN7" + "ABCDEFG", "AWS Access Key"),
        ("key sk-ant-" + "api03-" + "x1" * 20, "Anthropic API key"),
        ("DB_PASSWORD=correcthorse9", "Secret Keyword"),
        ("postgres://admin:s3cr3tpw@db/x", "Basic Auth Credentials"),
        ("-----BEGIN RSA " + "PRIVATE KEY-----", "Private Key"),
    ],
)
def test_the_rule_that_found_a_secret_is_named(text: str, rule: str) -> None:
    assert secret_rule(f"line one\n{text}") == rule


@pytest.mark.parametrize(
    "text",
    [
        "version 4.0.0.0 of it",
        "the `password` field in `auth.py`",
        "https://user:${TOKEN}@host/x",
        "commit 1a2b3c4d5e",
        "password: <your password>",
    ],
)
def test_what_only_speaks_of_secrets_is_none(text: str) -> None:
    assert secret_rule(text) is None
