"""A provider stand-in that answers as the one the stock gateway was recorded with: by what the key and the path say."""

import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.loopback import Received, answer

_DATE = "Sat, 21 Nov 2026 08:00:00 GMT"
_TOO_MANY = 429
_MODELS = {"object": "list", "data": [{"id": "demo-model", "object": "model"}]}


class Provider:
    """Answers with the bodies that recorded exchanges carry, so that what is passed through comes out as recorded."""

    def __init__(self, recorded: Mapping[str, Any]) -> None:
        self._recorded = recorded

    def __call__(self, request: Received) -> bytes:
        """Answer one request."""
        key = _key(request)
        if failing := re.match(r"s(\d{3})-", key):
            status = int(failing[1])
            problem = {"message": f"labelled {status} for {key}", "type": "error", "code": str(status)}
            more = {"Retry_After": "30"} if status == _TOO_MANY else {}
            return _json(status, {"error": problem}, **more)
        name = self._name(request)
        if name is None:
            return _json(200, _MODELS)
        body = self._recorded[name]
        if isinstance(body, str):
            return answer(
                200,
                body.replace("cpaUsage", "usage").encode(),
                Content_Type="text/event-stream",
                Date=_DATE,
                Server="s",
            )
        return _json(200, body)

    @staticmethod
    def _name(request: Received) -> str | None:
        path = urlsplit(request.target).path
        stream = b'"stream": true' in request.body or b'"stream":true' in request.body
        if path.endswith("/count_tokens"):
            return "count tokens"
        for end, name in (("/chat/completions", "chat"), ("/messages", "messages"), ("/responses", "responses")):
            if path.endswith(end):
                return f"{name} stream" if stream else name
        if "streamGenerateContent" in path:
            return "gemini stream"
        return (
            "gemini generate" if "generateContent" in path else "completions" if path.endswith("completions") else None
        )


def _json(status: int, body: object, **headers: str) -> bytes:
    text = json.dumps(body).encode()
    return answer(status, text, Content_Type="application/json", Date=_DATE, Server="s", **headers)


def _key(request: Received) -> str:
    headers = request.headers
    query = parse_qs(urlsplit(request.target).query).get("key", [""])[0]
    bearer = headers.get("authorization", "").removeprefix("Bearer ")
    return bearer or headers.get("x-api-key", "") or headers.get("x-goog-api-key", "") or query
