"""Our own HTTP server in front of a remote gateway: its socket, its limits before any key is checked, its end."""

import asyncio
import contextlib
import logging
import resource
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, ClassVar, Final, cast

import h11
import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from extension.api.auth.auth_proxy import TCP_PEER
from extension.api.auth.sessions import listed
from extension.api.problems import Problem
from extension.serving.deadline import Deadline
from extension.serving.errors import NotStarted, SettingInvalid

HEAD_SECONDS: Final = 10.0
"""Longest time in which the head of a request arrives."""
STALL_SECONDS: Final = 15.0
"""Time after which a client that does not move is looked at again."""
_HEAD_BYTES: Final = 64 * 1024
_KEEP_ALIVE_SECONDS: Final = 75
_LAST_REQUESTS_SECONDS: Final = 10
_PORTS: Final = range(65_536)
_ENDING: Final = (signal.SIGINT, signal.SIGTERM)
_MOST_DESCRIPTORS: Final = 65_536
_FILES_OF_OUR_OWN: Final = 64
_MOST_CONNECTIONS: Final = 8_192
_LEAST_CONNECTIONS: Final = 8
_MOST_OUTBOUND: Final = 100


def connections_within(descriptors: int) -> int:
    """Return the most connections of clients; the gateway's side needs descriptors as well."""
    return max(_LEAST_CONNECTIONS, min((descriptors - _FILES_OF_OUR_OWN) * 3 // 8, _MOST_CONNECTIONS))


def outbound_within(descriptors: int) -> int:
    """Return the most connections to the gateway of a process with so many descriptors."""
    return max(1, min((descriptors - _FILES_OF_OUR_OWN) // 4, _MOST_OUTBOUND))


def raise_descriptor_limit() -> int:
    """Raise the limit of open files as far as the system permits, and return the limit in force."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _MOST_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, _MOST_DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < most:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return _MOST_DESCRIPTORS if soft == resource.RLIM_INFINITY else soft


class TimedProtocol(H11Protocol):
    """uvicorn's protocol with the limits that it lacks: a time for a head, and an end for a client that stalls.

    uvicorn ends a connection that waits for its next request, but not one that has sent a byte of it, or none ever. A
    client that neither sends the body that is waited for nor reads what it was sent is cut off after one to two times
    `stall_seconds`; time in which the application is slow does not count.
    """

    head_seconds: ClassVar[float] = HEAD_SECONDS
    stall_seconds: ClassVar[float] = STALL_SECONDS

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._deadline: asyncio.TimerHandle | None = None
        self._stall: asyncio.TimerHandle | None = None
        self._moves = self._last_moves = 0  # pieces that came, and times the client had read
        self._last_unread = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn does
        """Take a connection, unless there are too many to answer even with 503."""
        super().connection_made(transport)
        if self.limit_concurrency is not None and len(self.connections) > self.limit_concurrency:
            transport.close()
        self._follow()

    def connection_lost(self, exc: Exception | None) -> None:
        """End the time of the connection."""
        super().connection_lost(exc)
        self._stop()
        if self._stall is not None:
            self._stall.cancel()

    def data_received(self, data: bytes) -> None:
        """Take bytes of a client."""
        self._moves += 1
        super().data_received(data)
        self._follow()
        if self._stall is None and self._is_busy():
            self._watch_for_stall()

    def resume_writing(self) -> None:
        """Note that the client has read."""
        self._moves += 1
        super().resume_writing()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._follow()

    def send_400_response(self, msg: str) -> None:
        """Refuse a request that cannot be parsed; behind one that is being answered, end the connection instead."""
        if self.conn.our_state is h11.IDLE:
            super().send_400_response(msg)
            return
        self.cycle.disconnected = True
        self.cycle.message_event.set()
        self.transport.close()

    def _follow(self) -> None:
        """Begin the time of a head at its first byte, and end it when the head is complete."""
        waits = self.conn.their_state is h11.IDLE or self.conn.our_state is h11.DONE
        if not waits or self.timeout_keep_alive_task is not None or self.transport.is_closing():
            self._stop()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(self.head_seconds, self.transport.close)

    def _is_busy(self) -> bool:
        cycle: RequestResponseCycle | None = self.cycle  # None before the first request
        answering = cycle is not None and not cycle.response_complete
        return answering or self.conn.their_state is h11.SEND_BODY or self.transport.get_write_buffer_size() > 0

    def _watch_for_stall(self) -> None:
        self._last_moves, self._last_unread = self._moves, self.transport.get_write_buffer_size()
        self._stall = self.loop.call_later(self.stall_seconds, self._check_for_stall)

    def _check_for_stall(self) -> None:
        self._stall = None
        if not self._is_busy():
            return
        cycle: RequestResponseCycle | None = self.cycle
        unread = self.transport.get_write_buffer_size()
        unsent = self.conn.their_state is h11.SEND_BODY and not self.flow.read_paused
        unsent = unsent and not (cycle is not None and cycle.waiting_for_100_continue)
        ready = self.flow.write_paused or cycle is None or cycle.response_complete
        if self._moves == self._last_moves and (unsent or (ready and unread >= self._last_unread > 0)):
            self.transport.abort()  # a close would wait until the client has read
        else:
            self._watch_for_stall()

    def _stop(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def listen(address: str) -> socket.socket:
    """Listen at `host:port`; port 0 takes a free one.

    Raises:
        SettingInvalid: it is no such address.
        NotStarted: it cannot be listened at.
    """
    host, _, port = address.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not host or not port.isdecimal() or int(port) not in _PORTS:
        raise SettingInvalid(f"The address of --listen cannot be used: {address!r} does not look like 127.0.0.1:8318.")
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, int(port)), family=family, backlog=1024)
    except OSError as error:
        reason = error.strerror or "it is not known"
        raise NotStarted(f"Cannot listen at {address} ({reason}). Choose another with --listen.") from None


def authority_of(listener: socket.socket) -> str:
    """Answer `host:port` under which this machine reaches a listening socket."""
    host, port = listener.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - compared, never bound
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


class Server(uvicorn.Server):
    """Our own HTTP server, which believes forwarded headers of `trusted_proxies` alone.

    `ready` is called once, when it listens or has failed to start; `reason` says why it has.
    """

    def __init__(
        self,
        application: ASGIApp,
        ready: Callable[[], None] = lambda: None,
        *,
        trusted_proxies: str = "",
        head_seconds: float = HEAD_SECONDS,
        stall_seconds: float = STALL_SECONDS,
    ) -> None:
        self.reason = ""
        times = {"head_seconds": head_seconds, "stall_seconds": stall_seconds}
        super().__init__(
            uvicorn.Config(
                behind_proxies(self._supervised(application), trusted_proxies),
                loop="uvloop",
                http=type("ServerProtocol", (TimedProtocol,), times),
                h11_max_incomplete_event_size=_HEAD_BYTES,
                limit_concurrency=connections_within(raise_descriptor_limit()),
                ws="none",
                lifespan="on",
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,
                date_header=False,
                timeout_keep_alive=_KEEP_ALIVE_SECONDS,
                timeout_graceful_shutdown=_LAST_REQUESTS_SECONDS,
            )
        )
        self._ready = ready
        self._deadline = Deadline()
        # the caller of `start` reports the reason in one line
        logging.getLogger("uvicorn.error").addFilter(_says_more_than_that_it_failed)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start; the result says how that went."""
        try:
            await super().startup(sockets)
        finally:
            self._ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to end, within a limited time."""
        self._deadline.set()
        super().handle_exit(sig, frame)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Begin to end on the signals that ask for it; the library would raise them again after a regular end."""
        loop = asyncio.get_running_loop()
        alone = threading.current_thread() is threading.main_thread()  # else the command that has it hears the signals
        for number in _ENDING if alone else ():
            loop.add_signal_handler(number, self.handle_exit, number, None)
        try:
            yield
        finally:
            for number in _ENDING if alone else ():
                loop.remove_signal_handler(number)

    def serve_on(self, listener: socket.socket) -> None:
        """Serve until asked to end. Raises NotStarted: the service could not start."""
        with contextlib.closing(listener), _exits_told():
            try:
                self.run(sockets=[listener])
            finally:
                self._deadline.lift()
        if not self.started:
            raise NotStarted(self.reason or "The service could not start. Its log says why.")

    def _supervised(self, application: ASGIApp) -> ASGIApp:
        """Keep the reason of a failed start, which the library would only log.

        A request that is cut off at the end of the service before its answer began is answered 503; the library would
        log a traceback for each.
        """

        async def supervised(scope: Scope, receive: Receive, send: Send) -> None:
            begun = False

            async def sent(message: Message) -> None:
                nonlocal begun
                begun = True
                if message["type"] == "lifespan.startup.failed":
                    self.reason, message = str(message.get("message", "")), {"type": message["type"]}
                await send(message)

            try:
                await application(scope, receive, sent)
            except asyncio.CancelledError:
                if scope["type"] != "http":
                    raise
                if not begun:
                    problem = Problem(503, "The service is ending.", "not_ready", "Try again in a moment.")
                    await problem.answer()(scope, receive, send)

        return supervised


def behind_proxies(inside: ASGIApp, trusted_proxies: str) -> ASGIApp:
    """Have a trusted proxy name the client, and note the TCP peer of each request before the client replaces it."""
    named = ProxyHeadersMiddleware(cast("Any", inside), list(listed(trusted_proxies)))

    async def noted(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["client"]:
            scope.setdefault("extensions", {})[TCP_PEER] = scope["client"][0]
        await named(cast("Any", scope), cast("Any", receive), cast("Any", send))

    return noted


def _says_more_than_that_it_failed(record: logging.LogRecord) -> bool:
    return not record.getMessage().startswith("Application startup failed")


@contextlib.contextmanager
def _exits_told() -> Iterator[None]:
    """Translate the library's exit for a failed start into `NotStarted`."""
    with contextlib.suppress(SystemExit, KeyboardInterrupt):
        yield
