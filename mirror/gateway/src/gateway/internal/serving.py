"""Runs the gateway: the runtime, the listening socket, and the HTTP server around the application."""

import asyncio
import contextlib
import logging
import signal
import ssl
import sys
from collections.abc import Iterator
from types import FrameType
from typing import Any

import structlog
import uvicorn
import uvloop
from starlette.types import ASGIApp

from gateway.connection_limits import limited_protocol, limits_for, raise_descriptors
from gateway.internal.configuration.errors import ConfigurationError
from gateway.internal.configuration.model import Configuration
from gateway.internal.ending import Deadline, Ending
from gateway.internal.listening import ListenError, address_of, listen
from gateway.internal.runtime import Runtime
from gateway.internal.sole import InUseError, sole

_CANNOT_START = 1
_IN_USE = 2
_KEEP_ALIVE_SECONDS = 75
_LAST_REQUESTS_SECONDS = 10
_END_SECONDS = 15.0
_TLS_HANDSHAKE_SECONDS = 10.0
_log = structlog.get_logger("gateway")


class StartError(Exception):
    """The server cannot start; ``str()`` is one line saying why and what to do."""


class _Loop(uvloop.Loop):
    """An event loop whose servers give a TLS handshake as long as a request's head."""

    def create_server(self, *arguments: Any, **options: Any) -> Any:
        """Listen; uvloop gives a handshake a minute."""
        if options.get("ssl") is not None:
            options.setdefault("ssl_handshake_timeout", _TLS_HANDSHAKE_SECONDS)
        return super().create_server(*arguments, **options)


class _Server(uvicorn.Server):
    """A server that leaves signals to the event loop: uvicorn would raise them again before the runtime has stopped."""

    def __init__(self, config: uvicorn.Config, deadline: Deadline, ending: asyncio.Event) -> None:
        super().__init__(config)
        self._deadline = deadline
        self._ending = ending

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to end, and to count the time it takes."""
        self._deadline.set(_END_SECONDS)
        self._ending.set()
        super().handle_exit(sig, frame)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Ask the server to end on the signals that mean so; a second interrupt does not wait for requests."""
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

    The runtime is started before the application's lifespan and stopped after it, here and nowhere else. So the
    application may be the gateway's own or anything wrapped around it, with one lifespan of its own, in which the
    runtime is always live.

    What keeps the gateway from starting (an invalid configuration, a port in use) is one line on standard error; the
    status is 2 where another gateway serves the same configuration. Where something still hangs 15 s after the signal
    the process is cut off with status 1.
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
    """Write one line for each event, unless whoever embeds the gateway has set up logging already."""
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
