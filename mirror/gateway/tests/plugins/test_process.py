"""Calls of a plugin: signs of its life, and the end of its process, which is never told as a fault of the gateway."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest

from gateway.internal.plugins.failure import PluginFailed
from gateway.internal.plugins.host_service import HostService
from gateway.internal.plugins.liveness import Signs
from gateway.internal.plugins.process import PluginProcess
from gateway.plugin.v1.plugin_pb2 import (
    ConfigureRequest,
    DescribeRequest,
    HostInfo,
    HttpRequest,
    HttpResponse,
    LogRecord,
)
from tests.plugins.test_host import BELOW, SAMPLE


@asynccontextmanager
async def running(tmp_path: Path, answered: Callable[[], None] = lambda: None) -> AsyncIterator[PluginProcess]:
    root = str(SAMPLE.parents[2])
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": f"{root}/src:{root}"}
    none: Any = grpc.method_handlers_generic_handler("none", {})
    command = [sys.executable, str(SAMPLE)]
    process = await PluginProcess.start("sample", command, environment, tmp_path, none, answered=answered)
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


async def test_every_answer_and_every_part_of_one_is_a_sign_of_life(tmp_path: Path) -> None:
    signs = Signs()
    async with running(tmp_path, signs.note) as process:
        assert signs.count == 2, "its health and its settings"
        await process.handle(HttpRequest(method="GET", path=f"{BELOW}/info"), 30)
        assert signs.count == 3
        async with aclosing(process.handle_stream(HttpRequest(method="GET", path=f"{BELOW}/stream"))) as parts:
            await anext(parts)
            await anext(parts)
        assert signs.count == 5
        await process.ask()
        await process.quiesce("a test")
        assert signs.count == 7
        with pytest.raises(PluginFailed, match="UNKNOWN"):
            await process.handle(HttpRequest(method="GET", path=f"{BELOW}/raise"), 30)
        assert signs.count == 8, "an error is an answer, too"


async def test_a_call_without_an_answer_is_no_sign_of_life(tmp_path: Path) -> None:
    signs = Signs()
    async with running(tmp_path, signs.note) as process:
        known = signs.count
        with pytest.raises(TimeoutError):
            await process.handle(HttpRequest(method="GET", path=f"{BELOW}/hang"), 0.05)
        await process.kill()
        with pytest.raises(PluginFailed):
            await process.handle(HttpRequest(method="GET", path=f"{BELOW}/info"), 30)
        await process.ask()
        assert signs.count == known


async def test_every_call_of_the_host_is_a_sign_of_life() -> None:
    async def manage(_: HttpRequest) -> HttpResponse:
        return HttpResponse()

    signs = Signs()
    service = HostService("sample", HostInfo, manage, signs.note)

    await service.describe(DescribeRequest(), None)
    await service.log(LogRecord(), None)
    await service.manage(HttpRequest(), None)

    assert signs.count == 3
