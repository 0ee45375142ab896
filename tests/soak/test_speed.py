"""Speed of the inspection of a large pool beside bare loops of the same requests, of which none is lost."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from extension.inspection.policy.circuit_breaker import LASTING
from tests.bench.provider import providers_process
from tests.soak import bare, figures
from tests.soak.large_pool import WITH_BIG_ONES, LargePool, verdicts_in, write_pool
from tests.soak.watched import Watched, watched
from tests.system.client import Client
from tests.system.process import FRESH, serving

LONG = {"accountSource": "api_key", "timeoutSeconds": 5, "evidenceChecks": False}
"""A choice of users: the defaults, and less patience with providers that never answer.

Without evidence checks, because each account of the pool has a base path of its own: each would have a control of its
own, and the inspection would send requests that the loops beside it do not send.
"""
MODES = {"inspection": "none", "inspection that disables": "disable"}


@pytest.mark.soak
def test_ten_thousand_accounts_are_inspected_with_every_verdict_right_beside_bare_loops(tmp_path: Path) -> None:
    pool = write_pool(tmp_path, 10_000, WITH_BIG_ONES)
    check(pool, LONG, slow_seconds=1.5, loops=tuple(bare.Client), modes=MODES)


def check(
    pool: LargePool,
    settings: Mapping[str, Any],
    *,
    slow_seconds: float,
    loops: Sequence[bare.Client],
    modes: Mapping[str, str],
) -> None:
    """Inspect in each mode (the last one disables), print what was measured, and hold it against the labels."""
    with providers_process(pool.providers_port, slow_seconds=slow_seconds) as providers:
        passes = {f"bare loop, {entry}": bare.bare_loop(pool, settings, entry, providers) for entry in loops}
        with serving(pool.config, program=FRESH) as service:
            client = Client(pool.gateway_port, pool.management_key)
            answer_times = {"pool when first read": took(client.accounts), "pool": took(client.accounts)}
            runs: dict[str, Watched] = {}
            for name, mode in modes.items():
                acting = {**settings, "autoActionMode": mode}
                runs[name] = watched(client, service.process.pid, acting, providers)
            last = runs[name]
            answer_times |= asking(client, last.run)
            enabled = {account["id"] for account in client.accounts() if account["enabled"]}
            on_hold = {entry["account"] for entry in client.own("GET", "inspections/held", run=last.run)["held"]}

    print(report(pool, settings, passes, runs))
    print("  answers, in ms: " + ", ".join(f"{name} {seconds * 1000:.0f}" for name, seconds in answer_times.items()))
    size = len(pool.rows)
    for run in runs.values():
        assert run.state == "finished"
        assert verdicts_in(run.results) == pool.labels
        assert len(run.lags) == size
    assert {row["account"] for row in last.results if row["action"] == "disable"}.isdisjoint(enabled - on_hold)
    assert {row["account"] for row in last.results if row["action"] == "keep" and row["enabled"]} <= enabled
    failed = [row for row in last.results if row["action"] == "disable" and row["verdict"] in LASTING]
    asked_again = 2 * sum(row["account"] not in on_hold for row in failed)
    requests = [entry.requests for entry in (*passes.values(), *(run.figures for run in runs.values()))]
    requests[-1] -= asked_again
    # A connection that is hung up on may be tried once more.
    assert max(requests) - min(requests) <= size // 100, "the loops did not send what the inspections sent"


def report(
    pool: LargePool, settings: Mapping[str, Any], passes: Mapping[str, figures.Figures], runs: Mapping[str, Watched]
) -> str:
    """Everything that was measured, as text."""
    title = (
        f"\n{len(pool.rows)} accounts, {dict(settings)}; providers, loops and service in a process of their own each"
    )
    figures_by_name = {**passes, **{name: run.figures for name, run in runs.items()}}
    lines = [figures.table(title, len(pool.rows), figures_by_name)]
    for name, run in runs.items():
        lines.append(
            f"  {name}: first stored result after {run.first:.2f} s; "
            f"lag of the event stream from commit to reader: {figures.spread(run.lags)}"
        )
    return "\n".join(lines)


def asking(client: Client, run: int) -> dict[str, float]:
    """Measure what the page asks for when it is opened with a run's results there."""
    return {
        "pool with results": took(client.accounts),
        "first 2,000 results": took(lambda: client.own("GET", "inspections/results", run=run, limit=2_000)),
        "first frame of the stream": took(lambda: next(client.stream(run))),
    }


def took(work: Callable[[], object]) -> float:
    """Seconds that something takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
