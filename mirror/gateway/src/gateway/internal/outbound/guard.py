"""Guard against calls into the gateway's own network.

The caller chooses the address of a call. Without a guard, a holder of the management key could read the metadata
service of the cloud machine or anything else that only this machine can reach.

An address has many spellings: full-width digits, ideographic full stops, circled numbers. The HTTP client normalizes
them before it connects, so a guard must not judge the text. Text becomes a URL object once, in ``sent_url``; the guard,
the redirect rules and the client all use that object.
"""

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from yarl import URL

from gateway.internal.outbound.failure import AddressBlocked

_DEFAULT_PORTS = {"http": 80, "https": 443}


def sent_url(url: str) -> URL:
    """Return the URL object to send, without its fragment.

    The text stays unchanged, unless it has characters that are not allowed on the request line.

    Raises:
        ValueError: The text is no URL.
    """
    clean = url.isascii() and " " not in url and '"' not in url
    return URL(url.partition("#")[0], encoded=clean)


def place_of(url: URL | str) -> tuple[str, int] | None:
    """Return (host, port) of a URL as the client connects to it, or None when it has none.

    The host is in lower case and ASCII, an address in canonical form.
    """
    try:
        parsed = url if isinstance(url, URL) else sent_url(url.strip())
        host, port = parsed.raw_host, parsed.explicit_port
    except ValueError:
        return None
    port = port or _DEFAULT_PORTS.get(parsed.scheme.lower())
    return (host.lower(), port) if host and port else None


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
            "3fff::/20",  # documentation
            "fec0::/10",  # site-local, deprecated
        ),
    )
)
_NAT64 = ipaddress.ip_network("64:ff9b::/96")


@dataclass(frozen=True, slots=True)
class Guard:
    """Exceptions for places that are not public.

    Attributes:
        places: (host in lower case, port) of configured base URLs; they may resolve to any address.
        hosts: Host names or addresses allowed on every port.
        networks: Networks allowed on every port.
    """

    places: frozenset[tuple[str, int]] = frozenset()
    hosts: frozenset[str] = frozenset()
    networks: tuple[Network, ...] = ()

    def trusts(self, host: str, port: int) -> bool:
        """Return whether a place is configured; raise ``AddressBlocked`` for a literal address that is not allowed."""
        if (host.lower(), port) in self.places or host.lower() in self.hosts:
            return True
        if parse_address(host) is not None and not self.allows(host):
            raise AddressBlocked(host)
        return False

    def allows(self, address: str) -> bool:
        """Return whether an address is public, or inside an allowed network."""
        parsed = parse_address(address)
        return parsed is not None and (is_public(parsed) or any(parsed in network for network in self.networks))


def parse_address(text: str) -> Address | None:
    """Return the address in a text, without an IPv6 scope, or None for a name."""
    try:
        return ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None


def is_public(address: Address) -> bool:
    """Return whether an address is in the public internet; an embedded IPv4 address decides."""
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
    """Build the guard from the configured base URLs and the allow-list.

    An element of the allow-list is a network, an address, ``host:port``, or a host name.
    """
    # Many keys share a host: each is parsed once.
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
