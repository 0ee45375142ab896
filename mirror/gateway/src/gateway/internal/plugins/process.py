"""One plugin process: started, called over gRPC, and ended."""

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

from gateway.internal.plugins.host import HOST_SERVICE, Host, PluginError
from gateway.plugin.v1.go_plugin_pb2 import ConnInfo, Empty
from gateway.plugin.v1.plugin_pb2 import (
    ConfigureRequest,
    ConfigureResponse,
    DescribeRequest,
    HostInfo,
    HttpRequest,
    HttpResponse,
    HttpResponsePart,
    LogAck,
    LogRecord,
    QuiesceRequest,
    QuiesceResponse,
)

MESSAGE_LIMIT = 16 * 1024 * 1024
_MAX_LOG_LINE = 4_000
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
_log = structlog.get_logger("gateway.plugin")
_LOG_METHODS = {
    LogRecord.LEVEL_DEBUG: _log.debug,
    LogRecord.LEVEL_WARNING: _log.warning,
    LogRecord.LEVEL_ERROR: _log.error,
}


class PluginProcess:
    """A running plugin. ``start`` makes one; ``end`` must be called."""

    def __init__(self, child: asyncio.subprocess.Process, channel: grpc.aio.Channel, server: grpc.aio.Server) -> None:
        self._child = child
        self._channel = channel
        self._server = server
        self._broker: Any = None
        self._closed = False

    @classmethod
    async def start(
        cls, plugin: str, command: Sequence[str], environment: Mapping[str, str], folder: Path, host: Host
    ) -> "PluginProcess":
        """Start a process in ``folder`` and wait until it can be called; raises ``PluginError``."""
        socket = await asyncio.to_thread(_prepare, folder)
        try:
            child = await asyncio.create_subprocess_exec(
                *command,
                env=child_environment(environment, plugin, str(folder)),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else "its name cannot be used"
            raise PluginError(f"its program cannot be started: {reason}") from None
        try:
            address = await read_address(child)
        except BaseException:
            await _kill(child)
            raise
        process = cls(child, grpc.aio.insecure_channel(address, options=_OPTIONS), grpc.aio.server(options=_OPTIONS))
        try:
            await process._connect(socket, _host_handlers(plugin, host))
        except BaseException:
            await process._close()
            raise
        return process

    async def configure(self, request: ConfigureRequest) -> ConfigureResponse:
        """Send the settings; raises ``PluginError``."""
        try:
            answer: ConfigureResponse = await self._call(
                f"{_PLUGIN}/Configure", request, ConfigureResponse, _CONFIGURE_SECONDS
            )
        except grpc.aio.AioRpcError as error:
            raise PluginError(f"it does not take its settings ({error.code().name})") from None
        return answer

    async def handle(self, request: HttpRequest, seconds: float) -> HttpResponse:
        """Send a request; raises ``TimeoutError``, or ``PluginError`` where the process is gone."""
        with self._translated_errors():
            answer: HttpResponse = await self._call(f"{_PLUGIN}/Handle", request, HttpResponse, seconds)
        return answer

    async def handle_stream(self, request: HttpRequest) -> AsyncGenerator[HttpResponsePart, None]:
        """Send a request and yield its answer piece by piece; leaving the iteration ends the call."""
        with self._translated_errors():
            call = self._channel.unary_stream(
                f"{_PLUGIN}/HandleStream",
                request_serializer=HttpRequest.SerializeToString,
                response_deserializer=HttpResponsePart.FromString,
            )(request)
            try:
                async for part in call:
                    yield part
            finally:
                call.cancel()

    async def quiesce(self, reason: str) -> None:
        """Ask the plugin to end everything it does on its own."""
        with suppress(grpc.aio.AioRpcError):
            await self._call(f"{_PLUGIN}/Quiesce", QuiesceRequest(reason=reason), QuiesceResponse, _QUIESCE_SECONDS)

    async def check_health(self, seconds: float | None = None) -> bool:
        """Return whether the plugin answers that it is serving; raises ``PluginError`` when it cannot be asked."""
        request = HealthCheckRequest(service="plugin")
        try:
            health = await self._call("/grpc.health.v1.Health/Check", request, HealthCheckResponse, seconds)
        except grpc.aio.AioRpcError as error:
            raise PluginError(f"it does not answer a health check ({error.code().name})") from None
        return bool(health.status == HealthCheckResponse.SERVING)

    async def ended(self) -> int:
        """Wait for the end of the process and return its status."""
        return await self._child.wait()

    async def kill(self) -> None:
        """Kill a process that does not answer; ``end`` is still to be called."""
        await _kill(self._child)

    async def end(self) -> None:
        """End the process by request, then by signal."""
        if self._child.returncode is None:
            with suppress(grpc.aio.AioRpcError):
                await self._call("/plugin.GRPCController/Shutdown", Empty(), Empty, _SHUTDOWN_SECONDS)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._child.wait(), _END_SECONDS)
        await self._close()

    async def _close(self) -> None:
        if self._broker is not None:
            self._broker.cancel()
        await _kill(self._child)
        self._closed = True
        await self._channel.close()
        await self._server.stop(None)

    async def _connect(self, socket: Path, handlers: grpc.GenericRpcHandler) -> None:
        """Check its health, serve Host, and open the stream whose end means to the plugin that the gateway is gone."""
        if not await self.check_health(_CONFIGURE_SECONDS):
            raise PluginError("its health check answers that it is not serving")
        self._server.add_generic_rpc_handlers((handlers,))
        self._server.add_insecure_port(f"unix:{socket}")
        await self._server.start()
        self._broker = self._channel.stream_stream(
            "/plugin.GRPCBroker/StartStream",
            request_serializer=ConnInfo.SerializeToString,
            response_deserializer=ConnInfo.FromString,
        )()
        await self._broker.write(ConnInfo(service_id=HOST_SERVICE, network="unix", address=str(socket)))

    @contextmanager
    def _translated_errors(self) -> Iterator[None]:
        """Translate errors of a call; ``end`` closes the channel, which refuses a call or cancels it."""
        try:
            yield
        except grpc.aio.AioRpcError as error:
            if error.code() is grpc.StatusCode.DEADLINE_EXCEEDED:
                raise TimeoutError from None
            raise PluginError(error.code().name) from None
        except (grpc.aio.UsageError, asyncio.CancelledError):
            task = asyncio.current_task()
            if not self._closed or (task is not None and task.cancelling()):
                raise
            raise PluginError("it has ended") from None

    async def _call(self, method: str, request: Any, answer: Any, seconds: float | None) -> Any:
        call: Any = self._channel.unary_unary(
            method, request_serializer=type(request).SerializeToString, response_deserializer=answer.FromString
        )
        return await call(request, timeout=seconds)


