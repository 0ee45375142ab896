"""Services of hashicorp/go-plugin: one long stream of the host, and its request to end."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Final

import grpc
import grpc.aio

from extension.plugin.v1.go_plugin_pb2 import ConnInfo, Empty

SERVICE: Final = "plugin.GRPCBroker"
CONTROLLER: Final = "plugin.GRPCController"


class Broker:
    """Stream on which a host announces sockets of its services, which are not used; `ended` is called at its end."""

    def __init__(self, ended: Callable[[], None]) -> None:
        self._ended = ended
        self._closed = asyncio.Event()

    def close(self) -> None:
        """End the host's stream from this side: a server that stops would wait for it."""
        self._closed.set()

    async def start_stream(
        self, announcements: AsyncIterator[ConnInfo], _context: "grpc.aio.ServicerContext[ConnInfo, ConnInfo]"
    ) -> AsyncIterator[ConnInfo]:
        """Read announcements until the host ends the stream; nothing is announced by this side."""
        reading = asyncio.ensure_future(_read(announcements))
        closing = asyncio.ensure_future(self._closed.wait())
        try:
            await asyncio.wait((reading, closing), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (reading, closing):
                task.cancel()
            await asyncio.gather(reading, closing, return_exceptions=True)
            if not self._closed.is_set():
                self._ended()
        return
        yield ConnInfo()  # makes this a generator

    def handlers(self) -> grpc.GenericRpcHandler:
        """Return the service for a server."""
        method = grpc.stream_stream_rpc_method_handler(
            self.start_stream, request_deserializer=ConnInfo.FromString, response_serializer=ConnInfo.SerializeToString
        )
        return grpc.method_handlers_generic_handler(SERVICE, {"StartStream": method})


async def _read(announcements: AsyncIterator[ConnInfo]) -> None:
    async for _ in announcements:
        pass


def controller(shut_down: Callable[[], None]) -> grpc.GenericRpcHandler:
    """Return the service with which a host asks the process to end."""

    async def answer(_request: Empty, _context: object) -> Empty:
        shut_down()
        return Empty()

    method = grpc.unary_unary_rpc_method_handler(
        answer, request_deserializer=Empty.FromString, response_serializer=Empty.SerializeToString
    )
    return grpc.method_handlers_generic_handler(CONTROLLER, {"Shutdown": method})
