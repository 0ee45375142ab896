"""The vendors' usage and billing interfaces as the stand-in speaks them: the quota each demo log-in has used up."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from .behavior import Behavior, DemoReply

PREFIX = "/vendors"
"""Path of the stand-in for the vendors; the vendor's host and path follow."""

_RESET = "2030-01-01T05:00:00Z"
_RESET_SECONDS = 1_893_474_000
_USE: Mapping[Behavior, tuple[int, int]] = {Behavior.SHORT_FULL: (100, 34), Behavior.LONG_FULL: (12, 100)}
_ORDINARY = (12, 34)


def usage_answer(method: str, path: str, behavior: Behavior) -> DemoReply | None:
    """Return the answer to a working log-in at a usage or billing address; None at any other path."""
    for (verb, ending), spoken in _INTERFACES.items():
        if method == verb and path.endswith(ending):
            used = {} if behavior is Behavior.UNTOLD else spoken(*_USE.get(behavior, _ORDINARY))
            return DemoReply(200, json.dumps(used))
    return None


def _codex(short: int, long: int) -> dict[str, Any]:
    def window(used: int, seconds: int) -> dict[str, int]:
        return {"used_percent": used, "limit_window_seconds": seconds, "reset_at": _RESET_SECONDS}

    reached = max(short, long) >= 100  # noqa: PLR2004 - per cent
    limits = {"allowed": not reached, "limit_reached": reached}
    windows = {"primary_window": window(short, 18_000), "secondary_window": window(long, 604_800)}
    return {"plan_type": "plus", "rate_limit": {**limits, **windows}, "code_review_rate_limit": None}


def _claude(short: int, long: int) -> dict[str, Any]:
    return {
        "five_hour": {"utilization": short, "resets_at": _RESET},
        "seven_day": {"utilization": long, "resets_at": _RESET},
        "seven_day_opus": None,
    }


def _kimi(short: int, long: int) -> dict[str, Any]:
    def detail(used: int) -> dict[str, str]:
        return {"limit": "200", "used": str(2 * used), "remaining": str(200 - 2 * used), "resetTime": _RESET}

    window = {"duration": 300, "timeUnit": "TIME_UNIT_MINUTE"}
    return {"usage": detail(long), "limits": [{"window": window, "detail": detail(short)}]}


def _gemini_cli(short: int, long: int) -> dict[str, Any]:
    remaining = 1 - max(short, long) / 100
    models = ("demo-model", "demo-model-small")
    return {"buckets": [{"modelId": name, "remainingFraction": remaining, "resetTime": _RESET} for name in models]}


def _antigravity(short: int, long: int) -> dict[str, Any]:
    buckets = [
        {"window": name, "remainingFraction": 1 - used / 100, "resetTime": _RESET}
        for name, used in (("5h", short), ("weekly", long))
    ]
    return {"groups": [{"displayName": name, "buckets": buckets} for name in ("Gemini Models", "Claude and GPT")]}


def _xai(short: int, long: int) -> dict[str, Any]:
    del short  # there is one window only
    period = {"type": "USAGE_PERIOD_TYPE_WEEKLY", "end": _RESET}
    return {"config": {"creditUsagePercent": long, "currentPeriod": period}}


_INTERFACES: Mapping[tuple[str, str], Callable[[int, int], dict[str, Any]]] = {
    ("GET", "/backend-api/wham/usage"): _codex,
    ("GET", "/api/oauth/usage"): _claude,
    ("GET", "/usages"): _kimi,
    ("POST", ":retrieveUserQuota"): _gemini_cli,
    ("POST", ":retrieveUserQuotaSummary"): _antigravity,
    ("GET", "/billing"): _xai,
}
