"""Ends, hindrances and rivals of the plugin behind our own gateway, each with processes of its own.

Two stand for the others in each run: a wrong key that is corrected, and a busy process that is asked to end.
"""

from __future__ import annotations

import json
import os
import re
import signal
import stat
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from adapter.contract.expectations import HEALTH, PAGE
from tests.system.attached import attached, channel_to
from tests.system.client import Client, path_of
from tests.system.plugged import Plugged, children_of, get, is_gone, plugged, started, until
from tests.system.process import serving
from tests.system.stand_in import providers_at
from tests.system.test_verdicts import EXPECTED, judged
from tools.project.demo.folder import DemoFolder, open_folder
from tools.project.demo.plugin import plugin_command, without_plugin

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]
UNSETTLED = {"pending", "uncertain"}
NEXT_KEY = "another-key-of-the-gateway"
UNHURRIED = 8
"""Seconds that even a busy machine needs for no probe but those of providers that stay silent."""
IMPATIENT_GATEWAY = """
import sys
from gateway.__main__ import main
from gateway.internal.plugins import keeper

keeper.TURN_SECONDS, keeper.TURNS = 0.2, 10
sys.exit(main())
"""
"""A gateway that gives up a process after two seconds without a sign of life."""
IMPATIENT_PLUGIN = """
from extension.cli.program import poolkeeper
from extension.plugin import process

process.PATIENCE = 0.5
poolkeeper()
"""
"""A process that repeats reads of the gateway for half a second."""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[DemoFolder]:
    place = open_folder(tmp_path / "demo")
    with providers_at(place.providers_port):
        yield place


def code_of(service: Plugged) -> str:
    """Return the code of the answer of one of our own paths; empty when it works."""
    try:
        answer = service.client.ask("GET", path_of("pool", source="api_key"))
    except OSError:
        return "no answer"
    return "" if answer.status == 200 else str(answer.body.get("code", answer.status))


def test_a_wrong_key_is_followed_by_the_corrected_one_at_the_start_and_later(folder: DemoFolder) -> None:
    service = started(folder)
    key_file = Path(folder.path / "management-key")
    key_file.write_text("wrong-key-1234567890")
    try:
        until(lambda: code_of(service) == "not_open", "it says nothing of the key")
        answer = service.client.ask("GET", path_of("info")).body
        assert "refuses the management key" in answer["error"]
        assert str(key_file) in answer["hint"]
        key_file.write_text(folder.management_key)
        until(lambda: code_of(service) == "", f"it does not open: {service.log.read_text()[-2000:]}")

        text = folder.config.read_text()
        folder.config.write_text(re.sub(r"(secret-key: ).*", rf'\1"{NEXT_KEY}"', text))  # the gateway has hashed it
        service.client.key = NEXT_KEY
        until(lambda: code_of(service) == "gateway_unauthorised", "the old key still counts")

        key_file.write_text(NEXT_KEY)
        until(lambda: code_of(service) == "", f"it keeps the old key: {service.log.read_text()[-2000:]}")
        assert len(service.children()) == 1
    finally:
        service.process.terminate()
        service.process.wait(timeout=20)


def actions(service: Plugged) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = service.client.own("GET", "pool/actions", limit=200)["actions"]
    return rows


def begin_to_disable_everything(service: Plugged) -> None:
    """Start a batch and return when the first of its actions is on its way."""
    accounts = [row["id"] for row in service.client.accounts() if row["enabled"]]
    body = {"accounts": accounts, "disabled": True, "background": True}
    service.client.own("POST", "pool/status", body)
    until(lambda: actions(service), "no action is begun")


def assert_that_the_log_and_the_gateway_agree(service: Plugged) -> None:
    enabled = {row["id"]: row["enabled"] for row in service.client.accounts()}
    logged = actions(service)
    assert logged
    assert not [row for row in logged if row["outcome"] in UNSETTLED]
    for row in logged:
        assert enabled[row["account"]] is (row["outcome"] != "applied"), row


def test_a_busy_plugin_that_is_asked_to_end_records_its_actions_first(folder: DemoFolder) -> None:
    with plugged(folder) as service:
        begin_to_disable_everything(service)
        (child,) = service.children()
        os.kill(child, signal.SIGTERM)
        until(lambda: is_gone(child), "it goes on", seconds=20)
        service.wait_until_open()

        assert_that_the_log_and_the_gateway_agree(service)
    assert "is cut off" not in service.log.read_text()


@pytest.mark.soak
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_actions_that_the_end_of_the_gateway_cut_off_are_settled_at_the_next_start(
    folder: DemoFolder, how: signal.Signals
) -> None:
    with plugged(folder) as service:
        begin_to_disable_everything(service)
        (child,) = service.children()
        service.process.send_signal(how)
        service.process.wait(timeout=20)
        until(lambda: is_gone(child), "it goes on", seconds=10)

    with plugged(folder) as service:
        assert_that_the_log_and_the_gateway_agree(service)


@pytest.mark.soak
def test_a_plugin_that_hangs_in_the_middle_of_a_batch_is_replaced_and_does_nothing_twice(folder: DemoFolder) -> None:
    with plugged(folder, program=(sys.executable, "-c", IMPATIENT_GATEWAY)) as service:
        begin_to_disable_everything(service)
        (child,) = service.children()
        os.kill(child, signal.SIGSTOP)
        assert get(service.client.port, HEALTH)[0] == 200
        cut_off = service.client.ask("GET", path_of("info"))
        assert (cut_off.status, cut_off.body["code"]) == (503, "plugin_down")
        until(lambda: is_gone(child), "it is not ended")
        service.wait_until_open()

        assert service.children() != [child]
        assert_that_the_log_and_the_gateway_agree(service)
        switched = [row["account"] for row in actions(service)]
        assert len(switched) == len(set(switched))
    assert service.log.read_text("utf-8").count("it gave no sign of life for 2 s and was killed") == 1


