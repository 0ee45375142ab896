"""Client addresses as limits and bans count them. Pure."""

import ipaddress
from typing import Final

_NETWORK_BITS: Final = 64
_THIS_MACHINE: Final = frozenset({"127.0.0.1", "::1"})


def counted_as(address: str) -> str:
    """Return the name under which a client is counted: one IPv6 client owns a whole /64, and IPv4 in IPv6 is IPv4.

    What is no address has one name: a proxy could be told any text.
    """
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return ""
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.IPv6Network((int(parsed), _NETWORK_BITS), strict=False))


def is_this_machine(address: str) -> bool:
    """Return whether an address is the loopback address by the gateway's rule: no range and no name."""
    return address.removeprefix("::ffff:") in _THIS_MACHINE
