"""Edit of one entry over a management API: its section is written as a whole and read back."""

from adapter.management.listing.account_directory import AccountDirectory
from adapter.management.listing.sections import ReadSection
from adapter.management.switching.reloads import Reloads
from adapter.management.switching.section_writer import SectionWriter
from adapter.port import Entry, KeyRef, Revision, errors
from adapter.rules.entry_edit import entry_of, record_of, section_of, with_fields


class EntryEditor:
    """Reads and edits entries; an edit of the file that the gateway has not loaded is never overwritten."""

    def __init__(self, directory: AccountDirectory, writer: SectionWriter, reloads: Reloads) -> None:
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
            entries = with_fields(read.entries, record_of(read.records, ref, expect).position, fields)
            with self._reloads.window():
                if not await self._writer.edits.unchanged():
                    raise errors.ConflictError("The configuration changed just now: look at the entry again.")
                await self._writer.replace(read.section, entries, read)
            await self._writer.edits.written()

    async def _section(self, ref: KeyRef) -> ReadSection:
        return await self._directory.section(section_of(ref))
