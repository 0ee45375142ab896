"""The interfaces the stand-in speaks: what a good key gets at each, recognised by the end of the path."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from .behaviour import BIG_BODY, Behaviour, Reply

_GENERATE = re.compile(r"/models/(?P<model>[^/]+):generateContent$")
_SUM = re.compile(r"^\s*(\d+)\s*\+\s*(\d+)\s*=")
_MODELS = ("demo-model", "demo-model-small")


class Interface(StrEnum):
    """What is asked for."""

    MODELS = "models"
    NATIVE_MODELS = "native models"
    CHAT = "chat"
    MESSAGES = "messages"
    GENERATE = "generate"


@dataclass(frozen=True, slots=True)
class Question:
    """One request to the stand-in, as far as an answer depends on it."""

    interface: Interface
    model: str
    text: str


def question_of(method: str, path: str, body: str) -> Question | None:
    """Read what a request asks for; None when there is nothing at that address."""
    if method == "GET" and path.endswith("/models"):
        return Question(Interface.NATIVE_MODELS if "/v1beta" in path else Interface.MODELS, "", "")
    if method != "POST":
        return None
    said = _object(body)
    generate = _GENERATE.search(path)
    if generate:
        return Question(Interface.GENERATE, generate["model"], _native_text(said))
    for ending, interface in (("/chat/completions", Interface.CHAT), ("/v1/messages", Interface.MESSAGES)):
        if path.endswith(ending):
            return Question(interface, str(said.get("model", "")), _last_text(said))
    return None


def good_answer(question: Question, behaviour: Behaviour) -> Reply:
    """Return what a working key gets: a list of models, or a very short answer; a small sum is solved."""
    if question.interface in {Interface.MODELS, Interface.NATIVE_MODELS}:
        return Reply(200, json.dumps(_models(question.interface, big=behaviour is Behaviour.BIG)))
    return Reply(200, json.dumps(_spoken(question, _reply_to(question.text))))


def _models(interface: Interface, *, big: bool) -> dict[str, Any]:
    names = [*_MODELS, *(f"demo-model-{number:06}" for number in range(BIG_BODY // 60 if big else 0))]
    if interface is Interface.NATIVE_MODELS:
        return {
            "models": [{"name": f"models/{name}", "supportedGenerationMethods": ["generateContent"]} for name in names]
        }
    return {"object": "list", "data": [{"id": name, "object": "model", "owned_by": "demo"} for name in names]}


def _spoken(question: Question, text: str) -> dict[str, Any]:
    if question.interface is Interface.GENERATE:
        content = {"role": "model", "parts": [{"text": text}]}
        return {"candidates": [{"content": content, "finishReason": "STOP"}], "usageMetadata": {"totalTokenCount": 3}}
    if question.interface is Interface.MESSAGES:
        usage = {"input_tokens": 1, "output_tokens": 1}
        return {
            "id": "msg_demo",
            "type": "message",
            "role": "assistant",
            "model": question.model,
            "content": [{"type": "text", "text": text}],
            "stop_reason": "end_turn",
            "usage": usage,
        }
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    return {
        "id": "chat-demo",
        "object": "chat.completion",
        "model": question.model,
        "choices": [choice],
        "usage": usage,
    }


def _reply_to(text: str) -> str:
    terms = _SUM.match(text)
    return str(int(terms[1]) + int(terms[2])) if terms else "pong"


def _object(body: str) -> dict[str, Any]:
    try:
        value = json.loads(body)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _last_text(said: dict[str, Any]) -> str:
    match said.get("messages"):
        case [*_, {"content": str(text)}]:
            return text
    return ""


def _native_text(said: dict[str, Any]) -> str:
    match said.get("contents"):
        case [*_, {"parts": [{"text": str(text)}, *_]}]:
            return text
    return ""
