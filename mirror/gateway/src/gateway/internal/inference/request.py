"""A client's request for inference, and its body with the model's name replaced."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from gateway.internal.inference.families import Action
from gateway.internal.usage.counts import Dialect
from gateway.internal.usage.record import Wishes

STREAMING_CALL = "streamGenerateContent"
COUNTING_CALL = "countTokens"


@dataclass(frozen=True, slots=True)
class InferenceRequest:
    """A client's request, read as far as the gateway needs it.

    Attributes:
        model: The requested model; empty when none is named.
        call: In the gemini dialect the part behind the colon, e.g. ``generateContent``.
        streamed: The client wants a stream of events.
        document: The body as JSON, or None.
        query: The forwarded query string, with its question mark.
        headers: The forwarded headers.
    """

    action: Action
    model: str
    body: bytes = field(repr=False)
    document: Mapping[str, object] | None = field(repr=False)
    call: str = ""
    streamed: bool = False
    query: str = field(default="", repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def counts_tokens(self) -> bool:
        """True when only tokens are counted, so that there is no usage."""
        return self.action is Action.COUNT_TOKENS or self.call == COUNTING_CALL

    @property
    def hides_usage(self) -> bool:
        """True when the usage must be requested from the upstream although the client did not."""
        if self.action.dialect is not Dialect.CHAT or not self.streamed or self.document is None:
            return False
        options = self.document.get("stream_options")
        return not (isinstance(options, dict) and options.get("include_usage") is True)

    def body_for(self, model: str) -> bytes:
        """Return the body for an upstream: unchanged, unless the model has another name there."""
        changes: dict[str, object] = {}
        if self.action is not Action.GEMINI and model != self.model:
            changes["model"] = model
        if self.hides_usage and self.document is not None:
            options = self.document.get("stream_options")
            changes["stream_options"] = {**(options if isinstance(options, dict) else {}), "include_usage": True}
        if not changes or self.document is None:
            return self.body
        return json.dumps({**self.document, **changes}, separators=(",", ":")).encode()

    def wishes(self) -> Wishes:
        """Return effort and tier of the request."""
        document = self.document or {}
        effort = document.get("reasoning_effort")
        for outer, inner in (("reasoning", "effort"), ("output_config", "effort")):
            container = document.get(outer)
            if not effort and isinstance(container, dict):
                effort = container.get(inner)
        tier = document.get("service_tier")
        return Wishes(
            reasoning_effort=effort if isinstance(effort, str) else "",
            service_tier=tier if isinstance(tier, str) else "",
            generate=document.get("generate") is not False,
        )


def read_request(
    action: Action, body: bytes, *, query: str, headers: Mapping[str, str], path_model: str = ""
) -> InferenceRequest:
    """Read a request.

    Args:
        action: The action of the path.
        body: The unchanged body.
        query: The forwarded query string.
        headers: The forwarded headers.
        path_model: In the gemini dialect the part of the path after ``models/``, e.g. ``m:generateContent``.
    """
    document = parsed(body)
    if action is Action.GEMINI:
        model, _, call = path_model.partition(":")
        return InferenceRequest(action, model, body, document, call, call == STREAMING_CALL, query, headers)
    named = document.get("model") if document is not None else None
    streamed = document is not None and document.get("stream") is True
    return InferenceRequest(
        action, named if isinstance(named, str) else "", body, document, "", streamed, query, headers
    )


def parsed(body: bytes) -> Mapping[str, object] | None:
    """Return a body as a JSON object, or None."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
