"""A pool in memory and the engine over a real data folder, for tests."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from adapter.clock import FakeClock
from adapter.fake import FakeGateway, UpstreamRequest, reply
from adapter.fake.upstream import Reply, Script
from adapter.port import TOKEN_PLACEHOLDER, Change, Gateway, KeyRef, OutboundCall, Outcome, Pool
from adapter.privacy.secret import Redactor
from extension.engine.actions.follow_up import RunScope
from extension.engine.actions.ownership import DELETE, DISABLE, ENABLE
from extension.engine.inspector import Inspector
from extension.inspection.accounts.account import Selection, Source
from extension.inspection.probes.controls import MARK
from extension.inspection.settings import AutoActionMode, InspectionSettings, parse_settings
from extension.store.actions.search import ActionFilter
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database
from extension.store.deleted_files import CopySetup
from extension.store.records import ActionRecord, EventRecord, RunRecord
from extension.store.run_state import ENDED
from extension.store.sealing import Seal
from extension.usage.record_reading import UsageFingerprints

FILES = {
    "anna.json": {"type": "codex", "email": "anna@example.org", "access_token": "oauth-token-of-anna-0123456789"},
    "ben.json": {"type": "claude", "email": "ben@example.org", "access_token": "oauth-token-of-ben-0123456789"},
}

VENDOR_B = """claude-api-key:
  - api-key: sk-ant-vendor-b-key-1
    base-url: http://b.example
    excluded-models: [old-*]
"""
"""One key of vendor b, of which some models are excluded already."""

HEALTHY = reply(200, '{"type":"message","content":[{"type":"text","text":"pong"}]}')
INVALID = reply(401, '{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}')

TWO_KEYS = """  - name: pair
    base-url: http://pair.example
    api-key-entries:
      - api-key: sk-pair-one-0123456789
      - api-key: sk-pair-two-0123456789
"""
"""A compatible provider with two keys, to be put below the others."""


Found = TypeVar("Found")


class FlyingClock(FakeClock):
    """A clock on which every wait is over at once."""

    async def sleep(self, seconds: float) -> None:
        sleeping = asyncio.ensure_future(super().sleep(seconds))
        await asyncio.sleep(0)
        await self.advance(seconds)
        await sleeping


class WatchedGateway(FakeGateway):
    """A gateway that counts readings and changes, and calls what a test hangs before and after its changes."""

    readings = 0
    before: Callable[[], object] = staticmethod(lambda: None)
    after: Callable[[], object] = staticmethod(lambda: None)

    def __init__(self, text: str = "", files: dict[str, dict[str, Any]] | None = None) -> None:
        super().__init__(text, files)
        self.sizes: list[int] = []
        self.reached, self.gate = asyncio.Event(), asyncio.Event()

    async def wait_at_the_gate(self) -> None:
        """Wait before changes until the gate is open; `reached` says that they have come."""
        self.reached.set()
        await self.gate.wait()

    async def accounts(self) -> Pool:
        self.readings += 1
        await asyncio.sleep(0)
        return await super().accounts()

    async def set_disabled(self, changes: Sequence[Change]) -> tuple[Outcome, ...]:
        self.sizes.append(len(changes))
        await called(self.before)
        outcomes = await super().set_disabled(changes)
        await called(self.after)
        return outcomes


async def called(hook: Callable[[], object]) -> None:
    """Call a function, and wait for what it returns where that can be waited for."""
    result = hook()
    if isinstance(result, Awaitable):
        await result


def died() -> None:
    """End a process in the middle of something, as far as an engine in a test can see."""
    raise RuntimeError("the process ends here")


def compat_config(names: list[str]) -> str:
    """Return a configuration with one compatible provider of one key for each name."""
    lines = ["openai-compatibility:"]
    for name in names:
        lines += [
            f"  - name: {name}",
            f"    base-url: http://{name}.example/v1",
            "    api-key-entries:",
            f"      - api-key: {key_of(name)}",
        ]
    return "\n".join(lines) + "\n"


def key_of(name: str) -> str:
    """Return the key of a provider of `compat_config`."""
    return f"sk-{name}-0123456789abcdef"


def settings(**parts: Any) -> InspectionSettings:
    """Return settings for the API keys of the pool."""
    return parse_settings({"accountSource": "api_key", **parts})


def honest(answers: Script = lambda _: reply()) -> Script:
    """Return the script of an upstream that refuses the keys of control probes and answers others as given."""

    def script(request: UpstreamRequest) -> Reply | Awaitable[Reply]:
        wrong = any(MARK in value for value in request.header.values())
        return reply(401, '{"error":{"message":"unknown key"}}') if wrong else answers(request)

    return script


def with_own_key(gateway: FakeGateway) -> list[OutboundCall]:
    """Return the calls that carried the key of their account, without control probes."""
    return [call for call in gateway.calls if any(TOKEN_PLACEHOLDER in value for value in call.header.values())]


@asynccontextmanager
async def opened(
    path: Path,
    gateway: Gateway,
    *,
    clock: FakeClock | None = None,
    secrets: tuple[str, ...] = (),
    keep_runs: int = 200,
) -> AsyncIterator[Inspector]:
    """Open the engine over a data folder, as a service does at its start, and close it as at its end."""
    with DataFolder.open(path) as folder:
        database = await Database.open(folder)
        try:
            chance, clock = Random(7), clock or FlyingClock()
            redactor = Redactor(secrets)
            inspector = Inspector(
                gateway,
                database,
                clock,
                redactor,
                random=chance,
                copies=CopySetup(Seal(bytes(32)), folder),
                fingerprints=UsageFingerprints(bytes(32)),
                keep_runs=keep_runs,
            )
            await inspector.open()
            try:
                yield inspector
            finally:
                await inspector.close()
        finally:
            await database.close()


async def ended(inspector: Inspector, run_id: int) -> RunRecord:
    """Wait for the end of a run, by its events."""
    seen = 0
    while (run := await inspector.runs.get(run_id)).state not in ENDED:
        assert await inspector.event_log.wait(seen)
        seen = max((event.seq for event in await inspector.event_log.events(seen, None, 100_000)), default=seen)
    return run


async def inspected(inspector: Inspector, chosen: InspectionSettings, actor: str = "anna") -> RunRecord:
    """Start a run, and return it as it is at its end."""
    return await ended(inspector, (await inspector.runs.start(chosen, actor)).id)


async def meanwhile(clock: FakeClock, wait: Awaitable[Found]) -> Found:
    """Let time pass in small steps until something has come about."""
    waiting = asyncio.ensure_future(wait)
    while not waiting.done():
        await clock.advance(0.01)
        await asyncio.sleep(0)
    return await waiting


async def all_events(inspector: Inspector) -> tuple[EventRecord, ...]:
    """Return the whole log."""
    return await inspector.event_log.events(0, None, 100_000)


async def numbers(inspector: Inspector, source: Source = Source.API_KEY) -> dict[str, int]:
    """Return our numbers of the accounts of the pool, by the name they are shown with."""
    view = await inspector.listing.view(Selection(source))
    return {account.facts.display_name: account.id for account in view.accounts}


async def refs(gateway: FakeGateway) -> dict[str, KeyRef]:
    """Return the references of a gateway's compatible accounts by provider name."""
    pool = await gateway.accounts()
    return {account.compat_name: account.ref for account in pool.accounts if isinstance(account.ref, KeyRef)}


