"""Planted secrets and their look-alikes, put together when the tests run.

Nothing here is a secret, and no line of this file looks like one to a secret scanner: the parts are joined and filled
with seeded random characters only in memory.
"""

# ruff: noqa: E501  one entry of a table a line

from __future__ import annotations

import base64
import json
import random
import string
from dataclasses import dataclass
from urllib.parse import quote

_ALNUM = string.ascii_letters + string.digits
_HEX = "0123456789abcdef"
_URLSAFE = _ALNUM + "-_"


@dataclass(frozen=True, slots=True)
class Planted:
    """`text` holds `secret` (or its pieces), which must not survive; `keeps` must."""

    name: str
    text: str
    secret: str
    keeps: str = ""

    @property
    def pieces(self) -> list[str]:
        return [piece for piece in self.secret.split("\n") if piece]


class _Maker:
    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def chars(self, n: int, alphabet: str = _ALNUM) -> str:
        """`n` characters with at least one digit, lower-case and upper-case letter where the alphabet has them."""
        while True:
            text = "".join(self._random.choice(alphabet) for _ in range(n))
            if all(
                any(c in kind for c in text) or not set(kind) & set(alphabet)
                for kind in (string.digits, string.ascii_lowercase, string.ascii_uppercase)
            ):
                return text

    def password(self) -> str:
        return self.chars(6) + self._random.choice("!#%+?~") + self.chars(4)

    def lines(self, n: int) -> str:
        return "\n".join(self.chars(64, _ALNUM + "+/") for _ in range(n))

    def jwt(self) -> str:
        parts = ({"alg": "HS256", "typ": "JWT"}, {"sub": self.chars(10), "exp": 1_900_000_000})
        head = [base64.urlsafe_b64encode(json.dumps(p).encode()).decode().rstrip("=") for p in parts]
        return ".".join([*head, self.chars(43, _URLSAFE)])


def planted(seed: int = 7) -> list[Planted]:
    return [*_formats(_Maker(seed)), *_connections(_Maker(seed + 1)), *_names(_Maker(seed + 2)), *_said(_Maker(seed + 3)), *_hidden(_Maker(seed + 4))]  # fmt: skip