@pytest.mark.soak
def test_a_gateway_that_is_not_at_its_address_is_named_in_time(folder: DemoFolder) -> None:
    configured(folder, "gateway-url: http://127.0.0.1:1")
    command = json.dumps([sys.executable, "-c", IMPATIENT_PLUGIN, "plugin", "serve"])
    folder.config.write_text(
        re.sub("(?m)^      command: .*$", lambda _: f"      command: {command}", folder.config.read_text())
    )
    service = started(folder)
    try:
        until(lambda: code_of(service) == "gateway_unavailable", "it does not name its trouble")
        problem = service.client.ask("GET", path_of("info")).body
        assert problem["code"] == "gateway_unavailable"
        assert "http://127.0.0.1:1 does not answer" in problem["error"]
    finally:
        service.process.terminate()
        service.process.wait(timeout=20)


@pytest.mark.soak
def test_a_data_folder_that_cannot_be_written_at_the_start_is_tried_again(folder: DemoFolder) -> None:
    data = folder.path / "full"
    data.mkdir(mode=0o500)
    configured(folder, f"data-dir: {data}")
    service = started(folder)
    try:
        until(lambda: code_of(service) == "store_unavailable", "it does not name its trouble")
        data.chmod(0o700)
        until(lambda: code_of(service) == "", f"it does not open: {service.log.read_text()[-2000:]}")
        assert len(service.children()) == 1
    finally:
        service.process.terminate()
        service.process.wait(timeout=20)


def configured(folder: DemoFolder, setting: str) -> None:
    """Add a setting of the plugin to the configuration."""
    plugin_command(folder)
    mark = "      management-key-file:"
    text = folder.config.read_text()
    folder.config.write_text(text.replace(mark, f"      {setting}\n{mark}", 1))


@pytest.mark.soak
def test_the_labelled_pool_comes_out_alike_embedded_and_as_a_plugin(folder: DemoFolder) -> None:
    with plugged(folder) as service:
        run = service.client.inspect(decisionPolicy="configurable", timeoutSeconds=UNHURRIED)
        through_plugin = judged(service.client.results(run["id"]))
        files = service.client.own("GET", "pool", source="oauth")["statistics"]
    without_plugin(folder)
    with serving(folder.config):
        client = Client(folder.gateway_port, folder.management_key)
        run = client.inspect(decisionPolicy="configurable", timeoutSeconds=UNHURRIED)

        assert through_plugin == judged(client.results(run["id"]))
        assert files == client.own("GET", "pool", source="oauth")["statistics"]
    assert sum(through_plugin.values()) == len(EXPECTED)


@pytest.mark.soak
def test_the_gateway_listens_no_later_with_a_plugin_and_says_that_it_starts(folder: DemoFolder) -> None:
    service = started(folder)
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


@pytest.mark.soak
def test_no_process_of_ours_is_left_after_the_gateway_is_killed(folder: DemoFolder) -> None:
    for number, opened in product((signal.SIGKILL, signal.SIGTERM), (False, True)):
        service = started(folder)
        until(lambda running=service: running.children(), "no plugin was started")
        if opened:
            service.wait_until_open()
        (child,) = children_of(service.process.pid)
        service.process.send_signal(number)
        service.process.wait(timeout=20)
        until(lambda child=child: is_gone(child), "a process is left", seconds=10)
    with plugged(folder) as service:
        sockets = Path(f"/tmp/poolkeeper-gateway-{os.getuid()}")  # noqa: S108 - where the gateway keeps its sockets
        assert not [path for path in sockets.iterdir() if not Path(f"/proc/{path.name}").exists()]
        assert service.status() == 200


@pytest.mark.soak
def test_a_disabled_plugin_ends_and_an_enabled_one_comes_back(folder: DemoFolder) -> None:
    with plugged(folder) as service:
        (child,) = service.children()
        text = folder.config.read_text()
        folder.config.write_text(
            text.replace("      enabled: true\n      command", "      enabled: false\n      command")
        )
        until(lambda: is_gone(child), "it goes on", seconds=30)
        assert service.status() == 404

        folder.config.write_text(text)
        service.wait_until_open()


@pytest.mark.soak
def test_the_newer_of_two_processes_runs_the_engine_until_it_ends(folder: DemoFolder, tmp_path: Path) -> None:
    socket = tmp_path / "plugin.sock"
    with plugged(folder) as service:
        account = next(row["id"] for row in service.client.accounts() if row["enabled"])
        with attached(socket) as newer:
            assert stat.S_IMODE(socket.stat().st_mode) == 0o600
            assert newer.ask("GET", "info")[0] == 503
            assert newer.configure(folder).routes
            until(lambda: newer.ask("GET", "info")[0] == 200, "the newer one does not take over")

            older = service.client.ask("GET", path_of("info"))
            assert (older.status, older.body["code"]) in {(503, "standby"), (503, "starting")}
            order = {"accounts": [account], "disabled": True}
            assert service.client.ask("POST", path_of("pool/status"), order).status == 503
            status, answer = newer.ask("POST", "pool/status", order)
            assert status == 200, answer
            assert [action["outcome"] for action in answer["actions"]] == ["applied"]

            with channel_to(socket) as later:
                again = replace(newer, channel=later)
                again.configure(folder)
                assert again.ask("GET", "info")[0] == 200

        service.wait_until_open()
        logged = service.client.own("GET", "pool/actions")["actions"]
        assert [(row["account"], row["outcome"]) for row in logged] == [(account, "applied")]
