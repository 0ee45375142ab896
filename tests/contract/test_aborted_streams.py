"""A stream that broke off through our own gateway has an unknown cost, whatever the status that was recorded."""

from pathlib import Path

from tests.contract.aborted_streams import REFUSED, stored_after
from tests.contract.provider import Ending
from tests.contract.stock_stage import over_http


async def test_only_a_refused_request_costs_nothing(tmp_path: Path) -> None:
    (tmp_path / "gateway").mkdir()
    stage = await over_http(tmp_path / "gateway", "stock")
    found = await stored_after(stage, tmp_path / "data", [Ending.WAITING, REFUSED, Ending.BROKEN])
    await stage.close()

    assert [(one.event.status, one.pico_usd) for one in found] == [(499, None), (400, 0), (500, None)]
    assert all(one.event.failure and not one.event.tokens.total for one in found)
