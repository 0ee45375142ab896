"""A stream that broke off through a stock gateway has an unknown cost, whatever the status that was recorded."""

from pathlib import Path

from tests.contract.aborted_streams import REFUSED, stored_after
from tests.contract.provider import Ending
from tests.contract.stock_stage import stock


async def test_only_a_refused_request_costs_nothing(tmp_path: Path) -> None:
    (tmp_path / "gateway").mkdir()
    stage = await stock(tmp_path / "gateway")
    stored = await stored_after(stage, tmp_path / "data", [Ending.WAITING, REFUSED, Ending.BROKEN])
    await stage.close()

    assert [event.pico_usd for event in stored] == [None, 0, None]
    assert not any(event.event.tokens.total for event in stored)
