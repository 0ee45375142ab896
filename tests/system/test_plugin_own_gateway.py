"""Commands for stock gateways against our own gateway, which loads no library."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.repository.tracked import ROOT
from tests.system.plugged import Plugged, get, plugged
from tests.system.process import clean_environment
from tests.system.test_plugin import Demo

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]


@pytest.fixture
def plugin(demo: Demo) -> Iterator[Plugged]:
    with plugged(demo[0]) as service:
        yield service


def run(key: str, *arguments: str) -> tuple[int, list[str]]:
    """Run a command of the group `plugin`; return status and lines."""
    found = subprocess.run(
        [Path(sys.executable).with_name("poolkeeper"), "plugin", *arguments],
        cwd=ROOT,
        env=clean_environment({"POOLKEEPER_MANAGEMENT_KEY": key} if key else None),
        capture_output=True,
        text=True,
        check=False,
    )
    return found.returncode, (found.stdout + found.stderr).splitlines()


def test_a_command_for_stock_gateways_refuses_ours_in_one_line_and_writes_nothing(plugin: Plugged, demo: Demo) -> None:
    folder = demo[0].path
    before, names = demo[0].config.read_bytes(), sorted(path.name for path in folder.iterdir())
    server = f"http://127.0.0.1:{plugin.client.port}"
    for command in ("install", "remove"):
        for place in (("--server", server), ("--gateway-dir", str(folder), "--config", str(demo[0].config))):
            for key in (demo[0].management_key, *(("",) if place[0] == "--gateway-dir" else ())):
                status, lines = run(key, command, *place)
                assert (status, len(lines)) == (2, 1), lines
                assert "docs/plugin.md" in lines[0]
    assert demo[0].config.read_bytes() == before
    assert sorted(path.name for path in folder.iterdir()) == names
    assert run(demo[0].management_key, "status", "--server", server)[1][-1] == "The plugin is in effect."


def test_the_log_names_the_address_of_the_page(plugin: Plugged) -> None:
    line = next(one for one in plugin.log.read_text("utf-8").splitlines() if "inspection page" in one)
    path = f"/{line.partition('http://')[2].partition('/')[2].split()[0]}".rstrip('"}')

    assert get(plugin.client.port, path)[0] == 200
