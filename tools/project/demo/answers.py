"""Answers to a working key: a list of models, or a very short text, whole or piece by piece."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from .behavior import BIG_BODY, Behavior, DemoReply
from .interface import Interface, Question, Streaming
from .pieces import EVENT_STREAM, pieces_of

CREATED = 1_767_225_600
"""Creation time of everything, in seconds: the first of January 2026."""

_SUM = re.compile(r"^\s*(\d+)\s*\+\s*(\d+)\s*=")
_MODELS = ("demo-model", "demo-model-small")
_MODEL_LISTS = {Interface.MODELS, Interface.NATIVE_MODELS}


def good_answer(question: Question, behavior: Behavior) -> DemoReply:
    """Return the answer to a working key; a small sum is solved, everything else answered in one word."""
    if question.interface in _MODEL_LISTS:
        return DemoReply(200, json.dumps(_models(question.interface, big=behavior is Behavior.BIG)))
    text = _reply_to(question.text)
    answer = _WHOLE[question.interface](question.model, text)
    if question.streaming is Streaming.WHOLE:
        return DemoReply(200, json.dumps(answer))
    content_type = EVENT_STREAM if question.streaming is Streaming.EVENTS else "application/json"
    return DemoReply(200, "", {}, content_type, pieces_of(question, text, answer))


def _models(interface: Interface, *, big: bool) -> dict[str, Any]:
    names = [*_MODELS, *(f"demo-model-{number:06}" for number in range(BIG_BODY // 60 if big else 0))]
    if interface is Interface.NATIVE_MODELS:
        return {
            "models": [{"name": f"models/{name}", "supportedGenerationMethods": ["generateContent"]} for name in names]
        }
    return {"object": "list", "data": [{"id": name, "object": "model", "owned_by": "demo"} for name in names]}


def _chat(model: str, text: str) -> dict[str, Any]:
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    return {
        "id": "chat-demo",
        "object": "chat.completion",
        "created": CREATED,
        "model": model,
        "choices": [choice],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }


def _response(model: str, text: str) -> dict[str, Any]:
    content = {"type": "output_text", "text": text, "annotations": []}
    message = {"id": "msg_demo", "type": "message", "role": "assistant", "status": "completed", "content": [content]}
    return {
        "id": "resp_demo",
        "object": "response",
        "created_at": CREATED,
        "status": "completed",
        "model": model,
        "output": [message],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": 1,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": 1,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": 2,
        },
    }


def _message(model: str, text: str) -> dict[str, Any]:
    return {
        "id": "msg_demo",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [{"type": "text", "text": text}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }


def _generated(model: str, text: str) -> dict[str, Any]:
    content = {"role": "model", "parts": [{"text": text}]}
    return {
        "candidates": [{"content": content, "finishReason": "STOP", "index": 0}],
        "modelVersion": model,
        "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 2, "totalTokenCount": 3},
    }


_WHOLE: Mapping[Interface, Callable[[str, str], dict[str, Any]]] = {
    Interface.CHAT: _chat,
    Interface.RESPONSES: _response,
    Interface.MESSAGES: _message,
    Interface.GENERATE: _generated,
    Interface.COUNT: lambda _model, _text: {"input_tokens": 1},
    Interface.NATIVE_COUNT: lambda _model, _text: {"totalTokens": 1},
}


def _reply_to(text: str) -> str:
    terms = _SUM.match(text)
    return str(int(terms[1]) + int(terms[2])) if terms else "pong"
