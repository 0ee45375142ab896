"""A soak: run after run beside streams and readers, with series of what the service uses, and no growth late in it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import pytest

from adapter.clock import SystemClock
from tests.bench.crowd import crowd
from tests.bench.descriptors import raise_limit
from tests.bench.provider import providers_process
from tests.soak.large_pool import INSTANT, write_pool
from tests.soak.watched import ENDED
from tests.system.client import Client
from tests.system.process import FRESH, serving

MINUTES = float(os.environ.get("POOLKEEPER_SOAK_MINUTES", "30"))
"""Length of the soak; the environment variable shortens it."""
ACCOUNTS = 500
STREAMS = 50
READERS = 100
PATIENCE = 120.0
"""Longest silence of the service in seconds: the soak runs beside other work of its machine."""
GROWTH = 1.1
"""Most memory or descriptors of the last third in relation to the middle third."""


@dataclass(frozen=True, slots=True)
class Sample:
    """State of the service after a run."""

    seconds: float
    megabytes: float
    descriptors: int
    lag_ms: float
    database_megabytes: float


@pytest.mark.soak
@pytest.mark.timeout(MINUTES * 60 + 300)
def test_runs_streams_and_readers_for_half_an_hour_make_nothing_grow(tmp_path: Path) -> None:
    raise_limit()
    pool, clock = write_pool(tmp_path, ACCOUNTS, INSTANT), SystemClock()
    samples: list[Sample] = []
    with providers_process(pool.providers_port), serving(pool.config, program=FRESH) as service:
        client = Client(pool.gateway_port, pool.management_key, patience=PATIENCE)
        with crowd(pool, STREAMS, READERS) as counts:
            began = clock.monotonic()
            while clock.monotonic() - began < MINUTES * 60:
                inspected(client)
                client.heard.clear()
                asked_at = clock.monotonic()
                assert client.gateway("GET", "debug").status == 200
                now = clock.monotonic()
                samples.append(sample(service.process.pid, tmp_path, now - began, (now - asked_at) * 1000))
                if len(samples) % 10 == 1:
                    print(f"  {row(samples[-1])}", flush=True)
    print(series(samples))
    print(f"  answers and pieces of streams: {dict(counts)}")
    assert len(samples) >= 3
    assert not {status for status in counts if status.startswith("5")}
    if MINUTES >= 20:
        middle, last = samples[len(samples) // 3 : len(samples) * 2 // 3], samples[len(samples) * 2 // 3 :]
        assert median(point.megabytes for point in last) <= GROWTH * median(point.megabytes for point in middle)
        assert median(point.descriptors for point in last) <= GROWTH * median(point.descriptors for point in middle)


def inspected(client: Client) -> None:
    """Inspect the pool to its end."""
    number = int(client.own("POST", "inspections", {"accountSource": "api_key"})["run"]["id"])
    for kind, data in client.stream(number):
        if kind == "run.state" and data["state"] in ENDED:
            assert data["state"] == "finished"
            return


def sample(process: int, folder: Path, seconds: float, lag_ms: float) -> Sample:
    """Read what the process uses now."""
    place = Path("/proc") / str(process)
    lines = (place / "status").read_text("ascii").splitlines()
    resident = next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))
    size = sum(file.stat().st_size for file in folder.rglob("poolkeeper.db*"))
    return Sample(seconds, resident / 1024, len(list((place / "fd").iterdir())), lag_ms, size / 1e6)


def series(samples: Sequence[Sample]) -> str:
    """Show about thirty of the samples, one a line."""
    lines = [f"\n{len(samples)} runs of {ACCOUNTS} accounts, {STREAMS} streams, {READERS} readers"]
    lines.append(f"  {'seconds':>8} {'memory MB':>10} {'descriptors':>12} {'lag ms':>8} {'database MB':>12}")
    lines += [f"  {row(point)}" for point in samples[:: max(1, len(samples) // 30)]]
    return "\n".join(lines)


def row(point: Sample) -> str:
    """Show a sample."""
    return (
        f"{point.seconds:8.0f} {point.megabytes:10.1f} {point.descriptors:12d} {point.lag_ms:8.1f}"
        f" {point.database_megabytes:12.1f}"
    )
