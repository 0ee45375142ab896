"""Confirmation: what is asked again right before automatic changes, and which of them it puts on hold.

Theory of operation. A wall in front of a host refuses good keys, at once or one request in three. So refused accounts
are asked again, then a witness of their route (base URL and proxy): a wall that still stands fails the witness as well.
One that ends between the two is met by a second round, which asks at most `ROUND_TWO` accounts of a route. A route of
which several accounts are not refused again answers by chance: nothing that rests on its refusals is changed in this
run. The order is shuffled, so that no wall that counts requests meets the same place of every run.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from random import Random
from typing import Final, Protocol

from adapter.clock import Clock
from extension.engine.automation.second_look import SecondLook
from extension.engine.automation.witnesses import Witnesses
from extension.engine.pool.hosts import route_named
from extension.inspection.accounts.account import Source
from extension.inspection.policy.circuit_breaker import KEY_FAILURES
from extension.reasons.hold import HoldCode
from extension.store.records import NewResult

ROUND_TWO: Final = 20
"""Most refused accounts of a route that are asked a second time."""

_UNSURE: Final = 5
"""A route answers by chance where one of so many accounts, or more of them, is not refused again."""


class Controls(Protocol):
    """Controls of a run, as far as automation needs them."""

    def rests_on_control(self, account_id: int) -> bool:
        """Say whether a refusal of an account was weighed against the answer to a wrong key."""

    def resumed_with(self, account_id: int) -> None:
        """Take note of a refusal that was stored before the run was resumed."""

    async def confirm(self, account_ids: Iterable[int]) -> Mapping[int, HoldCode]:
        """Send these control probes again, and return the accounts that are not to be changed, with the reason."""


class Confirmation:
    """Confirmation of the changes of one run; without `brake`, the circuit breaker, only controls are sent again."""

    def __init__(
        self,
        controls: Controls,
        witnesses: Witnesses,
        second_look: SecondLook,
        clock: Clock,
        random: Random,
        *,
        brake: bool,
    ) -> None:
        self._controls = controls
        self._witnesses = witnesses
        self._second_look = second_look
        self._clock = clock
        self._random = random
        self._brake = brake
        self._asked: Counter[str] = Counter()
        self._changed: Counter[str] = Counter()

    async def objections(self, results: Mapping[int, NewResult]) -> Mapping[int, HoldCode]:
        """Return the accounts that are not to be disabled or deleted, with the reason; `results` are by account.

        Raises:
            GatewayError: our key is refused, our address is banned, or the gateway stays away.
        """
        held: dict[int, HoldCode] = {}
        if self._brake:
            for most in (None, ROUND_TWO):
                held |= await self._not_refused_again(_without(results, held), most)
                held |= await self._without_witness(_without(results, held))
        return held | dict(await self._controls.confirm(_without(results, held)))

    async def _not_refused_again(self, results: Mapping[int, NewResult], most: int | None) -> dict[int, HoldCode]:
        """Ask refused accounts again, at most so many of each route."""
        refused = {number: result for number, result in results.items() if result.verdict in KEY_FAILURES}
        probes: defaultdict[str, set[int]] = defaultdict(set)
        for number, result in refused.items():
            probes[_route_of(result)].add(result.probed_with or number)
        chosen = {route: self._shuffled(numbers)[:most] for route, numbers in probes.items()}
        changed = await self._second_look.unconfirmed(self._shuffled(set().union(*chosen.values())))
        for route, numbers in chosen.items():
            self._asked[route] += len(numbers)
            self._changed[route] += len(changed.intersection(numbers))
        unsure = (number for number, result in refused.items() if self._is_unsure(_route_of(result)))
        alone = (number for number, result in refused.items() if (result.probed_with or number) in changed)
        return dict.fromkeys(unsure, HoldCode.OTHERS_NOT_CONFIRMED) | dict.fromkeys(alone, HoldCode.NOT_CONFIRMED)

    def _is_unsure(self, route: str) -> bool:
        return 0 < self._asked[route] <= self._changed[route] * _UNSURE

    async def _without_witness(self, results: Mapping[int, NewResult]) -> dict[int, HoldCode]:
        """Return the keys on routes where an account that worked fails by now."""
        looked_at, failed_at = self._clock.now_ms(), dict[str, int]()
        routes: dict[int, str] = {}
        for number, result in results.items():
            if result.account_source == Source.API_KEY:
                route = routes[number] = route_named(result.base_url, result.route)
                failed_at[route] = max(failed_at.get(route, 0), result.at, looked_at)
        failing = {route for route, at in failed_at.items() if await self._witnesses.has_failed(route, at)}
        return {number: HoldCode.WITNESS_FAILED for number, route in routes.items() if route in failing}

    def _shuffled(self, numbers: Iterable[int]) -> list[int]:
        ordered = sorted(numbers)
        self._random.shuffle(ordered)
        return ordered


def _route_of(result: NewResult) -> str:
    """Return the route of a result; accounts without a base URL are told apart by their provider."""
    return route_named(result.base_url or result.provider, result.route)


def _without(results: Mapping[int, NewResult], held: Iterable[int]) -> dict[int, NewResult]:
    return {number: result for number, result in results.items() if number not in held}
