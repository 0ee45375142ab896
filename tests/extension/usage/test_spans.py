"""A period and its parts hold the same events, whatever is summed up or removed."""

from hypothesis import given
from hypothesis import strategies as st

from extension.usage.calendar import HOUR_MS, Period
from extension.usage.spans import spans, widened

DAY_MS = 24 * HOUR_MS
TIMES = st.integers(0, 3 * DAY_MS)
NEVER = 10 * DAY_MS


def count(period: Period, events: list[int]) -> int:
    return sum(period.start <= at < period.end for at in events)


@given(st.tuples(TIMES, TIMES).map(sorted), st.lists(TIMES), st.sets(st.integers(0, 3)), TIMES)
def test_days_hours_and_edges_less_the_surplus_hold_every_event_of_a_period_once(
    bounds: list[int], events: list[int], summed: set[int], kept_from: int
) -> None:
    period = Period(*bounds)
    wide, surplus = widened(period, kept_from, max(events, default=0))
    parts = spans(wide, summed)
    found = [Period(run.start * DAY_MS, run.stop * DAY_MS) for run in parts.days]
    found += [Period(run.start * HOUR_MS, run.stop * HOUR_MS) for run in parts.hours]
    found += parts.edges
    assert sum(count(each, events) for each in found) - sum(count(each, events) for each in surplus) == count(
        period, events
    )


@given(st.tuples(TIMES, TIMES).map(sorted), TIMES)
def test_no_hour_that_may_have_lost_events_is_taken_apart(bounds: list[int], kept_from: int) -> None:
    _, surplus = widened(Period(*bounds), kept_from, NEVER)
    assert all(part.start // HOUR_MS * HOUR_MS >= kept_from for part in surplus)


@given(st.tuples(TIMES, TIMES).map(sorted), TIMES)
def test_events_are_read_of_half_an_hour_at_each_end_at_most(bounds: list[int], newest: int) -> None:
    wide, surplus = widened(Period(*bounds), 0, newest)
    # After the newest event there is nothing to read.
    read = sum(max(0, min(each.end, newest + 1) - each.start) for each in (*wide.edges, *surplus))
    assert read <= HOUR_MS


def test_a_period_that_ends_after_the_newest_event_reads_none_at_its_end() -> None:
    now = 5 * HOUR_MS + 59 * 60_000
    wide, surplus = widened(Period(2 * HOUR_MS, now), 0, now - 1)
    assert (wide, surplus) == (Period(2 * HOUR_MS, 6 * HOUR_MS), (Period(now, 6 * HOUR_MS),))
