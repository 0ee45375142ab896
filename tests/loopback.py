"""A guard around the whole suite: no test asks for a name or an address beyond this machine.

Vendors are probed at their public addresses unless a stand-in is set, so a test that forgot it would reach them. The
interpreter tells of every connection and every look-up before it happens; one that leads elsewhere is refused and
fails the test, whatever the code under test makes of the refusal.
"""

from __future__ import annotations

import ipaddress
import sys
from typing import Any

LOCAL_NAMES = frozenset({"", "localhost", "localhost.localdomain"})
_CONNECTIONS = frozenset({"socket.connect", "socket.sendto"})
_LOOK_UPS = frozenset({"socket.getaddrinfo", "socket.gethostbyname"})


def is_local(host: object) -> bool:
    """Return whether a name or an address leads nowhere but to this machine."""
    if host is None:
        return True
    name = (host.decode("ascii", "replace") if isinstance(host, bytes) else str(host)).lower()
    if name in LOCAL_NAMES:
        return True
    try:
        address = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


class LoopbackGuard:
    """Refuses what leads elsewhere, and remembers it."""

    def __init__(self) -> None:
        self.refused: list[str] = []

    def install(self) -> None:
        """Watch from now on; the interpreter has no way to stop it."""
        sys.addaudithook(self._heard)

    def taken(self) -> list[str]:
        """Return what was refused since the last call."""
        refused, self.refused = self.refused, []
        return refused

    def _heard(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event in _LOOK_UPS:
            self._check(arguments[0])
        elif event in _CONNECTIONS and isinstance(arguments[1], tuple):
            self._check(arguments[1][0])

    def _check(self, host: object) -> None:
        if not is_local(host):
            self.refused.append(str(host))
            raise ConnectionRefusedError(f"A test may not leave this machine: {host!s}.")


GUARD = LoopbackGuard()
