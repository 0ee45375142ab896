"""Confirmation: what is asked again right before automatic changes, and which of them it puts on hold.

Theory of operation. A wall in front of a host refuses good keys: all of them, one request in three, or what comes in a
burst, and so does a limit. So accounts that fail are asked again, in two rounds. In each round witnesses, accounts of
the same route (base URL and proxy) that worked, are asked among them in an order drawn by chance, and one after them: a
wall that stands then refuses a witness, one that has ended serves the accounts. The second round follows after a pause
drawn by chance, longer in a long run, so that no wall that comes and goes keeps step. A route of which one account is
served at last may answer by chance: there two more follow. A route without a witness is asked ten times in all, because
nothing else tells a host that refuses by chance from a dead key; the pauses between double, to a minute in all, so that
a wall at the start of a run is outlived. These routes come last, so that no other account waits for them. Where a tenth
is served at last, nothing of the route is changed.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Final, Protocol

from adapter.clock import Clock
from extension.engine.automation.reprobe import FailedProbes, Reprobe, Witnesses
from extension.engine.pool.hosts import route_named
from extension.reasons.codes import HoldCode
from extension.store.records import NewResult

_WITNESSED: Final = 4
"""Most rounds of a route with a witness; those after the second are for routes that may answer by chance."""

_ALWAYS: Final = 2
"""Rounds that every change takes."""

_UNSURE: Final = 10
"""A route answers by chance where one of so many accounts, or more, does not fail again."""

ROUNDS: Final = _UNSURE
"""Most rounds: those of a single account without a witness."""

_AMONG: Final = 5
"""Failed accounts to each witness that is asked among them."""

_MOST_WITNESSES: Final = 6
"""Most witnesses of a route that are asked among the accounts of one round."""

_PAUSE: Final = (0.02, 0.1)
"""Bounds of the pause before another round, in seconds."""

_LAST_PAUSE: Final = 30.0
"""Seconds of the pause before the last request of a route without a witness; each before it is half as long."""

_LONGER: Final = 0.02
"""Part of the run's time so far by which that pause is longer, so that a long run sees more than a moment."""

_MOST_LONGER: Final = 5.0
"""Most seconds by which that pause is longer."""


class Controls(Protocol):
    """Controls of a run, as far as automation needs them."""

    def rests_on_control(self, account_id: int) -> bool:
        """Return whether a refusal of an account was weighed against the answer to a wrong key."""

    def resumed_with(self, account_id: int) -> None:
        """Take note of a refusal that was stored before the run was resumed."""

    async def confirm(self, account_ids: Iterable[int]) -> Mapping[int, HoldCode]:
        """Send these control probes again, and return the accounts that are not to be changed, with the reason."""


@dataclass(slots=True)
class _Heard:
    """Answers of one round on a route."""

    served: set[int] = field(default_factory=set)
    """Accounts that do not fail again."""
    silent: set[int] = field(default_factory=set)
    """Accounts whose answer is about the moment."""
    witnesses: list[bool | None] = field(default_factory=list)


