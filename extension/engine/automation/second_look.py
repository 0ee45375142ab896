"""Second look: a refused account is asked once more right before a change that rests on its refusal.

Theory of operation. A wall in front of a host refuses good keys. Where most of the probes around one are refused, the
change is on hold; a short wall, or one at the same place of two runs, such as their first seconds, looks like a few
bad keys. So the account itself confirms a change; `confirmation` says in which order with the witness of its route. The
request of a refusal from before a resumption is not at hand any more; such an account is checked anew.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass

from adapter.port import Answer
from extension.engine.automation.witnesses import Ask
from extension.inspection.requests.outcome import Attempt, ProbeRequest

CheckAnew = Callable[[int], Awaitable[bool]]
"""Function that checks an account from the beginning, and returns whether its key is refused again."""


@dataclass(frozen=True, slots=True)
class _Refusal:
    request: ProbeRequest
    status: int
    ask: Ask

    async def is_repeated(self) -> bool:
        """Send the request again, and return whether it has the same status."""
        answer = await self.ask(self.request)
        return isinstance(answer, Answer) and answer.status == self.status


class RefusedProbes:
    """Refused probes of the accounts of a run, each with a way to repeat it."""

    def __init__(self) -> None:
        self._known: dict[int, _Refusal] = {}

    def add(self, account_id: int, attempts: Sequence[Attempt], status: int | None, ask: Ask) -> None:
        """Remember the attempt that a judgement rests on: the last one with its status."""
        decisive = next((each for each in reversed(attempts) if status and each.status == status), None)
        if decisive is not None and isinstance(decisive.answer, Answer):
            self._known[account_id] = _Refusal(decisive.request, decisive.answer.status, ask)

    def of(self, account_id: int) -> _Refusal | None:
        """Return the refusal of an account; None for one from before the run was resumed."""
        return self._known.get(account_id)


class SecondLook:
    """Confirmation of refusals; at most `at_once` accounts are asked side by side."""

    def __init__(self, refusals: RefusedProbes, check_anew: CheckAnew, at_once: int) -> None:
        self._refusals = refusals
        self._check_anew = check_anew
        self._turns = asyncio.Semaphore(at_once)

    async def unconfirmed(self, account_ids: Iterable[int]) -> frozenset[int]:
        """Ask refused accounts again, and return those that are not refused likewise now.

        Raises:
            GatewayError: our key is refused, our address is banned, or the gateway stays away.
        """
        looks = {number: asyncio.ensure_future(self._is_repeated(number)) for number in account_ids}
        try:
            await asyncio.gather(*looks.values())
        finally:
            # After a ban, or when the run is stopped, each further request would make it worse.
            for look in looks.values():
                look.cancel()
        return frozenset(number for number, look in looks.items() if not look.result())

    async def _is_repeated(self, account_id: int) -> bool:
        async with self._turns:
            refusal = self._refusals.of(account_id)
            return await (self._check_anew(account_id) if refusal is None else refusal.is_repeated())
