"""uvicorn's HTTP protocol with limits on heads, bodies, time and connections.

Theory of operation. The parser hands over whole headers and copies an unfinished one again with every piece, so two
things are counted: the size of what it handed over, and the bytes it was fed since it last finished something. The
second count bounds an endless line, whether in a head, a chunk extension or a trailer.

A connection is always in one phase, and a phase has one deadline. The phase is derived after everything that could
change it, so no timer has to be stopped in each place that ends one. Nothing is ever written into an answer that is
under way: the connection is closed instead.
"""

import asyncio
from asyncio.events import TimerHandle
from http import HTTPStatus
from typing import Any, ClassVar, Final

from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from extension.serving.connections.limits import ConnectionLimits
from extension.serving.connections.phase import IDLE, Phase, seconds_of
from extension.serving.connections.register import ConnectionRegister

_LINGER_SECONDS: Final = 0.5
_AROUND_A_HEADER: Final = 4


class _BeyondLimit(Exception):  # noqa: N818 - ends the parsing, and is no error of ours
    pass


class BoundedProtocol(HttpToolsProtocol):
    """One connection within the limits of its server; made by `bounded_protocol`."""

    limits: ClassVar[ConnectionLimits]
    register: ClassVar[ConnectionRegister]

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._phase: Phase | None = None
        self._deadline: TimerHandle | None = None
        self._stall: TimerHandle | None = None
        self._refused = False
        self._reason = HTTPStatus.BAD_REQUEST
        self._in_head = self._in_body = False
        self._unparsed = self._head_size = self._headers_seen = 0
        self._body_size = self._leftover = 0
        self._body_began = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn does
        """Take the connection if there is room."""
        super().connection_made(transport)
        if self.register.admit(self, self.client[0] if self.client else ""):
            self._follow()
        else:
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE)

    def connection_lost(self, exc: Exception | None) -> None:
        """Free the place of the connection."""
        self._refused = True
        self._release()
        super().connection_lost(exc)
        self._unset_keepalive_if_required()

    def data_received(self, data: bytes) -> None:
        """Parse the bytes of a client, unless the connection is being closed."""
        if self._refused or self.transport.is_closing():
            self._discard(len(data))
            return
        self._unparsed += len(data)
        super().data_received(data)
        if self._unparsed > self.limits.head_bytes:
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        self._follow()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - uvicorn's text is the same for every reason
        """Answer a request that cannot be parsed, or exceeded a limit while it was parsed."""
        self._refuse(self._reason)

    def on_message_begin(self) -> None:
        """Begin a head."""
        super().on_message_begin()
        self._in_head = True
        self._head_size = self._headers_seen = 0

    def on_url(self, url: bytes) -> None:
        """Count a request line."""
        super().on_url(url)
        self._count(len(url))

    def on_header(self, name: bytes, value: bytes) -> None:
        """Count a header, or a trailer."""
        self._headers_seen += 1
        self._count(len(name) + len(value) + _AROUND_A_HEADER)
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Start a request."""
        self._in_head, self._in_body = False, True
        self._unparsed = self._body_size = self._leftover = 0
        self._body_began = self.loop.time()
        super().on_headers_complete()
        if len(self.pipeline) > self.limits.pipelined:
            raise _BeyondLimit

    def on_body(self, body: bytes) -> None:
        """Take a piece of a body."""
        self._unparsed = 0
        self._body_size += len(body)
        super().on_body(body)
        if not self._answering():
            self._leftover += len(body)
            if self._leftover > self.limits.unread_bytes:
                raise _BeyondLimit

    def on_message_complete(self) -> None:
        """End a request."""
        self._unparsed = 0
        self._in_body = False
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Continue with the next request, or wait for one."""
        super().on_response_complete()
        self._follow()

    def pause_writing(self) -> None:
        """Give the client a limited time to read on."""
        super().pause_writing()
        if self._stall is None:
            self._stall = self.loop.call_later(self.limits.stalled_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """Note that the client reads on."""
        super().resume_writing()
        if self._stall is not None:
            self._stall.cancel()
            self._stall = None

    def give_way(self) -> None:
        """Close the connection; bytes that its client does not take are dropped."""
        self._refused = True
        self._release()
        self._close_soon()

    def _answering(self) -> bool:
        """Say whether an answer is due or under way; the latest request is answered last."""
        latest: RequestResponseCycle | None = self.cycle
        return latest is not None and not latest.response_complete

    def _current(self) -> Phase:
        if self._in_body:
            return Phase.BODY if self._answering() else Phase.LEFTOVER
        if self._answering():
            return Phase.ANSWER
        begun = self._in_head or self._unparsed or self.cycle is None
        return Phase.HEAD if begun else Phase.KEPT

    def _follow(self) -> None:
        """Enter the current phase, with its deadline, unless the connection is in it already."""
        phase = self._current()
        if self._refused or phase is self._phase:
            return
        self._phase = phase
        if phase in IDLE:
            self.register.mark_idle(self)
        else:
            self.register.mark_busy(self)
        if not self._refused:  # the register may have chosen this very connection to give way
            self._allow(seconds_of(phase, self.limits, float(self.timeout_keep_alive)))

    def _allow(self, seconds: float | None) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = None if seconds is None else self.loop.call_later(seconds, self._overdue)

    def _overdue(self) -> None:
        self._deadline = None
        if self._phase is Phase.BODY and (left := self._left_for_body()) > 0:
            self._allow(left)
        elif self._phase is Phase.HEAD and self._unparsed:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT)
        else:
            self.give_way()

    def _left_for_body(self) -> float:
        """Return the seconds left; the time in which the application does not read is not the client's."""
        if self.flow.read_paused:
            self._body_began += self.limits.body_seconds
            return self.limits.body_seconds
        until = self._body_began + self.limits.body_seconds + self._body_size / self.limits.body_rate
        return until - self.loop.time()

    def _count(self, size: int) -> None:
        self._head_size += size
        if self._head_size > self.limits.head_bytes or self._headers_seen > self.limits.headers:
            self._reason = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
            raise _BeyondLimit

    def _refuse(self, status: HTTPStatus) -> None:
        """Answer and close; bytes that still arrive are dropped, because a reset could overtake the answer."""
        if self._refused:
            return
        self._refused = True
        self._release()
        self._unset_keepalive_if_required()
        if self.transport.is_closing() or self._answering() or self._in_body:
            self._close_soon()
            return
        text = f"{status.value} {status.phrase}"
        self.transport.write(
            f"HTTP/1.1 {text}\r\nContent-Type: text/plain\r\nContent-Length: {len(text)}\r\n"
            f"Connection: close\r\n\r\n{text}".encode("ascii")
        )
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.loop.call_later(_LINGER_SECONDS, self._close_soon)

    def _discard(self, size: int) -> None:
        self._leftover += size
        if self._leftover > self.limits.unread_bytes:
            self.transport.abort()

    def _release(self) -> None:
        self.register.remove(self)
        for timer in (self._deadline, self._stall):
            if timer is not None:
                timer.cancel()
        self._deadline = self._stall = None

    def _close_soon(self) -> None:
        self.transport.close()
        self.loop.call_later(_LINGER_SECONDS, self.transport.abort)


def bounded_protocol(limits: ConnectionLimits) -> type[BoundedProtocol]:
    """Return the protocol of one server, for `uvicorn.Config(http=...)`; its connections share the limits."""
    register = ConnectionRegister(limits.connections, limits.idle)
    return type("BoundedHttpProtocol", (BoundedProtocol,), {"limits": limits, "register": register})
