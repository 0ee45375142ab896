"""The address a request is judged by."""

import ipaddress
from collections.abc import Mapping, Sequence
from typing import TypeAlias

Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network
_SITE_BITS = 64
_LOCAL = frozenset({"127.0.0.1", "::1"})


def is_local(client: str) -> bool:
    """Whether the address is this machine: exactly ``127.0.0.1`` or ``::1``, no range and no name."""
    return client in _LOCAL


def canonical(address: str) -> str | None:
    """The address in its one spelling, an IPv4 address mapped into IPv6 as IPv4; None when it is no address."""
    try:
        parsed = ipaddress.ip_address(address.strip())
    except ValueError:
        return None
    mapped = parsed.ipv4_mapped if isinstance(parsed, ipaddress.IPv6Address) else None
    return str(mapped or parsed)


def counted_as(client: str) -> str:
    """Return the name failures of an address are counted under.

    One IPv6 client has a whole /64 to choose its address from, so all of it counts as one; an IPv4 address is itself.
    """
    try:
        parsed = ipaddress.ip_address(client)
    except ValueError:
        return client
    if isinstance(parsed, ipaddress.IPv4Address):
        return client
    return str(ipaddress.IPv6Network((int(parsed), _SITE_BITS), strict=False))


def client_address(peer: str | None, headers: Mapping[str, str], trusted: Sequence[Network]) -> str:
    """The TCP peer, or whom it forwards for when the peer is a trusted proxy.

    ``X-Forwarded-For`` is read from the right, proxies of ours skipped, so that nothing the client wrote into it
    counts. ``headers`` has lower-case names. A peer without an address (a Unix socket) is the empty string.
    """
    address = canonical(peer or "") or ""
    for hop in reversed(headers.get("x-forwarded-for", "").split(",")):
        if not _inside(address, trusted):
            return address
        forwarded = canonical(hop)
        if forwarded is None:
            return address
        address = forwarded
    return address


def claimed_address(peer: str | None, headers: Mapping[str, str]) -> str:
    """What a forwarded header claims, whoever sent it, else the TCP peer: the stock gateway's rule, unsafe.

    The leftmost of ``X-Forwarded-For`` when all of it are addresses, else ``X-Real-IP`` by the same rule.
    """
    for name in ("x-forwarded-for", "x-real-ip"):
        hops = [canonical(hop) for hop in headers.get(name, "").split(",")]
        if hops[0] is not None and all(hops):
            return hops[0]
    return canonical(peer or "") or ""


def _inside(address: str, networks: Sequence[Network]) -> bool:
    if not address or not networks:
        return False
    parsed = ipaddress.ip_address(address)
    return any(parsed in network for network in networks)
