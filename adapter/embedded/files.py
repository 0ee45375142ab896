"""Auth files read, removed and written back, compared with their listing under the lock of the gateway."""

import asyncio
import json
from pathlib import Path, PurePosixPath

from gateway.internal.operations.files import is_unsafe
from gateway.internal.runtime import Runtime

from adapter.embedded.calling import live_credential
from adapter.port import FileRef, Revision, errors
from adapter.privacy.secret import Secret


async def compared_file(runtime: Runtime, file: FileRef, expect: Revision) -> Path:
    """Return the place of an auth file that is as it was when it was listed.

    Raises:
        NotFound: it is there no more.
        ConflictError: it has changed.
    """
    await runtime.refresh()
    credential = live_credential(runtime, file)
    if credential is None or credential.path is None:
        raise errors.NotFound(f"There is no auth file {file.name!r}: list the pool again.")
    if credential.revision != expect:
        raise errors.ConflictError(f"The auth file {file.name!r} changed since it was listed: look at it again.")
    return credential.path


async def read_file(runtime: Runtime, file: FileRef, expect: Revision) -> Secret:
    """Return the content of one file; see `Accounts.read_file`."""

    async def compare_and_read() -> Secret:
        path = await compared_file(runtime, file, expect)
        try:
            return Secret((await runtime.read_file(path)).decode())
        except FileNotFoundError:
            raise errors.NotFound(f"There is no auth file {file.name!r} any more.") from None
        except (OSError, UnicodeDecodeError):
            raise errors.Rejected("unreadable", f"The auth file {file.name!r} cannot be read.") from None

    return await runtime.exclusively(compare_and_read)


async def restore_file(runtime: Runtime, file: FileRef, content: Secret) -> None:
    """Write a deleted file back; see `Accounts.restore_file`. Cancelling waits until it is done."""

    async def compare_and_write() -> None:
        await runtime.refresh()
        path = _path(runtime, file)
        _require_object(content)
        if live_credential(runtime, file) is not None or await asyncio.to_thread(path.exists):
            raise errors.ConflictError(f"An auth file {file.name!r} exists again; nothing was written.")
        try:
            await runtime.write_file(path, content.reveal().encode())
        except OSError as error:
            raise errors.Rejected("failed", f"The file cannot be written ({error.strerror}).") from None
        finally:
            await runtime.refresh()

    await runtime.exclusively(compare_and_write)


def _require_object(content: Secret) -> None:
    try:
        value = json.loads(content.reveal())
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise errors.Rejected("invalid_file", "The content is no JSON object; nothing was written.")


def _path(runtime: Runtime, file: FileRef) -> Path:
    """Return the place of a file in the gateway's folder.

    Raises Rejected: the name could lead out of the folder, or is not that of an auth file.
    """
    parts = PurePosixPath(file.name).parts
    if not file.name.lower().endswith(".json") or any(is_unsafe(part) or part == ".." for part in parts):
        raise errors.Rejected("invalid_name", f"{file.name!r} is no name of an auth file; nothing was written.")
    return runtime.auth_dir.joinpath(*parts)


async def remove_file(runtime: Runtime, file: FileRef, expect: Revision) -> None:
    """Remove one file; see `Accounts.delete_file`. Cancelling waits until it is done."""

    async def compare_and_remove() -> None:
        path = await compared_file(runtime, file, expect)
        try:
            await runtime.remove_file(path)
        except FileNotFoundError:
            raise errors.NotFound(f"There is no auth file {file.name!r} any more.") from None
        except OSError as error:
            raise errors.Rejected("failed", f"The file cannot be removed ({error.strerror}).") from None
        finally:
            await runtime.refresh()

    await runtime.exclusively(compare_and_remove)
