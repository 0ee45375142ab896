"""Errors of the gateway itself, in the form of each client protocol."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from gateway.internal.admission.bans import go_duration
from gateway.internal.usage.counts import Dialect

_TYPES = {400: "invalid_request_error", 404: "not_found_error", 413: "request_too_large", 429: "rate_limit_error"}
_GEMINI = {400: "INVALID_ARGUMENT", 404: "NOT_FOUND", 413: "INVALID_ARGUMENT", 429: "RESOURCE_EXHAUSTED"}


@dataclass(frozen=True, slots=True)
class Refusal:
    """An error answer; ``headers`` has no content type."""

    status: int
    body: bytes = field(repr=False)
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "application/json"


def unknown_model(dialect: Dialect, model: str) -> Refusal:
    """No credential serves the model; it is empty for an unreadable body."""
    return _written(dialect, 400, f"unknown provider for model {model}", "model_not_found", {"param": "model"})


def other_dialect(dialect: Dialect, model: str, endpoint: str) -> Refusal:
    """The model is served, but in another dialect, and the gateway does not translate."""
    text = f"model {model} is not available at {endpoint}: none of its upstreams speaks this protocol"
    return _written(dialect, 400, text, "model_not_found", {"param": "model"})


def unavailable(dialect: Dialect, model: str) -> Refusal:
    """The credentials of the model cannot be used."""
    return _written(dialect, 503, f"no credential for model {model} can be used", "auth_unavailable", {})


def unknown_call(name: str) -> Refusal:
    """Unknown call or model below ``/v1beta/models``."""
    return _written(Dialect.GEMINI, 404, f"{name} is not found", "not_found", {})


def no_answer(dialect: Dialect, detail: str) -> Refusal:
    """The upstream gave no answer; ``detail`` holds no address and no secret."""
    return _written(dialect, 502, f"the upstream gave no answer: {detail}", "upstream_error", {})


def too_large(dialect: Dialect, most: int) -> Refusal:
    return _written(dialect, 413, f"the request is longer than {most} bytes", "request_too_large", {})


def cooling_down(model: str, provider: str, seconds: float) -> Refusal:
    """All credentials of the model have a cool-down.

    Args:
        model: The requested model.
        provider: The only provider that serves it; empty when there are several.
        seconds: Time until the first cool-down ends.
    """
    whole = max(1, math.ceil(seconds))
    via = f" via provider {provider}" if provider else ""
    error: dict[str, object] = {
        "code": "model_cooldown",
        "message": f"All credentials for model {model} are cooling down{via}",
        "model": model,
    }
    if provider:
        error["provider"] = provider
    error |= {"reset_time": go_duration(whole), "reset_seconds": whole}
    return Refusal(429, _json({"error": error}), {"Retry-After": str(whole)})


def _written(dialect: Dialect, status: int, message: str, code: str, more: Mapping[str, str]) -> Refusal:
    word = _TYPES.get(status, "server_error")
    if dialect is Dialect.MESSAGES:
        word = _TYPES.get(status, "api_error")
        return Refusal(status, _json({"type": "error", "error": {"type": word, "message": message}}))
    if dialect is Dialect.GEMINI:
        state = _GEMINI.get(status, "UNAVAILABLE")
        return Refusal(status, _json({"error": {"code": status, "message": message, "status": state}}))
    return Refusal(status, _json({"error": {"message": message, "type": word, "code": code, **more}}))


def _json(content: object) -> bytes:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
