"""Following a run until it ends: over the stream, and by asking where the stream breaks."""

from collections.abc import Callable
from threading import Event
from typing import Any

from extension.cli.client.client import Unreachable
from extension.cli.client.service_lookup import ServiceLocation

ENDED = frozenset({"finished", "stopped", "interrupted", "failed"})
"""States in which a run does nothing any more."""
_BEYOND_THE_END = 2**53 - 1
_PAUSE_SECONDS = 1.0
_ATTEMPTS = 30
_PAGE = 1000

Progress = Callable[[int, int], None]
"""Is told how many accounts of how many are done."""


def newest_event(found: ServiceLocation) -> int:
    """Ask for the end of the event log, to follow from there on."""
    return int(found.client.get(found.paths.events, {"after": _BEYOND_THE_END})["next"])


def follow(found: ServiceLocation, run_id: int, after: int, progress: Progress) -> dict[str, Any]:
    """Wait for the end of a run and answer it as it is then.

    A stream that breaks is opened again from the last event, half a minute long; a service that restarts is waited for.

    Raises:
        Unreachable: the service stays away.
        Refused: it does not know the run.
    """
    failures = 0
    while True:
        try:
            for event in found.client.stream(found.paths.events, {"after": after, "run": run_id}):
                after, failures = event.seq, 0
                if event.kind == "run.progress":
                    progress(int(event.data.get("done", 0)), int(event.data.get("total", 0)))
                if event.kind == "run.state" and event.data.get("state") in ENDED:
                    break
            run = read_run(found, run_id)
            progress(run["done"], run["total"])
            if run["state"] in ENDED:
                return run
        except Unreachable:
            failures += 1
            if failures >= _ATTEMPTS:
                raise
        Event().wait(_PAUSE_SECONDS)


def read_run(found: ServiceLocation, run_id: int) -> dict[str, Any]:
    """Read one run."""
    run: dict[str, Any] = found.client.get(found.paths.inspections, {"run": run_id})["runs"][0]
    return run


def read_results(found: ServiceLocation, run_id: int) -> list[dict[str, Any]]:
    """Read all results of a run, page by page."""
    results: list[dict[str, Any]] = []
    after = 0
    while True:
        answer = found.client.get(found.paths.results, {"run": run_id, "after": after, "limit": _PAGE})
        if not answer["results"]:
            return results
        results += answer["results"]
        after = answer["next"]
