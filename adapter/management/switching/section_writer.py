"""Writer of one section of a gateway that has no locks: read right before, write once, read back, compare everything.

A foreign change before the last reading survives, because it is planned anew. One between that and our write is lost
where the list is written as a whole: `SectionWriter.window` says how long that was. One after our write is reported.
One the gateway took and then lost in a reload of its own is reported as such, and may be taken back and repeated.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from adapter.clock import Clock
from adapter.contract.expectations import management, section_path
from adapter.management.client.guarded_client import GuardedClient
from adapter.management.client.release import Feature
from adapter.management.client.transport import WRITE_SECONDS
from adapter.management.listing.account_directory import AccountDirectory
from adapter.management.listing.sections import ReadSection, differences
from adapter.management.switching.file_edits import FileEdits
from adapter.management.switching.reloads import EFFECT_SECONDS, Effect, Reloads
from adapter.management.switching.section_plan import SectionPlan, deciding_twins, outcomes, with_twins
from adapter.port import Applied, Outcome, Refused, Section, Uncertain, errors
from adapter.port.write_problems import WriteProblem, uncertain

_STATUS: Final = management("auth-files/status")
_SMALL: Final = 200
_FIRST_PAUSE: Final = 0.1
_LONGEST_PAUSE: Final = 0.5


@dataclass(frozen=True, slots=True)
class Way:
    """Request that writes a section: method, path and encoded body; `whole` when the list is replaced as a whole."""

    method: str
    path: str
    body: bytes = field(repr=False)
    whole: bool


@dataclass(frozen=True, slots=True)
class Written:
    """Result of a write: the outcomes of its targets, by their place in the batch.

    `forgotten` when the gateway took it and it reads back as before, `idle` when it reads back as sent and has no
    effect; no other client has changed the section then.
    """

    outcomes: Mapping[int, Outcome]
    forgotten: bool = False
    idle: bool = False


@dataclass(frozen=True, slots=True)
class SentWrite:
    """A write as sent at some monotonic second: the gateway's problem with it, if any.

    `id_unknown` when the gateway does not know the id of an entry: its ids follow another rule than that of its
    release, as in a build without a version number. The whole list is written then.
    """

    at: float
    problem: errors.GatewayError | None = None
    id_unknown: bool = False


def way_of(plan: SectionPlan, *, by_id: bool) -> Way:
    """Choose the way that leaves the least to chance: one entry by its name where that is cheap, else the whole list.

    By id a gateway finds the entry itself, so no other write can slip in between, but it reloads before it answers,
    which takes seconds in a long list. `by_id` is true when its release has that way (since v7.2.5).
    """
    section = plan.read.section
    if len(plan.targets) == 1:
        (target,) = plan.targets
        name = target.record.facts.compat_name
        # not by id: stock v7.2.140 changes such a key in memory alone, and the next reload undoes it
        if section.holds_providers and _unique(plan.read, name):
            value = {"disabled": target.change.disabled}
            return Way("PATCH", section_path(section), _encoded({"name": name, "value": value}), whole=False)
        if not section.holds_providers and by_id and len(plan.read.entries) <= _SMALL:
            body = {"name": target.record.gateway_id, "disabled": target.change.disabled}
            return Way("PATCH", _STATUS, _encoded(body), whole=False)
    return Way("PUT", section_path(section), _encoded(plan.entries), whole=True)


def _encoded(body: Any) -> bytes:
    return json.dumps(body).encode()


class SectionWriter:
    """Carries out plans, one at a time. `window` is the time between the last reading of a section and its write."""

    def __init__(self, client: GuardedClient, directory: AccountDirectory, reloads: Reloads, clock: Clock) -> None:
        self._client = client
        self._directory = directory
        self._reloads = reloads
        self._clock = clock
        self.edits = FileEdits(client, reloads, clock)
        self.window = 0.0
        self._knows_ids = True

    async def way(self, plan: SectionPlan) -> Way:
        """Choose and encode how a plan is written, before the last reading, so that little time passes after it."""
        by_id = self._knows_ids and (await self._client.release()).has(Feature.KEY_STATUS)
        return await asyncio.to_thread(way_of, plan, by_id=by_id)

    async def send(self, way: Way) -> SentWrite:
        """Send a plan that way, once.

        Raises:
            GatewayError: nothing was sent.
        """
        at = self._clock.monotonic()
        self._reloads.sent()
        try:
            await self._client.write(way.method, way.path, way.body, WRITE_SECONDS)
        except errors.NotFound as error:
            self._reloads.seen()
            self._knows_ids = self._knows_ids and way.path != _STATUS
            return SentWrite(at, error, id_unknown=way.path == _STATUS)
        except errors.Rejected as error:
            self._reloads.seen()
            return SentWrite(at, error)
        except errors.GatewayError as error:
            if error.applied == "no":
                self._reloads.seen()
                raise
            return SentWrite(at, error)
        return SentWrite(at)

    async def result(self, plan: SectionPlan, way: Way, sent: SentWrite) -> Written:
        """Return the result of a plan that was sent, after reading the section back."""
        if sent.problem is None:
            return await self.look(plan, way)
        if isinstance(sent.problem, errors.Rejected | errors.NotFound):
            refusal = Refused("not_found", sent.problem.text)
            if isinstance(sent.problem, errors.Rejected):
                refusal = Refused(sent.problem.code, sent.problem.text, sent.problem.parameters)
            return Written({target.place: refusal for target in plan.targets})
        return await self._settle_lost(plan, way, sent.problem)

    async def take_back(self, plan: SectionPlan) -> bool:
        """Write a section as it was before a lost write, so that memory, file and live accounts are one again.

        Returns whether it is so now. Nothing is written when another client has changed the section: it has to read as
        before the lost write, or as that write meant it.

        Raises:
            GatewayError: it could not be read or written.
        """
        section, before = plan.read.section, plan.read.entries
        await self._reloads.over()
        now = (await self._directory.section(section)).entries
        if differences(before, now) and differences(plan.entries, now):
            return False
        await self.replace(section, before, plan.read)
        return True

    async def replace(self, section: Section, entries: Sequence[Any], before: ReadSection | None = None) -> None:
        """Replace a section and wait for the effect; `before` is an earlier reading of it.

        Raises:
            GatewayError: it could not be, or reads back differently (`applied` is "maybe" then).
        """
        self._reloads.sent()
        await self._client.write("PUT", section_path(section), list(entries), WRITE_SECONDS)
        reading, differing = await self._settled(section, entries, before)
        self._reloads.seen()
        if differing or not reading.settled(before):
            raise errors.Unavailable(
                f"{section.value} was written and reads back differently: look at it before writing again.",
                applied="maybe",
            )

    async def _settle_lost(self, plan: SectionPlan, way: Way, error: errors.GatewayError) -> Written:
        """Settle a write after contact was lost, by reading the section; it is never sent again."""
        read = await self.look(plan, way)
        if not read.forgotten:
            return Written(read.outcomes)
        return Written(_uncertain(plan, uncertain(WriteProblem.CONTACT_LOST, said=error.text)))

    async def look(self, plan: SectionPlan, way: Way) -> Written:
        """Read until the write is there and in effect, or clearly is not.

        Where the effect cannot be seen, the section read back decides.
        """
        try:
            reading, differing = await self._settled(plan.read.section, plan.entries, plan.read)
        except errors.GatewayError as error:
            return Written(_uncertain(plan, uncertain(WriteProblem.NOT_READ_BACK, said=error.text)))
        if differing and not differences(plan.read.entries, reading.entries):
            self._reloads.seen()
            return Written(_uncertain(plan, uncertain(WriteProblem.WRITE_LOST)), forgotten=True)
        twins = deciding_twins(reading, (await self._client.release()).id_rule)
        results = with_twins(outcomes(plan.targets, reading, differing, whole=way.whole), plan.targets, twins)
        seen = await self._reloads.effect(plan.targets, reading, twins) if reading.settled(plan.read) else Effect.ABSENT
        in_effect = seen is not Effect.ABSENT
        self._reloads.seen()
        if in_effect or not any(isinstance(outcome, Applied) for outcome in results.values()):
            return Written(results)
        idle = uncertain(WriteProblem.NO_EFFECT, seconds=round(EFFECT_SECONDS))
        return Written(_uncertain(plan, idle), idle=not differing)

    async def _settled(
        self, section: Section, entries: Sequence[Any], before: ReadSection | None
    ) -> tuple[ReadSection, tuple[int, ...]]:
        """Read until the section is as sent and in effect, or time is up; a write may answer before the reload."""
        deadline = self._clock.monotonic() + EFFECT_SECONDS
        pause = _FIRST_PAUSE
        await self._clock.sleep(pause)  # a reload takes that long at least
        while True:
            reading = await self._directory.section(section)
            differing = await asyncio.to_thread(differences, entries, reading.entries)
            if (not differing and reading.settled(before)) or self._clock.monotonic() > deadline:
                return reading, differing
            if differing and reading.settled(before) and pause >= _LONGEST_PAUSE:
                return reading, differing
            await self._clock.sleep(pause)
            pause = min(_LONGEST_PAUSE, pause * 2)


def _uncertain(plan: SectionPlan, outcome: Uncertain) -> dict[int, Outcome]:
    return {target.place: outcome for target in plan.targets}


def _unique(read: ReadSection, name: str) -> bool:
    return bool(name) and sum(1 for entry in read.entries if str(entry.get("name") or "").strip() == name) == 1
