"""Edits of config.yaml that a stock gateway has not loaded yet.

Theory of operation (stock v7.2.140). The gateway returns config.yaml as it stands on disk, but the sections from its
memory, and each write saves that memory over the file. An edit by hand that is not loaded yet would be gone, and the
management API keeps no trace of it. So the text is compared with the newest known one before a plan, and once more
right before the write. A text that is new is compared with the sections in use: while they differ the gateway is given
time to load it, and when it does not, nothing is written. A text that is no YAML is given up soon. What remains is the
time from the last reading to the save, and edits outside of the sections of API keys.
"""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from adapter.clock import Clock
from adapter.contract.expectations import management, section_path
from adapter.management.client.guarded_client import GuardedClient
from adapter.management.client.interpreting import PathUnknown
from adapter.management.listing.sections import mark_of
from adapter.management.switching.reloads import EFFECT_SECONDS, Reloads
from adapter.management.switching.unloaded_edits import unloaded_section
from adapter.port import Refused, Section, errors
from adapter.rules.config_text import ConfigTextInvalid, config_values

_TEXT: Final = management("config.yaml")
_PAUSE: Final = 0.5
_UNREADABLE_SECONDS: Final = 2.0
"""Time for a text that is no YAML: no gateway loads it, but an editor may be in the middle of writing it."""
_NOT_LOADED: Final = (
    "config.yaml has edits in {section} that the gateway has not loaded, and a write would overwrite them: nothing was"
    " written. A gateway does not notice a file that was put in the place of the one it has open: restart it, and try"
    " again."
)
_UNREADABLE: Final = (
    "config.yaml cannot be read as YAML{place}, and a write would overwrite its edits: nothing was written. The gateway"
    " goes on with what it loaded before. Correct the file, then try again; until then do not restart the gateway,"
    " which does not start with such a file."
)


@dataclass(frozen=True, slots=True)
class UnloadedEdit:
    """An edit that the gateway has not loaded: in a section, or one that made the file unreadable."""

    section: str = ""
    line: int = 0
    """First unreadable line, where the section is not known; 0 when the line is not known either."""

    def refusal(self) -> Refused:
        """Return the refusal of a write that would overwrite the edit."""
        if self.section:
            return Refused("file_not_loaded", _NOT_LOADED.format(section=self.section), {"section": self.section})
        place = f" (line {self.line})" if self.line else ""
        return Refused("file_unreadable", _UNREADABLE.format(place=place), {"line": self.line} if self.line else {})


class FileEdits:
    """Watcher of the text of config.yaml around the writes of one gateway."""

    def __init__(self, client: GuardedClient, reloads: Reloads, clock: Clock) -> None:
        self._client = client
        self._reloads = reloads
        self._clock = clock
        self._known = ""
        self._body = b""
        self._loaded = ""
        self._given_up = ""

    async def before_plan(self) -> UnloadedEdit | None:
        """Read the text, and wait until the gateway has loaded it.

        Returns an edit that it does not load, and None when a write overwrites none.

        Raises:
            GatewayError: it could not be read.
        """
        began = self._clock.monotonic()
        if not await self.unchanged(shared=True):
            await self._reloads.over()
            await self.unchanged()  # it may be mended by now
        edit = None if self._known == self._loaded else await self._awaited(began)
        self._body = b""  # it holds keys
        return edit

    async def unchanged(self, *, shared: bool = False) -> bool:
        """Return whether the text is as last seen; an edit is noted as a write whose load has to be awaited.

        For `shared` see `GuardedClient.read`.

        Our own gateway loads the file before it writes and compares it once more, so nothing is read there.

        Raises:
            GatewayError: it could not be read.
        """
        if (await self._client.release()).own:
            return True
        self._body = (await self._client.fetch(_TEXT, shared=shared)).body
        known, self._known = self._known, mark_of(self._body)
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
        self._loaded, self._body = self._known, b""

    async def _awaited(self, began: float) -> UnloadedEdit | None:
        """Compare text and sections until they agree; a text that was waited for in vain is not waited for again."""
        now = self._clock.monotonic()
        patience = 0.0 if self._known == self._given_up else EFFECT_SECONDS
        shared = True
        while edit := await self._unloaded(shared=shared):
            deadline = now + patience if edit.section else began + min(patience, _UNREADABLE_SECONDS)
            if self._clock.monotonic() >= deadline:
                self._given_up = self._known
                return edit
            await self._clock.sleep(_PAUSE)
            await self.unchanged()
            shared = False
        self._loaded = self._known
        return None

    async def _unloaded(self, *, shared: bool) -> UnloadedEdit | None:
        text = self._body.decode("utf-8", "replace")
        try:
            disk = await asyncio.to_thread(config_values, text)
        except ConfigTextInvalid as invalid:
            return UnloadedEdit(line=invalid.line)
        memory: dict[str, Any] = {}
        for entries in await asyncio.gather(*(self._section(section, shared=shared) for section in Section)):
            memory |= entries
        section = await asyncio.to_thread(unloaded_section, disk, memory)
        return UnloadedEdit(section) if section else None

    async def _section(self, section: Section, *, shared: bool) -> Mapping[str, Any]:
        """Return the entries that the gateway has in use; nothing of a section that its release does not have."""
        try:
            answer = json.loads((await self._client.fetch(section_path(section), shared=shared)).body)
        except (PathUnknown, ValueError):
            return {}
        return {section.value: answer.get(section.value) or []} if isinstance(answer, dict) else {}
