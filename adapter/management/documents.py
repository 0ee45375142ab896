"""The configuration over a management API: the text as stored, its replacement, sections, and the proxy."""

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from adapter.clock import Clock
from adapter.contract.expectations import management
from adapter.management.client.guarded_client import GuardedClient
from adapter.management.client.interpreting import PathUnknown
from adapter.management.client.transport import WRITE_SECONDS, Reply, Request
from adapter.management.listing.account_directory import AccountDirectory
from adapter.management.switching.reloads import Reloads
from adapter.management.switching.section_writer import SectionWriter
from adapter.port import Capability, Document, Entry, ManagementAccess, Revision, Section, errors
from adapter.privacy.secret import Secret
from adapter.rules.config_text import ConfigTextInvalid, config_values, management_access
from adapter.rules.entries import entry_value, revision_of

_TEXT: Final = management("config.yaml")
_PROXY: Final = management("proxy-url")
_INVALID: Final = {400: "invalid_yaml", 422: "invalid_config"}
_NOT_FOUND: Final = 404
_FAILED: Final = 500
_EFFECT_SECONDS: Final = 20.0
_PAUSE: Final = 0.1
_LINE: Final = re.compile(r"\bline (\d+)")


class Documents:
    """Reads and writes config.yaml; the expected revision is compared right before a write."""

    def __init__(
        self,
        client: GuardedClient,
        directory: AccountDirectory,
        reloads: Reloads,
        writer: SectionWriter,
        clock: Clock,
    ) -> None:
        self._client = client
        self._directory = directory
        self._reloads = reloads
        self._writer = writer
        self._clock = clock

    async def read(self, *, shared: bool = False) -> Document:
        """See the port; for `shared` see `GuardedClient.read`."""
        await self._client.release()
        reply = await self._client.fetch(_TEXT, shared=shared)
        text = reply.body.decode("utf-8", "replace")
        return Document(Secret(text), revision_of(text))

    async def write(self, text: Secret, expect: Revision) -> Revision:
        """See the port. Stock v7.2.140 keeps the values of the text, not its bytes: comments move to column 0."""
        async with self._reloads.turn():
            await self._expect(expect)
            body = text.reveal().encode("utf-8", "replace")
            request = Request("PUT", _TEXT, body=body, content_type="application/yaml", seconds=WRITE_SECONDS)
            self._reloads.sent()
            reply = await self._client.once(request, frozenset({*_INVALID, _FAILED}))
            failure = _failure(reply)
            if failure is not None:
                self._reloads.seen()
                raise failure
            await self._settle()
            self._reloads.seen()
            return (await self.read()).revision

    async def replace(self, section: Section, entries: Sequence[Entry], expect: Revision) -> Revision:
        parsed = [entry_value(entry) for entry in entries]
        async with self._reloads.turn():
            await self._expect(expect)
            try:
                await self._writer.replace(section, parsed)
            except PathUnknown:
                raise errors.Unsupported(Capability.REPLACE_SECTION) from None
            return (await self.read()).revision

    async def proxy_url(self) -> Secret | None:
        await self._client.release()
        content = await self._client.read(_PROXY)
        value = content.get("proxy-url") if isinstance(content, dict) else None
        return Secret(value) if isinstance(value, str) and value else None

    async def management_access(self) -> ManagementAccess:
        try:
            return await asyncio.to_thread(management_access, (await self.read()).text)
        except ConfigTextInvalid as error:
            raise errors.Unavailable(str(error)) from None

    async def profile(self) -> str:
        """The management profile the configuration of our own gateway names; empty when it names none, or is broken."""
        return str((await self.values()).get("management-profile") or "")

    async def serves_panel(self) -> bool:
        """Return whether the gateway serves its own panel: it does unless the configuration says otherwise.

        So it counts as served by a gateway that is away: what else is known of it is not to be lost for that.
        """
        try:
            access = (await self.values()).get("remote-management")
        except errors.GatewayError:
            return True
        return not (isinstance(access, Mapping) and access.get("disable-control-panel") is True)

    async def values(self) -> Mapping[str, Any]:
        """Return the values of the configuration; none of a broken one."""
        try:
            return await asyncio.to_thread(config_values, (await self.read()).text.reveal())
        except ConfigTextInvalid:
            return {}

    async def _expect(self, expect: Revision) -> None:
        if (await self.read()).revision != expect:
            raise errors.ConflictError("The configuration changed since it was read: read it again.")

    async def _settle(self) -> None:
        """Wait until every section is in effect: a stock gateway answers before it reloads (v7.2.140)."""
        deadline = self._clock.monotonic() + _EFFECT_SECONDS
        for section in Section:
            while not (await self._directory.section(section)).settled():
                if self._clock.monotonic() > deadline:
                    raise errors.TimedOut(
                        f"The configuration is written, but {section.value} has had no effect for"
                        f" {_EFFECT_SECONDS:g} seconds. Look at the gateway's log.",
                        applied="maybe",
                    )
                await self._clock.sleep(_PAUSE)


def _failure(reply: Reply) -> errors.GatewayError | None:
    """Return the error for a rejected text, with the line alone: the gateway's message quotes the text and its keys."""
    try:
        parsed: Any = json.loads(reply.body)
    except ValueError:
        parsed = {}
    answer = parsed if isinstance(parsed, dict) else {}
    line = _LINE.search(str(answer.get("message", "")))
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
