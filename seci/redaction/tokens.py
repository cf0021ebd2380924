"""Token formats: secrets that their issuers made recognisable by a prefix.

The prefixes and lengths are the issuers' published formats (their documentation on secret scanning), checked against
the rules of gitleaks' successor betterleaks 2.0. Each format is looked for by plain string search and judged only
where its prefix stands, which keeps a long text without secrets cheap.
"""

# ruff: noqa: E501  one entry of a table a line

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from seci.redaction.placeholders import is_filler
from seci.redaction.spans import Page, Span

# A token starts after something that is not a letter or digit, or after an escape: `\n`, `%3D`.
_START = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrtbf])|(?<=%[0-9A-Fa-f]{2}))"


_DIGIT_AND_CAPITAL = r"(?=[A-Za-z]{0,60}\d)(?=[a-z0-9]{0,60}[A-Z])"  # no identifier in snake or kebab case


@dataclass(frozen=True, slots=True)
class TokenFormat:
    """`prefixes` are literal, one of them starts every token; `body` is matched right after it."""

    kind: str
    prefixes: tuple[str, ...]
    body: str
    rank: int = 10


FORMATS: tuple[TokenFormat, ...] = (
    TokenFormat("github-token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), r"[A-Za-z0-9]{30,255}"),
    TokenFormat("github-token", ("github_pat_",), r"[A-Za-z0-9_]{30,255}"),
    TokenFormat(
        "gitlab-token",
        ("glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glimt-", "glagent-", "gloas-", "glsoat-", "glffct-"),
        r"[A-Za-z0-9_.\-]{18,300}",
    ),
    TokenFormat("gitlab-token", ("GR1348941",), r"[A-Za-z0-9_-]{20,}"),
    TokenFormat("slack-token", ("xoxb-", "xoxp-", "xoxa-", "xoxo-", "xoxr-", "xoxs-", "xoxc-", "xoxd-"), r"[A-Za-z0-9%+/=-]{10,250}"),
    TokenFormat("slack-token", ("xoxe.xox", "xoxe-", "xapp-", "xwfp-"), r"[A-Za-z0-9.-]{10,300}"),
    TokenFormat("slack-webhook", ("hooks.slack.com/services/", "hooks.slack.com/workflows/", "hooks.slack.com/triggers/"), r"[A-Za-z0-9+/]{20,120}"),
    TokenFormat("discord-webhook", ("discord.com/api/webhooks/", "discordapp.com/api/webhooks/"), r"\d{15,22}/[\w-]{50,90}"),
    TokenFormat("stripe-key", ("sk_live_", "rk_live_", "sk_test_", "rk_test_"), r"[A-Za-z0-9]{16,250}"),
    TokenFormat("stripe-webhook-secret", ("whsec_",), r"[A-Za-z0-9+/=]{20,100}"),
    TokenFormat("anthropic-key", ("sk-ant-",), r"[A-Za-z0-9_-]{20,250}", rank=5),
    TokenFormat("openrouter-key", ("sk-or-",), r"[A-Za-z0-9_-]{20,150}", rank=5),
    TokenFormat("openai-key", ("sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-"), r"[A-Za-z0-9_-]{20,300}", rank=6),
    TokenFormat("langsmith-key", ("lsv2_pt_", "lsv2_sk_"), r"[a-z0-9_]{30,100}"),
    TokenFormat("langfuse-key", ("sk-lf-",), r"[a-f0-9-]{30,50}", rank=6),
    TokenFormat("openai-key", ("sk-",), r"(?=[A-Za-z]{0,60}\d)[A-Za-z0-9]{32,250}", rank=7),
    TokenFormat("google-api-key", ("AIza",), r"[A-Za-z0-9_-]{33,40}"),
    TokenFormat("google-oauth-token", ("ya29.",), r"[A-Za-z0-9_-]{20,500}"),
    TokenFormat("google-oauth-secret", ("GOCSPX-",), r"[A-Za-z0-9_-]{20,60}"),
    TokenFormat("google-refresh-token", ("1//0",), r"[A-Za-z0-9_-]{40,200}"),
    TokenFormat("aws-access-key", ("AKIA", "ASIA", "ABIA", "ACCA"), r"[A-Z0-9]{16}(?![A-Za-z0-9])"),
    TokenFormat("aws-bedrock-key", ("ABSK",), r"[A-Za-z0-9+/]{100,280}={0,2}"),
    TokenFormat("alibaba-access-key", ("LTAI",), r"[A-Za-z0-9]{17,26}(?![A-Za-z0-9])"),
    TokenFormat("tencent-secret-id", ("AKID",), r"[A-Za-z0-9]{32}(?![A-Za-z0-9])"),
    TokenFormat("digitalocean-token", ("dop_v1_", "doo_v1_", "dor_v1_"), r"[a-f0-9]{40,80}"),
    TokenFormat("huggingface-token", ("hf_", "api_org_"), r"(?=[a-z]{0,60}[A-Z0-9])[A-Za-z0-9]{30,60}"),
    TokenFormat("npm-token", ("npm_",), r"[A-Za-z0-9]{30,60}"),
    TokenFormat("pypi-token", ("pypi-AgE", "pypi-"), r"[A-Za-z0-9_-]{50,400}"),
    TokenFormat("rubygems-key", ("rubygems_",), r"[a-f0-9]{40,60}"),
    TokenFormat("crates-token", ("cio",), r"[A-Za-z0-9]{32}(?![A-Za-z0-9])"),
    TokenFormat("docker-token", ("dckr_pat_", "dckr_oat_"), r"[A-Za-z0-9_-]{20,60}"),
    TokenFormat("sendgrid-key", ("SG.",), r"[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}"),
    TokenFormat("mailgun-key", ("key-", "pubkey-"), r"[a-f0-9]{32}(?![A-Za-z0-9])"),
    TokenFormat("brevo-key", ("xkeysib-", "xsmtpsib-"), r"[a-f0-9]{40,80}(?:-[A-Za-z0-9]{12,20})?"),
    TokenFormat("resend-key", ("re_",), r"[A-Za-z0-9]{6,12}_" + _DIGIT_AND_CAPITAL + r"[A-Za-z0-9]{20,40}"),
    TokenFormat("twilio-key", ("SK",), r"[a-f0-9]{32}(?![A-Za-z0-9])"),
    TokenFormat("shopify-token", ("shpat_", "shpca_", "shppa_", "shpss_"), r"[a-fA-F0-9]{30,40}"),
    TokenFormat("square-token", ("sq0atp-", "sq0csp-", "sq0idp-"), r"[A-Za-z0-9_-]{20,60}"),
    TokenFormat("square-token", ("EAAA",), r"[A-Za-z0-9_-]{60}(?![A-Za-z0-9_-])"),
    TokenFormat("facebook-token", ("EAA",), r"[A-Za-z0-9]{90,260}"),
    TokenFormat("flyio-token", ("fm1r_", "fm2_", "fo1_"), r"[A-Za-z0-9_+/=,-]{30,900}"),
    TokenFormat("linear-key", ("lin_api_", "lin_oauth_"), r"[A-Za-z0-9]{32,70}"),
    TokenFormat("notion-token", ("ntn_",), r"[A-Za-z0-9]{40,60}"),
    TokenFormat("notion-token", ("secret_",), _DIGIT_AND_CAPITAL + r"[A-Za-z0-9]{43}(?![A-Za-z0-9])"),
    TokenFormat("atlassian-token", ("ATATT3", "ATCTT3", "ATBB"), r"[A-Za-z0-9_=-]{24,300}"),
    TokenFormat("figma-token", ("figd_", "figo_"), r"[A-Za-z0-9_-]{30,60}"),
    TokenFormat("databricks-token", ("dapi",), r"[a-f0-9]{32}(?:-\d)?(?![A-Za-z0-9])"),
    TokenFormat("vault-token", ("hvs.", "hvb.", "hvr."), r"[A-Za-z0-9_-]{24,300}"),
    TokenFormat("vault-token", ("s.",), _DIGIT_AND_CAPITAL + r"[A-Za-z0-9]{24}(?![A-Za-z0-9])"),
    TokenFormat("pulumi-token", ("pul-",), r"[a-f0-9]{40}(?![A-Za-z0-9])"),
    TokenFormat("doppler-token", ("dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."), r"(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}"),
    TokenFormat("grafana-token", ("glc_", "glsa_"), r"[A-Za-z0-9_+/=]{30,400}"),
    TokenFormat("sentry-token", ("sntrys_", "sntryu_"), r"[A-Za-z0-9_+/=]{40,400}"),
    TokenFormat("newrelic-key", ("NRAK-", "NRJS-", "NRII-", "NRIQ-"), r"[A-Za-z0-9_-]{19,50}"),
    TokenFormat("dynatrace-token", ("dt0c01.", "dt0s16."), r"[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    TokenFormat("postman-key", ("PMAK-",), r"[a-f0-9]{24}-[a-f0-9]{34}"),
    TokenFormat("planetscale-token", ("pscale_tkn_", "pscale_pw_", "pscale_oauth_"), r"[\w=.-]{30,70}"),
    TokenFormat("supabase-key", ("sbp_", "sb_secret_"), r"[A-Za-z0-9_-]{24,60}"),
    TokenFormat("vercel-token", ("vcp_", "vci_", "vca_", "vcr_", "vck_"), r"[A-Za-z0-9]{24,60}"),
    TokenFormat("netlify-token", ("nfp_", "nfc_", "nfo_", "nfu_"), r"[A-Za-z0-9_]{36,50}"),
    TokenFormat("heroku-token", ("HRKU-",), r"[A-Za-z0-9_-]{36,80}"),
    TokenFormat("render-key", ("rnd_",), _DIGIT_AND_CAPITAL + r"[A-Za-z0-9]{28,40}"),
    TokenFormat("cloudflare-token", ("cfat_", "cfut_", "cfk_"), r"[A-Za-z0-9_-]{36,60}"),
    TokenFormat("cloudflare-token", ("v1.0-",), r"[a-f0-9]{24}-[a-f0-9]{146}"),
    TokenFormat("terraform-token", (".atlasv1.",), r"[A-Za-z0-9_=-]{60,70}"),
    TokenFormat("groq-key", ("gsk_",), r"[A-Za-z0-9]{40,60}"),
    TokenFormat("xai-key", ("xai-",), r"[A-Za-z0-9]{60,100}"),
    TokenFormat("perplexity-key", ("pplx-",), r"[A-Za-z0-9]{40,60}"),
    TokenFormat("replicate-token", ("r8_",), r"[A-Za-z0-9]{30,45}"),
    TokenFormat("nvidia-key", ("nvapi-",), r"[A-Za-z0-9_-]{50,80}"),
    TokenFormat("fireworks-key", ("fw_",), _DIGIT_AND_CAPITAL + r"[A-Za-z0-9]{20,40}"),
    TokenFormat("tavily-key", ("tvly-",), r"[A-Za-z0-9-]{20,60}"),
    TokenFormat("e2b-key", ("e2b_",), r"[a-f0-9]{36,50}"),
    TokenFormat("pinecone-key", ("pcsk_",), r"[A-Za-z0-9_]{40,90}"),
    TokenFormat("wandb-key", ("wandb_v1_",), r"[A-Za-z0-9_]{40,100}"),
    TokenFormat("airtable-token", ("pat",), r"[A-Za-z0-9]{14}\.[a-f0-9]{64}"),
    TokenFormat("age-key", ("AGE-SECRET-KEY-1",), r"[A-Z0-9]{50,64}"),
    TokenFormat("artifactory-key", ("AKCp",), r"[A-Za-z0-9]{60,75}"),
    TokenFormat("artifactory-key", ("cmVmdGtu",), r"[A-Za-z0-9]{50,60}"),
    TokenFormat("easypost-key", ("EZAK", "EZTK"), r"[A-Za-z0-9]{54}(?![A-Za-z0-9])"),
    TokenFormat("shippo-token", ("shippo_live_", "shippo_test_"), r"[a-f0-9]{40}"),
    TokenFormat("contentful-token", ("CFPAT-",), r"[A-Za-z0-9_-]{40,50}"),
    TokenFormat("asana-token", ("1/", "2/"), r"\d{16}(?:/\d{16})?:[a-f0-9]{32}(?![A-Za-z0-9])"),
    TokenFormat("tailscale-key", ("tskey-",), r"[a-z]{2,12}-[A-Za-z0-9-]{20,80}"),
    TokenFormat("ngrok-token", ("ak_", "cr_"), r"2[A-Za-z0-9]{26}(?![A-Za-z0-9])"),
    TokenFormat("onepassword-token", ("ops_eyJ",), r"[A-Za-z0-9_=+/-]{100,2000}"),
    TokenFormat("onepassword-secret-key", ("A3-",), r"[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}"),
)  # fmt: skip

_RUN = re.compile(r"[A-Za-z0-9_\-./+=:%~]{18,}+")  # no token is shorter, with its prefix
_COMPILED = {p: (f, re.compile(_START + re.escape(p) + f"(?P<body>{f.body})")) for f in FORMATS for p in f.prefixes}


def _render_trie(words: list[str]) -> str:
    """A pattern that matches any of the words and tries each first letter once."""
    branches: dict[str, list[str]] = {}
    for word in words:
        branches.setdefault(word[:1], []).append(word[1:])
    ends = "" in branches
    parts = [re.escape(head) + _render_trie(rest) for head, rest in branches.items() if head]
    if not parts:
        return ""
    return "(?:" + "|".join(parts) + ")" + ("?" if ends else "")


_PREFIX = re.compile(_render_trie(sorted(_COMPILED, reverse=True)))

# Shapes without a fixed prefix. Their first character is matched before what stands in front of it is looked at: so
# the regex engine skips to candidates. Runs are possessive, so that a failed match costs one pass over the run.
_JWT = re.compile(
    r"e(?:(?<![A-Za-z0-9_.-]e)|(?<=\\[nrt]e)|(?<=%[0-9A-Fa-f]{2}e))(?:yJ|wogICJ)[A-Za-z0-9_-]{8,}+={0,2}"
    r"\.[A-Za-z0-9_-]{0,}+={0,2}(?:\.[A-Za-z0-9_-]{0,}+={0,2}){1,3}"
)
_TELEGRAM = re.compile(r":AA(?<=\d{8}:AA)[A-Za-z0-9_-]{32,34}(?![A-Za-z0-9_-])")
_DISCORD = re.compile(
    r"[MNO](?:(?<![A-Za-z0-9_-][MNO])|(?<=\\[nrt][MNO]))[A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9_-])"
)
_MAILCHIMP = re.compile(r"-us\d{1,2}(?![A-Za-z0-9])")
_HEX32 = re.compile(r"(?<![A-Za-z0-9])[0-9a-f]{32}")
# An issuer that is not in the table, but follows the fashion: `acme_live_4f9a...`, `corp_sk_...`.
_FASHION = re.compile(
    r"[_-](?:live|prod|pat|sk|secret|apikey|api|key|token)[_-](?=[A-Za-z]{0,60}\d)(?=[0-9]{0,60}[A-Za-z])"
    r"(?=[a-z0-9]{0,60}[A-Z]|[a-f0-9]{32})[A-Za-z0-9]{24,200}(?![A-Za-z0-9_-])"
)
_ISSUER = re.compile(r"[A-Za-z]{2,12}\Z")
_AWS_ID = re.compile(r"A[KS]IA(?<![A-Za-z0-9].{4})[A-Z0-9]{16}(?![A-Za-z0-9])", re.DOTALL)
_FORTY = re.compile(r"(?<![A-Za-z0-9/+=])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])")
_AWS_NEAR = 400  # characters between an access key id and the secret that is printed or configured with it


def find_tokens(page: Page) -> Iterator[Span]:
    text = page.text
    for run in _RUN.finditer(text):
        at, end = run.span()
        while prefix := _PREFIX.search(text, at, end):
            form, pattern = _COMPILED[prefix[0]]
            match = pattern.match(text, prefix.start())
            if match and not is_filler(match["body"]):
                yield Span(match.start(), match.start() + len(match[0].rstrip(".,")), form.kind, form.rank)
            at = match.end() if match else prefix.start() + 1


def find_shapes(page: Page) -> Iterator[Span]:
    text = page.text
    if "eyJ" in text or "ewogICJ" in text:
        yield from (Span(*m.span(), "jwt", 8) for m in _JWT.finditer(text) if len(m[0]) > 40)
    if ":AA" in text:
        for match in _TELEGRAM.finditer(text):
            yield Span(match.start() - 8, match.end(), "telegram-token", 12)
    if "-us" in text:
        for match in _MAILCHIMP.finditer(text):
            if key := _HEX32.match(text, max(0, match.start() - 32), match.start()):
                yield Span(key.start(), match.end(), "mailchimp-key", 12)
    if text.count(".") > 1:
        yield from (Span(*m.span(), "discord-token", 12) for m in _DISCORD.finditer(text) if _is_random(m[0]))
    for match in _FASHION.finditer(text) if "_" in text or "-" in text else ():
        issuer = _ISSUER.search(text, max(0, match.start() - 12), match.start())
        if issuer and not is_filler(match[0]):
            yield Span(issuer.start(), match.end(), "api-key", 30)


def find_aws_secrets(page: Page) -> Iterator[Span]:
    """The secret key has no shape of its own: forty characters of base64 are one only beside an access key id."""
    for start, end in _around_aws_ids(page.text):
        for match in _FORTY.finditer(page.text, start, end):
            if _is_random(match[0]):
                yield Span(*match.span(), "aws-secret-key", 4)


def _around_aws_ids(text: str) -> Iterator[tuple[int, int]]:
    if "AKIA" not in text and "ASIA" not in text:
        return
    start = end = 0
    for key_id in _AWS_ID.finditer(text):
        if key_id.start() - _AWS_NEAR > end:
            if end:
                yield start, end
            start = max(0, key_id.start() - _AWS_NEAR)
        end = key_id.end() + _AWS_NEAR
    if end:
        yield start, end


def _is_random(value: str) -> bool:
    """Upper case, lower case and digits together: neither a word nor a hex digest."""
    return any(c.isupper() for c in value) and any(c.islower() for c in value) and any(c.isdigit() for c in value)
