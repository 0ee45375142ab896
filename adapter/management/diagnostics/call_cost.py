"""Cost of a real call through the gateway, and the time of a whole run that follows from it."""

import asyncio
import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from adapter.clock import Clock
from adapter.contract.expectations import management
from adapter.management.client.guarded_client import GuardedClient
from adapter.management.client.interpreting import PathUnknown
from adapter.management.client.pace import MOST_EXPENSIVE
from adapter.management.client.transport import Request
from adapter.management.upstream_answer import ACCEPTED
from adapter.port import KeyRef, Pool, Section, Switch

_MODELS: Final = management("auth-files/models")
_MOST: Final = 5
"""Most entries tried: one may offer no models for reasons of its own."""


class IdProof(StrEnum):
    """Result of the attempt to prove the rule for ids."""

    PROVEN = "proven"
    REFUTED = "refuted"
    OPEN = "open"
    """No entry of a key section is enabled, or the gateway does not list models by id."""


async def prove_ids(client: GuardedClient, pool: Pool) -> IdProof:
    """Ask for the models of enabled entries until one answers to its computed id.

    Raises:
        GatewayError: the gateway could not be asked.
    """
    candidates = _candidates(pool)
    for ref in candidates:
        try:
            answer = await client.read(_MODELS, name=ref.entry_id)
        except PathUnknown:
            return IdProof.OPEN
        if isinstance(answer, dict) and answer.get("models"):
            return IdProof.PROVEN
    return IdProof.REFUTED if candidates else IdProof.OPEN


def _candidates(pool: Pool) -> list[KeyRef]:
    """Return references of enabled entries of key sections, the first of each section before any second one."""
    by_section: dict[Section | None, list[KeyRef]] = {}
    for account in pool.accounts:
        if isinstance(account.ref, KeyRef) and account.switch is Switch.ENTRY and account.enabled and account.listed:
            by_section.setdefault(account.ref.section, []).append(account.ref)
    first = [refs[0] for refs in by_section.values()]
    return [*first, *(ref for refs in by_section.values() for ref in refs[1:])][:_MOST]


_CALL: Final = management("api-call")
_CLOSED: Final = "http://127.0.0.1:9/"
"""Address on the gateway's own machine at which nothing listens, so that nothing is sent beyond the gateway."""
_NO_INDEX: Final = "0" * 16
"""An index of no credential: a stock gateway (v7.2.140) looks through its whole pool for it, as for any other."""
_ALONE: Final = 3
_TOGETHER: Final = 4
_ROUNDS: Final = 2


@dataclass(frozen=True, slots=True)
class CallCost:
    """Time of calls as a client sees it, which is no measure of the gateway's CPU."""

    seconds: float
    """Shortest time of a call by itself."""
    rate: float
    """Calls per second with several in flight."""

    def run_seconds(self, accounts: int) -> float:
        """Return the shortest time of a run with one call per account; the providers' own time comes on top."""
        return accounts / self.rate


async def measure_calls(client: GuardedClient, clock: Clock) -> CallCost:
    """Make a few calls to a closed port, one by one and then several at once.

    Raises:
        GatewayError: the gateway could not be asked, or does not make the call.
    """
    is_own = (await client.release()).own
    request = _request(index="" if is_own else _NO_INDEX)
    alone = [await _taken(client, clock, request) for _ in range(_ALONE)]
    together = MOST_EXPENSIVE if client.expensive else _TOGETHER
    started = clock.monotonic()
    await asyncio.gather(*(_several(client, clock, request) for _ in range(together)))
    seconds = clock.monotonic() - started
    return CallCost(min(alone), together * _ROUNDS / max(seconds, min(alone) / together, 1e-6))


async def _several(client: GuardedClient, clock: Clock, request: Request) -> None:
    for _ in range(_ROUNDS):
        await _taken(client, clock, request)


async def _taken(client: GuardedClient, clock: Clock, request: Request) -> float:
    started = clock.monotonic()
    await client.once(request, ACCEPTED)
    return clock.monotonic() - started


def _request(index: str) -> Request:
    call = {"method": "GET", "url": _CLOSED, "header": {}, "data": "", "proxy_url": "direct"}
    body = call | ({"auth_index": index} if index else {})
    return Request("POST", _CALL, body=json.dumps(body).encode())
