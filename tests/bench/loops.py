"""Bare loops over a pool: every request an inspection sends, in its order, and nothing kept of the answers.

What an inspection adds to the calls themselves shows beside them. One loop calls through the port, as the engine does;
the other uses the HTTP library alone. Both send fallback and confirming requests where the answers ask for them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from random import Random

import aiohttp
from gateway.internal.management.application import build_application
from gateway.internal.runtime import Runtime

from adapter.embedded import EmbeddedConnection
from adapter.port import TOKEN_PLACEHOLDER, AccountRef, Answer, Gateway, NoAnswer, NoAnswerKind
from extension.inspection.accounts.account import Source, classify
from extension.inspection.probes.plan import ProbePlan, next_request, plan_probe
from extension.inspection.requests.outcome import Attempt, ProbeRequest
from extension.inspection.settings import InspectionSettings
from tests.soak.large_pool import LargePool, address_at


@dataclass(frozen=True, slots=True)
class Errand:
    """Requests to one account: its plan, made beforehand, its reference, and its key in clear."""

    account: AccountRef
    key: str
    plan: ProbePlan


Send = Callable[[Errand, ProbeRequest], Awaitable[Answer | NoAnswer]]


@asynccontextmanager
async def embedded(pool: LargePool) -> AsyncIterator[EmbeddedConnection]:
    """Run the gateway of a pool in this process, not yet bound to an installation."""
    runtime = Runtime(pool.config, environment={})
    await runtime.start()
    try:
        yield EmbeddedConnection(runtime, build_application(runtime))
    finally:
        await runtime.stop()


async def errands_of(pool: LargePool, gateway: Gateway, settings: InspectionSettings) -> list[Errand]:
    """Plan the probes of a pool's keys, in the gateway's order; what is not probed is left out."""
    address = address_at(pool.providers_port)
    keys = {row.base_url(address): row.key for row in pool.rows}
    errands = []
    for account in (await gateway.accounts()).accounts:
        plan = plan_probe(account, settings, Random(0)) if classify(account) is Source.API_KEY else None
        if isinstance(plan, ProbePlan):
            errands.append(Errand(account.ref, keys[account.base_url or ""], plan))
    return errands


async def work_off(errands: Sequence[Errand], workers: int, send: Send) -> None:
    """Send what every errand asks for, that many at once."""
    waiting = iter(errands)

    async def worker() -> None:
        for errand in waiting:
            attempts: list[Attempt] = []
            while (request := next_request(errand.plan, attempts)) is not None:
                attempts.append(Attempt(request, await send(errand, request)))

    async with asyncio.TaskGroup() as group:
        for _ in range(workers):
            group.create_task(worker())


def through_the_port(gateway: Gateway, seconds: float) -> Send:
    """Return what sends a request as the engine does."""

    async def send(errand: Errand, request: ProbeRequest) -> Answer | NoAnswer:
        return await gateway.call(request.call(errand.account), timeout=seconds)

    return send


@asynccontextmanager
async def with_the_library_alone(workers: int, seconds: float) -> AsyncIterator[Send]:
    """Yield what sends a request with aiohttp and nothing around it, over that many connections."""
    limit = aiohttp.ClientTimeout(total=seconds)
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=workers), timeout=limit) as session:

        async def send(errand: Errand, request: ProbeRequest) -> Answer | NoAnswer:
            headers = _with_key(request.header, errand.key)
            try:
                async with session.request(
                    request.method, request.url, headers=headers, data=request.body or None
                ) as answer:
                    await answer.read()
                    return Answer(answer.status, {}, "", truncated=False, elapsed=0.0)
            except (aiohttp.ClientError, TimeoutError):
                return NoAnswer(NoAnswerKind.UNKNOWN, "", 0.0)

        yield send


def _with_key(header: Mapping[str, str], key: str) -> dict[str, str]:
    return {name: value.replace(TOKEN_PLACEHOLDER, key) for name, value in header.items()}
