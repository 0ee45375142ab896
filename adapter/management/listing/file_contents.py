"""Contents of auth files, downloaded once a revision: secrets to redact, and the address the listing leaves out."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from adapter.contract.expectations import management
from adapter.management.client.guarded_client import GuardedClient
from adapter.port import Account, AccountRef, FileRef, Revision, errors
from adapter.privacy.secret import Redactor, secrets_in
from adapter.rules.entries import shown_address

_DOWNLOAD: Final = management("auth-files/download")
_KNOWN_ADDRESS: Final = frozenset({"codex", "claude", "gemini", "gemini-cli", "antigravity", "vertex", "aistudio"})
"""Providers whose files need no address of their own, and are not downloaded for one."""


@dataclass(frozen=True, slots=True)
class FileContent:
    """Facts of an auth file beyond the gateway's listing."""

    redactor: Redactor = field(default_factory=Redactor, repr=False)
    base_url: str | None = None
    refused: bool = False
    """True where the gateway does not give the file out."""


class FileContents:
    """Downloads auth files. A failed download is no failure of the caller's: nothing is known of the file then."""

    def __init__(self, client: GuardedClient) -> None:
        self._client = client
        self._contents: dict[AccountRef, tuple[Revision, FileContent]] = {}

    async def of(self, account: Account) -> FileContent:
        """Return the content of a file; nothing of anything else, or where it cannot be downloaded."""
        if not isinstance(account.ref, FileRef):
            return FileContent()
        stored = self._contents.get(account.ref)
        if stored is not None and stored[0] == account.revision:
            return stored[1]
        try:
            value = await self._client.read(_DOWNLOAD, name=account.file_name)
        except (errors.NotFound, errors.Rejected):  # stock refuses names in a subfolder (v7.2.140)
            content = FileContent(refused=True)
        except errors.GatewayError:
            return FileContent()
        else:
            address = value.get("base_url") if isinstance(value, dict) else None
            shown = shown_address(address) if isinstance(address, str) else None
            content = FileContent(Redactor(list(secrets_in(value))), shown)
        self._contents[account.ref] = (account.revision, content)
        return content

    async def with_addresses(self, accounts: Iterable[Account]) -> tuple[Account, ...]:
        """Return the accounts of files with the addresses the listing leaves out."""
        return tuple(await asyncio.gather(*(self._addressed(account) for account in accounts)))

    async def _addressed(self, account: Account) -> Account:
        if account.base_url or account.provider.strip().lower() in _KNOWN_ADDRESS:
            return account
        content = await self.of(account)
        if content.refused:
            return replace(account, unread=True)
        return account if content.base_url is None else replace(account, base_url=content.base_url)
