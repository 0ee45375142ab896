"""Subscription to usage records: the Redis protocol on the port of a stock gateway's API.

Theory of operation: anything before AUTH counts as a wrong key, and five of those ban the address, so AUTH goes first,
once, with a key that HTTP has proven. A stock gateway takes TLS with ALPN for HTTP, so none is offered. It disconnects
a subscriber that is 256 records behind (v7.2.140); a task therefore reads all the time, whatever the consumer does, and
another asks for signs of life.

A heartbeat tells up to when every record has arrived: a connection that is gone without a word looks like one without
records, and the operating system notices it half a minute later. So the gateway is asked with PING, which every release
with a subscription answers. A stock gateway (v7.1.47 to v7.2.140) chooses by chance between a record and an answer that
are both ready, so an answer may overtake records for a moment; the time of the question is therefore set back a second.
"""

import asyncio
import json
import socket
import ssl
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final
from urllib.parse import urlsplit

from adapter.clock import Clock
from adapter.management.client.guarded_client import GuardedClient
from adapter.management.client.release import Feature
from adapter.port import Capability, UsageBatch, errors
from adapter.port.permission import require_permission
from adapter.privacy.secret import Secret
from adapter.rules.resp import RespError, RespInvalid, RespParser, RespValue, command
from adapter.rules.usage_record import usage_records

BEAT_SECONDS: Final = 1.0
SILENT_SECONDS: Final = 10.0
"""Seconds without an answer after which a subscription has ended."""
_OVERTAKEN_MS: Final = 1_000


class Heartbeat:
    """Asks at intervals; `known` is the time up to which every record was sent, integer milliseconds UTC."""

    def __init__(self, clock: Clock, ask: Callable[[], None]) -> None:
        self._clock = clock
        self._ask = ask
        self._asked_at = self.known_until = clock.now_ms() - _OVERTAKEN_MS
        self._answered = asyncio.Event()

    def answered(self) -> None:
        self.known_until = self._asked_at - _OVERTAKEN_MS
        self._answered.set()

    async def beat(self, busy: Callable[[], bool]) -> None:
        """Ask until no answer comes; while `busy`, answers are not read and not missed."""
        while True:
            await self._clock.sleep(BEAT_SECONDS)
            self._answered.clear()
            self._asked_at = self._clock.now_ms()
            self._ask()
            while not await self._in_time():
                if not busy():
                    return

    async def _in_time(self) -> bool:
        waiting = {
            asyncio.ensure_future(self._answered.wait()),
            asyncio.ensure_future(self._clock.sleep(SILENT_SECONDS)),
        }
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in waiting:
                task.cancel()
            await asyncio.wait(waiting)
        return self._answered.is_set()


_CHANNEL: Final = b"usage"
_SECONDS: Final = 10.0
_CHUNK: Final = 256 * 1024
_MOST_WAITING: Final = 50_000
"""Records held for a consumer that is slow; beyond that the gateway holds them, up to its own limit."""
_MESSAGE: Final = 3
_END_SECONDS: Final = 2.0
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_ELSEWHERE: Final = (
    "The address of the gateway does not reach its usage subscription. "
    "Give the address of the gateway itself instead of a proxy's, or leave it: records are popped instead."
)


class ManagementSubscriptions:
    """Opens subscriptions at the address of a gateway."""

    def __init__(self, client: GuardedClient, key: Secret, clock: Clock, tls: ssl.SSLContext | None = None) -> None:
        self._client = client
        self._key = key
        self._clock = clock
        self._tls = tls

    async def open(self) -> "Subscription":
        if not (await self._client.release()).has(Feature.USAGE_SUBSCRIPTION):
            raise errors.Unsupported(Capability.USAGE_SUBSCRIPTION)
        stopped = self._client.refused()
        if stopped is not None:
            raise stopped
        require_permission()
        reader, writer = await self._connected()
        subscription = Subscription(reader, writer, self._clock)
        try:
            async with asyncio.timeout(_SECONDS):
                await self._admitted(subscription)
        except (OSError, TimeoutError, RespInvalid) as error:
            await subscription.close()
            raise _translated(error) from None
        except BaseException:
            await subscription.close()
            raise
        subscription.start()
        return subscription

    async def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        parts = urlsplit(self._client.address)
        if parts.path:
            raise errors.Unsupported(Capability.USAGE_SUBSCRIPTION, _ELSEWHERE)
        tls = (self._tls or ssl.create_default_context()) if parts.scheme == "https" else None
        port = parts.port or _DEFAULT_PORTS[parts.scheme]
        try:
            async with asyncio.timeout(_SECONDS):
                reader, writer = await asyncio.open_connection(parts.hostname, port, ssl=tls, limit=_CHUNK)
        except (OSError, TimeoutError) as error:
            raise _translated(error) from None
        connection = writer.get_extra_info("socket")
        # A peer that is gone without a word is noticed within half a minute.
        for level, option, value in (
            (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),
            (socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, 15),
            (socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, 5),
            (socket.IPPROTO_TCP, socket.TCP_KEEPCNT, 3),
        ):
            connection.setsockopt(level, option, value)
        return reader, writer

    async def _admitted(self, subscription: "Subscription") -> None:
        answer = await subscription.ask(command(b"AUTH", self._key.reveal().encode()))
        if isinstance(answer, RespError):
            refusal = errors.Unauthorised("The gateway refuses the management key for its usage subscription.")
            self._client.stop(refusal, answer.text)
            raise refusal
        answer = await subscription.ask(command(b"SUBSCRIBE", _CHANNEL))
        if not isinstance(answer, list) or not answer or answer[0] != b"subscribe":
            raise errors.Unsupported(Capability.USAGE_SUBSCRIPTION)


