"""Accounts and answers of the stand-in: plain JSON in the shapes the page reads."""

from typing import Any

JSON = dict[str, Any]

PROVIDER = "https://api.relay.example"
KEY_REFUSAL = "API keys are never deleted; disable the account instead."

VERDICTS: list[JSON] = [
    {"token": "healthy", "label": "Healthy", "meaning": "The provider answered as it should."},
    {"token": "inconclusive", "label": "Doubtful", "meaning": "Answered 2xx, but not with what its API answers."},
    {"token": "invalid_key", "label": "Unauthorised", "meaning": "401: the key is unknown or was revoked."},
    {"token": "forbidden", "label": "Forbidden", "meaning": "403: the key may not do this."},
    {"token": "out_of_quota", "label": "Quota", "meaning": "402, or 429 with a reset time: the quota is used up."},
    {"token": "rate_limited", "label": "Rate limited", "meaning": "429: too many requests for now."},
    {"token": "provider_error", "label": "Provider trouble", "meaning": "5xx: the provider is in trouble."},
    {"token": "unreachable", "label": "Unreachable", "meaning": "No answer came."},
    {"token": "no_base_url", "label": "No address", "meaning": "There is no base address to probe."},
]

WINDOWS: list[JSON] = [
    {"name": "5 h", "pool": "", "used": 100.0, "threshold": 90, "seconds": 18_000, "resetsAt": 1_795_014_000_000},
    {"name": "weekly", "pool": "", "used": 40.26, "threshold": 100, "seconds": 604_800, "resetsAt": None},
    {"name": "weekly", "pool": "code review", "used": None, "threshold": None, "seconds": None, "resetsAt": None},
]
"""The windows of an OAuth file whose quota is used up."""

# name, family, verdict, action, status, reason
ROWS: list[tuple[str, str, str, str, int | None, str]] = [
    ("relay-ok", "compat", "healthy", "keep", 200, "The provider answered as it should."),
    ("relay-401", "compat", "invalid_key", "disable", 401, "The provider refuses the key (401)."),
    ("relay-403", "compat", "forbidden", "disable", 403, "The provider forbids this key (403)."),
    ("relay-429", "compat", "rate_limited", "disable", 429, "Too many requests; retry after 30 s."),
    ("relay-500", "compat", "provider_error", "disable", 500, "The provider is in trouble (500)."),
    ("relay-silent", "compat", "unreachable", "disable", 0, "No answer within 15 s."),
    ("relay-html", "compat", "inconclusive", "keep", 200, "Answered 200, but with HTML."),
    ("claude-ok", "vendor-b-apikey", "healthy", "keep", 200, "The provider answered as it should."),
    ("claude-402", "vendor-b-apikey", "out_of_quota", "disable", 402, "The quota is used up (402)."),
    ("claude-nowhere", "vendor-b-apikey", "no_base_url", "keep", None, "base address missing"),
]


def key_account(number: int, name: str, family: str) -> JSON:
    """Return an API-key account of the pool, enabled and not inspected yet."""
    compat = family == "compat"
    return {
        "id": number,
        "accountSource": "api_key",
        "family": family,
        "displayName": name,
        "keyHint": "",
        "place": "",
        "provider": f"compatible-{name}" if compat else "claude",
        "label": "",
        "compatName": name if compat else "",
        "baseUrl": "" if name == "claude-nowhere" else f"{PROVIDER}/{name}",
        "fileName": "",
        "enabled": True,
        "runtimeOnly": True,
        "listed": True,
        "probeable": True,
        "entries": 1,
        "switch": "provider" if compat else "entry",
        "switchReason": "",
        "switchReasons": [],
        "deletable": False,
        "disabledBy": None,
        "lastResult": None,
        "neverProbe": False,
        "managed": False,
        "protected": False,
    }


def file_account(number: int, name: str, provider: str) -> JSON:
    """Return an OAuth account: a file, which may be deleted."""
    fields = {"accountSource": "oauth", "provider": provider, "fileName": name, "runtimeOnly": False}
    freedom = {"switch": "file", "deletable": True, "baseUrl": ""}
    return {**key_account(number, name, ""), **fields, **freedom}


def demo_accounts() -> list[JSON]:
    """Return ten keys, one of them in a provider with two keys, and two files."""
    keys = [key_account(number, row[0], row[1]) for number, row in enumerate(ROWS, 1)]
    shared = key_account(11, "relay-shared", "compat")
    shared["switchReason"] = "The provider has 2 keys: manage it in the provider settings."
    shared["switch"] = "none"
    files = [file_account(12, "claude-first.json", "claude"), file_account(13, "codex-second.json", "codex")]
    return [*keys, shared, *files]


def many_accounts(count: int) -> list[JSON]:
    """Return a pool of this many compatible keys."""
    return [key_account(number, f"relay-{number:05}", "compat") for number in range(1, count + 1)]


def judged(account: JSON, seq: int, run: int) -> JSON:
    """Return the result of an account; one that is not among `ROWS` is healthy."""
    rows_by_name = {row[0]: row for row in ROWS}
    _, _, verdict, action, status, reason = rows_by_name.get(account["displayName"], ROWS[0])
    url = f"{account['baseUrl']}/v1/models"
    attempt = {"method": "GET", "url": url, "status": status, "latencyMs": 38 + seq, "problem": ""}
    shared = {
        name: account[name]
        for name in ("accountSource", "family", "displayName", "keyHint", "place", "provider", "baseUrl")
    }
    windows = WINDOWS if verdict == "out_of_quota" and account["accountSource"] == "oauth" else []
    return {
        **shared,
        "seq": seq,
        "run": run,
        "account": account["id"],
        "enabled": account["enabled"],
        "verdict": verdict,
        "action": action,
        "reason": reason,
        "reasons": [],
        "status": status,
        "latencyMs": None if status is None else 38 + seq,
        "attempts": [] if status is None else [attempt],
        "preview": '{"error": {"message": "<b>invalid</b> key"}}' if status == 401 else "",
        "headers": {"retry-after": "30"} if status == 429 else {},
        "at": 1_795_000_000_000 + seq,
        "windows": windows,
        "resetsAt": windows[0]["resetsAt"] if windows else None,
    }
