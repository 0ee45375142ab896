"""Kills at any moment lose no result that landed, and repeat at most the probes in flight."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import ceil
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.soak.large_pool import INSTANT, LargePool, address_at, verdicts_in, write_pool
from tests.soak.watched import every_result
from tests.system.client import Client
from tests.system.process import Service, serving
from tests.system.stand_in import providers_at

WORKERS = 32
SETTINGS = {"accountSource": "api_key", "workers": WORKERS, "timeoutSeconds": 2, "retries": 0, "evidenceChecks": False}
RESTLESS = {**INSTANT, "slow": 20, "silent": 2}
"""Some of the calls in flight take a while, so that a run lasts long enough to be killed in its middle."""


SIZE = 10_000
KILLS = 20


@pytest.mark.soak
def test_a_run_survives_being_killed_again_and_again(tmp_path: Path) -> None:
    pool, seed = write_pool(tmp_path, SIZE, RESTLESS), Random(SIZE * KILLS)
    moments = sorted(seed.sample(range(1, SIZE * 9 // 10), KILLS))
    with providers_at(pool.providers_port, slow_seconds=1.0) as providers:
        client = Client(pool.gateway_port, pool.management_key)
        number, announced = 0, set[int]()
        for moment in moments:
            number = started_and_killed(pool, client, number, moment, announced)
        results = finished(pool, client, number)

    assert verdicts_in(results) == pool.labels
    assert Counter(row["account"] for row in results).most_common(1)[0][1] == 1
    assert announced <= {row["seq"] for row in results}, "a result that had been told of is gone"
    again = repeated(pool, results, providers.requests)
    print(f"\n{SIZE} accounts, {KILLS} kills: {again} probes repeated, at most {KILLS * WORKERS} may be")
    assert again <= KILLS * WORKERS


def started_and_killed(pool: LargePool, client: Client, number: int, moment: int, announced: set[int]) -> int:
    """Start or resume the run and kill the service once that many results have landed; note those it told of."""
    service = Service(["--config", str(pool.config)])
    try:
        service.wait_until_ready()
        number = begun(client, number)
        for kind, data in client.stream(number):
            if kind == "result":
                announced.update(data["seqs"])
            elif kind == "run.progress" and data["done"] >= moment:
                break
    finally:
        service.kill()
    return number


def begun(client: Client, number: int) -> int:
    if number:
        run = client.own("POST", "inspections/resume", run=number)["run"]
    else:
        run = client.own("POST", "inspections", SETTINGS)["run"]
    return int(run["id"])


def finished(pool: LargePool, client: Client, number: int) -> list[dict[str, Any]]:
    """Resume for the last time, wait for the end, and answer every result."""
    with serving(pool.config):
        begun(client, number)
        client.wait_for_end(number)
        assert client.run(number)["state"] == "finished"
        return every_result(client, number)


def repeated(pool: LargePool, results: Sequence[Mapping[str, Any]], requests: Mapping[str, int]) -> int:
    """Count the probes beyond one each; a probe takes as many requests as its result tells of."""
    address = address_at(pool.providers_port)
    attempts = {row["baseUrl"]: len(row["attempts"]) for row in results}
    spent = ((requests[row.key], attempts[row.base_url(address)]) for row in pool.rows)
    return sum(ceil(count / needed) - 1 for count, needed in spent if needed)
