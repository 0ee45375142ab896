"""Deletion of auth files over the management API, with their contents before it and their restoration after it."""

from typing import Final

from adapter.contract.expectations import management
from adapter.management.client.guarded_client import GuardedClient
from adapter.management.listing.account_directory import AccountDirectory
from adapter.port import FileRef, Revision, errors
from adapter.privacy.secret import Secret

_FILES: Final = management("auth-files")
_DOWNLOAD: Final = management("auth-files/download")
_SECONDS: Final = 30.0


class FileDeletion:
    """Reads, deletes and restores single files; each is compared right before and looked for right after."""

    def __init__(self, client: GuardedClient, directory: AccountDirectory) -> None:
        self._client = client
        self._directory = directory

    async def read(self, file: FileRef, expect: Revision) -> Secret:
        await self._client.release()
        await self._compare(file, expect)
        try:
            return Secret((await self._client.fetch(_DOWNLOAD, name=file.name)).body.decode())
        except UnicodeDecodeError:
            raise errors.Rejected("unreadable", f"The auth file {file.name!r} is no text.") from None

    async def delete(self, file: FileRef, expect: Revision) -> None:
        await self._client.release()
        await self._compare(file, expect)
        await self._client.write("DELETE", _FILES, None, _SECONDS, name=file.name)
        if await self._lists(file):
            raise errors.Unavailable(
                f"The gateway says that the file {file.name!r} is deleted and lists it still: list the pool again.",
                applied="maybe",
            )

    async def restore(self, file: FileRef, content: Secret) -> None:
        """See `Accounts.restore_file`. A stock gateway overwrites a file of that name, so it is looked for first."""
        await self._client.release()
        if await self._lists(file) or await self._is_stored(file):
            raise errors.ConflictError(f"An auth file {file.name!r} exists again; nothing was written.")
        text = content.reveal().encode()
        trouble = await self._stored(file, text)
        if await self._removed_part(file, text):
            raise errors.Unavailable(
                f"The gateway stored a part of the file {file.name!r}, as on a full disk; that part was removed again.",
                applied="no",
            )
        if trouble is not None:
            raise trouble
        if not await self._lists(file):
            raise errors.Unavailable(
                f"The gateway says that the file {file.name!r} is stored and does not list it: list the pool again.",
                applied="maybe",
            )

    async def _stored(self, file: FileRef, text: bytes) -> errors.GatewayError | None:
        """Write a new file; return the error of a write that may have taken effect."""
        try:
            await self._client.write("POST", _FILES, text, _SECONDS, name=file.name)
        except errors.GatewayError as error:
            if error.applied == "no":
                raise
            return error
        return None

    async def _removed_part(self, file: FileRef, text: bytes) -> bool:
        """Remove a stored beginning of a text, which would stand in the way of the next attempt."""
        try:
            stored = (await self._client.fetch(_DOWNLOAD, name=file.name)).body
        except errors.GatewayError:
            return False
        if len(stored) >= len(text) or not text.startswith(stored):
            return False
        await self._client.write("DELETE", _FILES, None, _SECONDS, name=file.name)
        return True

    async def _compare(self, file: FileRef, expect: Revision) -> None:
        accounts = {account.ref: account for account in (await self._directory.files()).accounts}
        account = accounts.get(file)
        if account is None:
            raise errors.NotFound(f"There is no auth file {file.name!r}: list the pool again.")
        if account.revision != expect:
            raise errors.ConflictError(f"The auth file {file.name!r} changed since it was listed: look at it again.")

    async def _lists(self, file: FileRef) -> bool:
        return any(account.ref == file for account in (await self._directory.files()).accounts)

    async def _is_stored(self, file: FileRef) -> bool:
        """Return whether the folder holds the file, listed or not."""
        try:
            await self._client.fetch(_DOWNLOAD, name=file.name)
        except errors.NotFound:
            return False
        return True