class Confirmation:
    """Confirmation of the changes of one run; without `brake`, the circuit breaker, only controls are sent again.

    At most `at_once` accounts are asked side by side.
    """

    def __init__(
        self,
        controls: Controls,
        witnesses: Witnesses,
        failures: FailedProbes,
        *,
        reprobe: Reprobe,
        clock: Clock,
        random: Random,
        brake: bool,
        at_once: int,
    ) -> None:
        self._controls = controls
        self._witnesses = witnesses
        self._failures = failures
        self._reprobe = reprobe
        self._clock = clock
        self._random = random
        self._brake = brake
        self._at_once = at_once
        self._began = clock.monotonic()
        self._requests: Counter[str] = Counter()
        self._served: Counter[str] = Counter()

    def resumed_with(self, result: NewResult) -> None:
        """Take note of an account that worked before the run was resumed."""
        self._witnesses.worked_before(_route_of(result), result.account_id)

    def is_slow(self, result: NewResult) -> bool:
        """Return whether a change takes the long pauses of a route without a witness."""
        return self._brake and not self._witnesses.has(_route_of(result))

    async def objections(self, results: Mapping[int, NewResult]) -> Mapping[int, HoldCode]:
        """Return the accounts that are not to be disabled or deleted, with the reason; `results` are by account."""
        objections: dict[int, HoldCode] = {}
        for number in range(ROUNDS if self._brake else 0):
            remaining = {account: result for account, result in results.items() if account not in objections}
            objections |= await self._round(number, remaining)
        return objections | dict(
            await self._controls.confirm(account for account in results if account not in objections)
        )

    async def _round(self, number: int, results: Mapping[int, NewResult]) -> dict[int, HoldCode]:
        failed: defaultdict[str, set[int]] = defaultdict(set)
        for account, result in results.items():
            if self._is_asked(number, account, result):
                failed[_route_of(result)].add(result.probed_with or account)
        chosen_by_route = {
            route: chosen for route, accounts in failed.items() if (chosen := self._chosen(number, route, accounts))
        }
        # Trouble from before the run was resumed is not at hand: about such a failure the witness alone speaks.
        routes = {_route_of(result) for result in results.values()} if number == 0 else set(chosen_by_route)
        if not routes:
            return {}
        if number:
            await self._clock.sleep(self._pause(routes))
        heard = await self._hear(chosen_by_route, routes)
        unsure = {
            route
            for route, accounts in chosen_by_route.items()
            if self._is_unsure(route, accounts, heard[route].served)
        }
        objections: dict[int, HoldCode] = {}
        for account, result in results.items():
            route, asked_again = _route_of(result), self._is_asked(number, account, result)
            if asked_again and (result.probed_with or account) in heard[route].served | heard[route].silent:
                objections[account] = HoldCode.NOT_CONFIRMED
            elif asked_again and route in unsure:
                objections[account] = HoldCode.OTHERS_NOT_CONFIRMED
            elif _speak_against(heard[route].witnesses):
                objections[account] = HoldCode.WITNESS_FAILED
        return objections

    def _pause(self, routes: Iterable[str]) -> float:
        """Return the seconds before another round of these routes."""
        remaining = (max(0, _UNSURE - 1 - self._requests[route]) for route in routes if not self._witnesses.has(route))
        without_witness = max((_LAST_PAUSE / 2**count for count in remaining), default=0.0)
        longer = min(_LONGER * (self._clock.monotonic() - self._began), _MOST_LONGER)
        return self._random.uniform(*_PAUSE) + max(longer, without_witness)

    def _is_asked(self, number: int, account: int, result: NewResult) -> bool:
        return self._failures.asks(result.probed_with or account, result.verdict, number)

    def _chosen(self, number: int, route: str, failed: Iterable[int]) -> list[int]:
        """Return the accounts of a route that a round asks."""
        shuffled = sorted(failed)
        self._random.shuffle(shuffled)
        if number >= _WITNESSED and self._witnesses.has(route):
            return []
        # A tenth cannot be told from fewer than ten requests: the first accounts of a route take all rounds, too.
        too_few = self._requests[route] < _UNSURE
        return shuffled if number < _ALWAYS or self._served[route] or too_few else []

    async def _hear(self, chosen_by_route: Mapping[str, list[int]], routes: Collection[str]) -> dict[str, _Heard]:
        """Ask accounts and witnesses of routes side by side, then one more witness of each route."""
        heard: defaultdict[str, _Heard] = defaultdict(_Heard)
        with_witness = [route for route in sorted(routes) if self._witnesses.has(route)]

        async def look(route: str, account: int) -> None:
            fails = await self._failures.fails_again(account, self._reprobe)
            if not fails:
                (heard[route].silent if fails is None else heard[route].served).add(account)

        async def call(route: str) -> None:
            heard[route].witnesses.append(await self._witnesses.works(route, self._reprobe))

        checks: list[Callable[[], Awaitable[None]]] = [
            partial(look, route, account) for route, chosen in chosen_by_route.items() for account in chosen
        ]
        for route in with_witness:
            checks += [partial(call, route)] * min(len(chosen_by_route.get(route, ())) // _AMONG, _MOST_WITNESSES)
        self._random.shuffle(checks)
        await side_by_side(checks, self._at_once)
        await side_by_side([partial(call, route) for route in with_witness], self._at_once)
        return heard

    def _is_unsure(self, route: str, chosen: Collection[int], served: Collection[int]) -> bool:
        """Count the accounts asked on a route, and return whether too many are served: in this round, or in the run."""
        self._requests[route] += len(chosen)
        self._served[route] += len(served)
        return len(served) * _UNSURE >= len(chosen) or self._served[route] * _UNSURE >= self._requests[route]


def _speak_against(witnesses: Collection[bool | None]) -> bool:
    """Return whether a witness is refused, or none is served although some were asked."""
    return False in witnesses or (bool(witnesses) and True not in witnesses)


def _route_of(result: NewResult) -> str:
    """Return the route of a result; accounts without a base URL are told apart by their provider."""
    return route_named(result.base_url or result.provider, result.route)


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
