"""The service Plugin of the contract."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import aclosing
from typing import Any, Final

import grpc
import grpc.aio
import structlog
from google.protobuf.message import Message

from adapter.clock import Clock
from extension.plugin.asgi import AsgiCaller
from extension.plugin.front import Front
from extension.plugin.leased_service import LeasedService, starting
from extension.plugin.routes import routes
from extension.plugin.scope import refusal
from extension.plugin.settings import PluginSettings, read_settings
from extension.plugin.v1.plugin_pb2 import (
    DESCRIPTOR,
    ConfigureRequest,
    ConfigureResponse,
    HttpRequest,
    HttpResponse,
    HttpResponsePart,
    QuiesceRequest,
    QuiesceResponse,
    UsageAck,
    UsageBatch,
)
from extension.serving.errors import ServingError
from extension.serving.release import DISTRIBUTION, service_version
from extension.serving.settings.sources import PLUGIN

SERVICE: Final = DESCRIPTOR.services_by_name["Plugin"].full_name
ANSWER_SECONDS: Final = 10.0
"""Longest time of an answer with a whole body, where the host sets no shorter one."""
_MARGIN: Final = 0.5
_DEFAULT_PREFIX: Final = PLUGIN

_log = structlog.get_logger("poolkeeper.plugin")


class PluginServicer:
    """Answers the host. `configured` is called with the settings after each call of Configure that changed them."""

    def __init__(
        self,
        service: LeasedService,
        environment: Mapping[str, str],
        clock: Clock,
        configured: Callable[[PluginSettings], None],
    ) -> None:
        self._service = service
        self._environment = environment
        self._clock = clock
        self._configured = configured
        self._caller: AsgiCaller | None = None

    async def configure(self, request: ConfigureRequest, _context: object) -> ConfigureResponse:
        """Take the settings; nothing is waited for."""
        base, prefix = request.host.resource_base, _DEFAULT_PREFIX
        raw_json = True
        try:
            settings = read_settings(request, self._environment)
        except ServingError as error:
            _log.error("the settings cannot be used", reason=str(error))
            self._service.refuse(str(error))
        else:
            prefix, raw_json = settings.prefix, settings.raw_json
            for warning in settings.warnings:
                _log.warning(warning)
            self._service.resume()
            self._service.configure(settings)
            self._configured(settings)
        front = Front.of(self._service, self._clock, prefix=prefix, resource_base=base)
        self._caller = AsgiCaller(front, base, raw_json)
        return ConfigureResponse(name=DISTRIBUTION, version=service_version(), routes=routes(prefix, base))

    async def handle(
        self, request: HttpRequest, context: "grpc.aio.ServicerContext[HttpRequest, HttpResponse]"
    ) -> HttpResponse:
        """Answer one request with a whole body."""
        if self._caller is None:
            return refusal(starting())
        self._service.hear()
        remaining: float | None = context.time_remaining()
        seconds = ANSWER_SECONDS if remaining is None else max(min(ANSWER_SECONDS, remaining - _MARGIN), 0.0)
        return await self._caller.whole(request, seconds)

    async def handle_stream(self, request: HttpRequest, _context: object) -> AsyncIterator[HttpResponsePart]:
        """Answer one request piece by piece."""
        if self._caller is None:
            yield HttpResponsePart(head=refusal(starting()))
            return
        self._service.hear()
        async with aclosing(self._caller.pieces(request)) as parts:
            async for part in parts:
                yield part

    async def usage(self, _request: UsageBatch, _context: object) -> UsageAck:
        """Acknowledge records; the service reads the gateway's queue, which holds all of them."""
        return UsageAck()

    async def quiesce(self, request: QuiesceRequest, _context: object) -> QuiesceResponse:
        """End everything that acts by itself; the next Configure begins again."""
        self._service.pause(request.reason or "the gateway asks for it")
        await self._service.closed()
        return QuiesceResponse()

    def handlers(self) -> grpc.GenericRpcHandler:
        """Return the service for a server."""
        methods: dict[str, grpc.RpcMethodHandler[Any, Any]] = {
            "Configure": _unary(self.configure, ConfigureRequest),
            "Handle": _unary(self.handle, HttpRequest),
            "Usage": _unary(self.usage, UsageBatch),
            "Quiesce": _unary(self.quiesce, QuiesceRequest),
        }
        methods["HandleStream"] = grpc.unary_stream_rpc_method_handler(
            self.handle_stream,
            request_deserializer=HttpRequest.FromString,
            response_serializer=HttpResponsePart.SerializeToString,
        )
        return grpc.method_handlers_generic_handler(SERVICE, methods)


def _unary(behavior: Callable[..., Any], request: type[Message]) -> "grpc.RpcMethodHandler[Any, Any]":
    return grpc.unary_unary_rpc_method_handler(
        behavior, request_deserializer=request.FromString, response_serializer=_bytes_of
    )


def _bytes_of(message: Message) -> bytes:
    return message.SerializeToString()


async def ended(tasks: Sequence[asyncio.Task[Any]]) -> None:
    """Cancel tasks and wait for their end."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
