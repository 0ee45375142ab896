"""Handshake of hashicorp/go-plugin: the cookie, the socket and the one line on standard output."""

import os
import shutil
import socket as sockets
import stat
import sys
import tempfile
from collections.abc import MutableMapping
from pathlib import Path
from typing import IO, Final, Self

from extension.serving.errors import NotStarted

COOKIE: Final = "GATEWAY_PLUGIN_COOKIE"
"""Environment variable that a host sets; it tells a start by a host from one by a person."""
COOKIE_VALUE: Final = "6f0f3c0d6c1e4b57a6d4a3a1f2be98c4"
SOCKET_FOLDER: Final = "PLUGIN_UNIX_SOCKET_DIR"
"""Environment variable that names the folder for sockets; go-plugin's own name."""
LONGEST_SOCKET: Final = 102
"""Most bytes of the path of a socket, as for the library; an address ends at 107."""
_CORE_VERSION: Final = 1
_PROTOCOL_VERSION: Final = 1


def take_cookie(environment: MutableMapping[str, str]) -> None:
    """Take the cookie out of the environment."""
    if environment.pop(COOKIE, "") != COOKIE_VALUE:
        raise NotStarted(
            "`poolkeeper plugin serve` is started by a gateway. Use `poolkeeper serve`, or name a socket with --socket."
        )


def handshake_line(socket: Path) -> str:
    """Return the line that tells a host where the process serves."""
    return f"{_CORE_VERSION}|{_PROTOCOL_VERSION}|unix|{socket}|grpc"


class StandardOutput:
    """Standard output, kept for the handshake; everything else that is written there goes to standard error."""

    def __init__(self, output: IO[str]) -> None:
        self._output = output

    @classmethod
    def claim(cls) -> Self:
        """Take standard output over for the rest of the process."""
        sys.stdout.flush()
        output = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)
        return cls(output)

    def announce(self, socket: Path) -> None:
        """Write the handshake line and let go of the pipe."""
        try:
            self._output.write(f"{handshake_line(socket)}\n")
            self._output.close()
        except BrokenPipeError:
            raise NotStarted("The gateway that started this process is gone.") from None


def free_socket(socket: Path) -> None:
    """Free the place of a socket: the one of a service that ended is removed."""
    length = len(os.fsencode(socket))
    if length > LONGEST_SOCKET:
        raise NotStarted(
            f"The path of the socket has {length} bytes, and {LONGEST_SOCKET} at most are possible. Name a shorter one"
            " with --socket, and in the gateway's setting socket."
        )
    try:
        if not stat.S_ISSOCK(socket.lstat().st_mode):
            raise NotStarted(f"{socket} is no socket. Name another place with --socket.")
        with sockets.socket(sockets.AF_UNIX) as caller:
            caller.connect(str(socket))
    except FileNotFoundError:
        return
    except ConnectionRefusedError:
        socket.unlink(missing_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise NotStarted(f"The socket {socket} cannot be replaced: {reason}.") from None
    else:
        raise NotStarted(f"Another service listens at the socket {socket}. Stop it, or name another with --socket.")


def folder_warning(socket: Path) -> str:
    """Return why a gateway may not use a socket in this folder, with the next step; empty when nothing is wrong."""
    try:
        status = socket.absolute().parent.stat()
    except OSError:
        return ""
    if status.st_mode & stat.S_IWOTH and not status.st_mode & stat.S_ISVTX:
        return f"Everybody can write {socket.absolute().parent}, so a gateway refuses the socket in it: chmod 700."
    if status.st_uid not in {0, os.geteuid()}:
        return (
            f"{socket.absolute().parent} belongs to user {status.st_uid}, not to user {os.geteuid()} of this service:"
            " run service and gateway as one user, in a folder of it."
        )
    return ""


class SocketFolder:
    """Private folder of this process's socket."""

    def __init__(self, parent: str) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="poolkeeper-", dir=parent or None))

    @property
    def socket(self) -> Path:
        """Path of the socket."""
        return self.path / "plugin.sock"

    def remove(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self.path, ignore_errors=True)
