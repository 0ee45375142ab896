"""Operators, tokens and the audit of a fleet, as a person types them."""

import asyncio
import csv
import io
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import uvicorn

from adapter.privacy.secret import Redactor
from extension.engine.operators.errors import OperatorExists, OperatorNameInvalid
from extension.engine.operators.machine import admin_on_machine
from extension.engine.operators.permission import Role
from extension.serving.server import behind_proxies
from tests.extension.api.fleet.house import PATHS, House, fleet
from tests.extension.cli.command_line import Ended, poolkeeper
from tests.servers.loopback_server import LoopbackServer


@asynccontextmanager
async def served(house: House, trusted_proxies: str = "") -> AsyncIterator[str]:
    """Yield the address of a fleet on loopback."""
    listener = socket.create_server(("127.0.0.1", 0))
    application = behind_proxies(house.application, trusted_proxies)
    config = uvicorn.Config(application, lifespan="off", log_config=None, access_log=False, proxy_headers=False)
    server = LoopbackServer(config)
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    await server.ready.wait()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.leaving.set()
        await asyncio.gather(serving, return_exceptions=True)


async def test_operators_tokens_and_the_audit_from_a_terminal(tmp_path: Path) -> None:
    async with fleet(tmp_path / "data") as house, served(house) as address:
        token_file = tmp_path / "token"
        token_file.write_text(await house.token_of("admin", Role.ADMIN))

        async def typed(*words: str) -> Ended:
            return await poolkeeper(*words, "--key-file", str(token_file), POOLKEEPER_SERVER=address)

        added = await typed("operator", "add", "anna", "--role", "operator", "--label", "region=eu")
        issued = await typed("operator", "token", "add", "anna", "--note", "laptop")
        edited = await typed("operator", "edit", "anna", "--role", "viewer", "--all-gateways")
        refused = await poolkeeper("operator", "list", POOLKEEPER_SERVER=address, POOLKEEPER_MANAGEMENT_KEY=issued.out)
        revoked = await typed("operator", "token", "revoke", "2")
        removed = await typed("operator", "remove", "anna")
        shown = await typed("audit", "--path", "fleet")
        exported = await typed("audit", "--export", "csv", "--since", "2020-01-01")

    assert [step.status for step in (added, issued, edited, revoked, removed, shown, exported)] == [0] * 7
    assert "region=eu" in added.out
    assert "viewer" in edited.out
    assert (refused.status, "Your role does not allow this." in refused.err) == (2, True)
    assert "POST poolkeeper/fleet/tokens" in shown.out
    assert len(list(csv.DictReader(io.StringIO(exported.out)))) == 5
    assert issued.out.strip() not in added.out + edited.out + shown.out + exported.out


async def test_the_first_admin_is_made_on_the_machine_and_recorded(tmp_path: Path) -> None:
    async with fleet(tmp_path / "data") as house:
        token = await admin_on_machine(house.database, house.clock, Redactor(), "anna", 1)
        answer = await house.send("GET", PATHS.part("fleet/audit"), X_Management_Key=token.reveal())
        with pytest.raises(OperatorExists):
            await admin_on_machine(house.database, house.clock, Redactor(), "anna", 1)
        with pytest.raises(OperatorNameInvalid):
            await admin_on_machine(house.database, house.clock, Redactor(), "=anna", 1)

    assert [(row["operator"], row["reason"], row["outcome"]) for row in answer.json["records"]] == [
        ("machine", "admin anna", "done")
    ]


async def test_a_machine_without_the_database_of_a_fleet_makes_no_admin() -> None:
    ended = await poolkeeper("operator", "init", "anna")

    assert (ended.status, "POOLKEEPER_DATABASE_URL" in ended.err) == (2, True)


async def test_the_command_prints_the_token_of_the_first_admin_once(postgresql_address: str) -> None:
    ended = await poolkeeper("operator", "init", "anna", POOLKEEPER_DATABASE_URL=postgresql_address)
    again = await poolkeeper("operator", "init", "anna", POOLKEEPER_DATABASE_URL=postgresql_address)

    assert (ended.status, ended.out.startswith("pk_"), again.status, again.out) == (0, True, 2, "")
    assert "There is an operator of that name." in again.err


async def test_the_address_of_a_trusted_proxy_is_that_of_the_connection(tmp_path: Path) -> None:
    async with fleet(tmp_path / "data", proxy="127.0.0.1") as house, served(house, "127.0.0.1") as address:
        host, port = address.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        head = f"GET {PATHS.part('info')} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
        names = "X-Forwarded-For: 192.0.2.7\r\nX-Forwarded-User: ann\r\nX-Forwarded-Groups: watchers\r\n\r\n"
        writer.write((head + names).encode())
        answer = await reader.read()
        writer.close()

    assert json.loads(answer.partition(b"\r\n\r\n")[2]) == {"carried": "out"}
