"""Control prober: sends the same request with a wrong key, within a budget per route.

Theory of operation. Relays ban addresses that send wrong keys, so accounts of one route (a base URL) share controls.
A control judges only answers older than itself: a wall that begins in the middle of a run would otherwise look like
the fault of every key after it. An answer that is newer than the last control of its class therefore gets a new one,
at most once a minute, and `MOST_CONTROLS` of a route in a run. In between, the last control may excuse an answer, never
blame one: where both are the same, the host refuses everybody; where they differ, there is no control, and the table
by status and the circuit breaker decide.

A disable that rests on a control is written long after it, so that the control is taken once more right before the
batch (`confirm`): where a wrong key then gets what the account got, a wall stands in front of the host. Before an
account is enabled, a wrong key shows whether its host checks keys at all (`unrefused`).

Two facts belong to a route, not to a moment, and are kept for a week: whether its list of models is public, and whether
a chat needs a key at all.

Runs from schedules send at most one wrong key to a route in an hour. Where they act by themselves it is kept for the
moment before the write: a refusal is weighed without a control while they probe, and only `confirm` compares it. A
disable whose control is not to be had there is on hold, also after a resumption, for which no answer is at hand.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from adapter.clock import Clock
from adapter.port import Answer
from extension.inspection.accounts.families import Family
from extension.inspection.evidence.answers.matcher import row_for
from extension.inspection.evidence.answers.meaning import REQUEST_MEANINGS
from extension.inspection.evidence.skeleton import Skeleton, skeleton_of
from extension.inspection.probes.controls import (
    MOST_CONFIRMATIONS,
    MOST_CONTROLS,
    ControlAnswer,
    accepts,
    control_key,
    is_same,
    tells,
    with_key,
)
from extension.inspection.requests.outcome import Attempt, ProbeRequest
from extension.reasons.codes import HoldCode

FRESH_SECONDS: Final = 60.0
KEPT_SECONDS: Final = 7 * 24 * 3600.0
SCHEDULE_SECONDS: Final = 3600.0
_FORBIDDEN: Final = 403

Send = Callable[[ProbeRequest], Awaitable[ControlAnswer]]
"""Function that sends a request as it is, through the account that the control belongs to."""


@dataclass(frozen=True, slots=True)
class _Taken:
    sent_at: float
    answer: ControlAnswer


async def _nowhere(_: str) -> None:
    """Store nothing."""


@dataclass(slots=True)
class ControlMemory:
    """Memory of a service about its routes, shared by all runs. `keep` stores that a wrong key is sent to a route."""

    keep: Callable[[str], Awaitable[None]] = _nowhere

    facts: dict[tuple[str, str], _Taken] = field(default_factory=dict)
    """Answers of a wrong key that are a property of the route, by route and endpoint."""
    sent: dict[str, float] = field(default_factory=dict)
    """Monotonic time of the last wrong key of a route."""


@dataclass(frozen=True, slots=True)
class ControlWish:
    """Wish for the control of one answered request."""

    route: str
    family: Family
    attempt: Attempt
    answered_at: float


@dataclass(frozen=True, slots=True)
class _Judged:
    """Answer of an account that a control is compared with."""

    wish: ControlWish
    answer: Answer
    send: Send

    @property
    def which(self) -> tuple[str, str, Skeleton]:
        """Route and class of the answer."""
        request = self.wish.attempt.request
        return self.wish.route, f"{request.method} {request.endpoint.value}", skeleton_of(self.answer)


class ControlProber:
    """Controls of one run."""

    def __init__(
        self, memory: ControlMemory, clock: Clock, random: Random, *, scheduled: bool, acts: bool = False
    ) -> None:
        self._memory = memory
        self._clock = clock
        self._random = random
        self._scheduled = scheduled
        self._reserves = scheduled and acts
        self._unheard: set[int] = set()
        self._spent: Counter[str] = Counter()
        self._taken: dict[tuple[str, str, Skeleton | None], _Taken] = {}
        self._judged: dict[int, _Judged] = {}
        self._served: dict[int, _Judged] = {}
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def answer(self, wish: ControlWish, send: Send, account_ids: Sequence[int] = ()) -> ControlAnswer | None:
        """Return what a wrong key gets, or None where no control is to be had; it judges the accounts given."""
        answer, request = wish.attempt.answer, wish.attempt.request
        if not isinstance(answer, Answer):
            return None
        if answer.status == _FORBIDDEN:
            self._judged.update(dict.fromkeys(account_ids, _Judged(wish, answer, send)))
        # The requests of a route wait for one another, so that those answered before a control share it.
        async with self._locks[wish.route]:
            if answer.status // 100 == 2:  # noqa: PLR2004 - the class of success
                return await self._fact(wish, request, send)
            return await self._refusal(wish, answer, request, send)

    def rests_on_control(self, account_id: int) -> bool:
        """Return whether a refusal of an account was weighed against the answer to a wrong key."""
        return account_id in self._judged or account_id in self._unheard

    def resumed_with(self, account_id: int) -> None:
        """Take note of a refusal that was stored before the run was resumed: its answer is not at hand any more."""
        self._unheard.add(account_id)

    async def confirm(self, account_ids: Iterable[int]) -> Mapping[int, HoldCode]:
        """Send the controls of refusals again, and return the accounts that are not to be changed, with the reason.

        There is one for each route and class of answers. A control without an answer of the API leaves the first
        judgement; one that the budget does not allow puts the change on hold.
        """
        classes: defaultdict[tuple[str, str, Skeleton], list[int]] = defaultdict(list)
        numbered = list(account_ids)
        for number in numbered:
            judged = self._judged.get(number)
            if judged is not None:
                classes[judged.which].append(number)
        unheard = (number for number in numbered if number in self._unheard and number not in self._judged)
        objections = dict.fromkeys(unheard, HoldCode.AWAITING_CONTROL)
        for numbers in classes.values():
            judged = self._judged[numbers[0]]
            request = judged.wish.attempt.request
            async with self._locks[judged.wish.route]:
                taken = await self._take(judged.wish, request, judged.send, most=MOST_CONTROLS + MOST_CONFIRMATIONS)
            if taken is None:
                objections |= dict.fromkeys(numbers, HoldCode.AWAITING_CONTROL)
            elif is_same(judged.answer, taken.answer, request):
                objections |= dict.fromkeys(numbers, HoldCode.SAME_FOR_ANY_KEY)
        return objections

    def served(self, account_id: int, wish: ControlWish, send: Send) -> None:
        """Remember the last request of an account that works, which a wrong key is sent with before it is enabled."""
        if isinstance(wish.attempt.answer, Answer):
            self._served[account_id] = _Judged(wish, wish.attempt.answer, send)

    async def unrefused(self, account_ids: Iterable[int]) -> set[int]:
        """Send a wrong key with what accounts were served, and return those whose host does not tell it apart.

        An answer that is none of the API, a budget that is used up and a request that is not at hand tell nothing.
        """
        classes: defaultdict[tuple[str, str, Skeleton] | None, set[int]] = defaultdict(set)
        for number in account_ids:
            served = self._served.get(number)
            classes[None if served is None else served.which].add(number)
        unrefused = classes.pop(None, set())
        for numbers in classes.values():
            served = self._served[min(numbers)]
            request = served.wish.attempt.request
            async with self._locks[served.wish.route]:
                taken = await self._take(served.wish, request, served.send, most=MOST_CONTROLS + MOST_CONFIRMATIONS)
            if taken is None or not _tells_apart(served.answer, taken.answer, request):
                unrefused |= numbers
        return unrefused

    async def _fact(self, wish: ControlWish, request: ProbeRequest, send: Send) -> ControlAnswer | None:
        """Return the answer of a wrong key where an account succeeds: a property of the route."""
        which = wish.route, request.endpoint.value
        known = self._memory.facts.get(which)
        if known is not None and self._clock.monotonic() - known.sent_at < KEPT_SECONDS:
            return known.answer
        taken = await self._take(wish, request, send)
        if taken is None:
            return None
        if tells(taken.answer, request):
            self._memory.facts[which] = taken
        return taken.answer

    async def _refusal(
        self, wish: ControlWish, answer: Answer, request: ProbeRequest, send: Send
    ) -> ControlAnswer | None:
        if self._reserves:
            return None
        which = wish.route, f"{request.method} {request.endpoint.value}", skeleton_of(answer)
        last = self._taken.get(which)
        if last is not None and self._clock.monotonic() - last.sent_at < FRESH_SECONDS:
            if last.sent_at >= wish.answered_at or _cannot_blame(answer, last.answer, request):
                return last.answer
            return None
        taken = await self._take(wish, request, send)
        if taken is None:
            return None
        self._taken[which] = taken
        return taken.answer

    async def _take(
        self, wish: ControlWish, request: ProbeRequest, send: Send, *, most: int = MOST_CONTROLS
    ) -> _Taken | None:
        """Send one wrong key if the budget of the route allows it."""
        now = self._clock.monotonic()
        last = self._memory.sent.get(wish.route)
        if self._spent[wish.route] >= most:
            return None
        if self._scheduled and last is not None and now - last < SCHEDULE_SECONDS:
            return None
        self._spent[wish.route] += 1
        self._memory.sent[wish.route] = now
        await self._memory.keep(wish.route)  # before it is sent: a crash leaves the hour too long, never too short
        return _Taken(now, await send(with_key(request, control_key(wish.family, self._random))))


def _tells_apart(served: Answer, control: ControlAnswer, request: ProbeRequest) -> bool:
    """Return whether a host answers a wrong key in another way than an account that it served."""
    return tells(control, request) and not accepts(control, request) and not is_same(served, control, request)


def _cannot_blame(answer: Answer, control: ControlAnswer, request: ProbeRequest) -> bool:
    """Return whether an older control can be used, because nothing that follows from it counts against the key.

    A 403 that differs from its control would be blamed on the key. Any other 4xx never is, nor is a known answer about
    the request, such as the 503 by which a relay says that it has no channel for an empty model.
    """
    if is_same(answer, control, request):
        return True
    if answer.status == _FORBIDDEN:
        return False
    row = row_for(answer, request.url)
    return answer.status // 100 == 4 or (row is not None and row.meaning in REQUEST_MEANINGS)  # noqa: PLR2004 - refusals
