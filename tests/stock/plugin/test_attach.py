import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.stock.plugin.conftest import Make
from tests.stock.plugin.stock import CHILD, INFO, PAGE, PluginGateway, until

pytestmark = pytest.mark.timeout(120)
OTHER_USER = 65534


class Sidecar:
    """The tests' own plugin process, started beside the gateway."""

    def __init__(self, gateway: PluginGateway) -> None:
        self._gateway = gateway
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        command = [str(CHILD), "serve", str(self._gateway.folder), str(self._gateway.folder / "shared" / "p.sock")]
        self._process = await asyncio.create_subprocess_exec(sys.executable, *command, stdout=asyncio.subprocess.PIPE)
        assert self._process.stdout is not None
        await self._process.stdout.readline()

    def send(self, number: int) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    async def kill(self) -> None:
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()


@pytest.fixture
async def gateway(make: Make, tmp_path: Path) -> PluginGateway:
    socket = tmp_path / "gateway-0" / "shared" / "p.sock"
    made = make(settings={"command": [], "socket": str(socket)})
    socket.parent.mkdir(mode=0o700)
    return made


@pytest.fixture
async def sidecar(gateway: PluginGateway) -> AsyncIterator[Sidecar]:
    beside = Sidecar(gateway)
    yield beside
    await beside.kill()


async def test_the_gateway_may_come_first_and_either_may_be_restarted(gateway: PluginGateway, sidecar: Sidecar) -> None:
    await gateway.start()
    assert await gateway.status(INFO) == 503
    await sidecar.start()
    await gateway.ready()

    await sidecar.kill()
    await sidecar.start()
    await gateway.ready()

    await gateway.stop()
    await gateway.open()
    assert b'"pid"' in (await gateway.ask(INFO))[1]


async def test_the_service_may_come_first(gateway: PluginGateway, sidecar: Sidecar) -> None:
    await sidecar.start()
    await gateway.start()

    await gateway.ready()
    assert "Poolkeeper is not ready" not in gateway.log.read_text("utf-8")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a socket away")
async def test_the_socket_of_another_user_is_refused(gateway: PluginGateway, sidecar: Sidecar) -> None:
    await sidecar.start()
    os.chown(gateway.folder / "shared" / "p.sock", OTHER_USER, OTHER_USER)
    await gateway.start()

    async def refused() -> bool:
        return f"belongs to user {OTHER_USER}".encode() in (await gateway.ask(INFO))[1]

    await until(refused)
    _, page, _ = await gateway.ask(PAGE, key=False)
    assert (b"plugins.configs.poolkeeper.socket" in page, b"p.sock" in page) == (True, False), page


async def test_a_process_that_hangs_is_left_to_its_supervisor_and_taken_again(
    gateway: PluginGateway, sidecar: Sidecar
) -> None:
    await sidecar.start()
    await gateway.open()
    sidecar.send(signal.SIGSTOP)

    async def said() -> bool:
        status, body, _ = await gateway.ask(INFO, headers={"Accept-Encoding": "identity"})
        return status == 503 and b"sign of life: restart what serves plugins.configs.poolkeeper.socket" in body

    await until(said, 80, 0.2)
    sidecar.send(signal.SIGCONT)
    await gateway.ready()
