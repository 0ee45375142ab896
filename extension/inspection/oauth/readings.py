"""Readings: how each vendor tells the use of an account, made into windows.

Every reading takes the object of a 2xx answer. A window whose use cannot be read is kept without one, so that it
is not taken for an unused window; a window the vendor answers as null does not exist for that account.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from extension.inspection.oauth.values import field, mapping, moment, number, objects, share, text
from extension.inspection.oauth.window import DAY, HOUR, WEEK, Window


@dataclass(frozen=True, slots=True)
class QuotaUsage:
    """Usage in an answer: its windows, and whether the vendor reports the account as stopped."""

    windows: tuple[Window, ...] = ()
    stopped: bool = False

    @property
    def complete(self) -> bool:
        """Return whether each window has its use, which a healthy account needs; False without a window."""
        binding = [window for window in self.windows if window.binds]
        return bool(binding) and all(window.used is not None for window in binding)


PoolReading = Callable[[Mapping[str, Any]], QuotaUsage]

_UNITS: Mapping[str, int] = MappingProxyType({"SECOND": 1, "MINUTE": 60, "HOUR": HOUR, "DAY": DAY, "WEEK": WEEK})
_SPANS: Mapping[str, int] = MappingProxyType({"5h": 5 * HOUR, "daily": DAY, "weekly": WEEK})
_NAMES: Mapping[int, str] = MappingProxyType({5 * HOUR: "5 h", DAY: "daily", WEEK: "weekly"})
_CLAUDE: Mapping[str, tuple[str, int, bool]] = MappingProxyType(
    {"five_hour": ("5 h", 5 * HOUR, True), "seven_day": ("weekly", WEEK, True)}
)
_MODEL_WINDOW: Final = "seven_day_"


def read_nothing(answer: Mapping[str, Any]) -> QuotaUsage:
    """Read an answer that tells no use, such as a list of models."""
    del answer
    return QuotaUsage()


def read_codex(answer: Mapping[str, Any]) -> QuotaUsage:
    """Read the two windows of the plan; those of code reviews are reported, but stop nothing else."""
    limits = mapping(answer.get("rate_limit"))
    windows = [*_codex_windows(limits), *_codex_windows(mapping(answer.get("code_review_rate_limit")), "code review")]
    return QuotaUsage(tuple(windows), limits.get("limit_reached") is True or limits.get("allowed") is False)


def read_claude(answer: Mapping[str, Any]) -> QuotaUsage:
    """Read the windows of the account; those of single models leave the other models usable."""
    windows = []
    for key, window_fields in answer.items():
        model = key.removeprefix(_MODEL_WINDOW)
        known = _CLAUDE.get(key) or ((f"weekly {model}", WEEK, False) if key.startswith(_MODEL_WINDOW) else None)
        if known and isinstance(window_fields, Mapping):
            name, seconds, binds = known
            end = moment(window_fields.get("resets_at"))
            windows.append(Window(name, number(window_fields.get("utilization")), seconds, end, binds=binds))
    return QuotaUsage(tuple(windows))


def read_kimi(answer: Mapping[str, Any]) -> QuotaUsage:
    """Read the use of the plan and the shorter windows beside it; numbers may be text."""
    whole = answer.get("usage")
    windows = [_kimi_window(whole, "weekly", WEEK)] if isinstance(whole, Mapping) else []
    for limit in objects(answer.get("limits")):
        span = mapping(limit.get("window"))
        unit = _UNITS.get(text(field(span, "timeUnit", "time_unit")).upper().removeprefix("TIME_UNIT_"))
        length = number(span.get("duration"))
        seconds = round(length * unit) if length and unit else None
        name = text(field(limit, "title", "name")) or _name(seconds)
        windows.append(_kimi_window(mapping(limit.get("detail")) or limit, name, seconds))
    return QuotaUsage(tuple(windows))


def read_gemini_cli(answer: Mapping[str, Any]) -> QuotaUsage:
    """Read the buckets; each model has its own."""
    return QuotaUsage(
        tuple(
            Window("quota", _used(bucket), None, moment(bucket.get("resetTime")), _pool(bucket))
            for bucket in objects(answer.get("buckets"))
        )
    )


def read_antigravity(answer: Mapping[str, Any]) -> QuotaUsage:
    """Read the groups of models, each with the windows it shares."""
    windows = []
    for group in objects(mapping(answer.get("response")).get("groups") or answer.get("groups")):
        pool = text(group.get("displayName")) or "models"
        for bucket in objects(group.get("buckets")):
            span = text(bucket.get("window")).lower()
            seconds = _SPANS.get(span)
            name = _name(seconds) if seconds else span or "quota"
            windows.append(Window(name, _used(bucket), seconds, moment(bucket.get("resetTime")), pool))
    return QuotaUsage(tuple(windows))


def read_xai(answer: Mapping[str, Any]) -> QuotaUsage:
    """Read the credits of the period, or the used part of the monthly limit; free accounts report neither."""
    config = mapping(answer.get("config")) or answer
    period = mapping(field(config, "currentPeriod", "current_period"))
    used = number(field(config, "creditUsagePercent", "credit_usage_percent"))
    if used is not None:
        weekly = "week" in text(period.get("type")).lower()
        return QuotaUsage(
            (Window("weekly" if weekly else "credits", used, WEEK if weekly else None, _xai_end(config, period)),)
        )
    spent, limit = number(config.get("used")), number(field(config, "monthlyLimit", "monthly_limit"))
    month = share(spent, limit)
    return QuotaUsage(() if month is None else (Window("monthly", month, None, _xai_end(config, period)),))


def _codex_windows(limits: Mapping[str, Any], title: str = "") -> list[Window]:
    windows = []
    for key in ("primary_window", "secondary_window"):
        counts = limits.get(key)
        if isinstance(counts, Mapping):
            length = number(counts.get("limit_window_seconds"))
            seconds = round(length) if length else None
            name = f"{title} {_name(seconds)}".strip()
            end = moment(counts.get("reset_at"))
            windows.append(Window(name, number(counts.get("used_percent")), seconds, end, binds=not title))
    return windows


def _kimi_window(counts: Mapping[str, Any], name: str, seconds: int | None) -> Window:
    limit, used, remaining = (number(counts.get(key)) for key in ("limit", "used", "remaining"))
    if used is None and limit is not None and remaining is not None:
        used = limit - remaining
    end = moment(field(counts, "resetTime", "reset_at", "resetAt", "reset_time"))
    return Window(name, share(used, limit), seconds, end)


def _used(bucket: Mapping[str, Any]) -> float | None:
    """Return the use of a bucket, in percent, from its remaining share (0 to 1)."""
    remaining_share = number(field(bucket, "remainingFraction", "remaining_fraction"))
    return None if remaining_share is None else (1 - remaining_share) * 100


def _pool(bucket: Mapping[str, Any]) -> str:
    return text(field(bucket, "modelId", "model_id")) or "models"


def _xai_end(billing: Mapping[str, Any], period: Mapping[str, Any]) -> int | None:
    return moment(period.get("end")) or moment(field(billing, "billingPeriodEnd", "billing_period_end"))


def _name(seconds: int | None) -> str:
    if seconds is None:
        return "quota"
    return _NAMES.get(seconds) or (f"{seconds / DAY:.0f} d" if seconds > DAY else f"{seconds / HOUR:.0f} h")
