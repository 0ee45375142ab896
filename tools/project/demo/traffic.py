"""Traffic of the demo: a week of made-up usage, and requests of clients while the demo runs.

The week is imported as an export of another service would be, with names of real models, so that it has prices. The
requests pass through the gateway to the stand-in like those of any client.
"""

import asyncio
import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from random import Random
from typing import Any

from aiohttp import ClientError, ClientSession, ClientTimeout

from adapter.clock import SystemClock
from adapter.contract.expectations import own

from .folder import DemoFolder
from .pool import DEMO_CLIENT_KEY, DEMO_CLIENTS
from .providers import LOOPBACK

HOUR_MS = 3_600_000
DAYS = 7
REQUESTS_AN_HOUR = 12
# Of the demo: as many as its clients send while it runs, or their columns would dwarf those of the week.
DEMO_REQUESTS_AN_HOUR = 120
PAUSE_SECONDS = 10.0
READY_PAUSE_SECONDS = 0.2
LINES_A_PART = 1_500
_SEED = 7
_MODELS = (
    ("gpt-5", "openai", 8), ("claude-sonnet-4-5", "anthropic", 7), ("gemini-2.5-pro", "google", 4),
    ("gpt-5-mini", "openai", 5), ("claude-opus-4-1", "anthropic", 2), ("house-model", "relay", 1),
)  # fmt: skip
_ACCOUNTS = ("relay-frankfurt", "relay-singapore", "team-codex", "team-claude", "spare-key")
_CLIENTS = tuple(hashlib.sha256(name.encode()).hexdigest()[:32] for name in DEMO_CLIENTS if name != "Demo client")
_FAILURES = ((429, "429 rate_limit_exceeded", 5), (500, "500 server_error", 2), (401, "401 invalid_api_key", 1))
_BUSY = (9, 19)
_ASKED = ("ok-model", "ok-model", "slow-model", "duo-model", "no-models-model", "rate-limited-model", "failing-model")


def past_usage(now: int, requests_an_hour: int = REQUESTS_AN_HOUR, fingerprints: Sequence[str] = _CLIENTS) -> str:
    """Return a week of usage before a time (ms UTC) as JSON lines; the same for the same time.

    `fingerprints`: the client keys that sent it.
    """
    random = Random(_SEED)  # noqa: S311 - made-up usage
    events = _events(now, requests_an_hour, random)
    return "".join(json.dumps(event | {"client": random.choice(fingerprints)}) + "\n" for event in events)


def _events(now: int, requests_an_hour: int, random: Random) -> Iterator[dict[str, Any]]:
    first = (now // HOUR_MS - DAYS * 24) * HOUR_MS
    for start in range(first, now, HOUR_MS):
        hour = start // HOUR_MS % 24
        busy = 1.0 if _BUSY[0] <= hour < _BUSY[1] else 0.25
        for _ in range(round(random.uniform(0.5, 1.5) * busy * requests_an_hour)):
            at = start + random.randrange(HOUR_MS)
            if at < now:
                yield _event(at, random)


def _event(at: int, random: Random) -> dict[str, Any]:
    model, provider, _ = random.choices(_MODELS, [weight for *_, weight in _MODELS])[0]
    account = random.choice(_ACCOUNTS)
    fails = random.random() < (0.3 if account == "spare-key" else 0.04)
    status, failure, _ = random.choices(_FAILURES, [weight for *_, weight in _FAILURES])[0] if fails else (200, "", 0)
    counts = {"input": 0, "cacheRead": 0, "output": 0, "reasoning": 0}
    if not fails:
        read = random.choice((0, 0, random.randrange(20_000)))
        counts = {"input": random.randrange(200, 9_000), "cacheRead": read, "output": random.randrange(50, 3_000)}
        counts["reasoning"] = random.randrange(2_000) if model.startswith(("gpt-5", "gemini")) else 0
    latency = round(random.lognormvariate(7.6, 0.6))
    absent = ("cacheWrite5M", "cacheWrite1H", "audioIn", "audioOut", "imageIn", "imageOut")
    return {
        "at": at, "account": account, "model": model, "alias": model,
        "provider": provider, "endpoint": "POST /v1/chat/completions", "tier": "", "failure": failure,
        "status": status, "latencyMs": latency, "ttftMs": 0 if fails else latency // 4,
        "requestId": f"{random.getrandbits(48):x}", "digest": str(random.getrandbits(62)),
        "quality": "complete", "hidden": 0,
        "tokens": {**dict.fromkeys(absent, 0), **counts, "total": sum(counts.values())},
    }  # fmt: skip


async def _until_ready(session: ClientSession, origin: str, management: dict[str, str]) -> None:
    """Wait for the service: a gateway that starts it as its plugin answers 503 for it before it runs."""
    while True:
        with suppress(ClientError, TimeoutError):
            async with session.get(origin + own("api-key-aliases"), headers=management) as answer:
                if answer.ok:
                    return
        await asyncio.sleep(READY_PAUSE_SECONDS)


async def _fill(session: ClientSession, origin: str, management: dict[str, str]) -> None:
    """Name the client keys and import the week, in parts that the service takes."""
    await _until_ready(session, origin, management)
    fingerprints = []
    for name, key in DEMO_CLIENTS.items():
        alias = {"key": key, "alias": name}
        async with session.put(origin + own("api-key-aliases"), json=alias, headers=management) as answer:
            fingerprints.append((await answer.json())["alias"]["fingerprint"])
    week = past_usage(SystemClock().now_ms(), DEMO_REQUESTS_AN_HOUR, fingerprints[1:])
    lines = week.splitlines(keepends=True)
    for first in range(0, len(lines), LINES_A_PART):
        part = "".join(lines[first : first + LINES_A_PART]).encode()
        async with session.post(origin + own("usage/import"), data=part, headers=management):
            pass


async def keep_traffic(folder: DemoFolder) -> None:
    """Import the week, then send requests through the gateway until cancelled; a failing request is traffic too."""
    origin = f"http://{LOOPBACK}:{folder.gateway_port}"
    management = {"X-Management-Key": folder.management_key}
    random = Random(_SEED)  # noqa: S311 - made-up traffic
    async with ClientSession(timeout=ClientTimeout(total=10)) as session:
        with suppress(ClientError, TimeoutError):
            await _fill(session, origin, management)
        headers = {"Authorization": f"Bearer {DEMO_CLIENT_KEY}"}
        while True:
            question = {"model": random.choice(_ASKED), "messages": [{"role": "user", "content": "ping"}]}
            with suppress(ClientError, TimeoutError):
                async with session.post(f"{origin}/v1/chat/completions", json=question, headers=headers) as answer:
                    await answer.read()
            await asyncio.sleep(PAUSE_SECONDS)
