"""The status of a plugin as gateways of several releases and kinds describe it."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from click import Command

from extension.cli.plugin import install, remove, status
from tests.extension.cli.command_line import answering, with_key

OWN_PROGRAM = Path(sys.executable).with_name("poolkeeper")
STOCK = "X-CPA-VERSION"
INFO = {"name": "poolkeeper", "version": "0.2.0"}
LOADED = {"id": "poolkeeper", "enabled": True, "effective_enabled": True, "metadata": {"Version": "0.2.0"}}
AWAY = {"error": "The database refused.", "code": "store", "hint": "Check the data folder."}


async def said(
    headers: Mapping[str, str],
    answers: Mapping[str, tuple[int, Any]],
    command: Command = status,
    arguments: tuple[str, ...] = (),
) -> tuple[int, str]:
    """Run the command against a gateway with these answers; return exit status and output in one line."""

    async def answer(request: web.Request) -> web.Response:
        code, body = next((found for end, found in answers.items() if request.path.endswith(end)), (404, {}))
        if isinstance(body, str):
            return web.Response(text=body, status=code, headers=headers)
        return web.json_response(body, status=code, headers=headers)

    async with answering(answer) as address:
        return await with_key(command, "--server", address, *arguments)


@pytest.mark.parametrize("version", ["7.1.47", "7.2.0", "7.2.36"])
async def test_a_release_that_loads_no_library_is_named(version: str) -> None:
    listed = {"/v0/management/plugins": (200, {"plugins_enabled": False, "plugins": []})}

    code, output = await said({STOCK: version}, listed)

    assert (code, f"is release {version}. Plugins need release 7.2.37 or newer" in output) == (2, True), output


@pytest.mark.parametrize(("switched", "enabled"), [(True, False), (False, True), (False, False)])
async def test_a_plugin_that_our_gateway_has_disabled_is_said_to_be(*, switched: bool, enabled: bool) -> None:
    entry = {"id": "poolkeeper", "enabled": enabled}
    listed = {"/v0/management/plugins": (200, {"plugins_enabled": switched, "plugins": [entry]})}

    code, output = await said({STOCK: "0.5.12"}, listed)

    assert (code, output) == (
        1,
        "The plugin is disabled: set plugins.enabled and plugins.configs.poolkeeper.enabled to true in config.yaml.",
    )


async def test_a_plugin_that_our_gateway_does_not_know_is_said_to_be_missing() -> None:
    listed = {"/v0/management/plugins": (200, {"plugins_enabled": True, "plugins": []})}

    code, output = await said({STOCK: "0.5.12"}, listed)

    assert (code, "The gateway has no plugin poolkeeper" in output) == (1, True), output


@pytest.mark.parametrize("stored", [(200, {"runs": []}), (503, AWAY)])
async def test_a_store_that_is_away_is_no_plugin_in_effect(stored: tuple[int, Any]) -> None:
    answers = {
        "/v0/management/plugins": (200, {"plugins_enabled": True, "plugins": [LOADED]}),
        "/poolkeeper/info": (200, INFO),
        "/poolkeeper/inspections/events": stored,
    }

    code, output = await said({STOCK: "7.2.140"}, answers)

    if stored[0] == 200:
        assert (code, output.endswith("The plugin is in effect.")) == (0, True), output
    else:
        assert (code, "Process not serving" in output) == (1, True), output
        assert "its process cannot serve: The database refused. Check the data folder." in output


REFUSED = {
    "error": "The gateway refuses the management key.",
    "code": "gateway_unauthorised",
    "hint": "On a stock gateway run `poolkeeper plugin install --gateway-dir DIR` with it.",
}


async def test_a_process_whose_key_the_gateway_refuses_is_no_plugin_in_effect() -> None:
    """The gateway was given another key: name and past runs of the process are answered, its pool is not."""
    answers = {
        "/v0/management/plugins": (200, {"plugins_enabled": True, "plugins": [LOADED]}),
        "/poolkeeper/info": (200, INFO),
        "/poolkeeper/inspections/events": (200, {"events": []}),
        "/poolkeeper/pool/overview": (502, REFUSED),
    }

    code, output = await said({STOCK: "7.2.140"}, answers)

    assert (code, "Process not serving" in output) == (1, True), output
    assert "cannot serve: The gateway refuses the management key. On a stock gateway run `poolkeeper plugin" in output


BAN = {"error": "IP banned due to too many failed attempts. Try again in 29m59s"}


@pytest.mark.parametrize(
    ("command", "arguments"), [(status, ()), (remove, ()), (install, ("--program", str(OWN_PROGRAM)))]
)
@pytest.mark.parametrize(
    ("refusal", "words"),
    [
        ((403, BAN), "has banned this address, and has not looked at the key (IP banned due to too many failed"),
        ((403, {"error": "remote management disabled"}), "refuses management from here (remote management disabled)"),
        ((401, {"error": "invalid management key"}), "refuses the management key: name the one it accepts"),
    ],
)
async def test_only_a_refused_key_is_called_one(
    command: Command, arguments: tuple[str, ...], refusal: tuple[int, Any], words: str
) -> None:
    code, output = await said({STOCK: "7.2.140"}, {"": refusal}, command, arguments)

    assert (code, words in output) == (2, True), output
    assert ("29m59s" in output) == (refusal[1] is BAN)
    assert output.count("the management key") == ("invalid" in str(refusal[1]))


async def said_beside(configuration: str) -> str:
    """Return what is said of a plugin in effect whose gateway has this configuration."""
    listed = {
        "/v0/management/plugins": (200, {"plugins_enabled": True, "plugins": [LOADED]}),
        "/info": (200, INFO),
        "/config.yaml": (200, configuration),
    }
    code, output = await said({STOCK: "7.2.140"}, listed)
    assert code == 0, output
    return output


async def test_a_broken_configuration_is_named_beside_a_plugin_in_effect() -> None:
    output = await said_beside("port: 1\nbroken: [1, 2\napi-keys: []\n")

    assert "config.yaml is not valid YAML (line 3)" in output
    assert "no change can be made" in output
    assert "does not start with it" in output


async def test_a_sound_configuration_needs_no_word() -> None:
    assert "config.yaml" not in await said_beside("port: 1\n")


async def test_a_gateway_that_does_not_answer_may_have_ended_at_a_broken_library() -> None:
    code, output = await with_key(status, "--server", "http://127.0.0.1:9")
    assert (code, "does not answer" in output) == (2, True), output
    assert "poolkeeper plugin status --gateway-dir DIR" in output


@pytest.mark.parametrize("command", [install, remove, status])
async def test_a_configuration_that_is_no_yaml_is_named_with_its_line(tmp_path: Path, command: Command) -> None:
    (tmp_path / "config.yaml").write_text("port: 1\nbroken: [1, 2\napi-keys: []\n", encoding="utf-8")
    arguments = ["--gateway-dir", str(tmp_path), *(["--program", str(OWN_PROGRAM)] if command is install else [])]
    code, output = await with_key(command, *arguments)
    assert (code, "config.yaml is not valid YAML (line 3)" in output) == (2, True), output
