"""Our own HTTP server and its socket."""

import asyncio
import contextlib
import logging
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from types import FrameType

import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from extension.api.auth.secure_cookies import listed
from extension.serving.connections.cut_off import answered_at_the_end
from extension.serving.connections.limits import limits_within, raise_descriptor_limit
from extension.serving.connections.protocol import bounded_protocol
from extension.serving.deadline import Deadline
from extension.serving.errors import NotStarted, SettingInvalid

_KEEP_ALIVE_SECONDS = 75
_LAST_REQUESTS_SECONDS = 10
_PORTS = range(65_536)
_ENDING = (signal.SIGINT, signal.SIGTERM)


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
        self, application: ASGIApp, ready: Callable[[], None] = lambda: None, *, trusted_proxies: str = ""
    ) -> None:
        self.reason = ""
        super().__init__(
            uvicorn.Config(
                self._overhearing(answered_at_the_end(application)),
                loop="uvloop",
                http=bounded_protocol(limits_within(raise_descriptor_limit())),
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
        """Serve until asked to end.

        Raises:
            NotStarted: the service could not start.
        """
        with contextlib.closing(listener), _exits_told():
            try:
                self.run(sockets=[listener])
            finally:
                self._deadline.lift()
        if not self.started:
            raise NotStarted(self.reason or "The service could not start. Its log says why.")

    def _overhearing(self, application: ASGIApp) -> ASGIApp:
        """Keep the reason of a failed start, which the library would only log."""

        async def overheard(scope: Scope, receive: Receive, send: Send) -> None:
            async def hear(message: Message) -> None:
                if message["type"] == "lifespan.startup.failed":
                    self.reason, message = str(message.get("message", "")), {"type": message["type"]}
                await send(message)

            await application(scope, receive, hear if scope["type"] == "lifespan" else send)

        return overheard


def _says_more_than_that_it_failed(record: logging.LogRecord) -> bool:
    return not record.getMessage().startswith("Application startup failed")


@contextlib.contextmanager
def _exits_told() -> Iterator[None]:
    """Translate the library's exit for a failed start into `NotStarted`."""
    with contextlib.suppress(SystemExit, KeyboardInterrupt):
        yield