def _host_handlers(plugin: str, host: Host) -> grpc.GenericRpcHandler:
    """Return the service Host for one plugin."""

    async def describe(_request: DescribeRequest, _context: object) -> HostInfo:
        return host.info()

    async def log(request: LogRecord, _context: object) -> LogAck:
        _LOG_METHODS.get(request.level, _log.info)(request.message[:_MAX_LOG_LINE], plugin=plugin)
        return LogAck()

    async def manage(request: HttpRequest, _context: object) -> HttpResponse:
        return await host.manage(request)

    methods = {
        "Describe": _unary(describe, DescribeRequest),
        "Log": _unary(log, LogRecord),
        "Manage": _unary(manage, HttpRequest),
    }
    return grpc.method_handlers_generic_handler("gateway.plugin.v1.Host", methods)


def _unary(behavior: Callable[..., Any], request: Any) -> "grpc.RpcMethodHandler[Any, Any]":
    return grpc.unary_unary_rpc_method_handler(
        behavior,
        request_deserializer=request.FromString,
        response_serializer=lambda message: message.SerializeToString(),
    )


def _prepare(folder: Path) -> Path:
    """Make the folder of the sockets, and return the path of that of Host."""
    folder.mkdir(mode=0o700, exist_ok=True)
    socket = folder / "host.sock"
    socket.unlink(missing_ok=True)
    return socket


async def _kill(child: asyncio.subprocess.Process) -> None:
    """Kill a process and its process group."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    await child.wait()


HANDSHAKE_SECONDS = 60.0
_MAX_LINE = 4096
_FIELDS = 5
_COOKIE = {"GATEWAY_PLUGIN_COOKIE": "6f0f3c0d6c1e4b57a6d4a3a1f2be98c4"}
_NAMES = {"HOME", "LANG", "LANGUAGE", "LOGNAME", "PATH", "PYTHONPATH", "SSL_CERT_DIR", "SSL_CERT_FILE", "TMPDIR", "TZ"}
_MORE = {"USER", "VIRTUAL_ENV", "ALL_PROXY", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"}
_PREFIXES = ("LC_", "XDG_")


def child_environment(environment: Mapping[str, str], plugin: str, sockets: str) -> dict[str, str]:
    """Return the environment of a plugin process: an allow-list, so that it gets no secret of the gateway.

    Variables that begin with the plugin's own name are its settings.
    """
    prefixes = (*_PREFIXES, f"{plugin.upper().replace('-', '_').replace('.', '_')}_")
    allowed = {
        name: value
        for name, value in environment.items()
        if name.upper() in _NAMES | _MORE or name.startswith(prefixes)
    }
    return allowed | _COOKIE | {"PLUGIN_UNIX_SOCKET_DIR": sockets}


async def read_address(child: asyncio.subprocess.Process) -> str:
    """Return the address from go-plugin's handshake, the first line of output; raises ``PluginError``."""
    output = child.stdout
    if output is None:
        raise PluginError("it has no standard output")
    try:
        line = await asyncio.wait_for(output.readline(), HANDSHAKE_SECONDS)
    except TimeoutError:
        raise PluginError(f"it sent no handshake within {HANDSHAKE_SECONDS:.0f} s") from None
    except ValueError:
        line = b"-"  # longer than the buffer of the reader
    if not line:
        raise PluginError(f"it ended with status {await child.wait()} before its handshake")
    fields = line[:_MAX_LINE].decode("utf-8", "replace").strip().split("|")
    if len(fields) < _FIELDS or not fields[0].isdigit():
        raise PluginError("its first line is no handshake of go-plugin")
    core, version, network, address, protocol = fields[:_FIELDS]
    if (core, version, network, protocol) != ("1", "1", "unix", "grpc"):
        raise PluginError(
            f"it speaks version {core}|{version} over {network} and {protocol}, not 1|1 over unix and grpc"
        )
    return f"unix:{address}"
