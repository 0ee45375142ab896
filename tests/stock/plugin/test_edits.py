"""Many edits in a short time: the process learns of changes only, and the gateway's own routes stay quick."""

import asyncio
import time
from collections.abc import Callable
from statistics import median, quantiles

import pytest

from tests.stock.plugin.conftest import Make
from tests.stock.plugin.stock import PluginGateway, child_command, until
from tests.stock.table import FIGURE

pytestmark = pytest.mark.timeout(300)
NATIVE = "/v0/management/debug"
EDITS = 200
FILES = 1_000
ROUNDS = 3


async def _edited(gateway: PluginGateway, edits: asyncio.Event) -> None:
    text = gateway.config.read_text("utf-8")
    for number in range(EDITS):
        gateway.config.write_text(f"{text}request-retry: {number % 7}\n", encoding="utf-8")
        for file in range(FILES // EDITS):
            path = gateway.folder / "auths" / f"codex-{number}-{file}.json"
            path.write_text('{"type": "codex"}', encoding="utf-8")
        await asyncio.sleep(0.02)
    edits.set()


async def _waits(gateway: PluginGateway) -> list[float]:
    """Ask a route of the gateway itself while its configuration is edited; return the seconds of each answer."""
    edits, found = asyncio.Event(), list[float]()
    editing = asyncio.create_task(_edited(gateway, edits))
    while not edits.is_set():
        began = time.perf_counter()
        assert await gateway.status(NATIVE) == 200
        found.append(time.perf_counter() - began)
    await editing
    return found


async def test_edits_elsewhere_never_reach_the_process_and_leave_the_gateway_quick(
    make: Make, record_property: Callable[[str, object], None]
) -> None:
    waits: dict[str, list[float]] = {"without": [], "with": []}
    for _ in range(ROUNDS):  # interleaved, so that a busy machine is busy for both
        for name in waits:
            gateway = make("serve" if name == "with" else None)
            await gateway.start()
            if name == "with":
                await gateway.ready()
            waits[name] += await _waits(gateway)
            if name == "with":
                assert len(gateway.notes("configured")) == 1
                plugin = {"command": child_command(gateway.folder), "workers": 7}
                await _one_change(gateway, plugin)
            await gateway.stop()
    late = {name: quantiles(found, n=100)[-1] for name, found in waits.items()}
    record_property(
        FIGURE,
        f"{EDITS} edits and {FILES} auth files: a native route takes "
        + ", ".join(f"{median(found) * 1000:.1f} ms (p99 {late[name] * 1000:.0f} ms) {name} the plugin"
                    for name, found in waits.items()),
    )  # fmt: skip
    assert late["with"] <= 2 * late["without"], late


async def _one_change(gateway: PluginGateway, plugin: dict[str, object]) -> None:
    gateway.write(plugin)

    async def learned() -> bool:
        return any("workers: 7" in note["settings"] for note in gateway.notes("configured"))

    await until(learned)
    assert len(gateway.notes("configured")) == 2
    assert len(gateway.notes("started")) == 1
