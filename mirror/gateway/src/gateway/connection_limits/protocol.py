"""uvicorn's HTTP protocol on httptools, with a limit for heads, their time, and the number of connections.

Theory of operation. httptools hands over whole headers, and copies an unfinished one again with every piece. So the
size of a head is checked when it is complete, and the bytes since the last complete head or piece of a body are
counted as well, which catches an endless line in a head or a trailer.

The clock for a head runs from the opening of the connection, and from the first byte of each later request. Any byte
stops uvicorn's own keep-alive timer: without this clock one byte keeps a connection for ever. No clock and no limit
ever writes into an answer that is under way.

A connection with a request in progress gives way to none, so it has to move: a second timer ends one whose client
neither sends the body that is waited for nor reads the answer that is ready. Time in which the application is slow, or
keeps the client waiting, does not count.
"""

import asyncio
from asyncio.events import TimerHandle
from collections import Counter
from http import HTTPStatus
from typing import Any, ClassVar

from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from gateway.connection_limits.limits import Limits
from gateway.internal.admission.address import canonical, counted_as

_LINGER_SECONDS = 0.5
_PER_HEADER = len(": \r\n")


class _HeadTooLarge(Exception):  # noqa: N818 - it names the event
    """Ends the parsing of a head."""


class ConnectionRegister:
    """Open connections, in all and by address.

    A connection is idle while no request of it is in progress: it is new, kept, or half-way through a head. At a limit
    the longest idle connection within that limit gives way to the new one.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._address_of: dict[LimitedProtocol, str] = {}
        self._per_address: Counter[str] = Counter()
        self._idle: dict[LimitedProtocol, None] = {}  # in the order they became idle

    def __len__(self) -> int:
        """Return the number of open connections."""
        return len(self._address_of)

    def add(self, connection: "LimitedProtocol", host: str) -> bool:
        """Take a new, idle connection; False when no connection can give way to it."""
        address = counted_as(canonical(host) or host)  # a socket for both families spells IPv4 as ::ffff:192.0.2.1
        if not self._make_way(address):
            return False
        self._address_of[connection] = address
        self._per_address[address] += 1
        self._idle[connection] = None
        return True

    def set_idle(self, connection: "LimitedProtocol") -> None:
        """Count a connection as idle from now on."""
        if connection in self._address_of:
            self._idle[connection] = None

    def set_busy(self, connection: "LimitedProtocol") -> None:
        """Count a connection as one with a request in progress."""
        self._idle.pop(connection, None)

    def remove(self, connection: "LimitedProtocol") -> None:
        """Forget a connection."""
        self._idle.pop(connection, None)
        address = self._address_of.pop(connection, None)
        if address is not None:
            self._per_address[address] -= 1
            if not self._per_address[address]:
                del self._per_address[address]

    def _make_way(self, address: str) -> bool:
        crowded = self._per_address[address] >= self._limits.share_of(address)
        if not crowded and len(self) < self._limits.connections:
            return True
        leaving = next((idle for idle in self._idle if not crowded or self._address_of[idle] == address), None)
        if leaving is None:
            return False
        self.remove(leaving)
        leaving.give_way()
        return True


class LimitedProtocol(HttpToolsProtocol):
    """One connection within the limits of its server. Made by ``limited_protocol``."""

    limits: ClassVar[Limits]
    register: ClassVar[ConnectionRegister]

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
        self._head_too_large = False
        self._in_message = False  # a request has begun and is not complete
        self._in_head = True  # the next bytes belong to a head
        self._pending_bytes = 0
        self._stall_timer: TimerHandle | None = None
        self._moves = 0  # pieces that came, and times the client had read what it was sent
        self._last_moves, self._last_unread = 0, 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn does
        """Register the connection, and start the clock for its first head."""
        super().connection_made(transport)
        if self.register.add(self, self.client[0] if self.client else ""):
            self._start_clock()
        else:
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE)

    def connection_lost(self, exc: Exception | None) -> None:
        """Free the place of the connection."""
        self.register.remove(self)
        self._stop_clock()
        if self._stall_timer is not None:
            self._stall_timer.cancel()
        super().connection_lost(exc)
        self._unset_keepalive_if_required()

    def data_received(self, data: bytes) -> None:
        """Parse the bytes, unless the connection is being closed."""
        if self._refused or self.transport.is_closing():
            return
        self._pending_bytes += len(data)
        self._moves += 1
        super().data_received(data)
        if self._refused:
            return
        if self._pending_bytes > self.limits.head_bytes:
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        elif (self._in_message or self._pending_bytes) and not self._clock and not self._answering():
            self._start_clock()

    def resume_writing(self) -> None:
        """Note that the client has read."""
        self._moves += 1
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        """Answer bytes that could not be parsed, or a head beyond the limit."""
        self._refuse(
            HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE if self._head_too_large else HTTPStatus.BAD_REQUEST, msg
        )

    def on_message_begin(self) -> None:
        """Begin a request."""
        super().on_message_begin()
        self._in_message = self._in_head = True

    def on_headers_complete(self) -> None:
        """Start the request, unless its head is too large."""
        size = len(self.url) + sum(len(name) + len(value) + _PER_HEADER for name, value in self.headers)
        if size > self.limits.head_bytes:
            self._head_too_large = True
            raise _HeadTooLarge
        self._in_head = False
        self._pending_bytes = 0
        self._stop_clock()
        self.register.set_busy(self)
        if self._stall_timer is None:
            self._watch_for_stall()
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Take a piece of a body."""
        self._pending_bytes = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """End a request; the time a kept connection may be idle starts after its body, where the answer came first."""
        self._pending_bytes = 0
        self._in_message, self._in_head = False, True
        self._stop_clock()
        super().on_message_complete()
        if not self._answering() and not self.transport.is_closing():
            self._unset_keepalive_if_required()
            self.timeout_keep_alive_task = self.loop.call_later(
                self.timeout_keep_alive, self.timeout_keep_alive_handler
            )

    def on_response_complete(self) -> None:
        """Count the connection as idle when no request waits."""
        super().on_response_complete()
        if not self._answering():
            self.register.set_idle(self)
            if self._stall_timer is not None and not (self._in_message or self.transport.get_write_buffer_size()):
                self._stall_timer.cancel()
                self._stall_timer = None

    def give_way(self) -> None:
        """Close the connection, whose client waits for no answer."""
        self._refused = True
        self.transport.close()

    def _answering(self) -> bool:
        """Return whether an answer is under way, into which no other may be written."""
        latest: Any = self.cycle  # None before the first request; earlier ones are answered before the latest
        return latest is not None and not latest.response_complete

    def _watch_for_stall(self) -> None:
        self._last_moves, self._last_unread = self._moves, self.transport.get_write_buffer_size()
        self._stall_timer = self.loop.call_later(self.limits.stall_seconds, self._check_for_stall)

    def _check_for_stall(self) -> None:
        self._stall_timer = None
        unread = self.transport.get_write_buffer_size()
        if not (self._in_message or self._answering() or unread):
            return
        flow = self.flow
        unsent = self._in_message and not flow.read_paused and not self.cycle.waiting_for_100_continue
        unread_answer = unread >= self._last_unread > 0 and (flow.write_paused or not self._answering())
        if self._moves == self._last_moves and (unsent or unread_answer):
            self.transport.abort()  # a close would wait until the client has read
        else:
            self._watch_for_stall()

    def _start_clock(self) -> None:
        self._clock = self.loop.call_later(self.limits.head_seconds, self._time_out)

    def _stop_clock(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None

    def _time_out(self) -> None:
        self._clock = None
        if self._pending_bytes and self._in_head:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT)
        else:
            self.give_way()

    def _refuse(self, status: HTTPStatus, text: str = "") -> None:
        """Answer and close. Bytes still coming are dropped for a moment, or a reset could overtake the answer."""
        self._refused = True
        self._stop_clock()
        self._unset_keepalive_if_required()
        self.register.remove(self)
        if self._answering() or not self._in_head or self.transport.is_closing():
            self.transport.close()
            return
        body = text or f"{status.value} {status.phrase}"
        self.transport.write(
            f"HTTP/1.1 {status.value} {status.phrase}\r\nContent-Type: text/plain; charset=utf-8\r\n"
            f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n{body}".encode("ascii")
        )
        if self.transport.can_write_eof():
            self.transport.write_eof()
            self.loop.call_later(_LINGER_SECONDS, self.transport.close)
        else:
            self.transport.close()


def limited_protocol(limits: Limits) -> type[LimitedProtocol]:
    """Return the protocol for ``uvicorn.Config(http=...)`` of one server; its connections share the limits."""
    return type("LimitedHttpProtocol", (LimitedProtocol,), {"limits": limits, "register": ConnectionRegister(limits)})
