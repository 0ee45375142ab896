"""Status changes over a management API: one write per section, files one by one, everything read back."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Final

from adapter.clock import Clock
from adapter.expectations import management
from adapter.management.link import Link
from adapter.management.roster import Roster
from adapter.management.section_change import ambiguous, plan_section
from adapter.management.section_writing import SectionWriter
from adapter.management.transport import WRITE_SECONDS
from adapter.port import (
    Account,
    AccountRef,
    Applied,
    Before,
    Change,
    Conflict,
    FileRef,
    KeyRef,
    Missing,
    Outcome,
    Refused,
    Section,
    Switch,
    Uncertain,
    Unchanged,
    errors,
)
from adapter.remembered import RememberedNames, meant_by_names
from adapter.switching import last_wins, refusal

_STATUS: Final = management("auth-files/status")
_EFFECT_SECONDS: Final = 10.0
_FIRST_PAUSE: Final = 0.02
_LONGEST_PAUSE: Final = 0.5
_ATTEMPTS: Final = 5


class Switchboard:
    """Carries out batches, one after the other, because the gateway has no lock of its own for us."""

    def __init__(self, link: Link, roster: Roster, names: RememberedNames, clock: Clock) -> None:
        self._link = link
        self._roster = roster
        self._names = names
        self._clock = clock
        self._writing = asyncio.Lock()
        self.writer = SectionWriter(link, roster, clock)

    async def switch(self, changes: Sequence[Change]) -> tuple[Outcome, ...]:
        """Carry out a batch; see the port. Cancelling waits for the write in progress."""
        if not changes:
            return ()
        async with self._writing:
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
        await self._link.release()
        await self._write_all(by_section, files, settled)
        return tuple(settled[place] for place in batch.places)

    async def _write_all(
        self, sections: Mapping[Section, Mapping[int, Change]], files: Mapping[int, Change], settled: dict[int, Outcome]
    ) -> None:
        """Write section by section, then the files. Trouble is raised as long as nothing was sent, and told after."""
        sent = False
        parts: list[tuple[Section | None, Mapping[int, Change]]] = [*sections.items()]
        if files:
            parts.append((None, files))
        for section, changes in parts:
            try:
                done = await (self._files(changes) if section is None else self._section(section, changes))
            except errors.GatewayError as error:
                if not sent:
                    raise
                done = {place: Uncertain(f"Not sent, because of trouble: {error.text}") for place in changes}
            settled.update(done)
            sent = sent or any(isinstance(outcome, Applied | Uncertain | Refused) for outcome in done.values())

    def _refused_at_once(self, ref: AccountRef) -> Refused | None:
        """Refuse what is known to have no switch without any request."""
        known = self._roster.known(ref)
        if known is None or known.account.switch is not Switch.NONE:
            return None
        several = isinstance(ref, KeyRef) and ref.section is Section.COMPAT
        return refusal(Switch.NONE, known.account.switch_reason, ("a", "b") if several else ())

    async def _section(self, section: Section, changes: Mapping[int, Change]) -> dict[int, Outcome]:
        """Plan on what was read, and write only while that still stands, so that a foreign change is planned anew."""
        for _ in range(_ATTEMPTS):
            read = await self._roster.section(section)
            plan = await asyncio.to_thread(
                plan_section, read, await self._roster.accounts_of(read), changes, self._names
            )
            if not plan.targets:
                return dict(plan.settled)
            way = await self.writer.way(plan)
            read_at = self._clock.monotonic()
            if await self._roster.unchanged(read):
                return {**plan.settled, **await self.writer.carry_out(plan, way, read_at)}
        busy = Refused("busy", f"{section.value} changes all the time, so nothing was written: try again later.")
        return {**plan.settled, **{target.place: busy for target in plan.targets}}

    async def _files(self, changes: Mapping[int, Change]) -> dict[int, Outcome]:
        accounts = (await self._roster.files()).accounts
        by_name = meant_by_names(accounts)
        done: dict[int, Outcome] = {}
        waiting: dict[int, tuple[Change, Account]] = {}
        for place, change in changes.items():
            meant, _ = self._names.find(change.ref, by_name)
            decided = _decided(change, meant or [])
            if decided is None and meant is not None:
                decided = await self._send(change, meant[0], first=not done and not waiting)
                if decided is None:
                    waiting[place] = (change, meant[0])
            if decided is not None:
                done[place] = decided
        return done | await self._read_back(waiting)

    async def _send(self, change: Change, account: Account, *, first: bool) -> Outcome | None:
        """Send one change of a file, by the next name only after a not-found; None when it was taken."""
        for name in account.names:
            try:
                await self._link.write("PATCH", _STATUS, {"name": name, "disabled": change.disabled}, WRITE_SECONDS)
            except errors.NotFound:
                continue
            except errors.Rejected as error:
                return Refused(error.code, error.text)
            except errors.GatewayError as error:
                if error.applied == "no" and first:
                    raise
                return Uncertain(error.text)
            return None
        return Missing()

    async def _read_back(self, waiting: Mapping[int, tuple[Change, Account]]) -> dict[int, Outcome]:
        """Read until every file is as asked, or time is up."""
        done: dict[int, Outcome] = {}
        deadline = self._clock.monotonic() + _EFFECT_SECONDS
        pause = _FIRST_PAUSE
        while waiting:
            try:
                now = {account.ref: account for account in (await self._roster.files()).accounts}
            except errors.GatewayError as error:
                why = f"It was sent, but could not be read back: {error.text}"
                return done | {place: Uncertain(why) for place in waiting}
            for place, (change, account) in waiting.items():
                after = now.get(account.ref)
                if after is not None and after.enabled is not change.disabled:
                    done[place] = Applied(Before(account.enabled is False), after.revision)
            waiting = {place: one for place, one in waiting.items() if place not in done}
            if waiting and self._clock.monotonic() > deadline:
                why = "It was sent and has had no effect: list the pool again."
                return done | {place: Uncertain(why) for place in waiting}
            if waiting:
                await self._clock.sleep(pause)
                pause = min(_LONGEST_PAUSE, pause * 2)
        return done


def _decided(change: Change, meant: Sequence[Account]) -> Outcome | None:
    """The outcome of a change of a file that sends nothing; None when it is to be sent."""
    if not meant:
        return Missing()
    if len(meant) > 1:
        return ambiguous(len(meant))
    (account,) = meant
    if not isinstance(account.ref, FileRef):
        return refusal(account.switch, account.switch_reason)
    if change.expect is not None and change.expect != account.revision:
        return Conflict(account.revision)
    return Unchanged() if account.enabled is not change.disabled else None
