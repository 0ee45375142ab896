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


async def _waits(gateway: PluginGateway) -> list[float]:
    """Ask a route of the gateway itself between edits of its configuration; return the seconds of each answer."""
    waits, text = list[float](), gateway.config.read_text("utf-8")
    for number in range(EDITS):
        gateway.config.write_text(f"{text}request-retry: {number % 7}\n", encoding="utf-8")
        for file in range(FILES // EDITS):
            path = gateway.folder / "auths" / f"codex-{number}-{file}.json"
            path.write_text('{"type": "codex"}', encoding="utf-8")
        began = time.perf_counter()
        assert await gateway.status(NATIVE) == 200
        waits.append(time.perf_counter() - began)
        await asyncio.sleep(0.02)
    return waits


async def test_edits_elsewhere_never_reach_the_process_and_leave_the_gateway_quick(
    make: Make, record_property: Callable[[str, object], None]
) -> None:
    waits: dict[str, list[float]] = {"without": [], "with": []}
    used = dict.fromkeys(waits, 0.0)
    for _ in range(ROUNDS):  # interleaved, so that a busy machine is busy for both
        for name in waits:
            gateway = make("serve" if name == "with" else None)
            await gateway.start()
            if name == "with":
                await gateway.ready()
            before = gateway.cpu_seconds()
            waits[name] += await _waits(gateway)
            used[name] += gateway.cpu_seconds() - before
            if name == "with":
                assert len(gateway.notes("configured")) == 1
                plugin = {"command": child_command(gateway.folder), "workers": 7}
                await _one_change(gateway, plugin)
            await gateway.stop()
    record_property(
        FIGURE,
        f"{EDITS} edits and {FILES} auth files: a native route takes "
        + ", ".join(
            f"{median(seconds) * 1000:.1f} ms (p99 {quantiles(seconds, n=100)[-1] * 1000:.0f} ms, "
            f"{used[name]:.1f} s of the gateway's processor time) {name} the plugin"
            for name, seconds in waits.items()
        ),
    )
    assert used["with"] <= 2 * used["without"], used


async def _one_change(gateway: PluginGateway, plugin: dict[str, object]) -> None:
    gateway.write(plugin)

    async def learned() -> bool:
        return any("workers: 7" in note["settings"] for note in gateway.notes("configured"))

    await until(learned)
    assert len(gateway.notes("configured")) == 2
    assert len(gateway.notes("started")) == 1
