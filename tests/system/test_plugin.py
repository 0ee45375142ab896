"""The service as a plugin of our own gateway: one pair of processes over loopback, which all tests share."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import pytest
from click.testing import CliRunner

from adapter.contract.expectations import HEALTH, METRICS, OWN, PAGE, own
from extension.cli.plugin import plugin as plugin_commands
from extension.plugin.routes import file_names, files_path
from tests.system.client import path_of
from tests.system.plugged import Plugged, get, plugged, until
from tests.system.stand_in import providers_at
from tools.project.demo.folder import DemoFolder, open_folder
from tools.project.demo.pool import demo_secrets

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]
OTHER_SECRETS = {"MANAGEMENT_PASSWORD": "the-gateways-own-word", "OTHER_TOKEN": "another-word"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoFolder]:
    place = open_folder(tmp_path_factory.mktemp("demo") / "demo")
    with providers_at(place.providers_port):
        yield place


@pytest.fixture(scope="module")
def plugin(folder: DemoFolder) -> Iterator[Plugged]:
    with plugged(folder, OTHER_SECRETS) as service:
        yield service


def test_page_files_and_own_paths_are_served_by_the_gateway(plugin: Plugged) -> None:
    port = plugin.client.port
    status, headers, body = get(port, PAGE)

    assert (status, b'name="poolkeeper-session" content="key"' in body) == (200, True)
    assert "frame-ancestors 'self'" in headers["content-security-policy"]
    assert "x-frame-options" not in headers
    for name in file_names():
        assert get(port, f"{files_path('')}/{name}")[0] == 200, name
    for row in OWN:
        if "GET" in row.methods:
            assert get(port, own(row.name))[0] == 401
            if row.name not in {"inspections", "usage/stream", "model-price-proxy"}:
                assert plugin.client.ask("GET", own(row.name)).status in {200, 400}, row
    assert get(port, METRICS)[0] in {200, 401, 404}
    assert plugin.client.ask("DELETE", own("info")) == plugin.client.ask("GET", f"{own('info')}/nothing")


def test_an_account_is_switched_through_the_plugin_by_the_page(plugin: Plugged) -> None:
    account = next(row for row in plugin.client.accounts() if row["enabled"])
    done = plugin.client.own("POST", "pool/status", {"accounts": [account["id"]], "disabled": True})

    assert [action["outcome"] for action in done["actions"]] == ["applied"]
    again = next(row for row in plugin.client.accounts() if row["id"] == account["id"])
    assert again["enabled"] is False


def test_json_and_bodies_pass_as_they_are(plugin: Plugged) -> None:
    name = "<b>&\"' é"
    wrong = plugin.client.ask("GET", path_of("pool", source="api_key", family=name))
    assert (wrong.status, name in wrong.body["error"] or "family" in wrong.body["error"]) == (400, True)
    with closing(HTTPConnection("127.0.0.1", plugin.client.port, timeout=30)) as connection:
        headers = {"X-Management-Key": plugin.client.key, "Content-Type": "application/json"}
        connection.request("POST", path_of("pool/status"), b"x" * (9 << 20), headers)
        answer = connection.getresponse()
        assert (answer.status, json.loads(answer.read())["code"]) == (413, "too_large")


def test_the_log_names_the_address_of_the_page(plugin: Plugged) -> None:
    line = next(row for row in plugin.log.read_text("utf-8").splitlines() if "inspection page" in row)
    path = f"/{line.partition('http://')[2].partition('/')[2].split()[0]}".rstrip('"}')

    assert get(plugin.client.port, path)[0] == 200


def run(key: str, *arguments: str) -> tuple[int, list[str]]:
    """Run a command of the group `plugin`; return status and lines."""
    environment = {"POOLKEEPER_MANAGEMENT_KEY": key, "COLUMNS": "1000"}
    result = CliRunner(env=environment).invoke(plugin_commands, arguments)
    return result.exit_code, result.output.splitlines()


def test_a_command_for_stock_gateways_refuses_ours_in_one_line_and_writes_nothing(
    plugin: Plugged, folder: DemoFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", [str(Path(sys.executable).with_name("poolkeeper"))])
    before, names = folder.config.read_bytes(), sorted(path.name for path in folder.path.iterdir())
    server = f"http://127.0.0.1:{plugin.client.port}"
    for command in ("install", "remove"):
        for place in (("--server", server), ("--gateway-dir", str(folder.path), "--config", str(folder.config))):
            for key in (folder.management_key, *(("",) if place[0] == "--gateway-dir" else ())):
                status, lines = run(key, command, *place)
                assert (status, len(lines)) == (2, 1), lines
                assert "docs/plugin.md" in lines[0]
    assert folder.config.read_bytes() == before
    assert sorted(path.name for path in folder.path.iterdir()) == names
    assert run(folder.management_key, "status", "--server", server)[1][-1] == "The plugin is in effect."


def test_no_secret_is_in_the_log_or_in_the_plugins_environment(plugin: Plugged, folder: DemoFolder) -> None:
    (child,) = plugin.children()
    run = plugin.client.inspect(timeoutSeconds=1)
    plugin.client.ask("GET", own("pool"), key="a-wrong-key-that-must-not-be-repeated")
    environment = Path(f"/proc/{child}/environ").read_bytes().decode()
    log = plugin.log.read_text()

    assert run["state"] == "finished"
    assert log
    secrets = (*demo_secrets(), folder.management_key, *OTHER_SECRETS.values())
    for secret in (*secrets, "a-wrong-key-that-must-not-be-repeated"):
        assert secret not in log
        assert secret not in environment


@pytest.mark.parametrize("rounds", [pytest.param(1, id="one"), pytest.param(20, id="twenty", marks=pytest.mark.soak)])
def test_the_gateway_survives_kills_of_its_plugin(plugin: Plugged, rounds: int) -> None:
    for _ in range(rounds):
        until(plugin.children, "it is not started again")
        (child,) = plugin.children()
        os.kill(child, signal.SIGKILL)
        assert get(plugin.client.port, HEALTH)[0] == 200
        until(lambda gone=child: gone not in plugin.children(), "it is not collected")
    plugin.wait_until_open()
