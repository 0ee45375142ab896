"""Edits of config.yaml that a stock gateway has not loaded yet.

Theory of operation (stock v7.2.140). The gateway returns config.yaml as it stands on disk, but the sections from its
memory, and each write saves that memory over the file. An edit by hand that is not loaded yet would be gone, and the
management API keeps no trace of it. So the text is compared with the newest known one before a plan, and once more
right before the write: after an edit the writer rests until the gateway has loaded the file, and plans anew. What
remains is the time from the last reading to the save.
"""

from typing import Final

from adapter.contract.expectations import management
from adapter.management.client.guarded_client import GuardedClient
from adapter.management.listing.sections import mark_of
from adapter.management.switching.reloads import Reloads
from adapter.port import errors

_TEXT: Final = management("config.yaml")


class FileEdits:
    """Watcher of the text of config.yaml around the writes of one gateway."""

    def __init__(self, client: GuardedClient, reloads: Reloads) -> None:
        self._client = client
        self._reloads = reloads
        self._known = ""

    async def before_plan(self) -> None:
        """Read the text; when it is not as after the last write, wait until the gateway has loaded it.

        Raises:
            GatewayError: it could not be read.
        """
        if not await self.unchanged():
            await self._reloads.over()

    async def unchanged(self) -> bool:
        """Return whether the text is as last seen; an edit is noted as a write whose load has to be awaited.

        Our own gateway loads the file before it writes and compares it once more, so nothing is read there.

        Raises:
            GatewayError: it could not be read.
        """
        if (await self._client.release()).own:
            return True
        known, self._known = self._known, mark_of((await self._client.fetch(_TEXT)).body)
        if known in {"", self._known}:
            return True
        self._reloads.passed_on()
        return False

    async def written(self) -> None:
        """Read the text as a write has just left it; a text that cannot be read now is learned before the next plan."""
        self._known = ""
        try:
            await self.unchanged()
        except errors.GatewayError:
            return
