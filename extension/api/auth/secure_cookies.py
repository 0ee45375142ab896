"""Decision whether the session cookie is marked Secure, which a browser never sends in clear."""

import ipaddress
from dataclasses import dataclass
from typing import Self, TypeAlias

from starlette.requests import HTTPConnection

_Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network


@dataclass(frozen=True, slots=True)
class SecureCookies:
    """Secure `always`, or where the connection is https, or a trusted proxy says that the client's is."""

    always: bool = False
    proxies: tuple[_Network, ...] = ()

    @classmethod
    def of(cls, *, always: bool, trusted_proxies: str) -> Self:
        """Make the decision from settings; `trusted_proxies` lists addresses and networks, with commas between.

        Raises:
            ValueError: one of them is neither.
        """
        return cls(always, tuple(ipaddress.ip_network(text, strict=False) for text in listed(trusted_proxies)))

    def apply_to(self, connection: HTTPConnection) -> bool:
        """Return whether the cookie of a request's answer is Secure."""
        if self.always or connection.url.scheme == "https":
            return True
        claimed = connection.headers.get("X-Forwarded-Proto", "").partition(",")[0].strip().lower()
        return claimed == "https" and self._trusts(connection.client.host if connection.client else "")

    def _trusts(self, peer: str) -> bool:
        try:
            address = ipaddress.ip_address(peer)
        except ValueError:
            return False
        return any(address in network for network in self.proxies)


def listed(text: str) -> tuple[str, ...]:
    """Split a list with commas; empty items are left out."""
    return tuple(item.strip() for item in text.split(",") if item.strip())
