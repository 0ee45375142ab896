"""Cool-downs: a credential is not used for a while after it failed with a model."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import lru_cache

_LONGEST_READ = 16 * 1024


@dataclass(frozen=True, slots=True)
class Consequence:
    """Consequence of an error.

    Attributes:
        elsewhere: Another credential is tried.
        cools: This credential gets a cool-down.
    """

    elsewhere: bool
    cools: bool


_CONSEQUENCES = {
    "stop": Consequence(elsewhere=False, cools=False),
    "stop-and-cooldown": Consequence(elsewhere=False, cools=True),
    "continue": Consequence(elsewhere=True, cools=False),
    "continue-and-cooldown": Consequence(elsewhere=True, cools=True),
}


def consequence_of(rules: Iterable[object], status: int, body: str) -> Consequence | None:
    """Return the consequence of the first matching rule, or None.

    A rule matches an error of its status whose body contains one of its ``match`` texts, in any case, or matches one of
    its ``match-regexr`` expressions. Invalid rules never match.

    Args:
        rules: The rules as written.
        status: Status of the upstream's answer; 0 when there was none, which no rule matches.
        body: The error; only its first 16 KiB count.
    """
    text = body[:_LONGEST_READ]
    for rule in rules:
        if isinstance(rule, Mapping) and rule.get("status") == status > 0 and _fits(rule, text):
            return _CONSEQUENCES.get(str(rule.get("action", "")).strip().lower())
    return None


def _fits(rule: Mapping[object, object], text: str) -> bool:
    lowered = text.lower()
    if any(part.lower() in lowered for part in _texts(rule.get("match"))):
        return True
    expressions = (*_texts(rule.get("match-regexr")), *_texts(rule.get("match_regexr")))
    return any(pattern.search(text) for pattern in map(_compiled, expressions) if pattern is not None)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, list):
        yield from (item.strip() for item in value if isinstance(item, str) and item.strip())


@lru_cache(maxsize=256)
def _compiled(expression: str) -> "re.Pattern[str] | None":
    try:
        return re.compile(expression)
    except re.error:
        return None


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
    """A failure of an upstream.

    Attributes:
        status: Its status; 0 when it gave no answer, or an incomplete one.
        retry_after: Requested wait in seconds, or None.
        unsupported: The account may not use the model.
        ruled: Consequence by an operator's rule, or None.
        stale: A kept connection was closed under the request: it says nothing about the credential, and the request is
            not repeated.
    """

    status: int
    retry_after: float | None = None
    unsupported: bool = False
    ruled: Consequence | None = None
    stale: bool = False

    @property
    def elsewhere(self) -> bool:
        """True when another credential may succeed."""
        return self._of_credential if self.ruled is None else self.ruled.elsewhere

    @property
    def cools(self) -> bool:
        """True when the credential gets a cool-down."""
        return self._of_credential and not self.stale if self.ruled is None else self.ruled.cools

    @property
    def _of_credential(self) -> bool:
        """True when the failure concerns the credential, not the request."""
        return self.status in {*_REFUSED, _NOT_FOUND, _TIMED_OUT, _TOO_MANY} or self._transient or self.unsupported

    @property
    def repeatable(self) -> bool:
        """True when the same credential may succeed a moment later."""
        return self.status in {403, _TIMED_OUT, _TOO_MANY} or self._transient

    @property
    def reason(self) -> str:
        """Status message of the credential."""
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
    """State of a credential with one model; ``until`` is on the monotonic clock, 0 without a cool-down."""

    until: float = 0.0
    level: int = 0
    reason: str = ""


def seconds_for(failure: Failure, level: int, transient: float) -> float:
    """Return the cool-down for a failure, in seconds.

    Args:
        failure: The failure.
        level: Number of consecutive 429 answers without a requested wait.
        transient: Cool-down after an error of the upstream.
    """
    if failure.unsupported or failure.status == _NOT_FOUND:
        return HALF_DAY
    if failure.status in _REFUSED:
        return HALF_HOUR
    if failure.status == _TOO_MANY:
        return min(2.0 ** min(level, 30), HALF_HOUR) if failure.retry_after is None else failure.retry_after
    return transient if failure.cools else 0.0


def is_unsupported(status: int, body: str) -> bool:
    """Return whether an error means that the account may not use the model."""
    return status in {400, 422} and any(phrase in body.lower() for phrase in _UNSUPPORTED)


def retry_after(text: str, now: datetime) -> float | None:
    """Read a ``Retry-After`` header, seconds or a date; None when it is neither. Long waits are capped."""
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
    """States of all used credentials and models; ``monotonic`` returns seconds that only grow."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._states: dict[str, dict[str, State]] = {}
        self._revisions: dict[str, str] = {}

    def remaining(self, credential_id: str, model: str) -> float:
        """Return the remaining cool-down of a credential with a model, in seconds."""
        state = self._states.get(credential_id, {}).get(model)
        return max(0.0, state.until - self._monotonic()) if state else 0.0

    def succeeded(self, credential_id: str, model: str) -> None:
        """Clear the failures of a credential with a model."""
        self._states.setdefault(credential_id, {})[model] = State()

    def failed(self, credential_id: str, model: str, failure: Failure, transient: float) -> None:
        """Record a failure; ``transient`` is the cool-down after an error of the upstream."""
        before = self._states.get(credential_id, {}).get(model, State())
        seconds = seconds_for(failure, before.level, transient)
        grown = before.level + 1 if failure.status == _TOO_MANY and failure.retry_after is None else before.level
        until = max(before.until, self._monotonic() + seconds) if seconds else before.until
        self._states.setdefault(credential_id, {})[model] = State(until, grown, failure.reason)

    def reset(self, credential_id: str) -> tuple[str, ...]:
        """Clear all states of a credential; return their models."""
        return tuple(sorted(self._states.pop(credential_id, {})))

    def states(self, credential_id: str) -> Mapping[str, State]:
        """Return the states of a credential by model."""
        return self._states.get(credential_id, {})

    def now(self) -> float:
        return self._monotonic()

    def retain(self, revisions: Mapping[str, str]) -> None:
        """Drop credentials that are gone or have another revision."""
        unchanged = {
            name
            for name in self._states
            if name in revisions and self._revisions.get(name, revisions[name]) == revisions[name]
        }
        self._states = {name: states for name, states in self._states.items() if name in unchanged}
        self._revisions = dict(revisions)
