"""Sending recorded requests, in order, to a gateway started as the recorded one was."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from gateway.internal.configuration.model import Profile
from gateway.internal.outbound.client import Outbound, UpstreamAnswer
from gateway.internal.outbound.failure import FailureKind, OutboundFailed
from gateway.internal.outbound.guard import Guard
from gateway.internal.outbound.proxy import DIRECT, Proxy
from gateway.internal.outbound.redirects import Hop
from gateway.internal.outbound.streaming import Stream
from tests.loopback import upstream
from tests.management.serving import Answer, Served, gateway
from tests.recorded.comparing import Comparison
from tests.recorded.provider import Provider

RECORDED = Path(__file__).parent
POOL = (RECORDED / "pool.yaml").read_text()
SECRET = "mgmt-secret"
PARTLY = {"config", "config.yaml"}
"""Answers of which the stock gateway says more than anybody else needs; what both sides know is compared."""

FILES: dict[str, dict[str, Any]] = {
    "antigravity-f@example.com.json": {
        "type": "antigravity",
        "email": "f@example.com",
        "project_id": "p",
        "disabled": True,
    },
    "claude-a@example.com.json": {"type": "claude", "email": "a@example.com"},
    "codex-b@example.com.json": {"type": "codex", "email": "b@example.com"},
    "gemini-c@example.com.json": {"type": "gemini", "email": "c@example.com"},
    "kimi-e.json": {"type": "kimi"},
    "qwen-d@example.com.json": {"type": "qwen", "email": "d@example.com"},
}
_RECORDED_PORT = 9911


class _Rerouted(Outbound):
    """Sends what was meant for the recorded provider to the stand-in: the port is part of ids, and cannot be free."""

    def __init__(self, port: int) -> None:
        super().__init__()
        self._port = port

    def _reroute(self, hop: Hop) -> Hop:
        if "://127.0.0.1:" not in hop.url:
            raise OutboundFailed(FailureKind.CONNECT, "no test calls anybody outside")
        return replace(hop, url=hop.url.replace(f":{_RECORDED_PORT}", f":{self._port}", 1))

    async def send(
        self, hop: Hop, *, proxy: Proxy = DIRECT, guard: Guard | None = None, limit: int | None = None
    ) -> UpstreamAnswer:
        return await super().send(self._reroute(hop), proxy=proxy, guard=guard, limit=limit)

    async def stream(self, hop: Hop, proxy: Proxy = DIRECT) -> Stream:
        return await super().stream(self._reroute(hop), proxy)


def exchanges(file: str) -> list[dict[str, Any]]:
    """Return the recorded exchanges of a file, in order."""
    return [json.loads(line) for line in (RECORDED / file).read_text().splitlines()]


@dataclass
class Replay:
    """What came out: the names of exchanges that differ from the recorded ones, with what differs."""

    names: list[str] = field(default_factory=list)
    differing: dict[str, list[str]] = field(default_factory=dict)


Step = Callable[[Served, str], Awaitable[None]]


async def nothing(_: Served, __: str) -> None:
    """Do nothing before an exchange."""


async def replay(served: Served, recorded: list[dict[str, Any]], before: Step = nothing) -> Replay:
    """Send every request and compare every answer; ``before`` is called with the name of each exchange."""
    outcome, comparison = Replay(), Comparison()
    for exchange in recorded:
        name = exchange["name"]
        await before(served, name)
        answer = await _send(served, exchange["request"], comparison.indexes)
        found = comparison.answers(exchange["response"], answer, partly=name in PARTLY)
        if "config_after" in exchange:
            found += comparison.configurations(exchange["config_after"], served.runtime.config_path.read_text())
        outcome.names.append(name)
        if found:
            outcome.differing[name] = found
    return outcome


async def _send(served: Served, request: dict[str, Any], indexes: dict[str, str]) -> Answer:
    text = json.dumps(request)
    for recorded, given in indexes.items():
        text = text.replace(recorded, given)
    known: dict[str, Any] = json.loads(text)
    body = known["body"]
    data = None if body is None else (body if isinstance(body, str) else json.dumps(body)).encode()
    headers = {"User-Agent": "", **known["headers"]}
    return await served.request(known["method"], known["path"], headers=headers, data=data)


@asynccontextmanager
async def recorded_gateway(folder: Path, profile: Profile, *, secret: str = SECRET) -> AsyncIterator[Served]:
    """Start a gateway as the recorded one was started; the current folder must be the given one."""
    bodies = {each["name"]: each["response"]["body"] for each in exchanges("management.jsonl")}
    configuration = POOL.replace(f'secret-key: "{SECRET}"', f'secret-key: "{secret}"')
    extra = f"management-profile: {profile.value}\napi-call-allow: [127.0.0.1] # where the provider is here\n"
    credentials = {name: json.dumps({**fields, "access_token": f"ok-{name}"}) for name, fields in FILES.items()}
    async with (
        upstream(Provider(bodies)) as provider,
        gateway(folder, configuration + extra, files=credentials) as served,
    ):
        await served.runtime.outbound.close()
        served.runtime.outbound = _Rerouted(provider.port)
        yield served
