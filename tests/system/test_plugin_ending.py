"""End of a plugin in the middle of its work: what it has begun is recorded or settled at the next start."""

from __future__ import annotations

import os
import signal
from typing import Any

import pytest

from tests.system.plugged import Plugged, is_gone, plugged, until
from tools.project.demo.folder import DemoFolder
from tools.project.demo.providers import Providers

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]
Demo = tuple[DemoFolder, Providers]
UNSETTLED = {"pending", "uncertain"}


def actions(service: Plugged) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = service.client.own("GET", "pool/actions", limit=200)["actions"]
    return found


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


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_actions_that_the_end_of_the_gateway_cut_off_are_settled_at_the_next_start(
    demo: Demo, how: signal.Signals
) -> None:
    with plugged(demo[0]) as service:
        begin_to_disable_everything(service)
        (child,) = service.children()
        service.process.send_signal(how)
        service.process.wait(timeout=20)
        until(lambda: is_gone(child), "it goes on", seconds=10)

    with plugged(demo[0]) as service:
        assert_that_the_log_and_the_gateway_agree(service)


def test_a_busy_plugin_that_is_asked_to_end_records_its_actions_first(demo: Demo) -> None:
    with plugged(demo[0]) as service:
        begin_to_disable_everything(service)
        (child,) = service.children()
        os.kill(child, signal.SIGTERM)
        until(lambda: is_gone(child), "it goes on", seconds=20)
        service.wait_until_open()

        assert_that_the_log_and_the_gateway_agree(service)
    assert "is cut off" not in service.log.read_text()
