"""Status changes of one section: planned on a reading, written, repeated only where a reload provably lost them."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from adapter.clock import Clock
from adapter.management.listing.account_directory import AccountDirectory
from adapter.management.listing.sections import differences
from adapter.management.switching.reloads import Reloads
from adapter.management.switching.section_plan import SectionPlan, outcomes, plan_section
from adapter.management.switching.section_writer import SectionWriter, Way, Written
from adapter.port import Applied, Change, Outcome, Refused, Section, Uncertain, errors
from adapter.port.write_problems import WriteProblem, uncertain
from adapter.rules.known_names import KnownNames

_ATTEMPTS: Final = 5
_REPEATS: Final = 2


@dataclass(frozen=True, slots=True)
class SwitchedSection:
    """Outcomes of the changes of a section, by their place in the batch; plan and way when it was written."""

    section: Section
    outcomes: Mapping[int, Outcome]
    plan: SectionPlan | None = None
    way: Way | None = None


class SectionSwitch:
    """Switches the keys of one section at a time, with one write each unless the gateway loses it."""

    def __init__(
        self, directory: AccountDirectory, names: KnownNames, writer: SectionWriter, reloads: Reloads, clock: Clock
    ) -> None:
        self._directory = directory
        self._names = names
        self._writer = writer
        self._reloads = reloads
        self._clock = clock

    async def switch(self, section: Section, changes: Mapping[int, Change]) -> SwitchedSection:
        """Write the changes, and once more those a reload of the gateway provably lost.

        Raises:
            GatewayError: nothing was sent.
        """
        done = await self._once(section, changes)
        for repeat in range(_REPEATS):
            if repeat and done.written.idle:
                break  # another repeat of a write without effect would take longer than a caller waits
            again = await self._repeated(done, changes)
            if again is None:
                break
            done = again
        return done.switched

    async def confirm(self, switched: SwitchedSection, changes: Mapping[int, Change]) -> SwitchedSection:
        """Look once more at a section that was written before others; repeat the changes lost since.

        Raises:
            GatewayError: it could not be read.
        """
        plan, way = switched.plan, switched.way
        if plan is None or way is None or not _any_applied(switched.outcomes):
            return switched
        reading = await self._directory.section(switched.section)
        differing = await asyncio.to_thread(differences, plan.entries, reading.entries)
        if not differing:
            return switched
        if not differences(plan.read.entries, reading.entries):
            again = await self._repeated(_Once(switched, Written(switched.outcomes, forgotten=True)), changes)
            lost = {target.place: uncertain(WriteProblem.WRITE_LOST) for target in plan.targets}
            return replace(switched, outcomes={**switched.outcomes, **lost}) if again is None else again.switched
        now = outcomes(plan.targets, reading, differing, whole=way.whole)
        return SwitchedSection(switched.section, {**switched.outcomes, **now}, plan, way)

    async def _repeated(self, done: "_Once", changes: Mapping[int, Change]) -> "_Once | None":
        """Write lost changes again; None when none was lost, another client has written, or it cannot be done."""
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
        repeated = {
            place: _after_repeat(outcome, sent=place in targets) for place, outcome in again.switched.outcomes.items()
        }
        return replace(again, switched=replace(again.switched, outcomes=repeated))

    async def _once(self, section: Section, changes: Mapping[int, Change]) -> "_Once":
        """Plan on a reading, and write only while it still holds, so that a foreign change is planned anew."""
        for attempt in range(_ATTEMPTS):
            edited = await self._writer.edits.before_plan()
            read = await self._directory.section(section, shared=not attempt)
            plan = await asyncio.to_thread(
                plan_section, read, await self._directory.accounts_of(read), changes, self._names
            )
            if not plan.targets:
                return _Once(SwitchedSection(section, plan.settled), Written({}))
            if edited is not None:
                return _refused(plan, edited.refusal())
            way = await self._writer.way(plan)
            await self._reloads.over()
            written = await self._written(plan, way)
            if written is not None:
                return _Once(SwitchedSection(section, {**plan.settled, **written.outcomes}, plan, way), written)
        text = f"{section.value} changes all the time, so nothing was written: try again later."
        return _refused(plan, Refused("section_busy", text, {"section": section.value}))

    async def _written(self, plan: SectionPlan, way: Way) -> Written | None:
        """Write a plan; None when its reading no longer holds, or another way has to be taken. Clients wait."""
        read_at = self._clock.monotonic()
        with self._reloads.window():
            # A change of one entry overwrites no other.
            holds = not way.whole or await self._directory.unchanged(plan.read)
            if not (holds and await self._writer.edits.unchanged()):
                return None
            sent = await self._writer.send(way)
            await self._writer.edits.written()
        self._writer.window = sent.at - read_at
        return None if sent.id_unknown else await self._writer.result(plan, way, sent)


@dataclass(frozen=True, slots=True)
class _Once:
    switched: SwitchedSection
    written: Written


def _refused(plan: SectionPlan, refusal: Refused) -> _Once:
    """Refuse every change of a plan that would write."""
    refused = {**plan.settled, **{target.place: refusal for target in plan.targets}}
    return _Once(SwitchedSection(plan.read.section, refused), Written({}))


def _after_repeat(outcome: Outcome, *, sent: bool) -> Outcome:
    """Return the outcome after a repetition: a change that was sent once is never reported as not sent."""
    if sent and not isinstance(outcome, Applied | Uncertain):
        return uncertain(WriteProblem.WRITE_LOST_AND_MOVED)
    return outcome


def _any_applied(results: Mapping[int, Outcome]) -> bool:
    return any(isinstance(outcome, Applied) for outcome in results.values())
