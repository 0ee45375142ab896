"""The interfaces the stand-in speaks: the kind of a request, recognized by the end of its path."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

_GENERATE = re.compile(r"/models/(?P<model>[^/]+):(?P<call>generateContent|streamGenerateContent|countTokens)$")
_NO_QUERY: Mapping[str, str] = {}


class Interface(StrEnum):
    """Kind of a request."""

    MODELS = "models"
    NATIVE_MODELS = "native models"
    CHAT = "chat"
    RESPONSES = "responses"
    MESSAGES = "messages"
    COUNT = "count"
    GENERATE = "generate"
    NATIVE_COUNT = "native count"


class Streaming(StrEnum):
    """Form of an answer: whole, as server-sent events, or as a JSON array that grows."""

    WHOLE = "whole"
    EVENTS = "events"
    ARRAY = "array"


@dataclass(frozen=True, slots=True)
class Question:
    """One request to the stand-in, as far as an answer depends on it.

    `usage_wanted` is the option that makes a chat stream report its usage.
    """

    interface: Interface
    model: str
    text: str
    streaming: Streaming = Streaming.WHOLE
    usage_wanted: bool = False


_ENDINGS = (
    ("/chat/completions", Interface.CHAT),
    ("/responses", Interface.RESPONSES),
    ("/v1/messages", Interface.MESSAGES),
    ("/v1/messages/count_tokens", Interface.COUNT),
)


def question_of(method: str, path: str, body: str, query: Mapping[str, str] = _NO_QUERY) -> Question | None:
    """Read a request; None when there is nothing at that address."""
    if method == "GET" and path.endswith("/models"):
        return Question(Interface.NATIVE_MODELS if "/v1beta" in path else Interface.MODELS, "", "")
    if method != "POST":
        return None
    fields = _object(body)
    native = _GENERATE.search(path)
    if native:
        return _native(native["model"], native["call"], _native_text(fields), query.get("alt", ""))
    for ending, interface in _ENDINGS:
        if path.endswith(ending):
            return _common(interface, fields)
    return None


def _common(interface: Interface, fields: dict[str, Any]) -> Question:
    """Read a question whose body names the model and says whether it is streamed."""
    streaming = Streaming.EVENTS if fields.get("stream") is True else Streaming.WHOLE
    options = fields.get("stream_options")
    usage_wanted = isinstance(options, dict) and options.get("include_usage") is True
    return Question(interface, str(fields.get("model", "")), _last_text(fields), streaming, usage_wanted)


def _native(model: str, call: str, text: str, form: str) -> Question:
    if call == "countTokens":
        return Question(Interface.NATIVE_COUNT, model, text)
    streaming = Streaming.WHOLE
    if call == "streamGenerateContent":
        streaming = Streaming.EVENTS if form == "sse" else Streaming.ARRAY
    return Question(Interface.GENERATE, model, text, streaming)


def _object(body: str) -> dict[str, Any]:
    try:
        value = json.loads(body)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _last_text(fields: dict[str, Any]) -> str:
    match fields.get("messages", fields.get("input")):
        case str(text):
            return text
        case [*_, {"content": str(text)}]:
            return text
    return ""


def _native_text(fields: dict[str, Any]) -> str:
    match fields.get("contents"):
        case [*_, {"parts": [{"text": str(text)}, *_]}]:
            return text
    return ""
