"""Whatever is lost, and whenever: a record that was not stored was made within a gap.

The times are those at which the gateway made a record. Not in here is a gateway that restarts between two looks at its
queue, which docs/usage.md names.
"""

import asyncio
import random
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
        found: dict[int, int] = self.__dict__.setdefault("_made", {})
        return found

    async def pass_time(self, seconds: float) -> None:
        for _ in range(max(1, round(seconds / 0.05))):
            await self.clock.advance(min(seconds, 0.05))
            await asyncio.sleep(0.0005)

    async def restart(self, *, on: bool) -> None:
        """The gateway goes, with its memory, and is away long enough to be missed."""
        usage = self.gateway.usage
        for verb in ("pop_usage", "usage_state", "describe"):
            self.gateway.fail(verb, AWAY, AWAY)
        usage.restart()
        usage.break_off()
        usage.switch(on=on)
        await self.until(lambda: self.collector_now.status.problem != "")
        self.gateway._failures.clear()

    async def kill(self) -> None:
        """End as kill -9 does: nothing is given back, and what the subscription sent is lost."""
        task = self.collector_now._task
        assert task is not None
        task.cancel()
        self.gateway.usage.break_off()
        await asyncio.wait([task])
        await self.database.close()


async def step(stage: LossyStage, chance: random.Random) -> None:
    """Let one thing happen."""
    usage = stage.gateway.usage
    match chance.choice(
        ["make"] * 6 + ["time"] * 5 + ["lose", "silent", "break", "away", "off", "on", "kill", "close"]
    ):
        case "make":
            stage.make(chance.randrange(1, 4))
        case "time":
            await stage.pass_time(chance.choice([0.01, 0.3, 1.1, 6.0]))
        case "lose":
            usage.lose_answer()
        case "silent":
            usage.go_silent()
        case "break":
            usage.break_off()
        case "away":
            await stage.restart(on=usage.state().recording)
        case "off":
            await stage.restart(on=False)
        case "on":
            await stage.collector_now.switch(on=True)
        case "kill":
            await stage.kill()
            stage.make(chance.randrange(3))
            await stage.pass_time(chance.choice([0.1, 3.0]))
            stage.collector_now = await stage.open()
        case "close":
            await closed(stage, stage.collector_now)
            stage.make(chance.randrange(3))
            await stage.pass_time(chance.choice([0.1, 3.0]))
            stage.collector_now = await stage.open()


@pytest.mark.parametrize("seed", range(12))
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
