"""Witnesses: accounts that worked in a run, one for each route, asked again right before automatic changes.

Theory of operation. A wall that begins while a host is probed refuses at once, and what had passed before it is
answered after its first refusals. Neither the order of the answers nor that of the requests shows for certain on
which side of its beginning a request came in. So a change that rests on a failed probe is confirmed: an account of
the same route (base URL and proxy) that worked is asked once more. Where it fails now, the host may have begun to
fail, and the change is on hold. A request that was sent after the failure and worked is as good, and saves that one.
"""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass

from adapter.clock import Clock
from adapter.port import Answer, NoAnswer
from extension.inspection.requests.outcome import Attempt, GatewayTrouble, ProbeRequest

Ask = Callable[[ProbeRequest], Awaitable[Answer | NoAnswer | GatewayTrouble]]
"""Function that sends a request through one account."""


@dataclass(frozen=True, slots=True)
class _Witness:
    sent_at: int
    """Time at which a request that worked was sent, or earlier; integer milliseconds UTC."""
    request: ProbeRequest
    ask: Ask


class Witnesses:
    """Newest success of each route of a run; routes are named as `route_named` does."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._newest: dict[str, _Witness] = {}

    def worked(self, route: str, attempts: Iterable[Attempt], ask: Ask, *, began: int) -> None:
        """Remember the first success of a probe that found its account healthy, and when the probe began."""
        success = next((each for each in attempts if _is_success(each.answer)), None)
        if success is not None and (route not in self._newest or self._newest[route].sent_at <= began):
            self._newest[route] = _Witness(began, success.request, ask)

    async def has_failed(self, route: str, at: int) -> bool:
        """Say whether an account of a route that worked fails now; `at` is when the newest failure was answered.

        Without an account that worked there is nothing to say, and the circuit breaker has decided alone.

        Raises:
            GatewayError: our key is refused, our address is banned, or the gateway stays away.
        """
        witness = self._newest.get(route)
        if witness is None or witness.sent_at > at:
            return False
        sent_at = self._clock.now_ms()
        if not _is_success(await witness.ask(witness.request)):
            return True
        self._newest[route] = _Witness(sent_at, witness.request, witness.ask)
        return False


def _is_success(answer: Answer | NoAnswer | GatewayTrouble) -> bool:
    return isinstance(answer, Answer) and answer.status // 100 == 2  # noqa: PLR2004 - the class of success
