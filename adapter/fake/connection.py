"""A connection to a fake gateway; behind our routes there is nothing."""

from collections.abc import Awaitable, Callable

from adapter.fake.gateway import FakeGateway
from adapter.port import Message


async def not_found(
    scope: Message, receive: Callable[[], Awaitable[Message]], send: Callable[[Message], Awaitable[None]]
) -> None:
    """An ASGI application that answers 404 to everything and has a lifespan with nothing in it."""
    if scope["type"] == "lifespan":
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await send({"type": "lifespan.shutdown.complete"})
    elif scope["type"] == "http":
        await send({"type": "http.response.start", "status": 404, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body", "body": b""})
    elif scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1000})


class FakeConnection:
    """A `Connection` for tests. Its fallback is `not_found`."""

    fallback = staticmethod(not_found)

    def __init__(self, gateway: FakeGateway | None = None) -> None:
        self.gateway = gateway or FakeGateway()
        self.closed = False

    def bind(self, installation_key: bytes) -> None:
        """See the port: fingerprints are made with this key from now on."""
        self.gateway.bind(installation_key)

    async def close(self) -> None:
        self.closed = True
