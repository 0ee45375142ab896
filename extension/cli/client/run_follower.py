"""Progress of a run until its end, by the events of the service, with reconnects."""

from collections.abc import Callable
from threading import Event
from typing import Any

from extension.cli.client.client import StoreRefused, Unreachable
from extension.cli.client.live_events import LiveEvents
from extension.cli.client.service_lookup import ServiceLocation

ENDED = frozenset({"finished", "stopped", "interrupted", "failed"})
"""Final states of a run."""
_BEYOND_THE_END = 2**53 - 1
_PAUSE_SECONDS = 1.0
_ATTEMPTS = 30
_PAGE = 1000

Progress = Callable[[int, int], None]
"""Callback with the number of finished accounts and the total."""


def newest_event(found: ServiceLocation) -> int:
    """Return the end of the event log."""
    return int(found.client.get(found.paths.events, {"after": _BEYOND_THE_END})["next"])


def follow(found: ServiceLocation, run_id: int, after: int, progress: Progress) -> dict[str, Any]:
    """Wait for the end of a run and return it.

    A broken stream is opened again from the last event for half a minute, so that a service or its database may
    restart.

    Raises:
        Unreachable: the service does not come back.
        StoreRefused: its database does not.
        RequestRefused: the service does not know the run.
    """
    failures, events = 0, LiveEvents(found, after, run_id)
    while True:
        try:
            for event in events.read():
                failures = 0
                if event.kind == "run.progress":
                    progress(int(event.data.get("done", 0)), int(event.data.get("total", 0)))
                if event.kind == "run.state" and event.data.get("state") in ENDED:
                    break
            run = read_run(found, run_id)
            progress(run["done"], run["total"])
            if run["state"] in ENDED:
                return run
        except (Unreachable, StoreRefused):
            failures += 1
            if failures >= _ATTEMPTS:
                raise
        Event().wait(_PAUSE_SECONDS)


def read_run(found: ServiceLocation, run_id: int) -> dict[str, Any]:
    """Return one run."""
    run: dict[str, Any] = found.client.get(found.paths.inspections, {"run": run_id})["runs"][0]
    return run


def read_results(found: ServiceLocation, run_id: int) -> list[dict[str, Any]]:
    """Return all results of a run."""
    results: list[dict[str, Any]] = []
    after = 0
    while True:
        answer = found.client.get(found.paths.results, {"run": run_id, "after": after, "limit": _PAGE})
        if not answer["results"]:
            return results
        results += answer["results"]
        after = answer["next"]


def newest_run(found: ServiceLocation) -> dict[str, Any] | None:
    """Return the newest run, or None without any."""
    runs: list[dict[str, Any]] = found.client.get(found.paths.inspections, {"limit": 1})["runs"]
    return runs[0] if runs else None


def chosen_run(found: ServiceLocation, run_id: int | None) -> dict[str, Any] | None:
    """Return the run with that number, the newest one without a number, or None where there is no run."""
    return newest_run(found) if run_id is None else read_run(found, run_id)
