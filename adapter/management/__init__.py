"""A gateway over its management API: the port for a gateway that runs elsewhere, stock or ours.

It is careful by nature: one refused key stops everything, writes are sent once and read back whole, calls in flight
leave the gateway room, and nothing a gateway does is taken for a fault of a key.
"""

from adapter.management.client.http import AddressInvalid, gateway_address
from adapter.management.connection import ManagementConnection
from adapter.management.gateway import ManagementGateway

__all__ = ["AddressInvalid", "ManagementConnection", "ManagementGateway", "gateway_address"]
