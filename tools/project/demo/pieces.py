"""Streamed answers as the real interfaces send them: the events of each, a letter of the answer at a time."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from .interface import Interface, Question, Streaming

EVENT_STREAM = "text/event-stream"


def pieces_of(question: Question, text: str, answer: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the pieces of a streamed answer; `answer` is the same answer when it is not streamed."""
    if question.interface is Interface.CHAT:
        return tuple(_chat(question, text, answer))
    if question.interface is Interface.GENERATE:
        parts = list(_generated(text, answer))
        if question.streaming is Streaming.EVENTS:
            return tuple(f"data: {json.dumps(part)}\r\n\r\n" for part in parts)
        return (*(f"{'[' if number == 0 else ','}{json.dumps(part)}\r\n" for number, part in enumerate(parts)), "]")
    return tuple(
        f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in _NAMED[question.interface](text, answer)
    )


def _chat(question: Question, text: str, answer: Mapping[str, Any]) -> Iterator[str]:
    shared = {name: answer[name] for name in ("id", "created", "model")} | {"object": "chat.completion.chunk"}
    deltas: list[dict[str, str]] = [{"role": "assistant", "content": ""}, *({"content": letter} for letter in text)]
    for delta in deltas:
        yield _data({**shared, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
    yield _data({**shared, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    if question.usage_wanted:
        yield _data({**shared, "choices": [], "usage": answer["usage"]})
    yield "data: [DONE]\n\n"


def _data(event: Mapping[str, Any]) -> str:
    return f"data: {json.dumps(event)}\n\n"


def _generated(text: str, answer: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for number, letter in enumerate(text, 1):
        candidate: dict[str, Any] = {"content": {"role": "model", "parts": [{"text": letter}]}, "index": 0}
        if number == len(text):
            candidate["finishReason"] = "STOP"
        yield {**answer, "candidates": [candidate]}


def _message(text: str, answer: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    used = answer["usage"]
    started = {**answer, "content": [], "stop_reason": None, "usage": {**used, "output_tokens": 0}}
    yield {"type": "message_start", "message": started}
    yield {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
    yield {"type": "ping"}
    for letter in text:
        yield {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": letter}}
    yield {"type": "content_block_stop", "index": 0}
    ending = {"stop_reason": answer["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": ending, "usage": {"output_tokens": used["output_tokens"]}}
    yield {"type": "message_stop"}


def _response(text: str, answer: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the events of a response, each with its number."""
    for number, event in enumerate(_unnumbered(text, answer)):
        yield {**event, "sequence_number": number}


def _unnumbered(text: str, answer: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    (item,) = answer["output"]
    (part,) = item["content"]
    place = {"item_id": item["id"], "output_index": 0, "content_index": 0}
    begun = {**answer, "status": "in_progress", "output": [], "usage": None}
    yield {"type": "response.created", "response": begun}
    yield {"type": "response.in_progress", "response": begun}
    growing = {**item, "status": "in_progress", "content": []}
    yield {"type": "response.output_item.added", "output_index": 0, "item": growing}
    yield {"type": "response.content_part.added", **place, "part": {**part, "text": ""}}
    for letter in text:
        yield {"type": "response.output_text.delta", **place, "delta": letter, "logprobs": []}
    yield {"type": "response.output_text.done", **place, "text": text, "logprobs": []}
    yield {"type": "response.content_part.done", **place, "part": part}
    yield {"type": "response.output_item.done", "output_index": 0, "item": item}
    yield {"type": "response.completed", "response": answer}


_NAMED: Mapping[Interface, Callable[[str, Mapping[str, Any]], Iterator[dict[str, Any]]]] = {
    Interface.MESSAGES: _message,
    Interface.RESPONSES: _response,
}
