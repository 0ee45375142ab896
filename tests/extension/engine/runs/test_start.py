import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from adapter.clock import FakeClock
from adapter.fake import FakeGateway, UpstreamRequest, reply
from adapter.port import About, Answer, errors
from extension.engine.errors import NothingToInspect, RunActive, RunUnknown
from extension.engine.inspector import Inspector
from tests.extension.engine.scenario import (
    FILES,
    compat_config,
    ended,
    honest,
    inspected,
    opened,
    settings,
    with_own_key,
)

NAMES = ["alpha", "beta", "gamma", "delta"]


@pytest.fixture
def gateway() -> FakeGateway:
    made = FakeGateway(compat_config(NAMES), FILES)
    made.upstream = honest()
    return made


async def test_a_sample_probes_so_many_accounts_and_no_more(inspector: Inspector, gateway: FakeGateway) -> None:
    run = await inspected(inspector, settings(sampleSize=2))
    assert (run.total, run.done) == (2, 2)
    assert len(with_own_key(gateway)) == 2


async def test_a_pool_has_one_run_at_a_time(inspector: Inspector, gateway: FakeGateway) -> None:
    gate = asyncio.Event()

    async def upstream(_: UpstreamRequest) -> Answer:
        await gate.wait()
        return reply()

    gateway.upstream = upstream
    first = await inspector.runs.start(settings(), "anna")
    both = await asyncio.gather(
        inspector.runs.start(settings(), "ben"), inspector.runs.start(settings(), "eve"), return_exceptions=True
    )
    assert all(isinstance(error, RunActive) and error.run_id == first.id for error in both)
    gate.set()
    await ended(inspector, first.id)
    second = await inspector.runs.start(settings(), "ben")
    assert [run.id for run in await inspector.runs.recent()] == [second.id, first.id]


async def test_two_starts_at_once_make_one_run(inspector: Inspector) -> None:
    both = await asyncio.gather(
        inspector.runs.start(settings(), "anna"), inspector.runs.start(settings(), "ben"), return_exceptions=True
    )
    assert sorted(type(outcome).__name__ for outcome in both) == ["RunActive", "RunRecord"]


async def test_a_new_run_comes_on_top_of_the_kept_ones_and_is_compared_with_them(
    tmp_path: Path, gateway: FakeGateway
) -> None:
    async with opened(tmp_path, gateway, keep_runs=1) as inspector:
        first, second, third = [(await inspected(inspector, settings())).id for _ in range(3)]
        assert first not in {run.id for run in await inspector.runs.recent()} == {third, second}
        assert (await inspector.history.difference(third)).against == second


async def test_an_empty_scope_is_refused_with_what_to_do(inspector: Inspector) -> None:
    with pytest.raises(NothingToInspect, match="The pool has no API keys in that scope") as caught:
        await inspector.runs.start(settings(providerFilter="nobody"), "anna")
    assert "another filter" in caught.value.hint
    assert await inspector.runs.recent() == ()


async def test_a_gateway_that_cannot_be_read_starts_no_run(inspector: Inspector, gateway: FakeGateway) -> None:
    gateway.fail("accounts", errors.Unavailable("Not there."))
    with pytest.raises(errors.Unavailable):
        await inspector.runs.start(settings(), "anna")
    gateway.fail("describe", errors.Unavailable("Not there."))
    with pytest.raises(errors.Unavailable):
        await inspector.runs.start(settings(), "anna")
    assert await inspector.runs.recent() == ()
    await inspector.runs.start(settings(), "anna")


async def test_what_is_unknown_is_told(inspector: Inspector) -> None:
    for asking in (
        inspector.runs.get(9),
        inspector.runs.stop(9),
        inspector.runs.resume(9),
        inspector.history.results(9),
    ):
        with pytest.raises(RunUnknown, match="There is no run 9"):
            await asking


async def test_the_latency_says_apart_what_the_gateway_itself_costs(tmp_path: Path) -> None:
    class Slow(FakeGateway):
        async def describe(self) -> About:
            return replace(await super().describe(), seconds_per_call=0.0625)

    async with opened(tmp_path, Slow(compat_config(NAMES)), clock=FakeClock(5_000)) as inspector:
        run = await inspector.runs.start(settings(), "anna")
        assert run.gateway_seconds_per_call == 0.0625
        assert run.started_at == 5_000
