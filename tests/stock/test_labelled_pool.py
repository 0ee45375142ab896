"""The labelled pool on each release whose binary is given: config.yaml means the same after an undo."""

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from adapter.management.listing.sections import canonical
from tests.contract.labelled_pool import FILES, labelled_config
from tests.contract.labelled_walk import ADDRESS, walk
from tests.contract.stock_stage import binaries
from tests.stock.gateway import stock_gateway
from tests.stock.table import FIGURE


@pytest.mark.timeout(600)
@pytest.mark.parametrize("binary", binaries(), ids=os.path.basename)
async def test_every_entry_of_the_labelled_pool_ends_as_its_table_says(
    binary: str, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    async with stock_gateway(tmp_path, labelled_config(ADDRESS), FILES, command=[binary, "-config"]) as stock:

        def stored() -> object:
            files = {path.name: json.loads(path.read_text()) for path in (tmp_path / "auths").rglob("*.json")}
            return stock.sections(), canonical(files)

        version = (await stock.connection.gateway.describe()).version
        started = time.perf_counter()
        accounts = await walk(stock.connection.gateway, stored, stock=True)
        seconds = time.perf_counter() - started
    record_property(FIGURE, f"labelled pool on {version}: {accounts} accounts switched and undone in {seconds:.1f} s")
