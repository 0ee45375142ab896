"""The throttle, in front of gateways that are simulated by their rate."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from adapter.fake import FakeGateway
from adapter.port import About
from extension.engine.runs.throttle import ProbePace, Throttle, measure


def drive(pace: ProbePace, rate: Callable[[int], float], *, lag: float = 0.0, seconds: float = 120.0) -> list[int]:
    """Let probes finish at the rate that so many in flight lead to; return what was allowed after each."""
    now, throttle = 0.0, Throttle(pace, 0.0)
    allowed = [throttle.allowed]
    while now < seconds:
        now += 1 / rate(throttle.allowed)
        allowed.append(throttle.done(now, lag))
    return allowed


def test_a_gateway_that_costs_nothing_is_used_up_to_the_limit_at_once() -> None:
    assert set(drive(ProbePace(32, 0.0), lambda _: 500.0, seconds=5)) == {32}


def test_in_front_of_a_costly_gateway_it_settles_where_the_rate_ends_to_rise() -> None:
    allowed = drive(ProbePace(64, 0.07), lambda busy: 14.0 * min(busy, 4))
    assert allowed[0] == 4
    assert max(allowed) <= 9
    assert sum(allowed[-500:]) / 500 < 6


def test_it_grows_to_the_limit_as_long_as_the_rate_rises() -> None:
    assert drive(ProbePace(64, 0.07), lambda busy: 14.0 * busy, seconds=60)[-1] == 64


@pytest.mark.parametrize("limit", [1, 2, 64, 256])
def test_a_late_loop_shrinks_it_but_never_below_two_or_above_the_limit(limit: int) -> None:
    allowed = drive(ProbePace(limit, 0.0), lambda _: 300.0, lag=0.05, seconds=60)
    assert min(limit, 2) <= min(allowed) <= max(allowed) <= limit
    assert allowed[-1] <= max(2, limit // 4)


def test_a_late_loop_does_not_shrink_it_where_that_costs_rate() -> None:
    allowed = drive(ProbePace(64, 0.0), lambda busy: 10.0 * busy, lag=0.05, seconds=60)
    assert min(allowed) >= 48


class FewConnections(FakeGateway):
    async def describe(self) -> About:
        return replace(await super().describe(), calls_at_once=5)


async def test_no_more_probes_are_in_flight_than_the_gateway_has_connections() -> None:
    pace = await measure(FewConnections("", {}), 256, 1_000)
    assert pace.workers == 5


async def test_without_such_a_limit_the_operators_counts() -> None:
    pace = await measure(FakeGateway("", {}), 256, 1_000)
    assert pace.workers == 256
