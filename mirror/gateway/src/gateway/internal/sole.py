"""Lock of config.yaml: two gateways would overwrite each other's changes."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import structlog

_log = structlog.get_logger("gateway")


class InUseError(Exception):
    """Another process serves this configuration; ``str()`` is one line with the remedy."""


@contextmanager
def sole(config_path: Path) -> Iterator[None]:
    """Hold the lock of a configuration during the block.

    The lock is on ``.config.yaml.lock`` beside the real file, because every write replaces config.yaml itself. The
    operating system releases it when the process ends, so a remaining file has no meaning. Where there can be no such
    file (a folder that is not writable, a file system without locks) nothing is locked.

    Raises:
        InUseError: Another process holds it.
    """
    descriptor = _opened(config_path)
    if descriptor is None:
        yield
        return
    try:
        _lock(descriptor, config_path)
        yield
    finally:
        os.close(descriptor)


def _opened(config_path: Path) -> int | None:
    real = config_path.resolve()
    if not real.is_file():
        return None  # reading it gives the better error
    place = real.with_name(f".{real.name}.lock")
    try:
        return os.open(place, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)
    except OSError as error:
        _log.info("config.yaml is not locked against other gateways", file=str(place), problem=error.strerror)
        return None


def _lock(descriptor: int, config_path: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise InUseError(
            f"{config_path} is in use by another gateway: stop that one, or name another file with --config"
        ) from None
    except OSError as error:
        _log.info("config.yaml is not locked against other gateways", problem=error.strerror)
