"""Ports of loopback for servers that cannot be told to take any free one.

A port that is free now may be taken until the server listens there: by a connection going out, which the kernel gives
one from a higher range, or by another process that asked the same question. Each port is therefore locked, as a byte
of one file, by the process that was given it, until that process ends.
"""

import fcntl
import os
import secrets
import socket
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

_LOOPBACK: Final = "127.0.0.1"
_PORTS: Final = range(20_000, 32_000)


def free_port() -> int:
    """Return an unused port of loopback that no process of this user was given and may still open."""
    file, taken = _locks(os.getpid())
    while True:
        port = secrets.choice(_PORTS)
        with socket.socket() as probe, suppress(OSError):
            if port not in taken:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, port)
                taken.add(port)
                probe.bind((_LOOPBACK, port))
                return port


@cache
def _locks(process: int) -> tuple[int, set[int]]:
    """Return the file with the locks and the ports that this process was given; a child has locks of its own."""
    del process
    path = Path(tempfile.gettempdir()) / f"poolkeeper-ports-{os.getuid()}"
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600), set()
