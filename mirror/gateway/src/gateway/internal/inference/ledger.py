"""Records of attempts: counters, cool-downs, and usage records."""

import time
from dataclasses import dataclass, field
from datetime import UTC, datetime

from gateway.internal.configuration.model import Configuration, Profile
from gateway.internal.inference.attempt import Bad, Good, target_of
from gateway.internal.inference.catalogue import Offer
from gateway.internal.inference.cooldown import Failure
from gateway.internal.inference.request import InferenceRequest
from gateway.internal.inference.traffic import Traffic
from gateway.internal.outbound.body import as_text
from gateway.internal.outbound.redirects import Hop
from gateway.internal.pool.activity import Activity
from gateway.internal.usage.record import Caller, Result, element
from gateway.internal.usage.tap import Reading

CLIENT_LEFT = 499


@dataclass(frozen=True, slots=True)
class Try:
    """An attempt under way."""

    caller: Caller
    request: InferenceRequest
    offer: Offer
    hop: Hop = field(repr=False)
    began: datetime = field(default_factory=lambda: datetime.now(UTC))
    started: float = field(default_factory=time.monotonic)


class Ledger:
    """Records the outcome of attempts for one request."""

    def __init__(self, configuration: Configuration, traffic: Traffic, activity: Activity) -> None:
        self._settings = configuration.traffic
        self._lifetimes = configuration.management_profile is Profile.EXTENDED
        self._traffic = traffic
        self._activity = activity

    def refused(self, this: Try, bad: Bad) -> None:
        """Record an attempt that got an error, or no answer."""
        self._failed(this, bad.failure)
        error = as_text(bad.body) or bad.detail
        self._record(this, Result(this.began, bad.elapsed, bad.elapsed, True, bad.failure.status, error, bad.header))

    def ended(self, this: Try, good: Good, reading: Reading) -> None:
        """Record an attempt whose answer was relayed completely."""
        credential = this.offer.credential
        self._activity.record(credential.id, success=True)
        self._traffic.cooldowns.succeeded(credential.id, this.offer.upstream)
        self._record(this, _result(this, good, reading))

    def broke_off(self, this: Try, good: Good, reading: Reading, detail: str) -> None:
        """Record an attempt whose answer broke off."""
        self._failed(this, Failure(0))
        self._record(this, _result(this, good, reading, failed=True, error=detail))

    def client_left(self, this: Try, good: Good | None, reading: Reading) -> None:
        """Record that the client left, which says nothing about the credential."""
        if good is not None:
            self._record(this, _result(this, good, reading, failed=True, status=CLIENT_LEFT, error="client left"))
            return
        waited = time.monotonic() - this.started
        self._record(this, Result(this.began, waited, waited, True, CLIENT_LEFT, "client left"))

    def cooling_is_off(self, offer: Offer) -> bool:
        """Return whether a credential never gets a cool-down; its own setting takes precedence."""
        setting = self._traffic.catalogue.written(offer.credential).get("disable-cooling")
        return setting if isinstance(setting, bool) else self._settings.disable_cooling

    def _failed(self, this: Try, failure: Failure) -> None:
        credential = this.offer.credential
        self._activity.record(credential.id, success=False)
        if failure.cools and not self.cooling_is_off(this.offer):
            seconds = float(self._settings.transient_seconds)
            self._traffic.cooldowns.failed(credential.id, this.offer.upstream, failure, seconds)

    def _record(self, this: Try, result: Result) -> None:
        if self._traffic.usage.recording and not this.request.counts_tokens:
            target = target_of(this.offer, this.request, this.hop)
            self._traffic.usage.add(
                element(this.caller, target, this.request.wishes(), result, lifetimes=self._lifetimes)
            )


def _result(
    this: Try, good: Good, reading: Reading, *, failed: bool = False, status: int = 0, error: str = ""
) -> Result:
    latency = time.monotonic() - this.started
    return Result(this.began, latency, good.first_byte, failed, status, error, good.stream.header, reading)
