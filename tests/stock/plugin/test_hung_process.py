"""A process that hangs after its start: replaced when it gives no sign of life for long enough, left alone before."""

import asyncio
import json
import os
import signal
import time
from collections.abc import Callable

import pytest

from tests.stock.plugin.conftest import Make
from tests.stock.plugin.stock import INFO, PluginGateway, until
from tests.stock.table import FIGURE

pytestmark = pytest.mark.timeout(300)
ENABLED = "/v0/management/plugins/poolkeeper/enabled"
SIGN = "gave no sign of life"
UNSERVED = f"Poolkeeper was disabled, and its process {SIGN}: it was killed"
"""Sooner than after the 45 seconds of a process that is served."""


async def frozen(gateway: PluginGateway) -> int:
    """Start a gateway and stop its process for ever."""
    await gateway.open()
    (child,) = gateway.children()
    os.kill(child, signal.SIGSTOP)
    return child


async def is_replaced(gateway: PluginGateway) -> float:
    child = await frozen(gateway)
    began = time.monotonic()
    status, body, _ = await gateway.ask(INFO, headers={"Accept-Encoding": "identity"})
    problem = json.loads(body)
    assert (status, problem["code"]) == (504, "deadline_exceeded")
    assert "no sign of life for 45 seconds is replaced by itself" in problem["hint"]
    await gateway.ready(90)
    taken = time.monotonic() - began
    assert taken > 40
    (newer,) = gateway.children()
    assert newer != child
    assert gateway.alive
    lines = [line for line in gateway.log.read_text("utf-8").splitlines() if SIGN in line]
    assert len(lines) == 1
    assert "for 45 s and was killed; it is started again" in lines[0]
    return taken


async def is_left_alone(gateway: PluginGateway, seconds: float) -> None:
    child = await frozen(gateway)
    await asyncio.sleep(seconds)
    os.kill(child, signal.SIGCONT)
    await gateway.ready()
    await asyncio.sleep(40)  # whatever was counted before must not count now
    assert gateway.children() == [child]
    assert SIGN not in gateway.log.read_text("utf-8")


async def ends_when_disabled(gateway: PluginGateway) -> float:
    child = await frozen(gateway)

    async def ended() -> bool:
        return child not in gateway.children()

    switched = await gateway.ask(ENABLED, method="PATCH", body=b'{"enabled": false}')
    assert switched[0] == 200, switched
    taken = await until(ended, 40, 0.2)
    log = gateway.log.read_text("utf-8")
    assert (log.count(UNSERVED), log.count(SIGN)) == (1, 1)
    await asyncio.sleep(10)
    assert gateway.children() == [], "a disabled plugin needs no process"
    assert (await gateway.ask(ENABLED, method="PATCH", body=b'{"enabled": true}'))[0] == 200
    await gateway.ready(60)
    return taken


async def test_a_process_that_hangs_is_replaced_and_one_that_goes_on_is_not(
    make: Make, record_property: Callable[[str, object], None]
) -> None:
    replaced, _, _, disabled = await asyncio.gather(
        is_replaced(make()), is_left_alone(make(), 5), is_left_alone(make(), 20), ends_when_disabled(make())
    )

    record_property(FIGURE, f"a process that is stopped for ever is replaced after {replaced:.0f} s")
    record_property(FIGURE, f"one that is stopped ends {disabled:.0f} s after the plugin was disabled")
