"""Status changes of one section: planned on what was read, written, repeated only where a reload provably lost them."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from adapter.clock import Clock
from adapter.management.reloads import Reloads
from adapter.management.roster import Roster
from adapter.management.section_change import SectionPlan, outcomes, plan_section
from adapter.management.section_writing import SectionWriter, Way
from adapter.management.sections import differences
from adapter.port import Applied, Change, Outcome, Refused, Section, errors
from adapter.remembered import RememberedNames

_ATTEMPTS: Final = 5
_REPEATS: Final = 2


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
        self, roster: Roster, names: RememberedNames, writer: SectionWriter, reloads: Reloads, clock: Clock
    ) -> None:
        self._roster = roster
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
            if done.plan is None or not done.lost or not await self._taken_back(done.plan):
                break
            try:
                done = await self._once(section, changes)
            except errors.GatewayError:
                break
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
        if not differences(plan.read.entries, found.entries) and await self._taken_back(plan):
            return await self.switch(switched.section, changes)
        now = outcomes(plan.targets, found, differing, whole=way.whole)
        return SwitchedSection(switched.section, {**switched.outcomes, **now}, plan, way)

    async def _taken_back(self, plan: SectionPlan) -> bool:
        try:
            return await self._writer.take_back(plan)
        except errors.GatewayError:
            return False

    async def _once(self, section: Section, changes: Mapping[int, Change]) -> "_Once":
        """Plan on what was read, and write only while that still stands, so that a foreign change is planned anew."""
        for _ in range(_ATTEMPTS):
            read = await self._roster.section(section)
            plan = await asyncio.to_thread(
                plan_section, read, await self._roster.accounts_of(read), changes, self._names
            )
            if not plan.targets:
                return _Once(SwitchedSection(section, plan.settled))
            way = await self._writer.way(plan)
            await self._reloads.over()
            read_at = self._clock.monotonic()
            if await self._roster.unchanged(read):
                written = await self._writer.carry_out(plan, way, read_at)
                done = SwitchedSection(section, {**plan.settled, **written.outcomes}, plan, way)
                return _Once(done, written.lost)
        busy = Refused("busy", f"{section.value} changes all the time, so nothing was written: try again later.")
        return _Once(SwitchedSection(section, {**plan.settled, **{target.place: busy for target in plan.targets}}))


@dataclass(frozen=True, slots=True)
class _Once:
    switched: SwitchedSection
    lost: bool = False

    @property
    def plan(self) -> SectionPlan | None:
        return self.switched.plan


def _any_applied(results: Mapping[int, Outcome]) -> bool:
    return any(isinstance(outcome, Applied) for outcome in results.values())
