"""Usage records: one element of the queue per attempt at an upstream."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from gateway.internal.usage.tap import NOTHING_READ, Reading

ACCOUNTING_VERSION = 2
_GOOD = 200
_UNKNOWN_FAILURE = 500
_UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Caller:
    """Sender of the request behind an attempt.

    Attributes:
        endpoint: ``METHOD route``, e.g. ``POST /v1/chat/completions``.
        api_key: The client key, in clear.
        client_ip: The TCP peer.
        forwarded_for: The unchanged values of ``X-Forwarded-For``, joined.
    """

    request_id: str
    endpoint: str
    api_key: str = field(default="", repr=False)
    client_ip: str = ""
    forwarded_for: str = ""
    user_agent: str = ""


@dataclass(frozen=True, slots=True)
class Target:
    """Credential and model of an attempt.

    Attributes:
        source: Account of a credential file, or the API key itself.
        model: The upstream's name of the model.
        alias: The client's name of the model.
        token_fingerprint: SHA-256 of an access token; empty for an API key.
    """

    source: str = field(repr=False)
    auth_index: str = ""
    provider: str = ""
    executor: str = ""
    model: str = ""
    alias: str = ""
    auth_type: str = ""
    token_fingerprint: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """Result of an attempt.

    Attributes:
        latency: Seconds until the answer had ended.
        first_byte: Seconds until its first byte.
        failed: No answer, an error, or an answer that broke off.
        status: Status of an error; 0 without an answer.
        error: Body of an error.
    """

    began: datetime
    latency: float
    first_byte: float
    failed: bool = False
    status: int = 0
    error: str = field(default="", repr=False)
    response_headers: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)
    reading: Reading = NOTHING_READ


@dataclass(frozen=True, slots=True)
class Wishes:
    """Effort and tier in a request."""

    reasoning_effort: str = ""
    service_tier: str = ""
    generate: bool = True


def element(
    caller: Caller, target: Target, wishes: Wishes, result: Result, *, lifetimes: bool = False
) -> dict[str, object]:
    """Return the record in the stock gateway's form, fields in its order.

    With ``lifetimes`` it has what a stock one lacks: counts of tokens written to a cache for an hour, of audio and
    images and of web searches, speed and place, and in ``splits`` the names of the parts that it would show.
    """
    record: dict[str, object] = {
        "timestamp": result.began.isoformat().replace("+00:00", "Z"),
        "latency_ms": round(result.latency * 1000),
        "ttft_ms": round(result.first_byte * 1000),
        "source": target.source,
        "auth_index": target.auth_index,
    }
    if target.token_fingerprint:
        record["access_token_sha256"] = target.token_fingerprint
    record |= {
        "client_ip": caller.client_ip,
        "x_forwarded_for": caller.forwarded_for,
        "user_agent": caller.user_agent,
        "tokens": result.reading.counts.tokens(),
        "failed": result.failed,
        "generate": wishes.generate,
        "fail": _fail(result),
    }
    if result.response_headers:
        record["response_headers"] = {name: list(values) for name, values in result.response_headers.items()}
    record |= {
        "accounting_version": ACCOUNTING_VERSION,
        "token_breakdown": result.reading.counts.breakdown(lifetimes=lifetimes),
        "provider": target.provider or _UNKNOWN,
        "executor_type": target.executor or _UNKNOWN,
        "model": target.model or _UNKNOWN,
        "alias": target.alias or target.model or _UNKNOWN,
        "endpoint": caller.endpoint,
        "auth_type": target.auth_type or _UNKNOWN,
        "api_key": caller.api_key,
        "request_id": caller.request_id,
        "reasoning_effort": wishes.reasoning_effort,
        "service_tier": wishes.service_tier or "auto",
    }
    if result.reading.service_tier:
        record["response_service_tier"] = result.reading.service_tier
    if lifetimes:
        record |= _splits(result.reading)
    return record


def _splits(reading: Reading) -> dict[str, object]:
    counts = reading.counts
    more: dict[str, object] = {"splits": [*counts.splits, *(["end"] if reading.ended else [])]}
    if counts.searches:
        more["web_searches"] = counts.searches
    if reading.speed:
        more["speed"] = reading.speed
    if reading.place:
        more["inference_geo"] = reading.place
    return more


def _fail(result: Result) -> dict[str, object]:
    if not result.failed:
        return {"status_code": _GOOD, "body": ""}
    return {"status_code": result.status or _UNKNOWN_FAILURE, "body": result.error}
