"""An inspection by the running service, followed by a reader of its event stream and measured from outside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from adapter.clock import SystemClock
from tests.bench.provider import ProviderProcess
from tests.soak.figures import Figures
from tests.soak.usage import usage_of
from tests.system.client import Client

ENDED = {"finished", "stopped", "failed", "interrupted"}


@dataclass(frozen=True, slots=True)
class Watched:
    """Record of a reader: the run, its figures, its results, and two kinds of delays.

    `first` is from the request that started the run to the first stored result. `lags` are, for every result, from its
    commit to its arrival at the reader; both are in seconds.
    """

    run: int
    state: str
    figures: Figures
    results: list[dict[str, Any]]
    first: float
    lags: list[float]


def watched(client: Client, process: int, settings: Mapping[str, Any], providers: ProviderProcess) -> Watched:
    """Start an inspection, read its stream to its end, and return the record."""
    requests, before, began = providers.requests(), usage_of(process), now()
    number = int(client.own("POST", "inspections", dict(settings))["run"]["id"])
    arrived: dict[int, float] = {}
    state = ""
    for kind, data in client.stream(number):
        moment = now()
        if kind == "result":
            arrived.update((seq, moment) for seq in data["seqs"] if seq not in arrived)
        elif kind == "run.state" and data["state"] in ENDED:
            state = data["state"]
            break
    wall, after = now() - began, usage_of(process)
    figures = Figures(
        wall, after.cpu_seconds - before.cpu_seconds, after.peak_megabytes, providers.requests() - requests
    )
    committed = commits_of(client, number)
    lags = [arrived[seq] - at for seq, at in committed.items()]
    return Watched(number, state, figures, every_result(client, number), min(committed.values()) - began, lags)


def now() -> float:
    """Seconds since 1970, on the clock that the service's events are dated by."""
    return SystemClock().now_ms() / 1000


def commits_of(client: Client, number: int) -> dict[int, float]:
    """Read from the event log when each result of a run was committed, in seconds since 1970."""
    rows: dict[int, float] = {}
    after = 0
    while (page := client.own("GET", "inspections/events", run=number, after=after))["events"]:
        for event in page["events"]:
            if event["kind"] == "result":
                rows.update((seq, event["at"] / 1000) for seq in event["data"]["seqs"])
        after = page["next"]
    return rows


def every_result(client: Client, number: int) -> list[dict[str, Any]]:
    """Read all results of a run, page by page."""
    rows: list[dict[str, Any]] = []
    after = 0
    while (page := client.own("GET", "inspections/results", run=number, after=after))["results"]:
        rows += page["results"]
        after = page["next"]
    return rows
