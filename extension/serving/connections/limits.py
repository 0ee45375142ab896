"""Limits of connections as values, and the descriptors of the process that bound them."""

import resource
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

_WANTED: Final = 65_536
_FILES_OF_OUR_OWN: Final = 64
_MOST_CONNECTIONS: Final = 8_192
_LEAST_CONNECTIONS: Final = 8
_MOST_OUTBOUND: Final = 100


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """Limits of one server.

    `head_bytes` and `headers` bound a request's head, `head_seconds` its arrival. `body_seconds` is the time of a body
    beside the time its bytes take at `body_rate` per second. `unread_bytes` bounds a body that continues after its
    answer, `pipelined` the requests sent ahead on one connection. `stalled_seconds` is the time a client may leave an
    answer unread. `connections` bounds all open connections, `idle` those without a request in progress.
    """

    connections: int = 4_096
    idle: int = 1_024
    head_bytes: int = 64 * 1024
    headers: int = 200
    head_seconds: float = 10.0
    body_seconds: float = 30.0
    body_rate: int = 1_000
    unread_bytes: int = 256 * 1024
    pipelined: int = 32
    stalled_seconds: float = 300.0


def limits_within(descriptors: int) -> ConnectionLimits:
    """Return the limits of a process with so many descriptors; the gateway's side needs descriptors as well."""
    connections = (descriptors - _FILES_OF_OUR_OWN) * 3 // 8
    connections = max(_LEAST_CONNECTIONS, min(connections, _MOST_CONNECTIONS))
    return ConnectionLimits(connections=connections, idle=max(_LEAST_CONNECTIONS // 2, connections // 4))


def outbound_within(descriptors: int) -> int:
    """Return the most connections to the gateway of a process with so many descriptors."""
    return max(1, min((descriptors - _FILES_OF_OUR_OWN) // 4, _MOST_OUTBOUND))


def raise_descriptor_limit() -> int:
    """Raise the limit of open files as far as the system permits, and return the limit in force."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _WANTED if hard == resource.RLIM_INFINITY else min(hard, _WANTED)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return descriptor_limit()


def descriptor_limit() -> int:
    """Return the limit of open files in force."""
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return _WANTED if soft == resource.RLIM_INFINITY else soft
