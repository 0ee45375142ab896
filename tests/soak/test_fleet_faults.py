"""Workers that are killed and frozen lose nothing, double nothing, and send nothing past their terms."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from tests.postgresql.server import running_server
from tests.soak.fleet_faults import harmed


@pytest.mark.soak
async def test_a_fleet_under_faults_loses_and_doubles_nothing(tmp_path: Path) -> None:
    size = {"gateways": 6, "accounts": 120, "workers": 3, "faults": 20, "seed": 7, "term": 2.0}
    with running_server() as server:
        measured = await harmed(server, tmp_path, argparse.Namespace(**size))
    print(f"\n{measured.pop('told')}")
    assert measured == dict.fromkeys(measured, 0)
