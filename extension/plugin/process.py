"""The plugin process: one gRPC server on a Unix socket, for as long as its host lives."""

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import grpc.aio
import structlog
import uvloop
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1.health import aio as health

from adapter.clock import SystemClock
from adapter.privacy.secret import Secret
from extension.plugin.availability import Availability
from extension.plugin.broker import Broker, controller
from extension.plugin.handshake import (
    SOCKET_FOLDER,
    SocketFolder,
    StandardOutput,
    folder_warning,
    free_socket,
    take_cookie,
)
from extension.plugin.leased_service import LeasedService, Opened
from extension.plugin.lifeline import ParentWatch
from extension.plugin.routes import files_path, page_path
from extension.plugin.servicer import PluginServicer, ended
from extension.plugin.settings import PluginSettings
from extension.serving.deadline import Deadline
from extension.serving.errors import NotStarted
from extension.serving.remote import remote_application, remote_connection
from extension.serving.remote_gateway import RemoteGateway
from extension.store.errors import StoreError
from extension.store.integrity import may_pass

MESSAGE_LIMIT: Final = 16 * 1024 * 1024
_GRACE_SECONDS: Final = 2.0
_ORPHAN_SECONDS: Final = 4.0
"""Time to end after the host is gone: no answer of it comes any more, and its next start wants the data folder.

What a cut-off leaves is settled at the next start. A process that is asked to end has the time of every other service.
"""
PATIENCE: Final = 5.0
"""Longest time for which a read of the gateway is repeated: the reason has to be there before an answer is too late."""
_HEALTH_NAME: Final = "plugin"
_WATCHED_FILE: Final = "icon.svg"
_OPTIONS: Final = (
    ("grpc.max_receive_message_length", MESSAGE_LIMIT),
    ("grpc.max_send_message_length", MESSAGE_LIMIT),
    ("grpc.so_reuseport", 0),
)

_log = structlog.get_logger("poolkeeper.plugin")


def serve_spawned(parent: ParentWatch) -> None:
    """Serve the gateway that started this process; ends with it."""
    take_cookie(os.environ)
    output = StandardOutput.claim()
    folder = SocketFolder(os.environ.pop(SOCKET_FOLDER, ""))
    try:
        uvloop.run(_serve(folder.socket, announce=lambda: output.announce(folder.socket), parent=parent))
    finally:
        folder.remove()


def serve_attached(socket: Path) -> None:
    """Serve at a socket that a gateway connects to; gateways may come and go."""
    free_socket(socket)
    if warning := folder_warning(socket):
        _log.warning(warning)
    try:
        uvloop.run(_serve(socket, announce=lambda: None))
    finally:
        socket.unlink(missing_ok=True)


async def _serve(socket: Path, *, announce: Callable[[], None], parent: ParentWatch | None = None) -> None:
    stop = asyncio.Event()
    requested, orphaned = Deadline(), Deadline(_ORPHAN_SECONDS)

    def end() -> None:
        requested.set()
        stop.set()

    def end_alone() -> None:
        orphaned.set()
        stop.set()

    clock = SystemClock()
    service = LeasedService(_opened, clock)
    watching: list[asyncio.Task[None]] = []

    def configured(settings: PluginSettings) -> None:
        for task in watching:
            task.cancel()
        path = f"{files_path(settings.resource_base)}/{_WATCHED_FILE}"
        availability = Availability(settings.address, path, service, clock)
        watching[:] = [asyncio.create_task(availability.run())]

    servicer = PluginServicer(service, dict(os.environ), clock, configured)
    server = grpc.aio.server(options=_OPTIONS)
    broker = Broker(end_alone if parent else lambda: None)
    checks = health.HealthServicer()
    await checks.set(_HEALTH_NAME, health_pb2.HealthCheckResponse.SERVING)
    health_pb2_grpc.add_HealthServicer_to_server(checks, server)
    server.add_generic_rpc_handlers((servicer.handlers(), broker.handlers(), controller(end)))
    with ExitStack() as stack:
        stack.callback(requested.lift)
        stack.callback(orphaned.lift)
        stack.enter_context(_signals(end))
        if parent:
            stack.enter_context(parent.calling(end_alone))
        _listen(server, socket)
        await server.start()
        running = asyncio.create_task(service.run())
        stopping = asyncio.create_task(stop.wait())
        try:
            announce()
            await asyncio.wait({running, stopping}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            service.end()
            await ended([stopping, *watching])
            broker.close()
            await server.stop(_GRACE_SECONDS)
            await running


def _listen(server: grpc.aio.Server, socket: Path) -> None:
    umask = os.umask(0o177)
    try:
        server.add_insecure_port(f"unix:{socket}")
    except RuntimeError:
        raise NotStarted(
            f"Cannot listen at the socket {socket}. Its folder must exist, and this user must be able to write it."
        ) from None
    finally:
        os.umask(umask)


def _opened(settings: PluginSettings, key: Secret) -> Opened:
    gateway = RemoteGateway(settings.address, key)
    connection = remote_connection(gateway, patience=PATIENCE)
    authority, page = settings.address.partition("://")[2], page_path(settings.resource_base)
    faults: list[StoreError] = []

    def ends_at(fault: StoreError) -> bool:
        if may_pass(fault):
            faults.append(fault)
        return bool(faults)

    application = remote_application(
        gateway, settings.environment, authority, page=page, connection=connection, ends_at=ends_at
    )
    return Opened(application, lambda: connection.client.proof.refused, lambda: faults[-1] if faults else None)


@contextmanager
def _signals(end: Callable[[], None]) -> Iterator[None]:
    """End on SIGTERM. SIGINT is the terminal's word to the gateway, which ends this process with itself."""
    loop = asyncio.get_running_loop()
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    loop.add_signal_handler(signal.SIGTERM, end)
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGTERM)
        signal.signal(signal.SIGINT, before)
