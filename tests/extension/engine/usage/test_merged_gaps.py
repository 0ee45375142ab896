"""A break that the queue confirms is one gap."""

from dataclasses import replace

import pytest

from adapter.port import UsageBatch
from extension.engine.usage.collector_status import CollectorSource
from extension.engine.usage.coverage import Gap, GapKind, merged
from extension.store.data_folder import DataFolder
from tests.extension.engine.usage.stage import CollectorStage, closed


async def test_a_restart_of_the_gateway_is_one_gap_and_not_two_with_the_same_times(
    folder: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a long subscription, the queue says of the first pop that records may have waited for too long in it."""
    stage = CollectorStage(folder)
    collector = await stage.open()
    await stage.until(lambda: collector.status.source is CollectorSource.SUBSCRIPTION)
    stage.spend(5)
    await stage.stored_count(collector, 5)
    popped = stage.gateway.pop_usage

    async def late(count: int) -> UsageBatch:
        return replace(await popped(count), gap=True)

    monkeypatch.setattr(stage.gateway, "pop_usage", late)
    stage.gateway.usage.restart()
    stage.spend(6)
    await stage.stored_count(collector, 11)

    (gap,) = await stage.gap_count(1)
    assert (gap.kind, gap.missing) == (GapKind.DISCONNECTED, None)
    await closed(stage, collector)


def test_a_count_of_the_queue_is_kept_apart() -> None:
    broken, expired = Gap(5, 9, GapKind.DISCONNECTED), Gap(4, 10, GapKind.EXPIRED)

    assert merged(broken, expired) == (Gap(4, 10, GapKind.DISCONNECTED), None)
    assert merged(broken, replace(expired, missing=3)) == (broken, replace(expired, missing=3))
    assert merged(None, expired) == (None, expired)
