"""A stand-in for a stock gateway's usage: subscribers with a buffer of 256 records, and a queue while there is none.

It runs as a process of its own, so that it is no slower because the collector is busy. It follows release 7.2.140: a
record goes to every subscriber; one whose buffer is full loses it and is disconnected after what waits was sent.
Without a subscriber records wait in the queue.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from multiprocessing.connection import Connection
from typing import Any

from adapter.clock import Clock
from adapter.fake.gateway import FakeGateway
from adapter.management.client.guarded_client import GuardedClient
from adapter.management.client.http import HttpTransport
from adapter.management.client.transport import Reply, Request
from adapter.management.subscription import ManagementSubscriptions
from adapter.port import UsageBatch, UsageSubscription
from adapter.privacy.secret import Secret
from adapter.rules.resp import RespParser, command
from adapter.rules.usage_record import usage_records
from tests.extension.usage.samples import record
from tests.servers.stream_server import StreamServer

_BUFFER = 256
_POPPED = 500
_BURST = 50
_TICK = 0.005
_ACKNOWLEDGED = b"*3\r\n$9\r\nsubscribe\r\n$5\r\nusage\r\n:1\r\n"
_ENDED = b"*3\r\n$11\r\nunsubscribe\r\n$5\r\nusage\r\n:0\r\n"


class _Subscriber:
    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self.waiting: deque[bytes] = deque()
        self.grown = asyncio.Event()
        self.ended = False
        self.writer = writer

    async def send(self) -> None:
        """Send what waits until the end."""
        with suppress(ConnectionError):
            while self.waiting or not self.ended:
                self.grown.clear()
                if not self.waiting:
                    await self.grown.wait()
                while self.waiting:
                    self.writer.write(command(b"message", b"usage", self.waiting.popleft()))
                    await self.writer.drain()
        self.writer.close()


class SubscriptionServer:
    """Takes records in and gives them to subscribers, or to those who pop."""

    def __init__(self) -> None:
        self.queue: deque[bytes] = deque()
        self.overflows = 0
        self._subscribers: list[_Subscriber] = []
        self._sending: set[asyncio.Task[None]] = set()
        self._server = StreamServer(self._serve)

    @property
    def subscribed(self) -> bool:
        """Return whether there is a subscriber."""
        return bool(self._subscribers)

    async def start(self) -> int:
        """Listen, and return the port."""
        return await self._server.start()

    async def stop(self) -> None:
        self.disconnect()
        if self._sending:
            await asyncio.wait(self._sending)
        await self._server.stop()

    def publish(self, record: bytes) -> None:
        """Give a record to every subscriber, or to the queue."""
        if not self._subscribers:
            self.queue.append(record)
        for subscriber in tuple(self._subscribers):
            if len(subscriber.waiting) >= _BUFFER:
                self.overflows += 1
                self._end(subscriber)
                continue
            subscriber.waiting.append(record)
            subscriber.grown.set()

    def disconnect(self) -> None:
        """End every subscription after what waits was sent."""
        for subscriber in tuple(self._subscribers):
            self._end(subscriber)

    def _end(self, subscriber: _Subscriber) -> None:
        if subscriber in self._subscribers:
            self._subscribers.remove(subscriber)
        subscriber.ended = True
        subscriber.grown.set()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        parser = RespParser()
        subscriber = _Subscriber(writer)
        with suppress(ConnectionError):
            while chunk := await reader.read(1_000):
                for value in parser.feed(chunk):
                    self._answer(value[0] if isinstance(value, list) else None, subscriber)
        self._end(subscriber)

    def _answer(self, request: Any, subscriber: _Subscriber) -> None:
        if request == b"SUBSCRIBE":
            subscriber.writer.write(_ACKNOWLEDGED)
            self._subscribers.append(subscriber)
            self._sending.add(asyncio.create_task(subscriber.send()))
        elif request == b"LPOP":
            records = [self.queue.popleft() for _ in range(min(_POPPED, len(self.queue)))]
            subscriber.writer.write(
                b"*%d\r\n" % len(records) + b"".join(b"$%d\r\n%s\r\n" % (len(x), x) for x in records)
            )
        elif request == b"UNSUBSCRIBE":
            subscriber.writer.write(_ENDED)
            self._end(subscriber)
        else:
            subscriber.writer.write(b"*2\r\n$4\r\npong\r\n$0\r\n\r\n" if request == b"PING" else b"+OK\r\n")


@dataclass(frozen=True)
class Load:
    """Records to be made: evenly, with breaks of the connection at even times."""

    seconds: int
    rate: int
    reconnects: int


@asynccontextmanager
async def serving(load: Load) -> AsyncIterator[tuple[int, Connection]]:
    """Run the stand-in; a message starts the load, and (records, overflows, seconds) come back after it."""
    context = multiprocessing.get_context("spawn")
    parent, child = context.Pipe()
    process = context.Process(target=_run, args=(child, load), daemon=True)
    process.start()
    port = await asyncio.to_thread(parent.recv)
    yield port, parent
    parent.send("end")
    await asyncio.to_thread(process.join)


def _run(pipe: Connection, load: Load) -> None:
    asyncio.run(_served(pipe, load))


async def _served(pipe: Connection, load: Load) -> None:
    server = SubscriptionServer()
    pipe.send(await server.start())
    await asyncio.to_thread(pipe.recv)
    began = time.monotonic()
    sent = await _published(server, load, began)
    pipe.send((sent, server.overflows, time.monotonic() - began))
    await asyncio.to_thread(pipe.recv)
    await server.stop()


async def _published(server: SubscriptionServer, load: Load, began: float) -> int:
    head, _, tail = json.dumps(record(request_id="@", timestamp="#")).partition('"@"')
    breaks = [(number + 0.5) * load.seconds / load.reconnects for number in range(load.reconnects)]
    sent = 0
    while (elapsed := time.monotonic() - began) < load.seconds or breaks:
        at = datetime.now(UTC).isoformat()
        for _ in range(min(_BURST, min(round(elapsed * load.rate), load.seconds * load.rate) - sent)):
            sent += 1
            server.publish(f'{head}"{sent:x}"{tail}'.replace("#", at, 1).encode())
        if breaks and elapsed >= breaks[0] and server.subscribed:
            breaks.pop(0)
            server.disconnect()
        await asyncio.sleep(0 if sent < round(elapsed * load.rate) else _TICK)
    return sent


class _Release(HttpTransport):
    """A transport whose gateway has a release."""

    async def send(self, request: Request) -> Reply:
        assert request.safe
        return Reply(200, {"x-cpa-version": "7.2.140"}, b"{}")


class SubscribedGateway(FakeGateway):
    """A gateway whose usage comes from the stand-in, over the adapter's own subscription."""

    def __init__(self, port: int, clock: Clock) -> None:
        super().__init__("", clock=clock)
        client = GuardedClient(_Release(f"http://127.0.0.1:{port}", Secret("k")), clock)
        self._port = port
        self._now = clock
        self._opening = ManagementSubscriptions(client, Secret("key"), clock)
        self.usage.switch(on=True)

    async def subscribe_usage(self) -> UsageSubscription:
        return await self._opening.open()

    async def pop_usage(self, limit: int) -> UsageBatch:
        assert limit == _POPPED
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        writer.write(command(b"LPOP", b"usage", b"%d" % limit))
        parser = RespParser()
        values: list[Any] = []
        while not values:
            values = parser.feed(await reader.read(256 * 1024))
        writer.close()
        records = [json.loads(value) for value in values[0]]
        return UsageBatch(usage_records(records), self._now.now_ms(), gap=False)
