"""Broker of hashicorp/go-plugin: the host announces sockets of further services on one long stream."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Final

import grpc
import grpc.aio

from extension.plugin.v1.go_plugin_pb2 import ConnInfo, Empty

SERVICE: Final = "plugin.GRPCBroker"
CONTROLLER: Final = "plugin.GRPCController"


class Broker:
    """Addresses announced by the host; `ended` is called when the host's stream ends."""

    def __init__(self, ended: Callable[[], None]) -> None:
        self._ended = ended
        self._addresses: dict[int, str] = {}
        self._announced = asyncio.Condition()

    async def address(self, service: int) -> str:
        """Wait for the address of a service, as a target of gRPC."""
        async with self._announced:
            await self._announced.wait_for(lambda: service in self._addresses)
            return self._addresses[service]

    async def start_stream(
        self, announcements: AsyncIterator[ConnInfo], _context: "grpc.aio.ServicerContext[ConnInfo, ConnInfo]"
    ) -> AsyncIterator[ConnInfo]:
        """Read announcements until the host ends the stream; nothing is announced by this side."""
        try:
            async for each in announcements:
                async with self._announced:
                    self._addresses[each.service_id] = f"{each.network}:{each.address}"
                    self._announced.notify_all()
        finally:
            self._ended()
        return
        yield ConnInfo()  # makes this a generator

    def handlers(self) -> grpc.GenericRpcHandler:
        """Return the service for a server."""
        method = grpc.stream_stream_rpc_method_handler(
            self.start_stream,
            request_deserializer=ConnInfo.FromString,
            response_serializer=ConnInfo.SerializeToString,
        )
        return grpc.method_handlers_generic_handler(SERVICE, {"StartStream": method})


def controller(shut_down: Callable[[], None]) -> grpc.GenericRpcHandler:
    """Return the service with which a host asks the process to end."""

    async def answer(_request: Empty, _context: object) -> Empty:
        shut_down()
        return Empty()

    method = grpc.unary_unary_rpc_method_handler(
        answer,
        request_deserializer=Empty.FromString,
        response_serializer=Empty.SerializeToString,
    )
    return grpc.method_handlers_generic_handler(CONTROLLER, {"Shutdown": method})
