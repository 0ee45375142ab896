"""Event streams: answers that come in frames, of which the first error or the first content decides.

A relay may stream although it was not asked to, and opens with a frame that proves nothing: a comment, a role, the
start of a message. The beginning of a stream suffices; the time is bounded by the call that read it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
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
_REASONS: Final = ("finish_reason", "stop_reason", "finishReason")
_ENDS: Final = frozenset({"message_stop", "response.completed", "response.incomplete"})


@dataclass(frozen=True, slots=True)
class Frame:
    """Frame of a stream; the value of an error is an object with the field `error`."""

    value: Any
    has_content: bool = False
    is_error: bool = False


def is_stream(text: str) -> bool:
    """Return whether a body is an event stream."""
    return _OPENING.match(text.lstrip(_BLANK)) is not None


def stream_values(text: str) -> Iterator[tuple[str, Any]]:
    """Yield event name and value of the frames at the beginning of a stream whose data is JSON, as far as not cut."""
    name, data = "", list[str]()
    for line in [*re.split(r"\r\n|\n|\r", text.lstrip(_BLANK)[:_LOOKED_AT]), ""]:
        field, _, value = line.partition(":")
        if field == "event":
            name = value.strip()
        elif field == "data":
            data.append(value.removeprefix(" "))
        if not line:
            yield from ((name, value) for value in _parsed("\n".join(data)))
            name, data = "", []


def deciding_frame(values: Iterable[tuple[str, Any]]) -> Frame | None:
    """Return the first error or content of some frames, else the last one; None where there is none."""
    frame: Frame | None = None
    for name, value in islice(values, _MOST_FRAMES):
        frame = _weighed(name, value)
        if frame.has_content or frame.is_error:
            break
    return frame


def parsed_body(text: str) -> Any:
    """Return the value of a body: its JSON, or of a stream the frame that decides.

    Raises:
        ValueError: the body is neither.
    """
    if not is_stream(text):
        return foreign_json.parse(text)
    frame = deciding_frame(stream_values(text))
    if frame is None:
        raise ValueError("No frame of the stream is JSON.")
    return frame.value


def _parsed(data: str) -> list[Any]:
    """Return the value of a frame, or nothing of a comment, of `[DONE]`, and of the end of what was read."""
    try:
        return [foreign_json.parse(data)]
    except ValueError:
        return []


def _weighed(name: str, value: Any) -> Frame:
    if not isinstance(value, dict):
        return Frame(value)
    error = value.get("error") or _object(value.get("response")).get("error")
    if error:
        return Frame(value if value.get("error") else {"error": error}, is_error=True)
    if "error" in {name, value.get("type")} or value.get("type") == "response.failed":
        return Frame({"error": value}, is_error=True)
    return Frame(value, has_content=_has_content(value))


def _has_content(value: Mapping[str, Any]) -> bool:
    """Return whether a frame of one of the four protocols holds a part of an answer, or says why it ended."""
    delta = value.get("delta")
    if value.get("type") in _ENDS or (isinstance(delta, str) and delta):
        return True
    parts = [delta, value.get("content_block"), value.get("message")]
    for choice in _objects(value.get("choices")):
        parts += [choice, choice.get("delta"), choice.get("message")]
    for candidate in _objects(value.get("candidates")):
        parts += [candidate, *_objects(_object(candidate.get("content")).get("parts"))]
    return any(_tells(_object(part)) for part in parts)


def _tells(part: Mapping[str, Any]) -> bool:
    texts = (part.get(name) for name in (*_TEXTS, *_REASONS))
    has_text = any(isinstance(text, str) and text not in {"", "error"} for text in texts)
    return has_text or any(map(part.get, _CALLS)) or part.get("type") == "tool_use"


def _objects(value: Any) -> list[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
