"""What a stock gateway does after it has answered a write: it reloads, and what is written meanwhile may be lost.

A stock gateway keeps its configuration in memory, saves it, answers, and then loads the file again, once by itself
and once more 150 ms after the file changed, unless the first is over by then. Each load replaces the memory by what
the file said when the load began, and notes the file as loaded as it is when the load ends. So a change that is written
while another is being loaded can vanish from the memory, and then from the file with the next save; or stay in both and
never take effect, because the file counts as loaded. No answer tells when that is over. Therefore: one writer at a
time; each write waits until the effect of the one before has been read, and then longer than a second load takes.
"""

import asyncio
from collections.abc import Sequence
from typing import Final

from adapter.clock import Clock
from adapter.contract.expectations import management
from adapter.management.client.guarded_client import GuardedClient
from adapter.management.client.interpreting import PathUnknown
from adapter.management.switching.section_plan import SwitchTarget
from adapter.port import Section, errors

EFFECT_SECONDS: Final = 20.0
"""How long a change may take to have an effect: a gateway with 10,000 keys reloads for seconds."""
_MODELS: Final = management("auth-files/models")
_LEAST_REST: Final = 0.5
_REST_FACTOR: Final = 2.0
_FOREIGN_REST: Final = 2.0
_FIRST_PAUSE: Final = 0.02
_LONGEST_PAUSE: Final = 0.5


class Reloads:
    """Awaits the reloads of one gateway; `writing` is held by whoever writes its configuration."""

    def __init__(self, link: GuardedClient, clock: Clock) -> None:
        self._link = link
        self._clock = clock
        self._sent = 0.0
        self._over = 0.0
        self.writing = asyncio.Lock()

    def sent(self) -> None:
        """Note that a write leaves now; until its effect has been read nothing is known of the reload it sets off."""
        self._sent = self._clock.monotonic()
        self._over = self._sent + EFFECT_SECONDS

    def seen(self) -> None:
        """Note that the effect of the last write has been read: a second load may take longer than the first."""
        now = self._clock.monotonic()
        self._over = now + _LEAST_REST + (now - self._sent) * _REST_FACTOR

    def passed_on(self) -> None:
        """Note that somebody else's write went to the gateway through us just now; what it sets off is not awaited."""
        self._over = max(self._over, self._clock.monotonic() + _FOREIGN_REST)

    async def over(self) -> None:
        """Wait until the next write can neither undo the last one nor be undone by its reload.

        Our own gateway has loaded what it saved before it answers.
        """
        if not (await self._link.release()).own:
            left = self._over - self._clock.monotonic()
            if left > 0:
                await self._clock.sleep(left)

    async def in_effect(self, targets: Sequence[SwitchTarget]) -> bool:
        """Wait until the keys of a write that were switched off offer no models any more, and those switched on do.

        One of each speaks for all, because they are loaded together. A compatible provider's effect is in its index,
        and a key with patterns of the operator's may offer nothing when it is on: nobody is asked about those.
        """
        keys = [one for one in targets if one.record.facts.section is not Section.COMPAT]
        off = [one for one in keys if one.change.disabled][-1:]
        on = [one for one in keys if not one.change.disabled and not _patterns(one)][-1:]
        deadline = self._clock.monotonic() + EFFECT_SECONDS
        for speaker in (*off, *on):
            if not await self._offers(speaker.record.gateway_id, models=not speaker.change.disabled, until=deadline):
                return False
        return True

    async def _offers(self, name: str, *, models: bool, until: float) -> bool:
        pause = _FIRST_PAUSE
        while True:
            try:
                answer = await self._link.read(_MODELS, name=name)
            except PathUnknown:
                return True
            except errors.GatewayError:
                return False
            if bool(answer.get("models") if isinstance(answer, dict) else None) is models:
                return True
            if self._clock.monotonic() > until:
                return False
            await self._clock.sleep(pause)
            pause = min(_LONGEST_PAUSE, pause * 2)


def _patterns(target: SwitchTarget) -> list[str]:
    return [pattern for pattern in target.record.excluded_models if pattern.strip() != "*"]
