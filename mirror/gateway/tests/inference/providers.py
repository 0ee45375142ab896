"""A stand-in for all upstreams: speaks the four dialects, and does what the name of a key says.

``ok-…`` answers, ``s401-…`` answers with that status, ``cut-…`` breaks off after the first event or half the body,
``gone-…`` closes the connection without an answer, ``silent-…`` never answers, ``endless-…`` streams until it is
told to stop, ``moved-…`` redirects.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from aiohttp import web

CHAT_USAGE = {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7}
RESPONSES_USAGE = {
    "input_tokens": 5,
    "input_tokens_details": {"cached_tokens": 0},
    "output_tokens": 2,
    "output_tokens_details": {"reasoning_tokens": 0},
    "total_tokens": 7,
}
GEMINI_USAGE = {"promptTokenCount": 5, "candidatesTokenCount": 2, "totalTokenCount": 7}
CACHED: Mapping[str, dict[str, object]] = {
    "claude-cached": {
        "cache_creation_input_tokens": 700,
        "cache_creation": {"ephemeral_5m_input_tokens": 100, "ephemeral_1h_input_tokens": 600},
    }
}
_STATUS_DIGITS = slice(1, 4)


@dataclass(frozen=True)
class Seen:
    """One request as it arrived."""

    path: str
    query: str
    key: str
    headers: dict[str, str]
    body: dict[str, object]
    raw: bytes


@dataclass
class Providers:
    """The running stand-in. ``step`` lets an endless stream send one more event for each time it is released."""

    url: str = ""
    seen: list[Seen] = field(default_factory=list)
    retry_after: str = ""
    step: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(0))
    waiting: asyncio.Event = field(default_factory=asyncio.Event)
    stopped: asyncio.Event = field(default_factory=asyncio.Event)
    open: int = 0
    sent: int = 0
    filler: str = "x"

    @property
    def keys(self) -> list[str]:
        """The keys in the order they were used."""
        return [one.key for one in self.seen]

    async def answer(self, request: web.Request) -> web.StreamResponse:
        raw = await request.read()
        key = key_of(request)
        body = json.loads(raw or b"{}")
        lowered = {name.lower(): value for name, value in request.headers.items()}
        self.seen.append(Seen(request.path, request.query_string, key, lowered, body, raw))
        if key.startswith("s") and key[_STATUS_DIGITS].isdecimal():
            return self.failure(key)
        if key.startswith("moved"):
            return web.Response(status=307, headers={"Location": "http://elsewhere.example/"})
        if key.startswith("gone") and request.transport:
            request.transport.abort()
        if key.startswith("silent"):
            self.waiting.set()
            try:
                await asyncio.Event().wait()
            finally:
                self.stopped.set()
        if body.get("stream") is True or "streamGenerateContent" in request.path:
            return await self.stream(request, key)
        return web.json_response(whole(request.path, str(body.get("model", ""))))

    def failure(self, key: str) -> web.Response:
        status = int(key[_STATUS_DIGITS])
        headers = {"Retry-After": self.retry_after} if self.retry_after else {}
        error = {"error": {"message": f"labelled {status} for {key}", "type": "error", "code": str(status)}}
        if key.endswith("unsupported"):
            error = {"error": {"message": "The requested model is not supported.", "type": "e", "code": "e"}}
        return web.json_response(error, status=status, headers=headers)

    async def stream(self, request: web.Request, key: str) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        self.open += 1
        try:
            if key.startswith("endless"):
                await self.endless(response)
            for number, event in enumerate(events(request.path, await request.json())):
                await response.write(event)
                if key.startswith("cut") and number == 0 and request.transport:
                    request.transport.close()
                    return response
            await response.write_eof()
        finally:
            self.open -= 1
            self.stopped.set()
        return response

    async def endless(self, response: web.StreamResponse) -> None:
        piece = {"id": "c1", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"content": ""}}]}
        event = f"data: {json.dumps(piece | {'filler': self.filler})}\n\n".encode()
        with suppress(ConnectionResetError):  # the gateway told us to stop
            while True:
                await response.write(event)
                self.sent += 1
                self.waiting.set()
                await self.step.acquire()
        raise asyncio.CancelledError


def key_of(request: web.Request) -> str:
    bearer = request.headers.get("Authorization", "").removeprefix("Bearer ")
    return bearer or request.headers.get("x-api-key", "") or request.headers.get("x-goog-api-key", "")


def whole(path: str, model: str) -> dict[str, object]:
    """Return an answer that is no stream."""
    if path.endswith("count_tokens"):
        return {"input_tokens": 3}
    if path.endswith(":countTokens"):
        return {"totalTokens": 3}
    if ":" in path:
        return {"candidates": [{"content": {"parts": [{"text": "Hello"}]}}], "usageMetadata": GEMINI_USAGE}
    if path.endswith("/messages"):
        content = [{"type": "text", "text": "Hello"}]
        usage = {"input_tokens": 5, "output_tokens": 2} | CACHED.get(model, {})
        return {"id": "m1", "type": "message", "role": "assistant", "model": model, "content": content, "usage": usage,
                "stop_reason": "end_turn", "stop_sequence": None}  # fmt: skip
    if path.endswith("/responses"):
        return _response(model, "completed")
    choice: dict[str, object] = {"index": 0, "finish_reason": "stop"}
    choice |= {"message": {"role": "assistant", "content": "Hello"}} if "chat" in path else {"text": "Hello"}
    kind = "chat.completion" if "chat" in path else "text_completion"
    return {"id": "c1", "object": kind, "created": 1, "model": model, "choices": [choice], "usage": CHAT_USAGE}


def _response(model: str, status: str) -> dict[str, object]:
    text = {"type": "output_text", "text": "Hello", "annotations": []}
    item = {"id": "i1", "type": "message", "status": status, "role": "assistant", "content": [text]}
    return {"id": "r1", "object": "response", "created_at": 1, "status": status, "model": model, "output": [item],
            "parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "usage": RESPONSES_USAGE}  # fmt: skip


def events(path: str, body: dict[str, object]) -> list[bytes]:
    """Return the events of a stream."""
    model = str(body.get("model", ""))
    if ":" in path:
        parts = [{"candidates": [{"content": {"parts": [{"text": text}]}}]} for text in ("Hel", "lo")]
        return [_event(parts[0]), _event(parts[1] | {"usageMetadata": GEMINI_USAGE})]
    if path.endswith("/messages"):
        return _message_events(model)
    if path.endswith("/responses"):
        delta = {"type": "response.output_text.delta", "item_id": "i1", "output_index": 0, "content_index": 0,
                 "delta": "Hello", "sequence_number": 1, "logprobs": []}  # fmt: skip
        done = {"type": "response.completed", "sequence_number": 2, "response": _response(model, "completed")}
        return [_event(delta), _event(done)]
    chunk: dict[str, object] = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": model}
    deltas = [chunk | {"choices": [{"index": 0, "delta": {"content": text}}]} for text in ("Hel", "lo")]
    last = chunk | {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
    options = body.get("stream_options")
    asked = isinstance(options, dict) and options.get("include_usage")
    usage = [_event(chunk | {"choices": [], "usage": CHAT_USAGE})] if asked else []
    return [*map(_event, [*deltas, last]), *usage, b"data: [DONE]\n\n"]


def _message_events(model: str) -> list[bytes]:
    start: dict[str, object] = {"id": "m1", "type": "message", "role": "assistant", "model": model, "content": []}
    usage = {"input_tokens": 5, "output_tokens": 0} | CACHED.get(model, {})
    start |= {"stop_reason": None, "stop_sequence": None, "usage": usage}
    delta = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hello"}}
    end = {"stop_reason": "end_turn", "stop_sequence": None}
    return [
        _event({"type": "message_start", "message": start}),
        _event({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        _event(delta),
        _event({"type": "content_block_stop", "index": 0}),
        _event({"type": "message_delta", "delta": end, "usage": {"output_tokens": 2}}),
        _event({"type": "message_stop"}),
    ]


def _event(data: Mapping[str, object]) -> bytes:
    named = f"event: {data['type']}\n" if "type" in data else ""
    return f"{named}data: {json.dumps(data)}\n\n".encode()


@asynccontextmanager
async def providers() -> AsyncIterator[Providers]:
    """Run the stand-in on a free port of the loopback interface."""
    running = Providers()
    application = web.Application(client_max_size=2**26)
    application.router.add_route("*", "/{path:.*}", running.answer)
    runner = web.AppRunner(application, handler_cancellation=True, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        running.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        yield running
    finally:
        await runner.cleanup()
