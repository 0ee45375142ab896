"""Calls of a plugin whose process ends: each is told as a plugin that has ended, never as a fault of the gateway."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest

from gateway.internal.plugins.process import PluginFailed, PluginProcess
from gateway.plugin.v1.plugin_pb2 import ConfigureRequest, HttpRequest
from tests.plugins.test_host import BELOW, SAMPLE


@asynccontextmanager
async def running(tmp_path: Path) -> AsyncIterator[PluginProcess]:
    root = str(SAMPLE.parents[2])
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": f"{root}/src:{root}"}
    none: Any = grpc.method_handlers_generic_handler("none", {})
    process = await PluginProcess.start("sample", [sys.executable, str(SAMPLE)], environment, tmp_path, none)
    try:
        await process.configure(ConfigureRequest(first=True))
        yield process
    finally:
        await process.end()


async def test_a_call_after_the_end_says_that_the_plugin_has_ended(tmp_path: Path) -> None:
    async with running(tmp_path) as process:
        await process.end()

        with pytest.raises(PluginFailed, match="it has ended"):
            await process.handle(HttpRequest(method="GET", path=f"{BELOW}/info"), 5)
        with pytest.raises(PluginFailed, match="it has ended"):
            await anext(process.handle_stream(HttpRequest(method="GET", path=f"{BELOW}/stream")))


async def test_a_caller_that_is_canceled_stays_canceled(tmp_path: Path) -> None:
    async with running(tmp_path) as process:
        call = asyncio.ensure_future(process.handle(HttpRequest(method="GET", path=f"{BELOW}/hang"), 60))
        await asyncio.sleep(0)
        call.cancel()

        with pytest.raises(asyncio.CancelledError):
            await call
