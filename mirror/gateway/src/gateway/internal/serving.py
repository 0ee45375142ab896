"""Serving: the runtime, the listening socket, and the HTTP server around the application."""

import asyncio
import contextlib
import errno
import logging
import os
import signal
import socket
import ssl
import sys
import threading
from collections.abc import Iterator
from types import FrameType
from typing import Any

import structlog
import uvicorn
import uvloop
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gateway.connection_limits import limited_protocol, limits_for, raise_descriptors
from gateway.internal.configuration.errors import ConfigurationError
from gateway.internal.configuration.model import Configuration
from gateway.internal.runtime import Runtime
from gateway.internal.sole import InUseError, sole

_BACKLOG = 2048
_LAST_PORT = 65535


class ListenError(Exception):
    """The gateway cannot listen; ``str()`` is one line with the reason and the remedy."""


def listen(host: str, port: int) -> socket.socket:
    """Open a listening socket.

    Args:
        host: A name or address; empty means every interface, IPv6 and IPv4 alike.
        port: 0 lets the operating system choose.

    Raises:
        ListenError: The port is taken, not permitted, or the host is not one of this machine.
    """
    if not 0 <= port <= _LAST_PORT:
        raise ListenError(f"{port} is no port: set a `port` from 0 to {_LAST_PORT} in the configuration")
    try:
        if not host and socket.has_dualstack_ipv6():
            return socket.create_server(("", port), family=socket.AF_INET6, dualstack_ipv6=True, backlog=_BACKLOG)
        return socket.create_server((host, port), family=_family(host, port), backlog=_BACKLOG)
    except OSError as error:
        raise ListenError(_explain(error, host, port)) from None


def address_of(listener: socket.socket, scheme: str) -> str:
    """Return the socket's address for a browser on this machine, e.g. ``http://127.0.0.1:8317``."""
    host, port = listener.getsockname()[:2]
    if host in {"::", "0.0.0.0"}:  # noqa: S104 - compared, not bound
        host = "127.0.0.1"
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"


def _family(host: str, port: int) -> socket.AddressFamily:
    addresses = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    return addresses[0][0]


def _explain(error: OSError, host: str, port: int) -> str:
    place = f"port {port} of {host}" if host else f"port {port}"
    if error.errno == errno.EADDRINUSE:
        return f"{place} is already in use: stop what listens there, or set another `port` in the configuration"
    if error.errno == errno.EACCES:
        return f"{place} may not be opened by this user: set a `port` over 1023 in the configuration"
    return f"cannot listen on {place}: set `host` to an address of this machine, or leave it empty"


_CUT_OFF = 1


