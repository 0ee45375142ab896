import asyncio
import json
import shutil
import sys
from collections.abc import Callable
from importlib.metadata import version

import pytest
import yaml
from aiohttp import web

from extension.plugin.install.library import file_name
from tests.repository.tracked import ROOT
from tests.stock.plugin.conftest import Make
from tests.stock.plugin.stock import INFO, KEY, PAGE, PluginGateway, child_command, until
from tests.stock.table import FIGURE
from tools.project.native.store_files import store_files

pytestmark = pytest.mark.timeout(120)
PLUGINS = "/v0/management/plugins"


async def installed(gateway: PluginGateway, *more: str, command: str = "install") -> tuple[int, str]:
    """Run the command as an operator does; return status and output."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "extension", "plugin", command, *more,
        env={**gateway.environment, "POOLKEEPER_MANAGEMENT_KEY": KEY}, cwd=ROOT,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    output, _ = await process.communicate()
    return process.returncode or 0, output.decode()


def program(gateway: PluginGateway) -> str:
    """Write the tests' own process as a program that is called with `plugin serve`."""
    path = gateway.folder / "poolkeeper"
    answer = f'[ "$1" = --version ] && exec echo poolkeeper {version("poolkeeper")}'
    path.write_text(f"#!/bin/sh\n{answer}\nexec {' '.join(child_command(gateway.folder))}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


async def effective(gateway: PluginGateway) -> bool:
    entries = json.loads((await gateway.ask(PLUGINS))[1])["plugins"]
    return any(entry["id"] == "poolkeeper" and entry["effective_enabled"] for entry in entries)


@pytest.mark.parametrize("running", [False, True])
async def test_an_install_takes_effect_in_a_stopped_and_in_a_running_gateway(make: Make, *, running: bool) -> None:
    gateway = make(None)
    gateway.config.write_text("# mine\n" + gateway.config.read_text("utf-8") + "# end\n", encoding="utf-8")
    before, inode = yaml.safe_load(gateway.config.read_text("utf-8")), gateway.config.stat().st_ino
    if running:
        await gateway.start()
    arguments = ["--gateway-dir", str(gateway.folder), "--program", program(gateway)]

    status, output = await installed(gateway, *arguments)
    assert status == 0, output
    if not running:
        await gateway.start()
    await until(lambda: effective(gateway))
    await gateway.ready()

    assert (await gateway.ask(PAGE, key=False))[0] == 200
    assert (await gateway.ask(INFO, key=False))[0] == 401
    text = gateway.config.read_text("utf-8")
    after = yaml.safe_load(text)
    assert {name: value for name, value in after.items() if name != "plugins"} == before
    assert text.startswith("# mine\n")
    assert "# end" in text
    assert gateway.config.stat().st_ino == inode
    key_file = gateway.folder / "poolkeeper-management.key"
    assert (key_file.stat().st_mode & 0o777, key_file.read_text("utf-8").strip()) == (0o600, KEY)
    assert "nothing changed" in (await installed(gateway, *arguments))[1]
    assert gateway.config.read_text("utf-8") == text
    assert (await installed(gateway, "--server", gateway.address, command="status"))[0] == 0


async def switched_off(gateway: PluginGateway, *, plugins: bool = True) -> None:
    """Start a gateway whose configuration has the plugin disabled, or plugins altogether."""
    values = yaml.safe_load(gateway.config.read_text("utf-8"))
    values["plugins"] = {"enabled": plugins, "configs": {"poolkeeper": {"enabled": False}}}
    gateway.config.write_text(yaml.safe_dump(values, sort_keys=False), encoding="utf-8")
    await gateway.start()


async def test_a_running_gateway_is_configured_over_its_address(make: Make) -> None:
    gateway = make()
    await switched_off(gateway)
    assert await gateway.status(INFO) == 404

    status, output = await installed(gateway, "--server", gateway.address, "--program", program(gateway))

    assert (status, output) == (0, "The plugin is in effect.\n")
    await gateway.ready()
    assert (await installed(gateway, "--server", gateway.address, command="status"))[0] == 0


@pytest.mark.parametrize("has_section", [True, False])
async def test_library_and_key_are_placed_before_a_running_gateway_is_configured(
    make: Make, *, has_section: bool
) -> None:
    gateway = make(None)
    if has_section:
        await switched_off(gateway)
    else:
        await gateway.start()
    places = ["--gateway-dir", str(gateway.folder), "--server", gateway.address]

    status, output = await installed(gateway, *places, "--program", program(gateway))

    assert (status, output.splitlines()[-1]) == (0, "The plugin is in effect."), output
    await gateway.ready()
    assert (gateway.folder / "poolkeeper-management.key").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("plugins", "advice"),
    [(False, "set plugins.enabled to true in config.yaml"), (True, "poolkeeper plugin install --gateway-dir DIR")],
)
async def test_the_next_step_is_named_when_a_configured_plugin_is_not_in_effect(
    make: Make, advice: str, *, plugins: bool
) -> None:
    gateway = make(None)
    await switched_off(gateway, plugins=plugins)

    status, output = await installed(gateway, "--server", gateway.address, "--program", program(gateway))

    assert status == 2
    assert advice in output
    assert len(output.splitlines()) == 1


async def test_a_removed_plugin_is_unloaded(make: Make) -> None:
    gateway = make()
    await gateway.open()

    status, output = await installed(gateway, "--server", gateway.address, command="remove")

    assert status == 0, output
    assert await gateway.status(INFO) == 404
    assert gateway.children() == []
    assert gateway.alive
    shutil.copyfile(ROOT / "extension/plugin/native/poolkeeper-linux-amd64.so", gateway.plugins / file_name())
    gateway.write({"command": child_command(gateway.folder)})
    await gateway.ready()


async def test_the_plugin_store_installs_the_archive(
    make: Make, record_property: Callable[[str, object], None]
) -> None:
    served: dict[str, bytes] = {}

    async def file(request: web.Request) -> web.Response:
        return web.Response(body=served[request.match_info["name"]])

    application = web.Application()
    application.router.add_get("/{name}", file)
    runner = web.AppRunner(application)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    address = f"http://127.0.0.1:{runner.addresses[0][1]}"
    served |= store_files(ROOT, address)
    gateway = make(None)
    values = yaml.safe_load(gateway.config.read_text("utf-8"))
    values["plugins"] = {
        "enabled": True,
        "store-sources": [f"{address}/registry.json"],
        "store-auth": [{"match": f"{address}/", "allow-insecure": True, "type": "none"}],
        "configs": {"poolkeeper": {"enabled": False, "command": child_command(gateway.folder)}},
    }
    gateway.config.write_text(yaml.safe_dump(values), encoding="utf-8")
    await gateway.start()

    listing = (await gateway.ask("/v0/management/plugin-store"))[1]
    assert b"poolkeeper" in listing, listing
    status, body, _ = await gateway.ask("/v0/management/plugin-store/poolkeeper/install", method="POST")
    assert status == 200, body
    taken = await gateway.ready()
    record_property(FIGURE, f"installed from the plugin store: answers after {taken:.2f} s")
    await runner.cleanup()
