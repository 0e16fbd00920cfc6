from __future__ import annotations

import pytest

from benchmarks.secret_shapes import Shape, shapes
from intermem.core.entries.secret_rules.folding import folded
from intermem.core.entries.secret_rules.values import is_drawn, is_password, is_phrase
from intermem.core.entries.secrets import (
    LINE_NOT_SHOWN,
    NOT_SHOWN,
    lines_without_secrets,
    may_hold_secret,
    secret_rule,
    sure_secret_rule,
    token_rule,
    without_secret,
    without_values,
)
from tests.core.lifecycle.test_retention import entry


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("AKIAIOSFODNN7" + "ABCDEFG", "AWS Access Key"),
        ("key sk-ant-" + "api03-" + "x1" * 20, "Anthropic API key"),
        ("DB_PASSWORD=correcthorse9", "Secret Keyword"),
        ("password: trueblue77", "Secret Keyword"),
        ("password: `yours8ecret`", "Secret Keyword"),
        ("비밀키는 `yours8ecretQ7x`", "secret in a sentence"),
        ("비밀키: yours8ecretQ7x9", "Secret Keyword"),
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
        "| `KILN_SIGNING_SECRET` | HMAC-SHA256 key of requests |",
        "SECRET_KEY: AES-256-GCM",
        "MODEL_API_KEY=sk-kiln-v1-...",
        "`KILN_TOKEN=kt_…` goes into `.env`",
        "`config.json` stores only a flag `api_key_set: true`, not the key itself.",
        "has_password: false, and so on",
        "의존 패키지: `react-toastify2`, `x`",
        'echo "VAULT_TOKEN=hvs.YOUR_VAULT_DEV_TOKEN" >> .env',
        "export ANTHROPIC_API_KEY=sk-ant-your-api-key-goes-here-now",
        "GOOGLE_CLIENT_SECRET=GOCSPX-1234567890abcdefghijk",
        "export GITHUB_TOKEN=ghp_abcdefghijklmnopqrstuvwxyz0123456789",
    ],
)
def test_what_only_speaks_of_secrets_is_none(text: str) -> None:
    assert secret_rule(text) is None


def test_a_password_that_counts_is_one() -> None:
    for value in ("abcdefghijklmnop", "1234567890abcdefghijk", "abcdefghij12345678"):
        assert secret_rule(f"password: {value}") is not None


@pytest.mark.parametrize(
    "text",
    [
        "api_key_id = Column(String, nullable=False)",
        "def __init__(self, api_key_id: str, private_key_pem: str):",
        "self.private_key = serialization.load_pem_private_key(",
        "vapid_private_key=settings.vapid_private_key2,",
        "TEST_API_KEY_ID = 'abcdef0123456789'",
        "- UserSecretsId: `7480588a-1c2d-4e3f-8a9b-0c1d2e3f4a5b`",
        "The password is hashed with bcrypt12 before it is stored.",
        "All tests must pass max_checks=1 to the runner.",
        "`mscorlib, Culture=neutral, PublicKeyToken=b77a5c561934e089`",
        "gpg --recv-keys 5BE8A3F6C8A5C01D106C0AD820B1A390B168D356",
        "Public key sha256: Eep0pAsSa9lFUH6KT2UY9s1Z8v7voAPkQ4fGknZ2g",
        "`NettyPlayerPositionS2CPacketV762` is gone, see PlayerPositionAndLookC2SPacketV47",
        "docker run -p 8080:80 web",
        "mysql -u root -p shop",
        "unzip -p archive2.zip",
        "The token is a JWT that expires after 15m",
        "fixed in 9fceb02d0ae598e95dc970b74767f19372d61af8",
        "log in as admin/owner.tsx",
        "DATABASE_URL=postgres://user:password@localhost/db",
        "Authorization: Bearer <token>",
        "curl -H 'Authorization: Bearer $TOKEN' https://api.dev",
        "mysql -p$MYSQL_PASSWORD",
        "%{key: ^expected_value1},",
        "`/tree?project_keys=A1,B2&teams=T1,T2`",
        "（ODBC `Pwd=a;b;c`、base64url JWT）",
    ],
)
def test_code_and_sentences_about_secrets_are_none(text: str) -> None:
    assert secret_rule(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "DATABASE_URL=postgresql://boz:boz@localhost:5432/db",
        "--queue amqp://kiln:kilnrabbit7@127.0.0.1:45535/%2f",
        "redis://kiln:kilnredis7@host.docker.internal:6379",
        "DATABASE_URL=postgresql://app:s3cr3tpw@db/x",
        "DATABASE_URL=postgresql://app:postgres@db.internal.net/x",
        "-----BEGIN RSA " + "PRIVATE KEY-----",
        "$ANSIBLE_VAULT;1.2;AES256;kiln",
        "password: swordfish",
        'test_secret: "dev4-csrf9-secret2-32x"',
        "the admin password is swordfish",
        "log in as admin / hunter22",
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
        ("$ANSIBLE_VAULT;1.2;AES256;kiln", "62" * 40),
        ("（ODBC `Pwd=Xk29fQ81mZp0`、base64url JWT）", ""),
        ('password = "Xk29fQ81mZp0" (same on the latest build)', ""),
        ('api_key = "prod-8f3a9c2e7b1d4f6a"', ""),
    ],
)
def test_a_sure_secret_is_named(text: str, following: str) -> None:
    assert sure_secret_rule(text, following) is not None


