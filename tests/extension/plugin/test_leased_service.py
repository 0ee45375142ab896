import asyncio
import json
import os
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from adapter.clock import FakeClock
from adapter.privacy.secret import Secret
from extension.plugin.availability import DECIDING_SECONDS, MISSES, SECONDS, Availability
from extension.plugin.leased_service import LeasedService, Opened
from extension.plugin.management_key import KeySource
from extension.plugin.settings import PluginSettings
from extension.plugin.takeover import Contender, Takeover
from extension.store.data_folder import DataFolder


@pytest.fixture(autouse=True)
async def one_thread() -> None:
    """Let work in threads end in its order, so that `passes` waits for all of it however busy the machine is."""
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))


@dataclass
class Engines:
    """Stands for the service: opens with the data folder, and counts."""

    opened: int = 0
    running: int = 0
    most: int = 0
    settings: list[PluginSettings] = field(default_factory=list)

    def opening(self, settings: PluginSettings, _key: Secret) -> Opened:
        folder = DataFolder.open(settings.folder)
        self.settings.append(settings)

        async def application(scope: Scope, receive: Receive, send: Send) -> None:
            assert scope["type"] == "lifespan"
            await receive()
            self.opened, self.running = self.opened + 1, self.running + 1
            self.most = max(self.most, self.running)
            await send({"type": "lifespan.startup.complete"})
            await receive()
            self.running -= 1
            folder.close()
            await send({"type": "lifespan.shutdown.complete"})

        return Opened(application)


def settings(folder: Path, prefix: str = "poolkeeper") -> PluginSettings:
    return PluginSettings("http://127.0.0.1:1", KeySource(value=Secret("key")), {}, folder, prefix)


@asynccontextmanager
async def running(engines: Engines, clock: FakeClock) -> AsyncIterator[LeasedService]:
    service = LeasedService(engines.opening, clock)
    task = asyncio.create_task(service.run())
    try:
        yield service
    finally:
        service.end()
        await task


async def passes(clock: FakeClock, seconds: float = 20) -> None:
    for _ in range(round(seconds * 2)):
        for _ in range(20):
            await asyncio.sleep(0)
        await asyncio.to_thread(lambda: None)
        await clock.advance(0.5)


async def test_nothing_runs_before_there_are_settings_and_the_same_ones_change_nothing(tmp_path: Path) -> None:
    engines, clock = Engines(), FakeClock()
    async with running(engines, clock) as service:
        await passes(clock)
        assert engines.opened == 0
        service.configure(settings(tmp_path))
        await passes(clock)
        service.configure(settings(tmp_path))
        await passes(clock)
        assert (engines.opened, engines.running) == (1, 1)
        service.configure(settings(tmp_path, "other"))
        await passes(clock)
        assert (engines.opened, engines.running, engines.settings[-1].prefix) == (2, 1, "other")
    assert engines.running == 0


async def test_a_paused_service_closes_and_gives_the_folder_back(tmp_path: Path) -> None:
    engines, clock = Engines(), FakeClock()
    async with running(engines, clock) as service:
        service.configure(settings(tmp_path))
        await passes(clock)
        service.pause("disabled")
        await service.closed()
        DataFolder.open(tmp_path).close()
        await passes(clock)
        assert engines.running == 0
        service.resume()
        await passes(clock)
        assert engines.running == 1


async def test_of_two_processes_the_newer_runs_and_the_older_comes_back_when_it_is_gone(tmp_path: Path) -> None:
    older, newer, clock = Engines(), Engines(), FakeClock()
    async with running(older, clock) as first:
        first.configure(settings(tmp_path))
        await passes(clock)
        assert older.running == 1
        await clock.advance(1)
        async with running(newer, clock) as second:
            second.configure(settings(tmp_path))
            await passes(clock)
            assert (older.running, newer.running) == (0, 1)
            await passes(clock, 60)
            assert (older.opened, newer.opened) == (1, 1)
            (tmp_path / "takeover.json").unlink()  # the request of a process that ends is worth nothing
        await passes(clock)
        assert (older.running, newer.running) == (1, 0)


