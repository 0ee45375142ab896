"""Deletion of credential files. There is no function to delete a configured key."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gateway.internal.configuration.model import Profile
from gateway.internal.operations.changing import Refused
from gateway.internal.pool.credential import Credential
from gateway.internal.runtime import Runtime


@dataclass(frozen=True, slots=True)
class DeleteResult:
    """Result for one name: ``status`` and ``error`` of the management answer."""

    name: str
    status: int = 200
    error: str = ""


async def delete_files(runtime: Runtime, names: Sequence[str]) -> tuple[DeleteResult, ...]:
    """Remove credential files from auth-dir, and return after the pool is without them.

    ``names`` are ids, file names or base names. A configured key is refused (409), an unknown name is 404; neither
    stops the others.
    """
    return await runtime.exclusively(lambda: _delete(runtime, names))


async def delete_all(runtime: Runtime) -> int:
    """Remove every ``*.json`` file of auth-dir; return the number of removed ones.

    Raises:
        Refused: The folder cannot be read.
    """
    return await runtime.exclusively(lambda: _delete_all(runtime))


async def _delete(runtime: Runtime, names: Sequence[str]) -> tuple[DeleteResult, ...]:
    await runtime.refresh()
    results = [await _delete_one(runtime, name.strip()) for name in names]
    await runtime.refresh()
    return tuple(results)


async def _delete_all(runtime: Runtime) -> int:
    removed = 0
    try:
        names = await runtime.file_names()
    except OSError as error:
        raise Refused(500, f"failed to read auth dir: {(error.strerror or 'unknown error').lower()}") from None
    for name in names:
        try:
            await runtime.remove_file(runtime.auth_dir / name)
        except OSError:  # the answer's number tells; the stock gateway goes on as well
            continue
        removed += 1
    await runtime.refresh()
    return removed


async def _delete_one(runtime: Runtime, name: str) -> DeleteResult:
    if is_unsafe(name):
        return DeleteResult(name, 400, "invalid name")
    extended = runtime.configuration.management_profile is Profile.EXTENDED
    if extended and any(not credential.is_file for credential in runtime.snapshot.named(name)):
        text = f"{name} is an API key in config.yaml, not a file; nothing was deleted, disable it instead"
        return DeleteResult(name, 409, text)
    path = _path(runtime, name)
    try:
        await runtime.remove_file(path)
    except FileNotFoundError:
        return DeleteResult(name, 404, "auth file not found")
    except OSError as error:
        return DeleteResult(name, 500, f"failed to remove file: {error.strerror}")
    return DeleteResult(name)


def _path(runtime: Runtime, name: str) -> Path:
    credential: Credential | None = runtime.snapshot.by_id(name)
    if credential is not None and credential.path is not None:
        return credential.path
    return runtime.auth_dir / name


def is_unsafe(name: str) -> bool:
    """Return whether a name could lead out of auth-dir: empty, dots, or with a separator or a drive."""
    return name in {"", ".", ".."} or "/" in name or "\\" in name or "\0" in name or name[1:2] == ":"
