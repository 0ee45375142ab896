from datetime import UTC, datetime, timedelta

from gateway.internal.pool.activity import Activity


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 11, 21, 8, 7, 30, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


def test_twenty_buckets_of_ten_minutes_end_with_the_present_one() -> None:
    recent = Activity(Clock()).recent("nobody")
    assert len(recent) == 20
    assert (recent[0].time, recent[-1].time) == ("04:50-05:00", "08:00-08:10")
    assert {(each.success, each.failed) for each in recent} == {(0, 0)}


def test_requests_are_counted_and_age_out_of_the_buckets_only() -> None:
    clock = Clock()
    activity = Activity(clock)
    activity.record("a", success=True)
    activity.record("a", success=False)
    clock.now += timedelta(minutes=10)
    activity.record("a", success=True)
    assert [(each.success, each.failed) for each in activity.recent("a")[-2:]] == [(1, 1), (1, 0)]
    clock.now += timedelta(hours=4)
    assert sum(each.success + each.failed for each in activity.recent("a")) == 0
    assert activity.totals("a") == (2, 1)


def test_what_left_the_pool_is_forgotten() -> None:
    activity = Activity(Clock())
    activity.record("a", success=True)
    activity.retain({"b"})
    assert activity.totals("a") == (0, 0)
