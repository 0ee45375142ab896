"""One pool, four ways to load the service: every way gives every key the same result."""

import asyncio
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import yaml

from tests.stock.plugin.conftest import Make
from tests.stock.plugin.labelled_pool import (
    SIZE,
    Inspected,
    expected,
    inspected,
    labelled_text,
    labelled_values,
    vendor_stand_in,
)
from tests.stock.plugin.stock import KEY, PluginGateway, processor_seconds
from tests.stock.table import FIGURE
from tests.system.client import Client
from tests.system.plugged import plugged
from tests.system.process import Service, serving
from tests.system.stand_in import providers_at
from tools.project.demo.folder import DemoFolder
from tools.project.demo.plugin import without_plugin
from tools.project.demo.ports import free_port

pytestmark = pytest.mark.timeout(900)
SERVICE = [sys.executable, "-m", "extension", "plugin", "serve"]


@pytest.fixture
def provider() -> Iterator[str]:
    port = free_port()
    with providers_at(port):
        yield f"http://127.0.0.1:{port}"


def filled(gateway: PluginGateway, address: str, **sections: object) -> None:
    """Give a stock gateway the pool."""
    values = yaml.safe_load(gateway.config.read_text("utf-8"))
    text = yaml.safe_dump({**values, **labelled_values(address), **sections}, sort_keys=False)
    gateway.config.write_text(text, encoding="utf-8")


def own_gateway(folder: Path, address: str) -> DemoFolder:
    """Write a folder of the project's own gateway with the pool."""
    (folder / "auths").mkdir(parents=True)
    demo = DemoFolder(folder, free_port(), int(address.rpartition(":")[2]), KEY)
    demo.config.write_text(labelled_text(address, KEY, demo.gateway_port, folder), encoding="utf-8")
    return demo


async def used_by(process: int, client: Client) -> tuple[Inspected, float]:
    """Inspect the pool; return the outcome and the processor time that the service needs for an inspection."""
    before = processor_seconds(process)
    outcome = await asyncio.to_thread(inspected, client)
    return outcome, (processor_seconds(process) - before) / outcome.inspections


async def test_two_hundred_keys_come_out_alike_whichever_way_the_service_is_loaded(
    make: Make, provider: str, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    demo = own_gateway(tmp_path / "own", provider)
    client = Client(demo.gateway_port, KEY)
    outcomes = {}
    with plugged(demo):
        outcomes["plugin, own gateway"] = await asyncio.to_thread(inspected, client)
    without_plugin(demo)
    with serving(demo.config):
        outcomes["embedded"] = await asyncio.to_thread(inspected, client)

    stock = make(settings={"command": SERVICE, "vendor-stand-in": vendor_stand_in(provider)})
    filled(stock, provider)
    await stock.open(90)
    outcomes["plugin, stock"], as_plugin = await used_by(stock.processes()[0], Client(stock.port, KEY))
    await stock.stop()

    bare = make(None)
    filled(bare, provider)
    await bare.start()
    port = free_port()
    environment = {
        "POOLKEEPER_MANAGEMENT_KEY": KEY,
        "POOLKEEPER_DATA_DIR": str(tmp_path / "remote"),
        "POOLKEEPER_VENDOR_STAND_IN": vendor_stand_in(provider),
    }
    service = Service(["--gateway", bare.address, "--listen", f"127.0.0.1:{port}"], environment)
    try:
        await asyncio.to_thread(service.wait_until_ready)
        outcomes["remote, stock"], remote = await used_by(service.process.pid, Client(port, KEY))
    finally:
        service.stop()

    shown = ", ".join(f"{way} {outcome.seconds:.1f} s" for way, outcome in outcomes.items())
    record_property(FIGURE, f"{SIZE} keys: {shown}; processor time: remote {remote:.1f} s, plugin {as_plugin:.1f} s")
    for way, outcome in outcomes.items():
        assert outcome.judgments == expected(), way
    assert as_plugin <= 1.5 * remote
