"""Status changes of one section: planned on what was read, written, repeated only where a reload provably lost them."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from adapter.clock import Clock
from adapter.management.listing.account_directory import AccountDirectory
from adapter.management.listing.sections import differences
from adapter.management.switching.reloads import Reloads
from adapter.management.switching.section_plan import SectionPlan, outcomes, plan_section
from adapter.management.switching.section_writer import FORGOTTEN, SectionWriter, Way, Written
from adapter.port import Applied, Change, Outcome, Refused, Section, Uncertain, errors
from adapter.rules.known_names import KnownNames

_ATTEMPTS: Final = 5
_REPEATS: Final = 2
_MOVED: Final = (
    "The gateway took the change and lost it in a reload of its own, and when it was to be written again the account"
    " had changed. List the pool again."
)


@dataclass(frozen=True, slots=True)
class SwitchedSection:
    """What became of the changes of a section, by their place in the batch; plan and way when it was written."""

    section: Section
    outcomes: Mapping[int, Outcome]
    plan: SectionPlan | None = None
    way: Way | None = None


class SectionSwitch:
    """Switches the keys of one section at a time, with one write each unless the gateway loses it."""

    def __init__(
        self, directory: AccountDirectory, names: KnownNames, writer: SectionWriter, reloads: Reloads, clock: Clock
    ) -> None:
        self._roster = directory
        self._names = names
        self._writer = writer
        self._reloads = reloads
        self._clock = clock

    async def switch(self, section: Section, changes: Mapping[int, Change]) -> SwitchedSection:
        """Write the changes, and again what a reload of the gateway provably lost.

        Raises:
            GatewayError: nothing was sent.
        """
        done = await self._once(section, changes)
        for _ in range(_REPEATS):
            again = await self._repeated(done, changes)
            if again is None:
                break
            done = again
        return done.switched

    async def confirm(self, switched: SwitchedSection, changes: Mapping[int, Change]) -> SwitchedSection:
        """Look once more at a section that was written before others were; repeat what was lost since.

        Raises:
            GatewayError: it could not be read.
        """
        plan, way = switched.plan, switched.way
        if plan is None or way is None or not _any_applied(switched.outcomes):
            return switched
        found = await self._roster.section(switched.section)
        differing = await asyncio.to_thread(differences, plan.entries, found.entries)
        if not differing:
            return switched
        if not differences(plan.read.entries, found.entries):
            again = await self._repeated(_Once(switched, Written(switched.outcomes, forgotten=True)), changes)
            lost = {target.place: Uncertain(FORGOTTEN) for target in plan.targets}
            return replace(switched, outcomes={**switched.outcomes, **lost}) if again is None else again.switched
        now = outcomes(plan.targets, found, differing, whole=way.whole)
        return SwitchedSection(switched.section, {**switched.outcomes, **now}, plan, way)

    async def _repeated(self, done: "_Once", changes: Mapping[int, Change]) -> "_Once | None":
        """Write again what was lost; None when nothing was, when it is not sure whose it is, or when it cannot be."""
        plan, way = done.switched.plan, done.switched.way
        if plan is None or way is None or not (done.written.forgotten or done.written.idle):
            return None
        try:
            await self._reloads.over()
            if done.written.forgotten and not (seen := await self._writer.look(plan, way)).forgotten:
                return _Once(replace(done.switched, outcomes={**plan.settled, **seen.outcomes}), seen)
            if not await self._writer.take_back(plan):
                return None
            again = await self._once(done.switched.section, changes)
        except errors.GatewayError:
            return None
        targets = {target.place for target in plan.targets}
        told = {place: _told(one, sent=place in targets) for place, one in again.switched.outcomes.items()}
        return replace(again, switched=replace(again.switched, outcomes=told))

    async def _once(self, section: Section, changes: Mapping[int, Change]) -> "_Once":
        """Plan on what was read, and write only while that still stands, so that a foreign change is planned anew."""
        for _ in range(_ATTEMPTS):
            read = await self._roster.section(section)
            plan = await asyncio.to_thread(
                plan_section, read, await self._roster.accounts_of(read), changes, self._names
            )
            if not plan.targets:
                return _Once(SwitchedSection(section, plan.settled), Written({}))
            way = await self._writer.way(plan)
            await self._reloads.over()
            read_at = self._clock.monotonic()
            if await self._roster.unchanged(read):
                written = await self._writer.carry_out(plan, way, read_at)
                done = SwitchedSection(section, {**plan.settled, **written.outcomes}, plan, way)
                return _Once(done, written)
        busy = Refused("busy", f"{section.value} changes all the time, so nothing was written: try again later.")
        refused = {**plan.settled, **{target.place: busy for target in plan.targets}}
        return _Once(SwitchedSection(section, refused), Written({}))


@dataclass(frozen=True, slots=True)
class _Once:
    switched: SwitchedSection
    written: Written


def _told(outcome: Outcome, *, sent: bool) -> Outcome:
    """What a repetition finds changed meanwhile was sent once all the same."""
    if sent and not isinstance(outcome, Applied | Uncertain):
        return Uncertain(_MOVED)
    return outcome


def _any_applied(results: Mapping[int, Outcome]) -> bool:
    return any(isinstance(outcome, Applied) for outcome in results.values())
