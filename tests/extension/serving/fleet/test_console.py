"""A console of a fleet on PostgreSQL: pools by name, operators, streams, and keys that are refused."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import psycopg
import pytest
from aiohttp import web

from extension.engine.operators.permission import Operator, Role
from tests.extension.serving.fleet.running_console import KEYS, NAMES, ROOT, Console, console, issued, served

pytestmark = pytest.mark.timeout(120)


async def test_the_selector_reaches_the_pool_of_its_name(tmp_path: Path, postgresql_address: str) -> None:
    async with console(tmp_path / "data", postgresql_address) as fleet:
        status, answer = await fleet.ask("GET", "pool")
        assert (status, answer["code"]) == (400, "pool_missing")
        await fleet.add(0)
        assert (await fleet.ask("GET", "pool"))[0] == 200
        await fleet.add(1, 2)
        assert [len(await fleet.accounts(name)) for name in NAMES] == [1, 2, 3]

        status, answer = await fleet.ask("GET", "pool?pool=south")
        assert (status, answer["code"], answer["hint"]) == (404, "pool_unknown", "There are these: east, north, west.")
        status, answer = await fleet.ask("GET", "pool")
        assert (status, answer["code"]) == (400, "pool_missing")
        async with fleet.browser.get(f"{fleet.address}{ROOT}/pool?pool=south") as stranger:
            assert (stranger.status, "east" in await stranger.text()) == (401, False)
        async with fleet.browser.get(f"{fleet.address}/v0/management/config") as passed:
            assert passed.status == 404
        assert (await fleet.ask("GET", "info?pool=west"))[1]["gateway"]["version"] == "7.2.140"
        assert (await fleet.ask("GET", "info?pool=west"))[1]["fleet"] is True


async def test_operators_see_and_change_the_gateways_of_their_labels_alone(
    tmp_path: Path, postgresql_address: str
) -> None:
    async with console(tmp_path / "data", postgresql_address, 2) as fleet:
        await fleet.add(0, 1)
        labels = {"team": "east"}
        admin, worker, viewer = await issued(
            postgresql_address,
            Operator("ann", Role.ADMIN),
            Operator("bob", Role.OPERATOR, labels),
            Operator("eve", Role.VIEWER, labels),
        )
        (tmp_path / "second").mkdir(mode=0o700)
        for name in ("secret.key", "fleet.key"):
            shutil.copy(tmp_path / "data" / name, tmp_path / "second" / name)
        async with served(tmp_path / "second", postgresql_address) as (address, browser):
            later = Console(address, browser)
            assert (await later.ask("GET", "fleet/gateways"))[0] == 401, "the console's own key counts no more"
            change = {"accounts": [1], "disabled": True, "reason": "a test"}
            run = {"accountSource": "api_key", "retries": 0, "evidenceChecks": False}
            for later.key, names, changed, started in (
                (admin, ["east", "west"], 200, 200),
                (worker, ["east"], 403, 200),
                (viewer, ["east"], 403, 403),
            ):
                answer = (await later.ask("GET", "fleet/gateways"))[1]
                assert [gateway["name"] for gateway in answer["gateways"]] == names
                assert (await later.ask("GET", "pool?pool=east&source=api_key"))[0] == 200
                assert (await later.ask("GET", "fleet/audit"))[0] == changed
                if started == 403:
                    assert (await later.ask("POST", "pool/status?pool=east", change))[0] == 403
                    assert (await later.ask("POST", "inspections?pool=east", run))[0] == 403
            foreign = await later.ask("GET", "pool?pool=west")
            assert foreign == await later.ask("GET", "pool?pool=south")
            assert (foreign[0], foreign[1]["code"]) == (404, "pool_unknown")
            assert await later.ask("GET", "info?pool=west") == foreign
            assert "west" not in str(await later.ask("GET", "info"))
            later.key = admin
            records = (await later.ask("GET", "fleet/audit"))[1]["records"]
            refused = [(record["pool"], record["code"]) for record in records if record["operator"] == "eve"]
            assert refused == [("east", "role_insufficient")] * 2


async def test_a_run_of_one_pool_is_in_no_stream_of_another(tmp_path: Path, postgresql_address: str) -> None:
    async with console(tmp_path / "data", postgresql_address, 2) as fleet:
        await fleet.add(0, 1)
        body = {"accountSource": "api_key", "retries": 0, "evidenceChecks": False}
        status, answer = await fleet.ask("POST", "inspections?pool=west", body)
        assert status in {201, 202}, answer
        await fleet.until(
            "inspections?pool=west", lambda answer: any(run["state"] == "finished" for run in answer["runs"])
        )
        west = (await fleet.ask("GET", "inspections/events?pool=west"))[1]["events"]
        east = (await fleet.ask("GET", "inspections/events?pool=east"))[1]["events"]
        assert {"run.state", "result"} <= {event["kind"] for event in west}
        assert {event["kind"] for event in east} <= {"pool"}
        assert (await fleet.ask("GET", "inspections?pool=east"))[1]["runs"] == []
        assert not [line for line in fleet.stand_ins[0].requests if line.endswith("api-call")]
        workers = (await fleet.ask("GET", "fleet/workers"))[1]["workers"]
        assert len(workers) == 1


async def test_a_key_that_is_refused_later_is_one_try_and_told_everywhere(
    tmp_path: Path, postgresql_address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    async with console(tmp_path / "data", postgresql_address, 2) as fleet:
        await fleet.add(0, 1)
        await fleet.accounts("east")
        fleet.stand_ins[0].key = "another"
        await fleet.ask("GET", "pool?pool=east")
        rows = (await fleet.until("fleet/gateways", lambda answer: answer["gateways"][0]["keyRefused"]))["gateways"]
        assert [(row["name"], row["keyRefused"], row["keySet"]) for row in rows] == [
            ("east", True, True),
            ("west", False, True),
        ]
        for _ in range(4):
            assert (await fleet.ask("GET", "pool?pool=east"))[0] == 502
            status, answer = await fleet.ask("POST", "fleet/gateways/test", {"name": "east"})
            assert (status, answer["code"]) == (409, "gateway_key_refused")
        assert fleet.stand_ins[0].failures == 1
        assert len(await fleet.accounts("west")) == 2

        fleet.stand_ins[0].key = KEYS[1]
        status, answer = await fleet.ask("POST", "fleet/gateways/edit", {"name": "east", "key": KEYS[1]})
        assert (status, answer["gateways"][0]["keyRefused"]) == (200, False)
        assert len(await fleet.accounts("east")) == 1
        answers = str(answer) + str(rows)
    printed = capsys.readouterr()
    with psycopg.connect(postgresql_address) as connection:
        stored = str(connection.execute("SELECT * FROM gateways").fetchall())
    for key in KEYS:
        assert key not in answers + printed.out + printed.err + stored


async def test_a_gateway_that_is_away_holds_up_no_other(tmp_path: Path, postgresql_address: str) -> None:
    async with console(tmp_path / "data", postgresql_address, 2) as fleet:
        await fleet.add(0, 1)
        hanging = asyncio.Event()

        async def hang(_: web.Request) -> None:
            await hanging.wait()

        fleet.stand_ins[0].before = hang
        away = asyncio.ensure_future(fleet.ask("GET", "pool?pool=east"))
        assert len(await fleet.accounts("west")) == 2
        assert not away.done()
        status, answer = await fleet.ask("POST", "fleet/gateways/edit", {"name": "east", "enabled": False})
        assert (status, answer["gateways"][0]["enabled"]) == (200, False)
        hanging.set()
        await away


async def test_a_process_without_the_key_file_says_so_for_each_gateway(tmp_path: Path, postgresql_address: str) -> None:
    async with console(tmp_path / "data", postgresql_address, 1) as fleet:
        await fleet.add(0)
        with psycopg.connect(postgresql_address, autocommit=True) as connection:
            connection.execute("UPDATE gateways SET url = 'http://127.0.0.1:9', revision = revision + 1")
        answer = await fleet.until("fleet/gateways", lambda answer: answer["gateways"][0]["problem"])
        assert "does not open" in answer["gateways"][0]["problem"]
        status, answer = await fleet.ask("GET", "pool?pool=east")
        assert (status, answer["code"]) == (503, "pool_unusable")