def answer_of(service: LeasedService) -> tuple[int, str, dict[str, str]]:
    """Return status, Retry-After and body of the answer in place of the service."""
    answer = service.application
    assert isinstance(answer, JSONResponse)
    return answer.status_code, answer.headers.get("retry-after", ""), json.loads(bytes(answer.body))


async def test_a_predecessor_that_gives_way_is_not_to_be_stopped_by_a_person(tmp_path: Path) -> None:
    clock = FakeClock()
    with DataFolder.open(tmp_path):
        Takeover(tmp_path, Contender(0, os.getpid())).hold()
        await clock.advance(1)
        async with running(Engines(), clock) as service:
            service.configure(settings(tmp_path))
            await passes(clock, 2)
            status, after, body = answer_of(service)
            assert (status, after, body["code"]) == (503, "1", "starting")
            assert f"taken over from its predecessor (process {os.getpid()})" in body["error"]
            await passes(clock, 30)  # it hangs
            status, _, body = answer_of(service)
            assert (status, body["code"], "Stop that one" in body["error"]) == (503, "standby", True)


async def test_a_service_that_was_started_by_hand_is_named_at_once(tmp_path: Path) -> None:
    clock = FakeClock()
    with DataFolder.open(tmp_path):
        async with running(Engines(), clock) as service:
            service.configure(settings(tmp_path))
            await passes(clock, 2)
            status, _, body = answer_of(service)
            assert (status, body["code"], "Stop that one" in body["error"]) == (503, "standby", True)


def test_only_a_later_candidate_that_lives_takes_over(tmp_path: Path) -> None:
    early, late, dead = Contender(1, 1), Contender(2, 1), Contender(3, 4_194_305)
    holder = Takeover(tmp_path, early)
    assert not holder.asked
    Takeover(tmp_path, late).ask()
    assert holder.asked
    assert not Takeover(tmp_path, late).asked
    Takeover(tmp_path, early).ask()
    assert holder.asked
    Takeover(tmp_path, dead).ask()
    assert not holder.asked
    (tmp_path / "takeover.json").write_text("no JSON")
    assert not holder.asked


async def test_three_misses_beside_a_healthy_gateway_pause_and_one_answer_resumes(tmp_path: Path) -> None:
    engines, clock = Engines(), FakeClock()
    async with running(engines, clock) as service:
        service.configure(settings(tmp_path))
        await passes(clock)
        looks = Availability("http://127.0.0.1:1", "/x", service, clock)
        for _ in range(10):
            looks.judge(404, 503)
            looks.judge(0, 0)
        for _ in range(MISSES - 1):
            looks.judge(404, 200)
        await passes(clock)
        assert engines.running == 1
        looks.judge(404, 200)
        await passes(clock)
        assert engines.running == 0
        looks.judge(0, 0)
        await passes(clock)
        assert engines.running == 0
        looks.judge(200, 200)
        await passes(clock)
        assert engines.running == 1


class Disabled(Availability):
    """Looks at a gateway that serves nothing of the plugin, or everything, and counts the looks."""

    looks = 0
    status = 404

    async def look(self, _session: object) -> None:
        self.looks += 1
        self.judge(self.status, 200)


async def test_a_paused_plugin_looks_less_often_and_at_once_when_the_gateway_asks_it(tmp_path: Path) -> None:
    engines, clock = Engines(), FakeClock()
    async with running(engines, clock) as service:
        service.configure(settings(tmp_path))
        looks = Disabled("http://127.0.0.1:1", "/x", service, clock)
        looking = asyncio.create_task(looks.run())
        await passes(clock, SECONDS - 1)
        assert looks.looks == 0
        await passes(clock, 2 + (MISSES - 1) * DECIDING_SECONDS)
        assert (looks.looks, engines.running) == (MISSES, 0), "quick while it decides"
        await passes(clock, 300)
        assert looks.looks < MISSES + 9
        before = looks.looks
        await passes(clock, 300)
        assert looks.looks - before == 5, "every minute"

        looks.status = 200
        service.hear()
        await passes(clock, 1)
        assert engines.running == 1
        before = looks.looks
        service.hear()
        await passes(clock, 2 * SECONDS + 1)
        assert looks.looks - before == 2, "requests to an open service cause no look"
        looking.cancel()
        await asyncio.gather(looking, return_exceptions=True)
