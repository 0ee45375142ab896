"""Removing an auth file, compared and removed under the gateway's own lock."""

from gateway.internal.runtime import Runtime

from adapter.embedded.compared_file import compared_file
from adapter.port import FileRef, Revision, errors


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