@pytest.mark.parametrize("shape", shapes(), ids=lambda shape: shape.family)
def test_a_secret_is_stopped_in_whatever_shape_it_comes(shape: Shape) -> None:
    assert secret_rule(shape.text) is not None
    assert secret_rule(f"Deployed on Friday.\n\n{shape.text}\n") is not None


@pytest.mark.parametrize("seed", range(5))
def test_the_value_does_not_matter_only_the_shape(seed: int) -> None:
    missed = [shape.text for shape in shapes(seed) if secret_rule(shape.text) is None]
    assert len(missed) <= 3, missed


@pytest.mark.parametrize("shape", shapes(3), ids=lambda shape: shape.family)
def test_check_looks_at_every_line_that_holds_a_secret(shape: Shape) -> None:
    assert any(may_hold_secret(line) for line in shape.text.split("\n"))


@pytest.mark.parametrize("sign", ["\u200b", "\u2060", "\u00ad", "\ufeff", "\u202e", "\U000e0041", "\ufe0f", "\u034f"])
def test_characters_that_nobody_sees_do_not_split_a_secret(sign: str) -> None:
    token = "ghp" + "_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    split = sign.join(token)
    assert secret_rule(f"it is {split} for now") == secret_rule(f"it is {token} for now") is not None
    assert sure_secret_rule(f"it is {split} for now") is not None
    assert folded(split) == token


def test_full_width_letters_and_other_quotes_are_the_letters_that_they_show() -> None:
    assert folded("ｐａｓｓｗｏｒｄ：“Hunter222”") == 'password:"Hunter222"'
    assert secret_rule("ｐａｓｓｗｏｒｄ：Hunter222") is not None


def test_text_without_such_characters_is_the_same_after_folding() -> None:
    assert folded("ключ для тестов, 鍵, gęś") == "ключ для тестов, 鍵, gęś"


def test_a_rule_never_names_the_value() -> None:
    for shape in shapes():
        rule = secret_rule(shape.text) or ""
        assert len(rule) < 60 and not any(word in rule for word in shape.text.split() if len(word) > 14)


def test_what_is_drawn_by_lot_is_told_from_names_and_digests() -> None:
    assert is_drawn("q8Zt41LmVx0Rk7Pw2YbN")
    assert not is_drawn("ListPageV2HandlerForB2B3")
    assert not is_drawn("9fceb02d0ae598e95dc970b74767f19372d61af8")
    assert not is_drawn("7480588a-1c2d-4e3f-8a9b-0c1d2e3f4a5b")


def test_a_password_is_told_from_code() -> None:
    assert is_password("hunter2") and is_password("Tr0ub4dor&3")
    assert not any(
        map(is_password, ["max_checks=1", "src/auth2.ts", "v1.2.3", "${PASS1}", "utf8", "#id_password", "2026-01-02"])
    )


def test_a_passphrase_is_told_from_a_sentence() -> None:
    assert is_phrase("blue monkey seven chairs")
    assert not is_phrase("choose one with eight letters")
    assert not is_phrase("must be at least eight")
    assert secret_rule("passphrase: 'correct horse battery staple'") is not None


