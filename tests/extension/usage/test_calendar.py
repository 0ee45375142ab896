from datetime import datetime
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extension.usage.calendar import HOUR_MS, Period, SeriesStep, ZoneUnknown, periods, zone_of

TIME = st.integers(0, 4 * 10**12)
ZONES = ["UTC", "Asia/Shanghai", "America/St_Johns", "Europe/Berlin", "Asia/Kathmandu", "+08:00", "-03:30"]


def at(text: str) -> int:
    return round(datetime.fromisoformat(text).timestamp() * 1000)


@given(TIME, st.integers(0, 90 * 24 * HOUR_MS))
def test_hours_and_edges_make_up_a_period_without_overlap(start: int, length: int) -> None:
    whole = Period(start, start + length)
    hours = whole.hours
    parts = [(hour * HOUR_MS, (hour + 1) * HOUR_MS) for hour in hours] + [
        (edge.start, edge.end) for edge in whole.edges
    ]

    joined = sorted(parts)
    assert sum(end - begin for begin, end in joined) == length
    assert all(first[1] == other[0] for first, other in pairwise(joined))


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("step", list(SeriesStep))
def test_periods_follow_each_other_and_make_up_the_whole(zone: str, step: SeriesStep) -> None:
    whole = Period(at("2026-03-27T10:17:00+00:00"), at("2026-04-02T22:05:00+00:00"))
    parts = list(periods(whole, step, zone_of(zone)))

    assert (parts[0].start, parts[-1].end) == (whole.start, whole.end)
    assert all(first.end == other.start for first, other in pairwise(parts))


@pytest.mark.parametrize(
    ("zone", "day", "starts", "hours"),
    [
        ("Asia/Shanghai", "2026-08-22", "2026-08-22T00:00:00+08:00", 24),
        ("-03:30", "2026-08-22", "2026-08-22T00:00:00-03:30", 24),
        ("Europe/Berlin", "2026-03-29", "2026-03-29T00:00:00+01:00", 23),
        ("Europe/Berlin", "2026-10-25", "2026-10-25T00:00:00+02:00", 25),
        ("America/St_Johns", "2026-11-01", "2026-11-01T00:00:00-02:30", 25),
    ],
)
def test_a_day_begins_at_the_readers_midnight_and_is_as_long_as_clocks_make_it(
    zone: str, day: str, starts: str, hours: int
) -> None:
    whole = Period(at(f"{day}T00:00:00+00:00") - 30 * HOUR_MS, at(f"{day}T00:00:00+00:00") + 60 * HOUR_MS)
    days = {day.start: day for day in periods(whole, SeriesStep.DAY, zone_of(zone))}

    assert days[at(starts)].end - at(starts) == hours * HOUR_MS


@pytest.mark.parametrize("name", ["Nowhere/Town", "", "../etc/passwd", "+25:00", "+08:75"])
def test_an_unknown_zone_is_refused(name: str) -> None:
    with pytest.raises(ZoneUnknown):
        zone_of(name)
