"""Second look: an account that failed is asked once more right before a change that rests on its failure.

Theory of operation. A wall in front of a host refuses good keys. Where most of the probes around one are refused, the
change is on hold; a short wall, or one at the same place of two runs, such as their first seconds, looks like a few
bad keys. So the account itself confirms a change; `confirmation` says in which order with the witnesses of its route.
The request of a failure from before a resumption is not at hand any more; such an account is checked anew.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass

from adapter.port import Answer
from extension.engine.automation.witnesses import Ask, CheckAnew, is_served
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.policy.circuit_breaker import LASTING
from extension.inspection.requests.outcome import Attempt, ProbeRequest


@dataclass(frozen=True, slots=True)
class _Refusal:
    request: ProbeRequest
    status: int
    ask: Ask

    async def is_repeated(self) -> bool | None:
        """Send the request again, and return whether it has the same status; None for an answer about the moment."""
        answer = await self.ask(self.request)
        if isinstance(answer, Answer) and answer.status == self.status:
            return True
        return None if is_served(answer) is None else False


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
    """Confirmation of the failures of single accounts."""

    def __init__(self, refusals: RefusedProbes, check_anew: CheckAnew) -> None:
        self._refusals = refusals
        self._check_anew = check_anew

    async def fails_again(self, account_id: int) -> bool | None:
        """Ask an account again, and say whether it fails as before; None where that cannot be said.

        Raises:
            GatewayError: our key is refused, our address is banned, or the gateway stays away.
        """
        refusal = self._refusals.of(account_id)
        if refusal is not None:
            return await refusal.is_repeated()
        verdict = await self._check_anew(account_id)
        return True if verdict in LASTING else False if verdict is Verdict.HEALTHY else None


async def side_by_side(checks: Iterable[Callable[[], Awaitable[None]]], at_once: int) -> None:
    """Make checks in their order, so many at once; an error ends them all."""
    turns = asyncio.Semaphore(at_once)

    async def in_turn(check: Callable[[], Awaitable[None]]) -> None:
        async with turns:
            await check()

    looks = [asyncio.ensure_future(in_turn(check)) for check in checks]
    try:
        await asyncio.gather(*looks)
    finally:
        # After a ban, or when the run is stopped, each further request would make it worse.
        for look in looks:
            look.cancel()
