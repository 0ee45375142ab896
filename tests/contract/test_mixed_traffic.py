"""Every count and cost of mixed traffic through our own gateway equals a table computed apart."""

from pathlib import Path

import pytest

from extension.engine.usage.collector_status import CollectorSource
from tests.contract.embedded_stage import EmbeddedStage
from tests.contract.mixed_provider import mixed
from tests.contract.mixed_traffic import counted, expected, in_process, over_network
from tests.contract.stock_stage import over_http


@pytest.mark.parametrize("count", [500, pytest.param(5_000, marks=pytest.mark.soak)])
async def test_every_count_and_cost_over_http_equals_the_table(tmp_path: Path, count: int) -> None:
    (tmp_path / "gateway").mkdir()
    stage = await over_http(tmp_path / "gateway", "stock")
    gaps, rows = await counted(stage, over_network(stage), tmp_path / "data", CollectorSource.QUEUE, count)
    await stage.close()

    assert rows == expected(mixed(count))
    assert gaps == 0


@pytest.mark.parametrize("count", [300, pytest.param(5_000, marks=pytest.mark.soak)])
async def test_every_count_and_cost_within_the_process_equals_the_table(tmp_path: Path, count: int) -> None:
    (tmp_path / "gateway").mkdir()
    stage = await EmbeddedStage(tmp_path / "gateway").start()
    gaps, rows = await counted(stage, in_process(stage), tmp_path / "data", CollectorSource.QUEUE, count)
    await stage.close()

    assert rows == expected(mixed(count))
    assert gaps == 0
