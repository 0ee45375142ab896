"""Answers of vendors to the checks of OAuth files, by how far the account's quota is used up."""

import json
from typing import Any

from adapter.port import Account
from extension.inspection.oauth.plan import OAuthPlan
from extension.inspection.probes.plan import plan_probe
from extension.inspection.requests.vendors import PUBLIC, Vendors
from extension.inspection.settings import InspectionSettings, parse_settings
from tests.extension.inspection.samples import chance, file_account

OAUTH_SETTINGS = parse_settings({"accountSource": "oauth", "evidenceChecks": False})
RESET = "2030-01-01T05:00:00Z"
RESET_SECONDS = 1_893_474_000
RESET_MS = RESET_SECONDS * 1000
CHAT = '{"choices":[{"message":{"role":"assistant","content":"pong"}}]}'


def oauth_settings(**changes: object) -> InspectionSettings:
    return parse_settings({"accountSource": "oauth", "evidenceChecks": False, **changes})


def oauth_account(kind: str, **changes: Any) -> Account:
    facts = {"vendor_account": "account-7", "vendor_project": "project-7", **changes}
    return file_account(provider=kind, file_name=f"{kind}.json", **facts)


def plan_of(
    kind: str, settings: InspectionSettings = OAUTH_SETTINGS, vendors: Vendors = PUBLIC, **changes: object
) -> OAuthPlan:
    plan = plan_probe(oauth_account(kind, **changes), settings, chance(1), vendors)
    assert isinstance(plan, OAuthPlan)
    return plan


def codex(short: float | None, long: float | None, **more: Any) -> str:
    def window(used: float | None, seconds: int) -> dict[str, Any]:
        fields = {"limit_window_seconds": seconds, "reset_at": RESET_SECONDS, "reset_after_seconds": 60}
        return fields if used is None else {**fields, "used_percent": used}

    limits = {
        "allowed": True,
        "limit_reached": False,
        "primary_window": window(short, 18_000),
        "secondary_window": window(long, 604_800),
        **more,
    }
    return json.dumps({"plan_type": "plus", "rate_limit": limits, "code_review_rate_limit": None})


def claude(short: float | None, long: float | None, **more: Any) -> str:
    windows = {
        "five_hour": {"utilization": short, "resets_at": RESET},
        "seven_day": {"utilization": long, "resets_at": RESET},
        "seven_day_opus": None,
    }
    return json.dumps({**windows, "extra_usage": {"is_enabled": False, "utilization": None}, **more})


def kimi(short: float | None, long: float | None) -> str:
    def detail(used: float | None) -> dict[str, Any]:
        fields = {"limit": "200", "resetTime": "2030-01-01T05:00:00.123456789Z"}
        return fields if used is None else {**fields, "remaining": str(200 - 2 * used)}

    window = {"duration": 300, "timeUnit": "TIME_UNIT_MINUTE"}
    return json.dumps({"usage": detail(long), "limits": [{"window": window, "detail": detail(short)}]})


def gemini_cli(*used: float | None) -> str:
    buckets = []
    for position, percent in enumerate(used):
        fields: dict[str, Any] = {"modelId": f"model-{position}", "tokenType": "REQUESTS", "resetTime": RESET}
        buckets.append(fields if percent is None else {**fields, "remainingFraction": 1 - percent / 100})
    return json.dumps({"buckets": buckets})


def antigravity(*used: tuple[float | None, float | None]) -> str:
    def bucket(window: str, percent: float | None) -> dict[str, Any]:
        fields: dict[str, Any] = {"window": window, "resetTime": RESET}
        return fields if percent is None else {**fields, "remainingFraction": 1 - percent / 100}

    groups = [
        {"displayName": f"Group {number}", "buckets": [bucket("5h", short), bucket("weekly", long)]}
        for number, (short, long) in enumerate(used)
    ]
    return json.dumps({"groups": groups})


def xai_credits(used: float | None, period: str = "USAGE_PERIOD_TYPE_WEEKLY") -> str:
    fields: dict[str, Any] = {"currentPeriod": {"type": period, "end": RESET}}
    return json.dumps({"config": fields if used is None else {**fields, "creditUsagePercent": used}})


def xai_monthly(used: float | None, limit: float = 15_000) -> str:
    fields: dict[str, Any] = {"monthlyLimit": {"val": limit}, "billingPeriodEnd": RESET}
    return json.dumps({"config": fields if used is None else {**fields, "used": {"val": used}}})
