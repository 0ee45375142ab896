"""The subscription against a stand-in that speaks the protocol as a stock gateway does."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from adapter.clock import Clock, FakeClock, SystemClock
from adapter.management.client.guarded_client import GuardedClient
from adapter.management.client.http import HttpTransport
from adapter.management.client.transport import Reply, Request
from adapter.management.subscription import BEAT_SECONDS, SILENT_SECONDS, ManagementSubscriptions
from adapter.port import Capability, UsageSubscription, errors
from adapter.privacy.secret import Secret
from adapter.rules.resp import RespParser, command
from tests.servers.stream_server import StreamServer

KEY = "management-key"
GREETING = b'{"support_refresh":true}'


class Server:
    """Speaks the protocol; `sent` are the commands it got, in order."""

    def __init__(self) -> None:
        self.sent: list[list[bytes]] = []
        self.subscribes = True
        self.speaks = True
        self.silent = False
        self.pings = 0
        self.last: Any = None
        self.writers: list[asyncio.StreamWriter] = []
        self._server = StreamServer(self._serve)

    async def start(self) -> int:
        return await self._server.start()

    def send(self, content: Any) -> None:
        for writer in self.writers:
            writer.write(_message(json.dumps(content).encode()))

    async def stop(self) -> None:
        await self._server.stop()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.writers.append(writer)
        parser = RespParser()
        while chunk := await reader.read(1000):
            if not self.speaks:
                writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
                continue
            for value in parser.feed(chunk):
                assert isinstance(value, list)
                parts = [part for part in value if isinstance(part, bytes)]
                if parts == [b"PING"]:
                    self.pings += 1
                    writer.write(b"" if self.silent else b"*2\r\n$4\r\npong\r\n$0\r\n\r\n")
                    continue
                if parts == [b"UNSUBSCRIBE"]:
                    self._end(writer)
                    return
                self.sent.append(parts)
                writer.write(self._answer(parts))

    def _end(self, writer: asyncio.StreamWriter) -> None:
        if self.last is not None:
            writer.write(_message(json.dumps(self.last).encode()))
        writer.write(b"*3\r\n$11\r\nunsubscribe\r\n$5\r\nusage\r\n:0\r\n")
        writer.close()

    def _answer(self, parts: list[bytes]) -> bytes:
        if parts[0] == b"AUTH":
            return b"+OK\r\n" if parts[1] == KEY.encode() else b"-ERR invalid management key\r\n"
        if not self.subscribes:
            return b"-ERR unknown command 'subscribe'\r\n"
        # Greeting and acknowledgement may come in one piece.
        return b"*3\r\n$9\r\nsubscribe\r\n$5\r\nusage\r\n:1\r\n" + _message(GREETING)


def _message(payload: bytes) -> bytes:
    return command(b"message", b"usage", payload)


class Answering(HttpTransport):
    """A transport whose gateway has a release."""

    def __init__(self, address: str, version: str) -> None:
        super().__init__(address, Secret("k"))
        self._version = version

    async def send(self, request: Request) -> Reply:
        assert request.safe
        return Reply(200, {"x-cpa-version": self._version}, b"{}")


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    server = Server()
    yield server
    await server.stop()


async def subscriptions(
    server: Server, key: str = KEY, version: str = "7.2.140", clock: Clock | None = None
) -> ManagementSubscriptions:
    clock = clock or SystemClock()
    client = GuardedClient(Answering(f"http://127.0.0.1:{await server.start()}", version), clock)
    return ManagementSubscriptions(client, Secret(key), clock)


async def received(subscription: UsageSubscription, count: int) -> list[Any]:
    raws: list[Any] = []
    while len(raws) < count:
        batch = await subscription.receive(100, 5)
        assert batch is not None
        raws += [record.raw for record in batch.records]
    return raws


async def test_the_key_goes_first_and_records_come_in_their_order_without_notices(server: Server) -> None:
    subscription = await (await subscriptions(server)).open()
    for number in range(700):
        server.send({"request_id": str(number)})
        if number == 300:
            server.send({"refresh": True})

    raws = await received(subscription, 700)

    assert server.sent == [[b"AUTH", KEY.encode()], [b"SUBSCRIBE", b"usage"]]
    assert raws == [{"request_id": str(number)} for number in range(700)]
    await subscription.close()


async def test_what_was_received_before_the_end_is_returned_and_then_the_end(server: Server) -> None:
    subscription = await (await subscriptions(server)).open()
    server.send({"request_id": "1"})
    server.writers[0].write(_message(b"no json") + _message(b'{"request_id":"2"}')[:-9])
    server.writers[0].close()

    assert await received(subscription, 2) == [{"request_id": "1"}, "no json"]
    assert await subscription.receive(10, 5) is None
    await subscription.close()


async def test_a_refused_key_is_tried_once_and_stops_every_request(server: Server) -> None:
    refused = await subscriptions(server, key="wrong")

    for _ in range(3):
        with pytest.raises(errors.Unauthorised):
            await refused.open()

    assert server.sent == [[b"AUTH", b"wrong"]]


@pytest.mark.parametrize(("subscribes", "speaks"), [(False, True), (True, False)])
async def test_a_gateway_without_a_subscription_says_so(server: Server, subscribes: bool, speaks: bool) -> None:
    server.subscribes, server.speaks = subscribes, speaks

    with pytest.raises(errors.Unsupported) as refusal:
        await (await subscriptions(server)).open()

    assert refusal.value.capability is Capability.USAGE_SUBSCRIPTION


@pytest.mark.parametrize("version", ["7.0.0", "0.4.0"])
async def test_a_release_without_a_subscription_is_not_asked(server: Server, version: str) -> None:
    with pytest.raises(errors.Unsupported):
        await (await subscriptions(server, version=version)).open()

    assert server.writers == []


async def test_silence_is_an_empty_batch(server: Server) -> None:
    subscription = await (await subscriptions(server)).open()

    batch = await subscription.receive(10, 0.01)

    assert batch is not None
    assert batch.records == ()
    await subscription.close()
    assert await subscription.receive(10, 0.01) is None


async def test_a_gateway_that_falls_silent_ends_the_subscription_at_its_last_answer(server: Server) -> None:
    clock = FakeClock()
    subscription = await (await subscriptions(server, clock=clock)).open()
    opened = clock.now_ms()
    server.silent = True
    for seconds in (BEAT_SECONDS, SILENT_SECONDS):
        await clock.sleeping()
        await clock.advance(seconds)

    assert await subscription.receive(10, 5) is None
    assert await subscription.close() is False
    assert clock.now_ms() == opened + 11_000


async def test_what_the_gateway_sends_until_the_end_is_received_and_the_end_is_confirmed(server: Server) -> None:
    subscription = await (await subscriptions(server)).open()
    server.last = {"request_id": "last"}

    assert await subscription.close() is True
    assert await received(subscription, 1) == [{"request_id": "last"}]
    assert await subscription.receive(10, 0) is None
