import asyncio
import sys
from pathlib import Path

import pytest
import yaml

from tests.stock.plugin.conftest import Make
from tests.stock.plugin.stock import PAGE, until
from tests.stock.plugin.test_install import effective, installed, program

pytestmark = pytest.mark.timeout(120)


@pytest.mark.parametrize(
    ("fault", "cause", "step"),
    [
        ("missing", "process does not answer", "install"),
        ("exit", "process does not answer", "status"),
        ("garbage", "process does not answer", "status"),
        ("other-protocol", "protocol 1/2", "status"),
        ("other-version", "Versions differ: the process is Poolkeeper 9.9.9, the library in the gateway is", "install"),
    ],
)
async def test_the_status_of_a_plugin_whose_process_does_not_serve_names_the_cause(
    make: Make, fault: str, cause: str, step: str
) -> None:
    gateway = make(fault, settings={"command": ["/absent/poolkeeper"]} if fault == "missing" else None)
    await gateway.start()
    await until(lambda: effective(gateway))

    status, output = await installed(gateway, "--server", gateway.address, command="status")

    assert (status, cause in output) == (1, True), output
    assert "in effect" not in output
    assert f"poolkeeper plugin {step} --gateway-dir DIR" in output
    if fault == "missing":
        assert "plugins.configs.poolkeeper.command, which is /absent/poolkeeper" in output
        _, page, _ = await gateway.ask(PAGE, key=False)
        assert (b"plugins.configs.poolkeeper.command" in page, b"absent" in page) == (True, False), page


async def test_a_second_removal_says_that_nothing_is_left(make: Make) -> None:
    gateway = make()
    await gateway.open()

    first = await installed(gateway, "--server", gateway.address, command="remove")
    second = await installed(gateway, "--server", gateway.address, command="remove")

    assert (first[0], "poolkeeper-management.key" in first[1]) == (0, True), first
    assert (second[0], "nothing is left to remove" in second[1]) == (0, True), second


async def test_a_key_that_the_running_gateway_refuses_is_not_written(make: Make) -> None:
    gateway = make(None)
    await gateway.start()
    before = gateway.config.read_text("utf-8")
    wrong = gateway.folder / "wrong"
    wrong.write_text("not the key\n", encoding="utf-8")

    status, output = await installed(
        gateway, "--gateway-dir", str(gateway.folder), "--program", program(gateway), "--key-file", str(wrong)
    )

    assert (status, "refuses the management key" in output) == (2, True), output
    assert gateway.config.read_text("utf-8") == before
    assert not gateway.plugins.exists()
    assert not (gateway.folder / "poolkeeper-management.key").exists()


async def test_the_log_names_the_address_of_the_page(make: Make) -> None:
    gateway = make(settings={"command": [sys.executable, "-m", "extension", "plugin", "serve"]})
    await gateway.open()

    line = next(row for row in gateway.log.read_text("utf-8", "replace").splitlines() if "inspection page" in row)

    assert f"{gateway.address}{PAGE}" in line
    assert await gateway.status(PAGE, key=False) == 200


async def immutable(flag: str, path: Path) -> None:
    """Set or clear the flag that keeps even root from writing a file."""
    process = await asyncio.create_subprocess_exec("chattr", flag, path)
    assert await process.wait() == 0


async def test_a_configuration_that_cannot_be_written_leaves_no_file_behind(make: Make) -> None:
    gateway = make(None)
    before = sorted(path.name for path in gateway.folder.rglob("*"))
    arguments = ["--gateway-dir", str(gateway.folder), "--program", program(gateway)]
    before = sorted({*before, "poolkeeper"})
    gateway.config.chmod(0o444)
    await immutable("+i", gateway.config)
    try:
        status, output = await installed(gateway, *arguments)
    finally:
        await immutable("-i", gateway.config)

    assert (status, "cannot be written" in output) == (2, True), output
    assert sorted(path.name for path in gateway.folder.rglob("*")) == before


async def test_a_data_folder_that_cannot_be_written_is_named_and_used_once_it_can(make: Make, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o500)
    service = [sys.executable, "-m", "extension", "plugin", "serve"]
    gateway = make(settings={"command": service, "data-dir": str(folder)})
    await gateway.start()
    await until(lambda: effective(gateway))

    status, output = await installed(gateway, "--server", gateway.address, command="status")
    assert (status, "its process cannot serve: Inspection is off" in output) == (1, True), output
    assert ("Process not serving" in output, "tried again by itself" in output) == (True, True), output

    folder.chmod(0o700)
    await gateway.ready()
    status, output = await installed(gateway, "--server", gateway.address, command="status")
    assert (status, "in effect" in output) == (0, True), output


async def test_the_configuration_can_be_read_after_an_installation_and_each_way_of_removal(make: Make) -> None:
    gateway = make(None)
    arguments = ["--gateway-dir", str(gateway.folder), "--program", program(gateway)]
    for way, place in {"--server": gateway.address, "--gateway-dir": str(gateway.folder)}.items():
        gateway.write(None)
        await installed(gateway, *arguments)
        await gateway.start()
        await until(lambda: effective(gateway))

        status, output = await installed(gateway, way, place, command="remove")
        assert status == 0, output
        values = yaml.safe_load(gateway.config.read_text("utf-8"))
        assert not values.get("plugins", {}).get("configs"), values
        await gateway.stop()
