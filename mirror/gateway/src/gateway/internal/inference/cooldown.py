"""Leaving a credential alone for a while after it failed with a model."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from gateway.internal.inference.scoping import Consequence

HALF_HOUR = 30 * 60.0
HALF_DAY = 12 * 3600.0
LONGEST_ASKED = 30 * 86400.0
_SECONDS = re.compile(r"[0-9]{1,10}(\.[0-9]{1,9})?", re.ASCII)
_TRANSPORT = 0
_REFUSED = {401: "unauthorized", 402: "payment_required", 403: "payment_required"}
_NOT_FOUND = 404
_TIMED_OUT = 408
_TOO_MANY = 429
_SERVER_ERRORS = 500
_UNSUPPORTED = ("model_not_supported", "model is not supported", "model not supported")


@dataclass(frozen=True, slots=True)
class Failure:
    """How an upstream failed.

    Attributes:
        status: Its status; 0 when it gave no answer, or one that broke off.
        retry_after: Seconds it asks to wait; None when it does not.
        unsupported: It says that the account may not use the model.
        ruled: What a rule of the operator makes of it; None when there is none.
        stale: A kept connection was closed under the request: nobody is to blame, and it is not sent again here.
    """

    status: int
    retry_after: float | None = None
    unsupported: bool = False
    ruled: Consequence | None = None
    stale: bool = False

    @property
    def elsewhere(self) -> bool:
        """True when another credential may do better."""
        return self._of_credential if self.ruled is None else self.ruled.elsewhere

    @property
    def cools(self) -> bool:
        """True when the credential is left alone for a while."""
        return self._of_credential and not self.stale if self.ruled is None else self.ruled.cools

    @property
    def _of_credential(self) -> bool:
        """True when the request itself is not to blame."""
        return self.status in {*_REFUSED, _NOT_FOUND, _TIMED_OUT, _TOO_MANY} or self._transient or self.unsupported

    @property
    def repeatable(self) -> bool:
        """True when the same credential may do better a moment later."""
        return self.status in {403, _TIMED_OUT, _TOO_MANY} or self._transient

    @property
    def reason(self) -> str:
        """One phrase for the state of the credential."""
        if self.unsupported:
            return "model_not_supported"
        if self.status == _NOT_FOUND:
            return "not_found"
        if self.status == _TOO_MANY:
            return "quota exhausted"
        return _REFUSED.get(self.status, "transient upstream error")

    @property
    def _transient(self) -> bool:
        return self.status in {_TRANSPORT, _TIMED_OUT} or self.status >= _SERVER_ERRORS


@dataclass(frozen=True, slots=True)
class State:
    """One credential with one model. ``until`` is on the monotonic clock; 0 when it is not left alone."""

    until: float = 0.0
    level: int = 0
    reason: str = ""


def seconds_for(failure: Failure, level: int, transient: float) -> float:
    """Return how long a failure keeps a credential out.

    Args:
        failure: What happened.
        level: How many times in a row the upstream has asked for less without saying for how long.
        transient: Seconds after an error of the upstream.
    """
    if failure.unsupported or failure.status == _NOT_FOUND:
        return HALF_DAY
    if failure.status in _REFUSED:
        return HALF_HOUR
    if failure.status == _TOO_MANY:
        return min(2.0 ** min(level, 30), HALF_HOUR) if failure.retry_after is None else failure.retry_after
    return transient if failure.cools else 0.0


def is_unsupported(status: int, body: str) -> bool:
    """Whether an error says that the account may not use the model."""
    return status in {400, 422} and any(phrase in body.lower() for phrase in _UNSUPPORTED)


def retry_after(text: str, now: datetime) -> float | None:
    """Read a ``Retry-After`` header: seconds or a date; None when it is neither, negative or beyond belief."""
    wish = text.strip()
    if _SECONDS.fullmatch(wish):
        return min(float(wish), LONGEST_ASKED)
    try:
        when = parsedate_to_datetime(wish)
        seconds = (when.replace(tzinfo=when.tzinfo or UTC) - now).total_seconds()
    except (ValueError, OverflowError):
        return None
    return min(max(seconds, 0.0), LONGEST_ASKED)


class Cooldowns:
    """The states of all credentials and models that were used.

    Args:
        monotonic: Seconds that only grow.
    """

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._states: dict[str, dict[str, State]] = {}
        self._revisions: dict[str, str] = {}

    def remaining(self, credential_id: str, model: str) -> float:
        """Return for how many seconds a credential is still left alone with a model."""
        state = self._states.get(credential_id, {}).get(model)
        return max(0.0, state.until - self._monotonic()) if state else 0.0

    def succeeded(self, credential_id: str, model: str) -> None:
        """Note that a request went well: nothing is left of earlier failures."""
        self._states.setdefault(credential_id, {})[model] = State()

    def failed(self, credential_id: str, model: str, failure: Failure, transient: float) -> None:
        """Note a failure; ``transient`` is how many seconds an error of the upstream counts."""
        before = self._states.get(credential_id, {}).get(model, State())
        seconds = seconds_for(failure, before.level, transient)
        grown = before.level + 1 if failure.status == _TOO_MANY and failure.retry_after is None else before.level
        until = max(before.until, self._monotonic() + seconds) if seconds else before.until
        self._states.setdefault(credential_id, {})[model] = State(until, grown, failure.reason)

    def reset(self, credential_id: str) -> tuple[str, ...]:
        """Forget everything about a credential; return the models there was something to forget about."""
        return tuple(sorted(self._states.pop(credential_id, {})))

    def states(self, credential_id: str) -> Mapping[str, State]:
        """Return what is known about a credential, by model."""
        return self._states.get(credential_id, {})

    def now(self) -> float:
        """Return the time the states are on."""
        return self._monotonic()

    def retain(self, revisions: Mapping[str, str]) -> None:
        """Forget the credentials that are gone, and those whose revision is another one than before."""
        kept = {
            name
            for name in self._states
            if name in revisions and self._revisions.get(name, revisions[name]) == revisions[name]
        }
        self._states = {name: states for name, states in self._states.items() if name in kept}
        self._revisions = dict(revisions)
