"""Secrets as people paste them into notes, invented: drawn by lot with a fixed seed, so none was ever issued.

Nothing here has the form of a token until it is put together, so that no scanner of pushes stops the file.
"""

from __future__ import annotations

import base64
import random
import string
from typing import NamedTuple

ZERO_WIDTH = "\u200b"


class Shape(NamedTuple):
    """A text with one secret in it, and the kind of shape that it has."""

    family: str
    text: str


def shapes(seed: int = 17) -> list[Shape]:
    """Return the shapes, the same for the same seed, in order of their families."""
    draw = _Draw(seed)
    made = [*_tokens(draw), *_assignments(draw), *_commands(draw), *_addresses(draw), *_headers(draw)]
    made += [*_prose(draw), *_files(draw), *_hidden(draw)]
    return made


class _Draw:
    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)

    def of(self, letters: str, length: int) -> str:
        return "".join(self._chance.choice(letters) for _ in range(length))

    def hex(self, length: int) -> str:
        return self.of("0123456789abcdef", length)

    def word(self, length: int) -> str:
        return self.of(string.ascii_letters + string.digits, length)

    def lower(self, length: int) -> str:
        return self.of(string.ascii_lowercase + string.digits, length)

    def base64(self, length: int) -> str:
        return base64.b64encode(self._chance.randbytes(length)).decode("ascii")

    def digits(self, length: int) -> str:
        return self._chance.choice("123456789") + self.of(string.digits, length - 1)

    def guid(self) -> str:
        return "-".join(self.hex(length) for length in (8, 4, 4, 4, 12))

    def password(self) -> str:
        """A password as people choose them: a word, a number, a sign."""
        word = self._chance.choice("Falcon harbour Winter copper Marble tulip Granite velvet".split())  # noqa: SIM905
        return f"{word}{self.digits(3)}{self._chance.choice('!#$%&*')}"


