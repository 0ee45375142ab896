"""Finding a credential that serves a request: one after the other, in rounds, until one does."""

import asyncio
import math
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import chain, count
from typing import Protocol

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
from gateway.internal.inference.scoping import consequence_of
from gateway.internal.inference.sessions import session_of
from gateway.internal.inference.traffic import Traffic
from gateway.internal.outbound.body import as_text
from gateway.internal.outbound.client import Outbound
from gateway.internal.outbound.proxy import first_usable
from gateway.internal.pool.credential import Credential
from gateway.internal.usage.record import Caller
from gateway.internal.usage.tap import NOTHING_READ

_UNAUTHORISED = 401


class Renewal(Protocol):
    """Gets new tokens for credential files."""

    async def usable(self, credential: Credential) -> Credential:
        """Return a credential that has not run out, as far as one can be had."""

    async def renewed(self, credential: Credential) -> Credential | None:
        """Return a credential whose token was refused with a new one, None when there is none to be had."""


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
        renewal: Gets new tokens for credential files.
        sleep: Waits for a number of seconds.
    """

    def __init__(
        self,
        configuration: Configuration,
        traffic: Traffic,
        outbound: Outbound,
        ledger: Ledger,
        renewal: Renewal,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._configuration = configuration
        self._settings = configuration.traffic
        self._traffic = traffic
        self._outbound = outbound
        self._ledger = ledger
        self._renewal = renewal
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
            if outcome is not None and not outcome.failure.elsewhere:
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

        session = session_of(asked, caller.api_key) if self._settings.session_seconds else ""
        while asked_so_far < most:
            offer = self._choose(asked, session, tiers, available)
            if offer is None:
                break
            tried.add((offer.credential.id, offer.upstream))
            outcome = await self._ask(asked, caller, offer)
            if isinstance(outcome, Flow):
                if session:
                    self._traffic.sessions.served(session, offer.credential.id, self._settings.session_seconds)
                return outcome
            if outcome is not None:
                asked_so_far, last = asked_so_far + 1, outcome
                if not outcome.failure.elsewhere:
                    break
        return last

    def _choose(self, asked: Asked, session: str, tiers: Tiers, available: Callable[[Offer], bool]) -> Offer | None:
        """Return who is to serve: who served the session last as long as he can, else whoever's turn it is."""
        pinned = self._traffic.sessions.credential_of(session) if session else ""
        same = (offer for offer in _all(tiers) if pinned and offer.credential.id == pinned)
        turn = f"{asked.action} {asked.model}"
        return next(filter(available, same), None) or self._traffic.rotation.choose(
            self._configuration.routing_strategy, turn, tiers, available
        )

    async def _ask(self, asked: Asked, caller: Caller, offer: Offer) -> Flow | Bad | None:
        """Ask one credential; a file whose token is refused once more with a new token, where one can be had."""
        offer = replace(offer, credential=await self._renewal.usable(offer.credential))
        outcome = await self._attempt(asked, caller, offer)
        if not isinstance(outcome, Bad) or outcome.failure.status != _UNAUTHORISED or not offer.credential.is_file:
            return outcome
        renewed = await self._renewal.renewed(offer.credential)
        return outcome if renewed is None else await self._attempt(asked, caller, replace(offer, credential=renewed))

    async def _attempt(self, asked: Asked, caller: Caller, offer: Offer) -> Flow | Bad | None:
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
        outcome = self._ruled(offer, outcome)
        self._ledger.refused(this, outcome)
        return outcome

    def _ruled(self, offer: Offer, bad: Bad) -> Bad:
        """Return an error with what the rules of its credential, or of its provider's files, make of it."""
        rules = self._traffic.catalogue.error_rules(offer.credential)
        ruled = consequence_of(rules, bad.failure.status, as_text(bad.body)) if rules else None
        return bad if ruled is None else replace(bad, failure=replace(bad.failure, ruled=ruled))

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
            wish = last.header.get("Retry-After", ("",))[0]
            kept = {} if last.failure.retry_after is None else {"Retry-After": wish}
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
