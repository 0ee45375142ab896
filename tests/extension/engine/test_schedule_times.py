from datetime import datetime
from itertools import pairwise
from random import Random
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extension.engine.schedule_times import next_cron, next_time
from extension.inspection.settings import SettingsError
from extension.store.runs.schedules import Plan


def at(text: str, zone: str = "UTC", fold: int = 0) -> int:
    moment = datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone), fold=fold)
    return round(moment.timestamp() * 1000)


def times(expression: str, zone: str, start: int, count: int) -> list[str]:
    moments, now = [], start
    for _ in range(count):
        now = next_cron(expression, zone, now)
        moments.append(datetime.fromtimestamp(now / 1000, ZoneInfo(zone)).isoformat(timespec="minutes"))
    return moments


def test_nightly_at_three_is_three_in_the_zone_of_the_schedule() -> None:
    assert next_cron("0 3 * * *", "Asia/Shanghai", at("2026-11-22T12:00")) == at("2026-11-22T19:00")
    assert next_cron("0 3 * * *", "", at("2026-11-22T12:00")) == at("2026-11-23T03:00")


def test_a_time_of_the_wall_clock_stays_where_it_is_when_the_offset_changes() -> None:
    before_spring = at("2026-03-28T12:00", "Europe/Berlin")
    assert times("0 4 * * *", "Europe/Berlin", before_spring, 2) == [
        "2026-03-29T04:00+02:00",
        "2026-03-30T04:00+02:00",
    ]
    before_autumn = at("2026-10-24T12:00", "Europe/Berlin")
    assert times("0 4 * * *", "Europe/Berlin", before_autumn, 1) == ["2026-10-25T04:00+01:00"]


def test_a_skipped_time_comes_due_right_after_the_change_and_once() -> None:
    assert times("30 2 * * *", "Europe/Berlin", at("2026-03-28T12:00", "Europe/Berlin"), 2) == [
        "2026-03-29T03:00+02:00",
        "2026-03-30T02:30+02:00",
    ]


def test_a_repeated_time_comes_due_once() -> None:
    assert times("30 2 * * *", "America/New_York", at("2026-10-31T12:00", "America/New_York"), 3) == [
        "2026-11-01T02:30-05:00",
        "2026-11-02T02:30-05:00",
        "2026-11-03T02:30-05:00",
    ]
    assert times("30 1 * * *", "America/New_York", at("2026-10-31T12:00", "America/New_York"), 2) == [
        "2026-11-01T01:30-04:00",
        "2026-11-02T01:30-05:00",
    ]
    in_the_second_hour = at("2026-11-01T01:10", "America/New_York", fold=1)
    assert next_cron("30 1 * * *", "America/New_York", in_the_second_hour) == at("2026-11-02T01:30", "America/New_York")


def test_every_half_hour_is_every_half_hour_across_a_change() -> None:
    start = at("2026-10-25T01:45", "Europe/Berlin")
    moments = [start]
    for _ in range(6):
        moments.append(next_cron("*/30 * * * *", "Europe/Berlin", moments[-1]))
    steps = [after - before for before, after in pairwise(moments[1:])]
    assert steps == [1_800_000] * 5


@given(
    st.integers(at("2020-01-01T00:00"), at("2040-01-01T00:00")),
    st.sampled_from(["0 3 * * *", "*/7 * * * *", "30 2 * * 1-5", "15 1 1 * *", "0 0 * * SUN"]),
    st.sampled_from(["UTC", "Asia/Shanghai", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe"]),
)
def test_the_next_time_always_lies_ahead(now: int, expression: str, zone: str) -> None:
    assert now < next_cron(expression, zone, now) <= now + 32 * 86_400_000


@pytest.mark.parametrize(
    ("expression", "zone", "field"),
    [
        ("nonsense", "", "cron"),
        ("0 3 * *", "", "cron"),
        ("0 0 3 * * *", "", "cron"),
        ("61 3 * * *", "", "cron"),
        ("0 3 30 2 *", "", "cron"),
        ("0 3 * * *", "Asia/Shangai", "timeZone"),
        ("0 3 * * *", "../etc/passwd", "timeZone"),
        ("0 3 * * *", "Europe/\0", "timeZone"),
        ("0 3 * * *", "Europe", "timeZone"),
    ],
)
def test_an_unusable_expression_or_zone_is_refused_by_name(expression: str, zone: str, field: str) -> None:
    with pytest.raises(SettingsError) as refusal:
        next_cron(expression, zone, at("2026-11-22T12:00"))
    assert refusal.value.field == field


def test_an_interval_counts_from_now_and_the_random_delay_is_added_to_both() -> None:
    now = at("2026-11-22T12:00")
    assert next_time(Plan("a", True, 60, 0, {}), now, Random(1)) == now + 3_600_000
    cron = Plan("a", True, 0, 10, {}, "0 3 * * *", "UTC")
    for seed in range(20):
        assert at("2026-11-23T03:00") <= next_time(cron, now, Random(seed)) <= at("2026-11-23T03:10")
