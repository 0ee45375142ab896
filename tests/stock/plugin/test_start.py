import asyncio
import json
import os
import signal
import subprocess
from collections.abc import Callable
from contextlib import suppress
from statistics import median, quantiles

import pytest

from tests.contract.stock_stage import binaries
from tests.stock.plugin.conftest import Make
from tests.stock.plugin.stock import INFO, PAGE, PluginGateway, until
from tests.stock.table import FIGURE

pytestmark = pytest.mark.timeout(300)
ROUNDS = 20
PROCESSES = ("slow", "exit", "garbage")
FAULTS = ("missing", *PROCESSES)


async def _left(gateway: PluginGateway, *, begun: bool) -> None:
    """Stop a gateway and its process, so that none takes a processor from the next gateway's start."""

    async def started() -> bool:
        return bool(gateway.notes("started"))

    async def ended() -> bool:
        for child in gateway.children():
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        return gateway.children() == []

    if begun:
        await until(started)
    await gateway.stop()
    await until(ended)


async def test_a_process_that_does_not_come_delays_nothing(
    make: Make, record_property: Callable[[str, object], None]
) -> None:
    times: dict[str, list[float]] = {name: [] for name in ("none", *FAULTS)}
    costs: dict[str, list[float]] = {name: [] for name in times}
    for _ in range(ROUNDS):  # interleaved, so that a busy machine is busy for all of them
        for name, seconds in times.items():
            settings = {"command": ["/absent/poolkeeper"]} if name == "missing" else None
            gateway = make(None if name == "none" else name, settings=settings)
            seconds.append(await gateway.start())
            costs[name].append(gateway.start_cost)
            if name != "none":  # it listens and answers, and there is no process that could have been waited for
                assert await gateway.status(INFO) == 503
            await gateway.stop()
    shown = (
        f"{name} {1e3 * quantiles(seconds, n=4)[0]:.1f} ({1e3 * median(seconds):.1f}; {min(costs[name]):.1f})"
        for name, seconds in times.items()
    )
    record_property(FIGURE, "ms until listening, lower quartile (median; processor time): " + ", ".join(shown))

    # Loading the library takes some 4 ms of processor time, beside 20 of a start.
    for name in FAULTS:
        assert min(costs[name]) <= 1.5 * min(costs["none"]), costs


@pytest.mark.parametrize("fault", FAULTS)
async def test_routes_say_that_it_starts_and_the_page_what_to_do(
    make: Make, fault: str, record_property: Callable[[str, object], None]
) -> None:
    settings = {"command": ["/absent/poolkeeper"]} if fault == "missing" else None
    gateway = make(fault, settings=settings)
    await gateway.start()

    status, body, headers = await gateway.ask(INFO)
    assert (status, headers["Content-Type"]) == (503, "application/json")
    assert headers["Retry-After"]
    assert json.loads(body)["code"] in {"starting", "not_running"}
    status, body, headers = await gateway.ask(PAGE, key=False)
    assert status == 503
    assert headers["Content-Type"].startswith("text/html")
    assert b"sk-not" not in body

    async def advised() -> bool:
        step = b"install" if fault == "missing" else b"status"
        return b"poolkeeper plugin %b --gateway-dir DIR" % step in (await gateway.ask(PAGE, key=False))[1]

    await until(advised)

    await asyncio.sleep(2)  # the gateway's own start is over
    before = gateway.cpu_seconds()
    await asyncio.sleep(6)
    used = (gateway.cpu_seconds() - before) / 6
    record_property(FIGURE, f"CPU of the gateway while the process is {fault}: {100 * used:.1f} %")
    assert used < 0.01


async def test_other_protocol_versions_are_named_in_one_line(make: Make) -> None:
    gateway = make("other-protocol")
    await gateway.start()

    async def logged() -> bool:
        return "protocol 1/2" in gateway.log.read_text("utf-8")

    await until(logged)  # after the page has it
    body = (await gateway.ask(PAGE, key=False))[1]
    assert b"protocol 1/2" in body
    assert b"1/1" in body
    assert sum("protocol 1/2" in line for line in gateway.log.read_text("utf-8").splitlines()) == 1


@pytest.mark.parametrize("option", ["--help", "-login"])
async def test_help_and_a_log_in_start_no_process(make: Make, option: str) -> None:
    gateway = make()
    command = [binaries()[0], "-config", str(gateway.config), option, *(["-no-browser"] if option == "-login" else [])]
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=gateway.folder,
        env=gateway.environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        await asyncio.wait_for(process.wait(), 5)
    except TimeoutError:
        process.kill()
        await process.wait()

    assert gateway.notes("started") == []
