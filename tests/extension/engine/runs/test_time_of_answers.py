"""The time of a result is that of its answer, not that of readings which settled what the answer is about."""

from dataclasses import replace
from pathlib import Path

import pytest

from adapter.fake import FakeGateway, reply
from tests.extension.engine.scenario import FlyingClock, compat_config, honest, inspected, opened, settings

SETTLED = 3.0


@pytest.mark.parametrize("settled", [0.0, SETTLED])
async def test_a_result_is_as_old_as_its_answer(tmp_path: Path, settled: float) -> None:
    clock = FlyingClock()
    gateway = FakeGateway(compat_config(["alpha"]), clock=clock)
    gateway.upstream = honest(lambda _: replace(reply(401), settled=settled))
    async with opened(tmp_path, gateway, clock=clock) as inspector:
        run = await inspected(inspector, settings(retries=0))
        (result,) = await inspector.history.results(run.id, 0, 10)
        assert clock.now_ms() - result.at == settled * 1000