def _formats(m: _Maker) -> list[Planted]:
    made = {
        "github classic": "gh" + "p_" + m.chars(36),
        "github app": "gh" + "s_" + m.chars(36),
        "github fine-grained": "github" + "_pat_" + m.chars(22) + "_" + m.chars(59),
        "gitlab": "gl" + "pat-" + m.chars(20, _URLSAFE),
        "gitlab runner": "gl" + "rt-" + m.chars(20, _URLSAFE),
        "slack bot": "xox" + "b-" + m.chars(12, string.digits) + "-" + m.chars(12, string.digits) + "-" + m.chars(24),
        "slack webhook": "https://hooks.slack" + ".com/services/T" + m.chars(8) + "/B" + m.chars(8) + "/" + m.chars(24),
        "stripe live": "sk_" + "live_" + m.chars(24),
        "stripe restricted": "rk_" + "live_" + m.chars(24),
        "stripe webhook": "wh" + "sec_" + m.chars(32),
        "openai project": "sk-" + "proj-" + m.chars(64, _URLSAFE),
        "openai old": "sk-" + m.chars(48),
        "anthropic": "sk-" + "ant-api03-" + m.chars(93, _URLSAFE) + "AA",
        "google api": "AI" + "za" + m.chars(35, _URLSAFE),
        "google oauth": "ya" + "29." + m.chars(60, _URLSAFE),
        "google client secret": "GOC" + "SPX-" + m.chars(28, _URLSAFE),
        "aws id": "AK" + "IA" + m.chars(16, string.ascii_uppercase + string.digits),
        "aws temporary id": "AS" + "IA" + m.chars(16, string.ascii_uppercase + string.digits),
        "digitalocean": "dop" + "_v1_" + m.chars(64, _HEX),
        "hugging face": "h" + "f_" + m.chars(34),
        "npm": "npm" + "_" + m.chars(36),
        "pypi": "py" + "pi-AgEIcHlwaS5vcmc" + m.chars(120, _URLSAFE),
        "sendgrid": "S" + "G." + m.chars(22, _URLSAFE) + "." + m.chars(43, _URLSAFE),
        "twilio": "S" + "K" + m.chars(32, _HEX),
        "mailgun": "ke" + "y-" + m.chars(32, _HEX),
        "mailchimp": m.chars(32, _HEX) + "-us" + "14",
        "shopify": "shp" + "at_" + m.chars(32, _HEX),
        "linear": "lin" + "_api_" + m.chars(40),
        "notion": "nt" + "n_" + m.chars(46),
        "databricks": "da" + "pi" + m.chars(32, _HEX),
        "hashicorp vault": "hv" + "s." + m.chars(90, _URLSAFE),
        "docker hub": "dckr" + "_pat_" + m.chars(27, _URLSAFE),
        "grafana": "gl" + "sa_" + m.chars(32) + "_" + m.chars(8, _HEX),
        "groq": "gs" + "k_" + m.chars(52),
        "telegram": m.chars(10, string.digits) + ":AA" + m.chars(33, _URLSAFE),
        "discord": "M" + m.chars(25, _ALNUM) + "." + m.chars(6, _URLSAFE) + "." + m.chars(38, _URLSAFE),
        "age": "AGE-SECRET" + "-KEY-1" + m.chars(58, string.ascii_uppercase + string.digits),
        "atlassian": "ATA" + "TT3" + m.chars(180, _URLSAFE) + "=" + m.chars(8, "0123456789ABCDEF"),
        "jwt": m.jwt(),
        "unknown issuer": "acme" + "_live_" + m.chars(32),
    }
    frames = (
        "It fails with {} and I do not know why.",
        "export X={}",
        '{{"value": "{}"}}',
        "see `{}`",
        "run --with {}",
        "a\\n{}\\nb",
    )
    return [Planted(name, frames[i % len(frames)].format(s), s) for i, (name, s) in enumerate(made.items())]


def _connections(m: _Maker) -> list[Planted]:
    p = [m.password() for _ in range(16)]
    made = [
        ("postgres", f"psql postgres://app:{p[0]}@db.internal:5432/main", p[0], "db.internal:5432/main"),
        ("postgresql driver", f"DATABASE_URL=postgresql+asyncpg://app:{p[1]}@localhost/x", p[1], "@localhost/x"),
        ("mongodb srv", f"mongodb+srv://root:{p[2]}@cluster0.ab1cd.mongodb.net/?retryWrites=true", p[2], "cluster0"),
        ("redis without user", f"redis://:{p[3]}@cache:6379/0", p[3], "cache:6379"),
        ("amqp", f"broker is amqps://svc:{p[4]}@mq.example.org/vhost", p[4], "mq.example.org"),
        ("mysql", f"mysql://root:{p[5]}@127.0.0.1/shop", p[5], "shop"),
        ("jdbc query", f"jdbc:postgresql://h:5432/db?user=sa&password={p[6]}&ssl=true", p[6], "ssl=true"),
        (
            "jdbc sql server",
            f"jdbc:sqlserver://h:1433;databaseName=x;user=sa;password={p[7]};encrypt=true",
            p[7],
            "encrypt",
        ),
        ("jdbc oracle", f"jdbc:oracle:thin:scott/{p[8]}@//db:1521/orcl", p[8], "orcl"),
        ("ado", f"Server=tcp:x.net,1433;User ID=me;Password={p[9]};Encrypt=True", p[9], "Encrypt"),
        (
            "basic auth in a url",
            f"git clone https://deploy:{p[10]}@git.example.com/a/b.git",
            p[10],
            "git.example.com/a/b.git",
        ),
        ("at sign in the password", f"postgres://app:x@{p[11]}@db/x", p[11], "@db/x"),
        (
            "azure storage",
            "AccountName=logs;AccountKey=" + (k := m.chars(86, _ALNUM + "+/") + "=="),
            k,
            "AccountName=logs",
        ),
        (
            "azure sas",
            "https://x.blob.core.windows.net/c/f?sv=2024-01-01&sig=" + (k := m.chars(20) + "%2B" + m.chars(20) + "%3D"),
            k,
            "sv=2024-01-01",
        ),
        ("libpq", f"host=db port=5432 user=app password={p[12]} dbname=x", p[12], "dbname=x"),
        ("pgpass", f"db.internal:5432:main:app:{p[13]}", p[13], "db.internal"),
        ("netrc", f"machine api.example.com login bot password {p[14]}", p[14], "login bot"),
    ]
    return [Planted(*row) for row in made]