_NUMBER = "1cc606c6eb024bffa94633079f005478"


def test_the_address_of_a_page_is_no_token() -> None:
    assert secret_rule(f"See https://www.notion.so/acme/API-Documentation-{_NUMBER}?t=3 for more.") is None
    assert secret_rule(f"API-Documentation-{_NUMBER}") is not None
    assert secret_rule(f"https://acme.example/API-{_NUMBER.upper()[:26]}") is not None


@pytest.mark.large
@pytest.mark.parametrize(
    "part",
    ["key=", "password ", "://a:b@", "密码", "?key=", "A1b2", "mysql -p ", "curl -u ", "eyJaaaaaaaa.", "(key"],
)
def test_a_long_line_of_signs_of_a_secret_is_read_to_its_end(part: str) -> None:
    token = "ghp" + "_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    assert sure_secret_rule(part * 5_000 + f" {token} ") is not None


_LOT = "q7Rk2vXw9TzB4nLcY8mPsD3hJ6fGaE5u"


@pytest.mark.parametrize(
    "text",
    [
        f'integrity="sha384-{_LOT}{_LOT}"',
        f"go.sum has h1:{_LOT}{_LOT[:11]}= for it.",
        f"The host key is SHA256:{_LOT}{_LOT[:11]} (ED25519).",
        f"authorized_keys: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA{_LOT}{_LOT[:11]} lena@host",
        f"MCowBQYDK2VwAyEA{_LOT}{_LOT[:11]}=",
        f"PublicKey = {_LOT}{_LOT[:11]}=",
    ],
)
def test_what_is_public_by_its_form_is_no_secret(text: str) -> None:
    assert secret_rule(text) is None


@pytest.mark.parametrize("text", [f"sent with {_LOT}", f"fingerprint {_LOT[:16]} and password: {_LOT}"])
def test_the_same_letters_without_that_form_are_one(text: str) -> None:
    assert secret_rule(text) is not None


@pytest.mark.parametrize("character", ["\u200b", "\ufff3", "\U0001bca0", "\U000e0090", "\U000e0150", "\u2060"])
def test_no_character_that_nobody_sees_splits_a_token(character: str) -> None:
    token = "gh" + f"p_{_LOT}{_LOT[:4]}"
    assert secret_rule(f"push with {token[:12]}{character}{token[12:]}") == secret_rule(f"push with {token}")


TOKEN = "ghp_" + "aB3dE6gH9j" * 4


def test_a_token_is_one_that_a_service_issued() -> None:
    assert token_rule(f"use {TOKEN}") is not None
    assert token_rule("password: trueblue77") is None


def test_a_record_shows_no_secret_in_text_note_names_or_reason() -> None:
    shown = without_secret(
        entry(text=f"use {TOKEN}", note_text=f"so use {TOKEN}", section=f"S {TOKEN}", reason=f"it has {TOKEN} in it")
    )
    assert (shown.text, shown.preview, shown.note_text, shown.section) == (NOT_SHOWN,) * 4
    assert shown.reason == f"it has {NOT_SHOWN} in it"
    plain = entry(text="Run the tests.", reason="seen in 3 snapshots")
    assert without_secret(plain) == plain


def test_of_a_sentence_only_the_values_are_hidden() -> None:
    assert without_values("nothing to hide") == "nothing to hide"
    assert without_values(f"first\nit is {TOKEN}, they say") == f"first\nit is {NOT_SHOWN}, they say"
    assert without_values(f"it is {TOKEN[:9]}\u200b{TOKEN[9:]}") == NOT_SHOWN, "a sign that nobody sees splits it"


def test_of_a_text_the_lines_are_hidden_and_a_private_key_to_its_end() -> None:
    begin, end = ("-----" + word + " RSA PRIVATE KEY-----" for word in ("BEGIN", "END"))
    text = f"plain\r\nuse {TOKEN}\n{begin}\nMIIE\n{end}\nplain again"
    hidden = LINE_NOT_SHOWN
    assert lines_without_secrets(text) == f"plain\r\n{hidden}\n{hidden}\n{hidden}\n{hidden}\nplain again"
