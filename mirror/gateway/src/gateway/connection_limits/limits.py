"""Limits of the HTTP server, and their share of the file descriptors of this process."""

import resource
from contextlib import suppress
from dataclasses import dataclass

MAX_API_CALLS = 512
_MAX_DESCRIPTORS = 65_536
_OWN_DESCRIPTORS = 64
_EIGHTHS_INBOUND = 3
_MAX_CONNECTIONS = 10_000
_MIN_CONNECTIONS = 8
_THIS_MACHINE = frozenset({"127.0.0.1", "::/64"})  # ::1 as it is counted


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one server.

    Attributes:
        connections: Open connections in all; beyond them an idle one is closed, or the new one is answered 503.
        per_address: The same for the connections of one client address, an IPv6 /64 being one address.
        head_bytes: Request line and headers.
        head_seconds: Time for a head, from the opening of the connection or the first byte of a later request.
        stall_seconds: Time after which a client that neither sends nor reads is looked at again, and cut off if it has
            not moved: a stall lasts between once and twice as long.
    """

    connections: int = 4096
    per_address: int = 1024
    head_bytes: int = 64 * 1024
    head_seconds: float = 10.0
    stall_seconds: float = 15.0

    def share_of(self, address: str) -> int:
        """Return the most connections of an address: twice as many for this machine, where a proxy may be."""
        return self.per_address * 2 if address in _THIS_MACHINE else self.per_address


def limits_for(descriptors: int) -> Limits:
    """Return the limits for a process with this number of file descriptors.

    Three eighths are for connections of clients, as many for the connections to upstreams they lead to, and a quarter
    for api-call; the rest is for files. One address has a quarter of the clients' share, busy connections included.
    """
    connections = max(_MIN_CONNECTIONS, (descriptors - _OWN_DESCRIPTORS) * _EIGHTHS_INBOUND // 8)
    connections = min(connections, _MAX_CONNECTIONS)
    return Limits(connections=connections, per_address=connections // 4)


def raise_descriptors() -> int:
    """Raise the limit of open files as far as permitted, at most to 65,536, and return the new limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    target = _MAX_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, _MAX_DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < target:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (target, hard))
    return descriptors()


def descriptors() -> int:
    """Return how many files this process may have open."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return _MAX_DESCRIPTORS if soft == resource.RLIM_INFINITY else soft


def api_call_share(descriptors: int, most: int) -> int:
    """Return how many connections each of the two pools of api-call may hold, at most ``most``."""
    return max(1, min(most, (descriptors - _OWN_DESCRIPTORS) // 8))


def api_call_connections() -> int:
    """Return how many api-calls can run at once without exhausting the descriptors: a bound for workers."""
    return api_call_share(descriptors(), MAX_API_CALLS)
