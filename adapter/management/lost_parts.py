"""Parts of config.yaml that a write through a stock gateway drops: looked up before it, and brought back afterwards.

Theory of operation (stock v7.2.140). A write of one entry saves the whole memory over the file, without what the
gateway does not have in use. The parts cannot be given back entry by entry, because the gateway would leave them out
again. But a text is stored as it is sent. So the text before the write is kept, and written again once everything in
use is as it was then: that changes nothing but the parts that were lost.
"""

import asyncio
import json
from contextlib import suppress
from hashlib import sha256
from typing import Final

from adapter.contract.expectations import management
from adapter.management.client.guarded_client import GuardedClient
from adapter.management.client.interpreting import PathUnknown
from adapter.management.documents import Documents
from adapter.management.listing.account_directory import AccountDirectory
from adapter.management.switching.file_edits import FileEdits
from adapter.management.switching.reloads import Reloads
from adapter.port import Losses, Section
from adapter.rules.config_text import config_values
from adapter.rules.lost_parts import lost_parts

_SETTINGS: Final = management("config")


class ConfigurationLosses:
    """Looks up and brings back what writes of one gateway drop."""

    def __init__(
        self,
        client: GuardedClient,
        directory: AccountDirectory,
        documents: Documents,
        edits: FileEdits,
        reloads: Reloads,
    ) -> None:
        self._client = client
        self._directory = directory
        self._documents = documents
        self._edits = edits
        self._reloads = reloads

    async def now(self) -> Losses:
        """Return what a write drops now; nothing while the file has edits that no write overwrites.

        Raises:
            GatewayError: it could not be read.
        """
        if (await self._client.release()).own:
            return Losses()
        async with self._reloads.writing:
            if await self._edits.before_plan() is not None:
                return Losses()
            document = await self._documents.read(shared=True)
            shown = {}
            for section in Section:
                with suppress(PathUnknown):
                    shown[section] = (await self._directory.section(section, shared=True)).entries
            values = await asyncio.to_thread(config_values, document.text.reveal())
            parts = lost_parts(values, shown).names
            return Losses(parts, document.text, await self._mark(shared=True)) if parts else Losses()

    async def bring_back(self, losses: Losses) -> bool:
        """Write the text of losses again, if everything in use is as it was then.

        Raises:
            GatewayError: it could not be; `applied` says whether it may be written.
        """
        async with self._reloads.writing:
            await self._reloads.over()
            same = await self._mark() == losses.mark
        if not same:
            return False
        await self._documents.write(losses.text, (await self._documents.read()).revision)
        return True

    async def _mark(self, *, shared: bool = False) -> str:
        settings = json.dumps(await self._client.read(_SETTINGS, shared=shared), sort_keys=True)
        return sha256(settings.encode()).hexdigest()
