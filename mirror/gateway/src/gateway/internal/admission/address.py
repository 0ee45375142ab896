"""Client addresses of requests."""

import ipaddress
from collections.abc import Mapping, Sequence
from typing import TypeAlias

Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network
_SITE_BITS = 64
_LOCAL = frozenset({"127.0.0.1", "::1"})


def is_local(client: str) -> bool:
    """Return whether the address is exactly ``127.0.0.1`` or ``::1``."""
    return client in _LOCAL


def canonical(address: str) -> str | None:
    """Return an address in canonical form, an IPv4-mapped one as IPv4; None when it is no address."""
    try:
        parsed = ipaddress.ip_address(address.strip())
    except ValueError:
        return None
    mapped = parsed.ipv4_mapped if isinstance(parsed, ipaddress.IPv6Address) else None
    return str(mapped or parsed)


def counted_as(client: str) -> str:
    """Return the key under which failures of an address are counted.

    An IPv6 client can use any address of its /64, so the /64 counts as one client; an IPv4 address counts as itself.
    """
    try:
        parsed = ipaddress.ip_address(client)
    except ValueError:
        return client
    if isinstance(parsed, ipaddress.IPv4Address):
        return client
    return str(ipaddress.IPv6Network((int(parsed), _SITE_BITS), strict=False))


def client_address(peer: str | None, headers: Mapping[str, str], trusted: Sequence[Network]) -> str:
    """Return the TCP peer, or the client it forwards for when the peer is a trusted proxy.

    ``X-Forwarded-For`` is read from the right and trusted proxies are skipped, so that values written by the client do
    not count. ``headers`` has lower-case names. A peer without an address (a Unix socket) is the empty string.
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
    """Return the address claimed by a forwarded header, from any sender, else the TCP peer: the stock rule, unsafe.

    The leftmost of ``X-Forwarded-For`` when all of its values are addresses, else ``X-Real-IP`` by the same rule.
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
