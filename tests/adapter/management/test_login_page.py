"""Sessions of OAuth files are renewed at the gateway's own panel, where it serves one."""

import json

import pytest
from aiohttp import web

from adapter.management import ManagementConnection
from adapter.port import Capability
from tests.adapter.management.stand_in import StandIn


@pytest.mark.parametrize(
    ("values", "is_served"),
    [
        ({}, True),
        ({"remote-management": {"allow-remote": True}}, True),
        ({"remote-management": {"disable-control-panel": False}}, True),
        ({"remote-management": {"disable-control-panel": True}}, False),
    ],
)
async def test_a_panel_that_is_switched_off_is_no_login_page(
    connection: ManagementConnection, stand_in: StandIn, values: dict[str, object], is_served: bool
) -> None:
    stand_in.text = json.dumps(values)

    about = await connection.gateway.describe()

    assert (Capability.LOGIN_PAGE in about.capabilities) is is_served


@pytest.mark.usefixtures("brief_pauses")
async def test_a_gateway_that_goes_away_before_its_configuration_was_read_is_described_all_the_same(
    connection: ManagementConnection, stand_in: StandIn
) -> None:
    async def away(request: web.Request) -> web.StreamResponse | None:
        return web.Response(status=503) if request.path.endswith("config.yaml") else None

    stand_in.before = away
    assert Capability.LOGIN_PAGE in (await connection.gateway.describe()).capabilities
