"""The limits as values, and their share of the file descriptors of a process."""

from dataclasses import dataclass

_OWN_DESCRIPTORS = 64
_EIGHTHS_INBOUND = 3
_MOST_CONNECTIONS = 10_000
_FEWEST_CONNECTIONS = 8


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one server.

    Attributes:
        connections: Open connections; beyond them an idle one gives way, else the new one is answered 503.
        idle: Connections without a request in progress; beyond them the longest idle one is closed.
        head_bytes: Request line and headers.
        headers: Number of headers, trailers included.
        head_seconds: From the opening of the connection, or the first byte of a later request, to the last byte of the
            head.
        body_seconds: For a body, and in addition as long as its bytes take at ``body_rate``.
        body_rate: Least bytes of a body in a second, on average.
        unread_bytes: Body bytes taken from the wire after the answer is complete; beyond them the connection is closed.
        pipelined: Requests that may wait on one connection for the one before them.
    """

    connections: int = 4096
    idle: int = 1024
    head_bytes: int = 64 * 1024
    headers: int = 200
    head_seconds: float = 10.0
    body_seconds: float = 30.0
    body_rate: int = 1000
    unread_bytes: int = 256 * 1024
    pipelined: int = 32


def limits_for(descriptors: int) -> Limits:
    """Return the limits for a process with so many file descriptors.

    Three eighths are for connections of clients, as many for the connections to upstreams they lead to, and a quarter
    for api-call. Some are left for files.
    """
    connections = max(_FEWEST_CONNECTIONS, (descriptors - _OWN_DESCRIPTORS) * _EIGHTHS_INBOUND // 8)
    connections = min(connections, _MOST_CONNECTIONS)
    return Limits(connections=connections, idle=max(connections // 4, _FEWEST_CONNECTIONS // 2))


def api_call_share(descriptors: int, most: int) -> int:
    """Return how many connections each of the two pools of api-call may hold, at most ``most``."""
    return max(1, min(most, (descriptors - _OWN_DESCRIPTORS) // 8))
