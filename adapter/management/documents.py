"""The configuration over a management API: the text as stored, its replacement, sections, and the proxy."""

import asyncio
import json
import re
from collections.abc import Sequence
from typing import Any, Final

from adapter.clock import Clock
from adapter.contract.expectations import management
from adapter.management.client.guarded_client import GuardedClient
from adapter.management.client.interpreting import PathUnknown
from adapter.management.client.transport import WRITE_SECONDS, Reply, Request
from adapter.management.listing.account_directory import AccountDirectory
from adapter.management.switching.reloads import Reloads
from adapter.management.switching.section_writer import SectionWriter
from adapter.port import Capability, Document, Entry, Revision, Section, errors
from adapter.privacy.secret import Secret
from adapter.rules.config_text import ConfigTextInvalid, config_values
from adapter.rules.entries import entry_value, revision_of
from adapter.rules.identity import SYNTHESIS_ORDER

_TEXT: Final = management("config.yaml")
_PROXY: Final = management("proxy-url")
_INVALID: Final = {400: "invalid_yaml", 422: "invalid_config"}
_NOT_FOUND: Final = 404
_FAILED: Final = 500
_EFFECT_SECONDS: Final = 20.0
_PAUSE: Final = 0.1
_LINE: Final = re.compile(r"\bline (\d+)")


class Documents:
    """Reads and writes config.yaml; writes are compared with what was expected right before."""

    def __init__(
        self, link: GuardedClient, directory: AccountDirectory, writer: SectionWriter, reloads: Reloads, clock: Clock
    ) -> None:
        self._link = link
        self._roster = directory
        self._writer = writer
        self._reloads = reloads
        self._clock = clock

    async def read(self) -> Document:
        """See the port."""
        await self._link.release()
        reply, _ = await self._link.repeated(Request("GET", _TEXT))
        text = reply.body.decode("utf-8", "replace")
        return Document(Secret(text), revision_of(text))

    async def write(self, text: Secret, expect: Revision) -> Revision:
        """See the port. The gateway keeps what the text says, not its bytes: it moves comment lines."""
        async with self._reloads.writing:
            await self._link.release()
            await self._reloads.over()
            await self._expect(expect)
            body = text.reveal().encode("utf-8", "replace")
            request = Request("PUT", _TEXT, body=body, content_type="application/yaml", seconds=WRITE_SECONDS)
            self._reloads.sent()
            reply = await self._link.once(request, frozenset({*_INVALID, _FAILED}))
            failure = _failure(reply)
            if failure is not None:
                self._reloads.seen()
                raise failure
            await self._settle()
            self._reloads.seen()
            return (await self.read()).revision

    async def replace(self, section: Section, entries: Sequence[Entry], expect: Revision) -> Revision:
        """See the port."""
        parsed = [entry_value(entry) for entry in entries]
        async with self._reloads.writing:
            await self._link.release()
            await self._reloads.over()
            await self._expect(expect)
            try:
                await self._writer.replace(section, parsed)
            except PathUnknown:
                raise errors.Unsupported(Capability.REPLACE_SECTION) from None
            return (await self.read()).revision

    async def proxy_url(self) -> Secret | None:
        """See the port."""
        await self._link.release()
        found = await self._link.read(_PROXY)
        value = found.get("proxy-url") if isinstance(found, dict) else None
        return Secret(value) if isinstance(value, str) and value else None

    async def profile(self) -> str:
        """The management profile the configuration of our own gateway names; empty when it names none, or is broken."""
        try:
            found = await asyncio.to_thread(config_values, (await self.read()).text.reveal())
        except ConfigTextInvalid:
            return ""
        return str(found.get("management-profile") or "")

    async def _expect(self, expect: Revision) -> None:
        if (await self.read()).revision != expect:
            raise errors.ConflictError("The configuration changed since it was read: read it again.")

    async def _settle(self) -> None:
        """Wait until what should be live is: the gateway answers before it reloads."""
        deadline = self._clock.monotonic() + _EFFECT_SECONDS
        for section in SYNTHESIS_ORDER:
            while not (await self._roster.section(section)).settled():
                if self._clock.monotonic() > deadline:
                    raise errors.TimedOut(
                        f"The configuration is written, but {section.value} has had no effect for"
                        f" {_EFFECT_SECONDS:g} seconds. Look at the gateway's log.",
                        applied="maybe",
                    )
                await self._clock.sleep(_PAUSE)


def _failure(reply: Reply) -> errors.GatewayError | None:
    """Why a text was not taken; of what the gateway says only the place is passed on, because it quotes the text."""
    try:
        parsed: Any = json.loads(reply.body)
    except ValueError:
        parsed = {}
    said = parsed if isinstance(parsed, dict) else {}
    line = _LINE.search(str(said.get("message", "")))
    place = f" (line {line[1]})" if line else ""
    if reply.status in _INVALID:
        text = f"The text is no valid configuration{place}: correct it and write it again."
        return errors.Rejected(_INVALID[reply.status], text)
    if reply.status == _FAILED:
        return errors.Unavailable(
            "The gateway could not write or load the configuration: check its permissions, its disk and its log.",
            applied="maybe",
        )
    return None
