"""The interface of this package for everything else that writes the gateway's configuration."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from adapter.management.switching.reloads import Reloads
from adapter.management.switching.section_writer import SectionWriter
from adapter.port import Section


class ConfigurationWrites:
    """One configuration write at a time, each after the reload of the one before.

    A caller holds `turn`, notes `sent` right before its request and `seen` as soon as the effect has been read.
    """

    def __init__(self, reloads: Reloads, writer: SectionWriter) -> None:
        self._reloads = reloads
        self._writer = writer

    @property
    def window(self) -> float:
        """Seconds between the last reading of a section and its replacement, in the newest write."""
        return self._writer.window

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for the other writers and for the reload of their last write, then keep them out."""
        async with self._reloads.writing:
            await self._reloads.over()
            yield

    def sent(self) -> None:
        """Note that a write leaves now."""
        self._reloads.sent()

    def seen(self) -> None:
        """Note that the effect of the last write has been read."""
        self._reloads.seen()

    def passed_on(self) -> None:
        """Note that a client's own write has just gone to the gateway through the proxy."""
        self._reloads.passed_on()

    async def let_in(self) -> None:
        """Wait until a client's own write may leave; see `Reloads`."""
        await self._reloads.let_in()

    async def over(self) -> None:
        """Wait until the reload of the last write is over."""
        await self._reloads.over()

    async def replace(self, section: Section, entries: Sequence[Any]) -> None:
        """Replace a section within a turn and wait for the effect.

        Raises:
            GatewayError: it could not be, or reads back differently (`applied` is "maybe" then).
        """
        await self._writer.replace(section, entries)