def _names(m: _Maker) -> list[Planted]:
    p = [m.password() for _ in range(30)]
    k = [m.chars(32) for _ in range(20)]
    made = [
        (".env password", f"DEBUG=1\nDB_PASSWORD={p[0]}\nPORT=80", p[0], "PORT=80"),
        (".env word", "POSTGRES_PASSWORD=" + "swordfish", "swordfish", "POSTGRES_PASSWORD"),
        (".env secret", f"SESSION_SECRET={k[0]}", k[0], "SESSION_SECRET"),
        (".env api key", f"ACME_API_KEY='{k[1]}'", k[1], "ACME"),
        (".env numbered", f"AUTH_TOKEN_2={k[2]}", k[2], ""),
        ("export", f'export GITEA_TOKEN="{k[3]}"', k[3], "export"),
        ("lower case .env", f"client_secret={k[4]}", k[4], "client_secret"),
        ("properties", f"spring.datasource.password={p[1]}", p[1], "spring"),
        ("docker -e", f"docker run -e MYSQL_ROOT_PASSWORD={p[2]} mysql:8", p[2], "mysql:8"),
        ("compose", f"    environment:\n      POSTGRES_PASSWORD: {p[3]}\n", p[3], "environment"),
        ("json", json.dumps({"user": "a", "password": p[4]}), p[4], "user"),
        ("json in json", json.dumps(json.dumps({"apiKey": k[5]})), k[5], "apiKey"),
        ("yaml", f"auth:\n  username: bob\n  password: {p[5]}\n", p[5], "bob"),
        ("yaml next line", f"password: >-\n  {p[6]}\nport: 1", p[6], "port"),
        ("toml", f'secret_key = "{k[6]}"', k[6], "secret_key"),
        ("python", f"client = Client(api_key='{k[7]}')", k[7], "Client"),
        ("javascript", f'const config = {{ clientSecret: "{k[8]}", port: 1 }}', k[8], "port: 1"),
        ("go", f'token := "{k[9]}"', k[9], "token"),
        ("xml", f"<server><password>{p[7]}</password></server>", p[7], "<server>"),
        ("markdown bold", f"- **Password:** {p[8]}", p[8], "Password"),
        ("markdown table", f"| password | {p[9]} |", p[9], "password"),
        ("set default", f'os.environ["API_TOKEN"] = "{k[10]}"', k[10], "os.environ"),
        (
            "aws pair",
            "aws_access_key_id = AK"
            + "IA"
            + m.chars(16, string.ascii_uppercase + string.digits)
            + "\naws_secret_access_key = "
            + (s := m.chars(40, _ALNUM + "/+")),
            s,
            "aws_secret_access_key",
        ),
        (
            "aws secret alone in a list",
            "AK" + "IA" + m.chars(16, string.ascii_uppercase + string.digits) + "," + (s := m.chars(40, _ALNUM + "/+")),
            s,
            "",
        ),
        ("authorization bearer", f"curl -H 'Authorization: Bearer {k[11]}' https://x", k[11], "https://x"),
        (
            "authorization basic",
            "Authorization: Basic " + (s := base64.b64encode(f"me:{p[10]}".encode()).decode()),
            s,
            "Basic",
        ),
        ("header object", json.dumps({"headers": {"Authorization": f"token {k[12]}"}}), k[12], "headers"),
        ("api key header", f"X-Api-Key: {k[13]}", k[13], "X-Api-Key"),
        ("bearer in a sentence", f"It was sent as Bearer {k[14]} there.", k[14], "there."),
        ("cookie", f"Cookie: session_id={k[15]}; theme=dark", k[15], "Cookie"),
        ("curl -u", f"curl -s -u admin:{p[11]} https://x/y", p[11], "https://x/y"),
        ("curl --user", f'curl --user "admin:{p[12]}" https://x/y', p[12], "https://x/y"),
        ("mysql -p", f"mysql -h db -u root -p{p[13]} shop", p[13], "shop"),
        ("sshpass", f"sshpass -p {p[14]} ssh me@h", p[14], "ssh me@h"),
        ("docker login", f"docker login -u me -p {p[15]} registry.example.com", p[15], "registry"),
        ("redis-cli", f"redis-cli -h r -a {p[16]} ping", p[16], "ping"),
        ("switch", f"deploy --token {k[16]} --dry-run", k[16], "--dry-run"),
        ("switch with equals", f"deploy --password={p[17]} --dry-run", p[17], "--dry-run"),
        ("inline environment", f"PGPASSWORD={p[18]} psql -h db", p[18], "psql -h db"),
        ("sql", f"CREATE USER app IDENTIFIED BY '{p[19]}';", p[19], "CREATE USER app"),
        ("sql role", f"ALTER ROLE app WITH PASSWORD '{p[20]}';", p[20], "ALTER ROLE"),
        ("sudo", f"echo {p[21]} | sudo -S true", p[21], "sudo"),
        ("npmrc", f"//registry.example.com/:_authToken={k[17]}", k[17], "registry.example.com"),
        ("aws configure", f"aws configure set aws_secret_access_key {k[18]}", k[18], "configure"),
        ("github secret", f"gh variable set API_TOKEN {k[19]}", k[19], "gh variable set"),
        ("dollar and hash inside", f"DB_PASSWORD=Pa$$w0rd#{p[22]}", p[22], ""),
        ("wireguard", "PrivateKey = " + (s := m.chars(43, _ALNUM + "+/") + "="), s, "PrivateKey"),
    ]
    return [Planted(*row) for row in made]


