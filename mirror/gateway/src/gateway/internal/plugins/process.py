"""One life of a plugin process: started, greeted, called, and ended."""

import asyncio
import os
import signal
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import structlog
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse

from gateway.internal.plugins.environment import child_environment
from gateway.internal.plugins.failure import PluginFailed
from gateway.internal.plugins.handshake import read_address
from gateway.internal.plugins.standing import UNSTARTABLE
from gateway.plugin.v1.go_plugin_pb2 import ConnInfo, Empty
from gateway.plugin.v1.plugin_pb2 import (
    ConfigureRequest,
    ConfigureResponse,
    HttpRequest,
    HttpResponse,
    HttpResponsePart,
    QuiesceRequest,
    QuiesceResponse,
)

MESSAGE_LIMIT = 16 * 1024 * 1024
HOST_SERVICE = 1
_SOCKET = "host.sock"
_CONFIGURE_SECONDS = 10.0
_QUIESCE_SECONDS = 3.0
_SHUTDOWN_SECONDS = 1.0
_END_SECONDS = 3.0
_OPTIONS = (
    ("grpc.max_receive_message_length", MESSAGE_LIMIT),
    ("grpc.max_send_message_length", MESSAGE_LIMIT),
    ("grpc.default_authority", "localhost"),
    ("grpc.enable_http_proxy", 0),
)
_PLUGIN = "/gateway.plugin.v1.Plugin"
_HEALTH = "/grpc.health.v1.Health/Check"
_NO_ANSWER = {grpc.StatusCode.CANCELLED, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.UNAVAILABLE}
_log = structlog.get_logger("gateway.plugin")


