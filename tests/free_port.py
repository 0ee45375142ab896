"""Ports for servers of tests."""

import secrets
import socket
from contextlib import suppress

_PORTS = range(20_000, 32_000)


def free_port() -> int:
    """Return an unused port of loopback, below those that the kernel gives to outgoing connections meanwhile."""
    while True:
        port = secrets.choice(_PORTS)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