class Subscription:
    """An open subscription; see `UsageSubscription`."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, clock: Clock) -> None:
        self._reader = reader
        self._writer = writer
        self._heartbeat = Heartbeat(clock, lambda: writer.write(command(b"PING")))
        self._parser = RespParser()
        self._early: deque[RespValue] = deque()
        self._waiting: deque[tuple[int, Any]] = deque()
        self._changed = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()
        self._ended = self._confirmed = False
        self._task: asyncio.Task[None] | None = None
        self._beating: asyncio.Task[None] | None = None

    async def ask(self, request: bytes) -> RespValue:
        """Send a command and return its answer; before `start` alone."""
        self._writer.write(request)
        await self._writer.drain()
        while not self._early:
            chunk = await self._reader.read(_CHUNK)
            if not chunk:
                raise ConnectionResetError
            self._early.extend(self._parser.feed(chunk))
        return self._early.popleft()

    def start(self) -> None:
        """Begin to read records, and to ask for signs of life."""
        self._take(list(self._early))
        self._task = asyncio.create_task(self._read())
        self._beating = asyncio.create_task(self._beat())

    async def receive(self, limit: int, seconds: float) -> UsageBatch | None:
        if not self._waiting and not self._ended:
            self._changed.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._changed.wait()
        if not self._waiting:
            return None if self._ended else UsageBatch((), self._heartbeat.known_until, gap=False)
        records = [self._waiting.popleft() for _ in range(min(limit, len(self._waiting)))]
        if len(self._waiting) < _MOST_WAITING:
            self._room.set()
        known_until = records[-1][0] if self._waiting else self._heartbeat.known_until
        return UsageBatch(usage_records(raw for _, raw in records), known_until, gap=False)

    async def close(self) -> bool:
        """See the port. The gateway is asked to end, so that everything it has sent until then arrives."""
        if self._beating is not None:
            self._beating.cancel()
            await asyncio.wait([self._beating])
            self._beating = None
        confirmed = False
        if self._task is not None:
            if not self._ended:
                self._room.set()
                self._writer.write(command(b"UNSUBSCRIBE"))
                confirmed = bool((await asyncio.wait([self._task], timeout=_END_SECONDS))[0]) and self._confirmed
            self._task.cancel()
            await asyncio.wait([self._task])
            self._task = None
        self._ended = True
        self._writer.close()
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(_SECONDS):
                await self._writer.wait_closed()
        return confirmed

    async def _read(self) -> None:
        try:
            while chunk := await self._reader.read(_CHUNK):
                self._take(self._parser.feed(chunk))
                if len(self._waiting) >= _MOST_WAITING:
                    self._room.clear()
                    await self._room.wait()
        except (OSError, RespInvalid):
            pass  # the end, as far as a reader is concerned
        finally:
            self._ended = True
            self._changed.set()

    async def _beat(self) -> None:
        await self._heartbeat.beat(lambda: not self._room.is_set())
        if self._writer.transport is not None:
            self._writer.transport.abort()

    def _take(self, values: list[RespValue]) -> None:
        for value in values:
            if isinstance(value, list) and len(value) == _MESSAGE and value[:2] == [b"message", _CHANNEL]:
                content = _decoded(value[2])
                if not _is_notice(content):
                    self._waiting.append((self._heartbeat.known_until, content))
            elif isinstance(value, list) and value[:1] == [b"pong"]:
                self._heartbeat.answered()
            elif isinstance(value, list) and value[:1] == [b"unsubscribe"]:
                self._confirmed = True
        if self._waiting:
            self._changed.set()


def _decoded(payload: RespValue) -> Any:
    text = payload if isinstance(payload, bytes) else b""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text.decode("utf-8", "replace")


def _is_notice(content: Any) -> bool:
    """Return whether a message is no record: the greeting, or the word of a reload."""
    return isinstance(content, dict) and content.keys() <= {"support_refresh", "refresh"} and bool(content)


def _translated(error: Exception) -> errors.GatewayError:
    if isinstance(error, RespInvalid):
        return errors.Unsupported(Capability.USAGE_SUBSCRIPTION, _ELSEWHERE)
    if isinstance(error, TimeoutError):
        return errors.TimedOut("The gateway did not answer the usage subscription in time.")
    return errors.Unavailable("The gateway cannot be reached for the usage subscription: is it running?")
