"""A PostgreSQL server without room: the state is steady, and nothing begins, until new pages can be had."""

import asyncio
from pathlib import Path

import psycopg
import pytest

from adapter.privacy.secret import Secret
from extension.store.database import health
from extension.store.database.postgresql import PostgreSQLStorage
from extension.store.errors import DatabaseFull
from tests.extension.running_service import KEY, OWN, Running, running
from tests.postgresql.server import running_server

WITH_KEY = {"X-Management-Key": KEY}
EVENTS = f"{OWN}/inspections/events"
REFUSE = """
CREATE FUNCTION refused() RETURNS {kind} LANGUAGE plpgsql AS
$$BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END$$;
"""
NO_NEW_PAGES = REFUSE.format(kind="event_trigger") + (
    "CREATE EVENT TRIGGER no_new_pages ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION refused()"
)
NO_ROW = REFUSE.format(kind="trigger").replace("refused", "refused_row") + (
    "CREATE TRIGGER no_row BEFORE INSERT ON runs FOR EACH ROW EXECUTE FUNCTION refused_row()"
)


def execute(address: str, statements: str) -> None:
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(statements.encode())


async def begun(service: Running) -> tuple[int, str]:
    answer = await service.post(f"{OWN}/inspections", json={"accountSource": "api_key"}, headers=WITH_KEY)
    return answer.status, answer.json.get("error", "")


async def events(service: Running) -> int:
    return (await service.get(EVENTS, headers=WITH_KEY)).status


async def test_a_full_server_is_held_as_full_while_small_writes_have_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "TRY_SECONDS", 0.05)
    with running_server() as server:
        address = server.address(server.create())
        async with running(tmp_path / "data", POOLKEEPER_DATABASE_URL=address) as service:
            assert await events(service) == 200
            await asyncio.to_thread(execute, address, NO_NEW_PAGES + ";" + NO_ROW)
            refused = await begun(service)
            assert (refused[0], "No space left on device" in refused[1]) == (503, True)

            # From here on, every small write is carried out.
            await asyncio.to_thread(execute, address, "DROP TRIGGER no_row ON runs")
            seen = {await events(service) for _ in range(100)}
            assert seen == {503}
            assert await begun(service) == refused

            await asyncio.to_thread(execute, address, "DROP EVENT TRIGGER no_new_pages")
            async with asyncio.timeout(10):
                while await events(service) != 200:
                    pass
            assert (await begun(service))[0] == 201


def test_room_is_proven_by_new_pages_and_leaves_nothing() -> None:
    with running_server() as server:
        address = server.address(server.create())
        storage = PostgreSQLStorage(Secret(address))
        storage.prove_room()
        execute(address, NO_NEW_PAGES)
        with pytest.raises(DatabaseFull, match="No space left on device"):
            storage.prove_room()
        with psycopg.connect(address) as connection:
            tables = connection.execute("SELECT count(*) FROM pg_class WHERE relname = 'poolkeeper_room'").fetchone()
        assert tables == (0,)
