"""Second look: an account that failed is asked once more right before a change that rests on its failure.

Theory of operation. A wall in front of a host refuses good keys. Where most of the probes around one are refused, the
change is on hold; a short wall, or one at the same place of two runs, such as their first seconds, looks like a few
bad keys, and so do a host that answers 503 to some and a limit that is reached in the same minute of two runs. So the
account itself confirms a change; `confirmation` says in which order with the witnesses of its route. The request of a
failure from before a resumption is not at hand any more; an account that was refused is checked anew. A time limit that
was reached is waited for once more, not twice.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from adapter.port import Answer, NoAnswer, NoAnswerKind
from extension.engine.automation.witnesses import Ask, CheckAnew, is_served
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.policy.circuit_breaker import LASTING
from extension.inspection.probes.judgement import Judgement
from extension.inspection.requests.outcome import Attempt, GatewayTrouble, ProbeRequest

_SLOW: Final = frozenset({NoAnswerKind.TIMEOUT, NoAnswerKind.UNKNOWN})
"""Kinds of a missing answer that may take as long again; a gateway that does not explain it may mean such a one."""


@dataclass(frozen=True, slots=True)
class _Failure:
    request: ProbeRequest
    status: int | None
    lasts: bool
    is_slow: bool
    ask: Ask

    async def is_repeated(self) -> bool | None:
        """Send the request again, and return whether it fails likewise; None where that cannot be said.

        A refusal that lasts is repeated by its status, trouble of the moment by anything that serves nothing.
        """
        answer = await self.ask(self.request)
        if Attempt(self.request, answer).trouble is not None:
            return None
        if not self.lasts:
            return not is_served(answer)
        if isinstance(answer, Answer) and answer.status == self.status:
            return True
        return None if is_served(answer) is None else False


class FailedProbes:
    """Failed probes of the accounts of a run, each with a way to repeat it."""

    def __init__(self) -> None:
        self._known: dict[int, _Failure] = {}

    def add(self, account_id: int, attempts: Sequence[Attempt], judgement: Judgement, ask: Ask) -> None:
        """Remember the attempt that a judgement rests on: the last one with its status, or without an answer."""
        decisive = next((each for each in reversed(attempts) if each.status == judgement.status), None)
        if decisive is not None and not isinstance(decisive.answer, GatewayTrouble):
            lasts = judgement.verdict in LASTING
            is_slow = isinstance(decisive.answer, NoAnswer) and decisive.answer.kind in _SLOW
            self._known[account_id] = _Failure(decisive.request, decisive.status, lasts, is_slow, ask)

    def of(self, account_id: int) -> _Failure | None:
        """Return the failure of an account; None for one from before the run was resumed."""
        return self._known.get(account_id)


class SecondLook:
    """Confirmation of the failures of single accounts."""

    def __init__(self, failures: FailedProbes, check_anew: CheckAnew) -> None:
        self._failures = failures
        self._check_anew = check_anew

    def asks(self, account_id: int, verdict: str, number: int) -> bool:
        """Say whether an account with a verdict is asked in a round; the first one has the number 0."""
        failure = self._failures.of(account_id)
        return verdict in LASTING if failure is None else number == 0 or not failure.is_slow

    async def fails_again(self, account_id: int) -> bool | None:
        """Ask an account again, and say whether it fails as before; None where that cannot be said.

        Raises:
            GatewayError: our key is refused, our address is banned, or the gateway stays away.
        """
        failure = self._failures.of(account_id)
        if failure is not None:
            return await failure.is_repeated()
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
