import os
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.contract.stock_stage import BINARY
from tests.stock.plugin.stock import PluginGateway, child_command

# The project holds nothing of a stock gateway, so these tests exist only where a binary is named.
collect_ignore_glob = [] if os.environ.get(BINARY) else ["test_*.py"]

Make = Callable[..., PluginGateway]


@pytest.fixture
async def make(tmp_path: Path) -> AsyncIterator[Make]:
    """Give a maker of gateways; each is ended after the test."""
    made: list[PluginGateway] = []

    def gateway(mode: str | None = "serve", *, settings: Mapping[str, Any] | None = None, **more: Any) -> PluginGateway:
        folder = tmp_path / f"gateway-{len(made)}"
        plugin = None if mode is None else {"command": child_command(folder, mode), **(settings or {})}
        made.append(PluginGateway(folder, plugin=plugin, **more))
        return made[-1]

    yield gateway
    for started in made:
        await started.close()
