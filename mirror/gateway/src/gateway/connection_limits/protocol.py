"""uvicorn's HTTP protocol on httptools, with the limits it lacks.

Theory of operation. httptools hands over whole headers, and gathers an unfinished one in memory by copying it again
with every piece. So two things are counted: exactly, the request line and each header as it is handed over; roughly,
the bytes fed to the parser since it last completed a head or a piece of a body. The second count catches an endless
line, in a head or in a trailer.

The clock for a head runs from the opening of the connection, and from the first byte of each later request. Any byte
stops uvicorn's own keep-alive timer, so without this clock one byte keeps a connection for ever. A body has a clock as
well, which allows more time the more has come. No clock and no limit ever writes into an answer that is under way.
"""

import asyncio
from asyncio.events import TimerHandle
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, ClassVar

from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from gateway.connection_limits.limits import Limits
from gateway.connection_limits.table import ConnectionTable

_LINGER_SECONDS = 0.5
_PER_HEADER = len(": \r\n")


class _LimitExceeded(Exception):  # noqa: N818 - it names what happened
    """Ends the parsing; the protocol has noted the answer."""


class LimitedProtocol(HttpToolsProtocol):
    """One connection within the limits of its server. Made by ``limited_protocol``."""

    limits: ClassVar[Limits]
    table: ClassVar[ConnectionTable]

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._clock: TimerHandle | None = None
        self._refused = False
        self._answer = HTTPStatus.BAD_REQUEST
        self._in_message = False  # a request has begun and is not complete
        self._in_head = True  # the next thing to come is a head, or the rest of one
        self._stuck_bytes = 0
        self._head_bytes = 0
        self._header_count = 0
        self._unread_bytes = 0
        self._body_bytes = 0
        self._body_began = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn does
        """Take the connection if there is room, and start the clock for its first head."""
        super().connection_made(transport)
        if self.table.opened(self, self.client[0] if self.client else ""):
            self._start_clock(self.limits.head_seconds, self._too_slow)
        else:
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE)

    def connection_lost(self, exc: Exception | None) -> None:
        """Free the place of the connection."""
        self.table.closed(self)
        self._stop_clock()
        super().connection_lost(exc)
        self._unset_keepalive_if_required()

    def data_received(self, data: bytes) -> None:
        """Parse what came, unless the connection is being closed."""
        if self._refused or self.transport.is_closing():
            self._drop(len(data))
            return
        self._stuck_bytes += len(data)
        super().data_received(data)
        if self._refused:
            return
        if self._stuck_bytes > self.limits.head_bytes:
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        elif self._in_head and (self._in_message or self._stuck_bytes) and not self._clock and not self._answering():
            self._start_clock(self.limits.head_seconds, self._too_slow)

    def send_400_response(self, msg: str) -> None:
        """Answer what could not be parsed, or exceeded a limit while it was parsed."""
        if self._answer is HTTPStatus.BAD_REQUEST and self._may_answer():
            self.table.closed(self)
            super().send_400_response(msg)
        else:
            self._refuse(self._answer)

    def on_message_begin(self) -> None:
        """Begin a request."""
        super().on_message_begin()
        self._in_message = self._in_head = True
        self._head_bytes = self._header_count = 0

    def on_url(self, url: bytes) -> None:
        """Count the request line."""
        super().on_url(url)
        self._count(len(url))

    def on_header(self, name: bytes, value: bytes) -> None:
        """Count a header, or a trailer."""
        self._header_count += 1
        self._count(len(name) + len(value) + _PER_HEADER)
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Start the request."""
        self._in_head = False
        self._stuck_bytes = self._unread_bytes = self._body_bytes = 0
        self._body_began = self.loop.time()
        self._start_clock(self.limits.body_seconds, self._judge_body)
        self.table.works(self)
        super().on_headers_complete()
        if len(self.pipeline) > self.limits.pipelined:
            raise _LimitExceeded

    def on_body(self, body: bytes) -> None:
        """Take a piece of a body; after the answer only so much of it."""
        self._stuck_bytes = 0
        self._body_bytes += len(body)
        super().on_body(body)
        if self._answered():
            self._unread_bytes += len(body)
            if self._unread_bytes > self.limits.unread_bytes:
                raise _LimitExceeded

    def on_message_complete(self) -> None:
        """End a request; a kept connection whose answer is complete rests now."""
        self._stuck_bytes = 0
        self._in_message, self._in_head = False, True
        self._stop_clock()
        super().on_message_complete()
        if self._answered() and not self.transport.is_closing():
            self._unset_keepalive_if_required()
            self.timeout_keep_alive_task = self.loop.call_later(
                self.timeout_keep_alive, self.timeout_keep_alive_handler
            )

    def on_response_complete(self) -> None:
        """Count the connection as idle when no request waits; what is left of a request has as long as a head."""
        super().on_response_complete()
        if self.transport.is_closing() or not self._answered():
            return
        self.table.rests(self)
        if self._in_message:
            self._start_clock(self.limits.head_seconds, self._too_slow)

    def give_way(self) -> None:
        """Close the connection for another one."""
        self._refused = True
        self.transport.close()

    def _count(self, size: int) -> None:
        self._head_bytes += size
        if self._head_bytes > self.limits.head_bytes or self._header_count > self.limits.headers:
            self._answer = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
            raise _LimitExceeded

    def _latest(self) -> RequestResponseCycle | None:
        """Return the request that was parsed last; earlier ones are answered before it."""
        return self.cycle

    def _answered(self) -> bool:
        """Return whether every request with a complete head has its complete answer; False before the first."""
        latest = self._latest()
        return latest is not None and latest.response_complete

    def _answering(self) -> bool:
        """Return whether an answer is under way, into which no other may be written."""
        latest = self._latest()
        return latest is not None and not latest.response_complete

    def _may_answer(self) -> bool:
        """Return whether what is being parsed has no answer yet, and none is under way."""
        in_answered_body = self._in_message and not self._in_head
        return not self._answering() and not in_answered_body

    def _start_clock(self, seconds: float, then: Callable[[], None]) -> None:
        self._stop_clock()
        self._clock = self.loop.call_later(seconds, then)

    def _stop_clock(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None

    def _too_slow(self) -> None:
        self._clock = None
        if self._stuck_bytes and self._in_head:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT)
        else:
            self.give_way()

    def _judge_body(self) -> None:
        """Close the connection when its body comes too slowly; one the application does not take is not slow."""
        self._clock = None
        taken = self.loop.time() - self._body_began
        left = self.limits.body_seconds + self._body_bytes / self.limits.body_rate - taken
        if self.flow.read_paused:
            self._start_clock(self.limits.body_seconds, self._judge_body)
        elif left > 0:
            self._start_clock(left, self._judge_body)
        else:
            self.give_way()

    def _drop(self, size: int) -> None:
        """Drop what comes after a refusal, and do without the rest of the moment when that is much."""
        self._unread_bytes += size
        if self._unread_bytes > self.limits.unread_bytes:
            self.transport.close()

    def _refuse(self, status: HTTPStatus) -> None:
        """Answer and close. What still comes is dropped for a moment, or a reset could overtake the answer."""
        self._refused = True
        self._stop_clock()
        self._unset_keepalive_if_required()
        self.table.closed(self)
        if not self._may_answer() or self.transport.is_closing():
            self.transport.close()
            return
        text = f"{status.value} {status.phrase}"
        self.transport.write(
            f"HTTP/1.1 {text}\r\nContent-Type: text/plain; charset=utf-8\r\n"
            f"Content-Length: {len(text)}\r\nConnection: close\r\n\r\n{text}".encode("ascii")
        )
        if self.transport.can_write_eof():
            self.transport.write_eof()
            self.loop.call_later(_LINGER_SECONDS, self.transport.close)
        else:
            self.transport.close()


def limited_protocol(limits: Limits) -> type[LimitedProtocol]:
    """Return the protocol for ``uvicorn.Config(http=...)`` of one server; its connections share the limits."""
    shared = ConnectionTable(limits.connections, limits.idle)
    return type("LimitedHttpProtocol", (LimitedProtocol,), {"limits": limits, "table": shared})
