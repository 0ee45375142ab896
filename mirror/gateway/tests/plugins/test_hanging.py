"""A plugin process that hangs behind a served gateway: replaced, or left alone when it goes on."""
# ruff: noqa: ASYNC110, ASYNC240 - there is no event for what another process does

import asyncio
import os
import signal
from pathlib import Path

import pytest

from gateway.internal.plugins import answering, backoff, keeper, process
from gateway.internal.plugins.liveness import Patience
from gateway.internal.plugins.process import PluginProcess
from tests.management.serving import AUTHORISED, Served
from tests.plugins.test_host import BELOW, body, configured, ready, with_plugin
from tests.plugins.test_standing import told

SHORT = Patience(turn=0.1, quiet=2, lifeless=30)
LONG = Patience(turn=0.05, quiet=2, lifeless=2_000)


async def running(served: Served) -> int:
    """Return the number of the process, once it answers."""
    return int(str(body(await ready(served))["process"]))


async def test_a_stopped_process_is_killed_at_once_and_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeper, "PATIENCE", SHORT)
    monkeypatch.setattr(process, "_END_SECONDS", 25.0)  # a stopped process is not waited for
    monkeypatch.setattr(backoff, "FIRST_SECONDS", 2.0)
    async with with_plugin(tmp_path) as served:
        number = await running(served)
        stream = await served.client.get(
            f"{served.url}{BELOW}/stream", headers={**AUTHORISED, "Accept": "text/event-stream"}
        )
        os.kill(number, signal.SIGSTOP)

        call = asyncio.ensure_future(served.request("GET", f"{BELOW}/info"))
        assert (await served.request("GET", "/healthz")).status == 200
        async with asyncio.timeout(15):
            answer = await call
            await stream.read()
        assert (answer.status, body(answer)["code"]) == (503, "plugin_down")
        down = await told(
            served, "does not run: it gave no sign of life for 3 s and was killed. It is started again in"
        )
        assert down["code"] == "plugin_down"
        assert not Path(f"/proc/{number}").exists()
        assert await running(served) != number


async def test_a_process_that_goes_on_before_the_end_of_the_patience_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_open, answered, ask, asked = asyncio.Event(), asyncio.Event(), PluginProcess.ask, 0

    async def noted(self: PluginProcess) -> None:
        nonlocal asked
        asked += 1
        is_open.set()
        await ask(self)
        is_open.clear()
        answered.set()

    monkeypatch.setattr(keeper, "PATIENCE", LONG)
    monkeypatch.setattr(answering, "ANSWER_SECONDS", 1.0)
    monkeypatch.setattr(PluginProcess, "ask", noted)
    async with with_plugin(tmp_path) as served:
        number = await running(served)
        os.kill(number, signal.SIGSTOP)
        answered.clear()
        async with asyncio.timeout(30):
            late = await served.request("GET", f"{BELOW}/info")
            assert (late.status, body(late)["code"]) == (504, "plugin_late")
            assert "no sign of life for 45 s is replaced by itself" in str(body(late)["hint"])
            await is_open.wait()
            before = asked
            assert (await served.request("GET", f"{BELOW}/info")).status == 504
            assert asked == before, "the question has no deadline of its own"
            os.kill(number, signal.SIGCONT)
            await answered.wait()

        assert await running(served) == number
        assert served.runtime.plugins.keepers["sample"].standing.starts == 1


async def test_a_stopped_process_ends_soon_after_its_plugin_was_disabled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("_QUIESCE_SECONDS", "_SHUTDOWN_SECONDS", "_END_SECONDS"):
        monkeypatch.setattr(process, name, getattr(process, name) / 10)
    async with with_plugin(tmp_path) as served:
        number = await running(served)
        os.kill(number, signal.SIGSTOP)
        call = asyncio.ensure_future(served.request("GET", f"{BELOW}/info"))
        text = configured(tmp_path, ["unused"], enabled=False)
        assert (await served.request("PUT", "/v0/management/config.yaml", data=text.encode())).status == 200

        async with asyncio.timeout(10):
            while Path(f"/proc/{number}").exists():
                await asyncio.sleep(0.02)
            assert (await call).status in {404, 503}
        assert (await served.request("GET", f"{BELOW}/info")).status == 404
