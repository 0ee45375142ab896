"""Event streams: answers that come in frames, of which the first error or the first content decides.

A relay may stream although it was not asked to, and opens with a frame that proves nothing: a comment, a role, the
start of a message. The beginning of a stream suffices; the time is bounded by the call that read it.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Any, Final

from extension.inspection.evidence import lenient_json as foreign_json

_OPENING: Final = re.compile(r"(?:data|event|id|retry)?:|(?:data|event|id|retry)(?=[\r\n]|$)")
_BLANK: Final = "\ufeff \t\r\n"
_LOOKED_AT: Final = 65_536
"""Characters of a stream that are read: content or an error comes long before."""
_MOST_FRAMES: Final = 200
_TEXTS: Final = ("content", "reasoning_content", "reasoning", "text", "thinking", "partial_json", "refusal")
_CALLS: Final = ("tool_calls", "function_call", "audio", "functionCall", "inlineData")
_ENDS: Final = frozenset({"message_stop", "response.completed", "response.incomplete"})


class EventKind(StrEnum):
    """Worth of one frame of a stream."""

    ERROR = "error"
    CONTENT = "content"
    OPENING = "opening"
    """A role, a filter result, the start of a message: neither content nor an error."""


@dataclass(frozen=True, slots=True)
class Event:
    """Frame that decides; the value of an error is an object with the field `error`."""

    kind: EventKind
    value: Any


def is_stream(text: str) -> bool:
    """Return whether a body is an event stream."""
    return _OPENING.match(text.lstrip(_BLANK)) is not None


def stream_values(text: str) -> Iterator[Any]:
    """Yield the JSON values of the frames at the beginning of a stream."""
    return (value for _, value in islice(_frames(text), _MOST_FRAMES))


def deciding_event(text: str) -> Event | None:
    """Return the first error or content of a stream, else its last frame that is JSON; None where none is."""
    last: Event | None = None
    for name, value in islice(_frames(text), _MOST_FRAMES):
        last = Event(*_weighed(name, value))
        if last.kind is not EventKind.OPENING:
            break
    return last


def parsed_body(text: str) -> Any:
    """Return the value of a body: its JSON, or of a stream the frame that decides.

    Raises:
        ValueError: the body is neither.
    """
    if not is_stream(text):
        return foreign_json.parse(text)
    event = deciding_event(text)
    if event is None:
        raise ValueError("No frame of the stream is JSON.")
    return event.value


def array_event(items: list[Any]) -> Event | None:
    """Return the deciding one of frames that come as one JSON array, as Gemini streams without `alt=sse`."""
    events = [Event(*_weighed("", item)) for item in items[:_MOST_FRAMES]]
    return next((event for event in events if event.kind is not EventKind.OPENING), None)


def _frames(text: str) -> Iterator[tuple[str, Any]]:
    """Yield event name and value of each frame whose data is JSON; a frame that was cut is none."""
    name, data = "", list[str]()
    for line in [*re.split(r"\r\n|\n|\r", text.lstrip(_BLANK)[:_LOOKED_AT]), ""]:
        field, _, value = line.partition(":")
        if field == "event":
            name = value.strip()
        elif field == "data":
            data.append(value.removeprefix(" "))
        if line:
            continue
        try:
            value = foreign_json.parse("\n".join(data))
        except ValueError:
            value = None  # a comment, `[DONE]`, or the end of what was read
        if value is not None:
            yield name, value
        name, data = "", []


def _weighed(name: str, value: Any) -> tuple[EventKind, Any]:
    if not isinstance(value, dict):
        return EventKind.OPENING, value
    response = _object(value.get("response"))
    error = value.get("error") or response.get("error")
    kind = value.get("type")
    if error:
        return EventKind.ERROR, value if value.get("error") else {"error": error}
    if "error" in {name, kind} or kind == "response.failed":
        return EventKind.ERROR, {"error": value}
    return (EventKind.CONTENT if _has_content(kind, value) else EventKind.OPENING), value


def _has_content(kind: Any, value: Mapping[str, Any]) -> bool:
    """Return whether a frame of one of the four protocols holds a part of an answer, or says why it ended."""
    delta = value.get("delta")
    if kind in _ENDS or (isinstance(delta, str) and delta):
        return True
    parts = [delta, value.get("content_block"), value.get("message"), *_objects(value.get("choices"))]
    parts += [_object(choice).get(name) for choice in _objects(value.get("choices")) for name in ("delta", "message")]
    parts += [part for item in _objects(value.get("candidates")) for part in (item, *_gemini_parts(item))]
    return any(_tells(_object(part)) for part in parts)


def _tells(part: Mapping[str, Any]) -> bool:
    if any(isinstance(part.get(name), str) and part[name] for name in _TEXTS) or any(map(part.get, _CALLS)):
        return True
    reasons = (part.get(name) for name in ("finish_reason", "stop_reason", "finishReason"))
    ended = any(isinstance(reason, str) and reason not in {"", "error"} for reason in reasons)
    return ended or part.get("type") == "tool_use"


def _gemini_parts(candidate: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield from _objects(_object(candidate.get("content")).get("parts"))


def _objects(value: Any) -> list[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