def _tokens(draw: _Draw) -> list[Shape]:
    found = [
        ("xapp" + "-1-A0" + draw.of(string.ascii_uppercase, 8) + "-" + draw.digits(13) + "-" + draw.hex(64)),
        ("xoxb" + "-" + draw.digits(12) + "-" + draw.digits(12) + "-" + draw.word(24)),
        ("xoxp" + "-" + "-".join(draw.digits(12) for _ in range(3)) + "-" + draw.hex(32)),
        ("hvs" + "." + draw.word(24)),
        ("hvs" + ".CAES" + draw.word(90)),
        ("dop" + "_v1_" + draw.hex(64)),
        ("dckr" + "_pat_" + draw.word(27)),
        ("gsk" + "_" + draw.word(52)),
        ("sbp" + "_" + draw.hex(40)),
        ("AGE-SECRET" + "-KEY-1" + draw.of("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)),
        ("npm" + "_" + draw.word(36)),
        ("pypi" + "-AgEIcHlwaS5vcmc" + draw.word(120)),
        ("glpat" + "-" + draw.word(20)),
        ("glrt" + "-" + draw.word(20)),
        ("ghp" + "_" + draw.word(36)),
        ("github" + "_pat_11" + draw.word(80)),
        ("shpat" + "_" + draw.hex(32)),
        ("sk" + "_live_" + draw.word(24)),
        ("rk" + "_live_" + draw.word(24)),
        ("whsec" + "_" + draw.word(32)),
        ("SG" + "." + draw.word(22) + "." + draw.word(43)),
        ("AKIA" + draw.of(string.ascii_uppercase + "234567", 16)),
        ("AIza" + draw.word(35)),
        ("GOCSPX" + "-" + draw.word(28)),
        ("ya29" + "." + draw.word(80)),
        ("sk" + "-ant-api03-" + draw.word(90) + "AA"),
        ("sk" + "-proj-" + draw.word(60)),
        ("sk" + "-" + draw.word(48)),
        ("sk" + "-or-v1-" + draw.hex(64)),
        ("hf" + "_" + draw.word(34)),
        ("r8" + "_" + draw.word(37)),
        ("pplx" + "-" + draw.word(48)),
        ("xai" + "-" + draw.word(80)),
        ("nvapi" + "-" + draw.word(64)),
        ("lsv2" + "_pt_" + draw.hex(32) + "_" + draw.hex(10)),
        ("tvly" + "-dev-" + draw.word(32)),
        ("dapi" + draw.hex(32)),
        ("dp" + ".pt." + draw.word(43)),
        ("lin" + "_api_" + draw.word(40)),
        ("ntn" + "_" + draw.digits(11) + draw.word(35)),
        ("secret" + "_" + draw.word(43)),
        ("sntrys" + "_eyJpYXQiO" + draw.word(80)),
        ("figd" + "_" + draw.word(40)),
        ("PMAK" + "-" + draw.hex(24) + "-" + draw.hex(34)),
        ("pul" + "-" + draw.hex(40)),
        ("glsa" + "_" + draw.word(32) + "_" + draw.hex(8)),
        ("NRAK" + "-" + draw.of(string.ascii_uppercase + string.digits, 27)),
        ("tskey" + "-auth-" + draw.word(16) + "-" + draw.word(32)),
        ("pscale" + "_pw_" + draw.word(43)),
        ("pscale" + "_tkn_" + draw.word(43)),
        ("nfp" + "_" + draw.word(36)),
        ("fo1" + "_" + draw.word(43)),
        ("rnd" + "_" + draw.word(28)),
        ("CCIPAT" + "_" + draw.word(22) + "_" + draw.hex(40)),
        ("bkua" + "_" + draw.hex(40)),
        ("rubygems" + "_" + draw.hex(48)),
        ("cio" + draw.word(32)),
        ("oy2" + draw.lower(43)),
        ("ATATT3x" + "FfGF0" + draw.word(170) + "=" + draw.of("0123456789ABCDEF", 8)),
        ("squ" + "_" + draw.hex(40)),
        ("SK" + draw.hex(32)),
        ("key" + "-" + draw.hex(32)),
        (draw.hex(32) + "-us21"),
        (draw.digits(10) + ":AA" + draw.word(33)),
        ("M" + draw.word(25) + "." + draw.word(6) + "." + draw.word(38)),
        (draw.word(14) + ".atlasv1." + draw.word(64)),
        (draw.word(3) + "8Q~" + draw.word(34)),
        ("eyJhbGciOiJIUzI1NiJ9" + "." + "eyJ" + draw.word(60) + "." + draw.word(43)),
        ("EAAC" + draw.word(160)),
        ("sq0atp" + "-" + draw.word(22)),
        ("PAT" + "-" + draw.word(40)),
        ("acme" + "_live_" + draw.word(32)),
        ("zzq" + "-" + draw.word(40)),
        (draw.base64(30)),
    ]
    says = ["deploy uses `{}`", "The bot's token: {}.", "- {}", "set it to {} on staging", '("{}")']
    return [Shape("tokens", says[number % len(says)].format(token)) for number, token in enumerate(found)]


def _assignments(draw: _Draw) -> list[Shape]:
    found = [
        f"DB_PASSWORD={draw.password()}",
        f"PGPASSWORD={draw.password()} psql -h db.internal -U app",
        f"export STRIPE_SECRET={draw.word(32)}",
        f"aws_secret_access_key = {draw.base64(30)}",
        f"AWS_SESSION_TOKEN={draw.base64(90)}",
        f'"client_secret": "{draw.word(32)}"',
        f"jwt secret: `{draw.word(32)}`",
        f"- **API key**: {draw.hex(32)}",
        f"| admin password | {draw.password()} |",
        f"HEROKU_API_KEY: {draw.guid()}",
        f"DATADOG_APP_KEY={draw.hex(40)}",
        f"password: {draw.password()}",
        f"Passwort: {draw.password()}",
        f"密码：{draw.password()}",
        f"비밀번호: {draw.password()}",
        f"mật khẩu: {draw.password()}",
        f"пароль: {draw.password()}",
        f"contraseña = '{draw.password()}'",
        f"mot de passe : {draw.password()}",
        f"  passphrase: {draw.password()}",
        f'$env:GITLAB_TOKEN = "{draw.word(26)}"',
        f"ENV ADMIN_PASS {draw.password()}",
        f"NEXTAUTH_SECRET={draw.base64(32)}",
        f"SECRET_KEY_BASE={draw.hex(128)}",
        f"django SECRET_KEY = 'django-insecure-{draw.lower(40)}'",
        f"encryption_key: {draw.base64(32)}",
        f"cookie: session={draw.hex(48)}",
        f"PrivateKey = {draw.base64(32)}",
        f"wifi psk={draw.password()}",
        f"TWILIO_AUTH_TOKEN={draw.hex(32)}",
        f"ALGOLIA_ADMIN_KEY={draw.hex(32)}",
        f"spring.datasource.password={draw.password()}",
        f'<add key="Password" value="{draw.password()}" />',
        f"<password>{draw.password()}</password>",
        f"wallet key 0x{draw.hex(64)} (private key)",
        f"private_key=0x{draw.hex(64)}",
    ]
    return [Shape("assignments", text) for text in found]


def _commands(draw: _Draw) -> list[Shape]:
    word = draw.password
    found = [
        f"mysql -u root -p{word()} shop",
        f"`mysqldump -uadmin -p{word()} shop > dump.sql`",
        f"mysql --user=root --password={word()}",
        f"sshpass -p '{word()}' ssh deploy@10.1.2.3",
        f"curl -u admin:{word()} https://ci.example.com/api",
        f"curl --user 'svc:{word()}' https://nexus.corp/repo",
        f"docker login -u ci -p {word()} registry.corp",
        f"redis-cli -h cache -a {word()} ping",
        f"ldapsearch -D cn=admin -w {word()} -b dc=corp",
        f"smbclient //nas/share -U 'backup%{word()}'",
        f"sqlcmd -S db -U sa -P {word()}",
        f"htpasswd -b .htpasswd admin {word()}",
        f"zip -P {word()} out.zip dump.sql",
        f"7z x -p{word()} backup.7z",
        f"openssl rsa -in key.pem -passin pass:{word()}",
        f"keytool -list -keystore app.jks -storepass {word()}",
        f"gpg --batch --passphrase {word()} -d dump.gpg",
        f"echo {word()} | sudo -S systemctl restart nginx",
        f"echo '{word()}' | docker login --username ci --password-stdin",
        f"oc login --token=sha256~{draw.word(43)}",
        f"gh auth login --with-token <<< ghp{'_'}{draw.word(36)}",
        f"az login --service-principal -u app -p {draw.word(30)} --tenant corp",
        f"sqlplus scott/{word()}@//db:1521/ORCL",
        f"CREATE USER app IDENTIFIED BY '{word()}';",
        f"ALTER ROLE app WITH PASSWORD '{word()}';",
        f"net use Z: \\\\nas\\share /user:corp\\bob {word()}",
        f"ansible-playbook site.yml -e ansible_become_pass={word()}",
        f"helm upgrade app ./chart --set db.password={word()}",
        f"vault login s.{draw.word(24)}",
        f"wget --http-user=bob --http-password={word()} https://files.corp/x",
        f"mongosh --username root --password {word()}",
        f"npm config set //registry.corp/:_authToken {draw.guid()}",
        f"requirepass {word()}",
        f"snmpwalk -v3 -u mon -A {word()} host",
        f"http -a admin:{word()} GET :8000/api",
        f"xfreerdp /v:win01 /u:admin /p:{word()}",
    ]
    return [Shape("commands", text) for text in found]


def _addresses(draw: _Draw) -> list[Shape]:
    word = lambda: draw.word(14)  # noqa: E731 - no sign of an address
    found = [
        f"redis://:{word()}@cache.internal:6379/0",
        f"DATABASE_URL=postgres://app:{word()}@db.internal:5432/shop",
        f"mongodb+srv://svc:{word()}@cluster0.ab1cd.mongodb.net/shop",
        f"amqp://rabbit:{word()}@mq.internal/vhost",
        f"mysql+pymysql://root:{word()}@localhost/shop",
        f"https://bob:{word()}@git.corp/app.git",
        f"https://ghp{'_'}{draw.word(36)}@github.com/o/r.git",
        f"https://oauth2:{word()}@gitlab.corp/g/p.git",
        f"ftp://upload:{word()}@files.corp/in",
        f"smtp://mailer:{word()}@smtp.corp:587",
        f"jdbc:sqlserver://db:1433;databaseName=shop;user=sa;password={word()};",
        f"jdbc:postgresql://db/shop?user=app&password={word()}",
        f"jdbc:oracle:thin:scott/{word()}@db:1521:ORCL",
        f"Server=db;Database=shop;User Id=sa;Pwd={word()};",
        f"DefaultEndpointsProtocol=https;AccountName=shop;AccountKey={draw.base64(64)};EndpointSuffix=core.windows.net",
        f"Endpoint=sb://shop.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey={draw.base64(32)}",
        f"https://shop.blob.core.windows.net/in?sv=2023-01-03&sp=r&sig={draw.base64(32).replace('+', '%2B')}",
        f"https://hooks.slack.com/services/T{draw.digits(8)}/B{draw.digits(8)}/{draw.word(24)}",
        f"https://discord.com/api/webhooks/{draw.digits(18)}/{draw.word(68)}",
        f"https://corp.webhook.office.com/webhookb2/{draw.guid()}@{draw.guid()}/IncomingWebhook/{draw.hex(32)}/{draw.guid()}",
        f"https://chat.googleapis.com/v1/spaces/AAA/messages?key=x&token={draw.word(43)}",
        f"https://{draw.hex(32)}@o{draw.digits(6)}.ingest.sentry.io/{draw.digits(7)}",
        f"https://api.telegram.org/bot{draw.digits(10)}:AA{draw.word(33)}/sendMessage",
        f"https://api.corp/v1/items?api_key={draw.word(32)}",
        f"wss://feed.corp/ws?access_token={draw.word(40)}",
        f"otpauth://totp/corp:bob?secret={draw.of('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 32)}&issuer=corp",
        f"https://bucket.s3.amazonaws.com/x?X-Amz-Signature={draw.hex(64)}",
        f"https://outlook.hooks.corp/webhook/{draw.word(32)}",
    ]
    return [Shape("addresses", text) for text in found]


def _headers(draw: _Draw) -> list[Shape]:
    basic = base64.b64encode(f"admin:{draw.password()}".encode()).decode()
    found = [
        f"X-Api-Key: {draw.word(32)}",
        f"Authorization: Bearer {draw.word(40)}",
        f"Authorization: Basic {basic}",
        f"curl -H 'PRIVATE-TOKEN: {draw.word(20)}' https://gitlab.corp/api",
        f'curl -H "Authorization: token {draw.hex(40)}"',
        f"X-Auth-Token: {draw.hex(32)}",
        f"Ocp-Apim-Subscription-Key: {draw.hex(32)}",
        f"call it with `Bearer {draw.word(32)}`",
        f"apikey: {draw.word(32)}",
        f"Cookie: sessionid={draw.lower(32)}; csrftoken={draw.word(32)}",
        f"'x-functions-key': '{draw.word(52)}=='",
        f"Authorization: ApiKey {draw.base64(40)}",
    ]
    return [Shape("headers", text) for text in found]


def _prose(draw: _Draw) -> list[Shape]:
    word = draw.password
    found = [
        f"The admin password is {word()}.",
        f"Staging: the root password for the database is `{word()}`, do not share it.",
        "The admin password is swordfish.",
        f"log in as admin / {word()}",
        f"Test account: bob@corp.io / {word()}",
        f"creds: deploy:{word()}",
        f"use {word()} as the password for the staging box",
        f"`{word()}` is the wifi password",
        f"ssh into prod (user ops, pw {word()})",
        f"the API key for the weather service is {draw.hex(32)}",
        f"Our token is {draw.word(32)} and expires in May",
        f"Das Admin-Passwort ist {word()}.",
        f"Das Kennwort lautet {word()}",
        f"La contraseña del servidor es {word()}",
        f"Le mot de passe admin est {word()}",
        f"A senha do banco é {word()}",
        f"管理员密码是 {word()}",
        f"管理者パスワードは {word()} です",
        f"관리자 비밀번호는 {word()} 입니다",
        f"Mật khẩu admin là {word()}",
        f"Пароль администратора — {word()}",
        f"password was changed to {word()} last week",
        f"sudo password on the build machine: {word()}",
        f"login with user admin and password {word()}",
        f"The door code is {draw.digits(6)}",
        "seed phrase: ripple scissors kick mammal hire column oak again sun offer wealth tomorrow",
        f"2FA backup codes: {draw.digits(4)}-{draw.digits(4)}, {draw.digits(4)}-{draw.digits(4)}",
        f"username: svc-backup, password: {word()}",
        f"Credentials for Grafana are admin/{word()}",
    ]
    return [Shape("prose", text) for text in found]


def _files(draw: _Draw) -> list[Shape]:
    key = "\n".join(draw.base64(48) for _ in range(6))
    login = base64.b64encode(f"ci:{draw.password()}".encode()).decode()
    found = [
        f"machine api.corp login bob password {draw.password()}",
        f"db.internal:5432:shop:app:{draw.password()}",
        f"admin:$apr1${draw.word(8)}${draw.word(22)}",
        f"root:$6${draw.word(16)}${draw.word(86)}:19000:0:99999:7:::",
        f"hash: $2b$12${draw.word(53)}",
        "-----BEGIN RSA " + "PRIVATE KEY-----\n" + key + "\n-----END RSA " + "PRIVATE KEY-----",
        "-----BEGIN OPENSSH " + "PRIVATE KEY-----\n" + key,
        "-----BEGIN PGP " + "PRIVATE KEY BLOCK-----\n\n" + key,
        f'"auths": {{"registry.corp": {{"auth": "{login}"}}}}',
        f"//registry.npmjs.org/:_authToken=npm{'_'}{draw.word(36)}",
        f"client-key-data: {draw.base64(90)}",
        f"[pypi]\nusername = __token__\npassword = pypi-{draw.word(60)}",
        f"\\connect user=app password={draw.password()} host=db",
        f"$ANSIBLE_VAULT;1.1;AES256\n{draw.hex(64)}",
        f"data:\n  password: {base64.b64encode(draw.password().encode()).decode()}",
    ]
    return [Shape("files", text) for text in found]


def _hidden(draw: _Draw) -> list[Shape]:
    token = "ghp" + "_" + draw.word(36)
    wide = "".join(chr(ord(char) + 0xFEE0) for char in "sk" + "-ant-api03-" + draw.word(40))
    found = [
        token[:9] + ZERO_WIDTH + token[9:],
        "\u2060".join(["xapp", "-1-A0" + draw.word(8) + "-" + draw.digits(13) + "-" + draw.hex(64)]),
        f"pass\u00adword: {draw.password()}",
        "\ufeff".join("hvs" + "." + draw.word(24)),
        f"the pass{ZERO_WIDTH}word is {draw.password()}",
        f"mysql -u root -p{ZERO_WIDTH}{draw.password()}",
        f"key {wide}",
        f"redis://:{draw.word(6)}\U000e0020{draw.word(8)}@cache:6379",
    ]
    return [Shape("hidden", text) for text in found]