def _said(m: _Maker) -> list[Planted]:
    p = [m.password() for _ in range(20)]
    made = [
        ("password is", f"the password is {p[0]}, try it", p[0], "try it"),
        ("password is, short", "my password is " + "hunter" + "2", "hunter" + "2", "my password is"),
        ("password for", f"The password for the staging box is {p[1]}.", p[1], "staging box"),
        ("word at the end", "the root password is " + "swordfish" + ".", "swordfish", "the root"),
        ("quoted", f"log in, the password is `{p[2]}` for now", p[2], "for now"),
        ("colon", f"Password: {p[3]}", p[3], "Password"),
        ("pw", f"pw: {p[4]}", p[4], ""),
        ("use password", f"use password {p[5]} on the router", p[5], "router"),
        ("changed to", f"I changed the password to {p[6]} yesterday", p[6], "yesterday"),
        ("credentials", f"credentials are admin / {p[7]}", p[7], "admin"),
        ("login", f"login: root:{p[8]}", p[8], "root"),
        ("passphrase", f"the passphrase is '{p[9]}'", p[9], ""),
        ("api key is", "the API key is " + (s := m.chars(32)), s, "the API key is"),
        ("token was", "the token was " + (s := m.chars(40, _HEX)) + " before", s, "before"),
        ("dutch", f"het wachtwoord is {p[10]}", p[10], "wachtwoord"),
        ("german", f"Das Passwort lautet {p[11]}", p[11], "lautet"),
        ("french", f"le mot de passe est {p[12]}", p[12], "est"),
        ("spanish", f"la contraseña es {p[13]}", p[13], "es"),
        ("portuguese", f"a senha é {p[14]}", p[14], "senha"),
        ("chinese", f"密码是{p[15]}", p[15], "密码"),
        ("japanese", f"パスワードは{p[16]}です", p[16], "です"),
        ("korean", f"비밀번호는 {p[17]} 입니다", p[17], "입니다"),
    ]
    return [Planted(*row) for row in made]


