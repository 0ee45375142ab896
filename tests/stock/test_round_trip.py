"""The whole way through our own server in front of the stock gateway somebody named."""

from pathlib import Path

from tests.contract.stock_stage import binaries
from tests.stock.round_trip import go_round


async def test_a_pool_of_every_family_is_listed_inspected_and_switched_off_and_on(tmp_path: Path) -> None:
    await go_round(tmp_path, [binaries()[0], "-config"], {})
