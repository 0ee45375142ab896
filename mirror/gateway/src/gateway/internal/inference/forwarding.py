"""Forwarding of requests to upstreams and of answers to clients."""

import re
from collections.abc import Iterable, Mapping
from urllib.parse import parse_qsl, quote, urlencode

from gateway.internal.inference.families import Family
from gateway.internal.inference.request import InferenceRequest
from gateway.internal.outbound.redirects import canonical, carries_credential
from gateway.internal.pool.credential import Credential

_HOP_BY_HOP = frozenset(
    {"connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade", "expect"}
)
_OURS = frozenset(
    {
        "host",
        "content-length",
        "accept-encoding",
        "x-management-key",
        "forwarded",
        "via",
        "x-real-ip",
        "origin",
        "referer",
    }
)
_ACCOUNT = frozenset({"openai-organization", "openai-project", "x-goog-user-project", "chatgpt-account-id"})
_OUR_PREFIXES = ("x-forwarded-", "x-cpa-", "cf-", "sec-")
_CLIENT_KEYS = frozenset({"key", "auth_token"})
_KEPT_FROM_ANSWERS = frozenset({"set-cookie", "server", "date", "alt-svc", "strict-transport-security"})
_ALWAYS_ANSWERED = ("Content-Type", "Content-Encoding")
_VERSIONS = ("/v1beta", "/v1")
_BETA = "Anthropic-Beta"
_USUAL_LOCATION = "us-central1"
_PROJECT = re.compile(r"[A-Za-z0-9.:_-]+")
_LOCATION = re.compile(r"[A-Za-z0-9-]+")


def forwarded_headers(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the forwarded headers: without the client's key, its account, and headers of the connection."""
    forwarded: dict[str, str] = {}
    for name, value in headers:
        lower = name.lower()
        ours = lower in _HOP_BY_HOP | _OURS | _ACCOUNT or lower.startswith(_OUR_PREFIXES)
        if not ours and not carries_credential(lower):
            earlier = forwarded.get(canonical(name))
            forwarded[canonical(name)] = value if earlier is None else f"{earlier}, {value}"
    return forwarded


def forwarded_query(query: str) -> str:
    """Return a query string without the client's key; empty, or with its question mark."""
    pairs = [(name, value) for name, value in parse_qsl(query, keep_blank_values=True) if name not in _CLIENT_KEYS]
    return f"?{urlencode(pairs)}" if pairs else ""


def address_for(family: Family, credential: Credential, request: InferenceRequest, model: str) -> str:
    """Return the address of a request; empty when the credential has no base URL."""
    default = family.base_url
    if credential.is_file:
        default = family.oauth_base_url or family.base_url
    location, project = _place(credential, "location", _LOCATION) or _USUAL_LOCATION, _place(credential, "project_id")
    region = "" if location == "global" else f"{location}-"
    base = (credential.base_url or default.format(region=region)).rstrip("/")
    if not base or ("{project}" in family.paths[request.action] and not project):
        return ""
    path = family.paths[request.action].format(
        model=quote(model, safe=""), call=quote(request.call, safe=""), project=project, location=location
    )
    for version in _VERSIONS:
        if base.endswith(version) and path.startswith(f"{version}/"):
            base = base.removesuffix(version)
    return f"{base}{path}{request.query}"


def _place(credential: Credential, name: str, form: re.Pattern[str] = _PROJECT) -> str:
    """Return a part of an address from a credential file; empty when it is invalid."""
    value = credential.metadata.get(name)
    return value.strip() if isinstance(value, str) and form.fullmatch(value.strip()) else ""


def headers_for(family: Family, credential: Credential, request: InferenceRequest, token: str) -> dict[str, str]:
    """Return the headers of a request to an upstream: the client's, the family's, the entry's own, and the key."""
    headers = {"Content-Type": "application/json", **request.headers, "Accept-Encoding": "identity"}
    if credential.is_file:
        headers |= _with_token(family, credential, headers)
    headers |= {canonical(name): value for name, value in credential.headers}
    if token:
        name = "Authorization" if credential.is_file else family.key_header
        headers[name] = f"Bearer {token}" if name == "Authorization" else token
    return headers


def answered_headers(upstream: Mapping[str, tuple[str, ...]], *, everything: bool) -> list[tuple[str, str]]:
    """Return the headers for a client: the content's type, or all except those of the upstream's connection."""
    pairs: list[tuple[str, str]] = []
    for name, values in upstream.items():
        lower = name.lower()
        passed = (
            everything and lower not in _HOP_BY_HOP | _KEPT_FROM_ANSWERS and not lower.startswith("access-control-")
        )
        if name in _ALWAYS_ANSWERED or (passed and lower != "content-length"):
            pairs += [(name, value) for value in values]
    return pairs


def _with_token(family: Family, credential: Credential, headers: Mapping[str, str]) -> dict[str, str]:
    more = dict(family.oauth_headers)
    if _BETA in more and headers.get(_BETA):
        more[_BETA] = f"{headers[_BETA]},{more[_BETA]}"
    account = credential.metadata.get("account_id")
    if credential.provider == "codex" and isinstance(account, str) and account:
        more["Chatgpt-Account-Id"] = account
    return more