def _hidden(m: _Maker) -> list[Planted]:
    """In more than one line, or in another writing."""
    pem, ssh, pgp, cut = m.lines(8), m.lines(6), m.lines(5), m.lines(4)
    p, key, jwt = m.password(), m.chars(36), m.jwt()
    token = "gh" + "p_" + key
    begin, end = "-----BEGIN {}-----", "-----END {}-----"
    rsa, openssh, armour = "RSA PRIVATE" + " KEY", "OPENSSH PRIVATE" + " KEY", "PGP PRIVATE KEY" + " BLOCK"

    def block(label: str, body: str) -> str:
        return f"{begin.format(label)}\n{body}\n{end.format(label)}"

    return [
        Planted("pem", f"here:\n{block(rsa, pem)}\nthanks", pem, "thanks"),
        Planted("openssh", block(openssh, ssh), ssh),
        Planted("pgp", block(armour, "Version: 1\n\n" + pgp), pgp),
        Planted("pem in json", json.dumps({"key": block(rsa, pem)}), pem),
        Planted("pem quoted in a mail", block(rsa, pem).replace("\n", "\n> "), pem),
        Planted("pem cut off", f"{begin.format(rsa)}\n{cut}", cut),
        Planted(
            "percent-encoded url", "open http://x/?u=" + quote(f"postgres://app:{p}@db/x", safe=""), quote(p, safe="")
        ),
        Planted("percent-encoded pair", "http://x/cb?state=a%3Db%26client_secret%3D" + key, key),
        Planted("token after an escape", "http://x/?q=t%3D" + token, key),
        Planted(
            "wrapped token",
            f"  the token\n  {token[:24]}\n  {token[24:]}\n  is it",
            f"{token[:24]}\n{token[24:]}",
            "is it",
        ),
        Planted("wrapped jwt", f"{jwt[:60]}\n{jwt[60:]}\n", f"{jwt[:60]}\n{jwt[60:]}"),
        Planted("joined literals", f'x = ("{token[:20]}"\n     "{token[20:]}")', f"{token[:20]}\n{token[20:]}"),
        Planted("added literals", f'x = "{token[:20]}" + "{token[20:]}"', f"{token[:20]}\n{token[20:]}"),
        Planted("line continued", f"export API_TOKEN=\\\n  {key}\n", key),
        Planted("in a long run", "x" * 3000 + " " + token + " " + "y" * 3000, key),
    ]


