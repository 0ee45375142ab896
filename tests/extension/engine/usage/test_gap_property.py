"""Whatever is lost, and whenever: a record that was not stored was made within a gap.

The times are those at which the gateway made a record. Not in here is a gateway that restarts between two looks at its
queue, which docs/usage.md names.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

import pytest

from adapter.port import Capability, errors
from extension.engine.usage.collector import Collector
from extension.engine.usage.collector_status import CollectorSource
from extension.store.data_folder import DataFolder
from tests.extension.engine.usage.stage import WITHOUT_SUBSCRIPTION, CollectorStage, closed

AWAY = errors.Unavailable("It is away.")
STEPS = 40


class LossyStage(CollectorStage):
    """A stage whose gateway loses records; `made` is the time of each record."""

    collector_now: Collector

    def make(self, count: int) -> None:
        for _ in range(count):
            if self.gateway.usage.state().recording:
                self.made[self._count + 1] = self.clock.now_ms()
            self.spend(1)

    @property
    def made(self) -> dict[int, int]:
        moments: dict[int, int] = self.__dict__.setdefault("_made", {})
        return moments

    async def pass_time(self, seconds: float) -> None:
        for _ in range(max(1, round(seconds / 0.05))):
            await self.clock.advance(min(seconds, 0.05))
            await asyncio.sleep(0.0005)

    async def restart(self, *, on: bool) -> None:
        """The gateway goes, with its memory, and is away long enough to be missed."""
        usage = self.gateway.usage
        for verb in ("pop_usage", "usage_state"):
            self.gateway.fail(verb, AWAY, AWAY)
        usage.restart()
        usage.break_off()
        usage.switch(on=on)
        await self.until(lambda: sum(map(len, self.gateway._failures.values())) < 4)
        self.gateway._failures.clear()

    async def kill(self) -> None:
        """End as kill -9 does: nothing is given back, and what the subscription sent is lost."""
        task = self.collector_now._task
        assert task is not None
        task.cancel()
        self.gateway.usage.break_off()
        await asyncio.wait([task])
        await self.database.close()


async def reopened(stage: LossyStage, chance: random.Random) -> None:
    """Let records be made and time pass without a collector, and start another."""
    stage.make(chance.randrange(3))
    await stage.pass_time(chance.choice([0.1, 3.0]))
    stage.collector_now = await stage.open()


async def killed(stage: LossyStage, chance: random.Random) -> None:
    await stage.kill()
    await reopened(stage, chance)


async def stopped(stage: LossyStage, chance: random.Random) -> None:
    await closed(stage, stage.collector_now)
    await reopened(stage, chance)


LOSSES: Mapping[str, Callable[[LossyStage, random.Random], Awaitable[None] | None]] = {
    "the answer to a pop is lost": lambda stage, _: stage.gateway.usage.lose_answer(),
    "the connection falls silent": lambda stage, _: stage.gateway.usage.go_silent(),
    "the connection breaks": lambda stage, _: stage.gateway.usage.break_off(),
    "the gateway restarts": lambda stage, _: stage.restart(on=stage.gateway.usage.state().recording),
    "the gateway restarts without recording": lambda stage, _: stage.restart(on=False),
    "recording is switched on": lambda stage, _: stage.collector_now.switch(on=True),
    "the service is killed": killed,
    "the service stops": stopped,
}


async def step(stage: LossyStage, chance: random.Random) -> None:
    """Let records be made, time pass, or something go wrong."""
    drawn = chance.randrange(20)
    if drawn < 7:
        stage.make(chance.randrange(1, 4))
    elif drawn < 13:
        await stage.pass_time(chance.choice([0.01, 0.3, 1.1, 6.0]))
    else:
        loss = LOSSES[chance.choice(sorted(LOSSES))](stage, chance)
        if loss is not None:
            await loss


@pytest.mark.parametrize("seed", [0, 1, 7, 10, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(11, 41))])
@pytest.mark.parametrize("capabilities", [frozenset(Capability), WITHOUT_SUBSCRIPTION], ids=["subscription", "queue"])
async def test_every_record_that_is_not_stored_was_made_within_a_gap(
    tmp_path: Path, capabilities: frozenset[Capability], seed: int
) -> None:
    chance = random.Random(seed)
    with DataFolder.open(tmp_path / "data") as folder:
        stage = LossyStage(folder, capabilities)
        stage.collector_now = await stage.open()
        await stage.until(lambda: stage.collector_now.status.source is not CollectorSource.NONE)
        for _ in range(STEPS):
            await step(stage, chance)
        stage.gateway.usage.break_off()  # a silent connection is noticed in the end
        await stage.collector_now.switch(on=True)
        await stage.pass_time(20)
        await stage.until(lambda: stage.collector_now.status.source is not CollectorSource.NONE)
        await stage.pass_time(3)
        stored = await stage.stored()
        gaps = await stage.gaps()
        lost = {number: at for number, at in stage.made.items() if number not in stored}
        await closed(stage, stage.collector_now)

    assert len(stored) == len(set(stored))
    outside = {number: at for number, at in lost.items() if not any(gap.start_at <= at <= gap.end_at for gap in gaps)}
    assert not outside, (outside, [(gap.kind, gap.start_at, gap.end_at) for gap in gaps])
