import asyncio
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import cast

import pytest

from adapter.clock import FakeClock
from adapter.fake import FakeGateway, reply, silent
from adapter.fake.upstream import Reply
from adapter.privacy.secret import Redactor
from extension.engine.outage import Outage
from extension.engine.pool.listed_account import ListedAccount
from extension.engine.runs.exchange import Exchange
from extension.engine.runs.loop_lag import STEP_SECONDS, TOLERATED_SECONDS, LoopLag
from extension.inspection.accounts.account import Selection, Source
from extension.inspection.probes.plan import plan_probe
from tests.extension.engine.scenario import compat_config, opened, settings


class Slow:
    """A loop whose time and timers a test moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.due: list[Callable[[], None]] = []

    def time(self) -> float:
        return self.now

    def call_later(self, delay: float, callback: Callable[[], None]) -> "Slow":
        assert delay == STEP_SECONDS
        self.due.append(callback)
        return self

    def cancel(self) -> None:
        self.due.clear()

    def turn(self, seconds: float) -> None:
        self.now += seconds
        (callback,) = self.due
        self.due.clear()
        callback()


def test_a_loop_in_time_has_no_lag_and_a_late_one_sums_up() -> None:
    loop = Slow()
    with LoopLag(cast("asyncio.AbstractEventLoop", loop)) as lag:
        for _ in range(10):
            loop.turn(STEP_SECONDS + 0.001)
        assert lag.seconds == 0
        loop.turn(STEP_SECONDS + 2)
        loop.turn(STEP_SECONDS + 1)
        assert lag.seconds == pytest.approx(3 - 2 * TOLERATED_SECONDS)


def test_a_delay_under_way_counts_already() -> None:
    loop = Slow()
    with LoopLag(cast("asyncio.AbstractEventLoop", loop)) as lag:
        loop.now += STEP_SECONDS + 5
        assert lag.seconds == pytest.approx(5 - TOLERATED_SECONDS)
    assert loop.due == []


async def _judged(path: Path, answer: Reply, delay: float) -> tuple[str, int | None]:
    """Probe one account while our own loop is late for so many seconds, and return status and latency."""
    gateway = FakeGateway(compat_config(["alpha"]))
    late = 0.0

    def script(_: object) -> Reply:
        nonlocal late
        late += delay
        return answer

    gateway.upstream = script
    chosen, clock, chance = settings(retries=0, timeoutSeconds=10), FakeClock(), Random(1)
    async with opened(path, gateway) as inspector:
        (account,) = (await inspector.listing.view(Selection(Source.API_KEY))).accounts
    listed_account = (await gateway.accounts()).accounts[0]
    listed = ListedAccount(account.id, Source.API_KEY, account.facts, listed_account)
    outage = Outage(gateway, clock, chance)
    exchange = Exchange(
        gateway, clock, Redactor(), settings=chosen, random=chance, run_id=1, outage=outage, lag=lambda: late
    )
    _, judgement = await exchange.judged(listed, plan_probe(listed_account, chosen, chance))
    return judgement.verdict.value, judgement.latency_ms


async def test_a_timeout_while_our_own_loop_was_late_is_no_verdict(tmp_path: Path) -> None:
    assert (await _judged(tmp_path / "late", silent(), 4))[0] == "unknown"
    assert (await _judged(tmp_path / "in time", silent(), 0.1))[0] == "unreachable"


async def test_the_time_our_own_loop_was_late_is_taken_off_the_latency_by_half(tmp_path: Path) -> None:
    slow = reply(200, '{"data":[]}', elapsed=3.0)
    assert await _judged(tmp_path, slow, 2.5) == ("healthy", 1750)


@pytest.mark.parametrize("delay", [0.03, 1.0])
async def test_an_upstream_that_worked_while_our_own_loop_was_late_keeps_half_of_its_time(
    tmp_path: Path, delay: float
) -> None:
    assert await _judged(tmp_path, reply(200, '{"data":[]}', elapsed=0.022), delay) == ("healthy", 11)


def test_a_request_within_a_delay_is_late_by_no_more_than_its_own_time() -> None:
    loop = Slow()
    with LoopLag(cast("asyncio.AbstractEventLoop", loop)) as lag:
        loop.now += STEP_SECONDS + TOLERATED_SECONDS - 0.001
        began = lag.seconds
        loop.turn(0.005)
        assert lag.seconds - began <= 0.005
