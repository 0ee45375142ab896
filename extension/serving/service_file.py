"""service.json: how the command line finds a running service. It holds no key."""

import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from extension.store.regular_file import read_regular_json

NAME = "service.json"
_PRIVATE = 0o600


@dataclass(frozen=True, slots=True)
class RunningService:
    """A service that said it is running: where it listens, its path prefix, and its process.

    `gateway` is the address of the gateway elsewhere that it is in front of; empty when that runs in its process.
    """

    address: str
    prefix: str
    pid: int
    gateway: str = ""

    def serves(self, gateway: str) -> bool:
        """Return whether this is the service of the gateway at an address."""
        return gateway in {self.gateway, self.address}


def announce(folder: Path, service: RunningService) -> None:
    """Write the file."""
    write_private(folder / NAME, json.dumps(asdict(service)))


def write_private(path: Path, text: str) -> None:
    """Write a file, whole or not at all, readable by its owner only. Raises OSError: it cannot be written."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, _PRIVATE)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(f"{text}\n")
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise


def withdraw(folder: Path, pid: int) -> None:
    """Remove the file, unless another process has written its own meanwhile."""
    service = read(folder)
    if service is not None and service.pid == pid:
        (folder / NAME).unlink(missing_ok=True)


def read(folder: Path) -> RunningService | None:
    """Read the file; None when there is none or it is not one of ours. The service may still be gone."""
    try:
        content = read_regular_json(folder / NAME)
        gateway = str(content.get("gateway", ""))
        return RunningService(str(content["address"]), str(content["prefix"]), int(content["pid"]), gateway)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