class PluginProcess:
    """A running plugin. ``start`` makes one; ``end`` must be called."""

    def __init__(
        self,
        child: asyncio.subprocess.Process,
        channel: grpc.aio.Channel,
        hosts: grpc.aio.Server,
        answered: Callable[[], None],
    ) -> None:
        self._child = child
        self._channel = channel
        self._hosts = hosts
        self._answered = answered
        self._broker: Any = None
        self._closed = False

    @classmethod
    async def start(
        cls,
        plugin: str,
        command: Sequence[str],
        environment: Mapping[str, str],
        folder: Path,
        host_handlers: grpc.GenericRpcHandler,
        *,
        greeted: Callable[[], None] = lambda: None,
        answered: Callable[[], None] = lambda: None,
    ) -> "PluginProcess":
        """Start a process and wait until it can be called.

        ``greeted`` is called after its handshake, ``answered`` after each answer and each part of one.

        Raises:
            PluginFailed: It cannot be started, ended, or said something else than go-plugin's handshake.
        """
        await asyncio.to_thread(_prepare, folder)
        variables = child_environment(environment, plugin, str(folder))
        try:
            child = await asyncio.create_subprocess_exec(
                *command,
                env=variables,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else "its name cannot be used"
            raise PluginFailed(f"{UNSTARTABLE}: {reason}") from None
        try:
            address = await read_address(child)
            greeted()
            channel = grpc.aio.insecure_channel(address, options=_OPTIONS)
            hosts = grpc.aio.server(options=_OPTIONS)
            made = cls(child, channel, hosts, answered)
            await made._greet(folder / _SOCKET, host_handlers)
        except BaseException:
            await _killed(child)
            raise
        return made

    async def configure(self, request: ConfigureRequest) -> ConfigureResponse:
        """Send the settings; raises ``PluginFailed``."""
        try:
            answer: ConfigureResponse = await self._call(
                f"{_PLUGIN}/Configure", request, ConfigureResponse, _CONFIGURE_SECONDS
            )
        except grpc.aio.AioRpcError as error:
            raise PluginFailed(f"it does not take its settings ({error.code().name})") from None
        return answer

    async def handle(self, request: HttpRequest, seconds: float) -> HttpResponse:
        """Send a request; raises ``TimeoutError``, or ``PluginFailed`` where the process is gone."""
        with self._failures():
            answer: HttpResponse = await self._call(f"{_PLUGIN}/Handle", request, HttpResponse, seconds)
        return answer

    async def handle_stream(self, request: HttpRequest) -> AsyncGenerator[HttpResponsePart, None]:
        """Send a request and yield its answer piece by piece; leaving the iteration ends the call."""
        with self._failures():
            call = self._channel.unary_stream(
                f"{_PLUGIN}/HandleStream",
                request_serializer=HttpRequest.SerializeToString,
                response_deserializer=HttpResponsePart.FromString,
            )(request)
            try:
                async for part in call:
                    self._answered()
                    yield part
            finally:
                call.cancel()

    async def quiesce(self, reason: str) -> None:
        """Ask the plugin to do nothing by itself any more."""
        with suppress(grpc.aio.AioRpcError):
            await self._call(f"{_PLUGIN}/Quiesce", QuiesceRequest(reason=reason), QuiesceResponse, _QUIESCE_SECONDS)

    async def ask(self) -> None:
        """Ask for its health, for as long as the answer takes."""
        with suppress(grpc.aio.AioRpcError):
            await self._call(_HEALTH, HealthCheckRequest(service="plugin"), HealthCheckResponse, None)

    async def ended(self) -> int:
        """Wait for the end of the process and return its status."""
        return await self._child.wait()

    async def kill(self) -> None:
        """Kill the process, which answers nothing; ``end`` is still to be called."""
        await _killed(self._child)

    async def end(self) -> None:
        """End the process: asked first, then by signal."""
        if self._child.returncode is None:
            with suppress(grpc.aio.AioRpcError):
                await self._call("/plugin.GRPCController/Shutdown", Empty(), Empty, _SHUTDOWN_SECONDS)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._child.wait(), _END_SECONDS)
        if self._broker is not None:
            self._broker.cancel()
        await _killed(self._child)
        self._closed = True
        await self._channel.close()
        await self._hosts.stop(None)

    async def _greet(self, socket: Path, handlers: grpc.GenericRpcHandler) -> None:
        """Ask for its health, serve Host, and open the stream whose end tells the plugin that the gateway is gone."""
        question = HealthCheckRequest(service="plugin")
        try:
            health = await self._call(_HEALTH, question, HealthCheckResponse, _CONFIGURE_SECONDS)
        except grpc.aio.AioRpcError as error:
            raise PluginFailed(f"it does not say that it is well ({error.code().name})") from None
        if health.status != HealthCheckResponse.SERVING:
            raise PluginFailed("it says that it is not serving")
        self._hosts.add_generic_rpc_handlers((handlers,))
        self._hosts.add_insecure_port(f"unix:{socket}")
        await self._hosts.start()
        self._broker = self._channel.stream_stream(
            "/plugin.GRPCBroker/StartStream",
            request_serializer=ConnInfo.SerializeToString,
            response_deserializer=ConnInfo.FromString,
        )()
        await self._broker.write(ConnInfo(service_id=HOST_SERVICE, network="unix", address=str(socket)))

    @contextmanager
    def _failures(self) -> Iterator[None]:
        """Translate what a call raises; ``end`` closes the channel, which refuses a call or cancels it."""
        try:
            yield
        except grpc.aio.AioRpcError as error:
            if error.code() is grpc.StatusCode.DEADLINE_EXCEEDED:
                raise TimeoutError from None
            raise PluginFailed(error.code().name) from None
        except (grpc.aio.UsageError, asyncio.CancelledError):
            task = asyncio.current_task()
            if not self._closed or (task is not None and task.cancelling()):
                raise
            raise PluginFailed("it has ended") from None

    async def _call(self, method: str, request: Any, answer: Any, seconds: float | None) -> Any:
        call: Any = self._channel.unary_unary(
            method,
            request_serializer=lambda message: message.SerializeToString(),
            response_deserializer=answer.FromString,
        )
        try:
            found = await call(request, timeout=seconds)
        except grpc.aio.AioRpcError as error:
            if error.code() not in _NO_ANSWER:
                self._answered()
            raise
        self._answered()
        return found


def _prepare(folder: Path) -> None:
    folder.mkdir(mode=0o700, exist_ok=True)
    (folder / _SOCKET).unlink(missing_ok=True)


async def _killed(child: asyncio.subprocess.Process) -> None:
    """Kill a process and all that it has started."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    await child.wait()
