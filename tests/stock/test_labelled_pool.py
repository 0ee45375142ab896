"""The labelled pool on each release whose binary is given: config.yaml means the same after an undo."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.contract.labelled_pool import FILES, labelled_config, labelled_entries
from tests.contract.labelled_rules import STOCK_RULES
from tests.contract.labelled_walk import Walk, other_settings
from tests.contract.stock_stage import binaries
from tests.stock.gateway import stock_gateway
from tests.stock.table import FIGURE

ADDRESS = "http://127.0.0.1:9"


@pytest.mark.timeout(600)
@pytest.mark.parametrize("binary", binaries(), ids=os.path.basename)
async def test_every_entry_of_the_labelled_pool_ends_as_its_table_says(
    binary: str, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    async with stock_gateway(tmp_path, labelled_config(ADDRESS), FILES, command=[binary, "-config"]) as stock:
        gateway = stock.connection.gateway
        version = (await gateway.describe()).version
        started, written = time.perf_counter(), set(other_settings(stock.config))

        def kept() -> object:
            return {name: value for name, value in other_settings(stock.config).items() if name in written}

        entries = list(labelled_entries(ADDRESS))
        before = kept()
        accounts = await Walk(gateway, tmp_path, STOCK_RULES[version], entries, kept).go()
        assert kept() == before
        seconds = time.perf_counter() - started
    record_property(FIGURE, f"labelled pool on {version}: {accounts} accounts switched and undone in {seconds:.1f} s")
