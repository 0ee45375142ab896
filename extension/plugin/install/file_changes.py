"""Changes of files that are all undone when one of them fails.

Theory of operation. Each change leaves its reversal on an `ExitStack` before it is made. The caller drops the reversals
when everything is done; an error on the way runs them, newest first.

What root makes in the folder of a gateway belongs to the gateway's user, who could not read a private file of root.
"""

import os
import re
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final

_ROOT: Final = 0
_CONFIG_NAME: Final = "config.yaml"
_TEMPORARY: Final = re.compile(r"\.(?P<name>.+)\.(?P<process>\d+)")


@contextmanager
def all_or_nothing() -> Iterator[ExitStack]:
    """Give a stack of reversals, which run when the block ends with an error or is interrupted."""
    with ExitStack() as undo:
        yield undo
        undo.pop_all()


def folder_made(folder: Path, undo: ExitStack) -> None:
    """Create a folder and those above it."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    for one in reversed(missing):
        one.mkdir(exist_ok=True)
        undo.callback(removed_if_empty, one)
        if os.geteuid() == _ROOT:
            os.chown(one, *_owner(one))


def removed_if_empty(folder: Path) -> bool:
    """Remove a folder that holds nothing; return whether it is gone now."""
    with suppress(OSError):
        folder.rmdir()
    return not folder.exists()


def replaced_file(path: Path, content: bytes, mode: int, undo: ExitStack) -> None:
    """Put a file in place of another in one step, so that no reader sees half of one."""
    existed = path.is_file()
    if existed:
        undo.callback(renamed, path, path.read_bytes(), stat.S_IMODE(path.stat().st_mode))
    else:
        undo.callback(path.unlink, missing_ok=True)
    renamed(path, content, mode)


def deleted_file(path: Path, undo: ExitStack) -> None:
    """Delete a file."""
    content, mode = path.read_bytes(), stat.S_IMODE(path.stat().st_mode)
    path.unlink()
    undo.callback(renamed, path, content, mode)


def rewritten(path: Path, content: bytes) -> None:
    """Write a file in place: it keeps its inode."""
    with path.open("r+b") as file:
        file.write(content)
        file.truncate()
        file.flush()
        os.fsync(file.fileno())


def renamed(target: Path, content: bytes, mode: int) -> None:
    """Write a file beside its place and rename it there."""
    with _dot_file(target) as temporary:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, mode)
        with os.fdopen(descriptor, "wb") as file:
            os.fchmod(file.fileno(), mode)
            if os.geteuid() == _ROOT:
                os.fchown(file.fileno(), *_owner(target))
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _owner(path: Path) -> tuple[int, int]:
    """Return user and group for a new file or folder.

    They are those of the file before it, of the configuration beside it, or of the folder it is in.
    """
    config = path.with_name(_CONFIG_NAME)
    reference = next((one for one in (path, config) if one.is_file()), path.parent)
    found = reference.stat()
    return found.st_uid, found.st_gid


def remove_temporary(folder: Path, prefixes: tuple[str, ...]) -> None:
    """Remove the half-written files that a killed process left, for targets whose names start so."""
    for path in folder.glob(".*"):
        found = _TEMPORARY.fullmatch(path.name)
        if found and found["name"].startswith(prefixes) and not _runs(int(found["process"])):
            path.unlink()


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


@contextmanager
def _dot_file(target: Path) -> Iterator[Path]:
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        yield temporary
    finally:
        temporary.unlink(missing_ok=True)
