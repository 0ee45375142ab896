import asyncio

import pytest
from aiohttp import web

from adapter.management import ManagementConnection
from tests.adapter.management.stand_in import StandIn

ELEMENT = {
    "timestamp": "2026-08-22T10:00:00.120000001Z",
    "latency_ms": 1530,
    "source": "sk-a-raw-key-1111",
    "auth_index": "4c1433b9bad2bd52",
    "tokens": {"input_tokens": 12, "output_tokens": 30, "total_tokens": 42},
    "failed": False,
    "fail": {"status_code": 200, "body": ""},
    "provider": "claude",
    "model": "model",
    "alias": "alias",
    "endpoint": "POST /v1/messages",
    "api_key": "a-client-key-2222",
    "request_id": "1a2b3c4d",
}


class Queue:
    """A usage queue: it loses what it hands out."""

    def __init__(self, *elements: object) -> None:
        self.elements = list(elements)
        self.asked = asyncio.Event()
        self.go_on = asyncio.Event()

    async def answer(self, request: web.Request) -> web.StreamResponse | None:
        headers = {"X-CPA-VERSION": "7.2.140"}
        if request.path.endswith("/config"):
            return web.json_response({"redis-usage-queue-retention-seconds": 60}, headers=headers)
        if not request.path.endswith("/usage-queue"):
            return None
        taken = self.elements[: int(request.query["count"])]
        self.elements = self.elements[len(taken) :]
        self.asked.set()
        await self.go_on.wait()
        return web.json_response(taken, headers=headers)


async def test_a_record_holds_no_key_and_says_when_and_how_much(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    queue = Queue(ELEMENT)
    queue.go_on.set()
    stand_in.before = queue.answer
    batch = await connection.gateway.pop_usage(10)
    (record,) = batch.records
    assert (record.at, record.total_tokens, record.status, record.failed) == (1_787_392_800_120, 42, 200, False)
    assert "1111" not in repr(batch)
    assert "2222" not in repr(batch)


async def test_a_pop_whose_waiter_was_cancelled_is_returned_by_the_next(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    queue = Queue(ELEMENT)
    stand_in.before = queue.answer
    waiter = asyncio.create_task(_pop(connection))
    await queue.asked.wait()
    waiter.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiter
    queue.go_on.set()
    assert queue.elements == []
    assert len((await connection.gateway.pop_usage(10)).records) == 1
    assert (await connection.gateway.pop_usage(10)).records == ()


async def _pop(connection: ManagementConnection) -> None:
    await connection.gateway.pop_usage(10)


async def test_an_older_gateway_has_no_usage_and_is_not_asked(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    stand_in.version = {"X-CPA-VERSION": "6.10.7"}
    assert "usage" not in (await connection.gateway.describe()).capabilities
    assert not any("usage" in request for request in stand_in.requests)
