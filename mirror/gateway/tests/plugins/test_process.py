"""One plugin process: calls after its end, and their cancellation."""

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from gateway.internal.configuration.model import Configuration
from gateway.internal.plugins.host import Host, PluginError
from gateway.internal.plugins.process import PluginProcess
from gateway.plugin.v1.plugin_pb2 import ConfigureRequest, HttpRequest
from tests.plugins.test_host import BELOW, ROOT, SAMPLE


@asynccontextmanager
async def running(folder: Path) -> AsyncIterator[PluginProcess]:
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}"}
    host = Host(folder / "config.yaml", Configuration)
    process = await PluginProcess.start("sample", [sys.executable, str(SAMPLE)], environment, folder, host)
    try:
        await process.configure(ConfigureRequest(first=True))
        yield process
    finally:
        await process.end()


async def test_a_call_after_the_end_says_that_the_plugin_has_ended(tmp_path: Path) -> None:
    async with running(tmp_path) as process:
        assert await process.check_health()
        await process.end()

        with pytest.raises(PluginError, match="it has ended"):
            await process.handle(HttpRequest(method="GET", path=f"{BELOW}/info"), 5)
        with pytest.raises(PluginError, match="it has ended"):
            await anext(process.handle_stream(HttpRequest(method="GET", path=f"{BELOW}/stream")))
