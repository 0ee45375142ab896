"""A gateway over its management API: the port for a gateway that runs elsewhere, stock or ours.

One refused key stops everything, writes are sent once and read back whole, calls in flight leave the gateway room, and
no failure of a gateway counts as a fault of a key.
"""

from adapter.management.client.http import AddressInvalid, HttpTransport, gateway_address
from adapter.management.connection import ManagementConnection
from adapter.management.gateway import ManagementGateway

__all__ = ["AddressInvalid", "HttpTransport", "ManagementConnection", "ManagementGateway", "gateway_address"]
