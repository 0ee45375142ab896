import asyncio
import ctypes
import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress

import aiohttp
import pytest

from tests.stock.plugin.conftest import Make
from tests.stock.plugin.stock import INFO, PluginGateway, child_command, until
from tests.stock.table import FIGURE

pytestmark = pytest.mark.timeout(600)
KILLS = 20
PAUSES = [0.05 * 2**n for n in range(7)] + [5.0] * KILLS
_TGKILL = 234


async def _asked(gateway: PluginGateway, stop: asyncio.Event, seen: set[int]) -> None:
    while not stop.is_set():
        with suppress(aiohttp.ClientError):
            seen.add(await gateway.status(INFO))
        await asyncio.sleep(0.01)


async def test_the_gateway_outlives_every_kill_of_the_process(
    make: Make, record_property: Callable[[str, object], None]
) -> None:
    gateway = make()
    await gateway.open()
    stop, seen = asyncio.Event(), set[int]()
    asking = [asyncio.ensure_future(_asked(gateway, stop, seen)) for _ in range(4)]
    back = []
    for pause in PAUSES[:KILLS]:
        started = len(gateway.notes("started"))
        (child,) = gateway.children()
        os.kill(child, signal.SIGKILL)
        began = time.monotonic()

        async def again(number: int = started) -> bool:
            return len(gateway.notes("started")) > number

        await until(again)
        await gateway.ready()
        back.append(time.monotonic() - began - pause)
    stop.set()
    await asyncio.gather(*asking)

    assert gateway.alive
    assert len(gateway.children()) == 1
    assert len(gateway.notes("started")) == KILLS + 1
    assert seen <= {200, 502, 503}, seen
    record_property(
        FIGURE, f"{KILLS} kills of the process: ready again {min(back):.2f} to {max(back):.2f} s after the pause"
    )


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
async def test_no_process_and_no_folder_outlives_the_gateway(
    make: Make, number: signal.Signals, record_property: Callable[[str, object], None]
) -> None:
    gateway = make()
    gone = []
    for _ in range(KILLS):
        await gateway.open()
        assert len(list(gateway.temporary.glob("poolkeeper-sockets-*"))) == 1
        await gateway.stop(number)

        async def ended() -> bool:
            return gateway.children() == []

        gone.append(await until(ended, 5))
    record_property(
        FIGURE, f"{KILLS} ends of the gateway by {number.name}: its process is gone after at most {max(gone):.2f} s"
    )


async def test_an_ordinary_stop_ends_with_status_zero_every_time(
    make: Make, record_property: Callable[[str, object], None]
) -> None:
    gateway, codes = make(), []
    for _ in range(KILLS):
        await gateway.open()
        await asyncio.gather(*(gateway.status(INFO) for _ in range(4)))
        await gateway.stop(signal.SIGTERM)
        codes.append(gateway.code)

    record_property(FIGURE, f"{KILLS} ordinary stops: exit status {set(codes)}")
    assert set(codes) == {0}


async def test_sigpipe_on_the_threads_of_the_library_is_harmless(
    make: Make, record_property: Callable[[str, object], None]
) -> None:
    gateway = make()
    await gateway.open()
    await asyncio.gather(*(gateway.status(INFO) for _ in range(8)))
    ours = gateway.threads("poolkeeper")
    system = ctypes.CDLL(None, use_errno=True)
    for thread in ours:
        assert system.syscall(_TGKILL, gateway.pid, thread, int(signal.SIGPIPE)) == 0

    assert len(ours) >= 4, ours
    record_property(FIGURE, f"SIGPIPE on {len(ours)} threads of the library: the gateway goes on")
    assert await gateway.status(INFO) == 200
    assert gateway.alive


async def test_settings_reach_the_process_only_when_they_change(make: Make) -> None:
    gateway = make()
    await gateway.open()
    first = len(gateway.notes("configured"))
    for number in range(20):
        (gateway.folder / "auths" / f"codex-{number}.json").write_text('{"type": "codex"}')
    plugin = {"command": child_command(gateway.folder), "workers": 7}
    gateway.write(plugin)

    async def told() -> bool:
        return any("workers: 7" in note["settings"] for note in gateway.notes("configured"))

    await until(told)
    await asyncio.sleep(2)

    assert first == 1
    assert len(gateway.notes("configured")) == 2
    assert len(gateway.notes("started")) == 1
