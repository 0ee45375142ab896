"""Every count and cost of mixed traffic through a stock gateway equals a table computed apart."""

from pathlib import Path

import pytest

from adapter.port import Capability
from extension.engine.usage.collector_status import CollectorSource
from tests.contract.mixed_provider import mixed
from tests.contract.mixed_traffic import counted, expected, over_network
from tests.contract.stock_stage import stock

REQUESTS = 5_000


@pytest.mark.parametrize("source", [CollectorSource.SUBSCRIPTION, CollectorSource.QUEUE])
async def test_every_count_and_cost_equals_the_table(tmp_path: Path, source: CollectorSource) -> None:
    (tmp_path / "gateway").mkdir()
    stage = await stock(tmp_path / "gateway")
    about = await stage.gateway.describe()
    if Capability.USAGE_SUBSCRIPTION not in about.capabilities:
        source = CollectorSource.QUEUE
    gaps, rows = await counted(stage, over_network(stage), tmp_path / "data", source, REQUESTS)
    await stage.close()

    assert rows == expected(mixed(REQUESTS))
    assert gaps == 0
