"""The stream over which a host announces addresses: its end means that the host is gone."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from extension.plugin.broker import Broker
from extension.plugin.v1.go_plugin_pb2 import ConnInfo

CONTEXT: Any = None


async def announced(*, gone: bool) -> AsyncIterator[ConnInfo]:
    yield ConnInfo(service_id=1, network="unix", address="/host.sock")
    if not gone:
        await asyncio.Event().wait()


@pytest.mark.parametrize("gone", [True, False])
async def test_a_stream_that_this_side_ends_does_not_mean_that_the_host_is_gone(*, gone: bool) -> None:
    ends: list[str] = []
    broker = Broker(lambda: ends.append("gone"))

    async def stream() -> None:
        async for _ in broker.start_stream(announced(gone=gone), CONTEXT):
            pass

    streaming = asyncio.ensure_future(stream())
    await asyncio.sleep(0)
    if not gone:
        broker.close()
    await asyncio.wait_for(streaming, 10)
    assert ends == (["gone"] if gone else [])
