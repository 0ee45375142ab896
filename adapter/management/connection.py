"""A connection to a gateway elsewhere, over its management API."""

from collections.abc import Callable

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
        chosen = clock or SystemClock()
        self._clock = chosen
        self._transport = transport or HttpTransport(address, key)
        self._client = GuardedClient(self._transport, chosen, patience=patience)
        self._binding = Binding()
        admission = HeldKey(key, chosen)
        subscriptions = ManagementSubscriptions(self._client, key, chosen)
        self._gateway = ManagementGateway(self._client, self._binding, admission, chosen, subscriptions)
        self._proxy = Proxy(self._transport, self._client, admission, self._gateway.writes)

    @property
    def client(self) -> GuardedClient:
        """The client of the gateway, for diagnostics."""
        return self._client

    @property
    def clock(self) -> Clock:
        """The clock of this connection, for diagnostics."""
        return self._clock

    @property
    def gateway(self) -> ManagementGateway:
        """The gateway; see the port."""
        return self._gateway

    @property
    def fallback(self) -> ASGIApp:
        """Proxy that passes every path that is not ours on to the gateway."""
        return self._proxy

    def bind(self, installation_key: bytes) -> None:
        """Take the installation key; see the port."""
        self._binding.bind(installation_key)

    def guard_writes(self, allowed: Callable[[], bool]) -> None:
        """Take a condition on every write; see the port."""
        self._client.guard.require(allowed)

    async def close(self) -> None:
        """Close the connections to the gateway."""
        await self._gateway.close()
        await self._client.close()
