"""Second look: an account that was refused is asked once more right before it is changed for that.

Theory of operation. A wall in front of a host refuses good keys. Where most of the probes around one are refused, the
change is on hold; a short wall, or one that stands at the same place of two runs, such as their first seconds, looks
like a few bad keys. So a change is confirmed by the account itself, and then by the witness of its route: where the
witness works after the account was refused again, it is about the key. Nothing is known of refusals from before a run
was resumed; there the first judgement stands.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass

from adapter.port import Answer, NoAnswer
from extension.inspection.requests.outcome import Attempt, GatewayTrouble, ProbeRequest

Ask = Callable[[ProbeRequest], Awaitable[Answer | NoAnswer | GatewayTrouble]]
"""Function that sends a request through the account that was refused."""


@dataclass(frozen=True, slots=True)
class _Refusal:
    request: ProbeRequest
    status: int
    ask: Ask


class SecondLook:
    """Refusals of a run, and how each account is asked again; `at_once` are asked side by side at most."""

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._refusals: dict[int, _Refusal] = {}

    def refused(self, account_id: int, attempts: Sequence[Attempt], status: int | None, ask: Ask) -> None:
        """Remember the attempt that a judgement rests on: the last one with its status."""
        decisive = next((each for each in reversed(attempts) if status and each.status == status), None)
        if decisive is not None and isinstance(decisive.answer, Answer):
            self._refusals[account_id] = _Refusal(decisive.request, decisive.answer.status, ask)

    async def unconfirmed(self, account_ids: Iterable[int]) -> frozenset[int]:
        """Ask accounts again, and return those that do not get the same status now.

        Raises:
            GatewayError: our key is refused, our address is banned, or the gateway stays away.
        """
        known = {number: self._refusals[number] for number in account_ids if number in self._refusals}
        turns = asyncio.Semaphore(self._at_once)

        async def is_the_same(refusal: _Refusal) -> bool:
            async with turns:
                answer = await refusal.ask(refusal.request)
            return isinstance(answer, Answer) and answer.status == refusal.status

        same = await asyncio.gather(*map(is_the_same, known.values()))
        return frozenset(number for number, confirmed in zip(known, same, strict=True) if not confirmed)
