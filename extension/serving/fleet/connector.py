"""Connections to the gateways of a fleet: the address guard, and how long a read is repeated."""

import ipaddress
from typing import Final
from urllib.parse import urlsplit

from adapter.management import HttpTransport, ManagementConnection, gateway_address
from adapter.management.client.guarded_client import PATIENCE
from adapter.privacy.secret import Secret

_CONNECTIONS: Final = 20
"""Most connections to a gateway: fifty of them share the descriptors of a process."""
_TEST_PATIENCE: Final = 2.0


class ManagementConnector:
    """Makes connections over the management API, bound to the key of this installation."""

    def __init__(self, installation: bytes) -> None:
        self._installation = installation

    def address(self, text: str) -> str:
        """See `Connector`; addresses of the own link are refused: there the metadata of a cloud is served."""
        address = gateway_address(text)
        host = urlsplit(address).hostname or ""
        try:
            is_link_local = ipaddress.ip_address(host).is_link_local
        except ValueError:
            is_link_local = False
        if is_link_local:
            raise ValueError("This is an address of the own link, where no gateway is.")
        return address

    def connect(self, url: str, key: Secret, ca: str) -> ManagementConnection:
        """See `Connector`; for a test, which is not repeated for long."""
        return self.lasting(url, key, ca, patience=_TEST_PATIENCE)

    def lasting(self, url: str, key: Secret, ca: str, *, patience: float = PATIENCE) -> ManagementConnection:
        """Return a connection for an engine, or raise `ValueError`."""
        transport = HttpTransport(url, key, _CONNECTIONS, ca=ca)
        connection = ManagementConnection(url, key, transport=transport, patience=patience)
        connection.bind(self._installation)
        return connection
