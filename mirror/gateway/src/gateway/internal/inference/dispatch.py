"""Finding a credential that serves a request: one after the other, in rounds, until one does."""

import asyncio
import math
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain, count

from gateway.internal.configuration.model import Configuration
from gateway.internal.inference.asked import Asked
from gateway.internal.inference.attempt import Bad, Good, attempt, hop_for
from gateway.internal.inference.catalogue import Offer, Tiers
from gateway.internal.inference.ledger import Ledger, Try
from gateway.internal.inference.refusals import (
    Refusal,
    cooling_down,
    no_answer,
    other_dialect,
    unavailable,
    unknown_model,
)
from gateway.internal.inference.traffic import Traffic
from gateway.internal.outbound.client import Outbound
from gateway.internal.outbound.proxy import first_usable
from gateway.internal.usage.record import Caller
from gateway.internal.usage.tap import NOTHING_READ


@dataclass(frozen=True, slots=True)
class Flow:
    """An answer that has begun: to be passed on, and noted in the ledger when it has ended."""

    attempt: Try
    good: Good
    ledger: Ledger


class Dispatch:
    """Serves one request with the state of the gateway at its beginning.

    Args:
        configuration: The configuration.
        traffic: What is remembered between requests.
        outbound: The client.
        ledger: Where attempts are noted.
        sleep: Waits for a number of seconds.
    """

    def __init__(
        self,
        configuration: Configuration,
        traffic: Traffic,
        outbound: Outbound,
        ledger: Ledger,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._configuration = configuration
        self._settings = configuration.traffic
        self._traffic = traffic
        self._outbound = outbound
        self._ledger = ledger
        self._sleep = sleep

    async def serve(self, asked: Asked, caller: Caller) -> Flow | Refusal:
        """Return the first answer that is no error, or the error to answer with.

        An error that lies in the request goes back at once. After any other the next credential is asked, as long as
        there is one that is not left alone at the moment; then, where `request-retry` allows it, all of them again.
        """
        tiers = self._traffic.catalogue.offers(asked.action, asked.model)
        if not tiers:
            return self._nobody(asked, caller)
        last: Bad | None = None
        for number in count():
            if number and not await self._may_repeat(tiers, last, number):
                break
            outcome = await self._round(asked, caller, tiers, number)
            if isinstance(outcome, Flow):
                return outcome
            last = outcome or last
            if outcome is not None and not outcome.failure.of_credential:
                break
        return self._refusal(asked, tiers, last)

    async def _round(self, asked: Asked, caller: Caller, tiers: Tiers, number: int) -> Flow | Bad | None:
        """Ask one credential after the other; return the last failure, None when nobody could be asked."""
        tried: set[tuple[str, str]] = set()
        asked_so_far, last = 0, None
        most = self._settings.max_retry_credentials or math.inf

        def available(offer: Offer) -> bool:
            fresh = (offer.credential.id, offer.upstream) not in tried
            return fresh and self._remaining(offer) <= 0 and (not number or self._retries(offer) >= number)

        turn = f"{asked.action} {asked.model}"
        while asked_so_far < most:
            offer = self._traffic.rotation.choose(self._configuration.routing_strategy, turn, tiers, available)
            if offer is None:
                break
            tried.add((offer.credential.id, offer.upstream))
            outcome = await self._ask(asked, caller, offer)
            if isinstance(outcome, Flow):
                return outcome
            if outcome is not None:
                asked_so_far, last = asked_so_far + 1, outcome
                if not outcome.failure.of_credential:
                    break
        return last

    async def _ask(self, asked: Asked, caller: Caller, offer: Offer) -> Flow | Bad | None:
        hop = hop_for(offer, asked, datetime.now(UTC))
        if hop is None:
            return None
        this = Try(caller, asked, offer, hop)
        proxy = first_usable((offer.credential.proxy_url, self._configuration.proxy_url))
        try:
            outcome = await attempt(self._outbound, hop, proxy)
        except asyncio.CancelledError:
            self._ledger.left(this, None, NOTHING_READ)
            raise
        if isinstance(outcome, Good):
            return Flow(this, outcome, self._ledger)
        self._ledger.refused(this, outcome)
        return outcome

    async def _may_repeat(self, tiers: Tiers, last: Bad | None, number: int) -> bool:
        """Wait until somebody can be asked again; return False when that takes too long or makes no sense."""
        if last is not None and not last.failure.repeatable:
            return False
        waits = [self._remaining(offer) for offer in _all(tiers) if self._retries(offer) >= number]
        shortest = min(waits, default=math.inf)
        if shortest > self._settings.max_retry_interval:
            return False
        await self._sleep(shortest)
        return True

    def _retries(self, offer: Offer) -> int:
        """Return how many further rounds a credential takes part in."""
        own = self._traffic.catalogue.written(offer.credential).get("request-retry")
        if isinstance(own, int) and not isinstance(own, bool) and own >= 0:
            return own
        return max(0, self._configuration.request_retry)

    def _remaining(self, offer: Offer) -> float:
        return self._traffic.cooldowns.remaining(offer.credential.id, offer.upstream)

    def _nobody(self, asked: Asked, caller: Caller) -> Refusal:
        if self._traffic.catalogue.serves(asked.model):
            return other_dialect(asked.action.dialect, asked.model, caller.endpoint)
        return unknown_model(asked.action.dialect, asked.model)

    def _refusal(self, asked: Asked, tiers: Tiers, last: Bad | None) -> Refusal:
        dialect = asked.action.dialect
        if last is not None and not last.detail:
            kept = {"Retry-After": last.header["Retry-After"][0]} if "Retry-After" in last.header else {}
            return Refusal(last.failure.status, last.shown, kept, last.content_type)
        if last is not None:
            return no_answer(dialect, last.detail)
        waits = [wait for offer in _all(tiers) if (wait := self._remaining(offer)) > 0]
        if not waits:
            return unavailable(dialect, asked.model)
        providers = {offer.credential.provider for offer in _all(tiers)}
        return cooling_down(asked.model, providers.pop() if len(providers) == 1 else "", min(waits))


def _all(tiers: Tiers) -> Iterable[Offer]:
    return chain.from_iterable(tiers)
