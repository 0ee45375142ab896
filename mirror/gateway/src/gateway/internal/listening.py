"""The socket the gateway listens on."""

import errno
import socket

_BACKLOG = 2048
_LAST_PORT = 65535


class ListenError(Exception):
    """The gateway cannot listen where it should; ``str()`` is one line saying why and what to do."""


def listen(host: str, port: int) -> socket.socket:
    """Open a listening socket.

    Args:
        host: A name or address; empty means every interface, IPv6 and IPv4 alike.
        port: 0 lets the operating system choose.

    Raises:
        ListenError: The port is taken, not permitted, or the host is not one of this machine.
    """
    if not 0 <= port <= _LAST_PORT:
        raise ListenError(f"{port} is no port: set a `port` from 0 to {_LAST_PORT} in the configuration")
    try:
        if not host and socket.has_dualstack_ipv6():
            return socket.create_server(("", port), family=socket.AF_INET6, dualstack_ipv6=True, backlog=_BACKLOG)
        return socket.create_server((host, port), family=_family(host, port), backlog=_BACKLOG)
    except OSError as error:
        raise ListenError(_explain(error, host, port)) from None


def address_of(listener: socket.socket, scheme: str) -> str:
    """Return where a browser on this machine reaches the socket, e.g. ``http://127.0.0.1:8317``."""
    host, port = listener.getsockname()[:2]
    if host in {"::", "0.0.0.0"}:  # noqa: S104 - compared, not bound
        host = "127.0.0.1"
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"


def _family(host: str, port: int) -> socket.AddressFamily:
    found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    return found[0][0]


def _explain(error: OSError, host: str, port: int) -> str:
    place = f"port {port} of {host}" if host else f"port {port}"
    if error.errno == errno.EADDRINUSE:
        return f"{place} is already in use: stop what listens there, or set another `port` in the configuration"
    if error.errno == errno.EACCES:
        return f"{place} may not be opened by this user: set a `port` over 1023 in the configuration"
    return f"cannot listen on {place}: set `host` to an address of this machine, or leave it empty"
