"""Requests by hand: what no HTTP library would send."""

from __future__ import annotations

import socket


def connected(port: int, seconds: float = 20, source: str = "127.0.0.1") -> socket.socket:
    """Connect, at will from another address of the loopback network."""
    return socket.create_connection(("127.0.0.1", port), seconds, (source, 0))


def status_of(answer: bytes) -> int:
    return int(answer[9:12]) if answer.startswith(b"HTTP/1.1 ") else 0


def answered(port: int, request: bytes) -> int:
    """Send a request over a connection of its own; return the status of the answer, 0 without any."""
    with connected(port) as connection:
        try:
            connection.sendall(request)
            return status_of(connection.recv(65_536))
        except (ConnectionResetError, BrokenPipeError):
            return 0


def poured(port: int, head: bytes, piece: bytes, most: int) -> tuple[int, int]:
    """Send a head, then a piece again and again until the server ends it; return status and bytes sent."""
    with connected(port) as connection:
        connection.sendall(head)
        sent = 0
        try:
            while sent < most:
                connection.sendall(piece)
                sent += len(piece)
                connection.settimeout(0.001)
                try:
                    return status_of(connection.recv(65_536)), sent
                except TimeoutError:
                    connection.settimeout(20)
        except (ConnectionResetError, BrokenPipeError):
            return 0, sent
        return -1, sent


def closed_by_the_server(connection: socket.socket) -> bool:
    """Read until the server ends the connection."""
    try:
        while connection.recv(65_536):
            pass
    except TimeoutError:
        return False
    except ConnectionResetError:
        return True
    return True
