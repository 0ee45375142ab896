"""How fast a large pool is inspected, beside bare loops of the same requests; and that nothing is lost on the way."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.bench.provider import providers_process
from tests.soak import bare, figures
from tests.soak.large_pool import BELIEVABLE, LargePool, verdicts_in, write_pool
from tests.soak.watched import Watched, watched
from tests.system.client import Client
from tests.system.process import serving

LONG = {"accountSource": "api_key", "timeoutSeconds": 5}
"""What a user would choose: the defaults, and less patience with providers that never answer."""
REDUCED = {"accountSource": "api_key", "timeoutSeconds": 1}


@pytest.mark.parametrize(
    ("size", "settings", "slow_seconds"),
    [
        pytest.param(500, REDUCED, 0.3, marks=pytest.mark.slow, id="reduced"),
        pytest.param(10_000, LONG, 1.5, marks=pytest.mark.soak, id="long"),
    ],
)
def test_a_large_pool_is_inspected_at_the_pace_of_its_calls_with_every_verdict_right(
    tmp_path: Path, size: int, settings: dict[str, Any], slow_seconds: float
) -> None:
    pool = write_pool(tmp_path, size, BELIEVABLE)
    with providers_process(pool.providers_port, slow_seconds=slow_seconds) as providers:
        loops = {f"bare loop, {each}": bare.bare_loop(pool, settings, each, providers) for each in bare.Client}
        with serving(pool.config) as service:
            client = Client(pool.gateway_port, pool.management_key)
            asked = asking(client)
            plain = watched(client, service.process.pid, settings, providers)
            asked |= asking(client, plain.run)
            acting = watched(client, service.process.pid, {**settings, "autoActionMode": "disable"}, providers)
            left_alone = [account["id"] for account in client.accounts() if account["enabled"]]
            held = [each["account"] for each in client.own("GET", "inspections/held", run=acting.run)["held"]]

    print(report(pool, settings, loops, plain, acting))
    print("  answers, in ms: " + ", ".join(f"{name} {seconds * 1000:.0f}" for name, seconds in asked.items()))
    for run in (plain, acting):
        assert run.state == "finished"
        assert verdicts_in(run.results) == pool.labels
        assert len(run.lags) == size
    assert {row["account"] for row in acting.results if row["action"] == "disable"}.isdisjoint({*left_alone} - {*held})
    assert {row["account"] for row in acting.results if row["action"] == "keep" and row["enabled"]} <= {*left_alone}
    requests = [each.requests for each in (*loops.values(), plain.figures, acting.figures)]
    # A connection that is hung up on may be tried once more.
    assert max(requests) - min(requests) <= size // 100, "the loops did not send what the inspections sent"


def report(
    pool: LargePool, settings: dict[str, Any], loops: dict[str, figures.Figures], plain: Watched, acting: Watched
) -> str:
    """Everything that was measured, as text."""
    title = (
        f"\n{len(pool.rows)} accounts, {dict(settings)}; providers, loops and service in a process of their own each"
    )
    passes = {**loops, "inspection": plain.figures, "inspection that disables": acting.figures}
    lines = [figures.table(title, len(pool.rows), passes)]
    for name, run in (("inspection", plain), ("inspection that disables", acting)):
        lines.append(
            f"  {name}: first stored result after {run.first:.2f} s; "
            f"lag of the event stream from commit to reader: {figures.spread(run.lags)}"
        )
    return "\n".join(lines)


def asking(client: Client, run: int | None = None) -> dict[str, float]:
    """Measure what the page asks for when it is opened: before anything was found, or with a run's results."""
    if run is None:
        return {"pool when first read": took(client.accounts), "pool": took(client.accounts)}
    return {
        "pool with results": took(client.accounts),
        "first 2,000 results": took(lambda: client.own("GET", "inspections/results", run=run, limit=2_000)),
        "first frame of the stream": took(lambda: first_frame(client, run)),
    }


def took(work: Callable[[], object]) -> float:
    """Seconds that something takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def first_frame(client: Client, run: int) -> tuple[str, dict[str, Any]]:
    """The first thing that a new reader of the stream is told."""
    return next(client.stream(run))
