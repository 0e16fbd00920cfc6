from __future__ import annotations

import pytest

from intermem.core.entries.secrets import secret_rule, sure_secret_rule


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("AKIAIOSFODNN7" + "ABCDEFG", "AWS Access Key"),
        ("key sk-ant-" + "api03-" + "x1" * 20, "Anthropic API key"),
        ("DB_PASSWORD=correcthorse9", "Secret Keyword"),
        ("password: trueblue77", "Secret Keyword"),
        ("password: `yours8ecret`", "Secret Keyword"),
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
        "password: your password",
        "OPENAI_API_KEY=your-openai-api-key",
        "GITHUB_TOKEN=insert_token_here",
        "secret: changeme",
        "`config.json` stores only a flag `api_key_set: true`, not the key itself.",
        "has_password: false, and so on",
    ],
)
def test_what_only_speaks_of_secrets_is_none(text: str) -> None:
    assert secret_rule(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "api_key_id = Column(String, nullable=False)",
        "def __init__(self, api_key_id: str, private_key_pem: str):",
        "self.private_key = serialization.load_pem_private_key(",
        "vapid_private_key=settings.vapid_private_key2,",
        'TEST_API_KEY_ID = "abcdef0123456789"',
        "DATABASE_URL=postgresql://boz:boz@localhost:5432/db",
        "DATABASE_URL=postgresql://app:s3cr3tpw@db/x",
        "DATABASE_URL=postgresql://app:postgres@db.internal.net/x",
        "-----BEGIN RSA " + "PRIVATE KEY-----",
        "password: swordfish",
        "- UserSecretsId: `7480588a-1c2d-4e3f-8a9b-0c1d2e3f4a5b`",
        'csrf_secret: "dev-csrf-secret-32-chars-long"',
    ],
)
def test_nobody_is_accused_for_what_may_as_well_be_none(text: str) -> None:
    assert secret_rule(text) is not None, "it is not promoted, though"
    assert sure_secret_rule(text) is None


@pytest.mark.parametrize(
    ("text", "following"),
    [
        ("key sk-ant-" + "api03-" + "x1" * 20, ""),
        ("DB_PASSWORD=correcthorse9", ""),
        ("DATABASE_URL=postgresql://app:" + "s3cr3tpw@db.internal.net/x", ""),
        ("-----BEGIN RSA " + "PRIVATE KEY-----", "MIIEpAIBAAKCAQEA" + "x9" * 24),
        ('"private_key": "-----BEGIN ' + "PRIVATE KEY-----\\n" + "MIIEpAIBAAKCAQEA" + "x9" * 24 + '"', ""),
        ('password = "Xk29fQ81mZp0" (same on the latest build)', ""),
        ('api_key = "prod-8f3a9c2e7b1d4f6a"', ""),
    ],
)
def test_a_sure_secret_is_named(text: str, following: str) -> None:
    assert sure_secret_rule(text, following) is not None