def look_alikes(seed: int = 11) -> list[str]:
    """Texts in which nothing is secret."""
    m = _Maker(seed)
    sha1, sha256, uid = m.chars(40, _HEX), m.chars(64, _HEX), "-".join(m.chars(n, _HEX) for n in (8, 4, 4, 4, 12))
    sri = m.chars(86, _ALNUM + "+/") + "=="
    return [
        f"fixed in {sha1}",
        f"commit {sha1[:7]}..{sha1[8:15]}",
        f"index {sha1[:10]}..{sha1[10:20]} 100644",
        f"docker pull x@sha256:{sha256}",
        f'"integrity": "sha512-{sri}"',
        f"--hash=sha256:{sha256}",
        f'checksum = "{sha256}"',
        f"h1:{m.chars(43, _ALNUM + '+/')}= go.sum",
        f"session {uid} started",
        f'{{"id": "{uid}", "key": "value"}}',
        f"/home/dev/.cache/{sha256}/model.onnx",
        "src/auth/token_refresh.py:120",
        "see /etc/ssl/private/server.key",
        "https://example.com/docs/api-keys#tokens",
        "http://localhost:8080/a@b",
        "https://registry.npmjs.org:443/@types/node",
        "git@github.com:owner/repo.git",
        "ssh://git@example.com:22/a/b.git",
        "postgres://user:password@host:5432/db",
        "postgres://user:<password>@host/db",
        "postgres://$DB_USER:$DB_PASSWORD@$DB_HOST/db",
        "postgres://${USER}:${PASSWORD}@localhost/db",
        "mongodb://localhost:27017/app",
        "API_KEY=<your-key>",
        "API_KEY=your-api-key-here",
        "API_KEY=your_api_key",
        "OPENAI_API_KEY=sk-...",
        "OPENAI_API_KEY=sk-" + "x" * 40,
        "GITHUB_TOKEN=$TOKEN",
        "GITHUB_TOKEN=${{ secrets.GITHUB_TOKEN }}",
        'GITHUB_TOKEN="$(gh auth token)"',
        "SECRET_KEY=changeme",
        "DB_PASSWORD=",
        "DB_PASSWORD=***",
        "PASSWORD=********",
        "TOKEN=",
        "MAX_TOKENS=4096",
        "max_tokens: 4096, temperature: 0.2",
        "TOKENIZERS_PARALLELISM=false",
        "PASSWORD_MIN_LENGTH=12",
        "SECRET_NAME=db-credentials",
        "TOKEN_FILE=/run/secrets/token",
        "password = os.environ['DB_PASSWORD']",
        'password = os.getenv("DB_PASSWORD")',
        "const token = process.env.API_TOKEN",
        "apiKey: process.env.OPENAI_API_KEY,",
        "password = getpass.getpass()",
        "token = await getToken(user)",
        "token = self.token_store.latest",
        "def login(user: str, password: str) -> str:",
        "function login(password: string, token?: string) {}",
        "password: string;",
        'Token string `json:"token"`',
        "if password == expected_password:",
        "hash(password) != user.password_hash",
        "the password is required",
        "the password is stored hashed with bcrypt",
        "Password must be at least 12 characters.",
        "the token is invalid or expired",
        "the token is 256-bit",
        "the secret is that nobody reads it",
        "the key is to keep it simple",
        "a token is refreshed after 15 minutes",
        "Passwords are compared in constant time.",
        "use a password manager",
        "reset your password here",
        "Authorization: Bearer <token>",
        "Authorization: Bearer $TOKEN",
        'headers = {"Authorization": f"Bearer {token}"}',
        "a Bearer token is sent with every request",
        "curl -u $USER:$PASS https://x",
        "curl -u user:<password> https://x",
        "mysql -u root -p shop",
        "docker run -p 8080:80 nginx",
        "ssh -p 2222 me@host",
        "mkdir -p build/output",
        "deploy --token <TOKEN>",
        "deploy --token $TOKEN --dry-run",
        "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
        "the file starts with -----BEGIN OPENSSH PRIVATE" + " KEY-----",
        "-----BEGIN CERTIFICATE-----\n" + m.lines(3) + "\n-----END CERTIFICATE-----",
        "-----BEGIN PUBLIC KEY-----\n" + m.lines(2) + "\n-----END PUBLIC KEY-----",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + m.chars(43) + " me@host",
        "the eyJhbGciOi... header",
        "task-runner-configuration-with-a-long-name",
        "sk-button-primary-large-with-icon-left",
        "npm_config_registry=https://registry.npmjs.org",
        "npm_lifecycle_event",
        "primary_key=True, foreign_key='users.id'",
        'cache_key = "users:list:v2"',
        'key: "ArrowDown"',
        'type="password" name="password"',
        '{"token_type": "bearer", "expires_in": 3600}',
        "nextToken: undefined",
        "tokens: 128000",
        "const TOKEN_HEADER = 'X-Auth-Token'",
        "password: ''",
        'password: "secret"',
        "the tokenizer splits on spaces",
        "secretary: Alice",
        "data:image/png;base64," + m.chars(120, _ALNUM + "+/"),
        "API_KEY=[redacted:api-key]",
        "POST /oauth/token HTTP/1.1",
        "kubectl get secret db-credentials -o yaml",
        "line 12: unexpected token '}' in JSON at position 14",
        "2026-01-05T10:22:33.123Z INFO token refreshed in 12ms",
        "password_hash = bcrypt.hash(password, 12)",
        "AWS_SECRET_ACCESS_KEY: ${{ secrets.AWS_SECRET_ACCESS_KEY }}",
        "apiKey: z.string().min(1)",
        "Secret: optional, Token: required",
    ]
