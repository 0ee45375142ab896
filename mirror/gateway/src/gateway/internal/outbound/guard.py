"""The guard against calls into the gateway's own network.

A call is told where to go by its caller. Without a guard, whoever holds the management key could read the metadata
service of the cloud machine or whatever else only this machine can reach.
"""

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from gateway.internal.outbound.failure import AddressBlocked
from gateway.internal.outbound.target import place_of

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network

_INNER_THOUGH_GLOBAL = tuple(
    map(
        ipaddress.ip_network,
        (
            "168.63.129.16/32",  # a cloud's platform service on a public address
            "192.0.0.0/24",  # protocol assignments; 192.0.0.192 is a cloud's metadata service
            "192.88.99.0/24",  # 6to4 relays, deprecated
            "64:ff9b:1::/48",  # translation to IPv4 inside a network
            "3fff::/20",  # documentation, assigned to nobody
            "fec0::/10",  # site-local, deprecated
        ),
    )
)
_NAT64 = ipaddress.ip_network("64:ff9b::/96")


class Ruling(Enum):
    """What the guard says of a place before anything is sent to it."""

    TRUSTED = "trusted"  # the configuration names it
    ADDRESS_DECIDES = "address decides"  # connect, but only to addresses the guard allows


@dataclass(frozen=True, slots=True)
class Guard:
    """What may be called although it is not public.

    Attributes:
        places: (host in lower case, port) of configured base addresses; they may resolve to anything.
        hosts: Host names or addresses allowed on every port.
        networks: Networks allowed on every port.
    """

    places: frozenset[tuple[str, int]] = frozenset()
    hosts: frozenset[str] = frozenset()
    networks: tuple[Network, ...] = ()

    def rule(self, host: str, port: int) -> Ruling:
        """Judge a place by its name; raise ``AddressBlocked`` when it spells an address that is not allowed."""
        if (host.lower(), port) in self.places or host.lower() in self.hosts:
            return Ruling.TRUSTED
        if parse_address(host) is not None and not self.allows(host):
            raise AddressBlocked(host)
        return Ruling.ADDRESS_DECIDES

    def allows(self, address: str) -> bool:
        """Whether this address may be connected to: public, or inside an allowed network."""
        parsed = parse_address(address)
        return parsed is not None and (is_public(parsed) or any(parsed in network for network in self.networks))


def parse_address(text: str) -> Address | None:
    """Return the address a text spells, without an IPv6 scope, or None when it is a name."""
    try:
        return ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None


def is_public(address: Address) -> bool:
    """Whether an address lies in the public internet; one that carries an IPv4 address inside is judged by that."""
    inner = _carried(address) if isinstance(address, ipaddress.IPv6Address) else None
    if inner is not None:
        return is_public(inner)
    if any(address in network for network in _INNER_THOUGH_GLOBAL):
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def _carried(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    if address in _NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)


def guard_of(base_urls: Iterable[str], allowed: Iterable[str]) -> Guard:
    """Build the guard from the configured base addresses and the allow-list.

    An element of the allow-list is a network, an address, ``host:port``, or a host name.
    """
    # Many keys share a host: what stands before the path is read once, however many they are.
    places = set(filter(None, map(place_of, {"/".join(url.strip().split("/", 3)[:3]) for url in base_urls})))
    hosts: set[str] = set()
    networks: list[Network] = []
    for element in map(str.strip, allowed):
        network = _network(element)
        _, colon, port = element.rpartition(":")
        if network is not None:
            networks.append(network)
        elif colon and port.isdecimal():
            places.update(filter(None, [place_of(f"http://{element}")]))
        elif element:
            hosts.update(place[0] for place in filter(None, [place_of(f"http://{element}")]))
    return Guard(frozenset(places), frozenset(hosts), tuple(networks))


def _network(text: str) -> Network | None:
    try:
        return ipaddress.ip_network(text, strict=False)
    except ValueError:
        return None
