"""Reloads of a stock gateway after a write, during which another write may be lost.

Theory of operation (stock v7.2.140). A gateway keeps its configuration in memory, saves it, answers,
and then loads the file again, once by itself and once more 150 ms after the file changed, unless the first is over by
then. Each load replaces the memory by the file's content at its begin, and notes the file as loaded with its content
at the end. So a change that is written while another is being loaded can vanish from the memory, and then from the
file with the next save; or stay in both and never take effect, because the file counts as loaded. No answer tells
when that is over. Therefore: one writer at a time; each write waits until the effect of the one before has been read,
and then longer than a second load takes.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from enum import Enum
from types import MappingProxyType
from typing import Final

from adapter.clock import Clock
from adapter.contract.expectations import management
from adapter.management.client.guarded_client import GuardedClient
from adapter.management.listing.sections import ReadSection
from adapter.management.switching.section_plan import SwitchTarget
from adapter.port import errors
from adapter.rules.entries import KeyRecord

EFFECT_SECONDS: Final = 20.0
"""Time limit for the effect of a change: a gateway with 10,000 keys reloads for seconds."""
UNPROVEN_SECONDS: Final = 5.0
"""Time limit for an effect that cannot be told from an id the gateway does not know: it offers no models either."""
MODELS: Final = management("auth-files/models")
NO_TWINS: Final[Mapping[int, KeyRecord]] = MappingProxyType({})
_LEAST_REST: Final = 0.5
_REST_FACTOR: Final = 2.0
_LONGEST_REST: Final = 10.0
_FOREIGN_REST: Final = 2.0
_FIRST_PAUSE: Final = 0.02
_LONGEST_PAUSE: Final = 0.5


class Effect(Enum):
    """Effect of a write on the models its keys offer."""

    SEEN = "as asked"
    ABSENT = "provably not as asked"
    UNSEEN = "not to be seen"


class Reloads:
    """Awaits the reloads of one gateway; each writer of its configuration holds `writing`."""

    def __init__(self, client: GuardedClient, clock: Clock) -> None:
        self._client = client
        self._clock = clock
        self._sent = 0.0
        self._over = 0.0
        self.writing = asyncio.Lock()
        self._outside = asyncio.Event()
        self._outside.set()

    def sent(self) -> None:
        """Note that a write leaves now; until its effect has been read the state of its reload is unknown."""
        self._sent = self._clock.monotonic()
        self._over = self._sent + EFFECT_SECONDS

    def seen(self) -> None:
        """Note that the effect of the last write has been read: a second load may take longer than the first."""
        now = self._clock.monotonic()
        self._over = now + min(_LONGEST_REST, _LEAST_REST + (now - self._sent) * _REST_FACTOR)

    def passed_on(self) -> None:
        """Note that a client's own write has just gone to the gateway through the proxy; its effect is not awaited."""
        self._over = max(self._over, self._clock.monotonic() + _FOREIGN_REST)

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for the other writers and for the reload of their last write, then keep them out.

        Within it a writer notes `sent` right before its request, and `seen` as soon as the effect has been read.
        """
        async with self.writing:
            await self.over()
            yield

    @contextmanager
    def window(self) -> Iterator[None]:
        """Hold back the writes of clients of the proxy, from the last reading of a section to the end of its write."""
        self._outside.clear()
        try:
            yield
        finally:
            self._outside.set()

    async def let_in(self) -> None:
        """Wait until a client's own write overwrites nothing and is not overwritten; then note that it leaves."""
        await self._outside.wait()
        self.passed_on()

    async def over(self) -> None:
        """Wait until the next write can neither undo the last one nor be undone by its reload.

        Our own gateway has loaded what it saved before it answers.
        """
        if not (await self._client.release()).own:
            seconds = self._over - self._clock.monotonic()
            if seconds > 0:
                await self._clock.sleep(seconds)

    async def effect(
        self, targets: Sequence[SwitchTarget], reading: ReadSection, twins: Mapping[int, KeyRecord] = NO_TWINS
    ) -> Effect:
        """Wait until the keys of a write that were switched off offer no models any more, and those switched on do.

        One of each speaks for all, because they are loaded together. A compatible provider's effect is in its index,
        and a key with patterns of the operator's may offer nothing when it is on: those are left out. That a key
        offers nothing proves something only where another entry of the section, read back in `reading`, offers models
        under the id it should have. An entry among `twins` has the models of an earlier one and shows no effect, and
        one without a key is never loaded by some releases (v6.10.8, v7.1.47).
        """
        keys = [target for target in targets if not target.record.facts.section.holds_providers]
        if keys and all(target.record.position in twins for target in keys):
            await self._clock.sleep(_FOREIGN_REST)
            return Effect.UNSEEN
        keys = [target for target in keys if target.record.position not in twins]
        keys.sort(key=_has_key)  # the last ones speak for all
        off = [target for target in keys if target.change.disabled][-1:]
        on = [target for target in keys if not target.change.disabled and not _patterns(target.record)][-1:]
        started = self._clock.monotonic()
        for speaker in (*off, *on):
            seen = await self._awaited(speaker, targets, reading, started)
            if seen is not Effect.SEEN:
                return seen
        return Effect.SEEN

    async def _awaited(
        self, speaker: SwitchTarget, targets: Sequence[SwitchTarget], reading: ReadSection, started: float
    ) -> Effect:
        name, offers = speaker.record.gateway_id, not speaker.change.disabled
        seen = await self._until(name, models=offers, deadline=started + UNPROVEN_SECONDS)
        if seen is not Effect.ABSENT:
            return seen
        if offers and (not _has_key(speaker) or not await self._known_by_id(reading, targets)):
            return Effect.UNSEEN
        return await self._until(name, models=offers, deadline=started + EFFECT_SECONDS)

    async def _known_by_id(self, reading: ReadSection, targets: Sequence[SwitchTarget]) -> bool:
        """Return whether an enabled entry that was not switched offers models under its id."""
        switched = {target.record.position for target in targets}
        known = (
            record
            for record in reading.records
            if not record.disabled and record.position not in switched and not _patterns(record)
        )
        witness = next(known, None)
        return witness is not None and await self.offers_models(witness.gateway_id) is True

    async def offers_models(self, name: str) -> bool | None:
        """Return whether an id offers models now; None when the gateway does not say."""
        try:
            answer = await self._client.read(MODELS, name=name)
        except errors.GatewayError:
            return None
        return bool(answer.get("models") if isinstance(answer, dict) else None)

    async def _until(self, name: str, *, models: bool, deadline: float) -> Effect:
        pause = _FIRST_PAUSE
        while True:
            offered = await self.offers_models(name)
            if offered is None:
                return Effect.UNSEEN
            if offered is models:
                return Effect.SEEN
            if self._clock.monotonic() > deadline:
                return Effect.ABSENT
            await self._clock.sleep(pause)
            pause = min(_LONGEST_PAUSE, pause * 2)


def _has_key(target: SwitchTarget) -> bool:
    return bool(target.record.facts.api_key)


def _patterns(record: KeyRecord) -> list[str]:
    return [pattern for pattern in record.excluded_models if pattern.strip() != "*"]
