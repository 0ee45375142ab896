"""Faults of a real stock gateway: each told clearly, none a ban of ours, nothing lost."""

import asyncio
from pathlib import Path

import pytest

from adapter.contract.expectations import MANAGEMENT, management
from adapter.management import ManagementConnection
from adapter.management.client.http import HttpTransport
from adapter.management.client.transport import Request
from adapter.port import Account, Answer, Applied, Change, OutboundCall, errors
from adapter.privacy.secret import Secret
from tests.contract.stock_stage import until
from tests.stock.gateway import INSTALLATION_KEY, KEY, Stock, stock_gateway
from tests.stock.round_trip import FILES, pool_of_every_family

NOWHERE = "http://127.0.0.1:9"


def _connected(stock: Stock, key: str) -> ManagementConnection:
    connection = ManagementConnection(stock.address, Secret(key))
    connection.bind(INSTALLATION_KEY)
    return connection


async def test_a_wrong_key_is_shown_once_however_much_is_asked(tmp_path: Path) -> None:
    async with stock_gateway(tmp_path, pool_of_every_family(NOWHERE), FILES, bcrypt=True) as stock:
        wrong = _connected(stock, "a wrong key")
        for _ in range(6):
            with pytest.raises(errors.Unauthorised, match=r"invalid management key.*Give the right key"):
                await wrong.gateway.accounts()
        await wrong.close()
        assert len((await stock.connection.gateway.accounts()).accounts) == 18


async def test_a_ban_is_told_with_its_end(tmp_path: Path) -> None:
    async with stock_gateway(tmp_path, pool_of_every_family(NOWHERE), FILES) as stock:
        other = HttpTransport(stock.address, Secret("a wrong key"))
        for _ in range(5):
            assert (await other.send(Request("GET", management("debug")))).status == 401
        await other.close()
        with pytest.raises(errors.Banned, match="has banned this address") as caught:
            await stock.connection.gateway.accounts()
        assert caught.value.until is not None


async def test_management_that_is_off_is_told_from_a_path_only_a_plugin_serves(tmp_path: Path) -> None:
    async with stock_gateway(tmp_path, pool_of_every_family(NOWHERE), FILES, bcrypt=True) as stock:
        with pytest.raises(errors.NotFound, match="only a plugin serves it"):
            await stock.connection.client.fetch(f"{MANAGEMENT}/a-plugins-path")
        text = stock.config.read_text(encoding="utf-8")
        lines = [line for line in text.splitlines(keepends=True) if "secret-key" not in line]
        with stock.config.open("r+", encoding="utf-8") as file:
            file.write("".join(lines))
            file.truncate()
        await until(lambda: _switched_off(stock))
        fresh = _connected(stock, KEY)
        with pytest.raises(errors.Unavailable, match="Management is switched off in this gateway"):
            await fresh.gateway.accounts()
        await fresh.close()


async def _switched_off(stock: Stock) -> bool:
    probe = HttpTransport(stock.address, Secret(KEY))
    status = (await probe.send(Request("GET", management("debug")))).status
    await probe.close()
    return status == 404


async def test_a_restart_in_mid_run_loses_nothing(tmp_path: Path, provider: str) -> None:
    async with stock_gateway(tmp_path, pool_of_every_family(provider), FILES) as stock:
        gateway = stock.connection.gateway
        pool = await gateway.accounts()
        keys = [account for account in pool.accounts if account.provider == "claude" and account.base_url]
        changes = [Change(account.ref, disabled=True, expect=account.revision) for account in keys]
        assert {type(outcome) for outcome in await gateway.set_disabled(changes)} == {Applied}
        await stock.process.stop()
        with pytest.raises(errors.Unavailable, match=r"does not answer: .*Is it running\?"):
            await gateway.call(_request(keys[0], provider), timeout=5)
        listing = asyncio.create_task(gateway.accounts())
        await stock.process.start()
        after = {account.ref: account.enabled for account in (await listing).accounts}
        assert [after[account.ref] for account in keys] == [False, False]
        await until(lambda: _answers(stock, keys[0], provider))


def _request(account: Account, address: str) -> OutboundCall:
    return OutboundCall(account.ref, "GET", f"{address}/v1/models", {"x-api-key": "$TOKEN$"})


async def _answers(stock: Stock, account: Account, address: str) -> bool:
    try:
        return isinstance(await stock.connection.gateway.call(_request(account, address), timeout=5), Answer)
    except errors.UnknownCredential:
        # the gateway is up and has not loaded its keys yet
        await stock.connection.gateway.accounts()
        return False