def fleet(hosts: dict[str, int]) -> str:
    """Return a configuration with that many keys of vendor b at each host."""
    lines = ["claude-api-key:"]
    for host, count in hosts.items():
        for number in range(count):
            lines += [f"  - api-key: sk-ant-{host}-{number:04}-0123456789", f"    base-url: http://{host}.example"]
    return "\n".join(lines) + "\n"


async def set_disabled(
    inspector: Inspector, account_ids: Sequence[int], disabled: bool, actor: str, reason: str = ""
) -> tuple[ActionRecord, ...]:
    """Disable or enable accounts in one batch, and return the actions."""
    action = DISABLE if disabled else ENABLE
    return (await inspector.commands.carry_out(account_ids, action, actor, reason)).actions


async def delete_files(
    inspector: Inspector, account_ids: Sequence[int], actor: str, reason: str = ""
) -> tuple[ActionRecord, ...]:
    """Delete the files of accounts, and return the actions."""
    return (await inspector.commands.carry_out(account_ids, DELETE, actor, reason)).actions


async def newest_actions(inspector: Inspector, limit: int = 100) -> tuple[ActionRecord, ...]:
    """Return the newest actions, newest first."""
    return (await inspector.action_history.page(ActionFilter(), before=None, limit=limit)).actions


async def apply(
    inspector: Inspector, run_id: int, mode: AutoActionMode, actor: str, account_ids: Collection[int] | None = None
) -> tuple[ActionRecord, ...]:
    """Carry out the plan of a mode for the results of a run, and return the actions."""
    return (await inspector.follow_up.apply_batch(run_id, mode, actor, account_ids)).actions


async def release(
    inspector: Inspector, run_id: int, actor: str, account_ids: Collection[int] | None = None
) -> tuple[ActionRecord, ...]:
    """Carry out the actions on hold in a run, and return them."""
    return (await inspector.follow_up.release_batch(run_id, actor, RunScope(account_ids))).actions


async def run_number(inspector: Inspector, number: int) -> None:
    """Wait until that many runs have ended."""
    seen = 0
    while True:
        known = await inspector.runs.recent()
        if len(known) >= number:
            await ended(inspector, known[0].id)
            return
        await inspector.event_log.wait(seen)
        seen = max((event.seq for event in await inspector.event_log.events(0, None, 100_000)), default=0)
