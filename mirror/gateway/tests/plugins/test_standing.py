"""What a caller reads about a plugin whose program hangs."""
# ruff: noqa: ASYNC110 - there is no event for what another process does

import asyncio
import os
import signal
from pathlib import Path

import pytest

from gateway.internal.plugins import handshake, standing
from tests.management.serving import Served
from tests.plugins.test_host import BELOW, body, ready, with_plugin

OPEN = "/v0/resource/plugins/sample/page"


async def told(served: Served, words: str) -> dict[str, object]:
    async with asyncio.timeout(20):
        while words not in str((said := body(await served.request("GET", f"{BELOW}/info")))["error"]):
            await asyncio.sleep(0.02)
    return said


async def test_a_program_that_hangs_is_said_to_be_silent_and_then_to_be_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handshake, "HANDSHAKE_SECONDS", 2.0)
    monkeypatch.setattr(standing, "SILENT_SECONDS", 0.6)
    async with with_plugin(tmp_path, command=["sleep", "600"]) as served:
        assert (await told(served, "is starting."))["code"] == "starting"

        silent = await told(served, "has sent no handshake for 1 s; after 2 s it is ended and started again.")
        assert silent["code"] == "starting"
        assert silent["hint"] == "Check plugins.configs.sample.command, which starts sleep."
        assert "sleep" not in (await opened(served))

        down = await told(served, "it sent no handshake within 2 s")
        assert down["code"] == "plugin_down"
        await told(served, "does not run: it sent no handshake within 2 s. It was started again. Its process has sent")


async def opened(served: Served) -> str:
    answer = await served.request("GET", OPEN, headers={})
    assert (answer.status, "plugins.configs.sample.command" in str(body(answer)["hint"])) == (503, True)
    return str(answer.json)


async def test_a_program_that_is_missing_is_named_to_holders_of_the_key_alone(tmp_path: Path) -> None:
    async with with_plugin(tmp_path, command=["/nowhere/at/all"]) as served:
        said = await told(served, "does not run: its program cannot be started: No such file or directory.")

        assert said["hint"] == "Check plugins.configs.sample.command, which starts /nowhere/at/all."
        assert "nowhere" not in (await opened(served))


async def test_a_plugin_that_ends_says_when_it_is_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gateway.internal.plugins.backoff.FIRST_SECONDS", 3.0)
    async with with_plugin(tmp_path, command=["false"]) as served:
        words = "does not run: it ended with status 1 before its handshake. It is started again in 3 s."
        await told(served, words)
        assert (await served.request("GET", f"{BELOW}/info")).headers["retry-after"] in {"2", "3"}


async def test_a_plugin_that_ran_for_long_is_not_said_to_have_been_silent_for_as_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standing, "SILENT_SECONDS", 3.0)
    async with with_plugin(tmp_path) as served:
        number = int(str(body(await ready(served))["process"]))
        served.runtime.plugins.keepers["sample"].standing.since -= 3600
        os.kill(number, signal.SIGKILL)
        async with asyncio.timeout(30):
            while (answer := await served.request("GET", f"{BELOW}/info")).status == 503:
                assert "has sent no" not in str(body(answer)["error"])
                await asyncio.sleep(0.01)
