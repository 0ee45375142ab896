"""Behaviors of demo keys as data: the stand-in's answer to each.

The behavior of a key is part of its name, so that a table, a log or a test says by itself which answer to expect.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256


class Behavior(StrEnum):
    """Behavior of a demo key, as its name says it."""

    OK = "ok"
    UNAUTHORIZED = "401"
    PAYMENT = "402"
    FORBIDDEN = "403"
    MODELS_ABSENT = "models-404"
    MODELS_REFUSED = "models-405"
    RATE_LIMITED = "429"
    QUOTA = "429-quota"
    FAILING = "500"
    SLOW = "slow"
    SILENT = "never"
    CLOSING = "closes"
    WEB_PAGE = "html"
    BIG = "big"
    BIG_FAILURE = "big-500"
    OTHER_MODEL = "other-model"
    NATIVE_HEADER = "native-header"
    EXPIRED = "expired"
    REVOKED = "revoked"
    SHORT_FULL = "short-full"
    LONG_FULL = "long-full"
    UNTOLD = "untold"


BIG_BODY = 5 * 1024 * 1024
"""Bytes of the big bodies, at least."""

_KEY = re.compile(r"demo-key-(?P<behavior>[a-z0-9-]+)-[0-9a-f]{16}")


@dataclass(frozen=True, slots=True)
class DemoReply:
    """One answer: a status, a body and the headers worth having.

    With `pieces` the body is those, sent one after the other.
    """

    status: int
    body: str
    header: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "application/json"
    pieces: tuple[str, ...] = ()


def demo_key(behavior: Behavior, owner: str) -> str:
    """Return the key of an account: the same every time, and no other account's."""
    return f"demo-key-{behavior}-{sha256(owner.encode()).hexdigest()[:16]}"


def behavior_of(key: str) -> Behavior:
    """Return the behavior of a key; anything but a demo key is refused like any wrong key."""
    match = _KEY.fullmatch(key)
    if match is None or match["behavior"] not in tuple(Behavior):
        return Behavior.UNAUTHORIZED
    return Behavior(match["behavior"])


def failure(behavior: Behavior, key: str) -> DemoReply | None:
    """Return the answer to a failing key at every address, or None when it depends on the request.

    The refusal repeats the key in clear, as careless providers do: nothing of it may reach a log, a page or a row.
    """
    if behavior is Behavior.UNAUTHORIZED:
        return _error(401, "invalid_api_key", f"Incorrect API key provided: {key}.")
    if behavior is Behavior.BIG_FAILURE:
        return _error(500, "server_error", f"Trouble while serving {key}: " + "x" * BIG_BODY)
    return _FAILURES.get(behavior)


def unknown_model(model: str) -> DemoReply:
    """Return a provider's answer about a model it does not have."""
    return _error(404, "model_not_found", f"The model `{model}` does not exist or you do not have access to it.")


def missing(path: str) -> DemoReply:
    """Return the answer at an unknown address."""
    return _error(404, "not_found", f"Unknown request URL: {path}.")


def _error(status: int, code: str, message: str, **more: str) -> DemoReply:
    header = {"Retry-After": more["retry_after"]} if "retry_after" in more else {}
    about = {"resets_at": more["resets_at"]} if "resets_at" in more else {}
    return DemoReply(status, json.dumps({"error": {"code": code, "message": message, "type": code, **about}}), header)


_FAILURES: Mapping[Behavior, DemoReply] = {
    Behavior.PAYMENT: _error(402, "insufficient_balance", "Your balance is used up. Top up to go on."),
    Behavior.FORBIDDEN: _error(403, "permission_denied", "This key is not allowed to use this project."),
    Behavior.RATE_LIMITED: _error(429, "rate_limit_exceeded", "Too many requests.", retry_after="30"),
    Behavior.QUOTA: _error(
        429, "usage_limit_reached", "The weekly limit is reached.", resets_at="2030-01-01T00:00:00Z"
    ),
    Behavior.FAILING: _error(500, "server_error", "The server had an error while processing your request."),
    Behavior.EXPIRED: _error(401, "token_expired", "The log-in has expired. Please log in again."),
    Behavior.REVOKED: _error(401, "token_revoked", "The log-in has been revoked."),
    Behavior.WEB_PAGE: DemoReply(200, "<!doctype html><title>Welcome</title><p>Please log in.", {}, "text/html"),
}
