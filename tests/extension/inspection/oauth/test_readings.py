import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extension.inspection.oauth.readings import (
    PoolReading,
    QuotaUsage,
    read_antigravity,
    read_claude,
    read_codex,
    read_gemini_cli,
    read_kimi,
    read_xai,
)
from extension.inspection.oauth.types import TYPES
from extension.inspection.oauth.values import moment, number
from tests.extension.inspection.oauth.answers import (
    RESET,
    RESET_MS,
    RESET_SECONDS,
    antigravity,
    claude,
    codex,
    gemini_cli,
    kimi,
    xai_credits,
    xai_monthly,
)

Told = list[tuple[str, float | None, int | None, int | None]]
PAIR: Told = [("5 h", 25.0, 18_000, RESET_MS), ("weekly", 50.0, 604_800, RESET_MS)]


def windows_of(usage: QuotaUsage) -> Told:
    return [(window.title, window.used, window.seconds, window.resets_at) for window in usage.windows]


@pytest.mark.parametrize(
    ("reading", "body", "windows"),
    [
        (read_codex, codex(25, 50), PAIR),
        (read_claude, claude(25, 50), PAIR),
        (
            read_kimi,
            kimi(25, 50),
            [("weekly", 50.0, 604_800, RESET_MS + 123), ("5 h", 25.0, 18_000, RESET_MS + 123)],
        ),
        (
            read_gemini_cli,
            gemini_cli(25, 50),
            [("model-0 quota", 25.0, None, RESET_MS), ("model-1 quota", 50.0, None, RESET_MS)],
        ),
        (
            read_antigravity,
            antigravity((25, 50)),
            [("Group 0 5 h", 25.0, 18_000, RESET_MS), ("Group 0 weekly", 50.0, 604_800, RESET_MS)],
        ),
        (read_xai, xai_credits(25), [("weekly", 25.0, 604_800, RESET_MS)]),
        (read_xai, xai_credits(25, "MONTHLY"), [("credits", 25.0, None, RESET_MS)]),
        (read_xai, xai_monthly(7500), [("monthly", 50.0, None, RESET_MS)]),
    ],
)
def test_each_type_tells_its_windows_in_its_own_words(reading: PoolReading, body: str, windows: Told) -> None:
    usage = reading(json.loads(body))

    assert windows_of(usage) == windows
    assert usage.complete


@pytest.mark.parametrize(
    ("reading", "body"),
    [
        (read_codex, codex(None, 50)),
        (read_codex, "{}"),
        (read_codex, '{"rate_limit":null}'),
        (read_claude, claude(25, None)),
        (read_claude, '{"five_hour":null,"seven_day":null}'),
        (read_kimi, kimi(None, 50)),
        (read_gemini_cli, gemini_cli(25, None)),
        (read_gemini_cli, '{"buckets":[]}'),
        (read_antigravity, antigravity((25, None))),
        (read_xai, xai_credits(None)),
        (read_xai, xai_monthly(None)),
        (read_xai, xai_monthly(5, 0)),
    ],
)
def test_what_is_not_told_completely_is_not_complete(reading: PoolReading, body: str) -> None:
    assert not reading(json.loads(body)).complete


def test_a_window_the_vendor_does_not_have_for_the_plan_is_none() -> None:
    free = json.loads(codex(25, 50))
    free["rate_limit"]["secondary_window"] = None

    assert windows_of(read_codex(free)) == PAIR[:1]
    assert read_codex(free).complete


def test_codex_says_by_itself_that_the_limit_is_reached() -> None:
    assert read_codex(json.loads(codex(25, 50, limit_reached=True))).stopped
    assert read_codex(json.loads(codex(25, 50, allowed=False))).stopped
    assert not read_codex(json.loads(codex(25, 50))).stopped


def test_windows_of_single_models_and_of_reviews_are_told_but_do_not_bind() -> None:
    opus = read_claude(json.loads(claude(25, 50, seven_day_opus={"utilization": 100, "resets_at": RESET})))
    reviews = {"primary_window": {"used_percent": 100, "limit_window_seconds": 604_800}}
    review = read_codex({**json.loads(codex(25, 50)), "code_review_rate_limit": reviews})

    assert [(window.name, window.binds) for window in opus.windows][-1] == ("weekly opus", False)
    assert [(window.name, window.binds) for window in review.windows][-1] == ("code review weekly", False)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
FIELDS = (
    "rate_limit",
    "primary_window",
    "used_percent",
    "limit_window_seconds",
    "reset_at",
    "five_hour",
    "seven_day",
    "utilization",
    "resets_at",
    "usage",
    "limits",
    "window",
    "detail",
    "duration",
    "timeUnit",
    "limit",
    "used",
    "remaining",
    "resetTime",
    "buckets",
    "remainingFraction",
    "modelId",
    "groups",
    "displayName",
    "config",
    "creditUsagePercent",
    "currentPeriod",
    "type",
    "end",
    "monthlyLimit",
    "val",
    "code_review_rate_limit",
)
SHAPED = st.recursive(
    JSON_VALUES,
    lambda inner: st.dictionaries(st.sampled_from(FIELDS), inner, max_size=4) | st.lists(inner, max_size=2),
    max_leaves=12,
)


@given(
    st.sampled_from([check.reading for row in TYPES.values() for check in row.checks]),
    st.dictionaries(st.sampled_from(FIELDS), SHAPED, max_size=6),
)
def test_no_answer_breaks_a_reading(reading: PoolReading, fields: Mapping[str, Any]) -> None:
    assert isinstance(reading(fields), QuotaUsage)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (RESET, RESET_MS),
        ("2030-01-01T05:00:00.000000000Z", RESET_MS),
        ("2030-01-01T05:00:00", RESET_MS),
        ("2030-01-01T07:00:00+02:00", RESET_MS),
        (RESET_SECONDS, RESET_MS),
        (RESET_MS, RESET_MS),
        (str(RESET_SECONDS), RESET_MS),
        ("soon", None),
        ("", None),
        (0, None),
        (-5, None),
        (None, None),
        (True, None),
    ],
)
def test_times_are_read_as_vendors_write_them(value: object, expected: int | None) -> None:
    assert moment(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [(5, 5.0), ("5.5", 5.5), ({"val": "7"}, 7.0), (True, None), ("x", None), ("nan", None), (1e999, None), ([], None)],
)
def test_numbers_are_read_as_vendors_write_them(value: object, expected: float | None) -> None:
    assert number(value) == expected
