"""Edit of one entry over a management API: its section is written as a whole and read back."""

from collections.abc import Mapping, Sequence
from typing import Any

from adapter.management.client.guarded_client import GuardedClient
from adapter.management.listing.account_directory import AccountDirectory
from adapter.management.listing.sections import ReadSection, differences
from adapter.management.switching.reloads import Reloads
from adapter.management.switching.section_writer import SectionWriter
from adapter.port import Entry, KeyRef, Revision, errors
from adapter.rules.entry_edit import entry_of, record_of, section_of, with_fields, without_headers


class EntryEditor:
    """Reads and edits entries; an edit of the file that the gateway has not loaded is never overwritten."""

    def __init__(
        self, client: GuardedClient, directory: AccountDirectory, writer: SectionWriter, reloads: Reloads
    ) -> None:
        self._client = client
        self._directory = directory
        self._writer = writer
        self._reloads = reloads

    async def read(self, ref: KeyRef, expect: Revision) -> Entry:
        read = await self._section(ref)
        return entry_of(read.entries[record_of(read.records, ref, expect).position])

    async def edit(self, ref: KeyRef, expect: Revision, fields: Entry) -> None:
        async with self._reloads.turn():
            unloaded = await self._writer.edits.before_plan()
            if unloaded is not None:
                refusal = unloaded.refusal()
                raise errors.Rejected(refusal.code, refusal.text, refusal.parameters)
            read = await self._section(ref)
            position = record_of(read.records, ref, expect).position
            entries = with_fields(read.section, read.entries, position, fields)
            is_own = (await self._client.release()).own
            bare = None if is_own else without_headers(read.section, read.entries, entries, position)
            with self._reloads.window():
                if not await self._writer.edits.unchanged():
                    raise errors.ConflictError("The configuration changed just now: look at the entry again.")
                if bare is None:
                    await self._writer.replace(read.section, entries, read)
                else:
                    await self._replace_in_two(read, bare, entries)
            await self._writer.edits.written()

    async def _replace_in_two(
        self, read: ReadSection, bare: Sequence[Mapping[str, Any]], entries: Sequence[Mapping[str, Any]]
    ) -> None:
        """Write a section without the headers of an entry and then with those it gets, or else as it was."""
        is_bare = False
        try:
            await self._writer.replace(read.section, bare, read)
            is_bare = True
            await self._reloads.over()
            await self._writer.replace(read.section, entries)
        except errors.GatewayError as error:
            if error.applied == "no" and not is_bare:
                raise
            if not await self._put_back(read, (bare, entries)):
                text = f"{error.text} The entry may be without its headers: look at it."
                raise errors.Unavailable(text, applied="maybe") from error
            raise errors.Unavailable(f"{error.text} The entry is as it was.", applied="no") from error

    async def _put_back(self, read: ReadSection, steps: Sequence[Sequence[Mapping[str, Any]]]) -> bool:
        """Write a section as it was, unless another client has changed it; return whether it is so now."""
        try:
            await self._reloads.over()
            now = (await self._directory.section(read.section)).entries
            if not differences(read.entries, now):
                return True
            if all(differences(step, now) for step in steps):
                return False
            await self._writer.replace(read.section, read.entries)
        except errors.GatewayError:
            return False
        return True

    async def _section(self, ref: KeyRef) -> ReadSection:
        return await self._directory.section(section_of(ref))
