"""A plugin process that hangs behind our own gateway: replaced, while the gateway serves everything else."""

from __future__ import annotations

import os
import signal
import sys

import pytest

from adapter.contract.expectations import HEALTH
from tests.system.client import path_of
from tests.system.plugged import get, is_gone, plugged, until
from tests.system.test_plugin_ending import (
    Demo,
    actions,
    assert_that_the_log_and_the_gateway_agree,
    begin_to_disable_everything,
)

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]
IMPATIENT = """
import sys
from gateway.__main__ import main
from gateway.internal.plugins import keeper

keeper.TURN_SECONDS = 0.2
sys.exit(main())
"""
"""A gateway that gives a process up after a fifth of the time."""
SIGN = "it gave no sign of life for 9 s and was killed"


def test_a_plugin_that_hangs_in_the_middle_of_a_batch_is_replaced_and_does_nothing_twice(demo: Demo) -> None:
    with plugged(demo[0], program=(sys.executable, "-c", IMPATIENT)) as service:
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
    assert service.log.read_text("utf-8").count(SIGN) == 1
