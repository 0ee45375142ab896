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
from typing import Any, ClassVar, Final

import h11
import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from extension.api.auth.sessions import listed
from extension.api.problems import Problem
from extension.serving.deadline import Deadline
from extension.serving.errors import NotStarted, SettingInvalid

HEAD_SECONDS: Final = 10.0
"""Longest time in which the head of a request arrives."""
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
    """uvicorn's protocol with the limit that it lacks: a time for a head, and for a body that its answer did not read.

    uvicorn ends a connection that waits for its next request, but not one that has sent a byte of it, or none ever.
    """

    head_seconds: ClassVar[float] = HEAD_SECONDS

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._deadline: asyncio.TimerHandle | None = None

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

    def data_received(self, data: bytes) -> None:
        """Take bytes of a client."""
        super().data_received(data)
        self._follow()

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
    ) -> None:
        self.reason = ""
        super().__init__(
            uvicorn.Config(
                self._supervised(application),
                loop="uvloop",
                http=type("ServerProtocol", (TimedProtocol,), {"head_seconds": head_seconds}),
                h11_max_incomplete_event_size=_HEAD_BYTES,
                limit_concurrency=connections_within(raise_descriptor_limit()),
                ws="none",
                lifespan="on",
                log_config=None,
                access_log=False,
                server_header=False,
                forwarded_allow_ips=list(listed(trusted_proxies)),
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


def _says_more_than_that_it_failed(record: logging.LogRecord) -> bool:
    return not record.getMessage().startswith("Application startup failed")


@contextlib.contextmanager
def _exits_told() -> Iterator[None]:
    """Translate the library's exit for a failed start into `NotStarted`."""
    with contextlib.suppress(SystemExit, KeyboardInterrupt):
        yield
