"""The service as a plugin of our own gateway: both as processes, over loopback."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from itertools import product
from pathlib import Path

import pytest

from adapter.contract.expectations import HEALTH, METRICS, OWN, PAGE, own
from extension.plugin.routes import file_names, files_path
from tests.system.client import path_of
from tests.system.conftest import Walk
from tests.system.plugged import Plugged, children_of, get, is_gone, plugged, started, until
from tests.system.process import serving
from tests.system.test_verdicts import EXPECTED, judged
from tools.project.demo.folder import DemoFolder
from tools.project.demo.plugin import without_plugin
from tools.project.demo.pool import demo_secrets
from tools.project.demo.providers import Providers

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]
Demo = tuple[DemoFolder, Providers]
UNHURRIED = 8
"""Seconds that even a busy machine needs for no probe but those of providers that stay silent."""


@pytest.fixture
def plugin(demo: Demo) -> Iterator[Plugged]:
    with plugged(demo[0]) as service:
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


def test_the_labelled_pool_comes_out_alike_embedded_and_as_a_plugin(demo: Demo) -> None:
    folder = demo[0]
    with plugged(folder) as service:
        run = service.client.inspect(decisionPolicy="configurable", timeoutSeconds=UNHURRIED)
        through_plugin = judged(service.client.results(run["id"]))
        files = service.client.own("GET", "pool", source="oauth")["statistics"]
    without_plugin(folder)
    with serving(folder.config) as embedded:
        walk = Walk(folder, demo[1], embedded, service.client)
        run = walk.client.inspect(decisionPolicy="configurable", timeoutSeconds=UNHURRIED)

        assert through_plugin == judged(walk.client.results(run["id"]))
        assert files == walk.client.own("GET", "pool", source="oauth")["statistics"]
    assert sum(through_plugin.values()) == len(EXPECTED)


def test_an_account_is_switched_through_the_plugin_by_the_page(plugin: Plugged) -> None:
    account = next(row for row in plugin.client.accounts() if row["enabled"])
    done = plugin.client.own("POST", "pool/status", {"accounts": [account["id"]], "disabled": True})

    assert [action["outcome"] for action in done["actions"]] == ["applied"]
    again = next(row for row in plugin.client.accounts() if row["id"] == account["id"])
    assert again["enabled"] is False


def test_the_gateway_listens_no_later_with_a_plugin_and_says_that_it_starts(demo: Demo) -> None:
    service = started(demo[0])
    try:
        until(lambda: healthy(service), "the gateway does not listen")
        status = service.status()
        assert status == 503
        page = get(service.client.port, PAGE)
        assert (page[0], json.loads(page[2])["code"]) == (503, "starting")
        service.wait_until_open()
    finally:
        service.process.terminate()
        assert service.process.wait(timeout=20) == 0


def healthy(service: Plugged) -> bool:
    try:
        return get(service.client.port, HEALTH)[0] == 200
    except OSError:
        return False


@pytest.mark.parametrize(
    "rounds", [pytest.param(3, id="reduced"), pytest.param(20, id="twenty", marks=pytest.mark.soak)]
)
def test_the_gateway_survives_kills_of_its_plugin(plugin: Plugged, rounds: int) -> None:
    for _ in range(rounds):
        until(plugin.children, "it is not started again")
        (child,) = plugin.children()
        os.kill(child, signal.SIGKILL)
        assert healthy(plugin)
        until(lambda gone=child: gone not in plugin.children(), "it is not collected")
    began = time.monotonic()
    plugin.wait_until_open()
    print(f"open again {time.monotonic() - began:.2f} s after the last of {rounds} kills")  # noqa: T201 - a figure


def test_no_process_of_ours_is_left_after_the_gateway_is_killed(demo: Demo) -> None:
    for number, opened in product((signal.SIGKILL, signal.SIGTERM), (False, True)):
        service = started(demo[0])
        until(lambda running=service: running.children(), "no plugin was started")
        if opened:
            service.wait_until_open()
        (child,) = children_of(service.process.pid)
        service.process.send_signal(number)
        service.process.wait(timeout=20)
        until(lambda left=child: is_gone(left), "a process is left", seconds=10)
    with plugged(demo[0]) as service:
        assert service.status() == 200


def test_a_disabled_plugin_ends_and_an_enabled_one_comes_back(plugin: Plugged, demo: Demo) -> None:
    (child,) = plugin.children()
    config = demo[0].config
    text = config.read_text()
    config.write_text(text.replace("      enabled: true\n      command", "      enabled: false\n      command"))
    until(lambda: is_gone(child), "it goes on", seconds=30)
    assert plugin.status() == 404

    config.write_text(text)
    plugin.wait_until_open()


def test_json_and_bodies_pass_as_they_are(plugin: Plugged) -> None:
    name = "<b>&\"' é"
    wrong = plugin.client.ask("GET", path_of("pool", source="api_key", family=name))
    assert (wrong.status, name in wrong.body["error"] or "family" in wrong.body["error"]) == (400, True)
    with closing(HTTPConnection("127.0.0.1", plugin.client.port, timeout=30)) as connection:
        headers = {"X-Management-Key": plugin.client.key, "Content-Type": "application/json"}
        connection.request("POST", path_of("pool/status"), b"x" * (9 << 20), headers)
        answer = connection.getresponse()
        assert (answer.status, json.loads(answer.read())["code"]) == (413, "too_large")


def test_no_secret_is_in_the_log_or_in_the_plugins_environment(demo: Demo) -> None:
    secrets = (*demo_secrets(), demo[0].management_key)
    with plugged(demo[0], {"MANAGEMENT_PASSWORD": "the-gateways-own-word", "OTHER_TOKEN": "another-word"}) as service:
        (child,) = service.children()
        run = service.client.inspect()
        service.client.ask("GET", own("pool"), key="a-wrong-key-that-must-not-be-repeated")
        environment = Path(f"/proc/{child}/environ").read_bytes().decode()
        assert run["state"] == "finished"
    log = service.log.read_text()

    assert log
    for secret in (*secrets, "the-gateways-own-word", "another-word", "a-wrong-key-that-must-not-be-repeated"):
        assert secret not in log
        assert secret not in environment
