"""Dispatch of a request: credentials are tried in turn, in rounds, until one serves it."""

import asyncio
import math
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import chain, count

from gateway.internal.configuration.model import Configuration
from gateway.internal.inference.attempt import Bad, Good, attempt, hop_for
from gateway.internal.inference.catalogue import Offer, Tiers
from gateway.internal.inference.cooldown import consequence_of
from gateway.internal.inference.ledger import Ledger, Try
from gateway.internal.inference.refusals import (
    Refusal,
    cooling_down,
    no_answer,
    other_dialect,
    unavailable,
    unknown_model,
)
from gateway.internal.inference.request import InferenceRequest
from gateway.internal.inference.rotation import session_of
from gateway.internal.inference.service_accounts import Tokens
from gateway.internal.inference.traffic import Traffic
from gateway.internal.outbound.body import as_text
from gateway.internal.outbound.client import Outbound
from gateway.internal.outbound.proxy import first_usable
from gateway.internal.usage.record import Caller
from gateway.internal.usage.tap import NOTHING_READ

_UNAUTHORISED = 401


@dataclass(frozen=True, slots=True)
class Flow:
    """A started answer, to be relayed, and recorded in the ledger at its end."""

    attempt: Try
    good: Good
    ledger: Ledger


class Dispatch:
    """Dispatcher of one request, with the state of the gateway at its beginning."""

    def __init__(
        self,
        configuration: Configuration,
        traffic: Traffic,
        outbound: Outbound,
        ledger: Ledger,
        renewal: Tokens,
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

    async def serve(self, request: InferenceRequest, caller: Caller) -> Flow | Refusal:
        """Return the first successful answer, or the error to answer with.

        An error of the request itself is returned at once. After any other the next credential without a cool-down is
        tried; then, up to `request-retry` times, all of them again.
        """
        tiers = self._traffic.catalogue.offers(request.action, request.model)
        if not tiers:
            return self._nobody(request, caller)
        last: Bad | None = None
        for number in count():
            if number and not await self._may_repeat(tiers, last, number):
                break
            outcome = await self._round(request, caller, tiers, number)
            if isinstance(outcome, Flow):
                return outcome
            last = outcome or last
            if outcome is not None and not outcome.failure.elsewhere:
                break
        return self._refusal(request, tiers, last)

    async def _round(self, request: InferenceRequest, caller: Caller, tiers: Tiers, number: int) -> Flow | Bad | None:
        """Try the credentials in turn; return the last failure, None when none could be tried."""
        tried: set[tuple[str, str]] = set()
        asked_so_far, last = 0, None
        most = self._settings.max_retry_credentials or math.inf

        def available(offer: Offer) -> bool:
            fresh = (offer.credential.id, offer.upstream) not in tried
            return fresh and self._remaining(offer) <= 0 and (not number or self._retries(offer) >= number)

        session = session_of(request, caller.api_key) if self._settings.session_seconds else ""
        while asked_so_far < most:
            offer = self._choose(request, session, tiers, available)
            if offer is None:
                break
            tried.add((offer.credential.id, offer.upstream))
            outcome = await self._ask(request, caller, offer)
            if isinstance(outcome, Flow):
                if session:
                    self._traffic.sessions.served(session, offer.credential.id, self._settings.session_seconds)
                return outcome
            if outcome is not None:
                asked_so_far, last = asked_so_far + 1, outcome
                if not outcome.failure.elsewhere:
                    break
        return last

    def _choose(
        self, request: InferenceRequest, session: str, tiers: Tiers, available: Callable[[Offer], bool]
    ) -> Offer | None:
        """Return the next offer: the session's last credential while it is available, else by rotation."""
        pinned = self._traffic.sessions.credential_of(session) if session else ""
        same = (offer for offer in _all(tiers) if pinned and offer.credential.id == pinned)
        turn = f"{request.action} {request.model}"
        return next(filter(available, same), None) or self._traffic.rotation.choose(
            self._configuration.routing_strategy, turn, tiers, available
        )

    async def _ask(self, request: InferenceRequest, caller: Caller, offer: Offer) -> Flow | Bad | None:
        """Try a credential; a file whose token is refused is tried once more with a new token."""
        offer = replace(offer, credential=await self._renewal.usable(offer.credential))
        outcome = await self._attempt(request, caller, offer)
        if not isinstance(outcome, Bad) or outcome.failure.status != _UNAUTHORISED or not offer.credential.is_file:
            return outcome
        renewed = await self._renewal.renewed(offer.credential)
        return outcome if renewed is None else await self._attempt(request, caller, replace(offer, credential=renewed))

    async def _attempt(self, request: InferenceRequest, caller: Caller, offer: Offer) -> Flow | Bad | None:
        hop = hop_for(offer, request, datetime.now(UTC))
        if hop is None:
            return None
        this = Try(caller, request, offer, hop)
        proxy = first_usable((offer.credential.proxy_url, self._configuration.proxy_url))
        try:
            outcome = await attempt(self._outbound, hop, proxy)
        except asyncio.CancelledError:
            self._ledger.client_left(this, None, NOTHING_READ)
            raise
        if isinstance(outcome, Good):
            return Flow(this, outcome, self._ledger)
        outcome = self._ruled(offer, outcome)
        self._ledger.refused(this, outcome)
        return outcome

    def _ruled(self, offer: Offer, bad: Bad) -> Bad:
        """Return a failure with the consequence by rules of its credential or provider."""
        rules = self._traffic.catalogue.error_rules(offer.credential)
        ruled = consequence_of(rules, bad.failure.status, as_text(bad.body)) if rules else None
        return bad if ruled is None else replace(bad, failure=replace(bad.failure, ruled=ruled))

    async def _may_repeat(self, tiers: Tiers, last: Bad | None, number: int) -> bool:
        """Wait until a credential is available; return False when that takes too long or is pointless."""
        if last is not None and not last.failure.repeatable:
            return False
        waits = [self._remaining(offer) for offer in _all(tiers) if self._retries(offer) >= number]
        shortest = min(waits, default=math.inf)
        if shortest > self._settings.max_retry_interval:
            return False
        await self._sleep(shortest)
        return True

    def _retries(self, offer: Offer) -> int:
        """Return the number of further rounds of a credential."""
        rounds = self._traffic.catalogue.written(offer.credential).get("request-retry")
        if isinstance(rounds, int) and not isinstance(rounds, bool) and rounds >= 0:
            return rounds
        return max(0, self._configuration.request_retry)

    def _remaining(self, offer: Offer) -> float:
        return self._traffic.cooldowns.remaining(offer.credential.id, offer.upstream)

    def _nobody(self, request: InferenceRequest, caller: Caller) -> Refusal:
        if self._traffic.catalogue.serves(request.model):
            return other_dialect(request.action.dialect, request.model, caller.endpoint)
        return unknown_model(request.action.dialect, request.model)

    def _refusal(self, request: InferenceRequest, tiers: Tiers, last: Bad | None) -> Refusal:
        dialect = request.action.dialect
        if last is not None and not last.detail:
            wish = last.header.get("Retry-After", ("",))[0]
            headers = {} if last.failure.retry_after is None else {"Retry-After": wish}
            return Refusal(last.failure.status, last.shown, headers, last.content_type)
        if last is not None:
            return no_answer(dialect, last.detail)
        waits = [wait for offer in _all(tiers) if (wait := self._remaining(offer)) > 0]
        if not waits:
            return unavailable(dialect, request.model)
        providers = {offer.credential.provider for offer in _all(tiers)}
        return cooling_down(request.model, providers.pop() if len(providers) == 1 else "", min(waits))


def _all(tiers: Tiers) -> Iterable[Offer]:
    return chain.from_iterable(tiers)
