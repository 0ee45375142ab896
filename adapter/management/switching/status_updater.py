"""Status changes over a management API: files one by one, one write per section, everything read back."""

import asyncio
from collections.abc import Mapping, Sequence

from adapter.clock import Clock
from adapter.management.client.guarded_client import GuardedClient
from adapter.management.listing.account_directory import AccountDirectory
from adapter.management.switching.files import FileSwitch
from adapter.management.switching.reloads import Reloads
from adapter.management.switching.section_writer import SectionWriter
from adapter.management.switching.sections import SectionSwitch, SwitchedSection
from adapter.port import AccountRef, Applied, Change, KeyRef, Outcome, Refused, Section, Switch, Uncertain, errors
from adapter.port.write_problems import WriteProblem, uncertain
from adapter.rules.known_names import KnownNames
from adapter.rules.switching import last_wins, refusal


class StatusUpdater:
    """Carries out batches, one after the other, because the gateway has no lock of its own for us."""

    def __init__(self, client: GuardedClient, directory: AccountDirectory, names: KnownNames, clock: Clock) -> None:
        self._client = client
        self._directory = directory
        self.reloads = Reloads(client, clock)
        self.writer = SectionWriter(client, directory, self.reloads, clock)
        self._sections = SectionSwitch(directory, names, self.writer, self.reloads, clock)
        self._files = FileSwitch(client, directory, names, clock)

    async def switch(self, changes: Sequence[Change]) -> tuple[Outcome, ...]:
        """Carry out a batch; see the port. Cancelling waits for the write in progress."""
        if not changes:
            return ()
        async with self.reloads.writing:
            work = asyncio.create_task(self._switch(changes))
            try:
                return await asyncio.shield(work)
            except asyncio.CancelledError:
                await asyncio.wait([work])
                raise

    async def _switch(self, changes: Sequence[Change]) -> tuple[Outcome, ...]:
        batch = last_wins(changes)
        settled: dict[int, Outcome] = {}
        by_section: dict[Section, dict[int, Change]] = {}
        files: dict[int, Change] = {}
        for place, change in enumerate(batch.changes):
            section = change.ref.section if isinstance(change.ref, KeyRef) else None
            refused = self._refused_at_once(change.ref)
            if refused is not None:
                settled[place] = refused
            elif section is not None:
                by_section.setdefault(section, {})[place] = change
            else:
                files[place] = change
        await self._client.release()
        await self._write_all(by_section, files, settled)
        return tuple(settled[place] for place in batch.places)

    async def _write_all(
        self, sections: Mapping[Section, Mapping[int, Change]], files: Mapping[int, Change], settled: dict[int, Outcome]
    ) -> None:
        """Write the files, then section by section. Trouble is raised until something was sent, and an outcome after.

        The files come first, because a stock gateway (v7.2.140) may write all of them anew when it reloads its
        configuration, from memory that is older than the change of a file.
        """
        sent = False
        written: list[SwitchedSection] = []
        parts: list[tuple[Section | None, Mapping[int, Change]]] = [(None, files)] if files else []
        for section, changes in [*parts, *sections.items()]:
            try:
                if section is None:
                    done: Mapping[int, Outcome] = await self._files.switch(changes)
                else:
                    written.append(await self._sections.switch(section, changes))
                    done = written[-1].outcomes
            except errors.GatewayError as error:
                if not sent:
                    raise
                done = dict.fromkeys(changes, uncertain(WriteProblem.NOT_SENT, said=error.text))
            settled.update(done)
            sent = sent or any(isinstance(outcome, Applied | Uncertain | Refused) for outcome in done.values())
        await self._confirm([switched for switched in written if switched.plan is not None], sections, settled)

    async def _confirm(
        self,
        written: Sequence[SwitchedSection],
        sections: Mapping[Section, Mapping[int, Change]],
        settled: dict[int, Outcome],
    ) -> None:
        """Of several sections look at each once more when the last reload is over: it may have undone another."""
        if len(written) < 2:  # noqa: PLR2004 - one section has been read back after its own reload
            return
        await self.reloads.over()
        for switched in written:
            try:
                confirmed = await self._sections.confirm(switched, sections[switched.section])
            except errors.GatewayError as error:
                unseen = uncertain(WriteProblem.NOT_SEEN_AGAIN, said=error.text)
                settled.update(
                    (place, unseen) for place, outcome in switched.outcomes.items() if isinstance(outcome, Applied)
                )
            else:
                settled.update(confirmed.outcomes)

    def _refused_at_once(self, ref: AccountRef) -> Refused | None:
        """Refuse an account without a switch before any request."""
        known = self._directory.known(ref)
        if known is None or known.account.switch is not Switch.NONE:
            return None
        several = isinstance(ref, KeyRef) and ref.section is not None and ref.section.holds_providers
        return refusal(Switch.NONE, known.account.switch_reason, ("a", "b") if several else ())
