"""The page of a plugin, whose host knows each file by one address."""

import re

from adapter.clock import SystemClock
from adapter.contract.expectations import PREFIX
from adapter.privacy.secret import Secret
from extension.plugin.asgi import AsgiCaller
from extension.plugin.front import Front
from extension.plugin.leased_service import LeasedService, Opened
from extension.plugin.routes import page_path, routes
from extension.plugin.settings import PluginSettings
from extension.plugin.v1.plugin_pb2 import ACCESS_OPEN, HttpRequest

BASE = "/v0/resource/plugins/poolkeeper"


def never_opened(_settings: PluginSettings, _key: Secret) -> Opened:
    raise AssertionError("the page does not need the service")


async def test_the_page_names_its_files_by_the_addresses_that_the_host_routes() -> None:
    clock = SystemClock()
    front = Front.of(LeasedService(never_opened, clock), clock, prefix=PREFIX, resource_base=BASE)
    sent = HttpRequest(method="GET", path=page_path(BASE), access=ACCESS_OPEN)

    answer = await AsgiCaller(front, BASE, raw_json=True).whole(sent, 5)

    named = {f"{BASE}/{name}" for name in re.findall(r'(?:src|href)="(static/[^"]+)"', answer.body.decode())}
    assert answer.status == 200
    assert {f"{BASE}/static/app/{name}" for name in ("app.css", "app.js")} <= named
    assert named <= {route.path for route in routes(PREFIX, BASE)}
