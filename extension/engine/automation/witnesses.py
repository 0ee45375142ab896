"""Witnesses: accounts that worked in a run, a few of each route, asked again right before automatic changes.

Theory of operation. A wall that begins while a host is probed refuses at once, and what had passed before it is
answered after its first refusals. Neither the order of the answers nor that of the requests shows for certain on
which side of its beginning a request came in. So a change that rests on a failed probe is confirmed: accounts of the
same route (base URL and proxy) that worked are asked once more. One that is refused now speaks against the change. One
that is served speaks for it. An overloaded host, or none that answers, says neither.
"""

from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, Iterable
from http import HTTPStatus
from random import Random
from typing import Final

from adapter.port import Answer, NoAnswer
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.policy.circuit_breaker import LASTING
from extension.inspection.requests.outcome import Attempt, GatewayTrouble, ProbeRequest

Ask = Callable[[ProbeRequest], Awaitable[Answer | NoAnswer | GatewayTrouble]]
"""Function that sends a request through one account."""

CheckAnew = Callable[[int], Awaitable[Verdict | None]]
"""Function that checks an account from the beginning; None for one that is not there any more."""

_KEPT: Final = 8
"""Witnesses kept of each route, the newest."""

_PASSING: Final = frozenset({HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS})

_Witness = Callable[[], Awaitable[bool | None]]


class Witnesses:
    """Newest successes of each route of a run; routes are named as `route_named` does."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._of: defaultdict[str, deque[_Witness]] = defaultdict(lambda: deque(maxlen=_KEPT))

    def worked(self, route: str, attempts: Iterable[Attempt], ask: Ask) -> None:
        """Remember the first success of a probe, if the host served its account at all."""
        request = next((each.request for each in attempts if is_served(each.answer)), None)
        if request is None:
            return

        async def asked() -> bool | None:
            return is_served(await ask(request))

        self._of[route].append(asked)

    def worked_before(self, route: str, account_id: int, check_anew: CheckAnew) -> None:
        """Remember an account that worked before the run was resumed, and is checked from the beginning."""

        async def checked() -> bool | None:
            verdict = await check_anew(account_id)
            return True if verdict is Verdict.HEALTHY else False if verdict in LASTING else None

        self._of[route].append(checked)

    def has(self, route: str) -> bool:
        """Say whether an account of a route worked."""
        return route in self._of

    async def works(self, route: str) -> bool | None:
        """Ask one of the accounts of a route that worked: whether it is served, None where that cannot be said.

        Raises:
            GatewayError: our key is refused, our address is banned, or the gateway stays away.
        """
        return await self._random.choice(self._of[route])()


def is_served(answer: Answer | NoAnswer | GatewayTrouble) -> bool | None:
    """Say whether an account is served; None for an answer about the moment: no answer, 429 or 5xx."""
    if not isinstance(answer, Answer) or answer.status in _PASSING or answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return None
    return answer.status // 100 == 2  # noqa: PLR2004 - the class of success
