"""`poolkeeper serve` in its own process, with the real gateway: what stops it from starting, and one whole life."""

import asyncio
import signal
import socket
import sys
from pathlib import Path

import aiohttp
import pytest

from extension.serving.service_file import RunningService, read
from tests.adapter.management.stand_in import KEY as STAND_IN_KEY
from tests.adapter.management.stand_in import StandIn, standing
from tests.extension.cli.command_line import ended, environment_of, served, started

pytestmark = pytest.mark.slow

KEY = "the management key"
OWN = "/v0/management/poolkeeper"


def configuration(folder: Path, port: int = 0, more: str = "") -> Path:
    path = folder / "config.yaml"
    text = f"host: 127.0.0.1\nport: {port}\nauth-dir: {folder}/auths\nremote-management:\n  secret-key: {KEY}\n{more}"
    path.write_text(text, encoding="utf-8")
    return path


async def refused(*arguments: str, **environment: str) -> str:
    """Run `serve`, which must refuse in one line, and answer that line."""
    done = await served(*arguments, COLUMNS="1000", **environment)
    assert done.status == 1, done.err
    assert done.out == ""
    assert "Traceback" not in done.err
    lines = done.err.splitlines()
    assert len(lines) == 1, done.err
    return lines[0]


async def test_a_configuration_that_is_not_there_is_named_and_nothing_is_made(tmp_path: Path) -> None:
    line = await refused("--config", str(tmp_path / "typo" / "config.yaml"))

    assert "typo/config.yaml cannot be read" in line
    assert "--config" in line
    assert not (tmp_path / "typo").exists()


async def test_a_configuration_that_is_not_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_bytes(b"\xff\xfe\x00")

    assert "config.yaml cannot be read: it is not UTF-8 text" in await refused(
        "--config", str(tmp_path / "config.yaml")
    )


async def test_a_configuration_that_is_not_valid_is_told_by_the_gateway(tmp_path: Path) -> None:
    path = configuration(tmp_path, more="claude-api-key: [\n")

    assert (await refused("--config", str(path))).startswith("gateway: ")


async def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        line = await refused("--config", str(configuration(tmp_path, port)))

    assert f"port {port} of 127.0.0.1 is already in use" in line


async def test_a_setting_that_is_unknown_is_named_with_those_that_exist(tmp_path: Path) -> None:
    line = await refused("--config", str(configuration(tmp_path)), POOLKEEPER_SPEED="5")

    assert "POOLKEEPER_SPEED is no setting" in line
    assert "POOLKEEPER_DATA_DIR" in line


async def test_a_data_folder_that_cannot_be_used_is_named_while_inference_is_served(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    process = await started("serve", "--config", str(configuration(tmp_path)), "--data-dir", str(tmp_path / "file"))
    assert process.stderr is not None
    try:
        heard = (await asyncio.wait_for(process.stderr.readuntil(b"inspection is off"), 30)).decode()
        heard += (await asyncio.wait_for(process.stderr.readline(), 30)).decode()
    finally:
        process.send_signal(signal.SIGTERM)
        end = await ended(process)

    assert str(tmp_path / "file") in heard
    assert "POOLKEEPER_DATA_DIR" in heard
    assert end.status == 0, end.err


async def test_without_the_gateways_distribution_it_says_what_to_install(tmp_path: Path) -> None:
    config = str(configuration(tmp_path))
    program = (
        "import sys; sys.modules['gateway'] = None; from extension.__main__ import main; "
        f"sys.argv = ['poolkeeper', 'serve', '--config', {config!r}]; main()"
    )

    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, stderr=asyncio.subprocess.PIPE, env=environment_of({})
    )
    _, err = await asyncio.wait_for(process.communicate(), 30)

    assert process.returncode == 1
    assert err.decode().startswith("poolkeeper: The gateway is not installed")
    assert len(err.splitlines()) == 1


async def service_of(folder: Path, process: asyncio.subprocess.Process, heard: list[str]) -> RunningService:
    """Read what the service says until it has told where its page is."""
    assert process.stderr is not None
    async for line in process.stderr:
        heard.append(line.decode())
        if "/monitor/inspection" in heard[-1]:
            break
    service_file = read(folder)
    assert service_file is not None, "".join(heard)
    return service_file


@pytest.mark.timeout(60)
async def test_a_life_from_start_to_stop(tmp_path: Path) -> None:
    config = configuration(tmp_path, more="plugins:\n  configs:\n    poolkeeper:\n      colour: red\n")
    folder, heard = tmp_path / "poolkeeper", list[str]()
    (tmp_path / "second").mkdir()
    second = configuration(tmp_path / "second")
    process = await started("serve", "--config", str(config))
    try:
        service_file = await asyncio.wait_for(service_of(folder, process, heard), 30)
        in_use = await refused("--config", str(second), "--data-dir", str(folder))
        async with aiohttp.ClientSession(service_file.address, headers={"X-Management-Key": KEY}) as client:
            async with client.get("/healthz") as healthy, client.get(f"{OWN}/info") as info:
                assert healthy.status == info.status == 200
            stream = await client.get(f"{OWN}/inspections/events", headers={"Accept": "text/event-stream"})
            wrong = [await client.get(f"{OWN}/info", headers={"X-Management-Key": "wrong"}) for _ in range(6)]
            bodies = [await answer.json() for answer in wrong]
            process.send_signal(signal.SIGTERM)
            stream_text = await stream.content.read()
        end = await ended(process)
    finally:
        if process.returncode is None:
            process.kill()

    assert (service_file.pid, service_file.prefix) == (process.pid, "poolkeeper")
    assert folder.stat().st_mode & 0o777 == 0o700
    assert "plugins.configs.poolkeeper.colour" in heard[0]
    assert "is in use by another Poolkeeper" in in_use
    assert [answer.status for answer in wrong] == [401] * 5 + [403]
    assert bodies[-1]["code"] == "banned"
    assert int(wrong[-1].headers["Retry-After"]) > 1700
    assert stream_text.count(b"event: ") == stream_text.count(b"data: ")
    assert end.status == 0, end.err
    assert read(folder) is None
    assert KEY not in "".join(heard) + end.err


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_regular_end_in_front_of_a_gateway_is_status_0(tmp_path: Path, number: signal.Signals) -> None:
    async with standing(StandIn()) as gateway:
        arguments = ("--gateway", gateway.address, "--listen", "127.0.0.1:0", "--data-dir", str(tmp_path / "data"))
        process = await started("serve", *arguments, POOLKEEPER_MANAGEMENT_KEY=STAND_IN_KEY)
        try:
            await asyncio.wait_for(service_of(tmp_path / "data", process, []), 30)
            process.send_signal(number)
            end = await ended(process)
        finally:
            if process.returncode is None:
                process.kill()

    assert end.status == 0, end.err
    assert read(tmp_path / "data") is None, "service.json is withdrawn"
