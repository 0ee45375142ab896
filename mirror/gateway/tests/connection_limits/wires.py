"""A connection to the protocol without a network and without a clock of its own."""

import asyncio
from collections.abc import Callable
from contextvars import Context
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.server import ServerState

from gateway.connection_limits import Limits, limited_protocol
from gateway.connection_limits.protocol import LimitedProtocol


@dataclass(eq=False)
class Timer:
    """A call that is due at some moment of the clock below."""

    due: float
    call: Callable[..., object]
    arguments: tuple[Any, ...]
    cancelled: bool = False

    def cancel(self) -> None:
        self.cancelled = True


@dataclass
class Loop:
    """The running event loop with a clock that only moves when it is told to."""

    now: float = 0.0
    timers: list[Timer] = field(default_factory=list)

    def call_later(self, delay: float, call: Callable[..., object], *arguments: Any) -> Timer:
        self.timers.append(Timer(self.now + delay, call, arguments))
        return self.timers[-1]

    def create_task(self, work: Any, *, context: Context | None = None) -> "asyncio.Task[Any]":
        return asyncio.get_running_loop().create_task(work, context=context)

    def time(self) -> float:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += seconds
        for timer in [timer for timer in self.timers if timer.due <= self.now and not timer.cancelled]:
            timer.cancel()
            timer.call(*timer.arguments)


class Wire(asyncio.Transport):
    """What the server writes, and whether it has closed the connection."""

    def __init__(self, host: str) -> None:
        super().__init__({"peername": (host, 1), "sockname": ("127.0.0.1", 80)})
        self.written = b""
        self.closed = self.half_closed = self.paused = False
        self.aborted = False
        self.unread = 0

    def write(self, data: Any) -> None:
        assert not self.half_closed
        self.written += bytes(data)

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        self.half_closed = True

    def close(self) -> None:
        self.closed = True

    def abort(self) -> None:
        self.closed = self.aborted = True

    def get_write_buffer_size(self) -> int:
        return self.unread

    def is_closing(self) -> bool:
        return self.closed

    def pause_reading(self) -> None:
        self.paused = True

    def resume_reading(self) -> None:
        self.paused = False


@dataclass
class Line:
    """One client's connection."""

    protocol: LimitedProtocol
    wire: Wire

    @property
    def status(self) -> int:
        """The status of the last answer, 0 without any."""
        _, found, rest = self.wire.written.rpartition(b"HTTP/1.1 ")
        return int(rest[:3]) if found else 0

    @property
    def ended(self) -> bool:
        """Whether the server takes nothing more from it."""
        return self.wire.closed or self.wire.half_closed

    async def send(self, data: bytes) -> None:
        """Hand over bytes, and let what they started run as far as it gets."""
        self.protocol.data_received(data)
        for _ in range(10):
            await asyncio.sleep(0)


async def greeting(_: Scope, __: Receive, send: Send) -> None:
    """Answer at once, without reading the body."""
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"hi"})


class Server:
    """A server of the protocol, and its clients."""

    def __init__(self, limits: Limits, application: ASGIApp = greeting) -> None:
        self.loop = Loop()
        self._config = uvicorn.Config(application, http=limited_protocol(limits), ws="none", log_config=None)
        self._config.load()
        self._state = ServerState()

    def connect(self, host: str = "192.0.2.1") -> Line:
        made: Any = self._config.http_protocol_class
        protocol = made(config=self._config, server_state=self._state, app_state={}, _loop=self.loop)
        line = Line(protocol, Wire(host))
        protocol.connection_made(line.wire)
        return line
