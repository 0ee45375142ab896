"""Whatever moment the process dies at, nothing that landed is lost and nobody is probed twice."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.soak.large_pool import WITH_SLOW_ONES, LargePool, write_pool
from tests.system.client import Client
from tests.system.process import Service
from tests.system.stand_in import providers_at

WORKERS = 8
SLOW_SECONDS = 0.3
"""How long every eighth provider takes: a run then lasts long enough to be killed in the middle of it."""


@pytest.mark.parametrize(
    ("size", "kills"),
    [
        pytest.param(300, 2, marks=pytest.mark.slow, id="reduced"),
        pytest.param(4_000, 20, marks=pytest.mark.soak, id="long"),
    ],
)
def test_a_run_survives_being_killed_again_and_again(tmp_path: Path, size: int, kills: int) -> None:
    pool, seed = write_pool(tmp_path, size, WITH_SLOW_ONES), Random(size * kills)
    moments = sorted(seed.sample(range(1, size * 3 // 4), kills))
    with providers_at(pool.providers_port, slow_seconds=SLOW_SECONDS) as providers:
        client = Client(pool.gateway_port, pool.management_key)
        number = 0
        for moment in moments:
            number = started_and_killed(pool, client, number, moment)
        results = finished(pool, client, number)

    assert {row["baseUrl"]: row["verdict"] for row in results} == pool.labels
    assert Counter(row["account"] for row in results).most_common(1)[0][1] == 1
    extra = sum(providers.requests.values()) - size
    print(f"\n{size} accounts, {kills} kills: {extra} probes repeated, at most {kills * WORKERS} may be")
    assert extra <= kills * WORKERS


def started_and_killed(pool: LargePool, client: Client, number: int, moment: int) -> int:
    """Start or resume the run and kill the service once that many results have landed."""
    service = Service(["--config", str(pool.config)])
    try:
        service.wait_until_ready()
        number = begun(client, number)
        if client.run(number)["done"] < moment:
            for kind, data in client.stream(number):
                if kind == "run.progress" and data["done"] >= moment:
                    break
    finally:
        service.kill()
    return number


def begun(client: Client, number: int) -> int:
    if number:
        run = client.own("POST", "inspections/resume", run=number)["run"]
    else:
        settings = {"accountSource": "api_key", "workers": WORKERS, "retries": 0}
        run = client.own("POST", "inspections", settings)["run"]
    return int(run["id"])


def finished(pool: LargePool, client: Client, number: int) -> list[dict[str, Any]]:
    """Resume for the last time, wait for the end, and answer every result."""
    service = Service(["--config", str(pool.config)])
    try:
        service.wait_until_ready()
        begun(client, number)
        client.wait_for_end(number)
        assert client.run(number)["state"] == "finished"
        return every_result(client, number)
    finally:
        service.stop()


def every_result(client: Client, number: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    after = 0
    while True:
        page = client.own("GET", "inspections/results", run=number, after=after, limit=500)
        if not page["results"]:
            return found
        found += page["results"]
        after = page["next"]
