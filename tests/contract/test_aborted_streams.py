"""A stream that broke off through our own gateway has an unknown cost, whatever the status that was recorded."""

from pathlib import Path

from tests.contract.aborted_streams import REFUSED, stored_after
from tests.contract.provider import Ending
from tests.contract.stock_stage import over_http


async def test_only_a_refused_request_costs_nothing(tmp_path: Path) -> None:
    (tmp_path / "gateway").mkdir()
    stage = await over_http(tmp_path / "gateway", "stock")
    events = await stored_after(stage, tmp_path / "data", [Ending.WAITING, REFUSED, Ending.BROKEN])
    await stage.close()

    assert [(event.event.status, event.pico_usd) for event in events] == [(499, None), (400, 0), (500, None)]
    assert all(event.event.failure and not event.event.tokens.total for event in events)
