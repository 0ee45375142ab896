"""`plugin install --server`: a refusal leaves nothing in the gateway, and a failure names what it left there."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from aiohttp import web

from extension.cli.plugin import install
from tests.extension.cli.command_line import answering, with_key

OWN_PROGRAM = Path(sys.executable).with_name("poolkeeper")
LIBRARY = {"id": "poolkeeper", "path": "plugins/linux/amd64/poolkeeper-v0.2.0.so"}


class Gateway:
    """A stock gateway that lists plugins, and notes requested changes."""

    def __init__(self, *, on: bool, entry: dict[str, Any] | None, folder: str = "plugins") -> None:
        self.listed = {"plugins_enabled": on, "plugins_dir": folder, "plugins": [entry] if entry else []}
        self.changes: list[Any] = []
        self.text = "plugins: {enabled: false}\n"

    async def answer(self, request: web.Request) -> web.Response:
        if request.path.endswith("/config.yaml"):
            if request.method == "PUT":
                self.text = (await request.read()).decode()
                self.listed["plugins_enabled"] = True
                return web.json_response({"ok": True}, headers={"X-CPA-VERSION": "7.2.140"})
            return web.Response(text=self.text, headers={"X-CPA-VERSION": "7.2.140"})
        if request.method != "GET":
            self.changes.append(await request.json())
        elif request.path.endswith("/info"):
            refused = {"error": "The service did not open.", "code": "not_running", "hint": "See the log."}
            return web.json_response(refused, status=503, headers={"X-CPA-VERSION": "7.2.140"})
        return web.json_response(self.listed, headers={"X-CPA-VERSION": "7.2.140"})

    async def installed(self) -> tuple[int, str]:
        """Run the command; return exit status and output in one line."""
        async with answering(self.answer) as address:
            return await with_key(install, "--server", address, "--program", str(OWN_PROGRAM))


@pytest.mark.parametrize(
    ("on", "entry", "reasons"),
    [
        (False, LIBRARY, ["Plugins are off: set plugins.enabled to true"]),
        (True, None, ["does not find the library"]),
        (False, None, ["Plugins are off", "does not find the library"]),
    ],
)
async def test_a_gateway_that_would_not_load_the_library_is_told_nothing(
    entry: dict[str, Any] | None, reasons: list[str], *, on: bool
) -> None:
    gateway = Gateway(on=on, entry=entry)

    code, output = await gateway.installed()

    assert (code, gateway.changes) == (2, []), output
    assert [reason in output for reason in [*reasons, "Nothing was written."]] == [True] * (len(reasons) + 1), output


async def test_settings_of_a_plugin_that_does_not_come_into_effect_are_named() -> None:
    entry = {**LIBRARY, "enabled": True, "effective_enabled": True, "metadata": {"Version": "0.2.0"}}
    gateway = Gateway(on=True, entry=entry)

    code, output = await gateway.installed()

    assert (code, len(gateway.changes)) == (1, 1), output
    assert "its process does not answer: The service did not open." in output
    assert "config.yaml has plugins.configs.poolkeeper now (enabled, command)" in output
    assert "`poolkeeper plugin remove --server http://127.0.0.1:" in output


async def test_a_configuration_without_the_section_gets_it_over_the_api() -> None:
    gateway = Gateway(on=False, entry={**LIBRARY, "enabled": True, "effective_enabled": True})
    gateway.text = "port: 1\n"

    code, output = await gateway.installed()

    assert (code, gateway.changes) == (1, []), output
    values = yaml.safe_load(gateway.text)
    assert values["plugins"]["configs"]["poolkeeper"]["command"] == [str(OWN_PROGRAM), "plugin", "serve"]
    assert (values["port"], values["plugins"]["enabled"]) == (1, True)


@pytest.mark.parametrize(
    ("folder", "step"),
    [
        ("plugins", "a folder below the one that it was started in: run `poolkeeper plugin install --gateway-dir DIR`"),
        ("/srv/plugins", "in /srv/plugins: run `poolkeeper plugin install --gateway-dir DIR` on its machine"),
    ],
)
async def test_the_folder_in_which_the_gateway_looks_is_named(folder: str, step: str) -> None:
    _, output = await Gateway(on=True, entry=None, folder=folder).installed()

    assert step in output
    assert ("or set plugins.dir in config.yaml to an absolute path" in output) == (folder == "plugins")
