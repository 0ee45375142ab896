"""Connections to the protocol without a network; time moves when a test says so."""

import asyncio
from collections.abc import Callable
from contextvars import Context
from dataclasses import dataclass
from typing import Any

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.server import ServerState

from extension.serving.connections.limits import ConnectionLimits
from extension.serving.connections.protocol import BoundedProtocol, bounded_protocol


@dataclass(eq=False)
class Timer:
    due: float
    call: Callable[..., object]
    done: bool = False

    def cancel(self) -> None:
        self.done = True


class StillLoop:
    """The running loop's tasks, with a clock of its own."""

    def __init__(self) -> None:
        self.now = 0.0
        self.timers: list[Timer] = []

    def time(self) -> float:
        return self.now

    def call_later(self, delay: float, call: Callable[..., object]) -> Timer:
        self.timers.append(Timer(self.now + delay, call))
        return self.timers[-1]

    def create_task(self, work: Any, *, context: Context | None = None) -> "asyncio.Task[Any]":
        return asyncio.get_running_loop().create_task(work, context=context)

    def advance(self, seconds: float) -> None:
        until = self.now + seconds
        while due := [timer for timer in self.timers if not timer.done and timer.due <= until]:
            timer = min(due, key=lambda each: each.due)
            self.now = timer.due
            timer.cancel()
            timer.call()
        self.now = until


class Wire(asyncio.Transport):
    """Bytes a server writes to a client, and the end of the connection."""

    def __init__(self, host: str) -> None:
        super().__init__({"peername": (host, 1), "sockname": ("127.0.0.1", 80)})
        self.written = b""
        self.closed = self.half_closed = self.aborted = False

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

    def is_closing(self) -> bool:
        return self.closed

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass


@dataclass
class Line:
    protocol: BoundedProtocol
    wire: Wire

    @property
    def statuses(self) -> list[int]:
        return [int(part[:3]) for part in self.wire.written.split(b"HTTP/1.1 ")[1:]]

    @property
    def ended(self) -> bool:
        return self.wire.closed or self.wire.half_closed

    async def send(self, data: bytes) -> None:
        self.protocol.data_received(data)
        for _ in range(10):
            await asyncio.sleep(0)


async def greeting(_: Scope, __: Receive, send: Send) -> None:
    """Answer at once, without reading the body."""
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"hi"})


async def reading(_: Scope, receive: Receive, send: Send) -> None:
    """Read the body, then answer."""
    while (await receive()).get("more_body", False):
        pass
    await greeting({}, receive, send)


async def silent(_: Scope, __: Receive, ___: Send) -> None:
    """Begin an answer some time."""
    await asyncio.Event().wait()


class Lines:
    """A server of the protocol and the lines to it."""

    def __init__(self, limits: ConnectionLimits, application: ASGIApp = greeting) -> None:
        self.loop = StillLoop()
        config = uvicorn.Config(application, http=bounded_protocol(limits), ws="none", log_config=None, log_level=60)
        config.load()
        self._config, self._state = config, ServerState()

    def connect(self, host: str = "192.0.2.1") -> Line:
        made: Any = self._config.http_protocol_class
        protocol = made(config=self._config, server_state=self._state, app_state={}, _loop=self.loop)
        line = Line(protocol, Wire(host))
        protocol.connection_made(line.wire)
        return line
