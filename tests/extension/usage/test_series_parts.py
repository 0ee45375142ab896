from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extension.usage.calendar import MOST_PARTS, PartLength, Period, local, series_parts, zone_of

HOUR = 3_600_000
DAY = 24 * HOUR
START = 1_774_600_000_000
"""In the week before clocks change in Europe."""


@pytest.mark.parametrize(
    ("span", "length"),
    [
        (HOUR, PartLength.MINUTE),
        (DAY, PartLength.FIVE_MINUTES),
        (3 * DAY, PartLength.QUARTER),
        (7 * DAY, PartLength.HOUR),
        (30 * DAY, PartLength.THREE_HOURS),
        (90 * DAY, PartLength.SIX_HOURS),
        (180 * DAY, PartLength.TWELVE_HOURS),
        (366 * DAY, PartLength.DAY),
        (5 * 366 * DAY, PartLength.WEEK),
        (10 * 366 * DAY, PartLength.MONTH),
        (56 * 366 * DAY, PartLength.YEAR),
    ],
)
def test_the_shortest_length_is_taken_that_keeps_to_the_limit(span: int, length: PartLength) -> None:
    cut = series_parts(Period(START, START + span), MOST_PARTS, zone_of("Europe/Berlin"))
    assert cut.length is length
    assert len(cut.parts) <= MOST_PARTS


def test_days_begin_at_midnight_of_the_reader_across_a_change_of_clocks() -> None:
    zone = zone_of("Europe/Berlin")
    cut = series_parts(Period(START, START + 10 * DAY), 14, zone)
    assert cut.length is PartLength.DAY
    assert {local(part.start, zone).hour for part in cut.parts[1:]} == {0}
    assert sorted({part.end - part.start for part in cut.parts[1:-1]}) == [23 * HOUR, DAY]


zones = st.sampled_from(["UTC", "+08:00", "-03:30", "Asia/Kathmandu", "Europe/Berlin", "America/St_Johns"])


@given(st.integers(0, 2**41), st.timedeltas(timedelta(0), timedelta(days=20_000)), st.integers(130, 400), zones)
def test_parts_join_without_a_hole_and_keep_to_the_limit(start: int, span: timedelta, most: int, name: str) -> None:
    whole = Period(start, start + span // timedelta(milliseconds=1))
    cut = series_parts(whole, most, zone_of(name)).parts
    assert len(cut) <= most
    assert [part.end for part in cut[:-1]] == [part.start for part in cut[1:]]
    if cut:
        assert (cut[0].start, cut[-1].end) == (whole.start, whole.end)
        assert all(part.start < part.end for part in cut)
