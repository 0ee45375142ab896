"""A stand-in for a provider that reports the usage each request asks for, and the requests of mixed traffic."""

import json
import random
from dataclasses import asdict, dataclass

from tests.contract.provider import Provider, Received, Sent


@dataclass(frozen=True)
class Spending:
    """One request: the usage that the provider reports, streamed or not; a failed one reports none."""

    prompt: int
    cached: int
    completion: int
    reasoning: int
    streamed: bool
    failed: bool

    @property
    def body(self) -> dict[str, object]:
        """A client's request that asks for it."""
        message = {"role": "user", "content": json.dumps(asdict(self))}
        more = {"stream": True, "stream_options": {"include_usage": True}} if self.streamed else {}
        return {"model": "demo-alias", "messages": [message], **more}


def mixed(count: int, seed: int = 17) -> list[Spending]:
    """Requests drawn by chance: a third streamed, a tenth failed, some cached and some with reasoning."""
    chance = random.Random(seed)
    drawn = []
    for _ in range(count):
        prompt, completion = chance.randrange(1, 2_000), chance.randrange(1, 900)
        drawn.append(
            Spending(
                prompt,
                chance.randrange(prompt) if chance.random() < 0.4 else 0,
                completion,
                chance.randrange(completion) if chance.random() < 0.3 else 0,
                streamed=chance.random() < 0.33,
                failed=chance.random() < 0.1,
            )
        )
    return drawn


class MixedProvider(Provider):
    """Answers each request with the usage that its message names."""

    async def answer(self, request: Received) -> Sent:
        if not request.path.endswith("/chat/completions"):
            return await super().answer(request)
        requests = json.loads(request.body)
        spending = Spending(**json.loads(requests["messages"][0]["content"]))
        if spending.failed:
            error = {"error": {"message": "as asked", "type": "invalid_request_error", "code": "invalid_value"}}
            return Sent(400, json.dumps(error).encode(), {"Content-Type": "application/json"})
        usage = {
            "prompt_tokens": spending.prompt,
            "completion_tokens": spending.completion,
            "total_tokens": spending.prompt + spending.completion,
            "prompt_tokens_details": {"cached_tokens": spending.cached},
            "completion_tokens_details": {"reasoning_tokens": spending.reasoning},
        }
        if requests.get("stream"):
            return Sent(200, _streamed(usage), {"Content-Type": "text/event-stream"})
        choice = {"index": 0, "message": {"role": "assistant", "content": "hi"}, "finish_reason": "stop"}
        whole = {"id": "c", "object": "chat.completion", "choices": [choice], "usage": usage}
        return Sent(200, json.dumps(whole).encode(), {"Content-Type": "application/json"})


def _streamed(usage: dict[str, object]) -> bytes:
    base = {"id": "c", "object": "chat.completion.chunk", "model": "demo-model"}
    delta = {"index": 0, "delta": {"role": "assistant", "content": "hi"}, "finish_reason": None}
    end = {"index": 0, "delta": {}, "finish_reason": "stop"}
    chunks = ({**base, "choices": [delta]}, {**base, "choices": [end]}, {**base, "choices": [], "usage": usage})
    return b"".join(f"data: {json.dumps(chunk)}\n\n".encode() for chunk in chunks) + b"data: [DONE]\n\n"