class Deadline:
    """Ends the process when it has not ended in time: a thread that waits for a disk cannot be cancelled."""

    def __init__(self) -> None:
        self._timer: threading.Timer | None = None

    def set(self, seconds: float) -> None:
        if self._timer is None:
            self._timer = threading.Timer(seconds, _cut_off, (seconds,))
            self._timer.daemon = True
            self._timer.start()

    def lift(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class Ending:
    """ASGI wrapper for requests cancelled at the end, for which uvicorn would log a traceback each."""

    def __init__(self, application: ASGIApp) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 503 where a request is cancelled before its answer has begun."""
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        begun = False

        async def sent(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._application(scope, receive, sent)
        except asyncio.CancelledError:
            if not begun:
                answer = JSONResponse({"error": "the gateway is ending; try again"}, 503, {"Connection": "close"})
                await answer(scope, receive, send)


def _cut_off(seconds: float) -> None:
    _log.error(f"the gateway did not end within {seconds:g} s of being told to, and is cut off")
    sys.stderr.flush()
    os._exit(_CUT_OFF)


_CANNOT_START = 1
_IN_USE = 2
_KEEP_ALIVE_SECONDS = 75
_LAST_REQUESTS_SECONDS = 10
_END_SECONDS = 15.0
_TLS_HANDSHAKE_SECONDS = 10.0
_log = structlog.get_logger("gateway")


class StartError(Exception):
    """The server cannot start; ``str()`` is one line with the reason and the remedy."""


class _Loop(uvloop.Loop):
    """Event loop whose servers give a TLS handshake as long as a request's head."""

    def create_server(self, *arguments: Any, **options: Any) -> Any:
        """Listen; uvloop's default is a minute."""
        if options.get("ssl") is not None:
            options.setdefault("ssl_handshake_timeout", _TLS_HANDSHAKE_SECONDS)
        return super().create_server(*arguments, **options)


class _Server(uvicorn.Server):
    """Server that leaves signals to the event loop: uvicorn would raise them again before the runtime has stopped."""

    def __init__(self, config: uvicorn.Config, deadline: Deadline, ending: asyncio.Event) -> None:
        super().__init__(config)
        self._deadline = deadline
        self._ending = ending

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Start the end and its deadline."""
        self._deadline.set(_END_SECONDS)
        self._ending.set()
        super().handle_exit(sig, frame)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End the server on SIGINT and SIGTERM; a second interrupt does not wait for requests."""
        loop = asyncio.get_running_loop()
        signals = (signal.SIGINT, signal.SIGTERM)
        for number in signals:
            loop.add_signal_handler(number, self.handle_exit, number, None)
        try:
            yield
        finally:
            for number in signals:
                loop.remove_signal_handler(number)


def serve(application: ASGIApp, runtime: Runtime) -> int:
    """Serve until SIGINT or SIGTERM; return the exit status, 0 after a regular end.

    The runtime is started before the application's lifespan and stopped after it, and nowhere else. So the application
    may be the gateway's own or anything wrapped around it, with a lifespan of its own, in which the runtime is always
    live.

    A failed start (an invalid configuration, a port in use) is one line on standard error; the status is 2 where
    another gateway serves the same configuration. A process that has not ended 15 s after the signal is cut off with
    status 1.
    """
    _log_to_standard_error()
    deadline = Deadline()
    try:
        with sole(runtime.config_path), asyncio.Runner(loop_factory=_Loop) as runner:
            return runner.run(_serve(application, runtime, deadline))
    except InUseError as error:
        sys.stderr.write(f"gateway: {error}\n")
        return _IN_USE
    except (ConfigurationError, ListenError, StartError) as error:
        sys.stderr.write(f"gateway: {error}\n")
        return _CANNOT_START
    finally:
        deadline.lift()


async def _serve(application: ASGIApp, runtime: Runtime, deadline: Deadline) -> int:
    await runtime.start()
    try:
        configuration = runtime.configuration
        config = _config(Ending(application), configuration)
        with contextlib.closing(listen(configuration.host, configuration.port)) as listener:
            server = _Server(config, deadline, runtime.plugins.ending)
            _log.info("listening", address=address_of(listener, "https" if configuration.tls.enable else "http"))
            await server.serve(sockets=[listener])
    except SystemExit:
        raise StartError("the application did not start; the reason is above") from None
    finally:
        await runtime.stop()
    return 0


def _log_to_standard_error() -> None:
    """Write one line for each event, unless logging is configured already."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    logging.getLogger("uvicorn").setLevel(logging.WARNING)
    if not structlog.is_configured():
        structlog.configure(
            processors=[structlog.dev.ConsoleRenderer(colors=False, pad_event_to=0)],
            logger_factory=structlog.stdlib.LoggerFactory(),
            wrapper_class=structlog.stdlib.BoundLogger,
        )


def _config(application: ASGIApp, configuration: Configuration) -> uvicorn.Config:
    tls = configuration.tls
    config = uvicorn.Config(
        application,
        loop="none",
        http=limited_protocol(limits_for(raise_descriptors())),
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        proxy_headers=False,  # who a caller is gets decided by admission, on the TCP peer
        server_header=False,
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=_LAST_REQUESTS_SECONDS,
        ssl_certfile=tls.cert if tls.enable else None,
        ssl_keyfile=tls.key if tls.enable else None,
    )
    try:
        config.load()
    except (OSError, ssl.SSLError):
        raise StartError(
            "`tls` is enabled, but its `cert` and `key` cannot be read as such; check both files"
        ) from None
    return config
