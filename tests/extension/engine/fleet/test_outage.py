"""A provider that fails behind many gateways: nothing is disabled, and one message tells it."""

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from adapter.fake import FakeGateway, reply
from adapter.privacy.secret import Redactor
from extension.engine.inspector import Inspector
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database, Transaction
from extension.store.fleet import gateways, pulses
from extension.store.fleet.gateways import GatewayRecord, GatewayState
from tests.extension.engine.notifications.stand_in import RecordingSender, webhook
from tests.extension.engine.scenario import FlyingClock, fleet, honest, inspected, newest_actions, settings

HOST = "provider.example"
NAME = "provider"
WORKS = '{"type":"message","content":[{"type":"text","text":"pong"}],"data":[]}'


@asynccontextmanager
async def members(
    path: Path, count: int, sender: RecordingSender
) -> AsyncIterator[list[tuple[FakeGateway, Inspector, Database]]]:
    """Open the engines of a fleet, each with five keys at one provider, on one database."""
    async with AsyncExitStack() as opened:
        folder = opened.enter_context(DataFolder.open(path))
        database = await Database.open(folder)
        opened.push_async_callback(database.close)
        clock, engines = FlyingClock(), []

        def row(transaction: Transaction, name: str) -> None:
            number = gateways.number_for(transaction, name, 0)
            known: dict[str, Any] = {"key_sealed": None, "key_ref": "env:GATEWAY_KEY_A", "ca": "", "labels": {}}
            known |= {"egress": "", "enabled": True, "state": GatewayState.SERVED, "refused_mark": "", "release": ""}
            known |= {"capabilities": (), "seen_at": None, "added_by": "", "added_at": 0, "revision": 1}
            gateways.put(transaction, GatewayRecord(number, name, f"http://{name}", **known))

        for number in range(count):
            name, gateway = f"gateway-{number}", FakeGateway(fleet({NAME: 5}))
            gateway.upstream = honest(lambda _: reply(200, WORKS))
            await database.write(row, name)
            setup = webhook(sender)
            inspector = Inspector(gateway, database, clock, Redactor(), pool_name=name, channels=setup, in_fleet=True)
            await inspector.open()
            opened.push_async_callback(inspector.close)
            engines.append((gateway, inspector, database))
        yield engines


async def test_a_provider_that_fails_behind_ten_gateways_disables_none_and_is_one_message(tmp_path: Path) -> None:
    sender, acting = RecordingSender(), settings(autoActionMode="disable")
    async with members(tmp_path, 10, sender) as engines:
        for _, inspector, _ in engines:
            await inspected(inspector, acting)
        for gateway, inspector, _ in engines:
            gateway.upstream = honest(lambda _: reply(403, json.dumps({"error": {"message": "not permitted"}})))
            await inspected(inspector, acting)
            assert await newest_actions(inspector) == ()
        message = await sender.messages.get()
        _, last, _ = engines[-1]
        # The watcher of the last gateway has reported its run as well, or left it out.
        await last.close()
    messages = [message, *(sender.messages.get_nowait() for _ in range(sender.messages.qsize()))]
    assert [(told["gateway"], told["onHold"]) for told in messages] == [("gateway-0", 5)]


async def test_other_gateways_hold_up_what_the_gateway_alone_would_disable(tmp_path: Path) -> None:
    alone = settings(autoActionMode="disable", brake=False, evidenceChecks=False)
    async with members(tmp_path, 2, RecordingSender()) as engines:
        (_, serving, _), (gateway, inspector, database) = engines
        await inspected(serving, settings())
        gateway.upstream = honest(lambda _: reply(403, json.dumps({"error": {"message": "not permitted"}})))
        run = await inspected(inspector, alone)

        assert await newest_actions(inspector) == ()
        holds = await inspector.history.held(run.id)
        assert {hold.code for hold in holds} == {"this_egress_refused"}
        seen = await database.read(pulses.recent, HOST, 0)
        assert {(pulse.verdict, pulse.checks) for pulse in seen} == {("", 5), ("forbidden", 5)}
