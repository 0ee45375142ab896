"""A connection to a gateway elsewhere, over its management API."""

from adapter.clock import Clock, SystemClock
from adapter.management.admission import HeldKey
from adapter.management.client.guarded_client import PATIENCE, GuardedClient
from adapter.management.client.http import HttpTransport
from adapter.management.gateway import ManagementGateway
from adapter.management.proxy.proxy import Proxy
from adapter.management.subscription import ManagementSubscriptions
from adapter.port import ASGIApp
from adapter.privacy.secret import Secret
from adapter.rules.identity import Binding


class ManagementConnection:
    """A `Connection` over HTTP. Nothing is sent before the first verb.

    The management key stays in this process: the keys of clients are compared with it here, and
    requests passed on to the gateway carry it in the place of theirs. Reads are repeated for `patience` seconds.

    Raises:
        ValueError: the address is no gateway's, or the key cannot be sent.
    """

    def __init__(
        self,
        address: str,
        key: Secret,
        clock: Clock | None = None,
        transport: HttpTransport | None = None,
        *,
        patience: float = PATIENCE,
    ) -> None:
        self.clock = clock or SystemClock()
        transport = transport or HttpTransport(address, key)
        self.client = GuardedClient(transport, self.clock, patience=patience)
        self._binding = Binding()
        admission = HeldKey(key, self.clock)
        subscriptions = ManagementSubscriptions(self.client, key, self.clock)
        self.gateway = ManagementGateway(self.client, self._binding, admission, self.clock, subscriptions)
        # Connections of their own: own calls never wait behind requests that are passed on.
        self._passing = HttpTransport(address, key, transport.connections)
        self.fallback: ASGIApp = Proxy(self._passing, self.client, admission, self.gateway.reloads)

    def bind(self, installation_key: bytes) -> None:
        self._binding.bind(installation_key)

    async def close(self) -> None:
        await self.gateway.close()
        await self.client.close()
        await self._passing.close()
