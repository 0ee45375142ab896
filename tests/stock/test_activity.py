"""Counters of a real gateway's keys, as the pool shows them."""

from pathlib import Path

import aiohttp

from adapter.port import Activity
from tests.contract.pool import compat
from tests.stock.gateway import stock_gateway
from tests.stock.round_trip import FILES, pool_of_every_family

NOWHERE = "http://127.0.0.1:9"


async def test_a_key_that_failed_in_the_gateways_own_traffic_shows_it(tmp_path: Path) -> None:
    pool = pool_of_every_family(NOWHERE)
    pool["openai-compatibility"] = pool["openai-compatibility"][:1]
    body = {"model": "demo-model", "messages": [{"role": "user", "content": "hello"}]}
    async with stock_gateway(tmp_path, {**pool, "request-retry": 0}, FILES) as stock:
        assert compat(await stock.connection.gateway.accounts(), "solo").activity == Activity()
        async with (
            aiohttp.ClientSession(headers={"Authorization": "Bearer a-client-key"}) as client,
            client.post(f"{stock.address}/v1/chat/completions", json=body) as answer,
        ):
            assert answer.status >= 400
        activity = compat(await stock.connection.gateway.accounts(), "solo").activity
        assert activity.successes == 0
        assert activity.failures >= 1
