"""Two processes of the service on one data folder: the gateway's own, and a newer one that waits at a socket."""

from __future__ import annotations

import stat
from dataclasses import replace
from pathlib import Path

import pytest

from tests.system.attached import attached, channel_to
from tests.system.client import path_of
from tests.system.plugged import plugged, until
from tools.project.demo.folder import DemoFolder
from tools.project.demo.providers import Providers

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]


def test_the_newer_of_two_processes_runs_the_engine_until_it_ends(
    demo: tuple[DemoFolder, Providers], tmp_path: Path
) -> None:
    socket = tmp_path / "plugin.sock"
    with plugged(demo[0]) as service:
        account = next(row["id"] for row in service.client.accounts() if row["enabled"])
        with attached(socket) as newer:
            assert stat.S_IMODE(socket.stat().st_mode) == 0o600
            assert newer.ask("GET", "info")[0] == 503
            assert newer.configure(demo[0]).routes
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
                again.configure(demo[0])
                assert again.ask("GET", "info")[0] == 200

        service.wait_until_open()
        logged = service.client.own("GET", "pool/actions")["actions"]
        assert [(row["account"], row["outcome"]) for row in logged] == [(account, "applied")]
