import asyncio
from pathlib import Path

from adapter.fake import FakeGateway
from adapter.port import errors
from extension.inspection.accounts.account import Selection, Source
from extension.serving.assembly import read_ahead
from tests.extension.engine.scenario import compat_config, opened


async def test_what_is_read_ahead_is_not_made_again_for_the_first_page(tmp_path: Path) -> None:
    gateway = FakeGateway(compat_config(["alpha", "beta"]))
    async with opened(tmp_path, gateway) as inspector:
        await read_ahead(inspector)
        first = await inspector.overview.read()
        again = await inspector.overview.read()
        assert [row is other for row, other in zip(first.rows, again.rows, strict=True)] == [True, True]
        assert len((await inspector.listing.view(Selection(Source.API_KEY))).accounts) == 2


async def test_a_gateway_that_is_away_at_the_start_is_no_fault(tmp_path: Path) -> None:
    gateway = FakeGateway(compat_config(["alpha"]))
    async with opened(tmp_path, gateway) as inspector:
        gateway.fail("accounts", errors.Unavailable("It is starting."))
        await asyncio.wait_for(read_ahead(inspector), 5)
        assert len((await inspector.overview.read()).rows) == 1
