"""The service Host: what a plugin may ask of the gateway."""

from collections.abc import Awaitable, Callable
from typing import Any

import grpc
import structlog

from gateway.plugin.v1.plugin_pb2 import DescribeRequest, HostInfo, HttpRequest, HttpResponse, LogAck, LogRecord

SERVICE = "gateway.plugin.v1.Host"
_LONGEST_LINE = 4_000
_log = structlog.get_logger("gateway.plugin")
_METHODS = {
    LogRecord.LEVEL_DEBUG: _log.debug,
    LogRecord.LEVEL_WARNING: _log.warning,
    LogRecord.LEVEL_ERROR: _log.error,
}


class HostService:
    """Answers one plugin.

    ``manage`` sends a management request on its behalf, ``called`` is called with each of its calls.
    """

    def __init__(
        self,
        plugin: str,
        info: Callable[[], HostInfo],
        manage: Callable[[HttpRequest], Awaitable[HttpResponse]],
        called: Callable[[], None],
    ) -> None:
        self._plugin = plugin
        self._info = info
        self._manage = manage
        self._called = called

    async def describe(self, _request: DescribeRequest, _context: object) -> HostInfo:
        """Say what this gateway is and what it offers."""
        self._called()
        return self._info()

    async def log(self, request: LogRecord, _context: object) -> LogAck:
        """Write a line to the gateway's log."""
        self._called()
        write = _METHODS.get(request.level, _log.info)
        write(request.message[:_LONGEST_LINE], plugin=self._plugin)
        return LogAck()

    async def manage(self, request: HttpRequest, _context: object) -> HttpResponse:
        """Send a management request without network and key."""
        self._called()
        return await self._manage(request)

    def handlers(self) -> grpc.GenericRpcHandler:
        """Return the service for a server."""
        methods = {
            "Describe": _unary(self.describe, DescribeRequest),
            "Log": _unary(self.log, LogRecord),
            "Manage": _unary(self.manage, HttpRequest),
        }
        return grpc.method_handlers_generic_handler(SERVICE, methods)


def _unary(behavior: Callable[..., Any], request: Any) -> "grpc.RpcMethodHandler[Any, Any]":
    return grpc.unary_unary_rpc_method_handler(
        behavior,
        request_deserializer=request.FromString,
        response_serializer=lambda message: message.SerializeToString(),
    )
