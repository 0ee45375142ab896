"""A connection to the gateway in our own process."""

from gateway.internal.runtime import Runtime

from adapter.clock import Clock
from adapter.embedded.gateway import EmbeddedGateway
from adapter.port import ASGIApp
from adapter.rules.identity import Binding


class EmbeddedConnection:
    """A `Connection` over a gateway's runtime and its application.

    It is made right after the gateway's application is built, before the runtime has started and before the data
    folder is known; `bind` hands over the installation key later. It owns neither: the server of the process starts
    and stops the runtime, and runs the application's lifespan.
    """

    def __init__(self, runtime: Runtime, application: ASGIApp, clock: Clock | None = None) -> None:
        self._binding = Binding()
        self.gateway = EmbeddedGateway(runtime, self._binding, clock)
        self.fallback = application

    def bind(self, installation_key: bytes) -> None:
        self._binding.bind(installation_key)

    async def close(self) -> None:
        """Release nothing: the runtime belongs to the server of the process."""
