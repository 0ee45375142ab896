"""Duplicates across gateways, compared again only after a change."""

from dataclasses import replace
from pathlib import Path

from extension.engine.fleet.duplicates import DuplicateReader
from extension.store import events
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database, Transaction
from extension.store.fleet import gateways
from extension.store.fleet.gateways import GatewayRecord, GatewayState
from extension.store.pool import accounts
from extension.store.records import EventKind
from tests.extension.store.rows import FACTS


def add(transaction: Transaction, name: str, mark: str) -> int:
    """Store a gateway with one account."""
    number = gateways.number_for(transaction, name, 0)
    gateways.put(
        transaction,
        GatewayRecord(
            number,
            name,
            f"http://{name}",
            key_sealed=None,
            key_ref="env:GATEWAY_KEY_A",
            ca="",
            labels={},
            egress="",
            enabled=True,
            state=GatewayState.SERVED,
            refused_mark="",
            release="",
            capabilities=(),
            seen_at=None,
            added_by="",
            added_at=0,
            revision=1,
        ),
    )
    list_account(transaction, number, mark)
    return number


def list_account(transaction: Transaction, number: int, mark: str) -> None:
    """Store what a gateway lists, without the event that a reading stores beside it."""
    accounts.remember(transaction, number, [replace(FACTS, key_mark=mark)], 0)


async def test_marks_are_compared_again_only_after_a_change_of_gateways_or_an_event_of_a_pool(tmp_path: Path) -> None:
    with DataFolder.open(tmp_path) as folder:
        database = await Database.open(folder)
        try:
            reader = DuplicateReader(database)
            await database.write(add, "east", "mark")
            west = await database.write(add, "west", "mark")
            assert [len(duplicate.places) for duplicate in await reader.read()] == [2]

            await database.write(list_account, west, "other")
            assert len(await reader.read()) == 1, "nothing has told of it yet"

            await database.write(lambda t: events.append(t, 0, EventKind.BATCH, None, {}, pool_id=west))
            assert len(await reader.read()) == 1, "no event of a pool"

            await database.write(lambda t: events.append(t, 0, EventKind.POOL, None, {}, pool_id=west))
            assert await reader.read() == ()

            await database.write(add, "south", "mark")
            assert len(await reader.read()) == 1
            await database.write(gateways.remove, west)
            assert len(await reader.read()) == 1
        finally:
            await database.close()
